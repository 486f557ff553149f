"""A points series: rounds of one game over a season, a table of points for the places, and the best results count.

Facts are what stands on the sheets of the rounds: each publication is a `RoundVersion` with its content and its result rows.
The table of the series is counted from them whenever it is looked at, so nothing of it is stored and nothing can drift.
"""

from datetime import date
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.models.campaign import Way
from league.models.club import Player, Season, Team
from league.models.results import OnSheet, SheetState
from races.models import Race

User = settings.AUTH_USER_MODEL


class Entered(models.TextChoices):
    """What a line of the table is."""

    TEAMS = "teams", _("Teams of the season")
    PLAYERS = "players", _("Players, each for himself")


class Counting(models.TextChoices):
    """What the results of a series add up to."""

    POINTS = "points", _("by points: places bring points, the best results count")
    TIME = "time", _("by time: a stage race, times are added up")


def usual_points() -> list[int]:
    """Points for the first, second, third ... (spec 8.4)."""
    return [10, 7, 5, 4, 3, 2, 1, 1, 1]


class Series(models.Model):
    """A points series of a season."""

    season = models.ForeignKey(Season, models.CASCADE, related_name="series")
    name = models.CharField(_("name"), max_length=80)
    slug = models.SlugField(_("address"), max_length=40)
    game = models.CharField(_("game"), max_length=24)  # by its name in the registry of the rules
    entered = models.CharField(_("who is entered"), max_length=8, choices=Entered, default=Entered.PLAYERS)
    counting = models.CharField(_("counted"), max_length=8, choices=Counting, default=Counting.POINTS)
    points = models.JSONField(_("points by place"), default=usual_points)
    bonus = models.PositiveSmallIntegerField(_("bonus"), default=1)
    drop_one_in = models.PositiveSmallIntegerField(
        _("one result is dropped in"), null=True, blank=True, default=4
    )  # none: all count
    # of its divisions, if it has any
    promoted = models.PositiveSmallIntegerField(_("go up"), default=2)
    relegated = models.PositiveSmallIntegerField(_("go down"), default=2)
    division_size = models.PositiveSmallIntegerField(_("most in a division"), default=6)
    follows = models.ForeignKey("self", models.SET_NULL, null=True, blank=True, related_name="followed_by")
    changed_at = models.DateTimeField(default=timezone.now)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-created_at", "-pk")
        verbose_name_plural = "series"
        constraints = [models.UniqueConstraint(fields=["season", "slug"], name="one_series_per_address")]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return self.url()

    def url(self, page: str = "series", *args: object) -> str:
        """The address of one of the pages of the series."""
        return reverse(page, args=[self.season.club.slug, self.season.slug, self.slug, *args])

    @property
    def is_timed(self) -> bool:
        return self.counting == Counting.TIME


class Division(models.Model):
    """A part of a series with rounds and a table of its own; the first in the order is the highest."""

    series = models.ForeignKey(Series, models.CASCADE, related_name="divisions")
    name = models.CharField(_("name"), max_length=40)
    order = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ("order",)
        constraints = [
            models.UniqueConstraint(fields=["series", "order"], name="one_division_per_place_in_the_order"),
            models.UniqueConstraint(fields=["series", "name"], name="one_division_per_name"),
        ]

    def __str__(self) -> str:
        return self.name


class SeriesEntrant(models.Model):
    """A line of the table: a team or a player, or a bot, which takes places and gets no points.

    `code` is what sheets call it: cyclist 3 of W is W3. `division`: none where the series has none.
    """

    series = models.ForeignKey(Series, models.CASCADE, related_name="entrants")
    code = models.CharField(_("letters on the sheet"), max_length=3)
    team = models.ForeignKey(Team, models.PROTECT, null=True, blank=True, related_name="entries")
    player = models.ForeignKey(Player, models.PROTECT, null=True, blank=True, related_name="entries")
    bot = models.CharField(_("bot"), max_length=10, blank=True)  # its level
    label = models.CharField(max_length=40, blank=True)  # of a bot
    division = models.ForeignKey(Division, models.RESTRICT, null=True, blank=True, related_name="entrants")
    before = models.ForeignKey(
        "self", models.SET_NULL, null=True, blank=True, related_name="after"
    )  # what it was in the series that this one follows
    order = models.PositiveSmallIntegerField()
    left_at = models.DateTimeField(null=True, blank=True)  # rides no more; what it rode stays

    class Meta:
        ordering = ("order", "pk")
        constraints = [
            models.UniqueConstraint(fields=["series", "code"], name="one_entrant_per_code"),
            models.UniqueConstraint(
                fields=["series", "team"], condition=Q(team__isnull=False), name="a_team_is_entered_once"
            ),
            models.UniqueConstraint(
                fields=["series", "player"], condition=Q(player__isnull=False), name="a_player_is_entered_once"
            ),
            models.CheckConstraint(
                condition=Q(team__isnull=False, player__isnull=True, bot="")
                | Q(team__isnull=True, player__isnull=False, bot="")
                | (Q(team__isnull=True, player__isnull=True) & ~Q(bot="")),
                name="an_entrant_is_one_thing",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        """What people call it; who was merged into another player is that one."""
        player = self.player and (self.player.merged_into or self.player)
        return str(self.team or player or self.label)

    @property
    def is_bot(self) -> bool:
        return bool(self.bot)


class Round(OnSheet, models.Model):
    """A race of a series, with its sheet: what is typed (a draft for the jury), and how far it is published.

    The number is text; `order` says which comes first. Without a `division` everybody of the series rides in it.
    """

    series = models.ForeignKey(Series, models.CASCADE, related_name="rounds")
    number = models.SlugField(_("number"), max_length=8)
    order = models.PositiveSmallIntegerField()
    name = models.CharField(_("name"), max_length=80, blank=True)
    starts_at = models.DateTimeField(_("evening"))
    place = models.CharField(_("place"), max_length=120, blank=True)
    division = models.ForeignKey(Division, models.RESTRICT, null=True, blank=True, related_name="rounds")
    way = models.CharField(_("way"), max_length=8, choices=Way, default=Way.PAPER)
    # What the game leaves open: as it was chosen in the game's own form, and as its rules read it at a table.
    setup = models.JSONField(default=dict, blank=True)
    options = models.JSONField(default=dict, blank=True)
    calendar_sequence = models.PositiveIntegerField(default=0)  # raised when date or place move
    changed_at = models.DateTimeField(default=timezone.now)
    # the sheet
    state = models.CharField(max_length=12, choices=SheetState, default=SheetState.DRAFT)
    version = models.PositiveIntegerField(default=0)  # the number of the newest RoundVersion; 0: never published
    is_revised = models.BooleanField(default=False)  # corrected after it was official
    published_at = models.DateTimeField(null=True, blank=True)
    official_at = models.DateTimeField(null=True, blank=True)
    signed_by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    cells: Any = models.JSONField(default=dict, blank=True)  # the draft: what is typed, readable or not
    typed_by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    typed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("order",)
        constraints = [
            models.UniqueConstraint(fields=["series", "number"], name="one_round_per_number"),
            models.UniqueConstraint(fields=["series", "order"], name="one_round_per_place_in_the_order"),
        ]

    def __str__(self) -> str:
        if not self.name:
            return _("Round %(number)s") % {"number": self.number}
        return _("Round %(number)s, %(name)s") % {"number": self.number, "name": self.name}

    def get_absolute_url(self) -> str:
        return self.series.url("round", self.number)

    @property
    def day(self) -> date:
        """The day of the round as the club's clock says it."""
        return self.starts_at.astimezone(self.series.season.club.zone).date()


class RoundVersion(models.Model):
    """What stood on the sheet of a round when it was published or corrected: content and result rows, at a permanent address."""

    round = models.ForeignKey(Round, models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    state = models.CharField(max_length=12, choices=SheetState)
    content = models.JSONField()
    result = models.JSONField()  # the rows that the table of the series is counted from
    reason = models.TextField(blank=True)
    by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("number",)
        constraints = [models.UniqueConstraint(fields=["round", "number"], name="one_round_version_per_number")]

    def __str__(self) -> str:
        return f"{self.round} v{self.number}"


class RoundRace(models.Model):
    """A round that is ridden on the site or refereed by a phone. A round has one race at a time; one that was abandoned
    stays in its past."""

    round = models.ForeignKey(Round, models.CASCADE, related_name="races")
    race = models.OneToOneField(Race, models.CASCADE, related_name="round_race")
    is_live = models.BooleanField(default=True)  # false once another race of the round has been opened after it
    entrants = models.JSONField(default=dict)  # name of the seat: SeriesEntrant
    players = models.JSONField(default=dict)  # name of the seat: Player who is to sit there
    settled_end = models.DateTimeField(null=True, blank=True)  # the end whose result is on the sheet
    note = models.TextField(blank=True)  # why the result did not go onto the sheet, or is not public yet
    opened_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    opened_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-opened_at", "-pk")
        constraints = [
            models.UniqueConstraint(fields=["round"], condition=Q(is_live=True), name="one_live_race_per_round"),
        ]

    def __str__(self) -> str:
        return f"{self.round}: {self.race}"
