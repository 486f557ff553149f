"""The evenings of a campaign: the calendar, its feed, and the sheet that lies on the table tonight."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from league.access import campaign_of, stage_of


@require_safe
def calendar(request: HttpRequest, club: str, season: str, campaign: str) -> HttpResponse:
    found = campaign_of(request, club, season, campaign)
    return HttpResponse(found.name)


@require_safe
def calendar_ics(request: HttpRequest, club: str, season: str, campaign: str) -> HttpResponse:
    found = campaign_of(request, club, season, campaign)
    return HttpResponse(found.name)


@require_safe
def tonight(request: HttpRequest, club: str, season: str, campaign: str, number: str) -> HttpResponse:
    stage = stage_of(request, club, season, campaign, number)
    return HttpResponse(str(stage))
