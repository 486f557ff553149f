"""The board of *Breaking Away*: a race as one seat sees it, as a strip of road that never bends back into its circuit.

A square of the strip is a distance from the start; what is printed there, and the lap, stand on it. Who is lapped is far
behind, as the rules see him.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from types import MappingProxyType
from typing import Any, Final
from urllib.parse import quote

from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from races.board import Who
from races.board.strip import (
    RUN_IN,
    Choice,
    Ground,
    Line,
    Nook,
    Prize,
    Rest,
    Road,
    Sign,
    Square,
    Stretch,
    Strip,
    Token,
)
from rules.breaking_away import turn
from rules.breaking_away.actions import Move, Orders, Place
from rules.breaking_away.course import Course, Kind
from rules.breaking_away.course import Line as Scoring
from rules.breaking_away.data import FURTHEST_BACK
from rules.breaking_away.events import Why
from rules.breaking_away.explain import landing
from rules.breaking_away.field import Field
from rules.breaking_away.legal import OrderSheets
from rules.breaking_away.replacement import race_order, replace_factors
from rules.breaking_away.state import NOBODY, Phase, Racer, State, Where
from rules.breaking_away.view import View
from rules.game import MANY, Decision

PLACES: Final = 5
"""Riders who stand in a square side by side; more are drawn closer."""
LANES: Final = PLACES + 1
"""With the one for what is printed."""
FURTHER: Final = 40
"""Squares beyond the finish come in so many at a time: a road is laid once, and few ride on far."""


# ---- the road --------------------------------------------------------------------------------------------------------
def road_of(course: Course, furthest: int = 0, *, staggered: bool = False) -> Road:
    """A course as a road in the language that is spoken now, with room for somebody at `furthest`."""
    beyond = max(0, furthest + 1 - course.finish.at)
    return _road(course, FURTHER * (1 + beyond // FURTHER), staggered, get_language())


@lru_cache(maxsize=64)
def _road(course: Course, beyond: int, staggered: bool, language: str | None) -> Road:
    finish = course.finish.at
    first = -FURTHEST_BACK if staggered else 0
    places = range(1 - RUN_IN, finish + beyond + 1)
    return Road(
        title=course.id,
        lanes=LANES,
        tick=1,
        last=finish,
        squares=MappingProxyType({str(pos): _square(course, pos, printed=pos >= first) for pos in places}),
        stretches=_stretches(course),
        lines=_lines(course),
        circuit=course.circuit,
        beyond=beyond,
        near=1,
        scored=True,
    )


def _square(course: Course, pos: int, *, printed: bool) -> Square:
    return Square(
        id=str(pos),
        name=place_name(course, pos),
        at=0,
        start=pos - 1,
        end=pos,
        raced=0 < pos <= course.finish.at,
        lanes=LANES,
        label=str(course.square(pos)) if printed else "",
        badge="" if course.circuit is None or not printed else str(course.lap(pos) + 1),
    )


def place_name(course: Course, pos: int) -> str:
    """ "73 / 100, square 33, lap 2": the distance, and where that is printed."""
    words = _("%(pos)s / %(finish)s") % {"pos": pos, "finish": course.finish.at}
    if course.circuit is None:
        return words
    return _("%(place)s, square %(square)s, lap %(lap)s") % {
        "place": words, "square": course.square(pos), "lap": course.lap(pos) + 1,
    }  # fmt: skip


def _stretches(course: Course) -> tuple[Stretch, ...]:
    """Laps; an open road is one stretch."""
    finish = course.finish.at
    if course.circuit is None:
        return (Stretch(start=0, end=finish, ground=Ground.PLAIN, label=_("Open road")),)
    laps = [(lap, list(run)) for lap, run in groupby(range(1, finish + 1), course.lap)]
    return tuple(
        Stretch(
            start=run[0] - 1, end=run[-1], ground=Ground.PLAIN, label=_("Lap %(lap)s") % {"lap": lap + 1}
        )
        for lap, run in laps
    )  # fmt: skip


def _lines(course: Course) -> tuple[Line, ...]:
    lines = [Line(tick=0, sign=Sign.START, label=_("Start"))]
    if course.circuit is not None:
        lines += [
            Line(tick=at - 1, sign=Sign.LAP, label="") for at in range(course.circuit, course.finish.at, course.circuit)
        ]
    for line in course.lines:
        sign = Sign.FINISH if line.kind is Kind.FINISH else Sign.SPRINT
        lines.append(Line(tick=line.at, sign=sign, label=line_name(course, line)))
    return tuple(lines)


def line_name(course: Course, line: Scoring) -> str:
    """ "Sprint 1", "Finish"."""
    if line.kind is Kind.FINISH:
        return _("Finish")
    return _("Sprint %(number)s") % {"number": course.lines.index(line) + 1}


# ---- the race --------------------------------------------------------------------------------------------------------
def display_number(field: Field, cyclist: str) -> str:
    """ "23": number 3 of the second team."""
    racer, side = field.places[cyclist]
    team = field.team_of[racer]
    number = field.teams[team].numbers[side] if field.madison else field.number[racer]
    return str(10 * (team + 1) + number)


class BreakingAway:
    """Draws a race."""

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
        """See `races.board.Board`. In `since` a team of a Madison may stand for its cyclists."""
        state = view.state
        course = state.field.course
        if isinstance(chosen, Place):
            state = lined_up(state, chosen)
        rides = rides_of(legal)
        told = _factors(chosen)
        asked = tuple(rides)
        sender = _sender(asked, told, rider)
        furthest = max(racer.pos for racer in state.racers) + max(
            (max(factors) for factors in rides.values()), default=0
        )
        road = road_of(course, furthest, staggered=state.field.options.starts_staggered)
        called = _Names(state.field, names)
        one_of_many = decision is not None and decision.kind == "orders"
        offered = _choices(state, road, sender, rides, told if one_of_many else {}, called, one_of_many)
        pointed = [
            choice
            for cyclist, factor in told.items()
            if cyclist != sender
            for choice in _choices(state, road, cyclist, {cyclist: (factor,)}, told, called, one_of_many)
        ]
        own = next((choice for choice in offered if choice.steps == told.get(choice.rider)), None)
        picked = own or next(iter(pointed), None)
        mover = None if decision is None else decision.about
        nooks = tuple(_nooks(legal, chosen if isinstance(chosen, Place) else None, called))
        asks = _("Where %(rider)s may ride") % {"rider": called.full(sender)} if sender is not None else ""
        return Strip(
            road=road,
            tokens=_tokens(state, called, decision, mine, since, road),
            choices=offered,
            chosen=picked,
            pointed=tuple(choice for choice in pointed if choice is not picked),
            asks=_("Where the other one may rest") if nooks else asks,
            senders=asked if one_of_many else (),
            sender=sender if one_of_many else None,
            gives=_gives(state, mover, road),
            prizes=tuple(_prizes(state)),
            resting=tuple(_resting(state, called, road)),
            nooks=nooks,
            chains=tuple(_chains(state)),
        )

    def value(self, action: Any) -> str:
        """See `races.board.Board`: "B3:5"; of orders one after the other; of a line-up who rides and where the other rests."""
        if isinstance(action, Place):
            return f"{quote(action.team, safe='')}:{action.active}@{action.square}"
        return ",".join(f"{quote(cyclist, safe='')}:{factor}" for cyclist, factor in sorted(_factors(action).items()))

    def find(self, value: str, legal: Sequence[Any]) -> Move | Orders | Place | None:
        """See `races.board.Board`. Orders are found in part too: those that were pointed at so far, each one that may be given."""
        first = legal[0] if legal else None
        if isinstance(first, Move | Place):
            return next((answer for answer in legal if value and self.value(answer) == value), None)
        if not isinstance(first, Orders) or not value:
            return None
        wanted = set(value.split(","))
        told = tuple(
            (cyclist, factor)
            for cyclist, factors in rides_of(legal).items()
            for factor in factors
            if f"{quote(cyclist, safe='')}:{factor}" in wanted
        )
        once = {cyclist for cyclist, _factor in told}
        return Orders(seat=first.seat, factors=told) if len(told) == len(once) == len(wanted) else None


BOARD: Final = BreakingAway()


def lined_up(state: State, answer: Place) -> State:
    """The race as it would stand with this line-up."""
    racer = state.field.names.index(answer.team)
    him = state.racers[racer]
    assert him.relief is not None, "teams are lined up in a Madison"
    side = state.field.teams[state.field.team_of[racer]].numbers.index(answer.active)
    there = him._replace(relief=him.relief._replace(side=side, square=answer.square))
    return state._replace(racers=(*state.racers[:racer], there, *state.racers[racer + 1 :]))


def _nooks(legal: Sequence[Any], chosen: Place | None, called: "_Names") -> Iterator[Nook]:
    """Every square beside which the partner may rest, of who rides first as it is chosen so far."""
    places = [answer for answer in legal if isinstance(answer, Place)] if len(legal) <= MANY else []
    active = chosen.active if chosen else min((answer.active for answer in places), default=0)
    for answer in places:
        if answer.active == active:
            resting = called.full(f"{answer.team}{3 - answer.active}")
            yield Nook(
                value=BOARD.value(answer),
                square=str(answer.square),
                label=str(answer.square),
                words=_("%(rider)s rests beside square %(square)s") % {"rider": resting, "square": answer.square},
                chosen=answer == chosen,
            )


def rides_of(legal: Sequence[Any]) -> dict[str, tuple[int, ...]]:
    """Of each cyclist who is asked for, the factors that he may spend, smallest first."""
    if isinstance(legal, OrderSheets):
        return dict(legal.factors)
    if not legal or not isinstance(legal[0], Move | Orders):  # first hands are far too many to look through
        return {}
    found: dict[str, set[int]] = {}
    for action in legal:
        for cyclist, factor in _factors(action).items():
            found.setdefault(cyclist, set()).add(factor)
    return {cyclist: tuple(sorted(factors)) for cyclist, factors in found.items()}


def _factors(action: Any) -> dict[str, int]:
    """Who rides how far by an answer."""
    if isinstance(action, Move):
        return {action.cyclist: action.factor}
    return dict(action.factors or ()) if isinstance(action, Orders) else {}


def _sender(asked: Sequence[str], told: Mapping[str, int], rider: str | None) -> str | None:
    """Whose choices are shown: of the one asked for, else of the first without a factor, else of the first."""
    waiting = [cyclist for cyclist in asked if cyclist not in told]
    return next((cyclist for cyclist in (rider, *waiting, *asked) if cyclist in asked), None)


class _Names:
    """What cyclists are called on the page."""

    def __init__(self, field: Field, names: Mapping[str, tuple[str, str, str]]) -> None:
        self._field, self._names = field, names

    def who(self, cyclist: str) -> Who:
        if cyclist in self._names:
            return Who(*self._names[cyclist])
        return Who(display_number(self._field, cyclist), "", "bot")

    def full(self, cyclist: str) -> str:
        who = self.who(cyclist)
        return f"{who.bib} {who.name}".strip()


# ---- cyclists --------------------------------------------------------------------------------------------------------
def _order(state: State) -> tuple[int, ...]:
    """Who is on the course, front first, from the inside to the outside."""
    on_course = [number for number, racer in enumerate(state.racers) if racer.where is Where.RACING]
    return race_order([racer for racer in state.order if racer in on_course] or on_course, state.racers)


def _moved(state: State) -> frozenset[int]:
    """Who has moved in this turn."""
    return frozenset(state.order[: state.done]) if state.phase is Phase.MOVE else frozenset()


def _tokens(
    state: State,
    called: _Names,
    decision: Decision | None,
    mine: frozenset[str],
    since: Mapping[str, str],
    road: Road,
) -> tuple[Token, ...]:
    """The whole field, front first; then who is off the course. In a Madison those who ride."""
    field = state.field
    order = _order(state)
    front = state.racers[order[0]].pos if order else 0
    heads = [racer for racer in order if state.racers[racer].pos == front]
    has_begun = state.turn > 0
    moved = _moved(state)
    chained = {pos: riders for start, end, riders in _chains(state) for pos in range(start + 1, end + 1)}
    out = []
    for racer in (*order, *(number for number in range(len(state.racers)) if number not in order)):
        him = state.racers[racer]
        cyclist = turn.rides(state, racer)
        who = called.who(cyclist)
        about = decision is not None and decision.about in (cyclist, field.names[racer])
        on_course = him.where is Where.RACING
        before = since.get(cyclist, since.get(field.names[racer]))
        out.append(
            Token(
                rider=cyclist,
                bib=who.bib,
                name=who.name,
                jersey=who.jersey,
                place=road.squares[str(him.pos)].name if on_course else _off(him),
                square=str(him.pos) if on_course else None,
                notes=tuple(
                    _notes(
                        state,
                        racer,
                        called,
                        decision if about else None,
                        heads if has_begun else [],
                        racer in moved,
                        chained.get(him.pos, 0) if on_course and has_begun else 0,
                    )
                ),
                mine=cyclist in mine,
                turn=about and decision is not None and decision.kind in ("move", "place", "change"),
                since=before if on_course and before in road.squares else None,
                moved=racer in moved,
                leads=racer in heads and has_begun,
            )
        )
    return tuple(out)


def _off(racer: Racer) -> str:
    """Where somebody is who is not on the course any more."""
    return _("retired") if racer.where is Where.RETIRED else _("past the finish, off the course")


def _notes(
    state: State,
    racer: int,
    called: _Names,
    decision: Decision | None,
    heads: Sequence[int],
    has_moved: bool,
    chain: int,
) -> Iterator[str]:
    """What is to be known about a cyclist, in words. `decision`: the open one if it is about him."""
    him, field = state.racers[racer], state.field
    if decision is not None and decision.kind == "move":
        yield _("to move")
    elif decision is not None and decision.kind in ("place", "change"):
        yield _("to decide")
    if has_moved:
        yield _("has moved in this turn")
    if racer in heads:
        yield _("leads, alone") if len(heads) == 1 else _("shares the lead")
    if racer == state.leader and racer not in heads:
        yield _("led alone at the end of the last turn")
    if chain:
        yield ngettext("in a chain of %(count)d", "in a chain of %(count)d", chain) % {"count": chain}
    if him.finished:
        place = state.lines[-1].index(racer) + 1
        yield _("finished: number %(order)s, in turn %(turn)s") % {"order": place, "turn": him.finished}
    relief = him.relief
    if relief is not None and relief.square != NOBODY:
        partner = field.cyclists[racer][1 - relief.side]
        yield _("%(rider)s rests beside square %(square)s") % {
            "rider": called.who(partner).bib, "square": relief.square,
        }  # fmt: skip
    if relief is not None and relief.overdue:
        yield _("overdue: has to change")


def _resting(state: State, called: _Names, road: Road) -> Iterator[Rest]:
    """Who rests beside the road, wherever his square comes by."""
    course = state.field.course
    for racer, names in zip(state.racers, state.field.cyclists, strict=True):
        relief = racer.relief
        if relief is None or relief.square == NOBODY or racer.where is not Where.RACING:
            continue
        who = called.who(names[1 - relief.side])
        squares = frozenset(
            name for name in road.squares if int(name) >= 0 and course.square(int(name)) == relief.square
        )
        yield Rest(rider=names[1 - relief.side], bib=who.bib, jersey=who.jersey, squares=squares)


def _chains(state: State) -> Iterator[tuple[int, int, int]]:
    """Unbroken runs of squares with somebody on each: rear edge, front edge, how many cyclists; two squares at least."""
    places = [state.racers[racer].pos for racer in _order(state)]
    squares = sorted(set(places))
    for _gap, run in groupby(enumerate(squares), lambda one: one[1] - one[0]):
        chain = [pos for _place, pos in run]
        if len(chain) > 1:
            yield chain[0] - 1, chain[-1], sum(pos in chain for pos in places)


# ---- what can be won -------------------------------------------------------------------------------------------------
def prizes_of(course: Course) -> tuple[Prize, ...]:
    """Of each line all that is to be won there, before anybody has crossed one."""
    return tuple(_won_at(course, dict.fromkeys(course.lines, 0)))


def _prizes(state: State) -> Iterator[Prize]:
    """Of each line the next free place and its points."""
    course = state.field.course
    return _won_at(course, {line: len(crossed) for line, crossed in zip(course.lines, state.lines, strict=True)})


def _won_at(course: Course, crossed: Mapping[Scoring, int]) -> Iterator[Prize]:
    for line, taken in crossed.items():
        left = line.points[taken:]
        won = ngettext("%(points)d point", "%(points)d points", left[0]) % {"points": left[0]} if left else ""
        facts = {"line": line_name(course, line), "place": taken + 1, "won": won, "left": len(left)}
        if not left:
            words = _("%(line)s: all places are taken") % facts
        else:
            words = (
                ngettext(
                    "%(line)s: place %(place)s is next, for %(won)s; %(left)d place is left",
                    "%(line)s: place %(place)s is next, for %(won)s; %(left)d places are left",
                    len(left),
                )
                % facts
            )
        short = " ".join(map(str, left)) if left else _("taken")
        yield Prize(tick=line.at, short=short, words=words, left=left)


def _gives(state: State, mover: str | None, road: Road) -> dict[str, str]:
    """Of the squares ahead of who is to move, the new factor that each would give him if nobody else moved."""
    if state.phase is not Phase.MOVE or mover not in state.field.places:
        return {}
    racer, _side = state.field.places[mover]
    pos = state.racers[racer].pos
    front = max(state.racers[other].pos for other in _order(state))
    reach = range(pos + 1, max(front + 3, pos + 16))
    return {
        str(to): f"+{new_factor(state, racer, to)[0]}" for to in reach if str(to) in road.squares
    }  # fmt: skip


def new_factor(state: State, racer: int, to: int) -> tuple[int, Why]:
    """What he would get on that square, and why, if nobody else moved."""
    racers = state.racers
    there = state._replace(racers=(*racers[:racer], racers[racer]._replace(pos=to), *racers[racer + 1 :]))
    name = turn.rides(state, racer)
    return next((told.value, told.reason) for told in replace_factors(there)[1].factors if told.id == name)


# ---- choices ---------------------------------------------------------------------------------------------------------
def _choices(
    state: State,
    road: Road,
    cyclist: str | None,
    rides: Mapping[str, Sequence[int]],
    told: Mapping[str, int],
    called: _Names,
    one_of_many: bool,
) -> tuple[Choice, ...]:
    """Of one cyclist, smallest factor first. One of several orders keeps what the others have been `told`."""
    if cyclist is None:
        return ()
    racer, _side = state.field.places[cyclist]
    pos = state.racers[racer].pos
    out = []
    for factor in rides[cyclist]:
        action: Move | Orders = Move(cyclist=cyclist, factor=factor)
        if one_of_many:
            seat = state.field.seats[state.field.seat_of[racer]]
            action = Orders(seat=seat, factors=tuple({**told, cyclist: factor}.items()))
        square = str(pos + factor)
        out.append(
            Choice(
                value=BOARD.value(action),
                action=action,
                rider=cyclist,
                square=square,
                origin=(pos, 0.0),
                path=(square,),
                steps=factor,
                label=str(factor),
                words=_words(state, road, racer, factor),
                loud=True,
            )
        )
    return tuple(out)


def _words(state: State, road: Road, racer: int, factor: int) -> str:
    """A choice in a sentence: where to, over which lines, what it gives back."""
    course = state.field.course
    what = landing(state, racer, factor)
    to = what["to"]
    parts = []
    for crossed in what["lines"]:
        line = next(one for one in course.lines if one.id == crossed["id"])
        facts = {"line": line_name(course, line), "place": crossed["place"], "points": crossed["points"]}
        if crossed["points"]:
            parts.append(
                ngettext(
                    "over %(line)s, place %(place)s, %(points)d point",
                    "over %(line)s, place %(place)s, %(points)d points",
                    crossed["points"],
                )
                % facts
            )
        else:
            parts.append(_("over %(line)s, without points") % facts)
    parts += [
        _("on the line of %(line)s, not over it") % {"line": line_name(course, line)}
        for line in course.lines
        if line.at == to
    ]
    if state.phase is Phase.MOVE:
        value, why = new_factor(state, racer, to)
        facts = {"value": value}
        if why is Why.LEAD:
            parts.append(_("alone in the lead: new factor %(value)s, as it stands") % facts)
        else:
            parts.append(_("new factor %(value)s, as it stands") % facts)
    if what.get("rival_rests"):
        parts.append(_("a rival rests there: no change"))
    where = _("%(factor)s to %(place)s") % {"factor": factor, "place": road.squares[str(to)].name}
    return f"{where}: {'; '.join(parts)}" if parts else where
