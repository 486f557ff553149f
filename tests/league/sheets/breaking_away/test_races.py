"""A race that the engine rode, its crossings typed into a sheet: the sheet comes to the engine's rows, and its log to the sheet."""

from hypothesis import given, settings
from hypothesis import strategies as st

from league.sheets.breaking_away import (
    Level,
    SheetContent,
    blocks_official,
    cells_of,
    cells_of_outcome,
    examine,
    outcome,
)
from rules.breaking_away.game import BREAKING_AWAY as GAME
from tests.rules.breaking_away.races import KINDS

from .builders import confirmed, context_of, log_cells, ridden

RACES = st.tuples(st.sampled_from(sorted(KINDS)), st.integers(0, 10_000))
LOGGED = RACES.filter(lambda race: "closed" not in race[0])


def rows_of(told, keys):
    return [{key: row[key] for key in keys} for row in told["teams"]]


@settings(max_examples=60, deadline=None)
@given(RACES)
def test_the_crossings_of_any_race_typed_into_the_sheet_give_the_rows_of_the_engine(race):
    moments = ridden(*race)
    where = context_of(race[0])
    engine = GAME.outcome(moments[-1].step.state)
    cells = confirmed(cells_of_outcome(engine, where), where)

    sheet = examine(cells, where)

    assert not blocks_official(sheet.findings), sheet.findings
    told = outcome(sheet.content, where)
    assert rows_of(told, told["teams"][0]) == rows_of(engine, told["teams"][0])
    for key in ("course", "variant", "reason", "points", "lines"):
        assert told[key] == engine[key], key


@settings(max_examples=40, deadline=None)
@given(LOGGED)
def test_the_log_of_any_race_ridden_again_agrees_with_its_sheet(race):
    moments = ridden(*race)
    where = context_of(race[0])
    engine = GAME.outcome(moments[-1].step.state)
    cells = confirmed(cells_of_outcome(engine, where), where) | log_cells(moments, where)

    found = [one for one in examine(cells, where).findings if one.code in ("BA-VAL-20", "BA-VAL-21")]

    assert [(one.level, one.cell, one.message) for one in found if one.level is not Level.NOTE] == []
    assert len(found) == 1


@settings(max_examples=40, deadline=None)
@given(RACES)
def test_a_sheet_reopens_as_it_was_typed(race):
    moments = ridden(*race)
    where = context_of(race[0])
    cells = cells_of_outcome(GAME.outcome(moments[-1].step.state), where) | log_cells(moments, where)
    content = examine(cells, where).content

    assert examine(cells_of(content, where), where).content == content
    assert SheetContent.from_json(content.to_text()) == content
