"""The club's clock for the length of a request, and the answers to what the domain refuses."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from league.access import SignOnFirst, sign_on
from league.errors import Refused


class ClubTimeMiddleware:
    """Pages show the club's zone (set where the club is fetched); nothing of it leaks into the next request."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        timezone.deactivate()
        try:
            return self.get_response(request)
        finally:
            timezone.deactivate()

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if isinstance(exception, SignOnFirst):
            return sign_on(request)
        if isinstance(exception, Refused):
            return render(request, "409.html", {"refusal": str(exception)}, status=409)
        return None
