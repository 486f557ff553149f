"""What has to be settled before a race of a game can be made: its part of the form, and its words on the lobby.

A *setup* belongs to a game and knows its options; the pages are the same for all games and print what it gives.
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, NamedTuple, Protocol

from django.contrib.auth.models import AnonymousUser, User
from django.utils.safestring import SafeString


class Refusal(NamedTuple):
    """Why a race cannot be made so, and at which field of the form; "" is the whole form."""

    field: str
    text: str


class SetupForm(Protocol):
    """The game's part of the form of a new race, a Django form. What it asks is readable once it is valid; `refusals` says the rest."""

    MOST_SEATS: int
    PROPOSED_BOTS: int  # in seats after one's own and the first free one, so that there is a field to race in
    template: str  # the partial that shows the fields; it uses `setup`, the form

    @property
    def errors(self) -> Any: ...

    def is_valid(self) -> bool: ...

    def add_error(self, field: str | None, error: Any) -> None: ...

    def options(self, *, online: bool = True) -> dict[str, Any]:
        """The options of the race, as the game's rules read them."""
        ...

    def entrant(self) -> dict[str, Any]:
        """What every seat rides with, as an entrant of the rules without its seat."""
        ...

    def refusals(self, seats: int, *, online: bool) -> Sequence[Refusal]:
        """What does not fit so many players, or this way of riding."""
        ...

    def title(self) -> str:
        """What a race is called for which nobody has thought of a title."""
        ...


class Offered(NamedTuple):
    """A course that another app keeps. `house`: whose it is, as the heading of a list."""

    value: str  # tells it from all the others, and stays
    house: str
    course: Mapping[str, Any]  # as the options of a race write it


CourseSource = Callable[[str, User | AnonymousUser], Sequence[Offered]]
_sources: list[CourseSource] = []


def register_courses(source: CourseSource) -> None:
    """Let another app offer courses: it is asked with the name of a game and who makes the race."""
    if source not in _sources:
        _sources.append(source)


def courses_for(game: str, user: User | AnonymousUser) -> list[Offered]:
    """What all sources offer somebody for a race of that game."""
    return [offer for source in _sources for offer in source(game, user)]


class Setup(Protocol):
    """What the pages of making and joining a race ask of a game."""

    title: str

    def form(self, data: Mapping[str, Any] | None = None, *, offered: Sequence[Offered] = ()) -> SetupForm: ...

    def facts(self, options: Mapping[str, Any]) -> Sequence[tuple[str, str]]:
        """The options in words: what it is, and how it is set."""
        ...

    def drawings(self, options: Mapping[str, Any]) -> tuple[SafeString, SafeString] | None:
        """The road, for a wide page and for a narrow one; None if it cannot be drawn."""
        ...

    def mini(self, options: Mapping[str, Any]) -> SafeString:
        """The road for a line of a list; empty if it cannot be drawn."""
        ...

    def rides(self, entrant: Mapping[str, Any]) -> str:
        """What a seat rides with, in words, where its riders have no names yet."""
        ...


def _giro() -> Setup:
    from races.setups.giro import SETUP

    return SETUP


def _breaking_away() -> Setup:
    from races.setups.breaking_away import SETUP

    return SETUP


SETUPS: Final[Mapping[str, Callable[[], Setup]]] = MappingProxyType({"giro": _giro, "breaking_away": _breaking_away})
"""Of each game its setup; nothing is loaded before somebody asks for it. The first is proposed."""


def setup_of(game: str) -> Setup:
    """The setup of a game by its name; KeyError if it has none."""
    return SETUPS[game]()


def title_of(game: str) -> str:
    """What a game is called; a game that is not known is called by its name."""
    return SETUPS[game]().title if game in SETUPS else game
