"""The first hands: what is allowed, and all that is (BA-SET-03, BA-SET-04, BA-SET-05)."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement

from rules.breaking_away.actions import Allocate, OnPaper
from rules.breaking_away.data import ALLOTMENTS, LARGEST_FACTOR, SMALLEST_FACTOR
from rules.breaking_away.products import MadeWhenAsked, combination, combinations
from rules.breaking_away.state import Factors
from rules.errors import IllegalAction, gettext_noop


@lru_cache(maxsize=16)
def hands(rating: int, exact: bool) -> tuple[Factors, ...]:
    """Every starting hand of a cyclist of that number, or rating, as a sorted tuple. Rules: BA-SET-04, BA-SET-05."""
    limit, sizes = ALLOTMENTS[rating]
    return tuple(
        hand
        for size in sizes
        for hand in combinations_with_replacement(range(SMALLEST_FACTOR, LARGEST_FACTOR + 1), size)
        if sum(hand) == limit or (sum(hand) < limit and not exact)
    )


def checked(cyclist: str, hand: Sequence[int | float], rating: int, exact: bool) -> Factors:
    """A starting hand, sorted; IllegalAction if the rules do not allow it. A sum below the limit is allowed (BA-SET-07).

    Rules: BA-SET-04, BA-SET-05, BA-SET-06, BA-SET-07; AMB-01.
    """
    limit, sizes = ALLOTMENTS[rating]
    if len(hand) not in sizes:
        raise IllegalAction(
            "BA-SET-04",
            gettext_noop("%(cyclist)s begins with %(sizes)s factors, not %(count)s."),
            cyclist=cyclist,
            sizes=" / ".join(map(str, sizes)),
            count=len(hand),
        )
    for value in hand:
        if type(value) is not int or not SMALLEST_FACTOR <= value <= LARGEST_FACTOR:
            raise IllegalAction(
                "BA-SET-05",
                gettext_noop("%(cyclist)s cannot begin with %(value)s: a first factor is a whole number from 1 to 15."),
                cyclist=cyclist,
                value=str(value)[:20],
            )
    whole = tuple(sorted(int(value) for value in hand))
    if sum(whole) > limit:
        raise IllegalAction(
            "BA-SET-04",
            gettext_noop("%(cyclist)s has %(limit)s points to begin with, and these are %(total)s."),
            cyclist=cyclist,
            limit=limit,
            total=sum(whole),
        )
    if exact and sum(whole) < limit:
        raise IllegalAction(
            "AMB-01",
            gettext_noop("%(cyclist)s has to begin with all of %(limit)s points, and these are %(total)s."),
            cyclist=cyclist,
            limit=limit,
            total=sum(whole),
        )
    return whole


def checked_team(
    team: str, told: Sequence[tuple[str, Sequence[int | float]]] | None, ratings: Mapping[int, int], exact: bool
) -> tuple[Factors, ...]:
    """The hands of a team in the order of its numbers; `ratings` says what each number may have. Rules: BA-SET-04, BA-SET-05."""
    given = dict(told or ())
    if given.keys() != {str(number) for number in ratings}:
        raise IllegalAction(
            "BA-SET-04",
            gettext_noop("The hands of a team are told together: those of %(numbers)s."),
            numbers=", ".join(map(str, ratings)),
        )
    return tuple(checked(f"{team}{number}", given[str(number)], rating, exact) for number, rating in ratings.items())


class Allocations(MadeWhenAsked[Allocate | OnPaper]):
    """All that a team may begin with: the product of the hands of its cyclists.

    Last, if `paper`, that its hands are on paper. Rules: BA-REF-01.
    """

    def __init__(
        self, team: str, ratings: Mapping[int, int], exact: bool, seats: Sequence[str | None], *, paper: bool = False
    ) -> None:
        self._team = team
        self._ratings = ratings
        self._exact = exact
        self._seats = seats
        self._hands = [hands(rating, exact) for rating in ratings.values()]
        self._told = combinations(self._hands)
        self._paper = paper

    def __len__(self) -> int:
        return self._told + self._paper

    def made(self, place: int) -> Allocate | OnPaper:
        if place == self._told:
            return OnPaper(team=self._team)
        chosen = combination(self._hands, place)
        return Allocate(team=self._team, hands=tuple(zip(map(str, self._ratings), chosen, strict=True)))

    def __contains__(self, action: object) -> bool:
        if not isinstance(action, Allocate | OnPaper) or action.team != self._team or action.seat not in self._seats:
            return False
        if isinstance(action, OnPaper):
            return self._paper
        try:
            checked_team(self._team, action.hands, self._ratings, self._exact)
        except IllegalAction:
            return False
        return True
