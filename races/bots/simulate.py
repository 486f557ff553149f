"""Races between bots, and how often each level wins.

The levels ride the same races against each other. Races come in *blocks*: one course, one order around the table, one
set of dice; in each race of a block the levels have changed seats, until every level has ridden with every rider. The
dice of a race are drawn by their purpose (the seventh peloton roll, the second tile of that rider), so that within a
block the same things fall as far as the same things are asked.

A *pair* is two riders of different levels in one race; the one who placed higher has won it. Equal places decide
nothing and are left out. Pairs of *equals* are two riders of one kind (two climbers, say): on a mountain a climber
beats a sprinter whoever rides, so these tell more.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import combinations
from math import sqrt
from multiprocessing import get_context
from time import perf_counter
from types import MappingProxyType
from typing import Any, Final

from races import bots
from races.bots.arena import Arena, Came, Figure
from rules import registry
from rules.chance import drawn, total
from rules.game import AnyGame, Decision, Taker

Z: Final = 1.959963984540054
"""Standard deviations either side that hold 95 % of a normal distribution."""


def arena(game: str) -> Arena:
    """How that game is simulated; KeyError if it cannot be."""
    return ARENAS[game]()


def _giro() -> Arena:
    from races.bots.giro.arena import GiroArena

    return GiroArena()


def _breaking_away() -> Arena:
    from races.bots.breaking_away.arena import BreakingAwayArena

    return BreakingAwayArena()


ARENAS: Final[Mapping[str, Callable[[], Arena]]] = MappingProxyType({"breaking_away": _breaking_away, "giro": _giro})


# ---- which races -----------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class Heat:
    """One race to simulate: who sits where, and where its dice come from."""

    game: str
    course: str
    options: tuple[tuple[str, Any], ...]
    dice: str  # equal for all races of a block
    levels: tuple[str, ...]  # of seat "0", "1"...


def rotations(levels: Sequence[str], seats: int) -> list[tuple[str, ...]]:
    """Every seating of a block: the levels in turn around the seats, from each of them on, in both directions.

    Together they give every level every seat equally often.
    """
    found: dict[tuple[str, ...], None] = {}
    for direction in (list(levels), list(reversed(levels))):
        for first in range(len(levels)):
            found[tuple(direction[(first + seat) % len(levels)] for seat in range(seats))] = None
    return list(found)


def heats(
    game: str,
    levels: Sequence[str],
    races: int,
    seed: int | str,
    courses: Sequence[str] = (),
    options: Mapping[str, Any] | None = None,
) -> list[list[Heat]]:
    """The blocks of a simulation: at least `races` races in all, every block whole, the courses in turn."""
    where = arena(game)
    courses = courses or where.courses
    blocks: list[list[Heat]] = []
    planned = 0
    while planned < races:
        course = courses[len(blocks) % len(courses)]
        block = [
            Heat(
                game=game,
                course=course,
                options=tuple((options or {}).items()),
                dice=f"{seed}/{len(blocks)}",
                levels=seating,
            )
            for seating in rotations(levels, where.seats(course, options or {}))
        ]
        blocks.append(block)
        planned += len(block)
    return blocks


# ---- one race --------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class Ridden:
    """One race that was simulated."""

    heat: Heat
    came: tuple[Came, ...]
    decisions: int  # answered by bots
    thought: tuple[tuple[str, int, float], ...]  # of each level: its decisions, and seconds that it took for them
    seconds: float


class Dice:
    """Chance of one race. What falls hangs on what it is for, not on how much was rolled before for other things."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._asked: Counter[tuple[str, str | None, str | None]] = Counter()

    def __call__(self, game: AnyGame, state: Any, decision: Decision) -> Any:
        purpose = (decision.kind, decision.about, decision.why)
        self._asked[purpose] += 1
        name = "/".join(map(str, (self._source, *purpose, self._asked[purpose])))
        outcomes = game.weighted(state, decision)
        return drawn(outcomes, source(name).randrange(total(outcomes)))


def source(name: str) -> random.Random:
    """A random source that is the same for the same name, on every machine and under every hash seed."""
    return random.Random(name)  # noqa: S311 - a simulation has no secrets


def ride(heat: Heat) -> Ridden:
    """Simulate one race from its start to its outcome."""
    began = perf_counter()
    game = registry.game(heat.game)
    where = arena(heat.game)
    options, entrants = where.setup(heat.course, dict(heat.options), source(f"{heat.dice}/table"))
    state = game.setup(options, entrants)
    dice = Dice(heat.dice)
    thinking = [source(f"{heat.dice}/bot/{seat}/{level}") for seat, level in enumerate(heat.levels)]
    count: Counter[str] = Counter()
    clock: dict[str, float] = defaultdict(float)
    while open_now := game.decisions(state):
        decision = open_now[0]
        if decision.taker is Taker.CHANCE:
            action = dice(game, state, decision)
        elif decision.taker is Taker.SEAT:
            assert decision.seat is not None, "a seat's decision names it"
            seat = int(decision.seat)
            since = perf_counter()
            action = bots.answer(game, heat.levels[seat], state, decision, thinking[seat])
            clock[heat.levels[seat]] += perf_counter() - since
            count[heat.levels[seat]] += 1
        else:
            action = game.default(state, decision)
        state = game.apply(state, action).state
    outcome = game.outcome(state)
    assert outcome is not None, "nothing is left to decide, so the race is over"
    return Ridden(
        heat=heat,
        came=tuple(where.came(outcome)),
        decisions=count.total(),
        thought=tuple((level, count[level], clock[level]) for level in sorted(count)),
        seconds=perf_counter() - began,
    )


def ride_all(blocks: Iterable[Sequence[Heat]], jobs: int = 1) -> Iterator[Ridden]:
    """Simulate all races in their order; with `jobs` above 1 in so many processes. What comes out is the same."""
    flat = [heat for block in blocks for heat in block]
    if jobs <= 1:
        yield from map(ride, flat)
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        yield from pool.map(ride, flat, chunksize=max(1, len(flat) // (8 * jobs)))


# ---- counting --------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """So many of so many, as a share with the interval that holds the true one in 95 of 100 simulations (Wilson)."""

    of: int
    won: float  # ties for a win are shared

    @property
    def share(self) -> float:
        return self.won / self.of if self.of else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Lower and upper end; nothing is known of nothing: 0 to 1."""
        if not self.of:
            return 0.0, 1.0
        n, p = self.of, self.share
        middle = (p + Z * Z / (2 * n)) / (1 + Z * Z / n)
        half = Z / (1 + Z * Z / n) * sqrt(p * (1 - p) / n + Z * Z / (4 * n * n))
        return max(0.0, middle - half), min(1.0, middle + half)

    def __str__(self) -> str:
        low, high = self.interval
        return f"{100 * self.share:.1f} % ({100 * low:.1f} to {100 * high:.1f})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """How one level did over all races."""

    name: str
    wins: Share  # of races
    riders: int
    place: float  # mean
    figures: tuple[float | None, ...]  # those of the table, in its order; None: nobody had one
    decisions: int
    seconds: float  # thinking, all decisions together


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """One level against another: the share of decided pairs that the first has won."""

    first: str
    second: str
    all: Share
    equals: Share


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """All that a simulation found. `seconds` is riding time, summed over processes."""

    figures: tuple[Figure, ...]
    levels: tuple[Level, ...]
    pairs: tuple[Pair, ...]
    races: int
    decisions: int
    seconds: float


def table(levels: Sequence[str], ridden: Iterable[Ridden], figures: Sequence[Figure] = ()) -> Table:
    """Count races. The order of the levels is kept: each is paired with those after it. `figures` are the arena's."""
    names = tuple(dict.fromkeys(levels))
    shared: dict[str, float] = defaultdict(float)
    places: dict[str, list[int]] = defaultdict(list)
    told: dict[tuple[str, int], list[float]] = defaultdict(list)
    thought: dict[str, tuple[int, float]] = defaultdict(lambda: (0, 0.0))
    pairs: Counter[tuple[str, str, bool]] = Counter()
    races = decisions = 0
    seconds = 0.0
    for race in ridden:
        races += 1
        decisions += race.decisions
        seconds += race.seconds
        winners = [came for came in race.came if came.place == 1]
        for came in race.came:
            level = race.heat.levels[int(came.seat)]
            places[level].append(came.place)
            for number, value in enumerate(came.figures):
                if value is not None:
                    told[level, number].append(value)
            if came in winners:
                shared[level] += 1 / len(winners)
        for one, other in combinations(race.came, 2):
            if one.place == other.place:
                continue
            better, worse = (one, other) if one.place < other.place else (other, one)
            won, lost = race.heat.levels[int(better.seat)], race.heat.levels[int(worse.seat)]
            if won != lost:
                pairs[won, lost, one.group == other.group] += 1
        for level, count, took in race.thought:
            thought[level] = (thought[level][0] + count, thought[level][1] + took)
    return Table(
        figures=tuple(figures),
        levels=tuple(
            Level(
                name=name,
                wins=Share(of=races, won=shared[name]),
                riders=len(places[name]),
                place=_mean(places[name]) or 0.0,
                figures=tuple(_figure(figure, told[name, number]) for number, figure in enumerate(figures)),
                decisions=thought[name][0],
                seconds=thought[name][1],
            )
            for name in names
        ),
        pairs=tuple(
            Pair(
                first=first,
                second=second,
                all=_pair(pairs, first, second, (False, True)),
                equals=_pair(pairs, first, second, (True,)),
            )
            for first, second in combinations(names, 2)
        ),
        races=races,
        decisions=decisions,
        seconds=seconds,
    )


def _pair(pairs: Mapping[tuple[str, str, bool], int], first: str, second: str, kinds: Sequence[bool]) -> Share:
    won = sum(pairs.get((first, second, kind), 0) for kind in kinds)
    lost = sum(pairs.get((second, first, kind), 0) for kind in kinds)
    return Share(of=won + lost, won=won)


def _figure(figure: Figure, values: Sequence[float]) -> float | None:
    return sum(values) if figure.summed else _mean(values)


def _mean(numbers: Sequence[float]) -> float | None:
    return sum(numbers) / len(numbers) if numbers else None


# ---- telling ---------------------------------------------------------------------------------------------------------
def told(found: Table) -> str:
    """The table as text, in Markdown. Nothing in it hangs on the machine: see `speed`."""
    lines = [
        f"| level | races won | mean place |{''.join(f' {figure.name} |' for figure in found.figures)}",
        f"|---|---|---|{'---|' * len(found.figures)}",
        *(
            f"| {level.name} | {level.wins} | {level.place:.2f} |"
            + "".join(
                f" {'-' if value is None else f'{value:.{figure.digits}f}'} |"
                for figure, value in zip(found.figures, level.figures, strict=True)
            )
            for level in found.levels
        ),
    ]
    if found.pairs:
        lines += [
            "",
            "| pair | placed higher, all pairs | of | placed higher, equals | of |",
            "|---|---|---|---|---|",
            *(
                f"| {pair.first} before {pair.second} | {pair.all} | {pair.all.of} | {pair.equals} | {pair.equals.of} |"
                for pair in found.pairs
            ),
        ]
    return "\n".join(lines)


def speed(found: Table) -> str:
    """How fast the races were ridden."""
    pace = f"{found.races} races, {found.races / found.seconds:.2f} races/s, {found.decisions / found.seconds:.0f} decisions/s"
    each = ", ".join(
        f"{level.name} {1000 * level.seconds / level.decisions:.2f} ms" for level in found.levels if level.decisions
    )
    return f"{pace}; thinking a decision: {each}"
