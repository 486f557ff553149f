"""Who is in and who is out after a stage, before the laps are counted: the sheet, the time limit, the rulings.

A *verdict* is the status that holds. Beside it stays the fact whether he *arrived*: a ruling against a rider
leaves the turn in which he crossed the line, so nobody else's stage changes by it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from league.classification.sheet import Line, Options, Ruling, RulingKind, StageSheet
from league.classification.status import Kind, Status

_CROSSED = frozenset({Status.FINISHED, Status.OTL, Status.DSQ, Status.WITHDRAWN})
"""Statuses with which a turn on the sheet says that he crossed the line (a DNS or a DNF did not)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What holds for a rider at a stage."""

    status: Status
    arrived: bool  # he crossed the line, whatever holds for him now
    turn: int | None  # in which; None: he did not
    disqualified_by: int | None  # number of the ruling
    reinstated_by: int | None


def last_turn(sheet: StageSheet, options: Options) -> int | None:
    """The last turn within the time limit; None: nobody can be late. Rules: GI-D1-05, GI-F-05, GI-D3-01."""
    if sheet.kind is not Kind.ROAD or sheet.peloton_turn is None:
        return None
    return sheet.peloton_turn + options.time_limit


def verdict(line: Line | None, limit: int | None, rulings: Sequence[Ruling]) -> Verdict:
    """The verdict on a rider: `line` is his (None: not on the sheet), `rulings` are those on him, in order of number.

    Finished without a turn, and reinstated without one, is no result yet. The last of his disqualifications and
    reinstatements holds. Lapping comes later, and not for the reinstated. Rules: GI-D1-05, GI-F-05.
    """
    status = line.status if line else Status.UNRESOLVED
    turn = line.turn if line and status is not Status.UNRESOLVED else None
    if status is Status.FINISHED and turn is None:
        status = Status.UNRESOLVED
    crossed_in = turn if status in _CROSSED else None
    if status is Status.FINISHED and limit is not None and turn is not None and turn > limit:
        status = Status.OTL

    disqualified_by = reinstated_by = None
    ruled_turn: int | None = None
    for ruling in rulings:
        if ruling.kind is RulingKind.DISQUALIFICATION:
            disqualified_by, reinstated_by = ruling.number, None
        elif ruling.kind is RulingKind.REINSTATEMENT:
            disqualified_by, reinstated_by = None, ruling.number
            ruled_turn = ruling.turn if ruling.turn is not None else ruled_turn

    if disqualified_by is not None:
        status = Status.DSQ
    elif reinstated_by is not None:
        crossed_in = turn if turn is not None else ruled_turn
        status = Status.UNRESOLVED if crossed_in is None else Status.FINISHED
    return Verdict(
        status=status,
        arrived=crossed_in is not None,
        turn=crossed_in,
        disqualified_by=disqualified_by,
        reinstated_by=reinstated_by,
    )
