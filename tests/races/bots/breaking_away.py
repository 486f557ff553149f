"""Positions for tests of the bots of Breaking Away, from races in which bots and blind chance answer in turns."""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from races import bots
from rules.breaking_away import allocation
from rules.breaking_away.actions import AskRetire
from rules.breaking_away.game import BREAKING_AWAY
from rules.breaking_away.movement import rating
from rules.breaking_away.public import known
from rules.breaking_away.state import UNRATED, Factors, Phase, Racer, Relief, State
from rules.chance import drawn, total
from rules.game import Decision, Seat, Taker, due


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A kind of race to take positions from, and the decisions that it must ask about to be worth testing."""

    name: str
    options: dict[str, Any]
    teams: int = 4
    each: int = 1  # teams of a player
    kinds: set[str]

    @property
    def entrants(self) -> list[dict[str, Any]]:
        names = [chr(ord("A") + number) for number in range(self.teams)]
        return [
            {"seat": f"player {names[first]}", "teams": names[first : first + self.each]}
            for first in range(0, self.teams, self.each)
        ]


TABLES = [
    Table(name="one after the other", options={}, kinds={"allocate", "move", "vote_retire"}),
    Table(name="orders", options={"turn_mode": "orders", "course": "kermesse-60"}, teams=3, kinds={"allocate", "orders"}),
    Table(name="hands on paper", options={"hands": "closed", "course": "kermesse-60"}, teams=3, kinds={"allocate", "move"}),
    Table(
        name="every other option", teams=5, kinds={"allocate", "move"},
        options={
            "course": "kermesse-60", "overcrowding": True, "staggered": True, "break_over_rival": True, "after_finish": "leave",
            "end_mode": "complete_turn", "allocation_exact": True,
        },
    ),
    Table(
        name="Madison", options={"variant": "madison", "madison_small": True}, teams=6, each=2,
        kinds={"rate", "allocate", "place", "move", "change"},
    ),
    Table(
        name="Madison with orders", teams=4, kinds={"rate", "allocate", "place", "orders", "change"},
        options={"variant": "madison", "madison_small": True, "turn_mode": "orders"},
    ),
]  # fmt: skip


def positions(table: Table, seed: int) -> Iterator[tuple[State, Decision]]:
    """Every decision that a race waits for. The bot `club` and blind chance answer by turns, so that odd positions come up too,
    and now and then somebody asks to let one of his go."""
    rng = random.Random(seed)
    state = BREAKING_AWAY.setup(table.options, table.entrants)
    while open_now := BREAKING_AWAY.decisions(state):
        decision = rng.choice(due(open_now))
        asks = [one for one in open_now if one.kind == "ask_retire"]
        if asks and rng.random() < 1 / 30:
            asked = BREAKING_AWAY.legal(state, rng.choice(asks))[0]
            assert isinstance(asked, AskRetire)
            state = BREAKING_AWAY.apply(state, asked).state
            continue
        if decision.taker is Taker.CHANCE:
            outcomes = BREAKING_AWAY.weighted(state, decision)
            action = drawn(outcomes, rng.randrange(total(outcomes)))
        else:
            yield state, decision
            if rng.random() < 1 / 3 and decision.kind != "allocate":
                legal = BREAKING_AWAY.legal(state, decision)
                action = legal[rng.randrange(len(legal))]
            else:
                action = bots.answer(BREAKING_AWAY, "club", state, decision, rng)
        state = BREAKING_AWAY.apply(state, action).state


def swapped(state: State, seat: Seat | None, rng: random.Random) -> State:
    """The same position for `seat`, with other values wherever it cannot see: hands, orders that are in, ratings."""
    field = state.field
    own = field.seats.index(seat)
    racers = list(state.racers)
    for number, racer in enumerate(racers):
        if field.seat_of[number] == own:
            continue
        side = racer.relief.side if racer.relief else 0
        racers[number] = racer._replace(
            hand=_other_hand(state, number, racer, side, rng),
            relief=racer.relief and racer.relief._replace(hand=_other_hand(state, number, racer.relief, 1 - side, rng)),
        )
    state = state._replace(racers=tuple(racers))
    orders = tuple(
        tuple(rng.choice(racers[racer].hand) for racer in field.of_seat[number] if racer in state.order)
        if factors is not None and number != own
        else factors
        for number, factors in enumerate(state.orders)
    )
    ratings = state.ratings
    if state.phase is Phase.RATE:
        ratings = tuple(
            tuple(rng.sample(range(1, 5), 2)) if pair is not None and field.teams[team].seat != own else pair
            for team, pair in enumerate(ratings)
        )
    return state._replace(orders=orders, ratings=ratings)


def _other_hand(state: State, number: int, of: Racer | Relief, side: int, rng: random.Random) -> Factors | None:
    """Another hand that everything announced allows: other first factors are left of it."""
    if of.hand is None or of.open:
        return of.hand
    pair = state.ratings[state.field.team_of[number]] if state.field.madison else None
    assert pair != UNRATED
    spent, held = known(of.spent, of.gained)
    begun = [
        Counter(hand) - Counter(spent)
        for hand in allocation.hands(rating(state, number, side), state.field.options.allocation_exact)
        if not Counter(spent) - Counter(hand)
    ]
    return tuple(sorted((*rng.choice(begun).elements(), *held)))
