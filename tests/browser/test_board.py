"""The board in a real browser: sizes, keys, contrast, on a phone and at a desk, by day and by night."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.conftest import DESK, PHONE, page_of
from tests.races.board.look import all_samples, write

pytestmark = pytest.mark.browser

SMALL = {"width": 320, "height": 640}
SIZES = {"small": SMALL, "phone": PHONE, "tablet": {"width": 1024, "height": 768}, "desk": DESK}

MEASURED = """() => {
  const faults = [];
  for (const svg of document.querySelectorAll('svg.bd-board:not(.bd-map)')) {
    const paper = svg.getBoundingClientRect();
    if (!paper.width) continue;
    const texts = [...svg.querySelectorAll('text')].map((t) => [t.textContent, t.getBoundingClientRect()]);
    texts.forEach(([words, box], i) => {
      if (box.left < paper.left - 1 || box.right > paper.right + 1 || box.top < paper.top - 1 || box.bottom > paper.bottom + 1)
        faults.push('outside: ' + words);
      for (const [other, o] of texts.slice(0, i)) {
        const across = Math.min(box.right, o.right) - Math.max(box.left, o.left);
        const down = Math.min(box.bottom, o.bottom) - Math.max(box.top, o.top);
        if (across > 2 && down > 5) faults.push(`overlap: ${words}, ${other}`);
      }
    });
    for (const link of svg.querySelectorAll('a')) {
      const box = link.querySelector('.bd-target').getBoundingClientRect();
      if (box.width < 23.5 || box.height < 23.5) faults.push('small: ' + link.getAttribute('aria-label'));
    }
  }
  return faults;
}"""

CONTRAST = """() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgb = (colour, over = [0, 0, 0]) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = `rgb(${over.join(',')})`; canvas.fillRect(0, 0, 1, 1);
    canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const light = (c) => { const [r, g, b] = c.map((v) => { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; }); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const ratio = (a, b) => { const [x, y] = [light(a), light(b)].sort((m, n) => n - m); return (x + 0.05) / (y + 0.05); };
  const svg = [...document.querySelectorAll('svg.bd-live')].find((s) => s.getBoundingClientRect().width);
  const fill = (name, outer = '') => {
    const g = document.createElementNS('http://www.w3.org/2000/svg', 'g'); g.setAttribute('class', outer);
    const shape = document.createElementNS('http://www.w3.org/2000/svg', name.startsWith('text') ? 'text' : 'rect');
    shape.setAttribute('class', name.replace('text ', '')); g.append(shape); svg.append(g);
    const style = getComputedStyle(shape); const colour = style.fill; const opacity = style.fillOpacity; g.remove();
    return [colour, Number(opacity)];
  };
  const paper = rgb(getComputedStyle(document.body).backgroundColor);
  const solid = (name, outer) => rgb(fill(name, outer)[0], paper);
  const found = {};
  for (const ground of ['bd-plain', 'bd-rise', 'bd-mountain', 'bd-downhill', 'bd-outside']) {
    const under = solid(ground);
    const [hit, opacity] = fill('bd-hit', 'bd-quiet');
    const tint = rgb(hit, under).map((v, i) => v * opacity + under[i] * (1 - opacity));
    found[`figure on ${ground}`] = ratio(solid('text bd-way'), tint);
    found[`moved on ${ground}`] = ratio(solid('text bd-moved'), under);
  }
  for (const [words, plate, outer] of [['bd-pilltext', 'bd-pill', ''], ['bd-pilltext', 'bd-pill', 'bd-risky'], ['bd-risktext', 'bd-pill', 'bd-risky'],
      ['bd-pilltext', 'bd-pill', 'bd-chosen'], ['bd-risktext', 'bd-pill', 'bd-chosen bd-risky'], ['bd-num', 'bd-bib', ''], ['bd-tagtext', 'bd-tag', ''],
      ['bd-packtext', 'bd-pack', ''], ['bd-flagtext', 'bd-flag', ''], ['bd-pintext', 'bd-pin', ''], ['bd-pintext bd-now', 'bd-pin bd-now', ''],
      ['bd-flagtext bd-finish', 'bd-flag bd-finish', '']])
    found[`${words} on ${plate} ${outer}`] = ratio(solid('text ' + words, outer), solid(plate, outer));
  for (const [words, plate, outer] of [['bd-crowdtext', 'bd-crowd', ''], ['bd-pinlaptext', 'bd-pin', ''], ['bd-pinlaptext bd-now', 'bd-pin bd-now', '']])
    found[`${words} on ${plate}`] = ratio(solid('text ' + words, outer), solid(plate, outer));
  for (const ground of ['bd-plain', 'bd-outside'])
    for (const [words, hit] of [['bd-print', ''], ['bd-badgetext', ''], ['bd-gives', ''], ['bd-print', 'bd-loud bd-chosen'], ['bd-gives', 'bd-loud bd-chosen']]) {
      const under = solid(ground);
      const [tint, opacity] = fill('bd-hit', hit);
      const shown = hit ? rgb(tint, under).map((v, i) => v * opacity + under[i] * (1 - opacity)) : under;
      found[`${words} on ${ground} ${hit}`] = ratio(solid('text ' + words), shown);
    }
  found['bd-trackno'] = ratio(solid('text bd-trackno'), solid('bd-plain'));
  for (const words of ['bd-stretch', 'bd-km', 'bd-beyond', 'bd-small', 'bd-prize', 'bd-infield', 'bd-points']) found[words] = ratio(solid('text ' + words), paper);
  return found;
}"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample pages, with the real style sheets and the real script."""
    path: Path = tmp_path_factory.mktemp("board")
    write(path)
    return path


@pytest.fixture(params=SIZES)
def page(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Page]:
    page = page_of(browser, SIZES[request.param])
    yield page
    page.context.close()


def test_no_words_leave_the_picture_or_touch_and_every_link_can_be_hit(page: Page, folder: Path):
    for name in all_samples():
        page.goto((folder / f"{name}-light.html").as_uri())

        assert page.evaluate(MEASURED) == [], name


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_words_and_figures_have_contrast_on_every_ground(desk_page: Page, folder: Path, theme: str):
    desk_page.goto((folder / f"road-{theme}.html").as_uri())

    found: dict[str, float] = desk_page.evaluate(CONTRAST)

    assert len(found) > 20
    assert {what: round(ratio, 2) for what, ratio in found.items() if ratio < 4.5} == {}


def focused(page: Page) -> Any:
    return page.evaluate("document.activeElement.id")


def test_arrows_walk_the_road_on_a_phone(phone_page: Page, folder: Path):
    page = phone_page
    page.goto((folder / "finish-light.html").as_uri())
    tabs = "svg.bd-live a.bd-choice[tabindex='0']"
    assert page.locator(f".bd-up {tabs}").count() == 1
    page.locator("#up-47\\.0").focus()

    walked = []
    for key in ("ArrowUp", "ArrowRight", "ArrowRight", "ArrowUp", "ArrowLeft", "Home", "End", "ArrowUp"):
        page.keyboard.press(key)
        walked.append(focused(page))

    assert walked == ["up-48.0", "up-48.1", "up-48.2", "up-49.2", "up-49.1", "up-47.0", "up-51.2", "up-51.2"]
    assert page.locator(f".bd-up {tabs}").get_attribute("id") == "up-51.2"


def test_the_same_arrows_walk_the_road_that_lies_at_a_desk(desk_page: Page, folder: Path):
    page = desk_page
    page.goto((folder / "finish-light.html").as_uri())
    page.locator("#on-47\\.0").focus()

    walked = []
    for key in ("ArrowRight", "ArrowDown", "ArrowLeft"):
        page.keyboard.press(key)
        walked.append(focused(page))

    assert walked == ["on-48.0", "on-48.1", "on-47.1"]


def test_a_choice_is_followed_by_enter_and_the_choices_are_one_stop_of_tab(desk_page: Page, folder: Path):
    page = desk_page
    page.goto((folder / "finish-light.html").as_uri())
    page.locator("#on-48\\.1").focus()
    page.keyboard.press("Tab")
    assert "bd-choice" not in page.evaluate("document.activeElement.getAttribute('class') || ''")
    page.locator("#on-48\\.1").focus()

    page.keyboard.press("Enter")

    page.wait_for_url("**/finish-light.html?to=*")


def test_escape_drops_the_preview(desk_page: Page, folder: Path):
    page = desk_page
    page.goto((folder / "finish-light.html").as_uri())
    page.locator("#on-48\\.1").focus()

    page.keyboard.press("Escape")

    page.wait_for_url("**/finish-light.html?")


def test_one_direction_is_shown_at_a_time(page: Page, folder: Path):
    page.goto((folder / "road-light.html").as_uri())

    seen = [page.locator(f"{way} svg.bd-live").is_visible() for way in (".bd-up", ".bd-on")]

    assert seen == ([False, True] if page.viewport_size and page.viewport_size["width"] >= 992 else [True, False])
