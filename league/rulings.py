"""Rulings of the jury: what is proposed, what it would change, and the decision: who, when, why.

A ruling stands at a public stage and acts from it on. It is never edited and never deleted: a *withdrawal* is a ruling
of its own that points back, a *correction* puts what is typed on an official sheet in place of what stands there, as a
new version. Every decision is made against the standing that its preview showed; when that has moved on, the answer is a
fresh preview. Decisions of one campaign stand in line at its row lock and are numbered there from 1.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Max, QuerySet
from django.utils.translation import gettext as _

from league import results
from league.changes import Changes, compare
from league.classification.giro import AfterStage, GcRow, Line, OutReason, ResultRow
from league.classification.giro import Ruling as RulingValue
from league.classification.giro import RulingKind as RulingValueKind
from league.classification.status import OUT, Kind, Status
from league.courses import facts_of
from league.errors import Late, Refused
from league.loading import ON_A_RIDER, Loaded, load, ruling_value
from league.models import Campaign, Rider, Ruling, Sheet, SheetVersion, Stage
from league.models.results import RulingKind, SheetState
from league.recount import touch
from league.sheets import giro as sheets
from league.sheets.words import status_word

SHORTEST_REASON = 5  # letters: a reason is a sentence
MOST_SQUARES = 99  # of one penalty or bonus: no GC track has as many
MOST_TURNS = 999


class RulingRefused(Refused):
    """The jury cannot decide this; `field` is the one to mend ("" for none)."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


class RulingAsked(RulingRefused):
    """Unlikely: a tick at `sure` confirms it."""


class PreviewStale(Late):
    """The tables moved on after the preview was shown."""

    def __init__(self) -> None:
        super().__init__(
            _("Something else was decided or published meanwhile. Here is what your decision would change now.")
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A ruling on a rider before it is one. `amount`: squares of a penalty or bonus. `turn`: of a reinstated rider for
    whom the sheet has none. `sure`: an unlikely amount is confirmed."""

    stage: Stage
    kind: RulingKind
    rider: Rider
    amount: int | None = None
    turn: int | None = None
    reason: str = ""
    sure: bool = False


def of_campaign(campaign: Campaign) -> QuerySet[Ruling]:
    """Its rulings with all that a list says of them, latest first."""
    return (
        Ruling.objects.filter(campaign=campaign)
        .select_related("stage", "rider", "by", "version", "withdraws", "withdrawn_by")
        .order_by("-number")
    )


def preview(campaign: Campaign, proposal: Proposal) -> Changes:
    """What the proposal would change in every table. Raises RulingRefused where it could not be decided."""
    loaded = load(campaign)
    return compare(campaign, loaded, _with(loaded, checked(loaded, proposal), number=_next_number(campaign)))


def rule(
    campaign: Campaign,
    proposal: Proposal,
    user: User | None,
    *,
    revision: int | None = None,
    key: UUID | None = None,
) -> Ruling:
    """Decide it. `revision`: the campaign's when the preview was made; `key`: of the confirmed form, so that a second
    click is the same ruling. Raises PreviewStale, RulingRefused, or Refused for an archived season."""
    with transaction.atomic():
        campaign = results.lock(campaign)
        if made := _made(campaign, key):
            return made
        _refuse_stale(campaign, revision)
        loaded = load(campaign)
        proposal = checked(loaded, proposal)
        reason = _reason(proposal.reason)
        number = _next_number(campaign)
        changes = compare(campaign, loaded, _with(loaded, proposal, number=number))
        ruling = Ruling.objects.create(
            campaign=campaign,
            stage=proposal.stage,
            number=number,
            kind=proposal.kind,
            rider=proposal.rider,
            amount=proposal.amount,
            turn=proposal.turn,
            reason=reason,
            by=user,
            changes=changes.to_json(),
            key=key,
        )
        _mark_revised(proposal.stage)
        touch(campaign)
    return ruling


def preview_withdrawal(ruling: Ruling) -> Changes:
    """What the tables would be without the ruling, against what they are. Raises Refused where it cannot be withdrawn."""
    _refuse_final(ruling)
    loaded = load(ruling.campaign)
    return compare(ruling.campaign, loaded, _without(loaded, ruling))


def withdraw(
    ruling: Ruling, user: User | None, reason: str, *, revision: int | None = None, key: UUID | None = None
) -> Ruling:
    """Take a ruling back by another one; twice is once. A correction is final: another correction mends it.

    Raises PreviewStale and Refused."""
    with transaction.atomic():
        campaign = results.lock(ruling.campaign)
        if made := _made(campaign, key) or Ruling.objects.filter(withdraws=ruling).first():
            return made
        _refuse_final(ruling)
        _refuse_stale(campaign, revision)
        reason = _reason(reason)
        loaded = load(campaign)
        changes = compare(campaign, loaded, _without(loaded, ruling))
        withdrawal = Ruling.objects.create(
            campaign=campaign,
            stage=ruling.stage,
            number=_next_number(campaign),
            kind=RulingKind.WITHDRAWAL,
            rider=ruling.rider,
            withdraws=ruling,
            reason=reason,
            by=user,
            changes=changes.to_json(),
            key=key,
        )
        _mark_revised(ruling.stage)
        touch(campaign)
    return withdrawal


@dataclass(frozen=True, kw_only=True)
class Correction:
    """The draft of an official sheet against what stands: cell by cell in words, and in every table (nothing while the
    draft cannot be read or counted)."""

    entry: results.Entry
    published: SheetVersion
    differences: tuple[sheets.Change, ...]
    changes: Changes

    @property
    def is_empty(self) -> bool:
        """The draft says what is official."""
        return not self.differences and not self.entry.clashes and not self.unread

    @property
    def is_blocked(self) -> bool:
        return self.entry.blocks_official

    @property
    def unread(self) -> tuple[sheets.Finding, ...]:
        """What keeps the draft from becoming official."""
        stops = (sheets.Level.REFUSE, sheets.Level.ASK, sheets.Level.MISSING)
        return tuple(found for found in self.entry.findings if found.level in stops)


def correction_of(stage: Stage) -> Correction:
    """What the draft of the official sheet would change. Raises Refused where the sheet is not official."""
    entry = results.entry_of(stage)
    if not entry.sheet.is_official:
        raise Refused(
            _("%(stage)s is not official. Its sheet can be changed and published again without a ruling.")
            % {"stage": stage}
        )
    published = entry.sheet.versions.latest("number")
    was = sheets.SheetContent.from_json(published.content)
    differences = sheets.diff(was, entry.content, entry.context)
    changes = Changes()
    if differences and not entry.blocks_official:
        changes = compare(stage.campaign, entry.loaded, entry.loaded.with_sheet(entry.stage_sheet()))
    return Correction(entry=entry, published=published, differences=differences, changes=changes)


def correct(
    stage: Stage,
    user: User | None,
    reason: str,
    revision: int | None = None,
    *,
    draft: int | None = None,
    key: UUID | None = None,
) -> Ruling:
    """Put what is typed on the official sheet in place of what stands, as a new official version with its reason.

    `draft`: the sheet's draft revision that the preview showed. The versions before it stay readable. Raises
    PreviewStale, SheetRefused with the findings, and Refused where nothing was changed. Rules: E12."""
    with transaction.atomic():
        campaign = results.lock(stage.campaign)
        stage.campaign = campaign
        if made := _made(campaign, key):
            return made
        _refuse_stale(campaign, revision)
        # nobody types into the sheet between the reading of its cells and the new version
        sheet = Sheet.objects.select_for_update().filter(stage=stage).first()
        if draft is not None and (sheet is None or sheet.draft_revision != draft):
            raise PreviewStale
        correction = correction_of(stage)
        if correction.is_empty:
            raise Refused(_("The sheet says what is official already: there is nothing to correct."))
        if correction.is_blocked:
            raise results.SheetRefused(
                _("The corrected sheet is not ready: see the marked cells."), correction.entry.findings
            )
        reason = _reason(reason)
        version = results.write(correction.entry, user, SheetState.OFFICIAL, reason=reason)
        return Ruling.objects.create(
            campaign=campaign,
            stage=stage,
            number=_next_number(campaign),
            kind=RulingKind.CORRECTION,
            version=version,
            reason=reason,
            by=user,
            changes=correction.changes.to_json(),
            key=key,
        )


def version_before(ruling: Ruling) -> SheetVersion | None:
    """The version that a correction replaced."""
    if ruling.version is None:
        return None
    return SheetVersion.objects.filter(sheet=ruling.version.sheet_id, number__lt=ruling.version.number).last()


def corrected_cells(ruling: Ruling, before: SheetVersion | None) -> tuple[sheets.Change, ...]:
    """What a correction changed on the sheet against the version before, in words."""
    if ruling.version is None or before is None:
        return ()
    campaign, stage = ruling.campaign, ruling.stage
    everybody = tuple(
        sheets.Starter(
            rider=r.pk, bib=r.bib, name=r.name, team=None, team_name="", carry=0, draft=r.draft_order
        )
        for r in Rider.objects.filter(campaign=campaign)
    )  # fmt: skip
    context = sheets.Context(
        kind=Kind(stage.kind), course=facts_of(stage), starters=everybody, time_limit=campaign.time_limit
    )
    return sheets.diff(
        sheets.SheetContent.from_json(before.content), sheets.SheetContent.from_json(ruling.version.content), context
    )


# What a jury can decide


def checked(loaded: Loaded, proposal: Proposal) -> Proposal:
    """The proposal with nothing in it that its kind does not need. Raises RulingRefused where it makes no sense in the
    sport, RulingAsked where it is unlikely. The reason is not looked at here."""
    rider, stage = proposal.rider, proposal.stage
    if rider.pk not in loaded.riders or stage.pk not in loaded.stages:
        raise RulingRefused("rider", _("This rider is not on the start list of this campaign. Choose one who is."))
    table = next((after for after in loaded.classify() if after.stage == stage.pk), None)
    if table is None:
        raise RulingRefused(
            "stage",
            _("%(stage)s has no published result yet. Rule once it has one, or type it on the sheet.")
            % {"stage": stage},
        )
    gc = next(row for row in table.gc if row.rider == rider.pk)
    result = next((row for row in table.result if row.rider == rider.pk and row.counts), None)
    if result is None:
        raise RulingRefused("rider", _left_before(loaded, gc, rider, stage))
    match proposal.kind:
        case RulingKind.PENALTY | RulingKind.BONUS:
            return _checked_squares(loaded, proposal, result)
        case RulingKind.DISQUALIFICATION:
            if result.status in OUT:
                raise RulingRefused(
                    "rider",
                    _("%(rider)s is out after this stage already: %(why)s.")
                    % {"rider": rider.short, "why": status_word(result.status)},
                )
            return dataclasses.replace(proposal, amount=None, turn=None, sure=False)
        case RulingKind.REINSTATEMENT:
            return _checked_reinstatement(loaded, proposal, table, gc, result)
    raise RulingRefused("kind", _("Choose a penalty, a bonus, a disqualification or a reinstatement."))


def _left_before(loaded: Loaded, gc: GcRow, rider: Rider, stage: Stage) -> str:
    """Why a ruling at this stage does not reach him."""
    if gc.out_after is not None and gc.out_after in loaded.stages:
        return _("%(rider)s left the Giro after stage %(number)s. A ruling on him stands there, not at stage %(here)s.") % {
            "rider": rider.short, "number": loaded.stages[gc.out_after].number, "here": stage.number,
        }  # fmt: skip
    return _("The Giro was over before this stage. A ruling stands at an earlier one.")


def _checked_squares(loaded: Loaded, proposal: Proposal, result: ResultRow) -> Proposal:
    """Squares on or off his score. Who is out has no score left to change (lapped, he has, and may come back by a bonus)."""
    amount, loop = proposal.amount, loaded.options.gc_loop
    if result.status in OUT:
        raise RulingRefused(
            "rider",
            _("%(rider)s is out after this stage (%(why)s): squares would lapse with him. Reinstate him first.")
            % {"rider": proposal.rider.short, "why": status_word(result.status)},
        )
    if amount is None or not 1 <= amount <= MOST_SQUARES:
        raise RulingRefused(
            "amount", _("How many squares? A whole number from 1 to %(most)s.") % {"most": MOST_SQUARES}
        )
    if amount > loop and not proposal.sure:
        raise RulingAsked(
            "amount",
            _("%(amount)s squares are more than a whole lap of the GC track (%(loop)s). Is that right?")
            % {"amount": amount, "loop": loop},
        )
    return dataclasses.replace(proposal, turn=None)


def _checked_reinstatement(
    loaded: Loaded, proposal: Proposal, table: AfterStage, gc: GcRow, result: ResultRow
) -> Proposal:
    """He must be out by this very stage; his turn is asked for only where the sheet does not have it. Rules: E4."""
    rider, turn = proposal.rider, proposal.turn
    is_lapped = gc.why_out is OutReason.LAPPED and gc.out_after == table.stage
    if result.status not in OUT and not is_lapped:
        raise RulingRefused(
            "rider", _("%(rider)s is in the race after this stage: there is nothing to reinstate.") % {"rider": rider.short}
        )  # fmt: skip
    known = _turn_known(loaded, table.stage, rider)
    if known is not None and turn not in (None, known):
        raise RulingRefused(
            "turn",
            _("The sheet has turn %(turn)s for %(rider)s. Leave the turn empty; if it is wrong, correct the sheet.")
            % {"turn": known, "rider": rider.short},
        )
    if known is None:
        if turn is None:
            raise RulingRefused(
                "turn",
                _("The sheet has no turn for %(rider)s. Give the one in which he is taken to have arrived.")
                % {"rider": rider.short},
            )
        if not 1 <= turn <= MOST_TURNS:
            raise RulingRefused("turn", _("A turn is a whole number from 1 to %(most)s.") % {"most": MOST_TURNS})
        first = min((row.turn for row in table.result if row.crossed == 1 and row.turn is not None), default=None)
        if proposal.stage.kind == Kind.ROAD and first is not None and turn < first:
            raise RulingRefused(
                "turn",
                _(
                    "Turn %(turn)s is earlier than the winner’s %(first)s. Who crossed first is for a correction of the sheet."
                )
                % {"turn": turn, "first": first},
            )
    return dataclasses.replace(proposal, amount=None, turn=None if known is not None else turn, sure=False)


def _turn_known(loaded: Loaded, stage: int, rider: Rider) -> int | None:
    """The turn that counts for a reinstated rider: that of his line, else that of an earlier reinstatement."""
    sheet = next(s for s in loaded.sheets if s.stage == stage)
    line: Line | None = next((line for line in sheet.lines if line.rider == rider.pk), None)
    if line is not None and line.status is not Status.UNRESOLVED and line.turn is not None:
        return line.turn
    given = [
        r.turn
        for r in sorted(sheet.rulings, key=lambda r: r.number)
        if r.rider == rider.pk and r.kind is RulingValueKind.REINSTATEMENT and r.turn is not None
    ]
    return given[-1] if given else None


def _reason(text: str) -> str:
    reason = text.strip()
    if len(reason) < SHORTEST_REASON:
        raise RulingRefused("reason", _("Say why, in a sentence: everybody will read it beside the result."))
    return reason


# What stands, and what would


def _with(loaded: Loaded, proposal: Proposal, *, number: int) -> Loaded:
    value = RulingValue(
        number=number,
        kind=RulingValueKind(proposal.kind),
        rider=proposal.rider.pk,
        amount=proposal.amount or 0,
        turn=proposal.turn,
    )
    return loaded.with_rulings(proposal.stage.pk, [value])


def _without(loaded: Loaded, ruling: Ruling) -> Loaded:
    return loaded.with_rulings(ruling.stage_id, (), without=ruling_value(ruling).number)


def _refuse_final(ruling: Ruling) -> None:
    if ruling.kind == RulingKind.CORRECTION:
        raise Refused(_("A correction is not withdrawn: correct the sheet again, with the reason for it."))
    if ruling.kind not in ON_A_RIDER:
        raise Refused(_("A withdrawal is final. Rule again if the first decision was right after all."))


def _refuse_stale(campaign: Campaign, revision: int | None) -> None:
    if revision is not None and campaign.revision != revision:
        raise PreviewStale


def _made(campaign: Campaign, key: UUID | None) -> Ruling | None:
    """The ruling that this form has made already."""
    return None if key is None else Ruling.objects.filter(campaign=campaign, key=key).first()


def _next_number(campaign: Campaign) -> int:
    latest: int | None = Ruling.objects.filter(campaign=campaign).aggregate(latest=Max("number"))["latest"]
    return (latest or 0) + 1


def _mark_revised(stage: Stage) -> None:
    """The public mark: the official result of this stage is no longer as it was signed."""
    Sheet.objects.filter(stage=stage, state=SheetState.OFFICIAL).update(is_revised=True)
