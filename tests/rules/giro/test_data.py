"""The box: what a page prints beside a stage."""

import pytest

from rules.giro import data
from rules.giro.data import Kind, Speciality, Terrain


@pytest.mark.rule("GI-B1-01")
@pytest.mark.parametrize(
    ("speciality", "plain", "mountain", "downhill", "rise"),
    [("rouleur", 3, 1, 4, 2), ("leader", 2, 2, 4, 2), ("climber", 1, 3, 4, 2)],
)
def test_free_squares_of_a_road_stage_are_those_of_the_reference_sheet(speciality, plain, mountain, downhill, rise):
    row = data.FREE_SQUARES[Speciality(speciality)]

    assert [row[t] for t in (Terrain.PLAIN, Terrain.MOUNTAIN, Terrain.DOWNHILL, Terrain.RISE)] == [
        plain,
        mountain,
        downhill,
        rise,
    ]


@pytest.mark.rule("GI-D3-03")
def test_in_a_time_trial_the_leader_is_as_fast_as_anyone_everywhere():
    for terrain in Terrain:
        fastest = max(row[terrain] for row in data.FREE_SQUARES_TIME_TRIAL.values())
        assert data.FREE_SQUARES_TIME_TRIAL[Speciality.LEADER][terrain] == fastest
    assert data.FREE_SQUARES_TIME_TRIAL[Speciality.ROULEUR][Terrain.MOUNTAIN] == 2
    assert data.FREE_SQUARES_TIME_TRIAL[Speciality.CLIMBER][Terrain.PLAIN] == 2


@pytest.mark.rule("GI-B1-03", "GI-B1-04")
def test_each_paid_square_costs_at_least_as_much_as_the_one_before():
    steps = [b - a for a, b in zip(data.PAID_SQUARES, data.PAID_SQUARES[1:], strict=False)]

    assert data.PAID_SQUARES == (0, 1, 3, 5, 8, 11, 15)
    assert steps == sorted(steps)
    assert data.MAX_PAID == 6


def test_the_longest_move_is_four_free_squares_three_helps_and_six_paid_ones():
    most_free = max(squares for row in data.FREE_SQUARES.values() for squares in row.values())

    assert most_free + 3 + data.MAX_PAID == data.LONGEST_MOVE


def test_a_bottle_is_worth_three_and_a_third_on_average():
    assert sum(data.FEED_TILES.values()) == 12
    assert sum(value * count for value, count in data.FEED_TILES.items()) == 40


@pytest.mark.rule("GI-D4-01")
def test_a_rider_carries_fifteen_out_of_a_road_stage_and_five_out_of_a_time_trial():
    assert data.CARRY_CAP == {Kind.ROAD: 15, Kind.ITT: 5, Kind.TTT: 5}


def test_the_length_of_the_track_that_we_propose_is_one_that_we_allow():
    assert data.GC_LOOP in data.GC_LOOP_ALLOWED
    assert (data.GC_LOOP_ALLOWED[0], data.GC_LOOP_ALLOWED[-1]) == (12, 30)


def test_nobody_can_change_the_tables():
    with pytest.raises(TypeError):
        data.FREE_SQUARES[Speciality.LEADER] = {}  # type: ignore[index]
    with pytest.raises(TypeError):
        data.CARRY_CAP[Kind.ROAD] = 99  # type: ignore[index]
