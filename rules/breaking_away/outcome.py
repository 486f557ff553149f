"""The result rows, as a score sheet gives them (spec 8.3), and what a stage race needs beside them (spec 8.5)."""

from collections.abc import Sequence
from typing import Any

from rules.breaking_away.data import MADISON_LAP
from rules.breaking_away.movement import points_of
from rules.breaking_away.options import MadisonDistance
from rules.breaking_away.replacement import race_order
from rules.breaking_away.state import State, Where


def outcome(state: State) -> dict[str, Any] | None:
    """The rows, placed best first; None until the race is over. Rules: BA-TIE-01, BA-SCORE-05, BA-SCORE-06, BA-CRS-07."""
    if state.over is None:
        return None
    rows = standing(state)
    told: dict[str, Any] = {
        "course": state.field.course.id,
        "variant": state.field.options.variant.value,
        "reason": state.over.value,
        "turns": state.turn,
        "points": sum(row["points"] for row in rows),
        "lines": {
            line.id: [state.field.names[racer] for racer in crossed]
            for line, crossed in zip(state.field.course.lines, state.lines, strict=True)
        },
        "teams": rows,
    }
    if not state.field.madison:
        told["cyclists"] = _cyclist_rows(state)
    return told


def standing(state: State) -> list[dict[str, Any]]:
    """The teams as they would be placed if the race ended now, best first. Rules: BA-TIE-01, BA-MAD-22."""
    return _madison_rows(state) if state.field.madison else _team_rows(state)


def classification(state: State) -> list[int]:
    """Racers as they are placed: over the finish in that order, then by where they stand; not who has retired.

    Rules: BA-TIE-03; AMB-08.
    """
    finished = state.lines[-1]
    in_order = state.order or range(len(state.racers))  # before the start there is none
    rest = [racer for racer in in_order if racer not in finished and state.racers[racer].where is Where.RACING]
    return [*finished, *race_order(rest, state.racers)]


def points(state: State, racer: int) -> list[int]:
    """A racer's points on every line. Rules: BA-SCORE-03, BA-SCORE-05."""
    return [
        points_of(line.points, crossed.index(racer) + 1) if racer in crossed else 0
        for line, crossed in zip(state.field.course.lines, state.lines, strict=True)
    ]


def _row(state: State, team: int) -> dict[str, Any]:
    field = state.field
    own = field.racers_of_team[team]
    scored = {racer: points(state, racer) for racer in own}
    finished = [place for place, racer in enumerate(state.lines[-1], 1) if racer in own]
    return {
        "id": field.teams[team].id,
        "seat": field.seats[field.teams[team].seat],
        "points": sum(sum(line) for line in scored.values()),
        "lines": {
            line.id: sum(scored[racer][number] for racer in own) for number, line in enumerate(field.course.lines)
        },
        "best_finisher": min(finished, default=None),
        "scoring": sum(any(line) for line in scored.values()),
        "wins": sum(bool(crossed) and crossed[0] in own for crossed in state.lines),
    }


def _placed(rows: Sequence[tuple[tuple[int, ...], dict[str, Any]]]) -> list[dict[str, Any]]:
    """Rows with their places, the smallest key first; equal keys share a place."""
    ranked = sorted(rows, key=lambda row: row[0])
    keys = [key for key, _ in ranked]
    return [{"place": keys.index(key) + 1} | row for key, row in ranked]


def _team_rows(state: State) -> list[dict[str, Any]]:
    """Most points, then whose best-placed cyclist is ahead; teams without any cyclist left share the place.

    Rules: BA-TIE-01, BA-TIE-02, BA-TIE-04.
    """
    order = classification(state)
    rows = []
    for team, own in enumerate(state.field.racers_of_team):
        row = _row(state, team)
        best = min((place for place, racer in enumerate(order, 1) if racer in own), default=len(state.racers) + 1)
        rows.append(((-row["points"], best), row))
    return _placed(rows)


def _madison_rows(state: State) -> list[dict[str, Any]]:
    """Most distance, then most points, then who crossed the last line first, then who is ahead; who has retired comes last.

    Rules: BA-MAD-20, BA-MAD-22, BA-MAD-23, BA-MAD-25; AMB-M4.
    """
    field, racers = state.field, state.racers
    squares = field.options.madison_distance is MadisonDistance.SQUARES
    order = classification(state)
    front = max((racers[racer].pos for racer in order), default=0)
    rows = []
    for team, (racer,) in enumerate(field.racers_of_team):
        row = _row(state, team)
        behind = front - racers[racer].pos
        retired = racers[racer].where is Where.RETIRED
        row |= {"laps_down": None if retired else behind // MADISON_LAP, "pos": racers[racer].pos, "retired": retired}
        if retired:
            key = (1, 0, -row["points"], 0)
        else:
            key = (0, behind if squares else behind // MADISON_LAP, -row["points"], order.index(racer))
        rows.append((key, row))
    return _placed(rows)


def _cyclist_rows(state: State) -> list[dict[str, Any]]:
    """Cyclists by points, and how they finished; `turn` is the one in which they crossed the finish, or would have.

    Rules: BA-TIE-03, BA-RET-04; spec 8.3, 8.5.
    """
    field = state.field
    order = classification(state)
    rows = []
    for racer, him in enumerate(state.racers):
        scored = points(state, racer)
        retired = him.where is Where.RETIRED
        placed = None if retired else order.index(racer) + 1
        row = {
            "id": field.names[racer],
            "team": field.teams[field.team_of[racer]].id,
            "points": sum(scored),
            "lines": {line.id: of for line, of in zip(field.course.lines, scored, strict=True)},
            "finish": placed,
            "finished": bool(him.finished),
            "turn": None if retired else him.finished or turn_to_come(state, racer),
            "pos": him.pos,
            "retired": retired,
        }
        rows.append(((-sum(scored), placed or len(state.racers) + 1), row))
    return _placed(rows)


STEADY = 8
"""Squares a turn by which it is reckoned when a cyclist who is not home would have crossed the finish (spec 8.5)."""


def turn_to_come(state: State, racer: int) -> int:
    """The turn in which somebody would have crossed the finish, at a steady pace from where the race stopped (spec 8.5)."""
    left = state.field.course.finish.at + 1 - state.racers[racer].pos
    return state.turn + -(-left // STEADY)
