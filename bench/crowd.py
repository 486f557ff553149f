"""`python -m bench.crowd`, and the last table of `make bench`: watchers of the large installation, ratios first.

idle streams      what a thousand open streams cost one server process: memory, database connections, threads
told 200 : 1      from a commit until the last of 200 streams has heard of it, against one stream; on PostgreSQL
"""

import resource
import sys
import time
from typing import Any

from bench.large import POOL, Server
from bench.moves import main

IDLE = 1000
WATCHING = 200
WARM_UP = 20
FILES = 4096
"""Open files that both processes need: one for each stream, and some."""


def watched(server: Server, race: Any, count: int) -> list[Any]:
    """So many streams that have told how the race stands."""
    from tests.asgi import Stream

    streams = []
    for _ in range(count):
        stream = Stream(server.port, f"/races/{race.key}/events/", {})
        assert stream.status == 200, stream.status
        assert stream.upto("room") is not None
        stream.answer.readline()
        streams.append(stream)
    return streams


def connections() -> int:
    """Database connections of everybody else."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        return int(cursor.fetchone()[0])


def most_connections(seconds: float = 3.0) -> int:
    """At most so many at one time, over several looks of the hub."""
    most, end = 0, time.monotonic() + seconds
    while time.monotonic() < end:
        most = max(most, connections())
        time.sleep(0.05)
    return most


def measure() -> None:
    import django

    django.setup()
    from django.core.management import call_command

    from bench.live import TICKS, told
    from races.models import Race

    call_command("migrate", verbosity=0)
    quiet, busy, crowd = (Race.objects.create(title=name, game="giro", version=1) for name in ("One", "Two", "Three"))
    lines = []
    with Server() as server:
        for stream in watched(server, quiet, WARM_UP):
            stream.close()
        time.sleep(1)  # the server ends them in its own time
        if sys.platform == "linux":
            before = server.status("VmRSS"), most_connections(), server.status("Threads")
            idle = watched(server, quiet, IDLE)
            after = server.status("VmRSS"), most_connections(), server.status("Threads")
            lines.append(
                f"{f'{IDLE} idle streams':<28}{'':>9}{'':>10}   {(after[0] - before[0]) / IDLE:.0f} kB a stream;"
                f" connections {before[1]} before, {after[1]} with them (a pool of {POOL});"
                f" threads {before[2]}, {after[2]}"
            )
            for stream in idle:
                stream.close()
        else:
            lines.append(f"NOT MEASURED: {IDLE} idle streams: what a process holds is read from Linux's /proc")
        single = told(busy, watched(server, busy, 1))
        many = told(crowd, watched(server, crowd, WATCHING))
    lines.append(
        f"{f'told {WATCHING} : 1 streams':<28}{many / single:>9.2f}{many * 1000:>10.2f}   {TICKS}; PostgreSQL, Redis,"
        f" the server in a process of its own"
    )
    sys.stdout.write(f"{'what':<28}{'ratio':>9}{'ms':>10}   note\n")
    for line in lines:
        sys.stdout.write(f"{line}\n")


def more_files() -> None:
    """The soft limit of many systems is 1024; the server inherits ours."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < FILES:
        resource.setrlimit(
            resource.RLIMIT_NOFILE, (FILES if hard == resource.RLIM_INFINITY else min(FILES, hard), hard)
        )


if __name__ == "__main__":
    more_files()
    main(measure)
