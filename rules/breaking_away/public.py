"""What everybody can work out of a hand from what was announced: factors spent, and replacements (BA-INFO-04).

Everything here needs public data only. With closed hands it is all that the engine knows (BA-REF-02); in a view it is what
is left of the hands of others.
"""

from functools import lru_cache
from itertools import combinations_with_replacement, zip_longest
from typing import NamedTuple

from rules.breaking_away.data import ALLOTMENTS, LARGEST_FACTOR, SMALLEST_FACTOR
from rules.breaking_away.state import Factors


class Known(NamedTuple):
    """A hand from outside: starting values that were spent, and replacements that are surely still in it."""

    originals: Factors
    held: Factors


@lru_cache(maxsize=4096)
def known(spent: Factors, gained: Factors) -> Known:
    """A spent value counts as a replacement if one of that value is still unspent, else as a starting value. Rules: BA-REF-02."""
    originals: list[int] = []
    held: list[int] = []
    for out, new in zip_longest(spent, gained):
        if out is not None:
            if out in held:
                held.remove(out)
            else:
                originals.append(out)
        if new is not None:
            held.append(new)
    return Known(tuple(originals), tuple(sorted(held)))


@lru_cache(maxsize=4096)
def may_have_begun_with(originals: Factors, rating: int, exact: bool) -> bool:
    """Whether a starting hand can have held these values, among others. Rules: BA-REF-02."""
    limit, sizes = ALLOTMENTS[rating]
    if any(not SMALLEST_FACTOR <= value <= LARGEST_FACTOR for value in originals):
        return False
    total = sum(originals)
    for size in sizes:
        missing = size - len(originals)
        if missing < 0 or total + missing * SMALLEST_FACTOR > limit:
            continue
        if not exact or limit - total <= missing * LARGEST_FACTOR:
            return True
    return False


@lru_cache(maxsize=4096)
def may_have_begun_among(originals: Factors, others: Factors, rating: int, exact: bool) -> bool:
    """Whether a starting hand can have held these values, and beside them only some of `others`. Rules: BA-REF-02."""
    limit, sizes = ALLOTMENTS[rating]
    first = [value for value in others if value <= LARGEST_FACTOR]
    totals = {
        sum(originals) + sum(rest)
        for size in sizes
        if size >= len(originals)
        for rest in combinations_with_replacement(first, size - len(originals))
    }
    return limit in totals if exact else min(totals, default=limit + 1) <= limit


@lru_cache(maxsize=4096)
def possible(spent: Factors, gained: Factors, rating: int, exact: bool) -> Factors:
    """Every factor that public data allow him to spend now. Rules: BA-REF-02, BA-INFO-04."""
    originals, held = known(spent, gained)
    fresh = [
        value
        for value in range(SMALLEST_FACTOR, LARGEST_FACTOR + 1)
        if value not in held and may_have_begun_with((*originals, value), rating, exact)
    ]
    return tuple(sorted({*held, *fresh}))
