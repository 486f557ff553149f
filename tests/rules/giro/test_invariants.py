"""What must hold in every race, whoever rides it and whatever falls: shown by races that nobody thinks about.

`invariants` says what; `python -m tests.rules.giro.fuzz --races 100000` goes on for as long as one likes.
"""

import json
import random

import pytest

from rules.errors import IllegalAction, RulesError
from rules.giro.actions import DealtCard, DrawnTile, Move, Pick
from rules.giro.data import Speciality
from rules.giro.game import GIRO
from tests.rules.giro.invariants import Invariants
from tests.rules.giro.play import any_race, ride
from tests.rules.giro.sheet_of import refused

HOLDS = ("GI-M-01", "GI-M-02", "GI-M-03", "GI-M-06", "GI-B1-05", "GI-C4-05", "GI-F-02", "GI-F-04", "GI-M-10")


@pytest.mark.rule(*HOLDS)
@pytest.mark.parametrize("seed", range(8))
def test_whoever_rides_nobody_moves_back_energy_adds_up_and_legal_is_what_is_accepted(seed: int) -> None:
    rng = random.Random(f"invariants {seed}")
    for _ in range(3):
        options, entrants = any_race(rng)
        ride(rng, options, entrants, unseen=rng.random() < 0.3, watch=Invariants(rng, often=0.5))


@pytest.mark.parametrize("seed", range(4))
def test_the_result_of_a_race_is_a_sheet_on_paper_that_no_check_refuses(seed: int) -> None:
    rng = random.Random(f"sheets {seed}")
    for _ in range(5):
        race = ride(rng, *any_race(rng))

        assert refused(race.last) == []


def test_a_result_that_cannot_be_is_refused_on_paper_too() -> None:
    race = ride(random.Random("sheet"), {"course": "pianura", "giro": True}, [{"seat": "Anna", "draft": 3}])
    assert refused(race.last) == []

    in_turn_1 = tuple(rider._replace(turn=1) for rider in race.last.riders)

    assert any(fault.startswith("E2 ") for fault in refused(race.last._replace(riders=in_turn_1)))


# ---- what such races have found --------------------------------------------------------------------------------------
@pytest.mark.rule("GI-B4-09")
def test_a_position_with_a_rider_inside_a_peloton_that_has_left_is_refused() -> None:
    position = {
        "course": "strip L2 | P1-9",
        "turn": 4,
        "phase": "T5",
        "peloton": {"column": 10, "gone": True, "finished": 3},
        "riders": [{"id": "A", "at": "8.0"}, {"id": "B", "at": "inside"}],
    }

    with pytest.raises(RulesError, match="B is nowhere"):  # he would race for ever
        GIRO.read_state(position)


def test_the_draft_order_survives_a_database_that_sorts_the_keys_of_objects() -> None:
    position = {"course": "strip L2 | P1-9", "riders": {"Z": {"at": "inside"}, "A": {"at": "inside"}}}
    state = GIRO.read_state(position)

    stored = json.loads(json.dumps(GIRO.write_state(state), sort_keys=True))

    assert list(stored["riders"]) == ["A", "Z"]
    assert GIRO.read_state(stored) == state
    with pytest.raises(RulesError, match="draft"):
        GIRO.read_state(stored | {"draft": ["A"]})


def test_a_pick_is_legal_in_whichever_order_it_names_its_riders() -> None:
    state = GIRO.setup({"course": "pianura", "first_seat": "Anna"}, [{"seat": "Anna", "draft": 2}])
    (decision,) = GIRO.decisions(state)

    for riders in ((Speciality.ROULEUR, Speciality.CLIMBER), (Speciality.CLIMBER, Speciality.ROULEUR)):
        pick = Pick(jersey="white", riders=riders)
        assert pick in GIRO.legal(state, decision)
        assert GIRO.apply(state, pick).state.riders[0].id == "white-rouleur"


@pytest.mark.rule("GI-M-10")
def test_what_stays_unseen_at_a_table_is_legal_though_it_is_not_listed() -> None:
    blind = GIRO.setup(
        {"course": "pianura", "cards": "blind"}, [{"seat": "Anna", "riders": [{"id": "A", "type": "rouleur", "strength": None}]}]
    )  # fmt: skip
    matched = GIRO.setup(
        {"course": "pianura"}, [{"seat": "Anna", "riders": [{"id": "A", "type": "rouleur", "strength": None}]}]
    )
    unseen = DealtCard(rider="A", card=None)

    assert unseen in GIRO.legal(blind, GIRO.decisions(blind)[0])
    assert unseen not in list(GIRO.legal(blind, GIRO.decisions(blind)[0]))
    assert unseen not in GIRO.legal(matched, GIRO.decisions(matched)[0])
    with pytest.raises(IllegalAction, match="GI-M-01"):
        GIRO.apply(matched, unseen)
    assert DrawnTile(rider="A", value=0) not in GIRO.legal(blind, GIRO.decisions(blind)[0])


@pytest.mark.rule("GI-D3-05")
def test_where_several_runs_are_open_a_move_says_whose_it_is() -> None:
    trial = {"course": "strip L2 itt | P1-12", "riders": {"A": {"at": "3.0"}, "B": {"at": "3.0"}}}
    alone = {"course": "strip L2 itt | P1-12", "riders": {"A": {"at": "3.0"}}}
    nobody = Move(path=(0,))

    several, one = GIRO.read_state(trial), GIRO.read_state(alone)

    assert all(nobody not in GIRO.legal(several, decision) for decision in GIRO.decisions(several))
    with pytest.raises(IllegalAction, match="GI-M-07"):
        GIRO.apply(several, nobody)
    assert nobody in GIRO.legal(one, GIRO.decisions(one)[0])
    assert GIRO.apply(one, nobody).events
