"""The events of a race as lines of a log in English: for transcripts, exports, and whoever reads a race as text."""

from typing import assert_never

from rules.breaking_away.course import Course, line_name
from rules.breaking_away.data import BASE_REPLACEMENT
from rules.breaking_away.events import (
    Allocated,
    Changed,
    Checked,
    Crossed,
    Event,
    FirstDrawn,
    Left,
    Moved,
    Ordered,
    Placed,
    RaceOver,
    Rated,
    Reason,
    Replaced,
    Replacement,
    RetireAsked,
    Retired,
    RetireVoted,
    Revealed,
    StopVoted,
    TurnBegan,
    Why,
)
from rules.breaking_away.state import State

_OVER = {
    Reason.QUOTA: "enough are across the finish",
    Reason.RETIRED: "nobody is left",
    Reason.ABANDONED: "everybody wanted to stop",
}


def tell(state: State, event: Event) -> str:
    """One line for one event."""
    course = state.field.course
    match event:
        case Rated():
            return f"{event.team} rides with ratings {event.r1} and {event.r2}."
        case Allocated():
            return f"{event.seat} has the factors of {event.team}."
        case FirstDrawn():
            return f"{event.seat} begins."
        case Placed():
            return f"{event.team} starts with number {event.active}; the other rests at {event.square}."
        case TurnBegan():
            return f"Turn {event.turn}."
        case Ordered():
            return f"{event.seat} has given orders."
        case Moved():
            return f"{event.cyclist} plays {event.factor}: {event.from_} → {event.to}."
        case Crossed():
            return f"{event.cyclist} crosses {_line(course, event.line)}, {_th(event.place)}, {_points(event.points)}."
        case Replaced():
            return f"New factors: {'; '.join(map(_replacement, event.factors))}."
        case Changed():
            forced = ", as it has to" if event.forced else ""
            return f"{event.team} changes{forced}: {event.cyclist} rides, the other rests at {event.square}."
        case Left():
            return f"{event.cyclist} leaves the course."
        case RetireAsked():
            return f"{event.cyclist} asks to retire."
        case RetireVoted():
            return f"{event.seat} {'agrees' if event.yes else 'does not agree'} that {event.cyclist} retires."
        case Retired():
            return f"{event.cyclist} retires."
        case Revealed():
            return f"{event.cyclist} shows {', '.join(map(str, event.hand))}."
        case Checked():
            return f"The factors of {event.cyclist} are consistent."
        case StopVoted():
            return f"{event.seat} {'wants' if event.yes else 'does not want'} to stop the race."
        case RaceOver():
            return f"The race is over: {_OVER[event.reason]}."
        case _:
            assert_never(event)


def _line(course: Course, name: str) -> str:
    return next((line_name(course, line) for line in course.lines if line.id == name), name)


def _th(place: int) -> str:
    tail = "th" if place % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")
    return f"{place}{tail}"


def _points(points: int) -> str:
    return "1 point" if points == 1 else f"{points} points"


def _replacement(new: Replacement) -> str:
    match new.reason:
        case Why.LEAD:
            return f"{new.id} +{new.value}: breaks away"
        case Why.OVERCROWDED:
            return f"{new.id} +{new.value}: overcrowded"
        case Why.CHAIN:
            chain = new.value - BASE_REPLACEMENT
            return f"{new.id} +{new.value}" + (f": slipstream {chain} ({BASE_REPLACEMENT}+{chain})" if chain else "")
