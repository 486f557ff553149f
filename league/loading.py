"""From the tables to the values that the classifications work on, in a fixed number of queries whatever the size of the field."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date

from league.classification.giro import AfterStage, BonusWon, Entrant, Line, Options, StageSheet, classify
from league.classification.giro import Ruling as RulingValue
from league.classification.giro import RulingKind as RulingValueKind
from league.classification.status import Kind, Status
from league.models import BonusSprint, Campaign, Result, Rider, Ruling, Sheet, Stage, Team, TeamSpell
from league.models.results import RulingKind, SheetState

ON_A_RIDER = (RulingKind.PENALTY, RulingKind.BONUS, RulingKind.DISQUALIFICATION, RulingKind.REINSTATEMENT)


def options_of(campaign: Campaign) -> Options:
    return Options(
        gc_loop=campaign.gc_loop,
        stage_win=campaign.stage_win,
        bonus=campaign.bonus,
        time_limit=campaign.time_limit,
        cap_road=campaign.cap_road,
        cap_time_trial=campaign.cap_time_trial,
        team_classification=campaign.team_classification,
        team_count=campaign.team_count,
    )


def ruling_value(ruling: Ruling) -> RulingValue:
    assert ruling.rider_id is not None
    return RulingValue(
        number=ruling.number,
        kind=RulingValueKind(ruling.kind),
        rider=ruling.rider_id,
        amount=ruling.amount or 0,
        turn=ruling.turn,
    )


@dataclass(frozen=True, slots=True)
class Loaded:
    """All that a campaign's standings depend on."""

    entrants: tuple[Entrant, ...]
    sheets: tuple[StageSheet, ...]  # public ones, in the order of the stages
    options: Options
    riders: dict[int, Rider] = field(default_factory=dict, compare=False)
    stages: dict[int, Stage] = field(default_factory=dict, compare=False)

    def classify(self) -> tuple[AfterStage, ...]:
        return classify(self.entrants, self.sheets, self.options)

    def before(self, stage: Stage) -> Loaded:
        """The campaign as it stood before this stage."""
        keep = tuple(s for s in self.sheets if self.stages[s.stage].order < stage.order)
        return dataclasses.replace(self, sheets=keep)

    def with_sheet(self, sheet: StageSheet) -> Loaded:
        """The campaign with this sheet in place of (or beside) what stands; its rulings are kept."""
        old = next((s for s in self.sheets if s.stage == sheet.stage), None)
        if old:
            sheet = dataclasses.replace(sheet, rulings=old.rulings)
        rest = [s for s in self.sheets if s.stage != sheet.stage]
        order = {pk: stage.order for pk, stage in self.stages.items()}
        return dataclasses.replace(self, sheets=tuple(sorted([*rest, sheet], key=lambda s: order[s.stage])))

    def with_rulings(self, stage: int, rulings: Iterable[RulingValue], *, without: int | None = None) -> Loaded:
        """The campaign with more rulings at a stage, or without the one of that number."""
        return dataclasses.replace(
            self,
            sheets=tuple(
                dataclasses.replace(s, rulings=tuple(r for r in s.rulings if r.number != without) + tuple(rulings))
                if s.stage == stage
                else s
                for s in self.sheets
            ),
        )


def load(campaign: Campaign) -> Loaded:
    """Start list, public sheets with their rulings, options. Six queries."""
    riders = {r.pk: r for r in Rider.objects.filter(campaign=campaign).select_related("player", "team")}
    stages = {s.pk: s for s in Stage.objects.filter(campaign=campaign)}
    for stage in stages.values():
        stage.campaign = campaign
    sheets = {s.pk: s for s in Sheet.objects.filter(stage__campaign=campaign).exclude(state=SheetState.DRAFT)}
    lines: dict[int, list[Line]] = {pk: [] for pk in sheets}
    for result in Result.objects.filter(sheet__in=list(sheets)):
        lines[result.sheet_id].append(line_of(result))
    bonuses: dict[int, list[BonusWon]] = {pk: [] for pk in sheets}
    for won in BonusSprint.objects.filter(sheet__in=list(sheets), rider__isnull=False):
        assert won.rider_id is not None
        bonuses[won.sheet_id].append(BonusWon(token=won.token, rider=won.rider_id))
    rulings: dict[int, list[RulingValue]] = {pk: [] for pk in stages}
    for ruling in Ruling.objects.filter(campaign=campaign, kind__in=ON_A_RIDER, withdrawn_by__isnull=True):
        rulings[ruling.stage_id].append(ruling_value(ruling))
    values = tuple(
        StageSheet(
            stage=sheet.stage_id,
            kind=Kind(stages[sheet.stage_id].kind),
            peloton_turn=sheet.peloton_turn,
            lines=tuple(lines[sheet.pk]),
            bonuses=tuple(bonuses[sheet.pk]),
            rulings=tuple(rulings[sheet.stage_id]),
        )
        for sheet in sorted(sheets.values(), key=lambda s: stages[s.stage_id].order)
    )
    entrants = tuple(Entrant(rider=r.pk, draft=r.draft_order) for r in riders.values())
    return Loaded(entrants, values, options_of(campaign), riders, stages)


def line_of(result: Result) -> Line:
    return Line(
        rider=result.rider_id,
        status=Status(result.status),
        turn=result.turn,
        place=result.place,
        clock=result.clock,
        energy=result.energy,
        team=result.team_id,
    )


class TeamsOfTheDay:
    """Which team a rider rides for on a day: the one fixed on the start list, or his player's team of that day."""

    def __init__(self, campaign: Campaign) -> None:
        self.by_id = {team.pk: team for team in Team.objects.filter(season=campaign.season)}
        self.spells: dict[int, list[TeamSpell]] = {}
        for spell in TeamSpell.objects.filter(team__season=campaign.season).select_related("team", "player"):
            self.spells.setdefault(spell.player.merged_into_id or spell.player_id, []).append(spell)

    def called(self, team: int | None) -> Team | None:
        """The team of the season with this id."""
        return None if team is None else self.by_id[team]

    def team(self, rider: Rider, day: date) -> Team | None:
        if rider.team_id:
            return rider.team
        player = rider.player.merged_into_id or rider.player_id
        covering = [s for s in self.spells.get(player, ()) if s.covers(day)]
        return max(covering, key=lambda s: (s.first_day, s.pk)).team if covering else None
