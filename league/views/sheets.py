"""Entering the result sheet of a stage, publishing it, and reading what once stood on it."""

from dataclasses import dataclass
from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from league import racing, results
from league.access import stage_of
from league.classification.status import Kind
from league.errors import Late, Refused
from league.forms.sheets import order_cells, typed_cells
from league.loading import TeamsOfTheDay
from league.models import Rider, SheetVersion, Stage, Team
from league.models.club import Role
from league.models.results import SheetState
from league.sheets import giro as sheets
from league.sheets.words import run_name, status_word
from league.views.sheet_panel import Panel

WAYS = ("up", "down", "next")


@never_cache  # the Back button brings the sheet as it is now
@require_http_methods(["GET", "HEAD", "POST"])
def sheet(request: HttpRequest, club: str, season: str, campaign: str, number: str) -> HttpResponse:
    """The result sheet of a stage. A POST stores what was typed and does what its button says; for htmx and the autosave
    the panel alone, with 409 where somebody else has typed into the same cell."""
    stage = stage_of(request, club, season, campaign, number, Role.COMMISSAIRE, to_change=True)
    user = cast(User, request.user)
    entry = results.entry_of(stage)
    correcting = entry.sheet.is_official and "correct" in request.GET
    if request.method != "POST":
        return show(request, Panel(entry, user, correcting=correcting))
    try:
        typed = store(request, entry, user, correcting=correcting)
        act(request, stage, user, entry, correcting=correcting)
    except Late as late:
        return show(
            request, Panel(entry.reread(), user, refusal=str(late), unstored=unstored(request, entry)), status=409
        )
    except Refused as refusal:
        return show(request, Panel(entry.reread(), user, correcting=correcting, refusal=str(refusal)), status=422)
    if correcting and "review" in request.POST:
        return leave(request, stage.campaign.url("correct", stage.number))
    if request.htmx:  # type: ignore[attr-defined]
        panel = Panel(entry.reread(), user, correcting=correcting)
        return show(request, panel, status=409 if typed.clashes else 200)
    back = stage.campaign.url("sheet", stage.number) + ("?correct=1" if correcting else "")
    return redirect(back + anchor(request))


@require_POST
def sheet_publish(request: HttpRequest, club: str, season: str, campaign: str, number: str) -> HttpResponse:
    """Make the draft public: provisional, or official. What is refused comes back as the sheet, with all typing kept."""
    stage = stage_of(request, club, season, campaign, number, Role.COMMISSAIRE, to_change=True)
    user = cast(User, request.user)
    entry = results.entry_of(stage)
    official = "official" in request.POST
    try:
        store(request, entry, user, correcting=False)
        results.publish(stage, user, official=official)
    except Late as late:
        return show(
            request, Panel(entry.reread(), user, refusal=str(late), unstored=unstored(request, entry)), status=409
        )
    except Refused as refusal:
        return show(request, Panel(entry.reread(), user, refusal=str(refusal)), status=422)
    messages.success(request, told(stage, entry.reread(), official=official))
    return leave(request, stage.get_absolute_url())


def store(request: HttpRequest, entry: results.Entry, user: User, *, correcting: bool) -> results.Typed:
    """Keep what the request has typed."""
    typed = typed_cells(request.POST, entry.context, frozenset(entry.cells))
    return results.type_cells(entry.stage, user, typed.now, typed.was, unless_official=not correcting)


def act(request: HttpRequest, stage: Stage, user: User, entry: results.Entry, *, correcting: bool) -> None:
    """Do what the pressed button says."""
    post = request.POST
    keys = order_cells(entry.context)
    for way in WAYS:
        if way in post:
            results.move(stage, user, keys, post[way], way, unless_official=not correcting)
    if "same" in post:
        same_as_above(stage, user, entry, post["same"], correcting=correcting)
    if "settle" in post and (correcting or not entry.sheet.is_official):
        side, _sep, key = post["settle"].partition(":")
        results.settle(stage, user, key, take_other=side == "other", of_race=racing.said_by_race(stage).get(key))
    if "reset" in post:
        results.reset_draft(stage, user)
        if not request.htmx:  # type: ignore[attr-defined]  # the panel itself says so
            messages.success(request, _("Your changes are thrown away: the sheet says again what is published."))


def same_as_above(stage: Stage, user: User, entry: results.Entry, key: str, *, correcting: bool) -> None:
    """Copy the turn of the rider above in the order of arrival."""
    panel = Panel(entry.reread(), user)
    turns = [line.cells["turn"] for run in panel.runs for line in run.lines]
    at = next((n for n, cell in enumerate(turns) if cell.key == key), 0)
    if at and turns[at - 1].value:
        now, was = {key: turns[at - 1].value}, {key: turns[at].value}
        results.type_cells(stage, user, now, was, unless_official=not correcting)


def unstored(request: HttpRequest, entry: results.Entry) -> list[tuple[str, str]]:
    """What a late request has typed, to be shown again."""
    typed = typed_cells(request.POST, entry.context, frozenset(entry.cells))
    return [
        (key, value)
        for key, value in typed.now.items()
        if value and not results.same(value, typed.was.get(key, "")) and not key.startswith("sure-")
    ]


def anchor(request: HttpRequest) -> str:
    """Where the page goes on after a button: the row that it was in."""
    for name in (*WAYS, "same"):
        if name in request.POST:
            return f"#c-{request.POST[name]}" if request.POST[name].replace("-", "").isalnum() else ""
    return "#bar" if "save" in request.POST else ""


def told(stage: Stage, entry: results.Entry, *, official: bool) -> str:
    """What publishing did, in two sentences."""
    wearer = entry.if_it_stands().wearer
    rider = entry.loaded.riders[wearer].name if wearer else ""
    facts = {"stage": stage, "rider": rider}
    if official:
        first = _("%(stage)s is official and signed.") % facts
    else:
        first = _("%(stage)s is provisional: public, and still yours to correct.") % facts
    pink = _("%(rider)s wears pink on it.") % facts if rider else _("Nobody wears pink on it yet.")
    return f"{first} {pink} " + _("The tables are being counted again.")


def show(request: HttpRequest, panel: Panel, status: int = 200) -> HttpResponse:
    """The page, or for htmx its panel."""
    stage = panel.entry.stage
    template = "league/_sheet.html" if request.htmx else "league/sheet.html"  # type: ignore[attr-defined]
    context: dict[str, Any] = {
        "panel": panel,
        "entry": panel.entry,
        "sheet": panel.entry.sheet,
        "stage": stage,
        "tab": "stage",
    }
    if not panel.is_open and panel.versions:
        context["table"] = Table(panel.versions[0], stage)
    response = render(request, template, context, status=status)
    patch_vary_headers(response, ["HX-Request"])
    return response


def leave(request: HttpRequest, address: str) -> HttpResponse:
    """On to another page, from a form as well as from htmx."""
    return HttpResponseClientRedirect(address) if request.htmx else redirect(address)  # type: ignore[attr-defined]


@require_safe
def version(request: HttpRequest, club: str, season: str, campaign: str, number: str, version: int) -> HttpResponse:
    """What stood on the sheet when it was published for the nth time; a permanent address."""
    stage = stage_of(request, club, season, campaign, number)
    shown = get_object_or_404(
        SheetVersion.objects.select_related("by", "ruling", "sheet"), sheet__stage=stage, number=version
    )
    older = SheetVersion.objects.filter(sheet=shown.sheet_id, number__lt=shown.number).order_by("-number").first()
    table = Table(shown, stage)
    context = {
        "stage": stage,
        "version": shown,
        "older": older,
        "newest": shown.sheet.version,
        "table": table,
        "changes": table.changes(older) if older else (),
        "state": SheetState(shown.state),
        "tab": "stage",
    }
    return render(request, "league/version.html", context)


@dataclass(frozen=True)
class TableLine:
    """A rider's line on a published sheet."""

    entry: sheets.LineEntry
    rider: Rider
    team: Team | None
    status: str
    order: int | None
    run: str  # team time trial: what he rode with
    bot: str = ""  # the level of the bot that rode for him

    @property
    def is_told(self) -> bool:
        return self.entry.is_told


class Table:
    """A published version as a table to read."""

    def __init__(self, version: SheetVersion, stage: Stage) -> None:
        self.stage = stage
        self.kind = Kind(stage.kind)
        self.content = sheets.SheetContent.from_json(version.content)
        riders = {
            rider.pk: rider for rider in Rider.objects.filter(campaign=stage.campaign).select_related("team", "player")
        }
        teams = TeamsOfTheDay(stage.campaign)
        fixed = dict(version.sheet.results.values_list("rider", "team"))
        team_of = {pk: teams.called(fixed[pk]) if pk in fixed else teams.team(r, stage.day) for pk, r in riders.items()}
        self.context = sheets.Context(
            kind=self.kind,
            course=results.facts_of(stage),
            time_limit=stage.campaign.time_limit,
            starters=tuple(
                sheets.Starter(
                    rider=pk, bib=rider.bib, name=rider.name, carry=0, draft=rider.draft_order,
                    team=team.pk if (team := team_of[pk]) else None, team_name=team.name if team else "",
                )
                for pk, rider in riders.items()
            ),
        )  # fmt: skip
        bots = racing.ridden_by_bots(stage.campaign).get(stage.pk, {})
        self.lines = sorted(
            (
                TableLine(
                    entry=line,
                    rider=riders[line.rider],
                    team=team_of[line.rider],
                    status=status_word(line.status),
                    order=line.place if self.kind is Kind.ROAD else line.clock,
                    run=run_name(self.context, line.run) if line.run else "",
                    bot=bots.get(line.rider, ""),
                )
                for line in self.content.lines
            ),
            key=lambda line: (line.order is None, line.order or 0, line.entry.turn or 10**6, line.rider.bib),
        )

    @property
    def is_road(self) -> bool:
        return self.kind is Kind.ROAD

    @property
    def peloton(self) -> str:
        if self.content.peloton_never:
            return _("never arrived")
        return str(self.content.peloton_turn) if self.content.peloton_turn is not None else _("not told")

    @property
    def bonuses(self) -> list[tuple[str, str]]:
        """(where, who) of each bonus token."""
        rows = []
        won = dict(self.content.bonuses)
        for token, column in enumerate(self.context.course.bonus, 1):
            rider = won.get(token)
            if token not in won:
                who = _("not told")
            elif rider is None:
                who = _("nobody")
            else:
                starter = self.context.starter(rider)
                who = sheets.who(starter) if starter else "?"
            rows.append((_("Bonus at %(column)s") % {"column": column}, who))
        return rows

    def changes(self, older: SheetVersion) -> tuple[sheets.Change, ...]:
        """What differs from an older version."""
        return sheets.diff(sheets.SheetContent.from_json(older.content), self.content, self.context)
