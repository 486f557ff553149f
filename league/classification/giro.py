"""The classifications of a Giro: start list, sheets and rulings in, the standing after each stage out.

`classify` is the one door, and what its arguments and answers are made of can be had from here. The steps, in the
order of the rulebook: `verdicts` (who is out), `arrivals` (placings, runs and clock), `ride` (both together),
`moves` (squares and reasons), `general` (laps, ranks, carry), `teams`.
"""

import math
from collections.abc import Iterable, Mapping

from league.classification.arrivals import time_addition
from league.classification.general import GeneralClassification, RiderSoFar, next_general_classification
from league.classification.ride import Ride, rides
from league.classification.sheet import (
    BonusWon,
    Entrant,
    Line,
    Options,
    Ruling,
    RulingKind,
    StageSheet,
    refuse_nonsense,
)
from league.classification.standing import (
    AfterStage,
    Criterion,
    GcRow,
    GcState,
    Part,
    PartKind,
    ResultRow,
    TeamCriterion,
    TeamRow,
    TeamState,
)
from league.classification.status import OUT, Kind, OutReason, Status
from league.classification.teams import (
    TeamClassification,
    TeamSoFar,
    next_team_classification,
    riders_that_count,
    stand_still,
)

__all__ = [
    "OUT",
    "AfterStage",
    "BonusWon",
    "Criterion",
    "Entrant",
    "GcRow",
    "GcState",
    "Kind",
    "Line",
    "Options",
    "OutReason",
    "Part",
    "PartKind",
    "ResultRow",
    "Ruling",
    "RulingKind",
    "StageSheet",
    "Status",
    "TeamCriterion",
    "TeamRow",
    "TeamState",
    "classify",
    "time_addition",
]


def classify(
    entrants: Iterable[Entrant], sheets: Iterable[StageSheet], options: Options | None = None
) -> tuple[AfterStage, ...]:
    """The standing after each stage, from nothing.

    `sheets` come in the order of the stages; any other order, of riders, lines, bonus lines or rulings, does not
    matter. A standing depends on its own stage and the earlier ones only. Raises `ValueError` on what no sheet can
    say (a stranger, a second line for a rider). Rules: GI-D1-01, GI-D1-03, GI-D1-08, GI-D4-02.
    """
    options = options or Options()
    start_list = tuple(sorted(entrants, key=lambda entrant: entrant.draft))
    ordered = tuple(sheets)
    refuse_nonsense(start_list, ordered)
    if not ordered:
        return ()

    drafts = {entrant.rider: entrant.draft for entrant in start_list}
    first_team = {entrant.rider: entrant.team for entrant in start_list}
    ridden_for: dict[int, int] = {}
    _learn_teams(first_team, ridden_for, drafts, ordered[0])
    general = GeneralClassification(
        riders={
            entrant.rider: RiderSoFar(rider=entrant.rider, draft=entrant.draft, team=first_team[entrant.rider])
            for entrant in start_list
        }
    )
    teams = TeamClassification(
        count=riders_that_count(first_team.values(), options),
        teams={team: TeamSoFar(team=team) for team in first_team.values() if team is not None},
        first_stage=ordered[0].stage,
    )
    after = []
    for sheet in ordered:
        _learn_teams(first_team, ridden_for, drafts, sheet)
        jerseys = _jersey_order(first_team, ridden_for, drafts)
        still_in = general.still_in
        teams_before = {rider: so_far.team for rider, so_far in general.riders.items()}
        ridden = rides(sheet, drafts, still_in, teams_before, jerseys, options)
        was_under_way = bool(general.rows)
        general = next_general_classification(general, sheet, ridden, options)
        if options.team_classification:
            over = general.ended and was_under_way
            teams = stand_still(teams) if over else next_team_classification(teams, sheet.stage, ridden, jerseys)
        after.append(
            AfterStage(
                stage=sheet.stage,
                gc=general.rows,
                result=_result(ridden, general),
                teams=teams.rows,
                wearer=general.wearer,
                unresolved=sum(row.state is GcState.UNRESOLVED for row in general.rows),
                missing=tuple(
                    rider for rider in drafts if rider in still_in and ridden[rider].verdict.status is Status.UNRESOLVED
                ),
                ended=general.ended,
            )
        )
    return tuple(after)


def _learn_teams(
    first_team: dict[int, int | None], ridden_for: dict[int, int], drafts: Mapping[int, int], sheet: StageSheet
) -> None:
    """Note the first team of riders who had none so far, and the first drafted rider who ever rode for a team."""
    for line in sheet.lines:
        if line.team is not None:
            if first_team[line.rider] is None:
                first_team[line.rider] = line.team
            ridden_for[line.team] = min(ridden_for.get(line.team, drafts[line.rider]), drafts[line.rider])


def _jersey_order(
    first_team: Mapping[int, int | None], ridden_for: Mapping[int, int], drafts: Mapping[int, int]
) -> dict[int, tuple[int, int]]:
    """The draft order of the jerseys: that of the first rider drafted for it, whether or not he still rides.

    A jersey that only riders of others have come to is behind all of them. Rules: GI-D3-17.
    """
    order = {team: (1, draft) for team, draft in ridden_for.items()}
    for rider, team in first_team.items():
        if team is not None:
            order[team] = min(order.get(team, (0, drafts[rider])), (0, drafts[rider]))
    return order


def _result(ridden: Mapping[int, Ride], general: GeneralClassification) -> tuple[ResultRow, ...]:
    """The result of the stage."""
    moved = {row.rider: sum(part.amount for part in row.parts) for row in general.rows}
    return tuple(_result_row(ride, moved[ride.rider]) for ride in sorted(ridden.values(), key=_result_order))


def _result_order(ride: Ride) -> tuple[int, float, int]:
    """By placing; then without a result, out, no longer counted."""
    if ride.finished and ride.placed is not None:
        return (0, ride.placed.crossed, ride.draft)
    group = 1 if ride.unresolved else 2 if ride.counts else 3
    return (group, ride.placed.crossed if ride.placed is not None else math.inf, ride.draft)


def _result_row(ride: Ride, moved: int) -> ResultRow:
    """A rider's line in it."""
    placed = ride.placed
    return ResultRow(
        rider=ride.rider,
        team=ride.team,
        status=ride.verdict.status,
        place=placed.crossed if placed is not None and ride.finished else None,
        crossed=placed.crossed if placed is not None else None,
        turn=ride.verdict.turn,
        result=placed.result if placed is not None else None,
        addition=placed.addition if placed is not None else None,
        clock=placed.clock if placed is not None else None,
        behind=placed.result - placed.best if placed is not None else None,
        bonuses=len(ride.tokens),
        move=moved if ride.finished else None,
        energy=ride.energy,
        run=placed.run if placed is not None else None,
        counts=ride.counts,
    )
