"""A season told on its pages: where its Giri stand, what every point came from, who changed teams; careers over several."""

import json
from datetime import UTC, date, datetime, timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from league import careers, clubs, recount, roster, season_tables
from league.book import of, open_book
from league.fronts import Front, books_of, foremost, honours
from league.models import Campaign, Season, SeasonStanding, Standing
from league.tables import gc_table
from tests import factories as make
from tests.conftest import Cast
from tests.evening import RIDERS, STAGES, Evening
from tests.league.giri import publish, to_the_end
from tests.league.printed import printed
from tests.league.test_people_pages import text_of


def season_url(evening: Evening) -> str:
    return reverse("season", args=[evening.club.slug, evening.season.slug])


def last_year(evening: Evening) -> Evening:
    """The season before, with a Giro of three stages; who rides A now rode E then, who rides C rode A."""
    season = make.SeasonFactory(
        club=evening.club, name="2025", slug="2025", starts_on=date(2025, 1, 1), ends_on=date(2025, 12, 31)
    )
    team = make.TeamFactory(season=season, name="Yellow", colour="yellow", pattern="hoops")
    for player in evening.players.values():
        make.TeamSpellFactory(team=team, player=player, first_day=date(2025, 1, 1))
    return another_giro(evening, season, datetime(2025, 3, 1, 18, 30, tzinfo=UTC))


def another_giro(evening: Evening, season: Season, first: datetime) -> Evening:
    """A Giro of three stages with the same players, each on the rider of another."""
    campaign = make.CampaignFactory(season=season, name="Giro delle Valli", slug="valli")
    turned = dict(zip("ABCDEF", "CDEFAB", strict=True))
    riders = {
        letter: make.RiderFactory(
            campaign=campaign,
            bib=bib,
            name=f"Old {letter}",
            speciality=speciality,
            player=evening.players[turned[letter]],
            draft_order=draft,
        )
        for draft, (letter, bib, _name, speciality, _colour) in enumerate(sorted(RIDERS), 1)
    }
    stages = {
        number: make.StageFactory(
            campaign=campaign,
            number=number,
            order=order,
            name=name,
            course=course,
            kind=kind,
            starts_at=first + timedelta(days=14 * (order - 1)),
        )
        for order, (number, name, course, kind) in enumerate(STAGES[:3], 1)
    }
    other = Evening(evening.club, season, campaign, riders, {}, stages, evening.players, evening.organiser)
    return other.ride("1", "2", "3")


# ---- where a Giro stands ---------------------------------------------------------------------------------------------
def test_a_giro_is_planned_then_under_way_then_over(client: Client, evening: Evening) -> None:
    assert "planned, from Thu 5 February" in text_of(client, season_url(evening))

    evening.ride("1")
    assert "after stage 1 of 5" in text_of(client, season_url(evening))

    evening.ride("2", "3")
    to_the_end(evening)
    said = text_of(client, season_url(evening))
    assert "over after stage 5" in said
    assert "won the Giro" in said


def test_a_front_page_speaks_of_the_giro_under_way_also_when_another_ended_later(evening: Evening) -> None:
    another_giro(evening, evening.season, timezone.now())
    evening.ride("1")
    books = books_of(Campaign.objects.select_related("season__club"))

    first = foremost([Front(book) for book in books.values()])

    assert first is not None
    assert first.campaign == evening.campaign


def test_the_worth_of_the_seasons_tables_is_that_of_their_weakest_stage(client: Client, evening: Evening) -> None:
    evening.ride("1")
    assert 'data-s="official"' in client.get(season_url(evening)).content.decode()

    evening.ride("2", official=False)
    page = client.get(season_url(evening)).content.decode()
    assert 'data-s="provisional"' in page
    assert 'data-s="official"' not in page


def test_while_a_giro_is_recounted_the_season_says_that_its_tables_are_from_before(
    client: Client, evening: Evening
) -> None:
    evening.ride("1")
    Campaign.objects.update(revision=99)

    assert "being recounted" in text_of(client, season_url(evening))
    assert client.get(season_url(evening), headers={"HX-Request": "true"}).status_code == 204


# ---- the tables ------------------------------------------------------------------------------------------------------
def test_every_cell_of_the_season_is_the_same_on_the_page_and_in_json(client: Client, evening: Evening) -> None:
    player = evening.players["C"]
    player.note = "Rotterdam"
    player.save()
    evening.ride("1", "2", "3")
    page = printed(client.get(season_url(evening)).content)

    for table in ("teams", "players"):
        url = reverse("season_table", args=[evening.club.slug, evening.season.slug, table, "json"])
        rows = json.loads(client.get(url).content)["rows"]
        assert [{k: str(v) for k, v in row.items() if v is not None} for row in rows] == [
            {key: cell.value for key, cell in line.items()} for line in page.tables[table]
        ]


def test_the_points_of_a_team_say_which_stage_which_rider_and_which_place(client: Client, evening: Evening) -> None:
    evening.ride("1", "2")

    said = text_of(client, season_url(evening))

    assert "Giro d'Inverno, stage 1, Pianura : Sarti placed 1 (10), Kessel placed 4 (5) 15" in said
    assert "Giro d'Inverno, stage 2, Cronometro : Kessel placed 2 (8), Sarti placed 4 (5) 13" in said


def test_a_rider_without_a_place_stands_in_the_points_with_nothing(evening: Evening) -> None:
    evening.ride("1", "2", "3")
    books = books_of(Campaign.objects.filter(season=evening.season).select_related("season__club"))
    rows = season_tables.standings_of(evening.season)["teams"]

    line = season_tables.season_table("teams", rows, books).line_of(evening.teams["white"])

    assert line is not None
    assert line.days[2].says == "Sarti placed 3 (6), Kessel without a place"
    assert sum(day.points for day in line.days) == line.cells["points"]


def facts(**values: object) -> dict[str, object]:
    return {"decided_by": None, "decided_against": None, "decided_values": None, "decided_place": None, **values}


@pytest.mark.parametrize(
    ("row", "below", "shares", "says"),
    [
        (facts(), None, False, "Most points: 23"),
        (facts(), None, True, "Equal in points and places: the rank is shared"),
        (facts(decided_by="points", decided_against=2, decided_values=[10, 18]), None, False, "8 points behind Blue"),
        (
            facts(decided_by="wins", decided_against=2, decided_values=[1, 2]),
            None,
            False,
            "Level with Blue; fewer stages won, 1 to 2",
        ),
        (
            facts(),
            facts(decided_by="wins", decided_against=1, decided_values=[1, 2]),
            False,
            "Level with Blue; more stages won, 2 to 1",
        ),
        (
            facts(),
            facts(decided_by="places", decided_against=1, decided_values=[0, 3], decided_place=2),
            False,
            "Level with Blue; placed 2 more often, 3 to 0",
        ),
        (
            facts(decided_by="places", decided_against=2, decided_values=[0, 3], decided_place=2),
            None,
            False,
            "Level with Blue; placed 2 less often, 0 to 3",
        ),
    ],
)
def test_the_reason_of_a_rank_names_what_decided_it(
    row: dict[str, object], below: dict[str, object] | None, shares: bool, says: str
) -> None:
    own = SeasonStanding(team_id=1, rank=1, points=23, facts=row)
    other = SeasonStanding(team_id=2, rank=2, points=23, facts=below) if below else None

    assert season_tables.season_reason(own, other, shares, {1: "White", 2: "Blue"}).text == says


def test_a_stage_taken_out_since_the_last_count_breaks_no_page(client: Client, evening: Evening) -> None:
    evening.ride("1")
    row = SeasonStanding.objects.filter(season=evening.season, classification="teams").first()
    assert row is not None
    row.facts["parts"].append({"stage": 10**9, "rider": evening.riders["A"].pk, "place": 1, "points": 10})
    row.save()

    assert client.get(season_url(evening)).status_code == 200


# ---- teams and transfers ---------------------------------------------------------------------------------------------
def test_a_transfer_is_told_and_the_teams_show_who_rides_for_them_now(client: Client, evening: Evening) -> None:
    evening.ride("1")
    day = evening.stages["1"].day + timedelta(days=2)
    roster.transfer(evening.season, evening.players["A"], evening.teams["green"], day)

    said = text_of(client, season_url(evening))

    assert "Player A White to Green" in said
    assert "Green Player A , Player D , Player E" in said


def test_a_season_tells_comings_goings_and_transfers_but_not_its_first_day(evening: Evening) -> None:
    season, white, blue = evening.season, evening.teams["white"], evening.teams["blue"]
    roster.transfer(season, evening.players["A"], blue, date(2026, 3, 1))
    roster.transfer(season, evening.players["A"], None, date(2026, 4, 1))
    late = make.PlayerFactory(club=evening.club)
    roster.transfer(season, late, white, date(2026, 5, 1))

    told = careers.moves(season, careers.spells_in(season))

    assert [(m.day, m.player, m.old, m.new) for m in told] == [
        (date(2026, 5, 1), late, None, white),
        (date(2026, 4, 1), evening.players["A"], blue, None),
        (date(2026, 3, 1), evening.players["A"], white, blue),
    ]


def test_a_teams_page_keeps_what_was_ridden_for_it_after_the_rider_has_gone(client: Client, evening: Evening) -> None:
    evening.ride("1")
    day = evening.stages["1"].day + timedelta(days=1)
    roster.transfer(evening.season, evening.players["A"], evening.teams["green"], day)
    evening.ride("2")

    white = text_of(client, reverse("team", args=[evening.club.slug, evening.season.slug, evening.teams["white"].pk]))

    assert "Amedeo Sarti won the stage 10" in white
    assert "Amedeo Sarti placed 4" not in white  # stage 2, for Green
    assert "Player A 1 Jan 2026 – 5 Feb 2026 before" in white


def test_a_rider_after_a_transfer_rides_for_the_new_team_and_his_past_names_the_old_one(
    client: Client, evening: Evening
) -> None:
    evening.ride("1")
    roster.transfer(evening.season, evening.players["A"], evening.teams["green"], date(2026, 2, 10))

    url = evening.campaign.url("rider", 11)

    assert 'data-j="green"' not in client.get(url).content.decode()  # he wears pink
    assert "Rider · Green · type rouleur" in text_of(client, url)
    assert "for White" in text_of(client, url)


def test_a_rider_without_a_team_has_a_plain_cloth_that_is_not_pink(client: Client, cast: Cast) -> None:
    season = make.SeasonFactory(club=cast.club)
    rider = make.RiderFactory(campaign=make.CampaignFactory(season=season), bib=7)

    page = client.get(rider.campaign.url("rider", 7)).content.decode()

    assert 'class="cloth full" data-j="none"' in page
    assert "Rides alone" in page


# ---- careers ---------------------------------------------------------------------------------------------------------
def test_a_career_goes_over_all_seasons_and_counts_what_the_tables_say(client: Client, evening: Evening) -> None:
    evening.ride("1", "2", "3")
    last_year(evening)

    career = careers.career_of(evening.players["C"])  # in pink now as C; A's way last year: one stage, one evening

    assert [ride.campaign.name for ride in career.rides] == ["Giro d'Inverno", "Giro delle Valli"]
    assert [ride.nights for ride in career.rides] == [[False, True, True], [True, False, False]]
    assert [[stage.number for stage in ride.wins] for ride in career.rides] == [["2"], ["1"]]
    assert (career.evenings_in_pink, career.stage_wins, career.starts, career.giri) == (3, 2, 6, 2)
    assert career.giri_won == 0
    said = text_of(client, evening.players["C"].get_absolute_url())
    assert "In pink since stage 2 of Giro d'Inverno" in said
    assert "1 of 3" in said


def test_who_won_a_giro_has_won_it_for_good(client: Client, evening: Evening) -> None:
    old = last_year(evening)

    career = careers.career_of(evening.players["E"])  # rode as C then

    assert career.giri_won == 1
    assert career.in_pink is None  # that Giro is over: nobody rides in pink tonight
    assert 'class="cloth full"' not in client.get(evening.players["E"].get_absolute_url()).content.decode()
    assert "Won the Giro delle Valli" in text_of(client, old.campaign.url("rider", 21))


def test_starts_are_the_same_on_a_players_page_and_in_the_roster(evening: Evening) -> None:
    evening.ride("1", "2", "3")
    players = list(evening.players.values())

    known = {k.player.pk: k.starts for k in roster.know(players, evening.club)}

    assert known == {player.pk: careers.career_of(player).starts for player in players}


@pytest.mark.rule("GI-D1-08")
def test_an_evening_that_left_nobody_is_no_evening_in_pink(evening: Evening) -> None:
    evening.ride("1")
    publish(evening, "2", {f"status-{rider.pk}": "dnf" for rider in evening.riders.values()})

    (ride,) = careers.career_of(evening.players["A"]).rides

    assert ride.nights == [True, False]
    assert ride.won
    assert Front(ride.book).where == "over after stage 2"


@pytest.mark.rule("GI-D1-08")
def test_the_boxes_of_the_evenings_in_pink_are_as_many_as_are_counted(evening: Evening) -> None:
    """Sarti takes pink in stage 1, stage 2 leaves nobody: one evening, in the number and in the boxes."""
    evening.ride("1")
    publish(evening, "2", {f"status-{rider.pk}": "dnf" for rider in evening.riders.values()})

    lines = gc_table(open_book(evening.campaign, wanted=of(Standing.GC))).lines

    assert [sum(line.nights) for line in lines] == [line.cells["evenings_in_pink"] for line in lines]
    assert sum(sum(line.nights) for line in lines) == 1


def test_the_archive_remembers_who_wore_pink_in_the_end(client: Client, evening: Evening) -> None:
    old = last_year(evening)
    clubs.archive(old.season, archived=True)

    said = text_of(client, evening.club.get_absolute_url())

    assert "Archive 2025 Giro delle Valli" in said
    assert "21 Old C" in said
    assert "Yellow wins 2025" in text_of(client, season_url(old))
    assert "nothing changes any more" in text_of(client, season_url(old))
    assert "Between seasons" not in said


def test_nobody_is_honoured_where_the_latest_stage_left_nobody_in_pink(evening: Evening) -> None:
    evening.ride("1", "2")
    Standing.objects.filter(stage=evening.stages["2"], classification=Standing.GC).update(in_pink=False)

    assert honours(Campaign.objects.all()) == {}


def test_a_result_that_is_missing_gives_no_place_and_no_start_energy(client: Client, evening: Evening) -> None:
    evening.ride("1")
    result = evening.stages["1"].sheet.results.get(rider=evening.riders["B"])
    result.status, result.turn, result.place, result.energy = "unresolved", None, None, None
    result.save()
    Campaign.objects.update(counted_revision=0)
    recount.count(evening.campaign.pk)

    said = text_of(client, evening.campaign.url("rider", 12))

    assert "No result of stage 1 yet" in said
    assert "start energy not known yet" in said
    assert "no result yet" in text_of(client, evening.campaign.url("riders"))


# ---- who sees what, and what it costs --------------------------------------------------------------------------------
def test_only_the_organiser_finds_ways_to_change_things_and_none_in_the_archive(
    client: Client, evening: Evening, cast: Cast
) -> None:
    evening.ride("1")
    urls = [
        season_url(evening),
        reverse("team", args=[evening.club.slug, evening.season.slug, evening.teams["blue"].pk]),
        evening.campaign.url("riders"),
    ]
    changing = ("/transfer/", "/teams/new/", "/startlist/", f"/teams/{evening.teams['blue'].pk}/edit/", "campaigns/new")

    def ways() -> set[str]:
        pages = "".join(client.get(url).content.decode() for url in urls)
        return {way for way in changing if way in pages}

    assert ways() == set()
    client.force_login(cast.carla)
    assert ways() == set()
    client.force_login(cast.anna)
    assert ways() == set(changing)
    clubs.archive(evening.season, archived=True)
    assert ways() == set()
    assert "Open it again" in text_of(client, season_url(evening))


def test_ridden_seasons_cost_no_more_queries_than_one(client: Client, evening: Evening) -> None:
    evening.ride("1")
    player, rider = evening.players["C"].get_absolute_url(), evening.campaign.url("rider", 21)
    team = reverse("team", args=[evening.club.slug, evening.season.slug, evening.teams["blue"].pk])
    urls = [evening.club.get_absolute_url(), season_url(evening), player, rider, team, reverse("home")]

    def cost() -> list[int]:
        found = []
        for url in urls:
            with CaptureQueriesContext(connection) as asked:
                assert client.get(url).status_code == 200
            found.append(len(asked))
        return found

    few = cost()
    last_year(evening)
    another_giro(evening, evening.season, datetime(2026, 5, 1, 18, 30, tzinfo=UTC))
    evening.ride("2", "3")

    assert cost() == few
    assert max(few) <= 16


def test_the_setup_path_ends_with_the_first_result(client: Client, evening: Evening, cast: Cast) -> None:
    client.force_login(cast.anna)
    url = evening.club.get_absolute_url()
    Season.objects.update(ends_on=date(2099, 1, 1))

    page = client.get(url).content.decode()
    assert evening.campaign.url("sheet", "1") in page
    assert "Enter the first result" in page

    evening.ride("1")
    page = client.get(url).content.decode()
    assert "To the first result" not in page
    assert evening.campaign.url("sheet", "2") in page
