"""The rows of a race from its sheet: the same as the engine's outcome has (spec 8.3), as far as a sheet can tell."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from league.classification.ranking import competition_ranks
from league.sheets.breaking_away.content import Context, Crosser, SheetContent
from league.sheets.breaking_away.reading import distance_cell, line_cell
from league.sheets.reading import ON
from rules.breaking_away.course import Kind
from rules.breaking_away.data import MADISON_LAP
from rules.breaking_away.events import Reason

NOWHERE = 1000
"""Behind every place on a line."""


def quota(content: SheetContent, context: Context) -> int:
    """So many at the finish end the race. Rules: BA-VAL-01, BA-CRS-03."""
    return min(context.options.course.finish_quota, len(context.racers) - len(content.retired))


def rows_of(content: SheetContent, team: str) -> list[tuple[int, int, Crosser]]:
    """(line, place, who) of a team's rows on all lines."""
    return [
        (line, place, who)
        for line, crossed in enumerate(content.lines)
        for place, who in enumerate(crossed, start=1)
        if who is not None and who.team == team
    ]


def total(content: SheetContent, context: Context, team: str) -> int:
    """A team's points: the sum over all lines (spec 8.3). Rules: BA-VAL-08, BA-SCORE-05."""
    return sum(context.points(line, place) for line, place, _ in rows_of(content, team))


def best_finisher(content: SheetContent, team: str) -> int | None:
    return min((place for line, place, _ in rows_of(content, team) if line == len(content.lines) - 1), default=None)


def all_retired(content: SheetContent, context: Context, team: str) -> bool:
    return sum(context.racers[racer].team == team for racer in content.retired) == context.most_of_a_team


def behind(content: SheetContent, context: Context) -> dict[str, int]:
    """Madison: by how much each team that has not retired is behind the furthest, in what the sheet tells: laps, or squares.

    Rules: BA-MAD-22.
    """
    told = {team: value for team, value in content.distances if team not in content.retired}
    if not context.by_squares:
        return told
    front = max(told.values(), default=0)
    return {team: front - value for team, value in told.items()}


def level_and_open(content: SheetContent, context: Context) -> list[tuple[str, ...]]:
    """Groups of teams that are level, nobody of them at the finish, each with somebody left in the race: only whoever saw the
    end can say who was ahead. Rules: BA-VAL-10, BA-VAL-11, BA-TIE-02, BA-TIE-04, BA-MAD-23.
    """
    far = behind(content, context)
    groups: defaultdict[tuple[int, int], list[str]] = defaultdict(list)
    for team in context.team_ids:
        if best_finisher(content, team) is None and not all_retired(content, context, team):
            groups[far.get(team, 0), total(content, context, team)].append(team)
    return [tuple(group) for group in groups.values() if len(group) > 1]


def _key(content: SheetContent, context: Context, far: Mapping[str, int], team: str) -> tuple[int, int, int, int]:
    """What places a team, the smallest first. Teams of which nothing tells who was ahead have the same.

    Rules: BA-TIE-01, BA-TIE-02, BA-TIE-03, BA-TIE-04, BA-MAD-22, BA-MAD-23, BA-MAD-25.
    """
    points = total(content, context, team)
    gone = all_retired(content, context, team)
    if context.madison and gone:
        return (1, 0, -points, 0)
    best = best_finisher(content, team)
    if best is None:
        told = content.leftover.index(team) if team in content.leftover else len(content.leftover)
        best = 2 * NOWHERE if gone else NOWHERE + told
    return (0, far[team] if context.madison else 0, -points, best)


def outcome(content: SheetContent, context: Context) -> dict[str, Any]:
    """The race as the engine's outcome tells it. `ValueError` on a sheet of which something stops publication.

    A number of scoring cyclists is None where a row that scored names only the team; `cyclists`, by points, are told where
    none does. Turns are not known to a sheet.
    """
    if context.madison and len(behind(content, context)) + len(content.retired) < len(context.teams):
        raise ValueError("a team's distance is missing")
    far = behind(content, context)
    ranks = competition_ranks((team, _key(content, context, far, team)) for team in context.team_ids)
    teams = [
        {"place": ranks[team], **_row(content, context, far, team)}
        for team in sorted(context.team_ids, key=lambda team: ranks[team])
    ]
    retired = len(content.retired) == len(context.racers)
    reason = Reason.ABANDONED if content.abandoned else Reason.RETIRED if retired else Reason.QUOTA
    told: dict[str, Any] = {
        "course": context.options.course.id,
        "variant": context.options.variant.value,
        "reason": reason.value,
        "points": sum(row["points"] for row in teams),
        "lines": {
            line.id: [None if who is None else who.id for who in crossed]
            for line, crossed in zip(context.lines, content.lines, strict=True)
        },
        "teams": teams,
    }
    if not context.madison:
        told["cyclists"] = _cyclists(content, context)
    return told


def _row(content: SheetContent, context: Context, far: Mapping[str, int], team: str) -> dict[str, Any]:
    own = rows_of(content, team)
    scored = {who for line, place, who in own if context.points(line, place)}
    told: dict[str, Any] = {
        "id": team,
        "seat": context.team(team).player,
        "points": total(content, context, team),
        "lines": {
            line.id: sum(context.points(number, place) for at, place, _ in own if at == number)
            for number, line in enumerate(context.lines)
        },
        "best_finisher": best_finisher(content, team),
        "scoring": len(scored) if all(who.id in context.racers for who in scored) else None,
        "wins": sum(place == 1 for _, place, _ in own),
    }
    if context.madison:
        told["retired"] = team in content.retired
        told["laps_down"] = None if told["retired"] else far[team] // (MADISON_LAP if context.by_squares else 1)
        if context.by_squares:
            told["pos"] = dict(content.distances).get(team)
    return told


def _cyclists(content: SheetContent, context: Context) -> list[dict[str, Any]]:
    """Those who crossed a line, by points, then as they finished; [] where a row that scored names only a team (spec 8.3)."""
    own: defaultdict[Crosser, dict[int, int]] = defaultdict(dict)
    for line, crossed in enumerate(content.lines):
        for place, who in enumerate(crossed, start=1):
            if who is not None and who.number is not None:
                own[who][line] = place
            elif context.points(line, place):
                return []
    finish = len(context.lines) - 1
    scored = {who: {line: context.points(line, place) for line, place in places.items()} for who, places in own.items()}
    ranks = competition_ranks((who, (-sum(scored[who].values()), own[who].get(finish, NOWHERE))) for who in own)
    return [
        {
            "place": ranks[who],
            "id": who.id,
            "team": who.team,
            "points": sum(scored[who].values()),
            "lines": {line.id: scored[who].get(number, 0) for number, line in enumerate(context.lines)},
            "finish": own[who].get(finish),
            "retired": who.id in content.retired,
        }
        for who in sorted(own, key=lambda who: (ranks[who], who))
    ]


# ---- outcomes, whether a sheet's or the engine's ------------------------------------------------------------------------
def sprint_points(row: Mapping[str, Any], context: Context) -> int:
    """A team's points on the lines along the way: what the bonus of a series goes by (spec 8.4)."""
    return sum(row["lines"][line.id] for line in context.lines if line.kind is Kind.SPRINT)


def abandoned_early(told: Mapping[str, Any], context: Context) -> bool:
    """The race was given up before its first line was complete: it does not count in a series (spec 8.4)."""
    crossed = len(told["lines"][context.lines[0].id])
    return bool(told["reason"] == Reason.ABANDONED) and crossed < context.scoring_places(0)


def cells_of_outcome(told: Mapping[str, Any], context: Context) -> dict[str, str]:
    """The cells that tell a race as the engine's outcome does; also those that it leaves empty."""
    rows = told["teams"]
    retired = [row["id"] for row in (rows if context.madison else told["cyclists"]) if row["retired"]]
    cells = {line_cell(number): " ".join(told["lines"][line.id]) for number, line in enumerate(context.lines)}
    cells |= {
        "retired": " ".join(retired),
        "leftover": "",
        "abandoned": ON if told["reason"] == Reason.ABANDONED.value else "",
    }
    if context.madison:
        value = "pos" if context.by_squares else "laps_down"  # a retired team has no laps, and came to its square
        cells |= {
            distance_cell(context, row["id"]): "" if row[value] is None else str(row[value]) for row in rows
        }  # fmt: skip
    gone = {row["id"] for row in rows if _is_out(row, retired, context)}
    level = [(row.get("laps_down"), row.get("pos") if context.by_squares else None, row["points"]) for row in rows]
    open_rows = [
        (row["id"], like) for row, like in zip(rows, level, strict=True)
        if row["best_finisher"] is None and row["id"] not in gone
    ]  # fmt: skip
    likes = [like for _, like in open_rows]
    cells["leftover"] = " ".join(team for team, like in open_rows if likes.count(like) > 1)
    return cells


def _is_out(row: Mapping[str, Any], retired: list[str], context: Context) -> bool:
    team: str = row["id"]
    own = sum(context.racers[racer].team == team for racer in retired)
    return own == context.most_of_a_team
