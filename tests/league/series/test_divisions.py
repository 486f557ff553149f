"""A series in divisions: tables of their own, who would go up and down, and the series that follows."""

import csv
import io
import json

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from league import divisions, rounds, series
from league.campaigns import Faulty
from league.divisions import DivisionsPlan, NextPlan, next_series, proposal, set_divisions
from league.errors import Refused
from league.models import Series
from league.rounds import NO_SHOW
from league.series import EntrantsPlan, RoundPlan
from league.series_racing import open_race
from league.series_table import tables_of
from tests import factories as make
from tests.conftest import Cast
from tests.factories import FIRST_EVENING
from tests.league.series.club import SHORT, Coppa, Ladder


@pytest.fixture
def anna(cast: Cast) -> Client:
    client = Client()
    client.force_login(cast.anna)
    return client


def page(client: Client, url: str) -> str:
    answer = client.get(url)
    assert answer.status_code == 200
    return str(answer.content.decode())


def standings(ladder: Ladder, after: str | None = None) -> list[str]:
    """By division the letters in the order of the table; an arrow at who would move."""
    arrows = {"up": "^", "down": "v"}
    return [
        " ".join(
            line.entrant.code + (arrows[line.moving.way] + "?" * line.moving.mark.is_open if line.moving else "")
            for line in table.lines
        )
        for table in tables_of(ladder.series, after).tables
    ]


def where(found: Series) -> dict[str, str]:
    return {one.code: str(one.division) for one in found.entrants.select_related("division")}


# ---- tables ------------------------------------------------------------------------------------------------------------
def test_each_division_counts_its_own_rounds_and_marks_who_would_move(ladder: Ladder) -> None:
    ladder.ride_both("1", "ABCD", "EFGH")
    ladder.ride_both("2", "BACD", "FEGH")

    assert standings(ladder) == ["B A C Dv", "F^ E G H"]
    assert standings(ladder, "1b") == ["A B C Dv", "E^ F G H"]


def test_the_page_shows_both_tables_and_calls_a_move_provisional_until_all_is_signed(
    ladder: Ladder, client: Client
) -> None:
    ladder.ride_both("1", "ABCD", "EFGH", official=False)

    body = page(client, ladder.url())

    assert body.index(">Prima</h2>") < body.index(">Seconda</h2>")
    assert "Would go up to Prima" in body
    assert "Would go down to Seconda" in body
    assert body.count("<em>provisional</em>") == 2

    for found in ladder.series.rounds.all():
        found.series = ladder.series
        rounds.publish(found, ladder.organiser, official=True)
    over = page(client, ladder.url())

    assert "Goes up to Prima" in over
    assert "<em>provisional</em>" not in over


def test_a_series_without_divisions_has_no_word_of_them(coppa: Coppa, client: Client, anna: Client) -> None:
    coppa.ride("1", "A1 B1 C1 D1 A2 B2 C2 D2")

    for body in (
        page(client, coppa.url()),
        page(anna, coppa.url("round_new")),
        page(anna, coppa.url("series_entrants")),
    ):
        assert "ivision" not in body
    told = json.loads(client.get(coppa.url("series_file", "json")).content)
    assert "division" not in told["columns"]
    assert "divisions" not in told


@pytest.mark.parametrize("name", ["series", "series_file", "what_if"])
def test_a_series_without_divisions_asks_the_database_nothing_about_them(
    coppa: Coppa, client: Client, name: str
) -> None:
    coppa.ride("1", "A1 B1 C1 D1 A2 B2 C2 D2")
    args = {"what_if": (coppa.entrants["A"].pk,), "series_file": ("json",)}.get(name, ())

    with CaptureQueriesContext(connection) as asked:
        assert client.get(coppa.url(name, *args)).status_code == 200

    assert not [query["sql"] for query in asked if "league_division" in query["sql"]]


def test_a_race_of_a_round_has_the_seats_of_its_division(ladder: Ladder) -> None:
    _prima, seconda = series.new_rounds(ladder.series, RoundPlan(number="1", starts_at=FIRST_EVENING, setup=SHORT))

    opened = open_race(seconda, ladder.organiser, way="online", riding={})

    assert sorted(opened.entrants.values()) == sorted(ladder.entrants[code].pk for code in "EFGH")
    assert [seat.label for seat in opened.race.seats.order_by("name")] == ["Elio", "Fosca", "Gino", "Hans"]


def test_a_round_of_all_together_counts_in_each_division_for_its_own(ladder: Ladder, client: Client) -> None:
    """E wins over all, and is a guest in the table of Prima: A has the points of second place."""
    at = FIRST_EVENING.replace(day=FIRST_EVENING.day + 3)
    series.new_round(ladder.series, RoundPlan(number="1", starts_at=at, setup=SHORT))
    ladder.ride("1", "E1 A1 B1 F1 C1 D1 G1 H1", "E1 A1 B1 F1 C1 D1 G1 H1")

    prima, seconda = tables_of(ladder.series).tables

    assert "All divisions · " in page(client, ladder.url())
    assert [(line.entrant.code, line.points) for line in prima.lines] == [
        ("A", "7"),
        ("B", "5"),
        ("C", "3"),
        ("D", "2"),
    ]
    assert [(line.entrant.code, line.points) for line in seconda.lines] == [
        ("E", "11"),
        ("F", "4"),
        ("G", "1"),
        ("H", "1"),
    ]


def test_level_on_points_at_the_border_the_tie_break_decides_and_is_told(ladder: Ladder, client: Client) -> None:
    ladder.ride_both("1", "ABCD", "EFGH")
    ladder.ride_both("2", "ABCD", "FEGH")

    assert standings(ladder)[1] == "F^ E G H"
    assert "Level with Fosca; behind in Round 2b, place 2 to 1" in page(client, ladder.url())


def test_level_in_everything_at_the_border_the_organiser_decides(ladder: Ladder, client: Client) -> None:
    """C and D never came."""
    ivo = make.PlayerFactory(club=ladder.season.club, name="Ivo")
    series.set_entrants(ladder.series, EntrantsPlan(players=[ivo]))
    series.set_entrants(
        ladder.series, EntrantsPlan(divisions={ladder.series.entrants.get(player=ivo).pk: ladder.prima.pk})
    )
    ladder.reload()
    away = {f"who-{ladder.entrants[code].pk}": NO_SHOW for code in "CD"}
    crossed = "A1 B1 I1 A2 B2 I2 A3 B3"
    series.new_rounds(ladder.series, RoundPlan(number="1", starts_at=FIRST_EVENING, setup=SHORT))
    ladder.ride("1a", crossed, crossed, **away)

    assert standings(ladder) == ["A B I Cv? Dv?", "E F G H"]
    assert "Level with Dora in everything, places to go down: 1. The organiser decides." in page(client, ladder.url())
    ladder.ride("1b", "E1 F1 G1 H1 E2 F2 G2 H2", "E1 F1 G1 H1 E2 F2 G2 H2")
    proposed = proposal(tables_of(ladder.series), ladder.season)
    assert {place.entrant.code for place in proposed.places if place.to == 0} == set("ABICDE")
    row = json.loads(client.get(ladder.url("series_file", "json")).content)["rows"][3]
    assert (row["letters"], row["move"]) == ("C", "down?")


def test_the_sheet_of_a_division_asks_for_those_of_the_division(ladder: Ladder, anna: Client) -> None:
    made = series.new_rounds(ladder.series, RoundPlan(number="1", starts_at=FIRST_EVENING, setup=SHORT))

    first, second = (page(anna, ladder.url("round_sheet", one.number)) for one in made)

    assert [one.number for one in made] == ["1a", "1b"]
    assert ("line-1:A1" in first, "line-1:E1" in first) == (True, False)
    assert ("line-1:A1" in second, "line-1:E1" in second) == (False, True)


def test_what_if_stays_in_the_division(ladder: Ladder, client: Client) -> None:
    ladder.ride_both("1", "ABCD", "EFGH")

    body = page(client, ladder.url("what_if", ladder.entrants["F"].pk))

    assert "Now place 2 with 7 points" in body
    assert "Gino" in body
    assert "Ada" not in body


def test_files_say_division_and_move_cell_by_cell_as_the_page(ladder: Ladder, client: Client) -> None:
    ladder.ride_both("1", "ABCD", "EFGH")

    rows = list(csv.DictReader(io.StringIO(client.get(ladder.url("series_file", "csv")).content.decode("utf-8-sig"))))
    told = json.loads(client.get(ladder.url("series_file", "json")).content)
    lines = [(table, line) for table in tables_of(ladder.series).tables for line in table.lines]

    assert [(row["division"], row["letters"], row["move"]) for row in rows] == [
        ("Prima", "A", ""), ("Prima", "B", ""), ("Prima", "C", ""), ("Prima", "D", "down"),
        ("Seconda", "E", "up"), ("Seconda", "F", ""), ("Seconda", "G", ""), ("Seconda", "H", ""),
    ]  # fmt: skip
    for row, same, (table, line) in zip(rows, told["rows"], lines, strict=True):
        assert {key: "" if same.get(key) is None else str(same[key]) for key in told["columns"]} == row
        assert (row["division"], row["place"], row["entrant"]) == (
            str(table.division), str(line.row.rank), line.entrant.name,
        )  # fmt: skip
        assert (row["points"], row["gap"]) == (line.points, line.gap)
    assert told["moves"] == {"up": 1, "down": 1, "final": True}
    assert [one["name"] for one in told["divisions"]] == ["Prima", "Seconda"]


@pytest.mark.parametrize(
    "name",
    [
        "series", "round", "what_if", "series_file", "series_ics", "series_next", "series_entrants", "series_divisions",
        "series_edit", "round_new", "round_sheet",
    ],
)  # fmt: skip
def test_a_page_asks_the_database_as_much_for_four_divisions_and_more_rounds(
    ladder: Ladder, anna: Client, name: str
) -> None:
    one = ("1a",)
    of = {"round": one, "round_sheet": one, "what_if": (ladder.entrants["A"].pk,), "series_file": ("json",)}
    args = of.get(name, ())
    ladder.ride_both("1", "ABCD", "EFGH")
    anna.get(ladder.url(name, *args))
    with CaptureQueriesContext(connection) as few:
        assert anna.get(ladder.url(name, *args)).status_code == 200
    for n, letter in enumerate("JKLMNP"):
        player = make.PlayerFactory(club=ladder.season.club, name=f"{letter}ero")
        if n % 3 == 0:
            division = make.DivisionFactory(series=ladder.series, order=n + 3)
        make.SeriesEntrantFactory(series=ladder.series, code=letter, player=player, division=division, order=n + 20)
    for number in "23":
        ladder_ride(ladder, number)
    with CaptureQueriesContext(connection) as many:
        assert anna.get(ladder.url(name, *args)).status_code == 200

    assert len(many) == len(few)


def ladder_ride(ladder: Ladder, number: str) -> None:
    """A round of both divisions, one after the other: there are more divisions than that by now."""
    for letter, division, order in (("a", ladder.prima, "ABCD"), ("b", ladder.seconda, "EFGH")):
        at = FIRST_EVENING.replace(day=FIRST_EVENING.day + int(number))
        plan = RoundPlan(number=f"{number}{letter}", starts_at=at, setup=SHORT, division=division)
        series.new_round(ladder.series, plan)
        crossed = " ".join(f"{one}{n}" for n in (1, 2) for one in order)
        ladder.ride(plan.number, crossed, crossed)


# ---- setting up --------------------------------------------------------------------------------------------------------
def test_the_first_divisions_share_those_who_are_entered_in_their_order(ladder: Ladder) -> None:
    assert where(ladder.series) == dict.fromkeys("ABCD", "Prima") | dict.fromkeys("EFGH", "Seconda")


def test_who_comes_in_enters_the_lowest_division_and_may_be_moved_before_the_first_race(ladder: Ladder) -> None:
    ivo = make.PlayerFactory(club=ladder.season.club, name="Ivo")
    series.set_entrants(ladder.series, EntrantsPlan(players=[ivo]))
    new = ladder.series.entrants.get(player=ivo)
    assert new.division == ladder.seconda

    series.set_entrants(ladder.series, EntrantsPlan(divisions={new.pk: ladder.prima.pk}))
    new.refresh_from_db()
    assert new.division == ladder.prima

    ladder.ride_both("1", "ABCD", "EFGH")
    with pytest.raises(Faulty, match="Ada has ridden in Prima"):
        series.set_entrants(ladder.series, EntrantsPlan(divisions={ladder.entrants["A"].pk: ladder.seconda.pk}))


def test_a_division_too_full_or_too_empty_is_said(ladder: Ladder, anna: Client) -> None:
    more = [make.PlayerFactory(club=ladder.season.club, name=name) for name in ("Ivo", "Livia", "Mara")]
    series.set_entrants(ladder.series, EntrantsPlan(players=more))
    gone = [ladder.entrants[code].pk for code in "CD"]
    series.set_entrants(ladder.series, EntrantsPlan(gone=gone))

    body = page(anna, ladder.url("series_entrants"))

    assert "Prima is too empty: 2 ride in it, and a round of fewer than 3 does not count." in body
    assert "Seconda is too full: 7 ride in it, and a table has room for 6." in body
    assert "Seconda is too full" in page(anna, ladder.url("series_divisions"))


def test_a_division_without_a_name_goes_and_its_riders_are_in_the_next_lower_one(ladder: Ladder) -> None:
    set_divisions(ladder.series, DivisionsPlan(names={ladder.prima.pk: ""}))
    assert set(where(ladder.series).values()) == {"Seconda"}

    set_divisions(ladder.series, DivisionsPlan(names={ladder.seconda.pk: " "}))
    assert set(where(ladder.series).values()) == {"None"}


def test_two_divisions_may_exchange_their_names(ladder: Ladder) -> None:
    set_divisions(ladder.series, DivisionsPlan(names={ladder.prima.pk: "Seconda", ladder.seconda.pk: "Prima"}))

    assert [(one.pk, one.name) for one in ladder.series.divisions.all()] == [
        (ladder.prima.pk, "Seconda"), (ladder.seconda.pk, "Prima"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("plan", "says"),
    [
        ({"come": ["prima"]}, "Two divisions have one name"),
        ({"come": ["x"] * 3}, "Two divisions have one name"),
        ({"come": [str(n) for n in range(8)]}, "9 divisions at most"),
        ({"come": ["x" * 41]}, "40 characters"),
        ({"promoted": 21}, "0 to 20 move"),
        ({"relegated": -1}, "0 to 20 move"),
        ({"division_size": 2}, "With fewer than 3 a round does not count"),
    ],
)
def test_divisions_that_cannot_be_are_refused_in_words(ladder: Ladder, plan: dict[str, object], says: str) -> None:
    with pytest.raises(Faulty, match=says):
        set_divisions(ladder.series, DivisionsPlan(**plan))  # type: ignore[arg-type]

    assert [one.name for one in ladder.series.divisions.all()] == ["Prima", "Seconda"]


def test_the_divisions_stay_once_a_result_is_published_and_may_be_called_otherwise(ladder: Ladder) -> None:
    ladder.ride_both("1", "ABCD", "EFGH")

    with pytest.raises(Faulty, match="the divisions stay"):
        set_divisions(ladder.series, DivisionsPlan(come=["Terza"]))
    set_divisions(ladder.series, DivisionsPlan(names={ladder.prima.pk: "Serie A"}, promoted=2))

    ladder.series.refresh_from_db()
    assert ([one.name for one in ladder.series.divisions.all()], ladder.series.promoted) == (["Serie A", "Seconda"], 2)


def test_a_series_by_time_has_no_divisions(ladder: Ladder, cast: Cast) -> None:
    plan = series.SeriesPlan(name="Tour", game="breaking_away", counting="time")
    timed = series.new_series(ladder.season, plan)

    with pytest.raises(Faulty, match="it has no divisions"):
        set_divisions(timed, DivisionsPlan(come=["Prima"]))
    with pytest.raises(Faulty, match="it has no divisions"):
        series.change_series(ladder.series, plan)


def test_a_round_of_another_series_division_is_refused(ladder: Ladder) -> None:
    other = series.new_series(ladder.season, series.SeriesPlan(name="Other", game="breaking_away"))

    with pytest.raises(Faulty, match="Choose one of the divisions of the series"):
        series.new_round(other, RoundPlan(number="1", starts_at=FIRST_EVENING, setup=SHORT, division=ladder.prima))


@pytest.mark.parametrize("number", ["1a", "x", ""])
def test_rounds_for_each_division_take_a_plain_number(ladder: Ladder, number: str) -> None:
    with pytest.raises(Faulty, match="each division gets its letter"):
        series.new_rounds(ladder.series, RoundPlan(number=number, starts_at=FIRST_EVENING, setup=SHORT))

    assert not ladder.series.rounds.exists()


def test_a_round_with_a_result_stays_with_its_division(ladder: Ladder) -> None:
    ladder.ride_both("1", "ABCD", "EFGH")
    found = ladder.series.rounds.get(number="1a")
    plan = RoundPlan(number="1a", starts_at=found.starts_at, setup=SHORT, division=ladder.seconda)

    with pytest.raises(Faulty, match="stays with those who ride in it"):
        series.change_round(found, plan)


# ---- the series that follows -------------------------------------------------------------------------------------------
def test_the_next_series_has_the_movers_moved_and_remembers_where_they_were(ladder: Ladder, client: Client) -> None:
    ladder.ride_both("1", "ABCD", "EFGH")
    proposed = proposal(tables_of(ladder.series), ladder.season)

    made = next_series(ladder.series, ladder.season, NextPlan(name=proposed.name, to={}))

    assert where(made) == dict.fromkeys("ABCE", "Prima") | dict.fromkeys("DFGH", "Seconda")
    assert (made.follows, made.promoted, made.relegated, made.points) == (ladder.series, 1, 1, ladder.series.points)
    assert where(ladder.series) == dict.fromkeys("ABCD", "Prima") | dict.fromkeys("EFGH", "Seconda")
    body = page(client, made.url())
    assert "Came up from Seconda" in body
    assert "Came down from Prima" in body
    assert ladder.series.url() in body
    assert made.url() in page(client, ladder.url())


def test_the_organiser_changes_the_proposal_and_newcomers_enter_the_lowest(ladder: Ladder, anna: Client) -> None:
    ladder.ride_both("1", "ABCD", "EFGH")
    ivo = make.PlayerFactory(club=ladder.season.club, name="Ivo")
    url = ladder.url("series_next")
    to = {f"to-{ladder.entrants[code].pk}": str("ABCDEFGH".index(code) // 4) for code in "ABCDEFGH"}
    to[f"to-{ladder.entrants['H'].pk}"] = "out"

    body = page(anna, url)
    answer = anna.post(url, to | {"name": "Coppa, second half", f"come-{ivo.pk}": "on"})

    assert body.index(">Prima</legend>") < body.index("Elio") < body.index(">Seconda</legend>") < body.index("Dora")
    assert answer.status_code == 302, answer.content.decode()
    made = Series.objects.get(name="Coppa, second half")
    assert where(made) == dict.fromkeys("ABCD", "Prima") | dict.fromkeys("EFGI", "Seconda")


def test_no_next_series_before_every_round_is_signed(ladder: Ladder, anna: Client) -> None:
    ladder.ride_both("1", "ABCD", "EFGH", official=False)

    answer = anna.get(ladder.url("series_next"))

    assert answer.status_code == 409
    assert "every round has to be signed" in answer.content.decode()
    assert ladder.url("series_next") not in page(anna, ladder.url())


def test_a_second_next_series_and_a_crowded_division_are_asked_about(ladder: Ladder, anna: Client) -> None:
    ladder.ride_both("1", "ABCD", "EFGH")
    url = ladder.url("series_next")
    to = {f"to-{ladder.entrants[code].pk}": "0" for code in "ABCDEFGH"} | {"name": "Again"}

    crowded = anna.post(url, to)
    sure = anna.post(url, to | {"sure": "on"})
    twice = anna.post(url, to)

    assert crowded.status_code == 422
    assert "Prima is too full: 8 ride in it" in crowded.content.decode()
    assert "Seconda is too empty: 0 ride in it" in crowded.content.decode()
    assert (sure.status_code, twice.status_code) == (302, 422)
    assert "Again follows it already" in twice.content.decode()
    assert crowded.content.decode().count('value="0" selected') == 8
    assert Series.objects.filter(name="Again").count() == 1


def test_the_next_series_of_an_archived_season_is_ridden_in_an_open_one(ladder: Ladder, anna: Client) -> None:
    ladder.ride_both("1", "ABCD", "EFGH")
    later = make.SeasonFactory(club=ladder.season.club, slug="2027", name="2027")
    ladder.season.archived_at = timezone.now()
    ladder.season.save()
    to = {f"to-{ladder.entrants[code].pk}": str("ABCDEFGH".index(code) // 4) for code in "ABCDEFGH"}

    assert ladder.url("series_next") in page(anna, ladder.url())
    answer = anna.post(ladder.url("series_next"), to | {"name": "Coppa delle Corse"})

    assert answer.status_code == 302
    assert Series.objects.get(season=later).follows == ladder.series


def test_teams_ride_on_as_the_teams_of_that_name_and_the_missing_one_is_told(cast: Cast, anna: Client) -> None:
    old, new = (make.SeasonFactory(club=cast.club, slug=slug, name=slug) for slug in ("2026", "2027"))
    colours = ("white", "blue", "green", "yellow", "purple", "white")
    patterns = ("plain",) * 5 + ("hoops",)
    teams = [
        make.TeamFactory(season=old, name=f"{letter} team", colour=colour, pattern=pattern)
        for letter, colour, pattern in zip("ABCDEF", colours, patterns, strict=True)
    ]
    for letter, colour in zip("ABCDE", colours, strict=False):
        make.TeamFactory(season=new, name=f"{letter} Team", colour=colour)
    made = series.new_series(old, series.SeriesPlan(name="Teams", game="breaking_away", entered="teams"))
    series.set_entrants(made, EntrantsPlan(teams=teams))
    prima, seconda = set_divisions(made, DivisionsPlan(come=["Prima", "Seconda"], promoted=1, relegated=1))
    ours = Ladder(made, {}, {}, cast.anna, prima, seconda)
    ours.ride_both("1", "ABC", "DEF")

    proposed = proposal(tables_of(made), new)
    following = next_series(made, new, NextPlan(name="Teams", to={}), sure=True)

    assert [place.why_not for place in proposed.places if place.to is None] == [
        "2027 has no team F team. Make it first, if it rides on."
    ]
    assert where(following) == {"A": "Prima", "B": "Prima", "D": "Prima", "C": "Seconda", "E": "Seconda"}
    assert {one.team.season for one in following.entrants.select_related("team__season") if one.team} == {new}


def test_a_proposal_of_a_plain_series_is_refused(coppa: Coppa) -> None:
    coppa.ride("1", "A1 B1 C1 D1 A2 B2 C2 D2")

    with pytest.raises(Refused, match="has no divisions"):
        proposal(tables_of(coppa.series), coppa.season)
    assert divisions.crowds(coppa.series) == []


def test_the_calendar_on_telephones_tells_the_division(ladder: Ladder, client: Client) -> None:
    series.new_rounds(ladder.series, RoundPlan(number="1", starts_at=FIRST_EVENING, setup=SHORT))

    body = client.get(ladder.url("series_ics")).content.decode()

    assert "SUMMARY:Coppa delle Corse\\, Prima\\, Round 1a" in body
    assert "SUMMARY:Coppa delle Corse\\, Seconda\\, Round 1b" in body


def test_what_the_next_round_could_bring_is_offered_while_one_is_to_come(ladder: Ladder, client: Client) -> None:
    ladder.ride_both("1", "ABCD", "EFGH")
    link = ladder.url("what_if", ladder.entrants["A"].pk)
    over = page(client, ladder.url())

    series.new_rounds(ladder.series, RoundPlan(number="2", starts_at=FIRST_EVENING, setup=SHORT))

    assert link not in over
    assert link in page(client, ladder.url())
