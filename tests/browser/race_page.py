"""What a reader finds on the page of a race, and how a rider takes his turn with his thumb."""

import re
from typing import Any

from playwright.sync_api import Page, expect

from races import play
from races.models import Race
from tests.races.rides import fresh

SOON = 3000  # ms: a tick of the hub, a question, an answer


def settled(page: Page) -> None:
    """What was asked for is on the page."""
    expect(page.locator(".htmx-request, .htmx-swapping, .htmx-settling")).to_have_count(0)


def shows_entry(page: Page, n: int, timeout: float = SOON) -> None:
    """The page is as far as that."""
    expect(page.locator(f"#race[data-n='{n}']")).to_be_attached(timeout=timeout)


def says_whose_turn(page: Page, race: Race, name: str, timeout: float = SOON) -> None:
    """The title is today's headline, with the sign if it is that person's move; the icon says the same."""
    is_his = any(decision.seat == name for decision in play.look(fresh(race)).decisions)
    sign = "(your move) " if is_his else ""
    expect(page).to_have_title(f"{sign}{page.inner_text('#headline')} · {race.title}", timeout=timeout)
    assert ("due" in (page.locator("link[rel=icon]").get_attribute("href") or "")) == is_his


def preview(page: Page) -> None:
    """Look at a move, on the page of who is asked to move: the first one that is not folded away."""
    page.locator("#turn .choice:visible, #turn summary:visible").first.click()
    if not page.locator("[data-preview]").count():
        page.locator("#turn .choice:visible").first.click()
    expect(page.locator("[data-preview]")).to_be_attached()


def lines(page: Page) -> dict[int, str]:
    """The log as the page has it: of each entry what is said of it."""
    told: list[tuple[str, str]] = page.locator(".race-log .log > li[id]").evaluate_all(
        "all => all.filter(e => e.id !== 'since').map(e => [e.id, e.lastElementChild.textContent])"
    )
    return {int(name[1:]): re.sub(r"\s+", " ", text).strip() for name, text in told}


def energies(page: Page) -> dict[str, int]:
    """Of each rider on the road what is left, as the table says."""
    rows: list[list[str]] = page.locator(".road-table tbody tr:not(.bunch)").evaluate_all(
        "all => all.map(row => [row.querySelector('.who b').textContent, row.lastElementChild.firstChild.textContent])"
    )
    return {name: int(left) for name, left in rows}


def added_up(race: Race) -> dict[str, int]:
    """What every rider has left by the log: his energy at the start, and each change that was told since."""
    start, _opened = play.rebuilt(race, until=0)
    left = {str(rider.id): rider.energy for rider in start.riders}
    events: list[dict[str, Any]] = [event for entry in race.entries.all() for event in entry.events]
    for event in events:
        if "change" in event:
            left[event["rider"]] += event["change"]
    return left
