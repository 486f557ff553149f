"""The season's points, by team and by player."""

import pytest

from league.classification.season import (
    SeasonCriterion,
    SeasonPart,
    StageScore,
    season_players,
    season_teams,
)

ROSA, VERDE, GIALLA = 81, 82, 83
POINTS = (10, 8, 6, 4, 3, 2, 1)


def score(stage, rider, place, team=None, player=None):
    return StageScore(stage=stage, rider=rider, place=place, team=team, player=player)


def table(rows):
    return {row.team: (row.rank, row.points, row.gap, row.wins) for row in rows}


def test_points_go_to_the_team_of_the_day_and_a_transfer_takes_none_along():
    scores = [
        score(1, 12, 1, ROSA, 5),
        score(2, 12, 2, ROSA, 5),
        score(3, 12, 3, VERDE, 5),
        score(4, 12, 4, VERDE, 5),
    ]

    assert table(season_teams(scores, POINTS)) == {ROSA: (1, 18, 0, 1), VERDE: (2, 10, 8, 0)}
    assert [(row.player, row.points) for row in season_players(scores, POINTS)] == [(5, 28)]


def test_a_corrected_placing_before_the_transfer_stays_with_the_team_of_that_day():
    scores = [score(1, 12, 3, ROSA), score(2, 12, 2, ROSA), score(3, 12, 3, VERDE), score(4, 12, 4, VERDE)]

    assert table(season_teams(scores, POINTS)) == {ROSA: (1, 14, 0, 0), VERDE: (2, 10, 4, 0)}


def test_a_substitute_scores_for_the_team_and_for_himself():
    scores = [score(1, 7, 1, ROSA, 1), score(3, 7, 2, ROSA, 2)]  # Zoe, player 2, rides the third stage for Anna

    assert table(season_teams(scores, POINTS))[ROSA][:2] == (1, 18)
    assert {row.player: row.points for row in season_players(scores, POINTS)} == {1: 10, 2: 8}


def test_shared_places_get_the_same_points():
    scores = [score(1, 1, 1, ROSA), score(1, 2, 2, VERDE), score(1, 3, 2, GIALLA), score(1, 4, 4, ROSA)]

    assert table(season_teams(scores, POINTS)) == {ROSA: (1, 14, 0, 1), VERDE: (2, 8, 6, 0), GIALLA: (2, 8, 6, 0)}


def test_there_are_no_points_beyond_the_table_and_none_for_who_did_not_finish():
    rows = season_teams([score(1, 1, 8, ROSA), score(1, 2, None, ROSA), score(2, 1, None, VERDE)], POINTS)

    assert table(rows) == {ROSA: (1, 0, 0, 0), VERDE: (2, 0, 0, 0)}
    assert rows[0].parts == (
        SeasonPart(stage=1, rider=1, place=8, points=0),
        SeasonPart(stage=1, rider=2, place=None, points=0),
    )


def test_riders_without_a_team_or_player_score_for_nobody():
    assert season_teams([score(1, 1, 1, None, 5)], POINTS) == ()
    assert season_players([score(1, 1, 1, ROSA, None)], POINTS) == ()


def test_level_on_points_more_stage_wins_decide():
    scores = [score(1, 1, 1, ROSA), score(2, 2, 3, VERDE), score(3, 2, 4, VERDE)]

    first, second = season_teams(scores, POINTS)

    assert (first.team, second.team, second.rank) == (ROSA, VERDE, 2)
    assert (second.decided_by, second.decided_against, second.decided_values) == (SeasonCriterion.WINS, ROSA, (0, 1))


def test_then_the_better_places_count_back():
    scores = [
        score(1, 1, 2, ROSA),
        score(2, 1, 6, ROSA),
        score(3, 2, 3, VERDE),
        score(4, 2, 4, VERDE),
    ]

    _, second = season_teams(scores, POINTS)

    assert second.team == VERDE
    assert (second.decided_by, second.decided_place, second.decided_values) == (SeasonCriterion.PLACES, 2, (0, 1))


def test_a_team_time_trial_is_one_stage_won_however_many_riders_share_it():
    scores = [score(1, rider, 1, ROSA) for rider in (1, 2, 3)]

    assert table(season_teams(scores, POINTS)) == {ROSA: (1, 30, 0, 1)}


def test_what_nothing_separates_shares_the_rank():
    scores = [score(1, 1, 1, ROSA), score(2, 2, 1, VERDE), score(3, 3, 3, GIALLA)]

    rows = season_teams(scores, POINTS)

    assert table(rows) == {ROSA: (1, 10, 0, 1), VERDE: (1, 10, 0, 1), GIALLA: (3, 6, 4, 0)}
    assert [row.decided_by for row in rows] == [None, None, SeasonCriterion.POINTS]


def test_the_order_of_the_rows_never_matters():
    scores = [
        score(stage, rider, place, ROSA + rider % 3, rider)
        for stage in (1, 2)
        for place, rider in enumerate((4, 2, 9, 5), 1)
    ]

    assert season_teams(scores[::-1], POINTS) == season_teams(scores, POINTS)
    assert season_players(scores[::-1], POINTS) == season_players(scores, POINTS)


def test_a_rider_has_one_placing_in_a_stage():
    with pytest.raises(ValueError, match="two placings"):
        season_teams([score(1, 1, 1, ROSA), score(1, 1, 2, ROSA)], POINTS)


def test_places_count_from_one():
    with pytest.raises(ValueError, match="count from 1"):
        season_teams([score(1, 1, 0, ROSA)], POINTS)
