"""What all public pages share: they are only read, they say when they are fresh, and they say when they are being recounted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_safe

from league.models import Campaign

PageView = Callable[..., HttpResponse]


def public_page(view: PageView) -> PageView:
    """A page that everybody may look at, the same to the byte until something changes.

    It is asked for again each time (`no-cache`) and answered with 304 while its ETag holds. What a signed-on visitor or
    a member of a closed club sees is for his own browser alone.
    """

    @require_safe
    @wraps(view)
    def shown(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = view(request, *args, **kwargs)
        club = getattr(request, "club", None)
        closed = club is not None and not club.is_public
        if request.user.is_authenticated or closed:
            patch_cache_control(response, no_cache=True, private=True)
        else:
            patch_cache_control(response, no_cache=True)
        return response

    return shown


@dataclass(frozen=True, slots=True)
class Recount:
    """Whether what is shown are the tables of the present results."""

    is_counted: bool
    error: str = ""

    @property
    def is_counting(self) -> bool:
        return not self.is_counted and not self.error


def recount_of(campaign: Campaign) -> Recount:
    if campaign.is_counted:
        return Recount(True)
    return Recount(False, campaign.count_error)


def still_counting(request: Any, campaign: Campaign) -> HttpResponse | None:
    """The answer to a page that asks whether its new table is there: 204 (nothing to swap) until it is, or has failed."""
    if request.htmx and recount_of(campaign).is_counting:
        return HttpResponse(status=204)
    return None
