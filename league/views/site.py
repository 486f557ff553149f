"""The front door, the theme, health, and the pages for what went wrong."""

from typing import cast
from urllib.parse import urlsplit

from django.contrib.auth.models import User
from django.db.models import Q
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import render
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from league.context import THEMES
from league.health import look
from league.models import Club


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Clubs that the visitor belongs to, and those open to everybody."""
    mine = Q(pk__in=[])
    if request.user.is_authenticated:
        mine = Q(memberships__user=cast(User, request.user))
    clubs = Club.objects.filter(Q(is_public=True) | mine).distinct()
    own = set(Club.objects.filter(mine).values_list("pk", flat=True)) if request.user.is_authenticated else set()
    return render(request, "league/home.html", {"clubs": clubs, "own": own})


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
    return render(request, "500.html", status=500)
