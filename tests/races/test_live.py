"""Live updates on the site as it is run: uvicorn, the real database, many streams."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import pytest
from django.contrib.sessions.backends.cached_db import SessionStore
from django.contrib.sessions.models import Session
from django.db import OperationalError, connection, transaction
from django.test import Client
from django.urls import reverse

from races import chat, live, play
from races.chat import Writer
from races.live import Hub, Mark
from races.models import Part, Race, Talk
from tests.asgi import Site, Stream
from tests.races.rides import BOTTLES, answer, due, fresh, opened, started, user_called

Result = TypeVar("Result")
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def site(transactional_db: None) -> Iterator[Site]:
    with Site() as running:
        yield running


def events(race: Race) -> str:
    return reverse("races:events", args=[race.key])


def version(race: Race) -> str:
    return reverse("races:version", args=[race.key])


def quiet(stream: Stream) -> Stream:
    """The stream when it has told how the race stands."""
    assert stream.status == 200
    assert stream.upto("room") is not None
    stream.answer.readline()
    return stream


# ---- the stream ------------------------------------------------------------------------------------------------------
def test_a_stream_says_at_once_how_far_the_race_is(site: Site) -> None:
    race = started()
    n = fresh(race).n

    stream = site.stream(events(race))

    assert stream.answer.getheader("Content-Type") == "text/event-stream"
    assert stream.answer.getheader("Cache-Control") == "no-cache, no-transform"
    assert stream.answer.getheader("X-Accel-Buffering") == "no"
    assert stream.next() == ("race", str(n))
    assert stream.next() == ("room", "running.2")
    stream.close()


def test_an_entry_is_told_after_its_commit_and_never_before(site: Site) -> None:
    race = started()
    stream = quiet(site.stream(events(race)))

    with transaction.atomic():
        answer(race)
        assert stream.is_silent(1.5)

    assert stream.next() == ("race", str(fresh(race).n))
    stream.close()


def test_an_entry_that_is_rolled_back_is_never_told(site: Site) -> None:
    race = started()
    stream = quiet(site.stream(events(race)))

    with transaction.atomic():
        answer(race)
        transaction.set_rollback(True)

    assert stream.is_silent(1.5)
    stream.close()


def test_who_comes_back_is_told_what_he_missed_at_once(site: Site) -> None:
    race = started()
    stream = quiet(site.stream(events(race)))
    stream.close()
    answer(race)
    n = fresh(race).n

    again = site.stream(events(race))

    assert again.next() == ("race", str(n))
    again.close()


def test_somebody_who_sits_down_is_told_without_an_entry(site: Site) -> None:
    race = opened()
    race.seats.filter(name="Bruno").update(user=None)
    stream = site.stream(events(race))
    assert stream.upto("room") == ("room", "open.1")

    race.seats.filter(name="Bruno").update(user=user_called("Bruno"))

    assert stream.next() == ("room", "open.2")
    play.start(race, by=race.owner)
    assert stream.upto("room") == ("room", "running.2")
    stream.close()


def test_what_is_said_is_told_without_an_entry_and_to_who_comes_back(site: Site) -> None:
    race = started()
    stream = quiet(site.stream(events(race)))
    anna = Writer(user=user_called("Anna"), guest="", seat="Anna", name="Anna", part=Part.RIDES)

    with transaction.atomic():
        chat.write(race, anna, "Allez!", key="one")
        assert stream.is_silent(1.0)

    assert stream.next() == ("chat", "1")
    chat.delete(race, 1, anna)
    assert stream.next() == ("chat", "2")
    again = site.stream(events(race))
    assert [again.next(), again.next()] == [("race", str(fresh(race).n)), ("chat", "2")]
    again.close()
    stream.close()


def test_a_stream_ends_with_its_race(site: Site) -> None:
    race = started()
    stream = quiet(site.stream(events(race)))

    play.abandon(race.pk, reason="It rains.", by=race.owner)

    assert stream.next() == ("race", str(fresh(race).n))
    assert stream.next() == ("room", "abandoned.2")
    assert stream.next() == ("over", str(fresh(race).n))
    assert stream.next() is None


def test_a_race_that_is_deleted_ends_its_streams(site: Site) -> None:
    race = started()
    stream = quiet(site.stream(events(race)))

    fresh(race).delete()

    assert stream.next() is None


def test_silence_is_broken_before_a_proxy_gives_up(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "PING", 0.2)
    stream = quiet(site.stream(events(started())))

    assert [stream.next(pings=True) for _ in range(3)] == [("ping", "")] * 3
    stream.close()


def test_an_old_stream_ends_so_that_the_browser_comes_back(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "AGE", 0.5)
    stream = quiet(site.stream(events(started())))

    assert stream.next() is None


# ---- who may listen --------------------------------------------------------------------------------------------------
def test_a_private_race_has_a_stream_for_its_riders_and_none_for_others(site: Site) -> None:
    race = started(is_public=False)

    rider = site.stream(events(race), user_called("Anna"))
    stranger = site.stream(events(race))
    other = site.stream(events(race), user_called("Dino"))

    assert (rider.status, stranger.status, other.status) == (200, 404, 404)
    assert Client().get(version(race)).status_code == 404
    rider.close()


def test_a_race_that_becomes_private_is_told_to_its_riders_alone(site: Site) -> None:
    race = started()
    rider, stranger = quiet(site.stream(events(race), user_called("Anna"))), quiet(site.stream(events(race)))

    Race.objects.filter(pk=race.pk).update(is_public=False)

    assert stranger.next() is None
    answer(race)
    assert rider.next() == ("race", str(fresh(race).n))
    rider.close()


@pytest.mark.parametrize("how", ["loses his seat", "signs off", "changes his password"])
def test_a_stream_of_a_private_race_ends_with_the_right_to_watch_it(
    site: Site, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    monkeypatch.setattr(live, "ACCESS", 0.5)
    race = started(is_public=False)
    bruno = user_called("Bruno")
    anna, stream = site.stream(events(race), user_called("Anna")), site.stream(events(race), bruno)
    quiet(anna), quiet(stream)
    assert stream.is_silent(1.5)

    match how:
        case "loses his seat":
            race.seats.filter(name="Bruno").update(user=user_called("Carla"))
        case "signs off":
            for session in Session.objects.all():
                if session.get_decoded()["_auth_user_id"] == str(bruno.pk):
                    SessionStore(session.session_key).delete()  # as signing off does
        case _:
            bruno.set_password("another")
            bruno.save()

    assert stream.next() is None
    answer(race)
    assert anna.next() == ("race", str(fresh(race).n))
    anna.close()


def test_a_server_with_enough_streams_leaves_the_rest_to_the_poll(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "STREAMS", 1)
    race = started()
    first = quiet(site.stream(events(race)))

    second = site.stream(events(race))

    assert second.status == 204
    first.close()


# ---- what it costs ---------------------------------------------------------------------------------------------------
def connections() -> int:
    """Connections to the test's database, this one not counted."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        return int(cursor.fetchone()[0])


def test_fifty_streams_hold_no_database_connection_and_no_thread(site: Site) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("needs PostgreSQL")
    race = started()
    before = threading.active_count()
    others = connections()  # of what an earlier test has left running
    streams = [quiet(site.stream(events(race), user_called("Anna"))) for _ in range(50)]

    seen = []
    for _ in range(40):
        seen.append(connections())
        time.sleep(0.05)
    threads = threading.active_count() - before

    assert sorted(seen)[len(seen) // 2] == others, seen
    assert max(seen) <= others + 1  # the hub's, while it asks
    assert threads <= 5
    answer(race)
    n = str(fresh(race).n)
    assert [stream.next() for stream in streams] == [("race", n)] * 50
    for stream in streams:
        stream.close()


@pytest.mark.django_db
def test_all_watched_races_are_one_query(django_assert_num_queries) -> None:
    races = [started(), opened(robots={"Cleo": "easy"}), started(is_public=False)]
    keys = [race.key for race in races]
    Talk.objects.create(race=races[1], n=7)

    with django_assert_num_queries(1):
        found = live.marks([*keys, "no-such-race"])

    assert found == {
        keys[0]: Mark(fresh(races[0]).n, "running", 2, True),
        keys[1]: Mark(0, "open", 3, True, chat=7),
        keys[2]: Mark(fresh(races[2]).n, "running", 2, False),
    }


# ---- the hub ---------------------------------------------------------------------------------------------------------
def looks(*answers: dict[str, Mark] | Exception):
    """What the database says at each look; the last for ever."""
    left = list(answers)

    def ask(keys: object) -> dict[str, Mark]:
        now = left.pop(0) if len(left) > 1 else left[0]
        if isinstance(now, Exception):
            raise now
        return now

    return ask


def run(what: Coroutine[Any, Any, Result]) -> Result:
    """In a thread of its own: a browser of other tests may keep a loop in this one."""
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(asyncio.run, what).result()


def mark(n: int) -> Mark:
    return Mark(n, "running", 2, True)


def test_a_look_that_began_before_the_viewer_came_does_not_take_him_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "_marks_and_close", looks({"a": mark(57)}, {"a": mark(57)}, {"a": mark(59)}))

    async def watch() -> list[int]:
        hub, told = Hub(tick=0.01), []
        with hub.watch("a", mark(58)) as watcher:
            await asyncio.wait_for(watcher.woken.wait(), 5)
            told.append(watcher.mark.n)
        return told

    assert run(watch()) == [59]


def test_a_look_that_began_before_something_was_said_does_not_take_it_back(monkeypatch: pytest.MonkeyPatch) -> None:
    said = mark(58)._replace(chat=3)
    looked = looks({"a": mark(58)._replace(chat=2)}, {"a": said}, {"a": mark(59)._replace(chat=3)})
    monkeypatch.setattr(live, "_marks_and_close", looked)

    async def watch() -> Mark | None:
        with Hub(tick=0.01).watch("a", said) as watcher:
            await asyncio.wait_for(watcher.woken.wait(), 5)
            return watcher.mark

    assert run(watch()) == mark(59)._replace(chat=3)


def test_the_hub_outlives_a_database_that_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "_marks_and_close", looks(OperationalError("away"), OperationalError(), {"a": mark(2)}))

    async def watch() -> Mark | None:
        with Hub(tick=0.01).watch("a", mark(1)) as watcher:
            await asyncio.wait_for(watcher.woken.wait(), 5)
            return watcher.mark

    assert run(watch()) == mark(2)


def test_the_hub_asks_only_while_somebody_watches(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str]] = []

    def ask(keys: list[str]) -> dict[str, Mark]:
        asked.append(sorted(keys))
        return {key: mark(1) for key in keys}

    monkeypatch.setattr(live, "_marks_and_close", ask)

    async def watch() -> None:
        hub = Hub(tick=0.01)
        with hub.watch("a", mark(1)), hub.watch("a", mark(1)), hub.watch("b", mark(1)):
            await asyncio.sleep(0.1)
        await asyncio.sleep(0.1)
        asked.append(["nobody"])
        await asyncio.sleep(0.1)
        with hub.watch("c", mark(1)):
            await asyncio.sleep(0.1)

    run(watch())

    end = asked.index(["nobody"])
    assert {tuple(keys) for keys in asked[:end]} == {("a", "b")}
    assert {tuple(keys) for keys in asked[end + 1 :]} == {("c",)}


def test_the_site_stops_at_once_though_a_stream_is_open(tmp_path: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    env = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}
    env |= {"DATA_DIR": str(tmp_path), "HTTPS": "0", "SECRET_KEY": "x" * 60, "PORT": str(port)}
    make = "from races.models import Race; Race.objects.create(key='evening', title='Evening', game='giro', version=1)"
    for command in (["migrate", "--verbosity", "0"], ["shell", "-c", make]):
        subprocess.run([sys.executable, "manage.py", *command], cwd=ROOT, env=env, check=True)
    site = subprocess.Popen(
        [sys.executable, "manage.py", "serve"], cwd=ROOT, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    try:
        end = time.monotonic() + 30
        while True:
            try:
                stream = quiet(Stream(port, "/races/evening/events/", {}))
                break
            except ConnectionRefusedError:
                assert time.monotonic() < end, "the site did not start"
                time.sleep(0.1)

        site.send_signal(signal.SIGTERM)

        assert stream.next() is None
        said = site.communicate(timeout=10)[0].decode()
        assert "Stopped." in said
        assert "Cancel" not in said
        assert "Traceback" not in said
    finally:
        site.kill()
        site.wait()


# ---- the poll --------------------------------------------------------------------------------------------------------
@pytest.mark.django_db
def test_the_poll_says_how_far_the_race_is_and_whether_it_waits_for_who_asks() -> None:
    race = started()
    whose = due(race).seat
    other = next(s.name for s in race.seats.all() if s.name != whose)
    first, second = Client(), Client()
    first.force_login(user_called(whose))
    second.force_login(user_called(other))
    n = fresh(race).n

    assert first.get(version(race)).json() == {"n": n, "room": "running.2", "chat": 0, "due": True}
    assert second.get(version(race)).json() == {"n": n, "room": "running.2", "chat": 0, "due": False}
    assert Client().get(version(race)).json() == {"n": n, "room": "running.2", "chat": 0, "due": False}


@pytest.mark.django_db
def test_no_news_is_a_304() -> None:
    race = started()
    client = Client()
    client.force_login(user_called("Anna"))
    first = client.get(version(race))

    again = client.get(version(race), headers={"if-none-match": first["ETag"]})
    answer(race)
    later = client.get(version(race), headers={"if-none-match": first["ETag"]})

    assert "no-cache" in first["Cache-Control"]
    assert "private" in first["Cache-Control"]
    assert "Cookie" in first["Vary"]
    assert (again.status_code, later.status_code) == (304, 200)
    assert later.json()["n"] == fresh(race).n


@pytest.mark.django_db
def test_at_a_table_the_race_waits_for_whoever_has_the_phone() -> None:
    race = started(way="refereed")
    referee, rider = Client(), Client()
    referee.force_login(race.owner)
    rider.force_login(user_called("Dino"))

    assert referee.get(version(race)).json()["due"] is True
    assert rider.get(version(race)).json()["due"] is False


@pytest.mark.django_db
def test_the_poll_of_others_is_the_same_whatever_somebody_chose_in_secret() -> None:
    found = []
    for pick in (0, -1):
        race = started(BOTTLES)
        client = Client()
        client.force_login(user_called("Dino"))
        answer(race, choose=lambda legal, pick=pick: legal[pick])
        found.append({**client.get(version(race)).json(), "n": fresh(race).n})

    assert found[0]["due"] is found[1]["due"] is False
    assert set(found[0]) == {"n", "room", "chat", "due"}


@pytest.mark.django_db
def test_a_server_that_cannot_stream_says_so_in_a_way_that_browsers_do_not_repeat() -> None:
    assert Client().get(events(started())).status_code == 204
