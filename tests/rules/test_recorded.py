"""Races on record replay to the same end for ever, under the version of the rules that they were ridden by."""

import json
from pathlib import Path

import pytest

from rules.errors import Unreadable
from rules.game import Json
from tests.rules.records import COMMAND, RECORDED, Race, record_of

RECORDS = sorted(RECORDED.glob("*/*.json"))


def records_of(game: str) -> list[Json]:
    return [json.loads(path.read_text()) for path in RECORDS if path.parent.name == game]


def test_there_are_races_on_record_of_every_kind_of_stage_and_every_way_of_dealing_cards() -> None:
    records = records_of("giro")

    assert len(records) >= 8, f"record a race by: {COMMAND} record giro NAME --options ..."
    assert {record["outcome"]["kind"] for record in records} == {"road", "itt", "ttt"}
    assert {record["options"].get("cards", "matched") for record in records} == {"matched", "blind", "none"}
    assert {len(record["entrants"]) for record in records} >= {1, 2, 5, 10}


def test_there_are_races_on_record_of_every_way_to_ride_breaking_away() -> None:
    records = records_of("breaking_away")
    options = [record["options"] for record in records]

    assert {record["outcome"]["variant"] for record in records} == {"standard", "madison"}
    for option, values in {
        "turn_mode": {None, "orders"}, "hands": {None, "closed"}, "end_mode": {None, "complete_turn"}, "after_finish": {None, "leave"},
        "overcrowding": {None, True}, "break_over_rival": {None, True}, "staggered": {None, True},
    }.items():  # fmt: skip
        assert {told.get(option) for told in options} == values, option
    assert {len(record["entrants"]) for record in records} >= {3, 4, 9}
    assert {"quota", "abandoned"} <= {record["outcome"]["reason"] for record in records}


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: f"{path.parent.name}:{path.stem}")
def test_a_race_on_record_replays_to_its_end(path: Path) -> None:
    record = json.loads(path.read_text())
    assert record["game"] == path.parent.name
    try:
        race = Race.of(record)
    except Unreadable:
        pytest.fail("the version that it was ridden by is gone")

    now = record_of(race)

    assert now["outcome"] == record["outcome"], (
        "A race of old ends in another way: that is a new version of the rules, and running races keep theirs."
    )
    assert (now["events_hash"], now["state_hash"]) == (record["events_hash"], record["state_hash"]), (
        "The end is the same, what is told on the way or how a state is written is not. If only new fields are told, "
        f"write the records anew: {COMMAND} again"
    )
