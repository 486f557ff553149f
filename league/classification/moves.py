"""What a stage moves a rider on the GC track, in parts, each with its reason."""

from league.classification.ride import Ride
from league.classification.sheet import Options, RulingKind, StageSheet
from league.classification.standing import Part, PartKind
from league.classification.status import OUT, Kind, Status
from league.classification.verdicts import last_turn

_WHY_OUT = {
    Status.DNS: PartKind.OUT_DNS,
    Status.DNF: PartKind.OUT_DNF,
    Status.OTL: PartKind.OUT_OTL,
    Status.DSQ: PartKind.OUT_DSQ,
    Status.WITHDRAWN: PartKind.OUT_WITHDRAWN,
}


def parts(ride: Ride, sheet: StageSheet, options: Options) -> tuple[Part, ...]:
    """The reasons of a rider's stage; their amounts, in squares, add up to his move.

    A rider who is out moves no more: what he won lapses with him and is not passed on. A rider without a result
    has the parts that are known. Rules: GI-D1-01, GI-D1-02, GI-D1-05, GI-D2-01, GI-D3-13.
    """
    if ride.verdict.status in OUT:
        return (_out(ride, sheet, options), *_lapsed(ride))
    found: list[Part] = []
    if ride.verdict.reinstated_by is not None:
        found.append(
            Part(kind=PartKind.REINSTATED, amount=0, rule=None, facts=(("ruling", ride.verdict.reinstated_by),))
        )
    if ride.finished:
        found += _on_the_road(ride, options) if sheet.kind is Kind.ROAD else _against_the_clock(ride, sheet.kind)
    found += [
        Part(kind=PartKind.BONUS, amount=options.bonus, rule="GI-D2-01", facts=(("token", token),))
        for token in ride.tokens
    ]
    for ruling in ride.rulings:
        if ruling.kind is RulingKind.PENALTY:
            found.append(
                Part(kind=PartKind.PENALTY, amount=-ruling.amount, rule=None, facts=(("ruling", ruling.number),))
            )
        elif ruling.kind is RulingKind.BONUS:
            found.append(
                Part(kind=PartKind.RULING_BONUS, amount=ruling.amount, rule=None, facts=(("ruling", ruling.number),))
            )
    return tuple(found)


def _on_the_road(ride: Ride, options: Options) -> list[Part]:
    """Turns behind the winner, and the stage win."""
    assert ride.placed is not None
    behind = ride.placed.result - ride.placed.best
    found = [
        Part(
            kind=PartKind.TURNS_BEHIND,
            amount=-behind,
            rule="GI-D1-01" if behind else "GI-D1-02",
            facts=(("turn", ride.placed.result), ("best_turn", ride.placed.best)),
        )
    ]
    if ride.placed.won:
        found.append(Part(kind=PartKind.STAGE_WIN, amount=options.stage_win, rule="GI-D1-01"))
    return found


def _against_the_clock(ride: Ride, kind: Kind) -> list[Part]:
    """The result behind the best; equal best results do not move."""
    placed = ride.placed
    assert placed is not None
    facts = {
        "turns": placed.turns,
        "clock": placed.clock,
        "runs": placed.runs,
        "addition": placed.addition,
        "result": placed.result,
        "best": placed.best,
    }
    return [
        Part(
            kind=PartKind.TIME_TRIAL,
            amount=placed.best - placed.result,
            rule="GI-D3-15" if kind is Kind.TTT else "GI-D3-13",
            facts=tuple((name, value) for name, value in facts.items() if value is not None),
        )
    ]


def _out(ride: Ride, sheet: StageSheet, options: Options) -> Part:
    """Why he is out."""
    status, given = ride.verdict.status, ride.verdict
    facts: list[tuple[str, int]] = []
    if status is Status.DSQ and given.disqualified_by is not None:
        facts.append(("ruling", given.disqualified_by))
    if status is Status.OTL:
        limit = last_turn(sheet, options)
        if given.turn is not None:
            facts.append(("turn", given.turn))
        if limit is not None and sheet.peloton_turn is not None:
            facts += [("peloton_turn", sheet.peloton_turn), ("last_turn", limit)]
    return Part(kind=_WHY_OUT[status], amount=0, rule="GI-D1-05" if status is Status.OTL else None, facts=tuple(facts))


def _lapsed(ride: Ride) -> list[Part]:
    """What he won or was given, and takes with him."""
    found = []
    if ride.placed is not None and ride.placed.won:
        found.append(Part(kind=PartKind.STAGE_WIN_LAPSED, amount=0, rule=None))
    found += [
        Part(kind=PartKind.BONUS_LAPSED, amount=0, rule="GI-D2-01", facts=(("token", token),)) for token in ride.tokens
    ]
    found += [
        Part(
            kind=PartKind.RULING_LAPSED,
            amount=0,
            rule=None,
            facts=(
                ("ruling", ruling.number),
                ("squares", ruling.amount if ruling.kind is RulingKind.BONUS else -ruling.amount),
            ),
        )
        for ruling in ride.rulings
        if ruling.kind in (RulingKind.PENALTY, RulingKind.BONUS)
    ]
    return found
