"""Chance, which the rules never make: they say what may fall, and are told what fell.

An outcome is an action of the game like any other, taken by nobody, with a weight: a whole number, so that no rounding
ever decides. Who answers is not the business of the rules: a seed online, the real die at a table, a test by name.
"""

from collections.abc import Sequence
from typing import Generic, NamedTuple, TypeVar

A = TypeVar("A")


class Weighted(NamedTuple, Generic[A]):
    """One outcome of a chance decision and how often it stands in the hat."""

    action: A
    weight: int


def total(outcomes: Sequence[Weighted[A]]) -> int:
    """Tickets in the hat."""
    return sum(outcome.weight for outcome in outcomes)


def drawn(outcomes: Sequence[Weighted[A]], ticket: int) -> A:
    """The outcome that holds `ticket`, a number from 0 to `total` - 1; the outcomes hold theirs in their order."""
    if ticket >= 0:
        for action, weight in outcomes:
            if ticket < weight:
                return action
            ticket -= weight
    raise ValueError("no such ticket")
