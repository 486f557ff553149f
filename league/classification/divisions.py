"""Divisions of a series: who goes up and who goes down when it is over, and how full the next ones are.

A *division* has its own rounds and its own standing (`series.count`). Divisions are known by their place in the order, 0 the
highest. A *move* is what the standing says about the next series; nothing here changes anything.

- The best `up` of a division go up, its last `down` go down; nobody leaves the highest upwards or the lowest downwards.
- Who *rides no more* is passed over on the way up, and takes one of the places on the way down.
- Who has not ridden a single round is not promoted.
- In a small division who goes up is not also counted among the last.
- Level entrants stand as the series' tie-break puts them. If some are level even then and only some of them can move,
  nobody of them is moved: the standing does not say who, and somebody has to.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby

from league.classification.series import SeriesRow, Standing


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """How many move between two divisions, and how many ride in one."""

    up: int = 2
    down: int = 2
    most: int = 6
    least: int = 3  # a round with fewer does not count

    def __post_init__(self) -> None:
        if min(self.up, self.down) < 0 or not 0 < self.least <= self.most:
            raise ValueError("nobody moves by less than nobody, and a division has room for its least")


class Way(StrEnum):
    """Out of a division."""

    UP = "up"
    DOWN = "down"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """What a place in the standing would mean at the end."""

    way: Way
    open_with: tuple[int, ...] = ()  # level in everything with these, and not all of them can move: nobody is moved
    places: int = 0  # how many of those who are level can

    @property
    def is_open(self) -> bool:
        return bool(self.open_with)


class Crowd(StrEnum):
    """What is wrong with how many a division has."""

    FULL = "full"
    EMPTY = "empty"


def marks(
    rules: Rules, standing: Standing, *, division: int, divisions: int, gone: Collection[int] = ()
) -> dict[int, Mark]:
    """Who would go up or down if the series ended so, of one division out of `divisions`. Nothing before its first round.

    `gone`: who rides no more.
    """
    if not 0 <= division < divisions:
        raise ValueError("no such division")
    if not standing.rounds:
        return {}
    here = [row for row in standing.rows if row.entrant not in gone]
    found: dict[int, Mark] = {}
    if division > 0:
        found |= _moved(Way.UP, [row for row in here if row.ridden], rules.up)
    if division < divisions - 1:
        left = [row for row in here if row.entrant not in found]
        found |= _moved(Way.DOWN, left[::-1], rules.down - (len(standing.rows) - len(here)))
    return found


def _moved(way: Way, rows: Sequence[SeriesRow], places: int) -> dict[int, Mark]:
    """The first of `rows`, as many as there are places; who is level goes together or is left open."""
    found: dict[int, Mark] = {}
    for _rank, group in groupby(rows, key=lambda row: row.rank):
        level = sorted(row.entrant for row in group)
        free = places - len(found)
        if free <= 0:
            break
        if len(level) > free:
            found |= {
                one: Mark(way=way, open_with=tuple(other for other in level if other != one), places=free)
                for one in level
            }
            break
        found |= {one: Mark(way=way) for one in level}
    return found


def following(marked: Sequence[Mapping[int, Mark]], riding: Sequence[Iterable[int]]) -> dict[int, int]:
    """The division of each entrant in the next series, as it is proposed: the movers moved, all others where they are.

    `marked` and `riding` (who rides on, in the order of the standing) go by division, the highest first. The order of the
    answer is that of the new divisions: who came down, who stayed, who came up.
    """
    to = {
        entrant: (_target(mark.get(entrant), division), division)
        for division, (mark, entrants) in enumerate(zip(marked, riding, strict=True))
        for entrant in entrants
    }
    return {entrant: there for entrant, (there, _here) in sorted(to.items(), key=lambda pair: pair[1])}


def _target(mark: Mark | None, division: int) -> int:
    if mark is None or mark.is_open:
        return division
    return division - 1 if mark.way is Way.UP else division + 1


def crowd(rules: Rules, riders: int) -> Crowd | None:
    """Whether a division has too many or too few; None: neither."""
    if riders > rules.most:
        return Crowd.FULL
    return Crowd.EMPTY if riders < rules.least else None
