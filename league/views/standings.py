"""The public pages of a campaign: its front page, the general classification, teams, stages, and what others embed."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from league.access import campaign_of, stage_of
from league.models import Campaign, Standing


def latest(campaign: Campaign, classification: str) -> list[Standing]:
    """The rows of a classification after the latest stage that was counted."""
    rows = Standing.objects.filter(campaign=campaign, classification=classification)
    last = rows.order_by("-stage__order").values_list("stage", flat=True).first()
    return list(rows.filter(stage=last).select_related("rider", "team", "stage"))


def table(request: HttpRequest, club: str, season: str, campaign: str, name: str) -> HttpResponse:
    found = campaign_of(request, club, season, campaign)
    return render(request, f"league/{name}.html", {"rows": latest(found, name), "tab": name})


@require_safe
def campaign(request: HttpRequest, club: str, season: str, campaign: str) -> HttpResponse:
    """The campaign's front page."""
    found = campaign_of(request, club, season, campaign)
    context = {"stages": found.stages.select_related("sheet"), "rows": latest(found, Standing.GC), "tab": "campaign"}
    return render(request, "league/campaign.html", context)


@require_safe
def gc(request: HttpRequest, club: str, season: str, campaign: str) -> HttpResponse:
    """The general classification."""
    return table(request, club, season, campaign, Standing.GC)


@require_safe
def gc_embed(request: HttpRequest, club: str, season: str, campaign: str) -> HttpResponse:
    """The general classification for other sites."""
    return table(request, club, season, campaign, Standing.GC)


@require_safe
def teams(request: HttpRequest, club: str, season: str, campaign: str) -> HttpResponse:
    """The team classification."""
    return table(request, club, season, campaign, Standing.TEAMS)


@require_safe
def teams_embed(request: HttpRequest, club: str, season: str, campaign: str) -> HttpResponse:
    """The team classification for other sites."""
    return table(request, club, season, campaign, Standing.TEAMS)


@require_safe
def stage(request: HttpRequest, club: str, season: str, campaign: str, number: str) -> HttpResponse:
    """A stage: its result, or what is to come."""
    found = stage_of(request, club, season, campaign, number)
    rows = found.standings.filter(classification=Standing.STAGE).select_related("rider", "team")
    return render(request, "league/stage.html", {"stage": found, "rows": rows})
