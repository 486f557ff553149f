"""What may be answered: every answer to every decision, and the one for somebody whose time is up."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import permutations
from typing import Any, Final

from rules.breaking_away import asides, madison, movement, turn
from rules.breaking_away.actions import Action, Allocate, Change, FirstSeat, Move, OnPaper, Orders, Place, Rate, Stay
from rules.breaking_away.allocation import Allocations
from rules.breaking_away.data import ALLOTMENTS, DEFAULT_HANDS, STRONG
from rules.breaking_away.field import USUAL_FACTORS, Field
from rules.breaking_away.products import MadeWhenAsked, combination, combinations
from rules.breaking_away.replacement import chain_so_far
from rules.breaking_away.state import Factors, State
from rules.breaking_away.turn import MOVING
from rules.chance import Weighted
from rules.game import Decision

RATINGS: Final = tuple(permutations(ALLOTMENTS, 2))
"""Rules: BA-MAD-02."""


class Answers(tuple[Action, ...]):
    """A list of answers of one seat, in which an answer is found whether it names its sender or leaves that out."""

    seat: str | None = None

    @classmethod
    def of(cls, seat: str | None, actions: Iterable[Action]) -> "Answers":
        made = cls(actions)
        made.seat = seat
        return made

    def __contains__(self, action: object) -> bool:
        if super().__contains__(action):
            return True
        sender: Any = action
        if not hasattr(action, "seat"):
            return False
        if sender.seat is None:
            return super().__contains__(replace(sender, seat=self.seat))
        return bool(sender.seat == self.seat) and super().__contains__(replace(sender, seat=None))


class OrderSheets(MadeWhenAsked[Orders]):
    """All orders that a seat may hand in: the product of its cyclists' factors."""

    def __init__(self, seat: str, factors: Mapping[str, Factors]) -> None:
        self._seat = seat
        self.factors = factors
        """Of each cyclist, what he may be ordered to spend."""

    def __len__(self) -> int:
        return combinations(tuple(self.factors.values()))

    def made(self, place: int) -> Orders:
        chosen = combination(tuple(self.factors.values()), place)
        return Orders(seat=self._seat, factors=tuple(sorted(zip(self.factors, chosen, strict=True))))

    def __contains__(self, action: object) -> bool:
        if not isinstance(action, Orders) or action.seat != self._seat:
            return False
        told = dict(action.factors or ())
        return told.keys() == self.factors.keys() and all(factor in self.factors[name] for name, factor in told.items())


def legal(state: State, decision: Decision) -> Sequence[Action]:
    """Every answer to a decision that is open. ValueError if it is not."""
    if state.phase is MOVING and decision.kind == "move":
        return _moves(state)
    if decision not in turn.decisions(state):
        raise ValueError("this decision is not open")
    field = state.field
    match decision.kind:
        case "first_seat":
            return tuple(outcome.action for outcome in outcomes(state))
        case "rate":
            assert decision.about is not None
            return Answers.of(decision.seat, [Rate(team=decision.about, r1=r1, r2=r2) for r1, r2 in RATINGS])
        case "allocate":
            return _allocations(state, decision)
        case "place":
            assert decision.about is not None
            free = madison.free_squares(state)
            places = [Place(team=decision.about, active=who, square=square) for who in (1, 2) for square in free]
            return Answers.of(decision.seat, places)
        case "orders":
            assert decision.seat is not None
            own = turn.racing(state, field.seats.index(decision.seat))
            return OrderSheets(
                decision.seat, {turn.rides(state, racer): movement.factors(state, racer) for racer in own}
            )
        case "change":
            assert decision.about is not None
            return Answers.of(decision.seat, [Change(team=decision.about), Stay(team=decision.about)])
        case _:
            return Answers.of(decision.seat, asides.choices(state, decision))


def _moves(state: State) -> Answers:
    racer = state.order[state.done]
    him = state.racers[racer]
    if him.relief is not None:
        return _listed(state.field, racer, him.relief.side, movement.factors(state, racer))
    return _listed(state.field, racer, 0, him.hand or movement.factors(state, racer))


@lru_cache(maxsize=1 << 15)
def _listed(field: Field, racer: int, side: int, hand: Factors) -> Answers:
    """A move for each value of a hand. Rules: BA-MOVE-05."""
    usual = field.moves[racer][side]
    name = field.cyclists[racer][side]
    moves = [
        usual[factor] if factor < USUAL_FACTORS else Move(cyclist=name, factor=factor) for factor in dict.fromkeys(hand)
    ]
    return Answers.of(field.seats[field.seat_of[racer]], moves)


def _allocations(state: State, decision: Decision) -> Sequence[Action]:
    assert decision.about is not None
    field = state.field
    if field.options.closed:
        return Answers.of(decision.seat, [OnPaper(team=decision.about)])
    team = field.team_named(decision.about)
    assert team is not None
    return Allocations(
        decision.about,
        turn.ratings_of(state, team),
        field.options.allocation_exact,
        (None, decision.seat),
        paper=field.options.on_paper,
    )


def outcomes(state: State) -> tuple[Weighted[Action], ...]:
    """Who may begin: every seat, once in the hat. Rules: BA-TURN-01."""
    return tuple(Weighted(FirstSeat(seat=seat), 1) for seat in state.field.seats)


def default(state: State, decision: Decision) -> Action:
    """The answer for somebody whose time is up (spec 4, deadlines); of anything beside the turn, the first one."""
    match decision.kind:
        case "rate":
            assert decision.about is not None
            return Rate(team=decision.about, r1=STRONG[0], r2=STRONG[1])
        case "allocate" if not state.field.options.closed:
            return _default_hands(state, decision)
        case "move":
            moves = {move.factor: move for move in _moves(state) if isinstance(move, Move)}
            return moves[settled(state, moves)]
        case "change" | "vote_retire" | "stop_race":
            return legal(state, decision)[-1]  # stay; no
        case _:
            return legal(state, decision)[0]


def settled(state: State, factors: Iterable[int]) -> int:
    """Of some factors of who is to move the one that gets him most back, counted on who has moved; the smallest of equals."""
    racer = state.order[state.done]
    pos = state.racers[racer].pos
    return min(factors, key=lambda factor: (-chain_so_far(state, racer, pos + factor), factor))


def _default_hands(state: State, decision: Decision) -> Allocate:
    assert decision.about is not None
    team = state.field.team_named(decision.about)
    assert team is not None
    hands = tuple((str(number), DEFAULT_HANDS[of]) for number, of in turn.ratings_of(state, team).items())
    return Allocate(team=decision.about, hands=hands)
