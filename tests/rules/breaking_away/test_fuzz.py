"""JSON that somebody made up is refused in words, and what is read can be played on; `pytest --fuzz 5000` rides whole races."""

import json
import random
from typing import Any

import pytest

from rules.breaking_away.game import BREAKING_AWAY as GAME
from rules.errors import RulesError
from rules.game import due
from tests.rules.breaking_away.fuzz import COMMAND, one_race
from tests.rules.breaking_away.races import KINDS, ride
from tests.rules.long_run import none_fails

ODD: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    3,
    10**30,
    2.5,
    "",
    "R1",
    "R",
    "Anna",
    "unseen",
    "move",
    [],
    {},
    [1],
    {"R1": 1},
    [[]],
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every path into a piece of JSON."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(found for key, entry in inside for found in places(entry, (*path, key)))]


def spoilt(value: Any, rng: random.Random) -> Any:
    """A copy with one thing in it replaced, left out or added."""
    copy = json.loads(json.dumps(value))
    path = rng.choice([one for one in places(copy) if one])
    inside = copy
    for key in path[:-1]:
        inside = inside[key]
    match rng.randrange(4):
        case 0 if isinstance(inside, dict):
            del inside[path[-1]]
        case 1 if isinstance(inside, dict):
            inside["odd"] = rng.choice(ODD)
        case 1 if isinstance(inside, list):
            inside.append(rng.choice(ODD))
        case _:
            inside[path[-1]] = rng.choice(ODD)
    return copy


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_spoilt_position_is_read_or_refused(kind):
    rng = random.Random(kind)
    refused: list[str] = []
    for moment in ride(kind, 3, beside=0.1):
        if rng.random() > 0.3:
            continue
        told = spoilt(GAME.write_state(moment.step.state), rng)
        try:
            state = GAME.read_state(told)
        except RulesError as refusal:
            refused.append(str(refusal))
            continue
        assert GAME.read_state(json.loads(json.dumps(GAME.write_state(state)))) == state
        for decision in due(GAME.decisions(state))[:1]:
            GAME.apply(state, GAME.legal(state, decision)[0])
        GAME.outcome(state)
        GAME.write_view(GAME.view(state, None))
    assert refused
    assert all(refused)


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_spoilt_action_is_taken_or_refused_and_changes_nothing(kind):
    rng = random.Random(kind)
    refused: list[str] = []
    pool: list[Any] = []
    for moment in ride(kind, 4, beside=0.2):
        pool.append(GAME.write_action(moment.action))
        state = moment.before
        before = GAME.write_state(state)
        told = spoilt(rng.choice(pool), rng)
        try:
            GAME.apply(state, GAME.read_action(told))
        except RulesError as refusal:
            refused.append(str(refusal))
        assert GAME.write_state(state) == before
    assert refused
    assert all(refused)


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_spoilt_options_are_read_or_refused(kind):
    rng = random.Random(kind)
    refused: list[str] = []
    options = {"course": "standard-100", "allow_12": True} | KINDS[kind][0]
    entrants: list[dict[str, Any]] = [{"seat": name, "team": name[0]} for name in ("Anna", "Bruno", "Carla")]
    own = {
        "id": "x",
        "circuit": 40,
        "lines": [{"id": "F", "kind": "finish", "at": 60, "points": [3, 2]}],
        "finish_quota": 2,
    }
    for _ in range(200):
        told = {"options": options | ({"course": own} if rng.random() < 0.5 else {}), "entrants": entrants}
        wrong = spoilt(told, rng)
        try:
            GAME.setup(wrong.get("options", {}), wrong.get("entrants", []))
        except RulesError as refusal:
            refused.append(str(refusal))
    assert len(refused) > 50
    assert all(refused)


# ---- whole races -----------------------------------------------------------------------------------------------------
def test_a_race_of_a_seed_is_the_same_race_again():
    assert one_race(1, 3) == one_race(1, 3)


@pytest.mark.fuzz
def test_no_race_of_many_is_told_otherwise_by_the_second_referee(request: pytest.FixtureRequest):
    none_fails(COMMAND, one_race, request.config.getoption("fuzz"))
