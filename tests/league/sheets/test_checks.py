"""E1 to E12, good and bad: what is refused, what is asked about, what is only missing."""

import dataclasses

import pytest

from league.classification.status import Kind, Status
from league.sheets.giro import (
    WHOLE_SHEET,
    CourseFacts,
    Level,
    LineEntry,
    SheetContent,
    blocks_official,
    blocks_provisional,
    check,
    examine,
    progress,
    read,
    riders_fit,
    stage_numbers_consecutive,
    start_energy,
    team_turns,
    winner_of,
)

from .builders import (
    BLUE,
    COLLI,
    COLLI_ROAD,
    CRONO,
    FIELD,
    GREEN,
    ITT,
    LAGUNA,
    OWN,
    PIANURA,
    ROAD,
    TTT,
    WHITE,
    A,
    B,
    C,
    D,
    E,
    F,
    confirmed,
    context,
    found,
    itt,
    one,
    road,
    said,
    stage_3,
    ttt,
)

REFUSE, ASK, MISSING, NOTE = Level.REFUSE, Level.ASK, Level.MISSING, Level.NOTE


# The worked example, 7.4.


def test_the_sheets_of_the_worked_example_stand_as_they_are():
    assert found(road(), ROAD) == []
    assert found(itt(), context(CRONO, carry={A: 3, B: 15, C: 9, D: 11, E: 15, F: 0})) == []
    assert found(ttt(), TTT) == []


def test_the_third_stage_of_the_worked_example_asks_about_the_late_rider_alone():
    assert found(stage_3(), COLLI_ROAD) == [("E5", ASK, "turn-2")]

    reading = examine(confirmed(stage_3(), COLLI_ROAD), COLLI_ROAD)

    assert [(finding.level, finding.is_confirmed) for finding in reading.findings] == [(NOTE, True)]
    assert not blocks_official(reading.findings)


# What is missing.


def test_a_blank_sheet_cannot_be_published_and_says_how_to_begin():
    reading = examine({}, ROAD)

    assert one(reading, "E1", WHOLE_SHEET).message == "Nothing is told yet. Begin with the turn of the winner."
    assert {finding.level for finding in reading.findings} == {MISSING}
    assert blocks_provisional(reading.findings)


def test_a_sheet_with_unresolved_riders_can_be_provisional_but_not_official():
    reading = examine(road(turn_6="", place_6="", energy_6=""), ROAD)

    assert [(f.code, f.level, f.cell) for f in reading.findings] == [("E2", MISSING, "turn-6")]
    assert not blocks_provisional(reading.findings)
    assert blocks_official(reading.findings)


@pytest.mark.rule("E3", "E8")
def test_peloton_and_bonus_may_be_told_after_the_provisional_result():
    reading = examine(road(peloton="", bonus_1=""), ROAD)

    assert [(f.code, f.level, f.cell) for f in reading.findings] == [
        ("E3", MISSING, "peloton"),
        ("E8", MISSING, "bonus-1"),
    ]
    assert not blocks_provisional(reading.findings)
    assert blocks_official(reading.findings)


def test_arrived_without_a_turn_is_missing_and_not_a_turn():
    reading = examine(road(turn_6="", status_6="finished"), ROAD)

    assert one(reading, "E2", "turn-6").message == "22 Lund arrived, but in which turn? Type it."
    assert not blocks_provisional(reading.findings)


def test_an_open_ask_stops_both_ways_of_publishing_until_it_is_ticked():
    open_asks = examine(stage_3(), COLLI_ROAD).findings
    ticked = examine(confirmed(stage_3(), COLLI_ROAD), COLLI_ROAD).findings

    assert blocks_provisional(open_asks)
    assert blocks_official(open_asks)
    assert not blocks_official(ticked)


def test_a_tick_for_one_number_says_nothing_about_another():
    cells = confirmed(stage_3(), COLLI_ROAD)

    assert found({**cells, "turn-2": "25"}, COLLI_ROAD) == [("E5", ASK, "turn-2")]
    assert found({**cells, "turn-2": "21"}, COLLI_ROAD) == [("E5", NOTE, "turn-2")]


def test_progress_counts_the_lines_that_are_told_and_nowhere_refused():
    def complete(cells):
        return progress(read(cells, ROAD).content, ROAD)

    assert complete({}) == (0, 6)
    assert complete(road()) == (6, 6)
    assert complete(road(turn_6="", energy_6="", place_6="", status_6="dns")) == (6, 6)
    assert complete(road(energy_6="")) == (5, 6)
    assert complete(road(turn_6="")) == (5, 6)
    assert complete(road(turn_6="11")) == (5, 6)
    assert complete(road(energy_6="n/a")) == (5, 6)


# E1


@pytest.mark.rule("E1")
def test_a_line_of_somebody_who_is_not_at_the_start_is_refused():
    content = read(road(), ROAD).content
    smaller = context(PIANURA, riders=(A, B, C, D, E))

    assert [(f.level, f.cell) for f in check(content, smaller) if f.code == "E1"] == [(REFUSE, "turn-6")]


@pytest.mark.rule("E1")
def test_a_rider_still_in_the_giro_has_a_line():
    content = read(road(), context(PIANURA, riders=(A, B, C, D, E))).content

    (finding,) = [f for f in check(content, ROAD) if f.code == "E1"]
    assert (finding.level, finding.cell) == (REFUSE, "turn-6")
    assert finding.message == "22 Lund is still in the Giro and has no line. Add it; if he did not start, say so."


@pytest.mark.rule("E1")
def test_a_rider_with_two_lines_is_refused_with_both_turns():
    content = read(road(), ROAD).content
    twice = dataclasses.replace(content, lines=(*content.lines, LineEntry(rider=B, status=Status.FINISHED, turn=21)))

    (finding,) = [f for f in check(twice, ROAD) if f.code == "E1"]
    assert (finding.level, finding.cell) == (REFUSE, "turn-2")
    assert finding.message == ("12 Kessel is listed 2 times: 14 and 21. Keep the right line and take the others out.")


# E2


@pytest.mark.rule("E2")
def test_nobody_rides_more_than_13_squares_a_turn_on_a_known_course():
    fast = {"turn_1": "4", "peloton": "8", "energy_1": "3"}  # 49 steps: 4 turns at least
    assert found(road(**fast), ROAD, "E2") == []
    assert found(road(**{**fast, "turn_1": "3"}), ROAD, "E2") == [("E2", REFUSE, "turn-1")]
    assert said(road(turn_1="3"), ROAD, "E2", "turn-1") == (
        "Turn 3 is too early for 11 Sarti: nobody rides more than 13 squares in a turn, and the line is 49 away. "
        "Turn 4 is the earliest: was it later?"
    )


@pytest.mark.rule("E2")
def test_on_a_course_known_by_its_columns_an_early_turn_is_asked_about():
    assert found(road(turn_1="3"), OWN, "E2") == [("E2", ASK, "turn-1")]
    assert found(road(turn_1="4"), OWN, "E2") == []


@pytest.mark.rule("E2")
@pytest.mark.parametrize("where", [ROAD, OWN])
def test_turn_0_is_refused_on_every_course(where):
    assert found(road(turn_1="0"), where, "E2") == [("E2", REFUSE, "turn-1")]


@pytest.mark.rule("E2")
def test_time_trial_turns_have_the_same_floor():
    assert found(itt(turn_3="3"), ITT, "E2") == [("E2", REFUSE, "turn-3")]  # 40 steps: 4 turns
    assert found(ttt(turn_3="3"), TTT, "E2") == []  # 30 steps: 3 turns


@pytest.mark.rule("E2")
@pytest.mark.parametrize("status", ["dns", "dnf"])
def test_a_turn_beside_did_not_start_or_finish_is_refused(status):
    cells = road(status_6=status, place_6="")

    assert found(cells, ROAD) == [("E2", REFUSE, "turn-6")]
    assert said(cells, ROAD, "E2", "turn-6").endswith(
        "22 Lund has one or the other. Clear the turn, or choose “arrived”."
    )


@pytest.mark.rule("E2")
def test_a_turn_beside_withdrawn_is_asked_about():
    cells = road(status_6="withdrawn")

    assert found(cells, ROAD) == [("E2", ASK, "turn-6")]
    assert found(road(status_6="withdrawn", turn_6="", place_6="", energy_6=""), ROAD) == []


@pytest.mark.rule("E2")
@pytest.mark.parametrize("status", ["dns", "dnf", "dsq", "withdrawn"])
@pytest.mark.parametrize(("rider", "place_of_next"), [(A, {"place_3": "1"}), (D, {}), (F, {})])
def test_whoever_is_out_needs_no_turn_no_place_and_no_energy(rider, place_of_next, status):
    blank = {f"{cell}_{rider}": "" for cell in ("turn", "place", "energy")}

    assert found(road(**{**blank, f"status_{rider}": status, "bonus_1": str(B), **place_of_next}), ROAD) == []


# E3


@pytest.mark.rule("E3")
@pytest.mark.parametrize(("turn", "right"), [(7, False), (8, True), (17, True), (18, False)])
def test_over_50_columns_the_peloton_arrives_in_turn_8_to_17(turn, right):
    early = {f"turn_{rider}": "8" for rider in (A, B, C, D, E, F)} if turn < 12 else {}
    cells = road(peloton=str(turn), **early)

    assert found(cells, ROAD, "E3") == ([] if right else [("E3", REFUSE, "peloton")])
    assert found(cells, OWN, "E3") == ([] if right else [("E3", ASK, "peloton")])


@pytest.mark.rule("E3")
def test_an_impossible_peloton_is_told_what_is_possible():
    assert said(road(peloton="41"), ROAD, "E3", "peloton") == (
        "Turn 41 cannot be the peloton's: it rides 3 to 7 squares a turn, so over 50 columns it arrives in turn 8 to 17. "
        "Is it one of these, or did it never arrive?"
    )


@pytest.mark.rule("E3")
def test_a_peloton_that_never_arrived_stands_if_everybody_was_there_before():
    assert found(road(peloton="", never="on"), ROAD) == []  # the last in turn 17, the slowest peloton in turn 17
    assert found(road(peloton="", never="on", turn_6="18"), ROAD) == [("E3", REFUSE, "never")]
    assert found(road(peloton="", never="on", turn_6="18"), OWN) == [("E3", ASK, "never")]


@pytest.mark.rule("E3")
def test_riders_who_left_the_race_do_not_keep_a_peloton_waiting():
    cells = road(peloton="", never="on", turn_6="", place_6="", energy_6="", status_6="dnf")

    assert found(cells, ROAD) == []


@pytest.mark.rule("E3")
def test_never_arrived_and_a_turn_are_one_too_many():
    assert found(road(never="on"), ROAD) == [("E3", REFUSE, "never")]


# E4


@pytest.mark.rule("E4")
def test_nobody_crosses_before_the_winner():
    assert said(road(turn_4="11"), ROAD, "E4", "turn-4") == (
        "Turn 11 is earlier than the winner's 12. Nobody can cross before the winner: is it 13, or did 31 Quist win?"
    )
    assert found(road(turn_4="11"), ROAD) == [("E4", REFUSE, "turn-4")]


@pytest.mark.rule("E4")
def test_a_winner_after_everybody_else_is_told_once_and_at_his_turn():
    assert found(road(turn_1="21"), ROAD, "E4") == [("E4", REFUSE, "turn-1")]


@pytest.mark.rule("E4")
def test_two_winners_are_refused_at_both_places():
    assert found(road(place_3="1"), ROAD) == [("E4", REFUSE, "place-1"), ("E4", REFUSE, "place-3")]
    assert said(road(place_3="1"), ROAD, "E4", "place-3") == (
        "Place 1 is taken twice: by 21 Venn and by 11 Sarti. Who crossed before whom?"
    )


@pytest.mark.rule("E4")
def test_no_place_is_given_twice():
    assert found(road(place_5="4"), ROAD) == [("E4", REFUSE, "place-2"), ("E4", REFUSE, "place-5")]


@pytest.mark.rule("E4")
def test_places_never_contradict_turns():
    assert found(road(place_4="4", place_2="3"), ROAD) == [("E4", REFUSE, "place-4")]
    assert said(road(place_4="4", place_2="3"), ROAD, "E4", "place-4") == (
        "Place 4 in turn 13 comes after place 3, 12 Kessel, in turn 14. Change the places, or correct a turn."
    )
    assert found(road(place_5="4", place_2="5"), ROAD) == []  # both in turn 14


@pytest.mark.rule("E4", "GI-D1-06")
def test_places_after_the_winner_may_be_blank():
    blank = {f"place_{rider}": "" for rider in (B, C, D, E, F)}

    assert found(road(**blank), ROAD) == []


@pytest.mark.rule("E4")
def test_a_place_that_a_rider_without_one_has_already_taken_is_asked_about():
    cells = road(place_4="", place_2="3", place_5="", place_6="")

    assert found(cells, ROAD) == [("E4", ASK, "place-2")]
    assert said(cells, ROAD, "E4", "place-2") == (
        "Place 3 for 12 Kessel, but 3 crossed in earlier turns (31 Quist too). Is it right?"
    )


@pytest.mark.rule("E4")
def test_a_place_beyond_the_field_is_asked_about():
    assert found(road(place_6="66"), ROAD) == [("E4", ASK, "place-6")]


@pytest.mark.rule("E4", "GI-F-02")
def test_the_only_rider_in_the_earliest_turn_has_won_without_being_asked():
    cells = road(turn_3="13", place_1="", place_3="", place_4="", place_2="", place_5="", place_6="")

    assert found(cells, ROAD) == [("E4", NOTE, "place-1")]
    assert winner_of(read(cells, ROAD).content, ROAD) == A


@pytest.mark.rule("E4")
def test_several_riders_in_the_earliest_turn_and_nobody_first_is_refused_at_their_places():
    blank = {f"place_{rider}": "" for rider in (A, B, C, D, E, F)}

    assert found(road(**blank), ROAD) == [("E4", REFUSE, "place-1"), ("E4", REFUSE, "place-3")]
    assert said(road(**blank), ROAD, "E4", "place-3") == (
        "11 Sarti and 21 Venn both crossed in turn 12, the earliest. Who crossed first? Give him place 1."
    )
    assert said(road(**blank, turn_4="12"), ROAD, "E4", "place-4") == (
        "11 Sarti, 21 Venn and 31 Quist all crossed in turn 12, the earliest. Who crossed first? Give him place 1."
    )
    assert winner_of(read(road(**blank), ROAD).content, ROAD) is None


@pytest.mark.rule("E4")
def test_a_best_place_that_is_not_the_first_is_refused():
    cells = road(turn_3="13", place_1="2", place_3="3", place_4="4", place_2="", place_5="", place_6="")

    assert found(cells, ROAD) == [("E4", REFUSE, "place-1")]


@pytest.mark.rule("E4")
def test_nothing_is_published_while_the_winner_has_no_turn():
    reading = examine(road(turn_1=""), ROAD)

    assert ("E4", MISSING, "turn-1") in [(f.code, f.level, f.cell) for f in reading.findings]
    assert blocks_provisional(reading.findings)


@pytest.mark.rule("E4")
@pytest.mark.parametrize("status", ["dns", "dnf", "otl", "withdrawn"])
def test_a_place_beside_a_rider_who_did_not_cross_is_refused(status):
    assert ("E4", REFUSE, "place-6") in found(road(turn_6="", status_6=status), ROAD)


@pytest.mark.rule("E4")
def test_a_disqualified_winner_stays_who_crossed_first():
    cells = road(status_1="dsq")

    assert found(cells, ROAD) == []
    assert winner_of(read(cells, ROAD).content, ROAD) == A


@pytest.mark.rule("E4", "GI-D1-08")
def test_a_stage_without_any_turn_is_asked_about_once():
    cells = {f"status-{rider}": "dnf" for rider in (A, B, C, D, E, F)} | {"peloton": "14", "bonus-1": "nobody"}

    assert found(cells, ROAD) == [("E4", ASK, WHOLE_SHEET)]
    assert not blocks_official(examine(confirmed(cells, ROAD), ROAD).findings)


@pytest.mark.rule("E4")
def test_a_time_trial_has_no_places():
    assert found(itt(place_1="1"), ITT) == [("E4", REFUSE, "place-1")]


# E5


@pytest.mark.rule("E5", "GI-D1-05")
def test_the_third_turn_after_the_peloton_is_in_time_and_the_fourth_is_asked_about():
    assert found(road(turn_6="17"), ROAD) == []
    assert found(road(turn_6="18"), ROAD) == [("E5", ASK, "turn-6")]
    assert said(road(turn_6="18"), ROAD, "E5", "turn-6") == (
        "Turn 18 is more than 3 after the peloton's 14. 22 Lund is out of the Giro."
    )


@pytest.mark.rule("E5")
def test_a_late_rider_is_told_that_his_bonus_lapses():
    assert said(road(turn_6="18", bonus_1="6"), ROAD, "E5", "turn-6") == (
        "Turn 18 is more than 3 after the peloton's 14. 22 Lund is out of the Giro, and his bonus lapses."
    )


@pytest.mark.rule("E5")
def test_the_time_limit_is_the_campaigns():
    strict = dataclasses.replace(ROAD, time_limit=2)

    assert found(road(), strict) == [("E5", ASK, "turn-6")]


@pytest.mark.rule("E5")
def test_not_arrived_in_time_is_asked_about_once():
    cells = road(turn_6="", place_6="", energy_6="", status_6="otl", bonus_1="6")

    assert found(cells, ROAD) == [("E5", ASK, "status-6")]
    assert said(cells, ROAD, "E5", "status-6") == (
        "Not arrived by turn 17 (14 + 3). 22 Lund is out of the Giro, and his bonus lapses."
    )
    assert found(road(turn_6="18", status_6="otl"), ROAD) == [("E5", ASK, "turn-6")]


@pytest.mark.rule("E5", "GI-F-05")
def test_nobody_is_outside_the_limit_within_it_or_without_a_peloton():
    assert found(road(status_6="otl"), ROAD) == [("E5", REFUSE, "status-6")]
    gone = road(peloton="", never="on", turn_6="", place_6="", energy_6="", status_6="otl")
    assert found(gone, ROAD) == [("E5", REFUSE, "status-6")]


@pytest.mark.rule("E5", "GI-D3-01")
def test_a_time_trial_has_no_time_limit():
    cells = itt(turn_6="", clock_6="", energy_6="", status_6="otl")

    assert found(cells, ITT) == [("E5", REFUSE, "status-6")]
    assert found(itt(turn_6="99"), ITT) == []


# E6


@pytest.mark.rule("E6")
def test_a_winner_after_the_peloton_is_asked_about():
    cells = road(peloton="11", turn_6="14", turn_2="14", turn_5="14")

    assert found(cells, ROAD) == [("E6", ASK, "turn-1")]
    assert found({**cells, "peloton": "12"}, ROAD) == []


# E7


@pytest.mark.rule("E7")
@pytest.mark.parametrize(("energy", "level"), [(37, None), (38, ASK), (102, ASK), (103, REFUSE)])
def test_energy_left_has_a_likely_and_an_impossible_bound(energy, level):
    # 32 at the start and 5 from the feed zone: 37. And 5 by a card and 5 a turn in 12 turns: 102.
    assert found(road(energy_1=str(energy)), ROAD) == ([(("E7"), level, "energy-1")] if level else [])


@pytest.mark.rule("E7")
def test_carried_energy_raises_both_bounds():
    where = context(PIANURA, carry={A: 10})

    assert found(road(energy_1="47"), where) == []
    assert found(road(energy_1="112"), where) == [("E7", ASK, "energy-1")]
    assert found(road(energy_1="113"), where) == [("E7", REFUSE, "energy-1")]


@pytest.mark.rule("E7")
def test_whoever_did_not_arrive_has_ridden_until_the_time_limit():
    gone = {"turn_6": "", "place_6": "", "status_6": "dnf"}

    assert found(road(**gone, energy_6="127"), ROAD) == [("E7", ASK, "energy-6")]  # 37 + 5 + 5 · 17
    assert found(road(**gone, energy_6="128"), ROAD) == [("E7", REFUSE, "energy-6")]
    without = road(**gone, peloton="", never="on", energy_6="113")  # until the last crossed, in turn 14: 112
    assert found(without, ROAD) == [("E7", REFUSE, "energy-6")]


@pytest.mark.rule("E7", "GI-D3-02")
def test_a_time_trial_starts_with_half_as_much_again_and_has_no_feed_zone():
    assert found(itt(energy_3="39"), ITT) == []
    assert found(itt(energy_3="40"), ITT) == [("E7", ASK, "energy-3")]
    assert found(itt(energy_3="99"), ITT) == [("E7", ASK, "energy-3")]  # 39 + 5 + 5 · 11
    assert found(itt(energy_3="100"), ITT) == [("E7", REFUSE, "energy-3")]


@pytest.mark.rule("E7")
def test_whoever_arrived_needs_his_energy_before_anything_is_published():
    reading = examine(road(energy_1=""), ROAD)

    assert [(f.code, f.level, f.cell) for f in reading.findings] == [("E7", MISSING, "energy-1")]
    assert blocks_provisional(reading.findings)


@pytest.mark.rule("E7")
def test_energy_below_zero_is_refused_at_every_door():
    content = read(road(), ROAD).content
    lines = tuple(dataclasses.replace(line, energy=-1) if line.rider == A else line for line in content.lines)

    found_there = check(dataclasses.replace(content, lines=lines), ROAD)

    assert [(f.code, f.level, f.cell) for f in found_there] == [("E7", REFUSE, "energy-1")]


# E8


@pytest.mark.rule("E8")
def test_nobody_may_win_a_bonus():
    assert found(road(bonus_1="nobody"), ROAD) == []


@pytest.mark.rule("E8")
def test_a_bonus_goes_to_a_starter_of_the_stage():
    assert found(road(bonus_1="99"), ROAD) == [("E8", REFUSE, "bonus-1")]
    smaller = context(PIANURA, riders=(A, B, C, E, F))
    content = dataclasses.replace(read(road(bonus_1="1"), smaller).content, bonuses=((1, D),))
    assert [(f.level, f.cell) for f in check(content, smaller) if f.code == "E8"] == [(REFUSE, "bonus-1")]


@pytest.mark.rule("E8")
def test_a_bonus_token_is_one_of_the_course():
    assert found(road(bonus_2="4"), ROAD) == [("E8", REFUSE, "bonus-2")]
    assert found(stage_3(bonus_2="4"), COLLI_ROAD, "E8") == []
    content = dataclasses.replace(read(road(), ROAD).content, bonuses=((1, D), (3, D)))
    assert [(f.level, f.cell) for f in check(content, ROAD)] == [(REFUSE, "bonus-3")]


@pytest.mark.rule("E8")
def test_a_bonus_has_one_winner_at_most():
    content = dataclasses.replace(read(road(), ROAD).content, bonuses=((1, D), (1, None)))

    (finding,) = check(content, ROAD)
    assert (finding.level, finding.cell) == (REFUSE, "bonus-1")
    assert finding.message == (
        "This bonus is given to 31 Quist and nobody. One rider at most crosses the line first: keep one."
    )


@pytest.mark.rule("E8")
def test_a_bonus_of_a_rider_who_did_not_start_is_refused_and_of_one_who_left_on_the_road_lapses():
    gone = {"turn_4": "", "place_4": "", "energy_4": ""}

    assert found(road(**gone, status_4="dns"), ROAD) == [("E8", REFUSE, "bonus-1")]
    assert found(road(**gone, status_4="withdrawn"), ROAD) == [("E8", REFUSE, "bonus-1")]
    assert found(road(**gone, status_4="dnf"), ROAD) == [("E8", NOTE, "bonus-1")]


@pytest.mark.rule("E8", "GI-D3-01")
def test_a_time_trial_has_no_bonus():
    assert found(itt(bonus_1="1"), ITT) == [("E8", REFUSE, "bonus-1")]
    content = dataclasses.replace(read(itt(), ITT).content, bonuses=((1, D),))
    assert [(f.code, f.level, f.cell) for f in check(content, ITT)] == [("E8", REFUSE, "bonus-1")]


# E9


@pytest.mark.rule("E9", "GI-D3-12")
def test_without_any_clock_place_the_clock_is_derived():
    blank = {f"clock_{rider}": "" for rider in (A, B, C, D, E, F)}

    assert found(itt(**blank), ITT) == [("E9", NOTE, "clock-1")]
    assert found({cell: text for cell, text in ttt().items() if not cell.startswith("teamclock")}, TTT) == [
        ("E9", NOTE, f"teamclock-{WHITE}")
    ]


@pytest.mark.rule("E9")
def test_clock_places_are_told_of_everybody_or_of_nobody():
    reading = examine(itt(clock_6=""), ITT)

    assert [(f.code, f.level, f.cell) for f in reading.findings] == [("E9", MISSING, "clock-6")]
    assert blocks_provisional(reading.findings)


@pytest.mark.rule("E9")
def test_no_clock_place_is_taken_twice_and_none_lies_outside_the_field():
    assert found(itt(clock_6="5"), ITT) == [("E9", REFUSE, "clock-4"), ("E9", REFUSE, "clock-6")]
    assert found(itt(clock_6="7"), ITT) == [("E9", REFUSE, "clock-6")]
    assert found(itt(clock_6="0"), ITT) == [("E9", REFUSE, "clock-6")]
    assert said(itt(clock_6="7"), ITT, "E9", "clock-6") == (
        "Clock place 7 cannot be 22 Lund's: 6 are on the clock, so it is 1 to 6."
    )


@pytest.mark.rule("E9")
@pytest.mark.parametrize("status", ["dns", "dnf", "dsq", "withdrawn"])
def test_whoever_did_not_arrive_is_no_run(status):
    gone = {"turn_6": "", "energy_6": "", "status_6": status}

    assert found(itt(**gone, clock_6=""), ITT) == []
    assert found(itt(**gone, clock_6="6"), ITT) == [("E9", REFUSE, "clock-6")]
    gone = {"turn_4": "", "energy_4": "", "status_4": status, "clock_4": ""}
    assert found(itt(**gone), ITT) == [("E9", REFUSE, "clock-6")]  # 6 of 5 runs
    assert found(itt(**gone, clock_6="5"), ITT) == []


@pytest.mark.rule("E9")
def test_an_unresolved_rider_keeps_his_clock_place_free():
    assert found(itt(turn_4="", clock_4="", energy_4=""), ITT) == [("E2", MISSING, "turn-4")]


@pytest.mark.rule("E9")
def test_a_disqualified_rider_with_turns_stays_on_the_clock():
    assert found(itt(status_6="dsq"), ITT) == []


@pytest.mark.rule("E9", "GI-D3-01")
def test_a_time_trial_has_no_peloton():
    assert found(itt(peloton="14"), ITT) == [("E9", REFUSE, "peloton")]
    assert found(itt(never="on"), ITT) == [("E9", REFUSE, "never")]


@pytest.mark.rule("E9")
def test_a_road_stage_has_no_clock():
    assert found(road(clock_1="1"), ROAD) == [("E9", REFUSE, "clock-1")]


@pytest.mark.rule("E9", "GI-D3-15")
def test_in_a_team_time_trial_the_runs_are_the_teams():
    blue, green = f"teamclock_{BLUE}", f"teamclock_{GREEN}"

    assert found(ttt(**{green: "4"}), TTT) == [("E9", REFUSE, f"teamclock-{GREEN}")]
    assert found(ttt(**{green: "1"}), TTT) == [
        ("E9", REFUSE, f"teamclock-{BLUE}"),
        ("E9", REFUSE, f"teamclock-{GREEN}"),
    ]
    assert found(ttt(**{green: ""}), TTT) == [("E9", MISSING, f"teamclock-{GREEN}")]
    gone = {f"{cell}_{rider}": "" for cell in ("turn", "energy") for rider in (C, F)}
    out = {"status_3": "dnf", "status_6": "dsq", blue: "", green: "2", f"teamclock_{WHITE}": "1"}
    assert found(ttt(**gone, **out), TTT) == []


@pytest.mark.rule("E9", "GI-D3-15")
def test_a_rider_without_a_team_is_a_run_of_his_own():
    where = context(LAGUNA, alone=(F,))

    assert found(ttt(), where) == [("E9", MISSING, "teamclock-0-6")]
    assert found(ttt(teamclock_0_6="4"), where) == []


@pytest.mark.rule("E9", "E10")
def test_one_team_never_has_two_clock_places():
    content = read(ttt(), TTT).content
    lines = tuple(dataclasses.replace(line, clock=3) if line.rider == F else line for line in content.lines)

    found_there = check(dataclasses.replace(content, lines=lines), TTT)

    assert ("E9", REFUSE, f"teamclock-{BLUE}") in [(f.code, f.level, f.cell) for f in found_there]


# E10


@pytest.mark.rule("E10", "GI-D3-15")
def test_a_team_is_timed_with_its_last_rider():
    assert team_turns(read(ttt(), TTT).content, TTT) == {(WHITE, 0): 9, (BLUE, 0): 8, (GREEN, 0): 10}


@pytest.mark.rule("E10")
def test_every_rider_of_a_team_is_told():
    reading = examine(ttt(turn_6="", energy_6=""), TTT)

    assert [(f.code, f.level, f.cell) for f in reading.findings] == [("E10", MISSING, "turn-6")]
    assert reading.findings[0].message == (
        "Blue is timed with its last rider, and 22 Lund has no result yet. Type his turns, or choose why he has none."
    )
    assert blocks_official(reading.findings)


@pytest.mark.rule("E10")
def test_a_team_rides_on_without_a_rider_who_is_out():
    cells = ttt(turn_6="", energy_6="", status_6="dnf")

    assert found(cells, TTT) == []
    assert team_turns(read(cells, TTT).content, TTT)[(BLUE, 0)] == 8


# E11


@pytest.mark.rule("E11", "GI-D4-02")
def test_a_typed_start_energy_is_the_courses_and_the_carried():
    where = context(COLLI, carry={A: 6})

    assert found(stage_3(start_1="47"), where, "E11") == []
    assert found(stage_3(start_1="45"), where, "E11") == [("E11", REFUSE, "start-1")]
    assert said(stage_3(start_1="45"), where, "E11", "start-1") == (
        "11 Sarti starts with 47: 41 for the course and 6 carried over. 45 was typed: correct it or leave it blank."
    )


@pytest.mark.rule("E11", "GI-D3-02", "GI-D4-02")
def test_the_start_energies_of_the_worked_example():
    carries = {A: 3, B: 15, C: 9, D: 11, E: 15, F: 0}

    assert {rider: start_energy(CRONO, carry) for rider, carry in carries.items()} == {
        A: 42, B: 54, C: 48, D: 50, E: 54, F: 39,
    }  # fmt: skip
    odd = CourseFacts(kind=Kind.ITT, columns=50, milestones=37, fewest_steps=None, bonus=(), feed=0)
    assert start_energy(odd, 0) == 55


# E12


@pytest.mark.rule("E12")
def test_a_race_has_12_riders_at_most():
    assert riders_fit(12)
    assert not riders_fit(13)
    thirteen = tuple(
        dataclasses.replace(ROAD.starters[0], rider=rider, bib=rider, draft=rider) for rider in range(1, 14)
    )

    crowded = check(SheetContent(), dataclasses.replace(ROAD, starters=thirteen))

    assert [(f.level, f.cell) for f in crowded if f.code == "E12"] == [(REFUSE, WHOLE_SHEET)]
    assert [
        f for f in check(SheetContent(), dataclasses.replace(ROAD, starters=thirteen[:12])) if f.code == "E12"
    ] == []


@pytest.mark.rule("E12")
@pytest.mark.parametrize(
    ("orders", "consecutive"),
    [
        ((), True),
        ((1,), True),
        ((3, 1, 2), True),
        ((1, 3), False),
        ((1, 1, 2), False),
        ((0, 1), False),
        ((2, 3), False),
    ],
)
def test_stages_count_without_gap_or_double(orders, consecutive):
    assert stage_numbers_consecutive(orders) is consecutive


# How it is said.


def test_riders_are_named_by_bib_so_that_namesakes_stay_two():
    twins = tuple(
        dataclasses.replace(starter, name="Jan Jansen") if starter.rider in (A, C) else starter
        for starter in ROAD.starters
    )
    where = dataclasses.replace(ROAD, starters=twins)

    assert said(road(place_3="1"), where, "E4", "place-3").startswith(
        "Place 1 is taken twice: by 21 Jansen and by 11 Jansen."
    )


def test_a_name_of_any_kind_can_be_said():
    for name in ("", "%s%(x)d {0}", "</script><b>x", "x" * 10_000, "\u202eעומר", "🚴🏽\u200d♀️"):
        starters = tuple(dataclasses.replace(starter, name=name) for starter in ROAD.starters)
        where = dataclasses.replace(ROAD, starters=starters)

        messages = [finding.message for finding in examine(road(turn_4="11", place_3="1", turn_6="30"), where).findings]

        assert messages
        assert all(len(message) < 400 for message in messages)


def test_the_field_is_that_of_the_worked_example():
    assert [bib for _rider, bib, *_rest in FIELD] == [11, 12, 21, 31, 32, 22]
