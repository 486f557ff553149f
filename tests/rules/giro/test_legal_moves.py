"""The engine's moves against a second reading of the rules, on every kind of short road that Hypothesis can think of."""

import random
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rules.errors import IllegalAction
from rules.game import Decision
from rules.giro.actions import BreakAway, Drop, End, Move, PlayEddie, Reveal, ShowCard, Stay
from rules.giro.game import GIRO
from rules.giro.state import State
from tests.rules.giro.brute import COLUMN, Brute, Line, Road, Sq

CARDS = (
    "alfredo", "beppe", "fiorenzo", "francesco", "mario", "bernard", "eddie", "felice", "jacques", "miguel", "charlie",
    "fausto", "gastone", "gino", "marco",
)  # fmt: skip
TYPES = ("rouleur", "leader", "climber")
LATE = ["dropped", "punctures", "stand_up", "pass_token"]

Json = dict[str, Any]


# ---- positions -------------------------------------------------------------------------------------------------------
@st.composite
def roads(draw: st.DrawFn, kind: str) -> Json:
    """A course of 8 to 14 columns in 2 or 3 lanes: bends, mountains under one token or two or none, black squares."""
    lanes = draw(st.sampled_from((2, 2, 3)))
    words: list[tuple[str, int, str]] = []  # terrain, columns, as written
    length, longest = 0, 14 if lanes == 2 else 11
    while length < 8 or len(words) < 3:
        columns = draw(st.integers(1, max(1, min(5, longest - length - (2 - len(words))))))
        terrain = draw(st.sampled_from("PPRMMD"))
        word = f"{terrain}{columns}"
        if draw(st.integers(0, 2)) == 0:
            even = [m for m in range((columns + 1) // 2, 2 * columns + 1) if COLUMN * columns % m == 0]
            squares = [draw(st.sampled_from(even)) for _ in range(lanes)]
            dotted = draw(st.integers(0, lanes - 1))
            squares[dotted] = columns
            word += f"<{','.join(map(str, squares))}>@{dotted}"
        words.append((terrain, columns, word))
        length += columns
    bends = ["<" in word for _, _, word in words]
    ends = [sum(columns for _, columns, _ in words[: i + 1]) for i in range(len(words))]
    tokens = [  # where a mountain begins, and any column of a straight in it
        column
        for i, (terrain, columns, _) in enumerate(words)
        if terrain == "M"
        for column in range(ends[i] - columns + 1, ends[i] - columns + 2 if bends[i] else ends[i] + 1)
    ]
    placed = draw(st.lists(st.sampled_from(tokens), max_size=3, unique=True)) if tokens else []
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
        "cat": {str(column): draw(st.integers(1, 3)) for column in sorted(placed)},
        "feed": [],
        "bonus": [],
        "sprint": draw(st.one_of(st.none(), st.sampled_from(ends[:-1]))),
        "black": draw(st.one_of(st.just([]), st.lists(st.sampled_from(black), max_size=8, unique=True))),
    }


@st.composite
def riders(draw: st.DrawFn, trial: bool) -> Json:
    """What a rider is and has, wherever he may be."""
    tiles = st.lists(st.sampled_from((2, 3, 4, 5)), max_size=2)
    rider = {
        "type": draw(st.sampled_from(TYPES)),
        "strength": draw(st.sampled_from((None, "descender", "sprinter"))),
        "energy": draw(st.integers(0, 20)),
        "risks": draw(st.integers(0, 3)),
        "card": draw(st.one_of(st.none(), st.sampled_from(CARDS))),
        "tiles": [] if trial else draw(st.one_of(st.just([]), tiles)),
    }
    if trial:
        rider["crack_tiles"] = draw(st.lists(st.sampled_from((2, 3, 4, 5)), min_size=1, max_size=4))
    return rider


@st.composite
def others(draw: st.DrawFn, road: Road, near: Sq, front: int | None) -> list[Json]:
    """Riders on the road around `near`: single ones, and walls from kerb to kerb; upright, waiting, beside the road."""
    window = [
        square
        for lane in road.lane
        for square in lane
        if near.end - COLUMN <= square.end <= near.end + 8 * COLUMN and not square.beyond and square is not near
    ]
    if not window:
        return []
    taken: list[Sq] = []
    for _ in range(draw(st.integers(0, 2))):
        wall = road.row(draw(st.sampled_from(window)))
        taken += [square for square in wall if square in window and square not in taken]
    for square in draw(st.lists(st.sampled_from(window), max_size=5, unique=True)):
        if square not in taken:
            taken.append(square)
    out = []
    for square in taken[:9]:
        standing = draw(st.sampled_from(("upright", "upright", "upright", "upright", "waiting", "fallen")))
        if standing == "upright" and front is not None and front - 2 * COLUMN < square.end <= front:
            standing = "waiting"  # whoever else is there is inside the peloton
        out.append({"at": square.name, "waiting": standing == "waiting", "fell": 2 if standing == "fallen" else 0})
    return out


@st.composite
def positions(draw: st.DrawFn) -> Json:
    """A rider who has to move, or riders who may break away, somewhere in the third turn."""
    kind = draw(st.sampled_from(("road", "road", "road", "itt", "ttt")))
    course = draw(roads(kind))
    road = Road(course)
    asked = draw(riders(kind != "road")) | {"id": "A", "seat": "A"}
    squares = [square for lane in road.lane for square in lane if square.end > -COLUMN and not square.beyond]
    square = draw(st.sampled_from(squares))
    front: int | None = None
    gone = False
    phase = []
    if kind != "road":
        if draw(st.booleans()):
            asked["at"] = square.name
        else:
            square = road.last_up_to(0, 0)
        phase = [{"do": "move", "rider": "A"}, {"do": "run_ends"}]
    else:
        where = draw(st.sampled_from(("ahead", "behind", "behind", "waiting", "inside", "inside", "gone")))
        columns = road.columns
        behind = range(max(0, -(-square.end // COLUMN) + 2), columns + 1)
        ahead = range(max(0, (square.end - 1) // COLUMN) + 1)
        todos = ["attacks", "pursue", "roll", *LATE]
        if where == "gone":
            front, gone = COLUMN * (columns + 1), True
        elif where == "behind" and behind:
            front = COLUMN * draw(st.sampled_from(behind[:6]))
        elif where == "inside":
            front = COLUMN * draw(st.integers(0, columns))
        else:
            front = COLUMN * draw(st.sampled_from([column for column in ahead if COLUMN * column < square.end] or [0]))
        if where == "inside":
            square = road.front_square(front)
            phase = [{"do": "attack", "seat": "A"}, *({"do": todo} for todo in todos[1:])]
        else:
            asked["at"] = square.name
            asked["waiting"] = where == "waiting"
            late = where == "gone" or front >= square.end or where == "waiting"
            phase = [{"do": "move", "rider": "A"}, *({"do": todo} for todo in (LATE[1:] if late else todos))]
    told = [asked]
    for number, other in enumerate(draw(others(road, square, front))):
        name = "BCDEFGHIJ"[number]
        team = {"jersey": draw(st.sampled_from(("white", "blue")))} if kind == "ttt" else {}
        told.append({"id": name, "seat": name, "energy": 9, "card": None} | team | other)
    if kind == "road" and not gone and draw(st.booleans()):
        told.append(draw(riders(False)) | {"id": "K", "seat": "A", "at": "inside", "tiles": []})
    standing = [rider["id"] for rider in told[1:] if "at" in rider and not rider.get("fell")]
    if standing and "at" in asked and draw(st.booleans()):
        asked["behind"] = draw(st.sampled_from(standing))
        asked["slipstream"] = draw(st.booleans())
    runs = [{"riders": [rider["id"] for rider in told], "turn": 3, "agenda": phase}]
    if kind == "itt":
        runs = [{"riders": [rider["id"]], "turn": 3, "agenda": phase if rider is asked else []} for rider in told]
    elif kind == "ttt":
        runs = []
        for jersey in ("white", "blue"):
            team_ids = [rider["id"] for rider in told if rider.get("jersey", "white") == jersey]
            if team_ids:
                runs.append({"riders": team_ids, "turn": 3, "agenda": phase if "A" in team_ids else []})
    return {
        "course": course,
        "max_paid": draw(st.integers(2, 6 if course["lanes"] == 2 else 4)),
        "peloton": {"column": 0 if front is None else front // COLUMN, "gone": gone, "finished": 3 if gone else None},
        "token": None if kind != "road" else "A",
        "undealt": [],
        "riders": told,
        "runs": runs,
    }


# ---- the two readings ------------------------------------------------------------------------------------------------
def brute_of(state: State) -> Brute:
    return Brute(GIRO.write_state(state))


def riders_asked(state: State, decision: Decision) -> list[str]:
    """Who may ride: the one who is asked, or those whom the seat may send out of the peloton."""
    if decision.kind == "move":
        assert decision.about is not None
        return [decision.about]
    return [
        name
        for name, rider in GIRO.write_state(state)["riders"].items()
        if rider["where"] == "inside" and rider["seat"] == decision.seat and not rider["dropping"]
    ]


def offered(brute: Brute, name: str) -> list[Line]:
    """One line for each effect: the one with the smallest list of lanes."""
    best: dict[Any, Line] = {}
    for line in brute.lines(name).values():
        other = best.setdefault(line.effect, line)
        if line.lanes < other.lanes:
            best[line.effect] = line
    return sorted(best.values(), key=lambda line: (line.card or "", line.lanes))


def as_line(state: State, brute: Brute, action: Move | BreakAway) -> Line:
    """An action of the engine as a line, as `explain` tells it."""
    told = GIRO.explain(state, action)
    assert action.rider is not None
    return Line(
        start=action.start,
        path=action.path,
        card=brute.riders[action.rider]["card"] if action.card else None,
        to=told["to"],
        steps=told["steps"],
        cost=told["cost"],
        worst=told["worst"],
        risk=told["risk"],
        recovers=told["recovers"],
        passed=told["passed"],
    )


def as_action(brute: Brute, name: str, line: Line) -> Move | BreakAway:
    if not brute.trial and brute.riders[name]["where"] == "inside":
        assert line.start is not None
        return BreakAway(rider=name, start=line.start, path=line.path, card=line.card is not None)
    return Move(rider=name, path=line.path, card=line.card is not None, start=line.start)


def told_besides(actions: Iterable[Any]) -> set[tuple[str, str, int | None]]:
    """The answers that are no ride, as the second reading tells them."""
    out: set[tuple[str, str, int | None]] = set()
    for action in actions:
        match action:
            case Reveal():
                out.add(("reveal", action.rider or "", action.tile))
            case PlayEddie() | ShowCard() | Drop() | Stay():
                out.add((action.kind, action.rider or "", None))
            case End():
                out.add(("end", "", None))
            case _:
                assert isinstance(action, Move | BreakAway), action
    return out


def expected_besides(state: State, brute: Brute, decision: Decision) -> set[tuple[str, str, int | None]]:
    names = riders_asked(state, decision)
    out = {aside for name in names for aside in brute.besides(name)}
    if decision.kind == "attack":
        return out | {("end", "", None)} | {("drop", name, None) for name in names}
    if not brute.lines(names[0]):
        out.add(("stay", names[0], None))
    return out


def compare(state: State) -> None:
    """The legal list of the open decision is the one that the second reading makes."""
    (decision,) = GIRO.decisions(state)
    brute = brute_of(state)
    legal = GIRO.legal(state, decision)

    for name in riders_asked(state, decision):
        listed = [
            as_line(state, brute, action)
            for action in legal
            if isinstance(action, Move | BreakAway) and action.rider == name
        ]
        assert sorted(listed, key=lambda line: (line.card or "", line.lanes)) == offered(brute, name)
    assert told_besides(legal) == expected_besides(state, brute, decision)
    assert len(set(legal)) == len(legal), "nothing is offered twice"


PROPERTY = settings(
    max_examples=150,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)
"""The same positions in every run: a failure is then a failure for everybody. The long run is `fuzz`."""

MOVEMENT = (
    "GI-B1-01", "GI-B1-02", "GI-B1-03", "GI-B1-04", "GI-B1-05", "GI-B1-06", "GI-B1-07", "GI-B1-08", "GI-B1-09",
    "GI-B1-10", "GI-B1-11", "GI-B1-13", "GI-B2-02", "GI-B2-03", "GI-B2-04", "GI-B2-05", "GI-C2-03", "GI-C2-04",
    "GI-C2-05", "GI-C2-07", "GI-C2-09", "GI-C4-01", "GI-D3-03", "GI-D3-04", "GI-D3-05", "GI-D3-07", "GI-D3-09",
    "GI-D3-10", "GI-D3-14", "GI-S-01", "GI-S-03", "GI-S-04", "GI-M-02", "GI-M-03",
)  # fmt: skip


@pytest.mark.rule(*MOVEMENT)
@PROPERTY
@given(positions())
def test_the_legal_moves_are_those_of_brute_force(position: Json) -> None:
    compare(GIRO.read_state(position))


@pytest.mark.rule(*MOVEMENT)
@PROPERTY
@given(positions(), st.integers(0, 2**32))
def test_every_way_that_brute_force_allows_is_accepted_at_its_price_and_every_other_is_refused(
    position: Json, seed: int
) -> None:
    state = GIRO.read_state(position)
    (decision,) = GIRO.decisions(state)
    brute = brute_of(state)
    legal = GIRO.legal(state, decision)
    before = GIRO.write_state(state)
    rng = random.Random(seed)

    for name in riders_asked(state, decision):
        ways = brute.lines(name)
        for line in ways.values() if len(ways) <= 60 else rng.sample(list(ways.values()), 60):
            action = as_action(brute, name, line)
            assert action in legal
            assert GIRO.explain(state, action)["cost"] == line.cost
            ridden = GIRO.apply(state, action).events[0]
            assert (ridden.rider, ridden.to, ridden.squares, -ridden.change) == (name, line.to, line.steps, line.cost)  # type: ignore[union-attr]  # a ride is told first

        for start, path, card in near_misses(rng, brute, name, list(ways)):
            if (start, path, brute.riders[name]["card"] if card else None) in ways:
                continue
            inside = not brute.trial and brute.riders[name]["where"] == "inside"
            wrong: Move | BreakAway = (
                BreakAway(rider=name, start=-1 if start is None else start, path=path, card=card)
                if inside
                else Move(rider=name, start=start, path=path, card=card)
            )
            assert wrong not in legal, wrong
            with pytest.raises(IllegalAction) as refusal:
                GIRO.apply(state, wrong)
            assert refusal.value.rule.startswith(("GI-", "S"))
    assert GIRO.write_state(state) == before


def near_misses(
    rng: random.Random, brute: Brute, name: str, ways: list[tuple[int | None, tuple[int, ...], str | None]]
) -> list[tuple[int | None, tuple[int, ...], bool]]:
    """Lane lists that may be wrong: any at all, and legal ones made longer, shorter, bent, or with the other card."""
    lanes = brute.road.lanes
    on_the_road = brute.riders[name]["where"] == "road"
    out: list[tuple[int | None, tuple[int, ...], bool]] = []
    for _ in range(12):
        lane = brute.road.named[brute.riders[name]["at"]].lane if on_the_road else rng.randrange(lanes)
        path = [lane]
        for _ in range(rng.randint(0, 12)):
            path.append(min(lanes - 1, max(0, path[-1] + rng.choice((-1, 0, 0, 1)))))
        out.append((None if on_the_road else lane, tuple(path[1:]), rng.random() < 0.5))
    for start, path, card in rng.sample(ways, min(12, len(ways))):
        bent = list(path)
        bent[rng.randrange(len(bent))] = rng.randrange(lanes)
        out += [
            (start, (*path, rng.randrange(lanes)), card is not None),
            (start, path[:-1], card is not None),
            (start, tuple(bent), card is not None),
            (start, path, card is None),
        ]
    return out


@pytest.mark.rule("GI-B1-03", "GI-B2-05")
def test_missing_squares_of_a_breakaway_over_the_line_have_to_be_payable_too() -> None:
    position = {
        "course": "strip L2 | P1-20",
        "peloton": 20,
        "phase": "T2",
        "max_paid": 2,
        "riders": [{"id": "A", "type": "climber", "at": "inside", "energy": 20}],
    }
    state = GIRO.read_state(position)
    (decision,) = GIRO.decisions(state)

    assert not any(isinstance(action, BreakAway) for action in GIRO.legal(state, decision))
    with pytest.raises(IllegalAction, match="GI-B1-03"):  # 1 free, 3 to be paid
        GIRO.apply(state, BreakAway(rider="A", start=1, path=(1,)))


def test_a_rule_of_thumb_for_the_second_reading_itself() -> None:
    """On an empty plain nothing is clever: a rouleur with energy goes 1 to 9 squares, into every lane he can reach."""
    position = {
        "course": "strip L2 | P1-30",
        "peloton": 3,
        "riders": [{"id": "A", "type": "rouleur", "at": "8.0", "energy": 20}],
    }

    lines = brute_of(GIRO.read_state(position)).lines("A")

    assert len(lines) == sum(2**steps for steps in range(1, 10))
    assert {line.to for line in lines.values()} == {f"{8 + steps}.{lane}" for steps in range(1, 10) for lane in (0, 1)}
    by_length = {line.steps: (line.cost, line.recovers) for line in lines.values()}
    assert by_length == {
        1: (0, 2), 2: (0, 1), 3: (0, 0), 4: (1, 0), 5: (3, 0), 6: (5, 0), 7: (8, 0), 8: (11, 0), 9: (15, 0),
    }  # fmt: skip
    assert all(abs(here - there) <= 1 for line in lines.values() for here, there in pairwise((0, *line.path)))
