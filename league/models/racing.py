"""The races of stages. A stage has one race at a time; one that was abandoned stays in its past."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from league.models.campaign import Stage
from league.models.results import SheetVersion
from races.models import Race

User = settings.AUTH_USER_MODEL


class StageRace(models.Model):
    """A stage that is ridden on the site or refereed by a phone, and how its result came onto the sheet."""

    stage = models.ForeignKey(Stage, models.CASCADE, related_name="races")
    race = models.OneToOneField(Race, models.CASCADE, related_name="stage_race")
    is_live = models.BooleanField(default=True)  # false once another race of the stage has been opened after it
    # Who is who: a rider's id in the race is his bib of that evening, and a bib may change before the first result.
    riders = models.JSONField(default=dict)  # id in the race: Rider
    players = models.JSONField(default=dict)  # name of the seat: Player
    # The end of the race whose result is on the sheet; a race that was rewound ends again, and another result follows.
    settled_end = models.DateTimeField(null=True, blank=True)
    version = models.ForeignKey(SheetVersion, models.SET_NULL, null=True, blank=True, related_name="+")
    note = models.TextField(blank=True)  # why the result did not go onto the sheet, or is not public yet
    opened_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    opened_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-opened_at", "-pk")
        constraints = [
            models.UniqueConstraint(fields=["stage"], condition=Q(is_live=True), name="one_live_race_per_stage"),
        ]

    def __str__(self) -> str:
        return f"{self.stage}: {self.race}"
