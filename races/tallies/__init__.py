"""What everybody did in a race, in numbers, counted from its log alone.

A *tally* belongs to a game and knows which of its events count for what; the page is the same for all games and prints
the table. What was taken back is not counted.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A heading, and what it counts in full."""

    label: str
    means: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What one rider did: a number, or words, for each column."""

    rider: str  # his id in the rules
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]


Steps = Iterable[tuple[Any, Sequence[Any]]]
"""Of every action that counts, in order: the state it led to, and its events."""

Tally = Callable[[Steps], Table]


def _giro() -> Tally:
    from races.tallies.giro import tally

    return tally


def _breaking_away() -> Tally:
    from races.tallies.breaking_away import tally

    return tally


GAMES: Final[Mapping[str, Callable[[], Tally]]] = MappingProxyType({"giro": _giro, "breaking_away": _breaking_away})
"""Of each game its tally; nothing is loaded before somebody asks for it."""


def tally_of(game: str) -> Tally | None:
    """The tally of a game; None if it has none."""
    return GAMES[game]() if game in GAMES else None
