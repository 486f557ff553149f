"""Every scenario file of a game's folder, one test each: `python -m rules check tests/rules` says the same."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rules.errors import RulesError
from rules.scenario import played, read_file

HERE = Path(__file__).parent


def scenarios() -> Iterator[Any]:
    for path in sorted(HERE.glob("*/**/*.json")):
        name = path.relative_to(HERE).as_posix()
        try:
            found = read_file(path)
        except RulesError as unreadable:
            found = [str(unreadable)]  # no scenario: its test fails and shows why
        for number, scenario in enumerate(found, 1):
            told = scenario if isinstance(scenario, dict) else {}
            rules = told.get("rules")
            marks = pytest.mark.rule(*rules) if isinstance(rules, list) else ()
            yield pytest.param(scenario, name, id=f"{name}:{number}:{told.get('title')}", marks=marks)


@pytest.mark.parametrize(("scenario", "name"), list(scenarios()))
def test_the_scenario_is_so(scenario: Any, name: str) -> None:
    assert [str(failure) for failure in played(scenario, file=name).failures] == []
