"""From published sheets to stored standings: counted after the commit, equal to a count from nothing, never half."""

import threading

import pytest
from django.db import connection, transaction

from league import recount, results
from league.loading import load
from league.models import Campaign, SeasonStanding, Standing
from tests import factories as make
from tests.evening import Evening, giro


def gc(evening: Evening, number: str) -> list[tuple[str, int | None, int | None, int | None]]:
    """(rider's letter, rank, score, gap) in the order of the page."""
    letters = {rider.pk: letter for letter, rider in evening.riders.items()}
    rows = Standing.objects.filter(stage=evening.stages[number], classification=Standing.GC)
    return [(letters[row.rider_id], row.rank, row.value, row.gap) for row in rows]


@pytest.mark.rule("GI-D1-01", "GI-D1-04", "GI-D1-05", "GI-D1-06", "GI-D1-07")
def test_the_worked_example_comes_out_of_the_database_to_the_last_cell(evening: Evening) -> None:
    evening.ride("1", "2", "3")

    assert gc(evening, "1") == [
        ("A", 1, 2, 0),
        ("D", 2, 0, 2),
        ("C", 3, 0, 2),
        ("E", 4, -2, 4),
        ("B", 5, -2, 4),
        ("F", 6, -5, 7),
    ]
    assert gc(evening, "2") == [
        ("C", 1, 0, 0),
        ("A", 2, -2, 2),
        ("B", 3, -3, 3),
        ("E", 4, -5, 5),
        ("D", 5, -5, 5),
        ("F", 6, -12, 12),
    ]
    assert [row[:3] for row in gc(evening, "3")[:4]] == [("C", 1, 1), ("A", 2, -3), ("E", 3, -3), ("D", 4, -8)]
    assert {row[0] for row in gc(evening, "3")[4:]} == {"B", "F"}
    assert all(row[1] is None for row in gc(evening, "3")[4:])


def test_what_is_stored_is_what_a_count_from_nothing_gives(evening: Evening) -> None:
    evening.ride("1", "2", "3")
    stored = list(
        Standing.objects.order_by("stage__order", "classification", "position").values("rank", "value", "facts")
    )

    Standing.objects.all().delete()
    Campaign.objects.update(counted_revision=0)
    recount.count(evening.campaign.pk)

    again = list(
        Standing.objects.order_by("stage__order", "classification", "position").values("rank", "value", "facts")
    )
    assert again == stored


def test_the_season_gives_points_to_the_team_of_the_day(evening: Evening) -> None:
    evening.ride("1")

    teams = SeasonStanding.objects.filter(classification=SeasonStanding.TEAMS)
    # placings A C D B E F, of which B and E in the same turn, told in order: 10 8 6 5 4 3
    assert {row.team.colour: row.points for row in teams} == {"white": 15, "blue": 11, "green": 10}
    assert sum(row.points for row in SeasonStanding.objects.filter(classification=SeasonStanding.PLAYERS)) == 36


def test_counting_costs_the_same_queries_for_any_field(evening: Evening, django_assert_max_num_queries) -> None:
    evening.ride("1", "2", "3")
    Campaign.objects.update(counted_revision=0)

    with django_assert_max_num_queries(25):
        recount.count(evening.campaign.pk)


def test_a_count_that_fails_keeps_the_old_numbers_and_says_why(evening: Evening, monkeypatch) -> None:
    evening.ride("1")
    before = gc(evening, "1")
    with transaction.atomic():
        recount.touch(evening.campaign)

    def broken(self: object) -> None:
        raise ZeroDivisionError("a fault in the count")

    monkeypatch.setattr("league.loading.Loaded.classify", broken)
    with pytest.raises(ZeroDivisionError):
        recount.count(evening.campaign.pk)

    evening.campaign.refresh_from_db()
    assert "a fault in the count" in evening.campaign.count_error
    assert not evening.campaign.is_counted
    assert gc(evening, "1") == before


@pytest.mark.django_db(transaction=True)
def test_a_change_outside_a_transaction_is_a_defect() -> None:
    campaign = make.CampaignFactory()

    with pytest.raises(AssertionError):
        recount.touch(campaign)


@pytest.mark.django_db(transaction=True)
def test_counts_that_run_at_the_same_time_end_with_the_newest_facts(cast) -> None:
    evening = giro(club=cast.club, organiser=cast.anna).ride("1", "2")
    Campaign.objects.update(counted_revision=0)
    faults: list[Exception] = []

    def work() -> None:
        try:
            recount.count(evening.campaign.pk)
        except Exception as fault:  # noqa: BLE001  # told below
            faults.append(fault)
        finally:
            connection.close()

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert faults == []
    evening.campaign.refresh_from_db()
    assert evening.campaign.is_counted
    fresh = load(evening.campaign).classify()[-1]
    assert [row[0:1] for row in gc(evening, "2")] == [
        (next(k for k, r in evening.riders.items() if r.pk == row.rider),) for row in fresh.gc
    ]


@pytest.mark.rule("GI-D4-02", "E7")
def test_energy_that_nobody_knows_is_not_zero(evening: Evening) -> None:
    """Lund has no result in stage 1: with what he starts stage 2 is not known, and nothing is checked against it."""
    cells = {key: text for key, text in evening.cells("1").items() if not key.endswith(f"-{evening.riders['F'].pk}")}
    evening.type("1", cells)
    results.publish(evening.stages["1"], evening.organiser)
    lund = evening.riders["F"].pk
    evening.type("2")

    entry = results.entry_of(evening.stages["2"])

    carries = {starter.rider: starter.carry for starter in entry.context.starters}
    assert carries[lund] is None
    assert carries[evening.riders["B"].pk] == 15
    assert [f.code for f in entry.findings if f.cell == f"energy-{lund}"] == []
