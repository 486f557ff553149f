"""Cells of a table as a page prints them: the value for programs, the words for people. `{% load tables %}`."""

from typing import Any

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from league import words
from league.models.campaign import Speciality
from league.sheets.words import listed
from league.tables import Line, Value
from league.templatetags.look import bib as bib_plate
from league.templatetags.look import change, signed
from races.lobby import LEVELS

register = template.Library()


@register.simple_tag
def cell(line: Line, key: str) -> SafeString:
    """A cell of the line, with its value beside its words; nothing where it holds nothing."""
    value = line.cells[key]
    if value is None:
        return mark_safe("")
    return data(key, value, shown(line, key, value))


@register.simple_tag
def data(key: str, value: Value | float, text: Any) -> SafeString:
    """A value for programs (`value`), in words for people. The words alone where there is no value."""
    if value is None:
        return format_html("{}", text)
    return format_html('<data data-cell="{}" value="{}">{}</data>', key, value, text)


@register.filter
def bot_words(level: str) -> str:
    """Who rode: a bot, and how strong a one."""
    return _("bot, %(level)s") % {"level": LEVELS.get(level, level)}


@register.filter
def status_word(value: str) -> str:
    """A status in words."""
    return words.status_words(value)


def shown(line: Line, key: str, value: int | str) -> Any:
    """The words for a value."""
    match key:
        case "bib":
            return bib_plate(int(value))
        case "change":
            return change(int(value))
        case "score" | "move":
            return signed(int(value))
        case "gap":
            return gap(line, int(value))
        case "behind":
            return behind(line, int(value))
        case "speciality":
            return Speciality(str(value)).label
        case "status":
            return words.status_words(str(value))
        case "out":
            return words.out_words(str(value))
        case "remark":
            return _("lapped after it") if value == "lapped" else _("out before this stage")
        case "bot":
            return bot_words(str(value))
        case "bot_stages":
            stages = str(value).split()
            return ngettext("a bot in stage %(stages)s", "a bot in stages %(stages)s", len(stages)) % {
                "stages": listed(stages)
            }
        case "evenings_in_pink":
            return words.evenings(int(value))
        case _ if key.startswith("stage_") and line.rider is not None:
            return history(line, key, value)
    return value


def gap(line: Line, value: int) -> str:
    """Squares behind pink, or turns behind the first team."""
    if line.in_pink:
        return pgettext("gap of the wearer", "pink")
    if value:
        return signed(value)
    return pgettext("no gap to pink", "level") if line.rider is not None else pgettext("gap of the first team", "lead")


def behind(line: Line, value: int) -> str:
    """Turns behind the best of the stage."""
    if value:
        return signed(value)
    return "0" if line.cells["place"] == 1 else pgettext("in the same turn as the best", "s.t.")


def history(line: Line, key: str, value: int | str) -> str:
    """A cell of the table of gaps."""
    if isinstance(value, int):
        if key in line.pink_in:
            return pgettext("gap of the wearer", "pink")
        return signed(value) if value else pgettext("no gap to pink", "level")
    if value == "unresolved":
        return _("no result")
    return pgettext("no longer in the race", "out") if value == "out" else words.out_words(value)


@register.simple_tag
def state_of(line: Line) -> SafeString:
    """Whether a rider is in, out and why, or without a result; silent for those who see that he has a place."""
    state = line.cells["state"]
    if state == "in":
        return format_html('<span class="vh"> {}</span>', data("state", "in", _("in the race")))
    if state == "unresolved":
        return format_html('<span class="sub">{}</span>', data("state", "unresolved", _("no result yet")))
    return format_html(
        '<span class="sub">{}: {}</span>',
        data("state", "out", pgettext("no longer in the race", "out")),
        cell(line, "out"),
    )


@register.filter
def evenings(n: int) -> str:
    """How long somebody wore pink, in words."""
    return words.evenings(n)


@register.simple_tag
def nights(line: Line) -> SafeString:
    """Evenings in pink: a box for every stage, and the number in words."""
    boxes = format_html_join("", "<i{}></i>", ((mark_safe(' class="on"') if on else "",) for on in line.nights))
    n = line.cells["evenings_in_pink"] or 0
    text = format_html(
        '<span class="nights" aria-hidden="true">{}</span><span class="vh">{}</span>', boxes, words.evenings(int(n))
    )
    return data("evenings_in_pink", n, text)


@register.simple_tag
def place(line: Line) -> SafeString:
    """The place, or why there is none."""
    value = line.cells["place"]
    if value is not None:
        return data("place", value, value)
    if line.state in ("dns", "dnf", "otl", "dsq"):
        return format_html("{}", line.state.upper())
    if line.state in ("out", "unranked", "withdrawn"):
        return format_html("{}", pgettext("no longer in the race", "out"))
    return format_html('<span aria-hidden="true">–</span><span class="vh">{}</span>', _("no place yet"))
