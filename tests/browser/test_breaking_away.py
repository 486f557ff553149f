"""Two friends and a bot ride a short criterium of Breaking Away by orders, each friend on his phone."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from races import play
from races.models import Race
from tests.browser.conftest import PHONE, SignOn, page_of
from tests.browser.race_page import settled
from tests.races.breaking_away.rides import SHORT, fresh, started
from tests.races.factories import person

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PATIENT = 20_000  # ms: a busy machine
FIELDS = '#turn input[name^="factor-"]'


@pytest.fixture
def phones(browser: Browser, sign_on: SignOn) -> Iterator[dict[str, Page]]:
    """Anna's and Bruno's, signed on."""
    found = {}
    for name in ("Anna", "Bruno"):
        found[name] = page_of(browser, PHONE, has_touch=True)
        found[name].context.set_default_timeout(PATIENT)
        sign_on(found[name], person(name))
    yield found
    for page in found.values():
        page.context.close()


def fits(page: Page) -> None:
    """Nothing is broken, and nothing is wider than the phone."""
    assert page.faults == []  # type: ignore[attr-defined]
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def hand_in(page: Page, address: str) -> None:
    """Type first factors; the totals follow every key."""
    page.goto(address)
    first = page.locator('input[name="hand-1-1"]')
    total = page.locator(".budget-sum").first
    first.fill("15")
    expect(total).to_contain_text("33")
    expect(total).to_contain_text("3 too many")
    first.fill("10")
    expect(total).to_contain_text("2 left")
    first.fill("12")
    expect(total).to_contain_text("all spent")
    fits(page)
    page.locator("#confirm").click()
    expect(page.locator("#turn")).to_have_count(0)


def order(page: Page, address: str) -> None:
    """Choose a factor for every cyclist, each shown on the board, and send them all."""
    page.goto(address)
    names = page.evaluate(f"[...new Set([...document.querySelectorAll('{FIELDS}')].map((field) => field.name))]")
    assert names, "orders are asked for"
    for name in names:
        page.locator(f'input[name="{name}"]').last.check()
        settled(page)
        expect(page.locator("#race")).to_have_attribute("data-preview", "")
        expect(page.locator(f'input[name="{name}"]').last).to_be_checked()
    for name in names:  # what was chosen first is chosen still
        expect(page.locator(f'input[name="{name}"]').last).to_be_checked()
    fits(page)
    before = page.get_attribute("#race", "data-n")
    page.locator("#confirm").click()
    expect(page.locator("#race")).not_to_have_attribute("data-n", str(before), timeout=PATIENT)
    expect(page.locator("#refusal")).to_have_count(0)


def test_a_criterium_is_ridden_by_orders_to_its_end_on_two_phones(phones: dict[str, Page], live_server: object):
    race = started(("Anna", "Bruno"), {"Robo": "easy"}, turn_mode="orders", **SHORT)
    address = live_server.url + race.get_absolute_url()  # type: ignore[attr-defined]
    for page in phones.values():
        hand_in(page, address)
    turns = 0
    while True:
        play.advance(race.pk)
        now = fresh(race)
        if not now.is_running:
            break
        turns += 1
        assert turns < 12, "a short criterium ends"
        for decision in play.look(now).decisions:
            order(phones[str(decision.seat)], address)

    assert turns >= 3
    for page in phones.values():
        page.goto(address)
        expect(page.locator("#headline")).to_contain_text("wins with")
        fits(page)
        page.goto(f"{address}log/")
        expect(page.locator(".log-text")).to_contain_text("The seed of its dice was promised as")
        assert page.locator(".log-text").evaluate("text => text.scrollWidth <= text.clientWidth"), "all of it is read"
    assert Race.objects.get(pk=race.pk).outcome["points"] == 18
