"""Breaking Away, in the shape of all games."""

from collections.abc import Mapping, Sequence
from typing import Any

from rules.breaking_away import explain, outcome, position, setup, tell, turn
from rules.breaking_away import legal as answers
from rules.breaking_away import view as views
from rules.breaking_away.actions import ACTIONS, Action
from rules.breaking_away.describe import describe
from rules.breaking_away.events import EVENTS, Event
from rules.breaking_away.state import State
from rules.chance import Weighted
from rules.game import Decision, Json, Seat, Taker
from rules.wire import Wire

ACTION_WIRE: Wire[Action] = Wire("action", ACTIONS)
EVENT_WIRE: Wire[Event] = Wire("event", EVENTS)


class BreakingAway:
    """One race, version 1 of its rules."""

    name = "breaking_away"
    title = "Breaking Away"
    version = 1

    # the functions themselves, not methods that call them: a race is many small calls
    setup = staticmethod(setup.setup)
    decisions = staticmethod(turn.decisions)
    legal = staticmethod(answers.legal)
    default = staticmethod(answers.default)
    apply = staticmethod(turn.apply)
    outcome = staticmethod(outcome.outcome)
    view = staticmethod(views.view)
    seen_action = staticmethod(views.seen_action)
    seen_event = staticmethod(views.seen_event)
    read_state = staticmethod(position.read_state)
    write_state = staticmethod(position.write_state)
    write_view = staticmethod(position.write_view)
    tell = staticmethod(tell.tell)
    explain = staticmethod(explain.explain)

    def weighted(self, state: State, decision: Decision) -> Sequence[Weighted[Action]]:
        if decision.taker is not Taker.CHANCE:
            raise ValueError("this decision is not chance's")
        return answers.outcomes(state)

    def seats(self, state: State) -> tuple[Seat, ...]:
        return state.field.seats

    def read_action(self, source: Mapping[str, Any]) -> Action:
        return ACTION_WIRE.read(source)

    def write_action(self, action: Action) -> Json:
        return ACTION_WIRE.write(action)

    def read_event(self, source: Mapping[str, Any]) -> Event:
        return EVENT_WIRE.read(source)

    def write_event(self, event: Event) -> Json:
        return EVENT_WIRE.write(event)

    def describe(self) -> Json:
        return describe(ACTION_WIRE, EVENT_WIRE)


BREAKING_AWAY = BreakingAway()
