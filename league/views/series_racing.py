"""A round as a race: opening it, and taking its result over once more."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from league import series_racing
from league.access import round_of
from league.campaigns import Faulty
from league.errors import Refused
from league.forms.racing import RoundRaceForm
from league.models import Role, Round
from league.views.signed_on import me


@never_cache
@require_http_methods(["GET", "POST"])
def round_race(request: HttpRequest, club: str, season: str, series: str, number: str) -> HttpResponse:
    """The organiser makes a race of the round: on the site or at the table, and who rides for whom."""
    found = round_of(request, club, season, series, number, Role.ORGANISER, to_change=True)
    if request.method == "POST" and "again" in request.POST:
        return take_over(request, found)
    if request.method != "POST" and (there := series_racing.race_of(found)):
        return redirect(there.race)
    form = RoundRaceForm(
        request.POST if request.method == "POST" else None, round_=found, sides=series_racing.start_of(found)
    )
    if request.method == "POST" and form.is_valid():
        try:
            opened = series_racing.open_race(found, me(request), **form.told())
        except Faulty as refusal:
            for fault in refusal.faults:
                form.add_error(None, fault.message)
        else:
            messages.success(request, _("The race is open. Send its link to whoever has no seat yet."))
            return redirect(opened.race)
    context = {"series": found.series, "round": found, "form": form, "page": "round"}
    return render(request, "league/round_race.html", context, status=422 if form.errors else 200)


def take_over(request: HttpRequest, found: Round) -> HttpResponse:
    """Bring the result of the round's race onto its sheet once more, over what was typed since."""
    there = series_racing.race_of(found)
    if there is None or not there.race.is_over:
        raise Refused(_("%(round)s has no race that has ended.") % {"round": found})
    if series_racing.settle(there.race_id, again=True) is not None:
        messages.success(request, _("The result of the race is public, and provisional."))
    return redirect(found)
