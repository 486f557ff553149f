"""An organiser makes a series: its rules, who rides, its rounds."""

import pytest
from django.test import Client

from league import series
from league.campaigns import Faulty
from league.errors import Refused
from league.models import Round, Series
from league.series import EntrantsPlan, RoundPlan, SeriesPlan
from tests import factories as make
from tests.conftest import Cast
from tests.factories import FIRST_EVENING
from tests.league.series.club import SHORT, Coppa

ROUND = {"number": "1", "name": "Prologo", "day": "2026-02-05", "time": "19:30", "place": "", "way": "paper"} | SHORT
OPTIONS = {
    "breaking_away-variant": "standard", "breaking_away-turn_mode": "sequential", "breaking_away-hands": "secret",
    "breaking_away-end_mode": "immediate", "breaking_away-after_finish": "ride_on",
    "breaking_away-madison_ratings": "free", "breaking_away-madison_distance": "laps",
}  # fmt: skip


@pytest.fixture
def anna(cast: Cast) -> Client:
    client = Client()
    client.force_login(cast.anna)
    return client


def test_an_organiser_goes_from_nothing_to_a_published_round_by_the_pages_alone(cast: Cast, anna: Client) -> None:
    season = make.SeasonFactory(club=cast.club, slug="2026")
    people = [make.PlayerFactory(club=cast.club, name=name) for name in ("Ada", "Bice", "Ciro")]
    new = f"/c/{cast.club.slug}/season/{season.slug}/series/new/"
    told = {"name": "Coppa", "game": "breaking_away", "entered": "players", "points": "10, 7, 5", "bonus": "1"}
    told["counting"] = "points"

    anna.post(new, told | {"drop_one_in": "4"})
    made = Series.objects.get()
    anna.post(
        made.url("series_entrants"), {f"come-{player.pk}": "on" for player in people} | {"bots": "1", "level": "easy"}
    )
    anna.post(made.url("round_new"), ROUND | OPTIONS)
    sheet = made.url("round_sheet", "1")
    answer = anna.post(
        sheet, {"line-1": "B1 A1 C1 A2 B2 C2 A3 B3", "line-2": "A1 B1 C1 A2 B2 C2 A3 B3", "publish": "1"}
    )

    assert answer.status_code == 302, answer.content.decode()
    assert [entrant.code for entrant in made.entrants.all()] == ["A", "B", "C", "BO"]
    page = anna.get(made.get_absolute_url()).content.decode()
    assert "Ada leads" in page or "Bice leads" in page
    assert "Provisional" in page


def test_letters_are_proposed_from_the_name_and_never_twice(db: None) -> None:
    assert series.propose_code("Zoë", []) == "Z"
    assert series.propose_code("Anna", ["A"]) == "AN"
    assert series.propose_code("李", ["X"]) == "A"
    assert series.propose_code("A", ["A"]) == "B"


def test_who_has_ridden_stays_and_rides_no_more(coppa: Coppa) -> None:
    coppa.ride("1", "A1 B1 C1 D1 A2 B2 C2 D2")
    dora = coppa.entrants["D"]

    series.set_entrants(coppa.series, EntrantsPlan(gone=[dora.pk]))

    dora.refresh_from_db()
    assert dora.left_at is not None
    with pytest.raises(Faulty, match="stands as A on published sheets"):
        series.set_entrants(coppa.series, EntrantsPlan(codes={coppa.entrants["A"].pk: "Q"}))


def test_who_has_not_ridden_goes_for_good_and_letters_may_be_exchanged(coppa: Coppa) -> None:
    a, b = coppa.entrants["A"], coppa.entrants["B"]

    series.set_entrants(coppa.series, EntrantsPlan(gone=[coppa.entrants["D"].pk], codes={a.pk: "B", b.pk: "A"}))

    assert [(e.code, e.name) for e in coppa.series.entrants.all()] == [("B", "Ada"), ("A", "Bice"), ("C", "Ciro")]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"points": [5, 7]}, "A better place never brings less"),
        ({"points": []}, "Give points to 1 to 40 places"),
        ({"drop_one_in": 1}, "One result in 2 to 99"),
        ({"game": "chess"}, "No series can be ridden in this game"),
        ({"name": " "}, "needs a name"),
        ({"slug": "No Such"}, "An address is small letters"),
    ],
)
def test_a_series_that_cannot_be_is_refused_in_words(db: None, change: dict[str, object], says: str) -> None:
    season = make.SeasonFactory()

    with pytest.raises(Faulty, match=says):
        series.new_series(season, SeriesPlan(**{"name": "Coppa", "game": "breaking_away"} | change))

    assert not Series.objects.exists()


def test_other_points_are_asked_about_once_results_are_published(coppa: Coppa, anna: Client) -> None:
    coppa.ride("1", "A1 B1 C1 D1 A2 B2 C2 D2")
    url = coppa.url("series_edit")
    told = {
        "name": "Coppa",
        "slug": coppa.series.slug,
        "game": "breaking_away",
        "entered": "players",
        "counting": "points",
        "points": "9 6 4",
        "bonus": "2",
    }

    asked = anna.post(url, told)
    coppa.series.refresh_from_db()
    before = coppa.series.points
    anna.post(url, told | {"sure": "on"})

    assert asked.status_code == 422
    assert "counted anew" in asked.content.decode()
    assert before == [10, 7, 5, 4, 3, 2, 1, 1, 1]
    coppa.series.refresh_from_db()
    assert (coppa.series.points, coppa.series.bonus, coppa.series.drop_one_in) == ([9, 6, 4], 2, None)


def test_a_round_keeps_its_road_once_its_result_is_published(coppa: Coppa) -> None:
    coppa.ride("1", "A1 B1 C1 D1 A2 B2 C2 D2")
    found = coppa.series.rounds.get(number="1")
    found.series = coppa.series
    plan = RoundPlan(number="1", starts_at=found.starts_at, setup={"breaking_away-course": "standard-100"})

    with pytest.raises(Faulty, match="course and options stay"):
        series.change_round(found, plan)
    with pytest.raises(Refused, match="stays in the series"):
        series.remove_round(found)

    moved = series.change_round(found, RoundPlan(number="1", starts_at=found.starts_at, setup=SHORT, place="Pub"))
    assert (moved.place, moved.calendar_sequence) == ("Pub", 1)


def test_what_is_wrong_with_a_round_is_said_and_what_was_typed_is_there(coppa: Coppa, anna: Client) -> None:
    told = ROUND | OPTIONS | {"day": "2031-02-05", "number": "x", "place": "Corner table"}

    answer = anna.post(coppa.url("round_new"), told | {"breaking_away-course": "own", "breaking_away-course_json": "{"})
    page = answer.content.decode()
    late = anna.post(coppa.url("round_new"), told)

    assert answer.status_code == 422
    assert "This is no JSON." in page
    assert 'value="Corner table"' in page
    assert late.status_code == 422
    assert "A round number is 1 to 3 figures" in late.content.decode()
    assert "Choose an evening in it" in late.content.decode()
    assert not Round.objects.exists()


def test_rounds_change_places_and_close_ranks(coppa: Coppa) -> None:
    one, two, three = (coppa.round(str(n), day=n) for n in (1, 2, 3))

    series.move_round(three, up=True)
    series.remove_round(one)

    assert list(coppa.series.rounds.values_list("number", "order")) == [("3", 1), ("2", 2)]
    assert two.starts_at.date() == FIRST_EVENING.replace(day=FIRST_EVENING.day + 2).date()


def test_the_next_round_is_proposed_with_the_road_of_the_last(coppa: Coppa, anna: Client) -> None:
    coppa.round("4", day=0, place="Pub")
    coppa.round("5", day=7, place="Pub")

    page = anna.get(coppa.url("round_new")).content.decode()

    assert 'value="6"' in page
    assert 'value="2026-02-19"' in page
    assert 'value="Pub"' in page
    assert 'name="breaking_away-course" value="kermesse-60" checked' in page


def unfolded(page: str) -> list[str]:
    """What the folds of a page are called that stand open."""
    return [part.split("<summary>")[1].split("</summary>")[0] for part in page.split("<details open>")[1:]]


def test_the_options_of_a_round_stand_open_only_where_something_is_chosen_there(coppa: Coppa, anna: Client) -> None:
    coppa.round("1")
    coppa.series.refresh_from_db()
    plain = unfolded(anna.get(coppa.url("round_edit", "1")).content.decode())
    again = unfolded(anna.get(coppa.url("round_new")).content.decode())
    refused = unfolded(anna.post(coppa.url("round_new"), ROUND | OPTIONS | {"number": "1"}).content.decode())

    anna.post(coppa.url("round_edit", "1"), ROUND | OPTIONS | {"breaking_away-overcrowding": "on"})
    chosen = unfolded(anna.get(coppa.url("round_edit", "1")).content.decode())
    madison = OPTIONS | {"breaking_away-variant": "madison"}
    anna.post(coppa.url("round_edit", "1"), ROUND | madison)
    ridden_in_pairs = unfolded(anna.get(coppa.url("round_edit", "1")).content.decode())

    assert (plain, again, refused) == ([], [], [])
    assert (chosen, ridden_in_pairs) == (["More options"], ["The Madison"])
