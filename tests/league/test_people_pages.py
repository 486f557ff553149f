"""Club, season, team, start list, rider and player as everybody sees them after three stages of the worked example."""

import csv
import html
import io
import json
import re
from datetime import date, timedelta
from http import HTTPStatus

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from league import recount, results, roster
from league.models import Campaign
from tests import factories as make
from tests.conftest import Cast
from tests.evening import Evening
from tests.league.printed import printed


@pytest.fixture
def ridden(evening: Evening) -> Evening:
    return evening.ride("1", "2", "3")


def addresses(evening: Evening) -> dict[str, str]:
    club, season = evening.club.slug, evening.season.slug
    return {
        "home": reverse("home"),
        "club": reverse("club", args=[club]),
        "season": reverse("season", args=[club, season]),
        "team": reverse("team", args=[club, season, evening.teams["blue"].pk]),
        "riders": evening.campaign.url("riders"),
        "rider": evening.campaign.url("rider", 21),
        "player": evening.players["C"].get_absolute_url(),
        "table csv": reverse("season_table", args=[club, season, "teams", "csv"]),
        "table json": reverse("season_table", args=[club, season, "players", "json"]),
    }


def text_of(client: Client, url: str) -> str:
    """The words of a page, parts apart, white space folded."""
    body = client.get(url).content.decode()
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", body[body.index("<main") :])).split())


def test_everybody_may_look_and_a_second_look_costs_nothing(client: Client, ridden: Evening) -> None:
    for name, url in addresses(ridden).items():
        first = client.get(url)
        assert first.status_code == HTTPStatus.OK, name
        assert client.get(url).content == first.content, name
        again = client.get(url, headers={"if-none-match": first.headers["ETag"]})
        assert again.status_code == HTTPStatus.NOT_MODIFIED, name


def test_a_closed_club_shows_none_of_it(client: Client, ridden: Evening) -> None:
    ridden.club.is_public = False
    ridden.club.save()

    for name, url in addresses(ridden).items():
        if name == "home":
            assert "Lanterna" not in text_of(client, url)
        else:
            assert client.get(url).status_code == HTTPStatus.NOT_FOUND, name


def test_home_and_club_say_who_wears_pink(client: Client, ridden: Evening) -> None:
    urls = addresses(ridden)

    assert "Chiara Venn wears pink" in text_of(client, urls["home"])
    club = text_of(client, urls["club"])
    assert "Venn" in club
    assert "in pink since stage 2" in club
    assert "Next: stage 4, La Vetta" in club


def test_pink_is_on_no_page_while_nobody_wears_it(client: Client, evening: Evening) -> None:
    for name, url in addresses(evening).items():
        if name.startswith("table"):
            continue
        page = client.get(url).content.decode()
        assert not re.search(r'class="cloth[ "]', re.sub(r"<[^>]*data-j=[^>]*>", "", page)), name
        assert 'href="#jersey-pink"' not in page, name


@pytest.mark.rule("GI-D1-07", "GI-D4-02")
def test_the_rider_in_pink_has_his_evenings_places_and_energy(client: Client, ridden: Evening) -> None:
    said = text_of(client, addresses(ridden)["rider"])

    assert "In pink since stage 2" in said
    assert "Turn 12, the winner's · energy 9" in said
    assert "bonus +1" in said
    assert "starts with 37 energy" in said
    assert "2 of 3 so far" in said


@pytest.mark.rule("GI-D1-04", "GI-D1-05")
@pytest.mark.parametrize(("bib", "why"), [(12, "too late"), (22, "lap")])
def test_riders_who_are_out_keep_their_page_and_their_reason(
    client: Client, ridden: Evening, bib: int, why: str
) -> None:
    said = text_of(client, ridden.campaign.url("rider", bib))

    assert why in said.lower()
    assert "Pianura" in said


def test_the_start_list_says_who_still_rides(client: Client, ridden: Evening) -> None:
    said = text_of(client, addresses(ridden)["riders"])

    for rider in ridden.riders.values():
        assert rider.name in said
    assert "lapped" in said


def test_a_rider_who_is_not_on_the_list_is_not_found(client: Client, ridden: Evening) -> None:
    assert client.get(ridden.campaign.url("rider", 99)).status_code == HTTPStatus.NOT_FOUND


def test_a_draft_is_on_none_of_these_pages(client: Client, ridden: Evening) -> None:
    cells = {f"energy-{rider.pk}": "97" for rider in ridden.riders.values()}
    before = {name: client.get(url).content for name, url in addresses(ridden).items()}

    results.type_cells(ridden.stages["4"], ridden.organiser, cells, {})

    assert {name: client.get(url).content for name, url in addresses(ridden).items()} == before


def test_season_tables_are_the_same_on_page_csv_and_json(client: Client, ridden: Evening) -> None:
    season = [ridden.club.slug, ridden.season.slug]
    page = printed(client.get(reverse("season", args=season)).content)
    for table in ("teams", "players"):
        text = client.get(reverse("season_table", args=[*season, table, "csv"])).content.decode("utf-8-sig")
        rows = list(csv.DictReader(io.StringIO(text)))
        told = json.loads(client.get(reverse("season_table", args=[*season, table, "json"])).content)["rows"]
        shown = page.tables[table]

        assert len(rows) == len(told) == len(shown) > 0
        for one, other, line in zip(rows, told, shown, strict=True):
            assert {k: v for k, v in one.items() if v} == {k: str(v) for k, v in other.items() if v is not None}
            for key in ("place", "points"):
                assert line[key].value == one[key]


def test_a_transfer_moves_no_point_that_was_won(client: Client, evening: Evening) -> None:
    evening.ride("1")
    url = reverse("season_table", args=[evening.club.slug, evening.season.slug, "teams", "json"])

    def points() -> dict[str, int]:
        return {row["team"]: row["points"] for row in json.loads(client.get(url).content)["rows"]}

    assert points() == {"White": 15, "Blue": 11, "Green": 10}
    roster.transfer(
        evening.season, evening.players["A"], evening.teams["green"], evening.stages["1"].day + timedelta(1)
    )
    Campaign.objects.update(counted_revision=0)
    recount.count(evening.campaign.pk)
    assert points() == {"White": 15, "Blue": 11, "Green": 10}

    evening.ride("2")
    assert points()["Green"] == 10 + 6 + 5 + 4  # Marchetti 3rd, Sarti 4th (for Green now), Quist 5th


def test_a_merged_player_leads_to_the_kept_one_with_all_his_starts(client: Client, ridden: Evening) -> None:
    gone, keep = ridden.players["A"], ridden.players["C"]
    roster.merge(keep, gone, is_sure=True)

    answer = client.get(gone.get_absolute_url())

    assert answer.status_code == HTTPStatus.MOVED_PERMANENTLY
    assert answer.headers["Location"] == keep.get_absolute_url()
    said = text_of(client, keep.get_absolute_url())
    assert "Starts 6" in said
    assert "Evenings in pink 3" in said


def test_namesakes_have_pages_of_their_own_and_who_left_keeps_his(client: Client, ridden: Evening, cast: Cast) -> None:
    one, other = (make.PlayerFactory(club=cast.club, name="Jan Jansen") for _n in range(2))

    assert one.get_absolute_url() != other.get_absolute_url()
    assert "Another of this name" in text_of(client, one.get_absolute_url())

    roster.change_player(ridden.players["C"], name="Player C", note="", user=None, has_left=True)
    assert "Stage wins 1" in text_of(client, ridden.players["C"].get_absolute_url())


def test_a_hostile_name_is_only_a_name(client: Client, evening: Evening) -> None:
    rider = evening.riders["C"]
    rider.name = "</script><b>x"
    rider.save()
    player = evening.players["C"]
    player.name = "=cmd|'/c calc'!A1"
    player.save()
    evening.ride("1", "2")

    for name, url in addresses(evening).items():
        body = client.get(url).content.decode("utf-8-sig")
        if name.startswith("table"):
            continue
        assert "<b>x" not in body, name
    rows = client.get(reverse("season_table", args=[evening.club.slug, evening.season.slug, "players", "csv"]))
    assert ",=cmd" not in rows.content.decode()
    assert "'=cmd" in rows.content.decode()


def test_no_page_asks_more_of_the_database_for_a_larger_club(client: Client, ridden: Evening) -> None:
    def cost() -> dict[str, int]:
        found = {}
        for name, url in addresses(ridden).items():
            client.get(url)
            with CaptureQueriesContext(
                connection,
            ) as asked:
                client.get(url)
            found[name] = len(asked)
        return found

    few = cost()
    for n in range(30):
        make.PlayerFactory(club=ridden.club, name=f"Newcomer {n}")
    for n in range(4):
        season = make.SeasonFactory(
            club=ridden.club, name=f"Season {n}", starts_on=date(2020 + n, 1, 1), ends_on=date(2020 + n, 12, 1)
        )
        for m in range(3):
            campaign = make.CampaignFactory(season=season, name=f"Giro {n}{m}")
            make.StageFactory(campaign=campaign, order=1)
            make.RiderFactory(campaign=campaign, bib=1, player=ridden.players["C"])
    for n in range(6):
        make.RiderFactory(campaign=ridden.campaign, bib=40 + n, draft_order=40 + n)
        make.StageFactory(campaign=ridden.campaign, number=str(6 + n), order=6 + n)
    for _n in range(5):
        make.ClubFactory()

    assert cost() == few


def test_a_new_club_leads_its_organiser_step_by_step_and_strangers_see_nothing_of_it(
    client: Client, cast: Cast
) -> None:
    dino = Client()
    dino.force_login(cast.dino)
    url = reverse("club", args=[cast.other_club.slug])

    def done() -> str:
        said = text_of(dino, url)
        return said[said.index("To the first result") :].split("To the first result")[1].split()[0]

    assert "To the first result" not in text_of(client, url)
    assert done() == "0"
    season = make.SeasonFactory(club=cast.other_club, starts_on=date(2026, 1, 1), ends_on=date(2030, 1, 1))
    assert done() == "1"
    team = make.TeamFactory(season=season)
    assert done() == "2"
    player = make.PlayerFactory(club=cast.other_club)
    assert done() == "3"
    make.TeamSpellFactory(team=team, player=player)
    assert done() == "4"
    campaign = make.CampaignFactory(season=season)
    assert done() == "5"
    make.RiderFactory(campaign=campaign, player=player)
    assert done() == "6"
    make.StageFactory(campaign=campaign, order=1)
    assert done() == "7"


def test_an_address_that_nobody_has_is_not_found_and_nonsense_is_the_first_page(
    client: Client, evening: Evening
) -> None:
    club, season, huge = evening.club.slug, evening.season.slug, 10**23

    for url in (
        reverse("player", args=[club, huge]),
        reverse("team", args=[club, season, huge]),
        evening.campaign.url("rider", huge),
        reverse("player", args=["dobbel", evening.players["A"].pk]),  # of another club
    ):
        assert client.get(url).status_code == HTTPStatus.NOT_FOUND, url
    for page in ("x", "-1", str(huge), "\x00"):
        assert client.get(reverse("home"), {"page": page}).status_code == HTTPStatus.OK
