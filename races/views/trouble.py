"""Races in trouble: what is wrong with each, for whoever may mend it, and what was done about it."""

import logging
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db import transaction
from django.db.models import OuterRef, Subquery
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from races import lobby, play, trouble, watch
from races.access import Viewer, viewer_of
from races.errors import Refused
from races.models import Entry, Race, Seat
from races.trouble import Mend, Trouble
from races.trouble_forms import MendForm

log = logging.getLogger(__name__)

PER_PAGE = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A race in trouble as the page tells it."""

    race: Race
    trouble: Trouble
    says: str
    empty: list[Seat]  # that a bot could ride
    levels: list[tuple[str, str]]
    form: MendForm

    def may(self, mend: Mend) -> bool:
        return mend in self.trouble.mends

    @property
    def counts(self) -> bool:
        return self.may(Mend.COUNT)

    @property
    def back(self) -> int | None:
        """The entry to which it can be taken back."""
        return self.trouble.back if self.may(Mend.REWIND) else None


# ---- the page ----------------------------------------------------------------------------------------------------------
@never_cache
@login_required
@require_safe
def troubles(request: HttpRequest) -> HttpResponse:
    """The races that stand still, of whoever may mend them: all of them for the site's staff."""
    if not trouble.may_look(user_of(request)):
        raise PermissionDenied(_("You lead no race: there is none that you could mend."))
    return listed(request)


def listed(request: HttpRequest, tried: tuple[Race, MendForm] | None = None) -> HttpResponse:
    """The page; with the form of a race that was filled in badly, as it was."""
    newest = Entry.objects.filter(race=OuterRef("pk")).order_by("-n").values("at")[:1]
    races = trouble.in_trouble(user_of(request)).annotate(newest=Subquery(newest)).prefetch_related("seats")
    page = Paginator(races, PER_PAGE).get_page(request.GET.get("page"))
    found = list(page)
    if tried is not None and tried[0] not in found:
        found = [*Race.objects.filter(pk=tried[0].pk).annotate(newest=Subquery(newest)), *found]
    forms = {tried[0].pk: tried[1]} if tried else {}
    context = {"lines": [line_of(race, forms.get(race.pk)) for race in found], "page": page}
    status = HTTPStatus.UNPROCESSABLE_ENTITY if tried else HTTPStatus.OK
    return render(request, "races/trouble.html", context, status=status)


def line_of(race: Race, form: MendForm | None = None) -> Line:
    told = Trouble.read(race.trouble) or Trouble(kind=trouble.Kind.UNKNOWN)
    return Line(
        race=race,
        trouble=told,
        says=trouble.says(race, told),
        empty=[seat for seat in race.seats.all() if seat.name in told.seats] if Mend.BOT in told.mends else [],
        levels=lobby.levels(race.game) if Mend.BOT in told.mends else [],
        form=form or MendForm(game=race.game),
    )


def user_of(request: HttpRequest) -> User:
    """The signed-on user of a page that is for nobody else."""
    assert isinstance(request.user, User)
    return request.user


# ---- mending -----------------------------------------------------------------------------------------------------------
def mended_by(request: HttpRequest, key: str) -> Viewer:
    """The race for somebody who may mend it: who leads it, and the site's staff. 404 or 403 for everybody else.

    Also when nothing is wrong with it any more: the second click is told so.
    """
    viewer = viewer_of(request, get_object_or_404(Race, key=key))
    if isinstance(request.user, User) and request.user.is_staff:
        return viewer
    if not viewer.may_watch:
        raise Http404
    if not viewer.leads:
        raise PermissionDenied(_("Only who leads this race may do that."))
    return viewer


@require_POST
def mend(request: HttpRequest, key: str) -> HttpResponse:
    """Do one thing about a race in trouble, look at it again, and say how it stands now."""
    race = mended_by(request, key).race
    form = MendForm(request.POST, game=race.game)
    if not race.is_running:
        messages.success(request, _("%(race)s does not run: there is nothing to mend.") % {"race": race})
        return redirect("races:trouble")
    if not form.is_valid():
        return listed(request, (race, form))
    try:
        done = _done(race, form, user_of(request))
    except Refused as refusal:
        messages.error(request, str(refusal))
    else:
        if done:
            messages.success(request, done)
    _say_how_it_stands(request, race)
    return redirect("races:trouble")


def _done(race: Race, form: MendForm, by: User) -> str:
    """Do it; what was done, in words. Refused: it could not be."""
    match form.mend:
        case Mend.COUNT:
            return _counted(race)
        case Mend.BOT:
            return _seated(race, form.cleaned_data["seat"], form.cleaned_data["bot"], by)
        case Mend.ABANDON:
            play.abandon(race.pk, reason=form.cleaned_data["reason"], by=by)
            return _("%(race)s is abandoned. It has no result.") % {"race": race}
    return ""


def _counted(race: Race) -> str:
    try:
        same = play.recompute(race.pk)
    except Exception as fault:  # whatever a damaged log breaks is told on the page, and nothing was changed
        log.warning("The log of race %s cannot be played.", race.key, exc_info=fault)
        raise Refused(_("%(race)s: its log cannot be played, and nothing was changed.") % {"race": race}) from fault
    if same:
        return _("%(race)s was counted again from its log: its position was right.") % {"race": race}
    return _("%(race)s was counted again from its log: its position was wrong, and is right now.") % {"race": race}


def _seated(race: Race, name: str, bot: str, by: User) -> str:
    with transaction.atomic():
        race = Race.objects.select_for_update().get(pk=race.pk)  # of two clicks the second finds the bot there
        seat = race.seats.select_related("user").filter(name=name).first()
        if seat is not None and watch.is_taken(seat):
            return _("%(who)s: somebody rides there already.") % {"who": seat}
        seat = lobby.substitute(race, seat=name, who=f"bot:{bot}", by=by)
    return _("A bot rides for %(who)s.") % {"who": seat}


def _say_how_it_stands(request: HttpRequest, race: Race) -> None:
    seen = watch.look_again(race.pk)
    race = Race.objects.get(pk=race.pk)
    if seen.trouble is not None:
        still = _("%(race)s still stands. %(why)s") % {"race": race, "why": trouble.says(race, seen.trouble)}
        messages.error(request, still)
    elif race.is_running and seen.due:
        messages.success(request, _("%(race)s goes on: a bot or a roll is due, and was called.") % {"race": race})
    elif race.is_running:
        messages.success(request, _("%(race)s goes on: nothing is wrong with it.") % {"race": race})
    elif race.outcome:
        messages.success(request, _("%(race)s is over: its log says who won.") % {"race": race})


# ---- a race that cannot be shown ---------------------------------------------------------------------------------------
def is_damaged(key: str) -> bool:
    """Whether the log of a race that has started cannot be played."""
    race = Race.objects.filter(key=key, started_at__isnull=False).first()
    return race is not None and trouble.playable(race)[1] is not None


def stopped(request: HttpRequest, key: str) -> HttpResponse:
    """In the place of any page of a race that cannot be read: that it stands still, and where it last was.

    The race's own page is this one now; anything else that was wanted of it cannot be had.
    """
    viewer = viewer_of(request, get_object_or_404(Race, key=key))
    if not viewer.may_watch:
        raise Http404
    if request.htmx:  # type: ignore[attr-defined]
        return HttpResponse(headers={"HX-Refresh": "true"})
    good, _fault = trouble.playable(viewer.race)
    context: dict[str, Any] = {"race": viewer.race, "viewer": viewer, "good": good}
    match = request.resolver_match
    its_own = request.method in ("GET", "HEAD") and match is not None and match.url_name in ("race", "referee")
    status = HTTPStatus.OK if its_own else HTTPStatus.CONFLICT
    return render(request, "races/stopped.html", context, status=status)
