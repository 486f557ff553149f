"""Below the board of a race the page says what its signs mean."""

import re

import pytest

from tests.races.breaking_away.rides import open_for, racing, signed_on

pytestmark = pytest.mark.django_db


def test_the_signs_on_the_board_are_explained_below_it_and_no_others():
    race = racing()
    mover = open_for(race, kind="move").seat

    his = signed_on(str(mover)).get(race.get_absolute_url()).content.decode()
    others = signed_on("Olga").get(race.get_absolute_url()).content.decode()

    signs = [
        re.sub(r"\s+", " ", sign).strip() for sign in re.findall(r"</svg>([^<]*)</li>", his.split('class="bd-key"')[1])
    ]
    assert "factor that leads here" in signs
    assert "new factor that the square would give now" in signs
    assert "lap" in signs
    assert not [sign for sign in signs if "energy" in sign]
    assert "factor that leads here" not in others
