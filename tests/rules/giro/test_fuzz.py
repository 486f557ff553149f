"""`pytest --fuzz 5000 tests/rules/giro/test_fuzz.py`: everything that can be asked of a race, of so many races."""

import pytest

from tests.rules.giro.fuzz import COMMAND, one_race
from tests.rules.long_run import none_fails


def test_a_race_of_a_seed_is_the_same_race_again() -> None:
    assert one_race(1, 0) == one_race(1, 0)


@pytest.mark.fuzz
def test_no_race_of_many_breaks_a_rule(request: pytest.FixtureRequest) -> None:
    none_fails(COMMAND, one_race, request.config.getoption("fuzz"))
