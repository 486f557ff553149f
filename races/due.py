"""Who is asked now: for the mark on a page, the poll, the list of one's races, clocks and notices."""

from collections.abc import Iterable

from races.access import Viewer
from races.errors import Damaged
from races.models import Position, Race
from races.play import look, waiting_for
from rules.game import Decision, Taker


def asked(race: Race, seats: Iterable[str]) -> tuple[Decision, ...]:
    """The open decisions that those seats have to answer, in the order of the rules; empty unless the race runs.

    The names of what is open are stored beside the position: the position itself is read only if one of them is theirs.
    """
    names = set(seats)
    if not (race.is_running and names):
        return ()
    opened = Position.objects.filter(race=race).values_list("opened", flat=True).first() or {}
    if names.isdisjoint(seat for seat, _after in waiting_for(opened)):
        return ()
    return tuple(d for d in _open(race) if d.taker is Taker.SEAT and d.seat in names)


def is_due(viewer: Viewer) -> bool:
    """Whether the race waits for him: for one of his seats, or for who leads it.

    At a table the one with the phone answers everything; on the site he answers what the rules leave to the organiser.
    """
    race = viewer.race
    if asked(race, (seat.name for seat in viewer.seats)):
        return True
    if not (viewer.leads and race.is_running):
        return False
    return not race.is_online or any(decision.taker is Taker.ORGANISER for decision in _open(race))


def _open(race: Race) -> tuple[Decision, ...]:
    """Nothing where nobody can read what is open: the race waits for whoever mends it."""
    try:
        return look(race).decisions
    except Damaged:
        return ()
