"""The past of a race: where it stood after an entry, and its log as one seat may read it.

Entries never change and neither does what they led to, so what was worked out once is kept in the cache: the log of a
race of 300 entries is not replayed for every reader. What is kept is as secret as the state that it was made from.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.cache import cache
from django.utils.safestring import SafeString

from races.models import Entry, Race
from races.panels import Panel
from races.play import game_of, rebuilt
from races.words import Cast
from rules.game import Decision, Json

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
        fresh = _replayed(race, panel, max(missing), missing)
        cache.set_many({_key(race, n): one for n, one in fresh.items()}, KEPT_SECONDS)
        found |= fresh
    return found


def _key(race: Race, n: int) -> str:
    return f"race-told:{race.key}:{race.version}:{n}"


def _replayed(race: Race, panel: Panel, until: int, wanted: set[int]) -> dict[int, Told]:
    """The log from the start, through what was taken back too: each entry with the state that it answered."""
    game = game_of(race)
    seats = [str(seat) for seat in game.seats(game.setup(race.options, race.entrants))]
    states: list[tuple[int, Any]] = [(0, game.setup(race.options, race.entrants))]
    out = {}
    for entry in race.entries.filter(n__lte=until):
        if entry.rewind_to is not None:
            states = [(n, state) for n, state in states if n <= entry.rewind_to]
            continue
        if entry.action is None:
            continue
        before = states[-1][1]
        action = game.read_action(entry.action)
        step = game.apply(before, action)
        states.append((entry.n, step.state))
        if entry.n in wanted:
            events: dict[str, list[Json]] = {}
            actions: dict[str, Json] = {}
            for seat in (None, *seats):
                name = NOBODY if seat is None else seat
                seen = [game.write_event(game.seen_event(step.state, event, seat)) for event in step.events]
                answer = game.write_action(game.seen_action(before, action, seat))
                if name == NOBODY or seen != events[NOBODY]:
                    events[name] = seen
                if name == NOBODY or answer != actions[NOBODY]:
                    actions[name] = answer
            out[entry.n] = Told(mark=panel.mark(before, action), events=events, action=actions)
    return out


def stood(race: Race, n: int) -> tuple[Any, tuple[Decision, ...]]:
    """The state after entry `n`, and what was open then."""
    state, _opened = rebuilt(race, n)
    return state, game_of(race).decisions(state)


def squares(race: Race, panel: Panel, n: int) -> dict[str, str]:
    """Where every rider stood after entry `n`, who stood on the road."""
    key = f"race-stood:{race.key}:{race.version}:{n}"
    found: dict[str, str] | None = cache.get(key)
    if found is None:
        state, _open = stood(race, n)
        found = panel.squares(game_of(race).view(state, None))
        cache.set(key, found, KEPT_SECONDS)
    return found


# ---- the log as a page prints it -------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One entry of the log."""

    n: int
    mark: str
    sentences: list[SafeString]
    entry: Entry
    void: bool = False  # taken back since
    fresh: bool = False  # after the reader's last turn


def lines(
    race: Race,
    entries: Sequence[Entry],
    *,
    panel: Panel,
    cast: Cast,
    view: Any,
    seat: str | None,
    since: int | None,
    notes: Any,
) -> list[Line]:
    """`entries` as lines for `seat`. `since`: the reader's last own entry; `notes` puts a note or a rewind into words."""
    game = game_of(race)
    known = told(race, panel, [entry.n for entry in entries if entry.action is not None])
    rewinds = list(race.entries.filter(rewind_to__isnull=False).values_list("n", "rewind_to"))
    out = []
    for entry in entries:
        if entry.n in known:
            one = known[entry.n]
            events, action = one.of(seat or NOBODY)
            sentences = panel.lines(
                [game.read_event(event) for event in events], game.read_action(action), entry.seat, cast, view
            )
            mark = one.mark
        else:
            sentences, mark = [notes(entry, cast)], ""
        out.append(
            Line(
                n=entry.n,
                mark=mark,
                sentences=sentences,
                entry=entry,
                void=any(entry.n < n and to is not None and to < entry.n for n, to in rewinds),
                fresh=since is not None and entry.n > since,
            )
        )
    return out
