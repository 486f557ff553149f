"""Courses: lines at distances from the start, and the circuit that is printed on the board (spec 3)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from rules.breaking_away import data, typed
from rules.errors import RulesError, Saying, Unreadable, gettext_noop


class Kind(StrEnum):
    SPRINT = "sprint"
    FINISH = "finish"


class Line(NamedTuple):
    """A scoring line: crossed by a move from `at` or before it to beyond it. Rules: BA-CRS-06, BA-SCORE-01."""

    id: str
    kind: Kind
    at: int
    points: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    id: str
    circuit: int | None  # squares of a lap; None: an open road
    lines: tuple[Line, ...]
    finish_quota: int
    staggered: bool = False  # what the option says where it says nothing

    @property
    def finish(self) -> Line:
        return self.lines[-1]

    def square(self, pos: int) -> int:
        """The printed square of a distance from the start. Rules: BA-MOVE-06, BA-CRS-04; AMB-21."""
        return pos if self.circuit is None else pos % self.circuit

    def lap(self, pos: int) -> int:
        """How often the start line has been passed, for the badge on a cyclist. Rules: BA-LAP-01."""
        return 0 if self.circuit is None else max(0, pos) // self.circuit


# ---- built in --------------------------------------------------------------------------------------------------------
def _course(name: str, circuit: int | None, sprints: Sequence[int], finish: int, *tables: tuple[int, ...]) -> Course:
    sprint_points, finish_points = tables
    lines = [Line(f"S{number}", Kind.SPRINT, at, sprint_points) for number, at in enumerate(sprints, 1)]
    lines.append(Line("F", Kind.FINISH, finish, finish_points))
    return Course(id=name, circuit=circuit, lines=tuple(lines), finish_quota=len(finish_points))


BUILT_IN: Final[Mapping[str, Course]] = MappingProxyType(
    {
        course.id: course
        for course in (
            _course("standard-100", 40, (33, 73), 100, data.POINTS_SPRINT, data.POINTS_FINISH),
            _course("postal-120", None, (40, 80), 120, data.POINTS_SPRINT, data.POINTS_FINISH),
            _course("kermesse-60", 30, (30,), 60, data.POINTS_SPRINT, data.POINTS_FINISH),
            _course("classic-140", None, (40, 85), 140, data.POINTS_SPRINT, (30, 24, 18, 15, 12, 9, 6, 3)),
            _course("criterium-125", 25, (25, 50, 75, 100), 125, (5, 3, 2, 1), data.POINTS_SPRINT),
        )
    }
)

MADISON: Final = _course(
    "madison",
    data.MADISON_LAP,
    [data.MADISON_LAP * lap for lap in range(1, data.MADISON_LAPS)],
    data.MADISON_LAP * data.MADISON_LAPS,
    data.MADISON_SPRINT,
    data.MADISON_FINISH,
)
assert MADISON.finish_quota == data.MADISON_QUOTA

STANDARD: Final = BUILT_IN["standard-100"]

# ---- of one's own ----------------------------------------------------------------------------------------------------
COURSE: Final = ("id", "circuit", "lines", "finish_quota", "staggered")
LINE: Final = ("id", "kind", "at", "points")
MOST_LINES: Final = 12
MOST_PLACES: Final = 36
MOST_POINTS: Final = 9999
"""For one place: the sum of numbers as long as JSON allows could not be written any more."""
CIRCUIT: Final = (20, 200)
FINISH: Final = (20, 500)
CLOSE: Final = data.LARGEST_FACTOR
"""Lines nearer to each other than this can be crossed in one move."""
LONGEST_NAME: Final = 40


def _fault(rule: str, message: str, **params: str | int) -> Saying:
    return Saying(rule=rule, message=message, params=params)


def faults(course: Course) -> list[Saying]:
    """All that a course cannot be. Rules: BA-CRS-01, BA-CRS-02, BA-CRS-03, BA-CRS-04."""
    lines = course.lines
    found = []
    if not 1 <= len(lines) <= MOST_LINES:
        return [
            _fault("BA-CRS-01", gettext_noop("A course has 1 to 12 lines, not %(count)s."), count=len(lines)),
        ]
    for line, before in zip(lines, (None, *lines), strict=False):
        if line.at < 1 or (before is not None and line.at <= before.at):
            found.append(
                _fault(
                    "BA-CRS-01",
                    gettext_noop("Lines follow each other from square 1 on; %(line)s at %(at)s does not."),
                    line=line.id,
                    at=line.at,
                )
            )
        if not line.points or min(line.points) < 1 or list(line.points) != sorted(line.points, reverse=True):
            found.append(
                _fault(
                    "BA-CRS-02",
                    gettext_noop(
                        "The points of %(line)s are whole numbers from 1 on, none larger than the one before."
                    ),
                    line=line.id,
                )
            )
        if len(line.points) > MOST_PLACES:
            found.append(
                _fault("BA-CRS-02", gettext_noop("%(line)s has points for more than 36 places."), line=line.id)
            )
        if max(line.points, default=0) > MOST_POINTS:
            found.append(
                _fault("BA-CRS-02", gettext_noop("A place on %(line)s wins 9999 points at the most."), line=line.id)
            )
    names = [line.id for line in lines]
    if len(set(names)) < len(names):
        found.append(_fault("BA-CRS-01", gettext_noop("Every line has an id of its own.")))
    if [line.kind for line in lines].count(Kind.FINISH) != 1 or course.finish.kind is not Kind.FINISH:
        found.append(_fault("BA-CRS-01", gettext_noop("The last line is the finish, and no other is.")))
    if course.finish_quota < 1:
        found.append(_fault("BA-CRS-03", gettext_noop("The race ends with one cyclist over the finish, or more.")))
    if course.circuit is not None and not CIRCUIT[0] <= course.circuit <= CIRCUIT[1]:
        found.append(
            _fault("BA-CRS-04", gettext_noop("A circuit has 20 to 200 squares, not %(count)s."), count=course.circuit)
        )
    if not FINISH[0] <= course.finish.at <= FINISH[1]:
        found.append(
            _fault(
                "BA-CRS-04",
                gettext_noop("The finish is 20 to 500 squares from the start, not %(at)s."),
                at=course.finish.at,
            )
        )
    return found


def warnings(course: Course) -> list[Saying]:
    """What is allowed and may surprise: lines that one move can cross together. Rules: BA-CRS-05."""
    ids = [line.id for line in course.lines]
    near = [
        _fault(
            "BA-CRS-05",
            gettext_noop("%(first)s and %(second)s are %(gap)s squares apart: a factor of 15 can cross both at once."),
            first=ids[place - 1],
            second=ids[place],
            gap=gap,
        )
        for place in range(1, len(ids))
        if (gap := course.lines[place].at - course.lines[place - 1].at) < CLOSE
    ]
    if course.lines[0].at < CLOSE:
        near.insert(
            0,
            _fault(
                "BA-CRS-05",
                gettext_noop("%(first)s can be crossed in turn 1: it is %(at)s squares from the start."),
                first=ids[0],
                at=course.lines[0].at,
            ),
        )
    return near


def course_of(source: object) -> Course:
    """A course by the id of a built-in one, or told in JSON. RulesError says everything that is wrong with it."""
    if isinstance(source, str):
        if source in BUILT_IN:
            return BUILT_IN[source]
        raise Unreadable(
            gettext_noop('There is no course "%(course)s". Built in are %(known)s.'),
            course=source[:80],
            known=", ".join(BUILT_IN),
        )
    if not isinstance(source, Mapping):
        raise Unreadable(gettext_noop("A course is the id of a built-in one, or an object."))
    course = _read(source)
    if found := faults(course):
        raise RulesError(*found)
    return course


def _read(source: Mapping[str, Any]) -> Course:
    for name in source:
        if name not in COURSE:
            raise Unreadable(
                gettext_noop('A course has no "%(name)s"; it has %(known)s.'),
                name=str(name)[:40],
                known=", ".join(COURSE),
            )
    told = source.get("lines")
    if not isinstance(told, Sequence) or isinstance(told, str) or not told:
        raise Unreadable(gettext_noop('A course has "lines", a list.'))
    lines = tuple(_read_line(line) for line in told[: MOST_LINES + 1])
    quota = source.get("finish_quota")
    circuit = source.get("circuit")
    try:
        return Course(
            id=typed.text(source.get("id", "own"), LONGEST_NAME),
            circuit=None if circuit is None else typed.number(circuit),
            lines=lines,
            finish_quota=len(lines[-1].points) if quota is None else typed.number(quota),
            staggered=typed.truth(source.get("staggered", False)),
        )
    except TypeError:
        raise Unreadable(
            gettext_noop(
                "A course tells its id as text, circuit (or null) and finish_quota as whole numbers, staggered as true "
                "or false."
            )
        ) from None


def _read_line(source: object) -> Line:
    try:
        if not isinstance(source, Mapping) or any(name not in LINE for name in source):
            raise TypeError
        points = source["points"]
        if not isinstance(points, Sequence) or isinstance(points, str):
            raise TypeError
        return Line(
            id=typed.text(source["id"], LONGEST_NAME),
            kind=Kind(source["kind"]),
            at=typed.number(source["at"]),
            points=tuple(typed.number(value) for value in points[: MOST_PLACES + 1]),
        )
    except (TypeError, ValueError, KeyError):
        raise Unreadable(
            gettext_noop('A line reads {"id": "S1", "kind": "sprint", "at": 33, "points": [10, 8]}, not %(line)s.'),
            line=str(source)[:120],
        ) from None


def write_course(course: Course) -> str | dict[str, Any]:
    """The id of a built-in course; one of one's own as JSON that `course_of` reads."""
    if BUILT_IN.get(course.id) == course or course == MADISON:
        return course.id
    return {
        "id": course.id,
        "circuit": course.circuit,
        "lines": [
            {"id": line.id, "kind": line.kind.value, "at": line.at, "points": list(line.points)}
            for line in course.lines
        ],
        "finish_quota": course.finish_quota,
        "staggered": course.staggered,
    }


def line_name(course: Course, line: Line) -> str:
    """ "Sprint 1", "Finish": what people call a line."""
    if line.kind is Kind.FINISH:
        return "Finish"
    return f"Sprint {course.lines.index(line) + 1}"
