"""Rulings: the public list and the permanent page of each; deciding one in two steps, with what it changes in between."""

from __future__ import annotations

import uuid
from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from league import rulings as jury
from league.access import campaign_of, stage_of
from league.changes import Changes
from league.errors import Refused
from league.forms.rulings import MEANING, Confirmation, ReasonForm, RulingForm
from league.models import Campaign, Role, Ruling, Stage
from league.results import SheetRefused
from league.ruling_words import decision, in_words, pink_moves, told, without_result


def words_of(changes: Changes) -> dict[str, Any]:
    """What `_changes.html` prints."""
    return {"tables": told(changes), "pink_moves": pink_moves(changes), "without_result": without_result(changes)}


def confirmation(campaign: Campaign, draft: int | None = None) -> Confirmation:
    """The hidden fields of a preview made now."""
    return Confirmation(initial={"revision": campaign.revision, "draft": draft, "key": uuid.uuid4()})


def confirmed(request: HttpRequest) -> dict[str, Any]:
    """What the confirmed form was made against. Without it (an old or a broken form) the preview is shown again."""
    form = Confirmation(request.POST)
    if not form.is_valid():
        raise jury.PreviewStale
    return {name: value for name, value in form.cleaned_data.items() if value is not None}


@require_safe
def rulings(request: HttpRequest, club: str, season: str, campaign: str) -> HttpResponse:
    """All rulings of the campaign, latest first; `?stage=NUMBER` those at one stage."""
    found = campaign_of(request, club, season, campaign)
    made = jury.of_campaign(found)
    stages = list(Stage.objects.filter(campaign=found, rulings__isnull=False).distinct())
    only = request.GET.get("stage", "")
    stage = get_object_or_404(Stage, campaign=found, number=only) if only else None
    if stage is not None:
        made = made.filter(stage=stage)
    context = {"tab": "rulings", "rulings": made, "stages": stages, "stage": stage}
    return render(request, "league/rulings.html", context)


@require_safe
def ruling(request: HttpRequest, club: str, season: str, campaign: str, ruling: int) -> HttpResponse:
    """One ruling: who, when, why, and what it changed in every table when it was decided."""
    found = campaign_of(request, club, season, campaign)
    made = get_object_or_404(jury.of_campaign(found).select_related("stage__sheet"), number=ruling)
    made.campaign = made.stage.campaign = found
    before = jury.version_before(made)
    context = {
        "tab": "rulings",
        "ruling": made,
        "before_version": before.number if before else None,
        "cells": jury.corrected_cells(made, before),
        "can_withdraw": made.kind in jury.ON_A_RIDER and not made.is_withdrawn and not found.season.is_archived,
        **words_of(Changes.from_json(made.changes)),
    }
    return render(request, "league/ruling.html", context)


@require_http_methods(["GET", "POST"])
def ruling_new(request: HttpRequest, club: str, season: str, campaign: str) -> HttpResponse:
    """Propose, look at what it changes, confirm: three answers of one address, the typing carried along."""
    found = campaign_of(request, club, season, campaign, Role.COMMISSAIRE, to_change=True)
    if request.method == "GET":
        asked = {name: request.GET[name] for name in ("stage", "rider", "kind") if name in request.GET}
        return proposal_page(request, RulingForm(initial=asked, campaign=found))
    form = RulingForm(request.POST, campaign=found)
    step = request.POST.get("step", "preview")
    if not form.is_valid() or step == "edit":
        return proposal_page(request, form)
    proposal, late = form.proposal(), ""
    try:
        if step == "confirm":
            try:
                made = jury.rule(found, proposal, cast(User, request.user), **without_draft(confirmed(request)))
            except jury.PreviewStale as moved_on:
                late = str(moved_on)
                found.refresh_from_db(fields=["revision"])
            else:
                return decided(request, made)
        changes = jury.preview(found, proposal)
    except jury.RulingRefused as refusal:
        form.add_error(refusal.field or None, str(refusal))
        return proposal_page(request, form, asks=isinstance(refusal, jury.RulingAsked))
    context = {
        "tab": "rulings",
        "form": form,
        "proposal": proposal,
        "words": decision(proposal.kind, proposal.rider, proposal.amount, proposal.turn),
        "confirmation": confirmation(found),
        "late": late,
        **words_of(changes),
    }
    return render(request, "league/ruling_preview.html", context, status=409 if late else 200)


def proposal_page(request: HttpRequest, form: RulingForm, *, asks: bool = False) -> HttpResponse:
    """The form. The tick that confirms an unlikely amount is there once it was asked for."""
    stages = form.fields["stage"].queryset.exists()  # type: ignore[attr-defined]
    context = {
        "tab": "rulings",
        "form": form,
        "meaning": MEANING,
        "asks": asks or form["sure"].value(),
        "has_stages": stages,
    }
    return render(request, "league/ruling_new.html", context, status=422 if form.is_bound and form.errors else 200)


def without_draft(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if name != "draft"}


def decided(request: HttpRequest, made: Ruling) -> HttpResponse:
    messages.success(
        request, _("Ruling %(number)s stands: %(words)s.") % {"number": made.number, "words": in_words(made)}
    )
    return redirect(made)


@require_http_methods(["GET", "POST"])
def ruling_withdraw(request: HttpRequest, club: str, season: str, campaign: str, ruling: int) -> HttpResponse:
    """What the tables would be without the ruling, and the reason to withdraw it."""
    found = campaign_of(request, club, season, campaign, Role.COMMISSAIRE, to_change=True)
    made = get_object_or_404(jury.of_campaign(found), number=ruling)
    made.campaign = made.stage.campaign = found
    form = ReasonForm(request.POST if request.method == "POST" else None)
    late = ""
    if made.is_withdrawn:
        # somebody did it already, or this very form was sent twice
        made.withdrawn_by.campaign = found
        return redirect(made.withdrawn_by)
    if form.is_valid():
        try:
            reason = form.cleaned_data["reason"]
            return decided(
                request,
                jury.withdraw(made, cast(User, request.user), reason, **without_draft(confirmed(request))),
            )
        except jury.PreviewStale as moved_on:
            late = str(moved_on)
            found.refresh_from_db(fields=["revision"])
        except jury.RulingRefused as refusal:
            form.add_error(refusal.field or None, str(refusal))
    context = {
        "tab": "rulings",
        "form": form,
        "ruling": made,
        "confirmation": confirmation(found),
        "late": late,
        **words_of(jury.preview_withdrawal(made)),
    }
    return render(request, "league/ruling_withdraw.html", context, status=answer_status(form, late))


@require_http_methods(["GET", "POST"])
def correct(request: HttpRequest, club: str, season: str, campaign: str, number: str) -> HttpResponse:
    """The draft of an official sheet against what stands: cells, tables, reason, confirm."""
    stage = stage_of(request, club, season, campaign, number, Role.COMMISSAIRE, to_change=True)
    form = ReasonForm(request.POST if request.method == "POST" else None)
    late = ""
    if form.is_valid():
        try:
            return decided(
                request,
                jury.correct(stage, cast(User, request.user), form.cleaned_data["reason"], **confirmed(request)),
            )
        except jury.PreviewStale as moved_on:
            late = str(moved_on)
            stage.campaign.refresh_from_db(fields=["revision"])
        except jury.RulingRefused as refusal:
            form.add_error(refusal.field or None, str(refusal))
        except SheetRefused as refusal:
            form.add_error(None, str(refusal))
        except Refused as refusal:
            form.add_error(None, str(refusal))
    correction = jury.correction_of(stage)
    context = {
        "tab": "rulings",
        "form": form,
        "stage": stage,
        "correction": correction,
        "confirmation": confirmation(stage.campaign, correction.entry.sheet.draft_revision),
        "late": late,
        **words_of(correction.changes),
    }
    return render(request, "league/correct.html", context, status=answer_status(form, late))


def answer_status(form: ReasonForm, late: str) -> int:
    return 409 if late else 422 if form.errors else 200
