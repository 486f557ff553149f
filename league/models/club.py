"""Clubs, their people, seasons and teams."""

import unicodedata
import zoneinfo
from datetime import date
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

User = settings.AUTH_USER_MODEL


def clean_name(text: str) -> str:
    """A name as stored: NFC, single spaces. "Zoë" is one name whatever its bytes."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def name_key(text: str) -> str:
    """What two names are compared by: NFC, casefolded. Equal keys are a question to a person, never an answer."""
    return clean_name(text).casefold()


def valid_zone(name: str) -> None:
    if name not in zoneinfo.available_timezones():
        raise ValidationError(_("%(name)s is no time zone. Choose one like Europe/Rome."), params={"name": name})


class Role(models.TextChoices):
    """What somebody may do in a club. An organiser may do all that a commissaire may, a commissaire all that a member may."""

    MEMBER = "member", _("Member")
    COMMISSAIRE = "commissaire", _("Commissaire")
    ORGANISER = "organiser", _("Organiser")


class JerseyColour(models.TextChoices):
    WHITE = "white", _("White")
    YELLOW = "yellow", _("Yellow")
    BLUE = "blue", _("Blue")
    GREEN = "green", _("Green")
    PURPLE = "purple", _("Purple")


class JerseyPattern(models.TextChoices):
    """Beside the colour, so that a jersey is known without seeing colours."""

    PLAIN = "plain", _("plain")
    HOOPS = "hoops", _("with hoops")
    SASH = "sash", _("with a sash")
    STRIPES = "stripes", _("striped")
    DOTS = "dots", _("dotted")


class Club(models.Model):
    """A tenant: nothing of one club is seen or changed from another."""

    name = models.CharField(_("name"), max_length=80)
    slug = models.SlugField(_("address"), max_length=40, unique=True)
    motto = models.CharField(_("motto"), max_length=120, blank=True)
    time_zone = models.CharField(_("time zone"), max_length=64, default="Europe/Rome", validators=[valid_zone])
    language = models.CharField(_("language"), max_length=10, choices=settings.LANGUAGES, default="en")
    is_public = models.BooleanField(
        _("open to everybody"), default=True, help_text=_("Closed: only members see the pages of the club.")
    )
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("name", "pk")

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("club", args=[self.slug])

    @property
    def zone(self) -> zoneinfo.ZoneInfo:
        return zoneinfo.ZoneInfo(self.time_zone)


class Membership(models.Model):
    club = models.ForeignKey(Club, models.CASCADE, related_name="memberships")
    user = models.ForeignKey(User, models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=12, choices=Role, default=Role.MEMBER)
    since = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("pk",)
        constraints = [models.UniqueConstraint(fields=["club", "user"], name="one_membership_per_club_and_user")]

    def __str__(self) -> str:
        return f"{self.user} in {self.club}: {self.role}"


class Player(models.Model):
    """A person on the roster of a club, with or without a user. Two players may have the same name."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="players")
    name = models.CharField(_("name"), max_length=80)
    name_key = models.CharField(max_length=160, editable=False, db_index=True)
    note = models.CharField(
        _("told apart by"), max_length=60, blank=True, help_text=_("For namesakes: a nickname, a town, a year.")
    )
    user = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="players")
    merged_into = models.ForeignKey("self", models.PROTECT, null=True, blank=True, related_name="merged")
    merged_at = models.DateTimeField(null=True, blank=True)
    left_at = models.DateTimeField(null=True, blank=True)  # off the roster; what he rode stays
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("name_key", "pk")
        constraints = [
            models.UniqueConstraint(
                fields=["club", "user"], condition=Q(user__isnull=False, merged_into__isnull=True), name="one_player_per_club_and_user"
            ),
            models.CheckConstraint(condition=~Q(merged_into=F("id")), name="nobody_is_merged_into_himself"),
        ]  # fmt: skip

    def __str__(self) -> str:
        return f"{self.name} ({self.note})" if self.note else self.name

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.name = clean_name(self.name)
        self.name_key = name_key(self.name)
        super().save(*args, **kwargs)

    def get_absolute_url(self) -> str:
        return reverse("player", args=[self.club.slug, self.pk])


class Invitation(models.Model):
    """A single-use link that expires. Only the hash of its token is kept."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="invitations")
    role = models.CharField(max_length=12, choices=Role, default=Role.MEMBER)
    player = models.ForeignKey(Player, models.CASCADE, null=True, blank=True, related_name="invitations")
    note = models.CharField(max_length=80, blank=True)
    token_hash = models.CharField(max_length=64, unique=True)
    created_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)
    used_by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-created_at", "-pk")

    def __str__(self) -> str:
        return f"Invitation {self.pk} to {self.club}"

    @property
    def is_open(self) -> bool:
        return self.used_at is None and self.revoked_at is None and self.expires_at > timezone.now()


class Season(models.Model):
    club = models.ForeignKey(Club, models.CASCADE, related_name="seasons")
    name = models.CharField(_("name"), max_length=80)
    slug = models.SlugField(_("address"), max_length=40)
    starts_on = models.DateField(_("first day"))
    ends_on = models.DateField(_("last day"))
    team_points = models.JSONField(
        _("points by place"),
        default=list,
        help_text=_("For the season's team table: the first, second, third ... of a stage."),
    )
    archived_at = models.DateTimeField(null=True, blank=True)  # closed: read only

    class Meta:
        ordering = ("-starts_on", "-pk")
        constraints = [
            models.UniqueConstraint(fields=["club", "slug"], name="one_season_per_address"),
            models.CheckConstraint(condition=Q(ends_on__gte=F("starts_on")), name="a_season_ends_after_it_starts"),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("season", args=[self.club.slug, self.slug])

    @property
    def is_archived(self) -> bool:
        return self.archived_at is not None

    def is_running(self, day: date) -> bool:
        return self.starts_on <= day <= self.ends_on and not self.is_archived


class Team(models.Model):
    """A team of a season and its jersey: colour and pattern, no two alike in a season."""

    season = models.ForeignKey(Season, models.CASCADE, related_name="teams")
    name = models.CharField(_("name"), max_length=60)
    colour = models.CharField(_("colour"), max_length=8, choices=JerseyColour)
    pattern = models.CharField(_("pattern"), max_length=8, choices=JerseyPattern, default=JerseyPattern.PLAIN)
    left_at = models.DateTimeField(null=True, blank=True)  # no longer takes players; its past stays

    class Meta:
        ordering = ("name", "pk")
        constraints = [
            models.UniqueConstraint(fields=["season", "colour", "pattern"], name="one_team_per_jersey"),
            models.UniqueConstraint(fields=["season", "name"], name="one_team_per_name"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def jersey(self) -> str:
        """In words: "Blue with a sash"."""
        return f"{self.get_colour_display()} {self.get_pattern_display()}"


class TeamSpell(models.Model):
    """A player in a team from day to day. A transfer ends one spell and begins another; it never changes what was ridden."""

    team = models.ForeignKey(Team, models.CASCADE, related_name="spells")
    player = models.ForeignKey(Player, models.CASCADE, related_name="spells")
    first_day = models.DateField(_("from"))
    last_day = models.DateField(_("to"), null=True, blank=True)  # included; none: still there

    class Meta:
        ordering = ("first_day", "pk")
        constraints = [
            models.CheckConstraint(
                condition=Q(last_day__isnull=True) | Q(last_day__gte=F("first_day")), name="a_spell_ends_after_it_starts"
            ),
        ]  # fmt: skip

    def __str__(self) -> str:
        return f"{self.player} in {self.team} from {self.first_day}"

    def covers(self, day: date) -> bool:
        return self.first_day <= day and (self.last_day is None or day <= self.last_day)
