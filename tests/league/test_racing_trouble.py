"""A stage's race that stands still: the club's organisers and commissaires are told, and mend it."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import escape

from races import play, watch
from races.models import Position, Race
from tests.conftest import Cast
from tests.evening import Evening
from tests.league.stage_races import opened

pytestmark = pytest.mark.django_db


def client_of(cast: Cast, name: str) -> Client:
    client = Client()
    client.force_login(getattr(cast, name))
    return client


def stopped(evening: Evening) -> Race:
    """The race of the first stage, whose position is lost."""
    race = play.start(opened(evening, "1").race, by=None)
    Position.objects.filter(race=race).delete()
    watch.sweep()
    return Race.objects.get(pk=race.pk)


def test_a_race_of_a_stage_is_told_to_those_who_lead_it_by_their_role(evening: Evening, cast: Cast) -> None:
    race = stopped(evening)
    address = reverse("races:trouble")

    for name in ("anna", "bruno"):
        assert escape(race.title) in client_of(cast, name).get(address).content.decode()
        assert address in client_of(cast, name).get(reverse("races:list")).content.decode()
    for name in ("carla", "dino"):
        assert client_of(cast, name).get(address).status_code == 403
        assert client_of(cast, name).post(reverse("races:mend", args=[race.key]), {"do": "count"}).status_code == 403
        assert address not in client_of(cast, name).get(reverse("races:list")).content.decode()
    assert not Position.objects.filter(race=race).exists()


def test_a_closed_clubs_race_in_trouble_is_not_there_for_others(evening: Evening, cast: Cast) -> None:
    race = stopped(evening)
    Race.objects.filter(pk=race.pk).update(is_public=False)

    assert client_of(cast, "dino").post(reverse("races:mend", args=[race.key]), {"do": "count"}).status_code == 404
    assert client_of(cast, "carla").post(reverse("races:mend", args=[race.key]), {"do": "count"}).status_code == 403


def test_a_commissaire_mends_it(evening: Evening, cast: Cast) -> None:
    race = stopped(evening)

    answer = client_of(cast, "bruno").post(reverse("races:mend", args=[race.key]), {"do": "count"}, follow=True)

    assert "its position was wrong, and is right now" in answer.content.decode()
    assert Race.objects.get(pk=race.pk).trouble == ""
    assert play.advance(race.pk)
