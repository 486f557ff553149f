"""Races that nobody thinks about: made up, ridden to their end, and watched on the way.

    race = ride(rng, *any_race(rng))

A rider's *mood* says how answers are chosen, so that a race also goes where even chances seldom lead: far ahead, out of
energy, out of time, into every risk. `watch` is told of every step as it is taken.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from rules.chance import drawn, total
from rules.game import Decision, Json, Step, Taker
from rules.giro.actions import Action, BreakAway, DealtCard, DrawnTile, Move
from rules.giro.course import BUILT_IN_IDS
from rules.giro.events import Event
from rules.giro.game import GIRO
from rules.giro.state import State
from tests.rules.giro.positions import BySeed, course

MOST_STEPS = 5_000
"""No race is longer: 12 riders, 21 turns, a handful of answers each."""


class Mood(StrEnum):
    """How somebody answers who does not think."""

    ANY = "any"  # every legal answer is as good as another
    FAIR = "fair"  # first which kind of answer, then which one: attacks do not drown the rest
    BOLD = "bold"  # the farthest and dearest, risks above all
    LAZY = "lazy"  # the shortest; stays in the peloton
    ABSENT = "absent"  # what is answered for somebody whose time is up


class Watch:
    """Somebody who looks on. `begins` gets the first state, `sees` each step with the state before it."""

    def begins(self, state: State) -> None: ...

    def sees(self, before: State, decision: Decision, action: Action, step: Step[State, Event]) -> None: ...

    def ends(self, state: State) -> None: ...


@dataclass
class Race:
    """A race that was ridden."""

    options: Json
    entrants: Sequence[Json]
    last: State
    actions: list[Action] = field(default_factory=list)

    def recorded(self) -> list[Json]:
        return [GIRO.write_action(action) for action in self.actions]


def ride(
    rng: random.Random,
    options: Mapping[str, Any],
    entrants: Sequence[Mapping[str, Any]],
    *,
    moods: Sequence[Mood] = tuple(Mood),
    unseen: bool = False,
    watch: Watch | None = None,
) -> Race:
    """A race from the first answer to the last. `unseen`: a table, where tiles and blind cards may stay face down."""
    state = GIRO.setup(options, entrants)
    race = Race(dict(options), [dict(entrant) for entrant in entrants], state)
    if watch:
        watch.begins(state)
    mood_of = {seat: rng.choice(moods) for seat in (*GIRO.seats(state), None)}
    while open_now := GIRO.decisions(state):
        decision = rng.choice(open_now)
        action = answer(rng, state, decision, mood_of[decision.seat], unseen=unseen)
        step = GIRO.apply(state, action)
        if watch:
            watch.sees(state, decision, action, step)
        state = step.state
        race.actions.append(action)
        assert len(race.actions) < MOST_STEPS, "a race ends"
    race.last = state
    if watch:
        watch.ends(state)
    return race


def answer(rng: random.Random, state: State, decision: Decision, mood: Mood, *, unseen: bool = False) -> Action:
    """An answer in that mood; of chance, by its weights."""
    if decision.taker is Taker.CHANCE:
        if unseen and rng.random() < 0.5 and decision.kind == "tile" and decision.why == "feed":
            return DrawnTile(rider=decision.about, value=0)
        if unseen and rng.random() < 0.5 and decision.kind == "card" and decision.why is None and is_blind(state):
            return DealtCard(rider=decision.about, card=None)
        outcomes = GIRO.weighted(state, decision)
        return drawn(outcomes, rng.randrange(total(outcomes)))
    if mood is Mood.ABSENT and rng.random() < 0.9:
        return GIRO.default(state, decision)
    legal = GIRO.legal(state, decision)
    if decision.kind == "clock":
        return legal[rng.randrange(len(legal))]
    if mood is Mood.ANY:
        return rng.choice(legal)
    kind = kind_in(mood, rng, sorted({action.kind for action in legal}))
    of_kind = [action for action in legal if action.kind == kind]
    rides = [action for action in of_kind if isinstance(action, Move | BreakAway)]
    if rides and mood in (Mood.BOLD, Mood.LAZY) and rng.random() < 0.8:
        by_length = sorted(rides, key=lambda action: _boldness(state, action))
        few = max(1, len(rides) // 6)
        return rng.choice(by_length[-few:] if mood is Mood.BOLD else by_length[:few])
    return rng.choice(of_kind)


def kind_in(mood: Mood, rng: random.Random, kinds: Sequence[str]) -> str:
    """Which kind of answer: a bold one attacks when he can, a lazy one seldom."""
    if "break" in kinds and rng.random() < {Mood.BOLD: 0.7, Mood.LAZY: 0.0}.get(mood, 0.2):
        return "break"
    if mood is Mood.LAZY and "end" in kinds:
        return rng.choice(("end", "end", "end", *kinds))
    return rng.choice(kinds)


def _boldness(state: State, action: Move | BreakAway) -> tuple[bool, int, int]:
    effect = action.effect
    assert effect is not None, "what is listed tells its effect"
    return effect.risk is not None, effect.steps, effect.cost


def is_blind(state: State) -> bool:
    return state.options.cards.value == "blind"


# ---- what is ridden --------------------------------------------------------------------------------------------------
def any_race(rng: random.Random) -> tuple[Json, list[Json]]:
    """Options and entrants of some stage: any course, any way of dealing cards, 1 to 10 seats, drafted or named."""
    options: Json = {"course": any_course(rng), "giro": rng.random() < 0.7}
    entrants = drafting(rng) if rng.random() < 0.6 else named(rng)
    seats = [entrant["seat"] for entrant in entrants]
    some: dict[str, Callable[[], Any]] = {
        "cards": lambda: rng.choice(("matched", "blind", "blind", "none")),
        "token": lambda: rng.choice(seats),
        "first_seat": lambda: rng.choice(seats),
        "tt_clock": lambda: rng.choice(("derived", "measured")),
        "max_paid": lambda: rng.randint(0, 6),
        "time_limit": lambda: rng.randint(0, 4),
        "feed_tiles": lambda: {"2": rng.randint(2, 4), "3": rng.randint(2, 4), "4": 2, "5": rng.randint(1, 2)},
        "peloton_die": lambda: [
            {"value": value, "red": red, "weight": rng.randint(1, 3)}
            for value, red in ((3, False), (4, False), (4, True), (5, False))
            if rng.random() < 0.8 or (value, red) == (4, True)
        ],
    }
    for name, likely in (
        ("cards", 0.8), ("token", 0.4), ("first_seat", 0.4), ("tt_clock", 0.6), ("max_paid", 0.15), ("time_limit", 0.2),
        ("feed_tiles", 0.3), ("peloton_die", 0.25),
    ):  # fmt: skip
        if rng.random() < likely:
            options[name] = some[name]()
    return options, entrants


def any_course(rng: random.Random) -> str | Json:
    """One that is built in, or a short one with lines close together."""
    if rng.random() < 0.4:
        return rng.choice(BUILT_IN_IDS)
    plan = course(BySeed(rng), rng.choice(("road", "road", "road", "itt", "ttt")))
    ends, column = [], 0
    for hexagon in plan["hexes"]:
        column += int(hexagon.split(": ")[1][1:].split("<")[0])
        ends.append(column)
    lines = ends[:-1]
    return plan | {
        "feed": sorted(rng.sample(lines, min(len(lines), rng.randint(0, 3)))),
        "bonus": sorted(rng.sample(lines, min(len(lines), rng.randint(0, 2)))),
    }


def drafting(rng: random.Random) -> list[Json]:
    """Seats that draft. Five have at most 2 riders each, more only one."""
    seats = rng.randint(1, 10)
    quota = rng.randint(1, 3 if seats <= 4 else 2 if seats == 5 else 1)
    return [{"seat": f"S{i}", "draft": quota} for i in range(seats)]


def named(rng: random.Random) -> list[Json]:
    """Riders who come with names, strengths told or not, and energy of an earlier stage."""
    left = 12
    entrants = []
    for i in range(rng.randint(1, 10)):
        if not left:
            break
        riders = []
        for k in range(rng.randint(1, min(3, left))):
            rider: Json = {
                "id": f"{'ABCDEFGHIJ'[i]}{k}",
                "type": rng.choice(("rouleur", "leader", "climber")),
                "jersey": rng.choice(("white", "blue", "pink", "green")),
                "carry": rng.randint(0, 15),
            }
            riders.append(rider)
        if rng.random() < 0.5:
            riders[0]["strength"] = rng.choice(("descender", "sprinter", None))
        left -= len(riders)
        entrants.append({"seat": f"S{i}", "riders": riders})
    return entrants
