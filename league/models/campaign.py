"""A campaign (here: a stage race of *Giro d'Italia*), its start list and its stages."""

from datetime import date

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.models.club import Player, Season, Team


class Game(models.TextChoices):
    GIRO = "giro", _("Giro d'Italia: The Game")


class CampaignKind(models.TextChoices):
    STAGE_RACE = "stage_race", _("Stage race")


class StageKind(models.TextChoices):
    """The values are those of the classification's Kind."""

    ROAD = "road", _("Road stage")
    ITT = "itt", _("Individual time trial")
    TTT = "ttt", _("Team time trial")


class Way(models.TextChoices):
    PAPER = "paper", _("On paper")
    REFEREED = "refereed", _("Refereed on one phone")
    ONLINE = "online", _("Online")


class Speciality(models.TextChoices):
    ROULEUR = "rouleur", _("rouleur")
    LEADER = "leader", _("leader")
    CLIMBER = "climber", _("climber")


class CampaignQuerySet(models.QuerySet["Campaign"]):
    def waiting(self) -> "CampaignQuerySet":
        """Those whose stored standings are older than their results."""
        return self.exclude(counted_revision=F("revision"))


class Campaign(models.Model):
    """A competition of several stages. `revision` counts every change that a standing depends on;
    `counted_revision` is the one that the stored standings were computed from."""

    season = models.ForeignKey(Season, models.CASCADE, related_name="campaigns")
    name = models.CharField(_("name"), max_length=80)
    slug = models.SlugField(_("address"), max_length=40)
    game = models.CharField(max_length=16, choices=Game, default=Game.GIRO)
    kind = models.CharField(max_length=16, choices=CampaignKind, default=CampaignKind.STAGE_RACE)
    # Options of the game. Rules: GI-D1-01, GI-D1-04, GI-D1-05, GI-D4-01.
    gc_loop = models.PositiveSmallIntegerField(
        _("squares of the GC track"), default=18, validators=[MinValueValidator(12), MaxValueValidator(30)]
    )
    stage_win = models.PositiveSmallIntegerField(
        _("squares for a stage win"), default=2, validators=[MaxValueValidator(9)]
    )
    bonus = models.PositiveSmallIntegerField(
        _("squares for a bonus sprint"), default=1, validators=[MaxValueValidator(9)]
    )
    time_limit = models.PositiveSmallIntegerField(
        _("turns after the peloton"), default=3, validators=[MaxValueValidator(20)]
    )
    cap_road = models.PositiveSmallIntegerField(
        _("energy kept after a road stage, at most"), default=15, validators=[MaxValueValidator(99)]
    )
    cap_time_trial = models.PositiveSmallIntegerField(
        _("energy kept after a time trial, at most"), default=5, validators=[MaxValueValidator(99)]
    )
    riders_per_player = models.PositiveSmallIntegerField(
        _("riders per player"), default=1, validators=[MinValueValidator(1), MaxValueValidator(3)]
    )
    team_classification = models.BooleanField(_("team classification"), default=True)
    team_count = models.PositiveSmallIntegerField(
        _("riders who count for a team"), null=True, blank=True, validators=[MinValueValidator(1), MaxValueValidator(3)],
        help_text=_("Empty: three, or as many as the smallest team has at the start."),
    )  # fmt: skip
    revision = models.PositiveIntegerField(default=0)
    counted_revision = models.PositiveIntegerField(default=0)
    counted_at = models.DateTimeField(null=True, blank=True)
    changed_at = models.DateTimeField(null=True, blank=True)
    count_error = models.TextField(blank=True)  # why the last recount failed; the old tables stand
    created_at = models.DateTimeField(default=timezone.now)

    objects = CampaignQuerySet.as_manager()

    class Meta:
        ordering = ("-created_at", "-pk")
        constraints = [models.UniqueConstraint(fields=["season", "slug"], name="one_campaign_per_address")]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return self.url()

    def url(self, page: str = "campaign", *args: object) -> str:
        """The address of one of the campaign's pages."""
        return reverse(page, args=[self.season.club.slug, self.season.slug, self.slug, *args])

    @property
    def is_counted(self) -> bool:
        return self.counted_revision == self.revision


class Rider(models.Model):
    """A line of the start list. Without a team of his own he rides for his player's team of the day."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="riders")
    bib = models.PositiveSmallIntegerField(_("bib"), validators=[MinValueValidator(1), MaxValueValidator(999)])
    name = models.CharField(_("rider"), max_length=80)
    speciality = models.CharField(_("speciality"), max_length=8, choices=Speciality)
    player = models.ForeignKey(Player, models.PROTECT, related_name="riders")
    team = models.ForeignKey(
        Team, models.PROTECT, null=True, blank=True, related_name="riders",
        help_text=_("Empty: the team that the player is in on the day of the stage."),
    )  # fmt: skip
    draft_order = models.PositiveSmallIntegerField(_("draft order"))

    class Meta:
        ordering = ("bib",)
        constraints = [
            models.UniqueConstraint(fields=["campaign", "bib"], name="one_rider_per_bib"),
            models.UniqueConstraint(fields=["campaign", "draft_order"], name="one_rider_per_draft_pick"),
        ]

    def __str__(self) -> str:
        return f"{self.bib} {self.name}"

    @property
    def last_name(self) -> str:
        return self.name.split()[-1] if self.name.split() else self.name

    @property
    def short(self) -> str:
        """How a sentence calls him: bib and last name, so that two of one name stay two."""
        return f"{self.bib} {self.last_name}"


class Stage(models.Model):
    """A numbered day of a campaign. The number is text (2a, 2b); `order` says which comes first."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="stages")
    number = models.SlugField(_("number"), max_length=8)
    order = models.PositiveSmallIntegerField()
    name = models.CharField(_("name"), max_length=80)
    starts_at = models.DateTimeField(_("evening"))
    place = models.CharField(_("place"), max_length=120, blank=True)
    kind = models.CharField(_("kind"), max_length=4, choices=StageKind, default=StageKind.ROAD)
    way = models.CharField(_("way"), max_length=8, choices=Way, default=Way.PAPER)
    # The course: a built-in one by id, or a pasted one in the notation, or what scoring needs of a course that only the table knows.
    course = models.CharField(_("course"), max_length=40, blank=True)
    course_json = models.JSONField(null=True, blank=True)
    milestones = models.PositiveSmallIntegerField(_("sum of the milestones"), null=True, blank=True)
    columns = models.PositiveSmallIntegerField(_("columns"), null=True, blank=True)
    bonus_columns = models.JSONField(_("bonus tokens"), default=list, blank=True)
    feed_lines = models.PositiveSmallIntegerField(_("feed zones"), default=0)
    calendar_sequence = models.PositiveIntegerField(
        default=0
    )  # raised when date or place move, for calendars that subscribe
    changed_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("order",)
        constraints = [
            models.UniqueConstraint(fields=["campaign", "number"], name="one_stage_per_number"),
            models.UniqueConstraint(fields=["campaign", "order"], name="one_stage_per_place_in_the_order"),
        ]  # fmt: skip

    def __str__(self) -> str:
        return _("Stage %(number)s, %(name)s") % {"number": self.number, "name": self.name}

    def get_absolute_url(self) -> str:
        return self.campaign.url("stage", self.number)

    @property
    def day(self) -> date:
        """The day of the stage as the club's clock says it."""
        return self.starts_at.astimezone(self.campaign.season.club.zone).date()

    @property
    def is_time_trial(self) -> bool:
        return self.kind != StageKind.ROAD
