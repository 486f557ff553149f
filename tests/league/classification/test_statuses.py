"""Every status, on the first, a middle and the last stage; and results that are not there yet."""

import pytest

from league.classification.giro import GcState, OutReason, Status, TeamState

from .builders import (
    GREEN,
    WHITE,
    A,
    B,
    C,
    D,
    E,
    F,
    came,
    gc,
    out,
    places,
    ranks,
    result,
    ride,
    road,
    scores,
    team,
    team_trial,
)

LEAVING = [Status.DNS, Status.DNF, Status.OTL, Status.DSQ, Status.WITHDRAWN]


def giro(stage_out=None, status=None):
    """Three stages in which A wins, B is one turn and C two turns behind; B leaves in one of them."""
    return ride(
        *(
            road(
                stage,
                [
                    came(A, 10, 1),
                    out(B, status) if stage == stage_out else came(B, 11, 2),
                    came(C, 12, 3),
                ],
                peloton=12,
            )
            for stage in (1, 2, 3)
        ),
        riders=(A, B, C),
    )


@pytest.mark.parametrize("stage", [1, 2, 3])
@pytest.mark.parametrize("status", LEAVING)
def test_a_status_takes_a_rider_out_from_its_stage_on_and_leaves_his_past(status, stage):
    whole, cut = giro(), giro(stage, status)

    assert cut[: stage - 1] == whole[: stage - 1]
    for after in cut[stage - 1 :]:
        row = gc(after, B)
        assert (row.state, row.rank, row.gap, row.score, row.carry, row.in_pink) == (
            GcState.OUT, None, None, None, 0, False,
        )  # fmt: skip
        assert (row.why_out, row.out_after, row.score_before) == (OutReason(status), stage, -(stage - 1))
        assert after.gc[-1] == row
        assert ranks(after) == {A: 1, C: 2, B: None}
        assert after.unresolved == 0
    assert (result(cut[stage - 1], B).status, places(cut[stage - 1])[B]) == (status, None)
    assert result(cut[stage - 1], C).place == 2


@pytest.mark.parametrize("stage", [1, 2, 3])
@pytest.mark.parametrize("status", LEAVING)
def test_taking_the_status_back_restores_the_result(status, stage):
    assert giro(stage, status) != giro()
    assert giro(stage, Status.FINISHED) != giro()  # finished, but the turn is missing
    assert giro(None, status) == giro()


@pytest.mark.parametrize("stage", [1, 2, 3])
@pytest.mark.parametrize("status", LEAVING)
def test_no_status_is_a_finisher_for_his_team(status, stage):
    teams = {A: WHITE, B: WHITE, C: GREEN, D: GREEN}
    after = ride(
        *(
            road(
                number,
                [
                    came(rider, 10, 1 if rider == A else None, teams=teams)
                    if (rider, number) != (B, stage)
                    else came(B, 10, status=status, teams=teams)
                    for rider in (A, B, C, D)
                    if rider != B or number <= stage
                ],
            )
            for number in (1, 2, 3)
        ),
        riders=(A, B, C, D),
    )

    assert [team(each, WHITE).state is TeamState.IN for each in after] == [number < stage for number in (1, 2, 3)]
    assert (team(after[2], WHITE).finishers, team(after[2], WHITE).count) == (1, 2)
    assert [team(each, GREEN).total for each in after] == [20, 40, 60]


@pytest.mark.parametrize(
    "line",
    [None, out(B, Status.UNRESOLVED), came(B, 9, 1, status=Status.UNRESOLVED), out(B, Status.FINISHED)],
)
@pytest.mark.parametrize("stage", [1, 2, 3])
def test_no_result_is_not_zero(line, stage):
    after = ride(
        *(
            road(
                number,
                [came(A, 10, 1, energy=4), came(C, 12, energy=4)]
                + ([line] if line is not None and number == stage else [])
                + ([came(B, 10, energy=9)] if number != stage else []),
                bonus={1: B},
            )
            for number in (1, 2, 3)
        ),
        riders=(B, A, C),
    )

    for number, each in enumerate(after, start=1):
        row = gc(each, B)
        if number < stage:
            assert row.state is GcState.IN
            continue
        assert (row.state, row.rank, row.score, row.gap, row.change, row.in_pink) == (
            GcState.UNRESOLVED, None, None, None, None, False,
        )  # fmt: skip
        assert each.wearer == A
        assert each.unresolved == 1
        assert each.missing == ((B,) if number == stage else ())
        assert each.gc[-1].rider == B
    assert (gc(after[stage - 1], B).energy, gc(after[stage - 1], B).carry) == (
        (None, None) if line is None or line.energy is None else (0, 0)
    )
    assert scores(after[2])[C] == -6


def test_a_rider_whose_result_is_missing_can_still_leave():
    sheets = [road(1, [came(A, 10, 1)]), road(2, [came(A, 10, 1), out(B, Status.DNF)])]

    after = ride(*sheets, riders=(A, B))[1]

    assert (gc(after, B).state, gc(after, B).score_before, after.unresolved) == (GcState.OUT, None, 0)


def test_an_unresolved_rider_keeps_the_energy_he_is_known_to_have():
    sheets = [road(1, [came(A, 10, 1)]), road(2, [came(A, 10, 1), came(B, 11, energy=22)])]

    after = ride(*sheets, riders=(A, B))[1]

    assert (gc(after, B).state, gc(after, B).carry) == (GcState.UNRESOLVED, 15)
    assert places(after) == {A: 1, B: 2}  # in the stage he has a result


def test_the_energy_of_a_missing_rider_is_not_carried_as_zero():
    (after,) = ride(road(1, [came(A, 10, 1)]), riders=(A, B))

    assert gc(after, B).carry is None


def test_all_missing_means_nobody_in_pink():
    (after,) = ride(road(1, []), riders=(A, B))

    assert (after.wearer, after.unresolved, after.ended) == (None, 2, False)


def test_who_withdraws_after_the_line_leaves_the_others_result_alone():
    lines = [came(A, 10, 1, status=Status.WITHDRAWN), came(B, 11, 2), came(C, 12, 3)]
    (after,) = ride(road(1, lines), riders=(A, B, C))

    assert scores(after) == {A: None, B: -1, C: -2}  # turns behind the first over the line; nobody inherits the win
    assert places(after) == {A: None, B: 2, C: 3}
    assert result(after, A).crossed == 1


def test_a_turn_typed_for_a_rider_who_did_not_finish_is_no_arrival():
    lines = [came(A, 10, 1), came(B, 11, 2), came(C, 9, status=Status.DNF)]
    (after,) = ride(road(1, lines), riders=(A, B, C))

    assert (scores(after), result(after, C).turn) == ({A: 2, B: -1, C: None}, None)


def test_a_rider_put_out_by_a_later_correction_leaves_what_he_rode_as_a_fact():
    second = road(2, [came(F, 10, 1), came(A, 11, 2), came(E, 12, 3)], bonus={1: F})
    typed_wrong = road(1, [came(A, 12, 1), came(E, 13, 2), came(F, 14, 3)], peloton=14)
    corrected = road(1, [came(A, 12, 1), came(E, 13, 2), came(F, 24, 3)], peloton=14)

    before = ride(typed_wrong, second, riders=(A, E, F))[1]
    after = ride(corrected, second, riders=(A, E, F))[1]

    assert {rider: scores(after)[rider] for rider in (A, E)} == {rider: scores(before)[rider] for rider in (A, E)}
    assert (places(after)[A], places(after)[F]) == (2, None)
    assert (result(after, F).crossed, result(after, F).counts, result(after, F).move) == (1, False, None)
    assert (gc(after, F).out_after, gc(after, F).energy, gc(after, F).parts) == (1, None, ())


def test_a_team_trial_of_a_rider_who_left_before_does_not_wait_for_him():
    one = road(1, [came(A, 10, 1), out(B, Status.DNF), came(C, 10)])
    two = team_trial(2, [came(A, 10), out(B, Status.UNRESOLVED), came(C, 11)])

    after = ride(one, two, riders=(A, B, C))[1]

    assert (after.unresolved, places(after)) == (0, {A: 1, C: 2})
