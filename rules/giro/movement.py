"""Moving a rider: free and paid squares, where he may ride, and what each way costs (chapters B.1, B.2, C.2, D.3).

A move is told as a path of lanes. Paths are far too many to list (3 to the power of 13), and most lead to the same: the
same square after as many squares for the same price at the same risk. `table` finds one path for each of those effects,
the smallest list of lanes, by going through the road square by square. It knows nothing of energy; `open_to` keeps what
a rider can pay. Tables are kept, since the road ahead of a rider often looks as it did.
"""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from rules.errors import IllegalAction, gettext_noop
from rules.giro import data
from rules.giro.actions import BreakAway, Effect, Move, Risk
from rules.giro.cards import CARDS, Card, Text
from rules.giro.course import Course, Square
from rules.giro.data import (
    BREAKAWAY_SQUARES,
    CRACK_TIMES,
    DRAFT_LIMIT,
    DRAFT_LIMIT_DOWNHILL,
    FALL_TIMES,
    PAID_SQUARES,
    PELOTON_TICKS,
    Terrain,
)
from rules.giro.state import INSIDE, ROAD, TERRAINS, Rider, State, Strength

_new = tuple.__new__  # a named tuple with all its fields given, in a third of the time


class Ask(NamedTuple):
    """All that the ways of a rider depend on, but for the others. Plain numbers, since tables are looked up by it."""

    starts: tuple[Square, ...]  # his square; of a break-away or a time trial's start, the launch square of each lane
    breaking: bool  # out of the peloton: 4 squares at least
    terrain: int  # where the move starts: index in `TERRAINS`
    free: int  # base, strength and slipstream
    card: int  # played with the move: index in `DECK`; -1 for none
    square: int  # what the card adds: 0 or 1
    most_paid: int  # paid squares that the rules allow
    join: int  # ticks: a square whose front edge is beyond belongs to the peloton and ends the move; NEVER if none does
    trial: bool
    highest_tile: int  # of a time trial, the worst that the rider can draw


NEVER: Final = 1 << 30
"""Ticks beyond any road."""

DECK: Final = tuple(Card)
IN_THE_DECK: Final = {card: number for number, card in enumerate(DECK)}
TEXTS: Final = tuple(CARDS[card] for card in DECK)


class Others(NamedTuple):
    """Who else is within reach, as sets of squares."""

    taken: int  # an upright rider who is not waiting
    punctured: int  # one who waits


NO_OTHERS: Final = Others(0, 0)


# ---- how far for nothing ---------------------------------------------------------------------------------------------
def free_squares(state: State, rider: Rider) -> int:
    """Free squares of the next move without a card: base, strength, slipstream.

    Rules: GI-B1-01, GI-B1-02, GI-B2-03, GI-C1-02, GI-D3-03.
    """
    return _free(rider, *starts_on(state, rider), state.options.course.trial)


def _free(rider: Rider, terrain: Terrain, sprint: bool, trial: bool) -> int:
    table = data.FREE_SQUARES_TIME_TRIAL if trial else data.FREE_SQUARES
    squares = table[rider.entry.speciality][terrain]
    if rider.strength is not None:
        squares += rider.strength is Strength.DESCENDER and terrain is Terrain.DOWNHILL
        squares += rider.strength is Strength.SPRINTER and sprint
    return squares + (rider.slip and rider.where is ROAD)


@lru_cache(maxsize=4096)
def launch_squares(course: Course, front: int) -> tuple[Square, ...]:
    """For each lane, the square that a break-away or a time trial's start may be counted from. Rules: GI-B2-02, GI-D3-04."""
    return course.last_up_to(front)


def starts_on(state: State, rider: Rider) -> tuple[Terrain, bool]:
    """The terrain that a move of the rider starts on, and whether that is in the sprint zone.

    Out of the peloton it is that of the peloton's front dotted square. Rules: GI-B1-02, GI-B2-03; R-16.
    """
    course = state.options.course
    if rider.where is INSIDE:
        column = state.front // TICKS_A_COLUMN
        return course.terrain_at(column), course.in_sprint_zone(column)
    return course.terrain[rider.square], course.sprint_zone[rider.square]


TICKS_A_COLUMN: Final = 60

TERRAIN_INDEX: Final = {terrain: i for i, terrain in enumerate(TERRAINS)}
DOWNHILL: Final = TERRAIN_INDEX[Terrain.DOWNHILL]

RISK_OF_A_CRACK: Final = Risk.CRACK
RISK_OF_A_FALL: Final = Risk.FALL
RISK_OF_A_TILE: Final = Risk.TILE


def card_square(text: Text, terrain: Terrain, sprint: bool) -> int:
    """The free square that a card adds to a move from here: 0 or 1. Cards; GI-S-03."""
    return int(terrain in text.square_on or (text.square_in_sprint and sprint))


# ---- the question ----------------------------------------------------------------------------------------------------
def occupied(state: State, riders: Iterable[int]) -> tuple[int, int]:
    """Two sets of squares: with an upright rider, and with one who waits with a puncture. Rules: GI-M-02, GI-C3-06."""
    taken = punctured = 0
    every = state.riders
    for i in riders:
        rider = every[i]
        if rider.where is ROAD and not rider.fell:
            if rider.waiting:
                punctured |= 1 << rider.square
            else:
                taken |= 1 << rider.square
    return taken, punctured


def payable(state: State, energy: int) -> int:
    """Paid squares that the rules and so much energy allow. Rules: GI-B1-03, GI-B1-04, GI-M-03."""
    return min(state.options.max_paid, bisect_right(PAID_SQUARES, energy) - 1)


def ask(
    state: State, number: int, card: Card | None, paid: int, everybody: tuple[int, int] | None = None
) -> tuple[Ask, Others]:
    """What the ways of a rider depend on, as he and the others stand now, and who is within reach of `paid` squares.

    `card` is played with the move, or None. `everybody` are the `occupied` squares where they are known already.
    """
    rider = state.riders[number]
    options = state.options
    course = options.course
    trial = course.trial
    terrain, sprint = starts_on(state, rider)
    free = _free(rider, terrain, sprint, trial)
    square = 0 if card is None else card_square(CARDS[card], terrain, sprint)
    reach = course.reach[free + square + paid]
    taken, punctured = everybody or occupied(state, runs_with(state, number))
    join = NEVER
    inside = rider.where is INSIDE
    if inside:
        starts = launch_squares(course, state.front)
        within = 0
        for start in starts:
            within |= reach[start]
    else:
        starts = (rider.square,)
        within = reach[rider.square]
        rear = state.front - PELOTON_TICKS
        end = course.end
        if not (trial or state.gone) and end[rider.square] <= rear < end[within.bit_length() - 1]:
            join = rear
    asked = _new(
        Ask,
        (
            starts, inside and not trial, TERRAIN_INDEX[terrain], free, -1 if card is None else IN_THE_DECK[card],
            square, options.max_paid, join, trial, max(rider.crack_tiles) if rider.crack_tiles else 0,
        ),
    )  # fmt: skip
    taken &= within
    punctured &= within
    return asked, Others(taken, punctured) if taken or punctured else NO_OTHERS


def runs_with(state: State, number: int) -> tuple[int, ...]:
    """The riders who share the road with one, himself included. Rules: GI-D3-05, GI-D3-16."""
    runs = state.runs
    if len(runs) == 1:
        return runs[0].riders
    return next(run.riders for run in runs if number in run.riders)


# ---- where paths lead ------------------------------------------------------------------------------------------------
class At(NamedTuple):
    """Where a path has come to, as far as it matters for what may follow. Paths with an equal `At` are one."""

    square: Square
    passed: int  # occupied squares ridden through
    climbed: tuple[tuple[int, int], ...]  # paid squares on each segment of a mountain, (segment, squares)
    black: int  # set of terrains of which a black square was paid for, by index
    hard: int  # paid squares that are not downhill; counted in a time trial only


Path = tuple[tuple[int, ...], tuple[Square, ...], int]
"""The smallest list of lanes that leads somewhere, its squares, and those as a set."""

Layer = tuple[tuple[tuple[Any, ...], Path], ...]
"""Everywhere (`At`) that paths of one length lead, in the order of their lanes."""


class Paths:
    """Where paths lead on one road, whatever a move over them costs: length by length, as far as somebody asked.

    What was found is replaced as a whole, never changed: several threads may look further at once.
    """

    __slots__ = ("_ask", "_course", "_found", "_others")

    def __init__(self, course: Course, ask: Ask, others: Others) -> None:
        self._course, self._ask, self._others = course, ask, others
        start: Layer = tuple(((square, 0, (), 0, 0), ((course.lane[square],), (), 0)) for square in ask.starts)
        # of each length where a move may end; from where the longest go on; how many lengths lead nowhere in two ways
        self._found: tuple[tuple[Layer, ...], Layer, int] = ((), start, 0)

    def up_to(self, steps: int) -> tuple[Layer, ...]:
        """Where moves of 1, 2, ... squares may end; there may be more than `steps`."""
        ends, onward, single = self._found
        if len(ends) < steps:
            while len(ends) < steps:
                ending, onward, once = self._further(onward, len(ends) + 1)
                if once and single == len(ends):
                    single += 1
                ends = (*ends, ending)
            self._found = ends, onward, single
        return ends

    @property
    def single(self) -> int:
        """Up to this length a square after so many steps is reached in one way, whichever path leads there."""
        return self._found[2]

    def _further(self, layer: Layer, step: int) -> tuple[Layer, Layer, bool]:
        """One square more: where a move may end now, where it may go on, and whether no square is reached in two ways.

        Rules: GI-B1-05, GI-B1-06, GI-B1-07, GI-B1-08, GI-B1-13, GI-B2-02, GI-F-01.
        """
        course, ask, others = self._course, self._ask, self._others
        lane, beyond, end, onward, plain = course.lane, course.beyond, course.end, course.onward, course.plain
        taken, join = others.taken, ask.join
        closed = taken | others.punctured
        nothing_counts = step <= ask.free  # what the road is made of does not matter
        reached: dict[tuple[Any, ...], Path] = {}
        for at, (lanes, squares, ridden) in layer:
            for square in onward[at[0]]:
                after: tuple[Any, ...] | None
                if (nothing_counts or (plain[square] and not ask.trial)) and not (taken and taken >> square & 1):
                    after = (square, *at[1:])
                else:
                    after = one_step(course, ask, others, at, square, step)
                if after is not None and after not in reached:
                    reached[after] = ((*lanes, lane[square]), (*squares, square), ridden | 1 << square)
        ending, going_on = [], []
        short = ask.breaking and step < BREAKAWAY_SQUARES
        for found in reached.items():
            square = found[0][0]
            if not beyond[square] and end[square] <= join:
                going_on.append(found)
                if short or (closed and closed >> square & 1):
                    continue
            ending.append(found)
        return tuple(ending), tuple(going_on), len({at[0] for at in reached}) == len(reached)


PATHS: Final = 1500
"""Roads whose paths are kept."""


@lru_cache(maxsize=PATHS)
def paths(course: Course, ask: Ask, others: Others) -> Paths:
    """The paths of a question of which nothing is left that only says what they cost."""
    return Paths(course, ask, others)


# ---- what they cost --------------------------------------------------------------------------------------------------
class Way(NamedTuple):
    """One way of a table."""

    lanes: tuple[int, ...]  # of the square it starts from, and of those it leads over
    effect: Effect
    through: int  # set of the squares it leads over, without the one where it ends
    number: int  # in its table; -1: in none


class Open(NamedTuple):
    """The ways of a table that one purse pays for."""

    ways: tuple[Way, ...]
    through: int  # set of the squares that they lead over
    ends: int  # set of the squares that they end on; where somebody rejoins he does not stay
    moves: dict[str, tuple[Move | BreakAway, ...]]  # the ways as actions of whoever asked for them


class Table:
    """Every way of one `Ask`, told by effect: as far as somebody could pay, and as the actions of those who asked.

    It only ever gains what anybody would have found in the same place, so that threads may share it.
    """

    __slots__ = ("_course", "_found", "_moves", "_open", "_paths", "_payable", "ask", "places")

    def __init__(self, course: Course, ask: Ask, others: Others) -> None:
        self.ask = ask
        self._course = course
        road = Ask(ask.starts, ask.breaking, 0, ask.free + ask.square, -1, 0, 0, ask.join, ask.trial, 0)
        self._paths = paths(course, road, others)
        self.places: dict[
            tuple[Square, int], Way
        ] = {}  # the latest way by square and steps: the only one where `simple`
        # the ways, shortest first; how many there are up to each length; whether a length was made up (GI-B2-05)
        self._found: tuple[tuple[Way, ...], tuple[int, ...], bool] = ((), (0,), False)
        self._payable: dict[int, tuple[tuple[Way, ...], list[int]]] = {}
        self._open: dict[tuple[int, int], Open] = {}
        self._moves: dict[tuple[str, int], Move | BreakAway] = {}

    def up_to(self, paid: int) -> tuple[tuple[Way, ...], list[int]]:
        """All ways of so many paid squares that the rules leave open, but for what GI-B1-09 and the purse forbid, and
        the energy that they need, each number once.

        Rules: GI-B1-03, GI-B2-05.
        """
        found = self._payable.get(paid)
        if found is None:
            steps = self.ask.free + self.ask.square + paid
            ways, counts, _ = self._found
            if len(counts) <= steps:
                ways, counts = self._further(steps)
            ways = ways[: counts[steps]]
            found = self._payable[paid] = ways, sorted({way.effect.worst for way in ways})
        return found

    def _further(self, steps: int) -> tuple[tuple[Way, ...], tuple[int, ...]]:
        """Find the ways up to a length. Of one length those that differ in effect, each by its smallest list of lanes."""
        course, ask = self._course, self.ask
        layers = self._paths.up_to(steps)
        found, counts, made_up = self._found
        ways, lengths = list(found), list(counts)
        for length in range(len(counts), steps + 1):
            seen = set()
            for at, (lanes, squares, ridden) in layers[length - 1]:
                effect = effect_of(course, ask, at, squares)
                if effect is None:
                    continue
                sign = effect.to, effect.cost, effect.risk
                if sign not in seen:
                    seen.add(sign)
                    way = _new(Way, (lanes, effect, ridden ^ 1 << effect.to, len(ways)))
                    ways.append(way)
                    self.places[effect.to, length] = way
                    made_up = made_up or effect.steps != length
            lengths.append(len(ways))
        found, counts = tuple(ways), tuple(lengths)
        self._found = found, counts, made_up
        return found, counts

    def simple(self, steps: int) -> bool:
        """Whether, up to that length, a square after so many steps is one way, however it is reached."""
        return self._paths.single >= steps and not self._found[2]

    def open(self, energy: int, paid: int) -> Open:
        """The ways that so much energy pays for; it pays for that many squares. Rules: GI-M-03, GI-B1-09, GI-C2-04."""
        ways, prices = self._payable.get(paid) or self.up_to(paid)
        key = paid, bisect_right(prices, energy)
        found = self._open.get(key)
        if found is None:
            found = self._open[key] = self._affordable(ways, energy)
        return found

    def _affordable(self, every: Iterable[Way], energy: int) -> Open:
        ways: Sequence[Way] = [way for way in every if way.effect.worst <= energy]
        if any(way.effect.passed for way in ways):
            longest = _longest(ways)
            ways = [way for way in ways if not way.effect.passed or len(way.lanes) == longest[way.effect.to]]
        if self._found[2]:
            ways = _distinct(ways)
        through = ends = 0
        for way in ways:
            through |= way.through
            if not way.effect.rejoins:
                ends |= 1 << way.effect.to
        return Open(tuple(ways), through, ends, {})

    def moves(self, rider: str, opened: Open) -> tuple[Move | BreakAway, ...]:
        """What was found `open`, as actions of that rider."""
        moves = opened.moves.get(rider)
        if moves is None:
            moves = opened.moves[rider] = tuple([self.move(rider, way) for way in opened.ways])
        return moves

    def move(self, rider: str, way: Way) -> Move | BreakAway:
        """One way as an action of that rider; those of the table are made once."""
        key = rider, way.number
        move = self._moves.get(key)
        if move is None:
            card, lanes = self.ask.card >= 0, way.lanes
            if self.ask.breaking:
                move = BreakAway(rider=rider, start=lanes[0], path=lanes[1:], card=card, effect=way.effect)
            else:
                start = lanes[0] if len(self.ask.starts) > 1 else None
                move = Move(rider=rider, path=lanes[1:], card=card, start=start, effect=way.effect)
            if way.number >= 0:
                self._moves[key] = move
        return move


TABLES: Final = 6000
"""Tables that are kept: some 20 kB each with their paths and the moves of their riders, so 120 MB in a process that rides
all day."""


@lru_cache(maxsize=TABLES)
def table(course: Course, ask: Ask, others: Others = NO_OTHERS) -> Table:
    """The ways of one question on one road."""
    return Table(course, ask, others)


def _longest(ways: Iterable[Way]) -> dict[Square, int]:
    """The longest list of lanes that leads to each square, of those that can be paid for. Rules: GI-B1-09."""
    longest: dict[Square, int] = {}
    for way in ways:
        longest[way.effect.to] = max(longest.get(way.effect.to, 0), len(way.lanes))
    return longest


def _distinct(ways: Sequence[Way]) -> tuple[Way, ...]:
    """One way for each effect, the one with the smallest list of lanes.

    Ways of one effect have as many squares, but for a break-away over the line: its missing squares are made up (GI-B2-05).
    """
    kept: dict[tuple[Square, int, int, Risk | None], Way] = {}
    for way in ways:
        effect = way.effect
        sign = (effect.to, effect.steps, effect.cost, effect.risk)
        other = kept.setdefault(sign, way)
        if way.lanes < other.lanes:
            kept[sign] = way
    return tuple(kept.values()) if len(kept) < len(ways) else tuple(ways)


def one_step(course: Course, ask: Ask, others: Others, at: tuple[Any, ...], square: Square, step: int) -> At | None:
    """A path that goes on to `square` as its `step`th; None where the road is not open.

    Rules: GI-B1-03, GI-B1-06, GI-B1-08, GI-B1-13, GI-C3-06.
    """
    _, passed, climbed, black, hard = at
    if others.taken and others.taken >> square & 1 and course.end[square] <= ask.join:
        row = course.row_set[square]
        if others.taken & row != row:
            return None
        passed += 1
    if step > ask.free + ask.square:
        segment = course.segment[square]
        if segment is not None:
            climbed = _one_more(climbed, segment)
        if course.black[square]:
            black |= 1 << TERRAIN_INDEX[course.terrain[square]]
        if ask.trial and course.terrain[square] is not Terrain.DOWNHILL:
            hard += 1
    return At(square, passed, climbed, black, hard)


def _one_more(climbed: tuple[tuple[int, int], ...], segment: int) -> tuple[tuple[int, int], ...]:
    if climbed and climbed[-1][0] == segment:
        return (*climbed[:-1], (segment, climbed[-1][1] + 1))
    return (*climbed, (segment, 1))


def effect_of(course: Course, ask: Ask, at: tuple[Any, ...], squares: tuple[Square, ...]) -> Effect | None:
    """What a path that ends at `at` leads to; None if no rider may take it, however rich.

    Rules: GI-B1-03, GI-B1-04, GI-B1-10, GI-B2-05, GI-C1-04, GI-C2-03, GI-C2-04, GI-C2-05, GI-C2-07, GI-C2-09, GI-C4-01,
    GI-D3-07, GI-D3-09, GI-D3-10, GI-D3-14, GI-F-03, GI-S-03.
    """
    square, passed, climbed, black, hard = at
    _, breaking, terrain, base, card, added, most_paid, join, trial, highest_tile = ask
    length = steps = len(squares)
    free = base + added
    finishes = course.beyond[square]
    if breaking and steps < BREAKAWAY_SQUARES:  # over the line: the missing squares are run-out squares
        segment = course.segment[square]
        for missing in range(steps + 1, BREAKAWAY_SQUARES + 1):
            if missing > free and segment is not None:
                climbed = _one_more(climbed, segment)
        steps = BREAKAWAY_SQUARES
    paid = steps - free if steps > free else 0
    if paid > most_paid:
        return None  # only where missing squares were made up: no path is that long
    worst = cost = PAID_SQUARES[paid] + passed
    risk: Risk | None = None
    carries = length < (DRAFT_LIMIT_DOWNHILL if terrain == DOWNHILL else DRAFT_LIMIT)
    text = TEXTS[card] if card >= 0 else None
    if climbed or black or hard or text is not None:
        cracks, spared_crack = _cracks(course, ask, climbed, hard, text)
        spared_fall = 0
        if text is not None:
            if text.fall_joker is not None:
                spared_fall = black & 1 << TERRAIN_INDEX[text.fall_joker]
                black &= ~spared_fall
            blocks = text.blocks_on is TERRAINS[terrain]
            carries = carries and not blocks
            if not (added or spared_crack or spared_fall or blocks):
                return None
        if cracks and black:
            return None
        if cracks:
            risk = RISK_OF_A_TILE if trial else RISK_OF_A_CRACK
            worst = cost + highest_tile if trial else cost * CRACK_TIMES
        elif black:
            risk = RISK_OF_A_FALL
            worst = cost if trial else cost * FALL_TIMES
    recovers = base - steps if base > steps else 0
    rejoins = not finishes and course.end[square] > join
    return _new(
        Effect,
        (square, squares, steps, steps - paid, paid, passed, cost, worst, risk, recovers, finishes, rejoins, carries),
    )


def _cracks(
    course: Course, ask: Ask, climbed: tuple[tuple[int, int], ...], hard: int, text: Text | None
) -> tuple[bool, bool]:
    """Whether the paid squares risk a crack (in a time trial: a tile), and whether the card's joker spares one.

    Rules: GI-C2-05, GI-C2-09, GI-D3-07, GI-D3-14.
    """
    if not climbed and not hard:
        return False, False
    joker = text.crack_joker if text is not None else None
    if ask.trial:
        draws = hard > data.TIME_TRIAL_PAID
        spared = draws and any(course.segments[segment].category == joker for segment, _ in climbed)
        return draws and not spared, spared
    cracks = spared = False
    for segment, squares in climbed:
        category = course.segments[segment].category
        if squares > category:
            if category == joker:
                spared = True
            else:
                cracks = True
    return cracks, spared


# ---- what one rider can do -------------------------------------------------------------------------------------------
def open_to(state: State, number: int, card: Card | None = None) -> tuple[Move | BreakAway, ...]:
    """The moves of a rider that the rules and his energy leave open, one for each effect; `card` goes with them.

    Rules: GI-M-03, GI-B1-09, GI-C2-04.
    """
    global _latest
    latest = _latest
    if latest.state is not state:
        latest = _latest = Listed(state, {}, {})
    moves = latest.moves.get((number, card))
    if moves is None:
        if card is not None and not _may_help(state, number, card):
            return ()
        run = runs_with(state, number)
        everybody = latest.occupied.get(run)
        if everybody is None:
            everybody = latest.occupied[run] = occupied(state, run)
        moves = latest.moves[number, card] = _listed(state, number, card, everybody)
    return moves


class Listed(NamedTuple):
    """What was listed for a state: who answers is told, and then takes, one of the same moves."""

    state: State | None
    moves: dict[tuple[int, Card | None], tuple[Move | BreakAway, ...]]
    occupied: dict[tuple[int, ...], tuple[int, int]]  # by run


_latest = Listed(None, {}, {})


def _listed(state: State, number: int, card: Card | None, everybody: tuple[int, int]) -> tuple[Move | BreakAway, ...]:
    """The ways of the empty road will do where the others leave their paths alone, without those onto somebody.

    Where somebody is in the way of one of them, or a whole row is taken, the ways round and through are looked for.
    """
    rider = state.riders[number]
    course = state.options.course
    energy, name = rider.energy, rider.entry.id
    paid = payable(state, energy)
    asked, others = ask(state, number, card, paid, everybody)
    taken = others.taken
    clear = table(course, asked)
    if not (taken & taken - 1 and _a_row_is_taken(course, taken)):
        opened = clear.open(energy, paid)
        if not taken & opened.through:
            moves = clear.moves(name, opened)
            closed = taken | others.punctured
            if not closed & opened.ends:
                return moves
            return tuple(
                [
                    move
                    for move, way in zip(moves, opened.ways, strict=True)
                    if not closed >> way.effect.to & 1 or way.effect.rejoins
                ]
            )
        steps = asked.free + asked.square + paid
        if clear.simple(steps):
            return _round_them(course, clear, others, rider, steps)
    around = table(course, asked, others)
    return around.moves(name, around.open(energy, paid))


def _may_help(state: State, number: int, card: Card) -> bool:
    """Whether one of the halves of a card may find a use in a move from where the rider is. Rules: GI-S-03."""
    text = CARDS[card]
    if text.crack_joker is not None or text.fall_joker is not None:
        return True
    terrain, sprint = starts_on(state, state.riders[number])
    return bool(card_square(text, terrain, sprint)) or terrain is text.blocks_on


def _round_them(course: Course, clear: Table, others: Others, rider: Rider, steps: int) -> tuple[Move | BreakAway, ...]:
    """The ways of an empty road that is `simple`, with others on it but no row taken: as `table` finds them, only quicker.

    What a square costs after so many steps is known; only whether it is reached, and by which lanes, depends on the
    others.
    """
    ask, energy, name = clear.ask, rider.energy, rider.entry.id
    beyond, end, onward, join = course.beyond, course.end, course.onward, ask.join
    taken, closed = others.taken, others.taken | others.punctured
    places = clear.places
    listed = []
    came: list[dict[Square, Square]] = []  # for every length, where each square is first reached from
    layer = list(ask.starts)
    for step in range(1, steps + 1):
        reached: dict[Square, Square] = {}
        for here in layer:
            for square in onward[here]:
                if square not in reached and (not taken >> square & 1 or end[square] > join):
                    reached[square] = here
        came.append(reached)
        layer = []
        short = ask.breaking and step < BREAKAWAY_SQUARES
        for square in reached:
            if not beyond[square] and end[square] <= join:
                layer.append(square)
                if short or closed >> square & 1:
                    continue
            way = places.get((square, step))
            if way is None or way.effect.worst > energy:
                continue
            if way.through & taken:
                way = _by_another_path(course, way, came)
            listed.append(clear.move(name, way))
    return tuple(listed)


def _by_another_path(course: Course, way: Way, came: Sequence[Mapping[Square, Square]]) -> Way:
    """A way to the same square by the path on which it is first reached."""
    lane, square = course.lane, way.effect.to
    back = [square]
    for reached in reversed(came):
        square = reached[square]
        back.append(square)
    back.reverse()
    squares = tuple(back[1:])
    effect = _new(Effect, (back[-1], squares, *way.effect[2:]))
    return _new(Way, (tuple([lane[square] for square in back]), effect, 0, -1))


def _longest_way(state: State, number: int, card: Card | None, to: Square) -> int:
    """The most squares that a way to a square has, of those that the rider can pay for. Rules: GI-B1-09."""
    energy = state.riders[number].energy
    paid = payable(state, energy)
    asked, others = ask(state, number, card, paid)
    effects = (way.effect for way in table(state.options.course, asked, others).up_to(paid)[0])
    return max(len(effect.squares) for effect in effects if effect.to == to and effect.worst <= energy)


def _a_row_is_taken(course: Course, taken: int) -> bool:
    left = taken
    while left:  # to the last one: in a bend it may be the rearmost front edge that all lanes are taken beside
        last = left.bit_length() - 1
        row = course.row_set[last]
        if taken & row == row:
            return True
        left ^= 1 << last
    return False


def judged(state: State, number: int, action: Move | BreakAway) -> Effect:
    """The effect of a move that somebody asks for, by whichever path. IllegalAction names the rule that forbids it.

    Rules: GI-B1-03, GI-B1-05, GI-B1-06, GI-B1-07, GI-B1-09, GI-B1-13, GI-B2-02, GI-C2-03, GI-C2-04, GI-D3-09,
    GI-F-01, GI-M-03, GI-S-01, GI-S-03.
    """
    rider = state.riders[number]
    card = _card_with(rider, action)
    course = state.options.course
    name = rider.entry.id
    if action.effect is not None:
        for move in open_to(state, number, card):
            if move is action:
                return action.effect

    asked, others = ask(state, number, card, state.options.max_paid)
    at, squares = _walked(course, asked, others, action, name)
    steps = len(squares)
    ended = course.beyond[at.square] or course.end[at.square] > asked.join
    if not ended and asked.breaking and steps < BREAKAWAY_SQUARES:
        raise IllegalAction(
            "GI-B2-02",
            gettext_noop("%(rider)s needs at least %(least)s squares to break away; this is %(squares)s."),
            rider=name, least=BREAKAWAY_SQUARES, squares=steps,
        )  # fmt: skip
    if not ended and (others.taken | others.punctured) >> at.square & 1:
        raise IllegalAction(
            "GI-B1-07",
            gettext_noop("%(rider)s cannot stop on %(square)s: somebody is there."),
            rider=name, square=course.names[at.square],
        )  # fmt: skip
    effect = effect_of(course, asked, at, squares)
    if effect is None:
        raise _not_for_anybody(asked, at, course, squares, name)
    if effect.worst > rider.energy:
        raise _too_dear(state, effect, rider)
    if effect.passed and len(squares) < (longest := _longest_way(state, number, card, effect.to)):
        raise IllegalAction(
            "GI-B1-09",
            gettext_noop("The road is blocked: %(rider)s must take the longest way to %(square)s, %(longest)s squares."),
            rider=name, square=course.names[effect.to], longest=longest,
        )  # fmt: skip
    return effect


def _card_with(rider: Rider, action: Move | BreakAway) -> Card | None:
    """The card that goes with a move, or None if none does. Rules: GI-S-01, GI-S-03."""
    if not action.card:
        return None
    if rider.card is None:
        raise IllegalAction("GI-S-01", gettext_noop("%(rider)s has no special card to play."), rider=rider.entry.id)
    if not CARDS[rider.card].goes_with_a_move:
        raise IllegalAction(
            "GI-S-03",
            gettext_noop("%(card)s is not played with a move: play it before the move."),
            card=rider.card.value.title(),
        )
    return rider.card


def _walked(
    course: Course, asked: Ask, others: Others, action: Move | BreakAway, name: str
) -> tuple[At, tuple[Square, ...]]:
    """Where a path leads, step by step. Rules: GI-B1-03, GI-B1-05, GI-B1-06, GI-B1-13, GI-F-01."""
    if not action.path:
        raise IllegalAction("GI-B1-05", gettext_noop("%(rider)s must move at least one square."), rider=name)
    start = asked.starts[0]
    if len(asked.starts) > 1:
        by_lane = {course.lane[square]: square for square in asked.starts}
        if action.start not in by_lane:
            raise IllegalAction(
                "GI-D3-04" if asked.trial else "GI-B2-02",
                gettext_noop("Say from which lane %(rider)s leaves: 0 to %(last)s, counted from the left."),
                rider=name, last=len(course.lane_squares) - 1,
            )  # fmt: skip
        start = by_lane[action.start]
    elif action.start is not None and action.start != course.lane[start]:
        raise IllegalAction(
            "GI-B1-05",
            gettext_noop("%(rider)s stands in lane %(lane)s and starts there."),
            rider=name, lane=course.lane[start],
        )  # fmt: skip
    longest = asked.free + asked.square + asked.most_paid
    asked_for = max(len(action.path), BREAKAWAY_SQUARES if asked.breaking else 0)
    if asked_for > longest:
        raise IllegalAction(
            "GI-B1-03",
            gettext_noop("%(rider)s can pay for %(most)s squares at most: %(longest)s squares in all, not %(squares)s."),
            rider=name, most=asked.most_paid, longest=longest, squares=asked_for,
        )  # fmt: skip
    at = At(start, 0, (), 0, 0)
    squares: list[Square] = []
    for step, lane in enumerate(action.path, 1):
        if course.beyond[at.square] or course.end[at.square] > asked.join:
            if course.beyond[at.square]:
                raise IllegalAction(
                    "GI-F-01", gettext_noop("%(rider)s has crossed the line: the move ends there."), rider=name
                )
            raise IllegalAction(
                "GI-B1-13",
                gettext_noop("%(rider)s cannot ride through the peloton: the move ends where he reaches it."),
                rider=name,
            )
        to = next((square for square in course.onward[at.square] if course.lane[square] == lane), None)
        if to is None:
            raise IllegalAction(
                "GI-B1-05",
                gettext_noop("%(rider)s can only ride straight on or to a neighbouring lane; lane %(lane)s is not one."),
                rider=name, lane=lane,
            )  # fmt: skip
        after = one_step(course, asked, others, at, to, step)
        if after is None:
            raise IllegalAction(
                "GI-B1-06",
                gettext_noop("%(rider)s cannot ride through %(square)s: somebody is there, and the road is not blocked."),
                rider=name, square=course.names[to],
            )  # fmt: skip
        at = after
        squares.append(to)
    return at, tuple(squares)


def _not_for_anybody(asked: Ask, at: At, course: Course, squares: tuple[Square, ...], name: str) -> IllegalAction:
    """Why `effect_of` refuses a path: two risks at once, or a card that finds no use."""
    useless = asked.card >= 0 and not asked.square  # a card that adds a square has found its use
    if useless and effect_of(course, asked._replace(card=-1), at, squares) is not None:
        return IllegalAction(
            "GI-S-03",
            gettext_noop("%(card)s does nothing for this move of %(rider)s."),
            card=DECK[asked.card].value.title(), rider=name,
        )  # fmt: skip
    return IllegalAction(
        "GI-D3-10" if asked.trial else "GI-C2-03",
        gettext_noop("%(rider)s may take one risk in a move, and this would be two: cracking and falling."),
        rider=name,
    )


def _too_dear(state: State, effect: Effect, rider: Rider) -> IllegalAction:
    """Rules: GI-M-03, GI-C2-04, GI-D3-09."""
    if effect.risk is None or effect.worst == effect.cost:
        return IllegalAction(
            "GI-M-03",
            gettext_noop("This costs %(cost)s energy; %(rider)s has %(energy)s."),
            cost=effect.cost, rider=rider.entry.id, energy=rider.energy,
        )  # fmt: skip
    return IllegalAction(
        "GI-D3-09" if state.time_trial else "GI-C2-04",
        gettext_noop("%(rider)s needs %(worst)s energy for this risk, and has %(energy)s."),
        rider=rider.entry.id, worst=effect.worst, energy=rider.energy,
    )  # fmt: skip


def way_exists(state: State, number: int) -> bool:
    """Whether any move is open to the rider, with or without his card. Rules: GI-B1-11."""
    rider = state.riders[number]
    return bool(open_to(state, number) or (rider.card is not None and open_to(state, number, rider.card)))
