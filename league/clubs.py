"""Founding a club and laying out its seasons and teams. One door for the pages, the demo and imports.

An address (slug) is made once from the name and stays: renaming a club or a season breaks no link.
"""

from collections.abc import Sequence
from datetime import date

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _

from league.errors import Refused
from league.models import Club, Membership, Role, Season, Team, TeamSpell
from league.models.club import JerseyColour, JerseyPattern, clean_name, name_key
from league.recount import touch_season

SLUG_LENGTH = 40
TRIES = 5


def free_slug(name: str, taken: QuerySet[Club] | QuerySet[Season], *, otherwise: str) -> str:
    """An address for this name that none of `taken` has; `otherwise` stands in for names without Latin letters."""
    stem = slugify(name)[: SLUG_LENGTH - 4].strip("-_") or otherwise
    have = set(taken.filter(slug__startswith=stem).values_list("slug", flat=True))
    number = 1
    while (slug := stem if number == 1 else f"{stem}-{number}") in have:
        number += 1
    return slug


def found_club(
    user: User, *, name: str, motto: str = "", time_zone: str = "Europe/Rome", language: str = "en", is_public: bool = True
) -> Club:  # fmt: skip
    """A new club; its founder is its first organiser."""
    for attempt in range(TRIES):
        try:
            with transaction.atomic():
                club = Club.objects.create(
                    name=clean_name(name),
                    slug=free_slug(name, Club.objects.all(), otherwise="club"),
                    motto=clean_name(motto),
                    time_zone=time_zone,
                    language=language,
                    is_public=is_public,
                )
                Membership.objects.create(club=club, user=user, role=Role.ORGANISER)
                return club
        except IntegrityError:  # somebody took the address between the look and the writing
            if attempt == TRIES - 1:
                raise
    raise AssertionError("unreachable")


def new_season(
    club: Club, *, name: str, starts_on: date, ends_on: date, team_points: Sequence[int] = ()
) -> Season:  # fmt: skip
    """A season of the club. `team_points`: for the first, second, third ... of a stage; none: the usual table."""
    for attempt in range(TRIES):
        try:
            with transaction.atomic():
                return Season.objects.create(
                    club=club,
                    name=clean_name(name),
                    slug=free_slug(name, club.seasons.all(), otherwise="season"),
                    starts_on=starts_on,
                    ends_on=ends_on,
                    team_points=list(team_points),
                )
        except IntegrityError:
            if attempt == TRIES - 1:
                raise
    raise AssertionError("unreachable")


def change_season(
    season: Season, *, name: str, starts_on: date, ends_on: date, team_points: Sequence[int]
) -> Season:  # fmt: skip
    """New name, dates or points; other points count every table of the season again."""
    with transaction.atomic():
        other_points = list(team_points) != season.team_points
        season.name, season.starts_on, season.ends_on = clean_name(name), starts_on, ends_on
        season.team_points = list(team_points)
        season.save(update_fields=["name", "starts_on", "ends_on", "team_points"])
        if other_points:
            touch_season(season)
    return season


def archive(season: Season, *, archived: bool) -> None:
    """Close a season: everybody reads, nobody writes. Or open it again."""
    if archived != season.is_archived:
        season.archived_at = timezone.now() if archived else None
        season.save(update_fields=["archived_at"])


def new_team(season: Season, *, name: str, colour: str, pattern: str = JerseyPattern.PLAIN) -> Team:
    """A team of the season. Refused where another has its name or its jersey."""
    return _write_team(Team(season=season, name=clean_name(name), colour=colour, pattern=pattern))


def change_team(team: Team, *, name: str, colour: str, pattern: str, has_left: bool) -> Team:
    """Another name or jersey. A team that has left takes no more players and loses those it has as of today; what was ridden
    for it stays."""
    team.name, team.colour, team.pattern = clean_name(name), colour, pattern
    leaves = has_left and team.left_at is None
    team.left_at = (team.left_at or timezone.now()) if has_left else None
    with transaction.atomic():
        _write_team(team)
        if leaves:
            today = timezone.now().astimezone(team.season.club.zone).date()
            TeamSpell.objects.filter(team=team, last_day__isnull=True, first_day__lte=today).update(last_day=today)
            TeamSpell.objects.filter(team=team, first_day__gt=today).delete()
    return team


def _write_team(team: Team) -> Team:
    with transaction.atomic():
        Season.objects.select_for_update().get(pk=team.season_id)
        others = list(Team.objects.filter(season=team.season_id).exclude(pk=team.pk))
        for other in others:
            if name_key(other.name) == name_key(team.name):
                raise TeamTaken("name", _("A team called %(name)s rides this season already. Take another name.") % {"name": other.name})  # fmt: skip
            if (other.colour, other.pattern) == (team.colour, team.pattern):
                raise TeamTaken(
                    "jersey",
                    _("%(team)s wears %(jersey)s already. Two teams alike cannot be told apart: take another jersey.")
                    % {"team": other.name, "jersey": in_words(team.colour, team.pattern)},
                )
        team.save()
    return team


class TeamTaken(Refused):
    """Another team of the season has the name or the jersey; `field` says which."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


def in_words(colour: str, pattern: str) -> str:
    """A jersey in words: "Blue with a sash"."""
    return f"{JerseyColour(colour).label} {JerseyPattern(pattern).label}"
