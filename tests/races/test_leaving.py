"""Somebody leaves a race for good: whoever takes his seat over rides on with all that is his."""

import pytest

from races import play
from races.models import Race
from tests.races.factories import person
from tests.races.test_optional import PEOPLE, racing

pytestmark = pytest.mark.django_db


@pytest.mark.rule("BA-RET-06")
def test_who_leaves_takes_no_cyclist_off_the_road_a_bot_rides_them_all():
    race = racing()
    (due,) = play.look(race).decisions
    rides_away = f"{due.seat[0]}1"

    play.substitute(race.pk, seat=due.seat, user=None, bot="easy", label="A bot", by=person("Olga"))
    play.advance(race.pk)

    now = Race.objects.get(pk=race.pk)
    table = play.look(now)
    told = table.game.write_state(table.state)
    assert told["cyclists"][rides_away]["spent"] != []
    assert len(told["order"]) == 4 * len(PEOPLE)
    assert {cyclist["where"] for cyclist in told["cyclists"].values()} == {"racing"}
    assert now.entries.filter(note__kind="substitution").count() == 1
