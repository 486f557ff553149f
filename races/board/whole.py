"""Around the board: the whole course in one picture with the field on it, the field in words, what the signs mean."""

from bisect import bisect_right
from dataclasses import dataclass
from math import atan2, cos, degrees, radians, sin
from typing import Final, NamedTuple

from django.utils.formats import number_format
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from races.board.circuit import circuit
from races.board.labels import Labels, Spot
from races.board.strip import (
    PATTERNS,
    REAR,
    XLINK,
    Drawing,
    Ground,
    Sign,
    Stance,
    Strip,
    Token,
    fall_sign,
    lead_sign,
    link,
    moved_sign,
    plate_sign,
    warning_sign,
    wheel_sign,
)
from races.board.svg import join, number, path, printable, tag, text_width


# ---- the field -------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Riders close together, or the peloton, at the tick of the first of them."""

    tick: int
    label: str
    turn: bool  # it is the move of one of them
    pack: bool = False


def groups(strip: Strip) -> tuple[Group, ...]:
    """The field on the road, front first."""
    road, out = strip.road, []
    near: list[tuple[int, Token]] = []

    def close() -> None:
        if near:
            label = near[0][1].bib
            if len(near) > 1:
                label = ngettext("%(count)s rider", "%(count)s riders", len(near)) % {"count": len(near)}
            out.append(Group(tick=near[0][0], label=label, turn=any(token.turn for _tick, token in near)))
            near.clear()

    standing = [(road.squares[token.square].end, token) for token in strip.tokens if token.square is not None]
    for tick, token in sorted(standing, key=lambda one: -one[0]):
        if near and near[-1][0] - tick > road.near * road.tick:
            close()
        near.append((tick, token))
    close()
    if strip.pack:
        inside = [token for token in strip.tokens if token.inside]
        label = f"{strip.pack.label} {len(inside)}" if inside else strip.pack.label
        turn = any(token.turn or token.rider == strip.sender for token in inside)
        out.append(Group(tick=strip.pack.end, label=label, turn=turn, pack=True))
    return tuple(sorted(out, key=lambda group: -group.tick))


class Row(NamedTuple):
    """A rider of the list beside the board."""

    bib: str
    name: str
    place: str
    gap: str  # to whoever is before him on the road; empty for the first
    notes: str
    jersey: str
    rider: str
    mine: bool


def in_words(strip: Strip) -> list[Row]:
    """The field, front first: what the board shows, made from the same values, for those who do not see it."""
    rows: list[Row] = []
    bibs = {token.rider: token.bib for token in strip.tokens}
    last: int | None = None
    for token in strip.tokens:
        waits = token.inside and strip.pack is not None and strip.pack.waits
        tick = None if token.apart or waits else strip.tick_of(token)
        notes = list(token.notes)
        if token.behind is not None:
            notes.append(_("on the wheel of %(rider)s") % {"rider": bibs[token.behind]})
        if token.since is not None and token.square is not None:
            squares = strip.road.squares
            moved = (squares[token.square].end - squares[token.since].end) / strip.road.tick
            if moved > 0:
                notes.append(_("moved %(columns)s since your last turn") % {"columns": _columns(moved)})
        gap = ""
        if tick is not None and last is not None:
            behind = (last - tick) / strip.road.tick
            gap = _("level") if behind <= 0 else _("%(columns)s behind") % {"columns": _columns(behind)}
        if tick is not None:
            last = tick
        rows.append(
            Row(token.bib, token.name, token.place, gap, ", ".join(notes), token.jersey, token.rider, token.mine)
        )
    return rows


def _columns(columns: float) -> str:
    """Columns with one decimal where a bend leaves a part of one, as figures are written in the reader's language."""
    rounded = round(columns, 1)
    return str(number_format(int(rounded) if rounded == int(rounded) else rounded))


# ---- the signs -------------------------------------------------------------------------------------------------------
class Sample(NamedTuple):
    """A sign of the board and what it means."""

    sign: SafeString
    words: str


def key(strip: Strip, shown: Drawing) -> list[Sample]:
    """The signs that are on this board, and only those, for a legend below it."""
    begin = (shown.window - 1) * strip.road.tick
    end_of = begin + shown.columns * strip.road.tick
    seen = {name for name, square in strip.road.squares.items() if begin < (square.start + square.end) / 2 < end_of}
    near = "zoom" not in shown.query
    riders = [token for token in strip.tokens if token.square in seen]
    inside = [token for token in strip.tokens if token.inside]
    offered = [choice for choice in strip.choices if choice.shown and choice.square in seen]
    free = [choice.label for choice in offered if not choice.priced and not choice.risk and not choice.loud]
    played = next((choice.label for choice in offered if choice.loud), "")
    gives = next((value for name, value in strip.gives.items() if name in seen and near), "")
    badge = next((strip.road.squares[name].badge for name in seen if strip.road.squares[name].badge), "")
    gained = next((label for label in free if label.startswith("+")), "")
    risky = next((choice.risk for choice in offered if choice.risk), "")
    found = (
        (any(token.turn for token in (*riders, *inside)) or strip.sender, _ring(), _("whose move it is")),
        (any(t.mine and not t.turn for t in (*riders, *inside)), _bar(), _("your rider")),
        (any(t.moved for t in riders), moved_sign(20, 12), _("has moved in this turn")),
        (any(t.leads for t in riders), lead_sign(20, 13), _("leads")),
        (bool(played), _pill(played), _("factor that leads here")),
        (bool(gives), _figure(gives, "bd-gives"), _("new factor that the square would give now")),
        (bool(badge), _badge(badge), _("lap")),
        (any(end > begin and start < end_of for start, end, _r in strip.chains), _chain(), _("no gap between them")),
        (any(rest.squares & seen for rest in strip.resting), _rests(), _("rests beside the road")),
        (any(choice.priced for choice in offered), _pill("3"), _("energy that stopping here costs")),
        (bool(gained), _figure(gained), _("energy that comes back")),
        ("0" in free, _figure("0"), _("stopping here is free")),
        (bool(risky) and near, _risk(risky), _("a risk, and what it asks for")),
        (any(t.behind in {r.rider for r in riders} for t in riders), _wake(), _("slipstream of the rider in front")),
        (near and any(t.since is not None for t in riders), _figure("+4", "bd-moved"), _("columns moved since your turn")),
        (any(t.stance is Stance.FALLEN for t in riders), fall_sign(20, 12), _("fallen, beside his square")),
        (any(t.stance is Stance.PUNCTURED for t in riders), wheel_sign(20, 12), _("punctured, waits")),
        (any(strip.road.squares[name].black for name in seen), _black(), _("black asphalt")),
    )  # fmt: skip
    return [Sample(_sign(shape), words) for there, shape, words in found if there]


def _sign(shape: SafeString) -> SafeString:
    return tag("svg", shape, class_="bd-board bd-sign", viewBox="0 0 40 24", width=40, height=24, aria_hidden="true")


def _ring() -> SafeString:
    return tag("circle", cx=20, cy=12, r=9.5, class_="bd-ring")


def _bar() -> SafeString:
    bib = tag("rect", x=9, y=2, width=22, height=14, rx=3, class_="bd-bib")
    return join([bib, tag("path", d="M8 20H32", class_="bd-mine")])


def _figure(label: str, class_: str = "bd-way") -> SafeString:
    return tag("text", printable(label), x=20, y=17, class_=class_, text_anchor="middle")


def _pill(label: str) -> SafeString:
    figure = tag("text", label, x=20, y=17.5, class_="bd-pilltext", text_anchor="middle")
    return join([plate_sign(20, 12, 28, 22), figure])


def _risk(label: str) -> SafeString:
    figure = tag("text", printable(label), x=17, y=16.5, class_="bd-risktext")
    return tag("g", plate_sign(20, 12, 38, 22), warning_sign(10, 12), figure, class_="bd-risky")


def _wake() -> SafeString:
    return tag("path", d="M6 12H33m-6-5 6 5-6 5", class_="bd-wake")


def _badge(lap: str) -> SafeString:
    figure = tag("text", printable(lap), x=20, y=15.8, class_="bd-badgetext", text_anchor="middle")
    return join([tag("circle", cx=20, cy=12, r=6.5, class_="bd-badge"), figure])


def _chain() -> SafeString:
    return tag("path", d="M6 16V9H34V16", class_="bd-chain")


def _rests() -> SafeString:
    return tag("use", href="#jersey-white-plain", x=10, y=2, width=20, height=20, class_="bd-shirt")


def _black() -> SafeString:
    place = {"x": 8, "y": 2, "width": 24, "height": 20}
    return join([tag("rect", **place, class_="bd-sq bd-black"), tag("rect", **place, fill="url(#on-black)")])


# ---- the altimetry ---------------------------------------------------------------------------------------------------
CIRCUIT_UP: Final = 250.0
CIRCUIT_ON: Final = 236.0
"""Heights of a circuit from above, on a phone and on a wide screen."""

ROW: Final = 29.0
"""Of a row of pins, so that each is a target of 24 pixels on the smallest phone."""

GROUND_Y: Final = 121.0
"""Of the foot of the land; pins are above it, names of lines below."""
TALL: Final = 46.0
LEAST_HEIGHT: Final = 9.0
"""Units of height that fill the picture at least: a flat stage stays flat."""


class _Altimetry:
    """A course from the side: ticks to the right, height up."""

    def __init__(self, strip: Strip, width: float) -> None:
        self.road, self.width = strip.road, width
        self.ticks, self.heights = [0], [0.0]
        for stretch in self.road.stretches:
            self.ticks.append(stretch.end)
            self.heights.append(self.heights[-1] + stretch.rise)
        low = min(self.heights)
        self.low, self.scale = low, TALL / max(LEAST_HEIGHT, max(self.heights) - low)

    def x(self, tick: float) -> float:
        part = min(max(tick / self.ticks[-1], 0.0), 1.0)
        return 12 + part * (self.width - 24)

    def y(self, tick: float) -> float:
        i = min(max(bisect_right(self.ticks, tick), 1), len(self.ticks) - 1)
        begin, end = self.ticks[i - 1], self.ticks[i]
        part = min(max((tick - begin) / (end - begin), 0.0), 1.0)
        height = self.heights[i - 1] * (1 - part) + self.heights[i] * part
        return GROUND_Y - 7 - (height - self.low) * self.scale

    def line(self, start: int, end: int) -> str:
        ticks = [start, *(tick for tick in self.ticks if start < tick < end), end]
        return "L".join(f"{number(self.x(tick))} {number(self.y(tick))}" for tick in ticks)

    def land(self, start: int, end: int) -> str:
        foot = number(GROUND_Y)
        return f"M{number(self.x(start))} {foot}L{self.line(start, end)}L{number(self.x(end))} {foot}z"


def overview(strip: Strip, shown: Drawing) -> SafeString:
    """The course from the side with the field on it, as wide as the drawing that it stands above.

    Its pins are links to the windows around them; the frame is the window that is drawn.
    """
    if strip.road.circuit:
        height = CIRCUIT_UP if shown.upright else CIRCUIT_ON
        return circuit(strip, groups(strip), width=shown.width, height=height, shown=shown)
    land = _Altimetry(strip, shown.width)
    finish = land.ticks[-1]
    out = [tag("path", d=land.land(0, finish), class_="bd-land")]
    for stretch in strip.road.stretches:
        if stretch.ground is not Ground.PLAIN:
            d = land.land(stretch.start, stretch.end)
            out.append(tag("path", d=d, class_=f"bd-hill bd-{stretch.ground}"))
            if stretch.ground in PATTERNS:
                out.append(tag("path", d=d, fill=f"url(#up-{stretch.ground})"))
    out.append(tag("path", d=f"M{land.line(0, finish)}", class_="bd-ridge"))
    for line in strip.road.lines:
        d = path("M", land.x(line.tick), GROUND_Y, "V", GROUND_Y - TALL - 12)
        out.append(tag("path", d=d, class_=f"bd-mark bd-{line.sign}"))
    out += _line_names(strip, land)
    begin = (shown.window - 1) * strip.road.tick
    left, right = land.x(begin), land.x(begin + shown.columns * strip.road.tick)
    top = GROUND_Y - TALL - 17
    out.append(tag("rect", x=left, y=top, width=right - left, height=GROUND_Y - top + 3, rx=3, class_="bd-window"))
    pins, rows = _pins(strip, land, shown)
    crop = 0.0 if rows > 1 else ROW  # one row of pins is enough
    return tag(
        "svg",
        tag("g", *out, aria_hidden="true"),
        pins,
        class_="bd-board bd-overview",
        viewBox=f"0 {number(crop)} {number(land.width)} {number(GROUND_Y + 20 - crop)}",
        width=land.width,
        height=GROUND_Y + 20 - crop,
        **XLINK,
    )


def _line_names(strip: Strip, land: _Altimetry) -> list[SafeString]:
    """The names of the lines, start and finish first, as far as they have room."""
    out = []
    taken: list[tuple[float, float]] = []
    ends = (Sign.START, Sign.FINISH)
    for line in sorted(strip.road.lines, key=lambda line: (line.sign not in ends, line.tick)):
        label = printable(line.label)
        wide = text_width(label, 11)
        x = min(max(land.x(line.tick), 4 + wide / 2), land.width - 4 - wide / 2)
        if all(abs(x - other) > (wide + room) / 2 + 4 for other, room in taken):
            out.append(tag("text", label, x=x, y=GROUND_Y + 15, class_="bd-small", text_anchor="middle"))
            taken.append((x, wide))
    return out


def _pins(strip: Strip, land: _Altimetry, shown: Drawing) -> tuple[SafeString, int]:
    """A plate for each group in one or two rows, tied to its place on the road; how many rows."""
    plates, free = [], [land.width - 2.0] * 2  # where the next plate of a row may end; rows from below
    found = groups(strip)
    for group in found:
        wide = text_width(printable(group.label), 12.5) + 14
        wanted = min(max(land.x(group.tick) - wide / 2, 2.0), land.width - wide - 2)
        lefts = [min(wanted, room - wide) for room in free]
        row = 1 if lefts[1] > lefts[0] + 1 else 0
        free[row] = lefts[row] - 4
        plates.append((group, lefts[row], wide, row))
    stems, links = [], []
    for group, left, wide, row in plates:
        x, y = land.x(group.tick), 1.5 * ROW - ROW * row
        now = " bd-now" if group.turn else ""
        stems.append(tag("path", d=path("M", left + wide / 2, y + 10, "L", x, land.y(group.tick)), class_="bd-stem"))
        stems.append(tag("circle", cx=x, cy=land.y(group.tick), r=4, class_=f"bd-here{now}"))
        plate = [
            tag("rect", x=left - 1, y=y - ROW / 2, width=max(wide + 2, ROW), height=ROW, class_="bd-target"),
            tag("rect", x=left, y=y - 9.5, width=wide, height=19, rx=2, class_=f"bd-pin{now}"),
            tag(
                "text",
                printable(group.label),
                x=left + wide / 2,
                y=y + 4.5,
                class_=f"bd-pintext{now}",
                text_anchor="middle",
            ),
        ]
        column = strip.road.column(group.tick)
        words = _("%(group)s, column %(column)s") % {"group": group.label, "column": column}
        query = {**shown.query, "window": str(column - REAR)}
        links.append(link(*plate, query=query, htmx=shown.htmx, words=words, class_="bd-pinlink"))
    rows = 1 + max((row for _group, _left, _wide, row in plates), default=0)
    return join([tag("g", *stems, aria_hidden="true"), *links]), rows


# ---- the map ---------------------------------------------------------------------------------------------------------
TURN: Final = 60
"""Degrees of a bend: a sixth of a turn, as the hexagons of the box have it."""


def _walk(strip: Strip) -> list[Spot]:
    """The road with its real bends: a point every half column, one unit apart."""
    step = strip.road.tick / 2
    spots = [Spot(0, 0.0, 0.0, 0.0)]
    for stretch in strip.road.stretches:
        steps = int((stretch.end - stretch.start) / step)
        for i in range(1, steps + 1):
            before = spots[-1]
            heading = before.heading + stretch.bend * TURN / steps
            turned = radians(before.heading + stretch.bend * TURN / steps / 2)
            spots.append(Spot(stretch.start + i * step, before.x + cos(turned), before.y + sin(turned), heading))
    return spots


def _laid(strip: Strip, width: float, height: float, margin: float) -> list[Spot]:
    """The walk turned so that it goes from left to right, and fitted into the paper."""
    spots = _walk(strip)
    first, last = spots[0], spots[-1]
    turn = -degrees(atan2(last.y - first.y, last.x - first.x))
    c, s = cos(radians(turn)), sin(radians(turn))
    turned = [Spot(p.tick, p.x * c - p.y * s, p.x * s + p.y * c, p.heading + turn) for p in spots]
    xs, ys = [p.x for p in turned], [p.y for p in turned]
    scale = min((width - 2 * margin) / max(1.0, max(xs) - min(xs)), (height - 2 * margin) / max(1.0, max(ys) - min(ys)))
    dx, dy = (width - scale * (max(xs) + min(xs))) / 2, (height - scale * (max(ys) + min(ys))) / 2
    return [Spot(p.tick, dx + scale * p.x, dy + scale * p.y, p.heading) for p in turned]


def course_map(strip: Strip, shown: Drawing | None = None, *, width: float = 720, height: float = 320) -> SafeString:
    """The course from above with its bends, its grounds and lines and the field; nothing on it can be chosen."""
    if strip.road.circuit:
        return circuit(strip, groups(strip), width=width, height=height, shown=None)
    spots = _laid(strip, width, height, 56)

    def run(start: float, end: float) -> str:
        points = [f"{number(p.x)} {number(p.y)}" for p in spots if start <= p.tick <= end]
        return "M" + "L".join(points) if points else ""

    finish = spots[-1].tick
    out = []
    if shown is not None:
        begin = (shown.window - 1) * strip.road.tick
        out.append(tag("path", d=run(begin, begin + shown.columns * strip.road.tick), class_="bd-maphere"))
    out.append(tag("path", d=run(0, finish), class_="bd-mapedge"))
    for stretch in strip.road.stretches:
        d = run(stretch.start, stretch.end)
        out.append(tag("path", d=d, class_=f"bd-mapway bd-{stretch.ground}"))
        if stretch.ground is not Ground.PLAIN:
            out.append(tag("path", d=d, class_=f"bd-mapsign bd-{stretch.ground}"))
    labels = Labels(width, height, spots[::2])
    for line in strip.road.lines:
        spot = _spot(spots, line.tick)
        ox, oy = -sin(radians(spot.heading)), cos(radians(spot.heading))
        d = path("M", spot.x - 12 * ox, spot.y - 12 * oy, "L", spot.x + 12 * ox, spot.y + 12 * oy)
        out.append(tag("path", d=d, class_=f"bd-mark bd-{line.sign}"))
        label = printable(line.label)
        x, y = labels.place(spot, text_width(label, 11), 14)
        out.append(tag("text", label, x=x, y=y + 4, class_="bd-small", text_anchor="middle"))
    for group in groups(strip):
        spot = _spot(spots, group.tick)
        label = printable(group.label)
        wide = text_width(label, 12.5) + 14
        x, y = labels.place(spot, wide, 19)
        now = " bd-now" if group.turn else ""
        out += [
            tag("path", d=path("M", spot.x, spot.y, "L", x, y), class_="bd-stem"),
            tag("circle", cx=spot.x, cy=spot.y, r=5, class_=f"bd-here{now}"),
            tag("rect", x=x - wide / 2, y=y - 9.5, width=wide, height=19, rx=2, class_=f"bd-pin{now}"),
            tag("text", label, x=x, y=y + 4.5, class_=f"bd-pintext{now}", text_anchor="middle"),
        ]
    words = _("%(course)s from above: %(field)s") % {
        "course": strip.road.title,
        "field": ", ".join(f"{group.label} {strip.road.column(group.tick)}" for group in groups(strip)),
    }
    return tag(
        "svg",
        *out,
        class_="bd-board bd-map",
        viewBox=f"0 0 {number(width)} {number(height)}",
        role="img",
        aria_label=printable(words),
    )


def _spot(spots: list[Spot], tick: float) -> Spot:
    i = bisect_right(spots, tick, key=lambda spot: spot.tick)
    return spots[min(max(i - 1, 0), len(spots) - 1)]
