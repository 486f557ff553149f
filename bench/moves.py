"""`python -m bench.moves`, and the fourth table of `make bench`: what a move costs, ratios first.

Answers of four people in Giri of twelve riders, posted to the large installation (PostgreSQL that waits for its disk,
Redis) as a browser posts them; the yardstick is `bench/bare.py`, a view of the same server that inserts one row and
commits. Each move is followed by one post of the yardstick, so that whatever else the machine does falls upon both.

move : bare view        from the post until the whole answer with the board has come, as htmx asks for it
kept : bare view        the same without the page: without JavaScript the answer is a redirect
page : bare view        the page of that race alone, as htmx asks for it when somebody else has moved
moves at once : bare    moves of four races, all posted in the same moment
cpu                     of the server process, the mean, and in the note against the bare view's; the rest of the waiting is
                        PostgreSQL, its disk, and whoever else runs here
queries                 of one move, and of its page

After each move the log has one entry more at least, or it is not counted but an error.
"""

import http.client
import json
import os
import random
import re
import sys
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from html import unescape
from statistics import mean, median
from typing import Any
from urllib.parse import urlencode

from bench.large import Missing, Server, services

PEOPLE = ("Anna", "Bruno", "Carla", "Dino")
COLOURS = ("white", "yellow", "blue", "green")
KINDS = ("rouleur", "leader", "climber")
OPTIONS = {"course": "colli", "giro": True, "cards": "blind"}
MOVES = 140
"""Of each kind that are measured one by one; the first of them warm the server and do not count."""
WARM_UP = 20
BURSTS = 30
KEPT_SECONDS = 2.0
"""For so long a browser's connection is used again; the server closes idle ones."""
HTMX = {"HX-Request": "true"}


@dataclass
class Reader:
    """Somebody's browser on the page of his race."""

    port: int
    path: str
    cookie: str
    connection: http.client.HTTPConnection = field(init=False)
    used: float = 0.0
    token: str = ""

    def __post_init__(self) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        _took, status, _body = self.ask("GET", self.path, {}, {})
        assert status == 200, status

    def ask(
        self, method: str, path: str, data: Mapping[str, str], headers: Mapping[str, str]
    ) -> tuple[float, int, str]:
        """Seconds until the whole answer was there, its status and itself."""
        body = urlencode({**data, "csrfmiddlewaretoken": self.token}) if method == "POST" else None
        sent = {"Cookie": f"{self.cookie}; csrftoken={self.token}", **headers}
        if body is not None:
            sent["Content-Type"] = "application/x-www-form-urlencoded"
        if time.monotonic() - self.used > KEPT_SECONDS:
            self.connection.close()
        if self.connection.sock is None:
            self.connection.connect()
        start = time.perf_counter()
        self.connection.request(method, path, body, sent)
        answer = self.connection.getresponse()
        text = answer.read()
        took = time.perf_counter() - start
        self.used = time.monotonic()
        for name, value in answer.getheaders():
            if name.lower() == "set-cookie" and (found := re.match("csrftoken=([^;]+)", value)):
                self.token = found[1]
        return took, answer.status, text.decode()


@dataclass
class Ride:
    """One race after another with the four of them, each answer drawn from those that the page offers."""

    readers: dict[str, Reader]
    race: Any
    rng: random.Random
    pages: list[float] = field(default_factory=list)
    kinds: Counter[str] = field(default_factory=Counter)

    def next(self) -> tuple[Reader, dict[str, str]] | None:
        """Who is due with what his browser will send; None when the race is over."""
        from races import play
        from rules.game import Taker

        self.race.refresh_from_db()
        self.race.__dict__.pop("position", None)
        self.race._state.fields_cache.clear()
        due = [decision for decision in play.look(self.race).decisions if decision.taker is Taker.SEAT]
        if not due:
            assert self.race.is_over, "only an ended race waits for nobody"
            return None
        reader = self.readers[str(due[0].seat)]
        took, status, body = reader.ask("GET", reader.path, {}, HTMX)
        assert status == 200, status
        self.pages.append(took)
        form = re.search(r'<form[^>]*id="turn".*?</form>', body, re.DOTALL)
        assert form is not None, "whoever is due has a form"
        fields = dict(re.findall(r'<input type="hidden" name="(decision|after|key)" value="([^"]*)"', form[0]))
        offered = [unescape(code) for code in re.findall(r'name="(?:action|button)"[^>]*? value="([^"]*)"', form[0])]
        chosen = self.rng.choice(offered)
        self.kinds[json.loads(chosen)["kind"]] += 1
        return reader, {name: unescape(value) for name, value in fields.items()} | {"action": chosen}

    def check(self) -> None:
        """The move is in the log."""
        before = self.race.n
        self.race.refresh_from_db(fields=["n"])
        assert self.race.n > before, "the move was taken"


def new_ride(server: Server, number: int) -> Ride:
    from django.contrib.auth.models import User

    from races import fairness, play
    from races.models import Secret
    from tests.asgi import signed_on

    users = [User.objects.get_or_create(username=name.lower(), defaults={"first_name": name})[0] for name in PEOPLE]
    seats = [
        {
            "name": name,
            "user": user,
            "entrant": {
                "riders": [{"id": f"{name}-{k}", "type": k, "jersey": colour, "strength": None} for k in KINDS]
            },
        }
        for name, user, colour in zip(PEOPLE, users, COLOURS, strict=True)
    ]
    race = play.open_race(title=f"Race {number}", game="giro", options=OPTIONS, seats=seats, owner=users[0])
    seed = bytes([number % 256] * 32)
    race.key, race.commitment = f"bench-{number}", fairness.commitment(seed)
    race.save()
    Secret.objects.filter(race=race).update(seed=seed)
    race = play.start(race, by=users[0])
    path = race.get_absolute_url()
    readers = {name: Reader(server.port, path, signed_on(user)) for name, user in zip(PEOPLE, users, strict=True)}
    return Ride(readers, race, random.Random(number))


class Rides:
    """As many races as there have to be."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.count = 0
        self.longest = 0
        self.running: Ride | None = None
        self.kinds: Counter[str] = Counter()
        self.pages: list[float] = []

    def new(self) -> Ride:
        self.count += 1
        return new_ride(self.server, self.count)

    def next(self) -> tuple[Ride, Reader, dict[str, str]]:
        """The next answer of the race that runs, or of a new one."""
        while True:
            if self.running is None:
                self.running = self.new()
            if (found := self.running.next()) is not None:
                self.longest = max(self.longest, self.running.race.n)
                return self.running, *found
            self.kinds += self.running.kinds
            self.pages += self.running.pages
            self.running = None


def one_by_one(rides: Rides) -> tuple[dict[str, list[float]], dict[str, float]]:
    """Seconds of each kind: a move, a bare post, a kept move, a bare post, and so on; and the processor's of each, the mean."""
    took: dict[str, list[float]] = defaultdict(list)
    worked: dict[str, list[float]] = defaultdict(list)
    cpu = rides.server.cpu
    for number in range(MOVES):
        for kind, headers, wanted in (("move", HTMX, 200), ("kept", {}, 302)):
            ride, reader, data = rides.next()
            marks = [cpu()]
            seconds, status, _body = reader.ask("POST", reader.path, data, headers)
            assert status == wanted, status
            marks.append(cpu())
            ride.check()
            bare, status, _body = reader.ask("POST", "/bare/", {"text": data["decision"]}, {})
            assert status == 200, status
            marks.append(cpu())
            if number >= WARM_UP:
                worked[kind].append(marks[1] - marks[0])
                worked["bare"].append(marks[2] - marks[1])
                took[kind].append(seconds)
                took["bare"].append(bare)
                took["page"].append(ride.pages[-1])
    return took, {kind: mean(found) for kind, found in worked.items()}


def at_once(rides: Rides) -> dict[str, list[float]]:
    """Requests a second of bursts, in turn: a move in each of four races, a kept one, and four bare posts."""
    running = [rides.new() for _ in PEOPLE]
    rates: dict[str, list[float]] = defaultdict(list)
    for _ in range(BURSTS):
        for kind, headers, wanted in (("move", HTMX, 200), ("kept", {}, 302)):
            ready: list[tuple[Reader, dict[str, str]]] = []
            for place in range(len(running)):
                while (found := running[place].next()) is None:
                    running[place] = rides.new()
                ready.append(found)
            rates[kind].append(burst([(reader, reader.path, data, headers, wanted) for reader, data in ready]))
            for ride in running:
                ride.check()
            rates["bare"].append(burst([(reader, "/bare/", {"text": "x"}, {}, 200) for reader, _ in ready]))
    return rates


def burst(posts: list[tuple[Reader, str, Mapping[str, str], Mapping[str, str], int]]) -> float:
    """Requests a second of posts that all start in the same moment."""
    barrier = threading.Barrier(len(posts) + 1)
    wrong: list[int] = []

    def post(reader: Reader, path: str, data: Mapping[str, str], headers: Mapping[str, str], wanted: int) -> None:
        barrier.wait()
        _took, status, _body = reader.ask("POST", path, data, headers)
        if status != wanted:
            wrong.append(status)

    threads = [threading.Thread(target=post, args=one) for one in posts]
    for thread in threads:
        thread.start()
    barrier.wait()
    start = time.perf_counter()
    for thread in threads:
        thread.join()
    took = time.perf_counter() - start
    assert not wrong, wrong
    return len(posts) / took


def queries(rides: Rides) -> tuple[float, float]:
    """Trips to the database of a move without its page and of the page, counted in this process: the mean of some."""
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    counts: dict[str, list[int]] = defaultdict(list)
    for _ in range(10):
        for kind, headers in (("move", {"hx-request": "true"}), ("kept", {})):
            ride, reader, data = rides.next()
            client = Client(HTTP_HOST="127.0.0.1")
            name, _, value = reader.cookie.partition("=")
            client.cookies[name] = value
            with CaptureQueriesContext(connection) as captured:
                answer = client.post(reader.path, data, headers=headers)
            assert answer.status_code in (200, 302), answer.status_code
            ride.check()
            counts[kind].append(len(captured))
    kept = sum(counts["kept"]) / len(counts["kept"])
    return kept, sum(counts["move"]) / len(counts["move"])


def late(took: list[float]) -> float:
    """What nineteen of twenty were quicker than."""
    return sorted(took)[int(len(took) * 0.95)]


def settings() -> str:
    """What PostgreSQL itself says of how it keeps a commit."""
    from django.db import connection

    told = []
    with connection.cursor() as cursor:
        for name in ("server_version", "fsync", "synchronous_commit", "full_page_writes"):
            cursor.execute(f"SHOW {name}")
            told.append(f"{name} {cursor.fetchone()[0]}")
    return "PostgreSQL: " + ", ".join(told)


def measure() -> None:
    """The table, with Django and both servers there."""
    import django

    django.setup()
    from django.core.management import call_command

    from bench.bare import make_table

    call_command("migrate", verbosity=0)
    make_table()
    with Server() as server:
        rides = Rides(server)
        took, worked = one_by_one(rides)
        rates = at_once(rides)
        kept_queries, move_queries = queries(rides)
    bare = median(took["bare"])
    sys.stdout.write(f"{settings()}; races of up to {rides.longest} entries\n")
    sys.stdout.write(f"{'what':<24}{'ratio':>9}{'p50 ms':>10}{'p95 ms':>10}{'cpu ms':>10}   note\n")
    for kind, note in (
        ("move", "the answer has the board"),
        ("kept", "the answer is a redirect"),
        ("page", "the page alone"),
        ("bare", "one row, one commit"),
    ):
        middle = median(took[kind])
        busy = f"{worked[kind] * 1000:.1f}" if worked.get(kind) else "-"
        against = f", cpu {worked[kind] / worked['bare']:.1f} : 1" if worked.get(kind) and worked["bare"] else ""
        sys.stdout.write(
            f"{f'{kind} : bare view':<24}{middle / bare:>9.2f}{middle * 1000:>10.2f}{late(took[kind]) * 1000:>10.2f}"
            f"{busy:>10}   {1 / middle:.0f}/s one by one{against}; {note}\n"
        )
    each = {kind: median(found) for kind, found in rates.items()}
    sys.stdout.write(
        f"{'moves at once : bare':<24}{each['bare'] / each['move']:>9.2f}{'':>20}   "
        f"{each['move']:.0f} moves/s with their pages, {each['kept']:.0f}/s without, {each['bare']:.0f}/s bare; four at once\n"
        f"{'queries':<24}{'':>9}{'':>30}   {kept_queries:.1f} of a move, {move_queries:.1f} with its page\n"
    )


def main(measured: Callable[[], None] = measure) -> None:
    try:
        with services():
            measured()
    except Missing as fault:
        sys.stdout.write(f"NOT MEASURED: {fault}\n")
        if os.environ.get("REQUIRE_SERVICES") == "1":
            sys.exit(1)


if __name__ == "__main__":
    main()
