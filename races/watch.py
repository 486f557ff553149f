"""Races that nobody looks after: the ones that wait for a lost task, and the ones that stand still.

`examine` names what is wrong with a race; the sweep writes it down for the page of races in trouble, and wakes whoever is due.
"""

import logging
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db.models import Count, Max, QuerySet
from django.utils import timezone

from races import clocks, lobby, play
from races.errors import Damaged
from races.models import Entry, Outage, Race, Seat, Secret
from races.play import look
from races.trouble import Kind, Trouble, looked_into, technical
from rules.errors import RulesError
from rules.game import Decision, Taker

log = logging.getLogger(__name__)

PATIENCE = timedelta(minutes=10)
"""So long after its newest entry a race still waits for a bot or a roll: then something is wrong with whoever should see to it."""

_answerable: dict[int, int] = {}
"""Of each running race the entry at which every open decision was seen to have an answer: it is looked at once for each."""


class Log(NamedTuple):
    """What the log of a race comes to, without reading it."""

    there: int = 0
    last: int = 0
    at: datetime | None = None  # of the newest entry


class Seen(NamedTuple):
    """Whether somebody is due who is not a person, and what is wrong."""

    due: bool
    trouble: Trouble | None


# ---- the sweep -------------------------------------------------------------------------------------------------------
def sweep(now: datetime | None = None) -> None:
    """Wake every running race in which chance or a bot is due; note the trouble of those that cannot go on."""
    from races.tasks import advance  # leaf: the task calls this module

    now = now or timezone.now()
    clocks.beat(now)  # nobody is late because the site was
    races = list(_with_all(Race.objects.running()))
    for race, seen in _examined(races, now):
        _write(race, seen, now)
        if seen.due:
            advance.delay(race.pk)
    running = {race.pk for race in races}
    for gone in _answerable.keys() - running:
        _answerable.pop(gone, None)


def look_again(race_id: int, now: datetime | None = None) -> Seen:
    """What the sweep does, for this race and at once; its log is played again. Nothing is wrong with one that does not run."""
    now = now or timezone.now()
    seen = Seen(due=False, trouble=None)
    for race, seen in _examined(_with_all(Race.objects.running().filter(pk=race_id)), now):  # noqa: B007 - one at most
        _answerable.pop(race.pk, None)
        seen = Seen(seen.due, _write(race, seen, now, anew=True))
        if seen.due:
            play.publish(race)
    return seen


def failed(race_id: int, fault: Exception) -> None:
    """What a bot or a roll failed of, where that is why a race stands still: for whoever runs the site."""
    text = Race.objects.filter(pk=race_id).values_list("trouble", flat=True).first() or ""
    noted = Trouble.read(text)
    if noted is not None and noted.kind is Kind.STUCK and noted.technical != technical(fault):
        told = replace(noted, technical=technical(fault)).written()
        Race.objects.filter(pk=race_id, trouble=text).update(trouble=told)


def _with_all(races: QuerySet[Race]) -> QuerySet[Race]:
    return races.select_related("position").prefetch_related("seats__user")


def _examined(races: Iterable[Race], now: datetime) -> Iterable[tuple[Race, Seen]]:
    """Each race with what was found, in a number of queries that does not hang on how many there are."""
    races = list(races)
    pks = [race.pk for race in races]
    logs = {
        pk: Log(there, last, at)
        for pk, there, last, at in Entry.objects.filter(race__in=pks)
        .order_by()
        .values_list("race")
        .annotate(Count("pk"), Max("n"), Max("at"))
    }
    sealed = set(Secret.objects.filter(race__in=pks).values_list("race_id", flat=True))
    down = Outage.objects.aggregate(ended=Max("ended"))["ended"]
    for race in races:
        try:
            seen = examine(race, logs.get(race.pk, Log()), has_seed=race.pk in sealed, now=now, down=down)
        except Exception as fault:  # one race must not stop the others; it is reported on its own page
            log.exception("Race %s cannot be examined.", race.key)
            seen = Seen(due=False, trouble=Trouble(kind=Kind.UNKNOWN, technical=technical(fault)))
        yield race, seen


def _write(race: Race, seen: Seen, now: datetime, *, anew: bool = False) -> Trouble | None:
    """Note what is wrong with a race, or that nothing is any more. What is known already is not looked into again, unless `anew`."""
    found, noted = seen.trouble, Trouble.read(race.trouble)
    if found is not None and found.kind is Kind.STUCK and noted is not None and noted.kind is not Kind.STUCK:
        found = None  # something else had stopped it until now: only from here on can a bot be late
    if found is not None:
        found = replace(found, n=race.n, since=now.isoformat())
        if noted is not None and noted.is_still(found):
            found = replace(found, since=noted.since, technical=found.technical or noted.technical)
            if not anew:
                return noted
        found = looked_into(race, found)
    text = "" if found is None else found.written()
    if text != race.trouble:
        if found is not None:
            log.warning("Race %s stands still: %s. %s", race.key, found.kind, found.technical)
        # unless it has moved meanwhile: then the next sweep looks at it
        Race.objects.filter(pk=race.pk, n=race.n).update(trouble=text)
    return found


# ---- one race --------------------------------------------------------------------------------------------------------
def examine(race: Race, entries: Log, *, has_seed: bool, now: datetime, down: datetime | None = None) -> Seen:
    """Whether somebody who is not a person is due, and what is wrong if the race cannot go on. Plays no log.

    `down`: when the site was up again after it was down for the last time.
    """
    wrong = _stored(race, entries)
    if wrong is not None:
        return Seen(due=False, trouble=wrong)
    try:
        table = look(race)
    except Damaged as fault:
        log.info("Race %s cannot be read.", race.key, exc_info=fault)
        return Seen(due=False, trouble=Trouble(kind=Kind.UNREADABLE, technical=technical(fault)))
    if not table.decisions:
        return Seen(due=False, trouble=Trouble(kind=Kind.NOTHING_OPEN))
    seats = {seat.name: seat for seat in race.seats.all()}
    if any(_needs_nobody(race, seats, decision) for decision in table.decisions):
        if not has_seed and any(d.taker is Taker.CHANCE for d in table.decisions) and race.is_online:
            return Seen(due=False, trouble=Trouble(kind=Kind.NO_SEED))
        since = max(at for at in (entries.at, race.started_at, down) if at is not None)
        late = now - since > PATIENCE
        return Seen(due=True, trouble=Trouble(kind=Kind.STUCK) if late else None)
    return Seen(due=False, trouble=_unattended(race, seats, table.decisions) or _unanswerable(race, table))


def _stored(race: Race, entries: Log) -> Trouble | None:
    """What is wrong with what is stored of a race, as far as that can be told without reading it."""
    try:
        play.game_of(race)
    except RulesError as fault:
        return Trouble(kind=Kind.RULES, technical=technical(fault))
    if entries.there != entries.last or entries.last < race.n:
        missing = _hole(race, max(race.n, entries.last))
        if missing is not None:
            return Trouble(kind=Kind.HOLE, missing=missing)
    position = getattr(race, "position", None)
    if position is None:
        return Trouble(kind=Kind.NO_POSITION)
    if not position.n == race.n >= entries.last:
        return Trouble(kind=Kind.BEHIND)
    return None


def _hole(race: Race, last: int) -> int | None:
    """The first entry that is missing and that no rewind has leapt over: the position hangs on it."""
    told = list(race.entries.values_list("n", "rewind_to"))
    there = {n for n, _back in told}
    leaps = [(back, n) for n, back in told if back is not None]
    missing = (n for n in range(1, last + 1) if n not in there)
    return next((n for n in missing if not any(back < n < leap for back, leap in leaps)), None)


def _needs_nobody(race: Race, seats: dict[str, Seat], decision: Decision) -> bool:
    if decision.taker is Taker.CHANCE:
        return race.is_online
    seat = seats.get(decision.seat or "")
    return decision.taker is Taker.SEAT and seat is not None and bool(seat.bot)


def _unattended(race: Race, seats: dict[str, Seat], decisions: Iterable[Decision]) -> Trouble | None:
    """A decision for which there is nobody."""
    if not race.is_online:
        sits = any(is_taken(seat) and not seat.bot for seat in seats.values())
        return None if sits or _has_leader(race) else Trouble(kind=Kind.NO_LEADER)
    asked = [decision.seat or "" for decision in decisions if decision.taker is Taker.SEAT]
    if gone := [name for name in asked if name not in seats]:
        return Trouble(kind=Kind.NO_SEAT, seats=tuple(dict.fromkeys(gone)))
    if empty := [name for name in asked if not is_taken(seats[name])]:
        return Trouble(kind=Kind.EMPTY_SEAT, seats=tuple(dict.fromkeys(empty)))
    if any(decision.taker is Taker.ORGANISER for decision in decisions) and not _has_leader(race):
        return Trouble(kind=Kind.NO_LEADER)
    return None


def is_taken(seat: Seat) -> bool:
    """Whether somebody sits there who can answer: a bot, a guest, or a user who can still sign on."""
    return bool(seat.bot or seat.guest) or (seat.user is not None and seat.user.is_active)


def _has_leader(race: Race) -> bool:
    return race.owner_id is not None or lobby.home_of(race) is not None


def _unanswerable(race: Race, table: play.Table) -> Trouble | None:
    """A decision to which the rules leave no answer. Every position is looked at once."""
    if _answerable.get(race.pk) == race.n:
        return None
    for decision in table.decisions:
        if next(iter(table.game.legal(table.state, decision)), None) is None:
            seats = (decision.seat,) if decision.seat else ()
            return Trouble(kind=Kind.NO_ANSWER, seats=seats)
    _answerable[race.pk] = race.n
    return None
