"""Two entries of a series whose players turn out to be one person: one line, counted once, and back again."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from league import roster, rounds
from league.entrants import riding
from league.rounds import NO_SHOW, SUBSTITUTE
from league.series import EntrantsPlan, set_entrants
from league.series_racing import start_of
from league.series_table import table_of
from league.series_times import times_of
from tests.conftest import Cast
from tests.league.series.club import Coppa
from tests.league.series.test_stage_race import make_tour, ride

ALL = "A1 B1 C1 D1 A2 B2 C2 D2"


def away(coppa: Coppa, code: str) -> dict[str, Any]:
    return {f"who-{coppa.entrants[code].pk}": NO_SHOW}


def merged(coppa: Coppa, keep: str, gone: str) -> None:
    roster.merge(coppa.players[keep], coppa.players[gone], is_sure=True)


def standing(coppa: Coppa) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(line.entrant.code, line.points, line.also) for line in table_of(coppa.series).lines]


@pytest.fixture
def twice(coppa: Coppa) -> Coppa:
    """Bice rode round 1 as B, and was entered once more as D for round 2."""
    coppa.ride("1", "A1 B1 C1 A2 B2 C2 A3 B3", "A1 B1 C1 A2 B2 C2 A3 B3", **away(coppa, "D"))
    coppa.ride("2", "D1 A1 C1 D2 A2 C2 D3 A3", "D1 A1 C1 D2 A2 C2 D3 A3", **away(coppa, "B"))
    return coppa


def test_what_both_entries_rode_is_in_one_line_and_an_unmerge_takes_it_back(twice: Coppa) -> None:
    before = standing(twice)

    merged(twice, "B", "D")

    assert standing(twice) == [("B", "18", ("D",)), ("A", "18", ()), ("C", "10", ())]
    roster.unmerge(twice.players["D"])
    assert standing(twice) == before


def test_the_line_is_called_after_the_player_who_is_kept(twice: Coppa, client: Client) -> None:
    merged(twice, "D", "B")

    assert standing(twice)[0] == ("D", "18", ("B",))
    assert client.get(twice.url("what_if", twice.entrants["B"].pk)).status_code == 200
    body = client.get(twice.url()).content.decode()
    assert "on sheets also B" in body
    assert "Bice" not in body


def test_of_two_rows_in_one_round_the_better_is_his_and_the_other_keeps_its_place(coppa: Coppa, client: Client) -> None:
    coppa.ride("1", ALL, ALL)

    merged(coppa, "B", "A")

    assert standing(coppa) == [("B", "11", ("A",)), ("C", "5", ()), ("D", "4", ())]
    context = client.get(coppa.url("round", "1")).context
    assert [(line.entrant.code, line.brought) for line in context["result"].lines] == [
        ("A", "11"), ("B", ""), ("C", "5"), ("D", "4"),
    ]  # fmt: skip


def test_who_rode_for_himself_was_no_substitute(coppa: Coppa, client: Client) -> None:
    rode = {f"who-{coppa.entrants['A'].pk}": f"{SUBSTITUTE}{coppa.players['D'].pk}"} | away(coppa, "D")
    coppa.ride("1", "A1 B1 C1 A2 B2 C2 A3 B3", "A1 B1 C1 A2 B2 C2 A3 B3", **rode)
    assert "ridden by Dora" in client.get(coppa.url()).content.decode()

    merged(coppa, "A", "D")

    assert "ridden by" not in client.get(coppa.url()).content.decode()


def test_the_next_sheet_and_race_ask_for_one_of_them_and_the_published_one_for_both(twice: Coppa) -> None:
    merged(twice, "B", "D")
    new, old = twice.round("3", day=9), twice.series.rounds.get(number="1")
    new.series = old.series = twice.series

    assert [one.code for one in riding(new)] == ["A", "B", "C"]
    assert [side.entrant.code for side in start_of(new)] == ["A", "B", "C"]
    assert [one.code for one in rounds.entry_of(old).entrants] == ["A", "B", "C", "D"]


def test_the_entry_that_still_rides_is_asked_for_where_the_line_was_taken_out(twice: Coppa) -> None:
    set_entrants(twice.series, EntrantsPlan(gone=[twice.entrants["B"].pk]))
    merged(twice, "B", "D")
    new = twice.round("3", day=9)
    new.series = twice.series

    assert [one.code for one in riding(new)] == ["A", "C", "D"]
    assert standing(twice)[0] == ("B", "18", ("D",))


def test_the_entrants_page_says_who_is_entered_twice(twice: Coppa, cast: Cast) -> None:
    client = Client()
    client.force_login(cast.anna)
    merged(twice, "B", "D")

    body = client.get(twice.url("series_entrants")).content.decode()

    assert "D and B are one player, Bice: they have one line of the table, and ride once." in body


def test_a_merge_of_two_who_are_entered_in_one_series_is_asked_about(coppa: Coppa) -> None:
    asked = roster.merge_preview(coppa.players["A"], coppa.players["B"]).asked

    assert asked == ("Both are entered in Coppa delle Corse, as A and as B. They would have one line of its table.",)


@pytest.mark.parametrize("name", ["series", "round", "round_sheet"])
def test_pages_ask_the_database_no_more_for_merged_players(coppa: Coppa, cast: Cast, name: str) -> None:
    client = Client()
    client.force_login(cast.anna)
    args = () if name == "series" else ("1",)
    coppa.ride("1", ALL, ALL)
    client.get(coppa.url(name, *args))
    with CaptureQueriesContext(connection) as few:
        client.get(coppa.url(name, *args))
    for keep, gone in (("A", "B"), ("C", "D")):
        merged(coppa, keep, gone)
    with CaptureQueriesContext(connection) as many:
        client.get(coppa.url(name, *args))

    assert len(many) == len(few)


def test_stages_that_one_player_rode_under_two_letters_are_his_stage_race(cast: Cast) -> None:
    tour = make_tour(cast)
    three, road = "A1 B1 C1 A2 B2 C2 A3 B3", "C3 55 A4 50 B4 50 C4 44"
    ride(tour, "1", three, sprint=three, road=road, **away(tour, "D"))
    other, rest = three.replace("B", "D"), road.replace("B", "D")
    ride(tour, "2", other, sprint=other, road=rest, **away(tour, "B"))
    assert {row.rider for row in times_of(tour.series).general.riders if row.rank} == {"A1", "A2", "A3", "A4", "C1", "C2", "C3", "C4"}  # fmt: skip

    merged(tour, "B", "D")

    table = times_of(tour.series)
    assert {row.rider for row in table.general.riders} == {f"{team}{n}" for team in "ABC" for n in (1, 2, 3, 4)}
    assert all(row.rank for row in table.general.riders)
    assert next(row.time for row in table.general.riders if row.rider == "B1") == -2 * (6 + 2)
    assert {row.team: row.out for row in table.general.teams} == dict.fromkeys("ABC")


def test_two_teams_of_one_player_in_the_same_stage_stay_two(cast: Cast) -> None:
    tour = make_tour(cast)
    ride(tour, "1")

    merged(tour, "B", "D")

    assert {row.team for row in times_of(tour.series).general.teams} == {"A", "B", "C", "D"}
