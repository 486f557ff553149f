"""For the tests of rulings: the tables of a campaign as they are stored, and what a change says of them."""

from typing import Any

from league import rulings
from league.changes import Changes
from league.loading import load
from league.models import Campaign, SeasonStanding, Standing
from league.models.results import RulingKind
from league.recount import count, rows_of
from tests.evening import Evening

Row = tuple[str, str | None, int]  # table, number of the stage, whose
FIGURES = {
    "gc": ("rank", "state", "why_out", "score", "gap", "energy", "carry", "days_in_pink"),
    "stage": ("rank", "status", "turn", "result", "behind", "bonuses", "move", "energy", "counts"),
    "teams": ("rank", "state", "total", "gap", "stage_value"),
    "season_teams": ("rank", "points", "gap", "wins"),
    "season_players": ("rank", "points", "gap", "wins"),
}


def stored(campaign: Campaign) -> dict[Row, dict[str, Any]]:
    """Every stored row of the campaign and of its season, counted now, with the figures that people see."""
    count(campaign.pk)
    found: dict[Row, dict[str, Any]] = {}
    for row in Standing.objects.filter(campaign=campaign).select_related("stage"):
        key = (row.classification, row.stage.number, row.rider_id or row.team_id or 0)
        found[key] = {name: row.rank if name == "rank" else row.facts[name] for name in FIGURES[row.classification]}
    for line in SeasonStanding.objects.filter(season=campaign.season):
        table = f"season_{line.classification}"
        found[table, None, line.team_id or line.player_id or 0] = {name: line.facts[name] for name in FIGURES[table]}
    return found


def said(changes: Changes) -> dict[Row, tuple[dict[str, Any] | None, dict[str, Any] | None]]:
    """What a preview says of each row, in the same figures."""

    def figures(table: str, values: dict[str, Any] | None) -> dict[str, Any] | None:
        return None if values is None else {name: values[name] for name in FIGURES[table]}

    return {
        (table.table, table.stage, row.of.who): (figures(table.table, row.before), figures(table.table, row.after))
        for table in changes.tables
        for row in table.rows
    }


def really(before: dict[Row, Any], after: dict[Row, Any]) -> dict[Row, tuple[Any, Any]]:
    """What did change in the stored tables."""
    return {
        key: (before.get(key), after.get(key))
        for key in {*before, *after}
        if before.get(key) != after.get(key)
    }  # fmt: skip


def is_a_fresh_count(campaign: Campaign) -> bool:
    """The stored standings are those of a count from nothing."""
    count(campaign.pk)
    campaign.refresh_from_db()
    kept = ("stage_id", "classification", "position", "rider_id", "team_id", "rank", "state", "value", "gap", "in_pink")
    fresh = [
        tuple(getattr(row, name) for name in kept) for t in load(campaign).classify() for row in rows_of(campaign, t)
    ]
    have = [tuple(getattr(row, name) for name in kept) for row in Standing.objects.filter(campaign=campaign)]
    return sorted(fresh, key=lambda row: row[:3]) == sorted(have, key=lambda row: row[:3])


def proposal(
    evening: Evening,
    number: str,
    kind: RulingKind,
    letter: str,
    *,
    reason: str = "Seen by the whole table.",
    **more: Any,
) -> rulings.Proposal:
    """A ruling on one of the six at a stage."""
    return rulings.Proposal(
        stage=evening.stages[number], kind=kind, rider=evening.riders[letter], reason=reason, **more
    )  # fmt: skip
