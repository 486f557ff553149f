"""The club's points series."""

import pytest

from tests.conftest import Cast
from tests.league.series.club import Coppa
from tests.league.series.club import coppa as make_coppa


@pytest.fixture
def coppa(cast: Cast) -> Coppa:
    return make_coppa(cast.club, cast.anna)
