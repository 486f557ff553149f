"""The bot `easy`: free squares plus a little, and an attack when it feels like one. Legal, sensible, no plan."""

import random
from collections.abc import Sequence
from typing import Final

from races.bots import TimeIsUp
from rules.game import Decision
from rules.giro.actions import Action, BreakAway, Drop, Effect, Move, Pursue, Reveal, UseTile
from rules.giro.game import GIRO
from rules.giro.state import UNSEEN, Where
from rules.giro.view import View

A_LITTLE: Final = (0, 1, 3, 5)
"""Energy that a move may cost, one of these at random: none to three paid squares."""

ATTACKS: Final = 1 / 6
"""How often a rider inside attacks in a turn."""

LOW: Final = 4
"""Points of energy below which a kept tile is wanted."""


def easy(view: View, decision: Decision, legal: Sequence[Action], rng: random.Random, time_is_up: TimeIsUp) -> Action:
    """One of `legal`, without thinking for long."""
    match decision.kind:
        case "move":
            return _move(view, decision, legal, rng)
        case "attack":
            return _attack(view, decision, legal, rng)
        case "pursue":
            return Pursue(yes=_rival_ahead(view) and rng.random() < 1 / 2)
        case "pick" | "strength":
            return legal[rng.randrange(len(legal))]
        case "tile":
            drinks = [action for action in legal if isinstance(action, UseTile)]
            if drinks and rng.random() < 1 / 2:
                return drinks[0]
    return GIRO.default(view.state, decision)


def _move(view: View, decision: Decision, legal: Sequence[Action], rng: random.Random) -> Action:
    """A tile if he is short; over the line if he can; else as far as a little energy goes."""
    rider = next(rider for rider in view.state.riders if rider.id == decision.about)
    tiles = [action for action in legal if isinstance(action, Reveal) and action.tile != UNSEEN]
    if tiles and rider.energy < LOW:
        return tiles[0]
    safe = [(effect, action) for action in legal if isinstance(action, Move) and (effect := _safe(action))]
    home = [(effect.cost, action.card, i) for i, (effect, action) in enumerate(safe) if effect.finishes]
    if home:
        return safe[min(home)[2]][1]
    end, allowed = view.state.course.end, rng.choice(A_LITTLE)
    cheap = [
        (end[effect.to], -effect.cost, action.card, -i)
        for i, (effect, action) in enumerate(safe)
        if effect.cost <= allowed
    ]
    return safe[-max(cheap)[3]][1] if cheap else GIRO.default(view.state, decision)


def _attack(view: View, decision: Decision, legal: Sequence[Action], rng: random.Random) -> Action:
    """Home if somebody gets there, else now and then a cheap attack; mostly nobody."""
    breaks = [(effect, action) for action in legal if isinstance(action, BreakAway) and (effect := _safe(action))]
    home = [(effect.cost, action.card, i) for i, (effect, action) in enumerate(breaks) if effect.finishes]
    if home:
        return breaks[min(home)[2]][1]
    for rider in [action.rider for action in legal if isinstance(action, Drop)]:
        if rng.random() < ATTACKS:
            cheapest = [
                (effect.cost, action.card, i) for i, (effect, action) in enumerate(breaks) if action.rider == rider
            ]
            if cheapest:
                return breaks[min(cheapest)[2]][1]
    return GIRO.default(view.state, decision)


def _safe(action: Move | BreakAway) -> Effect | None:
    """What a move leads to if it carries no risk."""
    return action.effect if action.effect is not None and action.effect.risk is None else None


def _rival_ahead(view: View) -> bool:
    """Somebody else is ahead of the peloton and nobody of ours."""
    state = view.state
    ahead = [
        state.seats[rider.entry.seat] == view.seat
        for rider in state.riders
        if rider.where is Where.ROAD and state.course.end[rider.square] > state.front
    ]
    return bool(ahead) and not any(ahead)
