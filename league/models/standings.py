"""Computed rows. Everything here can be dropped and counted again from results and rulings."""

from django.db import models

from league.models.campaign import Campaign, Rider, Stage
from league.models.club import Player, Season, Team


class Standing(models.Model):
    """A row of a classification after a stage. `facts` holds the rest of the pure row (parts, reasons) as JSON."""

    GC, TEAMS, STAGE = "gc", "teams", "stage"

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="standings")
    stage = models.ForeignKey(Stage, models.CASCADE, related_name="standings")
    classification = models.CharField(max_length=8)
    position = models.PositiveSmallIntegerField()  # order of the lines on the page
    rider = models.ForeignKey(Rider, models.CASCADE, null=True, related_name="standings")
    team = models.ForeignKey(Team, models.CASCADE, null=True, related_name="standings")
    rank = models.PositiveSmallIntegerField(null=True)
    state = models.CharField(max_length=12)
    value = models.IntegerField(null=True)  # GC: score; teams: total turns; stage: result
    gap = models.IntegerField(null=True)
    in_pink = models.BooleanField(default=False)
    facts = models.JSONField(default=dict)

    class Meta:
        ordering = ("position",)
        constraints = [
            models.UniqueConstraint(fields=["stage", "classification", "position"], name="one_standing_per_line"),
        ]
        indexes = [models.Index(fields=["campaign", "classification", "stage"], name="standing_of_a_page")]

    def __str__(self) -> str:
        return f"{self.classification} after {self.stage_id}: {self.rank}"


class SeasonStanding(models.Model):
    """A row of the season's team or player table."""

    TEAMS, PLAYERS = "teams", "players"

    season = models.ForeignKey(Season, models.CASCADE, related_name="standings")
    classification = models.CharField(max_length=8)
    position = models.PositiveSmallIntegerField()
    team = models.ForeignKey(Team, models.CASCADE, null=True, related_name="season_standings")
    player = models.ForeignKey(Player, models.CASCADE, null=True, related_name="season_standings")
    rank = models.PositiveSmallIntegerField()
    points = models.IntegerField()
    gap = models.IntegerField()
    facts = models.JSONField(default=dict)

    class Meta:
        ordering = ("position",)
        constraints = [
            models.UniqueConstraint(
                fields=["season", "classification", "position"], name="one_season_standing_per_line"
            )
        ]

    def __str__(self) -> str:
        return f"{self.season_id} {self.classification}: {self.rank}"
