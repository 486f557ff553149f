"""How a game's decisions, answers and events are put into words, grouped for a thumb.

A *panel* belongs to a game and knows its words; the pages are the same for all games and print what it gives. It sees
views and never a state, so it cannot tell what its reader cannot know.

This registry, the one of the boards and the one of the bots are the places in races where games have names.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final, Protocol

from django.utils.safestring import SafeString

from races.models import Seat
from races.panels.table import TableWords
from races.words import Cast, Shown
from rules.game import AnyGame, Decision

FEW: Final = 6
"""Answers that stand beside one another on a phone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One answer as a row of the list."""

    code: str  # the action as JSON: what the form posts
    value: str  # how the board's links call it; empty for what is not on the board
    title: str
    to: str = ""  # the big figure: how many squares
    subs: tuple[str, ...] = ()
    marks: tuple[tuple[str, str], ...] = ()  # icon and words: what it does, one thing a line
    risk: str = ""
    cost: str = ""
    cost_words: str = ""  # what that figure counts, if it does not say so itself
    brief: str = ""  # instead of the title, where there is room for a few characters
    says: str = ""  # under the list, when it is chosen: what is about to happen
    confirm: str = ""  # on the button
    checked: bool = False
    href: str = ""  # shows it on the board

    @property
    def id(self) -> str:
        """For the id of its row: the same row has the same one on every page."""
        return hashlib.md5(self.code.encode(), usedforsecurity=False).hexdigest()[:8]


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Rows that belong together: those of one distance."""

    title: str
    choices: tuple[Choice, ...]
    sub: str = ""  # of one that is not folded: the heading of what its rows cost
    steps: str = ""  # the figure of the distance
    cost: str = ""
    marks: tuple[tuple[str, str], ...] = ()  # icon and word: what waits at this distance
    open: bool = False
    plain: bool = False  # not to be folded


@dataclass(frozen=True, slots=True, kw_only=True)
class Button:
    """An answer that is one tap."""

    code: str
    label: str
    sub: str = ""
    main: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Pick:
    """A rider who is chosen before the answer itself."""

    rider: Shown
    value: str  # `?rider=`
    sub: str
    current: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One of several questions of one answer: radio buttons, or a list that unfolds."""

    name: str
    label: str
    options: tuple[tuple[str, str, str], ...]  # value, label, sub
    value: str
    rider: Shown | None = None  # whom it is about, shown instead of the label
    where: str = ""
    folds: bool = False
    figures: bool = False  # the options are figures, side by side
    hrefs: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))  # of a value: shows it on the board


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """A number to be typed."""

    name: str
    label: str
    value: str
    is_optional: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """Numbers that share a limit, with what is used of it: counted here, and while somebody types by the script of the page."""

    name: str
    rider: Shown
    where: str
    limit: int
    used: int
    boxes: tuple[Box, ...]

    @property
    def left(self) -> int:
        return self.limit - self.used

    @property
    def over(self) -> int:
        """So much is used too much."""
        return max(0, self.used - self.limit)


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A way to fill in all numbers at once."""

    label: str
    href: str
    current: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A decision as its panel: what is asked of whom, and the answers."""

    title: str
    rider: Shown | None = None
    where: str = ""
    facts: tuple[tuple[str, str], ...] = ()  # icon, words
    intro: tuple[str, ...] = ()
    picks: tuple[Pick, ...] = ()
    picks_title: str = ""
    groups: tuple[Group, ...] = ()
    fields: tuple[Field, ...] = ()
    budgets: tuple[Budget, ...] = ()
    proposals: tuple[Proposal, ...] = ()  # what the budgets may be spent on
    doubts: tuple[str, ...] = ()  # what is allowed and perhaps not meant in what was typed: sent again, it counts
    buttons: tuple[Button, ...] = ()
    hint: str = ""  # in the bar, before anything is chosen
    confirm: str = ""  # on the button of the list, before anything is chosen; empty: there is no list

    @property
    def chosen(self) -> Choice | None:
        return next((c for group in self.groups for c in group.choices if c.checked), None)

    @property
    def is_list(self) -> bool:
        return bool(self.groups or self.fields or self.budgets)

    @property
    def quick(self) -> tuple[Choice, ...]:
        """All answers, if they are few figures: then they stand in the bar too, within reach of the thumb."""
        choices = [choice for group in self.groups for choice in group.choices]
        is_quick = all(group.plain for group in self.groups) and all(c.to and c.href for c in choices)
        return tuple(choices) if is_quick and 1 < len(choices) <= FEW else ()

    @property
    def is_on_board(self) -> bool:
        """Whether answers stand on the board: riders to be chosen, squares to ride to."""
        pointed = any(choice.value for group in self.groups for choice in group.choices)
        return bool(self.picks) or pointed or any(field.hrefs for field in self.fields)


class Knowledge(StrEnum):
    """What the reader knows of something that a rider holds."""

    OWN = "own"
    SURE = "sure"
    UNKNOWN = "unknown"
    PERHAPS = "perhaps"  # not even whether it is there


@dataclass(frozen=True, slots=True, kw_only=True)
class Tile:
    """One of the things that a rider holds."""

    text: str
    known: Knowledge


@dataclass(frozen=True, slots=True, kw_only=True)
class Rider:
    """A line of the table "On the road"."""

    shown: Shown
    rank: str
    place: str
    gap: str
    gap_words: str = ""  # if a sign alone does not say it
    energy: str = ""  # what the panel calls its `figure`
    boxes: tuple[bool, ...] = ()  # risk boxes, marked or not
    boxes_words: str = ""
    tiles: tuple[Tile, ...] = ()  # what he holds, as far as the reader knows
    tiles_words: str = ""
    notes: tuple[str, ...] = ()
    inside: bool = False  # of the group whose line stands above
    out: bool = False
    turn: bool = False
    mine: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Bunch:
    """A line that is no rider: the peloton."""

    title: str
    sub: str
    place: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """A line of the standing of a race that is won by teams."""

    shown: Shown
    place: str
    total: str
    parts: tuple[tuple[str, str], ...]  # where that comes from: a line of the course, and what was won there
    why: tuple[str, str] | None = None  # the number of a rule and what it decided
    mine: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Phase:
    """How far the race is."""

    mark: str  # "Turn 6"
    words: str  # what happens in this phase, and what comes next


@dataclass(frozen=True, slots=True, kw_only=True)
class Chapter:
    """Numbered rules that belong together: number and a few words."""

    title: str
    rules: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What the reader has pointed at so far, on the board or in the list, before anything is decided."""

    action: Any = None
    rider: str | None = None
    typed: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    to_href: Callable[[str], str] = "?to={}".format  # of the value of a move: shows it
    action_href: Callable[[str], str] = "?action={}".format  # of the code of an answer that is not on the board


NOTHING_ASKED: Final = Asked()


class Panel(Protocol):
    """The words of one game."""

    @property
    def figure(self) -> str:
        """What the last column of the table "On the road" counts, as its heading."""
        ...

    def cast(self, view: Any, seats: Sequence[Seat]) -> Cast:
        """Everybody, with the names that the seats give their riders."""
        ...

    def phase(self, view: Any) -> Phase: ...

    def headline(self, view: Any, decision: Decision, cast: Cast, *, own: bool) -> str:
        """What is awaited: "Quist to move", "the peloton rolls"."""
        ...

    def several(self, decisions: Sequence[Decision]) -> str:
        """What is awaited of many at once."""
        ...

    def question(
        self, game: AnyGame, view: Any, decision: Decision, legal: Sequence[Any], cast: Cast, asked: Asked
    ) -> Question: ...

    def typed(self, kind: str, fields: Mapping[str, str]) -> dict[str, Any] | None:
        """The answer of a form with `Question.fields` or `budgets` as JSON; None if that kind of decision has none.

        `fields` are all that was sent, with the name of the decision. RulesError: what was typed is no answer.
        """
        ...

    def road(
        self, view: Any, decisions: Sequence[Decision], cast: Cast, mine: frozenset[str]
    ) -> list[Rider | Bunch]: ...

    def standing(self, view: Any, cast: Cast, mine: frozenset[str]) -> tuple[Side, ...]:
        """The teams as they would be placed if the race ended now; nothing where riders race each for himself."""
        ...

    def mark(self, state: Any, action: Any) -> str:
        """The turn in which that action was taken, for the margin of the log: "T6"."""
        ...

    def lines(
        self, events: Sequence[Any], action: Any, seat: str, cast: Cast, view: Any, *, secret: bool = True
    ) -> list[SafeString]:
        """An entry as sentences. Events and action are as the reader may see them; never empty.

        `secret`: what only its own seat may see of an answer is that seat's still; when the race is over, everybody sees it.
        """
        ...

    def alike(self, events: Sequence[Any], action: Any) -> str:
        """A word for entries that are told in one line where several follow one another; empty for all others."""
        ...

    def together(self, kind: str, entries: Sequence[tuple[Sequence[Any], Any, str]], cast: Cast) -> SafeString:
        """Several entries that are `alike` as one line, oldest first: of each the events, the action and the seat."""
        ...

    def squares(self, view: Any) -> dict[str, str]:
        """Where every rider stands who stands on the road: to tell who has moved."""
        ...

    def chapters(self) -> list[Chapter]:
        """The numbered rules."""
        ...

    def result(self, outcome: Mapping[str, Any], cast: Cast) -> tuple[str, list[str]]:
        """The end of a race as a headline, and what else there is to say."""
        ...


def _breaking_away() -> Panel:
    from races.panels.breaking_away import PANEL

    return PANEL


def _giro() -> Panel:
    from races.panels.giro import PANEL

    return PANEL


GAMES: Final[Mapping[str, Callable[[], Panel]]] = MappingProxyType({"giro": _giro, "breaking_away": _breaking_away})
"""Of each game its panel; nothing is loaded before somebody asks for it."""


def _breaking_away_table() -> TableWords:
    from races.panels.breaking_away_table import WORDS

    return WORDS


def _giro_table() -> TableWords:
    from races.panels.giro_table import WORDS

    return WORDS


TABLES: Final[Mapping[str, Callable[[], TableWords]]] = MappingProxyType(
    {"giro": _giro_table, "breaking_away": _breaking_away_table}
)
"""Of each game how its referee asks at a real table."""


def panel_of(game: str) -> Panel:
    """The words of a game; KeyError for one that has none."""
    return GAMES[game]()


def table_of(game: str) -> TableWords:
    """What the referee of a game says at a table; KeyError for one that has no words for it."""
    return TABLES[game]()
