"""Bots: riders without a person.

A bot is a pure function: what its seat may know, what is to be decided, what it may answer, a random source of its own
and how long it may think, to an answer. It never gets a state, so it cannot know what its seat cannot know, and it gets
nothing else, so the same question with the same random source has the same answer.

No Django here and in what is below: a simulation of thousands of races needs no site.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, Protocol

from rules.errors import RulesBug
from rules.game import AnyGame, Decision, listed

TimeIsUp = Callable[[], bool]
"""Whether a bot has to answer now. A wall clock in a running race; in a simulation or a test something that does not
depend on the machine. A bot asks it now and then, and always has an answer."""


class Bot(Protocol):
    """Answers a decision of its seat with one of `legal`, which is never empty and holds no chance.

    `legal` may be endless for all practical purposes and made only when asked for: then the bot makes its answer itself.
    It is of the view, so there is nothing in it that the seat does not know.
    """

    def __call__(
        self, view: Any, decision: Decision, legal: Sequence[Any], rng: random.Random, time_is_up: TimeIsUp
    ) -> Any: ...


def all_the_time() -> bool:
    """No limit but the bot's own: it thinks as many steps as it always does, on any machine."""
    return False


def no_time() -> bool:
    """The answer is needed at once."""
    return True


LEVELS: Final = ("easy", "club", "expert")
"""The levels that every game has, weakest first."""


def _giro() -> Mapping[str, Bot]:
    from races.bots.giro import BOTS

    return BOTS


def _breaking_away() -> Mapping[str, Bot]:
    from races.bots.breaking_away import BOTS

    return BOTS


GAMES: Final[Mapping[str, Callable[[], Mapping[str, Bot]]]] = MappingProxyType(
    {"breaking_away": _breaking_away, "giro": _giro}
)
"""Of each game its bots by level; nothing is loaded before somebody asks for it."""


def bots(game: str) -> Mapping[str, Bot]:
    """The bots of a game by level; empty if it has none."""
    return GAMES[game]() if game in GAMES else {}


def answer(
    game: AnyGame, level: str, state: Any, decision: Decision, rng: random.Random, time_is_up: TimeIsUp = all_the_time
) -> Any:
    """What a bot of that level answers to an open decision of its seat. It sees its seat's view and nothing more.

    KeyError if the game has no such bot; RulesBug if the bot answers what nobody may, which no bot does.
    """
    view = game.view(state, decision.seat)
    legal = listed(game.legal(view.state, decision))
    action = bots(game.name)[level](view, decision, legal, rng, time_is_up)
    if action not in legal:
        raise RulesBug(f"the bot {level} of {game.name} answers {decision.kind} by {action}")
    return action
