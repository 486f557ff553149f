"""What a decision changes: every table of a campaign and of its season before and after, row by row.

A comparison is pure: it counts both sides from values and stores nothing. What is compared is what a page shows of a
row; reasons (why a place was decided) follow from these figures and are not compared. `to_json` is kept with the ruling,
with the names as they were, so that its page tells for good what it did.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Self

from league.classification.giro import AfterStage
from league.classification.season import (
    SeasonPlayerRow,
    SeasonRow,
    SeasonTeamRow,
    StageScore,
    season_players,
    season_teams,
)
from league.loading import Loaded
from league.models import Campaign, Player, Team
from league.recount import TEAM_POINTS, stored_scores

VERSION = 1
GC, STAGE, TEAMS, SEASON_TEAMS, SEASON_PLAYERS = "gc", "stage", "teams", "season_teams", "season_players"

Values = dict[str, Any]
"""The figures of a row by name, fit for JSON."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Name:
    """Whose row it is, called as he was when it was compared. A rider has a bib; a team or a player has none."""

    who: int
    name: str
    bib: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RowChange:
    """A row that differs. None: the table has no such row on that side."""

    of: Name
    before: Values | None
    after: Values | None

    @property
    def differing(self) -> frozenset[str]:
        """The figures that are not the same on both sides."""
        before, after = self.before or {}, self.after or {}
        return frozenset(name for name in {*before, *after} if before.get(name) != after.get(name))


@dataclass(frozen=True, slots=True, kw_only=True)
class TableChange:
    """A table that changes, only with the rows that do. `stage`: the number of the stage it stands after, as text; None
    for a table of the season."""

    table: str
    stage: str | None
    rows: tuple[RowChange, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class WearerChange:
    """The pink jersey after a stage goes to somebody else; None: nobody wears it."""

    stage: str
    before: Name | None
    after: Name | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Missing:
    """Riders who are in after a stage and whose result there is not known, though it was not missing before."""

    stage: str
    riders: tuple[Name, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """All that changes, wearers of the pink jersey first."""

    wearers: tuple[WearerChange, ...] = ()
    missing: tuple[Missing, ...] = ()
    tables: tuple[TableChange, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.tables)

    def to_json(self) -> dict[str, Any]:
        return {
            "version": VERSION,
            "wearers": [
                {"stage": w.stage, "before": _name_json(w.before), "after": _name_json(w.after)} for w in self.wearers
            ],
            "missing": [{"stage": m.stage, "riders": [_name_json(rider) for rider in m.riders]} for m in self.missing],
            "tables": [
                {
                    "table": t.table,
                    "stage": t.stage,
                    "rows": [{"of": _name_json(r.of), "before": r.before, "after": r.after} for r in t.rows],
                }
                for t in self.tables
            ],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """What `to_json` wrote; nothing changed where nothing was kept."""
        return cls(
            wearers=tuple(
                WearerChange(stage=w["stage"], before=_name(w["before"]), after=_name(w["after"]))
                for w in data.get("wearers", ())
            ),
            missing=tuple(
                Missing(stage=m["stage"], riders=tuple(Name(**rider) for rider in m["riders"]))
                for m in data.get("missing", ())
            ),
            tables=tuple(
                TableChange(
                    table=t["table"],
                    stage=t["stage"],
                    rows=tuple(RowChange(of=Name(**r["of"]), before=r["before"], after=r["after"]) for r in t["rows"]),
                )
                for t in data.get("tables", ())
            ),
        )


def _name_json(name: Name | None) -> dict[str, Any] | None:
    return None if name is None else {"who": name.who, "name": name.name, "bib": name.bib}


def _name(data: Mapping[str, Any] | None) -> Name | None:
    return None if data is None else Name(**data)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Season:
    teams: tuple[SeasonTeamRow, ...]
    players: tuple[SeasonPlayerRow, ...]


def compare(campaign: Campaign, before: Loaded, after: Loaded) -> Changes:
    """All tables of the campaign and of its season, counted from both. The number of queries is the same for any field."""
    others = stored_scores(campaign.season, without=campaign)
    old, new = before.classify(), after.classify()
    old_season, new_season = _season(campaign, before, old, others), _season(campaign, after, new, others)
    riders = {pk: Name(who=pk, name=rider.name, bib=rider.bib) for pk, rider in before.riders.items()}
    teams = {team.pk: Name(who=team.pk, name=team.name) for team in Team.objects.filter(season=campaign.season)}
    players = {
        pk: Name(who=pk, name=name)
        for pk, name in Player.objects.filter(club=campaign.season.club_id).values_list("pk", "name")
    }
    numbers = {pk: stage.number for pk, stage in before.stages.items()}

    wearers, missing, tables = [], [], []
    for past, table in zip(old, new, strict=True):  # a decision makes no stage public and takes none back
        stage = numbers[table.stage]
        if past.wearer != table.wearer:
            wearers.append(
                WearerChange(
                    stage=stage,
                    before=riders[past.wearer] if past.wearer else None,
                    after=riders[table.wearer] if table.wearer else None,
                )
            )
        fresh = [rider for rider in table.missing if rider not in past.missing]
        if fresh:
            missing.append(Missing(stage=stage, riders=tuple(riders[rider] for rider in fresh)))
        tables += [
            _table(GC, stage, past.gc, table.gc, lambda row: riders[row.rider], _gc),
            _table(STAGE, stage, past.result, table.result, lambda row: riders[row.rider], _result),
            _table(TEAMS, stage, past.teams, table.teams, lambda row: teams[row.team], _team),
        ]
    tables += [
        _table(SEASON_TEAMS, None, old_season.teams, new_season.teams, lambda row: teams[row.team], _points),
        _table(SEASON_PLAYERS, None, old_season.players, new_season.players, lambda row: players[row.player], _points),
    ]
    return Changes(wearers=tuple(wearers), missing=tuple(missing), tables=tuple(t for t in tables if t.rows))


def _season(campaign: Campaign, loaded: Loaded, tables: Iterable[AfterStage], others: Iterable[StageScore]) -> _Season:
    """The season's tables with this campaign's placings beside the stored ones of its others."""
    ridden_for = {(sheet.stage, line.rider): line.team for sheet in loaded.sheets for line in sheet.lines}
    scores = list(others)
    for table in tables:
        for row in table.result:
            player = loaded.riders[row.rider].player
            scores.append(
                StageScore(
                    stage=table.stage,
                    rider=row.rider,
                    place=row.place,
                    team=ridden_for.get((table.stage, row.rider)),
                    player=player.merged_into_id or player.pk,
                )
            )
    points = campaign.season.team_points or TEAM_POINTS
    return _Season(teams=season_teams(scores, points), players=season_players(scores, points))


def _table(
    table: str,
    stage: str | None,
    before: Iterable[Any],
    after: Iterable[Any],
    name: Callable[[Any], Name],
    values: Callable[[Any], Values],
) -> TableChange:
    """The rows of two standings that differ, in the order of the new one; rows that vanish come last."""
    old = {name(row): values(row) for row in before}
    new = {name(row): values(row) for row in after}
    rows = tuple(
        RowChange(of=of, before=old.get(of), after=new.get(of))
        for of in [*new, *(of for of in old if of not in new)]
        if old.get(of) != new.get(of)
    )
    return TableChange(table=table, stage=stage, rows=rows)


def _gc(row: Any) -> Values:
    return {
        "rank": row.rank,
        "state": row.state.value,
        "why_out": row.why_out.value if row.why_out else None,
        "pink": row.in_pink,
        "score": row.score,
        "gap": row.gap,
        "energy": row.energy,
        "carry": row.carry,
        "days_in_pink": row.days_in_pink,
    }


def _result(row: Any) -> Values:
    return {
        "rank": row.place,
        "status": row.status.value,
        "turn": row.turn,
        "result": row.result,
        "behind": row.behind,
        "bonuses": row.bonuses,
        "move": row.move,
        "energy": row.energy,
        "counts": row.counts,
    }


def _team(row: Any) -> Values:
    return {
        "rank": row.rank,
        "state": row.state.value,
        "total": row.total,
        "gap": row.gap,
        "stage_value": row.stage_value,
    }


def _points(row: SeasonRow) -> Values:
    return {"rank": row.rank, "points": row.points, "gap": row.gap, "wins": row.wins}
