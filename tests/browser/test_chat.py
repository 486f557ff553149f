"""Two people talk beside a race, each in his own browser: what one says the other reads, and nothing half done is lost."""

import time
from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.utils import timezone
from playwright.sync_api import Browser, Page, Route, expect

from races import play
from races.models import Listener, Message, PrivateNote, Race, Talk
from tests.asgi import Site
from tests.browser.conftest import PHONE, SignOn, page_of
from tests.browser.test_live_race import SOON, Served, both, count_loads
from tests.races.rides import answer, due, fresh, opened, started, user_called

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume"),
]


@pytest.fixture
def live_server(transactional_db: None) -> Iterator[Served]:
    with Served() as site:
        yield site


def visit(page: Page, site: Site, race: Race, what: str = "") -> None:
    page.goto(f"{site.url}{race.get_absolute_url()}{what}")


def unfold(page: Page) -> None:
    page.locator("#chat-fold > summary").click()
    expect(page.locator("#chat-text")).to_be_visible()


def send(page: Page, text: str) -> None:
    page.fill("#chat-text", text)
    page.locator("#chat-form button").click()
    expect(page.locator("#chat-text")).to_have_value("")


def test_a_message_appears_on_the_others_page_while_his_text_and_his_focus_stay(
    live_server: Served, desk_page: Page, second_page: Page, sign_on: SignOn
) -> None:
    race = started()
    for page, name in ((desk_page, "Anna"), (second_page, "Bruno")):
        sign_on(page, user_called(name))
        visit(page, live_server, race)
        unfold(page)
    second_page.fill("#chat-text", "half a sen")
    second_page.focus("#chat-text")
    loads = count_loads(second_page)

    send(desk_page, "Allez!\nThe hill is near.")

    expect(second_page.locator("#chat-said .talk-text")).to_have_text("Allez! The hill is near.", timeout=SOON)
    expect(second_page.locator("#chat-text")).to_have_value("half a sen")
    expect(second_page.locator("#chat-text")).to_be_focused()
    expect(second_page.locator("#chat-says[role=status]")).to_contain_text("Anna R. writes: Allez!")
    expect(desk_page.locator("#chat-said .talk-text")).to_have_count(1)
    expect(desk_page.locator("#chat-says")).to_have_text("Sent.")
    second_page.locator("#chat-form button").click()
    expect(desk_page.locator("#chat-said .talk-text").first).to_have_text("half a sen", timeout=SOON)
    assert loads == []
    assert desk_page.faults == second_page.faults == []


def test_a_message_leaves_a_chosen_answer_alone_and_a_turn_leaves_a_half_typed_message(
    live_server: Served, desk_page: Page, second_page: Page, sign_on: SignOn
) -> None:
    race = started()
    while due(race).kind != "move":
        answer(race, choose=lambda legal: legal[-1])
    whose, other = both(race)
    for page, name in ((desk_page, whose), (second_page, other)):
        sign_on(page, user_called(name))
        visit(page, live_server, race)
        unfold(page)
    desk_page.locator("#turn .choice:visible, #turn summary:visible").first.click()
    if not desk_page.locator("[data-preview]").count():
        desk_page.locator("#turn .choice:visible").first.click()
    expect(desk_page.locator("[data-preview]")).to_be_attached()
    second_page.fill("#chat-text", "half a sen")
    second_page.focus("#chat-text")

    send(second_page, "Ride!")
    second_page.fill("#chat-text", "half a sen")
    expect(desk_page.locator("#chat-said .talk-text")).to_have_text("Ride!", timeout=SOON)
    expect(desk_page.locator("[data-preview]")).to_be_attached()
    expect(desk_page.locator("#live-news")).to_be_hidden()
    desk_page.locator("button[form=turn][type=submit]:visible").first.click()

    expect(second_page.locator(f"#race[data-n='{fresh(race).n}']")).to_be_attached(timeout=SOON)
    expect(second_page.locator("#chat-text")).to_have_value("half a sen")
    expect(second_page.locator("#chat-said .talk-text")).to_have_text("Ride!")
    assert desk_page.faults == second_page.faults == []


def test_a_folded_chat_counts_what_is_new_until_it_is_opened(
    live_server: Served, desk_page: Page, second_page: Page, sign_on: SignOn
) -> None:
    race = started()
    sign_on(desk_page, user_called("Anna"))
    visit(desk_page, live_server, race, "chat/")
    sign_on(second_page, user_called("Bruno"))
    visit(second_page, live_server, race)

    send(desk_page, "One.")
    send(desk_page, "Two.")

    expect(second_page.locator("#chat-fold summary")).to_contain_text("2 new", timeout=SOON)
    link = second_page.locator("a[href='#chat']")
    expect(link).to_have_text("Chat 2 new")
    answer(race)
    expect(second_page.locator(f"#race[data-n='{fresh(race).n}']")).to_be_attached(timeout=SOON)
    expect(link).to_have_text("Chat 2 new")
    link.click()
    expect(second_page.locator("#chat-said .talk-text")).to_have_text(["Two.", "One."])
    expect(link).to_have_text("Chat ")
    deadline = time.monotonic() + 5
    while not Listener.objects.filter(user=user_called("Bruno"), seen=2).exists():
        assert time.monotonic() < deadline, "the page has not said that the messages were read"
        second_page.wait_for_timeout(50)
    visit(second_page, live_server, race)
    expect(second_page.locator("#chat-fold summary")).not_to_contain_text("new")


def test_what_is_hidden_or_deleted_vanishes_from_open_pages(
    live_server: Served, desk_page: Page, second_page: Page, sign_on: SignOn
) -> None:
    race = started()
    sign_on(desk_page, user_called("Olga"))
    sign_on(second_page, user_called("Bruno"))
    visit(desk_page, live_server, race, "chat/")
    visit(second_page, live_server, race, "chat/")
    send(second_page, "Nonsense.")
    expect(desk_page.locator(".talk-text")).to_have_text("Nonsense.", timeout=SOON)

    desk_page.get_by_role("button", name="Hide").click()

    expect(second_page.locator("#chat-said")).to_contain_text("Hidden by Olga.", timeout=SOON)
    expect(second_page.locator(".talk-text")).to_have_count(0)
    assert desk_page.evaluate("document.getElementById('chat-said').contains(document.activeElement)")
    second_page.get_by_role("button", name="Delete").click()
    expect(desk_page.locator("#chat-said")).to_contain_text("Deleted by who wrote it.", timeout=SOON)
    assert desk_page.faults == second_page.faults == []


def test_what_the_site_refuses_stays_in_the_field(live_server: Served, desk_page: Page, sign_on: SignOn) -> None:
    race = started()
    sign_on(desk_page, user_called("Anna"))
    visit(desk_page, live_server, race)
    unfold(desk_page)
    desk_page.fill("#chat-text", "x" * 501)
    desk_page.locator("#chat-form button").click()

    expect(desk_page.locator("#chat-fault")).to_contain_text("This has 501 characters")
    expect(desk_page.locator("#chat-text")).to_have_value("x" * 501)
    desk_page.fill("#chat-text", "Shorter.")
    desk_page.locator("#chat-form button").click()

    expect(desk_page.locator("#chat-said .talk-text")).to_have_text("Shorter.")
    expect(desk_page.locator("#chat-fault")).to_be_empty()


def test_a_message_that_got_no_answer_stays_and_counts_once(
    live_server: Served, desk_page: Page, sign_on: SignOn
) -> None:
    race = started()
    sign_on(desk_page, user_called("Anna"))
    visit(desk_page, live_server, race)
    unfold(desk_page)

    def lose_the_answer(route: Route) -> None:
        if route.request.method == "POST":
            route.fetch()
            route.abort()
        else:
            route.continue_()

    desk_page.route("**/chat/", lose_the_answer)
    desk_page.fill("#chat-text", "Once.")
    desk_page.locator("#chat-form button").click()
    expect(desk_page.locator("#live-lost")).to_contain_text("No answer from the site.")
    expect(desk_page.locator("#chat-text")).to_have_value("Once.")
    desk_page.unroute("**/chat/")

    desk_page.locator("#chat-form button").click()

    expect(desk_page.locator("#chat-text")).to_have_value("")
    expect(desk_page.locator("#chat-said .talk-text")).to_have_text("Once.")
    assert Message.objects.count() == 1


@pytest.mark.parametrize("how", ["a race that is over", "a lobby", "a browser without streams"])
def test_messages_also_reach(
    live_server: Served, desk_page: Page, second_page: Page, sign_on: SignOn, how: str
) -> None:
    race = opened() if how == "a lobby" else started()
    if how == "a race that is over":
        Race.objects.filter(pk=race.pk).update(status="abandoned")
    elif how == "a browser without streams":
        second_page.add_init_script("delete window.EventSource")
    for page, name in ((desk_page, "Anna"), (second_page, "Bruno")):
        sign_on(page, user_called(name))
        visit(page, live_server, race)
    unfold(desk_page)

    send(desk_page, "Well ridden.")

    expect(second_page.locator("#chat-fold summary")).to_contain_text("1 new", timeout=20_000)


def test_a_race_that_begins_does_not_take_a_half_typed_message(
    live_server: Served, desk_page: Page, sign_on: SignOn
) -> None:
    race = opened()
    sign_on(desk_page, user_called("Anna"))
    visit(desk_page, live_server, race)
    unfold(desk_page)
    desk_page.fill("#chat-text", "Is everybody")

    play.start(race, by=race.owner)

    news = desk_page.locator("#live-news")
    expect(news).to_contain_text("Something has changed here.", timeout=SOON)
    expect(desk_page.locator("#chat-text")).to_have_value("Is everybody")
    desk_page.fill("#chat-text", "")
    news.get_by_role("link", name="Show").click()
    expect(desk_page.locator("#race")).to_be_visible()


def test_a_note_is_kept_without_leaving_the_page(live_server: Served, phone_page: Page, sign_on: SignOn) -> None:
    race = started()
    sign_on(phone_page, user_called("Anna"))
    visit(phone_page, live_server, race)
    loads = count_loads(phone_page)
    phone_page.locator("#notes-fold > summary").tap()
    phone_page.fill("#note-text", "Feed early.")
    phone_page.get_by_role("button", name="Keep it").tap()
    expect(phone_page.locator("#note-state")).to_contain_text("Kept. Only you can read it.")
    phone_page.fill("#note-text", "Feed late.")
    phone_page.get_by_role("button", name="Keep it").tap()

    expect(phone_page.locator("#note-state input")).to_have_value("2")
    assert PrivateNote.objects.get().text == "Feed late."
    assert loads == []
    assert phone_page.faults == []


def test_everything_works_without_a_script(live_server: Served, browser: Browser, sign_on: SignOn) -> None:
    race = started()
    page = page_of(browser, PHONE, java_script_enabled=False)
    sign_on(page, user_called("Olga"))
    visit(page, live_server, race)
    page.locator("#chat-fold > summary").click()
    page.fill("#chat-text", "Allez!")
    page.get_by_role("button", name="Send").click()
    expect(page).to_have_url(f"{live_server.url}{race.get_absolute_url()}chat/")
    expect(page.locator(".talk-text")).to_have_text("Allez!")
    page.get_by_role("button", name="Hide").click()
    expect(page.locator("#chat-said")).to_contain_text("Hidden by Olga.")
    page.get_by_role("button", name="Show it again").click()
    expect(page.locator(".talk-text")).to_have_text("Allez!")
    page.get_by_role("button", name="Delete").click()
    expect(page.locator("#chat-said")).to_contain_text("Deleted by who wrote it.")
    page.context.close()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_serious_and_nothing_is_wider_than_a_phone(
    live_server: Served, phone_page: Page, sign_on: SignOn, theme: str
) -> None:
    race = started()
    for n, text in enumerate(("Allez!", "Nonsense.", "w" * 500), start=1):
        Message.objects.create(
            race=race, n=n, user=user_called("Anna"), name="Anna", part="rides", text=text, key=f"{n}",
            hidden_at=timezone.now() if n == 2 else None,
        )  # fmt: skip
    Talk.objects.create(race=race, n=3)
    sign_on(phone_page, user_called("Olga"))
    phone_page.emulate_media(color_scheme=theme)
    found = []
    for what in ("chat/", "notes/", "#chat"):
        visit(phone_page, live_server, race, what)
        if what == "#chat":
            phone_page.locator("#notes-fold > summary").tap()
            expect(phone_page.locator("#note-text")).to_be_visible()
            expect(phone_page.locator("#chat-text")).to_be_visible()
        violations = Axe().run(phone_page, {"include": [["main"]]}).response["violations"]
        found += [
            f"{what}: {v['id']} {v['nodes'][0]['html'][:100]}"
            for v in violations
            if v["impact"] in ("serious", "critical")
        ]
        assert phone_page.evaluate("document.documentElement.scrollWidth") <= 360

    assert found == []
