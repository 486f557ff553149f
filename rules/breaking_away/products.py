"""Answers that are too many to be made: one choice out of each of several lists, looked up by their place."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from math import prod
from typing import Any, TypeVar, overload

A = TypeVar("A", covariant=True)
C = TypeVar("C")


class MadeWhenAsked(Sequence[A]):
    """A sequence whose entries are made from their place, each when somebody looks at it."""

    @abstractmethod
    def made(self, place: int) -> A:
        """The entry at a place that there is, counted from 0."""

    @overload
    def __getitem__(self, place: int) -> A: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[A]: ...
    def __getitem__(self, place: int | slice) -> Any:
        where = range(len(self))[place]
        return self.made(where) if isinstance(where, int) else [self.made(one) for one in where]

    def __iter__(self) -> Iterator[A]:
        return map(self.made, range(len(self)))


def combinations(lists: Sequence[Sequence[Any]]) -> int:
    """How many ways there are to take one of each list."""
    return prod(map(len, lists))


def combination(lists: Sequence[Sequence[C]], place: int) -> list[C]:
    """The way at that place to take one of each list; the last list turns fastest."""
    taken: list[C] = []
    for some in reversed(lists):
        place, rest = divmod(place, len(some))
        taken.append(some[rest])
    return taken[::-1]
