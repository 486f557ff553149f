"""Live updates: whoever watches a race is told how far it is, and fetches the rest from its page, as himself.

A stream says only numbers, so nothing secret can be in it. It holds no thread and no database connection: one *hub* per
process asks for all watched races in one query each tick, whatever the number of viewers, and wakes those whose race has
moved. A message that is lost is no harm: the number is told again on every connect, and who has less fetches.
"""

import asyncio
import contextlib
import logging
import signal
import threading
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import Context
from importlib import import_module
from types import FrameType
from typing import NamedTuple

from asgiref.sync import SyncToAsync, sync_to_async
from django.conf import settings
from django.contrib.auth import get_user
from django.db import Error, connection, connections
from django.db.models import Count, Q
from django.http import Http404, HttpRequest

from races.access import race_for
from races.models import Race, Status

log = logging.getLogger(__name__)
Handler = Callable[[int, FrameType | None], object]

TICK = 0.5  # seconds between two looks at the watched races
PING = 15.0  # seconds of silence that proxies bear
ACCESS = 60.0  # seconds after which the right to watch a private race is looked at again
AGE = 900.0  # seconds after which a stream ends; the browser comes back by itself
RETRY_MS = 1000  # and waits so long before it does
STREAMS = 4000  # at most so many in a process; whoever comes after them polls


class Mark(NamedTuple):
    """What can be told of a race without knowing who asks. `taken` counts the seats in which somebody sits, `chat` what has
    changed in its chat.
    """

    n: int
    status: str
    taken: int
    is_public: bool
    chat: int = 0

    @property
    def is_over(self) -> bool:
        return self.status in (Status.OVER, Status.ABANDONED)

    @property
    def room(self) -> str:
        """What changes of a race without an entry: that somebody sits down, that it begins."""
        return f"{self.status}.{self.taken}"


def marks(keys: Iterable[str]) -> dict[str, Mark]:
    """The marks of those races, in one query; a race that is gone has none."""
    taken = Count("seats", filter=~Q(seats__user=None) | ~Q(seats__guest="") | ~Q(seats__bot=""))
    rows = Race.objects.filter(key__in=list(keys)).order_by().annotate(taken=taken)
    told = rows.values_list("key", "n", "status", "taken", "is_public", "talk__n")
    return {key: Mark(n, status, taken, is_public, chat or 0) for key, n, status, taken, is_public, chat in told}


def _marks_and_close(keys: Iterable[str]) -> dict[str, Mark]:
    try:
        return marks(keys)
    finally:
        connection.close()


# ---- the hub ---------------------------------------------------------------------------------------------------------
class Watcher:
    """One stream at the hub: `mark` is the newest known, None that the race is gone."""

    def __init__(self, mark: Mark | None) -> None:
        self.mark = mark
        self.woken = asyncio.Event()


class Hub:
    """The watched races of one event loop, and the one task that asks for them."""

    def __init__(self, tick: float = TICK) -> None:
        self.tick = tick
        self.closing = False
        self.count = 0
        self.loop = asyncio.get_running_loop()
        self._watchers: dict[str, set[Watcher]] = {}
        self._task: asyncio.Task[None] | None = None
        self._thread = ThreadPoolExecutor(1, "races-live")
        self._end_with_the_server()

    @contextlib.contextmanager
    def watch(self, key: str, mark: Mark) -> Iterator[Watcher]:
        """Be told of a race; `mark` is what the watcher knows of it already."""
        watcher = Watcher(mark)
        self._watchers.setdefault(key, set()).add(watcher)
        self.count += 1
        if self._task is None or self._task.done():
            # in a context of its own: that of the first viewer ends with him
            self._task = self.loop.create_task(self._run(), context=Context())
        try:
            yield watcher
        finally:
            self.count -= 1
            self._watchers[key].discard(watcher)
            if not self._watchers[key]:
                del self._watchers[key]

    async def may_still_watch(self, request: HttpRequest, key: str) -> bool:
        """`may_still_watch`, in the thread of the hub."""
        return await self.loop.run_in_executor(self._thread, may_still_watch, request, key)

    async def _run(self) -> None:
        well = True
        while self._watchers and not self.closing:
            keys = list(self._watchers)
            try:
                found = await self.loop.run_in_executor(self._thread, _marks_and_close, keys)
            except Error:
                if well:
                    log.exception("The watched races cannot be read; trying on.")
                well = False
            else:
                well = True
                self._tell(keys, found)
            await asyncio.sleep(self.tick if well else 4 * self.tick)

    def _tell(self, keys: Iterable[str], found: dict[str, Mark]) -> None:
        for key in keys:
            mark = found.get(key)
            for watcher in self._watchers.get(key, ()):
                if watcher.mark != mark and not _older(mark, watcher.mark):
                    watcher.mark = mark
                    watcher.woken.set()

    def close(self) -> None:
        """End every stream: the server stops."""
        self.closing = True
        for watchers in self._watchers.values():
            for watcher in watchers:
                watcher.woken.set()

    def _end_with_the_server(self) -> None:
        """Servers wait for open requests before they tell anybody that they stop: hear the signal when they do."""
        if threading.current_thread() is not threading.main_thread():
            return
        for number in (signal.SIGTERM, signal.SIGINT):
            before = signal.getsignal(number)
            if callable(before):
                signal.signal(number, self._on_signal(before))

    def _on_signal(self, before: Handler) -> Handler:
        def stop(number: int, frame: FrameType | None) -> None:
            with contextlib.suppress(RuntimeError):  # the loop is closed already, and its streams with it
                self.loop.call_soon_threadsafe(self.close)
            before(number, frame)

        return stop


def _older(mark: Mark | None, than: Mark | None) -> bool:
    """A look that began before the viewer's own: numbers only rise."""
    return mark is not None and than is not None and (mark.n < than.n or mark.chat < than.chat)


hubs: dict[asyncio.AbstractEventLoop, Hub] = {}


def hub() -> Hub:
    """The hub of the running event loop."""
    loop = asyncio.get_running_loop()
    if loop not in hubs:
        for old in [other for other in hubs if other.is_closed()]:
            del hubs[old]
        hubs[loop] = Hub()
    return hubs[loop]


# ---- a stream --------------------------------------------------------------------------------------------------------
async def stream(request: HttpRequest, key: str, mark: Mark) -> AsyncIterator[str]:
    """The events of one viewer who may watch the race, beginning with how it stands.

    `race` tells the newest entry, `room` (`Mark.room`) what changes without one, `chat` how far the chat is, once
    something was said, `over` that no more will come.
    """
    await _let_go()
    here, loop = hub(), asyncio.get_running_loop()
    end, look_again, ping = loop.time() + AGE, loop.time() + ACCESS, loop.time() + PING
    yield f"retry: {RETRY_MS}\n\n"
    yield _event("race", mark.n) + (_event("chat", mark.chat) if mark.chat else "") + _event("room", mark.room)
    with here.watch(key, mark) as watcher:
        while not mark.is_over:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(watcher.woken.wait(), max(0.0, min(ping, end, look_again) - loop.time()))
            watcher.woken.clear()
            now = watcher.mark
            if here.closing or now is None or loop.time() >= end:
                return
            if now.is_public != mark.is_public or loop.time() >= look_again:
                look_again = loop.time() + ACCESS
                if not now.is_public and not await here.may_still_watch(request, key):
                    return
            told = _event("race", now.n) if now.n != mark.n else ""
            told += _event("room", now.room) if now.room != mark.room else ""
            told += _event("chat", now.chat) if now.chat != mark.chat else ""
            if not told and loop.time() >= ping:
                told = ": ping\n\n"
            if told:
                yield told
                ping = loop.time() + PING
            mark = now
        yield _event("over", mark.n)


def _event(name: str, data: object) -> str:
    return f"event: {name}\ndata: {data}\n\n"


async def _let_go() -> None:
    """Give back the database connection and the thread that the request was answered with: a stream needs neither."""
    await sync_to_async(connections.close_all)()
    context = SyncToAsync.thread_sensitive_context.get(None)
    executor = SyncToAsync.context_to_thread_executor.pop(context, None) if context else None
    if executor:
        executor.shutdown(wait=False)


def may_still_watch(request: HttpRequest, key: str) -> bool:
    """Whether whoever asked then may watch the race now: his session and his rights, read anew. Closes its connection."""
    again = HttpRequest()
    again.COOKIES = request.COOKIES
    store = import_module(settings.SESSION_ENGINE).SessionStore
    again.session = store(request.COOKIES.get(settings.SESSION_COOKIE_NAME))
    try:
        again.user = get_user(again)
        race_for(again, key)
    except Http404:
        return False
    finally:
        connection.close()
    return True
