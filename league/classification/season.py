"""The club's season: points by placing in the stages, summed by team and by player.

The caller hands over the official stages that count, and nothing else. Points go to the team a rider rode for on
that day, and to the player who rode him: no later transfer or substitution moves them.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypedDict

from league.classification.ranking import competition_ranks


@dataclass(frozen=True, slots=True, kw_only=True)
class StageScore:
    """A rider's placing in a stage."""

    stage: int
    rider: int
    place: int | None  # None: no finisher; he takes part and gets nothing
    team: int | None = None  # the one he rode for that day; None: alone
    player: int | None = None  # who rode him that day; None: nobody of the roster


class SeasonCriterion(StrEnum):
    """What separated a team or player from the one above."""

    POINTS = "points"
    WINS = "wins"
    PLACES = "places"  # more second places, then third, and so on


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonPart:
    """What one rider brought in one stage."""

    stage: int
    rider: int
    place: int | None
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonRow:
    """A line of a season's standing."""

    rank: int
    points: int
    gap: int  # the leader's points minus its own
    wins: int  # stages
    parts: tuple[SeasonPart, ...]  # by stage id, then place
    decided_by: SeasonCriterion | None  # against the row above; None: leads or shares its rank
    decided_against: int | None
    decided_values: tuple[int, int] | None  # own, other: points, wins, or how often the place came in
    decided_place: int | None  # which place, where places decided


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonTeamRow(SeasonRow):
    """A team's season."""

    team: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonPlayerRow(SeasonRow):
    """A player's season."""

    player: int


def season_teams(scores: Iterable[StageScore], points: Sequence[int]) -> tuple[SeasonTeamRow, ...]:
    """The season of the teams; `points[place - 1]` for each rider, nothing beyond the end of the table.

    Riders who share a placing get the same points. Level on points: more stages won, then more stages with a second
    place, a third and so on (a stage counts once for a place, also if several riders share it); else a shared rank.
    """
    ranked = _ranked(scores, points, lambda score: score.team)
    return tuple(SeasonTeamRow(team=team, **fields) for team, fields in ranked)


def season_players(scores: Iterable[StageScore], points: Sequence[int]) -> tuple[SeasonPlayerRow, ...]:
    """The season of the players, as `season_teams`: a stage counts for who rode it, not for whose seat it was."""
    ranked = _ranked(scores, points, lambda score: score.player)
    return tuple(SeasonPlayerRow(player=player, **fields) for player, fields in ranked)


class _Fields(TypedDict):
    """What a row says, whoever it is about."""

    rank: int
    points: int
    gap: int
    wins: int
    parts: tuple[SeasonPart, ...]
    decided_by: SeasonCriterion | None
    decided_against: int | None
    decided_values: tuple[int, int] | None
    decided_place: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tally:
    """A season added up."""

    who: int
    parts: tuple[SeasonPart, ...]

    @property
    def points(self) -> int:
        """All of them."""
        return sum(part.points for part in self.parts)

    @property
    def stages_with(self) -> Counter[int]:
        """In how many stages each place came in."""
        return Counter(place for _, place in {(part.stage, part.place) for part in self.parts} if place is not None)


def _ranked(
    scores: Iterable[StageScore], points: Sequence[int], side: Callable[[StageScore], int | None]
) -> list[tuple[int, _Fields]]:
    """Everybody's season, best first; equal ones in the order of their ids, which decides nothing."""
    parts: defaultdict[int, list[SeasonPart]] = defaultdict(list)
    seen: set[tuple[int, int]] = set()
    for score in scores:
        if (score.stage, score.rider) in seen:
            raise ValueError(f"rider {score.rider} has two placings in stage {score.stage}")
        if score.place is not None and score.place < 1:
            raise ValueError(f"places count from 1, not {score.place}")
        seen.add((score.stage, score.rider))
        who = side(score)
        if who is None:
            continue
        won = points[score.place - 1] if score.place is not None and score.place <= len(points) else 0
        parts[who].append(SeasonPart(stage=score.stage, rider=score.rider, place=score.place, points=won))

    tallies = [
        _Tally(who=who, parts=tuple(sorted(own, key=lambda part: (part.stage, part.place or math.inf, part.rider))))
        for who, own in parts.items()
    ]
    worst = max((part.place for tally in tallies for part in tally.parts if part.place is not None), default=1)
    keys = {
        tally.who: (-tally.points, *(-tally.stages_with[place] for place in range(1, worst + 1))) for tally in tallies
    }
    ranks = competition_ranks(keys.items())
    tallies.sort(key=lambda tally: (ranks[tally.who], tally.who))
    found: list[tuple[int, _Fields]] = []
    for index, tally in enumerate(tallies):
        above = tallies[index - 1] if index else None
        column = next(
            (column for column, value in enumerate(keys[tally.who]) if above and value != keys[above.who][column]), None
        )
        fields = _Fields(
            rank=ranks[tally.who],
            points=tally.points,
            gap=tallies[0].points - tally.points,
            wins=tally.stages_with[1],
            parts=tally.parts,
            decided_by=None,
            decided_against=None,
            decided_values=None,
            decided_place=None,
        )
        if above is not None and column is not None:
            fields["decided_by"] = list(SeasonCriterion)[min(column, 2)]
            fields["decided_against"] = above.who
            fields["decided_values"] = (-keys[tally.who][column], -keys[above.who][column])
            fields["decided_place"] = column if column > 1 else None
        found.append((tally.who, fields))
    return found
