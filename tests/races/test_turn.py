"""Answering decisions on the page of a race: forms, previews, refusals, and a stage ridden with nothing else."""

import json
import random
import re
from html import unescape
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from races import play
from races.models import Race, Seat
from tests.races import factories as make

pytestmark = pytest.mark.django_db

HTMX = {"HTTP_HX_REQUEST": "true"}

SPRINT = {
    "course": "strip L2 | P1-20",
    "peloton": 3,
    "turn": 4,
    "riders": [
        {"id": "A", "type": "rouleur", "at": "8.1", "energy": 12},
        {"id": "B", "type": "climber", "at": "inside"},
    ],
}
"""A rides first: he stands alone on a plain, with 3 free squares."""


# ---- a reader of pages -----------------------------------------------------------------------------------------------
def form_of(body: str) -> str:
    found = re.search(r'<form[^>]*id="turn".*?</form>', body, re.DOTALL)
    assert found is not None, "there is a turn form"
    return found.group()


def answers(body: str) -> list[str]:
    """Every answer that the form offers, in the order of the page."""
    return [unescape(value) for value in re.findall(r'name="(?:action|button)"[^>]*? value="([^"]*)"', form_of(body))]


def filled(body: str, **more: Any) -> dict[str, Any]:
    """What a browser sends: the hidden fields of the form, and what was chosen."""
    hidden = re.findall(r'<input type="hidden" name="([a-z]+)" value="([^"]*)"', form_of(body))
    return {name: unescape(value) for name, value in hidden if name != "csrfmiddlewaretoken"} | more


def checked(body: str) -> list[str]:
    return [unescape(value) for value in re.findall(r'name="action"[^>]*? value="([^"]*)" checked', form_of(body))]


def page(client: Client, race: Race, query: str = "", **headers: Any) -> str:
    return str(client.get(race.get_absolute_url() + query, **headers).content.decode())


def send(client: Client, race: Race, data: dict[str, Any], **headers: Any) -> Any:
    return client.post(race.get_absolute_url(), data, **headers)


def a_move(body: str) -> str:
    return next(answer for answer in answers(body) if json.loads(answer)["kind"] in ("move", "break"))


@pytest.fixture
def sprint() -> Race:
    return make.standing(SPRINT, {"A": "Anna", "B": "Bruno"})


# ---- a whole stage ---------------------------------------------------------------------------------------------------
def test_a_stage_is_ridden_to_its_end_with_the_forms_of_the_page_alone() -> None:
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
        assert send(anna, race, filled(body, action=answers(body)[0])).status_code == 302

    assert race.is_over
    assert "wins in turn" in page(anna, race)
    assert race.entries.filter(seat="Anna").count() > 3


def test_riders_are_drafted_and_strengths_marked_with_the_forms_of_the_page() -> None:
    race = make.drafted(("Anna", "Bruno"), riders=2)
    clients = {name: make.signed_on(name) for name in ("Anna", "Bruno")}

    for _pick in range(2):
        due = next(d.seat for d in play.look(Race.objects.get(pk=race.pk)).decisions)
        body = page(clients[str(due)], race)
        assert "Draft your riders" in body
        assert send(clients[str(due)], race, filled(body, action=answers(body)[0])).status_code == 302
    state = play.look(Race.objects.get(pk=race.pk)).state
    first = state.seats[state.riders[0].entry.seat]
    rider = next(r.id for r in state.riders if state.seats[r.entry.seat] == "Anna")
    body = page(clients["Anna"], race)
    answer = send(clients["Anna"], race, filled(body, descender=rider, sprinter=""))

    assert first in ("Anna", "Bruno")
    assert answer.status_code == 302
    assert race.entries.get(seat="Anna", action__kind="strength").action == {"kind": "strength", "descender": rider}


# ---- choosing --------------------------------------------------------------------------------------------------------
def test_the_list_offers_every_legal_answer_and_nothing_else(sprint: Race) -> None:
    table = play.look(sprint)
    legal = {
        json.dumps(table.game.write_action(a), sort_keys=True)
        for a in table.game.legal(table.state, table.decisions[0])
    }

    offered = {
        json.dumps(json.loads(answer), sort_keys=True) for answer in answers(page(make.signed_on("Anna"), sprint))
    }

    assert offered == legal


def test_a_square_of_the_board_previews_by_a_link_and_moves_nobody(sprint: Race) -> None:
    anna = make.signed_on("Anna")
    link = unescape(re.findall(r'href="(\?to=[^"]*)"', page(anna, sprint))[0])

    body = page(anna, sprint, link)

    assert len(checked(body)) == 1
    assert "data-preview" in body
    assert "bd-ghost" in body
    assert not sprint.entries.exists()


def test_what_is_previewed_is_what_the_button_says(sprint: Race) -> None:
    anna = make.signed_on("Anna")
    body = page(anna, sprint)
    five = next(a for a in answers(body) if len(json.loads(a)["path"]) == 5)  # 3 free squares and 2 paid
    preview = page(anna, sprint, "?action=" + five)

    assert checked(preview) == [five]
    assert re.search(r'id="confirm"[^>]*>Ride 5<', preview)
    assert "3 energy, no risk" in preview


def test_an_address_that_names_no_legal_move_shows_the_page_without_a_preview(sprint: Race) -> None:
    anna = make.signed_on("Anna")

    for query in ("?to=A~9", "?to=" + "x" * 5000, "?action=[", '?action={"kind":"move"}', "?window=abc", "?zoom=x", "?rider=%00",
                  "?decision=%3A%3A", "?window=99999999999", "?before=-1"):  # fmt: skip
        answer = anna.get(sprint.get_absolute_url() + query)
        assert answer.status_code == 200, query
        assert "data-preview" not in answer.content.decode(), query


def test_who_attacks_is_chosen_before_where_to() -> None:
    race = make.running(("Anna", "Bruno"), (), riders=2)
    anna = make.signed_on("Anna")

    body = page(anna, race)
    chosen = page(anna, race, "?rider=Anna-leader")

    assert {json.loads(a)["kind"] for a in answers(body)} == {"end"}
    assert "?rider=Anna-rouleur" in body
    assert {json.loads(a).get("rider") for a in answers(chosen)} == {"Anna-leader", None}
    assert {json.loads(a)["kind"] for a in answers(chosen)} == {"end", "break", "drop"}


def test_the_odds_of_a_risk_are_told_in_words_and_percent() -> None:
    race = make.standing(
        {"course": "strip L2 | P1-20 | x 11.0 11.1 12.0 12.1", "peloton": 3, "turn": 4,
         "riders": [{"id": "A", "type": "climber", "at": "8.1", "energy": 30, "risks": 1}, {"id": "B", "type": "rouleur", "at": "inside"}]},
        {"A": "Anna"},
    )  # fmt: skip

    body = page(make.signed_on("Anna"), race)

    # the second risk needs 8 of 12: 5 faces
    assert "May fall: 8 or more holds, 42 %" in body
    assert "the next risk needs 8 or more" in body


def test_several_decisions_of_ones_own_are_tabs_and_each_has_its_panel() -> None:
    race = make.running(("Anna",), (), riders=2, options={"course": "strip L3 itt | P1-14", "cards": "none"})
    anna = make.signed_on("Anna")

    first = page(anna, race)
    tabs = [unescape(href) for href in re.findall(r'id="tab-\d" href="([^"]*)"', first)]
    second = page(anna, race, tabs[1])

    assert len(tabs) == 2
    assert filled(first)["decision"] != filled(second)["decision"]
    assert send(anna, race, filled(second, action=a_move(second))).status_code == 302
    assert send(anna, race, filled(first, action=a_move(first))).status_code == 302  # the other run was not disturbed


def test_nobody_else_gets_a_panel(sprint: Race) -> None:
    for client in (Client(), make.signed_on("Bruno"), make.signed_on("Olga"), make.signed_on("Dino")):
        body = page(client, sprint)
        assert 'id="turn"' not in body
        assert "?to=" not in body
        assert "A to move" in body


# ---- refusals --------------------------------------------------------------------------------------------------------
def test_nothing_chosen_is_422_and_says_so(sprint: Race) -> None:
    anna = make.signed_on("Anna")

    answer = send(anna, sprint, filled(page(anna, sprint)))

    assert answer.status_code == 422
    assert "Nothing was chosen yet." in answer.content.decode()


def test_what_the_rules_forbid_is_422_with_the_rule_linked_and_the_panel_again(sprint: Race) -> None:
    anna = make.signed_on("Anna")
    too_far = json.dumps({"kind": "move", "rider": "A", "path": [1] * 9})

    answer = send(anna, sprint, filled(page(anna, sprint), action=too_far))

    body = answer.content.decode()
    assert answer.status_code == 422
    assert f'href="{reverse("races:rules", args=["giro"])}#GI-' in body
    assert 'role="alert"' in body
    assert answers(body)
    assert not sprint.entries.exists()


def test_nothing_chosen_is_lost_by_a_refusal() -> None:
    race = make.drafted(("Anna", "Bruno"), riders=2)
    for _pick in range(2):
        table = play.look(Race.objects.get(pk=race.pk))
        decision = table.decisions[0]
        name = play.name_of(decision)
        play.submit(race.pk, seat=str(decision.seat), action=table.game.legal(table.state, decision)[0], decision=name,
                    after=table.opened[name], key=f"pick {name}")  # fmt: skip
    state = play.look(Race.objects.get(pk=race.pk)).state
    rider = next(r.id for r in state.riders if state.seats[r.entry.seat] == "Anna")
    anna = make.signed_on("Anna")

    answer = send(anna, race, filled(page(anna, race), descender=rider, sprinter=rider))

    assert answer.status_code == 422
    assert re.findall(r'name="(\w+)" value="([^"]+)" checked', answer.content.decode()) == [
        ("descender", rider),
        ("sprinter", rider),
    ]


def test_what_is_no_answer_at_all_is_422(sprint: Race) -> None:
    anna = make.signed_on("Anna")
    body = page(anna, sprint)

    for nonsense in (
        "7",
        "[]",
        "{",
        '{"kind": "fly"}',
        '{"kind": "move"}',
        '{"kind": "move", "rider": "A", "path": "x"}',
    ):
        assert send(anna, sprint, filled(body, action=nonsense)).status_code == 422, nonsense
    assert not sprint.entries.exists()


def test_a_form_from_before_is_409_with_the_panel_of_today() -> None:
    race = make.running(("Anna",), ("Robo",))
    anna = make.signed_on("Anna")
    old = page(anna, race)
    for _answer in range(2):
        body = page(anna, race)
        send(anna, race, filled(body, action=answers(body)[0]))
        play.advance(race.pk)
    count = race.entries.count()

    answer = send(anna, race, filled(old, action=answers(old)[0]))

    assert answer.status_code == 409
    assert "The race moved on" in answer.content.decode()
    assert 'id="turn"' in answer.content.decode()
    assert race.entries.count() == count


def test_the_same_form_sent_twice_is_one_move_and_ends_on_the_page(sprint: Race) -> None:
    anna = make.signed_on("Anna")
    body = page(anna, sprint)
    data = filled(body, action=a_move(body))

    first, second = send(anna, sprint, data), send(anna, sprint, data)

    assert (first.status_code, second.status_code) == (302, 302)
    assert first.url == second.url == sprint.get_absolute_url()
    assert sprint.entries.filter(taker="seat").count() == 1


def test_every_form_has_a_key_of_its_own(sprint: Race) -> None:
    anna = make.signed_on("Anna")

    assert filled(page(anna, sprint))["key"] != filled(page(anna, sprint))["key"]


def test_somebody_else_is_refused_and_nothing_is_stored(sprint: Race) -> None:
    body = page(make.signed_on("Anna"), sprint)
    data = filled(body, action=a_move(body))

    for client in (Client(), make.signed_on("Bruno"), make.signed_on("Olga")):
        assert send(client, sprint, data).status_code == 403
    for decision in ("", "move", "move:B:B:", "x" * 200, ":::", "::::"):
        assert send(make.signed_on("Bruno"), sprint, data | {"decision": decision}).status_code in (403, 409, 422), (
            decision
        )
    assert not sprint.entries.exists()


def test_a_race_that_one_may_not_watch_is_not_there() -> None:
    race = make.standing(SPRINT, {"A": "Anna"}, is_public=False)

    for url in (race.get_absolute_url(), reverse("races:entry", args=[race.key, 0])):
        assert Client().get(url).status_code == 404
        assert make.signed_on("Dino").get(url).status_code == 404
    assert make.signed_on("Anna").get(race.get_absolute_url()).status_code == 200
    assert Client().post(race.get_absolute_url(), {}).status_code == 404
    for name in ("take_back", "rewind", "single"):
        assert make.signed_on("Dino").post(reverse(f"races:{name}", args=[race.key]), {}).status_code == 404


def test_a_form_without_its_token_is_refused(sprint: Race) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(make.person("Anna"))
    body = page(client, sprint)

    assert send(client, sprint, filled(body, action=a_move(body))).status_code == 403


# ---- in parts --------------------------------------------------------------------------------------------------------
def test_htmx_gets_the_part_that_changes_and_everybody_else_the_page(sprint: Race) -> None:
    anna = make.signed_on("Anna")

    whole, part = page(anna, sprint), page(anna, sprint, **HTMX)
    restored = page(anna, sprint, HTTP_HX_HISTORY_RESTORE_REQUEST="true", **HTMX)

    assert "<!doctype html>" in whole
    assert "<!doctype html>" not in part
    assert part.lstrip().startswith('<div id="race"')
    assert "<!doctype html>" in restored


def test_an_answer_by_htmx_is_answered_with_the_race_as_it_then_stands(sprint: Race) -> None:
    anna = make.signed_on("Anna")
    body = page(anna, sprint)
    data = filled(body, action=a_move(body))

    done = send(anna, sprint, data, **HTMX)
    late = send(anna, sprint, data | {"key": "another"}, **HTMX)
    wrong = send(anna, sprint, data | {"action": "", "key": "a third"}, **HTMX)

    assert (done.status_code, late.status_code, wrong.status_code) == (200, 409, 422)
    for answer in (done, late, wrong):
        assert answer.content.decode().lstrip().startswith('<div id="race"')
    assert 'data-n="1"' in done.content.decode()


BLIND = {"course": "strip L2 | P1-16 | feed 6", "cards": "blind", "token": "Anna"}


def without_what_is_new_each_time(body: str) -> str:
    """Not the tokens and keys of forms, and not where the focus is: it stays where somebody has answered."""
    return re.sub(r'(name="(?:csrfmiddlewaretoken|key)" value=)"[^"]*"| autofocus', r"\1", body)


@pytest.mark.parametrize("options", [{"course": "strip L3 | P1-20", "cards": "none", "token": "Anna"}, BLIND])
def test_the_page_after_a_move_is_the_one_that_a_reader_would_ask_for(options: dict[str, Any]) -> None:
    people = ("Anna", "Bruno", "Cleo")
    race = make.running(people, ("Robo",), riders=2, options=options)
    clients = {name: make.signed_on(name) for name in people}
    rng = random.Random(3)

    for _turn in range(25):
        race.refresh_from_db()
        whose = next((str(d.seat) for d in play.look(Race.objects.get(pk=race.pk)).decisions if d.seat in people), None)
        if race.is_over or whose is None:
            break
        anna = clients[whose]
        body = page(anna, race)
        done = send(anna, race, filled(body, action=rng.choice(answers(body))), **HTMX).content.decode()
        asked = page(anna, race, **HTMX)
        assert without_what_is_new_each_time(done) == without_what_is_new_each_time(asked)
        if rng.random() < 0.3:
            anna.post(reverse("races:take_back", args=[race.key]), {"seat": whose})
        play.advance(race.pk)

    assert Race.objects.get(pk=race.pk).n > 20


def test_a_move_takes_few_questions_however_many_ride() -> None:
    def asked(people: tuple[str, ...]) -> tuple[int, int]:
        race = make.default_answers(make.running(people, (), options=LONG), 60, entries=12)
        counts = []
        for headers in ({}, HTMX):
            whose = str(play.look(Race.objects.get(pk=race.pk)).decisions[0].seat)
            client = make.signed_on(whose)
            data = filled(body := page(client, race), action=answers(body)[0])
            with CaptureQueriesContext(connection) as seen:
                assert send(client, race, data, **headers).status_code in (200, 302)
            counts.append(len(seen))
        return counts[0], counts[1]

    two, ten = asked(NAMES[:2]), asked(NAMES)

    assert two[0] <= MOST_OF_A_MOVE >= ten[0], (two, ten)
    assert two[1] <= MOST_WITH_ITS_PAGE >= ten[1], (two, ten)


NAMES = ("Anna", "Bruno", "Cleo", "Dora", "Emil", "Fritz", "Gita", "Hugo", "Iris", "Jens")
LONG = {"course": "strip L4 | P1-100 R101-160", "cards": "none", "token": "Anna"}
MOST_OF_A_MOVE = 14
"""Who it is, the race and its seats; the lock, position, receipt and seats under it, the seed; four rows; begin and commit."""
MOST_WITH_ITS_PAGE = 17
"""And whether he leads the race, twice, and the log."""


def test_the_page_is_never_kept(sprint: Race) -> None:
    answer = make.signed_on("Anna").get(sprint.get_absolute_url())

    assert "no-store" in answer.headers["Cache-Control"]
    assert "HX-Request" in answer.headers["Vary"]


def test_an_open_race_shows_its_lobby() -> None:
    race = make.waiting()

    answer = make.signed_on("Anna").get(race.get_absolute_url())

    assert answer.status_code == 200
    assert 'id="turn"' not in answer.content.decode()
    assert make.signed_on("Anna").post(race.get_absolute_url(), {}).status_code == 403


# ---- one answer only -------------------------------------------------------------------------------------------------
def test_whether_single_answers_are_taken_is_the_seats_own_wish() -> None:
    race = make.running(("Anna", "Bruno"), ())
    anna = make.signed_on("Anna")
    url = reverse("races:single", args=[race.key])

    anna.post(url, {"seat": "Anna"})
    stranger = anna.post(url, {"seat": "Bruno", "takes_single": "1"})

    assert not Seat.objects.get(race=race, name="Anna").takes_single
    assert stranger.status_code == 403
    anna.post(url, {"seat": "Anna", "takes_single": "1"})
    assert Seat.objects.get(race=race, name="Anna").takes_single


# ---- taking back -----------------------------------------------------------------------------------------------------
def test_the_newest_own_entry_is_taken_back_by_a_button() -> None:
    race = make.running(("Anna", "Bruno"), (), riders=2)
    anna, bruno = make.signed_on("Anna"), make.signed_on("Bruno")
    body = page(anna, race, "?rider=Anna-rouleur")
    send(anna, race, filled(body, action=a_move(body)))
    before = race.entries.count()
    url = reverse("races:take_back", args=[race.key])

    refused = bruno.post(url, {"seat": "Anna"})
    done = anna.post(url, {"seat": "Anna"})

    assert (refused.status_code, done.status_code) == (403, 302)
    assert race.entries.count() == before + 1
    body = page(anna, race)
    assert "takes back: the race is where it was after entry" in body
    assert 'class="void"' in body


def test_the_button_says_why_nothing_can_be_taken_back() -> None:
    race = make.running(("Anna", "Bruno"), ())
    anna = make.signed_on("Anna")
    body = page(anna, race)
    send(anna, race, filled(body, action=answers(body)[-1]))
    bruno = make.signed_on("Bruno")
    body = page(bruno, race)
    send(bruno, race, filled(body, action=answers(body)[-1]))

    body = page(anna, race)
    answer = anna.post(reverse("races:take_back", args=[race.key]), {"seat": "Anna"}, follow=True)

    assert re.search(r"<button[^>]*disabled[^>]*>.*?Take back", body, re.DOTALL)
    assert "Not now: Somebody else has acted since." in body
    assert "Somebody else has acted since." in answer.content.decode()
    assert not race.entries.filter(rewind_to__isnull=False).exists()


@pytest.mark.parametrize("nonsense", ["[" * 100_000, '{"a":' * 100_000, "null", "[]", "\x00"])
def test_an_answer_that_nobody_can_read_is_no_error_of_ours(sprint: Race, nonsense: str) -> None:
    anna = make.signed_on("Anna")
    body = page(anna, sprint)

    refused = send(anna, sprint, filled(body, action=nonsense))

    assert refused.status_code in (409, 422)
    assert anna.get(sprint.get_absolute_url(), {"action": nonsense[:3000]}).status_code == 200
