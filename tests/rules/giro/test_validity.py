"""V1 to V9: for each of them a course that fails it, and what is refused where."""

import pytest

from rules.giro.data import Kind
from rules.giro.notation import plan_from_json
from rules.giro.validity import ALWAYS_REFUSED, Level, feed_zones_due, findings
from tests.rules.giro.plans import FLAT, changed


def checks(source, **options) -> list[str]:
    return [finding.check for finding in findings(plan_from_json(source), **options)]


FAILING = [
    ("V1", "two hexagons", changed(hexes=["3: P5", "3: P5"], cat={}, sprint=5, feed=[3], bonus=[], black=[])),
    ("V1", "twenty-two hexagons", changed(hexes=["3: P2"] * 22, cat={}, sprint=41, feed=[10, 20, 30], black=[])),
    ("V2", "a mountain out of the plain", changed(hexes=["3: P5", "3: P5", "3: P5", "5: M5", "2: D5", "3: P5"])),
    ("V2", "a mountain at the start", changed(hexes=["5: M5", "2: D5", "3: P5"], cat={"1": 1}, sprint=12, bonus=[], black=[])),
    ("V3", "no category at the foot", changed(cat={})),
    ("V3", "a category beside its mountain", changed(cat={"16": 2, "3": 1})),
    ("V3", "a category beyond the arrival", changed(cat={"16": 2, "99": 1})),
    ("V3", "three categories on one mountain", changed(cat={"16": 3, "18": 2, "20": 1})),
    ("V3", "the same category twice on one mountain", changed(cat={"16": 2, "18": 2})),
    ("V4", "no feed zone", changed(feed=[])),
    ("V4", "two feed zones on six hexagons", changed(feed=[5, 10])),
    ("V4", "a feed zone in a time trial", changed(kind="itt", bonus=[])),
    ("V5", "three bonus lines", changed(bonus=[5, 20, 25])),
    ("V5", "a bonus line in a time trial", changed(kind="ttt", feed=[])),
    ("V6", "no sprint zone on the flat", changed(sprint=None)),
    ("V6", "a sprint zone that begins too early", changed(sprint=20)),
    ("V6", "a sprint zone at the arrival line", changed(sprint=30)),
    ("V6", "a sprint zone on a mountain", changed(hexes=[*FLAT["hexes"][:3], "5: M5"], bonus=[5], sprint=17, black=[])),
    ("V7", "a bottle before the start", changed(feed=[0])),
    ("V7", "a bottle at the arrival line", changed(feed=[30])),
    ("V7", "a bonus beyond the arrival", changed(bonus=[31])),
    ("V7", "a bonus line through a square", changed(hexes=["3: P5", "3: P5<4,5,6>@1", *FLAT["hexes"][2:]], bonus=[8])),
    ("V7", "a bottle through a square", changed(hexes=["3: P5", "3: P5<4,5,6>@1", *FLAT["hexes"][2:]], feed=[8])),
    ("V7", "a sprint zone through a square", changed(hexes=[*FLAT["hexes"][:5], "3: P5<4,5,6>@1"])),
    ("V7", "a category through a square", changed(hexes=[*FLAT["hexes"][:3], "5: M5<4,5,6>@1", *FLAT["hexes"][4:]], cat={"16": 2, "18": 1})),
    ("V8", "a bend whose squares are uneven", changed(hexes=["3: P5", "3: P5<7,5,6>@1", *FLAT["hexes"][2:]])),
    ("V8", "a bend with a square of three", changed(hexes=["3: P5", "3: P3<1,3,4>@1 P2", *FLAT["hexes"][2:]])),
    ("V8", "a dotted lane of another length", changed(hexes=["3: P5", "3: P3<2,3,4>@0 P2", *FLAT["hexes"][2:]])),
    ("V9", "a milestone below nothing", changed(hexes=["-3: P5", *FLAT["hexes"][1:]])),
    ("V9", "no energy at all", changed(hexes=[text.replace(text[0], "0", 1) for text in FLAT["hexes"]])),
    ("V9", "a black square beyond its hexagon", changed(black=["5:1:5"])),
    ("V9", "a black square in no lane", changed(black=["5:3:0"])),
    ("V9", "a black square in no hexagon", changed(black=["0:1:0"])),
    ("V9", "a fourth category", changed(cat={"16": 4})),
]  # fmt: skip


def test_the_course_that_the_others_are_changed_from_is_sound():
    assert checks(FLAT, online=True) == []


@pytest.mark.parametrize(("check", "source"), [(c, s) for c, _, s in FAILING], ids=[f"{c}: {w}" for c, w, _ in FAILING])
def test_a_faulty_course_fails_just_its_check(check, source):
    assert set(checks(source)) == {check}


@pytest.mark.parametrize(("check", "source"), [(c, s) for c, _, s in FAILING], ids=[f"{c}: {w}" for c, w, _ in FAILING])
def test_online_refuses_everything_and_a_table_only_what_nobody_could_ride(check, source):
    plan = plan_from_json(source)

    assert {finding.level for finding in findings(plan, online=True)} == {Level.REFUSED}
    assert {finding.level for finding in findings(plan)} == {
        Level.REFUSED if check in {"V1", "V7", "V8", "V9"} else Level.WARNED
    }


def test_each_check_has_a_course_that_fails_it():
    assert {check for check, _, _ in FAILING} == {f"V{n}" for n in range(1, 10)} >= ALWAYS_REFUSED


@pytest.mark.parametrize(("check", "source"), [(c, s) for c, _, s in FAILING], ids=[f"{c}: {w}" for c, w, _ in FAILING])
def test_a_finding_is_a_whole_sentence_with_its_numbers_in_it(check, source):
    for finding in findings(plan_from_json(source)):
        sentence = str(finding)
        assert sentence.startswith(f"{check}: ")
        assert sentence.endswith(".")
        assert "%" not in sentence


def test_a_single_race_has_no_use_for_a_bonus_line():
    assert checks(FLAT, stage_race=False) == ["V5"]


def test_seven_categories_are_more_than_the_box_holds():
    hexes = ["4: R2 M2"] * 7 + ["3: P5", "3: P5"]
    cat = {str(4 * i + 3): 2 for i in range(7)}

    found = checks(changed(hexes=hexes, cat=cat, sprint=35, black=[], feed=[30]))

    assert found == ["V3"]


def test_a_mountain_over_several_hexagons_needs_one_rise():
    assert (
        checks(changed(hexes=["3: P5", "4: R5", "5: M5", "5: M5"], cat={"11": 2}, sprint=None, black=[], bonus=[5]))
        == []
    )


@pytest.mark.parametrize(("hexagons", "zones"), [(3, 1), (12, 1), (13, 2), (17, 2), (18, 3), (21, 3)])
def test_longer_stages_have_more_feed_zones(hexagons, zones):
    assert feed_zones_due(Kind.ROAD, hexagons) == zones
    assert feed_zones_due(Kind.ITT, hexagons) == 0


def test_everything_is_found_in_one_pass():
    plan = changed(cat={"3": 9}, feed=[99], bonus=[1, 2, 3], sprint=2, black=["9:9:9"])

    assert checks(plan) == ["V3", "V3", "V5", "V6", "V7", "V9", "V9"]
