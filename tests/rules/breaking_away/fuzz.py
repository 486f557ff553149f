"""Races that nobody thinks about, for as long as one likes: any options, any answers, and a second referee beside them.

    python -m tests.rules.breaking_away.fuzz --races 100000 --seed 1

Race k of a seed is the same race in every run: what goes wrong is told with the command that rides that race alone.
"""

import json
import random
import sys
from collections import Counter
from typing import Any

from rules.breaking_away import data
from rules.breaking_away.actions import Action
from rules.breaking_away.game import BREAKING_AWAY as GAME
from rules.game import due
from tests.rules.breaking_away.races import KINDS, TEAMS, Made, Moment, accepted_if_listed, setup
from tests.rules.breaking_away.test_naive import compared
from tests.rules.long_run import long_run

COMMAND = "python -m tests.rules.breaking_away.fuzz"
COURSES = ("standard-100", "kermesse-60", "postal-120", "criterium-125")
FEW = 6
"""Answers of earlier moments that are tried again where they may be refused."""


def any_kind(rng: random.Random) -> Made:
    """Any mixture of options, standard or Madison, with as many teams as they allow."""
    options: dict[str, Any] = {}
    if rng.random() < 0.35:
        options |= {"variant": "madison", "madison_ratings": rng.choice(("free", "alternate", "all_12"))}
        options |= {"madison_distance": rng.choice(("laps", "squares"))}
        small = options["madison_small"] = rng.random() < 0.7
        count = rng.randint(data.MADISON_SMALL if small else data.MADISON_MIN_TEAMS, len(TEAMS))
        count = -count // 2 if rng.random() < 0.2 else count  # two teams each
    else:
        options |= {"course": rng.choice(COURSES), "end_mode": rng.choice(("immediate", "complete_turn"))}
        options |= {"after_finish": rng.choice(("ride_on", "leave")), "overcrowding": rng.random() < 0.3}
        options |= {"staggered": rng.random() < 0.3, "break_over_rival": rng.random() < 0.3}
        count = rng.randint(3, 9)
    options |= {"turn_mode": rng.choice(("sequential", "sequential", "orders"))}
    options |= {"hands": rng.choice(("engine", "engine", "closed", "either")), "allocation_exact": rng.random() < 0.3}
    if options["hands"] == "engine":
        options |= {"open_hands": rng.random() < 0.2, "auto_single": "variant" not in options and rng.random() < 0.3}
    return options, count


def journey(value: Any) -> Any:
    return json.loads(json.dumps(value, sort_keys=True))


class Everything:
    """What must hold at every moment, asked at a share of them; and the log, which leads to the same end."""

    def __init__(self, rng: random.Random, often: float) -> None:
        self.rng = rng
        self.often = often
        self.events: Counter[str] = Counter()
        self.log: list[Any] = []
        self.said: list[Action] = []
        self.last: Any = None

    def __call__(self, moment: Moment) -> None:
        self.events.update(event.kind for event in moment.step.events)
        self.log.append(GAME.write_action(moment.action))
        self.said.append(moment.action)
        self.last = moment.step.state
        assert moment.action in GAME.legal(moment.before, moment.decision)
        if self.rng.random() < self.often:
            self.told_again(moment)
            self.seen(moment)
            self.answered(moment)

    def told_again(self, moment: Moment) -> None:
        """JSON and back."""
        state = moment.step.state
        assert GAME.read_state(journey(GAME.write_state(state))) == state
        assert GAME.read_action(journey(GAME.write_action(moment.action))) == moment.action
        for event in moment.step.events:
            assert GAME.read_event(journey(GAME.write_event(event))) == event
            assert GAME.tell(state, event)

    def seen(self, moment: Moment) -> None:
        """In one's own view one is asked the same, and may answer the same."""
        state = moment.before
        for decision in due(GAME.decisions(state)):
            if decision.seat is not None:
                seen = GAME.view(state, decision.seat).state
                assert decision in GAME.decisions(seen)
                assert GAME.default(seen, decision) == GAME.default(state, decision)
                if decision == moment.decision:
                    assert moment.action in GAME.legal(seen, decision)

    def answered(self, moment: Moment) -> None:
        """What is listed is taken, and what is taken is listed."""
        state = moment.before
        open_now = GAME.decisions(state)
        for decision in open_now:
            legal = GAME.legal(state, decision)
            assert GAME.default(state, decision) in legal
            GAME.apply(state, legal[self.rng.randrange(len(legal))])
        for action in self.rng.sample(self.said, min(FEW, len(self.said))):
            accepted_if_listed(state, action)


def one_race(seed: int, number: int, often: float = 0.1) -> Counter[str]:
    """Ride race `number` of a seed; the events in it by kind. AssertionError, or worse, if something does not hold."""
    rng = random.Random(f"{seed} {number}")
    kind = any_kind(rng) if rng.random() < 0.8 else KINDS[rng.choice(sorted(KINDS))]
    watch = Everything(rng, often)
    compared(kind, f"race {seed} {number}", rng.choice((0, 0.03, 0.1, 0.3)), watch)
    if rng.random() < often:
        state = setup(kind)
        for told in journey(watch.log):
            state = GAME.apply(state, GAME.read_action(told)).state
        assert state == watch.last, "the log alone leads to the same end"
    return watch.events


def main() -> int:
    return long_run(COMMAND, __doc__ or "", one_race)


if __name__ == "__main__":
    sys.exit(main())
