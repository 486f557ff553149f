"""Races put on record: as JSON that replays to the same end for ever, and as text that a person can read.

    python -m tests.rules.records record giro NAME --options '{"course": "colli"}' --entrants '[{"seat": "Anna"}]' --seed 7
    python -m tests.rules.records transcribe breaking_away NAME --options ... --entrants ... --seed 7
    python -m tests.rules.records again
    python -m tests.rules.records hash < races.json

The first two ride a new race and put it into `tests/recorded/<game>/NAME.json` or `tests/transcripts/<game>/NAME.txt`. The
riders are bots and people in a mood (`--riders club,easy,bold`). `again` replays every record by its own actions and
writes down anew how it is told and hashed, for a change of wording or of the JSON of states; a record whose outcome
would change it leaves alone, since that is another version of the rules. `hash` reads races as a JSON list and prints a
line for each that two processes agree on, if they do what the rules say.
"""

import argparse
import hashlib
import json
import random
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from rules import registry
from rules.chance import drawn, total
from rules.game import AnyGame, Decision, Json, Taker, due

TESTS = Path(__file__).parents[1]
RECORDED = TESTS / "recorded"
TRANSCRIPTS = TESTS / "transcripts"
COMMAND = "python -m tests.rules.records"


def as_text(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def hashed(value: Any) -> str:
    return hashlib.sha256(as_text(value).encode()).hexdigest()


# ---- replaying -------------------------------------------------------------------------------------------------------
class Race(NamedTuple):
    """A race by its log: all that it takes to ride it again."""

    game: AnyGame
    options: Json
    entrants: Sequence[Json]
    actions: Sequence[Json]

    @classmethod
    def of(cls, told: Json) -> "Race":
        """A race out of a record; without a version by the newest rules."""
        game = registry.game(told["game"], told.get("version"))
        return cls(game, told["options"], told["entrants"], told["actions"])


def replayed(race: Race) -> Iterator[tuple[Any, list[Json]]]:
    """The state before the first action, and after each; with the events of it as JSON."""
    game = race.game
    state = game.setup(race.options, race.entrants)
    yield state, []
    for action in race.actions:
        state, events = game.apply(state, game.read_action(action))
        yield state, [game.write_event(event) for event in events]


def record_of(race: Race) -> Json:
    """A race that was ridden, with its end."""
    told: list[list[Json]] = []
    state = None
    for state, events in replayed(race):  # noqa: B007 - the last state is the end
        told.append(events)
    assert state is not None
    return {
        "game": race.game.name,
        "version": race.game.version,
        "options": race.options,
        "entrants": list(race.entrants),
        "actions": list(race.actions),
        "outcome": race.game.outcome(state),
        "events_hash": hashed(told),
        "state_hash": hashed(race.game.write_state(state)),
    }


def transcript_of(race: Race) -> str:
    """A race as text: who answered what, and below it what happened."""
    game = race.game
    lines = [
        f"game {game.name} {game.version}",
        f"options {json.dumps(race.options)}",
        *(f"entrant {json.dumps(entrant)}" for entrant in race.entrants),
    ]
    state = game.setup(race.options, race.entrants)
    for told in race.actions:
        action = game.read_action(told)
        who = _who(game.decisions(state), action)
        state, events = game.apply(state, action)
        lines.append("")
        lines.append(f"{who}: {json.dumps(told)}")
        lines += [f"    {game.tell(state, event)}" for event in events]
    lines += ["", f"outcome {json.dumps(game.outcome(state))}", ""]
    return "\n".join(lines)


def _who(decisions: Sequence[Decision], action: Any) -> str:
    """Whose answer an action is: by the seat that it names, else by whom it is about."""
    about = next((name for key in ("rider", "cyclist", "team") if (name := getattr(action, key, None))), None)
    seat = getattr(action, "seat", None)
    asked = [decision for decision in decisions if decision.seat is not None]
    if seat is not None and any(decision.seat == seat for decision in asked):
        return str(seat)
    decision = next((one for one in decisions if one.about == about), decisions[0])
    if decision.taker is not Taker.SEAT:
        return decision.taker.value
    assert decision.seat is not None
    return decision.seat


def told_in(transcript: str) -> Race:
    """The race of a transcript."""
    told: Json = {"entrants": [], "actions": []}
    for line in transcript.splitlines():
        if line.startswith("game "):
            _, told["game"], version = line.split(" ")
            told["version"] = int(version)
        elif line.startswith("options "):
            told["options"] = json.loads(line.removeprefix("options "))
        elif line.startswith("entrant "):
            told["entrants"].append(json.loads(line.removeprefix("entrant ")))
        elif line and not line.startswith((" ", "outcome ")):
            told["actions"].append(json.loads(line.split(": ", 1)[1]))
    return Race.of(told)


# ---- making and renewing ---------------------------------------------------------------------------------------------
class Asked(NamedTuple):
    """A question to somebody who does not think: in which mood he answers, and whether the table may leave tiles face down."""

    state: Any
    decision: Decision
    mood: str
    unseen: bool


Answer = Callable[[random.Random, Asked], Any]


def _giro(rng: random.Random, asked: Asked) -> Any:
    from tests.rules.giro.play import Mood, answer

    mood = Mood(asked.mood) if asked.mood in tuple(Mood) else Mood.ANY
    return answer(rng, asked.state, asked.decision, mood, unseen=asked.unseen)


def _any(game: AnyGame) -> Answer:
    """Whoever takes any legal answer, or, absent, what is answered for somebody whose time is up."""

    def answer(rng: random.Random, asked: Asked) -> Any:
        state, decision = asked.state, asked.decision
        if decision.taker is Taker.CHANCE:
            outcomes = game.weighted(state, decision)
            return drawn(outcomes, rng.randrange(total(outcomes)))
        if asked.mood == "absent":
            return game.default(state, decision)
        legal = game.legal(state, decision)
        return legal[rng.randrange(len(legal))]

    return answer


MOODS: Mapping[str, Answer] = {"giro": _giro}
"""How people answer in games that know moods of their own."""

BESIDE = 0.02
"""How often somebody says something beside the turn, where a game has such decisions."""


def ridden(
    game: AnyGame, options: Json, entrants: Sequence[Json], riders: Sequence[str], seed: int, unseen: bool
) -> list[Json]:
    """The actions of a new race; `riders` names for each seat a level of bots or a mood, in turn."""
    from races import bots

    rng = random.Random(f"record {seed}")
    in_a_mood = MOODS.get(game.name, _any(game))
    state = game.setup(options, entrants)
    rider_of: Mapping[Any, str] = {seat: riders[i % len(riders)] for i, seat in enumerate(game.seats(state))}
    actions = []
    while decisions := game.decisions(state):
        must = due(decisions)
        beside = len(must) < len(decisions) and rng.random() < BESIDE
        decision = rng.choice(decisions if beside else must)
        rider = rider_of.get(decision.seat, "any")
        if decision.taker is Taker.SEAT and rider in bots.bots(game.name) and not decision.optional:
            action = bots.answer(game, rider, state, decision, rng)
        else:
            action = in_a_mood(rng, Asked(state, decision, rider, unseen))
        actions.append(game.write_action(action))
        state = game.apply(state, action).state
    return actions


def write_record(path: Path, record: Json) -> None:
    """As JSON that a diff can show: one action a line."""
    parts = []
    for name, value in record.items():
        if name in ("actions", "entrants"):
            inside = ",\n".join(f"  {json.dumps(entry)}" for entry in value)
            parts.append(f'"{name}": [\n{inside}\n]')
        else:
            parts.append(f'"{name}": {json.dumps(value)}')
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("{" + ",\n".join(parts) + "}\n")


def again() -> int:
    """Write every record anew, but none whose outcome is another now. How many those are."""
    refused = 0
    for path in sorted(RECORDED.glob("*/*.json")):
        old = json.loads(path.read_text())
        new = record_of(Race.of(old))
        if new["outcome"] != old["outcome"]:
            print(f"{path.name}: the outcome is another one. That is a new version of the rules.")
            refused += 1
        else:
            write_record(path, new)
    for path in sorted(TRANSCRIPTS.glob("*/*.txt")):
        path.write_text(transcript_of(told_in(path.read_text())))
    return refused


def main() -> int:
    parser = argparse.ArgumentParser(prog=COMMAND)
    parser.add_argument("do", choices=("record", "transcribe", "again", "hash"))
    parser.add_argument("game", nargs="?", choices=registry.names())
    parser.add_argument("name", nargs="?")
    parser.add_argument("--options", type=json.loads, default={})
    parser.add_argument("--entrants", type=json.loads, default=[{"seat": "Anna"}, {"seat": "Bruno"}, {"seat": "Carla"}])
    parser.add_argument("--riders", default="club,any,easy,absent")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--unseen", action="store_true", help="a table: tiles and blind cards may stay face down")
    said = parser.parse_args()
    if said.do == "again":
        return again()
    if said.do == "hash":
        for told in json.load(sys.stdin):
            record = record_of(Race.of(told))
            print(record["events_hash"], record["state_hash"])
        return 0
    if not said.game or not said.name:
        parser.error("a record needs a game and a name")
    game = registry.game(said.game)
    actions = ridden(game, said.options, said.entrants, said.riders.split(","), said.seed, said.unseen)
    race = Race(game, said.options, said.entrants, actions)
    if said.do == "record":
        path = RECORDED / said.game / f"{said.name}.json"
        write_record(path, record_of(race))
    else:
        path = TRANSCRIPTS / said.game / f"{said.name}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(transcript_of(race))
    print(f"{path}: {len(actions)} answers")
    return 0


if __name__ == "__main__":
    sys.exit(main())
