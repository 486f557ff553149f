"""Parts of pages that are put together once: never somebody else's, never of another language, nothing left unescaped."""

from dataclasses import replace

import pytest
from django.template import engines
from django.utils import translation
from django.utils.safestring import mark_safe

from races.panels import Rider
from races.templatetags import parts
from races.words import Shown

RIDER = Rider(shown=Shown(id="a", bib="31", name="Quist", jersey="pink", player="Anna"), rank="1", place="12", gap="")


def line(**values: object) -> str:
    told = {
        "n": 7,
        "void": False,
        "address": "/races/a/7/",
        "mark": "T2",
        "sentences": [mark_safe("<b>Quist</b> rides.")],
    }
    return parts.part("races/_log_line.html", **(told | values))


def test_the_same_values_are_put_together_once(monkeypatch: pytest.MonkeyPatch) -> None:
    first = line()
    monkeypatch.setattr(parts, "get_template", lambda name: pytest.fail("once is enough"))

    assert line() == first


def test_whatever_differs_is_another_part() -> None:
    seen = [
        line(), line(n=8), line(void=True), line(address="/races/b/7/"), line(mark=""), line(newest=True),
        line(sentences=[mark_safe("<b>Quist</b> falls.")]), line(sentences=[mark_safe("<b>Quist</b> rides."), mark_safe("So.")]),
    ]  # fmt: skip
    rows = [
        parts.part("races/_road_row.html", row=row, moved=moved)
        for row in (RIDER, replace(RIDER, energy="4"), replace(RIDER, notes=("fallen",)), replace(RIDER, mine=True))
        for moved in (None, 3)
    ]

    assert len(set(seen)) == len(seen)
    assert len(set(rows)) == len(rows)


def test_text_of_people_is_escaped_also_where_markup_said_the_same_before() -> None:
    assert "<b>Quist</b>" in line(mark=mark_safe("<b>Quist</b>"), sentences=[])
    assert "<b>Quist</b>" not in line(mark="<b>Quist</b>", sentences=[])
    named = replace(RIDER, shown=replace(RIDER.shown, name="</td><script>"))
    assert "<script>" not in parts.part("races/_road_row.html", row=named, moved=None)


def test_each_language_has_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str | None] = []
    real = parts._made
    monkeypatch.setattr(parts, "_made", lambda *told: asked.append(translation.get_language()) or real(*told))

    for language in ("en", "de", "en", "de"):
        with translation.override(language):
            line(n=4711)

    assert asked == ["en", "de"]


def test_a_part_gets_nothing_of_the_page_around_it() -> None:
    page = engines["django"].from_string(
        '{% load parts %}{% part "races/_log_line.html" n=1 void=False address="/" mark="" sentences=told %}'
    )

    assert "data-newest" not in page.render({"newest": True, "told": ["x"]})
