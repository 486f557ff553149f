"""How long a rider needs to the line from where he is, with the energy he has, if he rides alone as well as can be.

Tables, worked out backwards from the line for one course and one kind of rider. Distances are columns: lanes and other
riders are left to whoever uses a table. No table risks a fall; cracks are risked only if the profile says so.

*Time* is counted in turns from the beginning of the present one: a whole number of turns, and within the last one the
order in which riders cross: who is ahead of the peloton first, the nearer the line the earlier (0 to 0.9); then who
leaves the peloton for the line (0.92); then the peloton (0.96); then who comes from behind it. The smaller the better,
and half a turn is half a chance to be a turn earlier.
"""

from array import array
from collections.abc import Sequence
from functools import lru_cache
from operator import mul
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

FAR: Final = 12
"""Columns ahead of the peloton from which on it is not expected to catch a rider who rides on."""

Row = Sequence[float]
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
    boxes: int | None = None  # marked in the risk row of a rider who takes risks on mountains; None: he takes none


class Step(NamedTuple):
    """A move in columns."""

    squares: int
    price: int  # energy; negative: what he recovers
    cracks: bool = False  # at the risk of cracking
    draws: bool = False  # draws a crack tile of a time trial


class Plan:
    """The tables of one profile."""

    def __init__(self, profile: Profile) -> None:
        course = profile.course
        self.profile = profile
        self.columns = course.columns
        self.energy = start_energy(course) + max(data.CARRY_CAP.values()) + 2 * data.BEST_FEED_TILE
        self.trial = course.kind is not Kind.ROAD
        self.feeds = () if self.trial else course.columns_of(LineKind.FEED)
        self.bottle = round(_mean_tile())
        self.speeds = _speeds(profile)
        self.ways: dict[tuple[int, int, int, int], Any] = {}  # what `sketch` worked out from these tables
        self.free = [self._free(column) for column in range(self.columns + 1)]
        self.held = 0.0  # chance to hold when he risks a crack
        self.next: Plan = self  # after he has risked one
        if profile.boxes is not None:
            row = data.RISK_ROW
            self.held = (FACES + 1 - row[min(profile.boxes, len(row) - 1)]) / FACES
            if profile.boxes < len(row) - 1:
                self.next = plan(profile._replace(boxes=profile.boxes + 1))
        self.moves = [self.steps(column, self.free[column], self.energy) for column in range(self.columns + 1)]
        self.left = [-profile.carry * min(energy, profile.cap) - 1e-4 * energy for energy in range(self.energy + 1)]
        size = self.columns + 1
        self.alone: list[Row] = [[]] * size
        self.inside: list[Row] = [[]] * size
        self.sent: list[list[Row]] = [[]] * size  # by front, then gap: after a move that ended there, before the roll
        self.ahead: list[list[Row]] = [[]] * size  # by front, then gap: at the beginning of a turn
        self._ride_alone()
        if not self.trial:
            self._ride_with_the_peloton()
        self._pack()

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

    def waiting(self, front: int, energy: int, *, chase: bool | None = None) -> float:
        """Time inside before the roll for who does not attack in this turn. `chase`: it is known whether it pursues."""
        speeds = self.speeds if chase is None else _speeds(self.profile._replace(chase=float(chase)))
        time = 0.0
        for squares, chance in speeds:
            to, has = front + squares, energy - data.PELOTON_PRICE[squares]
            if to > self.columns:
                after = WITH_THE_PELOTON + self.left[self._points(has)]
            else:
                after = 1 + self.in_the_peloton(to, has + self.bottle * self.crossed(front, to))
            time += chance * (after + (has < 0))
        return time

    def crossed(self, column: float, to: float) -> int:
        """Feed lines between two columns."""
        return sum(column <= line < to for line in self.feeds)

    def steps(self, column: int, free: int, energy: int) -> list[Step]:
        """Every move with so many free squares that so much energy pays for, up to the first that is over the line."""
        course = self.profile.course
        found = []
        for squares in range(1, min(free + data.MAX_PAID, self.columns + 1 - column) + 1):
            if squares <= free:
                found.append(Step(squares, squares - free))
                continue
            price = data.PAID_SQUARES[squares - free]
            danger = _danger(course, column + free + 1, column + squares)
            if danger.black or price > energy:
                continue
            if self.trial:
                found.append(Step(squares, price, draws=danger.hard > data.TIME_TRIAL_PAID))
            elif not danger.cracks or (self.held and price * data.CRACK_TIMES <= energy):
                found.append(Step(squares, price, cracks=danger.cracks))
        return found

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

    def _ride_alone(self) -> None:
        for column in range(self.columns, -1, -1):
            best: Row = [NEVER] * (self.energy + 1)
            for step in self.moves[column]:
                to = column + step.squares
                if to > self.columns:
                    row = after = self._home(step.squares * FRONT_EDGE)
                else:
                    row = [1 + time for time in self.alone[to]]
                    after = row if not step.cracks or self.next is self else [1 + time for time in self.next.alone[to]]
                best = self._better(best, row, after, step, self.crossed(column, to))
            self.alone[column] = best

    def _pack(self) -> None:
        """Keep the tables in a quarter of the room: those of a long course are half a million numbers."""
        self.alone = [array("d", row) for row in self.alone]
        self.inside = [array("d", row) for row in self.inside]
        self.sent = [[array("d", row) for row in rows] for rows in self.sent]
        self.ahead = [[array("d", row) for row in rows] for rows in self.ahead]

    def _home(self, later: float) -> Row:
        return [later + left for left in self.left]

    def _ride_with_the_peloton(self) -> None:
        longest = max(self.free) + data.MAX_PAID
        for front in range(self.columns, -1, -1):
            reach = min(FAR + longest, self.columns - front)
            caught = [self._caught(front, squares) for squares, _ in self.speeds]
            self.sent[front] = sent = [[], *(self._rolled(front, front + gap, caught) for gap in range(1, reach + 1))]
            ahead: list[Row] = [[]]
            self.ahead[front] = ahead
            for gap in range(1, reach + 1):
                column = front + gap
                ahead.append(self._best_move(front, column) if gap <= FAR else self._slowly(front, column))
            self.inside[front] = sent[0] = ahead[0] = self._best_attack(front, caught)

    def _caught(self, front: int, squares: int) -> Row:
        """Times of who is in the peloton after a roll, with its price paid: of who cannot, about a turn more."""
        to, price = front + squares, data.PELOTON_PRICE[squares]
        row = self._home(WITH_THE_PELOTON) if to > self.columns else [1 + time for time in self.inside[to]]
        return [*[row[0] + 1] * price, *row[: len(row) - price]] if price else row

    def _rolled(self, front: int, column: int, caught: Sequence[Row]) -> Row:
        """Times of a rider in that column for whom the peloton has yet to roll."""
        rows: list[Row] = []
        for (squares, _), row in zip(self.speeds, caught, strict=True):
            to = front + squares
            if to < column:
                ahead = self.ahead[to]
                row = ahead[column - to] if column - to < len(ahead) else self._slowly(to, column)
                rows.append([1 + time for time in row])
                continue
            early = self.crossed(to, column) if to <= self.columns else 0
            # a line that he has crossed and the peloton has not: its bottle there will not be his
            rows.append(_drunk(row, -early * self.bottle) if early else row)
        return _mixed(rows, [chance for _, chance in self.speeds])

    def _slowly(self, front: int, column: int) -> Row:
        """Far ahead: on his own to the end, or one square a turn, gathering strength, until the peloton is there."""
        turns = -(-(column - front) // 3)
        there = column + turns
        alone = self.alone[column]
        if there >= self.columns:
            return alone
        gathered = turns * max(0, self.free[column] - 1)
        return [min(a, turns + b) for a, b in zip(alone, _drunk(self.inside[there], gathered), strict=True)]

    def _best_move(self, front: int, column: int) -> Row:
        best: Row = [NEVER] * (self.energy + 1)
        sent, after = self.sent[front], self.next.sent[front]
        for step in self.moves[column]:
            to = column + step.squares
            if to > self.columns:
                row = risked = self._home(step.squares * FRONT_EDGE)
            else:
                row, risked = sent[to - front], after[to - front]
            best = self._better(best, row, risked, step, self.crossed(column, to))
        return best

    def _best_attack(self, front: int, caught: Sequence[Row]) -> Row:
        """Inside: to wait for the roll, or to leave."""
        rows = [
            _drunk(row, self.bottle * self.crossed(front, min(front + squares, self.columns)))
            for (squares, _), row in zip(self.speeds, caught, strict=True)
        ]
        best: Row = _mixed(rows, [chance for _, chance in self.speeds])
        sent, after = self.sent[front], self.next.sent[front]
        for step in self.attacks(front, self.free[front], self.energy):
            to = front + step.squares
            if to > self.columns:
                row = risked = self._home(FROM_THE_PELOTON)
            else:
                row, risked = sent[step.squares], after[step.squares]
            best = self._better(best, row, risked, step, self.crossed(front, to))
        return best

    def attacks(self, front: int, free: int, energy: int) -> list[Step]:
        """Every move out of the peloton: 4 squares at least, which are paid also where the line is nearer."""
        found = []
        for step in self.steps(front, free, energy):
            if step.squares >= data.BREAKAWAY_SQUARES:
                found.append(step)
            elif front + step.squares > self.columns:
                paid = max(0, data.BREAKAWAY_SQUARES - free)
                price = data.PAID_SQUARES[paid] if paid else data.BREAKAWAY_SQUARES - free
                danger = _danger(self.profile.course, front + free + 1, front + data.BREAKAWAY_SQUARES)
                if price <= energy and not (paid and danger.cracks):
                    found.append(Step(step.squares, price))
        return found

    def _better(self, best: Row, row: Row, risked: Row, step: Step, crossed: int) -> Row:
        """The smaller time at each energy: what it was, or that of a step which leads to `row`, at a risk to `risked`."""
        if crossed:
            row = risked = _drunk(risked if step.cracks else row, crossed * self.bottle)
        price = step.price
        if step.cracks:
            worst, held = price * data.CRACK_TIMES, self.held
            size = len(best) - worst
            if size <= 0:
                return best
            mixed = [
                held * good + (1 - held) * bad
                for good, bad in zip(risked[worst - price : worst - price + size], risked[:size], strict=True)
            ]
            return [*best[:worst], *map(min, best[worst:], mixed)]
        if step.draws:
            tiles = data.CRACK_TILES
            worst = price + max(tiles)
            size = len(best) - worst
            mean = _mixed([row[worst - price - tile :][:size] for tile in tiles], [1 / len(tiles)] * len(tiles))
            return [*best[:worst], *map(min, best[worst:], mean)]
        if price > 0:
            return [*best[:price], *map(min, best[price:], row)]
        return list(map(min, best, _drunk(row, -price) if price else row))


FACES: Final = 12
"""Of the event die."""


def _drunk(row: Row, energy: int) -> Row:
    """The times of a row for who is about to win so much energy, or to lose it if negative."""
    if energy > 0:
        return [*row[energy:], *[row[-1]] * energy]
    if energy < 0:
        return [*[row[0]] * -energy, *row[:energy]]
    return row


def _mixed(rows: Sequence[Row], chances: Sequence[float]) -> Row:
    """The mean of some rows by their chances."""
    if len(rows) == 4:
        a, b, c, d = chances
        return [a * w + b * x + c * y + d * z for w, x, y, z in zip(*rows, strict=True)]
    if len(rows) == 3:
        a, b, c = chances
        return [a * w + b * x + c * y for w, x, y in zip(*rows, strict=True)]
    return [sum(map(mul, chances, times)) for times in zip(*rows, strict=True)]


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


class Danger(NamedTuple):
    """What paying for some columns may bring."""

    black: bool  # one of them is black from edge to edge: a fall
    cracks: bool  # more of a mountain than its category allows
    hard: int  # columns that are not downhill


@lru_cache(maxsize=65536)
def _danger(course: Course, first: int, last: int) -> Danger:
    climbed: dict[int, int] = {}
    rows = [_columns(course)[max(0, min(column, course.columns + 1))] for column in range(first, last + 1)]
    for row in rows:
        if row.segment is not None:
            climbed[row.segment] = climbed.get(row.segment, 0) + 1
    return Danger(
        black=any(row.black for row in rows),
        cracks=any(squares > course.segments[segment].category for segment, squares in climbed.items()),
        hard=sum(row.hard for row in rows),
    )


class _Column(NamedTuple):
    black: bool  # from edge to edge
    segment: int | None
    hard: bool


@lru_cache(maxsize=64)
def _columns(course: Course) -> tuple[_Column, ...]:
    """Columns 0 to the first beyond the line."""
    found = []
    for column in range(course.columns + 2):
        squares = [square for square in course.squares if course.column[square] == column]
        dotted = course.at(course.dotted_at(column), 60 * column - 1)
        found.append(
            _Column(
                black=all(course.black[square] for square in squares),
                segment=course.segment[dotted],
                hard=course.terrain[dotted] is not Terrain.DOWNHILL,
            )
        )
    return tuple(found)


@lru_cache(maxsize=64)
def plan(profile: Profile) -> Plan:
    """The tables of a profile, kept for the next race on the same course."""
    return Plan(profile)
