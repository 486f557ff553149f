"""The season's tables of teams and players as pages and files print them: each once, so that they cannot differ.

A point belongs to the team that its rider rode for on that day and to the player who rode him; the line says of every
point which stage, which rider and which place it came from. Nothing is counted here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.book import Book
from league.classification.season import SeasonCriterion
from league.models import Player, Rider, Season, SeasonStanding, Stage, Team
from league.tables import Value
from league.templatetags.look import signed
from league.words import Reason, listed, number_word

KEYS = {
    SeasonStanding.TEAMS: ("place", "team", "points", "gap", "stages_won"),
    SeasonStanding.PLAYERS: ("place", "player", "told_apart_by", "points", "gap", "stages_won"),
}


@dataclass(frozen=True, slots=True)
class Scorer:
    """A rider of the line in a stage, and what he brought. `place` is None for no finisher."""

    rider: Rider
    name: str
    place: int | None
    points: int

    @property
    def url(self) -> str:
        return self.rider.campaign.url("rider", self.rider.bib)


@dataclass(frozen=True, slots=True)
class Day:
    """A stage of the line."""

    stage: Stage
    scorers: Sequence[Scorer]

    @property
    def points(self) -> int:
        return sum(scorer.points for scorer in self.scorers)

    @property
    def says(self) -> str:
        """Who brought what: "Marchetti placed 1 (10), Quist placed 4 (5)"."""
        return ", ".join(
            _("%(rider)s placed %(place)s (%(points)s)")
            % {"rider": scorer.name, "place": scorer.place, "points": scorer.points}
            if scorer.place is not None
            else _("%(rider)s without a place") % {"rider": scorer.name}
            for scorer in self.scorers
        )


@dataclass(frozen=True, slots=True)
class SeasonLine:
    """A line: its cells, whose it is, and why."""

    cells: Mapping[str, Value]
    team: Team | None
    player: Player | None
    reason: Reason
    days: Sequence[Day]

    @property
    def minus(self) -> str:
        """The points to the first, as they are missing."""
        return signed(-self.cells["gap"]) if isinstance(self.cells["gap"], int) else ""


@dataclass(frozen=True, slots=True)
class SeasonTable:
    """A table of the season."""

    name: str
    keys: Sequence[str]
    lines: Sequence[SeasonLine]

    def rows(self) -> list[dict[str, Value]]:
        """The cells alone, in the order of the keys."""
        return [{key: line.cells[key] for key in self.keys} for line in self.lines]

    def line_of(self, who: Team | Player) -> SeasonLine | None:
        """The line of a team or player; None while no stage of theirs was counted."""
        return next((line for line in self.lines if who in (line.team, line.player)), None)


def season_headline(season: Season, table: SeasonTable) -> str:
    """Who is first, and by how much: a result."""
    firsts = [str(line.team or line.player) for line in table.lines if line.cells["place"] == 1]
    behind = next((line.cells["gap"] for line in table.lines if line.cells["place"] != 1), 0)
    told = {"who": firsts[0], "n": number_word(behind if isinstance(behind, int) else 0)}
    if len(firsts) > 1:
        return _("%(names)s share first place") % {"names": listed(firsts)}
    if season.is_archived:
        return _("%(who)s wins %(season)s") % {**told, "season": season.name}
    if not behind:
        return _("%(who)s first") % told
    return ngettext("%(who)s first by %(n)s point", "%(who)s first by %(n)s points", int(behind)) % told


def standings_of(season: Season) -> dict[str, list[SeasonStanding]]:
    """The stored lines of both tables, with teams and players. One query."""
    found: dict[str, list[SeasonStanding]] = {name: [] for name in KEYS}
    rows = SeasonStanding.objects.filter(season=season).select_related("team", "player").order_by("position")
    for row in rows:
        found[row.classification].append(row)
    return found


def season_table(name: str, standings: Sequence[SeasonStanding], books: Mapping[int, Book]) -> SeasonTable:
    """One of the tables. `books` are those of all Giri of the season: they know the stages and the riders."""
    stages = {stage.pk: (book, stage) for book in books.values() for stage in book.stages}
    called = {row.pk: str(row.team or row.player) for row in standings}
    names = {row.team_id or row.player_id: called[row.pk] for row in standings}
    ranks = [row.rank for row in standings]
    lines = []
    for index, row in enumerate(standings):
        below = standings[index + 1] if index + 1 < len(standings) else None
        cells: dict[str, Value] = {
            "place": row.rank,
            "points": row.points,
            "gap": row.gap,
            "stages_won": row.facts["wins"],
        }
        if row.player is not None:
            cells |= {"player": row.player.name, "told_apart_by": row.player.note or None}
        elif row.team is not None:
            cells |= {"team": row.team.name}
        lines.append(
            SeasonLine(
                cells=cells,
                team=row.team,
                player=row.player,
                reason=season_reason(row, below, ranks.count(row.rank) > 1, names),
                days=_days(row.facts["parts"], stages),
            )
        )
    return SeasonTable(name, KEYS[name], lines)


def _days(parts: Sequence[Mapping[str, Any]], stages: Mapping[int, tuple[Book, Stage]]) -> list[Day]:
    """The parts stage by stage, as the evenings came. A stage that was taken out since the table was counted has none."""
    by_stage: dict[int, list[Scorer]] = {}
    for part in parts:
        if part["stage"] not in stages:
            continue
        book, _stage = stages[part["stage"]]
        scorer = Scorer(
            rider=book.riders[part["rider"]],
            name=book.names.riders[part["rider"]],
            place=part["place"],
            points=part["points"],
        )
        by_stage.setdefault(part["stage"], []).append(scorer)
    days = [Day(stages[pk][1], sorted(scorers, key=_best_first)) for pk, scorers in by_stage.items()]
    return sorted(days, key=lambda day: (day.stage.starts_at, day.stage.order, day.stage.pk))


def _best_first(scorer: Scorer) -> tuple[bool, int, int]:
    return (scorer.place is None, scorer.place or 0, scorer.rider.bib)


def season_reason(
    row: SeasonStanding, below: SeasonStanding | None, shares: bool, names: Mapping[int | None, str]
) -> Reason:
    """Why the line is where it is. `shares`: others have the same rank."""
    if shares:
        return Reason(_("Equal in points and places: the rank is shared"))
    if row.facts["decided_by"] in (SeasonCriterion.WINS, SeasonCriterion.PLACES):
        return Reason(_level(row.facts, names[row.facts["decided_against"]], own_side=True))
    if below is not None and below.facts["decided_by"] in (SeasonCriterion.WINS, SeasonCriterion.PLACES):
        return Reason(_level(below.facts, names[below.team_id or below.player_id], own_side=False))
    if row.facts["decided_by"] is None:
        return Reason(_("Most points: %(points)s") % {"points": row.points})
    own, other = row.facts["decided_values"]
    return Reason(
        ngettext("%(n)s point behind %(who)s", "%(n)s points behind %(who)s", other - own)
        % {"n": other - own, "who": names[row.facts["decided_against"]]}
    )


def _level(facts: Mapping[str, Any], who: str, *, own_side: bool) -> str:
    """Level on points, and what separated the two; `facts` are the lower one's."""
    own, other = facts["decided_values"] if own_side else reversed(facts["decided_values"])
    told = {"who": who, "own": own, "other": other, "place": facts["decided_place"]}
    if facts["decided_by"] == SeasonCriterion.WINS:
        if own_side:
            return _("Level with %(who)s; fewer stages won, %(own)s to %(other)s") % told
        return _("Level with %(who)s; more stages won, %(own)s to %(other)s") % told
    if own_side:
        return _("Level with %(who)s; placed %(place)s less often, %(own)s to %(other)s") % told
    return _("Level with %(who)s; placed %(place)s more often, %(own)s to %(other)s") % told
