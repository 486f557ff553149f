"""Races put on record: as JSON that replays to the same end for ever, and as text that a person can read.

    python -m tests.rules.giro.records record NAME --options '{"course": "colli"}' --entrants '[{"seat": "Anna"}]' --seed 7
    python -m tests.rules.giro.records transcribe NAME --options ... --entrants ... --seed 7
    python -m tests.rules.giro.records again
    python -m tests.rules.giro.records hash < races.json

The first two ride a new race and put it into `tests/recorded/giro/NAME.json` or `tests/transcripts/giro/NAME.txt`. The
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
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rules.game import Decision, Json, Taker
from rules.giro.actions import Action
from rules.giro.game import GIRO
from rules.giro.state import State

TESTS = Path(__file__).parents[2]
RECORDED = TESTS / "recorded" / "giro"
TRANSCRIPTS = TESTS / "transcripts" / "giro"
COMMAND = "python -m tests.rules.giro.records"


def as_text(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def hashed(value: Any) -> str:
    return hashlib.sha256(as_text(value).encode()).hexdigest()


# ---- replaying -------------------------------------------------------------------------------------------------------
def replayed(options: Json, entrants: Sequence[Json], actions: Sequence[Json]) -> Iterator[tuple[State, list[Json]]]:
    """The state before the first action, and after each; with the events of it as JSON."""
    state = GIRO.setup(options, entrants)
    yield state, []
    for action in actions:
        state, events = GIRO.apply(state, GIRO.read_action(action))
        yield state, [GIRO.write_event(event) for event in events]


def record_of(options: Json, entrants: Sequence[Json], actions: Sequence[Json]) -> Json:
    """A race that was ridden, with its end."""
    told: list[list[Json]] = []
    state = None
    for state, events in replayed(options, entrants, actions):  # noqa: B007 - the last state is the end
        told.append(events)
    assert state is not None
    return {
        "game": GIRO.name,
        "version": GIRO.version,
        "options": options,
        "entrants": list(entrants),
        "actions": list(actions),
        "outcome": GIRO.outcome(state),
        "events_hash": hashed(told),
        "state_hash": hashed(GIRO.write_state(state)),
    }


def transcript_of(options: Json, entrants: Sequence[Json], actions: Sequence[Json]) -> str:
    """A race as text: who answered what, and below it what happened."""
    lines = [
        f"game {GIRO.name} {GIRO.version}",
        f"options {json.dumps(options)}",
        *(f"entrant {json.dumps(entrant)}" for entrant in entrants),
    ]
    state = GIRO.setup(options, entrants)
    for told in actions:
        action = GIRO.read_action(told)
        who = _who(GIRO.decisions(state), action)
        state, events = GIRO.apply(state, action)
        lines.append("")
        lines.append(f"{who}: {json.dumps(told)}")
        lines += [f"    {GIRO.tell(state, event)}" for event in events]
    lines += ["", f"outcome {json.dumps(GIRO.outcome(state))}", ""]
    return "\n".join(lines)


def _who(decisions: Sequence[Decision], action: Action) -> str:
    rider = getattr(action, "rider", None)
    decision = next((one for one in decisions if one.about == rider), decisions[0])
    if decision.taker is not Taker.SEAT:
        return decision.taker.value
    assert decision.seat is not None
    return decision.seat


def told_in(transcript: str) -> tuple[Json, list[Json], list[Json]]:
    """Options, entrants and actions of a transcript."""
    options: Json = {}
    entrants: list[Json] = []
    actions: list[Json] = []
    for line in transcript.splitlines():
        if line.startswith("options "):
            options = json.loads(line.removeprefix("options "))
        elif line.startswith("entrant "):
            entrants.append(json.loads(line.removeprefix("entrant ")))
        elif line and not line.startswith((" ", "game ", "outcome ")):
            actions.append(json.loads(line.split(": ", 1)[1]))
    return options, entrants, actions


# ---- making and renewing ---------------------------------------------------------------------------------------------
def ridden(options: Json, entrants: Sequence[Json], riders: Sequence[str], seed: int, unseen: bool) -> list[Json]:
    """The actions of a new race; `riders` names for each seat a level of bots or a mood, in turn."""
    from races import bots
    from tests.rules.giro.play import Mood, answer

    rng = random.Random(f"record {seed}")
    state = GIRO.setup(options, entrants)
    rider_of: Mapping[Any, str] = {seat: riders[i % len(riders)] for i, seat in enumerate(GIRO.seats(state))}
    actions = []
    while decisions := GIRO.decisions(state):
        decision = rng.choice(decisions)
        rider = rider_of.get(decision.seat, "any")
        if decision.taker is Taker.SEAT and rider in bots.LEVELS:
            action = bots.answer(GIRO, rider, state, decision, rng)
        else:
            mood = Mood(rider) if rider in tuple(Mood) else Mood.ANY
            action = answer(rng, state, decision, mood, unseen=unseen)
        actions.append(GIRO.write_action(action))
        state = GIRO.apply(state, action).state
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
    for path in sorted(RECORDED.glob("*.json")):
        old = json.loads(path.read_text())
        new = record_of(old["options"], old["entrants"], old["actions"])
        if new["outcome"] != old["outcome"]:
            print(f"{path.name}: the outcome is another one. That is a new version of the rules.")
            refused += 1
        else:
            write_record(path, new)
    for path in sorted(TRANSCRIPTS.glob("*.txt")):
        path.write_text(transcript_of(*told_in(path.read_text())))
    return refused


def main() -> int:
    parser = argparse.ArgumentParser(prog=COMMAND)
    parser.add_argument("do", choices=("record", "transcribe", "again", "hash"))
    parser.add_argument("name", nargs="?")
    parser.add_argument("--options", type=json.loads, default={"course": "pianura"})
    parser.add_argument("--entrants", type=json.loads, default=[{"seat": "Anna"}, {"seat": "Bruno"}])
    parser.add_argument("--riders", default="club,bold,easy,fair")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--unseen", action="store_true", help="a table: tiles and blind cards may stay face down")
    said = parser.parse_args()
    if said.do == "again":
        return again()
    if said.do == "hash":
        for race in json.load(sys.stdin):
            record = record_of(race["options"], race["entrants"], race["actions"])
            print(record["events_hash"], record["state_hash"])
        return 0
    if not said.name:
        parser.error("the record needs a name")
    actions = ridden(said.options, said.entrants, said.riders.split(","), said.seed, said.unseen)
    if said.do == "record":
        path = RECORDED / f"{said.name}.json"
        write_record(path, record_of(said.options, said.entrants, actions))
    else:
        path = TRANSCRIPTS / f"{said.name}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(transcript_of(said.options, said.entrants, actions))
    print(f"{path}: {len(actions)} answers")
    return 0


if __name__ == "__main__":
    sys.exit(main())
