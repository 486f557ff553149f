"""The clock of a race, pauses, who is away and who is back, and how people are told that it is their move."""

from collections.abc import Callable
from datetime import timedelta
from http import HTTPStatus
from typing import cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from races import clocks, notices
from races.access import led_by, race_for
from races.clock_forms import AwayForm, ClockForm, PauseForm, ReachForm
from races.errors import Refused
from races.models import Race, Vacation


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def clock(request: HttpRequest, key: str) -> HttpResponse:
    """The clock of a race, for who leads it."""
    viewer = led_by(request, key)
    race = viewer.race
    form = ClockForm(request.POST if request.method == "POST" else None, game=race.game, clock=clocks.clock_of(race))
    if form.is_valid():
        try:
            clocks.set_clock(race, form.values, by=cast(User, request.user))
        except Refused as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("The clock is set.") if form.values else _("The race has no clock."))
            return redirect(race)
    status = HTTPStatus.UNPROCESSABLE_ENTITY if form.errors else HTTPStatus.OK
    return render(request, "races/clock.html", {"race": race, "viewer": viewer, "form": form}, status=status)


@require_POST
def pause(request: HttpRequest, key: str) -> HttpResponse:
    """All clocks of the race stand."""
    viewer = led_by(request, key)
    form = PauseForm(request.POST)
    reason = form.cleaned_data["reason"] if form.is_valid() else ""
    return _done(request, viewer.race, lambda user: clocks.pause(viewer.race.pk, reason=reason, by=user))


@require_POST
def resume(request: HttpRequest, key: str) -> HttpResponse:
    """They go on."""
    viewer = led_by(request, key)
    return _done(request, viewer.race, lambda user: clocks.resume(viewer.race.pk, by=user))


@login_required  # seats are kept for accounts
@require_POST
def back(request: HttpRequest, key: str) -> HttpResponse:
    """Somebody takes his seat again from the bot that kept it for him."""
    viewer = race_for(request, key)
    return _done(request, viewer.race, lambda user: clocks.come_back(viewer.race.pk, user))


def _done(request: HttpRequest, race: Race, what: Callable[[User], object]) -> HttpResponse:
    try:
        what(cast(User, request.user))
    except Refused as refusal:
        messages.error(request, str(refusal))
    return redirect(race)


# ---- one's own settings ----------------------------------------------------------------------------------------------
@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def reach(request: HttpRequest) -> HttpResponse:
    """How somebody is told that it is his move, and when he is away."""
    user = cast(User, request.user)
    mine = notices.reach_of(user)
    form = ReachForm(request.POST if request.method == "POST" else None, instance=mine)
    if form.is_valid():
        form.save()
        messages.success(request, _("Saved."))
        return redirect("races:reach")
    return _settings(request, form, AwayForm(initial=_today(user)))


@login_required
@require_POST
def away(request: HttpRequest) -> HttpResponse:
    """From the first to the last of these days his clocks stand."""
    user = cast(User, request.user)
    form = AwayForm(request.POST)
    if form.is_valid():
        zone = notices.reach_of(user).zone
        begins = clocks.midnight(form.cleaned_data["first"], zone)
        ends = clocks.midnight(form.cleaned_data["last"] + timedelta(days=1), zone)
        try:
            clocks.go_away(user, begins, ends)
        except Refused as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("Your clocks stand on these days."))
            return redirect("races:reach")
    return _settings(request, ReachForm(instance=notices.reach_of(user)), form)


@login_required
@require_POST
def home(request: HttpRequest, pk: int) -> HttpResponse:
    """Back early, or not away after all."""
    vacation = Vacation.objects.filter(pk=pk, user=cast(User, request.user)).first()
    try:
        if vacation is not None:  # a second click finds it gone
            clocks.come_home(vacation)
    except Refused as refusal:
        messages.error(request, str(refusal))
    return redirect("races:reach")


def _today(user: User) -> dict[str, object]:
    today = timezone.now().astimezone(clocks.zone(notices.reach_of(user).zone)).date()
    return {"first": today, "last": today}


def _settings(request: HttpRequest, form: ReachForm, away_form: AwayForm) -> HttpResponse:
    user = cast(User, request.user)
    zone = clocks.zone(notices.reach_of(user).zone)
    now = timezone.now()
    vacations = [
        {
            "pk": line.pk,
            "first": line.begins.astimezone(zone).date(),
            "last": (line.ends.astimezone(zone) - timedelta(seconds=1)).date(),
            "now": line.begins <= now,
        }
        for line in Vacation.objects.filter(user=user, ends__gt=now)
    ]
    bad = bool(form.errors or away_form.errors)
    context = {"form": form, "away_form": away_form, "vacations": vacations}
    return render(
        request, "races/reach.html", context, status=HTTPStatus.UNPROCESSABLE_ENTITY if bad else HTTPStatus.OK
    )
