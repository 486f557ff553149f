"""Clocks and absence: when somebody's time is up, and what happens then.

All times are instants. A clock *stands* during pauses of the race, vacations of the rider and outages of the site: these
spans may overlap, and what counts is their union. A race pauses and goes on by notes in its log; whatever a clock does to
a race is an entry too. Nobody is late because the site was: the sweep first looks whether it slept, then who is late, and
takes those in the order in which their time was up.

With a budget the time of an entry counts for its seat even if the seat took it back; what an organiser's rewind took back
does not. Whoever takes a seat over begins with the whole budget.
"""

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import cached_property
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from races import bots, play
from races.access import Right
from races.errors import Refused
from races.models import Clock, ClockKind, Entry, Outage, Policy, Pulse, Race, Seat, StandIn, Vacation
from races.play import Table, name_of
from rules.errors import RulesError
from rules.game import Decision, Taker

log = logging.getLogger(__name__)

Span = tuple[datetime, datetime | None]
"""From an instant to another; None: it has not ended yet."""

SILENT_SWEEPS = 6  # so many periods without a sweep: the site was down
LEVEL = "club"  # of the bot that takes a seat where the clock names none


# ---- arithmetic ------------------------------------------------------------------------------------------------------
def union(spans: Iterable[Span]) -> list[Span]:
    """The same time as spans that do not touch, in order."""
    merged: list[Span] = []
    for begin, end in sorted(spans, key=lambda span: span[0]):
        if merged and ((last := merged[-1])[1] is None or begin <= last[1]):
            merged[-1] = (last[0], None if last[1] is None or end is None else max(last[1], end))
        else:
            merged.append((begin, end))
    return merged


def used(spans: Iterable[tuple[datetime, datetime]], stops: Iterable[Span]) -> timedelta:
    """How long a clock ran: the time of the spans, each moment once, without what lies in the union of the stops."""
    standing = union(stops)
    total = timedelta()
    for begin, end in union(spans):
        assert end is not None, "what was used has ended"
        total += end - begin
        for stop, going in standing:
            overlap = min(end, end if going is None else going) - max(begin, stop)
            total -= max(overlap, timedelta())
    return total


def deadline(opened: datetime, left: timedelta, stops: Iterable[Span]) -> datetime | None:
    """The instant at which `left` has run since `opened`; None while that hangs on a stop that has not ended."""
    at, left = opened, max(left, timedelta())
    for begin, end in union(stops):
        if end is not None and end <= at:
            continue
        if begin > at:
            if left <= begin - at:
                return at + left
            left -= begin - at
        if end is None:
            return None
        at = end
    return at + left


def clipped(spans: Iterable[Span], most: timedelta) -> list[Span]:
    """The first so much of their time."""
    kept: list[Span] = []
    left = most
    for begin, end in union(spans):
        if left <= timedelta():
            break
        if end is None or end - begin > left:
            end = begin + left
        kept.append((begin, end))
        left -= end - begin
    return kept


def zone(name: str) -> ZoneInfo:
    """A time zone by its name; UTC where the machine does not know it."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return ZoneInfo("UTC")


def midnight(day: date, where: str) -> datetime:
    """The instant at which a day begins in a zone. A midnight that comes twice is the first of them; one that the clocks
    leap over is the moment of the leap."""
    return datetime.combine(day, time(), tzinfo=zone(where)).astimezone(UTC)


# ---- a race's clock --------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    """Somebody's open decision and when his time for it is up; `until` is None while the clock stands without an end."""

    seat: Seat
    decision: Decision
    after: int
    since: datetime  # when his time for it began
    until: datetime | None

    @property
    def name(self) -> str:
        return name_of(self.decision)

    def is_up(self, now: datetime) -> bool:
        return self.until is not None and self.until <= now


class Times:
    """The times of one race that has a clock, from its log and from who is away."""

    def __init__(self, race: Race, clock: Clock) -> None:
        self.race, self.clock = race, clock
        self.seats = {seat.name: seat for seat in race.seats.all()}

    @cached_property
    def notes(self) -> list[Entry]:
        return list(self.race.entries.filter(note__isnull=False))

    @cached_property
    def pauses(self) -> list[Span]:
        found: list[Span] = []
        for entry in self.notes:
            kind = (entry.note or {}).get("kind")
            if kind == "pause":
                found.append((entry.at, None))
            elif kind == "resume" and found:
                found[-1] = (found[-1][0], entry.at)
        return found

    @property
    def is_paused(self) -> bool:
        return bool(self.pauses) and self.pauses[-1][1] is None

    @cached_property
    def outages(self) -> list[Span]:
        return list(Outage.objects.filter(ended__gt=self.started).values_list("began", "ended"))

    @cached_property
    def vacations(self) -> dict[int, list[Span]]:
        """Of each user who sits here: his vacations since the start, as much of them as counts."""
        users = [seat.user_id for seat in self.seats.values() if seat.user_id is not None]
        found: dict[int, list[Span]] = {user: [] for user in users}
        for away in Vacation.objects.filter(user__in=users, ends__gt=self.started):
            found[away.user_id].append((max(away.begins, self.started), away.ends))
        most = timedelta(days=self.clock.vacation_days)
        return {user: clipped(spans, most) for user, spans in found.items()}

    @property
    def started(self) -> datetime:
        assert self.race.started_at is not None, "only a race that has started has times"
        return self.race.started_at

    def stops(self, seat: Seat) -> list[Span]:
        away = self.vacations.get(seat.user_id, []) if seat.user_id is not None else []
        return [*self.pauses, *self.outages, *away]

    def since(self, seat: Seat) -> datetime:
        """From when the time of whoever sits there counts: the start, when he sat down, or when the clock was set."""
        changes = [
            entry.at
            for entry in self.notes
            if (note := entry.note or {}).get("kind") == "clock"
            or (note.get("kind") == "substitution" and note.get("seat") == seat.name)
        ]
        return max([self.started, *changes])

    @cached_property
    def at(self) -> dict[int, datetime]:
        """When each entry was written; 0 is the start."""
        return {0: self.started} | dict(self.race.entries.values_list("n", "at"))

    @cached_property
    def answered(self) -> list[Entry]:
        """The answers of seats whose time counts: not those that an organiser's rewind took back."""
        kept: list[Entry] = []
        for entry in self.race.entries.all():
            if entry.rewind_to is not None and entry.taker == Taker.ORGANISER.value:
                kept = [other for other in kept if other.n <= (entry.rewind_to or 0)]
            elif entry.taker == Taker.SEAT.value and entry.action is not None and entry.after is not None:
                kept.append(entry)
        return kept

    def left(self, seat: Seat, before: datetime) -> timedelta:
        """What the seat has for what was opened to it at `before`."""
        clock = self.clock
        if clock.kind == ClockKind.DECISION:
            return timedelta(minutes=clock.minutes)
        since = self.since(seat)
        own = [entry for entry in self.answered if entry.seat == seat.name and entry.at > since]
        spans = [(max(self.at[entry.after or 0], since), min(entry.at, before)) for entry in own]
        gone = used([(begin, end) for begin, end in spans if end > begin], self.stops(seat))
        return timedelta(minutes=clock.minutes + clock.increment * (len(own) + 1)) - gone

    def dues(self, table: Table) -> list[Due]:
        """The open decisions of people, whose time is up first first."""
        begun: list[tuple[Seat, Decision, int, datetime]] = []
        for decision in table.decisions:
            seat = self.seats.get(decision.seat or "")
            if decision.taker is Taker.SEAT and seat is not None and seat.is_person:
                after = table.opened[name_of(decision)]
                begun.append((seat, decision, after, max(self.at[after], self.since(seat))))
        found = []
        for seat, decision, after, since in begun:
            first = since
            if self.clock.kind == ClockKind.BUDGET:  # one clock for all that he is asked at once
                first = min(other for who, _decision, _after, other in begun if who.name == seat.name)
            until = deadline(first, self.left(seat, first), self.stops(seat))
            found.append(Due(seat=seat, decision=decision, after=after, since=since, until=until))
        return sorted(found, key=lambda due: (due.until is None, due.until or due.since))


def clock_of(race: Race) -> Clock | None:
    """The race's clock. At a table nobody's time is taken."""
    return getattr(race, "clock", None) if race.is_online else None


def dues(race: Race, table: Table | None = None) -> list[Due]:
    """Whose time runs in a race, whose is up first first; nobody's where there is no clock."""
    clock = clock_of(race)
    if clock is None or not race.is_running:
        return []
    return Times(race, clock).dues(table or play.look(race))


# ---- what its leader does --------------------------------------------------------------------------------------------
def set_clock(race: Race, values: dict[str, Any] | None, *, by: User | None) -> None:
    """Give the race that clock (fields of `Clock`), or none. In a running race it is an entry, and everybody's time
    begins anew."""
    with transaction.atomic():
        race = Race.objects.select_for_update().get(pk=race.pk)
        if race.is_over:
            raise Refused(_("The race is over."))
        if not race.is_online:
            raise Refused(_("At a table nobody's time is taken."))
        if values is not None and values.get("bot") and values["bot"] not in bots.bots(race.game):
            raise Refused(_("There is no such bot."))
        Clock.objects.filter(race=race).delete()
        if values is not None:
            Clock.objects.create(race=race, **values)
        if race.is_running:
            with play.in_hand(race.pk) as table:
                play.note(table, {"kind": "clock", "clock": values}, by=by)


def pause(race_id: int, *, reason: str, by: User | None) -> None:
    """All clocks of the race stand until it goes on. Whoever wants to may ride all the same."""
    with play.in_hand(race_id) as table:
        if is_paused(table.race):
            raise Refused(_("The clocks stand already."))
        play.note(table, {"kind": "pause"}, by=by).reason = reason.strip()[:200]


def resume(race_id: int, *, by: User | None) -> None:
    """The clocks go on."""
    with play.in_hand(race_id) as table:
        if not is_paused(table.race):
            raise Refused(_("The clocks run already."))
        play.note(table, {"kind": "resume"}, by=by)


def is_paused(race: Race) -> bool:
    """Whether all clocks of the race stand."""
    newest = race.entries.filter(note__kind__in=["pause", "resume"]).last()
    return newest is not None and (newest.note or {})["kind"] == "pause"


# ---- absence ---------------------------------------------------------------------------------------------------------
def go_away(user: User, begins: datetime, ends: datetime, *, now: datetime | None = None) -> Vacation:
    """His clocks stand from then to then, in every race; the log of each in which a clock runs says so.

    What is past is past: a vacation begins now at the earliest, so none brings time back.
    """
    now = now or timezone.now()
    begins = max(begins, now)
    if ends <= begins:
        raise Refused(_("This vacation is over before it begins."))
    with transaction.atomic():
        away = Vacation.objects.create(user=user, begins=begins, ends=ends)
        _tell_races(user, {"kind": "vacation", "from": begins.isoformat(), "until": ends.isoformat()})
    return away


def come_home(vacation: Vacation, *, now: datetime | None = None) -> None:
    """He is back early, or stays at home after all. What has stood so far stays."""
    now = now or timezone.now()
    if vacation.ends <= now:
        raise Refused(_("This vacation is over."))
    with transaction.atomic():
        if vacation.begins >= now:
            vacation.delete()
        else:
            vacation.ends = now
            vacation.save(update_fields=["ends"])
        _tell_races(vacation.user, {"kind": "vacation", "until": now.isoformat()})


def _tell_races(user: User, note: dict[str, Any]) -> None:
    seats = Seat.objects.filter(user=user, race__in=Race.objects.running().exclude(clock=None))
    for race_id, name in seats.order_by("race", "order").values_list("race", "name"):
        with play.in_hand(race_id) as table:
            play.note(table, {**note, "seat": name}, by=user)


def kept_for(race: Race, user: User) -> StandIn | None:
    """The seat in which a bot rides until this user is back."""
    return StandIn.objects.filter(race=race, user=user).first()


def gatekeeper(user: User, race: Race) -> Right:
    """Whose seat a bot keeps may watch."""
    return Right.WATCH if kept_for(race, user) else Right.NOTHING


def come_back(race_id: int, user: User) -> int:
    """He takes his seat again from the bot that kept it; the number of the entry."""
    with transaction.atomic():
        with play.in_hand(race_id) as table:
            mine = kept_for(table.race, user)
            if mine is None:
                raise Refused(_("Nobody rides for you here."))
            newest = table.race.entries.filter(note__kind="substitution", note__seat=mine.seat).last()
            given_away = newest is None or newest.n != mine.n
        StandIn.objects.filter(pk=mine.pk).delete()
        if not given_away:
            return play.substitute(race_id, seat=mine.seat, user=user, bot="", label="", by=user)
    raise Refused(_("Your seat has been given to somebody else since."))


# ---- the sweep -------------------------------------------------------------------------------------------------------
def beat(now: datetime) -> Outage | None:
    """Say that the site runs. A long silence before this was an outage: it is kept, and all clocks stood during it."""
    silence = timedelta(seconds=max(60, SILENT_SWEEPS * settings.SWEEP_SECONDS))
    with transaction.atomic():
        pulse, new = Pulse.objects.select_for_update().get_or_create(pk=1, defaults={"at": now})
        if new or now <= pulse.at:
            return None
        before, pulse.at = pulse.at, now
        pulse.save(update_fields=["at"])
        return Outage.objects.create(began=before, ended=now) if now - before > silence else None


def sweep(now: datetime | None = None) -> int:
    """Deal with everybody whose time is up, in the order in which it was; how many those were."""
    now = now or timezone.now()
    beat(now)
    late: list[tuple[datetime, int, Due]] = []
    clocks = Clock.objects.exclude(policy=Policy.WAIT).filter(race__in=Race.objects.running())
    for clock in clocks.select_related("race__position"):
        try:
            found = Times(clock.race, clock).dues(play.look(clock.race)) if clock.race.is_online else []
        except (
            Exception
        ):  # one unreadable race must not stop the clocks of the others; `watch.sweep` reports it on its page
            log.exception("The times of race %s cannot be read.", clock.race.key)
            continue
        late += [(due.until, clock.race.pk, due) for due in found if due.until is not None and due.is_up(now)]
    late.sort(key=lambda line: line[:2])
    return sum(_time_is_up(race_id, due, now) for _until, race_id, due in late)


def _time_is_up(race_id: int, due: Due, now: datetime) -> bool:
    """What the clock says happens now; False if it was not so any more."""
    try:
        clock = Clock.objects.get(race=race_id)
        if clock.policy == Policy.SEAT and due.seat.user is not None:
            return _seat_is_taken(race_id, due, due.seat.user, clock.bot or LEVEL, now)
        return _is_decided(race_id, due, clock.bot, now)
    except (Clock.DoesNotExist, Refused, RulesError) as moved_on:
        log.info("Race %s: time was up for %s, and then not: %s", race_id, due.seat.name, moved_on)
        return False


def _is_decided(race_id: int, due: Due, level: str, now: datetime) -> bool:
    """A bot answers once. A guest's seat is never taken: nobody could give it back to him."""
    before = play.look(Race.objects.select_related("position").get(pk=race_id))
    decision = before.decision(due.name)
    if decision is None or before.opened.get(due.name) != due.after:
        return False
    action = play.think_for(before, decision, level)
    with play.in_hand(race_id) as table:
        if not _still_up(table, due, now):
            return False
        play.note(table, {"kind": "time", "seat": due.seat.name, "policy": Policy.DECIDE.value, "bot": level}, by=None)
        play.answer_for(table, decision, action)
    return True


def _seat_is_taken(race_id: int, due: Due, user: User, level: str, now: datetime) -> bool:
    with transaction.atomic():
        with play.in_hand(race_id) as table:
            if not _still_up(table, due, now):
                return False
            note = {"kind": "time", "seat": due.seat.name, "policy": Policy.SEAT.value, "bot": level}
            play.note(table, note, by=None)
        n = play.substitute(race_id, seat=due.seat.name, user=None, bot=level, label="", by=None)
        StandIn.objects.update_or_create(race_id=race_id, seat=due.seat.name, defaults={"user": user, "n": n})
    return True


def _still_up(table: Table, due: Due, now: datetime) -> bool:
    """Under the lock: the same decision of the same person is open, and his time is up."""
    clock = clock_of(table.race)
    if clock is None:
        return False
    open_now: Sequence[Due] = Times(table.race, clock).dues(table)
    return any(
        (other.name, other.after, other.seat.user_id) == (due.name, due.after, due.seat.user_id) and other.is_up(now)
        for other in open_now
    )
