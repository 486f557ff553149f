"""The order at the line: placings and turns behind of a road stage, runs, clock and additions of a time trial.

Everybody who crossed the line counts here, also who was put out afterwards: these are the facts of the day.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from league.classification.ranking import competition_ranks
from league.classification.status import Kind

ADDITION_SECOND, ADDITION_BETWEEN, ADDITION_LAST = 1, 2, 3  # turns; the first on the clock gets 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """A rider at the line, as written down."""

    rider: int
    draft: int
    turn: int
    place: int | None
    clock: int | None
    energy: int | None
    team: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """What the line made of a rider."""

    crossed: int  # placing, shared 1, 2, 2, 4
    result: int  # turns; in a time trial with the addition
    best: int  # the best result of the stage
    won: bool  # first over the line of a road stage
    turns: int  # of the rider; in a team time trial of the run
    addition: int | None = None
    clock: int | None = None
    runs: int | None = None  # how many runs finished
    run: int | None = None  # his team in a team time trial


def place_road(arrivals: Sequence[Arrival]) -> dict[int, Placed]:
    """Placings of a road stage by crossing order.

    The riders of a turn share a placing unless the order of all of them is written down; the winner, who is
    always told, apart. The winner's turn is the lowest one. Rules: GI-F-02, GI-D1-06.
    """
    firsts = [arrival for arrival in arrivals if arrival.place == 1]
    winner = firsts[0].rider if len(firsts) == 1 else None
    by_turn: defaultdict[int, list[Arrival]] = defaultdict(list)
    for arrival in arrivals:
        if arrival.rider != winner:
            by_turn[arrival.turn].append(arrival)
    keys = [(winner, (0, 0))] if winner is not None else []  # turns and places count from 1: nobody is before him
    for turn, group in by_turn.items():
        order_known = all(arrival.place is not None for arrival in group)
        keys += [(arrival.rider, (turn, arrival.place or 0 if order_known else 0)) for arrival in group]
    crossed = competition_ranks(keys)
    best = min((arrival.turn for arrival in arrivals), default=0)
    return {
        arrival.rider: Placed(
            crossed=crossed[arrival.rider],
            result=arrival.turn,
            best=best,
            won=arrival.rider == winner,
            turns=arrival.turn,
        )
        for arrival in arrivals
    }


def time_addition(clock: int, runs: int) -> int:
    """Turns added to the run that is `clock`-th of `runs` on the clock.

    First 0, second 1, last 3, all between 2; with two runs the second is the last. Rules: GI-D3-11.
    """
    if clock == 1:
        return 0
    if clock == runs:
        return ADDITION_LAST
    return ADDITION_SECOND if clock == 2 else ADDITION_BETWEEN


@dataclass(frozen=True, slots=True, kw_only=True)
class _Run:
    """A ride against the clock: one rider, or the riders of a team."""

    team: int | None
    riders: tuple[Arrival, ...]
    jersey_order: tuple[int, int]

    @property
    def turns(self) -> int:
        """Those of its last rider over the line. Rules: GI-D3-06, GI-D3-15."""
        return max(arrival.turn for arrival in self.riders)

    @property
    def clock_key(self) -> tuple[int, int, int, int, tuple[int, int]]:
        """Its order on the clock: as written down, else fewer turns, more energy, draft order.

        A run without a clock place comes after those with one; energy not written down adds nothing.
        Rules: GI-D3-12, GI-D3-17.
        """
        clocks = [arrival.clock for arrival in self.riders if arrival.clock is not None]
        energy = sum(arrival.energy or 0 for arrival in self.riders)
        return (0 if clocks else 1, min(clocks, default=0), self.turns, -energy, self.jersey_order)


def _runs(kind: Kind, arrivals: Iterable[Arrival], jersey_order: Mapping[int, tuple[int, int]]) -> list[_Run]:
    """The runs that finished; a rider without a team is a run of one. Rules: GI-D3-05, GI-D3-15."""
    alone: list[_Run] = []
    teams: defaultdict[int, list[Arrival]] = defaultdict(list)
    for arrival in arrivals:
        if kind is Kind.TTT and arrival.team is not None:
            teams[arrival.team].append(arrival)
        else:
            alone.append(_Run(team=None, riders=(arrival,), jersey_order=(0, arrival.draft)))
    return alone + [
        _Run(team=team, riders=tuple(riders), jersey_order=jersey_order[team]) for team, riders in teams.items()
    ]


def place_time_trial(
    kind: Kind, arrivals: Sequence[Arrival], jersey_order: Mapping[int, tuple[int, int]]
) -> dict[int, Placed]:
    """Results and placings of a time trial: turns of the run and its addition by the clock.

    Equal results, and the riders of one run, share a placing. `jersey_order` sorts the teams as they were drafted.
    Rules: GI-D1-06, GI-D3-11, GI-D3-13, GI-D3-15.
    """
    runs = sorted(
        _runs(kind, arrivals, jersey_order),
        key=lambda run: (run.clock_key, run.team is None, min(arrival.draft for arrival in run.riders)),
    )
    results = [run.turns + time_addition(clock, len(runs)) for clock, run in enumerate(runs, start=1)]
    crossed = competition_ranks(
        (arrival.rider, result) for run, result in zip(runs, results, strict=True) for arrival in run.riders
    )
    return {
        arrival.rider: Placed(
            crossed=crossed[arrival.rider],
            result=result,
            best=min(results),
            won=False,
            turns=run.turns,
            addition=result - run.turns,
            clock=clock,
            runs=len(runs),
            run=run.team,
        )
        for clock, (run, result) in enumerate(zip(runs, results, strict=True), start=1)
        for arrival in run.riders
    }
