"""A toy game in the shape of `rules.game`: everybody calls a side in secret, then a coin is tossed; first to the goal wins.

Small enough to read at a glance, it has what the frame must carry: two decisions open at once, answers that stay hidden
until all have answered, chance with unequal weights, an outcome with shared places. Its rules, invented for the tests:

COIN-01  Everybody calls once in a round.        COIN-02  Nobody tosses before all have called.
COIN-03  A round that is called waits for its toss, and a game that is won is over.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, assert_never

from rules.chance import Weighted
from rules.errors import IllegalAction, Unreadable
from rules.game import Decision, Json, Seat, Step, Taker


class Side(StrEnum):
    HEADS = "heads"
    TAILS = "tails"


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    seat: Seat
    points: int = 0
    called: bool = False
    call: Side | None = None  # None though he has called: hidden from the one who looks


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    goal: int = 2
    heads: int = 1  # how often heads is in the hat; tails is in it once
    callers: tuple[Caller, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    seat: Seat
    side: Side | None  # None: as somebody reads it who may not know


@dataclass(frozen=True, slots=True, kw_only=True)
class Toss:
    side: Side


@dataclass(frozen=True, slots=True, kw_only=True)
class Called:
    seat: Seat
    side: Side | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    calls: tuple[tuple[Seat, Side], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tossed:
    side: Side
    right: tuple[Seat, ...]


Action = Call | Toss
Event = Called | Shown | Tossed


def _open(state: State) -> bool:
    return all(caller.points < state.goal for caller in state.callers)


def _all_called(state: State) -> bool:
    return all(caller.called for caller in state.callers)


def _side(source: Mapping[str, Any]) -> Side:
    try:
        return Side(source.get("side", ""))
    except ValueError:
        raise Unreadable("A side is heads or tails, not “%(side)s”.", side=str(source.get("side"))) from None


class Coin:
    name = "coin"
    title = "Heads or tails"
    version = 1

    def setup(self, options: Mapping[str, Any], entrants: Sequence[Mapping[str, Any]]) -> State:
        return self.read_state({**options, "callers": [{"id": entrant["seat"]} for entrant in entrants]})

    def decisions(self, state: State) -> tuple[Decision, ...]:
        if not _open(state):
            return ()
        if _all_called(state):
            return (Decision(kind="toss", taker=Taker.CHANCE),)
        waiting = (caller.seat for caller in state.callers if not caller.called)
        return tuple(Decision(kind="call", taker=Taker.SEAT, seat=seat, secret=True) for seat in waiting)

    def legal(self, state: State, decision: Decision) -> Sequence[Action]:
        if decision.seat is None:
            return tuple(outcome.action for outcome in self.weighted(state, decision))
        return tuple(Call(seat=decision.seat, side=side) for side in Side)

    def weighted(self, state: State, decision: Decision) -> Sequence[Weighted[Action]]:
        if decision.taker is not Taker.CHANCE:
            raise ValueError("not a chance decision")
        return (Weighted(Toss(side=Side.HEADS), state.heads), Weighted(Toss(side=Side.TAILS), 1))

    def default(self, state: State, decision: Decision) -> Action:
        return self.legal(state, decision)[0]

    def apply(self, state: State, action: Action) -> Step[State, Event]:
        match action:
            case Call(seat=seat, side=side):
                return self._call(state, seat, side)
            case Toss(side=side):
                return self._toss(state, side)
            case _:
                assert_never(action)

    def _call(self, state: State, seat: Seat, side: Side | None) -> Step[State, Event]:
        who = {caller.seat: caller for caller in state.callers}
        if seat not in who:
            raise Unreadable("There is no seat “%(seat)s”.", seat=seat)
        if not _open(state) or _all_called(state):
            raise IllegalAction("COIN-03", "There is nothing to call now.")
        if who[seat].called:
            raise IllegalAction("COIN-01", "%(seat)s has called already.", seat=seat)
        who[seat] = replace(who[seat], called=True, call=side)
        state = replace(state, callers=tuple(who.values()))
        called: tuple[Event, ...] = (Called(seat=seat, side=side),)
        if _all_called(state):
            called += (Shown(calls=tuple((caller.seat, caller.call) for caller in state.callers if caller.call)),)
        return Step(state, called)

    def _toss(self, state: State, side: Side) -> Step[State, Event]:
        if not _open(state):
            raise IllegalAction("COIN-03", "The game is over.")
        if not _all_called(state):
            raise IllegalAction("COIN-02", "Not everybody has called yet.")
        callers = tuple(
            Caller(seat=caller.seat, points=caller.points + (caller.call is side)) for caller in state.callers
        )
        right = tuple(caller.seat for caller in state.callers if caller.call is side)
        return Step(replace(state, callers=callers), (Tossed(side=side, right=right),))

    def outcome(self, state: State) -> Json | None:
        if _open(state):
            return None
        points = [caller.points for caller in state.callers]
        return {
            "rows": [
                {"id": caller.seat, "points": caller.points, "place": 1 + sum(p > caller.points for p in points)}
                for caller in state.callers
            ]
        }

    def seats(self, state: State) -> tuple[Seat, ...]:
        return tuple(caller.seat for caller in state.callers)

    def view(self, state: State, seat: Seat | None) -> State:
        if _all_called(state):
            return state
        callers = tuple(c if c.seat == seat else replace(c, call=None) for c in state.callers)
        return replace(state, callers=callers)

    def seen_action(self, state: State, action: Action, seat: Seat | None) -> Action:
        return replace(action, side=None) if isinstance(action, Call) and action.seat != seat else action

    def seen_event(self, state: State, event: Event, seat: Seat | None) -> Event:
        hidden = isinstance(event, Called) and event.seat != seat and not _all_called(state)
        return replace(event, side=None) if hidden else event

    def read_action(self, source: Mapping[str, Any]) -> Action:
        match source.get("kind"):
            case "call":
                return Call(seat=Seat(str(source.get("seat"))), side=_side(source))
            case "toss":
                return Toss(side=_side(source))
            case kind:
                raise Unreadable("An action is call or toss, not “%(kind)s”.", kind=str(kind))

    def write_action(self, action: Action) -> Json:
        match action:
            case Call(seat=seat, side=side):
                return {"kind": "call", "seat": seat, "side": side}
            case Toss(side=side):
                return {"kind": "toss", "side": side}
            case _:
                assert_never(action)

    def read_event(self, source: Mapping[str, Any]) -> Event:
        match source["kind"]:
            case "called":
                return Called(seat=Seat(source["seat"]), side=source["side"] and _side(source))
            case "shown":
                return Shown(calls=tuple((Seat(seat), Side(side)) for seat, side in source["calls"].items()))
            case "tossed":
                return Tossed(side=_side(source), right=tuple(Seat(seat) for seat in source["right"]))
            case kind:
                raise Unreadable("An event is called, shown or tossed, not “%(kind)s”.", kind=str(kind))

    def write_event(self, event: Event) -> Json:
        match event:
            case Called(seat=seat, side=side):
                return {"kind": "called", "seat": seat, "side": side}
            case Shown(calls=calls):
                return {"kind": "shown", "calls": dict(calls)}
            case Tossed(side=side, right=right):
                return {"kind": "tossed", "side": side, "right": list(right)}
            case _:
                assert_never(event)

    def read_state(self, source: Mapping[str, Any]) -> State:
        if unknown := source.keys() - {"goal", "heads", "callers"}:
            raise Unreadable("A position has no “%(key)s”.", key=min(unknown))
        callers = source.get("callers", [{"id": "A"}, {"id": "B"}])
        return State(
            goal=source.get("goal", 2),
            heads=source.get("heads", 1),
            callers=tuple(
                Caller(
                    seat=Seat(caller["id"]),
                    points=caller.get("points", 0),
                    called=caller.get("call") is not None,
                    call=Side(caller["call"]) if caller.get("call") else None,
                )
                for caller in callers
            ),
        )

    def write_state(self, state: State) -> Json:
        callers = [{"id": caller.seat, "points": caller.points, "call": caller.call} for caller in state.callers]
        return {"goal": state.goal, "heads": state.heads, "callers": callers}

    def write_view(self, view: State) -> Json:
        callers = [{"id": c.seat, "points": c.points, "called": c.called, "call": c.call} for c in view.callers]
        return {"goal": view.goal, "callers": callers}

    def tell(self, state: State, event: Event) -> str:
        match event:
            case Called(seat=seat, side=side):
                return f"{seat} calls {side or 'a side in secret'}."
            case Shown(calls=calls):
                return "Called: " + ", ".join(f"{seat} {side}" for seat, side in calls) + "."
            case Tossed(side=side, right=right):
                return f"The coin shows {side}: a point for {' and '.join(right) or 'nobody'}."
            case _:
                assert_never(event)

    def explain(self, state: State, action: Action) -> Json:
        if isinstance(action, Toss):
            return {"right": [caller.seat for caller in state.callers if caller.call is action.side]}
        weight = state.heads if action.side is Side.HEADS else 1
        return {"chance": f"{weight}/{state.heads + 1}"}

    def describe(self) -> Json:
        seat, side = "whose call it is", "heads or tails"
        return {
            "game": self.name,
            "position": {
                "fields": {
                    "goal": "points that win (default 2)",
                    "heads": "how often heads is in the hat, against once tails (default 1)",
                    "callers": "everybody: id, points (default 0), call (default null)",
                },
                "example": {"goal": 2, "heads": 1, "callers": [{"id": "A", "points": 0, "call": "heads"}, {"id": "B"}]},
            },
            "options": {"fields": {"goal": "as above", "heads": "as above"}, "example": {"goal": 2}},
            "entrants": {"fields": {"seat": "the name"}, "example": [{"seat": "A"}, {"seat": "B"}]},
            "actions": {
                "call": {
                    "means": "Call a side.",
                    "fields": {"seat": seat, "side": side},
                    "example": {"kind": "call", "seat": "A", "side": "heads"},
                }
            },
            "chance": {
                "toss": {
                    "means": "The coin fell.",
                    "fields": {"side": side},
                    "example": {"kind": "toss", "side": "tails"},
                }
            },
            "explained": "a call also tells chance, a toss right",
            "events": {
                "called": {
                    "means": "Somebody called.",
                    "fields": {"seat": seat, "side": side + "; null: not known here"},
                    "example": {"kind": "called", "seat": "A", "side": "heads"},
                },
                "shown": {
                    "means": "All calls are uncovered.",
                    "fields": {"calls": "by seat"},
                    "example": {"kind": "shown", "calls": {"A": "heads", "B": "tails"}},
                },
                "tossed": {
                    "means": "The coin fell.",
                    "fields": {"side": side, "right": "who gets a point"},
                    "example": {"kind": "tossed", "side": "tails", "right": ["B"]},
                },
            },
        }


COIN = Coin()
