"""From facts to stored standings. Whatever changes a fact calls `touch` in its transaction; the count follows after the commit.

A count is a pure function of what is stored, made under the campaign's row lock: running it twice, late, or out of
order gives the same tables. A count that fails keeps the old numbers.
"""

import dataclasses
import logging
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from league.classification.giro import AfterStage
from league.classification.season import StageScore, season_players, season_teams
from league.loading import load
from league.models import Campaign, Result, Season, SeasonStanding, Standing
from league.models.results import SheetState

log = logging.getLogger(__name__)
TEAM_POINTS = (10, 8, 6, 5, 4, 3, 2, 1)  # a season's default: points for the first, second ... of a stage


def touch(campaign: Campaign) -> None:
    """Say that the campaign's facts have changed. Inside the transaction that changes them."""
    from league.tasks import recount  # leaf: the task calls this module

    assert transaction.get_connection().in_atomic_block, "touch belongs into the transaction of the change"
    Campaign.objects.filter(pk=campaign.pk).update(revision=F("revision") + 1, changed_at=timezone.now())
    # robust: with the queue out of reach the result is stored all the same, and the sweep finds it
    transaction.on_commit(lambda: recount.delay(campaign.pk), robust=True)


def touch_season(season: Season) -> None:
    """The same for every campaign of a season (its points, its players or teams have changed)."""
    for campaign in season.campaigns.all():
        touch(campaign)


def count(campaign_id: int) -> bool:
    """Count the campaign's tables and its season's if they are not those of the present facts; whether there was anything to do."""
    try:
        return _count(campaign_id)
    except Exception as fault:
        log.exception("Counting campaign %s failed; its old tables stand.", campaign_id)
        Campaign.objects.filter(pk=campaign_id).update(count_error=f"{type(fault).__name__}: {fault}")
        raise


def _count(campaign_id: int) -> bool:
    with transaction.atomic():
        campaign = Campaign.objects.select_for_update().filter(pk=campaign_id).first()
        if campaign is None or campaign.is_counted:
            return False
        tables = load(campaign).classify()
        Standing.objects.filter(campaign=campaign).delete()
        Standing.objects.bulk_create(row for table in tables for row in rows_of(campaign, table))
        count_season(Season.objects.select_for_update().get(pk=campaign.season_id))
        campaign.counted_revision = campaign.revision
        campaign.counted_at = timezone.now()
        campaign.count_error = ""
        campaign.save(update_fields=["counted_revision", "counted_at", "count_error"])
    return True


def rows_of(campaign: Campaign, table: AfterStage) -> list[Standing]:
    """The stored rows of all tables after one stage."""

    def row(classification: str, position: int, facts: Any, **values: Any) -> Standing:
        return Standing(
            campaign=campaign,
            stage_id=table.stage,
            classification=classification,
            position=position,
            team_id=facts.team,
            facts=dataclasses.asdict(facts),
            **values,
        )

    rows = [
        row(
            Standing.GC, n, r, rider_id=r.rider, rank=r.rank, state=r.state, value=r.score, gap=r.gap, in_pink=r.in_pink
        )
        for n, r in enumerate(table.gc)
    ]
    rows += [
        row(Standing.STAGE, n, r, rider_id=r.rider, rank=r.place, state=r.status, value=r.result, gap=r.behind)
        for n, r in enumerate(table.result)
    ]
    rows += [
        row(Standing.TEAMS, n, r, rank=r.rank, state=r.state, value=r.total, gap=r.gap)
        for n, r in enumerate(table.teams)
    ]
    return rows


def count_season(season: Season) -> None:
    """The season's tables of teams and players, from the stored placings of every public stage."""
    scores = stored_scores(season)
    points = season.team_points or TEAM_POINTS
    SeasonStanding.objects.filter(season=season).delete()
    SeasonStanding.objects.bulk_create(
        [
            SeasonStanding(
                season=season, classification=SeasonStanding.TEAMS, position=n, team_id=r.team,
                rank=r.rank, points=r.points, gap=r.gap, facts=dataclasses.asdict(r),
            )
            for n, r in enumerate(season_teams(scores, points))
        ]
        + [
            SeasonStanding(
                season=season, classification=SeasonStanding.PLAYERS, position=n, player_id=r.player,
                rank=r.rank, points=r.points, gap=r.gap, facts=dataclasses.asdict(r),
            )
            for n, r in enumerate(season_players(scores, points))
        ]
    )  # fmt: skip


def stored_scores(season: Season, *, without: Campaign | None = None) -> list[StageScore]:
    """The stored placings of a season's public stages, of all its campaigns or of the others."""
    results = Result.objects.filter(sheet__stage__campaign__season=season).exclude(sheet__state=SheetState.DRAFT)
    placings = Standing.objects.filter(campaign__season=season, classification=Standing.STAGE)
    if without is not None:
        results = results.exclude(sheet__stage__campaign=without)
        placings = placings.exclude(campaign=without)
    teams = {(r.sheet.stage_id, r.rider_id): r.team_id for r in results.select_related("sheet")}
    scores = []
    for row in placings.select_related("rider__player"):
        assert row.rider is not None
        scores.append(
            StageScore(
                stage=row.stage_id,
                rider=row.rider.pk,
                place=row.rank,
                team=teams.get((row.stage_id, row.rider.pk)),
                player=row.rider.player.merged_into_id or row.rider.player_id,
            )
        )
    return scores
