"""What there is to say about a sheet, of whatever game. A *finding* is something to say, at one cell."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

WHOLE_SHEET = "sheet"
"""The cell of a finding that belongs to no single cell: the head of the sheet."""


class Level(StrEnum):
    """How much a finding weighs."""

    REFUSE = "refuse"  # cannot have happened, or cannot be read
    ASK = "ask"  # unlikely: a tick confirms it
    MISSING = "missing"  # not told yet
    NOTE = "note"  # good to know, or an ask that is confirmed


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something to say about a sheet, at the cell that should get the focus.

    `code`: the check that found it (E4). `rule`: the rule of the game behind it, if one can be named. `message`:
    translated text. `sure`: name of the tick (value "on") that confirms an ask. It ends with the numbers that were
    asked about, so that a tick for turn 21 says nothing about turn 25. A confirmed ask is a note that keeps its `sure`:
    its tick must stay in the form. `stops_provisional`: missing, and nothing can be published without it.
    """

    code: str
    rule: str | None
    level: Level
    cell: str
    message: str
    sure: str = ""
    stops_provisional: bool = False

    @property
    def is_confirmed(self) -> bool:
        return self.level is Level.NOTE and bool(self.sure)


def blocks_provisional(findings: Iterable[Finding]) -> bool:
    """The sheet cannot be published at all: something is refused or still asked about, nothing is told, or a told
    result lacks what counting needs. Riders without a result yet do not stop it: they are shown as unresolved."""
    return any(found.level in (Level.REFUSE, Level.ASK) or found.stops_provisional for found in findings)


def blocks_official(findings: Iterable[Finding]) -> bool:
    """The sheet cannot become official: besides what stops a provisional one, everything must be told."""
    return any(found.level in (Level.REFUSE, Level.ASK, Level.MISSING) for found in findings)


class Change(NamedTuple):
    """One fact that differs between two versions of a sheet, in words."""

    what: str
    old: str
    new: str
