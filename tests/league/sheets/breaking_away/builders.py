"""A race of four teams on the standard course, and short ways to fill its sheet.

Red R, White W, Blue B and Green G; all three lines of the worked sheet are full.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from league.sheets.breaking_away import Context, Finding, Level, Reading, Team, examine
from rules.breaking_away.actions import Allocate, FirstSeat, Place, Rate
from rules.breaking_away.events import Changed, Moved, Replaced, Retired, TurnBegan
from tests.rules.breaking_away.races import KINDS, SEATS, TEAMS, Moment, ride

NAMES = {"R": "Anna", "W": "Bruno", "B": "Carla", "G": "Dino"}


def context(teams: str = "RWBG", **options: Any) -> Context:
    return Context.of(
        options, [Team(id=team, name=NAMES.get(team, team), seat=NAMES.get(team, team)) for team in teams]
    )


RACE = context()
FULL = {
    "line-1": "B1 W3 B2 R1 G2 W1 R4 G1",  # R 5 + 2, W 8 + 3, B 10 + 6, G 4 + 1
    "line-2": "W3 B1 R1 B2 W1 G2 G1 R2",  # R 6 + 1, W 10 + 4, B 8 + 5, G 3 + 2
    "line-3": "R1 W3 B1 G1 B2 R4 W1 G2",  # R 20 + 6, W 16 + 4, B 12 + 8, G 10 + 2
}
POINTS = {"R": 40, "W": 45, "B": 49, "G": 22}


def full(**changed: str) -> dict[str, str]:
    """The cells of the worked sheet; `line_3="R1"` changes the cell line-3."""
    return FULL | {key.replace("_", "-"): text for key, text in changed.items()}


def found(cells: Mapping[str, str], where: Context = RACE, code: str = "") -> list[tuple[str, Level, str]]:
    """(code, level, cell) of everything found; with `code` of that check alone."""
    return [(one.code, one.level, one.cell) for one in examine(cells, where).findings if code in ("", one.code)]


def one(reading: Reading, code: str, cell: str) -> Finding:
    """The one finding of that check at that cell."""
    (finding,) = [one for one in reading.findings if (one.code, one.cell) == (code, cell)]
    return finding


def said(cells: Mapping[str, str], code: str, cell: str, where: Context = RACE) -> str:
    return one(examine(cells, where), code, cell).message


def confirmed(cells: Mapping[str, str], where: Context) -> dict[str, str]:
    """The cells with every ask ticked."""
    asks = [one.sure for one in examine(cells, where).findings if one.level is Level.ASK]
    return {**cells, **dict.fromkeys(asks, "on")}


# ---- races of the engine ------------------------------------------------------------------------------------------------
def context_of(kind: str) -> Context:
    """Who starts in a random race of that kind."""
    options, count = KINDS[kind]
    if count < 0:
        teams = [Team(id=f"{TEAMS[n]}{which}", seat=SEATS[n]) for n in range(-count) for which in "xy"]
    else:
        teams = [Team(id=TEAMS[n], seat=SEATS[n]) for n in range(count)]
    return Context.of(options, teams)


def ridden(kind: str, seed: int) -> list[Moment]:
    """A random race; by its seed they say more or less beside the turn: retire, reveal, stop."""
    return list(ride(kind, seed, beside=(0.02, 0.0, 0.06, 0.3)[seed % 4]))


def log_cells(moments: Sequence[Moment], where: Context) -> dict[str, str]:
    """The log sheets of a race, as its players would have written them."""
    cells: dict[str, str] = {}
    turns: dict[int, list[list[Any]]] = {}
    turn = 0
    for moment in moments:
        action = moment.action
        match action:
            case FirstSeat():
                cells["first"] = next(team.id for team in where.teams if team.player == action.seat)
            case Allocate():
                for number, hand in action.hands or ():
                    cells[f"hand-{action.team}{number}"] = " ".join(map(str, hand))
            case Rate():
                cells[f"rating-{action.team}"] = f"{action.r1} {action.r2}"
            case Place():
                cells[f"lineup-{action.team}"] = f"{action.active} {action.square}"
        for event in moment.step.events:
            match event:
                case TurnBegan():
                    turn = event.turn
                case Moved():
                    turns.setdefault(turn, []).append([event.cyclist, event.factor, None])
                case Replaced():
                    for one in event.factors:
                        entry = next(entry for entry in turns[turn] if entry[0] == one.id)
                        entry[2] = one.value
                case Retired():
                    turns[turn].append([event.cyclist])
                case Changed():
                    cells[f"change-{turn}"] = f"{cells.get(f'change-{turn}', '')} {event.team}".strip()
    for turn, entries in turns.items():
        cells[f"turn-{turn}"] = ", ".join(_entry(*entry) for entry in entries)
    return cells


def _entry(cyclist: str, factor: int | None = None, gained: int | None = None) -> str:
    if factor is None:
        return f"{cyclist} out"
    return f"{cyclist} {factor}" if gained is None else f"{cyclist} {factor} +{gained}"
