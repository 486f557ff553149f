"""A series: points by place in the races of a season, the best results of each entrant added up.

Nothing here belongs to a game: a round is a list of places, whatever was ridden, and what a place brings is data.
`count` is the one door to a standing, `what_if` to what the next round could bring.

Points are counted in *halves*, whole numbers of half points, because a shared place may bring half a point.

Who rides what, and what it brings:

- A *bot* and a *guest* (no entrant of the series) take their places and bring nobody anything; nobody moves up.
- A *substitute* rides for the entrant: what he brings is the entrant's, and the part says who rode.
- A bot that rides in an entrant's stead takes its place and brings the entrant nothing.
- Who was to ride and did not come (a *no-show*), and who was not down for the round (*absent*), gets nothing. Either way
  the round is one of his rounds, and its nothing may be among the results that are dropped.
- Has an entrant several rows in a round (several teams of a Madison), the one that brings most is his; the others keep
  their places and bring nothing.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from league.classification.ranking import competition_ranks

HALVES = 2  # of a point
PER_MILLE = 1000


class Criterion(StrEnum):
    """What separated an entrant from the one above."""

    POINTS = "points"  # of the results that count
    WINS = "wins"  # of all rounds, dropped ones too
    SECONDS = "seconds"  # second places, likewise
    SHARES = "shares"  # sum of the race shares of the results that count
    LATEST = "latest"  # the better place in the latest round in which their places differ


TIES = (Criterion.WINS, Criterion.SECONDS, Criterion.SHARES, Criterion.LATEST)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """How a series is counted."""

    places: tuple[int, ...]  # points for 1st, 2nd...; nothing beyond
    bonus: int = 0  # points for whoever has most `extra` in a round, alone
    drop_one_in: int | None = 4  # of N rounds the N - floor(N / 4) best results count; None: all do
    least_starters: int = 3  # with fewer the round does not count
    ties: tuple[Criterion, ...] = TIES  # after the points, in this order

    def __post_init__(self) -> None:
        if any(points < 0 for points in (*self.places, self.bonus)):
            raise ValueError("no place and no bonus takes points away")
        if list(self.places) != sorted(self.places, reverse=True):
            raise ValueError("a better place never brings less")
        if self.drop_one_in is not None and self.drop_one_in < 2:
            raise ValueError("not every result can be dropped")
        if len(set(self.ties)) < len(self.ties) or Criterion.POINTS in self.ties:
            raise ValueError("ties are broken by different criteria, after the points")

    def kept(self, rounds: int) -> int:
        """How many results count after so many rounds."""
        return rounds if self.drop_one_in is None else rounds - rounds // self.drop_one_in


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundRow:
    """One row in the result of a round: a team, rider or player at the start, or one who did not come."""

    entrant: int | None = None  # None: a bot or a guest
    rank: int | None = None  # shared 1, 2, 2, 4; None: rode and was not placed, or did not come
    points: int = 0  # of the race itself, for the race share
    extra: int = 0  # what the bonus goes by, as points on the sprints along the way
    bot: bool = False
    substitute: int | None = None  # the player who rode for the entrant
    no_show: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """What a round of the series came to."""

    number: int  # later rounds have higher numbers
    rows: tuple[RoundRow, ...]
    provisional: bool = False
    abandoned_early: bool = False  # given up before the first line was complete


class Void(StrEnum):
    """Why a round does not count."""

    TOO_FEW = "too_few"
    ABANDONED = "abandoned"


class PartState(StrEnum):
    """What an entrant was in a round."""

    RODE = "rode"  # himself or by a substitute
    BOT = "bot"  # a bot rode in his stead
    NO_SHOW = "no_show"
    ABSENT = "absent"  # not down for it


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What one round brought an entrant."""

    round: int
    state: PartState
    rank: int | None = None  # the place taken; None: not placed, or did not ride himself
    sharing: int = 0  # how many rows share the place, his own with them; 0: no place
    place_halves: int = 0
    bonus_halves: int = 0
    share: int = 0  # per mille of all points of the race
    counts: bool = True  # False: one of the results that are dropped
    substitute: int | None = None
    provisional: bool = False

    @property
    def halves(self) -> int:
        """All half points of the round."""
        return self.place_halves + self.bonus_halves


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesRow:
    """An entrant's line in the standing."""

    entrant: int
    rank: int
    halves: int
    gap: int  # the leader's halves minus his own
    wins: int
    seconds: int
    shares: int  # per mille, summed
    ridden: int  # rounds, by himself or a substitute
    parts: tuple[Part, ...]  # one for each round that counts, by its number
    provisional: bool  # a provisional round has a part in it
    decided_by: Criterion | None  # against the row above; None: leads or shares its rank
    decided_against: int | None
    decided_values: tuple[int | None, int | None] | None  # own, other: halves, a number, per mille, or places
    decided_round: int | None  # whose places, where the latest round decided


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A series after some rounds."""

    rows: tuple[SeriesRow, ...]  # best first; equals in the order of their ids, which decides nothing
    rounds: tuple[int, ...]  # that count
    kept: int  # how many results of each entrant count
    void: tuple[tuple[int, Void], ...]  # rounds that do not count, and why
    provisional: bool  # a provisional round is among those that count


@dataclass(frozen=True, slots=True, kw_only=True)
class WhatIf:
    """What a place in one more round would bring an entrant, the others apart."""

    place: int
    halves: int  # for the place, taken alone
    total: int  # his half points afterwards
    gain: int  # what the total grows by: less than `halves` where another result falls out, more where one comes back
    total_with_bonus: int
    gain_with_bonus: int
    then: int  # his place by points alone, if all others got nothing in that round


def void(rules: Rules, ridden: Round) -> Void | None:
    """Why a round does not count; None: it does. Bots and guests are starters, too."""
    if ridden.abandoned_early:
        return Void.ABANDONED
    if sum(not row.no_show for row in ridden.rows) < rules.least_starters:
        return Void.TOO_FEW
    return None


def count(rules: Rules, entrants: Iterable[int], rounds: Iterable[Round]) -> Standing:
    """The standing of a series, from nothing.

    The order of entrants, rounds and rows does not matter. An entrant without any result is listed with nothing.
    Raises `ValueError` on what no result can say (a stranger, places that are not 1, 2, 2, 4).
    """
    listed = sorted(set(entrants))
    ordered = sorted(rounds, key=lambda ridden: ridden.number)
    _refuse_nonsense(listed, ordered)
    voids = {ridden.number: void(rules, ridden) for ridden in ordered}
    counted = [ridden for ridden in ordered if voids[ridden.number] is None]
    kept = rules.kept(len(counted))
    brought = [_brought(rules, ridden) for ridden in counted]
    tallies = [
        _Tally.of(
            entrant,
            [
                of.get(entrant) or Part(round=ridden.number, state=PartState.ABSENT, provisional=ridden.provisional)
                for ridden, of in zip(counted, brought, strict=True)
            ],
            kept,
        )
        for entrant in listed
    ]
    return Standing(
        rows=tuple(_rows(rules, tallies)),
        rounds=tuple(ridden.number for ridden in counted),
        kept=kept,
        void=tuple((number, why) for number, why in voids.items() if why is not None),
        provisional=any(ridden.provisional for ridden in counted),
    )


def what_if(rules: Rules, standing: Standing, entrant: int, places: int | None = None) -> tuple[WhatIf, ...]:
    """What one more round that counts would bring an entrant at each place, from 1st to `places`th.

    `places` is how many will start; without it, as many as the table has points for. The round makes one more result
    and may make one more that is dropped.
    """
    row = next((row for row in standing.rows if row.entrant == entrant), None)
    if row is None:
        raise ValueError(f"{entrant} is no entrant of this series")
    kept = rules.kept(len(row.parts) + 1)

    def total(halves: int, of: SeriesRow = row) -> int:
        return sum(sorted([*(part.halves for part in of.parts), halves], reverse=True)[:kept])

    # with nothing more a dropped result may come back for the others, too
    others = [total(0, other) for other in standing.rows if other is not row]
    found = []
    for place in range(1, (len(rules.places) if places is None else places) + 1):
        halves = _place_halves(rules, place, 1)
        plain, better = total(halves), total(halves + rules.bonus * HALVES)
        found.append(
            WhatIf(
                place=place,
                halves=halves,
                total=plain,
                gain=plain - row.halves,
                total_with_bonus=better,
                gain_with_bonus=better - row.halves,
                then=1 + sum(other > plain for other in others),
            )
        )
    return tuple(found)


def _refuse_nonsense(entrants: Sequence[int], rounds: Sequence[Round]) -> None:
    """What no result can say."""
    numbers = [ridden.number for ridden in rounds]
    if len(set(numbers)) < len(numbers):
        raise ValueError("two rounds have the same number")
    known = set(entrants)
    for ridden in rounds:
        placed = [row.rank for row in ridden.rows if row.rank is not None]
        for row in ridden.rows:
            about = f"round {ridden.number}"
            if row.entrant is not None and row.entrant not in known:
                raise ValueError(f"{about}: {row.entrant} is no entrant of this series")
            if row.rank is not None and row.rank != 1 + sum(rank < row.rank for rank in placed):
                raise ValueError(f"{about}: place {row.rank} does not follow from the places before it")
            if row.no_show and row.rank is not None:
                raise ValueError(f"{about}: who did not come has place {row.rank}")
            if row.points < 0 or row.extra < 0:
                raise ValueError(f"{about}: points below zero")
            if row.substitute is not None and (row.entrant is None or row.bot):
                raise ValueError(f"{about}: a substitute rides for an entrant, and is no bot")


def _place_halves(rules: Rules, rank: int, sharing: int) -> int:
    """Half points for a place: those of the places that are shared, averaged and rounded down to halves."""
    return HALVES * sum(rules.places[rank - 1 : rank - 1 + sharing]) // sharing


def _bonus_row(rows: Sequence[RoundRow]) -> RoundRow | None:
    """Who has most of what the bonus goes by; None: several, or nobody has any. A bot keeps it from the others."""
    most = max((row.extra for row in rows), default=0)
    first = [row for row in rows if row.extra == most]
    return first[0] if most and len(first) == 1 else None


def _brought(rules: Rules, ridden: Round) -> Mapping[int, Part]:
    """What a round brought each entrant who was down for it."""
    awarded = sum(row.points for row in ridden.rows)
    bonus = _bonus_row(ridden.rows)
    found: defaultdict[int, list[Part]] = defaultdict(list)
    for row in ridden.rows:
        if row.entrant is None:
            continue
        if row.no_show or row.bot:
            state = PartState.NO_SHOW if row.no_show else PartState.BOT
            found[row.entrant].append(Part(round=ridden.number, state=state, provisional=ridden.provisional))
            continue
        sharing = sum(other.rank == row.rank for other in ridden.rows) if row.rank is not None else 0
        found[row.entrant].append(
            Part(
                round=ridden.number,
                state=PartState.RODE,
                rank=row.rank,
                sharing=sharing,
                place_halves=_place_halves(rules, row.rank, sharing) if row.rank is not None else 0,
                bonus_halves=rules.bonus * HALVES if row is bonus else 0,
                share=row.points * PER_MILLE // awarded if awarded else 0,
                substitute=row.substitute,
                provisional=ridden.provisional,
            )
        )
    return {entrant: max(parts, key=_worth) for entrant, parts in found.items()}


def _worth(part: Part) -> tuple[int, float, int, int, float]:
    """The better of two parts of an entrant in one round is the larger; nobody's order on the sheet decides."""
    return (
        part.halves,
        -math.inf if part.rank is None else -part.rank,
        part.share,
        -list(PartState).index(part.state),
        math.inf if part.substitute is None else -part.substitute,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tally:
    """An entrant's series added up."""

    entrant: int
    parts: tuple[Part, ...]

    @classmethod
    def of(cls, entrant: int, parts: Sequence[Part], kept: int) -> "_Tally":
        """With the results that are dropped marked: the fewest points, then the smaller share, then the earlier round."""
        best = sorted(parts, key=lambda part: (-part.halves, -part.share, -part.round))[:kept]
        counting = {part.round for part in best}
        return cls(entrant=entrant, parts=tuple(replace(part, counts=part.round in counting) for part in parts))

    def value(self, criterion: Criterion) -> int:
        """What one criterion counts; more is better."""
        match criterion:
            case Criterion.POINTS:
                return sum(part.halves for part in self.parts if part.counts)
            case Criterion.WINS:
                return sum(part.rank == 1 for part in self.parts)
            case Criterion.SECONDS:
                return sum(part.rank == 2 for part in self.parts)
            case Criterion.SHARES:
                return sum(part.share for part in self.parts if part.counts)
            case Criterion.LATEST:
                raise ValueError("the latest round is no number")

    def key(self, criterion: Criterion) -> tuple[float, ...]:
        """For sorting, the smallest first."""
        if criterion is Criterion.LATEST:
            return tuple(math.inf if part.rank is None else part.rank for part in reversed(self.parts))
        return (-self.value(criterion),)


def _rows(rules: Rules, tallies: Sequence[_Tally]) -> Iterable[SeriesRow]:
    """The lines of the standing, best first."""
    chain = (Criterion.POINTS, *rules.ties)
    keys = {tally.entrant: tuple(tally.key(criterion) for criterion in chain) for tally in tallies}
    ranks = competition_ranks(keys.items())
    ordered = sorted(tallies, key=lambda tally: (ranks[tally.entrant], tally.entrant))
    for index, tally in enumerate(ordered):
        halves = tally.value(Criterion.POINTS)
        row = SeriesRow(
            entrant=tally.entrant,
            rank=ranks[tally.entrant],
            halves=halves,
            gap=ordered[0].value(Criterion.POINTS) - halves,
            wins=tally.value(Criterion.WINS),
            seconds=tally.value(Criterion.SECONDS),
            shares=tally.value(Criterion.SHARES),
            ridden=sum(part.state is PartState.RODE for part in tally.parts),
            parts=tally.parts,
            provisional=any(part.provisional and part.state is not PartState.ABSENT for part in tally.parts),
            decided_by=None,
            decided_against=None,
            decided_values=None,
            decided_round=None,
        )
        yield row if index == 0 else _decided(row, chain, tally, ordered[index - 1])


def _decided(row: SeriesRow, chain: Sequence[Criterion], own: _Tally, above: _Tally) -> SeriesRow:
    """The row with the criterion that put it below the one above."""
    criterion = next((criterion for criterion in chain if own.key(criterion) != above.key(criterion)), None)
    if criterion is None:
        return row
    values: tuple[int | None, int | None]
    number = None
    if criterion is Criterion.LATEST:
        ours, theirs = next(
            (ours, theirs)
            for ours, theirs in zip(reversed(own.parts), reversed(above.parts), strict=True)
            if ours.rank != theirs.rank
        )
        values, number = (ours.rank, theirs.rank), ours.round
    else:
        values = (own.value(criterion), above.value(criterion))
    return replace(
        row, decided_by=criterion, decided_against=above.entrant, decided_values=values, decided_round=number
    )
