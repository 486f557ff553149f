"""The past of a race: where it stood after an entry, and its log as one seat may read it.

Entries never change and neither does what they led to, so what was worked out once is kept in the cache: the log of a
race of 300 entries is not replayed for every reader. What is kept is as secret as the state that it was made from.
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
from rules.game import Decision, Json, Step
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
        fresh = _replayed(race, panel, missing)
        cache.set_many({_key(race, n): one for n, one in fresh.items()}, KEPT_SECONDS)
        found |= fresh
    return found


def _key(race: Race, n: int) -> str:
    return f"race-told:{race.key}:{race.version}:{n}"


def _replayed(race: Race, panel: Panel, wanted: Container[int]) -> dict[int, Told]:
    """The log from the start, through what was taken back too; as far as it can be read."""
    out: dict[int, Told] = {}
    try:
        for entry, before, action, step in _steps(race):
            if entry.n in wanted:
                out[entry.n] = _told(race, panel, before, action, step)
    except Exception:  # noqa: BLE001 - one damaged log must not take its page away; it is reported, and told as unreadable
        log.exception("The log of race %s cannot be read beyond entry %s.", race.key, max(out, default=0))
    return out


def _steps(race: Race) -> Iterator[tuple[Entry, Any, Any, Step[Any, Any]]]:
    """Every action of the log with the state that it answered and what it led to."""
    game = game_of(race)
    states: list[tuple[int, Any]] = [(0, game.setup(race.options, race.entrants))]
    for entry in race.entries.all():
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
    """The state after entry `n`, and what was open then."""
    try:
        state, _opened = rebuilt(race, n)
    except Exception as fault:  # noqa: BLE001 - as in `_replayed`
        log.exception("Race %s cannot be read at entry %s.", race.key, n)
        raise Refused(
            _("The log of this race is damaged: it cannot be shown as it stood after entry %(n)s.") % {"n": n}
        ) from fault
    return state, game_of(race).decisions(state)


def squares(race: Race, panel: Panel, n: int) -> dict[str, str]:
    """Where every rider stood after entry `n`, who stood on the road."""
    key = f"race-stood:{race.key}:{race.version}:{n}"
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
