"""Races that nobody thinks about, for as long as one likes: every invariant, every secret, brute force, the paper sheet.

    python -m tests.rules.giro.fuzz --races 100000 --seed 1

Race k of a seed is the same race in every run: what goes wrong is told with the command that rides that race alone.
Two hundred positions on short roads are put to brute force for every hundred races.
"""

import random
import sys
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
from tests.rules.long_run import long_run
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
    return long_run(COMMAND, __doc__ or "", one_race)


if __name__ == "__main__":
    sys.exit(main())
