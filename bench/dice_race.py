"""The yardstick for a rules engine: the least that a race of dice can be in plain Python.

Six riders, fifty squares, one action a turn: roll the die that is offered, or ride one square for sure. A frozen
dataclass for each action, a tuple for the state, nothing checked, nothing told.
"""

from dataclasses import dataclass
from random import Random

SQUARES = 50
RIDERS = 6
FACES = (3, 4, 5)


@dataclass(frozen=True, slots=True, kw_only=True)
class Roll:
    """Move as far as the die says."""

    rider: int
    face: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Sure:
    """Move one square."""

    rider: int


State = tuple[int, tuple[int, ...]]  # whose turn, where everybody is


def legal(state: State) -> list[Roll | Sure]:
    rider = state[0]
    return [Sure(rider=rider), *(Roll(rider=rider, face=face) for face in FACES)]


def apply(state: State, action: Roll | Sure) -> State:
    rider, squares = state
    there = squares[rider] + (action.face if isinstance(action, Roll) else 1)
    return (rider + 1) % RIDERS, (*squares[:rider], there, *squares[rider + 1 :])


def random_race(rng: Random) -> int:
    """Play one race to its end; the number of actions."""
    state: State = (0, (0,) * RIDERS)
    actions = 0
    while max(state[1]) < SQUARES:
        choices = legal(state)
        state = apply(state, choices[rng.randrange(len(choices))])
        actions += 1
    return actions
