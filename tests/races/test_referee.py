"""A race refereed at a real table: typed dice, one tap back, several phones."""

import json
import random
import re
from html import unescape
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from races import play
from races.models import Entry, Race
from races.signals import race_over
from rules import registry
from rules.game import Decision, Taker
from tests.races import factories as make

pytestmark = pytest.mark.django_db
GIRO = registry.game("giro")
ROAD = {"course": "strip L2 | P1-16 | feed 5", "cards": "matched", "token": "Anna"}
HILLS = {"course": "strip L3 | P1-8 M9-14/2 D15-20 | feed 4", "cards": "blind", "giro": True}


def table(options: dict[str, Any] = ROAD, people: tuple[str, ...] = ("Anna", "Bruno"), **more: Any) -> Race:
    """A refereed race that runs. Olga leads it."""
    return play.start(make.waiting(people, (), options=options, way="refereed", **more), by=make.person("Olga"))


def address(race: Race) -> str:
    return reverse("races:referee", args=[race.key])


def page(client: Client, race: Race, query: str = "") -> str:
    answer = client.get(address(race) + query)
    assert answer.status_code == 200
    return str(answer.content.decode())


def hidden(body: str) -> dict[str, str]:
    form = re.search(r'<form class="ref-form".*?</form>', body, re.DOTALL)
    assert form is not None, "something is asked"
    return {
        name: unescape(value)
        for name, value in re.findall(r'<input type="hidden" name="(decision|after|key)" value="([^"]*)"', form.group())
    }


def buttons(body: str) -> list[dict[str, Any]]:
    """The answers that are one tap, in the order of the page."""
    return [json.loads(unescape(value)) for value in re.findall(r'name="button" value="([^"]*)"', body)]


def looks(body: str) -> list[str]:
    """The links that show an answer, to be settled by a second tap."""
    return [unescape(href) for href in re.findall(r'<a class="cell dear[^"]*" href="([^"]*)"', body)]


def tap(client: Client, race: Race, body: str, told: dict[str, Any], **more: Any) -> Any:
    return client.post(address(race), hidden(body) | {"button": json.dumps(told)} | more)


def code(action: Any) -> dict[str, Any]:
    return GIRO.write_action(action)


# ---- a whole stage ---------------------------------------------------------------------------------------------------
@pytest.mark.rule("GI-M-01")
@pytest.mark.parametrize("options", [ROAD, HILLS], ids=["flat", "hilly"])
def test_a_stage_typed_at_the_table_is_the_stage_that_the_rules_play(options: dict[str, Any]) -> None:
    race = table(options)
    olga = make.signed_on("Olga")
    rng = random.Random(5)
    entrants = race.entrants
    state = GIRO.setup(options, entrants)
    most = 0

    while decisions := GIRO.decisions(state):
        (decision,) = decisions
        action = rng.choice(list(GIRO.legal(state, decision)))
        body = page(olga, race)
        requests = 1
        if code(action) not in buttons(body):
            assert decision.kind in ("move", "attack"), f"{decision.kind}: {code(action)} is one tap"
            rider = f"?rider={action.rider}" if decision.kind == "attack" else ""
            body = page(olga, race, rider)
            shown = [unescape(h) for h in re.findall(r'<a class="cell dear[^"]*" href="([^"]*)"', body)]
            found = [href for href in shown if code(action) in buttons(page(olga, race, href))]
            if found:
                body = page(olga, race, found[0])
                requests = 2
        most = max(most, requests)
        assert code(action) in buttons(body), code(action)
        assert tap(olga, race, body, code(action)).status_code == 302
        state = GIRO.apply(state, action).state

    race.refresh_from_db()
    assert race.status == "over"
    assert race.outcome == GIRO.outcome(state)
    assert race.position.state == GIRO.write_state(state)
    assert most == 2
