"""Positions for tests of the bots of Giro, from races in which bots and blind chance answer in turns."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from races import bots
from rules.chance import drawn, total
from rules.game import Decision, Seat, Taker
from rules.giro.feeding import COLOUR_INDEX
from rules.giro.game import GIRO
from rules.giro.state import State


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A kind of race to take positions from, and the decisions that it must ask about to be worth testing."""

    name: str
    options: dict[str, Any]
    entrants: list[dict[str, Any]]
    kinds: set[str]


def seats(count: int, each: int) -> list[dict[str, Any]]:
    return [{"seat": name, "draft": each} for name in ("anna", "bruno", "carla", "dino", "elena", "fabio")[:count]]


ROAD = {"pick", "strength", "move", "attack", "pursue", "tile"}
TABLES = [
    Table(name="six alone", options={"course": "colli"}, entrants=seats(6, 1), kinds=ROAD),
    Table(name="three teams of three", options={"course": "vetta", "giro": True}, entrants=seats(3, 3), kinds=ROAD),
    Table(
        name="blind cards", options={"course": "pianura", "cards": "blind", "giro": True}, entrants=seats(4, 2),
        kinds=ROAD,
    ),
    Table(name="alone against the clock", options={"course": "crono"}, entrants=seats(5, 1), kinds={"pick", "strength", "move"}),
    Table(name="teams against the clock", options={"course": "laguna"}, entrants=seats(2, 3), kinds={"pick", "strength", "move"}),
]  # fmt: skip


def positions(table: Table, seed: int) -> Iterator[tuple[State, Decision]]:
    """Every decision of a seat in a race. The bot `club` and blind chance answer by turns, so that odd positions come up too."""
    rng = random.Random(seed)
    state = GIRO.setup(table.options, table.entrants)
    while open_now := GIRO.decisions(state):
        decision = rng.choice(open_now)
        if decision.taker is Taker.CHANCE:
            outcomes = GIRO.weighted(state, decision)
            action = drawn(outcomes, rng.randrange(total(outcomes)))
        else:
            yield state, decision
            if rng.random() < 1 / 3:
                action = rng.choice(GIRO.legal(state, decision))
            else:
                action = bots.answer(GIRO, "club", state, decision, rng)
        state = GIRO.apply(state, action).state


def looks(count: int) -> bots.TimeIsUp:
    """A time that is up after so many looks at the clock: on every machine the same."""
    left = iter(range(count))
    return lambda: next(left, None) is None


def swapped(state: State, seat: Seat | None, rng: random.Random) -> State:
    """The same position for `seat`, with other values wherever it cannot see: tiles that others keep, their blind cards."""
    own = state.seats.index(seat)
    riders = list(state.riders)
    hidden = GIRO.view(state, seat).state
    deck = list(hidden.undealt)
    rng.shuffle(deck)
    values = [value for value, _ in state.options.feed_tiles]
    piles = [list(pile.left) for pile in hidden.piles]
    for i, rider in enumerate(riders):
        if rider.entry.seat == own or not rider.racing:
            continue
        colour = COLOUR_INDEX[rider.entry.speciality]
        tiles = []
        for _ in rider.tiles:
            index = rng.choices(range(len(values)), weights=piles[colour])[0]
            piles[colour][index] -= 1
            tiles.append(values[index])
        riders[i] = rider._replace(tiles=tuple(tiles))
        if hidden.riders[i].unseen_card and rider.card is not None:
            riders[i] = riders[i]._replace(card=deck.pop())
    return state._replace(
        riders=tuple(riders),
        undealt=tuple(sorted(deck, key=list(type(deck[0])).index)) if deck else (),
        piles=tuple(pile._replace(left=tuple(left)) for pile, left in zip(state.piles, piles, strict=True)),
    )
