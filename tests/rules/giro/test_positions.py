"""A position that somebody wrote by hand is refused in words, or it can be ridden on: nothing between the two."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from rules.errors import RulesError
from rules.game import Json, Taker
from rules.giro.game import GIRO

ROAD: Json = {
    "course": "strip L2 | P1-30 | feed 20 | bonus 15",
    "peloton": 3,
    "turn": 4,
    "riders": {
        "A": {"at": "10.0", "seat": "Anna", "energy": 9, "card": "eddie", "tiles": [3]},
        "B": {"at": "inside", "seat": "Bruno", "energy": 3},
    },
}
WRONG: list[Any] = [
    None, True, False, -1, 0, 1.5, 10**30, -(10**30), float("inf"), float("nan"), "", "x", "A", "9.9", "\0", "A" * 500,
    [], [None], [[]], [10**30], ["0"], [True], {}, {"a": 1},
]  # fmt: skip


def places(told: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    inside = told.items() if isinstance(told, dict) else enumerate(told) if isinstance(told, list) else ()
    for name, value in inside:
        yield from places(value, (*path, name))


def changed(told: Json, path: tuple[Any, ...], value: Any) -> Any:
    if not path:
        return value
    other = json.loads(json.dumps(told))
    at = other
    for name in path[:-1]:
        at = at[name]
    at[path[-1]] = value
    return other


def written(position: Json) -> Json:
    """The whole state, but for what is still to be done: nobody writes that by hand."""
    state = dict(GIRO.write_state(GIRO.read_state(position)))
    del state["runs"]
    return state


@pytest.mark.rule("GI-M-01", "GI-M-03", "GI-M-08")
@pytest.mark.parametrize(
    "position",
    [
        ROAD,
        ROAD | {"phase": "T2"},
        written(ROAD),
        written(
            {"course": "crono", "riders": {"A": {"at": "6.0", "seat": "Anna"}, "B": {"at": "1.0", "seat": "Bruno"}}}
        ),
    ],
    ids=["told in part", "in another phase", "told in full", "of a time trial"],
)
def test_whatever_is_wrong_in_a_position_it_is_refused_in_words_or_can_be_ridden_on(position: Json) -> None:
    refused: list[str] = []
    for path in places(position):
        for value in WRONG:
            try:
                state = GIRO.read_state(changed(position, path, value))
            except RulesError as said:
                refused.append(str(said))
                continue
            assert GIRO.read_state(GIRO.write_state(state)) == state, (path, value)
            for seat in (*GIRO.seats(state), None):
                GIRO.view(state, seat)
            for decision in GIRO.decisions(state):
                answers = GIRO.weighted if decision.taker is Taker.CHANCE else GIRO.legal
                assert len(answers(state, decision)), (path, value)
                GIRO.apply(state, GIRO.default(state, decision))
    assert len(refused) > 100
    assert all(refused)


@pytest.mark.rule("GI-M-03", "GI-M-08")
@pytest.mark.parametrize(
    "wrong",
    [
        {"peloton": 1.5}, {"peloton": "3"}, {"peloton": 60}, {"peloton": -1}, {"pursued": "yes"}, {"arrivals": [1]},
        {"riders": {}}, {"riders": {"A": {"at": "10.0", "slipstream": None}}}, {"riders": {"A": {"at": "10.0", "fell": "x"}}},
        {"riders": {"A": {"at": "10.0", "energy": True}}}, {"riders": {"A": {"at": "10.0", "energy": 10**30}}},
        {"piles": {"rouleur": {"left": [1, 2]}}}, {"piles": {"rouleur": {"left": [1, 2, 3, None]}}},
    ],
    ids=str,
)  # fmt: skip
def test_a_position_that_no_stage_can_be_in_is_refused(wrong: Json) -> None:
    with pytest.raises(RulesError):
        GIRO.read_state(ROAD | wrong)


@pytest.mark.rule("GI-C2-10", "GI-D3-10")
@pytest.mark.parametrize("course", ["strip L2 | P1-30", "crono"])
def test_nobody_has_fallen_in_a_turn_that_is_yet_to_come(course: str) -> None:
    riders = {"A": {"at": "10.0", "fell": 10**6}, "B": {"at": "12.0"}}

    with pytest.raises(RulesError, match="A cannot have fallen"):
        GIRO.read_state({"course": course, "peloton": 3, "turn": 4, "riders": riders})


@pytest.mark.rule("GI-D3-08")
@pytest.mark.parametrize("tiles", [[], [2, 2, 2], [5, 5], [9], [2, 2, 3, 3, 4, 4, 5, 5]])
def test_a_rider_of_a_time_trial_has_some_of_his_seven_tiles(tiles: list[int]) -> None:
    with pytest.raises(RulesError, match="A cannot have"):
        GIRO.read_state({"course": "crono", "riders": {"A": {"at": "10.0", "crack_tiles": tiles}}})
