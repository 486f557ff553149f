"""Times out of a race that has turns and crossings instead of a clock: a stage of a stage race (spec 8.5 of Breaking Away).

Everybody who crosses the finish in the same turn has the same time; each turn later costs seconds, places on the lines save
some. Nothing here is stored: from one result the whole stage.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from league.classification.ranking import competition_ranks


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """What a turn costs, what places save, how many of a team count."""

    turn: int = 30  # seconds
    finish: tuple[int, ...] = (10, 6, 4)  # bonus seconds for 1st, 2nd, 3rd
    sprint: tuple[int, ...] = (3, 2, 1)
    team: int = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Crossing:
    """How a rider came to the finish. `turn`: in which he crossed it, or by a steady pace would have."""

    rider: str
    team: str
    place: int | None  # at the finish, each once; None: retired
    turn: int | None
    points: int = 0  # of the race


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeRow:
    """A rider's line in the result of the stage."""

    rider: str
    team: str
    place: int | None
    gap: int | None  # seconds behind the winner by turns; None: did not finish
    bonus: int | None  # seconds saved
    time: int | None  # gap less bonus: what a stage race adds up
    points: int
    points_rank: int  # for the points jersey: more points, then the better place; who retired shares


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamTime:
    """A team's stage: the gaps of its best riders, without bonus seconds, as in road racing."""

    team: str
    rank: int | None
    time: int | None  # None: too few have not retired
    counted: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StageTimes:
    riders: tuple[TimeRow, ...]  # by place, who retired last
    teams: tuple[TeamTime, ...]  # by rank, those without a time last


def stage_times(
    crossings: Iterable[Crossing], lines: Sequence[Sequence[str]], clock: Clock | None = None
) -> StageTimes:
    """The stage. `lines` are the riders who crossed each line in their order, the finish last; the order of `crossings` does
    not matter. The winner's turn is the lowest.
    """
    clock = clock or Clock()
    told = sorted(crossings, key=lambda one: (one.place is None, one.place or 0, one.rider))
    bonus = _bonus(lines, clock)
    best = min((one.turn for one in told if one.place is not None and one.turn is not None), default=0)
    gaps = {one.rider: clock.turn * (one.turn - best) for one in told if one.place is not None and one.turn is not None}
    points = competition_ranks(
        (one.rider, (-one.points, one.place is None, one.place or 0)) for one in told
    )  # who retired has no place to tell him from another
    rows = tuple(
        TimeRow(
            rider=one.rider,
            team=one.team,
            place=one.place,
            gap=gaps.get(one.rider),
            bonus=bonus[one.rider] if one.rider in gaps else None,
            time=gaps[one.rider] - bonus[one.rider] if one.rider in gaps else None,
            points=one.points,
            points_rank=points[one.rider],
        )
        for one in told
    )
    return StageTimes(riders=rows, teams=_teams(rows, clock))


def _bonus(lines: Sequence[Sequence[str]], clock: Clock) -> defaultdict[str, int]:
    """Seconds saved on all lines."""
    found: defaultdict[str, int] = defaultdict(int)
    for number, crossed in enumerate(lines, start=1):
        for rider, seconds in zip(crossed, clock.finish if number == len(lines) else clock.sprint, strict=False):
            found[rider] += seconds
    return found


def _teams(rows: Sequence[TimeRow], clock: Clock) -> tuple[TeamTime, ...]:
    """The best riders of each team added up; level teams share their rank."""
    own: defaultdict[str, list[TimeRow]] = defaultdict(list)
    for row in rows:
        own[row.team].append(row)
    times: dict[str, int] = {}
    counted: dict[str, tuple[str, ...]] = {}
    for team, riders in own.items():
        gaps = [(row.rider, row.gap) for row in riders if row.gap is not None][: clock.team]
        if len(gaps) == clock.team:
            times[team] = sum(gap for _, gap in gaps)
            counted[team] = tuple(rider for rider, _ in gaps)
    ranks = competition_ranks(times.items())
    return tuple(
        TeamTime(team=team, rank=ranks.get(team), time=times.get(team), counted=counted.get(team, ()))
        for team in sorted(own, key=lambda team: (team not in ranks, ranks.get(team, 0), team))
    )


def crossings_of(
    outcome: Mapping[str, Any], order: Sequence[str] | None = None
) -> tuple[tuple[Crossing, ...], tuple[tuple[str, ...], ...]]:
    """Riders and lines out of the outcome of a race, as `stage_times` takes them: an outcome that tells turns.

    `order`: the ids of the lines, for an outcome out of a database, which does not keep it.
    """
    riders = tuple(
        Crossing(rider=row["id"], team=row["team"], place=row["finish"], turn=row["turn"], points=row["points"])
        for row in outcome["cyclists"]
    )
    return riders, tuple(tuple(outcome["lines"][line]) for line in order or outcome["lines"])
