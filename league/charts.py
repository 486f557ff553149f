"""The general classification drawn: the looped track of the game, and the gaps from stage to stage.

Pure functions from rows to SVG: no queries, the same bytes for the same rows. Both drawings carry every bib, say
themselves in words, and stand beside a table with the same figures. Colour only repeats what shape, dash and number
say; pink is the pink jersey, and the line along which it is worn.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from races.board.svg import Point, cut, drawing, join, path, points, printable, tag, text_width, wrapped
from rules.giro.data import GC_LOOP, GC_LOOP_ALLOWED, MAX_RIDERS

Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""

BIB_SIZE: Final = 13.0
"""Font size of a bib, in user units, at scale 1."""


# ---- jerseys and bibs ------------------------------------------------------------------------------------------------
def jersey_href(colour: str, pattern: str) -> str:
    """The symbol of a jersey in the sprite of the page; "pink" and "bot" have no pattern."""
    return f"#jersey-{colour}" if colour in ("pink", "bot") else f"#jersey-{colour}-{pattern}"


def _jersey(href: str, x: float, y: float, side: float) -> SafeString:
    return tag("use", href=href, class_="jersey", x=x, y=y, width=side, height=side)


def _plate_width(bib: str) -> float:
    return max(24.0, text_width(bib, BIB_SIZE) + 8)


def _plate(x: float, y: float, bib: str, *, out: bool = False, scale: float = 1.0) -> SafeString:
    """A bib with its middle at (x, y); dashed and struck through for a rider who is out."""
    width = _plate_width(bib)
    inside = [
        tag(
            "rect",
            class_="c-bib",
            stroke_dasharray="3 2" if out else None,
            x=-width / 2,
            y=-9,
            width=width,
            height=18,
            rx=3,
        ),
        tag("path", stroke="#1a1b26", d=path("M", 2 - width / 2, 7, "L", width / 2 - 2, -7)) if out else SafeString(),
        tag("text", bib, class_="c-bibn", x=0, y=4.6),
    ]
    grown = "" if scale == 1 else f" scale({round(scale, 2)})"
    return tag("g", *inside, transform=f"translate({path(x, y)}){grown}", opacity="0.8" if out else None)


# ---- the track -------------------------------------------------------------------------------------------------------
class TrackState(StrEnum):
    """Whether a rider's pawn stands on the track."""

    IN = "in"
    LAPPED = "lapped"  # out, and shown once more where he was caught
    OUT = "out"
    UNRESOLVED = "unresolved"


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackRow:
    """A rider on the track. `gap` in squares behind the wearer of pink; None off the track."""

    bib: str
    colour: str
    pattern: str
    gap: int | None
    state: TrackState | str = TrackState.IN
    wearer: bool = False
    name: str = ""

    @property
    def on_track(self) -> bool:
        return self.gap is not None and self.state in (TrackState.IN, TrackState.LAPPED)

    @property
    def lapped(self) -> bool:
        return self.state == TrackState.LAPPED

    @property
    def href(self) -> str:
        return jersey_href("pink", "") if self.wearer else jersey_href(self.colour, self.pattern)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Oval:
    """A velodrome from above: two straights and two half circles, measured clockwise from the middle of the top."""

    squares: int
    straight: float
    top: float  # y of the centre of the upper half circle
    middle: float = 168.0
    radius: float = 114.0
    half: float = 35.0  # half the width of the road

    @property
    def length(self) -> float:
        return 2 * math.pi * self.radius + 2 * self.straight

    @property
    def step(self) -> float:
        """Length of a square."""
        return self.length / self.squares

    @property
    def bottom(self) -> float:
        return self.top + self.straight + self.radius + self.half

    def at(self, along: float, off: float = 0.0) -> Point:
        """The point so far along the middle of the road, and `off` outwards."""
        along %= self.length
        quarter = math.pi * self.radius / 2
        low = self.top + self.straight
        if along <= quarter or along >= self.length - quarter:
            angle = (along if along <= quarter else along - self.length) / self.radius
            x, y, cy = math.sin(angle), -math.cos(angle), self.top
        elif along < quarter + self.straight:
            x, y, cy = 1.0, 0.0, self.top + along - quarter
        elif along <= 3 * quarter + self.straight:
            angle = math.pi / 2 + (along - quarter - self.straight) / self.radius
            x, y, cy = math.sin(angle), -math.cos(angle), low
        else:
            x, y, cy = -1.0, 0.0, low - (along - 3 * quarter - self.straight)
        return self.middle + x * (self.radius + off), cy + y * (self.radius + off)

    def locate(self, point: Point) -> tuple[float, float]:
        """The inverse of `at`: how far along, and how far outwards."""
        x, y = point[0] - self.middle, point[1]
        quarter = math.pi * self.radius / 2
        low = self.top + self.straight
        if self.top <= y <= low:
            along = quarter + y - self.top if x > 0 else 3 * quarter + self.straight + low - y
            return along, abs(x) - self.radius
        cy = self.top if y < self.top else low
        angle = math.atan2(x, cy - y)
        if y < self.top:
            return (angle * self.radius) % self.length, math.hypot(x, y - cy) - self.radius
        turned = angle if angle >= 0 else angle + 2 * math.pi
        return turned * self.radius + self.straight, math.hypot(x, y - cy) - self.radius

    def inside(self, square: int, corners: Iterable[Point], slack: float = 0.0) -> bool:
        """Whether a shape lies on the road of one square, at most `slack` over its edges."""
        for corner in corners:
            along, off = self.locate(corner)
            apart = (along - square * self.step + self.length / 2) % self.length - self.length / 2
            if abs(apart) > self.step / 2 - 0.5 + slack or abs(off) > self.half - 1:
                return False
        return True

    def ring(self, off: float, css: str) -> SafeString:
        r = self.radius + off
        return tag(
            "path",
            class_=css,
            d=path("M", self.middle - r, self.top, "a", r, r, "0 0 1", 2 * r, 0.0, "v", self.straight)
            + path(" a", r, r, "0 0 1", -2 * r, 0.0, "z"),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shape:
    """How one rider is drawn: jersey beside the bib, over the bib, or the jersey alone. Sizes at scale 1."""

    kind: str
    height: float

    def width(self, bib: str) -> float:
        return {"beside": 23 + _plate_width(bib), "over": _plate_width(bib), "alone": 22.0}[self.kind]

    def drawn(self, row: TrackRow, x: float, y: float, scale: float) -> SafeString:
        """The rider with the middle of his shape at (x, y)."""
        side, bib = 22 * scale, printable(row.bib)
        if self.kind == "alone":
            return _jersey(row.href, x - side / 2, y - side / 2, side)
        if self.kind == "over":
            jersey = _jersey(row.href, x - side / 2, y - 18 * scale, side)
            return join([jersey, _plate(x, y + 9 * scale, bib, out=row.lapped, scale=scale)])
        left, plate = x - self.width(bib) * scale / 2, _plate_width(bib) * scale
        jersey = _jersey(row.href, left, y - side / 2, side)
        return join([jersey, _plate(left + 23 * scale + plate / 2, y, bib, out=row.lapped, scale=scale)])


Spots = tuple[Point, ...]

BESIDE: Final = _Shape(kind="beside", height=22)
OVER: Final = _Shape(kind="over", height=36)
ALONE: Final = _Shape(kind="alone", height=22)
PACKED: Final = 0.9
"""More of a square than this is never covered: boxes do not fill a wedge."""

READABLE: Final = (1.2, 1.1, 1.0, 0.92, 0.86)
"""Scales at which a bib can be read on a phone, largest first."""

TINY: Final = (1.0, 0.86, 0.74, 0.64, 0.55, 0.48, 0.42, 0.36)


def _rows_of(count: int, rows: int) -> tuple[int, ...]:
    """How many stand in each row, outer row first, when `count` are spread over `rows`."""
    return tuple(count // rows + (row < count % rows) for row in range(rows))


def _ranks(oval: _Oval, square: int, counts: Sequence[int], width: float, height: float) -> Spots:
    """Middles of upright boxes standing in ranks across the road of a square, the outermost rank first."""
    middle = oval.at(square * oval.step)
    straight = oval.top <= middle[1] <= oval.top + oval.straight
    on_side = straight or abs(oval.at(square * oval.step, 1)[0] - middle[0]) > 0.7
    across, along = (width, height) if on_side else (height, width)
    out = []
    for i, count in enumerate(counts):
        off = (across + 2) * ((len(counts) - 1) / 2 - i)
        stretch = 1.0 if straight else oval.radius / (oval.radius + off)  # an outer rank of a bend has more room
        for j in range(count):
            here = (along + 2) * (j - (count - 1) / 2) * stretch
            out.append(oval.at(square * oval.step + here, off))
    return tuple(out)


def _block(oval: _Oval, square: int, counts: Sequence[int], width: float, height: float) -> Spots:
    """Middles of upright boxes in an upright block around the middle of a square."""
    x, y = oval.at(square * oval.step, 2)
    return tuple(
        (x + (width + 2) * (j - (count - 1) / 2), y + (height + 2) * (i - (len(counts) - 1) / 2))
        for i, count in enumerate(counts)
        for j in range(count)
    )


def _packed(oval: _Oval, square: int, count: int, width: float, height: float) -> Spots:
    """Middles of `count` upright boxes wherever they go, from the left or from the top; fewer if there is no room."""
    x, y = oval.at(square * oval.step)
    reach = range(-44, 45, 4)
    free = [
        (x + dx, y + dy)
        for dx in reach
        for dy in reach
        if oval.inside(square, ((x + dx, y + dy), *_corners([(x + dx, y + dy)], width, height)))
    ]
    best: Spots = ()
    for direction in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        taken: list[Point] = []
        for spot in _swept(free, direction):
            if len(taken) < count and not any(_touch(spot, other, width, height) for other in taken):
                taken.append(spot)
        best = max(best, tuple(taken), key=len)
    return best


def _swept(spots: Sequence[Point], direction: tuple[int, int]) -> Spots:
    """The spots as a line moving in that direction meets them."""
    dx, dy = direction
    return tuple(sorted(spots, key=lambda spot: (dx * spot[0] + dy * spot[1], abs(dy) * spot[0] + abs(dx) * spot[1])))


def _corners(spots: Iterable[Point], width: float, height: float) -> list[Point]:
    return [(x + dx * width / 2, y + dy * height / 2) for x, y in spots for dx in (-1, 1) for dy in (-1, 1)]


def _touch(a: Point, b: Point, width: float, height: float) -> bool:
    return abs(a[0] - b[0]) < width + 0.5 and abs(a[1] - b[1]) < height + 0.5


def _reading_order(spots: Spots, height: float) -> Spots:
    """Line by line from the left; what stands a little higher on a bend is still the same line."""
    lines: list[list[Point]] = []
    for spot in sorted(spots, key=lambda spot: spot[1]):
        if lines and spot[1] - lines[-1][0][1] < 0.6 * height:
            lines[-1].append(spot)
        else:
            lines.append([spot])
    return tuple(spot for line in lines for spot in sorted(line))


@lru_cache(maxsize=4096)
def _places(oval: _Oval, square: int, count: int, width: float, height: float, slack: float) -> Spots | None:
    """Where `count` upright boxes stand on a square without touching one another; None: they cannot."""
    if count * width * height > PACKED * (oval.step + 2 * slack) * 2 * oval.half:
        return None
    for rows in range(1, min(count, 4) + 1):
        for arrange in (_ranks, _block):
            spots = arrange(oval, square, _rows_of(count, rows), width, height)
            apart = not any(_touch(a, b, width, height) for i, a in enumerate(spots) for b in spots[:i])
            if apart and oval.inside(square, _corners(spots, width, height), slack):
                return _reading_order(spots, height)
    if count == 1 or slack:
        return None
    spots = _packed(oval, square, count, width, height)
    return _reading_order(spots, height) if len(spots) == count else None


def _settled(
    oval: _Oval, square: int, rows: Sequence[TrackRow], shapes: Sequence[_Shape], scales: Sequence[float]
) -> SafeString | None:
    """The riders of one square standing on it, as large as there is room; None where they cannot.

    Where they would have to go elsewhere, they may lean over the edges of their square a little.
    """
    for slack in (0.0, 4.0):
        for scale in scales:
            for shape in shapes:
                width = max(shape.width(printable(row.bib)) for row in rows) * scale
                spots = _places(oval, square, len(rows), width, shape.height * scale, slack)
                if spots is not None:
                    return join(shape.drawn(row, x, y, scale) for row, (x, y) in zip(rows, spots, strict=True))
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Board:
    """A list in the infield: the riders of a square that is too small for them."""

    square: int
    rows: tuple[TrackRow, ...]

    PER_LINE = 3
    LINE = 25.0
    HEAD = 19.0

    @property
    def height(self) -> float:
        return self.HEAD + self.LINE * len(self.lines)

    @property
    def lines(self) -> tuple[tuple[TrackRow, ...], ...]:
        """The riders, as many on a line as fit side by side."""
        out: list[tuple[TrackRow, ...]] = []
        for row in self.rows:
            together = (*out[-1], row) if out else (row,)
            if out and len(together) <= self.PER_LINE and self.span(together) <= 152:
                out[-1] = together
            else:
                out.append((row,))
        return tuple(out)

    @staticmethod
    def span(rows: Sequence[TrackRow]) -> float:
        return sum(BESIDE.width(printable(row.bib)) for row in rows) + 3 * (len(rows) - 1)

    def drawn(self, middle: float, top: float) -> SafeString:
        title = _in_pink() if self.square == 0 else f"+{self.square}"
        count = ngettext("%(count)d rider", "%(count)d riders", len(self.rows)) % {"count": len(self.rows)}
        out = [
            tag(
                "text",
                tag("tspan", title, class_="c-t"),
                f" · {count}",
                class_="c-s",
                text_anchor="middle",
                x=middle,
                y=top + 12,
            )
        ]
        for i, line in enumerate(self.lines):
            x = middle - self.span(line) / 2
            for row in line:
                width = BESIDE.width(printable(row.bib))
                out.append(BESIDE.drawn(row, x + width / 2, top + self.HEAD + self.LINE * (i + 0.5), 1.0))
                x += width + 3
        return join(out)


def _in_pink() -> str:
    return pgettext("the square of the wearer of the pink jersey", "pink")


def loop(rows: Sequence[TrackRow], size: int = GC_LOOP, leader: str = "") -> SafeString:
    """The looped track of the general classification, ridden anti-clockwise; the number of a square is the gap to pink.

    `size`: squares of the loop, `leader`: a few words for the middle ("Venn leads"). Riders who are level stand side
    by side on their square; a field too large for it stands there in jerseys and is listed, bib by bib, in the infield.
    ValueError for a gap below nothing, a loop that no campaign may have, or more riders than a race has.
    """
    _check_rows(rows, size)
    on_track: dict[int, list[TrackRow]] = {}
    for row in rows:
        if row.on_track and row.gap is not None:
            on_track.setdefault(row.gap % size, []).append(row)

    oval = _Oval(squares=size, straight=176, top=171)
    boards = _boards(oval, on_track)
    middle_text = wrapped(printable(leader), 15, 142, 3)
    text_height = 74.0 + 17 * len(middle_text)
    needed = sum(board.height + 10 for board in boards) + text_height
    spare = oval.straight + 68 - needed  # the half circles give a little room above and below
    if spare < 0:
        oval = _Oval(squares=size, straight=176 - spare, top=171)

    absent = [row for row in rows if not row.on_track]
    note, note_height = _absent(absent, oval.bottom + 26)
    return drawing(
        oval.ring(oval.half, "c-road"),
        oval.ring(-oval.half, "c-in"),
        *_squares(oval),
        *_riders(oval, on_track, {board.square for board in boards}),
        *_infield(oval, boards, middle_text, needed, text_height),
        note,
        class_="chart loop",
        box=(0, 0, 336, oval.bottom + 24 + note_height),
        words=_loop_words(rows, size),
    )


def _check_rows(rows: Sequence[TrackRow], size: int) -> None:
    if size not in GC_LOOP_ALLOWED:
        raise ValueError(f"a track of {size} squares")
    if len(rows) > MAX_RIDERS:
        raise ValueError(f"{len(rows)} riders on a track for {MAX_RIDERS}")
    if any(row.gap is not None and row.gap < 0 for row in rows):
        raise ValueError("a gap to the wearer of pink is never below nothing")


def _boards(oval: _Oval, on_track: Mapping[int, Sequence[TrackRow]]) -> tuple[_Board, ...]:
    """The squares that are too small for their riders, in the order in which they lie from top to bottom."""
    crowded = [
        _Board(square=square, rows=tuple(riders))
        for square, riders in on_track.items()
        if _settled(oval, square, riders, (BESIDE, OVER), READABLE) is None
    ]
    return tuple(sorted(crowded, key=lambda board: (round(oval.at(board.square * oval.step)[1]), board.square)))


def _squares(oval: _Oval) -> Iterator[SafeString]:
    """The lines between the squares, and the number of each outside the road."""
    for square in range(oval.squares):
        edge = (square + 0.5) * oval.step
        yield tag("path", class_="c-sq", d=path("M", *oval.at(edge, -oval.half), "L", *oval.at(edge, oval.half)))
        x, y = oval.at(square * oval.step, oval.half + 10)
        yield tag("text", str(square) if square else _in_pink(), class_="c-s", text_anchor="middle", x=x, y=y + 4)


def _riders(oval: _Oval, on_track: Mapping[int, Sequence[TrackRow]], crowded: set[int]) -> Iterator[SafeString]:
    for square, riders in sorted(on_track.items()):
        if square not in crowded:
            drawn = _settled(oval, square, riders, (BESIDE, OVER), READABLE)
        else:
            drawn = _settled(oval, square, riders, (ALONE,), TINY)
        if drawn is not None:
            yield drawn


def _infield(
    oval: _Oval, boards: Sequence[_Board], leader: Sequence[str], needed: float, text_height: float
) -> Iterator[SafeString]:
    """Boards of the upper half, the words of the middle, boards of the lower half: centred, each tied to its square."""
    centre = oval.top + oval.straight / 2
    y = centre - needed / 2
    placed: list[tuple[_Board, float]] = []
    text = None
    for board in boards:
        if text is None and oval.at(board.square * oval.step)[1] > centre:
            text, y = y, y + text_height + 10
        placed.append((board, y))
        y += board.height + 10
    text = y if text is None else text
    half = 76.0
    boxes = [(oval.middle - half, top, oval.middle + half, top + board.height) for board, top in placed]
    boxes.append((oval.middle - half, text + 6, oval.middle + half, text + text_height - 6))
    for board, top in placed:
        yield _tie(oval, board, top, boxes)
        yield board.drawn(oval.middle, top)
    yield _middle(oval, leader, text)


def _tie(oval: _Oval, board: _Board, top: float, boxes: Sequence[Box]) -> SafeString:
    """The dotted line from a square to its board; none where it would run through something written."""
    x, y = oval.at(board.square * oval.step, -oval.half)
    bottom = top + board.height
    side = math.copysign(1.0, x - oval.middle) if abs(x - oval.middle) > 2 else 0.0
    if y < top:
        end = (oval.middle + side * 30, top)
    elif y > bottom:
        end = (oval.middle + side * 30, bottom + 2)
    else:
        end = (oval.middle + side * (oval.radius - oval.half - 2), y)
    if any(_crosses((x, y), end, box) for box in boxes):
        return SafeString()
    return tag("path", class_="pf-dot", d=path("M", x, y, "L", *end))


def _middle(oval: _Oval, leader: Sequence[str], top: float) -> SafeString:
    """Which way they ride, who leads, and how long a lap is."""
    x = oval.middle
    out = [tag("path", class_="c-arrow", d=path("M", x + 32, top + 26, "c-6-16-24-24-40-22m7-7-8 7 6 9"))]
    y = top + 30
    for line in leader:
        y += 17
        out.append(tag("text", line, class_="c-t c-b", text_anchor="middle", x=x, y=y))
    facts = (
        ngettext("%(squares)d square a lap", "%(squares)d squares a lap", oval.squares) % {"squares": oval.squares},
        _("number = gap"),
    )
    for i, line in enumerate(facts):
        out.append(tag("text", line, class_="c-s", text_anchor="middle", x=x, y=y + 19 + 17 * i))
    return join(out)


def _absent(rows: Sequence[TrackRow], top: float) -> tuple[SafeString, float]:
    """The bibs that stand on no square, under the track, and the height they take."""
    out: list[SafeString] = []
    y = top
    for label, riders in (
        (_("Off the track"), [row for row in rows if row.state != TrackState.UNRESOLVED]),
        (_("No result yet"), [row for row in rows if row.state == TrackState.UNRESOLVED]),
    ):
        if not riders:
            continue
        out.append(tag("text", label, class_="c-s", x=10, y=y + 13))
        start = x = 18 + text_width(label, 12)
        for row in riders:
            width = _plate_width(printable(row.bib))
            if x + width > 330:
                x, y = start, y + 23
            out.append(_plate(x + width / 2, y + 9, printable(row.bib), out=row.state != TrackState.UNRESOLVED))
            x += width + 4
        y += 27
    return join(out), y - top


def _called(bib: str, name: str) -> str:
    return f"{bib} {name}".strip()


def _loop_words(rows: Sequence[TrackRow], size: int) -> str:
    told = [
        ngettext("Looped track of %(squares)d square", "Looped track of %(squares)d squares", size) % {"squares": size}
    ]
    for row in rows:
        facts = {"rider": _called(row.bib, row.name), "gap": row.gap}
        if row.state == TrackState.UNRESOLVED:
            told.append(_("%(rider)s has no result yet") % facts)
        elif not row.on_track:
            told.append(_("%(rider)s is off the track") % facts)
        elif row.lapped:
            told.append(_("%(rider)s is lapped, %(gap)s behind") % facts)
        elif row.wearer:
            told.append(_("%(rider)s in pink") % facts)
        elif row.gap == 0:
            told.append(_("%(rider)s level with pink") % facts)
        else:
            told.append(_("%(rider)s at %(gap)s behind") % facts)
    return "; ".join(told)


# ---- the gaps --------------------------------------------------------------------------------------------------------
class End(StrEnum):
    """Why a rider's line ends."""

    NONE = ""
    LAPPED = "lapped"
    OTL = "otl"
    DNF = "dnf"
    DNS = "dns"
    DSQ = "dsq"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True, slots=True, kw_only=True)
class GapLine:
    """A rider's gaps to pink, in squares, one for each stage; None where he has none.

    `end`: why he rides no more, `out_after`: the number of the stage that put him out.
    """

    bib: str
    name: str
    colour: str
    pattern: str
    gaps: tuple[int | None, ...]
    end: End | str = End.NONE
    out_after: str = ""

    @property
    def last(self) -> int | None:
        """Index of the last stage after which he has a gap."""
        return max((i for i, gap in enumerate(self.gaps) if gap is not None), default=None)


def _end_words(end: str) -> str:
    return {
        End.LAPPED: _("lapped"),
        End.OTL: _("outside the time limit"),
        End.DNF: _("did not finish"),
        End.DNS: _("did not start"),
        End.DSQ: _("disqualified"),
        End.WITHDRAWN: _("withdrawn"),
    }.get(End(end), "")


DASHES: Final = (None, "9 4", "2 4", "12 4 2 4", "16 5", "6 3 2 3 2 3")
MARKS: Final = (
    "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z",  # circle
    "M-3.6-3.6h7.2v7.2h-7.2z",  # square
    "M0-5 5 0 0 5-5 0z",  # diamond
    "M0-4.8 4.8 3.8h-9.6z",  # triangle
    "M0 4.8 4.8-3.8h-9.6z",  # triangle on its head
    "M-1.6-4.6h3.2v3h3v3.2h-3v3h-3.2v-3h-3v-3.2h3z",  # cross
)
DENSE: Final = 17.0
"""Stages nearer to one another than this are drawn with finer lines and fewer marks."""

CROSS: Final = "M-4-4l8 8m0-8-8 8"


def _dash(rider: int) -> str | None:
    """Twelve riders, six dashes: riders with the same mark have different dashes."""
    return DASHES[(rider + 3 * (rider // len(MARKS))) % len(DASHES)]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plot:
    """The frame of the chart: where a stage and a gap lie."""

    width: float
    left: float
    right: float
    top: float
    bottom: float
    stages: int
    deepest: int

    @property
    def pitch(self) -> float:
        """Between two stages."""
        return (self.right - self.left) / self.stages

    @property
    def unit(self) -> float:
        """One square of gap."""
        return (self.bottom - self.top) / self.deepest

    def x(self, stage: int) -> float:
        """After so many stages; 0 is the start."""
        return self.left + self.pitch * stage

    def y(self, gap: float) -> float:
        return self.top + self.unit * gap


def gaps(
    series: Sequence[GapLine],
    stages: Sequence[str],
    size: str = "wide",
    limit: int = GC_LOOP,
    wearers: Sequence[str | None] = (),
) -> SafeString:
    """The gap to pink after every stage. The pink line on top is the jersey; `wearers` names its bib after each stage.

    `stages`: their numbers, as text; `limit`: the gap at which a rider is lapped. Level riders run side by side, each with
    his own dashes and marks; who ends early is crossed out there, carries his bib there, and is named below.
    ValueError for a gap below nothing, more riders than a race has, or a row of another length than the stages.
    """
    _check_series(series, stages)
    wide = size == "wide"
    running = [line for line in series if line.last == len(stages) - 1 and stages]
    ended = [line for line in series if line not in running]
    plot = _plot(series, stages, wide=wide, labels=len(running), worn=any(wearers))
    tracks = _tracks(series, plot, wearers)
    notes, notes_height = _notes(ended, plot, wide=wide)
    return drawing(
        *_grid(plot, limit),
        *_stage_names(stages, plot, wide=wide),
        tag("path", class_="c-pink", d=path("M", plot.left, plot.top, "H", plot.right)),
        *_lapped_line(plot, limit),
        *_worn(wearers, plot),
        *_lines(series, tracks, wearers, dense=plot.pitch < DENSE),
        *_end_labels(series, running, tracks, plot, wide=wide),
        *_early_labels(series, ended, tracks, plot),
        notes,
        class_="chart c-fine" if plot.pitch < DENSE else "chart",
        box=(0, 0, plot.width, plot.bottom + 30 + notes_height),
        words=_gap_words(series, stages),
    )


def _check_series(series: Sequence[GapLine], stages: Sequence[str]) -> None:
    if len(series) > MAX_RIDERS:
        raise ValueError(f"{len(series)} riders in a chart for {MAX_RIDERS}")
    for line in series:
        if len(line.gaps) != len(stages):
            raise ValueError(f"{len(line.gaps)} gaps after {len(stages)} stages")
        if any(gap is not None and gap < 0 for gap in line.gaps):
            raise ValueError("a gap to the wearer of pink is never below nothing")


def _plot(series: Sequence[GapLine], stages: Sequence[str], *, wide: bool, labels: int, worn: bool) -> _Plot:
    width, left, margin, label = (900.0, 34.0, 178.0, LABEL_WIDE) if wide else (344.0, 26.0, 70.0, LABEL_NARROW)
    top = 52.0 if worn else 20.0
    deepest = max([gap for line in series for gap in line.gaps if gap is not None], default=0)
    tall = max(270.0 if wide else 236.0, label * labels)
    return _Plot(
        width=width,
        left=left,
        right=width - margin,
        top=top,
        bottom=top + tall,
        stages=max(1, len(stages)),
        deepest=max(6, deepest),
    )


LABEL_WIDE: Final = 25.0
LABEL_NARROW: Final = 22.0


def _tracks(
    series: Sequence[GapLine], plot: _Plot, wearers: Sequence[str | None]
) -> tuple[tuple[tuple[int, Point], ...], ...]:
    """For every rider, (stage, point) from the start on. Level riders are set a little apart, so that no line hides another.

    In a bundle they lie in the order in which they leave it, the wearer of pink on top.
    """
    gap_of = [(0, *line.gaps) for line in series]
    out: list[list[tuple[int, Point]]] = [[] for _ in series]
    for stage in range(plot.stages + 1):
        bundles: dict[int, list[int]] = {}
        for rider, gaps_so_far in enumerate(gap_of):
            gap = gaps_so_far[stage] if stage < len(gaps_so_far) else None
            if gap is not None:
                bundles.setdefault(gap, []).append(rider)
        wearer = wearers[stage - 1] if 0 < stage <= len(wearers) else None
        for gap, riders in bundles.items():
            riders.sort(key=lambda rider: (series[rider].bib != wearer, *_beside(gap_of[rider], stage), rider))
            apart = min(4.5, 0.6 * plot.unit / len(riders))
            above = (len(riders) - 1) / 2 if gap else 0  # nobody rides above pink
            for i, rider in enumerate(riders):
                shift = apart * (i - above)
                out[rider].append((stage, (plot.x(stage), plot.y(gap) + shift)))
    return tuple(map(tuple, out))


def _beside(gap_of: Sequence[int | None], stage: int) -> tuple[float, float]:
    """Where a line goes next and where it came from; out of sight counts as far below."""
    after = next((gap for gap in gap_of[stage + 1 :] if gap is not None and gap != gap_of[stage]), None)
    before = next((gap for gap in reversed(gap_of[:stage]) if gap is not None), None)
    return (math.inf if after is None else after), (math.inf if before is None else before)


def _grid(plot: _Plot, limit: int) -> Iterator[SafeString]:
    step = next(step for step in (1, 2, 3, 6, 9, 12, 24, 48, 96, 10**6) if plot.deepest / step <= 8)
    for gap in range(0, plot.deepest + 1, step):
        y = plot.y(gap)
        yield tag("path", class_="c-grid", d=path("M", plot.left, y, "H", plot.right))
        yield tag("text", f"+{gap}" if gap else "0", class_="c-s", text_anchor="end", x=plot.left - 6, y=y + 4)


def _lapped_line(plot: _Plot, limit: int) -> Iterator[SafeString]:
    if plot.deepest >= limit:
        y = plot.y(limit)
        yield tag("path", class_="c-line", d=path("M", plot.left, y, "H", plot.right))
        yield tag("text", _("lapped"), class_="c-t", x=plot.left + 4, y=y - 7)


def _stage_names(stages: Sequence[str], plot: _Plot, *, wide: bool) -> Iterator[SafeString]:
    """A line for every stage; its name where it does not touch the next one. The last is always named."""
    long = [_("Stage %(number)s") % {"number": printable(stage)} for stage in stages]
    names = (
        long if all(text_width(name, 12) + 8 < plot.pitch for name in long) else [printable(stage) for stage in stages]
    )
    free = math.inf
    for i in range(len(names), -1, -1):
        x = plot.x(i)
        yield tag("path", class_="c-grid", d=path("M", x, plot.top, "V", plot.bottom))
        name = names[i - 1] if i else _("Start")
        half = text_width(name, 12) / 2
        middle = max(x, half + 1)
        if middle + half + 4 <= free:
            yield tag("text", name, class_="c-s", text_anchor="middle", x=middle, y=plot.bottom + 20)
            free = middle - half


def _worn(wearers: Sequence[str | None], plot: _Plot) -> Iterator[SafeString]:
    """The pink jersey over the stages after which it was worn, with its bib: each time, or each change if that is too dense."""
    worn = [(i, bib) for i, bib in enumerate(wearers[: plot.stages], 1) if bib]
    if plot.pitch < 30:
        worn = [(i, bib) for k, (i, bib) in enumerate(worn) if k == 0 or worn[k - 1][1] != bib]
    free = -math.inf
    for i, bib in worn:
        x = plot.x(i)
        if x - 13 < free:
            continue
        free = x + 13
        yield _jersey(jersey_href("pink", ""), x - 10, plot.top - 50, 20)
        yield _plate(x, plot.top - 22, printable(bib), scale=0.88)


def _lines(
    series: Sequence[GapLine],
    tracks: Sequence[Sequence[tuple[int, Point]]],
    wearers: Sequence[str | None],
    *,
    dense: bool,
) -> Iterator[SafeString]:
    """The lines, and on top of them all the marks; a cross where a line ends early.

    Where stages lie densely every rider is marked after each third one, not all of them after the same.
    """
    stages = len(series[0].gaps) if series else 0
    wearer = wearers[-1] if wearers else None
    marks: list[SafeString] = []
    for rider, (line, track) in enumerate(zip(series, tracks, strict=True)):
        css = "c-ln" + (" c-lead" if line.bib == wearer and not line.end else "") + (" c-out" if line.end else "")
        for piece in _unbroken(track):
            if len(piece) > 1:
                yield tag("polyline", class_=css, stroke_dasharray=_dash(rider), points=points(piece))
        over = bool(line.end) or (line.last or 0) < stages - 1
        for i, (stage, (x, y)) in enumerate(track):
            last = i == len(track) - 1
            if stage and (last or not dense or (stage + rider) % 3 == 0):
                marks.append(_mark(rider, x, y, crossed=over and last, scale=0.75 if dense else 1.0))
    yield from marks


def _unbroken(track: Sequence[tuple[int, Point]]) -> Iterator[list[Point]]:
    """The parts of a line between stages for which there is no gap."""
    piece: list[Point] = []
    before = None
    for stage, point in track:
        if before is not None and stage != before + 1:
            yield piece
            piece = []
        piece.append(point)
        before = stage
    yield piece


def _mark(rider: int, x: float, y: float, *, crossed: bool, scale: float) -> SafeString:
    """The mark of a rider; the second six are filled."""
    place = f"translate({path(x, y)})" + ("" if scale == 1 else f" scale({scale})")
    if crossed:
        return tag("path", class_="c-line", transform=place, d=CROSS)
    css = "pf-here" if rider >= len(MARKS) else "c-pt"
    return tag("path", class_=css, transform=place, d=MARKS[rider % len(MARKS)])


def spread(wanted: Sequence[float], apart: float, low: float, high: float) -> tuple[float, ...]:
    """Places as near as can be to the wanted ones (ascending), at least `apart`, between `low` and `high` if they fit.

    The least sum of squared shifts: neighbours that clash move as one group around their mean.
    """
    groups: list[tuple[float, int]] = []  # mean of the wanted places less their place in the row; members
    for i, place in enumerate(wanted):
        mean, count = place - i * apart, 1
        while groups and groups[-1][0] >= mean:
            before, many = groups.pop()
            mean, count = (before * many + mean * count) / (many + count), many + count
        groups.append((mean, count))
    most = max(low, high - apart * (len(wanted) - 1))
    flat = [min(max(mean, low), most) for mean, count in groups for _member in range(count)]
    return tuple(place + i * apart for i, place in enumerate(flat))


def _end_labels(
    series: Sequence[GapLine],
    running: Sequence[GapLine],
    tracks: Sequence[Sequence[tuple[int, Point]]],
    plot: _Plot,
    *,
    wide: bool,
) -> Iterator[SafeString]:
    """Jersey, bib and name to the right of every line that reaches the last stage."""
    ends = sorted((tracks[series.index(line)][-1][1][1], series.index(line)) for line in running)
    places = spread([y for y, _rider in ends], LABEL_WIDE if wide else LABEL_NARROW, plot.top - 4, plot.bottom - 8)
    x = plot.right
    for (end, rider), y in zip(ends, places, strict=True):
        line = series[rider]
        bib = printable(line.bib)
        width = _plate_width(bib)
        yield tag("path", class_="pf-dot", d=path("M", x + 7, end, "L", x + 17, y))
        yield _jersey(jersey_href(line.colour, line.pattern), x + 18, y - 10, 20)
        yield _plate(x + 41 + width / 2, y, bib, out=bool(line.end))
        if wide:
            room = plot.width - x - 50 - width - (text_width(f" · {_end_words(line.end)}", 12) if line.end else 0)
            told = [cut(printable(line.name), 13, room)]
            if line.end:
                told.append(tag("tspan", f" · {_end_words(line.end)}", class_="c-s"))
            yield tag("text", *told, class_="c-t", x=x + 47 + width, y=y + 4.5)


AROUND: Final = ((1, 0), (1, -1), (1, 1), (0, -1), (0, 1), (-1, -1), (-1, 1), (2, 0), (0, -2), (0, 2), (2, -2), (2, 2))
"""Where the bib of an ended line may stand, in widths and heights of it from the cross; the nearest first."""


def _early_labels(
    series: Sequence[GapLine], ended: Sequence[GapLine], tracks: Sequence[Sequence[tuple[int, Point]]], plot: _Plot
) -> Iterator[SafeString]:
    """A bib beside the cross of every line that ends early, where it hides least of the others."""
    segments = [pair for track in tracks for piece in _unbroken(track) for pair in zip(piece, piece[1:], strict=False)]
    dots = [point for track in tracks for _stage, point in track]
    taken: list[Box] = []
    plates: list[SafeString] = []
    for line in ended:
        rider = series.index(line)
        x, y = tracks[rider][-1][1]
        if line.last is None:
            continue
        width, height = _plate_width(printable(line.bib)) * 0.9, 17.0
        boxes = [
            (px - width / 2, py - height / 2, px + width / 2, py + height / 2)
            for px, py in ((x + dx * (width / 2 + 8), y + dy * (height / 2 + 7)) for dx, dy in AROUND)
        ]
        hidden = [_hidden(box, plot, segments, dots, taken) + 0.7 * i for i, box in enumerate(boxes)]
        best = boxes[hidden.index(min(hidden))]
        taken.append(best)
        middle = ((best[0] + best[2]) / 2, (best[1] + best[3]) / 2)
        yield tag("path", class_="pf-dot", d=path("M", x, y, "L", *middle))
        plates.append(_plate(*middle, printable(line.bib), out=bool(line.end), scale=0.9))
    yield from plates


def _hidden(
    box: Box, plot: _Plot, segments: Sequence[tuple[Point, Point]], dots: Sequence[Point], taken: Sequence[Box]
) -> float:
    """How much a label at `box` would hide: other labels most, then marks, then lines; never outside the plot."""
    left, top, right, bottom = box
    if left < plot.left or right > plot.right or top < plot.top or bottom > plot.bottom:
        return 10_000.0
    over = sum(left < r and lft < right and top < b and tp < bottom for lft, tp, r, b in taken)
    marks = sum(left - 4 < x < right + 4 and top - 4 < y < bottom + 4 for x, y in dots)
    lines = sum(_crosses(a, b, box) for a, b in segments)
    return 1_000.0 * over + 6.0 * marks + lines


def _crosses(a: Point, b: Point, box: Box) -> bool:
    """Whether the stretch from `a` to `b` runs through the box."""
    low, high = 0.0, 1.0
    for p, q, near, far in ((a[0], b[0], box[0], box[2]), (a[1], b[1], box[1], box[3])):
        if p == q:
            if not near < p < far:
                return False
            continue
        first, last = sorted(((near - p) / (q - p), (far - p) / (q - p)))
        low, high = max(low, first), min(high, last)
    return low < high


def _notes(ended: Sequence[GapLine], plot: _Plot, *, wide: bool) -> tuple[SafeString, float]:
    """Under the chart, who rides no more, with the reason; and the height that this takes."""
    reasons = [_ended_words(line) for line in ended]
    longest = max((text_width(f"{line.name}{why}", 13) for line, why in zip(ended, reasons, strict=True)), default=0.0)
    columns = next((n for n in (3, 2) if wide and longest + 70 < plot.width / n), 1)
    room = plot.width / columns
    out = []
    for i, (line, why) in enumerate(zip(ended, reasons, strict=True)):
        x, y = 4 + room * (i % columns), plot.bottom + 46 + 24 * (i // columns)
        bib = printable(line.bib)
        width = _plate_width(bib)
        name = cut(printable(line.name), 13, max(60.0, room - width - 40 - text_width(why, 12)))
        out.append(_jersey(jersey_href(line.colour, line.pattern), x, y - 10, 20))
        out.append(_plate(x + 23 + width / 2, y, bib, out=bool(line.end)))
        out.append(tag("text", name, tag("tspan", why, class_="c-s"), class_="c-t", x=x + 29 + width, y=y + 4.5))
    rows = -(-len(ended) // columns)
    return join(out), 24.0 * rows + 8 if rows else 0.0


def _ended_words(line: GapLine) -> str:
    """Why a line ends and at which stage, to be put behind the name."""
    reason = _end_words(line.end) or _("no result yet")
    if line.out_after:
        reason = _("%(reason)s, stage %(stage)s") % {"reason": reason, "stage": line.out_after}
    return printable(f" · {reason}")


def _gap_words(series: Sequence[GapLine], stages: Sequence[str]) -> str:
    told = [_("Gap to pink after each stage; the table has the same numbers")]
    for line in series:
        facts: dict[str, object] = {"rider": _called(line.bib, line.name), "reason": _end_words(line.end)}
        if line.last is None:
            told.append(_("%(rider)s has no gap yet") % facts)
            continue
        facts |= {"gap": line.gaps[line.last], "stage": stages[line.last]}
        if line.end:
            told.append(_("%(rider)s at %(gap)s after stage %(stage)s, %(reason)s") % facts)
        else:
            told.append(_("%(rider)s at %(gap)s after stage %(stage)s") % facts)
    return "; ".join(told)
