"""What is looked for among Giro's numbers alone; tests/rules/test_rule_ids.py has the rest."""

import re

from rules.giro.cards import Card
from tests.rules.giro.book import BOOK


def test_a_range_and_a_cut_number_are_found():
    for wrong in (
        "GI-C2-01..05",
        "GI-C2-11, -12",
        "GI-C2-01 to GI-C2-05",
        "GI-C2-01–05",
        "R-01 to R-04",
    ):
        assert re.search(BOOK.cut, wrong), wrong
    for right in ("Rules: GI-C2-01, GI-C2-02.", "GI-C2-01; R-03.", "GI-C2-11 and GI-C2-12", "GI-B4-01 with 2 squares"):
        assert not re.search(BOOK.cut, right), right


def test_refusals_are_read_out_of_the_engine():
    assert {"GI-B1-05", "GI-D3-09"} <= BOOK.refusals()


def test_every_special_card_is_played_in_a_scenario():
    played = {
        event["card"]
        for one in BOOK.scenarios()
        for step in one["script"]
        for event in step.get("expect", {}).get("events", [])
        if event.get("kind") in ("moved", "broke_away", "card_played") and isinstance(event.get("card"), str)
    }

    assert sorted(card for card in Card if card.value not in played) == []
