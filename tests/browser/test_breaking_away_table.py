"""A table with two phones: one referees, on the other a guest has his hand and rides; the third player has a log sheet."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from races import play
from races.models import Race
from rules.breaking_away.course import BUILT_IN, write_course
from tests.browser.conftest import PHONE, SignOn, page_of
from tests.races.breaking_away.rides import fresh, waiting
from tests.races.factories import person

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PATIENT = 30_000  # ms: a busy machine
MOVES = 9
"""Enough for everybody's first three cyclists; whole races are ridden in tests/races/breaking_away."""


@pytest.fixture
def phones(browser: Browser, sign_on: SignOn) -> Iterator[tuple[Page, Page]]:
    """The referee's, signed on, and a guest's."""
    pages = page_of(browser, PHONE, has_touch=True), page_of(browser, PHONE, has_touch=True)
    for page in pages:
        page.context.set_default_timeout(PATIENT)
    sign_on(pages[0], person("Olga"))
    yield pages
    for page in pages:
        page.context.close()


def at_table(**options: object) -> Race:
    """Three seats of a kermesse; who sits there has no account."""
    race = waiting(way="refereed", course=write_course(BUILT_IN["kermesse-60"]), **options)
    race.seats.update(user=None)
    return fresh(race)


def fits(page: Page) -> None:
    """Nothing is broken, and nothing is wider than the phone."""
    assert page.faults == []  # type: ignore[attr-defined]
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def tap(page: Page, race: Race, name: str | re.Pattern[str]) -> None:
    """One tap of the referee, which is an entry of the log."""
    n = fresh(race).n
    page.locator("#turn").get_by_role("button", name=name).first.tap()
    expect(page.locator("#referee")).not_to_have_attribute("data-n", str(n), timeout=PATIENT)
    expect(page.locator("#refusal")).to_have_count(0)
    assert fresh(race).n > n


def starts(page: Page, race: Race, site: str) -> None:
    page.goto(site + race.get_absolute_url())
    page.get_by_role("button", name="Start the race").tap()
    page.wait_for_url("**/referee/")
    fits(page)


def test_only_the_moves_are_typed_where_all_hands_are_on_paper(phones: tuple[Page, Page], live_server: object):
    race, referee = at_table(hands="closed"), phones[0]
    starts(referee, race, live_server.url)  # type: ignore[attr-defined]
    for _team in range(3):
        tap(referee, race, "They are on paper")
    tap(referee, race, "Bruno R.")

    for _move in range(12):  # the whole first turn
        fits(referee)
        tap(referee, race, re.compile(r"^5\b"))

    assert [racer.pos for racer in play.look(fresh(race)).state.racers] == [5] * 12
    expect(referee.locator(".log").first).to_contain_text("new factors", ignore_case=True)


def test_a_guest_has_his_hand_on_his_own_phone_and_the_referee_types_for_the_others(
    phones: tuple[Page, Page], live_server: object
):
    race, site = at_table(hands="either"), live_server.url  # type: ignore[attr-defined]
    referee, guest = phones
    referee.goto(site + race.get_absolute_url())
    guest.goto(referee.locator("#link").input_value())
    guest.locator('input[name="name"]').fill("Bo")
    guest.locator('input[name="seat"][value="Bruno"]').check()
    guest.get_by_role("button", name="Take the seat").tap()
    expect(guest.locator("#lobby")).to_be_visible()
    starts(referee, race, site)

    # first factors: the guest's on his phone, one on paper, one typed on the referee's
    guest.goto(site + race.get_absolute_url())
    guest.locator('input[name="hand-1-1"]').fill("12")
    guest.locator("#confirm").tap()
    expect(guest.locator("#turn")).to_have_count(0)
    referee.goto(f"{site}/races/{race.key}/referee/")
    expect(referee.locator("#referee")).to_contain_text("handed in")
    fits(referee)
    tap(referee, race, "They are on paper")
    tap(referee, race, "Hand them in")
    tap(referee, race, re.compile("^Bo"))

    for move in range(MOVES):
        state = play.look(fresh(race)).state
        if state.field.seats[state.field.seat_of[state.order[move]]] != "Bruno":
            held_by_him = state.racers[state.order[move]].hand or (5,)  # Anna's are on paper: what she says
            tap(referee, race, re.compile(rf"^{held_by_him[0]}\b"))
            continue
        expect(referee.locator("#elsewhere")).to_contain_text("Bo answers on his own phone")
        guest.goto(site + race.get_absolute_url())
        if move == 0:
            held = guest.locator('#turn input[name="action"]')
            own = state.racers[state.order[move]].hand or ()
            assert 12 in own
            expect(held).to_have_count(len(set(own)))
        fits(guest)
        guest.locator('#turn input[name="action"]').last.check()  # a tap to look, a tap to ride
        expect(guest.locator("[data-preview]")).to_be_attached(timeout=PATIENT)
        guest.locator("#confirm").tap()
        expect(guest.locator("#turn")).to_have_count(0, timeout=PATIENT)
        referee.goto(f"{site}/races/{race.key}/referee/")

    fits(referee)
    assert sum(racer.pos > 0 for racer in play.look(fresh(race)).state.racers) == MOVES
