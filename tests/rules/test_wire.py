"""Values as JSON and back, in the shapes that fields may have."""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import pytest

from rules.errors import Unreadable
from rules.wire import Wire


class Place(NamedTuple):
    id: str
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """Something that happened."""

    kind: ClassVar[str] = "told"
    from_: int
    hands: tuple[tuple[str, tuple[int | float, ...]], ...] | None = None
    places: tuple[Place, ...] = ()


WIRE: Wire[Told] = Wire("event", [Told])


def test_pairs_are_an_object_and_named_tuples_are_objects_in_a_list():
    told = Told(from_=3, hands=(("1", (3, 4.5)), ("2", ())), places=(Place("A", 10), Place("B", 8)))

    written = WIRE.write(told)

    assert written == {
        "kind": "told",
        "from": 3,
        "hands": {"1": [3, 4.5], "2": []},
        "places": [{"id": "A", "points": 10}, {"id": "B", "points": 8}],
    }
    assert WIRE.read(written) == told


def test_pairs_come_back_sorted_by_their_key_whatever_order_json_has():
    assert WIRE.read({"kind": "told", "from": 1, "hands": {"2": [2], "1": [1]}}).hands == (("1", (1,)), ("2", (2,)))


def test_no_pairs_at_all_are_an_empty_object():
    assert WIRE.write(Told(from_=1, hands=())) == {"kind": "told", "from": 1, "hands": {}}
    assert WIRE.read({"kind": "told", "from": 1, "hands": {}}).hands == ()


@pytest.mark.parametrize(
    "wrong",
    [
        {"hands": [[1]]},
        {"hands": {"1": 3}},
        {"hands": {"1": [True]}},
        {"places": [{"id": "A"}]},
        {"places": [{"id": "A", "points": 1, "more": 2}]},
        {"places": [["A", 1]]},
        {"from_": 2},
    ],
)
def test_what_is_not_of_that_shape_is_unreadable(wrong):
    with pytest.raises(Unreadable):
        WIRE.read({"kind": "told", "from": 1} | wrong)


def test_the_description_says_what_stands_in_such_fields():
    assert WIRE.describe()["told"]["fields"] == {
        "from": "whole number",
        "hands": "object of list of whole number or number or null (default null)",
        "places": "list of {id: text, points: whole number} (default [])",
    }
