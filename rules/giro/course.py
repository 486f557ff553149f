"""The road of a stage, compiled into a graph of squares: all that a race and a page ever use.

* *lane*: counted from 0, the left side of the road in riding direction;
* *column*: counted along the dotted lane from 1, the first after the start line; the last one is `Course.columns`;
* *tick*: 1/60 of a column. A square is the ticks from its start up to, without, its end; its end is its *front edge*;
* *square*: an int. Squares are numbered by front edge, then lane, so that every step leads to a higher number;
* a *line* stands at the end of its column, a *category token* before its column.

A course has its run-in (columns -5 to 0) and its run-out (beyond the arrival line) as real squares.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any, Final, NewType

from rules.errors import RulesError
from rules.giro import courses, data
from rules.giro.data import Kind, Terrain
from rules.giro.notation import TICKS, Plan, plan_from_json
from rules.giro.validity import Level, findings, mountains

Square = NewType("Square", int)
"""A square of one course: an index into its tuples."""


class LineKind(StrEnum):
    """What a line across the road means. On one column a bonus comes before a feed zone. Rules: GI-B4-08."""

    BONUS = "bonus"
    FEED = "feed"
    SPRINT = "sprint"
    ARRIVAL = "arrival"


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line at the end of `column`. `number` counts the lines of its kind from 1 in road order."""

    kind: LineKind
    number: int
    column: int

    @property
    def tick(self) -> int:
        return TICKS * self.column


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """A part of a mountain that one category token governs. Rules: GI-C2-05; R-29."""

    category: int
    first: int  # column
    last: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Course:
    """A plan compiled into squares. The tuples in the second part are indexed by square.

    Two courses of one plan are equal. Sets of squares are the bits of an int, so that "is the whole row taken" and "is
    anybody within reach" cost one operation.
    """

    plan: Plan
    columns: int
    milestones: int
    trial: bool  # against the clock
    terrains: tuple[Terrain, ...]  # of columns 1 to `columns`, index 0 is column 1
    categories: tuple[int | None, ...]  # likewise; None where no token governs
    segments: tuple[Segment, ...]
    lines: tuple[Line, ...]  # in road order, the arrival last
    line_ticks: tuple[int, ...]  # where each of them stands
    lane_squares: tuple[tuple[Square, ...], ...]  # the squares of each lane from the run-in to the run-out

    lane: tuple[int, ...]
    start: tuple[int, ...]  # ticks
    end: tuple[int, ...]  # ticks; the front edge
    column: tuple[int, ...]  # the column that the front edge lies in
    terrain: tuple[Terrain, ...]
    segment: tuple[int | None, ...]  # index into `segments`
    category: tuple[int | None, ...]
    black: tuple[bool, ...]
    sprint_zone: tuple[bool, ...]
    beyond: tuple[bool, ...]  # past the arrival line: who steps here has finished
    ahead: tuple[Square | None, ...]  # the next one in the same lane; None at the end of the run-out
    next: tuple[tuple[Square, ...], ...]  # every step: straight first, then left, then right
    row: tuple[tuple[Square, ...], ...]  # for every lane, the square beside this front edge
    plain: tuple[bool, ...]  # neither black nor on a mountain: a paid step here risks nothing in a road stage
    row_set: tuple[int, ...]  # `row` as a set
    onward: tuple[tuple[Square, ...], ...]  # every step, in the order of lanes
    reach: tuple[
        tuple[int, ...], ...
    ]  # by number of squares up to the longest move: what so many steps can touch, as a set
    names: tuple[str, ...]  # "7.1": column of the front edge, lane; "7.1b" and so on for more of a lane in that column
    dotted: tuple[int, ...]  # of columns 1 to `columns`, index 0 is column 1: the lane that carries the dotted squares

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Course) and self.plan == other.plan)

    def __hash__(self) -> int:
        return hash(self.plan.id)

    def named(self, name: str) -> Square:
        """The square of that name; KeyError if the course has none."""
        try:
            return Square(self.names.index(name))
        except ValueError:
            raise KeyError(name) from None

    def terrain_at(self, column: int) -> Terrain:
        """The terrain of the dotted square of a column: of the run-in and the run-out too."""
        if column < 1:
            return Terrain.PLAIN
        return self.terrains[min(column, self.columns) - 1]

    def dotted_at(self, column: int) -> int:
        """The lane of the dotted square of a column; before the start line and after the arrival line lane 0."""
        return self.dotted[column - 1] if 1 <= column <= self.columns else 0

    def in_sprint_zone(self, column: int) -> bool:
        """Whether the dotted square of a column lies in the sprint zone."""
        return self.plan.sprint is not None and self.plan.sprint < column <= self.columns

    @property
    def id(self) -> str:
        return self.plan.id

    @property
    def name(self) -> str:
        return self.plan.name

    @property
    def kind(self) -> Kind:
        return self.plan.kind

    @property
    def arrival_tick(self) -> int:
        return TICKS * self.columns

    @property
    def squares(self) -> range:
        return range(len(self.end))

    def columns_of(self, kind: LineKind) -> tuple[int, ...]:
        """The columns at whose end a line of that kind stands, in road order."""
        return tuple(line.column for line in self.lines if line.kind is kind)

    def at(self, lane: int, tick: int) -> Square:
        """The square of `lane` that contains `tick`; ValueError where the road does not reach."""
        squares = self.lane_squares[lane]
        i = bisect_right(squares, tick, key=self.start.__getitem__) - 1
        if i < 0 or tick >= self.end[squares[i]]:
            raise ValueError(f"no square of lane {lane} at tick {tick}")
        return squares[i]

    def last_up_to(self, tick: int) -> tuple[Square, ...]:
        """For each lane, the last square whose front edge is not beyond `tick`.

        At the peloton's front these are the launch squares, at its rear the squares directly behind it.
        """
        return tuple(
            squares[bisect_right(squares, tick, key=self.end.__getitem__) - 1] for squares in self.lane_squares
        )

    def crossed(self, here: Square, there: Square) -> tuple[Line, ...]:
        """The lines between two squares, in road order: those that a step or a path from `here` to `there` crosses."""
        return tuple(line for line in self.lines if self.start[here] < line.tick <= self.start[there])


def start_energy(course: Course | Plan) -> int:
    """Points of energy that the course gives every rider, without what he carries over.

    Rules: GI-D3-02 for a time trial; the sum of the milestones in a road stage.
    """
    return course_energy(course.kind, course.milestones)


def course_energy(kind: Kind, milestones: int) -> int:
    """The same from the two facts alone, for a course that nobody wrote down."""
    times, by = data.TIME_TRIAL_ENERGY if kind.is_time_trial else (1, 1)
    return milestones * times // by


def fewest_steps(course: Course) -> int:
    """Steps that the shortest way over the arrival line takes from column 0, whichever lane it starts in (check E2)."""
    reached: set[Square] = set(course.last_up_to(0))
    steps = 0
    while not any(course.beyond[square] for square in reached):
        reached = {step for square in reached for step in course.next[square]}
        steps += 1
    return steps


# ---- compiling -------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class _Laid:
    """A square while the road is being laid, before it has its number."""

    lane: int
    start: int
    end: int
    terrain: Terrain
    black: bool


def compile_course(plan: Plan) -> Course:
    """Lay the squares of a plan. RulesError names every fault that forbids any race on it (V1, V7, V8, V9)."""
    refused = [finding.saying for finding in findings(plan) if finding.level is Level.REFUSED]
    if refused:
        raise RulesError(*refused)

    laid = sorted(
        (square for lane in range(plan.lanes) for square in _lay(plan, lane)),
        key=lambda square: (square.end, square.lane),
    )
    start = tuple(square.start for square in laid)
    end = tuple(square.end for square in laid)
    lane_of = tuple(square.lane for square in laid)
    lane_squares = tuple(
        tuple(Square(i) for i, square in enumerate(laid) if square.lane == lane) for lane in range(plan.lanes)
    )
    lines = _lines(plan)
    ahead, steps, row = _steps(start, end, lane_of, lane_squares)
    row_set = tuple(sum(1 << square for square in beside) for beside in row)

    columns, arrival = plan.columns, TICKS * plan.columns
    terrains = tuple(section.terrain for section in plan.sections for _ in range(section.columns))
    segments = _segments(plan)
    segment = tuple(_segment_at(segments, square, columns) for square in laid)
    zone = arrival if plan.sprint is None else TICKS * plan.sprint
    governing: list[int | None] = [None] * columns
    for part in segments:
        governing[part.first - 1 : part.last] = [part.category] * (part.last - part.first + 1)
    return Course(
        plan=plan,
        columns=columns,
        milestones=plan.milestones,
        trial=plan.kind.is_time_trial,
        terrains=terrains,
        categories=tuple(governing),
        segments=segments,
        lines=lines,
        line_ticks=tuple(line.tick for line in lines),
        lane_squares=lane_squares,
        lane=lane_of,
        start=start,
        end=end,
        column=tuple((tick - 1) // TICKS + 1 for tick in end),
        terrain=tuple(square.terrain for square in laid),
        segment=segment,
        category=tuple(None if i is None else segments[i].category for i in segment),
        black=tuple(square.black for square in laid),
        sprint_zone=tuple(zone <= tick < arrival for tick in start),
        beyond=tuple(tick >= arrival for tick in start),
        ahead=ahead,
        next=steps,
        row=row,
        plain=tuple(segment[i] is None and not square.black for i, square in enumerate(laid)),
        row_set=row_set,
        onward=tuple(tuple(sorted(after, key=lane_of.__getitem__)) for after in steps),
        reach=_reach(steps, row_set),
        names=_names(end, lane_of),
        dotted=tuple(section.dotted for section in plan.sections for _ in range(section.columns)),
    )


def _reach(steps: Sequence[tuple[Square, ...]], row_set: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """For 0, 1, 2... steps, and every square: the set of squares that at most so many steps lead to, and those beside.

    Whoever stands beside a square decides whether the road is blocked there, also where no step leads. Rules: GI-B1-08.
    """
    reached = [tuple(0 for _ in steps)]
    for _ in range(data.LONGEST_MOVE):
        shorter = reached[-1]
        longer = [0] * len(steps)
        for square, after in enumerate(steps):
            for onward in after:
                longer[square] |= row_set[onward] | shorter[onward]
        reached.append(tuple(longer))
    return tuple(reached)


def _names(end: Sequence[int], lane_of: Sequence[int]) -> tuple[str, ...]:
    """What people call a square. A lane that is longer than the dotted one has columns with two of its squares."""
    seen: dict[str, int] = {}
    names = []
    for tick, lane in zip(end, lane_of, strict=True):
        name = f"{(tick - 1) // TICKS + 1}.{lane}"
        again = seen.get(name, 0)
        names.append(name if not again else f"{name}{chr(ord('a') + again)}" if again < 26 else f"{name}z{again}")
        seen[name] = again + 1
    return tuple(names)


def _lay(plan: Plan, lane: int) -> Iterator[_Laid]:
    """The squares of one lane from the run-in to the run-out."""
    tick = -TICKS * data.RUN_IN
    for _ in range(data.RUN_IN):
        yield _Laid(lane=lane, start=tick, end=tick + TICKS, terrain=Terrain.PLAIN, black=False)
        tick += TICKS
    black = {(square.hexagon, square.index) for square in plan.black if square.lane == lane}
    for number, hexagon in enumerate(plan.hexagons, 1):
        index = 0
        for section in hexagon.sections:
            squares = section.in_lane(lane)
            length = TICKS * section.columns // squares
            for _ in range(squares):
                dark = (number, index) in black
                yield _Laid(lane=lane, start=tick, end=tick + length, terrain=section.terrain, black=dark)
                tick += length
                index += 1
    for _ in range(data.RUN_OUT):
        yield _Laid(lane=lane, start=tick, end=tick + TICKS, terrain=plan.sections[-1].terrain, black=False)
        tick += TICKS


def _steps(
    start: Sequence[int], end: Sequence[int], lane_of: Sequence[int], lane_squares: Sequence[Sequence[Square]]
) -> tuple[tuple[Square | None, ...], tuple[tuple[Square, ...], ...], tuple[tuple[Square, ...], ...]]:
    """For every square: the one ahead, every step, and the squares of all lanes beside its front edge."""
    starts = [[start[square] for square in squares] for squares in lane_squares]
    last = max(end)

    def at(lane: int, tick: int) -> Square:
        return lane_squares[lane][bisect_right(starts[lane], tick) - 1]

    ahead: list[Square | None] = []
    steps: list[tuple[Square, ...]] = []
    row: list[tuple[Square, ...]] = []
    for square, tick in enumerate(end):
        lane = lane_of[square]
        reach = (lane, lane - 1, lane + 1) if tick < last else ()
        steps.append(tuple(at(other, tick) for other in reach if 0 <= other < len(lane_squares)))
        ahead.append(steps[-1][0] if steps[-1] else None)
        row.append(tuple(at(other, tick - 1) for other in range(len(lane_squares))))
    return tuple(ahead), tuple(steps), tuple(row)


def _segments(plan: Plan) -> tuple[Segment, ...]:
    """The parts of every mountain that a token governs. Tokens that stand on no mountain govern nothing."""
    out = []
    for first, last, _ in mountains(plan):
        inside = [(column, category) for column, category in plan.categories if first <= column <= last]
        for i, (column, category) in enumerate(inside):
            end = inside[i + 1][0] - 1 if i + 1 < len(inside) else last
            out.append(Segment(category=category, first=column, last=end))
    return tuple(out)


def _segment_at(segments: Sequence[Segment], square: _Laid, columns: int) -> int | None:
    """The segment that governs a square. The run-out of a mountain arrival belongs to the last one."""
    if square.terrain is not Terrain.MOUNTAIN:
        return None
    column = min(square.start // TICKS + 1, columns)
    return next((i for i, part in enumerate(segments) if part.first <= column <= part.last), None)


def _lines(plan: Plan) -> tuple[Line, ...]:
    """Every line in road order; on one column in the order of `LineKind`."""
    groups: Iterable[tuple[LineKind, tuple[int, ...]]] = (
        (LineKind.BONUS, plan.bonus),
        (LineKind.FEED, plan.feed),
        (LineKind.SPRINT, () if plan.sprint is None else (plan.sprint,)),
        (LineKind.ARRIVAL, (plan.columns,)),
    )
    lines = [
        Line(kind=kind, number=number, column=column)
        for kind, columns in groups
        for number, column in enumerate(sorted(columns), 1)
    ]
    return tuple(sorted(lines, key=lambda line: line.column))


def course_from_json(source: str | bytes | Mapping[str, Any]) -> Course:
    """A course from the public notation, as text or as parsed JSON, ready to be raced or drawn at a table.

    RulesError says everything that cannot be read, or else every check that refuses it. What a check only warns of is
    told by `findings(course.plan)`.
    """
    return compile_course(plan_from_json(source))


# ---- the courses in the box ------------------------------------------------------------------------------------------
BUILT_IN_IDS: Final = tuple(str(course["id"]) for course in courses.BUILT_IN)


@cache
def built_in(course_id: str) -> Course:
    """A course that comes with the site; KeyError for an unknown id."""
    return course_from_json({str(course["id"]): course for course in courses.BUILT_IN}[course_id])
