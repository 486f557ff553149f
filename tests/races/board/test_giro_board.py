"""The board of a stage of a Giro: every legal move once, nothing that the viewer may not know, well-formed and light."""

import random
import xml.etree.ElementTree as ET
from typing import Any

import pytest

from races.board.giro import BOARD, road_of, value_of
from races.board.strip import draw
from rules.giro.actions import BreakAway, Move
from rules.giro.course import BUILT_IN_IDS, built_in
from rules.giro.game import GIRO
from tests.races.bots.positions import TABLES, positions

BOTH = pytest.mark.parametrize("upright", [True, False])


def drawn(strip: Any, *, upright: bool = True, **more: Any) -> tuple[ET.Element, ET.Element]:
    """The two layers as XML, after everything that holds for all of them was seen to hold."""
    drawing = draw(strip, upright=upright, **more)
    assert len(drawing.road) + len(drawing.live) < 60_000
    for layer in (drawing.road, drawing.live):
        for word in ("<style", "<script", "style=", "nan"):
            assert word not in layer
    return ET.fromstring(drawing.road), ET.fromstring(drawing.live)


def links(live: ET.Element) -> list[str]:
    return [link.get("href", "") for link in live.iter("a") if "bd-choice" in link.get("class", "").split()]


@pytest.mark.parametrize("course_id", BUILT_IN_IDS)
def test_the_squares_of_a_lane_neither_overlap_nor_leave_gaps(course_id):
    course = built_in(course_id)
    road = road_of(course, giro=True)

    for lane in range(course.plan.lanes):
        at = lane - (course.plan.lanes - 1) / 2
        squares = sorted((s for s in road.squares.values() if s.at == at), key=lambda s: s.start)
        assert [s.end for s in squares[:-1]] == [s.start for s in squares[1:]]
        assert squares[0].start <= 0
        assert squares[-1].end >= course.arrival_tick


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_every_legal_move_is_one_link_or_one_row_and_nothing_else_is(table):
    rng = random.Random(3)
    seen = 0
    for state, decision in positions(table, 5, "easy"):
        if decision.kind not in ("move", "attack") or rng.random() > 0.25:
            continue
        view = GIRO.view(state, decision.seat)
        legal = GIRO.legal(view.state, decision)
        rides = [action for action in legal if isinstance(action, Move | BreakAway)]
        told = []
        for rider in dict.fromkeys(action.rider for action in rides):
            strip = BOARD.strip(view, names={}, decision=decision, legal=legal, rider=rider)
            told += [choice.action for choice in strip.choices]
            _road, live = drawn(strip)
            on_board = {choice.square: choice for choice in strip.choices if choice.shown}
            assert len(on_board) == sum(choice.shown for choice in strip.choices)
            assert len(links(live)) == len(set(links(live))) == len(on_board)
        assert sorted(map(value_of, told)) == sorted(map(value_of, rides))
        assert all(BOARD.find(value_of(action), legal) == action for action in rides)
        seen += 1
    assert seen > 5
