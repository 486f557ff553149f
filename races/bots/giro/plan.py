"""How long a rider needs to the line from where he is, with the energy he has, if he rides alone as well as can be.

Tables, worked out backwards from the line for one course and one kind of rider. Distances are columns: lanes and other
riders are left to whoever uses a table. Nothing here takes a risk.

*Time* is counted in turns from the beginning of the present one: a whole number of turns, and within the last one the
order in which riders cross: who is ahead of the peloton first, the nearer the line the earlier (0 to 0.9); then who
leaves the peloton for the line (0.92); then the peloton (0.96); then who comes from behind it. The smaller the better,
and half a turn is half a chance to be a turn earlier.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from rules.giro import data
from rules.giro.course import Course, LineKind, start_energy
from rules.giro.data import Kind, Speciality, Terrain
from rules.giro.state import Face, Strength

NEVER: Final = 999.0
"""Turns to the line for who cannot get there, or cannot pay."""

FRONT_EDGE: Final = 0.9 / data.LONGEST_MOVE
"""Of a turn: how much later the last move over the line is for every column that it is longer."""

FROM_THE_PELOTON: Final = 0.92
WITH_THE_PELOTON: Final = 0.96

FAR: Final = 15
"""Columns ahead of the peloton from which on it is not expected to catch a rider who rides on."""

Row = list[float]
"""Times by energy, from 0 upwards."""


class Profile(NamedTuple):
    """All of a rider and his race that a plan depends on."""

    course: Course
    speciality: Speciality
    strength: Strength | None
    faces: tuple[Face, ...]
    chase: float  # how often the peloton is expected to pursue, 0 to 1
    carry: float  # turns that a point of energy is worth beyond the line, up to what may be carried over
    cap: int  # that much


class Plan:
    """The tables of one profile."""

    def __init__(self, profile: Profile) -> None:
        course = profile.course
        self.profile = profile
        self.columns = course.columns
        self.energy = start_energy(course) + max(data.CARRY_CAP.values()) + 2 * data.BEST_FEED_TILE
        self.trial = course.kind is not Kind.ROAD
        self.feeds = () if self.trial else course.columns_of(LineKind.FEED)
        self.free = [self._free(column) for column in range(self.columns + 1)]
        self.moves = [self._moves(column, self.free[column]) for column in range(self.columns + 1)]
        self.ways: dict[tuple[int, int, int, int], Any] = {}  # what others worked out from these tables
        self.bottle = round(_mean_tile())
        self.speeds = _speeds(profile)
        self.left = [-profile.carry * min(energy, profile.cap) - 1e-4 * energy for energy in range(self.energy + 1)]
        self.alone: list[Row] = []
        self.inside: list[Row] = []
        self.sent: list[list[Row]] = []  # by front, then gap: just after a move that ended there, before the roll
        self.ahead: list[list[Row]] = []  # by front, then gap: at the beginning of a turn
        self._ride_alone()
        if not self.trial:
            self._ride_with_the_peloton()

    # ---- what a rider reads --------------------------------------------------------------------------------------
    def on_his_own(self, column: float, energy: int) -> float:
        """Time at the beginning of a turn, never to see the peloton again."""
        return _between(self.alone, column, self._points(energy))

    def in_the_peloton(self, front: float, energy: int) -> float:
        """Time when attacks are asked for, before the peloton's roll."""
        return _between(self.inside, front, self._points(energy))

    def outside(self, column: float, front: int, energy: int) -> float:
        """Time at the beginning of a turn, ahead of the peloton."""
        return self._ahead(self.ahead, column, front, energy)

    def gone(self, column: float, front: int, energy: int) -> float:
        """Time after a move that ended ahead of the peloton, in the turn of that move, before the roll."""
        return self._ahead(self.sent, column, front, energy)

    def _points(self, energy: int) -> int:
        return max(0, min(energy, self.energy))

    def _ahead(self, rows: list[list[Row]], column: float, front: int, energy: int) -> float:
        here = rows[max(0, min(front, self.columns))]
        gap = min(max(column - max(front, 0), 0.0), len(here) - 1.0)
        return _between(here, gap, self._points(energy))

    # ---- how they are made ---------------------------------------------------------------------------------------
    def _free(self, column: int) -> int:
        profile, course = self.profile, self.profile.course
        table = data.FREE_SQUARES_TIME_TRIAL if self.trial else data.FREE_SQUARES
        terrain = course.terrain_at(column)
        squares = table[profile.speciality][terrain]
        squares += profile.strength is Strength.DESCENDER and terrain is Terrain.DOWNHILL
        squares += profile.strength is Strength.SPRINTER and course.in_sprint_zone(column)
        return squares

    def _moves(self, column: int, free: int) -> list[tuple[int, int]]:
        """Every move without a risk as (columns, energy it takes), up to the first that is over the line."""
        most = min(free + data.MAX_PAID, self.columns + 1 - column)
        return [
            (squares, data.PAID_SQUARES[squares - free] if squares > free else squares - free)
            for squares in range(1, most + 1)
            if squares <= free or self._is_safe(column + free + 1, column + squares)
        ]

    def _is_safe(self, first: int, last: int) -> bool:
        """Whether paying for the columns from `first` to `last` is no risk. In a time trial only falling is one."""
        return is_safe(self.profile.course, first, last, self.trial)

    def _draws(self, first: int, last: int) -> bool:
        """Whether paying for these columns draws a crack tile in a time trial."""
        course = self.profile.course
        hard = sum(course.terrain_at(column) is not Terrain.DOWNHILL for column in range(first, last + 1))
        return hard > data.TIME_TRIAL_PAID

    def waiting(self, front: int, energy: int, *, chase: bool | None = None) -> float:
        """Time inside before the roll for who does not attack in this turn. `chase`: it is known whether it pursues."""
        profile = self.profile if chase is None else self.profile._replace(chase=float(chase))
        time = 0.0
        for squares, chance in _speeds(profile):
            to, has = front + squares, energy - data.PELOTON_PRICE[squares]
            if to > self.columns:
                after = WITH_THE_PELOTON + self.left[self._points(has)]
            else:
                after = 1 + self.in_the_peloton(to, has + self.bottle * self.crossed(front, to))
            time += chance * (after + (has < 0))
        return time

    def _after(self, row: Row, price: int, crossed: int) -> Row:
        """The times of a row for who has yet to pay `price` (negative: he recovers) and drinks `crossed` bottles."""
        price -= crossed * self.bottle
        if price > 0:
            return [NEVER] * price + row[:-price]
        return row[-price:] + [row[-1]] * -price if price else row

    def crossed(self, column: int, to: int) -> int:
        return sum(column <= line < to for line in self.feeds)

    def _ride_alone(self) -> None:
        rows: list[Row] = [[]] * (self.columns + 1)
        for column in range(self.columns, -1, -1):
            best = [NEVER] * (self.energy + 1)
            for squares, price in self.moves[column]:
                to = column + squares
                if to > self.columns:
                    cell = [squares * FRONT_EDGE + left for left in self.left]
                else:
                    cell = [1 + time for time in rows[to]]
                if self.trial and self._draws(column + self.free[column] + 1, to):
                    cell = self._with_a_tile(cell)
                best = _better(best, self._after(cell, price, self.crossed(column, to)), price)
            rows[column] = best
        self.alone = rows

    def _with_a_tile(self, row: Row) -> Row:
        """Times of who has yet to draw one of his seven tiles, and must be able to afford the highest. GI-D3-09."""
        share = 1 / len(data.CRACK_TILES)
        most = max(data.CRACK_TILES)
        mixed = _mixed([(share, self._after(row, tile, 0)) for tile in data.CRACK_TILES])
        return [NEVER] * most + mixed[most:]

    def _ride_with_the_peloton(self) -> None:
        size = self.columns + 1
        self.inside = [[]] * size
        self.sent = [[]] * size
        self.ahead = [[]] * size
        longest = max(self.free) + data.MAX_PAID
        home = [WITH_THE_PELOTON + left for left in self.left]
        for front in range(self.columns, -1, -1):
            reach = min(FAR + longest, self.columns - front)
            sent: list[Row] = [[]]
            for gap in range(1, reach + 1):
                sent.append(self._rolled(front, front + gap, home))
            self.sent[front] = sent
            ahead: list[Row] = [[]]
            for gap in range(1, reach + 1):
                column = front + gap
                if gap > FAR:
                    ahead.append(self._waits_or_not(front, column, self.alone[column]))
                    continue
                ahead.append(self._best_move(front, column, sent))
            self.ahead[front] = ahead
            self.inside[front] = self._best_attack(front, sent, home)
            sent[0] = ahead[0] = self.inside[front]

    def _rolled(self, front: int, column: int, home: Row) -> Row:
        """Times of a rider in that column for whom the peloton has yet to roll."""
        parts: list[tuple[float, Row]] = []
        for squares, chance in self.speeds:
            to = front + squares
            if to > self.columns:  # it catches him and finishes
                row = self._after(home, data.PELOTON_PRICE[squares], 0)
            elif to >= column:
                drunk = self.crossed(to, column)  # at the line already; the peloton's bottle is not his
                row = self._paid(self.inside[to], data.PELOTON_PRICE[squares] + drunk * self.bottle)
                row = [1 + time for time in row]
            elif column - to < len(self.ahead[to]):
                row = [1 + time for time in self.ahead[to][column - to]]
            else:
                row = [1 + time for time in self._waits_or_not(to, column, self.alone[column])]
            parts.append((chance, row))
        return _mixed(parts)

    def _paid(self, row: Row, price: int) -> Row:
        """Like `_after` for what the peloton asks: who cannot pay is dropped, and loses about a turn."""
        if not price:
            return row
        return [row[0] + 1] * price + row[:-price]

    def _waits_or_not(self, front: int, column: int, alone: Row) -> Row:
        """Far ahead: on his own to the end, or slowly, gathering strength, until the peloton is there."""
        turns = -(-(column - front) // 3)
        there = column + turns
        if there >= self.columns:
            return alone
        gathered = turns * max(0, self.free[column] - 1)
        waits = [turns + time for time in self._after(self.inside[there], -gathered, 0)]
        return list(map(min, alone, waits))

    def _best_move(self, front: int, column: int, sent: Sequence[Row]) -> Row:
        best = [NEVER] * (self.energy + 1)
        for squares, price in self.moves[column]:
            to = column + squares
            if to > self.columns:
                cell = [squares * FRONT_EDGE + left for left in self.left]
            else:
                cell = sent[to - front]
            best = _better(best, self._after(cell, price, self.crossed(column, to)), price)
        return best

    def _best_attack(self, front: int, sent: Sequence[Row], home: Row) -> Row:
        """Inside: to wait for the roll, or to leave."""
        parts: list[tuple[float, Row]] = []
        for squares, chance in self.speeds:
            to = front + squares
            price = data.PELOTON_PRICE[squares]
            if to > self.columns:
                row = self._paid(home, price)
            else:
                row = self._after(self._paid(self.inside[to], price), 0, self.crossed(front, to))
                row = [1 + time for time in row]
            parts.append((chance, row))
        best = _mixed(parts)
        free = self.free[front]
        for squares, price in self.moves[front]:
            to = front + squares
            if squares < data.BREAKAWAY_SQUARES:
                if to <= self.columns:
                    continue
                paid = max(0, data.BREAKAWAY_SQUARES - free)
                if paid and not self._is_safe(front + free + 1, front + data.BREAKAWAY_SQUARES):
                    continue
                price = data.PAID_SQUARES[paid]
            if to > self.columns:
                cell = [FROM_THE_PELOTON + left for left in self.left]
            else:
                cell = sent[squares]
            best = _better(best, self._after(cell, price, self.crossed(front, to)), price)
        return best


def _better(best: Row, other: Row, price: int) -> Row:
    """The smaller of two times at each energy, where the price can be paid before any bottle is drunk."""
    if price > 0:
        return best[:price] + list(map(min, best[price:], other[price:]))
    return list(map(min, best, other))


def _mixed(parts: Sequence[tuple[float, Row]]) -> Row:
    out = [0.0] * len(parts[0][1])
    for chance, row in parts:
        out = [sum_ + chance * time for sum_, time in zip(out, row, strict=True)]
    return out


def _between(rows: Sequence[Row], column: float, energy: int) -> float:
    """Read a row; between two columns the mean of both, by distance. Before the start line about a turn for 4 columns."""
    if column < 0:
        return rows[0][energy] - column / 4
    last = len(rows) - 1
    low = int(column)
    if low >= last:
        return rows[last][energy]
    part = column - low
    if not part:
        return rows[low][energy]
    return rows[low][energy] * (1 - part) + rows[low + 1][energy] * part


def _mean_tile() -> float:
    return sum(value * count for value, count in data.FEED_TILES.items()) / sum(data.FEED_TILES.values())


def _speeds(profile: Profile) -> tuple[tuple[int, float], ...]:
    """Squares of the peloton and how likely they are, somebody inside."""
    tickets = sum(face.weight for face in profile.faces)
    chances: dict[int, float] = {}
    for face in profile.faces:
        for more, chance in ((0, 1 - profile.chase), (1, profile.chase)):
            if chance:
                squares = face.value + more
                chances[squares] = chances.get(squares, 0.0) + chance * face.weight / tickets
    return tuple(sorted(chances.items()))


@lru_cache(maxsize=65536)
def is_safe(course: Course, first: int, last: int, trial: bool = False) -> bool:
    """Whether paying for the columns from `first` to `last` can be no risk: no segment of a mountain beyond its category,
    and no column that is black from edge to edge."""
    climbed: dict[int, int] = {}
    for column in range(first, last + 1):
        row = _columns(course)[min(column, course.columns + 1)]
        if row.black:
            return False
        if row.segment is not None and not trial:
            climbed[row.segment] = climbed.get(row.segment, 0) + 1
    return all(squares <= course.segments[segment].category for segment, squares in climbed.items())


class _Column(NamedTuple):
    black: bool  # from edge to edge
    segment: int | None


@lru_cache(maxsize=64)
def _columns(course: Course) -> tuple[_Column, ...]:
    """Columns 0 to the first beyond the line."""
    found = []
    for column in range(course.columns + 2):
        squares = [square for square in course.squares if course.column[square] == column]
        dotted = course.at(course.dotted_at(column), 60 * column - 1)
        found.append(_Column(black=all(course.black[square] for square in squares), segment=course.segment[dotted]))
    return tuple(found)


@lru_cache(maxsize=48)
def plan(profile: Profile) -> Plan:
    """The tables of a profile, kept for the next race on the same course."""
    return Plan(profile)
