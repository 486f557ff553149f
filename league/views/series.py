"""Setting up a points series: rules, entrants, rounds."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from league import divisions
from league import series as of_series
from league.access import round_of, season_of, series_of
from league.campaigns import Faulty
from league.entrants import AS_SHOWN, doubles
from league.errors import Refused
from league.forms.fields import show
from league.forms.series import DivisionsForm, EntrantsForm, NextForm, RoundForm, SeriesForm, setup_in
from league.models import Role
from league.series_table import division_rules, tables_of
from league.stages import next_evening


def confirmed(request: HttpRequest) -> bool:
    """Whether what was asked about is ticked."""
    return "sure" in request.POST


@require_http_methods(["GET", "POST"])
def series_new(request: HttpRequest, club: str, season: str) -> HttpResponse:
    """A series: its name, its game, its points."""
    found = season_of(request, club, season, Role.ORGANISER, to_change=True)
    form = SeriesForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            made = of_series.new_series(found, form.plan())
        except Faulty as refusal:
            show(form, refusal.faults)
        else:
            messages.success(request, _("%(series)s is there. Next: who rides in it.") % {"series": made})
            return redirect(made.url("series_entrants"))
    return render(request, "league/series_form.html", {"form": form}, status=422 if form.errors else 200)


@require_http_methods(["GET", "POST"])
def series_edit(request: HttpRequest, club: str, season: str, series: str) -> HttpResponse:
    """Its rules, and the list of its rounds to be changed."""
    found = series_of(request, club, season, series, Role.ORGANISER, to_change=True)
    form = SeriesForm.of(found, request.POST if request.method == "POST" else None)
    asks: list[Any] = []
    if request.method == "POST" and form.is_valid():
        try:
            changed = of_series.change_series(found, form.plan(), sure=confirmed(request))
        except Faulty as refusal:
            asks = show(form, refusal.faults)
        else:
            messages.success(request, _("%(series)s is written down.") % {"series": changed})
            return redirect(changed.url("series_edit"))
    context = {
        "form": form,
        "asks": asks,
        "series": found,
        "rounds": list(found.rounds.select_related("division")),
        "page": "setup",
    }
    return render(request, "league/series_form.html", context, status=422 if form.errors or asks else 200)


@require_http_methods(["GET", "POST"])
def series_entrants(request: HttpRequest, club: str, season: str, series: str) -> HttpResponse:
    """Who rides in it, with the letters of the sheet; teams or players, and bots."""
    found = series_of(request, club, season, series, Role.ORGANISER, to_change=True)
    entrants = list(found.entrants.select_related(*AS_SHOWN))
    ladder = list(found.divisions.all())
    form = EntrantsForm(
        request.POST if request.method == "POST" else None, series=found, entrants=entrants, divisions=ladder
    )
    if request.method == "POST" and form.is_valid():
        try:
            now = of_series.set_entrants(found, form.plan())
        except Faulty as refusal:
            show(form, refusal.faults)
        else:
            said = ngettext("%(n)s is entered.", "%(n)s are entered.", len(now)) % {"n": len(now)}
            messages.success(request, said)
            return redirect(found.url("series_entrants"))
    context = {
        "form": form, "series": found, "page": "setup",
        "doubles": doubles(entrants), "crowds": divisions.crowds(found) if ladder else [],
    }  # fmt: skip
    return render(request, "league/series_entrants.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "POST"])
def series_divisions(request: HttpRequest, club: str, season: str, series: str) -> HttpResponse:
    """Its divisions: what they are called, and how many go up and down."""
    found = series_of(request, club, season, series, Role.ORGANISER, to_change=True)
    ladder = list(found.divisions.all())
    form = DivisionsForm(request.POST if request.method == "POST" else None, series=found, divisions=ladder)
    if request.method == "POST" and form.is_valid():
        try:
            now = divisions.set_divisions(found, form.plan())
        except Faulty as refusal:
            show(form, refusal.faults)
        else:
            said = ngettext("The series has %(n)s division.", "The series has %(n)s divisions.", len(now)) % {
                "n": len(now)
            }
            messages.success(request, said if now else _("The series has no divisions."))
            return redirect(found.url("series_entrants" if now and not ladder else "series_divisions"))
    context = {"form": form, "series": found, "page": "setup", "crowds": divisions.crowds(found) if ladder else []}
    return render(request, "league/series_divisions.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "POST"])
def series_next(request: HttpRequest, club: str, season: str, series: str) -> HttpResponse:
    """The series that follows, with the movers moved, as the organiser wants it. ?season=ADDRESS: in which it is ridden."""
    found = series_of(request, club, season, series, Role.ORGANISER)
    seasons = divisions.open_seasons(found.season.club)
    if not seasons:
        raise Refused(_("No season of the club is open. Make one first."))
    chosen = next((one for one in seasons if one.slug == request.GET.get("season")), seasons[0])
    proposed = divisions.proposal(tables_of(found), chosen)
    form = NextForm(request.POST if request.method == "POST" else None, proposal=proposed)
    asks: list[Any] = []
    if request.method == "POST" and form.is_valid():
        try:
            made = divisions.next_series(found, chosen, form.plan(), sure=confirmed(request))
        except Faulty as refusal:
            asks = show(form, refusal.faults)
        else:
            messages.success(request, _("%(series)s is there. Next: its rounds.") % {"series": made})
            return redirect(made.url("series_edit"))
    context = {
        "form": form, "asks": asks, "series": found, "seasons": seasons, "chosen": chosen, "page": "next",
        "crowds": [] if asks else proposed.crowds(division_rules(found), {p.entrant.pk: p.to for p in proposed.places}),
    }  # fmt: skip
    return render(request, "league/series_next.html", context, status=422 if form.errors or asks else 200)


@require_http_methods(["GET", "POST"])
def round_new(request: HttpRequest, club: str, season: str, series: str) -> HttpResponse:
    """A round after the last one: when, where, and what is ridden."""
    found = series_of(request, club, season, series, Role.ORGANISER, to_change=True)
    so_far = list(found.rounds.all())
    posted = request.method == "POST"
    setup = setup_in(request.POST, found.game) if posted else so_far[-1].setup if so_far else None
    initial: dict[str, Any] = {
        "number": of_series.next_number(so_far),
        "place": so_far[-1].place if so_far else "",
        "way": so_far[-1].way if so_far else None,
    }
    if proposal := next_evening([r.starts_at for r in so_far], found.season.club.zone):
        initial |= {"day": proposal[0], "time": proposal[1]}
    ladder = list(found.divisions.all())
    form = RoundForm(request.POST if posted else None, series=found, initial=initial, divisions=ladder, is_new=True)
    game = of_series.game_form(found, setup)
    if posted and form.is_valid() and game.is_valid():
        try:
            if form.is_for_each:
                made = of_series.new_rounds(found, form.plan(setup or {}))[0]
            else:
                made = of_series.new_round(found, form.plan(setup or {}))
        except Faulty as refusal:
            show(form, refusal.faults)
        else:
            if form.is_for_each:
                messages.success(request, _("A round of each division is in the calendar."))
                return redirect(found.url("series_edit"))
            messages.success(request, _("%(round)s is in the calendar.") % {"round": made})
            return redirect(made)
    faulty = posted and bool(form.errors or game.errors)
    context = {"form": form, "setup": game, "series": found, "page": "setup"}
    return render(request, "league/round_form.html", context, status=422 if faulty else 200)


@require_http_methods(["GET", "POST"])
def round_edit(request: HttpRequest, club: str, season: str, series: str, number: str) -> HttpResponse:
    """A round as it is planned. With a published result it keeps its number, its course and its options."""
    found = round_of(request, club, season, series, number, Role.ORGANISER, to_change=True)
    posted = request.method == "POST"
    fixed = found.version > 0
    setup = found.setup if fixed or not posted else setup_in(request.POST, found.series.game)
    form = RoundForm.of(found, request.POST if posted else None, list(found.series.divisions.all()))
    game = of_series.game_form(found.series, setup)
    if posted and form.is_valid() and game.is_valid():
        try:
            changed = of_series.change_round(found, form.plan(setup))
        except Faulty as refusal:
            show(form, refusal.faults)
        else:
            messages.success(request, _("%(round)s is written down.") % {"round": changed})
            return redirect(changed)
    faulty = posted and bool(form.errors or game.errors)
    context = {
        "form": form, "setup": game, "series": found.series, "round": found, "fixed": fixed, "page": "setup",
    }  # fmt: skip
    return render(request, "league/round_form.html", context, status=422 if faulty else 200)


@require_POST
def round_remove(request: HttpRequest, club: str, season: str, series: str, number: str) -> HttpResponse:
    """Take a round out of the calendar."""
    found = round_of(request, club, season, series, number, Role.ORGANISER, to_change=True)
    if found.cells and any(found.cells.values()) and not confirmed(request):
        context = {"series": found.series, "round": found, "page": "setup"}
        return render(request, "league/round_remove.html", context, status=422)
    of_series.remove_round(found)
    messages.success(request, _("%(round)s is out of the calendar.") % {"round": found})
    return redirect(found.series.url("series_edit"))


@require_POST
def round_move(request: HttpRequest, club: str, season: str, series: str, number: str) -> HttpResponse:
    """Up or down by one in the order of the rounds."""
    found = round_of(request, club, season, series, number, Role.ORGANISER, to_change=True)
    direction = request.POST.get("move")
    if direction not in ("up", "down"):
        raise Refused(_("Move a round up or down."))
    of_series.move_round(found, up=direction == "up")
    return redirect(found.series.url("series_edit"))
