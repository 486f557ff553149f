"""A points series: what a round brings, which results count, who is ahead of whom and why."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.classification.series import (
    Criterion,
    Part,
    PartState,
    Round,
    RoundRow,
    Rules,
    Void,
    count,
    what_if,
)

TABLE = Rules(places=(10, 7, 5, 4, 3, 2, 1, 1, 1), bonus=1)
ANNA, BRUNO, CARLA, DINO, ELSA = 1, 2, 3, 4, 5
ALL = (ANNA, BRUNO, CARLA, DINO, ELSA)


def ridden(number, *ranks, **more):
    """A round with entrant 1, 2, 3... at these places."""
    return Round(
        number=number, rows=tuple(RoundRow(entrant=who, rank=rank) for who, rank in enumerate(ranks, 1)), **more
    )


def halves(standing):
    return {row.entrant: row.halves for row in standing.rows}


def part(standing, entrant, number):
    (row,) = [row for row in standing.rows if row.entrant == entrant]
    (found,) = [part for part in row.parts if part.round == number]
    return found


def decided(standing):
    return {row.entrant: (row.rank, row.decided_by, row.decided_against, row.decided_values) for row in standing.rows}


# ---- what a round brings ---------------------------------------------------------------------------------------------
def test_places_bring_what_the_table_says_and_nothing_beyond_its_end():
    field = tuple(range(1, 13))

    standing = count(TABLE, field, [ridden(1, *field)])

    assert [row.halves for row in standing.rows] == [20, 14, 10, 8, 6, 4, 2, 2, 2, 0, 0, 0]
    assert [row.rank for row in standing.rows] == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]


def test_a_shared_place_brings_the_average_of_the_places_it_takes_rounded_down_to_halves():
    standing = count(TABLE, ALL, [ridden(1, 1, 1, 3, 4, 4)])

    assert halves(standing) == {ANNA: 17, BRUNO: 17, CARLA: 10, DINO: 7, ELSA: 7}  # 8.5, 8.5, 5, 3.5, 3.5


def test_three_who_share_second_place_round_down():
    standing = count(TABLE, ALL, [ridden(1, 1, 2, 2, 2, 5)])

    assert halves(standing)[BRUNO] == 10  # (7 + 5 + 4) / 3 = 5.33


def test_a_place_shared_across_the_end_of_the_table_counts_nothing_for_the_places_beyond_it():
    rules = Rules(places=(3, 2))

    assert halves(count(rules, ALL, [ridden(1, 1, 2, 2, 2, 2)])) == {ANNA: 6, BRUNO: 1, CARLA: 1, DINO: 1, ELSA: 1}


def with_extra(*extras):
    return Round(
        number=1, rows=tuple(RoundRow(entrant=who, rank=who, extra=extra) for who, extra in enumerate(extras, 1))
    )


@pytest.mark.parametrize(
    ("extras", "winner"), [((3, 9, 4), BRUNO), ((9, 9, 4), None), ((0, 0, 0), None), ((0, 0, 1), CARLA)]
)
def test_the_bonus_goes_to_who_has_most_along_the_way_and_to_nobody_where_two_have(extras, winner):
    standing = count(TABLE, ALL[:3], [with_extra(*extras)])

    assert [row.entrant for row in standing.rows if part(standing, row.entrant, 1).bonus_halves] == (
        [winner] if winner else []
    )
    assert sum(halves(standing).values()) == 44 + (2 if winner else 0)


def test_the_race_share_is_per_mille_of_all_points_of_the_race_those_of_bots_included():
    rows = (
        RoundRow(entrant=ANNA, rank=1, points=70),
        RoundRow(bot=True, rank=2, points=50),
        RoundRow(entrant=BRUNO, rank=3, points=36),
    )

    standing = count(TABLE, (ANNA, BRUNO), [Round(number=1, rows=rows)])

    assert [(row.entrant, row.shares) for row in standing.rows] == [(ANNA, 448), (BRUNO, 230)]


# ---- who rides -------------------------------------------------------------------------------------------------------
def test_bots_and_guests_keep_their_places_and_nobody_moves_up():
    rows = (
        RoundRow(bot=True, rank=1, extra=20),
        RoundRow(entrant=ANNA, rank=2, extra=10),
        RoundRow(rank=3),
        RoundRow(entrant=BRUNO, rank=4),
    )

    standing = count(TABLE, (ANNA, BRUNO), [Round(number=1, rows=rows)])

    assert halves(standing) == {ANNA: 14, BRUNO: 8}
    assert [row.wins for row in standing.rows] == [0, 0]
    assert part(standing, ANNA, 1).bonus_halves == 0  # the bot has most on the sprints, and keeps it from the others


def test_a_place_shared_with_a_bot_is_averaged_with_it():
    rows = (RoundRow(bot=True, rank=1), RoundRow(entrant=ANNA, rank=1), RoundRow(entrant=BRUNO, rank=3))

    standing = count(TABLE, (ANNA, BRUNO), [Round(number=1, rows=rows)])

    assert halves(standing) == {ANNA: 17, BRUNO: 10}
    assert part(standing, ANNA, 1).sharing == 2


def test_what_a_substitute_rides_is_the_entrants_and_says_who_rode():
    rows = (
        RoundRow(entrant=BRUNO, rank=1, substitute=77),
        RoundRow(entrant=ANNA, rank=2),
        RoundRow(entrant=CARLA, rank=3),
    )

    standing = count(TABLE, ALL[:3], [Round(number=1, rows=rows)])

    assert part(standing, BRUNO, 1) == Part(
        round=1, state=PartState.RODE, rank=1, sharing=1, place_halves=20, substitute=77
    )
    assert standing.rows[0].entrant == BRUNO
    assert standing.rows[0].ridden == standing.rows[0].wins == 1


def test_a_bot_in_an_entrants_stead_takes_the_place_and_brings_him_nothing():
    rows = (
        RoundRow(entrant=ANNA, rank=1, bot=True),
        RoundRow(entrant=BRUNO, rank=2),
        RoundRow(entrant=CARLA, rank=3),
    )

    standing = count(TABLE, ALL[:3], [Round(number=1, rows=rows)])

    assert halves(standing) == {BRUNO: 14, CARLA: 10, ANNA: 0}
    assert part(standing, ANNA, 1).state is PartState.BOT
    assert standing.rows[-1].wins == standing.rows[-1].ridden == 0


def test_a_no_show_scores_nothing_and_the_round_is_one_of_his_rounds():
    no_show = Round(number=2, rows=(*ridden(2, 1, 2, 3).rows, RoundRow(entrant=DINO, no_show=True)))

    standing = count(TABLE, ALL[:4], [ridden(1, 2, 3, 4, 1), no_show])

    assert part(standing, DINO, 2) == Part(round=2, state=PartState.NO_SHOW)
    assert standing.kept == 2  # of two rounds none is dropped: his nothing counts
    assert halves(standing)[DINO] == 20


def test_who_was_not_down_for_a_round_gets_nothing_for_it_and_it_may_be_dropped():
    rounds = [ridden(1, 1, 2, 3), ridden(2, 1, 2, 3), ridden(3, 1, 2, 3), ridden(4, 3, 2, 1)]
    without_anna = replace(rounds[1], rows=(*rounds[1].rows[1:], RoundRow(rank=1)))

    standing = count(TABLE, ALL[:3], [rounds[0], without_anna, *rounds[2:]])

    assert part(standing, ANNA, 2) == Part(round=2, state=PartState.ABSENT, counts=False)
    assert halves(standing)[ANNA] == 20 + 20 + 10


def test_of_several_teams_of_an_entrant_the_best_is_his_and_the_others_keep_their_places():
    rows = (
        RoundRow(entrant=ANNA, rank=3),
        RoundRow(entrant=BRUNO, rank=2),
        RoundRow(entrant=ANNA, rank=1),
        RoundRow(entrant=BRUNO, rank=4),
    )

    standing = count(TABLE, (ANNA, BRUNO), [Round(number=1, rows=rows)])

    assert halves(standing) == {ANNA: 20, BRUNO: 14}


# ---- which rounds and results count ----------------------------------------------------------------------------------
def test_a_round_with_fewer_than_three_at_the_start_does_not_count_and_bots_are_at_the_start():
    two = Round(number=1, rows=(*ridden(1, 1, 2).rows, RoundRow(entrant=CARLA, no_show=True)))
    with_a_bot = Round(number=2, rows=(*ridden(2, 1, 2).rows, RoundRow(bot=True, rank=3)))

    standing = count(TABLE, ALL, [two, with_a_bot])

    assert standing.void == ((1, Void.TOO_FEW),)
    assert standing.rounds == (2,)
    assert [part.round for part in standing.rows[0].parts] == [2]


def test_a_round_given_up_before_its_first_line_does_not_count():
    standing = count(TABLE, ALL, [ridden(1, 1, 2, 3, abandoned_early=True), ridden(2, 3, 2, 1)])

    assert standing.void == ((1, Void.ABANDONED),)
    assert halves(standing)[ANNA] == 10
    assert standing.kept == 1


@pytest.mark.parametrize(("rounds", "kept"), [(0, 0), (1, 1), (3, 3), (4, 3), (7, 6), (8, 6), (12, 9)])
def test_of_n_rounds_n_minus_a_quarter_count(rounds, kept):
    standing = count(TABLE, ALL, [ridden(number, 1, 2, 3) for number in range(1, rounds + 1)])

    assert standing.kept == kept
    assert all(sum(part.counts for part in row.parts) == kept for row in standing.rows)
    assert halves(standing)[ANNA] == 20 * kept


def test_the_worst_result_is_dropped_and_stays_to_be_seen():
    rounds = [ridden(1, 1, 2, 3), ridden(2, 3, 1, 2), ridden(3, 2, 1, 3), ridden(4, 1, 3, 2)]

    standing = count(TABLE, ALL[:3], rounds)

    assert halves(standing) == {ANNA: 54, BRUNO: 54, CARLA: 38}
    assert [(part.round, part.halves) for part in standing.rows[0].parts if not part.counts] == [(2, 10)]


def test_where_nothing_is_dropped_every_result_counts():
    rules = replace(TABLE, drop_one_in=None)

    assert halves(count(rules, ALL, [ridden(number, 1, 2, 3) for number in range(1, 9)]))[ANNA] == 160


# ---- who is ahead ----------------------------------------------------------------------------------------------------
def test_level_on_points_more_wins_are_ahead():
    rules = Rules(places=(4, 2, 0))  # a win is two second places

    standing = count(rules, ALL[:3], [ridden(1, 2, 1, 3), ridden(2, 2, 3, 1)])

    assert halves(standing) == {ANNA: 8, BRUNO: 8, CARLA: 8}
    assert decided(standing)[ANNA] == (3, Criterion.WINS, BRUNO, (0, 1))


def test_then_more_second_places():
    standing = count(Rules(places=(5, 2, 2, 0)), ALL[:4], [ridden(1, 2, 3, 1, 4), ridden(2, 3, 3, 2, 1)])

    assert [row.entrant for row in standing.rows] == [CARLA, DINO, ANNA, BRUNO]
    assert decided(standing)[BRUNO] == (4, Criterion.SECONDS, ANNA, (0, 1))


def test_then_the_larger_sum_of_race_shares():
    first = Round(
        number=1,
        rows=(
            RoundRow(entrant=ANNA, rank=1, points=60),
            RoundRow(entrant=BRUNO, rank=2, points=40),
            RoundRow(rank=3, points=56),
        ),
    )
    second = Round(
        number=2,
        rows=(
            RoundRow(entrant=ANNA, rank=2, points=50),
            RoundRow(entrant=BRUNO, rank=1, points=52),
            RoundRow(rank=3, points=15),
        ),
    )

    standing = count(TABLE, (ANNA, BRUNO), [first, second])

    assert [(row.entrant, row.shares) for row in standing.rows] == [(ANNA, 384 + 427), (BRUNO, 256 + 444)]
    assert decided(standing)[BRUNO] == (2, Criterion.SHARES, ANNA, (700, 811))


def test_then_the_better_place_in_the_latest_round_in_which_they_differ():
    standing = count(TABLE, ALL[:3], [ridden(1, 1, 2, 3), ridden(2, 2, 1, 3), ridden(3, 2, 2, 1)])

    assert [row.entrant for row in standing.rows] == [BRUNO, ANNA, CARLA]
    assert decided(standing)[ANNA] == (2, Criterion.LATEST, BRUNO, (2, 1))
    assert [row.decided_round for row in standing.rows] == [None, 2, None]


def test_who_did_not_ride_the_latest_round_is_behind_who_did():
    others = (RoundRow(rank=1), RoundRow(rank=2))
    both = Round(number=1, rows=(*others, RoundRow(entrant=ANNA, rank=3), RoundRow(entrant=BRUNO, rank=3)))
    one = Round(number=2, rows=(*others, RoundRow(entrant=BRUNO, rank=3)))

    standing = count(Rules(places=(2, 1)), (ANNA, BRUNO), [both, one])

    assert decided(standing)[ANNA] == (2, Criterion.LATEST, BRUNO, (None, 3))


def test_equal_is_equal_and_no_rule_is_named():
    standing = count(TABLE, ALL[:4], [ridden(1, 1, 2, 2, 4)])

    assert [(row.entrant, row.rank) for row in standing.rows] == [(ANNA, 1), (BRUNO, 2), (CARLA, 2), (DINO, 4)]
    assert decided(standing)[CARLA] == (2, None, None, None)
    assert decided(standing)[DINO] == (4, Criterion.POINTS, CARLA, (8, 12))


def test_the_order_of_the_ties_is_data():
    rules = Rules(places=(4, 2, 0), ties=(Criterion.SECONDS,))

    standing = count(rules, ALL[:3], [ridden(1, 2, 1, 3), ridden(2, 2, 3, 1)])

    assert decided(standing) == {
        ANNA: (1, None, None, None),
        BRUNO: (2, Criterion.SECONDS, ANNA, (0, 2)),
        CARLA: (2, None, None, None),
    }


def test_a_win_that_is_dropped_is_still_a_win():
    rules = Rules(places=(1, 1, 1, 1), drop_one_in=2)

    standing = count(rules, ALL[:3], [ridden(1, 1, 2, 3), ridden(2, 2, 1, 3)])

    assert [row.wins for row in standing.rows] == [1, 1, 0]
    assert [part.counts for part in standing.rows[1].parts] == [False, True]


# ---- provisional, and what could come --------------------------------------------------------------------------------
def test_a_provisional_round_marks_whoever_it_has_a_part_of():
    rounds = [ridden(1, 1, 2, 3, 4), ridden(2, 1, 2, 3, provisional=True)]

    standing = count(TABLE, ALL[:4], rounds)

    assert standing.provisional
    assert {row.entrant: row.provisional for row in standing.rows} == {
        ANNA: True,
        BRUNO: True,
        CARLA: True,
        DINO: False,
    }
    assert part(standing, DINO, 2).provisional
    assert not part(standing, ANNA, 1).provisional
    assert not count(TABLE, ALL, rounds[:1]).provisional


def test_a_provisional_round_that_does_not_count_makes_nothing_provisional():
    assert not count(TABLE, ALL, [ridden(1, 1, 2, 3), ridden(2, 1, 2, provisional=True)]).provisional


def test_what_the_next_round_would_bring_at_each_place():
    standing = count(TABLE, ALL[:3], [ridden(1, 1, 2, 3), ridden(2, 3, 2, 1), ridden(3, 1, 2, 3)])

    # Anna has 10, 5 and 10; of four rounds three count
    brought = what_if(TABLE, standing, ANNA, places=4)

    assert [(one.place, one.halves, one.total, one.gain) for one in brought] == [
        (1, 20, 60, 10), (2, 14, 54, 4), (3, 10, 50, 0), (4, 8, 50, 0),
    ]  # fmt: skip
    assert [(one.total_with_bonus, one.gain_with_bonus) for one in brought] == [(62, 12), (56, 6), (52, 2), (50, 0)]
    assert len(what_if(TABLE, standing, ANNA)) == 9


def test_a_dropped_result_may_come_back_with_the_next_round():
    standing = count(TABLE, ALL[:3], [ridden(number, *ranks) for number, ranks in enumerate([(1, 2, 3)] * 4, 1)])

    assert what_if(TABLE, standing, ANNA, places=1)[0].gain == 20
    assert (
        what_if(TABLE, standing, ANNA, places=9)[8].gain == 20
    )  # his fourth win counts again, and the ninth place not


def test_the_place_after_the_next_round_counts_the_results_that_come_back_for_the_others():
    """After four rounds Anna has 30 of her four wins, and 40 after a fifth in which she gets nothing."""
    standing = count(TABLE, ALL[:3], [ridden(number, *ranks) for number, ranks in enumerate([(1, 2, 3)] * 4, 1)])

    assert [row.halves for row in standing.rows] == [60, 42, 30]
    bruno = what_if(TABLE, standing, BRUNO, places=9)
    assert bruno[0].total == 62  # more than Anna's 60 of now, not more than her 80 of then
    assert [one.then for one in bruno] == [2] * 9
    carla = what_if(TABLE, standing, CARLA, places=3)
    assert [(one.total, one.then) for one in carla] == [(50, 3), (44, 3), (40, 3)]
    assert [one.then for one in what_if(TABLE, standing, ANNA, places=2)] == [1, 1]


def test_what_could_come_is_asked_of_entrants_only():
    with pytest.raises(ValueError, match="no entrant"):
        what_if(TABLE, count(TABLE, ALL, []), 99)


# ---- nonsense --------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ((RoundRow(entrant=99, rank=1),), "no entrant"),
        ((RoundRow(entrant=ANNA, rank=2),), "does not follow"),
        ((RoundRow(entrant=ANNA, rank=1), RoundRow(entrant=BRUNO, rank=1), RoundRow(rank=2)), "does not follow"),
        ((RoundRow(entrant=ANNA, rank=1, no_show=True),), "did not come"),
        ((RoundRow(entrant=ANNA, rank=1, points=-1),), "below zero"),
        ((RoundRow(rank=1, substitute=7),), "rides for an entrant"),
        ((RoundRow(entrant=ANNA, rank=1, bot=True, substitute=7),), "rides for an entrant"),
    ],
)
def test_what_no_result_can_say_is_refused(rows, why):
    with pytest.raises(ValueError, match=why):
        count(TABLE, ALL, [Round(number=1, rows=rows)])


def test_two_rounds_of_one_number_are_refused():
    with pytest.raises(ValueError, match="same number"):
        count(TABLE, ALL, [ridden(1, 1, 2, 3), ridden(1, 1, 2, 3)])


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"places": (5, 7)}, "better place"),
        ({"places": (5, -1)}, "takes points away"),
        ({"bonus": -1}, "takes points away"),
        ({"drop_one_in": 1}, "dropped"),
        ({"ties": (Criterion.POINTS,)}, "after the points"),
        ({"ties": (Criterion.WINS, Criterion.WINS)}, "different criteria"),
    ],
)
def test_rules_that_cannot_be_are_refused(wrong, why):
    with pytest.raises(ValueError, match=why):
        replace(TABLE, **wrong)


# ---- what holds for every series -------------------------------------------------------------------------------------
@st.composite
def rounds_of(draw, number):
    """A round with shared places, bots, guests, substitutes, who did not come, and now and then two teams of one."""
    people = draw(st.lists(st.sampled_from([*ALL, None]), min_size=1, max_size=6))
    strength = [draw(st.integers(1, 6)) for _ in people]
    rows = []
    for who, own in zip(people, strength, strict=True):
        state = draw(st.sampled_from(["rode", "rode", "rode", "bot", "no_show", "unplaced", "substitute"]))
        rows.append((who, own, state))
    placed = [own for _, own, state in rows if state not in ("no_show", "unplaced")]
    return Round(
        number=number,
        rows=tuple(
            RoundRow(
                entrant=who,
                rank=None if state in ("no_show", "unplaced") else 1 + sum(other < own for other in placed),
                points=draw(st.integers(0, 60)),
                extra=0 if state == "no_show" else draw(st.integers(0, 4)),
                bot=state == "bot",
                substitute=draw(st.integers(50, 60)) if state == "substitute" and who is not None else None,
                no_show=state == "no_show",
            )
            for who, own, state in rows
        ),
        provisional=draw(st.booleans()),
        abandoned_early=draw(st.integers(0, 9)) == 0,
    )


@st.composite
def series(draw):
    return [draw(rounds_of(number)) for number in range(1, draw(st.integers(0, 6)) + 1)]


RULES = st.sampled_from(
    [TABLE, Rules(places=(3, 2, 1)), replace(TABLE, drop_one_in=2), replace(TABLE, drop_one_in=None)]
)


def by_hand(rules, rounds):
    """Points of everybody in whole fractions, in the plainest way."""
    counting = [one for one in rounds if not one.abandoned_early and len([r for r in one.rows if not r.no_show]) >= 3]
    totals = {}
    for who in ALL:
        results = []
        for one in counting:
            most = max(row.extra for row in one.rows)
            has_most = [row for row in one.rows if row.extra == most and most > 0]
            own = [Fraction(0)]
            for row in one.rows:
                if row.entrant != who or row.bot or row.no_show:
                    continue
                points = Fraction(0)
                if row.rank is not None:
                    same = len([other for other in one.rows if other.rank == row.rank])
                    taken = [place for place in range(row.rank, row.rank + same) if place <= len(rules.places)]
                    average = Fraction(sum(rules.places[place - 1] for place in taken), same)
                    points = Fraction(int(average * 2), 2)
                if len(has_most) == 1 and has_most[0] is row:
                    points += rules.bonus
                own.append(points)
            results.append(max(own))
        drop = 0 if rules.drop_one_in is None else len(counting) // rules.drop_one_in
        totals[who] = sum(sorted(results)[drop:], Fraction(0))
    return totals


@given(RULES, series())
def test_points_are_what_a_plain_count_in_fractions_says(rules, rounds):
    standing = count(rules, ALL, rounds)

    assert {row.entrant: Fraction(row.halves, 2) for row in standing.rows} == by_hand(rules, rounds)


@given(RULES, series(), st.randoms())
def test_the_order_of_entrants_rounds_and_rows_never_matters(rules, rounds, rng):
    shuffled = [replace(one, rows=tuple(rng.sample(one.rows, len(one.rows)))) for one in rounds]
    rng.shuffle(shuffled)

    assert count(rules, rng.sample(ALL, len(ALL)), shuffled) == count(rules, ALL, rounds)


@given(RULES, series())
def test_ranks_are_shared_exactly_where_no_rule_separates(rules, rounds):
    rows = count(rules, ALL, rounds).rows

    assert rows[0].rank == 1
    assert rows[0].decided_by is None
    for place, (above, own) in enumerate(zip(rows, rows[1:], strict=False), 2):
        if own.decided_by is None:
            assert own.rank == above.rank
            assert (own.halves, own.wins, own.seconds, own.shares) == (
                above.halves, above.wins, above.seconds, above.shares,
            )  # fmt: skip
            assert [part.rank for part in own.parts] == [part.rank for part in above.parts]
        else:
            assert own.rank == place
            ours, theirs = own.decided_values
            better = theirs > ours if own.decided_by is not Criterion.LATEST else ours is None or theirs < ours
            assert better


@given(RULES, series())
def test_a_row_adds_up_to_its_parts(rules, rounds):
    standing = count(rules, ALL, rounds)

    for row in standing.rows:
        assert tuple(part.round for part in row.parts) == standing.rounds
        assert row.halves == sum(part.halves for part in row.parts if part.counts)
        dropped = [part.halves for part in row.parts if not part.counts]
        assert len(row.parts) - len(dropped) == standing.kept
        assert all(halves <= part.halves for halves in dropped for part in row.parts if part.counts)


@given(RULES, series(), st.sampled_from(ALL), st.integers(1, 8))
def test_what_could_come_is_what_comes(rules, rounds, entrant, place):
    before = count(rules, ALL, rounds)
    promised = what_if(rules, before, entrant, places=8)[place - 1]
    others = tuple(RoundRow(rank=rank) for rank in range(1, 9) if rank != place)

    came = count(rules, ALL, [*rounds, Round(number=10, rows=(*others, RoundRow(entrant=entrant, rank=place)))])
    with_bonus = Round(number=10, rows=(*others, RoundRow(entrant=entrant, rank=place, extra=3)))

    assert {row.entrant: row.halves for row in came.rows}[entrant] == promised.total
    assert {row.entrant: row.halves for row in count(rules, ALL, [*rounds, with_bonus]).rows}[entrant] == (
        promised.total_with_bonus
    )
    assert promised.gain >= 0
