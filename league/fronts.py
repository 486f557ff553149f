"""Where Giri stand, several at once: for the front pages of clubs and seasons, and for whoever rode in them.

Nothing is counted here: a front is read from stored standings, in the same few queries for one Giro and for twenty.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime
from functools import cached_property

from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.utils.translation import gettext as _

from league import words
from league.book import FIELDS, Book, Row, sheet_of
from league.campaigns import is_public
from league.models import Campaign, Club, Rider, Season, Stage, Standing, Team

SIGNS = (
    Q(classification=Standing.GC) & (Q(in_pink=True) | Q(position=0) | Q(rank=2) | Q(state="unresolved"))
) | Q(classification=Standing.STAGE, rank=1)  # fmt: skip
"""The lines that say where a Giro stands: pink, the second, whose result is missing, who won the stages."""


def books_of(campaigns: Iterable[Campaign], wanted: Q | None = None) -> dict[int, Book]:
    """The book of each campaign with the lines of SIGNS and the `wanted` ones, open at its latest stage. Four queries.

    The campaigns come with their seasons, which are not looked up again.
    """
    by_pk = {campaign.pk: campaign for campaign in campaigns}
    stages: dict[int, list[Stage]] = {pk: [] for pk in by_pk}
    for stage in Stage.objects.filter(campaign__in=by_pk).select_related("sheet").order_by("order"):
        stage.campaign = by_pk[stage.campaign_id]
        stages[stage.campaign_id].append(stage)
    rows: dict[int, list[Row]] = {pk: [] for pk in by_pk}
    lines = Standing.objects.filter(SIGNS if wanted is None else SIGNS | wanted, campaign__in=by_pk)
    for campaign, *values in lines.order_by("stage__order", "position").values_list("campaign_id", *FIELDS):
        rows[campaign].append(Row(*values))
    riders: dict[int, dict[int, Rider]] = {pk: {} for pk in by_pk}
    for rider in Rider.objects.filter(campaign__in=by_pk).select_related("player__merged_into"):
        rider.campaign = by_pk[rider.campaign_id]
        riders[rider.campaign_id][rider.pk] = rider
    teams: dict[int, dict[int, Team]] = {campaign.season_id: {} for campaign in by_pk.values()}
    for team in Team.objects.filter(season__in=list(teams)):
        teams[team.season_id][team.pk] = team
    books = {}
    for pk, campaign in by_pk.items():
        book = Book(campaign, stages[pk], rows[pk], None)
        book.riders, book.teams = riders[pk], teams[campaign.season_id]
        books[pk] = book
    return books


class Front:
    """A Giro in a few lines: where it stands, who wears pink, what comes next."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self.campaign = book.campaign

    @property
    def is_running(self) -> bool:
        """Begun, and not at its end."""
        return self.book.after is not None and not self.book.is_at_the_end

    @cached_property
    def wearer(self) -> Rider | None:
        row = self.book.wearer(self.book.after)
        return self.book.rider(row) if row else None

    @cached_property
    def wearer_team(self) -> Team | None:
        """The team that he rode for on that evening."""
        row = self.book.wearer(self.book.after)
        return self.book.team(row) if row else None

    @cached_property
    def headline(self) -> str:
        """What happened on the latest evening."""
        return words.front_headline(self.book.pink(), self.book.names)

    @cached_property
    def evenings(self) -> int:
        """How many the wearer has worn it."""
        row = self.book.wearer(self.book.after)
        return row.facts["days_in_pink"] if row else 0

    @cached_property
    def ahead_of(self) -> tuple[str, int] | None:
        """The second and his gap in squares; None: nobody is second."""
        pink = self.book.pink()
        return None if pink.lead is None else (pink.second, pink.lead)

    @cached_property
    def where(self) -> str:
        """Planned, under way, or over, in a few words."""
        book = self.book
        if book.after is None:
            if any(is_public(stage) for stage in book.stages):
                return _("the first result is being counted")
            if not book.stages:
                return _("planned, no stage yet")
            return _("planned, from %(day)s") % {"day": words.day(book.stages[0].starts_at)}
        if book.is_final:
            return _("over after stage %(number)s") % {"number": book.after.number}
        if book.is_at_the_end:
            return _("ridden to the end, a result is missing")
        return _("after stage %(number)s of %(count)s") % {"number": book.after.number, "count": len(book.stages)}

    @cached_property
    def since(self) -> Stage | None:
        """From which stage on he has worn it without a break."""
        return self.book.pink_since()

    @property
    def wearer_url(self) -> str:
        return self.campaign.url("rider", self.wearer.bib) if self.wearer else ""

    @property
    def gc_url(self) -> str:
        return self.campaign.url("gc")

    @property
    def stamp(self) -> str:
        """What its standing is worth; nothing before the first one."""
        return self.book.stamp(self.book.after, whole=True) if self.book.after else ""

    @cached_property
    def pinned(self) -> str:
        """In what way somebody wears pink here."""
        return _("won the Giro") if self.book.is_final else _("in pink")

    @property
    def latest(self) -> datetime | None:
        """When its latest counted stage was ridden."""
        return self.book.after.starts_at if self.book.after else None

    @property
    def next_stage(self) -> Stage | None:
        return self.book.next_stage


def foremost(fronts: Sequence[Front]) -> Front | None:
    """The Giro that a front page speaks of: the one under way with the latest evening, else the one ridden last."""
    begun = [front for front in fronts if front.latest is not None]
    return max(begun, key=lambda front: (front.is_running, front.latest), default=None)


def next_evening(fronts: Sequence[Front], first: Front | None) -> Stage | None:
    """The stage to come: of `first`, while it has one, else the earliest of all."""
    if first is not None and first.next_stage is not None:
        return first.next_stage
    stages = [front.next_stage for front in fronts if front.next_stage is not None]
    return min(stages, key=lambda stage: (stage.starts_at, stage.pk), default=None)


def worth(books: Iterable[Book]) -> str:
    """What a table over all of these is worth, as a stamp: as much as its weakest stage; nothing while there is none."""
    sheets = [sheet for book in books for stage in book.counted if (sheet := sheet_of(stage)) is not None]
    if not sheets:
        return ""
    if any(not sheet.is_official for sheet in sheets):
        return "provisional"
    return "revised" if any(sheet.is_revised for sheet in sheets) else "official"


def honours(campaigns: QuerySet[Campaign]) -> dict[int, Standing]:
    """By campaign: the line of who wears pink after its latest counted stage, with rider, team and stage. One query."""
    first = Standing.objects.filter(campaign=OuterRef("pk"), classification=Standing.GC, position=0)
    last = campaigns.annotate(line=Subquery(first.order_by("-stage__order").values("pk")[:1])).values("line")
    worn = Standing.objects.filter(pk__in=last, in_pink=True).select_related("rider", "team", "stage")
    return {line.campaign_id: line for line in worn}


def newest_of(clubs: Iterable[Club]) -> dict[int, Campaign]:
    """By club: the Giro that was ridden last in a season that is not archived, with its season. Clubs where nothing was
    ridden have none. One query."""
    ridden = Standing.objects.filter(
        campaign__season__club=OuterRef("season__club"),
        campaign__season__archived_at=None,
        classification=Standing.GC,
        position=0,
    )
    newest = Subquery(ridden.order_by("-stage__starts_at", "-stage__order", "-pk").values("campaign")[:1])
    found = Campaign.objects.filter(season__club__in=[club.pk for club in clubs], pk=newest)
    return {campaign.season.club_id: campaign for campaign in found.select_related("season__club")}


def season_today(seasons: Sequence[Season], day: date) -> Season | None:
    """The open season of the day, else the newest open one. `seasons` are newest first."""
    still_open = [season for season in seasons if not season.is_archived]
    return next((season for season in still_open if season.is_running(day)), still_open[0] if still_open else None)
