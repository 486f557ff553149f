"""A result sheet in a real browser: on a phone in one hand, without a connection, by two people, by keyboard alone."""

import json
import time
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from league import results
from league.models import DraftCell, Result, SheetVersion
from tests.browser.conftest import SignOn
from tests.conftest import Cast
from tests.evening import ROAD_1, TRIAL_2, Evening

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
Open = Callable[..., Page]


@pytest.fixture
def address(evening: Evening, live_server: Any) -> Callable[[str], str]:
    return lambda number: live_server.url + evening.campaign.url("sheet", number)


@pytest.fixture
def phone(phone_page: Page, sign_on: SignOn, cast: Cast, address) -> Open:
    """Anna opens a sheet on her phone."""

    def open_sheet(number: str = "1") -> Page:
        sign_on(phone_page, cast.anna)
        phone_page.goto(address(number))
        return phone_page

    return open_sheet


@pytest.fixture
def bruno(second_page: Page, sign_on: SignOn, cast: Cast, address) -> Open:
    """Bruno opens it at his desk."""

    def open_sheet(number: str = "1") -> Page:
        sign_on(second_page, cast.bruno)
        second_page.goto(address(number))
        return second_page

    return open_sheet


def cell(page: Page, key: str) -> Any:
    return page.locator(f"#c-{key}")


def until(page: Page, expression: str) -> None:
    """Wait until it is true. (The page's Content-Security-Policy forbids `wait_for_function` to evaluate text.)"""
    end = time.monotonic() + 10
    while not page.evaluate(expression):
        assert time.monotonic() < end, expression
        page.wait_for_timeout(50)


def saved(page: Page) -> None:
    expect(page.locator("#line")).to_contain_text("Saved")
    until(page, "Object.keys(localStorage).every((key) => !key.startsWith('sheet:'))")


def draft(number: str, evening: Evening) -> dict[str, str]:
    rows = DraftCell.objects.filter(sheet__stage=evening.stages[number]).exclude(value="")
    return dict(rows.values_list("key", "value"))


def order(page: Page) -> list[str]:
    return [text.strip() for text in page.locator("#order .who b").all_inner_texts()]


def no_faults(page: Page) -> None:
    assert page.faults == []  # type: ignore[attr-defined]


def test_a_whole_stage_is_typed_on_a_phone_by_taps_and_published(phone, evening: Evening):
    page = phone()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator("#c-peloton").fill("14")
    page.locator("#c-bonus-1").select_option(label="31 Quist")

    for letter, (turn, _place, energy) in ROAD_1.items():  # in the order of arrival: tap, turn, energy
        pk = evening.riders[letter].pk
        page.locator(f"#next-place-{pk}").tap()
        cell(page, f"turn-{pk}").fill(str(turn))
        cell(page, f"energy-{pk}").fill(str(energy))

    expect(page.locator("#bar-says")).to_contain_text("Everything is told")
    saved(page)
    assert order(page) == [evening.riders[letter].name for letter in ROAD_1]
    assert draft("1", evening) == evening.cells("1")
    expect(page.locator("#stands .lead")).to_contain_text("Amedeo Sarti")

    page.locator("#publish").tap()
    page.wait_for_url("**/stages/1/")
    expect(page.locator(".toast")).to_contain_text("is provisional: public, and still yours to correct")
    assert Result.objects.count() == 6
    no_faults(page)


def test_a_mistake_is_explained_mended_and_then_published(phone, evening: Evening):
    evening.type("1", evening.cells("1") | {f"turn-{evening.riders['C'].pk}": "11"})
    page = phone()
    turn = cell(page, f"turn-{evening.riders['C'].pk}")
    expect(turn).to_have_attribute("aria-invalid", "true")

    page.locator("#publish").tap()
    expect(page.get_by_role("alert")).to_contain_text("The sheet is not ready")
    expect(turn).to_have_value("11")
    page.get_by_role("link", name="Go to Venn").tap()
    expect(turn).to_be_focused()
    turn.fill("12")
    expect(page.locator("#bar-says")).to_contain_text("Everything is told")
    expect(turn).not_to_have_attribute("aria-invalid", "true")
    page.locator("#publish").tap()

    page.wait_for_url("**/stages/1/")
    assert SheetVersion.objects.count() == 1


def test_signing_asks_first_and_makes_it_official(phone, evening: Evening):
    evening.type("1")
    page = phone()
    expect(page.locator("#sign-button")).to_be_hidden()

    page.locator("#official summary").tap()
    page.locator("#sign-button").tap()

    page.wait_for_url("**/stages/1/")
    assert [v.state for v in SheetVersion.objects.all()] == ["official"]


def test_the_order_is_changed_by_buttons_by_typing_and_by_dragging(phone, evening: Evening):
    evening.type("1")
    page = phone()
    names = {letter: rider.name for letter, rider in evening.riders.items()}
    assert order(page) == [names[letter] for letter in "ACDBEF"]

    page.locator(f"#up-place-{evening.riders['C'].pk}").tap()
    assert order(page) == [names[letter] for letter in "CADBEF"]

    place = cell(page, f"place-{evening.riders['F'].pk}")
    place.fill("")
    place.blur()
    saved(page)
    assert draft("1", evening)[f"place-{evening.riders['C'].pk}"] == "1"
    assert f"place-{evening.riders['F'].pk}" not in draft("1", evening)

    handle = page.locator(f"#row-place-{evening.riders['B'].pk} [data-handle]")
    handle.scroll_into_view_if_needed()
    start = handle.bounding_box()
    page.mouse.move(start["x"] + 8, start["y"] + 12)
    page.mouse.down()
    for step in range(1, 9):
        page.mouse.move(start["x"] + 8, start["y"] + (30 - start["y"]) * step / 8)
    until(page, "document.querySelector('#order').firstElementChild.matches('.dragging')")  # held at the edge
    page.mouse.up()
    assert order(page) == [names[letter] for letter in "BCADEF"]
    saved(page)
    placed = {k: v for k, v in draft("1", evening).items() if k.startswith("place")}
    assert placed == {f"place-{evening.riders[letter].pk}": str(n) for n, letter in enumerate("BCADE", 1)}
    no_faults(page)


def test_typing_is_saved_by_itself_and_never_disturbs_the_field_in_hand(phone, evening: Evening):
    page = phone()
    turn = cell(page, f"turn-{evening.riders['A'].pk}")
    turn.focus()

    with page.expect_response(lambda answer: answer.request.method == "POST"):
        page.keyboard.type("1", delay=20)
    page.keyboard.type("2")

    expect(turn).to_have_value("12")
    expect(turn).to_be_focused()
    saved(page)
    assert draft("1", evening) == {f"turn-{evening.riders['A'].pk}": "12"}


def test_without_a_connection_everything_waits_on_the_phone_and_is_sent_later(phone, evening: Evening):
    page = phone()
    a, c = (f"turn-{evening.riders[letter].pk}" for letter in "AC")
    page.context.set_offline(True)

    cell(page, a).fill("12")
    cell(page, c).fill("13")
    page.locator(f"#next-place-{evening.riders['A'].pk}").tap()
    expect(page.locator("#line")).to_have_text("No connection: kept on this phone, 3 cells wait")
    assert draft("1", evening) == {}

    page.context.set_offline(False)
    expect(page.locator("#line")).to_contain_text("everything is saved")
    assert draft("1", evening) == {a: "12", c: "13", f"place-{evening.riders['A'].pk}": "1"}
    no_faults(page)


def test_publishing_without_a_connection_says_so_and_loses_nothing(phone, evening: Evening):
    evening.type("1")
    page = phone()
    page.context.set_offline(True)

    page.locator("#publish").tap()

    expect(page.locator("#line")).to_contain_text("No connection")
    page.context.set_offline(False)
    page.locator("#publish").tap()
    page.wait_for_url("**/stages/1/")
    assert SheetVersion.objects.count() == 1


def test_a_closed_tab_comes_back_with_what_was_typed(phone, evening: Evening, address):
    page = phone()
    turn = f"turn-{evening.riders['A'].pk}"
    context: BrowserContext = page.context
    context.set_offline(True)
    cell(page, turn).fill("12")
    expect(page.locator("#line")).to_have_text("No connection: kept on this phone, 1 cell waits")
    page.close(run_before_unload=False)
    assert draft("1", evening) == {}

    context.set_offline(False)
    page = context.new_page()
    page.goto(address("1"))

    expect(cell(page, turn)).to_have_value("12")
    saved(page)
    assert draft("1", evening) == {turn: "12"}


def test_what_is_typed_in_the_last_moment_before_leaving_is_stored(phone, evening: Evening):
    page = phone()
    turn = f"turn-{evening.riders['A'].pk}"

    cell(page, turn).fill("12")
    page.goto(page.url.replace("sheet/", ""))  # before the autosave had its turn

    page.wait_for_timeout(500)
    assert draft("1", evening) == {turn: "12"}


def test_cells_that_wait_belong_to_the_one_who_typed_them(phone, evening: Evening, cast: Cast, sign_on, address):
    page = phone()
    turn = f"turn-{evening.riders['A'].pk}"
    page.context.set_offline(True)
    cell(page, turn).fill("12")
    expect(page.locator("#line")).to_contain_text("1 cell waits")
    context = page.context
    page.close()
    context.set_offline(False)

    page = context.new_page()
    sign_on(page, cast.bruno)
    page.goto(address("1"))

    expect(cell(page, turn)).to_have_value("")
    assert draft("1", evening) == {}


def test_somebody_signed_off_meanwhile_keeps_what_he_types(phone, evening: Evening):
    page = phone()
    cookies = page.context.cookies()
    page.context.clear_cookies(name="sessionid")

    cell(page, f"turn-{evening.riders['A'].pk}").fill("12")

    expect(page.locator("#line")).to_contain_text("You are signed off")
    page.context.add_cookies(cookies)
    page.reload()
    saved(page)
    assert draft("1", evening) == {f"turn-{evening.riders['A'].pk}": "12"}


def test_two_people_see_each_other_and_both_keep_their_typing(phone, bruno, evening: Evening):
    a, c = (f"turn-{evening.riders[letter].pk}" for letter in "AC")
    anna, other = phone(), bruno()

    cell(anna, a).fill("12")
    saved(anna)
    cell(other, c).fill("13")

    expect(cell(other, a)).to_have_value("12")  # Anna's cell came with the answer
    expect(other.locator("#told")).to_contain_text("Anna is on this sheet too.")
    expect(other.locator("#told")).to_contain_text("Anna typed the turn of 11 Sarti")
    anna.evaluate("dispatchEvent(new Event('focus'))")
    expect(cell(anna, c)).to_have_value("13")
    assert draft("1", evening) == {a: "12", c: "13"}


def test_a_cell_that_both_changed_is_chosen_between(phone, bruno, evening: Evening):
    turn = f"turn-{evening.riders['A'].pk}"
    anna, other = phone(), bruno()
    cell(anna, turn).fill("12")
    saved(anna)

    cell(other, turn).fill("13")

    expect(other.locator(f"#n-{turn}")).to_contain_text("“12” and “13”")
    expect(cell(other, turn)).to_have_value("13")  # nothing is taken out of his hand
    cell(other, turn).fill("14")
    expect(other.locator(f"#n-{turn}")).to_contain_text("“12” and “14”")
    other.get_by_role("button", name="14 is right").click()
    expect(other.locator("#bar-says")).not_to_contain_text("to choose")
    expect(cell(other, turn)).to_have_value("14")
    anna.evaluate("document.activeElement.blur(); dispatchEvent(new Event('focus'))")
    expect(cell(anna, turn)).to_have_value("14")
    assert draft("1", evening) == {turn: "14"}


def test_a_sheet_that_became_official_is_shown_so_and_the_typing_is_told(phone, evening: Evening):
    evening.type("1")
    page = phone()
    results.publish(evening.stages["1"], evening.organiser, official=True)

    cell(page, f"turn-{evening.riders['F'].pk}").fill("16")

    expect(page.get_by_role("alert")).to_contain_text("official meanwhile")
    expect(page.get_by_role("alert")).to_contain_text("16")
    expect(page.get_by_role("link", name="Correct by a ruling")).to_be_visible()


def test_a_correction_is_typed_and_leads_to_its_preview(phone, evening: Evening):
    evening.ride("1")
    page = phone()
    page.get_by_role("link", name="Correct by a ruling").tap()
    cell(page, f"turn-{evening.riders['F'].pk}").fill("16")
    expect(page.locator("#review")).not_to_have_class("btn not-yet")

    page.locator("#review").tap()

    page.wait_for_url("**/stages/1/correct/")
    assert Result.objects.get(rider=evening.riders["F"]).turn == 17


def test_a_row_that_moves_while_it_is_typed_in_loses_no_digit(
    desk_page: Page, sign_on: SignOn, cast: Cast, address, evening: Evening
):
    page = desk_page
    sign_on(page, cast.anna)
    page.goto(address("1"))
    pk = evening.riders["F"].pk
    cell(page, f"turn-{pk}").focus()
    page.keyboard.type("1")

    # his place is known now: his row goes to the top, and with it the field that is typed in
    page.locator(f"#c-place-{pk}").evaluate(
        "el => { el.value = '1'; el.dispatchEvent(new Event('change', { bubbles: true })) }"
    )
    expect(page.locator("#order > [data-order]").first).to_have_attribute("data-order", f"place-{pk}")
    page.keyboard.type("7")

    expect(cell(page, f"turn-{pk}")).to_have_value("17")


def test_a_stage_is_typed_by_keyboard_alone(desk_page: Page, sign_on: SignOn, cast: Cast, address, evening: Evening):
    page = desk_page
    sign_on(page, cast.anna)
    page.goto(address("1"))
    press, write = page.keyboard.press, page.keyboard.type

    def tab_to(selector: str) -> None:
        for _n in range(120):
            if page.evaluate("(s) => document.activeElement.matches(s)", selector):
                return
            press("Tab")
        raise AssertionError(f"{selector} is not reached by the Tab key")

    tab_to("#c-peloton")
    write("14")
    tab_to("#c-bonus-1")
    write("31")
    for letter, (turn, place, energy) in ROAD_1.items():
        pk = evening.riders[letter].pk
        page.evaluate("document.activeElement.blur()")
        tab_to(f"#c-place-{pk}")
        write(str(place))
        press("Enter")
        if letter == "C":
            write("=")  # the same turn as above
        else:
            write(str(turn))
        press("Enter")
        write(str(energy))
    tab_to("#publish")
    expect(page.locator("#bar-says")).to_contain_text("Everything is told")
    assert order(page) == [evening.riders[letter].name for letter in ROAD_1]
    tab_to("#publish")
    press("Enter")

    page.wait_for_url("**/stages/1/")
    assert list(Result.objects.order_by("place").values_list("rider__bib", "turn")) == [
        (11, 12), (21, 12), (31, 13), (12, 14), (32, 14), (22, 17),
    ]  # fmt: skip
    no_faults(page)


def test_a_time_trial_is_typed_by_the_clock(phone, evening: Evening):
    evening.ride("1")
    page = phone("2")
    for letter, (turns, _clock, energy) in TRIAL_2.items():
        pk = evening.riders[letter].pk
        page.locator(f"#next-clock-{pk}").tap()
        cell(page, f"turn-{pk}").fill(str(turns))
        cell(page, f"energy-{pk}").fill(str(energy))

    expect(page.locator("#bar-says")).to_contain_text("Everything is told")
    expect(page.locator("#stands .lead")).to_contain_text("Chiara Venn")
    saved(page)
    assert draft("2", evening) == evening.cells("2")


def test_teams_of_a_team_time_trial_are_put_in_order(phone, evening: Evening):
    page = phone("5")
    blue, white = (evening.teams[name].pk for name in ("blue", "white"))

    page.locator(f"#next-teamclock-{blue}").tap()
    page.locator(f"#next-teamclock-{white}").tap()
    page.locator(f"#up-teamclock-{white}").tap()

    saved(page)
    assert draft("5", evening) == {f"teamclock-{white}": "1", f"teamclock-{blue}": "2"}
    assert page.locator("#order > .run > .run-h .who b").all_inner_texts() == ["White", "Blue", "Green"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_axe_finds_nothing_serious_on_any_kind_of_sheet(
    desk_page: Page, sign_on: SignOn, cast: Cast, address, evening: Evening, scheme, width
):
    from axe_playwright_python.sync_playwright import Axe

    evening.ride("1", "2")
    evening.type("3", evening.cells("3") | {f"turn-{evening.riders['A'].pk}": "14"})
    page = desk_page
    page.set_viewport_size({"width": width, "height": 800})
    page.emulate_media(color_scheme=scheme)
    sign_on(page, cast.anna)
    shown = [address("3"), address("5"), address("1"), address("2") + "?correct=1"]
    shown.append(shown[2].replace("sheet/", "versions/1/"))
    for url in shown:
        page.goto(url)
        found = Axe().run(page).response["violations"]
        serious = [
            (v["id"], [n["html"][:120] for n in v["nodes"]]) for v in found if v["impact"] in ("serious", "critical")
        ]
        assert serious == [], json.dumps(serious, indent=1)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), url
    no_faults(page)
