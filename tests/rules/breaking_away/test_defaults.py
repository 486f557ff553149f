"""What is answered for somebody whose time is up, worked out by hand."""

from typing import Any

import pytest

from rules.breaking_away.game import BREAKING_AWAY as GAME
from rules.breaking_away.state import State
from rules.game import Json


def given(state: State, **asked: str) -> Json:
    """The answer that the game gives by itself to the one decision that fits; it is always a legal one."""
    (decision,) = [one for one in GAME.decisions(state) if asked.items() <= one.as_json().items()]
    action = GAME.default(state, decision)
    assert action in GAME.legal(state, decision)
    return GAME.write_action(action)


def at(cyclists: Json, **position: Any) -> State:
    return GAME.read_state({"turn": 4, "cyclists": cyclists} | position)


def factor(state: State) -> int:
    return int(given(state, kind="move")["factor"])


THREE = [{"seat": "Anna", "team": "R"}, {"seat": "Bruno", "team": "W"}, {"seat": "Carla", "team": "B"}]
FOUR = [{"seat": name, "team": name[0]} for name in ("Anna", "Bruno", "Carla", "Dino")]


@pytest.mark.rule("BA-SET-03", "BA-SET-04")
def test_hands_that_are_missing_are_the_usual_ones_with_every_point_spent():
    hands = given(GAME.setup({"allocation_exact": True}, THREE), about="W")["hands"]

    assert {number: sorted(hand) for number, hand in hands.items()} == {
        "1": [3, 6, 9, 12], "2": [6, 8, 11], "3": [4, 7, 9], "4": [4, 5, 7],
    }  # fmt: skip
    assert [sum(hand) for hand in hands.values()] == [30, 25, 20, 16]


@pytest.mark.rule("BA-REF-01")
def test_on_paper_the_missing_hands_are_taken_to_lie_there():
    assert given(GAME.setup({"hands": "closed"}, THREE), about="W") == {"kind": "on_paper", "team": "W"}


@pytest.mark.rule("BA-REPL-02")
def test_the_factor_that_gets_most_back_is_played_counted_on_who_has_moved():
    # from 10: 13 is alone, 18 has two ahead in a row, 19 has one, 20 shares the front
    moved = {"A1": {"at": 20, "moved": True}, "B1": {"at": 19, "moved": True}}

    assert factor(at(moved | {"C1": {"at": 10, "hand": [3, 8, 9, 10]}})) == 8
    assert factor(at(moved | {"C1": {"at": 10, "hand": [3, 9, 10]}})) == 9


@pytest.mark.rule("BA-OPT-02")
def test_in_turn_1_nothing_is_hoped_for_from_an_overcrowded_square():
    crowd = {name: {"at": 10, "moved": True} for name in ("A1", "A2", "B1", "B2", "D1")}
    moved = crowd | {"A3": {"at": 6, "moved": True}, "C1": {"at": 0, "hand": [5, 9, 10]}}

    assert factor(at(moved, overcrowding=True, turn=1)) == 5
    assert factor(at(moved, overcrowding=True, turn=2)) == 9
    assert factor(at(moved, turn=1)) == 9


def test_of_equals_the_smallest_is_played():
    assert factor(at({"A1": {"at": 40, "moved": True}, "C1": {"at": 9, "hand": [12, 7, 5]}})) == 5
    both = {"A1": {"at": 30, "moved": True}, "B1": {"at": 20, "moved": True}, "C1": {"at": 9, "hand": [20, 10, 4]}}
    assert factor(at(both)) == 10


@pytest.mark.rule("BA-OPT-05")
def test_orders_that_are_missing_are_the_smallest_factors():
    state = at(
        {"A1": {"at": 30, "hand": [9, 4, 5]}, "A2": {"at": 29, "hand": [8, 6, 7]}, "B1": {"at": 20}}, turn_mode="orders"
    )

    assert given(state, seat="A", kind="orders") == {"kind": "orders", "seat": "A", "factors": {"A1": 4, "A2": 6}}


@pytest.mark.rule("BA-REF-02")
def test_on_paper_it_is_a_factor_that_public_data_allow():
    cyclists = {"A3": {"at": 17, "spent": [9, 8], "gained": [6, 3]}, "B1": {"at": 16, "spent": [8], "gained": [3]}}

    assert factor(at(cyclists, hands="closed")) == 1


@pytest.mark.rule("BA-RET-02")
def test_a_missing_vote_is_a_no_and_nobody_wants_to_stop_by_silence():
    cyclists = {"A1": {"at": 30, "moved": True}, "B1": {"at": 20, "hand": [3, 4]}}
    state = at(cyclists, requests=[{"id": "A1", "yes": []}], stop=["A"])

    assert given(state, kind="vote_retire") == {"kind": "vote_retire", "seat": "B", "cyclist": "A1", "yes": False}
    assert given(state, kind="stop_race", seat="B") == {"kind": "stop_race", "seat": "B", "yes": False}


@pytest.mark.rule("BA-MAD-02", "BA-MAD-04", "BA-MAD-06")
def test_in_a_madison_the_ratings_are_1_and_2_number_1_rides_and_the_lowest_free_square_is_taken():
    state = GAME.setup({"variant": "madison", "madison_small": True}, FOUR)
    assert given(state, about="C") == {"kind": "rate", "team": "C", "r1": 1, "r2": 2}
    for team in "ABCD":
        state = GAME.apply(state, GAME.read_action(given(state, about=team))).state
    for team in "ABCD":
        assert given(state, about=team)["hands"] == {"1": [3, 6, 9, 12], "2": [6, 8, 11]}
        state = GAME.apply(state, GAME.read_action(given(state, about=team))).state
    state = GAME.apply(state, GAME.read_action({"kind": "first_seat", "seat": "Bruno"})).state

    placed = []
    for team in "BCDA":
        placed.append(given(state, about=team))
        state = GAME.apply(state, GAME.read_action(placed[-1])).state
    assert placed == [
        {"kind": "place", "team": team, "active": 1, "square": square} for square, team in enumerate("BCDA")
    ]


@pytest.mark.rule("BA-MAD-09")
def test_nobody_changes_by_silence():
    state = at(
        {"K1": {"at": 30, "moved": True}, "K2": {"rests": 1}, "L1": {"at": 20, "moved": True}, "L2": {"rests": 2}},
        variant="madison", phase="change", index=0, order=["K", "L"],
    )  # fmt: skip

    assert given(state, kind="change") == {"kind": "stay", "team": "K"}


@pytest.mark.rule("BA-MAD-18")
def test_for_an_overdue_team_the_factor_is_one_that_lets_it_change():
    cyclists = {
        "L1": {"at": 50, "hand": [3, 5, 6]}, "L2": {"rests": 30}, "M1": {"at": 41, "hand": [3]}, "M2": {"rests": 13},
        "N1": {"at": 40, "hand": [3]}, "N2": {"rests": 15},
    }  # fmt: skip
    teams = [{"id": "L", "overdue": True}, {"id": "M"}, {"id": "N"}]

    assert factor(at(cyclists, variant="madison", teams=teams)) == 6
