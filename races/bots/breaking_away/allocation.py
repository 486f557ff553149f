"""The first hands, by level (spec 9.1)."""

import random
from collections.abc import Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from rules.breaking_away import turn
from rules.breaking_away.actions import Allocate
from rules.breaking_away.data import ALLOTMENTS, DEFAULT_HANDS, LARGEST_FACTOR, SMALLEST_FACTOR
from rules.breaking_away.state import Factors, State
from rules.game import Decision

Hands = Mapping[int, Factors]


class Style(StrEnum):
    """How a team may begin (spec 9.1)."""

    DEFAULT = "default"
    ATTACK = "attack"
    SIT_IN = "sit_in"


STYLES: Final[Mapping[Style, Hands]] = MappingProxyType(
    {
        Style.DEFAULT: DEFAULT_HANDS,
        Style.ATTACK: {1: (5, 10, 15), 2: (3, 9, 13), 3: (3, 5, 12), 4: (2, 4, 10)},
        Style.SIT_IN: {1: (7, 7, 8, 8), 2: (8, 8, 9), 3: (6, 7, 7), 4: (5, 5, 6)},
    }
)
"""By number, or rating; all points are spent."""

USUAL: Final[Sequence[Hands]] = (STYLES[Style.DEFAULT], STYLES[Style.SIT_IN])
"""What people begin with: a value to bridge a gap, one to ride along, a small one; or much the same everywhere."""

ATTACK: Final[Sequence[Hands]] = (STYLES[Style.ATTACK],)
"""A large value for everybody, and small ones beside it."""

SPREAD: Final[Sequence[Hands]] = (
    {1: (2, 7, 9, 12), 2: (2, 8, 15), 3: (2, 5, 13), 4: (1, 2, 13)},
    {1: (1, 8, 9, 12), 2: (1, 9, 15), 3: (1, 6, 13), 4: (1, 1, 14)},
    {1: (1, 6, 10, 13), 2: (2, 8, 15), 3: (1, 6, 13), 4: (1, 3, 12)},
)
"""Far apart: the large value of number 2 breaks away, that of 3 and 4 crosses the first line early or goes with a break, and
until then they slip in behind others with a small one. Found by thousands of races in outline, against each other too."""


def hands(state: State, decision: Decision, styles: Sequence[Hands], rng: random.Random) -> Allocate:
    """The hands of a team in one of these styles, each shifted a little, so that nobody can count on them."""
    style = rng.choice(styles)
    assert decision.about is not None
    team = state.field.team_named(decision.about)
    assert team is not None
    ratings = turn.ratings_of(state, team)
    dealt = [(str(number), shifted(style[strength], strength, rng)) for number, strength in ratings.items()]
    return Allocate(team=decision.about, hands=tuple(dealt))


def shifted(hand: Factors, strength: int, rng: random.Random) -> Factors:
    """The hand with one point moved from one value to another, if that is allowed; all points stay spent."""
    limit, _ = ALLOTMENTS[strength]
    assert sum(hand) == limit, "a style spends every point"
    values = list(hand)
    less, more = rng.sample(range(len(values)), 2)
    if rng.random() < 2 / 3 and values[less] > SMALLEST_FACTOR and values[more] < LARGEST_FACTOR:
        values[less] -= 1
        values[more] += 1
    return tuple(sorted(values))
