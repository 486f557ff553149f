"""What goes on beside the turn and never holds it up: retirement, revealing, checks, stopping (spec 5.9, 5.10)."""

from functools import lru_cache
from typing import Final

from rules.breaking_away.actions import Action, AskRetire, Reveal, StopRace, TimeOut, VoteRetire
from rules.breaking_away.events import Checked, Event, Reason, RetireAsked, RetireVoted, Revealed, StopVoted
from rules.breaking_away.field import Field
from rules.breaking_away.state import RACING_PHASES, Asides, Phase, Request, State, Where, put
from rules.errors import IllegalAction, gettext_noop
from rules.game import Decision, Seat, Taker

MANY: Final = 500
"""So many sets of open decisions are remembered for a field."""


# ---- what is open ----------------------------------------------------------------------------------------------------
def opened(state: State) -> tuple[Decision, ...]:
    """The decisions beside the turn."""
    if state.phase not in RACING_PHASES:
        return ()
    return _open(state.field, state.asides, state.phase is Phase.BOUNDARY)


def opened_with_move(field: Field, asides: Asides, racer: int, side: int) -> tuple[Decision, ...]:
    """A racer's move, or that of one of a Madison's two, and what is open beside it: seldom different, often asked."""
    opened = field.opened.get(asides)
    if opened is None:
        if len(field.opened) >= MANY:
            field.opened.clear()
        opened = field.opened[asides] = [[()] * len(own) for own in field.asked]
    found = opened[racer][side] = (*field.asked[racer][side], *_open(field, asides, False))
    return found


@lru_cache(maxsize=1024)
def _open(field: Field, asides: Asides, boundary: bool) -> tuple[Decision, ...]:
    votes: list[Decision] = []
    others: list[Decision] = []
    for number, seat in enumerate(field.seats):
        votes += [
            _beside("vote_retire", seat, field.names[request.racer], optional=not boundary)
            for request in asides.requests
            if must_vote(field, request, number)
        ]
        if any(racer not in asides.asked and racer not in asides.gone for racer in field.of_seat[number]):
            others.append(_beside("ask_retire", seat))
        if not field.options.on_paper:
            others += [_beside("reveal", seat), _beside("time_out", seat)]
        others.append(_beside("stop_race", seat))
    return (*votes, *others)


@lru_cache(maxsize=4096)
def _beside(kind: str, seat: Seat, about: str | None = None, *, optional: bool = True) -> Decision:
    return Decision(kind=kind, taker=Taker.SEAT, seat=seat, about=about, optional=optional)


def must_vote(field: Field, request: Request, seat: int) -> bool:
    """All other seats vote, also those that have nobody left. Rules: BA-RET-01, BA-RET-02; AMB-17."""
    return seat != field.seat_of[request.racer] and seat not in request.yes


def is_agreed(field: Field, request: Request) -> bool:
    return not any(must_vote(field, request, seat) for seat in range(len(field.seats)))


def choices(state: State, decision: Decision) -> list[Action]:
    """All answers to one of these decisions."""
    field, asides = state.field, state.asides
    assert decision.seat is not None
    seat = field.seats.index(decision.seat)
    match decision.kind:
        case "vote_retire":
            assert decision.about is not None
            return [VoteRetire(seat=decision.seat, cyclist=decision.about, yes=yes) for yes in (True, False)]
        case "ask_retire":
            may = [racer for racer in field.of_seat[seat] if racer not in asides.asked and racer not in asides.gone]
            return [AskRetire(cyclist=field.names[racer], seat=decision.seat) for racer in may]
        case "reveal":
            own = [name for racer in field.of_seat[seat] for name in field.cyclists[racer]]
            return [Reveal(cyclist=name, seat=decision.seat) for name in own]
        case "time_out":
            return [TimeOut(seat=decision.seat, cyclist=name) for name in field.places]
        case _:
            wishes = ([] if seat in asides.stop else [True]) + ([False] if asides.stop else [])
            return [StopRace(seat=decision.seat, yes=yes) for yes in wishes]


# ---- retirement ------------------------------------------------------------------------------------------------------
def ask_retire(state: State, racer: int, events: list[Event]) -> State:
    """Rules: BA-RET-02; AMB-27."""
    name = state.field.names[racer]
    if state.phase not in RACING_PHASES:
        raise IllegalAction("BA-RET-02", gettext_noop("Nobody retires before the first turn."))
    if state.racers[racer].where is Where.RETIRED:
        raise IllegalAction("BA-RET-02", gettext_noop("%(cyclist)s has retired."), cyclist=name)
    if racer in state.asides.gone:
        raise IllegalAction(
            "BA-RET-02", gettext_noop("%(cyclist)s has crossed the finish and is placed."), cyclist=name
        )
    if racer in state.asides.asked:
        raise IllegalAction(
            "BA-RET-02", gettext_noop("It was asked for %(cyclist)s in this turn already."), cyclist=name
        )
    asides = state.asides
    events.append(RetireAsked(cyclist=name))
    return state._replace(
        asides=asides._replace(requests=(*asides.requests, Request(racer)), asked=tuple(sorted((*asides.asked, racer))))
    )


def vote_retire(state: State, seat: int, racer: int, yes: bool, events: list[Event]) -> State:
    """One "no" refuses. Rules: BA-RET-01, BA-RET-02."""
    field, asides = state.field, state.asides
    name = field.names[racer]
    request = next((one for one in asides.requests if one.racer == racer), None)
    if request is None:
        raise IllegalAction("BA-RET-02", gettext_noop("Nobody asks to let %(cyclist)s go."), cyclist=name)
    if field.seat_of[racer] == seat:
        raise IllegalAction(
            "BA-RET-01", gettext_noop("%(seat)s does not vote on %(cyclist)s: the others do."),
            seat=field.seats[seat], cyclist=name,
        )  # fmt: skip
    if seat in request.yes:
        raise IllegalAction("BA-RET-02", gettext_noop("%(seat)s has voted already."), seat=field.seats[seat])
    events.append(RetireVoted(cyclist=name, seat=field.seats[seat], yes=yes))
    if yes:
        agreed = request._replace(yes=tuple(sorted((*request.yes, seat))))
        left = put(asides.requests, asides.requests.index(request), agreed)
    else:
        left = tuple(one for one in asides.requests if one is not request)
    return state._replace(asides=asides._replace(requests=left))


# ---- information -----------------------------------------------------------------------------------------------------
def reveal(state: State, racer: int, side: int, events: list[Event]) -> State:
    """Show a whole hand, as it is: from now on everybody can follow it. Rules: BA-INFO-03; AMB-19."""
    if state.field.options.on_paper:
        raise IllegalAction("BA-INFO-03", gettext_noop("The hands are on paper: show yours at the table."))
    if state.phase not in RACING_PHASES:
        raise IllegalAction("BA-INFO-03", gettext_noop("Hands are shown once the race has begun."))
    him = state.racers[racer]
    if side == him.side:
        hand, shown = him.hand, him._replace(open=True)
    else:
        assert him.relief is not None
        hand, shown = him.relief.hand, him._replace(relief=him.relief._replace(open=True))
    events.append(Revealed(cyclist=state.field.cyclists[racer][side], hand=hand or ()))
    return state._replace(racers=put(state.racers, racer, shown))


def time_out(state: State, cyclist: str, events: list[Event]) -> State:
    """The engine takes nothing that is not in the right hand, so the answer is always the same. Rules: BA-INFO-05."""
    if state.field.options.on_paper:
        raise IllegalAction(
            "BA-INFO-05", gettext_noop("The hands are on paper: compare the log sheets after the race.")
        )
    if state.phase not in RACING_PHASES:
        raise IllegalAction("BA-INFO-05", gettext_noop("Nothing has been spent yet."))
    events.append(Checked(cyclist=cyclist))
    return state


# ---- stopping --------------------------------------------------------------------------------------------------------
def stop_race(state: State, seat: int, yes: bool, events: list[Event]) -> State:
    """All must want it; one "no" takes every wish back. Rules: BA-END-07."""
    asides, field = state.asides, state.field
    if state.phase not in RACING_PHASES:
        raise IllegalAction("BA-END-07", gettext_noop("A race that has not begun is not stopped."))
    if yes and seat in asides.stop:
        raise IllegalAction("BA-END-07", gettext_noop("%(seat)s wants that already."), seat=field.seats[seat])
    if not yes and not asides.stop:
        raise IllegalAction("BA-END-07", gettext_noop("Nobody wants to stop the race."))
    events.append(StopVoted(seat=field.seats[seat], yes=yes))
    stop = tuple(sorted((*asides.stop, seat))) if yes else ()
    state = state._replace(asides=asides._replace(stop=stop))
    return state._replace(over=Reason.ABANDONED) if len(stop) == len(field.seats) else state
