"""The general classification of a Giro, rule by rule."""

import pytest

from league.classification.giro import (
    Criterion,
    GcState,
    Kind,
    Options,
    OutReason,
    PartKind,
    Status,
)

from .builders import (
    NO_TEAMS,
    A,
    B,
    C,
    D,
    E,
    came,
    gc,
    out,
    penalty,
    places,
    ranks,
    result,
    ride,
    road,
    scores,
    time_trial,
)


def day(*turns, stage=1, **more):
    """A road stage: A, B, C ... come in the turns given, A first over the line, all with the same energy."""
    lines = [came(rider, turn, 1 if rider == A else None, energy=5) for rider, turn in enumerate(turns, start=1)]
    return road(stage, lines, **more)


@pytest.mark.rule("GI-D1-01")
def test_a_bonus_line_is_worth_one_square_and_a_stage_win_two():
    (after,) = ride(day(12, 12, 15, bonus={1: B, 2: B}), riders=(A, B, C))

    assert scores(after) == {A: 2, B: 2, C: -3}


@pytest.mark.rule("GI-D1-01")
def test_stage_win_and_bonus_are_what_the_club_has_set():
    (after,) = ride(day(12, 12, bonus={1: B}), riders=(A, B), options=Options(stage_win=5, bonus=3))

    assert scores(after) == {A: 5, B: 3}


@pytest.mark.rule("GI-D1-02")
def test_who_comes_in_the_winners_turn_does_not_move():
    (after,) = ride(day(12, 12), riders=(A, B))

    assert scores(after)[B] == 0
    assert [part.rule for part in gc(after, B).parts] == ["GI-D1-02"]


@pytest.mark.rule("GI-D1-04")
@pytest.mark.parametrize(("turn", "state"), [(12 + 15, GcState.IN), (12 + 16, GcState.OUT)])
def test_a_rider_a_whole_track_behind_the_best_is_lapped(turn, state):
    (after,) = ride(day(12, turn), riders=(A, B))  # A has 2 for the stage: 17 squares behind, then 18

    assert gc(after, B).state is state


@pytest.mark.rule("GI-D1-04")
def test_three_squares_short_of_being_lapped_is_a_gap_of_the_track_minus_three():
    (after,) = ride(day(12, 12 + 13), riders=(A, B))

    assert gc(after, B).gap == 18 - 3


@pytest.mark.rule("GI-D1-04")
def test_who_is_out_by_the_time_limit_laps_nobody():
    first = day(10, 20, 20)  # A has 2, the others -10
    second = road(2, [came(B, 10, 1), came(C, 17), came(A, 40)], peloton=14)  # C -17: 19 behind A, 9 behind B

    after = ride(first, second, riders=(A, B, C))[1]

    assert gc(after, A).why_out is OutReason.OTL
    assert (gc(after, C).state, gc(after, C).gap) == (GcState.IN, 9)


@pytest.mark.rule("GI-D1-03", "GI-D1-04")
def test_laps_are_counted_after_all_moves_of_the_stage():
    first = day(10, 27)  # B is 19 behind, but has two bonus lines
    (after,) = ride(road(1, first.lines, bonus={1: B, 2: B}), riders=(A, B))

    assert gc(after, B).gap == 17


@pytest.mark.rule("GI-D1-04")
def test_a_lapped_rider_is_out_for_good():
    after = ride(day(12, 30), day(12, 11, stage=2), riders=(A, B))[1]

    assert (gc(after, B).state, gc(after, B).out_after, gc(after, B).score) == (GcState.OUT, 1, -18)
    assert gc(after, B).parts == ()


@pytest.mark.rule("GI-D1-05", "GI-F-05")
@pytest.mark.parametrize(("turn", "why_out"), [(17, None), (18, OutReason.OTL)])
def test_the_time_limit_falls_three_turns_after_the_peloton(turn, why_out):
    (after,) = ride(day(12, turn, peloton=14), riders=(A, B))

    assert gc(after, B).why_out is why_out


@pytest.mark.rule("GI-F-05")
def test_nobody_is_late_when_all_arrive_before_the_peloton():
    (after,) = ride(day(12, 25, peloton=None), riders=(A, B))

    assert gc(after, B).state is GcState.IN


@pytest.mark.rule("GI-F-05")
def test_the_club_may_set_another_time_limit():
    (after,) = ride(day(12, 17, peloton=14), riders=(A, B), options=Options(time_limit=2))

    assert gc(after, B).why_out is OutReason.OTL


@pytest.mark.rule("GI-D1-05", "GI-D2-01")
def test_the_bonus_of_a_rider_who_is_out_lapses_and_is_not_passed_on():
    (after,) = ride(day(12, 13, 18, peloton=14, bonus={1: C}), riders=(A, B, C))

    assert scores(after) == {A: 2, B: -1, C: None}
    assert [part.kind for part in gc(after, C).parts] == [PartKind.OUT_OTL, PartKind.BONUS_LAPSED]
    assert sum(part.amount for part in gc(after, C).parts) == 0


@pytest.mark.rule("GI-D1-06")
def test_gaps_0_2_3_3_6_are_the_ranks_1_2_3_4_5_by_energy():
    lines = [
        came(A, 10, 1),
        came(B, 10),
        came(C, 11, energy=4),
        came(D, 11, energy=9),
        came(E, 14),
    ]
    (after,) = ride(road(1, lines), riders=(A, B, C, D, E))

    assert {row.rider: row.gap for row in after.gc} == {A: 0, B: 2, D: 3, C: 3, E: 6}
    assert ranks(after) == {A: 1, B: 2, D: 3, C: 4, E: 5}
    assert (gc(after, C).decided_by, gc(after, C).decided_values) == (Criterion.ENERGY, (4, 9))


@pytest.mark.rule("GI-D1-06")
def test_level_on_score_and_energy_the_latest_placing_decides():
    lines = [came(B, 10, 1, energy=5), came(C, 11, 2, energy=5), came(A, 11, 3, energy=5)]
    (after,) = ride(road(1, lines), riders=(A, B, C))

    row = gc(after, A)
    assert ranks(after) == {B: 1, C: 2, A: 3}
    assert (row.decided_by, row.decided_values, row.decided_stage) == (Criterion.LATEST_PLACING, (3, 2), 1)


@pytest.mark.rule("GI-D1-06")
def test_then_earlier_placings_decide_the_latest_of_them_first():
    one = road(1, [came(C, 10, 1), came(B, 10, 2), came(A, 10, 3)])
    two = road(2, [came(C, 10, 1), came(A, 10, 2), came(B, 10, 3)])
    three = road(3, [came(C, 10, 1), came(A, 10), came(B, 10)])  # A and B share a placing

    after = ride(one, two, three, riders=(B, A, C))[2]

    row = gc(after, B)
    assert ranks(after) == {C: 1, A: 2, B: 3}
    assert (row.decided_by, row.decided_values, row.decided_stage) == (Criterion.EARLIER_PLACING, (3, 2), 2)


@pytest.mark.rule("GI-D1-06")
def test_in_the_end_the_draft_order_decides():
    (after,) = ride(road(1, [came(C, 10, 1), came(A, 10), came(B, 10)]), riders=(B, A, C))

    row = gc(after, A)
    assert ranks(after) == {C: 1, B: 2, A: 3}
    assert (row.decided_by, row.decided_against, row.decided_values) == (Criterion.DRAFT, B, (2, 1))


@pytest.mark.rule("GI-D1-06")
def test_energy_of_an_earlier_stage_decides_nothing():
    one = road(1, [came(C, 10, 1), came(A, 10, energy=1), came(B, 10, energy=15)])
    two = road(2, [came(C, 10, 1), came(A, 10, 2), came(B, 10, 3)])

    after = ride(one, two, riders=(A, B, C))[1]

    assert gc(after, B).decided_by is Criterion.LATEST_PLACING


@pytest.mark.rule("GI-D1-06")
def test_energy_that_was_not_written_down_decides_nothing_and_is_no_zero():
    (after,) = ride(road(1, [came(C, 10, 1), came(A, 10, energy=None), came(B, 10, energy=4)]), riders=(A, B, C))

    assert ranks(after) == {C: 1, A: 2, B: 3}
    assert gc(after, B).decided_by is Criterion.DRAFT
    assert (gc(after, A).energy, gc(after, A).carry) == (None, None)


@pytest.mark.rule("GI-D1-06")
def test_without_a_crossing_order_the_riders_of_a_turn_share_a_placing_the_winner_apart():
    lines = [came(A, 10, 1), came(B, 10), came(C, 10), came(D, 12), came(E, 13)]
    (after,) = ride(road(1, lines), riders=(A, B, C, D, E))

    assert places(after) == {A: 1, B: 2, C: 2, D: 4, E: 5}


@pytest.mark.rule("GI-D1-06")
def test_a_crossing_order_of_not_all_riders_of_a_turn_is_none():
    lines = [came(A, 10, 1), came(B, 11, 2), came(C, 11), came(D, 12, 4), came(E, 12, 5)]
    (after,) = ride(road(1, lines), riders=(A, B, C, D, E))

    assert places(after) == {A: 1, B: 2, C: 2, D: 4, E: 5}


@pytest.mark.rule("GI-D1-06")
def test_riders_out_by_the_limit_have_no_placing():
    (after,) = ride(day(12, 18, 13, peloton=14), riders=(A, B, C))

    assert places(after) == {A: 1, C: 2, B: None}
    assert result(after, B).crossed == 3


@pytest.mark.rule("GI-D1-07")
def test_rank_one_wears_pink_and_his_days_are_counted():
    sheets = [
        road(1, [came(A, 10, 1), came(B, 11)]),
        road(2, [came(B, 10, 1), came(A, 12)]),
        road(3, [came(B, 10, 1), came(A, 10)]),
    ]

    after = ride(*sheets, riders=(A, B))

    assert [each.wearer for each in after] == [A, B, B]
    assert [gc(each, A).days_in_pink for each in after] == [1, 1, 1]
    assert [gc(each, B).days_in_pink for each in after] == [0, 1, 2]


def test_days_in_pink_stay_with_a_rider_who_has_left():
    after = ride(day(10, 11), road(2, [out(A, Status.DNF), came(B, 10, 1)]), riders=(A, B))[1]

    assert (gc(after, A).days_in_pink, gc(after, A).in_pink, after.wearer) == (1, False, B)


@pytest.mark.rule("GI-D1-08")
@pytest.mark.parametrize("status", [Status.DNS, Status.DNF, Status.OTL, Status.DSQ, Status.WITHDRAWN])
def test_a_stage_that_leaves_nobody_ends_the_giro_with_the_standing_before_it(status):
    first = day(10, 12, 11)
    fatal = road(2, [out(A, status), out(B, status), came(C, 30, 1)], peloton=14)

    one, two, three = ride(first, fatal, day(10, 9, 8, stage=3), riders=(A, B, C))

    assert not one.ended
    for after in (two, three):
        assert after.ended
        assert after.wearer == A
        assert [(row.rider, row.rank, row.score, row.gap) for row in after.gc] == [
            (A, 1, 2, 0),
            (C, 2, -1, 3),
            (B, 3, -2, 4),
        ]
        assert gc(after, A).days_in_pink == 1
        assert [row.change for row in after.gc] == [0, 0, 0]
    assert result(two, C).status is Status.OTL
    assert gc(two, C).parts[0].kind is PartKind.OUT_OTL
    assert not any(row.counts for row in three.result)


@pytest.mark.rule("GI-D1-08")
def test_a_first_stage_that_leaves_nobody_has_no_winner():
    (after,) = ride(road(1, [out(A, Status.DNF), out(B, Status.DNS)]), riders=(A, B))

    assert (after.ended, after.wearer) == (True, None)
    assert ranks(after) == {A: None, B: None}


@pytest.mark.rule("GI-D1-08")
def test_a_missing_result_keeps_the_giro_going():
    after = ride(day(10, 12), road(2, [out(A, Status.DNF)]), riders=(A, B))[1]

    assert (after.ended, after.wearer, after.missing) == (False, None, (B,))


@pytest.mark.rule("GI-D1-08")
def test_the_last_rider_left_rides_on_in_pink():
    after = ride(day(10, 12), road(2, [out(A, Status.DNF), came(B, 10, 1)]), riders=(A, B))[1]

    assert (after.ended, after.wearer, ranks(after)) == (False, B, {B: 1, A: None})


@pytest.mark.rule("GI-D4-01", "GI-D4-03")
@pytest.mark.parametrize(
    ("kind", "energy", "carry"),
    [
        (Kind.ROAD, 6, 6),
        (Kind.ROAD, 22, 15),
        (Kind.ROAD, 15, 15),
        (Kind.ITT, 6, 5),
        (Kind.ITT, 4, 4),
        (Kind.TTT, 22, 5),
        (Kind.ROAD, 0, 0),
    ],
)
def test_energy_is_carried_up_to_the_cap_of_the_stage_it_was_left_in(kind, energy, carry):
    lines = [came(A, 10, 1, energy=energy)]
    sheet = road(1, lines) if kind is Kind.ROAD else time_trial(1, lines, kind=kind)

    (after,) = ride(sheet, riders=(A,))

    assert (gc(after, A).energy, gc(after, A).carry) == (energy, carry)


@pytest.mark.rule("GI-D4-01")
def test_the_caps_are_what_the_club_has_set():
    (after,) = ride(day(10), riders=(A,), options=Options(cap_road=3))

    assert gc(after, A).carry == 3


@pytest.mark.rule("GI-D4-02")
def test_carry_is_computed_afresh_from_each_stage():
    sheets = [road(1, [came(A, 10, 1, energy=22)]), road(2, [came(A, 10, 1, energy=1)])]

    assert [gc(after, A).carry for after in ride(*sheets, riders=(A,))] == [15, 1]


def test_a_change_of_place_is_relative_to_the_stage_before():
    one, two = ride(day(10, 11, 12), road(2, [came(C, 10, 1), came(B, 10), came(A, 20)]), riders=(A, B, C))

    assert [row.change for row in one.gc] == [None, None, None]
    assert {row.rider: row.change for row in two.gc} == {C: 2, B: 0, A: -2}


def test_out_riders_stand_below_the_unresolved_latest_out_first():
    one = road(1, [came(A, 10, 1), came(B, 10), came(C, 10), out(D, Status.DNF), came(E, 10)])
    two = road(2, [came(A, 10, 1), out(B, Status.DNF), came(C, 10)])  # E is missing

    after = ride(one, two, riders=(A, B, C, D, E))[1]

    assert [row.rider for row in after.gc] == [A, C, E, B, D]


def test_a_stage_has_a_text_for_its_label_and_a_key_of_its_own_here():
    # 1, 2a, 2b, 10: the order is that of the sheets, whatever their keys
    sheets = [day(10, 11, stage=key) for key in (90, 4, 7, 10)]

    after = ride(*sheets, riders=(A, B))

    assert [each.stage for each in after] == [90, 4, 7, 10]
    assert [scores(each)[B] for each in after] == [-1, -2, -3, -4]
    assert gc(ride(*sheets, road(1, [came(A, 10, 1), out(B, Status.DNF)]), riders=(A, B))[4], B).out_after == 1


def test_a_rider_may_ride_without_a_team():
    (after,) = ride(road(1, [came(A, 10, 1, teams=NO_TEAMS)]), riders=(A,))

    assert (gc(after, A).team, after.teams) == (None, ())


def test_a_penalty_counts_before_the_laps():
    (after,) = ride(day(12, 27, rulings=[penalty(B, 1)]), riders=(A, B))

    assert (gc(after, B).why_out, gc(after, B).score) == (OutReason.LAPPED, -16)
