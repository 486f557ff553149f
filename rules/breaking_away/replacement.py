"""New factors at the end of a turn: the chain ahead, and the lead of who has just broken away (spec 5.5, 5.6)."""

from collections.abc import Sequence

from rules.breaking_away.data import BASE_REPLACEMENT, OVERCROWDED
from rules.breaking_away.events import Replaced, Replacement, Why
from rules.breaking_away.state import NOBODY, Racer, State

_new = tuple.__new__  # a named tuple with all its fields given, in a third of the time


def race_order(moved: Sequence[int], racers: Sequence[Racer]) -> tuple[int, ...]:
    """Front first, and on one square who arrived first: the order of the next turn.

    Rules: BA-TURN-02, BA-TURN-03, BA-TURN-04, BA-INV-01, BA-LAP-02; AMB-10.
    """
    back = [-racer.pos for racer in racers]
    return tuple(sorted(moved, key=back.__getitem__))  # a stable sort keeps the order of arrival


def chain_ahead(pos: int, crowd: Sequence[int], too_many: int | None = None) -> int:
    """Cyclists in the unbroken chain of occupied squares ahead of `pos`; `crowd` are the distances of them all.

    Distances, not printed squares: nobody lapped is in a chain. A square with `too_many` is as good as empty.

    Rules: BA-REPL-02, BA-REPL-03, BA-REPL-04, BA-REPL-05, BA-OPT-02.
    """
    chain = 0
    while (here := crowd.count(pos := pos + 1)) and (too_many is None or here < too_many):
        chain += here
    return chain


def overcrowded_from(state: State) -> int | None:
    """So many on one square are too many in this turn; None: there may be any number. Rules: BA-OPT-02."""
    return OVERCROWDED if state.field.options.overcrowding and state.turn == 1 else None


def chain_so_far(state: State, racer: int, to: int) -> int:
    """Cyclists that would be in his chain ahead on that square, counted on who has moved. Rules: BA-REPL-02, BA-OPT-02."""
    moved = [state.racers[other].pos for other in state.order[: state.done] if other != racer]
    too_many = overcrowded_from(state)
    if too_many is not None and moved.count(to) + 1 >= too_many:
        return 0
    return chain_ahead(to, moved, too_many)


def lead(state: State, order: Sequence[int]) -> int:
    """How far the first of `order` is ahead of the second; with the option, of the best of another team. 0: he is not alone.

    Rules: BA-BRK-01, BA-BRK-02, BA-BRK-07, BA-BRK-09, BA-OPT-01; AMB-03, AMB-04.
    """
    racers, field = state.racers, state.field
    if len(order) < 2:
        return BASE_REPLACEMENT
    front = racers[order[0]].pos
    gap = front - racers[order[1]].pos
    if gap and field.options.break_over_rival:
        team = field.team_of[order[0]]
        rivals = (front - racers[racer].pos for racer in order if field.team_of[racer] != team)
        gap = next(rivals, BASE_REPLACEMENT)
    return gap


def replace_factors(state: State) -> tuple[State, Replaced]:
    """Give every racer his new factor, and put them in the order of the next turn.

    In a Madison a racer is a team: a change at the head is no new break.

    Rules: BA-REPL-01, BA-REPL-06, BA-REPL-08, BA-BRK-03, BA-BRK-04, BA-BRK-05, BA-BRK-06, BA-BRK-08, BA-OPT-02,
    BA-MAD-08; AMB-02, AMB-13, AMB-14, AMB-16, AMB-22, AMB-M3.
    """
    field = state.field
    order = race_order(state.order, state.racers)
    racers = list(state.racers)
    too_many = overcrowded_from(state)
    gap = lead(state, order)
    leader = order[0] if gap else NOBODY
    cyclists = field.cyclists
    in_chain = Why.CHAIN
    told: list[Replacement] = []
    chain = here = 0  # cyclists in the chain ahead of the square that is looked at, and on it
    square = racers[order[0]].pos
    for racer in order:
        pos, hand, spent, gained, shown, where, finished, relief = racers[racer]
        if pos != square:
            if too_many is not None and here >= too_many:
                chain = here = 0
            chain = chain + here if pos == square - 1 else 0
            here, square = 0, pos
        here += 1
        value, why = BASE_REPLACEMENT + chain, in_chain
        if racer == leader:
            if leader != state.leader:
                value, why = gap, Why.LEAD
        elif too_many is not None and sum(racers[other].pos == pos for other in order) >= too_many:
            value, why = BASE_REPLACEMENT, Why.OVERCROWDED
        if hand is not None:
            hand = tuple(sorted((*hand, value)))
        racers[racer] = _new(Racer, (pos, hand, spent, (*gained, value), shown, where, finished, relief))
        told.append(_new(Replacement, (cyclists[racer][0 if relief is None else relief.side], value, why)))
    state = state._replace(racers=tuple(racers), order=order, leader=leader)
    return state, Replaced(factors=tuple(told))
