"""How far a race is: as a stream of events, and as an answer to whoever cannot have one."""

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.views.decorators.http import require_safe

from races import live
from races.access import race_for
from races.due import is_due


@require_safe
async def events(request: HttpRequest, key: str) -> HttpResponseBase:
    """The race's stream: the number of its newest entry, now and whenever it rises. The browser fetches the rest.

    204 where the server cannot stream, or has enough streams: browsers then do not come back by themselves, and the page
    polls.
    """
    mark = await sync_to_async(_seen)(request, key)
    if not isinstance(request, ASGIRequest) or live.hub().count >= live.STREAMS:
        return HttpResponse(status=204)
    return StreamingHttpResponse(
        live.stream(request, key, mark),
        content_type="text/event-stream",
        headers={"Cache-Control": "no-cache, no-transform", "X-Accel-Buffering": "no"},
    )


def _seen(request: HttpRequest, key: str) -> live.Mark:
    race = race_for(request, key).race  # 404 for who may not watch
    return live.marks([race.key])[race.key]


@require_safe
def version(request: HttpRequest, key: str) -> JsonResponse:
    """How far the race is, and whether it waits for who asks; with an ETag, so that no news is a 304."""
    viewer = race_for(request, key)
    mark = live.marks([viewer.race.key])[viewer.race.key]
    answer = JsonResponse({"n": mark.n, "room": mark.room, "chat": mark.chat, "due": is_due(viewer)})
    patch_cache_control(answer, private=True, no_cache=True)
    patch_vary_headers(answer, ["Cookie"])
    return answer
