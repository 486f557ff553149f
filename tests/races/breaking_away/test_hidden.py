"""Hands, first factors and orders of others reach nobody: the same pages to the byte, whatever Bruno holds.

The pages, and who asks, are those of `tests/races/test_canary.py`.
"""

import json
import random
import uuid
from typing import Any

import pytest
from django.core.cache import caches

from races import bots, play
from races.access import hashed
from races.models import Race
from rules import registry
from tests.races.breaking_away.rides import HANDS, answer, fresh, open_for, started
from tests.races.factories import person
from tests.races.test_canary import GUEST_KEY, bodies, hidden_of, viewers

pytestmark = pytest.mark.django_db
OTHER = {"1": [9, 8, 11], "2": [8, 6, 9], "3": [7, 4, 6], "4": [6, 3, 5]}
"""As HANDS with other values in the middle; those are not spent in turn 1."""
TURN = {"1": 9, "2": 8, "3": 7, "4": 6}
"""Spent in turn 1."""
NEXT, INSTEAD = {"1": 10, "2": 8, "3": 7, "4": 5}, {"1": 8, "2": 6, "3": 4, "4": 3}
"""What Bruno orders for turn 2 from HANDS, and what from OTHER."""


def orders(race: Race, seat: str, team: str, factors: dict[str, int]) -> None:
    told = {f"{team}{number}": factor for number, factor in factors.items()}
    answer(race, seat, {"kind": "orders", "seat": seat, "factors": told})


@pytest.fixture(params=["hands", "hands and orders", "hands in turns"])
def race(request: pytest.FixtureRequest) -> Race:
    """Anna, Bruno, a guest and a bot; before Bruno Zoe sat in his seat. Only Bruno's answers are what nobody may know."""
    mode = "sequential" if request.param == "hands in turns" else "orders"
    made = started(("Anna", "Bruno", "Carla"), {"Dina": "easy"}, turn_mode=mode)
    made.seats.filter(name="Carla").update(user=None, guest=hashed(GUEST_KEY))
    made.seats.filter(name="Bruno").update(user=person("Zoe"))
    play.substitute(made.pk, seat="Bruno", user=person("Bruno"), bot="", label="Bruno R.", by=made.owner)
    answer(made, "Bruno", {"kind": "allocate", "team": "W", "hands": HANDS})
    if request.param == "hands":
        return fresh(made)
    for seat, team in (("Anna", "R"), ("Carla", "B")):
        answer(made, seat, {"kind": "allocate", "team": team, "hands": HANDS})
    play.advance(made.pk)
    if mode == "orders":
        for seat, team in (("Anna", "R"), ("Bruno", "W"), ("Carla", "B")):
            orders(made, seat, team, TURN)
        play.advance(made.pk)
        orders(made, "Bruno", "W", NEXT)
    return fresh(made)


def swap(race: Race) -> None:
    """Bruno holds something else, and has ordered something else: nobody else can tell."""
    for entry in hidden_of(race):
        told = entry.action
        if told["kind"] == "allocate":
            told["hands"] = OTHER
        elif told["factors"] == {f"W{number}": factor for number, factor in NEXT.items()}:
            told["factors"] = {f"W{number}": factor for number, factor in INSTEAD.items()}
        entry.save()
    play.recompute(race.pk)


@pytest.mark.rule("BA-INFO-01", "BA-INFO-08", "BA-SET-03", "BA-OPT-05")
def test_who_cannot_know_it_gets_the_same_page_whatever_bruno_holds_and_orders(
    race: Race, monkeypatch: pytest.MonkeyPatch
):
    everybody = viewers(race)
    before = {who: bodies(client, race) for who, client in everybody.items()}
    assert bodies(everybody["seat"], race) == before["seat"], "pages differ from one request to the next by themselves"

    swap(race)
    monkeypatch.setattr(caches["default"], "key_prefix", uuid.uuid4().hex)
    race = fresh(race)
    after = {who: bodies(client, race) for who, client in everybody.items()}

    faults = [
        f"{who} at {url}"
        for who in everybody
        for url in before[who]
        if who != "owner of the secrets" and before[who][url] != after[who][url]
    ]
    assert faults == []
    own = before["owner of the secrets"]
    assert own[race.get_absolute_url()] != after["owner of the secrets"][race.get_absolute_url()]


@pytest.mark.rule("BA-INFO-08")
def test_what_a_bot_answers_does_not_hang_on_what_it_cannot_know():
    race = started(("Anna", "Bruno", "Carla"), {"Dina": "club"}, turn_mode="orders")
    for seat, team in (("Anna", "R"), ("Bruno", "W"), ("Carla", "B")):
        answer(race, seat, {"kind": "allocate", "team": team, "hands": HANDS})
    _hands_in_of_the_bot(race)

    first = _thought(race)
    swap(race)

    assert _thought(race) == first


def _hands_in_of_the_bot(race: Race) -> None:
    """Only its first factors: its orders are what the test asks for."""
    table = play.look(fresh(race))
    with play.transaction.atomic():
        due = play._bot_due(table)
    assert due is not None
    play._hand_in(race.pk, due, play._think(due))


def _thought(race: Race) -> Any:
    game = registry.game("breaking_away")
    state = play.look(fresh(race)).state
    decision = open_for(race, "Dina", "orders")
    return bots.answer(game, "club", state, decision, random.Random(3))


@pytest.mark.rule("BA-OPT-05")
def test_the_last_secret_orders_reveal_all_at_once_and_not_one_before():
    race = started(("Anna", "Bruno", "Carla"), turn_mode="orders")
    for seat, team in (("Anna", "R"), ("Bruno", "W"), ("Carla", "B")):
        answer(race, seat, {"kind": "allocate", "team": team, "hands": HANDS})
    orders(race, "Anna", "R", TURN)
    orders(race, "Bruno", "W", TURN)
    hidden = fresh(race)

    def told(entry: Any) -> str:
        return json.dumps(entry.events)

    assert all('"moved"' not in told(entry) for entry in hidden.entries.all())
    orders(race, "Carla", "B", TURN)
    last = fresh(race).entries.last()
    assert last is not None
    assert told(last).count('"kind": "moved"') == 12
