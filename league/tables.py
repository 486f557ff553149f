"""Each classification as one value, printed three times: on the page, as CSV, as JSON. They cannot tell different things.

A cell holds a number, a text, or nothing. Keys are English and stable: programs read them. Texts in cells are names and
codes; what a page calls a code is words' business.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from league.book import Book, Row, bonus_columns, nights_in_pink
from league.classification.status import Kind
from league.models import Rider, Stage, Standing, Team
from league.words import (
    PartLine,
    Reason,
    capital,
    out_reason,
    part_lines,
    rank_reason,
    team_day,
    team_reason,
)

Value = int | str | None


@dataclass(frozen=True, slots=True)
class PartOfStage:
    """The reasons of one stage within a why."""

    stage: Stage
    lines: Sequence[PartLine]
    key: str = ""  # the cell that the value stands in, if it is one
    value: Value = None


@dataclass(frozen=True, slots=True)
class Why:
    """Why a line is where it is: the reason in a sentence, and every part, stage by stage, with what they add up to."""

    reason: Reason
    stages: Sequence[PartOfStage]
    total: int | None


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a table: its cells, and what a page shows beside them."""

    cells: Mapping[str, Value]
    row: Row
    rider: Rider | None = None
    team: Team | None = None
    why: Why | None = None
    nights: Sequence[bool] = ()  # in pink after each counted stage
    counted: Sequence[Rider] = ()  # who made a team's stage
    pink_in: frozenset[str] = frozenset()  # the cells of stages after which he was in pink

    @property
    def state(self) -> str:
        return self.row.state

    @property
    def in_pink(self) -> bool:
        return self.row.in_pink


@dataclass(frozen=True, slots=True)
class Table:
    """A classification."""

    name: str
    keys: Sequence[str]
    lines: Sequence[Line]
    stages: Sequence[Stage] = field(default=())  # of the columns stage_..., where there are any

    @property
    def stage_keys(self) -> list[str]:
        return [stage_key(stage) for stage in self.stages]

    def rows(self) -> list[dict[str, Value]]:
        """The cells alone, in the order of the keys."""
        return [{key: line.cells[key] for key in self.keys} for line in self.lines]


def person(rider: Rider, team: Team | None) -> dict[str, Value]:
    """Whose line it is. A merged player is called by who he turned out to be."""
    player = rider.player.merged_into or rider.player
    return {
        "bib": rider.bib,
        "rider": rider.name,
        "speciality": rider.speciality,
        "team": team.name if team else None,
        "player": player.name,
    }


PERSON = ("bib", "rider", "speciality", "team", "player")

# ---- the general classification --------------------------------------------------------------------------------------
GC_KEYS = (
    "place",
    "change",
    *PERSON,
    "state",
    "out",
    "evenings_in_pink",
    "score",
    "gap",
    "energy",
    "carry",
    "bot_stages",
)


def gc_table(book: Book) -> Table:
    """The general classification after the stage at which the book is open."""
    rows = book.rows(Standing.GC, book.after)
    by_rider: dict[int, dict[int, Row]] = {}
    for stage in book.counted:
        for row in book.rows(Standing.GC, stage):
            assert row.rider is not None
            by_rider.setdefault(row.rider, {})[stage.pk] = row
    lines = []
    for index, row in enumerate(rows):
        below = rows[index + 1] if index + 1 < len(rows) and rows[index + 1].rank is not None else None
        assert row.rider is not None
        past = by_rider[row.rider]
        rider, team, facts = book.rider(row), book.team(row), row.facts
        lines.append(
            Line(
                cells={
                    "place": row.rank,
                    "change": facts["change"],
                    **person(rider, team),
                    "state": row.state,
                    "out": facts["why_out"],
                    "evenings_in_pink": facts["days_in_pink"],
                    "score": row.value,
                    "gap": row.gap,
                    "energy": facts["energy"],
                    "carry": facts["carry"] if row.state != "out" else None,
                    "bot_stages": " ".join(stage.number for stage in book.stages_by_bot(row.rider)) or None,
                },
                row=row,
                rider=rider,
                team=team,
                why=gc_why(book, row, below, past),
                nights=nights_in_pink(book.counted, past),
            )
        )
    return Table("gc", GC_KEYS, lines)


def gc_why(book: Book, row: Row, below: Row | None, past: Mapping[int, Row]) -> Why:
    """Every part of a rider's score, and what ranks him."""
    parts = {stage.pk: past[stage.pk].facts["parts"] for stage in book.counted}
    if row.state == "out":
        reason = out_reason(row.facts, parts, book.names)
    elif row.state == "unresolved":
        reason = Reason(unresolved_words(book, row, past))
    else:
        reason = rank_reason(row.facts, below.facts if below else None, book.names)
    stages = [PartOfStage(stage, stage_lines(book, stage, past[stage.pk])) for stage in book.counted if parts[stage.pk]]
    return Why(reason, stages, row.value)


def stage_lines(book: Book, stage: Stage, row: Row) -> list[PartLine]:
    return part_lines(row.facts["parts"], stage.pk, book.names)


def unresolved_words(book: Book, row: Row, past: Mapping[int, Row]) -> str:
    """Since which stage a rider's total is not known."""
    first = next((stage for stage in book.counted if past[stage.pk].state == "unresolved"), None)
    return _("No result of stage %(stage)s yet: no place, no gap") % {"stage": first.number if first else ""}


# ---- gaps ------------------------------------------------------------------------------------------------------------
def stage_key(stage: Stage) -> str:
    return f"stage_{stage.number}"


def gaps_table(book: Book) -> Table:
    """The gap to pink after every stage, rider by rider, in the order of the standing."""
    keys = ("bib", "rider", *(stage_key(stage) for stage in book.counted))
    lines = []
    for row in book.rows(Standing.GC, book.after):
        assert row.rider is not None
        rider, past = book.rider(row), book.rider_rows(Standing.GC, row.rider)
        cells: dict[str, Value] = {"bib": rider.bib, "rider": rider.name}
        for stage in book.counted:
            cells[stage_key(stage)] = gap_cell(past[stage.pk], stage)
        pink = frozenset(stage_key(stage) for stage in book.counted if past[stage.pk].in_pink)
        lines.append(Line(cells=cells, row=row, rider=rider, team=book.team(row), pink_in=pink))
    return Table("gaps", keys, lines, book.counted)


def gap_cell(row: Row, stage: Stage) -> Value:
    """A gap in squares; the reason in the stage that put him out, nothing afterwards; "unresolved" while it is not known."""
    if row.state == "in":
        return row.gap
    if row.state == "unresolved":
        return "unresolved"
    return row.facts["why_out"] if row.facts["out_after"] == stage.pk else "out"


# ---- teams -----------------------------------------------------------------------------------------------------------
def teams_table(book: Book) -> Table:
    """The team classification after the stage at which the book is open, with the turns of every stage before it."""
    stage_keys = tuple(stage_key(stage) for stage in book.counted)
    keys = (
        "place",
        "change",
        "team",
        "state",
        "unranked_since",
        *stage_keys,
        "counted",
        "finishers",
        "count",
        "total",
        "gap",
    )
    rows = book.rows(Standing.TEAMS, book.after)
    ranks = [row.rank for row in rows]
    lines = []
    for index, row in enumerate(rows):
        below = rows[index + 1] if index + 1 < len(rows) and rows[index + 1].rank is not None else None
        shares = row.rank is not None and ranks.count(row.rank) > 1
        past = {
            stage.pk: line
            for stage in book.counted
            for line in book.rows(Standing.TEAMS, stage)
            if line.team == row.team
        }
        team, facts = book.team(row), row.facts
        assert team is not None
        counted = [book.riders[pk] for pk in facts["counted"]]
        values = {stage_key(s): past[s.pk].facts["stage_value"] if s.pk in past else None for s in book.counted}
        since = facts["unranked_since"]
        lines.append(
            Line(
                cells={
                    "place": row.rank,
                    "change": facts["change"],
                    "team": team.name,
                    "state": row.state,
                    "unranked_since": book.by_pk[since].number if since else None,
                    **values,
                    "counted": " ".join(str(rider.bib) for rider in counted) or None,
                    "finishers": facts["finishers"],
                    "count": facts["count"],
                    "total": row.value,
                    "gap": row.gap,
                },
                row=row,
                team=team,
                counted=counted,
                why=Why(
                    team_reason(facts, below.facts if below else None, shares, book.names),
                    [team_stage(book, stage, past[stage.pk]) for stage in book.counted if stage.pk in past],
                    row.value,
                ),
            )
        )
    return Table("teams", keys, lines, book.counted)


def team_stage(book: Book, stage: Stage, row: Row) -> PartOfStage:
    """A team's stage: its turns, and the riders that made them."""
    facts = row.facts
    results = {line.rider: line.value for line in book.rows(Standing.STAGE, stage)}
    value = facts["stage_value"]
    if value is not None:
        text = team_day([(book.names.riders[pk], results.get(pk)) for pk in facts["counted"]])
    elif row.state == "unresolved":
        text = _("a result is missing")
    else:
        text = _("%(finishers)s of %(count)s came in") % facts
    return PartOfStage(stage, [PartLine(text, value)], stage_key(stage), value)


# ---- a stage ---------------------------------------------------------------------------------------------------------
ROAD_KEYS = ("place", *PERSON, "status", "turn", "behind", "bonuses", "move", "energy", "carry", "remark", "bot")
TRIAL_KEYS = (
    "place", *PERSON, "status", "turn", "run", "clock", "addition", "result", "behind", "move", "energy", "carry", "remark",
    "bot",
)  # fmt: skip


def stage_table(book: Book, stage: Stage) -> Table:
    """The result of a stage. `remark`: "lapped" after it, or "out_before" it: what he rode is a fact, not a result.
    `bot`: the level of the bot that rode for him."""
    trial, bots = Kind(stage.kind).is_time_trial, book.bots.get(stage.pk, {})
    standing = {row.rider: row for row in book.rows(Standing.GC, stage)}
    lines = []
    for row in book.rows(Standing.STAGE, stage):
        rider, team, facts = book.rider(row), book.team(row), row.facts
        after = standing[row.rider]
        lapped = after.facts["why_out"] == "lapped" and after.facts["out_after"] == stage.pk
        run = facts["run"]
        cells: dict[str, Value] = {
            "place": row.rank,
            **person(rider, team),
            "status": row.state,
            "turn": facts["turn"],
            "behind": row.gap,
            "bonuses": facts["bonuses"],
            "move": facts["move"],
            "energy": facts["energy"],
            "carry": after.facts["carry"] if after.state != "out" else None,
            "remark": "out_before" if not facts["counts"] else "lapped" if lapped else None,
            "bot": bots.get(row.rider) if row.rider is not None else None,
        }
        if trial:
            cells |= {
                "run": book.teams[run].name if run else None,
                "clock": facts["clock"],
                "addition": facts["addition"],
                "result": row.value,
            }
        parts = stage_lines(book, stage, after) if facts["counts"] else []
        lines.append(
            Line(
                cells=cells,
                row=row,
                rider=rider,
                team=team,
                why=Why(Reason(told(parts)), [PartOfStage(stage, parts)], facts["move"]) if parts else None,
            )
        )
    return Table(f"stage-{stage.number}", TRIAL_KEYS if trial else ROAD_KEYS, lines)


def told(parts: Sequence[PartLine]) -> str:
    """A rider's stage in one line."""
    return capital(" · ".join(part.text for part in parts))


def bonus_winners(book: Book, stage: Stage, won: Mapping[int, int | None]) -> list[tuple[int | None, Rider | None]]:
    """Each bonus line that was told of: its column (None: not known) and its winner (None: nobody)."""
    columns = bonus_columns(stage)
    return [
        (columns[token - 1] if token <= len(columns) else None, book.riders[pk] if pk else None)
        for token, pk in sorted(won.items())
    ]
