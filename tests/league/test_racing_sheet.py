"""Between a race and the sheet of its stage: what was typed by hand, going back, what counts, and what has changed since."""

import random
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from league import library, racing, results, roster, stages, startlist
from league.campaigns import Faulty
from league.errors import Refused
from league.models import Campaign, DraftCell, Player, Result, Rider, SheetVersion, Stage, StageRace
from league.recount import count
from races import errors, play
from races.models import Race, Seat
from tests import factories as make
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
    stage_of,
    told_by,
    told_on_the_sheet,
)  # fmt: skip
from tests.rules.giro.plans import FLAT


def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def cell(evening: Evening, key: str) -> tuple[str, str, bool]:
    """What stands in a cell of the sheet of stage 1: its value, what else was said, and whether that is a clash."""
    found = DraftCell.objects.get(sheet__stage=evening.stages["1"], key=key)
    return found.value, found.other, found.is_clash


def key_of(evening: Evening, name: str, letter: str) -> str:
    return f"{name}-{evening.riders[letter].pk}"


def by_hand(evening: Evening, **cells: str) -> None:
    """Somebody types into the sheet of stage 1: turn_A="12"."""
    typed = {key_of(evening, *name.split("_")) if "_" in name else name: value for name, value in cells.items()}
    was = dict(DraftCell.objects.filter(sheet__stage=evening.stages["1"]).values_list("key", "value"))
    results.type_cells(evening.stages["1"], evening.organiser, typed, {key: was.get(key, "") for key in typed})


def note_of(found: StageRace) -> str:
    return StageRace.objects.get(pk=found.pk).note


# ---- what was typed by hand --------------------------------------------------------------------------------------------
def test_what_was_typed_by_hand_and_says_the_same_stays_and_the_rest_comes_from_the_race(evening: Evening) -> None:
    found = opened(evening, "1", way="refereed")
    by_hand(evening, turn_A="12", place_A="1", status_A="finished", peloton="14")

    racing.settle(over(found, road_outcome(evening, USUAL)).pk)

    assert sheet_of(evening, "1").state == "provisional"
    assert note_of(found) == ""
    assert told_on_the_sheet()["21"] == (12, 2)
    typed = DraftCell.objects.get(sheet__stage=evening.stages["1"], key=key_of(evening, "turn", "A"))
    assert typed.typed_by == evening.organiser


def test_where_the_race_says_something_else_than_the_hand_both_stand_in_the_cell_until_one_is_chosen(
    evening: Evening, cast: Cast
) -> None:
    found = opened(evening, "1", way="refereed")
    by_hand(evening, turn_F="18", energy_A="9", peloton="14")

    racing.settle(over(found, road_outcome(evening, USUAL)).pk)

    assert cell(evening, key_of(evening, "turn", "F")) == ("18", "17", True)
    assert cell(evening, key_of(evening, "energy", "A")) == ("9", "2", True)
    assert cell(evening, key_of(evening, "turn", "C")) == ("12", "", False)
    assert not SheetVersion.objects.exists()
    assert note_of(found) == "The result of the race is on the sheet and not public yet."
    anna, address = client_of(cast.anna), stage_of(evening, "1").campaign.url("sheet", "1")
    page = anna.get(address).content.decode()
    assert "Typed by hand: “18”. The race says “17”. Which is right?" in page
    assert "In 2 cells the race says something else" in page
    assert (
        "In 2 cells the race says something else" in anna.get(evening.stages["1"].get_absolute_url()).content.decode()
    )

    anna.post(address, {"settle": f"other:{key_of(evening, 'turn', 'F')}"})
    anna.post(address, {"settle": f"value:{key_of(evening, 'energy', 'A')}"})
    assert "the race says something else" not in anna.get(address).content.decode()
    answer = anna.post(stage_of(evening, "1").campaign.url("sheet_publish", "1"), {"publish": "on"})

    assert answer.status_code == 302
    assert Result.objects.get(rider=evening.riders["F"]).turn == 17
    assert Result.objects.get(rider=evening.riders["A"]).energy == 9
    assert note_of(found) == ""  # it has been seen to


def test_a_status_typed_by_hand_for_somebody_who_came_in_is_a_clash_and_so_is_a_turn_of_somebody_too_late(
    evening: Evening,
) -> None:
    found = opened(evening, "1", way="refereed")
    by_hand(evening, status_A="dnf", turn_F="17")

    racing.settle(over(found, road_outcome(evening, USUAL | {"F": None})).pk)

    assert cell(evening, key_of(evening, "status", "A")) == ("dnf", "", True)
    assert cell(evening, key_of(evening, "turn", "F")) == ("17", "", True)
    assert cell(evening, key_of(evening, "status", "F")) == ("otl", "", False)
    assert not SheetVersion.objects.exists()


def test_what_two_clerks_have_not_settled_yet_stays_theirs(evening: Evening, cast: Cast) -> None:
    found = opened(evening, "1", way="refereed")
    turn = key_of(evening, "turn", "A")
    results.type_cells(evening.stages["1"], cast.anna, {turn: "13"}, {turn: ""})
    results.type_cells(evening.stages["1"], cast.bruno, {turn: "14"}, {turn: ""})

    racing.settle(over(found, road_outcome(evening, USUAL)).pk)

    assert cell(evening, turn) == ("13", "14", True)
    assert not SheetVersion.objects.exists()


def test_who_has_the_sheet_open_when_the_race_ends_loses_nothing_of_his_typing(evening: Evening, cast: Cast) -> None:
    found = opened(evening, "1", way="refereed")
    anna, address = client_of(cast.anna), stage_of(evening, "1").campaign.url("sheet", "1")
    anna.get(address)
    racing.settle(over(found, road_outcome(evening, USUAL)).pk)
    turn = key_of(evening, "turn", "F")

    answer = anna.post(address, {turn: "18", f"was-{turn}": ""}, headers={"HX-Request": "true"})

    assert answer.status_code == 409
    assert cell(evening, turn) == ("17", "18", True)
    assert Result.objects.get(rider=evening.riders["F"]).turn == 17  # what is public stays until somebody chooses


def test_a_race_that_ends_again_does_not_overwrite_what_was_mended_by_hand_since(evening: Evening) -> None:
    found = opened(evening, "1", way="refereed")
    racing.settle(over(found, road_outcome(evening, USUAL)).pk)
    by_hand(evening, energy_A="7")
    results.publish(evening.stages["1"], evening.organiser)

    racing.settle(over(found, road_outcome(evening, USUAL | {"F": 16})).pk)

    assert cell(evening, key_of(evening, "energy", "A")) == ("7", "2", True)
    assert cell(evening, key_of(evening, "turn", "F")) == ("16", "", False)
    assert Result.objects.get(rider=evening.riders["F"]).turn == 17
    assert "not public yet" in note_of(found)


def test_what_the_jury_has_taken_over_from_the_race_follows_the_race_when_it_ends_again(
    evening: Evening, cast: Cast
) -> None:
    found = opened(evening, "1", way="refereed")
    by_hand(evening, turn_F="18", energy_A="9")
    racing.settle(over(found, road_outcome(evening, USUAL)).pk)
    anna, address = client_of(cast.anna), evening.campaign.url("sheet", "1")
    anna.post(address, {"settle": f"other:{key_of(evening, 'turn', 'F')}"})
    anna.post(address, {"settle": f"value:{key_of(evening, 'energy', 'A')}"})
    anna.post(evening.campaign.url("sheet_publish", "1"), {"publish": "on"})

    again = road_outcome(evening, USUAL | {"F": 16})
    again["riders"][0]["energy"] = 3
    racing.settle(over(found, again).pk)

    assert cell(evening, key_of(evening, "turn", "F")) == ("16", "", False)
    assert cell(evening, key_of(evening, "energy", "A")) == ("9", "3", True)


def test_a_worker_that_dies_half_way_leaves_nothing_and_the_sweep_begins_anew(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = opened(evening, "1")
    race = over(found, road_outcome(evening, USUAL))

    def die(*args: Any, **kwargs: Any) -> None:
        raise SystemExit("the worker was told to stop")

    with monkeypatch.context() as patched:
        patched.setattr(results, "write_results", die)  # the cells are typed by then, and nothing is published
        with pytest.raises(SystemExit):
            racing.settle(race.pk)
    assert not DraftCell.objects.exists()
    assert [one.race_id for one in racing.unsettled()] == [race.pk]

    racing.settle(race.pk)
    racing.settle(race.pk)

    assert SheetVersion.objects.count() == 1
    assert len(told_on_the_sheet()) == 6


# ---- going back --------------------------------------------------------------------------------------------------------
def fast(evening: Evening) -> StageRace:
    """A race of stage 1 at a table, with two riders."""
    Rider.objects.exclude(pk__in=[evening.riders["A"].pk, evening.riders["C"].pk]).delete()
    return opened(evening, "1", way="refereed", riding={})


def test_under_a_provisional_sheet_a_race_may_go_back_and_the_sheet_waits_for_its_end(
    evening: Evening, cast: Cast
) -> None:
    luck = random.Random(7)
    found = fast(evening)
    race = at_the_table(play.start(found.race, by=cast.anna), luck)
    racing.settle(race.pk)
    anna = client_of(cast.anna)
    last = play.effective(race.entries.all())[-1]

    answer = anna.post(reverse("races:undo", args=[race.key]), {"n": last.n}, follow=True)

    assert answer.status_code == 200
    assert Race.objects.get(pk=race.pk).is_running
    assert sheet_of(evening, "1").state == "provisional"
    stage = evening.stages["1"].get_absolute_url()
    assert "It was taken back and runs again" in anna.get(stage).content.decode()
    assert "The race of this stage is on the road." in anna.get(evening.campaign.url("sheet", "1")).content.decode()
    answer = anna.post(evening.campaign.url("sheet_publish", "1"), {"official": "on"})
    assert answer.status_code == 422
    assert "is on the road" in answer.content.decode()
    assert sheet_of(evening, "1").state == "provisional"
    with pytest.raises(Refused, match="is on the road. Let it end first"):
        racing.start_of(stage_of(evening, "2"))

    again = at_the_table(race, luck)
    racing.settle(race.pk)

    assert told_on_the_sheet() == told_by(again)
    assert anna.post(evening.campaign.url("sheet_publish", "1"), {"official": "on"}).status_code == 302
    assert sheet_of(evening, "1").state == "official"


def test_under_an_official_sheet_the_race_stays_as_it_ended(evening: Evening, cast: Cast) -> None:
    race = at_the_table(play.start(fast(evening).race, by=cast.anna), random.Random(7))
    racing.settle(race.pk)
    results.publish(stage_of(evening, "1"), cast.anna, official=True)
    before, anna = Race.objects.get(pk=race.pk), client_of(cast.anna)
    last = play.effective(race.entries.all())[-1]

    undo = anna.post(reverse("races:undo", args=[race.key]), {"n": last.n})
    rewind = anna.post(reverse("races:rewind", args=[race.key]), {"to": 1, "reason": "The cat was on the board."})

    assert (undo.status_code, rewind.status_code) == (422, 409)
    for answer in (undo, rewind):
        assert "The result of stage 1 is official, so the race stays as it ended." in answer.content.decode()
    after = Race.objects.get(pk=race.pk)
    assert (after.status, after.n, after.ended_at) == (before.status, before.n, before.ended_at)
    assert sheet_of(evening, "1").version == 2


def test_what_would_be_refused_under_an_official_sheet_is_not_offered(evening: Evening, cast: Cast) -> None:
    race = at_the_table(play.start(fast(evening).race, by=cast.anna), random.Random(7))
    racing.settle(race.pk)
    anna = client_of(cast.anna)
    pages = [reverse("races:referee", args=[race.key]), reverse("races:entry", args=[race.key, 1])]
    offers = [reverse(f"races:{name}", args=[race.key]) for name in ("undo", "rewind")]
    for page, offer in zip(pages, offers, strict=True):
        assert offer in anna.get(page).content.decode()

    results.publish(stage_of(evening, "1"), cast.anna, official=True)

    for page, offer in zip(pages, offers, strict=True):
        body = anna.get(page).content.decode()
        assert offer not in body
        assert "The result of stage 1 is official, so the race stays as it ended." in body


def test_a_race_on_whose_result_the_next_stage_was_started_stays_as_it_ended(evening: Evening, cast: Cast) -> None:
    first = at_the_table(play.start(fast(evening).race, by=cast.anna), random.Random(7))
    racing.settle(first.pk)
    second = opened(evening, "2", way="refereed", riding={})
    back = play.effective(first.entries.all())[-2].n

    play.start(second.race, by=cast.anna)

    with pytest.raises(errors.Refused, match="Stage 2 has been started with what this race left"):
        play.rewind(first.pk, to=back, reason="Too late.", by=cast.anna)
    play.abandon(second.race_id, reason="The first stage was wrong.", by=cast.anna)
    play.rewind(first.pk, to=back, reason="In time.", by=cast.anna)
    assert Race.objects.get(pk=first.pk).is_running


def test_in_the_moment_between_the_end_of_a_race_and_its_result_nobody_signs(evening: Evening) -> None:
    found = opened(evening, "1", way="refereed")
    racing.settle(over(found, road_outcome(evening, USUAL)).pk)
    over(found, road_outcome(evening, USUAL | {"F": 16}))  # it ended again, and the task is still on its way

    with pytest.raises(Refused, match="comes onto the sheet in a moment"):
        results.publish(stage_of(evening, "1"), evening.organiser, official=True)


@pytest.mark.django_db(transaction=True)
def test_of_a_signature_and_a_step_back_at_one_moment_only_one_happens(evening: Evening, cast: Cast) -> None:
    race = at_the_table(play.start(fast(evening).race, by=cast.anna), random.Random(7))
    racing.settle(race.pk)
    back = play.effective(race.entries.all())[-2].n
    stage = stage_of(evening, "1")

    came = at_once(
        lambda: results.publish(stage, cast.anna, official=True),
        lambda: play.rewind(race.pk, to=back, reason="The die lay on the floor.", by=cast.bruno),
    )

    assert sum(isinstance(one, (Refused, errors.Refused)) for one in came) == 1
    is_official, is_running = sheet_of(evening, "1").is_official, Race.objects.get(pk=race.pk).is_running
    assert is_official is not is_running


# ---- which race counts -------------------------------------------------------------------------------------------------
def test_an_abandoned_race_does_not_come_back_once_another_was_opened(evening: Evening, cast: Cast) -> None:
    first = fast(evening)
    race = at_the_table(play.start(first.race, by=cast.anna), random.Random(7), steps=12)
    play.abandon(race.pk, reason="The lights went out.", by=cast.anna)
    second = opened(evening, "1", way="refereed", riding={})

    with pytest.raises(errors.Refused, match="only that one counts"):
        play.rewind(race.pk, to=play.effective(race.entries.all())[3].n, reason="Light again.", by=cast.anna)

    assert racing.race_of(evening.stages["1"]) == second
    over(first, road_outcome(evening, {"A": 12, "C": 12}))
    assert racing.settle(first.race_id) is None
    assert not SheetVersion.objects.exists()
    page = client_of(cast.anna).get(evening.stages["1"].get_absolute_url()).content.decode()
    assert first.race.get_absolute_url() in page
    assert second.race.get_absolute_url() in page


def test_an_abandoned_race_may_be_gone_on_with_as_long_as_its_stage_is_the_same(evening: Evening, cast: Cast) -> None:
    found = fast(evening)
    race = at_the_table(play.start(found.race, by=cast.anna), random.Random(7), steps=12)
    play.abandon(race.pk, reason="The lights went out.", by=cast.anna)
    stage = stage_of(evening, "1")
    plan = stages.StagePlan(number="1", name="Pianura", starts_at=stage.starts_at, course="colli")
    stages.change_stage(stage, plan)
    back = play.effective(race.entries.all())[3].n

    with pytest.raises(errors.Refused, match="has another course by now"):
        play.rewind(race.pk, to=back, reason="Light again.", by=cast.anna)
    stages.change_stage(
        stage, stages.StagePlan(number="1", name="Pianura", starts_at=stage.starts_at, course="pianura")
    )
    play.rewind(race.pk, to=back, reason="Light again.", by=cast.anna)

    assert racing.race_of(evening.stages["1"]) == found
    racing.settle(at_the_table(race, random.Random(8)).pk)
    assert sheet_of(evening, "1").state == "provisional"


def test_after_an_abandoned_race_the_sheet_is_typed_by_hand_and_becomes_official(evening: Evening, cast: Cast) -> None:
    found = opened(evening, "1", way="refereed")
    play.start(found.race, by=cast.anna)
    play.abandon(found.race_id, reason="The phone went flat.", by=cast.anna)

    evening.ride("1")

    assert sheet_of(evening, "1").state == "official"
    assert racing.races_of(stage_of(evening, "1")).counts is None


def test_a_race_that_waits_does_not_start_once_the_result_was_typed_by_hand(evening: Evening, cast: Cast) -> None:
    found = opened(evening, "1", way="refereed", riding={})
    evening.ride("1", official=False)

    answer = client_of(cast.anna).post(reverse("races:start", args=[found.race.key]))

    assert answer.status_code == 409
    assert "Stage 1 has a published result already." in answer.content.decode()
    assert Race.objects.get(pk=found.race_id).is_open


# ---- what has changed since it was opened -------------------------------------------------------------------------------
def lines_of(campaign: Campaign, **other: Player) -> list[startlist.Line]:
    return [
        startlist.Line(
            bib=r.bib, name=r.name, speciality=r.speciality, player=other.get(f"bib{r.bib}", r.player), rider=r.pk
        )
        for r in startlist.start_list(campaign)
    ]


@pytest.mark.parametrize("running", [False, True])
def test_while_a_stage_has_its_race_nobody_enters_leaves_or_changes_hands(
    evening: Evening, cast: Cast, running: bool
) -> None:
    found = opened(evening, "1", way="refereed", riding={})
    if running:
        play.start(found.race, by=cast.anna)
    lines = lines_of(evening.campaign)
    late = startlist.Line(bib=77, name="Late", speciality="leader", player=make.PlayerFactory(club=evening.club))

    for attempt in (
        {"lines": lines, "remove": [evening.riders["F"].pk]},
        {"lines": [*lines, late]},
        {"lines": lines_of(evening.campaign, bib11=late.player)},
    ):
        with pytest.raises(Faulty, match="Stage 1 has its race"):
            startlist.enter_riders(evening.campaign, sure=True, **attempt)
    mended = [startlist.Line(bib=line.bib + 100, name=f"{line.name}!", speciality=line.speciality, player=line.player,
                             rider=line.rider) for line in lines]  # fmt: skip
    startlist.enter_riders(evening.campaign, mended, sure=True)

    play.abandon(found.race_id, reason="Fedor is ill.", by=cast.anna)
    startlist.enter_riders(evening.campaign, mended, remove=[evening.riders["F"].pk], sure=True)
    assert evening.campaign.riders.count() == 5


def test_who_stays_away_has_no_seat_and_is_dns_on_the_sheet(evening: Evening, cast: Cast) -> None:
    anna, address = client_of(cast.anna), evening.campaign.url("stage_race", "1")
    told = {f"seat{player.pk}": "easy" for player in evening.players.values()}
    told |= {f"seat{evening.players['F'].pk}": "absent", "way": "online", "cards": "matched", "token": ""}

    anna.post(address, told)

    found = StageRace.objects.get()
    assert [seat.label for seat in found.race.seats.all()] == [f"Player {letter}" for letter in "ABCDE"]
    racing.settle(ridden(found).pk)
    assert sheet_of(evening, "1").state == "provisional"
    assert Result.objects.get(rider=evening.riders["F"]).status == "dns"
    count(evening.campaign.pk)
    assert "did not start" in Client().get(evening.stages["1"].get_absolute_url()).content.decode()


def test_who_is_withdrawn_on_the_sheet_before_the_race_is_opened_is_told_on_its_form_and_has_no_seat(
    evening: Evening, cast: Cast
) -> None:
    by_hand(evening, status_B="withdrawn")

    page = client_of(cast.anna).get(evening.campaign.url("stage_race", "1")).content.decode()
    found = opened(evening, "1")

    assert "12 Kessel" in page
    assert "withdrawn" in page
    assert "Player B" not in {seat.label for seat in found.race.seats.all()}


def test_with_nobody_at_the_start_no_race_is_opened_and_nothing_is_typed(evening: Evening) -> None:
    with pytest.raises(Refused, match="Nobody is at the start"):
        opened(evening, "1", riding={player.pk: "absent" for player in evening.players.values()})

    assert not DraftCell.objects.exists()


def test_a_race_that_waits_starts_with_the_energy_and_the_team_of_the_evening(evening: Evening, cast: Cast) -> None:
    racing.settle(over(opened(evening, "1"), road_outcome(evening, USUAL)).pk)
    found = opened(evening, "2")
    by_hand(evening, energy_A="5")
    results.publish(stage_of(evening, "1"), evening.organiser)
    Rider.objects.filter(pk=evening.riders["A"].pk).update(team=evening.teams["green"], name="Amedeo Sarti jr.")

    play.start(found.race, by=cast.anna)

    seat = Seat.objects.get(race=found.race, label="Player A")
    assert seat.entrant == {"riders": [{"id": "11", "type": "rouleur", "jersey": "green-stripes", "carry": 5}]}
    assert seat.riders["11"]["name"] == "Amedeo Sarti jr."
    race = Race.objects.get(pk=found.race_id)
    assert next(e for e in race.entrants if e["seat"] == seat.name)["riders"] == seat.entrant["riders"]


def test_a_race_that_waits_does_not_start_without_a_rider_whom_the_last_sheet_has_put_out_since(
    evening: Evening, cast: Cast
) -> None:
    racing.settle(over(opened(evening, "1"), road_outcome(evening, USUAL)).pk)
    found = opened(evening, "2", way="refereed", riding={})
    by_hand(evening, turn_F="", place_F="", energy_F="", status_F="dnf")
    results.publish(stage_of(evening, "1"), evening.organiser)

    answer = client_of(cast.anna).post(reverse("races:start", args=[found.race.key]))

    assert answer.status_code == 409
    told = answer.content.decode()
    assert "22 Lund is not at the start any more." in told
    assert "Call the race off" in told
    assert Race.objects.get(pk=found.race_id).is_open


def test_energy_that_an_older_sheet_changed_while_the_race_ran_is_told_to_the_jury(evening: Evening) -> None:
    racing.settle(over(opened(evening, "1"), road_outcome(evening, USUAL)).pk)
    second = opened(evening, "2")
    race = ridden(second)
    by_hand(evening, energy_A="5")
    results.publish(stage_of(evening, "1"), evening.organiser)

    racing.settle(race.pk)

    assert sheet_of(evening, "2").state == "provisional"
    assert note_of(second) == "11 Sarti started with 2 energy from before; by the sheets of today it is 5."


def test_of_a_race_with_a_rider_who_is_out_by_now_the_others_come_onto_the_sheet_and_wait(evening: Evening) -> None:
    racing.settle(over(opened(evening, "1"), road_outcome(evening, USUAL)).pk)
    second = opened(evening, "2")
    race = ridden(second)
    by_hand(evening, turn_F="", place_F="", energy_F="", status_F="dnf")
    results.publish(stage_of(evening, "1"), evening.organiser)

    racing.settle(race.pk)

    assert note_of(second).startswith("The result of the race is on the sheet and not public yet. 22 rode this race")
    assert sheet_of(evening, "2").state == "draft"
    typed = set(DraftCell.objects.filter(sheet__stage=evening.stages["2"]).values_list("key", flat=True))
    assert key_of(evening, "turn", "A") in typed
    assert key_of(evening, "turn", "F") not in typed


def test_players_who_are_merged_while_they_sit_ride_on_and_the_result_is_the_riders(
    evening: Evening, cast: Cast
) -> None:
    evening.players["B"].user = cast.carla
    evening.players["B"].save()
    found = opened(evening, "1", way="refereed", riding={})
    race = play.start(found.race, by=cast.anna)
    luck = random.Random(3)
    at_the_table(race, luck, steps=10)

    roster.merge(evening.players["A"], evening.players["B"], is_sure=True)

    assert racing.claims(cast.carla, race) == {"A", "B"}
    for user in (cast.anna, cast.carla):
        assert client_of(user).get(race.get_absolute_url()).status_code == 200
        assert client_of(user).get(reverse("races:referee", args=[race.key])).status_code == 200
        assert client_of(user).get(evening.stages["1"].get_absolute_url()).status_code == 200
    racing.settle(at_the_table(race, luck).pk)
    assert sheet_of(evening, "1").state == "provisional"
    assert len(told_on_the_sheet()) == 6
    roster.unmerge(Player.objects.get(pk=evening.players["B"].pk))
    assert racing.claims(cast.carla, race) == {"B"}


def test_a_waiting_race_of_two_players_who_were_merged_starts_with_both_seats(evening: Evening, cast: Cast) -> None:
    found = opened(evening, "1")
    roster.merge(evening.players["A"], evening.players["B"], is_sure=True)

    race = play.start(found.race, by=cast.anna)

    assert race.is_running
    assert [len(entrant["riders"]) for entrant in race.entrants] == [1] * 6


def test_a_transfer_while_a_team_time_trial_runs_leaves_the_clock_of_the_teams_to_the_jury(evening: Evening) -> None:
    Stage.objects.filter(pk=evening.stages["1"].pk).update(kind="ttt", course="laguna")
    found = opened(evening, "1")
    race = ridden(found)
    Rider.objects.filter(pk=evening.riders["B"].pk).update(team=evening.teams["green"])

    racing.settle(race.pk)

    assert "The teams are not those of the race any more" in note_of(found)
    sheet = sheet_of(evening, "1")
    assert sheet.state == "draft"
    typed = dict(sheet.cells.values_list("key", "value"))
    assert race.outcome is not None
    assert {k: v for k, v in typed.items() if k.startswith("turn-")} == {
        f"turn-{found.riders[row['id']]}": str(row["turn"]) for row in race.outcome["riders"]
    }
    assert not [key for key in typed if key.startswith("teamclock")]


def test_a_transfer_while_a_road_stage_runs_gives_the_result_to_the_team_of_the_day(evening: Evening) -> None:
    found = opened(evening, "1")
    race = over(found, road_outcome(evening, USUAL))
    stage = stage_of(evening, "1")
    roster.transfer(evening.season, evening.players["B"], evening.teams["green"], stage.day)

    racing.settle(race.pk)

    assert Result.objects.get(rider=evening.riders["B"]).team == evening.teams["green"]
    assert Result.objects.get(rider=evening.riders["A"]).team == evening.teams["white"]


# ---- bots --------------------------------------------------------------------------------------------------------------
def test_who_was_ridden_by_a_bot_is_marked_on_the_sheet_in_the_result_and_in_the_standing(
    evening: Evening, cast: Cast
) -> None:
    riding = {player.pk: "easy" for player in evening.players.values()} | {evening.players["F"].pk: "club"}
    found = opened(evening, "1", riding=riding)
    Seat.objects.filter(race=found.race).exclude(label__in=["Player E", "Player F"]).update(bot="", user=cast.carla)
    over(found, road_outcome(evening, USUAL))
    racing.settle(found.race_id)
    count(evening.campaign.pk)

    stage = Client().get(evening.campaign.url("stage_export", "1", "json")).json()
    gc = Client().get(evening.campaign.url("gc_export", "json")).json()

    assert {row["bib"]: row["bot"] for row in rows_of(stage)} == {
        11: None, 12: None, 21: None, 22: "club", 31: None, 32: "easy",
    }  # fmt: skip
    assert {row["bib"] for row in rows_of(gc) if row["bot_stages"] == "1"} == {22, 32}
    page = Client().get(evening.stages["1"].get_absolute_url()).content.decode()
    assert page.count('data-cell="bot"') == 2
    assert "bot, club level" in page
    assert Client().get(evening.campaign.url("gc")).content.decode().count("a bot in stage 1") == 2
    anna = client_of(cast.anna)
    assert anna.get(evening.campaign.url("sheet", "1")).content.decode().count("bot, easy") == 1
    assert Client().get(evening.campaign.url("version", "1", 1)).content.decode().count("bot, easy") == 1


def rows_of(told: Any) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = told["rows"]
    return rows


def test_a_bot_that_gave_the_seat_back_before_the_end_leaves_no_mark(evening: Evening, cast: Cast) -> None:
    evening.players["A"].user = cast.carla
    evening.players["A"].save()
    found = opened(evening, "1", way="refereed", riding={})
    race = play.start(found.race, by=cast.anna)
    seat = Seat.objects.get(race=race, label="Player A").name
    play.substitute(race.pk, seat=seat, user=None, bot="easy", label="", by=cast.anna)
    play.substitute(race.pk, seat=seat, user=cast.carla, bot="", label="", by=cast.anna)
    racing.settle(over(found, road_outcome(evening, USUAL)).pk)

    assert racing.ridden_by_bots(evening.campaign) == {}


def test_a_course_of_the_library_that_is_changed_while_a_race_runs_on_it_changes_neither_race_nor_stage(
    evening: Evening, cast: Cast
) -> None:
    kept = library.Layout(name="Lungomare", draft={}, plan=FLAT)
    course = library.add(cast.club, cast.anna, kept)
    stage = stage_of(evening, "1")
    plan = stages.StagePlan(
        number="1", name="Lungomare", starts_at=stage.starts_at, way="online", course_json=course.plan
    )
    stages.change_stage(stage, plan)
    found = opened(evening, "1")
    road = dict(found.race.options["course"])

    library.change(course, cast.bruno, library.Layout(name="Other", draft={}, plan={**FLAT, "name": "Other"}), seen=1)
    library.put_away(course, away=True)
    race = ridden(found)
    racing.settle(race.pk)

    assert (race.options["course"], stage_of(evening, "1").course_json) == (road, road)
    assert sheet_of(evening, "1").state == "provisional"
    assert Client().get(race.get_absolute_url()).status_code == 200
    assert Client().get(reverse("races:verify", args=[race.key])).status_code == 200
