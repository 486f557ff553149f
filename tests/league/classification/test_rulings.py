"""What the commissaires rule: penalties, bonuses, disqualifications, reinstatements, and taking them back."""

from dataclasses import replace

import pytest

from league.classification.giro import GcState, Options, OutReason, Part, PartKind, Status

from .builders import (
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
    gift,
    out,
    penalty,
    places,
    ranks,
    reinstated,
    result,
    ride,
    road,
    scores,
    team,
    time_trial,
)
from .worked_example import STAGE_1, STAGE_2, STAGE_3

FINISH = (came(A, 10, 1, energy=4), came(B, 11, 2, energy=4), came(C, 12, 3, energy=4))


def stage(number=1, *rulings, lines=FINISH, **more):
    return road(number, lines, rulings=rulings, **more)


def test_a_penalty_takes_squares_and_a_bonus_gives_them():
    (after,) = ride(stage(1, penalty(A, 4, 1), gift(C, 3, 2)), riders=(A, B, C))

    assert scores(after) == {C: 1, B: -1, A: -2}
    assert gc(after, A).parts[-1] == Part(kind=PartKind.PENALTY, amount=-4, rule=None, facts=(("ruling", 1),))
    assert gc(after, C).parts[-1] == Part(kind=PartKind.RULING_BONUS, amount=3, rule=None, facts=(("ruling", 2),))
    assert (result(after, A).move, result(after, C).move) == (-2, 1)


def test_a_penalty_leaves_turn_and_placing_of_everybody():
    (before,) = ride(stage(), riders=(A, B, C))
    (after,) = ride(stage(1, penalty(A, 4)), riders=(A, B, C))

    assert [replace(row, move=None) for row in after.result] == [replace(row, move=None) for row in before.result]
    assert after.teams == before.teams


def test_rulings_of_a_rider_add_up():
    (after,) = ride(stage(1, penalty(B, 1, 1), penalty(B, 2, 2), gift(B, 5, 3)), riders=(A, B, C))

    assert scores(after)[B] == -1 - 1 - 2 + 5


def test_a_disqualified_winner_leaves_and_nobody_inherits():
    (before,) = ride(stage(), riders=(A, B, C))
    (after,) = ride(stage(1, disqualified(A, 7), bonus={1: A}), riders=(A, B, C))

    assert (gc(after, A).state, gc(after, A).why_out, after.wearer) == (GcState.OUT, OutReason.DSQ, B)
    assert [(part.kind, part.amount) for part in gc(after, A).parts] == [
        (PartKind.OUT_DSQ, 0),
        (PartKind.STAGE_WIN_LAPSED, 0),
        (PartKind.BONUS_LAPSED, 0),
    ]
    assert gc(after, A).parts[0].facts == (("ruling", 7),)
    assert {rider: scores(after)[rider] for rider in (B, C)} == {rider: scores(before)[rider] for rider in (B, C)}
    assert places(after) == {B: 2, C: 3, A: None}
    row = result(after, A)
    assert (row.status, row.turn, row.crossed, row.energy) == (Status.DSQ, 10, 1, 4)


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_disqualification_counts_from_its_stage_on(number):
    sheets = [stage(each, *([disqualified(B)] if each == number else [])) for each in (1, 2, 3)]

    after = ride(*sheets, riders=(A, B, C))

    assert [gc(each, B).state is GcState.IN for each in after] == [each < number for each in (1, 2, 3)]
    assert {gc(each, B).out_after for each in after[number - 1 :]} == {number}


def test_squares_ruled_on_a_rider_who_is_out_lapse():
    (after,) = ride(stage(1, penalty(B, 2, 1), gift(B, 1, 2), disqualified(B, 3)), riders=(A, B, C))

    assert [(part.kind, part.amount, part.facts) for part in gc(after, B).parts] == [
        (PartKind.OUT_DSQ, 0, (("ruling", 3),)),
        (PartKind.RULING_LAPSED, 0, (("ruling", 1), ("squares", -2))),
        (PartKind.RULING_LAPSED, 0, (("ruling", 2), ("squares", 1))),
    ]


def test_a_ruling_at_a_stage_after_he_left_moves_nothing():
    sheets = [stage(1, disqualified(B)), stage(2, lines=(FINISH[0], FINISH[2]))]
    ruled = [sheets[0], replace(sheets[1], rulings=(reinstated(B, 1, turn=10), gift(B, 9, 2)))]

    assert ride(*ruled, riders=(A, B, C)) == ride(*sheets, riders=(A, B, C))


def test_nor_does_it_touch_what_he_rode_there_before_he_was_put_out():
    sheets = [stage(1, disqualified(B)), stage(2)]
    ruled = [sheets[0], stage(2, disqualified(B))]

    assert ride(*ruled, riders=(A, B, C)) == ride(*sheets, riders=(A, B, C))
    assert result(ride(*ruled, riders=(A, B, C))[1], B).status is Status.FINISHED


@pytest.mark.parametrize("status", [Status.DNS, Status.DNF, Status.OTL, Status.DSQ, Status.WITHDRAWN])
def test_a_reinstatement_undoes_every_status_and_gives_the_missing_turn(status):
    lines = (FINISH[0], out(B, status), FINISH[2])
    (after,) = ride(stage(1, reinstated(B, 3, turn=13), lines=lines, peloton=9), riders=(A, B, C))

    assert (gc(after, B).state, scores(after)[B], result(after, B).status) == (GcState.IN, -3, Status.FINISHED)
    assert gc(after, B).parts[0] == Part(kind=PartKind.REINSTATED, amount=0, rule=None, facts=(("ruling", 3),))
    assert places(after) == {A: 1, C: 2, B: 3}


def test_a_rider_out_by_the_limit_comes_back_with_the_turn_of_the_sheet():
    lines = (FINISH[0], came(B, 18, 3), FINISH[2])
    (after,) = ride(stage(1, reinstated(B, turn=13), lines=lines, peloton=9, bonus={1: B}), riders=(A, B, C))

    assert (result(after, B).turn, scores(after)[B]) == (18, -8 + 1)


def test_a_reinstated_rider_without_any_turn_is_unresolved():
    (after,) = ride(stage(1, reinstated(B), lines=(FINISH[0], out(B, Status.DNF), FINISH[2])), riders=(A, B, C))

    assert (gc(after, B).state, after.missing, after.ended) == (GcState.UNRESOLVED, (B,), False)


@pytest.mark.rule("GI-D1-04")
def test_a_lapped_rider_can_be_kept_in_and_the_next_stage_asks_again():
    lines = (came(A, 10, 1), came(B, 30, 2))
    kept = stage(1, reinstated(B), lines=lines)

    one, two = ride(kept, stage(2, lines=(came(A, 10, 1), came(B, 10, 2))), riders=(A, B))

    assert (gc(one, B).state, gc(one, B).gap, gc(one, B).rank) == (GcState.IN, 22, 2)
    assert (gc(two, B).why_out, gc(two, B).out_after) == (OutReason.LAPPED, 2)


@pytest.mark.rule("GI-D1-04")
def test_a_reinstated_rider_counts_for_the_best():
    lines = (came(A, 10, 1), came(B, 16, 3), came(C, 14, 2))  # B is too late: 12 + 3 < 16
    without = stage(2, gift(B, 12, 2), lines=lines, peloton=12)
    kept = replace(without, rulings=(*without.rulings, reinstated(B)))
    track = Options(gc_loop=11)

    after = ride(stage(), without, riders=(A, B, C), options=track)[1]
    assert scores(after) == {A: 4, C: -6, B: None}  # 10 behind A

    after = ride(stage(), kept, riders=(A, B, C), options=track)[1]
    assert scores(after) == {B: 5, A: 4, C: -6}  # 11 behind B
    assert gc(after, C).why_out is OutReason.LAPPED


@pytest.mark.parametrize(
    ("rulings", "state"),
    [
        ([disqualified(B, 1), reinstated(B, 2)], GcState.IN),
        ([reinstated(B, 1), disqualified(B, 2)], GcState.OUT),
        ([disqualified(B, 1), reinstated(B, 2), disqualified(B, 3)], GcState.OUT),
        ([disqualified(B, 1), disqualified(B, 2), reinstated(B, 3)], GcState.IN),
    ],
)
def test_rulings_apply_in_the_order_of_their_numbers_not_of_their_rows(rulings, state):
    for rows in (rulings, rulings[::-1]):
        (after,) = ride(stage(1, *rows), riders=(A, B, C))
        assert gc(after, B).state is state


def test_a_reinstatement_of_who_was_never_out_changes_no_figure():
    (before,) = ride(stage(), riders=(A, B, C))
    (after,) = ride(stage(1, reinstated(B, turn=99)), riders=(A, B, C))

    assert [replace(row, parts=()) for row in after.gc] == [replace(row, parts=()) for row in before.gc]
    assert after.result == before.result


def test_a_ruling_taken_back_leaves_no_trace():
    sheets = (STAGE_1, STAGE_2, STAGE_3)
    ruled = (replace(STAGE_1, rulings=(disqualified(A), penalty(C, 3, 2))), STAGE_2, STAGE_3)

    plain = ride(*sheets)

    assert ride(*ruled) != plain
    assert ride(*(replace(sheet, rulings=()) for sheet in ruled)) == plain


def test_a_correction_recounts_every_later_standing_and_wearer():
    # a penalty of 5 squares for A on stage 1, ruled after stage 3: D wears pink after stage 1
    after = ride(replace(STAGE_1, rulings=(penalty(A, 5),)), STAGE_2, STAGE_3)

    assert [each.wearer for each in after] == [D, C, C]
    assert [gc(each, A).score for each in after] == [-3, -7, -8]
    assert ranks(after[2]) == {C: 1, E: 2, D: 3, A: 4, F: None, B: None}  # D and A level: 8 energy against 6
    assert gc(after[2], A).days_in_pink == 0
    assert gc(after[2], D).days_in_pink == 1


def test_a_disqualified_rider_is_no_finisher_for_his_team_and_the_stage_before_stands():
    after = ride(STAGE_1, replace(STAGE_2, rulings=(disqualified(B),)), STAGE_3)

    assert (team(after[0], WHITE).total, team(after[0], WHITE).rank) == (26, 1)
    assert (team(after[1], WHITE).finishers, team(after[1], WHITE).count) == (1, 2)
    assert (team(after[1], WHITE).unranked_since, team(after[1], WHITE).total) == (2, 26)


def test_a_reinstated_rider_is_a_finisher_for_his_team():
    after = ride(STAGE_1, STAGE_2, replace(STAGE_3, rulings=(reinstated(B),)))

    assert (team(after[2], WHITE).stage_value, team(after[2], WHITE).counted) == (16 + 21, (A, B))


def test_rulings_hold_in_a_time_trial():
    lines = [came(A, 11, clock=1), came(B, 12, clock=2), out(C, Status.DNF)]
    (after,) = ride(time_trial(1, lines, rulings=[penalty(A, 6, 1), reinstated(C, 2, turn=12)]), riders=(A, B, C))

    assert scores(after) == {B: -2, C: -4, A: -6}
