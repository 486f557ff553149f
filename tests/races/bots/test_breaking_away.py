"""The bots of Breaking Away: they see their view only, answer everything legally, and answer at once if they must."""

import ast
import random
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest

from races import bots
from races.bots import breaking_away
from rules.breaking_away.game import BREAKING_AWAY
from tests.races.bots.breaking_away import TABLES, positions, swapped
from tests.races.bots.positions import looks

LEVELS = sorted(bots.bots("breaking_away"))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_every_answer_is_legal_with_time_and_without(level, table):
    asked = set()

    for state, decision in positions(table, seed=8):
        for time_is_up in (looks(3), bots.no_time):
            action = bots.answer(BREAKING_AWAY, level, state, decision, random.Random(3), time_is_up)
            assert action in BREAKING_AWAY.legal(state, decision)
            BREAKING_AWAY.apply(state, action)
        asked.add(decision.kind)

    assert asked >= table.kinds


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("table", [TABLES[0], TABLES[1]], ids=lambda table: table.name)
def test_the_same_question_has_the_same_answer(level, table):
    for state, decision in list(positions(table, seed=5))[::9]:
        answers = [bots.answer(BREAKING_AWAY, level, state, decision, random.Random(9)) for _ in range(2)]
        assert answers[0] == answers[1]


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    ("table", "kinds"),
    [(TABLES[0], {"move"}), (TABLES[1], {"allocate", "orders"}), (TABLES[4], {"rate", "allocate", "move", "change"})],
    ids=lambda told: getattr(told, "name", ""),
)
def test_what_a_bot_cannot_see_never_changes_its_answer(level, table, kinds):
    swap, swaps, different = random.Random(2), 0, 0

    asked = (told for seed in range(9) for told in positions(table, seed) if told[1].kind in kinds)
    for state, decision in islice(asked, 50):
        told = bots.answer(BREAKING_AWAY, level, state, decision, random.Random(6), looks(9))
        truth = swapped(state, decision.seat, swap)
        assert BREAKING_AWAY.view(truth, decision.seat) == BREAKING_AWAY.view(state, decision.seat)
        assert bots.answer(BREAKING_AWAY, level, truth, decision, random.Random(6), looks(9)) == told
        swaps += 1
        different += truth != state

    assert swaps == 50
    assert different > 30


def test_more_time_is_used():
    asked, answers = 0, {}

    for state, decision in islice(positions(TABLES[0], seed=1), 5, 60):
        looked = iter(range(10**6))
        bots.answer(BREAKING_AWAY, "expert", state, decision, random.Random(1), lambda: next(looked) < 0)  # noqa: B023 - used at once
        asked = max(asked, next(looked))
        answers |= {
            looks_at: answers.get(looks_at, ())
            + (bots.answer(BREAKING_AWAY, "expert", state, decision, random.Random(1), looks(looks_at)),)
            for looks_at in (1, 99)
        }

    assert asked > 10
    assert answers[1] != answers[99]


def test_first_hands_differ_from_race_to_race_and_spend_every_point():
    state, decision = next(positions(TABLES[0], seed=1))
    for level in LEVELS:
        drawn = {bots.answer(BREAKING_AWAY, level, state, decision, random.Random(seed)) for seed in range(20)}

        assert len(drawn) > 5
        assert {tuple(sum(hand) for _, hand in action.hands) for action in drawn} == {(30, 25, 20, 16)}


def test_bots_and_simulations_need_no_site():
    folder = Path(breaking_away.__file__).parent
    imported = {
        name.split(".")[0]
        for path in folder.glob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        for name in (
            [one.name for one in node.names] if isinstance(node, ast.Import) else [getattr(node, "module", "")]
        )
        if isinstance(node, ast.Import | ast.ImportFrom)
    }
    script = (
        "import sys\nfrom races.bots.simulate import heats, ride\n"
        "ride(heats('breaking_away', ['easy'], 1, 1, ['kermesse-60'], {'teams': '3'})[0][0])\n"
        "print('django' in sys.modules)\n"
    )

    done = subprocess.run(
        [sys.executable, "-c", script], cwd=folder.parents[2], capture_output=True, text=True, check=True, timeout=120
    )

    assert imported & {"django", "league", "celery"} == set()
    assert done.stdout.strip() == "False"
