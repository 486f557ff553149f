"""The engine and the second reading, side by side: the same position, the same legal answers."""

import random
from collections.abc import Iterable
from typing import Any

import pytest

from rules.errors import IllegalAction
from rules.game import Decision
from rules.giro.actions import BreakAway, Drop, End, Move, PlayEddie, Reveal, ShowCard, Stay
from rules.giro.game import GIRO
from rules.giro.state import State
from tests.rules.giro.brute import Brute, Line, Way

Asides = set[tuple[str, str, int | None]]


def brute_of(state: State) -> Brute:
    """The second reading of a state; of the latest one it remembers what it found."""
    global _latest
    if _latest is None or _latest[0] is not state:
        _latest = state, Brute(GIRO.write_state(state))
    return _latest[1]


_latest: tuple[State, Brute] | None = None


def riders_asked(brute: Brute, decision: Decision) -> list[str]:
    """Who may ride: the one who is asked, or those whom the seat may send out of the peloton."""
    if decision.kind == "move":
        assert decision.about is not None
        return [decision.about]
    return [
        name
        for name, rider in brute.riders.items()
        if rider["where"] == "inside" and rider["seat"] == decision.seat and not rider["dropping"]
    ]


def offered(brute: Brute, name: str) -> list[Line]:
    """One line for each effect: the one with the smallest list of lanes."""
    best: dict[Any, Line] = {}
    for line in brute.lines(name).values():
        other = best.setdefault(line.effect, line)
        if line.lanes < other.lanes:
            best[line.effect] = line
    return sorted(best.values(), key=_by_card_and_lanes)


def _by_card_and_lanes(line: Line) -> tuple[str, tuple[int, ...]]:
    return line.card or "", line.lanes


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


def as_action(brute: Brute, name: str, start: int | None, path: tuple[int, ...], card: bool) -> Move | BreakAway:
    if not brute.trial and brute.riders[name]["where"] == "inside":
        return BreakAway(rider=name, start=-1 if start is None else start, path=path, card=card)
    return Move(rider=name, path=path, card=card, start=start)


def told_besides(actions: Iterable[Any]) -> Asides:
    """The answers that are no ride, as the second reading tells them."""
    out: Asides = set()
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


def expected_besides(brute: Brute, decision: Decision) -> Asides:
    names = riders_asked(brute, decision)
    out = {aside for name in names for aside in brute.besides(name)}
    if decision.kind == "attack":
        return out | {("end", "", None)} | {("drop", name, None) for name in names}
    if not brute.lines(names[0]):
        out.add(("stay", names[0], None))
    return out


def same_answers(state: State, decision: Decision) -> None:
    """The legal list of a move or an attack is the one that the second reading makes."""
    brute = brute_of(state)
    legal = GIRO.legal(state, decision)

    for name in riders_asked(brute, decision):
        listed = [
            as_line(state, brute, action)
            for action in legal
            if isinstance(action, Move | BreakAway) and action.rider == name
        ]
        assert sorted(listed, key=_by_card_and_lanes) == offered(brute, name)
    assert told_besides(legal) == expected_besides(brute, decision)
    assert len(set(legal)) == len(legal), "nothing is offered twice"


def same_verdicts(state: State, decision: Decision, rng: random.Random, most: int = 60) -> None:
    """Ways that the second reading allows are accepted at their price, and what it does not allow is refused."""
    brute = brute_of(state)
    legal = GIRO.legal(state, decision)
    before = GIRO.write_state(state)

    for name in riders_asked(brute, decision):
        ways = brute.lines(name)
        for line in ways.values() if len(ways) <= most else rng.sample(list(ways.values()), most):
            action = as_action(brute, name, line.start, line.path, line.card is not None)
            assert action in legal
            assert as_line(state, brute, action) == line
            ridden: Any = GIRO.apply(state, action).events[0]
            assert (ridden.rider, ridden.to, ridden.squares, -ridden.change) == (name, line.to, line.steps, line.cost)

        for start, path, card in near_misses(rng, brute, name, list(ways)):
            if (start, path, brute.riders[name]["card"] if card else None) in ways:
                continue
            wrong = as_action(brute, name, start, path, card)
            assert wrong not in legal, wrong
            with pytest.raises(IllegalAction) as refusal:
                GIRO.apply(state, wrong)
            assert refusal.value.rule.startswith("GI-")
    assert GIRO.write_state(state) == before


def near_misses(
    rng: random.Random, brute: Brute, name: str, ways: list[Way]
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
