"""The large installation for measurements: PostgreSQL and Redis of its own, and the site in a process of its own.

The servers come from the same wheels as those of the tests (`tests/servers.py`), but this PostgreSQL waits for its disk
as one in service does. DATABASE_URL and REDIS_URL in the environment are not used: what is measured fills its database.
"""

import contextlib
import http.client
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.servers import Postgres, Valkey

ROOT = Path(__file__).resolve().parent.parent
START_SECONDS = 60
POOL = 8
"""Database connections of the web process, as in docker-compose.yml."""


class Missing(Exception):
    """This machine cannot run one of the servers."""


@contextlib.contextmanager
def services() -> Iterator[None]:
    """Both servers, and the environment that names them: before Django reads its settings. Missing: not here."""
    with contextlib.ExitStack() as stack:
        for name, start in (("DATABASE_URL", lambda: Postgres(durable=True)), ("REDIS_URL", Valkey)):
            server = _started(start)
            stack.callback(server.stop)
            os.environ[name] = server.url
        data = tempfile.mkdtemp(prefix="large-bench-")
        stack.callback(shutil.rmtree, data, ignore_errors=True)
        os.environ |= {"DATA_DIR": data, "HTTPS": "0", "SECRET_KEY": secrets.token_urlsafe(50)}
        os.environ["DJANGO_SETTINGS_MODULE"] = "bench.settings"
        yield


def _started(start: Callable[[], Postgres | Valkey]) -> Postgres | Valkey:
    try:
        return start()
    except Exception as fault:  # whatever it is, it is said aloud and the other measurements go on
        what = "PostgreSQL or Redis"
        raise Missing(f"{what} cannot be started here: {type(fault).__name__}: {fault}") from fault


class Server:
    """`manage.py serve` as a process."""

    def __init__(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as probe:
            self.port: int = probe.getsockname()[1]
        command = [sys.executable, "manage.py", "serve", "--port", str(self.port)]
        environ = os.environ | {"DATABASE_POOL": str(POOL)}
        self.process = subprocess.Popen(command, cwd=ROOT, env=environ, stdout=subprocess.DEVNULL)

    def __enter__(self) -> "Server":
        end = time.monotonic() + START_SECONDS
        while not self._answers():
            if time.monotonic() > end or self.process.poll() is not None:
                self.__exit__()
                raise RuntimeError("The site did not start: what it said stands above.")
            time.sleep(0.05)
        return self

    def __exit__(self, *fault: object) -> None:
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()

    def _answers(self) -> bool:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
        try:
            connection.request("GET", "/healthz")
            return connection.getresponse().status < 500
        except OSError:
            return False
        finally:
            connection.close()

    def cpu(self) -> float:
        """Seconds of processor time that the process has had, where Linux tells it; in steps of a hundredth."""
        if sys.platform != "linux":
            return 0.0
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def status(self, field: str) -> int:
        """A number that Linux tells of the process: VmRSS in kB, Threads."""
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            name, _, value = line.partition(":")
            if name == field:
                return int(value.split()[0])
        raise KeyError(field)
