"""The board of a stage of a Giro: every legal move once, nothing that the viewer may not know, light and quick."""

import random
import xml.etree.ElementTree as ET
from typing import Any

import pytest
from django.utils.translation import override
from hypothesis import given, settings

from races.board import board_of
from races.board.giro import BOARD, road_of, value_of
from races.board.strip import Drawing, Ground, Road, Sign, Strip, Zoom, draw
from races.board.whole import course_map, in_words, overview
from rules.game import Taker
from rules.giro.actions import BreakAway, Move
from rules.giro.course import BUILT_IN_IDS, Course, built_in, course_from_json
from rules.giro.game import GIRO
from tests.races.board.drawings import ADDRESS
from tests.races.board.look import SAMPLES, strip_of
from tests.races.bots.positions import TABLES, positions, swapped
from tests.rules.giro.plans import sound_plans

LIGHT = 60_000
"""Bytes of a window at most."""


def layers(drawing: Drawing) -> tuple[ET.Element, ET.Element]:
    """Road and race as XML, after what holds for every drawing was seen to hold."""
    assert len(drawing.road.encode()) + len(drawing.live.encode()) < LIGHT
    for layer in (drawing.road, drawing.live):
        for word in ("<style", "<script", "style=", "nan", "None"):
            assert word not in layer
    return ET.fromstring(drawing.road), ET.fromstring(drawing.live)


def links(live: ET.Element) -> list[str]:
    return [link.get(ADDRESS, "") for link in live.iter("a") if "bd-choice" in link.get("class", "").split()]


def position(**told: Any) -> Any:
    """The state of a position told in part; somebody is asked in it."""
    return GIRO.read_state(told)


def seen(state: Any, seat: str | None = None, **more: Any) -> Strip:
    """The strip of a seat, with what it may choose if it is asked."""
    view = GIRO.view(state, seat)
    decision = next((d for d in GIRO.decisions(state) if d.seat == seat), None)
    legal = GIRO.legal(view.state, decision) if decision and decision.taker is Taker.SEAT else ()
    names = {rider.id: (rider.id, rider.id.title(), "blue-sash") for rider in state.riders}
    return BOARD.strip(view, **({"names": names, "decision": decision, "legal": legal} | more))


# ---- the road --------------------------------------------------------------------------------------------------------
def without_gaps(road: Road, course: Course) -> None:
    for lane in range(course.plan.lanes):
        at = lane - (course.plan.lanes - 1) / 2
        squares = sorted((s for s in road.squares.values() if s.at == at), key=lambda s: s.start)
        assert [s.end for s in squares[:-1]] == [s.start for s in squares[1:]]
        assert squares[0].start <= 0
        assert squares[-1].end >= course.arrival_tick
    assert sum(s.raced for s in road.squares.values()) == sum(
        course.start[square] >= 0 and not course.beyond[square] for square in course.squares
    )
    assert [s.start for s in road.stretches] == [0, *(s.end for s in road.stretches[:-1])]
    assert road.stretches[-1].end == course.arrival_tick


@pytest.mark.parametrize("course_id", BUILT_IN_IDS)
def test_the_squares_of_a_lane_neither_overlap_nor_leave_gaps(course_id):
    course = built_in(course_id)

    without_gaps(road_of(course, giro=True), course)


@given(sound_plans())
@settings(max_examples=40, deadline=None)
def test_any_course_can_be_drawn_from_end_to_end(source):
    course = course_from_json(source)
    road = road_of(course, giro=True)

    without_gaps(road, course)
    for upright in (True, False):
        for zoom in Zoom:
            for window in range(-5, course.columns + 6, 20):
                drawing = draw(Strip(road=road), upright=upright, window=window, zoom=zoom)
                layers(drawing)
                ET.fromstring(overview(Strip(road=road), drawing))
    ET.fromstring(course_map(Strip(road=road)))


def test_a_bend_has_its_kerb_on_the_outer_side_where_the_squares_are_more():
    for course_id in BUILT_IN_IDS:
        course = built_in(course_id)
        for stretch in road_of(course, giro=True).stretches:
            inside = [s for s in course.squares if stretch.start <= course.start[s] < stretch.end]
            left = sum(course.lane[s] == 0 for s in inside)
            right = sum(course.lane[s] == course.plan.lanes - 1 for s in inside)
            assert stretch.bend == (left > right) - (left < right)


def test_categories_stand_in_the_names_of_the_mountains_and_they_climb_steeper():
    mountains = [s for s in road_of(built_in("vetta"), giro=True).stretches if s.ground is Ground.MOUNTAIN]

    assert [s.label for s in mountains] == ["Mountain, category 3", "Mountain, category 2", "Mountain, category 1"]
    assert mountains[0].rise < mountains[1].rise < mountains[2].rise


@pytest.mark.parametrize(("giro", "signs"), [(True, [Sign.BONUS, Sign.BOTTLE]), (False, [Sign.BOTTLE])])
def test_bonus_lines_are_drawn_only_where_they_count(giro, signs):
    road = road_of(built_in("vetta"), giro=giro)

    assert [line.sign for line in road.lines] == [Sign.START, *signs, Sign.FINISH]


def test_the_same_road_is_laid_once():
    assert road_of(built_in("colli"), giro=True) is road_of(built_in("colli"), giro=True)


def test_squares_are_told_in_words():
    squares = road_of(built_in("pianura"), giro=True).squares

    assert squares["35.1"].name == "35 middle"
    assert squares["38.0b"].name == "38b left"
    assert squares["0.2"].name == "1 before the start, right"
    assert squares["51.0"].name == "beyond the finish, left"


# ---- choices ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_every_legal_move_is_one_link_or_one_row_and_nothing_else_is(table):
    rng = random.Random(3)
    asked = 0
    for state, decision in positions(table, 5):
        if decision.kind not in ("move", "attack") or rng.random() > 0.25:
            continue
        view = GIRO.view(state, decision.seat)
        legal = GIRO.legal(view.state, decision)
        rides = [action for action in legal if isinstance(action, Move | BreakAway)]
        told = []
        for rider in dict.fromkeys(action.rider for action in rides):
            strip = BOARD.strip(view, names={}, decision=decision, legal=legal, rider=rider)
            told += [choice.action for choice in strip.choices]
            linked = [choice.value for choice in strip.choices if choice.shown]
            assert len({choice.square for choice in strip.choices}) == len(linked)
            for upright in (True, False):
                _road, live = layers(draw(strip, upright=upright))
                assert len(links(live)) == len(set(links(live))) == len(linked)
        assert sorted(map(value_of, told)) == sorted(map(value_of, rides))
        assert all(BOARD.find(value_of(action), legal) == action for action in rides)
        asked += 1
    assert asked > 5


def test_a_value_tells_two_ways_to_one_square_apart():
    state = position(
        course="pianura", peloton=0, phase="T1", riders={"A": {"at": "8.1", "card": "miguel"}, "B": {"at": "1.1"}}
    )
    strip = seen(state, "A")

    values = [choice.value for choice in strip.choices]

    assert len(set(values)) == len(values)
    assert sum(not choice.shown for choice in strip.choices) > 0
    assert {value.endswith("c") for value in values} == {True, False}


def test_no_other_answer_is_a_move_on_the_board():
    state = position(course="pianura", peloton=5, phase="T2", riders={"A": {"at": "inside"}})
    legal = GIRO.legal(state, GIRO.decisions(state)[0])

    (end,) = (action for action in legal if action.kind == "end")

    assert BOARD.value(end) == ""
    assert BOARD.find("", legal) is None
    assert BOARD.find("A~9-9", legal) is None


def test_the_modest_way_has_the_link_until_another_is_chosen():
    state = position(course="pianura", peloton=0, phase="T1", riders={"A": {"at": "8.1", "card": "miguel"}})
    strip = seen(state, "A")
    other = next(choice for choice in strip.choices if not choice.shown and choice.action.card)
    modest = next(choice for choice in strip.choices if choice.shown and choice.square == other.square)

    chosen = seen(state, "A", chosen=other.action)

    assert not modest.action.card
    assert chosen.chosen is not None
    assert chosen.chosen.action == other.action
    assert [c.action for c in chosen.choices if c.shown and c.square == other.square] == [other.action]


def test_choices_are_walked_from_the_nearest_on_and_from_the_left():
    strip = strip_of(SAMPLES["road"])

    order = [(strip.road.squares[c.square].end, strip.road.squares[c.square].at) for c in strip.choices]

    assert order == sorted(order)


def test_choices_are_told_in_a_sentence_with_price_risk_and_what_follows():
    told = {choice.square: choice for choice in strip_of(SAMPLES["road"]).choices if choice.shown}

    assert told["32.0"].words == "1 square to 32 left: free, recovers 3 energy"
    assert told["32.0"].label == "+3"
    assert any("may fall: 5 or more on the die, else 6 energy in all and a turn lost" in c.words for c in told.values())
    assert {c.risk for c in told.values()} == {"", "5+"}
    climb = strip_of(SAMPLES["mountain"])
    assert any("may crack: 8 or more on the die, else 9 energy in all" in c.words for c in climb.choices)
    back = strip_of(SAMPLES["rejoin"])
    assert any(c.words.startswith("4 squares, back into the peloton: 1 energy") for c in back.choices)
    assert any("over the bottle line" in c.words for c in back.choices)
    sprint = strip_of(SAMPLES["finish"])
    assert any("over the finish line: 1 energy" in c.words for c in sprint.choices)


def test_against_the_clock_a_tile_says_what_it_may_take():
    state = position(course="crono", turn=3, riders={"A": {"at": "2.1", "energy": 20, "crack_tiles": [2, 4, 5]}})

    choices = [choice for choice in seen(state, "A").choices if choice.action.effect.risk == "crack_tile"]

    assert choices
    assert {choice.risk for choice in choices} == {"−2–5"}
    assert all("draws a tile: 2 to 5 energy more" in choice.words for choice in choices)


def test_of_several_who_may_attack_one_is_shown_at_a_time():
    state = position(
        course="colli", peloton=24, phase="T2",
        riders={name: {"seat": "red", "at": "inside", "energy": 14} for name in ("A", "B")},
    )  # fmt: skip

    first, second = seen(state, "red"), seen(state, "red", rider="B")
    chosen = seen(state, "red", rider="A", chosen=second.choices[0].action)

    assert (first.senders, first.sender, second.sender, chosen.sender) == (("A", "B"), "A", "B", "B")
    assert {choice.rider for choice in first.choices} == {"A"}
    assert {choice.rider for choice in second.choices} == {"B"}
    assert chosen.chosen is not None
    assert second.asks == "Where B B may ride"


def test_spectators_have_nothing_to_choose():
    strip = strip_of(SAMPLES["spectator"])

    assert strip.choices == ()
    for upright in (True, False):
        assert links(layers(draw(strip, upright=upright))[1]) == []


# ---- riders ----------------------------------------------------------------------------------------------------------
def test_the_field_is_told_from_the_front_with_what_happened_to_everybody():
    rows = {row.bib: row for row in in_words(strip_of(SAMPLES["road"]))}

    assert list(rows) == ["41", "31", "22", "12", "33", "13", "21", "23", "32", "42", "11", "43"]
    assert rows["12"].notes == (
        "to move, one free square from the slipstream, on the wheel of 22, moved 5 since your last turn"
    )
    assert rows["33"].notes == "fallen, stands up at the end of this turn"
    assert rows["43"].notes == "punctured, waits"
    assert rows["13"].place == "in the peloton"
    assert rows["21"].gap == "level"
    assert rows["11"].gap == "4 behind"
    assert (rows["12"].mine, rows["22"].mine) == (True, False)


def test_who_has_finished_or_is_out_is_in_the_words_and_not_on_the_road():
    state = position(
        course="pianura", peloton={"column": 51, "gone": True, "finished": 12}, turn=14, phase="T5",
        riders={"A": {"at": "finished", "order": 1, "turn": 11}, "B": {"at": "out"}, "C": {"at": "44.1"}},
    )  # fmt: skip
    strip = seen(state)

    assert [(row.bib, row.place, row.gap) for row in in_words(strip)] == [
        ("A", "finished: number 1, in turn 11", ""),
        ("C", "44 middle", ""),
        ("B", "outside the time limit", ""),
    ]
    assert strip.pack is None
    _road, live = layers(draw(strip, upright=True))
    assert [text.text for text in live.iter("text") if text.get("class") == "bd-num"] == ["C"]


def test_somebody_under_the_peloton_is_drawn_beside_the_road():
    drawing = draw(strip_of(SAMPLES["fallen"]), upright=True)

    _road, live = layers(drawing)

    homes = [e for e in live.iter("path") if e.get("class") == "bd-home"]
    assert len(homes) == 5  # four lie, one waits with a puncture where the peloton is


def test_against_the_clock_the_others_are_small_and_who_waits_is_at_the_start():
    strip = strip_of(SAMPLES["trial"])

    assert {t.bib: (t.apart, t.inside) for t in strip.tokens} == {
        "22": (True, False), "31": (True, False), "12": (False, False), "41": (False, True),
    }  # fmt: skip
    assert strip.pack is not None
    assert (strip.pack.label, strip.pack.end) == ("Waiting", 0)
    assert [row.gap for row in in_words(strip) if row.bib in ("22", "31")] == ["", ""]


def test_a_rider_whom_nobody_named_is_called_by_his_id():
    state = position(course="pianura", peloton=5, riders={"yellow-climber": {"at": "inside"}})

    strip = BOARD.strip(GIRO.view(state, None), names={})

    assert [(row.bib, row.name) for row in in_words(strip)] == [("yellow-climber", "")]
    layers(draw(strip, upright=True))


def test_before_anybody_was_drafted_there_is_a_road():
    state = GIRO.setup({"course": "colli"}, [{"seat": "anna", "draft": 3}, {"seat": "bruno", "draft": 3}])

    strip = BOARD.strip(GIRO.view(state, "anna"), names={}, decision=GIRO.decisions(state)[0])

    assert in_words(strip) == []
    layers(draw(strip, upright=False))


# ---- secrets ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("table", TABLES[1:3], ids=lambda table: table.name)
def test_what_the_viewer_may_not_know_is_not_in_his_picture(table):
    rng = random.Random(11)
    changed = 0
    for state, decision in positions(table, 7):
        if rng.random() > 0.08:
            continue
        seat = rng.choice(state.seats)
        other = swapped(state, seat, rng)
        changed += other != state
        for viewer in (seat, None):
            assert everything(state, decision, viewer) == everything(other, decision, viewer)
    assert changed


def everything(state: Any, decision: Any, seat: Any) -> list[str]:
    """All bytes that a seat is sent of a position."""
    view = GIRO.view(state, seat)
    legal = GIRO.legal(view.state, decision) if decision.seat == seat else ()
    strip = BOARD.strip(view, names={}, decision=decision, legal=legal)
    out = [repr(in_words(strip)), repr([(c.value, c.words, c.label, c.risk) for c in strip.choices]), course_map(strip)]
    for upright in (True, False):
        drawing = draw(strip, upright=upright)
        out += [drawing.road, drawing.live, overview(strip, drawing)]
    return out


# ---- whatever is asked for -------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("zoom", Zoom)
def test_the_samples_are_well_formed_light_and_say_themselves(name, zoom):
    strip = strip_of(SAMPLES[name])

    for upright in (True, False):
        drawing = draw(strip, upright=upright, zoom=zoom)
        _road, live = layers(drawing)
        for link in [*live.iter("a"), *ET.fromstring(overview(strip, drawing)).iter("a")]:
            assert link.get("aria-label")
            assert [target for target in link.iter() if "bd-target" in target.get("class", "").split()]
    assert {t.bib for t in strip.tokens} == {row.bib for row in in_words(strip)}


def test_another_language_has_other_words_and_the_same_figures():
    strip = strip_of(SAMPLES["road"])

    with override("de"):
        german = strip_of(SAMPLES["road"])
        drawing = draw(german, upright=True)

    assert [c.value for c in german.choices] == [c.value for c in strip.choices]
    shapes = [e.get("d") for e in ET.fromstring(drawing.road).iter("path")]
    assert shapes == [e.get("d") for e in ET.fromstring(draw(strip, upright=True).road).iter("path")]


def test_there_is_a_board_of_the_game_and_of_no_other():
    assert board_of(GIRO.name) is BOARD
    with pytest.raises(KeyError):
        board_of("chess")
