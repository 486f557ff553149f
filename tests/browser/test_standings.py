"""The public standings in a real browser: a new table comes in by itself, and every page is fit for everybody."""

import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from league import recount
from tests.browser.conftest import DESK, PHONE, page_of
from tests.evening import Evening
from tests.league import giri

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PAGES = (
    ("campaign",),
    ("gc",),
    ("teams",),
    ("stage", "2"),
    ("stage", "3"),
    ("stage", "4"),
    ("gc_embed",),
    ("teams_embed",),
)


def test_the_new_table_is_swapped_in_without_reload(live_server: LiveServer, evening: Evening, desk_page: Page) -> None:
    evening.ride("1", "2")
    giri.touched(evening.campaign)
    desk_page.goto(live_server.url + evening.campaign.url("gc"))
    desk_page.evaluate("window.sameDocument = true")
    expect(desk_page.get_by_text("the tables are being recounted")).to_be_visible()
    expect(desk_page.locator("tbody.lead")).to_contain_text("Chiara Venn")

    evening.riders["C"].name = "Chiara Nuova"
    evening.riders["C"].save()
    recount.count(evening.campaign.pk)

    expect(desk_page.locator("tbody.lead")).to_contain_text("Chiara Nuova")
    expect(desk_page.get_by_text("the tables are being recounted")).to_have_count(0)
    assert desk_page.evaluate("window.sameDocument") is True
    asked: list[str] = []
    desk_page.on("request", lambda request: asked.append(request.url))
    desk_page.wait_for_timeout(1500)
    assert asked == []  # and nobody asks any more


def test_without_javascript_a_link_looks_again(live_server: LiveServer, evening: Evening, browser: Browser) -> None:
    evening.ride("1")
    giri.touched(evening.campaign)
    page = page_of(browser, PHONE, java_script_enabled=False)
    page.goto(live_server.url + evening.campaign.url("gc"))
    recount.count(evening.campaign.pk)

    page.get_by_role("link", name="Look again").click()

    expect(page.get_by_text("the tables are being recounted")).to_have_count(0)
    expect(page.locator("tbody.lead")).to_contain_text("Amedeo Sarti")
    page.context.close()


def test_a_why_opens_by_keyboard(live_server: LiveServer, evening: Evening, phone_page: Page) -> None:
    evening.ride("1", "2", "3")
    phone_page.goto(live_server.url + evening.campaign.url("gc"))
    summary = phone_page.locator("summary", has_text="Level with Marchetti; more energy left, 6 to 4")

    summary.focus()
    phone_page.keyboard.press("Enter")

    expect(phone_page.get_by_text("Stage 1 · stage win in turn 12").first).to_be_visible()


@pytest.mark.parametrize(("size", "scheme"), [(PHONE, "light"), (DESK, "dark")], ids=["phone by day", "desk by night"])
def test_every_page_of_the_standings_is_fit_for_everybody(
    live_server: LiveServer, evening: Evening, browser: Browser, size: dict[str, int], scheme: str
) -> None:
    evening.ride("1", "2", "3")
    page = page_of(browser, size, color_scheme=scheme)

    for address in PAGES:
        page.goto(live_server.url + evening.campaign.url(*address))
        page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true })")
        found = Axe().run(page).response["violations"]
        assert [(v["id"], v["nodes"][0]["html"]) for v in found if v["impact"] in ("serious", "critical")] == [], (
            address
        )
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), address
        assert page.faults == [], address
    page.context.close()


@pytest.fixture
def another_site() -> Iterator[Callable[[str], str]]:
    """A site of somebody else with one page; `another_site(body)` is its address."""
    body = ""

    class Site(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *_args: object) -> None:
            """It keeps no log."""

    server = HTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=server.serve_forever, daemon=True).start()

    def with_body(html: str) -> str:
        nonlocal body
        body = html
        return f"http://127.0.0.1:{server.server_port}/"

    yield with_body
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize(("page", "framed"), [("gc_embed", True), ("gc", False)])
def test_only_the_embedded_standing_stands_in_a_frame_of_another_site(
    live_server: LiveServer,
    evening: Evening,
    desk_page: Page,
    another_site: Callable[[str], str],
    page: str,
    framed: bool,
) -> None:
    evening.ride("1", "2", "3")
    address = live_server.url + evening.campaign.url(page)

    desk_page.goto(another_site(f'<iframe src="{address}" title="GC"></iframe>'))

    wearer = desk_page.frame_locator("iframe").locator("tbody.lead")
    if framed:
        expect(wearer).to_contain_text("Chiara Venn")
    else:
        desk_page.wait_for_load_state("networkidle")
        expect(wearer).to_have_count(0)
