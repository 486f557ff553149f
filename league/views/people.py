"""Who belongs to a club, invitations, and one's own account."""

from http import HTTPStatus

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league import limits, roster
from league.access import club_of, has
from league.errors import Refused
from league.forms.accounts import AccountForm
from league.forms.clubs import InvitationForm, RoleForm
from league.models import Club, Invitation, Membership, Player, Role
from league.views.signed_on import me
from races.qr import qr_code

FRESH_LINK = "fresh_invitation"  # session key: the token of an invitation made a moment ago, until it is shown


@never_cache
@require_safe
def people(request: HttpRequest, club: str) -> HttpResponse:
    """Members and their roles; for organisers the open invitations too, and a fresh link once."""
    return people_page(request, club_of(request, club, Role.MEMBER))


def people_page(request: HttpRequest, club: Club, form: InvitationForm | None = None) -> HttpResponse:
    context: dict[str, object] = {
        "members": club.memberships.select_related("user").order_by("user__first_name", "pk"),
        "roles": Role.choices,
        "me": me(request),
    }
    if has(request.role, Role.ORGANISER):  # type: ignore[attr-defined]
        fresh = request.session.pop(FRESH_LINK, None)
        if fresh:
            link = request.build_absolute_uri(reverse("join", args=[fresh["token"]]))
            made = club.invitations.filter(pk=fresh["pk"]).select_related("player").first()
            context |= {"link": link, "qr": qr_code(link), "made": made} if made else {}
        context |= {
            "invitations": [i for i in club.invitations.select_related("player", "created_by") if i.is_open],
            "form": form or InvitationForm(club=club),
            "days": settings.INVITATION_DAYS,
        }
    return render(request, "league/people.html", context, status=422 if form and form.errors else 200)


@require_POST
def invite(request: HttpRequest, club: str) -> HttpResponse:
    """Make a link that lets one person in."""
    found = club_of(request, club, Role.ORGANISER)
    form = InvitationForm(request.POST, club=found)
    if form.is_valid():
        wanted = form.cleaned_data
        try:
            invitation, token = roster.invite(
                found, me(request), role=Role(wanted["role"]), player=wanted["player"], note=wanted["note"]
            )
        except Refused as refusal:
            form.add_error("player", str(refusal))
        else:
            request.session[FRESH_LINK] = {"pk": invitation.pk, "token": token}
            return redirect("people", found.slug)
    return people_page(request, found, form)


@require_POST
def invitation_revoke(request: HttpRequest, club: str, pk: int) -> HttpResponse:
    """Close a link that has not been used."""
    found = club_of(request, club, Role.ORGANISER)
    roster.revoke(get_object_or_404(Invitation, club=found, pk=pk))
    messages.success(request, _("The invitation is taken back; its link lets nobody in."))
    return redirect("people", found.slug)


@require_POST
def member_role(request: HttpRequest, club: str, pk: int) -> HttpResponse:
    """Another role for a member, or out of the club."""
    found = club_of(request, club, Role.ORGANISER)
    member = get_object_or_404(Membership.objects.select_related("club", "user"), club=found, pk=pk)
    form = RoleForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("There is no such role. Choose member, commissaire or organiser."))
        return people_page_refused(request, found)
    role = form.role_or_none()
    try:
        roster.set_role(member, role)
    except Refused as refusal:
        messages.error(request, str(refusal))
        return people_page_refused(request, found)
    name = roster.person(member.user)
    if role is None:
        messages.success(request, _("%(who)s has left the club. What was ridden stays.") % {"who": name})
    else:
        messages.success(request, _("%(who)s is %(role)s now.") % {"who": name, "role": role.label})
    if member.user_id == me(request).pk and role != Role.ORGANISER:  # no longer a page of his
        return redirect(found if role or found.is_public else "home")
    return redirect("people", found.slug)


def people_page_refused(request: HttpRequest, club: Club) -> HttpResponse:
    response = people_page(request, club)
    response.status_code = HTTPStatus.UNPROCESSABLE_ENTITY
    return response


@require_POST
def leave(request: HttpRequest, club: str) -> HttpResponse:
    """Leave the club."""
    found = club_of(request, club, Role.MEMBER)
    membership = get_object_or_404(Membership.objects.select_related("club", "user"), club=found, user=me(request))
    try:
        roster.set_role(membership, None)
    except Refused as refusal:
        messages.error(request, str(refusal))
        return people_page_refused(request, found)
    messages.success(request, _("You have left %(club)s. What you rode stays.") % {"club": found})
    return redirect("account")


@never_cache
@require_http_methods(["GET", "POST"])
def join(request: HttpRequest, token: str) -> HttpResponse:
    """An invitation link: what it is for, and the button that accepts it. Tries are counted where they could be guesses."""
    if request.method == "POST" and not request.user.is_authenticated:
        return redirect(f"{reverse('account_login')}?next={reverse('join', args=[token])}")
    tries = (limits.INVITATION_TRIES, limits.INVITATION_SECONDS)
    if limits.is_spent(request, "invitation", limits.INVITATION_TRIES):
        return limits.too_many(request)
    try:
        if request.method == "POST":
            limits.spend(request, "invitation", *tries)
            return welcome(request, roster.accept(token, me(request)))
        mine = roster.used_by(token, request.user)
        if mine:
            return redirect(mine.club)
        invitation = roster.invitation_for(token)
    except roster.DeadLink as dead:
        if request.method != "POST":
            limits.spend(request, "invitation", *tries)
        return render(request, "league/join_dead.html", {"refusal": str(dead)}, status=dead.status)
    return render(request, "league/join.html", {"invitation": invitation, "role_label": Role(invitation.role).label})


def welcome(request: HttpRequest, joined: roster.Joined) -> HttpResponse:
    """Into the club, and whom he is on the roster."""
    words = {"club": joined.membership.club, "player": joined.player}
    if joined.already:
        messages.warning(
            request,
            _("Welcome to %(club)s. You are %(player)s on the roster already; an organiser can merge the two.") % words,
        )
    elif joined.player:
        messages.success(request, _("Welcome to %(club)s. You are %(player)s, results and all.") % words)
    else:
        messages.success(request, _("Welcome to %(club)s.") % words)
    return redirect(joined.membership.club)


@login_required
@require_http_methods(["GET", "POST"])
def account(request: HttpRequest) -> HttpResponse:
    """My clubs, my role in each, the players that are me."""
    user = me(request)
    form = AccountForm(request.POST if request.method == "POST" else None, initial={"name": user.first_name})
    if form.is_valid():
        user.first_name = form.cleaned_data["name"]
        user.save(update_fields=["first_name"])
        messages.success(request, _("The club calls you %(name)s now.") % {"name": user.first_name})
        return redirect("account")
    seen = Q(club__is_public=True) | Q(club__memberships__user=user)
    context = {
        "form": form,
        "memberships": user.memberships.select_related("club").order_by("club__name", "pk"),
        "players": Player.objects.filter(seen, user=user, merged_into=None).select_related("club").distinct(),
    }
    return render(request, "league/account.html", context, status=422 if form.errors else 200)
