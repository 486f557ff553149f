"""A question that is put into SQL once has the answers of the same question written anew."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, connections, transaction

from races.models import Entry, Race, Seat
from races.prepared import Prepared
from tests.races.rides import started

pytestmark = pytest.mark.django_db


def test_it_answers_as_the_queryset_does_whatever_it_is_asked_for() -> None:
    by_key = Prepared(lambda key: Race.objects.select_related("owner", "clock").filter(key=key))
    newest = Prepared(lambda race: Entry.objects.filter(race_id=race).defer("events").order_by("-n")[:3])
    numbers = Prepared(lambda seat, race: Seat.objects.filter(race_id=race, name=seat).values_list("order", flat=True))
    races = [started(), started()]

    for race in (*races, *races):
        (found,) = by_key(race.key)
        assert (found, found.options, found.owner) == (race, race.options, race.owner)
        assert newest(race.pk) == list(race.entries.order_by("-n")[:3])
        assert [numbers(seat.name, race.pk) for seat in race.seats.all()] == [[seat.order] for seat in race.seats.all()]
    assert by_key("no such race") == []


def test_what_it_found_is_as_free_as_any_row(django_assert_num_queries) -> None:
    by_key = Prepared(lambda key: Race.objects.filter(key=key))
    race = started()

    with django_assert_num_queries(2):
        (found,) = by_key(race.key)
        found.title = "Another"
        found.save(update_fields=["title"])
    assert Race.objects.get(pk=race.pk).title == "Another"
    assert by_key(race.key)[0].title == "Another"


@pytest.mark.django_db(transaction=True)
def test_each_thread_asks_over_its_own_connection() -> None:
    race = started()
    locked = Prepared(lambda pk: Race.objects.select_for_update().filter(pk=pk))

    def ask() -> int:
        try:
            with transaction.atomic():
                return int(locked(race.pk)[0].n)
        finally:
            connections.close_all()

    with transaction.atomic():
        here = locked(race.pk)[0].n
        assert connection.in_atomic_block
    with ThreadPoolExecutor(2) as pool:
        assert [one.result(20) for one in [pool.submit(ask), pool.submit(ask)]] == [here, here]
