"""The audit of the log sheets: ridden again by the engine, the first discrepancy is reported."""

import pytest

from league.sheets.breaking_away import (
    WHOLE_SHEET,
    Level,
    blocks_official,
    blocks_provisional,
    cells_of_outcome,
    examine,
)
from rules.breaking_away.game import BREAKING_AWAY as GAME

from .builders import confirmed, context, context_of, found, log_cells, one, ridden, said

REFUSE, ASK, NOTE = Level.REFUSE, Level.ASK, Level.NOTE
KERMESSE = context("RWB", course="kermesse-60")
HANDS = {
    f"hand-{team}{number}": hand
    for team in "RWB"
    for number, hand in {1: "12 9 6 3", 2: "11 8 6", 3: "9 7 4", 4: "7 5 4"}.items()
}
"""Everybody has the same first factors."""
TURN_1 = "W1 12, B1 9, R1 6, W2 11, B2 8, R2 6, W3 9, B3 7, R3 4, W4 7, B4 5, R4 4"
"""W begins. They come to 12, 9, 6 and so on; W1 leads alone by 1 over W2 on 11."""


def log(**changed):
    """The log of one turn of a race that was given up after it."""
    return {"abandoned": "on", "first": "W", "turn-1": TURN_1} | HANDS | {
        key.replace("_", "-"): text for key, text in changed.items()
    }  # fmt: skip


def audited(cells, where=KERMESSE):
    return [one for one in found(cells, where) if one[0] in ("BA-VAL-20", "BA-VAL-21")]


@pytest.mark.rule("BA-VAL-20")
def test_a_log_in_which_everything_is_right_is_only_noted():
    assert audited(log()) == [("BA-VAL-20", NOTE, WHOLE_SHEET)]
    assert "1 turn, and nothing disagrees" in said(log(), "BA-VAL-20", WHOLE_SHEET, KERMESSE)


@pytest.mark.rule("BA-VAL-20")
def test_where_no_log_is_typed_nothing_is_said_about_one():
    assert audited({"abandoned": "on"}) == []


@pytest.mark.rule("BA-VAL-20")
@pytest.mark.parametrize(
    ("wrong", "cell", "words"),
    [
        ({"turn_1": TURN_1.replace("R1 6", "R1 5")}, "turn-1", "Turn 1, R1 with factor 5. R1 holds no factor 5; he may spend 3, 6, 9, 12."),
        ({"turn_1": TURN_1.replace("W1 12, B1 9", "B1 9, W1 12")}, "turn-1", "Turn 1, B1 with factor 9. B1 does not move now: W1 does."),
        ({"turn_1": TURN_1.removesuffix(", R4 4"), "turn_2": "W1 9"}, "turn-1", "Turn 1: R4 is to move"),
        ({"turn_1": TURN_1 + ", W1 9"}, "turn-1", "Turn 1: the move of W1 comes after the last one."),
        ({"turn_1": TURN_1.replace("W1 12", "W1 12 +3")}, "turn-1", "Turn 1: W1 wrote down 3 as his new factor, and 1 was due."),
        ({"turn_2": "W1 1, W2 12"}, "turn-2", "Turn 2, W2 with factor 12. W2 holds no factor 12"),
        ({"turn_2": "W1 12"}, "turn-2", "Turn 2, W1 with factor 12. W1 has spent his factor 12"),
        ({"turn_3": "W1 1"}, "turn-2", "Turn 2 is missing in the log."),
        ({"first": ""}, "first", "Who began in turn 1?"),
        ({"first": "B"}, "turn-1", "Turn 1, W1 with factor 12. W1 does not move now: B1 does."),
        ({"abandoned": "", "line_1": "R1 W1 B1 R2 W2 B2 R3 W3", "line_2": "R1 W1 B1 R2 W2 B2 R3 W3"}, "turn-2",
         "The log ends before turn 2, and the race is not over by then."),
        ({"line_1": "W1"}, "line-1", "Place 1 at sprint 1: by the log nobody, by the sheet W1."),
        ({"retired": "B4"}, "retired", "By the log nobody retired, by the sheet B4."),
        ({"turn_1": TURN_1 + ", B4 out"}, "retired", "By the log B4 retired, by the sheet nobody."),
        ({"turn_1": "R4 out " + TURN_1 + ", R4 out"}, "turn-1", "Turn 1, R4 out. It was asked for R4 in this turn already."),
    ],
)  # fmt: skip
def test_the_first_discrepancy_is_reported_with_turn_cyclist_factor_and_hand(wrong, cell, words):
    cells = log(**wrong)

    assert audited(cells) == [("BA-VAL-20", ASK, cell)]
    assert words in said(cells, "BA-VAL-20", cell, KERMESSE)


@pytest.mark.rule("BA-VAL-20")
def test_a_discrepancy_stops_publication_until_somebody_says_that_it_was_ridden_so():
    cells = log(turn_1=TURN_1.replace("R1 6", "R1 5"))

    assert blocks_provisional(examine(cells, KERMESSE).findings)
    ticked = examine(confirmed(cells, KERMESSE), KERMESSE)
    assert not blocks_official(ticked.findings)
    assert one(ticked, "BA-VAL-20", "turn-1").is_confirmed
    elsewhere = confirmed(cells, KERMESSE) | {"turn-1": TURN_1.replace("W2 11", "W2 10")}
    assert audited(elsewhere) == [("BA-VAL-20", ASK, "turn-1")]  # the tick was for another move


@pytest.mark.rule("BA-VAL-20")
def test_only_the_first_of_many_discrepancies_is_reported():
    cells = log(turn_1=TURN_1.replace("R1 6", "R1 5").replace("W3 9", "W3 8"), retired="B4")

    assert audited(cells) == [("BA-VAL-20", ASK, "turn-1")]
    assert "R1 with factor 5" in said(cells, "BA-VAL-20", "turn-1", KERMESSE)


@pytest.mark.rule("BA-VAL-20")
def test_who_retires_leaves_at_the_end_of_the_turn_and_moves_no_more():
    cells = log(turn_1=TURN_1 + ", W1 out", turn_2="W1 3", retired="W1")

    assert "W1 with factor 3. W1 does not move now: W2 does." in said(cells, "BA-VAL-20", "turn-2", KERMESSE)


@pytest.mark.rule("BA-VAL-20")
def test_without_all_first_hands_factors_are_checked_against_what_was_announced():
    cells = log(**{f"hand-{team}{number}": "" for team in "RWB" for number in "1234"})

    assert [one[1] for one in audited(cells)] == [NOTE, NOTE]
    wrong = cells | {"turn-1": TURN_1.replace("W4 7", "W4 15")}  # 15 and at least 1 and 1 are more than 16
    assert audited(wrong) == [("BA-VAL-20", ASK, "turn-1")]
    assert "W4 cannot hold a factor 15" in said(wrong, "BA-VAL-20", "turn-1", KERMESSE)


@pytest.mark.rule("BA-VAL-20")
@pytest.mark.parametrize("text", ["W1", "W1 twelve", "Z1 7", "W 7", "7 W1", "W1 7 +x"])
def test_a_log_that_cannot_be_read_is_refused_where_it_cannot(text):
    assert ("BA-VAL-20", REFUSE, "turn-1") in found(log(turn_1=text), KERMESSE)


@pytest.mark.rule("BA-VAL-20")
def test_a_wrong_place_on_the_sheet_of_a_whole_race_is_found():
    where = context_of("standard")
    moments = ridden("standard", 7)
    engine = GAME.outcome(moments[-1].step.state)
    cells = cells_of_outcome(engine, where) | log_cells(moments, where)
    first, second, *others = engine["lines"]["S2"]

    swapped = cells | {"line-2": " ".join([second, first, *others])}

    assert audited(cells, where) == [("BA-VAL-20", NOTE, WHOLE_SHEET)]
    assert audited(swapped, where) == [("BA-VAL-20", ASK, "line-2")]
    assert f"by the log {first}, by the sheet {second}" in said(swapped, "BA-VAL-20", "line-2", where)


@pytest.mark.rule("BA-VAL-20")
def test_the_log_of_a_madison_is_ridden_with_its_ratings_line_up_and_changes():
    where = context_of("madison")
    moments = ridden("madison", 3)
    cells = cells_of_outcome(GAME.outcome(moments[-1].step.state), where) | log_cells(moments, where)
    laps = next(cell for cell in sorted(cells) if cell.startswith("laps-"))
    turns = [cell for cell in cells if cell.startswith("turn-")]
    everybody = [{turn.replace("turn", "change"): " ".join(where.team_ids)} for turn in turns]

    assert audited(cells, where) == [("BA-VAL-20", NOTE, WHOLE_SHEET)]
    assert audited(cells | {"rating-R": ""}, where) == [("BA-VAL-20", ASK, "rating-R")]
    assert audited(cells | {"lineup-R": ""}, where) == [("BA-VAL-20", ASK, "lineup-R")]
    assert audited(cells | {laps: "3"}, where) == [("BA-VAL-20", ASK, laps)]
    # in some turn two share a square, or rest in each other's way: then not all can change
    assert any(audited(cells | all_change, where) == [("BA-VAL-20", ASK, *all_change)] for all_change in everybody)


@pytest.mark.rule("BA-VAL-21")
@pytest.mark.parametrize(
    ("cyclist", "hand", "rule"),
    [
        ("R4", "0 8 8", "BA-SET-05"),
        ("R1", "16 7 7", "BA-SET-05"),
        ("R2", "5 5 5 10", "BA-SET-04"),
        ("R3", "7 7 7", "BA-SET-04"),
        ("R1", "12 9", "BA-SET-04"),
    ],
)
def test_first_hands_that_the_rules_do_not_allow_are_refused(cyclist, hand, rule):
    cells = log(**{f"hand-{cyclist}": hand})

    assert audited(cells) == [("BA-VAL-21", REFUSE, f"hand-{cyclist}")]
    assert one(examine(cells, KERMESSE), "BA-VAL-21", f"hand-{cyclist}").rule == rule


@pytest.mark.rule("BA-VAL-21")
@pytest.mark.parametrize(
    ("cyclist", "hand"),
    [("R1", "10 10 10"), ("R1", "1, 2, 12, 15"), ("R2", "2 10 13"), ("R4", "1 1 14"), ("R4", "5 5 5")],
)
def test_first_hands_that_the_rules_allow_are_taken(cyclist, hand):
    assert [one for one in audited(log(**{f"hand-{cyclist}": hand})) if one[0] == "BA-VAL-21"] == []


@pytest.mark.rule("BA-VAL-21")
def test_all_points_are_spent_where_that_is_the_rule_and_a_hand_is_made_of_numbers():
    exact = context("RWB", course="kermesse-60", allocation_exact=True)

    assert ("BA-VAL-21", REFUSE, "hand-R4") in audited(log(hand_R4="5 5 5"), exact)
    assert ("BA-VAL-21", REFUSE, "hand-R4") in audited(log(hand_R4="5 five 5"))


@pytest.mark.rule("BA-VAL-21")
def test_the_two_of_a_madison_begin_with_what_their_ratings_allow():
    where = context("RWBG", variant="madison", madison_small=True)
    cells = {"abandoned": "on", "rating-R": "3 4", "hand-R1": "9 7 4", "hand-R2": "9 7 4"}

    assert audited(cells, where) == [("BA-VAL-21", REFUSE, "hand-R2")]
    assert audited(cells | {"rating-R": "2 3"}, where)[0][0] == "BA-VAL-20"


@pytest.mark.rule("BA-VAL-20")
def test_one_player_began():
    assert audited(log(first="W B")) == [("BA-VAL-20", REFUSE, "first")]
