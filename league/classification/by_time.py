"""A stage race: the times of its stages added up, for cyclists and teams, and the points of its races.

Nothing here belongs to a game, and nothing is stored: from the times of the stages (`stage_race`) all three classifications
with every part. Who has no time in a stage, because he retired or was not in it, is out of the general classification.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from league.classification.ranking import competition_ranks
from league.classification.stage_race import StageTimes, TeamTime, TimeRow


class Criterion(StrEnum):
    """What separated a cyclist from the one above."""

    TIME = "time"
    PLACES = "places"  # the smaller sum of places in the stages
    LATEST = "latest"  # the better place in the latest stage


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """A stage as it stands. `number` tells the stages apart and puts them in order."""

    number: int
    times: StageTimes
    provisional: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RiderPart:
    """What a stage brought a cyclist; no row: he was not in it."""

    stage: int
    row: TimeRow | None
    provisional: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RiderRow:
    """A line of the general classification. Without a rank: out of it since the stage `out`."""

    rider: str
    team: str
    rank: int | None
    time: int | None
    gap: int | None
    bonus: int
    points: int
    parts: tuple[RiderPart, ...]
    out: int | None
    decided_by: Criterion | None = None
    decided_against: str | None = None
    decided_values: tuple[int, int] | None = None  # his own and the other's


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamPart:
    """What a stage brought a team; nothing: it was not in it."""

    stage: int
    told: TeamTime | None
    provisional: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamRow:
    """A line of the team classification. Level teams share their rank."""

    team: str
    rank: int | None
    time: int | None
    gap: int | None
    parts: tuple[TeamPart, ...]
    out: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PointsRow:
    """A line of the points classification."""

    rider: str
    team: str
    rank: int
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class General:
    """A stage race after its latest stage."""

    riders: tuple[RiderRow, ...]  # by rank, who is out last
    teams: tuple[TeamRow, ...]
    points: tuple[PointsRow, ...]  # whoever has scored


def count(stages: Sequence[Stage]) -> General:
    """All three classifications. The order of `stages` does not matter."""
    ridden = sorted(stages, key=lambda stage: stage.number)
    riders = _riders(ridden)
    return General(riders=riders, teams=_teams(ridden), points=_points(riders))


def _riders(ridden: Sequence[Stage]) -> tuple[RiderRow, ...]:
    rows = [{row.rider: row for row in stage.times.riders} for stage in ridden]
    team = {row.rider: row.team for stage in rows for row in stage.values()}
    parts = {
        rider: tuple(
            RiderPart(stage=stage.number, row=found.get(rider), provisional=stage.provisional)
            for stage, found in zip(ridden, rows, strict=True)
        )
        for rider in team
    }
    keys: dict[str, tuple[int, int, int]] = {}
    for rider, own in parts.items():
        told = [(part.row.time, part.row.place) for part in own if part.row is not None]
        times = [time for time, _ in told if time is not None]
        places = [place for _, place in told if place is not None]
        if len(times) == len(places) == len(ridden):
            keys[rider] = (sum(times), sum(places), places[-1])
    ranks = competition_ranks(keys.items())
    first = min((key[0] for key in keys.values()), default=0)
    order = sorted(team, key=lambda rider: (rider not in ranks, ranks.get(rider, 0), rider))
    found = []
    for above, rider in zip((None, *order), order, strict=False):
        key, own = keys.get(rider), parts[rider]
        criterion, values = _decided(keys[above], key) if above is not None and key is not None else (None, None)
        found.append(
            RiderRow(
                rider=rider,
                team=team[rider],
                rank=ranks.get(rider),
                time=key[0] if key else None,
                gap=key[0] - first if key else None,
                bonus=sum(part.row.bonus or 0 for part in own if part.row is not None),
                points=sum(part.row.points for part in own if part.row is not None),
                parts=own,
                out=None if key else next(p.stage for p in own if p.row is None or p.row.time is None),
                decided_by=criterion,
                decided_against=above if criterion else None,
                decided_values=values,
            )
        )
    return tuple(found)


def _decided(above: tuple[int, ...], own: tuple[int, ...]) -> tuple[Criterion | None, tuple[int, int] | None]:
    for criterion, other, mine in zip(Criterion, above, own, strict=True):
        if other != mine:
            return criterion, (mine, other)
    return None, None


def _teams(ridden: Sequence[Stage]) -> tuple[TeamRow, ...]:
    rows = [{row.team: row for row in stage.times.teams} for stage in ridden]
    teams = {team for stage in rows for team in stage}
    parts = {
        team: tuple(
            TeamPart(stage=stage.number, told=found.get(team), provisional=stage.provisional)
            for stage, found in zip(ridden, rows, strict=True)
        )
        for team in teams
    }
    times: dict[str, int] = {}
    for team, own in parts.items():
        told = [part.told.time for part in own if part.told is not None and part.told.time is not None]
        if len(told) == len(ridden):
            times[team] = sum(told)
    ranks = competition_ranks(times.items())
    first = min(times.values(), default=0)
    return tuple(
        TeamRow(
            team=team,
            rank=ranks.get(team),
            time=times.get(team),
            gap=times[team] - first if team in times else None,
            parts=parts[team],
            out=None if team in times else next(p.stage for p in parts[team] if p.told is None or p.told.time is None),
        )
        for team in sorted(teams, key=lambda team: (team not in ranks, ranks.get(team, 0), team))
    )


def _points(riders: Sequence[RiderRow]) -> tuple[PointsRow, ...]:
    """More points, then the better place in the general classification; who is out of that shares."""
    scored = [row for row in riders if row.points]
    ranks = competition_ranks((row.rider, (-row.points, row.rank is None, row.rank or 0)) for row in scored)
    return tuple(
        PointsRow(rider=row.rider, team=row.team, rank=ranks[row.rider], points=row.points)
        for row in sorted(scored, key=lambda row: (ranks[row.rider], row.rider))
    )
