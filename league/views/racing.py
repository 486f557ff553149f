"""A stage as a race: opening it, and taking its result over once more."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from league import racing
from league.access import stage_of
from league.campaigns import Faulty
from league.errors import Refused
from league.forms.racing import StageRaceForm
from league.models import Role, Stage
from league.views.signed_on import me


@never_cache
@require_http_methods(["GET", "POST"])
def stage_race(request: HttpRequest, club: str, season: str, campaign: str, number: str) -> HttpResponse:
    """The organiser makes a race of the stage: on the site or at the table, and who rides for whom."""
    stage = stage_of(request, club, season, campaign, number, Role.ORGANISER, to_change=True)
    if request.method == "POST" and "again" in request.POST:
        return take_over(request, stage)
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


def take_over(request: HttpRequest, stage: Stage) -> HttpResponse:
    """Bring the result of the stage's race onto its sheet once more; what was typed by hand since stays beside it."""
    found = racing.race_of(stage)
    if found is None or not found.race.is_over:
        raise Refused(_("Stage %(number)s has no race that has ended.") % {"number": stage.number})
    version = racing.settle(found.race_id, again=True)
    if version is not None:
        messages.success(request, _("The result of the race is public, and provisional."))
    return redirect(stage)
