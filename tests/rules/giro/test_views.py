"""A view does not depend on what its seat cannot know: `eyes` swaps the hidden truth, and nobody notices."""

import random

import pytest

from rules.game import Seat
from rules.giro.cards import Card
from rules.giro.game import GIRO
from tests.rules.giro.eyes import Eyes, swapped
from tests.rules.giro.play import Mood, any_race, ride

HIDDEN = ("GI-C4-03", "GI-M-10")


@pytest.mark.rule(*HIDDEN)
@pytest.mark.parametrize("seed", range(8))
def test_nobody_sees_what_is_hidden_from_him_and_everybody_sees_his_own(seed: int) -> None:
    rng = random.Random(f"views {seed}")
    compared = refused = 0
    for _ in range(4):
        options, entrants = any_race(rng)
        options |= {
            "course": rng.choice(("pianura", "colli", options["course"])),
            "cards": rng.choice(("blind", "matched")),
        }
        eyes = Eyes(rng, often=0.15)
        ride(rng, options, entrants, moods=(Mood.ABSENT, Mood.FAIR, Mood.ANY), watch=eyes)
        compared += eyes.compared
        refused += eyes.refused
    assert compared > 20, "secrets were kept for a while"
    assert refused > 20, "much was refused"


@pytest.mark.rule(*HIDDEN)
def test_a_swap_does_change_the_truth() -> None:
    position = {
        "course": "pianura",
        "options": {"course": "pianura", "cards": "blind"},
        "peloton": 20,
        "riders": {
            "A": {"at": "30.0", "seat": "Anna", "card": "alfredo", "tiles": [2, 3]},
            "B": {"at": "31.0", "seat": "Bruno", "card": "eddie", "tiles": [5]},
        },
    }
    state = GIRO.read_state(position)
    rng = random.Random(1)

    others = [swapped(rng, state, Seat("Anna")) for _ in range(40)]

    assert all(other.riders[0] == state.riders[0] for other in others)
    assert {other.riders[1].tiles for other in others} == {(2,), (3,), (4,), (5,)}
    assert len({other.riders[1].card for other in others}) > 8
    assert all(GIRO.view(other, Seat("Anna")) == GIRO.view(state, Seat("Anna")) for other in others)
    assert all(GIRO.view(other, Seat("Bruno")) != GIRO.view(state, Seat("Bruno")) for other in others if other != state)


@pytest.mark.rule("GI-B4-05", "GI-C3-09")
@pytest.mark.parametrize(
    ("fallen", "asked"),
    [([{"kind": "peloton_die", "value": 5}], "pay"), ([{"kind": "peloton_die", "value": 4, "red": True}, 1], "joker")],
)
def test_with_blind_cards_the_mere_question_does_not_tell_who_holds_eddie_or_alfredo(
    fallen: list[object], asked: str
) -> None:
    seen = []
    for card in Card:
        state = GIRO.read_state(
            {
                "course": "strip L2 | P1-30",
                "options": {"course": "strip L2 | P1-30", "cards": "blind"},
                "peloton": 6,
                "phase": "T4",
                "riders": {
                    "A": {"at": "inside", "seat": "Anna", "energy": 0, "card": card.value},
                    "B": {"at": "12.0", "seat": "Bruno", "energy": 5, "fell": 1},
                },
            }
        )
        for fell in fallen:
            action = fell if isinstance(fell, dict) else {"kind": "event_die", "rider": "A", "value": fell}
            state = GIRO.apply(state, GIRO.read_action(action)).state
        seen.append((GIRO.decisions(state), GIRO.write_view(GIRO.view(state, Seat("Bruno")))))

    assert [decision.kind for decision in seen[0][0]] == [asked]
    assert all(what == seen[0] for what in seen)
