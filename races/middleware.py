"""The answer of every address of a race that cannot be read."""

import logging
from collections.abc import Callable

from django.core.exceptions import BadRequest, PermissionDenied, SuspiciousOperation
from django.http import Http404, HttpRequest, HttpResponse

from races.errors import Damaged

log = logging.getLogger(__name__)

ANSWERS = (Http404, PermissionDenied, SuspiciousOperation, BadRequest)
"""Exceptions that are no faults: Django has an answer to them."""


class StoppedMiddleware:
    """A race whose position or log is damaged has a page that says so; no address of it breaks.

    Whatever a page of a race breaks of is looked into: if the race can be read it is no business of this.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        match = request.resolver_match
        if match is None or match.app_name != "races" or "key" not in match.kwargs or isinstance(exception, ANSWERS):
            return None
        from races.views import trouble  # late: views want the models

        key = match.kwargs["key"]
        if not isinstance(exception, Damaged) and not trouble.is_damaged(key):
            return None
        log.error("A page of race %s cannot be shown: %s.", key, match.url_name, exc_info=exception)
        return trouble.stopped(request, key)
