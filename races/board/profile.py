"""The altimetry of a stage, and of a whole Giro on one line.

Heights are drawn, not measured: a rise climbs a little, a mountain more (category 1 most), a downhill gives it back.
All roads share one vertical scale, so that a flat stage looks flat beside a mountain. Terrain is told three times: by
the line, by the density of the engraving, and by a lettered band; colour only repeats it. A road that is known by its
numbers alone is a flat dotted one of the right length.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from races.board.svg import Point, drawing, fitted, join, path, points, printable, tag, text_width
from rules.giro.course import Course, LineKind
from rules.giro.data import Terrain


class Size(StrEnum):
    """Wide for a page, narrow for a phone, mini for one line of a list of stages."""

    WIDE = "wide"
    NARROW = "narrow"
    MINI = "mini"


class State(StrEnum):
    """Where a stage lies on the line of the whole Giro."""

    PAST = "past"
    NEXT = "next"
    AHEAD = "ahead"


@dataclass(frozen=True, slots=True, kw_only=True)
class Numbers:
    """A road that nobody wrote down: its columns (None: not told yet), the sum of its milestones, its bonus lines."""

    columns: int | None = None
    milestones: int | None = None
    bonus: tuple[int, ...] = ()


Road = Course | Numbers


@dataclass(frozen=True, slots=True, kw_only=True)
class SkylineStage:
    """A stage on the line of the whole Giro. `winner` is the bib of its winner, or of the winning team's first rider."""

    number: str
    name: str
    road: Road
    state: State
    winner: str = ""


UNTOLD_COLUMNS: Final = 40
"""Columns that a road is drawn with while nobody told its length."""

TALLEST: Final = 14.5
"""Units of the shared vertical scale."""

CLIMB: Final[dict[Terrain | int, float]] = {Terrain.PLAIN: 0.0, Terrain.RISE: 0.5, 1: 1.25, 2: 1.0, 3: 0.8}
UNCATEGORISED: Final = 3

ENGRAVING: Final[dict[Terrain | int, float]] = {Terrain.RISE: 5.5, 1: 2.2, 2: 2.9, 3: 3.7, Terrain.DOWNHILL: 5.5}
"""User units between the engraved lines."""

BOTTLE: Final = "M-2.2-6h4.4v2l1.4 2.4v7.2h-7.2v-7.2l1.4-2.4zM-3.6 1.4h7.2"
DIAMOND: Final = "M0-6.4 6.4 0 0 6.4-6.4 0z"
ARROWS: Final = "M-5-5 1 0-5 5M0-5 6 0 0 5"
SIGNS: Final = {LineKind.FEED: BOTTLE, LineKind.BONUS: DIAMOND, LineKind.SPRINT: ARROWS}


# ---- what a road is made of ------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """Columns `first` to `last` of one terrain and, on a mountain, one category."""

    terrain: Terrain
    category: int | None
    first: int
    last: int

    @property
    def columns(self) -> int:
        return self.last - self.first + 1

    @property
    def grade(self) -> Terrain | int:
        """What decides how it climbs and how densely it is engraved."""
        return (self.category or UNCATEGORISED) if self.terrain is Terrain.MOUNTAIN else self.terrain


def _stretches(course: Course, *, by_category: bool = True) -> tuple[Stretch, ...]:
    """Maximal runs of one terrain (and category), in road order."""
    out: list[Stretch] = []
    for column, (terrain, category) in enumerate(zip(course.terrains, course.categories, strict=True), 1):
        told = category if by_category else None
        first = column
        if out and (out[-1].terrain, out[-1].category) == (terrain, told):
            first = out.pop().first
        out.append(Stretch(terrain=terrain, category=told, first=first, last=column))
    return tuple(out)


def _heights(road: Road) -> tuple[float, ...]:
    """Height at the end of every column; index 0 is the start line."""
    if isinstance(road, Numbers):
        return (0.6,) * (columns_of(road) + 1)
    heights = [0.6]
    for stretch in _stretches(road):
        base = heights[-1]
        heights.extend(base + step for step in _shape(stretch, base))
    return tuple(heights)


def _shape(stretch: Stretch, base: float) -> Iterator[float]:
    """Height above its foot at the end of every column of a stretch; a downhill never goes below the ground."""
    n = stretch.columns
    drop = min(base - 0.3, 1.3 * n, max(0.42 * n, 0.86 * base))
    for i in range(1, n + 1):
        swell = math.sin(math.pi * i / n)
        if stretch.terrain is Terrain.DOWNHILL:
            t = i / n
            yield -drop * (t * t * (3 - 2 * t) * 0.55 + t * 0.45)
        elif stretch.terrain is Terrain.PLAIN:
            yield 0.10 * math.sin(1.7 * (stretch.first + i)) * swell
        else:
            yield CLIMB[stretch.grade] * i + 0.11 * math.sin(2.9 * (stretch.first + i)) * swell


def columns_of(road: Road) -> int:
    """How many columns long a road is drawn."""
    if isinstance(road, Course):
        return road.columns
    return max(1, UNTOLD_COLUMNS if road.columns is None else road.columns)


def _lines(road: Road) -> tuple[tuple[LineKind, int], ...]:
    """The lines that carry a sign, in road order."""
    if isinstance(road, Course):
        return tuple((line.kind, line.column) for line in road.lines if line.kind in SIGNS)
    return tuple((LineKind.BONUS, column) for column in sorted(set(road.bonus)) if 0 < column < columns_of(road))


# ---- words -----------------------------------------------------------------------------------------------------------
def terrain_word(terrain: Terrain) -> str:
    """The name of a terrain, as it stands in a sentence."""
    return {
        Terrain.PLAIN: pgettext("terrain", "plain"),
        Terrain.RISE: pgettext("terrain", "rise"),
        Terrain.MOUNTAIN: pgettext("terrain", "mountain"),
        Terrain.DOWNHILL: pgettext("terrain", "downhill"),
    }[terrain]


def terrain_letter(terrain: Terrain) -> str:
    """The letter of a terrain on the band under a profile."""
    return {
        Terrain.PLAIN: pgettext("letter for plain", "P"),
        Terrain.RISE: pgettext("letter for rise", "R"),
        Terrain.MOUNTAIN: pgettext("letter for mountain", "M"),
        Terrain.DOWNHILL: pgettext("letter for downhill", "D"),
    }[terrain]


def words(road: Road, *, name: str | None = None) -> str:
    """The text equivalent of a profile. Plain text: whoever puts it into a page escapes it."""
    return _course_words(road, name) if isinstance(road, Course) else _number_words(road, name)


def _course_words(course: Course, name: str | None) -> str:
    length = ngettext("%(columns)d square", "%(columns)d squares", course.columns) % {"columns": course.columns}
    stretches = ", ".join(_stretch_words(stretch) for stretch in _stretches(course))
    sentences = [
        _("%(course)s, %(length)s: %(stretches)s.")
        % {"course": name or course.name, "length": length, "stretches": stretches}
    ]
    lines = [_line_words(kind, column) for kind, column in _lines(course)]
    if lines:
        sentences.append(f"{capfirst('; '.join(lines))}.")
    return " ".join(sentences)


def _stretch_words(stretch: Stretch) -> str:
    facts = {
        "terrain": terrain_word(stretch.terrain),
        "category": stretch.category,
        "first": stretch.first,
        "last": stretch.last,
    }
    if stretch.category:
        return _("%(terrain)s of category %(category)s from %(first)s to %(last)s") % facts
    return _("%(terrain)s from %(first)s to %(last)s") % facts


def _line_words(kind: LineKind, column: int) -> str:
    if kind is LineKind.BONUS:
        return _("bonus sprint after %(column)s") % {"column": column}
    if kind is LineKind.FEED:
        return _("bottle after %(column)s") % {"column": column}
    return _("sprint zone from %(column)s") % {"column": column + 1}


def _number_words(road: Numbers, name: str | None) -> str:
    facts = []
    if road.columns is not None:
        facts.append(ngettext("%(columns)d square", "%(columns)d squares", road.columns) % {"columns": road.columns})
    if road.milestones is not None:
        facts.append(_("milestones %(sum)s") % {"sum": road.milestones})
    facts.extend(_line_words(kind, column) for kind, column in _lines(road))
    told = ", ".join(facts) or _("its length is not told yet")
    if name:
        return _("%(course)s, known by its numbers: %(facts)s.") % {"course": name, "facts": told}
    return _("A course known by its numbers: %(facts)s.") % {"facts": told}


# ---- the land --------------------------------------------------------------------------------------------------------
class _Land:
    """A road laid out on a drawing: `left` and `dx` a column along the ground, `tall` units of height above it."""

    def __init__(self, road: Road, *, left: float, dx: float, ground: float, tall: float, top: float = TALLEST) -> None:
        self.road = road
        self.heights = _heights(road)
        self.columns = columns_of(road)
        self.left, self.dx, self.ground = left, dx, ground
        self.scale = tall / max(top, *self.heights)

    @property
    def right(self) -> float:
        return self.x(self.columns)

    @property
    def highest(self) -> float:
        """Of the road above the ground, in user units."""
        return self.scale * max(self.heights)

    def x(self, column: float) -> float:
        return self.left + self.dx * column

    def y(self, column: float) -> float:
        """Height of the road at a place between two columns."""
        i = min(int(column), self.columns - 1)
        part = column - i
        return self.ground - self.scale * (self.heights[i] * (1 - part) + self.heights[i + 1] * part)

    def crest(self, first: float, last: float) -> float:
        """The y of the highest point between two x; the ground where this road is not."""
        inside = [self.y(c) for c in range(self.columns + 1) if first <= self.x(c) <= last]
        return min(inside, default=self.ground)

    def line(self, first: int, last: int) -> list[Point]:
        return [(self.x(column), self.y(column)) for column in range(first, last + 1)]

    def drawn(self, *, engraved: bool = True) -> SafeString:
        """The land, its engraving and the road on top."""
        shape = [(self.left, self.ground), *self.line(0, self.columns), (self.right, self.ground)]
        out = [tag("polygon", class_="pf-land", points=points(shape))]
        if isinstance(self.road, Numbers):
            ends = self.line(0, self.columns)[:: self.columns]
            out.append(tag("polyline", class_="pf-top", stroke_dasharray="0.1 6", points=points(ends)))
            return join(out)
        stretches = _stretches(self.road)
        if engraved:
            out += [self._engraving(stretch) for stretch in stretches if stretch.grade in ENGRAVING]
        out += [
            tag(
                "polyline",
                class_=f"pf-top t-{stretch.terrain}",
                points=points(self.line(stretch.first - 1, stretch.last)),
            )
            for stretch in stretches
        ]
        return join(out)

    def _engraving(self, stretch: Stretch) -> SafeString:
        step = ENGRAVING[stretch.grade]
        strokes: list[str] = []
        x = self.x(stretch.first - 1) + step / 2
        while x < self.x(stretch.last):
            y = self.y((x - self.left) / self.dx)
            if self.ground - y > 2:
                strokes.append(self._stroke(stretch.terrain, x, y))
            x += step
        return tag("path", class_=f"pf-h t-{stretch.terrain}", d="".join(strokes)) if strokes else SafeString()

    def _stroke(self, terrain: Terrain, x: float, y: float) -> str:
        if terrain is not Terrain.DOWNHILL:
            return path("M", x, y, "V", self.ground)
        fall = 0.62 * (self.ground - y)  # where the road falls, short strokes lean with it
        return path("M", x, y, "l", min(7.0, fall / 2), fall)


def _pennant(x: float, y: float, category: int) -> SafeString:
    """The flag of a mountain's category, standing on the road at (x, y)."""
    return join(
        [
            tag("path", class_="pf-pole", d=path("M", x, y, "v", -30)),
            tag("path", class_="pf-flag", d=path("M", x, y - 31, "h15l5 7-5 7h-15z")),
            tag("text", str(category), class_="pf-fn", x=x + 8, y=y - 20),
        ]
    )


def _finish(x: float, y: float) -> SafeString:
    """The chequered flag on the road at (x, y)."""
    dark = [
        tag("rect", x=x + 4 * i, y=y - 30 + 4 * j, width=4, height=4)
        for j in range(3)
        for i in range(4)
        if (i + j) % 2 == 0
    ]
    return join(
        [
            tag("path", class_="pf-pole", d=path("M", x, y, "v", -31)),
            tag("rect", class_="pf-fbg", x=x, y=y - 30, width=16, height=12),
            tag("g", *dark, class_="pf-chk"),
        ]
    )


# ---- a stage ---------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class _Frame:
    """Measures of a profile: width, height under one row of signs, margins, band, room above the land, step of the scale."""

    width: float
    height: float
    left: float
    right: float
    band: float
    above: float
    every: int


FRAMES: Final = {
    Size.WIDE: _Frame(width=760, height=236, left=6, right=24, band=18, above=66, every=5),
    Size.NARROW: _Frame(width=344, height=206, left=4, right=22, band=16, above=62, every=10),
}
MINI_WIDTH, MINI_HEIGHT = 132.0, 46.0
SIGN_ROW: Final = 21.0
SKY: Final = 0.6
SKY_OVER_NUMBERS: Final = 0.3
"""The part of the full height that a flat stage keeps."""


def profile(road: Road, size: Size | str = Size.WIDE, *, name: str | None = None) -> SafeString:
    """The altimetry of one stage. `name`: what the stage is called, if not as its course."""
    size = Size(size)
    return _mini(road, name) if size is Size.MINI else _framed(road, size, name)


def _mini(road: Road, name: str | None) -> SafeString:
    ground = MINI_HEIGHT - 1
    dx = (MINI_WIDTH - 2) / columns_of(road)
    land = _Land(road, left=1, dx=dx, ground=ground, tall=ground - 3, top=9)  # a little steeper than life
    return tag(
        "svg",
        land.drawn(),
        class_="pf pf-mini",
        viewBox=path(0.0, 0.0, MINI_WIDTH, MINI_HEIGHT),
        width=MINI_WIDTH,
        height=MINI_HEIGHT,
        role="img",
        aria_label=printable(words(road, name=name)),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sign:
    """A line of the road with its sign and words above the land."""

    kind: LineKind
    column: int
    x: float
    label: str
    row: int
    mirrored: bool  # words to the left of the sign


def _signs(road: Road, land: _Land, width: float) -> tuple[_Sign, ...]:
    """Every line with a place for its words: beside its sign, in the first row where nothing stands in the way."""
    labels = {LineKind.FEED: _("Bottle"), LineKind.BONUS: _("Bonus"), LineKind.SPRINT: _("Sprint")}
    rows: list[float] = []  # how far each row is taken
    out: list[_Sign] = []
    for kind, column in _lines(road):
        x = land.x(column)
        room = 14 + text_width(f"{labels[kind]} {column}", 13)
        mirrored = x + room > width
        left, right = (x - room, x + 8) if mirrored else (x - 8, x + room)
        row = next((i for i, taken in enumerate(rows) if taken <= left), len(rows))
        rows[row : row + 1] = [right + 6]
        out.append(_Sign(kind=kind, column=column, x=x, label=labels[kind], row=row, mirrored=mirrored))
    return tuple(out)


def _framed(road: Road, size: Size, name: str | None) -> SafeString:
    frame = FRAMES[size]
    dx = (frame.width - frame.left - frame.right) / columns_of(road)
    flat = _Land(road, left=frame.left, dx=dx, ground=0, tall=0)
    signs = _signs(road, flat, frame.width)
    extra = SIGN_ROW * max((sign.row for sign in signs), default=0)
    tall = frame.height - frame.band - 20 - frame.above
    air = tall - max(
        tall * (SKY if isinstance(road, Course) else SKY_OVER_NUMBERS),
        _Land(road, left=0, dx=dx, ground=0, tall=tall).highest,
    )  # a flat stage needs less sky, at the same scale
    height = frame.height + extra - air
    ground = height - frame.band - 20
    land = _Land(road, left=frame.left, dx=dx, ground=ground, tall=tall)
    return drawing(
        *_zone(road, land, 30 + extra),
        *(
            tag("path", class_="pf-dot", d=path("M", sign.x, 26 + SIGN_ROW * sign.row, "V", ground + frame.band))
            for sign in signs
        ),
        land.drawn(),
        tag("path", class_="pf-base", d=path("M", frame.left, ground, "H", land.right)),
        *(_labelled(sign) for sign in signs),
        *_pennants(road, land),
        _finish(land.right, land.y(land.columns)),
        *_band(road, land, frame),
        *(
            tag(
                "text",
                str(column),
                class_="pf-no",
                text_anchor="start" if column == 0 else "middle",
                x=land.x(column),
                y=height - 4,
            )
            for column in _scale(land.columns, frame.every)
        ),
        class_=f"pf pf-{size}",
        box=(0, 0, frame.width, height),
        words=words(road, name=name),
    )


def _scale(columns: int, every: int) -> tuple[int, ...]:
    """Columns that are numbered: every fifth or tenth, and the arrival where no number stands too near."""
    every *= -(-columns // (every * 13))  # a very long road has fewer numbers
    regular = [column for column in range(0, columns, every) if column == 0 or columns - column >= every * 0.6]
    return (*regular, columns)


def _zone(road: Road, land: _Land, top: float) -> tuple[SafeString, ...]:
    """The ground of the sprint zone."""
    return tuple(
        tag(
            "rect",
            class_="pf-zone",
            x=land.x(column),
            y=top,
            width=land.right - land.x(column),
            height=land.ground - top,
        )
        for kind, column in _lines(road)
        if kind is LineKind.SPRINT
    )


def _labelled(sign: _Sign) -> SafeString:
    y = 15 + SIGN_ROW * sign.row
    column = tag("tspan", str(sign.column), class_="pf-no")
    return join(
        [
            tag(
                "path",
                class_=f"pf-ico pf-{sign.kind}",
                transform=f"translate({path(sign.x, y)})",
                d=SIGNS[sign.kind],
            ),
            tag(
                "text",
                f"{sign.label} ",
                column,
                class_="pf-tx",
                text_anchor="end" if sign.mirrored else None,
                x=sign.x + (-12 if sign.mirrored else 12),
                y=y + 4,
            ),
        ]
    )


def _pennants(road: Road, land: _Land) -> tuple[SafeString, ...]:
    if isinstance(road, Numbers):
        return ()
    return tuple(_pennant(land.x(part.first - 1), land.y(part.first - 1), part.category) for part in road.segments)


def _band(road: Road, land: _Land, frame: _Frame) -> tuple[SafeString, ...]:
    """The lettered band of terrains under the land; for a road known by its numbers, what is known."""
    if isinstance(road, Numbers):
        told = _("known by its numbers")
        if road.milestones is not None:
            told = _("milestones %(sum)s") % {"sum": road.milestones}
        middle = (land.left + land.right) / 2
        return (tag("text", told, class_="pf-tx", text_anchor="middle", x=middle, y=land.ground - 22),)
    out: list[SafeString] = []
    for stretch in _stretches(road, by_category=False):
        x, width = land.x(stretch.first - 1), land.dx * stretch.columns
        out.append(
            tag(
                "rect",
                class_=f"pf-band b-{stretch.terrain}",
                x=x,
                y=land.ground + 2,
                width=max(width - 1, 0.5),
                height=frame.band - 2,
            )
        )
        if width > 14:
            out.append(
                tag(
                    "text",
                    terrain_letter(stretch.terrain),
                    class_=f"pf-bt b-{stretch.terrain}",
                    x=x + width / 2,
                    y=land.ground + frame.band - 4,
                )
            )
    return tuple(out)


# ---- a Giro ----------------------------------------------------------------------------------------------------------
def skyline(stages: Sequence[SkylineStage], size: Size | str = Size.WIDE) -> SafeString:
    """All stages of a Giro on one line, every square of road equally wide.

    Ridden stages are solid and carry their winner's bib, the next one is engraved, the others are dotted.
    """
    wide = Size(size) is Size.WIDE
    width, ground, tall, gap = (1120.0, 164.0, 112.0, 10.0) if wide else (344.0, 124.0, 84.0, 5.0)
    if len(stages) > 12:
        gap *= 0.6
    road = sum(columns_of(stage.road) for stage in stages)
    dx = (width - 6 - gap * (len(stages) - 1)) / max(road, 1)
    lands: list[_Land] = []
    left = 2.0
    for stage in stages:
        lands.append(_Land(stage.road, left=left, dx=dx, ground=ground, tall=tall))
        left = lands[-1].right + gap
    plates = _plates(stages, lands, (30.0, 22.0) if wide else (25.0, 19.0))
    top = min(
        [land.crest(land.left, land.right) for land in lands] + [plate[1] for plate in plates.values()], default=0
    )
    if lands:
        top = min(top, lands[-1].y(lands[-1].columns) - 32)
    here = next((i for i, stage in enumerate(stages) if stage.state is State.NEXT), None)
    out: list[SafeString] = []
    if here is not None:
        top -= 30
        out.append(_here(lands[here].left - (gap / 2 if here else 0), top + 6, ground, width))
    small = min((land.right - land.left for land in lands), default=0) + gap < 24
    free = 0.0  # where the last label ends
    for i, (stage, land) in enumerate(zip(stages, lands, strict=True)):
        label, end = _stage_label(stage, land, ground + 20, gap, named=wide, small=small)
        at_the_end = i == len(stages) - 1 and i not in plates  # once it is won, the winner's bib hangs there
        clear = land.left >= free
        free = end if clear else free
        out.append(
            tag(
                "g",
                land.drawn(engraved=stage.state is not State.AHEAD),
                tag("path", class_="pf-base", d=path("M", land.left, ground, "H", land.right)),
                label if clear else "",
                _bib_on_pole(stage.winner, land, *plates[i]) if i in plates else "",
                _finish(land.right - 16, land.y(land.columns)) if at_the_end else "",
                class_=f"pf-{stage.state}",
            )
        )
    return drawing(
        *out,
        class_=f"pf pf-sky pf-{'wide' if wide else 'narrow'}",
        box=(0, top - 2, width, ground + 26 - top + 2),
        words=_skyline_words(stages),
    )


def _plates(
    stages: Sequence[SkylineStage], lands: Sequence[_Land], size: tuple[float, float]
) -> dict[int, tuple[float, float, float, float]]:
    """Where the winners' bibs hang: left, top, width, height by stage. Over the land, and over one another if need be."""
    out: dict[int, tuple[float, float, float, float]] = {}
    for i, (stage, land) in enumerate(zip(stages, lands, strict=True)):
        if not stage.winner:
            continue
        width, height = max(size[0], text_width(stage.winner, 13) + 8), size[1]
        left = max(1.0, land.right - width)
        under = min(other.crest(left - 3, land.right + 3) for other in lands)
        y = min(land.y(land.columns) - 14, under - 6) - height
        clashes = [top for x, top, w, _ in out.values() if x - 3 < left + width and left < x + w + 3]
        while any(abs(top - y) < height + 2 for top in clashes):
            y -= 3
        out[i] = (left, y, width, height)
    return out


def _bib_on_pole(bib: str, land: _Land, left: float, top: float, width: float, height: float) -> SafeString:
    return join(
        [
            tag("path", class_="pf-pole", d=path("M", land.right - 1, land.y(land.columns), "V", top + height)),
            tag("rect", class_="c-bib", x=left, y=top, width=width, height=height, rx=3),
            tag("text", printable(bib), class_="c-bibn", x=left + width / 2, y=top + height / 2 + 5),
        ]
    )


def _stage_label(
    stage: SkylineStage, land: _Land, y: float, gap: float, *, named: bool, small: bool
) -> tuple[SafeString, float]:
    """The number of a stage, and its name where it fits; and how far it reaches to the right."""
    number, size = printable(stage.number), 11 if small else 16
    before = text_width(f"{number} ", size)
    room = land.right - land.left + gap - 4 - before
    name = fitted(printable(stage.name), size, room) if named and not small else ""
    label = tag(
        "text",
        f"{number} " if name else number,
        tag("tspan", name) if name else "",
        class_="pf-no" if small else "pf-sn",
        x=land.left,
        y=y,
    )
    return label, land.left + before + text_width(name, size)


def _here(x: float, y: float, ground: float, width: float) -> SafeString:
    """The arrow at the road that comes next."""
    label = _("You are here")
    before = x - 11 - text_width(label, 13) > 0
    return join(
        [
            tag("path", class_="pf-dot", d=path("M", x, y + 9, "V", ground)),
            tag("path", class_="pf-here", d=path("M", max(x, 6) - 6, y, "h12l-6 9z")),
            tag(
                "text",
                label,
                class_="pf-tx",
                text_anchor="end" if before else "start",
                x=x - 11 if before else max(x, 6) + 11,
                y=y + 9,
            ),
        ]
    )


def _skyline_words(stages: Sequence[SkylineStage]) -> str:
    return "; ".join(_skyline_stage_words(stage) for stage in stages)


def _skyline_stage_words(stage: SkylineStage) -> str:
    facts = {"number": stage.number, "name": stage.name, "bib": stage.winner}
    if stage.state is State.PAST and stage.winner:
        return _("stage %(number)s %(name)s, won by %(bib)s") % facts
    if stage.state is State.PAST:
        return _("stage %(number)s %(name)s, ridden") % facts
    if stage.state is State.NEXT:
        return _("stage %(number)s %(name)s, next") % facts
    return _("stage %(number)s %(name)s, to come") % facts
