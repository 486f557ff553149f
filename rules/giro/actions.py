"""What may be chosen, and what may fall: every answer to every decision.

Imperative. `kind` is the JSON word. A rider is his id, a path the lanes of the squares ridden over, so that a path and a
starting square say everything. Actions are equal when the same was chosen; `effect` only tells what it would lead to.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar, NamedTuple, get_args

from rules.giro.cards import Card
from rules.giro.course import Square
from rules.giro.data import Speciality


class Risk(StrEnum):
    """What a move may bring upon its rider."""

    CRACK = "crack"
    FALL = "fall"
    TILE = "crack_tile"  # time trial: one of the seven tiles


class Effect(NamedTuple):
    """What a move leads to, before any die: everything by which two moves can differ, and what a chooser wants to see.

    Squares are those of the course; `explain` gives them their names and adds who sits behind whom.
    """

    to: Square  # where it ends; of a rider who finishes, the first square beyond the line
    squares: tuple[Square, ...]  # ridden over, the last one is `to`
    steps: int  # what counts as its length: at least 4 for a break-away
    free: int
    paid: int
    passed: int  # occupied squares ridden through, 1 energy each
    cost: int
    worst: int  # energy that he must have
    risk: Risk | None
    recovers: int
    finishes: bool
    rejoins: bool  # ends in the peloton
    carries: bool  # whoever is linked to him gets a free square from this move


# ---- A. preparing ----------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class Pick:
    """Draft one's riders: of a jersey, these. Step S1."""

    kind: ClassVar[str] = "pick"
    jersey: str
    riders: tuple[Speciality, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkStrengths:
    """Say who descends well and who sprints. Step S2."""

    kind: ClassVar[str] = "strength"
    descender: str | None = None
    sprinter: str | None = None


# ---- B. the turn -----------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """Ride on. Rules: GI-B1-03, GI-B1-05."""

    kind: ClassVar[str] = "move"
    rider: str | None = None
    path: tuple[int, ...]
    card: bool = False
    start: int | None = None  # in a time trial, the lane of the start line that the first move leaves from
    effect: Effect | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class BreakAway:
    """Leave the peloton to the front. Rules: GI-B2-02."""

    kind: ClassVar[str] = "break"
    rider: str
    start: int  # the lane of the square at the peloton's front that the path leaves from
    path: tuple[int, ...]
    card: bool = False
    effect: Effect | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stay:
    """Stand still because no way is open. Rules: GI-B1-11."""

    kind: ClassVar[str] = "stay"
    rider: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Drop:
    """Let oneself fall behind the peloton after its move. Rules: GI-B2-07."""

    kind: ClassVar[str] = "drop"
    rider: str


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """Send nobody more this turn. Rules: GI-B2-01."""

    kind: ClassVar[str] = "end"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pursue:
    """Announce the pursuit, or not. Rules: GI-B3-01."""

    kind: ClassVar[str] = "pursue"
    yes: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Reveal:
    """Show a kept feed tile and take its energy. Rules: GI-C4-03."""

    kind: ClassVar[str] = "reveal"
    rider: str | None = None
    tile: int  # its value; 0: one that was not seen here


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayEddie:
    """Play Eddie: draw a tile and take its energy. Cards, GI-S-03."""

    kind: ClassVar[str] = "eddie"
    rider: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowCard:
    """Turn up a special card that was not seen here, so that it can be played. Rules: GI-M-10."""

    kind: ClassVar[str] = "show"
    rider: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LetGo:
    """Do not pay the peloton's price: be dropped. Rules: GI-B4-05."""

    kind: ClassVar[str] = "let_go"
    rider: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class UseTile:
    """Take the energy of the tile just drawn. Rules: GI-C4-03."""

    kind: ClassVar[str] = "use"
    rider: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class KeepTile:
    """Keep the tile just drawn, face down. Rules: GI-C4-03."""

    kind: ClassVar[str] = "keep"
    rider: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class UseJoker:
    """Play Alfredo against the puncture, or not. Rules: GI-C3-09."""

    kind: ClassVar[str] = "joker"
    rider: str | None = None
    yes: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadClock:
    """The order of the runs on the stopwatch, quickest first: rider ids, or jerseys of a team time trial."""

    kind: ClassVar[str] = "clock"
    order: tuple[str, ...]


# ---- chance ----------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class FirstSeat:
    """Who drafts first. Step S1."""

    kind: ClassVar[str] = "first_seat"
    seat: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstToken:
    """Who holds the peloton leader token first. Step S4."""

    kind: ClassVar[str] = "first_token"
    seat: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DealtCard:
    """The special card a rider gets; None: dealt face down and not seen here. Step S3; GI-M-10."""

    kind: ClassVar[str] = "card"
    rider: str | None = None
    card: Card | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PelotonDie:
    """The peloton die. Rules: GI-B4-01, GI-B4-02."""

    kind: ClassVar[str] = "peloton_die"
    value: int
    red: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EventDie:
    """The event die, 1 to 12. Rules: GI-C2-02, GI-C3-01."""

    kind: ClassVar[str] = "event_die"
    rider: str | None = None
    value: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnTile:
    """A feed tile from the pile of the rider's colour; 0: drawn face down and not seen here. Rules: GI-C4-02, GI-M-10."""

    kind: ClassVar[str] = "tile"
    rider: str | None = None
    value: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnCrackTile:
    """One of the seven tiles of a time trial. Rules: GI-D3-07."""

    kind: ClassVar[str] = "crack_tile"
    rider: str | None = None
    value: int


Action = (
    Pick
    | MarkStrengths
    | Move
    | BreakAway
    | Stay
    | Drop
    | End
    | Pursue
    | Reveal
    | PlayEddie
    | ShowCard
    | LetGo
    | UseTile
    | KeepTile
    | UseJoker
    | ReadClock
    | FirstSeat
    | FirstToken
    | DealtCard
    | PelotonDie
    | EventDie
    | DrawnTile
    | DrawnCrackTile
)

ACTIONS: tuple[type[Action], ...] = get_args(Action)
CHANCE: tuple[type[Action], ...] = (FirstSeat, FirstToken, DealtCard, PelotonDie, EventDie, DrawnTile, DrawnCrackTile)
