"""From cells to values and back. Every door (form, draft, import) reads its text here, so every door answers alike.

What cannot be read is refused at its cell, with what was typed and what would be right; it is never taken for zero, nor
for blank. What is readable but cannot be true is the business of `checks`.
"""

import re
import unicodedata
from collections.abc import Callable, Mapping

from django.utils.translation import gettext as _

from league.classification.status import Kind, Status
from league.sheets.content import Context, LineEntry, Reading, SheetContent, Starter, run_cell, run_of
from league.sheets.findings import WHOLE_SHEET, Finding, Level
from league.sheets.whole_numbers import NotWhole, Why, bare, shown, whole_number
from league.sheets.words import who

NOBODY = "nobody"
ON = "on"
_RIDER_CELL = re.compile(r"(?:place|turn|clock|energy|status|start)-([0-9]{1,12})", re.ASCII)
_RUN_CELL = re.compile(r"teamclock-[0-9]{1,12}(?:-[0-9]{1,12})?", re.ASCII)
_BONUS_CELL = re.compile(r"bonus-[0-9]{1,12}", re.ASCII)
_SURE_CELL = re.compile(r"sure-E[0-9]{1,2}-[a-z]+(?:-[0-9]{1,12}){0,6}", re.ASCII)


def read(cells: Mapping[str, str], context: Context) -> Reading:
    """The values of a sheet. Cells that are absent count as blank; keys that are no cells of a sheet are left alone.

    A rider with a turn and no status has arrived.
    """
    return _Reader(cells, context).read()


class _Reader:
    """One reading: collects findings while it goes through the cells."""

    def __init__(self, cells: Mapping[str, str], context: Context) -> None:
        self.cells = cells
        self.context = context
        self.findings: list[Finding] = []

    def read(self) -> Reading:
        clocks = self._clocks_of_runs() if self.context.kind is Kind.TTT else {}
        content = SheetContent(
            peloton_turn=self._number("peloton", "E3", _not_a_turn),
            peloton_never=self._never(),
            lines=tuple(self._line(starter, clocks) for starter in self.context.starters),
            bonuses=tuple(self._bonuses()),
            sure=frozenset(key for key, text in self.cells.items() if text == ON and _SURE_CELL.fullmatch(key)),
        )
        self._refuse_foreign_cells()
        return Reading(content=content, findings=tuple(self.findings))

    def _text(self, cell: str) -> str:
        return bare(self.cells.get(cell, ""))

    def _refuse(self, code: str, cell: str, message: str) -> None:
        self.findings.append(Finding(code=code, rule=None, level=Level.REFUSE, cell=cell, message=message))

    def _number(self, cell: str, code: str, unlike: Callable[[str], str]) -> int | None:
        """The number in a cell; None for blank, and for text that is no number, which is refused."""
        text = self._text(cell)
        if not text:
            return None
        try:
            return whole_number(text)
        except NotWhole as fault:
            self._refuse(code, cell, f"{_unreadable(text, fault.why)} {unlike(text)}")
            return None

    def _never(self) -> bool:
        text = self._text("never")
        if text not in ("", ON):
            self._refuse(
                "E3", "never",
                _("“%(typed)s” is no tick. Tick the box if the peloton never arrived, or leave it empty.")
                % {"typed": shown(text)},
            )  # fmt: skip
        return text == ON

    def _line(self, starter: Starter, clocks: Mapping[tuple[int, int], int | None]) -> LineEntry:
        rider = starter.rider
        turn = self._number(f"turn-{rider}", "E2", _not_a_turn)
        status = self._status(rider)
        return LineEntry(
            rider=rider,
            status=Status.FINISHED if status is Status.UNRESOLVED and turn is not None else status,
            place=self._number(f"place-{rider}", "E4", _not_a_place),
            turn=turn,
            clock=clocks[run_of(starter)] if clocks else self._number(f"clock-{rider}", "E9", _not_a_clock),
            energy=self._number(f"energy-{rider}", "E7", _not_energy),
            start=self._number(f"start-{rider}", "E11", _not_energy),
            run=run_of(starter) if clocks else None,
        )

    def _status(self, rider: int) -> Status:
        cell = f"status-{rider}"
        text = self._text(cell)
        if not text:
            return Status.UNRESOLVED
        try:
            return Status(text.casefold())
        except ValueError:
            self._refuse(
                "E1", cell,
                _("“%(typed)s” is no status. Choose one: %(statuses)s; or leave it blank.")
                % {
                    "typed": shown(text),
                    "statuses": ", ".join(status.value for status in Status if status is not Status.UNRESOLVED),
                },
            )  # fmt: skip
            return Status.UNRESOLVED

    def _clocks_of_runs(self) -> dict[tuple[int, int], int | None]:
        runs = dict.fromkeys(run_of(starter) for starter in self.context.starters)
        return {run: self._number(run_cell(run), "E9", _not_a_clock) for run in runs}

    def _bonuses(self) -> list[tuple[int, int | None]]:
        riders = {str(starter.rider): starter.rider for starter in self.context.starters}
        told: list[tuple[int, int | None]] = []
        for token in range(1, len(self.context.course.bonus) + 1):
            cell = f"bonus-{token}"
            text = self._text(cell)
            if text == NOBODY:
                told.append((token, None))
            elif text in riders:
                told.append((token, riders[text]))
            elif text:
                self._refuse(
                    "E8", cell,
                    _("“%(typed)s” is no rider of this stage. Choose who crossed the bonus line first, or nobody.")
                    % {"typed": shown(text)},
                )  # fmt: skip
        return told

    def _refuse_foreign_cells(self) -> None:
        """Filled cells that have no place on this sheet: lines of strangers, clocks and tokens that do not exist."""
        starters = {str(starter.rider) for starter in self.context.starters}
        runs = {run_cell(run_of(starter)) for starter in self.context.starters}
        tokens = {f"bonus-{token}" for token in range(1, len(self.context.course.bonus) + 1)}
        is_team_trial = self.context.kind is Kind.TTT
        for cell, text in self.cells.items():
            if not bare(text):
                continue
            line = _RIDER_CELL.fullmatch(cell)
            if line and line[1] not in starters:
                self._refuse(
                    "E1", cell,
                    _("This line is of a rider who is not at the start of this stage. Empty it, or mend the start list."),
                )  # fmt: skip
            elif line and cell.startswith("clock-") and is_team_trial:
                self._refuse(
                    "E9", cell, _("In a team time trial the clock is the team's. Write it beside the team.")
                )  # fmt: skip
            elif _RUN_CELL.fullmatch(cell) and not is_team_trial:
                self._refuse("E9", cell, _("Only a team time trial has clock places of teams. Empty this cell."))
            elif _RUN_CELL.fullmatch(cell) and cell not in runs:
                self._refuse("E9", cell, _("This clock place is of a team that is not at the start. Empty this cell."))
            elif _BONUS_CELL.fullmatch(cell) and cell not in tokens:
                self._refuse("E8", cell, no_such_token(self.context))


def no_such_token(context: Context) -> str:
    """Why a bonus token has no place on this sheet. Rules: GI-D2-01, GI-D3-01."""
    if context.kind is not Kind.ROAD:
        return _("A time trial has no bonus lines. Leave the bonus empty.")
    if not context.course.bonus:
        return _("This course has no bonus line. Leave the bonus empty, or add the token to the course.")
    return _("This course has no such bonus token: it has %(count)s. Leave it empty, or mend the course.") % {
        "count": len(context.course.bonus)
    }


def _unreadable(text: str, why: Why) -> str:
    typed = {"typed": shown(text)}
    match why:
        case Why.NEGATIVE:
            return _("“%(typed)s” is below zero.") % typed
        case Why.FRACTION:
            return _("“%(typed)s” is not a whole number.") % typed
        case Why.TOO_BIG:
            return _("“%(typed)s” has too many digits.") % typed
        case Why.NO_NUMBER:
            return _("“%(typed)s” is not a number.") % typed


def _not_a_turn(text: str) -> str:
    if text.casefold().replace(".", "") in {status.value for status in Status}:
        return _("Leave the turn blank, and choose that under Status.")
    return _("A turn is a whole number from 1, as 14; blank means not told yet.")


def _not_a_place(text: str) -> str:
    return _("A place is a whole number from 1, as 3; blank after the winner means that nobody wrote it down.")


def _not_a_clock(text: str) -> str:
    return _("A clock place is a whole number from 1, as 2; leave all of them blank if nobody took the time.")


def _not_energy(text: str) -> str:
    return _("Energy is a whole number from 0, as 6; blank means not told yet.")


def cells_of(content: SheetContent) -> dict[str, str]:
    """The cells that `read` would read this content from: a sheet reopens with what is stored.

    Of the lines whose riders are not at the start any more the cells come along too, so that nothing is lost unseen.
    """
    cells = {"peloton": _written(content.peloton_turn), "never": ON if content.peloton_never else ""}
    for token, winner in content.bonuses:
        cells[f"bonus-{token}"] = NOBODY if winner is None else str(winner)
    for line in content.lines:
        cells |= {
            f"place-{line.rider}": _written(line.place),
            f"turn-{line.rider}": _written(line.turn),
            f"clock-{line.rider}" if line.run is None else run_cell(line.run): _written(line.clock),
            f"energy-{line.rider}": _written(line.energy),
            f"start-{line.rider}": _written(line.start),
            f"status-{line.rider}": "" if line.status is Status.UNRESOLVED else line.status.value,
        }
    return cells | dict.fromkeys(content.sure, ON)


def _written(number: int | None) -> str:
    return "" if number is None else str(number)


_KNOWN_ENTRIES = frozenset({"stage", "kind", "course", "peloton_turn", "bonus", "riders", "clock"})
_KNOWN_ROW_ENTRIES = frozenset(
    {"id", "turn", "order", "clock", "energy", "status", "start", "name", "jersey", "team", "seat", "out"}
)


def from_import(data: object, context: Context) -> Reading:
    """A sheet in the form of rule text 7.1 as parsed JSON, riders by bib, teams by name, read like typed cells.

    `"turn": null` on a road stage says *not arrived*, without "turn" nothing is told; a "status" beside it overrules.
    `"peloton_turn": null` says that the peloton never arrived. A rider who is not named, named twice or not at the start
    is refused (E1): a row without a known rider creates nobody. "stage" and "course" are the caller's to compare.
    """
    return _Importer(context).read(data)


class _Importer:
    def __init__(self, context: Context) -> None:
        self.context = context
        self.by_bib = {starter.bib: starter for starter in context.starters}
        self.cells: dict[str, str] = {}
        self.findings: list[Finding] = []

    def read(self, data: object) -> Reading:
        if not isinstance(data, Mapping):
            self._refuse("E1", WHOLE_SHEET, _("This is no sheet. It must be an object with a list “riders”."))
        else:
            self._sheet(data)
        reading = read(self.cells, self.context)
        return Reading(content=reading.content, findings=(*self.findings, *reading.findings))

    def _refuse(self, code: str, cell: str, message: str) -> None:
        self.findings.append(Finding(code=code, rule=None, level=Level.REFUSE, cell=cell, message=message))

    def _sheet(self, data: Mapping[object, object]) -> None:
        if "kind" in data and data["kind"] != self.context.kind.value:
            self._refuse(
                "E9", WHOLE_SHEET,
                _("The file is for a stage of kind “%(typed)s”, this stage is “%(kind)s”. Is it the right file?")
                % {"typed": shown(_as_text(data["kind"])), "kind": self.context.kind.value},
            )  # fmt: skip
        self._note_unknown(data, _KNOWN_ENTRIES, WHOLE_SHEET)
        if "peloton_turn" in data:
            if data["peloton_turn"] is not None:
                self._put("peloton", data["peloton_turn"])
            elif self.context.kind is Kind.ROAD:
                self.cells["never"] = ON
        self._riders(data.get("riders"))
        self._bonuses(data.get("bonus"))
        self._team_clocks(data.get("clock"))

    def _put(self, cell: str, value: object) -> None:
        self.cells[cell] = "" if value is None else _as_text(value)

    def _note_unknown(self, entries: Mapping[object, object], known: frozenset[str], cell: str) -> None:
        strange = [shown(_as_text(key)) for key in entries if key not in known]
        if strange:
            self.findings.append(
                Finding(
                    code="E1", rule=None, level=Level.NOTE, cell=cell,
                    message=_("Not read, because a sheet has no such entry: %(entries)s.")
                    % {"entries": ", ".join(strange[:8])},
                )
            )  # fmt: skip

    def _starter(self, bib: object) -> Starter | None:
        if isinstance(bib, bool) or not isinstance(bib, int | str):
            return None
        try:
            return self.by_bib.get(bib if isinstance(bib, int) else whole_number(bib))
        except NotWhole:
            return None

    def _riders(self, rows: object) -> None:
        if not isinstance(rows, list):
            self._refuse("E1", WHOLE_SHEET, _("The list “riders” is missing. It has one row per rider, by bib."))
            return
        row_of: dict[int, int] = {}
        for number, row in enumerate(rows, start=1):
            if not isinstance(row, Mapping) or "id" not in row:
                self._refuse(
                    "E1", WHOLE_SHEET, _("Row %(row)s names no rider. Give his bib as “id”.") % {"row": number}
                )  # fmt: skip
                continue
            starter = self._starter(row["id"])
            if starter is None:
                self._refuse(
                    "E1", WHOLE_SHEET,
                    _("Row %(row)s: nobody with bib “%(typed)s” is at the start. Take the row out, or mend the bib.")
                    % {"row": number, "typed": shown(_as_text(row["id"]))},
                )  # fmt: skip
            elif starter.rider in row_of:
                first = rows[row_of[starter.rider] - 1]
                self._refuse(
                    "E1", f"turn-{starter.rider}",
                    _(
                        "%(rider)s is listed twice: turn %(first)s in row %(first_row)s, turn %(second)s in row "
                        "%(second_row)s. Keep the right row and take the other out."
                    ) % {
                        "rider": who(starter),
                        "first": shown(_as_text(first.get("turn"))), "first_row": row_of[starter.rider],
                        "second": shown(_as_text(row.get("turn"))), "second_row": number,
                    },
                )  # fmt: skip
            else:
                row_of[starter.rider] = number
                self._row(starter, row)
        for starter in self.context.starters:
            if starter.rider not in row_of:
                self._refuse(
                    "E1", f"turn-{starter.rider}",
                    _("%(rider)s has no row. Add it; if he did not start, its status is “dns”.")
                    % {"rider": who(starter)},
                )  # fmt: skip

    def _row(self, starter: Starter, row: Mapping[object, object]) -> None:
        rider = starter.rider
        self._note_unknown(row, _KNOWN_ROW_ENTRIES, f"turn-{rider}")
        for entry, cell in (
            ("turn", "turn"), ("order", "place"), ("clock", "clock"), ("energy", "energy"), ("status", "status"),
            ("start", "start"),
        ):  # fmt: skip
            self._put(f"{cell}-{rider}", row.get(entry))
        if "turn" in row and row["turn"] is None and row.get("status") is None:
            if self.context.kind is Kind.ROAD:
                self.cells[f"status-{rider}"] = Status.OTL.value
            else:
                self._refuse(
                    "E9", f"turn-{rider}",
                    _("%(rider)s has no turn. A time trial has no time limit: give his turns, or a status.")
                    % {"rider": who(starter)},
                )  # fmt: skip

    def _bonuses(self, rows: object) -> None:
        if rows is None:
            return
        if not isinstance(rows, list):
            self._refuse("E8", WHOLE_SHEET, _("“bonus” must be a list, one entry per token."))
            return
        seen: set[str] = set()
        for row in rows:
            if not isinstance(row, Mapping) or not {"token", "rider"} <= row.keys():
                self._refuse(
                    "E8", WHOLE_SHEET, _("A bonus needs its “token”, and a “rider” by bib or null for nobody.")
                )  # fmt: skip
                continue
            cell = f"bonus-{_as_text(row['token'])}"
            if not _BONUS_CELL.fullmatch(cell):
                self._refuse("E8", WHOLE_SHEET, no_such_token(self.context))
                continue
            if cell in seen:
                self._refuse(
                    "E8", cell, _("This bonus token is listed twice. One rider at most wins it: keep one entry.")
                )  # fmt: skip
                continue
            seen.add(cell)
            starter = self._starter(row["rider"])
            if row["rider"] is None:
                self.cells[cell] = NOBODY
            elif starter is not None:
                self.cells[cell] = str(starter.rider)
            else:
                self._refuse(
                    "E8", cell,
                    _("Nobody with bib “%(typed)s” is at the start. Mend the bib, or give null for nobody.")
                    % {"typed": shown(_as_text(row["rider"]))},
                )  # fmt: skip

    def _team_clocks(self, names: object) -> None:
        if names is None:
            return
        if self.context.kind is not Kind.TTT:
            self._refuse("E9", WHOLE_SHEET, _("Only a team time trial lists teams in order of the clock."))
            return
        if not isinstance(names, list):
            self._refuse("E9", WHOLE_SHEET, _("“clock” must list the teams, the fastest first."))
            return
        for place, name in enumerate(names, start=1):
            found = [cell for cell in self._runs_called(name) if cell not in self.cells]
            if found:
                self.cells[found[0]] = str(place)
            else:
                self._refuse(
                    "E9", WHOLE_SHEET,
                    _("Clock place %(place)s: “%(typed)s” is no team at the start, or it is listed twice.")
                    % {"place": place, "typed": shown(_as_text(name))},
                )  # fmt: skip

    def _runs_called(self, name: object) -> list[str]:
        """The cells of the runs with that name: a team's by its name, that of a rider who rides alone by his bib."""
        wanted = _folded(name) if isinstance(name, str) else None
        cells = [
            run_cell(run_of(starter))
            for starter in self.context.starters
            if starter.team is not None and wanted is not None and _folded(starter.team_name) == wanted
        ]
        alone = self._starter(name)
        if alone is not None and alone.team is None:
            cells.append(run_cell(run_of(alone)))
        return list(dict.fromkeys(cells))


def _folded(name: str) -> str:
    """A name as it is compared: accents in one encoding, capitals or not."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", bare(name)).casefold())


def _as_text(value: object) -> str:
    """A JSON value as somebody would have typed it."""
    match value:
        case str():
            return value
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int() if value.bit_length() > 4096:  # no text of it in reasonable time, and far too big for any cell
            return "…"
        case int() | float():
            return str(value)
        case list():
            return "[…]"
        case _:
            return "{…}"
