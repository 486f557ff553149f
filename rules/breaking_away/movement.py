"""A move: a factor is spent, lines are crossed, places are taken (spec 5.3, 5.4)."""

from functools import lru_cache
from typing import Final

from rules.breaking_away import madison, public
from rules.breaking_away.data import FURTHEST_BACK
from rules.breaking_away.events import Crossed, Event, Moved, Reason
from rules.breaking_away.field import Field
from rules.breaking_away.options import EndMode
from rules.breaking_away.state import Asides, Factors, Racer, State, Where
from rules.errors import IllegalAction, gettext_noop

RETIRED: Final = Where.RETIRED  # an attribute of an enumeration takes four times as long
_new = tuple.__new__  # a named tuple with all its fields given, in a third of the time


def rating(state: State, racer: int, side: int) -> int:
    """The number of a cyclist, which says what he may begin with; in a Madison his rating. Rules: BA-SET-04, BA-MAD-02."""
    field = state.field
    if not field.madison:
        return field.number[racer]
    pair = state.ratings[field.team_of[racer]]
    assert pair is not None, "ratings are in before anybody has a hand"
    return pair[side]


def held(state: State, racer: int) -> Factors:
    """The factors that he has, each once, the smallest first; of a hand that is not known here, all that he may have.

    Rules: BA-MOVE-01, BA-MOVE-05, BA-REF-02.
    """
    him = state.racers[racer]
    if him.hand is not None:
        return tuple(dict.fromkeys(him.hand))
    exact = state.field.options.allocation_exact
    return public.possible(him.spent, him.gained, rating(state, racer, him.side), exact)


def factors(state: State, racer: int) -> Factors:
    """Of these the factors that he may spend now. Rules: BA-MAD-18; AMB-M7."""
    him = state.racers[racer]
    found = held(state, racer)
    if him.relief is None or not him.relief.overdue:
        return found
    blocked = tuple(factor for factor in found if madison.rival_rests(state, racer, him.pos + factor))
    return tuple(factor for factor in found if factor not in blocked or _nothing_else(state, racer, factor, blocked))


def _nothing_else(state: State, racer: int, factor: int, blocked: Factors) -> bool:
    """Whether who holds this blocked factor may hold blocked ones alone. Rules: BA-MAD-18, BA-REF-02.

    Of a hand that is not known here he may, if public data allow such a hand: then he has no other to spend.
    """
    him = state.racers[racer]
    if him.hand is not None:
        return set(him.hand) <= set(blocked)
    originals, sure = public.known(him.spent, him.gained)
    if factor not in sure:
        originals = (*originals, factor)
    exact = state.field.options.allocation_exact
    return set(sure) <= set(blocked) and public.may_have_begun_among(
        originals, blocked, rating(state, racer, him.side), exact
    )


def refuse_factor(state: State, racer: int, cyclist: str, factor: int) -> None:
    """IllegalAction unless he may spend that factor now. Rules: BA-MOVE-01, BA-MOVE-02, BA-MOVE-03, BA-REF-02, BA-MAD-18."""
    allowed = factors(state, racer)
    if factor in allowed:
        return
    words: dict[str, str | int] = {"cyclist": cyclist, "factor": factor, "allowed": ", ".join(map(str, allowed))}
    if factor in held(state, racer):
        raise IllegalAction(
            "BA-MAD-18",
            gettext_noop(
                "%(cyclist)s has to change, and %(factor)s leads to a square with a rival's relief; he may spend %(allowed)s."
            ),
            **words,
        )
    if state.racers[racer].hand is None:
        raise IllegalAction(
            "BA-REF-02",
            gettext_noop(
                "%(cyclist)s cannot hold a factor %(factor)s, by all that was announced; he may spend %(allowed)s."
            ),
            **words,
        )
    if factor in state.racers[racer].spent:
        raise IllegalAction(
            "BA-MOVE-03", gettext_noop("%(cyclist)s has spent his factor %(factor)s; he holds %(allowed)s."), **words
        )
    raise IllegalAction(
        "BA-MOVE-01", gettext_noop("%(cyclist)s holds no factor %(factor)s; he may spend %(allowed)s."), **words
    )


def ride(state: State, factor: int, events: list[Event]) -> State:
    """The racer whose turn it is spends `factor`: he moves, and takes his place on every line that he crosses.

    Rules: BA-MOVE-01, BA-MOVE-03, BA-MOVE-04, BA-TURN-06, BA-MAD-16.
    """
    field, phase, racers, lines, order, done, turn, leader, first, given, ratings, orders, asides, over = state
    racer = order[done]
    pos, hand, spent, gained, shown, where, finished, relief = racers[racer]
    to = pos + factor
    if hand is not None:
        at = hand.index(factor)
        hand = hand[:at] + hand[at + 1 :]
    side = 0
    if relief is not None:
        side = relief.side
        relief = madison.after_move(relief, pos, to, field.course)
    events.append(_moved(field.cyclists[racer][side], pos, to, factor))
    gates = field.gates
    place = pos + FURTHEST_BACK
    if place < len(gates) and gates[place] < to:
        lines = cross(field, lines, racer, pos, to, events)
        if to > field.course.finish.at:
            finished = turn
            asides = over_the_finish(asides, racer)
            if field.options.end_mode is EndMode.IMMEDIATE and len(lines[-1]) >= quota(field, racers):
                over = Reason.QUOTA
    him = _new(Racer, (to, hand, (*spent, factor), gained, shown, where, finished, relief))
    return _new(
        State,
        (
            field, phase, racers[:racer] + (him,) + racers[racer + 1 :], lines, order, done + 1, turn, leader, first,
            given, ratings, orders, asides, over,
        ),
    )  # fmt: skip


@lru_cache(maxsize=1 << 14)
def _moved(cyclist: str, pos: int, to: int, factor: int) -> Moved:
    return Moved(cyclist=cyclist, from_=pos, to=to, factor=factor)


def cross(
    field: Field, lines: tuple[tuple[int, ...], ...], racer: int, pos: int, to: int, events: list[Event]
) -> tuple[tuple[int, ...], ...]:
    """Take the next place on every line from `pos` on and before `to`, in the order of the road.

    Rules: BA-SCORE-01, BA-SCORE-02, BA-SCORE-03, BA-SCORE-04, BA-CRS-06; AMB-05, AMB-20.
    """
    crossed = list(lines)
    for number, line in enumerate(field.course.lines):
        if pos <= line.at < to:
            crossed[number] = (*lines[number], racer)
            place = len(crossed[number])
            points = points_of(line.points, place)
            events.append(Crossed(cyclist=field.names[racer], line=line.id, place=place, points=points))
    return tuple(crossed)


def points_of(table: tuple[int, ...], place: int) -> int:
    """Rules: BA-SCORE-03."""
    return table[place - 1] if place <= len(table) else 0


def over_the_finish(asides: Asides, racer: int) -> Asides:
    """Who has crossed the finish does not retire any more. Rules: BA-RET-02; AMB-27."""
    requests = tuple(request for request in asides.requests if request.racer != racer)
    return asides._replace(requests=requests, gone=tuple(sorted((*asides.gone, racer))))


def quota(field: Field, racers: tuple[Racer, ...]) -> int:
    """So many finishers end the race. Rules: BA-CRS-03, BA-END-01; AMB-18."""
    retired = [racer.where for racer in racers].count(RETIRED)
    return min(field.course.finish_quota, len(racers) - retired)
