"""The jury in a real browser: a penalty decided on a phone, with and without JavaScript, and a correction by keyboard."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from league import results
from league.models import Ruling
from tests.browser.conftest import PHONE, SignOn, page_of
from tests.conftest import Cast
from tests.evening import Evening

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def ridden(evening: Evening) -> Evening:
    return evening.ride("1", "2", "3")


def stands_well(page: Page) -> None:
    """Nothing hangs over the edge, nothing serious for those who do not see it, nothing broken."""
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    found = Axe().run(page).response["violations"]
    assert [v["id"] for v in found if v["impact"] in ("serious", "critical")] == []
    assert page.faults == []  # type: ignore[attr-defined]


def penalise_venn(page: Page, live_server: LiveServer, ridden: Evening) -> None:
    """Five squares off at stage 1, seen before and confirmed."""
    page.goto(live_server.url + ridden.campaign.url("rulings"))
    page.get_by_role("link", name="New ruling").click()
    page.get_by_label("From which stage on").select_option("1")
    page.get_by_label("Rider", exact=True).select_option("21")
    page.get_by_role("radio", name="Penalty").check()
    expect(page.get_by_label("Turn", exact=True)).to_be_hidden()
    page.get_by_label("Squares", exact=True).fill("5")
    page.get_by_label("Reason").fill("Cut the corner before the bonus line.")
    stands_well(page)
    page.get_by_role("button", name="See what it changes").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Penalty of 5 squares for Venn")
    expect(page.get_by_text("After stage 3 Sarti wears pink, not Venn")).to_be_visible()
    after_1 = page.get_by_role("table", name="General classification after stage 1")
    expect(after_1.get_by_role("row", name="Chiara Venn")).to_contain_text("score −5")
    stands_well(page)
    assert not Ruling.objects.exists()
    page.get_by_role("button", name="Confirm the ruling").click()
    expect(page.get_by_role("status")).to_contain_text("Ruling 1 stands")
    stands_well(page)


def test_a_penalty_is_decided_on_a_phone(
    phone_page: Page, live_server: LiveServer, ridden: Evening, cast: Cast, sign_on: SignOn
) -> None:
    sign_on(phone_page, cast.bruno)

    penalise_venn(phone_page, live_server, ridden)

    phone_page.get_by_role("link", name="Stage 1, Pianura").first.click()
    expect(phone_page.get_by_text("Revised").first).to_be_visible()
    expect(phone_page.get_by_role("link", name="Penalty of 5 squares for Venn")).to_be_visible()


def test_a_penalty_needs_no_javascript(
    browser: Browser, live_server: LiveServer, ridden: Evening, cast: Cast, sign_on: SignOn
) -> None:
    page = page_of(browser, PHONE, java_script_enabled=False)
    sign_on(page, cast.bruno)
    page.goto(live_server.url + ridden.campaign.url("ruling_new") + "?stage=3&kind=disqualification&rider=32")
    page.get_by_label("Reason").fill("Pushed by a spectator.")

    page.get_by_role("button", name="See what it changes").click()
    page.get_by_role("button", name="Change it").click()
    expect(page.get_by_label("Reason")).to_have_value("Pushed by a spectator.")
    page.get_by_role("button", name="See what it changes").click()
    page.get_by_role("button", name="Confirm the ruling").click()

    expect(page.get_by_role("heading", level=1)).to_have_text("Marchetti disqualified")
    page.context.close()


def test_a_correction_is_made_by_keyboard_alone(
    desk_page: Page, live_server: LiveServer, ridden: Evening, cast: Cast, sign_on: SignOn
) -> None:
    stage = ridden.stages["1"]
    was = {cell.key: cell.value for cell in results.sheet_of(stage).cells.all()}
    places = {f"place-{ridden.riders['C'].pk}": "1", f"place-{ridden.riders['A'].pk}": "2"}
    results.type_cells(stage, cast.bruno, was | places, was)
    sign_on(desk_page, cast.bruno)
    desk_page.goto(live_server.url + ridden.campaign.url("correct", "1"))
    expect(desk_page.get_by_text("After stage 1 Venn wears pink, not Sarti")).to_be_visible()
    stands_well(desk_page)

    reach(desk_page, "reason")
    desk_page.keyboard.type("The photo of the finish shows it.")
    for _ in range(2):  # over "Back to the sheet" to the button
        desk_page.keyboard.press("Tab")
    desk_page.keyboard.press("Enter")

    expect(desk_page.get_by_role("heading", level=1)).to_have_text("Sheet of stage 1 corrected")
    expect(
        desk_page.get_by_role("table", name="On the sheet").get_by_role("row", name="Place of 21 Venn")
    ).to_be_visible()
    stands_well(desk_page)


def reach(page: Page, name: str) -> None:
    """Tab until the field of this name has the focus."""
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.name") == name:
            return
    raise AssertionError(f"no way by keyboard to {name}")
