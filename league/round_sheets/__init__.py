"""What the sheet of a round asks of a game: which cells it has, what they mean, and what came of it. A registry, by game.

The sheet is the same for all games: *fields* with text as typed, *findings* at their fields, and *rows* that a points
series is counted from. What the fields are, and what cannot have happened, only the game knows.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final, Protocol

from league.sheets.findings import Change, Finding

MAIN, MORE, LOG = "main", "more", "log"
"""Groups of fields: what every sheet tells, what only some have to tell, and the log sheets of the table."""


class FieldKind(StrEnum):
    ORDER = "order"  # names in an order, tapped or typed
    TEXT = "text"
    CHOICE = "choice"


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A cell of the sheet. `taps`: by entrant what can be tapped into it, with what a person calls the group."""

    key: str
    label: str
    help: str = ""
    kind: FieldKind = FieldKind.TEXT
    taps: Sequence[tuple[str, Sequence[str]]] = ()
    choices: Sequence[tuple[str, str]] = ()
    group: str = MAIN  # the others are folded away until somebody needs them
    rows: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Starter:
    """An entrant who came to the round, or a bot that rode."""

    entrant: int
    code: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What an entrant did."""

    entrant: int
    rank: int | None
    points: int
    extra: int
    facts: Mapping[str, Any]  # what the game also tells: words by column


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A sheet as it was read: to be stored, what there is to say about it, and what came of it (None: not to be told yet)."""

    content: dict[str, Any]
    findings: tuple[Finding, ...]
    rows: tuple[Row, ...] | None
    abandoned_early: bool = False
    stage: dict[str, Any] | None = (
        None  # of a series by time: riders with place, turn and points; lines with who crossed
    )


class RoundSheet(Protocol):
    """A game's sheet of a round."""

    @property
    def title(self) -> str: ...

    @property
    def proposes(self) -> Mapping[str, str]:
        """What the game's form proposes otherwise than for a friendly race."""
        ...

    @property
    def columns(self) -> Sequence[tuple[str, Any]]:
        """Beside place, entrant and points: keys of `Row.facts`, with their headings."""
        ...

    def faults(self, options: Mapping[str, Any]) -> list[str]:
        """Why a round cannot be ridden with these options; in sentences."""
        ...

    def road(self, options: Mapping[str, Any]) -> Sequence[tuple[str, str]]:
        """Course and options in words."""
        ...

    def fields(self, options: Mapping[str, Any], starters: Sequence[Starter]) -> list[Field]: ...

    def examine(self, cells: Mapping[str, str], options: Mapping[str, Any], starters: Sequence[Starter]) -> Reading: ...

    def cells_of(
        self, content: Mapping[str, Any], options: Mapping[str, Any], starters: Sequence[Starter]
    ) -> dict[str, str]:
        """The cells that a stored content came from, tidied."""
        ...

    def told(
        self, content: Mapping[str, Any], options: Mapping[str, Any], starters: Sequence[Starter]
    ) -> list[tuple[str, str]]:
        """A stored content in words: what, and what is written there."""
        ...

    def changes(
        self,
        older: Mapping[str, Any],
        newer: Mapping[str, Any],
        options: Mapping[str, Any],
        starters: Sequence[Starter],
    ) -> Sequence[Change]:
        """What differs between two stored contents."""
        ...

    def entrant(self, code: str) -> dict[str, Any]:
        """What a seat rides with, as an entrant of the rules."""
        ...

    def of_race(
        self, outcome: Mapping[str, Any], options: Mapping[str, Any], starters: Sequence[Starter]
    ) -> dict[str, str]:
        """The cells as the outcome of a race tells them, also those that it leaves empty."""
        ...


def _breaking_away() -> RoundSheet:
    from league.round_sheets.breaking_away import SHEET

    return SHEET


SHEETS: Final[Mapping[str, Callable[[], RoundSheet]]] = MappingProxyType({"breaking_away": _breaking_away})
"""Of each game its sheet; nothing is loaded before somebody asks for it. The first is proposed."""


def _breaking_away_stage() -> RoundSheet:
    from league.round_sheets.breaking_away_stage import STAGE

    return STAGE


STAGES: Final[Mapping[str, Callable[[], RoundSheet]]] = MappingProxyType({"breaking_away": _breaking_away_stage})
"""Of each game that has times its sheet of a stage: a `Reading` of it has a `stage`."""


def sheet_of(game: str, *, timed: bool = False) -> RoundSheet | None:
    """The sheet of a game, in a series by points or by time; None for a game that has no such series."""
    sheets = STAGES if timed else SHEETS
    return sheets[game]() if game in sheets else None


def games() -> list[tuple[str, str]]:
    """The games of which there can be a series, to choose from."""
    return [(name, sheet().title) for name, sheet in SHEETS.items()]
