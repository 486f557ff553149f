"""The first hands: the numbers of the rulebook, and the product of them all."""

import pytest

from rules.breaking_away.actions import Allocate, OnPaper
from rules.breaking_away.allocation import Allocations, checked, hands
from rules.errors import IllegalAction

ALL = {1: 1, 2: 2, 3: 3, 4: 4}


@pytest.mark.rule("BA-SET-04", "BA-SET-05")
@pytest.mark.parametrize(
    ("number", "size", "count"), [(1, 3, 533), (1, 4, 1344), (2, 3, 388), (3, 3, 230), (4, 3, 123)]
)
def test_so_many_hands_there_are_as_multisets(number, size, count):
    assert sum(len(hand) == size for hand in hands(number, False)) == count


@pytest.mark.rule("BA-SET-04", "BA-SET-05", "BA-SET-06", "BA-SET-07", "AMB-01")
@pytest.mark.parametrize(
    ("number", "hand"),
    [(1, [10, 10, 10]), (1, [1, 2, 12, 15]), (2, [2, 10, 13]), (4, [1, 1, 14]), (3, [3, 8, 9]), (4, [5, 5, 5])],
)
def test_hands_that_are_allowed(number, hand):
    assert checked("R", hand, number, False) == tuple(sorted(hand))


@pytest.mark.parametrize(
    ("number", "hand", "rule"),
    [
        (4, [0, 8, 8], "BA-SET-05"),
        (1, [16, 7, 7], "BA-SET-05"),
        (1, [7.5, 7, 7], "BA-SET-05"),
        (2, [5, 5, 5, 10], "BA-SET-04"),
        (3, [7, 7, 7], "BA-SET-04"),
        (1, [15, 15], "BA-SET-04"),
    ],
)
def test_hands_that_are_refused_and_by_which_rule(number, hand, rule):
    with pytest.raises(IllegalAction) as refused:
        checked("R", hand, number, False)

    assert refused.value.rule == rule


@pytest.mark.rule("AMB-01")
def test_with_exact_allocation_a_point_left_over_is_refused():
    with pytest.raises(IllegalAction, match="AMB-01"):
        checked("R4", [5, 5, 5], 4, True)

    assert all(sum(hand) == 16 for hand in hands(4, True))


def test_the_product_is_not_made_and_yet_counted_indexed_and_searched():
    product = Allocations("R", ALL, False, (None, "Anna"))

    assert len(product) == (533 + 1344) * 388 * 230 * 123
    for place in (0, 1, 122, 123, len(product) // 2, -1):
        assert product[place] in product
    assert product[0] != product[1]
    assert len(product[:3]) == 3
    assert Allocate(team="W", hands=product[0].hands) not in product
    assert Allocate(team="R", hands=product[0].hands, seat="Bruno") not in product
    assert Allocate(team="R") not in product
    with pytest.raises(IndexError):
        product[len(product)]


@pytest.mark.rule("BA-REF-01")
def test_where_a_hand_may_be_on_paper_that_is_the_last_answer():
    product = Allocations("R", {4: 4}, False, (None, "Anna"), paper=True)

    assert len(product) == len(list(product)) == 124
    assert product[-1] == product[123] == OnPaper(team="R")
    assert OnPaper(team="R", seat="Anna") in product
    assert OnPaper(team="R", seat="Bruno") not in product
    assert OnPaper(team="W") not in product
    assert OnPaper(team="R") not in Allocations("R", {4: 4}, False, (None,))
    with pytest.raises(IndexError):
        product[124]


def test_every_hand_of_a_small_product_is_found_once():
    product = Allocations("R", {4: 4}, False, (None,))

    assert len({action.hands for action in product}) == len(product) == 123
