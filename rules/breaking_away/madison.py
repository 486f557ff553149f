"""The Madison variant (spec 7): two cyclists for a team, one rides, one rests, and they take over from each other."""

from typing import Any

from rules.breaking_away.course import Course
from rules.breaking_away.data import MADISON_LAP
from rules.breaking_away.events import Changed, Event
from rules.breaking_away.state import Racer, Relief, State, Where, put

# ---- who begins ------------------------------------------------------------------------------------------------------


def first_order(state: State) -> tuple[int, ...]:
    """Seats from the first one on, in rounds: the first team of each, then the second of those who have one. Rules: BA-MAD-07."""
    field = state.field
    seats = [(state.first + step) % len(field.seats) for step in range(len(field.seats))]
    rounds = max(len(of_seat) for of_seat in field.of_seat)
    return tuple(
        field.of_seat[seat][number] for number in range(rounds) for seat in seats if number < len(field.of_seat[seat])
    )


def free_squares(state: State) -> tuple[int, ...]:
    """Printed squares beside which nobody rests. Rules: BA-MAD-05, BA-MAD-06."""
    taken = {racer.relief.square for racer in state.racers if racer.relief}
    return tuple(square for square in range(MADISON_LAP) if square not in taken)


# ---- the duty to change ----------------------------------------------------------------------------------------------


def lap_of(pos: int) -> int:
    """The lap in which a distance lies; the start line belongs to the first. Rules: BA-MAD-15."""
    return max(1, -(-pos // MADISON_LAP))


def after_move(relief: Relief, pos: int, to: int, course: Course) -> Relief:
    """The duty after a move from `pos` to `to`: overdue if a lap was left without a change in it.

    Rules: BA-MAD-16, BA-MAD-19.
    """
    left, entered = lap_of(pos), lap_of(to)
    if entered > left and (relief.changed < left or entered > left + 1):
        return relief._replace(overdue=True)
    return relief


def rival_rests(state: State, racer: int, pos: int) -> bool:
    """Whether a cyclist of another team rests beside that printed square. Rules: BA-MAD-10, BA-MAD-11, BA-MAD-14; AMB-M2."""
    square = state.field.course.square(pos)
    return any(
        other.relief is not None and other.relief.square == square and number != racer
        for number, other in enumerate(state.racers)
        if other.where is Where.RACING
    )


# ---- the change ------------------------------------------------------------------------------------------------------


def may_change(state: State, racer: int) -> bool:
    """Whether he is the outermost on his square, and no rival rests there. Rules: BA-MAD-10, BA-MAD-14; AMB-M6."""
    pos = state.racers[racer].pos
    outermost = next(other for other in reversed(state.order) if state.racers[other].pos == pos)
    return outermost == racer and not rival_rests(state, racer, pos)


def swapped(him: Racer, **relief: Any) -> Racer:
    """The partner rides and he rests; each keeps what he holds. `relief` is what else changes. Rules: BA-MAD-04, BA-MAD-12."""
    was = him.relief
    assert was is not None
    rests = was._replace(side=1 - was.side, hand=him.hand, spent=him.spent, gained=him.gained, open=him.open, **relief)
    return him._replace(hand=was.hand, spent=was.spent, gained=was.gained, open=was.open, relief=rests)


def change(state: State, racer: int, events: list[Event], *, forced: bool = False) -> State:
    """The partner takes over in the same place; who rode rests beside the square. Rules: BA-MAD-12, BA-MAD-13, BA-MAD-19."""
    field, him = state.field, state.racers[racer]
    square = field.course.square(him.pos)
    partner = swapped(him, square=square, changed=lap_of(him.pos), overdue=False)
    cyclist = field.cyclists[racer][partner.side]
    events.append(Changed(team=field.names[racer], cyclist=cyclist, square=square, forced=forced))
    return state._replace(racers=put(state.racers, racer, partner))


def next_change(state: State, events: list[Event]) -> State:
    """Go on in the phase of changes until somebody may choose; forced changes happen. `index` is at him, or at the end.

    Rules: BA-MAD-09, BA-MAD-13, BA-MAD-17.
    """
    while state.done < len(state.order):
        racer = state.order[state.done]
        relief = state.racers[racer].relief
        assert relief is not None
        if may_change(state, racer):
            if not relief.overdue:
                return state
            state = change(state, racer, events, forced=True)
        state = state._replace(done=state.done + 1)
    return state
