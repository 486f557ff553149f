"""The site as it is run, for tests that need more than a request: uvicorn in a thread, on the test's database."""

import http.client
import select
import socket
import threading
import time
from types import TracebackType

import uvicorn
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore

from league.asgi import application
from races import live


class Site:
    """The site at `url`, until the block ends."""

    def __init__(self) -> None:
        self.socket = socket.create_server(("127.0.0.1", 0), backlog=512)
        self.port: int = self.socket.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        config = uvicorn.Config(application, log_level="warning", lifespan="off", timeout_graceful_shutdown=2)
        self.server = uvicorn.Server(config)
        self.thread = threading.Thread(target=self.server.run, args=([self.socket],), daemon=True)

    def __enter__(self) -> "Site":
        self.thread.start()
        end = time.monotonic() + 10
        while not self.server.started:
            assert time.monotonic() < end, "the server did not start"
            time.sleep(0.01)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, where: TracebackType | None
    ) -> None:
        for loop, hub in list(live.hubs.items()):  # as the signal does that stops a server
            if loop.is_running():
                loop.call_soon_threadsafe(hub.close)
        self.server.should_exit = True
        self.thread.join(10)
        self.socket.close()

    def stream(self, path: str, user: User | None = None) -> "Stream":
        return Stream(self.port, path, {"Cookie": signed_on(user)} if user else {})


class Stream:
    """A stream of events, as a browser's EventSource has it."""

    def __init__(self, port: int, path: str, headers: dict[str, str]) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        self.connection.request("GET", path, headers=headers)
        self.socket = self.connection.sock
        self.answer = self.connection.getresponse()
        self.status = self.answer.status

    def next(self, *, pings: bool = False) -> tuple[str, str] | None:
        """The next event and its data, or a ping if these are asked for; None when the stream has ended."""
        name = ""
        while line := self.answer.readline().decode():
            word, _, rest = line.rstrip("\n").partition(": ")
            if word == "event":
                name = rest
            elif word == "data":
                return name, rest
            elif line.startswith(":") and pings:
                return "ping", ""
        return None

    def upto(self, wanted: str) -> tuple[str, str] | None:
        """The next event of that name; None when the stream ends without it."""
        while (event := self.next()) is not None:
            if event[0] == wanted:
                return event
        return None

    def is_silent(self, seconds: float) -> bool:
        """Whether nothing arrives for so long. Only where all that had come is read."""
        return not select.select([self.socket], [], [], seconds)[0]

    def close(self) -> None:
        self.answer.close()
        self.connection.close()


def signed_on(user: User) -> str:
    """The cookie of somebody who is signed on."""
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    return f"{settings.SESSION_COOKIE_NAME}={session.session_key}"
