"""How often somebody may knock. Counted in the cache per address of the visitor; several web processes share Redis.

Signing on has its own limits (ACCOUNT_RATE_LIMITS); these are for links that let people in.
"""

from allauth.account.adapter import get_adapter
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

INVITATION_TRIES, INVITATION_SECONDS = 20, 600


def spend(request: HttpRequest, what: str, amount: int, seconds: int) -> bool:
    """Count one try of this visitor; whether it is still within `amount` per `seconds`."""
    key = f"limit:{what}:{get_adapter().get_client_ip(request)}"
    if cache.add(key, 1, seconds):
        return amount >= 1
    try:
        return cache.incr(key) <= amount
    except ValueError:  # ran out between the two steps: a new count begins
        cache.set(key, 1, seconds)
        return amount >= 1


def is_spent(request: HttpRequest, what: str, amount: int) -> bool:
    """Whether this visitor has used up his tries, without counting one."""
    return bool(cache.get(f"limit:{what}:{get_adapter().get_client_ip(request)}", 0) >= amount)


def too_many(request: HttpRequest) -> HttpResponse:
    """The page that says so."""
    return render(request, "429.html", status=429)
