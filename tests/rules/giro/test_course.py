"""The road as a graph of squares: bends, lines, mountains, and what always holds."""

import json
import subprocess
import sys
from itertools import pairwise

import pytest
from hypothesis import given, settings

from rules.errors import RulesError
from rules.giro.course import (
    Course,
    LineKind,
    built_in,
    course_energy,
    course_from_json,
    fewest_steps,
)
from rules.giro.data import Kind, Terrain
from tests.rules.giro.plans import FLAT, changed, sound_plans


def squares_on_the_road(course: Course) -> list[int]:
    return [
        sum(course.start[square] >= 0 and not course.beyond[square] for square in lane) for lane in course.lane_squares
    ]


# ---- energy and names ------------------------------------------------------------------------------------------------
def test_an_unknown_course_is_a_key_error():
    with pytest.raises(KeyError):
        built_in("stelvio")


@pytest.mark.rule("GI-D3-02")
def test_a_time_trial_gives_half_as_much_energy_again_rounded_down():
    assert course_energy(Kind.ROAD, 37) == 37
    assert course_energy(Kind.ITT, 37) == 55
    assert course_energy(Kind.TTT, 37) == 55


# ---- lanes and bends -------------------------------------------------------------------------------------------------
def bend() -> Course:
    """The rulebook's bend, with a plain hexagon more so that it is a course."""
    return course_from_json(
        changed(hexes=["3: P5", "3: P3<2,3,4>@1", "3: P5"], cat={}, sprint=11, bonus=[], feed=[5], black=[])
    )


def test_the_first_inner_square_of_the_rulebooks_bend_reaches_farther_than_the_first_dotted_one():
    course = bend()

    inner, dotted, outer = (course.at(lane, 300) for lane in (0, 1, 2))

    assert (course.start[inner], course.end[inner]) == (300, 390)
    assert course.end[inner] > 360 == course.end[dotted]
    assert (course.start[outer], course.end[outer]) == (300, 345)


def test_on_a_straight_every_step_leads_to_the_next_column():
    course = bend()
    middle = course.at(1, 60)

    straight, left, right = course.next[middle]

    assert course.ahead[middle] == straight
    assert [course.lane[square] for square in (straight, left, right)] == [1, 0, 2]
    assert {course.column[square] for square in (straight, left, right)} == {course.column[middle] + 1}
    assert {course.column[square] for square in course.row[middle]} == {course.column[middle]}


def test_at_the_edge_of_the_road_there_are_only_two_ways_on():
    course = bend()

    assert len(course.next[course.at(0, 60)]) == 2
    assert len(course.next[course.at(2, 60)]) == 2


def test_a_diagonal_in_a_bend_leads_to_the_square_beside_the_front_edge():
    course = bend()
    inner = course.at(0, 300)  # ticks 300 to 390

    straight, right = course.next[inner]

    assert course.start[straight] == 390
    assert course.start[right] <= 390 < course.end[right]
    assert [course.start[square] for square in course.row[inner]] == [300, 360, 345]


def test_the_launch_squares_are_the_last_ones_behind_the_front_of_the_peloton():
    course = bend()

    assert [course.end[square] for square in course.last_up_to(360)] == [300, 360, 345]


def test_the_road_begins_six_columns_before_the_start_and_ends_sixteen_beyond_the_arrival():
    course = built_in("pianura")

    assert min(course.start) == -360
    assert max(course.end) == 60 * (50 + 16)
    assert {course.terrain[square] for square in course.squares if course.end[square] <= 0} == {Terrain.PLAIN}
    with pytest.raises(ValueError, match="no square"):
        course.at(0, -361)
    with pytest.raises(ValueError, match="no square"):
        course.at(0, max(course.end))


# ---- lines -----------------------------------------------------------------------------------------------------------
def test_lines_stand_in_road_order_and_are_crossed_by_whoever_starts_a_square_beyond():
    course = built_in("colli")

    assert [(line.kind.value, line.column) for line in course.lines] == [
        ("bonus", 30),
        ("feed", 35),
        ("bonus", 50),
        ("sprint", 57),
        ("arrival", 60),
    ]
    before, on_it, beyond = course.at(1, 60 * 28), course.at(1, 60 * 29), course.at(1, 60 * 30)
    assert course.crossed(before, on_it) == ()
    assert [line.number for line in course.crossed(on_it, beyond)] == [1]


@pytest.mark.rule("GI-B4-08")
def test_on_one_column_the_bonus_comes_before_the_bottle():
    course = course_from_json(changed(feed=[20], bonus=[20]))

    assert [line.kind for line in course.lines[:2]] == [LineKind.BONUS, LineKind.FEED]


def test_the_sprint_zone_ends_at_the_arrival_line():
    course = built_in("pianura")

    assert {course.column[square] for square in course.squares if course.sprint_zone[square]} == set(range(43, 51))
    assert not any(built_in("vetta").sprint_zone)


# ---- mountains and asphalt -------------------------------------------------------------------------------------------
def test_the_second_category_governs_the_road_after_it_and_the_run_out_of_a_mountain_arrival():
    course = built_in("vetta")

    assert [(part.category, part.first, part.last) for part in course.segments] == [
        (3, 16, 20),
        (2, 41, 45),
        (1, 46, 50),
    ]
    assert course.categories[39:50] == (None, *[2] * 5, *[1] * 5)
    beyond = [square for square in course.squares if course.beyond[square]]
    assert {course.category[square] for square in beyond} == {1}
    assert {course.segment[square] for square in beyond} == {2}


def test_after_a_flat_arrival_no_category_governs_the_run_out():
    course = built_in("colli")

    assert {course.category[square] for square in course.squares if course.beyond[square]} == {None}
    assert {part.category for part in course.segments} == {2, 3}


def test_two_mountains_in_a_row_of_hexagons_are_two_segments_each_with_its_token():
    plan = changed(hexes=["4: R5", "5: M5", "4: R5", "5: M5", "3: P5"], cat={"6": 3, "16": 1}, sprint=22, black=[])

    course = course_from_json(plan)

    assert course.categories == (*[None] * 5, *[3] * 5, *[None] * 5, *[1] * 5, *[None] * 5)


def test_black_squares_are_counted_inside_their_hexagon_and_lane():
    course = built_in("colli")

    black = {(course.column[square], course.lane[square]) for square in course.squares if course.black[square]}
    assert black == {(32, 0), (32, 1), (33, 2), (54, 0), (53, 1)}


# ---- what always holds -----------------------------------------------------------------------------------------------
@given(sound_plans())
@settings(max_examples=60, deadline=None)
def test_every_step_raises_the_front_edge_and_the_number_of_the_square(source):
    course = course_from_json(source)

    for square in course.squares:
        for step in course.next[square]:
            assert course.end[step] > course.end[square]
            assert course.start[step] <= course.end[square]
            assert step > square
            assert abs(course.lane[step] - course.lane[square]) <= 1


@given(sound_plans())
@settings(max_examples=60, deadline=None)
def test_lanes_have_no_holes_and_every_square_lies_in_its_own_row(source):
    course = course_from_json(source)

    for lane, squares in enumerate(course.lane_squares):
        assert all(course.end[a] == course.start[b] for a, b in pairwise(squares))
        assert all(course.ahead[a] == b for a, b in pairwise(squares))
        assert course.ahead[squares[-1]] is None
        assert {course.lane[square] for square in squares} == {lane}
    for square in course.squares:
        assert course.row[square][course.lane[square]] == square
        assert course.at(course.lane[square], course.start[square]) == square


@given(sound_plans())
@settings(max_examples=60, deadline=None)
def test_nobody_arrives_in_fewer_steps_than_half_the_columns(source):
    course = course_from_json(source)

    assert course.columns / 2 <= fewest_steps(course) <= max(squares_on_the_road(course)) + 1


@given(sound_plans())
@settings(max_examples=60, deadline=None)
def test_a_course_written_down_again_reads_as_the_same_course(source):
    course = course_from_json(source)

    assert course_from_json(json.dumps(course.plan.as_json())) == course


@given(sound_plans())
@settings(max_examples=60, deadline=None)
def test_every_line_lies_between_two_squares_of_every_lane(source):
    course = course_from_json(source)

    for line in course.lines:
        assert {course.start[course.at(lane, line.tick)] for lane in range(course.plan.lanes)} == {line.tick}


def test_a_course_is_a_value():
    assert course_from_json(FLAT) == course_from_json(json.dumps(FLAT))
    assert hash(course_from_json(FLAT)) == hash(course_from_json(FLAT))


def test_a_course_that_nobody_could_ride_is_refused_with_every_reason():
    with pytest.raises(RulesError) as refused:
        course_from_json(changed(feed=[99], black=["1:0:9", "9:0:0"]))

    assert [saying.rule for saying in refused.value.sayings] == ["V7", "V9", "V9"]
    assert "99" in str(refused.value)


def test_the_rules_need_no_django():
    code = "import sys, rules.giro.course; sys.exit(any(name.split('.')[0] == 'django' for name in sys.modules))"

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
