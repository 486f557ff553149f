"""The road strip: a stretch of road with the race on it, straightened along the riding direction.

A `Strip` says what there is, in *ticks* along the road and in lanes across it: an adapter makes it from what one seat
may know. `draw` makes two pictures of the same size that lie on one another: the road, the same for everybody until the
window moves, and what lives on it. What is level in the rules is level on the page; a bend is a stretch whose outer
lanes have more and shorter squares.

The same road is drawn up the page for a phone and to the right for a wide screen. Both stand on the page, the style
sheet shows one; so only `patterns` have ids, and the links of the choices, whose ids tell the direction. On the page:

    {{ patterns }}                                  once
    <div class="bd-up">{{ overview }}<div class="bd-stack"><div>{{ up.road }}</div><div>{{ up.live }}</div></div></div>
    <div class="bd-on">...the same with the drawing that lies...</div>

After a move or a preview only the layers `live` change; when `window` or `columns` do, the roads too.

*Column*: a step of the middle of the road, counted as the game counts. *Window*: the first column that is shown.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final
from urllib.parse import urlencode

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from races.board.svg import Point, cut, join, number, path, printable, tag, text_width

Box = tuple[float, float, float, float]
"""Left, top, width, height."""

RUN_IN: Final = 6
"""Columns before the start line and beyond the finish that may come into a window."""

NEAR: Final = 2
"""Columns between riders who are still told as one group."""


# ---- what an adapter says --------------------------------------------------------------------------------------------
class Ground(StrEnum):
    """What the road is made of, as it is drawn."""

    PLAIN = "plain"
    RISE = "rise"
    MOUNTAIN = "mountain"
    DOWNHILL = "downhill"


class Sign(StrEnum):
    """What a line across the road is for."""

    START = "start"
    BOTTLE = "bottle"
    BONUS = "bonus"
    SPRINT = "sprint"
    FINISH = "finish"
    LAP = "lap"


class Stance(StrEnum):
    """How a rider on the road is doing."""

    RIDING = "riding"
    FALLEN = "fallen"
    PUNCTURED = "punctured"


class Zoom(StrEnum):
    """Near: prices and signs. Far: shirts and numbers, and twice as much road."""

    NEAR = "near"
    FAR = "far"


@dataclass(frozen=True, slots=True, kw_only=True)
class Square:
    """A square. `at`: its middle, in lanes from the middle of the road; negative is left."""

    id: str
    name: str  # in words, for people who do not see the board: "34 left"
    at: float
    start: int
    end: int  # its front edge
    ground: Ground = Ground.PLAIN
    black: bool = False
    raced: bool = True  # False: before the start or beyond the finish
    lanes: int = 1  # how wide it is; riders on a wide one stand in a row from the left
    label: str = ""  # what is printed on it, on the right
    badge: str = ""  # the lap, beside the label


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line across the road, at the end of its column."""

    tick: int
    sign: Sign
    label: str  # on its flag; empty: it has none


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """A run of road of one kind, named beside it and drawn in the overview."""

    start: int
    end: int
    ground: Ground
    label: str
    rise: float = 0.0  # height at its end less that at its start, as drawn
    category: int | None = None
    bend: int = 0  # -1: to the left, 1: to the right
    bend_label: str = ""
    short: str = ""  # instead of the label where there is little room


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Road:
    """A course, laid out. Nothing in it changes during a race, and it is drawn once for everybody."""

    title: str
    lanes: int
    tick: int  # ticks in a column
    last: int  # the column that ends at the finish
    squares: Mapping[str, Square]
    stretches: tuple[Stretch, ...]
    lines: tuple[Line, ...]
    circuit: int | None = None  # columns of a lap, if it is ridden in laps
    beyond: int = RUN_IN  # columns beyond the finish that may come into a window
    near: int = NEAR  # columns between riders who are still one group
    scored: bool = False  # a race on it says at its lines what is to be won

    def column(self, tick: float) -> int:
        """The column that a front edge at this tick lies in."""
        return int(-(-tick // self.tick))


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """A rider. On a square, inside the pack, or with neither: off the road, and `place` says why."""

    rider: str
    bib: str
    name: str
    jersey: str  # symbol of the sprite without "jersey-": "blue-sash", "pink"
    tag: str = ""  # a letter on the token
    place: str = ""  # in words
    square: str | None = None
    inside: bool = False
    stance: Stance = Stance.RIDING
    notes: tuple[str, ...] = ()  # in words: "to move", "fallen, stands up after this turn"
    mine: bool = False
    turn: bool = False  # it is his move
    since: str | None = None  # the square he stood on at the viewer's last turn
    behind: str | None = None  # the rider in whose slipstream he is
    apart: bool = False  # rides another race on the same road: against the clock, alone
    moved: bool = False  # in this turn, already
    leads: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Pack:
    """The peloton, or who waits at the start: a piece that covers the whole road from `start` to `end`."""

    start: int
    end: int
    label: str
    waits: bool = False  # at the start, in no race yet


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A legal move, told as people choose: where to, at which price, at what risk."""

    value: str  # identifies the action: `?to=` of the links, value of the list
    action: Any
    rider: str
    square: str
    origin: tuple[int, float]  # tick and lane that the line on the board begins at
    path: tuple[str, ...]  # squares ridden over, the last one is `square`
    steps: int
    label: str  # on the board
    words: str
    risk: str = ""  # what the die must show: "5+"
    priced: bool = False  # the label is energy to be paid, else something smaller
    loud: bool = False  # nothing is paid, and the label is what is played: a plate all the same
    shown: bool = True  # on the board; False: another way to a square that has its link already


@dataclass(frozen=True, slots=True, kw_only=True)
class Prize:
    """What is still to be won at a line: `short` beside it, `words` for people who do not see the board."""

    tick: int
    short: str
    words: str
    left: tuple[int, ...] = ()  # the points of the places that are left


@dataclass(frozen=True, slots=True, kw_only=True)
class Rest:
    """Somebody who rests beside the road, next to these squares."""

    rider: str
    bib: str
    jersey: str
    squares: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Nook:
    """A place beside the road that may be chosen for who is to rest there."""

    value: str  # as of a choice
    square: str  # beside this one
    label: str
    words: str
    chosen: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Strip:
    """A race as somebody sees it. The adapter of the game makes it from a view."""

    road: Road
    tokens: tuple[Token, ...] = ()  # the whole field, front first
    pack: Pack | None = None
    choices: tuple[Choice, ...] = ()  # all of the rider who is asked: nearest first, then from the left
    chosen: Choice | None = None
    asks: str = ""  # who is asked for what: "12 to move"; empty: nothing to choose here
    senders: tuple[str, ...] = ()  # riders inside, one of whom is chosen first: their choices are shown one at a time
    sender: str | None = None  # the one whose choices these are
    pointed: tuple[Choice, ...] = ()  # moves of others of the same player that are pointed at together with `chosen`
    gives: Mapping[str, str] = field(default_factory=dict)  # of squares, what whoever is to move would get there
    prizes: tuple[Prize, ...] = ()
    resting: tuple[Rest, ...] = ()
    nooks: tuple[Nook, ...] = ()
    chains: tuple[tuple[int, int, int], ...] = ()  # riders without a gap: first and last tick, and how many

    def tick_of(self, token: Token) -> int | None:
        """Where his front is; None off the road."""
        if token.square is not None:
            return self.road.squares[token.square].end
        return self.pack.end if token.inside and self.pack else None

    @property
    def mover(self) -> Token | None:
        """Whose move it is."""
        return next((token for token in self.tokens if token.turn), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """Two pictures of one size, to lie on one another. `live` is never shown to anybody but for whom it was made."""

    road: SafeString
    live: SafeString
    width: float
    height: float
    window: int  # the first column shown
    columns: int  # how many are shown
    upright: bool
    query: Mapping[str, str]  # what links to other windows keep: the zoom, the previewed move
    htmx: bool


def choices(strip: Strip) -> tuple[Choice, ...]:
    """The rows of the list beside the board: every choice, in the order in which the board is walked through."""
    return strip.choices


# ---- the paper -------------------------------------------------------------------------------------------------------
COLUMN: Final[Mapping[Zoom, float]] = {Zoom.NEAR: 44.0, Zoom.FAR: 28.0}
"""User units of a column; a phone of 360 pixels shows one unit as one pixel."""

SHOWN: Final[Mapping[tuple[bool, Zoom], int]] = {
    (True, Zoom.NEAR): 14,
    (True, Zoom.FAR): 24,
    (False, Zoom.NEAR): 23,
    (False, Zoom.FAR): 36,
}
"""Columns of a window, by whether it is upright; more where a move reaches farther."""

REAR: Final = 4
"""Columns that are shown behind the mover."""

NARROW: Final = 75.0
"""A lane of an upright road that has no room for a rider, a price and a sign of energy side by side."""

SHIRT: Final = 38.0
"""A token's width, and its height with the bib."""

NARROWEST: Final = 45.0
"""A lane of a road that lies, with a rider on it."""

CLOSE: Final = 24.0
"""User units between riders who stand in one square, at the least."""


class Frame:
    """Where a tick and a lane lie on paper: up the page, or to the right."""

    __slots__ = (
        "column", "end", "first", "height", "lane", "left", "length", "middle", "right", "road", "scale", "shown",
        "start", "upright", "width", "x", "y",
    )  # fmt: skip

    def __init__(self, road: Road, upright: bool, zoom: Zoom, first: int, shown: int) -> None:
        self.road, self.upright, self.first, self.shown = road, upright, first, shown
        self.column = COLUMN[zoom]
        self.start, self.end = (first - 1) * road.tick, (first - 1 + shown) * road.tick
        self.length = shown * self.column
        wide = 236.0 if road.scored else 248.0  # what is to be won stands beside it
        self.lane = min(100.0, wide / road.lanes) if upright else min(80.0, max(216.0 / road.lanes, NARROWEST))
        across = road.lanes * self.lane
        self.x, self.y = (44.0, 40.0) if upright else (68.0, 80.0 if road.scored else 60.0)
        self.width = 360.0 if upright else self.length + 2 * self.x
        self.height = self.length + 2 * self.y if upright else self.y + across + 54
        self.middle = (self.x if upright else self.y) + across / 2
        self.left, self.right = self.middle - across / 2, self.middle + across / 2
        self.scale = 1.0 if zoom is Zoom.NEAR else 0.64

    def at(self, tick: float, side: float) -> Point:
        """`side` in user units across the road."""
        along = (tick - self.start) / self.road.tick * self.column
        return (side, self.y + self.length - along) if self.upright else (self.x + along, side)

    def point(self, tick: float, lane: float) -> Point:
        """`lane` in lanes from the middle of the road."""
        return self.at(tick, self.middle + lane * self.lane)

    def centre(self, square: Square) -> Point:
        return self.point((square.start + square.end) / 2, square.at)

    def box(self, start: float, end: float, near: float, far: float) -> Box:
        """From tick to tick as far as it is shown, between two sides."""
        (x1, y1), (x2, y2) = self.at(max(start, self.start), near), self.at(min(end, self.end), far)
        return min(x1, x2), min(y1, y2), abs(x2 - x1), abs(y2 - y1)

    def square(self, square: Square) -> Box:
        middle, half = self.middle + square.at * self.lane, square.lanes * self.lane / 2
        return self.box(square.start, square.end, middle - half, middle + half)

    def shows(self, start: float, end: float) -> bool:
        return start < self.end and end > self.start

    def sees(self, square: Square) -> bool:
        """Whether its middle is in the window."""
        return self.start < (square.start + square.end) / 2 < self.end

    def across(self, tick: float, reach: float = 0.0) -> str:
        """A line over the whole road, `reach` units longer on both sides."""
        return path("M", *self.at(tick, self.left - reach), "L", *self.at(tick, self.right + reach))

    def along(self, start: float, end: float, side: float) -> str:
        """A line beside the road, as far as it is shown."""
        begin, stop = max(start, self.start), min(end, self.end)
        return path("M", *self.at(begin, side), "L", *self.at(stop, side))


def _rects(boxes: Iterable[Box]) -> str:
    """Many rectangles as one path."""
    return "".join(f"M{number(x)} {number(y)}h{number(w)}v{number(h)}h{number(-w)}z" for x, y, w, h in boxes)


def _text(x: float, y: float, words: str, class_: str, **attributes: str | float | None) -> SafeString:
    return tag("text", printable(words), class_=class_, x=x, y=y, **attributes)


def _moved(x: float, y: float, scale: float = 1.0) -> str:
    return f"translate({number(x)} {number(y)})" + ("" if scale == 1 else f" scale({round(scale, 2)})")


# ---- patterns, once on the page --------------------------------------------------------------------------------------
PATTERNS: Final[Mapping[str, tuple[str, int, int]]] = {
    Ground.RISE: ("M6 25l8-8 8 8", 28, 36),
    Ground.MOUNTAIN: ("M2 14l8-7 8 7", 20, 18),
    Ground.DOWNHILL: ("M6 2v10M18 14v10", 24, 24),
    "black": ("M0 6l6-6M0 12L12 0M6 12l6-6", 12, 12),
}
"""Path, width and height, drawn for a road that runs up the page."""


@lru_cache(maxsize=1)
def patterns() -> SafeString:
    """An invisible picture with what the grounds are filled with: once on every page that has a board or an overview."""
    out = []
    for name, (d, width, height) in PATTERNS.items():
        shape = tag("path", d=d, class_=f"bd-pt bd-pt-{name}")
        out.append(tag("pattern", shape, id=f"up-{name}", width=width, height=height, patternUnits="userSpaceOnUse"))
        out.append(tag("pattern", id=f"on-{name}", href=f"#up-{name}", patternTransform="rotate(90)"))
    return tag("svg", tag("defs", *out), class_="vh", width=0, height=0, aria_hidden="true", focusable="false")


# ---- the road --------------------------------------------------------------------------------------------------------
@lru_cache(maxsize=512)
def _road_layer(road: Road, upright: bool, zoom: Zoom, first: int, shown: int) -> SafeString:
    """The road of a window. It takes longer to draw than to keep, and everybody at a race looks at a few windows."""
    frame = Frame(road, upright, zoom, first, shown)
    way = "up" if upright else "on"
    squares = [square for square in road.squares.values() if frame.shows(square.start, square.end)]
    out: list[SafeString] = []
    for ground in Ground:
        d = _rects(frame.square(square) for square in squares if square.ground is ground and square.raced)
        if d:
            out.append(tag("path", d=d, class_=f"bd-sq bd-{ground}"))
            if ground in PATTERNS:
                out.append(tag("path", d=d, fill=f"url(#{way}-{ground})"))
    outside = _rects(frame.square(square) for square in squares if not square.raced)
    if outside:
        out.append(tag("path", d=outside, class_="bd-sq bd-outside"))
    black = _rects(frame.square(square) for square in squares if square.black)
    if black:
        out += [tag("path", d=black, class_="bd-sq bd-black"), tag("path", d=black, fill=f"url(#{way}-black)")]
    out += _edges(frame)
    out += _kerbs(frame)
    out += _lines(frame)
    out += _names(frame)
    out += _columns(frame)
    out += _printed(frame, squares)
    return _picture(frame, join(out), "bd-road", aria_hidden="true")


def _edges(frame: Frame) -> Iterator[SafeString]:
    sides = (frame.left, frame.right)
    yield tag("path", d="".join(frame.along(frame.start, frame.end, side) for side in sides), class_="bd-edge")
    beyond = 14 / frame.column * frame.road.tick  # the road goes on
    d = "".join(
        path("M", *frame.at(tick, side), "L", *frame.at(tick + further, side))
        for tick, further in ((frame.start, -beyond), (frame.end, beyond))
        for side in sides
    )
    yield tag("path", d=d, class_="bd-goes")


def _kerbs(frame: Frame) -> Iterator[SafeString]:
    """Red and white on the outer side of a bend."""
    for stretch in frame.road.stretches:
        if stretch.bend and frame.shows(stretch.start, stretch.end):
            d = frame.along(stretch.start, stretch.end, frame.right + 5 if stretch.bend < 0 else frame.left - 5)
            yield tag("path", d=d, class_="bd-kerb")
            yield tag("path", d=d, class_="bd-kerb bd-dash")


FLAG: Final = 20.0
"""Height of the flag of a line, with the room around it."""


def _flags(frame: Frame) -> Iterator[tuple[Line, float, Box]]:
    """The lines that are shown, how far each is moved aside along the road, and where its flag stands."""
    seen: dict[int, int] = {}
    for line in frame.road.lines:
        if not frame.start <= line.tick <= frame.end or not line.label:
            continue
        before = seen.get(line.tick, 0)  # lines on one tick stand one after the other
        seen[line.tick] = before + 1
        label = _flag_label(frame, line)
        width = text_width(label, 11.5) + 12
        x, y = frame.at(line.tick, frame.right + 6 if frame.upright else frame.left - 16)
        if frame.upright:
            yield line, 6.0 * before, (x, y - 9 - FLAG * before, width, 18)
        else:
            yield line, 6.0 * before, (x - width / 2, y - 9 - FLAG * before, width, 18)


def _flag_label(frame: Frame, line: Line) -> str:
    label = printable(line.label)
    return cut(label, 11.5, frame.width - frame.right - 21) if frame.upright else label


def _lines(frame: Frame) -> Iterator[SafeString]:
    for line in frame.road.lines:
        if not line.label and frame.start <= line.tick <= frame.end:
            yield tag("path", d=frame.across(line.tick, 3), class_=f"bd-line bd-{line.sign}")
    for line, aside, (x, y, width, height) in _flags(frame):
        d = frame.across(line.tick + aside / frame.column * frame.road.tick, 3)
        yield tag("path", d=d, class_=f"bd-line bd-under bd-{line.sign}")
        yield tag("path", d=d, class_=f"bd-line bd-{line.sign}")
        yield tag("rect", x=x, y=y, width=width, height=height, rx=2, class_=f"bd-flag bd-{line.sign}")
        label = _flag_label(frame, line)
        yield _text(x + width / 2, y + 13, label, f"bd-flagtext bd-{line.sign}", text_anchor="middle")


def _names(frame: Frame) -> Iterator[SafeString]:
    """What each stretch is, beside it; not twice in a row for stretches that only a bend divides."""
    size, before = 10.5, ""
    for stretch in frame.road.stretches:
        if not frame.shows(stretch.start, stretch.end):
            continue
        start, end = max(stretch.start, frame.start), min(stretch.end, frame.end)
        room = (end - start) / frame.road.tick * frame.column - 8
        named = [] if stretch.label == before else [stretch.label]
        wanted = [*named, stretch.bend_label] if stretch.bend else named
        tries = [" · ".join(wanted), *wanted[::-1], *([stretch.short] if named else [])]
        words = next((w for w in tries if w and 1.2 * text_width(w.upper(), size) <= room), "")
        if words:
            before = stretch.label
            x, y = frame.at((start + end) / 2, frame.left - 14 if frame.upright else frame.left + 22 - frame.y)
            turned = f"rotate(-90 {number(x)} {number(y)})" if frame.upright else None
            yield _text(x, y, words, "bd-stretch", text_anchor="middle", transform=turned)


def _numbered(frame: Frame) -> Iterator[tuple[int, Point]]:
    """Every fifth column, and where its number stands."""
    for column in range(frame.first, frame.first + frame.shown):
        if column % 5 == 0 and 0 < column <= frame.road.last:
            yield column, frame.at((column - 0.5) * frame.road.tick, 12 if frame.upright else frame.right + 20)


def _columns(frame: Frame) -> Iterator[SafeString]:
    for column, (x, y) in _numbered(frame):
        yield _text(x, y + 5, str(column), "bd-km", text_anchor="middle")


def _printed(frame: Frame, squares: Iterable[Square]) -> Iterator[SafeString]:
    """What stands on the squares themselves, in their last lane."""
    plates: list[SafeString] = []
    for square in squares:
        if not square.label or not frame.sees(square):
            continue
        x, y = _print_place(frame, square)
        wide = text_width(square.label, 13.5)
        if not square.badge:
            yield _text(x, y + 5, square.label, "bd-print", text_anchor="middle")
            continue
        if frame.upright or frame.scale == 1:
            left = x - (wide + 15) / 2
            number_x, badge_x, badge_y = left + wide / 2, left + wide + 8.5, y
        else:  # no room beside it
            number_x, badge_x, badge_y = x, x, y + 13
            y -= 6
        yield _text(number_x, y + 5, square.label, "bd-print", text_anchor="middle")
        plates.append(tag("circle", cx=badge_x, cy=badge_y, r=6.5, class_="bd-badge"))
        plates.append(_text(badge_x, badge_y + 3.8, square.badge, "bd-badgetext", text_anchor="middle"))
    yield from plates


def _print_place(frame: Frame, square: Square) -> Point:
    """The middle of what is printed on a square; near, what it gives stands under it."""
    x, y = frame.point((square.start + square.end) / 2, square.at + (square.lanes - 1) / 2)
    return x, y - (10 if frame.scale == 1 else 0)


def _picture(frame: Frame, inside: SafeString, class_: str, **attributes: str | None) -> SafeString:
    return tag(
        "svg",
        inside,
        class_=f"bd-board {class_}",
        viewBox=f"0 0 {number(frame.width)} {number(frame.height)}",
        width=frame.width,
        height=frame.height,
        **attributes,
        **XLINK,
    )


# ---- the window ------------------------------------------------------------------------------------------------------
def _window(strip: Strip, upright: bool, zoom: Zoom, window: int | None) -> tuple[int, int]:
    """The first column to show, and how many."""
    road, shown = strip.road, SHOWN[upright, zoom]
    lowest, highest = 1 - RUN_IN, road.last + road.beyond
    if window is not None:
        first = max(lowest, min(window, highest + 1 - shown))
        last = first + shown - 1
    else:
        first = road.column(_focus(strip)) - REAR
        ends = [road.squares[choice.square].end for choice in strip.choices]
        last = max([first + shown - 1, *(road.column(end) + 1 for end in ends)])
        if last > highest:
            first, last = first - (last - highest), highest
        first = max(lowest, first)
        last = max(last, first + shown - 1)
    if strip.pack:  # it is shown whole, or not at all
        rear, front = road.column(strip.pack.start) + 1, road.column(strip.pack.end)
        if rear < first <= front + 2:
            first = rear
        if rear <= last < front:
            last = front
    return first, last - first + 1


def _focus(strip: Strip) -> int:
    """The tick that the window is about: the mover, else the peloton, else who is in front, else the finish."""
    mover = strip.mover or next((token for token in strip.tokens if token.rider == strip.sender), None)
    tick = strip.tick_of(mover) if mover else None
    if tick is None and strip.pack:
        tick = strip.pack.end
    if tick is None:
        ticks = [at for token in strip.tokens if (at := strip.tick_of(token)) is not None]
        finish = (
            strip.road.last * strip.road.tick if strip.tokens else 0
        )  # where all of the field went; a bare road begins
        tick = ticks[0] if ticks else finish
    return tick


def draw(
    strip: Strip,
    *,
    upright: bool,
    window: int | None = None,
    zoom: Zoom | str = Zoom.NEAR,
    htmx: bool = False,
    keep: Mapping[str, str] = MappingProxyType({}),
) -> Drawing:
    """The window that begins with the column `window`, or one around whoever is asked.

    `htmx`: links also have `hx-get`; what is swapped is said by whatever holds the board. `keep`: what else stands in
    the address of the page and has to stay in every link.
    """
    zoom = Zoom(zoom)
    first, shown = _window(strip, upright, zoom, window)
    frame = Frame(strip.road, upright, zoom, first, shown)
    kept = dict(keep)
    if zoom is not Zoom.NEAR:
        kept["zoom"] = zoom.value
    live = _Live(strip, frame, zoom, htmx, kept)
    return Drawing(
        road=_road_layer(strip.road, upright, zoom, first, shown),
        live=live.drawn(),
        width=frame.width,
        height=frame.height,
        window=first,
        columns=shown,
        upright=upright,
        query=MappingProxyType(kept | _looked_at(strip)),
        htmx=htmx,
    )


def _looked_at(strip: Strip) -> dict[str, str]:
    """The move, or the rider, that is looked at and stays so when the window moves."""
    looked_at = strip.chosen or next((nook for nook in strip.nooks if nook.chosen), None)
    if looked_at:
        return {"to": looked_at.value}
    return {"rider": strip.sender} if strip.sender else {}


XLINK: Final = {"xmlns:xlink": "http://www.w3.org/1999/xlink"}
"""What a picture with links declares."""


def link(*inside: SafeString, query: Mapping[str, str], htmx: bool, words: str, **attributes: str | None) -> SafeString:
    """A link of a drawing to the same page with another `query`, which says itself in `words`.

    Its address is an `xlink:href`: what reads the links of a page finds text in `href`, which an
    SVG link does not have there. Without a plain `href` it needs its role said.
    """
    href = f"?{urlencode({name: printable(value) for name, value in query.items()})}"
    return tag(
        "a", *inside, **attributes, **{"xlink:href": href}, role="link", hx_get=href if htmx else None,
        aria_label=printable(words),
    )  # fmt: skip


# ---- what lives on the road ------------------------------------------------------------------------------------------
CLEAR: Final = 12
"""Beside the road, half of what the flag of a line takes of its length."""
BOLT: Final = "M1.5-6.5-4 1.2h3.4L-2 6.5 4-1.8H.4z"


class _Live:
    """The layer of the race, for one viewer."""

    def __init__(self, strip: Strip, frame: Frame, zoom: Zoom, htmx: bool, kept: dict[str, str]) -> None:
        self.strip, self.frame, self.zoom, self.htmx, self.kept = strip, frame, zoom, htmx, kept
        self.squares = strip.road.squares
        self.near = zoom is Zoom.NEAR
        self.way = "up" if frame.upright else "on"
        self.joining = [c for c in strip.choices if c.shown and self._in_pack(self.squares[c.square])]
        self.rows = dict(self._rows())
        self.beside = self._places_beside()

    def drawn(self) -> SafeString:
        strip, frame = self.strip, self.frame
        out: list[SafeString] = []
        if strip.pack and frame.shows(strip.pack.start, strip.pack.end):
            out.append(self._pack(strip.pack))
        out += [*self._brackets(), *self._given(), *self._prizes()]
        links = [self._choice(c) for c in strip.choices if c.shown and frame.sees(self.squares[c.square])]
        pointed = [*strip.pointed, *([strip.chosen] if strip.chosen else [])]
        out += [self._path(choice) for choice in pointed]
        if links:
            out.append(tag("g", *links, class_="bd-choices", role="group", aria_label=printable(strip.asks)))
        riders: list[SafeString] = []
        standing = [t for t in strip.tokens if t.square is not None and frame.sees(self.squares[t.square])]
        for token in sorted(standing, key=lambda t: (not t.apart, t.turn)):
            if token.rider not in self.crowded:
                riders.append(self._token(token))
        riders += [*self._crowds(), *self._wakes(), *self._resting()]
        riders += [self._ghost(choice) for choice in pointed if frame.sees(self.squares[choice.square])]
        out.append(tag("g", *riders, class_="bd-riders", aria_hidden="true"))
        out += [*self._senders(), *self._nooks()]
        out += [self._end(ahead=True), self._end(ahead=False)]
        return _picture(frame, join(out), "bd-live")

    # ---- links -------------------------------------------------------------------------------------------------------
    def _link(
        self, *inside: SafeString, query: dict[str, str], words: str, class_: str, id: str | None = None
    ) -> SafeString:
        return link(*inside, query=self.kept | query, htmx=self.htmx, words=words, class_=class_, id=id)

    # ---- choices -----------------------------------------------------------------------------------------------------
    def _in_pack(self, square: Square) -> bool:
        pack = self.strip.pack
        return pack is not None and pack.start < square.end <= pack.end

    def _choice(self, choice: Choice) -> SafeString:
        frame, square, chosen = self.frame, self.squares[choice.square], self.strip.chosen
        x, y, w, h = frame.square(square)
        cx, cy = self._stop(square)
        if choice in self.joining:
            x, y, w, h, cx, cy = self._joining_place(square)
        names = ["bd-choice"]
        if choice.risk:
            names.append("bd-risky")
        if choice.loud:
            names.append("bd-loud")
        elif not choice.priced:
            names.append("bd-quiet")
        if choice is chosen:
            names.append("bd-chosen")
        parts = [
            tag("rect", x=x, y=y, width=w, height=h, class_="bd-target"),
            tag("rect", x=x + 2, y=y + 2, width=w - 4, height=h - 4, rx=6, class_="bd-hit"),
        ]
        if choice is not chosen:
            under = square.black or (chosen is not None and choice.square in chosen.path)
            parts.append(self._pill(cx, cy, choice, plain=not under))
        return self._link(
            *parts,
            words=choice.words,
            class_=" ".join(names),
            id=f"{self.way}-{choice.square}",
            query={"to": choice.value},
        )

    def _joining_place(self, square: Square) -> tuple[float, float, float, float, float, float]:
        """A square that the peloton covers is offered at the rear of the piece: its box, and the middle of that."""
        pack = self.strip.pack
        assert pack is not None, "only the pack is joined"
        middle = self.frame.middle + square.at * self.frame.lane
        deep = JOINING / self.frame.column * self.strip.road.tick
        x, y, w, h = self.frame.box(
            pack.start, pack.start + deep, middle - self.frame.lane / 2, middle + self.frame.lane / 2
        )
        if not self.frame.upright and y < self.frame.left + 20:  # under the name of the pack
            y, h = y + 20, h - 20
        return x, y, w, h, x + w / 2, y + h / 2

    def _pill(self, x: float, y: float, choice: Choice, *, big: bool = False, plain: bool = True) -> SafeString:
        """The price and the risk of a choice. What costs nothing is only a figure where the ground is `plain`.

        `big`: of the chosen move, whatever it costs, however far one is.
        """
        label = choice.label
        if not choice.risk:
            if not big and not choice.loud and (not choice.priced or not self.near):
                figure = _text(x, y + 5, label, "bd-way", text_anchor="middle")
                return figure if plain else join([plate_sign(x, y, text_width(label, 14) + 12, 22), figure])
            return join(
                [
                    plate_sign(x, y, self._pill_width(choice, big), 24),
                    self._cost(x, y, label, self._bolted(choice, big)),
                ]
            )
        if not self.near and not big:
            return join([_text(x - 7, y + 5, label, "bd-way", text_anchor="middle"), warning_sign(x + 7, y)])
        second = text_width(choice.risk, 12.5)
        if self.frame.upright and not big:
            first = text_width(label, 15) + (12 if choice.priced else 0)
            wide = first + second + 30
            left = x - wide / 2
            return join(
                [
                    plate_sign(x, y, wide, 24),
                    self._cost(left + 9 + first / 2, y, label, choice.priced),
                    warning_sign(left + 18 + first, y),
                    _text(left + 25 + first, y + 4.5, choice.risk, "bd-risktext"),
                ]
            )
        left = x - (second + 14) / 2
        return join(
            [
                plate_sign(x, y, self._pill_width(choice, big), 42),
                self._cost(x, y - 9, label, bolt=False),
                warning_sign(left + 5, y + 10),
                _text(left + 13, y + 14.5, choice.risk, "bd-risktext"),
            ]
        )

    def _bolted(self, choice: Choice, big: bool) -> bool:
        return choice.priced and self.frame.upright and (not big or self.frame.lane >= NARROW)

    def _pill_width(self, choice: Choice, big: bool) -> float:
        """Of a pill that stands alone, and of a tall one with a risk."""
        if choice.risk:
            return max(text_width(choice.label, 16), text_width(choice.risk, 12.5) + 14) + 8
        return text_width(choice.label, 16) + (28 if self._bolted(choice, big) else 18)

    def _cost(self, x: float, y: float, label: str, bolt: bool) -> SafeString:
        if not bolt:
            return _text(x, y + 5.5, label, "bd-pilltext", text_anchor="middle")
        wide = text_width(label, 16)
        return join(
            [
                tag("path", d=BOLT, class_="bd-bolt", transform=_moved(x - wide / 2 - 1, y)),
                _text(x + 5, y + 5.5, label, "bd-pilltext", text_anchor="middle"),
            ]
        )

    # ---- the chosen one ----------------------------------------------------------------------------------------------
    def _ghost_place(self, chosen: Choice) -> tuple[Point, Point, float]:
        """Where the rider would be, where the price of that stands, and how big he is: both inside the square."""
        frame, square = self.frame, self.squares[chosen.square]
        if square.lanes > 1:
            stop = self._stop(square)
            left, top, scale = self.rows.get((chosen.rider, square.id), (*stop, frame.scale))
            return (left, top), stop, scale
        x, y = frame.centre(square)
        if chosen in self.joining:
            *_box, x, y = self._joining_place(square)
        scale = frame.scale
        if not frame.upright:
            first_lane = square.at <= 0.5 - self.strip.road.lanes / 2
            return (x, y), (x, y + (31 if first_lane else -34)), scale
        scale *= 0.78 if frame.lane < NARROW else 1.0
        wide, price = SHIRT * scale, self._pill_width(chosen, big=True)
        left = x - (wide + price + 3) / 2
        return (left + wide / 2, y), (left + wide + 3 + price / 2, y), scale

    def _path(self, chosen: Choice) -> SafeString:
        frame = self.frame
        ghost, _price, _scale = self._ghost_place(chosen)
        stops = [(square, self._stop(self.squares[square])) for square in chosen.path]
        stops[-1] = chosen.square, ghost
        points = [point for square, point in stops if frame.sees(self.squares[square])]
        if frame.start <= chosen.origin[0] <= frame.end:
            points.insert(0, self._origin(chosen))
        linked = {choice.square for choice in self.strip.choices}  # these show their price
        dots = [
            tag("circle", cx=x, cy=y, r=5 * frame.scale, class_="bd-stop")
            for square, (x, y) in stops
            if square not in linked and frame.sees(self.squares[square])
        ]
        d = "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points) if len(points) > 1 else None
        lines = [tag("path", d=d, class_="bd-path bd-under"), tag("path", d=d, class_="bd-path")] if d else []
        return tag("g", *lines, *dots, class_="bd-riders", aria_hidden="true")

    def _ghost(self, chosen: Choice) -> SafeString:
        """The rider where he would be, and what that costs."""
        (x, y), (px, py), scale = self._ghost_place(chosen)
        mover = next(t for t in self.strip.tokens if t.rider == chosen.rider)
        ghost = tag("g", *self._shirt(mover, tag_size=0), class_="bd-ghost", transform=_moved(x, y, scale))
        if any(choice.square == chosen.square and choice.rider != chosen.rider for choice in self.strip.choices):
            return ghost  # its figure would lie on the one of whoever is to choose
        names = "bd-choice bd-chosen bd-risky" if chosen.risk else "bd-choice bd-chosen"
        return join([ghost, tag("g", self._pill(px, py, chosen, big=True), class_=names)])

    # ---- riders ------------------------------------------------------------------------------------------------------
    def _shirt(self, token: Token, *, tag_size: float = 1.0) -> list[SafeString]:
        """Jersey, bib and letter around the middle of the token; no letter with a `tag_size` of 0."""
        lies = token.stance is Stance.FALLEN
        shirt: dict[str, str | float] = {
            "href": f"#jersey-{printable(token.jersey)}",
            "x": -19,
            "y": -21,
            "width": 38,
            "height": 38,
        }
        turned = "rotate(-90)" if lies else None
        bib = printable(token.bib)
        wide = max(26.0, 8.4 * len(bib) + 8)
        parts = [
            tag("use", **shirt, class_="bd-back", transform=turned),
            tag("use", **shirt, class_="bd-shirt", transform=turned),
            tag("rect", x=-wide / 2, y=-1, width=wide, height=17, rx=3, class_="bd-bib"),
            _text(0, 12.8, bib, "bd-num", text_anchor="middle"),
        ]
        if tag_size and token.tag:
            circle = tag("circle", r=7.5, class_="bd-tag")
            letter = _text(0, 3.6, token.tag, "bd-tagtext", text_anchor="middle")
            parts.append(tag("g", circle, letter, transform=_moved(15, -13, tag_size)))
        return parts

    def _token(self, token: Token) -> SafeString:
        frame, square = self.frame, self.squares[token.square or ""]
        x, y, scale = self.rows.get((token.rider, square.id), (*frame.centre(square), self._scale(token)))
        out: list[SafeString] = []
        if token.rider in self.beside:
            x, y = self.beside[token.rider]
            if not token.apart:
                out.append(self._way_home(square, x, y))
        inside: list[SafeString] = []
        if token.turn:
            inside.append(tag("circle", r=24.5, class_="bd-ring"))
        inside.append(
            tag(
                "g",
                *self._shirt(token, tag_size=float(self.near and not token.apart)),
                class_="bd-lies" if token.stance is Stance.FALLEN else None,
            )
        )
        if token.rider == self.strip.sender and not token.turn:
            inside.insert(0, tag("circle", r=24.5, class_="bd-ring"))
        elif token.mine and not token.turn:
            inside.append(tag("path", d="M-13 19.5H13", class_="bd-mine"))
        if token.since is not None and not token.turn and self.near:
            moved = _columns_between(self.squares[token.since].end, square.end, frame.road.tick)
            if moved:
                place = (-17, -9) if frame.upright else (0, -23)
                anchor = "end" if frame.upright else "middle"
                if square.lanes > 1:
                    place, anchor = (-21, -3), "start"
                inside.append(_text(*place, f"+{moved}", "bd-moved", text_anchor=anchor))
        if token.moved:
            inside.append(moved_sign(15, -14))
        if token.leads:
            inside.append(lead_sign(-2, -19))
        if token.stance is Stance.PUNCTURED:
            inside.append(wheel_sign(-18, 4))
        if token.stance is Stance.FALLEN:
            inside.append(fall_sign(-18, 4))
        kind = "bd-rider bd-apart" if token.apart else "bd-rider"
        out.append(tag("g", *inside, class_=kind, transform=_moved(x, y, scale)))
        return join(out)

    def _scale(self, token: Token) -> float:
        return self.frame.scale * (APART if token.apart else 1.0)

    def _way_home(self, square: Square, x: float, y: float) -> SafeString:
        """A thread from who is beside the road to his square: along the rear of the squares, clear of their figures."""
        frame = self.frame
        tick = square.start + 5 / frame.column * self.strip.road.tick
        side = frame.middle + (square.at + 0.5) * frame.lane - 9
        elbow, home = frame.at(tick, frame.right + 9), frame.at(tick, side)
        d = path("M", x, y, "L", *elbow, "L", *home)
        return join(
            [tag("path", d=d, class_="bd-home"), tag("circle", cx=home[0], cy=home[1], r=3, class_="bd-homedot")]
        )

    def _places_beside(self) -> dict[str, Point]:
        """Who is off his square: fallen, under the peloton's piece, or in another race on the same road.

        Beside the road, next to where they are, clear of the signs and of one another.
        """
        frame, out = self.frame, {}
        axis = 1 if frame.upright else 0
        if frame.upright:
            taken = [(y + height / 2, height / 2) for _line, _aside, (_x, y, _w, height) in _flags(frame)]
        else:
            taken = [(place[0], 9.0) for _column, place in _numbered(frame)]
        low, high = (frame.y, frame.y + frame.length) if frame.upright else (frame.x, frame.x + frame.length)
        for token in self.strip.tokens:
            if token.square is None:
                continue
            square = self.squares[token.square]
            off = token.stance is Stance.FALLEN or token.apart or self._in_pack(square)
            if not off or not frame.sees(square):
                continue
            half = 22 * self._scale(token)
            wanted = frame.centre(square)[axis]
            places = (wanted + step * sign for step in range(0, 480, 4) for sign in (1, -1))
            place = next(
                (p for p in places if low <= p <= high and all(abs(p - t) >= half + size for t, size in taken)), wanted
            )
            taken.append((place, half))
            aside = frame.right + 27
            out[token.rider] = (aside, place) if frame.upright else (place, aside)
        return out

    def _wakes(self) -> Iterator[SafeString]:
        """Slipstream: arrows that hold the rider behind to the one in front."""
        standing = {token.rider: token for token in self.strip.tokens if token.square is not None}
        for token in standing.values():
            front = standing.get(token.behind or "")
            if front is None or front.rider in self.beside or token.rider in self.beside:
                continue
            one, two = self.squares[token.square or ""], self.squares[front.square or ""]
            if self.frame.sees(one) and self.frame.sees(two):
                yield self._wake(one, two)

    def _wake(self, behind: Square, front: Square) -> SafeString:
        (x1, y1), (x2, y2), scale = self.frame.centre(behind), self.frame.centre(front), self.frame.scale
        steps: list[str | float] = []
        for side in (-26 * scale, 26 * scale):
            if self.frame.upright:
                steps += ["M", x1 + side, y1 - 6, "L", x2 + side, y2 + 4, "m", -4, 6, "l", 4, -6, 4, 6]
            elif side > 0:
                steps += ["M", x1 + 4, y1 + side, "L", x2 - 2, y2 + side, "m", -6, -4, "l", 6, 4, -6, 4]
        d = path(*steps)
        return join([tag("path", d=d, class_="bd-wake bd-under"), tag("path", d=d, class_="bd-wake")])

    # ---- squares that hold many --------------------------------------------------------------------------------------
    def _rows(self) -> Iterator[tuple[tuple[str, str], tuple[float, float, float]]]:
        """Where riders stand on wide squares, and how big: from the left as told, whoever would come there last.

        The last lane is what is printed, the one before it stays free for the figure where one may ride to. Who finds
        no room is counted in a plate at the end of the row.
        """
        frame, strip = self.frame, self.strip
        self.crowded: set[str] = set()
        self.crowds: list[tuple[float, float, str]] = []
        on: dict[str, list[Token | Choice]] = {}
        for token in strip.tokens:
            if token.square is not None and self.squares[token.square].lanes > 1:
                on.setdefault(token.square, []).append(token)
        for choice in (*strip.pointed, *([strip.chosen] if strip.chosen else [])):
            if self.squares[choice.square].lanes > 1:
                on.setdefault(choice.square, []).append(choice)
        offered = {choice.square for choice in strip.choices} | {choice.square for choice in strip.pointed}
        for name, there in on.items():
            square = self.squares[name]
            if not frame.sees(square):
                continue
            room = (square.lanes - 1 - (name in offered)) * frame.lane
            most = int(room / CLOSE)
            rows = self._grid(square, on) if len(there) > square.lanes - 1 else [square]
            each = min(most, len(there) if len(rows) == 1 else max(square.lanes - 1, -(-len(there) // len(rows))))
            pitch = min(frame.lane, room / each)
            slots = [self._slot(row, place, pitch) for row in rows for place in range(each)]
            if len(there) > len(slots):
                sure = [one for one in there if isinstance(one, Choice) or one.turn or one.rider == strip.sender]
                kept = [*sure, *(one for one in there if one not in sure)][: len(slots) - 1]
                self.crowded |= {one.rider for one in there if one not in kept}
                self.crowds.append((*slots[-1], f"+{len(there) - len(kept)}"))
                there = [one for one in there if one in kept]
            scale = frame.scale * min(1.0, pitch / (SHIRT + 2))
            for one, spot in zip(there, slots, strict=False):
                yield (one.rider, name), (*spot, scale)

    def _grid(self, square: Square, on: Mapping[str, Any]) -> list[Square]:
        """Before the start, the square and the free ones behind it on which nothing is printed: rows of a starting grid."""
        behind = {one.end: one for one in self.squares.values() if not one.raced and not one.label and one.id not in on}
        rows = [square]
        while (further := behind.get(rows[-1].start)) and self.frame.sees(further):
            rows.append(further)
        return rows

    def _slot(self, square: Square, place: int, pitch: float) -> Point:
        """The middle of a place in a row."""
        side = self.frame.middle + (square.at - square.lanes / 2) * self.frame.lane + pitch * (place + 0.5)
        return self.frame.at((square.start + square.end) / 2, side)

    def _stop(self, square: Square) -> Point:
        """Where the figure of a square stands to which one may ride."""
        lane = square.at + (square.lanes - 3) / 2 if square.lanes > 1 else square.at
        return self.frame.point((square.start + square.end) / 2, lane)

    def _origin(self, choice: Choice) -> Point:
        """Where the line to a choice begins."""
        stands = next((token.square for token in self.strip.tokens if token.rider == choice.rider), None)
        spot = self.rows.get((choice.rider, stands or ""))
        return (spot[0], spot[1]) if spot else self.frame.point(*choice.origin)

    def _crowds(self) -> Iterator[SafeString]:
        for x, y, label in self.crowds:
            wide = text_width(label, 13) + 8
            yield tag("rect", x=x - wide / 2, y=y - 9, width=wide, height=18, rx=2, class_="bd-crowd")
            yield _text(x, y + 4.5, label, "bd-crowdtext", text_anchor="middle")

    def _brackets(self) -> Iterator[SafeString]:
        """Beside the road, who rides without a gap."""
        frame = self.frame
        for start, end, _riders in self.strip.chains:
            if frame.shows(start, end):
                low, high = (
                    max(start + 0.12 * frame.road.tick, frame.start),
                    min(end - 0.12 * frame.road.tick, frame.end),
                )
                steps: list[str | float] = ["M", *frame.at(low, frame.left - 3), "L", *frame.at(low, frame.left - 8)]
                steps += ["L", *frame.at(high, frame.left - 8), "L", *frame.at(high, frame.left - 3)]
                yield tag("path", d=path(*steps), class_="bd-chain", aria_hidden="true")

    def _given(self) -> Iterator[SafeString]:
        """What squares give to whoever is to move, under what is printed on them."""
        if not self.near:
            return
        figures = []
        for name, value in self.strip.gives.items():
            square = self.squares[name]
            if self.frame.sees(square):
                x, y = _print_place(self.frame, square)
                figures.append(_text(x, y + 23, value, "bd-gives", text_anchor="middle"))
        if figures:
            yield tag("g", *figures, aria_hidden="true")

    def _prizes(self) -> Iterator[SafeString]:
        """What is still to be won, at the flag of its line."""
        frame = self.frame
        flags = {line.tick: box for line, _aside, box in _flags(frame)}
        for prize in self.strip.prizes:
            if prize.tick not in flags:
                continue
            x, y, width, height = flags[prize.tick]
            if frame.upright:
                words = _first_words(prize.short, 11.5, frame.width - x - 4)
                text = _text(frame.width - 4, y - 4, words, "bd-prize", text_anchor="end")
            else:
                text = _text(x + width / 2, y - 5, prize.short, "bd-prize", text_anchor="middle")
            yield tag("g", text, role="img", aria_label=printable(prize.words))

    @property
    def _rest_line(self) -> float:
        """Where somebody rests, beside the road: clear of the numbers of the columns."""
        return self.frame.right + (20 if self.frame.upright else 40)

    def _resting(self) -> Iterator[SafeString]:
        """Small, beside the road."""
        frame = self.frame
        for rest in self.strip.resting:
            for name in sorted(rest.squares):
                square = self.squares[name]
                if frame.sees(square):
                    token = Token(rider=rest.rider, bib=rest.bib, name="", jersey=rest.jersey)
                    x, y = frame.at((square.start + square.end) / 2, self._rest_line)
                    scale = 0.58 * frame.scale
                    yield tag("g", *self._shirt(token, tag_size=0), class_="bd-rests", transform=_moved(x, y, scale))

    def _nooks(self) -> Iterator[SafeString]:
        """Links beside the road, where somebody may be sent to rest."""
        frame, links = self.frame, []
        deep = 18 if frame.upright else 14
        low, high = self._rest_line - deep, self._rest_line + deep
        flagged = {line.tick for line, _aside, _box in _flags(frame)} if frame.upright else set()
        room = CLEAR / frame.column * self.strip.road.tick
        for nook in self.strip.nooks:
            square = self.squares[nook.square]
            if not frame.sees(square):
                continue
            start = square.start + room * (square.start in flagged)
            x, y, w, h = frame.box(start, square.end - room * (square.end in flagged), low, high)
            parts = [
                tag("rect", x=x, y=y, width=w, height=h, class_="bd-target"),
                tag("rect", x=x + 2, y=y + 2, width=w - 4, height=h - 4, rx=4, class_="bd-hit"),
            ]
            if not nook.chosen:  # who would rest there is drawn in it
                parts.append(_text(x + w / 2, y + h / 2 + 5, nook.label, "bd-way", text_anchor="middle"))
            names = "bd-choice bd-nook bd-chosen" if nook.chosen else "bd-choice bd-nook"
            id = f"{self.way}-rest-{nook.square}"
            links.append(self._link(*parts, words=nook.words, class_=names, id=id, query={"to": nook.value}))
        if links:
            yield tag("g", *links, class_="bd-choices", role="group", aria_label=printable(self.strip.asks))

    def _senders(self) -> Iterator[SafeString]:
        """Links on the riders of whom one is chosen before his move, where they stand on squares of their own."""
        for token in self.strip.tokens:
            spot = self.rows.get((token.rider, token.square or ""))
            if token.rider not in self.strip.senders or token.rider == self.strip.sender or spot is None:
                continue
            if token.rider in self.crowded:
                continue
            x, y, scale = spot
            target = tag("circle", cx=x, cy=y, r=max(13.0, 19 * scale), class_="bd-target")
            words = _("Choose where %(rider)s rides") % {"rider": f"{token.bib} {token.name}".strip()}
            query = {"rider": token.rider} | ({"to": self.strip.chosen.value} if self.strip.chosen else {})
            yield self._link(target, words=words, class_="bd-send", query=query)

    # ---- the peloton -------------------------------------------------------------------------------------------------
    def _pack(self, pack: Pack) -> SafeString:
        frame = self.frame
        riders = [token for token in self.strip.tokens if token.inside]
        x, y, w, h = frame.box(pack.start, pack.end, frame.left - 5, frame.right + 5)
        label = f"{printable(pack.label)} {len(riders)}" if riders else printable(pack.label)
        if text_width(label, 12) > w - 8:
            label = str(len(riders))
        left, top, room, tall = x + 7, y + 23, w - 14, h - 28
        if self.joining:
            if frame.upright:
                tall -= JOINING - 4
            else:
                left, room = left + JOINING - 4, room - JOINING + 4
        out = [
            tag("rect", x=x + 2, y=y + 2, width=w - 4, height=h - 4, rx=14, class_="bd-pack"),
            tag("g", _text(x + w / 2, y + 19, label, "bd-packtext", text_anchor="middle"), aria_hidden="true"),
        ]
        for token, (px, py), scale in _places(riders, left, top, room, tall):
            shape = self._pack_rider(token, scale)
            out.append(tag("g", shape, transform=_moved(px, py)))
        return tag("g", *out)

    def _pack_rider(self, token: Token, scale: float) -> SafeString:
        inside: list[SafeString] = []
        if token.turn or token.rider == self.strip.sender:
            inside.append(tag("circle", r=23, class_="bd-ring"))
        inside += self._shirt(token, tag_size=max(1.0, 0.88 / scale) if self.near else 0)
        if token.mine and not token.turn and token.rider != self.strip.sender:
            inside.append(tag("path", d="M-13 19.5H13", class_="bd-mine"))
        drawn = tag("g", *inside, transform=f"scale({round(scale, 2)})", aria_hidden="true")
        if token.rider not in self.strip.senders or token.rider == self.strip.sender:
            return drawn
        target = tag("circle", r=max(15.0, 20 * scale), class_="bd-target")
        words = _("Choose where %(rider)s attacks") % {"rider": f"{token.bib} {token.name}".strip()}
        return self._link(target, drawn, words=words, class_="bd-send", query={"rider": token.rider})

    # ---- the ends of the window --------------------------------------------------------------------------------------
    def _end(self, *, ahead: bool) -> SafeString:
        """Who rides outside the window, as a link to there; without anybody, a link along the road."""
        frame, road = self.frame, self.strip.road
        last = frame.first + frame.shown - 1
        far = self._outside(ahead)
        if not far and (last >= road.last + 1 if ahead else frame.first <= 1):
            return SafeString()
        shown = SHOWN[frame.upright, self.zoom]
        if far:
            nearest = road.column(far[0][0])
            window = nearest - REAR if ahead else nearest + REAR - shown
        else:
            window = frame.first + shown - REAR if ahead else frame.first - shown + REAR
        window = max(1 - RUN_IN, min(window, road.last + road.beyond + 1 - shown))
        count = sum(riders for _tick, _label, riders in far)
        if count:
            facts = {"count": count}
            words = (
                ngettext("%(count)s ahead", "%(count)s ahead", count)
                if ahead
                else ngettext("%(count)s behind", "%(count)s behind", count)
            )
            title = words % facts
        else:
            title = _("Road ahead") if ahead else _("Road behind")
        origin = _focus(self.strip)
        gaps = [f"{label} {_signed(tick, origin, road.tick)}" for tick, label, _riders in far]
        query = _looked_at(self.strip) | {"window": str(window)}
        parts = self._end_upright(title, gaps, ahead) if frame.upright else self._end_wide(title, gaps, ahead)
        spoken = f"{title}: {', '.join(gaps)}" if gaps else title
        return self._link(*parts, words=spoken, class_="bd-end", query=query)

    def _outside(self, ahead: bool) -> list[tuple[int, str, int]]:
        """Tick, label and number of riders of those whom the window does not show, nearest first; the pack is one."""
        frame, strip = self.frame, self.strip
        found: list[tuple[int, str, int]] = []
        for token in strip.tokens:
            if token.square is not None and not token.apart:
                square = self.squares[token.square]
                middle = (square.start + square.end) / 2
                if middle >= frame.end if ahead else middle <= frame.start:
                    found.append((square.end, printable(token.bib), 1))
        pack = strip.pack
        if pack and not pack.waits and (pack.start >= frame.end if ahead else pack.end <= frame.start):
            found.append((pack.end, printable(pack.label), sum(token.inside for token in strip.tokens)))
        return sorted(found, key=lambda one: one[0] if ahead else -one[0])

    def _end_upright(self, title: str, gaps: Sequence[str], ahead: bool) -> list[SafeString]:
        frame = self.frame
        y = 14.0 if ahead else frame.height - 14
        words = f"{title}: {' · '.join(gaps)}" if gaps else title
        room = 2 * (min(frame.middle, frame.width - frame.middle) - 18)
        for told in range(len(gaps) - 1, 0, -1):  # a half of a gap would be another one
            if text_width(words, 12) <= room:
                break
            words = f"{title}: {' · '.join([*gaps[:told], '…'])}"
        words = cut(words, 12, room)
        half = text_width(words, 12) / 2
        tip = path(
            "M",
            frame.middle - half - 14,
            y + (4 if ahead else -4),
            "l",
            5,
            -8 if ahead else 8,
            5,
            8 if ahead else -8,
            "z",
        )
        return [
            tag("rect", x=frame.x, y=y - 14, width=frame.right - frame.left, height=28, class_="bd-target"),
            tag("path", d=tip, class_="bd-more"),
            _text(frame.middle, y + 4.5, words, "bd-beyond", text_anchor="middle"),
        ]

    def _end_wide(self, title: str, gaps: Sequence[str], ahead: bool) -> list[SafeString]:
        frame = self.frame
        x = frame.width - 30 if ahead else 30.0
        most = max(1, int((frame.right - frame.left - 40) // 17))
        told = list(gaps) if len(gaps) <= most else [*gaps[: most - 1], "…"]
        top = frame.middle - 8.5 * len(told)
        tip = path("M", x - (4 if ahead else -4), top - 26, "l", 8 if ahead else -8, 5, -8 if ahead else 8, 5, "z")
        out = [
            tag("rect", x=x - 30, y=frame.left, width=60, height=frame.right - frame.left, class_="bd-target"),
            tag("path", d=tip, class_="bd-more"),
        ]
        lines = [*(cut(part, 12, 62) for part in _two_lines(title)), *(cut(gap, 12, 62) for gap in told)]
        out += [_text(x, top + 16 * i, words, "bd-beyond", text_anchor="middle") for i, words in enumerate(lines)]
        return out


APART: Final = 0.7
"""How much smaller a rider is who is in another race on the same road."""

JOINING: Final = 32.0
"""User units at the rear of the peloton that stay free for those who may rejoin it."""


def _first_words(words: str, size: float, room: float) -> str:
    """As many words as fit, and a sign that there are more."""
    kept = words.split()
    while len(kept) > 1 and text_width(" ".join(kept), size) > room:
        kept = [*kept[:-2], "…"]
    return " ".join(kept)


def _two_lines(title: str) -> list[str]:
    """A short title as it is, a longer one broken at its first space."""
    return [title] if text_width(title, 12) <= 62 else title.split(" ", 1)


def _columns_between(start: int, end: int, tick: int) -> str:
    """Columns from one front edge to another, with one decimal in a bend; empty if none."""
    columns = (end - start) / tick
    return "" if columns <= 0 else number(columns)


def _signed(tick: int, origin: float, columns: int) -> str:
    gap = (tick - origin) / columns
    return f"+{number(gap)}" if gap > 0 else f"−{number(-gap)}"


def _places(
    riders: Sequence[Token], left: float, top: float, room: float, tall: float
) -> Iterator[tuple[Token, Point, float]]:
    """As many rows as make the shirts biggest; the middle of each, and its scale."""
    if not riders:
        return

    def size(rows: int) -> float:
        return min(0.92, room / (-(-len(riders) // rows) * SHIRT), tall / (rows * (SHIRT + 2)))

    rows = max(range(1, len(riders) + 1), key=size)
    across, scale = -(-len(riders) // rows), size(rows)
    pitch = min(SHIRT * 1.12, room / across)
    high = min((SHIRT + 2) * 1.15, tall / rows)
    for i, token in enumerate(riders):
        row, place = divmod(i, across)
        here = min(across, len(riders) - row * across)
        x = left + room / 2 + (place - (here - 1) / 2) * pitch
        y = top + tall / 2 + (row - (rows - 1) / 2) * high + 2 * scale
        yield token, (x, y), scale


def plate_sign(x: float, y: float, wide: float, high: float) -> SafeString:
    """The ground of a pill with its middle at (x, y)."""
    return tag(
        "rect", x=x - wide / 2, y=y - high / 2, width=wide, height=high, rx=min(12.0, high / 2), class_="bd-pill"
    )


def warning_sign(x: float, y: float) -> SafeString:
    return tag("path", d=path("M", x, y - 5, "l", 6, 10, "h", -12, "z"), class_="bd-warn")


def moved_sign(x: float, y: float) -> SafeString:
    """A tick: has moved in this turn."""
    return join(
        [
            tag("circle", cx=x, cy=y, r=6.5, class_="bd-tag"),
            tag("path", d=path("M", x - 3, y, "l", 2.2, 2.6, "l", 4, -5), class_="bd-tick"),
        ]
    )


def lead_sign(x: float, y: float) -> SafeString:
    """A crown of three points: leads."""
    return tag(
        "path",
        d=path("M", x - 9, y + 4, "v", -9, "l", 5, 4, "l", 4, -6, "l", 4, 6, "l", 5, -4, "v", 9, "z"),
        class_="bd-leads",
    )


def wheel_sign(x: float, y: float) -> SafeString:
    """A crossed wheel."""
    return join(
        [
            tag("circle", cx=x, cy=y, r=7.5, class_="bd-wheel"),
            tag("path", d=path("M", x - 5, y + 5, "l", 10, -10), class_="bd-wheelcut"),
        ]
    )


def fall_sign(x: float, y: float) -> SafeString:
    return join(
        [
            tag("circle", cx=x, cy=y, r=7.5, class_="bd-alarm"),
            tag("path", d=path("M", x - 3, y - 3, "l", 6, 6, "m", 0, -6, "l", -6, 6), class_="bd-alarmx"),
        ]
    )
