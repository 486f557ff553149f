"""The team classification of a Giro."""

import pytest

from league.classification.giro import Entrant, Options, Status, TeamCriterion, TeamState, classify

from .builders import came, out, road, start_list, team, team_trial, time_trial

ROSA, VERDE, GIALLA = 81, 82, 83
SIX = {11: ROSA, 12: ROSA, 13: ROSA, 21: VERDE, 22: VERDE, 23: VERDE}


def stage(number, turns, teams=SIX, **more):
    """A road stage: rider to turn (a status: out), crossing order as written."""
    lines = [
        out(rider, turn, teams=teams)
        if isinstance(turn, Status)
        else came(rider, turn, place, teams=teams, energy=place)
        for place, (rider, turn) in enumerate(turns.items(), start=1)
    ]
    return road(number, lines, **more)


def ride(*sheets, riders, options=None):
    return classify(start_list(*riders), sheets, options)


def standing(after):
    return {row.team: (row.rank, row.total) for row in after.teams}


def test_the_turns_of_the_best_riders_add_up_and_the_lowest_sum_leads():
    (after,) = ride(stage(1, {11: 10, 21: 10, 12: 11, 22: 11, 13: 12, 23: 13}), riders=SIX)

    assert standing(after) == {ROSA: (1, 33), VERDE: (2, 34)}
    assert team(after, VERDE).gap == 1
    assert team(after, VERDE).counted == (21, 22, 23)


def test_a_team_of_three_with_one_retirement_keeps_its_past_and_says_two_of_three():
    one = stage(1, {11: 10, 21: 10, 12: 11, 22: 11, 13: 12, 23: 13})
    two = stage(2, {11: 10, 21: 10, 12: 11, 22: 11, 13: Status.DNF, 23: 13})
    three = stage(3, {11: 10, 21: 10, 12: 11, 22: 11, 23: 13})

    after = ride(one, two, three, riders=SIX)

    assert [team(each, ROSA).total for each in after] == [33, 33, 33]
    assert [team(each, ROSA).rank for each in after] == [1, None, None]
    assert [team(each, ROSA).unranked_since for each in after] == [None, 2, 2]
    assert (team(after[1], ROSA).finishers, team(after[1], ROSA).count) == (2, 3)
    assert (team(after[1], ROSA).stage_value, team(after[1], ROSA).counted, team(after[1], ROSA).gap) == (
        None,
        (),
        None,
    )
    assert [row.team for row in after[2].teams] == [VERDE, ROSA]


@pytest.mark.parametrize(("size", "count"), [(1, 1), (2, 2), (3, 3), (4, 3)])
def test_as_many_riders_count_as_the_smallest_team_has_but_three_at_most(size, count):
    teams = {rider: (ROSA if rider < 20 else VERDE) for rider in (*range(11, 11 + size), 21, 22, 23, 24)}
    (after,) = ride(stage(1, dict.fromkeys(teams, 10), teams=teams), riders=teams)

    assert {row.count for row in after.teams} == {count}
    assert standing(after)[ROSA][1] == 10 * count


def test_how_many_count_is_settled_at_the_start():
    one = stage(1, {11: 10, 12: 11, 21: 10, 22: Status.DNS})
    two = stage(2, {11: 10, 12: 11, 21: 10})

    after = ride(one, two, riders=(11, 12, 21, 22))

    assert [team(each, VERDE).count for each in after] == [2, 2]
    assert team(after[0], VERDE).unranked_since == 1  # who does not start belonged to the team at the start
    assert team(after[0], VERDE).total is None


def test_the_club_may_say_how_many_count():
    sheet = stage(1, {11: 10, 12: 11, 21: 10, 22: 12, 23: 13})

    (two,) = ride(sheet, riders=(11, 12, 21, 22, 23), options=Options(team_count=1))
    (three,) = ride(sheet, riders=(11, 12, 21, 22, 23), options=Options(team_count=3))

    assert standing(two) == {ROSA: (1, 10), VERDE: (2, 10)}
    assert standing(three) == {VERDE: (1, 35), ROSA: (None, None)}


def test_a_club_without_a_team_classification_has_none():
    (after,) = ride(stage(1, {11: 10, 21: 10}), riders=(11, 21), options=Options(team_classification=False))

    assert after.teams == ()


def test_riders_without_a_team_belong_to_none():
    (after,) = ride(stage(1, {11: 10, 99: 8}), riders=(11, 99))

    assert standing(after) == {ROSA: (1, 10)}


def test_in_a_team_time_trial_the_result_counts_for_each_rider():
    lines = [came(rider, turn, teams=SIX) for rider, turn in {11: 10, 12: 11, 21: 12, 22: 12}.items()]
    (after,) = ride(team_trial(1, lines), riders=(11, 12, 21, 22))

    assert standing(after) == {ROSA: (1, 2 * 11), VERDE: (2, 2 * (12 + 3))}


def test_in_a_time_trial_results_count_with_their_additions():
    lines = [came(rider, 10, clock=clock, teams=SIX) for clock, rider in enumerate((21, 11, 12, 22), start=1)]
    (after,) = ride(time_trial(1, lines), riders=(11, 12, 21, 22))

    # level, also on placings (2nd + 3rd, 1st + 4th): Verde has the best single one
    assert standing(after) == {VERDE: (1, 10 + 13), ROSA: (2, 11 + 12)}


def test_level_teams_with_the_same_sum_of_placings_go_by_the_best_single_one():
    turns = {11: 10, 21: 11, 22: 11, 12: 12, 13: 20, 23: 20}  # Rosa 1st + 4th, Verde 2nd + 3rd
    (after,) = ride(stage(1, turns), riders=SIX, options=Options(team_count=2))

    assert standing(after) == {ROSA: (1, 22), VERDE: (2, 22)}
    row = team(after, VERDE)
    assert (row.decided_by, row.decided_against, row.decided_values) == (TeamCriterion.BEST_PLACING, ROSA, (2, 1))


def test_the_sum_of_placings_decides_before_the_best_single_one():
    # Rosa 11 + 11 (2nd, 3rd), Verde 10 + 12 (1st, 5th), Gialla's rider between them
    teams = {11: ROSA, 12: ROSA, 21: VERDE, 22: VERDE, 31: GIALLA, 32: GIALLA}
    (after,) = ride(stage(1, {21: 10, 11: 11, 12: 11, 31: 11, 22: 12, 32: 20}, teams=teams), riders=teams)

    assert standing(after) == {ROSA: (1, 22), VERDE: (2, 22), GIALLA: (3, 31)}
    row = team(after, VERDE)
    assert (row.decided_by, row.decided_values) == (TeamCriterion.PLACINGS, (6, 5))
    assert team(after, GIALLA).decided_by is TeamCriterion.TOTAL


def test_teams_that_nothing_separates_share_the_rank():
    teams = {11: ROSA, 21: VERDE, 31: GIALLA, 41: 84}
    lines = [
        came(11, 10, 1, teams=teams),
        came(21, 11, teams=teams),
        came(31, 11, teams=teams),
        came(41, 12, teams=teams),
    ]
    (after,) = ride(road(1, lines), riders=teams)

    assert [(row.team, row.rank) for row in after.teams] == [(ROSA, 1), (VERDE, 2), (GIALLA, 2), (84, 4)]
    assert team(after, GIALLA).decided_by is None


def test_a_rider_out_by_the_limit_is_no_finisher_a_lapped_one_is():
    sheet = stage(1, {11: 10, 21: 11, 12: 32, 22: 33}, peloton=29)

    (after,) = ride(sheet, riders=(11, 12, 21, 22))

    assert (team(after, ROSA).finishers, team(after, ROSA).total) == (2, 42)  # 12 is lapped
    assert team(after, VERDE).state is TeamState.UNRANKED  # 22 is too late


def test_a_transfer_takes_no_turn_along():
    one = stage(1, {11: 10, 12: 11, 13: 12, 21: 10, 22: 11, 23: 15})
    moved = {**SIX, 13: VERDE}
    two = stage(2, {11: 10, 12: 12, 13: 11, 21: 13, 22: 11, 23: 15}, teams=moved)

    after = ride(one, two, riders=SIX, options=Options(team_count=2))

    assert standing(after[0]) == {ROSA: (1, 21), VERDE: (2, 21)}
    assert standing(after[1]) == {ROSA: (1, 43), VERDE: (2, 43)}
    assert team(after[1], VERDE).counted == (13, 22)
    assert [next(row.team for row in each.gc if row.rider == 13) for each in after] == [ROSA, VERDE]


def test_a_correction_before_a_transfer_leaves_the_days_of_the_other_team():
    moved = {**SIX, 13: VERDE}
    two = stage(2, {11: 10, 12: 12, 13: 11, 21: 13, 22: 11}, teams=moved)
    options = Options(team_count=2)

    after = ride(stage(1, {11: 9, 12: 11, 13: 12, 21: 10, 22: 11}), two, riders=(11, 12, 13, 21, 22), options=options)

    assert standing(after[1]) == {ROSA: (1, 20 + 22), VERDE: (2, 21 + 22)}


def test_a_team_that_comes_in_later_is_unranked_from_the_start():
    moved = {**SIX, 13: GIALLA, 23: GIALLA}
    after = ride(
        stage(1, dict.fromkeys(SIX, 10)),
        stage(2, dict.fromkeys(SIX, 10), teams=moved),
        riders=SIX,
        options=Options(team_count=2),
    )

    assert GIALLA not in standing(after[0])
    assert (team(after[1], GIALLA).unranked_since, team(after[1], GIALLA).finishers) == (1, 2)


def test_a_missing_result_leaves_the_total_of_his_team_open():
    one = stage(1, {11: 10, 12: 11, 13: 12, 21: 9, 22: 9})  # 23 is missing
    two = stage(2, dict.fromkeys(SIX, 10))
    entrants = [Entrant(rider=rider, draft=rider, team=SIX[rider]) for rider in SIX]

    after = classify(entrants, [one, two])

    for each in after:
        row = team(each, VERDE)
        assert (row.state, row.rank, row.total, row.gap) == (TeamState.UNRESOLVED, None, None, None)
        assert team(each, ROSA).rank == 1
        assert [row.team for row in each.teams] == [ROSA, VERDE]
    assert (team(after[0], VERDE).stage_value, team(after[1], VERDE).stage_value) == (None, 30)


def test_a_missing_rider_may_be_among_the_best_so_the_total_waits_though_enough_came_in():
    sheet = stage(1, {11: 10, 12: 11, 21: 9, 22: 9})  # 23 is missing, and two count
    entrants = [Entrant(rider=rider, draft=rider, team=SIX[rider]) for rider in SIX if rider != 13]

    (after,) = classify(entrants, [sheet])

    row = team(after, VERDE)
    assert (row.count, row.finishers, row.state, row.stage_value) == (2, 2, TeamState.UNRESOLVED, None)


def test_of_riders_with_the_same_turn_the_better_placed_counts():
    (after,) = ride(stage(1, {21: 9, 12: 10, 11: 10}), riders=(11, 12, 21))

    assert team(after, ROSA).counted == (12,)


def test_a_team_that_cannot_bring_in_enough_any_more_is_unranked_at_once():
    sheet = stage(1, {11: 10, 12: 11, 13: 12, 21: Status.DNF, 22: 9})

    (after,) = classify([Entrant(rider=rider, draft=rider, team=SIX[rider]) for rider in SIX], [sheet])

    assert (team(after, VERDE).state, team(after, VERDE).unranked_since) == (TeamState.UNRANKED, 1)


def test_who_retired_does_not_leave_his_team_waiting():
    one = stage(1, {11: 10, 12: 11, 13: Status.DNF, 21: 10, 22: 11, 23: 12})
    two = stage(2, {11: 10, 12: 11, 21: 10, 22: 11, 23: 12})

    after = ride(one, two, riders=SIX, options=Options(team_count=2))

    assert standing(after[1]) == {ROSA: (1, 42), VERDE: (2, 42)}


@pytest.mark.rule("GI-D1-08")
def test_a_stage_that_leaves_nobody_leaves_the_team_standing_too():
    one = stage(1, {11: 10, 12: 11, 21: 11, 22: 12})
    two = stage(2, dict.fromkeys((11, 12, 21, 22), Status.DNF))

    after = ride(one, two, riders=(11, 12, 21, 22))

    assert standing(after[1]) == standing(after[0]) == {ROSA: (1, 21), VERDE: (2, 23)}
    assert [(row.stage_value, row.counted, row.finishers, row.change) for row in after[1].teams] == [
        (None, (), 0, 0)
    ] * 2


def test_changes_of_place_in_the_team_standing():
    one = stage(1, {11: 10, 12: 11, 21: 11, 22: 12})
    two = stage(2, {21: 10, 22: 11, 11: 14, 12: 14})

    after = ride(one, two, riders=(11, 12, 21, 22))

    assert {row.team: row.change for row in after[1].teams} == {VERDE: 1, ROSA: -1}


def test_a_team_may_be_named_on_the_start_list_before_any_sheet_says_so():
    (after,) = classify([Entrant(rider=11, draft=1, team=ROSA)], [road(1, [])])

    assert (team(after, ROSA).state, team(after, ROSA).count) == (TeamState.UNRESOLVED, 1)
