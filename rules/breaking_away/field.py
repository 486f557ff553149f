"""Who takes part, compiled once for a race: names, controllers, and the tables that every move looks into.

Seats, teams and racers are known by their index; people read their names. A *racer* is one entry of the race order: a
cyclist, or in a Madison a team, for which one of its two cyclists rides. The same race has the same `Field` object.
"""

from typing import Any, Final, NamedTuple
from weakref import WeakValueDictionary

from rules.breaking_away import data
from rules.breaking_away.actions import Move
from rules.breaking_away.options import Options
from rules.game import Decision, Seat, Taker

USUAL_FACTORS: Final = 64
"""Moves of factors below this are made once for all."""


class Team(NamedTuple):
    """A team, with the numbers of its cyclists: four, or two in a Madison; a position may tell fewer."""

    id: str
    seat: int
    numbers: tuple[int, ...]


class Field:
    """All that stays as it is while a race runs."""

    __slots__ = (
        "__weakref__", "asked", "auto_single", "course", "cyclists", "gates", "madison", "moves", "names", "number", "of_seat",
        "opened", "options", "places", "racers_of_team", "seat_of", "seats", "team_of", "teams",
    )  # fmt: skip

    def __init__(self, options: Options, seats: tuple[Seat, ...], teams: tuple[Team, ...]) -> None:
        self.options = options
        self.course = options.course
        self.madison = options.madison
        self.auto_single = options.auto_single
        self.seats = seats
        self.teams = teams
        racers: list[tuple[int, tuple[int, ...]]] = []  # team, numbers of who rides for it
        for index, team in enumerate(teams):
            racers += [(index, team.numbers)] if self.madison else [(index, (number,)) for number in team.numbers]
        self.team_of = tuple(team for team, _ in racers)
        self.seat_of = tuple(teams[team].seat for team, _ in racers)
        self.number = tuple(numbers[0] for _, numbers in racers)
        self.cyclists = tuple(tuple(f"{teams[team].id}{number}" for number in numbers) for team, numbers in racers)
        """Of each racer the cyclist, or in a Madison both."""
        self.names = tuple(
            teams[team].id if self.madison else own[0] for (team, _), own in zip(racers, self.cyclists, strict=True)
        )
        self.places = {name: (racer, side) for racer, own in enumerate(self.cyclists) for side, name in enumerate(own)}
        """Of each cyclist the racer that he is or rides for, and whether he is the first or the second there."""
        self.of_seat = tuple(
            tuple(racer for racer, owner in enumerate(self.seat_of) if owner == seat) for seat in range(len(seats))
        )
        self.racers_of_team = tuple(
            tuple(racer for racer, of in enumerate(self.team_of) if of == team) for team in range(len(teams))
        )
        self.gates = self._gates()
        self.asked = tuple(
            tuple(
                (Decision(kind="move", taker=Taker.SEAT, seat=seats[self.seat_of[racer]], about=name),) for name in own
            )
            for racer, own in enumerate(self.cyclists)
        )
        self.moves = tuple(
            tuple(tuple(Move(cyclist=name, factor=factor) for factor in range(USUAL_FACTORS)) for name in own)
            for own in self.cyclists
        )
        self.opened: dict[Any, list[list[tuple[Decision, ...]]]] = {}
        """Decisions that are open at each racer's move, by what they follow from (`asides.opened_with_move`)."""

    def _gates(self) -> tuple[int, ...]:
        """The next line to cross, from the furthest place behind the start up to the finish. Rules: BA-SCORE-01."""
        road = range(-data.FURTHEST_BACK, self.course.finish.at + 1)
        return tuple(next(line.at for line in self.course.lines if line.at >= pos) for pos in road)

    def team_named(self, name: str) -> int | None:
        return next((index for index, team in enumerate(self.teams) if team.id == name), None)

    def seat_named(self, name: str | None) -> int | None:
        return self.seats.index(Seat(name)) if name in self.seats else None

    def __reduce__(self) -> Any:
        return field_of, (self.options, self.seats, self.teams)

    def __repr__(self) -> str:
        return f"Field({', '.join(self.names)})"


_FIELDS: WeakValueDictionary[Any, Field] = WeakValueDictionary()


def field_of(options: Options, seats: tuple[Seat, ...], teams: tuple[Team, ...]) -> Field:
    """The one `Field` of these: equal races share it, so that states are compared by value."""
    key = (options, seats, teams)
    found = _FIELDS.get(key)
    if found is None:
        found = _FIELDS[key] = Field(options, seats, teams)
    return found


__all__ = ["USUAL_FACTORS", "Field", "Team", "field_of"]
