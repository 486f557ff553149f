"""The front door, the theme, health, and the pages for what went wrong."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import render
from django.template.loader import get_template
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from league.context import THEMES
from league.fronts import honours, newest_of
from league.health import look
from league.models import Campaign, Club, Membership, Role, Standing
from league.views.public import public_page


@dataclass(frozen=True, slots=True)
class Card:
    """A club on the front door: what the visitor is in it, its Giro of the latest evening, and who wears pink there."""

    club: Club
    role: Role | None
    giro: Campaign | None
    worn: Standing | None


PER_PAGE = 24  # clubs on a page of the front door


@public_page
def home(request: HttpRequest) -> HttpResponse:
    """Clubs that the visitor belongs to, those open to everybody, and who wears pink in each."""
    roles: dict[int, Role] = {}
    if request.user.is_authenticated:
        held = Membership.objects.filter(user=request.user)
        roles = {club: Role(role) for club, role in held.values_list("club", "role")}
    mine = list(Club.objects.filter(pk__in=roles))
    page = Paginator(Club.objects.filter(is_public=True).exclude(pk__in=roles), PER_PAGE).get_page(
        request.GET.get("page")
    )
    newest = newest_of([*mine, *page])
    worn = honours(Campaign.objects.filter(pk__in=[campaign.pk for campaign in newest.values()]))
    cards = {
        club.pk: Card(club, roles.get(club.pk), giro := newest.get(club.pk), worn.get(giro.pk) if giro else None)
        for club in [*mine, *page]
    }
    context = {"mine": [cards[club.pk] for club in mine], "open": [cards[club.pk] for club in page], "page": page}
    return render(request, "league/home.html", context)


@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """For health checks: 200 while the database answers, with how many campaigns wait and when the last sweep ran."""
    health = look()
    answer = {
        "status": "ok" if health.database else "down",
        "waiting": health.waiting,
        "sweeping": health.sweeping,
    }
    return JsonResponse(answer, status=200 if health.database else 503, headers={"Cache-Control": "no-store"})


@csrf_exempt  # changes nothing but the visitor's own colours, and keeps public pages the same for everybody
@require_POST
def theme(request: HttpRequest) -> HttpResponse:
    """Day, night, or as the device says; back to where the visitor came from."""
    back = request.META.get("HTTP_REFERER", "/")
    if not url_has_allowed_host_and_scheme(back, allowed_hosts={request.get_host()}):
        back = "/"
    parts = urlsplit(back)
    response = HttpResponseRedirect(parts.path + (f"?{parts.query}" if parts.query else ""))
    choice = request.POST.get("theme", "")
    if choice in THEMES:
        response.set_cookie("theme", choice, max_age=31_536_000, samesite="Lax", secure=request.is_secure())
    else:
        response.delete_cookie("theme")
    return response


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return render(request, "404.html", status=404)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    return render(request, "403.html", {"reason": str(exception)}, status=403)


def server_error(request: HttpRequest) -> HttpResponse:
    # no context: whatever broke must not break this page too
    return HttpResponse(get_template("500.html").render(), status=500)
