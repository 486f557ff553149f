"""The roster of a club: who rides, namesakes, duplicates."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league.access import club_of
from league.models import Player, Role


@require_safe
def players(request: HttpRequest, club: str) -> HttpResponse:
    """Everybody on the roster."""
    found = club_of(request, club)
    return render(request, "league/players.html", {"players": found.players.filter(merged_into=None)})


@require_http_methods(["GET", "POST"])
def player_new(request: HttpRequest, club: str) -> HttpResponse:
    club_of(request, club, Role.ORGANISER)
    return render(request, "league/player_form.html", {})


@require_http_methods(["GET", "POST"])
def player_edit(request: HttpRequest, club: str, pk: int) -> HttpResponse:
    found = club_of(request, club, Role.ORGANISER)
    get_object_or_404(Player, club=found, pk=pk)
    return render(request, "league/player_form.html", {})


@require_http_methods(["GET", "POST"])
def player_merge(request: HttpRequest, club: str) -> HttpResponse:
    club_of(request, club, Role.ORGANISER)
    return render(request, "league/player_merge.html", {})


@require_POST
def player_unmerge(request: HttpRequest, club: str, pk: int) -> HttpResponse:
    found = club_of(request, club, Role.ORGANISER)
    get_object_or_404(Player, club=found, pk=pk)
    return redirect("players", club)
