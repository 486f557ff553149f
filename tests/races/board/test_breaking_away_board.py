"""The board of a race of Breaking Away: every factor is one link, squares say what is printed there and what they give, and nothing tells a hand."""

import random
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs

import pytest
from django.utils.translation import override

from races.board import board_of
from races.board.breaking_away import BOARD, display_number, new_factor, place_name, road_of
from races.board.circuit import ring_of
from races.board.strip import Drawing, Sign, Strip, Zoom, draw
from races.board.svg import text_width
from races.board.whole import course_map, groups, in_words, key, overview
from rules.breaking_away.course import BUILT_IN, MADISON, STANDARD, course_of
from rules.breaking_away.game import BREAKING_AWAY
from rules.breaking_away.replacement import replace_factors
from rules.breaking_away.state import Phase
from rules.game import Seat, Taker, listed
from tests.races.board.drawings import ADDRESS, HOSTILE, by_class, texts
from tests.races.board.look import strip_of
from tests.races.board.look_breaking_away import SAMPLES, cyclists
from tests.races.bots.breaking_away import TABLES, positions, swapped

LIGHT = 60_000
"""Bytes of a window at most."""


WAYS = pytest.mark.parametrize("upright", [True, False], ids=["up", "on"])


def layers(drawing: Drawing) -> tuple[ET.Element, ET.Element]:
    """Road and race as XML, after what holds for every drawing was seen to hold."""
    assert len(drawing.road.encode()) + len(drawing.live.encode()) < LIGHT
    for layer in (drawing.road, drawing.live):
        for word in ("<style", "<script", "style=", "nan", "None"):
            assert word not in layer
    return ET.fromstring(drawing.road), ET.fromstring(drawing.live)


def links(live: ET.Element, kind: str = "bd-choice") -> list[str]:
    return [link.get(ADDRESS, "") for link in by_class(live, kind) if link.tag == "a"]


def seen(state: Any, seat: str | None = None, **more: Any) -> Strip:
    """The strip of a seat, with what it may choose if it is asked."""
    view = BREAKING_AWAY.view(state, None if seat is None else Seat(seat))
    open_now = BREAKING_AWAY.decisions(state)
    decision = next((one for one in open_now if one.seat == seat), next(iter(open_now), None))
    legal: Any = ()
    if decision is not None and decision.taker is Taker.SEAT and decision.seat == seat:
        legal = listed(BREAKING_AWAY.legal(view.state, decision))
    return BOARD.strip(view, **({"names": {}, "decision": decision, "legal": legal} | more))


def position(told: str, *, hands: dict[str, list[int]] | None = None, **more: Any) -> Any:
    """The state of a race in its fourth turn, if nothing else is said."""
    own = {name: {"hand": hand} for name, hand in (hands or {}).items()}
    return BREAKING_AWAY.read_state({"course": "standard-100", "turn": 4, "cyclists": cyclists(told, **own)} | more)


# ---- the road --------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("course", [*BUILT_IN.values(), MADISON], ids=lambda course: course.id)
def test_every_distance_is_one_square_that_says_where_it_is_printed_and_in_which_lap(course):
    road = road_of(course)

    squares = sorted(road.squares.values(), key=lambda square: square.start)

    assert [square.end for square in squares[:-1]] == [square.start for square in squares[1:]]
    for square in squares:
        pos = int(square.id)
        assert (square.end, square.lanes) == (pos, road.lanes)
        if pos >= 0:
            assert square.label == str(course.square(pos))
            assert square.badge == ("" if course.circuit is None else str(course.lap(pos) + 1))
    assert [square.id for square in squares if square.raced] == [str(pos) for pos in range(1, course.finish.at + 1)]


def test_lines_lie_after_their_square_and_a_lap_begins_before_the_printed_start():
    lines = [(line.tick, line.sign, line.label) for line in road_of(STANDARD).lines]

    assert lines == [
        (0, Sign.START, "Start"), (39, Sign.LAP, ""), (79, Sign.LAP, ""),
        (33, Sign.SPRINT, "Sprint 1"), (73, Sign.SPRINT, "Sprint 2"), (100, Sign.FINISH, "Finish"),
    ]  # fmt: skip
    assert [stretch.label for stretch in road_of(STANDARD).stretches] == ["Lap 1", "Lap 2", "Lap 3"]
    assert [stretch.label for stretch in road_of(BUILT_IN["postal-120"]).stretches] == ["Open road"]


def test_a_road_is_laid_once_and_goes_on_for_who_rides_on():
    assert road_of(STANDARD, 90) is road_of(STANDARD, 120)
    for furthest in (100, 139, 140, 300):
        assert str(furthest) in road_of(STANDARD, furthest).squares


def test_places_are_told_in_words():
    assert place_name(STANDARD, 73) == "73 / 100, square 33, lap 2"
    assert place_name(STANDARD, -1) == "-1 / 100, square 39, lap 1"
    assert place_name(BUILT_IN["postal-120"], 73) == "73 / 120"


def test_where_the_start_is_staggered_the_squares_behind_it_are_printed_and_else_they_are_a_grid():
    assert road_of(STANDARD).squares["-1"].label == ""
    assert road_of(STANDARD, staggered=True).squares["-1"].label == "39"


# ---- choices ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_every_factor_is_one_link_and_its_value_finds_the_answer_again(table):
    rng = random.Random(3)
    asked = 0
    for state, decision in positions(table, 5):
        if decision.kind not in ("move", "orders") or rng.random() > 0.1:
            continue
        view = BREAKING_AWAY.view(state, decision.seat)
        legal: Any = listed(BREAKING_AWAY.legal(view.state, decision))
        strip = BOARD.strip(view, names={}, decision=decision, legal=legal)
        for action in rng.sample(legal, min(20, len(legal))):
            assert BOARD.find(BOARD.value(action), legal) == action
        for choice in strip.choices:
            found = BOARD.find(choice.value, legal)
            assert found == choice.action
            assert (
                BOARD.strip(view, names={}, decision=decision, legal=legal, chosen=found).chosen.square == choice.square
            )
        if decision.kind == "move":
            assert sorted(choice.steps for choice in strip.choices) == sorted(action.factor for action in legal)
        for upright in (True, False):
            addresses = links(layers(draw(strip, upright=upright))[1])
            assert [parse_qs(address[1:])["to"] for address in addresses] == [
                [choice.value] for choice in strip.choices
            ]
        asked += 1
    assert asked > 3


def test_only_moves_are_found_on_the_board():
    state = position("R1 20, W1 18, B1 17", hands={"R1": [3, 8, 8]}, seats=["R", "W", "B"])
    decisions = BREAKING_AWAY.decisions(state)
    move = BREAKING_AWAY.legal(state, decisions[0])
    other = BREAKING_AWAY.legal(state, next(one for one in decisions if one.kind == "ask_retire"))

    assert [BOARD.value(action) for action in move] == ["R1:3", "R1:8"]
    assert BOARD.value(other[0]) == ""
    assert BOARD.find("R1:3", other) is None
    for nonsense in ("", "R1:4", "W1:3", "R1", "R1:3,R1:8", ":"):
        assert BOARD.find(nonsense, move) is None


def test_first_hands_are_never_looked_through():
    state = BREAKING_AWAY.setup({}, [{"seat": name} for name in "RWB"])
    decision = BREAKING_AWAY.decisions(state)[0]
    legal = BREAKING_AWAY.legal(state, decision)

    strip = BOARD.strip(BREAKING_AWAY.view(state, decision.seat), names={}, decision=decision, legal=legal)

    assert strip.choices == ()
    assert BOARD.find("R1:3", legal) is None
    layers(draw(strip, upright=True))


def test_a_choice_says_what_it_crosses_where_it_ends_and_what_it_gives():
    state = position("R1 36*, W1 33*, B1 31, W2 30", hands={"B1": [2, 5, 9]}, lines={"S1": ["R1"]})

    words = [choice.words for choice in seen(state, "B").choices]

    assert words == [
        "2 to 33 / 100, square 33, lap 1: on the line of Sprint 1, not over it; new factor 3, as it stands",
        "5 to 36 / 100, square 36, lap 1: over Sprint 1, place 2, 8 points; new factor 3, as it stands",
        "9 to 40 / 100, square 0, lap 2: over Sprint 1, place 2, 8 points; alone in the lead: new factor 4, as it stands",
    ]


def test_squares_give_what_the_rules_would_give_if_nobody_else_moved():
    state = position("R1 36*, W1 35*, B2 35*, B1 31, W2 30", hands={"B1": [2, 5, 9]})

    gives = seen(state).gives

    assert (gives["34"], gives["35"], gives["36"], gives["33"]) == ("+6", "+4", "+3", "+3")
    for square, value in gives.items():
        racer, _side = state.field.places["B1"]
        there = state._replace(
            racers=(*state.racers[:racer], state.racers[racer]._replace(pos=int(square)), *state.racers[racer + 1 :])
        )
        told = {new.id: new.value for new in replace_factors(there)[1].factors}
        assert value == f"+{told['B1']}" == f"+{new_factor(state, racer, int(square))[0]}"


def test_orders_are_pointed_at_one_after_the_other_and_those_before_stay():
    state = position(
        "R1 20, R2 18, W1 18, B1 17", turn_mode="orders",
        hands={"R1": [3, 8, 9], "R2": [4, 5, 5]},
    )  # fmt: skip
    legal = listed(BREAKING_AWAY.legal(state, BREAKING_AWAY.decisions(state)[0]))
    first = seen(state, "R")

    once = seen(state, "R", chosen=BOARD.find("R1:8", legal))
    twice: Any = seen(state, "R", chosen=BOARD.find("R1:8,R2:5", legal))
    again: Any = seen(state, "R", chosen=BOARD.find("R1:8,R2:5", legal), rider="R1")

    assert (first.senders, first.sender) == (("R1", "R2"), "R1")
    assert [choice.value for choice in first.choices] == ["R1:3", "R1:8", "R1:9"]
    assert once.sender == "R2"
    assert [choice.value for choice in once.choices] == ["R1:8,R2:4", "R1:8,R2:5"]
    assert {(c.rider, c.steps) for c in (*twice.pointed, twice.chosen)} == {("R1", 8), ("R2", 5)}
    assert again.chosen.rider == "R1"
    assert [choice.value for choice in again.choices] == ["R1:3,R2:5", "R1:8,R2:5", "R1:9,R2:5"]
    _road, live = layers(draw(once, upright=True))
    assert [parse_qs(address[1:]) for address in links(live, "bd-send")] == [{"rider": ["R1"], "to": ["R1:8"]}]
    assert len(list(by_class(layers(draw(again, upright=True))[1], "bd-ghost"))) == 2


def test_a_team_may_be_called_anything():
    state = BREAKING_AWAY.read_state(
        {
            "course": "standard-100", "turn": 4, "turn_mode": "orders",
            "cyclists": {"R:,~.&é1": {"at": 20, "hand": [3, 4, 5]}, "R:,~.&é2": {"at": 18, "hand": [3, 4, 5]}, "W1": {"at": 3}, HOSTILE[:20] + "1": {"at": 1}},
        }
    )  # fmt: skip
    legal = listed(BREAKING_AWAY.legal(state, BREAKING_AWAY.decisions(state)[0]))

    strip = seen(state, "R:,~.&é")

    assert all(BOARD.find(BOARD.value(action), legal) == action for action in legal)
    layers(draw(strip, upright=True))
    ET.fromstring(overview(strip, draw(strip, upright=True)))


def test_who_does_not_answer_has_nothing_to_choose():
    strip = strip_of(SAMPLES["ba-spectator"])

    assert strip.choices == ()
    for upright in (True, False):
        live = layers(draw(strip, upright=upright))[1]
        assert links(live) == links(live, "bd-send") == []


# ---- cyclists --------------------------------------------------------------------------------------------------------
def rows_of(live: ET.Element) -> Iterator[tuple[str, float, float]]:
    """Bib and place on paper of every rider drawn."""
    for rider in by_class(live, "bd-rider"):
        x, y = rider.get("transform", "").split("(")[1].split(")")[0].split()
        yield next(t.text or "" for t in by_class(rider, "bd-num")), float(x), float(y)


@WAYS
def test_cyclists_of_one_square_stand_from_the_inside_to_the_outside(upright):
    state = position("R1 20*, W2 20*, B1 20*, W1 12, R2 11")

    found = {bib: (x, y) for bib, x, y in rows_of(layers(draw(seen(state), upright=upright))[1])}

    row = [found[bib] for bib in ("11", "22", "31")]
    across, along = (0, 1) if upright else (1, 0)
    assert [place[across] for place in row] == sorted(place[across] for place in row)
    assert len({place[across] for place in row}) == 3
    assert len({place[along] for place in row}) == 1


@WAYS
def test_a_crowd_ends_in_how_many_more_there_are_and_whoever_is_asked_for_is_seen(upright):
    crowd = ", ".join(f"{team}{number} 30" for number in (1, 2) for team in "RWBGPSDHN")
    state = position(crowd, turn=3, turn_mode="orders", hands={"N1": [3, 4, 5], "N2": [3, 4, 5]})

    strip = seen(state, "N", rider="N2")
    live = layers(draw(strip, upright=upright))[1]

    drawn = [bib for bib, _x, _y in rows_of(live)]
    assert drawn[0] == "11"
    assert "92" in drawn
    assert [t.text for t in by_class(live, "bd-crowdtext")] == [f"+{18 - len(drawn)}"]


@WAYS
@pytest.mark.parametrize("teams", [3, 6, 9])
def test_at_the_start_everybody_is_seen(upright, teams):
    state = BREAKING_AWAY.read_state({"course": "standard-100", "seats": list("RWBGPSDHN"[:teams])})

    strip = seen(state)
    live = layers(draw(strip, upright=upright))[1]

    found = list(rows_of(live))
    assert len(found) == 4 * teams
    assert len({(x, y) for _bib, x, y in found}) == 4 * teams
    assert not list(by_class(live, "bd-crowdtext"))


def test_numbers_are_those_of_the_figures():
    state = position("R1 20, W3 18, B4 17")
    madison = BREAKING_AWAY.setup(
        {"variant": "madison", "madison_small": True},
        [{"seat": "x", "teams": ["K", "L"]}, {"seat": "y", "teams": ["M", "N"]}],
    )

    assert [display_number(state.field, name) for name in ("R1", "W3", "B4")] == ["11", "23", "34"]
    assert [display_number(madison.field, name) for name in ("K1", "K2", "N2")] == ["11", "12", "42"]


def test_the_field_is_told_from_the_front_with_what_happened_to_everybody():
    rows = {row.bib: row for row in in_words(strip_of(SAMPLES["ba-sprint"]))}

    assert list(rows)[:7] == ["13", "21", "32", "41", "11", "52", "23"]
    assert rows["13"].notes == "has moved in this turn, leads, alone, moved 10 since your last turn"
    assert rows["21"].notes == "has moved in this turn, in a chain of 7, moved 6 since your last turn"
    assert rows["23"].notes == "to move, in a chain of 7"
    assert (rows["32"].gap, rows["23"].gap, rows["23"].place) == ("level", "1 behind", "31 / 100, square 31, lap 1")
    assert (rows["23"].mine, rows["13"].mine) == (True, False)


def test_who_shares_the_lead_and_who_led_alone_is_told():
    state = position("R1 20*, W1 20*, B1 12, R2 11", leader="B1")

    notes = {row.bib: row.notes for row in in_words(seen(state))}

    assert notes["11"] == notes["21"] == "has moved in this turn, shares the lead"
    assert notes["31"] == "to move, led alone at the end of the last turn, in a chain of 2"
    _road, live = layers(draw(seen(state), upright=True))
    assert len(list(by_class(live, "bd-leads"))) == 2
    assert len(list(by_class(live, "bd-tick"))) == 2


def test_chains_are_bracketed_and_are_the_groups_of_the_whole_course():
    state = position("R1 30, W1 29, B1 29, R2 27, W2 26, B2 24", turn=3)
    strip = seen(state)

    assert strip.chains == ((25, 27, 2), (28, 30, 3))
    assert [group.label for group in groups(strip)] == ["3 riders", "2 riders", "32"]
    assert len(list(by_class(layers(draw(strip, upright=True))[1], "bd-chain"))) == 2


def test_a_lapped_cyclist_is_far_behind_on_the_strip_and_beside_the_others_on_the_circuit():
    state = position("R1 72, W1 71, B1 32, R2 31", turn=9)
    strip = seen(state)

    assert [group.label for group in groups(strip)] == ["2 riders", "2 riders"]
    circuit = ET.fromstring(overview(strip, draw(strip, upright=True)))
    assert [t.text for t in by_class(circuit, "bd-pinlaptext")] == ["2", "1"]


def test_who_retired_is_in_the_words_and_not_on_the_road():
    state = BREAKING_AWAY.read_state(
        {
            "course": "standard-100",
            "turn": 5,
            "cyclists": {"R1": {"at": 20}, "W1": {"at": 18}, "B1": {"at": 3, "where": "retired"}},
        }
    )
    strip = seen(state)

    assert [(row.bib, row.place, row.gap) for row in in_words(strip)][-1] == ("31", "retired", "")
    assert {bib for bib, _x, _y in rows_of(layers(draw(strip, upright=True))[1])} == {"11", "21"}


def test_who_crossed_the_finish_rides_on_and_is_seen_there():
    strip = strip_of(SAMPLES["ba-finish"])

    rows = {row.bib: row for row in in_words(strip)}
    assert rows["11"].place == "117 / 100, square 37, lap 3"
    assert "finished: number 1, in turn 14" in rows["11"].notes
    drawing = draw(strip, upright=True, window=105)
    assert drawing.window == 105
    assert [bib for bib, _x, _y in rows_of(layers(drawing)[1])] == ["11", "21"]


def test_who_is_far_behind_is_told_below_the_window_with_an_arrow_that_is_not_cut_off():
    told = ", ".join(f"{team}{number} {2 * number + 1}" for number in (1, 2, 3, 4) for team in "WBG")

    drawing = draw(seen(position(f"R1 60, {told}")), upright=True, window=50)
    live = layers(drawing)[1]

    behind = next(text.text for text in by_class(live, "bd-beyond") if "behind" in (text.text or ""))
    assert re.fullmatch(r"12 behind: ([WBG]\d|\d\d) −\d+( · ([WBG]\d|\d\d) −\d+)+ · …", behind or ""), behind
    tips = [float(tip.get("d", "").removeprefix("M").split()[0]) for tip in by_class(live, "bd-more")]
    assert tips
    assert min(tips) >= 0


# ---- lines -----------------------------------------------------------------------------------------------------------
def test_lines_say_what_is_left():
    state = position(
        "R1 56*, W1 52*, B1 51, W2 46", course="criterium-125",
        lines={"S1": ["R1", "W1", "B1", "W2"], "S2": ["R1", "W1", "B1"]},
    )  # fmt: skip

    told = {prize.tick: (prize.short, prize.words) for prize in seen(state).prizes}

    assert told[25] == ("taken", "Sprint 1: all places are taken")
    assert told[50] == ("1", "Sprint 2: place 4 is next, for 1 point; 1 place is left")
    assert told[75] == ("5 3 2 1", "Sprint 3: place 1 is next, for 5 points; 4 places are left")
    strip = seen(state)
    live = layers(draw(strip, upright=False, window=35))[1]
    assert [(g.get("role"), g.get("aria-label")) for g in live.iter("g") if "Sprint" in g.get("aria-label", "")] == [
        ("img", told[50][1])
    ]
    infield = [t for t in texts(ET.fromstring(overview(strip, draw(strip, upright=True)))) if t.startswith("Sprint")]
    assert infield == ["Sprint 2 · 50 1", "Sprint 3 · 75 5 3 2 1", "Sprint 4 · 100 5 3 2 1"]


@pytest.mark.parametrize(
    ("course", "names"),
    [("standard-100", {"Sprint 1, Sprint 2", "Finish"}), ("criterium-125", {"Finish and 4 more"})],
)
def test_the_circuit_says_beside_each_line_what_it_is_called(course, names):
    strip = seen(position("R1 6, W1 5, B1 4", course=course))

    circuit = ET.fromstring(overview(strip, draw(strip, upright=True)))

    called = list(by_class(circuit, "bd-trackname"))
    assert {text.text for text in called} == names
    width, height = map(float, circuit.get("viewBox", "").split()[2:])
    ring = ring_of(strip.road, width, height)
    for text in called:
        first, last = ring.inside(float(text.get("y", "")) - 4)
        half = text_width(text.text or "", 11) / 2
        assert first < float(text.get("x", "")) - half < float(text.get("x", "")) + half < last, "clear of the track"


# ---- Madison ---------------------------------------------------------------------------------------------------------
def test_in_a_madison_who_rests_is_beside_his_square_in_every_lap():
    strip = strip_of(SAMPLES["ba-madison"])

    rests = {rest.bib: rest.squares for rest in strip.resting}

    assert {"12", "52", "92", "132"} <= rests["11"]
    assert {t.bib for t in strip.tokens} == {"12", "21", "31", "42", "51", "61"}
    for upright in (True, False):
        live = layers(draw(strip, upright=upright))[1]
        small = [t.text for rest in by_class(live, "bd-rests") for t in by_class(rest, "bd-num")]
        assert set(small) >= {"11", "22", "41", "52"}
    notes = {row.bib: row.notes for row in in_words(strip)}
    assert "32 rests beside square 30" in notes["31"]
    assert "overdue: has to change" in notes["31"]


def test_in_a_madison_what_moved_is_known_by_the_team():
    tokens = {token.bib: token for token in strip_of(SAMPLES["ba-madison"]).tokens}

    assert (tokens["12"].since, tokens["21"].since, tokens["61"].since) == ("48", "47", None)


@WAYS
def test_where_the_other_one_may_rest_is_chosen_beside_the_road_and_around_the_circuit(upright):
    strip = strip_of(SAMPLES["ba-line-up"])
    free = {f"?to=W%3A2%40{square}" for square in range(40) if square != 12}

    drawing = draw(strip, upright=upright)
    beside = set(links(layers(drawing)[1], "bd-nook"))
    above = ET.fromstring(overview(strip, drawing))

    if upright:  # a thumb goes to the window in which they stand, five squares at a time
        windows = [parse_qs(address[1:]) for address in links(above, "bd-nookstretch")]
        assert [int(window["window"][0]) for window in windows] == list(range(-4, 36, 5))
        assert all(window["to"] == ["W:2@5"] for window in windows), "the choice so far is kept"
    else:
        assert sorted(links(above, "bd-nookring")) == sorted(free)
    assert len(list(by_class(above, "bd-nookplace"))) == len(free)
    assert beside < free
    assert len(beside) >= 9
    assert drawing.query == {"to": "W:2@5"}
    assert [(rest.bib, "5" in rest.squares) for rest in strip.resting] == [("12", False), ("21", True)]
    assert {token.bib for token in strip.tokens} >= {"22"}, "who would ride is shown at the start"
    chosen = [link.get("aria-label") for link in by_class(layers(drawing)[1], ["bd-nook", "bd-chosen"][1])]
    assert len(chosen) == 1


def test_a_line_up_is_found_by_its_name_and_nothing_else_is():
    state = BREAKING_AWAY.read_state(SAMPLES["ba-line-up"].position)
    decision = next(iter(BREAKING_AWAY.decisions(state)))
    legal = listed(BREAKING_AWAY.legal(state, decision))

    assert {BOARD.find(BOARD.value(answer), legal) for answer in legal} == set(legal)
    for other in ("", "W:1@12", "W:3@1", "Y:1@1", "W:1", "W1:5"):
        assert BOARD.find(other, legal) is None


# ---- secrets ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "table", [table for table in TABLES if table.options.get("hands") != "closed"], ids=lambda table: table.name
)
def test_what_the_viewer_may_not_know_is_not_in_his_picture(table):
    rng = random.Random(11)
    changed = 0
    for state, decision in positions(table, 7):
        if rng.random() > 0.06 or state.phase is Phase.FINISHED:
            continue
        seat = rng.choice(state.field.seats)
        other = swapped(state, seat, rng)
        changed += other != state
        for viewer in (seat, None):
            assert everything(state, decision, viewer) == everything(other, decision, viewer)
    assert changed


def everything(state: Any, decision: Any, seat: Any) -> list[str]:
    """All bytes that a seat is sent of a position."""
    view = BREAKING_AWAY.view(state, seat)
    legal = listed(BREAKING_AWAY.legal(view.state, decision)) if decision.seat == seat and seat is not None else ()
    strip = BOARD.strip(view, names={}, decision=decision, legal=legal)
    out = [repr(in_words(strip)), repr([(c.value, c.words, c.label) for c in strip.choices]), course_map(strip)]
    for upright in (True, False):
        drawing = draw(strip, upright=upright)
        out += [drawing.road, drawing.live, overview(strip, drawing), repr(key(strip, drawing))]
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
        assert all(sample.words for sample in key(strip, drawing))
    assert {t.bib for t in strip.tokens} == {row.bib for row in in_words(strip)}
    assert ET.fromstring(course_map(strip)).get("role") == "img"


def test_a_course_of_one_s_own_can_be_drawn_from_end_to_end():
    line = {"id": "F", "kind": "finish", "at": 500, "points": list(range(36, 0, -1))}
    for circuit in (20, 200, None):
        course = course_of({"id": "own", "circuit": circuit, "lines": [line], "finish_quota": 3})
        strip = Strip(road=road_of(course))
        for upright in (True, False):
            for zoom in Zoom:
                for window in range(-5, 540, 60):
                    drawing = draw(strip, upright=upright, window=window, zoom=zoom)
                    layers(drawing)
                    ET.fromstring(overview(strip, drawing))
        ET.fromstring(course_map(strip))


def test_another_language_has_other_words_and_the_same_figures():
    strip = strip_of(SAMPLES["ba-sprint"])

    with override("de"):
        german = strip_of(SAMPLES["ba-sprint"])
        drawing = draw(german, upright=True)

    assert [c.value for c in german.choices] == [c.value for c in strip.choices]
    shapes = [e.get("d") for e in ET.fromstring(drawing.road).iter("path")]
    assert shapes == [e.get("d") for e in ET.fromstring(draw(strip, upright=True).road).iter("path")]


def test_the_game_has_this_board():
    assert board_of(BREAKING_AWAY.name) is BOARD
