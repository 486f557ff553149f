"""The turn of a stage, in the order of the rulebook: read this first.

An agenda holds what is still to be done. `STEPS` says what each thing on it does: it works, and puts what follows from
it on the agenda; or it answers True, and the stage waits for somebody. `ANSWERS` says what each action does then.

    A   first_seat, pick, strength, card, first_token, start
    T1  breakaways -> move each, front first
    T2  attacks -> attack, seat after seat
    T3  pursue
    T4  roll -> price -> put_down -> peloton_lines -> arrives
    T5  dropped -> move each;  punctures -> puncture each;  stand_up
    T6  pass_token -> turn
    D   run_turn -> move each -> run_ends, for every run of a time trial
"""

from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from types import MappingProxyType
from typing import Any, Final

from rules.errors import IllegalAction, gettext_noop
from rules.game import Decision, Seat, Step, Taker
from rules.giro import feeding, finish, peloton, preparing, punctures, riding, risks, time_trial
from rules.giro.actions import (
    Action,
    BreakAway,
    DealtCard,
    DrawnCrackTile,
    DrawnTile,
    Drop,
    End,
    EventDie,
    FirstSeat,
    FirstToken,
    KeepTile,
    LetGo,
    MarkStrengths,
    Move,
    PelotonDie,
    Pick,
    PlayEddie,
    Pursue,
    ReadClock,
    Reveal,
    ShowCard,
    Stay,
    UseJoker,
    UseTile,
)
from rules.giro.events import CardShown, Event, TokenGiven, TurnBegan
from rules.giro.legal import must_be_able_to_fall
from rules.giro.order import on_the_road, seats_from
from rules.giro.state import NOBODY, Clock, Do, State, Todo
from rules.giro.work import Work

Gone = Step[State, Event]

MOVE: Final = Do.MOVE
PURSUE: Final = Do.PURSUE
ROLL: Final = Do.ROLL
PAY: Final = Do.PAY


# ---- the turn --------------------------------------------------------------------------------------------------------
def turn(work: Work, todo: Todo) -> bool:
    """One turn, phase by phase. After the peloton has left, only who is still on the road rides. Rules: GI-M-09, GI-B4-09."""
    work.turn += 1
    work.red = work.pursued = False
    for i, rider in enumerate(work.riders):
        if rider.spare:
            work.change(i, spare=False)
    work.tell(TurnBegan(turn=work.turn))
    work.next(*(_WITHOUT_PELOTON if work.gone else _WHOLE_TURN))
    return False


_WITHOUT_PELOTON: Final = (Todo(Do.DROPPED), Todo(Do.PUNCTURES), Todo(Do.STAND_UP), Todo(Do.PASS_TOKEN))
_WHOLE_TURN: Final = (
    Todo(Do.BREAKAWAYS), Todo(Do.ATTACKS), Todo(Do.PURSUE), Todo(Do.ROLL), *_WITHOUT_PELOTON,
)  # fmt: skip


def breakaways(work: Work, todo: Todo) -> bool:
    """T1: who is ahead of the peloton rides, in an order that stands.

    Rules: GI-M-07, GI-B1-14, GI-B2-06, GI-C2-10, GI-C3-04.
    """
    end = work.course.end
    ahead = [
        i
        for i, rider in enumerate(work.riders)
        if rider.active and not rider.waiting and end[rider.square] > work.front
    ]
    work.next(*[Todo(MOVE, i) for i in on_the_road(work.course, work.riders, ahead)])
    return False


def dropped(work: Work, todo: Todo) -> bool:
    """T5: who is behind the peloton rides, and who waited with a puncture, wherever he is; one order by the road.

    Rules: GI-B5-01, GI-C3-04, GI-C3-10, GI-M-07, GI-M-08; R-32.
    """
    end = work.course.end
    behind = []
    rear = work.rear
    for i, rider in enumerate(work.riders):
        if rider.active and not rider.fresh and (work.gone or rider.waiting or end[rider.square] <= rear):
            behind.append(i)
        if rider.fresh:
            work.change(i, fresh=False)
    work.next(*[Todo(MOVE, i) for i in on_the_road(work.course, work.riders, behind)])
    return False


def move(work: Work, todo: Todo) -> bool:
    """A rider is asked; one who waited inside the peloton's area rejoins instead. Rules: GI-C3-07; R-19."""
    rider = work.riders[todo.rider]
    if rider.waiting and not work.gone and work.rear < work.course.end[rider.square] <= work.front:
        riding.rejoin(work, todo.rider)
        return False
    return True


def stand_up(work: Work, todo: Todo) -> bool:
    """T5c: whoever missed this turn returns, one after the other; beside the peloton he rejoins.

    He is off the road, and over the lines, before the next one stands up. Rules: GI-C2-12, GI-C4-07.
    """
    for number in risks.resting(work)[:1]:
        work.next(todo)
        risks.get_up(work, number)
        if not work.gone and work.rear < work.course.end[work.riders[number].square] <= work.front:
            riding.rejoin(work, number)
    return False


def pass_token(work: Work, todo: Todo) -> bool:
    """T6: the token goes clockwise to the next seat that still races; then the time limit, then the next turn.

    Rules: GI-B6-01, GI-F-05; R-25.
    """
    racing = {rider.entry.seat for rider in work.riders if rider.racing}
    for seat in seats_from((work.token + 1) % len(work.seats), len(work.seats)):
        if seat in racing:
            if seat != work.token:
                work.token = seat
                work.tell(TokenGiven(seat=work.seats[seat]))
            break
    finish.time_limit(work)
    if work.racing():
        work.next(Todo(Do.TURN))
    return False


def waits(work: Work, todo: Todo) -> bool:
    """A step that always needs an answer."""
    return True


STEPS: Final[Mapping[Do, Callable[[Work, Todo], bool]]] = MappingProxyType(
    {
        Do.FIRST_SEAT: preparing.first_seat,
        Do.PICK: waits,
        Do.PREPARE: preparing.prepare,
        Do.STRENGTH: waits,
        Do.CARD: preparing.card,
        Do.FIRST_TOKEN: preparing.first_token,
        Do.START: preparing.start,
        Do.TURN: turn,
        Do.BREAKAWAYS: breakaways,
        Do.MOVE: move,
        Do.ATTACKS: peloton.attacks,
        Do.ATTACK: peloton.attack,
        Do.PURSUE: waits,
        Do.ROLL: waits,
        Do.PRICE: peloton.price,
        Do.PAY: waits,
        Do.PUT_DOWN: peloton.put_down,
        Do.PELOTON_LINES: peloton.peloton_lines,
        Do.ARRIVES: peloton.arrives,
        Do.DROPPED: dropped,
        Do.PUNCTURES: punctures.punctures,
        Do.PUNCTURE: waits,
        Do.JOKER: waits,
        Do.STAND_UP: stand_up,
        Do.PASS_TOKEN: pass_token,
        Do.CRACK: waits,
        Do.FALL: waits,
        Do.CRACK_TILE: waits,
        Do.RECOVER: riding.recover,
        Do.BONUS: riding.bonus,
        Do.FEED: feeding.feed,
        Do.DRAW: feeding.draw,
        Do.TILE: waits,
        Do.EDDIE: feeding.draw,
        Do.SHOW_TILE: waits,
        Do.SHOW_CARD: waits,
        Do.SETTLE: riding.settle,
        Do.RUN_TURN: time_trial.run_turn,
        Do.RUN_ENDS: time_trial.run_ends,
    }
)


def advance(work: Work) -> None:
    """Do what is on the agenda until somebody has to say something, or nothing is left."""
    while work.agenda:
        todo = work.agenda.pop()
        if STEPS[todo.do](work, todo):
            work.agenda.append(todo)
            return
    if work.trial:
        work.close_run()
        if all(not run.agenda for run in work.runs) and (
            work.clock is not None or work.options.clock is Clock.DERIVED or len(work.runs) == 1
        ):
            finish.over(work)
    else:
        finish.over(work)


# ---- what is open ----------------------------------------------------------------------------------------------------
KINDS: Final[Mapping[Do, tuple[str, Taker, str | None]]] = MappingProxyType(
    {
        Do.FIRST_SEAT: ("first_seat", Taker.CHANCE, None),
        Do.PICK: ("pick", Taker.SEAT, None),
        Do.STRENGTH: ("strength", Taker.SEAT, None),
        Do.CARD: ("card", Taker.CHANCE, None),
        Do.FIRST_TOKEN: ("first_token", Taker.CHANCE, None),
        Do.MOVE: ("move", Taker.SEAT, None),
        Do.ATTACK: ("attack", Taker.SEAT, None),
        Do.PURSUE: ("pursue", Taker.SEAT, None),
        Do.ROLL: ("peloton_die", Taker.CHANCE, None),
        Do.PAY: ("pay", Taker.SEAT, None),
        Do.PUNCTURE: ("event_die", Taker.CHANCE, "puncture"),
        Do.JOKER: ("joker", Taker.SEAT, None),
        Do.CRACK: ("event_die", Taker.CHANCE, "crack"),
        Do.FALL: ("event_die", Taker.CHANCE, "fall"),
        Do.CRACK_TILE: ("crack_tile", Taker.CHANCE, None),
        Do.DRAW: ("tile", Taker.CHANCE, "feed"),
        Do.EDDIE: ("tile", Taker.CHANCE, "eddie"),
        Do.SHOW_TILE: ("tile", Taker.CHANCE, "revealed"),
        Do.SHOW_CARD: ("card", Taker.CHANCE, "shown"),
        Do.TILE: ("tile", Taker.SEAT, None),
    }
)
"""The word of a decision, who takes it, and why: spec 4.0."""

OF_CHANCE: Final = frozenset(do for do, (_, taker, _) in KINDS.items() if taker is Taker.CHANCE)

CLOCK: Final = Decision(kind="clock", taker=Taker.ORGANISER)


def decisions(state: State) -> tuple[Decision, ...]:
    """All that is open: one in a road stage, one for each unfinished run of a time trial, then the stopwatch."""
    runs = state.runs
    if len(runs) == 1 and runs[0].agenda:
        return (decision_of(state, runs[0].agenda[-1]),)
    if state.over:
        return ()
    if waits_for_the_clock(state):
        return (CLOCK,)
    return tuple(decision_of(state, run.agenda[-1]) for run in runs if run.agenda)


def waits_for_the_clock(state: State) -> bool:
    return not state.over and all(not run.agenda for run in state.runs)


def decision_of(state: State, todo: Todo) -> Decision:
    do, number, seat = todo.do, todo.rider, todo.seat
    about = None
    if number != NOBODY:
        entry = state.riders[number].entry
        seat, about = entry.seat, entry.id
    elif do is PURSUE or do is ROLL:
        seat = state.token
    return _decision(do, None if seat == NOBODY else state.seats[seat], about)


@lru_cache(maxsize=4096)
def _decision(do: Do, seat: Seat | None, about: str | None) -> Decision:
    kind, taker, why = KINDS[do]
    return Decision(kind=kind, taker=taker, seat=seat, about=about, why=why)


def run_of(state: State, about: str | None) -> int:
    """The number of the run whose open decision is about that rider; with None, of the only run that waits."""
    open_runs = [i for i, run in enumerate(state.runs) if run.agenda]
    if len(state.runs) > 1 and about is not None:
        open_runs = [
            i
            for i in open_runs
            if (rider := state.runs[i].agenda[-1].rider) != NOBODY and state.riders[rider].id == about
        ]
    if len(open_runs) != 1:
        raise IllegalAction(
            "GI-M-07",
            gettext_noop("%(rider)s is not to decide now."),
            rider=about or gettext_noop("More than one rider can ride: say who. Nobody named"),
        )
    return open_runs[0]


def todo_of(state: State, decision: Decision) -> Todo:
    """The step that a decision of this state stands for; ValueError if it is not open."""
    for run in state.runs:
        if run.agenda:
            own = decision_of(state, run.agenda[-1])
            if own is decision or own == decision:
                return run.agenda[-1]
    raise ValueError("this decision is not open")


# ---- what an answer does ---------------------------------------------------------------------------------------------
def _show_card(work: Work, number: int, action: ShowCard) -> None:
    if not work.riders[number].unseen_card:
        raise IllegalAction("GI-M-10", gettext_noop("%(rider)s holds no card face down."), rider=work.name(number))
    work.next(Todo(Do.SHOW_CARD, rider=number))


def _shown(work: Work, todo: Todo, action: DealtCard) -> None:
    assert action.card is not None, "a card that is shown is seen"
    work.undealt = tuple(card for card in work.undealt if card is not action.card)
    work.change(todo.rider, card=action.card, unseen_card=False, shown=True)
    work.tell(CardShown(rider=work.name(todo.rider), card=action.card))


def _aside(work: Work, state: State, todo: Todo, action: Any) -> None:
    """Reveal, Eddie, a card turned up: the rider says it first, and is then asked again. Rules: GI-C4-03, GI-B4-05, GI-M-10."""
    number = todo.rider if todo.rider != NOBODY else _own(work, todo, action)
    # a rider who is short of the peloton's price tries to pay again, anybody else is asked what he was asked
    work.next(Todo(Do.PRICE, rider=number, amount=todo.amount) if todo.do is PAY else todo)
    if isinstance(action, Reveal):
        feeding.reveal(work, number, action)
    elif isinstance(action, PlayEddie):
        feeding.play_eddie(work, number, action)
    else:
        _show_card(work, number, action)


def _own(work: Work, todo: Todo, action: Any) -> int:
    """The rider inside whom an action of T2 is about."""
    for i, rider in enumerate(work.riders):
        if rider.entry.id == action.rider and peloton.can_be_sent(rider, todo.seat):
            return i
    raise IllegalAction(
        "GI-C4-03",
        gettext_noop("Say which rider inside the peloton it is; %(rider)s is not one of %(seat)s."),
        rider=action.rider or "-", seat=work.seats[todo.seat],
    )  # fmt: skip


def _move(work: Work, state: State, todo: Todo, action: Move) -> None:
    riding.ride(work, state, todo.rider, action)


def _stay(work: Work, state: State, todo: Todo, action: Stay) -> None:
    riding.stay(work, state, todo.rider, action)


def _without_state(
    answer: Callable[[Work, Todo, Any], None], work: Work, state: State, todo: Todo, action: Any
) -> None:
    answer(work, todo, action)


Answer = Callable[[Work, State, Todo, Any], None]

ANSWERS: Final[Mapping[tuple[Do, type[Action]], Answer]] = MappingProxyType(
    {
        (Do.FIRST_SEAT, FirstSeat): partial(_without_state, preparing.first_seat_named),
        (Do.PICK, Pick): preparing.picked,
        (Do.STRENGTH, MarkStrengths): preparing.marked,
        (Do.CARD, DealtCard): partial(_without_state, preparing.dealt),
        (Do.FIRST_TOKEN, FirstToken): partial(_without_state, preparing.first_token_named),
        (Do.MOVE, Move): _move,
        (Do.MOVE, Stay): _stay,
        (Do.MOVE, Reveal): _aside,
        (Do.MOVE, PlayEddie): _aside,
        (Do.MOVE, ShowCard): _aside,
        (Do.ATTACK, BreakAway): peloton.break_away,
        (Do.ATTACK, Drop): peloton.declare_drop,
        (Do.ATTACK, End): peloton.end_attack,
        (Do.ATTACK, Reveal): _aside,
        (Do.ATTACK, PlayEddie): _aside,
        (Do.ATTACK, ShowCard): _aside,
        (Do.PURSUE, Pursue): peloton.pursue,
        (Do.ROLL, PelotonDie): peloton.rolled,
        (Do.PAY, LetGo): peloton.let_go,
        (Do.PAY, Reveal): _aside,
        (Do.PAY, PlayEddie): _aside,
        (Do.PAY, ShowCard): _aside,
        (Do.PUNCTURE, EventDie): partial(_without_state, punctures.puncture_rolled),
        (Do.JOKER, UseJoker): punctures.use_joker,
        (Do.JOKER, ShowCard): _aside,
        (Do.CRACK, EventDie): partial(_without_state, risks.risk_rolled),
        (Do.FALL, EventDie): partial(_without_state, risks.risk_rolled),
        (Do.CRACK_TILE, DrawnCrackTile): partial(_without_state, time_trial.crack_tile),
        (Do.DRAW, DrawnTile): partial(_without_state, feeding.drawn),
        (Do.EDDIE, DrawnTile): partial(_without_state, feeding.drawn),
        (Do.SHOW_TILE, DrawnTile): partial(_without_state, feeding.drawn),
        (Do.SHOW_CARD, DealtCard): partial(_without_state, _shown),
        (Do.TILE, UseTile): partial(_without_state, feeding.use_tile),
        (Do.TILE, KeepTile): partial(_without_state, feeding.keep_tile),
    }
)


def apply(state: State, action: Action) -> Gone:
    """Answer an open decision: the state after it, and what happened. IllegalAction names the rule that forbids it.

    Rules: GI-M-01, GI-M-07, GI-M-09.
    """
    if state.over:
        raise IllegalAction("GI-F-04", gettext_noop("The stage is over."))
    if isinstance(action, ReadClock) or (state.options.course.trial and waits_for_the_clock(state)):
        return _clock(state, action)
    about = getattr(action, "rider", None)
    run = run_of(state, about) if len(state.runs) > 1 else 0
    work = Work(state, run)
    todo = work.agenda.pop()
    answer = ANSWERS.get((todo.do, type(action)))
    if answer is None:
        raise _not_asked(state, todo, action)
    if about is not None and todo.rider != NOBODY and about != work.name(todo.rider):
        raise IllegalAction(
            "GI-M-07", gettext_noop("It is %(turn)s's turn, not %(rider)s's."), turn=work.name(todo.rider), rider=about
        )
    if todo.do in OF_CHANCE:
        must_be_able_to_fall(state, todo, action)
    answer(work, state, todo, action)
    advance(work)
    return Step(work.state(), tuple(work.events))


def _not_asked(state: State, todo: Todo, action: Action) -> IllegalAction:
    decision = decision_of(state, todo)
    return IllegalAction(
        "GI-M-09",
        gettext_noop('"%(action)s" is no answer now: %(kind)s is to be decided by %(taker)s.'),
        action=action.kind, kind=decision.kind,
        taker=decision.about or decision.seat or decision.taker.value,
    )  # fmt: skip


def _clock(state: State, action: Action) -> Gone:
    """The stopwatch is read when every run is in. Rules: GI-D3-12."""
    if not isinstance(action, ReadClock) or not waits_for_the_clock(state):
        raise IllegalAction(
            "GI-D3-12", gettext_noop("The order on the stopwatch is told when every run is in, not before.")
        )
    work = Work(state)
    time_trial.read_clock(work, action)
    advance(work)
    return Step(work.state(), tuple(work.events))


def begin(work: Work) -> State:
    """The first state of a stage that was set up."""
    advance(work)
    return work.state()
