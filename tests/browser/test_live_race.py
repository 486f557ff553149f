"""Two riders, two browsers, one race: what one does the other sees, and nobody's choice is taken from under his hands.

On the site as it is run, with its streams; the page is the least that keeps itself up to date (`live_page`).
"""

import re
from collections.abc import Iterator

import pytest
from django.test.utils import modify_settings
from playwright.sync_api import Page, Route, expect

from races import play
from races.models import Race
from tests.asgi import Site
from tests.browser.conftest import SignOn
from tests.browser.race_page import SOON, preview, says_whose_turn, shows_entry
from tests.races.rides import answer, due, fresh, started, user_called

pytestmark = [
    pytest.mark.browser,
    pytest.mark.urls("tests.browser.live_page"),
    pytest.mark.django_db(transaction=True),
    pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume"),
]


IN_THE_END = 30_000
"""ms: for what comes sooner or later, or not at all."""


class Served(Site):
    """As pytest-django's server, with streams."""

    _live_server_modified_settings = modify_settings(ALLOWED_HOSTS={"append": "127.0.0.1"})


@pytest.fixture
def live_server(transactional_db: None) -> Iterator[Served]:
    with Served() as site:
        yield site


@pytest.fixture
def race() -> Race:
    return started()


def look(page: Page, site: Site, race: Race) -> None:
    page.goto(f"{site.url}/page/{race.key}")


def both(race: Race) -> tuple[str, str]:
    """Whose turn it is, and the other."""
    whose = str(due(race).seat)
    return whose, next(seat.name for seat in race.seats.all() if seat.name != whose)


def is_at(page: Page, race: Race, timeout: float = SOON) -> None:
    expect(page.locator("#panel h2")).to_have_text(f"Entry {fresh(race).n}", timeout=timeout)


def count_loads(page: Page) -> list[str]:
    loads: list[str] = []
    page.on("load", lambda page: loads.append(page.url))
    return loads


def block_streams(page: Page) -> None:
    page.route("**/events/", lambda route: route.abort())


def block_polls(page: Page) -> None:
    """What is new can only come by the stream."""
    page.route("**/version/", lambda route: route.abort())


def test_a_move_on_one_page_shows_on_the_other_without_a_reload(
    live_server: Served, race: Race, desk_page: Page, second_page: Page, sign_on: SignOn
) -> None:
    whose, other = both(race)
    sign_on(desk_page, user_called(whose))
    sign_on(second_page, user_called(other))
    block_polls(second_page)
    look(desk_page, live_server, race)
    look(second_page, live_server, race)
    loads = count_loads(second_page)
    before = fresh(race).n

    desk_page.click("#ride")

    expect(second_page.locator("#panel h2")).not_to_have_text(f"Entry {before}", timeout=IN_THE_END)
    is_at(second_page, race, timeout=IN_THE_END)
    is_at(desk_page, race, timeout=IN_THE_END)
    assert loads == []
    assert desk_page.faults == second_page.faults == []


def test_with_the_stream_blocked_the_page_asks_every_few_seconds(
    live_server: Served, race: Race, desk_page: Page
) -> None:
    block_streams(desk_page)
    look(desk_page, live_server, race)
    loads = count_loads(desk_page)

    answer(race)

    is_at(desk_page, race, timeout=7000)
    assert loads == []


def test_a_browser_without_streams_asks_too(live_server: Served, race: Race, desk_page: Page) -> None:
    desk_page.add_init_script("delete window.EventSource")
    look(desk_page, live_server, race)

    answer(race)

    is_at(desk_page, race, timeout=7000)
    assert desk_page.faults == []


def test_a_choice_that_was_begun_stays_until_its_owner_wants_the_news(
    live_server: Served, race: Race, desk_page: Page, sign_on: SignOn
) -> None:
    whose, _ = both(race)
    sign_on(desk_page, user_called(whose))
    look(desk_page, live_server, race)
    desk_page.check("input[value='1']")
    desk_page.fill("#why", "half a sen")

    answer(race)
    n = fresh(race).n

    news = desk_page.locator("#live-news")
    expect(news).to_contain_text(f"Entry {n} has come.", timeout=SOON)
    expect(desk_page.locator("input[value='1']")).to_be_checked()
    expect(desk_page.locator("#why")).to_have_value("half a sen")
    news.get_by_role("link", name="Show").click()
    is_at(desk_page, race)
    expect(news).to_be_hidden()


def test_a_panel_in_which_nothing_is_chosen_keeps_its_focus_and_its_open_parts(
    live_server: Served, race: Race, desk_page: Page, sign_on: SignOn
) -> None:
    _, other = both(race)
    sign_on(desk_page, user_called(other))
    look(desk_page, live_server, race)
    desk_page.click("summary")
    assert desk_page.evaluate("document.activeElement.tagName") == "SUMMARY"

    answer(race)

    is_at(desk_page, race)
    assert desk_page.locator("#more").get_attribute("open") is not None
    assert desk_page.evaluate("document.getElementById('panel').contains(document.activeElement)")


def test_title_and_icon_say_whose_move_it_is_and_the_newest_line_is_read_out(
    live_server: Served, race: Race, desk_page: Page, sign_on: SignOn
) -> None:
    whose, other = both(race)
    sign_on(desk_page, user_called(other))
    look(desk_page, live_server, race)
    expect(desk_page).to_have_title("The evening race")
    icon = desk_page.locator("link[rel=icon]")
    plain = icon.get_attribute("href")

    while str(due(race).seat) == whose:
        answer(race)

    expect(desk_page).to_have_title("(your move) The evening race", timeout=SOON)
    assert "due" in (icon.get_attribute("href") or "")
    n = fresh(race).n
    expect(desk_page.locator("#live-says[role=status]")).to_contain_text(f"Line {n} by")
    desk_page.click("#ride")
    expect(desk_page).to_have_title(
        "The evening race" if str(due(race).seat) == whose else "(your move) The evening race"
    )
    if str(due(race).seat) == whose:
        assert icon.get_attribute("href") == plain


def test_events_that_are_doubled_delayed_and_reordered_do_no_harm(
    live_server: Served, race: Race, desk_page: Page
) -> None:
    n = fresh(race).n
    body = "".join(f"event: race\ndata: {said}\n\n" for said in (n + 1, n, 0, n + 1, n - 1))
    answered: list[str] = []
    desk_page.route(
        "**/events/",
        lambda route: (
            answered.append(route.request.url),
            route.fulfill(status=200, content_type="text/event-stream", body="retry: 200\n\n" + body),
        ),
    )
    look(desk_page, live_server, race)
    expect(desk_page.locator("#panel h2")).to_have_text(f"Entry {n}")

    answer(race)

    is_at(desk_page, race)
    desk_page.wait_for_timeout(500)
    assert len(answered) > 1  # it came back after each end
    assert desk_page.faults == []


def test_a_page_that_slept_asks_when_it_wakes(live_server: Served, race: Race, desk_page: Page) -> None:
    look(desk_page, live_server, race)
    is_at(desk_page, race)
    desk_page.wait_for_timeout(300)
    desk_page.context.set_offline(True)
    answer(race)
    desk_page.wait_for_timeout(300)

    desk_page.context.set_offline(False)

    is_at(desk_page, race, timeout=2500)


def test_back_shows_the_race_as_it_is(live_server: Served, race: Race, desk_page: Page, sign_on: SignOn) -> None:
    whose, _ = both(race)
    sign_on(desk_page, user_called(whose))
    look(desk_page, live_server, race)
    desk_page.goto(f"{live_server.url}/")
    answer(race)

    desk_page.go_back()

    is_at(desk_page, race)
    assert desk_page.evaluate("localStorage.getItem('htmx-history-cache')") is None


def test_who_may_no_longer_watch_is_told_and_asks_no_more(live_server: Served, race: Race, desk_page: Page) -> None:
    look(desk_page, live_server, race)
    is_at(desk_page, race)
    Race.objects.filter(pk=race.pk).update(is_public=False)

    expect(desk_page.locator("#live-news")).to_contain_text("can no longer be watched", timeout=12_000)
    asked: list[str] = []
    desk_page.on("request", lambda request: asked.append(request.url))
    desk_page.wait_for_timeout(6000)

    assert asked == []


# ---- the page of the race itself -------------------------------------------------------------------------------------
whole_page = pytest.mark.urls("league.urls")


def to_move(race: Race) -> Race:
    """Somebody has broken away and is asked to move."""
    while due(race).kind != "move":
        answer(race, choose=lambda legal: legal[-1])
    return race


@whole_page
def test_a_turn_ridden_on_the_real_page_shows_on_the_other_riders(
    live_server: Served, race: Race, desk_page: Page, second_page: Page, sign_on: SignOn
) -> None:
    whose, other = both(race)
    for page, name in ((desk_page, whose), (second_page, other)):
        sign_on(page, user_called(name))
        page.goto(live_server.url + race.get_absolute_url())
    loads = count_loads(second_page)
    before = fresh(race).n

    desk_page.click("button.btn[form=turn][type=submit], #turn button[type=submit]")

    expect(second_page.locator(f"#race[data-n='{before}']")).not_to_be_attached(timeout=SOON)
    shows_entry(second_page, fresh(race).n)
    shows_entry(desk_page, fresh(race).n)
    assert loads == []
    assert desk_page.faults == second_page.faults == []


@whole_page
def test_a_renewal_of_the_real_page_keeps_where_its_owner_looks(
    live_server: Served, race: Race, desk_page: Page, sign_on: SignOn
) -> None:
    whose, _ = both(race)
    sign_on(desk_page, user_called(whose))
    desk_page.goto(live_server.url + race.get_absolute_url())
    desk_page.get_by_role("link", name="From farther away").click()
    expect(desk_page.get_by_role("link", name="Nearer")).to_be_visible()

    answer(race)
    shows_entry(desk_page, fresh(race).n)

    expect(desk_page.get_by_role("link", name="Nearer")).to_be_visible()


@whole_page
def test_a_preview_on_the_real_page_is_left_alone(
    live_server: Served, race: Race, desk_page: Page, sign_on: SignOn
) -> None:
    to_move(race)
    whose, _ = both(race)
    sign_on(desk_page, user_called(whose))
    desk_page.goto(live_server.url + race.get_absolute_url())
    n = fresh(race).n
    preview(desk_page)

    answer(race)

    expect(desk_page.locator("#live-news")).to_contain_text(f"Entry {fresh(race).n} has come.", timeout=SOON)
    expect(desk_page.locator("#live-news")).to_be_in_viewport()  # wherever he has scrolled to
    expect(desk_page.locator(f"#race[data-n='{n}']")).to_be_attached()
    expect(desk_page.locator("[data-preview]")).to_be_attached()
    desk_page.locator("#live-news a").click()
    shows_entry(desk_page, fresh(race).n)
    expect(desk_page.locator("[data-preview]")).not_to_be_attached()


@whole_page
def test_the_title_of_the_real_page_follows_the_race_though_only_a_part_is_renewed(
    live_server: Served, race: Race, desk_page: Page, sign_on: SignOn
) -> None:
    whose, other = both(race)
    sign_on(desk_page, user_called(other))
    desk_page.goto(live_server.url + race.get_absolute_url())
    says_whose_turn(desk_page, race, other)
    titles = {desk_page.title()}
    loads = count_loads(desk_page)

    while len(titles) < 4:
        answer(race)
        shows_entry(desk_page, fresh(race).n)
        says_whose_turn(desk_page, race, other)
        titles.add(desk_page.title())

    assert {title.startswith("(your move) ") for title in titles} == {True, False}
    assert loads == []


@whole_page
def test_a_panel_that_is_left_alone_no_longer_says_that_it_is_his_move_when_it_is_not(
    live_server: Served, desk_page: Page, sign_on: SignOn
) -> None:
    race = to_move(started())
    whose, _ = both(race)
    sign_on(desk_page, user_called(whose))
    desk_page.goto(live_server.url + race.get_absolute_url())
    preview(desk_page)
    expect(desk_page).to_have_title(re.compile(r"^\(your move\) "))

    while any(decision.seat == whose for decision in play.look(fresh(race)).decisions):
        answer(race)

    expect(desk_page.locator("#live-news")).to_contain_text("has come.", timeout=SOON)
    expect(desk_page).not_to_have_title(re.compile("your move"), timeout=SOON)
    expect(desk_page.locator("[data-preview]")).to_be_attached()


@whole_page
@pytest.mark.parametrize("fault", ["no answer", "a proxy says 502"])
def test_what_got_no_answer_says_so_stays_and_counts_once_when_it_is_sent_again(
    live_server: Served, race: Race, desk_page: Page, sign_on: SignOn, fault: str
) -> None:
    whose, _ = both(race)
    sign_on(desk_page, user_called(whose))
    desk_page.goto(live_server.url + race.get_absolute_url())
    before = fresh(race).n

    def away(route: Route) -> None:
        if route.request.method != "POST":
            route.continue_()
        elif fault == "no answer":
            route.fetch()  # it arrives, and the answer is lost
            route.abort("connectionreset")
        else:
            route.fulfill(status=502, body="Bad Gateway")

    desk_page.route("**/races/*/", away)
    desk_page.click("#turn button[type=submit]:visible, #confirm:visible")

    lost = desk_page.locator("#live-lost")
    expect(lost).to_contain_text("No answer from the site.")
    assert lost.get_attribute("role") == "alert"
    arrived = fault == "no answer"
    assert race.entries.filter(n__gt=before, seat=whose, taker="seat").count() == arrived

    desk_page.unroute("**/races/*/", away)
    if not arrived:
        desk_page.click("#turn button[type=submit]:visible, #confirm:visible")
    expect(desk_page.locator(f"#race[data-n='{before}']")).not_to_be_attached(timeout=SOON)
    shows_entry(desk_page, fresh(race).n)
    expect(lost).to_be_hidden()
    assert race.entries.filter(n__gt=before, seat=whose, taker="seat").count() == 1


@whole_page
def test_what_the_site_does_not_take_says_so(live_server: Served, race: Race, desk_page: Page, sign_on: SignOn) -> None:
    whose, other = both(race)
    sign_on(desk_page, user_called(whose))
    desk_page.goto(live_server.url + race.get_absolute_url())
    desk_page.context.clear_cookies()

    desk_page.click("#turn button[type=submit]:visible, #confirm:visible")

    expect(desk_page.locator("#live-lost")).to_contain_text("Load the page again.")


@whole_page
def test_who_confirms_before_the_preview_has_come_has_moved(
    live_server: Served, race: Race, desk_page: Page, sign_on: SignOn
) -> None:
    to_move(race)
    whose, _ = both(race)
    sign_on(desk_page, user_called(whose))
    desk_page.goto(live_server.url + race.get_absolute_url())
    if not desk_page.locator("#turn .choice:visible").count():
        desk_page.locator("#turn summary:visible").first.click()
    n = fresh(race).n
    held: list[Route] = []

    def hold(route: Route) -> None:
        """A preview that is long on its way."""
        if "to=" in route.request.url or "action=" in route.request.url:
            held.append(route)
        else:
            route.continue_()

    desk_page.route("**/races/**", hold)
    desk_page.locator("#turn .choice:visible").first.click()
    desk_page.locator("#turn .choice input:checked").wait_for(state="attached")

    desk_page.click("#confirm")

    expect(desk_page.locator(f"#race[data-n='{n}']")).not_to_be_attached(timeout=SOON)
    shows_entry(desk_page, fresh(race).n)
    assert held, "the preview was asked for"
    assert fresh(race).n > n
