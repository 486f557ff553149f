"""What may be chosen, and what may fall: every answer to every decision.

Imperative. `kind` is the JSON word. `cyclist` and `team` are ids (“R1”, “R”), `seat` is who says it; left out, it is whoever
controls the cyclist or team. In a Madison `cyclist` of a request to retire is the team.
"""

from dataclasses import dataclass
from typing import ClassVar, get_args

Hand = tuple[int, ...]


# ---- before the start ------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """Madison: how strong the two cyclists of a team are, 1 (best) to 4; null: not to be seen here. Rules: BA-MAD-02."""

    kind: ClassVar[str] = "rate"
    team: str
    r1: int | None = None
    r2: int | None = None
    seat: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Allocate:
    """The first factors of all cyclists of a team, by number; null: not to be seen here. Rules: BA-SET-03, BA-SET-04."""

    kind: ClassVar[str] = "allocate"
    team: str
    hands: tuple[tuple[str, tuple[int | float, ...]], ...] | None = None
    seat: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OnPaper:
    """The first factors of a team stand on its log sheet. Rules: BA-REF-01."""

    kind: ClassVar[str] = "on_paper"
    team: str
    seat: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstSeat:
    """Chance: who begins in turn 1. Rules: BA-TURN-01."""

    kind: ClassVar[str] = "first_seat"
    seat: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Madison: which cyclist of a team rides first, 1 or 2, and beside which square the other rests. Rules: BA-MAD-04, BA-MAD-06."""

    kind: ClassVar[str] = "place"
    team: str
    active: int
    square: int
    seat: str | None = None


# ---- the turn --------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """Spend a factor. Rules: BA-MOVE-01."""

    kind: ClassVar[str] = "move"
    cyclist: str
    factor: int
    seat: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Orders:
    """The factors of all one's cyclists for this turn; null: not to be seen here. Rules: BA-OPT-05."""

    kind: ClassVar[str] = "orders"
    seat: str
    factors: tuple[tuple[str, int], ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """Madison: the partner takes over. Rules: BA-MAD-09."""

    kind: ClassVar[str] = "change"
    team: str
    seat: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Stay:
    """Madison: the partner goes on resting. Rules: BA-MAD-09."""

    kind: ClassVar[str] = "stay"
    team: str
    seat: str | None = None


# ---- beside the turn -------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class AskRetire:
    """Ask that one's own cyclist may leave the race. Rules: BA-RET-02."""

    kind: ClassVar[str] = "ask_retire"
    cyclist: str
    seat: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class VoteRetire:
    """Agree that a cyclist may leave the race, or not. Rules: BA-RET-01, BA-RET-02."""

    kind: ClassVar[str] = "vote_retire"
    seat: str
    cyclist: str
    yes: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Reveal:
    """Show everybody a hand of one's own. Rules: BA-INFO-03."""

    kind: ClassVar[str] = "reveal"
    cyclist: str
    seat: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeOut:
    """Have checked that a cyclist spent his own factors. Rules: BA-INFO-05."""

    kind: ClassVar[str] = "time_out"
    seat: str
    cyclist: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StopRace:
    """Want the race to be stopped here, or take every such wish back. Rules: BA-END-07."""

    kind: ClassVar[str] = "stop_race"
    seat: str
    yes: bool


Action = (
    Rate
    | Allocate
    | OnPaper
    | FirstSeat
    | Place
    | Move
    | Orders
    | Change
    | Stay
    | AskRetire
    | VoteRetire
    | Reveal
    | TimeOut
    | StopRace
)

ACTIONS: tuple[type[Action], ...] = get_args(Action)
CHANCE: tuple[type[Action], ...] = (FirstSeat,)
