"""The sheet of a round of a points series, tapped on the organiser's phone beside the table."""

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from league.models import Round
from tests.browser.conftest import SignOn
from tests.browser.test_stage_evening import looks_well
from tests.conftest import Cast
from tests.league.series.club import coppa as make_coppa

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SPRINT = "B1 A1 C1 D1 B2 A2 C2 D2"
FINISH = "A1 B1 C1 D1 A2 B2 C2 D2"


def tap(page: Page, line: int, cyclist: str) -> None:
    page.locator(f"#f-line-{line} [data-tap='{cyclist}']").tap()


def test_a_round_is_tapped_line_by_line_published_and_stands_in_the_table(
    live_server: LiveServer, phone_page: Page, sign_on: SignOn, cast: Cast
) -> None:
    coppa, phone = make_coppa(cast.club, cast.anna), phone_page
    coppa.round("1")
    sign_on(phone, cast.anna)

    phone.goto(live_server.url + coppa.url("round_sheet", "1"))
    for line, order in enumerate((SPRINT, FINISH), 1):
        for cyclist in order.split():
            tap(phone, line, cyclist)
        expect(phone.locator(f"#c-line-{line}")).to_have_value(order)
    tap(phone, 2, "D3")
    expect(phone.locator("#f-line-2 [data-tap='D3'] .at")).to_have_text("9")
    tap(phone, 2, "D3")  # the last one, tapped again, goes off
    expect(phone.locator("#c-line-2")).to_have_value(FINISH)
    expect(phone.locator("#f-line-1 [data-tap='B1']")).to_have_class("tap there")
    looks_well(phone)
    phone.get_by_role("button", name="Publish").tap()

    expect(phone.locator(".stamp").first).to_contain_text("Provisional")
    assert dict(Round.objects.get().cells) == {"line-1": SPRINT, "line-2": FINISH}
    phone.goto(live_server.url + coppa.url())
    lines = phone.locator(".series-table tbody")
    expect(lines).to_have_count(4)
    for line, (code, points) in enumerate((("A", "10"), ("B", "8"), ("C", "5"), ("D", "4"))):  # 7 and the bonus for B
        expect(lines.nth(line).locator(".bib")).to_contain_text(code)
        expect(lines.nth(line).locator(".gap")).to_have_text(points)
    looks_well(phone)
    assert phone.faults == []  # type: ignore[attr-defined]
