"""A race refereed at a real table: typed dice, one tap back, several phones."""

import json
import random
import re
from html import unescape
from itertools import pairwise
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from races import play
from races.access import cookie_of, hashed
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


def test_an_ordinary_move_is_one_tap_and_one_that_costs_is_two() -> None:
    """Every answer of a whole stage is a button of the page, or of a page that one link of it leads to."""
    race = table(ROAD)
    olga = make.signed_on("Olga")
    ordinary = dear = 0

    while (now := play.look(Race.objects.get(pk=race.pk))).decisions:
        (decision,) = now.decisions
        if decision.kind == "move":
            body = page(olga, race)
            for action in GIRO.legal(now.state, decision):
                tell = GIRO.explain(now.state, action)
                if tell and (tell["cost"] or tell["risk"] or action.card):
                    assert code(action) not in buttons(body), "what costs, risks or plays a card is looked at first"
                    dear += 1
                else:
                    assert code(action) in buttons(body)
                    ordinary += 1
        type_in(race, GIRO.default(now.state, decision) if decision.kind != "attack" else attack(now, decision))

    assert ordinary > 5
    assert dear > 5


def taps_to(client: Client, race: Race, body: str, told: dict[str, Any], most: int = 3) -> tuple[int, str]:
    """How many taps somebody needs who begins at this page, the one that answers among them, and the page of that one."""
    pages = [body]
    for taps in range(1, most + 1):
        for shown in pages:
            if told in buttons(shown):
                return taps, shown
        found = [re.findall(r'<a class="cell[^"]*"[^>]*? href="([^"]*)"', shown) for shown in pages]
        pages = [
            page(client, race, unescape(href)) for href in dict.fromkeys(href for links in found for href in links)
        ]
    raise AssertionError(f"{told} is no button within {most} taps")


def test_a_whole_road_stage_takes_one_tap_for_each_roll_and_two_at_most_for_each_ordinary_move() -> None:
    """Taps are counted from the page that the answer before led to: links that are followed, and the post that answers."""
    race = table(HILLS | {"cards": "none"}, riders=2)
    olga = make.signed_on("Olga")
    rng = random.Random(11)
    body = page(olga, race)
    most: dict[str, int] = {}
    asked: list[tuple[str, str | None]] = []
    posts = 0

    while (now := play.look(Race.objects.get(pk=race.pk))).decisions:
        (decision,) = now.decisions
        legal = list(GIRO.legal(now.state, decision))
        red = [action for action in legal if code(action).get("red")]
        action = rng.choice(red or legal)
        tell = GIRO.explain(now.state, action) if decision.kind in ("move", "attack") else None
        is_dear = bool(tell and (tell["cost"] or tell["risk"]))
        taps, shown = taps_to(olga, race, body, code(action))
        name = "dear" if is_dear else "roll" if decision.taker is Taker.CHANCE else decision.kind
        most[name] = max(most.get(name, 0), taps)
        asked.append((decision.kind, decision.why))

        answer = tap(olga, race, shown, code(action))

        assert answer.status_code == 302
        body = page(olga, race, answer["Location"].removeprefix(address(race)))
        posts += 1

    assert Race.objects.get(pk=race.pk).n == posts, "one post is one entry, and nothing is asked twice"
    puncture = ("event_die", "puncture")
    runs = sum(one == other == puncture for one, other in pairwise(asked))
    assert runs >= 3, "a red face asks for several riders in a row"
    assert most.pop("roll") == 1
    assert most.pop("dear") <= 3
    assert most.pop("move") == 1
    assert max(most.values()) <= 2, most


def attack(now: play.Table, decision: Decision) -> Any:
    """Break away as far as possible, so that somebody rides before the peloton."""
    legal = GIRO.legal(now.state, decision)
    breaks = [action for action in legal if code(action)["kind"] == "break"]
    return max(breaks, key=lambda action: len(action.path), default=legal[0])


def type_in(race: Race, action: Any, by: User | None = None) -> Entry:
    """An answer by the door, to whatever is open about its rider."""
    now = play.look(Race.objects.get(pk=race.pk))
    decision = next(d for d in now.decisions if action in GIRO.legal(now.state, d))
    name = play.name_of(decision)
    n = play.referee(
        race.pk,
        action=action,
        decision=name,
        after=now.opened[name],
        key=f"k{now.race.n}-{now.race.entries.count()}",
        by=by,
    ).n
    return race.entries.get(n=n)


def until(race: Race, kind: str, why: str | None = None) -> Decision:
    """Everybody answers as if his time were up until that is asked."""
    for _step in range(300):
        now = play.look(Race.objects.get(pk=race.pk))
        decision = now.decisions[0]
        if decision.kind == kind and (why is None or decision.why == why):
            return decision
        type_in(race, GIRO.default(now.state, decision) if decision.kind != "attack" else attack(now, decision))
    raise AssertionError(f"{kind} is never asked")


# ---- what only one may know ------------------------------------------------------------------------------------------
@pytest.mark.rule("GI-M-10")
def test_a_bottle_kept_face_down_is_not_known_before_it_is_turned_up() -> None:
    race = table({**ROAD, "cards": "none"})
    olga = make.signed_on("Olga")
    decision = until(race, "tile")
    rider = decision.about
    body = page(olga, race)
    kept = {"kind": "tile", "rider": rider, "value": 0}
    assert "Kept face down" in body

    assert tap(olga, race, body, kept).status_code == 302
    now = play.look(Race.objects.get(pk=race.pk))
    assert next(r for r in now.state.riders if r.id == rider).tiles == (0,)
    energy = next(r for r in now.state.riders if r.id == rider).energy

    for _step in range(60):
        now = play.look(Race.objects.get(pk=race.pk))
        if now.decisions[0].why == "revealed":
            break
        body = page(olga, race)
        turn_up = {"kind": "reveal", "rider": rider, "tile": 0}
        if now.decisions[0].about == rider and turn_up in buttons(body):
            energy = next(r for r in now.state.riders if r.id == rider).energy
            assert tap(olga, race, body, turn_up).status_code == 302
        else:
            type_in(race, GIRO.default(now.state, now.decisions[0]))
    body = page(olga, race)
    assert "Turn up the bottle of" in body
    assert "Kept face down" not in body
    assert tap(olga, race, body, {"kind": "tile", "rider": rider, "value": 4}).status_code == 302

    now = play.look(Race.objects.get(pk=race.pk))
    assert next(r for r in now.state.riders if r.id == rider).energy == energy + 4


@pytest.mark.rule("GI-M-10")
def test_a_blind_card_may_be_dealt_face_down_and_is_turned_up_when_it_is_wanted() -> None:
    race = table({**ROAD, "cards": "blind"})
    olga = make.signed_on("Olga")
    for _rider in range(2):
        body = page(olga, race)
        face_down = buttons(body)[0]
        assert face_down["card"] is None
        assert tap(olga, race, body, face_down).status_code == 302
    until(race, "attack")
    rider = play.look(race).state.riders[0].id

    assert tap(olga, race, page(olga, race), {"kind": "show", "rider": rider}).status_code == 302
    body = page(olga, race)
    assert "turns up his card. Which is it?" in body
    assert {"kind": "card", "rider": rider, "card": "miguel"} in buttons(body)
    assert tap(olga, race, body, {"kind": "card", "rider": rider, "card": "miguel"}).status_code == 302

    assert play.look(Race.objects.get(pk=race.pk)).state.riders[0].card == "miguel"


def test_what_was_typed_for_one_player_stands_in_no_line_that_others_read() -> None:
    race = table({**ROAD, "cards": "none"})
    olga = make.signed_on("Olga")
    decision = until(race, "tile")
    now = play.look(Race.objects.get(pk=race.pk))
    type_in(race, next(action for action in GIRO.legal(now.state, decision) if action.value == 5))
    body = page(olga, race)
    assert "A bottle of 5" in body

    tap(olga, race, body, {"kind": "keep", "rider": decision.about})

    body = page(olga, race)
    last = re.search(r'id="last".*?</p>', body, re.DOTALL)
    log = re.search(r'<ol class="log">.*?</ol>', body, re.DOTALL)
    assert last is not None
    assert "keeps" in last.group()
    assert log is not None
    assert "draws a bottle, face down" in log.group()
    assert "Undo: the answer for" in body


# ---- going back ------------------------------------------------------------------------------------------------------
def undo(client: Client, race: Race, body: str, **more: Any) -> Any:
    found = re.search(r'name="n" value="(\d+)"', body)
    assert found is not None, "there is something to take back"
    return client.post(reverse("races:undo", args=[race.key]), {"n": found.group(1)} | more)


def test_a_roll_is_taken_back_with_one_tap_and_the_log_says_so() -> None:
    race = table()
    olga = make.signed_on("Olga")
    until(race, "peloton_die")
    before = play.look(Race.objects.get(pk=race.pk))
    tap(olga, race, page(olga, race), {"kind": "peloton_die", "value": 5, "red": False})
    rolled = Race.objects.get(pk=race.pk).n
    body = page(olga, race)
    assert "Undo: the peloton die" in body

    assert undo(olga, race, body).status_code == 302

    now = play.look(Race.objects.get(pk=race.pk))
    assert GIRO.write_state(now.state) == GIRO.write_state(before.state)
    mark = now.race.entries.last()
    assert mark is not None
    assert (mark.n, mark.rewind_to, mark.by) == (rolled + 1, before.race.n, make.person("Olga"))
    body = page(olga, race)
    assert "undone at the table" in body
    assert "Roll the peloton die" in body
    assert race.entries.get(n=rolled).action == {"kind": "peloton_die", "value": 5}

    assert tap(olga, race, body, {"kind": "peloton_die", "value": 3, "red": False}).status_code == 302
    assert play.recompute(race.pk)


def test_undo_goes_back_to_the_start_one_thing_at_a_time() -> None:
    race = table()
    olga = make.signed_on("Olga")
    first = GIRO.write_state(play.look(race).state)
    until(race, "pursue")

    for _step in range(30):
        body = page(olga, race)
        if "Undo:" not in body:
            break
        assert undo(olga, race, body).status_code == 302

    assert GIRO.write_state(play.look(Race.objects.get(pk=race.pk)).state) == first


def test_what_a_bot_answered_goes_back_with_what_was_typed_before_it() -> None:
    race = play.start(make.waiting(("Anna",), ("Robo",), options=ROAD, way="refereed"), by=make.person("Olga"))
    olga = make.signed_on("Olga")
    for _step in range(60):
        now = play.look(Race.objects.get(pk=race.pk))
        newest = now.race.entries.last()
        if newest and newest.seat == "Robo" and newest.action:
            break
        type_in(race, GIRO.default(now.state, now.decisions[0]))
        play.advance(race.pk)
    bots = newest.n
    typed = max(e.n for e in play.effective(race.entries.all()) if e.seat != "Robo")

    assert undo(olga, race, page(olga, race)).status_code == 302

    mark = race.entries.filter(rewind_to__isnull=False).get()
    assert mark.rewind_to is not None
    assert mark.rewind_to < typed < bots


def test_the_end_of_a_race_can_be_taken_back_and_is_told_again_when_it_comes_again(
    django_capture_on_commit_callbacks: Any,
) -> None:
    race = table({**ROAD, "cards": "none"})
    olga = make.signed_on("Olga")
    told: list[int] = []

    def hear(race_id: int, **_more: Any) -> None:
        told.append(race_id)

    race_over.connect(hear)
    try:
        with django_capture_on_commit_callbacks(execute=True):
            finish(race)
        body = page(olga, race)
        assert "wins in turn" in body
        outcome = Race.objects.get(pk=race.pk).outcome
        assert undo(olga, race, body).status_code == 302
        assert Race.objects.get(pk=race.pk).is_running
        assert Race.objects.get(pk=race.pk).outcome is None
        with django_capture_on_commit_callbacks(execute=True):
            finish(race)
    finally:
        race_over.disconnect(hear)

    assert Race.objects.get(pk=race.pk).outcome == outcome
    assert told == [race.pk, race.pk]


def finish(race: Race) -> None:
    for _step in range(300):
        now = play.look(Race.objects.get(pk=race.pk))
        if not now.decisions:
            return
        type_in(race, GIRO.default(now.state, now.decisions[0]))


# ---- several phones --------------------------------------------------------------------------------------------------
def test_of_two_phones_the_slower_one_is_told_who_was_quicker_and_what_he_typed() -> None:
    race = table()
    until(race, "peloton_die")
    olga, anna = make.signed_on("Olga"), make.signed_on("Anna")
    old = page(olga, race)
    tap(anna, race, page(anna, race), {"kind": "peloton_die", "value": 4, "red": False})
    n = Race.objects.get(pk=race.pk).n

    answer = tap(olga, race, old, {"kind": "peloton_die", "value": 5, "red": False})

    body = answer.content.decode()
    assert answer.status_code == 409
    assert "Anna" in body
    assert "was quicker: The peloton rolls 4" in body
    assert 'id="turn"' in body, "the question as it is now"
    assert Race.objects.get(pk=race.pk).n == n


def test_two_taps_on_undo_take_back_one_thing() -> None:
    race = table()
    until(race, "peloton_die")
    olga, anna = make.signed_on("Olga"), make.signed_on("Anna")
    body = page(olga, race)

    assert undo(olga, race, body).status_code == 302
    answer = undo(anna, race, body)

    assert answer.status_code == 409
    assert "went back meanwhile" in answer.content.decode()
    assert race.entries.filter(rewind_to__isnull=False).count() == 1


def test_the_same_form_sent_twice_is_one_entry() -> None:
    race = table()
    until(race, "peloton_die")
    olga = make.signed_on("Olga")
    body = page(olga, race)

    for _tap in range(2):
        assert tap(olga, race, body, {"kind": "peloton_die", "value": 4, "red": True}).status_code == 302

    assert race.entries.filter(action__kind="peloton_die").count() == 1


def test_what_cannot_have_fallen_is_refused_with_its_rule() -> None:
    race = table()
    until(race, "peloton_die")
    olga = make.signed_on("Olga")
    n = Race.objects.get(pk=race.pk).n

    answer = tap(olga, race, page(olga, race), {"kind": "peloton_die", "value": 6, "red": False})

    assert answer.status_code == 422
    assert "GI-M-01" in answer.content.decode()
    assert Race.objects.get(pk=race.pk).n == n


# ---- against the clock -----------------------------------------------------------------------------------------------
def test_of_several_riders_on_the_road_the_referee_takes_one_and_stays_with_him() -> None:
    race = table({"course": "strip L3 itt | P1-14", "cards": "none"})
    olga = make.signed_on("Olga")
    body = page(olga, race)
    tabs = [unescape(href) for href in re.findall(r'<a id="tab-\d+" href="([^"]*)"', body)]
    assert len(tabs) == 2

    body = page(olga, race, tabs[1])
    assert "Rouleur (21) rides" in body
    answer = tap(olga, race, body, next(told for told in buttons(body) if told["kind"] == "move"))

    assert answer.status_code == 302
    assert "Rouleur (21) rides" in page(olga, race, answer["Location"].removeprefix(address(race)))


@pytest.mark.rule("GI-D3-12")
def test_the_order_on_the_stopwatch_is_tapped_from_the_quickest() -> None:
    race = table({"course": "strip L3 itt | P1-6", "cards": "none", "tt_clock": "measured"}, ("Anna", "Bruno", "Carla"))
    olga = make.signed_on("Olga")
    until(race, "clock")

    body = page(olga, race)
    assert "Who was quickest on the stopwatch?" in body
    links = [unescape(href) for href in re.findall(r'<a class="cell" href="([^"]*)"', body)]
    body = page(olga, race, next(href for href in links if "Carla" in href))
    told = next(told for told in buttons(body) if told["order"][1] == "Anna-rouleur")
    assert told["order"] == ["Carla-rouleur", "Anna-rouleur", "Bruno-rouleur"]

    assert tap(olga, race, body, told).status_code == 302
    assert Race.objects.get(pk=race.pk).status == "over"


# ---- who may ---------------------------------------------------------------------------------------------------------
def test_the_leader_and_who_sits_in_the_race_may_referee_and_nobody_else() -> None:
    race = table()
    statuses = {name: make.signed_on(name).get(address(race)).status_code for name in ("Olga", "Anna", "Bruno", "Dino")}

    assert statuses == {"Olga": 200, "Anna": 200, "Bruno": 200, "Dino": 403}
    assert Client().get(address(race)).status_code == 403
    body = page(make.signed_on("Olga"), race)
    for stranger in (make.signed_on("Dino"), Client()):
        assert tap(stranger, race, body, {"kind": "first_token", "seat": "Anna"}).status_code == 403
        assert stranger.post(reverse("races:undo", args=[race.key]), {"n": 1}).status_code == 403
    assert Race.objects.get(pk=race.pk).n == 0


def test_a_race_on_the_site_has_no_referee() -> None:
    race = make.running()
    olga = make.signed_on("Olga")

    assert olga.get(address(race))["Location"] == race.get_absolute_url()
    answer = olga.post(reverse("races:undo", args=[race.key]), {"n": race.n})

    assert answer["Location"] == race.get_absolute_url()
    assert not race.entries.filter(rewind_to__isnull=False).exists()


def test_the_page_of_the_race_leads_to_the_referee_whoever_may_referee() -> None:
    race = table()

    assert address(race) in make.signed_on("Olga").get(race.get_absolute_url()).content.decode()
    assert address(race) not in Client().get(race.get_absolute_url()).content.decode()


def test_the_page_takes_the_same_few_queries_however_long_the_race_is(django_assert_max_num_queries: Any) -> None:
    race = table()
    olga = make.signed_on("Olga")
    until(race, "peloton_die")
    page(olga, race)
    with django_assert_max_num_queries(MOST_QUERIES):
        page(olga, race)
    finish_some(race, 40)
    page(olga, race)

    with django_assert_max_num_queries(MOST_QUERIES + TO_GO_BACK):
        page(olga, race)


MOST_QUERIES = 10
TO_GO_BACK = 5
"""Of a race that is over, whether it may go back: asked of everybody who has a say in it."""


def finish_some(race: Race, steps: int) -> None:
    for _step in range(steps):
        now = play.look(Race.objects.get(pk=race.pk))
        if not now.decisions:
            return
        type_in(race, GIRO.default(now.state, now.decisions[0]))


def test_a_guest_in_a_seat_may_referee_too() -> None:
    race = table()
    seat = race.seats.get(name="Anna")
    seat.user, seat.guest = None, hashed("a key")
    seat.save()
    guest = Client()
    guest.cookies[cookie_of(race)] = "a key"
    until(race, "peloton_die")

    assert tap(guest, race, page(guest, race), {"kind": "peloton_die", "value": 4, "red": False}).status_code == 302

    rolled = race.entries.get(action__kind="peloton_die")
    assert rolled.by is None


def test_an_old_button_after_the_end_shows_the_end() -> None:
    race = table({**ROAD, "cards": "none"})
    olga = make.signed_on("Olga")
    until(race, "peloton_die")
    old = page(olga, race)
    finish(race)

    answer = tap(olga, race, old, {"kind": "peloton_die", "value": 4, "red": False})

    assert answer.status_code == 409
    assert "wins in turn" in answer.content.decode()


def test_a_race_that_was_abandoned_is_not_taken_back() -> None:
    race = table()
    olga = make.signed_on("Olga")
    until(race, "peloton_die")
    body = page(olga, race)
    play.abandon(race.pk, reason="The pub closes.", by=make.person("Olga"))

    assert undo(olga, race, body).status_code == 422

    assert Race.objects.get(pk=race.pk).status == "abandoned"
    assert "Undo:" not in page(olga, race)


def test_a_race_that_waits_for_its_riders_sends_the_referee_to_its_lobby_and_the_start_sends_him_back() -> None:
    race = make.waiting(("Anna", "Bruno"), (), options=ROAD, way="refereed")
    olga = make.signed_on("Olga")

    assert olga.get(address(race))["Location"] == race.get_absolute_url()
    assert olga.post(reverse("races:start", args=[race.key]))["Location"] == address(race)
