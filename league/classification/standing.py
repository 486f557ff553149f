"""What comes out: the standing after a stage, row by row, each row with its reasons.

A row holds facts, not words: a page makes its sentences from them.
"""

from dataclasses import dataclass
from enum import StrEnum

from league.classification.status import OutReason, Status


class GcState(StrEnum):
    """Where a rider stands in the general classification."""

    IN = "in"
    UNRESOLVED = "unresolved"  # a result of his is missing: no rank, no gap, no jersey
    OUT = "out"  # for good


class TeamState(StrEnum):
    """Where a team stands in the team classification."""

    IN = "in"
    UNRESOLVED = "unresolved"  # a rider's result is missing, so its total is not known
    UNRANKED = "unranked"  # fewer than the counted number came in, once: for good


class Criterion(StrEnum):
    """What separated a rider from the one above him. Rules: GI-D1-06."""

    SCORE = "score"
    ENERGY = "energy"  # left at the end of the latest stage, before the cap
    LATEST_PLACING = "latest_placing"
    EARLIER_PLACING = "earlier_placing"
    DRAFT = "draft"


class TeamCriterion(StrEnum):
    """What separated a team from the one above it."""

    TOTAL = "total"
    PLACINGS = "placings"  # sum of the placings of the riders who counted, over all stages
    BEST_PLACING = "best_placing"  # the best single one of these


class PartKind(StrEnum):
    """One reason in a rider's stage: what moved him on the GC track, or took him off it."""

    TURNS_BEHIND = "turns_behind"  # facts: turn, best_turn
    STAGE_WIN = "stage_win"
    BONUS = "bonus"  # facts: token
    TIME_TRIAL = "time_trial"  # facts: turns, clock, runs, addition, result, best
    PENALTY = "penalty"  # facts: ruling
    RULING_BONUS = "ruling_bonus"  # facts: ruling
    REINSTATED = "reinstated"  # facts: ruling
    LAPPED = "lapped"  # facts: gap, loop, best, score
    OUT_DNS = "out_dns"
    OUT_DNF = "out_dnf"
    OUT_OTL = "out_otl"  # facts, as far as known: turn, peloton_turn, last_turn
    OUT_DSQ = "out_dsq"  # facts: ruling, if it was one
    OUT_WITHDRAWN = "out_withdrawn"
    BONUS_LAPSED = "bonus_lapsed"  # facts: token
    STAGE_WIN_LAPSED = "stage_win_lapsed"
    RULING_LAPSED = "ruling_lapsed"  # squares ruled on a rider who is out; facts: ruling, squares


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A reason: `amount` squares (0 where it only explains), the rule it follows, and the figures to say it with."""

    kind: PartKind
    amount: int
    rule: str | None
    facts: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GcRow:
    """A rider's line in the general classification after a stage."""

    rider: int
    team: int | None  # the team he rode for in this stage, or last
    rank: int | None
    state: GcState
    score: int | None  # squares; None: unresolved, or out by anything but lapping (that stage gives him no score)
    score_before: int | None  # before this stage; of a rider out earlier, what he left with
    gap: int | None  # squares: the leader's score minus his own
    gap_to_next: int | None  # squares to the rider above him
    change: int | None  # places gained (+) or lost (-) since the stage before; None: had no rank then, or has none
    energy: int | None  # left at the end of this stage, before the cap; None: not written down, or did not ride
    carry: int | None  # energy he takes to the next stage; None: not known
    why_out: OutReason | None
    out_after: int | None  # the stage that put him out
    parts: tuple[Part, ...]  # of this stage; score_before + their amounts == score
    decided_by: Criterion | None  # what put him below the rider above; None: he leads, or has no rank
    decided_against: int | None  # that rider
    decided_values: tuple[int, int] | None  # own, other
    decided_stage: int | None  # whose placing decided, when a placing did
    days_in_pink: int  # stages after which he wore it, this one included
    in_pink: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultRow:
    """A rider's line in the result of a stage."""

    rider: int
    team: int | None
    status: Status  # after the time limit and the rulings
    place: int | None  # the placing of GI-D1-06, shared 1, 2, 2, 4; None: no finisher, or no result yet
    crossed: int | None  # the same of everybody who crossed the line, whatever was ruled afterwards
    turn: int | None  # finishing turn; in a time trial his own turns
    result: int | None  # road: the turn; time trial: turns of the run + addition
    addition: int | None  # time trials only
    clock: int | None  # place of his run on the clock, written down or derived; time trials only
    behind: int | None  # result minus the best result
    bonuses: int  # bonus lines won
    move: int | None  # squares he moved on the GC track in this stage, rulings included; None: out, or no result yet
    energy: int | None
    run: int | None  # the team he rode with in a team time trial
    counts: bool  # False: he was out of the Giro before this stage; what he rode is a fact, not a result


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamRow:
    """A team's line in the team classification after a stage; lower is better."""

    team: int
    rank: int | None
    state: TeamState
    total: int | None  # turns, of the stages in which it was ranked; None: none yet, or not known
    gap: int | None  # its total minus the best
    stage_value: int | None  # turns of this stage; None: it has none
    counted: tuple[int, ...]  # the riders who made stage_value, best first
    finishers: int  # how many of its riders came in
    count: int  # how many have to: "2 of 3"
    change: int | None
    unranked_since: int | None  # the stage
    decided_by: TeamCriterion | None  # against the team above; None: leads, shares its rank, or has none
    decided_against: int | None
    decided_values: tuple[int, int] | None  # own, other


@dataclass(frozen=True, slots=True, kw_only=True)
class AfterStage:
    """Everything that stands after a stage."""

    stage: int
    gc: tuple[GcRow, ...]  # ranked, then unresolved, then out (latest first)
    result: tuple[ResultRow, ...]  # by placing, then without a result, then out, then those who no longer count
    teams: tuple[TeamRow, ...]  # ranked, then unresolved, then unranked
    wearer: int | None  # of the pink jersey
    unresolved: int  # riders of the GC without a known total
    missing: tuple[int, ...]  # riders still in, without a result on this very sheet
    ended: bool  # a stage left nobody: the Giro is over, and the standing before that stage decides
