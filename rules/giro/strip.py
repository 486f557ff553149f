"""A strip of road in one line, for examples: `strip L2 | P1-6 R7-9 M10-14/2 D15-18 | x 16.0`.

`L2` is the number of lanes, then terrain and columns, `/2` the category token before the first of them; after further
bars `x` black squares (column.lane), `feed`, `bonus` and `sprint` lines at the end of a column, and `itt` or `ttt`.
Strips are straight and obey no building rules; a course proper is written in the notation of courses.
"""

import re
from functools import lru_cache
from typing import Final

from rules.errors import Unreadable, gettext_noop
from rules.giro.course import Course, compile_course
from rules.giro.data import HEXAGONS_ALLOWED, Kind, Terrain
from rules.giro.notation import LONGEST_SECTION, BlackSquare, Hexagon, Plan, Section

PREFIX: Final = "strip "

_PART = re.compile(r"([PRMD])([0-9]{1,4})-([0-9]{1,4})(?:/([123]))?")
_MILESTONE: Final = 3
_LONGEST: Final = 400
"""Columns of a strip: nearly four times the longest road of hexagons."""


@lru_cache(maxsize=256)
def course_from_strip(text: str) -> Course:
    """The road that a strip tells; `Unreadable` says what is wrong with it."""
    head, *groups = (part.split() for part in text.removeprefix(PREFIX).split("|"))
    kind = Kind(head[1]) if len(head) > 1 and head[1] in tuple(Kind) else Kind.ROAD
    if not head or not re.fullmatch(r"L[2-4]", head[0]) or not groups:
        raise Unreadable(
            gettext_noop('A strip reads "strip L2 | P1-6 R7-9 M10-14/2 D15-18 | x 16.0"; this one is "%(text)s".'),
            text=text[:200],
        )
    sections, categories = _sections(groups[0])
    hexagons = tuple(Hexagon(milestone=_MILESTONE, sections=(section,)) for section in sections)
    firsts = [1 + sum(section.columns for section in sections[:i]) for i in range(len(sections))]
    lines: dict[str, list[int]] = {"feed": [], "bonus": [], "sprint": []}
    black = []
    for word, *values in (group for group in groups[1:] if group):
        if word == "x":
            for value in values:
                black.append(_black(value, firsts))
        elif word in lines and all(value.isdigit() for value in values):
            lines[word].extend(int(value) for value in values)
        else:
            raise Unreadable(
                gettext_noop('After the road a strip has "x", "feed", "bonus" or "sprint", not "%(word)s".'),
                word=word[:40],
            )
    return compile_course(
        Plan(
            id="strip",
            name="Strip",
            kind=kind,
            lanes=int(head[0][1]),
            hexagons=hexagons,
            categories=tuple(categories),
            feed=tuple(lines["feed"]),
            bonus=tuple(lines["bonus"]),
            sprint=next(iter(lines["sprint"]), None),
            black=tuple(black),
        )  # fmt: skip
    )


def _sections(words: list[str]) -> tuple[list[Section], list[tuple[int, int]]]:
    """Straights of at most 20 columns, at least three of them, and the category tokens."""
    sections: list[Section] = []
    categories = []
    column = 1
    for word in words:
        part = _PART.fullmatch(word)
        if part is None or int(part[2]) != column or not column <= int(part[3]) <= _LONGEST:
            raise Unreadable(
                gettext_noop('"%(word)s" does not go on at column %(column)s: a part reads "P1-6" or "M10-14/2".'),
                word=word[:40], column=column,
            )  # fmt: skip
        if part[4]:
            categories.append((column, int(part[4])))
        length = int(part[3]) - column + 1
        while length:
            piece = min(length, LONGEST_SECTION)
            sections.append(Section(terrain=Terrain(part[1]), columns=piece))
            length -= piece
        column = int(part[3]) + 1
    while 0 < len(sections) < HEXAGONS_ALLOWED.start:
        longest = max(range(len(sections)), key=lambda i: sections[i].columns)
        terrain, columns = sections[longest].terrain, sections[longest].columns
        if columns == 1:
            raise Unreadable(gettext_noop("A strip has at least three columns."))
        sections[longest : longest + 1] = [
            Section(terrain=terrain, columns=columns // 2),
            Section(terrain=terrain, columns=columns - columns // 2),
        ]
    return sections, categories


def _black(value: str, firsts: list[int]) -> BlackSquare:
    square = re.fullmatch(r"([0-9]+)\.([0-3])", value)
    if square is None:
        raise Unreadable(gettext_noop('A black square of a strip reads "16.0", not "%(value)s".'), value=value[:40])
    column = int(square[1])
    hexagon = sum(first <= column for first in firsts)
    return BlackSquare(hexagon=hexagon, lane=int(square[2]), index=column - firsts[hexagon - 1])
