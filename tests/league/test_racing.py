"""Stages that are ridden as races: from the start list to the seats, from the outcome to the sheet and the standings."""

import random
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from league import racing, results, stages
from league.campaigns import Faulty
from league.errors import Refused
from league.models import Campaign, DraftCell, Result, Rider, SheetVersion, Stage, StageRace, Standing
from league.recount import count
from league.tasks import settle as settle_task
from races import play
from races.access import Right
from races.lobby import lists
from races.models import Race, Seat
from races.signals import race_over
from tests.conftest import Cast
from tests.evening import Evening
from tests.league.stage_races import (
    USUAL,
    at_once,
    at_the_table,
    opened,
    over,
    ridden,
    road_outcome,
    sheet_of,
    told_by,
    told_on_the_sheet,
)


# ---- a whole race ------------------------------------------------------------------------------------------------------
def test_a_stage_ridden_by_bots_becomes_its_sheet_and_moves_the_classification(evening: Evening) -> None:
    found = opened(evening, "1")
    race = ridden(found)

    racing.settle(race.pk)

    outcome = race.outcome
    assert outcome is not None
    results_by_bib = {r.rider.bib: r for r in Result.objects.select_related("rider")}
    assert {str(bib): (r.turn, r.place, r.energy) for bib, r in results_by_bib.items()} == {
        row["id"]: (row["turn"], row["order"], row["energy"] if not row["out"] else None) for row in outcome["riders"]
    }
    sheet = sheet_of(evening, "1")
    assert (sheet.state, sheet.peloton_turn, sheet.version) == ("provisional", outcome["peloton_turn"], 1)
    won = {b.token: b.rider and str(b.rider.bib) for b in sheet.bonuses.select_related("rider")}
    assert won == {b["token"]: b["rider"] for b in outcome["bonus"]}

    count(evening.campaign.pk)
    leader = Standing.objects.get(stage=evening.stages["1"], classification=Standing.STAGE, rank=1)
    assert leader.rider is not None
    assert str(leader.rider.bib) == outcome["riders"][0]["id"]
    assert Standing.objects.filter(stage=evening.stages["1"], classification=Standing.GC, in_pink=True).count() == 1


def test_the_next_stage_starts_with_what_the_last_one_left(evening: Evening) -> None:
    """Two stages ridden as races, road and time trial: the second begins with the energy and the riders of the first."""
    first = ridden(opened(evening, "1"))
    racing.settle(first.pk)
    assert first.outcome is not None

    second = opened(evening, "2")

    carried = {rider["id"]: rider["carry"] for seat in second.race.seats.all() for rider in seat.entrant["riders"]}
    assert carried == {row["id"]: min(15, row["energy"]) for row in first.outcome["riders"]}
    assert "token" not in second.race.options
    racing.settle(ridden(second).pk)
    sheet = sheet_of(evening, "2")
    assert sheet.state == "provisional"
    outcome = Race.objects.get(pk=second.race_id).outcome
    assert outcome is not None
    assert {str(r.rider.bib): (r.turn, r.clock, r.energy) for r in sheet.results.select_related("rider")} == {
        row["id"]: (row["turn"], row["clock"], row["energy"]) for row in outcome["riders"]
    }


def test_a_team_time_trial_puts_the_clock_beside_the_teams(evening: Evening) -> None:
    Stage.objects.filter(pk=evening.stages["1"].pk).update(kind="ttt", course="laguna")
    race = ridden(opened(evening, "1"))

    racing.settle(race.pk)

    sheet = sheet_of(evening, "1")
    assert (sheet.state, StageRace.objects.get().note) == ("provisional", "")
    assert race.outcome is not None
    place = {jersey: n for n, jersey in enumerate(race.outcome["clock"], 1)}
    assert {r.rider.bib: r.clock for r in sheet.results.select_related("rider")} == {
        int(row["id"]): place[row["jersey"]] for row in race.outcome["riders"]
    }


def test_a_refereed_race_that_goes_back_and_ends_otherwise_is_on_the_sheet_as_it_ended(evening: Evening) -> None:
    Rider.objects.exclude(pk__in=[evening.riders["A"].pk, evening.riders["C"].pk]).delete()  # two ride fast
    found = opened(evening, "1", way="refereed", riding={})
    luck = random.Random(7)
    race = at_the_table(play.start(found.race, by=evening.organiser), luck)
    racing.settle(race.pk)
    first = told_by(race)
    assert told_on_the_sheet() == first

    back = play.effective(race.entries.all())[len(first)].n
    play.rewind(race.pk, to=back, reason="The die lay on the floor.", by=evening.organiser)
    assert told_on_the_sheet() == first  # what was provisional stays until it ends again
    assert list(racing.unsettled()) == []
    again = at_the_table(race, luck)
    assert [one.race_id for one in racing.unsettled()] == [race.pk]
    racing.settle(race.pk)

    assert told_by(again) != first
    assert told_on_the_sheet() == told_by(again)
    assert sheet_of(evening, "1").version == 2


# ---- onto the sheet, once ----------------------------------------------------------------------------------------------
def test_who_is_too_late_stands_on_the_sheet_as_outside_the_limit(evening: Evening) -> None:
    race = over(opened(evening, "1"), road_outcome(evening, USUAL | {"F": None}))

    racing.settle(race.pk)

    lund = Result.objects.get(rider=evening.riders["F"])
    assert (lund.status, lund.turn, lund.place) == ("otl", None, None)
    assert Result.objects.get(rider=evening.riders["A"]).place == 1


def test_settling_twice_makes_one_version(evening: Evening) -> None:
    race = over(opened(evening, "1"), road_outcome(evening, USUAL))

    first, second = racing.settle(race.pk), racing.settle(race.pk)

    assert first is not None
    assert second is None
    assert SheetVersion.objects.count() == 1
    assert (first.by, first.reason) == (None, "From the race.")


def test_what_an_organiser_mends_after_the_race_stays(evening: Evening) -> None:
    race = over(opened(evening, "1"), road_outcome(evening, USUAL))
    racing.settle(race.pk)
    energy = f"energy-{evening.riders['A'].pk}"
    results.type_cells(evening.stages["1"], evening.organiser, {energy: "7"}, {energy: "2"})
    results.publish(evening.stages["1"], evening.organiser)

    racing.settle(race.pk)

    assert Result.objects.get(rider=evening.riders["A"]).energy == 7
    assert SheetVersion.objects.count() == 2


def test_a_race_that_ends_again_and_otherwise_replaces_what_was_provisional(evening: Evening) -> None:
    found = opened(evening, "1", way="refereed")
    racing.settle(over(found, road_outcome(evening, USUAL)).pk)

    again = {"C": 12, "A": 13, "D": 13, "B": 14, "E": 14, "F": 16}
    racing.settle(over(found, road_outcome(evening, again)).pk)

    turns = {r.rider_id: r.turn for r in Result.objects.all()}
    assert turns == {evening.riders[letter].pk: turn for letter, turn in again.items()}
    sheet = sheet_of(evening, "1")
    assert (sheet.state, sheet.version) == ("provisional", 2)
    winner = f"place-{evening.riders['C'].pk}"
    assert DraftCell.objects.get(sheet=sheet, key=winner).value == "1"


def test_an_official_sheet_is_not_touched_and_a_note_says_so(evening: Evening) -> None:
    found = opened(evening, "1", way="refereed")
    racing.settle(over(found, road_outcome(evening, USUAL)).pk)
    results.publish(evening.stages["1"], evening.organiser, official=True)

    racing.settle(over(found, road_outcome(evening, USUAL | {"F": None})).pk)

    assert Result.objects.get(rider=evening.riders["F"]).turn == 17
    assert sheet_of(evening, "1").state == "official"
    found.refresh_from_db()
    assert "official" in found.note


def test_a_rider_who_has_left_the_start_list_keeps_the_sheet_as_it_was(evening: Evening) -> None:
    found = opened(evening, "1")
    race = over(found, road_outcome(evening, USUAL))
    Rider.objects.filter(pk=evening.riders["F"].pk).delete()

    racing.settle(race.pk)

    found.refresh_from_db()
    assert "22" in found.note
    assert sheet_of(evening, "1").state == "draft"
    assert list(racing.unsettled()) == []


def test_a_bib_that_changes_after_the_start_still_is_the_same_rider(evening: Evening) -> None:
    race = over(opened(evening, "1"), road_outcome(evening, USUAL))
    Rider.objects.filter(pk=evening.riders["A"].pk).update(bib=99)

    racing.settle(race.pk)

    assert Result.objects.get(rider=evening.riders["A"]).place == 1


def test_an_outcome_that_no_sheet_can_hold_waits_as_a_draft_with_a_note(evening: Evening) -> None:
    outcome = road_outcome(evening, USUAL)
    outcome["riders"][0]["energy"] = 500  # more than anybody can have left
    found = opened(evening, "1")

    racing.settle(over(found, outcome).pk)

    found.refresh_from_db()
    assert "not public yet" in found.note
    sheet = sheet_of(evening, "1")
    assert sheet.state == "draft"
    assert DraftCell.objects.get(sheet=sheet, key=f"energy-{evening.riders['A'].pk}").value == "500"


def test_a_lost_task_is_found_by_the_sweep(evening: Evening) -> None:
    found = opened(evening, "1")
    race = over(found, road_outcome(evening, USUAL))

    assert [one.pk for one in racing.unsettled()] == [found.pk]
    settle_task(race.pk)
    assert list(racing.unsettled()) == []


def test_the_signal_of_a_stages_race_schedules_and_that_of_a_friendly_does_not(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[int] = []
    monkeypatch.setattr(settle_task, "delay", sent.append)
    found = opened(evening, "1")
    other = play.open_race(title="x", game="giro", options={"course": "pianura"}, seats=[], owner=None)

    race_over.send(sender=Race, race_id=found.race_id)
    race_over.send(sender=Race, race_id=other.pk)

    assert sent == [found.race_id]
    assert SheetVersion.objects.count() == 0


def test_the_end_of_the_race_itself_brings_the_result_onto_the_sheet(
    evening: Evening, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    monkeypatch.setattr(settle_task, "delay", settle_task)  # the queue, without the wait
    found = opened(evening, "1")

    with django_capture_on_commit_callbacks(execute=True):
        ridden(found)

    assert sheet_of(evening, "1").state == "provisional"
    found.refresh_from_db()
    assert found.version is not None


@pytest.mark.django_db(transaction=True)
def test_of_four_settlements_at_one_moment_one_makes_the_version(evening: Evening) -> None:
    race = over(opened(evening, "1"), road_outcome(evening, USUAL))

    came = at_once(*[lambda: racing.settle(race.pk)] * 4)

    assert [version for version in came if version is not None] == [SheetVersion.objects.get()]


@pytest.mark.django_db(transaction=True)
def test_of_three_organisers_at_one_moment_one_opens_the_race(evening: Evening) -> None:
    came = at_once(*[lambda: opened(evening, "1")] * 3)

    assert [found for found in came if isinstance(found, StageRace)] == [StageRace.objects.get()]
    assert sum(isinstance(found, Refused) for found in came) == 2
    assert Race.objects.count() == 1


# ---- opening a race ----------------------------------------------------------------------------------------------------
def test_the_seats_are_the_players_and_who_is_linked_sits_at_once(evening: Evening, cast: Cast) -> None:
    evening.players["C"].user = cast.carla
    evening.players["C"].save()

    found = opened(evening, "1", riding={evening.players["F"].pk: "club"})

    seats = {seat.label: seat for seat in found.race.seats.all()}
    assert [seats[f"Player {letter}"].name for letter in "ABCDEF"] == list("ABCDEF")
    assert seats["Player C"].user == cast.carla
    assert seats["Player F"].bot == "club"
    assert [label for label, seat in seats.items() if seat.is_free] == [f"Player {letter}" for letter in "ABDE"]
    assert seats["Player C"].entrant == {"riders": [{"id": "21", "type": "leader", "jersey": "blue-sash", "carry": 0}]}
    assert seats["Player C"].riders == {
        "21": {"bib": "21", "name": "Chiara Venn", "jersey": "blue-sash", "kind": "leader"}
    }
    assert found.riders == {str(rider.bib): rider.pk for rider in evening.riders.values()}
    assert found.race.options == {"course": "pianura", "giro": True, "cards": "matched", "time_limit": 3}


def test_a_player_with_several_riders_has_one_seat(evening: Evening) -> None:
    Rider.objects.filter(pk=evening.riders["B"].pk).update(player=evening.players["A"])

    found = opened(evening, "1")

    assert found.race.seats.count() == 5
    first = found.race.seats.get(label="Player A")
    assert [rider["id"] for rider in first.entrant["riders"]] == ["11", "12"]


def test_who_is_out_does_not_start_and_who_wears_pink_is_shown_in_it(evening: Evening) -> None:
    evening.ride("1", "2", "3", official=False)

    start = racing.start_of(evening.stages["4"])

    assert [str(side.player) for side in start.sides] == [f"Player {letter}" for letter in "ACDE"]
    assert [line.rider.bib for side in start.sides for line in side.lines if line.in_pink] == [21]
    assert {line.rider.bib: line.carry for side in start.sides for line in side.lines} == {11: 6, 21: 0, 31: 8, 32: 4}


def test_the_token_stays_where_the_last_road_stage_left_it(evening: Evening) -> None:
    outcome = road_outcome(evening, USUAL) | {"token": "D"}
    racing.settle(over(opened(evening, "1"), outcome).pk)
    racing.settle(ridden(opened(evening, "2")).pk)

    start = racing.start_of(evening.stages["3"])
    found = opened(evening, "3", token=start.token)

    assert start.token == evening.players["D"]
    assert found.race.options["token"] == found.race.seats.get(label="Player D").name


def test_the_token_goes_on_to_whoever_still_has_a_rider(evening: Evening) -> None:
    outcome = road_outcome(evening, USUAL | {"F": None}) | {"token": "F"}
    racing.settle(over(opened(evening, "1"), outcome).pk)
    racing.settle(ridden(opened(evening, "2")).pk)

    assert racing.start_of(evening.stages["3"]).token == evening.players["A"]


def test_after_a_road_stage_at_a_table_nobody_here_knows_who_holds_the_token(evening: Evening) -> None:
    evening.ride("1", official=False)

    assert racing.start_of(evening.stages["2"]).token is None


def test_a_stage_has_one_race_at_a_time(evening: Evening) -> None:
    opened(evening, "1")

    with pytest.raises(Refused, match="has its race already"):
        opened(evening, "1")
    other = Race.objects.create(title="x", game="giro", version=1)
    with pytest.raises(IntegrityError), transaction.atomic():
        StageRace.objects.create(stage=evening.stages["1"], race=other)


def test_after_an_abandoned_race_the_sheet_is_as_it_was_and_another_may_be_opened(evening: Evening) -> None:
    first = opened(evening, "1")
    play.start(first.race, by=evening.organiser)
    play.abandon(first.race_id, reason="The lights went out.", by=evening.organiser)

    second = opened(evening, "1")

    assert racing.race_of(evening.stages["1"]) == second
    assert not SheetVersion.objects.exists()
    assert racing.settle(first.race_id) is None


@pytest.mark.parametrize(
    ("number", "why"), [("1", "published result already"), ("3", "Stage 2 has no published result yet")]
)
def test_only_the_stage_that_comes_next_is_ridden(evening: Evening, number: str, why: str) -> None:
    evening.ride("1", official=False)

    with pytest.raises(Refused, match=why):
        opened(evening, number)


def test_a_stage_known_by_its_numbers_alone_cannot_be_ridden_here(evening: Evening) -> None:
    Stage.objects.filter(pk=evening.stages["1"].pk).update(course="", milestones=30, columns=50)

    with pytest.raises(Refused, match="Only the numbers"):
        opened(evening, "1")


def test_more_energy_than_the_game_carries_is_refused_in_words(evening: Evening) -> None:
    evening.ride("1", official=False)
    Campaign.objects.filter(pk=evening.campaign.pk).update(cap_road=30)
    evening.campaign.refresh_from_db()

    with pytest.raises(Faulty, match="carry up to 15"):
        opened(evening, "2")  # Elin Marchetti brings 22
    assert not Race.objects.exists()


# ---- who may do what ---------------------------------------------------------------------------------------------------
def test_the_roles_of_the_club_lead_and_watch(evening: Evening, cast: Cast) -> None:
    race = opened(evening, "1").race
    rights = {name: racing.gatekeeper(getattr(cast, name), race) for name in ("anna", "bruno", "carla", "dino")}

    assert rights == {"anna": Right.LEAD, "bruno": Right.LEAD, "carla": Right.WATCH, "dino": Right.NOTHING}
    assert {user.username for user in racing.bench(race)} == {"anna", "bruno", "carla"}


def test_the_race_of_a_closed_club_is_there_for_its_members_only(evening: Evening, cast: Cast) -> None:
    race = opened(evening, "1").race
    assert Client().get(race.get_absolute_url()).status_code == 200
    cast.club.is_public = False
    cast.club.save()

    assert Client().get(race.get_absolute_url()).status_code == 404
    assert client_of(cast.dino).get(race.get_absolute_url()).status_code == 404
    assert client_of(cast.carla).get(race.get_absolute_url()).status_code == 200
    cast.club.is_public = True
    cast.club.save()
    assert Client().get(race.get_absolute_url()).status_code == 200


def test_who_is_linked_to_his_player_after_the_race_was_opened_takes_the_seat_that_is_kept_for_him(
    evening: Evening, cast: Cast
) -> None:
    race = opened(evening, "1", riding={}).race
    take = reverse("races:take", args=[race.key])
    carla = client_of(cast.carla)
    assert carla.post(take, {"seat": "C"}).status_code == 409
    evening.players["C"].user = cast.carla
    evening.players["C"].save()

    assert "Sit here" in carla.get(race.get_absolute_url()).content.decode()
    assert carla.post(take, {"seat": "D"}).status_code == 409
    assert carla.post(take, {"seat": "C"}).status_code == 302

    taken = Seat.objects.get(race=race, name="C")
    assert (taken.user, taken.label) == (cast.carla, "Player C")


def test_the_jury_finds_the_races_that_it_leads_and_the_lobby_leads_back_to_the_stage(
    evening: Evening, cast: Cast
) -> None:
    race = play.start(opened(evening, "1", way="refereed", riding={}).race, by=cast.anna)

    waits = {
        name: [line.race for line in lists(getattr(cast, name), {}).waiting] for name in ("anna", "bruno", "carla")
    }

    assert waits == {"anna": [race], "bruno": [race], "carla": []}
    assert racing.home(race) == (str(evening.stages["1"]), evening.stages["1"].get_absolute_url())


def test_while_it_has_a_race_a_stage_keeps_its_course_and_stays(evening: Evening) -> None:
    found = opened(evening, "1")
    stage = Stage.objects.get(pk=evening.stages["1"].pk)
    plan = stages.StagePlan(number="1", name="Pianura", starts_at=stage.starts_at, course="colli")

    with pytest.raises(Refused, match="Abandon the race first"):
        stages.change_stage(stage, plan)
    with pytest.raises(Refused, match="Abandon the race first"):
        stages.remove_stage(stage)

    play.abandon(found.race_id, reason="Another road is wanted.", by=None)
    assert stages.change_stage(stage, plan).course == "colli"


def test_the_longest_names_find_room(evening: Evening, cast: Cast) -> None:
    evening.campaign.name = "G" * 80
    evening.campaign.save()
    Stage.objects.filter(pk=evening.stages["1"].pk).update(name="S" * 80)
    evening.players["A"].name = "P" * 80
    evening.players["A"].note = "N" * 60
    evening.players["A"].save()

    race = opened(evening, "1").race

    assert race.title.startswith("GGG")
    assert Seat.objects.get(race=race, name="A").label == "P" * 60


# ---- pages -------------------------------------------------------------------------------------------------------------
def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def address(evening: Evening, number: str) -> str:
    return reverse("stage_race", args=[evening.club.slug, evening.season.slug, evening.campaign.slug, number])


def test_an_organiser_opens_the_race_from_the_page_of_the_stage(evening: Evening, cast: Cast) -> None:
    anna = client_of(cast.anna)
    stage = evening.stages["1"].get_absolute_url()
    assert address(evening, "1") in anna.get(stage).content.decode()
    assert address(evening, "1") not in client_of(cast.bruno).get(stage).content.decode()
    form = anna.get(address(evening, "1"))
    assert "Chiara Venn" in form.content.decode()

    told = {f"seat{player.pk}": "player" for player in evening.players.values()}
    told |= {f"seat{evening.players['F'].pk}": "club", "way": "online", "cards": "blind", "token": ""}
    answer = anna.post(address(evening, "1"), told)

    found = StageRace.objects.get()
    assert answer["Location"] == found.race.get_absolute_url()
    assert found.opened_by == cast.anna
    assert found.race.options["cards"] == "blind"
    assert Seat.objects.get(race=found.race, label="Player F").bot == "club"
    page = Client().get(stage).content.decode()
    assert found.race.get_absolute_url() in page
    assert "5 seats are free" in page


def test_a_form_that_cannot_be_comes_back_with_the_reason(evening: Evening, cast: Cast) -> None:
    answer = client_of(cast.anna).post(address(evening, "1"), {"way": "by post"})

    assert answer.status_code == 422
    assert not StageRace.objects.exists()


def test_the_page_of_the_stage_says_whom_the_race_waits_for(evening: Evening, cast: Cast) -> None:
    evening.players["C"].user = cast.carla
    evening.players["C"].save()
    bots = {player.pk: "easy" for letter, player in evening.players.items() if letter != "C"}
    found = opened(evening, "1", riding=bots)
    play.start(found.race, by=cast.anna)
    play.advance(found.race_id)

    page = Client().get(evening.stages["1"].get_absolute_url()).content.decode()

    assert "waits for" in page
    assert "Player C" in page


def test_the_page_of_the_stage_costs_the_same_with_a_race(
    evening: Evening, client: Client, django_assert_max_num_queries: Any
) -> None:
    url = evening.stages["1"].get_absolute_url()
    client.get(url)
    with django_assert_max_num_queries(60) as without:
        client.get(url)
    opened(evening, "1")
    with django_assert_max_num_queries(60) as with_race:
        client.get(url)

    assert len(with_race) - len(without) == 1  # the seats


def test_the_page_of_the_campaign_shows_its_races_at_one_cost_whatever_they_are(
    evening: Evening, client: Client, django_assert_num_queries: Any
) -> None:
    url = evening.campaign.get_absolute_url()
    client.get(url)
    found = opened(evening, "1", riding={evening.players["A"].pk: "easy"})
    page = client.get(url).content.decode()
    assert "Open: 5 seats are free." in page
    assert found.race.get_absolute_url() in page
    with CaptureQueriesContext(connection) as with_six:
        client.get(url)
    play.abandon(found.race_id, reason="Two are enough.", by=None)
    Rider.objects.exclude(pk__in=[evening.riders["A"].pk, evening.riders["C"].pk]).delete()
    play.start(opened(evening, "1", way="refereed", riding={}).race, by=None)

    with django_assert_num_queries(len(with_six)):
        assert "It runs at the table." in client.get(url).content.decode()


def test_the_note_of_a_race_is_for_the_jury(evening: Evening, cast: Cast) -> None:
    found = opened(evening, "1")
    StageRace.objects.filter(pk=found.pk).update(note="The sheet is odd.")
    url = evening.stages["1"].get_absolute_url()

    assert "The sheet is odd." in client_of(cast.bruno).get(url).content.decode()
    assert "The sheet is odd." not in client_of(cast.carla).get(url).content.decode()
