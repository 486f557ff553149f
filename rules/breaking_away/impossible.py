"""What no race can be: positions that can be read, and yet no race ever comes to them, or could go on from them."""

from collections.abc import Iterator, Sequence
from itertools import chain

from rules.breaking_away import data
from rules.breaking_away.movement import factors
from rules.breaking_away.options import TurnMode
from rules.breaking_away.setup import names_given_twice
from rules.breaking_away.state import NOBODY, RACING_PHASES, UNRATED, UNSEEN_ORDERS, Phase, State, Where
from rules.breaking_away.turn import racing
from rules.errors import Saying, gettext_noop

OF_A_MADISON = (Phase.RATE, Phase.PLACE, Phase.CHANGE)


def faults(state: State) -> Iterator[Saying]:
    """All that is wrong with a position. What comes later relies on what comes before: the first one is the one to tell."""
    yield from names_given_twice(state.field.seats, state.field.teams)
    parts = (_phase, _order, _racers, _ratings, _lines, _asides, _orders)
    for message in chain.from_iterable(part(state) for part in parts):
        yield Saying(message=message)


def _phase(state: State) -> Iterator[str]:
    field, phase = state.field, state.phase
    if not field.seats or not all(field.of_seat) or not all(field.racers_of_team):
        yield gettext_noop("Every seat of a position has a team, and every team a cyclist.")
    if phase in OF_A_MADISON and not field.madison:
        yield gettext_noop("Ratings, lining up and changes belong to a Madison.")
    if phase is (Phase.MOVE if field.options.turn_mode is TurnMode.ORDERS else Phase.ORDERS):
        yield gettext_noop("With the turn_mode sequential the phase is move, with orders it is orders.")
    if phase is Phase.FINISHED and state.over is None:
        yield gettext_noop("A race that is finished tells in over why.")
    if state.turn < (1 if phase in RACING_PHASES else 0):
        yield gettext_noop("Turns are counted from 1.")
    if (phase is Phase.RATE and None not in state.ratings) or (phase is Phase.ALLOCATE and all(state.given)):
        yield gettext_noop("Before the start it waits for somebody, and here everybody has answered.")


def _order(state: State) -> Iterator[str]:
    racing_now = {racer for racer, him in enumerate(state.racers) if him.where is Where.RACING}
    if state.phase in RACING_PHASES | {Phase.PLACE} and (not racing_now or set(state.order) != racing_now):
        yield gettext_noop("The order names everybody who is racing once, and somebody is.")
    last = len(state.order) - (state.phase is Phase.PLACE)
    if not 0 <= state.done <= last:
        yield gettext_noop("The index says how many of the order have moved.")


def _racers(state: State) -> Iterator[str]:
    for him in state.racers:
        hands = (*(him.hand or ()), *(him.relief and him.relief.hand or ()))
        if any(factor < data.SMALLEST_FACTOR for factor in (*hands, *him.spent, *him.gained)):
            yield gettext_noop("A factor is 1 or more.")
        if him.pos < -data.FURTHEST_BACK:
            yield gettext_noop("Nobody starts further back than 3 squares behind the start.")
        if him.finished < 0 or (him.where is Where.LEFT and not him.finished):
            yield gettext_noop("Who has left the course has crossed the finish in some turn before.")
    squares = [him.relief.square for him in state.racers if him.relief and him.relief.square != NOBODY]
    if not _each_once(squares) or not set(squares) <= set(range(data.MADISON_LAP)):
        yield gettext_noop("Who rests is beside one of the squares 0 to 39, alone.")


def _ratings(state: State) -> Iterator[str]:
    told = [pair for pair in state.ratings if pair not in (None, UNRATED)]
    if state.phase is not Phase.RATE and len(told) < len(state.ratings):
        yield gettext_noop("Ratings are open, or unseen, only while they are chosen.")
    if any(pair and pair[0] == pair[1] for pair in told):
        yield gettext_noop("The two of a team have two different ratings.")


def _lines(state: State) -> Iterator[str]:
    for line, crossed in zip(state.field.course.lines, state.lines, strict=True):
        if not _each_once(crossed) or any(state.racers[racer].pos <= line.at for racer in crossed):
            yield gettext_noop("Who has crossed a line is beyond it, and crosses it once.")


def _asides(state: State) -> Iterator[str]:
    field, asides = state.field, state.asides
    asking = [request.racer for request in asides.requests]
    may_ask = state.phase in RACING_PHASES and not set(asking) & set(asides.gone)
    if asking and (not may_ask or not _each_once(asking)):
        yield gettext_noop("Who asks to retire is racing, has not crossed the finish, and asks once.")
    if any(not _each_once(yes) or field.seat_of[racer] in yes for racer, yes in asides.requests):
        yield gettext_noop("Whether somebody retires is for the other seats to say, each once.")
    if not _each_once(asides.asked) or not _each_once(asides.stop):
        yield gettext_noop("Those for whom it was asked, and those who want to stop, are told once.")
    if state.over is None and len(asides.stop) == len(field.seats):
        yield gettext_noop("Where all seats want to stop, the race is over.")


def _orders(state: State) -> Iterator[str]:
    if state.phase is Phase.MOVE and any(state.orders):
        yield gettext_noop("Nothing is ordered where cyclists move one after the other.")
    if state.phase in (Phase.MOVE, Phase.ORDERS):
        if not all(factors(state, racer) for racer in state.order[state.done :]):
            yield gettext_noop("Who is still to move has a factor to spend.")
        for seat, ordered in enumerate(state.orders):
            if ordered not in (None, UNSEEN_ORDERS) and not all(
                factor in factors(state, racer)
                for racer, factor in zip(racing(state, seat), ordered or (), strict=True)
            ):
                yield gettext_noop("A factor that is ordered is one of the cyclist's own.")


def _each_once(told: Sequence[int]) -> bool:
    return len(set(told)) == len(told)
