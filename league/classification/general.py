"""The general classification: from one standing and one stage to the next standing.

The order is that of the rulebook: all moves of the stage together, then the eliminations, then the ranks.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from league.classification.moves import parts
from league.classification.ride import Ride
from league.classification.sheet import Options, StageSheet
from league.classification.standing import Criterion, GcRow, GcState, Part, PartKind
from league.classification.status import OUT, OutReason


@dataclass(frozen=True, slots=True, kw_only=True)
class RiderSoFar:
    """What the next stage must know of a rider."""

    rider: int
    draft: int
    team: int | None = None  # that he rode for last
    score: int | None = 0  # None: a result is missing
    placings: tuple[int, ...] = ()  # latest first
    why_out: OutReason | None = None
    out_after: int | None = None
    stages_ridden: int = 0  # with the one that put him out
    rank: int | None = None
    days_in_pink: int = 0

    @property
    def state(self) -> GcState:
        """Where he stands."""
        if self.why_out is not None:
            return GcState.OUT
        return GcState.UNRESOLVED if self.score is None else GcState.IN


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneralClassification:
    """The riders after some stages, and the rows that say so."""

    riders: Mapping[int, RiderSoFar]
    stages: tuple[int, ...] = ()  # that count, latest first
    rows: tuple[GcRow, ...] = ()
    wearer: int | None = None
    ended: bool = False

    @property
    def still_in(self) -> frozenset[int]:
        """The riders who start in the next stage."""
        if self.ended:
            return frozenset()
        return frozenset(rider for rider, so_far in self.riders.items() if so_far.why_out is None)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Decision:
    """What put a rider below the one above him."""

    by: Criterion | None = None
    against: int | None = None
    values: tuple[int, int] | None = None
    stage: int | None = None


@dataclass(slots=True, kw_only=True)
class _Day:
    """A stage in the working: the riders after it, and their reasons."""

    riders: dict[int, RiderSoFar] = field(default_factory=dict)
    parts: dict[int, tuple[Part, ...]] = field(default_factory=dict)


def next_general_classification(
    before: GeneralClassification, sheet: StageSheet, rides: Mapping[int, Ride], options: Options
) -> GeneralClassification:
    """The standing after a stage.

    If the stage leaves nobody, the Giro ends with the standing before it; before the first stage there is none, and
    nobody wears pink. After the end nothing moves any more. Rules: GI-D1-03, GI-D1-07, GI-D1-08.
    """
    if before.ended:
        return replace(before, rows=tuple(replace(row, parts=(), change=_unmoved(row)) for row in before.rows))
    day = _moved(before, sheet, rides, options)
    _lap(day, sheet, rides, options)
    if before.rows and all(so_far.why_out is not None for so_far in day.riders.values()):
        return _ended(before, day)
    ranked = _ranked(day.riders, rides)
    wearer = ranked[0] if ranked else None
    for rank, rider in enumerate(ranked, start=1):
        so_far = day.riders[rider]
        day.riders[rider] = replace(so_far, rank=rank, days_in_pink=so_far.days_in_pink + (rider == wearer))
    stages = (sheet.stage, *before.stages)
    decisions = _decisions(ranked, day.riders, rides, stages)
    order = ranked + sorted(day.riders.keys() - set(ranked), key=lambda rider: _below(day.riders[rider]))
    ended = all(so_far.why_out is not None for so_far in day.riders.values())
    rows = []
    for index, rider in enumerate(order):
        above = order[index - 1] if 0 < index < len(ranked) else None
        cap = options.cap(sheet.kind)
        rows.append(_row(rider, above, wearer, before, day, rides.get(rider), decisions.get(rider, _Decision()), cap))
    return GeneralClassification(riders=day.riders, stages=stages, rows=tuple(rows), wearer=wearer, ended=ended)


def _moved(before: GeneralClassification, sheet: StageSheet, rides: Mapping[int, Ride], options: Options) -> _Day:
    """Everybody's move, all together, and who is out by status or time limit. Rules: GI-D1-01, GI-D1-03, GI-D1-05."""
    day = _Day()
    for rider, so_far in before.riders.items():
        so_far = replace(so_far, rank=None)
        if so_far.why_out is not None:
            day.riders[rider], day.parts[rider] = so_far, ()
            continue
        ride = rides[rider]
        day.parts[rider] = parts(ride, sheet, options)
        so_far = replace(so_far, team=ride.team, stages_ridden=so_far.stages_ridden + 1)
        if ride.verdict.status in OUT:
            so_far = replace(so_far, why_out=OutReason(ride.verdict.status), out_after=sheet.stage)
        elif ride.finished and ride.placed is not None:
            move = sum(part.amount for part in day.parts[rider])
            so_far = replace(
                so_far,
                score=None if so_far.score is None else so_far.score + move,
                placings=(ride.placed.crossed, *so_far.placings),
            )
        else:
            so_far = replace(so_far, score=None)
        day.riders[rider] = so_far
    return day


def _lap(day: _Day, sheet: StageSheet, rides: Mapping[int, Ride], options: Options) -> None:
    """Put out, for good, who is a whole GC track behind the best of those left.

    Who is out already is not counted for the best. A reinstated rider stays. Rules: GI-D1-04.
    """
    scores = {
        rider: so_far.score
        for rider, so_far in day.riders.items()
        if so_far.why_out is None and so_far.score is not None
    }
    best = max(scores.values(), default=0)
    for rider, score in scores.items():
        if best - score < options.gc_loop or rides[rider].verdict.reinstated_by is not None:
            continue
        facts = (("gap", best - score), ("loop", options.gc_loop), ("best", best), ("score", score))
        day.parts[rider] += (Part(kind=PartKind.LAPPED, amount=0, rule="GI-D1-04", facts=facts),)
        day.riders[rider] = replace(day.riders[rider], why_out=OutReason.LAPPED, out_after=sheet.stage)


def _unmoved(row: GcRow) -> int | None:
    """No place gained or lost by a rider with a rank."""
    return None if row.rank is None else 0


def _ended(before: GeneralClassification, day: _Day) -> GeneralClassification:
    """The stage left nobody: the standing before it is the last word. It adds no day in pink. Rules: GI-D1-08."""
    rows = tuple(
        replace(
            row, score_before=before.riders[row.rider].score, parts=day.parts[row.rider], change=_unmoved(row), carry=0
        )
        for row in before.rows
    )
    return replace(before, rows=rows, ended=True)


def _ranked(riders: Mapping[int, RiderSoFar], rides: Mapping[int, Ride]) -> list[int]:
    """The riders with a rank, best first. Rules: GI-D1-06.

    Level on score, energy decides only if it was written down for all who are level there: an unknown is no zero.
    """
    level: defaultdict[int, list[int]] = defaultdict(list)
    for rider, so_far in riders.items():
        if so_far.why_out is None and so_far.score is not None:
            level[so_far.score].append(rider)

    def order(rider: int, energy_known: bool) -> tuple[int, tuple[int, ...], int]:
        energy = rides[rider].energy or 0 if energy_known else 0
        return (-energy, riders[rider].placings, riders[rider].draft)

    ranked: list[int] = []
    for score in sorted(level, reverse=True):
        known = all(rides[rider].energy is not None for rider in level[score])
        ranked += sorted(level[score], key=lambda rider: order(rider, known))
    return ranked


def _decisions(
    ranked: Sequence[int], riders: Mapping[int, RiderSoFar], rides: Mapping[int, Ride], stages: Sequence[int]
) -> dict[int, _Decision]:
    """For each rider but the first, the criterion that put him below the one above. Rules: GI-D1-06."""
    energy_unknown = {riders[rider].score for rider in ranked if rides[rider].energy is None}
    decisions = {}
    for above, own in pairwise(ranked):
        ours, theirs = riders[own], riders[above]
        chain: list[tuple[Criterion, int | None, int | None, int | None]] = [
            (Criterion.SCORE, None, ours.score, theirs.score)
        ]
        if ours.score not in energy_unknown:
            chain.append((Criterion.ENERGY, None, rides[own].energy, rides[above].energy))
        for latest, (stage, placing, other) in enumerate(zip(stages, ours.placings, theirs.placings, strict=True)):
            chain.append((Criterion.EARLIER_PLACING if latest else Criterion.LATEST_PLACING, stage, placing, other))
        chain.append((Criterion.DRAFT, None, ours.draft, theirs.draft))
        for criterion, stage_or_none, value, against in chain:
            if value != against and value is not None and against is not None:
                decisions[own] = _Decision(by=criterion, against=above, values=(value, against), stage=stage_or_none)
                break
    return decisions


def _below(so_far: RiderSoFar) -> tuple[int, int, bool, int, int]:
    """The order below the ranked: unresolved by draft; then out, latest first, the lapped of a stage first."""
    if so_far.why_out is None:
        return (0, 0, False, 0, so_far.draft)
    return (
        1,
        -so_far.stages_ridden,
        so_far.why_out is not OutReason.LAPPED,
        -(so_far.score if so_far.score is not None else 0),
        so_far.draft,
    )


def _row(
    rider: int,
    above: int | None,
    wearer: int | None,
    before: GeneralClassification,
    day: _Day,
    ride: Ride | None,
    decision: _Decision,
    cap: int,
) -> GcRow:
    """A rider's line."""
    so_far, past = day.riders[rider], before.riders[rider]
    energy = ride.energy if ride is not None and ride.counts else None
    score = gap = gap_to_next = change = None
    if so_far.state is GcState.IN or so_far.why_out is OutReason.LAPPED:
        score = so_far.score
    if so_far.rank is not None and score is not None and wearer is not None:
        gap = (day.riders[wearer].score or 0) - score
        if above is not None:
            gap_to_next = (day.riders[above].score or 0) - score
        if past.rank is not None:
            change = past.rank - so_far.rank
    if so_far.state is GcState.OUT:
        carry: int | None = 0
    else:
        carry = None if energy is None else min(cap, energy)  # GI-D4-01
    return GcRow(
        rider=rider,
        team=so_far.team,
        rank=so_far.rank,
        state=so_far.state,
        score=score,
        score_before=past.score,
        gap=gap,
        gap_to_next=gap_to_next,
        change=change,
        energy=energy,
        carry=carry,
        why_out=so_far.why_out,
        out_after=so_far.out_after,
        parts=day.parts[rider],
        decided_by=decision.by,
        decided_against=decision.against,
        decided_values=decision.values,
        decided_stage=decision.stage,
        days_in_pink=so_far.days_in_pink,
        in_pink=rider == wearer,
    )
