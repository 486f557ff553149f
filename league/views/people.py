"""Who belongs to a club, invitations, and one's own account."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league.access import club_of
from league.models import Role


@require_safe
def people(request: HttpRequest, club: str) -> HttpResponse:
    """Members and their roles; for organisers the open invitations too."""
    found = club_of(request, club, Role.MEMBER)
    members = found.memberships.select_related("user")
    return render(request, "league/people.html", {"members": members})


@require_POST
def invite(request: HttpRequest, club: str) -> HttpResponse:
    club_of(request, club, Role.ORGANISER)
    return redirect("people", club)


@require_POST
def invitation_revoke(request: HttpRequest, club: str, pk: int) -> HttpResponse:
    club_of(request, club, Role.ORGANISER)
    return redirect("people", club)


@require_POST
def member_role(request: HttpRequest, club: str, pk: int) -> HttpResponse:
    club_of(request, club, Role.ORGANISER)
    return redirect("people", club)


@require_POST
def leave(request: HttpRequest, club: str) -> HttpResponse:
    club_of(request, club, Role.MEMBER)
    return redirect("people", club)


@require_http_methods(["GET", "POST"])
def join(request: HttpRequest, token: str) -> HttpResponse:
    raise Http404


@login_required
@require_http_methods(["GET", "POST"])
def account(request: HttpRequest) -> HttpResponse:
    """My clubs, my role in each, the players that are me."""
    return render(request, "league/account.html", {})
