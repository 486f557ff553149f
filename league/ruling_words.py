"""Rulings and what they change, in words: for the pages, the list, the marks beside a result."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.changes import GC, SEASON_PLAYERS, SEASON_TEAMS, STAGE, TEAMS, Changes, Name, RowChange, TableChange, Values
from league.classification.giro import GcState, OutReason, TeamState
from league.classification.status import Status
from league.models import Rider, Ruling
from league.models.results import RulingKind
from league.sheets.words import last_name, status_word
from league.templatetags.look import signed

NOTHING = "–"


def decision(kind: str, rider: Rider | None, amount: int | None = None, turn: int | None = None) -> str:
    """What is decided on whom: "Penalty of 5 squares for Venn"."""
    name = {"rider": rider.last_name if rider else ""}
    match kind:
        case RulingKind.PENALTY:
            return ngettext(
                "Penalty of %(amount)s square for %(rider)s", "Penalty of %(amount)s squares for %(rider)s", amount or 0
            ) % (name | {"amount": amount})
        case RulingKind.BONUS:
            return ngettext(
                "Bonus of %(amount)s square for %(rider)s", "Bonus of %(amount)s squares for %(rider)s", amount or 0
            ) % (name | {"amount": amount})
        case RulingKind.DISQUALIFICATION:
            return _("%(rider)s disqualified") % name
        case RulingKind.REINSTATEMENT:
            if turn is not None:
                return _("%(rider)s reinstated, taken to have arrived in turn %(turn)s") % (name | {"turn": turn})
            return _("%(rider)s reinstated") % name
    raise ValueError(f"{kind} is no decision on a rider")


def in_words(ruling: Ruling) -> str:
    """A ruling in words; its stage is said beside it."""
    match ruling.kind:
        case RulingKind.CORRECTION:
            return _("Sheet of stage %(number)s corrected") % {"number": ruling.stage.number}
        case RulingKind.WITHDRAWAL:
            assert ruling.withdraws is not None
            return _("Ruling %(number)s withdrawn") % {"number": ruling.withdraws.number}
        case _:
            return decision(ruling.kind, ruling.rider, ruling.amount, ruling.turn)


# Before and after


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One side of a changed row: its place, the figures that differ, the jersey."""

    place: str
    figures: tuple[str, ...]
    pink: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    of: Name
    before: Side | None
    after: Side | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A changed table as it is shown."""

    title: str
    whose: str  # what the lines are of: rider, team, player
    rows: tuple[Row, ...]


def told(changes: Changes) -> list[Told]:
    """The tables of a change, with titles, in the order of the stages and the season last."""
    return [
        Told(
            title=title(table),
            whose=_whose(table.table),
            rows=tuple(
                Row(
                    of=row.of,
                    before=_side(table.table, row.before, row),
                    after=_side(table.table, row.after, row),
                )
                for row in table.rows
            ),
        )
        for table in changes.tables
    ]


def _whose(table: str) -> str:
    if table in (GC, STAGE):
        return _("Rider")
    return _("Player") if table == SEASON_PLAYERS else _("Team")


def title(table: TableChange) -> str:
    match table.table:
        case "gc":
            return _("General classification after stage %(number)s") % {"number": table.stage}
        case "stage":
            return _("Result of stage %(number)s") % {"number": table.stage}
        case "teams":
            return _("Teams after stage %(number)s") % {"number": table.stage}
        case "season_teams":
            return _("Teams of the season")
        case "season_players":
            return _("Players of the season")
    raise ValueError(f"{table.table} is no table")


def pink_moves(changes: Changes) -> list[str]:
    """A sentence for each stage after which somebody else wears pink."""
    return [_pink_move(w.stage, w.before, w.after) for w in changes.wearers]


def _pink_move(stage: str, before: Name | None, after: Name | None) -> str:
    if after is None:
        return _("After stage %(number)s nobody wears pink any more") % {"number": stage}
    if before is None:
        return _("After stage %(number)s %(rider)s wears pink") % {"number": stage, "rider": last_name(after.name)}
    return _("After stage %(number)s %(rider)s wears pink, not %(other)s") % {
        "number": stage, "rider": last_name(after.name), "other": last_name(before.name),
    }  # fmt: skip


def without_result(changes: Changes) -> list[str]:
    """A sentence for each stage in which a rider is in again, or asked for, and no sheet has his result."""
    return [
        _("Stage %(number)s has no result of %(riders)s yet: its sheet needs a correction, too.")
        % {"number": missing.stage, "riders": ", ".join(f"{r.bib} {last_name(r.name)}" for r in missing.riders)}
        for missing in changes.missing
    ]


def _side(table: str, values: Values | None, row: RowChange) -> Side | None:
    if values is None:
        return None
    shown = row.differing
    figures = tuple(text for name, text in FIGURES[table](values) if name in shown and text)
    return Side(place=_place(table, values), figures=figures, pink=bool(values.get("pink")))


def _place(table: str, values: Values) -> str:
    """The place in the table, or why there is none."""
    if values["rank"] is not None:
        return str(values["rank"])
    match table:
        case "gc":
            if values["state"] == GcState.OUT:
                reason = OutReason(values["why_out"])
                return _("lapped") if reason is OutReason.LAPPED else status_word(Status(reason.value))
            return status_word(Status.UNRESOLVED)
        case "stage":
            if not values["counts"]:
                return _("does not count")
            return status_word(Status(values["status"]))
        case "teams":
            return _("unranked") if values["state"] == TeamState.UNRANKED else status_word(Status.UNRESOLVED)
    return NOTHING


Figures = Iterator[tuple[str, str]]


def _gc(values: Values) -> Figures:
    yield "score", _said(_("score %s"), values["score"], signed)
    gap = values["gap"]
    yield "gap", "" if gap is None else _("in pink") if values["pink"] else _("gap %s") % signed(gap)
    yield "energy", _said(_("energy %s"), values["energy"])
    yield "carry", _said(_("carries %s"), values["carry"])
    days = values["days_in_pink"]
    yield "days_in_pink", ngettext("%s evening in pink", "%s evenings in pink", days) % days


def _result(values: Values) -> Figures:
    yield "turn", _said(_("turn %s"), values["turn"])
    if values["result"] != values["turn"]:
        yield "result", _said(_("result %s"), values["result"])
    yield "behind", _said(_("behind %s"), values["behind"], signed)
    yield "bonuses", _said(_("bonus sprints %s"), values["bonuses"])
    yield "move", _said(_("moves %s"), values["move"], signed)
    yield "energy", _said(_("energy %s"), values["energy"])


def _teams(values: Values) -> Figures:
    yield "total", _said(_("turns %s"), values["total"])
    yield "gap", _said(_("gap %s"), values["gap"], signed)
    yield "stage_value", _said(_("this stage %s"), values["stage_value"])


def _season(values: Values) -> Figures:
    points, wins = values["points"], values["wins"]
    yield "points", ngettext("%s point", "%s points", points) % points
    yield "gap", _said(_("gap %s"), values["gap"])
    yield "wins", ngettext("%s stage won", "%s stages won", wins) % wins


def _said(pattern: str, value: int | None, write: Callable[[int], str] = str) -> str:
    return "" if value is None else pattern % write(value)


FIGURES: dict[str, Callable[[Values], Figures]] = {
    GC: _gc,
    STAGE: _result,
    TEAMS: _teams,
    SEASON_TEAMS: _season,
    SEASON_PLAYERS: _season,
}
