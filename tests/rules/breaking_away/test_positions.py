"""Positions that no race can be in are refused in words, each for what is wrong with it."""

from typing import Any

import pytest

from rules.breaking_away.game import BREAKING_AWAY as GAME
from rules.errors import RulesError

TWO = {"A1": {"at": 15, "hand": [3, 4]}, "B1": {"at": 13, "hand": [3, 4]}}
FAR = {"A1": {"at": 101, "hand": [3, 4]}, "B1": {"at": 13, "hand": [3, 4]}}
PAIRS = {"K1": {"at": 30}, "K2": {"rests": 1}, "L1": {"at": 20}, "L2": {"rests": 2}}
LINED_UP = {"K1": {"at": 0}, "K2": {}, "L1": {"at": 0}, "L2": {}}


def position(**told: Any) -> dict[str, Any]:
    return {"cyclists": TWO} | told


def madison(**told: Any) -> dict[str, Any]:
    return {"variant": "madison", "cyclists": PAIRS} | told


WRONG: tuple[tuple[str, dict[str, Any]], ...] = (
    ("belong to a Madison", position(phase="rate")),
    ("belong to a Madison", position(phase="place")),
    ("belong to a Madison", position(phase="change")),
    ("With the turn_mode sequential", position(phase="orders")),
    ("With the turn_mode sequential", position(phase="move", turn_mode="orders")),
    ("tells in over why", position(phase="finished")),
    ("counted from 1", position(turn=0)),
    ("counted from 1", position(phase="allocate", turn=-1)),
    ("everybody has answered", position(phase="allocate", given=["A", "B"])),
    ("everybody has answered", madison(phase="rate", teams=[{"id": "K", "ratings": [1, 2]}, {"id": "L", "ratings": [3, 1]}])),
    ('no "C" here', position(phase="allocate", given=["A", "C"])),
    ("names everybody who is racing", position(order=["A1"])),
    ("names everybody who is racing", madison(phase="place", order=["K"], cyclists=LINED_UP)),
    ("how many of the order", position(index=3)),
    ("how many of the order", madison(phase="place", index=2, cyclists=LINED_UP)),
    ("factor is 1 or more", position(cyclists={"A1": {"hand": [0, 3]}, "B1": {}})),
    ("factor is 1 or more", position(cyclists={"A1": {"gained": [-1]}, "B1": {}})),
    ("factor to spend", position(cyclists={"A1": {"hand": []}, "B1": {}})),
    ("factor to spend", position(hands="closed", cyclists={"A1": {"spent": [15, 15, 15]}, "B1": {}})),
    ("3 squares behind", position(cyclists={"A1": {"at": -4}, "B1": {}})),
    ("has crossed the finish", position(cyclists={"A1": {"where": "left", "at": 103}, "B1": {}})),
    ("has crossed the finish", position(cyclists={"A1": {"finished": -1}, "B1": {}})),
    ("0 to 39, alone", madison(cyclists=PAIRS | {"L2": {"rests": 1}})),
    ("0 to 39, alone", madison(cyclists=PAIRS | {"L2": {"rests": 40}})),
    ("only while they are chosen", madison(teams=[{"id": "K", "ratings": None}, {"id": "L"}])),
    ("only while they are chosen", madison(phase="allocate", teams=[{"id": "K", "ratings": "unseen"}, {"id": "L"}])),
    ("two different ratings", madison(teams=[{"id": "K", "ratings": [2, 2]}, {"id": "L"}])),
    ("beyond it, and crosses it once", position(cyclists=FAR, lines={"S1": ["A1", "A1"]})),
    ("beyond it, and crosses it once", position(lines={"S1": ["A1"]})),
    ("asks once", position(requests=[{"id": "A1"}, {"id": "A1"}])),
    ("asks once", position(phase="allocate", requests=[{"id": "A1"}])),
    ("asks once", position(cyclists=FAR, lines={"F": ["A1"]}, requests=[{"id": "A1"}])),
    ("asks once", position(cyclists=TWO | {"C1": {"where": "retired"}}, requests=[{"id": "C1"}])),
    ("for the other seats", position(requests=[{"id": "A1", "yes": ["A"]}])),
    ("for the other seats", position(requests=[{"id": "A1", "yes": ["B", "B"]}])),
    ("are told once", position(asked=["A1", "A1"])),
    ("are told once", position(stop=["A", "A"])),
    ("the race is over", position(stop=["A", "B"])),
    ("ordered where cyclists move", position(orders={"A": {"A1": 3}})),
    ("one of the cyclist's own", position(turn_mode="orders", orders={"A": {"A1": 5}})),
    ("one of the cyclist's own", position(turn_mode="orders", orders={"A": {"A1": 5}, "B": {"B1": 3}})),
    ('no "B1"', position(turn_mode="orders", orders={"A": {"A1": 3, "B1": 3}})),
    ("Every seat of a position", position(seats=["A", "B", "C"])),
    ("Every seat of a position", position(teams=[{"id": "A"}, {"id": "B"}, {"id": "C", "numbers": []}])),
    ("entered twice", position(seats=["A", "B", "A"])),
    ("called", {"variant": "madison", "teams": [{"id": "K"}, {"id": "K1"}]}),
)  # fmt: skip


@pytest.mark.parametrize(("words", "told"), WRONG)
def test_a_position_that_no_race_can_be_in_is_refused_in_words(words: str, told: dict[str, Any]) -> None:
    with pytest.raises(RulesError, match=words):
        GAME.read_state(told)


@pytest.mark.parametrize("told", [position(), position(cyclists=FAR), madison(), position(turn_mode="orders")])
def test_what_is_left_of_these_positions_can_be_ridden_on(told: dict[str, Any]) -> None:
    state = GAME.read_state(told)

    assert GAME.apply(state, GAME.legal(state, GAME.decisions(state)[0])[0]).events
