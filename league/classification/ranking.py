"""Equal is equal: ranks by key, shared 1, 2, 2, 4."""

from collections.abc import Iterable
from typing import Any, Protocol, TypeVar


class Ordered(Protocol):
    """Anything that sorts."""

    def __lt__(self, other: Any, /) -> bool: ...


Who = TypeVar("Who")
Key = TypeVar("Key", bound=Ordered)


def competition_ranks(keys: Iterable[tuple[Who, Key]]) -> dict[Who, int]:
    """The rank of each by its key, the smallest first; equal keys share the best of their ranks."""
    ordered = sorted(keys, key=lambda pair: pair[1])
    ranks: dict[Who, int] = {}
    rank = 0
    for index, (who, key) in enumerate(ordered):
        if index == 0 or ordered[index - 1][1] != key:
            rank = index + 1
        ranks[who] = rank
    return ranks
