"""A stage of a Giro whose dice follow from a promised seed, checked from its log alone."""

import copy
import random

import pytest

from races.fairness import Fault, Verdict, answer, commitment, due, verify
from rules.game import Taker
from rules.giro.game import GIRO

SEED = bytes(range(32))
RACE = "colli-2026-12-03"
OPTIONS = {"course": "colli", "giro": True}


def ridden(course: str, cards: str = "matched") -> dict:
    """The log of a stage in which three seats answer at random and chance by the seed."""
    options = OPTIONS | {"course": course, "cards": cards}
    entrants = [{"seat": seat, "draft": 2} for seat in ("Anna", "Bruno", "Carla")]
    log = {
        "game": "giro", "version": 1, "race": RACE, "commitment": commitment(SEED), "seed": SEED.hex(),
        "options": options, "entrants": entrants, "entries": [],
    }  # fmt: skip
    rng = random.Random(4)
    state = GIRO.setup(options, entrants)
    while decisions := GIRO.decisions(state):
        n = len(log["entries"]) + 1
        decision = due(decisions) or rng.choice(decisions)
        if decision.taker is Taker.CHANCE:
            action = answer(GIRO, state, decision, seed=SEED, race=RACE, entry=n)
        else:
            action = rng.choice(list(GIRO.legal(state, decision)))
        entry = {"n": n, "taker": decision.taker.value, "action": GIRO.write_action(action)}
        if decision.taker is Taker.SEAT:
            entry["seat"] = decision.seat
        log["entries"].append(entry)
        state = GIRO.apply(state, action).state
    return log


@pytest.mark.rule("GI-M-01")
@pytest.mark.parametrize(
    ("course", "cards"), [("colli", "matched"), ("vetta", "blind"), ("crono", "matched"), ("laguna", "blind")]
)
def test_a_stage_that_was_ridden_by_its_seed_is_found_fair(course, cards):
    found = verify(ridden(course, cards))

    assert found.findings == ()
    assert found.verdict is Verdict.FAIR
    assert found.rolls
    assert all(roll.ok for roll in found.rolls)
    assert found.outcome["course"] == course


@pytest.mark.rule("GI-M-01")
def test_a_peloton_roll_that_was_changed_is_found_at_its_entry():
    log = ridden("colli")
    number, entry = next((i, e) for i, e in enumerate(log["entries"]) if e["action"]["kind"] == "peloton_die")
    forged = copy.deepcopy(log)
    forged["entries"][number]["action"]["value"] = 3 if entry["action"]["value"] == 5 else 5
    forged["entries"][number]["action"].pop("red", None)

    found = verify(forged)

    assert found.verdict is Verdict.FAULTY
    assert (number + 1) in {finding.n for finding in found.findings}
    assert next(roll for roll in found.rolls if roll.n == number + 1).ok is False


def test_the_seed_of_another_race_does_not_fit():
    log = ridden("colli")
    log["seed"] = (b"\xff" * 32).hex()

    found = verify(log)

    assert found.verdict is Verdict.FAULTY
    assert Fault.SEED in {finding.fault for finding in found.findings}
