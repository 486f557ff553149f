"""Drafting, and marking who descends and who sprints: by the time that a rider alone needs on this course."""

import random
from collections.abc import Sequence

from races.bots.giro.features import plan_of
from rules.giro.actions import Action, MarkStrengths, Pick
from rules.giro.course import start_energy
from rules.giro.state import Entry, Rider, State, Strength


def pick(state: State, legal: Sequence[Action], rng: random.Random) -> Action:
    """The riders who are quickest here; of equal ones any."""
    picks = [action for action in legal if isinstance(action, Pick)]
    times = [
        sum(_time(state, Rider(entry=Entry("", 0, "", speciality)), None) for speciality in action.riders)
        for action in picks
    ]
    quickest = [action for action, time in zip(picks, times, strict=True) if time == min(times)]
    return quickest[rng.randrange(len(quickest))]


def mark(state: State, legal: Sequence[Action]) -> Action:
    """Whoever gains most by it."""
    own = {rider.id: rider for rider in state.riders}

    def time(action: Action) -> float:
        assert isinstance(action, MarkStrengths)
        marked = ((action.descender, Strength.DESCENDER), (action.sprinter, Strength.SPRINTER))
        return sum(
            _time(state, own[name], strength) - _time(state, own[name], None) for name, strength in marked if name
        )

    return min(legal, key=time)


def _time(state: State, rider: Rider, strength: Strength | None) -> float:
    table = plan_of(state, rider, strength=strength)
    energy = start_energy(state.options.course) + rider.entry.carry
    if state.time_trial:
        return table.on_his_own(0, energy)
    return table.in_the_peloton(0, energy)
