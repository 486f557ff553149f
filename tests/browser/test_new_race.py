"""Making a race in a real browser: what is folded away never keeps it from being made."""

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from races.models import Clock, Race
from tests.browser.conftest import SignOn
from tests.races import factories as make

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_the_clock_shows_what_belongs_to_it_and_nonsense_that_is_hidden_stops_nobody(
    phone_page: Page, live_server: LiveServer, sign_on: SignOn
) -> None:
    page = phone_page
    sign_on(page, make.person("Olga"))
    page.goto(f"{live_server.url}/races/new/")
    amount, increment = page.locator("[name=clock-amount]"), page.locator("[name=clock-increment]")
    expect(amount).to_be_visible()
    expect(increment).to_be_hidden()
    page.check("[name=clock-kind][value=budget]")
    expect(increment).to_be_visible()
    amount.fill("-3")
    page.get_by_role("button", name="Open the race").tap()
    expect(page.get_by_text("greater than or equal to 1")).to_be_visible()
    expect(amount).to_have_value("-3")
    page.check("[name=clock-kind][value=none]")
    expect(amount).to_be_hidden()
    page.select_option("[name=seatB]", "easy")

    page.get_by_role("button", name="Open the race").tap()

    expect(page.get_by_role("heading", name="Pianura")).to_be_visible()
    assert page.url == f"{live_server.url}{Race.objects.get().get_absolute_url()}"
    assert not Clock.objects.exists()
    assert page.faults == []  # type: ignore[attr-defined]
