"""Import, what changed between two versions, and what the classification is given."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.classification.giro import BonusWon, Entrant, GcState, Line, StageSheet, classify
from league.classification.status import Kind, Status
from league.sheets.giro import (
    WHOLE_SHEET,
    Level,
    SheetContent,
    blocks_official,
    diff,
    examine,
    examine_import,
    from_import,
    read,
    to_stage_sheet,
)

from .builders import (
    BLUE,
    COLLI_ROAD,
    CRONO,
    GREEN,
    ITT,
    LAGUNA,
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
    itt,
    one,
    road,
    stage_3,
    ttt,
)

STAGE_1_JSON = """
{"stage":1,"kind":"road","course":"pianura","peloton_turn":14,"bonus":[{"token":1,"rider":31}],
 "riders":[{"id":11,"turn":12,"order":1,"energy":3},{"id":21,"turn":12,"order":2,"energy":9},
           {"id":31,"turn":13,"order":3,"energy":11},{"id":12,"turn":14,"order":4,"energy":18},
           {"id":32,"turn":14,"order":5,"energy":22},{"id":22,"turn":17,"order":6,"energy":0}]}
"""


def sheet_1(**changed):
    return json.loads(STAGE_1_JSON) | changed


def rows(*changes):
    """The rows of stage 1, each change merged into the row of its bib."""
    by_bib = {row["id"]: row for row in sheet_1()["riders"]}
    for change in changes:
        by_bib[change["id"]] = by_bib.get(change["id"], {}) | change
    return list(by_bib.values())


def test_an_imported_sheet_is_the_sheet_that_is_typed():
    reading = examine_import(sheet_1(), ROAD)

    assert reading.findings == ()
    assert reading.content == read(road(), ROAD).content


def test_an_imported_time_trial_is_the_one_that_is_typed():
    bibs = {A: 11, B: 12, C: 21, D: 31, E: 32, F: 22}
    trial = [
        {"id": bibs[rider], "turn": int(cells["turn"]), "clock": int(cells["clock"]), "energy": int(cells["energy"])}
        for rider, cells in (
            (rider, {cell: itt()[f"{cell}-{rider}"] for cell in ("turn", "clock", "energy")}) for rider in bibs
        )
    ]
    assert examine_import({"kind": "itt", "riders": trial}, ITT).content == read(itt(), ITT).content

    team = [
        {"id": bibs[rider], "turn": int(ttt()[f"turn-{rider}"]), "energy": int(ttt()[f"energy-{rider}"])}
        for rider in bibs
    ]
    imported = examine_import({"kind": "ttt", "clock": ["blue", "WHITE", "Green"], "riders": team}, TTT)
    assert imported.findings == ()
    assert imported.content == read(ttt(), TTT).content


def test_a_rider_who_rides_alone_is_called_by_his_bib_on_the_clock():
    where = context(LAGUNA, alone=(F,))
    riders = [{"id": starter.bib, "turn": 8, "energy": 0} for starter in where.starters]

    reading = examine_import({"kind": "ttt", "clock": ["blue", "white", 22, "green"], "riders": riders}, where)

    assert reading.findings == ()
    assert reading.content.line(F).clock == 3


def test_team_names_match_whatever_bytes_spell_them():
    starters = tuple(
        type(starter)(
            rider=starter.rider, bib=starter.bib, name=starter.name, team=starter.team,
            team_name={"White": "Zoë"}.get(starter.team_name, starter.team_name), carry=0, draft=starter.draft,
        )
        for starter in TTT.starters
    )  # fmt: skip
    where = type(TTT)(kind=TTT.kind, course=TTT.course, starters=starters, time_limit=3)
    riders = [{"id": starter.bib, "turn": 8, "energy": 0} for starter in starters]

    reading = examine_import({"clock": ["blue", "zoe\u0308", "green"], "riders": riders}, where)

    assert reading.findings == ()
    assert reading.content.line(A).clock == 2


def test_null_says_not_arrived_on_the_road_and_a_status_overrules_it():
    gone = {"id": 22, "turn": None, "order": None, "energy": 2}

    assert from_import(sheet_1(riders=rows(gone)), ROAD).content.line(F).status is Status.OTL
    assert from_import(sheet_1(riders=rows(gone | {"status": "dnf"})), ROAD).content.line(F).status is Status.DNF
    assert from_import(sheet_1(peloton_turn=None), ROAD).content.peloton_never is True
    untold = [row if row["id"] != 22 else {"id": 22} for row in sheet_1()["riders"]]
    assert from_import(sheet_1(riders=untold), ROAD).content.line(F).status is Status.UNRESOLVED


@pytest.mark.rule("E9")
def test_null_turns_are_refused_in_a_time_trial():
    riders = [{"id": starter.bib, "turn": 11, "energy": 0} for starter in ITT.starters]
    riders[5]["turn"] = None

    reading = examine_import({"riders": riders}, ITT)

    assert one(reading, "E9", "turn-6").level is Level.REFUSE


@pytest.mark.rule("E1")
def test_a_rider_listed_twice_is_refused_with_both_rows():
    twice = [*sheet_1()["riders"], {"id": 12, "turn": 21, "energy": 10}]

    finding = one(examine_import(sheet_1(riders=twice), ROAD), "E1", "turn-2")

    assert finding.level is Level.REFUSE
    assert finding.message == (
        "12 Kessel is listed twice: turn 14 in row 4, turn 21 in row 7. Keep the right row and take the other out."
    )


@pytest.mark.rule("E1")
def test_a_row_without_a_known_rider_creates_nobody_and_is_named():
    footer = [*sheet_1()["riders"], {"id": "Total", "turn": 82}]

    reading = examine_import(sheet_1(riders=footer), ROAD)

    assert one(reading, "E1", WHOLE_SHEET).message == (
        "Row 7: nobody with bib “Total” is at the start. Take the row out, or mend the bib."
    )
    assert reading.content == read(road(), ROAD).content


@pytest.mark.rule("E1")
def test_a_rider_without_a_row_is_refused():
    reading = examine_import(sheet_1(riders=sheet_1()["riders"][:5]), ROAD)

    assert one(reading, "E1", "turn-6").level is Level.REFUSE


@pytest.mark.parametrize(
    "typed",
    [12.5, "1e3", -3, True, [12], {"turn": 12}, 10**30, 10**5000, float("inf")],
    ids=["fraction", "text", "negative", "truth", "list", "object", "big", "huge", "infinite"],
)
def test_a_value_of_any_type_is_read_as_if_it_were_typed(typed):
    reading = examine_import(sheet_1(riders=rows({"id": 12, "turn": typed})), ROAD)

    assert one(reading, "E2", "turn-2").level is Level.REFUSE
    assert reading.content.line(B).turn is None


def test_an_entry_that_a_sheet_does_not_have_is_named_and_not_swallowed():
    reading = examine_import(sheet_1(riders=rows({"id": 12, "trun": 14})), ROAD)

    assert one(reading, "E1", "turn-2").message == "Not read, because a sheet has no such entry: trun."


def test_a_sheet_of_another_kind_of_stage_is_refused():
    assert one(examine_import(sheet_1(kind="itt"), ROAD), "E9", WHOLE_SHEET).level is Level.REFUSE


@pytest.mark.rule("E8")
@pytest.mark.parametrize(
    ("bonus", "cell"),
    [
        ([{"token": 1, "rider": 31}, {"token": 1, "rider": 32}], "bonus-1"),
        ([{"token": 2, "rider": 31}], "bonus-2"),
        ([{"token": 1, "rider": 99}], "bonus-1"),
        ([{"token": "x", "rider": 31}], WHOLE_SHEET),
        ([{"rider": 31}], WHOLE_SHEET),
        (31, WHOLE_SHEET),
    ],
)
def test_a_wrong_bonus_entry_is_refused(bonus, cell):
    reading = examine_import(sheet_1(bonus=bonus), ROAD)

    assert ("E8", Level.REFUSE, cell) in [(f.code, f.level, f.cell) for f in reading.findings]


def test_nobody_wins_a_bonus_by_null():
    assert from_import(sheet_1(bonus=[{"token": 1, "rider": None}]), ROAD).content.bonuses == ((1, None),)


@pytest.mark.rule("E9")
@pytest.mark.parametrize("clock", [["blue", "blue", "green"], ["blue", "red", "green"], "blue", [None, 3, []]])
def test_a_wrong_list_of_teams_is_refused(clock):
    riders = [{"id": starter.bib, "turn": 8, "energy": 0} for starter in TTT.starters]

    reading = examine_import({"clock": clock, "riders": riders}, TTT)

    assert ("E9", Level.REFUSE, WHOLE_SHEET) in [(f.code, f.level, f.cell) for f in reading.findings]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(
        st.sampled_from(["riders", "id", "turn", "bonus", "token", "rider", "clock", "kind", "peloton_turn", "status"])
        | st.text(max_size=5),
        inner,
        max_size=6,
    ),
    max_leaves=30,
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(data=json_values, where=st.sampled_from([ROAD, ITT, TTT]))
def test_no_json_breaks_the_door(data, where):
    reading = examine_import(data, where)

    assert blocks_official(reading.findings)


# What changed.


def test_an_unchanged_sheet_has_no_differences_whatever_was_ticked():
    old = read(stage_3(), COLLI_ROAD).content
    new = read(confirmed(stage_3(), COLLI_ROAD), COLLI_ROAD).content

    assert diff(old, new, COLLI_ROAD) == ()
    assert old != new
    assert old.same_facts(new)


def test_every_changed_fact_is_told_in_words():
    old = read(road(), ROAD).content
    new = read(
        road(peloton="", never="on", bonus_1="nobody", turn_1="13", energy_2="", turn_6="", place_6="", status_6="dnf"),
        ROAD,
    ).content

    assert [tuple(change) for change in diff(old, new, ROAD)] == [
        ("Peloton's turn", "14", "never"),
        ("Bonus at 30", "31 Quist", "nobody"),
        ("Turn of 11 Sarti", "12", "13"),
        ("Energy of 12 Kessel", "18", "not told"),
        ("Status of 22 Lund", "arrived", "did not finish"),
        ("Turn of 22 Lund", "17", "not told"),
        ("Place of 22 Lund", "6", "not told"),
    ]
    assert not old.same_facts(new)


def test_a_changed_team_clock_is_told_once_per_team():
    old = read(ttt(), TTT).content
    new = read(ttt(**{f"teamclock_{WHITE}": "3", f"teamclock_{GREEN}": "2"}), TTT).content

    assert [tuple(change) for change in diff(old, new, TTT)] == [
        ("Clock place of White", "2", "3"),
        ("Clock place of Green", "3", "2"),
    ]


def test_a_first_version_differs_from_nothing_in_everything_that_is_told():
    changes = diff(SheetContent(), read(itt(), ITT).content, ITT)

    assert ("Turns of 21 Venn", "not told", "11") in [tuple(change) for change in changes]
    assert ("Clock place of 21 Venn", "not told", "1") in [tuple(change) for change in changes]


# What the classification is given.


def test_a_sheet_becomes_what_the_classification_counts():
    sheet = to_stage_sheet(read(road(), ROAD).content, ROAD, stage=101)

    assert (sheet.stage, sheet.kind, sheet.peloton_turn) == (101, Kind.ROAD, 14)
    assert sheet.bonuses == (BonusWon(token=1, rider=D),)
    assert sheet.lines[0] == Line(rider=A, status=Status.FINISHED, turn=12, place=1, clock=None, energy=3, team=WHITE)


def test_the_only_rider_in_the_earliest_turn_is_written_down_as_winner():
    cells = road(turn_3="13", **{f"place_{rider}": "" for rider in (A, B, C, D, E, F)})

    sheet = to_stage_sheet(read(cells, ROAD).content, ROAD, stage=1)

    assert {line.rider: line.place for line in sheet.lines if line.place is not None} == {A: 1}


def test_arrived_without_a_turn_is_unresolved_for_the_classification_and_so_is_a_place_without_one():
    sheet = to_stage_sheet(read(road(turn_6="", status_6="finished"), ROAD).content, ROAD, stage=1)

    line = next(line for line in sheet.lines if line.rider == F)
    assert (line.status, line.turn, line.place) == (Status.UNRESOLVED, None, None)


def test_a_peloton_that_never_arrived_has_no_turn_and_nobody_wins_no_bonus():
    sheet = to_stage_sheet(read(road(peloton="", never="on", bonus_1="nobody"), ROAD).content, ROAD, stage=1)

    assert (sheet.peloton_turn, sheet.bonuses) == (None, ())


def test_the_team_of_the_day_and_the_clock_of_the_team_come_along():
    sheet = to_stage_sheet(read(ttt(), TTT).content, TTT, stage=1)

    assert {(line.team, line.clock) for line in sheet.lines} == {(WHITE, 2), (BLUE, 1), (GREEN, 3)}


def test_a_line_of_somebody_who_is_no_longer_at_the_start_comes_along():
    content = read(road(), ROAD).content

    sheet = to_stage_sheet(content, context(riders=(A, B, C, D, E)), stage=1)

    assert isinstance(sheet, StageSheet)
    assert [(line.turn, line.team) for line in sheet.lines if line.rider == F] == [(17, None)]


@pytest.mark.rule("GI-D1-04", "GI-D1-05")
def test_the_typed_sheets_of_the_worked_example_put_venn_in_pink():
    typed = ((road(), ROAD), (itt(), context(CRONO)), (confirmed(stage_3(), COLLI_ROAD), COLLI_ROAD))
    sheets = [
        to_stage_sheet(examine(cells, where).content, where, stage=number)
        for number, (cells, where) in enumerate(typed, start=1)
    ]
    entrants = [Entrant(rider=starter.rider, draft=starter.draft) for starter in ROAD.starters]

    after = classify(entrants, sheets)

    assert [stage.wearer for stage in after] == [A, C, C]
    assert [(row.rider, row.score) for row in after[2].gc if row.state is GcState.IN] == [
        (C, 1), (A, -3), (E, -3), (D, -8),
    ]  # fmt: skip
