"""Questions that every move and every page asks of the database, put into SQL once.

Django writes a query anew each time that it is asked; for one row by its key that takes several times as long as the
answer. A `Prepared` question is written when it is first asked, with a mark in the place of each value, and asked with
other values from then on.
"""

from collections.abc import Callable
from copy import copy
from typing import Any, Generic, NamedTuple, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import QuerySet

Found = TypeVar("Found")

MARK = 1_900_000_001
"""Stands for the first value, as a number or as text, and the next number for the second."""


class _Written(NamedTuple):
    """A question as SQL. `slots`: of each of its parameters which value stands there; None: always the same."""

    queryset: QuerySet[Any, Any]
    compiler: Any
    sql: str
    params: tuple[Any, ...]
    slots: tuple[int | None, ...]


class Prepared(Generic[Found]):
    """A queryset with values left open, whole numbers or texts.

    `write` makes it from them; it may not look at them, as it gets marks in their place.
    """

    def __init__(self, write: Callable[..., QuerySet[Any, Found]]) -> None:
        self._write = write
        self._written: _Written | None = None

    def __call__(self, *values: int | str) -> list[Found]:
        """What the queryset of these values has, asked now."""
        written = self._written
        if written is None:
            written = self._written = self._put(
                [MARK + i if isinstance(v, int) else str(MARK + i) for i, v in enumerate(values)]
            )
        params = tuple(
            param if slot is None else type(param)(values[slot])
            for param, slot in zip(written.params, written.slots, strict=True)
        )
        compiler = copy(written.compiler)
        compiler.connection = connections[DEFAULT_DB_ALIAS]
        compiler.as_sql = lambda *_args, **_more: (written.sql, params)
        asked = written.queryset.all()
        asked.query.get_compiler = lambda *_args, **_more: compiler  # type: ignore[method-assign]
        return list(asked)

    def _put(self, marks: list[int | str]) -> _Written:
        queryset = self._write(*marks)
        compiler = queryset.query.get_compiler(DEFAULT_DB_ALIAS)
        sql, params = compiler.as_sql()
        compiler.connection = None  # of this thread: the next one has its own
        slots = tuple(marks.index(param) if param in marks else None for param in params)
        assert set(slots) >= set(range(len(marks))), "each value stands somewhere"
        return _Written(queryset, compiler, sql, tuple(params), slots)
