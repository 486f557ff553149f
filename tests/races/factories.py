"""Races that run, with people and bots: for the tests of pages."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from races import fairness, play
from races.models import Position, Race, Seat, Secret
from rules.game import Taker
from tests import factories as make

SHORT = {"course": "strip L2 | P1-14", "cards": "none", "token": "Anna"}
"""A short flat road; Anna's riders lead the peloton first."""

KINDS = ("rouleur", "leader", "climber")
COLOURS = ("white", "yellow", "blue", "green", "purple")


def person(name: str) -> User:
    """A user called so; the same one if there is one."""
    known = User.objects.filter(username=name.lower()).first()
    return known or make.UserFactory(username=name.lower(), first_name=name, email=f"{name.lower()}@example.org")


def seats(people: Sequence[str], bots: Sequence[str], riders: int = 1, **more: Any) -> list[dict[str, Any]]:
    """People first, then bots; each with named riders in a jersey of the box, so that nothing is drafted."""
    out = []
    for number, name in enumerate((*people, *bots)):
        colour = COLOURS[number % len(COLOURS)]
        own = [
            {
                "id": f"{name}-{kind}",
                "type": kind,
                "jersey": colour if number < 5 else f"team{number}",
                "strength": None,
            }
            for kind in KINDS[:riders]
        ]
        out.append(
            {
                "name": name,
                "label": f"{name} R.",
                "user": person(name) if name in people else None,
                "bot": "easy" if name in bots else "",
                "entrant": {"riders": own},
                "riders": {
                    rider["id"]: {"bib": str(10 * (number + 1) + i + 1), "name": f"{name} {rider['type'].title()}"}
                    for i, rider in enumerate(own)
                },
            }
            | more
        )
    return out


DICE = bytes(range(32))
"""The seed of every race that is made here."""


def waiting(
    people: Sequence[str] = ("Anna",),
    bots: Sequence[str] = ("Robo",),
    *,
    riders: int = 1,
    options: Mapping[str, Any] = SHORT,
    way: str = "online",
    is_public: bool = True,
    **more: Any,
) -> Race:
    """A race whose seats are all taken, and that has not begun. Olga leads it. Its dice are the same in every run."""
    race = play.open_race(
        title="Evening race",
        game="giro",
        options=options,
        seats=seats(people, bots, riders, **more),
        owner=person("Olga"),
        way=way,
        is_public=is_public,
    )
    if race.is_online:
        race.key, race.commitment = f"race-{Race.objects.count()}", fairness.commitment(DICE)
        race.save(update_fields=["key", "commitment"])
        Secret.objects.filter(race=race).update(seed=DICE)
    return race


def running(people: Sequence[str] = ("Anna",), bots: Sequence[str] = ("Robo",), **more: Any) -> Race:
    """The same, at the first decision of a person."""
    race = play.start(waiting(people, bots, **more), by=person("Olga"))
    play.advance(race.pk)
    return Race.objects.get(pk=race.pk)


def drafted(people: Sequence[str] = ("Anna", "Bruno"), *, riders: int = 2, **options: Any) -> Race:
    """A race that begins with its draft."""
    table = [
        {"name": name, "label": f"{name} R.", "user": person(name), "entrant": {"draft": riders}} for name in people
    ]
    course = {"course": "strip L2 | P1-14", "cards": "none", "token": people[0], **options}
    race = play.open_race(title="Evening race", game="giro", options=course, seats=table, owner=person("Olga"))
    return play.start(race, by=person("Olga"))


def standing(position: Mapping[str, Any], people: Mapping[str, str], **more: Any) -> Race:
    """A race at a position told as a scenario tells it. `people`: of each seat in it, who sits there.

    Its log does not lead there: for pages that show how it stands, not for those that replay it.
    """
    game = play.registry.game("giro")
    state = game.read_state(position)
    written = game.write_state(state)
    race = Race.objects.create(
        title="Evening race", game="giro", version=game.version, status="running", owner=person("Olga"),
        options=written["options"], started_at=timezone.now(), **more,
    )  # fmt: skip
    for order, name in enumerate(game.seats(state)):
        who = people.get(str(name), "")
        Seat.objects.create(
            race=race, name=str(name), order=order, label=f"{who or name} R.", user=person(who) if who else None,
            bot="" if who else "easy",
        )  # fmt: skip
    opened = {play.name_of(decision): 0 for decision in game.decisions(state)}
    Position.objects.create(race=race, n=0, state=written, opened=opened)
    return race


def default_answers(race: Race, steps: int, until: str | None = None, entries: int | None = None) -> Race:
    """Everybody answers as if his time were up: `steps` times, or until that kind of decision is open, or so many entries."""
    for _step in range(steps):
        table = play.look(Race.objects.get(pk=race.pk))
        due = [decision for decision in table.decisions if decision.taker is Taker.SEAT]
        if not due or (until is not None and due[0].kind == until) or (entries is not None and table.race.n >= entries):
            break
        decision = due[0]
        name = play.name_of(decision)
        play.submit(
            race.pk, seat=decision.seat or "", action=table.game.default(table.state, decision), decision=name,
            after=table.opened[name], key=f"k{table.race.n}-{name}"[:64],
        )  # fmt: skip
    return Race.objects.get(pk=race.pk)


def signed_on(name: str) -> Client:
    client = Client()
    client.force_login(person(name))
    return client
