"""The checks of the sheet, by their numbers: what is refused, asked about, missing, or only noted."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.sheets.breaking_away import (
    WHOLE_SHEET,
    Level,
    Team,
    blocks_official,
    blocks_provisional,
    cells_of,
    cells_of_outcome,
    diff,
    examine,
    outcome,
)
from rules.breaking_away.data import POINTS_FINISH, POINTS_SPRINT

from .builders import FULL, POINTS, RACE, confirmed, context, found, full, said

REFUSE, ASK, MISSING, NOTE = Level.REFUSE, Level.ASK, Level.MISSING, Level.NOTE
S1, S2, F = "line-1", "line-2", "line-3"


def places(cells, where=RACE):
    return [(row["id"], row["place"]) for row in outcome(examine(cells, where).content, where)["teams"]]


def test_a_full_sheet_has_nothing_to_be_said_about_it():
    sheet = examine(FULL, RACE)

    assert sheet.findings == ()
    assert not blocks_official(sheet.findings)
    assert {row["id"]: row["points"] for row in outcome(sheet.content, RACE)["teams"]} == POINTS


# ---- 01: the lines are there ---------------------------------------------------------------------------------------------
@pytest.mark.rule("BA-VAL-01")
def test_an_empty_sheet_and_a_line_that_is_not_told_stop_publication():
    assert found({}) == [("BA-VAL-01", MISSING, WHOLE_SHEET)]
    assert found(full(line_2="")) == [("BA-VAL-01", MISSING, S2)]
    assert blocks_provisional(examine(full(line_2=""), RACE).findings)


@pytest.mark.rule("BA-VAL-01")
def test_exactly_eight_are_at_the_finish():
    assert found(full(line_3="R1 W3 B1 G1 B2 R4 W1")) == [("BA-VAL-01", MISSING, F)]
    assert "with 8 at the finish, and 7 are told" in said(full(line_3="R1 W3 B1 G1 B2 R4 W1"), "BA-VAL-01", F)
    assert found(full(line_3=FULL[F] + " R2")) == [("BA-VAL-01", REFUSE, F)]


@pytest.mark.rule("BA-VAL-01", "BA-VAL-05")
def test_more_are_at_the_finish_where_the_turn_is_ridden_to_its_end():
    assert found(full(line_3=FULL[F] + " R2"), context(end_mode="complete_turn")) == [("BA-VAL-05", NOTE, F)]


@pytest.mark.rule("BA-VAL-01")
def test_with_fewer_left_in_the_race_than_eight_so_many_end_it():
    left = {"R1", "R4", "W1", "W3", "B1", "B2"}
    retired = [f"{team}{number}" for team in "RWBG" for number in "1234" if f"{team}{number}" not in left]
    told = full(retired=" ".join(retired), line_3="R1 W3 B1 B2 R4 W1")

    assert found(told) == []
    assert found(told | {F: "R1 W3 B1 B2 R4"}) == [("BA-VAL-01", MISSING, F)]


@pytest.mark.rule("BA-VAL-01")
def test_a_race_that_was_given_up_has_no_quota_and_one_that_has_it_was_not_given_up():
    assert found(full(line_3="R1 W3", abandoned="on")) == []
    assert found(full(line_2="", line_3="", abandoned="on")) == []
    assert found(full(abandoned="on")) == [("BA-VAL-01", REFUSE, "abandoned")]
    assert found(full(abandoned="perhaps"), code="BA-VAL-01") == [("BA-VAL-01", REFUSE, "abandoned")]


# ---- 02, 03: who is on a line --------------------------------------------------------------------------------------------
@pytest.mark.rule("BA-VAL-02")
@pytest.mark.parametrize("wrong", ["R5", "R0", "Z1", "Anna", "99", "🚲"])
def test_nobody_is_on_a_line_who_does_not_exist(wrong):
    cells = full(line_1=f"B1 {wrong} B2 R1 G2 W1 R4 G1")

    assert found(cells) == [("BA-VAL-02", REFUSE, S1)]
    assert f"Place 2: nobody here is called “{wrong}”" in said(cells, "BA-VAL-02", S1)


@pytest.mark.rule("BA-VAL-02")
def test_nobody_crosses_a_line_twice():
    cells = full(line_1="B1 W3 B2 B1 G2 W1 R4 G1")

    assert found(cells) == [("BA-VAL-02", REFUSE, S1)]
    assert "stands there as 1 and 4" in said(cells, "BA-VAL-02", S1)


@pytest.mark.rule("BA-VAL-02")
@pytest.mark.parametrize(
    "typed",
    [
        "b1, w3 b2\nr1; g2 W-1 R.4 G1",
        "1. B1\n2. W3\n3. B2\n4. R1\n5. G2\n6. W1\n7. R4\n8. G1",
        "31 23 32 11 42 21 14 41",
    ],
)
def test_cyclists_are_read_as_people_write_them(typed):
    assert examine(full(line_1=typed), RACE).content == examine(FULL, RACE).content


@pytest.mark.rule("BA-VAL-02")
def test_who_retired_is_somebody():
    assert found(full(retired="R9")) == [("BA-VAL-02", REFUSE, "retired")]
    assert found(full(retired="R")) == [("BA-VAL-02", REFUSE, "retired")]


@pytest.mark.rule("BA-VAL-02")
def test_a_sheet_whose_team_has_left_the_start_list_names_who_is_too_many():
    fewer = context("RWB")
    content = examine(FULL, RACE).content

    cells = cells_of(content, RACE)

    assert {(one.code, one.level, one.cell) for one in examine(cells, fewer).findings} == {
        ("BA-VAL-02", REFUSE, S1), ("BA-VAL-02", REFUSE, S2), ("BA-VAL-02", REFUSE, F),
    }  # fmt: skip


@pytest.mark.rule("BA-VAL-03")
def test_a_team_is_at_most_four_times_on_a_line_named_or_not():
    assert found(full(line_1="B B B B1 W R G W")) == []
    assert found(full(line_1="B B B B1 B W R G"), code="BA-VAL-03") == [("BA-VAL-03", REFUSE, S1)]
    assert "Carla" in said(full(line_1="B B B B1 B W R G"), "BA-VAL-03", S1)


# ---- 04, 05, 06: how many ------------------------------------------------------------------------------------------------
@pytest.mark.rule("BA-VAL-04")
def test_a_short_sprint_is_asked_about_and_a_tick_confirms_that_number():
    left = ("R1", "W3", "B1", "G1", "B2", "R4")
    gone = [name for name in RACE.racers if name not in left]
    cells = {S1: "B1 W3 B2 R1 R4 G1", S2: "W3 B1 R1 B2 G1 R4", F: "R1 W3 B1 G1 B2 R4", "retired": " ".join(gone)}

    assert found(cells) == [("BA-VAL-04", ASK, S1), ("BA-VAL-04", ASK, S2)]
    ticked = confirmed(cells, RACE)
    assert not blocks_official(examine(ticked, RACE).findings)
    assert [one.is_confirmed for one in examine(ticked, RACE).findings] == [True, True]
    assert ("BA-VAL-04", ASK, S1) in found(ticked | {S1: cells[S1] + " G2"})


@pytest.mark.rule("BA-VAL-04")
def test_a_line_that_all_cyclists_crossed_is_not_short():
    nine = [
        {"id": "S1", "kind": "sprint", "at": 15, "points": [5] * 20},
        {"id": "F", "kind": "finish", "at": 40, "points": [9]},
    ]
    where = context("RWB", course={"id": "own", "circuit": None, "lines": nine})
    everybody = " ".join(where.racers)

    assert found({S1: everybody, "line-2": "R1"}, where, "BA-VAL-04") == []


@pytest.mark.rule("BA-VAL-05")
def test_rows_after_the_eighth_are_taken_and_score_nothing():
    cells = full(line_1=FULL[S1] + " R2 W4")

    assert found(cells) == [("BA-VAL-05", NOTE, S1)]
    assert {row["id"]: row["points"] for row in outcome(examine(cells, RACE).content, RACE)["teams"]} == POINTS


@pytest.mark.rule("BA-VAL-06")
def test_a_place_of_which_nothing_is_known_stops_publication_for_the_points_would_not_add_up():
    cells = full(line_1="B1 W3 ? R1 G2 W1 R4 G1")

    assert found(cells) == [("BA-VAL-06", MISSING, S1)]
    assert "place 3 at sprint 1" in said(cells, "BA-VAL-06", S1)
    assert blocks_provisional(examine(cells, RACE).findings)
    assert found(full(line_1="B1 W3 B R1 G2 W1 R4 G1")) == []


@pytest.mark.rule("BA-VAL-06")
@given(st.permutations(sorted(RACE.racers)), st.permutations(sorted(RACE.racers)), st.integers(1, 12), st.randoms())
def test_points_of_each_line_add_up_to_its_table_and_full_lines_to_156(first, second, rows, rng):
    """Whatever is crossed in whatever order, named or only by team."""
    names = [name if rng.random() < 0.7 else name[0] for name in first[:rows]]
    finish = [name for name in second if name in first[:rows]][:8]
    cells = {S1: " ".join(names), S2: " ".join(second), F: " ".join(finish), "abandoned": "on"}

    sheet = examine(cells, RACE)

    told = outcome(sheet.content, RACE)
    sums = {line: sum(row["lines"][line] for row in told["teams"]) for line in ("S1", "S2", "F")}
    assert sums == {"S1": sum(POINTS_SPRINT[:rows]), "S2": 39, "F": sum(POINTS_FINISH[: len(finish)])}
    assert told["points"] == sum(sums.values())
    if rows >= 8 and len(finish) == 8:
        assert tuple(sums.values()) == (39, 39, 78)
        assert told["points"] == 156


# ---- 07, 09: who can be at the finish ------------------------------------------------------------------------------------
@pytest.mark.rule("BA-VAL-07")
def test_a_finisher_is_on_a_sprint_that_fewer_than_eight_crossed():
    cells = full(line_1="B1 W3 B2 R1 G2 W1 G1")

    assert ("BA-VAL-07", REFUSE, F) in found(cells)
    assert "R4 is at the finish and not at sprint 1" in said(cells, "BA-VAL-07", F)
    assert "G2 is" not in said(cells, "BA-VAL-07", F)


@pytest.mark.rule("BA-VAL-07")
def test_a_row_that_names_only_the_team_may_be_any_of_its_cyclists_and_no_more_than_one():
    quota = context(course={"id": "own", "circuit": None, "finish_quota": 3, "lines": [
        {"id": "S1", "kind": "sprint", "at": 20, "points": [5, 4, 3, 2, 1]},
        {"id": "F", "kind": "finish", "at": 40, "points": [9, 5, 1]},
    ]})  # fmt: skip

    assert found({S1: "R1 R W", "line-2": "R2 R W"}, quota, "BA-VAL-07") == []
    assert found({S1: "R1 R W", "line-2": "R2 R3 W"}, quota, "BA-VAL-07") == [("BA-VAL-07", REFUSE, "line-2")]
    assert found({S1: "R1 W W", "line-2": "R R W"}, quota, "BA-VAL-07") == [("BA-VAL-07", REFUSE, "line-2")]
    assert found({S1: "R1 R W", "line-2": "R2 R R"}, quota, "BA-VAL-07") == [("BA-VAL-07", REFUSE, "line-2")]


@pytest.mark.rule("BA-VAL-07")
def test_a_sprint_with_eight_rows_may_leave_out_whom_it_gave_no_points():
    assert "R2" not in FULL[S1]
    assert found(full(line_3="R1 W3 B1 G1 B2 R4 W1 R2")) == []


@pytest.mark.rule("BA-VAL-09")
def test_nobody_who_retired_is_at_the_finish():
    assert found(full(retired="G4")) == []
    assert found(full(retired="G1 G4")) == [("BA-VAL-09", REFUSE, F)]
    assert "G1 is at the finish and has retired" in said(full(retired="G1"), "BA-VAL-09", F)


@pytest.mark.rule("BA-VAL-09")
def test_no_team_has_more_at_the_finish_than_cyclists_that_have_not_retired():
    assert found(full(line_3="R W B G B R W G", retired="G3 G4")) == []
    assert found(full(line_3="R W B G B R W G", retired="G2 G3 G4")) == [("BA-VAL-09", REFUSE, F)]


# ---- 08: totals ----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("BA-VAL-08")
def test_totals_that_were_added_up_by_hand_are_compared():
    right = {f"total-{team}": str(points) for team, points in POINTS.items()}

    assert found(FULL | right) == []
    assert found(FULL | right | {"total-W": "54"}) == [("BA-VAL-08", REFUSE, "total-W")]
    assert "W (Bruno) has 45 points by its places, and 54 were typed: +9" in said(
        FULL | {"total-W": "54"}, "BA-VAL-08", "total-W"
    )
    assert found(full(total_W="many")) == [("BA-VAL-08", REFUSE, "total-W")]


# ---- 10: ties ------------------------------------------------------------------------------------------------------------
def level():
    """R and W with 16 points each and nobody at the finish: W 10 + 2 + 4, R 8 + 4 + 3 + 1."""
    return {S1: "W1 R1 B1 G1 R2 G2 W2 G3", S2: "B1 B2 B3 B4 W1 R1 G1 R2", F: "B1 B2 B3 B4 G1 G2 G3 G4"}


@pytest.mark.rule("BA-VAL-10")
def test_a_tie_that_the_finish_does_not_settle_is_asked_about():
    cells = level()

    assert found(cells) == [("BA-VAL-10", ASK, "leftover")]
    assert "R (Anna) and W (Bruno) are level with 16 points" in said(cells, "BA-VAL-10", "leftover")
    assert places(cells | {"leftover": "W R"})[2:] == [("W", 3), ("R", 4)]
    assert places(cells | {"leftover": "R W"})[2:] == [("R", 3), ("W", 4)]
    assert found(cells | {"leftover": "R W"}) == []


@pytest.mark.rule("BA-VAL-10")
def test_who_cannot_say_it_lets_them_share_the_place():
    ticked = confirmed(level(), RACE)

    assert not blocks_official(examine(ticked, RACE).findings)
    assert places(ticked)[2:] == [("R", 3), ("W", 3)]


@pytest.mark.rule("BA-VAL-10")
def test_an_order_that_leaves_one_of_them_out_is_no_answer():
    assert found(level() | {"leftover": "R"}) == [("BA-VAL-10", ASK, "leftover")]
    assert found(level() | {"leftover": "R Z"}, code="BA-VAL-10")[0] == ("BA-VAL-10", REFUSE, "leftover")
    assert found(level() | {"leftover": "R R W"}, code="BA-VAL-10") == [("BA-VAL-10", REFUSE, "leftover")]


@pytest.mark.rule("BA-VAL-10")
def test_nothing_is_asked_where_the_finish_settles_it_or_a_team_has_nobody_left():
    assert found(level() | {"retired": "R1 R2 R3 R4"}) == []
    assert places(level() | {"retired": "R1 R2 R3 R4"})[2:] == [("W", 3), ("R", 4)]
    both = level() | {"retired": "R1 R2 R3 R4 W1 W2 W3 W4"}
    assert found(both) == []
    assert places(both)[2:] == [("R", 3), ("W", 3)]


@pytest.mark.rule("BA-VAL-10")
def test_level_teams_with_finishers_are_settled_by_the_better_one():
    lines = [{"id": "F", "kind": "finish", "at": 40, "points": [4, 3, 3, 3, 1]}]
    where = context("RWB", course={"id": "own", "circuit": None, "lines": lines})

    assert found({S1: "R1 W1 B1 W2 B2"}, where) == []  # W 6; R, B 4
    assert places({S1: "R1 W1 B1 W2 B2"}, where) == [("W", 1), ("R", 2), ("B", 3)]


# ---- 11: Madison ---------------------------------------------------------------------------------------------------------
MADISON = context("RWBG", variant="madison", madison_small=True)
LAPS = {
    "line-1": "R W B G", "line-2": "W R B G", "line-3": "R W G B", "line-4": "W R G B",
    "laps-R": "0", "laps-W": "0", "laps-B": "1", "laps-G": "0",
}  # fmt: skip


@pytest.mark.rule("BA-VAL-11")
def test_a_madison_is_placed_by_laps_then_points():
    assert found(LAPS, MADISON) == []
    rows = outcome(examine(LAPS, MADISON).content, MADISON)["teams"]
    assert [(row["place"], row["id"], row["laps_down"], row["points"]) for row in rows] == [
        (1, "W", 0, 5 + 3 + 3 + 10), (2, "R", 0, 5 + 3 + 5 + 6), (3, "G", 0, 1 + 1 + 2 + 4), (4, "B", 1, 2 + 2 + 1 + 2),
    ]  # fmt: skip


@pytest.mark.rule("BA-VAL-11")
@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"line-1": "R W R G"}, ("BA-VAL-11", REFUSE, "line-1")),
        ({"line-4": "W R G"}, ("BA-VAL-11", MISSING, "line-4")),
        ({"laps-B": ""}, ("BA-VAL-11", MISSING, "laps-B")),
        ({"laps-B": "-1"}, ("BA-VAL-11", REFUSE, "laps-B")),
        ({"laps-R": "1", "laps-W": "1", "laps-G": "2"}, ("BA-VAL-11", REFUSE, "laps-R")),
        ({"line-1": "R1 W B G"}, ("BA-VAL-02", REFUSE, "line-1")),
        ({"pos-R": "160"}, ("BA-VAL-11", REFUSE, "pos-R")),
    ],
)
def test_what_a_madison_sheet_cannot_say(changed, expected):
    assert expected in found(LAPS | changed, MADISON)


@pytest.mark.rule("BA-VAL-11")
def test_level_teams_of_a_madison_that_did_not_come_to_the_last_line_are_asked_about():
    five = context("RWBGY", variant="madison", madison_small=True)
    six = context("RWBGYP", variant="madison", madison_small=True)
    cells = LAPS | {"laps-Y": "1", "laps-P": "1", "laps-B": "0"}

    assert found(LAPS | {"laps-Y": "1"}, five) == []
    assert found(cells, six) == [("BA-VAL-11", ASK, "leftover")]
    assert places(cells | {"leftover": "P Y"}, six)[4:] == [("P", 5), ("Y", 6)]
    assert places(confirmed(cells, six), six)[4:] == [("Y", 5), ("P", 5)]


@pytest.mark.rule("BA-VAL-11")
def test_retired_teams_of_a_madison_come_last_and_have_no_laps():
    five = context("RWBGY", variant="madison", madison_small=True)
    cells = LAPS | {"retired": "Y", "line-1": "Y R W B"}

    assert found(cells, five) == []
    assert places(cells, five)[-1] == ("Y", 5)
    assert found(cells | {"laps-Y": "2"}, five) == [("BA-VAL-11", REFUSE, "laps-Y")]


@pytest.mark.rule("BA-VAL-11")
def test_where_squares_decide_they_fit_the_lines():
    squares = context("RWBG", variant="madison", madison_small=True, madison_distance="squares")
    cells = {key: text for key, text in LAPS.items() if key.startswith("line")}
    cells |= {"pos-R": "171", "pos-W": "165", "pos-B": "161", "pos-G": "162"}

    assert found(cells, squares) == []
    assert places(cells, squares) == [("R", 1), ("W", 2), ("G", 3), ("B", 4)]
    assert found(cells | {"pos-B": "160"}, squares) == [("BA-VAL-11", REFUSE, "pos-B")]


# ---- the sheet as a whole ------------------------------------------------------------------------------------------------
def test_a_field_that_this_race_has_not_is_refused_when_it_is_filled():
    assert found(full(line_4="R1")) == [("BA-VAL-02", REFUSE, "line-4")]
    assert found(full(total_Z="3")) == [("BA-VAL-08", REFUSE, "total-Z")]
    assert found(full(line_4=" ", csrf="x")) == []


def test_several_players_ride_the_teams_of_a_madison():
    where = context("RWBG", variant="madison", madison_small=True)
    two_each = type(where)(
        options=where.options,
        teams=tuple(Team(id=team.id, seat=seat) for team, seat in zip(where.teams, "AABB", strict=True)),
    )

    assert [row["seat"] for row in outcome(examine(LAPS, two_each).content, two_each)["teams"]] == ["A", "A", "B", "B"]


def test_what_changed_between_two_versions_is_told_in_words():
    old = examine(FULL, RACE).content
    new = examine(full(line_2="W3 B1 R1 B2 W1 G2 R2 G1", retired="G4"), RACE).content

    assert [tuple(change) for change in diff(old, new, RACE)] == [
        ("Sprint 2", "W3 B1 R1 B2 W1 G2 G1 R2", "W3 B1 R1 B2 W1 G2 R2 G1"),
        ("Retired", "not told", "G4"),
    ]
    assert diff(old, old, RACE) == ()


@given(
    st.dictionaries(
        st.sampled_from(
            [*FULL, "retired", "leftover", "abandoned", "total-R", "first", "hand-R1", "turn-1", "turn-2", "turn-x"]
        ),
        st.one_of(
            st.text(max_size=30),
            st.lists(st.sampled_from(["R1", "W2", "B", "?", "7", "+4", "out", "12.", "Z", "-1"]), max_size=12).map(
                " ".join
            ),
        ),
    )
)
def test_no_text_breaks_the_sheet(typed):
    sheet = examine(FULL | typed, RACE)

    assert examine(cells_of(sheet.content, RACE), RACE).content == sheet.content
    if not blocks_provisional(sheet.findings):
        assert sum(row["points"] for row in outcome(sheet.content, RACE)["teams"]) <= 156


@pytest.mark.rule("BA-VAL-10")
def test_the_cells_of_a_race_help_with_ties_only_where_there_are_some():
    alone = outcome(examine(FULL, RACE).content, RACE)
    tied = outcome(examine(level() | {"leftover": "W R"}, RACE).content, RACE)
    two_without_finisher = outcome(examine(level() | {S1: FULL[S1]}, RACE).content, RACE)

    for told in (alone, two_without_finisher):
        assert cells_of_outcome(told, RACE)["leftover"] == ""
    assert cells_of_outcome(tied, RACE)["leftover"] == "W R"
