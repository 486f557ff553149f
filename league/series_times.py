"""A series that is counted by time, as pages and files print it: three classifications out of the published sheets, in words.

`times_of` takes a fixed number of queries, however many rounds and cyclists there are; the counting is `classification`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from league.classification import by_time
from league.classification.by_time import Criterion, PointsRow, RiderPart, RiderRow, TeamPart, TeamRow
from league.classification.stage_race import Clock, Crossing, StageTimes, stage_times
from league.models import Series, SeriesEntrant, Team
from league.roster import kept
from league.series_table import AfterRound, Facts, found_after


def time_text(seconds: int, *, signed: bool = False) -> str:
    """1:30, −0:10; or +1:30 where it is a gap."""
    minutes, rest = divmod(abs(seconds), 60)
    sign = "−" if seconds < 0 else "+" if signed else ""
    return f"{sign}{minutes}:{rest:02d}"


def times_in(result: Mapping[str, Any]) -> StageTimes:
    """The stage in the result of a published sheet."""
    stage = result["stage"]
    return stage_times(
        (
            Crossing(rider=one["id"], team=one["team"], place=one["place"], turn=one["turn"], points=one["points"])
            for one in stage["riders"]
        ),
        stage["lines"],
    )


def as_one(result: Mapping[str, Any], line: Mapping[int, SeriesEntrant]) -> Mapping[str, Any]:
    """The result with the cyclists of merged players called after the line that they have now: W3 is B3. Where two of one
    player's entries rode in the same stage, they were two teams, and stay that."""
    stage = result["stage"]
    here = {one["entrant"]: one["team"] for one in stage["riders"]}
    taken = set(here)
    renamed: dict[str, str] = {}
    for pk, team in here.items():
        now = line[pk]
        if now.pk not in taken:
            renamed[team] = now.code
            taken.add(now.pk)
    if not renamed:
        return result
    called = {
        one["id"]: renamed.get(one["team"], one["team"]) + one["id"].removeprefix(one["team"])
        for one in stage["riders"]
    }
    riders = [
        {**one, "id": called[one["id"]], "team": renamed.get(one["team"], one["team"])} for one in stage["riders"]
    ]
    lines = [[called[id] for id in crossed] for crossed in stage["lines"]]
    return {**result, "stage": {**stage, "riders": riders, "lines": lines}}


class Timed:
    """A line of a classification by time."""

    __slots__ = ()
    row: RiderRow | TeamRow

    @property
    def time(self) -> str:
        return "–" if self.row.time is None else time_text(self.row.time)

    @property
    def gap(self) -> str:
        """Behind the first, or that he is it."""
        if self.row.rank == 1:
            return pgettext("gap of the first", "lead")
        return "–" if self.row.gap is None else time_text(self.row.gap, signed=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class RiderLine(Timed):
    """A line of the general classification."""

    row: RiderRow
    entrant: SeriesEntrant
    jersey: Team | None
    provisional: bool
    why: tuple[str, ...]
    decided: str
    values: Mapping[str, Any]  # by column of the file

    @property
    def saved(self) -> str:
        return time_text(self.row.bonus)


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamLine(Timed):
    """A line of the team classification."""

    row: TeamRow
    entrant: SeriesEntrant
    jersey: Team | None
    why: tuple[str, ...]
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class PointsLine:
    """A line of the points classification."""

    row: PointsRow
    entrant: SeriesEntrant
    jersey: Team | None
    values: Mapping[str, Any]


class TimesTable(AfterRound):
    """A stage race after a round, counted."""

    clock = Clock()

    def __init__(self, facts: Facts) -> None:
        self.facts, self.series, self.results, self.after = facts, facts.series, facts.results, facts.after
        self.rounds, self.public, self.shown = facts.rounds, facts.public, facts.shown
        self.everybody, self.line, self.by_order = facts.everybody, facts.line, facts.by_order
        self.void = [r for r in self.shown if self.results[r.pk]["abandoned_early"]]
        self.counted = [r for r in self.shown if r not in self.void]
        self.by_code = {entrant.code: entrant for entrant in self.everybody}
        self.general = by_time.count(
            [
                by_time.Stage(
                    number=r.order, times=times_in(as_one(self.results[r.pk], self.line)), provisional=not r.is_official
                )
                for r in self.counted
            ]
        )

    def jersey(self, row: RiderRow | TeamRow | PointsRow) -> Team | None:
        """What a line wears."""
        entrant = self.by_code[row.team]
        return entrant.team or self.facts.jersey_of(entrant)

    @cached_property
    def who_rode(self) -> dict[tuple[int, int], str]:
        """By round and entrant, where it was not himself."""
        rows = [(round_, row) for round_ in self.counted for row in self.results[round_.pk]["rows"]]
        found: dict[tuple[int, int], str] = {}
        for round_, row in rows:
            line, rode = self.line[row["entrant"]], self.facts.substitutes.get(row["substitute"])
            if row["bot"]:
                words = _("ridden by a bot")
            elif row["substitute"] is not None and not (rode and line.player and rode.pk == kept(line.player).pk):
                words = _("ridden by %(player)s") % {"player": rode or "?"}
            else:
                continue
            found[round_.order, row["entrant"]] = words
            found.setdefault((round_.order, line.pk), words)
        return found

    @cached_property
    def riders(self) -> list[RiderLine]:
        return [
            RiderLine(
                row=row,
                entrant=self.by_code[row.team],
                provisional=any(part.provisional and part.row is not None for part in row.parts),
                why=tuple(self._rider_words(part, self.by_code[row.team]) for part in row.parts),
                decided=self._decided(row),
                jersey=self.jersey(row),
                values=self._rider_values(row),
            )
            for row in self.general.riders
        ]

    @cached_property
    def teams(self) -> list[TeamLine]:
        return [
            TeamLine(
                row=row,
                entrant=self.by_code[row.team],
                why=tuple(map(self._team_words, row.parts)),
                jersey=self.jersey(row),
                values=self._team_values(row),
            )
            for row in self.general.teams
        ]

    @cached_property
    def points(self) -> list[PointsLine]:
        return [
            PointsLine(
                row=row, entrant=self.by_code[row.team], jersey=self.jersey(row), values=self._points_values(row)
            )
            for row in self.general.points
        ]

    # ---- words ---------------------------------------------------------------------------------------------------------
    def _told(self, number: int, words: Sequence[str], *, provisional: bool) -> str:
        told = [*words, _("provisional")] if provisional else words
        return _("%(round)s: %(what)s") % {"round": self.by_order[number], "what": "; ".join(told)}

    def _rider_words(self, part: RiderPart, entrant: SeriesEntrant) -> str:
        row = part.row
        if row is None:
            return self._told(part.stage, [_("not at the start, so without a time")], provisional=False)
        if row.time is None or row.gap is None:
            words = [_("retired, so without a time")]
        else:
            words = [
                _("place %(place)s, %(gap)s by turns") % {"place": row.place, "gap": time_text(row.gap, signed=True)}
            ]
            if row.bonus:
                told = {"bonus": time_text(row.bonus), "time": time_text(row.time)}
                words.append(_("%(bonus)s saved on the lines, leaves %(time)s") % told)
        if rode := self.who_rode.get((part.stage, entrant.pk)):
            words.append(rode)
        return self._told(part.stage, words, provisional=part.provisional)

    def _team_words(self, part: TeamPart) -> str:
        told = part.told
        if told is None:
            return self._told(part.stage, [_("not at the start, so without a time")], provisional=False)
        if told.time is None:
            words = _("fewer than %(n)s had not retired, so without a time") % {"n": self.clock.team}
        else:
            words = _("%(time)s: %(riders)s") % {"time": time_text(told.time), "riders": " ".join(told.counted)}
        return self._told(part.stage, [words], provisional=part.provisional)

    @staticmethod
    def _decided(row: RiderRow) -> str:
        """Why a cyclist stands below the one above, where the times are level."""
        if row.decided_values is None or row.decided_by is Criterion.TIME:
            return ""
        own, other = row.decided_values
        words = {"rider": row.decided_against, "own": own, "other": other}
        if row.decided_by is Criterion.PLACES:
            return _("Level with %(rider)s; larger sum of places, %(own)s to %(other)s") % words
        return _("Level with %(rider)s; behind in the latest stage, place %(own)s to %(other)s") % words

    @property
    def headline(self) -> str:
        """Who leads, in a sentence."""
        placed = [line for line in self.riders if line.row.rank is not None]
        if not placed:
            return self.series.name
        words = {"rider": placed[0].row.rider, "name": placed[0].entrant.name}
        if self.is_at_the_end and self.after == self.rounds[-1]:
            return _("%(rider)s of %(name)s wins the stage race") % words
        gap = placed[1].row.gap if len(placed) > 1 else None
        if gap:
            return _("%(rider)s of %(name)s leads by %(gap)s") % {**words, "gap": time_text(gap)}
        return _("%(rider)s of %(name)s leads") % words

    # ---- as a file -----------------------------------------------------------------------------------------------------
    def rows(self, which: str) -> list[dict[str, Any]]:
        """One of the three, with the figures of the page: times in seconds, one column for each round."""
        lines: Sequence[RiderLine | TeamLine | PointsLine] = self.riders
        if which == "teams":
            lines = self.teams
        elif which == "points":
            lines = self.points
        return [dict(line.values) for line in lines]

    def _rider_values(self, row: RiderRow) -> dict[str, Any]:
        told = {"place": row.rank, "rider": row.rider, "entrant": self.by_code[row.team].name, "seconds": row.time}
        told |= {"gap": row.gap, "saved": row.bonus, "points": row.points}
        return told | {self._key(part.stage): part.row.time if part.row else None for part in row.parts}

    def _team_values(self, row: TeamRow) -> dict[str, Any]:
        told = {"place": row.rank, "team": row.team, "entrant": self.by_code[row.team].name}
        told |= {"seconds": row.time, "gap": row.gap}
        return told | {self._key(part.stage): part.told.time if part.told else None for part in row.parts}

    def _points_values(self, row: PointsRow) -> dict[str, Any]:
        name = self.by_code[row.team].name
        return {"place": row.rank, "rider": row.rider, "entrant": name, "points": row.points}

    def keys(self, which: str) -> list[str]:
        """The columns of the file."""
        rounds = [self._key(round_.order) for round_ in self.counted]
        return {
            "teams": ["place", "team", "entrant", "seconds", "gap", *rounds],
            "points": ["place", "rider", "entrant", "points"],
        }.get(which, ["place", "rider", "entrant", "seconds", "gap", "saved", "points", *rounds])

    def _key(self, order: int) -> str:
        return f"round_{self.by_order[order].number}"


FILES = ("riders", "teams", "points")
"""The classifications, as files call them."""


def times_of(series: Series, after: str | None = None) -> TimesTable:
    """The standing after a round, by its number; after the latest published one without. 404 for one that is not there."""
    return TimesTable(Facts(series, *found_after(series, after)))
