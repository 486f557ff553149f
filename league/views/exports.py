"""The tables of a campaign as files."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from league.access import campaign_of, stage_of
from league.export import as_csv, as_json
from league.models import Campaign, Standing
from league.views.standings import latest

KEYS = ("place", "name", "value", "gap")


def answer(campaign: Campaign, rows: list[Standing], name: str, fmt: str) -> HttpResponse:
    lines = [{"place": r.rank, "name": str(r.rider or r.team), "value": r.value, "gap": r.gap} for r in rows]
    name = f"{campaign.slug}-{name}"
    if fmt == "csv":
        return as_csv(name, KEYS, lines)
    return as_json(name, {"campaign": campaign.name, "rows": lines})


@require_safe
def gc(request: HttpRequest, club: str, season: str, campaign: str, fmt: str) -> HttpResponse:
    """The general classification."""
    found = campaign_of(request, club, season, campaign)
    return answer(found, latest(found, Standing.GC), "gc", fmt)


@require_safe
def gaps(request: HttpRequest, club: str, season: str, campaign: str, fmt: str) -> HttpResponse:
    """The gaps after every stage."""
    found = campaign_of(request, club, season, campaign)
    rows = Standing.objects.filter(campaign=found, classification=Standing.GC).select_related("rider")
    return answer(found, list(rows.order_by("stage__order", "position")), "gaps", fmt)


@require_safe
def teams(request: HttpRequest, club: str, season: str, campaign: str, fmt: str) -> HttpResponse:
    """The team classification."""
    found = campaign_of(request, club, season, campaign)
    return answer(found, latest(found, Standing.TEAMS), "teams", fmt)


@require_safe
def stage(request: HttpRequest, club: str, season: str, campaign: str, number: str, fmt: str) -> HttpResponse:
    """The result of a stage."""
    found = stage_of(request, club, season, campaign, number)
    rows = found.standings.filter(classification=Standing.STAGE).select_related("rider")
    return answer(found.campaign, list(rows), f"stage-{found.number}", fmt)
