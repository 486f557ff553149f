"""Entering the result sheet of a stage, publishing it, and reading what once stood on it."""

from typing import cast

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from league import results
from league.access import stage_of
from league.models import SheetVersion
from league.models.club import Role


@require_safe
def sheet(request: HttpRequest, club: str, season: str, campaign: str, number: str) -> HttpResponse:
    """The result sheet of a stage, for those who enter results."""
    stage = stage_of(request, club, season, campaign, number, Role.COMMISSAIRE, to_change=True)
    return render(request, "league/sheet.html", {"stage": stage, "entry": results.entry_of(stage), "tab": "stage"})


@require_POST
def sheet_publish(request: HttpRequest, club: str, season: str, campaign: str, number: str) -> HttpResponse:
    """Make the draft public."""
    stage = stage_of(request, club, season, campaign, number, Role.COMMISSAIRE, to_change=True)
    results.publish(stage, cast(User, request.user), official="official" in request.POST)
    messages.success(request, _("%(stage)s is published. The tables are being counted again.") % {"stage": stage})
    return redirect(stage)


@require_safe
def version(request: HttpRequest, club: str, season: str, campaign: str, number: str, version: int) -> HttpResponse:
    """What stood on the sheet when it was published for the nth time; a permanent address."""
    stage = stage_of(request, club, season, campaign, number)
    shown = get_object_or_404(SheetVersion, sheet__stage=stage, number=version)
    return render(request, "league/version.html", {"stage": stage, "version": shown, "tab": "stage"})
