"""What a seat may know (spec 5.10).

A view is the state without the hands of others: they are *unknown*, as where they stay on paper, so that the same rules can
be thought through in it. What was spent and gained is public, and so is a hand that was shown to everybody.
"""

from dataclasses import dataclass, replace

from rules.breaking_away.actions import Action, Allocate, Orders, Rate
from rules.breaking_away.events import Event
from rules.breaking_away.state import NOBODY, UNRATED, UNSEEN_ORDERS, Phase, Racer, State
from rules.game import Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What `seat` knows of a race; None is a spectator."""

    seat: Seat | None
    state: State


def view(state: State, seat: Seat | None) -> View:
    """Everything but the hands of others, and what others have answered in secret; after the race, everything.

    Rules: BA-INFO-01, BA-INFO-02, BA-INFO-06, BA-INFO-07, BA-SET-03, BA-OPT-04, BA-REF-03; AMB-11.
    """
    if state.phase is Phase.FINISHED:
        return View(seat=seat, state=state)
    field = state.field
    own = field.seats.index(seat) if seat in field.seats else NOBODY
    racers = tuple(
        racer if field.seat_of[number] == own else _masked(racer) for number, racer in enumerate(state.racers)
    )
    orders = tuple(
        UNSEEN_ORDERS if factors is not None and number != own else factors
        for number, factors in enumerate(state.orders)
    )
    ratings = state.ratings
    if state.phase is Phase.RATE:
        ratings = tuple(
            UNRATED if pair is not None and field.teams[team].seat != own else pair for team, pair in enumerate(ratings)
        )
    return View(seat=seat, state=state._replace(racers=racers, orders=orders, ratings=ratings))


def _masked(racer: Racer) -> Racer:
    relief = racer.relief
    if relief is not None and not relief.open:
        relief = relief._replace(hand=None)
    return racer._replace(hand=racer.hand if racer.open else None, relief=relief)


def seen_action(state: State, action: Action, seat: Seat | None) -> Action:
    """An action of the log as `seat` may read it: without the secret answers of others.

    Rules: BA-SET-03, BA-OPT-05, BA-MAD-02.
    """
    match action:
        case Allocate():
            return action if _controls(state, action.team, seat) else replace(action, hands=None)
        case Rate():
            return action if _controls(state, action.team, seat) else replace(action, r1=None, r2=None)
        case Orders():
            return action if action.seat == seat else replace(action, factors=None)
        case _:
            return action


def _controls(state: State, team: str, seat: Seat | None) -> bool:
    return any(one.id == team and state.field.seats[one.seat] == seat for one in state.field.teams)


def seen_event(state: State, event: Event, seat: Seat | None) -> Event:
    """Events tell only what everybody may know."""
    return event
