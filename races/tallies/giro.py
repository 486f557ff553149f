"""A stage of *Giro d'Italia: The Game* in numbers."""

from collections import Counter, defaultdict
from collections.abc import Callable
from typing import Any, Final

from django.utils.translation import gettext as _

from races.tallies import Column, Row, Steps, Table
from rules.giro import events
from rules.giro.state import State


def tally(steps: Steps) -> Table:
    """Each rider's energy, squares, turns ahead and behind, risks, mishaps and bottles, in the order of the draft."""
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    last: State | None = None
    for state, happened in steps:
        last = state
        for event in happened:
            _count(counts, event)
            if isinstance(event, events.TurnBegan) and not state.time_trial:
                _where(counts, state)
    if last is None:
        return Table(columns=_columns(trial=False), rows=())
    trial = last.time_trial
    rows = tuple(Row(rider=rider.id, cells=_cells(counts[rider.id], trial=trial)) for rider in last.riders)
    return Table(columns=_columns(trial=trial), rows=rows)


def _where(counts: defaultdict[str, Counter[str]], state: State) -> None:
    """Who is ahead of the peloton as a turn begins, and who is behind it. When it has left the road nobody is either."""
    for rider in state.riders:
        if rider.active and not state.gone:
            end = state.course.end[rider.square]
            if end > state.front:
                counts[rider.id]["ahead"] += 1
            elif end <= state.rear:
                counts[rider.id]["behind"] += 1


def _count(counts: defaultdict[str, Counter[str]], event: Any) -> None:
    rider = getattr(event, "rider", None)
    if rider is None:
        return
    found = counts[rider]
    change = getattr(event, "change", 0)
    if change < 0:
        found["spent"] -= change
    elif change > 0 and not isinstance(event, events.Started):
        found["recovered"] += change
    match event:
        case events.Moved() | events.BrokeAway():
            found["squares"] += event.squares
            found["breaks"] += isinstance(event, events.BrokeAway)
        case events.RiskRolled():
            found["risks"] += 1
            found["held"] += event.held
        case events.LostTile():
            found["crack_tiles"] += 1
        case events.Fell():
            found["falls"] += 1
        case events.Cracked():
            found["cracks"] += 1
        case events.Punctured():
            found["punctures"] += 1
        case events.UsedTile():
            found["bottles"] += 1


Cell = Callable[[Counter[str]], str]


def _number(name: str) -> Cell:
    return lambda found: str(found[name])


def _risks(found: Counter[str]) -> str:
    return _("%(held)s of %(taken)s") % {"held": found["held"], "taken": found["risks"]} if found["risks"] else "0"


EVERYWHERE: Final[tuple[tuple[str, Cell], ...]] = (
    ("spent", _number("spent")),
    ("recovered", _number("recovered")),
    ("squares", _number("squares")),
)
ON_THE_ROAD: Final[tuple[tuple[str, Cell], ...]] = (
    ("ahead", _number("ahead")),
    ("behind", _number("behind")),
    ("breaks", _number("breaks")),
    ("risks", _risks),
    ("cracks", _number("cracks")),
    ("falls", _number("falls")),
    ("punctures", _number("punctures")),
    ("bottles", _number("bottles")),
)
AGAINST_THE_CLOCK: Final[tuple[tuple[str, Cell], ...]] = (
    ("risks", _risks),
    ("falls", _number("falls")),
    ("crack_tiles", _number("crack_tiles")),
    ("bottles", _number("bottles")),
)


def _chosen(*, trial: bool) -> tuple[tuple[str, Cell], ...]:
    return EVERYWHERE + (AGAINST_THE_CLOCK if trial else ON_THE_ROAD)


def _cells(found: Counter[str], *, trial: bool) -> tuple[str, ...]:
    return tuple(cell(found) for _name, cell in _chosen(trial=trial))


def _columns(*, trial: bool) -> tuple[Column, ...]:
    words = {
        "spent": (_("Spent"), _("Energy paid, for squares, for the peloton, after a crack or a fall")),
        "recovered": (_("Recovered"), _("Energy got back, from free squares and from bottles")),
        "squares": (_("Squares"), _("Squares ridden on his own, outside the peloton")),
        "ahead": (_("Ahead"), _("Turns that he began ahead of the peloton")),
        "behind": (_("Behind"), _("Turns that he began behind the peloton")),
        "breaks": (_("Attacks"), _("Times that he broke away")),
        "risks": (_("Risks held"), _("Risks that held, of those he took")),
        "cracks": (_("Cracks"), _("Risks after which he paid three times")),
        "falls": (_("Falls"), _("Risks after which he lay beside the road")),
        "punctures": (_("Punctures"), _("Times that he waited for a wheel")),
        "bottles": (_("Bottles"), _("Bottles whose energy he took")),
        "crack_tiles": (_("Tiles"), _("Tiles of the time trial that took energy")),
    }
    return tuple(Column(label=words[name][0], means=words[name][1]) for name, _cell in _chosen(trial=trial))
