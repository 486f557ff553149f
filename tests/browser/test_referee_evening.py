"""An evening at a real table: one phone referees a short stage with typed dice, held in one hand."""

import re
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from races import play
from races.models import Race
from tests.browser.conftest import PHONE, SignOn, page_of
from tests.browser.race_page import settled
from tests.races import factories as make

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
ROAD = {"course": "strip L3 | P1-8 M9-12/3 D13-18 | feed 4", "cards": "blind"}
TARGET = 44  # px, the least side of what a thumb has to hit


def table(options: dict[str, Any] = ROAD, people: tuple[str, ...] = ("Anna", "Bruno")) -> Race:
    return play.start(make.waiting(people, (), options=options, way="refereed"), by=make.person("Olga"))


def open_referee(page: Page, site: LiveServer, race: Race) -> list[str]:
    """The page, and a list into which whatever the browser complains of is written."""
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.goto(f"{site.url}/races/{race.key}/referee/")
    return complaints


def question(page: Page) -> str:
    return page.locator("#turn-h").inner_text()


def kind_of(text: str) -> str:
    """A question without its names."""
    return re.sub(r"\w+ \(\d+\)|\w+ R\.|\d+", "X", text)


def stands_well(page: Page) -> None:
    """Nothing hangs over the edge, every target is big enough for a thumb, nothing is serious for who does not see it."""
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), question(page)
    small = page.locator(".ref-form button, .ref-form a, #undo").evaluate_all(
        "(all, least) => all.map(e => [e.textContent, e.getBoundingClientRect()])"
        ".filter(([, box]) => Math.min(box.width, box.height) < least).map(([text]) => text)",
        TARGET,
    )
    assert small == [], question(page)
    found = Axe().run(page).response["violations"]
    assert [v["id"] for v in found if v["impact"] in ("serious", "critical")] == [], question(page)


def tap(page: Page, name: str | re.Pattern[str]) -> None:
    """Tap an answer, and wait until the page has it."""
    with page.expect_response(lambda answer: "/referee/" in answer.url or "/undo/" in answer.url):
        page.locator("#referee").get_by_role("button", name=name).first.tap()
    settled(page)


def answer(page: Page, turn: int) -> int:
    """What this table does; how many taps it took."""
    asked = question(page)
    if "Deal a card" in asked:
        tap(page, "Dealt face down")
    elif "peloton first" in asked:
        tap(page, "Anna R.")
    elif "peloton die" in asked:
        tap(page, ("4 red", "3", "5")[turn % 3])
    elif "event die" in asked:
        tap(page, re.compile(r"^7\b"))
    elif "bottle for" in asked and "Draw" in asked:
        tap(page, re.compile("Kept face down"))
    elif "Turn up the bottle" in asked:
        tap(page, re.compile(r"^3\b"))
    elif "chase" in asked:
        tap(page, "No pursuit")
    elif "attack" in asked and turn % 2 and page.locator(".ref-rows a.cell").count():
        return ride(page, page.locator(".ref-rows a.cell").first)
    elif "attack" in asked:
        tap(page, "Send nobody more")
    elif "rides" in asked:
        free = page.locator(".ref-rows.free button.cell")
        if not free.count():
            return ride(page, page.locator(".ref-rows a.cell").first)
        with page.expect_response(lambda answer: "/referee/" in answer.url):
            free.first.tap()
        settled(page)
    else:
        raise AssertionError(f"nobody knows what to answer to: {asked}")
    return 1


def ride(page: Page, cell: Any) -> int:
    """Two taps: what it costs, and yes."""
    with page.expect_response(lambda answer: "/referee/" in answer.url):
        cell.tap()
    expect(page.locator("#sure")).to_be_visible()
    with page.expect_response(lambda answer: "/referee/" in answer.url):
        page.locator("#confirm").tap()
    settled(page)
    return 2


def test_an_evening_is_refereed_on_a_phone(live_server: LiveServer, phone_page: Page, sign_on: SignOn) -> None:
    race = table()
    page = phone_page
    sign_on(page, make.person("Olga"))
    complaints = open_referee(page, live_server, race)
    kinds: set[str] = set()
    most = 0

    for turn in range(150):
        if page.locator("#turn").count() == 0:
            break
        if (kind := kind_of(question(page))) not in kinds:
            kinds.add(kind)
            stands_well(page)
        most = max(most, answer(page, turn))

    expect(page.locator("#turn-h")).to_contain_text("wins in turn")
    stands_well(page)
    race.refresh_from_db()
    assert race.status == "over"
    assert most == 2
    assert len(kinds) >= 8
    assert page.faults == complaints == []  # type: ignore[attr-defined]


def test_a_slip_of_the_thumb_is_taken_back_with_one_tap(
    live_server: LiveServer, phone_page: Page, sign_on: SignOn
) -> None:
    race = table()
    page = phone_page
    sign_on(page, make.person("Olga"))
    open_referee(page, live_server, race)
    tap(page, "Dealt face down")
    first = question(page)
    tap(page, re.compile("Miguel"))
    assert question(page) != first

    tap(page, re.compile("^Undo: the card for"))

    expect(page.locator("#turn-h")).to_have_text(first)
    expect(page.locator("#last")).to_contain_text("undone at the table")
    stands_well(page)


def test_the_strip_of_the_field_stays_in_sight_and_shows_who_is_asked(
    live_server: LiveServer, phone_page: Page, sign_on: SignOn
) -> None:
    race = table(
        {"course": "strip L3 | P1-30", "cards": "none", "token": "Anna"}, ("Anna", "Bruno", "Carla", "Dino", "Eva")
    )
    for _step in range(60):
        now = play.look(Race.objects.get(pk=race.pk))
        decision = now.decisions[0]
        if decision.kind == "move":
            break
        legal = now.game.legal(now.state, decision)
        far = max(legal, key=lambda action: len(getattr(action, "path", ())))
        name = play.name_of(decision)
        play.referee(race.pk, action=far, decision=name, after=now.opened[name], key=f"k{now.race.n}", by=None)
    sign_on(phone_page, make.person("Olga"))
    open_referee(phone_page, live_server, race)

    strip = phone_page.locator(".ref-strip")
    expect(strip.locator("[aria-current]")).to_be_in_viewport()
    phone_page.evaluate("window.scrollTo(0, 300)")
    expect(strip.locator("[aria-current]")).to_be_in_viewport()
    stands_well(phone_page)


def test_another_phone_sees_the_next_question_and_an_old_button_is_told_who_was_quicker(
    live_server: LiveServer, phone_page: Page, second_page: Page, sign_on: SignOn
) -> None:
    race = table()
    sign_on(phone_page, make.person("Olga"))
    sign_on(second_page, make.person("Anna"))
    open_referee(phone_page, live_server, race)
    second_page.route("**/version/", lambda route: route.abort())  # it sleeps
    second_page.route("**/events/", lambda route: route.abort())
    open_referee(second_page, live_server, race)
    tap(phone_page, "Dealt face down")

    second_page.get_by_role("button", name=re.compile("Miguel")).click()

    expect(second_page.locator("#refusal")).to_contain_text("Olga")
    expect(second_page.locator("#refusal")).to_contain_text("was quicker")
    expect(second_page.locator("#turn-h")).to_have_text(question(phone_page))
    second_page.unroute("**/version/")

    tap(phone_page, "Dealt face down")

    expect(second_page.locator("#turn-h")).to_have_text("Who leads the peloton first?", timeout=8000)


def test_without_javascript_every_answer_is_a_page(browser: Browser, live_server: LiveServer, sign_on: SignOn) -> None:
    race = table({"course": "strip L3 | P1-14", "cards": "none", "token": "Anna"})
    page = page_of(browser, PHONE, java_script_enabled=False)
    sign_on(page, make.person("Olga"))
    open_referee(page, live_server, race)

    assert "Does Anna R. attack?" in question(page)
    page.locator(".ref-rows a.cell").first.click()
    expect(page.locator("#sure")).to_contain_text("energy")
    page.locator("#confirm").click()
    page.get_by_role("button", name="Send nobody more").click()
    page.get_by_role("button", name="No pursuit").click()
    assert question(page) == "Roll the peloton die"
    page.get_by_role("button", name="4 red").click()
    page.get_by_role("button", name=re.compile("^Undo: the peloton die")).click()
    assert question(page) == "Roll the peloton die"

    page.context.close()
