"""The log of a race as text, as JSON and as a check of its dice; what it counts up to; and races that go on from it."""

from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from races import fairness, play, transfer
from races.access import Viewer, race_for
from races.errors import Refused, said
from races.fairness import Verdict, Verification
from races.log_forms import FileForm, SitsForm
from races.models import Entry, Race, Seat
from races.origins import Origin, Origins
from races.panels import panel_of
from races.tallies import Table, tally_of
from races.words import Cast
from rules.game import AnyGame, Json, Taker
from rules.game import Seat as SeatName

KEPT_SECONDS = 3600


def begun(request: HttpRequest, key: str) -> Viewer:
    """Whoever looks at a race that has a log; 404 before its start."""
    viewer = race_for(request, key)
    if not viewer.race.has_started:
        raise Http404
    return viewer


def reader_of(viewer: Viewer) -> str | None:
    """Through whose eyes he reads; None: as a spectator."""
    seat = viewer.seat()
    return seat.name if seat else None


def kept(race: Race, what: str, seat: str | None, make: Any) -> Any:
    """What was worked out for this reader of the race as it stands, or works it out. As secret as the race itself."""
    key = f"race-{what}:{race.pk}:{race.key}:{race.n}:{race.status}:{get_language()}:{seat or ''}"
    found = cache.get(key)
    if found is None:
        found = make()
        cache.set(key, found, KEPT_SECONDS)
    return found


# ---- to read ---------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One entry as text."""

    n: int
    who: str
    says: tuple[str, ...]
    void: bool


@cache_control(private=True, no_cache=True)
@require_safe
def log(request: HttpRequest, key: str) -> HttpResponse:
    """The log as a page that a person can read, as far as he may know it."""
    viewer = begun(request, key)
    origin = Origins(viewer.race, viewer.user).own
    context = {"race": viewer.race, "text": _text_of(viewer, origin), "origin": origin}
    return render(request, "races/log.html", context)


@cache_control(private=True, no_cache=True)
@require_safe
def text(request: HttpRequest, key: str) -> HttpResponse:
    """The same as plain text, to keep or to print."""
    viewer = begun(request, key)
    told = _text_of(viewer, Origins(viewer.race, viewer.user).own)
    return HttpResponse(told, content_type="text/plain; charset=utf-8")


def _text_of(viewer: Viewer, origin: Origin | None) -> str:
    race, seat = viewer.race, reader_of(viewer)

    def text() -> str:
        context = {
            "race": race,
            "title": play.game_of(race).title,
            "source": transfer.source_of(race),
            "name": _one_line(race.title),
            "seats": [_seated(one) for one in race.seats.all()],
            "lines": lines_of(race, seat),
            "origin": _from(origin) if origin else "",
        }
        return render_to_string("races/log.txt", context)

    # whether the race that it goes on from may be named hangs on the reader, not on his seat
    told: str = kept(race, f"text-from-{origin.race.key}" if origin and origin.race else "text", seat, text)
    return told


def _from(origin: Origin) -> str:
    """Where a practice race comes from, in English like the rest of the text."""
    if origin.race is None:
        return f"A practice race: its entries up to {origin.to} are those of another race."
    name, address = _one_line(origin.race.title), settings.SITE_URL + origin.address
    return f"A practice race: its entries up to {origin.to} are those of {name}, {address}"


def lines_of(race: Race, seat: str | None) -> list[Line]:
    """The log for `seat`; when the race is over for everybody alike, with all that was hidden."""
    game = play.game_of(race)
    reader = None if seat is None else SeatName(seat)
    labels = {one.name: str(one) for one in race.seats.all()}
    entries = list(race.entries.defer("events"))
    alive = {entry.n for entry in play.effective(entries)}
    found = []
    for entry, _before, step in play.played(game, game.setup(race.options, race.entrants), entries):
        if step is None:
            says = [_noted(entry)]
        else:
            events = [event if race.is_over else game.seen_event(step.state, event, reader) for event in step.events]
            says = [game.tell(step.state, event) for event in events] or [_answered(entry)]
        void = entry.action is not None and entry.n not in alive
        found.append(Line(n=entry.n, who=_who(entry, labels), says=tuple(map(_one_line, says)), void=void))
    return found


def _who(entry: Entry, labels: Mapping[str, str]) -> str:
    if entry.taker == Taker.CHANCE.value:
        return "chance"
    return _one_line(labels.get(entry.seat, entry.seat)) if entry.seat else "organiser"


def _seated(seat: Seat) -> str:
    """Who sits in a seat, and what his riders are called."""
    bot = f" (bot, {seat.bot})" if seat.bot else ""
    riders = [
        f"{rider} is {_one_line(str(shown.get('bib', '')) + ' ' + str(shown.get('name', '')))}"
        for rider, shown in seat.riders.items()
    ]
    return f"{seat.name}: {_one_line(str(seat))}{bot}{'; ' if riders else ''}{', '.join(riders)}"


def _answered(entry: Entry) -> str:
    """An answer that led to nothing that can be seen."""
    kind = str((entry.action or {}).get("kind", ""))
    return f"{kind.replace('_', ' ')}."


def _noted(entry: Entry) -> str:
    """A rewind or a note, in English like the rest of the text."""
    reason = f" {entry.reason}" if entry.reason else ""
    if entry.rewind_to is not None:
        return f"The race goes back to where it was after entry {entry.rewind_to}.{reason}"
    note = entry.note or {}
    match note.get("kind"):
        case "substitution":
            return f"Seat {note.get('seat')} is now ridden by {note.get('label')}{' (bot)' if note.get('bot') else ''}."
        case "abandoned":
            return f"The race is abandoned.{reason}"
        case transfer.ORIGIN:
            return f"The entries up to {note.get('to')} were taken over from another race; this one goes on from here."
    return f"A note: {note.get('kind', '')}.{reason}"


def _one_line(text: str) -> str:
    return " ".join(text.split())


@cache_control(private=True, no_cache=True)
@require_safe
def export(request: HttpRequest, key: str) -> HttpResponse:
    """The log as JSON, as the check of the dice reads it; while the race runs, without its seed and as he may know it."""
    viewer = begun(request, key)
    race, seat = viewer.race, reader_of(viewer)
    told = kept(race, "export", seat, lambda: transfer.log_of(race, seat))
    response = JsonResponse(told, json_dumps_params={"indent": 1, "ensure_ascii": False})
    response["Content-Disposition"] = f'attachment; filename="race-{race.key}.json"'
    return response


# ---- to check --------------------------------------------------------------------------------------------------------
@cache_control(private=True, no_cache=True)
@require_safe
def verify(request: HttpRequest, key: str) -> HttpResponse:
    """What the race promised of its dice; when it is over its seed, every roll, and what the check says."""
    viewer = race_for(request, key)
    race = viewer.race
    context: dict[str, Any] = {"race": race, "viewer": viewer, "source": transfer.source_of(race)}
    if race.has_started:
        context["origins"] = transfer.origins_of(race)
        if race.is_over:
            context["check"] = kept(race, "check", None, lambda: told_of(fairness.verify(transfer.whole_log(race))))
    return render(request, "races/verify.html", context)


@sensitive_variables()
def told_of(found: Verification) -> Json:
    """A check as the page prints it."""
    return {
        "verdict": found.verdict.value,
        "words": VERDICTS[found.verdict](),
        "abandoned": found.abandoned,
        "findings": [(finding.n, said(finding.saying)) for finding in found.findings],
        "rolls": [
            {
                "n": roll.n,
                "race": roll.race,
                "what": f"{roll.decision.kind.replace('_', ' ')}{_of(roll.decision.about)}{_why(roll.decision.why)}",
                "purpose": roll.purpose,
                "total": roll.total,
                "ticket": roll.ticket,
                "hat": [(plain(outcome.action), outcome.weight) for outcome in roll.hat],
                "found": plain(roll.found),
                "ok": roll.ok,
                "burnt": roll.burnt,
            }
            for roll in found.rolls
        ],
    }


def _of(about: str | None) -> str:
    return f" · {about}" if about else ""


def _why(why: str | None) -> str:
    return f" · {why}" if why else ""


VERDICTS = {
    Verdict.FAIR: lambda: _("Fair: the seed is the one that was promised, and every roll is the one that it gives."),
    Verdict.OPEN: lambda: _("Nothing is amiss, but there are rolls whose seed is not shown."),
    Verdict.TABLE: lambda: _("Nothing is amiss. People rolled at a table, and no seed can speak for their dice."),
    Verdict.FAULTY: lambda: _("Something is amiss."),
}


def plain(action: Mapping[str, Any]) -> str:
    """What fell, in the words of the log: "4, red"."""
    kind = action.get("kind")
    parts = [
        name if value is True else str(value) if name in ("value", kind) else f"{name} {value}"
        for name, value in action.items()
        if name not in ("kind", "rider") and value is not False
    ]
    return ", ".join(parts) or str(kind or "")


@require_safe
def dice(request: HttpRequest) -> HttpResponse:
    """How the dice are made, and how to check one by hand."""
    return render(request, "races/dice.html")


# ---- in numbers ------------------------------------------------------------------------------------------------------
@cache_control(private=True, no_cache=True)
@require_safe
def numbers(request: HttpRequest, key: str) -> HttpResponse:
    """What everybody did so far: energy, squares, turns ahead, risks, mishaps. All of it is known to everybody."""
    viewer = begun(request, key)
    race = viewer.race
    tally = tally_of(race.game)
    if tally is None:
        raise Http404
    game = play.game_of(race)
    table: Table = kept(race, "numbers", None, lambda: tally(_steps(race, game)))
    state, _opened = play.rebuilt(race)
    cast: Cast = panel_of(race.game).cast(game.view(state, None), list(race.seats.all()))
    rows = [(cast.rider(row.rider), row.cells) for row in table.rows]
    return render(request, "races/numbers.html", {"race": race, "viewer": viewer, "table": table, "rows": rows})


def _steps(race: Race, game: AnyGame) -> list[tuple[Any, tuple[Any, ...]]]:
    """What counts: every action that was not taken back, with what it led to."""
    entries = list(race.entries.defer("events"))
    alive = {entry.n for entry in play.effective(entries)}
    steps = play.played(game, game.setup(race.options, race.entrants), entries)
    return [(step.state, step.events) for entry, _before, step in steps if step is not None and entry.n in alive]


# ---- practice --------------------------------------------------------------------------------------------------------
def owner_of(request: HttpRequest) -> User:
    """The signed-on user of a page that is for nobody else."""
    assert isinstance(request.user, User)
    return request.user


@login_required
@require_POST
def fork(request: HttpRequest, key: str, n: int) -> HttpResponse:
    """A practice race against bots that goes on after entry `n` of a race that is over."""
    viewer = begun(request, key)
    form = SitsForm(request.POST)
    try:
        if not form.is_valid():
            raise Refused(_("Choose a seat and a level that there are."))
        sits = form.sits
        if not sits.seat and viewer.seats:
            sits = transfer.Sits(seat=viewer.seats[0].name, level=sits.level)
        race = transfer.fork(viewer.race, n, owner=owner_of(request), sits=sits)
    except Refused as refusal:
        messages.error(request, str(refusal))
        return redirect("races:entry", key, n) if n <= viewer.race.n else redirect(viewer.race)
    messages.success(request, _("Your practice race. Nobody else sees it, and it counts for nothing."))
    return redirect(race)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def take_in(request: HttpRequest) -> HttpResponse:
    """A practice race from the file of a log; 422 with all that is wrong with it."""
    bad = request.method == "POST"
    form = FileForm(request.POST, request.FILES) if bad else FileForm()
    faults: tuple[tuple[int | None, str], ...] = ()
    if bad and form.is_valid():
        try:
            race = transfer.take_in(form.cleaned_data["file"], owner=owner_of(request), sits=form.sits)
        except transfer.NotTaken as refusal:
            faults = refusal.faults
        except Refused as refusal:
            faults = ((None, str(refusal)),)
        else:
            messages.success(request, _("The race is here. Nobody else sees it, and it counts for nothing."))
            return redirect(race)
    context = {"form": form, "faults": faults[:MOST_FAULTS], "more": max(0, len(faults) - MOST_FAULTS)}
    return render(request, "races/import.html", context, status=HTTPStatus.UNPROCESSABLE_ENTITY if bad else 200)


MOST_FAULTS = 30
