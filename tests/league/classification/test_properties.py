"""What holds for every Giro, also for one that no club would ride."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from league.classification.giro import (
    BonusWon,
    Entrant,
    GcState,
    Kind,
    Line,
    Options,
    OutReason,
    PartKind,
    Ruling,
    RulingKind,
    StageSheet,
    Status,
    TeamState,
    classify,
)

from .naive import recount

STATUSES = st.sampled_from([Status.FINISHED] * 12 + list(Status))
TEAMS = (71, 72, 73)


@st.composite
def sheets_of(draw, stage, entrants):
    """A sheet of a stage: mostly finishers, an order at the line that fits the turns or is missing in part."""
    kind = draw(st.sampled_from([Kind.ROAD, Kind.ROAD, Kind.ITT, Kind.TTT]))
    riders = [entrant.rider for entrant in entrants]
    turns = {rider: draw(st.integers(8, 15)) for rider in riders}
    order = sorted(draw(st.permutations(riders)), key=turns.__getitem__)
    told = draw(st.sampled_from(["all", "some", "winner", "nobody"]))
    clocked = draw(st.booleans())
    team = {
        entrant.rider: draw(st.sampled_from([entrant.team, entrant.team, entrant.team, *TEAMS, None]))
        for entrant in entrants
    }
    on_the_clock = list(draw(st.permutations([*TEAMS, *riders])))
    lines = []
    for place, rider in enumerate(order, start=1):
        if draw(st.integers(0, 24)) == 0:
            continue  # not on the sheet
        status = draw(STATUSES)
        place_told = told == "all" or (told != "nobody" and place == 1) or (told == "some" and draw(st.booleans()))
        run = rider if kind is Kind.ITT or team[rider] is None else team[rider]
        lines.append(
            Line(
                rider=rider,
                status=status,
                turn=turns[rider] if status is Status.FINISHED or draw(st.booleans()) else None,
                place=place if place_told and kind is Kind.ROAD else None,
                clock=on_the_clock.index(run) + 1 if clocked and kind.is_time_trial else None,
                energy=draw(st.integers(0, 20) | st.sampled_from([0, 0, 4, 4, None])),
                team=team[rider],
            )
        )
    bonuses = tuple(
        BonusWon(token=token, rider=draw(st.sampled_from(riders))) for token in range(draw(st.integers(0, 2)))
    )
    rulings = tuple(
        Ruling(
            number=number,
            kind=draw(st.sampled_from(RulingKind)),
            rider=draw(st.sampled_from(riders)),
            amount=draw(st.integers(0, 6)),
            turn=draw(st.none() | st.integers(8, 20)),
        )
        for number in range(draw(st.sampled_from([0, 0, 0, 1, 3])))
    )
    peloton = draw(st.none() | st.integers(7, 14)) if kind is Kind.ROAD else None
    return StageSheet(
        stage=stage, kind=kind, peloton_turn=peloton, lines=tuple(lines), bonuses=bonuses, rulings=rulings
    )


@st.composite
def giros(draw):
    """Start list, sheets, options."""
    riders = draw(st.lists(st.integers(1, 40), min_size=1, max_size=7, unique=True))
    entrants = tuple(
        Entrant(rider=rider, draft=draft, team=draw(st.sampled_from([*TEAMS, None])))
        for draft, rider in enumerate(riders, start=1)
    )
    stages = draw(st.lists(st.integers(1, 99), min_size=1, max_size=4, unique=True))
    sheets = tuple(draw(sheets_of(stage, entrants)) for stage in stages)
    options = Options(
        gc_loop=draw(st.sampled_from([4, 8, 12, 18])),
        team_count=draw(st.none() | st.integers(1, 3)),
        time_limit=draw(st.integers(0, 3)),
    )
    return entrants, sheets, options


@settings(max_examples=400, deadline=None)
@given(giros())
def test_scores_ranks_and_states_are_those_of_a_plain_recount(giro):
    entrants, sheets, options = giro

    counted = [{row.rider: (row.score, row.rank, str(row.state)) for row in each.gc} for each in classify(*giro)]

    assert counted == recount(entrants, sheets, options)


@settings(deadline=None)
@given(giros(), st.randoms(use_true_random=False))
def test_the_order_of_rows_never_matters(giro, shuffle):
    entrants, sheets, options = giro

    def shuffled(rows):
        return tuple(shuffle.sample(rows, len(rows)))

    mixed = [
        replace(sheet, lines=shuffled(sheet.lines), bonuses=shuffled(sheet.bonuses), rulings=shuffled(sheet.rulings))
        for sheet in sheets
    ]

    assert classify(shuffled(entrants), mixed, options) == classify(entrants, sheets, options)


@settings(deadline=None)
@given(giros())
def test_a_later_sheet_never_changes_an_earlier_standing(giro):
    entrants, sheets, options = giro

    whole = classify(entrants, sheets, options)

    for ridden in range(len(sheets) + 1):
        assert classify(entrants, sheets[:ridden], options) == whole[:ridden]


@settings(deadline=None)
@given(giros())
def test_a_gap_is_the_leaders_score_minus_the_own_and_folds(giro):
    for after in classify(*giro):
        ranked = [row for row in after.gc if row.rank is not None]
        for above, row in zip([None, *ranked], ranked, strict=False):
            assert row.gap == ranked[0].score - row.score >= 0
            assert row.gap_to_next == (None if above is None else row.gap - above.gap)
        assert [row.rank for row in ranked] == list(range(1, len(ranked) + 1))


@settings(deadline=None)
@given(giros())
def test_nobody_out_or_unresolved_has_a_rank_a_gap_or_the_jersey(giro):
    for after in classify(*giro):
        for row in after.gc:
            if row.state is not GcState.IN:
                assert (row.rank, row.gap, row.gap_to_next, row.change, row.in_pink) == (None, None, None, None, False)
                assert row.rider != after.wearer
            else:
                assert row.rank is not None
            assert (row.state is GcState.OUT) == (row.why_out is not None) == (row.out_after is not None)
        assert [row.rider for row in after.gc if row.in_pink] == [row.rider for row in after.gc if row.rank == 1]
        assert after.unresolved == sum(row.state is GcState.UNRESOLVED for row in after.gc)


@settings(deadline=None)
@given(giros())
def test_the_parts_add_up_to_the_score(giro):
    story = classify(*giro)
    running = {entrant.rider: 0 for entrant in giro[0]}
    for after in story:
        for row in after.gc:
            running[row.rider] += sum(part.amount for part in row.parts)
            if row.score is not None:
                assert row.score == running[row.rider]
                assert row.score == row.score_before + sum(part.amount for part in row.parts)
        for row in after.result:
            if row.move is not None:
                mine = next(each for each in after.gc if each.rider == row.rider)
                assert row.move == sum(part.amount for part in mine.parts)


@settings(deadline=None)
@given(giros())
def test_who_is_out_is_out_for_good_and_keeps_his_line(giro):
    entrants, _, _ = giro
    gone = {}
    for after in classify(*giro):
        assert sorted(row.rider for row in after.gc) == sorted(entrant.rider for entrant in entrants)
        now = {row.rider: (row.why_out, row.out_after) for row in after.gc if row.state is GcState.OUT}
        assert gone.items() <= now.items()
        gone = now


@settings(deadline=None)
@given(giros())
def test_days_in_pink_are_the_stages_after_which_he_wore_it(giro):
    days = {entrant.rider: 0 for entrant in giro[0]}
    for after in classify(*giro):
        if after.wearer is not None and not after.ended:
            days[after.wearer] += 1
        assert {row.rider: row.days_in_pink for row in after.gc} == days


@settings(deadline=None)
@given(giros())
def test_energy_is_carried_up_to_the_cap_and_never_made_up(giro):
    _, sheets, options = giro
    for sheet, after in zip(sheets, classify(*giro), strict=True):
        for row in after.gc:
            if row.state is GcState.OUT or after.ended:
                assert row.carry == 0
            else:
                assert row.carry == (None if row.energy is None else min(row.energy, options.cap(sheet.kind)))


@settings(deadline=None)
@given(giros())
def test_each_ranked_row_but_the_first_names_what_decided(giro):
    for after in classify(*giro):
        ranked = [row for row in after.gc if row.rank is not None]
        for above, row in zip([None, *ranked], ranked, strict=False):
            assert (row.decided_by is None) == (above is None)
            assert row.decided_against == (None if above is None else above.rider)
            if above is not None:
                assert row.decided_values[0] != row.decided_values[1]


@settings(deadline=None)
@given(giros())
def test_a_lapped_rider_is_a_whole_track_behind_the_pink_jersey(giro):
    _, sheets, options = giro
    for sheet, after in zip(sheets, classify(*giro), strict=True):
        if after.ended:
            continue
        best = max((row.score for row in after.gc if row.state is GcState.IN), default=None)
        reinstated = {ruling.rider for ruling in sheet.rulings if ruling.kind is RulingKind.REINSTATEMENT}
        for row in after.gc:
            if row.why_out is OutReason.LAPPED and row.out_after == sheet.stage:
                assert best - row.score >= options.gc_loop
                assert row.parts[-1].kind is PartKind.LAPPED
            elif row.state is GcState.IN and row.rider not in reinstated:
                assert row.gap < options.gc_loop


@settings(deadline=None)
@given(giros())
def test_placings_are_shared_1_2_2_4(giro):
    for after in classify(*giro):
        crossed = sorted(row.crossed for row in after.result if row.crossed is not None)
        assert all(place == crossed.index(place) + 1 for place in crossed)
        for row in after.result:
            if row.place is not None:
                assert (row.place, row.status) == (row.crossed, Status.FINISHED)


@settings(deadline=None)
@given(giros())
def test_team_totals_are_the_sums_of_their_stages_and_ranks_are_shared_1_2_2_4(giro):
    running = {}
    for after in classify(*giro):
        ranks = [row.rank for row in after.teams if row.rank is not None]
        assert all(rank == ranks.index(rank) + 1 for rank in ranks)
        results = {row.rider: row for row in after.result}
        for row in after.teams:
            if row.stage_value is not None:
                running[row.team] = running.get(row.team, 0) + row.stage_value
                assert len(row.counted) == row.count <= row.finishers
                assert row.stage_value == sum(results[rider].result for rider in row.counted)
                assert {results[rider].team for rider in row.counted} == {row.team}
            if row.total is not None:
                assert row.total == running[row.team]
            assert (row.state is TeamState.IN) == (row.rank is not None) == (row.gap is not None)
            assert (row.state is TeamState.UNRANKED) == (row.unranked_since is not None)
            if row.rank is not None:
                assert row.gap == row.total - after.teams[0].total >= 0
