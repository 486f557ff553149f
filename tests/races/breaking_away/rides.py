"""Races of Breaking Away for the tests: who sits there, what they hold, and answers for all of them."""

import hashlib
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from django.test import Client

from races import fairness, play
from races.models import Race, Secret
from rules.game import Decision, Taker
from tests.races.factories import person

PEOPLE = ("Anna", "Bruno", "Carla")
TEAMS = "RWB"
HANDS = {"1": [9, 10, 11], "2": [8, 8, 9], "3": [7, 7, 6], "4": [6, 5, 5]}
SHORT = {
    "course": {
        "id": "short", "circuit": 20,
        "lines": [{"id": "S1", "kind": "sprint", "at": 12, "points": [3, 2, 1]}, {"id": "F", "kind": "finish", "at": 30, "points": [5, 4, 3]}],
    },
}  # fmt: skip
"""A short circuit with a sprint."""


ANSWERS = {"stay": "change", "on_paper": "allocate"}
"""Answers that are called otherwise than their decision."""


def waiting(
    people: Sequence[str] = PEOPLE,
    bots: Mapping[str, str] | None = None,
    *,
    way: str = "online",
    is_public: bool = True,
    **options: Any,
) -> Race:
    """A race that waits to be started; Olga leads it. Its dice are the same in every run."""
    seats = [
        {
            "name": name,
            "label": f"{name} R.",
            "user": person(name) if name in people else None,
            "bot": (bots or {}).get(name, ""),
            "entrant": {"team": "RWBGYPKO"[number]},
        }
        for number, name in enumerate((*people, *(bots or {})))
    ]
    race = play.open_race(
        title="Thursday", game="breaking_away", options=options, seats=seats, owner=person("Olga"), way=way,
        is_public=is_public,
    )  # fmt: skip
    race.key = f"away-{Race.objects.count()}"
    if race.is_online:
        seed = hashlib.sha256(b"1").digest()
        Secret.objects.filter(race=race).update(seed=seed)
        race.commitment = fairness.commitment(seed)
    race.save()
    return race


def started(people: Sequence[str] = PEOPLE, bots: Mapping[str, str] | None = None, **more: Any) -> Race:
    """Before the first hands are in."""
    return fresh(play.start(waiting(people, bots, **more), by=person("Olga")))


def racing(people: Sequence[str] = PEOPLE, hands: Mapping[str, Sequence[int]] = HANDS, **more: Any) -> Race:
    """At the first move, or the first orders."""
    race = started(people, **more)
    for number, name in enumerate(people):
        answer(race, name, {"kind": "allocate", "team": TEAMS[number], "hands": dict(hands)})
    return fresh(race)


def fresh(race: Race) -> Race:
    return Race.objects.get(pk=race.pk)


def open_for(race: Race, seat: str | None = None, kind: str | None = None) -> Decision:
    """The first open decision of that seat and kind."""
    return next(
        decision
        for decision in play.look(fresh(race)).open
        if decision.taker is Taker.SEAT and seat in (None, decision.seat) and kind in (None, decision.kind)
    )


def answer(race: Race, seat: str, told: Mapping[str, Any]) -> int:
    """By the door, as the page of this moment would send it."""
    table = play.look(fresh(race))
    name = play.name_of(open_for(race, seat, ANSWERS.get(str(told["kind"]), str(told["kind"]))))
    return play.submit(
        race.pk, seat=seat, action=table.game.read_action(told), decision=name, after=table.opened[name],
        key=uuid.uuid4().hex,
    ).n  # fmt: skip


def to_the_end(race: Race, steps: int = 2000) -> Race:
    """Everybody answers as if his time were up."""
    for _step in range(steps):
        now = fresh(race)
        if not now.is_running:
            return now
        table = play.look(now)
        decision = table.decisions[0]
        if not now.seats.get(name=decision.seat).bot:
            told = table.game.write_action(table.game.default(table.state, decision))
            answer(now, str(decision.seat), told)
        else:
            play.advance(now.pk)
    raise AssertionError("the race has no end")


def signed_on(name: str) -> Client:
    client = Client()
    client.force_login(person(name))
    return client


def form_of(race: Race, decision: Decision, **fields: Any) -> dict[str, Any]:
    """What a page sends that answers a decision."""
    table = play.look(fresh(race))
    name = play.name_of(decision)
    return {"decision": name, "after": table.opened[name], "key": uuid.uuid4().hex, **fields}
