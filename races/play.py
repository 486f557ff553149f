"""The one door of a race: whatever changes it happens here, under the lock of its row, as an entry of its log.

A submission names the decision that it answers and the entry after which that decision was opened, so a second tab, a
double click or a late retry never becomes a second move; and it carries a key, so the same submission sent twice has
one entry and gets one answer. Bots think outside the lock and hand in their answer like everybody else.
"""

import logging
import random
import time
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from urllib.parse import quote, unquote

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_variables

from races import bots, fairness
from races.errors import Damaged, NotYours, Refused, StaleTurn
from races.models import Entry, Position, Race, Receipt, Seat, Secret, Status
from races.prepared import Prepared
from races.signals import race_over, reopening, starting
from rules import registry
from rules.game import AnyGame, Decision, Step, Taker, due

log = logging.getLogger(__name__)

STEPS_AT_ONCE = 200
SECONDS_AT_ONCE = 60.0
"""What one task may add, and how long it may take, before it hands over: a race of bots alone must not keep a worker."""

THINKING_SECONDS = 5.0
"""How long a bot may think about one decision; it then gives the best answer that it has."""

BACK_AT_ONCE = 50
"""Entries that are read at a time on the way back through a log."""

LONGEST_KEY = 64
"""Characters of the key that a submission carries."""


# ---- a race in hand --------------------------------------------------------------------------------------------------
class Ridden(NamedTuple):
    """An entry with an action: the state that it met, and what it led to."""

    entry: Entry
    before: Any
    action: Any
    step: Step[Any, Any]


@dataclass(slots=True)
class Table:
    """A race with its position, as one transaction sees it. `locked` says that nobody else can change it.

    `added`: entries that are not stored yet; `steps`: those with an action, also when they are stored.
    """

    race: Race
    game: AnyGame
    state: Any
    opened: dict[str, int]
    locked: bool = False
    added: list[Entry] = field(default_factory=list)
    steps: list["Ridden"] = field(default_factory=list)

    @property
    def open(self) -> tuple[Decision, ...]:
        """All that can be answered now."""
        return self.game.decisions(self.state) if self.race.is_running else ()

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """What the race waits for."""
        return due(self.open)

    def decision(self, name: str) -> Decision | None:
        """The open decision of that name, be it optional."""
        return next((decision for decision in self.open if name_of(decision) == name), None)


OPTIONAL = ":optional"


def name_of(decision: Decision) -> str:
    """What a form calls a decision: `named` reads it."""
    told = (decision.kind, decision.seat or "", decision.about or "", decision.why or "")
    return ":".join(quote(part, safe="") for part in told) + (OPTIONAL if decision.optional else "")


class Named(NamedTuple):
    """What the name of a decision says; empty where the decision says nothing."""

    kind: str = ""
    seat: str = ""
    about: str = ""
    why: str = ""
    optional: bool = False


def named(name: str) -> Named:
    """The parts of a decision's name; all empty if it is no such name."""
    parts = [unquote(part) for part in name.removesuffix(OPTIONAL).split(":")]
    if len(parts) != len(Named._fields) - 1:
        return Named()
    kind, seat, about, why = parts
    return Named(kind, seat, about, why, optional=name.endswith(OPTIONAL))


def waiting_for(opened: Mapping[str, int]) -> list[tuple[str, int]]:
    """Of the stored names of open decisions those that the race waits for: the seat, and the entry that opened each."""
    told = ((named(name), after) for name, after in opened.items())
    return [(said.seat, after) for said, after in told if not said.optional]


def game_of(race: Race) -> AnyGame:
    return registry.game(race.game, race.version)


def look(race: Race) -> Table:
    """The race as it stands, to be read. Damaged if it has no position (one that has not started never has), or none that
    can be read."""
    try:
        if not Race.position.is_cached(race):
            (race.position,) = _position(race.pk)
        position, game = race.position, game_of(race)
        table = Table(race=race, game=game, state=game.read_state(position.state), opened=dict(position.opened))
        open_now = {name_of(decision) for decision in table.decisions}
    except Exception as fault:  # whatever a damaged row breaks: its cause is told by the sweep, and logged there
        raise Damaged from fault
    if not open_now <= table.opened.keys():
        raise Damaged
    return table


_row = Prepared(lambda race: Race.objects.select_for_update().filter(pk=race))
_secret = Prepared(lambda race: Secret.objects.filter(race_id=race))
_position = Prepared(lambda race: Position.objects.filter(race_id=race))
_sent = Prepared(lambda race, seat, key: Receipt.objects.filter(race_id=race, seat=seat, key=key))


def _lock(race_id: int) -> Race:
    """The race's row, held until the transaction ends. Whoever changes a race has it from here."""
    assert transaction.get_connection().in_atomic_block, "a lock belongs into a transaction"
    found = _row(race_id)
    if not found:
        raise Race.DoesNotExist
    return found[0]


def _take(race_id: int) -> Table:
    race = _lock(race_id)
    if not race.has_started:
        raise Refused(_("This race has not started yet."))
    return _in_hand(race)


def _in_hand(race: Race) -> Table:
    """The position of a race whose row is locked. Damaged: nothing may be built on it."""
    table = look(race)
    if race.position.n != race.n:
        raise Damaged
    table.locked = True
    return table


class Done(NamedTuple):
    """What a submission led to: the number of its entry, and the race as it stood when the lock was given back."""

    n: int
    table: Table


class Seed(bytes):
    """A seed in hand. Reports of errors print the values of variables: this one is not told."""

    def __repr__(self) -> str:
        return "<a seed>"


# ---- making and starting ---------------------------------------------------------------------------------------------
@sensitive_variables("seed")
def open_race(
    *,
    title: str,
    game: str,
    options: Mapping[str, Any],
    seats: Sequence[Mapping[str, Any]],
    owner: User | None,
    way: str = "online",
    is_public: bool = True,
) -> Race:
    """Make a race that waits for its riders. Its seed is drawn now, and its commitment shown from now on.

    `seats` are in clockwise order: fields of `Seat` without race and order.
    """
    rules = registry.game(game)
    with transaction.atomic():
        race = Race.objects.create(
            title=title,
            game=game,
            version=rules.version,
            options=dict(options),
            owner=owner,
            way=way,
            is_public=is_public,
        )
        if race.is_online:
            seed = Seed(fairness.new_seed())
            Secret.objects.create(race=race, seed=seed)
            race.commitment = fairness.commitment(seed)
            race.save(update_fields=["commitment"])
        Seat.objects.bulk_create(Seat(race=race, order=order, **seat) for order, seat in enumerate(seats))
    return race


def start(race: Race, *, by: User | None) -> Race:
    """Everybody sits: the race begins. RulesError says what the rules have against options or entrants."""
    with transaction.atomic():
        race = _lock(race.pk)
        if not race.is_open:
            raise Refused(_("This race has started already."))
        starting.send(sender=Race, race=race)
        seats = list(race.seats.all())
        # at a table people sit whom the site does not know
        if race.is_online and (free := [seat for seat in seats if seat.is_free]):
            raise Refused(
                _("%(count)s seats are still free. Invite somebody, or let a bot ride: %(seats)s.")
                % {"count": len(free), "seats": ", ".join(str(seat) for seat in free)}
            )
        game = game_of(race)
        race.entrants = [{"seat": seat.name, **seat.entrant} for seat in seats]
        state = game.setup(race.options, race.entrants)
        race.status = Status.RUNNING
        race.started_at = timezone.now()
        race.save(update_fields=["entrants", "status", "started_at"])
        opened = {name_of(decision): 0 for decision in game.decisions(state)}
        Position.objects.create(race=race, n=0, state=game.write_state(state), opened=opened)
        table = Table(race=race, game=game, state=state, opened=opened, locked=True)
        _what_needs_nobody(table)
        _keep(table)
        publish(race)
    return race


@sensitive_variables("seed")
def go_on(
    *,
    title: str,
    game: str,
    version: int,
    options: Mapping[str, Any],
    entrants: Sequence[Mapping[str, Any]],
    entries: Sequence[Entry],
    origin: Mapping[str, Any],
    seats: Sequence[Mapping[str, Any]],
    owner: User,
) -> Race:
    """A practice race that goes on after `entries`, which were taken over from another, under a seed of its own.

    `entries` are numbered from 1 without a gap and are not stored yet; a note that follows them tells their `origin`,
    so that the race keeps its log whole. RulesError: the rules do not take the entries.
    """
    with transaction.atomic():
        race = open_race(title=title, game=game, options=options, seats=seats, owner=owner, is_public=False)
        race.version, race.entrants, race.n = version, [dict(entrant) for entrant in entrants], len(entries)
        race.status, race.started_at = Status.RUNNING, timezone.now()
        race.save(update_fields=["version", "entrants", "n", "status", "started_at"])
        for entry in entries:
            entry.race = race
        Entry.objects.bulk_create(entries)
        state, opened = rebuilt(race)
        rules = game_of(race)
        Position.objects.create(race=race, n=race.n, state=rules.write_state(state), opened=opened)
        table = Table(race=race, game=rules, state=state, opened=opened, locked=True)
        note(table, {"kind": "origin", **origin}, by=owner)
        _what_needs_nobody(table)
        _keep(table)
        publish(race)
    return race


# ---- entries ---------------------------------------------------------------------------------------------------------
def submit(
    race_id: int,
    *,
    seat: str,
    action: Any,
    decision: str,
    after: int,
    key: str,
    by: User | None = None,
) -> Done:
    """A seat answers its decision. The same key again: the same entry, and nothing is done.

    `decision` and `after` say what was on the page: the decision, and the entry after which it was opened.
    StaleTurn: the race has moved on. IllegalAction: the rules forbid it. NotYours: another seat decides this.
    """

    def may(race: Race, open_now: Decision | None) -> None:
        if not _may_answer(race, seat, by):
            raise NotYours
        if open_now is not None and (open_now.taker is not Taker.SEAT or open_now.seat != seat):
            raise NotYours

    return _hand_over(race_id, may, seat=seat, action=action, decision=decision, after=after, key=key, by=by)


def referee(
    race_id: int, *, action: Any, decision: str, after: int, key: str, by: User | None, only_public: bool = False
) -> Done:
    """At a table the referee types what was decided, rolled or drawn, for whomever it is. As `submit`.

    `only_public`: a refusal tells him no more than everybody may know.

    Of a race on the site its organiser answers only what the rules leave to him, such as the order on a stopwatch.
    """

    def may(race: Race, open_now: Decision | None) -> None:
        if race.is_online and not (open_now and open_now.taker is Taker.ORGANISER):
            raise Refused(_("This race is ridden on the site: its dice are rolled there."))

    return _hand_over(
        race_id, may, seat="", action=action, decision=decision, after=after, key=key, by=by,
        only_public=only_public,
    )  # fmt: skip


def _hand_over(
    race_id: int,
    may: Callable[[Race, Decision | None], None],
    *,
    seat: str,
    action: Any,
    decision: str,
    after: int,
    key: str,
    by: User | None,
    only_public: bool = False,
) -> Done:
    """An answer that somebody sends, under the lock. `may` refuses whom it is not for."""
    with transaction.atomic():
        table = _take(race_id)
        if (earlier := _receipt(table.race, seat, key)) is not None:
            return Done(earlier, _out_of_hand(table))
        table.race.read_seats()  # whose answer it is and what answers itself: both ask
        open_now = table.decision(decision)
        may(table.race, open_now)
        if open_now is None or table.opened.get(decision) != after:
            raise StaleTurn(table.race.n)
        entry = _answer(table, open_now, action, by=by, only_public=only_public)
        _what_needs_nobody(table)
        _keep(table)
        Receipt.objects.create(race=table.race, seat=seat, key=key, n=entry.n)
        if _bot_due(table) is not None:
            publish(table.race)
    return Done(entry.n, _out_of_hand(table))


def _out_of_hand(table: Table) -> Table:
    """The same to be looked at, when the lock is given back."""
    table.locked = False
    return table


def _may_answer(race: Race, name: str, by: User | None) -> bool:
    """Whether people answer for that seat, and `by` is not somebody who has lost it since his page was made."""
    seat = next((seat for seat in race.seats.all() if seat.name == name), None)
    if seat is None or seat.bot:
        return False
    return by is None or seat.user_id in (None, by.pk)


def _receipt(race: Race, seat: str, key: str) -> int | None:
    if not key or len(key) > LONGEST_KEY or "\0" in key:
        raise Refused(_("This form is damaged. Load the page again."))
    return next((receipt.n for receipt in _sent(race.pk, seat, key)), None)


def _answer(
    table: Table, decision: Decision, action: Any, *, by: User | None = None, only_public: bool = False
) -> Entry:
    """Apply an answer to that decision and no other, and write its entry."""
    game, before = table.game, table.state
    if not _answers(game, before, decision, action):
        # says which rule forbids it, as far as who sends it may know
        if only_public and decision.taker is Taker.SEAT:
            game.apply(game.view(before, None).state, action)
            raise Refused(_("What the player told the site in secret does not allow it. Ask again what was announced."))
        game.apply(game.view(before, decision.seat).state if decision.taker is Taker.SEAT else before, action)
        raise NotYours  # the rules take it, as the answer to another decision
    step = game.apply(before, action)
    answered = name_of(decision)
    table.state = step.state
    entry = _append(
        table,
        Entry(
            taker=decision.taker.value,
            seat=decision.seat if decision.taker is Taker.SEAT and decision.seat else "",
            after=table.opened.get(answered),
            action=game.write_action(action),
            events=[game.write_event(event) for event in step.events],
            by=by,
        ),
    )
    table.opened = {
        name: table.opened[name] if name in table.opened and name != answered else entry.n
        for name in map(name_of, game.decisions(step.state))
    }
    table.steps.append(Ridden(entry, before, action, step))
    return entry


def _answers(game: AnyGame, state: Any, decision: Decision, action: Any) -> bool:
    """Whether an action that the rules take answers this one of the open decisions."""
    if action in game.legal(state, decision):
        return True
    if decision.taker is not Taker.CHANCE:
        return False
    # what fell at a table may be unseen there, which is not among the outcomes: then nobody else must be asked for it
    return not any(action in game.legal(state, other) for other in game.decisions(state) if other != decision)


def _append(table: Table, entry: Entry) -> Entry:
    """The next line of the log."""
    assert table.locked, "the log is written under the race's lock"
    race = table.race
    race.n += 1
    entry.race, entry.n = race, race.n
    table.added.append(entry)
    return entry


def _keep(table: Table) -> None:
    """Store what was added, the position after it, and the end of the race if this was it."""
    race, game = table.race, table.game
    Entry.objects.bulk_create(table.added)
    table.added = []
    stands = {"n": race.n, "state": game.write_state(table.state), "opened": table.opened}
    if not Position.objects.filter(race=race).update(**stands):
        Position.objects.create(race=race, **stands)
    fields = ["n"]
    if race.is_running and not game.decisions(table.state):
        race.status, race.ended_at, race.outcome = Status.OVER, timezone.now(), game.outcome(table.state)
        race.trouble = ""  # whatever it was: the race has come to its end
        fields += ["status", "ended_at", "outcome", "trouble"]
        transaction.on_commit(lambda: race_over.send(sender=Race, race_id=race.pk), robust=True)
    race.save(update_fields=fields)


def publish(race: Race) -> None:
    """Wake whoever is due. Inside the transaction: the task goes out after its commit, and the sweep finds a lost one."""
    from races.tasks import advance as task  # leaf: the task calls this module

    transaction.on_commit(lambda: task.delay(race.pk), robust=True)


# ---- who is due ------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class Thought:
    """What a bot is asked, and which answer it is for."""

    level: str
    decision: Decision
    after: int
    state: Any
    game: AnyGame
    rng: random.Random


def advance(race_id: int) -> bool:
    """Take the bot decisions that are due, and whatever chance was left; whether any were. Safe to run twice, or never.

    Only an online race rolls its own dice. Bots think outside the lock; an answer to a board that has changed
    meanwhile is thrown away, and they think again.
    """
    moved = False
    end = time.monotonic() + SECONDS_AT_ONCE
    for step in range(STEPS_AT_ONCE):
        if step and time.monotonic() > end:
            break
        with transaction.atomic():
            race = _lock(race_id)
            if not race.is_running:
                return moved
            table = _in_hand(race)
            if _what_needs_nobody(table):
                _keep(table)
                moved = True
            thought = _bot_due(table)
        if thought is None:
            return moved
        moved = _hand_in(race_id, thought, _think(thought)) or moved
    with transaction.atomic():
        publish(_lock(race_id))
    return moved


def _think(thought: Thought) -> Any:
    """The bot's answer within its time. One that fails must not stop the race: then the rules answer for it."""
    end = time.monotonic() + THINKING_SECONDS
    game, decision = thought.game, thought.decision
    try:
        return bots.answer(
            game, thought.level, thought.state, decision, thought.rng, time_is_up=lambda: time.monotonic() > end
        )
    except Exception:  # whatever it was is ours to mend; it is told in the log, and the race goes on
        log.exception("The bot %s of %s has no answer to %s.", thought.level, game.name, decision.kind)
        return game.default(game.view(thought.state, decision.seat).state, decision)


@sensitive_variables("seed")
def _what_needs_nobody(table: Table) -> bool:
    """Roll what is to be rolled, and answer for those who wish it what has one answer only. Under the lock; to be kept.

    In the transaction of the action that led to it: nothing is ever chosen while something is still to be rolled.
    """
    race = table.race
    seed: bytes | None = None
    single: set[str | None] = (
        {seat.name for seat in race.seats.all() if seat.takes_single and not seat.bot} if race.is_online else set()
    )
    moved = False
    while race.is_running and table.decisions:
        decision = fairness.due(table.decisions) if race.is_online else None
        if decision is not None:
            if seed is None:
                seed = Seed(_secret(race.pk)[0].seed)
            action = fairness.answer(table.game, table.state, decision, seed=seed, race=race.key, entry=race.n + 1)
        else:
            found = _only_answer(table, single)
            if found is None:
                break
            decision, action = found
        _answer(table, decision, action)
        moved = True
    return moved


def _only_answer(table: Table, seats: Container[str | None]) -> tuple[Decision, Any] | None:
    """A decision of these seats with one answer only, as everybody can see: else to be quick would tell what he holds."""
    game = table.game
    for decision in table.decisions:
        if decision.taker is Taker.SEAT and decision.seat in seats:
            legal = game.legal(table.state, decision)
            if len(legal) == 1 and len(game.legal(game.view(table.state, None).state, decision)) == 1:
                return decision, legal[0]
    return None


def _bot_due(table: Table) -> Thought | None:
    """The first open decision of a bot, with all that it needs to think about it outside the lock."""
    levels = {seat.name: seat.bot for seat in table.race.seats.all() if seat.bot}
    for decision in table.decisions:
        if decision.taker is Taker.SEAT and decision.seat in levels:
            return Thought(
                level=levels[decision.seat],
                decision=decision,
                after=table.opened[name_of(decision)],
                state=table.state,
                game=table.game,
                rng=random.Random(f"{table.race.key}:{table.race.n}"),  # noqa: S311 - thinking, not dice
            )
    return None


def _hand_in(race_id: int, thought: Thought, action: Any) -> bool:
    """A bot's answer, if the board is still the one that it thought about and the seat is still its own."""
    with transaction.atomic():
        table = _take(race_id)
        name = name_of(thought.decision)
        decision = table.decision(name)
        if decision is None or table.opened.get(name) != thought.after:
            return False
        if not table.race.seats.filter(name=decision.seat, bot=thought.level).exists():
            return False
        _answer(table, decision, action)
        _what_needs_nobody(table)
        _keep(table)
    return True


# ---- going back ------------------------------------------------------------------------------------------------------
def effective(entries: Iterable[Entry]) -> list[Entry]:
    """The entries whose actions made the position, oldest first: those that no rewind took back."""
    kept: list[Entry] = []
    for entry in entries:
        if entry.rewind_to is not None:
            kept = [other for other in kept if other.n <= entry.rewind_to]
        elif entry.action is not None:
            kept.append(entry)
    return kept


def played(game: AnyGame, start: Any, entries: Iterable[Entry]) -> Iterator[tuple[Entry, Any, Step[Any, Any] | None]]:
    """Every entry of a log that begins at `start`, with the state that it met and, if it is an action, what it led to.

    Also those that were taken back later. Raises what the rules raise.
    """
    stood = {0: start}  # the states after the entries that were not taken back
    state = start
    for entry in entries:
        step = None
        if entry.rewind_to is not None:
            stood = {n: other for n, other in stood.items() if n <= entry.rewind_to}
            yield entry, state, None
            state = stood[max(stood)]
        elif entry.action is None:
            yield entry, state, None
        else:
            step = game.apply(state, game.read_action(entry.action))
            yield entry, state, step
            state = step.state
        stood[entry.n] = state


def rebuilt(race: Race, until: int | None = None) -> tuple[Any, dict[str, int]]:
    """State and opened decisions from the log alone, after entry `until` (None: the newest)."""
    game = game_of(race)
    state = game.setup(race.options, race.entrants)
    opened = {name_of(decision): 0 for decision in game.decisions(state)}
    entries = list(race.entries.defer("events") if until is None else race.entries.defer("events").filter(n__lte=until))
    last_rewind = max((entry.n for entry in entries if entry.rewind_to is not None), default=0)
    for entry in effective(entries):
        assert entry.action is not None, "only entries with an action make a position"
        action = game.read_action(entry.action)
        answered = name_of(answered_by(game, state, entry, action))
        state = game.apply(state, action).state
        opened = {
            name: opened[name] if name in opened and name != answered else entry.n
            for name in map(name_of, game.decisions(state))
        }
    # what was open before a rewind is asked anew after it
    return state, {name: max(n, last_rewind) for name, n in opened.items()}


def answered_by(game: AnyGame, state: Any, entry: Entry, action: Any) -> Decision:
    """The decision of `state` that an entry of the log answered."""
    decisions = game.decisions(state)
    own = [
        decision
        for decision in decisions
        if decision.taker.value == entry.taker and (decision.taker is not Taker.SEAT or decision.seat == entry.seat)
    ]
    if len(own) == 1:
        return own[0]
    return next(decision for decision in own or decisions if _answers(game, state, decision, action))


def recompute(race_id: int) -> bool:
    """Make the position anew from the log; whether it was the same. The log is untouched. Refused: it has not started.

    Also what hangs on the position: the number of the newest entry, and the end of a race in which nothing is left to decide.
    """
    with transaction.atomic():
        race = _lock(race_id)
        if not race.has_started:
            raise Refused(_("This race has not started yet."))
        found = Position.objects.filter(race=race).values("n", "state", "opened").first()
        was = (race.n, race.status, found)
        race.n = max(race.n, race.entries.aggregate(n=Max("n"))["n"] or 0)
        state, opened = rebuilt(race)
        game = game_of(race)
        _keep(Table(race=race, game=game, state=state, opened=opened, locked=True))
        return was == (race.n, race.status, {"n": race.n, "state": game.write_state(state), "opened": opened})


class Choice(NamedTuple):
    """What is to be known of an entry of a seat before it is taken back."""

    revealing: bool  # somebody could see after it what was hidden from him before
    free: bool  # something else could have been chosen


class Book:
    """What is read of a log before a choice is taken back. Whoever only asks may have read some of it already."""

    def __init__(self, race: Race) -> None:
        self.race = race

    def back(self, below: int | None = None) -> Iterator[Entry]:
        """Every entry, or those below a number, newest first, without its events; read as far as they are wanted."""
        entries = self.race.entries.defer("events").order_by("-n")
        while block := list((entries if below is None else entries.filter(n__lt=below))[:BACK_AT_ONCE]):
            yield from block
            below = block[-1].n

    def ridden(self, entry: Entry, before: int) -> tuple[Any, Any, Any]:
        """The state that an entry with an action met, after entry `before`; the action; and the state after it."""
        game = game_of(self.race)
        state = self.stood(before)
        assert entry.action is not None, "only entries with an action make a position"
        action = game.read_action(entry.action)
        return state, action, game.apply(state, action).state

    def stood(self, n: int) -> Any:
        """The state after entry `n`."""
        return rebuilt(self.race, until=n)[0]

    def choice(self, entry: Entry, before: int) -> Choice:
        """What kind of choice an entry was, which came after entry `before`."""
        game = game_of(self.race)
        state, action, after = self.ridden(entry, before)
        return Choice(
            revealing=_reveals(game, state, after),
            free=len(game.legal(state, answered_by(game, state, entry, action))) > 1,
        )

    def was_sent(self, entry: Entry) -> bool:
        """Whether somebody handed that choice in, and no clock decided it."""
        return Receipt.objects.filter(race=self.race, seat=entry.seat, n=entry.n).exists()


def can_take_back(race: Race, seat: str, book: Book | None = None) -> str | None:
    """None if the seat may take back its newest choice alone; else why not, in words."""
    try:
        _choice_to_take_back(race, seat, book or Book(race))
    except Refused as refusal:
        return str(refusal)
    return None


def _choice_to_take_back(race: Race, seat: str, book: Book) -> int:
    """The entry to go back to, so that the seat chooses its newest choice again. Refused says why it may not.

    What was answered for it because there was nothing to choose goes back with the choice before it.
    """
    if not race.is_running:
        raise Refused(_("The race is over.") if race.is_over else _("The race has not started."))
    changed: set[str] = set()  # seats that somebody else has taken after the entry in hand
    back = _standing(book.back(), changed)
    newest = next(back, None)
    while newest is not None:
        if newest.taker == Taker.CHANCE.value:
            raise Refused(_("Something has been rolled or drawn since: what was seen cannot be unseen."))
        if newest.seat != seat or newest.taker != Taker.SEAT.value:
            raise Refused(_("Somebody else has acted since."))
        if seat in changed:
            raise Refused(_("Somebody else sat here then."))
        older = next(back, None)
        to = older.n if older else 0
        choice = book.choice(newest, to)
        if choice.revealing:
            raise Refused(_("It showed something that was hidden: what was seen cannot be unseen."))
        if choice.free:
            if not book.was_sent(newest):
                raise Refused(_("The clock or a bot decided that, and it stands."))
            return to
        newest = older
    raise Refused(_("Nothing has been chosen yet."))


def _standing(back: Iterable[Entry], changed: set[str]) -> Iterator[Entry]:
    """Of the entries of a log, newest first, those that `effective` keeps; on the way the seats that changed hands."""
    until: int | None = None  # what is newer was taken back
    for entry in back:
        if entry.rewind_to is not None:
            until = entry.rewind_to if until is None else min(until, entry.rewind_to)
        elif entry.note is not None:
            if entry.note.get("kind") == "substitution":
                changed.add(str(entry.note.get("seat")))
        elif until is None or entry.n <= until:
            yield entry


def _reveals(game: AnyGame, before: Any, after: Any) -> bool:
    """Whether somebody can see after an action what was hidden from him before it."""
    was = {seat: hidden for seat, hidden in _hidden(game, before, (*game.seats(before), None)).items() if hidden}
    now = _hidden(game, after, was) if was else {}
    return any(was[seat] - now[seat] for seat in was)


def _hidden(game: AnyGame, state: Any, viewers: Iterable[Any]) -> dict[Any, Counter[str]]:
    """What each seat (None: a spectator) does not know of a position: each hidden value, by the path to what hides it."""

    def differ(path: str, true: Any, seen: Any) -> Iterator[str]:
        if true == seen:
            return
        if isinstance(true, dict) and isinstance(seen, dict):
            for name in true:
                if true[name] != seen.get(name):
                    yield from differ(f"{path}.{name}", true[name], seen.get(name))
        elif isinstance(true, list) and isinstance(seen, list) and len(true) == len(seen):
            for number, (one, other) in enumerate(zip(true, seen, strict=True)):
                if one != other:
                    yield from differ(f"{path}[{number}]", one, other)
        else:
            yield path

    whole = game.write_state(state)
    return {seat: Counter(differ("", whole, game.write_view(game.view(state, seat)))) for seat in viewers}


def take_back(race_id: int, *, seat: str, by: User | None) -> int:
    """A seat takes back its newest choice, which revealed nothing and which nobody has answered. The rewind's number."""
    with transaction.atomic():
        table = _take(race_id)
        if not _may_answer(table.race, seat, by):
            raise NotYours
        before = _choice_to_take_back(table.race, seat, Book(table.race))
        return _rewind(table, before, taker=Taker.SEAT.value, seat=seat, reason="", by=by)


def rewind(race_id: int, *, to: int, reason: str, by: User | None) -> int:
    """The organiser goes back to entry `to`, for a reason that everybody reads. Rolls that are taken back stay burnt."""
    with transaction.atomic():
        race = _lock(race_id)
        if not race.has_started:
            raise Refused(_("This race has not started yet."))
        if race.is_over and race.is_online:
            raise Refused(_("The race is over and its seed is shown: nothing can be taken back any more."))
        if not reason.strip():
            raise Refused(_("Say why the race goes back: everybody will read it."))
        kept = [entry.n for entry in effective(race.entries.defer("events"))]
        if to != 0 and to not in kept:
            raise Refused(_("Entry %(n)s is not part of the race as it stands.") % {"n": to})
        if to == (kept[-1] if kept else 0):
            raise Refused(_("The race stands there already: nothing would be taken back."))
        # the position is made anew from the log, so it does not matter whether the stored one can be read
        table = Table(race=race, game=game_of(race), state=None, opened={}, locked=True)
        return _rewind(table, to, taker=Taker.ORGANISER.value, seat="", reason=reason.strip(), by=by)


def _rewind(table: Table, to: int, *, taker: str, seat: str, reason: str, by: User | None) -> int:
    race = table.race
    if race.is_over:
        reopening.send(sender=Race, race=race)
        race.status, race.ended_at, race.outcome = Status.RUNNING, None, None
        race.save(update_fields=["status", "ended_at", "outcome"])
    entry = _append(table, Entry(taker=taker, seat=seat, rewind_to=to, reason=reason, by=by))
    Entry.objects.bulk_create(table.added)
    table.added = []
    try:
        table.state, table.opened = rebuilt(race)
    except Exception as fault:  # whatever a damaged log breaks: nothing is stored, and an earlier entry may do
        log.exception("Race %s cannot be taken back to entry %s.", race.key, to)
        raise Refused(
            _("The log of this race is damaged: it cannot be played as far as entry %(n)s. Choose an earlier one.")
            % {"n": to}
        ) from fault
    _what_needs_nobody(table)
    _keep(table)
    _calm(race)
    publish(race)
    return entry.n


def _calm(race: Race) -> None:
    """What was wrong may be mended by what was just done: the next sweep says so if it is not."""
    if race.trouble:
        race.trouble = ""
        race.save(update_fields=["trouble"])


# ---- who sits where, while it runs -----------------------------------------------------------------------------------
@contextmanager
def in_hand(race_id: int) -> Iterator[Table]:
    """A running race under its lock, for what is no turn: pauses, time that is up. What was added is kept at the end."""
    with transaction.atomic():
        table = _take(race_id)
        if not table.race.is_running:
            raise Refused(_("The race is over."))
        yield table
        if table.added:
            _what_needs_nobody(table)
            _keep(table)
            publish(table.race)


def answer_for(table: Table, decision: Decision, action: Any) -> Entry:
    """The answer of nobody's hand to a decision of somebody whose time is up."""
    assert table.locked, "answers are written under the race's lock"
    return _answer(table, decision, action)


def think_for(table: Table, decision: Decision, level: str) -> Any:
    """What a bot of that level would answer, from what the seat may know; without a level the answer that the rules name.

    Not under the lock: bots take their time.
    """
    thought = Thought(
        level=level,
        decision=decision,
        after=table.opened[name_of(decision)],
        state=table.state,
        game=table.game,
        rng=random.Random(f"{table.race.key}:{table.race.n}"),  # noqa: S311 - thinking, not dice
    )
    if level:
        return _think(thought)
    return table.game.default(table.game.view(table.state, decision.seat).state, decision)


def note(table: Table, text: dict[str, Any], *, by: User | None) -> Entry:
    """An entry that moves nobody: a substitution, a pause. Replay keeps its number."""
    return _append(table, Entry(taker=Taker.ORGANISER.value, note=text, by=by))


def substitute(
    race_id: int, *, seat: str, user: User | None, bot: str, label: str, by: User | None, guest: str = ""
) -> int:
    """Somebody else, a guest (by the hash of his key) or a bot takes a seat of a running race; an entry says so. Its number."""
    with transaction.atomic():
        table = _take(race_id)
        if not table.race.is_running:
            raise Refused(_("The race is over."))
        changed = Seat.objects.filter(race=table.race, name=seat).first()
        if changed is None:
            raise Refused(_("There is no such seat."))
        if bot and bot not in bots.bots(table.race.game):
            raise Refused(_("There is no such bot."))
        was = changed.bot
        changed.user, changed.bot, changed.guest = (None, bot, "") if bot else (user, "", guest)
        changed.label = label or changed.label
        changed.save()
        told = {"kind": "substitution", "seat": seat, "label": str(changed), "bot": bot, "was": was}
        entry = note(table, told, by=by)
        _keep(table)
        _calm(table.race)
        publish(table.race)
    return entry.n


def abandon(race_id: int, *, reason: str, by: User | None) -> None:
    """The organiser ends a race that will not be ridden to its end: no outcome, and an entry that says why."""
    with transaction.atomic():
        race = _lock(race_id)
        if race.is_over:
            raise Refused(_("The race is over."))
        if not reason.strip():
            raise Refused(_("Say why the race is abandoned: everybody will read it."))
        race.status, race.ended_at, race.trouble = Status.ABANDONED, timezone.now(), ""
        race.n += 1
        Entry.objects.create(
            race=race, n=race.n, taker=Taker.ORGANISER.value, note={"kind": "abandoned"}, reason=reason.strip(), by=by
        )
        Position.objects.filter(race=race).update(n=race.n)
        race.save(update_fields=["status", "ended_at", "n", "trouble"])
