"""From the tap that opens a stage as a race to the general classification: every step by its page."""

import json
import random
from dataclasses import dataclass
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league import racing
from league.models import Result, Rider, Sheet, Stage, StageRace, Standing
from league.recount import count
from league.tasks import settle as settle_task
from races import play
from races.models import Race
from rules.game import Taker
from tests.conftest import Cast
from tests.evening import Evening
from tests.league.stage_races import USUAL, at_the_table, opened, over, road_outcome

COURSES = {"1": ("road", "pianura"), "2": ("itt", "crono"), "3": ("ttt", "laguna")}
ORDER = {"road": "order", "itt": "clock"}


@dataclass
class Organiser:
    """Somebody who leads a Giro by its pages alone."""

    evening: Evening
    client: Client

    def address(self, name: str, number: str) -> str:
        return self.evening.campaign.url(name, number)

    def opens(self, number: str, way: str) -> StageRace:
        """The form of the stage, as its page fills it, with a bot for everybody who rides online."""
        form = self.client.get(self.address("stage_race", number)).context["form"]
        told = {name: form[name].value() or form.fields[name].choices[0][0] for name in form.fields} | {"way": way}
        seats = [name for name in form.fields if name.startswith("seat")]
        told |= dict.fromkeys(seats, "easy" if way == "online" else "player")
        answer = self.client.post(self.address("stage_race", number), told)
        assert answer.status_code == 302, answer.content.decode()
        return StageRace.objects.get(stage__number=number, is_live=True)

    def starts(self, race: Race) -> None:
        assert self.client.post(reverse("races:start", args=[race.key])).status_code == 302

    def referees(self, race: Race, luck: random.Random) -> None:
        """Every question of the phone, answered by its form: riders as the rules propose, dice as they fall."""
        address = reverse("races:referee", args=[race.key])
        while True:
            table = play.look(Race.objects.get(pk=race.pk))
            if not table.decisions:
                return
            decision = table.decisions[0]
            name = play.name_of(decision)
            if decision.taker is Taker.CHANCE:
                fallen, weights = zip(*table.game.weighted(table.state, decision), strict=True)
                action = luck.choices(fallen, weights)[0]
            else:
                action = table.game.default(table.state, decision)
            told = {
                "decision": name, "after": table.opened[name], "key": f"{luck.random()}",
                "action": json.dumps(table.game.write_action(action)),
            }  # fmt: skip
            answer = self.client.post(address, told)
            assert answer.status_code == 302, answer.content.decode()

    def signs(self, number: str) -> None:
        page = self.client.get(self.address("sheet", number)).content.decode()
        assert "Everything is told" in page
        assert self.client.post(self.address("sheet_publish", number), {"official": "on"}).status_code == 302
        assert Sheet.objects.get(stage__number=number).state == "official"


def sheet_says(number: str) -> dict[str, tuple[Any, ...]]:
    """Rider by rider what is published: status, turn, place or clock, energy."""
    rows = Result.objects.filter(sheet__stage__number=number).select_related("rider", "sheet__stage")
    return {
        str(r.rider.bib): (r.status, r.turn, r.place if r.sheet.stage.kind == "road" else r.clock, r.energy)
        for r in rows
    }


def race_says(race: Race) -> dict[str, tuple[Any, ...]]:
    """The same as the race ended."""
    outcome = race.outcome
    assert outcome is not None
    runs = {jersey: place for place, jersey in enumerate(outcome.get("clock", ()), 1)}
    said = {}
    for row in outcome["riders"]:
        order = runs[row["jersey"]] if outcome["kind"] == "ttt" else row[ORDER[outcome["kind"]]]
        told = ("otl", None, None, None) if row["out"] else ("finished", row["turn"], order, row["energy"])
        said[row["id"]] = told
    return said


def gc_of(evening: Evening, number: str) -> dict[str, tuple[int | None, int | None]]:
    """Place and score of everybody in the general classification after a stage."""
    rows = Standing.objects.filter(stage=evening.stages[number], classification=Standing.GC).select_related("rider")
    return {str(row.rider.bib): (row.rank, row.value) for row in rows if row.rider}


@pytest.mark.parametrize("way", ["refereed", "online"])
def test_a_giro_of_three_kinds_is_ridden_from_the_first_tap_to_the_general_classification(
    evening: Evening, cast: Cast, way: str, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    monkeypatch.setattr(settle_task, "delay", settle_task)  # the queue, without the wait
    Rider.objects.filter(pk__in=[evening.riders["D"].pk, evening.riders["E"].pk]).delete()  # two teams of two
    for number, (kind, course) in COURSES.items():
        Stage.objects.filter(pk=evening.stages[number].pk).update(kind=kind, course=course)
    anna = Organiser(evening, Client())
    anna.client.force_login(cast.anna)
    brought: dict[str, int] = {}
    standings = []
    for number, (kind, course) in COURSES.items():
        found = anna.opens(number, way)
        assert found.race.options["course"] == course
        started = {rider["id"]: rider["carry"] for seat in found.race.seats.all() for rider in seat.entrant["riders"]}
        assert started == (brought or dict.fromkeys(started, 0))

        with django_capture_on_commit_callbacks(execute=True):
            anna.starts(found.race)
            if way == "refereed":
                anna.referees(found.race, random.Random(number))
            else:
                while Race.objects.get(pk=found.race_id).is_running:
                    play.advance(found.race_id)

        race, sheet = Race.objects.get(pk=found.race_id), Sheet.objects.get(stage=evening.stages[number])
        assert (sheet.state, sheet.version) == ("provisional", 1)
        assert sheet_says(number) == race_says(race)
        assert race.outcome is not None
        assert sheet.peloton_turn == race.outcome.get("peloton_turn")
        won = {b.token: b.rider and str(b.rider.bib) for b in sheet.bonuses.select_related("rider")}
        assert won == {b["token"]: b["rider"] for b in race.outcome.get("bonus", ())}
        page = Client().get(evening.stages[number].get_absolute_url()).content.decode()
        assert "It is over, and its result is on the sheet." in page
        anna.signs(number)
        count(evening.campaign.pk)
        standings.append(gc_of(evening, number))
        cap = evening.campaign.cap_road if kind == "road" else evening.campaign.cap_time_trial
        rows = Standing.objects.filter(stage=evening.stages[number], classification=Standing.GC, state="in")
        brought = {str(row.rider.bib): row.facts["carry"] for row in rows.select_related("rider") if row.rider}
        assert brought == {
            row["id"]: min(cap, row["energy"]) for row in race.outcome["riders"] if row["id"] in brought
        }  # fmt: skip

    assert len({tuple(sorted(standing.items())) for standing in standings}) == 3  # it moved with every stage
    assert Standing.objects.filter(stage=evening.stages["3"], classification=Standing.GC, in_pink=True).count() == 1


def test_a_stopwatch_at_the_table_is_the_clock_on_the_sheet(
    evening: Evening, cast: Cast, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    monkeypatch.setattr(settle_task, "delay", settle_task)
    Stage.objects.filter(pk=evening.stages["1"].pk).update(kind="itt", course="crono")
    anna = Organiser(evening, Client())
    anna.client.force_login(cast.anna)
    told = {f"seat{player.pk}": "player" for player in evening.players.values()}
    anna.client.post(
        anna.address("stage_race", "1"), told | {"way": "refereed", "cards": "matched", "clock": "measured"}
    )
    race = Race.objects.get()

    with django_capture_on_commit_callbacks(execute=True):
        anna.starts(race)
        anna.referees(race, random.Random(1))

    race.refresh_from_db()
    assert sheet_says("1") == race_says(race)
    assert sorted(clock for _status, _turn, clock, _energy in sheet_says("1").values() if clock) == [1, 2, 3, 4, 5, 6]


def test_the_token_that_the_organiser_names_is_where_the_race_begins(evening: Evening, cast: Cast) -> None:
    anna = Organiser(evening, Client())
    anna.client.force_login(cast.anna)
    told = {f"seat{player.pk}": "player" for player in evening.players.values()}
    told |= {"way": "refereed", "cards": "none", "token": str(evening.players["D"].pk)}
    anna.client.post(anna.address("stage_race", "1"), told)
    race = Race.objects.get()

    anna.starts(race)

    at_the_table(race, random.Random(1), steps=len(evening.riders))  # each draws his strength first
    position = play.look(Race.objects.get(pk=race.pk))
    assert position.game.write_state(position.state)["token"] == race.seats.get(label="Player D").name


def test_a_member_may_neither_open_nor_take_over_a_race(evening: Evening, cast: Cast) -> None:
    carla = Client()
    carla.force_login(cast.carla)
    address = evening.campaign.url("stage_race", "1")

    assert [carla.post(address, told).status_code for told in ({}, {"again": "on"})] == [403, 403]
    anna = Client()
    anna.force_login(cast.anna)
    answer = anna.post(address, {"again": "on"})
    assert answer.status_code == 409
    assert "has no race that has ended" in answer.content.decode()


def test_what_was_left_off_in_a_closed_season_is_taken_over_with_one_tap(evening: Evening, cast: Cast) -> None:
    found = opened(evening, "1", way="refereed")
    race = over(found, road_outcome(evening, USUAL))
    evening.season.archived_at = timezone.now()
    evening.season.save()
    racing.settle(race.pk)
    found.refresh_from_db()
    assert "archived" in found.note
    evening.season.archived_at = None
    evening.season.save()
    anna = Client()
    anna.force_login(cast.anna)
    stage = evening.stages["1"].get_absolute_url()
    assert "Take the result of the race over once more" in anna.get(stage).content.decode()

    page = anna.post(evening.campaign.url("stage_race", "1"), {"again": "on"}, follow=True).content.decode()

    assert "The result of the race is public, and provisional." in page
    assert "Take the result of the race over once more" not in page
    assert len(sheet_says("1")) == 6
