"""Races for the tests: who sits there, what they ride, and answers for all of them."""

import hashlib
import random
import uuid
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.contrib.auth.models import User

from races import fairness, play
from races.fairness import Verdict, verify
from races.models import Race, Seat, Secret, Status
from rules.game import Decision, Taker
from tests import factories as make

ROAD = {"course": "strip L2 | P1-12", "cards": "none", "token": "Anna"}
"""A short road without secrets: chance is the peloton's die, and the event die of who takes a risk."""

BOTTLES = {"course": "strip L2 | P1-16 | feed 6", "cards": "blind", "token": "Anna"}
"""A road with secrets: blind cards, and bottles that are drawn and kept."""

CRONO = {"course": "strip L3 itt | P1-14", "cards": "none"}
"""A time trial: every run has its open decision, all at once."""


def opened(
    options: Mapping[str, Any] = ROAD,
    *,
    people: Sequence[str] = ("Anna", "Bruno"),
    robots: Mapping[str, str] | None = None,
    strength: str | None = "sprinter",
    owner: User | None = None,
    way: str = "online",
    is_public: bool = True,
    takes_single: bool = False,
    luck: int = 1,
) -> Race:
    """A race that waits to be started: people first, then bots by the name of their seat and their level.

    Every seat has one rider, called like it in lower case, so that nothing is drafted. The dice follow from `luck` and
    from how many races there are, so that a test sees the same race each time.
    """
    names = [*people, *(robots or {})]
    kinds = ["rouleur", "climber", "leader"]
    seats: list[dict[str, Any]] = []
    for number, name in enumerate(names):
        rider = {"id": name.lower(), "type": kinds[number % 3], "jersey": f"team{number // 3}", "strength": strength}
        seats.append(
            {
                "name": name,
                "label": f"{name} R.",
                "user": user_called(name) if name in people else None,
                "bot": (robots or {}).get(name, ""),
                "entrant": {"riders": [rider]},
                "takes_single": takes_single,
            }
        )
    race = play.open_race(
        title="The evening race",
        game="giro",
        options=options,
        seats=seats,
        owner=owner or user_called("Olga"),
        way=way,
        is_public=is_public,
    )
    race.key = f"race-{Race.objects.count()}"
    if race.is_online:
        seed = hashlib.sha256(str(luck).encode()).digest()
        Secret.objects.filter(race=race).update(seed=seed)
        race.commitment = fairness.commitment(seed)
    race.save()
    return race


def started(options: Mapping[str, Any] = ROAD, **more: Any) -> Race:
    race = opened(options, **more)
    return play.start(race, by=race.owner)


def user_called(name: str) -> User:
    found = User.objects.filter(username=name.lower()).first()
    return found or make.UserFactory(username=name.lower(), first_name=name)


def fresh(race: Race) -> Race:
    """The race as the database has it."""
    return Race.objects.get(pk=race.pk)


def seat(race: Race, name: str) -> Seat:
    return race.seats.get(name=name)


def due(race: Race, name: str | None = None) -> Decision:
    """The first open decision of that seat, or of anybody."""
    table = play.look(fresh(race))
    return next(decision for decision in table.decisions if name is None or decision.seat == name)


def answer(
    race: Race,
    action: Any = None,
    *,
    seat: str | None = None,
    decision: Decision | None = None,
    after: int | None = None,
    key: str = "",
    choose: Callable[[Sequence[Any]], Any] = lambda legal: legal[0],
) -> int:
    """Whoever is due answers, by the door. What is not told is what the page of this moment has."""
    table = play.look(fresh(race))
    if decision is None:
        decision = next(d for d in table.decisions if d.taker is Taker.SEAT and (seat is None or d.seat == seat))
    name = play.name_of(decision)
    return play.submit(
        race.pk,
        seat=seat or str(decision.seat),
        action=choose(table.game.legal(table.state, decision)) if action is None else action,
        decision=name,
        after=table.opened.get(name, 0) if after is None else after,
        key=key or uuid.uuid4().hex,
    ).n


def ride(race: Race, *, rng: random.Random | None = None, until: Callable[[Race], bool] = lambda race: False) -> Race:
    """People answer at random, bots as bots, until the race is over or `until` is true."""
    rng = rng or random.Random(7)
    while (now := fresh(race)).is_running and not until(now):
        people = [
            decision
            for decision in play.look(now).decisions
            if decision.taker is Taker.SEAT and not now.seats.get(name=decision.seat).bot
        ]
        if people:
            answer(now, decision=rng.choice(people), choose=lambda legal: rng.choice(list(legal)))
        elif not play.advance(now.pk):
            raise AssertionError("nobody is due")
    return fresh(race)


def log_of(race: Race) -> dict[str, Any]:
    """The log as it lies in the database, with the seed: what only a test may put together."""
    now = fresh(race)
    secret = Secret.objects.filter(race=now).first()
    entries = []
    for entry in now.entries.all():
        told = {"n": entry.n, "taker": entry.taker, "seat": entry.seat or None}
        told |= {"action": entry.action, "rewind_to": entry.rewind_to, "note": entry.note}
        entries.append({name: value for name, value in told.items() if value is not None} | {"reason": entry.reason})
    return {
        "game": now.game,
        "version": now.version,
        "race": now.key,
        "commitment": now.commitment or None,
        "seed": bytes(secret.seed).hex() if secret else None,
        "options": now.options,
        "entrants": now.entrants,
        "entries": entries,
    }


def whole(race: Race) -> None:
    """Its log has no hole and no doubles, its position follows from it, and nothing in it is against the rules."""
    now = fresh(race)
    assert list(now.entries.values_list("n", flat=True)) == list(range(1, now.n + 1))
    state, opened = play.rebuilt(now)
    position = now.position
    assert (position.n, position.state, position.opened) == (now.n, play.game_of(now).write_state(state), opened)
    found = verify(log_of(race) if now.status == Status.OVER else log_of(race) | {"seed": None})
    assert found.findings == ()
    assert found.verdict is (Verdict.FAIR if now.status == Status.OVER else Verdict.OPEN)


def taken(race: Race, after: int = 0) -> list[str]:
    """Who answered after that entry, in order."""
    return list(race.entries.filter(n__gt=after, taker="seat").values_list("seat", flat=True))
