"""A club's points series for tests: four players, a bot, and rounds that are typed as at a table."""

from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User

from league import rounds, series
from league.divisions import DivisionsPlan, set_divisions
from league.models import Club, Division, Player, Round, RoundVersion, Season, Series, SeriesEntrant
from tests import factories as make
from tests.factories import FIRST_EVENING

SHORT = {"breaking_away-course": "kermesse-60"}
"""Two lines: a sprint after 30, the finish after 60."""

FINISH = "A1 B1 C1 D1 A2 B2 C2 D2"


@dataclass
class Coppa:
    series: Series
    entrants: dict[str, SeriesEntrant]
    players: dict[str, Player]
    organiser: User

    @property
    def season(self) -> Season:
        return self.series.season

    def round(self, number: str = "1", *, day: int = 0, **plan: Any) -> Round:
        """A round of the short course, some days after the first evening."""
        at = FIRST_EVENING.replace(day=FIRST_EVENING.day + day)
        return series.new_round(self.series, series.RoundPlan(number=number, starts_at=at, setup=SHORT, **plan))

    def type(self, round_: Round, sprint: str, finish: str = FINISH, **more: str) -> None:
        """Type what crossed both lines, over whatever stands there."""
        cells = {"line-1": sprint, "line-2": finish, **{key.replace("_", "-"): v for key, v in more.items()}}
        rounds.type_cells(round_, self.organiser, cells, dict(round_.cells), correcting=True)

    def ride(
        self, number: str, sprint: str, finish: str = FINISH, *, official: bool = True, **more: str
    ) -> RoundVersion:
        """A round from the calendar to its published sheet."""
        found = self.series.rounds.filter(number=number).first()
        if found is None:
            found = self.round(number, day=int(number))
        found.series = self.series
        self.type(found, sprint, finish, **more)
        return rounds.publish(found, self.organiser, official=official)

    def url(self, page: str = "series", *args: object) -> str:
        return self.series.url(page, *args)


def coppa(club: Club, organiser: User, *, bots: int = 0, season: str = "2026") -> Coppa:
    """A series of Breaking Away with Ada, Bice, Ciro and Dora as A to D, and bots after them."""
    in_season = make.SeasonFactory(club=club, slug=season)
    players = {name[0]: make.PlayerFactory(club=club, name=name) for name in ("Ada", "Bice", "Ciro", "Dora")}
    made = series.new_series(in_season, series.SeriesPlan(name="Coppa delle Corse", game="breaking_away"))
    plan = series.EntrantsPlan(players=list(players.values()), bots=[("easy", "")] * bots)
    entrants = {entrant.code: entrant for entrant in series.set_entrants(made, plan)}
    return Coppa(series=made, entrants=entrants, players=players, organiser=organiser)


@dataclass
class Ladder(Coppa):
    """The same in two divisions: Prima with Ada, Bice, Ciro and Dora, Seconda with Elio, Fosca, Gino and Hans."""

    prima: Division
    seconda: Division

    def reload(self) -> None:
        self.entrants = {one.code: one for one in self.series.entrants.select_related("team", "player")}

    def ride_both(self, number: str, prima: str, seconda: str, *, official: bool = True) -> None:
        """A round of both divisions: the letters in the order of their places."""
        at = FIRST_EVENING.replace(day=FIRST_EVENING.day + int(number))
        made = series.new_rounds(self.series, series.RoundPlan(number=number, starts_at=at, setup=SHORT))
        for found, order in zip(made, (prima, seconda), strict=True):
            crossed = " ".join([f"{letter}{n}" for n in (1, 2, 3) for letter in order][:8])
            self.ride(found.number, crossed, crossed, official=official)


def ladder(club: Club, organiser: User, *, season: str = "2026", up: int = 1, down: int = 1) -> Ladder:
    """A series in two divisions of four."""
    plain = coppa(club, organiser, season=season)
    more = {name[0]: make.PlayerFactory(club=club, name=name) for name in ("Elio", "Fosca", "Gino", "Hans")}
    series.set_entrants(plain.series, series.EntrantsPlan(players=list(more.values())))
    plan = DivisionsPlan(come=["Prima", "Seconda"], promoted=up, relegated=down)
    prima, seconda = set_divisions(plain.series, plan)
    plain.series.refresh_from_db()
    made = Ladder(
        series=plain.series,
        entrants={},
        players=plain.players | more,
        organiser=organiser,
        prima=prima,
        seconda=seconda,
    )
    made.reload()
    return made


__all__ = ["FINISH", "SHORT", "Coppa", "Ladder", "coppa", "ladder"]
