"""What nobody may see: a `Watch` that lets the hidden truth be another one, and asks whether anybody notices.

*Swapped*: the same state with other kept tiles and blind cards wherever a seat cannot see them. Its view, and its
choices, must be the same.
What the seat is refused for its own riders must be refused in the same words.
*Twin*: a second race that differs from the first in one drawn tile or dealt card, and goes on with the same answers
until that secret is told. To everybody but its owner both must look alike, step by step, event by event.
"""

import random
from dataclasses import dataclass
from typing import Any

from rules.errors import IllegalAction
from rules.game import Decision, Seat, Step, Taker
from rules.giro.actions import Action, DealtCard, DrawnTile
from rules.giro.cards import Card
from rules.giro.events import Event
from rules.giro.game import GIRO
from rules.giro.state import COLOURS, UNSEEN, Pile, Rider, State
from tests.rules.giro.invariants import mutated
from tests.rules.giro.play import Watch, is_blind


def said(state: State, action: Action) -> str | None:
    """How an answer is refused; None if it is taken."""
    try:
        GIRO.apply(state, action)
    except IllegalAction as refusal:
        return str(refusal)
    return None


def hides_card(state: State, rider: Rider) -> bool:
    """He holds a card that only its owner has seen."""
    return is_blind(state) and rider.card is not None and not rider.shown


def swapped(rng: random.Random, state: State, seat: Seat | None) -> State:
    """The state as it may just as well be, for all that `seat` can see."""
    riders = list(state.riders)
    piles = list(state.piles)
    values = [value for value, _ in state.options.feed_tiles]
    hidden = [i for i, rider in enumerate(riders) if state.seats[rider.entry.seat] != seat]
    for colour, pile in enumerate(piles):
        holders = [i for i in hidden if riders[i].racing and COLOURS.index(riders[i].entry.speciality) == colour]
        held = [tile for i in holders for tile in riders[i].tiles if tile != UNSEEN]
        hat = [value for value, left in zip(values, pile.left, strict=True) for _ in range(left)] + held
        rng.shuffle(hat)
        for i in holders:
            riders[i] = riders[i]._replace(
                tiles=tuple(tile if tile == UNSEEN else hat.pop() for tile in riders[i].tiles)
            )
        piles[colour] = Pile(left=tuple(hat.count(value) for value in values), spent=pile.spent)
    holders = [i for i in hidden if hides_card(state, riders[i])]
    deck = [*state.undealt, *(card for i in holders if (card := riders[i].card) is not None)]
    rng.shuffle(deck)
    for i in holders:
        riders[i] = riders[i]._replace(card=deck.pop())
    undealt = tuple(card for card in Card if card in deck)
    return state._replace(riders=tuple(riders), piles=tuple(piles), undealt=undealt)


@dataclass
class Twin:
    """Another race with the same past, but for one secret: what `rider` drew or was dealt."""

    state: State
    rider: int
    tile: int | None  # what he keeps in the first race; None: the secret is a card
    place: int  # of that tile among those he keeps

    def is_secret_in(self, state: State) -> bool:
        rider = state.riders[self.rider]
        if self.tile is None:
            return hides_card(state, rider)
        return rider.racing and rider.tiles[self.place : self.place + 1] == (self.tile,)


class Eyes(Watch):
    """Looks at one race with the eyes of every seat, and of a spectator."""

    def __init__(self, rng: random.Random, often: float = 1.0) -> None:
        self.rng = rng
        self.often = often
        self.twin: Twin | None = None
        self.compared = 0
        """Steps at which two races that differ in a secret were seen to look alike."""
        self.refused = 0
        """Answers that were refused alike, whatever the hidden truth is."""

    def sees(self, before: State, decision: Decision, action: Action, step: Step[State, Event]) -> None:
        if self.twin is not None:
            self.follow(self.twin, before, action, step)
        elif isinstance(action, DrawnTile | DealtCard) and decision.why in ("feed", None):
            self.separate(before, decision, action, step)
        if self.rng.random() < self.often:
            self.owners_see(step.state)
            for seat in (*GIRO.seats(step.state), None):
                other = swapped(self.rng, step.state, seat)
                self.cannot_tell(step.state, other, seat)
                self.refused_alike(step.state, other, seat, action)

    # ---- one state ---------------------------------------------------------------------------------------------------
    def owners_see(self, state: State) -> None:
        """Everybody sees what is his, and chooses from it as if he had the whole state before him."""
        for seat in GIRO.seats(state):
            seen = GIRO.view(state, seat).state
            for true, told in zip(state.riders, seen.riders, strict=True):
                if state.seats[true.entry.seat] == seat:
                    assert told == true
                else:
                    assert told.energy == true.energy
                    assert len(told.tiles) == len(true.tiles)
                    assert not told.racing or not any(told.tiles), "kept tiles of others are face down"
                    assert not hides_card(state, true) or (told.card is None and told.unseen_card)
            assert GIRO.decisions(seen) == GIRO.decisions(state)
            assert GIRO.view(seen, seat).state == seen, "who knows a view knows no more from looking again"
            for decision in GIRO.decisions(state):
                if decision.taker is Taker.SEAT and decision.seat == seat:
                    self.same_choices(state, seen, decision)

    def same_choices(self, state: State, seen: State, decision: Decision) -> None:
        true, told = GIRO.legal(state, decision), GIRO.legal(seen, decision)
        assert list(true) == list(told)
        assert GIRO.default(state, decision) == GIRO.default(seen, decision)
        some = self.rng.choice(list(true))
        assert GIRO.explain(state, some) == GIRO.explain(seen, some)

    def cannot_tell(self, one: State, other: State, seat: Seat | None) -> None:
        assert GIRO.write_view(GIRO.view(one, seat)) == GIRO.write_view(GIRO.view(other, seat)), seat
        assert GIRO.decisions(one) == GIRO.decisions(other)
        for decision in GIRO.decisions(one):
            if seat is not None and decision.taker is Taker.SEAT and decision.seat == seat:
                assert list(GIRO.legal(one, decision)) == list(GIRO.legal(other, decision))

    def refused_alike(self, one: State, other: State, seat: Seat | None, action: Action) -> None:
        """What a seat is refused, and in which words, follows from its own view: whatever it tries for its own riders."""
        own = [rider.id for rider in one.riders if one.seats[rider.entry.seat] == seat]
        seen = GIRO.view(one, seat).state
        for decision in GIRO.decisions(one):
            if decision.taker is not Taker.SEAT or decision.seat != seat or not own:
                continue
            legal = GIRO.legal(one, decision)
            for tried in (action, legal[self.rng.randrange(len(legal))]):
                wrong = mutated(self.rng, tried, own)
                if getattr(wrong, "rider", None) not in (None, *own):
                    continue
                words = said(one, wrong)
                assert words == said(seen, wrong) == said(other, wrong), (seat, wrong)
                self.refused += words is not None

    # ---- two races ---------------------------------------------------------------------------------------------------
    def separate(self, before: State, decision: Decision, action: Action, step: Step[State, Event]) -> None:
        """Begin a twin in which something else fell for the same rider."""
        others = [
            outcome.action
            for outcome in GIRO.weighted(before, decision)
            if outcome.action != action and _is_seen(action)
        ]
        if not others or decision.about is None:
            return
        rider = next(i for i, rider in enumerate(before.riders) if rider.id == decision.about)
        tile = action.value if isinstance(action, DrawnTile) else None
        other = self.rng.choice(others)
        twin = Twin(before, rider, tile, len(before.riders[rider].tiles))
        if twin.is_secret_in(step.state):
            self.compare(twin, before, before, action, other, step)

    def follow(self, twin: Twin, before: State, action: Action, step: Step[State, Event]) -> None:
        """The twin gives the same answer, unless that answer tells the secret."""
        answers = [GIRO.legal(twin.state, decision) for decision in GIRO.decisions(twin.state)]
        self.twin = None
        if twin.is_secret_in(step.state) and any(action in legal for legal in answers):
            self.compare(twin, before, twin.state, action, action, step)

    def compare(
        self, twin: Twin, before: State, twin_before: State, action: Action, other: Action, step: Step[State, Event]
    ) -> None:
        """Both races go on by an answer each; whoever does not own the secret sees the same."""
        beside = GIRO.apply(twin_before, other)
        owner = step.state.seats[step.state.riders[twin.rider].entry.seat]
        for seat in (*GIRO.seats(before), None):
            if seat == owner:
                continue
            assert GIRO.seen_action(before, action, seat) == GIRO.seen_action(twin_before, other, seat)
            assert _seen(step, seat) == _seen(beside, seat)
            assert GIRO.view(step.state, seat) == GIRO.view(beside.state, seat), seat
            self.compared += 1
        assert GIRO.decisions(step.state) == GIRO.decisions(beside.state)
        self.twin = Twin(beside.state, twin.rider, twin.tile, twin.place)


def _is_seen(action: Action) -> bool:
    return bool(getattr(action, "value", None) or getattr(action, "card", None))


def _seen(step: Step[State, Event], seat: Seat | None) -> list[Any]:
    return [GIRO.write_event(GIRO.seen_event(step.state, event, seat)) for event in step.events]
