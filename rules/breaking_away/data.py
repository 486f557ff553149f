"""The box: tables of the rulebook and of its Madison variant, in the order in which they are printed."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

POINTS_SPRINT: Final = (10, 8, 6, 5, 4, 3, 2, 1)
POINTS_FINISH: Final = (20, 16, 12, 10, 8, 6, 4, 2)
"""Points for places 1 to 8 on a line. Rules: BA-SCORE-03."""


class Allotment(NamedTuple):
    """What a cyclist of one number, or rating, may be given at the start: points at the most, in how many values."""

    limit: int
    values: tuple[int, ...]


ALLOTMENTS: Final[Mapping[int, Allotment]] = MappingProxyType(
    {
        1: Allotment(30, (3, 4)),
        2: Allotment(25, (3,)),
        3: Allotment(20, (3,)),
        4: Allotment(16, (3,)),
    }
)
"""Rules: BA-SET-04."""

SMALLEST_FACTOR: Final = 1
LARGEST_FACTOR: Final = 15
"""Of a starting value; a replacement may be larger. Rules: BA-SET-05, BA-SET-08."""

BASE_REPLACEMENT: Final = 3
OVERCROWDED: Final = 5
"""So many cyclists on one square are too many, in turn 1. Rules: BA-OPT-02."""

CYCLISTS: Final = (1, 2, 3, 4)
STAGGER: Final[Mapping[int, int]] = MappingProxyType({1: 0, 2: -1, 3: -2, 4: -3})
"""Where the numbers start with `staggered`. Rules: BA-OPT-03."""
FURTHEST_BACK: Final = -min(STAGGER.values())

MIN_TEAMS: Final = 3
MAX_TEAMS: Final = 9
MAX_TEAMS_ALLOWED: Final = 12
"""With the option `allow_12`: there are twelve colours. Rules: BA-SET-01."""

# ---- Madison ---------------------------------------------------------------------------------------------------------
MADISON_SPRINT: Final = (5, 3, 2, 1)
MADISON_FINISH: Final = (10, 6, 4, 2)
"""Rules: BA-MAD-20."""
MADISON_LAP: Final = 40
MADISON_LAPS: Final = 4
MADISON_QUOTA: Final = 4
MADISON_MIN_TEAMS: Final = 9
MADISON_SMALL: Final = 4
MADISON_MAX_TEAMS: Final = 14
"""Rules: BA-MAD-01."""
STRONG: Final = (1, 2)
WEAK: Final = (3, 4)
"""Ratings of the two cyclists of a team where nobody chooses them. Rules: BA-MAD-02."""

# ---- what is handed in for somebody who is late ----------------------------------------------------------------------
DEFAULT_HANDS: Final[Mapping[int, tuple[int, ...]]] = MappingProxyType(
    {1: (3, 6, 9, 12), 2: (6, 8, 11), 3: (4, 7, 9), 4: (4, 5, 7)}
)
"""By number, or rating; all points are spent."""
