"""What a bot decides in a Madison beside its factors: ratings, the line-up, changes."""

from collections.abc import Sequence
from typing import Final

from races.bots.breaking_away import belief
from rules.breaking_away.actions import Action, Change, Place, Rate
from rules.breaking_away.data import MADISON_LAP, STRONG
from rules.breaking_away.madison import lap_of
from rules.breaking_away.state import State
from rules.game import Decision

IN_THE_WAY: Final = 36
"""The printed square to rest beside: rivals who are due for a change near the end of a lap cannot change there."""

FRESHER: Final = 2
"""Squares more in the hand of who rests that are worth a change."""


def answer(state: State, decision: Decision, legal: Sequence[Action]) -> Action:
    """The strongest ratings; the first rides, the second rests in the way; a change for the better hand, and once a lap."""
    match decision.kind:
        case "rate":
            return next(action for action in legal if isinstance(action, Rate) and (action.r1, action.r2) == STRONG)
        case "place":
            first = [action for action in legal if isinstance(action, Place) and action.active == 1]
            return min(first, key=lambda action: abs(action.square - IN_THE_WAY))
    wants = changes(state, state.order[state.done])
    return next(action for action in legal if isinstance(action, Change) is wants)


def changes(state: State, racer: int) -> bool:
    """Whether the partner takes over: his hand is worth more, or the lap ends and the duty is still to be done."""
    him = state.racers[racer]
    relief = him.relief
    assert relief is not None
    riding = belief.hand_of(state, racer, him, relief.side)
    resting = belief.hand_of(state, racer, relief, 1 - relief.side)
    if sum(resting) >= sum(riding) + FRESHER:
        return True
    lap = lap_of(him.pos)
    return (
        relief.changed < lap and him.pos + 2 * max(riding) > lap * MADISON_LAP and sum(resting) + FRESHER >= sum(riding)
    )
