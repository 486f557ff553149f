"""What must hold in every race, whoever rides it and whatever falls: shown by races that nobody thinks about."""

import pytest

from rules.errors import RulesError
from rules.giro.game import GIRO


@pytest.mark.rule("GI-B4-09")
def test_a_position_with_a_rider_inside_a_peloton_that_has_left_is_refused() -> None:
    position = {
        "course": "strip L2 | P1-9",
        "turn": 4,
        "phase": "T5",
        "peloton": {"column": 10, "gone": True, "finished": 3},
        "riders": [{"id": "A", "at": "8.0"}, {"id": "B", "at": "inside"}],
    }

    with pytest.raises(RulesError, match="B is nowhere"):  # he would race for ever
        GIRO.read_state(position)
