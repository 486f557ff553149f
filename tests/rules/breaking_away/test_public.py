"""What public data tell of a hand, against every first hand there is."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.breaking_away.allocation import hands
from rules.breaking_away.game import BREAKING_AWAY as GAME
from rules.breaking_away.public import known, possible
from rules.game import due


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


@settings(max_examples=25, deadline=None)
@given(st.sampled_from([1, 2, 3, 4]), st.booleans(), st.integers(0, 10**6))
@pytest.mark.rule("BA-MAD-18", "BA-REF-02")
def test_on_paper_an_overdue_team_may_play_what_some_hand_would_allow_it(rating, exact, seed):
    rng = random.Random(seed)
    hand = rng.choice(hands(rating, exact))
    spent, gained = rng.sample(hand, 2), [rng.randint(1, 12) for _ in range(2)]
    rests = rng.sample(range(1, 16), 13)  # beside these many a factor from 0 is blocked
    rivals = "ABCDEFGHIJKMN"

    state = GAME.read_state(
        {
            "variant": "madison", "hands": "closed", "allocation_exact": exact, "turn": 8,
            "teams": [{"id": "L", "overdue": True, "ratings": [rating, 5 - rating]}, *({"id": name} for name in rivals)],
            "cyclists": {"L1": {"at": 80, "spent": spent, "gained": gained}, "L2": {"rests": 30}}
            | {f"{name}1": {"at": 20} for name in rivals}
            | {f"{name}2": {"rests": square} for name, square in zip(rivals, rests, strict=True)},
        }
    )  # fmt: skip
    legal = {GAME.write_action(move)["factor"] for move in GAME.legal(state, due(GAME.decisions(state))[0])}

    now = [list(first) for first in hands(rating, exact)]
    for factor, new in zip(spent, gained, strict=True):
        now = [[*rest, new] for one in now if (rest := without(factor, one)) is not None]
    allowed = {factor for one in now for factor in one if factor not in rests or all(other in rests for other in one)}
    assert legal == allowed


def without(factor: int, hand: list[int]) -> list[int] | None:
    if factor not in hand:
        return None
    at = hand.index(factor)
    return hand[:at] + hand[at + 1 :]
