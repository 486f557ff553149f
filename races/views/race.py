"""The page of a race: its turns, its past, its rules."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, TypeVar

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from races import clocks, play, referee
from races.access import Viewer, after_his_move, led_by, race_for, viewer_of
from races.errors import NotYours, Refused, StaleTurn, sentences
from races.forms import RewindForm, SingleForm, TakeBackForm, TurnForm
from races.log_forms import RideOnForm
from races.models import Race, Seat
from races.page import Looking, Page, Past, Refusal
from races.panels import GAMES, panel_of
from races.views.lobby import lobby
from rules import registry
from rules.errors import RulesError


def user_of(request: HttpRequest) -> User | None:
    """Who acts; None for a guest, who is known by the key of his seat."""
    return request.user if isinstance(request.user, User) else None


@never_cache  # the Back button brings the race as it is now
@require_http_methods(["GET", "HEAD", "POST"])
def race(request: HttpRequest, key: str) -> HttpResponse:
    """A race as its reader may see it, and his turn. A POST answers a decision; for htmx the part that changes alone."""
    viewer = race_for(request, key)
    if request.method == "POST":
        return answer(request, viewer)
    if not viewer.race.has_started:
        return lobby(request, viewer)
    return show(request, page_of(viewer, Looking.of(request.GET)))


def page_of(viewer: Viewer, looking: Looking, **more: Any) -> Page:
    return Page(viewer, play.look(viewer.race), looking, **more)


def show(request: HttpRequest, page: Page, status: int = HTTPStatus.OK) -> HttpResponse:
    htmx = request.htmx  # type: ignore[attr-defined]
    template = "races/_race.html" if htmx and not htmx.history_restore_request else "races/race.html"
    response = render(request, template, {"page": page, "race": page.race, "viewer": page.viewer}, status=status)
    patch_vary_headers(response, ["HX-Request"])
    return response


def answer(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Take an answer, or say why not: 422 the rules forbid it, 409 it came too late, 403 it is somebody else's."""
    if not viewer.race.has_started:
        raise PermissionDenied(_("This race has not started yet."))
    form = TurnForm(request.POST)
    looking = Looking.of(request.POST)
    if not form.is_valid():
        said = [(None, str(text)) for errors in form.errors.values() for text in errors]
        return refuse(request, viewer, looking, said)
    decision = form.cleaned_data["decision"]
    seat = viewer.seat(play.named(decision).seat)
    if seat is None:
        return not_his(request, viewer, decision)
    game = play.game_of(viewer.race)
    told = form.told
    if told is None and (page := not_yet(request.POST, page_of(viewer, looking, typed=request.POST.dict()))):
        return show(request, page)
    try:
        if told is None:
            told = panel_of(viewer.race.game).typed(decision.partition(":")[0], request.POST.dict())
        if told is None:
            return refuse(request, viewer, looking, [(None, _("Nothing was chosen yet."))])
        done = play.submit(
            viewer.race.pk,
            seat=seat.name,
            action=game.read_action(told),
            decision=decision,
            after=form.cleaned_data["after"],
            key=form.cleaned_data["key"],
            by=user_of(request),
        )
    except StaleTurn as refusal:
        return late(request, viewer, str(refusal))
    except NotYours:
        return not_his(request, viewer, decision)
    except Refused as refusal:
        return refuse(request, viewer, looking, [(None, str(refusal))])
    except RulesError as refusal:
        return refuse(request, viewer, looking, sentences(refusal))
    if request.htmx:  # type: ignore[attr-defined]
        mover = after_his_move(viewer, done.table.race, len(done.table.steps))
        return show(request, Page(mover, done.table, Looking(), answered=True))
    return redirect(viewer.race)


AnyPage = TypeVar("AnyPage", bound=Page)


def not_yet(sent: Mapping[str, Any], page: AnyPage) -> AnyPage | None:
    """The page with what was typed, if it was to be counted only or if something about it may not be meant; else None."""
    if "count" in sent:
        return page
    doubtful = page.put is not None and bool(page.put.doubts)
    return page if doubtful and "sure" not in sent else None


def late(request: HttpRequest, viewer: Viewer, why: str) -> HttpResponse:
    """The panel of today, and why it is not the one that was answered."""
    fresh = race_for(request, viewer.race.key)
    page = page_of(fresh, Looking(), refusal=Refusal(sentences=[(None, why)], late=True))
    return show(request, page, HTTPStatus.CONFLICT)


def not_his(request: HttpRequest, viewer: Viewer, decision: str) -> HttpResponse:
    """Forbidden; but whose seat a bot took because his time was up is told so, and how he has it again."""
    user = user_of(request)
    kept = clocks.kept_for(viewer.race, user) if user else None
    if kept is None or kept.seat != play.named(decision).seat:
        raise PermissionDenied(str(NotYours()))
    return late(request, viewer, _("Your time was up, and a bot rides for you now. Take your seat again to ride on."))


def refuse(
    request: HttpRequest, viewer: Viewer, looking: Looking, said: Sequence[tuple[str | None, str]]
) -> HttpResponse:
    """The panel again with what was chosen, and why it cannot be."""
    page = page_of(viewer, looking, typed=request.POST.dict(), refusal=Refusal(sentences=said))
    return show(request, page, HTTPStatus.UNPROCESSABLE_ENTITY)


# ---- going back ------------------------------------------------------------------------------------------------------
@require_POST
def take_back(request: HttpRequest, key: str) -> HttpResponse:
    """A seat takes back its newest entry, if nothing was seen and nobody acted since."""
    viewer = race_for(request, key)
    form = TakeBackForm(request.POST)
    seat = viewer.seat(form.cleaned_data["seat"]) if form.is_valid() else None
    if seat is None:
        raise PermissionDenied(str(NotYours()))
    try:
        play.take_back(viewer.race.pk, seat=seat.name, by=user_of(request))
    except Refused as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, _("Taken back."))
    return redirect(viewer.race)


@require_POST
def rewind(request: HttpRequest, key: str) -> HttpResponse:
    """The organiser goes back to an entry, for a reason."""
    viewer = led_by(request, key)
    form = RewindForm(request.POST)
    if not form.is_valid():
        to = form.cleaned_data.get("to")
        if to is None or to > viewer.race.n:
            raise Http404
        return past(request, viewer, to, form, HTTPStatus.UNPROCESSABLE_ENTITY)
    try:
        play.rewind(viewer.race.pk, to=form.cleaned_data["to"], reason=form.cleaned_data["reason"], by=user_of(request))
    except Refused as refusal:
        form.add_error(None, str(refusal))
        return past(request, viewer, min(form.cleaned_data["to"], viewer.race.n), form, HTTPStatus.CONFLICT)
    messages.success(request, _("The race is back at entry %(n)s.") % {"n": form.cleaned_data["to"]})
    # who led it only to mend it may not even watch it any more
    return redirect(
        viewer.race if viewer_of(request, Race.objects.get(pk=viewer.race.pk)).may_watch else "races:trouble"
    )


@require_POST
def single(request: HttpRequest, key: str) -> HttpResponse:
    """Whether decisions with one answer are answered for a seat."""
    viewer = race_for(request, key)
    form = SingleForm(request.POST)
    seat = viewer.seat(form.cleaned_data["seat"]) if form.is_valid() else None
    if seat is None:
        raise PermissionDenied(str(NotYours()))
    with transaction.atomic():
        Seat.objects.filter(pk=seat.pk).update(takes_single=form.cleaned_data["takes_single"])
        play.publish(viewer.race)  # what is open now may have one answer only
    return redirect(viewer.race)


# ---- the past --------------------------------------------------------------------------------------------------------
@never_cache
@require_safe
def entry(request: HttpRequest, key: str, n: int) -> HttpResponse:
    """The race as it stood after entry `n`; `?n=` of the slider leads to another one."""
    viewer = race_for(request, key)
    looking = Looking.of(request.GET)
    if (asked := request.GET.get("n")) is not None:
        if not asked.isdecimal() or len(asked) > 9:
            raise Http404
        return redirect("races:entry", key, min(int(asked), viewer.race.n))
    if not viewer.race.has_started or n > viewer.race.n:
        raise Http404
    return past(request, viewer, n, None, looking=looking)


def past(
    request: HttpRequest,
    viewer: Viewer,
    n: int,
    form: RewindForm | None,
    status: int = HTTPStatus.OK,
    looking: Looking | None = None,
) -> HttpResponse:
    try:
        page = Past(viewer, n, looking or Looking())
    except Refused as refusal:
        return render(request, "409.html", {"refusal": str(refusal)}, status=HTTPStatus.CONFLICT)
    may_rewind = viewer.leads and n < viewer.race.n and not (viewer.race.is_over and viewer.race.is_online)
    if form is None and may_rewind:
        form = RewindForm(initial={"to": n})
    context = {
        "page": page,
        "race": viewer.race,
        "viewer": viewer,
        "form": form,
        "may_rewind": may_rewind,
        "stays": referee.why_it_stays(viewer.race) if may_rewind else "",
        "ride_on": _ride_on(viewer, page),
    }
    return render(request, "races/entry.html", context, status=status)


def _ride_on(viewer: Viewer, page: Past) -> RideOnForm | None:
    """The form of a practice race that goes on from here, for who may make one: signed on, the race over, the road not."""
    if not (viewer.race.is_over and page.decisions and isinstance(viewer.user, User)):
        return None
    seat = viewer.seat() or page.seats[0]
    return RideOnForm(game=viewer.race.game, seats=page.seats, initial={"seat": seat.name})


# ---- the rules -------------------------------------------------------------------------------------------------------
@require_safe
def rules(request: HttpRequest, game: str) -> HttpResponse:
    """Every rule of a game by its number, in a few words: refusals lead here."""
    if game not in GAMES:
        raise Http404
    title = registry.game(game).title
    return render(request, "races/rules.html", {"game": game, "title": title, "chapters": panel_of(game).chapters()})
