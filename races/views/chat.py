"""The chat of a race, and everybody's private note about it."""

import secrets
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST

from races import chat as talk
from races.access import Viewer, led_by, race_for
from races.chat import Chat, Writer
from races.chat_forms import HideForm, MessageForm, MuteForm, NoteForm, SeenForm
from races.errors import NotYours, Refused
from races.models import Message


def new_key() -> str:
    """Of one rendered form: the same form sent twice is one message."""
    return secrets.token_urlsafe(12)


def is_part(request: HttpRequest) -> bool:
    """Whether a page asks for the part of it that changes."""
    htmx = request.htmx  # type: ignore[attr-defined]
    return bool(htmx) and not htmx.history_restore_request


def before_of(text: str | None) -> int | None:
    """The message that somebody looks back from; what is no number is none."""
    return int(text) if text and text.isascii() and text.isdecimal() and len(text) < 10 else None


# ---- the chat --------------------------------------------------------------------------------------------------------
@never_cache  # the Back button brings what was said meanwhile
@require_http_methods(["GET", "HEAD", "POST"])
def chat(request: HttpRequest, key: str) -> HttpResponse:
    """What is said beside a race, newest first. A POST says something; for htmx the messages alone."""
    viewer = race_for(request, key)
    if request.method == "POST":
        return say(request, viewer)
    page = Chat(viewer, before=before_of(request.GET.get("before")))
    if request.method == "GET" and not is_part(request):
        page.read()
    return show(request, page)


def show(
    request: HttpRequest, page: Chat, form: MessageForm | None = None, *, key: str = "", status: int = HTTPStatus.OK
) -> HttpResponse:
    """`form`: what was sent, with what is wrong with it. `key`: of the form that is shown; a new one if there is none."""
    context: dict[str, Any] = {
        "chat": page,
        "race": page.race,
        "viewer": page.viewer,
        "form": form,
        "key": key or new_key(),
    }
    template = "races/_chat_answer.html" if is_part(request) else "races/chat.html"
    response = render(request, template, context, status=status)
    patch_vary_headers(response, ["HX-Request"])
    return response


def say(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    writer = Writer.of(viewer)
    if writer is None:
        return redirect_to_login(reverse("races:chat", args=[viewer.race.key]))
    form = MessageForm(request.POST)
    key = request.POST.get("key", "") if "key" not in form.errors else ""
    if form.is_valid():
        try:
            message = talk.write(viewer.race, writer, form.cleaned_data["text"], key=key)
        except talk.SentAlready as refusal:
            form.add_error(None, str(refusal))
            key = ""
        except Refused as refusal:
            form.add_error(None, str(refusal))
        else:
            if writer.user is not None:
                talk.heard(viewer.race, writer.user, message.n)
            return show(request, Chat(viewer), form) if is_part(request) else back_to(viewer)
    return show(request, Chat(viewer), form, key=key, status=HTTPStatus.UNPROCESSABLE_ENTITY)


def back_to(viewer: Viewer, before: str | None = None) -> HttpResponse:
    """The page of the chat, where it was looked at."""
    wanted = before_of(before)
    return redirect(reverse("races:chat", args=[viewer.race.key]) + (f"?before={wanted}" if wanted is not None else ""))


def changed(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """What follows a change of a message: the messages as they are now."""
    return show(request, Chat(viewer)) if is_part(request) else back_to(viewer, request.POST.get("before"))


@require_POST
def hide(request: HttpRequest, key: str, n: int) -> HttpResponse:
    """Who leads the race hides a message from everybody, or shows it again."""
    viewer = led_by(request, key)
    form = HideForm(request.POST)
    assert isinstance(viewer.user, User), "nobody leads a race who is not signed on"
    try:
        talk.hide(viewer.race, n, by=viewer.user, hidden=form.is_valid() and form.cleaned_data["hidden"])
    except Message.DoesNotExist as missing:
        raise Http404 from missing
    except Refused as refusal:
        if not is_part(request):
            messages.error(request, str(refusal))
    return changed(request, viewer)


@require_POST
def delete(request: HttpRequest, key: str, n: int) -> HttpResponse:
    """Somebody takes away his own message."""
    viewer = race_for(request, key)
    try:
        talk.delete(viewer.race, n, Writer.of(viewer))
    except Message.DoesNotExist as missing:
        raise Http404 from missing
    except NotYours as refusal:
        raise PermissionDenied(_("Only who wrote a message may delete it.")) from refusal
    return changed(request, viewer)


@login_required
@require_POST
def seen(request: HttpRequest, key: str) -> HttpResponse:
    """A page has shown the messages to the reader. Nothing to be told."""
    viewer, form = race_for(request, key), SeenForm(request.POST)
    assert isinstance(viewer.user, User), "signed on"
    if not form.is_valid():
        return HttpResponse(_("Say how far you have read."), status=HTTPStatus.BAD_REQUEST, content_type="text/plain")
    talk.heard(viewer.race, viewer.user, form.cleaned_data["n"])
    return HttpResponse(status=HTTPStatus.NO_CONTENT)


@login_required
@require_POST
def mute(request: HttpRequest, key: str) -> HttpResponse:
    """The reader wants to hear no more of this chat, or again."""
    viewer, form = race_for(request, key), MuteForm(request.POST)
    assert isinstance(viewer.user, User), "signed on"
    talk.mute(viewer.race, viewer.user, muted=form.is_valid() and form.cleaned_data["muted"])
    return back_to(viewer)


# ---- private notes ---------------------------------------------------------------------------------------------------
@never_cache
@sensitive_post_parameters("text")
@sensitive_variables()
@require_http_methods(["GET", "HEAD", "POST"])
def notes(request: HttpRequest, key: str) -> HttpResponse:
    """What the reader notes down for himself. A POST keeps it; 409 shows both if he has changed it elsewhere."""
    viewer = race_for(request, key)
    writer = Writer.of(viewer)
    if writer is None:
        return redirect_to_login(request.path)
    context: dict[str, Any] = {"race": viewer.race, "viewer": viewer}
    if request.method != "POST":
        note = talk.note_of(viewer.race, writer)
        return render(request, "races/notes.html", context | {"text": note.text, "n": note.n})
    form, status = NoteForm(request.POST), HTTPStatus.OK
    context |= {"text": request.POST.get("text", ""), "n": before_of(request.POST.get("n")) or 0}
    if form.is_valid():
        try:
            note = talk.keep_note(viewer.race, writer, form.cleaned_data["text"], after=form.cleaned_data["n"] or 0)
        except talk.Elsewhere as late:
            status = HTTPStatus.CONFLICT
            context |= {"n": late.stored.n, "fault": str(late), "stored": late.stored.text}
        else:
            if not is_part(request):
                messages.success(request, _("Kept. Only you can read it."))
                return redirect("races:notes", key)
            context |= {"text": note.text, "n": note.n, "kept": True}
    else:
        status = HTTPStatus.UNPROCESSABLE_ENTITY
        context["fault"] = " ".join(str(text) for errors in form.errors.values() for text in errors)
    return render(
        request, "races/_notes_state.html" if is_part(request) else "races/notes.html", context, status=status
    )
