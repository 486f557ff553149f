"""The field of the worked example (7.4) and short ways to fill a sheet.

A Sarti 11 and B Kessel 12 ride for white, C Venn 21 and F Lund 22 for blue, D Quist 31 and E Marchetti 32 for green.
Riders have ids 1 to 6, so that a rider's id is never his bib.
"""

from collections.abc import Mapping

from league.classification.status import Kind
from league.sheets.giro import Context, CourseFacts, Finding, Level, Reading, Starter, examine

A, B, C, D, E, F = 1, 2, 3, 4, 5, 6
WHITE, BLUE, GREEN = 71, 72, 73
FIELD = (
    (A, 11, "Amedeo Sarti", WHITE, "White"),
    (B, 12, "Bram Kessel", WHITE, "White"),
    (C, 21, "Chiara Venn", BLUE, "Blue"),
    (D, 31, "Dario Quist", GREEN, "Green"),
    (E, 32, "Elin Marchetti", GREEN, "Green"),
    (F, 22, "Fedor Lund", BLUE, "Blue"),
)
PIANURA = CourseFacts(kind=Kind.ROAD, columns=50, milestones=32, fewest_steps=49, bonus=(30,), feed=1)
COLLI = CourseFacts(kind=Kind.ROAD, columns=60, milestones=41, fewest_steps=60, bonus=(30, 50), feed=1)
CRONO = CourseFacts(kind=Kind.ITT, columns=40, milestones=26, fewest_steps=40, bonus=(), feed=0)
LAGUNA = CourseFacts(kind=Kind.TTT, columns=30, milestones=19, fewest_steps=30, bonus=(), feed=0)
OWN_ROAD = CourseFacts(kind=Kind.ROAD, columns=50, milestones=32, fewest_steps=None, bonus=(30,), feed=1)


def context(
    course: CourseFacts = PIANURA,
    *,
    carry: Mapping[int, int] | None = None,
    riders: tuple[int, ...] = (A, B, C, D, E, F),
    alone: tuple[int, ...] = (),
) -> Context:
    """The stage; riders in `alone` have no team."""
    starters = tuple(
        Starter(
            rider=rider,
            bib=bib,
            name=name,
            team=None if rider in alone else team,
            team_name="" if rider in alone else team_name,
            carry=(carry or {}).get(rider, 0),
            draft=draft,
        )
        for draft, (rider, bib, name, team, team_name) in enumerate(FIELD, start=1)
        if rider in riders
    )
    return Context(kind=course.kind, course=course, starters=starters, time_limit=3)


ROAD = context(PIANURA)
COLLI_ROAD = context(COLLI)
OWN = context(OWN_ROAD)
ITT = context(CRONO)
TTT = context(LAGUNA)

STAGE_1 = {A: (12, 1, 3), C: (12, 2, 9), D: (13, 3, 11), B: (14, 4, 18), E: (14, 5, 22), F: (17, 6, 0)}
STAGE_2 = {C: (11, 1, 0), B: (11, 2, 2), E: (12, 3, 6), A: (13, 4, 7), D: (14, 5, 5), F: (15, 6, 1)}
STAGE_3 = {E: (15, 4), C: (15, 0), A: (16, 6), D: (18, 8), F: (20, 3), B: (21, 10)}


def road(**changed: str) -> dict[str, str]:
    """The cells of stage 1 of the worked example; `turn_1="15"` changes the cell turn-1."""
    cells = {"peloton": "14", "bonus-1": str(D)}
    for rider, (turn, place, energy) in STAGE_1.items():
        cells |= {f"turn-{rider}": str(turn), f"place-{rider}": str(place), f"energy-{rider}": str(energy)}
    return cells | _keys(changed)


def itt(**changed: str) -> dict[str, str]:
    """The cells of stage 2."""
    cells = {}
    for rider, (turns, clock, energy) in STAGE_2.items():
        cells |= {f"turn-{rider}": str(turns), f"clock-{rider}": str(clock), f"energy-{rider}": str(energy)}
    return cells | _keys(changed)


def stage_3(**changed: str) -> dict[str, str]:
    """The cells of stage 3: the winner is told, the others' order is not."""
    cells = {"peloton": "17", "bonus-1": str(C), "bonus-2": "nobody", f"place-{E}": "1"}
    for rider, (turn, energy) in STAGE_3.items():
        cells |= {f"turn-{rider}": str(turn), f"energy-{rider}": str(energy)}
    return cells | _keys(changed)


def ttt(**changed: str) -> dict[str, str]:
    """A team time trial: blue before white before green on the clock."""
    cells = {f"teamclock-{BLUE}": "1", f"teamclock-{WHITE}": "2", f"teamclock-{GREEN}": "3"}
    for rider, turns in {A: 8, B: 9, C: 8, F: 8, D: 9, E: 10}.items():
        cells |= {f"turn-{rider}": str(turns), f"energy-{rider}": "4"}
    return cells | _keys(changed)


def _keys(changed: Mapping[str, str]) -> dict[str, str]:
    return {key.replace("_", "-"): text for key, text in changed.items()}


def found(cells: Mapping[str, str], where: Context, code: str = "") -> list[tuple[str, Level, str]]:
    """(code, level, cell) of everything found; with `code` of that check alone."""
    return [
        (finding.code, finding.level, finding.cell)
        for finding in examine(cells, where).findings
        if code in ("", finding.code)
    ]


def one(reading: Reading, code: str, cell: str) -> Finding:
    """The one finding of that check at that cell."""
    (finding,) = [finding for finding in reading.findings if (finding.code, finding.cell) == (code, cell)]
    return finding


def said(cells: Mapping[str, str], where: Context, code: str, cell: str) -> str:
    return one(examine(cells, where), code, cell).message


def confirmed(cells: Mapping[str, str], where: Context) -> dict[str, str]:
    """The cells with every ask ticked."""
    asks = [finding.sure for finding in examine(cells, where).findings if finding.level is Level.ASK]
    return {**cells, **dict.fromkeys(asks, "on")}
