"""Setting up a campaign: its options, its start list, its stages."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_http_methods, require_POST

from league.access import campaign_of, season_of, stage_of
from league.models import Role


@require_http_methods(["GET", "POST"])
def campaign_new(request: HttpRequest, club: str, season: str) -> HttpResponse:
    found = season_of(request, club, season, Role.ORGANISER, to_change=True)
    return HttpResponse(found.name)


@require_http_methods(["GET", "POST"])
def campaign_edit(request: HttpRequest, club: str, season: str, campaign: str) -> HttpResponse:
    found = campaign_of(request, club, season, campaign, Role.ORGANISER, to_change=True)
    return HttpResponse(found.name)


@require_http_methods(["GET", "POST"])
def startlist(request: HttpRequest, club: str, season: str, campaign: str) -> HttpResponse:
    found = campaign_of(request, club, season, campaign, Role.ORGANISER, to_change=True)
    return HttpResponse(found.name)


@require_http_methods(["GET", "POST"])
def stage_new(request: HttpRequest, club: str, season: str, campaign: str) -> HttpResponse:
    found = campaign_of(request, club, season, campaign, Role.ORGANISER, to_change=True)
    return HttpResponse(found.name)


@require_http_methods(["GET", "POST"])
def stage_edit(request: HttpRequest, club: str, season: str, campaign: str, number: str) -> HttpResponse:
    stage = stage_of(request, club, season, campaign, number, Role.ORGANISER, to_change=True)
    return HttpResponse(str(stage))


@require_POST
def stage_remove(request: HttpRequest, club: str, season: str, campaign: str, number: str) -> HttpResponse:
    stage = stage_of(request, club, season, campaign, number, Role.ORGANISER, to_change=True)
    return HttpResponse(str(stage), status=202)


@require_POST
def stage_move(request: HttpRequest, club: str, season: str, campaign: str, number: str) -> HttpResponse:
    stage = stage_of(request, club, season, campaign, number, Role.ORGANISER, to_change=True)
    return HttpResponse(str(stage), status=202)
