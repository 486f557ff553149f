"""The one door under attack: many at once, deadlines, transactions that fail. On a real PostgreSQL."""

import json
import random
import threading
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial
from http import HTTPStatus
from typing import Any

import pytest
from django.conf import settings
from django.db import DatabaseError, connection, connections, transaction
from django.test import Client
from django.utils import timezone

from races import clocks, play, watch
from races.errors import Refused, StaleTurn
from races.models import Clock, Entry, Policy, Position, Pulse, Race, Receipt, StandIn, Status
from races.transfer import log_of as log_as_seen
from rules import registry
from rules.game import Decision, Seat, Taker
from rules.giro.actions import End
from tests.races.rides import CRONO, answer, due, fresh, ride, started, taken, user_called, whole
from tests.rules.coin import COIN, Call, Side

AT_ONCE = 20

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]
row_locks = pytest.mark.skipif(  # SQLite has no row locks to attack; in CI a skipped test fails the run
    "sqlite" in settings.DATABASES["default"]["ENGINE"], reason="needs PostgreSQL: row locks"
)


@pytest.fixture(autouse=True)
def no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody else advances these races."""
    monkeypatch.setattr("races.tasks.advance.delay", lambda race_id: None)


def at_once(*jobs: Callable[[], Any]) -> list[Any]:
    """Run the jobs in threads of their own, each with its own connection, released at one moment: what each gave or raised."""
    barrier = threading.Barrier(len(jobs))
    outcomes: list[Any] = [None] * len(jobs)

    def run(number: int, job: Callable[[], Any]) -> None:
        try:
            connection.ensure_connection()
            barrier.wait(30)
            outcomes[number] = job()
        except Exception as raised:  # noqa: BLE001 - the test says which of them it expects
            outcomes[number] = raised
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=(number, job)) for number, job in enumerate(jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return outcomes


# ---- many at once ----------------------------------------------------------------------------------------------------
@row_locks
class TestManyAtOnce:
    def test_one_submission_sent_twenty_times_is_one_entry_and_one_answer(self):
        race = started()

        def post() -> int:
            return play.submit(race.pk, seat="Anna", action=End(), decision="attack:Anna::", after=0, key="one").n

        assert at_once(*[post] * AT_ONCE) == [1] * AT_ONCE
        assert taken(race) == ["Anna"]
        assert Receipt.objects.filter(race=race).count() == 1
        whole(race)

    def test_of_twenty_submissions_for_one_decision_one_is_taken_and_the_others_hear_that_they_are_late(self):
        race = started()

        def post(key: str) -> int:
            return play.submit(race.pk, seat="Anna", action=End(), decision="attack:Anna::", after=0, key=key).n

        got = at_once(*[lambda key=f"k{n}": post(key) for n in range(AT_ONCE)])

        assert Counter(type(one) for one in got) == {int: 1, StaleTurn: AT_ONCE - 1}
        assert taken(race) == ["Anna"]
        whole(race)

    @pytest.mark.parametrize("one_key", [True, False], ids=["one key", "twenty keys"])
    def test_twenty_posts_of_a_browser_are_one_entry_and_nobody_sees_an_error(self, one_key: bool):
        race = started()

        def post(number: int) -> int:
            client = Client()
            client.force_login(user_called("Anna"))
            key = "k" if one_key else f"k{number}"
            told = {"decision": "attack:Anna::", "after": 0, "key": key, "action": '{"kind": "end"}'}
            return client.post(race.get_absolute_url(), told).status_code

        got = at_once(*[partial(post, number) for number in range(AT_ONCE)])

        late = 0 if one_key else AT_ONCE - 1
        assert Counter(got) == Counter({HTTPStatus.FOUND: AT_ONCE - late, HTTPStatus.CONFLICT: late})
        assert taken(race) == ["Anna"]
        whole(race)

    def test_a_hidden_field_with_somebody_elses_decision_is_forbidden_and_stores_nothing(self):
        race = started(CRONO)
        client = Client()
        client.force_login(user_called("Anna"))
        before = _everything(race)
        told = {"decision": "move:Bruno:bruno:", "after": 0, "key": "k", "action": '{"kind": "move", "path": [0]}'}

        assert client.post(race.get_absolute_url(), told).status_code == HTTPStatus.FORBIDDEN
        assert _everything(race) == before

    def test_six_riders_of_a_time_trial_answer_at_once_fifty_times_and_nobody_is_refused(self):
        names = ["Anna", "Bruno", "Carla", "Dino", "Enzo", "Fede"]
        race, rounds, rng = started(CRONO, people=names), 0, random.Random(2)
        while rounds < 50:
            table = play.look(fresh(race))
            if {decision.seat for decision in table.decisions} != set(names):
                whole(ride(race))
                race = started(CRONO, people=names, luck=rounds + 2)
                continue
            jobs = [
                partial(
                    play.submit,
                    race.pk,
                    seat=str(decision.seat),
                    action=rng.choice(list(table.game.legal(table.state, decision))[:4]),
                    decision=play.name_of(decision),
                    after=table.opened[play.name_of(decision)],
                    key=uuid.uuid4().hex,
                )
                for decision in table.decisions
            ]
            before = fresh(race).n

            got = at_once(*jobs)

            assert all(isinstance(one, play.Done) for one in got), got
            assert sorted(taken(race, before)) == names
            rounds += 1
        whole(race)

    def test_a_person_and_two_workers_on_one_race_lose_nothing(self):
        race = started(CRONO, people=["Anna", "Bruno"], robots={"Carla": "easy", "Dino": "club"})

        def people(name: str) -> int:
            answered = 0
            for _n in range(4):
                answer(race, seat=name)
                answered += 1
            return answered

        got = at_once(
            lambda: people("Anna"),
            lambda: people("Bruno"),
            lambda: play.advance(race.pk),
            lambda: play.advance(race.pk),
        )

        assert got[:2] == [4, 4]
        assert {type(one) for one in got[2:]} == {bool}
        assert (taken(race).count("Anna"), taken(race).count("Bruno")) == (4, 4)
        whole(race)

    def test_a_task_that_runs_four_times_at_once_takes_each_decision_of_a_bot_once(self, monkeypatch):
        race = started(people=(), robots={"Anna": "easy", "Bruno": "easy", "Carla": "easy"})
        handed: list[bool] = []
        hand_in = play._hand_in

        def counting(race_id: int, thought: play.Thought, action: Any) -> bool:
            accepted = hand_in(race_id, thought, action)
            handed.append(accepted)
            return accepted

        monkeypatch.setattr(play, "_hand_in", counting)

        got = at_once(*[lambda: play.advance(race.pk)] * 4)

        assert {type(one) for one in got} == {bool}
        assert fresh(race).status == Status.OVER
        assert handed.count(True) == len(taken(race))
        whole(race)

    def test_of_two_who_take_back_at_once_one_does(self):
        race = started()
        answer(race, End(), seat="Anna")

        got = at_once(*[lambda: play.take_back(race.pk, seat="Anna", by=None)] * 4)

        assert sum(isinstance(one, int) for one in got) == 1
        assert sum(isinstance(one, Refused) for one in got) == 3
        assert race.entries.filter(rewind_to__isnull=False).count() == 1
        whole(race)

    def test_a_rewind_and_answers_at_once_leave_a_whole_log(self):
        race = started(CRONO, people=["Anna", "Bruno", "Carla"])
        for name in ("Anna", "Bruno", "Carla"):
            answer(race, seat=name)

        got = at_once(
            lambda: answer(race, seat="Anna"),
            lambda: answer(race, seat="Bruno"),
            lambda: play.rewind(race.pk, to=0, reason="Again.", by=None),
            lambda: play.substitute(race.pk, seat="Carla", user=None, bot="easy", label="", by=None),
        )

        assert {type(one) for one in got} <= {int, StaleTurn}
        assert isinstance(got[2], int)
        whole(race)

    def test_a_race_that_is_started_by_four_at_once_starts_once(self):
        from tests.races.rides import opened

        race = opened()

        got = at_once(*[lambda: play.start(Race.objects.get(pk=race.pk), by=None)] * 4)

        assert sum(isinstance(one, Race) for one in got) == 1
        assert sum(isinstance(one, Refused) for one in got) == 3
        assert Position.objects.filter(race=race).count() == 1

    def test_the_last_answer_given_twice_ends_the_race_once(self):
        from races.signals import race_over

        race = ride(
            started(CRONO, people=["Anna"]),
            until=lambda now: any(play.game_of(now).outcome(state) for state in _nexts(now)),
        )
        table = play.look(race)
        decision = table.decisions[0]
        last = next(
            action
            for action in table.game.legal(table.state, decision)
            if not table.game.decisions(table.game.apply(table.state, action).state)
        )
        told: list[int] = []

        def hear(sender: object, race_id: int, **more: object) -> None:
            told.append(race_id)

        race_over.connect(hear)
        try:
            at_once(*[lambda: answer(race, last, decision=decision)] * 6)
        finally:
            race_over.disconnect(hear)

        assert fresh(race).status == Status.OVER
        assert told == [race.pk]
        whole(race)


# ---- the last secret choice against the reveal ------------------------------------------------------------------------
@row_locks
class TestSecretChoices:
    def test_the_last_two_secret_choices_at_one_moment_lead_to_one_reveal_and_nobody_saw_them_before(self, monkeypatch):
        monkeypatch.setitem(registry.GAMES, "coin", {1: lambda: COIN})
        names, rounds, rng = ["Anna", "Bruno", "Carla"], 30, random.Random(5)
        seats = [{"name": name, "user": user_called(name), "takes_single": False} for name in names]
        race = play.open_race(title="Coins", game="coin", options={"goal": 999}, seats=seats, owner=user_called("Olga"))
        race = play.start(race, by=race.owner)
        called: dict[str, Side] = {}
        done = threading.Event()

        def call(name: str) -> int:
            try:
                return answer(race, Call(seat=Seat(name), side=called[name]), seat=name)
            finally:
                done.set()

        def onlooker(name: str | None) -> int:
            """Look as somebody who watches, as long as the choices are on their way and once after it; how often."""
            looks, last = 0, False
            while not last:
                last = done.is_set()
                assert peeked(race, name) == []
                looks += 1
            return looks

        for _n in range(rounds):
            called = {name: rng.choice(list(Side)) for name in names}
            done.clear()
            first, *last = rng.sample(names, 3)
            call(first)
            done.clear()

            got = at_once(*[partial(call, name) for name in last], *[partial(onlooker, who) for who in (*last, None)])

            assert all(isinstance(one, int) for one in got), got
            *calls, shown, toss = _events(race)[-5:]
            assert {event["seat"]: event["side"] for event in calls} == called
            assert shown == {"kind": "shown", "calls": called}
            assert toss["kind"] == "tossed"
            assert play.look(fresh(race)).decisions != ()

        assert Counter(event["kind"] for event in _events(race)) == {
            "called": rounds * len(names), "shown": rounds, "tossed": rounds,
        }  # fmt: skip
        assert play.recompute(race.pk) is True
        whole(race)


def _events(race: Race) -> list[dict[str, Any]]:
    return [event for entry in race.entries.all() for event in entry.events]


def peeked(race: Race, seat: str | None) -> list[Any]:
    """What somebody is told of the calls of others before all have called: by the position, and by the log."""
    table = play.look(fresh(race))
    view = table.game.write_view(table.game.view(table.state, seat))
    known = [caller for caller in view["callers"] if caller["id"] != seat and caller["call"] is not None]
    told = [
        entry for entry in log_as_seen(fresh(race), seat)["entries"] if entry.get("action", {}).get("kind") == "call"
    ]
    return known + [entry for entry in told if entry["seat"] != seat and entry["action"]["side"] is not None]


# ---- the deadline against the answer ---------------------------------------------------------------------------------
@row_locks
class TestDeadline:
    ROUNDS = 24

    @pytest.mark.parametrize("policy", [Policy.DECIDE, Policy.SEAT])
    def test_time_that_is_up_and_an_answer_at_one_moment_are_one_entry_and_who_was_late_hears_it(self, policy: Policy):
        race, outcomes = started(), Counter[int]()
        Clock.objects.create(race=race, minutes=1, policy=policy)
        for number in range(self.ROUNDS):
            if len(play.look(fresh(race)).decisions) == 0:
                whole(race)
                race = started(luck=number + 2)
                Clock.objects.create(race=race, minutes=1, policy=policy)
            _all_is_long_ago(race)
            decision, before = due(race), fresh(race).n
            name = str(decision.seat)
            client = Client()
            client.force_login(user_called(name))
            post = partial(client.post, race.get_absolute_url(), _form(race, decision, key=f"k{number}"))
            if number == 0:
                clocks.sweep()
                answered = post()
            elif number == 1:
                answered = post()
                clocks.sweep()
            else:
                answered, swept = at_once(post, clocks.sweep)
                assert isinstance(swept, int), swept

            assert not isinstance(answered, Exception), answered
            outcomes[answered.status_code] += 1
            first = race.entries.filter(n__gt=before).first()
            answers = [entry for entry in race.entries.filter(n__gt=before, taker="seat") if entry.after == first.after]
            receipt = Receipt.objects.filter(race=race, key=f"k{number}").first()
            if answered.status_code == HTTPStatus.FOUND:  # in time: nothing is taken out of his hand
                assert (first.seat, first.by, receipt.n) == (name, user_called(name), first.n)
                assert fresh(race).seats.get(name=name).user == user_called(name)
                assert not StandIn.objects.filter(race=race, user=user_called(name)).exists()
            else:
                assert answered.status_code == HTTPStatus.CONFLICT
                assert first.note == {"kind": "time", "seat": name, "policy": policy.value, "bot": LEVELS[policy]}
                assert receipt is None
                assert not race.entries.filter(n__gt=before, by=user_called(name)).exists()
                said = "a bot rides for you now" if policy == Policy.SEAT else "The race moved on"
                assert said in answered.content.decode()
            assert len(answers) <= 1
            if policy == Policy.SEAT:
                _everybody_is_back(race)
        assert set(outcomes) == {HTTPStatus.FOUND, HTTPStatus.CONFLICT}
        whole(race)


LEVELS = {Policy.DECIDE: "", Policy.SEAT: clocks.LEVEL}


def _all_is_long_ago(race: Race) -> None:
    """Everybody's time is up."""
    then = timezone.now() - timedelta(minutes=5)
    Race.objects.filter(pk=race.pk).update(started_at=then)
    Entry.objects.filter(race=race).update(at=then)
    Pulse.objects.all().delete()  # or the site would have slept


def _form(race: Race, decision: Decision, *, key: str) -> dict[str, Any]:
    """What a browser posts that answers as the rules would."""
    table = play.look(fresh(race))
    name = play.name_of(decision)
    action = table.game.write_action(table.game.default(table.state, decision))
    return {"decision": name, "after": table.opened[name], "key": key, "action": json.dumps(action)}


def _everybody_is_back(race: Race) -> None:
    for stand_in in StandIn.objects.filter(race=race):
        clocks.come_back(race.pk, stand_in.user)


def _nexts(race: Race) -> Iterator[Any]:
    """The positions one answer further."""
    table = play.look(race)
    for decision in table.decisions:
        if decision.taker is Taker.SEAT:
            for action in table.game.legal(table.state, decision):
                yield table.game.apply(table.state, action).state


# ---- what fails half-way ---------------------------------------------------------------------------------------------
class TestHalfWay:
    @pytest.mark.parametrize("where", ["position", "race", "receipt"])
    def test_a_transaction_that_fails_after_the_entry_leaves_nothing(self, monkeypatch, where: str):
        race = started()
        before = _everything(race)

        def fails(*args: object, **more: object) -> None:
            raise DatabaseError("the disk is full")

        if where == "position":
            monkeypatch.setattr("django.db.models.query.QuerySet.update", fails)
        elif where == "race":
            monkeypatch.setattr(Race, "save", fails)
        else:
            monkeypatch.setattr(Receipt.objects, "create", fails)

        with pytest.raises(DatabaseError, match="disk is full"):
            play.submit(race.pk, seat="Anna", action=End(), decision="attack:Anna::", after=0, key="k")
        monkeypatch.undo()

        assert _everything(race) == before
        assert answer(race, End(), seat="Anna", key="k") == 1

    def test_a_rewind_that_fails_leaves_the_race_as_it_was(self, monkeypatch):
        race = started()
        answer(race, End(), seat="Anna")
        before = _everything(race)

        def fails(*args: object, **more: object) -> None:
            raise DatabaseError("the disk is full")

        monkeypatch.setattr(play, "_keep", fails)
        with pytest.raises(DatabaseError):
            play.rewind(race.pk, to=0, reason="Again.", by=None)
        monkeypatch.undo()

        assert _everything(race) == before

    def test_the_queue_out_of_reach_takes_no_answer_away(self, monkeypatch):
        def unreachable(*args: object, **more: object) -> None:
            raise ConnectionError

        monkeypatch.setattr("races.tasks.advance.delay", unreachable)
        race = started(people=["Anna"], robots={"Bruno": "easy"})

        assert answer(race, End(), seat="Anna") == 1

        woken: list[int] = []
        monkeypatch.setattr("races.tasks.advance.delay", woken.append)
        watch.sweep()
        assert woken == [race.pk]

    def test_the_log_takes_no_entry_without_the_lock(self):
        race = started()
        table = play.look(race)

        with pytest.raises(AssertionError, match="under the race's lock"):
            play.note(table, {"kind": "pause"}, by=None)
        with pytest.raises(AssertionError, match="belongs into a transaction"):
            play._lock(race.pk)

    def test_the_database_itself_takes_no_second_entry_of_a_number_and_no_entry_of_two_things(self):
        race = started()
        answer(race, End(), seat="Anna")

        for wrong in (
            {"n": 1, "action": {"kind": "end"}},
            {"n": 99, "action": {"kind": "end"}, "rewind_to": 0},
            {"n": 99},
        ):
            with pytest.raises(DatabaseError), transaction.atomic():
                Entry.objects.create(race=race, taker="seat", **wrong)
        whole(race)


def _everything(race: Race) -> tuple[Any, ...]:
    now = fresh(race)
    return (
        now.n,
        now.status,
        list(now.entries.values_list("n", "taker", "action")),
        list(Receipt.objects.filter(race=race).order_by("pk").values_list("key", "n")),
        Position.objects.filter(race=race).values("n", "state", "opened").get(),
    )
