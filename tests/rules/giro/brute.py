"""A second reading of the rules of movement, slow and plain, to hold the engine against.

It takes a position as JSON (what `write_state` gives), lays the road itself, tries every list of lanes there is, and
decides each from the words of the rules: GI-B1 (movement), GI-B2 (breaking away), GI-C2 (risks), GI-D3 (time trials)
and GI-S (cards). It shares no code with `rules.giro`; of the box it takes the built-in courses, as they are written.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from rules.giro.courses import BUILT_IN

COLUMN = 60  # ticks

ROAD = {
    "rouleur": {"P": 3, "M": 1, "D": 4, "R": 2},
    "leader": {"P": 2, "M": 2, "D": 4, "R": 2},
    "climber": {"P": 1, "M": 3, "D": 4, "R": 2},
}
TRIAL = {
    "rouleur": {"P": 3, "M": 2, "D": 4, "R": 2},
    "leader": {"P": 3, "M": 3, "D": 4, "R": 2},
    "climber": {"P": 2, "M": 3, "D": 4, "R": 2},
}
PAID = (0, 1, 3, 5, 8, 11, 15)

SQUARE_ON = {
    "alfredo": "P", "fiorenzo": "D", "francesco": "P", "bernard": "M", "felice": "R", "jacques": "P", "miguel": "PRMD",
    "charlie": "M", "marco": "PRMD",
}  # fmt: skip
SQUARE_IN_SPRINT = ("beppe", "mario")
CRACK_JOKER = {"charlie": 3, "fausto": 1, "gino": 2}
FALL_JOKER = {"beppe": "P", "gastone": "D"}
WITHOUT_A_MOVE = ("eddie",)
UNSEEN = 0
"""A tile that somebody keeps and that is not known here."""


@dataclass(frozen=True)
class Sq:
    """A square of the road; ticks as in the model of the rules."""

    lane: int
    start: int
    end: int
    terrain: str
    black: bool
    segment: tuple[int, int] | None  # (column of its token, category)
    zone: bool
    beyond: bool
    name: str


Way = tuple[int | None, tuple[int, ...], str | None]
"""How a move is ridden: launch lane, lane list, card."""


class Line(NamedTuple):
    """A legal move: how it is ridden and what it leads to."""

    start: int | None
    path: tuple[int, ...]
    card: str | None
    to: str
    steps: int
    cost: int
    worst: int
    risk: str | None
    recovers: int
    passed: int

    @property
    def effect(self) -> tuple[str, int, int, str | None, str | None]:
        """By which two moves differ."""
        return (self.to, self.steps, self.cost, self.risk, self.card)

    @property
    def lanes(self) -> tuple[int, ...]:
        """The lanes from the launch square on: the smallest list of an effect is the one that is offered."""
        return self.path if self.start is None else (self.start, *self.path)


class Road:
    """A course as squares: section 3 of the rules."""

    def __init__(self, course: Mapping[str, Any]) -> None:
        self.lanes: int = course["lanes"]
        sections: list[tuple[str, int, tuple[int, ...], int, int]] = []  # terrain, columns, per lane, dotted, hexagon
        for number, hexagon in enumerate(course["hexes"], 1):
            for word in hexagon.split(":")[1].split():
                found = re.fullmatch(r"([PRMD])(\d+)(?:<([\d,]+)>@(\d))?", word)
                assert found, word
                columns = int(found[2])
                counts = tuple(map(int, found[3].split(","))) if found[3] else (columns,) * self.lanes
                sections.append((found[1], columns, counts, int(found[4] or 0), number))
        self.columns = sum(columns for _, columns, *_ in sections)
        self.arrival = COLUMN * self.columns
        self.dotted = [0] * 6 + [dotted for _, columns, _, dotted, _ in sections for _ in range(columns)] + [0] * 16
        tokens = {int(column): category for column, category in course["cat"].items()}
        zone = self.arrival if course["sprint"] is None else COLUMN * course["sprint"]

        # a mountain is a run of M sections; its columns
        mountain: dict[int, int] = {}  # column -> first column of its mountain
        column, first, last_was_mountain = 1, 0, False
        for terrain, columns, *_ in sections:
            if terrain == "M":
                first = first if last_was_mountain else column
                mountain.update(dict.fromkeys(range(column, column + columns), first))
            last_was_mountain = terrain == "M"
            column += columns

        def segment(start: int, terrain: str) -> tuple[int, int] | None:
            if terrain != "M":
                return None
            here = min(start // COLUMN + 1, self.columns)
            governing = [token for token in tokens if mountain[here] <= token <= here]
            return (max(governing), tokens[max(governing)]) if governing else None

        self.lane: list[list[Sq]] = []
        for lane in range(self.lanes):
            black = {
                (int(hexagon), int(index))
                for hexagon, where, index in (entry.split(":") for entry in course["black"])
                if int(where) == lane
            }
            pieces: list[tuple[int, int, str, bool]] = []
            pieces += [(-COLUMN * i, COLUMN, "P", False) for i in range(6, 0, -1)]
            tick, inside, hexagon = 0, 0, 0
            for terrain, columns, counts, _, number in sections:
                inside, hexagon = (0 if number != hexagon else inside), number
                for _ in range(counts[lane]):
                    length = COLUMN * columns // counts[lane]
                    pieces.append((tick, length, terrain, (number, inside) in black))
                    tick, inside = tick + length, inside + 1
            pieces += [(tick + COLUMN * i, COLUMN, sections[-1][0], False) for i in range(16)]
            names: dict[str, int] = {}
            squares = []
            for start, length, terrain, dark in pieces:
                name = f"{-(-(start + length) // COLUMN)}.{lane}"
                names[name] = names.get(name, 0) + 1
                squares.append(
                    Sq(
                        lane=lane,
                        start=start,
                        end=start + length,
                        terrain=terrain,
                        black=dark,
                        segment=segment(start, terrain),
                        zone=zone <= start < self.arrival,
                        beyond=start >= self.arrival,
                        name=name + ("" if names[name] == 1 else chr(ord("a") + names[name] - 1)),
                    )
                )
            self.lane.append(squares)
        self.named = {square.name: square for lane in self.lane for square in lane}
        self._steps = {square: self._steps_from(square) for square in self.named.values()}
        self._rows = {
            square: tuple(self.containing(lane, square.end - 1) for lane in range(self.lanes))
            for square in self.named.values()
        }

    def containing(self, lane: int, tick: int) -> Sq | None:
        return next((square for square in self.lane[lane] if square.start <= tick < square.end), None)

    def last_up_to(self, lane: int, tick: int) -> Sq:
        return [square for square in self.lane[lane] if square.end <= tick][-1]

    def _steps_from(self, square: Sq) -> tuple[Sq, ...]:
        """Straight on, and diagonally: GI-B1-05."""
        lanes = [lane for lane in (square.lane - 1, square.lane, square.lane + 1) if 0 <= lane < self.lanes]
        reached = (self.containing(lane, square.end) for lane in lanes)
        return tuple(step for step in reached if step is not None)

    def steps(self, square: Sq) -> tuple[Sq, ...]:
        return self._steps[square]

    def row(self, square: Sq) -> tuple[Sq | None, ...]:
        return self._rows[square]

    def front_square(self, front: int) -> Sq:
        """The dotted square at the peloton's front."""
        column = front // COLUMN
        square = self.containing(self.dotted[column + 5], front - 1)
        assert square is not None
        return square


@cache
def _road(course: str) -> Road:
    return Road(json.loads(course))


def road_of(course: object) -> Road:
    """The road of a course in the notation, or of one that is built in."""
    if isinstance(course, str):
        course = next(known for known in BUILT_IN if known["id"] == course)
    return _road(json.dumps(course, sort_keys=True))


class Brute:
    """One position, read from JSON, and what its riders may do."""

    def __init__(self, position: Mapping[str, Any]) -> None:
        options = position["options"]
        self.road = road_of(options["course"])
        course = options["course"]
        kind = next(c["kind"] for c in BUILT_IN if c["id"] == course) if isinstance(course, str) else course["kind"]
        self.kind: str = kind
        self.trial = kind != "road"
        self.max_paid: int = options["max_paid"]
        self.riders: dict[str, Mapping[str, Any]] = position["riders"]
        peloton = position["peloton"] or {"column": 0, "gone": True}  # a time trial has none
        self.front: int = COLUMN * peloton["column"]
        self.gone: bool = peloton["gone"]
        self.piles: Mapping[str, Any] = position["piles"]
        self._lines: dict[str, dict[Way, Line]] = {}

    # ---- who is in the way -------------------------------------------------------------------------------------------
    def in_the_way(self, mover: str) -> tuple[set[Sq], set[Sq]]:
        """Squares of upright riders on the road, and of those who wait with a puncture. GI-M-02, GI-D3-05, GI-D3-16."""
        standing, waiting = set(), set()
        for name, rider in self.riders.items():
            if name == mover or rider["where"] != "road" or rider["fell"]:
                continue
            if self.kind == "itt" or (self.kind == "ttt" and rider["jersey"] != self.riders[mover]["jersey"]):
                continue
            (waiting if rider["waiting"] else standing).add(self.road.named[rider["at"]])
        return standing, waiting

    # ---- every move of a rider ---------------------------------------------------------------------------------------
    def lines(self, name: str) -> dict[Way, Line]:
        """Every legal way to ride, by launch lane, lane list and card: a move, or of a rider inside a break-away."""
        if name not in self._lines:
            self._lines[name] = self._find(name)
        return self._lines[name]

    def _find(self, name: str) -> dict[Way, Line]:
        rider = self.riders[name]
        road = self.road
        leaves_peloton = not self.trial and rider["where"] == "inside"
        origins: list[tuple[int | None, Sq]]
        if rider["where"] == "road":
            origin = road.named[rider["at"]]
            origins = [(None, origin)]
            terrain, zone = origin.terrain, origin.zone
        elif leaves_peloton:  # GI-B2-02, GI-B2-03
            origins = [(lane, road.last_up_to(lane, self.front)) for lane in range(road.lanes)]
            front = road.front_square(self.front)
            terrain, zone = front.terrain, front.zone
        else:  # GI-D3-04
            origins = [(lane, road.last_up_to(lane, 0)) for lane in range(road.lanes)]
            terrain, zone = "P", False

        table = TRIAL if self.trial else ROAD
        base = table[rider["type"]][terrain]  # GI-B1-01, GI-B1-02
        base += rider["strength"] == "descender" and terrain == "D"
        base += rider["strength"] == "sprinter" and zone
        base += bool(rider["slipstream"] and rider["behind"] and rider["where"] == "road")
        cards: list[str | None] = [None]
        if rider["card"] and rider["card"] not in WITHOUT_A_MOVE:
            cards.append(rider["card"])

        found: dict[Way, Line] = {}
        longest = base + 1 + self.max_paid
        for start, origin in origins:
            for squares, passed, ended in self._ways(name, origin, longest):
                for card in cards:
                    line = self._line(
                        rider, start, squares, passed, ended, base, terrain, zone, card, 4 if leaves_peloton else 1
                    )
                    if line is not None:
                        found[line.start, line.path, card] = line
        # GI-B1-09: who rides through others takes the longest way to where he goes
        most: dict[tuple[str, str | None], int] = {}
        for line in found.values():
            most[line.to, line.card] = max(most.get((line.to, line.card), 0), len(line.path))
        return {
            key: line for key, line in found.items() if not line.passed or len(line.path) == most[line.to, line.card]
        }

    def _ways(self, name: str, origin: Sq, longest: int) -> Iterator[tuple[tuple[Sq, ...], int, bool]]:
        """Every way over the road: squares, riders passed, and whether it can go no farther.

        GI-B1-05, GI-B1-06, GI-B1-08, GI-B1-13, GI-F-01. Whether it may end where it does is decided here too (GI-B1-07).
        """
        standing, waiting = self.in_the_way(name)
        rear = self.front - 2 * COLUMN
        from_behind = not self.trial and not self.gone and origin.end <= rear
        ways: list[tuple[tuple[Sq, ...], int]] = [((), 0)]
        while ways:
            squares, passed = ways.pop()
            if len(squares) == longest:
                continue
            for step in self.road.steps(squares[-1] if squares else origin):
                way = (*squares, step)
                if step.beyond or (from_behind and step.end > rear):
                    yield way, passed, True
                elif step in waiting:
                    ways.append((way, passed))
                elif step in standing:
                    if all(beside in standing for beside in self.road.row(step)):
                        ways.append((way, passed + 1))
                else:
                    yield way, passed, False
                    ways.append((way, passed))

    def _line(
        self,
        rider: Mapping[str, Any],
        start: int | None,
        squares: tuple[Sq, ...],
        passed: int,
        ended: bool,
        base: int,
        terrain: str,
        zone: bool,
        card: str | None,
        least: int,
    ) -> Line | None:
        """What that way costs and risks with that card, or None if the rules forbid it."""
        to = squares[-1]
        counted: list[Sq] = list(squares)
        if len(counted) < least:
            if not to.beyond:
                return None  # GI-B2-02
            lane = self.road.lane[to.lane]
            counted += lane[lane.index(to) + 1 :][: least - len(counted)]  # GI-B2-05
        steps = len(counted)
        card_square = card is not None and (
            terrain in SQUARE_ON.get(card, "") or (card in SQUARE_IN_SPRINT and zone)
        )  # GI-S-03
        free = base + card_square
        paid = max(0, steps - free)
        if paid > self.max_paid:
            return None  # GI-B1-03
        cost = PAID[paid] + passed  # GI-B1-04, GI-B1-10
        paid_squares = counted[steps - paid :]
        crack, crack_joked = self._cracks(paid_squares, card)
        fall = [square for square in paid_squares if square.black]  # GI-C2-07
        open_fall = [square for square in fall if card is None or FALL_JOKER.get(card) != square.terrain]
        if card is not None and not card_square and not crack_joked and len(open_fall) == len(fall):
            return None  # GI-S-03: no half of it applies
        if crack and open_fall:
            return None  # GI-C2-03
        risk = ("crack_tile" if self.trial else "crack") if crack else "fall" if open_fall else None
        if self.trial:
            worst = cost + (max(rider["crack_tiles"]) if risk == "crack_tile" else 0)  # GI-D3-09, GI-D3-10
        else:
            worst = cost * {"crack": 3, "fall": 2, None: 1}[risk]  # GI-C2-04
        if worst > rider["energy"]:
            return None  # GI-M-03
        return Line(
            start=start,
            path=tuple(square.lane for square in squares),
            card=card,
            to=to.name,
            steps=steps,
            cost=cost,
            worst=worst,
            risk=risk,
            recovers=max(0, base - steps),  # GI-C4-01
            passed=passed,
        )

    def _cracks(self, paid: list[Sq], card: str | None) -> tuple[bool, bool]:
        """Whether a crack is risked, and whether the card takes one away. GI-C2-05, GI-C2-09; GI-D3-07, GI-D3-14."""
        joker = None if card is None else CRACK_JOKER.get(card)
        if self.trial:
            uphill = [square for square in paid if square.terrain != "D"]
            if len(uphill) < 3:
                return False, False
            joked = any(square.segment is not None and square.segment[1] == joker for square in uphill)
            return not joked, joked
        exceeded = [
            category
            for token, category in {square.segment for square in paid if square.segment is not None}
            if sum(square.segment == (token, category) for square in paid) > category
        ]
        return any(category != joker for category in exceeded), joker in exceeded

    # ---- the other answers -------------------------------------------------------------------------------------------
    def besides(self, name: str) -> set[tuple[str, str, int | None]]:
        """What the rider may do before he rides: (kind, rider, tile). GI-C4-03, Eddie, GI-M-10."""
        rider = self.riders[name]
        out: set[tuple[str, str, int | None]] = {("reveal", name, tile) for tile in rider["tiles"]}
        pile = self.piles[rider["type"]]
        kept = sum(other["tiles"].count(UNSEEN) for other in self.riders.values() if other["type"] == rider["type"])
        if rider["card"] == "eddie" and sum(pile["left"]) + sum(pile["spent"]) > kept:  # those kept face down lie in it
            out.add(("eddie", name, None))
        if rider["unseen_card"]:
            out.add(("show", name, None))
        return out
