"""From cells to values: what is typed is what is read, and nothing is ever made up."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.classification.status import Kind, Status
from league.sheets.giro import (
    Level,
    LineEntry,
    SheetContent,
    blocks_provisional,
    cells_of,
    check,
    examine,
    progress,
    read,
    to_stage_sheet,
)

from .builders import BLUE, ITT, ROAD, TTT, A, B, C, D, F, confirmed, context, found, itt, one, road, said, ttt

CONTEXTS = (ROAD, ITT, TTT, context(TTT.course, alone=(B, F)))


def test_a_sheet_is_read_as_it_was_typed():
    content = read(road(status_6="dnf", turn_6="", energy_6=""), ROAD).content

    assert content.peloton_turn == 14
    assert content.peloton_never is False
    assert content.bonuses == ((1, D),)
    assert content.line(A) == LineEntry(rider=A, status=Status.FINISHED, place=1, turn=12, energy=3)
    assert content.line(F) == LineEntry(rider=F, status=Status.DNF, place=6)


def test_a_blank_cell_is_not_told_and_never_zero():
    content = read({}, ROAD).content

    assert content == SheetContent(lines=tuple(LineEntry(rider=rider) for rider in range(1, 7)))
    assert {line.status for line in content.lines} == {Status.UNRESOLVED}


def test_a_rider_with_a_turn_and_no_status_has_arrived():
    assert read({"turn-1": "12"}, ROAD).content.line(A).status is Status.FINISHED


@pytest.mark.parametrize("typed", ["1e3", "12.5", "-3", "--", "n/a", "1 2", "twelve", "99999"])
@pytest.mark.parametrize(
    ("cell", "code"),
    [("turn-2", "E2"), ("peloton", "E3"), ("place-2", "E4"), ("energy-2", "E7"), ("start-2", "E11")],
)
def test_unreadable_text_is_refused_at_its_cell_and_quoted(cell, code, typed):
    reading = examine({**road(), cell: typed}, ROAD)

    finding = one(reading, code, cell)
    assert finding.level is Level.REFUSE
    assert f"“{typed}”" in finding.message
    assert "whole number from" in finding.message
    assert blocks_provisional(reading.findings)


def test_a_refused_energy_is_no_energy_and_not_asked_for_again():
    reading = examine(road(energy_2="n/a"), ROAD)

    assert reading.content.line(B).energy is None
    assert found(road(energy_2="n/a"), ROAD) == [("E7", Level.REFUSE, "energy-2")]


def test_an_unreadable_turn_leaves_its_rider_unresolved():
    line = read(road(turn_2="fourteen"), ROAD).content.line(B)

    assert (line.status, line.turn) == (Status.UNRESOLVED, None)


def test_a_status_typed_as_a_turn_is_shown_its_place():
    assert said(road(turn_2="D.N.F."), ROAD, "E2", "turn-2") == (
        "“D.N.F.” is not a number. Leave the turn blank, and choose that under Status."
    )


def test_an_unknown_status_is_refused_and_the_known_ones_are_named():
    message = said(road(status_2="abandoned"), ROAD, "E1", "status-2")

    assert message == (
        "“abandoned” is no status. Choose one: finished, dns, dnf, otl, dsq, withdrawn; or leave it blank."
    )


def test_a_tick_with_another_value_is_refused():
    assert found(road(peloton="", never="maybe"), ROAD, "E3")[0] == ("E3", Level.REFUSE, "never")


def test_a_zero_is_refused_where_counting_starts_at_one_and_read_where_it_does_not():
    assert found(road(turn_2="0"), ROAD, "E2") == [("E2", Level.REFUSE, "turn-2")]
    assert found(road(place_2="0"), ROAD, "E4") == [("E4", Level.REFUSE, "place-2")]
    assert found(road(peloton="0"), ROAD, "E3") == [("E3", Level.REFUSE, "peloton")]
    assert found(road(energy_2="0"), ROAD) == []


def test_the_cells_of_a_strange_rider_are_refused_unless_blank():
    assert found(road(turn_99="12"), ROAD) == [("E1", Level.REFUSE, "turn-99")]
    assert found(road(turn_99=" "), ROAD) == []


def test_keys_that_are_no_cells_are_left_alone():
    assert found({**road(), "csrfmiddlewaretoken": "x", "turn-x": "12", "turn-١": "3"}, ROAD) == []


def test_a_team_has_one_clock_place_for_all_its_riders():
    content = read(ttt(), TTT).content

    assert [content.line(rider).clock for rider in (A, B, C, F)] == [2, 2, 1, 1]


def test_a_rider_without_a_team_is_on_the_clock_alone():
    where = context(TTT.course, alone=(F,))

    content = read(ttt(**{"teamclock_0_6": "4"}), where).content

    assert content.line(F).clock == 4
    assert content.line(C).clock == 1
    assert examine(ttt(**{"teamclock_0_6": "4"}), where).findings == ()


def test_clock_cells_of_another_kind_of_stage_are_refused():
    assert found(ttt(clock_1="2"), TTT) == [("E9", Level.REFUSE, "clock-1")]
    assert found(itt(**{f"teamclock_{BLUE}": "1"}), ITT) == [("E9", Level.REFUSE, f"teamclock-{BLUE}")]
    assert found(ttt(teamclock_99="1"), TTT) == [("E9", Level.REFUSE, "teamclock-99")]


@pytest.mark.parametrize(("cells", "where"), [(road(), ROAD), (itt(), ITT), (ttt(), TTT)])
def test_a_sheet_reopens_with_what_is_stored(cells, where):
    content = read(confirmed(cells, where), where).content

    stored = SheetContent.from_json(content.to_json())

    reopened = cells_of(stored)
    assert {cell: text for cell, text in reopened.items() if text and not cell.startswith("status-")} == {
        cell: text for cell, text in confirmed(cells, where).items() if text
    }
    assert read(reopened, where).content == content


# Any text in any cell.

NUMBER_CELLS = ("place", "turn", "clock", "energy", "start")
keys = st.one_of(
    st.sampled_from(["peloton", "never", "bonus-1", "bonus-2", "bonus-0", f"teamclock-{BLUE}", "teamclock-0-6"]),
    st.builds("{}-{}".format, st.sampled_from([*NUMBER_CELLS, "status", "teamclock"]), st.integers(0, 8)),
    st.from_regex(r"sure-E[0-9]{1,2}-[a-z]+(-[0-9]{1,3}){0,3}", fullmatch=True),
    st.text(max_size=12),
)
texts = st.one_of(
    st.integers(0, 30).map(str),
    st.sampled_from(["on", "nobody", "", " ", "1", "3", "finished", "DNF", "otl", "withdrawn", "unresolved", "12."]),
    st.text(),
)
sheets_of_anything = st.dictionaries(keys, texts, max_size=30)


@settings(max_examples=400, deadline=None)
@given(cells=sheets_of_anything, where=st.sampled_from(CONTEXTS))
def test_no_text_in_any_cell_breaks_the_sheet_or_becomes_a_value_that_was_not_typed(cells, where):
    reading = examine(cells, where)

    content = reading.content
    progress(content, where)
    to_stage_sheet(content, where, stage=1)
    typed = {cell: str(int("0" + "".join(filter(str.isdecimal, text)))) for cell, text in cells.items()}
    if content.peloton_turn is not None:
        assert str(content.peloton_turn) == typed["peloton"]
    for line in content.lines:
        for cell in NUMBER_CELLS:
            value = getattr(line, cell)
            if value is None:
                continue
            if cell == "clock" and where.kind is Kind.TTT:
                team, alone = line.run
                assert str(value) == typed[f"teamclock-0-{alone}" if alone else f"teamclock-{team}"]
            else:
                assert str(value) == typed[f"{cell}-{line.rider}"]
    for token, rider in content.bonuses:
        assert cells[f"bonus-{token}"].strip() == ("nobody" if rider is None else str(rider))
    assert all(cells[sure] == "on" for sure in content.sure)
    assert all(finding.message and finding.code for finding in reading.findings)


@settings(max_examples=300, deadline=None)
@given(cells=sheets_of_anything, where=st.sampled_from(CONTEXTS))
def test_what_was_read_is_read_again_from_its_own_cells(cells, where):
    content = read(cells, where).content

    assert read(cells_of(content), where).content == content


@settings(max_examples=300, deadline=None)
@given(cells=sheets_of_anything, where=st.sampled_from(CONTEXTS))
def test_a_stored_sheet_comes_back_equal_and_its_text_is_stable(cells, where):
    content = read(cells, where).content

    back = SheetContent.from_json(content.to_text())

    assert back == content
    assert SheetContent.from_json(content.to_json()) == content
    assert back.to_text() == content.to_text()
    assert check(back, where) == check(content, where)


def test_the_order_in_which_lines_were_written_makes_no_difference():
    content = read(road(), ROAD).content

    assert SheetContent(
        peloton_turn=14, lines=tuple(reversed(content.lines)), bonuses=content.bonuses
    ).to_text() == content.to_text()  # fmt: skip


@pytest.mark.parametrize(
    "stored",
    [
        "[]",
        {},
        {"version": 2},
        {**SheetContent().to_json(), "peloton_turn": "14"},
        {**SheetContent().to_json(), "peloton_turn": True},
        {**SheetContent().to_json(), "lines": [{"rider": 1}]},
        {**SheetContent().to_json(), "lines": None},
        {**SheetContent().to_json(), "bonuses": [{"token": 1}]},
    ],
)
def test_anything_but_a_stored_sheet_is_an_error(stored):
    with pytest.raises(ValueError, match="not a sheet of version 1"):
        SheetContent.from_json(stored)


def test_a_line_with_a_turn_cannot_be_called_unresolved():
    with pytest.raises(ValueError, match="called unresolved"):
        LineEntry(rider=A, turn=12)
