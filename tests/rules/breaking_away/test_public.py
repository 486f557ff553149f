"""What public data tell of a hand, against every first hand there is."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.breaking_away.allocation import hands
from rules.breaking_away.public import known, possible


@settings(max_examples=60, deadline=None)
@given(st.sampled_from([1, 2, 3, 4]), st.booleans(), st.integers(0, 10**6))
@pytest.mark.rule("BA-REF-02")
def test_a_factor_is_possible_exactly_if_some_first_hand_would_still_hold_it(rating, exact, seed):
    rng = random.Random(seed)
    still = {hand: list(hand) for hand in hands(rating, exact)}  # by first hand, what it would hold now
    spent: tuple[int, ...] = ()
    gained: tuple[int, ...] = ()
    for _turn in range(8):
        held = {value for hand in still.values() for value in hand}
        assert set(possible(spent, gained, rating, exact)) == held

        factor = rng.choice(sorted(held))
        still = {first: hand for first, hand in still.items() if factor in hand}
        for hand in still.values():
            hand.remove(factor)
        new = rng.randint(1, 12)
        for hand in still.values():
            hand.append(new)
        spent, gained = (*spent, factor), (*gained, new)


@pytest.mark.rule("BA-INFO-04")
def test_a_replacement_that_was_not_spent_is_surely_in_the_hand():
    assert known((9, 6, 3), (6, 4, 3)) == ((9, 3), (3, 4))
