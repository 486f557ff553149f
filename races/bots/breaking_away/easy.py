"""The bot `easy`: takes points that lie before it, and otherwise rides as it feels. Legal, quick, no plan."""

import random
from collections.abc import Sequence
from typing import Final

from races.bots import TimeIsUp
from races.bots.breaking_away import allocation, asides
from races.bots.breaking_away.outline import BACK, Outline
from races.bots.breaking_away.posed import Posed
from rules.breaking_away.actions import Action
from rules.breaking_away.state import State
from rules.breaking_away.view import View
from rules.game import Decision

FEELING: Final = 3.0
"""Points of the race by which its liking for a factor wavers."""

PACE: Final = 0.1
"""What a square ridden seems worth to it, in points; at the finish three times as much."""

CHANGES: Final = 1 / 4
"""How often it changes in a Madison where it may."""


def easy(view: View, decision: Decision, legal: Sequence[Action], rng: random.Random, time_is_up: TimeIsUp) -> Action:
    """One of `legal`, without thinking."""
    state = view.state
    match decision.kind:
        case "allocate" if not state.field.options.closed:
            return allocation.hands(state, decision, allocation.USUAL, rng)
        case "rate" | "place":
            return legal[rng.randrange(len(legal))]
        case "change":  # first in the list is the change
            return legal[0] if rng.random() < CHANGES else legal[-1]
        case "move" | "orders":
            return ride(state, decision, rng)
    return asides.answer(state, decision)


def ride(state: State, decision: Decision, rng: random.Random) -> Action:
    """For each racer the factor that it likes, as far as it goes without looking at anybody else's."""
    posed = Posed(state, decision)
    outline = posed.outline()
    chosen = {}
    for racer in posed.own:
        chosen[racer] = liked(outline, racer, posed.allowed[racer], rng)
        outline.ride(racer, chosen[racer])
    return posed.said(chosen)


def liked(outline: Outline, racer: int, factors: Sequence[int], rng: random.Random) -> int:
    """The factor that it likes: points on the next line, squares, and its mood."""
    road, pos = outline.road, outline.pos[racer]
    if pos > road.finish:
        return min(factors)
    gate = road.gates[pos + BACK]
    take = road.tables[gate][outline.placed[gate]]
    pace = PACE * (1 + 2 * max(0, pos) / road.finish)
    return max(
        factors,
        key=lambda factor: (take if pos + factor > road.ats[gate] else 0) + pace * factor + rng.gauss(0, FEELING),
    )
