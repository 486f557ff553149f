"""What the bots of Giro do where every club rider knows what is right."""

import random

import pytest

from races import bots
from races.bots.giro import club, time_trial
from races.bots.giro.features import number
from rules.giro.actions import BreakAway, End, Pick, Reveal, UseJoker
from rules.giro.data import Speciality
from rules.giro.game import GIRO

THINKING = ("club", "expert")


def position(**told):
    return GIRO.read_state(told)


def asked(level, state, time_is_up=bots.all_the_time):
    """What the bot answers, together with what it would lead to."""
    decision = GIRO.decisions(state)[0]
    action = bots.answer(GIRO, level, state, decision, random.Random(1), time_is_up)
    return next(legal for legal in GIRO.legal(state, decision) if legal == action)


def after(state, **chance):
    """The state after chance has answered."""
    return GIRO.apply(state, GIRO.read_action(chance)).state


@pytest.mark.parametrize("level", ["easy", *THINKING])
def test_who_can_reach_the_line_does_and_keeps_what_energy_he_can(level):
    state = position(
        course="strip L2 | P1-20", peloton=10,
        riders={"A": {"type": "rouleur", "at": "16.0", "energy": 20}, "B": {"type": "climber", "at": "12.0", "energy": 9}},
    )  # fmt: skip

    move = asked(level, state)

    assert move.effect.finishes
    assert move.effect.cost == 3


@pytest.mark.parametrize("level", ["easy", *THINKING])
def test_who_is_short_of_the_pelotons_price_turns_up_the_lowest_tile_that_will_do(level):
    state = position(
        course="strip L2 | P1-40", peloton=10, phase="T4",
        riders={"A": {"type": "climber", "at": "inside", "energy": 0, "tiles": [2, 5]}},
    )  # fmt: skip

    action = asked(level, after(state, kind="peloton_die", value=5))

    assert action == Reveal(rider="A", tile=2)


@pytest.mark.parametrize("level", ["easy", *THINKING])
def test_alfredo_is_played_against_a_puncture(level):
    state = position(
        course="strip L2 | P1-40", peloton=10, phase="T5b", red=True,
        riders={"A": {"type": "rouleur", "at": "14.0", "card": "alfredo"}, "B": {"type": "leader", "at": "inside"}},
    )  # fmt: skip

    action = asked(level, after(state, kind="event_die", rider="A", value=1))

    assert action == UseJoker(rider="A", yes=True)


def test_of_two_squares_the_one_in_a_slipstream_is_worth_more():
    state = position(
        course="strip L2 | P1-40", peloton=20, phase="T2", turn=5,
        riders={
            "A": {"type": "leader", "at": "27.1", "energy": 4},
            "B": {"type": "rouleur", "at": "inside", "energy": 25},
        },
    )  # fmt: skip
    legal = GIRO.legal(state, GIRO.decisions(state)[0])

    times = {
        state.course.names[action.effect.to]: time
        for time, action in club.rate(state, state.riders[number(state, "B")], legal)
    }

    assert times["26.1"] < times["26.0"] - 0.05


@pytest.mark.parametrize("level", THINKING)
@pytest.mark.parametrize(("giro", "answer"), [(True, BreakAway), (False, End)])
def test_a_bonus_line_is_worth_an_attack_in_a_giro_only(level, giro, answer):
    state = position(
        course="strip L2 | P1-60 | bonus 9", peloton=5, phase="T2", options={"giro": giro},
        riders={
            "A": {"type": "leader", "at": "inside", "energy": 20},
            "B": {"type": "leader", "at": "inside", "energy": 20},
        },
    )  # fmt: skip

    action = asked(level, state)

    assert isinstance(action, answer)
    assert answer is End or state.course.column[action.effect.to] > 9


WALL = "strip L2 | P1-4 R5-5 M6-20/1"


@pytest.mark.parametrize(("level", "risk", "finishes"), [("club", None, False), ("expert", "crack", True)])
def test_only_the_expert_risks_a_crack_and_over_the_line_it_costs_him_nothing(level, risk, finishes):
    state = position(
        course=WALL, peloton=5,
        riders={
            "A": {"type": "climber", "at": "15.0", "energy": 16},
            "B": {"type": "climber", "at": "14.0", "energy": 16},
        },
    )  # fmt: skip

    move = asked(level, state)

    assert (move.effect.risk, move.effect.finishes) == (risk, finishes)


@pytest.mark.parametrize(
    ("level", "own", "rival", "yes"),
    [
        ("club", "inside", "24.0", True),
        ("club", "24.0", "inside", False),
        ("club", "inside", "inside", False),
        ("expert", "inside", "24.0", True),
        ("expert", "24.0", "inside", False),
    ],
)
def test_who_has_nobody_ahead_chases_a_rival_who_is(level, own, rival, yes):
    state = position(
        course="strip L2 | P1-40", peloton=20, phase="T3", token="A",
        riders={
            "A": {"type": "leader", "at": own, "energy": 15},
            "B": {"type": "rouleur", "at": rival, "energy": 15},
            "C": {"type": "rouleur", "at": "inside", "energy": 15},
        },
    )  # fmt: skip

    assert asked(level, state).yes is yes


@pytest.mark.parametrize("level", THINKING)
@pytest.mark.parametrize(
    ("course", "speciality"), [("pianura", Speciality.ROULEUR), ("vetta", Speciality.CLIMBER), ("argine", Speciality.ROULEUR)]
)  # fmt: skip
def test_the_rider_who_suits_the_course_is_drafted(level, course, speciality):
    seats = [{"seat": str(i), "draft": 1} for i in range(6)]
    state = GIRO.setup({"course": course, "first_seat": "0"}, seats)

    action = asked(level, state)

    assert isinstance(action, Pick)
    assert action.riders == (speciality,)


@pytest.mark.parametrize("level", THINKING)
@pytest.mark.parametrize(
    ("course", "marked"),
    [("strip L2 | P1-40 | sprint 20", (None, "A")), ("strip L2 | P1-10 D11-30 P31-40", ("A", None))],
)
def test_a_lone_rider_is_marked_for_what_the_course_has(level, course, marked):
    riders = [{"id": "A", "type": "leader", "jersey": "white"}]
    state = GIRO.setup({"course": course}, [{"seat": "0", "riders": riders}])

    action = asked(level, state)

    assert (action.descender, action.sprinter) == marked


def test_a_crack_tile_costs_what_is_left_of_the_seven():
    def time(tiles):
        state = position(
            course="strip L2 itt | P1-20",
            riders={"A": {"type": "leader", "at": "3.0", "energy": 12, "crack_tiles": tiles}},
        )
        moves = GIRO.legal(state, GIRO.decisions(state)[0])
        draws = next(move for move in moves if move.effect.risk == "crack_tile" and move.effect.steps == 6)
        return time_trial.time_after(state, state.riders[0], draws.effect)

    assert time([2]) < time([2, 4]) < time([4])
    assert time([2, 4]) == pytest.approx((time([2]) + time([4])) / 2)


@pytest.mark.parametrize("looks", [0, 1, 7, 40])
def test_the_expert_stops_when_its_time_is_up(looks):
    state = position(
        course="pianura", peloton=20, turn=5, phase="T2",
        riders={name: {"type": "leader", "at": "inside", "energy": 25} for name in "ABCDEF"},
    )  # fmt: skip
    asked_after = []

    def time_is_up():
        asked_after.append(len(asked_after))
        return len(asked_after) > looks

    action = asked("expert", state, time_is_up)

    assert action in GIRO.legal(state, GIRO.decisions(state)[0])
    assert len(asked_after) == looks + 1  # it has not gone on thinking once it was told


def test_the_expert_who_is_stopped_at_once_answers_as_the_club_does():
    state = position(
        course="colli", peloton=30, turn=8,
        riders={name: {"type": "climber", "at": at, "energy": 22} for name, at in [("A", "38.0"), ("B", "35.1"), ("C", "inside")]},
    )  # fmt: skip

    assert asked("expert", state, bots.no_time) == asked("club", state)
