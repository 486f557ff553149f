"""A race at a real table with a phone as its referee: who may type, going back, and who was quicker.

The table is trusted: whoever leads the race or sits in it types what people at the board did, rolled and drew, for all of
them. What only one player may know need not be typed; then nobody can read it off the phone. Going back is free, also
over what was rolled, because the dice lie on the table; the log keeps what was taken back and says who did it.
"""

from collections.abc import Iterable

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest
from django.utils.translation import gettext as _

from races import play
from races.access import Viewer, race_for
from races.errors import Refused, StaleTurn
from races.lobby import called
from races.models import Entry, Race, Seat, Status
from races.signals import reopening


def refereed_by(request: HttpRequest, key: str) -> Viewer:
    """The race for somebody who may referee it: its leader, and whoever sits in it. 403 for who only watches."""
    viewer = race_for(request, key)
    if not may_referee(viewer):
        raise PermissionDenied(_("Only who leads this race or sits in it may referee it."))
    return viewer


def may_referee(viewer: Viewer) -> bool:
    return viewer.leads or bool(viewer.seats)


def is_called_off(race: Race) -> bool:
    """It was abandoned, for a reason that was said: no tap takes that back."""
    return race.status == Status.ABANDONED


def why_it_stays(race: Race) -> str:
    """Why a race that is over goes back no more, as whoever has a say in it puts it; empty if it may."""
    if not race.is_over or is_called_off(race):
        return ""
    try:
        with transaction.atomic():  # who has a say may lock what it looks at
            reopening.send(sender=Race, race=race)
    except Refused as refusal:
        return str(refusal)
    return ""


# ---- going back ------------------------------------------------------------------------------------------------------
def last_thing(race: Race, seats: Iterable[Seat]) -> Entry | None:
    """The newest entry that stands and that somebody typed: what bots answered after it goes back with it."""
    bots = {seat.name for seat in seats if seat.bot}
    told = race.entries.defer("events")
    return next((entry for entry in reversed(play.effective(told)) if entry.seat not in bots), None)


def undo(race_id: int, *, n: int, by: User | None) -> int:
    """Take back entry `n`, the last thing that was typed; the number of the entry that says so.

    StaleTurn: it is not the last thing any more, because another phone was quicker.
    """
    with transaction.atomic():
        race = Race.objects.select_for_update().get(pk=race_id)
        if race.is_online:
            raise Refused(_("This race is ridden on the site: only its leader goes back, and says why."))
        if not race.has_started:
            raise Refused(_("This race has not started yet."))
        if is_called_off(race):
            raise Refused(_("The race is over."))
        last = last_thing(race, race.seats.all())
        if last is None or last.n != n:
            raise StaleTurn(race.n)
        standing = [entry.n for entry in play.effective(race.entries.defer("events")) if entry.n < n]
        to = standing[-1] if standing else 0
        return play.rewind(race_id, to=to, reason=_("undone at the table"), by=by)


# ---- several phones --------------------------------------------------------------------------------------------------
def meanwhile(race: Race, after: int) -> Entry | None:
    """What came first after entry `after`: the answer of a quicker phone, or that it went back."""
    return race.entries.filter(n__gt=after, note__isnull=True).select_related("by").order_by("n").first()


def who_typed(entry: Entry) -> str:
    """Whoever was quicker, by name; a guest's phone has none."""
    return called(entry.by) if isinstance(entry.by, User) else _("Somebody")
