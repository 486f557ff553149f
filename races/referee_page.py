"""The page of the referee: one question at a time, and everything that people at the table want to see beside it."""

import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from django.urls import reverse
from django.utils.html import strip_tags
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from races import history, referee
from races.access import Viewer
from races.models import Entry, Seat
from races.page import Looking, Page, Refusal, note_words
from races.panels import Asked, Bunch, Choice, Group, Pick, Question, Rider, table_of
from races.panels.table import Face, Reminder, canonical, code_of
from races.play import Table, name_of, named
from races.words import Cast, Shown
from rules.game import MANY, Decision, Taker, listed
from rules.game import Seat as SeatName

RECENT = 5
"""Entries in the list of what just happened."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One answer of a list: a tap settles it if it is ordinary, else a tap shows it and a second one settles it."""

    choice: Choice
    ordinary: bool
    odds: str = ""  # of its risk
    card: str = ""  # that is played with it
    lane: tuple[int, int] | None = None  # which one from the left, of how many


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """The squares of one distance, from the left."""

    steps: str
    group: Group
    cells: tuple[Cell, ...]

    @property
    def lanes(self) -> int:
        """Of the road."""
        return self.cells[0].lane[1] if self.cells[0].lane else 1

    @property
    def is_free(self) -> bool:
        return any(cell.ordinary for cell in self.cells)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tab:
    """One of several riders on the road against the clock."""

    label: str
    href: str
    current: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Runner:
    """Somebody who is still to be put into the measured order."""

    shown: Shown
    code: str  # the whole answer, if nobody else is left after him
    href: str  # else the page on which he is in


@dataclass(frozen=True, slots=True, kw_only=True)
class Happened:
    """An entry in the list of what just happened."""

    n: int
    mark: str
    sentences: list[SafeString]
    void: bool


class RefereePage(Page):
    """The race as its referee sees it: the question through the eyes of whoever decides, the rest as everybody may."""

    def __init__(
        self,
        viewer: Viewer,
        table: Table,
        looking: Looking,
        *,
        order: Sequence[str] = (),
        typed: Mapping[str, str] | None = None,
        refusal: Refusal | None = None,
    ) -> None:
        super().__init__(viewer, table, looking, typed=typed, refusal=refusal)
        self.words = table_of(self.race.game)
        self._order = order

    # ---- whose eyes ----
    @cached_property
    def own_decisions(self) -> list[Decision]:
        """At a table the referee answers whatever is open."""
        return list(self.decisions)

    @cached_property
    def current(self) -> Decision | None:
        """The open decision that the address names, or else one about the same rider, or the first."""
        wanted = self.looking.decision
        about = named(wanted).about
        exact = [d for d in self.decisions if name_of(d) == wanted]
        same = [d for d in self.decisions if about and d.about == about]
        here = [d for d in self.decisions if not self.is_elsewhere(d)]
        return next(iter(exact or same or here or self.decisions), None)

    def is_elsewhere(self, decision: Decision) -> bool:
        """Whether a player has a phone of his own on which he answers it, and this one need not know what is secret."""
        if decision.taker is not Taker.SEAT or not self.words.own_phones(self.public):
            return False
        own = {seat.name for seat in self.viewer.seats}
        return any(seat.name == decision.seat and seat.is_person and seat.name not in own for seat in self.seats)

    def eyes(self, decision: Decision) -> SeatName | None:
        """Where players have secrets from this phone, through everybody's."""
        return None if self.words.only_public else decision.seat

    @property
    def seat(self) -> Seat | None:
        """Whoever decides, or for whom something is rolled or drawn."""
        about = self.current.seat if self.current else None
        return next((seat for seat in self.seats if seat.name == about), None)

    @cached_property
    def view(self) -> Any:
        """What he may know: a bottle that the phone was told can be drunk by its own value."""
        return self.game.view(self._state, self.eyes(self.current) if self.current else None)

    @cached_property
    def public(self) -> Any:
        """What everybody at the table may see."""
        return self.game.view(self._state, None)

    @cached_property
    def cast(self) -> Cast:
        return self.panel.cast(self.public, self.seats)

    @cached_property
    def mine(self) -> frozenset[str]:
        return frozenset()

    @cached_property
    def since_squares(self) -> dict[str, str]:
        return {}

    @cached_property
    def road(self) -> list[Rider | Bunch]:
        return self.panel.road(self.public, self.decisions, self.cast, self.mine)

    def speaks_for(self, decision: Decision) -> bool:
        """At a table the referee types whoever says something."""
        return not self.cast.is_bot(decision.seat)

    # ---- the question ----
    @property
    def is_chance(self) -> bool:
        return self.current is not None and self.current.taker is Taker.CHANCE

    @property
    def is_bots(self) -> bool:
        """A bot decides this: its answer comes by itself."""
        return self.current is not None and self.current.taker is Taker.SEAT and self.cast.is_bot(self.current.seat)

    @cached_property
    def legal(self) -> Sequence[Any]:
        if self.current is None:
            return ()
        found = self.game.legal(self.view.state, self.current)
        return found if self.current.taker is Taker.ORGANISER else listed(found)

    @property
    def name(self) -> str:
        assert self.current is not None, "something is open"
        return name_of(self.current)

    @property
    def after(self) -> int:
        return self.opened[self.name]

    @cached_property
    def key(self) -> str:
        """One for every form: the same form sent twice has one entry."""
        return secrets.token_urlsafe(12)

    @cached_property
    def asked(self) -> Asked:
        return Asked(typed=self.typed_fields) if self.is_chance else super().asked

    @cached_property
    def question(self) -> Question | None:
        """The answers of a seat, as its own page would list them."""
        if self.current is None or self.current.taker is not Taker.SEAT:
            return None
        question = self.panel.question(self.game, self.view, self.current, self.legal, self.cast, self.asked)
        # what is typed in secret is typed where it stays secret
        return replace(question, budgets=(), doubts=()) if self.is_elsewhere(self.current) else question

    @property
    def elsewhere(self) -> str:
        """Who may answer on his own phone; empty if nobody does."""
        if self.current is None or not self.is_elsewhere(self.current):
            return ""
        return self.cast.player(self.current.seat)

    @property
    def put(self) -> Question | None:
        return self.question

    @property
    def is_picked(self) -> bool:
        """Somebody was said to attack: the question is where to, and the others step back."""
        return bool(self.picks) and bool(self.looking.rider or self.chosen)

    @property
    def sentence(self) -> str:
        """The one big question."""
        if self.current is None:
            return self.headline
        rider = self.question.rider.id if self.question and self.question.rider and self.is_picked else None
        return self.words.sentence(self.view, self.current, self.cast, rider)

    @property
    def hint(self) -> str:
        return self.words.hint(self.view, self.current, self.cast) if self.current else ""

    @property
    def faces(self) -> tuple[Face, ...]:
        if self.current is None or not self.is_chance:
            return ()
        return self.words.faces(self.game, self.view, self.current, self.legal, self.cast)

    @property
    def face_columns(self) -> str:
        """How the faces stand: the twelve of a die in rows of four, words below one another."""
        faces = [face for face in self.faces if not face.wide]
        if any(len(face.label) > 3 for face in faces):
            return "names"
        return "many" if len(faces) > 6 else "few"

    # ---- riding ----
    @cached_property
    def _by_code(self) -> dict[str, Any]:
        if len(self.legal) > MANY:
            return {}  # what has so many answers is typed, and no list of cells
        return {code_of(self.game, action): action for action in self.legal}

    def _cell(self, choice: Choice) -> Cell:
        action = self._by_code[canonical(json.loads(choice.code))]
        return Cell(
            choice=choice,
            ordinary=self.words.is_ordinary(self.game, self.view, action),
            odds=self.words.odds(self.game, self.view, action),
            card=self.words.card(self.view, action),
            lane=self.words.lane(self.game, self.view, action),
        )

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """The distances: those that cost nothing first, the farthest before all; then what costs, from near to far."""
        rows = []
        for group in self.question.groups if self.question else ():
            cells = [self._cell(choice) for choice in group.choices if group.steps]
            for some in ([cell for cell in cells if not cell.card], [cell for cell in cells if cell.card]):
                if some:
                    rows.append(Row(steps=group.steps, group=group, cells=tuple(some)))
        free = [row for row in rows if row.is_free]
        return (*reversed(free), *(row for row in rows if not row.is_free))

    @property
    def free_rows(self) -> list[Row]:
        return [row for row in self.rows if row.is_free]

    @property
    def dear_rows(self) -> list[Row]:
        return [row for row in self.rows if not row.is_free]

    @cached_property
    def lists(self) -> list[tuple[Group, list[Cell]]]:
        """Answers that are no distances: bottles, cards, whom to draft."""
        if self.question is None:
            return []
        return [
            (group, [self._cell(choice) for choice in group.choices])
            for group in self.question.groups
            if not group.steps
        ]

    @property
    def picks(self) -> tuple[Pick, ...]:
        return self.question.picks if self.question else ()

    @property
    def chosen(self) -> Choice | None:
        """What a first tap has shown and a second one settles."""
        return self.question.chosen if self.question else None

    @property
    def own(self) -> Any:
        """Whether there is a list beside the board."""
        return self.rows or self.lists

    @property
    def facts_first(self) -> bool:
        """What a rider has stands before yes or no; squares stand before it, to be within reach of the thumb."""
        return not self.rows or self.chosen is not None

    # ---- the stopwatch ----
    @cached_property
    def placed(self) -> list[Shown]:
        """Who is in the measured order already, quickest first."""
        known = self.words.runs(self.legal) if self.current and self.current.taker is Taker.ORGANISER else ()
        return [self.cast.rider(run) for run in dict.fromkeys(self._order) if run in known]

    @property
    def runners(self) -> list[Runner]:
        """Who is not yet."""
        if self.current is None or self.current.taker is not Taker.ORGANISER:
            return []
        placed = [shown.id for shown in self.placed]
        left = [run for run in self.words.runs(self.legal) if run not in placed]
        out = []
        for run in left:
            rest = [other for other in left if other != run]
            code = ""
            if len(rest) <= 1:
                code = code_of(self.game, self.words.measured([*placed, run, *rest]))
            out.append(Runner(shown=self.cast.rider(run), code=code, href=self._order_href([*placed, run])))
        return out

    def _order_href(self, order: Sequence[str]) -> str:
        return self.looking.query(order=",".join(order))

    # ---- several riders at once ----
    @property
    def tabs(self) -> tuple[Tab, ...]:
        if len(self.decisions) < 2:
            return ()
        return tuple(
            Tab(
                label=self.cast.rider(other.about).short if other.about else self.cast.player(other.seat),
                href=self.looking.query(decision=name_of(other), to="", rider="", window=None),
                current=other == self.current,
            )
            for other in self.decisions
        )

    # ---- around it ----
    @property
    def home(self) -> str:
        """The address of this page."""
        return reverse("races:referee", args=[self.race.key])

    @property
    def drop_href(self) -> str:
        rider = getattr(self.asked.action, "rider", None) if self.picks else ""
        return self.looking.query(to="", rider=rider or "")

    @property
    def address(self) -> str:
        return self.home + self.looking.query(to="", rider="")

    @cached_property
    def headline(self) -> str:
        if self.race.outcome or self.race.is_over:
            return super().headline
        return self.sentence

    @cached_property
    def happened(self) -> list[Happened]:
        """The newest entries, newest first, as everybody may read them."""
        entries: list[Entry] = list(self.race.entries.select_related("by").order_by("-n")[:RECENT])
        lines = history.lines(
            self.race, entries, panel=self.panel, cast=self.cast, view=self.public, seat=None,
            alone=[self.n], notes=note_words,
        )  # fmt: skip
        return [Happened(n=line.n, mark=line.mark, sentences=line.sentences, void=line.void) for line in lines]

    @property
    def just_happened(self) -> Happened | None:
        return self.happened[0] if self.happened else None

    @property
    def reminder(self) -> Reminder | None:
        """What is still to be said aloud."""
        return self.words.reminder(self.public, self.cast) if self.current else None

    @cached_property
    def stays(self) -> str:
        """Why the race stays as it ended; empty if it may still go back."""
        return referee.why_it_stays(self.race)

    @cached_property
    def undo(self) -> tuple[int, str] | None:
        """The number of the entry that one tap takes back, and what it is; None if there is nothing."""
        if self.stays:
            return None
        entry = referee.last_thing(self.race, self.seats)
        if entry is None or entry.action is None or referee.is_called_off(self.race):
            return None
        return entry.n, self.words.thing(self.game.read_action(entry.action), self.cast)


def quicker(page: RefereePage, after: int) -> str:
    """Who was quicker than this phone, and what he typed."""
    entry = referee.meanwhile(page.race, after)
    if entry is None:
        return _("This was answered already. Here is how the race stands now.")
    who = referee.who_typed(entry)
    if entry.rewind_to is not None:
        return _("%(who)s went back meanwhile. Here is how the race stands now.") % {"who": who}
    lines = history.lines(
        page.race, [entry], panel=page.panel, cast=page.cast, view=page.public, seat=None,
        notes=note_words,
    )  # fmt: skip
    told = " ".join(strip_tags(sentence) for sentence in lines[0].sentences)
    return _("%(who)s was quicker: %(what)s Here is how the race stands now.") % {"who": who, "what": told}
