"""Entering results: cells as they are typed, the sheet as it is published. One door for form, import and demo.

A sheet's cells are a draft that several people may fill at once; publishing reads and checks them and writes results.
Only published results are facts for a classification.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from league.access import open_for_change
from league.classification.giro import AfterStage, GcState, StageSheet
from league.classification.status import Kind
from league.courses import facts_of
from league.errors import Late, Refused
from league.loading import Loaded, TeamsOfTheDay, load
from league.models import BonusSprint, Campaign, DraftCell, Result, Sheet, SheetVersion, Stage, StageRace, Team
from league.models.results import SheetState
from league.recount import touch
from league.sheets import giro as sheets
from league.sheets.whole_numbers import NotWhole, bare, whole_number
from races.models import Race, Status


class SheetRefused(Refused):
    """The sheet cannot be published as it stands; `findings` say what and where."""

    def __init__(self, message: str, findings: Iterable[sheets.Finding]) -> None:
        super().__init__(message)
        self.findings = tuple(findings)


@dataclass(frozen=True)
class Entry:
    """A sheet as it is being filled: what was typed, what it means, what is odd about it, and what would come of it."""

    stage: Stage
    sheet: Sheet
    cells: dict[str, str]
    clashes: tuple[DraftCell, ...]
    context: sheets.Context
    content: sheets.SheetContent
    findings: tuple[sheets.Finding, ...]
    loaded: Loaded
    teams: dict[int, Team | None]  # by rider, on the day of the stage
    rows: tuple[DraftCell, ...] = ()  # the cells with who typed them, and when
    all_teams: dict[int, Team] = field(default_factory=dict)  # of the season

    @property
    def names(self) -> dict[int, str]:
        """How a sentence calls the riders of the campaign: bib and last name."""
        return {pk: rider.short for pk, rider in self.loaded.riders.items()}

    @property
    def blocks_provisional(self) -> bool:
        return bool(self.clashes) or sheets.blocks_provisional(self.findings)

    @property
    def blocks_official(self) -> bool:
        return bool(self.clashes) or sheets.blocks_official(self.findings)

    def reread(self) -> Entry:
        """The same sheet with what stands in its cells now."""
        self.sheet.refresh_from_db()
        self.sheet.stage = self.stage
        rows = tuple(self.sheet.cells.select_related("typed_by"))
        cells = {cell.key: cell.value for cell in rows}
        reading = sheets.examine(cells, self.context)
        return replace(
            self,
            cells=cells,
            rows=rows,
            clashes=tuple(cell for cell in rows if cell.is_clash),
            content=reading.content,
            findings=reading.findings,
        )

    def stage_sheet(self) -> StageSheet:
        """The content as the classification wants it (rulings of the stage are added by `Loaded.with_sheet`)."""
        return sheets.to_stage_sheet(self.content, self.context, stage=self.stage.pk)

    def if_it_stands(self) -> AfterStage:
        """The tables after this stage if the sheet stood as it is now. A line with a refused cell tells nothing yet."""
        after = self.loaded.with_sheet(self.without_refused().stage_sheet()).classify()
        return next(a for a in after if a.stage == self.stage.pk)

    def without_refused(self) -> Entry:
        """The sheet with what cannot have happened taken out: those riders have no result yet."""
        refused = {finding.cell for finding in self.findings if finding.level is sheets.Level.REFUSE}
        lines = []
        for line in self.content.lines:
            if refused & {f"{cell}-{line.rider}" for cell in ("place", "turn", "clock", "energy", "status")}:
                lines.append(sheets.LineEntry(rider=line.rider, run=line.run))
            elif line.run and sheets.run_cell(line.run) in refused:
                lines.append(replace(line, clock=None))
            else:
                lines.append(line)
        bonuses = tuple(bonus for bonus in self.content.bonuses if f"bonus-{bonus[0]}" not in refused)
        told = replace(self.content, lines=tuple(lines), bonuses=bonuses)
        if "peloton" in refused or "never" in refused:
            told = replace(told, peloton_turn=None, peloton_never=False)
        return replace(self, content=told)


def sheet_of(stage: Stage) -> Sheet:
    """The stage's sheet, made on first use."""
    sheet = Sheet.objects.get_or_create(stage=stage)[0]
    sheet.stage = stage
    return sheet


def context_for(stage: Stage, loaded: Loaded, teams: TeamsOfTheDay) -> sheets.Context:
    """Who starts in this stage, with what energy, on which course. Rules: E1, GI-D4-02.

    That is the riders still in the GC, and whoever stands on the published sheet: a rider whom a later decision on an
    earlier stage has put out rode this one all the same, and his line stays a fact of it.
    """
    riders = loaded.riders
    before = loaded.before(stage)
    tables = before.classify()
    if tables:
        starting = {row.rider: row.carry for row in tables[-1].gc if row.state is not GcState.OUT}
    else:
        starting = dict.fromkeys(riders, 0)
    published = {line.rider: line.team for s in loaded.sheets if s.stage == stage.pk for line in s.lines}
    for pk in published.keys() - starting.keys():
        starting[pk] = brought_along(pk, before)
    starters = []
    for pk, carry in starting.items():
        rider = riders[pk]
        # what was published once keeps its team: `write_results` never changes it
        team = teams.called(published[pk]) if pk in published else teams.team(rider, stage.day)
        starters.append(
            sheets.Starter(
                rider=pk,
                bib=rider.bib,
                name=rider.name,
                team=team.pk if team else None,
                team_name=team.name if team else "",
                carry=carry,
                draft=rider.draft_order,
            )
        )
    starters.sort(key=lambda s: s.bib)
    return sheets.Context(
        kind=Kind(stage.kind), course=facts_of(stage), starters=tuple(starters), time_limit=stage.campaign.time_limit
    )


def brought_along(rider: int, before: Loaded) -> int | None:
    """The energy with which a rider who is out by now came to the stage on its evening; None where no sheet tells.

    Rules: GI-D4-01, GI-D4-02."""
    if not before.sheets:
        return 0
    latest = before.sheets[-1]
    energy = next((line.energy for line in latest.lines if line.rider == rider), None)
    return None if energy is None else min(before.options.cap(latest.kind), energy)


def entry_of(stage: Stage, cells: Mapping[str, str] | None = None) -> Entry:
    """The stage's sheet with its draft cells (or these ones instead), read and checked."""
    sheet = sheet_of(stage)
    loaded = load(stage.campaign)
    teams = TeamsOfTheDay(stage.campaign)
    context = context_for(stage, loaded, teams)
    rows = list(sheet.cells.select_related("typed_by"))
    typed = {cell.key: cell.value for cell in rows} if cells is None else dict(cells)
    reading = sheets.examine(typed, context)
    return Entry(
        stage=stage,
        sheet=sheet,
        cells=typed,
        clashes=tuple(cell for cell in rows if cell.is_clash),
        context=context,
        content=reading.content,
        findings=reading.findings,
        loaded=loaded,
        rows=tuple(rows),
        all_teams=teams.by_id,
        teams={s.rider: teams.called(s.team) for s in context.starters},
    )


def published_cells(sheet: Sheet) -> dict[str, str]:
    """The cells of what is published, so that a sheet opens with what is stored."""
    version = newest_version(sheet)
    return sheets.cells_of(sheets.SheetContent.from_json(version.content)) if version else {}


@dataclass(frozen=True)
class Typed:
    """What became of typed cells: those that stand as typed now, and those that somebody else had changed meanwhile."""

    stored: tuple[str, ...]
    clashes: tuple[str, ...]
    revision: int


LONGEST = 200  # characters of a cell


def as_kept(text: str) -> str:
    """Typed text as a cell can hold it. What is too long is cut so that it can never be read as a number."""
    kept = bare(text).replace("\0", "\ufffd")
    return kept if len(kept) <= LONGEST else kept[: LONGEST - 1] + "…"


def same(one: str, other: str) -> bool:
    """Two texts that say the same in a cell: 14, 014 and 14 with a space."""
    return one == other or plain(one) == plain(other)


def plain(text: str) -> str:
    try:
        return str(whole_number(text))
    except NotWhole:
        return bare(text)


def locked_sheet(stage: Stage) -> Sheet:
    """The stage's sheet under its row lock: whoever changes its draft stands in line here."""
    sheet_of(stage)
    sheet = Sheet.objects.select_for_update().get(stage=stage)
    sheet.stage = stage
    return sheet


def type_cells(
    stage: Stage, user: User | None, now: Mapping[str, str], was: Mapping[str, str], *, unless_official: bool = False
) -> Typed:
    """Store what somebody typed. `was` is what stood in each cell when he began: an untouched cell changes nothing, so two
    people on one sheet both keep their typing; a cell that both changed is kept in both forms until one is chosen.

    `unless_official`: raises Late where somebody has made the sheet official meanwhile and something would change.
    """
    touched = {key: as_kept(now.get(key, "")) for key in {*now, *was}}
    touched = {key: value for key, value in touched.items() if not same(value, was.get(key, ""))}
    with transaction.atomic():
        sheet = locked_sheet(stage)
        cells = {cell.key: cell for cell in sheet.cells.filter(key__in=list(touched))}
        stored: list[str] = []
        clashes: list[str] = []
        changed: list[DraftCell] = []
        for key, value in sorted(touched.items()):
            cell = cells.get(key) or DraftCell(sheet=sheet, key=key)
            before = (cell.value, cell.other, cell.is_clash)
            meet(cell, value, as_kept(was.get(key, "")))
            (clashes if cell.is_clash else stored).append(key)
            if (cell.value, cell.other, cell.is_clash) != before:
                if cell.value != before[0]:
                    cell.typed_by, cell.typed_at = user, timezone.now()
                changed.append(cell)
        if changed:
            if unless_official and sheet.is_official:
                raise Late(
                    _(
                        "%(stage)s has been made official meanwhile. It changes only by a ruling: correct it with a reason."
                    )
                    % {"stage": stage}
                )
            save_cells(sheet, changed)
    return Typed(tuple(stored), tuple(clashes), sheet.draft_revision)


def meet(cell: DraftCell, value: str, was: str) -> None:
    """Bring what somebody typed over `was` together with what stands in the cell. In a clash everybody goes on typing on
    his own side of it; it ends when both say the same, or when one side is chosen."""
    if same(cell.value, value):
        cell.other, cell.is_clash = "", False
    elif cell.is_clash:
        if same(was, cell.value):
            cell.value = value
        else:
            cell.other = value
        cell.is_clash = not same(cell.value, cell.other)
    elif same(cell.value, was):
        cell.value = value
    else:
        cell.other, cell.is_clash = value, True


def save_cells(sheet: Sheet, cells: Sequence[DraftCell]) -> None:
    """Write changed cells of a locked sheet in one statement; the draft's revision counts it."""
    sheet.draft_revision += 1
    sheet.save(update_fields=["draft_revision"])
    for cell in cells:
        cell.revision = sheet.draft_revision
    DraftCell.objects.bulk_create(
        cells,
        update_conflicts=True,
        unique_fields=["sheet", "key"],
        update_fields=["value", "other", "is_clash", "typed_by", "typed_at", "revision"],
    )


def place_of(text: str) -> int | None:
    """The place that a cell writes; None where it writes none."""
    try:
        return whole_number(text) or None
    except NotWhole:
        return None


def in_order(keys: Sequence[str], cells: Mapping[str, str]) -> list[str]:
    """Cells of places (or clock places) in the order they say; `keys` come in the order of the bibs, and so do those
    without a readable place, at the end."""
    places = {key: place_of(cells.get(key, "")) for key in keys}
    return sorted(keys, key=lambda key: (places[key] is None, places[key] or 0))


def moved(keys: Sequence[str], cells: Mapping[str, str], key: str, way: str) -> dict[str, str]:
    """The places that change when somebody moves: "next" arrives next (the first free place), "up" and "down" change places
    with the one before or after him."""
    order = [k for k in in_order(keys, cells) if place_of(cells.get(k, ""))]
    places = [place_of(cells[k]) or 0 for k in order]
    if way == "next":
        free = next(n for n in range(1, len(places) + 2) if n not in places)
        return {} if key in order else {key: str(free)}
    at = order.index(key) if key in order else -1
    to = at + (-1 if way == "up" else 1)
    if at < 0 or not 0 <= to < len(order):
        return {}
    order[at], order[to] = order[to], order[at]
    if len(set(places)) < len(places):
        places = list(range(1, len(places) + 1))
    return {k: str(n) for k, n in zip(order, places, strict=True) if place_of(cells[k]) != n}


def move(
    stage: Stage, user: User | None, keys: Sequence[str], key: str, way: str, *, unless_official: bool = False
) -> None:
    """Move a rider (or a team on the clock) in the order of arrival; what others have moved meanwhile stays."""
    with transaction.atomic():
        locked_sheet(stage)
        cells = dict(DraftCell.objects.filter(sheet__stage=stage, key__in=list(keys)).values_list("key", "value"))
        changes = moved(keys, cells, key, way) if key in keys else {}
        was = {k: cells.get(k, "") for k in changes}
        type_cells(stage, user, changes, was, unless_official=unless_official)


def settle(stage: Stage, user: User | None, key: str, *, take_other: bool, of_race: str | None = None) -> None:
    """Choose one of the two values of a clash. `of_race`: what the race says there; chosen, it is nobody's typing."""
    with transaction.atomic():
        sheet = locked_sheet(stage)
        cell = sheet.cells.filter(key=key, is_clash=True).first()
        if cell is None:
            return  # somebody has chosen already
        if take_other:
            cell.value, cell.typed_by, cell.typed_at = cell.other, user, timezone.now()
        if of_race is not None and same(cell.value, of_race):
            cell.typed_by = None
        cell.other, cell.is_clash = "", False
        save_cells(sheet, [cell])


def reset_draft(stage: Stage, user: User | None) -> None:
    """Throw the draft away: its cells say again what is published."""
    with transaction.atomic():
        sheet = locked_sheet(stage)
        if not sheet.is_public:
            raise Refused(_("%(stage)s has no published result to go back to.") % {"stage": stage})
        sheet.draft_revision += 1
        sheet.save(update_fields=["draft_revision"])
        set_cells(sheet, user, published_cells(sheet))


def publish(stage: Stage, user: User | None, *, official: bool = False) -> SheetVersion:
    """Make the draft public: provisional, or official. Publishing the same again is the same version.

    Raises SheetRefused with the findings, or Refused where the order of the stages forbids it. Rules: E1 to E12.
    """
    with transaction.atomic():
        campaign = lock(stage.campaign)
        stage.campaign = campaign
        locked_sheet(stage)  # nobody types between what is read here and what is written
        entry = entry_of(stage)
        sheet = entry.sheet
        if sheet.is_official:
            newest = newest_version(sheet)
            if official and newest and stands(entry, newest):
                return newest  # the same button twice
            raise Refused(
                _("%(stage)s is official. It changes only by a ruling: correct it with a reason.") % {"stage": stage}
            )
        must_come_after(stage, official=official)
        if official:
            its_race_has_ended(stage, lock=True)
        if entry.clashes:
            raise SheetRefused(
                _("Two people typed different things into one cell. Choose which is right."), entry.findings
            )
        blocked = entry.blocks_official if official else entry.blocks_provisional
        if blocked:
            raise SheetRefused(_("The sheet is not ready: see the marked cells."), entry.findings)
        state = SheetState.OFFICIAL if official else SheetState.PROVISIONAL
        return write(entry, user, state)


def lock(campaign: Campaign) -> Campaign:
    """The campaign under its row lock: whoever changes facts stands in line here."""
    locked = Campaign.objects.select_for_update(of=("self",)).select_related("season__club").get(pk=campaign.pk)
    open_for_change(locked.season)
    return locked


def must_come_after(stage: Stage, *, official: bool) -> None:
    """Stages are published in their order. Rules: E12."""
    earlier = Stage.objects.filter(campaign=stage.campaign, order__lt=stage.order).select_related("sheet")
    for other in earlier:
        state = other.sheet.state if hasattr(other, "sheet") else SheetState.DRAFT
        if state == SheetState.DRAFT:
            raise Refused(
                _("Stage %(number)s has no published result yet. Publish it first (E12).") % {"number": other.number}
            )
        if official and state != SheetState.OFFICIAL:
            raise Refused(
                _("Stage %(number)s is still provisional. Make it official first (E12).") % {"number": other.number}
            )


def its_race_has_ended(stage: Stage, *, lock: bool = False) -> None:
    """A sheet becomes official when its race has ended and has told its result. `lock`: and nobody takes it back meanwhile."""
    live = Race.objects.filter(stage_race__stage=stage, stage_race__is_live=True)
    if lock:
        live = live.select_for_update(of=("self",))
    for race in live.select_related("stage_race"):
        if race.is_running:
            raise Refused(
                _(
                    "The race of %(stage)s is on the road. Let it end, or abandon it; then the sheet can be made official."
                )
                % {"stage": stage}
            )
        if race.status == Status.OVER and race.ended_at != race.stage_race.settled_end:
            raise Refused(_("The race has just ended: its result comes onto the sheet in a moment. Look at it first."))


def write(entry: Entry, user: User | None, state: SheetState, *, reason: str = "") -> SheetVersion:
    """Store the content as results and as a version. In the caller's transaction, under the campaign's lock."""
    sheet, now = entry.sheet, timezone.now()
    locked_sheet(entry.stage)
    sheet.refresh_from_db()
    sheet.stage = entry.stage
    content = entry.content.to_json()
    newest = newest_version(sheet)
    if newest and newest.state == state and stands(entry, newest):
        return newest
    write_results(entry)
    sheet.peloton_turn = entry.content.peloton_turn
    sheet.state = state
    sheet.version += 1
    sheet.published_at = sheet.published_at or now
    if state == SheetState.OFFICIAL:
        sheet.is_revised = sheet.official_at is not None
        sheet.official_at = sheet.official_at or now
        sheet.signed_by = user
    sheet.draft_revision += 1
    sheet.save()
    version = SheetVersion.objects.create(
        sheet=sheet, number=sheet.version, state=state, content=content, reason=reason, by=user, at=now
    )
    set_cells(sheet, user, sheets.cells_of(entry.content), seen=entry.cells)
    StageRace.objects.filter(stage=entry.stage, is_live=True).exclude(note="").update(note="")  # it has been seen to
    touch(entry.stage.campaign)
    return version


def newest_version(sheet: Sheet) -> SheetVersion | None:
    return sheet.versions.order_by("-number").first()


def stands(entry: Entry, version: SheetVersion) -> bool:
    """The draft tells the same stage as this version does."""
    return entry.content.same_facts(sheets.SheetContent.from_json(version.content))


def write_results(entry: Entry) -> None:
    """Results and bonus sprints as they stand on the sheet. A result keeps the team it was first won for."""
    sheet = entry.sheet
    stage_sheet = entry.stage_sheet()
    have = {r.rider_id: r for r in sheet.results.all()}
    fresh: list[Result] = []
    old: list[Result] = []
    for line in stage_sheet.lines:
        result = have.pop(line.rider, None) or Result(sheet=sheet, rider_id=line.rider, team=entry.teams[line.rider])
        result.status, result.turn, result.place = line.status, line.turn, line.place
        result.clock, result.energy = line.clock, line.energy
        (old if result.pk else fresh).append(result)
    Result.objects.bulk_create(fresh)
    Result.objects.bulk_update(old, ["status", "turn", "place", "clock", "energy"])
    sheet.bonuses.all().delete()
    BonusSprint.objects.bulk_create(
        BonusSprint(sheet=sheet, token=token, rider_id=rider) for token, rider in entry.content.bonuses
    )


def set_cells(
    sheet: Sheet, user: User | None, cells: Mapping[str, str], *, seen: Mapping[str, str] | None = None
) -> None:
    """Make the draft of a locked sheet say this. A cell that does not say any more what was `seen` keeps what was typed."""
    told = {key: value for key, value in cells.items() if value}
    have = {
        cell.key: cell
        for cell in sheet.cells.all()
        if seen is None or (cell.value == seen.get(cell.key, "") and not cell.is_clash)
    }
    late = set() if seen is None else set(sheet.cells.exclude(key__in=list(have)).values_list("key", flat=True))
    sheet.cells.filter(key__in=list(have.keys() - told.keys())).delete()
    fresh = []
    for key in told.keys() - late:
        cell = have.get(key) or DraftCell(sheet=sheet, key=key, typed_by=user)
        cell.value, cell.other, cell.is_clash, cell.revision = told[key], "", False, sheet.draft_revision
        fresh.append(cell)
    DraftCell.objects.bulk_create(
        fresh,
        update_conflicts=True,
        unique_fields=["sheet", "key"],
        update_fields=["value", "other", "is_clash", "typed_by", "typed_at", "revision"],
    )
