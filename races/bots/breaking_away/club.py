"""The bot `club`: of its factors the best by the quick policy, which looks at who has moved."""

import random
from collections.abc import Sequence
from typing import Final

from races.bots import TimeIsUp
from races.bots.breaking_away import allocation, asides, madison
from races.bots.breaking_away.outline import Weights
from races.bots.breaking_away.posed import Posed
from rules.breaking_away.actions import Action
from rules.breaking_away.state import State
from rules.breaking_away.view import View
from rules.game import Decision

WEIGHTS: Final = Weights(chain=0.45, pace=0.0, late=0.16, line=1.0, soon=0.32, home=0.05)
"""Found by races of outlines against each other; see docs/bots.md."""


def club(view: View, decision: Decision, legal: Sequence[Action], rng: random.Random, time_is_up: TimeIsUp) -> Action:
    """One of `legal`. It takes a fraction of a millisecond, so the time is not asked for."""
    state = view.state
    match decision.kind:
        case "allocate" if not state.field.options.closed:
            return allocation.hands(state, decision, allocation.ATTACK, rng)
        case "rate" | "place" | "change":
            return madison.answer(state, decision, legal)
        case "move" | "orders":
            return ride(state, decision)
    return asides.answer(state, decision)


def ride(state: State, decision: Decision) -> Action:
    """The factors that the policy likes best."""
    posed = Posed(state, decision)
    return posed.said(chosen(posed))


def chosen(posed: Posed) -> dict[int, int]:
    """Of each racer the factor that the policy likes best. With orders it imagines that all others ride by it too."""
    outline = posed.outline()
    if posed.decision.kind == "move":
        (racer,) = posed.own
        return {racer: outline.rated(racer, WEIGHTS, posed.allowed[racer])[1]}
    found = {}
    for racer in list(outline.order):
        factor = outline.rated(racer, WEIGHTS, posed.allowed.get(racer))[1]
        if racer in posed.allowed:
            found[racer] = factor
        outline.ride(racer, factor)
    return found
