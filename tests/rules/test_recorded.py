"""Races on record replay to the same end for ever, under the version of the rules that they were ridden by."""

import json
from pathlib import Path

import pytest

from rules.giro.game import GIRO
from tests.rules.giro.records import COMMAND, RECORDED, record_of

RECORDS = sorted(RECORDED.glob("*.json"))


def test_there_are_races_on_record_of_every_kind_of_stage_and_every_way_of_dealing_cards() -> None:
    records = [json.loads(path.read_text()) for path in RECORDS]

    assert len(records) >= 8, f"record a race by: {COMMAND} record NAME --options ..."
    assert {record["outcome"]["kind"] for record in records} == {"road", "itt", "ttt"}
    assert {record["options"].get("cards", "matched") for record in records} == {"matched", "blind", "none"}
    assert {len(record["entrants"]) for record in records} >= {1, 2, 5, 10}


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_race_on_record_replays_to_its_end(path: Path) -> None:
    record = json.loads(path.read_text())
    assert (record["game"], record["version"]) == (GIRO.name, GIRO.version), "the version that it was ridden by is gone"

    now = record_of(record["options"], record["entrants"], record["actions"])

    assert now["outcome"] == record["outcome"], (
        "A race of old ends in another way: that is a new version of the rules, and running races keep theirs."
    )
    assert (now["events_hash"], now["state_hash"]) == (record["events_hash"], record["state_hash"]), (
        "The end is the same, what is told on the way or how a state is written is not. If only new fields are told, "
        f"write the records anew: {COMMAND} again"
    )
