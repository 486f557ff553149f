"""Breaking Away refereed at a table whose players have their hands on their own phones, by link, or on paper."""

import json
import re
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from races import play
from races.models import Race
from tests.races.breaking_away.rides import HANDS, SHORT, answer, form_of, fresh, open_for, signed_on, waiting
from tests.races.breaking_away.test_hidden import OTHER
from tests.races.breaking_away.test_setup import form as setup_form
from tests.races.breaking_away.test_table import form, page, tap, taps
from tests.races.factories import person
from tests.races.test_canary import _plain

pytestmark = [pytest.mark.django_db, pytest.mark.rule("BA-REF-01")]
TYPED = {f"hand-{number}-{n}": str(value) for number, hand in HANDS.items() for n, value in enumerate(hand, 1)}


@pytest.fixture
def race() -> Race:
    """Three seats at a table; nobody has a phone yet."""
    made = waiting(way="refereed", is_public=False, hands="either", **SHORT)
    made.seats.update(user=None)
    return fresh(made)


def joins(race: Race, seat: str) -> Client:
    """A phone without an account follows the link and sits down."""
    phone = Client()
    link = reverse("races:join", args=[race.key, race.invitation])
    assert phone.get(link).status_code == 200
    assert phone.post(link, {"seat": seat, "name": f"{seat} R."})["Location"] == race.get_absolute_url()
    return phone


def hands_in(phone: Client, race: Race, seat: str) -> Any:
    page = phone.get(race.get_absolute_url()).content.decode()
    assert "Only you see these." in page
    return phone.post(race.get_absolute_url(), form_of(race, open_for(race, seat, "allocate"), **TYPED))


def begun(race: Race) -> tuple[Client, Client, Client]:
    """Anna and Bruno on their phones, Carla on paper; Bruno begins."""
    anna, bruno, olga = joins(race, "Anna"), joins(race, "Bruno"), signed_on("Olga")
    play.start(race, by=person("Olga"))
    hands_in(anna, race, "Anna")
    hands_in(bruno, race, "Bruno")
    tap(olga, race, {"kind": "on_paper", "team": "B"})
    tap(olga, race, {"kind": "first_seat", "seat": "Bruno"})
    return anna, bruno, olga


def swap(race: Race) -> None:
    """Bruno has handed in something else, and always had."""
    entry = race.entries.get(seat="Bruno", action__kind="allocate")
    entry.action = entry.action | {"hands": OTHER}
    entry.save()
    play.recompute(race.pk)


def test_the_form_of_a_new_race_offers_it_for_a_table_only():
    made = setup_form(hands="phones")

    assert made.options(online=False)["hands"] == "either"
    assert "hands" not in made.options(online=True)
    assert [str(refusal) for refusal in made.refusals(3, online=False)] == []
    assert "BA-REF-01" in str(setup_form(hands="phones", auto_single="on").refusals(3, online=False))


def test_the_link_of_a_race_at_a_table_stands_in_its_lobby(race: Race):
    lobby = signed_on("Olga").get(race.get_absolute_url()).content.decode()

    assert reverse("races:join", args=[race.key, race.invitation]) in lobby


def test_who_has_a_phone_hands_in_there_and_the_referee_sees_only_that_he_is_in(race: Race):
    anna, olga = joins(race, "Anna"), signed_on("Olga")
    play.start(race, by=person("Olga"))

    first = page(olga, race)
    at_hers = page(olga, race, "?decision=allocate:Anna:R:")
    assert hands_in(anna, race, "Anna").status_code == 302
    after = page(olga, race)

    assert "Bruno R.: the first factors" in first, "who has no phone is asked on this one"
    assert 'name="hand-1-1"' in first
    assert "Anna R. answers on his own phone" in at_hers
    assert 'name="hand-1-1"' not in at_hers
    assert taps(at_hers) == [{"kind": "on_paper", "team": "R"}]
    assert "Anna R. has handed in" in re.sub(r"<[^>]+>", "", after)


def test_who_has_a_phone_may_choose_paper_there_and_enter_in_a_box_does_not_choose_it(race: Race):
    anna = joins(race, "Anna")
    play.start(race, by=person("Olga"))
    body = anna.get(race.get_absolute_url()).content.decode()
    submits = re.findall(r'<button[^>]*(?:form="turn"|type="submit")[^>]*>', body)
    of_the_turn = [button for button in submits if 'form="turn"' in button]

    paper = re.search(r'name="button" value="([^"]+)">They are on paper', body)
    assert paper is not None
    answered = anna.post(
        race.get_absolute_url(),
        form_of(race, open_for(race, "Anna", "allocate"), button=unescape(paper.group(1)), **TYPED),
    )

    assert 'id="confirm"' in of_the_turn[0], "Enter presses the first button of a form"
    assert 'name="button"' in of_the_turn[1]
    assert answered.status_code == 302
    assert [entry.action for entry in race.entries.filter(seat="Anna")] == [{"kind": "on_paper", "team": "R"}]


def test_who_has_no_phone_types_his_on_the_referees(race: Race):
    olga = signed_on("Olga")
    play.start(race, by=person("Olga"))
    address = reverse("races:referee", args=[race.key])

    wrong = olga.post(address, form(page(olga, race)) | TYPED | {"hand-4-1": "99"})
    right = olga.post(address, form(page(olga, race)) | TYPED)

    assert wrong.status_code == 422
    assert 'name="hand-4-1" value="99"' in wrong.content.decode()
    assert right.status_code == 302
    assert play.look(fresh(race)).state.racers[0].hand == (9, 10, 11)


def test_the_referees_phone_gets_the_same_bytes_whatever_a_player_holds(race: Race):
    anna, bruno, olga = begun(race)
    wrong = {"kind": "move", "cyclist": "W1", "factor": 5}  # he holds it in neither hand, but might

    def seen(client: Client) -> list[bytes]:
        got = [
            client.get(reverse("races:referee", args=[race.key]) + query).content
            for query in ("", "?decision=move:Bruno:W1:", "?decision=reveal:Bruno:::optional", "?action={}")
        ]
        told = form(page(client, race)) | {"button": json.dumps(wrong), "key": "k"}
        refused = client.post(reverse("races:referee", args=[race.key]), told)
        assert refused.status_code == 422
        asks = client.get(race.get_absolute_url()).content
        return [_plain(body) for body in (*got, refused.content, asks)]

    before, own = {"referee": seen(olga), "rival": seen(anna)}, bruno.get(race.get_absolute_url()).content
    swap(race)

    assert {"referee": seen(olga), "rival": seen(anna)} == before
    assert _plain(bruno.get(race.get_absolute_url()).content) != _plain(own), "he himself sees his hand"


def test_a_move_is_tapped_by_the_referee_or_chosen_on_the_players_own_phone(race: Race):
    _anna, bruno, olga = begun(race)
    own = open_for(race, "Bruno", "move")
    held = bruno.get(race.get_absolute_url()).content.decode()

    moved = bruno.post(race.get_absolute_url(), form_of(race, own, action='{"kind":"move","cyclist":"W1","factor":9}'))
    asked = page(olga, race)
    paper = tap(olga, race, {"kind": "move", "cyclist": "B1", "factor": 12})
    typed = tap(olga, race, {"kind": "move", "cyclist": "R1", "factor": 10})

    assert held.count('name="action"') == 3, "the factors that he holds"
    assert [moved.status_code, paper.status_code, typed.status_code] == [302, 302, 302]
    assert [move["factor"] for move in taps(asked)] == list(range(1, 16)), (
        "one tap on what public data allow (BA-REF-02)"
    )


def test_the_referee_is_told_that_a_factor_cannot_be_but_not_what_can(race: Race):
    _anna, _bruno, olga = begun(race)

    answered = tap(olga, race, {"kind": "move", "cyclist": "W1", "factor": 5})

    said = re.search(r'id="refusal".*?</div></div>', answered.content.decode(), re.DOTALL)
    assert said is not None
    assert "Ask again what was announced." in said.group()
    assert not re.search(r"\b(9|10|11)\b", re.sub(r"<[^>]+>", "", said.group()))


def test_replacements_are_counted_for_hands_on_phones_and_on_paper_to_the_end(race: Race):
    begun(race)
    while (now := fresh(race)).is_running:
        table = play.look(now)
        decision = table.decisions[0]
        told = table.game.write_action(table.game.default(table.state, decision))
        if decision.seat == "Anna":
            answer(now, "Anna", told)
            continue
        play.referee(
            race.pk, action=table.game.read_action(told), decision=play.name_of(decision),
            after=table.opened[play.name_of(decision)], key=f"k{now.n}", by=None, only_public=True,
        )  # fmt: skip

    racers = play.look(now).state.racers
    assert now.is_over
    assert all(racer.hand is None and racer.gained for racer in racers[8:]), "Carla's stay on paper"
    assert all(len(racer.hand or ()) == 3 for racer in racers[:8] if len(racer.spent) == len(racer.gained))
