"""The tables of the bots of Giro: small roads where the answer can be counted on fingers, and what must hold on any."""

from itertools import pairwise

import pytest

from races.bots.giro.features import plan_of
from races.bots.giro.plan import FROM_THE_PELOTON, FRONT_EDGE, WITH_THE_PELOTON, Plan
from rules.giro.game import GIRO


def plan(course: str, speciality: str, *, risks: bool = False, **options) -> Plan:
    state = GIRO.read_state(
        {"course": course, "options": options, "riders": [{"id": "A", "type": speciality, "at": "inside"}]}
    )
    return plan_of(state, state.riders[0], risks=risks)


def turns(time: float) -> int:
    """The whole turns before the one in which he arrives."""
    return int(time + 1e-9 + 1e-3)  # left-over energy makes a time a hair smaller


FLAT = "strip L2 | P1-20"


@pytest.mark.parametrize(
    ("speciality", "left", "energy", "before", "last"),
    [
        ("rouleur", 3, 0, 0, 3),  # three free squares over the line
        ("rouleur", 4, 0, 1, 1),
        ("rouleur", 4, 1, 0, 4),  # the fourth for 1
        ("rouleur", 9, 15, 0, 9),  # 3 free, 6 paid
        ("rouleur", 9, 14, 1, 1),  # one short, so 1 is left for the second turn: 5 paid and 3 free
        ("climber", 3, 0, 2, 1),
        ("climber", 4, 5, 0, 4),  # 1 free, 3 paid
    ],
)
def test_alone_on_the_flat_the_turns_can_be_counted(speciality, left, energy, before, last):
    table = plan(FLAT, speciality)

    time = table.on_his_own(20 + 1 - left, energy)

    assert time == pytest.approx(before + last * FRONT_EDGE, abs=0.01)


def test_inside_the_peloton_a_rider_without_energy_is_carried_home():
    table = plan(FLAT, "climber")

    # from column 18 every roll is over the line; from 17 a 3 is not, unless it pursues; a 5 costs 1 energy
    assert table.waiting(18, 3, chase=False) == pytest.approx(WITH_THE_PELOTON, abs=0.01)
    assert table.waiting(17, 3, chase=False) > WITH_THE_PELOTON
    assert table.waiting(17, 3, chase=True) == pytest.approx(WITH_THE_PELOTON, abs=0.01)
    assert table.waiting(18, 0, chase=False) > WITH_THE_PELOTON + 0.1


def test_leaving_the_peloton_over_the_line_costs_four_squares():
    rouleur = plan(FLAT, "rouleur")

    assert rouleur.in_the_peloton(20, 1) == pytest.approx(FROM_THE_PELOTON, abs=0.01)  # 3 free and 1 paid for one step
    assert rouleur.in_the_peloton(20, 0) > FROM_THE_PELOTON + 0.01


@pytest.mark.parametrize("course", ["pianura", "vetta"])
@pytest.mark.parametrize("risks", [False, True])
def test_more_energy_is_never_slower_and_neither_is_a_place_further_on(course, risks):
    table = plan(course, "leader", risks=risks)

    for rows in (table.alone, table.inside):
        for row in rows:
            assert all(more <= less + 1e-9 for less, more in pairwise(row))
    for behind, before in pairwise(table.alone):
        assert all(b <= a + 1.0 for a, b in zip(behind, before, strict=True))


def test_who_may_risk_a_crack_is_never_slower_for_it():
    safe, bold = plan("vetta", "climber"), plan("vetta", "climber", risks=True)

    better = 0
    for a, b in zip(safe.alone, bold.alone, strict=True):
        assert all(y <= x + 1e-9 for x, y in zip(a, b, strict=True))
        better += sum(y < x - 0.05 for x, y in zip(a, b, strict=True))

    assert better > 100


def test_a_crack_over_the_line_costs_energy_only_so_the_plan_takes_it_if_it_can_be_paid():
    wall = "strip L2 | P1-4 R5-5 M6-20/1"
    safe, bold = plan(wall, "climber"), plan(wall, "climber", risks=True)

    # 6 squares to go: 3 free and 3 paid, 5 energy, two more than category 1 allows; 15 if he cracks
    assert turns(safe.on_his_own(15, 15)) == 1
    assert bold.on_his_own(15, 15) == pytest.approx(6 * FRONT_EDGE, abs=0.01)
    assert turns(bold.on_his_own(15, 14)) == 1


def test_a_mountain_of_the_first_category_holds_back_who_takes_no_risk():
    wall, hill = plan("strip L2 | P1-4 R5-5 M6-20/1", "climber"), plan("strip L2 | P1-4 R5-5 M6-20/3", "climber")

    assert hill.on_his_own(10, 10) < wall.on_his_own(10, 10) - 0.5


def test_a_time_trial_counts_the_crack_tile_that_three_hard_squares_draw():
    table = plan("strip L2 itt | P1-20", "leader")

    # 6 squares to go: 3 free and 3 paid, 5 energy and a tile of at most 5
    assert table.on_his_own(15, 10) == pytest.approx(6 * FRONT_EDGE, abs=0.01)
    assert turns(table.on_his_own(15, 9)) == 1


def test_a_bottle_on_the_way_counts():
    dry, wet = plan(FLAT, "rouleur"), plan(FLAT + " | feed 10", "rouleur")

    assert wet.on_his_own(2, 3) < dry.on_his_own(2, 3)
    assert wet.on_his_own(12, 3) == dry.on_his_own(12, 3)


def test_energy_to_carry_over_counts_in_a_giro_only():
    alone, giro = plan(FLAT, "rouleur"), plan(FLAT, "rouleur", giro=True)

    assert alone.on_his_own(18, 15) - alone.on_his_own(18, 5) == pytest.approx(0, abs=0.01)
    assert giro.on_his_own(18, 5) - giro.on_his_own(18, 15) > 0.2
    assert giro.on_his_own(18, 25) - giro.on_his_own(18, 20) == pytest.approx(0, abs=0.01)  # 15 at most
