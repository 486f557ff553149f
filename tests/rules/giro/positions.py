"""Positions on short roads: whatever can stand on 8 to 14 columns, chosen by Hypothesis or by a seed.

With Hypothesis a failure shrinks to a small position; with a seed thousands are made in a second, evenly spread.
"""

import random
from collections.abc import Sequence
from typing import Any, Protocol, TypeVar

from hypothesis import strategies as st

from tests.rules.giro.brute import COLUMN, Road, Sq

Json = dict[str, Any]
T = TypeVar("T")


class Choose(Protocol):
    """Somebody who makes up a position."""

    def one(self, options: Sequence[T]) -> T: ...

    def some(self, options: Sequence[T], most: int) -> list[T]:
        """None to `most` of them, none twice."""
        ...


class BySeed:
    """Every choice equally likely."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def one(self, options: Sequence[T]) -> T:
        return self.rng.choice(options)

    def some(self, options: Sequence[T], most: int) -> list[T]:
        return self.rng.sample(options, self.rng.randint(0, min(most, len(options))))


class ByHypothesis:
    """Choices that Hypothesis can take back one by one."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw

    def one(self, options: Sequence[T]) -> T:
        return self.draw(st.sampled_from(options))

    def some(self, options: Sequence[T], most: int) -> list[T]:
        if not options:
            return []
        return self.draw(st.lists(st.integers(0, len(options) - 1), max_size=most, unique=True).map(
            lambda chosen: [options[i] for i in chosen]
        ))  # fmt: skip


@st.composite
def positions(draw: st.DrawFn) -> Json:
    """Any of them, as a strategy."""
    return position(ByHypothesis(draw))


# ---- the road --------------------------------------------------------------------------------------------------------
def course(choose: Choose, kind: str) -> Json:
    """8 to 14 columns in 2 or 3 lanes: bends, mountains under one token or two or none, black squares, a sprint line."""
    lanes = choose.one((2, 2, 3))
    words: list[tuple[str, int, str]] = []  # terrain, columns, as written
    length, longest = 0, 14 if lanes == 2 else 11
    while length < 8 or len(words) < 3:
        columns = choose.one(range(1, 1 + max(1, min(5, longest - length - (2 - len(words))))))
        terrain = choose.one("PPRMMD")
        word = f"{terrain}{columns}"
        if choose.one((False, False, True)):
            even = [m for m in range((columns + 1) // 2, 2 * columns + 1) if COLUMN * columns % m == 0]
            squares = [choose.one(even) for _ in range(lanes)]
            dotted = choose.one(range(lanes))
            squares[dotted] = columns
            word += f"<{','.join(map(str, squares))}>@{dotted}"
        words.append((terrain, columns, word))
        length += columns
    ends = [sum(columns for _, columns, _ in words[: i + 1]) for i in range(len(words))]
    tokens = [  # where a mountain begins, and any column of a straight in it
        column
        for end, (terrain, columns, word) in zip(ends, words, strict=True)
        if terrain == "M"
        for column in range(end - columns + 1, end - columns + 2 if "<" in word else end + 1)
    ]
    black = []
    for number, (_, columns, word) in enumerate(words, 1):
        counts = word[word.index("<") + 1 : word.index(">")].split(",") if "<" in word else [str(columns)] * lanes
        black += [f"{number}:{lane}:{i}" for lane in range(lanes) for i in range(int(counts[lane]))]
    return {
        "id": "strip",
        "name": "Strip",
        "kind": kind,
        "lanes": lanes,
        "hexes": [f"3: {word}" for _, _, word in words],
        "cat": {
            str(column): choose.one((1, 2, 3))
            for column in sorted({*tokens[:1], *choose.some(tokens, 3)} if choose.one((True, True, False)) else ())
        },
        "feed": [],
        "bonus": [],
        "sprint": choose.one((None, *ends[:-1])),
        "black": choose.some(black, 8) if choose.one((False, True)) else [],
    }


# ---- riders ----------------------------------------------------------------------------------------------------------
CARDS = (
    "alfredo", "beppe", "fiorenzo", "francesco", "mario", "bernard", "eddie", "felice", "jacques", "miguel", "charlie",
    "fausto", "gastone", "gino", "marco",
)  # fmt: skip
STANDING = ("upright", "upright", "upright", "upright", "upright", "waiting", "fallen")
LATE = ("punctures", "stand_up", "pass_token")
TURN = 3


def rider(choose: Choose, trial: bool) -> Json:
    """What a rider is and has, wherever he may be."""
    told = {
        "type": choose.one(("rouleur", "leader", "climber")),
        "strength": choose.one((None, "descender", "sprinter")),
        "energy": choose.one(range(21)),
        "risks": choose.one(range(4)),
        "card": choose.one((None, *CARDS)),
        "tiles": [] if trial else choose.one(((), (), (2,), (3,), (3, 3), (4, 5))),
    }
    if trial:
        told["crack_tiles"] = choose.one(((2, 2, 3, 3, 4, 4, 5), (2, 2), (2, 3, 4), (3,), (2, 5)))
    return told


def others(choose: Choose, road: Road, near: Sq, front: int | None) -> list[Json]:
    """Riders on the road around `near`: single ones, and walls from kerb to kerb; upright, waiting, beside the road.

    `front` is the tick of the peloton's, None without one: in its area nobody is upright without waiting.
    """
    window = [
        square
        for lane in road.lane
        for square in lane
        if near.end - COLUMN <= square.end <= near.end + 6 * COLUMN and not square.beyond and square is not near
    ]
    if not window:
        return []
    taken: list[tuple[Sq, str]] = []
    for _ in range(choose.one((0, 1, 1, 2))):
        wall = road.row(choose.one(window))
        one_who_waits = choose.one((None, None, None, *range(road.lanes)))
        for lane, square in enumerate(wall):
            if square in window and square not in [other for other, _ in taken]:
                taken.append((square, "waiting" if lane == one_who_waits else "upright"))
    for square in choose.some(window, 4):
        if square not in [other for other, _ in taken]:
            taken.append((square, choose.one(STANDING)))
    out = []
    for square, standing in taken[:9]:
        if standing == "upright" and front is not None and front - 2 * COLUMN < square.end <= front:
            standing = "waiting"
        out.append(
            {"at": square.name, "waiting": standing == "waiting", "fell": TURN - 1 if standing == "fallen" else 0}
        )
    return out


def position(choose: Choose) -> Json:
    """A rider who has to move, or riders who may break away, somewhere in the third turn."""
    kind = choose.one(("road", "road", "road", "road", "itt", "ttt"))
    plan = course(choose, kind)
    road = Road(plan)
    asked = rider(choose, kind != "road") | {"id": "A", "seat": "A"}
    square = choose.one([sq for lane in road.lane for sq in lane if sq.end > -COLUMN and not sq.beyond])
    front: int | None = None
    where = "trial"
    if kind == "road":
        where = choose.one(("ahead", "behind", "waiting", "inside", "inside", "gone"))
        front, where = _front(choose, road, square, where)
    elif choose.one((True, False)):
        where, square = "inside", road.last_up_to(0, 0)

    if where == "inside":
        square = square if front is None else road.front_square(front)
    else:
        asked["at"] = square.name
        asked["waiting"] = where == "waiting"
    told = [asked]
    for number, other in enumerate(others(choose, road, square, front)):
        name = "BCDEFGHIJ"[number]
        team = {"jersey": choose.one(("white", "white", "blue"))} if kind == "ttt" else {}
        told.append({"id": name, "seat": name, "energy": 9, "card": None} | team | other)
    if kind == "road" and where != "gone" and choose.one((False, True)):
        told.append(rider(choose, False) | {"id": "K", "seat": "A", "at": "inside", "tiles": []})
    standing = [rider["id"] for rider in told[1:] if "at" in rider and not rider.get("fell")]
    if standing and "at" in asked and choose.one((False, True)):
        asked["behind"] = choose.one(standing)
        asked["slipstream"] = choose.one((False, True))
    return {
        "course": plan,
        "max_paid": choose.one(range(2, 7 if plan["lanes"] == 2 else 5)),
        "peloton": {
            "column": 0 if front is None else front // COLUMN,
            "gone": where == "gone",
            "finished": TURN if where == "gone" else None,
        },
        "token": None if kind != "road" else "A",
        "undealt": [],
        "riders": told,
        "runs": _runs(kind, told, where),
    }


def _front(choose: Choose, road: Road, square: Sq, where: str) -> tuple[int, str]:
    """Where the peloton's front is, in ticks, for a rider on `square` who should be `where`, and where he then is."""
    behind = [c for c in range(road.columns + 1) if square.end <= COLUMN * (c - 2)]
    ahead = [c for c in range(road.columns + 1) if COLUMN * c < square.end]
    if where == "gone":
        return COLUMN * (road.columns + 1), where
    if where == "inside" or (where == "behind" and not behind) or (where in ("ahead", "waiting") and not ahead):
        return COLUMN * choose.one(range(road.columns + 1)), "inside"
    if where == "behind":
        return COLUMN * choose.one(behind[:6]), where
    return COLUMN * choose.one(ahead), where


def _runs(kind: str, told: Sequence[Json], where: str) -> list[Json]:
    """Who rides together, and what the turn still has to come."""
    if kind == "road":
        first: Json = {"do": "attack", "seat": "A"} if where == "inside" else {"do": "move", "rider": "A"}
        late = ("dropped", *LATE)
        rest = LATE if where in ("behind", "waiting", "gone") else ("pursue", "roll", *late)
        agenda = [first, *({"do": todo} for todo in rest)]
        return [{"riders": [rider["id"] for rider in told], "turn": TURN, "agenda": agenda}]
    agenda = [{"do": "move", "rider": "A"}, {"do": "run_ends"}]
    teams: dict[str, list[str]] = {}
    for one in told:
        teams.setdefault(one["id"] if kind == "itt" else one.get("jersey", "white"), []).append(one["id"])
    return [{"riders": team, "turn": TURN, "agenda": agenda if "A" in team else []} for team in teams.values()]
