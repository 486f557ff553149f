"""Time trials: the clock, the additions, the runs of the teams."""

from dataclasses import replace

import pytest

from league.classification.giro import BonusWon, Entrant, Status, classify, time_addition

from .builders import (
    BLUE,
    GREEN,
    NO_TEAMS,
    WHITE,
    A,
    B,
    C,
    D,
    E,
    F,
    came,
    disqualified,
    gc,
    out,
    places,
    reinstated,
    result,
    ride,
    scores,
    start_list,
    team_trial,
    time_trial,
)


def additions(after):
    return {row.rider: row.addition for row in after.result}


@pytest.mark.rule("GI-D3-11")
@pytest.mark.parametrize(
    ("runs", "by_clock"),
    [(1, [0]), (2, [0, 3]), (3, [0, 1, 3]), (4, [0, 1, 2, 3]), (6, [0, 1, 2, 2, 2, 3])],
)
def test_the_first_on_the_clock_adds_nothing_the_second_one_the_last_three_all_others_two(runs, by_clock):
    assert [time_addition(clock, runs) for clock in range(1, runs + 1)] == by_clock


@pytest.mark.rule("GI-D3-11")
def test_fifth_of_six_with_20_turns_has_a_result_of_22():
    lines = [came(rider, 20, clock=clock) for clock, rider in enumerate((A, B, C, D, E, F), start=1)]
    (after,) = ride(time_trial(1, lines))

    assert result(after, E).result == 22


@pytest.mark.rule("GI-D3-13")
def test_everybody_but_the_best_moves_back_by_the_difference():
    lines = [came(A, 11, clock=1), came(B, 12, clock=2), came(C, 11, clock=3)]
    (after,) = ride(time_trial(1, lines), riders=(A, B, C))

    assert scores(after) == {A: 0, B: -2, C: -3}


@pytest.mark.rule("GI-D3-13", "GI-D1-06")
def test_equal_best_results_do_not_move_and_share_the_placing():
    lines = [came(A, 12, clock=1), came(B, 11, clock=2), came(C, 11, clock=3), came(D, 13, clock=4)]
    (after,) = ride(time_trial(1, lines), riders=(A, B, C, D))  # 12, 12, 13, 16

    assert scores(after) == {A: 0, B: 0, C: -1, D: -4}
    assert places(after) == {A: 1, B: 1, C: 3, D: 4}


@pytest.mark.rule("GI-D3-01")
def test_a_time_trial_has_no_stage_win_no_bonus_line_and_no_time_limit():
    sheet = time_trial(1, [came(A, 10, 1, clock=1), came(B, 24, clock=2)])
    like_a_road_stage = replace(sheet, peloton_turn=5, bonuses=(BonusWon(token=1, rider=B),))

    (after,) = ride(like_a_road_stage, riders=(A, B))

    assert scores(after) == {A: 0, B: -17}
    assert result(after, B).bonuses == 0


@pytest.mark.rule("GI-D3-12")
def test_without_a_clock_place_the_order_is_turns_then_energy_then_draft():
    lines = [came(A, 11, energy=2), came(B, 11, energy=2), came(C, 11, energy=6), came(D, 10, energy=0)]
    (after,) = ride(time_trial(1, lines), riders=(B, A, C, D))

    assert {row.rider: row.clock for row in after.result} == {D: 1, C: 2, B: 3, A: 4}
    assert additions(after) == {D: 0, C: 1, B: 2, A: 3}


@pytest.mark.rule("GI-D3-12")
def test_a_measured_clock_goes_before_turns():
    lines = [came(A, 15, clock=1), came(B, 11, clock=2)]
    (after,) = ride(time_trial(1, lines), riders=(A, B))

    assert additions(after) == {A: 0, B: 3}


@pytest.mark.rule("GI-D3-11")
def test_only_runs_that_finished_are_runs():
    lines = [came(A, 11, clock=1), came(B, 12, clock=2), out(C, Status.DNF), out(D, Status.DNS)]
    (after,) = ride(time_trial(1, lines), riders=(A, B, C, D))

    assert additions(after) == {A: 0, B: 3, C: None, D: None}


@pytest.mark.rule("GI-D3-11")
def test_a_rider_alone_against_the_clock_adds_nothing():
    (after,) = ride(time_trial(1, [came(A, 14)]), riders=(A,))

    assert (additions(after), scores(after)) == ({A: 0}, {A: 0})


@pytest.mark.rule("GI-D3-15")
def test_a_team_has_the_turns_of_its_last_rider_and_all_its_riders_move_alike():
    lines = [
        came(A, 11, clock=1),
        came(B, 13, clock=1),
        came(C, 12, clock=2),
        came(F, 12, clock=2),
        came(D, 12, clock=3),
        came(E, 14, clock=3),
    ]
    (after,) = ride(team_trial(1, lines))  # white 13 + 0, blue 12 + 1, green 14 + 3

    assert {row.rider: row.result for row in after.result} == {A: 13, B: 13, C: 13, F: 13, D: 17, E: 17}
    assert scores(after) == {A: 0, B: 0, C: 0, F: 0, D: -4, E: -4}
    assert {row.rider: row.run for row in after.result} == {A: WHITE, B: WHITE, C: BLUE, F: BLUE, D: GREEN, E: GREEN}
    assert result(after, A).turn == 11  # his own


@pytest.mark.rule("GI-D1-06", "GI-D3-15")
def test_the_riders_of_one_run_share_a_placing():
    lines = [
        came(A, 13, clock=2),
        came(B, 13, clock=2),
        came(C, 12, clock=1),
        came(F, 12, clock=1),
        came(D, 15, clock=3),
    ]
    (after,) = ride(team_trial(1, lines), riders=(A, B, C, D, F))

    assert places(after) == {C: 1, F: 1, A: 3, B: 3, D: 5}


@pytest.mark.rule("GI-D3-15")
def test_riders_without_a_team_are_runs_of_one():
    lines = [came(A, 12), came(B, 13), came(C, 12, energy=9, teams=NO_TEAMS), came(D, 14, teams=NO_TEAMS)]
    (after,) = ride(team_trial(1, lines), riders=(A, B, C, D))

    assert additions(after) == {C: 0, A: 1, B: 1, D: 3}
    assert (result(after, C).run, result(after, A).run) == (None, WHITE)


@pytest.mark.rule("GI-D3-15")
def test_a_run_is_that_of_the_team_of_the_day():
    teams = {A: WHITE, B: BLUE, C: BLUE}  # B has left white
    (after,) = ride(team_trial(1, [came(rider, 10 + rider, teams=teams) for rider in (A, B, C)]), riders=(A, B, C))

    assert {row.rider: row.result for row in after.result} == {A: 11, B: 16, C: 16}


@pytest.mark.rule("GI-D3-15")
def test_a_team_mate_who_did_not_finish_does_not_stop_the_run():
    lines = [came(A, 11), out(B, Status.DNF), came(C, 12), came(F, 13)]
    (after,) = ride(team_trial(1, lines), riders=(A, B, C, F))

    assert {row.rider: row.result for row in after.result} == {A: 11, C: 16, F: 16, B: None}


@pytest.mark.rule("GI-D3-17")
def test_without_a_clock_place_teams_go_by_turns_then_the_sum_of_energy():
    lines = [
        came(A, 12, energy=9),
        came(B, 12, energy=0),
        came(C, 11, energy=5),
        came(F, 12, energy=5),
        came(D, 11, energy=0),
        came(E, 11, energy=0),
    ]
    (after,) = ride(team_trial(1, lines))

    assert additions(after) == {D: 0, E: 0, C: 1, F: 1, A: 3, B: 3}


@pytest.mark.rule("GI-D3-17")
def test_then_by_the_first_rider_of_the_jersey_also_when_he_has_left():
    first = time_trial(1, [came(A, 12), came(B, 12), came(C, 12), out(D, Status.DNF), came(E, 12), came(F, 12)])
    second = team_trial(2, [came(rider, 12) for rider in (A, B, C, E, F)])

    after = classify(start_list(D, C, A, B, E, F), [first, second])[1]

    # energy is nothing everywhere: green was drafted first (D, now out), then blue (C), then white (A)
    assert additions(after) == {E: 0, C: 1, F: 1, A: 3, B: 3}


@pytest.mark.rule("GI-D3-17")
def test_a_jersey_that_was_not_drafted_is_behind_those_that_were():
    teams = {A: GREEN, B: WHITE}
    entrants = [Entrant(rider=A, draft=1, team=WHITE), Entrant(rider=B, draft=2, team=WHITE)]

    (after,) = classify(entrants, [team_trial(1, [came(A, 12, teams=teams), came(B, 12, teams=teams)])])

    assert additions(after) == {B: 0, A: 3}


def test_a_disqualified_run_stays_a_fact_for_the_others():
    lines = [came(A, 11, clock=1), came(B, 12, clock=2), came(C, 12, clock=3)]
    (before,) = ride(time_trial(1, lines), riders=(A, B, C))
    (after,) = ride(time_trial(1, lines, rulings=[disqualified(A)]), riders=(A, B, C))

    assert (places(after)[A], result(after, A).status, result(after, A).result) == (None, Status.DSQ, 11)
    assert {rider: scores(after)[rider] for rider in (B, C)} == {rider: scores(before)[rider] for rider in (B, C)}
    assert {rider: places(after)[rider] for rider in (B, C)} == {B: 2, C: 3}


def test_a_team_waits_for_the_result_of_its_last_rider():
    lines = [came(A, 11), came(C, 12), came(F, 13)]  # B of white is missing
    one = team_trial(1, [came(rider, 11) for rider in (A, B, C, F)])

    after = ride(one, team_trial(2, lines), riders=(A, B, C, F))[1]

    assert (result(after, A).status, result(after, A).place, result(after, A).result) == (Status.FINISHED, None, None)
    assert (after.missing, after.unresolved) == ((B,), 2)
    assert (gc(after, A).rank, gc(after, C).rank) == (None, 1)


def test_a_reinstated_run_without_a_clock_place_is_the_last_on_the_clock():
    lines = [came(A, 11, clock=1), out(B, Status.DNS), came(C, 12, clock=2)]
    (after,) = ride(time_trial(1, lines, rulings=[reinstated(B, turn=11)]), riders=(A, B, C))

    assert additions(after) == {A: 0, C: 1, B: 3}
