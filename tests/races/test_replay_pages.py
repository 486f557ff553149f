"""The past of a race on its pages: log, permanent addresses, replay; what nobody may read there; and what it costs."""

import re
import uuid
from html import unescape

import pytest
from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from races import history, play
from races.models import Entry, Race
from races.panels import panel_of
from rules.game import Taker
from rules.giro.numbers import rules as numbered_rules
from tests.races import factories as make

pytestmark = pytest.mark.django_db

BLIND = {"course": "strip L2 | P1-16 | feed 6", "cards": "blind", "token": "Anna"}
"""Cards that only their owners see, and a line at which bottles are drawn and kept."""


def entry_url(race: Race, n: int) -> str:
    return reverse("races:entry", args=[race.key, n])


def body_of(client: Client, url: str, **headers: str) -> str:
    answer = client.get(url, **headers)  # type: ignore[arg-type]
    assert answer.status_code == 200, url
    return str(answer.content.decode())


def forget() -> None:
    """As if nobody had read anything yet; what other tests keep is left alone."""
    caches["default"].key_prefix = uuid.uuid4().hex


def squares_of(body: str) -> list[str]:
    """The field as the table tells it: who, and where."""
    rows = re.findall(r"<b>([^<]+)</b>.*?<td class=\"num\">([^<]*)", body[body.index('id="road-h"') :], re.DOTALL)
    return [f"{name}: {place}" for name, place in rows]


@pytest.fixture
def ridden() -> Race:
    """A race of some sixty entries that is not over yet."""
    road = {"course": "strip L3 | P1-60", "cards": "none", "token": "Anna"}
    return make.default_answers(make.running(("Anna", "Bruno"), (), riders=3, options=road), 200, entries=60)


# ---- permanent addresses ---------------------------------------------------------------------------------------------
def test_every_entry_has_an_address_that_shows_the_race_as_it_then_stood(ridden: Race) -> None:
    panel, game = panel_of("giro"), play.game_of(ridden)
    for n in (0, 1, ridden.n // 2, ridden.n):
        state, _open = history.stood(ridden, n)
        view = game.view(state, None)
        cast = panel.cast(view, list(ridden.seats.all()))

        body = body_of(Client(), entry_url(ridden, n))

        told = [
            f"{row.shown.name}: {row.place}" for row in panel.road(view, (), cast, frozenset()) if hasattr(row, "shown")
        ]
        assert [row for row in squares_of(body) if not row.startswith("Peloton")] == told


def test_the_newest_entry_shows_what_the_race_page_shows(ridden: Race) -> None:
    page, entry = body_of(Client(), ridden.get_absolute_url()), body_of(Client(), entry_url(ridden, ridden.n))

    assert squares_of(page) == squares_of(entry)


def test_an_entry_that_is_not_there_is_not_found(ridden: Race) -> None:
    for n in (ridden.n + 1, 10**9):
        assert Client().get(entry_url(ridden, n)).status_code == 404
    assert Client().get(entry_url(make.waiting(), 0)).status_code == 404


def test_the_slider_leads_to_an_entry_and_never_beyond_the_newest(ridden: Race) -> None:
    for asked, reached in (("3", 3), ("0", 0), ("99999", ridden.n)):
        answer = Client().get(entry_url(ridden, 1), {"n": asked})
        assert (answer.status_code, answer.headers["Location"]) == (302, entry_url(ridden, reached))
    for nonsense in ("-1", "x", "", "1" * 40, "²"):
        assert Client().get(entry_url(ridden, 1), {"n": nonsense}).status_code == 404, nonsense


def test_first_previous_next_and_last_are_links(ridden: Race) -> None:
    middle = body_of(Client(), entry_url(ridden, 5))
    first, last = body_of(Client(), entry_url(ridden, 0)), body_of(Client(), entry_url(ridden, ridden.n))

    for n in (0, 4, 6, ridden.n):
        assert f'href="{entry_url(ridden, n)}"' in middle
    assert 'rel="prev"' not in first
    assert 'rel="next"' not in last


def test_nothing_can_be_chosen_in_the_past(ridden: Race) -> None:
    body = body_of(make.signed_on("Anna"), entry_url(ridden, ridden.n))

    assert 'id="turn"' not in body
    assert "?to=" not in body
    assert "hx-get" not in body


def test_what_was_taken_back_stays_readable_at_its_address_and_is_marked(ridden: Race) -> None:
    before = ridden.n
    play.rewind(ridden.pk, to=before - 5, reason="a wrong square", by=make.person("Olga"))
    ridden.refresh_from_db()

    old, page = body_of(Client(), entry_url(ridden, before)), body_of(Client(), ridden.get_absolute_url())

    assert "This was taken back later." in old
    assert page.count('class="void"') >= 1
    assert "The race goes back to where it was after entry" in page
    assert "a wrong square" in page
    assert squares_of(body_of(Client(), entry_url(ridden, ridden.n))) == squares_of(page)


# ---- going back ------------------------------------------------------------------------------------------------------
def test_the_organiser_goes_back_to_an_entry_with_a_reason(ridden: Race) -> None:
    olga, url, n = make.signed_on("Olga"), reverse("races:rewind", args=[ridden.key]), ridden.n
    assert "Go back to this entry" in body_of(olga, entry_url(ridden, 3))

    silent = olga.post(url, {"to": 3, "reason": " "})
    done = olga.post(url, {"to": 3, "reason": "the dice fell off the table"})
    again = olga.post(url, {"to": n, "reason": "no"})

    assert silent.status_code == 422
    assert "Say why the race goes back" in silent.content.decode()
    assert (done.status_code, again.status_code) == (302, 409)
    assert Entry.objects.get(race=ridden, n=n + 1).rewind_to == 3


def test_nobody_else_goes_back(ridden: Race) -> None:
    url = reverse("races:rewind", args=[ridden.key])

    for client in (Client(), make.signed_on("Anna"), make.signed_on("Dino")):
        assert client.post(url, {"to": 3, "reason": "because"}).status_code == 403
        assert "Go back to this entry" not in body_of(client, entry_url(ridden, 3))
    assert not ridden.entries.filter(rewind_to__isnull=False).exists()


def test_a_rewind_to_nowhere_is_not_found(ridden: Race) -> None:
    url = reverse("races:rewind", args=[ridden.key])

    for data in ({}, {"to": "x"}, {"to": 10**8, "reason": ""}):
        assert make.signed_on("Olga").post(url, data).status_code == 404, data


# ---- the log ---------------------------------------------------------------------------------------------------------
def test_the_log_is_newest_first_and_in_pages_without_gaps(ridden: Race) -> None:
    seen: list[int] = []
    url = ridden.get_absolute_url()
    pages = 0
    while url:
        body = body_of(Client(), url)
        seen += [int(n) for n in re.findall(r'<li id="n(\d+)"', body)]
        more = re.search(r'href="(\?before=\d+)#log-h"', body)
        url = ridden.get_absolute_url() + unescape(more[1]) if more else ""
        pages += 1

    assert pages > 1
    assert seen == sorted(set(seen), reverse=True)
    assert max(seen) == ridden.n


def test_entries_of_one_kind_are_one_line_and_the_turn_stands_in_the_margin(ridden: Race) -> None:
    body = body_of(Client(), ridden.get_absolute_url())

    assert "<b>Anna R.</b> and <b>Bruno R.</b> send nobody more." in body or "send nobody more" in body
    assert re.search(r'class="t"[^>]*>T\d+<', body)


def test_the_readers_last_turn_is_marked(ridden: Race) -> None:
    body = body_of(make.signed_on("Anna"), ridden.get_absolute_url())
    last = ridden.entries.filter(taker=Taker.SEAT.value, seat="Anna").order_by("-n").values_list("n", flat=True)[0]

    assert 'href="#since"' in body
    assert re.search(rf'id="since">.*?</li><li id="n{last}"', body, re.DOTALL)
    assert 'href="#since"' not in body_of(Client(), ridden.get_absolute_url())


# ---- secrets ---------------------------------------------------------------------------------------------------------
@pytest.fixture
def secret() -> Race:
    """Anna keeps a bottle that nobody else has seen, and cards are blind."""
    for attempt in range(40):
        race = make.running(("Anna", "Bruno"), (), options=BLIND, takes_single=False)
        make.default_answers(race, 80, until="tile")
        race = Race.objects.get(pk=race.pk)
        table = play.look(race)
        tiles = [r for r in table.state.riders if r.racing and r.tiles]
        if tiles and table.decisions:
            return race
        assert attempt < 39, "somebody keeps a bottle"
    raise AssertionError


def pages_of(race: Race) -> list[str]:
    return [race.get_absolute_url(), *(entry_url(race, n) for n in range(race.n + 1))]


def test_a_kept_bottle_and_a_blind_card_are_on_no_page_of_anybody_else(secret: Race) -> None:
    """The value of the bottle is not to be found as a word, for one figure is like another: so it is swapped, and no
    page but its owner's is another one."""
    table = play.look(secret)
    owner = next(r for r in table.state.riders if r.tiles)
    seat = str(table.state.seats[owner.entry.seat])
    cards = {str(table.state.seats[r.entry.seat]): r.card.value for r in table.state.riders if r.card}
    readers = {
        "Anna": make.signed_on("Anna"),
        "Bruno": make.signed_on("Bruno"),
        "Olga": make.signed_on("Olga"),
        "": Client(),
    }
    drawn = secret.entries.filter(action__kind="tile").order_by("-n")[0]

    def readings() -> dict[str, list[str]]:
        forget()
        out = {}
        for who, client in readers.items():
            bodies = [body_of(client, url) for url in pages_of(secret)]
            bodies.append(body_of(client, secret.get_absolute_url(), HTTP_HX_REQUEST="true"))
            out[who] = [unmarked(body) for body in bodies]
        return out

    before = readings()
    another = next(value for value in (2, 3, 4, 5) if value != drawn.action["value"])
    swapped(secret, drawn, another)
    after = readings()

    for who in readers:
        for name, card in cards.items():
            told = any(card in body.lower() for body in before[who])
            assert told == (who == name), f"{who} reads of the card of {name}: {told}"
        assert (before[who] == after[who]) == (who != seat), f"the bottle of {seat} on the pages of {who}"


def unmarked(body: str) -> str:
    """Without what differs from one answer to the next: tokens and keys."""
    body = re.sub(r'name="csrfmiddlewaretoken" value="[^"]*"', "", body)
    return re.sub(r'name="key" value="[^"]*"', "", body)


def swapped(race: Race, drawn: Entry, value: int) -> None:
    """The same race, in which another bottle was drawn there."""
    drawn.action = drawn.action | {"value": value}
    for event in drawn.events:
        if event["kind"] == "drew_tile":
            event["value"] = value
    drawn.save()
    state, opened = play.rebuilt(race)
    position = race.position
    position.state, position.opened = play.game_of(race).write_state(state), opened
    position.save()


def test_the_seed_is_on_no_page_while_the_race_runs(secret: Race) -> None:
    from races.models import Secret

    seed = bytes(Secret.objects.get(race=secret).seed)
    for url in pages_of(secret)[:3]:
        body = body_of(make.signed_on("Anna"), url)
        assert seed.hex() not in body
    assert secret.commitment in body_of(Client(), secret.get_absolute_url())


def test_a_log_that_was_read_entry_by_entry_says_what_it_says_when_it_is_read_at_once() -> None:
    race, panel = make.running(("Anna", "Bruno"), (), options=BLIND), panel_of("giro")

    def read() -> dict[int, history.Told]:
        entries = list(race.entries.defer("events").order_by("-n"))
        told = history.told(race, panel, entries)
        assert sorted(told) == [entry.n for entry in reversed(entries) if entry.action is not None]
        return told

    for back in (6, 4, 2):
        for _answer in range(5):
            race = make.default_answers(race, 1)
            read()
        race = make.default_answers(race, 2)
        play.rewind(race.pk, to=back, reason="Again.", by=None)  # behind what was read, after more that was not
        race = make.default_answers(race, 1)
        read()
    piece_by_piece, stood = read(), history.stands(race, race.n)
    forget()

    assert read() == piece_by_piece
    assert len(piece_by_piece) > 20
    assert stood == play.rebuilt(race)[0] == play.look(Race.objects.get(pk=race.pk)).state


def test_what_may_be_taken_back_is_the_same_whatever_of_the_log_was_read_before() -> None:
    race = make.running(("Anna", "Bruno"), (), riders=2, options={"course": "strip L3 | P1-40", "cards": "none"})
    said = set()
    for _answer in range(12):
        race = make.default_answers(race, 1)
        for seat in ("Anna", "Bruno"):
            page, line = history.Reading(race), history.Reading(race)
            assert page.newest(40)[0] == line.newest(1)[0] == race.entries.order_by("-n").first()
            told = play.can_take_back(race, seat)
            assert play.can_take_back(race, seat, page) == told == play.can_take_back(race, seat, line)
            said.add(told)
    assert len(said) > 1


def test_the_log_calls_everybody_by_the_name_that_he_has_now(ridden: Race) -> None:
    def log_of(client: Client) -> str:
        body = body_of(client, ridden.get_absolute_url())
        return body[body.index('<ol class="log">') : body.index("</ol>", body.index('<ol class="log">'))]

    before, seat = log_of(Client()), ridden.seats.get(name="Anna")
    assert f"<b>{seat}</b>" in before

    ridden.seats.filter(name="Anna").update(label="Zora Q.")

    after = log_of(Client())
    assert "<b>Zora Q.</b>" in after
    assert f"<b>{seat}</b>" not in after
    assert after.replace("Zora Q.", str(seat)) == before


# ---- damage ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("damage", ["lost", "doubled", "nonsense"])
def test_a_damaged_log_takes_no_page_away(ridden: Race, damage: str) -> None:
    entry = ridden.entries.filter(action__isnull=False).order_by("n")[4]
    if damage == "lost":
        entry.delete()
    elif damage == "doubled":
        entry.action = ridden.entries.filter(action__isnull=False).order_by("n")[3].action
        entry.save()
    else:
        entry.action = {"kind": "fly"}
        entry.save()
    forget()

    for client in (Client(), make.signed_on("Anna"), make.signed_on("Olga")):
        page = client.get(ridden.get_absolute_url())
        assert page.status_code == 200
        assert "This entry cannot be read." in page.content.decode()
        assert client.get(entry_url(ridden, ridden.n)).status_code == 409
        assert client.get(entry_url(ridden, 2)).status_code == 200


# ---- what it costs ---------------------------------------------------------------------------------------------------
def queries(client: Client, url: str) -> int:
    with CaptureQueriesContext(
        connection,
    ) as captured:
        body_of(client, url)
    return len(captured)


def at_annas_turn(race: Race, least: int) -> Race:
    """At the first attack of Anna after so many entries, which is not her own newest entry's."""
    race = make.default_answers(race, 500, entries=least)
    while not any(d.kind == "attack" and d.seat == "Anna" for d in play.look(race).decisions):
        assert race.is_running, f"over after {race.n} entries"
        race = make.default_answers(race, 1)
    return race


def costs_of(race: Race) -> tuple[int, int, int]:
    """Of the page for Anna, for a stranger, and of an entry."""
    anna = make.signed_on("Anna")
    for client in (anna, Client()):  # the log is in the cache
        body_of(client, race.get_absolute_url())
    return (
        queries(anna, race.get_absolute_url()),
        queries(Client(), race.get_absolute_url()),
        queries(anna, entry_url(race, race.n - 1)),
    )


NAMES = ("Anna", "Bruno", "Cleo", "Dora", "Emil", "Fritz", "Gita", "Hugo", "Iris", "Jens")
LONG = {"course": "strip L4 | P1-100 R101-160", "cards": "none", "token": "Anna"}


def test_a_page_asks_as_many_questions_for_ten_seats_as_for_two() -> None:
    two, ten = (at_annas_turn(make.running(people, (), options=LONG), 20) for people in (NAMES[:2], NAMES))

    assert costs_of(two) == costs_of(ten)
    assert max(costs_of(ten)) <= 9


def test_a_page_asks_as_many_questions_after_three_hundred_entries_as_after_ten() -> None:
    race = at_annas_turn(make.running(NAMES[:4], (), riders=3, options=LONG), 20)
    short = costs_of(race)
    race = at_annas_turn(race, 300)

    assert costs_of(race) == short


def test_a_log_that_nobody_has_read_yet_costs_one_question_more() -> None:
    race = at_annas_turn(make.running(NAMES[:2], (), options=LONG), 20)
    warm = costs_of(race)[1]
    forget()

    assert queries(Client(), race.get_absolute_url()) == warm + 1


# ---- the rules -------------------------------------------------------------------------------------------------------
def test_every_rule_has_its_anchor_on_the_page_of_rules() -> None:
    body = body_of(Client(), reverse("races:rules", args=["giro"]))

    assert re.findall(r'<div id="([A-Z0-9-]+)"', body) == list(numbered_rules())
    assert Client().get(reverse("races:rules", args=["tiddlywinks"])).status_code == 404
