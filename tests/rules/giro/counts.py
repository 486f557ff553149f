"""How many lines of play begin in a few named positions: numbers that no change of the engine may move.

A line of depth 3 is three answers, one after the other, to whatever is asked: rides, tiles, dice. The numbers in
`COUNTED` come from brute force: `python -m tests.rules.giro.counts` counts them again that way.
"""

from collections.abc import Callable, Sequence
from typing import Any

from rules.giro.actions import Action, BreakAway, Move
from rules.giro.game import GIRO
from rules.giro.state import State
from tests.rules.giro.agreement import as_action, brute_of, offered, riders_asked

POSITIONS: dict[str, dict[str, Any]] = {
    "three ahead on the plain": {
        "course": "strip L2 | P1-30",
        "peloton": 3,
        "riders": [
            {"id": "A", "type": "rouleur", "at": "12.0", "energy": 9},
            {"id": "B", "type": "leader", "at": "11.0", "energy": 8, "behind": "A"},
            {"id": "C", "type": "climber", "at": "10.1", "energy": 5, "seat": "B"},
        ],
    },
    "a wall on the rise": {
        "course": "strip L2 | P1-6 R7-12 M13-20/2 D21-26 | x 22.0",
        "peloton": 2,
        "riders": [
            {"id": "D", "type": "climber", "at": "12.0", "energy": 4},
            {"id": "E", "type": "leader", "at": "12.1", "energy": 0},
            {"id": "F", "type": "rouleur", "at": "11.0", "energy": 15, "card": "felice"},
        ],
    },
    "round the bend into the mountain": {
        "course": {
            "id": "bend", "name": "Bend", "kind": "road", "lanes": 3, "hexes": ["3: P4", "4: R3<2,3,4>@1", "5: M5", "2: D4"],
            "cat": {"8": 2, "10": 1}, "feed": [], "bonus": [], "sprint": None, "black": ["4:1:0", "4:2:1"],
        },
        "peloton": {"column": 2},
        "riders": [
            {"id": "G", "type": "climber", "at": "6.0", "energy": 14, "risks": 1, "card": "fausto"},
            {"id": "H", "type": "rouleur", "at": "4.2", "energy": 9, "tiles": [3, 4]},
        ],
    },
    "out of the peloton, three columns from home": {
        "course": "strip L2 | P1-20 | sprint 15",
        "peloton": 17,
        "phase": "T2",
        "token": "Anna",
        "riders": [
            {"id": "I", "seat": "Anna", "type": "rouleur", "strength": "sprinter", "energy": 6, "card": "mario"},
            {"id": "J", "seat": "Anna", "type": "climber", "energy": 3, "card": "eddie"},
            {"id": "K", "seat": "Bruno", "type": "leader", "energy": 1, "tiles": [2]},
        ],
    },
    "behind the peloton in single file": {
        "course": "strip L2 | P1-30",
        "peloton": 12,
        "phase": "T5",
        "riders": [
            {"id": "L", "type": "leader", "at": "9.0", "energy": 3, "behind": "M"},
            {"id": "M", "type": "rouleur", "at": "8.0", "energy": 7},
            {"id": "N", "type": "climber", "at": "7.0", "energy": 12, "waiting": True},
        ],
    },
    "a team against the clock": {
        "course": "strip L3 ttt | P1-8 D9-12 | x 10.1",
        "turn": 2,
        "riders": [
            {"id": "O", "type": "rouleur", "at": "6.1", "energy": 8},
            {"id": "P", "type": "climber", "at": "5.1", "energy": 6, "behind": "O", "slipstream": True},
        ],
    },
}  # fmt: skip

COUNTED: dict[str, tuple[int, ...]] = {
    "three ahead on the plain": (14, 178, 1288),
    "a wall on the rise": (8, 28, 488),
    "round the bend into the mountain": (50, 2480, 10172),
    "out of the peloton, three columns from home": (8, 28, 112),
    "behind the peloton in single file": (4, 22, 152),
    "a team against the clock": (30, 485, 5535),
}
"""Lines to depth 1, 2 and 3, counted by brute force."""


def count(state: State, depth: int, answers: Callable[[State], Sequence[Action]]) -> int:
    """Lines of that depth from here; a stage that is over has none."""
    if not GIRO.decisions(state):
        return 0
    actions = answers(state)
    if depth == 1:
        return len(actions)
    return sum(count(GIRO.apply(state, action).state, depth - 1, answers) for action in actions)


def of_the_engine(state: State) -> Sequence[Action]:
    return GIRO.legal(state, GIRO.decisions(state)[0])


def of_brute_force(state: State) -> Sequence[Action]:
    """The rides that the second reading finds; whatever else can be answered, the engine tells."""
    decision = GIRO.decisions(state)[0]
    legal = GIRO.legal(state, decision)
    if decision.kind not in ("move", "attack"):
        return legal
    brute = brute_of(state)
    rides: list[Action] = [
        as_action(brute, name, line.start, line.path, line.card is not None)
        for name in riders_asked(brute, decision)
        for line in offered(brute, name)
    ]
    return [*(action for action in legal if not isinstance(action, Move | BreakAway)), *rides]


if __name__ == "__main__":
    for name, position in POSITIONS.items():
        first = GIRO.read_state(position)
        numbers = ", ".join(str(count(first, depth, of_brute_force)) for depth in (1, 2, 3))
        print(f'    "{name}": ({numbers}),')
