"""What the log of a race tells whom: drawn tiles and blind cards of others are unseen there as in every view."""

from typing import Any

import pytest

from rules.game import Json
from rules.giro.game import GIRO

EYES = ("Anna", "Bruno", None)


def told(state: Any, action: Json) -> tuple[Any, dict[str | None, tuple[Json, list[Json]]]]:
    """The state after an action, and for each pair of eyes the action and the events of its entry."""
    read = GIRO.read_action(action)
    after, events = GIRO.apply(state, read)
    return after, {
        seat: (
            GIRO.write_action(GIRO.seen_action(state, read, seat)),
            [GIRO.write_event(GIRO.seen_event(after, event, seat)) for event in events],
        )
        for seat in EYES
    }


def at_the_bottle(**rider: Any) -> Any:
    riders = {
        "A": {"type": "rouleur", "at": "10.0", "energy": 9, "seat": "Anna"} | rider,
        "B": {"type": "leader", "at": "8.0", "energy": 9, "seat": "Bruno"},
    }
    return GIRO.read_state({"course": "strip L2 | P1-20 | feed 10", "peloton": 3, "riders": riders})


@pytest.mark.rule("GI-C4-03")
def test_the_log_shows_a_drawn_tile_to_its_owner_alone():
    state = GIRO.apply(at_the_bottle(), GIRO.read_action({"kind": "move", "path": [0]})).state

    _, seen = told(state, {"kind": "tile", "rider": "A", "value": 5})

    assert {seat: action["value"] for seat, (action, _) in seen.items()} == {"Anna": 5, "Bruno": 0, None: 0}
    assert {seat: events[0]["value"] for seat, (_, events) in seen.items()} == {"Anna": 5, "Bruno": 0, None: 0}


@pytest.mark.rule("GI-C4-03")
def test_the_log_shows_a_used_tile_to_all_and_a_kept_one_to_nobody_else():
    state = GIRO.apply(at_the_bottle(), GIRO.read_action({"kind": "move", "path": [0]})).state
    state = GIRO.apply(state, GIRO.read_action({"kind": "tile", "rider": "A", "value": 5})).state

    _, used = told(state, {"kind": "use", "rider": "A"})
    _, kept = told(state, {"kind": "keep", "rider": "A"})

    assert [events[0]["value"] for _, events in used.values()] == [5, 5, 5]
    assert [events[0] for _, events in kept.values()] == [{"kind": "kept_tile", "rider": "A"}] * 3


@pytest.mark.rule("GI-C4-03")
def test_the_log_shows_a_revealed_tile_and_what_eddie_draws_to_all():
    _, revealed = told(at_the_bottle(tiles=[4]), {"kind": "reveal", "rider": "A", "tile": 4})
    asked = GIRO.apply(at_the_bottle(card="eddie"), GIRO.read_action({"kind": "eddie", "rider": "A"})).state
    _, drawn = told(asked, {"kind": "tile", "rider": "A", "value": 3})

    assert [events[0]["value"] for _, events in revealed.values()] == [4, 4, 4]
    assert [action["value"] for action, _ in drawn.values()] == [3, 3, 3]
    assert [[event["value"] for event in events[:2]] for _, events in drawn.values()] == [[3, 3]] * 3


@pytest.mark.rule("S3", "R-07")
@pytest.mark.parametrize(("method", "others"), [("blind", None), ("matched", "alfredo")])
def test_the_log_shows_a_dealt_card_to_all_only_if_cards_are_open(method, others):
    entrants = [
        {"seat": "Anna", "riders": [{"id": "A", "type": "rouleur", "strength": None}]},
        {"seat": "Bruno", "riders": [{"id": "B", "type": "leader", "strength": None}]},
    ]
    state = GIRO.setup({"course": "pianura", "cards": method, "token": "Anna"}, entrants)

    _, seen = told(state, {"kind": "card", "rider": "A", "card": "alfredo"})

    for seat, owner in (("Anna", True), ("Bruno", False), (None, False)):
        action, events = seen[seat]
        assert action.get("card") == events[0].get("card") == ("alfredo" if owner else others)


@pytest.mark.rule("GI-M-10", "S3")
def test_the_log_shows_a_card_that_was_turned_up_to_all():
    state = GIRO.read_state(
        {
            "course": "strip L2 | P1-20", "peloton": 3, "cards": "blind",
            "riders": {"A": {"type": "rouleur", "at": "10.0", "seat": "Anna", "unseen_card": True},
                       "B": {"type": "leader", "at": "8.0", "seat": "Bruno"}},
        }
    )  # fmt: skip
    state = GIRO.apply(state, GIRO.read_action({"kind": "show", "rider": "A"})).state

    _, seen = told(state, {"kind": "card", "rider": "A", "card": "marco"})

    assert [(action["card"], events[0]["card"]) for action, events in seen.values()] == [("marco", "marco")] * 3
