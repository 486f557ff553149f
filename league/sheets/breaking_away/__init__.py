"""The sheet of a physical race of Breaking Away: the one door for everybody who reads, checks, compares or counts one.

    sheet = examine(cells, context)            # what was typed: values, and everything there is to say about them
    if not blocks_provisional(sheet.findings):
        outcome(sheet.content, context)        # the rows, as the engine's outcome has them

The cells of a sheet, all of them text as typed:

| cell | what is typed |
| --- | --- |
| line-<n> | who crossed line n of the course (from 1), the first one first: “B1 W3 B2”; “B” where only the team is known, “?” where nothing is |
| retired | cyclists who retired; in a Madison teams |
| leftover | teams, the furthest ahead at the end first: asked for where a tie cannot be settled otherwise |
| abandoned | "on": the race was given up |
| total-<team> | optional: a team's points as somebody added them up, to be compared |
| laps-<team>, pos-<team> | Madison: laps down; with `madison_distance: squares` the square that the team came to |
| first | audit: a team of the player who began |
| hand-<cyclist> | audit: his first factors, “12 9 6 3” |
| turn-<t> | audit: “R1 7, W1 5 +4, G4 out”: factors in the order of the moves, new factors as announced, who retires |
| rating-<team>, lineup-<team>, change-<t> | audit of a Madison: both ratings; who rides first and the square of the other; who changed |
| sure-<code>-<numbers> | "on": this ask is confirmed (`Finding.sure`) |
"""

from collections.abc import Iterator, Mapping

from django.utils.translation import gettext as _

from league.sheets.breaking_away.audit import audit
from league.sheets.breaking_away.checks import check, settled
from league.sheets.breaking_away.content import Context, Crosser, Gone, Log, SheetContent, Spent, Team
from league.sheets.breaking_away.reading import MOST_TURNS, UNKNOWN, Reading, cells_of, distance_cell, line_cell, read
from league.sheets.breaking_away.result import abandoned_early, cells_of_outcome, level_and_open, outcome, sprint_points
from league.sheets.findings import (
    WHOLE_SHEET,
    Change,
    Finding,
    Level,
    blocks_official,
    blocks_provisional,
)
from rules.breaking_away.course import Kind

__all__ = [
    "MOST_TURNS",
    "UNKNOWN",
    "WHOLE_SHEET",
    "Change",
    "Context",
    "Crosser",
    "Finding",
    "Gone",
    "Level",
    "Log",
    "Reading",
    "SheetContent",
    "Spent",
    "Team",
    "abandoned_early",
    "audit",
    "blocks_official",
    "blocks_provisional",
    "cells_of",
    "cells_of_outcome",
    "check",
    "diff",
    "distance_cell",
    "examine",
    "level_and_open",
    "line_cell",
    "outcome",
    "read",
    "sprint_points",
]


def examine(cells: Mapping[str, str], context: Context) -> Reading:
    """Typed cells, read, checked and audited in one pass.

    A cell whose text cannot be read is not also called missing; the log is ridden again when all else can be read.
    """
    reading = read(cells, context)
    content = reading.content
    refused = {found.cell for found in reading.findings}
    found = [one for one in check(content, context) if one.level is not Level.MISSING or one.cell not in refused]
    if not reading.findings:
        found += [settled(one, content) for one in audit(content, context)]
    return Reading(content=content, findings=(*reading.findings, *found))


def diff(old: SheetContent, new: SheetContent, context: Context) -> tuple[Change, ...]:
    """What changed from one version of a sheet to the next, in words; () where nothing did.

    Which asks were confirmed is no fact of the race and is left out.
    """
    return tuple(change for change in _compared(old, new, context) if change.old != change.new)


def _compared(old: SheetContent, new: SheetContent, context: Context) -> Iterator[Change]:
    before, after = cells_of(old, context), cells_of(new, context)
    named = {
        line_cell(number): _("Finish") if line.kind is Kind.FINISH else _("Sprint %(number)s") % {"number": number + 1}
        for number, line in enumerate(context.lines)
    }
    named |= {
        "abandoned": _("Given up"),
        "retired": _("Retired"),
        "leftover": _("Ahead at the end"),
    }
    for team in context.teams:
        facts = {"team": team.called}
        named[f"total-{team.id}"] = _("Points of %(team)s as added up") % facts
        if context.madison:
            named[distance_cell(context, team.id)] = (
                _("Square that %(team)s came to") if context.by_squares else _("Laps down of %(team)s")
            ) % facts
    named["first"] = _("Log: who began")
    for cell in sorted(before.keys() | after.keys()):
        if not cell.startswith("sure-"):
            named.setdefault(cell, _("Log: %(cell)s") % {"cell": cell.replace("-", " ", 1)})
    for cell, what in named.items():
        yield Change(what, _words(cell, before.get(cell, "")), _words(cell, after.get(cell, "")))


def _words(cell: str, text: str) -> str:
    if cell == "abandoned":
        return _("yes") if text else _("no")
    return text or _("not told")
