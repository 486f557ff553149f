"""What happened, as the log and the replay tell it. Past tense; `from` and `to` are distances from the start line.

In a Madison `moved`, `replaced` and `revealed` name the cyclist who rides, `crossed` and retirements his team.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, NamedTuple, get_args

from rules.breaking_away.actions import Hand


class Why(StrEnum):
    """Where a new factor comes from."""

    CHAIN = "chain"  # 3, and 1 for each cyclist in the chain ahead
    LEAD = "lead"  # a new sole leader: his lead
    OVERCROWDED = "overcrowded"


class Replacement(NamedTuple):
    """A cyclist's new factor. Rules: BA-REPL-06."""

    id: str
    value: int
    reason: Why


class Reason(StrEnum):
    """Why a race is over."""

    QUOTA = "quota"
    RETIRED = "retired"
    ABANDONED = "abandoned"


# ---- before the start ------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class Rated:
    """Madison: the ratings of a team, told when all are in. Rules: BA-MAD-02."""

    kind: ClassVar[str] = "rated"
    team: str
    r1: int
    r2: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Allocated:
    """A team has its first factors. Rules: BA-SET-03."""

    kind: ClassVar[str] = "allocated"
    seat: str
    team: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstDrawn:
    """Who begins in turn 1. Rules: BA-TURN-01."""

    kind: ClassVar[str] = "first_seat"
    seat: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """Madison: a team is lined up. Rules: BA-MAD-04, BA-MAD-06."""

    kind: ClassVar[str] = "placed"
    team: str
    active: int
    square: int


# ---- the turn --------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class TurnBegan:
    """A turn began."""

    kind: ClassVar[str] = "turn_began"
    turn: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Ordered:
    """A seat has handed in its orders. Rules: BA-OPT-05."""

    kind: ClassVar[str] = "ordered"
    seat: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """A cyclist spent a factor. Rules: BA-MOVE-01."""

    kind: ClassVar[str] = "moved"
    cyclist: str
    from_: int
    to: int
    factor: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Crossed:
    """A cyclist passed a line. Rules: BA-SCORE-01, BA-SCORE-02."""

    kind: ClassVar[str] = "crossed"
    cyclist: str
    line: str
    place: int  # from 1
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Replaced:
    """All new factors of a turn, front first. Rules: BA-REPL-01, BA-REPL-07."""

    kind: ClassVar[str] = "replaced"
    factors: tuple[Replacement, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """Madison: a partner took over; `cyclist` rides now. Rules: BA-MAD-12, BA-MAD-17."""

    kind: ClassVar[str] = "changed"
    team: str
    cyclist: str
    square: int  # where the other rests now
    forced: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """A cyclist past the finish was taken off. Rules: BA-END-05."""

    kind: ClassVar[str] = "left"
    cyclist: str


# ---- beside the turn -------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class RetireAsked:
    """The owner asks that a cyclist may leave. Rules: BA-RET-02."""

    kind: ClassVar[str] = "retire_asked"
    cyclist: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RetireVoted:
    """A seat agreed, or did not. Rules: BA-RET-01."""

    kind: ClassVar[str] = "retire_voted"
    cyclist: str
    seat: str
    yes: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Retired:
    """A cyclist left the race. Rules: BA-RET-03."""

    kind: ClassVar[str] = "retired"
    cyclist: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Revealed:
    """A hand was shown to everybody. Rules: BA-INFO-03."""

    kind: ClassVar[str] = "revealed"
    cyclist: str
    hand: Hand


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """The factors that a cyclist spent are his own. Rules: BA-INFO-05."""

    kind: ClassVar[str] = "checked"
    cyclist: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StopVoted:
    """A seat wants to stop the race here, or not. Rules: BA-END-07."""

    kind: ClassVar[str] = "stop_voted"
    seat: str
    yes: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RaceOver:
    """The race is over. Rules: BA-END-01, BA-END-06, BA-END-07."""

    kind: ClassVar[str] = "race_over"
    reason: Reason


Event = (
    Rated
    | Allocated
    | FirstDrawn
    | Placed
    | TurnBegan
    | Ordered
    | Moved
    | Crossed
    | Replaced
    | Changed
    | Left
    | RetireAsked
    | RetireVoted
    | Retired
    | Revealed
    | Checked
    | StopVoted
    | RaceOver
)

EVENTS: tuple[type[Event], ...] = get_args(Event)
