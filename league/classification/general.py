"""The general classification: from one standing and one stage to the next standing.

The order is that of the rulebook: all moves of the stage together, then the eliminations, then the ranks.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
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
    ranked: tuple[int, ...] = ()  # riders, best first: no two share a rank
    days_in_pink: Mapping[int, int] = field(default_factory=dict)  # of those who ever wore it
    rows: tuple[GcRow, ...] = ()
    ended: bool = False

    @property
    def wearer(self) -> int | None:
        """Who wears pink. Rules: GI-D1-07."""
        return self.ranked[0] if self.ranked else None

    @property
    def still_in(self) -> frozenset[int]:
        """The riders who start in the next stage."""
        if self.ended:
            return frozenset()
        return frozenset(rider for rider, so_far in self.riders.items() if so_far.why_out is None)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Decision:
    """What put a rider below the one above him."""

    by: Criterion
    against: int
    values: tuple[int, int]
    stage: int | None  # whose placing, when a placing did


@dataclass(slots=True, kw_only=True)
class _Day:
    """A stage in the working: the riders after it, and their reasons."""

    before: GeneralClassification
    rides: Mapping[int, Ride]
    cap: int  # energy that a rider can take along
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
    ranked = tuple(_ranked(day.riders, rides))
    days_in_pink = Counter(before.days_in_pink)
    days_in_pink.update(ranked[:1])
    after = GeneralClassification(
        riders=day.riders,
        stages=(sheet.stage, *before.stages),
        ranked=ranked,
        days_in_pink=days_in_pink,
        ended=all(so_far.why_out is not None for so_far in day.riders.values()),
    )
    return replace(after, rows=tuple(_rows(after, day)))


def _moved(before: GeneralClassification, sheet: StageSheet, rides: Mapping[int, Ride], options: Options) -> _Day:
    """Everybody's move, all together, and who is out by status or time limit. Rules: GI-D1-01, GI-D1-03, GI-D1-05."""
    day = _Day(before=before, rides=rides, cap=options.cap(sheet.kind))
    for rider, so_far in before.riders.items():
        if so_far.why_out is not None:
            day.riders[rider], day.parts[rider] = so_far, ()
            continue
        ride = rides[rider]
        day.parts[rider] = parts(ride, sheet, options)
        is_out = ride.verdict.status in OUT
        score, placings = so_far.score, so_far.placings
        if ride.finished and ride.placed is not None:
            placings = (ride.placed.crossed, *placings)
            if score is not None:
                score += sum(part.amount for part in day.parts[rider])
        elif not is_out:
            score = None
        day.riders[rider] = RiderSoFar(
            rider=rider,
            draft=so_far.draft,
            team=ride.team,
            score=score,
            placings=placings,
            why_out=OutReason(ride.verdict.status) if is_out else None,
            out_after=sheet.stage if is_out else None,
            stages_ridden=so_far.stages_ridden + 1,
        )
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


def _decisions(after: GeneralClassification, rides: Mapping[int, Ride]) -> dict[int, _Decision]:
    """For each rider but the first, the criterion that put him below the one above. Rules: GI-D1-06."""
    ranked, riders, stages = after.ranked, after.riders, after.stages
    energy_unknown = {riders[rider].score for rider in ranked if rides[rider].energy is None}
    decisions = {}
    for above, own in pairwise(ranked):
        ours, theirs = riders[own], riders[above]
        for criterion, stage, value, other in _chain(ours, theirs, rides, stages, ours.score not in energy_unknown):
            if value is not None and other is not None and value != other:
                decisions[own] = _Decision(by=criterion, against=above, values=(value, other), stage=stage)
                break
    return decisions


def _chain(
    ours: RiderSoFar, theirs: RiderSoFar, rides: Mapping[int, Ride], stages: Sequence[int], energy_counts: bool
) -> Iterator[tuple[Criterion, int | None, int | None, int | None]]:
    """The criteria in their order: which, of what stage if it is a placing, own value, the other's. Rules: GI-D1-06."""
    yield Criterion.SCORE, None, ours.score, theirs.score
    if energy_counts:
        yield Criterion.ENERGY, None, rides[ours.rider].energy, rides[theirs.rider].energy
    criterion = Criterion.LATEST_PLACING
    for stage, placing, other in zip(stages, ours.placings, theirs.placings, strict=True):
        yield criterion, stage, placing, other
        criterion = Criterion.EARLIER_PLACING
    yield Criterion.DRAFT, None, ours.draft, theirs.draft


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


def _rows(after: GeneralClassification, day: _Day) -> Iterator[GcRow]:
    """Everybody's line: the ranked, the unresolved, the out."""
    ranks_before = {rider: rank for rank, rider in enumerate(day.before.ranked, start=1)}
    decisions = _decisions(after, day.rides)
    above: int | None = None
    for rank, rider in enumerate(after.ranked, start=1):
        change = ranks_before[rider] - rank if rider in ranks_before else None
        yield _row(rider, rank, above, change, after, day, decisions.get(rider))
        above = rider
    for rider in sorted(after.riders.keys() - set(after.ranked), key=lambda rider: _below(after.riders[rider])):
        yield _row(rider, None, None, None, after, day, None)


def _row(
    rider: int,
    rank: int | None,
    above: int | None,
    change: int | None,
    after: GeneralClassification,
    day: _Day,
    decision: _Decision | None,
) -> GcRow:
    """A rider's line."""
    ride = day.rides.get(rider)
    so_far, state = after.riders[rider], after.riders[rider].state
    score = so_far.score if state is GcState.IN or so_far.why_out is OutReason.LAPPED else None
    energy = ride.energy if ride is not None and ride.counts else None
    carry = None if energy is None else min(day.cap, energy)  # GI-D4-01
    return GcRow(
        rider=rider,
        team=so_far.team,
        rank=rank,
        state=state,
        score=score,
        score_before=day.before.riders[rider].score,
        gap=None if rank is None else _behind(rider, after.ranked[0], after),
        gap_to_next=None if above is None else _behind(rider, above, after),
        change=change,
        energy=energy,
        carry=0 if state is GcState.OUT else carry,
        why_out=so_far.why_out,
        out_after=so_far.out_after,
        parts=day.parts[rider],
        decided_by=decision.by if decision else None,
        decided_against=decision.against if decision else None,
        decided_values=decision.values if decision else None,
        decided_stage=decision.stage if decision else None,
        days_in_pink=after.days_in_pink.get(rider, 0),
        in_pink=rank == 1,
    )


def _behind(rider: int, other: int, after: GeneralClassification) -> int:
    """Squares from a ranked rider up to another."""
    own, ahead = after.riders[rider].score, after.riders[other].score
    assert own is not None, "a ranked rider has a score"
    assert ahead is not None, "a ranked rider has a score"
    return ahead - own
