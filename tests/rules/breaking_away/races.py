"""Random races of Breaking Away, for whatever must hold in all of them."""

import random
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from rules.breaking_away.actions import Action
from rules.breaking_away.events import Event
from rules.breaking_away.game import BREAKING_AWAY as GAME
from rules.breaking_away.state import State
from rules.chance import drawn, total
from rules.errors import IllegalAction
from rules.game import Decision, Step, Taker, due

SEATS = ("Anna", "Bruno", "Carla", "Dino", "Elsa", "Franco", "Gino", "Hanna", "Ines")
TEAMS = ("R", "W", "B", "G", "Y", "P", "O", "K", "N")

KINDS: Mapping[str, tuple[dict[str, Any], int]] = {
    "standard": ({}, 4),
    "three teams, orders": ({"turn_mode": "orders"}, 3),
    "nine teams, crowded, staggered": ({"overcrowding": True, "staggered": True}, 9),
    "rival lead, whole turns, exact": (
        {"break_over_rival": True, "end_mode": "complete_turn", "allocation_exact": True},
        4,
    ),
    "they leave, kermesse": ({"course": "kermesse-60", "after_finish": "leave", "auto_single": True}, 5),
    "closed": ({"hands": "closed", "course": "criterium-125"}, 3),
    "open": ({"open_hands": True, "course": "kermesse-60"}, 3),
    "closed orders": ({"hands": "closed", "turn_mode": "orders", "course": "postal-120"}, 3),
    "madison": ({"variant": "madison", "madison_small": True}, 5),
    "madison, two teams each": ({"variant": "madison", "madison_ratings": "alternate"}, -5),
    "madison, orders": ({"variant": "madison", "madison_ratings": "all_12", "turn_mode": "orders"}, 9),
    "madison, closed": ({"variant": "madison", "madison_small": True, "hands": "closed"}, 4),
    "madison, squares": ({"variant": "madison", "madison_small": True, "madison_distance": "squares"}, 6),
}
"""Options, and how many teams; below zero: so many seats with two teams each."""


Made = tuple[dict[str, Any], int]
"""A kind of race that has no name in `KINDS`."""


def told_of(kind: str | Made) -> Made:
    return KINDS[kind] if isinstance(kind, str) else kind


def setup(kind: str | Made) -> State:
    options, count = told_of(kind)
    if count < 0:
        two = [{"seat": SEATS[n], "teams": [f"{TEAMS[n]}x", f"{TEAMS[n]}y"]} for n in range(-count)]
        return GAME.setup(options, two)
    return GAME.setup(options, [{"seat": SEATS[n], "team": TEAMS[n]} for n in range(count)])


class Moment(NamedTuple):
    """One answer of a race: what it was asked of, and what it led to."""

    before: State
    decision: Decision
    action: Action
    step: Step[State, Event]


def answer(state: State, decision: Decision, rng: random.Random) -> Action:
    if decision.taker is Taker.CHANCE:
        outcomes = GAME.weighted(state, decision)
        return drawn(outcomes, rng.randrange(total(outcomes)))
    choices = GAME.legal(state, decision)
    return choices[rng.randrange(len(choices))]


def ride(kind: str | Made, seed: int | str, *, beside: float = 0.05, most: int = 5000) -> Iterator[Moment]:
    """A random race from its set-up to its end; now and then somebody says something beside the turn."""
    rng = random.Random(seed)
    state = setup(kind)
    for _ in range(most):
        open_now = GAME.decisions(state)
        if not open_now:
            return
        must = due(open_now)
        assert must, "a race that is not over waits for somebody"
        decision = rng.choice(open_now if rng.random() < beside else must)
        action = answer(state, decision, rng)
        step = GAME.apply(state, action)
        yield Moment(state, decision, action, step)
        state = step.state
    raise AssertionError("the race does not end")


def accepted_if_listed(state: State, action: Action) -> None:
    """The engine takes an answer where one of the open decisions lists it, and refuses it everywhere else."""
    listed = any(action in GAME.legal(state, decision) for decision in GAME.decisions(state))
    try:
        GAME.apply(state, action)
    except IllegalAction:
        assert not listed, action
    else:
        assert listed, action
