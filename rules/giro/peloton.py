"""Breaking away, the pursuit and the peloton's move (chapters B.2, B.3, B.4), and being dropped by it (B.5)."""

from typing import Final

from rules.errors import IllegalAction, gettext_noop
from rules.giro import data
from rules.giro.actions import BreakAway, Drop, End, LetGo, PelotonDie, Pursue
from rules.giro.cards import Card
from rules.giro.course import LineKind
from rules.giro.events import (
    Caught,
    Dropped,
    LetGone,
    PaidPeloton,
    PelotonFinished,
    PelotonMoved,
    PursuitCalled,
    WillDrop,
)
from rules.giro.feeding import COLOUR_INDEX, tiles_left
from rules.giro.finish import finish
from rules.giro.notation import TICKS
from rules.giro.order import in_the_peloton, seats_from
from rules.giro.riding import ride
from rules.giro.slipstream import cut
from rules.giro.state import INSIDE, NOBODY, NOWHERE, ROAD, Do, Rider, State, Todo
from rules.giro.work import Work

PRICE: Final = Do.PRICE
PUT_DOWN: Final = Todo(Do.PUT_DOWN)


# ---- T2 breaking away ------------------------------------------------------------------------------------------------
def attacks(work: Work, todo: Todo) -> bool:
    """Seats are asked clockwise from the token holder. Rules: GI-B2-01."""
    work.next(*(Todo(Do.ATTACK, seat=seat) for seat in seats_from(work.token, len(work.seats))))
    return False


def attack(work: Work, todo: Todo) -> bool:
    """A seat is asked while it has somebody to send. Rules: GI-B2-01."""
    return any(can_be_sent(rider, todo.seat) for rider in work.riders)


def can_be_sent(rider: Rider, seat: int) -> bool:
    """Inside, of this seat, and not declared to drop; however he came in. Rules: GI-B2-01, GI-B2-07, GI-B5-04."""
    return rider.where is INSIDE and rider.entry.seat == seat and not rider.dropping


def break_away(work: Work, state: State, todo: Todo, action: BreakAway) -> None:
    """A rider leaves the peloton, and his seat is asked again. Rules: GI-B2-01, GI-B2-02, GI-B2-04."""
    number = _sendable(work, todo, action.rider)
    work.next(todo)
    ride(work, state, number, action)


def declare_drop(work: Work, state: State, todo: Todo, action: Drop) -> None:
    """A rider will be put down after the peloton's move. Rules: GI-B2-07; R-18."""
    number = _sendable(work, todo, action.rider)
    work.change(number, dropping=True)
    work.tell(WillDrop(rider=action.rider))
    work.next(todo)


def _sendable(work: Work, todo: Todo, name: str) -> int:
    number = next((i for i, rider in enumerate(work.riders) if rider.entry.id == name), NOBODY)
    if number == NOBODY or not can_be_sent(work.riders[number], todo.seat):
        raise IllegalAction(
            "GI-B2-01",
            gettext_noop("%(rider)s is not one of the riders that %(seat)s can send: inside the peloton, and not dropping."),
            rider=name, seat=work.seats[todo.seat],
        )  # fmt: skip
    return number


def end_attack(work: Work, state: State, todo: Todo, action: End) -> None:
    """The seat sends nobody more this turn. Rules: GI-B2-01."""


# ---- T3 pursuit, T4 peloton ------------------------------------------------------------------------------------------
def pursue(work: Work, state: State, todo: Todo, action: Pursue) -> None:
    """The token holder adds one to the roll, or not. Rules: GI-B3-01."""
    work.pursued = action.yes
    work.tell(PursuitCalled(seat=work.seats[work.token], yes=action.yes))


def rolled(work: Work, state: State, todo: Todo, action: PelotonDie) -> None:
    """The peloton moves, takes back whom it reaches, and asks its price.

    Nobody inside takes a risk by it. Rules: GI-B4-01, GI-B4-02, GI-B4-03, GI-B4-04, GI-B4-05, GI-B4-06, GI-B4-07,
    GI-B4-10, GI-C2-14.
    """
    empty = all(rider.where is not INSIDE for rider in work.riders)
    squares = action.value + work.pursued + empty
    before, after = work.front, work.front + TICKS * squares
    work.red = action.red
    work.front = after
    work.tell(
        PelotonMoved(
            rolled=action.value,
            red=action.red,
            pursued=work.pursued,
            empty=empty,
            squares=squares,
            column=after // TICKS,
        )  # fmt: skip
    )
    end = work.course.end
    for i, rider in enumerate(work.riders):
        if rider.active and not rider.waiting and before < end[rider.square] <= after:
            cut(work, i)
            work.change(i, where=INSIDE, square=NOWHERE)
            work.tell(Caught(rider=rider.entry.id))
    price = data.PELOTON_PRICE[squares]
    order = in_the_peloton(work.riders, work.token, len(work.seats))
    todos = [Todo(PRICE, i, amount=price) for i in order] if price else []
    work.next(
        *todos,
        PUT_DOWN,
        Todo(Do.PELOTON_LINES, amount=before, extra=after),
        Todo(Do.ARRIVES, extra=after),
    )


def price(work: Work, todo: Todo) -> bool:
    """Whoever can pay, must; who is short may first find energy, or is dropped. Rules: GI-B4-04, GI-B4-05; R-20."""
    rider = work.riders[todo.rider]
    if rider.energy >= todo.amount:
        rider = work.change(todo.rider, energy=rider.energy - todo.amount)
        work.tell(PaidPeloton(rider=rider.entry.id, change=-todo.amount, energy=rider.energy))
    elif could_find_energy(work, rider):
        work.next(Todo(Do.PAY, rider=todo.rider, amount=todo.amount))
    else:
        let_gone(work, todo)
    return False


def could_find_energy(work: Work, rider: Rider) -> bool:
    """He keeps a tile or holds Eddie; with hidden cards, any card, so that the question does not tell. Spec 4.2."""
    if rider.tiles or rider.unseen_card or (work.blind and rider.card is not None):
        return True
    return rider.card is Card.EDDIE and tiles_left(work, COLOUR_INDEX[rider.entry.speciality]) > 0


def let_gone(work: Work, todo: Todo) -> None:
    work.change(todo.rider, dropping=True)
    work.tell(LetGone(rider=work.name(todo.rider), price=todo.amount))


def let_go(work: Work, state: State, todo: Todo, action: LetGo) -> None:
    """He does not pay, and will be put down. Rules: GI-B4-05."""
    let_gone(work, todo)


def put_down(work: Work, todo: Todo) -> bool:
    """Whoever drops is put behind the peloton, in peloton order. Rules: GI-B2-07, GI-B4-09, GI-B5-01, GI-B5-02, GI-B5-05."""
    arrival = TICKS * work.course.columns
    if work.front > arrival:  # it stops on the first column beyond the line
        work.front = arrival + TICKS
    for i in in_the_peloton(work.riders, work.token, len(work.seats)):
        if work.riders[i].dropping:
            place_behind(work, i, fresh=True)
    return False


def place_behind(work: Work, number: int, *, fresh: bool = False, waiting: bool = False) -> None:
    """Put a rider on the first empty square directly behind the peloton, or further back. Rules: GI-B5-02; R-24."""
    course = work.course
    taken = work.taken()
    rear = work.rear
    dotted = course.dotted_at(rear // TICKS)
    lanes = [dotted, *(lane for lane in range(len(course.lane_squares)) if lane != dotted)]
    squares = course.last_up_to(rear)
    places = [course.lane_squares[lane].index(squares[lane]) for lane in range(len(squares))]
    back = 0
    while True:
        for lane in lanes:
            square = course.lane_squares[lane][places[lane] - back]
            if places[lane] >= back and not taken >> square & 1:
                work.change(
                    number, where=ROAD, square=square, arrival=work.arrival(), dropping=False, fresh=fresh,
                    waiting=waiting, link=NOBODY, slip=False,
                )  # fmt: skip
                work.tell(Dropped(rider=work.name(number), to=course.names[square]))
                return
        back += 1
        assert back < len(course.end), "there is room behind the peloton"


def peloton_lines(work: Work, todo: Todo) -> bool:
    """The peloton crosses its lines: first who is inside, then who was just put down beyond. Rules: GI-B4-08, GI-C4-02, GI-D2-01."""
    inside = in_the_peloton(work.riders, work.token, len(work.seats))
    dropped = sorted((i for i, rider in enumerate(work.riders) if rider.fresh), key=lambda i: work.riders[i].arrival)
    todos: list[Todo] = []
    for line in work.course.lines:
        if not todo.amount <= line.tick < todo.extra:
            continue
        over = [*inside, *(i for i in dropped if work.course.start[work.riders[i].square] >= line.tick)]
        if line.kind is LineKind.FEED:
            todos.extend(Todo(Do.FEED, rider=i, line=line.number) for i in over)
        elif line.kind is LineKind.BONUS and work.options.giro:
            todos.extend(Todo(Do.BONUS, rider=i, line=line.number) for i in over)
    work.next(*todos)
    return False


def arrives(work: Work, todo: Todo) -> bool:
    """A peloton that moved beyond the arrival line finishes with all its riders, and leaves. Rules: GI-B4-09; R-23."""
    if todo.extra <= TICKS * work.course.columns:
        return False
    work.gone = True
    work.peloton_turn = work.turn
    work.tell(PelotonFinished(turn=work.turn))
    for i in in_the_peloton(work.riders, work.token, len(work.seats)):
        finish(work, i)
    return False
