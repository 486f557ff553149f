"""Club, season, riders, players and teams, as everybody may look at them."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from league.access import campaign_of, club_of, season_of
from league.export import as_csv, as_json
from league.models import Player, Rider, SeasonStanding, Team


@require_safe
def club(request: HttpRequest, club: str) -> HttpResponse:
    """The club's front page: its seasons and what is ridden in them."""
    found = club_of(request, club)
    seasons = found.seasons.prefetch_related("campaigns")
    return render(request, "league/club.html", {"seasons": seasons})


@require_safe
def season(request: HttpRequest, club: str, season: str) -> HttpResponse:
    """A season: its campaigns, teams, and the tables of teams and players."""
    found = season_of(request, club, season)
    context = {
        "campaigns": found.campaigns.select_related("season__club"),
        "teams": found.teams.all(),
        "team_rows": found.standings.filter(classification=SeasonStanding.TEAMS).select_related("team"),
        "player_rows": found.standings.filter(classification=SeasonStanding.PLAYERS).select_related("player"),
    }
    return render(request, "league/season.html", context)


@require_safe
def season_table(request: HttpRequest, club: str, season: str, table: str, fmt: str) -> HttpResponse:
    """A season's table as a file."""
    found = season_of(request, club, season)
    rows = found.standings.filter(classification=table).select_related("team", "player")
    keys = ("place", "name", "points", "gap")
    lines = [{"place": r.rank, "name": str(r.team or r.player), "points": r.points, "gap": r.gap} for r in rows]
    name = f"{found.club.slug}-{found.slug}-{table}"
    if fmt == "csv":
        return as_csv(name, keys, lines)
    return as_json(name, {"season": found.name, "table": table, "rows": lines})


@require_safe
def riders(request: HttpRequest, club: str, season: str, campaign: str) -> HttpResponse:
    """The start list."""
    found = campaign_of(request, club, season, campaign)
    lines = found.riders.select_related("player", "team")
    return render(request, "league/riders.html", {"riders": lines, "tab": "riders"})


@require_safe
def rider(request: HttpRequest, club: str, season: str, campaign: str, bib: int) -> HttpResponse:
    """A rider of a campaign."""
    found = campaign_of(request, club, season, campaign)
    line = get_object_or_404(Rider.objects.select_related("player", "team"), campaign=found, bib=bib)
    return render(request, "league/rider.html", {"rider": line, "tab": "riders"})


@require_safe
def player(request: HttpRequest, club: str, pk: int) -> HttpResponse:
    """A player: who he rode, and where."""
    found = club_of(request, club)
    person = get_object_or_404(Player.objects.select_related("merged_into"), club=found, pk=pk)
    rode = Rider.objects.filter(player=person).select_related("campaign__season__club", "team")
    return render(request, "league/player.html", {"person": person, "rode": rode})


@require_safe
def team(request: HttpRequest, club: str, season: str, pk: int) -> HttpResponse:
    """A team of a season and its players from day to day."""
    found = season_of(request, club, season)
    side = get_object_or_404(Team, season=found, pk=pk)
    return render(request, "league/team.html", {"team": side, "spells": side.spells.select_related("player")})
