"""Races that nobody thinks about, for as long as one likes: every invariant, every secret, brute force, the paper sheet.

    python -m tests.rules.giro.fuzz --races 100000 --seed 1

Race k of a seed is the same race in every run: what goes wrong is told with the command that rides that race alone.
Two hundred positions on short roads are put to brute force for every hundred races.
"""

import argparse
import random
import sys
import time
import traceback
from collections import Counter

from rules.game import Decision, Step
from rules.giro.actions import Action
from rules.giro.events import Event
from rules.giro.game import GIRO
from rules.giro.state import State
from tests.rules.giro.agreement import same_answers, same_verdicts
from tests.rules.giro.eyes import Eyes
from tests.rules.giro.invariants import Invariants
from tests.rules.giro.play import Watch, any_race, ride
from tests.rules.giro.positions import BySeed, position
from tests.rules.giro.sheet_of import refused
from tests.rules.records import Race, record_of

COMMAND = "python -m tests.rules.giro.fuzz"
SHORT = 16
"""Columns of a road on which brute force has an answer in a moment."""


class Everything(Watch):
    """All watches together, and now and then brute force beside the legal list."""

    def __init__(self, rng: random.Random, often: float) -> None:
        self.rng = rng
        self.often = often
        self.invariants = Invariants(rng, often=often)
        self.eyes = Eyes(rng, often=often)

    def begins(self, state: State) -> None:
        self.invariants.begins(state)
        self.eyes.begins(state)

    def sees(self, before: State, decision: Decision, action: Action, step: Step[State, Event]) -> None:
        self.invariants.sees(before, decision, action, step)
        self.eyes.sees(before, decision, action, step)
        short = before.options.course.columns <= SHORT
        if short and decision.kind in ("move", "attack") and self.rng.random() < self.often:
            same_answers(before, decision)
            same_verdicts(before, decision, self.rng, most=4)

    def ends(self, state: State) -> None:
        self.invariants.ends(state)
        assert refused(state) == [], "a sheet on paper would be taken"


def one_race(seed: int, number: int, often: float = 0.1) -> Counter[str]:
    """Ride race `number` of a seed; the events in it by kind. AssertionError, or worse, if something does not hold."""
    rng = random.Random(f"{seed} {number}")
    options, entrants = any_race(rng)
    watch = Everything(rng, often)
    race = ride(rng, options, entrants, unseen=rng.random() < 0.2, watch=watch)
    if rng.random() < often:
        record = record_of(Race(GIRO, race.options, race.entrants, race.recorded()))
        assert record["outcome"] == GIRO.outcome(race.last), "the log alone leads to the same end"
    for _ in range(2):
        state = GIRO.read_state(position(BySeed(rng)))
        (decision,) = GIRO.decisions(state)
        same_answers(state, decision)
        same_verdicts(state, decision, rng, most=4)
    return watch.invariants.events


def main() -> int:
    from django.conf import settings

    settings.configure(USE_I18N=False)  # the checks of a sheet speak through it
    parser = argparse.ArgumentParser(prog=COMMAND, description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--races", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="number of the first race")
    parser.add_argument("--often", type=float, default=0.1, help="share of the steps at which dear checks are made")
    said = parser.parse_args()
    events: Counter[str] = Counter()
    failed = 0
    began = time.monotonic()
    for number in range(said.first, said.first + said.races):
        try:
            events += one_race(said.seed, number, said.often)
        except Exception:  # noqa: BLE001 - whatever goes wrong is told, and the next race is ridden
            failed += 1
            traceback.print_exc()
            print(f"again: {COMMAND} --races 1 --seed {said.seed} --first {number} --often {said.often}", flush=True)
        done = number - said.first + 1
        if done % 1000 == 0:
            print(f"{done} races, {failed} failed, {time.monotonic() - began:.0f} s", flush=True)
    print(f"{said.races} races, {failed} failed, {time.monotonic() - began:.0f} s")
    print(", ".join(f"{kind} {count}" for kind, count in events.most_common()))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
