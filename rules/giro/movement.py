"""Moving a rider: free and paid squares, where he may ride, and what each way costs (chapters B.1, B.2, C.2, D.3).

A move is told as a path of lanes. Paths are far too many to list (3 to the power of 13), and most lead to the same: the
same square after as many squares for the same price at the same risk. `table` finds one path for each of those effects,
the smallest list of lanes, by going through the road square by square. It knows nothing of energy; `open_to` keeps what
a rider can pay. Tables are kept, since the road ahead of a rider often looks as it did.
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from enum import Enum
from functools import lru_cache
from typing import Any, Final, NamedTuple

from rules.errors import IllegalAction, gettext_noop
from rules.giro import data
from rules.giro.actions import BreakAway, Effect, Move, Risk
from rules.giro.cards import CARDS, Card, Text
from rules.giro.course import Course, Square
from rules.giro.data import Terrain
from rules.giro.state import TERRAINS, Rider, State, Strength, Where


class Ask(NamedTuple):
    """All that the ways of a rider depend on, but for the others. Plain numbers, since tables are looked up by it."""

    starts: tuple[Square, ...]  # his square; of a break-away or a time trial's start, the launch square of each lane
    breaking: bool  # out of the peloton: 4 squares at least
    terrain: int  # where the move starts: index in `TERRAINS`
    free: int  # base, strength and slipstream
    card: int  # played with the move: index in `DECK`; -1 for none
    square: int  # what the card adds: 0 or 1
    most_paid: int  # paid squares that the rules and his energy allow
    join: int  # ticks: a square whose front edge is beyond belongs to the peloton and ends the move; NEVER if none does
    trial: bool
    highest_tile: int  # of a time trial, the worst that the rider can draw


NEVER: Final = 1 << 30
"""Ticks beyond any road."""

DECK: Final = tuple(Card)


class Others(NamedTuple):
    """Who else is within reach, as sets of squares."""

    taken: int  # an upright rider who is not waiting
    punctured: int  # one who waits


NO_OTHERS: Final = Others(0, 0)


class Open(NamedTuple):
    """The moves of a table that one rider can pay for."""

    moves: tuple[Move | BreakAway, ...]
    through: int  # set of the squares that they lead over
    ends: int  # set of the squares that they end on; where somebody rejoins he does not stay


class Table:
    """Every way of one `Ask`, told by effect, shortest first. The moves of a rider are made when he is first asked."""

    __slots__ = ("_moves", "_open", "_prices", "ask", "places", "simple", "touching", "ways")

    def __init__(self, ask: Ask, ways: tuple["Way", ...], simple: int) -> None:
        self.ask = ask
        # up to so many steps a square after so many steps is one way, however it is reached: `places` has its index
        self.simple = simple
        self.places = {(way.effect.to, len(way.effect.squares)): index for index, way in enumerate(ways)}
        self.ways = ways
        self.touching = any(way.effect.passed for way in ways)  # GI-B1-09 has to be looked at
        self._prices = sorted({way.effect.worst for way in ways})
        self._moves: dict[tuple[str, tuple[int, ...]], Move | BreakAway] = {}
        self._open: dict[tuple[str, int], Open] = {}

    def open(self, rider: str, energy: int) -> Open:
        """The ways that so much energy pays for, as actions of that rider. Rules: GI-M-03, GI-B1-09, GI-C2-04."""
        key = rider, bisect_right(self._prices, energy)
        found = self._open.get(key)
        if found is None:
            found = self._open[key] = self._payable(rider, energy)
        return found

    def _payable(self, rider: str, energy: int) -> Open:
        payable: Sequence[Way] = [way for way in self.ways if way.effect.worst <= energy]
        if self.touching:
            longest = self.longest(energy)
            payable = _distinct(
                [way for way in payable if not way.effect.passed or len(way.effect.squares) == longest[way.effect.to]]
            )
        through = ends = 0
        for way in payable:
            through |= way.through
            if not way.effect.rejoins:
                ends |= 1 << way.effect.to
        return Open(tuple(self.move(rider, way) for way in payable), through, ends)

    def longest(self, energy: int) -> dict[Square, int]:
        """The most squares that a way to each square has, of those that so much energy pays for. Rules: GI-B1-09."""
        longest: dict[Square, int] = {}
        for way in self.ways:
            if way.effect.worst <= energy:
                longest[way.effect.to] = max(longest.get(way.effect.to, 0), len(way.effect.squares))
        return longest

    def move(self, rider: str, way: "Way") -> Move | BreakAway:
        """One way as an action of that rider, made once."""
        key = rider, way.lanes
        move = self._moves.get(key)
        if move is None:
            card, lanes = self.ask.card >= 0, way.lanes
            if self.ask.breaking:
                move = BreakAway(rider=rider, start=lanes[0], path=lanes[1:], card=card, effect=way.effect)
            else:
                start = lanes[0] if len(self.ask.starts) > 1 else None
                move = Move(rider=rider, path=lanes[1:], card=card, start=start, effect=way.effect)
            self._moves[key] = move
        return move


class Way(NamedTuple):
    """One way of a table."""

    lanes: tuple[int, ...]  # of the square it starts from, and of those it leads over
    effect: Effect
    through: int  # set of the squares it leads over, without the one where it ends


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
    return squares + (rider.slip and rider.where is Where.ROAD)


@lru_cache(maxsize=4096)
def launch_squares(course: Course, front: int) -> tuple[Square, ...]:
    """For each lane, the square that a break-away or a time trial's start may be counted from. Rules: GI-B2-02, GI-D3-04."""
    return course.last_up_to(front)


def starts_on(state: State, rider: Rider) -> tuple[Terrain, bool]:
    """The terrain that a move of the rider starts on, and whether that is in the sprint zone.

    Out of the peloton it is that of the peloton's front dotted square. Rules: GI-B1-02, GI-B2-03; R-16.
    """
    course = state.options.course
    if rider.where is Where.INSIDE:
        column = state.front // TICKS_A_COLUMN
        return course.terrain_at(column), course.in_sprint_zone(column)
    return course.terrain[rider.square], course.sprint_zone[rider.square]


TICKS_A_COLUMN: Final = 60

TERRAIN_INDEX: Final = {terrain: i for i, terrain in enumerate(TERRAINS)}
DOWNHILL: Final = TERRAIN_INDEX[Terrain.DOWNHILL]


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
        if rider.where is Where.ROAD and not rider.fell:
            if rider.waiting:
                punctured |= 1 << rider.square
            else:
                taken |= 1 << rider.square
    return taken, punctured


class Purse(Enum):
    """How much energy a question is asked for. Tables for a full purse are long, those for a thin one soon made."""

    OWN = "own"  # exactly the paid squares that the rider's energy allows
    TIER = "tier"  # the same table for all who can pay as little, or anything
    FULL = "full"  # as if energy were no question


THIN_PURSE: Final = 2
"""Paid squares of a thin purse: up to 4 energy, which is what most riders have for most of a race."""


def ask(state: State, number: int, card: Card | None = None, purse: Purse = Purse.OWN) -> tuple[Ask, Others]:
    """What the ways of a rider depend on, as he and the others stand now. `card` is played with the move, or None."""
    rider = state.riders[number]
    course = state.options.course
    trial = course.trial
    terrain, sprint = starts_on(state, rider)
    free = _free(rider, terrain, sprint, trial)
    square = 0 if card is None else card_square(CARDS[card], terrain, sprint)
    most_paid = state.options.max_paid
    if purse is not Purse.FULL:
        payable = bisect_right(data.PAID_SQUARES, rider.energy) - 1
        if purse is Purse.OWN or payable <= THIN_PURSE:
            most_paid = min(most_paid, payable if purse is Purse.OWN else THIN_PURSE)
    reach = course.reach[free + square + most_paid]
    taken, punctured = occupied(state, runs_with(state, number))
    join = NEVER
    inside = rider.where is Where.INSIDE
    if inside:
        starts = launch_squares(course, state.front)
        within = 0
        for start in starts:
            within |= reach[start]
    else:
        starts = (rider.square,)
        within = reach[rider.square]
        rear = state.front - data.PELOTON_TICKS
        if not (trial or state.gone) and course.end[rider.square] <= rear < course.end[within.bit_length() - 1]:
            join = rear
    asked = Ask(
        starts, inside and not trial, TERRAIN_INDEX[terrain], free, -1 if card is None else DECK.index(card), square,
        most_paid, join, trial, max(rider.crack_tiles, default=0),
    )  # fmt: skip
    return asked, Others(taken & within, punctured & within)


def runs_with(state: State, number: int) -> tuple[int, ...]:
    """The riders who share the road with one, himself included. Rules: GI-D3-05, GI-D3-16."""
    runs = state.runs
    if len(runs) == 1:
        return runs[0].riders
    return next(run.riders for run in runs if number in run.riders)


# ---- the answer ------------------------------------------------------------------------------------------------------
class At(NamedTuple):
    """Where a path has come to, as far as it matters for what may follow. Paths with an equal `At` are one."""

    square: Square
    passed: int  # occupied squares ridden through
    climbed: tuple[tuple[int, int], ...]  # paid squares on each segment of a mountain, (segment, squares)
    black: int  # set of terrains of which a black square was paid for, by index
    hard: int  # paid squares that are not downhill; counted in a time trial only


Paths = dict[tuple[Any, ...], tuple[tuple[int, ...], tuple[Square, ...], int]]
"""For everywhere (`At`) that paths of one length have come to: the smallest list of lanes, its squares, and those as a set."""


TABLES: Final = 6000
"""Tables that are kept: some 13 kB each with the moves of their riders, so 80 MB in a process that rides all day."""


@lru_cache(maxsize=TABLES)
def table(course: Course, ask: Ask, others: Others = NO_OTHERS) -> Table:
    """All ways that the rules leave open, but for what GI-B1-09 and `worst` forbid: that is left to `Table.open`.

    Rules: GI-B1-03, GI-B1-05, GI-B1-06, GI-B1-07, GI-B1-08, GI-B1-13, GI-B2-02, GI-B2-05, GI-F-01.
    """
    found: dict[tuple[Square, int, int, Risk | None, int], Way] = {}
    lane, beyond, end, onward, plain = course.lane, course.beyond, course.end, course.onward, course.plain
    free, taken, join = ask.free + ask.square, others.taken, ask.join
    closed = taken | others.punctured
    simple = 0
    layer: Paths = {(square, 0, (), 0, 0): ((lane[square],), (), 0) for square in ask.starts}
    for step in range(1, free + ask.most_paid + 1):
        reached: Paths = {}
        costs_nothing = step <= free  # so that it does not matter what the road is made of
        for at, (lanes, squares, ridden) in layer.items():
            for square in onward[at[0]]:
                after: tuple[Any, ...] | None
                if (costs_nothing or (plain[square] and not ask.trial)) and not (taken and taken >> square & 1):
                    after = (square, *at[1:])
                else:
                    after = one_step(course, ask, others, at, square, step)
                if after is not None and after not in reached:
                    reached[after] = ((*lanes, lane[square]), (*squares, square), ridden | 1 << square)
        layer = {}
        short = ask.breaking and step < data.BREAKAWAY_SQUARES
        if simple == step - 1 and len({at[0] for at in reached}) == len(reached):
            simple = step
        for at, path in reached.items():
            square = at[0]
            if not beyond[square] and end[square] <= join:
                layer[at] = path
                if short or (closed and closed >> square & 1):
                    continue
            effect = effect_of(course, ask, at, path[1])
            if effect is None:
                continue
            sign = (square, effect.steps, effect.cost, effect.risk, step)
            if sign not in found:  # the first one has the smallest list of lanes: layers are in that order
                found[sign] = Way(path[0], effect, path[2] ^ 1 << square)
        if not layer:
            break
    ways = tuple(found.values())
    if not any(way.effect.passed for way in ways):
        told_apart = _distinct(ways)
        return Table(ask, told_apart, simple if len(told_apart) == len(ways) else 0)
    return Table(ask, ways, simple=0)


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
    length = steps = len(squares)
    free = ask.free + ask.square
    finishes = course.beyond[square]
    if ask.breaking and steps < data.BREAKAWAY_SQUARES:  # over the line: the missing squares are run-out squares
        segment = course.segment[square]
        for missing in range(steps + 1, data.BREAKAWAY_SQUARES + 1):
            if missing > free and segment is not None:
                climbed = _one_more(climbed, segment)
        steps = data.BREAKAWAY_SQUARES
    paid = steps - free if steps > free else 0
    if paid > ask.most_paid:
        return None  # only where missing squares were made up: no path is that long
    worst = cost = data.PAID_SQUARES[paid] + passed
    risk: Risk | None = None
    text = CARDS[DECK[ask.card]] if ask.card >= 0 else None
    if climbed or black or hard or text is not None:
        cracks, spared_crack = _cracks(course, ask, climbed, hard, text)
        spared_fall = 0
        if text is not None and text.fall_joker is not None:
            spared_fall = black & 1 << TERRAIN_INDEX[text.fall_joker]
            black &= ~spared_fall
        if cracks and black:
            return None
        if text is not None and not (
            ask.square or spared_crack or spared_fall or TERRAINS[ask.terrain] is text.blocks_on
        ):
            return None
        if cracks:
            risk = Risk.TILE if ask.trial else Risk.CRACK
            worst = cost + ask.highest_tile if ask.trial else cost * data.CRACK_TIMES
        elif black:
            risk = Risk.FALL
            worst = cost if ask.trial else cost * data.FALL_TIMES
    limit = data.DRAFT_LIMIT_DOWNHILL if ask.terrain == DOWNHILL else data.DRAFT_LIMIT
    carries = length < limit and not (text is not None and text.blocks_on is TERRAINS[ask.terrain])
    recovers = ask.free - steps if ask.free > steps else 0
    rejoins = not finishes and course.end[square] > ask.join
    return Effect(
        square, squares, steps, steps - paid, paid, passed, cost, worst, risk, recovers, finishes, rejoins, carries
    )


def _cracks(
    course: Course, ask: Ask, climbed: tuple[tuple[int, int], ...], hard: int, text: Text | None
) -> tuple[bool, bool]:
    """Whether the paid squares risk a crack (in a time trial: a tile), and whether the card's joker spares one.

    Rules: GI-C2-05, GI-C2-09, GI-D3-07, GI-D3-14.
    """
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
    if card is not None and not CARDS[card].goes_with_a_move:
        return ()
    global _latest
    if _latest[0] is not state:
        _latest = (state, {})
    listed = _latest[1]
    moves = listed.get((number, card))
    if moves is None:
        moves = listed[number, card] = _listed(state, number, card)
    return moves


_latest: tuple[State | None, dict[tuple[int, Card | None], tuple[Move | BreakAway, ...]]] = (None, {})
"""What was listed for the latest state: who answers is told, and then takes, one of the same moves."""


def _listed(state: State, number: int, card: Card | None) -> tuple[Move | BreakAway, ...]:
    """The ways of the empty road will do where the others leave their paths alone, without those onto somebody.

    Where somebody is in the way of one of them, or a whole row is taken, the ways round and through are looked for.
    """
    rider = state.riders[number]
    course = state.options.course
    asked, others = ask(state, number, card, Purse.TIER)
    found = table(course, asked)
    clear = found.open(rider.entry.id, rider.energy)
    taken = others.taken
    if taken:
        if taken & taken - 1 and _a_row_is_taken(course, taken):
            return _around(state, number, card).open(rider.entry.id, rider.energy).moves
        if taken & clear.through:
            paid = min(asked.most_paid, bisect_right(data.PAID_SQUARES, rider.energy) - 1)
            steps = asked.free + asked.square + paid
            if steps > found.simple:
                return _around(state, number, card).open(rider.entry.id, rider.energy).moves
            return _round_them(course, found, others, rider, steps)
    closed = taken | others.punctured
    if not closed & clear.ends:
        return clear.moves
    return tuple(move for move in clear.moves if not closed >> _effect(move).to & 1 or _effect(move).rejoins)


def _round_them(course: Course, clear: Table, others: Others, rider: Rider, steps: int) -> tuple[Move | BreakAway, ...]:
    """The ways of an empty road that is `simple`, with others on it but no row taken: as `table` finds them, only quicker.

    What a square costs after so many steps is known; only whether it is reached, and by which lanes, depends on the
    others.
    """
    ask, energy, name = clear.ask, rider.energy, rider.entry.id
    lane, beyond, end, onward, join = course.lane, course.beyond, course.end, course.onward, ask.join
    taken, closed = others.taken, others.taken | others.punctured
    ways, places = clear.ways, clear.places
    listed = []
    layer: dict[Square, tuple[tuple[int, ...], tuple[Square, ...]]] = {
        start: ((lane[start],), ()) for start in ask.starts
    }
    for step in range(1, steps + 1):
        reached: dict[Square, tuple[tuple[int, ...], tuple[Square, ...]]] = {}
        for here, (lanes, squares) in layer.items():
            for square in onward[here]:
                if square not in reached and (not taken >> square & 1 or end[square] > join):
                    reached[square] = ((*lanes, lane[square]), (*squares, square))
        layer = {}
        short = ask.breaking and step < data.BREAKAWAY_SQUARES
        for square, path in reached.items():
            if not beyond[square] and end[square] <= join:
                layer[square] = path
                if short or closed >> square & 1:
                    continue
            index = places.get((square, step))
            if index is None or ways[index].effect.worst > energy:
                continue
            way = ways[index]
            if way.lanes != path[0]:
                way = Way(path[0], Effect(square, path[1], *way.effect[2:]), 0)
            listed.append(clear.move(name, way))
    return tuple(listed)


def _around(state: State, number: int, card: Card | None) -> Table:
    """The table of the road as it is, with the others on it."""
    asked, others = ask(state, number, card)
    return table(state.options.course, asked, others)


def _a_row_is_taken(course: Course, taken: int) -> bool:
    left = taken
    while left:  # to the last one: in a bend it may be the rearmost front edge that all lanes are taken beside
        last = left.bit_length() - 1
        row = course.row_set[last]
        if taken & row == row:
            return True
        left ^= 1 << last
    return False


def _effect(move: Move | BreakAway) -> Effect:
    assert move.effect is not None, "moves out of a table have their effect"
    return move.effect


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

    asked, others = ask(state, number, card, Purse.FULL)
    at, squares = _walked(course, asked, others, action, name)
    steps = len(squares)
    ended = course.beyond[at.square] or course.end[at.square] > asked.join
    if not ended and asked.breaking and steps < data.BREAKAWAY_SQUARES:
        raise IllegalAction(
            "GI-B2-02",
            gettext_noop("%(rider)s needs at least %(least)s squares to break away; this is %(squares)s."),
            rider=name, least=data.BREAKAWAY_SQUARES, squares=steps,
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
    if effect.passed and len(squares) < (longest := _around(state, number, card).longest(rider.energy)[effect.to]):
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
    asked_for = max(len(action.path), data.BREAKAWAY_SQUARES if asked.breaking else 0)
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
