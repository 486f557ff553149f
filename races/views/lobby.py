"""Making, finding and joining a race; its lobby while it waits; and what its leader may do about the seats."""

import secrets
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from races import chat, live, play
from races import lobby as seating
from races.access import Viewer, cookie_of, hashed, led_by, race_for, seat_guest, viewer_of
from races.clock_forms import FirstClockForm
from races.errors import Refused, sentences
from races.lobby_forms import JoinForm, RaceForm, ReasonForm
from races.models import Race, Seat
from races.qr import qr_code
from races.setups import SETUPS, courses_for, setup_of, title_of
from rules.errors import RulesError

GUEST_KEY_BYTES = 24


def user_of(request: HttpRequest) -> User:
    """The signed-on user of a page that is for nobody else."""
    assert isinstance(request.user, User)
    return request.user


# ---- finding -----------------------------------------------------------------------------------------------------------
@never_cache
@require_safe
def races(request: HttpRequest) -> HttpResponse:
    """The races that wait for me, mine, those I may join, those to watch, those that are over."""
    lists = seating.lists(request.user, request.COOKIES, request.GET.get("page"))
    return render(request, "races/list.html", {"lists": lists})


# ---- making ------------------------------------------------------------------------------------------------------------
@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """A new race: the game's options, the clock, and who sits where."""
    game = request.GET.get("game") or next(iter(SETUPS))
    if game not in SETUPS:
        raise Http404
    data = request.POST if request.method == "POST" else None
    setup = setup_of(game).form(data, offered=courses_for(game, request.user))
    form = RaceForm(data, game=game, most=setup.MOST_SEATS, bots=setup.PROPOSED_BOTS, initial={"is_public": True})
    clock = FirstClockForm(data, game=game, wanted=data is None or not form.is_valid() or form.online)
    if data is not None and form.is_valid() & setup.is_valid() & clock.is_valid():
        for refusal in setup.refusals(len(form.places), online=form.online):
            setup.add_error(refusal.field or None, refusal.text)
        if setup.is_valid():
            try:
                race = seating.open_friendly(
                    owner=user_of(request),
                    title=form.cleaned_data["title"] or setup.title(),
                    game=game,
                    options=setup.options(online=form.online),
                    entrant=setup.entrant(),
                    places=form.places,
                    way=form.cleaned_data["way"],
                    is_public=form.cleaned_data["is_public"],
                    clock=clock.values,
                )
            except RulesError as fault:
                for _rule, text in sentences(fault):
                    form.add_error(None, text)
            else:
                return redirect(race)
    context = {
        "form": form,
        "setup": setup,
        "clock": clock,
        "game": game,
        "games": [(name, title_of(name)) for name in SETUPS],
    }
    faulty = form.errors or setup.errors or clock.errors
    return render(request, "races/new.html", context, status=HTTPStatus.UNPROCESSABLE_ENTITY if faulty else 200)


# ---- the lobby ---------------------------------------------------------------------------------------------------------
def lobby(
    request: HttpRequest, viewer: Viewer, *, faults: list[tuple[str | None, str]] | None = None, status: int = 200
) -> HttpResponse:
    """The page of a race that has not started: what is ridden, who sits where, how to come in. Called by the race's page.

    `faults`: why it could not start, each with the id of a rule or None.
    """
    race = viewer.race
    setup = setup_of(race.game)
    seats = [_told(viewer, seat) for seat in race.seats.all()]
    link = ""
    if race.is_open and (viewer.leads or viewer.seats):
        link = request.build_absolute_uri(reverse("races:join", args=[race.key, race.invitation]))
    drawings = setup.drawings(race.options)
    context: dict[str, Any] = {
        "race": race,
        "viewer": viewer,
        "game_title": setup.title,
        "facts": setup.facts(race.options),
        "drawings": drawings,
        "seats": seats,
        "home": seating.home_of(race),
        "free": sum(seat["seat"].is_free for seat in seats),
        "may_start": viewer.leads and (not race.is_online or not any(seat["seat"].is_free for seat in seats)),
        "link": link,
        "qr": qr_code(link) if link else "",
        "levels": seating.levels(race.game),
        "faults": faults or [],
        "mark": live.marks([race.key])[race.key],
        "called_off": None if race.is_open else race.entries.last(),
    }
    response = render(request, "races/lobby.html", context, status=status)
    response["Cache-Control"] = "private, no-store"
    return response


def _told(viewer: Viewer, seat: Seat) -> dict[str, Any]:
    """A seat as the lobby shows it."""
    return {
        "seat": seat,
        "is_mine": seat in viewer.seats,
        "may_take": seating.may_take(viewer, seat),
        "is_kept": seating.is_kept(seat),
        "rides": "" if seat.riders else setup_of(viewer.race.game).rides(seat.entrant),
        "level": seating.LEVELS.get(seat.bot, ""),
    }


def refused(request: HttpRequest, viewer: Viewer, refusal: Refused) -> HttpResponse:
    """What the lobby answers to what cannot be: the page as it stands now, with the reason."""
    viewer.race.refresh_from_db()
    if not viewer.race.is_open:
        messages.error(request, str(refusal))
        return redirect(viewer.race)
    fresh = viewer_of(request, Race.objects.get(pk=viewer.race.pk))
    return lobby(request, fresh, faults=[(None, str(refusal))], status=HTTPStatus.CONFLICT)


@never_cache
@require_http_methods(["GET", "POST"])
def join(request: HttpRequest, key: str, invitation: str) -> HttpResponse:
    """The invitation: choose a free seat, or one that a bot rides for somebody; a guest says his name."""
    race = get_object_or_404(Race, key=key)
    if not secrets.compare_digest(race.invitation.encode(), invitation.encode()):
        raise Http404
    viewer = viewer_of(request, race)
    if viewer.seats or race.is_over:
        return redirect(race) if viewer.may_watch else render(request, "races/join.html", {"race": race, "seats": []})
    seats = [seat for seat in race.seats.all() if seat.is_free] if race.is_open else seating.lent(race)
    sitter = seating.Sitter.of(request.user)
    form = JoinForm(request.POST if request.method == "POST" else None, seats=seats, is_guest=sitter is None)
    if request.method == "POST" and form.is_valid():
        guest_key = ""
        if sitter is None:
            guest_key = request.COOKIES.get(cookie_of(race), "")
            if not chat.is_known(race, hashed(guest_key)):  # else he is back, and what he wrote is his again
                guest_key = secrets.token_urlsafe(GUEST_KEY_BYTES)
            sitter = seating.Sitter(guest=hashed(guest_key), name=form.cleaned_data["name"])
        try:
            if race.is_open:
                seating.take(race.pk, seat=form.cleaned_data["seat"], sitter=sitter)
            else:
                seating.take_over(race.pk, seat=form.cleaned_data["seat"], sitter=sitter)
        except Refused as refusal:
            form.add_error(None, str(refusal))
        else:
            response = redirect(race)
            if guest_key:
                seat_guest(response, race, guest_key, secure=request.is_secure())
            return response
    context = {
        "race": race,
        "seats": seats,
        "form": form,
        "game_title": title_of(race.game),
        "facts": setup_of(race.game).facts(race.options),
    }
    return render(request, "races/join.html", context, status=422 if form.errors else 200)


@login_required
@require_POST
def take(request: HttpRequest, key: str) -> HttpResponse:
    """Sit down in a free seat."""
    viewer = race_for(request, key)
    sitter = seating.Sitter.of(request.user)
    assert sitter is not None, "signed on"
    name = request.POST.get("seat", "")
    wanted = next((seat for seat in viewer.race.seats.all() if seat.name == name), None)
    try:
        if not viewer.leads and wanted is not None:
            kept = seating.is_kept(wanted)
            if kept and name not in seating.claimed(request.user, viewer.race):
                raise Refused(
                    _("This seat is kept for %(who)s. Ask who leads the race for the link.") % {"who": wanted}
                )
            if not kept and not viewer.race.is_public:
                raise Refused(_("This race is joined by its link only. Ask who leads it."))
        seating.take(viewer.race.pk, seat=name, sitter=sitter, several=viewer.leads)
    except Refused as refusal:
        return refused(request, viewer, refusal)
    return redirect(viewer.race)


@require_POST
def leave(request: HttpRequest, key: str) -> HttpResponse:
    """Get up from one's seat, or from all of them."""
    viewer = race_for(request, key)
    name = request.POST.get("seat")
    mine = [seat.name for seat in viewer.seats if name in (None, seat.name)]
    try:
        seating.leave(viewer.race.pk, seats=mine)
    except Refused as refusal:
        return refused(request, viewer, refusal)
    if viewer.race.is_public or viewer.leads:
        return redirect(viewer.race)
    messages.success(request, _("You have left the race."))
    return redirect("races:list")


@require_POST
def seat(request: HttpRequest, key: str) -> HttpResponse:
    """The leader: a bot sits here, or nobody."""
    viewer = led_by(request, key)
    name, who = request.POST.get("seat", ""), request.POST.get("who", "")
    try:
        if who:
            seating.put_bot(viewer.race.pk, seat=name, level=who)
        else:
            seating.free(viewer.race.pk, seat=name)
    except Refused as refusal:
        return refused(request, viewer, refusal)
    return redirect(viewer.race)


@require_POST
def start(request: HttpRequest, key: str) -> HttpResponse:
    """The leader: everybody sits, off they go."""
    viewer = led_by(request, key)
    try:
        play.start(viewer.race, by=user_of(request))
    except Refused as refusal:
        return refused(request, viewer, refusal)
    except RulesError as fault:
        return lobby(request, viewer, faults=sentences(fault), status=HTTPStatus.UNPROCESSABLE_ENTITY)
    return redirect(viewer.race) if viewer.race.is_online else redirect("races:referee", key)


# ---- while it runs -----------------------------------------------------------------------------------------------------
@require_POST
def substitute(request: HttpRequest, key: str) -> HttpResponse:
    """The leader: somebody else rides on, a bot or a person."""
    viewer = led_by(request, key)
    try:
        changed = seating.substitute(
            viewer.race, seat=request.POST.get("seat", ""), who=request.POST.get("who", ""), by=user_of(request)
        )
    except Refused as refusal:
        messages.error(request, str(refusal))
    else:
        if changed.bot:
            messages.success(request, _("A bot rides for %(who)s.") % {"who": changed})
        else:
            messages.success(request, _("%(who)s rides.") % {"who": changed})
    return redirect(viewer.race)


@require_POST
def abandon(request: HttpRequest, key: str) -> HttpResponse:
    """The leader: the race ends here, without a result."""
    viewer = led_by(request, key)
    form = ReasonForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Say why the race is abandoned: everybody will read it."))
        return redirect(viewer.race)
    try:
        play.abandon(viewer.race.pk, reason=form.cleaned_data["reason"], by=user_of(request))
    except Refused as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, _("The race is abandoned. It has no result."))
    return redirect(viewer.race)
