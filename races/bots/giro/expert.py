"""The bot `expert`: looks at the answers that `club` likes, risks included, and rides the race to its end from each of them.

The races are ridden in outline (`sketch`), with dice thrown and hidden tiles guessed; every answer meets the same dice.
What counts is who is before whom at the line.
"""

import random
from collections.abc import Callable, Sequence
from math import exp, sqrt
from typing import Final

from races.bots import TimeIsUp
from races.bots.giro import club
from races.bots.giro.club import Ride
from races.bots.giro.features import CARRIED, drink, front, number, plan_of, strength_to_come, wheel
from races.bots.giro.plan import FROM_THE_PELOTON
from races.bots.giro.sketch import ROAD, Outline, Way, fate
from rules.game import Decision
from rules.giro import data
from rules.giro.actions import Action, BreakAway, Drop, End, Pursue, Risk
from rules.giro.data import Kind
from rules.giro.state import NOBODY, Rider, State, Where
from rules.giro.view import View

WIDTH: Final = 6
"""Answers that are looked at."""

HOPELESS: Final = 0.5
"""Turns by which the plan of an answer is slower than the best one, so that it is not looked at."""

SEARCHED: Final = ("move", "attack", "pursue")
"""Kinds of decisions that are worth a search."""

ROUNDS: Final = (6, 10, 20, 40)
"""Races in outline from every answer, round by round. After a round the worse half of the answers is dropped, and whatever
is clearly worse than the best."""

CLEAR: Final = 2.0
"""How many times the luck of the dice an answer must be behind the best to be clearly worse."""

CLOSE: Final = 0.25
"""Turns between two riders at which the one in front is before the other in three of four races."""

WIN: Final = 1.0
"""What winning is worth, in shares of the rivals beaten."""

TURN: Final = 0.3
"""Rivals beaten, as a share of all, for a turn saved: what the time of a plan is worth beside what the races say."""

DOUBT: Final = 30
"""Races that the time of the plan is worth."""


class Answer:
    """An answer and what is known of it."""

    __slots__ = ("action", "play", "prior", "races", "squares", "total")

    def __init__(self, action: Action, prior: float, play: Callable[[Outline], None]) -> None:
        self.action, self.prior, self.play = action, prior, play
        self.total, self.squares, self.races = 0.0, 0.0, 0

    @property
    def worth(self) -> float:
        return (self.total + DOUBT * self.prior) / (self.races + DOUBT)

    @property
    def blur(self) -> float:
        """How far off `worth` may be by the luck of the dice."""
        variance = self.squares / self.races - (self.total / self.races) ** 2
        return sqrt(max(0.0, variance) * self.races) / (self.races + DOUBT)


def expert(view: View, decision: Decision, legal: Sequence[Action], rng: random.Random, time_is_up: TimeIsUp) -> Action:
    """One of `legal`; if time is up at once, what `club` answers."""
    state = view.state
    if state.time_trial or len(legal) == 1 or decision.kind not in SEARCHED or time_is_up():
        return club.club(view, decision, legal, rng, time_is_up)
    seat = state.seats.index(decision.seat)
    match decision.kind:
        case "move":
            rider = state.riders[number(state, decision.about)]
            first = drink(state, rider, legal)
            if first is not None:
                return first
            answers = _moves(state, rider, legal)
        case "attack":
            for rider in state.riders:
                if rider.entry.seat == seat and rider.where is Where.INSIDE:
                    first = drink(state, rider, legal)
                    if first is not None:
                        return first
            answers = _attacks(state, legal)
        case _:
            favoured = club.pursues(view)
            answers = [Answer(Pursue(yes=yes), 0.0, _pursue(yes)) for yes in (favoured, not favoured)]
    if not answers:
        return club.club(view, decision, legal, rng, time_is_up)
    return search(state, seat, answers, rng, time_is_up)


def search(state: State, seat: int, answers: list[Answer], rng: random.Random, time_is_up: TimeIsUp) -> Action:
    """The answer that does best in races in outline, dropping the worse half after each round."""
    own = [i for i, rider in enumerate(state.riders) if rider.entry.seat == seat and rider.racing]
    if len(answers) == 1 or not own:  # the token may still be with a seat whose last rider has just arrived
        return answers[0].action
    base = max(answer.prior for answer in answers)
    answers = [answer for answer in answers if answer.prior > base - TURN * HOPELESS]
    for answer in answers:  # in a Giro a turn is a square of the GC track
        answer.prior = (answer.prior - base) / (TURN if state.options.giro else 1)
    if len(answers) == 1:
        return answers[0].action
    others = [i for i, rider in enumerate(state.riders) if rider.entry.seat != seat and rider.racing]
    plans = [plan_of(state, rider, risks=i in own) for i, rider in enumerate(state.riders)]
    present = Outline(state, plans)
    for races in ROUNDS:
        for _ in range(races):
            chance = fate(state, rng)
            worths = []
            for answer in answers:
                if time_is_up():
                    return max(answers, key=lambda answer: answer.worth).action
                outline = present.with_fate(chance)
                answer.play(outline)
                outline.finish()
                worths.append(worth(outline, own, others, state.options.giro))
            mean = sum(worths) / len(worths)
            for answer, found in zip(answers, worths, strict=True):
                answer.total += found - mean
                answer.squares += (found - mean) ** 2
                answer.races += 1
        answers.sort(key=lambda answer: answer.worth, reverse=True)
        best = answers[0]
        answers = [
            answer
            for answer in answers[: max(2, (len(answers) + 1) // 2)]
            if best.worth - answer.worth < CLEAR * (best.blur + answer.blur) or answer is best
        ]
        if len(answers) == 1:
            break
    return answers[0].action


def worth(outline: Outline, own: Sequence[int], others: Sequence[int], giro: bool) -> float:
    """What the end of a race is worth to a seat. `own` and `others` are riders who had not arrived when it was looked at."""
    return _in_the_classification(outline, own, others) if giro else _on_the_day(outline, own, others)


def _on_the_day(outline: Outline, own: Sequence[int], others: Sequence[int]) -> float:
    """Rivals beaten, as a share of all, and the win; each by the odds of the gap, since an outline is not the race."""
    times = outline.time
    beaten, won = 0.0, 0.0
    for i in own:
        first = 1.0
        for j in others:
            gap = (times[j] - times[i]) / CLOSE
            odds = 1 / (1 + exp(-max(-30.0, min(30.0, gap))))
            beaten += odds
            first = min(first, odds)
        won = max(won, first)
    return beaten / (len(own) * max(1, len(others))) + WIN * won


def _in_the_classification(outline: Outline, own: Sequence[int], others: Sequence[int]) -> float:
    """Squares of the GC track won on the rivals: turns, bonus lines, the stage, and energy to carry over."""
    best = min(outline.time)

    def squares(i: int) -> float:
        time = outline.time[i]
        kept = max(0, min(outline.energy[i], data.CARRY_CAP[Kind.ROAD]))
        return best - time + data.STAGE_WIN * (time == best) + data.BONUS * outline.bonus.count(i) + CARRIED * kept

    mine = sum(map(squares, own)) / len(own)
    return mine - sum(map(squares, others)) / max(1, len(others))


# ---- answers -----------------------------------------------------------------------------------------------------------
def _moves(state: State, rider: Rider, legal: Sequence[Action]) -> list[Answer]:
    i = state.riders.index(rider)
    return [
        Answer(action, -TURN * time, _rider(state, i, action, 0.0))
        for time, action in _unlike(state, rider, club.rate(state, rider, legal, risks=True))[:WIDTH]
    ]


def _attacks(state: State, legal: Sequence[Action]) -> list[Answer]:
    answers = []
    breaks = [action for action in legal if isinstance(action, BreakAway)]
    for name in [action.rider for action in legal if isinstance(action, Drop)]:
        i = number(state, name)
        rider = state.riders[i]
        waits = plan_of(state, rider, risks=True).waiting(front(state), strength_to_come(rider))
        answers += [
            Answer(action, -TURN * (time - waits), _rider(state, i, action, FROM_THE_PELOTON))
            for time, action in _unlike(state, rider, club.rate(state, rider, breaks, risks=True))
        ]
    end = next(action for action in legal if isinstance(action, End))
    answers.sort(key=lambda answer: answer.prior, reverse=True)
    return [*answers[: WIDTH - 1], Answer(end, 0.0, _end)]


def _unlike(state: State, rider: Rider, rated: Sequence[tuple[float, Ride]]) -> list[tuple[float, Ride]]:
    """The best of some moves first; of those that are one in outline, only the best."""
    kept: dict[tuple[object, ...], tuple[float, Ride]] = {}
    for time, action in sorted(rated, key=lambda way: way[0]):
        effect = action.effect
        assert effect is not None, "a listed move has its effect"
        leader = None if effect.finishes else wheel(state, rider, effect.to)
        at = state.options.course.column[effect.to]
        sign = (at, effect.steps, effect.cost, effect.risk, action.card, leader and leader.id)
        kept.setdefault(sign, (time, action))
    return list(kept.values())


def _end(outline: Outline) -> None:
    outline.agenda.pop()


def _pursue(yes: bool) -> Callable[[Outline], None]:
    def play(outline: Outline) -> None:
        outline.agenda.pop()
        outline.pursued = yes

    return play


def _rider(state: State, i: int, action: Ride, later: float) -> Callable[[Outline], None]:
    """A move in outline."""
    effect = action.effect
    assert effect is not None, "a listed move has its effect"
    way = Way(0.0, effect.steps, effect.cost - effect.recovers, effect.risk is Risk.CRACK)
    rider = state.riders[i]
    on_the_road = rider.where is Where.ROAD
    leader = None if effect.finishes else wheel(state, rider, effect.to)
    link = NOBODY if leader is None else state.riders.index(leader)
    to = state.options.course.columns + 1 if effect.finishes else state.options.course.column[effect.to]

    def play(outline: Outline) -> None:
        if on_the_road:
            outline.agenda.pop()  # inside, his seat is asked again
            outline.waits[i] = False
        if action.card:
            outline.card[i] = None
        outline.go(i, to, way, later)
        if outline.where[i] != ROAD:
            return
        outline.link[i] = link
        if effect.risk is Risk.FALL and outline.falls(i):
            outline.energy[i] -= effect.cost * (data.FALL_TIMES - 1)

    return play
