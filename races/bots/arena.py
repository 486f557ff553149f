"""What a simulation asks of a game: races to ride, and who came in where."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """What a table tells of a level beside its places: the mean over its seats, or the sum."""

    name: str
    digits: int = 0  # after the point
    summed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Came:
    """How one seat came in. Equal places are equal: 1, 2, 2, 4."""

    seat: str  # its number among the seats of the race, from 0, as text
    group: str  # what kind of rider or team it had: only equals are fairly compared in one race
    place: int
    figures: tuple[
        float | None, ...
    ]  # those of the arena, in its order; None: it has none, and is left out of the mean


class Arena(Protocol):
    """How one game is simulated."""

    courses: Sequence[str]  # ridden if none is named
    figures: Sequence[Figure]

    def knows(self, course: str) -> bool: ...

    def seats(self, course: str, options: Mapping[str, Any]) -> int:
        """How many take part in a race there."""
        ...

    def setup(
        self, course: str, options: Mapping[str, Any], rng: random.Random
    ) -> tuple[Mapping[str, Any], Sequence[Mapping[str, Any]]]:
        """Options and entrants of one race. Their seats are "0", "1" and so on, in any order around the table."""
        ...

    def came(self, outcome: Mapping[str, Any]) -> Sequence[Came]:
        """Every seat of a race that is over."""
        ...
