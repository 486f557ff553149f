"""Setting up a campaign: its options, its start list, its stages."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from league import campaigns, stages
from league import startlist as start_lists
from league.access import campaign_of, season_of, stage_of
from league.campaigns import CampaignPlan, Faulty, is_public
from league.courses import course_groups, course_of
from league.errors import Late, Refused
from league.forms.campaigns import (
    CampaignForm,
    RowText,
    StageForm,
    StartListForm,
    initial_of,
    row_of,
)
from league.forms.fields import show
from league.models import Campaign, Player, Rider, Role, Stage
from league.models.campaign import StageKind
from races.board.profile import profile
from rules.giro.course import start_energy


def confirmed(request: HttpRequest) -> bool:
    return request.POST.get("sure") == "on"


# ---- the campaign ----------------------------------------------------------------------------------------------------
@require_http_methods(["GET", "POST"])
def campaign_new(request: HttpRequest, club: str, season: str) -> HttpResponse:
    """A campaign of the season: name, address, options."""
    found = season_of(request, club, season, Role.ORGANISER, to_change=True)
    usual = CampaignPlan(name="")
    form = CampaignForm(request.POST or None, initial={name: getattr(usual, name) for name in CampaignForm.base_fields})
    if request.method == "POST" and form.is_valid():
        try:
            campaign = campaigns.new_campaign(found, form.plan())
        except Faulty as refusal:
            show(form, refusal.faults)
        else:
            messages.success(request, _("%(campaign)s is on. Now the start list.") % {"campaign": campaign})
            return redirect(campaign.url("startlist"))
    return render(request, "league/campaign_new.html", {"form": form}, status=422 if form.errors else 200)


@require_http_methods(["GET", "POST"])
def campaign_edit(request: HttpRequest, club: str, season: str, campaign: str) -> HttpResponse:
    """The set-up of a campaign: its options here, its start list and stages from here."""
    found = campaign_of(request, club, season, campaign, Role.ORGANISER, to_change=True)
    initial = {name: getattr(found, name) for name in CampaignForm.base_fields}
    form = CampaignForm(request.POST if request.method == "POST" else None, initial=initial)
    asks: list[Any] = []
    if request.method == "POST" and form.is_valid():
        try:
            recounts = campaigns.change_campaign(found, form.plan(), sure=confirmed(request))
        except Faulty as refusal:
            asks = show(form, refusal.faults)
        else:
            said = _("Saved. The tables are being counted again.") if recounts else _("Saved.")
            messages.success(request, said)
            return redirect(found.url("campaign_edit"))
    rows = stages_of(found)
    context = {
        "tab": "setup",
        "form": form,
        "asks": asks,
        "stages": rows,
        "riders": found.riders.count(),
        "most_riders": start_lists.MOST_RIDERS,
        "public": sum(row["public"] for row in rows),
    }
    return render(request, "league/campaign_edit.html", context, status=422 if form.errors or asks else 200)


def stages_of(campaign: Campaign) -> list[dict[str, Any]]:
    """The stages in their order, with what may be done to each."""
    found = list(campaign.stages.select_related("sheet").order_by("order"))
    public = [is_public(stage) for stage in found]
    rows = []
    for n, stage in enumerate(found):
        stage.campaign = campaign
        rows.append(
            {
                "stage": stage,
                "public": public[n],
                "up": n > 0 and not public[n] and not public[n - 1],
                "down": n + 1 < len(found) and not public[n] and not public[n + 1],
                "early": n > 0 and stage.starts_at < found[n - 1].starts_at,
                "profile": profile(stages.road_of(stage, course_of(stage)), "mini", name=stage.name),
            }
        )
    return rows


# ---- the start list --------------------------------------------------------------------------------------------------
@require_http_methods(["GET", "POST"])
def startlist(request: HttpRequest, club: str, season: str, campaign: str) -> HttpResponse:
    """All riders of the campaign on one page. Up, down, more lines and "propose" only rearrange what is typed; nothing
    is stored before "save"."""
    found = campaign_of(request, club, season, campaign, Role.ORGANISER, to_change=True)
    riders = start_lists.start_list(found)
    closed = campaigns.public_stages(found) > 0
    late, status = "", 200
    mark = start_lists.mark_of(riders)
    if request.method != "POST":
        free = max(start_lists.MOST_RIDERS - len(riders), 0)
        empty = 0 if closed else min(StartListForm.EMPTY_LINES if riders else 6, free)
        form = StartListForm(found, riders, StartListForm.with_empty_lines([row_of(r) for r in riders], empty))
    elif (rows := rearranged(request, found)) is not None:
        form = StartListForm(found, riders, rows)
        mark = request.POST.get("mark") or mark
    else:
        form = StartListForm(found, riders, StartListForm.typed(request.POST), check=True)
        status = 422
        if form.is_valid():
            try:
                now = start_lists.enter_riders(
                    found,
                    [line for _row, line in form.lines],
                    remove=form.removed,
                    sure=confirmed(request),
                    seen=request.POST.get("mark"),
                )
            except Faulty as refusal:
                form.show(refusal.faults)
            except Late as refusal:
                late = str(refusal)
            else:
                said = ngettext(
                    "Saved: %(count)s rider is on the start list.",
                    "Saved: %(count)s riders are on the start list.",
                    len(now),
                )
                messages.success(request, said % {"count": len(now)})
                return redirect(found.url("startlist"))
        if not late:
            mark = request.POST.get("mark") or mark
    unsaved = request.method == "POST" and status == 200
    context = {
        "tab": "setup",
        "form": form,
        "riders": riders,
        "closed": closed,
        "late": late,
        "unsaved": unsaved,
        "mark": mark,
        "most_riders": start_lists.MOST_RIDERS,
        "idle": [] if closed else idle_players(form),
        "short": [] if closed else short_of_riders(found, riders),
    }
    return render(request, "league/startlist.html", context, status=status)


def rearranged(request: HttpRequest, campaign: Campaign) -> list[RowText] | None:
    """The typed rows after one of the small buttons; None where the list is to be saved."""
    rows = StartListForm.typed(request.POST)
    for button, step in (("up", -1), ("down", 1)):
        if button in request.POST:
            here = whole(request.POST[button])
            if here is not None and here < len(rows) and 0 <= here + step < len(rows):
                rows[here], rows[here + step] = rows[here + step], rows[here]
            return rows
    if "more" in request.POST:
        return StartListForm.with_empty_lines(rows)
    if "propose" in request.POST:
        roster = {p.pk: p for p in Player.objects.filter(club=campaign.season.club, merged_into=None, left_at=None)}
        chosen = [roster[pk] for text in request.POST.getlist("chosen") if (pk := whole(text)) in roster]
        present = [
            (whole(row.get("bib", "")) or 0, roster[player], row.get("speciality", ""))
            for row in rows
            if (player := whole(row.get("player", ""))) in roster
        ]
        proposed = start_lists.propose(campaign, chosen, present)
        return [*StartListForm.with_empty_lines(rows, 0), *(row_of(line) for line in proposed)]
    return None


def whole(text: str) -> int | None:
    """The number in a hidden field or on a button; None for anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else None


def idle_players(form: StartListForm) -> list[Player]:
    """Players of the roster who have no rider in the form yet."""
    riding = {str(row["player"].value() or "") for row in form.rows}
    return [player for pk, player in form.players.items() if pk not in riding and player.merged_into_id is None]


def short_of_riders(campaign: Campaign, riders: list[Rider]) -> list[str]:
    """Players with fewer riders than the others: the game wants the same number for all."""
    count: dict[Player, int] = {}
    for rider in riders:
        player = rider.player.merged_into or rider.player
        count[player] = count.get(player, 0) + 1
    due = campaign.riders_per_player
    return [
        _("%(player)s has %(count)s of %(due)s riders.") % {"player": player, "count": n, "due": due}
        for player, n in count.items()
        if n < due
    ]


# ---- the stages ------------------------------------------------------------------------------------------------------
@require_http_methods(["GET", "POST"])
def stage_new(request: HttpRequest, club: str, season: str, campaign: str) -> HttpResponse:
    """A stage after the last one; its number and evening are proposed."""
    found = campaign_of(request, club, season, campaign, Role.ORGANISER, to_change=True)
    so_far = list(found.stages.order_by("order"))
    for stage in so_far:
        stage.campaign = found
    initial: dict[str, Any] = {"number": stages.next_number(so_far), "place": so_far[-1].place if so_far else ""}
    proposal = stages.next_evening([stage.starts_at for stage in so_far], found.season.club.zone)
    if proposal:
        initial |= {"day": proposal[0], "time": proposal[1]}
    form = StageForm(request.POST if request.method == "POST" else None, campaign=found, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            stage = stages.new_stage(found, form.plan())
        except Faulty as refusal:
            show(form, refusal.faults)
        else:
            return saved(request, stage)
    context = {"tab": "setup", "form": form, "courses": courses_to_choose(form)}
    return render(request, "league/stage_new.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "POST"])
def stage_edit(request: HttpRequest, club: str, season: str, campaign: str, number: str) -> HttpResponse:
    """A stage as it is set up. With a published result it keeps number, kind and course."""
    stage = stage_of(request, club, season, campaign, number, Role.ORGANISER, to_change=True)
    data = request.POST if request.method == "POST" else None
    form = StageForm(data, campaign=stage.campaign, stage=stage, initial=initial_of(stage))
    asks: list[Any] = []
    if request.method == "POST" and form.is_valid():
        try:
            changed = stages.change_stage(stage, form.plan(), sure=confirmed(request))
        except Faulty as refusal:
            asks = show(form, refusal.faults)
        else:
            return saved(request, changed)
    context = {
        "tab": "setup",
        "stage": stage,
        "form": form,
        "asks": asks,
        "fixed": form.fixed,
        "fixed_errors": [error for name in form.FIXED for error in form.errors.get(name, ())] if form.fixed else [],
        "warnings": stages.warnings_of(stage),
        "courses": courses_to_choose(form),
        "profile": profile(stages.road_of(stage, course_of(stage)), "wide", name=stage.name),
        "profile_narrow": profile(stages.road_of(stage, course_of(stage)), "narrow", name=stage.name),
    }
    return render(request, "league/stage_edit.html", context, status=422 if form.errors or asks else 200)


def saved(request: HttpRequest, stage: Stage) -> HttpResponse:
    messages.success(request, _("%(stage)s is saved.") % {"stage": stage})
    for warning in stages.warnings_of(stage):
        messages.warning(request, warning)
    return redirect(stage.campaign.url("campaign_edit"))


def courses_to_choose(form: StageForm) -> list[dict[str, Any]]:
    """What one may choose from, in its groups, each course with its picture: the site's, then the club's."""
    groups = [(group.kind, group.label, group.courses) for group in course_groups()]
    for kind in StageKind:
        own = tuple(course for course in form.own.values() if course.kind == kind)
        if own:
            groups.append((kind, _("The club's courses"), own))
    return [
        {
            "kind": kind,
            "label": label,
            "courses": [{"course": c, "energy": start_energy(c), "profile": profile(c, "mini")} for c in courses],
        }
        for kind, label, courses in groups
    ]


@require_POST
def stage_remove(request: HttpRequest, club: str, season: str, campaign: str, number: str) -> HttpResponse:
    """Take a stage out; asked again where something is typed on its sheet."""
    stage = stage_of(request, club, season, campaign, number, Role.ORGANISER, to_change=True)
    try:
        stages.remove_stage(stage, sure=confirmed(request))
    except Faulty as refusal:
        context = {"tab": "setup", "stage": stage, "asks": refusal.faults}
        return render(request, "league/stage_remove.html", context, status=422)
    messages.success(request, _("%(stage)s is out of the campaign.") % {"stage": stage})
    return redirect(stage.campaign.url("campaign_edit"))


@require_POST
def stage_move(request: HttpRequest, club: str, season: str, campaign: str, number: str) -> HttpResponse:
    """Up or down by one in the order of the stages."""
    stage = stage_of(request, club, season, campaign, number, Role.ORGANISER, to_change=True)
    direction = request.POST.get("move")
    if direction not in ("up", "down"):
        raise Refused(_("Move a stage up or down."))
    if stages.move_stage(stage, up=direction == "up"):
        messages.success(request, _("%(stage)s has another place in the order.") % {"stage": stage})
    return redirect(stage.campaign.url("campaign_edit"))
