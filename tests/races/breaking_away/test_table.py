"""Breaking Away refereed at a table: the phone asks which factor was announced, and is the Race Director for the rest."""

import json
import re
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from races import play
from races.models import Race, Seat
from races.panels import panel_of, table_of
from races.panels.table import Reminder
from rules.breaking_away.game import BREAKING_AWAY
from tests.races.breaking_away.rides import HANDS, SHORT, fresh, signed_on, started

pytestmark = pytest.mark.django_db


def page(client: Client, race: Race, query: str = "") -> str:
    answer = client.get(reverse("races:referee", args=[race.key]) + query)
    assert answer.status_code == 200
    return str(answer.content.decode())


def form(body: str) -> dict[str, str]:
    found = re.search(r'<form class="ref-form".*?</form>', body, re.DOTALL)
    assert found is not None, "something is asked"
    fields = re.findall(r'<input type="hidden" name="(decision|after|key)" value="([^"]*)"', found.group())
    return {name: unescape(value) for name, value in fields}


def taps(body: str) -> list[dict[str, Any]]:
    """The answers that are one tap."""
    found = re.search(r'<form class="ref-form".*?</form>', body, re.DOTALL)
    assert found is not None
    return [json.loads(unescape(value)) for value in re.findall(r'name="button" value="([^"]*)"', found.group())]


def tap(client: Client, race: Race, told: dict[str, Any]) -> Any:
    address = reverse("races:referee", args=[race.key])
    return client.post(address, form(page(client, race)) | {"button": json.dumps(told)})


def begun(**options: Any) -> tuple[Race, Client]:
    """Everybody has written his hand on paper, and it was drawn who begins."""
    race, olga = started(way="refereed", hands="closed", **options), signed_on("Olga")
    for _team in range(3):
        tap(olga, race, taps(page(olga, race))[0])
    tap(olga, race, {"kind": "first_seat", "seat": "Bruno"})
    return fresh(race), olga


@pytest.mark.rule("BA-REF-01", "BA-TURN-01")
def test_hands_stay_on_paper_and_who_begins_is_a_big_button_for_each_player():
    race, olga = started(way="refereed", hands="closed"), signed_on("Olga")

    assert "written his first factors on the log sheet?" in page(olga, race)
    for _team in range(3):
        tap(olga, race, taps(page(olga, race))[0])
    drawn = page(olga, race)

    assert "Who begins?" in drawn
    assert [face["seat"] for face in taps(drawn)] == ["Anna", "Bruno", "Carla"]


@pytest.mark.rule("BA-REF-02")
def test_a_move_is_one_tap_on_a_factor_that_public_data_allow():
    race, olga = begun()
    body = page(olga, race)

    assert "Yellow 1 (W1): which factor?" in body
    assert [move["factor"] for move in taps(body)] == list(range(1, 16))
    assert tap(olga, race, {"kind": "move", "cyclist": "W1", "factor": 12}).status_code == 302
    assert "plays 12: 0 → 12." in re.sub(r"<[^>]+>", "", page(olga, race))


@pytest.mark.rule("BA-REF-02")
def test_a_factor_that_nobody_can_hold_is_refused_with_the_rule():
    race, olga = begun()

    answer = tap(olga, race, {"kind": "move", "cyclist": "W1", "factor": 16})

    assert answer.status_code == 422
    assert "#BA-REF-02" in answer.content.decode()


def test_one_tap_takes_the_last_factor_back():
    race, olga = begun()
    tap(olga, race, {"kind": "move", "cyclist": "W1", "factor": 12})

    body = page(olga, race)
    assert "Undo: the 12 of Yellow 1 (W1)" in body
    olga.post(reverse("races:undo", args=[race.key]), {"n": fresh(race).n})

    assert "Yellow 1 (W1): which factor?" in page(olga, race)


@pytest.mark.rule("BA-OPT-04")
def test_open_hands_are_typed_into_the_phone_and_a_fault_keeps_them():
    race, olga = started(way="refereed", open_hands=True), signed_on("Olga")
    body = page(olga, race)
    fields = {f"hand-{number}-{n}": str(value) for number, hand in HANDS.items() for n, value in enumerate(hand, 1)}

    assert "What are the first factors of Anna R.?" in body
    wrong = olga.post(reverse("races:referee", args=[race.key]), form(body) | fields | {"hand-4-1": "99"})
    right = olga.post(reverse("races:referee", args=[race.key]), form(page(olga, race)) | fields)

    assert wrong.status_code == 422
    assert 'name="hand-4-1" value="99"' in wrong.content.decode()
    assert right.status_code == 302


@pytest.mark.parametrize("mode", ["sequential", "orders"])
def test_a_race_at_a_table_comes_to_its_end(mode: str):
    race, olga = begun(turn_mode=mode, **SHORT)
    for _step in range(300):
        now = fresh(race)
        if not now.is_running:
            break
        table = play.look(now)
        decision = table.decisions[0]
        told = table.game.write_action(table.game.default(table.state, decision))
        play.referee(
            race.pk, action=table.game.read_action(told), decision=play.name_of(decision),
            after=table.opened[play.name_of(decision)], key=f"k{now.n}", by=None,
        )  # fmt: skip
        if now.n % 7 == 0:
            page(olga, now)

    assert fresh(race).is_over
    assert "To the page of the race" in page(olga, race)


@pytest.mark.rule("BA-REPL-07")
def test_new_factors_stay_on_the_phone_while_only_bots_have_answered_since():
    def stands(*moved: str) -> Reminder | None:
        at = {"R1": 40, "W1": 33, "B1": 30, "R2": 29}
        cyclists = {
            id: {"at": pos, "gained": [3, 3 + n], "moved": id in moved} for n, (id, pos) in enumerate(at.items())
        }
        teams = {"R": {"seat": "Robo"}, "W": {"seat": "Anna"}, "B": {"seat": "Bruno"}}
        told = {"turn": 4, "teams": teams, "seats": ["Robo", "Anna", "Bruno"], "cyclists": cyclists}
        view = BREAKING_AWAY.view(BREAKING_AWAY.read_state(told), None)
        cast = panel_of("breaking_away").cast(
            view, [Seat(name="Robo", bot="club"), Seat(name="Anna"), Seat(name="Bruno")]
        )
        return table_of("breaking_away").reminder(view, cast)

    after_the_bot = stands("R1")

    assert stands() is None, "the newest entry says it still"
    assert stands("R1", "W1") is None, "somebody at the table has answered: it was heard"
    assert after_the_bot is not None
    assert after_the_bot.title == "New factors"
    assert after_the_bot.rows == (("+6", "R2"), ("+5", "B1"), ("+4", "W1"), ("+3", "R1"))


def test_a_factor_is_a_small_cell_with_its_square_and_what_it_wins():
    race, olga = begun()

    cells = re.findall(r'<b class="to">(\d+)</b><span>([^<]*)</span></button>', page(olga, race))

    assert cells == [(str(factor), f"sq {factor}") for factor in range(1, 16)]


def test_the_referee_says_for_anybody_what_is_said_beside_the_turn():
    race, olga = begun()

    body = page(olga, race)

    assert body.count("Retire a cyclist") == 3
    assert "Show a hand" not in body, "hands on paper are shown at the table"
