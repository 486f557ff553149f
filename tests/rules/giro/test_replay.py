"""The log is the race: the same answers lead to the same end, wherever and however often they are given."""

import json
import os
import random
import subprocess
import sys

import pytest

from rules.errors import RulesError
from rules.game import Json
from rules.giro.game import GIRO
from rules.giro.state import State
from tests.rules import records
from tests.rules.giro.play import Race, any_race, ride
from tests.rules.records import RECORDED, TESTS, as_text, record_of, replayed


def logged(race: Race, answers: int | None = None) -> records.Race:
    """The log of a race, up to so many answers."""
    return records.Race(GIRO, race.options, race.entrants, race.recorded()[:answers])


def a_race(seed: object) -> Race:
    rng = random.Random(f"replay {seed}")
    options, entrants = any_race(rng)
    return ride(rng, options, entrants, unseen=rng.random() < 0.3)


@pytest.fixture(scope="module")
def races() -> list[Json]:
    """Some on record, and some that nobody has seen before."""
    known = [json.loads(path.read_text()) for path in sorted(RECORDED.glob("giro/*.json"))[::3]]
    fresh = [a_race(seed) for seed in range(8)]
    return known + [
        {"game": GIRO.name, "options": race.options, "entrants": list(race.entrants), "actions": race.recorded()}
        for race in fresh
    ]


@pytest.mark.rule("GI-M-01")
@pytest.mark.parametrize("hash_seed", ["0", "1", "random"])
def test_the_same_answers_and_dice_lead_to_the_same_end_in_any_process(races: list[Json], hash_seed: str) -> None:
    here = [record_of(records.Race.of(race)) for race in races]

    there = subprocess.run(
        [sys.executable, "-m", "tests.rules.records", "hash"],
        input=json.dumps(races),
        capture_output=True,
        text=True,
        check=True,
        cwd=TESTS.parent,
        env={"PATH": os.environ.get("PATH", ""), "PYTHONHASHSEED": hash_seed},
    )

    assert there.stdout.splitlines() == [f"{race['events_hash']} {race['state_hash']}" for race in here]


@pytest.mark.rule("GI-M-01")
@pytest.mark.parametrize("seed", range(6))
def test_after_taking_back_the_race_is_where_it_was_after_so_many_answers(seed: int) -> None:
    race = a_race(f"taken back {seed}")
    states: list[State] = [state for state, _ in replayed(logged(race))]
    rng = random.Random(seed)

    assert states[-1] == race.last
    for answers in rng.sample(range(len(states)), min(6, len(states))):
        again = [state for state, _ in replayed(logged(race, answers))]
        assert again == states[: answers + 1]


@pytest.mark.rule("GI-M-01")
@pytest.mark.parametrize("seed", range(6))
def test_a_race_that_is_put_away_after_every_answer_ends_the_same(seed: int) -> None:
    race = a_race(f"put away {seed}")
    state = GIRO.setup(race.options, race.entrants)

    for action in race.recorded():
        state = GIRO.read_state(json.loads(as_text(GIRO.write_state(state))))
        state = GIRO.apply(state, GIRO.read_action(json.loads(as_text(action)))).state

    assert state == race.last
    assert GIRO.outcome(state) == GIRO.outcome(race.last)


@pytest.mark.rule("GI-F-04")
@pytest.mark.parametrize("seed", range(3))
def test_after_its_end_a_race_takes_no_answer(seed: int) -> None:
    race = a_race(f"over {seed}")

    for action in {action.kind: action for action in race.actions}.values():
        with pytest.raises(RulesError, match="GI-F-04"):
            GIRO.apply(race.last, action)
