"""Moving a rider: free and paid squares, where he may ride, and what each way costs (chapters B.1, B.2, C.2, D.3).

A move is told as a path of lanes. Paths are far too many to list (3 to the power of 13), and most lead to the same: the
same square after as many squares for the same price at the same risk. `table` finds one path for each of those effects,
the smallest list of lanes, by going through the road square by square. It knows nothing of energy; `open_to` keeps what
a rider can pay. Tables are kept, since the road ahead of a rider often looks as it did.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final, NamedTuple

from rules.errors import IllegalAction, gettext_noop
from rules.giro import data
from rules.giro.actions import BreakAway, Effect, Move, Risk
from rules.giro.cards import CARDS, Card, Text
from rules.giro.course import Course, Square
from rules.giro.data import Terrain
from rules.giro.state import NOWHERE, Rider, State, Strength, Where


class Ask(NamedTuple):
    """All that the ways of one rider depend on, but for his energy."""

    rider: str
    starts: tuple[
        Square, ...
    ]  # where he stands; of a break-away or a time trial's start, the launch square of each lane
    breaking: bool  # out of the peloton: 4 squares at least
    terrain: Terrain  # where the move starts
    free: int  # base, strength and slipstream
    card: Card | None  # played with the move
    square: int  # what the card adds: 0 or 1
    taken: int  # set of squares within reach with an upright rider who is not waiting
    punctured: int  # set of squares within reach with a waiting rider
    join: int | None  # ticks: a square whose front edge is beyond belongs to the peloton, and ends the move
    max_paid: int
    trial: bool
    highest_tile: int  # of a time trial, the worst that the rider can draw


class Table(NamedTuple):
    """Every way of one `Ask`, told by effect, cheapest length first."""

    moves: tuple[Move | BreakAway, ...]
    by_path: dict[tuple[int | None, tuple[int, ...]], Move | BreakAway]
    worst: int  # the highest energy that any of them asks for
    touching: bool  # some of them ride through others: GI-B1-09 has to be looked at


# ---- how far for nothing ---------------------------------------------------------------------------------------------
def free_squares(state: State, rider: Rider) -> int:
    """Free squares of the next move without a card: base, strength, slipstream.

    Rules: GI-B1-01, GI-B1-02, GI-B2-03, GI-C1-02, GI-D3-03.
    """
    terrain, sprint = starts_on(state, rider)
    table = data.FREE_SQUARES_TIME_TRIAL if state.time_trial else data.FREE_SQUARES
    squares = table[rider.entry.speciality][terrain]
    squares += rider.strength is Strength.DESCENDER and terrain is Terrain.DOWNHILL
    squares += rider.strength is Strength.SPRINTER and sprint
    return squares + (rider.slip and rider.where is Where.ROAD)


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


def ask(state: State, number: int, card: Card | None = None) -> Ask:
    """What the ways of a rider depend on, as he stands now. `card` is played with the move, or None."""
    rider = state.riders[number]
    course = state.options.course
    trial = state.time_trial
    terrain, sprint = starts_on(state, rider)
    inside = rider.where is Where.INSIDE
    starts = course.last_up_to(state.front) if inside else (rider.square,)
    taken, punctured = occupied(state, runs_with(state, number))
    reach = 0
    for square in starts:
        reach |= course.reach[square]
    return Ask(
        rider=rider.entry.id,
        starts=starts,
        breaking=inside and not trial,
        terrain=terrain,
        free=free_squares(state, rider),
        card=card,
        square=0 if card is None else card_square(CARDS[card], terrain, sprint),
        taken=taken & reach,
        punctured=punctured & reach,
        join=None if inside or trial or state.gone else _joins_at(state, course, rider, reach),
        max_paid=state.options.max_paid,
        trial=trial,
        highest_tile=max(rider.crack_tiles, default=0) if trial else 0,
    )


def _joins_at(state: State, course: Course, rider: Rider, reach: int) -> int | None:
    """The ticks beyond which a rider who comes from behind is in the peloton; None if he cannot get there."""
    rear = state.rear
    if course.end[rider.square] > rear or course.end[reach.bit_length() - 1] <= rear:
        return None
    return rear


def runs_with(state: State, number: int) -> tuple[int, ...]:
    """The riders who share the road with one, himself included. Rules: GI-D3-05, GI-D3-16."""
    runs = state.runs
    if len(runs) == 1:
        return runs[0].riders
    return next(run.riders for run in runs if number in run.riders)


# ---- the answer ------------------------------------------------------------------------------------------------------
class _At(NamedTuple):
    """Where a path has come to, as far as it matters for what may follow. Paths with an equal `_At` are one."""

    square: Square
    passed: int
    climbed: tuple[tuple[int, int], ...]  # paid squares on each segment of a mountain, (segment, squares)
    black: int  # set of terrains of which a black square was paid for, by index
    hard: int  # paid squares that are not downhill; counted in a time trial only
    ended: bool  # finished, or in the peloton


@lru_cache(maxsize=16384)
def table(course: Course, ask: Ask) -> Table:
    """All ways that the rules leave open to a rider who could pay anything; GI-B1-09 is left to `open_to`.

    Rules: GI-B1-03, GI-B1-05, GI-B1-06, GI-B1-07, GI-B1-08, GI-B1-13, GI-B2-02, GI-B2-05, GI-F-01.
    """
    found: dict[tuple[Square, int, int, Risk | None, int], tuple[tuple[int, ...], Effect]] = {}
    longest = ask.free + ask.square + ask.max_paid
    lane = course.lane
    layer: dict[_At, tuple[tuple[int, ...], tuple[Square, ...]]] = {
        _At(square, 0, (), 0, 0, False): ((lane[square],), ()) for square in ask.starts
    }
    for step in range(1, longest + 1):
        reached: dict[_At, tuple[tuple[int, ...], tuple[Square, ...]]] = {}
        for at, (lanes, squares) in layer.items():
            for square in course.onward[at.square]:
                after = _one_step(course, ask, at, square, step)
                if after is not None and after not in reached:
                    reached[after] = ((*lanes, lane[square]), (*squares, square))
        layer = {}
        for at, (lanes, squares) in reached.items():
            if not at.ended:
                layer[at] = (lanes, squares)
                if (ask.breaking and step < data.BREAKAWAY_SQUARES) or (ask.taken | ask.punctured) >> at.square & 1:
                    continue
            effect = effect_of(course, ask, at, squares)
            if effect is None:
                continue
            sign = (*_sign(effect), len(squares))
            if sign not in found:  # the first one has the smallest list of lanes: layers are in that order
                found[sign] = (lanes, effect)
        if not layer:
            break

    touching = any(effect.passed for _, effect in found.values())
    moves = tuple(_action(ask, lanes, effect) for lanes, effect in found.values())
    if not touching:
        moves = _distinct(moves)
    return Table(
        moves=moves,
        by_path={(move.start, move.path): move for move in moves},
        worst=max((effect.worst for _, effect in found.values()), default=0),
        touching=touching,
    )


def _sign(effect: Effect) -> tuple[Square, int, int, Risk | None]:
    """What makes two ways with the same card different."""
    return effect.to, effect.steps, effect.cost, effect.risk


def _distinct(moves: Iterable[Move | BreakAway]) -> tuple[Move | BreakAway, ...]:
    """One way for each effect, the one with the smallest list of lanes.

    Ways of one effect have as many squares, but for a break-away over the line: its missing squares are made up (GI-B2-05).
    """
    kept: dict[tuple[Square, int, int, Risk | None], Move | BreakAway] = {}
    for move in moves:
        other = kept.setdefault(_sign(_effect(move)), move)
        if (move.start or 0, move.path) < (other.start or 0, other.path):
            kept[_sign(_effect(move))] = move
    return tuple(kept.values())


def _action(ask: Ask, lanes: tuple[int, ...], effect: Effect) -> Move | BreakAway:
    if ask.breaking:
        return BreakAway(rider=ask.rider, start=lanes[0], path=lanes[1:], card=ask.card is not None, effect=effect)
    return Move(
        rider=ask.rider,
        start=lanes[0] if len(ask.starts) > 1 else None,
        path=lanes[1:],
        card=ask.card is not None,
        effect=effect,
    )


def _one_step(course: Course, ask: Ask, at: _At, square: Square, step: int) -> _At | None:
    """A path that goes on to `square` as its `step`th; None where the road is not open."""
    passed, ended = at.passed, False
    if (ask.join is not None and course.end[square] > ask.join) or course.beyond[square]:
        ended = True
    elif ask.taken >> square & 1:
        row = course.row_set[square]
        if ask.taken & row != row:
            return None
        passed += 1
    if step <= ask.free + ask.square:
        return _At(square, passed, at.climbed, at.black, at.hard, ended)
    segment = course.segment[square]
    climbed = at.climbed if segment is None else _one_more(at.climbed, segment)
    black = at.black | 1 << TERRAIN_INDEX[course.terrain[square]] if course.black[square] else at.black
    hard = at.hard + (ask.trial and course.terrain[square] is not Terrain.DOWNHILL)
    return _At(square, passed, climbed, black, hard, ended)


TERRAIN_INDEX: Final = {terrain: i for i, terrain in enumerate(Terrain)}


def _one_more(climbed: tuple[tuple[int, int], ...], segment: int) -> tuple[tuple[int, int], ...]:
    if climbed and climbed[-1][0] == segment:
        return (*climbed[:-1], (segment, climbed[-1][1] + 1))
    return (*climbed, (segment, 1))


def effect_of(course: Course, ask: Ask, at: _At, squares: tuple[Square, ...]) -> Effect | None:
    """What a path that ends at `at` leads to; None if no rider may take it, however rich.

    Rules: GI-B1-03, GI-B1-04, GI-B1-10, GI-B2-05, GI-C2-03, GI-C2-04, GI-C2-05, GI-C2-07, GI-C2-09, GI-C4-01,
    GI-D3-07, GI-D3-09, GI-D3-10, GI-D3-14, GI-S-03.
    """
    steps, climbed, hard, free = len(squares), at.climbed, at.hard, ask.free + ask.square
    finishes = course.beyond[at.square]
    if ask.breaking and steps < data.BREAKAWAY_SQUARES:  # over the line: the missing squares are run-out squares
        segment = course.segment[at.square]
        for missing in range(steps + 1, data.BREAKAWAY_SQUARES + 1):
            if missing > free and segment is not None:
                climbed = _one_more(climbed, segment)
        steps = data.BREAKAWAY_SQUARES
    paid = max(0, steps - free)
    cost = data.PAID_SQUARES[paid] + at.passed

    text = CARDS[ask.card] if ask.card is not None else None
    cracks, spared_crack = _cracks(course, ask, climbed, hard, text)
    black = at.black
    spared_fall = 0
    if text is not None and text.fall_joker is not None:
        spared_fall = black & 1 << TERRAIN_INDEX[text.fall_joker]
        black &= ~spared_fall
    if cracks and black:
        return None
    if text is not None and not (ask.square or spared_crack or spared_fall or ask.terrain is text.blocks_on):
        return None

    risk: Risk | None = None
    worst = cost
    if cracks:
        risk = Risk.TILE if ask.trial else Risk.CRACK
        worst = cost + ask.highest_tile if ask.trial else cost * data.CRACK_TIMES
    elif black:
        risk = Risk.FALL
        worst = cost if ask.trial else cost * data.FALL_TIMES
    return Effect(
        to=at.square,
        squares=squares,
        steps=steps,
        free=steps - paid,
        paid=paid,
        passed=at.passed,
        cost=cost,
        worst=worst,
        risk=risk,
        recovers=max(0, ask.free - steps),
        finishes=finishes,
        rejoins=at.ended and not finishes,
        carries=carries_slipstream(ask.terrain, len(squares), text),
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


def carries_slipstream(terrain: Terrain, squares: int, text: Text | None) -> bool:
    """Whether a move of so many squares, from this terrain, with this card, takes along who is linked to the rider.

    Rules: GI-C1-02, GI-C1-04, GI-S-05.
    """
    limit = data.DRAFT_LIMIT_DOWNHILL if terrain is Terrain.DOWNHILL else data.DRAFT_LIMIT
    return squares < limit and not (text is not None and text.blocks_on is terrain)


# ---- what one rider can do -------------------------------------------------------------------------------------------
def open_to(state: State, number: int, card: Card | None = None) -> tuple[Move | BreakAway, ...]:
    """The moves of a rider that the rules and his energy leave open, one for each effect; `card` goes with them.

    Rules: GI-M-03, GI-B1-09, GI-C2-04.
    """
    if card is not None and not CARDS[card].goes_with_a_move:
        return ()
    found = table(state.options.course, ask(state, number, card))
    return affordable(found, state.riders[number].energy)


def affordable(found: Table, energy: int) -> tuple[Move | BreakAway, ...]:
    """Those of a table that so much energy pays for, without the short ways through others. Rules: GI-B1-09, GI-C2-04."""
    if found.worst <= energy and not found.touching:
        return found.moves
    payable = tuple(move for move in found.moves if _effect(move).worst <= energy)
    if not found.touching:
        return payable
    longest: dict[Square, int] = {}
    for move in payable:
        effect = _effect(move)
        longest[effect.to] = max(longest.get(effect.to, 0), len(effect.squares))
    return _distinct(
        move for move in payable if not _effect(move).passed or len(_effect(move).squares) == longest[_effect(move).to]
    )


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
    asked = ask(state, number, card)
    found = table(course, asked)
    known = found.by_path.get((action.start, action.path))
    if known is not None and not found.touching and _effect(known).worst <= rider.energy:
        return _effect(known)

    at, squares = _walked(course, asked, action)
    steps = len(squares)
    name = rider.entry.id
    if not at.ended and asked.breaking and steps < data.BREAKAWAY_SQUARES:
        raise IllegalAction(
            "GI-B2-02",
            gettext_noop("%(rider)s needs at least %(least)s squares to break away; this is %(squares)s."),
            rider=name, least=data.BREAKAWAY_SQUARES, squares=steps,
        )  # fmt: skip
    if not at.ended and (asked.taken | asked.punctured) >> at.square & 1:
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
    if effect.passed:
        longest = max(
            len(_effect(move).squares)
            for move in found.moves
            if _effect(move).to == effect.to and _effect(move).worst <= rider.energy
        )
        if len(squares) < longest:
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


def _walked(course: Course, asked: Ask, action: Move | BreakAway) -> tuple[_At, tuple[Square, ...]]:
    """Where a path leads, step by step. Rules: GI-B1-03, GI-B1-05, GI-B1-06, GI-B1-13, GI-F-01."""
    name = asked.rider
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
    longest = asked.free + asked.square + asked.max_paid
    if len(action.path) > longest:
        raise IllegalAction(
            "GI-B1-03",
            gettext_noop("%(rider)s can pay for %(most)s squares at most: %(longest)s squares in all, not %(squares)s."),
            rider=name, most=asked.max_paid, longest=longest, squares=len(action.path),
        )  # fmt: skip
    at = _At(start, 0, (), 0, 0, False)
    squares: list[Square] = []
    for step, lane in enumerate(action.path, 1):
        if at.ended:
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
        after = _one_step(course, asked, at, to, step)
        if after is None:
            raise IllegalAction(
                "GI-B1-06",
                gettext_noop("%(rider)s cannot ride through %(square)s: somebody is there, and the road is not blocked."),
                rider=name, square=course.names[to],
            )  # fmt: skip
        at = after
        squares.append(to)
    return at, tuple(squares)


def _not_for_anybody(asked: Ask, at: _At, course: Course, squares: tuple[Square, ...], name: str) -> IllegalAction:
    """Why `effect_of` refuses a path: two risks at once, or a card that finds no use."""
    if asked.card is not None and effect_of(course, asked._replace(card=None), at, squares) is not None:
        return IllegalAction(
            "GI-S-03",
            gettext_noop("%(card)s does nothing for this move of %(rider)s."),
            card=asked.card.value.title(), rider=name,
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


__all__ = ["NOWHERE", "Ask", "Table", "affordable", "ask", "free_squares", "judged", "open_to", "table", "way_exists"]
