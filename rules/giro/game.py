"""Giro d'Italia: The Game, in the shape of all games."""

from collections.abc import Mapping, Sequence
from typing import Any

from rules.chance import Weighted
from rules.game import Decision, Json, Seat
from rules.giro import explain, legal, outcome, position, preparing, tell, turn, view
from rules.giro.actions import ACTIONS, Action
from rules.giro.describe import describe
from rules.giro.events import EVENTS, Event
from rules.giro.state import State
from rules.giro.view import View
from rules.wire import Wire

ACTION_WIRE: Wire[Action] = Wire("action", ACTIONS)
EVENT_WIRE: Wire[Event] = Wire("event", EVENTS)


class Giro:
    """One stage of the game, version 1 of its rules."""

    name = "giro"
    title = "Giro d'Italia: The Game"
    version = 1

    # the functions themselves where nothing is added: a race is many small calls
    decisions = staticmethod(turn.decisions)
    apply = staticmethod(turn.apply)

    def setup(self, options: Mapping[str, Any], entrants: Sequence[Mapping[str, Any]]) -> State:
        return turn.begin(preparing.setup(options, entrants))

    def legal(self, state: State, decision: Decision) -> Sequence[Action]:
        if decision.kind == "clock" and decision == turn.CLOCK and turn.waits_for_the_clock(state):
            return legal.Clocks(state)
        return legal.choices(state, turn.todo_of(state, decision))

    def weighted(self, state: State, decision: Decision) -> Sequence[Weighted[Action]]:
        found = legal.outcomes(state, turn.todo_of(state, decision))
        if not found:
            raise ValueError("this decision is not chance's")
        return found

    def default(self, state: State, decision: Decision) -> Action:
        todo = None if decision == turn.CLOCK else turn.todo_of(state, decision)
        return legal.default(state, decision, todo)

    def outcome(self, state: State) -> Json | None:
        return outcome.outcome(state)

    def seats(self, state: State) -> tuple[Seat, ...]:
        return state.seats

    def view(self, state: State, seat: Seat | None) -> View:
        return view.view(state, seat)

    def seen_action(self, state: State, action: Action, seat: Seat | None) -> Action:
        return view.seen_action(state, action, seat)

    def seen_event(self, state: State, event: Event, seat: Seat | None) -> Event:
        return view.seen_event(state, event, seat)

    def read_action(self, source: Mapping[str, Any]) -> Action:
        return ACTION_WIRE.read(source)

    def write_action(self, action: Action) -> Json:
        return ACTION_WIRE.write(action)

    def read_event(self, source: Mapping[str, Any]) -> Event:
        return EVENT_WIRE.read(source)

    def write_event(self, event: Event) -> Json:
        return EVENT_WIRE.write(event)

    def read_state(self, source: Mapping[str, Any]) -> State:
        return position.read_state(source)

    def write_state(self, state: State) -> Json:
        return position.write_state(state)

    def write_view(self, view: View) -> Json:
        return {"seat": view.seat} | position.write_state(view.state)

    def tell(self, state: State, event: Event) -> str:
        return tell.tell(event)

    def explain(self, state: State, action: Action) -> Json:
        return explain.explain(state, action)

    def describe(self) -> Json:
        return describe(ACTION_WIRE, EVENT_WIRE)


GIRO = Giro()
