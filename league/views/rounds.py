"""Entering the sheet of a round on a phone: typed or tapped, published, signed, corrected."""

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from league import rounds, series_racing
from league.access import round_of
from league.errors import Late, Refused
from league.models import Role, Round, SeriesEntrant
from league.round_sheets import LOG, MAIN, MORE, Field, FieldKind
from league.rounds import Entry
from league.sheets.findings import WHOLE_SHEET, Finding
from league.views.signed_on import me


@dataclass(frozen=True, slots=True)
class Choice:
    """Something to choose in a cell."""

    value: str
    label: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class Tap:
    """A name that can be tapped into an order."""

    name: str
    place: int | None  # at which it stands there already


@dataclass(frozen=True, slots=True)
class ShownField:
    """A cell with what stands in it, what is wrong with it, and what somebody else wrote there meanwhile."""

    field: Field
    value: str  # in the field
    was: str  # what is stored
    findings: list[Finding]
    theirs: str | None  # a clash: what stands there by now
    taps: list[tuple[str, list[Tap]]]
    choices: list[Choice]

    @property
    def is_order(self) -> bool:
        return self.field.kind is FieldKind.ORDER

    @property
    def is_choice(self) -> bool:
        return self.field.kind is FieldKind.CHOICE

    @property
    def is_open(self) -> bool:
        return bool(self.value or self.was or self.findings or self.theirs is not None)


class Panel:
    """The sheet as a page. `typed`: what a refused or late request brought, and is not stored."""

    def __init__(
        self, entry: Entry, typed: dict[str, str] | None = None, clashes: set[str] | None = None, refusal: str = ""
    ) -> None:
        self.entry, self.refusal = entry, refusal
        self.typed, self.clashes = typed or {}, clashes or set()
        fields = [self._shown(field) for field in entry.fields]
        self.fields = [shown for shown in fields if shown.field.group == MAIN]
        self.extras = [shown for shown in fields if shown.field.group == MORE]
        self.log = [shown for shown in fields if shown.field.group == LOG]
        self.who = [(entrant, self._shown(field)) for entrant, field in who_fields(entry)]
        self.asked = [(f, entry.cells.get(f.sure) == rounds.ON) for f in entry.reading.findings if f.sure]

    def _shown(self, field: Field) -> ShownField:
        stored = self.entry.cells.get(field.key, "")
        value = self.typed.get(field.key, stored)
        names = value.replace(",", " ").upper().split()
        places = {name: place for place, name in reversed(list(enumerate(names, 1)))}
        return ShownField(
            field=field,
            value=value,
            was=stored,
            findings=[f for f in self.entry.reading.findings if f.cell == field.key],
            theirs=stored if field.key in self.clashes else None,
            taps=[(group, [Tap(name, places.get(name)) for name in names]) for group, names in field.taps],
            choices=[Choice(key, label, key == value) for key, label in field.choices],
        )

    @property
    def round(self) -> Round:
        return self.entry.round

    @property
    def whole(self) -> list[Finding]:
        """What is said about the sheet as a whole, or at a cell that is not there."""
        cells = {field.key for field in self.entry.fields} | {field.key for _e, field in who_fields(self.entry)}
        return [f for f in self.entry.reading.findings if f.cell == WHOLE_SHEET or f.cell not in cells]

    @property
    def is_ready(self) -> bool:
        return not self.entry.blocks_official

    @property
    def rows(self) -> list[tuple[SeriesEntrant, Any]]:
        """What would come of it, best first."""
        by_pk = {entrant.pk: entrant for entrant in self.entry.entrants}
        rows = sorted(self.entry.reading.rows or (), key=lambda row: (row.rank is None, row.rank or 0, row.entrant))
        return [(by_pk[row.entrant], row) for row in rows]

    @property
    def who_is_open(self) -> bool:
        return any(shown.is_open for _entrant, shown in self.who)

    @property
    def extras_are_open(self) -> bool:
        return any(shown.is_open for shown in self.extras)

    @property
    def log_is_open(self) -> bool:
        return any(shown.is_open for shown in self.log)

    @property
    def differs(self) -> bool:
        """The draft is not what is published."""
        newest = rounds.newest_version(self.round)
        return newest is not None and newest.content != self.entry.content


def who_fields(entry: Entry) -> list[tuple[SeriesEntrant, Field]]:
    """Of every entrant the cell that says who rode."""
    players = [(f"{rounds.SUBSTITUTE}{p.pk}", _("%(player)s rode") % {"player": p}) for p in entry.players]
    found = []
    for entrant in entry.entrants:
        choices = [(rounds.RIDES, _("rode")), (rounds.NO_SHOW, _("did not come")), (rounds.OFF, _("not in this round"))]
        if not entrant.is_bot:
            own = f"{rounds.SUBSTITUTE}{entrant.player_id}"
            choices += [(rounds.BOT, _("a bot rode instead")), *(p for p in players if p[0] != own)]
        label = f"{entrant.code} · {entrant.name}"
        found.append((entrant, Field(key=f"who-{entrant.pk}", label=label, kind=FieldKind.CHOICE, choices=choices)))
    return found


def typed_in(request: HttpRequest, entry: Entry) -> tuple[dict[str, str], dict[str, str]]:
    """What the request has typed, and what stood there when its page was made. Only what is a cell, and can be chosen."""
    allowed = {field.key: {key for key, _label in field.choices} for _entrant, field in who_fields(entry)}
    now, was = {}, {}
    for key in rounds.keys_of(entry):
        if key.startswith("sure-"):
            if f"was-{key}" in request.POST:
                now[key], was[key] = request.POST.get(key, ""), request.POST[f"was-{key}"]
            continue
        if key not in request.POST:
            continue
        value = request.POST[key]
        if key in allowed and value not in allowed[key]:
            continue
        now[key], was[key] = value, request.POST.get(f"was-{key}", "")
    return now, was


@never_cache  # the Back button brings the sheet as it is now
@require_http_methods(["GET", "HEAD", "POST"])
def round_sheet(request: HttpRequest, club: str, season: str, series: str, number: str) -> HttpResponse:
    """The sheet of a round. A POST stores what was typed and does what its button says; 422 with the reasons and all
    typing where it is refused, 409 with both where somebody else has typed into the same cell."""
    found = round_of(request, club, season, series, number, Role.COMMISSAIRE, to_change=True)
    entry = rounds.entry_of(found)
    if request.method != "POST":
        return shown(request, Panel(entry))
    user = me(request)
    now, was = typed_in(request, entry)
    correcting = "correct" in request.POST or found.is_official
    try:
        typed = rounds.type_cells(found, user, now, was, correcting=correcting)
    except Late as late:
        return shown(request, Panel(rounds.entry_of(found), now, set(now), refusal=str(late)), status=409)
    if typed.clashes:
        who = found.typed_by.get_full_name() if found.typed_by else ""
        says = _("%(who)s has typed into the same cell meanwhile. Both are shown: keep yours, or write what is right.")
        panel = Panel(
            rounds.entry_of(found), dict(typed.clashes), set(typed.clashes), says % {"who": who or _("Somebody")}
        )
        return shown(request, panel, status=409)
    return act(request, found, user)


def act(request: HttpRequest, found: Round, user: User) -> HttpResponse:
    """Do what the pressed button says."""
    post = request.POST
    back = found.series.url("round_sheet", found.number)
    if "tap" in post:
        key, _sep, what = post["tap"].partition(":")
        rounds.tap(found, user, key, what, correcting=found.is_official)
        return redirect(f"{back}#c-{key}" if key.replace("-", "").isalnum() else back)
    if "reset" in post:
        rounds.reset_draft(found, user)
        messages.success(request, _("The sheet says again what is published."))
        return redirect(back)
    if not {"publish", "official", "correct"} & post.keys():
        return redirect(f"{back}#bar")
    try:
        version = rounds.publish(found, user, official="official" in post, reason=post.get("reason", ""))
    except Refused as refusal:
        return shown(request, Panel(rounds.entry_of(found), refusal=str(refusal)), status=422, reason=post.get("reason", ""))  # fmt: skip
    if "correct" in post:
        said = _("%(round)s is corrected: version %(number)s.")
    elif version.state == "official":
        said = _("%(round)s is official and signed.")
    else:
        said = _("%(round)s is provisional: public, and still yours to change.")
    messages.success(request, said % {"round": found, "number": version.number})
    return redirect(found)


def shown(request: HttpRequest, panel: Panel, status: int = 200, reason: str = "") -> HttpResponse:
    race = series_racing.races_of(panel.round).counts
    context = {
        "series": panel.round.series,
        "round": panel.round,
        "panel": panel,
        "race": race,
        "reason": reason,
        "page": "round",
    }
    return render(request, "league/round_sheet.html", context, status=status)
