"""Who is asked now: for the mark on a page, the poll, the list of one's races, clocks and notices."""

from collections.abc import Iterable

from races.access import Viewer
from races.models import Position, Race
from races.play import look, named
from rules.game import Decision, Taker


def asked(race: Race, seats: Iterable[str]) -> tuple[Decision, ...]:
    """The open decisions that those seats have to answer, in the order of the rules; empty unless the race runs.

    The names of what is open are stored beside the position: the position itself is read only if one of them is theirs.
    """
    names = set(seats)
    if not (race.is_running and names):
        return ()
    opened = Position.objects.filter(race=race).values_list("opened", flat=True).first() or {}
    if not any(named(name).seat in names for name in opened):
        return ()
    return tuple(d for d in look(race).decisions if d.taker is Taker.SEAT and d.seat in names)


def is_due(viewer: Viewer) -> bool:
    """Whether the race waits for him: for one of his seats, or for who leads it.

    At a table the one with the phone answers everything; on the site he answers what the rules leave to the organiser.
    """
    race = viewer.race
    if asked(race, (seat.name for seat in viewer.seats)):
        return True
    if not (viewer.leads and race.is_running):
        return False
    return not race.is_online or any(decision.taker is Taker.ORGANISER for decision in look(race).decisions)
