"""The result sheet of a Giro stage: the one door for everybody who reads, checks, compares or counts one.

    sheet = examine(cells, context)            # what was typed: values, and everything there is to say about them
    if not blocks_provisional(sheet.findings):
        to_stage_sheet(sheet.content, context, stage=3)   # what the classification counts

The cells of a sheet, all of them text as typed:

| cell | what is typed |
| --- | --- |
| peloton, never | the turn in which the peloton arrived; "on" if it never did before the last rider |
| bonus-<token> | token from 1: a rider, or "nobody" |
| turn-<rider>, energy-<rider>, status-<rider> | turn or number of turns; energy left, kept tiles added; a `Status` |
| place-<rider> | road: crossing order where it was written down; the winner has 1 |
| clock-<rider> | individual time trial: clock place |
| teamclock-<team>, teamclock-0-<rider> | team time trial: clock place of a team, or of a rider who rides alone |
| start-<rider> | optional: energy at the start as somebody worked it out, to be compared |
| sure-<code>-<cell>-<numbers> | "on": this ask is confirmed (`Finding.sure`) |
"""

from collections.abc import Iterator, Mapping

from django.utils.translation import gettext as _

from league.classification.giro import BonusWon, Line, Ruling, StageSheet
from league.classification.status import Kind, Status
from league.sheets.checks import (
    MOST_RIDERS,
    check,
    progress,
    riders_fit,
    stage_numbers_consecutive,
    team_turns,
    winner_of,
)
from league.sheets.content import (
    Context,
    CourseFacts,
    LineEntry,
    Reading,
    SheetContent,
    Starter,
    run_cell,
    run_of,
    start_energy,
)
from league.sheets.findings import WHOLE_SHEET, Change, Finding, Level, blocks_official, blocks_provisional
from league.sheets.reading import NOBODY, ON, cells_of, from_import, read
from league.sheets.words import run_name, status_word, who, who_rides

__all__ = [
    "MOST_RIDERS",
    "NOBODY",
    "ON",
    "WHOLE_SHEET",
    "Change",
    "Context",
    "CourseFacts",
    "Finding",
    "Level",
    "LineEntry",
    "Reading",
    "SheetContent",
    "Starter",
    "blocks_official",
    "blocks_provisional",
    "cells_of",
    "check",
    "diff",
    "examine",
    "examine_import",
    "from_import",
    "progress",
    "read",
    "riders_fit",
    "run_cell",
    "run_of",
    "stage_numbers_consecutive",
    "start_energy",
    "team_turns",
    "to_stage_sheet",
    "who",
    "winner_of",
]


def examine(cells: Mapping[str, str], context: Context) -> Reading:
    """Typed cells, read and checked in one pass."""
    return _with_checks(read(cells, context), context)


def examine_import(data: object, context: Context) -> Reading:
    """A sheet as JSON (see `from_import`), read and checked in one pass."""
    return _with_checks(from_import(data, context), context)


def _with_checks(reading: Reading, context: Context) -> Reading:
    """The findings of `check` added, except that a cell whose text cannot be read is not also called missing."""
    refused = {found.cell for found in reading.findings if found.level is Level.REFUSE}
    checked = [
        found
        for found in check(reading.content, context)
        if found.level is not Level.MISSING or found.cell not in refused
    ]
    return Reading(content=reading.content, findings=(*reading.findings, *checked))


def to_stage_sheet(
    content: SheetContent, context: Context, *, stage: int, rulings: tuple[Ruling, ...] = ()
) -> StageSheet:
    """The sheet as the classification counts it; lines of riders who are not at the start (any more) come along.

    A rider without a turn who is said to have arrived is unresolved, never zero. The only rider in the earliest turn is
    the winner where no place 1 is told.
    """
    winner = winner_of(content, context)
    lines = []
    for line in content.lines:
        starter = context.starter(line.rider)
        is_resolved = line.status is not Status.UNRESOLVED and not (
            line.status is Status.FINISHED and line.turn is None
        )
        lines.append(
            Line(
                rider=line.rider,
                status=line.status if is_resolved else Status.UNRESOLVED,
                turn=line.turn,
                place=None if line.turn is None else 1 if line.rider == winner else line.place,
                clock=None if line.turn is None else line.clock,
                energy=line.energy,
                team=starter.team if starter else None,
            )
        )
    return StageSheet(
        stage=stage,
        kind=context.kind,
        peloton_turn=None if content.peloton_never else content.peloton_turn,
        lines=tuple(lines),
        bonuses=tuple(BonusWon(token=token, rider=winner) for token, winner in content.bonuses if winner is not None),
        rulings=rulings,
    )


def diff(old: SheetContent, new: SheetContent, context: Context) -> tuple[Change, ...]:
    """What changed from one version of a sheet to the next, for the note of its revision; () where nothing did.

    Which asks were confirmed is no fact of the stage and is left out.
    """
    return tuple(change for change in _compared(old, new, context) if change.old != change.new)


def _compared(old: SheetContent, new: SheetContent, context: Context) -> Iterator[Change]:
    yield Change(_("Peloton's turn"), _peloton_words(old), _peloton_words(new))
    old_bonuses, new_bonuses = dict(old.bonuses), dict(new.bonuses)
    for token in sorted(old_bonuses.keys() | new_bonuses.keys()):
        columns = context.course.bonus
        what = (
            _("Bonus at %(column)s") % {"column": columns[token - 1]}
            if 1 <= token <= len(columns)
            else _("Bonus token %(token)s") % {"token": token}
        )
        yield Change(what, _bonus_words(old_bonuses, token, context), _bonus_words(new_bonuses, token, context))
    order = {starter.rider: at for at, starter in enumerate(context.starters)}
    riders = {line.rider for line in (*old.lines, *new.lines)}
    for rider in sorted(riders, key=lambda rider: (order.get(rider, len(order)), rider)):
        before = old.line(rider) or LineEntry(rider=rider)
        after = new.line(rider) or LineEntry(rider=rider)
        name = {"rider": who_rides(context, rider)}
        yield Change(_("Status of %(rider)s") % name, status_word(before.status), status_word(after.status))
        turn_of = _("Turn of %(rider)s") if context.kind is Kind.ROAD else _("Turns of %(rider)s")
        yield Change(turn_of % name, _number_words(before.turn), _number_words(after.turn))
        yield Change(_("Place of %(rider)s") % name, _number_words(before.place), _number_words(after.place))
        if context.kind is not Kind.TTT:
            yield Change(_("Clock place of %(rider)s") % name, _number_words(before.clock), _number_words(after.clock))
        yield Change(_("Energy of %(rider)s") % name, _number_words(before.energy), _number_words(after.energy))
        yield Change(
            _("Energy at the start of %(rider)s") % name, _number_words(before.start), _number_words(after.start)
        )
    if context.kind is Kind.TTT:
        for run in dict.fromkeys(map(run_of, context.starters)):
            first = next(starter for starter in context.starters if run_of(starter) == run)
            yield Change(
                _("Clock place of %(team)s") % {"team": run_name(context, run)},
                _number_words((old.line(first.rider) or LineEntry(rider=first.rider)).clock),
                _number_words((new.line(first.rider) or LineEntry(rider=first.rider)).clock),
            )


def _peloton_words(content: SheetContent) -> str:
    return _("never") if content.peloton_never else _number_words(content.peloton_turn)


def _bonus_words(bonuses: Mapping[int, int | None], token: int, context: Context) -> str:
    if token not in bonuses:
        return _("not told")
    winner = bonuses[token]
    return _("nobody") if winner is None else who_rides(context, winner)


def _number_words(number: int | None) -> str:
    return _("not told") if number is None else str(number)
