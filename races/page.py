"""The page of a race for one reader: everything on it is made here, from what his seat may know.

`Page` is a race that runs or is over, as it stands; `Past` is the same after an earlier entry, to be looked at only.
"""

import json
import logging
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from races import history, play
from races.access import Viewer
from races.board import board_of
from races.board.strip import Drawing, Strip, Zoom, draw, patterns
from races.board.whole import Sample, key, overview
from races.clock_words import note_of_clock
from races.models import Entry, Seat
from races.origins import Origins
from races.panels import Asked, Bunch, Panel, Phase, Question, Rider, Side, panel_of
from races.play import Table, name_of
from races.transfer import ORIGIN
from races.words import Cast, say
from rules.errors import RulesError
from rules.game import MANY, AnyGame, Decision, Taker, listed
from rules.game import Seat as SeatName

log = logging.getLogger(__name__)

LOG_LINES = history.NEWEST
MOST_LINES = 200
"""Lines of the log on a page: so many, or back to the reader's last turn, but not more than the second number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Looking:
    """What the address says of how somebody looks at a race. Nothing of it is trusted, and nothing is changed by it."""

    to: str = ""  # a move, as the board's links call it
    choice: str = ""  # an answer, as the list's radio buttons have it
    rider: str = ""
    decision: str = ""  # which of one's own open decisions
    window: int | None = None
    zoom: Zoom = Zoom.NEAR
    before: int | None = None  # the log from here backwards

    @classmethod
    def of(cls, query: Mapping[str, Any]) -> "Looking":
        zoom = query.get("zoom", "")
        return cls(
            to=query.get("to", "")[:200],
            choice=query.get("action", "")[:4000],
            rider=query.get("rider", "")[:80],
            decision=query.get("decision", "")[:200],
            window=_whole(query.get("window")),
            zoom=Zoom(zoom) if zoom in tuple(Zoom) else Zoom.NEAR,
            before=_whole(query.get("before")),
        )

    def query(self, **changes: Any) -> str:
        """The address with changes; what is empty or as ever is left out."""
        values: dict[str, Any] = {
            "decision": self.decision,
            "rider": self.rider,
            "to": self.to,
            "window": self.window,
            "zoom": "" if self.zoom is Zoom.NEAR else self.zoom.value,
        }
        values |= changes
        return "?" + urlencode({name: value for name, value in values.items() if value not in ("", None)})


def _whole(text: Any) -> int | None:
    try:
        number = int(text)
    except (TypeError, ValueError):
        return None
    return number if abs(number) < 10**6 else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Why an answer was not taken."""

    sentences: Sequence[tuple[str | None, str]]  # rule and sentence
    late: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Tab:
    """One of several decisions that are the reader's own."""

    label: str
    href: str
    current: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Own:
    """The decision that the panel is about."""

    name: str
    after: int
    key: str
    question: Question
    decision: Decision
    tabs: tuple[Tab, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """The drawings of a moment: up the page for a phone, to the right for a wide screen."""

    patterns: SafeString
    up: Drawing
    wide: Drawing
    overview_up: SafeString
    overview_wide: SafeString
    key: list[Sample]  # the signs that are on it


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """Something that may be said beside the turn, as a form of its own."""

    name: str
    after: int
    key: str
    question: Question
    player: str  # whose word it is, where the reader speaks for several
    urgent: bool  # the others wait for it before long


class Scene:
    """A moment of a race as one reader sees it: the board, the field, the log."""

    htmx = False  # the links of the board renew a part of the page

    def __init__(
        self, viewer: Viewer, game: AnyGame, state: Any, decisions: tuple[Decision, ...], n: int, looking: Looking
    ) -> None:
        self.viewer, self.race, self.game, self.looking, self.n = viewer, viewer.race, game, looking, n
        self._state = state
        self.decisions = decisions
        self.panel: Panel = panel_of(self.race.game)

    @cached_property
    def seats(self) -> list[Seat]:
        self.race.read_seats()  # whoever prints them elsewhere on the page asks no more
        return list(self.race.seats.all())

    @property
    def seat(self) -> Seat | None:
        """Through whose eyes."""
        return self.viewer.seat()

    @property
    def seat_name(self) -> str | None:
        return self.seat.name if self.seat else None

    @cached_property
    def view(self) -> Any:
        return self.game.view(self._state, SeatName(self.seat.name) if self.seat else None)

    @cached_property
    def cast(self) -> Cast:
        return self.panel.cast(self.view, self.seats)

    @cached_property
    def mine(self) -> frozenset[str]:
        own = {seat.name for seat in self.viewer.seats}
        return frozenset(rider.id for rider in self.cast.riders.values() if rider.seat in own)

    @cached_property
    def phase(self) -> Phase:
        return self.panel.phase(self.view)

    @property
    def figure(self) -> str:
        """The heading of the last column of the field."""
        return self.panel.figure

    @cached_property
    def road(self) -> list[Rider | Bunch]:
        return self.panel.road(self.view, self.decisions, self.cast, self.mine)

    @cached_property
    def standing(self) -> tuple[Side, ...]:
        """The teams, where a race is won by teams."""
        return self.panel.standing(self.view, self.cast, self.mine)

    def strip(self) -> Strip:
        return board_of(self.race.game).strip(self.view, names=self.cast.names, mine=self.mine)

    @cached_property
    def drawn(self) -> Strip:
        return self.strip()

    @cached_property
    def moved(self) -> dict[str, int]:
        """How many columns everybody has ridden since the reader's last turn, of whoever has."""
        if not self.cast.riders:
            return {}
        road, found = self.drawn.road, {}
        for token in self.drawn.tokens:
            if token.since is not None and token.square is not None and token.since != token.square:
                now, then = (road.column(road.squares[square].end) for square in (token.square, token.since))
                found[token.rider] = now - then
        return {rider: columns for rider, columns in found.items() if columns}

    @cached_property
    def board(self) -> Board | None:
        """None before there is anybody on the road."""
        if not self.cast.riders:
            return None
        strip, looking = self.drawn, self.looking
        keep = {"decision": looking.decision} if looking.decision else {}
        up = draw(strip, upright=True, window=looking.window, zoom=looking.zoom, htmx=self.htmx, keep=keep)
        wide = draw(strip, upright=False, window=looking.window, zoom=looking.zoom, htmx=self.htmx, keep=keep)
        return Board(
            patterns=patterns(), up=up, wide=wide, overview_up=overview(strip, up), overview_wide=overview(strip, wide),
            key=key(strip, wide if wide.columns > up.columns else up),
        )  # fmt: skip

    @property
    def zoom_href(self) -> str:
        """To the other zoom."""
        return self.looking.query(zoom=Zoom.FAR.value if self.looking.zoom is Zoom.NEAR else "")

    @property
    def home_href(self) -> str:
        """To the window around the action."""
        return self.looking.query(window=None)

    @property
    def is_far(self) -> bool:
        return self.looking.zoom is Zoom.FAR

    # ---- the log ----
    def lines_of(
        self, entries: Sequence[Entry], since: int | None = None, rewinds: Sequence[history.Rewind] | None = None
    ) -> list[history.Line]:
        """`since`: an entry that is to be a line of its own."""
        return history.lines(
            self.race,
            entries,
            panel=self.panel,
            cast=self.cast,
            view=self.view,
            seat=self.seat_name,
            alone=() if since is None else (since,),
            notes=self._note_words,
            rewinds=rewinds,
        )

    @cached_property
    def origins(self) -> Origins:
        return Origins(self.race, self.viewer.user)

    def _note_words(self, entry: Entry, cast: Cast) -> SafeString:
        """A note in words, with a link to where the reader may go."""
        note = entry.note or {}
        return self.origins.of(note).words if note.get("kind") == ORIGIN else note_words(entry, cast)


class Page(Scene):
    """The race as it stands, with what the reader has to decide."""

    htmx = True

    def __init__(
        self,
        viewer: Viewer,
        table: Table,
        looking: Looking,
        *,
        typed: Mapping[str, str] | None = None,
        refusal: Refusal | None = None,
        answered: bool = False,
    ) -> None:
        super().__init__(viewer, table.game, table.state, table.decisions, viewer.race.n, looking)
        self.opened = table.opened
        self._open = table.open
        self._steps = table.steps
        self.refusal = refusal
        self._answered = answered
        self.typed_fields = typed or {}

    # ---- whose turn ----
    @cached_property
    def own_decisions(self) -> list[Decision]:
        seats = {seat.name for seat in self.viewer.seats}
        return [d for d in self.decisions if d.taker is Taker.SEAT and d.seat in seats]

    @cached_property
    def current(self) -> Decision | None:
        """The one of them that the panel is about."""
        wanted = [d for d in self.own_decisions if name_of(d) == self.looking.decision]
        return next(iter(wanted or self.own_decisions), None)

    @property
    def seat(self) -> Seat | None:
        return self.viewer.seat(self.current.seat) if self.current else self.viewer.seat()

    @cached_property
    def legal(self) -> Sequence[Any]:
        return listed(self.game.legal(self.view.state, self.current)) if self.current else ()

    @cached_property
    def asked(self) -> Asked:
        looking = self.looking
        action = None
        if looking.choice:
            action = self._chosen(looking.choice)
        elif looking.to and len(self.legal) <= MANY:
            action = board_of(self.race.game).find(looking.to, self.legal)
        return Asked(
            action=action,
            rider=looking.rider or None,
            typed=self.typed_fields,
            to_href=lambda value: looking.query(to=value, rider=""),
            action_href=lambda code: looking.query(action=code, to="", rider=""),
        )

    def _chosen(self, text: str) -> Any:
        """The answer of the list that is pointed at; None if it is none of them."""
        try:
            action = self.game.read_action(json.loads(text))
        except (ValueError, RulesError, AttributeError, TypeError, RecursionError):
            return None
        if action not in self.legal:
            return None
        if len(self.legal) > MANY:
            return action
        return next((legal for legal in self.legal if legal == action), None)

    @cached_property
    def own(self) -> Own | None:
        decision = self.current
        if decision is None:
            return None
        question = self.panel.question(self.game, self.view, decision, self.legal, self.cast, self.asked)
        name = name_of(decision)
        tabs = tuple(
            Tab(
                label=self.cast.rider(other.about).full if other.about else self.cast.player(other.seat),
                href=self.looking.query(decision=name_of(other), to="", rider="", window=None),
                current=other == decision,
            )
            for other in self.own_decisions
        )
        return Own(
            name=name,
            after=self.opened[name],
            key=secrets.token_urlsafe(12),
            question=question,
            decision=decision,
            tabs=tabs if len(tabs) > 1 else (),
        )

    def eyes(self, decision: Decision) -> SeatName | None:
        """Through whose eyes the reader answers it."""
        return decision.seat

    def speaks_for(self, decision: Decision) -> bool:
        """Whether the reader may say that beside the turn."""
        return any(seat.name == decision.seat for seat in self.viewer.seats)

    @cached_property
    def beside(self) -> list[Beside]:
        """What the reader may say beside the turn; what concerns one cyclist of another first, as others wait for it."""
        mine = [decision for decision in self._open if decision.optional and self.speaks_for(decision)]
        several = len({decision.seat for decision in mine}) > 1
        out = []
        for decision in mine:
            view = self.game.view(self._state, self.eyes(decision))
            legal = listed(self.game.legal(view.state, decision))
            asked = Asked(typed=self.typed_fields if self.typed_fields.get("decision") == name_of(decision) else {})
            out.append(
                Beside(
                    name=name_of(decision),
                    after=self.opened[name_of(decision)],
                    key=secrets.token_urlsafe(12),
                    question=self.panel.question(self.game, view, decision, legal, self.cast, asked),
                    player=self.cast.player(decision.seat) if several else "",
                    urgent=decision.about is not None,
                )
            )
        return out

    @property
    def beside_is_urgent(self) -> bool:
        return any(one.urgent for one in self.beside)

    @property
    def is_typed(self) -> bool:
        """Whether something that was typed is shown again: it must not be lost to the news of the race."""
        return bool(self.typed_fields) and self.put is not None and self.put.is_list

    @property
    def put(self) -> Question | None:
        """The question that the panel puts to the reader."""
        return self.own.question if self.own else None

    def strip(self) -> Strip:
        return board_of(self.race.game).strip(
            self.view,
            names=self.cast.names,
            decision=self.current or next(iter(self.decisions), None),
            legal=self.legal if len(self.legal) <= MANY else (),  # what has more answers is nothing to be pointed at
            chosen=self.asked.action,
            mine=self.mine,
            since=self.since_squares,
            rider=self.asked.rider,
        )

    @cached_property
    def headline(self) -> str:
        """What a reader sees first."""
        race = self.race
        if race.outcome:
            return self.panel.result(race.outcome, self.cast)[0]
        if race.is_over:
            return _("%(race)s is abandoned") % {"race": race.title}
        open_now = [self.current] if self.current else list(self.decisions)
        if not open_now:
            return race.title
        words = self.panel.headline(self.view, open_now[0], self.cast, own=self.current is not None)
        if len(self.decisions) > 1 and self.current is None:
            words = self.panel.several(self.decisions)
        return _("%(turn)s: %(what)s") % {"turn": self.phase.mark, "what": words}

    @property
    def title(self) -> str:
        """What stands on the tab of the browser."""
        return f"{self.headline} · {self.race.title}"

    @cached_property
    def result_says(self) -> list[str]:
        return self.panel.result(self.race.outcome, self.cast)[1] if self.race.outcome else []

    @property
    def waits_for(self) -> list[str]:
        """Who else is to answer now, in words; of chance what is being rolled."""
        return [
            self.panel.headline(self.view, decision, self.cast, own=False)
            for decision in self.decisions
            if decision != self.current
        ]

    @property
    def is_due(self) -> bool:
        return bool(self.own_decisions)

    @property
    def is_rolling(self) -> bool:
        return any(decision.taker is Taker.CHANCE for decision in self.decisions)

    @property
    def is_preview(self) -> bool:
        return self.asked.action is not None

    @property
    def panel_first(self) -> bool:
        """Whether what is asked has nothing to do with the board: then it stands before it."""
        return self.own is not None and not self.own.question.is_on_board

    @property
    def focus(self) -> str:
        """Where somebody goes on who has just answered: to why not, to what is asked next, or to how it stands."""
        if self.refusal:
            return "refusal"
        if not self._answered:
            return ""
        if self.own is None:
            return "headline"
        return "board" if self.own.question.is_on_board else "turn"

    @property
    def pick_prefix(self) -> str:
        """The address that chooses a rider, up to his id."""
        query = self.looking.query(to="", rider="")
        return f"{query}{'' if query == '?' else '&'}rider="

    @property
    def drop_href(self) -> str:
        """Without the preview."""
        rider = getattr(self.asked.action, "rider", None) if self.own and self.own.question.picks else ""
        return self.looking.query(to="", rider=rider or self.looking.rider)

    @property
    def address(self) -> str:
        """The page with what the reader chose to look at, but without a preview."""
        return self.race.get_absolute_url() + self.looking.query(to="", rider="", decision="")

    # ---- the log ----
    @cached_property
    def reading(self) -> history.Reading:
        return history.Reading(self.race, self._steps)

    @cached_property
    def since(self) -> int | None:
        """The reader's last own entry."""
        seats = {seat.name for seat in self.viewer.seats}
        self.reading.newest(LOG_LINES)  # mostly it is among them
        return self.reading.last_of(seats) if seats else None

    @cached_property
    def since_squares(self) -> dict[str, str]:
        """Where everybody stood after the reader's last turn."""
        if self.since is None or self.since == self.n:
            return {}
        # the log first: who reads it learns where everybody stood
        return history.squares(self.race, self.panel, self.since) if self.log else {}

    @cached_property
    def log(self) -> list[history.Line]:
        """Newest first: a page of it, or back to the reader's last turn."""
        if self.looking.before is not None:
            earlier = self.race.entries.defer("events").order_by("-n").filter(n__lt=self.looking.before)
            return self.lines_of(list(earlier[:LOG_LINES]), self.since)
        size = LOG_LINES
        if self.since is not None:
            size = min(max(size, self.n - self.since + 1), MOST_LINES)
        newest = self.reading.newest(size)
        history.keep(self.race, self.panel, self._steps)
        rewinds = [(entry.n, entry.rewind_to) for entry in newest if entry.rewind_to is not None]
        return self.lines_of(newest, self.since, rewinds)  # whatever took one of them back is newer, and so among them

    @property
    def earlier(self) -> int | None:
        """The number to look before, if there is more of the log."""
        return self.log[-1].first if self.log and self.log[-1].first > 1 else None

    # ---- going back ----
    @cached_property
    def take_back(self) -> str | None:
        """Why the reader cannot take back his last choice; None if he can."""
        try:
            return play.can_take_back(self.race, self.seat_name or "", self.reading)
        except Exception:  # noqa: BLE001 - a damaged log must not take the page away; it is reported
            log.exception("The log of race %s cannot be read.", self.race.key)
            return _("The log of this race is damaged.")


class Past(Scene):
    """The race as it stood after entry `n`."""

    def __init__(self, viewer: Viewer, n: int, looking: Looking) -> None:
        state, decisions = history.stood(viewer.race, n)
        super().__init__(viewer, play.game_of(viewer.race), state, decisions, n, looking)

    @cached_property
    def line(self) -> history.Line | None:
        """The entry itself; None at the start."""
        entries = list(self.race.entries.select_related("by").filter(n=self.n))
        return self.lines_of(entries)[0] if entries else None

    @property
    def previous(self) -> int | None:
        return self.n - 1 if self.n > 0 else None

    @property
    def next(self) -> int | None:
        return self.n + 1 if self.n < self.race.n else None


# ---- notes of the log ------------------------------------------------------------------------------------------------
def note_words(entry: Entry, cast: Cast) -> SafeString:
    """An entry that moves nobody: going back, somebody else in a seat, the end without a result."""
    if entry.rewind_to is not None:
        if entry.seat:
            return say(
                _("%(player)s takes back: the race is where it was after entry %(n)s."),
                player=cast.s(entry.seat), n=entry.rewind_to,
            )  # fmt: skip
        return say(
            _("The race goes back to where it was after entry %(n)s: %(reason)s"),
            n=entry.rewind_to,
            reason=entry.reason,
        )
    note = entry.note or {}
    if note.get("kind") == "substitution":
        if note.get("bot"):
            return say(_("A bot rides for %(player)s."), player=note.get("label") or cast.player(note.get("seat")))
        return say(_("%(player)s rides now."), player=note.get("label") or cast.player(note.get("seat")))
    if note.get("kind") == "abandoned":
        return say(_("The race is abandoned: %(reason)s"), reason=entry.reason)
    return note_of_clock(entry, cast) or say(_("A note: %(kind)s"), kind=str(note.get("kind", "")))
