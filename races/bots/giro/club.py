"""The bot `club`: every own move is compared by the time to the line that it leaves; it takes no risks."""

import random
from collections.abc import Sequence
from typing import TypeAlias

from races.bots import TimeIsUp
from races.bots.giro import draft, time_trial
from races.bots.giro.features import drink, front, hold, number, plan_of, slipstream, strength_to_come, time_after, ways
from rules.game import Decision
from rules.giro.actions import Action, BreakAway, Drop, End, Move, Pursue
from rules.giro.game import GIRO
from rules.giro.state import Rider, State, Where
from rules.giro.view import View

Ride: TypeAlias = Move | BreakAway


def club(view: View, decision: Decision, legal: Sequence[Action], rng: random.Random, time_is_up: TimeIsUp) -> Action:
    """One of `legal`. It takes a millisecond, so the time is not asked for."""
    state = view.state
    match decision.kind:
        case "move":
            return move(state, decision, legal)
        case "attack":
            return attack(state, legal)
        case "pursue":
            return Pursue(yes=pursues(view))
        case "pick":
            return draft.pick(state, legal, rng)
        case "strength":
            return draft.mark(state, legal)
    return GIRO.default(state, decision)


def move(state: State, decision: Decision, legal: Sequence[Action]) -> Action:
    """The move without a risk that leaves the shortest time."""
    rider = state.riders[number(state, decision.about)]
    first = drink(state, rider, legal)
    if first is not None:
        return first
    if state.time_trial:
        return time_trial.move(state, rider, decision, legal)
    rated = rate(state, rider, legal)
    return min(rated, key=lambda way: way[0])[1] if rated else GIRO.default(state, decision)


def rate(state: State, rider: Rider, legal: Sequence[Action], *, risks: bool = False) -> list[tuple[float, Ride]]:
    """The rider's moves in a road stage, each with the time it leaves. Without `risks` none that may crack or fall."""
    kept = hold(state, rider)
    return [
        (time_after(state, rider, effect, risks=risks) - slipstream(state, rider, effect) + action.card * kept, action)
        for action, effect in ways(legal)
        if action.rider == rider.id and (risks or effect.risk is None)
    ]


def attack(state: State, legal: Sequence[Action]) -> Action:
    """The rider who gains most by leaving now, against waiting for a turn; nobody if nobody gains."""
    best, answer = 0.0, None
    for name in [action.rider for action in legal if isinstance(action, Drop)]:
        rider = state.riders[number(state, name)]
        first = drink(state, rider, legal)
        if first is not None:
            return first
        rated = rate(state, rider, [action for action in legal if isinstance(action, BreakAway)])
        if rated:
            time, way = min(rated, key=lambda way: way[0])
            gain = plan_of(state, rider).waiting(front(state), strength_to_come(rider)) - time
            if gain > best:
                best, answer = gain, way
    return answer or next(action for action in legal if isinstance(action, End))


def pursues(view: View) -> bool:
    """Whether the pursuit is worth its price to the own riders inside, some rival being ahead and none of the own."""
    state = view.state
    own = [rider for rider in state.riders if state.seats[rider.entry.seat] == view.seat]
    inside = [rider for rider in own if rider.where is Where.INSIDE]
    if not inside or any(_ahead(state, rider) for rider in own):
        return False
    if not any(_ahead(state, rider) for rider in state.riders):
        return False
    gain = 0.0
    for rider in inside:
        table, energy = plan_of(state, rider), strength_to_come(rider)
        gain += table.waiting(front(state), energy, chase=False) - table.waiting(front(state), energy, chase=True)
    return gain > 0


def _ahead(state: State, rider: Rider) -> bool:
    if rider.where is Where.FINISHED:
        return True
    return rider.where is Where.ROAD and state.options.course.end[rider.square] > state.front
