"""Drawings of roads and races: SVG made on the server from plain values, the same bytes for the same values.

No drawing has a style attribute or a script, so that it may stand on a page under a strict Content-Security-Policy; ids
are few and told in `strip`. Colours come from the style sheets; every drawing tells itself in words.

A race is drawn from a view, never from a state: what somebody may not know cannot be in his picture.
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from rules.game import Decision

if TYPE_CHECKING:
    from races.board.strip import Strip


class Who(NamedTuple):
    """A rider as the club knows him. `jersey`: a symbol of the sprite without "jersey-", as "blue-sash" or "pink"."""

    bib: str
    name: str
    jersey: str


class Board(Protocol):
    """What draws the races of one game."""

    def strip(
        self,
        view: Any,
        *,
        names: Mapping[str, tuple[str, str, str]],
        decision: Decision | None = None,
        legal: Sequence[Any] = (),
        chosen: Any = None,
        mine: frozenset[str] = frozenset(),
        since: Mapping[str, str] = MappingProxyType({}),
        rider: str | None = None,
    ) -> "Strip":
        """The race as the seat of `view` sees it.

        `names`: by rider id, bib, name and jersey (see `Who`); a rider without is shown by his id. `decision` is the one
        that is open, `legal` what its seat may answer: both only for who answers it. `chosen`: one of `legal`, to be
        previewed. `mine`: ids of the viewer's riders. `since`: of riders, the square where each stood at the viewer's
        last turn. `rider`: where one of several may go, whose choices to show; the one of `chosen` goes first.
        """
        ...

    def value(self, action: Any) -> str:
        """What identifies a move in an address: `?to=`; empty for what is not chosen on the board."""
        ...

    def find(self, value: str, legal: Sequence[Any]) -> Any:
        """The move of `legal` that `value` names, or None."""
        ...


def _giro() -> Board:
    from races.board.giro import BOARD

    return BOARD


def _breaking_away() -> Board:
    from races.board.breaking_away import BOARD

    return BOARD


BOARDS: Final[Mapping[str, Callable[[], Board]]] = MappingProxyType({"giro": _giro, "breaking_away": _breaking_away})
"""Of each game its board; nothing is loaded before somebody asks for it."""


def board_of(game: str) -> Board:
    """The board of a game by its name; KeyError if it has none."""
    return BOARDS[game]()
