"""The club's points series."""

import pytest

from tests.conftest import Cast
from tests.league.series.club import Coppa, Ladder
from tests.league.series.club import coppa as make_coppa
from tests.league.series.club import ladder as make_ladder


@pytest.fixture
def coppa(cast: Cast) -> Coppa:
    return make_coppa(cast.club, cast.anna)


@pytest.fixture
def ladder(cast: Cast) -> Ladder:
    return make_ladder(cast.club, cast.anna)
