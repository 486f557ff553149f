"""The referee of a race at a real table: the phone that asks, and one tap back."""

from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from races import play
from races import referee as table
from races.access import Viewer
from races.errors import NotYours, Refused, StaleTurn, sentences
from races.forms import TurnForm
from races.page import Looking, Refusal
from races.panels import panel_of, table_of
from races.referee_page import RefereePage, quicker
from races.views.race import not_yet, user_of
from rules.errors import RulesError

Said = list[tuple[str | None, str]]


class UndoForm(forms.Form):
    """The entry that was the last one when the button was shown."""

    n = forms.IntegerField(min_value=1)
    decision = forms.CharField(max_length=200, required=False)


@never_cache  # the Back button brings the race as it is now
@require_http_methods(["GET", "HEAD", "POST"])
def referee(request: HttpRequest, key: str) -> HttpResponse:
    """One question at a time. A POST answers it, whoever at the table it was for; for htmx the part that changes alone."""
    viewer = table.refereed_by(request, key)
    if viewer.race.is_online or not viewer.race.has_started:
        return redirect(viewer.race)
    if request.method == "POST":
        return answer(request, viewer)
    order = request.GET.get("order", "")[:1000].split(",")
    return show(request, page_of(viewer, Looking.of(request.GET), order=order))


def page_of(viewer: Viewer, looking: Looking, **more: Any) -> RefereePage:
    return RefereePage(viewer, play.look(viewer.race), looking, **more)


def show(request: HttpRequest, page: RefereePage, status: int = HTTPStatus.OK) -> HttpResponse:
    htmx = request.htmx  # type: ignore[attr-defined]
    part = htmx and not htmx.history_restore_request
    template = "races/_referee.html" if part else "races/referee.html"
    context = {
        "page": page,
        "race": page.race,
        "viewer": page.viewer,
        # the question takes the focus when its own phone brought it, not when another one did
        "takes_focus": part and htmx.trigger != "live",
    }
    response = render(request, template, context, status=status)
    patch_vary_headers(response, ["HX-Request", "HX-Trigger"])
    return response


def fresh(request: HttpRequest, viewer: Viewer) -> Viewer:
    """The same, as the race is now."""
    return table.refereed_by(request, viewer.race.key)


def answer(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Take what was typed, or say why not: 422 the rules forbid it, 409 another phone was quicker."""
    form = TurnForm(request.POST)
    looking = Looking.of(request.POST)
    if not form.is_valid():
        return refuse(request, viewer, looking, [(None, str(text)) for texts in form.errors.values() for text in texts])
    decision, after = form.cleaned_data["decision"], form.cleaned_data["after"]
    told = form.told
    if told is None and (page := not_yet(request.POST, page_of(viewer, looking, typed=request.POST.dict()))):
        return show(request, page)
    try:
        if told is None:
            told = panel_of(viewer.race.game).typed(decision.partition(":")[0], request.POST.dict())
        if told is None:
            return refuse(request, viewer, looking, [(None, _("Nothing was chosen yet."))])
        play.referee(
            viewer.race.pk,
            action=play.game_of(viewer.race).read_action(told),
            decision=decision,
            after=after,
            key=form.cleaned_data["key"],
            by=user_of(request),
            only_public=table_of(viewer.race.game).only_public,
        )
    except StaleTurn:
        return late(request, viewer, looking, after)
    except NotYours:
        return refuse(request, viewer, looking, [(None, _("This is no answer to what is asked now."))])
    except Refused as refusal:
        return refuse(request, viewer, looking, [(None, str(refusal))])
    except RulesError as refusal:
        return refuse(request, viewer, looking, sentences(refusal))
    return onwards(request, viewer, decision)


def onwards(request: HttpRequest, viewer: Viewer, decision: str) -> HttpResponse:
    """The next question: of several riders on the road, about the one who was just asked."""
    page = page_of(fresh(request, viewer), Looking(decision=decision))
    if request.htmx:  # type: ignore[attr-defined]
        return show(request, page)
    stays = "?" + urlencode({"decision": decision}) if page.tabs else ""
    return redirect(reverse("races:referee", args=[viewer.race.key]) + stays)


def refuse(request: HttpRequest, viewer: Viewer, looking: Looking, said: Said) -> HttpResponse:
    """The question again, and why that cannot be its answer."""
    page = page_of(viewer, looking, typed=request.POST.dict(), refusal=Refusal(sentences=said))
    return show(request, page, HTTPStatus.UNPROCESSABLE_ENTITY)


def late(request: HttpRequest, viewer: Viewer, looking: Looking, after: int) -> HttpResponse:
    """The question as it is now, and who was quicker."""
    now = fresh(request, viewer)
    words = quicker(page_of(now, Looking()), after)
    page = page_of(now, Looking(decision=looking.decision), refusal=Refusal(sentences=[(None, words)], late=True))
    return show(request, page, HTTPStatus.CONFLICT)


@require_POST
def undo(request: HttpRequest, key: str) -> HttpResponse:
    """One thing back: free for the referee, and marked in the log."""
    viewer = table.refereed_by(request, key)
    if viewer.race.is_online or not viewer.race.has_started:
        return redirect(viewer.race)
    form = UndoForm(request.POST)
    if not form.is_valid():
        return refuse(request, viewer, Looking(), [(None, _("This form is damaged. Load the page again."))])
    looking = Looking(decision=form.cleaned_data["decision"])
    try:
        table.undo(viewer.race.pk, n=form.cleaned_data["n"], by=user_of(request))
    except StaleTurn:
        return late(request, viewer, looking, form.cleaned_data["n"])
    except Refused as refusal:
        return refuse(request, viewer, looking, [(None, str(refusal))])
    return onwards(request, viewer, looking.decision)
