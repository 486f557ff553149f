"""How the referee of a game asks at a real table: one question at a time, chance as big buttons.

What a decision may be answered with is the panel's business; here is only what a phone on the table says otherwise.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from races.words import Cast
from rules.game import AnyGame, Decision


@dataclass(frozen=True, slots=True, kw_only=True)
class Face:
    """Something that may fall or be drawn: one tap says that it did."""

    code: str  # the action as JSON
    label: str
    sub: str = ""
    tone: str = ""  # "red", "good", "bad"; always said in `sub` too
    wide: bool = False  # not one of the faces but "kept face down": a line of its own


@dataclass(frozen=True, slots=True, kw_only=True)
class Reminder:
    """What is still to be said aloud: each thing, and whom it is about."""

    title: str
    rows: tuple[tuple[str, str], ...]


def code_of(game: AnyGame, action: Any) -> str:
    """An action as what a form posts."""
    return canonical(game.write_action(action))


def canonical(told: Mapping[str, Any]) -> str:
    """An action in JSON, written in one way."""
    return json.dumps(told, separators=(",", ":"), sort_keys=True)


class TableWords(Protocol):
    """The words of one game at a table."""

    only_public: bool
    """The phone shows what everybody may know and no more: players have secrets from it, which they tell the site on theirs."""

    def own_phones(self, view: Any) -> bool:
        """Whether players of this race have phones of their own on which they answer, and type what is secret."""
        ...

    def sentence(self, view: Any, decision: Decision, cast: Cast, rider: str | None) -> str:
        """The question, as somebody at the table would ask it. `rider`: who was picked for it, if anybody was."""
        ...

    def hint(self, view: Any, decision: Decision, cast: Cast) -> str:
        """What to know before it is answered: which faces hold, from which pile; empty if nothing."""
        ...

    def reminder(self, view: Any, cast: Cast) -> Reminder | None:
        """What the phone had to say aloud before bots answered, while nobody at the table has answered since."""
        ...

    def faces(self, game: AnyGame, view: Any, decision: Decision, legal: Sequence[Any], cast: Cast) -> tuple[Face, ...]:
        """What chance may give, and what may lie face down at a table."""
        ...

    def is_ordinary(self, game: AnyGame, view: Any, action: Any) -> bool:
        """Whether an answer costs and risks nothing and plays no card: one tap is enough for it."""
        ...

    def odds(self, game: AnyGame, view: Any, action: Any) -> str:
        """How likely a risk is to go well; empty if there is none."""
        ...

    def lane(self, game: AnyGame, view: Any, action: Any) -> tuple[int, int] | None:
        """Where across the road a move ends, from the left, and how many lanes there are; None for what is no move."""
        ...

    def card(self, view: Any, action: Any) -> str:
        """The card that is played with a move; empty if none is."""
        ...

    def runs(self, legal: Sequence[Any]) -> tuple[str, ...]:
        """Who is to be put into the order that was measured; empty if nothing is."""
        ...

    def measured(self, order: Sequence[str]) -> Any:
        """The answer that tells that order, quickest first."""
        ...

    def thing(self, action: Any, cast: Cast) -> str:
        """What somebody takes back, in few words: "the peloton die". Never what only one player may know."""
        ...
