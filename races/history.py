"""The past of a race: where it stood after an entry, and its log as one seat may read it.

Entries never change and neither does what they led to, so what was worked out once is kept in the cache: the log of a
race of 300 entries is not replayed for every reader, and not from its start for every new entry. What is kept is as
secret as the state that it was made from. Nothing that changes a race trusts it: `play` reads the log.
"""

import hashlib
import json
import logging
from collections.abc import Callable, Collection, Container, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache, partial
from itertools import groupby
from threading import Lock
from typing import Any, Final

from django.core.cache import cache
from django.db.models import Max, QuerySet
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from races.errors import Refused
from races.models import Entry, Race
from races.panels import Panel, panel_of
from races.play import Book, Choice, Ridden, game_of, rebuilt
from races.prepared import Prepared
from races.words import Cast, say
from rules import registry
from rules.game import Decision, Step, Taker, due
from rules.game import Seat as SeatName

log = logging.getLogger(__name__)

KEPT_SECONDS = 6 * 3600
Rewind = tuple[int, int | None]
"""An entry that goes back, and to where."""
NOBODY = ""
"""In the place of a seat: a spectator."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """An entry with an action, as readers may know it: by seat where that differs from what spectators know.
    When the race is over everybody knows all of it.

    What each knows is JSON, the action first and then the events: what was read or told of it once is found by it.
    """

    mark: str
    known: dict[str, str]

    def of(self, seat: str) -> str:
        return self.known.get(seat, self.known[NOBODY])


def told(race: Race, panel: Panel, entries: Sequence[Entry]) -> dict[int, Told]:
    """Those of the entries that have an action and can be read, by their number. Newest first, without a gap."""
    numbers = {entry.n for entry in entries if entry.action is not None}
    keys = {_key(race, n): n for n in numbers}
    found = {keys[key]: one for key, one in cache.get_many(keys).items()}
    missing = numbers - found.keys()
    if missing:  # from the log as far as it can be read, through what was taken back too
        found |= keep(race, panel, _steps(race, missing, entries))
    return found


def _key(race: Race, n: int) -> str:
    whole = "whole" if race.is_over else "seen"
    return f"race-known:{race.key}:{race.version}:{whole}:{n}"


def _state_key(race: Race, n: int) -> str:
    return f"race-after:{race.key}:{race.version}:{n}"


def _squares_key(race: Race, n: int) -> str:
    return f"race-stood:{race.key}:{race.version}:{n}"


def keep(race: Race, panel: Panel, steps: Iterable[Ridden]) -> dict[int, Told]:
    """What readers may know of steps that somebody has at hand, and where everybody stood after them, as far as it can be
    read. It is kept, so that nobody has to replay them."""
    game = game_of(race)
    out: dict[int, Told] = {}
    kept: dict[str, Any] = {}
    newest: Ridden | None = None
    try:
        for one in steps:
            newest, n = one, one.entry.n
            out[n] = kept[_key(race, n)] = _told(race, panel, one.before, one.action, one.step)
            kept[_squares_key(race, n)] = panel.squares(game.view(one.step.state, None))
    except Exception:  # noqa: BLE001 - one damaged log must not take its page away; it is reported, and told as unreadable
        log.exception("The log of race %s cannot be read beyond entry %s.", race.key, max(out, default=0))
    if newest is not None:
        kept[_state_key(race, newest.entry.n)] = game.write_state(newest.step.state)
        cache.set_many(kept, KEPT_SECONDS)
    return out


def _steps(race: Race, wanted: Collection[int], read: Sequence[Entry]) -> Iterator[Ridden]:
    """The wanted actions of the entries that were `read`, with the state that each met and what it led to.

    What lies between them is ridden too; and what lies before them, if what stood there is not known or was gone back behind.
    """
    game, first = game_of(race), min(wanted)
    written = cache.get(_state_key(race, first - 1)) if first > 1 else None
    start = 0 if written is None else first - 1
    entries = [entry for entry in reversed(read) if entry.n > start]
    if not start or any(entry.rewind_to is not None and entry.rewind_to < start for entry in entries):
        start, entries = 0, list(race.entries.filter(n__lte=read[0].n).defer("events"))
    state = game.read_state(written) if start and written else game.setup(race.options, race.entrants)
    states: list[tuple[int, Any]] = [(start, state)]
    for entry in entries:
        if entry.rewind_to is not None:
            states = [(n, state) for n, state in states if n <= entry.rewind_to]
        elif entry.action is not None:
            before = states[-1][1]
            action = game.read_action(entry.action)
            step = game.apply(before, action)
            states.append((entry.n, step.state))
            if entry.n in wanted:
                yield Ridden(entry, before, action, step)


def _told(race: Race, panel: Panel, before: Any, action: Any, step: Step[Any, Any]) -> Told:
    game = game_of(race)
    if race.is_over:
        whole = [game.write_action(action), *(game.write_event(event) for event in step.events)]
        return Told(mark=panel.mark(before, action), known={NOBODY: json.dumps(whole)})
    known: dict[str, str] = {}
    readers: tuple[SeatName | None, ...] = (None, *game.seats(before))  # a spectator first
    for seat in readers:
        name = NOBODY if seat is None else str(seat)
        seen = [game.write_event(game.seen_event(step.state, event, seat)) for event in step.events]
        written = json.dumps([game.write_action(game.seen_action(before, action, seat)), *seen])
        if name == NOBODY or written != known[NOBODY]:
            known[name] = written
    return Told(mark=panel.mark(before, action), known=known)


def stood(race: Race, n: int) -> tuple[Any, tuple[Decision, ...]]:
    """The state after entry `n`, and what the race waited for then."""
    try:
        state, _opened = rebuilt(race, n)
    except Exception as fault:  # noqa: BLE001 - as in `_replayed`
        log.exception("Race %s cannot be read at entry %s.", race.key, n)
        raise Refused(
            _("The log of this race is damaged: it cannot be shown as it stood after entry %(n)s.") % {"n": n}
        ) from fault
    return state, due(game_of(race).decisions(state))


def stands(race: Race, n: int) -> Any:
    """The state after entry `n`, to be looked at: as it is kept, else from the log. Raises what the rules raise."""
    game = game_of(race)
    key = _state_key(race, n)
    if (written := cache.get(key)) is not None:
        return game.read_state(written)
    state, _opened = rebuilt(race, n)
    cache.set(key, game.write_state(state), KEPT_SECONDS)
    return state


def squares(race: Race, panel: Panel, n: int) -> dict[str, str]:
    """Where every rider stood after entry `n`, who stood on the road."""
    key = _squares_key(race, n)
    found: dict[str, str] | None = cache.get(key)
    if found is None:
        try:
            state, _open = stood(race, n)
        except Refused:
            return {}
        found = panel.squares(game_of(race).view(state, None))
        cache.set(key, found, KEPT_SECONDS)
    return found


NEWEST: Final = 24
"""Entries at the end of a log that a page mostly wants."""


def _back(race: int) -> QuerySet[Entry]:
    return Entry.objects.filter(race_id=race).defer("events").order_by("-n")


_newest = Prepared(lambda race: _back(race)[:NEWEST])


class Reading(Book):
    """The log as a page reads it: what it prints and what may be taken back are told from the same one query.

    `steps`: entries that were written for this reader a moment ago, with what they led to.
    """

    def __init__(self, race: Race, steps: Sequence[Ridden] = ()) -> None:
        super().__init__(race)
        self._steps = {one.entry.n: one for one in steps}
        self._sent = next(iter(self._steps), None)  # the first is what he sent, and the rest came of it
        self._newest: list[Entry] = []

    def newest(self, count: int) -> list[Entry]:
        """So many entries at most, newest first, without their events."""
        if len(self._newest) < min(count, self.race.n):
            self._newest = _newest(self.race.pk) if count <= NEWEST else list(_back(self.race.pk)[:count])
        return self._newest[:count]

    def back(self, below: int | None = None) -> Iterator[Entry]:
        yield from (entry for entry in self._newest if below is None or entry.n < below)
        yield from super().back(self._newest[-1].n if self._newest else below)

    def ridden(self, entry: Entry, before: int) -> tuple[Any, Any, Any]:
        if (one := self._steps.get(entry.n)) is not None:
            return one.before, one.action, one.step.state
        return super().ridden(entry, before)

    def choice(self, entry: Entry, before: int) -> Choice:
        key = f"race-choice:{self.race.key}:{self.race.version}:{entry.n}"
        found: Choice | None = None if entry.n in self._steps else cache.get(key)
        if found is None:
            found = super().choice(entry, before)
            cache.set(key, found, KEPT_SECONDS)
        return found

    def stood(self, n: int) -> Any:
        return stands(self.race, n)

    def was_sent(self, entry: Entry) -> bool:
        return entry.n == self._sent or super().was_sent(entry)

    def last_of(self, seats: Collection[str]) -> int | None:
        """The newest entry of one of these seats."""
        seen = self._newest
        own = (one.n for one in seen if one.taker == Taker.SEAT.value and one.seat in seats and one.rewind_to is None)
        if (found := next(own, None)) is not None or (seen and seen[-1].n == 1):
            return found
        mine = self.race.entries.filter(taker=Taker.SEAT.value, seat__in=seats, rewind_to=None)
        newest: int | None = mine.aggregate(n=Max("n"))["n"]
        return newest


# ---- the log as a page prints it -------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One entry of the log as somebody may read it, or several alike that followed one another."""

    n: int  # of the newest
    first: int
    mark: str
    sentences: list[SafeString]
    at: datetime
    address: str  # where the race stands as it did then
    void: bool = False  # taken back since

    @property
    def title(self) -> str:
        return _("Entry %(n)s") % {"n": self.n}

    @property
    def words(self) -> str:
        """The same within a sentence."""
        return _("entry %(n)s") % {"n": self.n}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Read:
    """An entry as it may be read, before it is a line."""

    entry: Entry
    void: bool
    mark: str = ""
    known: str | None = None  # JSON, as `Told` has it; None: no action, or one that cannot be read
    events: Sequence[Any] = ()
    action: Any = None
    alike: str = ""


SENTENCES_KEPT: Final = 10_000
"""Lines of logs, each a few hundred bytes, that this process does not put into words again."""


class _Sentences:
    """Lines that were told, found by all that they were told from: so they are never out of date, nor somebody else's."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = Lock()
        self._told: dict[Hashable, list[SafeString]] = {}

    def of(self, key: Hashable, tell: Callable[[], list[SafeString]]) -> list[SafeString]:
        told = self._told.get(key)
        if told is None:
            told = tell()
            with self._lock:
                self._told[key] = told
                while len(self._told) > self._most:
                    del self._told[next(iter(self._told))]
        return told


_sentences = _Sentences(SENTENCES_KEPT)


def lines(
    race: Race,
    entries: Sequence[Entry],
    *,
    panel: Panel,
    cast: Cast,
    view: Any,
    seat: str | None,
    alone: Container[int] = (),
    notes: Callable[[Entry, Cast], SafeString],
    rewinds: Sequence[Rewind] | None = None,
) -> list[Line]:
    """`entries`, newest first, as lines for `seat`. `notes` puts into words what is no action.

    `alone`: numbers of entries that stay lines of their own, whatever stands beside them. Of `view` the sentences say
    only what does not change during a race: they are kept, and told again to whoever may know the same. `rewinds`: those
    of the race, if they are known.
    """
    out = []
    readable = _readable(race, entries, panel, seat, rewinds)
    around = _around(race, cast)
    groups = groupby(readable, key=lambda one: (one.alike or one.entry.n, one.mark, one.void, one.entry.n in alone))
    for _alike, group in groups:
        alike = list(group)
        newest, oldest = alike[0], alike[-1]
        if newest.entry.action is None:
            sentences = [notes(newest.entry, cast)]
        elif newest.action is None:
            sentences = [say(_("This entry cannot be read."))]
        else:
            key = (around, *((one.known, one.entry.seat) for one in alike))
            tell = partial(_tell, alike, panel, cast, view, secret=not race.is_over)
            sentences = _sentences.of(key, tell)
        out.append(
            Line(
                n=newest.entry.n,
                first=oldest.entry.n,
                mark=newest.mark,
                sentences=sentences,
                at=newest.entry.at,
                address=_address(race.key, newest.entry.n),
                void=newest.void,
            )  # fmt: skip
        )
    return out


@lru_cache(maxsize=SENTENCES_KEPT)
def _address(key: str, n: int) -> str:
    return reverse("races:entry", args=[key, n])


def _around(race: Race, cast: Cast) -> str:
    """All that the words of an entry hang on beside itself: language, game, course, the names of everybody, and whether
    anything is secret still."""
    seats = [(seat.name, str(seat), seat.bot) for seat in cast.seats.values()]
    told = (get_language(), race.game, race.version, race.options, list(cast.riders.values()), seats, race.is_over)
    return hashlib.sha256(repr(told).encode()).hexdigest()


def _tell(alike: Sequence[_Read], panel: Panel, cast: Cast, view: Any, *, secret: bool) -> list[SafeString]:
    """The sentences of an entry, or of several that are told as one; newest first."""
    newest = alike[0]
    if len(alike) == 1:
        return panel.lines(newest.events, newest.action, newest.entry.seat, cast, view, secret=secret)
    told = [(one.events, one.action, one.entry.seat) for one in reversed(alike)]
    return [panel.together(newest.alike, told, cast)]


@lru_cache(maxsize=SENTENCES_KEPT)
def _read(name: str, version: int, known: str) -> tuple[Sequence[Any], Any, str]:
    """Events and action from their JSON, and the word for entries alike."""
    game = registry.game(name, version)
    answer, *seen = json.loads(known)
    events, action = [game.read_event(event) for event in seen], game.read_action(answer)
    return events, action, panel_of(name).alike(events, action)


def _readable(
    race: Race, entries: Sequence[Entry], panel: Panel, seat: str | None, rewinds: Sequence[Rewind] | None
) -> list[_Read]:
    known = told(race, panel, entries)
    if rewinds is None:
        rewinds = list(race.entries.filter(rewind_to__isnull=False).values_list("n", "rewind_to"))
    out = []
    for entry in entries:
        void = any(entry.n < n and to is not None and to < entry.n for n, to in rewinds)
        if entry.n not in known:
            out.append(_Read(entry=entry, void=void))
            continue
        one = known[entry.n]
        text = one.of(seat or NOBODY)
        events, action, alike = _read(race.game, race.version, text)
        out.append(_Read(entry=entry, void=void, mark=one.mark, known=text, events=events, action=action, alike=alike))
    return out
