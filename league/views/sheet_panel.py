"""The result sheet as its page prints it: cells with their findings, riders in the order of arrival, what would come of it.

Everything is worked out here; the templates print rows. A *cell* is a field of the sheet, a *line* one rider's cells, a
*run* what a place in the order belongs to: a rider, or in a team time trial a team.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property

from django.contrib.auth.models import User
from django.core.cache import cache
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league import racing, results
from league.classification.giro import GcRow, GcState
from league.classification.status import Kind, OutReason, Status
from league.errors import Refused
from league.forms.sheets import cells_on, order_cells, race_cells, rider_cells
from league.models import DraftCell, Membership, Rider, SheetVersion, StageRace, Team
from league.models.club import Role
from league.sheets import giro as sheets
from league.sheets.giro import Finding, Level
from league.sheets.words import listed, status_word
from league.words import out_words

HERE_SECONDS = 35  # somebody whose page has not asked for so long has left; an open page asks every 10 s
RECENT = timedelta(hours=2)  # how long it matters who typed last


@dataclass
class Cell:
    """A field of the sheet: what is typed, what is wrong with it."""

    key: str
    value: str
    label: str
    findings: list[Finding] = field(default_factory=list)
    clash: DraftCell | None = None
    options: list[tuple[str, str]] = field(default_factory=list)
    clash_words: tuple[str, str] = ("", "")  # both values as a reader knows them
    is_against_race: bool = False  # the other side of the clash is what the race says

    @property
    def is_refused(self) -> bool:
        return bool(self.clash) or any(f.level is Level.REFUSE for f in self.findings)

    @property
    def is_asked(self) -> bool:
        return any(f.level is Level.ASK for f in self.findings)

    @property
    def is_noted(self) -> bool:
        return bool(self.findings or self.clash)


@dataclass
class Line:
    """A rider's line."""

    rider: Rider
    team: Team | None
    start: int | None  # energy he starts with; None while a result is missing
    cells: dict[str, Cell]  # by name: turn, energy, status; place or clock
    says: list[str] = field(default_factory=list)  # good to know: he would be lapped
    bot: str = ""  # the level of the bot that rode for him

    @property
    def noted(self) -> list[Cell]:
        return [cell for cell in self.cells.values() if cell.is_noted]

    @property
    def is_bad(self) -> bool:
        return any(cell.is_refused for cell in self.cells.values())

    @property
    def is_asked(self) -> bool:
        return any(cell.is_asked for cell in self.cells.values())


@dataclass
class Run:
    """What has one place in the order: a rider, or a team on the clock of a team time trial."""

    order: Cell
    lines: list[Line]
    place: int | None
    name: str
    team: Team | None
    can_arrive: bool = True  # False: he did not start, or did not finish
    turns: int | None = None  # team time trial: those of its last rider

    @property
    def line(self) -> Line:
        return self.lines[0]


@dataclass(frozen=True)
class Missing:
    """Something not told yet, and where to type it."""

    cell: str
    message: str


class Panel:
    """The page of a sheet for one reader."""

    def __init__(
        self,
        entry: results.Entry,
        user: User,
        *,
        correcting: bool = False,
        refusal: str = "",
        unstored: Iterable[tuple[str, str]] = (),
    ) -> None:
        self.entry = entry
        self.user = user
        self.correcting = correcting
        self.refusal = refusal  # why nothing was published or stored
        self.unstored = [(self.words(key).capitalize(), value) for key, value in unstored]
        self.kind = entry.context.kind
        self.clashes = {cell.key: cell for cell in entry.clashes}
        self.at: dict[str, list[Finding]] = defaultdict(list)
        for finding in entry.findings:
            self.at[finding.cell].append(finding)

    # what the sheet is

    @property
    def is_open(self) -> bool:
        """Its cells can be typed in: it is not official, or it is being corrected."""
        return not self.entry.sheet.is_official or self.correcting

    @cached_property
    def versions(self) -> list[SheetVersion]:
        return list(self.entry.sheet.versions.select_related("by").order_by("-number"))

    @cached_property
    def is_changed(self) -> bool:
        """The draft tells something else than what is public."""
        return bool(self.versions) and (bool(self.clashes) or not results.stands(self.entry, self.versions[0]))

    @cached_property
    def saved_at(self) -> datetime | None:
        return max((row.typed_at for row in self.entry.rows), default=None)

    # cells

    def cell(self, key: str, label: str, options: list[tuple[str, str]] | None = None) -> Cell:
        found = self.at.get(key, [])
        shown = [f for f in found if f.level is not Level.MISSING or self.has_begun(key)]
        cell = Cell(key, self.entry.cells.get(key, ""), label, shown, self.clashes.get(key), options or [])
        if cell.options and cell.value not in dict(cell.options):
            cell.options.append((cell.value, cell.value))  # what was typed, readable or not
        if cell.clash:
            words = dict(cell.options)
            cell.clash_words = (
                words.get(cell.clash.value, cell.clash.value) or _("nothing"),
                words.get(cell.clash.other, cell.clash.other) or _("nothing"),
            )
            cell.is_against_race = results.same(self.said_by_race.get(key, "\0"), cell.clash.other)
        return cell

    # the race of the stage

    @cached_property
    def stage_race(self) -> StageRace | None:
        return racing.race_of(self.entry.stage)

    @cached_property
    def said_by_race(self) -> Mapping[str, str]:
        """The cells as the race says them, once it has come onto the sheet; looked up where something is to be chosen."""
        return racing.said_by_race(self.entry.stage) if self.clashes else {}

    @property
    def race_words(self) -> str:
        """What whoever fills the sheet should know of the stage's race; empty where there is nothing."""
        found, sheet = self.stage_race, self.entry.sheet
        if found is None or sheet.is_official:
            return ""
        if found.race.is_running and sheet.is_public:
            return _("The race of this stage is on the road. Its result comes onto this sheet when it ends, and no sooner "
                     "can the sheet be made official.")  # fmt: skip
        if found.race.is_running or found.race.is_open:
            return _("This stage is ridden as a race, and its result comes onto this sheet by itself. What you type meanwhile "
                     "stays.")  # fmt: skip
        return racing.what_waits(found, len(self.clashes))

    @property
    def is_asked_by_race(self) -> bool:
        """Somebody has to look at it."""
        return self.stage_race is not None and (self.stage_race.race.is_over or self.entry.sheet.is_public)

    @property
    def race_icon(self) -> str:
        return "ask" if self.is_asked_by_race else "flag"

    def has_begun(self, key: str) -> bool:
        """What is missing is said at a rider's line only when something of it is told; before that the list says it."""
        name, _sep, rider = key.rpartition("-")
        if name not in ("place", "turn", "clock", "energy", "status"):
            return False
        return any(self.entry.cells.get(f"{other}-{rider}", "") for other in ("turn", "energy", "status"))

    @cached_property
    def race(self) -> list[Cell]:
        """Peloton and bonus tokens."""
        labels = {"peloton": _("Peloton's turn"), "never": _("It never arrived")}
        riders = [(str(s.rider), sheets.who(s)) for s in self.entry.context.starters]
        cells = []
        for key in race_cells(self.entry.context):
            if key in labels:
                cells.append(self.cell(key, labels[key]))
            else:
                column = self.entry.context.course.bonus[int(key.removeprefix("bonus-")) - 1]
                label = _("Bonus at %(column)s") % {"column": column}
                cells.append(self.cell(key, label, [("", _("not told")), (sheets.NOBODY, _("nobody")), *riders]))
        return cells

    @cached_property
    def strays(self) -> list[Cell]:
        """Cells of riders or teams who are not at the start (any more): they can be emptied."""
        known = cells_on(self.entry.context)
        return [
            self.cell(key, self.words(key).capitalize())
            for key, value in self.entry.cells.items()
            if value and key not in known and key in self.at
        ]

    @cached_property
    def whole(self) -> Cell:
        """What is to be said about the sheet as a whole."""
        return Cell(
            sheets.WHOLE_SHEET, "", "", [f for f in self.at.get(sheets.WHOLE_SHEET, []) if f.level is not Level.MISSING]
        )

    @cached_property
    def race_notes(self) -> list[Cell]:
        return [cell for cell in (self.whole, *self.race) if cell.is_noted]

    @cached_property
    def lines(self) -> dict[int, Line]:
        """The riders at the start by bib."""
        turn = _("Turn") if self.kind is Kind.ROAD else _("Turns")
        labels = {"place": _("Place"), "clock": _("Clock"), "turn": turn, "energy": _("Energy"), "status": _("Status")}
        bots = racing.ridden_by_bots(self.entry.stage.campaign).get(self.entry.stage.pk, {})
        lines = {}
        for starter in self.entry.context.starters:
            cells = {}
            for name in rider_cells(self.entry.context):
                key = f"{name}-{starter.rider}"
                cells[name] = self.cell(key, labels[name], self.statuses(starter.rider) if name == "status" else None)
            lines[starter.rider] = Line(
                rider=self.entry.loaded.riders[starter.rider],
                team=self.entry.teams[starter.rider],
                start=None if starter.carry is None else sheets.start_energy(self.entry.context.course, starter.carry),
                cells=cells,
                says=self.says.get(starter.rider, []),
                bot=bots.get(starter.rider, ""),
            )
        return lines

    def statuses(self, rider: int) -> list[tuple[str, str]]:
        """The choices of a status. Blank means arrived as soon as there is a turn."""
        value = self.entry.cells.get(f"status-{rider}", "")
        has_turn = bool(self.entry.cells.get(f"turn-{rider}", ""))
        arrived = status_word(Status.FINISHED)
        told = [Status.OTL, Status.DNF, Status.DNS, Status.DSQ, Status.WITHDRAWN]
        if self.kind is not Kind.ROAD:
            told.remove(Status.OTL)  # a time trial has no time limit
        choices = [("", arrived if has_turn and value != Status.FINISHED else _("no result yet"))]
        if value == Status.FINISHED:
            choices.append((Status.FINISHED.value, arrived))
        return choices + [(status.value, status_word(status)) for status in told]

    @cached_property
    def runs(self) -> list[Run]:
        """In the order of arrival as typed; those without a place at the end, by bib."""
        keys = order_cells(self.entry.context)
        of_key: dict[str, list[Line]] = defaultdict(list)
        for starter, line in zip(self.entry.context.starters, self.lines.values(), strict=True):
            key = (
                sheets.run_cell(sheets.run_of(starter))
                if self.kind is Kind.TTT
                else f"{self.order_name}-{starter.rider}"
            )
            of_key[key].append(line)
        turns = sheets.team_turns(self.entry.content, self.entry.context) if self.kind is Kind.TTT else {}
        runs = []
        for key in results.in_order(keys, self.entry.cells):
            lines, first = of_key[key], of_key[key][0]
            one = self.entry.context.starter(first.rider.pk)
            assert one is not None
            runs.append(
                Run(
                    order=self.cell(key, _("Clock")) if self.kind is Kind.TTT else first.cells[self.order_name],
                    lines=lines,
                    place=results.place_of(self.entry.cells.get(key, "")),
                    name=first.team.name if self.kind is Kind.TTT and first.team else first.rider.name,
                    team=first.team,
                    can_arrive=any(self.can_arrive(line) for line in lines),
                    turns=turns.get(sheets.run_of(one)),
                )
            )
        return runs

    @property
    def order_name(self) -> str:
        return "place" if self.kind is Kind.ROAD else "clock"

    @staticmethod
    def can_arrive(line: Line) -> bool:
        status = line.cells["status"].value
        return status not in (Status.DNS, Status.DNF) and not (
            status in (Status.OTL, Status.WITHDRAWN) and not line.cells["turn"].value
        )

    @cached_property
    def next_place(self) -> int:
        taken = {run.place for run in self.runs}
        return next(n for n in range(1, len(self.runs) + 2) if n not in taken)

    # what would come of it

    @cached_property
    def stands(self) -> list[GcLine]:
        """The GC if the sheet stood as it is; empty as long as nobody has a result."""
        told = self.entry.without_refused().content
        if told.is_blank:
            return []
        return [
            GcLine(row, self.entry.loaded.riders[row.rider], self.team(row.team), self.why(row, told))
            for row in self.after
        ]

    @cached_property
    def after(self) -> tuple[GcRow, ...]:
        return self.entry.if_it_stands().gc

    def team(self, pk: int | None) -> Team | None:
        return self.entry.all_teams.get(pk) if pk else None

    def why(self, row: GcRow, told: sheets.SheetContent) -> str:
        """Why a rider has no place."""
        if row.state is GcState.UNRESOLVED:
            return _("no result yet")
        if row.state is GcState.IN:
            return ""
        reason = out_words(row.why_out) if row.why_out else _("out")
        if row.out_after == self.entry.stage.pk:
            asked = {f.cell for f in self.entry.findings if f.level is Level.ASK}
            if asked & {f"turn-{row.rider}", f"status-{row.rider}"}:
                return _("%(reason)s: to confirm") % {"reason": reason}
            return reason
        stage = self.entry.loaded.stages.get(row.out_after or 0)
        return _("%(reason)s, stage %(number)s") % {"reason": reason, "number": stage.number if stage else "?"}

    @cached_property
    def says(self) -> dict[int, list[str]]:
        """What a rider's line should know of the tables: he would be lapped."""
        if self.entry.without_refused().content.is_blank:
            return {}
        riders = self.entry.loaded.riders
        first = next((row for row in self.after if row.rank == 1), None)
        says: dict[int, list[str]] = {}
        for row in self.after:
            if first and row.why_out is OutReason.LAPPED and row.out_after == self.entry.stage.pk:
                gap = (first.score or 0) - (row.score or 0)
                says[row.rider] = [
                    _("In time, but he would be lapped: %(gap)s squares behind %(rider)s.")
                    % {"gap": gap, "rider": riders[first.rider].last_name}
                ]
        return says

    @cached_property
    def progress(self) -> tuple[int, int]:
        return sheets.progress(self.entry.content, self.entry.context)

    # what stands between the sheet and its publication

    @cached_property
    def missing(self) -> list[Missing]:
        """What is not told yet, but for the riders of whom nothing is told: `waiting` has them."""
        waiting = {f"turn-{line.rider.pk}" for line in self.waiting}
        return [
            Missing(self.focus(f.cell), f.message)
            for f in self.entry.findings
            if f.level is Level.MISSING and not (f.cell in waiting and f.code in ("E2", "E10"))
        ]

    @cached_property
    def waiting(self) -> list[Line]:
        """Riders without a result, on a sheet that tells something."""
        if self.entry.content.is_blank:
            return []
        lines = {line.rider: line for line in self.entry.content.lines}
        return [line for pk, line in self.lines.items() if lines[pk].status is Status.UNRESOLVED]

    def focus(self, key: str) -> str:
        """The field to go to for a finding at `key`: the whole sheet has none of its own."""
        return key if key != sheets.WHOLE_SHEET else (f"turn-{self.runs[0].line.rider.pk}" if self.runs else key)

    def count(self, level: Level) -> int:
        return sum(f.level is level for f in self.entry.findings)

    @cached_property
    def summary(self) -> str:
        """The bar's first words."""
        refused, asked, missing = (self.count(level) for level in (Level.REFUSE, Level.ASK, Level.MISSING))
        if self.entry.content.is_blank and not (self.clashes or refused or asked):
            return _("Nothing is told yet")
        if self.correcting and not self.is_changed:
            return _("Nothing is changed yet")
        parts = []
        if self.clashes:
            parts.append(ngettext("%(n)s to choose", "%(n)s to choose", len(self.clashes)) % {"n": len(self.clashes)})
        if refused:
            parts.append(ngettext("%(n)s refused", "%(n)s refused", refused) % {"n": refused})
        if asked:
            parts.append(ngettext("%(n)s to confirm", "%(n)s to confirm", asked) % {"n": asked})
        if missing:
            parts.append(ngettext("%(n)s missing", "%(n)s missing", missing) % {"n": missing})
        return ", ".join(parts) if parts else _("Everything is told")

    @cached_property
    def problem(self) -> tuple[str, str] | None:
        """The first thing to mend: the field to go to, and what to call it."""
        keys = [run.order.key for run in self.runs]
        page = [c.key for c in self.race]
        for run in self.runs:
            page += [run.order.key, *(c.key for line in run.lines for c in line.cells.values())]
        order = {key: n for n, key in enumerate(dict.fromkeys([sheets.WHOLE_SHEET, *page, *keys]))}
        if self.clashes:
            key = min(self.clashes, key=lambda key: order.get(key, len(order)))
            return self.focus(key), self.called(key)
        levels = [Level.REFUSE, Level.ASK] if self.entry.content.is_blank else [Level.REFUSE, Level.ASK, Level.MISSING]
        for level in levels:
            found = [f.cell for f in self.entry.findings if f.level is level]
            if found:
                key = min(found, key=lambda key: order.get(key, len(order)))
                return self.focus(key), self.called(key)
        return None

    @cached_property
    def blocks_provisional(self) -> bool:
        return self.entry.blocks_provisional

    @cached_property
    def why_not_official(self) -> str:
        """A sentence, or nothing if it could be made official now."""
        try:
            results.must_come_after(self.entry.stage, official=True)
            results.its_race_has_ended(self.entry.stage)
        except Refused as refusal:
            return str(refusal)
        if self.clashes or self.count(Level.REFUSE) or self.count(Level.ASK):
            return _("Something on the sheet is still open: see the marked cells.")
        if self.count(Level.MISSING):
            return _(
                "Something is still missing. A provisional sheet may wait for it, an official one tells everything."
            )
        return ""

    # words

    def called(self, key: str) -> str:
        """A short name for "Go to ...": the rider's last name, the team's, or the cell's."""
        name, _sep, number = key.rpartition("-")
        rider = self.entry.loaded.riders.get(int(number)) if number.isdecimal() else None
        if name in cell_words() and rider:
            return rider.last_name
        return self.words(key)

    def words(self, key: str) -> str:
        """A cell in a sentence: the turn of 11 Sarti."""
        name, _sep, number = key.rpartition("-")
        if key == "peloton":
            return _("the peloton's turn")
        if key == "never":
            return _("that the peloton never arrived")
        if key == sheets.WHOLE_SHEET:
            return _("the sheet")
        if key.startswith("sure-"):
            return _("a confirmation")
        if name == "bonus" and number.isdecimal():
            columns = self.entry.context.course.bonus
            if 1 <= int(number) <= len(columns):
                return _("the bonus at %(column)s") % {"column": columns[int(number) - 1]}
            return _("a bonus sprint")
        if name.startswith("teamclock"):
            team = self.team(int(number)) if name == "teamclock" else None
            rider = self.entry.loaded.riders.get(int(number))
            return _("the clock of %(team)s") % {"team": team or rider or _("a team")}
        pattern = cell_words().get(name)
        if pattern and number.isdecimal():
            return pattern % {"rider": self.entry.names.get(int(number), _("a rider"))}
        return _("a cell")

    # who else is here

    @cached_property
    def others(self) -> list[str]:
        return here(self.entry, self.user)

    @cached_property
    def last_by_another(self) -> DraftCell | None:
        """What somebody else typed last, as long as that matters."""
        since = timezone.now() - RECENT
        theirs = [
            row for row in self.entry.rows if row.typed_by_id not in (None, self.user.pk) and row.typed_at > since
        ]
        return max(theirs, key=lambda row: (row.typed_at, row.revision), default=None)

    @cached_property
    def told(self) -> str:
        """Who else is on the sheet and what was typed last, in one or two sentences."""
        parts = []
        if self.others:
            parts.append(
                ngettext("%(names)s is on this sheet too.", "%(names)s are on this sheet too.", len(self.others))
                % {"names": listed(self.others)}
            )
        last = self.last_by_another
        if last:
            at = timezone.localtime(last.typed_at).strftime("%H:%M")
            parts.append(
                _("%(name)s typed %(cell)s at %(time)s; nothing of yours is lost.")
                % {"name": name_of(last.typed_by), "cell": self.words(last.key), "time": at}
            )
        return " ".join(parts)


@dataclass(frozen=True)
class GcLine:
    """A rider in the table "If it stands"."""

    row: GcRow
    rider: Rider
    team: Team | None
    why: str

    @property
    def is_out(self) -> bool:
        return self.row.rank is None


def cell_words() -> Mapping[str, str]:
    return {
        "turn": _("the turn of %(rider)s"),
        "energy": _("the energy of %(rider)s"),
        "status": _("the status of %(rider)s"),
        "place": _("the place of %(rider)s"),
        "clock": _("the clock place of %(rider)s"),
        "start": _("the energy at the start of %(rider)s"),
    }


def name_of(user: User | None) -> str:
    """How others on the sheet are told of him; never his e-mail address."""
    return (user.get_full_name() if user else "") or _("somebody")


def here(entry: results.Entry, user: User) -> list[str]:
    """Note that this reader has the sheet open, and name the others who have."""
    key = f"sheet-{entry.sheet.pk}-open-by-"
    cache.set(f"{key}{user.pk}", 1, HERE_SECONDS)
    clerks = Membership.objects.filter(
        club=entry.stage.campaign.season.club, role__in=(Role.COMMISSAIRE, Role.ORGANISER)
    ).exclude(user=user).select_related("user")  # fmt: skip
    users = {f"{key}{clerk.user_id}": clerk.user for clerk in clerks}
    return [name_of(users[found]) for found in cache.get_many(users)]
