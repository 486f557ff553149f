"""Result sheets, what stood on them, and rulings. Nothing here is ever deleted."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.models.campaign import Campaign, Rider, Stage
from league.models.club import Team

User = settings.AUTH_USER_MODEL


class SheetState(models.TextChoices):
    DRAFT = "draft", _("Draft")  # only organisers and commissaires see it
    PROVISIONAL = "provisional", _("Provisional")  # public, and still theirs to change
    OFFICIAL = "official", _("Official")  # changes only by a ruling


class StatusChoice(models.TextChoices):
    """The values are those of the classification's Status: one meaning in every table, page and export."""

    UNRESOLVED = "unresolved", _("no result yet")
    FINISHED = "finished", _("finished")
    DNS = "dns", _("did not start")
    DNF = "dnf", _("did not finish")
    OTL = "otl", _("outside the time limit")
    DSQ = "dsq", _("disqualified")
    WITHDRAWN = "withdrawn", _("withdrawn")


class OnSheet:
    """What stands on a sheet, of a stage or of a round: how far it is."""

    state: str
    is_revised: bool

    @property
    def is_public(self) -> bool:
        return self.state != SheetState.DRAFT

    @property
    def is_official(self) -> bool:
        return self.state == SheetState.OFFICIAL

    @property
    def stamp(self) -> str:
        """The value of the stamp's data-s."""
        return "revised" if self.is_official and self.is_revised else self.state


class Sheet(OnSheet, models.Model):
    """The result sheet of a stage."""

    stage = models.OneToOneField(Stage, models.CASCADE, related_name="sheet")
    state = models.CharField(max_length=12, choices=SheetState, default=SheetState.DRAFT)
    peloton_turn = models.PositiveSmallIntegerField(null=True, blank=True)  # none: not before the last rider
    version = models.PositiveIntegerField(default=0)  # the number of the newest SheetVersion; 0: never published
    is_revised = models.BooleanField(default=False)  # a ruling changed it after it was official
    published_at = models.DateTimeField(null=True, blank=True)
    official_at = models.DateTimeField(null=True, blank=True)
    signed_by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    draft_revision = models.PositiveIntegerField(default=0)  # raised by every typed cell

    def __str__(self) -> str:
        return f"{self.stage}: {self.state}"


class DraftCell(models.Model):
    """One cell of a sheet as somebody typed it, readable or not. Two people on one sheet meet here, cell by cell."""

    sheet = models.ForeignKey(Sheet, models.CASCADE, related_name="cells")
    key = models.CharField(max_length=60)
    value = models.CharField(max_length=200, blank=True)
    other = models.CharField(max_length=200, blank=True)  # what somebody else typed at the same time: a clash to settle
    is_clash = models.BooleanField(default=False)
    typed_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    typed_at = models.DateTimeField(default=timezone.now)
    revision = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ("key",)
        constraints = [models.UniqueConstraint(fields=["sheet", "key"], name="one_value_per_cell")]

    def __str__(self) -> str:
        return f"{self.key}={self.value}"


class SheetVersion(models.Model):
    """What stood on a sheet when it was published or corrected: content as JSON, with a permanent address."""

    sheet = models.ForeignKey(Sheet, models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    state = models.CharField(max_length=12, choices=SheetState)
    content = models.JSONField()  # sheets.giro.SheetContent.to_json()
    reason = models.TextField(blank=True)
    by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("number",)
        constraints = [models.UniqueConstraint(fields=["sheet", "number"], name="one_version_per_number")]

    def __str__(self) -> str:
        return f"{self.sheet} v{self.number}"


class Result(models.Model):
    """What a rider did in a stage, as published. The team is the one he rode for on that day, and stays."""

    sheet = models.ForeignKey(Sheet, models.CASCADE, related_name="results")
    rider = models.ForeignKey(Rider, models.PROTECT, related_name="results")
    team = models.ForeignKey(Team, models.PROTECT, null=True, blank=True, related_name="results")
    status = models.CharField(max_length=12, choices=StatusChoice, default=StatusChoice.UNRESOLVED)
    turn = models.PositiveSmallIntegerField(null=True, blank=True)
    place = models.PositiveSmallIntegerField(null=True, blank=True)  # crossing order as written down
    clock = models.PositiveSmallIntegerField(null=True, blank=True)  # time trial: clock place of his run
    energy = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        ordering = ("pk",)
        constraints = [models.UniqueConstraint(fields=["sheet", "rider"], name="one_result_per_rider_and_sheet")]

    def __str__(self) -> str:
        return f"{self.rider}: {self.status} {self.turn or ''}"


class BonusSprint(models.Model):
    """Who crossed a bonus line first; nobody where the rider is null."""

    sheet = models.ForeignKey(Sheet, models.CASCADE, related_name="bonuses")
    token = models.PositiveSmallIntegerField()
    rider = models.ForeignKey(Rider, models.PROTECT, null=True, blank=True, related_name="bonuses")

    class Meta:
        ordering = ("token",)
        constraints = [models.UniqueConstraint(fields=["sheet", "token"], name="one_winner_per_bonus_token")]

    def __str__(self) -> str:
        return f"{self.token}: {self.rider}"


class RulingKind(models.TextChoices):
    PENALTY = "penalty", _("Penalty")
    BONUS = "bonus", _("Bonus")
    DISQUALIFICATION = "disqualification", _("Disqualification")
    REINSTATEMENT = "reinstatement", _("Reinstatement")
    CORRECTION = "correction", _("Correction of the sheet")
    WITHDRAWAL = "withdrawal", _("Ruling withdrawn")


class Ruling(models.Model):
    """A decision of the jury: who, when, why. It is never edited or deleted; a withdrawal undoes one and is a ruling itself."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="rulings")
    stage = models.ForeignKey(Stage, models.PROTECT, related_name="rulings")  # from which stage on it acts
    number = models.PositiveIntegerField()  # in the campaign, from 1
    kind = models.CharField(_("ruling"), max_length=18, choices=RulingKind)
    rider = models.ForeignKey(Rider, models.PROTECT, null=True, blank=True, related_name="rulings")
    amount = models.PositiveSmallIntegerField(_("squares"), null=True, blank=True)
    turn = models.PositiveSmallIntegerField(_("turn"), null=True, blank=True)
    reason = models.TextField(_("reason"))
    version = models.OneToOneField(
        SheetVersion, models.PROTECT, null=True, blank=True, related_name="ruling"
    )  # of a correction
    withdraws = models.OneToOneField("self", models.PROTECT, null=True, blank=True, related_name="withdrawn_by")
    by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(default=timezone.now)
    changes = models.JSONField(
        default=dict
    )  # what it changed in every table, as it was decided: changes.Changes.to_json()
    key = models.UUIDField(
        null=True, editable=False
    )  # of the form that was confirmed: a second click is the same ruling

    class Meta:
        ordering = ("number",)
        constraints = [
            models.UniqueConstraint(fields=["campaign", "number"], name="one_ruling_per_number"),
            models.UniqueConstraint(fields=["campaign", "key"], name="one_ruling_per_confirmed_form"),
            models.CheckConstraint(
                condition=Q(rider__isnull=False) | Q(kind__in=["correction", "withdrawal"]), name="a_ruling_on_a_rider_names_him"
            ),
        ]  # fmt: skip

    def __str__(self) -> str:
        return f"Ruling {self.number}: {self.kind}"

    def get_absolute_url(self) -> str:
        return self.campaign.url("ruling", self.number)

    @property
    def is_withdrawn(self) -> bool:
        return hasattr(self, "withdrawn_by")
