"""Plain values as JSON and back: for the actions and events of every game.

A `Wire` knows a closed set of frozen dataclasses, each with a `kind`. Written, a value is its kind and its fields;
fields that have their default are left out. Reading checks every type and says in words what is wrong. Fields may be
text, numbers, true or false, enumerations of text, tuples of those, named tuples, and None where the type says so. A
tuple of pairs whose first is a text is an object in JSON, sorted by its keys. A name that Python keeps for itself has an
underscore at its end, which JSON does not see: `from_`.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field, fields
from enum import Enum
from types import NoneType, UnionType
from typing import Any, Generic, TypeVar, Union, get_args, get_origin, get_type_hints

from rules.errors import Unreadable, gettext_noop

T = TypeVar("T")

LONGEST_TEXT = 200
LONGEST_LIST = 64

Reader = Callable[[Any], Any]
Writer = Callable[[Any], Any]


class Wire(Generic[T]):
    """Reads and writes the values of some classes."""

    def __init__(self, what: str, classes: Sequence[type[T]]) -> None:
        self.what = what
        self._classes = {str(vars(cls)["kind"]): cls for cls in classes}
        self._readers: dict[str, dict[str, tuple[Reader, Field[Any]]]] = {}
        self._writers: dict[str, dict[str, Writer]] = {}
        for kind, cls in self._classes.items():
            hints = get_type_hints(cls)
            self._readers[kind] = {
                _json_name(field): (_reader(hints[field.name]), field)
                for field in fields(cls)  # type: ignore[arg-type]  # every class is a dataclass
                if field.compare
            }
            self._writers[kind] = {
                name: _object if _pair_in(hints[field.name]) else _plain
                for name, (_, field) in self._readers[kind].items()
            }

    @property
    def kinds(self) -> tuple[str, ...]:
        return tuple(self._classes)

    def write(self, value: T) -> dict[str, Any]:
        """The value as JSON: its kind, and the fields that differ from their default."""
        kind = str(vars(type(value))["kind"])
        out: dict[str, Any] = {"kind": kind}
        for name, (_, field) in self._readers[kind].items():
            found = getattr(value, field.name)
            if field.default is MISSING or found != field.default:
                out[name] = self._writers[kind][name](found)
        return out

    def read(self, source: object) -> T:
        """The value that JSON tells; `Unreadable` says what is wrong and what there is instead."""
        if not isinstance(source, Mapping) or not isinstance(source.get("kind"), str):
            raise Unreadable(
                gettext_noop('An %(what)s is an object with a "kind": one of %(kinds)s.'),
                what=self.what, kinds=", ".join(self._classes),
            )  # fmt: skip
        kind = source["kind"]
        if kind not in self._classes:
            raise Unreadable(
                gettext_noop('There is no %(what)s "%(kind)s"; there are %(kinds)s.'),
                what=self.what, kind=kind[:40], kinds=", ".join(self._classes),
            )  # fmt: skip
        readers = self._readers[kind]
        given = {}
        for name, value in source.items():
            if name == "kind":
                continue
            if name not in readers:
                raise Unreadable(
                    gettext_noop('"%(kind)s" has no "%(name)s"; it has %(known)s.'),
                    kind=kind, name=str(name)[:40], known=", ".join(readers) or gettext_noop("nothing else"),
                )  # fmt: skip
            try:
                given[readers[name][1].name] = readers[name][0](value)
            except (ValueError, TypeError):
                raise Unreadable(
                    gettext_noop('"%(value)s" is no value for "%(name)s" of "%(kind)s".'),
                    value=str(value)[:80], name=name, kind=kind,
                ) from None  # fmt: skip
        missing = [
            name
            for name, (_, field) in readers.items()
            if field.name not in given and field.default is MISSING and field.default_factory is MISSING
        ]
        if missing:
            raise Unreadable(gettext_noop('"%(kind)s" needs %(missing)s.'), kind=kind, missing=", ".join(missing))
        return self._classes[kind](**given)

    def describe(self) -> dict[str, Any]:
        """For every kind: its meaning in a sentence, its fields with their types, and which may be left out."""
        out: dict[str, Any] = {}
        for kind, cls in self._classes.items():
            hints = get_type_hints(cls)
            out[kind] = {
                "means": " ".join((cls.__doc__ or "").split()),
                "fields": {
                    name: _words(hints[field.name])
                    + ("" if field.default is MISSING else f" (default {json.dumps(_plain(field.default))})")
                    for name, (_, field) in self._readers[kind].items()
                },
            }
        return out


def _json_name(field: Field[Any]) -> str:
    return field.name.removesuffix("_")


def _plain(value: Any) -> Any:
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, tuple):
        if hasattr(value, "_asdict"):
            return {name: _plain(item) for name, item in value._asdict().items()}
        return [_plain(item) for item in value]
    return value


def _object(pairs: Any) -> Any:
    return None if pairs is None else {key: _plain(value) for key, value in pairs}


def _pair_in(hint: Any) -> tuple[Any, ...] | None:
    """The two types of the pairs of which `hint` is a tuple, be it one that may be None; None if it is not."""
    for found in get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,):
        inner = get_args(found)[0] if get_origin(found) is tuple else None
        if get_origin(inner) is tuple and len(get_args(inner)) == 2 and get_args(inner)[1] is not Ellipsis:
            return get_args(inner)
    return None


def _reader(hint: Any) -> Reader:
    """A function that gives a value of that type back as it should be, or raises ValueError or TypeError."""
    origin = get_origin(hint)
    if origin in (Union, UnionType):
        inner = [_reader(arg) for arg in get_args(hint) if arg is not NoneType]
        return _first_of(inner, NoneType in get_args(hint))
    if pair := _pair_in(hint):
        key, inside = _reader(pair[0]), _reader(pair[1])
        return lambda value: _pairs_of(key, inside, value)
    if origin is tuple:
        item = _reader(get_args(hint)[0])
        return lambda value: _list_of(item, value)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return hint
    if isinstance(hint, type) and issubclass(hint, tuple):
        return _record_of(hint)
    if hint in (str, int, bool, float):
        return lambda value: _exactly(hint, value)
    if hasattr(hint, "__supertype__"):
        return _reader(hint.__supertype__)
    raise TypeError(f"no JSON for {hint}")


def _first_of(readers: Sequence[Reader], none: bool) -> Reader:
    def read(value: Any) -> Any:
        if value is None and none:
            return None
        for reader in readers[:-1]:
            try:
                return reader(value)
            except (ValueError, TypeError):
                continue
        return readers[-1](value)

    return read


def _list_of(item: Reader, value: Any) -> tuple[Any, ...]:
    if not isinstance(value, Sequence) or isinstance(value, str) or len(value) > LONGEST_LIST:
        raise TypeError
    return tuple(item(entry) for entry in value)


def _pairs_of(key: Reader, inside: Reader, value: Any) -> tuple[tuple[Any, Any], ...]:
    if not isinstance(value, Mapping) or len(value) > LONGEST_LIST:
        raise TypeError
    return tuple(sorted(((key(name), inside(entry)) for name, entry in value.items()), key=lambda pair: str(pair[0])))


def _record_of(kind: Any) -> Reader:
    """A named tuple, told as an object with all its fields."""
    readers = {name: _reader(hint) for name, hint in get_type_hints(kind).items()}

    def read(value: Any) -> Any:
        if not isinstance(value, Mapping) or value.keys() != readers.keys():
            raise TypeError
        return kind(**{name: reader(value[name]) for name, reader in readers.items()})

    return read


def _exactly(kind: type, value: Any) -> Any:
    if type(value) is not kind or (isinstance(value, str) and len(value) > LONGEST_TEXT):
        raise TypeError
    return value


def _words(hint: Any) -> str:
    origin = get_origin(hint)
    if origin in (Union, UnionType):
        return " or ".join("null" if arg is NoneType else _words(arg) for arg in get_args(hint))
    if pair := _pair_in(hint):
        return f"object of {_words(pair[1])}"
    if origin is tuple:
        return f"list of {_words(get_args(hint)[0])}"
    if isinstance(hint, type) and issubclass(hint, tuple):
        return "{" + ", ".join(f"{name}: {_words(inner)}" for name, inner in get_type_hints(hint).items()) + "}"
    if isinstance(hint, type) and issubclass(hint, Enum):
        return "one of " + ", ".join(str(member.value) for member in hint)
    return {str: "text", int: "whole number", float: "number", bool: "true or false"}.get(hint, "text")
