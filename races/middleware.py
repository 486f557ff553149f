"""The answer of every address of a race that cannot be read."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from races.errors import Damaged


class StoppedMiddleware:
    """A race whose position is damaged has a page that says so; no address of it breaks."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        match = request.resolver_match
        if not isinstance(exception, Damaged) or match is None or "key" not in match.kwargs:
            return None
        from races.views.trouble import stopped  # late: views want the models

        return stopped(request, match.kwargs["key"])
