"""The notation of a course: what an author writes and a club exchanges.

A course on paper is a list of hexagons, `"4: P2 P3<2,3,4>@1"`: a milestone and sections in riding direction. `P5` is a
straight of five squares, `P3<2,3,4>@1` a bend with two, three and four squares in the lanes 0, 1 and 2, lane 1 dotted.
`cat` says which category stands before a column; `feed`, `bonus` and `sprint` are lines at the end of a column; `black`
lists black squares as hexagon (from 1), lane and square (from 0). Reading says everything at once that it cannot read;
whether the course obeys the rulebook is the business of `validity`.
"""

import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from rules.errors import RulesError, Saying, gettext_noop
from rules.giro import data
from rules.giro.data import Kind, Terrain

TICKS: Final = 60
"""Ticks in a column: every bend that the rules allow divides it evenly."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A straight or a bend of one terrain. `columns` is its length along the dotted lane."""

    terrain: Terrain
    columns: int
    squares: tuple[int, ...] | None = None  # in each lane of a bend; None: a straight
    dotted: int = 0  # the lane that carries the dotted squares

    def in_lane(self, lane: int) -> int:
        """Squares of this section in `lane`."""
        return self.columns if self.squares is None else self.squares[lane]

    def __str__(self) -> str:
        straight = f"{self.terrain}{self.columns}"
        return straight if self.squares is None else f"{straight}<{','.join(map(str, self.squares))}>@{self.dotted}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hexagon:
    """One tile of the road: its milestone, in points of energy, and its sections in riding direction."""

    milestone: int
    sections: tuple[Section, ...]

    def __str__(self) -> str:
        return f"{self.milestone}: {' '.join(map(str, self.sections))}"


@dataclass(frozen=True, slots=True, kw_only=True)
class BlackSquare:
    """Black asphalt: hexagon from 1, lane from 0, square inside that lane of that hexagon from 0."""

    hexagon: int
    lane: int
    index: int

    def __str__(self) -> str:
        return f"{self.hexagon}:{self.lane}:{self.index}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A course as written down. Readable, not necessarily raceable: `findings` tells."""

    id: str
    name: str
    kind: Kind
    lanes: int
    hexagons: tuple[Hexagon, ...]
    categories: tuple[tuple[int, int], ...] = ()  # (column that the token stands before, category), in road order
    feed: tuple[int, ...] = ()
    bonus: tuple[int, ...] = ()
    sprint: int | None = None
    black: tuple[BlackSquare, ...] = ()

    @property
    def sections(self) -> tuple[Section, ...]:
        return tuple(section for hexagon in self.hexagons for section in hexagon.sections)

    @property
    def columns(self) -> int:
        """Columns from the start line to the arrival line."""
        return sum(section.columns for section in self.sections)

    @property
    def milestones(self) -> int:
        """Sum of the milestones, in points of energy."""
        return sum(hexagon.milestone for hexagon in self.hexagons)

    def as_json(self) -> dict[str, Any]:
        """The public notation, which `plan_from_json` reads back to an equal plan."""
        return {
            "id": self.id,
            "name": self.name,
            "kind": self.kind.value,
            "lanes": self.lanes,
            "hexes": [str(hexagon) for hexagon in self.hexagons],
            "cat": {str(column): category for column, category in self.categories},
            "feed": list(self.feed),
            "bonus": list(self.bonus),
            "sprint": self.sprint,
            "black": [str(square) for square in self.black],
        }


# ---- reading ---------------------------------------------------------------------------------------------------------
LONGEST_TEXT: Final = 20_000
LONGEST_NAME: Final = 80
LONGEST_SECTION: Final = 20  # columns; the box has no hexagon of that length
MOST_SECTIONS: Final = 8  # in one hexagon
MOST_ENTRIES: Final = 200  # in any list
LARGEST_NUMBER: Final = 9_999

_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
_HEXAGON = re.compile(r"\s*(-?[0-9]{1,3})\s*:\s*(\S.*)")
_SECTION = re.compile(r"([PRMD])([0-9]{1,2})(?:<([0-9]{1,2}(?:,[0-9]{1,2})*)>@([0-9]))?")
_BLACK = re.compile(r"([0-9]{1,2}):([0-9]):([0-9]{1,3})")
_KEYS: Final = ("id", "name", "kind", "lanes", "hexes", "cat", "feed", "bonus", "sprint", "black")


def plan_from_json(source: str | bytes | Mapping[str, Any]) -> Plan:
    """A plan from the public notation, V1 to V9 unchecked. RulesError says everything that cannot be read."""
    reader = _Reader()
    plan = reader.plan(_parsed(source) if isinstance(source, str | bytes) else source)
    if reader.faults or plan is None:
        raise RulesError(*reader.faults)
    return plan


def _parsed(source: str | bytes) -> Any:
    if len(source) > LONGEST_TEXT:
        raise RulesError(
            Saying(
                message=gettext_noop("This is longer than any course: %(count)s characters, %(most)s at most."),
                params={"count": len(source), "most": LONGEST_TEXT},
            )
        )
    try:
        return json.loads(source)
    except (ValueError, RecursionError) as fault:
        line = fault.lineno if isinstance(fault, json.JSONDecodeError) else 1
        raise RulesError(
            Saying(
                message=gettext_noop(
                    "This is not JSON: look at line %(line)s. A course begins with { and ends with }."
                ),
                params={"line": line},
            )
        ) from None


def _shown(value: object) -> str:
    """What was written, short enough and safe enough for a sentence."""
    if isinstance(value, str):
        text = "".join(mark if mark.isprintable() else "\N{REPLACEMENT CHARACTER}" for mark in value[:40])
        return f"{text}…" if len(value) > 40 else text
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, int) and abs(value) <= 10**9:
        return str(value)
    return "{…}" if isinstance(value, Mapping) else "[…]" if isinstance(value, list | tuple) else "…"


class _Reader:
    """Reads one plan and gathers what it could not read, so that the author is told once."""

    def __init__(self) -> None:
        self.faults: list[Saying] = []

    def fault(self, message: str, **params: str | int) -> None:
        self.faults.append(Saying(message=message, params=params))

    def plan(self, source: Any) -> Plan | None:
        if not isinstance(source, Mapping):
            self.fault(gettext_noop("A course is an object with the entries %(keys)s."), keys=", ".join(_KEYS))
            return None
        for key in list(source)[:MOST_ENTRIES]:
            if key not in _KEYS:
                self.fault(
                    gettext_noop("There is no entry “%(key)s” in a course; known are %(keys)s."),
                    key=_shown(key),
                    keys=", ".join(_KEYS),
                )
        ident = self.ident(source.get("id"))
        name = self.name(source.get("name"))
        kind = self.kind(source.get("kind"))
        lanes = self.lanes(source.get("lanes"))
        hexagons = self.hexagons(source.get("hexes"), lanes)
        categories = self.categories(source.get("cat", {}))
        feed = self.columns("feed", source.get("feed", []))
        bonus = self.columns("bonus", source.get("bonus", []))
        sprint = source.get("sprint")
        if sprint is not None and self.number(sprint) is None:
            self.fault(gettext_noop("“sprint” is a column or null, not “%(value)s”."), value=_shown(sprint))
        black = self.black(source.get("black", []))
        if self.faults or kind is None or lanes is None:
            return None
        return Plan(
            id=ident,
            name=name,
            kind=kind,
            lanes=lanes,
            hexagons=hexagons,
            categories=categories,
            feed=feed,
            bonus=bonus,
            sprint=sprint,
            black=black,
        )

    @staticmethod
    def number(value: Any) -> int | None:
        """A whole number of a sensible size; true and false are none."""
        if isinstance(value, bool) or not isinstance(value, int) or abs(value) > LARGEST_NUMBER:
            return None
        return value

    def ident(self, value: Any) -> str:
        if not isinstance(value, str) or not _ID.fullmatch(value):
            self.fault(
                gettext_noop("“id” is a short word of small letters, digits and hyphens, not “%(value)s”."),
                value=_shown(value),
            )
            return ""
        return value

    def name(self, value: Any) -> str:
        text = unicodedata.normalize("NFC", value).strip() if isinstance(value, str) else ""
        odd = any(unicodedata.category(mark) in {"Cc", "Cs", "Zl", "Zp"} for mark in text)
        if not text or len(text) > LONGEST_NAME or odd:
            self.fault(
                gettext_noop(
                    "“name” is the name of the course on one line, up to %(most)s characters, not “%(value)s”."
                ),
                value=_shown(value),
                most=LONGEST_NAME,
            )
        return text

    def kind(self, value: Any) -> Kind | None:
        if isinstance(value, str) and value in set(Kind):
            return Kind(value)
        self.fault(gettext_noop("“kind” is road, itt or ttt, not “%(value)s”."), value=_shown(value))
        return None

    def lanes(self, value: Any) -> int | None:
        number = self.number(value)
        if number is None or number not in data.LANES_ALLOWED:
            self.fault(
                gettext_noop("“lanes” is %(least)s to %(most)s, not “%(value)s”."),
                least=data.LANES_ALLOWED.start,
                most=data.LANES_ALLOWED.stop - 1,
                value=_shown(value),
            )
            return None
        return number

    def entries(self, key: str, value: Any) -> Sequence[Any]:
        if not isinstance(value, list | tuple):
            self.fault(gettext_noop("“%(key)s” is a list, not “%(value)s”."), key=key, value=_shown(value))
            return ()
        if len(value) > MOST_ENTRIES:
            self.fault(
                gettext_noop("“%(key)s” has %(count)s entries; no course has more than %(most)s."),
                key=key,
                count=len(value),
                most=MOST_ENTRIES,
            )
            return ()
        return value

    def hexagons(self, value: Any, lanes: int | None) -> tuple[Hexagon, ...]:
        entries = self.entries("hexes", value)
        if isinstance(value, list | tuple) and not value:
            self.fault(gettext_noop("“hexes” is empty: a course needs its hexagons."))
        return tuple(self.hexagon(number, entry, lanes) for number, entry in enumerate(entries, 1))

    def hexagon(self, number: int, value: Any, lanes: int | None) -> Hexagon:
        match = _HEXAGON.fullmatch(value) if isinstance(value, str) and len(value) <= 400 else None
        words = match[2].split() if match else []
        if match is None or len(words) > MOST_SECTIONS:
            self.fault(
                gettext_noop(
                    "Hexagon %(hexagon)s is a milestone, a colon and up to %(most)s sections, as in "
                    "“4: P2 R3”; “%(value)s” is not."
                ),
                hexagon=number,
                most=MOST_SECTIONS,
                value=_shown(value),
            )
            return Hexagon(milestone=0, sections=())
        sections = (self.section(number, word, lanes) for word in words)
        return Hexagon(milestone=int(match[1]), sections=tuple(section for section in sections if section))

    def section(self, hexagon: int, word: str, lanes: int | None) -> Section | None:
        match = _SECTION.fullmatch(word)
        if match is None:
            self.fault(
                gettext_noop(
                    "Hexagon %(hexagon)s: “%(value)s” is no section. A straight is P5, a bend "
                    "P3<2,3,4>@1; the letter is P, R, M or D."
                ),
                hexagon=hexagon,
                value=_shown(word),
            )
            return None
        columns = int(match[2])
        if not 1 <= columns <= LONGEST_SECTION:
            self.fault(
                gettext_noop("Hexagon %(hexagon)s: “%(value)s” must be 1 to %(most)s squares long."),
                hexagon=hexagon,
                value=_shown(word),
                most=LONGEST_SECTION,
            )
            return None
        if match[3] is None:
            return Section(terrain=Terrain(match[1]), columns=columns)
        squares, dotted = tuple(map(int, match[3].split(","))), int(match[4])
        if lanes is None:
            return None
        if len(squares) != lanes or dotted >= lanes or not all(squares):
            self.fault(
                gettext_noop(
                    "Hexagon %(hexagon)s: the bend “%(value)s” needs a number of squares for each of "
                    "the %(lanes)s lanes, and one of these lanes after the @."
                ),
                hexagon=hexagon,
                value=_shown(word),
                lanes=lanes,
            )
            return None
        return Section(terrain=Terrain(match[1]), columns=columns, squares=squares, dotted=dotted)

    def columns(self, key: str, value: Any) -> tuple[int, ...]:
        out: list[int] = []
        for entry in self.entries(key, value):
            column = self.number(entry)
            if column is None:
                self.fault(
                    gettext_noop("“%(key)s” lists columns, whole numbers, not “%(value)s”."),
                    key=key,
                    value=_shown(entry),
                )
            elif column in out:
                self.fault(gettext_noop("“%(key)s” names column %(column)s twice."), key=key, column=column)
            else:
                out.append(column)
        return tuple(sorted(out))

    def categories(self, value: Any) -> tuple[tuple[int, int], ...]:
        out: dict[int, int] = {}
        if not isinstance(value, Mapping) or len(value) > MOST_ENTRIES:
            self.fault(
                gettext_noop('“cat” tells the category before a column, as in {"26": 2}; “%(value)s” does not.'),
                value=_shown(value),
            )
            return ()
        for key, entry in value.items():
            readable = isinstance(key, str) and re.fullmatch(r"[0-9]{1,4}", key)
            column, category = int(key) if readable else self.number(key), self.number(entry)
            if column is None or category is None or column in out:
                self.fault(
                    gettext_noop("“cat”: “%(key)s: %(value)s” is not one column and its category."),
                    key=_shown(key),
                    value=_shown(entry),
                )
            else:
                out[column] = category
        return tuple(sorted(out.items()))

    def black(self, value: Any) -> tuple[BlackSquare, ...]:
        out = []
        for entry in self.entries("black", value):
            match = _BLACK.fullmatch(entry) if isinstance(entry, str) else None
            if match is None:
                self.fault(
                    gettext_noop("“black” lists squares as hexagon:lane:square, for example 6:0:2, not “%(value)s”."),
                    value=_shown(entry),
                )
            else:
                out.append(BlackSquare(hexagon=int(match[1]), lane=int(match[2]), index=int(match[3])))
        return tuple(dict.fromkeys(out))
