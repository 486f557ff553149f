"""Elements of an SVG, escaped by construction, and the few measures that a layout needs."""

import re
import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache
from html import escape
from typing import Final

from django.utils.html import conditional_escape
from django.utils.safestring import SafeString

Value = str | int | float | None
Point = tuple[float, float]

KEPT: Final = 4096
"""Words and coordinates that are not written anew: those of one board are those of the next."""


@lru_cache(maxsize=KEPT)
def number(value: float) -> str:
    """A coordinate: one decimal, no trailing zero, never "-0"."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def tag(name: str, *inside: str, **attributes: Value) -> SafeString:
    """One element. What stands inside is escaped unless it is a `SafeString`, attributes always.

    A trailing underscore of an attribute falls away (`class_`), any other becomes a hyphen; None leaves it out.
    """
    told = "".join([f' {_name(key)}="{_attribute(value)}"' for key, value in attributes.items() if value is not None])
    body = "".join([part if type(part) is SafeString else conditional_escape(part) for part in inside])
    return SafeString(f"<{name}{told}>{body}</{name}>" if body else f"<{name}{told}/>")


@cache
def _name(key: str) -> str:
    return key.rstrip("_").replace("_", "-")


@lru_cache(maxsize=KEPT)
def _attribute(value: Value) -> str:
    return number(value) if isinstance(value, int | float) else escape(str(value))


def join(parts: Iterable[SafeString]) -> SafeString:
    """Elements one after another."""
    return SafeString("".join(parts))


def drawing(*inside: SafeString, class_: str, box: tuple[float, float, float, float], words: str) -> SafeString:
    """A whole SVG that says itself in `words`. `box`: left, top, width, height of what is seen."""
    return tag(
        "svg",
        *inside,
        class_=class_,
        viewBox=" ".join(number(side) for side in box),
        role="img",
        aria_label=printable(words),
    )


def path(*steps: str | float) -> str:
    """Path data from letters and coordinates."""
    return " ".join(step if isinstance(step, str) else number(step) for step in steps)


def points(corners: Iterable[Point]) -> str:
    """The `points` of a polyline or polygon."""
    return " ".join(f"{number(x)},{number(y)}" for x, y in corners)


def printable(text: str) -> str:
    """The text without what no XML may hold (control characters, lone surrogates, non-characters)."""
    return NOT_IN_XML.sub("", text)


NOT_IN_XML: Final = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@lru_cache(maxsize=KEPT)
def text_width(text: str, size: float) -> float:
    """About how wide a line of text gets, in user units; a little too much rather than too little."""
    return size * sum(_em(mark) for mark in text)


def _em(mark: str) -> float:
    if unicodedata.combining(mark):
        return 0.0
    if unicodedata.east_asian_width(mark) in "WF":
        return 1.05
    return 0.32 if mark in " .,:;·'’ilI|!" else 0.74 if mark.isupper() or mark in "mwMW@%" else 0.58


def fitted(text: str, size: float, room: float) -> str:
    """`text`, or as many whole words of it as fit into `room` with an ellipsis; nothing if that is less than half."""
    if text_width(text, size) <= room:
        return text
    kept = ""
    for word in text.split()[:12]:
        longer = f"{kept} {word}".strip()
        if text_width(f"{longer}…", size) > room:
            break
        kept = longer
    return f"{kept}…" if 2 * len(kept) >= len(text) else ""


def wrapped(text: str, size: float, room: float, lines: int) -> tuple[str, ...]:
    """`text` in at most so many lines of `room`; what is too long ends in an ellipsis."""
    out: list[str] = []
    for word in text.split():
        longer = f"{out[-1]} {word}" if out else word
        if out and text_width(longer, size) <= room:
            out[-1] = longer
        elif len(out) < lines:
            out.append(word)
        else:
            out[-1] += "…"
            break
    return tuple(cut(line, size, room) for line in out)


def cut(line: str, size: float, room: float) -> str:
    """`line`, or as many letters of it as fit into `room` with an ellipsis."""
    if text_width(line, size) <= room:
        return line
    kept = line.rstrip("…")
    while kept and text_width(f"{kept}…", size) > room:
        kept = kept[:-1]
    while kept and unicodedata.category(kept[-1]) in {"Mn", "Me", "Cf"}:
        kept = kept[:-1]
    return f"{kept}…"
