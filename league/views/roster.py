"""The roster of a club: who rides, namesakes, duplicates."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league import roster
from league.access import club_of
from league.errors import Refused
from league.forms.clubs import MergeForm, PlayerForm
from league.models import Club, Player, Role


@require_safe
def players(request: HttpRequest, club: str) -> HttpResponse:
    """Everybody on the roster, with the team of today and the number of starts; those off it below."""
    found = club_of(request, club)
    known = roster.know(found.players.filter(merged_into=None).select_related("club"), found)
    context = {
        "known": [k for k in known if k.player.left_at is None],
        "left": [k for k in known if k.player.left_at is not None],
    }
    return render(request, "league/players.html", context)


@require_http_methods(["GET", "POST"])
def player_new(request: HttpRequest, club: str) -> HttpResponse:
    """Put somebody on the roster; a name that is there already is asked about."""
    found = club_of(request, club, Role.ORGANISER)
    form = PlayerForm(request.POST if request.method == "POST" else None, club=found)
    context: dict[str, object] = {"form": form}
    if form.is_valid():
        wanted = form.cleaned_data
        try:
            player = roster.add_player(
                found, wanted["name"], note=wanted["note"], user=wanted["user"], is_another=form.is_another
            )
        except roster.Namesakes as same:
            context |= asked_about(found, same)
        except Refused as refusal:
            form.add_error("user", str(refusal))
        else:
            messages.success(request, _("%(player)s is on the roster.") % {"player": player})
            return redirect("players", found.slug)
    return render(request, "league/player_form.html", context, status=422 if form.errors or "same" in context else 200)


@require_http_methods(["GET", "POST"])
def player_edit(request: HttpRequest, club: str, pk: int) -> HttpResponse:
    """Name, note, member; off the roster and back; who was merged into him."""
    found = club_of(request, club, Role.ORGANISER)
    player = get_object_or_404(Player.objects.select_related("club", "merged_into", "user"), club=found, pk=pk)
    if player.merged_into:
        return redirect("player_edit", found.slug, player.merged_into.pk, permanent=False)
    now = {"name": player.name, "note": player.note, "user": player.user_id, "has_left": player.left_at is not None}
    form = PlayerForm(request.POST if request.method == "POST" else None, club=found, player=player, initial=now)
    context: dict[str, object] = {"form": form, "player": player, "merged": player.merged.order_by("pk")}
    if form.is_valid():
        wanted = form.cleaned_data
        try:
            roster.change_player(
                player,
                name=wanted["name"],
                note=wanted["note"],
                user=wanted["user"],
                has_left=wanted["has_left"],
                is_another=form.is_another,
            )
        except roster.Namesakes as same:
            context |= asked_about(found, same)
        except Refused as refusal:
            form.add_error("user", str(refusal))
        else:
            messages.success(request, _("%(player)s is written down.") % {"player": player})
            return redirect("players", found.slug)
    return render(request, "league/player_form.html", context, status=422 if form.errors or "same" in context else 200)


def asked_about(club: Club, same: roster.Namesakes) -> dict[str, object]:
    """The question of the form: is it one of these?"""
    return {
        "question": str(same),
        "same": roster.know(same.players, club),
        "another": same.players[0].name_key if same.players else "",
    }


@require_http_methods(["GET", "POST"])
def player_merge(request: HttpRequest, club: str) -> HttpResponse:
    """Two players are one person: choose them (GET), look at what changes (GET with both), confirm (POST)."""
    found = club_of(request, club, Role.ORGANISER)
    asked = request.POST if request.method == "POST" else request.GET
    is_chosen = "keep" in asked and "gone" in asked
    form = MergeForm(asked if is_chosen else None, club=found, initial=asked.dict())
    context: dict[str, object] = {"form": form}
    if form.is_valid():
        keep, gone = form.cleaned_data["keep"], form.cleaned_data["gone"]
        try:
            preview = roster.merge_preview(keep, gone)
            context |= {"preview": preview, "sides": (preview.keep, preview.gone)}
            if request.method == "POST":
                roster.merge(keep, gone, is_sure="sure" in request.POST)
                messages.success(
                    request,
                    _("%(gone)s is %(keep)s now. The tables are being counted again.") % {"gone": gone, "keep": keep},
                )
                return redirect(keep)
        except Refused as refusal:
            form.add_error(None, str(refusal))
    return render(request, "league/player_merge.html", context, status=422 if form.errors else 200)


@require_POST
def player_unmerge(request: HttpRequest, club: str, pk: int) -> HttpResponse:
    """A merged player rides for himself again."""
    found = club_of(request, club, Role.ORGANISER)
    player = get_object_or_404(Player, club=found, pk=pk)
    player = roster.unmerge(player)
    messages.success(
        request, _("%(player)s stands for himself again. The tables are being counted again.") % {"player": player}
    )
    return redirect("player_edit", found.slug, player.pk)
