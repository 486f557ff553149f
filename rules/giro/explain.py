"""A move in the words of somebody who has to choose: what it costs, what it risks, what it leads to."""

from fractions import Fraction
from typing import Any

from rules.giro.actions import Action, BreakAway, Effect, Move, Risk
from rules.giro.course import LineKind
from rules.giro.legal import EVENT_DIE
from rules.giro.movement import judged, runs_with
from rules.giro.risks import needed
from rules.giro.state import NOBODY, NOWHERE, State, Where


def explain(state: State, action: Action) -> dict[str, Any]:
    """What a legal move would do, before any die; an empty dict for actions that say all by themselves.

    `slipstream` names the rider behind whom he would sit, `gives_slipstream` one who would then be exactly behind him;
    `keeps_followers` says whether who is linked to him gets a free square from this move.
    """
    if not isinstance(action, Move | BreakAway):
        return {}
    number = next(
        (i for i, rider in enumerate(state.riders) if rider.entry.id == (action.rider or _asked(state))), NOBODY
    )
    effect = action.effect or judged(state, number, action)
    course = state.options.course
    rider = state.riders[number]
    held = None
    chance = None
    if effect.risk in (Risk.CRACK, Risk.FALL):
        held = needed(rider.risks, trial=state.time_trial)
        chance = Fraction(sum(face >= held for face in EVENT_DIE), len(EVENT_DIE))
    return {
        "to": course.names[effect.to],
        "squares": [course.names[square] for square in effect.squares],
        "steps": effect.steps,
        "free": effect.free,
        "paid": effect.paid,
        "passed": effect.passed,
        "cost": effect.cost,
        "worst": effect.worst,
        "risk": None if effect.risk is None else effect.risk.value,
        "needs": held,
        "chance": None if chance is None else f"{chance.numerator}/{chance.denominator}",
        "recovers": effect.recovers,
        "leaves": rider.energy - effect.cost + effect.recovers,
        "lines": lines_crossed(state, number, effect),
        "finishes": effect.finishes,
        "rejoins": effect.rejoins,
        "slipstream": sits_behind(state, number, effect),
        "gives_slipstream": lands_before(state, number, effect),
        "keeps_followers": effect.carries,
    }


def _asked(state: State) -> str | None:
    for run in state.runs:
        if run.agenda and run.agenda[-1].rider != NOBODY:
            return state.riders[run.agenda[-1].rider].entry.id
    return None


def lines_crossed(state: State, number: int, effect: Effect) -> list[str]:
    """The lines that the move crosses, in road order: "bonus 1", "feed 1", "sprint 1", "arrival". Rules: GI-C4-02, GI-D2-01."""
    course = state.options.course
    square = state.riders[number].square
    since = course.start[square] if square != NOWHERE else state.front - 1
    return [
        "arrival" if line.kind is LineKind.ARRIVAL else f"{line.kind.value} {line.number}"
        for line in course.lines
        if since < line.tick <= course.start[effect.to]
    ]


def sits_behind(state: State, number: int, effect: Effect) -> str | None:
    """The rider whose slipstream he would sit in. Rules: GI-C1-01."""
    if effect.finishes or effect.rejoins:
        return None
    ahead = state.options.course.ahead[effect.to]
    for i in runs_with(state, number):
        other = state.riders[i]
        if i != number and other.square == ahead and other.active and not other.waiting:
            return other.entry.id
    return None


def lands_before(state: State, number: int, effect: Effect) -> str | None:
    """The rider on the square exactly behind the one where he would stop: no link yet, but room for one. Rules: GI-C1-01."""
    if effect.finishes or effect.rejoins:
        return None
    ahead = state.options.course.ahead
    for i in runs_with(state, number):
        other = state.riders[i]
        if i != number and other.where is Where.ROAD and not other.fell and ahead[other.square] == effect.to:
            return other.entry.id
    return None
