"""The log is the race: the same answers lead to the same end in any process."""

import json
import os
import subprocess
import sys

import pytest

from tests.rules.records import RECORDED, TESTS

RECORDS = [json.loads(path.read_text()) for path in sorted(RECORDED.glob("breaking_away/*.json"))]


@pytest.mark.parametrize("hash_seed", ["0", "1", "random"])
def test_races_on_record_end_the_same_in_any_process(hash_seed: str) -> None:
    there = subprocess.run(
        [sys.executable, "-m", "tests.rules.records", "hash"],
        input=json.dumps(RECORDS),
        capture_output=True,
        text=True,
        check=True,
        cwd=TESTS.parent,
        env={"PATH": os.environ.get("PATH", ""), "PYTHONHASHSEED": hash_seed},
    )

    assert len(RECORDS) >= 8
    assert there.stdout.splitlines() == [f"{record['events_hash']} {record['state_hash']}" for record in RECORDS]
