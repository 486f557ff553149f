"""The races that a simulation of Breaking Away rides: six teams on a course, or as many as `teams` says."""

import random
from collections.abc import Mapping, Sequence
from typing import Any, Final

from races.bots.arena import Came, Figure
from rules.breaking_away.course import BUILT_IN, MADISON
from rules.errors import Unreadable, gettext_noop

COURSES: Final = ("standard-100", "kermesse-60")
"""What a simulation rides if no course is named."""

TEAMS: Final = 6
MADISON_TEAMS: Final = 12
OWN: Final = "teams"
"""An option of the simulation, not of the race: how many teams there are."""


class BreakingAwayArena:
    """One seat a team; all teams are equals."""

    courses: Sequence[str] = COURSES
    figures: Sequence[Figure] = (
        Figure(name="points", digits=1),
        Figure(name="lines won", digits=2),
        Figure(name="turns", digits=1),
    )

    def knows(self, course: str) -> bool:
        return course in BUILT_IN or course == MADISON.id

    def seats(self, course: str, options: Mapping[str, Any]) -> int:
        told = options.get(OWN)
        if told is None:
            return MADISON_TEAMS if course == MADISON.id else TEAMS
        if not str(told).isdecimal():
            raise Unreadable(gettext_noop("teams is a number, not “%(told)s”."), told=str(told)[:40])
        return int(told)

    def setup(
        self, course: str, options: Mapping[str, Any], rng: random.Random
    ) -> tuple[Mapping[str, Any], Sequence[Mapping[str, Any]]]:
        """The order around the table is drawn."""
        entrants = [
            {"seat": str(number), "team": chr(ord("A") + number)} for number in range(self.seats(course, options))
        ]
        rng.shuffle(entrants)
        of_race = {name: value for name, value in options.items() if name != OWN}
        where = {"variant": "madison"} if course == MADISON.id else {"course": course}
        return where | of_race, entrants

    def came(self, outcome: Mapping[str, Any]) -> Sequence[Came]:
        """As the rules place the teams; equal places are possible only among those who have retired."""
        return [
            Came(
                seat=row["seat"],
                group="team",
                place=row["place"],
                figures=(row["points"], row["wins"], outcome["turns"]),
            )
            for row in outcome["teams"]
        ]
