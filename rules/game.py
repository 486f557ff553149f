"""The one shape of all games: a value machine.

A *state* is an immutable value. A *decision* says what must be decided next, and by whom; an *action* answers a
decision; *applying* it gives a new state and the *events* that happened. Nothing here rolls, shuffles or looks at a
clock: chance is a decision taken by nobody, and whoever runs the race tells what fell.

    state = game.setup(options, entrants)
    while decisions := game.decisions(state):
        step = game.apply(state, somebody_answers(decisions))
        state = step.state
    rows = game.outcome(state)

Several decisions are open at once where players choose simultaneously; a `secret` one shows others that it was
answered, not how. An `optional` one may be answered while it is open, and holds nothing up. A *view* is what one seat
may know; everything that leaves the server for somebody is made from it.

JSON: states, positions (a state told in part, as a scenario does), actions, events and outcomes are public formats.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, Generic, NamedTuple, NewType, Protocol, TypeVar

from rules.chance import Weighted

Seat = NewType("Seat", str)
"""A side in a race, by the name that options and logs use. One player may hold several; that is not known here."""

Json = dict[str, Any]


class Taker(StrEnum):
    """Who answers a decision."""

    SEAT = "seat"
    CHANCE = "chance"
    ORGANISER = "organiser"  # what only the people in the room can know, such as the order on a stopwatch


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """Something to be decided now. `kind` and `about` are the game's words; `about` says which rider or card it is of."""

    kind: str
    taker: Taker
    seat: Seat | None = None  # who decides, or whom a chance decision is made for
    about: str | None = None
    why: str | None = None
    secret: bool = False  # nobody else sees the answer before all who choose at this moment have answered
    optional: bool = False  # may be answered, and never has to be: the race goes on without it

    def as_json(self) -> Json:
        """What is told of an open decision; empty fields are left out."""
        told = {"kind": self.kind, "taker": self.taker.value, "seat": self.seat, "about": self.about, "why": self.why}
        marks = {"secret": self.secret, "optional": self.optional}
        return {name: value for name, value in told.items() if value is not None} | {
            name: True for name, is_so in marks.items() if is_so
        }


def due(decisions: Iterable[Decision]) -> tuple[Decision, ...]:
    """Of open decisions those that the race waits for: all that are not optional."""
    return tuple(decision for decision in decisions if not decision.optional)


S = TypeVar("S")
A = TypeVar("A")
E = TypeVar("E")
V = TypeVar("V")


MANY: Final = 100_000
"""More answers than this to one decision (points to be allocated) are counted and searched, and not gone through."""


def listed(answers: Sequence[A]) -> Sequence[A]:
    """The answers as a tuple; very many stay what they are."""
    return tuple(answers) if len(answers) <= MANY else answers


class Step(NamedTuple, Generic[S, E]):
    """What an action led to: the state after it, and what happened, in order."""

    state: S
    events: tuple[E, ...]


class Game(Protocol[S, A, E, V]):
    """One game in one version of its rules. All methods are pure; none changes an argument."""

    name: str
    title: str
    version: int

    # ---- the race ----
    def setup(self, options: Mapping[str, Any], entrants: Sequence[Mapping[str, Any]]) -> S:
        """The first state. `RulesError` says all that is wrong with the options and the entrants."""
        ...

    def decisions(self, state: S) -> tuple[Decision, ...]:
        """All that is open now; empty when the race is over. While it is not, one at least is not optional."""
        ...

    def legal(self, state: S, decision: Decision) -> Sequence[A]:
        """Every answer, reduced to those that differ in effect. `in` tells of any action whether `apply` takes it."""
        ...

    def weighted(self, state: S, decision: Decision) -> Sequence[Weighted[A]]:
        """The outcomes of a chance decision with their weights; ValueError for any other decision."""
        ...

    def default(self, state: S, decision: Decision) -> A:
        """The answer for somebody whose time is up; of a chance decision, its likeliest outcome."""
        ...

    def apply(self, state: S, action: A) -> Step[S, E]:
        """Answer a decision. `IllegalAction` names the rule that forbids it."""
        ...

    def outcome(self, state: S) -> Json | None:
        """The result rows, as a score sheet gives them; None until the race is over."""
        ...

    def seats(self, state: S) -> tuple[Seat, ...]:
        """Who takes part, clockwise."""
        ...

    # ---- what somebody may know ----
    def view(self, state: S, seat: Seat | None) -> V:
        """What `seat` may know; None is a spectator."""
        ...

    def seen_action(self, state: S, action: A, seat: Seat | None) -> A:
        """An action of the log as `seat` may read it; `state` is the one that it answered."""
        ...

    def seen_event(self, state: S, event: E, seat: Seat | None) -> E:
        """An event of the log as `seat` may read it; `state` is the one that it led to."""
        ...

    # ---- JSON ----
    def read_action(self, source: Mapping[str, Any]) -> A:
        """An action from JSON; `Unreadable` says what is wrong with it."""
        ...

    def write_action(self, action: A) -> Json: ...

    def read_event(self, source: Mapping[str, Any]) -> E: ...

    def write_event(self, event: E) -> Json: ...

    def read_state(self, source: Mapping[str, Any]) -> S:
        """A state from what `write_state` gave, or a position told in part (the rest are the defaults of `describe`)."""
        ...

    def write_state(self, state: S) -> Json: ...

    def write_view(self, view: V) -> Json: ...

    def tell(self, state: S, event: E) -> str:
        """The event as one English line of a log; `state` is the one that it led to."""
        ...

    def explain(self, state: S, action: A) -> Json:
        """What a legal action would do (cost, risk, place...), as JSON beside the action itself; empty if nothing."""
        ...

    def describe(self) -> Json:
        """The vocabulary: position, options, entrants, actions, events, each with an example and a word on its fields."""
        ...


AnyGame = Game[Any, Any, Any, Any]
