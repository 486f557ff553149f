"""Entering results: cells as they are typed, the sheet as it is published. One door for form, import and demo.

A sheet's cells are a draft that several people may fill at once; publishing reads and checks them and writes results.
Only published results are facts for a classification.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from league.classification.giro import AfterStage, GcState, StageSheet
from league.classification.status import Kind
from league.courses import facts_of
from league.errors import Refused
from league.loading import Loaded, TeamsOfTheDay, load
from league.models import BonusSprint, Campaign, DraftCell, Result, Rider, Sheet, SheetVersion, Stage, Team
from league.models.results import SheetState
from league.recount import touch
from league.sheets import giro as sheets


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

    @property
    def blocks_provisional(self) -> bool:
        return bool(self.clashes) or sheets.blocks_provisional(self.findings)

    @property
    def blocks_official(self) -> bool:
        return bool(self.clashes) or sheets.blocks_official(self.findings)

    def stage_sheet(self) -> StageSheet:
        """The content as the classification wants it (rulings of the stage are added by `Loaded.with_sheet`)."""
        return sheets.to_stage_sheet(self.content, self.context, stage=self.stage.pk)

    def if_it_stands(self) -> AfterStage:
        """The tables after this stage if the sheet stood as it is now."""
        after = self.loaded.with_sheet(self.stage_sheet()).classify()
        return next(a for a in after if a.stage == self.stage.pk)


def sheet_of(stage: Stage) -> Sheet:
    """The stage's sheet, made on first use."""
    sheet = Sheet.objects.get_or_create(stage=stage)[0]
    sheet.stage = stage
    return sheet


def context_for(stage: Stage, loaded: Loaded, teams: TeamsOfTheDay) -> sheets.Context:
    """Who starts in this stage (the riders still in the GC), with what energy, on which course. Rules: E1, GI-D4-02."""
    riders = loaded.riders
    before = loaded.before(stage).classify()
    if before:
        still_in = {row.rider: row.carry for row in before[-1].gc if row.state is not GcState.OUT}
    else:
        still_in = dict.fromkeys(riders, 0)
    starters = []
    for pk, carry in still_in.items():
        rider = riders[pk]
        team = team_of_result(stage, rider, teams)
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


def team_of_result(stage: Stage, rider: Rider, teams: TeamsOfTheDay) -> Team | None:
    """His team of the day. What was published once keeps its team: `write_results` never changes it."""
    return teams.team(rider, stage.day)


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
        teams={s.rider: teams.team(loaded.riders[s.rider], stage.day) for s in context.starters},
    )


def published_cells(sheet: Sheet) -> dict[str, str]:
    """The cells of what is published, so that a sheet opens with what is stored."""
    version = sheet.versions.order_by("-number").first()
    return sheets.cells_of(sheets.SheetContent.from_json(version.content)) if version else {}


@dataclass(frozen=True)
class Typed:
    """What became of typed cells: stored ones, and those that somebody else had changed in the meantime."""

    stored: tuple[str, ...]
    clashes: tuple[str, ...]
    revision: int


def type_cells(stage: Stage, user: User | None, now: Mapping[str, str], was: Mapping[str, str]) -> Typed:
    """Store what somebody typed. `was` is what stood in each cell when he began: an untouched cell changes nothing, so two
    people on one sheet both keep their typing; a cell that both changed is kept in both forms until one is chosen."""
    touched = {key: now.get(key, "") for key in {*now, *was} if now.get(key, "") != was.get(key, "")}
    with transaction.atomic():
        sheet_of(stage)
        sheet = Sheet.objects.select_for_update().get(stage=stage)
        if not touched:
            return Typed((), (), sheet.draft_revision)
        sheet.draft_revision += 1
        sheet.save(update_fields=["draft_revision"])
        cells = {cell.key: cell for cell in sheet.cells.filter(key__in=list(touched))}
        stored, clashes = [], []
        for key, value in sorted(touched.items()):
            cell = cells.get(key) or DraftCell(sheet=sheet, key=key)
            if cell.value not in (was.get(key, ""), value):
                cell.other, cell.is_clash = value, True
                clashes.append(key)
            else:
                cell.value, cell.other, cell.is_clash = value, "", False
                stored.append(key)
                cell.typed_by, cell.typed_at = user, timezone.now()
            cell.revision = sheet.draft_revision
            cell.save()
    return Typed(tuple(stored), tuple(clashes), sheet.draft_revision)


def settle(stage: Stage, user: User | None, key: str, *, take_other: bool) -> None:
    """Choose one of the two values of a clash."""
    with transaction.atomic():
        sheet = Sheet.objects.select_for_update().get(stage=stage)
        cell = sheet.cells.filter(key=key, is_clash=True).first()
        if cell is None:
            return  # somebody has chosen already
        if take_other:
            cell.value, cell.typed_by, cell.typed_at = cell.other, user, timezone.now()
        cell.other, cell.is_clash = "", False
        sheet.draft_revision += 1
        sheet.save(update_fields=["draft_revision"])
        cell.revision = sheet.draft_revision
        cell.save()


def publish(stage: Stage, user: User | None, *, official: bool = False) -> SheetVersion:
    """Make the draft public: provisional, or official. Publishing the same again is the same version.

    Raises SheetRefused with the findings, or Refused where the order of the stages forbids it. Rules: E1 to E12.
    """
    with transaction.atomic():
        campaign = lock(stage.campaign)
        stage.campaign = campaign
        entry = entry_of(stage)
        sheet = entry.sheet
        if sheet.is_official:
            raise Refused(
                _("%(stage)s is official. It changes only by a ruling: correct it with a reason.") % {"stage": stage}
            )
        must_come_after(stage, official=official)
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
    from league.access import open_for_change

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


def write(entry: Entry, user: User | None, state: SheetState, *, reason: str = "") -> SheetVersion:
    """Store the content as results and as a version. In the caller's transaction, under the campaign's lock."""
    sheet, now = entry.sheet, timezone.now()
    content = entry.content.to_json()
    newest = sheet.versions.order_by("-number").first()
    if newest and newest.content == content and newest.state == state:
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
    set_cells(sheet, user, sheets.cells_of(entry.content))
    touch(entry.stage.campaign)
    return version


def write_results(entry: Entry) -> None:
    """Results and bonus sprints as they stand on the sheet. A result keeps the team it was first won for."""
    sheet = entry.sheet
    stage_sheet = entry.stage_sheet()
    have = {r.rider_id: r for r in sheet.results.all()}
    fresh, old = [], []
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


def set_cells(sheet: Sheet, user: User | None, cells: Mapping[str, str]) -> None:
    """Make the draft say what is published."""
    sheet.cells.exclude(key__in=list(cells)).delete()
    have = {cell.key: cell for cell in sheet.cells.all()}
    for key, value in cells.items():
        cell = have.get(key) or DraftCell(sheet=sheet, key=key, typed_by=user)
        cell.value, cell.other, cell.is_clash, cell.revision = value, "", False, sheet.draft_revision
        cell.save()
