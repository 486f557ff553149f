"""Breaking Away on its pages: hands are typed, factors and orders given, words said beside the turn, the race ridden out."""

import json
import re
from html import unescape
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from races import play
from races.models import Race
from tests.races.breaking_away.rides import (
    HANDS,
    SHORT,
    answer,
    form_of,
    fresh,
    open_for,
    racing,
    signed_on,
    started,
    to_the_end,
)

pytestmark = pytest.mark.django_db
TYPED = {"1": "12 9 6 3", "2": "11 8 6", "3": "9 7 4", "4": "7 5 4"}


def hands(**changes: str) -> dict[str, str]:
    """First factors as they are typed; number1="10 10 10"."""
    fields = {}
    for number, usual in TYPED.items():
        values = changes.get(f"number{number}", usual).split()
        for n in range(1, 5 if number == "1" else 4):
            fields[f"hand-{number}-{n}"] = values[n - 1] if n <= len(values) else ""
    return fields


def send(client: Client, race: Race, fields: dict[str, Any], **headers: str) -> Any:
    return client.post(race.get_absolute_url(), fields, headers=headers)


def values(body: str) -> dict[str, str]:
    """What stands in the boxes of the first factors."""
    found = re.findall(r'name="(hand-\d-\d)" value="([^"]*)"', body)
    return {name: unescape(value) for name, value in found}


# ---- first factors ---------------------------------------------------------------------------------------------------
@pytest.mark.rule("BA-SET-03")
def test_first_factors_are_typed_and_handed_in():
    race = started()
    anna = signed_on("Anna")

    sent = send(anna, race, form_of(race, open_for(race, "Anna"), **hands(number1="10 10 10")))

    assert sent.status_code == 302
    entry = fresh(race).entries.get()
    assert entry.action["hands"]["1"] == [10, 10, 10]
    assert "You" in anna.get(race.get_absolute_url()).content.decode()
    assert "Bruno R. hands in his first factors" in anna.get(race.get_absolute_url()).content.decode()


@pytest.mark.parametrize(
    ("change", "rule", "says"),
    [
        ({"number1": "12 12 12"}, "BA-SET-04", "30 points to begin with, and these are 36"),
        ({"number2": "16 1 1"}, "BA-SET-05", "cannot begin with 16"),
        ({"number3": "seven 1 1"}, "BA-SET-05", "&quot;seven&quot; for number 3"),
        ({"number4": "7 5"}, "BA-SET-04", "begins with 3 factors, not 2"),
        ({"number4": "0 8 8"}, "BA-SET-05", "cannot begin with 0"),
        ({"number4": "-1 8 8"}, "BA-SET-05", "cannot begin with -1"),
    ],
)
@pytest.mark.parametrize("htmx", [True, False])
def test_what_the_rules_refuse_is_422_with_its_rule_and_nothing_typed_is_lost(
    change: dict[str, str], rule: str, says: str, htmx: bool
):
    race = started()
    headers = {"hx-request": "true"} if htmx else {}

    sent = send(signed_on("Anna"), race, form_of(race, open_for(race, "Anna"), **hands(**change)), **headers)

    body = sent.content.decode()
    assert sent.status_code == 422
    assert says in body
    assert f"{reverse('races:rules', args=['breaking_away'])}#{rule}" in body
    assert values(body) == hands(**change)
    assert "data-preview" in body, "the news of the race must not sweep away what was typed"
    assert not fresh(race).entries.exists()


@pytest.mark.rule("BA-SET-07")
def test_unspent_points_are_asked_about_once_and_then_taken():
    race = started()
    anna = signed_on("Anna")
    less = hands(number3="6 7 4")

    doubted = send(anna, race, form_of(race, open_for(race, "Anna"), **less))
    body = doubted.content.decode()
    sure = send(anna, race, form_of(race, open_for(race, "Anna"), **less, sure="1"))

    assert doubted.status_code == 200
    assert "White 3 has 3 points left." in body
    assert 'name="sure" value="1"' in body
    assert values(body) == less
    assert sure.status_code == 302


@pytest.mark.rule("AMB-01")
def test_where_all_points_must_be_spent_unspent_ones_are_refused():
    race = started(allocation_exact=True)

    sent = send(signed_on("Anna"), race, form_of(race, open_for(race, "Anna"), **hands(number3="6 7 4"), sure="1"))

    assert sent.status_code == 422
    assert "#AMB-01" in sent.content.decode()


def test_without_a_script_the_server_counts_what_was_typed():
    race = started()

    sent = send(signed_on("Anna"), race, form_of(race, open_for(race, "Anna"), **hands(number1="12 12 12"), count="1"))

    body = re.sub(r"\s+", " ", sent.content.decode())
    assert sent.status_code == 200
    assert "<b data-used>36</b>/30" in body
    assert "6 too many" in body
    assert not fresh(race).entries.exists()


def test_a_second_tab_with_first_factors_is_409_and_somebody_elses_403():
    race = started()
    late = form_of(race, open_for(race, "Anna"), **hands())
    answer(race, "Anna", {"kind": "allocate", "team": "R", "hands": HANDS})

    assert send(signed_on("Anna"), race, late).status_code == 409
    assert send(signed_on("Bruno"), race, form_of(race, open_for(race, "Carla"), **hands())).status_code == 403
    assert send(signed_on("Dino"), race, form_of(race, open_for(race, "Carla"), **hands())).status_code == 403


# ---- a move and orders -----------------------------------------------------------------------------------------------
def test_a_move_is_chosen_from_the_list_and_the_board_shows_it():
    race = racing()
    decision = open_for(race, kind="move")
    client = signed_on(str(decision.seat))

    body = client.get(race.get_absolute_url()).content.decode()
    codes = [json.loads(unescape(code)) for code in re.findall(r'name="action" id="c-\w+" value="([^"]*)"', body)]
    looked = client.get(f"{race.get_absolute_url()}?to={decision.about}:10").content.decode()
    sent = send(client, race, form_of(race, decision, action=json.dumps(codes[0])))

    assert [code["factor"] for code in codes] == [9, 10, 11]
    assert "Play 10" in looked
    assert "data-preview" in looked
    assert sent.status_code == 302
    assert fresh(race).entries.last().action["factor"] == 9  # type: ignore[union-attr]


@pytest.mark.rule("BA-MOVE-01")
def test_a_factor_that_he_does_not_hold_is_422_and_names_the_rule():
    race = racing()
    decision = open_for(race, kind="move")
    told = {"kind": "move", "cyclist": decision.about, "factor": 2}

    sent = send(signed_on(str(decision.seat)), race, form_of(race, decision, action=json.dumps(told)))

    assert sent.status_code == 422
    assert "#BA-MOVE-01" in sent.content.decode()


@pytest.mark.rule("BA-OPT-05")
def test_a_whole_turn_is_ordered_in_one_submission_and_ridden_when_all_are_in():
    race = racing(turn_mode="orders")
    chosen = {"1": "11", "2": "8", "3": "7", "4": "5"}
    for team, name in zip("RWB", ("Anna", "Bruno", "Carla"), strict=True):
        before = fresh(race).n
        fields = {f"factor-{team}{number}": factor for number, factor in chosen.items()}
        sent = send(signed_on(name), race, form_of(race, open_for(race, name, "orders"), **fields))
        assert sent.status_code == 302
        assert fresh(race).n == before + 1

    state = play.look(fresh(race)).state
    assert state.turn == 2
    assert [racer.pos for racer in state.racers] == [11, 8, 7, 5] * 3
    log = signed_on("Dino").get(reverse("races:log", args=[race.key])).content.decode()
    assert "plays 11: 0 → 11." in re.sub(r"<[^>]+>", "", log)


@pytest.mark.rule("BA-OPT-05")
def test_orders_that_are_not_complete_are_422_and_keep_what_was_chosen():
    race = racing(turn_mode="orders")

    sent = send(signed_on("Anna"), race, form_of(race, open_for(race, "Anna", "orders"), **{"factor-R1": "11"}))

    body = sent.content.decode()
    assert sent.status_code == 422
    assert "#BA-OPT-05" in body
    assert re.findall(r'name="(factor-R\d)" value="(\d+)" checked', body) == [("factor-R1", "11")]


def test_nothing_chosen_is_422():
    race = racing(turn_mode="orders")

    sent = send(signed_on("Anna"), race, form_of(race, open_for(race, "Anna", "orders")))

    assert sent.status_code == 422
    assert "Nothing was chosen yet." in sent.content.decode()


# ---- beside the turn -------------------------------------------------------------------------------------------------
def test_what_may_be_said_beside_the_turn_is_folded_and_for_who_sits_there():
    race = racing()

    anna = signed_on("Anna").get(race.get_absolute_url()).content.decode()
    dino = signed_on("Dino").get(race.get_absolute_url()).content.decode()

    assert re.search(r'<details id="optional">', anna)
    for words in ("Retire a cyclist", "Show a hand", "Check factors", "Stop the race"):
        assert words in anna
        assert words not in dino


@pytest.mark.rule("BA-RET-01", "BA-RET-03")
def test_a_cyclist_retires_after_the_turn_if_all_others_agree_on_their_pages():
    race = racing(turn_mode="orders")
    send(signed_on("Anna"), race, form_of(race, open_for(race, "Anna", "ask_retire"), cyclist="R4"))

    bruno = signed_on("Bruno").get(race.get_absolute_url()).content.decode()
    assert re.search(r'<details id="optional" open>', bruno)
    assert "May White 4 retire?" in bruno
    for name in ("Bruno", "Carla"):
        vote = json.dumps({"kind": "vote_retire", "seat": name, "cyclist": "R4", "yes": True})
        assert (
            send(signed_on(name), race, form_of(race, open_for(race, name, "vote_retire"), button=vote)).status_code
            == 302
        )
    for team, name in zip("RWB", ("Anna", "Bruno", "Carla"), strict=True):
        told = {f"{team}{number}": hand[0] for number, hand in HANDS.items()}
        answer(race, name, {"kind": "orders", "seat": name, "factors": told})

    body = signed_on("Dino").get(race.get_absolute_url()).content.decode()
    assert "retired" in body
    assert open_for(race, "Anna", "orders")


@pytest.mark.rule("BA-INFO-03", "BA-INFO-05")
def test_a_hand_is_shown_to_everybody_and_factors_are_checked():
    race = racing()
    send(signed_on("Anna"), race, form_of(race, open_for(race, "Anna", "reveal"), cyclist="R2"))
    send(signed_on("Bruno"), race, form_of(race, open_for(race, "Bruno", "time_out"), cyclist="B1"))

    text = re.sub(r"<[^>]+>", "", signed_on("Dino").get(race.get_absolute_url()).content.decode())

    assert "White 2 (R2) shows 9 8 8." in text
    assert "The factors of Blue 1 (B1) were checked: consistent." in text
    assert 'aria-label="factors 9 8 8"' in signed_on("Dino").get(race.get_absolute_url()).content.decode()


@pytest.mark.rule("BA-END-07")
def test_all_together_stop_a_race():
    race = racing()
    for name in ("Anna", "Bruno", "Carla"):
        wish = json.dumps({"kind": "stop_race", "seat": name, "yes": True})
        assert (
            send(signed_on(name), race, form_of(race, open_for(race, name, "stop_race"), button=wish)).status_code
            == 302
        )

    over = fresh(race)
    assert over.is_over
    assert "Stopped in turn 1" in signed_on("Anna").get(race.get_absolute_url()).content.decode()


def test_nobody_speaks_for_another_beside_the_turn():
    race = racing()

    sent = send(signed_on("Bruno"), race, form_of(race, open_for(race, "Anna", "reveal"), cyclist="R2"))
    other = send(signed_on("Bruno"), race, form_of(race, open_for(race, "Bruno", "reveal"), cyclist="R2"))

    assert sent.status_code == 403
    assert other.status_code == 422
    assert "#BA-INFO-03" in other.content.decode()


# ---- to the end ------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("options", [{}, {"turn_mode": "orders", "end_mode": "complete_turn"}, {"open_hands": True}])
def test_a_race_is_ridden_to_its_end_and_all_its_pages_tell_it(options: dict[str, Any]):
    race = to_the_end(racing(**SHORT, **options))

    client = signed_on("Dino")
    body = client.get(race.get_absolute_url()).content.decode()
    numbers = client.get(reverse("races:numbers", args=[race.key])).content.decode()
    for name in ("log", "text", "export", "verify"):
        assert client.get(reverse(f"races:{name}", args=[race.key])).status_code == 200
    assert client.get(reverse("races:entry", args=[race.key, race.n // 2])).status_code == 200
    assert "wins with" in body or "share the first place" in body
    assert "Sprint 1" in numbers
    total = sum(row["points"] for row in race.outcome["teams"])
    assert total == 18
    cells = re.findall(r'<td class="num">(\d+)</td>', numbers)
    assert sum(map(int, cells[1::9])) == total


def test_a_madison_is_ridden_to_its_end():
    people = ("Anna", "Bruno", "Carla", "Dora")
    race = started(people, variant="madison", madison_small=True)
    for client in map(signed_on, ("Anna", "Dino")):
        assert client.get(race.get_absolute_url()).status_code == 200
    kinds = set()
    for _step in range(400):
        now = fresh(race)
        if not now.is_running:
            break
        table = play.look(now)
        decision = table.decisions[0]
        if decision.kind not in kinds:
            kinds.add(decision.kind)
            assert signed_on(str(decision.seat)).get(race.get_absolute_url()).status_code == 200
        answer(now, str(decision.seat), table.game.write_action(table.game.default(table.state, decision)))

    assert kinds >= {"rate", "allocate", "place", "move", "change"}
    assert fresh(race).is_over
    assert signed_on("Dino").get(race.get_absolute_url()).status_code == 200


@pytest.mark.rule("BA-MAD-02", "BA-MAD-04", "BA-MAD-06")
def test_a_team_is_rated_and_lined_up_by_its_form_and_by_its_board():
    people = ("Anna", "Bruno", "Carla", "Dora")
    race = started(people, variant="madison", madison_small=True)
    anna = signed_on("Anna")
    rate = open_for(race, "Anna", "rate")
    equal = send(anna, race, form_of(race, rate, r1="2", r2="2"))
    assert equal.status_code == 422
    assert re.search(r'name="r1" value="2" checked', equal.content.decode()), "what was chosen is not lost"
    assert send(anna, race, form_of(race, rate, r1="2", r2="1")).status_code == 302
    while (decision := play.look(fresh(race)).decisions[0]).about != "R" or decision.kind != "place":
        table = play.look(fresh(race))
        answer(race, str(decision.seat), table.game.write_action(table.game.default(table.state, decision)))

    shown = anna.get(race.get_absolute_url() + "?to=R:2@17").content.decode()
    sent = send(anna, race, form_of(race, open_for(race, "Anna", "place"), active="2", square="17"))

    assert re.search(r'name="active" value="2" checked', shown)
    assert re.search(r'name="square" value="17" checked', shown)
    assert "White 2 rides, White 1 rests beside square 17" in shown
    assert sent.status_code == 302
    assert race.entries.filter(seat="Anna").last().action == {"kind": "place", "team": "R", "active": 2, "square": 17}


def test_the_rules_stand_on_their_page():
    body = Client().get(reverse("races:rules", args=["breaking_away"])).content.decode()

    assert 'id="BA-REPL-02"' in body
    assert "Breaking Away" in body


def test_a_page_asks_no_more_for_more_teams_or_turns():
    def queries(race: Race) -> int:
        client = signed_on("Anna")
        client.get(race.get_absolute_url())
        with CaptureQueriesContext(
            connection,
        ) as seen:
            assert client.get(race.get_absolute_url()).status_code == 200
        return len(seen)

    small = racing(turn_mode="orders")
    first = queries(small)
    for name, team in zip(("Anna", "Bruno", "Carla"), "RWB", strict=True):
        answer(small, name, {"kind": "orders", "seat": name, "factors": {f"{team}{n}": h[0] for n, h in HANDS.items()}})

    assert queries(small) <= first + 1
