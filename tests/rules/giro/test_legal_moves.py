"""The engine's moves against a second reading of the rules, on every kind of short road."""

import random
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rules.errors import IllegalAction
from rules.giro.actions import BreakAway
from rules.giro.game import GIRO
from tests.rules.giro.agreement import brute_of, same_answers, same_verdicts
from tests.rules.giro.counts import COUNTED, POSITIONS, count, of_brute_force, of_the_engine
from tests.rules.giro.positions import BySeed, Json, position, positions

MOVEMENT = (
    "GI-B1-01", "GI-B1-02", "GI-B1-03", "GI-B1-04", "GI-B1-05", "GI-B1-06", "GI-B1-07", "GI-B1-08", "GI-B1-09",
    "GI-B1-10", "GI-B1-11", "GI-B1-13", "GI-B2-02", "GI-B2-03", "GI-B2-04", "GI-B2-05", "GI-C2-01", "GI-C2-03",
    "GI-C2-04", "GI-C2-05", "GI-C2-07", "GI-C2-09", "GI-C3-06", "GI-C4-01", "GI-D3-03", "GI-D3-04", "GI-D3-05",
    "GI-D3-07", "GI-D3-09", "GI-D3-10", "GI-D3-14", "GI-D3-16", "GI-F-01", "GI-F-03", "GI-M-02", "GI-M-03", "GI-S-01",
    "GI-S-02", "GI-S-03", "GI-S-04",
)  # fmt: skip

PROPERTY = settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
"""The same positions in every run: a failure is then a failure for everybody. The long run is `fuzz`."""


@pytest.mark.rule(*MOVEMENT)
@PROPERTY
@given(positions(), st.integers(0, 2**32))
def test_the_legal_moves_are_those_of_brute_force_and_every_other_way_is_refused(told: Json, seed: int) -> None:
    state = GIRO.read_state(told)
    (decision,) = GIRO.decisions(state)

    same_answers(state, decision)
    same_verdicts(state, decision, random.Random(seed))


@pytest.mark.rule(*MOVEMENT)
@pytest.mark.parametrize("seed", range(8))
def test_brute_force_agrees_on_forty_positions_out_of_a_hat(seed: int) -> None:
    rng = random.Random(f"hat {seed}")
    for _ in range(40):
        told = position(BySeed(rng))
        state = GIRO.read_state(told)
        (decision,) = GIRO.decisions(state)

        same_answers(state, decision)
        same_verdicts(state, decision, rng, most=10)


@pytest.mark.rule("GI-B1-03", "GI-B2-05")
def test_missing_squares_of_a_breakaway_over_the_line_have_to_be_payable_too() -> None:
    told = {
        "course": "strip L2 | P1-20",
        "peloton": 20,
        "phase": "T2",
        "max_paid": 2,
        "riders": [{"id": "A", "type": "climber", "at": "inside", "energy": 20}],
    }
    state = GIRO.read_state(told)
    (decision,) = GIRO.decisions(state)

    assert not any(isinstance(action, BreakAway) for action in GIRO.legal(state, decision))
    with pytest.raises(IllegalAction, match="GI-B1-03"):  # 1 free, 3 to be paid
        GIRO.apply(state, BreakAway(rider="A", start=1, path=(1,)))


# ---- counts ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", COUNTED)
def test_so_many_lines_of_play_begin_in_a_named_position(name: str) -> None:
    first = GIRO.read_state(POSITIONS[name])

    assert tuple(count(first, depth, of_the_engine) for depth in (1, 2, 3)) == COUNTED[name]


@pytest.mark.parametrize("name", COUNTED)
def test_brute_force_counts_as_many(name: str) -> None:
    first = GIRO.read_state(POSITIONS[name])

    assert tuple(count(first, depth, of_brute_force) for depth in (1, 2)) == COUNTED[name][:2]


# ---- the second reading itself ---------------------------------------------------------------------------------------
def test_on_an_empty_plain_a_rouleur_rides_one_to_nine_squares_into_every_lane() -> None:
    told = {
        "course": "strip L2 | P1-30",
        "peloton": 3,
        "riders": [{"id": "A", "type": "rouleur", "at": "8.0", "energy": 20}],
    }

    lines = brute_of(GIRO.read_state(told)).lines("A")

    assert len(lines) == sum(2**steps for steps in range(1, 10))
    assert {line.to for line in lines.values()} == {f"{8 + steps}.{lane}" for steps in range(1, 10) for lane in (0, 1)}
    by_length = {line.steps: (line.cost, line.recovers) for line in lines.values()}
    assert by_length == {
        1: (0, 2), 2: (0, 1), 3: (0, 0), 4: (1, 0), 5: (3, 0), 6: (5, 0), 7: (8, 0), 8: (11, 0), 9: (15, 0),
    }  # fmt: skip
    assert all(abs(here - there) <= 1 for line in lines.values() for here, there in pairwise((0, *line.path)))
