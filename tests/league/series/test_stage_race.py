"""A series that is counted by time: rounds as stages, three classifications, what a stage asks beyond the sheet of a race."""

import csv
import io
import json
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from league import rounds, series, series_racing
from league.campaigns import Faulty
from league.classification import by_time
from league.classification.stage_race import Crossing, crossings_of, stage_times
from league.models import RoundVersion, Series, SeriesEntrant
from league.round_sheets import Starter
from league.round_sheets.breaking_away import SHEET
from league.round_sheets.breaking_away_stage import STAGE as STAGE_SHEET
from league.rounds import NO_SHOW, RoundRefused
from league.series_times import TimesTable, time_text, times_in, times_of
from races import play
from races.models import Race
from tests import factories as make
from tests.conftest import Cast
from tests.factories import FIRST_EVENING
from tests.league.series.club import FINISH, SHORT, Coppa

ROAD = "A3 60 B3 60 C3 55 D3 55 A4 50 B4 50 C4 44 D4 44"
STAGE = {"turns": "12 12 12 12 13 13 13 13", "stopped": "13", "road": ROAD}
OWN = {"id": "own", "circuit": 40, "lines": [{"id": "F", "kind": "finish", "at": 100, "points": [20, 16]}]}


@pytest.fixture
def tour(cast: Cast) -> Coppa:
    return make_tour(cast)


def make_tour(cast: Cast) -> Coppa:
    """The stage race of Ada, Bice, Ciro and Dora."""
    season = make.SeasonFactory(club=cast.club, slug="2026")
    players = {name[0]: make.PlayerFactory(club=cast.club, name=name) for name in ("Ada", "Bice", "Ciro", "Dora")}
    made = series.new_series(season, series.SeriesPlan(name="Tour", game="breaking_away", counting="time"))
    plan = series.EntrantsPlan(players=list(players.values()))
    entrants = {entrant.code: entrant for entrant in series.set_entrants(made, plan)}
    return Coppa(series=made, entrants=entrants, players=players, organiser=cast.anna)


def ride(tour: Coppa, number: str, finish: str = FINISH, *, sprint: str = FINISH, **more: Any) -> RoundVersion:
    return tour.ride(number, sprint, finish, **STAGE | more)


def refusals(tour: Coppa, **cells: str) -> dict[str, str]:
    """What a sheet that cannot be published is told, by cell."""
    with pytest.raises(RoundRefused) as refused:
        ride(tour, "1", **cells)
    return {finding.cell: finding.message for finding in refused.value.findings}


def page(client: Client, url: str) -> str:
    answer = client.get(url)
    assert answer.status_code == 200
    return str(answer.content.decode())


def times(table: TimesTable) -> dict[str, int | None]:
    return {row.rider: row.time for row in table.general.riders}


def test_the_worked_example_of_the_rules_comes_out_of_a_sheet_that_somebody_typed(tour: Coppa, client: Client) -> None:
    """The winner crosses in turn 12, A in turn 13 in which the race stops, B then stands on 88: +30 s and +90 s."""
    setup = {"breaking_away-course": "own", "breaking_away-course_json": json.dumps(OWN)}
    round_ = series.new_round(tour.series, series.RoundPlan(number="1", starts_at=FIRST_EVENING, setup=setup))
    cells = {
        "line-1": "D1 A1", "turns": "12, 13", "stopped": "13", "retired": "A2 A3 A4 B2 B3 B4 D2 D3 D4 C1 C2 C3 C4",
        "road": "B1 88",
    }  # fmt: skip
    rounds.type_cells(round_, tour.organiser, cells, {})
    rounds.publish(round_, tour.organiser)

    rows = {row.rider: (row.place, row.gap, row.bonus, row.time) for row in times_in(round_result(tour)).riders}
    assert (rows["D1"], rows["A1"], rows["B1"]) == ((1, 0, 10, -10), (2, 30, 6, 24), (3, 90, 0, 90))
    body = page(client, tour.url())
    assert "D1 of Dora leads by 0:34" in body
    assert "place 3, +1:30 by turns; provisional" in body
    assert "fewer than 3 had not retired, so without a time" in body


def round_result(tour: Coppa) -> dict[str, Any]:
    found: dict[str, Any] = RoundVersion.objects.filter(round__series=tour.series).latest("pk").result
    return found


def test_times_of_two_stages_are_added_up_for_cyclists_and_teams_and_points_too(tour: Coppa, client: Client) -> None:
    ride(tour, "1")
    ride(tour, "2", "B1 A1 C1 D1 A2 B2 C2 D2", official=False)

    table = times_of(tour.series)

    assert table.general.riders[0].rider == "A1"
    assert times(table)["A1"] == -(10 + 3) - (6 + 3)
    assert times(table)["B1"] == -(6 + 2) - (10 + 2)
    # A3 was on square 60 of 60: 13 + ceil(1 / 8) = 14, two turns behind the winner
    assert {row.team: row.time for row in table.general.teams} == dict.fromkeys("ABCD", 0) | {
        "A": 2 * (0 + 30 + 60), "B": 2 * (0 + 30 + 60), "C": 2 * (0 + 30 + 60), "D": 2 * (0 + 30 + 60),
    }  # fmt: skip
    assert [row.rank for row in table.general.teams] == [1, 1, 1, 1]
    assert table.general.points[0].rider in ("A1", "B1")
    body = page(client, tour.url())
    assert "A1 of Ada leads by 0:02" in body
    assert "with a provisional result" in body
    after_one = times_of(tour.series, "1")
    assert times(after_one)["A1"] == -13
    assert "with a provisional result" not in page(client, tour.url() + "?after=1")
    assert client.get(tour.url() + "?after=9").status_code == 404


def test_who_retires_or_stays_away_is_out_of_the_general_classification_and_keeps_his_points(tour: Coppa) -> None:
    ride(tour, "1")
    ride(
        tour, "2", "B1 C1 B2 C2 D1 D2 D3 B3", sprint="A1 B1 C1 B2 C2 D1 D2 D3", retired="A1 A2",
        road="A3 60 C3 55 A4 50 B4 50 C4 44 D4 44",
    )  # fmt: skip

    table = times_of(tour.series)

    out = {row.rider: row.out for row in table.general.riders if row.rank is None}
    assert out == {"A1": 2, "A2": 2}
    assert next(row.points for row in table.general.points if row.rider == "A1") > 0
    assert [row.team for row in table.general.teams if row.rank is None] == ["A"]
    away = {f"who-{tour.entrants['D'].pk}": NO_SHOW}
    ride(
        tour, "3", "B1 C1 B2 C2 A1 A2 B3 C3", sprint="B1 C1 B2 C2 A1 A2 B3 C3", road="A3 60 A4 50 B4 50 C4 44", **away
    )  # fmt: skip
    gone = {row.rider for row in times_of(tour.series).general.riders if row.rank is None}
    assert gone == {"A1", "A2", "D1", "D2", "D3", "D4"}


def test_level_times_are_separated_by_places_then_by_the_latest_stage_and_the_table_says_so() -> None:
    def stage(number: int, *order: str) -> by_time.Stage:
        told = [Crossing(rider=who, team=who[0], place=place, turn=9) for place, who in enumerate(order, 1)]
        return by_time.Stage(number=number, times=stage_times(told, [[]]))

    places = by_time.count([stage(1, "A1", "B1", "C1"), stage(2, "A1", "C1", "B1")])
    level = by_time.count([stage(2, "B1", "A1"), stage(1, "A1", "B1")])

    first, second, third = places.riders
    assert (first.rider, second.rider, third.rider) == ("A1", "C1", "B1")
    assert (second.decided_by, second.decided_values) == (by_time.Criterion.PLACES, (5, 2))
    assert (third.decided_by, third.decided_against) == (by_time.Criterion.LATEST, "C1")
    assert [row.rider for row in level.riders] == ["B1", "A1"]


def test_level_cyclists_read_on_the_page_what_separates_them(tour: Coppa, client: Client) -> None:
    ride(tour, "1")

    body = page(client, tour.url())

    assert "Level with A2; larger sum of places, 6 to 5" in body


@pytest.mark.parametrize(
    ("cells", "cell", "says"),
    [
        ({"turns": "12 12 12 12 13 13 13"}, "turns", "In which turn did they cross the finish: D2?"),
        ({"turns": ""}, "turns", "In which turn did they cross the finish: A1 B1 C1 D1 A2 B2 C2 D2?"),
        ({"turns": "12 12 12 12 13 13 13 13 13"}, "turns", "9 turns for 8 at the finish."),
        ({"turns": "12 12 12 12 13 13 13 x"}, "turns", "X is no whole number"),
        ({"turns": "12 12 12 12 13 13 13 12"}, "turns", "that cannot be"),
        ({"turns": "12 12 12 12 13 13 13 -"}, "turns", "- is no whole number"),
        ({"stopped": ""}, "stopped", "In which turn did the race stop?"),
        ({"stopped": "12"}, "stopped", "Somebody crossed the finish in turn 13"),
        ({"road": ROAD.removesuffix(" D4 44")}, "road", "Neither home nor retired: on which square"),
        ({"road": f"{ROAD} A1 40"}, "road", "A1 was home or had retired"),
        ({"road": f"{ROAD} D4 44"}, "road", "D4 stands here twice."),
        ({"road": ROAD.replace("44", "58")}, "road", "was further ahead"),
        ({"road": ROAD.replace("A3 60", "A3 61")}, "road", "A3 on square 61 has crossed the finish after 60."),
        ({"road": "Z9 60"}, "road", "Z9 is no cyclist of this round"),
        ({"road": f"{ROAD} D4"}, "road", "On which square did D4 stand?"),
        ({"sprint": FINISH.replace("A1", "A")}, "line-1", "say the number of each who crossed"),
    ],
)  # fmt: skip
def test_what_a_stage_does_not_tell_is_asked_at_its_cell_and_never_counted_as_nothing(
    tour: Coppa, cells: dict[str, str], cell: str, says: str
) -> None:
    told = refusals(tour, **cells)

    assert says in told[cell]
    assert not RoundVersion.objects.exists()


def test_the_sheet_asks_on_the_page_and_keeps_what_was_typed(tour: Coppa, client: Client) -> None:
    round_ = tour.round("1")
    client.force_login(tour.organiser)
    cells = {"line-1": FINISH, "line-2": FINISH, "turns": "12 12", "road": ROAD, "stopped": "13", "publish": "1"}

    answer = client.post(tour.url("round_sheet", round_.number), cells)

    body = answer.content.decode()
    assert answer.status_code == 422
    assert "In which turn did they cross the finish: C1 D1 A2 B2 C2 D2?" in body
    assert "12 12" in body
    again = client.post(tour.url("round_sheet", round_.number), cells | {"turns": STAGE["turns"], "was-turns": "12 12"})
    assert again.status_code == 302
    assert RoundVersion.objects.get().result["stage"]["riders"][0]["turn"] == 12


def test_a_correction_begins_with_what_stands_and_tells_what_changed(tour: Coppa, client: Client) -> None:
    first = ride(tour, "1")
    first.round.series = tour.series
    assert rounds.cells_of(first).items() >= STAGE.items()
    tour.type(first.round, FINISH, FINISH, **STAGE | {"stopped": "14"})
    rounds.publish(first.round, tour.organiser, reason="The clock said 14.")

    body = page(client, tour.url("round_version", "1", 2))

    assert "Stopped in turn" in body
    assert times(times_of(tour.series))["A3"] == 90
    assert 'data-table="times"' in page(client, tour.url("round", "1"))


def test_a_round_is_proposed_with_whole_turns_and_a_madison_is_no_stage(tour: Coppa, client: Client) -> None:
    client.force_login(tour.organiser)
    asked = page(client, tour.url("round_new"))
    assert '<option value="complete_turn" selected>' in asked
    assert tour.round("1").options["end_mode"] == "complete_turn"
    madison = {"breaking_away-variant": "madison", "breaking_away-end_mode": "immediate"}

    with pytest.raises(Faulty) as refused:
        series.new_round(tour.series, series.RoundPlan(number="2", starts_at=FIRST_EVENING, setup=madison))

    assert "A Madison has no times" in str([fault.message for fault in refused.value.faults])


def test_how_a_series_is_counted_is_chosen_in_its_set_up_and_stays_from_the_first_result_on(
    tour: Coppa, client: Client
) -> None:
    client.force_login(tour.organiser)
    typed = {
        "name": "Tour",
        "slug": "tour",
        "game": "breaking_away",
        "entered": "players",
        "points": "10, 7",
        "bonus": "1",
    }
    assert client.post(tour.url("series_edit"), typed | {"counting": "points"}).status_code == 302
    assert not Series.objects.get(pk=tour.series.pk).is_timed
    assert client.post(tour.url("series_edit"), typed | {"counting": "time"}).status_code == 302
    ride(tour, "1")

    answer = client.post(tour.url("series_edit"), typed | {"counting": "points"})

    assert answer.status_code == 422
    assert "Results have been published, so it stays as it is counted." in answer.content.decode()
    assert Series.objects.get(pk=tour.series.pk).is_timed


def test_the_files_say_what_the_page_says(tour: Coppa, client: Client) -> None:
    ride(tour, "1")

    def rows(which: str) -> list[dict[str, str]]:
        answer = client.get(tour.url("series_file", "csv") + f"?of={which}")
        return list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))

    told = json.loads(client.get(tour.url("series_file", "json")).content)
    first = rows("riders")[0]
    assert (first["rider"], first["seconds"], first["saved"], first["round_1"]) == ("A1", "-13", "13", "-13")
    assert {row["seconds"] for row in rows("teams")} == {"90"}
    assert rows("points")[0]["rider"] == "A1"
    assert (told["counting"], told["riders"][0]["seconds"], len(told["riders"])) == ("time", -13, 16)
    assert client.get(tour.url("series_file", "csv") + "?of=hats").status_code == 404
    assert client.get(tour.url("what_if", tour.entrants["A"].pk)).status_code == 404


def test_a_stage_that_bots_ride_on_the_site_lands_in_the_classification_as_the_rules_tell_it(
    tour: Coppa, client: Client
) -> None:
    round_ = tour.round("1")
    by_bots = {entrant.pk: "easy" for entrant in SeriesEntrant.objects.filter(series=tour.series)}
    found = series_racing.open_race(round_, tour.organiser, way="online", riding=by_bots)
    play.start(found.race, by=tour.organiser)
    while Race.objects.get(pk=found.race_id).is_running:
        play.advance(found.race_id)

    version = series_racing.settle(found.race_id)

    outcome = Race.objects.get(pk=found.race_id).outcome
    assert outcome is not None
    assert version is not None
    assert times_in(version.result) == stage_times(*crossings_of(outcome, ["S1", "F"]))
    table = times_of(tour.series)
    winner = next(row["id"] for row in outcome["cyclists"] if row["finish"] == 1)
    assert times(table)[winner] in (-10, -11, -12, -13)
    assert len(table.general.riders) == 16
    assert "ridden by a bot; provisional" in page(client, tour.url())


@pytest.mark.rule("BA-VAL-10", "BA-TIE-03")
def test_where_everybody_stood_tells_who_of_two_level_teams_was_ahead_and_nobody_is_asked_again() -> None:
    options, starters = {"course": OWN}, [Starter(code=code, name=code, entrant=n) for n, code in enumerate("ABCD")]
    cells = {"line-1": "D1 A1", "turns": "12 13", "stopped": "13", "retired": "A2 A3 A4 B2 B3 B4 D2 D3 D4 C2 C3 C4"}

    told = STAGE_SHEET.examine(cells | {"road": "C1 90 B1 88"}, options, starters)
    other = STAGE_SHEET.examine(cells | {"road": "B1 90 C1 88"}, options, starters)
    silent = STAGE_SHEET.examine(cells, options, starters)

    assert not any(field.key == "leftover" for field in STAGE_SHEET.fields(options, starters))
    assert [[row.rank for row in reading.rows or ()] for reading in (told, other)] == [[1, 2, 3, 4]] * 2
    assert [[row.entrant for row in reading.rows or ()] for reading in (told, other)] == [[3, 0, 2, 1], [3, 0, 1, 2]]
    assert told.findings == other.findings == ()
    assert {finding.cell for finding in silent.findings} == {"road"}
    assert "leftover" not in STAGE_SHEET.cells_of(told.content, options, starters)


@pytest.mark.rule("BA-VAL-20")
@pytest.mark.parametrize(("options", "turns"), [({}, 39), ({"variant": "madison", "madison_small": True}, 59)])
def test_the_log_has_room_for_every_turn_of_a_long_race(options: dict[str, Any], turns: int) -> None:
    starters = [Starter(code=code, name=code, entrant=n) for n, code in enumerate("ABCD")]

    keys = [field.key for field in SHEET.fields(options, starters)]

    assert [key for key in keys if key.startswith("turn-")] == [f"turn-{number}" for number in range(1, turns + 1)]
    late = SHEET.examine({f"turn-{turns}": "A1 3"}, options, starters)
    assert not any(finding.cell == f"turn-{turns}" and "no such field" in finding.message for finding in late.findings)


@pytest.mark.parametrize("name", ["series", "round", "series_file"])
def test_a_page_asks_the_database_as_much_for_nine_entrants_and_four_stages(
    tour: Coppa, client: Client, name: str
) -> None:
    args = {"round": ("1",), "series_file": ("json",)}.get(name, ())
    ride(tour, "1")
    client.get(tour.url(name, *args))
    with CaptureQueriesContext(connection) as few:
        client.get(tour.url(name, *args))
    more = [make.PlayerFactory(club=tour.season.club, name=f"{letter}ero") for letter in "EFGHI"]
    series.set_entrants(tour.series, series.EntrantsPlan(players=more))
    rest = " ".join(f"{letter}{number} 40" for letter in "EFGHI" for number in "1234")
    for number in "234":
        ride(tour, number, road=f"{ROAD} {rest}")
    with CaptureQueriesContext(connection) as many:
        client.get(tour.url(name, *args))

    assert len(many) == len(few)


def test_a_time_is_told_in_minutes_with_its_sign() -> None:
    assert [time_text(90), time_text(-10), time_text(0), time_text(30, signed=True)] == [
        "1:30",
        "−0:10",
        "0:00",
        "+0:30",
    ]


def test_the_whole_turn_that_a_stage_race_proposes_does_not_unfold_the_options(tour: Coppa, cast: Cast) -> None:
    client = Client()
    client.force_login(cast.anna)
    tour.round("1")
    folded = page(client, tour.url("round_edit", "1"))
    setup = SHORT | {"breaking_away-end_mode": "immediate"}
    series.new_round(tour.series, series.RoundPlan(number="2", starts_at=FIRST_EVENING, setup=setup))

    assert "<details open>" not in folded
    assert page(client, tour.url("round_edit", "2")).count("<details open>") == 1
