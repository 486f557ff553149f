"""An answer in the words of somebody who has to choose: where it leads, what it wins, what it may get back."""

from typing import Any

from rules.breaking_away import turn
from rules.breaking_away.actions import Action, Allocate, Change, Move, Orders
from rules.breaking_away.data import ALLOTMENTS, BASE_REPLACEMENT
from rules.breaking_away.madison import rival_rests
from rules.breaking_away.movement import points_of
from rules.breaking_away.replacement import chain_so_far
from rules.breaking_away.state import State


def explain(state: State, action: Action) -> dict[str, Any]:
    """What a legal answer would lead to; an empty dict where it says all by itself."""
    match action:
        case Move():
            racer, _ = state.field.places[action.cyclist]
            return landing(state, racer, action.factor)
        case Orders():
            return {
                "to": {
                    name: state.racers[state.field.places[name][0]].pos + factor
                    for name, factor in action.factors or ()
                }
            }
        case Allocate():
            return spent_points(state, action)
        case Change():
            racer = state.field.names.index(action.team)
            return {"cyclist": state.field.cyclists[racer][1 - state.racers[racer].side]}
        case _:
            return {}


def landing(state: State, racer: int, factor: int) -> dict[str, Any]:
    """Where a factor leads to, as the race stands now.

    `chain`, `shares` and `before` count those who have moved; who is still to move may land there too. `replacement` is what
    the chain would give. `lines` are those that he would cross, with the place and points that are free now; `next` is
    the line to come after that, `away` how far a move must go to cross it, and what its next free place is worth.
    """
    field = state.field
    pos = state.racers[racer].pos
    to = pos + factor
    moved = [state.racers[other].pos for other in state.order[: state.done] if other != racer]
    ahead = [state.racers[other].pos for other in state.order if other != racer]
    chain = chain_so_far(state, racer, to)
    told: dict[str, Any] = {
        "from": pos,
        "to": to,
        "square": field.course.square(to),
        "lap": field.course.lap(to),
        "shares": moved.count(to),
        "chain": chain,
        "replacement": BASE_REPLACEMENT + chain,
        "before": moved.count(to - 1),
        "leads": all(to > other for other in ahead),
        "lines": [],
        "next": None,
    }
    for line, crossed in zip(field.course.lines, state.lines, strict=True):
        place = len(crossed) + 1
        points = points_of(line.points, place)
        if pos <= line.at < to:
            told["lines"].append({"id": line.id, "place": place, "points": points})
        elif line.at >= to:
            told["next"] = {"id": line.id, "away": line.at - to + 1, "place": place, "points": points}
            break
    if field.madison:
        told["rival_rests"] = rival_rests(state, racer, to)
    return told


def spent_points(state: State, action: Allocate) -> dict[str, Any]:
    """How many points a starting hand leaves unspent. Rules: BA-SET-07."""
    team = state.field.team_named(action.team)
    assert team is not None
    ratings = turn.ratings_of(state, team)
    return {
        "unspent": {
            number: ALLOTMENTS[ratings[int(number)]].limit - int(sum(hand)) for number, hand in action.hands or ()
        }
    }
