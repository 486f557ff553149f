"""Riding against the clock: the fewest turns to the line with the energy at hand, and then as much of it left as can be.

Nobody else matters, so the tables of `plan` say nearly all. What they leave out is looked at here for every move: the
crack tiles that are left of the rider's seven, the squares that he really ends on, his card, and in a team the slipstream.
"""

from collections.abc import Sequence

from races.bots.giro.features import column, hold, plan_of, slipstream, strength_to_come, ways
from rules.game import Decision
from rules.giro.actions import Action, Effect, Move, Risk
from rules.giro.game import GIRO
from rules.giro.state import Rider, State


def move(state: State, rider: Rider, decision: Decision, legal: Sequence[Action]) -> Action:
    """The move that leaves the shortest time. A fall is risked only over the line, where it does nothing any more."""
    kept = hold(state, rider)
    rated = [
        (time_after(state, rider, effect) - slipstream(state, rider, effect) + action.card * kept, action)
        for action, effect in ways(legal)
        if isinstance(action, Move) and (effect.risk is not Risk.FALL or effect.finishes)
    ]
    return min(rated, key=lambda way: way[0])[1] if rated else GIRO.default(state, decision)


def time_after(state: State, rider: Rider, effect: Effect) -> float:
    """Turns to the line after a move, from the beginning of this turn. A crack tile costs what those that are left cost on
    average. Rules: GI-D3-07, GI-D3-08."""
    table = plan_of(state, rider)
    energy = strength_to_come(rider) - effect.cost + effect.recovers
    to = column(state.options.course, effect.to)
    tiles = rider.crack_tiles if effect.risk is Risk.TILE else (0,)

    def with_energy(left: int) -> float:
        if effect.finishes:
            return table.left[max(0, min(left, table.energy))]
        return 1 + table.on_his_own(to, left)

    return sum(with_energy(energy - tile) for tile in tiles) / len(tiles)
