"""The games that there are, by name and version of their rules.

A race remembers its version; a change that would replay an old log differently is a new line here, and the old one stays.
"""

from collections.abc import Callable, Mapping

from rules.errors import Unreadable, gettext_noop
from rules.game import AnyGame

Games = Mapping[str, Mapping[int, Callable[[], AnyGame]]]
"""Of each game its versions, each with what gives the game: nothing is loaded before somebody asks for it."""


def _giro() -> AnyGame:
    from rules.giro.game import GIRO

    return GIRO


def _breaking_away() -> AnyGame:
    from rules.breaking_away.game import BREAKING_AWAY

    return BREAKING_AWAY


GAMES: Games = {"breaking_away": {1: _breaking_away}, "giro": {1: _giro}}


def names(games: Games = GAMES) -> tuple[str, ...]:
    """The names of all games, as scenarios and logs use them."""
    return tuple(sorted(games))


def game(name: str, version: int | None = None, *, games: Games = GAMES) -> AnyGame:
    """The game in that version, the newest if none is named. `Unreadable` names the games or versions that there are."""
    versions = games.get(name)
    if versions is None:
        raise Unreadable(
            gettext_noop("There is no game “%(game)s”; the games are: %(known)s."),
            game=name,
            known=", ".join(names(games)),
        )
    if version is None:
        version = max(versions)
    if version not in versions:
        raise Unreadable(
            gettext_noop("There is no version %(version)s of the game “%(game)s”; the versions are: %(known)s."),
            game=name,
            version=version,
            known=", ".join(map(str, sorted(versions))),
        )
    return versions[version]()
