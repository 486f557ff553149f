"""The last secret orders at one moment: one turn is ridden, once, and nobody saw any of it before."""

import random
import threading
from functools import partial
from typing import Any

import pytest

from races import play
from races.models import Race
from races.transfer import log_of as log_as_seen
from tests.races.breaking_away.rides import PEOPLE, TEAMS, answer, fresh, racing
from tests.races.rides import whole
from tests.races.test_attacks import at_once, row_locks

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True), row_locks]
TEAM = dict(zip(PEOPLE, TEAMS, strict=True))


@pytest.fixture(autouse=True)
def no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("races.tasks.advance.delay", lambda race_id: None)


def peeked(race: Race, seat: str | None, turn: int) -> list[Any]:
    """What somebody is told of the orders and hands of others while a turn is not ridden: by the position, and by the log."""
    table = play.look(fresh(race))
    if table.state.turn != turn:
        return []  # it is ridden
    view = table.game.view(table.state, seat).state
    field = view.field
    known = [
        name
        for name, owner, racer in zip(field.names, field.seat_of, view.racers, strict=True)
        if field.seats[owner] != seat and racer.hand is not None
    ]
    known += [field.seats[n] for n, told in enumerate(view.orders) if field.seats[n] != seat and told]
    log = [entry for entry in log_as_seen(fresh(race), seat)["entries"] if entry.get("seat") not in (None, seat)]
    secret = [entry["action"] for entry in log if "action" in entry]
    return known + [told for told in secret if told.get("factors") or told.get("hands")]


@pytest.mark.rule("BA-OPT-05", "BA-INFO-01")
def test_the_last_two_orders_at_one_moment_lead_to_one_turn_and_nobody_saw_them_before():
    race, rng = racing(turn_mode="orders", course="classic-140"), random.Random(5)
    done = threading.Event()

    def order(seat: str) -> int:
        try:
            state = play.look(fresh(race)).state
            own = [n for n, owner in enumerate(state.field.seat_of) if state.field.seats[owner] == seat]
            told = {state.field.names[n]: rng.choice(state.racers[n].hand) for n in own}
            return answer(race, seat, {"kind": "orders", "seat": seat, "factors": told})
        finally:
            done.set()

    def onlooker(seat: str | None, turn: int) -> int:
        """Look as somebody who watches, as long as the orders are on their way and once after it; how often."""
        looks, last = 0, False
        while not last:
            last = done.is_set()
            assert peeked(race, seat, turn) == []
            looks += 1
        return looks

    turns = 8
    for turn in range(1, turns + 1):
        first, *last = rng.sample(PEOPLE, 3)
        order(first)
        done.clear()

        got = at_once(
            *[partial(order, seat) for seat in last], *[partial(onlooker, who, turn) for who in (*last, None)]
        )

        assert all(isinstance(one, int) for one in got), got
        assert play.look(fresh(race)).state.turn == turn + 1
        events = [
            event for entry in race.entries.filter(action__kind="orders").order_by("-n")[:3] for event in entry.events
        ]
        assert sum(event["kind"] == "moved" for event in events) == 12

    assert play.recompute(race.pk) is True
    whole(race)


@pytest.mark.rule("BA-OPT-05")
def test_the_same_orders_sent_twice_at_one_moment_are_one_entry():
    race = racing(turn_mode="orders")
    table = play.look(race)
    decision = next(d for d in table.decisions if d.seat == "Anna")
    action = table.game.default(table.state, decision)

    def post() -> int:
        name = play.name_of(decision)
        return play.submit(race.pk, seat="Anna", action=action, decision=name, after=table.opened[name], key="one").n

    got = at_once(*[post] * 10)

    assert len(set(got)) == 1
    assert race.entries.filter(action__kind="orders").count() == 1
    assert TEAM["Anna"] == "R"
