"""The courses that come with the site: sound, as long as the table says, and as different as the stages of a Giro."""

import re
from collections.abc import Mapping
from fractions import Fraction
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

import pytest

from rules.giro import courses
from rules.giro.course import BUILT_IN_IDS, Course, LineKind, built_in, fewest_steps, start_energy
from rules.giro.data import Kind, Terrain
from rules.giro.notation import plan_from_json
from rules.giro.validity import findings, mountains

MEASURES = [
    # id, hexagons, columns, squares of each lane, fewest steps over the line, sum of the milestones, energy at the start
    ("pianura", 10, 50, [50, 50, 50], 49, 32, 32),
    ("risaie", 9, 45, [46, 46, 46, 46], 44, 29, 29),
    ("litoranea", 13, 65, [66, 66, 66, 66], 64, 41, 41),
    ("fiume-lento", 19, 95, [95, 96, 97, 98], 93, 60, 60),
    ("selciato", 11, 55, [55, 55, 55], 55, 35, 35),
    ("tre-piazze", 8, 40, [41, 40, 39], 38, 27, 27),
    ("mulini", 12, 60, [60, 60, 60], 59, 39, 39),
    ("borgo-alto", 14, 70, [68, 69], 68, 49, 49),
    ("colli", 12, 60, [61, 60, 59], 60, 41, 41),
    ("due-valli", 15, 75, [75, 75, 75], 74, 51, 51),
    ("bosco-nero", 10, 50, [48, 48], 47, 36, 36),
    ("ruota-libera", 16, 80, [80, 80, 80], 79, 54, 54),
    ("vetta", 10, 50, [50, 49], 50, 37, 37),
    ("muro-del-falco", 9, 45, [44, 45, 46], 43, 32, 32),
    ("santuario", 11, 55, [56, 55, 54], 54, 43, 43),
    ("tappone", 21, 105, [104, 105, 106], 101, 80, 80),
    ("crono", 8, 40, [39, 40, 41], 40, 26, 39),
    ("argine", 7, 35, [34, 34], 34, 23, 34),
    ("funivia", 8, 40, [38, 39], 38, 33, 49),
    ("laguna", 6, 30, [29, 30, 31], 30, 19, 28),
    ("autodromo", 8, 40, [37, 40, 43, 46], 38, 27, 40),
]

ALL = [built_in(course_id) for course_id in BUILT_IN_IDS]
GRANDE = [built_in(course_id) for course_id in courses.GRANDE_GIRO]
each_course = pytest.mark.parametrize("course", ALL, ids=BUILT_IN_IDS)


def squares_on_the_road(course: Course) -> list[int]:
    return [
        sum(course.start[square] >= 0 and not course.beyond[square] for square in lane) for lane in course.lane_squares
    ]


# ---- counted a second time, from the paper alone ---------------------------------------------------------------------
def ends_of_squares(source: Mapping[str, Any]) -> list[list[Fraction]]:
    """For each lane, where its squares end, in columns from the start line (which is the first of them)."""
    lengths: list[list[Fraction]] = [[] for _ in range(source["lanes"])]
    for hexagon in source["hexes"]:
        for columns, bend in re.findall(r"[PRMD](\d+)(?:<([\d,]+)>)?", hexagon):
            for lane, length in enumerate(lengths):
                squares = int(bend.split(",")[lane] if bend else columns)
                length.extend([Fraction(int(columns), squares)] * squares)
    return [list(accumulate(length, initial=Fraction(0))) for length in lengths]


def steps_over_the_line(ends: list[list[Fraction]]) -> int:
    """Breadth first over (lane, front edge): a step leads to the end of the square, here or beside, that begins next."""
    arrival = ends[0][-1]
    reached, steps = {(lane, Fraction(0)) for lane in range(len(ends))}, 1
    while all(edge < arrival for _, edge in reached):
        steps += 1
        reached = {
            (beside, next(end for end in ends[beside] if end > edge))
            for lane, edge in reached
            for beside in (lane - 1, lane, lane + 1)
            if 0 <= beside < len(ends)
        }
    return steps


@pytest.mark.parametrize(("course_id", "hexagons", "columns", "per_lane", "steps", "milestones", "energy"), MEASURES)
def test_the_built_in_courses_measure_what_the_table_says(
    course_id, hexagons, columns, per_lane, steps, milestones, energy
):
    course = built_in(course_id)

    assert len(course.plan.hexagons) == hexagons
    assert course.columns == columns
    assert squares_on_the_road(course) == per_lane
    assert fewest_steps(course) == steps
    assert course.milestones == milestones
    assert start_energy(course) == energy


@pytest.mark.parametrize(("course_id", "hexagons", "columns", "per_lane", "steps", "milestones", "energy"), MEASURES)
def test_whoever_counts_the_squares_on_paper_finds_what_the_table_says(
    course_id, hexagons, columns, per_lane, steps, milestones, energy
):
    (source,) = (course for course in courses.BUILT_IN if course["id"] == course_id)
    ends = ends_of_squares(source)

    assert len(source["hexes"]) == hexagons
    assert {lane[-1] for lane in ends} == {columns}
    assert [len(lane) - 1 for lane in ends] == per_lane
    assert steps_over_the_line(ends) == steps
    assert sum(int(hexagon.split(":")[0]) for hexagon in source["hexes"]) == milestones
    assert energy == (milestones if source["kind"] == "road" else milestones + milestones // 2)


# ---- every course ----------------------------------------------------------------------------------------------------
def test_every_course_has_its_row_in_the_table_of_measures():
    assert [row[0] for row in MEASURES] == list(BUILT_IN_IDS)


@each_course
def test_nothing_is_to_be_said_against_a_built_in_course(course):
    assert findings(course.plan, online=True) == ()


@each_course
def test_every_step_on_a_built_in_course_raises_the_front_edge(course):
    for square in course.squares:
        assert all(course.end[step] > course.end[square] for step in course.next[square])


@each_course
def test_milestones_follow_one_convention(course):
    worth = {Terrain.PLAIN: 3, Terrain.RISE: 4, Terrain.MOUNTAIN: 5, Terrain.DOWNHILL: 2}

    for hexagon in course.plan.hexagons:
        (terrain,) = {section.terrain for section in hexagon.sections}
        has_bend = any(section.squares for section in hexagon.sections)
        assert hexagon.milestone == worth[terrain] + has_bend
        assert sum(section.columns for section in hexagon.sections) == 5


@each_course
def test_every_course_has_black_squares_and_all_that_are_written_lie_on_the_road(course):
    black = [square for square in course.squares if course.black[square]]

    assert len(black) == len(course.plan.black) >= 1
    assert all(course.start[square] >= 0 and not course.beyond[square] for square in black)


@each_course
def test_every_bottle_and_every_bonus_has_road_before_and_after_it(course):
    stations = sorted({line.column for line in course.lines if line.kind in (LineKind.FEED, LineKind.BONUS)})

    assert all(10 <= column <= course.columns - 10 for column in stations)
    feed = course.columns_of(LineKind.FEED)
    assert all(b - a >= 15 for a, b in pairwise(feed))


def test_ids_and_names_are_all_different():
    assert len({course.id for course in ALL}) == len(ALL)
    assert len({course.name for course in ALL}) == len(ALL)


@each_course
def test_the_page_on_courses_prints_what_a_course_measures(course):
    page = Path(__file__).parents[3].joinpath("docs", "courses.md").read_text(encoding="utf-8")

    (row,) = (line for line in page.splitlines() if line.startswith(f"| {course.name} |"))
    kind, *numbers = [cell.strip() for cell in row.split("|")[2:-2]]
    words = {Kind.ROAD: "road", Kind.ITT: "individual time trial", Kind.TTT: "team time trial"}
    assert kind.split(", ") == [words[course.kind], *["mountain arrival"] * (course.terrains[-1] is Terrain.MOUNTAIN)]
    bottles = len(course.columns_of(LineKind.FEED))
    told = (len(course.plan.hexagons), course.columns, course.plan.lanes, start_energy(course), bottles or "–")
    assert numbers == [str(number) for number in told]


# ---- variety ---------------------------------------------------------------------------------------------------------
def test_the_great_giro_rides_twenty_one_different_courses_which_are_all_there_are():
    assert len(courses.GRANDE_GIRO) == 21
    assert sorted(courses.GRANDE_GIRO) == sorted(BUILT_IN_IDS)


def test_the_demo_giro_rides_five_different_courses_of_every_kind():
    assert len(set(courses.DEMO_GIRO)) == len(courses.DEMO_GIRO) == 5
    assert {built_in(course_id).kind for course_id in courses.DEMO_GIRO} == set(Kind)


def test_no_two_roads_in_a_row_of_the_great_giro_are_alike():
    for today, tomorrow in pairwise(GRANDE):
        assert [str(hexagon) for hexagon in today.plan.hexagons] != [str(h) for h in tomorrow.plan.hexagons]
        assert not (today.kind.is_time_trial and tomorrow.kind.is_time_trial)


@pytest.mark.rule("GI-D3-01")
def test_there_are_time_trials_alone_and_by_jersey_on_the_plain_and_up_a_mountain():
    kinds = [course.kind for course in ALL]

    assert (kinds.count(Kind.ROAD), kinds.count(Kind.ITT), kinds.count(Kind.TTT)) == (16, 3, 2)
    alone = [set(course.terrains) for course in ALL if course.kind is Kind.ITT]
    assert {Terrain.PLAIN} in alone
    assert any(Terrain.MOUNTAIN in terrains for terrains in alone)


def test_five_arrivals_are_on_a_mountain_and_the_others_on_every_other_terrain():
    arrivals = [course.terrains[-1] for course in ALL]

    assert arrivals.count(Terrain.MOUNTAIN) == 5
    assert set(arrivals) == set(Terrain)
    assert arrivals.count(Terrain.DOWNHILL) >= 2


def test_mountain_arrivals_are_long_climbs_with_two_categories_and_steep_ones_of_the_first():
    climbs = {}
    for course in ALL:
        if course.terrains[-1] is Terrain.MOUNTAIN:
            first, last, _ = mountains(course.plan)[-1]
            climbs[course.id] = (last - first + 1, [part.category for part in course.segments if part.first >= first])

    assert climbs["santuario"] == (15, [2, 1])
    assert climbs["muro-del-falco"] == (5, [1])
    assert climbs["tappone"] == (10, [2, 1])


def test_roads_are_two_three_and_four_lanes_wide():
    assert {course.plan.lanes for course in ALL} == {2, 3, 4}
    assert {course.plan.lanes for course in ALL if course.kind.is_time_trial} == {2, 3, 4}


def test_road_stages_have_one_two_and_three_feed_zones():
    zones = {len(course.columns_of(LineKind.FEED)) for course in ALL if course.kind is Kind.ROAD}

    assert zones == {1, 2, 3}


def test_stages_are_from_eight_to_twenty_one_hexagons_long():
    lengths = {len(course.plan.hexagons) for course in ALL if course.kind is Kind.ROAD}

    assert min(lengths) == 8
    assert max(lengths) == 21
    assert lengths & {13, 14, 15, 16, 17}
    assert len(lengths & {18, 19, 20, 21}) >= 2


def test_some_stages_have_no_mountain_and_one_has_four_with_all_six_category_tokens():
    assert sum(Terrain.MOUNTAIN not in course.terrains for course in ALL if course.kind is Kind.ROAD) >= 5
    assert len(mountains(built_in("tappone").plan)) == 4
    assert len(built_in("tappone").plan.categories) == 6
    assert {part.category for course in ALL for part in course.segments} == {1, 2, 3}


def test_bends_turn_both_ways_and_some_are_hairpins():
    bends = {section.squares for course in ALL for section in course.plan.sections if section.squares}

    assert {(1, 2, 3), (3, 2, 1), (2, 3, 4), (4, 3, 2), (2, 3, 4, 5), (5, 4, 3, 2), (1, 2), (2, 1)} <= bends
    hairpins_uphill = [
        course.id
        for course in ALL
        for section in course.plan.sections
        if section.squares and min(section.squares) == 1 and section.terrain is Terrain.MOUNTAIN
    ]
    assert {"muro-del-falco", "santuario", "tappone", "funivia", "bosco-nero"} == set(hairpins_uphill)


def test_asphalt_is_black_on_descents_and_cobbles_lie_on_the_plain():
    black = {course.id: {course.terrain[square] for square in course.squares if course.black[square]} for course in ALL}

    assert Terrain.DOWNHILL in black["ruota-libera"]
    assert black["selciato"] == {Terrain.PLAIN}
    assert sum(built_in("selciato").black) == max(sum(course.black) for course in ALL)


@pytest.mark.parametrize("source", courses.BUILT_IN, ids=BUILT_IN_IDS)
def test_a_built_in_course_is_written_as_the_notation_writes_it(source):
    assert plan_from_json(source).as_json() == source
