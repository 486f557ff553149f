"""Founding a club and setting it up."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from league.access import club_of
from league.models import Role


@login_required
@require_http_methods(["GET", "POST"])
def club_new(request: HttpRequest) -> HttpResponse:
    """Found a club; whoever does is its organiser."""
    return render(request, "league/club_form.html", {})


@require_http_methods(["GET", "POST"])
def club_edit(request: HttpRequest, club: str) -> HttpResponse:
    """Name, motto, clock, language, open or closed."""
    club_of(request, club, Role.ORGANISER)
    return render(request, "league/club_form.html", {})
