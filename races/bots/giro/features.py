"""What a bot sees when it looks at a position: places in columns, what is likely to happen to a rider, what a move is worth.

*Time* is that of `plan`: turns to the line, the smaller the better.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from races.bots.giro.plan import FACES, FROM_THE_PELOTON, NEVER, Plan, Profile, plan
from rules.giro import data
from rules.giro.actions import Action, BreakAway, Effect, Move, PlayEddie, Reveal, Risk
from rules.giro.cards import CARDS, Card
from rules.giro.course import Course, LineKind, Square
from rules.giro.data import Kind, Terrain
from rules.giro.risks import needed
from rules.giro.state import NOBODY, UNSEEN, Rider, State, Strength, Where

TICKS: Final = 60
"""In a column."""

CHASE: Final = 0.3
"""How often a bot expects the peloton to pursue."""

CARRIED: Final = 0.03
"""Turns that a point of energy carried over into the next stage of a Giro is held to be worth."""

SHORT: Final = 12
"""Points of energy below which a rider drinks what he kept."""


def plan_of(state: State, rider: Rider, *, strength: Strength | None = None, risks: bool = False) -> Plan:
    """The tables for a rider of this race; with `risks` of one who may risk a crack, where there are mountains."""
    options = state.options
    return plan(
        Profile(
            course=options.course,
            speciality=rider.entry.speciality,
            strength=rider.strength or strength,
            faces=options.peloton_die,
            chase=CHASE,
            carry=CARRIED if options.giro else 0.0,
            cap=data.CARRY_CAP[options.kind],
            boxes=rider.risks if risks and options.course.segments and not state.time_trial else None,
        )
    )


def column(course: Course, square: Square) -> float:
    """Where the front edge of a square is, in columns: a whole number on straights and in the dotted lane."""
    return course.end[square] / TICKS


def front(state: State) -> int:
    """The column of the peloton's front."""
    return state.front // TICKS


def number(state: State, name: str | None) -> int:
    """The index of a rider."""
    return next(i for i, rider in enumerate(state.riders) if rider.id == name)


def strength_to_come(rider: Rider) -> int:
    """Energy, and the kept tiles that are known here."""
    return rider.energy + sum(rider.tiles)


def ways(legal: Sequence[Action]) -> Iterator[tuple[Move | BreakAway, Effect]]:
    """The moves among some answers, with what they lead to."""
    for action in legal:
        if isinstance(action, Move | BreakAway) and action.effect is not None:
            yield action, action.effect


def drink(state: State, rider: Rider, legal: Sequence[Action]) -> Action | None:
    """A kept tile, the lowest first, or Eddie, for a rider who is short of energy; None if he is not, or has none.

    Eddie is also played by whoever might otherwise take him over the line unused.
    """
    own = [action for action in legal if getattr(action, "rider", None) == rider.id]
    if rider.energy < SHORT:
        for action in own:
            if isinstance(action, Reveal) and action.tile != UNSEEN:
                return action
    if rider.energy < SHORT or rider.where is Where.ROAD:
        for action in own:
            if isinstance(action, PlayEddie):
                return action
    return None


# ---- what a move is worth --------------------------------------------------------------------------------------------
def time_after(state: State, rider: Rider, effect: Effect, *, risks: bool = False) -> float:
    """Time of a rider after a move of a road stage, over the line or not; from the beginning of this turn. `risks`: he may
    risk a crack later. A risk of this move is weighed by its chance to hold."""
    table = plan_of(state, rider, risks=risks)
    energy = strength_to_come(rider) - effect.cost + effect.recovers
    bonus = BONUS * _bonus_lines(state, rider, effect)
    if effect.finishes:
        return _home(state, rider, table, energy) - bonus
    if effect.risk is None:
        return _time_with(state, rider, table, effect, energy) - bonus
    least = needed(rider.risks, trial=False)
    held = (FACES + 1 - least) / FACES
    good = _time_with(state, rider, table.next, effect, energy)
    if effect.risk is Risk.CRACK:
        bad = _time_with(state, rider, table.next, effect, energy - effect.cost * (data.CRACK_TIMES - 1))
    else:
        lost = effect.cost * (data.FALL_TIMES - 1)
        bad = SKIPPED + _time_with(state, rider, table.next, effect, energy - lost)
    return held * good + (1 - held) * bad - bonus


BONUS: Final = 0.8
"""Turns that a bonus line is worth in a Giro: a square of the GC track, as a turn is, but a turn lost may lose the stage."""


def _bonus_lines(state: State, rider: Rider, effect: Effect) -> int:
    """Bonus lines that a move is the first to cross."""
    if not state.options.giro:
        return 0
    course = state.options.course
    since, to = _from(state, rider), column(course, effect.to)
    lines = zip(course.columns_of(LineKind.BONUS), state.bonus, strict=True)
    return sum(since <= line < to and won == NOBODY for line, won in lines)


SKIPPED: Final = 1.0
"""Turns that a fall costs beside its energy."""


def _home(state: State, rider: Rider, table: Plan, energy: int) -> float:
    """Time of a rider whose move ends beyond the line."""
    later = FROM_THE_PELOTON if rider.where is Where.INSIDE else 0.0
    return later + table.left[max(0, min(energy, table.energy))]


def _time_with(state: State, rider: Rider, table: Plan, effect: Effect, energy: int) -> float:
    """Time of a rider with so much energy after a move, and what the bottles on its way hold."""
    to, since = column(state.options.course, effect.to), _from(state, rider)
    energy += table.bottle * sum(
        since <= line < to and number not in rider.fed for number, line in enumerate(table.feeds, 1)
    )
    return time_at(state, rider, table, to, energy, moved_before_roll=_before_the_roll(state, rider))


def _from(state: State, rider: Rider) -> float:
    return front(state) if rider.where is Where.INSIDE else column(state.options.course, rider.square)


def _before_the_roll(state: State, rider: Rider) -> bool:
    """Whether a move of the rider comes before the peloton's in this turn: T1 and T2, not T5."""
    if rider.where is Where.INSIDE:
        return True
    return not rider.waiting and state.options.course.end[rider.square] > state.front


def time_at(state: State, rider: Rider, table: Plan, to: float, energy: int, *, moved_before_roll: bool) -> float:
    """Time of a rider who stands at column `to` after his move of this turn."""
    if state.gone:
        return 1 + table.on_his_own(to, energy)
    ahead_of = front(state)
    if moved_before_roll:
        return table.gone(to, ahead_of, energy)
    if to > ahead_of:
        return 1 + table.outside(to, ahead_of, energy)
    if to > ahead_of - 2:
        return 1 + table.in_the_peloton(ahead_of, energy)
    return 1 + behind(table, to, ahead_of, energy)


def behind(table: Plan, at: float, ahead_of: int, energy: int) -> float:
    """Time at the beginning of a turn, behind the peloton: alone to the end, or back into it if it goes no faster than 4."""
    alone = table.on_his_own(at, energy)
    there = ahead_of + 4
    if there > table.columns:
        return alone
    squares = int(there - 1 - at)
    free = table.free[max(0, min(int(at), table.columns))]
    paid = max(0, squares - free)
    if paid > data.MAX_PAID or data.PAID_SQUARES[paid] > energy:
        return alone
    return min(alone, 1 + table.in_the_peloton(there, energy - data.PAID_SQUARES[paid]))


# ---- slipstream ------------------------------------------------------------------------------------------------------
def wheel(state: State, rider: Rider, square: Square) -> Rider | None:
    """Whose slipstream the rider may get if he stops there: who is exactly ahead, upright and not waiting. GI-C1-01."""
    ahead = state.options.course.ahead[square]
    for other in state.riders:
        if other.active and other.square == ahead and not other.waiting and together(state, rider, other):
            return other
    return None


def together(state: State, rider: Rider, other: Rider) -> bool:
    """Whether two riders share the road: everybody in a road stage, a jersey in a team time trial, nobody alone."""
    if rider.entry.id == other.entry.id:
        return False
    kind = state.options.kind
    return kind is Kind.ROAD or (kind is Kind.TTT and rider.entry.jersey == other.entry.jersey)


def next_steps(state: State, rider: Rider) -> int:
    """How far a rider outside would go in his next move if he rode by his plan."""
    table = plan_of(state, rider)
    at = column(state.options.course, rider.square)
    here = max(0, min(int(at), table.columns))
    free = table.free[here]
    best, steps = NEVER, free
    energy = rider.energy
    for step in table.moves[here]:
        if step.price <= energy:
            to = here + step.squares
            time = 0.0 if to > table.columns else table.on_his_own(to, energy - step.price)
            if time < best:
                best, steps = time, step.squares
    return steps


def slipstream(state: State, rider: Rider, effect: Effect) -> float:
    """Turns that a move is likely to save by slipstream: its rider, whom he ends behind; and team-mates who sit behind him."""
    return _got(state, rider, effect) + _given(state, rider, effect)


def _got(state: State, rider: Rider, effect: Effect) -> float:
    if effect.finishes or effect.rejoins:
        return 0.0
    leader = wheel(state, rider, effect.to)
    if leader is None:
        return 0.0
    course = state.options.course
    downhill = course.terrain[leader.square] is Terrain.DOWNHILL
    limit = data.DRAFT_LIMIT_DOWNHILL if downhill else data.DRAFT_LIMIT
    if next_steps(state, leader) >= limit:
        return 0.0
    if state.time_trial:
        return SQUARE
    gap = column(course, effect.to) - front(state)
    stays = 1.0
    if _before_the_roll(state, rider) and not state.gone:
        stays = sum(chance for squares, chance in plan_of(state, rider).speeds if squares < gap)
    return SQUARE * stays


def _given(state: State, rider: Rider, effect: Effect) -> float:
    if not effect.carries:
        return 0.0
    own = state.riders.index(rider)
    mates = [other for other in state.riders if other.link == own and other.entry.seat == rider.entry.seat]
    return SQUARE * len(mates)


SQUARE: Final = 0.13
"""Turns that a free square is worth: a rider makes about seven or eight columns a turn outside."""


def hold(state: State, rider: Rider) -> float:
    """Turns that the card in hand is worth, if it is not played now: nothing if it finds no use any more."""
    if rider.card is None:
        return 0.0
    text = CARDS[rider.card]
    course = state.options.course
    at = int(_from(state, rider)) + 4  # of a later move
    for later in range(max(1, at), course.columns + 1):
        if course.terrain_at(later) in text.square_on or (text.square_in_sprint and course.in_sprint_zone(later)):
            return SQUARE
    if rider.card is Card.EDDIE or text.crack_joker or text.fall_joker:
        return SQUARE / 2
    return 0.0
