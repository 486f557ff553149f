"""The team classification of a Giro: turns of each team's best riders, the lowest sum leads.

It is the club's own option, not the rulebook's. How many riders count is settled at the start of the Giro; a team
that once brings in fewer is unranked from then on, and keeps what it had.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from league.classification.ranking import competition_ranks
from league.classification.ride import Ride
from league.classification.sheet import Options
from league.classification.standing import TeamCriterion, TeamRow, TeamState

COUNTED_AT_MOST = 3  # riders of a team and stage, where the club does not say otherwise


def riders_that_count(start_teams: Iterable[int | None], options: Options) -> int:
    """How many riders of a team count per stage; `start_teams` has the team of each starter of the Giro."""
    if options.team_count is not None:
        return options.team_count
    sizes = Counter(team for team in start_teams if team is not None)
    return min([COUNTED_AT_MOST, *sizes.values()])


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamSoFar:
    """What the next stage must know of a team."""

    team: int
    total: int = 0  # turns of the stages in which it was ranked
    placings: int = 0  # sum of the placings of those who counted
    best_placing: int | None = None  # None: no stage counted yet
    unresolved: bool = False
    unranked_since: int | None = None

    @property
    def state(self) -> TeamState:
        """Where it stands."""
        if self.unranked_since is not None:
            return TeamState.UNRANKED
        return TeamState.UNRESOLVED if self.unresolved else TeamState.IN

    @property
    def chain(self) -> tuple[tuple[TeamCriterion, int], ...]:
        """What ranks it, in this order: lower is better throughout."""
        return (
            (TeamCriterion.TOTAL, self.total),
            (TeamCriterion.PLACINGS, self.placings),
            (TeamCriterion.BEST_PLACING, self.best_placing or 0),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamClassification:
    """The teams after some stages, and the rows that say so."""

    count: int  # riders that count
    teams: Mapping[int, TeamSoFar]
    first_stage: int
    ranks: Mapping[int, int] = field(default_factory=dict)
    rows: tuple[TeamRow, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _TeamDay:
    """A team's stage: who came in, who counts, whose result is missing."""

    finishers: int
    waiting: int
    counted: tuple[Ride, ...]
    value: int | None


def next_team_classification(
    before: TeamClassification, stage: int, rides: Mapping[int, Ride], jersey_order: Mapping[int, tuple[int, int]]
) -> TeamClassification:
    """The team standing after a stage.

    A team seen first after the first stage brought nobody in there: it is unranked from the start. While a result
    of a team is missing its total is not known; when the missing ones could no longer make up the number, it is
    unranked at once.
    """
    teams: dict[int, TeamSoFar] = {}
    days: dict[int, _TeamDay] = {}
    riders: defaultdict[int, list[Ride]] = defaultdict(list)
    for ride in rides.values():
        if ride.team is not None and ride.counts:
            riders[ride.team].append(ride)
    for team in before.teams.keys() | riders.keys():
        so_far = before.teams.get(team) or TeamSoFar(
            team=team, unranked_since=before.first_stage if before.rows else None
        )
        days[team] = _team_day(riders.get(team, ()), before.count)
        teams[team] = _added(so_far, stage, days[team], before.count)

    ranks = competition_ranks(
        (team, tuple(value for _, value in so_far.chain))
        for team, so_far in teams.items()
        if so_far.state is TeamState.IN
    )
    after = replace(before, teams=teams, ranks=ranks)
    order = sorted(
        teams.values(),
        key=lambda so_far: (_group(so_far), ranks.get(so_far.team, 0), jersey_order[so_far.team], so_far.team),
    )
    rows = tuple(
        _team_row(so_far, order[index - 1] if index else None, order[0], before, after, days[so_far.team])
        for index, so_far in enumerate(order)
    )
    return replace(after, rows=rows)


def stand_still(before: TeamClassification) -> TeamClassification:
    """The team standing after a stage that left nobody: the one before it. Rules: GI-D1-08."""
    rows = tuple(
        replace(row, stage_value=None, counted=(), finishers=0, change=None if row.rank is None else 0)
        for row in before.rows
    )
    return replace(before, rows=rows)


def _team_day(riders: Sequence[Ride], count: int) -> _TeamDay:
    """The best `count` finishers by result, then placing; a rider lapped after the stage came in, one out did not."""
    finishers = [ride for ride in riders if ride.finished]
    waiting = sum(ride.unresolved for ride in riders)
    if waiting or len(finishers) < count:
        return _TeamDay(finishers=len(finishers), waiting=waiting, counted=(), value=None)
    best = sorted(finishers, key=_by_result)[:count]
    value = sum(ride.placed.result for ride in best if ride.placed is not None)
    return _TeamDay(finishers=len(finishers), waiting=0, counted=tuple(best), value=value)


def _by_result(ride: Ride) -> tuple[int, int, int]:
    """Finishers of a team, best first."""
    assert ride.placed is not None
    return (ride.placed.result, ride.placed.crossed, ride.draft)


def _added(so_far: TeamSoFar, stage: int, day: _TeamDay, count: int) -> TeamSoFar:
    """A team with the stage added."""
    if so_far.unranked_since is not None:
        return so_far
    if day.finishers + day.waiting < count:
        return replace(so_far, unranked_since=stage)
    if day.value is None or so_far.unresolved:
        return replace(so_far, unresolved=True)
    placings = [ride.placed.crossed for ride in day.counted if ride.placed is not None]
    earlier = [] if so_far.best_placing is None else [so_far.best_placing]
    return replace(
        so_far,
        total=so_far.total + day.value,
        placings=so_far.placings + sum(placings),
        best_placing=min(earlier + placings),
    )


def _group(so_far: TeamSoFar) -> int:
    """The order of the rows: ranked, unresolved, unranked; among equals as their jerseys were drafted."""
    return (TeamState.IN, TeamState.UNRESOLVED, TeamState.UNRANKED).index(so_far.state)


def _team_row(
    so_far: TeamSoFar,
    above: TeamSoFar | None,
    leader: TeamSoFar,
    before: TeamClassification,
    after: TeamClassification,
    day: _TeamDay,
) -> TeamRow:
    """A team's line. An unranked team keeps the turns of the stages in which it was ranked."""
    rank, rank_before = after.ranks.get(so_far.team), before.ranks.get(so_far.team)
    decided_by = decided_values = None
    if rank is not None and above is not None:
        for (criterion, own), (_, other) in zip(so_far.chain, above.chain, strict=True):
            if own != other:
                decided_by, decided_values = criterion, (own, other)
                break
    known = so_far.best_placing is not None and so_far.state is not TeamState.UNRESOLVED
    return TeamRow(
        team=so_far.team,
        rank=rank,
        state=so_far.state,
        total=so_far.total if known else None,
        gap=None if rank is None else so_far.total - leader.total,
        stage_value=day.value if so_far.unranked_since is None else None,
        counted=tuple(ride.rider for ride in day.counted) if so_far.unranked_since is None else (),
        finishers=day.finishers,
        count=before.count,
        change=None if rank is None or rank_before is None else rank_before - rank,
        unranked_since=so_far.unranked_since,
        decided_by=decided_by,
        decided_against=above.team if decided_by is not None and above is not None else None,
        decided_values=decided_values,
    )
