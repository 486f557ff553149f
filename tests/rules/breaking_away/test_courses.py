"""Courses: what one may be, what is warned of, and the five that are built in."""

import json
from typing import Any

import pytest

from rules.breaking_away.course import BUILT_IN, MADISON, Course, Kind, course_of, faults, warnings, write_course
from rules.errors import RulesError

SPRINT = (10, 8, 6, 5, 4, 3, 2, 1)
FINISH = (20, 16, 12, 10, 8, 6, 4, 2)


def told(*lines: tuple[str, str, int, list[int]], **more: Any) -> dict[str, Any]:
    return {
        "lines": [{"id": name, "kind": kind, "at": at, "points": points} for name, kind, at, points in lines]
    } | more


def one_line(**more: Any) -> dict[str, Any]:
    return told(("F", "finish", 60, [3, 2, 1]), **more)


def rules_of(source: dict[str, Any]) -> set[str | None]:
    """The rules by which a course is refused; none: it is allowed."""
    try:
        course_of(source)
    except RulesError as refused:
        return {saying.rule for saying in refused.sayings}
    return set()


@pytest.mark.rule("BA-CRS-01")
@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ([("S1", "sprint", 30, [1]), ("F", "finish", 30, [1])], "two lines at one place"),
        ([("S1", "sprint", 40, [1]), ("F", "finish", 30, [1])], "the second before the first"),
        ([("S1", "sprint", 0, [1]), ("F", "finish", 30, [1])], "a line at the start"),
        ([("F", "sprint", 20, [1]), ("F", "finish", 30, [1])], "two with one id"),
        ([("F", "finish", 20, [1]), ("S1", "sprint", 30, [1])], "the finish is not the last"),
        ([("S1", "sprint", 20, [1]), ("S2", "sprint", 30, [1])], "no finish"),
        ([("E", "finish", 20, [1]), ("F", "finish", 30, [1])], "two finishes"),
        ([*((f"S{n}", "sprint", 20 * n, [1]) for n in range(1, 13)), ("F", "finish", 260, [1])], "13 lines"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_lines_that_no_course_has(lines, why):
    assert rules_of(told(*lines)) == {"BA-CRS-01"}, why


@pytest.mark.rule("BA-CRS-01")
def test_twelve_lines_are_a_course_and_one_is_and_none_is_not():
    twelve = [*((f"S{n}", "sprint", 20 * n, [1]) for n in range(1, 12)), ("F", "finish", 240, [1])]

    assert rules_of(told(*twelve)) == set()
    assert rules_of(one_line()) == set()
    with pytest.raises(RulesError, match="lines"):
        course_of({"lines": []})


@pytest.mark.rule("BA-CRS-02")
@pytest.mark.parametrize("points", [[], [0], [3, 0], [-1], [2, 3], [5, 5, 6], [1] * 37, [10_000, 1], [10**4000]])
def test_points_that_no_line_has(points):
    assert rules_of(told(("F", "finish", 60, points), finish_quota=1)) == {"BA-CRS-02"}


@pytest.mark.rule("BA-CRS-02")
@pytest.mark.parametrize("points", [[1], [5, 5, 5], [10, 8, 8, 1], [9999, 1], [1] * 36])
def test_points_that_a_line_may_have(points):
    assert course_of(told(("F", "finish", 60, points))).finish.points == tuple(points)


@pytest.mark.rule("BA-CRS-03")
def test_a_quota_is_at_least_one_and_where_nothing_is_said_as_many_as_the_finish_pays():
    assert course_of(one_line()).finish_quota == 3
    assert course_of(one_line(finish_quota=1)).finish_quota == 1
    assert course_of(one_line(finish_quota=5)).finish_quota == 5
    assert rules_of(one_line(finish_quota=0)) == {"BA-CRS-03"}
    assert rules_of(one_line(finish_quota=-2)) == {"BA-CRS-03"}


@pytest.mark.rule("BA-CRS-04")
@pytest.mark.parametrize(
    ("circuit", "finish", "allowed"),
    [
        (20, 20, True), (200, 500, True), (None, 20, True), (None, 500, True),
        (19, 60, False), (201, 60, False), (0, 60, False), (40, 19, False), (40, 501, False), (None, 19, False),
    ],
)  # fmt: skip
def test_how_long_a_circuit_and_a_race_may_be(circuit, finish, allowed):
    refused = rules_of(told(("F", "finish", finish, [3, 2, 1]), circuit=circuit))

    assert refused == (set() if allowed else {"BA-CRS-04"})


@pytest.mark.rule("BA-CRS-04")
@pytest.mark.parametrize(("pos", "square", "lap"), [(33, 33, 0), (73, 33, 1), (100, 20, 2), (40, 0, 1), (-1, 39, 0)])
def test_the_printed_square_of_a_distance_is_what_is_left_of_whole_laps(pos, square, lap):
    course = BUILT_IN["standard-100"]

    assert (course.square(pos), course.lap(pos)) == (square, lap)


@pytest.mark.rule("BA-CRS-05")
def test_lines_that_one_factor_can_cross_together_are_allowed_with_a_warning():
    close = course_of(told(("S1", "sprint", 14, [1]), ("S2", "sprint", 28, [1]), ("F", "finish", 43, [1])))
    apart = course_of(told(("S1", "sprint", 15, [1]), ("S2", "sprint", 30, [1]), ("F", "finish", 45, [1])))

    said = warnings(close)
    assert [saying.rule for saying in said] == ["BA-CRS-05", "BA-CRS-05"]
    assert [saying.params for saying in said] == [{"first": "S1", "at": 14}, {"first": "S1", "second": "S2", "gap": 14}]
    assert warnings(apart) == []


@pytest.mark.rule("BA-CRS-01", "BA-CRS-02", "BA-CRS-03", "BA-CRS-04")
def test_all_that_is_wrong_with_a_course_is_said_at_once():
    wrong = told(("S1", "sprint", 0, [1, 2]), ("F", "finish", 600, [1]), circuit=3, finish_quota=0)

    assert rules_of(wrong) == {"BA-CRS-01", "BA-CRS-02", "BA-CRS-03", "BA-CRS-04"}


@pytest.mark.rule("BA-CRS-04", "BA-CRS-06", "BA-CRS-07")
@pytest.mark.parametrize(
    ("name", "circuit", "at", "points", "quota", "total"),
    [
        ("standard-100", 40, [33, 73, 100], [SPRINT, SPRINT, FINISH], 8, 156),
        ("postal-120", None, [40, 80, 120], [SPRINT, SPRINT, FINISH], 8, 156),
        ("kermesse-60", 30, [30, 60], [SPRINT, FINISH], 8, 117),
        ("classic-140", None, [40, 85, 140], [SPRINT, SPRINT, (30, 24, 18, 15, 12, 9, 6, 3)], 8, 195),
        ("criterium-125", 25, [25, 50, 75, 100, 125], [(5, 3, 2, 1)] * 4 + [SPRINT], 8, 83),
    ],
)
def test_the_built_in_courses(name, circuit, at, points, quota, total):
    course = BUILT_IN[name]

    assert (course.id, course.circuit, course.finish_quota, course.staggered) == (name, circuit, quota, False)
    assert [line.at for line in course.lines] == at
    assert [line.points for line in course.lines] == points
    assert [line.kind for line in course.lines] == [Kind.SPRINT] * (len(at) - 1) + [Kind.FINISH]
    assert sum(map(sum, points)) == total
    assert (faults(course), warnings(course)) == ([], [])


@pytest.mark.rule("BA-MAD-20", "BA-MAD-21")
def test_the_course_of_a_madison_is_four_laps_of_40_and_ends_with_four():
    assert [(line.id, line.at, line.points) for line in MADISON.lines] == [
        ("S1", 40, (5, 3, 2, 1)), ("S2", 80, (5, 3, 2, 1)), ("S3", 120, (5, 3, 2, 1)), ("F", 160, (10, 6, 4, 2)),
    ]  # fmt: skip
    assert (MADISON.circuit, MADISON.finish_quota) == (40, 4)


def test_there_are_five_built_in_courses_and_no_other_is_known_by_name():
    assert sorted(BUILT_IN) == ["classic-140", "criterium-125", "kermesse-60", "postal-120", "standard-100"]
    with pytest.raises(RulesError, match="velodrome"):
        course_of("velodrome")


@pytest.mark.parametrize(
    "course", [*BUILT_IN.values(), course_of(one_line(id="own", circuit=30, finish_quota=2, staggered=True))],
    ids=lambda course: course.id,
)  # fmt: skip
def test_a_course_comes_back_from_json(course: Course):
    assert course_of(json.loads(json.dumps(write_course(course)))) == course


@pytest.mark.parametrize(
    "source",
    [
        7, None, {"laps": 2}, {"lines": "F"}, {"lines": [{"id": "F"}]}, one_line(circuit="40"), one_line(finish_quota=1.5), one_line(staggered=1),
        told(("F", "goal", 60, [1])), {"lines": [{"id": "F", "kind": "finish", "at": 60, "points": [1], "name": "x"}]}, one_line(id="x" * 41),
    ],
)  # fmt: skip
def test_what_is_no_course_at_all_is_refused_in_words(source):
    with pytest.raises(RulesError) as refused:
        course_of(source)

    assert str(refused.value)
