"""The question before a seat, in outline: for which racers it chooses a factor, from which, and how that is said."""

from collections.abc import Mapping

from races.bots.breaking_away import belief
from races.bots.breaking_away.outline import Outline
from rules.breaking_away import movement, turn
from rules.breaking_away.actions import Move, Orders
from rules.breaking_away.state import Factors, State, put
from rules.game import Decision


class Posed:
    """A `move` of one racer, or the `orders` for all of a seat."""

    def __init__(self, state: State, decision: Decision) -> None:
        assert decision.seat is not None
        self.state = state
        self.decision = decision
        field = state.field
        if decision.kind == "move":
            self.own = [state.order[state.done]]
        else:
            own = set(turn.racing(state, field.seats.index(decision.seat)))
            self.own = [racer for racer in state.order if racer in own]
        self.hands = belief.expected(state)
        self.allowed = {racer: self._allowed(racer) for racer in self.own}

    def _allowed(self, racer: int) -> Factors:
        """His factors; on paper those that he is expected to hold, as it was he who wrote them."""
        may = movement.factors(self.state, racer)
        hand = self.hands[racer]
        him = self.state.racers[racer]._replace(hand=hand)
        seen = self.state._replace(racers=put(self.state.racers, racer, him))
        written = tuple(factor for factor in movement.factors(seen, racer) if factor in may)
        if written:
            return written
        self.hands[racer] = belief.filled((may[len(may) // 2], *hand[1:]))
        return (may[len(may) // 2],)

    def outline(self) -> Outline:
        """The race with the hands that are seen or expected."""
        return Outline(self.state, self.hands)

    def said(self, factors: Mapping[int, int]) -> Move | Orders:
        """The answer that spends these factors."""
        names = {racer: turn.rides(self.state, racer) for racer in self.own}
        if self.decision.kind == "move":
            (racer,) = self.own
            return Move(cyclist=names[racer], factor=factors[racer])
        assert self.decision.seat is not None
        told = sorted((names[racer], factors[racer]) for racer in self.own)
        return Orders(seat=self.decision.seat, factors=tuple(told))
