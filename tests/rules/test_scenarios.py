"""Every scenario file of a game's folder, one test each: `python -m rules check tests/rules` says the same.

On the way each state, action and event makes a journey through JSON and must come back equal.
"""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from rules import registry
from rules.errors import RulesError
from rules.game import AnyGame, Step
from rules.scenario import plain, played, read_file, run
from tests.rules.coin import COIN

HERE = Path(__file__).parent


class Watched:
    """A game that looks at its own JSON while it is played."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game

    def __getattr__(self, name: str) -> Any:
        return getattr(self.game, name)

    def apply(self, state: Any, action: Any) -> Step[Any, Any]:
        step = self.game.apply(state, action)
        assert self.game.read_state(plain(self.game.write_state(state))) == state, "the state came back different"
        assert self.game.read_action(plain(self.game.write_action(action))) == action, "the action came back different"
        for event in step.events:
            assert self.game.read_event(plain(self.game.write_event(event))) == event, f"{event} came back different"
        return step


def watched(name: str, version: int) -> Any:
    return Watched(registry.game(name, version))


WATCHED: registry.Games = {
    name: {version: partial(watched, name, version) for version in versions}
    for name, versions in registry.GAMES.items()
}


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
    assert [str(failure) for failure in played(scenario, file=name, games=WATCHED).failures] == []


def test_a_state_that_comes_back_different_from_json_is_found() -> None:
    class Forgetful(type(COIN)):
        def write_state(self, state):
            return super().write_state(state) | {"goal": 3}

    call = {"kind": "call", "seat": "A", "side": "heads"}
    told = {
        "game": "coin",
        "title": "A call",
        "rules": [],
        "position": {},
        "script": [{"do": call}, {"expect": {"over": False}}],
    }

    (found,) = run(told, Watched(Forgetful()))

    assert "the state came back different" in str(found)
    assert run(told, Watched(COIN)) == []
