"""Courses for tests: one plain one to change by a word, and every sound one that Hypothesis can think of."""

from typing import Any

from hypothesis import strategies as st

FLAT: dict[str, Any] = {
    "id": "lungomare",
    "name": "Lungomare",
    "kind": "road",
    "lanes": 3,
    "hexes": ["3: P5", "3: P5", "4: R5", "5: M5", "2: D5", "3: P5"],
    "cat": {"16": 2},
    "feed": [10],
    "bonus": [20],
    "sprint": 27,
    "black": ["5:1:2"],
}
"""Thirty squares over one mountain; nothing to complain about."""


def changed(**entries: Any) -> dict[str, Any]:
    """`FLAT` with other entries."""
    return {**FLAT, **entries}


@st.composite
def sections(draw: st.DrawFn, lanes: int, terrain: str) -> str:
    """A straight, or a bend that V8 accepts."""
    columns = draw(st.integers(1, 5))
    if not draw(st.booleans()):
        return f"{terrain}{columns}"
    even = [m for m in range((columns + 1) // 2, 2 * columns + 1) if 60 * columns % m == 0]
    squares = [draw(st.sampled_from(even)) for _ in range(lanes)]
    dotted = draw(st.integers(0, lanes - 1))
    squares[dotted] = columns
    return f"{terrain}{columns}<{','.join(map(str, squares))}>@{dotted}"


@st.composite
def sound_plans(draw: st.DrawFn) -> dict[str, Any]:
    """A course for a table: V1, V7, V8 and V9 hold; whatever else, people build what they like."""
    lanes = draw(st.integers(2, 4))
    hexes, ends, column = [], [], 0
    for _ in range(draw(st.integers(3, 8))):
        words = []
        for _ in range(draw(st.integers(1, 3))):
            terrain = draw(st.sampled_from("PRMD"))
            words.append(draw(sections(lanes, terrain)))
            column += int(words[-1][1:].split("<")[0])
            ends.append((column, terrain))
        hexes.append(f"{draw(st.integers(1, 6))}: {' '.join(words)}")
    inner = [end for end, _ in ends[:-1]]
    feet = [end + 1 for (end, _), (_, terrain) in zip(ends, ends[1:], strict=False) if terrain == "M"]
    lines = st.lists(st.sampled_from(inner), max_size=2, unique=True)
    tokens = draw(st.lists(st.sampled_from(feet), max_size=4, unique=True)) if feet else []
    return {
        "id": "any",
        "name": "Any",
        "kind": draw(st.sampled_from(["road", "itt", "ttt"])),
        "lanes": lanes,
        "hexes": hexes,
        "cat": {str(column): draw(st.integers(1, 3)) for column in tokens},
        "feed": draw(lines),
        "bonus": draw(lines),
        "sprint": draw(st.one_of(st.none(), st.sampled_from(inner))),
        "black": [],
    }
