"""`python -m bench.live`, and the third table of `make bench`: what it costs to be watched, ratios first.

look 100 : 1      the hub's one look at a hundred watched races against its look at one
look : query      that look at one race against the plainest trip to the database
told 200 : 1      from a commit until the last of 200 streams has heard of it, against one stream
thread / stream   threads that 200 open streams hold, for each
page 200 : 0      another page while 200 streams are open, against none
"""

import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable

os.environ["DJANGO_SETTINGS_MODULE"] = "league.settings"
os.environ.setdefault("DATA_DIR", tempfile.mkdtemp(prefix="live-bench-"))
os.environ.setdefault("HTTPS", "0")
os.environ.setdefault("SECRET_KEY", "bench-" + "0" * 60)

import django  # the settings come first
from django.apps import apps

if not apps.ready:
    django.setup()

from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402

from races import live  # noqa: E402
from races.models import Race  # noqa: E402
from tests.asgi import Site, Stream  # noqa: E402

STREAMS = 200
ROUNDS = 5
TICKS = f"the hub looks every {live.TICK} s"


def best(work: Callable[[], object], rounds: int = 50) -> float:
    """The quickest of many rounds, in seconds."""
    work()
    took = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        took.append(time.perf_counter() - start)
    return min(took)


def watched(site: Site, race: Race, count: int) -> list[Stream]:
    """So many streams that have told how the race stands."""
    streams = [site.stream(f"/races/{race.key}/events/") for _ in range(count)]
    for stream in streams:
        assert stream.status == 200, stream.status
        assert stream.upto("room") is not None
        stream.answer.readline()
    return streams


def told(race: Race, streams: list[Stream]) -> float:
    """From a commit until the last has heard of it: the mean of some rounds, since the hub looks twice a second."""
    took = []
    for _ in range(ROUNDS):
        race.n += 1
        race.save(update_fields=["n"])
        start = time.perf_counter()
        for stream in streams:
            assert stream.upto("race") == ("race", str(race.n))
        took.append(time.perf_counter() - start)
        time.sleep(0.13)  # not in step with the hub
    return sum(took) / len(took)


def fetched(site: Site) -> float:
    def fetch() -> None:
        answer = Stream(site.port, "/races/", {})
        assert answer.status == 200, answer.status
        answer.answer.read()
        answer.close()

    return best(fetch, 20)


def main() -> None:
    call_command("migrate", verbosity=0)
    races = [Race.objects.create(title=f"Race {n}", game="giro", version=1) for n in range(100)]
    keys = [race.key for race in races]
    one, hundred = best(lambda: live.marks(keys[:1])), best(lambda: live.marks(keys))
    trip = best(lambda: Race.objects.values_list("n").get(pk=races[0].pk))
    before = threading.active_count()
    with Site() as site:
        quiet = fetched(site)
        alone = watched(site, races[0], 1)
        single = told(races[0], alone)
        base = threading.active_count()
        crowd = watched(site, races[1], STREAMS)
        held = threading.active_count() - base
        many = told(races[1], crowd)
        busy = fetched(site)
        for stream in [*alone, *crowd]:
            stream.close()
        quiet = min(quiet, fetched(site))  # before and after: a busy machine spoils both sides alike
    assert threading.active_count() <= before + 10, "the server has ended its threads"
    rows = [
        ("hub's look 100 : 1 races", hundred / one, hundred, "one query, however many watch"),
        ("hub's look : one query", one / trip, one, connection.vendor),
        (f"told {STREAMS} : 1 streams", many / single, many, TICKS),
        ("threads per stream", held / STREAMS, 0.0, f"{held} for {STREAMS} streams"),
        (f"page with {STREAMS} : 0 streams", busy / quiet, busy, "the list of races"),
    ]
    sys.stdout.write(f"{'what':<28}{'ratio':>9}{'ms':>10}   note\n")
    for what, ratio, seconds, note in rows:
        sys.stdout.write(f"{what:<28}{ratio:>9.2f}{seconds * 1000:>10.2f}   {note}\n")


if __name__ == "__main__":
    main()
