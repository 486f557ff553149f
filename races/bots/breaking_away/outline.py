"""A race in outline: places, hands and points as plain lists, ridden on by a quick policy.

Moves, lines, chains and the lead are here once more, for speed; a test holds them to the rules. It knows whatever hands it is
given: `belief` guesses those that a seat cannot see.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import exp
from operator import itemgetter, mul
from typing import Final, NamedTuple

from rules.breaking_away.data import BASE_REPLACEMENT, FURTHEST_BACK, OVERCROWDED
from rules.breaking_away.field import Field
from rules.breaking_away.options import AfterFinish, EndMode
from rules.breaking_away.state import NOBODY, Factors, State, Where

BACK: Final = FURTHEST_BACK
"""Added to a distance, so that nobody behind the start line has a negative one."""

BEYOND: Final = 400
"""Squares past the finish that are kept: with chains of a full field more than anybody rides after it."""

REACH: Final = 30
"""Squares before a line from which it is thought of."""


BLUR: Final = (0.8, 1.6, 3.0, 5.0, 8.0)
"""Places by which a guess at a place may be wrong, by the turns to the line: one, two, three, up to six, more."""

STEADY: Final = 6.5
"""Squares a turn beyond what is in a hand."""

IN_HAND: Final = 2.5
"""Turns to a line that a hand reaches with more than two factors; less the further it reaches, by a tenth of its squares."""

FURTHER: Final = 0.002
"""Turns that a square is worth between two who need as many: who is in front moves first."""


class Weights(NamedTuple):
    """What the quick policy counts, in points of the race."""

    chain: float  # a square more of the new factor
    pace: float  # a square ridden, at the start
    late: float  # the same at the finish
    line: float  # a point on a line, taken now
    soon: float  # a point on a line that can be taken in the next turn
    home: float  # a square ridden past the finish


def blurred(table: Sequence[int], racers: int, blur: float) -> tuple[float, ...]:
    """The points to be expected of a place that is only guessed at."""
    places = range(racers)
    found = []
    for guess in places:
        odds = [exp(-(((place - guess) / blur) ** 2) / 2) for place in places]
        found.append(sum(map(mul, odds, table)) / sum(odds))
    return tuple(found)


class Road:
    """What stays as it is during a race."""

    __slots__ = (
        "ats", "break_over_rival", "expected", "finish", "gates", "immediate", "leaves", "overcrowding", "quota", "racers",
        "size", "tables", "team",
    )  # fmt: skip

    def __init__(self, field: Field) -> None:
        course, options = field.course, field.options
        self.team = field.team_of
        self.racers = len(field.team_of)
        self.ats = tuple(line.at for line in course.lines)
        nothing = (0,) * (self.racers + 1)
        self.tables = tuple((*line.points[: self.racers], *nothing) for line in course.lines)
        self.expected = tuple(tuple(blurred(table, self.racers, blur) for blur in BLUR) for table in self.tables)
        """Of each line, by the turns to it, the points to be expected of a place."""
        self.finish = course.finish.at
        self.gates = tuple(
            next(number for number, at in enumerate(self.ats) if at >= pos) for pos in range(-BACK, self.finish + 1)
        )
        self.size = self.finish + BEYOND
        self.quota = course.finish_quota
        self.immediate = options.end_mode is EndMode.IMMEDIATE
        self.leaves = options.after_finish is AfterFinish.LEAVE
        self.break_over_rival = options.break_over_rival
        self.overcrowding = options.overcrowding


@lru_cache(maxsize=64)
def road_of(field: Field) -> Road:
    """The one `Road` of a field."""
    return Road(field)


class Outline:
    """A race at one moment. `hand` holds sorted lists; racers are known by their index as in a `Field`."""

    __slots__ = ("done", "hand", "leader", "occupied", "order", "over", "placed", "points", "pos", "quota", "road", "turn")  # fmt: skip

    def __init__(self, state: State, hands: Sequence[Factors]) -> None:
        road = self.road = road_of(state.field)
        self.pos = [racer.pos for racer in state.racers]
        self.hand = [list(hand) for hand in hands]
        self.order = list(state.order)
        self.done = state.done
        self.turn = state.turn
        self.leader = state.leader
        self.placed = [len(crossed) for crossed in state.lines]
        self.points = [0] * len(state.racers)
        """Points taken from here on, of each racer."""
        self.quota = min(road.quota, sum(racer.where is not Where.RETIRED for racer in state.racers))
        self.over = False
        self.occupied = bytearray(road.size)
        for racer in self.order[: self.done]:
            self.occupied[self.pos[racer] + BACK] += 1

    def copy(self) -> "Outline":
        """The same moment once more, to be ridden on differently."""
        other = Outline.__new__(Outline)
        other.road, other.done, other.turn, other.leader = self.road, self.done, self.turn, self.leader
        other.quota, other.over = self.quota, self.over
        other.pos, other.order, other.points = self.pos[:], self.order[:], self.points[:]
        other.hand = [hand[:] for hand in self.hand]
        other.placed = self.placed[:]
        other.occupied = self.occupied[:]
        return other

    # ---- riding ------------------------------------------------------------------------------------------------------
    def ride(self, racer: int, factor: int) -> None:
        """Spend a factor."""
        road = self.road
        pos = self.pos[racer]
        to = self.pos[racer] = pos + factor
        self.hand[racer].remove(factor)
        self.occupied[to + BACK] += 1
        self.done += 1
        if pos > road.finish:
            return
        gate = road.gates[pos + BACK]
        while road.ats[gate] < to:
            self.points[racer] += road.tables[gate][self.placed[gate]]
            self.placed[gate] += 1
            gate += 1
            if gate == len(road.ats):
                if road.immediate and self.placed[-1] >= self.quota:
                    self.over = True
                return

    def finish_turn(self, policy: Sequence[Weights], ordered: Mapping[int, int]) -> None:
        """Let everybody who is still to move ride: as ordered, or by the policy of his team. Then new factors."""
        team = self.road.team
        for racer in self.order[self.done :]:
            factor = ordered.get(racer)
            self.ride(racer, self.factor(racer, policy[team[racer]]) if factor is None else factor)
            if self.over:
                return
        if self.placed[-1] >= self.quota:
            self.over = True
        else:
            self._replace()

    def _replace(self) -> None:
        """New factors, and the order of the next turn."""
        road, pos, hands, occupied = self.road, self.pos, self.hand, self.occupied
        order = self.order
        order.sort(key=pos.__getitem__, reverse=True)  # keeps the order of arrival
        crowded = road.overcrowding and self.turn == 1
        leader, gap = self._lead(order)
        chain, square, here = 0, pos[order[0]], 0
        for racer in order:
            at = pos[racer]
            if at != square:
                if crowded and here >= OVERCROWDED:
                    chain = here = 0
                chain = chain + here if at == square - 1 else 0
                square, here = at, 0
            here += 1
            value = BASE_REPLACEMENT + chain
            if racer == leader:
                if racer != self.leader:
                    value = gap
            elif crowded and occupied[at + BACK] >= OVERCROWDED:
                value = BASE_REPLACEMENT
            hand = hands[racer]
            hand.append(value)
            hand.sort()
        self.leader = leader
        if road.leaves:
            order = self.order = [racer for racer in order if pos[racer] <= road.finish]
            if not order:
                self.over = True
        self.occupied = bytearray(road.size)
        self.done = 0
        self.turn += 1

    def _lead(self, order: Sequence[int]) -> tuple[int, int]:
        """The sole leader, and what a new one gets."""
        if len(order) < 2:
            return order[0], BASE_REPLACEMENT
        pos = self.pos
        gap = pos[order[0]] - pos[order[1]]
        if not gap:
            return NOBODY, 0
        if self.road.break_over_rival:
            team = self.road.team
            own = team[order[0]]
            gap = next((pos[order[0]] - pos[racer] for racer in order if team[racer] != own), BASE_REPLACEMENT)
        return order[0], gap

    # ---- the quick policy ------------------------------------------------------------------------------------------------
    def factor(self, racer: int, weights: Weights) -> int:
        """What he spends: new factor, squares and points weighed, as far as can be seen from who has moved."""
        return self.rated(racer, weights)[1]

    def rated(self, racer: int, weights: Weights, allowed: Sequence[int] | None = None) -> tuple[float, int]:
        """The best factor, or of those allowed the best, after its value."""
        road, occupied = self.road, self.occupied
        hand, pos = self.hand[racer], self.pos[racer]
        if pos > road.finish:
            return 0.0, min(allowed or hand)
        chained, early, late, line, soon, home = weights
        gate = road.gates[pos + BACK]
        at, table, placed = road.ats[gate], road.tables[gate], self.placed[gate]
        need = at - pos
        pace = early + (late - early) * max(0, pos) / road.finish
        now = table[placed] * line
        top = hand[-1]
        near = need < REACH and now > 0
        front = 0
        if self.done:
            front = max(map(self.pos.__getitem__, self.order[: self.done]))
        best, answer = -1e9, hand[0]
        for factor in allowed or hand:
            to = pos + factor
            square = to + BACK + 1
            chain = 0
            while here := occupied[square]:
                chain += here
                square += 1
            if to > front and front and racer != self.leader:
                chain = to - front - BASE_REPLACEMENT
            value = chained * chain + pace * factor
            if factor > need:
                value += now
                if gate + 1 < len(road.ats):
                    if to > road.ats[gate + 1]:
                        value += line * road.tables[gate + 1][self.placed[gate + 1]]
                else:
                    value += home * (to - at)
            elif near:
                most = max(BASE_REPLACEMENT + chain, top if factor != top else hand[-2] if len(hand) > 1 else 0)
                if to + most > at:
                    place = placed + sum(occupied[to + BACK : at + BACK + 1])
                    if place < len(table):
                        value += soon * table[place]
            if value > best:
                best, answer = value, factor
        return best, answer

    # ---- what may still come -----------------------------------------------------------------------------------------------
    def prospects(self) -> list[float]:
        """Of each racer the points that he may expect on the lines before him. For the beginning of a turn."""
        road, pos, hands = self.road, self.pos, self.hand
        found = [0.0] * len(pos)
        if self.over:
            return found
        last = len(road.ats) - 1
        for gate, at in enumerate(road.ats):
            placed = self.placed[gate]
            if placed >= road.racers or (gate == last and placed >= self.quota) or not road.tables[gate][placed]:
                continue
            running: list[tuple[float, int, int]] = []
            for racer in self.order:
                need = at + 1 - pos[racer]
                if need <= 0:
                    continue
                hand = hands[racer]
                top = hand[-1]
                if top >= need:
                    turns, blur = 1.0, 0
                elif sum(hand[-2:]) >= need:
                    turns, blur = 2.0, 1
                else:
                    over = need - sum(hand)
                    turns = 3 + over / STEADY if over > 0 else IN_HAND + (over / STEADY) * 0.1
                    blur = 2 if turns <= 3 else 3 if turns <= 6 else 4
                running.append((turns - FURTHER * pos[racer] if blur else turns, blur, racer))
            if not running:
                continue
            running.sort(key=itemgetter(0))  # of equals who is in front
            tables = road.expected[gate]
            for place, (_, blur, racer) in enumerate(running, placed):
                found[racer] += tables[blur][place]
        return found
