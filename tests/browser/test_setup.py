"""Setting up a Giro in a real browser: riders and stages on a phone, without JavaScript, and the sheet on paper."""

import re
from datetime import UTC, datetime

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from league import results
from league.courses import course_groups
from league.models import Campaign
from league.models.campaign import Speciality
from league.stages import StagePlan, new_stage
from league.startlist import Line, enter_riders, start_list
from tests import factories as make
from tests.browser.conftest import DESK, PHONE, SignOn, page_of
from tests.conftest import Cast
from tests.evening import Evening

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def stands_well(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), page.url
    found = Axe().run(page).response["violations"]
    assert [v["id"] for v in found if v["impact"] in ("serious", "critical")] == [], page.url
    assert page.faults == []  # type: ignore[attr-defined]


@pytest.fixture
def full_field(evening: Evening) -> Campaign:
    """Four players with three riders of long names each, and a stage of each kind; the first one is published."""
    campaign = make.CampaignFactory(season=evening.season, name="Gran Giro", slug="gran", riders_per_player=3)
    lines = [
        Line(bib=10 * n + m, name=f"Bartolomeo-{n}{m} van der Hagenstraten", speciality=speciality, player=player)
        for n, player in enumerate(list(evening.players.values())[:4], 1)
        for m, speciality in enumerate(Speciality.values, 1)
    ]
    riders = enter_riders(campaign, lines, sure=True)
    for n, (kind, course) in enumerate((("road", "colli"), ("itt", "crono"), ("ttt", "laguna"), ("road", "vetta")), 1):
        new_stage(
            campaign,
            StagePlan(
                number=str(n), name=course.title(), starts_at=datetime(2026, 9, n, 18, tzinfo=UTC), kind=kind, course=course
            ),
        )  # fmt: skip
    first = campaign.stages.get(number="1")
    cells = {"peloton": "14", "bonus-1": "nobody", "bonus-2": "nobody"}
    for n, rider in enumerate(riders, 1):
        cells |= {f"turn-{rider.pk}": str(9 + n // 4), f"place-{rider.pk}": str(n), f"energy-{rider.pk}": "5"}
    results.type_cells(first, evening.organiser, cells, {})
    results.publish(first, evening.organiser)
    return campaign


def test_twelve_riders_are_entered_on_a_phone_without_javascript(
    browser: Browser, live_server: LiveServer, evening: Evening, cast: Cast, sign_on: SignOn
) -> None:
    campaign = make.CampaignFactory(season=evening.season, name="Giro d'Estate", slug="estate", riders_per_player=2)
    page = page_of(browser, PHONE, java_script_enabled=False)
    sign_on(page, cast.anna)

    page.goto(live_server.url + campaign.url("startlist"))
    for player in evening.players.values():
        page.get_by_role("checkbox", name=player.name, exact=True).check()
    page.get_by_role("button", name="Propose lines").click()
    expect(page.get_by_role("group", name=re.compile("^Pick"))).to_have_count(12)
    expect(page.get_by_text("Not stored yet")).to_be_visible()
    for n in range(12):
        page.locator(f"#id_row{n}-name").fill(f"Rider {n}")
    page.get_by_role("button", name="Pick 2 up").click()
    page.get_by_role("button", name="Save the start list").last.click()

    expect(page.get_by_text("two of a kind").first).to_be_visible()  # four riders in each jersey
    assert not start_list(campaign)
    page.get_by_label("Yes, this is how we ride").check()
    page.get_by_role("button", name="Save the start list").last.click()

    expect(page.get_by_text("Saved: 12 riders are on the start list.")).to_be_visible()
    assert [rider.name for rider in start_list(campaign)][:3] == ["Rider 1", "Rider 0", "Rider 2"]
    page.context.close()


def test_the_form_of_a_stage_shows_only_the_way_of_telling_the_course_that_is_chosen(
    phone_page: Page, live_server: LiveServer, evening: Evening, cast: Cast, sign_on: SignOn
) -> None:
    page = phone_page
    sign_on(page, cast.anna)
    page.goto(live_server.url + evening.campaign.url("stage_new"))
    notation, numbers = page.get_by_label("The course in the notation"), page.get_by_label("Sum of the milestones")

    expect(notation).to_be_hidden()
    expect(numbers).to_be_hidden()
    page.get_by_label("Course", exact=True).select_option("notation")
    expect(notation).to_be_visible()
    page.get_by_label("Course", exact=True).select_option("numbers")
    expect(notation).to_be_hidden()
    numbers.fill("37")
    page.get_by_role("textbox", name="Squares").fill("50")
    page.get_by_label("Name").fill("Over the dyke")
    page.get_by_role("button", name="Add the stage").click()

    expect(page.get_by_role("status")).to_contain_text("Stage 6, Over the dyke is saved.")


def test_the_form_of_a_stage_shows_only_the_courses_of_the_kind_that_is_chosen(
    phone_page: Page, live_server: LiveServer, evening: Evening, cast: Cast, sign_on: SignOn
) -> None:
    page = phone_page
    sign_on(page, cast.anna)
    page.goto(live_server.url + evening.campaign.url("stage_new"))
    shown = page.locator(".courses b:visible")
    by_kind = {
        kind: [course.name for group in course_groups() if group.kind == kind for course in group.courses]
        for kind in ("road", "itt", "ttt")
    }

    for kind in ("itt", "ttt", "road"):
        page.get_by_label("Kind", exact=True).select_option(kind)
        expect(shown).to_have_text(by_kind[kind])


@pytest.mark.parametrize("number", ["1", "2", "3", "4"])
def test_twelve_riders_fit_on_one_sheet_of_a4(
    desk_page: Page, live_server: LiveServer, full_field: Campaign, number: str
) -> None:
    desk_page.goto(live_server.url + full_field.url("tonight", number))

    paper = desk_page.pdf(prefer_css_page_size=True)

    assert len(re.findall(rb"/Type\s*/Page\b", paper)) == 1


@pytest.mark.parametrize(("size", "scheme"), [(PHONE, "dark"), (DESK, "light")], ids=["phone by night", "desk by day"])
def test_every_page_of_the_set_up_stands_well(
    browser: Browser,
    live_server: LiveServer,
    full_field: Campaign,
    cast: Cast,
    sign_on: SignOn,
    size: dict[str, int],
    scheme: str,
) -> None:
    page = page_of(browser, size, color_scheme=scheme)
    sign_on(page, cast.anna)
    other = make.CampaignFactory(season=full_field.season, slug="empty")
    addresses = [f"/c/{cast.club.slug}/season/{full_field.season.slug}/campaigns/new/"]
    addresses += [full_field.url(name) for name in ("campaign_edit", "startlist", "stage_new", "calendar")]
    addresses += [full_field.url("stage_edit", number) for number in ("1", "4")]
    addresses += [full_field.url("tonight", number) for number in ("1", "2", "3", "4")]
    addresses += [other.url(name) for name in ("campaign_edit", "startlist", "calendar")]

    for address in addresses:
        page.goto(live_server.url + address)
        stands_well(page)
    page.context.close()
