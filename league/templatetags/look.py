"""Small parts of the look: jerseys, bibs, gaps, icons. They print what they are given; they work nothing out."""

from functools import lru_cache
from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.models.club import JerseyColour, JerseyPattern

register = template.Library()
MINUS = "\u2212"


@register.simple_tag
@lru_cache(maxsize=256, typed=True)
def icon(name: str) -> SafeString:
    """An icon of the sprite, silent: a word stands beside it."""
    return format_html('<svg class="ico" aria-hidden="true"><use href="#i-{}"/></svg>', name)


@register.simple_tag
def jersey(team: Any, size: str = "") -> SafeString:
    """A team's jersey: colour, pattern, and both in words. Nothing for a rider without a team."""
    if not team:
        return mark_safe("")
    words = f"{JerseyColour(team.colour).label} {JerseyPattern(team.pattern).label}"
    return format_html(
        '<svg class="jersey {}" viewBox="0 0 24 24" role="img" aria-label="{}"><use href="#jersey-{}-{}"/></svg>',
        size, words, team.colour, team.pattern,
    )  # fmt: skip


@register.simple_tag
def pink_jersey(size: str = "") -> SafeString:
    """The pink jersey. Only where somebody wears it."""
    return format_html(
        '<svg class="jersey {}" viewBox="0 0 24 24" role="img" aria-label="{}"><use href="#jersey-pink"/></svg>',
        size,
        _("Pink jersey"),
    )


@register.simple_tag
def bib(number: int) -> SafeString:
    return format_html('<span class="bib"><span class="vh">{} </span>{}</span>', _("Bib"), number)


@register.filter
def signed(value: int | None) -> str:
    """+2, 0, −4 with a true minus."""
    if value is None:
        return ""
    return f"+{value}" if value > 0 else f"{MINUS}{-value}" if value < 0 else "0"


@register.simple_tag
def change(places: int | None) -> SafeString:
    """Places gained or lost since the stage before; nothing where there is nothing to compare with."""
    if places is None:
        return mark_safe("")
    if places == 0:
        return format_html('<span class="chg same">{}<span class="vh">{}</span></span>', icon("same"), _("same place"))
    up = places > 0
    word = ngettext("place up", "places up", abs(places)) if up else ngettext("place down", "places down", abs(places))
    return format_html(
        '<span class="chg {}">{}{}<span class="vh"> {}</span></span>',
        "up" if up else "down",
        icon("up" if up else "down"),
        abs(places),
        word,
    )


@register.simple_tag
def stamp(state: str) -> SafeString:
    """What a result is worth: draft, provisional, official, revised."""
    words = {"draft": _("Draft"), "provisional": _("Provisional"), "official": _("Official"), "revised": _("Revised")}
    return format_html('<span class="stamp" data-s="{}">{}</span>', state, words[state])


@register.inclusion_tag("league/_field.html")
def field(bound: Any, hint: str = "") -> dict[str, Any]:
    """A form field with label, help and errors, tied together for those who do not see them."""
    return {"field": bound, "hint": hint or bound.help_text}


@register.filter
def get(mapping: Any, key: Any) -> Any:
    """mapping[key], or nothing."""
    return mapping.get(key)
