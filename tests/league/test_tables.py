"""The tables that page, CSV and JSON are printed from: the worked example to the last cell, every why adds up."""

from collections.abc import Callable

import pytest
from django.http import Http404

from league.book import Book, of, open_book
from league.models import Campaign, Standing
from league.tables import Table, gaps_table, gc_table, stage_table, teams_table
from tests.evening import Evening
from tests.league import giri

pytestmark = pytest.mark.django_db


def book_of(campaign: Campaign, after: str | None = None) -> Book:
    return open_book(campaign, after, wanted=of(Standing.GC, Standing.STAGE, Standing.TEAMS))


def columns(table: Table, *keys: str) -> list[tuple[object, ...]]:
    return [tuple(line.cells[key] for key in keys) for line in table.lines]


# rider, place, change, evenings in pink, score, gap, energy, carry
AFTER_1 = [
    (11, 1, None, 1, 2, 0, 3, 3),
    (31, 2, None, 0, 0, 2, 11, 11),
    (21, 3, None, 0, 0, 2, 9, 9),
    (32, 4, None, 0, -2, 4, 22, 15),
    (12, 5, None, 0, -2, 4, 18, 15),
    (22, 6, None, 0, -5, 7, 0, 0),
]
AFTER_2 = [
    (21, 1, 2, 1, 0, 0, 0, 0),
    (11, 2, -1, 1, -2, 2, 7, 5),
    (12, 3, 2, 0, -3, 3, 2, 2),
    (32, 4, 0, 0, -5, 5, 6, 5),
    (31, 5, -3, 0, -5, 5, 5, 5),
    (22, 6, 0, 0, -12, 12, 1, 1),
]
AFTER_3 = [
    (21, 1, 0, 2, 1, 0, 0, 0),
    (11, 2, 0, 1, -3, 4, 6, 6),
    (32, 3, 1, 0, -3, 4, 4, 4),
    (31, 4, 1, 0, -8, 9, 8, 8),
    (22, None, None, 0, -17, None, 3, None),
    (12, None, None, 0, None, None, 10, None),
]


@pytest.mark.rule("GI-D1-01", "GI-D1-04", "GI-D1-05", "GI-D1-06", "GI-D4-01")
@pytest.mark.parametrize(("after", "expected"), [("1", AFTER_1), ("2", AFTER_2), ("3", AFTER_3)])
def test_the_general_classification_of_the_worked_example(evening: Evening, after: str, expected: list) -> None:
    evening.ride("1", "2", "3")

    table = gc_table(book_of(evening.campaign, after))

    assert columns(table, "bib", "place", "change", "evenings_in_pink", "score", "gap", "energy", "carry") == expected


# rider, place, status, turn, behind, bonuses, move, energy, carry
STAGE_1 = [
    (11, 1, "finished", 12, 0, 0, 2, 3, 3),
    (21, 2, "finished", 12, 0, 0, 0, 9, 9),
    (31, 3, "finished", 13, 1, 1, 0, 11, 11),
    (12, 4, "finished", 14, 2, 0, -2, 18, 15),
    (32, 5, "finished", 14, 2, 0, -2, 22, 15),
    (22, 6, "finished", 17, 5, 0, -5, 0, 0),
]
STAGE_3 = [
    (32, 1, "finished", 15, 0, 0, 2, 4, 4),
    (21, 2, "finished", 15, 0, 1, 1, 0, 0),
    (11, 3, "finished", 16, 1, 0, -1, 6, 6),
    (31, 4, "finished", 18, 3, 0, -3, 8, 8),
    (22, 5, "finished", 20, 5, 0, -5, 3, None),
    (12, None, "otl", 21, 6, 0, None, 10, None),
]


@pytest.mark.parametrize(("number", "expected"), [("1", STAGE_1), ("3", STAGE_3)])
def test_the_road_stages_of_the_worked_example(evening: Evening, number: str, expected: list) -> None:
    evening.ride("1", "2", "3")

    table = stage_table(book_of(evening.campaign), evening.stages[number])

    assert columns(table, "bib", "place", "status", "turn", "behind", "bonuses", "move", "energy", "carry") == expected


@pytest.mark.rule("GI-D3-11", "GI-D3-13")
def test_the_time_trial_of_the_worked_example(evening: Evening) -> None:
    evening.ride("1", "2", "3")

    table = stage_table(book_of(evening.campaign), evening.stages["2"])

    keys = ("bib", "place", "turn", "clock", "addition", "result", "behind", "move", "energy", "carry")
    assert columns(table, *keys) == [
        (21, 1, 11, 1, 0, 11, 0, 0, 0, 0),
        (12, 2, 11, 2, 1, 12, 1, -1, 2, 2),
        (32, 3, 12, 3, 2, 14, 3, -3, 6, 5),
        (11, 4, 13, 4, 2, 15, 4, -4, 7, 5),
        (31, 5, 14, 5, 2, 16, 5, -5, 5, 5),
        (22, 6, 15, 6, 3, 18, 7, -7, 1, 1),
    ]


def test_the_teams_of_the_worked_example_with_every_stage(evening: Evening) -> None:
    evening.ride("1", "2", "3")

    table = teams_table(book_of(evening.campaign))

    keys = ("place", "change", "team", "stage_1", "stage_2", "stage_3", "counted", "finishers", "count", "total", "gap")
    assert columns(table, *keys, "unranked_since") == [
        (1, 1, "Green", 27, 30, 33, "32 31", 2, 2, 90, 0, None),
        (2, 1, "Blue", 29, 29, 35, "21 22", 2, 2, 93, 3, None),
        (None, None, "White", 26, 27, None, None, 1, 2, 53, None, "3"),
    ]


def test_a_short_team_keeps_its_past(evening: Evening) -> None:
    evening.ride("1", "2", "3")

    first = teams_table(book_of(evening.campaign, "1"))
    white = teams_table(book_of(evening.campaign)).lines[-1]

    assert columns(first, "place", "team", "total") == [(1, "White", 26), (2, "Green", 27), (3, "Blue", 29)]
    assert white.why is not None
    assert [line.text for part in white.why.stages for line in part.lines] == [
        "Sarti 12 + Kessel 14",
        "Kessel 12 + Sarti 15",
        "1 of 2 came in",
    ]


def test_the_gaps_of_the_worked_example(evening: Evening) -> None:
    evening.ride("1", "2", "3")

    table = gaps_table(book_of(evening.campaign))

    assert columns(table, "bib", "stage_1", "stage_2", "stage_3") == [
        (21, 2, 0, 0),
        (11, 0, 2, 4),
        (32, 4, 5, 4),
        (31, 2, 5, 9),
        (22, 7, 12, "lapped"),
        (12, 4, 3, "otl"),
    ]


def test_who_left_earlier_is_out_in_every_later_column(evening: Evening) -> None:
    giri.to_the_end(evening)

    kessel = gaps_table(book_of(evening.campaign)).lines[-1].cells

    assert (kessel["bib"], kessel["stage_3"], kessel["stage_4"], kessel["stage_5"]) == (12, "otl", "out", "out")


@pytest.mark.parametrize(
    "prepared",
    [lambda e: e.ride("1", "2", "3"), giri.to_the_end, giri.with_a_missing_result, giri.with_rulings],
    ids=["the worked example", "to the end", "with a missing result", "with rulings"],
)
def test_the_parts_of_every_rider_add_up_to_his_score_and_each_stage_to_his_move(
    evening: Evening, prepared: Callable[[Evening], Evening]
) -> None:
    prepared(evening)
    book = book_of(evening.campaign)

    added = 0
    for stage in book.counted:
        for line in gc_table(book_of(evening.campaign, stage.number)).lines:
            assert line.why is not None
            assert line.why.reason.text
            amounts = [part.amount or 0 for of_stage in line.why.stages for part in of_stage.lines]
            if line.cells["score"] is not None:
                assert sum(amounts) == line.cells["score"] == line.why.total
                added += 1
        for line in stage_table(book, stage).lines:
            if line.why and line.cells["move"] is not None:
                assert sum(part.amount or 0 for part in line.why.stages[0].lines) == line.cells["move"]
                added += 1
        for line in teams_table(book_of(evening.campaign, stage.number)).lines:
            if line.cells["place"] is not None and line.why:
                assert sum(int(part.value or 0) for part in line.why.stages) == line.cells["total"]
                added += 1
    assert added > 10


@pytest.mark.rule("GI-D1-06")
def test_level_riders_name_the_reason_and_the_rule(evening: Evening) -> None:
    evening.ride("1", "2", "3")

    reasons = {line.cells["bib"]: line.why.reason for line in gc_table(book_of(evening.campaign)).lines if line.why}

    assert (reasons[11].text, reasons[11].rule) == ("Level with Marchetti; more energy left, 6 to 4", "GI-D1-06")
    assert (reasons[32].text, reasons[32].rule) == ("Level with Sarti; less energy left, 4 to 6", "GI-D1-06")
    assert (reasons[22].text, reasons[22].rule) == ("18 behind on a track of 18: lapped", "GI-D1-04")
    assert (reasons[12].text, reasons[12].rule) == ("Turn 21; the peloton came in 17, the limit was 20", "GI-D1-05")


def test_a_missing_result_is_never_zero(evening: Evening) -> None:
    giri.with_a_missing_result(evening)
    book = book_of(evening.campaign)

    kessel = gc_table(book).lines[-1]

    assert [kessel.cells[key] for key in ("bib", "place", "score", "gap", "state")] == [
        12,
        None,
        None,
        None,
        "unresolved",
    ]
    assert book.unresolved() == [evening.riders["B"].pk]
    assert [line.cells["bib"] for line in gc_table(book).lines] == [21, 11, 32, 31, 22, 12]
    assert gaps_table(book).lines[-1].cells["stage_2"] == "unresolved"
    white = next(line for line in teams_table(book).lines if line.cells["team"] == "White")
    assert (white.cells["place"], white.cells["total"], white.cells["state"]) == (None, None, "unresolved")


def test_rulings_are_parts_with_their_numbers(evening: Evening) -> None:
    giri.with_rulings(evening)

    lines = {line.cells["bib"]: line for line in gc_table(book_of(evening.campaign)).lines}

    told = {
        bib: [(part.text, part.amount, part.ruling) for stage in line.why.stages for part in stage.lines if part.ruling]
        for bib, line in lines.items()
        if line.why
    }
    assert told[21] == [("penalty, ruling 1", -1, 1)]
    assert told[31] == [("bonus, ruling 2", 2, 2)]
    assert told[32] == [("disqualified, ruling 3", None, 3)]
    assert told[12] == [("stays in, ruling 4", None, 4)]
    assert lines[32].cells["out"] == "dsq"


def test_a_book_is_closed_after_the_stage_that_is_asked_for(evening: Evening) -> None:
    evening.ride("1", "2")

    book = book_of(evening.campaign, "1")

    assert book.after == evening.stages["1"]
    assert [stage.number for stage in book.counted] == ["1"]
    assert [stage.number for stage in book.all_counted] == ["1", "2"]
    assert book.next_stage == evening.stages["3"]


@pytest.mark.parametrize("number", ["3", "6", "", "1a", "\x00", "x" * 300, "²"])
def test_there_is_no_standing_after_a_stage_that_was_not_ridden(evening: Evening, number: str) -> None:
    evening.ride("1", "2")

    with pytest.raises(Http404):
        book_of(evening.campaign, number)


def test_a_transfer_leaves_a_result_with_the_team_of_its_day(evening: Evening) -> None:
    evening.ride("1")
    before = columns(stage_table(book_of(evening.campaign), evening.stages["1"]), "bib", "team")

    spell = evening.players["C"].spells.get()
    spell.team = evening.teams["green"]
    spell.save()
    evening.ride("2")

    assert columns(stage_table(book_of(evening.campaign), evening.stages["1"]), "bib", "team") == before
    second = columns(stage_table(book_of(evening.campaign), evening.stages["2"]), "bib", "team")
    assert (21, "Green") in second


def test_a_merged_player_is_called_by_who_he_turned_out_to_be(evening: Evening) -> None:
    evening.ride("1")
    evening.players["A"].merged_into = evening.players["B"]
    evening.players["A"].save()

    lines = gc_table(book_of(evening.campaign)).lines

    assert next(line.cells["player"] for line in lines if line.cells["bib"] == 11) == "Player B"
