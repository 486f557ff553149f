"""The race, step by step in the order of the rulebook: read this first.

    RATE (Madison) -> ALLOCATE -> FIRST_SEAT -> PLACE (Madison)
    -> MOVE or ORDERS for everybody in order -> replacement -> CHANGE (Madison) -> BOUNDARY -> the next turn ...

`apply` lets an answer do its part, then `advance` goes on by itself until somebody has to say something.
"""

from typing import NoReturn, assert_never

from rules.breaking_away import allocation, asides, madison, movement
from rules.breaking_away.actions import (
    Action,
    Allocate,
    AskRetire,
    Change,
    FirstSeat,
    Move,
    OnPaper,
    Orders,
    Place,
    Rate,
    Reveal,
    Stay,
    StopRace,
    TimeOut,
    VoteRetire,
)
from rules.breaking_away.data import ALLOTMENTS, MADISON_LAP
from rules.breaking_away.events import (
    Allocated,
    Event,
    FirstDrawn,
    Left,
    Ordered,
    Placed,
    RaceOver,
    Rated,
    Reason,
    Retired,
    Revealed,
    TurnBegan,
)
from rules.breaking_away.options import AfterFinish, TurnMode
from rules.breaking_away.replacement import replace_factors
from rules.breaking_away.state import (
    NOBODY,
    UNRATED,
    UNSEEN_ORDERS,
    Phase,
    Racer,
    State,
    Where,
    put,
)
from rules.errors import IllegalAction, gettext_noop
from rules.game import Decision, Step, Taker

FIRST_SEAT = (Decision(kind="first_seat", taker=Taker.CHANCE),)
MOVING = Phase.MOVE  # looked up at every move: an attribute of an enumeration takes four times as long
Gone = Step[State, Event]


# ---- what is to be decided -------------------------------------------------------------------------------------------
def decisions(state: State) -> tuple[Decision, ...]:
    """All that is open now: the turn first, then what is beside it (spec 4)."""
    field, phase = state.field, state.phase
    if phase is MOVING:
        racer = state.order[state.done]
        relief = state.racers[racer].relief
        side = 0 if relief is None else relief.side
        opened = field.opened.get(state.asides)
        return (opened and opened[racer][side]) or asides.opened_with_move(field, state.asides, racer, side)
    match phase:
        case Phase.FINISHED:
            return ()
        case Phase.FIRST_SEAT:
            return FIRST_SEAT
        case Phase.RATE | Phase.ALLOCATE:
            waiting = [team for team, is_in in enumerate(is_in_hand(state)) if not is_in]
            return tuple(
                Decision(
                    kind=phase.value,
                    taker=Taker.SEAT,
                    seat=field.seats[field.teams[team].seat],
                    about=field.teams[team].id,
                    secret=True,
                )
                for team in waiting
            )
        case Phase.ORDERS:
            open_now = tuple(
                Decision(kind="orders", taker=Taker.SEAT, seat=field.seats[seat], secret=True)
                for seat in range(len(field.seats))
                if state.orders[seat] is None and racing(state, seat)
            )
            return open_now + asides.opened(state)
        case Phase.PLACE | Phase.CHANGE:
            racer = state.order[state.done]
            asked = Decision(
                kind=phase.value, taker=Taker.SEAT, seat=field.seats[field.seat_of[racer]], about=field.names[racer]
            )
            return (asked, *asides.opened(state))
        case _:
            return asides.opened(state)


def is_in_hand(state: State) -> tuple[bool, ...]:
    """Of each team whether its answer to the phase before the start is in."""
    if state.phase is Phase.RATE:
        return tuple(pair is not None for pair in state.ratings)
    return state.given


def racing(state: State, seat: int) -> list[int]:
    """The racers of a seat that are on the course."""
    return [racer for racer in state.field.of_seat[seat] if state.racers[racer].where is Where.RACING]


# ---- answers ---------------------------------------------------------------------------------------------------------
def apply(state: State, action: Action) -> Gone:
    """Answer a decision. IllegalAction names the rule that forbids it."""
    if type(action) is Move and state.phase is MOVING:  # nearly all of a race
        return _move(state, action)
    events: list[Event] = []
    _sent_by_its_own(state, action)
    if state.over is not None:
        raise IllegalAction("BA-END-01", gettext_noop("The race is over."))
    match action:
        case Move():
            _refuse_move(state, action)
        case Orders():
            state = _order(state, action, events)
        case Rate():
            state = _rate(state, action, events)
        case Allocate() | OnPaper():
            state = _allocate(state, action, events)
        case FirstSeat():
            state = _first_seat(state, action, events)
        case Place():
            state = _place(state, action, events)
        case Change() | Stay():
            state = _change(state, action, events)
        case AskRetire():
            state = asides.ask_retire(state, _racer(state, action.cyclist), events)
        case VoteRetire():
            state = asides.vote_retire(
                state, _seat(state, action.seat), _racer(state, action.cyclist), action.yes, events
            )
        case Reveal():
            state = asides.reveal(state, *_cyclist(state, action.cyclist), events)
        case TimeOut():
            _cyclist(state, action.cyclist)
            state = asides.time_out(state, action.cyclist, events)
        case StopRace():
            state = asides.stop_race(state, _seat(state, action.seat), action.yes, events)
        case _:
            assert_never(action)
    state = advance(state, events)
    return Step(state, tuple(events))


def _seat(state: State, name: str) -> int:
    found = state.field.seat_named(name)
    if found is None:
        raise IllegalAction("BA-SET-01", gettext_noop('There is no player "%(seat)s" here.'), seat=name[:40])
    return found


def _team(state: State, name: str) -> int:
    found = state.field.team_named(name)
    if found is None:
        raise IllegalAction("BA-SET-01", gettext_noop('There is no team "%(team)s" here.'), team=name[:40])
    return found


def _racer(state: State, name: str) -> int:
    """Rules: BA-SET-01, BA-MAD-25."""
    if name in state.field.names:
        return state.field.names.index(name)
    if name in state.field.places:
        raise IllegalAction("BA-MAD-25", gettext_noop("In a Madison a team retires whole, not one of its two."))
    raise IllegalAction("BA-SET-01", gettext_noop('Nobody here is called "%(cyclist)s".'), cyclist=name[:40])


def _cyclist(state: State, name: str) -> tuple[int, int]:
    found = state.field.places.get(name)
    if found is None:
        raise IllegalAction("BA-SET-01", gettext_noop('Nobody here is called "%(cyclist)s".'), cyclist=name[:40])
    return found


def _sent_by_its_own(state: State, action: Action) -> None:
    """Who says something about another's team hears no more about it than that. Rules: BA-SET-01, BA-INFO-08."""
    if isinstance(action, FirstSeat) or action.seat is None:
        return
    seat = _seat(state, action.seat)
    match action:
        case Rate() | Allocate() | OnPaper() | Place() | Change() | Stay():
            if state.field.teams[_team(state, action.team)].seat != seat:
                raise IllegalAction(
                    "BA-SET-01",
                    gettext_noop("%(seat)s does not control %(team)s."),
                    seat=action.seat,
                    team=action.team,
                )
        case Move() | Reveal():
            if state.field.seat_of[_cyclist(state, action.cyclist)[0]] != seat:
                raise IllegalAction(
                    "BA-SET-01" if isinstance(action, Move) else "BA-INFO-03",
                    gettext_noop("%(seat)s does not control %(cyclist)s."),
                    seat=action.seat,
                    cyclist=action.cyclist,
                )
        case AskRetire():
            if state.field.seat_of[_racer(state, action.cyclist)] != seat:
                raise IllegalAction(
                    "BA-RET-02",
                    gettext_noop("%(seat)s does not control %(cyclist)s."),
                    seat=action.seat,
                    cyclist=action.cyclist,
                )
        case _:
            pass


# ---- before the start ------------------------------------------------------------------------------------------------
def ratings_of(state: State, team: int) -> dict[int, int]:
    """What the numbers of a team may begin with: of each number its rating, which is the number itself but in a Madison."""
    numbers = state.field.teams[team].numbers
    if not state.field.madison:
        return {number: number for number in numbers}
    pair = state.ratings[team] or UNRATED
    return dict(zip(numbers, pair, strict=True))


def _rate(state: State, action: Rate, events: list[Event]) -> State:
    """Two different ratings; with the last, all are public. Rules: BA-MAD-02; AMB-M1."""
    team = _team(state, action.team)
    if state.phase is not Phase.RATE:
        raise IllegalAction("BA-MAD-02", gettext_noop("Ratings are not chosen now."))
    if state.ratings[team] is not None:
        raise IllegalAction("BA-MAD-02", gettext_noop("%(team)s has its ratings already."), team=action.team)
    r1, r2 = action.r1, action.r2
    if r1 is None or r2 is None or r1 not in ALLOTMENTS or r2 not in ALLOTMENTS or r1 == r2:
        raise IllegalAction(
            "BA-MAD-02", gettext_noop("The two of %(team)s have two different ratings from 1 to 4."), team=action.team
        )
    ratings = put(state.ratings, team, (r1, r2))
    state = state._replace(ratings=ratings)
    if None in ratings or UNRATED in ratings:
        return state
    for rated, pair in zip(state.field.teams, ratings, strict=True):
        assert pair is not None
        events.append(Rated(team=rated.id, r1=pair[0], r2=pair[1]))
    return state._replace(phase=Phase.ALLOCATE)


def _allocate(state: State, action: Allocate | OnPaper, events: list[Event]) -> State:
    """The first hands of a team, once; or that they are on paper. Rules: BA-SET-03, BA-MAD-03, BA-REF-01; AMB-25."""
    field = state.field
    team = _team(state, action.team)
    if state.phase is not Phase.ALLOCATE:
        raise IllegalAction("BA-SET-03", gettext_noop("Hands are not allocated now."))
    if state.given[team]:
        raise IllegalAction("BA-SET-03", gettext_noop("%(team)s has its hands already."), team=action.team)
    if field.options.closed if isinstance(action, Allocate) else not field.options.on_paper:
        raise IllegalAction(
            "BA-REF-01",
            gettext_noop("In this race the hands are on paper.")
            if field.options.closed
            else gettext_noop("In this race the hands are told to the engine."),
        )
    racers = list(state.racers)
    if isinstance(action, Allocate):
        hands = allocation.checked_team(
            action.team, action.hands, ratings_of(state, team), field.options.allocation_exact
        )
        own = field.racers_of_team[team]
        if field.madison:
            him = racers[own[0]]
            assert him.relief is not None
            racers[own[0]] = him._replace(hand=hands[0], relief=him.relief._replace(hand=hands[1]))
        else:
            for racer, hand in zip(own, hands, strict=True):
                racers[racer] = racers[racer]._replace(hand=hand)
    events.append(Allocated(seat=field.seats[field.teams[team].seat], team=action.team))
    given = put(state.given, team, True)
    if not all(given):
        return state._replace(racers=tuple(racers), given=given)
    if field.options.open_hands:
        racers = [_opened(racer) for racer in racers]
        events += _hands_shown(state._replace(racers=tuple(racers)))
    return state._replace(racers=tuple(racers), given=given, phase=Phase.FIRST_SEAT)


def _opened(racer: Racer) -> Racer:
    relief = racer.relief
    return racer._replace(open=True, relief=relief and relief._replace(open=True))


def _hands_shown(state: State) -> list[Event]:
    """Every hand, where all hands are open. Rules: BA-INFO-06, BA-OPT-04."""
    shown: list[Event] = []
    for racer, names in zip(state.racers, state.field.cyclists, strict=True):
        for side, name in enumerate(names):
            relief = racer.relief
            hand = relief.hand if relief and relief.side != side else racer.hand
            shown.append(Revealed(cyclist=name, hand=hand or ()))
    return shown


def _first_seat(state: State, action: FirstSeat, events: list[Event]) -> State:
    """Who begins: everybody is in the hat once. Rules: BA-TURN-01; AMB-25."""
    first = _seat(state, action.seat)
    if state.phase is not Phase.FIRST_SEAT:
        raise IllegalAction("BA-TURN-01", gettext_noop("Who begins is not drawn now."))
    events.append(FirstDrawn(seat=action.seat))
    state = state._replace(first=first)
    if state.field.madison:
        return state._replace(phase=Phase.PLACE, order=madison.first_order(state), done=0)
    return _begin_turn(state, first_order(state), events)


def first_order(state: State) -> tuple[int, ...]:
    """Seats clockwise from the first, with all number 1s, then all number 2s ... Rules: BA-TURN-01; AMB-15."""
    field = state.field
    count = len(field.seats)
    return tuple(
        sorted(
            range(len(state.racers)),
            key=lambda racer: (field.number[racer], (field.seat_of[racer] - state.first) % count),
        )
    )


def _place(state: State, action: Place, events: list[Event]) -> State:
    """Line up a team: one rides, the other rests beside a free square. Rules: BA-MAD-04, BA-MAD-05, BA-MAD-06."""
    racer = state.field.racers_of_team[_team(state, action.team)][0]
    if state.phase is not Phase.PLACE:
        raise IllegalAction("BA-MAD-06", gettext_noop("Teams are not lined up now."))
    if state.order[state.done] != racer:
        raise IllegalAction("BA-MAD-06", gettext_noop("%(team)s is not lined up now."), team=action.team)
    if action.active not in (1, 2):
        raise IllegalAction("BA-MAD-04", gettext_noop("Cyclist 1 or cyclist 2 rides first."))
    if action.square not in madison.free_squares(state):
        raise IllegalAction(
            "BA-MAD-05",
            gettext_noop("Nobody can rest beside square %(square)s: there are the free ones from 0 to %(last)s."),
            square=action.square,
            last=MADISON_LAP - 1,
        )
    him = state.racers[racer]
    if him.side != action.active - 1:
        him = madison.swapped(him)
    assert him.relief is not None
    him = him._replace(relief=him.relief._replace(square=action.square))
    events.append(Placed(team=action.team, active=action.active, square=action.square))
    state = state._replace(racers=put(state.racers, racer, him), done=state.done + 1)
    return _begin_turn(state, state.order, events) if state.done == len(state.order) else state


# ---- the turn --------------------------------------------------------------------------------------------------------
def _begin_turn(state: State, order: tuple[int, ...], events: list[Event]) -> State:
    """The next turn: everybody in `order` moves once. Rules: BA-TURN-06, BA-OPT-05."""
    events.append(TurnBegan(turn=state.turn + 1))
    orders = state.field.options.turn_mode is TurnMode.ORDERS
    beside = state.asides
    if beside.requests or beside.asked:
        beside = beside._replace(requests=(), asked=())
    return state._replace(
        phase=Phase.ORDERS if orders else Phase.MOVE,
        turn=state.turn + 1,
        order=order,
        done=0,
        orders=(None,) * len(state.field.seats) if orders else (),
        asides=beside,
    )


def _move(state: State, action: Move) -> Gone:
    """Whoever is to move spends a factor. Rules: BA-TURN-02, BA-MOVE-01."""
    field = state.field
    racer = state.order[state.done]
    him = state.racers[racer]
    relief = him.relief
    due = field.cyclists[racer][0 if relief is None else relief.side]
    if action.seat is not None:
        _sent_by_its_own(state, action)
    if action.cyclist != due:
        _cyclist(state, action.cyclist)
        raise IllegalAction(
            "BA-TURN-02",
            gettext_noop("%(cyclist)s does not move now: %(due)s does."),
            cyclist=action.cyclist,
            due=due,
        )
    if relief is not None or him.hand is None or action.factor not in him.hand:
        movement.refuse_factor(state, racer, due, action.factor)
    events: list[Event] = []
    state = movement.ride(state, action.factor, events)
    if state.done == len(state.order) or state.over is not None or field.auto_single:
        state = advance(state, events)
    step: Gone = tuple.__new__(Step, (state, tuple(events)))  # a named tuple, in a third of the time
    return step


def _refuse_move(state: State, action: Move) -> NoReturn:
    """A move where nobody is asked for one. Rules: BA-TURN-05, BA-OPT-05."""
    _must_be_riding(state)
    _cyclist(state, action.cyclist)
    raise IllegalAction(
        "BA-OPT-05", gettext_noop("In this race everybody hands in the factors of all his cyclists at once.")
    )


def _must_be_riding(state: State) -> None:
    if state.phase not in (Phase.MOVE, Phase.ORDERS):
        raise IllegalAction("BA-TURN-05", gettext_noop("Nobody moves now."))


def _order(state: State, action: Orders, events: list[Event]) -> State:
    """The factors of all racers of a seat; they are spent when everybody's are in. Rules: BA-OPT-05, BA-TURN-05."""
    _must_be_riding(state)
    if state.phase is Phase.MOVE:
        raise IllegalAction("BA-OPT-05", gettext_noop("In this race cyclists move one after the other."))
    seat = _seat(state, action.seat)
    own = racing(state, seat)
    if state.orders[seat] is not None or not own:
        raise IllegalAction("BA-OPT-05", gettext_noop("%(seat)s has nothing to order."), seat=action.seat)
    given = dict(action.factors or ())
    names = {rides(state, racer): racer for racer in own}
    if given.keys() != names.keys():
        raise IllegalAction(
            "BA-OPT-05",
            gettext_noop("Orders name a factor for each of one's own cyclists: %(cyclists)s."),
            cyclists=", ".join(names),
        )
    for name, racer in names.items():
        movement.refuse_factor(state, racer, name, given[name])
    events.append(Ordered(seat=action.seat))
    factors = tuple(given[name] for name in names)
    return state._replace(orders=put(state.orders, seat, factors))


def rides(state: State, racer: int) -> str:
    """The cyclist who rides for a racer."""
    return state.field.cyclists[racer][state.racers[racer].side]


def _execute(state: State, events: list[Event]) -> State:
    """Everybody's orders, in the order of the race. Rules: BA-OPT-05, BA-END-02."""
    ordered: dict[int, int] = {}
    for seat, factors in enumerate(state.orders):
        if factors is not None:
            ordered.update(zip(racing(state, seat), factors, strict=True))
    state = state._replace(orders=(None,) * len(state.field.seats))
    for racer in state.order:
        state = movement.ride(state, ordered[racer], events)
        if state.over is not None:
            break
    return state


def _all_ordered(state: State) -> bool:
    """Whether all orders are in, and can be seen here."""
    return all(
        factors is not None and factors != UNSEEN_ORDERS
        for seat, factors in enumerate(state.orders)
        if racing(state, seat)
    )


def _change(state: State, action: Change | Stay, events: list[Event]) -> State:
    """Madison: change or stay. Rules: BA-MAD-09, BA-MAD-10."""
    racer = state.field.racers_of_team[_team(state, action.team)][0]
    if state.phase is not Phase.CHANGE:
        raise IllegalAction("BA-MAD-09", gettext_noop("Nobody changes now."))
    if state.racers[racer].where is not Where.RACING or not madison.may_change(state, racer):
        raise IllegalAction(
            "BA-MAD-10",
            gettext_noop("%(team)s may not change: it is not the outermost on its square, or a rival rests there."),
            team=action.team,
        )
    if state.order[state.done] != racer:
        raise IllegalAction("BA-MAD-09", gettext_noop("%(team)s is not asked about a change now."), team=action.team)
    if isinstance(action, Change):
        state = madison.change(state, racer, events)
    return state._replace(done=state.done + 1)


# ---- what follows by itself ------------------------------------------------------------------------------------------
def advance(state: State, events: list[Event]) -> State:
    """Go on until somebody has to say something, or the race is over. Rules: BA-TURN-05."""
    while True:
        if state.over is not None:
            return _finish(state, events)
        match state.phase:
            case Phase.MOVE:
                if state.done < len(state.order):
                    if not state.field.auto_single or not _has_one_choice(state):
                        return state
                    racer = state.racers[state.order[state.done]]
                    assert racer.hand
                    state = movement.ride(state, racer.hand[0], events)
                else:
                    state = _end_of_moves(state, events)
            case Phase.ORDERS:
                if not _all_ordered(state):
                    return state
                state = _execute(state, events)
                if state.over is None:
                    state = _end_of_moves(state, events)
            case Phase.CHANGE:
                state = madison.next_change(state, events)
                if state.done < len(state.order):
                    return state
                state = state._replace(phase=Phase.BOUNDARY)
            case Phase.BOUNDARY:
                if not all(asides.is_agreed(state.field, request) for request in state.asides.requests):
                    return state
                state = _boundary(state, events)
            case _:
                return state


def _has_one_choice(state: State) -> bool:
    """Whether all values left in the hand of who is to move are equal (spec 4, `auto_single`)."""
    hand = state.racers[state.order[state.done]].hand
    return hand is not None and hand[0] == hand[-1]


def _end_of_moves(state: State, events: list[Event]) -> State:
    """All have moved: the race is over, or there are new factors. Rules: BA-END-03, BA-REPL-01, BA-MAD-21; AMB-M5."""
    if len(state.lines[-1]) >= movement.quota(state.field, state.racers):
        return state._replace(over=Reason.QUOTA)
    state, replaced = replace_factors(state)
    events.append(replaced)
    if state.field.madison:
        return state._replace(phase=Phase.CHANGE, done=0)
    return state._replace(phase=Phase.BOUNDARY) if state.asides.requests else _boundary(state, events)


def _boundary(state: State, events: list[Event]) -> State:
    """Between two turns: who may leave does, and nobody else; then the race is over, or the next turn begins.

    Rules: BA-RET-03, BA-RET-04, BA-END-05, BA-END-06, BA-MAD-25, BA-RET-07; AMB-12, AMB-13, AMB-18, AMB-23.
    """
    field = state.field
    if state.asides.requests or field.options.after_finish is AfterFinish.LEAVE:
        racers = list(state.racers)
        gone = state.asides.gone
        for request in state.asides.requests:
            him = racers[request.racer]
            relief = him.relief and him.relief._replace(square=NOBODY)
            racers[request.racer] = him._replace(where=Where.RETIRED, relief=relief)
            gone = tuple(sorted((*gone, request.racer)))
            events.append(Retired(cyclist=field.names[request.racer]))
        if field.options.after_finish is AfterFinish.LEAVE:
            for racer in state.order:
                if racers[racer].finished and racers[racer].where is Where.RACING:
                    racers[racer] = racers[racer]._replace(where=Where.LEFT)
                    events.append(Left(cyclist=field.names[racer]))
        order = tuple(racer for racer in state.order if racers[racer].where is Where.RACING)
        state = state._replace(racers=tuple(racers), order=order, asides=state.asides._replace(requests=(), gone=gone))
        finishers = len(state.lines[-1])
        if all(racer.where is Where.RETIRED for racer in racers):
            return state._replace(over=Reason.RETIRED)
        if finishers >= movement.quota(field, state.racers):
            return state._replace(over=Reason.QUOTA)
    return _begin_turn(state, state.order, events)


def _finish(state: State, events: list[Event]) -> State:
    """The race is over. Rules: BA-END-01, BA-RET-02."""
    if state.phase is Phase.FINISHED:
        return state
    assert state.over is not None
    events.append(RaceOver(reason=state.over))
    return state._replace(phase=Phase.FINISHED, asides=state.asides._replace(requests=(), asked=()))
