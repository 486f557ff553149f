"""What is answered for somebody whose time is up: always legal, never a risk or a card that nobody chose."""

from typing import Any

import pytest

from rules.game import Json, Taker
from rules.giro.game import GIRO

PLAIN = "strip L2 | P1-20"


def answer(position: Json, *before: Json) -> Json:
    """The answer that the game gives by itself to the only open decision, after some others."""
    state = GIRO.read_state(position)
    for action in before:
        state = GIRO.apply(state, GIRO.read_action(action)).state
    (decision,) = GIRO.decisions(state)
    given = GIRO.default(state, decision)
    assert given in GIRO.legal(state, decision)
    return GIRO.write_action(given)


def alone(course: str, **rider: Any) -> Json:
    riders = [{"id": "A", "type": "rouleur", "at": "9.1", "energy": 12} | rider]
    return {"course": course, "peloton": 3, "turn": 3, "riders": riders}


@pytest.mark.rule("GI-B1-01")
def test_a_rider_whose_time_is_up_rides_his_free_squares_on_the_left():
    assert answer(alone(PLAIN)) == {"kind": "move", "rider": "A", "path": [0, 0, 0]}


@pytest.mark.rule("GI-S-01", "GI-C4-03")
def test_no_card_is_played_and_no_tile_turned_up_for_him():
    assert answer(alone(PLAIN, card="jacques", tiles=[5])) == {"kind": "move", "rider": "A", "path": [0, 0, 0]}


@pytest.mark.rule("GI-B1-10", "GI-B1-11")
def test_before_a_blocked_road_he_takes_the_cheapest_way_and_stays_only_if_there_is_none():
    blocked = alone(PLAIN, seat="A") | {"peloton": 14, "phase": "T5"}
    for rider, at in (("C", "10.0"), ("D", "10.1")):
        blocked["riders"].append({"id": rider, "type": "leader", "at": at, "seat": "B", "fresh": True})
    poor = blocked | {"riders": [blocked["riders"][0] | {"energy": 0}, *blocked["riders"][1:]]}

    assert answer(blocked) == {"kind": "move", "rider": "A", "path": [0, 0, 0]}
    assert answer(poor) == {"kind": "stay", "rider": "A"}


@pytest.mark.rule("GI-C2-01", "R-50")
def test_where_every_way_has_a_card_or_a_risk_the_risk_is_what_he_is_spared():
    # a full column, black squares beyond it: a leader's third square is paid without Jacques, free with him
    course = "strip L2 | P1-20 | x 12.0 12.1"
    rows = [("C", "10.0"), ("D", "10.1"), ("E", "11.0"), ("F", "11.1")]
    position = alone(course, type="leader", seat="A", card="jacques") | {"peloton": 16, "phase": "T5"}
    for rider, at in rows:
        position["riders"].append({"id": rider, "type": "leader", "at": at, "seat": "B", "fresh": True})
    without = position | {"riders": [position["riders"][0] | {"card": None}, *position["riders"][1:]]}

    assert answer(position) == {"kind": "move", "rider": "A", "path": [0, 0, 0], "card": True}
    assert answer(without)["path"] == [0, 0, 0]


@pytest.mark.rule("GI-B2-01", "GI-B3-01")
def test_nobody_is_sent_and_no_pursuit_is_announced():
    inside = alone(PLAIN, at="inside")

    assert answer(inside) == {"kind": "end"}
    assert answer(inside, {"kind": "end"}) == {"kind": "pursue", "yes": False}


@pytest.mark.rule("GI-B4-05", "GI-C4-03")
@pytest.mark.parametrize(
    ("tiles", "price", "given"),
    [
        ([5, 3, 2], 1, {"kind": "reveal", "rider": "A", "tile": 2}),
        ([5, 3], 3, {"kind": "reveal", "rider": "A", "tile": 3}),
        ([2, 2], 3, {"kind": "reveal", "rider": "A", "tile": 2}),
        ([2], 3, {"kind": "let_go", "rider": "A"}),
        ([0], 1, {"kind": "let_go", "rider": "A"}),
    ],
)
def test_the_peloton_is_paid_with_the_lowest_tile_that_will_do_else_with_the_fewest_or_not_at_all(tiles, price, given):
    # caught by a peloton that nobody is in: a 4 costs 1, a 5 with the pursuit 3
    caught = alone(PLAIN, at="5.0", energy=0, tiles=tiles) | {"phase": "T4", "pursued": price == 3}
    roll = {"kind": "peloton_die", "value": 5 if price == 3 else 4}

    assert answer(caught, roll) == given


@pytest.mark.rule("GI-C4-03")
def test_a_tile_is_kept():
    line = alone(f"{PLAIN} | feed 10")

    drawn = answer(line, {"kind": "move", "path": [1, 1]}, {"kind": "tile", "value": 4})

    assert drawn == {"kind": "keep", "rider": "A"}


@pytest.mark.rule("GI-C3-09")
@pytest.mark.parametrize(("card", "yes"), [("alfredo", True), ("gino", False)])
def test_alfredo_is_played_against_a_puncture_and_a_rider_without_him_says_no(card, yes):
    rolled = alone(PLAIN, card=card) | {"phase": "T4", "cards": "blind"}

    given = answer(rolled, {"kind": "peloton_die", "value": 4, "red": True}, {"kind": "event_die", "value": 1})

    assert given == {"kind": "joker", "rider": "A", "yes": yes}


@pytest.mark.rule("GI-D3-12")
def test_a_stopwatch_that_nobody_reads_says_what_turns_and_energy_say():
    course = "strip L2 itt | P1-20"
    riders = [{"id": name, "type": "rouleur", "at": "20.0", "energy": energy} for name, energy in (("A", 3), ("B", 9))]

    given = answer(
        {"course": course, "turn": 8, "tt_clock": "measured", "riders": riders},
        {"kind": "move", "rider": "A", "path": [0]},
        {"kind": "move", "rider": "B", "path": [0]},
    )

    assert given == {"kind": "clock", "order": ["B", "A"]}


@pytest.mark.rule("GI-M-01")
def test_the_answer_of_chance_is_its_likeliest_outcome():
    state = GIRO.read_state(alone(PLAIN) | {"phase": "T4"})
    (decision,) = GIRO.decisions(state)

    assert decision.taker is Taker.CHANCE
    assert GIRO.write_action(GIRO.default(state, decision)) == {"kind": "peloton_die", "value": 4}


@pytest.mark.rule("S1", "S2")
def test_a_draft_goes_on_without_somebody_who_is_away():
    state = GIRO.setup({"course": "pianura", "first_seat": "Anna"}, [{"seat": "Anna"}, {"seat": "Bruno"}])
    kinds = []

    while (decision := GIRO.decisions(state)[0]).taker is Taker.SEAT:
        given = GIRO.default(state, decision)
        kinds.append(given.kind)
        assert given in GIRO.legal(state, decision)
        state = GIRO.apply(state, given).state

    assert kinds == ["pick", "pick", "strength", "strength"]
