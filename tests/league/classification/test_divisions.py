"""Divisions of a series: who goes up, who goes down, who is level at the border, and where they ride next."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.classification import series
from league.classification.divisions import Crowd, Mark, Rules, Way, crowd, following, marks
from league.classification.series import Criterion, Round, RoundRow, count

POINTS = series.Rules(places=(10, 7, 5, 4, 3, 2, 1, 1, 1))
RULES = Rules()
SIX = (1, 2, 3, 4, 5, 6)


def ridden(*ranks, entrants=SIX, number=1):
    """A round with entrant 1, 2, 3... at these places; None: did not come."""
    return Round(
        number=number,
        rows=tuple(
            RoundRow(entrant=who, rank=rank, no_show=rank is None) for who, rank in zip(entrants, ranks, strict=True)
        ),
    )


def ways(found):
    return {entrant: mark.way for entrant, mark in found.items() if not mark.is_open}


IN_ORDER = count(POINTS, SIX, [ridden(1, 2, 3, 4, 5, 6)])
UP, DOWN = Way.UP, Way.DOWN


@pytest.mark.parametrize(
    ("division", "moved"),
    [(0, {5: DOWN, 6: DOWN}), (1, {1: UP, 2: UP, 5: DOWN, 6: DOWN}), (2, {1: UP, 2: UP})],
)
def test_the_best_two_go_up_and_the_last_two_down_but_nobody_out_of_the_ladder(division, moved):
    assert ways(marks(RULES, IN_ORDER, division=division, divisions=3)) == moved


def test_how_many_move_is_a_choice_of_the_series():
    rules = Rules(up=1, down=0)

    assert ways(marks(rules, IN_ORDER, division=1, divisions=3)) == {1: UP}


def test_nothing_is_marked_before_the_first_round_that_counts():
    assert marks(RULES, count(POINTS, SIX, []), division=1, divisions=3) == {}


def test_level_on_points_at_the_border_the_tie_break_decides():
    """1 and 2 have 12 points; one has a win, and a last place."""
    rounds = [ridden(1, 3, 2, 4, 5, 6), ridden(6, 2, 3, 1, 4, 5, number=2)]
    standing = count(POINTS, SIX, rounds)
    third = standing.rows[2]

    found = marks(RULES, standing, division=1, divisions=2)

    assert ways(found) == {4: UP, 1: UP}
    assert (third.entrant, third.decided_by, third.decided_against) == (2, Criterion.WINS, 1)


def test_level_on_everything_at_the_border_nobody_is_moved_and_the_mark_names_the_others():
    standing = count(POINTS, SIX, [ridden(1, 2, 2, 4, 4, 4)])

    found = marks(RULES, standing, division=1, divisions=3)

    assert found == {
        1: Mark(way=UP),
        2: Mark(way=UP, open_with=(3,), places=1),
        3: Mark(way=UP, open_with=(2,), places=1),
        4: Mark(way=DOWN, open_with=(5, 6), places=2),
        5: Mark(way=DOWN, open_with=(4, 6), places=2),
        6: Mark(way=DOWN, open_with=(4, 5), places=2),
    }


def test_two_who_are_level_inside_the_border_both_move():
    standing = count(POINTS, SIX, [ridden(1, 1, 3, 4, 5, 5)])

    assert ways(marks(RULES, standing, division=1, divisions=3)) == {1: UP, 2: UP, 5: DOWN, 6: DOWN}


def test_who_rides_no_more_is_passed_over_upwards_and_takes_a_place_downwards():
    assert ways(marks(RULES, IN_ORDER, division=1, divisions=3, gone=[1])) == {2: UP, 3: UP, 6: DOWN}
    assert ways(marks(RULES, IN_ORDER, division=1, divisions=3, gone=[6, 5, 4])) == {1: UP, 2: UP}


def test_who_has_not_ridden_is_not_promoted():
    standing = count(POINTS, (1, 2, 3, 4), [ridden(1, None, None, 2, entrants=(1, 2, 3, 4))])  # two rode: it is void
    assert marks(RULES, standing, division=1, divisions=2) == {}

    rode = count(POINTS, (1, 2), [Round(number=1, rows=(RoundRow(entrant=1, rank=1), *guests(2, 3)))])
    assert ways(marks(RULES, rode, division=1, divisions=2)) == {1: UP}


def guests(*ranks):
    return tuple(RoundRow(rank=rank) for rank in ranks)


def test_in_a_small_division_nobody_goes_both_ways():
    standing = count(POINTS, (1, 2, 3), [ridden(1, 2, 3, entrants=(1, 2, 3))])

    assert ways(marks(RULES, standing, division=1, divisions=3)) == {1: UP, 2: UP, 3: DOWN}


def test_the_next_series_has_the_movers_moved_in_the_order_they_come():
    high = count(POINTS, (11, 12, 13, 14), [ridden(1, 2, 3, 4, entrants=(11, 12, 13, 14))])
    low = count(POINTS, (21, 22, 23, 24), [ridden(4, 3, 2, 1, entrants=(21, 22, 23, 24))])
    rules = Rules(up=1, down=1)
    marked = [marks(rules, one, division=n, divisions=2) for n, one in enumerate((high, low))]

    proposed = following(marked, [[row.entrant for row in one.rows] for one in (high, low)])

    assert list(proposed.items()) == [(11, 0), (12, 0), (13, 0), (24, 0), (14, 1), (23, 1), (22, 1), (21, 1)]


def test_who_is_level_at_the_border_is_proposed_where_he_is():
    marked = [{}, {21: Mark(way=UP, open_with=(22,), places=1), 22: Mark(way=UP, open_with=(21,), places=1)}]

    assert following(marked, [[11], [21, 22]]) == {11: 0, 21: 1, 22: 1}


def test_a_division_is_too_full_above_six_and_too_empty_below_three():
    assert [crowd(RULES, n) for n in (2, 3, 6, 7)] == [Crowd.EMPTY, None, None, Crowd.FULL]


@pytest.mark.parametrize("wrong", [{"up": -1}, {"down": -1}, {"most": 2}, {"least": 0}])
def test_rules_that_mean_nothing_are_none(wrong):
    with pytest.raises(ValueError, match="less than nobody"):
        Rules(**wrong)


def test_there_is_no_division_below_the_lowest():
    with pytest.raises(ValueError, match="no such division"):
        marks(RULES, IN_ORDER, division=2, divisions=2)


places = st.lists(st.integers(1, 4), min_size=3, max_size=7)


def ranks_of(values):
    return [1 + sum(other < value for other in values) for value in values]


@given(st.lists(places, min_size=2, max_size=4), st.integers(0, 3), st.integers(0, 3), st.data())
def test_moving_never_loses_or_doubles_anybody_and_depends_on_no_order(tables, up, down, data):
    rules = Rules(up=up, down=down)
    standings, gone = [], set()
    for n, values in enumerate(tables):
        who = [100 * n + i for i in range(len(values))]
        standings.append(count(POINTS, who, [ridden(*ranks_of(values), entrants=who)]))
        gone |= {one for one in who if data.draw(st.booleans())}
    marked = [marks(rules, one, division=n, divisions=len(tables), gone=gone) for n, one in enumerate(standings)]

    riding = [[row.entrant for row in one.rows if row.entrant not in gone] for one in standings]
    proposed = following(marked, riding)

    assert Counter(list(proposed)) == Counter(one for division in riding for one in division)
    for n, found in enumerate(marked):
        for way, most in ((UP, up), (DOWN, down)):
            firm = [one for one, mark in found.items() if mark.way is way and not mark.is_open]
            free = {mark.places for mark in found.values() if mark.way is way and mark.is_open}
            assert len(firm) + sum(free) <= most
            assert len(free) <= 1
        assert not set(found) & gone
        assert all(abs(there - n) <= 1 for one, there in proposed.items() if one // 100 == n)
    assert all(0 <= there < len(tables) for there in proposed.values())
    backwards = [
        marks(rules, one, division=n, divisions=len(tables), gone=gone)
        for n, one in enumerate(
            count(POINTS, who, [Round(number=1, rows=rows)])
            for who, rows in (([row.entrant for row in reversed(one.rows)], _rows_of(one)) for one in standings)
        )
    ]
    assert backwards == marked


def _rows_of(standing):
    return tuple(RoundRow(entrant=row.entrant, rank=row.parts[0].rank) for row in reversed(standing.rows))
