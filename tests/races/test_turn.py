"""Answering decisions on the page of a race: a person rides a whole stage with the forms of the page alone."""

import re
from html import unescape
from typing import Any

import pytest
from django.test import Client

from races import play
from races.models import Entry, Race
from tests.races import factories as make

pytestmark = pytest.mark.django_db


# ---- a reader of pages -----------------------------------------------------------------------------------------------
def hidden(body: str) -> dict[str, str]:
    """What the turn form carries without being asked."""
    form = re.search(r'<form[^>]*id="turn".*?</form>', body, re.DOTALL)
    assert form is not None, "there is a turn form"
    return dict(re.findall(r'<input type="hidden" name="(decision|after|key)" value="([^"]*)"', form.group()))


def answers(body: str) -> list[str]:
    """Every answer that the form offers, in the order of the page."""
    found = re.findall(r'name="(?:action|button)" value="([^"]*)"', body)
    return [unescape(value) for value in found]


def filled(body: str, **more: Any) -> dict[str, Any]:
    return {name: unescape(value) for name, value in hidden(body).items()} | more


def page(client: Client, race: Race, query: str = "") -> str:
    return str(client.get(race.get_absolute_url() + query).content.decode())


def send(client: Client, race: Race, body: str, **more: Any) -> Any:
    return client.post(race.get_absolute_url(), filled(body, **more))


# ---- a whole stage ---------------------------------------------------------------------------------------------------
def test_a_stage_is_ridden_to_its_end_with_the_forms_of_the_page_alone():
    race = make.running(("Anna",), ("Robo", "Rita"))
    anna = make.signed_on("Anna")

    for _turn in range(200):
        race.refresh_from_db()
        if race.is_over:
            break
        body = page(anna, race)
        if 'id="turn"' not in body:
            play.advance(race.pk)
            continue
        assert send(anna, race, body, action=answers(body)[0]).status_code == 302

    assert race.is_over
    assert "wins in turn" in page(anna, race)
    assert race.entries.filter(seat="Anna").count() > 3
