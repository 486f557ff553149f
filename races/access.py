"""Who may see a race, sit in it, and lead it. Fetching is the permission check: what you may not have is not found.

A race knows its owner and its seats. Whatever else gives rights (a club's organisers, its members) is asked of
*gatekeepers*, which other apps register when they start: races imports nobody.
"""

import hashlib
import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cached_property

from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from races.models import Race, Seat
from races.prepared import Prepared

GUEST_DAYS = 60


class Right(IntEnum):
    """What somebody may do with a race, each more than the one before."""

    NOTHING = 0
    WATCH = 1
    LEAD = 2  # seats, start, rewind, referee


Gatekeeper = Callable[[User, Race], Right]
_gatekeepers: dict[Gatekeeper, Right] = {}


def register(gatekeeper: Gatekeeper, *, most: Right = Right.LEAD) -> None:
    """Let another app give rights. It is asked about signed-on users only; the most that anybody gives counts.

    `most` is what this one ever gives: it is not asked about somebody who may do as much already.
    """
    _gatekeepers[gatekeeper] = most


@dataclass(frozen=True, kw_only=True)
class Viewer:
    """Somebody who looks at a race."""

    user: User | AnonymousUser
    race: Race
    seats: tuple[Seat, ...]  # his own; usually one

    @cached_property
    def right(self) -> Right:
        """What he may do. The gatekeepers are asked for it when it is wanted, and once."""
        return _right(self.user, self.race, sits=bool(self.seats))

    @property
    def may_watch(self) -> bool:
        """Whoever sits in it and, if it is public, everybody: nobody is asked about them."""
        return self.race.is_public or bool(self.seats) or self.right >= Right.WATCH

    @property
    def leads(self) -> bool:
        return self.right >= Right.LEAD

    def seat(self, name: str | None = None) -> Seat | None:
        """His seat of that name, or his first; None if he has none."""
        return next((seat for seat in self.seats if name is None or seat.name == name), None)


_race_of = Prepared(lambda key: Race.objects.select_related("clock").filter(key=key))


def race_for(request: HttpRequest, key: str) -> Viewer:
    """The race at this address for whoever asks; 404 where he may not even watch."""
    found = _race_of(key)
    if not found:
        raise Http404
    viewer = viewer_of(request, found[0])
    if not viewer.may_watch:
        raise Http404
    return viewer


def led_by(request: HttpRequest, key: str) -> Viewer:
    """The same for somebody who leads it; 403 for who only watches."""
    viewer = race_for(request, key)
    if not viewer.leads:
        raise PermissionDenied(_("Only who leads this race may do that."))
    return viewer


def after_his_move(viewer: Viewer, race: Race, entries: int) -> Viewer:
    """Whoever has just moved, with the race as it was under the lock of his move, which added so many entries.

    Then the seat was still his; and if nothing else came between, the clock is the one that he found, as a new one is an entry.
    """
    if race.n == viewer.race.n + entries:
        race._state.fields_cache["clock"] = viewer.race._state.fields_cache["clock"]
    own = {seat.pk for seat in viewer.seats}
    return replace(viewer, race=race, seats=tuple(seat for seat in race.seats.all() if seat.pk in own))


def viewer_of(request: HttpRequest, race: Race) -> Viewer:
    user = request.user
    race.read_seats()  # whoever prints them asks no more
    seats = [seat for seat in race.seats.all() if _sits(request, user, seat)]
    return Viewer(user=user, race=race, seats=tuple(seats))


def may_watch(user: User | AnonymousUser, race: Race) -> bool:
    """Whether somebody may be led to a race. A guest, who is known by his browser alone, is anybody here."""
    sits = user.is_authenticated and any(seat.user_id == user.pk for seat in race.seats.all())
    return _right(user, race, sits=sits, enough=Right.WATCH) >= Right.WATCH


def _right(user: User | AnonymousUser, race: Race, *, sits: bool, enough: Right = Right.LEAD) -> Right:
    """His right; nobody more is asked when it is `enough`."""
    right = Right.WATCH if race.is_public or sits else Right.NOTHING
    if isinstance(user, User) and user.is_authenticated:
        if race.owner_id == user.pk:
            right = Right.LEAD
        for gatekeeper, most in _gatekeepers.items():
            if right < min(enough, most):
                right = max(right, gatekeeper(user, race))
    return right


def _sits(request: HttpRequest, user: User | AnonymousUser, seat: Seat) -> bool:
    if seat.user_id is not None:
        return user.is_authenticated and seat.user_id == user.pk
    if seat.guest:
        key = request.COOKIES.get(cookie_of(seat.race), "")
        return bool(key) and secrets.compare_digest(hashed(key), seat.guest)
    return False


def cookie_of(race: Race) -> str:
    """The cookie that holds a guest's key to his seat."""
    return f"seat-{race.key}"


def hashed(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()


def seat_guest(response: HttpResponse, race: Race, key: str, *, secure: bool) -> None:
    """Give a guest's browser the key to his seat of this race."""
    response.set_cookie(
        cookie_of(race), key, max_age=GUEST_DAYS * 86400, httponly=True, secure=secure, samesite="Lax", path="/"
    )
