"""Breaking Away, in the shape of all games."""

from collections.abc import Mapping, Sequence
from typing import Any

from rules.breaking_away import explain, legal, outcome, position, setup, tell, turn, view
from rules.breaking_away.actions import ACTIONS, Action
from rules.breaking_away.describe import describe
from rules.breaking_away.events import EVENTS, Event
from rules.breaking_away.state import State
from rules.breaking_away.view import View
from rules.chance import Weighted
from rules.game import Decision, Json, Seat, Step, Taker
from rules.wire import Wire

ACTION_WIRE: Wire[Action] = Wire("action", ACTIONS)
EVENT_WIRE: Wire[Event] = Wire("event", EVENTS)


class BreakingAway:
    """One race, version 1 of its rules."""

    name = "breaking_away"
    title = "Breaking Away"
    version = 1

    def setup(self, options: Mapping[str, Any], entrants: Sequence[Mapping[str, Any]]) -> State:
        return setup.setup(options, entrants)

    def decisions(self, state: State) -> tuple[Decision, ...]:
        return turn.decisions(state)

    def legal(self, state: State, decision: Decision) -> Sequence[Action]:
        return legal.legal(state, decision)

    def weighted(self, state: State, decision: Decision) -> Sequence[Weighted[Action]]:
        if decision.taker is not Taker.CHANCE:
            raise ValueError("this decision is not chance's")
        return legal.outcomes(state)

    def default(self, state: State, decision: Decision) -> Action:
        return legal.default(state, decision)

    def apply(self, state: State, action: Action) -> Step[State, Event]:
        return turn.apply(state, action)

    def outcome(self, state: State) -> Json | None:
        return outcome.outcome(state)

    def seats(self, state: State) -> tuple[Seat, ...]:
        return state.field.seats

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
        return position.write_view(view)

    def tell(self, state: State, event: Event) -> str:
        return tell.tell(state, event)

    def explain(self, state: State, action: Action) -> Json:
        return explain.explain(state, action)

    def describe(self) -> Json:
        return describe(ACTION_WIRE, EVENT_WIRE)


BREAKING_AWAY = BreakingAway()
