"""A game of dice for tests: small, but with every kind of decision that a log can hold.

Each seat chooses a die in secret, all at once. Then each rolls for the start, all open at once; the organiser names one
of those who tie for the highest. In turn, a seat goes or stops. Going rolls its die: a 1 loses what the turn has won so
far. Stopping banks it. Whoever has the goal together, banked and not, has won. `Table` plays it and writes the log.
"""

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, ClassVar

from races.fairness import answer, commitment, due
from rules.chance import Weighted
from rules.errors import IllegalAction, RulesError, Saying, Unreadable
from rules.game import Decision, Json, Seat, Step, Taker


@dataclass(frozen=True, slots=True, kw_only=True)
class Pick:
    kind: ClassVar[str] = "pick"
    seat: str
    die: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StartDie:
    kind: ClassVar[str] = "start_die"
    seat: str
    value: int


@dataclass(frozen=True, slots=True, kw_only=True)
class First:
    kind: ClassVar[str] = "first"
    seat: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Go:
    kind: ClassVar[str] = "go"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stop:
    kind: ClassVar[str] = "stop"


@dataclass(frozen=True, slots=True, kw_only=True)
class Die:
    kind: ClassVar[str] = "die"
    value: int


Action = Pick | StartDie | First | Go | Stop | Die
ACTIONS: Mapping[str, type[Any]] = {a.kind: a for a in (Pick, StartDie, First, Go, Stop, Die)}
DICE: Mapping[str, Mapping[int, int]] = {  # value: weight
    "d6": {1: 1, 2: 1, 3: 1, 4: 1, 5: 1, 6: 1},
    "d12": {1: 3, 4: 5, 5: 3, 10: 1},
}
START = {1: 1, 2: 1, 3: 1, 4: 1, 5: 1, 6: 1}


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    seats: tuple[str, ...]
    goal: int
    picks: Mapping[str, str] = field(default_factory=dict)
    starts: Mapping[str, int] = field(default_factory=dict)
    turn: str | None = None
    won: int = 0  # in this turn
    rolling: bool = False
    banked: Mapping[str, int] = field(default_factory=dict)

    @property
    def highest(self) -> tuple[str, ...]:
        return tuple(seat for seat in self.seats if self.starts[seat] == max(self.starts.values()))

    @property
    def over(self) -> bool:
        return self.turn is not None and self.banked.get(self.turn, 0) + self.won >= self.goal


class Dice:
    name = "dice"
    title = "Dice"
    version = 1

    def setup(self, options: Mapping[str, Any], entrants: Sequence[Mapping[str, Any]]) -> State:
        seats = tuple(entrant.get("seat") for entrant in entrants)
        goal = options.get("goal", 20)
        if (
            not 2 <= len(seats) <= 4
            or len(set(map(repr, seats))) < len(seats)
            or not all(isinstance(s, str) for s in seats)
        ):
            raise RulesError(Saying(rule="DI-01", message="Two to four seats, each with its own name."))
        if not isinstance(goal, int) or isinstance(goal, bool) or not 1 <= goal <= 10_000:
            raise RulesError(Saying(rule="DI-02", message="The goal is 1 to 10000 points."))
        return State(seats=seats, goal=goal)

    def decisions(self, state: State) -> tuple[Decision, ...]:
        picking = [s for s in state.seats if s not in state.picks]
        if picking:
            return tuple(Decision(kind="pick", taker=Taker.SEAT, seat=Seat(s), secret=True) for s in picking)
        starting = [s for s in state.seats if s not in state.starts]
        if starting:
            return tuple(Decision(kind="start_die", taker=Taker.CHANCE, seat=Seat(s), about=s) for s in starting)
        if state.over:
            return ()
        if state.turn is None:
            return (Decision(kind="first", taker=Taker.ORGANISER),)
        seat = Seat(state.turn)
        if state.rolling:
            why = state.picks[seat]
            return (Decision(kind="die", taker=Taker.CHANCE, seat=seat, about=seat, why=why),)
        return (Decision(kind="turn", taker=Taker.SEAT, seat=seat),)

    def legal(self, state: State, decision: Decision) -> Sequence[Action]:
        match decision.kind:
            case "pick":
                return [Pick(seat=str(decision.seat), die=die) for die in DICE]
            case "first":
                return [First(seat=seat) for seat in state.highest]
            case "turn":
                return [Go(), Stop()]
        return [outcome.action for outcome in self.weighted(state, decision)]

    def weighted(self, state: State, decision: Decision) -> Sequence[Weighted[Action]]:
        if decision.kind == "start_die":
            seat = str(decision.about)
            return [Weighted(StartDie(seat=seat, value=value), weight) for value, weight in START.items()]
        if decision.kind == "die":
            faces = DICE[state.picks[str(decision.about)]]
            return [Weighted(Die(value=value), weight) for value, weight in faces.items()]
        raise ValueError("not a decision of chance")

    def apply(self, state: State, action: Action) -> Step[State, str]:
        if not any(action in self.legal(state, decision) for decision in self.decisions(state)):
            raise IllegalAction("DI-03", "“%(kind)s” is not possible now.", kind=action.kind)
        match action:
            case Pick(seat=seat, die=die):
                state = replace(state, picks={**state.picks, seat: die})
            case StartDie(seat=seat, value=value):
                state = replace(state, starts={**state.starts, seat: value})
                if len(state.starts) == len(state.seats) and len(state.highest) == 1:
                    state = replace(state, turn=state.highest[0])
            case First(seat=seat):
                state = replace(state, turn=seat)
            case Go():
                state = replace(state, rolling=True)
            case Stop():
                banked = {**state.banked, str(state.turn): state.banked.get(str(state.turn), 0) + state.won}
                state = replace(state, banked=banked, won=0, turn=self.next(state))
            case Die(value=1):
                state = replace(state, rolling=False, won=0, turn=self.next(state))
            case Die(value=value):
                state = replace(state, rolling=False, won=state.won + value)
        return Step(state, (action.kind,))

    def next(self, state: State) -> str:
        return state.seats[(state.seats.index(str(state.turn)) + 1) % len(state.seats)]

    def outcome(self, state: State) -> Json | None:
        return {"winner": state.turn} if state.over else None

    def read_action(self, source: Mapping[str, Any]) -> Action:
        kind = source.get("kind")
        action = ACTIONS.get(kind) if isinstance(kind, str) else None
        if action is None:
            raise Unreadable("There is no such action.")
        types = {"seat": str, "die": str, "value": int}
        told = {name: value for name, value in source.items() if name != "kind"}
        if told.keys() != {part.name for part in fields(action)}:
            raise Unreadable("The action “%(kind)s” has other fields.", kind=action.kind)
        if any(type(value) is not types[name] for name, value in told.items()):
            raise Unreadable("A field of the action “%(kind)s” cannot be read.", kind=action.kind)
        return action(**told)

    def write_action(self, action: Action) -> Json:
        return {"kind": action.kind, **asdict(action)}


DICE_GAME = Dice()
SEED = bytes(range(32))


class Table:
    """People at the game of dice, and the log that they write. Chance is answered as `races` does it: `due`, then `answer`."""

    def __init__(self, *, seed: bytes = SEED, race: str = "monday", goal: int = 20, seats: str = "AB") -> None:
        self.seed, self.race = seed, race
        self.head = {
            "game": "dice",
            "version": 1,
            "race": race,
            "commitment": commitment(seed),
            "options": {"goal": goal},
            "entrants": [{"seat": seat} for seat in seats],
        }
        self.entries: list[Json] = []
        self.states: list[State] = [DICE_GAME.setup(self.head["options"], self.head["entrants"])]

    @property
    def state(self) -> State:
        return self.states[-1]

    @property
    def n(self) -> int:
        return len(self.entries)

    def write(self, state: State, **entry: Any) -> None:
        self.entries.append({"n": self.n + 1, **entry})
        self.states.append(state)

    def act(self, taker: Taker, seat: str | None, action: Any) -> None:
        named = {} if seat is None else {"seat": seat}
        told = DICE_GAME.write_action(action)
        self.write(DICE_GAME.apply(self.state, action).state, taker=taker.value, **named, action=told)

    def roll(self) -> Any:
        decision = due(DICE_GAME.decisions(self.state))
        assert decision is not None
        fell = answer(DICE_GAME, self.state, decision, seed=self.seed, race=self.race, entry=self.n + 1)
        self.act(Taker.CHANCE, decision.seat, fell)
        return fell

    def note(self, **what: Any) -> None:
        self.write(self.state, taker="organiser", note=what)

    def rewind(self, to: int, *, by: str | None = None, reason: str | None = "by consent") -> None:
        taker = {"taker": "organiser", "reason": reason} if by is None else {"taker": "seat", "seat": by}
        self.write(self.states[to], **taker, rewind_to=to)

    def step(self) -> bool:
        """One sensible entry; False when the race is over."""
        decisions = DICE_GAME.decisions(self.state)
        if not decisions:
            return False
        decision = due(decisions) or decisions[0]
        match decision.kind:
            case "pick":
                seat = str(decision.seat)
                self.act(Taker.SEAT, seat, Pick(seat=seat, die="d6" if seat == "A" else "d12"))
            case "first":
                self.act(Taker.ORGANISER, None, First(seat=self.state.highest[-1]))
            case "turn":
                self.act(Taker.SEAT, decision.seat, Stop() if self.state.won >= 8 else Go())
            case _:
                self.roll()
        return True

    def until(self, what: Callable[[], bool]) -> "Table":
        while not what():
            assert self.step(), "the race was over before"
        return self

    def finish(self) -> "Table":
        while self.step():
            pass
        return self

    def forked(self, to: int, *, seed: bytes, race: str) -> "Table":
        """A practice race that goes on after entry `to` of this one, under a seed of its own."""
        fork = Table(seed=seed, race=race)
        origin = {"to": to, "race": self.race, "commitment": commitment(self.seed), "seed": self.seed.hex()}
        fork.head |= self.head | {"race": race, "commitment": commitment(seed), "origins": [origin]}
        fork.entries, fork.states = self.entries[:to], self.states[: to + 1]
        return fork

    def log(self, *, shown: bool = True) -> Json:
        """The log, the seed in it or not; a copy that a test may spoil."""
        seed = self.seed.hex() if shown else None
        return copy.deepcopy({**self.head, "seed": seed, "entries": self.entries})
