"""What holds in every race: a `Watch` that says so after every step.

Nobody moves back; no two upright riders on one square; energy is what the events add up to and never below nothing;
whoever is asked has an answer, and `legal` is what `apply` takes; all of it survives JSON; cards and tiles are never
made or lost.
"""

import json
import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

from rules.errors import IllegalAction, Unreadable
from rules.game import Decision, Json, Step
from rules.giro.actions import Action
from rules.giro.cards import Card
from rules.giro.events import Dropped, Event, Finished, Started, StoodUp
from rules.giro.game import GIRO
from rules.giro.state import COLOURS, NOWHERE, UNSEEN, Do, Rider, State, Where
from tests.rules.giro.play import Watch

HOME = 10**6
"""The front edge of somebody who has finished."""


def as_text(value: Json) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def edge(state: State, rider: Rider) -> int:
    """How far a rider is, in ticks: his square's front edge, inside the peloton's front."""
    if rider.where is Where.FINISHED:
        return HOME
    if rider.square != NOWHERE:
        return state.options.course.end[rider.square]
    # a peloton that has crossed the line is set back onto the first column beyond it (GI-B4-09)
    return min(state.front, state.options.course.arrival_tick + 60)


def unsettled(state: State) -> set[int]:
    """Riders whose move is not done yet: until then they may stand on anybody's square (spec 4.2)."""
    return {todo.rider for run in state.runs for todo in run.agenda if todo.do is Do.SETTLE}


class Invariants(Watch):
    """Watches one race. The dear ones (JSON, other answers, defaults) are looked at `often`: 1 is at every step.

    `tries`: how many other answers are tried at such a step.
    """

    def __init__(self, rng: random.Random, *, often: float = 1.0, tries: int = 2) -> None:
        self.rng = rng
        self.often = often
        self.tries = tries
        self.energy: dict[str, int] = {}
        self.pool: list[Action] = []
        self.events: Counter[str] = Counter()

    def begins(self, state: State) -> None:
        if not _is_to_come(state, Do.START):  # with nothing to ask, `setup` has lined everybody up
            self.energy = {rider.id: rider.energy for rider in state.riders}
        self.holds(state)
        self.holds_in_json(state)

    def sees(self, before: State, decision: Decision, action: Action, step: Step[State, Event]) -> None:
        self.events.update(event.kind for event in step.events)
        self.pool.append(action)
        self.adds_up(step)
        self.goes_on(before, step)
        self.holds(step.state)
        if self.rng.random() >= self.often:
            return
        self.holds_in_json(step.state)
        for event in step.events:
            assert GIRO.read_event(json.loads(as_text(GIRO.write_event(event)))) == event
            assert GIRO.tell(step.state, event)
        assert GIRO.read_action(json.loads(as_text(GIRO.write_action(action)))) == action
        self.accepted_and_refused(before)

    def ends(self, state: State) -> None:
        told = GIRO.outcome(state)
        assert told is not None
        assert {row["id"]: row["energy"] for row in told["riders"]} == self.energy
        assert json.loads(json.dumps(told)) == told
        crossed = [row for row in told["riders"] if not row["out"]]
        assert all(row["turn"] is not None and row["turn"] >= 1 for row in crossed)
        if told["kind"] == "road":
            assert [row["order"] for row in crossed] == list(range(1, len(crossed) + 1))
            assert [row["turn"] for row in crossed] == sorted(row["turn"] for row in crossed)
        else:
            assert len(crossed) == len(told["riders"])

    # ---- one state ---------------------------------------------------------------------------------------------------
    def holds(self, state: State) -> None:
        moving = unsettled(state)
        for run in state.runs:
            squares = [state.riders[i].square for i in run.riders if state.riders[i].active and i not in moving]
            assert len(set(squares)) == len(squares), "one upright rider a square: GI-M-02"
        arrivals = [rider.arrival for rider in state.riders if rider.where is Where.ROAD]
        assert len(set(arrivals)) == len(arrivals), "every arrival has its number: GI-M-06"
        for rider in state.riders:
            assert rider.energy >= 0, "GI-M-03"
            assert (rider.where is Where.ROAD) <= (rider.square != NOWHERE)
            assert rider.racing or not rider.tiles or _is_to_come(state, Do.SHOW_TILE), "GI-C4-05"
        self.nothing_is_lost(state)
        assert (GIRO.outcome(state) is None) == bool(GIRO.decisions(state))

    def holds_in_json(self, state: State) -> None:
        """Who is asked has answers, the one for the absent among them; and the state survives JSON."""
        for decision in GIRO.decisions(state):
            legal = GIRO.legal(state, decision)
            assert len(legal) > 0, "who is asked has an answer"
            assert GIRO.default(state, decision) in legal
        text = as_text(GIRO.write_state(state))
        back = GIRO.read_state(json.loads(text))
        assert back == state, "a state survives JSON"
        assert as_text(GIRO.write_state(back)) == text

    def nothing_is_lost(self, state: State) -> None:
        """Tiles and cards are somewhere, and only once. A tile or card that was not seen still counts as undrawn."""
        for colour, pile in enumerate(state.piles):
            kept = Counter(
                tile
                for rider in state.riders
                for tile in rider.tiles
                if tile != UNSEEN and COLOURS.index(rider.entry.speciality) == colour
            )
            for i, (value, count) in enumerate(state.options.feed_tiles):
                assert pile.left[i] + pile.spent[i] + kept[value] == count, "tiles are neither made nor lost"
        seen = [card for rider in state.riders for card in (rider.card, rider.played) if card is not None]
        assert sorted([*seen, *state.undealt]) == sorted(Card), "every card is in one place"

    # ---- one step ----------------------------------------------------------------------------------------------------
    def adds_up(self, step: Step[State, Event]) -> None:
        for event in step.events:
            name = getattr(event, "rider", "")
            if isinstance(event, Started):
                assert name not in self.energy
                self.energy[name] = 0
            change = getattr(event, "change", None)
            if change is not None:
                self.energy[name] += change
                assert self.energy[name] == event.energy, event  # type: ignore[union-attr]  # whoever has one has both
                assert event.energy >= 0, event  # type: ignore[union-attr]  # likewise
        if self.energy:
            assert {rider.id: rider.energy for rider in step.state.riders} == self.energy

    def goes_on(self, before: State, step: Step[State, Event]) -> None:
        """Nobody moves back, but for standing up behind somebody and being put down behind the peloton."""
        after = step.state
        may_fall_back = {event.rider for event in step.events if isinstance(event, StoodUp | Dropped)}
        for old, new in zip(before.riders, after.riders, strict=False):
            if old.id not in may_fall_back and new.where is not Where.OUT:
                assert edge(after, new) >= edge(before, old), f"{new.id} moves back"
            assert new.risks >= old.risks
            assert old.where not in (Where.FINISHED, Where.OUT) or new.where is old.where
        assert after.front >= min(before.front, after.options.course.arrival_tick + 60)
        assert after.arrivals >= before.arrivals
        orders = [event.order for event in step.events if isinstance(event, Finished)]
        assert orders == list(range(before.crossed + 1, after.crossed + 1)), "GI-F-02"

    def accepted_and_refused(self, state: State) -> None:
        """What `legal` lists is taken, what it does not know is refused, and no refusal leaves a trace."""
        decisions = GIRO.decisions(state)
        legal = {decision: GIRO.legal(state, decision) for decision in decisions}
        asked = self.rng.choice(decisions)
        listed = legal[asked]
        some = [listed[self.rng.randrange(len(listed))] for _ in range(min(self.tries, len(listed)))]
        for action in some:
            assert action in listed
            assert self.takes(state, action), action
        ids = [rider.id for rider in state.riders] or ["nobody"]
        for action in self.rng.sample([*self.pool, *some], min(self.tries, len(self.pool) + len(some))):
            for tried in (action, mutated(self.rng, action, ids)):
                known = any(tried in answers for answers in legal.values())
                assert known == self.takes(state, tried), (tried, decisions)

    def takes(self, state: State, action: Action) -> bool:
        before = as_text(GIRO.write_state(state))
        refusal: IllegalAction | None = None
        try:
            GIRO.apply(state, action)
        except IllegalAction as refused:
            refusal = refused
        assert as_text(GIRO.write_state(state)) == before, "neither an answer nor a refusal changes the state"
        assert refusal is None or (refusal.rule and str(refusal)), "a refusal names its rule, in words"
        return refusal is None


def _is_to_come(state: State, do: Do) -> bool:
    return any(todo.do is do for run in state.runs for todo in run.agenda)


FIELDS = {
    kind: sorted(of["fields"])
    for part in ("actions", "chance")
    for kind, of in GIRO.describe()[part].items()
    if of["fields"]
}
"""What an action of each kind tells."""


def mutated(rng: random.Random, action: Action, ids: Sequence[str]) -> Action:
    """An action with one field changed, as far as JSON can still tell it."""
    told = GIRO.write_action(action)
    for _ in range(8 if action.kind in FIELDS else 0):
        wrong: dict[str, Any] = dict(told)
        name = rng.choice(FIELDS[action.kind])
        wrong[name] = _another(rng, name, told.get(name), ids)
        try:
            return GIRO.read_action(wrong)
        except Unreadable:
            continue
    return action


def _another(rng: random.Random, name: str, value: Any, ids: Sequence[str]) -> Any:
    if name in ("rider", "descender", "sprinter"):
        return rng.choice((*ids, None))
    if name == "path":
        path = list(value)
        return rng.choice((path[:-1], [*path, path[-1]], [*path, rng.randint(0, 3)], [rng.randint(0, 2), *path[1:]]))
    if name == "riders":
        return list(reversed(value)) if rng.random() < 0.5 else rng.sample(("rouleur", "leader", "climber"), len(value))
    if name == "order":
        return rng.sample(value, len(value))
    if isinstance(value, bool) or name in ("card", "yes", "red"):
        return not value
    if name in ("value", "tile", "start"):
        return rng.choice((0, 1, 2, 3, 4, 5, 12, 13, -1, None))
    return rng.choice((value, None, "white", "blue", "S0", "S1"))
