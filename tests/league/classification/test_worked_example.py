"""The Giro that the rules work through, to the last cell."""

import pytest

from league.classification.giro import (
    Criterion,
    GcState,
    OutReason,
    Part,
    PartKind,
    Status,
    TeamState,
    classify,
)

from .builders import BLUE, GREEN, WHITE, A, B, C, D, E, F, gc, result, team
from .worked_example import RIDERS, SHEETS

AFTER_1, AFTER_2, AFTER_3 = classify(RIDERS, SHEETS)

# rider: move, score, energy, carry, rank, gap, gap to the rider above, places gained
GC_1 = {
    A: (2, 2, 3, 3, 1, 0, None, None),
    D: (0, 0, 11, 11, 2, 2, 2, None),
    C: (0, 0, 9, 9, 3, 2, 0, None),
    E: (-2, -2, 22, 15, 4, 4, 2, None),
    B: (-2, -2, 18, 15, 5, 4, 0, None),
    F: (-5, -5, 0, 0, 6, 7, 3, None),
}
GC_2 = {
    C: (0, 0, 0, 0, 1, 0, None, 2),
    A: (-4, -2, 7, 5, 2, 2, 2, -1),
    B: (-1, -3, 2, 2, 3, 3, 1, 2),
    E: (-3, -5, 6, 5, 4, 5, 2, 0),
    D: (-5, -5, 5, 5, 5, 5, 0, -3),
    F: (-7, -12, 1, 1, 6, 12, 7, 0),
}
GC_3 = {
    C: (1, 1, 0, 0, 1, 0, None, 0),
    A: (-1, -3, 6, 6, 2, 4, 4, 0),
    E: (2, -3, 4, 4, 3, 4, 0, 1),
    D: (-3, -8, 8, 8, 4, 9, 5, 1),
    F: (-5, -17, 3, 0, None, None, None, None),
    B: (None, None, 10, 0, None, None, None, None),
}


@pytest.mark.rule("GI-D1-01", "GI-D1-02", "GI-D1-04", "GI-D1-05", "GI-D1-06", "GI-D3-13", "GI-D4-01")
@pytest.mark.parametrize(("after", "table"), [(AFTER_1, GC_1), (AFTER_2, GC_2), (AFTER_3, GC_3)])
def test_every_cell_of_the_general_classification(after, table):
    cells = {
        row.rider: (
            result(after, row.rider).move,
            row.score,
            row.energy,
            row.carry,
            row.rank,
            row.gap,
            row.gap_to_next,
            row.change,
        )
        for row in after.gc
    }

    assert cells == table
    assert list(cells) == list(table)  # the order of the rows, too


@pytest.mark.rule("GI-D1-07")
def test_a_wears_pink_after_the_first_stage_and_c_for_the_other_two():
    assert [after.wearer for after in (AFTER_1, AFTER_2, AFTER_3)] == [A, C, C]
    assert [gc(AFTER_3, rider).days_in_pink for rider in (A, B, C, D, E, F)] == [1, 0, 2, 0, 0, 0]
    assert [row.rider for row in AFTER_3.gc if row.in_pink] == [C]
    assert not AFTER_3.ended


# rider: placing, turn, addition, result, behind, bonus lines
RESULT_1 = {
    A: (1, 12, None, 12, 0, 0),
    C: (2, 12, None, 12, 0, 0),
    D: (3, 13, None, 13, 1, 1),
    B: (4, 14, None, 14, 2, 0),
    E: (5, 14, None, 14, 2, 0),
    F: (6, 17, None, 17, 5, 0),
}
RESULT_2 = {
    C: (1, 11, 0, 11, 0, 0),
    B: (2, 11, 1, 12, 1, 0),
    E: (3, 12, 2, 14, 3, 0),
    A: (4, 13, 2, 15, 4, 0),
    D: (5, 14, 2, 16, 5, 0),
    F: (6, 15, 3, 18, 7, 0),
}
RESULT_3 = {
    E: (1, 15, None, 15, 0, 0),
    C: (2, 15, None, 15, 0, 1),
    A: (3, 16, None, 16, 1, 0),
    D: (4, 18, None, 18, 3, 0),
    F: (5, 20, None, 20, 5, 0),
    B: (None, 21, None, 21, 6, 0),
}


@pytest.mark.rule("GI-F-02", "GI-D3-06", "GI-D3-11", "GI-D1-06")
@pytest.mark.parametrize(("after", "table"), [(AFTER_1, RESULT_1), (AFTER_2, RESULT_2), (AFTER_3, RESULT_3)])
def test_every_cell_of_the_stage_results(after, table):
    cells = {
        row.rider: (row.place, row.turn, row.addition, row.result, row.behind, row.bonuses) for row in after.result
    }

    assert cells == table
    assert list(cells) == list(table)


@pytest.mark.rule("GI-D1-06")
@pytest.mark.parametrize(
    ("after", "rider", "by", "against", "values"),
    [
        (AFTER_1, A, None, None, None),
        (AFTER_1, D, Criterion.SCORE, A, (0, 2)),
        (AFTER_1, C, Criterion.ENERGY, D, (9, 11)),
        (AFTER_1, E, Criterion.SCORE, C, (-2, 0)),
        (AFTER_1, B, Criterion.ENERGY, E, (18, 22)),  # although both carry 15
        (AFTER_1, F, Criterion.SCORE, B, (-5, -2)),
        (AFTER_2, C, None, None, None),
        (AFTER_2, A, Criterion.SCORE, C, (-2, 0)),
        (AFTER_2, B, Criterion.SCORE, A, (-3, -2)),
        (AFTER_2, E, Criterion.SCORE, B, (-5, -3)),
        (AFTER_2, D, Criterion.ENERGY, E, (5, 6)),
        (AFTER_2, F, Criterion.SCORE, D, (-12, -5)),
        (AFTER_3, A, Criterion.SCORE, C, (-3, 1)),
        (AFTER_3, E, Criterion.ENERGY, A, (4, 6)),
        (AFTER_3, D, Criterion.SCORE, E, (-8, -3)),
        (AFTER_3, F, None, None, None),
        (AFTER_3, B, None, None, None),
    ],
)
def test_each_row_names_what_put_it_below_the_one_above(after, rider, by, against, values):
    row = gc(after, rider)

    assert (row.decided_by, row.decided_against, row.decided_values) == (by, against, values)


def test_the_parts_of_a_road_stage_say_why_a_rider_moved():
    assert gc(AFTER_1, A).parts == (
        Part(kind=PartKind.TURNS_BEHIND, amount=0, rule="GI-D1-02", facts=(("turn", 12), ("best_turn", 12))),
        Part(kind=PartKind.STAGE_WIN, amount=2, rule="GI-D1-01"),
    )
    assert gc(AFTER_1, D).parts == (
        Part(kind=PartKind.TURNS_BEHIND, amount=-1, rule="GI-D1-01", facts=(("turn", 13), ("best_turn", 12))),
        Part(kind=PartKind.BONUS, amount=1, rule="GI-D2-01", facts=(("token", 1),)),
    )


def test_the_parts_of_a_time_trial_say_turns_clock_and_addition():
    facts = (("turns", 13), ("clock", 4), ("runs", 6), ("addition", 2), ("result", 15), ("best", 11))

    assert gc(AFTER_2, A).parts == (Part(kind=PartKind.TIME_TRIAL, amount=-4, rule="GI-D3-13", facts=facts),)


@pytest.mark.rule("GI-D1-04", "GI-D1-05", "GI-F-05")
def test_f_is_in_time_but_lapped_and_b_is_too_late():
    f, b = gc(AFTER_3, F), gc(AFTER_3, B)

    assert (f.state, f.why_out, f.out_after) == (GcState.OUT, OutReason.LAPPED, 3)
    assert f.parts == (
        Part(kind=PartKind.TURNS_BEHIND, amount=-5, rule="GI-D1-01", facts=(("turn", 20), ("best_turn", 15))),
        Part(
            kind=PartKind.LAPPED,
            amount=0,
            rule="GI-D1-04",
            facts=(("gap", 18), ("loop", 18), ("best", 1), ("score", -17)),
        ),
    )
    assert result(AFTER_3, F).status is Status.FINISHED
    assert (b.state, b.why_out, b.out_after, b.score_before) == (GcState.OUT, OutReason.OTL, 3, -3)
    assert b.parts == (
        Part(
            kind=PartKind.OUT_OTL,
            amount=0,
            rule="GI-D1-05",
            facts=(("turn", 21), ("peloton_turn", 17), ("last_turn", 20)),
        ),
    )
    assert result(AFTER_3, B).status is Status.OTL


def test_the_team_classification_of_the_example():
    # team: total, value of the stage, rank, gap, finishers, state
    tables = [
        {row.team: (row.total, row.stage_value, row.rank, row.gap, row.finishers, row.state) for row in after.teams}
        for after in (AFTER_1, AFTER_2, AFTER_3)
    ]

    assert tables == [
        {
            WHITE: (26, 26, 1, 0, 2, TeamState.IN),
            GREEN: (27, 27, 2, 1, 2, TeamState.IN),
            BLUE: (29, 29, 3, 3, 2, TeamState.IN),
        },
        {
            WHITE: (53, 27, 1, 0, 2, TeamState.IN),
            GREEN: (57, 30, 2, 4, 2, TeamState.IN),
            BLUE: (58, 29, 3, 5, 2, TeamState.IN),
        },
        {
            GREEN: (90, 33, 1, 0, 2, TeamState.IN),
            BLUE: (93, 35, 2, 3, 2, TeamState.IN),
            WHITE: (53, None, None, None, 1, TeamState.UNRANKED),
        },
    ]
    assert team(AFTER_3, GREEN).counted == (E, D)
    assert team(AFTER_3, BLUE).counted == (C, F)  # F is lapped after the stage and still counts in it
    assert (team(AFTER_3, WHITE).count, team(AFTER_3, WHITE).unranked_since) == (2, 3)
    assert [team(AFTER_3, each).change for each in (GREEN, BLUE, WHITE)] == [1, 1, None]
