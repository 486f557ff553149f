"""The result of a race as an organiser would type it from paper, and what the sheet's checks say of it."""

from typing import Any

from league.classification.status import Kind as SheetKind
from league.sheets.giro import Context, CourseFacts, Level, Starter, examine_import
from rules.giro.course import LineKind, fewest_steps
from rules.giro.game import GIRO
from rules.giro.state import State


def refused(state: State) -> list[str]:
    """Whatever checks E1 to E12 refuse, or miss, in the outcome of a race: nothing, if both read the same rules."""
    told = GIRO.outcome(state)
    assert told is not None, "the race is over"
    bibs = {rider.id: number for number, rider in enumerate(state.riders, 1)}
    sheet = told | {"riders": [_row(row, bibs) for row in told["riders"]]}
    for unknown in ("course", "token"):
        sheet.pop(unknown)
    if "bonus" in sheet:
        sheet["bonus"] = [bonus | {"rider": bibs.get(bonus["rider"])} for bonus in sheet["bonus"]]
    reading = examine_import(sheet, _context(state, bibs))
    return [
        f"{finding.code} {finding.cell}: {finding.message}"
        for finding in reading.findings
        if finding.level in (Level.REFUSE, Level.MISSING)
    ]


def _row(row: dict[str, Any], bibs: dict[str, int]) -> dict[str, Any]:
    return {"id": bibs[row["id"]]} | {name: row[name] for name in ("turn", "order", "clock", "energy") if name in row}


def _context(state: State, bibs: dict[str, int]) -> Context:
    course = state.options.course
    kind = SheetKind(course.kind.value)
    jerseys = list(dict.fromkeys(rider.entry.jersey for rider in state.riders))
    return Context(
        kind=kind,
        course=CourseFacts(
            kind=kind,
            columns=course.columns,
            milestones=course.milestones,
            fewest_steps=fewest_steps(course),
            bonus=course.columns_of(LineKind.BONUS) if state.options.giro and kind is SheetKind.ROAD else (),
            feed=len(course.columns_of(LineKind.FEED)),
        ),
        starters=tuple(
            Starter(
                rider=bibs[rider.id],
                bib=bibs[rider.id],
                name=rider.id,
                team=1 + jerseys.index(rider.entry.jersey),
                team_name=rider.entry.jersey,
                carry=rider.entry.carry,
                draft=bibs[rider.id],
            )
            for rider in state.riders
        ),
        time_limit=state.options.time_limit,
    )
