"""The table of a series as everybody sees it: points and why, struck results, what the next round could bring, files."""

import csv
import io
import json

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from league import series
from league.campaigns import Faulty
from league.rounds import NO_SHOW
from league.series_table import table_of
from tests import factories as make
from tests.conftest import Cast
from tests.league.series.club import Coppa, coppa

# who comes first over both lines has won; the others in their order
ADA = ("A1 B1 C1 D1 A2 B2 C2 D2",) * 2
BICE = ("B1 A1 C1 D1 B2 A2 C2 D2",) * 2


def standing(coppa: Coppa, after: str | None = None) -> list[tuple[int, str, str]]:
    return [(line.row.rank, line.entrant.code, line.points) for line in table_of(coppa.series, after).lines]


def page(client: Client, url: str) -> str:
    answer = client.get(url)
    assert answer.status_code == 200
    return str(answer.content.decode())


def test_places_bring_points_and_the_best_on_the_sprint_the_bonus(coppa: Coppa) -> None:
    coppa.ride("1", *ADA)
    coppa.ride("2", *BICE)

    assert standing(coppa) == [(1, "B", "18"), (2, "A", "18"), (3, "C", "10"), (4, "D", "8")]
    assert standing(coppa, "1") == [(1, "A", "11"), (2, "B", "7"), (3, "C", "5"), (4, "D", "4")]


def test_one_of_four_results_is_dropped_and_struck_out(coppa: Coppa, client: Client) -> None:
    for number in ("1", "2", "3"):
        coppa.ride(number, *ADA)
    coppa.ride("4", *BICE)

    body = page(client, coppa.url())

    assert standing(coppa)[0] == (1, "A", "33")
    assert "The best 3 of 4 results count" in body
    assert "<s>7</s>" in body
    assert "dropped: the best 3 count" in body


def test_every_part_is_told_and_what_separates_equals(coppa: Coppa, client: Client) -> None:
    coppa.ride("1", *ADA)
    coppa.ride("2", *BICE)

    body = page(client, coppa.url())

    assert "place 1: 10, bonus 1; " in body
    assert "Bice wins the series" in body
    assert "Level with Bice; behind in Round 2, place 2 to 1" in body


def test_a_provisional_result_is_marked_until_it_is_signed(coppa: Coppa, client: Client) -> None:
    coppa.ride("1", *ADA, official=False)
    assert "with a provisional result" in page(client, coppa.url())

    coppa.ride("1", *ADA)

    assert "with a provisional result" not in page(client, coppa.url())


def test_a_bot_takes_its_place_and_nobody_moves_up(cast: Cast, client: Client) -> None:
    ours = coppa(cast.club, cast.anna, bots=1)
    bot = next(code for code, entrant in ours.entrants.items() if entrant.is_bot)
    crossed = ADA[0].replace("A", bot)

    ours.ride("1", crossed.replace("D2", "A1"), crossed.replace("D2", "A1"))

    told = {code: points for _rank, code, points in standing(ours)}
    assert bot not in told
    assert told["B"] == "7"
    body = page(client, ours.url("round", "1"))
    assert "bot, easy" in body
    assert "Bots take places and get no points" in page(client, ours.url())


def test_a_round_of_two_does_not_count_and_the_page_says_why(coppa: Coppa, client: Client) -> None:
    away = {f"who-{coppa.entrants[code].pk}": NO_SHOW for code in "CD"}
    coppa.ride("1", "A1 B1 A2 B2 A3 B3 A4 B4", "A1 B1 A2 B2 A3 B3 A4 B4", **away)

    body = page(client, coppa.url())

    assert "does not count: fewer than 3 started" in body
    assert [points for _rank, _code, points in standing(coppa)] == ["0"] * 4
    assert "fewer than 3 started" in page(client, coppa.url("round", "1"))


def test_the_next_round_is_told_place_by_place(coppa: Coppa, client: Client) -> None:
    for number in ("1", "2", "3"):
        coppa.ride(number, *ADA)

    body = page(client, coppa.url("what_if", coppa.entrants["B"].pk))

    assert "Now place 2 with 21 points" in body
    assert "the best 3 of 4 results count" in body
    cells = body.split('data-table="what-if"')[1]
    assert "+3" in cells  # a win brings 10, and one 7 falls out
    assert client.get(coppa.url("what_if", 10**6)).status_code == 404


def test_who_has_left_without_having_ridden_has_no_next_round(coppa: Coppa, client: Client) -> None:
    away = {f"who-{coppa.entrants['D'].pk}": NO_SHOW}
    coppa.ride("1", "A1 B1 C1 A2 B2 C2 A3 B3", "A1 B1 C1 A2 B2 C2 A3 B3", **away)
    assert client.get(coppa.url("what_if", coppa.entrants["D"].pk)).status_code == 200

    series.set_entrants(coppa.series, series.EntrantsPlan(gone=[coppa.entrants["D"].pk]))

    assert client.get(coppa.url("what_if", coppa.entrants["D"].pk)).status_code == 404


def test_the_files_say_what_the_page_says(coppa: Coppa, client: Client) -> None:
    coppa.ride("1", *ADA)
    coppa.ride("2", *BICE, official=False)

    rows = list(csv.DictReader(io.StringIO(client.get(coppa.url("series_file", "csv")).content.decode("utf-8-sig"))))
    told = json.loads(client.get(coppa.url("series_file", "json") + "?after=1").content)

    assert [(row["place"], row["letters"], row["points"], row["round_2"]) for row in rows] == [
        ("1", "B", "18", "11"), ("2", "A", "18", "7"), ("3", "C", "10", "5"), ("4", "D", "8", "4"),
    ]  # fmt: skip
    assert told["after"] == {"number": "1", "name": ""}
    assert told["state"] == "official"
    assert [(row["letters"], row["points"], row["gap"]) for row in told["rows"]][:2] == [("A", 11, 0), ("B", 7, 4)]
    assert client.get(coppa.url() + "?after=9").status_code == 404


def test_the_page_is_asked_for_again_and_answered_with_304_until_something_changes(
    coppa: Coppa, client: Client
) -> None:
    coppa.ride("1", *ADA)
    first = client.get(coppa.url())

    again = client.get(coppa.url(), headers={"if-none-match": first["ETag"]})
    coppa.ride("2", *BICE)
    changed = client.get(coppa.url(), headers={"if-none-match": first["ETag"]})

    assert (again.status_code, changed.status_code) == (304, 200)


@pytest.mark.parametrize("name", ["series", "round", "what_if", "series_file"])
def test_a_page_asks_the_database_as_much_for_nine_entrants_and_six_rounds(
    coppa: Coppa, client: Client, name: str
) -> None:
    args = {"round": ("1",), "what_if": (coppa.entrants["A"].pk,), "series_file": ("json",)}.get(name, ())
    coppa.ride("1", *ADA)
    client.get(coppa.url(name, *args))
    with CaptureQueriesContext(connection) as few:
        client.get(coppa.url(name, *args))
    more = [make.PlayerFactory(club=coppa.season.club, name=f"{letter}ero") for letter in "EFGHI"]
    series.set_entrants(coppa.series, series.EntrantsPlan(players=more))
    for number in "23456":
        coppa.ride(number, "A1 B1 C1 D1 E1 F1 G1 H1", "A1 B1 C1 D1 E1 F1 G1 H1")
    with CaptureQueriesContext(connection) as many:
        client.get(coppa.url(name, *args))

    assert len(many) == len(few)


def test_the_calendar_goes_onto_telephones(coppa: Coppa, client: Client) -> None:
    coppa.round("1", day=0, name="Prologo", place="Pub")

    body = client.get(coppa.url("series_ics")).content.decode()

    assert "SUMMARY:Coppa delle Corse\\, Round 1\\, Prologo" in body
    assert "DTSTART:20260205T183000Z" in body
    assert "LOCATION:Pub" in body


def test_the_season_and_the_club_lead_to_the_series(coppa: Coppa, client: Client) -> None:
    coppa.ride("1", *ADA)
    coppa.round("2", day=14)

    for url in (coppa.season.get_absolute_url(), coppa.season.club.get_absolute_url()):
        body = page(client, url)
        assert "1 of 2 rounds ridden" in body
        assert coppa.url() in body


def test_season_and_club_ask_the_database_as_much_for_three_series(coppa: Coppa, client: Client) -> None:
    pages = (coppa.season.get_absolute_url(), coppa.season.club.get_absolute_url())
    coppa.round("1")
    [client.get(url) for url in pages]
    with CaptureQueriesContext(connection) as few:
        assert [client.get(url).status_code for url in pages] == [200, 200]
    for name in ("Second", "Third"):
        other = series.new_series(coppa.season, series.SeriesPlan(name=name, game="breaking_away"))
        make.RoundFactory(series=other)
    with CaptureQueriesContext(connection) as many:
        assert "Third" in page(client, pages[0])
        client.get(pages[1])

    assert len(many) == len(few)


def test_a_team_rides_as_one_line_with_its_jersey(cast: Cast, client: Client) -> None:
    season = make.SeasonFactory(club=cast.club, slug="teams")
    colours = ("white", "blue", "green")
    teams = [make.TeamFactory(season=season, name=colour.title(), colour=colour) for colour in colours]
    made = series.new_series(season, series.SeriesPlan(name="Coppa", game="breaking_away", entered="teams"))
    entered = series.set_entrants(made, series.EntrantsPlan(teams=teams))
    ours = Coppa(made, {entrant.code: entrant for entrant in entered}, {}, cast.anna)

    ours.ride("1", "W1 B1 G1 W2 B2 G2 W3 B3", "B1 W1 G1 W2 B2 G2 W3 B3")

    body = page(client, ours.url())
    assert "#jersey-white-plain" in body
    assert f"/season/teams/teams/{teams[0].pk}/" in body
    with pytest.raises(Faulty, match="no player for this series"):
        series.set_entrants(made, series.EntrantsPlan(players=[make.PlayerFactory(club=cast.club)]))
