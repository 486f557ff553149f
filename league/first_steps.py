"""The way from an empty club to its first result, for the organiser: what is there, what is missing, where to go next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.campaigns import is_public
from league.fronts import Front
from league.models import Club, Rider, Season, TeamSpell
from league.roster import on_roster


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to do. `url` is empty while an earlier step is missing."""

    name: str
    says: str  # what is there, or what it is for
    is_done: bool
    url: str
    button: str


@dataclass(frozen=True, slots=True)
class Way:
    """All steps, and the first that is missing."""

    steps: Sequence[Step]

    @property
    def done(self) -> int:
        return sum(step.is_done for step in self.steps)

    @property
    def next(self) -> Step | None:
        return next((step for step in self.steps if not step.is_done and step.url), None)


def way(club: Club, season: Season | None, fronts: Sequence[Front]) -> Way | None:
    """The way to the first result of this season; None where it was gone. `fronts` are the season's Giri, newest first.

    Who has a start list needs neither teams nor line-ups: riders may ride alone.
    """
    if any(is_public(stage) for front in fronts for stage in front.book.stages):
        return None
    front = fronts[0] if fronts else None
    teams = season.teams.count() if season else 0
    players = on_roster(club).count()
    placed = TeamSpell.objects.filter(team__season=season).values("player").distinct().count() if season else 0
    riders = Rider.objects.filter(campaign=front.campaign).count() if front else 0
    stages = front.book.stages if front else ()
    here = (club.slug, season.slug) if season else None
    giro = front.campaign if front else None
    return Way(
        (
            Step(
                _("Season"),
                season.name if season else _("It holds teams, a calendar and the Giri."),
                season is not None,
                reverse("season_edit", args=here) if here else reverse("season_new", args=[club.slug]),
                _("Set-up of the season") if here else _("Open a season"),
            ),
            Step(
                _("Teams"),
                ngettext("%(n)s team", "%(n)s teams", teams) % {"n": teams}
                if teams
                else _("Name and jersey. Without teams everybody rides alone."),
                teams > 0 or riders > 0,
                reverse("team_new", args=here) if here else "",
                _("Add a team"),
            ),
            Step(
                _("Players"),
                ngettext("%(n)s player", "%(n)s players", players) % {"n": players}
                if players
                else _("Who sits at the table. A name is enough."),
                players > 0,
                reverse("player_new", args=[club.slug]),
                _("Add a player"),
            ),
            Step(
                _("Line-ups"),
                ngettext("%(n)s player in a team", "%(n)s players in teams", placed) % {"n": placed}
                if placed
                else _("Who rides for whom, and from which day on."),
                placed > 0 or riders > 0,
                reverse("transfer", args=here) if here and teams and players else "",
                _("Put a player in a team"),
            ),
            Step(
                _("Giro"),
                giro.name if giro else _("A stage race of several evenings."),
                giro is not None,
                giro.url("campaign_edit") if giro else reverse("campaign_new", args=here) if here else "",
                _("Set-up of the Giro") if giro else _("Set up a Giro"),
            ),
            Step(
                _("Start list"),
                ngettext("%(n)s rider", "%(n)s riders", riders) % {"n": riders}
                if riders
                else _("Bib, rider, speciality, and who rides him."),
                riders > 0,
                giro.url("startlist") if giro and players else "",
                _("Change the start list") if riders else _("Enter the start list"),
            ),
            Step(
                _("Stages"),
                ngettext("%(n)s stage", "%(n)s stages", len(stages)) % {"n": len(stages)}
                if stages
                else _("Evening, place and course."),
                bool(stages),
                giro.url("stage_new") if giro else "",
                _("Add a stage"),
            ),
            Step(
                _("First result"),
                _("The score sheet of the first evening. Then somebody wears pink."),
                False,
                giro.url("sheet", stages[0].number) if giro and stages and riders else "",
                _("Enter the first result"),
            ),
        )
    )
