"""The cells of a result sheet as they come out of a request: which of them are cells of this sheet at all."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from league.classification.status import Kind
from league.sheets import giro as sheets

WAS = "was-"
MOST_SURE = 60  # characters of a stored key
_SURE = re.compile(r"sure-E[0-9]{1,2}-[a-z]+(?:-[0-9]{1,12}){0,6}", re.ASCII)


def rider_cells(context: sheets.Context) -> tuple[str, ...]:
    """The names of the cells that a rider's line has, in the order of the page."""
    match context.kind:
        case Kind.ROAD:
            return ("place", "turn", "energy", "status")
        case Kind.ITT:
            return ("clock", "turn", "energy", "status")
        case Kind.TTT:
            return ("turn", "energy", "status")


def order_cells(context: sheets.Context) -> tuple[str, ...]:
    """The cells that say who came first, in the order of the bibs: places, or places on the clock."""
    if context.kind is Kind.TTT:
        return tuple(dict.fromkeys(sheets.run_cell(sheets.run_of(starter)) for starter in context.starters))
    return tuple(f"{rider_cells(context)[0]}-{starter.rider}" for starter in context.starters)


def race_cells(context: sheets.Context) -> tuple[str, ...]:
    """The cells about the race itself: the peloton and the bonus tokens."""
    if context.kind is not Kind.ROAD:
        return ()
    return ("peloton", "never", *(f"bonus-{token}" for token in range(1, len(context.course.bonus) + 1)))


def cells_on(context: sheets.Context) -> frozenset[str]:
    """Every cell that the sheet of this stage has, but for the ticks."""
    lines = (f"{cell}-{starter.rider}" for starter in context.starters for cell in rider_cells(context))
    return frozenset((*race_cells(context), *order_cells(context), *lines))


@dataclass(frozen=True)
class TypedCells:
    """What a form says stands in its cells now, and what stood there when it was opened."""

    now: dict[str, str]
    was: dict[str, str]


def typed_cells(data: Mapping[str, str], context: sheets.Context, strays: frozenset[str] = frozenset()) -> TypedCells:
    """The typed cells of a request. What is no cell of this sheet is left alone: a stale form, or nonsense.

    `strays`: cells of the draft that this sheet does not have (any more); they may be emptied.
    """
    known = cells_on(context) | strays

    def is_cell(key: str) -> bool:
        return key in known or (len(key) <= MOST_SURE and _SURE.fullmatch(key) is not None)

    now, was = {}, {}
    for name in data:
        if name.startswith(WAS) and is_cell(name[len(WAS) :]):
            was[name[len(WAS) :]] = data[name]
        elif is_cell(name):
            now[name] = data[name]
    return TypedCells(now, was)
