"""From cells to values and back: lists of cyclists as people write them, numbers, and the log sheets.

What cannot be read is refused at its cell, with what was typed and what would be right; it is never guessed. What is
readable but cannot be true is the business of `checks`.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from django.utils.translation import gettext as _

from league.sheets.breaking_away.content import Context, Crosser, Gone, Log, SheetContent, Spent
from league.sheets.findings import Finding, Level
from league.sheets.reading import ON
from league.sheets.whole_numbers import NotWhole, bare, shown, whole_number

UNKNOWN = "?"
"""Stands in a list for a place of which nobody remembers who took it."""
OUT = "out"
"""Stands in the log after a racer who retires."""
MOST_TURNS = 200
MOST_TEXT = 4000  # of one cell
_SURE_CELL = re.compile(r"sure-BA-VAL-[0-9]{2}(?:-[0-9]{1,4}){0,40}", re.ASCII)
_OWN_CELL = re.compile(r"(line|total|laps|pos|hand|turn|rating|lineup|change)-(.*)", re.DOTALL)
_TURN = re.compile(r"[1-9][0-9]{0,2}", re.ASCII)
_ORDINAL = re.compile(r"[0-9]{1,2}[.)]", re.ASCII)
_BETWEEN = re.compile(r"[\s,;:=]+")
_CODES = {
    "line": "BA-VAL-02", "total": "BA-VAL-08", "laps": "BA-VAL-11", "pos": "BA-VAL-11", "hand": "BA-VAL-21",
    "turn": "BA-VAL-20", "rating": "BA-VAL-20", "lineup": "BA-VAL-20", "change": "BA-VAL-20",
}  # fmt: skip


def line_cell(line: int) -> str:
    """The cell of a line of the course, by its index."""
    return f"line-{line + 1}"


def distance_cell(context: Context, team: str) -> str:
    """Madison: the cell that tells how far a team came. Rules: BA-VAL-11."""
    return f"pos-{team}" if context.by_squares else f"laps-{team}"


@dataclass(frozen=True, kw_only=True)
class Reading:
    """A sheet as far as it could be read, and what there is to say about it."""

    content: SheetContent
    findings: tuple[Finding, ...]


def read(cells: Mapping[str, str], context: Context) -> Reading:
    """The values of a sheet. Cells that are absent count as blank; keys that are no cells of a sheet are left alone."""
    return _Reader(cells, context).read()


def folded(name: str) -> str:
    """A name as it is compared: accents in one encoding, capitals or not, without what people put into it."""
    tight = re.sub(r"[\s\-._#]+", "", name)
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", tight).casefold())


class _Reader:
    """One reading: collects findings while it goes through the cells."""

    def __init__(self, cells: Mapping[str, str], context: Context) -> None:
        self.cells = cells
        self.context = context
        self.findings: list[Finding] = []

    @cached_property
    def names(self) -> dict[str, Crosser]:
        """All that can stand on a line: racers by id and by the number on the figure, and teams."""
        context = self.context
        found = {folded(team.id): Crosser(team.id) for team in context.teams}
        for name, crosser in context.racers.items():
            found.setdefault(folded(name), crosser)
        if not context.madison:
            for index, team in enumerate(context.teams, start=1):
                for number in context.numbers:
                    found.setdefault(f"{index}{number}", Crosser(team.id, number))
        return found

    @cached_property
    def cyclists(self) -> dict[str, str]:
        """Everybody with a hand."""
        known = {folded(name): name for name in self.context.cyclists}
        if self.context.madison:
            return known
        return {typed: one.id for typed, one in self.names.items() if one.number is not None} | known

    def read(self) -> Reading:
        context = self.context
        lines = tuple(self._line(number) for number in range(len(context.lines)))
        abandoned = self._text("abandoned")
        if abandoned not in ("", ON):
            self._refuse(
                "BA-VAL-01", "abandoned",
                _("“%(typed)s” is no tick. Tick the box if the race was given up, or leave it empty.")
                % {"typed": shown(abandoned)},
            )  # fmt: skip
        content = SheetContent(
            lines=lines,
            retired=tuple(sorted(self._racers("retired", "BA-VAL-02"))),
            leftover=tuple(self._teams("leftover", "BA-VAL-10")),
            abandoned=abandoned == ON,
            totals=tuple(self._numbers_of_teams("total-{}".format, "BA-VAL-08")),
            distances=tuple(
                self._numbers_of_teams(lambda team: distance_cell(context, team), "BA-VAL-11")
                if context.madison
                else ()
            ),
            log=self._log(),
            sure=frozenset(key for key, text in self.cells.items() if text == ON and _SURE_CELL.fullmatch(key)),
        )
        self._refuse_foreign_cells()
        return Reading(content=content, findings=tuple(self.findings))

    # ---- words -------------------------------------------------------------------------------------------------------
    def _refuse(self, code: str, cell: str, message: str) -> None:
        self.findings.append(Finding(code=code, rule=None, level=Level.REFUSE, cell=cell, message=message))

    def _text(self, cell: str) -> str:
        return bare(self.cells.get(cell, ""))

    def _words(self, cell: str, code: str) -> list[str]:
        """The words of a list: numbers of places (1. 2. 3.) are left out."""
        text = self._text(cell)
        if len(text) > MOST_TEXT:
            self._refuse(code, cell, _("This is too long to be read. Type only what belongs here."))
            return []
        return [word for word in _BETWEEN.split(text) if word and not _ORDINAL.fullmatch(word)]

    def _line(self, line: int) -> tuple[Crosser | None, ...]:
        cell, found = line_cell(line), list[Crosser | None]()
        for place, word in enumerate(self._words(cell, "BA-VAL-02"), start=1):
            crosser = self.names.get(folded(word))
            if crosser is None and word != UNKNOWN:
                self._refuse(
                    "BA-VAL-02", cell,
                    _("Place %(place)s: nobody here is called “%(typed)s”. Type %(right)s.")
                    % {"place": place, "typed": shown(word), "right": self._for_example()},
                )  # fmt: skip
            found.append(crosser)
        return tuple(found)

    def _for_example(self) -> str:
        teams = ", ".join(self.context.team_ids)
        if self.context.madison:
            return _("a team: %(teams)s") % {"teams": teams}
        return _("a cyclist as %(cyclist)s, or only his team: %(teams)s") % {
            "cyclist": f"{self.context.team_ids[0]}1" if self.context.teams else "R1", "teams": teams,
        }  # fmt: skip

    def _racers(self, cell: str, code: str) -> Iterator[str]:
        seen: set[str] = set()
        for word in self._words(cell, code):
            crosser = self.names.get(folded(word))
            if crosser is None or crosser.id not in self.context.racers:
                self._refuse(
                    code, cell,
                    _("“%(typed)s” is no team of this race.") % {"typed": shown(word)}
                    if self.context.madison
                    else _("“%(typed)s” is no cyclist of this race. Name him by team and number, as %(cyclist)s.")
                    % {"typed": shown(word), "cyclist": next(iter(self.context.racers), "R1")},
                )  # fmt: skip
            elif crosser.id not in seen:
                seen.add(crosser.id)
                yield crosser.id

    def _teams(self, cell: str, code: str) -> Iterator[str]:
        seen: set[str] = set()
        for word in self._words(cell, code):
            crosser = self.names.get(folded(word))
            if crosser is None or crosser.id not in self.context.team_ids:
                self._refuse(
                    code, cell,
                    _("“%(typed)s” is no team of this race. Its teams are %(teams)s.")
                    % {"typed": shown(word), "teams": ", ".join(self.context.team_ids)},
                )  # fmt: skip
            elif crosser.team in seen:
                self._refuse(code, cell, _("%(team)s is listed twice.") % {"team": crosser.team})
            else:
                seen.add(crosser.team)
                yield crosser.team

    # ---- numbers -----------------------------------------------------------------------------------------------------
    def _number(self, cell: str, code: str, word: str) -> int | None:
        try:
            return whole_number(word)
        except NotWhole:
            self._refuse(
                code, cell, _("“%(typed)s” is no whole number from 0. Mend it, or clear it.") % {"typed": shown(word)}
            )  # fmt: skip
            return None

    def _numbers_of_teams(self, cell_of: Callable[[str], str], code: str) -> Iterator[tuple[str, int]]:
        for team in self.context.team_ids:
            text = self._text(cell_of(team))
            number = self._number(cell_of(team), code, text) if text else None
            if number is not None:
                yield team, number

    def _lists(self, cells: Mapping[str, str], code: str) -> Iterator[tuple[str, tuple[int, ...]]]:
        """Of each cell that is filled, and can be read, its numbers; `cells` says of whom each tells."""
        for cell, who in cells.items():
            numbers = [self._number(cell, code, word) for word in self._words(cell, code)]
            if numbers and None not in numbers:
                yield who, tuple(number for number in numbers if number is not None)

    # ---- the log sheets ----------------------------------------------------------------------------------------------
    def _log(self) -> Log:
        context = self.context
        hands = {f"hand-{cyclist}": cyclist for cyclist in context.cyclists}
        first = list(self._teams("first", "BA-VAL-20"))
        if len(first) > 1:
            self._refuse("BA-VAL-20", "first", _("One player began: name one of his teams."))
        log = Log(
            first=first[0] if len(first) == 1 else "",
            hands=tuple((who, tuple(sorted(hand))) for who, hand in self._lists(hands, "BA-VAL-21")),
            turns=tuple(
                (number, entries) for number in self._turns("turn") if (entries := tuple(self._entries(number)))
            ),
        )
        if not context.madison:
            return log
        return Log(
            first=log.first,
            hands=log.hands,
            turns=log.turns,
            ratings=tuple(self._lists({f"rating-{team}": team for team in context.team_ids}, "BA-VAL-20")),
            lineups=tuple(self._lists({f"lineup-{team}": team for team in context.team_ids}, "BA-VAL-20")),
            changes=tuple(
                (number, teams)
                for number in self._turns("change")
                if (teams := tuple(self._teams(f"change-{number}", "BA-VAL-20")))
            ),
        )

    def _turns(self, kind: str) -> list[int]:
        """The numbers of the turns that are told of."""
        told = (
            cell.removeprefix(f"{kind}-")
            for cell, text in self.cells.items()
            if cell.startswith(f"{kind}-") and bare(text)
        )
        return sorted({int(number) for number in told if _TURN.fullmatch(number) and int(number) <= MOST_TURNS})

    def _entries(self, number: int) -> Iterator[Spent | Gone]:
        """A turn: who spent what, “R1 7”, with the new factor if it is told, “R1 7 +4”; and who retires, “R1 out”."""
        cell = f"turn-{number}"
        words = self._words(cell, "BA-VAL-20")
        while words:
            name = words.pop(0)
            racer = self.names.get(folded(name))
            if words and words[0].casefold() == OUT and racer and racer.id in self.context.racers:
                words.pop(0)
                yield Gone(racer.id)
                continue
            cyclist = self.cyclists.get(folded(name))
            if cyclist is None or not words:
                self._refuse(
                    "BA-VAL-20", cell,
                    _("Turn %(turn)s cannot be read at “%(typed)s”: it lists cyclists and their factors, as %(right)s.")
                    % {"turn": number, "typed": shown(name), "right": self._entry_for_example()},
                )  # fmt: skip
                return
            factor = self._number(cell, "BA-VAL-20", words.pop(0))
            gained = None
            if words and words[0].startswith("+"):
                gained = self._number(cell, "BA-VAL-20", words.pop(0)[1:] or UNKNOWN)
            if factor is None:
                return
            yield Spent(cyclist, factor, gained)

    def _entry_for_example(self) -> str:
        cyclist = next(iter(self.context.cyclists), "R1")
        return _("“%(cyclist)s 7”, or with the new factor “%(cyclist)s 7 +4”") % {"cyclist": cyclist}

    def _refuse_foreign_cells(self) -> None:
        """Filled cells that have no place on this sheet: a line too many, a team that is not there."""
        context = self.context
        known = {line_cell(number) for number in range(len(context.lines))}
        known |= {f"total-{team}" for team in context.team_ids} | {f"hand-{name}" for name in context.cyclists}
        if context.madison:
            known |= {distance_cell(context, team) for team in context.team_ids}
            known |= {f"{kind}-{team}" for kind in ("rating", "lineup") for team in context.team_ids}
        known |= {f"turn-{number}" for number in self._turns("turn")}
        known |= {f"change-{number}" for number in self._turns("change") if context.madison}
        for cell, text in self.cells.items():
            kind = _OWN_CELL.fullmatch(cell)
            if kind and bare(text) and cell not in known:
                self._refuse(
                    _CODES[kind[1]], cell, _("This race has no such field. Empty it, or mend the start list.")
                )  # fmt: skip


def cells_of(content: SheetContent, context: Context) -> dict[str, str]:
    """The cells that `read` would read this content from: a sheet reopens with what is stored."""
    cells = {
        line_cell(number): " ".join(UNKNOWN if who is None else who.id for who in line)
        for number, line in enumerate(content.lines)
    }
    cells |= {
        "retired": " ".join(content.retired),
        "leftover": " ".join(content.leftover),
        "abandoned": ON if content.abandoned else "",
        "first": content.log.first,
    }
    cells |= {f"total-{team}": str(total) for team, total in content.totals}
    cells |= {distance_cell(context, team): str(value) for team, value in content.distances}
    log = content.log
    for kind, told in (("hand", log.hands), ("rating", log.ratings), ("lineup", log.lineups)):
        cells |= {f"{kind}-{who}": " ".join(map(str, numbers)) for who, numbers in told}
    cells |= {f"turn-{number}": ", ".join(map(_written, entries)) for number, entries in log.turns}
    cells |= {f"change-{number}": " ".join(teams) for number, teams in log.changes}
    return cells | dict.fromkeys(content.sure, ON)


def _written(entry: Spent | Gone) -> str:
    if isinstance(entry, Gone):
        return f"{entry.racer} {OUT}"
    return f"{entry.cyclist} {entry.factor}" + ("" if entry.gained is None else f" +{entry.gained}")
