"""The bots of Giro: they see their view only, answer everything legally, and answer at once if they must."""

import random

import pytest

from races import bots
from rules.game import Taker
from rules.giro.game import GIRO
from tests.races.bots.positions import TABLES, looks, positions, swapped

LEVELS = sorted(bots.bots("giro"))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_every_answer_is_legal_with_time_and_without(level, table):
    asked = set()

    for state, decision in positions(table, seed=11):
        for time_is_up in (looks(20), bots.no_time):
            action = bots.answer(GIRO, level, state, decision, random.Random(3), time_is_up)
            assert action in GIRO.legal(state, decision)
        asked.add(decision.kind)

    assert asked >= table.kinds


@pytest.mark.parametrize("level", LEVELS)
def test_the_same_question_has_the_same_answer(level):
    for state, decision in list(positions(TABLES[0], seed=5))[::5]:
        answers = [bots.answer(GIRO, level, state, decision, random.Random(9), looks(60)) for _ in range(2)]
        assert answers[0] == answers[1]


@pytest.mark.parametrize("level", LEVELS)
def test_what_a_bot_cannot_see_never_changes_its_answer(level):
    blind = TABLES[2]
    swap, swaps, different = random.Random(2), 0, 0

    for state, decision in positions(blind, seed=4):
        others = [rider for rider in state.riders if state.seats[rider.entry.seat] != decision.seat and rider.racing]
        if decision.kind not in ("move", "attack", "pursue") or not any(rider.tiles for rider in others):
            continue
        told = bots.answer(GIRO, level, state, decision, random.Random(6), looks(60))
        truth = swapped(state, decision.seat, swap)
        assert GIRO.view(truth, decision.seat) == GIRO.view(state, decision.seat)
        assert bots.answer(GIRO, level, truth, decision, random.Random(6), looks(60)) == told
        swaps += 1
        different += truth != state
        if swaps == 50:
            break

    assert swaps == 50
    assert different > 40


def test_a_bot_is_given_its_view_and_nothing_else(monkeypatch):
    seen = []

    def spy(view, decision, legal, rng, time_is_up):
        seen.append((view, decision, legal))
        return legal[0]

    state, decision = next(
        (state, decision)
        for state, decision in positions(TABLES[2], seed=4)
        if any(rider.tiles for rider in state.riders if state.seats[rider.entry.seat] != decision.seat)
    )
    listed, legal_of = [], GIRO.legal
    monkeypatch.setattr(bots, "GAMES", {"giro": lambda: {"spy": spy}})
    monkeypatch.setattr(GIRO, "legal", lambda state, decision: listed.append(state) or legal_of(state, decision))

    bots.answer(GIRO, "spy", state, decision, random.Random(1))

    view, asked, legal = seen[0]
    assert view == GIRO.view(state, decision.seat)
    assert view.state != state
    assert asked == decision
    monkeypatch.undo()
    assert listed == [view.state]  # answers are listed from the view, and can carry nothing else along
    assert list(legal) == list(GIRO.legal(view.state, decision))


def test_a_bot_that_answers_what_nobody_may_is_found_out(monkeypatch):
    state = GIRO.setup(TABLES[0].options, TABLES[0].entrants)
    while GIRO.decisions(state)[0].taker is Taker.CHANCE:
        state = GIRO.apply(state, GIRO.default(state, GIRO.decisions(state)[0])).state
    monkeypatch.setattr(bots, "GAMES", {"giro": lambda: {"rogue": lambda *question: "I win"}})

    with pytest.raises(AssertionError, match="rogue"):
        bots.answer(GIRO, "rogue", state, GIRO.decisions(state)[0], random.Random(1))
