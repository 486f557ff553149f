"""Who may do what. Fetching is the permission check: what you may not have is not found.

Somebody who is not signed on and asks for a page of members is sent to sign on; a signed-on stranger to the club gets
404; a member without the role gets 403. A closed club answers 404 to everybody but its members.
"""

from typing import Any

from django.contrib.auth.models import AnonymousUser, User
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _

from league.errors import Refused
from league.models import Campaign, Club, Membership, Role, Round, Season, Series, Stage

RANK = {None: 0, Role.MEMBER: 1, Role.COMMISSAIRE: 2, Role.ORGANISER: 3}


class SignOnFirst(Exception):
    """Turned into a redirect to the sign-on page by the middleware."""


def role_in(user: User | AnonymousUser, club: Club) -> Role | None:
    if not user.is_authenticated:
        return None
    role = Membership.objects.filter(club=club, user=user).values_list("role", flat=True).first()
    return Role(role) if role else None


def has(role: Role | None, at_least: Role | None) -> bool:
    """Whether somebody in `role` may do what needs `at_least`."""
    return RANK[role] >= RANK[at_least]


def enter(request: HttpRequest, club: Club, at_least: Role | None = None) -> Club:
    """Let the visitor into the club's page, or not; then the club's clock and masthead hold for the request."""
    role = role_in(request.user, club)
    if role is None and not club.is_public:
        raise Http404
    if not has(role, at_least):
        if not request.user.is_authenticated:
            raise SignOnFirst
        if role is None:
            raise Http404
        raise PermissionDenied(
            _("This page is for the role %(role)s. Ask an organiser of the club.")
            % {"role": at_least and at_least.label}
        )
    request.club = club  # type: ignore[attr-defined]
    request.role = role  # type: ignore[attr-defined]
    timezone.activate(club.zone)
    return club


def club_of(request: HttpRequest, club: str, at_least: Role | None = None) -> Club:
    """The club at this address, for a visitor with at least this role."""
    return enter(request, get_object_or_404(Club, slug=club), at_least)


def season_of(
    request: HttpRequest, club: str, season: str, at_least: Role | None = None, *, to_change: bool = False
) -> Season:
    """The season at this address. `to_change`: refused where it is archived."""
    found = get_object_or_404(Season.objects.select_related("club"), club__slug=club, slug=season)
    enter(request, found.club, at_least)
    request.season = found  # type: ignore[attr-defined]
    return open_for_change(found) if to_change else found


def campaign_of(
    request: HttpRequest,
    club: str,
    season: str,
    campaign: str,
    at_least: Role | None = None,
    *,
    to_change: bool = False,
) -> Campaign:
    """The campaign at this address, its season and club with it."""
    found = get_object_or_404(
        Campaign.objects.select_related("season__club"), season__club__slug=club, season__slug=season, slug=campaign
    )
    enter(request, found.season.club, at_least)
    request.season = found.season  # type: ignore[attr-defined]
    request.campaign = found  # type: ignore[attr-defined]
    if to_change:
        open_for_change(found.season)
    return found


def stage_of(
    request: HttpRequest,
    club: str,
    season: str,
    campaign: str,
    number: str,
    at_least: Role | None = None,
    *,
    to_change: bool = False,
) -> Stage:
    """The stage at this address; `stage.campaign` is the one that `campaign_of` gives."""
    parent = campaign_of(request, club, season, campaign, at_least, to_change=to_change)
    stage = get_object_or_404(Stage.objects.select_related("sheet"), campaign=parent, number=number)
    stage.campaign = parent
    return stage


def series_of(
    request: HttpRequest, club: str, season: str, series: str, at_least: Role | None = None, *, to_change: bool = False
) -> Series:
    """The points series at this address, its season and club with it."""
    found = get_object_or_404(
        Series.objects.select_related("season__club"), season__club__slug=club, season__slug=season, slug=series
    )
    enter(request, found.season.club, at_least)
    request.season = found.season  # type: ignore[attr-defined]
    if to_change:
        open_for_change(found.season)
    return found


def round_of(
    request: HttpRequest,
    club: str,
    season: str,
    series: str,
    number: str,
    at_least: Role | None = None,
    *,
    to_change: bool = False,
) -> Round:
    """The round at this address; `round.series` is the one that `series_of` gives."""
    parent = series_of(request, club, season, series, at_least, to_change=to_change)
    found = get_object_or_404(
        Round.objects.select_related("signed_by", "typed_by", "division"), series=parent, number=number
    )
    found.series = parent
    return found


def open_for_change(season: Season) -> Season:
    if season.is_archived:
        raise Refused(
            _("The season %(season)s is archived and can only be read. An organiser can open it again on its page.")
            % {"season": season}
        )
    return season


def sign_on(request: HttpRequest) -> Any:
    return redirect_to_login(request.get_full_path())
