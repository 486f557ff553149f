"""A real browser for the tests: Chromium as the machine has it, against Django's live server.

The widths of the house: a phone of 360 x 740 px held in one hand, and a desk of 1280 px.
"""

import os
import shutil
import threading
from collections.abc import Callable, Iterator

import pytest
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore
from django.core.signals import request_finished, request_started
from playwright.sync_api import Browser, Page, sync_playwright

PHONE = {"width": 360, "height": 740}
DESK = {"width": 1280, "height": 900}
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
SignOn = Callable[[Page, User], None]


def chromium() -> str | None:
    """Where the machine has a Chromium."""
    if os.path.exists("/usr/bin/chromium"):
        return "/usr/bin/chromium"
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One browser for all tests; each takes contexts of its own from it."""
    path = chromium()
    if path is None:
        pytest.skip("no Chromium on this machine (apt-get install chromium)")
    # playwright runs an event loop in this thread, where Django otherwise refuses the test's own queries
    before = os.environ.get("DJANGO_ALLOW_ASYNC_UNSAFE")
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with sync_playwright() as playwright:
        chrome = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield chrome
        chrome.close()
    if before is None:
        del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


def page_of(browser: Browser, size: dict[str, int], **options: object) -> Page:
    """A page in a context of its own, that fails the test's waits after 10 s rather than 30."""
    options.setdefault("reduced_motion", "reduce")  # a colour on its way is no colour to measure
    context = browser.new_context(viewport=size, **options)  # type: ignore[arg-type]
    context.set_default_timeout(10_000)
    page = context.new_page()
    page.faults = []  # type: ignore[attr-defined]
    page.on("pageerror", lambda fault: page.faults.append(str(fault)))  # type: ignore[attr-defined]
    return page


class UnderWay:
    """How many requests the server is answering: what a page sends as it is closed may outlive its test."""

    def __init__(self) -> None:
        self.changed = threading.Condition()
        self.number = 0

    def begins(self, **_signal: object) -> None:
        with self.changed:
            self.number += 1

    def ends(self, **_signal: object) -> None:
        with self.changed:
            self.number -= 1
            self.changed.notify_all()

    def none(self, seconds: float) -> bool:
        with self.changed:
            return self.changed.wait_for(lambda: self.number <= 0, seconds)


@pytest.fixture(autouse=True)
def answered() -> Iterator[None]:
    """The tables are emptied after the last request of a test, not in the middle of it. Set up before any page is."""
    under_way = UnderWay()
    request_started.connect(under_way.begins)
    request_finished.connect(under_way.ends)
    yield
    done = under_way.none(10)
    request_started.disconnect(under_way.begins)
    request_finished.disconnect(under_way.ends)
    assert done, "a request of this test is still being answered"


@pytest.fixture
def phone_page(browser: Browser) -> Iterator[Page]:
    """A phone held in one hand, with touch."""
    page = page_of(browser, PHONE, has_touch=True)
    yield page
    page.context.close()


@pytest.fixture
def desk_page(browser: Browser) -> Iterator[Page]:
    page = page_of(browser, DESK)
    yield page
    page.context.close()


@pytest.fixture
def second_page(browser: Browser) -> Iterator[Page]:
    """Somebody else's desk: a context of its own."""
    page = page_of(browser, DESK)
    yield page
    page.context.close()


@pytest.fixture
def sign_on(live_server: object) -> SignOn:
    """Sign somebody on in a page's context, by the session cookie."""

    def give(page: Page, user: User) -> None:
        session = SessionStore()
        session[SESSION_KEY] = str(user.pk)
        session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
        session[HASH_SESSION_KEY] = user.get_session_auth_hash()
        session.save()
        url = live_server.url  # type: ignore[attr-defined]
        page.context.add_cookies(
            [{"name": settings.SESSION_COOKIE_NAME, "value": session.session_key or "", "url": url}]
        )

    return give
