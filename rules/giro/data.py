"""The box of *Giro d'Italia: The Game*: tables and limits.

Each table stands in the order of the rulebook with the id of its rule beside it. Energy is in points, road in squares,
time in turns. What the rulebook leaves open is a default that a club may change; it is marked "our own".
"""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final


class Terrain(StrEnum):
    """What a square is made of."""

    PLAIN = "P"
    MOUNTAIN = "M"
    DOWNHILL = "D"
    RISE = "R"


class Speciality(StrEnum):
    """What a rider is built for: green base, yellow base, red base."""

    ROULEUR = "rouleur"
    LEADER = "leader"
    CLIMBER = "climber"


class Kind(StrEnum):
    """How a stage is ridden: all together, alone against the clock, or by jersey against the clock."""

    ROAD = "road"
    ITT = "itt"
    TTT = "ttt"

    @property
    def is_time_trial(self) -> bool:
        return self is not Kind.ROAD


Table = Mapping[Speciality, Mapping[Terrain, int]]


def _table(*, rouleur: tuple[int, ...], leader: tuple[int, ...], climber: tuple[int, ...]) -> Table:
    """One row a speciality, the columns plain, mountain, downhill, rise: as the reference sheet prints it."""
    rows = {Speciality.ROULEUR: rouleur, Speciality.LEADER: leader, Speciality.CLIMBER: climber}
    columns = (Terrain.PLAIN, Terrain.MOUNTAIN, Terrain.DOWNHILL, Terrain.RISE)
    return MappingProxyType(
        {speciality: MappingProxyType(dict(zip(columns, row, strict=True))) for speciality, row in rows.items()}
    )


FREE_SQUARES: Final = _table(rouleur=(3, 1, 4, 2), leader=(2, 2, 4, 2), climber=(1, 3, 4, 2))
"""Free squares of a move in a road stage, by the terrain where it starts. Rules: GI-B1-01, GI-B1-02."""

FREE_SQUARES_TIME_TRIAL: Final = _table(rouleur=(3, 2, 4, 2), leader=(3, 3, 4, 2), climber=(2, 3, 4, 2))
"""Free squares of a move in a time trial, individual or team. Rules: GI-D3-03."""

PAID_SQUARES: Final = (0, 1, 3, 5, 8, 11, 15)
"""Energy for 0, 1, 2... paid squares in one move. Rules: GI-B1-04."""

MAX_PAID: Final = len(PAID_SQUARES) - 1
"""No move has more paid squares. Rules: GI-B1-03; R-01."""

LONGEST_MOVE: Final = 13
"""Squares: 4 free, strength, slipstream, card, and 6 paid. Nobody ever goes farther in a turn (check E2)."""

PELOTON_PRICE: Final[Mapping[int, int]] = MappingProxyType({3: 0, 4: 0, 5: 1, 6: 2, 7: 3})
"""Energy that everyone inside pays, by the squares the peloton went. Rules: GI-B4-04."""

SLOWEST_PELOTON: Final = min(PELOTON_PRICE)
FASTEST_PELOTON: Final = max(PELOTON_PRICE)

RISK_ROW: Final = (5, 8, 11)
"""What the event die must reach for the first, the second, and the third or any later risk. Rules: GI-C2-02; R-02."""

MOUNTAIN_CATEGORIES: Final = (1, 2, 3)
"""Paid squares on a mountain of that category without risk; 1 is the hardest. Rules: GI-C2-05."""

FEED_TILES: Final[Mapping[int, int]] = MappingProxyType({2: 3, 3: 4, 4: 3, 5: 2})
"""Bottles of one colour: how many of each value. The total of 12 is the rulebook's, the split is our own."""

BEST_FEED_TILE: Final = max(FEED_TILES)

CRACK_TILES: Final = (2, 2, 3, 3, 4, 4, 5)
"""The seven tiles a rider may lose on the mountains of a time trial. R-39."""

MAX_RIDERS: Final = 12
"""Riders in one race, all players together (check E12)."""

MAX_PLAYERS: Final = 10

STAGE_WIN: Final = 2
"""Squares forward on the GC track for winning a road stage. Rules: GI-D1-01."""

BONUS: Final = 1
"""Squares forward on the GC track for a bonus line. Rules: GI-D2-01."""

GC_LOOP: Final = 18
"""Squares of the looped GC track: who is that many behind is lapped. Rules: GI-D1-04. The number is our own."""

GC_LOOP_ALLOWED: Final = range(12, 31)
"""Lengths of the GC track that a campaign may choose."""

TIME_LIMIT: Final = 3
"""Turns after the peloton in which a rider is still in time. Rules: GI-F-05."""

CARRY_CAP: Final[Mapping[Kind, int]] = MappingProxyType({Kind.ROAD: 15, Kind.ITT: 5, Kind.TTT: 5})
"""Energy that a rider takes out of a stage into the next one, at most. Rules: GI-D4-01, GI-D4-03."""

TIME_TRIAL_ENERGY: Final = (3, 2)
"""Numerator and denominator by which the milestones of a time trial are multiplied. Rules: GI-D3-02."""

PELOTON_TICKS: Final = 120
"""Length of the peloton: two squares. Rules: GI-B4-01 and the model of B.4."""

BREAKAWAY_SQUARES: Final = 4
"""Squares that a rider must move to leave the peloton. Rules: GI-B2-02."""

DRAFT_LIMIT: Final = 6
DRAFT_LIMIT_DOWNHILL: Final = 8
"""Squares from which on a move leaves whoever is behind without slipstream. Rules: GI-C1-02."""

CRACK_TIMES: Final = 3
FALL_TIMES: Final = 2
"""What a crack and a fall multiply the price of the move by. Rules: GI-C2-06, GI-C2-08."""

TIME_TRIAL_FALL: Final = 5
"""What the event die must reach in a time trial, always. Rules: GI-D3-10."""

TIME_TRIAL_PAID: Final = 2
"""Paid squares that are not downhill without a crack tile in a time trial. Rules: GI-D3-07."""

JERSEYS: Final = ("white", "yellow", "blue", "green", "purple")
"""The five teams of the box; the fifth colour is our own."""

MOST_RIDERS_EACH: Final[Mapping[int, int]] = MappingProxyType(
    {1: 3, 2: 3, 3: 3, 4: 3, 5: 2, 6: 1, 7: 1, 8: 1, 9: 1, 10: 1}
)
"""Riders that each of so many players may have. One player is practice, our own. Rulebook A.2."""

MAX_SEATS_WITH_JERSEYS: Final = 4
"""Up to so many players, each takes a whole jersey. Rules: set-up step S1; R-08."""

# ---- what a course may be built of -----------------------------------------------------------------------------------
HEXAGONS_ALLOWED: Final = range(3, 22)
"""Hexagons of a course: the box has 21 (check V1)."""

LANES_ALLOWED: Final = range(2, 5)

FEED_ZONES: Final = ((12, 1), (17, 2), (21, 3))
"""Feed zones of a road stage: (up to so many hexagons, zones). A time trial has none. Check V4; R-06."""

CATEGORY_TOKENS: Final = 6
BONUS_TOKENS: Final = 2

RUN_IN: Final = 6
"""Plain columns before the start line, -5 to 0."""

RUN_OUT: Final = 16
"""Columns after the arrival line, of its terrain."""
