"""The stored standings of a campaign, opened at a stage: what pages and exports print from.

Nothing is counted here. A book is read in the same few queries for a start list of six riders and of six hundred.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db.models import Q
from django.http import Http404

from league import racing, stages
from league.campaigns import is_public
from league.classification.standing import PartKind
from league.courses import course_of
from league.models import Campaign, Rider, Ruling, Sheet, Stage, Standing, Team
from league.models.results import SheetState
from league.words import Names, Pink, short_names
from races.board.profile import Road
from rules.giro.course import LineKind

FIELDS = ("stage_id", "classification", "rider_id", "team_id", "rank", "state", "value", "gap", "in_pink", "facts")
OUT_KINDS = frozenset(
    {
        PartKind.OUT_DNS,
        PartKind.OUT_DNF,
        PartKind.OUT_OTL,
        PartKind.OUT_DSQ,
        PartKind.OUT_WITHDRAWN,
        PartKind.LAPPED,
    }
)


@dataclass(frozen=True, slots=True)
class Row:
    """A stored line of a classification after a stage."""

    stage: int
    classification: str
    rider: int | None
    team: int | None
    rank: int | None
    state: str
    value: int | None
    gap: int | None
    in_pink: bool
    facts: dict[str, Any]


def nights_in_pink(stages: Sequence[Stage], past: Mapping[int, Row]) -> list[bool]:
    """For each stage: whether it was an evening in pink of the rider whose rows (by stage) these are.

    Not the same as who stands in pink after it: a stage that leaves nobody keeps the jersey where it was and counts for
    nobody. Rules: GI-D1-08."""
    found, before = [], 0
    for stage in stages:
        row = past.get(stage.pk)
        worn = int(row.facts["days_in_pink"]) if row else before
        found.append(worn > before)
        before = worn
    return found


class Book:
    """A campaign's standings up to a stage.

    `stages` are all of the campaign in their order, `counted` those with a stored standing up to `after`. `after` is
    None while nothing was counted.
    """

    def __init__(self, campaign: Campaign, stages: Sequence[Stage], rows: Iterable[Row], after: str | None) -> None:
        self.campaign = campaign
        self.stages = tuple(stages)
        self.by_pk = {stage.pk: stage for stage in stages}
        self._rows: dict[tuple[int, str], list[Row]] = {}
        for row in rows:
            self._rows.setdefault((row.stage, row.classification), []).append(row)
        with_rows = {stage for stage, _classification in self._rows}
        self.all_counted = self.counted = tuple(stage for stage in stages if stage.pk in with_rows)
        self.after = self.counted[-1] if self.counted else None
        if after is not None:
            self._turn_to(after)

    def _turn_to(self, number: str) -> None:
        """Close the book after this stage. A stage that nobody counted has no page, unless it is being counted."""
        stage = next((s for s in self.stages if s.number == number), None)
        if stage is None:
            raise Http404
        self.counted = tuple(s for s in self.counted if s.order <= stage.order)
        if stage not in self.counted and not (is_public(stage) and not self.campaign.is_counted):
            raise Http404
        self.after = self.counted[-1] if self.counted else None

    # ---- lines -------------------------------------------------------------------------------------------------------
    def rows(self, classification: str, stage: Stage | None) -> list[Row]:
        """The lines of a classification after a stage, in their order."""
        return self._rows.get((stage.pk, classification), []) if stage else []

    def rider_rows(self, classification: str, rider: int) -> dict[int, Row]:
        """A rider's lines by stage, up to the one that the book is open at."""
        return {
            stage.pk: row for stage in self.counted for row in self.rows(classification, stage) if row.rider == rider
        }

    def wearer(self, stage: Stage | None) -> Row | None:
        """The line of the one in pink after a stage."""
        return next((row for row in self.rows(Standing.GC, stage) if row.in_pink), None)

    def winners(self, stage: Stage) -> list[Row]:
        """Who has the first place of a stage; several where they share it."""
        return [row for row in self.rows(Standing.STAGE, stage) if row.rank == 1]

    def missing(self, stage: Stage | None) -> list[int]:
        """The riders whose result is missing on the sheet of a stage."""
        return [
            row.rider
            for row in self.rows(Standing.STAGE, stage)
            if row.rider is not None and row.state == "unresolved" and row.facts["counts"]
        ]

    def unresolved(self) -> list[int]:
        """The riders whose total is not known where the book is open, because a result of theirs is missing."""
        standing = self.rows(Standing.GC, self.after)
        if standing:
            return [row.rider for row in standing if row.rider is not None and row.state == "unresolved"]
        return list(dict.fromkeys(rider for stage in self.counted for rider in self.missing(stage)))

    def stage_before(self, stage: Stage | None) -> Stage | None:
        """The counted stage before it."""
        if stage is None:
            return None
        return next((s for s in reversed(self.counted) if s.order < stage.order), None)

    # ---- where the Giro stands ---------------------------------------------------------------------------------------
    @cached_property
    def next_stage(self) -> Stage | None:
        """The first stage without a public result; none where the Giro has ended before. Rules: GI-D1-08."""
        if self.is_over_early:
            return None
        return next((stage for stage in self.stages if not is_public(stage)), None)

    @cached_property
    def is_over_early(self) -> bool:
        """A stage left nobody: those still ranked after it were put out by it, or nobody is left at all."""
        rows = self.rows(Standing.GC, self.after)
        if rows and all(row.state == "out" for row in rows):
            return True
        return any(
            row.state == "in" and any(part["kind"] in OUT_KINDS for part in row.facts["parts"])
            for stage in self.counted
            for row in self.rows(Standing.GC, stage)
        )

    @property
    def is_at_the_end(self) -> bool:
        """The book is open after the last stage of the Giro."""
        if self.after is None:
            return False
        return self.is_over_early or self.after == self.stages[-1]

    @property
    def is_final(self) -> bool:
        """The book is open after the last stage, and every result is there."""
        unresolved = any(row.state == "unresolved" for row in self.rows(Standing.GC, self.after))
        return self.is_at_the_end and not unresolved

    def pink(self) -> Pink:
        """Who wears pink where the book is open, and how."""
        rows = self.rows(Standing.GC, self.after)
        wearer = self.wearer(self.after)
        if wearer is None or self.after is None:
            return Pink()
        before = self.wearer(self.stage_before(self.after))
        second = next((row for row in rows if row.rank == 2), None)
        return Pink(
            wearer=self.name(wearer),
            before=self.name(before) if before else "",
            winners=tuple(self.name(row) for row in self.winners(self.after)),
            second=self.name(second) if second else "",
            lead=second.gap if second else None,
            tie=second.facts if second and second.gap == 0 else None,
            is_final=self.is_final,
        )

    def pink_since(self) -> Stage | None:
        """The stage from which on the wearer has worn pink without a break."""
        wearer, since = self.wearer(self.after), None
        for stage in reversed(self.counted):
            row = self.wearer(stage)
            if wearer is None or row is None or row.rider != wearer.rider:
                break
            since = stage
        return since

    # ---- names -------------------------------------------------------------------------------------------------------
    @cached_property
    def riders(self) -> dict[int, Rider]:
        return {
            r.pk: r for r in Rider.objects.filter(campaign=self.campaign).select_related("player__merged_into", "team")
        }

    @cached_property
    def bots(self) -> dict[int, dict[int, str]]:
        """By stage: the riders whom a bot rode, with its level."""
        return racing.ridden_by_bots(self.campaign)

    def stages_by_bot(self, rider: int | None) -> list[Stage]:
        """The counted stages in which a bot rode for this rider."""
        return [stage for stage in self.counted if rider in self.bots.get(stage.pk, {})]

    @cached_property
    def teams(self) -> dict[int, Team]:
        return {team.pk: team for team in Team.objects.filter(season=self.campaign.season_id)}

    @cached_property
    def names(self) -> Names:
        bonus = {}
        for stage in self.counted:
            for token, column in enumerate(bonus_columns(stage), 1):
                bonus[stage.pk, token] = column
        return Names(
            riders=short_names((r.pk, r.bib, r.name, r.last_name) for r in self.riders.values()),
            teams={pk: team.name for pk, team in self.teams.items()},
            stages={stage.pk: stage.number for stage in self.stages},
            bonus=bonus,
        )

    def name(self, row: Row) -> str:
        """What a headline calls the rider of a line."""
        return self.names.riders[row.rider] if row.rider is not None else ""

    def rider(self, row: Row) -> Rider:
        assert row.rider is not None
        return self.riders[row.rider]

    def team(self, row: Row) -> Team | None:
        """The team of the line: the one he rode for on that day."""
        return self.teams[row.team] if row.team is not None else None

    # ---- what the tables are worth -----------------------------------------------------------------------------------
    @cached_property
    def rulings(self) -> list[Ruling]:
        """All rulings of the campaign, newest first; withdrawn ones are marked."""
        return list(
            Ruling.objects.filter(campaign=self.campaign)
            .select_related("rider", "stage", "withdrawn_by", "withdraws", "by")
            .defer("changes")
            .order_by("-number")
        )

    def rulings_of(self, stage: Stage) -> list[Ruling]:
        """Those that act from a stage on, in their order."""
        return [ruling for ruling in reversed(self.rulings) if ruling.stage_id == stage.pk]

    def stamp(self, stage: Stage | None, *, whole: bool = False) -> str:
        """What the result of a stage is worth (`whole`: the standing after it): provisional, official or revised.

        A standing is revised as soon as one of its stages was.
        """
        sheet = sheet_of(stage)
        if stage is None or sheet is None or not sheet.is_official:
            return sheet.state if sheet else SheetState.DRAFT
        stages = [s for s in self.counted if s.order <= stage.order] if whole else [stage]
        return "revised" if any(s.sheet.is_revised for s in stages if sheet_of(s)) else sheet.state


def sheet_of(stage: Stage | None) -> Sheet | None:
    """The stage's sheet, if anybody has begun one."""
    return getattr(stage, "sheet", None) if stage else None


def bonus_columns(stage: Stage) -> tuple[int, ...]:
    """The columns of a stage's bonus lines, by token. A time trial has none. Rules: GI-D3-01."""
    if stage.is_time_trial:
        return ()
    course = course_of(stage)
    return course.columns_of(LineKind.BONUS) if course else tuple(stage.bonus_columns)


def road_of(stage: Stage) -> Road:
    """What the stage's profile is drawn from."""
    return stages.road_of(stage, course_of(stage))


def stages_of(campaign: Campaign) -> list[Stage]:
    """The campaign's stages with their sheets, in order."""
    found = list(Stage.objects.filter(campaign=campaign).select_related("sheet__signed_by"))
    for stage in found:
        stage.campaign = campaign
    return found


def open_book(campaign: Campaign, after: str | None = None, *, wanted: Q) -> Book:
    """The campaign's book after the stage of this number, or after the latest; `wanted` says which lines are read.

    Raises Http404 where there is no such stage, or no standing after it.
    """
    rows = Standing.objects.filter(wanted, campaign=campaign).order_by("stage__order", "position")
    return Book(campaign, stages_of(campaign), (Row(*values) for values in rows.values_list(*FIELDS)), after)


def of(*classifications: str) -> Q:
    return Q(classification__in=classifications)
