"""Stages ridden as races, for the tests: opening one, riding it, or having it end as somebody says."""

import random
import threading
from collections.abc import Callable, Mapping
from typing import Any

from django.db import connections
from django.utils import timezone

from league import racing
from league.errors import Refused
from league.models import Result, Sheet, Stage, StageRace
from races import errors, play
from races.models import Race, Status
from rules.game import Taker
from tests.evening import Evening

USUAL = {"A": 12, "C": 12, "D": 13, "B": 14, "E": 14, "F": 17}
"""The riders of Pianura as they arrive, with their turns."""


def stage_of(evening: Evening, number: str) -> Stage:
    """The stage as it is stored now."""
    stage = Stage.objects.get(pk=evening.stages[number].pk)
    stage.campaign = evening.campaign
    return stage


def opened(evening: Evening, number: str, way: str = "online", **more: Any) -> StageRace:
    """A race of a stage in which bots ride for everybody."""
    bots = {player.pk: "easy" for player in evening.players.values()}
    return racing.open_race(
        stage_of(evening, number), evening.organiser, way=way, riding=more.pop("riding", bots), **more
    )


def ridden(found: StageRace) -> Race:
    """The race ridden to its end by its bots."""
    play.start(found.race, by=None)
    while Race.objects.get(pk=found.race_id).is_running:
        play.advance(found.race_id)
    return Race.objects.get(pk=found.race_id)


def at_the_table(race: Race, luck: random.Random, *, steps: int | None = None) -> Race:
    """A refereed race ridden on to its end: people as somebody whose time is up, dice as they fall."""
    done = 0
    while Race.objects.get(pk=race.pk).is_running and done != steps:
        table = play.look(Race.objects.get(pk=race.pk))
        decision = table.decisions[0]
        if decision.taker is Taker.CHANCE:
            fallen, weights = zip(*table.game.weighted(table.state, decision), strict=True)
            action = luck.choices(fallen, weights)[0]
        else:
            action = table.game.default(table.state, decision)
        name = play.name_of(decision)
        play.referee(
            race.pk, action=action, decision=name, after=table.opened[name], key=f"{luck.random()}", by=None
        )  # fmt: skip
        done += 1
    return Race.objects.get(pk=race.pk)


def over(found: StageRace, outcome: Mapping[str, Any]) -> Race:
    """The race as if it had ended like this."""
    race = Race.objects.get(pk=found.race_id)
    race.status, race.outcome, race.ended_at = Status.OVER, dict(outcome), timezone.now()
    race.save()
    return race


def road_outcome(evening: Evening, turns: Mapping[str, int | None], peloton: int = 14) -> dict[str, Any]:
    """An outcome of Pianura in which the riders arrive in this order, in these turns (None: too late)."""
    rows = []
    for order, (letter, turn) in enumerate(turns.items(), 1):
        rider = evening.riders[letter]
        rows.append(
            {"id": str(rider.bib), "seat": letter, "jersey": "white", "type": rider.speciality, "turn": turn,
             "order": None if turn is None else order, "energy": 2 * order, "out": turn is None}
        )  # fmt: skip
    return {"kind": "road", "course": "pianura", "riders": rows, "token": "A", "peloton_turn": peloton,
            "bonus": [{"token": 1, "rider": str(evening.riders["D"].bib)}]}  # fmt: skip


def sheet_of(evening: Evening, number: str) -> Sheet:
    return Sheet.objects.get(stage=evening.stages[number])


def told_by(race: Race) -> dict[str, tuple[Any, ...]]:
    """Turn and order of each rider, as the race ended."""
    assert race.outcome is not None
    return {row["id"]: (row["turn"], row["order"]) for row in race.outcome["riders"]}


def told_on_the_sheet() -> dict[str, tuple[Any, ...]]:
    """The same as it is published."""
    return {str(r.rider.bib): (r.turn, r.place) for r in Result.objects.select_related("rider")}


def at_once(*calls: Callable[[], object]) -> list[object]:
    """What came of these calls, made at one moment on connections of their own."""
    barrier, came = threading.Barrier(len(calls)), []

    def run(call: Callable[[], object]) -> None:
        barrier.wait()
        try:
            came.append(call())
        except (Refused, errors.Refused) as refusal:
            came.append(refusal)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=[call]) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return came
