"""The evening of a stage: opened on the organiser's desk, refereed on a phone, on the sheet by itself, signed, in pink."""

import random
import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from league.models import Result, Rider, Stage, StageRace, Standing
from league.recount import count
from league.tasks import recount as recount_task
from league.tasks import settle as settle_task
from races.models import Race
from tests.browser.conftest import SignOn
from tests.browser.test_referee_evening import question, ride, settled, tap
from tests.evening import Evening, giro
from tests.rules.giro.plans import changed

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SHORT = changed(hexes=["3: P5", "3: P5", "3: P4"], cat={}, feed=[], bonus=[5], sprint=11, black=[])
MOST = 250  # answers of an evening


@pytest.fixture
def stage_evening(monkeypatch: pytest.MonkeyPatch) -> Evening:
    """A Giro of two riders, and a queue without the wait."""
    evening = giro()
    Rider.objects.exclude(pk__in=[evening.riders["A"].pk, evening.riders["C"].pk]).delete()
    Stage.objects.filter(pk=evening.stages["1"].pk).update(course="", course_json=SHORT)
    monkeypatch.setattr(settle_task, "delay", settle_task)
    monkeypatch.setattr(recount_task, "delay", recount_task)
    return evening


def answer(page: Page, luck: random.Random) -> None:
    """Whatever is asked: a button of the question, or the first rider's first way on and yes."""
    buttons, rows = page.locator("#turn button[name=button]"), page.locator("#turn .ref-rows a.cell")
    if "rides" in question(page) and rows.count():
        ride(page, rows.first)
        return
    if not buttons.count():
        buttons = page.locator("#turn .choices ~ p button")  # what is preset, said yes to
    assert buttons.count(), f"nobody knows what to answer to: {question(page)}"
    with page.expect_response(lambda told: "/referee/" in told.url):
        buttons.nth(luck.randrange(buttons.count())).tap()
    settled(page)


def looks_well(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), page.url
    found = Axe().run(page).response["violations"]
    assert [v["id"] for v in found if v["impact"] in ("serious", "critical")] == [], page.url


def test_a_stage_is_opened_refereed_on_the_sheet_by_itself_signed_and_moves_the_standing(
    live_server: LiveServer,
    desk_page: Page,
    phone_page: Page,
    second_page: Page,
    sign_on: SignOn,
    stage_evening: Evening,
) -> None:
    evening, desk, phone = stage_evening, desk_page, phone_page
    sign_on(desk, evening.organiser)
    sign_on(phone, evening.organiser)
    campaign = live_server.url + evening.campaign.get_absolute_url()
    stage = live_server.url + evening.stages["1"].get_absolute_url()

    # the tap that opens it
    desk.goto(campaign)
    desk.get_by_role("link", name="Ride the stage").click()
    desk.get_by_label("at a table, refereed by a phone").check()
    desk.get_by_role("button", name="Open the race").click()
    expect(desk.get_by_text("At the table: sit down, and start when everybody is there.")).to_be_visible()
    found = StageRace.objects.get()
    desk.get_by_role("button", name="Start the race").click()
    expect(desk.locator("#turn-h")).to_be_visible()

    # whoever looks sees that it runs, and the phone takes over
    second_page.goto(campaign)
    expect(second_page.locator("#races-now")).to_contain_text("It runs at the table.")
    looks_well(second_page)
    phone.goto(stage)
    looks_well(phone)
    phone.get_by_role("link", name="Referee it").tap()
    expect(phone.locator("#turn")).to_be_visible()
    luck = random.Random(4)
    for _turn in range(MOST):
        if phone.locator("#turn").count() == 0:
            break
        answer(phone, luck)
    expect(phone.locator("#turn-h")).to_contain_text("wins in turn")

    # by itself on the sheet
    phone.get_by_role("link", name="Stage 1, Pianura").tap()
    expect(phone.locator("#stage-race")).to_contain_text("its result is on the sheet")
    expect(phone.locator(".comm .stamp").first).to_contain_text("Provisional")
    looks_well(phone)
    outcome = Race.objects.get(pk=found.race_id).outcome
    assert outcome is not None
    told = {str(r.rider.bib): (r.turn, r.place, r.energy) for r in Result.objects.select_related("rider")}
    assert told == {
        row["id"]: (None, None, None) if row["out"] else (row["turn"], row["order"], row["energy"])
        for row in outcome["riders"]
    }

    # one tap back, the sheet waits, and it ends again
    phone.goto(live_server.url + f"/races/{found.race.key}/referee/")
    tap(phone, re.compile("^Undo"))
    desk.goto(live_server.url + evening.campaign.url("sheet", "1"))
    expect(desk.locator("#ridden")).to_contain_text("The race of this stage is on the road.")
    looks_well(desk)
    expect(desk.locator("#sign-in")).to_contain_text("is on the road")
    expect(desk.locator("#sign-button")).to_have_count(0)
    for _turn in range(MOST):
        if phone.locator("#turn").count() == 0:
            break
        answer(phone, luck)

    # signed, and nothing goes back any more
    desk.goto(live_server.url + evening.campaign.url("sheet", "1"))
    desk.locator("#official summary").click()
    desk.locator("#sign-button").click()
    expect(desk.get_by_text("is official and signed")).to_be_visible()
    tap(phone, re.compile("^Undo"))
    expect(phone.locator("#refusal")).to_contain_text("is official, so the race stays as it ended")
    count(evening.campaign.pk)
    assert Standing.objects.filter(classification=Standing.GC, in_pink=True).count() == 1
    second_page.goto(live_server.url + evening.campaign.url("gc"))
    winner = str(evening.riders["A" if outcome["riders"][0]["id"] == "11" else "C"].name)
    expect(second_page.locator("tbody.lead")).to_contain_text(winner)
    assert phone.faults == desk.faults == second_page.faults == []  # type: ignore[attr-defined]
