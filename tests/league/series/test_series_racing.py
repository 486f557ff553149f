"""A round as a race: opened from the entrants, ridden by bots, its result on the sheet once, provisional."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from league import rounds, series, series_racing
from league.campaigns import Faulty
from league.errors import Refused
from league.models import Round, RoundRace, RoundVersion
from league.models.results import SheetState
from league.racing import ABSENT, PLAYER
from league.series_table import table_of
from league.tasks import settle_round, sweep
from races import errors, play
from races.lobby import claimed, home_of
from races.models import Race, Status
from tests import factories as make
from tests.conftest import Cast
from tests.league.series.club import Coppa
from tests.league.stage_races import at_once as together

SPRINT = "A1 B1 C1 D1 A2 B2 C2 D2"
Committed = Callable[..., Any]


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The queue, without the wait."""
    monkeypatch.setattr(settle_round, "delay", settle_round)


@pytest.fixture
def round_(coppa: Coppa) -> Round:
    return coppa.round("1")


def by_bots(coppa: Coppa) -> dict[int, str]:
    return {entrant.pk: "easy" for entrant in coppa.entrants.values()}


def ridden(coppa: Coppa, round_: Round, riding: dict[int, str]) -> RoundRace:
    """The round, opened and ridden to its end by whoever may think at once."""
    found = series_racing.open_race(round_, coppa.organiser, way="online", riding=riding)
    play.start(found.race, by=coppa.organiser)
    while Race.objects.get(pk=found.race_id).is_running:
        play.advance(found.race_id)
    return RoundRace.objects.select_related("race").get(pk=found.pk)


def test_the_seats_are_the_entrants_with_their_letters_and_players(coppa: Coppa, cast: Cast, round_: Round) -> None:
    ada = coppa.players["A"]
    ada.user = cast.carla
    ada.save()
    pks = {code: entrant.pk for code, entrant in coppa.entrants.items()}

    found = series_racing.open_race(round_, cast.anna, way="online", riding={pks["B"]: "club", pks["C"]: PLAYER})

    seats = {seat.label: (seat.user, seat.bot, seat.entrant) for seat in found.race.seats.all()}
    assert seats == {
        "Ada": (cast.carla, "", {"team": "A"}),
        "Bice": (None, "club", {"team": "B"}),
        "Ciro": (None, "", {"team": "C"}),
        "Dora": (None, "", {"team": "D"}),
    }
    assert found.race.options["course"] == "kermesse-60"
    assert home_of(found.race) == ("Coppa delle Corse, Round 1", round_.get_absolute_url())
    ciro = coppa.players["C"]
    ciro.user = cast.bruno
    ciro.save()
    assert claimed(cast.bruno, found.race) == {"C"}


def test_the_outcome_becomes_the_sheet_once_and_equals_what_the_rules_say(
    coppa: Coppa, round_: Round, at_once: None, django_capture_on_commit_callbacks: Committed
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        found = ridden(coppa, round_, by_bots(coppa))

    version = RoundVersion.objects.get()
    outcome = found.race.outcome
    assert outcome is not None
    codes = {entrant.pk: code for code, entrant in coppa.entrants.items()}
    told = [(codes[row["entrant"]], row["rank"], row["points"]) for row in version.result["rows"]]
    assert sorted(told) == sorted((row["id"], row["place"], row["points"]) for row in outcome["teams"])
    assert (version.state, version.reason, version.by) == (SheetState.PROVISIONAL, "From the race.", None)
    assert series_racing.settle(found.race_id) is None
    assert RoundVersion.objects.count() == 1
    assert {row["bot"] for row in version.result["rows"]} == {True}
    assert {line.points for line in table_of(coppa.series).lines} == {"0"}  # bots rode for everybody


def test_a_task_that_was_lost_is_made_up_for_by_the_sweep(
    coppa: Coppa, round_: Round, at_once: None, django_capture_on_commit_callbacks: Committed
) -> None:
    found = ridden(coppa, round_, by_bots(coppa))
    assert not RoundVersion.objects.exists()
    assert list(series_racing.unsettled()) == [found]

    with django_capture_on_commit_callbacks(execute=True):
        sweep()

    assert RoundVersion.objects.count() == 1
    assert not series_racing.unsettled().exists()


def test_what_was_typed_by_hand_stays_and_a_note_says_so(coppa: Coppa, cast: Cast, round_: Round) -> None:
    found = ridden(coppa, round_, by_bots(coppa))
    rounds.type_cells(round_, cast.bruno, {"line-1": SPRINT}, {"line-1": ""})

    assert series_racing.settle(found.race_id) is None

    found.refresh_from_db()
    assert "typed on the sheet by hand" in found.note
    assert Round.objects.get().cells == {"line-1": SPRINT}
    assert series_racing.settle(found.race_id, again=True) is not None


def test_no_sheet_is_signed_while_its_race_is_on_the_road(coppa: Coppa, cast: Cast, round_: Round) -> None:
    found = series_racing.open_race(round_, cast.anna, way="refereed", riding={})
    play.start(found.race, by=cast.anna)
    coppa.type(round_, SPRINT)

    with pytest.raises(Refused, match="on the road"):
        rounds.publish(round_, cast.anna, official=True)

    play.abandon(found.race_id, reason="The board fell.", by=cast.anna)
    rounds.publish(round_, cast.anna, official=True)


def test_an_abandoned_race_makes_room_for_another(coppa: Coppa, cast: Cast, round_: Round) -> None:
    first = series_racing.open_race(round_, cast.anna, way="online", riding=by_bots(coppa))
    with pytest.raises(Refused, match="has its race already"):
        series_racing.open_race(round_, cast.anna, way="online", riding={})
    with pytest.raises(Refused, match="Abandon the race first"):
        series.remove_round(round_)
    play.abandon(first.race_id, reason="Nobody came.", by=cast.anna)

    second = series_racing.open_race(round_, cast.anna, way="online", riding=by_bots(coppa))

    shown = series_racing.races_of(round_)
    assert shown.counts is not None
    assert shown.counts.race == second.race
    assert [(race.pk, why) for race, why in shown.earlier] == [(first.race_id, "Nobody came.")]


def test_an_official_result_keeps_its_race_at_its_end(coppa: Coppa, cast: Cast, round_: Round) -> None:
    found = ridden(coppa, round_, by_bots(coppa))
    series_racing.settle(found.race_id)
    rounds.publish(round_, cast.anna, official=True)

    with pytest.raises(Refused, match="official, so the race stays"):
        series_racing.stand_by(found.race)


def test_who_stays_away_has_no_seat_and_did_not_come(
    coppa: Coppa, cast: Cast, round_: Round, at_once: None, django_capture_on_commit_callbacks: Committed
) -> None:
    dora = coppa.entrants["D"]

    with django_capture_on_commit_callbacks(execute=True):
        found = ridden(coppa, round_, by_bots(coppa) | {dora.pk: ABSENT})

    assert len(found.race.seats.all()) == 3
    row = next(row for row in RoundVersion.objects.get().result["rows"] if row["entrant"] == dora.pk)
    assert (row["no_show"], row["rank"]) == (True, None)


def test_another_player_who_sits_for_an_entrants_is_his_substitute(coppa: Coppa, cast: Cast, round_: Round) -> None:
    zoe = make.PlayerFactory(club=cast.club, user=cast.carla)
    pks = {code: entrant.pk for code, entrant in coppa.entrants.items()}
    found = series_racing.open_race(round_, cast.anna, way="refereed", riding={pks["B"]: "easy"})
    found.race.seats.filter(name="A").update(user=cast.carla)

    told = series_racing.who_rode(found, found.race)

    assert told == {
        f"who-{pks['A']}": f"sub-{zoe.pk}", f"who-{pks['B']}": "bot", f"who-{pks['C']}": "", f"who-{pks['D']}": "",
    }  # fmt: skip


def test_for_a_team_one_of_its_players_of_that_day_sits_or_whoever_comes(cast: Cast) -> None:
    season = make.SeasonFactory(club=cast.club, slug="teams")
    teams = [make.TeamFactory(season=season, name=c.title(), colour=c) for c in ("white", "blue", "green")]
    carla = make.PlayerFactory(club=cast.club, name="Carla", user=cast.carla)
    make.TeamSpellFactory(team=teams[0], player=carla)
    plan = series.SeriesPlan(name="Coppa", game="breaking_away", entered="teams")
    made = series.new_series(season, plan)
    entered = series.set_entrants(made, series.EntrantsPlan(teams=teams))
    round_ = Coppa(made, {e.code: e for e in entered}, {}, cast.anna).round("1")
    client = Client()
    client.force_login(cast.anna)

    body = client.get(made.url("round_race", "1")).content.decode()
    found = series_racing.open_race(round_, cast.anna, way="online", riding={entered[0].pk: str(carla.pk)})

    assert "Carla rides, and sits at once" in body
    assert body.count("whoever comes by the link") == 3
    assert [(seat.label, seat.user) for seat in found.race.seats.all()] == [
        ("White", cast.carla), ("Blue", None), ("Green", None),
    ]  # fmt: skip
    assert found.players == {"A": carla.pk}


def test_a_race_of_an_archived_season_does_not_start(coppa: Coppa, cast: Cast, round_: Round) -> None:
    found = series_racing.open_race(round_, cast.anna, way="online", riding=by_bots(coppa))
    coppa.season.archived_at = timezone.now()
    coppa.season.save()

    with pytest.raises(errors.Refused, match="archived"):
        play.start(found.race, by=cast.anna)


@pytest.mark.django_db(transaction=True)
def test_four_workers_bring_one_result(coppa: Coppa, round_: Round) -> None:
    found = ridden(coppa, round_, by_bots(coppa))

    together(*[lambda: series_racing.settle(found.race_id)] * 4)

    assert RoundVersion.objects.count() == 1


def test_two_cannot_ride_a_round_and_the_rules_say_why(coppa: Coppa, cast: Cast, round_: Round) -> None:
    away = {coppa.entrants[code].pk: ABSENT for code in "CD"}

    with pytest.raises(Faulty, match="3 to 9 teams take part"):
        series_racing.open_race(round_, cast.anna, way="online", riding=away)

    assert not Race.objects.exists()
    assert Round.objects.get().cells == {}


def test_an_organiser_opens_the_race_on_the_page_and_finds_it_on_the_round(
    coppa: Coppa, cast: Cast, round_: Round
) -> None:
    client = Client()
    client.force_login(cast.anna)
    form = {"way": "online"} | {f"seat{pk}": "easy" for pk in by_bots(coppa)}

    answer = client.post(coppa.url("round_race", "1"), form)

    race = Race.objects.get()
    assert answer["Location"] == race.get_absolute_url()
    assert (race.status, race.owner) == (Status.OPEN, None)
    for url in (round_.get_absolute_url(), coppa.url()):
        assert "Open: everybody sits." in client.get(url).content.decode()
    assert client.get(coppa.url("round_race", "1"))["Location"] == race.get_absolute_url()


def test_members_watch_and_the_jury_leads_the_race_also_of_a_closed_club(
    coppa: Coppa, cast: Cast, round_: Round
) -> None:
    coppa.season.club.is_public = False
    coppa.season.club.save()
    found = series_racing.open_race(round_, cast.anna, way="online", riding=by_bots(coppa))

    def seen_by(user: Any) -> int:
        client = Client()
        client.force_login(user)
        return client.get(found.race.get_absolute_url()).status_code

    assert found.race.is_public is False
    assert [seen_by(user) for user in (cast.carla, cast.bruno, cast.dino)] == [200, 200, 404]
    assert list(series_racing.leading(cast.bruno)) == [found.race]
    assert not series_racing.leading(cast.carla).exists()
