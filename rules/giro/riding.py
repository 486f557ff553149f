"""What a move leads to, in its fixed order (spec 4.2): price, risk, recovery, lines, and where the rider then is."""

from bisect import bisect_right
from typing import Final

from rules.errors import IllegalAction, gettext_noop
from rules.giro.actions import BreakAway, Effect, Move, Risk, Stay
from rules.giro.cards import CARDS
from rules.giro.course import LineKind, Square
from rules.giro.events import BrokeAway, Moved, Recovered, Rejoined, Stayed, WonBonus
from rules.giro.finish import finish
from rules.giro.movement import judged, way_exists
from rules.giro.slipstream import carry, drop_out, link
from rules.giro.state import INSIDE, NOBODY, NOWHERE, ROAD, Do, State, Todo
from rules.giro.work import Work

_RISKS = {Risk.CRACK: Do.CRACK, Risk.FALL: Do.FALL, Risk.TILE: Do.CRACK_TILE}
RECOVER: Final = Do.RECOVER
SETTLE: Final = Do.SETTLE


def ride(work: Work, state: State, number: int, action: Move | BreakAway) -> None:
    """A rider moves: he is placed and pays; the rest goes on the agenda. `state` is the one that the action answers.

    Rules: GI-M-06, GI-B1-04, GI-B2-04, GI-C1-06, GI-S-01, GI-S-02.
    """
    effect = judged(state, number, action)
    rider = work.riders[number]
    origin = rider.square
    slipstream = rider.slip
    card = rider.card if action.card else None
    breaking = rider.where is INSIDE and not work.trial
    rider = work.change(
        number,
        where=ROAD,
        square=effect.to,
        arrival=work.arrival(),
        energy=rider.energy - effect.cost,
        waiting=False,
        link=NOBODY,  # his own slipstream is used or lost; those behind him keep theirs (GI-C1-06)
        slip=False,
        card=None if card else rider.card,
        played=card or rider.played,
        spare=rider.spare or (card is not None and CARDS[card].puncture_joker),
    )
    names = work.course.names
    if breaking:
        work.tell(
            BrokeAway(
                rider=rider.entry.id,
                to=names[effect.to],
                squares=effect.steps,
                free=effect.free,
                paid=effect.paid,
                passed=effect.passed,
                card=card,
                change=-effect.cost,
                energy=rider.energy,
            )  # fmt: skip
        )
    else:
        work.tell(
            Moved(
                rider=rider.entry.id,
                origin=None if origin == NOWHERE else names[origin],
                to=names[effect.to],
                squares=effect.steps,
                free=effect.free,
                paid=effect.paid,
                passed=effect.passed,
                card=card,
                slipstream=slipstream,
                change=-effect.cost,
                energy=rider.energy,
            )  # fmt: skip
        )
    carry(work, number, carries=effect.carries)
    work.next(*consequences(work, state, number, origin, effect))


def consequences(work: Work, state: State, number: int, origin: Square, effect: Effect) -> list[Todo]:
    """What is still to be done for a move, in order. Rules: GI-C2-02, GI-C4-01, GI-C4-02, GI-D2-01, GI-D3-07."""
    todos = []
    if effect.risk is not None:
        todos.append(Todo(_RISKS[effect.risk], rider=number, amount=effect.cost))
    if effect.recovers:
        todos.append(Todo(RECOVER, number, amount=effect.recovers))
    # out of the peloton he starts level with its front, whichever launch square the path is counted from
    start = work.course.start
    since = start[origin] if origin != NOWHERE else state.front - 1
    todos.extend(lines_between(work, number, since, start[effect.to]))
    todos.append(Todo(SETTLE, number))
    return todos


def lines_between(work: Work, number: int, since: int, until: int) -> list[Todo]:
    """The bonus and feed lines with `since` < tick <= `until`, in road order. Rules: GI-C4-02, GI-D2-01."""
    todos: list[Todo] = []
    if work.trial:
        return todos
    ticks = work.course.line_ticks
    for line in work.course.lines[bisect_right(ticks, since) : bisect_right(ticks, until)]:
        if line.kind is LineKind.FEED:
            todos.append(Todo(Do.FEED, rider=number, line=line.number))
        elif line.kind is LineKind.BONUS and work.options.giro:
            todos.append(Todo(Do.BONUS, rider=number, line=line.number))
    return todos


def recover(work: Work, todo: Todo) -> bool:
    """Free squares left unused of an own move come back, without limit. Rules: GI-C4-01, GI-C4-06, GI-M-04, GI-S-04."""
    rider = work.riders[todo.rider]
    rider = work.change(todo.rider, energy=rider.energy + todo.amount)
    work.tell(Recovered(rider=rider.entry.id, change=todo.amount, energy=rider.energy))
    return False


def bonus(work: Work, todo: Todo) -> bool:
    """The first over a bonus line wins it. Rules: GI-D2-01."""
    if work.bonus[todo.line - 1] == NOBODY:
        work.bonus = (*work.bonus[: todo.line - 1], todo.rider, *work.bonus[todo.line :])
        work.tell(WonBonus(rider=work.name(todo.rider), line=todo.line))
    return False


def settle(work: Work, todo: Todo) -> bool:
    """The end of a move: over the line, in the peloton, or on a square. Rules: GI-F-01, GI-B1-13, GI-C1-01."""
    rider = work.riders[todo.rider]
    square = rider.square
    if work.course.beyond[square]:
        finish(work, todo.rider)
    elif rider.fell:
        return False
    elif not work.trial and not work.gone and work.rear < work.course.end[square] <= work.front:
        rejoin(work, todo.rider)
    else:
        link(work, todo.rider)
    return False


def rejoin(work: Work, number: int) -> None:
    """He is in the peloton, from now on as far as its front: lines under it are crossed. Rules: GI-B1-13, GI-C4-07; R-49."""
    rider = work.riders[number]
    since = work.course.start[rider.square]
    work.change(number, where=INSIDE, square=NOWHERE, waiting=False, link=NOBODY, slip=False)
    work.tell(Rejoined(rider=rider.entry.id))
    work.next(*lines_between(work, number, since, work.front - 1))


def stay(work: Work, state: State, number: int, action: Stay) -> None:
    """No way is open: he keeps square and arrival number, and loses his slipstream. Rules: GI-B1-11; R-14."""
    if way_exists(state, number):
        raise IllegalAction("GI-B1-11", gettext_noop("%(rider)s can move, so he must."), rider=work.name(number))
    drop_out(work, number)
    work.change(number, waiting=False)
    work.tell(Stayed(rider=work.name(number)))
