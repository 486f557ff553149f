"""Founding a club and setting it up."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from league import clubs
from league.access import club_of
from league.forms.clubs import ClubForm
from league.models import Role
from league.models.club import clean_name
from league.views.signed_on import me


@login_required
@require_http_methods(["GET", "POST"])
def club_new(request: HttpRequest) -> HttpResponse:
    """Found a club; whoever does is its organiser."""
    form = ClubForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        club = clubs.found_club(me(request), **form.cleaned_data)
        messages.success(request, _("%(club)s is founded, and you organise it.") % {"club": club})
        return redirect("season_new", club.slug)
    return render(request, "league/club_form.html", {"form": form}, status=422 if form.errors else 200)


@require_http_methods(["GET", "POST"])
def club_edit(request: HttpRequest, club: str) -> HttpResponse:
    """Name, motto, clock, language, open or closed. The address stays."""
    found = club_of(request, club, Role.ORGANISER)
    form = ClubForm.of(found, request.POST if request.method == "POST" else None)
    if form.is_valid():
        for name, value in form.cleaned_data.items():
            setattr(found, name, clean_name(value) if isinstance(value, str) else value)
        found.save(update_fields=list(form.cleaned_data))
        messages.success(request, _("The club is set up."))
        return redirect(found)
    return render(request, "league/club_form.html", {"form": form, "edited": found}, status=422 if form.errors else 200)
