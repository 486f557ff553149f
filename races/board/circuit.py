"""A circuit from above: the squares as they are printed, its lines with what is still to be won, and the field on it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from math import ceil, cos, pi, sin, sqrt
from typing import TYPE_CHECKING, Final

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from races.board.labels import Labels, Spot
from races.board.strip import REAR, XLINK, Drawing, Road, Sign, Strip, link
from races.board.svg import cut, join, number, path, printable, tag, text_width

if TYPE_CHECKING:
    from races.board.whole import Group

BROAD: Final = 30.0
"""User units across the track."""
PIN: Final = 25.0
"""Height that a plate is given."""
TARGET: Final = 32.0
"""Of what can be hit, so that it has 24 pixels where the picture is drawn smaller."""
AROUND: Final = 46.0
"""User units around the middle of the track."""
STRETCH: Final = 5
"""So many squares of the circuit are as long as a thumb is wide, on a phone."""
LONGEST: Final = 5.0
"""So many times as long as it is wide is the track at the most."""
REACH: Final = (24, 36, 50, 66, 84, 106, 130)
"""How far a plate may stand from its place on the track."""
MOST_LINES: Final = 5
"""Lines that the infield tells."""
SMALL: Final = (132.0, 46.0)
"""Of a road in a line of a list."""


@dataclass(frozen=True, slots=True)
class Ring:
    """Two straights and two half circles; ridden to the right below and to the left above, so that inside is left.

    Measured in squares from the rear edge of the one where the race starts.
    """

    squares: int
    left: float
    right: float
    top: float
    bottom: float

    @property
    def _radius(self) -> float:
        return (self.bottom - self.top) / 2

    @property
    def _straight(self) -> float:
        return self.right - self.left - 2 * self._radius

    def spot(self, at: float, aside: float = 0.0) -> Spot:
        """A place on the track, `aside` units further out than its middle."""
        radius, straight = self._radius, self._straight
        bend = pi * radius
        way = (at / self.squares * 2 * (straight + bend) + straight * 0.5) % (2 * (straight + bend))
        middle = (self.top + self.bottom) / 2
        first, second = self.left + radius, self.right - radius
        if way <= straight:
            return Spot(at, first + way, self.bottom + aside, 0.0)
        if way <= straight + bend:
            turned = (way - straight) / radius
            out = radius + aside
            return Spot(at, second + out * sin(turned), middle + out * cos(turned), -turned * 180 / pi)
        if way <= 2 * straight + bend:
            return Spot(at, second - (way - straight - bend), self.top - aside, 180.0)
        turned = (way - 2 * straight - bend) / radius
        out = radius + aside
        return Spot(at, first - out * sin(turned), middle - out * cos(turned), 180.0 - turned * 180 / pi)

    def inside(self, y: float) -> tuple[float, float]:
        """From where to where the infield reaches at that height."""
        inner = self._radius - BROAD / 2
        deep = sqrt(max(0.0, inner**2 - (y - (self.top + self.bottom) / 2) ** 2))
        return self.left + self._radius - deep, self.right - self._radius + deep

    def run(self, start: float, end: float, aside: float = 0.0) -> str:
        """The way from one place to another, at most once around."""
        end = min(end, start + self.squares)
        steps = max(1, ceil((end - start) * 240 / self.squares))
        spots = (self.spot(start + (end - start) * step / steps, aside) for step in range(steps + 1))
        return "M" + "L".join(f"{number(spot.x)} {number(spot.y)}" for spot in spots)

    def band(self, start: float, end: float, inner: float, outer: float) -> str:
        """A piece of the track as an area, from `inner` to `outer` units out from its middle."""
        steps = max(1, ceil((end - start) * 240 / self.squares))
        places = [start + (end - start) * step / steps for step in range(steps + 1)]
        spots = [*(self.spot(at, outer) for at in places), *(self.spot(at, inner) for at in reversed(places))]
        return "M" + "L".join(f"{number(spot.x)} {number(spot.y)}" for spot in spots) + "z"

    def across(self, at: float, reach: float) -> str:
        one, two = self.spot(at, -reach), self.spot(at, reach)
        return path("M", one.x, one.y, "L", two.x, two.y)


@dataclass(frozen=True, slots=True)
class Straight:
    """An open road, ridden to the right; measured like a `Ring`."""

    squares: int
    left: float
    right: float
    middle: float

    def spot(self, at: float, aside: float = 0.0) -> Spot:
        return Spot(at, self.left + (self.right - self.left) * at / self.squares, self.middle + aside, 0.0)

    def run(self, start: float, end: float, aside: float = 0.0) -> str:
        one, two = self.spot(start, aside), self.spot(end, aside)
        return path("M", one.x, one.y, "L", two.x, two.y)

    def across(self, at: float, reach: float) -> str:
        one, two = self.spot(at, -reach), self.spot(at, reach)
        return path("M", one.x, one.y, "L", two.x, two.y)


def ring_of(road: Road, width: float, height: float) -> Ring:
    """The track on a paper of that size, with room around it for plates."""
    tall = height - 2 * AROUND
    side = max(AROUND, (width - LONGEST * tall) / 2)
    return Ring(road.circuit or road.last, side, width - side, AROUND, height - AROUND)


def circuit(
    strip: Strip, field: Sequence["Group"], *, width: float, height: float, shown: Drawing | None
) -> SafeString:
    """The circuit with the field; with `shown` the plates are links to the windows around them, and that one is marked."""
    road = strip.road
    ring = ring_of(road, width, height)
    out = [_track(ring)]
    if shown is not None:
        out.append(tag("path", d=ring.run(shown.window, shown.window + shown.columns), class_="bd-trackhere"))
    out.append(_numbers(ring))
    labels = Labels(width, height, _middle(ring), clear=BROAD / 2 + 3, reach=REACH)
    room = width - 2 * (ring.left + BROAD / 2) - 24
    out += [*_marks(road, ring), *_named(road, ring, labels), *_infield(strip, labels, width / 2, height / 2, room)]
    out += [*_resting(strip, ring, labels), *_riders(strip, ring)]
    plates = [_plate(strip, ring, group, labels, shown) for group in field]
    out += [stem for stem, _plate_ in plates]
    words = _("%(course)s from above: %(field)s") % {
        "course": road.title, "field": ", ".join(f"{group.label} {road.column(group.tick)}" for group in field),
    }  # fmt: skip
    picture: dict[str, str | float] = {
        "viewBox": f"0 0 {number(width)} {number(height)}",
        "width": width,
        "height": height,
    }
    if shown is None:
        drawn = [*out, *(plate for _stem, plate in plates)]
        return tag("svg", *drawn, class_="bd-board bd-circuit", role="img", aria_label=printable(words), **picture)
    still = tag("g", *out, aria_hidden="true")
    links = join([*_nooks(strip, ring, shown), *(plate for _stem, plate in plates)])
    return tag("svg", still, links, class_="bd-board bd-overview bd-circuit", **picture, **XLINK)


def plan(strip: Strip, *, width: float, height: float, words: str) -> SafeString:
    """The road before anybody rides it: a plate at every line, and what is to be won there."""
    road = strip.road
    way: Ring | Straight
    if road.circuit:
        way = ring_of(road, width, height)
        middle, room = height / 2, width - 2 * (way.left + BROAD / 2) - 24
    else:
        way = Straight(road.last + 1, 18, width - 18, AROUND + BROAD / 2)
        middle, room = (AROUND + BROAD + height) / 2 + 8, width - 24
    labels = Labels(width, height, _middle(way), clear=BROAD / 2 + 3, reach=REACH)
    out = [_track(way), _numbers(way), *_marks(road, way), *_infield(strip, labels, width / 2, middle, room)]
    plates = []
    for square, label in _called(road, way.squares):
        spot, wide = way.spot(square + 1), text_width(label, 12.5) + 12
        x, y = labels.place(spot, wide, PIN)
        out.append(tag("path", d=path("M", spot.x, spot.y, "L", x, y), class_="bd-stem"))
        plates.append(tag("rect", x=x - wide / 2, y=y - 9.5, width=wide, height=19, rx=2, class_="bd-pin"))
        plates.append(tag("text", label, x=x, y=y + 4.5, class_="bd-pintext", text_anchor="middle"))
    return tag(
        "svg",
        *out,
        *plates,
        class_="bd-board bd-circuit bd-plan",
        viewBox=path(0.0, 0.0, width, height),
        width=width,
        height=height,
        role="img",
        aria_label=printable(words),
    )


def _called(road: Road, squares: int) -> list[tuple[int, str]]:
    """The squares with lines, and what these are called there: laps bring several to one square."""
    there: dict[int, list[str]] = {}
    for line in road.lines:
        names = there.setdefault(line.tick % squares, [])
        if line.label and line.sign is not Sign.START:
            names.append(line.label)
    start = next((line.label for line in road.lines if line.sign is Sign.START), "")
    out = []
    for square, names in there.items():
        label = ", ".join(names) if names else start if square == 0 else ""
        if len(names) > 2:
            label = _("%(line)s and %(count)s more") % {"line": names[-1], "count": len(names) - 1}
        if label:
            out.append((square, printable(label)))
    return out


def mini(road: Road, *, words: str) -> SafeString:
    """The road for a line of a list: its shape and its lines, nothing to read."""
    width, height = SMALL
    way = (
        Ring(road.circuit, 8, width - 8, 9, height - 9)
        if road.circuit
        else Straight(road.last + 1, 4, width - 4, height / 2)
    )
    around = f"{way.run(0, way.squares)}{'z' if road.circuit else ''}"
    lines = [
        tag("path", d=way.across(line.tick + 1, 8), class_=f"road-line road-{line.sign}")
        for line in road.lines
        if line.sign in (Sign.SPRINT, Sign.FINISH)
    ]
    return tag(
        "svg",
        tag("path", d=around, class_="road-edge"),
        tag("path", d=around, class_="road-way"),
        *lines,
        class_="road-mini",
        viewBox=path(0.0, 0.0, width, height),
        width=width,
        height=height,
        role="img",
        aria_label=printable(words),
    )


@lru_cache(maxsize=64)
def _track(ring: Ring | Straight) -> SafeString:
    """The empty track; the same for everybody."""
    around = f"{ring.run(0, ring.squares)}{'z' if isinstance(ring, Ring) else ''}"
    cells = "".join(ring.across(square, BROAD / 2) for square in range(ring.squares))
    return join(
        [
            tag("path", d=around, class_="bd-trackedge"),
            tag("path", d=around, class_="bd-track"),
            tag("path", d=cells, class_="bd-trackcell"),
        ]
    )


@lru_cache(maxsize=64)
def _middle(ring: Ring | Straight) -> tuple[Spot, ...]:
    """Its middle line, in steps that leave no room between them for a plate."""
    steps = max(ring.squares, 40)
    return tuple(ring.spot(step * ring.squares / steps) for step in range(steps))


@lru_cache(maxsize=64)
def _numbers(ring: Ring | Straight) -> SafeString:
    """Every fifth square by its number; every tenth where they are small. Beside an open road, for want of room in it."""
    aside = BROAD / 2 - 6.5 if isinstance(ring, Ring) else BROAD / 2 + 9
    step = 5 if ring.squares <= 60 else 10 if ring.squares <= 120 else 20
    out = []
    for square in range(0, ring.squares, step):
        spot = ring.spot(square + 0.5, aside)
        out.append(tag("text", str(square), x=spot.x, y=spot.y + 3.6, class_="bd-trackno", text_anchor="middle"))
    return join(out)


def _marks(road: Road, ring: Ring | Straight) -> list[SafeString]:
    """The lines across the track."""
    return [
        tag("path", d=ring.across(line.tick + 1, BROAD / 2 + 4), class_=f"bd-mark bd-{line.sign}")
        for line in road.lines
        if line.sign is not Sign.LAP
    ]


def _named(road: Road, ring: Ring, labels: Labels) -> list[SafeString]:
    """What the lines are called, inside the track beside them."""
    out = []
    for square, label in _called(road, ring.squares):
        if not any(
            line.tick % ring.squares == square and line.sign in (Sign.SPRINT, Sign.FINISH) for line in road.lines
        ):
            continue
        spot, wide = ring.spot(square + 1, -BROAD / 2 - 10), text_width(label, 11)
        first, last = ring.inside(spot.y)
        x = min(max(spot.x, first + wide / 2 + 3), last - wide / 2 - 3)
        labels.take(x, spot.y, wide, 13)
        out.append(tag("text", label, x=x, y=spot.y + 4, class_="bd-trackname", text_anchor="middle"))
    return out


def _infield(strip: Strip, labels: Labels, middle: float, height: float, room: float) -> list[SafeString]:
    """What is still to be won at the lines that come next, around a place and no wider than `room`.

    A line is told by how far it is from the start: laps bring several to one square.
    """
    out, road = [], strip.road
    names = {line.tick: line.label for line in road.lines if line.sign is not Sign.START}
    told = [prize for prize in strip.prizes if prize.left][:MOST_LINES]
    size, pitch = 13.0, 17.0
    for row, prize in enumerate(told):
        y = height + (row - (len(told) - 1) / 2) * pitch
        where = f"{names.get(prize.tick, '')} · {road.column(prize.tick)}"
        points = cut(" ".join(map(str, prize.left)), size, room - text_width(where, size) - 10)
        wide = text_width(f"{where}  {points}", size)
        out.append(
            tag(
                "text",
                printable(where),
                tag("tspan", f" {points}", class_="bd-points"),
                x=middle - wide / 2,
                y=y + 4.5,
                class_="bd-infield",
            )
        )
        labels.take(middle, y, wide, pitch)
    return out


def _riders(strip: Strip, ring: Ring) -> list[SafeString]:
    """A dot for every occupied square, those of one chain held together; who is a lap behind rides further in."""
    out = []
    most = max((_lap(strip, end) for _start, end, _riders in strip.chains), default=0)
    for start, end, _riders in strip.chains:
        aside = -7.0 if _lap(strip, end) < most else -2.0
        out.append(tag("path", d=ring.run(start + 1.5, end + 0.5, aside), class_="bd-trackchain"))
    standing = sorted((strip.road.squares[t.square].end, t.turn) for t in strip.tokens if t.square is not None)
    front = _lap(strip, standing[-1][0]) if standing else 0
    for tick, there in groupby(standing, lambda one: one[0]):
        spot = ring.spot(tick + 0.5, -7.0 if _lap(strip, tick) < front else -2.0)
        now = " bd-now" if any(turn for _tick, turn in there) else ""
        out.append(tag("circle", cx=spot.x, cy=spot.y, r=5, class_=f"bd-here{now}"))
    return out


def _resting(strip: Strip, ring: Ring, labels: Labels) -> list[SafeString]:
    """Outside the track, who rests beside a square."""
    out = []
    for rest in strip.resting:
        square = min(rest.squares, key=int)
        bib = printable(rest.bib)
        wide = text_width(bib, 10) + 4
        spot = ring.spot(strip.road.squares[square].end + 0.5, BROAD / 2 + 9)
        labels.take(spot.x, spot.y, wide, 13)
        out.append(tag("rect", x=spot.x - wide / 2, y=spot.y - 6.5, width=wide, height=13, rx=2, class_="bd-rested"))
        out.append(tag("text", bib, x=spot.x, y=spot.y + 3.6, class_="bd-restedtext", text_anchor="middle"))
    return out


def _nooks(strip: Strip, ring: Ring, shown: Drawing) -> list[SafeString]:
    """Around the track, where somebody may be sent to rest: all of them, also those that the strip has no room for.

    At a desk each is a link. On a phone they are too small for a thumb: there a stretch of them is a link to its window,
    in which they stand beside the road.
    """
    if not strip.nooks:
        return []
    road = strip.road
    ends = {nook.square: road.squares[nook.square].end for nook in strip.nooks}
    places = {
        nook.square: tag(
            "path",
            d=ring.run(ends[nook.square] + 0.12, ends[nook.square] + 0.88, BROAD / 2 + 9),
            class_="bd-nookplace bd-chosen" if nook.chosen else "bd-nookplace",
        )
        for nook in strip.nooks
    }
    links = []
    if shown.upright:
        for _number, stretch in groupby(strip.nooks, lambda nook: int(nook.square) // STRETCH):
            there = [nook.square for nook in stretch]
            first, last = ends[there[0]], ends[there[-1]] + 1
            words = _("Squares %(first)s to %(last)s") % {"first": there[0], "last": there[-1]}
            window = {"window": str(road.column(int(first)) - REAR)}
            parts, names = [places[square] for square in there], "bd-nookstretch"
            links.append(_around(ring, first, last, parts, {**shown.query, **window}, words, names, shown))
    else:
        for nook in strip.nooks:
            first = ends[nook.square]
            query = {**shown.query, "to": nook.value}
            links.append(
                _around(ring, first, first + 1, [places[nook.square]], query, nook.words, "bd-nookring", shown)
            )
    return [tag("g", *links)]


def _around(
    ring: Ring,
    start: float,
    end: float,
    parts: Sequence[SafeString],
    query: Mapping[str, str],
    words: str,
    name: str,
    shown: Drawing,
) -> SafeString:
    """A link on a piece of the track and what is beside it. By keyboard all this is chosen on the strip or in the list."""
    target = tag("path", d=ring.band(start, end, -BROAD / 2, BROAD / 2 + 17), class_="bd-target")
    return link(target, *parts, query=query, htmx=shown.htmx, words=words, class_=name, tabindex="-1")


def _lap(strip: Strip, tick: float) -> int:
    return int(tick // (strip.road.circuit or strip.road.last))


def _plate(
    strip: Strip, ring: Ring, group: "Group", labels: Labels, shown: Drawing | None
) -> tuple[SafeString, SafeString]:
    """The thread from a group to its plate, and the plate with who that is and in which lap."""
    road = strip.road
    spot = ring.spot(group.tick + 0.5)
    label = printable(group.label)
    badge = road.squares[str(group.tick)].badge
    wide = max(PIN, text_width(label, 12.5) + 12 + (16 if badge else 0))
    across = max(wide, TARGET)
    x, y = labels.place(spot, wide, PIN)
    now = " bd-now" if group.turn else ""
    stem = tag("path", d=path("M", spot.x, spot.y, "L", x, y), class_="bd-stem")
    parts = [
        tag("rect", x=x - across / 2, y=y - TARGET / 2, width=across, height=TARGET, class_="bd-target"),
        tag("rect", x=x - wide / 2, y=y - 9.5, width=wide, height=19, rx=2, class_=f"bd-pin{now}"),
        tag("text", label, x=x - (8 if badge else 0), y=y + 4.5, class_=f"bd-pintext{now}", text_anchor="middle"),
    ]
    if badge:
        parts.append(tag("circle", cx=x + wide / 2 - 11, cy=y, r=6.8, class_=f"bd-pinlap{now}"))
        parts.append(
            tag("text", badge, x=x + wide / 2 - 11, y=y + 3.8, class_=f"bd-pinlaptext{now}", text_anchor="middle")
        )
    if shown is None:
        return stem, tag("g", *parts)
    column = road.column(group.tick)
    words = _("%(group)s, %(place)s") % {"group": group.label, "place": road.squares[str(group.tick)].name}
    query = {**shown.query, "window": str(column - REAR)}
    return stem, link(*parts, query=query, htmx=shown.htmx, words=words, class_="bd-pinlink")
