"""The site in processes of its own, on the test's database: workers and web servers that can be killed."""

import http.client
import os
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.core.cache import caches
from django.db import connection

from league.celery import app
from tests.servers import free_port

ROOT = Path(__file__).resolve().parents[1]

real_worker = pytest.mark.skipif(  # another process needs servers to meet on; in CI a skipped test fails the run
    not (settings.DATABASE_URL and settings.REDIS_URL), reason="needs PostgreSQL and Redis"
)


def until(true: Callable[[], bool], seconds: float = 60) -> bool:
    """Wait for something that another process does."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if true():
            return True
        time.sleep(0.02)
    return False


class Process:
    """A process of the site, with the settings, the database and the queue of this test."""

    def __init__(self, *command: str, **env: str) -> None:
        self._output = tempfile.TemporaryFile("a+b")  # noqa: SIM115 - closed with the process's object
        self.process = subprocess.Popen(
            [sys.executable, "-m", *command],
            cwd=ROOT, env=dict(os.environ, **_here(), **env), stdout=self._output, stderr=subprocess.STDOUT,
        )  # fmt: skip

    @property
    def said(self) -> str:
        """The end of what it wrote."""
        self._output.seek(0)
        return self._output.read().decode()[-3000:]

    def kill(self) -> None:
        """As a crash does: nothing is said, nothing is tidied up."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(20)

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.kill()


def _here() -> dict[str, str]:
    return {
        "CELERY_QUEUE": app.conf.task_default_queue,
        "CACHE_PREFIX": str(caches["default"].key_prefix),  # races of other tests have the same names
        "DATABASE_URL": os.environ["DATABASE_URL"].rsplit("/", 1)[0] + "/" + connection.settings_dict["NAME"],
        "SECRET_KEY": settings.SECRET_KEY,  # sessions that the test opens
    }


class Worker(Process):
    """A Celery worker, or another command of Celery."""

    WORKER = ("worker", "--pool", "threads", "-c", "2", "-l", "warning", "--without-gossip", "--without-mingle")

    def __init__(self, *command: str, app: str = "league", **env: str) -> None:
        super().__init__("celery", "-A", app, *(command or self.WORKER), **env)


class Web:
    """A web server at `url` that can be killed, and started again at the same address."""

    def __init__(self) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.server: Process | None = None

    def start(self, *flags: str, app: str = "league.asgi:application", **env: str) -> None:
        server = ("uvicorn", app, "--port", str(self.port), "--lifespan", "off", "--log-level", "warning")
        self.server = Process(*server, "--timeout-graceful-shutdown", "2", *flags, **env)
        assert until(self._answers), f"the server did not start: {self.server.said}"

    def _answers(self) -> bool:
        assert self.server is not None
        assert self.server.process.poll() is None, f"the server has ended: {self.server.said}"
        try:
            asked = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
            asked.request("GET", "/races/")
            return asked.getresponse().status == http.HTTPStatus.OK
        except OSError:
            return False

    @property
    def has_ended(self) -> bool:
        return self.server is None or self.server.process.poll() is not None

    def kill(self) -> None:
        assert self.server is not None
        self.server.kill()

    def stop(self) -> None:
        if self.server is not None:
            self.server.stop()


@pytest.fixture
def queue() -> Iterator[str]:
    """A queue that no other test uses."""
    old = app.conf.task_default_queue
    app.conf.task_default_queue = f"test-{uuid.uuid4().hex[:8]}"
    app.amqp.flush_routes()
    app.amqp.__dict__.pop("queues", None)
    yield app.conf.task_default_queue
    app.conf.task_default_queue = old
    app.amqp.flush_routes()
    app.amqp.__dict__.pop("queues", None)


@pytest.fixture
def worker(queue: str) -> Iterator[Callable[..., Worker]]:
    """Starts workers on the test's own queue, and ends them."""
    running: list[Worker] = []

    def start(*command: str, **env: str) -> Worker:
        running.append(Worker(*command, **env))
        return running[-1]

    yield start
    for one in running:
        one.stop()


@pytest.fixture
def web(queue: str) -> Iterator[Web]:
    """A web server in a process of its own, that publishes to the test's own queue."""
    server = Web()
    server.start()
    yield server
    server.stop()
