"""The sheet that lies on the table tonight: who starts, in what order, with what energy, and what is to be written down."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from league.classification.giro import GcState
from league.classification.status import Kind
from league.courses import course_of
from league.loading import TeamsOfTheDay, load
from league.models import Rider, Stage, Team
from league.results import context_for
from league.sheets.giro import CourseFacts, start_energy
from rules.giro import data
from rules.giro.course import Course

MOST_TURNS = 30  # boxes in the row of turns


@dataclass(frozen=True, slots=True)
class Row:
    """A rider at the start. `gap` to the first of the general classification in squares; None: he has no rank yet.
    `carry` is None where the energy that he brings is not known yet."""

    rider: Rider
    team: Team | None
    in_pink: bool
    score: int | None
    gap: int | None
    carry: int | None
    start: int | None


@dataclass(frozen=True, slots=True)
class Run:
    """A jersey of a team time trial with its riders; without a team a rider is a run of his own. Rules: GI-D3-15."""

    team: Team | None
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """All that is printed. `waiting`: stages before this one without a published result, so that energy and standing
    are not known yet."""

    stage: Stage
    kind: Kind
    course: Course | None
    facts: CourseFacts
    energy: int  # of the course alone
    rows: tuple[Row, ...]
    runs: tuple[Run, ...]  # team time trial only
    waiting: tuple[Stage, ...]
    turns: range
    has_standing: bool

    @property
    def waiting_numbers(self) -> str:
        return ", ".join(stage.number for stage in self.waiting)

    @property
    def free_squares(self) -> Mapping[data.Speciality, Mapping[data.Terrain, int]]:
        """Rules: GI-B1-01, GI-D3-03."""
        return data.FREE_SQUARES_TIME_TRIAL if self.kind.is_time_trial else data.FREE_SQUARES


def table_for(stage: Stage) -> Table:
    """The sheet of a stage, from what is published before it. Riders stand in the order of the general classification,
    before the first stage by bib; in a team time trial by jersey, in the order in which its riders leave: rouleur,
    leader, climber. Rules: GI-D4-02, GI-D3-15, GI-D3-16.
    """
    loaded = load(stage.campaign)
    teams = TeamsOfTheDay(stage.campaign)
    context = context_for(stage, loaded, teams)
    earlier = sorted((s for s in loaded.stages.values() if s.order < stage.order), key=lambda s: s.order)
    public = {sheet.stage for sheet in loaded.sheets}
    waiting = tuple(s for s in earlier if s.pk not in public)
    tables = loaded.before(stage).classify()
    standing = {row.rider: (at, row) for at, row in enumerate(tables[-1].gc)} if tables else {}
    of_course = start_energy(context.course, 0)
    rows = []
    for starter in context.starters:
        at, line = standing.get(starter.rider, (len(standing), None))
        unresolved = line is not None and line.state is GcState.UNRESOLVED
        carry = None if waiting or unresolved else starter.carry
        row = Row(
            rider=loaded.riders[starter.rider],
            team=teams.called(starter.team),
            in_pink=line is not None and line.in_pink,
            score=line.score if line else None,
            gap=line.gap if line else None,
            carry=carry,
            start=None if carry is None else of_course + carry,
        )
        rows.append((at, starter.bib, row))
    in_order = tuple(row for _at, _bib, row in sorted(rows, key=lambda item: item[:2]))
    last_turn = -(-(context.course.columns + 1) // data.SLOWEST_PELOTON) + context.time_limit
    return Table(
        stage=stage,
        kind=context.kind,
        course=course_of(stage),
        facts=context.course,
        energy=of_course,
        rows=in_order,
        runs=_runs(in_order) if context.kind is Kind.TTT else (),
        waiting=waiting,
        turns=range(1, min(last_turn, MOST_TURNS) + 1),
        has_standing=bool(tables),
    )


def _runs(rows: tuple[Row, ...]) -> tuple[Run, ...]:
    """Jersey by jersey, the one of the best placed rider first."""
    runs: dict[int, list[Row]] = {}
    for row in rows:
        runs.setdefault(row.team.pk if row.team else -row.rider.pk, []).append(row)
    leave = list(data.Speciality)
    return tuple(
        Run(riders[0].team, tuple(sorted(riders, key=lambda row: leave.index(data.Speciality(row.rider.speciality)))))
        for riders in runs.values()
    )
