"""The demo club is a season in mid-Giro, made by the domain's own calls, and true."""

from datetime import date, timedelta

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client

from league.demo import LOGINS, PASSWORD, make_demo
from league.loading import load
from league.models import Campaign, Player, Result, Ruling, SeasonStanding, Standing, Team, TeamSpell
from league.series_table import table_of, tables_of
from league.series_times import times_of
from races import play
from races.lobby import lists
from races.models import Race


@pytest.fixture
def giro(db: None) -> Campaign:
    make_demo()
    return Campaign.objects.get(slug="giro-dinverno")


def test_it_is_in_the_middle_of_five_stages_with_eight_players_and_three_teams(giro: Campaign) -> None:
    states = [getattr(getattr(stage, "sheet", None), "state", "none") for stage in giro.stages.select_related("sheet")]

    assert states == ["official", "official", "official", "none", "none"]
    assert Player.objects.count() == 8
    assert Team.objects.filter(season=giro.season).count() == 3
    assert giro.stages.filter(kind="itt").exists()


def test_venn_wears_pink_by_the_rules_and_not_by_decree(giro: Campaign) -> None:
    giro.refresh_from_db()
    stored = Standing.objects.filter(campaign=giro, classification=Standing.GC, stage__number="3")

    wearer = stored.get(in_pink=True)
    assert wearer.rider is not None
    assert wearer.rider.name == "Chiara Venn"
    fresh = load(giro).classify()[-1]
    assert [(r.rider_id, r.rank, r.value) for r in stored] == [(r.rider, r.rank, r.score) for r in fresh.gc]


def test_it_has_a_transfer_an_abandon_a_penalty_and_a_correction(giro: Campaign) -> None:
    haddad = giro.riders.get(name="Noor Haddad")

    assert TeamSpell.objects.filter(player=haddad.player, team__season=giro.season).count() == 2
    assert [r.team and r.team.name for r in Result.objects.filter(rider=haddad).order_by("sheet__stage__order")] == [
        "White", "Green", "Green",
    ]  # fmt: skip
    assert Result.objects.filter(rider__name="Bram Kessel", status="dnf").exists()
    assert set(Ruling.objects.values_list("kind", flat=True)) == {"correction", "penalty"}
    assert giro.stages.get(number="2").sheet.stamp == "revised"
    assert SeasonStanding.objects.filter(season=giro.season).exists()


def test_a_points_series_is_three_rounds_old_with_a_correction_and_a_bot(giro: Campaign) -> None:
    coppa = giro.season.series.get(slug="coppa-del-molo")

    assert [round_.stamp for round_ in coppa.rounds.all()] == ["official", "revised", "provisional", "draft", "draft"]
    table = table_of(coppa)
    assert [bot.name for bot in table.bots] == ["Bot 1"]
    assert [(line.entrant.name, line.points) for line in table.lines][0] == ("Pieter Vos", "19")


def test_a_series_in_two_divisions_follows_the_one_of_last_season(giro: Campaign) -> None:
    fari = giro.season.series.get(slug="serie-dei-fari")
    prima, seconda = tables_of(fari).tables

    assert fari.follows is not None
    assert fari.follows.season.is_archived
    assert {line.entrant.name: line.came for line in (*prima.lines, *seconda.lines) if line.came} == {
        "Aiko Tanaka": "Came up from Seconda", "Pieter Vos": "Came down from Prima",
    }  # fmt: skip
    moving = {line.entrant.name: line.moving.words for line in (*prima.lines, *seconda.lines) if line.moving}
    assert list(moving.values()) == ["Would go down to Seconda", "Would go up to Prima"]
    assert [round_.stamp for round_ in fari.rounds.all()] == ["official"] * 2 + ["provisional"] * 2 + ["draft"] * 2


def test_a_stage_race_of_breaking_away_is_two_stages_old(giro: Campaign) -> None:
    table = times_of(giro.season.series.get(slug="giro-del-porto"))

    assert [round_.stamp for round_ in table.rounds] == ["official", "provisional", "draft"]
    assert table.headline == "J1 of Jonas Petrik leads by 0:30"
    assert len(table.general.riders) == 16


def test_a_friendly_is_on_the_road_and_waits_for_marta_and_another_waits_for_riders(giro: Campaign) -> None:
    running, waiting = Race.objects.get(key="demo-colli"), Race.objects.get(key="demo-vetta")
    marta = User.objects.get(first_name="Marta Oyelaran")

    away = Race.objects.get(key="demo-criterium-125")
    assert {line.race for line in lists(marta, {}).waiting} == {running, away}
    assert [(seat.label, seat.bot) for seat in running.seats.all()] == [
        ("Marta Oyelaran", ""), ("Jonas Petrik", ""), ("Bot C", "club"), ("Bot D", "easy"),
    ]  # fmt: skip
    assert running.n >= 70
    assert sum(seat.is_free for seat in waiting.seats.all()) == 2
    table = play.look(running)
    state, opened = play.rebuilt(running)
    assert (state, opened) == (table.state, table.opened)


@pytest.mark.parametrize("day", [date(2026, 1, 1) + timedelta(days=n) for n in range(0, 366, 61)])
def test_it_can_be_made_on_any_day_of_the_year(db: None, day: date) -> None:
    club = make_demo(day)

    season = club.seasons.get(archived_at=None)
    assert season.starts_on <= day <= season.ends_on


def test_the_printed_logins_open_the_door(giro: Campaign) -> None:
    for login in LOGINS:
        client = Client()
        answer = client.post("/accounts/login/", {"login": login.email, "password": PASSWORD})
        assert answer.status_code == 302, login
        assert client.get("/account/").status_code == 200


def test_it_is_made_once(giro: Campaign) -> None:
    with pytest.raises(CommandError, match="There is a club already"):
        call_command("demo")


def test_a_race_of_breaking_away_waits_for_marta(giro: Campaign) -> None:
    race = Race.objects.get(key="demo-criterium-125")
    marta = User.objects.get(first_name="Marta Oyelaran")

    (due,) = play.look(race).decisions

    assert race.seats.get(name=due.seat).user == marta
    assert due.kind == "move"
    client = Client()
    client.force_login(marta)
    assert b"Which factor?" in client.get(race.get_absolute_url()).content
