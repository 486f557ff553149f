"""The board of *Giro d'Italia: The Game*: a race as one seat sees it, as a strip of road."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from types import MappingProxyType
from typing import Any, Final

from django.utils.text import capfirst
from django.utils.translation import get_language, ngettext, pgettext
from django.utils.translation import gettext as _

from races.board import Who
from races.board.profile import CLIMB, UNCATEGORISED, terrain_word
from races.board.strip import Choice, Ground, Line, Pack, Road, Sign, Square, Stance, Stretch, Strip, Token
from rules.game import Decision, Taker
from rules.giro.actions import BreakAway, Move, Risk
from rules.giro.course import Course, LineKind
from rules.giro.data import PELOTON_TICKS, Speciality, Terrain
from rules.giro.explain import explain
from rules.giro.notation import TICKS
from rules.giro.order import classification
from rules.giro.state import NOBODY, Rider, State, Where
from rules.giro.view import View

GROUNDS: Final[Mapping[Terrain, Ground]] = {
    Terrain.PLAIN: Ground.PLAIN,
    Terrain.RISE: Ground.RISE,
    Terrain.MOUNTAIN: Ground.MOUNTAIN,
    Terrain.DOWNHILL: Ground.DOWNHILL,
}
SIGNS: Final[Mapping[LineKind, Sign]] = {
    LineKind.BONUS: Sign.BONUS,
    LineKind.FEED: Sign.BOTTLE,
    LineKind.SPRINT: Sign.SPRINT,
    LineKind.ARRIVAL: Sign.FINISH,
}
START_COLUMNS: Final = 2
"""Columns before the line on which those wait who have not started against the clock."""


# ---- the road --------------------------------------------------------------------------------------------------------
def road_of(course: Course, *, giro: bool) -> Road:
    """A course as a road in the language that is spoken now. Bonus lines mean something in a Giro only."""
    return _road(course, giro, get_language())


@lru_cache(maxsize=64)
def _road(course: Course, giro: bool, language: str | None) -> Road:
    return Road(
        title=course.name,
        lanes=course.plan.lanes,
        tick=TICKS,
        last=course.columns,
        squares=MappingProxyType({course.names[square]: _square(course, square) for square in course.squares}),
        stretches=_stretches(course),
        lines=_lines(course, giro),
    )


def _square(course: Course, square: int) -> Square:
    return Square(
        id=course.names[square],
        name=_square_name(course, square),
        at=_lane(course, course.lane[square]),
        start=course.start[square],
        end=course.end[square],
        ground=GROUNDS[course.terrain[square]],
        black=course.black[square],
        raced=course.start[square] >= 0 and not course.beyond[square],
    )


def _lane(course: Course, lane: int) -> float:
    """Where a lane lies, in lanes from the middle of the road."""
    return lane - (course.plan.lanes - 1) / 2


def _side(lanes: int, lane: int) -> str:
    words = {
        2: (_("left"), _("right")),
        3: (_("left"), _("middle"), _("right")),
        4: (_("far left"), _("left"), _("right"), _("far right")),
    }
    return words[lanes][lane]


def _square_name(course: Course, square: int) -> str:
    """ "37 left"; "37b left" is the second of that lane in its column."""
    side = _side(course.plan.lanes, course.lane[square])
    if course.beyond[square]:
        return _("beyond the finish, %(side)s") % {"side": side}
    column = course.column[square]
    if column < 1:
        return ngettext(
            "%(columns)d before the start, %(side)s", "%(columns)d before the start, %(side)s", 1 - column
        ) % {"columns": 1 - column, "side": side}
    again = course.names[square].lstrip("-0123456789.")
    return _("%(column)s %(side)s") % {"column": f"{column}{again}", "side": side}


def _stretches(course: Course) -> tuple[Stretch, ...]:
    """Runs of one terrain, category and bend; heights as on the profile."""
    bends: list[int] = []
    for section in course.plan.sections:
        inner, outer = (0, 0) if section.squares is None else (section.squares[0], section.squares[-1])
        bends += [(inner > outer) - (inner < outer)] * section.columns
    heights = _heights(course)
    kinds = list(zip(course.terrains, course.categories, bends, strict=True))
    out, first = [], 0
    for (terrain, category, bend), run in groupby(kinds):
        last = first + len(list(run))
        label = capfirst(terrain_word(terrain))
        if category:
            label = _("%(terrain)s, category %(category)s") % {"terrain": label, "category": category}
        out.append(
            Stretch(
                start=TICKS * first,
                end=TICKS * last,
                ground=GROUNDS[terrain],
                label=label,
                rise=heights[last] - heights[first],
                category=category,
                bend=bend,
                short=_("Category %(category)s") % {"category": category} if category else "",
                bend_label={0: "", -1: _("bend left"), 1: _("bend right")}[bend],
            )
        )
        first = last
    return tuple(out)


def _heights(course: Course) -> list[float]:
    """Height at the end of every column, index 0 the start: climbs by category, downhills give back what was climbed."""
    heights = [0.6]
    for (terrain, category), run in groupby(zip(course.terrains, course.categories, strict=True)):
        columns, base = len(list(run)), heights[-1]
        if terrain is Terrain.DOWNHILL:
            step = -min(base - 0.3, 1.3 * columns, max(0.42 * columns, 0.86 * base)) / columns
        elif terrain is Terrain.MOUNTAIN:
            step = CLIMB[category or UNCATEGORISED]
        else:
            step = CLIMB[terrain]
        heights += [base + step * i for i in range(1, columns + 1)]
    return heights


def _lines(course: Course, giro: bool) -> tuple[Line, ...]:
    labels = {
        LineKind.BONUS: _("Bonus"),
        LineKind.FEED: _("Bottle"),
        LineKind.SPRINT: _("Sprint"),
        LineKind.ARRIVAL: _("Finish"),
    }
    lines = [Line(tick=0, sign=Sign.START, label=_("Start"))]
    for line in course.lines:
        if line.kind is not LineKind.BONUS or (giro and not course.trial):
            lines.append(Line(tick=line.tick, sign=SIGNS[line.kind], label=labels[line.kind]))
    return tuple(lines)


# ---- riders ----------------------------------------------------------------------------------------------------------
def speciality_letter(speciality: Speciality) -> str:
    """The letter on a token."""
    return {
        Speciality.ROULEUR: pgettext("letter for rouleur", "R"),
        Speciality.LEADER: pgettext("letter for leader", "L"),
        Speciality.CLIMBER: pgettext("letter for climber", "C"),
    }[speciality]


class Giro:
    """Draws a stage."""

    def strip(
        self,
        view: View,
        *,
        names: Mapping[str, tuple[str, str, str]],
        decision: Decision | None = None,
        legal: Sequence[Any] = (),
        chosen: Any = None,
        mine: frozenset[str] = frozenset(),
        since: Mapping[str, str] = MappingProxyType({}),
        rider: str | None = None,
    ) -> Strip:
        """See `races.board.Board`."""
        state = view.state
        road = road_of(state.course, giro=state.options.giro)
        called = _Names(names)
        rides = [action for action in legal if isinstance(action, Move | BreakAway)]
        senders = tuple(dict.fromkeys(action.rider for action in rides if isinstance(action, BreakAway)))
        sender = _sender(senders, chosen, rider)
        if senders:
            rides = [action for action in rides if action.rider == sender]
        offered = _choices(state, road, rides, called, chosen)
        picked = next((choice for choice in offered if choice.action == chosen), None)
        whose = offered[0].rider if offered else None
        return Strip(
            road=road,
            tokens=_tokens(state, called, decision, mine, since, road),
            pack=_pack(state),
            choices=offered,
            chosen=picked,
            asks=_("Where %(rider)s may ride") % {"rider": called.full(whose)} if whose is not None else "",
            senders=senders,
            sender=sender,
        )

    def value(self, action: Any) -> str:
        """See `races.board.Board`: the rider, the lane he leaves from where he has a choice, the lanes, "c" with his card."""
        return value_of(action) if isinstance(action, Move | BreakAway) else ""

    def find(self, value: str, legal: Sequence[Any]) -> Move | BreakAway | None:
        """See `races.board.Board`."""
        rides = (action for action in legal if isinstance(action, Move | BreakAway))
        return next((action for action in rides if value_of(action) == value), None)


BOARD: Final = Giro()


def value_of(action: Move | BreakAway) -> str:
    """ "A~1-1101c": rider A leaves from lane 1 through the lanes 1, 1, 0, 1 and plays his card."""
    start = "" if action.start is None else f"{action.start}-"
    return f"{action.rider or ''}~{start}{''.join(map(str, action.path))}{'c' if action.card else ''}"


class _Names:
    """What riders are called on the page."""

    def __init__(self, names: Mapping[str, tuple[str, str, str]]) -> None:
        self._names = names

    def who(self, rider: str) -> Who:
        return Who(*self._names[rider]) if rider in self._names else Who(rider, "", "bot")

    def bib(self, rider: str) -> str:
        return self.who(rider).bib

    def full(self, rider: str) -> str:
        who = self.who(rider)
        return f"{who.bib} {who.name}".strip()


def _sender(senders: tuple[str, ...], chosen: Any, rider: str | None) -> str | None:
    """Whose choices to show of those who can be sent: of the chosen move, else the one asked for, else the first."""
    wanted = (getattr(chosen, "rider", None), rider, *senders)
    return next((name for name in wanted if name in senders), None)


def _pack(state: State) -> Pack | None:
    """The peloton; in a time trial those who have not started."""
    if state.time_trial:
        waiting = any(rider.where is Where.INSIDE for rider in state.riders)
        return (
            Pack(
                start=-TICKS * START_COLUMNS,
                end=0,
                label=pgettext("at the start of a time trial", "Waiting"),
                waits=True,
            )
            if waiting
            else None
        )
    if state.gone:
        return None
    return Pack(start=state.front - PELOTON_TICKS, end=state.front, label=_("Peloton"))


def _tokens(
    state: State,
    called: _Names,
    decision: Decision | None,
    mine: frozenset[str],
    since: Mapping[str, str],
    road: Road,
) -> tuple[Token, ...]:
    """The whole field, front first."""
    order = classification(state.course, state.riders, state.front, state.gone, state.token, len(state.seats))
    together = _road_shared(state, decision, mine)
    out = []
    for i in order:
        rider = state.riders[i]
        who = called.who(rider.id)
        turn = decision is not None and decision.about == rider.id
        on_road = rider.where is Where.ROAD
        square = road.squares[state.course.names[rider.square]] if on_road else None
        front = state.riders[rider.link] if on_road and rider.link != NOBODY else None
        before = since.get(rider.id)
        out.append(
            Token(
                rider=rider.id,
                bib=who.bib,
                name=who.name,
                jersey=who.jersey,
                tag=speciality_letter(rider.entry.speciality),
                place=_place(state, rider) if square is None else square.name,
                square=None if square is None else square.id,
                inside=rider.where is Where.INSIDE,
                stance=_stance(rider) if on_road else Stance.RIDING,
                notes=_notes(state, i, decision if turn else None),
                mine=rider.id in mine,
                turn=turn,
                since=before if on_road and before in road.squares else None,
                behind=None if front is None else front.id,
                apart=state.time_trial and i not in together and rider.where is Where.ROAD,
            )
        )
    return tuple(out)


def _road_shared(state: State, decision: Decision | None, mine: frozenset[str]) -> frozenset[int]:
    """Who is drawn big: all in a road stage. Against the clock, the run of whoever is asked, else the viewer's, else one."""
    if len(state.runs) < 2:
        return frozenset(range(len(state.riders)))
    about = decision.about if decision else None

    def first(wanted: Iterable[str]) -> frozenset[int] | None:
        names = set(wanted)
        runs = (run for run in state.runs if run.agenda and any(state.riders[i].id in names for i in run.riders))
        return next((frozenset(run.riders) for run in runs), None)

    everybody = [rider.id for rider in state.riders]
    return first([about] if about else []) or first(sorted(mine)) or first(everybody) or frozenset()


def _stance(rider: Rider) -> Stance:
    if rider.fell:
        return Stance.FALLEN
    return Stance.PUNCTURED if rider.waiting else Stance.RIDING


def _place(state: State, rider: Rider) -> str:
    """Where somebody is who stands on no square of the road."""
    if rider.where is Where.FINISHED:
        return _("finished: number %(order)s, in turn %(turn)s") % {"order": rider.order, "turn": rider.turn}
    if rider.where is Where.OUT:
        return _("outside the time limit")
    return _("at the start") if state.time_trial else _("in the peloton")


def _notes(state: State, number: int, decision: Decision | None) -> tuple[str, ...]:
    """What is to be known about a rider, in words. `decision`: the open one if it is about him."""
    rider = state.riders[number]
    out = []
    if decision is not None:
        if decision.taker is Taker.CHANCE:
            out.append(_("waits for chance"))
        else:
            out.append(_("to move") if decision.kind == "move" else _("to decide"))
    if rider.fell:
        turn = next((run.turn for run in state.runs if number in run.riders), 0)
        out.append(
            _("fallen, stands up at the end of this turn")
            if rider.fell < turn
            else _("fallen, stands up at the end of the next turn")
        )
    if rider.waiting:
        out.append(_("punctured, waits"))
    if rider.dropping:
        out.append(_("will be put down behind the peloton"))
    if rider.where is Where.ROAD and rider.slip:
        out.append(_("one free square from the slipstream"))
    return tuple(out)


# ---- choices ---------------------------------------------------------------------------------------------------------
def _choices(
    state: State, road: Road, rides: Sequence[Move | BreakAway], called: _Names, chosen: Any
) -> tuple[Choice, ...]:
    """Nearest first, then from the left; of each square the one with its link first: the chosen one, else the most modest."""
    course = state.course
    ranked = []
    for action in rides:
        told = explain(state, action)
        ranked.append((_rank(action, told, action == chosen), action, told))
    ranked.sort(key=lambda one: (road.squares[one[2]["to"]].end, road.squares[one[2]["to"]].at, one[0]))
    out = []
    seen: set[str] = set()
    for _rank_of, action, told in ranked:
        square = told["to"]
        out.append(
            Choice(
                value=value_of(action),
                action=action,
                rider=action.rider or "",
                square=square,
                origin=_origin(state, course, action),
                path=tuple(told["squares"]),
                steps=told["steps"],
                label=str(told["cost"]) if told["cost"] else f"+{told['recovers']}" if told["recovers"] else "0",
                words=_words(state, road, action, told, called),
                risk=_risk_label(state, action, told),
                priced=bool(told["cost"]),
                shown=square not in seen,
            )
        )
        seen.add(square)
    return tuple(out)


def _rank(action: Move | BreakAway, told: Mapping[str, Any], chosen: bool) -> tuple[Any, ...]:
    """The smaller, the more modest: no risk, no card, little energy, few squares."""
    return (
        not chosen,
        told["risk"] is not None,
        action.card,
        told["cost"] - told["recovers"],
        told["steps"],
        action.path,
    )


def _rider(state: State, action: Move | BreakAway) -> Rider:
    return next(rider for rider in state.riders if rider.id == action.rider)


def _origin(state: State, course: Course, action: Move | BreakAway) -> tuple[int, float]:
    """Where the line on the board begins: his square, or the edge of the piece that he leaves."""
    if action.start is not None:
        return state.front, _lane(course, action.start)
    square = _rider(state, action).square
    return (course.start[square] + course.end[square]) // 2, _lane(course, course.lane[square])


def _risk_label(state: State, action: Move | BreakAway, told: Mapping[str, Any]) -> str:
    """What the die must show, or what a tile may take."""
    if told["needs"] is not None:
        return f"{told['needs']}+"
    if told["risk"] == Risk.TILE:
        tiles = _rider(state, action).crack_tiles
        return f"−{min(tiles)}–{max(tiles)}" if min(tiles) < max(tiles) else f"−{max(tiles)}"
    return ""


def _words(state: State, road: Road, action: Move | BreakAway, told: Mapping[str, Any], called: _Names) -> str:
    """A choice in a sentence: how far and where to, for how much, at what risk, what it leads to."""
    steps = told["steps"]
    if told["finishes"]:
        where = ngettext("%(steps)d square, over the finish line", "%(steps)d squares, over the finish line", steps)
    elif told["rejoins"]:
        where = ngettext("%(steps)d square, back into the peloton", "%(steps)d squares, back into the peloton", steps)
    else:
        where = ngettext("%(steps)d square to %(place)s", "%(steps)d squares to %(place)s", steps)
    parts = [where % {"steps": steps, "place": road.squares[told["to"]].name}, _price(told)]
    parts += _risks(state, action, told)
    if action.card:
        card = _rider(state, action).card
        parts.append(_("plays %(card)s") % {"card": capfirst(card.value)} if card else _("plays his card"))
    if told["passed"]:
        passed = told["passed"]
        parts.append(
            ngettext("rides through %(riders)d rider", "rides through %(riders)d riders", passed) % {"riders": passed}
        )
    if told["slipstream"] is not None:
        parts.append(_("on the wheel of %(rider)s") % {"rider": called.bib(told["slipstream"])})
    parts += _crossed(state, told["lines"])
    if not told["keeps_followers"]:
        number = next(i for i, rider in enumerate(state.riders) if rider.id == action.rider)
        parts += [
            _("leaves %(rider)s without slipstream") % {"rider": called.bib(rider.id)}
            for rider in state.riders
            if rider.link == number
        ]
    return f"{parts[0]}: {'; '.join(parts[1:])}"


def _price(told: Mapping[str, Any]) -> str:
    if told["cost"] and told["recovers"]:
        return _("%(cost)s energy, recovers %(back)s") % {"cost": told["cost"], "back": told["recovers"]}
    if told["cost"]:
        return _("%(cost)s energy") % {"cost": told["cost"]}
    if told["recovers"]:
        return _("free, recovers %(back)s energy") % {"back": told["recovers"]}
    return _("free")


def _risks(state: State, action: Move | BreakAway, told: Mapping[str, Any]) -> list[str]:
    facts = {"needs": told["needs"], "worst": told["worst"]}
    if told["risk"] == Risk.CRACK:
        return [_("may crack: %(needs)s or more on the die, else %(worst)s energy in all") % facts]
    if told["risk"] == Risk.FALL:
        if state.time_trial:
            return [_("may fall: %(needs)s or more on the die, else a turn lost") % facts]
        return [_("may fall: %(needs)s or more on the die, else %(worst)s energy in all and a turn lost") % facts]
    if told["risk"] == Risk.TILE:
        tiles = _rider(state, action).crack_tiles
        return [_("draws a tile: %(least)s to %(most)s energy more") % {"least": min(tiles), "most": max(tiles)}]
    return []


def _crossed(state: State, lines: Sequence[str]) -> list[str]:
    """The lines that mean something to whoever crosses them now; the arrival is told first of all."""
    out = []
    for line in lines:
        kind, _space, number = line.partition(" ")
        if kind == LineKind.FEED and not state.time_trial:
            out.append(_("over the bottle line"))
        elif kind == LineKind.BONUS and state.options.giro and state.bonus[int(number) - 1] == NOBODY:
            out.append(_("first over the bonus line"))
        elif kind == LineKind.SPRINT:
            out.append(_("into the sprint zone"))
    return out
