"""What goes in: the start list, the score sheets as written down, the commissaires' rulings, the options of the Giro.

Ids (of riders, teams, stages) are plain ints and never compared for more than equality, except to make an
order repeatable. Turns count from 1, energy and squares of the GC track are whole numbers.
"""

from dataclasses import dataclass
from enum import StrEnum

from league.classification.status import Kind, Status


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What a club may set for its Giro; the defaults are the game's. Rules: GI-D1-01, GI-D1-04, GI-D4-01, GI-F-05."""

    gc_loop: int = 18  # squares of the GC track: who is that far behind the best is lapped
    stage_win: int = 2  # squares, road stages only
    bonus: int = 1  # squares per bonus line
    time_limit: int = 3  # turns after the peloton
    cap_road: int = 15  # energy carried out of a road stage, at most
    cap_time_trial: int = 5
    team_classification: bool = True
    team_count: int | None = None  # riders that count per team and stage; None: 3, or the fewest any team starts with

    def __post_init__(self) -> None:
        if self.gc_loop < 1:
            raise ValueError(f"a GC track has at least 1 square, not {self.gc_loop}")
        if self.team_count is not None and self.team_count < 1:
            raise ValueError(f"at least 1 rider counts for a team, not {self.team_count}")

    def cap(self, kind: Kind) -> int:
        """The most energy that a rider takes out of a stage of this kind. Rules: GI-D4-01, GI-D4-03."""
        return self.cap_time_trial if kind.is_time_trial else self.cap_road


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrant:
    """A rider of the start list."""

    rider: int
    draft: int  # the order in which the riders were picked; no two alike
    team: int | None = None  # the team he starts the Giro in; None: the one on the first sheet, if any


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """What a sheet says of one rider. A rider without a line has no result yet."""

    rider: int
    status: Status
    turn: int | None = None  # finishing turn; in a time trial the number of his own turns
    place: int | None = None  # crossing order where it was written down; the winner always has 1; road stages only
    clock: int | None = None  # place on the clock of his run; nobody has one: the order is derived; time trials only
    energy: int | None = None  # left at the end, kept tiles added, before the cap
    team: int | None = None  # the team he rode for that day; None: alone


@dataclass(frozen=True, slots=True, kw_only=True)
class BonusWon:
    """The rider who crossed a bonus line first."""

    token: int
    rider: int


class RulingKind(StrEnum):
    """What a commissaire can rule at a stage."""

    PENALTY = "penalty"  # squares off his score
    BONUS = "bonus"  # squares on his score
    DISQUALIFICATION = "disqualification"
    REINSTATEMENT = "reinstatement"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """A decision on one rider at one stage. Those of a stage apply in the order of their numbers."""

    number: int
    kind: RulingKind
    rider: int
    amount: int = 0  # squares, for a penalty or a bonus
    turn: int | None = None  # for a reinstatement: his turn, where the sheet has none


@dataclass(frozen=True, slots=True, kw_only=True)
class StageSheet:
    """The sheet of one stage with the rulings made at it."""

    stage: int
    kind: Kind
    peloton_turn: int | None = None  # turn in which the peloton finished; None: not before the last rider
    lines: tuple[Line, ...]
    bonuses: tuple[BonusWon, ...] = ()
    rulings: tuple[Ruling, ...] = ()


def refuse_nonsense(entrants: tuple[Entrant, ...], sheets: tuple[StageSheet, ...]) -> None:
    """Raise `ValueError` on what no score sheet can say: two lines for a rider, a stranger, a stage twice.

    It guards the callers' keys. What a club can mistype is checked where sheets are entered.
    """
    riders = {entrant.rider for entrant in entrants}
    if len(riders) != len(entrants):
        raise ValueError("a rider is on the start list twice")
    if len({entrant.draft for entrant in entrants}) != len(entrants):
        raise ValueError("two riders have the same place in the draft order")
    if len({sheet.stage for sheet in sheets}) != len(sheets):
        raise ValueError("a stage has two sheets")
    for sheet in sheets:
        listed = {line.rider for line in sheet.lines}
        if len(listed) != len(sheet.lines):
            raise ValueError(f"stage {sheet.stage}: a rider has two lines")
        if len({bonus.token for bonus in sheet.bonuses}) != len(sheet.bonuses):
            raise ValueError(f"stage {sheet.stage}: a bonus line was won twice")
        if len({ruling.number for ruling in sheet.rulings}) != len(sheet.rulings):
            raise ValueError(f"stage {sheet.stage}: two rulings have the same number")
        named = listed | {bonus.rider for bonus in sheet.bonuses} | {ruling.rider for ruling in sheet.rulings}
        if strangers := named - riders:
            raise ValueError(f"stage {sheet.stage}: not on the start list: {sorted(strangers)}")
        if any(ruling.amount < 0 for ruling in sheet.rulings):
            raise ValueError(f"stage {sheet.stage}: a ruling's squares are counted from 0")
