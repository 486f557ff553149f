"""The past of a race: where it stood after an entry, and its log as one seat may read it.

Entries never change and neither does what they led to, so what was worked out once is kept in the cache: the log of a
race of 300 entries is not replayed for every reader, and not from its start for every new entry. What is kept is as
secret as the state that it was made from. Nothing that changes a race trusts it: `play` reads the log.
"""

import logging
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any

from django.core.cache import cache
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from races.errors import Refused
from races.models import Entry, Race
from races.panels import Panel
from races.play import game_of, rebuilt
from races.words import Cast, say
from rules.game import Decision, Json, Step, due
from rules.game import Seat as SeatName

log = logging.getLogger(__name__)

KEPT_SECONDS = 6 * 3600
NOBODY = ""
"""In the place of a seat: a spectator."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """An entry with an action, as readers may know it: by seat where that differs from what spectators know."""

    mark: str
    events: dict[str, list[Json]]
    action: dict[str, Json]

    def of(self, seat: str) -> tuple[list[Json], Json]:
        return self.events.get(seat, self.events[NOBODY]), self.action.get(seat, self.action[NOBODY])


def told(race: Race, panel: Panel, wanted: Iterable[int]) -> dict[int, Told]:
    """Those of the entries `wanted` that have an action, by their number."""
    numbers = set(wanted)
    keys = {_key(race, n): n for n in numbers}
    found = {keys[key]: one for key, one in cache.get_many(keys).items()}
    missing = numbers - found.keys()
    if missing:
        found |= _replayed(race, panel, missing)
    return found


def _key(race: Race, n: int) -> str:
    return f"race-told:{race.key}:{race.version}:{n}"


def _state_key(race: Race, n: int) -> str:
    return f"race-after:{race.key}:{race.version}:{n}"


def _squares_key(race: Race, n: int) -> str:
    return f"race-stood:{race.key}:{race.version}:{n}"


def _replayed(race: Race, panel: Panel, wanted: set[int]) -> dict[int, Told]:
    """The wanted entries, from the log; as far as it can be read. They are kept, with where everybody stood after them.

    Through what was taken back too. It begins where the last reader stopped, if that is known still.
    """
    game = game_of(race)
    out: dict[int, Told] = {}
    kept: dict[str, Any] = {}
    newest: tuple[int, Any] | None = None
    try:
        for entry, before, action, step in _steps(race, min(wanted)):
            newest = entry.n, step.state
            if entry.n in wanted:
                out[entry.n] = kept[_key(race, entry.n)] = _told(race, panel, before, action, step)
                kept[_squares_key(race, entry.n)] = panel.squares(game.view(step.state, None))
    except Exception:  # noqa: BLE001 - one damaged log must not take its page away; it is reported, and told as unreadable
        log.exception("The log of race %s cannot be read beyond entry %s.", race.key, max(out, default=0))
    if newest is not None:
        kept[_state_key(race, newest[0])] = game.write_state(newest[1])
    cache.set_many(kept, KEPT_SECONDS)
    return out


def _steps(race: Race, first: int) -> Iterator[tuple[Entry, Any, Any, Step[Any, Any]]]:
    """Every action of the log from entry `first` on, with the state that it answered and what it led to.

    Some before it too, if what stood there is not known or was gone back behind.
    """
    game = game_of(race)
    written = cache.get(_state_key(race, first - 1)) if first > 1 else None
    start = 0 if written is None else first - 1
    entries = list(race.entries.filter(n__gt=start).defer("events"))
    if start and any(entry.rewind_to is not None and entry.rewind_to < start for entry in entries):
        start, entries = 0, list(race.entries.defer("events"))
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
            yield entry, before, action, step


def _told(race: Race, panel: Panel, before: Any, action: Any, step: Step[Any, Any]) -> Told:
    game = game_of(race)
    events: dict[str, list[Json]] = {}
    answers: dict[str, Json] = {}
    readers: tuple[SeatName | None, ...] = (None, *game.seats(before))  # a spectator first
    for seat in readers:
        name = NOBODY if seat is None else str(seat)
        seen = [game.write_event(game.seen_event(step.state, event, seat)) for event in step.events]
        answer = game.write_action(game.seen_action(before, action, seat))
        if name == NOBODY or seen != events[NOBODY]:
            events[name] = seen
        if name == NOBODY or answer != answers[NOBODY]:
            answers[name] = answer
    return Told(mark=panel.mark(before, action), events=events, action=answers)


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


# ---- the log as a page prints it -------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One entry of the log as somebody may read it, or several alike that followed one another."""

    n: int  # of the newest
    first: int
    mark: str
    sentences: list[SafeString]
    at: datetime
    void: bool = False  # taken back since


@dataclass(frozen=True, slots=True, kw_only=True)
class _Read:
    """An entry as it may be read, before it is a line."""

    entry: Entry
    void: bool
    mark: str = ""
    events: Sequence[Any] = ()
    action: Any = None
    alike: str = ""


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
) -> list[Line]:
    """`entries`, newest first, as lines for `seat`. `notes` puts into words what is no action.

    `alone`: numbers of entries that stay lines of their own, whatever stands beside them.
    """
    out = []
    readable = _readable(race, entries, panel, seat)
    groups = groupby(readable, key=lambda one: (one.alike or one.entry.n, one.mark, one.void, one.entry.n in alone))
    for _alike, group in groups:
        alike = list(group)
        newest, oldest = alike[0], alike[-1]
        if newest.entry.action is None:
            sentences = [notes(newest.entry, cast)]
        elif newest.action is None:
            sentences = [say(_("This entry cannot be read."))]
        elif len(alike) > 1:
            told = [(one.events, one.action, one.entry.seat) for one in reversed(alike)]
            sentences = [panel.together(newest.alike, told, cast)]
        else:
            sentences = panel.lines(newest.events, newest.action, newest.entry.seat, cast, view)
        out.append(
            Line(
                n=newest.entry.n,
                first=oldest.entry.n,
                mark=newest.mark,
                sentences=sentences,
                at=newest.entry.at,
                void=newest.void,
            )  # fmt: skip
        )
    return out


def _readable(race: Race, entries: Sequence[Entry], panel: Panel, seat: str | None) -> list[_Read]:
    game = game_of(race)
    known = told(race, panel, [entry.n for entry in entries if entry.action is not None])
    rewinds = list(race.entries.filter(rewind_to__isnull=False).values_list("n", "rewind_to"))
    out = []
    for entry in entries:
        void = any(entry.n < n and to is not None and to < entry.n for n, to in rewinds)
        if entry.n not in known:
            out.append(_Read(entry=entry, void=void))
            continue
        one = known[entry.n]
        seen, answer = one.of(seat or NOBODY)
        events, action = [game.read_event(event) for event in seen], game.read_action(answer)
        alike = panel.alike(events, action)
        out.append(_Read(entry=entry, void=void, mark=one.mark, events=events, action=action, alike=alike))
    return out
