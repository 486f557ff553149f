"""What a bot says beside the turn. It is asked only for what holds the race up, which is a vote on a retirement."""

from typing import Final

from rules.breaking_away.actions import Action, VoteRetire
from rules.breaking_away.game import BREAKING_AWAY
from rules.breaking_away.replacement import chain_ahead
from rules.breaking_away.state import State, Where
from rules.game import Decision

FAR: Final = 25
"""Squares behind one's own last cyclist at which nobody is of use any more."""


def answer(state: State, decision: Decision) -> Action:
    """The vote; of anything else, what the rules answer for somebody who is away."""
    if decision.kind == "vote_retire":
        assert decision.seat is not None
        assert decision.about is not None
        return VoteRetire(seat=decision.seat, cyclist=decision.about, yes=agrees(state, decision))
    return BREAKING_AWAY.default(state, decision)


def agrees(state: State, decision: Decision) -> bool:
    """Yes if he is far behind and no new factor of one's own hangs on him; without cyclists of one's own, yes. Rules: BA-RET-05; AMB-17."""
    field = state.field
    seat = field.seats.index(decision.seat)
    who = field.names.index(decision.about)
    racing = {racer: him.pos for racer, him in enumerate(state.racers) if him.where is Where.RACING}
    own = [racing[racer] for racer in field.of_seat[seat] if racer in racing]
    if not own:
        return True
    if who not in racing or racing[who] > min(own) - FAR:
        return False
    with_him = list(racing.values())
    without = [pos for racer, pos in racing.items() if racer != who]
    return all(chain_ahead(pos, with_him) == chain_ahead(pos, without) for pos in own)
