"""Bots of Breaking Away on the site: they allocate, ride and vote by themselves, and leave what nobody waits for."""

import pytest

from races import play
from races.models import Entry
from tests.races.breaking_away.rides import HANDS, SHORT, answer, fresh, open_for, started

pytestmark = pytest.mark.django_db

LEVELS = {"Robo": "easy", "Auto": "club", "Prof": "expert"}


def ride_on(race):
    """Let the bots answer until they are no longer asked."""
    while play.advance(race.pk):
        pass


@pytest.mark.parametrize("mode", ["sequential", "orders"])
def test_bots_ride_a_race_to_its_end_by_themselves(mode, caplog):
    race = started((), LEVELS, turn_mode=mode, **SHORT)

    ride_on(race)

    answers = Entry.objects.filter(race=race).exclude(seat="")
    assert not fresh(race).is_running
    assert {entry.seat for entry in answers} == set(LEVELS)
    assert {entry.action["kind"] for entry in answers} == {"allocate", "move" if mode == "sequential" else "orders"}
    assert "has no answer" not in caplog.text


def test_bots_vote_on_a_retirement_where_the_race_waits_for_it():
    race = started(("Anna",), {"Robo": "club", "Auto": "expert"}, turn_mode="orders", **SHORT)
    answer(race, "Anna", {"kind": "allocate", "team": "R", "hands": HANDS})
    ride_on(race)
    answer(race, "Anna", {"kind": "ask_retire", "cyclist": "R4", "seat": "Anna"})
    factors = {f"R{number}": hand[-1] for number, hand in HANDS.items()}
    answer(race, "Anna", {"kind": "orders", "seat": "Anna", "factors": factors})

    ride_on(race)

    votes = Entry.objects.filter(race=race, action__kind="vote_retire")
    assert {(entry.seat, entry.action["yes"]) for entry in votes} <= {("Robo", False), ("Auto", False)}
    assert votes.exists()
    assert open_for(race, "Anna", "orders")
