"""A race of Breaking Away in numbers."""

from collections import Counter, defaultdict
from typing import Any

from django.utils.translation import gettext as _

from races.panels.breaking_away_log import line_words
from races.tallies import Column, Row, Steps, Table
from rules.breaking_away import events
from rules.breaking_away.course import Course
from rules.breaking_away.data import BASE_REPLACEMENT
from rules.breaking_away.events import Why
from rules.breaking_away.state import State


def tally(steps: Steps) -> Table:
    """Each cyclist's squares, points on every line, turns alone in the lead, chains and new factors, team by team."""
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    last: State | None = None
    for state, happened in steps:
        last = state
        named = {name: state.field.names[racer] for name, (racer, _side) in state.field.places.items()}
        for event in happened:
            _count(counts, named, event)
    if last is None:
        return Table(columns=(), rows=())
    course = last.field.course
    names = [*_NUMBERS[:2], *(line.id for line in course.lines), *_NUMBERS[2:]]
    rows = tuple(
        Row(rider=rider, cells=tuple(str(counts[rider][name]) for name in names)) for rider in last.field.names
    )
    return Table(columns=_columns(course), rows=rows)


_NUMBERS = ("squares", "points", "led", "breaks", "chain", "new", "largest")


def _count(counts: defaultdict[str, Counter[str]], named: dict[str, str], event: Any) -> None:
    match event:
        case events.Moved():
            found = counts[named[event.cyclist]]
            found["squares"] += event.factor
            found["at"] = event.to
        case events.Crossed():
            counts[event.cyclist][event.line] += event.points
            counts[event.cyclist]["points"] += event.points
        case events.Replaced():
            _new_factors(counts, named, event)


def _new_factors(counts: defaultdict[str, Counter[str]], named: dict[str, str], event: Any) -> None:
    """Front first: who is alone there leads the turn."""
    front = [counts[named[new.id]]["at"] for new in event.factors[:2]]
    for place, new in enumerate(event.factors):
        found = counts[named[new.id]]
        found["new"] += new.value
        found["largest"] = max(found["largest"], new.value)
        found["led"] += place == 0 and front[0] not in front[1:]
        found["breaks"] += new.reason is Why.LEAD
        if new.reason is Why.CHAIN:
            found["chain"] = max(found["chain"], new.value - BASE_REPLACEMENT)


def _columns(course: Course) -> tuple[Column, ...]:
    lines = [
        Column(label=line_words(course, line), means=_("Points won there, after %(at)s squares") % {"at": line.at})
        for line in course.lines
    ]
    before = [
        Column(label=_("Squares"), means=_("Squares ridden: all factors spent")),
        Column(label=_("Points"), means=_("Points on all lines")),
    ]
    after = [
        Column(label=_("Led"), means=_("Turns after which he was alone in front")),
        Column(label=_("Breaks"), means=_("Times that he got the break value")),
        Column(label=_("Chain"), means=_("The longest chain ahead of him at the end of a turn")),
        Column(label=_("New"), means=_("All new factors together")),
        Column(label=_("Largest"), means=_("The largest new factor")),
    ]
    return (*before, *lines, *after)
