"""Short ways to write a Giro down: a start list, lines, sheets, rulings.

A and B ride for white, C and F for blue, D and E for green, drafted in the order of the alphabet.
"""

from collections.abc import Iterable, Mapping

from league.classification.giro import (
    AfterStage,
    BonusWon,
    Entrant,
    GcRow,
    Kind,
    Line,
    Options,
    ResultRow,
    Ruling,
    RulingKind,
    StageSheet,
    Status,
    TeamRow,
    classify,
)

A, B, C, D, E, F = 1, 2, 3, 4, 5, 6
WHITE, BLUE, GREEN = 71, 72, 73
TEAM = {A: WHITE, B: WHITE, C: BLUE, F: BLUE, D: GREEN, E: GREEN}
NO_TEAMS: Mapping[int, int] = {}


def start_list(*riders: int) -> tuple[Entrant, ...]:
    return tuple(Entrant(rider=rider, draft=draft) for draft, rider in enumerate(riders, start=1))


def came(
    rider: int,
    turn: int | None,
    place: int | None = None,
    *,
    energy: int | None = 0,
    clock: int | None = None,
    teams: Mapping[int, int] = TEAM,
    status: Status = Status.FINISHED,
) -> Line:
    return Line(rider=rider, status=status, turn=turn, place=place, clock=clock, energy=energy, team=teams.get(rider))


def out(rider: int, status: Status, *, teams: Mapping[int, int] = TEAM) -> Line:
    return came(rider, None, energy=None, teams=teams, status=status)


def road(
    stage: int,
    lines: Iterable[Line],
    *,
    peloton: int | None = None,
    bonus: Mapping[int, int] | None = None,
    rulings: Iterable[Ruling] = (),
) -> StageSheet:
    return StageSheet(
        stage=stage,
        kind=Kind.ROAD,
        peloton_turn=peloton,
        lines=tuple(lines),
        bonuses=tuple(BonusWon(token=token, rider=rider) for token, rider in (bonus or {}).items()),
        rulings=tuple(rulings),
    )


def time_trial(
    stage: int, lines: Iterable[Line], *, kind: Kind = Kind.ITT, rulings: Iterable[Ruling] = ()
) -> StageSheet:
    return StageSheet(stage=stage, kind=kind, lines=tuple(lines), rulings=tuple(rulings))


def team_trial(stage: int, lines: Iterable[Line], *, rulings: Iterable[Ruling] = ()) -> StageSheet:
    return time_trial(stage, lines, kind=Kind.TTT, rulings=rulings)


def penalty(rider: int, amount: int, number: int = 1) -> Ruling:
    return Ruling(number=number, kind=RulingKind.PENALTY, rider=rider, amount=amount)


def gift(rider: int, amount: int, number: int = 1) -> Ruling:
    return Ruling(number=number, kind=RulingKind.BONUS, rider=rider, amount=amount)


def disqualified(rider: int, number: int = 1) -> Ruling:
    return Ruling(number=number, kind=RulingKind.DISQUALIFICATION, rider=rider)


def reinstated(rider: int, number: int = 1, turn: int | None = None) -> Ruling:
    return Ruling(number=number, kind=RulingKind.REINSTATEMENT, rider=rider, turn=turn)


def ride(
    *sheets: StageSheet, riders: Iterable[int] = (A, B, C, D, E, F), options: Options | None = None
) -> tuple[AfterStage, ...]:
    """The standings of a Giro of these riders, drafted in this order."""
    return classify(start_list(*riders), sheets, options)


def gc(after: AfterStage, rider: int) -> GcRow:
    return next(row for row in after.gc if row.rider == rider)


def result(after: AfterStage, rider: int) -> ResultRow:
    return next(row for row in after.result if row.rider == rider)


def team(after: AfterStage, number: int) -> TeamRow:
    return next(row for row in after.teams if row.team == number)


def ranks(after: AfterStage) -> dict[int, int | None]:
    return {row.rider: row.rank for row in after.gc}


def scores(after: AfterStage) -> dict[int, int | None]:
    return {row.rider: row.score for row in after.gc}


def places(after: AfterStage) -> dict[int, int | None]:
    return {row.rider: row.place for row in after.result}
