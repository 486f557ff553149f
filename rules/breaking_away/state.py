"""The state of a race: what cannot be derived, as immutable values.

Named tuples, as states are made for every move. Racers, seats and teams are indices into the `Field`.
"""

from enum import StrEnum
from typing import Final, NamedTuple, TypeVar

from rules.breaking_away.events import Reason
from rules.breaking_away.field import Field

NOBODY: Final = -1
UNRATED: Final = (0, 0)
"""Ratings that are in and not to be seen here."""
UNSEEN_ORDERS: Final = ()
"""Orders that are in and not to be seen here."""

Factors = tuple[int, ...]

T = TypeVar("T")


def put(values: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    """The same values but for one."""
    return (*values[:place], value, *values[place + 1 :])


class Phase(StrEnum):
    """What is being decided (spec 4)."""

    RATE = "rate"
    ALLOCATE = "allocate"
    FIRST_SEAT = "first_seat"
    PLACE = "place"
    MOVE = "move"
    ORDERS = "orders"
    CHANGE = "change"
    BOUNDARY = "boundary"
    FINISHED = "finished"


RACING_PHASES: Final = frozenset((Phase.MOVE, Phase.ORDERS, Phase.CHANGE, Phase.BOUNDARY))


class Where(StrEnum):
    """Whether a racer is on the course."""

    RACING = "racing"
    LEFT = "left"  # past the finish and taken off
    RETIRED = "retired"


class Relief(NamedTuple):
    """Madison: the resting partner of the one who rides, and the team's duty to change."""

    side: int  # which of the two rides: 0 or 1
    square: int  # where the other rests; NOBODY before he is placed
    hand: Factors | None = None
    spent: Factors = ()
    gained: Factors = ()
    open: bool = False
    changed: int = 0  # the last lap in which they changed
    overdue: bool = False


class Racer(NamedTuple):
    """One entry of the race order. `hand`, `spent`, `gained` and `open` are of the cyclist who rides.

    A hand is sorted; None: not known here. What was spent and what was gained is public, in the order of the turns.
    """

    pos: int = 0
    hand: Factors | None = None
    spent: Factors = ()
    gained: Factors = ()
    open: bool = False  # his hand was shown to everybody
    where: Where = Where.RACING
    finished: int = 0  # the turn in which he crossed the finish
    relief: Relief | None = None

    @property
    def side(self) -> int:
        """Which of a Madison's two rides: 0 or 1."""
        return 0 if self.relief is None else self.relief.side


class Request(NamedTuple):
    """Somebody asks to let a racer go; `yes` are the seats that agree."""

    racer: int
    yes: tuple[int, ...] = ()


class Asides(NamedTuple):
    """What goes on beside the turn."""

    requests: tuple[Request, ...] = ()
    asked: tuple[int, ...] = ()  # racers for whom it was asked in this turn
    gone: tuple[
        int, ...
    ] = ()  # racers who have retired or crossed the finish: kept, as it is looked at for every decision
    stop: tuple[int, ...] = ()  # seats that want to stop the race


class State(NamedTuple):
    """A race at one moment."""

    field: Field
    phase: Phase
    racers: tuple[Racer, ...]
    lines: tuple[tuple[int, ...], ...]  # for each line, who has crossed it, in order
    order: tuple[int, ...] = ()  # who moves when in this turn
    done: int = 0  # how many of them have moved, been placed, or been asked about a change
    turn: int = 0
    leader: int = NOBODY  # sole leader at the end of the turn before
    first: int = NOBODY  # the seat that began
    given: tuple[bool, ...] = ()  # for each team, whether its hands are in
    ratings: tuple[tuple[int, int] | None, ...] = ()  # Madison: of each team
    orders: tuple[Factors | None, ...] = ()  # for each seat, the factors of its racers
    asides: Asides = Asides()
    over: Reason | None = None
