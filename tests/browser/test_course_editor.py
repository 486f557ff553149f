"""The course editor in a real browser: without JavaScript on a phone, with the preview on a desk, by day and night."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from league.models import ClubCourse
from tests.browser.conftest import DESK, PHONE, SignOn, page_of
from tests.conftest import Cast

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def stands_well(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), page.url
    found = Axe().run(page).response["violations"]
    assert [v["id"] for v in found if v["impact"] in ("serious", "critical")] == [], page.url
    assert page.faults == []  # type: ignore[attr-defined]


def test_a_course_is_laid_out_on_a_phone_without_javascript(
    browser: Browser, live_server: LiveServer, cast: Cast, sign_on: SignOn
) -> None:
    page = page_of(browser, PHONE, java_script_enabled=False)
    sign_on(page, cast.bruno)
    page.goto(live_server.url + reverse("course_new", args=[cast.club.slug]))

    page.get_by_label("Name").fill("Lungomare")
    for _n in range(3):
        page.get_by_role("button", name="Add a hexagon").click()
    hexagon = page.get_by_role("group", name="Hexagon 2", exact=True)
    hexagon.get_by_label("Terrain").select_option("Rise")
    hexagon.get_by_label("Milestone").fill("4")
    page.get_by_role("button", name="Hexagon 2 down").click()
    expect(page.get_by_role("group", name="Hexagon 3", exact=True).get_by_label("Terrain")).to_have_value("R")
    page.locator("#feed").fill("10")
    page.locator("#sprint").fill("12")
    page.get_by_role("button", name="Check").last.click()
    expect(page.locator("#says-sprint")).to_contain_text("V6")
    page.locator("#sprint").fill("27")
    page.locator("#hex-4 summary").click()
    page.get_by_role("group", name="Hexagon 5, lane 1").get_by_label("square 3 black").check()
    page.get_by_role("button", name=re.compile("^(Save|Keep as a draft)$")).click()

    expect(page.get_by_role("heading", name="Lungomare")).to_be_visible()
    kept = ClubCourse.objects.get()
    assert kept.plan is not None
    assert kept.plan["hexes"] == ["3: P5", "3: P5", "4: R5", "3: P5", "3: P5", "3: P5"]
    assert (kept.plan["black"], kept.plan["feed"], kept.plan["sprint"]) == (["5:1:2"], [10], 27)
    page.context.close()


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_editor_and_the_library_stand_well(
    browser: Browser, live_server: LiveServer, cast: Cast, sign_on: SignOn, size: dict[str, int], scheme: str
) -> None:
    page = page_of(browser, size, color_scheme=scheme)
    sign_on(page, cast.bruno)
    page.goto(live_server.url + reverse("course_new", args=[cast.club.slug]) + "?like=colli")
    page.locator("#feed").fill("35, 70")
    page.locator("#h1s0-bend").fill("2, 3")
    page.get_by_label("Name").click()
    expect(page.locator("#says-hex-1 .note")).to_be_visible()
    page.locator("#hex-6 summary").click()
    stands_well(page)

    page.locator("#h1s0-bend").fill("")
    page.get_by_label("Name").fill("Colli nostri")
    page.locator("#feed").fill("35")
    page.get_by_label("Name").click()
    expect(page.locator("#says-hex-1 .note")).to_have_count(0)
    expect(page.locator("#preview svg").first).to_be_visible()
    page.get_by_role("button", name="Hexagon 2 down").click()
    expect(page.get_by_text("Not stored yet")).to_be_visible()
    page.get_by_role("button", name="Hexagon 3 up").click()
    expect(page.locator("#h1s0-terrain")).to_have_value("R")
    stands_well(page)
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", name="Colli nostri")).to_be_visible()
    stands_well(page)
    page.goto(live_server.url + reverse("courses", args=[cast.club.slug]))
    expect(page.get_by_role("link", name="Colli nostri", exact=True)).to_be_visible()
    stands_well(page)
    page.context.close()
