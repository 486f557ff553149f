"""Opening a stage as a race."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from league import racing
from league.access import stage_of
from league.campaigns import Faulty
from league.forms.racing import StageRaceForm
from league.models import Role
from league.views.signed_on import me


@never_cache
@require_http_methods(["GET", "POST"])
def stage_race(request: HttpRequest, club: str, season: str, campaign: str, number: str) -> HttpResponse:
    """The organiser makes a race of the stage: on the site or at the table, and who rides for whom."""
    stage = stage_of(request, club, season, campaign, number, Role.ORGANISER, to_change=True)
    if request.method != "POST" and (found := racing.race_of(stage)):
        return redirect(found.race)
    start = racing.start_of(stage)
    form = StageRaceForm(request.POST if request.method == "POST" else None, start=start)
    if request.method == "POST" and form.is_valid():
        try:
            opened = racing.open_race(stage, me(request), **form.told())
        except Faulty as refusal:
            for fault in refusal.faults:
                form.add_error(None, fault.message)
        else:
            messages.success(request, _("The race is open. Send its link to whoever has no seat yet."))
            return redirect(opened.race)
    context = {"stage": stage, "start": start, "form": form, "tab": "stage"}
    return render(request, "league/stage_race.html", context, status=422 if form.errors else 200)
