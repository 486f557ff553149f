"""Two friends and two bots ride a stage, each friend on his phone. On the site as it is run: web server and worker are
processes of their own."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from races import play
from races.models import Race, Receipt
from rules.game import Taker
from tests.asgi import signed_on
from tests.browser.conftest import PHONE, page_of
from tests.browser.race_page import added_up, energies, lines, says_whose_turn, settled, shows_entry
from tests.processes import Web, Worker, real_worker, until
from tests.races.rides import answer, due, fresh, started, user_called, whole

pytestmark = [pytest.mark.browser, pytest.mark.services, pytest.mark.django_db(transaction=True), real_worker]

STAGE = {"course": "strip L3 | P1-6 M7-8/3 D9-12", "cards": "none", "token": "Anna"}
PATIENT = 20_000  # ms: a busy machine, a server that has just started

Phones = dict[str, Page]


@pytest.fixture
def phones(browser: Browser, web: Web) -> Iterator[Phones]:
    """Anna's and Bruno's, signed on."""
    found = {}
    for name in ("Anna", "Bruno"):
        found[name] = page_of(browser, PHONE, has_touch=True)
        sign_on(found[name], web, name)
    yield found
    for page in found.values():
        page.context.close()


@pytest.fixture
def bots(worker: Callable[..., Worker]) -> None:
    """They are ridden by a worker; what is lost on its way to it the sweep finds."""
    worker()


def sign_on(page: Page, web: Web, name: str) -> None:
    cookie, _, value = signed_on(user_called(name)).partition("=")
    page.context.add_cookies([{"name": cookie, "value": value, "url": web.url}])


def open_pages(phones: Phones, web: Web, race: Race) -> list[str]:
    """Everybody opens the race; the pages that are loaded from then on."""
    loads: list[str] = []
    for page in phones.values():
        page.goto(web.url + race.get_absolute_url())
        page.on("load", lambda page: loads.append(page.url))
    return loads


def waits_for(race: Race) -> str | None:
    """The person who has to choose, when bots and chance have had their say; None when the race is over."""
    robots = set(race.seats.exclude(bot="").values_list("name", flat=True))

    def quiet() -> bool:
        now = fresh(race)
        open_now = play.look(now).decisions
        return not any(d.taker is not Taker.SEAT or d.seat in robots for d in open_now)

    assert until(quiet), "the bots do not ride"
    return next((str(d.seat) for d in play.look(fresh(race)).decisions), None)


def choose(page: Page, turn: int = 0) -> Locator:
    """As a person does: look what there is, choose, look at it on the board. What is left to be tapped."""
    settled(page)
    kind, send = page.locator("#turn"), page.locator("#confirm")
    if kind.locator(".pick-rider").count() and turn % 3:
        kind.locator(".pick-rider").first.tap()
        settled(page)
        expect(kind.locator(".pick-rider[aria-current]")).to_be_attached()
    if kind.locator(".choice").count():
        folded = kind.locator("details.dist:not([open]) > summary")
        if folded.count():
            folded.nth(turn % folded.count()).tap()
        settled(page)
        choices = kind.locator(".choice:visible")
        choices.nth(turn % choices.count()).tap()
        expect(page.locator("#race[data-preview]")).to_be_attached()
        assert page.inner_text("#says").strip()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing is wider than the phone"
    else:
        send = kind.locator(".big-buttons button").last
    return send


def take_a_turn(page: Page, turn: int) -> None:
    """Choose, and confirm."""
    send = choose(page, turn)
    with page.expect_response(lambda answer: answer.request.method == "POST", timeout=PATIENT) as sent:
        send.tap()
    assert sent.value.status == 200, sent.value.text()[:2000]


def stands_clear(page: Page) -> None:
    """What was not sent is said where it can be read, and the button beside it can be tapped."""
    expect(page.locator("#live-lost")).to_be_in_viewport()
    apart = page.evaluate(
        """() => {
            const [says, bar] = ["#live-lost", ".play-bar"].map(s => document.querySelector(s)?.getBoundingClientRect());
            return !bar || says.bottom <= bar.top + 1 || says.top >= bar.bottom - 1;
        }"""
    )
    assert apart, "one covers the other"


def everybody_sees_it(phones: Phones, race: Race) -> None:
    """Both pages are where the race is, and say the same of it."""
    now = fresh(race)
    for name, page in phones.items():
        shows_entry(page, now.n, PATIENT)
        says_whose_turn(page, race, name, PATIENT)
        assert energies(page) == added_up(now)
    anna, bruno = map(lines, phones.values())
    both = anna.keys() & bruno.keys()
    assert {n: anna[n] for n in both} == {n: bruno[n] for n in both}


def ride_on(phones: Phones, race: Race, turns: int = 200) -> list[str]:
    """Whoever is asked takes his turn on his page, until the race is over or so many were taken; what was asked."""
    asked: list[str] = []
    while (who := waits_for(race)) is not None and len(asked) < turns:
        everybody_sees_it(phones, race)
        asked.append(due(race, who).kind)
        take_a_turn(phones[who], len(asked))
    return asked


def test_two_friends_and_two_bots_ride_a_stage_to_its_end_on_two_phones(web: Web, bots: None, phones: Phones) -> None:
    race = started(STAGE, people=["Anna", "Bruno"], robots={"Carla": "easy", "Dino": "easy"}, takes_single=True)
    loads = open_pages(phones, web, race)

    asked = ride_on(phones, race)

    everybody_sees_it(phones, race)
    assert {"attack", "move", "pursue"} <= set(asked)
    assert fresh(race).status == "over"
    for page in phones.values():
        expect(page.locator("#headline")).to_contain_text("wins in turn")
        expect(page.locator("#turn-h")).to_have_text("The race is over")
        assert page.faults == []  # type: ignore[attr-defined]
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    assert loads == []
    whole(race)


def test_a_race_goes_on_on_the_same_pages_over_a_web_server_that_dies_and_comes_back(
    web: Web, bots: None, phones: Phones
) -> None:
    race = started(STAGE, people=["Anna", "Bruno"], robots={"Carla": "easy", "Dino": "easy"}, takes_single=True)
    loads = open_pages(phones, web, race)
    ride_on(phones, race, turns=2)
    who = waits_for(race)
    assert who is not None
    everybody_sees_it(phones, race)
    mine, before = phones[who], fresh(race).n
    form = mine.locator("#turn input[name=key]").get_attribute("value")

    web.kill()
    send = choose(mine)
    send.tap()

    lost = mine.locator("#live-lost")
    expect(lost).to_contain_text("No answer from the site. What you chose is still here")
    stands_clear(mine)
    assert mine.locator("#turn input[name=key]").get_attribute("value") == form
    assert fresh(race).n == before

    web.start()
    settled(mine)
    with mine.expect_response(lambda answer: answer.request.method == "POST", timeout=PATIENT) as sent:
        send.tap()
    assert sent.value.status == 200
    expect(lost).to_be_hidden()
    assert waits_for(race) is not None
    everybody_sees_it(phones, race)  # the other page too, by itself
    assert Receipt.objects.get(race=race, key=form).n == before + 1

    web.kill()
    answer(race, seat=waits_for(race))  # by another server, which these pages do not know
    assert waits_for(race) is not None
    web.start()
    everybody_sees_it(phones, race)

    ride_on(phones, race, turns=2)
    everybody_sees_it(phones, race)
    assert loads == []
    assert all(page.faults == [] for page in phones.values())  # type: ignore[attr-defined]
    whole(race)


# ---- by keyboard alone -----------------------------------------------------------------------------------------------
def focused(page: Page, selector: str) -> bool:
    return bool(page.evaluate("selector => document.activeElement.matches(selector)", selector))


def tab_to(page: Page, selector: str, most: int = 60) -> None:
    """Press Tab until it has the focus, which can be seen."""
    for _press in range(most):
        page.keyboard.press("Tab")
        if focused(page, selector):
            assert page.evaluate("document.activeElement.matches(':focus-visible')")
            return
    raise AssertionError(f"Tab does not come to {selector}")


def test_a_turn_is_ridden_with_tab_arrows_and_enter_alone(web: Web, desk_page: Page) -> None:
    race = started(STAGE, people=["Anna", "Bruno"])
    whose = str(due(race).seat)
    page = desk_page
    sign_on(page, web, whose)
    page.goto(web.url + race.get_absolute_url())
    before = fresh(race).n

    tab_to(page, ".pick-rider")
    page.keyboard.press("Enter")
    expect(page.locator(".pick-rider[aria-current]")).to_be_attached()
    expect(page.locator("svg.bd-live a.bd-choice:visible").first).to_be_attached()
    settled(page)

    tab_to(page, "svg.bd-live a.bd-choice")
    nearest = page.evaluate("document.activeElement.id")
    page.keyboard.press("End")
    assert focused(page, "svg.bd-live a.bd-choice")
    farthest = page.evaluate("document.activeElement.id")
    assert farthest != nearest
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("document.activeElement.id") not in (farthest, "")
    page.keyboard.press("Enter")
    expect(page.locator("#race[data-preview]")).to_be_attached()
    settled(page)
    assert focused(page, "svg.bd-live a.bd-choice"), "a preview takes nobody's place away"
    says = page.inner_text("#says")
    assert fresh(race).n == before

    tab_to(page, "#confirm")
    page.keyboard.press("Enter")
    shows_entry(page, before + 1, PATIENT)
    settled(page)

    entry = race.entries.get(n=before + 1)
    assert (entry.seat, entry.by, entry.action["kind"]) == (whose, user_called(whose), "break")
    assert says
    assert page.evaluate("document.activeElement !== document.body"), "who has answered stays where he was"
    assert page.faults == []  # type: ignore[attr-defined]
