"""The state of one stage: what cannot be derived, as immutable values.

Riders, seats and runs are known by their index: a rider's is his draft number from 0. Everything that people read or
type (`Rider.entry.id`, seats, square names) is text. Squares are those of the course, ticks and columns likewise.

The *agenda* of a run is what remains to be done before its riders are asked again: a stack of steps, the next one last.
The step on top is always one that needs an answer; `turn` says what each step does.

Named tuples, not frozen dataclasses: a state is made for every action, and a new rider with one changed field costs a
sixth of what `dataclasses.replace` takes (1 microsecond instead of 6).
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from rules.game import Seat
from rules.giro import data
from rules.giro.cards import Card, CardMethod
from rules.giro.course import Course, Square
from rules.giro.data import Kind, Speciality, Terrain

NOBODY: Final = -1
"""In place of the index of a rider or a seat."""

NOWHERE: Final = Square(-1)

UNSEEN: Final = 0
"""The value of a kept tile that whoever holds this state has not seen: in a view, or face down at a real table."""


class Where(StrEnum):
    """Where a rider is. Ahead of the peloton or behind it follows from his square. Rules: GI-M-08."""

    INSIDE = "inside"  # in the peloton; in a time trial, at the start
    ROAD = "road"
    FINISHED = "finished"
    OUT = "out"


INSIDE: Final = Where.INSIDE
ROAD: Final = Where.ROAD
FINISHED: Final = Where.FINISHED
OUT: Final = Where.OUT
"""Asked at every step: an attribute of an enumeration takes four times as long as a name."""


class Strength(StrEnum):
    """What a rider was marked for in the race log, at most one."""

    DESCENDER = "descender"
    SPRINTER = "sprinter"


class Clock(StrEnum):
    """Where the order of the runs of a time trial comes from. Rules: GI-D3-12."""

    DERIVED = "derived"
    MEASURED = "measured"


class Face(NamedTuple):
    """A face of the peloton die, and how many of the twelve are like it."""

    value: int
    red: bool
    weight: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How a stage is run. Whatever the rulebook leaves open is here (spec 9.1)."""

    course: Course
    giro: bool = False  # a stage of a Giro: bonus lines count
    cards: CardMethod = CardMethod.MATCHED
    peloton_die: tuple[Face, ...] = (Face(3, False, 3), Face(4, False, 4), Face(4, True, 2), Face(5, False, 3))
    feed_tiles: tuple[tuple[int, int], ...] = tuple(data.FEED_TILES.items())  # (value, how many of it in a colour)
    max_paid: int = data.MAX_PAID
    time_limit: int = data.TIME_LIMIT
    clock: Clock = Clock.DERIVED
    token: Seat | None = None  # who gets the token; None: chance names him
    first_pick: Seat | None = None  # who drafts first; None: chance names him

    @property
    def kind(self) -> Kind:
        return self.course.kind


class Entry(NamedTuple):
    """A rider as he stands on the start list."""

    id: str
    seat: int
    jersey: str
    speciality: Speciality
    carry: int = 0


class Rider(NamedTuple):
    """A rider in the stage."""

    entry: Entry
    strength: Strength | None = None
    where: Where = Where.INSIDE
    square: Square = NOWHERE
    arrival: int = 0  # GI-M-06
    energy: int = 0
    risks: int = 0  # boxes marked in the risk row
    tiles: tuple[int, ...] = ()  # kept feed tiles; UNSEEN if not known here
    card: Card | None = None  # in hand
    unseen_card: bool = False  # he holds a card that is not known here
    shown: bool = False  # that card was turned up before all: it is nobody's secret
    played: Card | None = None
    link: int = NOBODY  # the rider whose slipstream he may get (GI-C1-01)
    slip: bool = False  # that rider has moved since, and well: one free square (GI-C1-02)
    spare: bool = False  # Alfredo went with his move: no puncture this turn (GI-C3-09)
    fell: int = 0  # the turn in which he fell, while he is beside the road; 0: upright
    waiting: bool = False  # punctured, until his turn in the next T5
    dropping: bool = False  # rides with the peloton and will be put down behind it in this T4
    fresh: bool = False  # put down in this T4: not asked in this T5
    fed: tuple[int, ...] = ()  # numbers of the feed lines he has crossed
    crack_tiles: tuple[int, ...] = ()  # left of his seven, in a time trial
    turn: int | None = None  # in which he finished
    order: int | None = None  # his place at the line, from 1

    @property
    def id(self) -> str:
        return self.entry.id

    @property
    def racing(self) -> bool:
        return self.where is INSIDE or self.where is ROAD

    @property
    def active(self) -> bool:
        """On a square of the road, upright."""
        return self.where is ROAD and not self.fell


class Todo(NamedTuple):
    """One thing that is still to be done. `do` names it; the other fields are what it needs."""

    do: "Do"
    rider: int = NOBODY
    seat: int = NOBODY
    line: int = 0  # number of a bonus or feed line
    amount: int = 0  # energy or squares
    extra: int = 0


class Do(StrEnum):
    """The steps of a stage, in the order of the rulebook."""

    # A. preparing
    FIRST_SEAT = "first_seat"
    PICK = "pick"
    PREPARE = "prepare"
    STRENGTH = "strength"
    CARD = "card"
    FIRST_TOKEN = "first_token"  # noqa: S105 - the peloton leader token
    START = "start"
    # B. the turn
    TURN = "turn"
    BREAKAWAYS = "breakaways"
    MOVE = "move"
    ATTACKS = "attacks"
    ATTACK = "attack"
    PURSUE = "pursue"
    ROLL = "roll"
    PRICE = "price"
    PAY = "pay"
    PUT_DOWN = "put_down"
    PELOTON_LINES = "peloton_lines"
    ARRIVES = "arrives"
    DROPPED = "dropped"
    PUNCTURES = "punctures"
    PUNCTURE = "puncture"
    JOKER = "joker"
    STAND_UP = "stand_up"
    PASS_TOKEN = "pass_token"  # noqa: S105 - the peloton leader token
    # what a move leads to
    CRACK = "crack"
    FALL = "fall"
    CRACK_TILE = "crack_tile"
    RECOVER = "recover"
    BONUS = "bonus"
    FEED = "feed"
    DRAW = "draw"
    TILE = "tile"
    EDDIE = "eddie"
    SHOW_TILE = "show_tile"
    SHOW_CARD = "show_card"
    SETTLE = "settle"
    # D. time trials
    RUN_TURN = "run_turn"
    RUN_ENDS = "run_ends"


class Run(NamedTuple):
    """Riders on one road: all of a road stage, one of an individual time trial, a jersey of a team time trial."""

    riders: tuple[int, ...]
    turn: int = 0
    agenda: tuple[Todo, ...] = ()


class Pile(NamedTuple):
    """The feed tiles of one colour: how many of each value are in the pile and in its discard.

    A kept tile that was not seen here is still counted in the pile, since nobody can say which one left it.
    """

    left: tuple[int, ...]  # in the order of `Options.feed_tiles`
    spent: tuple[int, ...]


class State(NamedTuple):
    """A stage at one moment."""

    options: Options
    seats: tuple[Seat, ...]  # clockwise
    quota: int  # riders that every seat drafts; 0: they came named
    riders: tuple[Rider, ...]
    runs: tuple[Run, ...]
    undealt: tuple[Card, ...]  # cards that nobody was seen to get
    piles: tuple[Pile, ...]  # in the order of `Speciality`
    front: int = 0  # ticks of the peloton's front edge
    gone: bool = False  # the peloton has finished and left
    peloton_turn: int | None = None
    pursued: bool = False  # the +1 was announced for this turn
    red: bool = False  # this turn's roll was red
    token: int = NOBODY
    arrivals: int = 0  # the last arrival number given
    crossed: int = 0  # riders over the arrival line
    bonus: tuple[int, ...] = ()  # for each bonus line, the rider who won it
    clock: tuple[int, ...] | None = None  # runs in the order of the stopwatch
    over: bool = False

    @property
    def course(self) -> Course:
        return self.options.course

    @property
    def rear(self) -> int:
        """Ticks of the peloton's rear: it is two squares long."""
        return self.front - data.PELOTON_TICKS

    @property
    def turn(self) -> int:
        return self.runs[0].turn if self.runs else 0

    @property
    def time_trial(self) -> bool:
        return self.options.course.trial


COLOURS: Final = tuple(Speciality)
"""Feed tiles and cards come in one colour a speciality, in this order."""

TERRAINS: Final = tuple(Terrain)
