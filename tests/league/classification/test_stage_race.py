"""Times of a stage that is ridden in turns."""

from hypothesis import given, settings
from hypothesis import strategies as st

from league.classification.stage_race import Clock, Crossing, crossings_of, stage_times
from rules.breaking_away.actions import Move
from rules.breaking_away.game import BREAKING_AWAY as GAME
from tests.rules.breaking_away.races import ride

OWN = {"id": "own", "circuit": 40, "lines": [{"id": "F", "kind": "finish", "at": 100, "points": [20, 16]}]}


def test_the_worked_example_a_turn_later_is_30_seconds_and_who_stands_on_88_is_90_seconds_behind():
    """The winner crossed in turn 12, A crosses in turn 13 in which the race stops, B then stands on 88."""
    state = GAME.read_state(
        {
            "end_mode": "complete_turn", "course": OWN, "turn": 13, "leader": "W1",
            "cyclists": {
                "W1": {"at": 110, "moved": True, "finished": 12}, "A1": {"at": 99, "hand": [3, 4]},
                "B1": {"at": 80, "hand": [8, 5]},
            },
            "lines": {"F": ["W1"]},
        }
    )  # fmt: skip
    for cyclist, factor in (("A1", 3), ("B1", 8)):
        state = GAME.apply(state, Move(cyclist=cyclist, factor=factor)).state

    stage = stage_times(*crossings_of(GAME.outcome(state)))

    assert [(row.rider, row.place, row.gap, row.bonus, row.time) for row in stage.riders] == [
        ("W1", 1, 0, 10, -10), ("A1", 2, 30, 6, 24), ("B1", 3, 90, 0, 90),
    ]  # fmt: skip
    assert [(row.rider, row.points, row.points_rank) for row in stage.riders] == [
        ("W1", 20, 1),
        ("A1", 16, 2),
        ("B1", 0, 3),
    ]
    assert [(team.team, team.time) for team in stage.teams] == [("A", None), ("B", None), ("W", None)]


def field(**changed):
    """Three teams of four who came in one after the other, two in each turn from the twelfth on."""
    names = [f"{team}{number}" for number in "1234" for team in "RWB"]
    return [
        Crossing(rider=name, team=name[0], place=place, turn=12 + (place - 1) // 2, points=changed.get(name, 0))
        for place, name in enumerate(names, start=1)
    ]


def test_who_crosses_in_the_same_turn_has_the_same_time():
    stage = stage_times(field(), [["R1", "W1"]])

    assert [row.gap for row in stage.riders] == [0, 0, 30, 30, 60, 60, 90, 90, 120, 120, 150, 150]


def test_the_first_three_of_each_line_save_seconds():
    stage = stage_times(field(), [["B1", "R1", "W1", "R2"], ["R1", "B1"], ["R1", "W1", "B1", "R2"]])

    saved = {row.rider: row.bonus for row in stage.riders if row.bonus}
    assert saved == {"R1": 2 + 3 + 10, "W1": 1 + 6, "B1": 3 + 2 + 4}
    assert {row.rider: row.time for row in stage.riders}["B1"] == 30 - 9


def test_a_team_has_the_gaps_of_its_three_best_without_bonus_seconds():
    stage = stage_times(field(), [["R1", "W1", "B1"]])

    assert [(team.team, team.rank, team.time, team.counted) for team in stage.teams] == [
        ("R", 1, 0 + 30 + 90, ("R1", "R2", "R3")),
        ("W", 2, 0 + 60 + 90, ("W1", "W2", "W3")),
        ("B", 3, 30 + 60 + 120, ("B1", "B2", "B3")),
    ]


def test_a_team_with_fewer_than_three_left_has_no_time_and_who_retired_has_none_either():
    retired = ("W1", "W3")
    told = [
        Crossing(rider=one.rider, team=one.team, place=None, turn=None, points=5) if one.rider in retired else one
        for one in field()
    ]

    stage = stage_times(told, [["W1", "R1"], ["R1"]])

    assert [(team.team, team.rank, team.time) for team in stage.teams][-1] == ("W", None, None)
    gone = [row for row in stage.riders if row.rider in retired]
    assert stage.riders[-2:] == tuple(gone)
    assert [(row.place, row.gap, row.bonus, row.time, row.points) for row in gone] == [(None, None, None, None, 5)] * 2


def test_level_teams_share_their_rank():
    level = [
        Crossing(rider=f"{team}{number}", team=team, place=place * 3 + number, turn=12)
        for place, team in enumerate("RWB")
        for number in (1, 2, 3)
    ]

    assert [(team.team, team.rank, team.time) for team in stage_times(level, [[]]).teams] == [
        ("B", 1, 0), ("R", 1, 0), ("W", 1, 0),
    ]  # fmt: skip


def test_the_points_jersey_goes_by_points_and_then_by_the_finish():
    stage = stage_times(field(B1=20, W4=20, R1=19), [["R1"]])

    assert [row.rider for row in sorted(stage.riders, key=lambda row: row.points_rank)][:3] == ["B1", "W4", "R1"]


def test_the_clock_is_data():
    stage = stage_times(field(), [["R1"], ["W1"]], Clock(turn=10, finish=(1,), sprint=(2,), team=1))

    assert [(row.gap, row.bonus) for row in stage.riders][:3] == [(0, 2), (0, 1), (10, 0)]
    assert [team.time for team in stage.teams] == [0, 0, 10]


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000), st.randoms())
def test_times_of_any_race_follow_its_order(seed, rng):
    end = list(ride("rival lead, whole turns, exact", seed, beside=0.02))[-1].step.state
    riders, lines = crossings_of(GAME.outcome(end))

    stage = stage_times(riders, lines)

    placed = [row for row in stage.riders if row.place is not None]
    assert [row.place for row in placed] == list(range(1, len(placed) + 1))
    assert all(a.gap <= b.gap for a, b in zip(placed, placed[1:], strict=False))
    assert all(row.gap % 30 == 0 for row in placed)
    assert not placed or min(row.gap for row in placed) == 0
    assert stage_times(rng.sample(riders, len(riders)), lines) == stage
