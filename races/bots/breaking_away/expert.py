"""The bot `expert`: rides on from each of its answers, with guessed hands, and compares what comes of it.

The rides are in outline (`outline`), everybody by the quick policy, to the end of the turn and a little further. Every
answer meets the same guesses.
"""

import random
from collections.abc import Mapping, Sequence
from typing import Final

from races.bots import TimeIsUp
from races.bots.breaking_away import allocation, asides, belief, club, madison
from races.bots.breaking_away.outline import Outline
from races.bots.breaking_away.posed import Posed
from rules.breaking_away.actions import Action
from rules.breaking_away.state import State
from rules.breaking_away.view import View
from rules.game import Decision

TURNS: Final = 2
"""Turns that are ridden in outline, the present one among them."""

ROUNDS: Final = (4, 4, 8)
"""Guesses at the hidden hands, round by round. After a round the worse half of the answers is dropped."""

SQUARE: Final = 0.3
"""Points that a square is worth in a Madison, ridden or in the hand: laps come before points there."""


def expert(view: View, decision: Decision, legal: Sequence[Action], rng: random.Random, time_is_up: TimeIsUp) -> Action:
    """One of `legal`; if time is up at once, what `club` answers."""
    state = view.state
    match decision.kind:
        case "allocate" if not state.field.options.closed:
            return allocation.hands(state, decision, allocation.SPREAD, rng)
        case "rate" | "place" | "change":
            return madison.answer(state, decision, legal)
        case "move" | "orders":
            if time_is_up():
                return club.ride(state, decision)
            return ride(state, decision, rng, time_is_up)
    return asides.answer(state, decision)


def ride(state: State, decision: Decision, rng: random.Random, time_is_up: TimeIsUp) -> Action:
    """For each racer the factor that leads to most, those of the own racers before him being settled."""
    posed = Posed(state, decision)
    chosen = club.chosen(posed)
    if any(len(allowed) > 1 for allowed in posed.allowed.values()):
        search = Search(posed, rng, time_is_up)
        for racer in posed.own:
            chosen[racer] = search.best(racer, chosen)
    return posed.said(chosen)


class Search:
    """Rides in outline from one question."""

    def __init__(self, posed: Posed, rng: random.Random, time_is_up: TimeIsUp) -> None:
        self._posed = posed
        self._rng = rng
        self._time_is_up = time_is_up
        self._guesser = belief.Guesser(posed.state)
        self._guesses: list[Outline] = []
        self._seat_of = posed.state.field.seat_of
        self._seat = self._seat_of[posed.own[0]]
        self._policy = [club.WEIGHTS] * len(posed.state.field.teams)

    def _guess(self, number: int) -> Outline:
        """The race with the hands of the nth guess; one's own are as they are."""
        while len(self._guesses) <= number:
            hands = self._guesser.draw(self._rng)
            for racer in self._posed.own:
                hands[racer] = self._posed.hands[racer]
            self._guesses.append(Outline(self._posed.state, hands))
        return self._guesses[number]

    def best(self, racer: int, chosen: Mapping[int, int]) -> int:
        """Of his factors the one that leads to most; the first of `chosen` if there is no time."""
        answers = list(self._posed.allowed[racer])
        if len(answers) == 1:
            return answers[0]
        found = dict.fromkeys(answers, 0.0)
        guess = 0
        for count in ROUNDS:
            for number in range(guess, guess + count):
                if self._time_is_up():
                    return max(answers, key=found.__getitem__) if number else chosen[racer]
                present = self._guess(number)
                for factor in answers:
                    outline = present.copy()
                    outline.finish_turn(self._policy, {**chosen, racer: factor})
                    for _ in range(TURNS - 1):
                        if outline.over:
                            break
                        outline.finish_turn(self._policy, {})
                    found[factor] += self._worth(outline)
            guess += count
            answers.sort(key=found.__getitem__, reverse=True)
            answers = answers[: max(2, (len(answers) + 1) // 2)]
        return answers[0]

    def _worth(self, outline: Outline) -> float:
        """What one's own have taken and may expect, over the mean of the others."""
        state = self._posed.state
        square = SQUARE if state.field.madison else 0.0
        mine = theirs = 0.0
        for racer, more in enumerate(outline.prospects()):
            value = outline.points[racer] + more + square * (outline.pos[racer] + sum(outline.hand[racer]))
            if self._seat_of[racer] == self._seat:
                mine += value
            else:
                theirs += value
        return mine - theirs / max(1, len(state.field.seats) - 1)
