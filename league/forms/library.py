"""The course editor: what somebody typed, whatever it says, and what can be read out of it.

`Typed` holds every field as text; buttons rearrange it and nothing of it is ever dropped. `Typed.read` makes the plan,
with a note at each place that cannot be read or that a check (V1 to V9) does not like.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from league.models.campaign import StageKind
from races.errors import said
from rules.errors import RulesError, Saying
from rules.giro import data
from rules.giro.data import Terrain
from rules.giro.notation import LONGEST_NAME, LONGEST_SECTION, MOST_SECTIONS, Plan, plan_from_json
from rules.giro.validity import Level, findings

MOST_HEXAGONS: Final = 24  # a few more than a course may have: one moves them about before one takes some away
MOST_BLACK: Final = 60  # in one hexagon
MOST_TOKENS: Final = 12
LONGEST_ENTRY: Final = 120
EMPTY_TOKENS: Final = 2
ROAD_PLACES: Final = ("name", "kind", "lanes", "hexes", "cat", "feed", "bonus", "sprint")


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """Something to say beside a field. `stops`: no race can be ridden so, not even at a table."""

    text: str
    check: str = ""
    stops: bool = True


@dataclass(slots=True, kw_only=True)
class SectionText:
    """A section as typed; `bend` is empty for a straight."""

    terrain: str = "P"
    squares: str = "5"
    bend: str = ""
    dotted: str = "0"


@dataclass(slots=True, kw_only=True)
class HexagonText:
    """A hexagon as typed. `black`: its black squares as "lane:square", both from 0."""

    milestone: str = "3"
    sections: list[SectionText] = field(default_factory=lambda: [SectionText()])
    black: list[str] = field(default_factory=list)


@dataclass(slots=True, kw_only=True)
class TokenText:
    column: str = ""
    category: str = ""


class Button(StrEnum):
    """What the small buttons do: `hex-up:3` moves the third hexagon up (from 0), `section-remove:3.1` its section."""

    ADD_HEXAGON = "hex-add"
    COPY_HEXAGON = "hex-copy"
    REMOVE_HEXAGON = "hex-remove"
    HEXAGON_UP = "hex-up"
    HEXAGON_DOWN = "hex-down"
    ADD_SECTION = "section-add"
    REMOVE_SECTION = "section-remove"
    SECTION_UP = "section-up"
    SECTION_DOWN = "section-down"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a typed course says: its plan if it can be read, and the notes by place ("name", "hex-0", "feed" ...)."""

    plan: Plan | None
    notes: Mapping[str, Sequence[Note]]

    @property
    def is_sound(self) -> bool:
        """Whether it can be ridden at a table; warnings are the table's own business."""
        return self.plan is not None and not self.stops

    @property
    def stops(self) -> int:
        return sum(note.stops for notes in self.notes.values() for note in notes)

    @property
    def warnings(self) -> int:
        return sum(not note.stops for notes in self.notes.values() for note in notes)


@dataclass(slots=True, kw_only=True)
class Typed:
    """A course as it stands in the editor."""

    name: str = ""
    kind: str = StageKind.ROAD.value
    lanes: str = "3"
    hexes: list[HexagonText] = field(default_factory=list)
    cat: list[TokenText] = field(default_factory=list)
    feed: str = ""
    bonus: str = ""
    sprint: str = ""

    # ---- where it comes from -----------------------------------------------------------------------------------------
    @classmethod
    def blank(cls) -> Typed:
        """Three hexagons of plain road to begin with."""
        return cls(hexes=[HexagonText() for _n in range(data.HEXAGONS_ALLOWED.start)])

    @classmethod
    def of(cls, plan: Plan) -> Typed:
        return cls(
            name=plan.name,
            kind=plan.kind.value,
            lanes=str(plan.lanes),
            hexes=[
                HexagonText(
                    milestone=str(hexagon.milestone),
                    sections=[
                        SectionText(
                            terrain=str(section.terrain),
                            squares=str(section.columns),
                            bend="" if section.squares is None else ", ".join(map(str, section.squares)),
                            dotted=str(section.dotted),
                        )
                        for section in hexagon.sections
                    ],
                    black=[f"{b.lane}:{b.index}" for b in plan.black if b.hexagon == number],
                )
                for number, hexagon in enumerate(plan.hexagons, 1)
            ],
            cat=[TokenText(column=str(column), category=str(category)) for column, category in plan.categories],
            feed=", ".join(map(str, plan.feed)),
            bonus=", ".join(map(str, plan.bonus)),
            sprint="" if plan.sprint is None else str(plan.sprint),
        )

    @classmethod
    def stored(cls, draft: Mapping[str, Any]) -> Typed:
        """What `as_json` wrote."""
        return cls(
            **{name: draft[name] for name in ("name", "kind", "lanes", "feed", "bonus", "sprint")},
            hexes=[
                HexagonText(
                    milestone=h["milestone"], sections=[SectionText(**s) for s in h["sections"]], black=h["black"]
                )
                for h in draft["hexes"]
            ],
            cat=[TokenText(**token) for token in draft["cat"]],
        )

    @classmethod
    def posted(cls, post: QueryDict) -> Typed:
        """A submission, as text."""

        def text(name: str) -> str:
            return post.get(name, "").replace("\x00", "")[:LONGEST_ENTRY]

        def count(name: str, most: int) -> int:
            value = text(name)
            return min(int(value), most) if value.isascii() and value.isdigit() and len(value) < 4 else 0

        return cls(
            **{name: text(name) for name in ("name", "kind", "lanes", "feed", "bonus", "sprint")},
            hexes=[
                HexagonText(
                    milestone=text(f"h{n}-milestone"),
                    sections=[
                        SectionText(
                            **{key: text(f"h{n}s{m}-{key}") for key in ("terrain", "squares", "bend", "dotted")}
                        )
                        for m in range(count(f"h{n}-sections", MOST_SECTIONS))
                    ],
                    black=[mark for mark in post.getlist(f"h{n}-black")[:MOST_BLACK] if _square_of(mark)],
                )
                for n in range(count("hexes", MOST_HEXAGONS))
            ],
            cat=[
                TokenText(column=text(f"c{n}-column"), category=text(f"c{n}-category"))
                for n in range(count("cats", MOST_TOKENS))
            ],
        )

    @property
    def fits(self) -> bool:
        """Whether the editor can hold it without dropping anything; no course that obeys V1 to V5 comes near."""
        lists = (self.feed, self.bonus)
        black = [square for hexagon in self.hexes for square in map(_square_of, hexagon.black)]
        return (
            len(self.hexes) <= MOST_HEXAGONS
            and len(self.cat) <= MOST_TOKENS
            and all(len(text) <= LONGEST_ENTRY for text in lists)
            and all(len(hexagon.black) <= MOST_BLACK for hexagon in self.hexes)
            and None not in black
        )

    def as_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "kind": self.kind,
            "lanes": self.lanes,
            "hexes": [
                {
                    "milestone": h.milestone,
                    "sections": [
                        {"terrain": s.terrain, "squares": s.squares, "bend": s.bend, "dotted": s.dotted}
                        for s in h.sections
                    ],
                    "black": h.black,
                }
                for h in self.hexes
            ],
            "cat": [{"column": t.column, "category": t.category} for t in self.tokens],
            "feed": self.feed,
            "bonus": self.bonus,
            "sprint": self.sprint,
        }

    @property
    def tokens(self) -> list[TokenText]:
        """The category tokens that say something."""
        return [token for token in self.cat if token.column.strip() or token.category.strip()]

    # ---- buttons -----------------------------------------------------------------------------------------------------
    def press(self, button: str) -> None:
        """Rearrange as one of the small buttons says; what there is no place for is left as it is."""
        word, _colon, place = button.partition(":")
        numbers = [int(part) for part in place.split(".") if part.isascii() and part.isdigit() and len(part) < 4]
        if word not in set(Button):
            return
        what = Button(word)
        if what is Button.ADD_HEXAGON:
            if len(self.hexes) < MOST_HEXAGONS:
                self.hexes.append(HexagonText())
        elif numbers and numbers[0] < len(self.hexes):
            if len(numbers) == 1:
                self._press_hexagon(what, numbers[0])
            else:
                _rearrange(self.hexes[numbers[0]].sections, what, numbers[1])

    def _press_hexagon(self, what: Button, n: int) -> None:
        if what is Button.COPY_HEXAGON:
            if len(self.hexes) < MOST_HEXAGONS:
                self.hexes.insert(n + 1, Typed.stored({**self.as_json(), "cat": []}).hexes[n])
        elif what is Button.ADD_SECTION:
            if len(self.hexes[n].sections) < MOST_SECTIONS:
                self.hexes[n].sections.append(SectionText(squares=""))
        else:
            _rearrange(self.hexes, what, n)

    # ---- reading -----------------------------------------------------------------------------------------------------
    def read(self, ident: str) -> Reading:
        """The plan and what there is to say about it. `ident`: the id of the course in the notation."""
        reader = _Reader(self)
        source = reader.source(ident)
        plan: Plan | None = None
        if not reader.notes:
            try:
                plan = plan_from_json(source)
            except RulesError as fault:
                for saying in fault.sayings:
                    reader.add(_place(saying), Note(text=said(saying)))
        if plan is not None:
            for finding in findings(plan):
                stops = finding.level is Level.REFUSED
                reader.add(
                    _place(finding.saying, plan), Note(text=said(finding.saying), check=finding.check, stops=stops)
                )
        return Reading(plan=plan, notes=reader.notes)

    def places(self) -> list[str]:
        """Every place that a note may stand at."""
        return [*ROAD_PLACES, *(f"hex-{n}" for n in range(len(self.hexes)))]

    # ---- for the page ------------------------------------------------------------------------------------------------
    def token_rows(self) -> list[TokenText]:
        """The tokens, and some empty rows to write on."""
        return [*self.tokens, *(TokenText() for _n in range(EMPTY_TOKENS))][:MOST_TOKENS]

    def squares_of(self, n: int) -> list[tuple[int, list[tuple[int, bool]]]]:
        """The squares of a hexagon as a drawing to pick black ones on: each lane, its squares, whether black.

        A black square that the hexagon has no more stays in it, to be taken out.
        """
        hexagon = self.hexes[n]
        black = [square for mark in hexagon.black if (square := _square_of(mark))]
        lanes = _whole(self.lanes) or 0
        count = max([lanes if lanes in data.LANES_ALLOWED else 0, *(lane + 1 for lane, _i in black)])
        out = []
        for lane in range(count):
            long = sum(_squares_in(section, lane) for section in hexagon.sections)
            long = min(max([long, *(index + 1 for of, index in black if of == lane)]), MOST_BLACK)
            out.append((lane, [(index, (lane, index) in black) for index in range(long)]))
        return out


def _rearrange(rows: list[Any], what: Button, n: int) -> None:
    if n >= len(rows):
        return
    if what in (Button.REMOVE_HEXAGON, Button.REMOVE_SECTION):
        del rows[n]
    other = {Button.HEXAGON_UP: n - 1, Button.SECTION_UP: n - 1, Button.HEXAGON_DOWN: n + 1, Button.SECTION_DOWN: n + 1}
    there = other.get(what, -1)
    if 0 <= there < len(rows):
        rows[n], rows[there] = rows[there], rows[n]


def _whole(text: str) -> int | None:
    text = text.strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 4 else None


def _list(text: str) -> list[int] | None:
    """Whole numbers with commas between them; None if something else is among them."""
    numbers = [_whole(part) for part in text.replace(";", ",").replace(",", " ").split()]
    return None if None in numbers else [number for number in numbers if number is not None]


def _square_of(mark: str) -> tuple[int, int] | None:
    lane, _colon, index = mark.partition(":")
    of, at = _whole(lane), _whole(index)
    return None if of is None or at is None or of > 9 or at >= MOST_BLACK else (of, at)


def _squares_in(section: SectionText, lane: int) -> int:
    bend = _list(section.bend)
    squares = bend[lane] if bend and lane < len(bend) else _whole(section.squares)
    return min(squares or 0, LONGEST_SECTION)


class _Reader:
    """Turns text into the notation and says at each place what it could not read."""

    def __init__(self, typed: Typed) -> None:
        self.typed = typed
        self.notes: dict[str, list[Note]] = {}

    def add(self, place: str, note: Note) -> None:
        self.notes.setdefault(place, []).append(note)

    def source(self, ident: str) -> dict[str, Any]:
        typed = self.typed
        name = " ".join(typed.name.split())
        if not name or len(name) > LONGEST_NAME:
            text = _("The course needs a name of up to %(most)s characters.") % {"most": LONGEST_NAME}
            self.add("name", Note(text=text))
        if typed.kind not in StageKind.values:
            self.add("kind", Note(text=_("Choose a road stage or a time trial.")))
        lanes = _whole(typed.lanes)
        if lanes not in data.LANES_ALLOWED:
            words = {"least": data.LANES_ALLOWED.start, "most": data.LANES_ALLOWED.stop - 1}
            self.add("lanes", Note(text=_("A road has %(least)s to %(most)s lanes.") % words))
        if not typed.hexes:
            self.add("hexes", Note(text=_("A course needs its hexagons. Add the first one.")))
        sprint = _whole(typed.sprint)
        if typed.sprint.strip() and sprint is None:
            self.add("sprint", Note(text=_("The square before the sprint zone is one whole number, or nothing.")))
        return {
            "id": ident,
            "name": name,
            "kind": typed.kind,
            "lanes": lanes,
            "hexes": [self.hexagon(n, hexagon, lanes) for n, hexagon in enumerate(typed.hexes)],
            "cat": self.categories(),
            "feed": self.columns("feed", typed.feed),
            "bonus": self.columns("bonus", typed.bonus),
            "sprint": sprint,
            "black": [f"{n}:{mark}" for n, h in enumerate(typed.hexes, 1) for mark in h.black],
        }

    def hexagon(self, n: int, hexagon: HexagonText, lanes: int | None) -> str:
        place = f"hex-{n}"
        text = hexagon.milestone.strip().replace("\N{MINUS SIGN}", "-")
        digits = text.removeprefix("-")
        if not (digits.isascii() and digits.isdigit() and len(digits) <= 3):
            self.add(place, Note(text=_("The milestone is a whole number, as on the tile.")))
        if not hexagon.sections:
            self.add(place, Note(text=_("A hexagon has at least one section. Add one, or take the hexagon out.")))
        sections = [self.section(place, m, section, lanes) for m, section in enumerate(hexagon.sections, 1)]
        return f"{text}: {' '.join(sections)}"

    def section(self, place: str, m: int, section: SectionText, lanes: int | None) -> str:
        if section.terrain not in set(Terrain):
            self.add(place, Note(text=_("Section %(number)s: choose its terrain.") % {"number": m}))
        squares = _whole(section.squares)
        if squares is None or not 1 <= squares <= LONGEST_SECTION:
            words = {"number": m, "most": LONGEST_SECTION}
            self.add(place, Note(text=_("Section %(number)s: it is 1 to %(most)s squares long.") % words))
        if not section.bend.strip():
            return f"{section.terrain}{squares}"
        bend, dotted = _list(section.bend), _whole(section.dotted)
        if bend is None or (lanes is not None and len(bend) != lanes) or not all(0 < one < 100 for one in bend):
            words = {"number": m, "lanes": lanes or 3}
            text = _("Section %(number)s: a bend tells the squares of each of the %(lanes)s lanes from the left, "
                     "as in 2, 3, 4; a straight tells nothing.") % words  # fmt: skip
            self.add(place, Note(text=text))
        elif dotted is None or dotted >= len(bend):
            text = _("Section %(number)s: choose the lane with the dotted squares.") % {"number": m}
            self.add(place, Note(text=text))
        return f"{section.terrain}{squares}<{','.join(map(str, bend or ()))}>@{dotted}"

    def categories(self) -> dict[str, int]:
        out: dict[str, int] = {}
        for token in self.typed.tokens:
            column, category = _whole(token.column), _whole(token.category)
            if column is None or category is None:
                self.add("cat", Note(text=_("A category token needs the square that it stands before, and 1, 2 or 3.")))
            elif str(column) in out:
                text = _("Two category tokens stand before square %(column)s.") % {"column": column}
                self.add("cat", Note(text=text))
            else:
                out[str(column)] = category
        return out

    def columns(self, place: str, text: str) -> list[int]:
        columns = _list(text)
        if columns is None:
            message = _("Squares as whole numbers with a comma between them, as in 20, 35.")
            self.add(place, Note(text=message))
        return columns or []


# ---- where a sentence of the rules belongs ---------------------------------------------------------------------------
LINES: Final[Mapping[str, str]] = {
    "The feed zone ": "feed",
    "The bonus line ": "bonus",
    "The sprint zone ": "sprint",
    "The category ": "cat",
}
"""V7 and V9 are about several things: their sentences begin with the one that is meant."""
CHECKS: Final[Mapping[str, str]] = {"V1": "hexes", "V3": "cat", "V4": "feed", "V5": "bonus", "V6": "sprint"}


def _place(saying: Saying, plan: Plan | None = None) -> str:
    """The place in the editor that a sentence is about."""
    params = saying.params
    if "hexagon" in params:
        return f"hex-{int(params['hexagon']) - 1}"
    if saying.rule is not None and saying.rule in CHECKS:
        return CHECKS[saying.rule]
    if saying.rule == "V2" and plan is not None:
        return f"hex-{_hexagon_at(plan, int(params['column']))}"
    if "square" in params and plan is not None:
        number = int(str(params["square"]).partition(":")[0]) - 1
        return f"hex-{number}" if 0 <= number < len(plan.hexagons) else "hexes"
    key = params.get("key")
    if key in ROAD_PLACES:
        return str(key)
    return next((place for start, place in LINES.items() if saying.message.startswith(start)), "hexes")


def _hexagon_at(plan: Plan, column: int) -> int:
    """The hexagon, from 0, that a column lies on."""
    last = 0
    for n, hexagon in enumerate(plan.hexagons):
        last += sum(section.columns for section in hexagon.sections)
        if column <= last:
            return n
    return len(plan.hexagons) - 1


def terrain_choices() -> list[tuple[str, str]]:
    return [
        (Terrain.PLAIN.value, pgettext("terrain", "Plain")),
        (Terrain.RISE.value, pgettext("terrain", "Rise")),
        (Terrain.MOUNTAIN.value, pgettext("terrain", "Mountain")),
        (Terrain.DOWNHILL.value, pgettext("terrain", "Downhill")),
    ]
