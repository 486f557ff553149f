"""The races that a simulation of Giro rides: six riders on a road or alone against the clock, or three teams."""

import random
from collections.abc import Mapping, Sequence
from typing import Any, Final

from races.bots.arena import Came, Figure
from rules.giro.course import BUILT_IN_IDS, built_in
from rules.giro.data import JERSEYS, Kind, Speciality

ROAD_COURSES: Final = ("pianura", "colli", "vetta", "selciato")
"""What a simulation rides if no course is named: flat, hilly, a mountain arrival, cobbles."""

RIDERS: Final = tuple(speciality for speciality in Speciality for _ in range(2))
"""Six riders, two of each speciality: so that a level meets another one in a rider of its own kind."""

TEAMS: Final = 3
"""Jerseys in a team time trial, each a seat with a rouleur, a leader and a climber."""


class GiroArena:
    """One seat a rider; in a team time trial one seat a jersey."""

    courses: Sequence[str] = ROAD_COURSES
    figures: Sequence[Figure] = (
        Figure(name="mean turns", digits=2),
        Figure(name="energy left", digits=1),
        Figure(name="out", summed=True),
    )

    def knows(self, course: str) -> bool:
        return course in BUILT_IN_IDS

    def seats(self, course: str, options: Mapping[str, Any]) -> int:
        return TEAMS if built_in(course).kind is Kind.TTT else len(RIDERS)

    def setup(
        self, course: str, options: Mapping[str, Any], rng: random.Random
    ) -> tuple[Mapping[str, Any], Sequence[Mapping[str, Any]]]:
        """The order around the table is drawn; seat n rides `RIDERS[n]` whatever the order."""
        if built_in(course).kind is Kind.TTT:
            entrants = [
                {"seat": str(number), "riders": [_rider(JERSEYS[number], speciality) for speciality in Speciality]}
                for number in range(TEAMS)
            ]
        else:
            entrants = [
                {"seat": str(number), "riders": [_rider(JERSEYS[number % 2], RIDERS[number])]}
                for number in range(len(RIDERS))
            ]
        rng.shuffle(entrants)
        return {"course": course, **options}, entrants

    def came(self, outcome: Mapping[str, Any]) -> Sequence[Came]:
        """Whoever is out of the race is last, however many they are. Against the clock, equal turns with equal energy are
        one place, since nothing but the draft order would separate them."""
        rows: dict[str, list[Mapping[str, Any]]] = {}
        for row in outcome["riders"]:
            rows.setdefault(row["seat"], []).append(row)
        keys = {seat: _key(outcome["kind"], own) for seat, own in rows.items()}
        return [
            Came(
                seat=seat,
                group=own[0]["type"] if len(own) == 1 else "team",
                place=1 + sum(other < keys[seat] for other in keys.values()),
                figures=_figures(own),
            )
            for seat, own in rows.items()
        ]


def _rider(jersey: str, speciality: Speciality) -> Mapping[str, str]:
    return {"id": f"{jersey}-{speciality.value}", "type": speciality.value, "jersey": jersey}


def _figures(rows: Sequence[Mapping[str, Any]]) -> tuple[float | None, ...]:
    """Turns, unless somebody is out, energy left, and whether somebody is out."""
    out = any(row["out"] for row in rows)
    turns = None if out else max(row["turn"] for row in rows)
    return turns, sum(row["energy"] for row in rows), int(out)


def _key(kind: str, rows: Sequence[Mapping[str, Any]]) -> tuple[int, int]:
    """What places a seat, smaller is better: the order at the line, or turns and then energy against the clock."""
    if kind == Kind.ROAD.value:
        return min((1, 0) if row["out"] else (0, row["order"]) for row in rows)
    return max(row["turn"] for row in rows), -sum(row["energy"] for row in rows)
