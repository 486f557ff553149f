"""What may be in the hands that a seat cannot see: what was announced of them, and a guess at the rest.

A hand holds its replacements, which are public, and what is left of its first factors. Those are guessed: any first hand
that was allowed and explains everything that was spent, and of these those that leave hardly a point unspent.
"""

import random
from collections import Counter
from functools import lru_cache
from typing import Final

from rules.breaking_away.allocation import hands
from rules.breaking_away.data import ALLOTMENTS, BASE_REPLACEMENT, DEFAULT_HANDS
from rules.breaking_away.movement import rating
from rules.breaking_away.public import known
from rules.breaking_away.state import UNRATED, Factors, Racer, Relief, State

UNSPENT: Final = 1
"""Points of a limit that somebody may have left unspent without being taken for odd."""


@lru_cache(maxsize=1 << 14)
def leftovers(originals: Factors, strength: int, exact: bool) -> tuple[Factors, ...]:
    """Of every first hand that holds these values what else it holds; never empty."""
    limit, _ = ALLOTMENTS[strength]
    spent = Counter(originals)
    fitting = [hand for hand in hands(strength, exact) if not spent - Counter(hand)]
    full = [hand for hand in fitting if sum(hand) >= limit - UNSPENT]
    left = {tuple(sorted((Counter(hand) - spent).elements())): None for hand in full or fitting}
    return tuple(left) or ((),)


@lru_cache(maxsize=1 << 14)
def likely(spent: Factors, gained: Factors, strength: int, exact: bool) -> Factors:
    """The hand that is expected: the usual one, or if that is refuted, of all that are possible the one in the middle."""
    originals, held = known(spent, gained)
    usual = Counter(DEFAULT_HANDS[strength])
    if not Counter(originals) - usual:
        return filled((*(usual - Counter(originals)).elements(), *held))
    left = sorted(leftovers(originals, strength, exact), key=lambda rest: (len(rest), rest and rest[-1], rest))
    return filled((*left[len(left) // 2], *held))


def filled(hand: Factors) -> Factors:
    """A hand, sorted, from which something can be spent: where public data explain nothing, as in a made-up position."""
    return tuple(sorted(hand)) or (BASE_REPLACEMENT,)


def strength_of(state: State, racer: int, side: int) -> int:
    """The number, or in a Madison the rating, of a cyclist; while ratings are not known, that of the strongest."""
    if state.field.madison and state.ratings[state.field.team_of[racer]] in (None, UNRATED):
        return min(ALLOTMENTS)
    return rating(state, racer, side)


def hand_of(state: State, racer: int, of: Racer | Relief, side: int) -> Factors:
    """The hand of a cyclist as it is, if it can be seen, else the likely one."""
    exact = state.field.options.allocation_exact
    return of.hand or likely(of.spent, of.gained, strength_of(state, racer, side), exact)


def expected(state: State) -> list[Factors]:
    """The hands of all who ride, as they are where they can be seen, else the likely ones."""
    return [hand_of(state, racer, him, him.relief.side if him.relief else 0) for racer, him in enumerate(state.racers)]


class Guesser:
    """Draws hands for all whose hands cannot be seen."""

    def __init__(self, state: State) -> None:
        exact = state.field.options.allocation_exact
        self._known: list[Factors] = []
        self._hidden: list[tuple[int, tuple[Factors, ...]]] = []
        racing = set(state.order)
        for racer, him in enumerate(state.racers):
            if him.hand or racer not in racing:
                self._known.append(him.hand or ())
                continue
            originals, held = known(him.spent, him.gained)
            strength = strength_of(state, racer, him.relief.side if him.relief else 0)
            self._known.append(held)
            self._hidden.append((racer, leftovers(originals, strength, exact)))

    def draw(self, rng: random.Random) -> list[Factors]:
        """One guess at all hands."""
        drawn = list(self._known)
        for racer, left in self._hidden:
            drawn[racer] = filled((*left[int(rng.random() * len(left))], *drawn[racer]))
        return drawn
