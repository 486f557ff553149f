"""Setting up a season: dates, points, teams, transfers, the archive."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league.access import club_of, season_of
from league.models import Role, Team


@require_safe
def seasons(request: HttpRequest, club: str) -> HttpResponse:
    """The seasons of a club, running and archived."""
    found = club_of(request, club)
    return render(request, "league/seasons.html", {"seasons": found.seasons.all()})


@require_http_methods(["GET", "POST"])
def season_new(request: HttpRequest, club: str) -> HttpResponse:
    club_of(request, club, Role.ORGANISER)
    return render(request, "league/season_form.html", {})


@require_http_methods(["GET", "POST"])
def season_edit(request: HttpRequest, club: str, season: str) -> HttpResponse:
    season_of(request, club, season, Role.ORGANISER, to_change=True)
    return render(request, "league/season_form.html", {})


@require_POST
def season_archive(request: HttpRequest, club: str, season: str) -> HttpResponse:
    """Close the season for good, or open it again."""
    season_of(request, club, season, Role.ORGANISER)
    return redirect("seasons", club)


@require_http_methods(["GET", "POST"])
def team_new(request: HttpRequest, club: str, season: str) -> HttpResponse:
    season_of(request, club, season, Role.ORGANISER, to_change=True)
    return render(request, "league/team_form.html", {})


@require_http_methods(["GET", "POST"])
def team_edit(request: HttpRequest, club: str, season: str, pk: int) -> HttpResponse:
    found = season_of(request, club, season, Role.ORGANISER, to_change=True)
    get_object_or_404(Team, season=found, pk=pk)
    return render(request, "league/team_form.html", {})


@require_http_methods(["GET", "POST"])
def transfer(request: HttpRequest, club: str, season: str) -> HttpResponse:
    season_of(request, club, season, Role.ORGANISER, to_change=True)
    return render(request, "league/transfer.html", {})
