"""A stage as each rider rode it: the sheet, the verdicts and the order at the line, brought together rider by rider."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from league.classification.arrivals import Arrival, Placed, place_road, place_time_trial
from league.classification.sheet import Options, Ruling, StageSheet
from league.classification.status import OUT, Kind, Status
from league.classification.verdicts import Verdict, last_turn, verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Ride:
    """One rider's stage."""

    rider: int
    draft: int
    team: int | None  # the team of the day
    verdict: Verdict
    placed: Placed | None  # None: did not cross the line, or the result of his run is not known yet
    energy: int | None
    tokens: tuple[int, ...]  # bonus lines won, in their order
    rulings: tuple[Ruling, ...]  # on him at this stage, in order of number
    counts: bool  # False: out of the Giro before this stage
    finished: bool = field(init=False)  # this stage gives him a result
    unresolved: bool = field(init=False)  # his result is not known yet: his own, or that of his team's run

    def __post_init__(self) -> None:
        finished = self.counts and self.verdict.status is Status.FINISHED and self.placed is not None
        object.__setattr__(self, "finished", finished)
        object.__setattr__(self, "unresolved", self.counts and not finished and self.verdict.status not in OUT)


def rides(
    sheet: StageSheet,
    drafts: Mapping[int, int],
    still_in: Collection[int],
    teams_before: Mapping[int, int | None],
    jersey_order: Mapping[int, tuple[int, int]],
    options: Options,
) -> dict[int, Ride]:
    """Everybody's stage: all who are still in, and whoever else the sheet says crossed the line.

    `teams_before` names the team of a rider without a line. A rider put out by a correction of an earlier stage may
    have ridden this one: his crossing stays a fact, so the others' turns behind and placings do not change.
    Rules: GI-D1-03, GI-D3-15.
    """
    lines = {line.rider: line for line in sheet.lines}
    limit = last_turn(sheet, options)
    rulings: defaultdict[int, list[Ruling]] = defaultdict(list)
    for ruling in sorted(sheet.rulings, key=lambda ruling: ruling.number):
        if ruling.rider in still_in:
            rulings[ruling.rider].append(ruling)
    verdicts = {
        rider: verdict(lines.get(rider), limit, rulings[rider])
        for rider in drafts
        if rider in still_in or rider in lines
    }
    verdicts = {rider: given for rider, given in verdicts.items() if rider in still_in or given.arrived}
    teams = {rider: lines[rider].team if rider in lines else teams_before[rider] for rider in verdicts}
    waiting = _teams_waiting(sheet.kind, verdicts, teams)
    arrivals = [
        Arrival(
            rider=rider,
            draft=drafts[rider],
            turn=given.turn,
            place=lines[rider].place if rider in lines else None,
            clock=lines[rider].clock if rider in lines else None,
            energy=lines[rider].energy if rider in lines else None,
            team=teams[rider],
        )
        for rider, given in verdicts.items()
        if given.arrived and given.turn is not None and teams[rider] not in waiting
    ]
    placed = place_time_trial(sheet.kind, arrivals, jersey_order) if sheet.kind.is_time_trial else place_road(arrivals)
    tokens: defaultdict[int, list[int]] = defaultdict(list)
    if sheet.kind is Kind.ROAD:  # a time trial has no bonus lines (GI-D3-01)
        for bonus in sheet.bonuses:
            tokens[bonus.rider].append(bonus.token)
    return {
        rider: Ride(
            rider=rider,
            draft=drafts[rider],
            team=teams[rider],
            verdict=given,
            placed=placed.get(rider),
            energy=lines[rider].energy if rider in lines else None,
            tokens=tuple(sorted(tokens[rider])),
            rulings=tuple(rulings[rider]),
            counts=rider in still_in,
        )
        for rider, given in verdicts.items()
    }


def _teams_waiting(kind: Kind, verdicts: Mapping[int, Verdict], teams: Mapping[int, int | None]) -> frozenset[int]:
    """The teams whose run has no result yet: a team's turns are those of its last rider, and one is missing."""
    if kind is not Kind.TTT:
        return frozenset()
    return frozenset(
        team for rider, team in teams.items() if team is not None and verdicts[rider].status is Status.UNRESOLVED
    )
