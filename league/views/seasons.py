"""Setting up a season: dates, points, teams, transfers, the archive."""

from django.contrib import messages
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league import clubs, roster
from league.access import club_of, season_of
from league.errors import Refused
from league.forms.clubs import SeasonForm, TeamForm, TransferForm
from league.models import Player, Role, Season, Team, TeamSpell


@require_safe
def seasons(request: HttpRequest, club: str) -> HttpResponse:
    """The seasons of a club, and the archive."""
    found = club_of(request, club)
    every = list(found.seasons.select_related("club").annotate(races=Count("campaigns", distinct=True)))
    context = {
        "open": [s for s in every if not s.is_archived],
        "archived": [s for s in every if s.is_archived],
        "today": roster.today_in(found),
    }
    return render(request, "league/seasons.html", context)


@require_http_methods(["GET", "POST"])
def season_new(request: HttpRequest, club: str) -> HttpResponse:
    """A season with its dates and the points of a place."""
    found = club_of(request, club, Role.ORGANISER)
    form = SeasonForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        season = clubs.new_season(found, **form.cleaned_data)
        messages.success(request, _("%(season)s is open. Next: its teams.") % {"season": season})
        return redirect("season_edit", found.slug, season.slug)
    return render(request, "league/season_form.html", {"form": form}, status=422 if form.errors else 200)


@require_http_methods(["GET", "POST"])
def season_edit(request: HttpRequest, club: str, season: str) -> HttpResponse:
    """Name, dates, points; its teams; the way into the archive."""
    found = season_of(request, club, season, Role.ORGANISER, to_change=True)
    form = SeasonForm.of(found, request.POST if request.method == "POST" else None)
    if form.is_valid():
        clubs.change_season(found, **form.cleaned_data)
        messages.success(request, _("%(season)s is written down.") % {"season": found})
        return redirect("season_edit", found.club.slug, found.slug)
    context = {"form": form, "edited": found, "teams": found.teams.all()}
    return render(request, "league/season_form.html", context, status=422 if form.errors else 200)


@require_POST
def season_archive(request: HttpRequest, club: str, season: str) -> HttpResponse:
    """Close the season, or open it again (`open`)."""
    found = season_of(request, club, season, Role.ORGANISER)
    clubs.archive(found, archived="open" not in request.POST)
    if found.is_archived:
        messages.success(request, _("%(season)s is archived: everybody reads, nobody writes.") % {"season": found})
    else:
        messages.success(request, _("%(season)s is open again.") % {"season": found})
    return redirect("seasons", found.club.slug)


@require_http_methods(["GET", "POST"])
def team_new(request: HttpRequest, club: str, season: str) -> HttpResponse:
    """A team and its jersey."""
    found = season_of(request, club, season, Role.ORGANISER, to_change=True)
    form = TeamForm(request.POST if request.method == "POST" else None, season=found)
    if form.is_valid():
        colour, pattern = form.colour_and_pattern()
        try:
            team = clubs.new_team(found, name=form.cleaned_data["name"], colour=colour, pattern=pattern)
        except clubs.TeamTaken as taken:
            form.add_error(taken.field, str(taken))
        else:
            messages.success(request, _("%(team)s rides this season.") % {"team": team})
            return redirect("season_edit", found.club.slug, found.slug)
    return render(request, "league/team_form.html", {"form": form}, status=422 if form.errors else 200)


@require_http_methods(["GET", "POST"])
def team_edit(request: HttpRequest, club: str, season: str, pk: int) -> HttpResponse:
    """Another name or jersey, or out of the season."""
    found = season_of(request, club, season, Role.ORGANISER, to_change=True)
    team = get_object_or_404(Team.objects.select_related("season__club"), season=found, pk=pk)
    now = {"name": team.name, "jersey": f"{team.colour}-{team.pattern}", "has_left": team.left_at is not None}
    form = TeamForm(request.POST if request.method == "POST" else None, season=found, team=team, initial=now)
    called = team.name
    if form.is_valid():
        colour, pattern = form.colour_and_pattern()
        wanted = form.cleaned_data
        try:
            clubs.change_team(team, name=wanted["name"], colour=colour, pattern=pattern, has_left=wanted["has_left"])
        except clubs.TeamTaken as taken:
            form.add_error(taken.field, str(taken))
        else:
            messages.success(request, _("%(team)s is written down.") % {"team": team})
            return redirect("season_edit", found.club.slug, found.slug)
    context = {"form": form, "edited": team, "called": called}
    return render(request, "league/team_form.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "POST"])
def transfer(request: HttpRequest, club: str, season: str) -> HttpResponse:
    """A player to another team from a day on. Shows everybody's spells."""
    found = season_of(request, club, season, Role.ORGANISER, to_change=True)
    form = TransferForm(
        request.POST if request.method == "POST" else None, season=found, initial={"player": request.GET.get("player")}
    )
    if form.is_valid():
        wanted = form.cleaned_data
        try:
            made = roster.transfer(found, wanted["player"], wanted["team"], wanted["first_day"])
        except Refused as refusal:
            form.add_error(None, str(refusal))
        else:
            for sentence in told(made):
                messages.success(request, sentence)
            return redirect("transfer", found.club.slug, found.slug)
    context = {"form": form, "riders": spells_by_player(found), "teams": found.teams.filter(left_at=None)}
    return render(request, "league/transfer.html", context, status=422 if form.errors else 200)


def told(made: roster.Transfer) -> list[str]:
    """What a transfer did, and what it left as it was."""
    words = {
        "player": made.player,
        "old": made.old,
        "team": made.team,
        "day": date_format(made.first_day, "j F Y"),
    }
    if made.replaced and made.team:
        first = _("%(player)s rides for %(team)s from %(day)s. That replaces %(old)s, which began on the same day.")
    elif made.replaced:
        first = _("%(player)s has no team from %(day)s. That replaces %(old)s, which began on the same day.")
    elif made.team and made.old:
        first = _("%(player)s rides for %(team)s from %(day)s, and for %(old)s until the day before.")
    elif made.team:
        first = _("%(player)s rides for %(team)s from %(day)s.")
    else:
        first = _("%(player)s leaves %(old)s and has no team from %(day)s.")
    sentences = [first % words]
    if made.published:
        stages = ", ".join(str(stage) for stage in made.published)
        sentences.append(_("What is published stays as it was ridden: %(stages)s.") % {"stages": stages})
    if made.fixed:
        lists = ", ".join(f"{rider.campaign}: {rider.team}" for rider in made.fixed)
        sentences.append(
            _("A start list names a team for him, and that goes before the transfer (%(lists)s). Change it there.")
            % {"lists": lists}
        )
    return sentences


def spells_by_player(season: Season) -> list[tuple[str, list[TeamSpell]]]:
    """Everybody who may be transferred or has been, told apart, with his spells from first to last."""
    riders: dict[int, tuple[Player, list[TeamSpell]]] = {p.pk: (p, []) for p in roster.on_roster(season.club)}
    spells = TeamSpell.objects.filter(team__season=season).select_related("team", "player__merged_into")
    for spell in spells.order_by("first_day", "pk"):
        player = roster.kept(spell.player)
        riders.setdefault(player.pk, (player, []))[1].append(spell)
    names = roster.told_apart([player for player, _spells in riders.values()], season.club)
    return [(names[player.pk], spells) for player, spells in riders.values()]
