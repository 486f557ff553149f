"""What the sheet of a physical race is made of: who starts, on what course, and what was told about the race.

A *racer* crosses lines: a cyclist, or in a Madison a team. A *crosser* is what stands on a sheet for one: a racer by his
id, or only his team where the tiles were handed out without noting numbers. None is a place of which nothing is known.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, Self

from rules.breaking_away.course import Line
from rules.breaking_away.data import CYCLISTS
from rules.breaking_away.options import EndMode, MadisonDistance, Options, read_options
from rules.breaking_away.setup import MADISON_NUMBERS

VERSION = 1


class Crosser(NamedTuple):
    """Who took a place on a line. `number` is None where only the team is told, and for a team of a Madison."""

    team: str
    number: int | None = None

    @property
    def id(self) -> str:
        return self.team if self.number is None else f"{self.team}{self.number}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Team:
    """A team at the start. `id` stands on sheets (R; its cyclists are R1 to R4), `seat` is who rides it."""

    id: str
    name: str = ""
    seat: str = ""

    @property
    def called(self) -> str:
        """How a sentence speaks of it."""
        return f"{self.id} ({self.name})" if self.name and self.name != self.id else self.id

    @property
    def player(self) -> str:
        return self.seat or self.id


@dataclass(frozen=True, kw_only=True)
class Context:
    """What is known before the race: the options with the course, and the teams clockwise around the table."""

    options: Options
    teams: tuple[Team, ...]

    @classmethod
    def of(cls, options: Mapping[str, Any], teams: Sequence[Team]) -> Self:
        """With options as JSON. `RulesError` says what is wrong with them."""
        return cls(options=read_options(options), teams=tuple(teams))

    @property
    def madison(self) -> bool:
        return self.options.madison

    @property
    def lines(self) -> tuple[Line, ...]:
        return self.options.course.lines

    @property
    def numbers(self) -> tuple[int, ...]:
        return MADISON_NUMBERS if self.madison else CYCLISTS

    @property
    def by_squares(self) -> bool:
        """Madison: the sheet tells how far each team came instead of laps."""
        return self.options.madison_distance is MadisonDistance.SQUARES

    @property
    def whole_turns(self) -> bool:
        return self.options.end_mode is EndMode.COMPLETE_TURN

    @cached_property
    def team_ids(self) -> tuple[str, ...]:
        return tuple(team.id for team in self.teams)

    @cached_property
    def cyclists(self) -> tuple[str, ...]:
        """Everybody with a hand."""
        return tuple(f"{team.id}{number}" for team in self.teams for number in self.numbers)

    @cached_property
    def racers(self) -> dict[str, Crosser]:
        """Everybody who can take a place or retire, by id."""
        if self.madison:
            return {team.id: Crosser(team.id) for team in self.teams}
        return {f"{team.id}{number}": Crosser(team.id, number) for team in self.teams for number in self.numbers}

    @property
    def most_of_a_team(self) -> int:
        """How many of a team can cross a line."""
        return 1 if self.madison else len(self.numbers)

    def team(self, team: str) -> Team:
        return next((one for one in self.teams if one.id == team), Team(id=team))

    def points(self, line: int, place: int) -> int:
        """Points for a place on a line; nothing beyond its scoring places. Rules: BA-VAL-05, BA-VAL-06, BA-SCORE-03."""
        table = self.lines[line].points
        return table[place - 1] if place <= len(table) else 0

    def scoring_places(self, line: int) -> int:
        """How many of this field can score there."""
        return min(len(self.lines[line].points), len(self.racers))


class Spent(NamedTuple):
    """A line of the log: a factor spent, and the new one that was announced for it, if it is told."""

    cyclist: str
    factor: int
    gained: int | None = None


class Gone(NamedTuple):
    """A line of the log: a racer retires at the end of this turn."""

    racer: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Log:
    """The log sheets, for the audit: everything else is recomputed. What is not told is empty. Rules: BA-VAL-20."""

    first: str = ""  # a team of the player who began
    hands: tuple[tuple[str, tuple[int, ...]], ...] = ()  # by cyclist, sorted
    turns: tuple[tuple[int, tuple[Spent | Gone, ...]], ...] = ()  # by number, in the order in which they moved
    ratings: tuple[tuple[str, tuple[int, ...]], ...] = ()  # Madison, by team
    lineups: tuple[tuple[str, tuple[int, ...]], ...] = ()  # Madison, by team: who rides first, square of the other
    changes: tuple[tuple[int, tuple[str, ...]], ...] = ()  # Madison, by turn: teams that changed after it

    def __post_init__(self) -> None:
        for name in ("hands", "turns", "ratings", "lineups", "changes"):
            object.__setattr__(self, name, tuple(sorted(getattr(self, name), key=lambda told: told[0])))

    @property
    def is_told(self) -> bool:
        return bool(self.first or self.hands or self.turns or self.ratings or self.lineups or self.changes)


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetContent:
    """What a sheet tells. `lines` are those of the course in their order. What is told by team or cyclist is sorted, so that equal
    sheets are equal."""

    lines: tuple[tuple[Crosser | None, ...], ...] = ()
    retired: tuple[str, ...] = ()  # racers, sorted
    leftover: tuple[str, ...] = ()  # teams, the furthest ahead at the end first: help with ties
    abandoned: bool = False
    totals: tuple[tuple[str, int], ...] = ()  # by team, as somebody added them up
    distances: tuple[tuple[str, int], ...] = ()  # Madison, by team: laps down, or where it came to
    log: Log = Log()
    sure: frozenset[str] = field(default_factory=frozenset)

    def __post_init__(self) -> None:
        object.__setattr__(self, "retired", tuple(sorted(self.retired)))
        for name in ("totals", "distances"):
            object.__setattr__(self, name, tuple(sorted(getattr(self, name))))

    @property
    def is_blank(self) -> bool:
        """Nobody is told to have crossed a line."""
        return not any(self.lines)

    def same_facts(self, other: Self) -> bool:
        """Both tell the same race; which asks were confirmed is no fact of it."""
        return self.to_json() | {"sure": []} == other.to_json() | {"sure": []}

    def to_json(self) -> dict[str, Any]:
        """As JSON data, the same for equal sheets."""
        return {
            "version": VERSION,
            "lines": [[None if who is None else [who.team, who.number] for who in line] for line in self.lines],
            "retired": list(self.retired),
            "leftover": list(self.leftover),
            "abandoned": self.abandoned,
            "totals": dict(self.totals),
            "distances": dict(self.distances),
            "log": {
                "first": self.log.first,
                "hands": {cyclist: list(hand) for cyclist, hand in self.log.hands},
                "turns": [[number, [list(entry) for entry in entries]] for number, entries in self.log.turns],
                "ratings": {team: list(pair) for team, pair in self.log.ratings},
                "lineups": {team: list(pair) for team, pair in self.log.lineups},
                "changes": [[number, list(teams)] for number, teams in self.log.changes],
            },
            "sure": sorted(self.sure),
        }

    def to_text(self) -> str:
        """As one line of JSON, the same bytes for equal sheets."""
        return json.dumps(self.to_json(), ensure_ascii=False, sort_keys=True, separators=(",", ":"))

    @classmethod
    def from_json(cls, data: Mapping[str, Any] | str) -> Self:
        """What `to_json` or `to_text` wrote. Raises `ValueError` for anything else: nobody types this form."""
        stored = json.loads(data) if isinstance(data, str) else data
        if not isinstance(stored, Mapping) or stored.get("version") != VERSION:
            raise ValueError(f"not a sheet of version {VERSION}")
        try:
            log = stored["log"]
            return cls(
                lines=tuple(
                    tuple(None if who is None else Crosser(_text(who[0]), _number(who[1], none=True)) for who in line)
                    for line in stored["lines"]
                ),
                retired=tuple(map(_text, stored["retired"])),
                leftover=tuple(map(_text, stored["leftover"])),
                abandoned=bool(stored["abandoned"]),
                totals=tuple((_text(team), _whole(total)) for team, total in stored["totals"].items()),
                distances=tuple((_text(team), _whole(laps)) for team, laps in stored["distances"].items()),
                log=Log(
                    first=_text(log["first"]),
                    hands=_numbers_by(log["hands"]),
                    turns=tuple((_whole(number), tuple(map(_entry, entries))) for number, entries in log["turns"]),
                    ratings=_numbers_by(log["ratings"]),
                    lineups=_numbers_by(log["lineups"]),
                    changes=tuple((_whole(number), tuple(map(_text, teams))) for number, teams in log["changes"]),
                ),
                sure=frozenset(map(_text, stored["sure"])),
            )
        except (KeyError, TypeError, AttributeError, IndexError) as fault:
            raise ValueError(f"not a sheet of version {VERSION}: {fault!r}") from fault


def _entry(stored: Sequence[Any]) -> Spent | Gone:
    if len(stored) == 1:
        return Gone(_text(stored[0]))
    cyclist, factor, gained = stored
    return Spent(_text(cyclist), _whole(factor), _number(gained, none=True))


def _numbers_by(stored: Mapping[str, Sequence[Any]]) -> tuple[tuple[str, tuple[int, ...]], ...]:
    return tuple((_text(who), tuple(map(_whole, numbers))) for who, numbers in stored.items())


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    return value


def _whole(value: object) -> int:
    if type(value) is not int:
        raise TypeError(f"{value!r} is no whole number")
    return value


def _number(value: object, *, none: bool) -> int | None:
    return None if none and value is None else _whole(value)
