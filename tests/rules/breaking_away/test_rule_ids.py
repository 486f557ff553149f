"""What is looked for among the numbers of Breaking Away alone; tests/rules/test_rule_ids.py has the rest."""

import re
from typing import Any

import pytest

from rules.breaking_away.actions import ACTIONS
from rules.breaking_away.events import EVENTS
from rules.breaking_away.options import OPTIONS
from tests.rules.breaking_away.book import BOOK

REFUSALS = {
    "number of values, sum above the limit": "BA-SET-04",
    "a value outside 1 to 15 or not whole": "BA-SET-05",
    "points left where all are to be spent": "AMB-01",
    "an unknown player, another's team": "BA-SET-01",
    "a second submission of hands, hands out of their phase": "BA-SET-03",
    "ratings twice, level, not 1 to 4, or out of their phase": "BA-MAD-02",
    "an own cyclist who is not to move": "BA-TURN-02",
    "a team that is not to be placed, placing out of its phase": "BA-MAD-06",
    "the first seat out of its phase": "BA-TURN-01",
    "moves and orders out of their phase": "BA-TURN-05",
    "a change out of turn or phase": "BA-MAD-09",
    "a factor that is not in the hand": "BA-MOVE-01",
    "the same, spent before": "BA-MOVE-03",
    "a factor that public data exclude": "BA-REF-02",
    "a move among orders and the reverse, orders incomplete, twice, for another's cyclist": "BA-OPT-05",
    "a request or a vote that cannot be": "BA-RET-02",
    "a vote on one's own request": "BA-RET-01",
    "an overdue team's blocked factor": "BA-MAD-18",
    "a change by who may not": "BA-MAD-10",
    "a square that is taken or none": "BA-MAD-05",
    "retirement of one of a Madison's team": "BA-MAD-25",
    "another's hand shown": "BA-INFO-03",
    "a check with hands on paper": "BA-INFO-05",
    "anything after the end": "BA-END-01",
}
"""What is refused, and by which rule (spec 4): each happens in a scenario."""


def test_a_range_and_a_cut_number_are_found():
    for wrong in (
        "BA-SET-04/05",
        "BA-MAD-21..23",
        "BA-TURN-02, -03",
        "BA-RET-01 to BA-RET-03",
        "AMB-01..04",
        "AMB-M1 to AMB-M3",
    ):
        assert re.search(BOOK.cut, wrong), wrong
    for right in ("Rules: BA-SET-04, BA-SET-05.", "BA-MAD-22; AMB-M4.", "BA-RET-01 and BA-RET-02", "AMB-01, AMB-02"):
        assert not re.search(BOOK.cut, right), right


def test_a_refusal_with_two_numbers_is_read_whole():
    assert {"BA-SET-01", "BA-INFO-03", "BA-RET-02", "BA-END-01"} <= BOOK.refusals()


@pytest.mark.parametrize("what", REFUSALS)
def test_each_refusal_of_the_table_happens_in_a_scenario(what: str):
    assert REFUSALS[what] in BOOK.refused()


def steps() -> list[dict[str, Any]]:
    return [step for one in BOOK.scenarios() for step in one["script"]]


def test_every_action_is_taken_in_a_scenario():
    taken = {step[verb]["kind"] for step in steps() for verb in ("do", "chance") if verb in step}

    assert sorted(action.kind for action in ACTIONS if action.kind not in taken) == []


def test_every_event_is_expected_in_a_scenario():
    told = {event.get("kind") for step in steps() for event in step.get("expect", {}).get("events", [])}

    assert sorted(event.kind for event in EVENTS if event.kind not in told) == []


def test_every_option_is_set_in_a_scenario():
    given = [one.get("setup", {}).get("options", {}) | one.get("position", {}) for one in BOOK.scenarios()]
    tested_by_set_up = {"allow_12"}  # how many may take part is decided before there is a race to tell of

    assert sorted(option for option in OPTIONS if not any(option in told for told in given)) == sorted(tested_by_set_up)


def test_every_scenario_has_a_title_of_its_own():
    titles = [one["title"] for one in BOOK.scenarios()]

    assert sorted({title for title in titles if titles.count(title) > 1}) == []
