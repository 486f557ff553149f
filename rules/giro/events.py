"""What happened, as the log and the replay tell it. Past tense; squares by name, energy in points.

Every event that changes a rider's energy carries the `change` and the `energy` after it, so that a log adds up.
"""

from dataclasses import dataclass
from typing import ClassVar, get_args

from rules.giro.actions import Risk
from rules.giro.cards import Card
from rules.giro.data import Speciality
from rules.giro.state import Strength


# ---- A. preparing ----------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class DraftOpened:
    """Chance or the organiser named who drafts first. Step S1."""

    kind: ClassVar[str] = "draft_opened"
    seat: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Picked:
    """A seat drafted riders. Step S1."""

    kind: ClassVar[str] = "picked"
    seat: str
    riders: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Marked:
    """A rider was marked for a strength. Step S2."""

    kind: ClassVar[str] = "marked"
    rider: str
    strength: Strength


@dataclass(frozen=True, slots=True, kw_only=True)
class CardDealt:
    """A rider got his special card; None: not seen here. Step S3."""

    kind: ClassVar[str] = "card_dealt"
    rider: str
    card: Card | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CardShown:
    """A rider's card was turned up, to be played. Rules: GI-M-10."""

    kind: ClassVar[str] = "card_shown"
    rider: str
    card: Card


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenGiven:
    """A seat got the peloton leader token: at the start, or from the seat before. Rules: GI-B6-01."""

    kind: ClassVar[str] = "token_given"
    seat: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Started:
    """A rider lined up with his energy. Step S5."""

    kind: ClassVar[str] = "started"
    rider: str
    change: int
    energy: int


# ---- B. the turn -----------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class TurnBegan:
    """A turn of the stage, or of one run of a time trial (then `rider` names its first rider)."""

    kind: ClassVar[str] = "turn_began"
    turn: int
    rider: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """A rider rode on, and paid. Rules: GI-B1-04."""

    kind: ClassVar[str] = "moved"
    rider: str
    origin: str | None  # None: from the start line of a time trial
    to: str
    squares: int
    free: int
    paid: int
    passed: int  # occupied squares
    card: Card | None
    slipstream: bool  # it gave him a free square
    change: int
    energy: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokeAway:
    """A rider left the peloton to the front. Rules: GI-B2-02."""

    kind: ClassVar[str] = "broke_away"
    rider: str
    to: str
    squares: int
    free: int
    paid: int
    passed: int
    card: Card | None
    change: int
    energy: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Stayed:
    """No way was open. Rules: GI-B1-11."""

    kind: ClassVar[str] = "stayed"
    rider: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RiskRolled:
    """A risk was taken; the event die decided. Rules: GI-C2-02."""

    kind: ClassVar[str] = "risk_rolled"
    rider: str
    risk: Risk
    needed: int
    rolled: int
    held: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Cracked:
    """He pays three times the price of his move. Rules: GI-C2-06."""

    kind: ClassVar[str] = "cracked"
    rider: str
    change: int
    energy: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Fell:
    """He lies beside the road, misses his next turn, and pays twice (in a time trial nothing more). Rules: GI-C2-08, GI-D3-10."""

    kind: ClassVar[str] = "fell"
    rider: str
    change: int
    energy: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LostTile:
    """A crack tile of a time trial took energy. Rules: GI-D3-07."""

    kind: ClassVar[str] = "lost_tile"
    rider: str
    value: int
    change: int
    energy: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Recovered:
    """Free squares that he left unused came back as energy. Rules: GI-C4-01."""

    kind: ClassVar[str] = "recovered"
    rider: str
    change: int
    energy: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WonBonus:
    """First over a bonus line. Rules: GI-D2-01."""

    kind: ClassVar[str] = "won_bonus"
    rider: str
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DrewTile:
    """A feed tile was drawn; 0: not seen here. One drawn `to_keep` is its owner's secret. Rules: GI-C4-02."""

    kind: ClassVar[str] = "drew_tile"
    rider: str
    colour: Speciality
    value: int
    to_keep: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class NoTileLeft:
    """Pile and discard of the colour were empty. R-03."""

    kind: ClassVar[str] = "no_tile_left"
    rider: str


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptTile:
    """The tile just drawn stays face down. Rules: GI-C4-03."""

    kind: ClassVar[str] = "kept_tile"
    rider: str


@dataclass(frozen=True, slots=True, kw_only=True)
class UsedTile:
    """A tile's energy was taken: at once, later, by Eddie, or at the end of the stage. Rules: GI-C4-03, GI-C4-05."""

    kind: ClassVar[str] = "used_tile"
    rider: str
    value: int
    change: int
    energy: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Linked:
    """He sits exactly behind somebody. Rules: GI-C1-01."""

    kind: ClassVar[str] = "linked"
    rider: str
    behind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejoined:
    """He reached the peloton from behind, or from beside it. Rules: GI-B1-13, GI-C2-12, GI-C3-07."""

    kind: ClassVar[str] = "rejoined"
    rider: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CardPlayed:
    """A special card was played without a move: Eddie, or Alfredo against a puncture."""

    kind: ClassVar[str] = "card_played"
    rider: str
    card: Card


@dataclass(frozen=True, slots=True, kw_only=True)
class WillDrop:
    """He lets himself fall behind after the peloton's move. Rules: GI-B2-07."""

    kind: ClassVar[str] = "will_drop"
    rider: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PursuitCalled:
    """The token holder announced the pursuit, or not. Rules: GI-B3-01."""

    kind: ClassVar[str] = "pursuit_called"
    seat: str
    yes: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PelotonMoved:
    """The peloton moved. Rules: GI-B4-01, GI-B4-02."""

    kind: ClassVar[str] = "peloton_moved"
    rolled: int
    red: bool
    pursued: bool
    empty: bool
    squares: int
    column: int  # of its front, as it moved; beyond the last one it has finished


@dataclass(frozen=True, slots=True, kw_only=True)
class Caught:
    """The peloton took him back. Rules: GI-B4-03."""

    kind: ClassVar[str] = "caught"
    rider: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PaidPeloton:
    """He paid for the peloton's speed. Rules: GI-B4-04."""

    kind: ClassVar[str] = "paid_peloton"
    rider: str
    change: int
    energy: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LetGone:
    """He could not pay for the peloton's speed. Rules: GI-B4-05."""

    kind: ClassVar[str] = "let_gone"
    rider: str
    price: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Dropped:
    """He was put down behind the peloton. Rules: GI-B5-02, GI-C3-05."""

    kind: ClassVar[str] = "dropped"
    rider: str
    to: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PelotonFinished:
    """The peloton reached the arrival line and left the road. Rules: GI-B4-09."""

    kind: ClassVar[str] = "peloton_finished"
    turn: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """A rider crossed the arrival line. `order` counts from 1. Rules: GI-F-01, GI-F-02."""

    kind: ClassVar[str] = "finished"
    rider: str
    turn: int
    order: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PunctureRolled:
    """A red face made him roll for a puncture. Rules: GI-C3-01."""

    kind: ClassVar[str] = "puncture_rolled"
    rider: str
    rolled: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Punctured:
    """He waits for his wheel. Rules: GI-C3-04, GI-C3-05."""

    kind: ClassVar[str] = "punctured"
    rider: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PunctureSaved:
    """Alfredo annulled the puncture. Rules: GI-C3-09."""

    kind: ClassVar[str] = "puncture_saved"
    rider: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StoodUp:
    """After a fall he is back on a square. Rules: GI-C2-12."""

    kind: ClassVar[str] = "stood_up"
    rider: str
    to: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OutOfTime:
    """He is outside the time limit. Rules: GI-F-05."""

    kind: ClassVar[str] = "out_of_time"
    rider: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockRead:
    """The order of the runs on the stopwatch was told. Rules: GI-D3-12."""

    kind: ClassVar[str] = "clock_read"
    order: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StageOver:
    """Nobody is racing any more."""

    kind: ClassVar[str] = "stage_over"


Event = (
    DraftOpened
    | Picked
    | Marked
    | CardDealt
    | CardShown
    | TokenGiven
    | Started
    | TurnBegan
    | Moved
    | BrokeAway
    | Stayed
    | RiskRolled
    | Cracked
    | Fell
    | LostTile
    | Recovered
    | WonBonus
    | DrewTile
    | NoTileLeft
    | KeptTile
    | UsedTile
    | Linked
    | Rejoined
    | CardPlayed
    | WillDrop
    | PursuitCalled
    | PelotonMoved
    | Caught
    | PaidPeloton
    | LetGone
    | Dropped
    | PelotonFinished
    | Finished
    | PunctureRolled
    | Punctured
    | PunctureSaved
    | StoodUp
    | OutOfTime
    | ClockRead
    | StageOver
)

EVENTS: tuple[type[Event], ...] = get_args(Event)
