"""Preparing the race (chapter A): options, entrants, draft, strengths, cards, first token, start."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any, Final

from rules.errors import IllegalAction, RulesError, Saying, Unreadable, gettext_noop
from rules.game import Seat
from rules.giro import data
from rules.giro.actions import DealtCard, FirstSeat, FirstToken, MarkStrengths, Pick
from rules.giro.cards import CARDS, Card, CardMethod
from rules.giro.course import BUILT_IN_IDS, Course, LineKind, built_in, compile_course, start_energy
from rules.giro.data import Kind, Speciality
from rules.giro.events import CardDealt, DraftOpened, Marked, Picked, Started, TokenGiven
from rules.giro.feeding import full_piles
from rules.giro.notation import Plan, plan_from_json
from rules.giro.order import seats_from
from rules.giro.state import COLOURS, NOBODY, Clock, Do, Entry, Face, Options, Rider, Run, State, Strength, Todo
from rules.giro.strip import PREFIX, course_from_strip
from rules.giro.time_trial import run_turn, runs_of
from rules.giro.work import Work

# ---- S0 options ------------------------------------------------------------------------------------------------------
OPTIONS: Final = (
    "course", "giro", "cards", "peloton_die", "feed_tiles", "max_paid", "time_limit", "tt_clock", "token", "first_seat",
)  # fmt: skip
ENTRANT: Final = ("seat", "draft", "riders")
RIDER: Final = ("id", "type", "jersey", "carry", "strength")


def course_of(source: object) -> Course:
    """A course by its id, as a strip, or in the notation of courses. RulesError says what is wrong with it."""
    if isinstance(source, str):
        if source in BUILT_IN_IDS:
            return built_in(source)
        if source.startswith(PREFIX):
            return course_from_strip(source)
        raise Unreadable(
            gettext_noop('There is no course "%(course)s". Built in are %(known)s.'),
            course=source[:80], known=", ".join(BUILT_IN_IDS),
        )  # fmt: skip
    if not isinstance(source, Mapping):
        raise Unreadable(gettext_noop("A course is an id, a strip, or a course in JSON."))
    return _compiled(plan_from_json(source))


@lru_cache(maxsize=256)
def _compiled(plan: Plan) -> Course:
    return compile_course(plan)


def read_options(source: Mapping[str, Any]) -> Options:
    """Options from JSON; what is not told has its default. RulesError says everything that is wrong."""
    faults = [*_unknown(source, OPTIONS, gettext_noop("options"))]
    given: dict[str, Any] = {}

    def read(name: str, reader: Any) -> None:
        if name in source and source[name] is not None:
            try:
                given[_FIELDS.get(name, name)] = reader(source[name])
            except RulesError as refused:
                faults.extend(refused.sayings)
            except (ValueError, TypeError, KeyError, AttributeError):
                faults.append(
                    Saying(
                        message=gettext_noop('"%(value)s" is no value for %(name)s.'),
                        params={"value": str(source[name])[:80], "name": name},
                    )
                )

    if "course" not in source:
        faults.append(Saying(message=gettext_noop("Which course? Name one that is built in, or write one.")))
    read("course", course_of)
    read("giro", _bool)
    read("cards", CardMethod)
    read("peloton_die", _die)
    read("feed_tiles", _tiles)
    read("max_paid", lambda value: _number(value, 0, data.MAX_PAID))
    read("time_limit", lambda value: _number(value, 0, 99))
    read("tt_clock", Clock)
    read("token", lambda value: Seat(_text(value)))
    read("first_seat", lambda value: Seat(_text(value)))
    if faults:
        raise RulesError(*faults)
    return Options(**given)


_FIELDS: Final = {"tt_clock": "clock", "first_seat": "first_pick"}


def write_options(options: Options) -> dict[str, Any]:
    """All options as JSON, which `read_options` reads back to equal ones."""
    course = options.course
    known = course.id in BUILT_IN_IDS and built_in(course.id) == course
    return {
        "course": course.id if known else course.plan.as_json(),
        "giro": options.giro,
        "cards": options.cards.value,
        "peloton_die": [{"value": f.value, "red": f.red, "weight": f.weight} for f in options.peloton_die],
        "feed_tiles": {str(value): count for value, count in options.feed_tiles},
        "max_paid": options.max_paid,
        "time_limit": options.time_limit,
        "tt_clock": options.clock.value,
        "token": options.token,
        "first_seat": options.first_pick,
    }


def _unknown(source: Mapping[str, Any], known: Sequence[str], where: str) -> list[Saying]:
    return [
        Saying(
            message=gettext_noop('%(where)s have no "%(name)s"; they have %(known)s.'),
            params={"where": where.capitalize(), "name": str(name)[:40], "known": ", ".join(known)},
        )
        for name in source
        if name not in known
    ]


def _bool(value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError
    return value


def _number(value: object, least: int, most: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise ValueError
    return value


def _text(value: object) -> str:
    if not isinstance(value, str) or not 0 < len(value) <= 80:
        raise ValueError
    return value


def _die(value: Sequence[Mapping[str, Any]]) -> tuple[Face, ...]:
    """Faces of the peloton die; equal ones are counted together. A red face is a 4 (spec 2.2)."""
    counts: dict[tuple[int, bool], int] = {}
    for face in value:
        pips = _number(face["value"], data.SLOWEST_PELOTON, data.FASTEST_PELOTON - 2)
        red = _bool(face.get("red", False))
        if red and pips != RED_VALUE:
            raise Unreadable(gettext_noop("A red face of the peloton die counts 4."))
        counts[pips, red] = counts.get((pips, red), 0) + _number(face.get("weight", 1), 1, 99)
    if not counts:
        raise ValueError
    return tuple(Face(pips, red, weight) for (pips, red), weight in sorted(counts.items()))


RED_VALUE: Final = 4


def _tiles(value: Mapping[str, Any]) -> tuple[tuple[int, int], ...]:
    """Tiles of one colour; it must be able to supply the seven of a time trial (spec 2.3)."""
    counts = {int(tile): _number(count, 0, 99) for tile, count in value.items()}
    needed = {tile: data.CRACK_TILES.count(tile) for tile in data.FEED_TILES}
    if set(counts) != set(needed) or any(counts[tile] < least for tile, least in needed.items()):
        raise Unreadable(
            gettext_noop("A colour has tiles of 2, 3, 4 and 5, and at least two each of 2, 3, 4 and one 5.")
        )
    return tuple(sorted(counts.items()))


# ---- entrants --------------------------------------------------------------------------------------------------------
def setup(options: Mapping[str, Any], entrants: Sequence[Mapping[str, Any]]) -> Work:
    """The work of a new stage, before its first step. RulesError says all that is wrong.

    Steps S0 to S5; rules GI-D4-02, GI-D3-02.
    """
    read = read_options(options)
    faults: list[Saying] = []
    seats: list[Seat] = []
    riders: list[Rider] = []
    quotas: set[int] = set()
    told: set[int] = set()  # seats whose strengths are known
    for number, entrant in enumerate(entrants):
        if not isinstance(entrant, Mapping) or not isinstance(entrant.get("riders", []), list | tuple):
            faults.append(
                _said(
                    gettext_noop(
                        'Entrant number %(n)s is no {"seat": ..., "draft": ...} or {"seat": ..., "riders": [...]}.'
                    ),
                    n=number + 1,
                )
            )
            continue
        faults += _unknown(entrant, ENTRANT, gettext_noop("entrants"))
        seat = entrant.get("seat")
        if not isinstance(seat, str) or not 0 < len(seat) <= 80 or seat in seats:
            faults.append(
                _said(
                    gettext_noop("Every entrant has a seat of his own; the name of number %(n)s is not one."),
                    n=number + 1,
                )
            )
            seat = f"#{number + 1}"
        seats.append(Seat(seat))
        if "riders" in entrant:
            quotas.add(0)
            for rider in entrant["riders"]:
                try:
                    riders.append(_named(rider, number))
                except RulesError as refused:
                    faults += refused.sayings
                if isinstance(rider, Mapping) and "strength" in rider:
                    told.add(number)
            faults += _strengths_told(seat, [rider for rider in riders if rider.entry.seat == number])
        else:
            draft = entrant.get("draft", 1)
            if not isinstance(draft, int) or isinstance(draft, bool) or not 1 <= draft <= len(COLOURS):
                faults.append(_said(gettext_noop("%(seat)s drafts 1, 2 or 3 riders."), seat=seat))
            else:
                quotas.add(draft)
    quota = quotas.pop() if len(quotas) == 1 else 0
    if quotas:
        faults.append(_said(gettext_noop("Every player has the same number of riders, all drafted or all named.")))
    faults += _numbers(len(seats), quota, riders)
    for name in (read.token, read.first_pick):
        if name is not None and name not in seats:
            faults.append(_said(gettext_noop('There is no seat "%(seat)s".'), seat=name))
    if faults:
        raise RulesError(*faults)

    state = State(
        options=read, seats=tuple(seats), quota=quota, riders=tuple(riders), runs=(Run(riders=tuple(range(len(riders)))),),
        undealt=tuple(Card), piles=full_piles(read), bonus=(NOBODY,) * len(read.course.columns_of(LineKind.BONUS)),
    )  # fmt: skip
    work = Work(state)
    # `amount` of PREPARE is the set of seats whose strengths came with the entrants
    work.next(Todo(Do.FIRST_SEAT) if quota else Todo(Do.PREPARE, amount=sum(1 << seat for seat in told)))
    return work


def _said(message: str, **params: str | int) -> Saying:
    return Saying(message=message, params=params)


def _named(source: Mapping[str, Any], seat: int) -> Rider:
    """A rider who comes with a name, as in a Giro after its first stage."""
    strength = None
    faults: list[Saying] = []
    try:
        faults += _unknown(source, RIDER, gettext_noop("riders"))
        speciality = Speciality(source["type"])
        strength = None if source.get("strength") is None else Strength(source["strength"])
        entry = Entry(
            id=_text(source["id"]),
            seat=seat,
            jersey=_text(source.get("jersey", "white")),
            speciality=speciality,
            carry=_number(source.get("carry", 0), 0, max(data.CARRY_CAP.values())),
        )
    except (ValueError, TypeError, KeyError, AttributeError):
        faults.append(
            _said(
                gettext_noop(
                    'A rider reads {"id": "A", "type": "rouleur", "jersey": "white", "carry": 0}, type rouleur, leader or '
                    'climber, carry up to 15; this is "%(rider)s".'
                ),
                rider=str(source)[:200],
            )
        )
    if faults:
        raise RulesError(*faults)
    return Rider(entry=entry, strength=strength)


def _strengths_told(seat: str, riders: Sequence[Rider]) -> list[Saying]:
    """A seat marks each strength once at most. Step S2."""
    return [
        _said(
            gettext_noop("%(seat)s has two riders marked %(strength)s; one may be."), seat=seat, strength=strength.value
        )
        for strength in Strength
        if sum(rider.strength is strength for rider in riders) > 1
    ]


def _numbers(seats: int, quota: int, riders: Sequence[Rider]) -> list[Saying]:
    """How many may take part. Rulebook A.2; spec 4.1; check E12."""
    faults = []
    if not 1 <= seats <= data.MAX_PLAYERS:
        faults.append(_said(gettext_noop("A race has 1 to 10 players, not %(count)s."), count=seats))
    total = quota * seats or len(riders)
    if total > data.MAX_RIDERS:
        faults.append(_said(gettext_noop("At most 12 riders take part, not %(count)s."), count=total))
    most = data.MOST_RIDERS_EACH[max(1, min(seats, data.MAX_PLAYERS))]
    if quota > most:
        faults.append(
            _said(
                gettext_noop("With %(players)s players each may have up to %(most)s of the riders, not %(quota)s."),
                players=seats,
                most=most,
                quota=quota,
            )  # fmt: skip
        )
    ids = [rider.entry.id for rider in riders]
    for name in sorted({name for name in ids if ids.count(name) > 1}):
        faults.append(_said(gettext_noop('"%(rider)s" is entered twice.'), rider=name))
    if not quota and {rider.entry.seat for rider in riders} != set(range(seats)):
        faults.append(_said(gettext_noop("Every player needs at least one rider.")))
    return faults


# ---- S1 draft --------------------------------------------------------------------------------------------------------
def first_seat(work: Work, todo: Todo) -> bool:
    """Chance names who drafts first, if the organiser does not. Step S1."""
    if work.options.first_pick is None and len(work.seats) > 1:
        return True
    _open_draft(work, 0 if work.options.first_pick is None else work.seats.index(work.options.first_pick))
    return False


def first_seat_named(work: Work, todo: Todo, action: FirstSeat) -> None:
    _open_draft(work, work.seats.index(Seat(action.seat)))


def _open_draft(work: Work, first: int) -> None:
    work.tell(DraftOpened(seat=work.seats[first]))
    work.next(*(Todo(Do.PICK, seat=seat) for seat in seats_from(first, len(work.seats))), Todo(Do.PREPARE))


def picks(state: State | Work) -> list[Pick]:
    """What is still free to be drafted. Step S1; R-08."""
    taken = {(rider.entry.jersey, rider.entry.speciality) for rider in state.riders}
    worn = {jersey for jersey, _ in taken}
    if len(state.seats) <= data.MAX_SEATS_WITH_JERSEYS or state.quota > 1:
        return [
            Pick(jersey=jersey, riders=riders)
            for jersey in data.JERSEYS
            if jersey not in worn
            for riders in combinations(COLOURS, state.quota)
        ]
    return [
        Pick(jersey=jersey, riders=(speciality,))
        for jersey in data.JERSEYS
        for speciality in COLOURS
        if (jersey, speciality) not in taken
    ]


def picked(work: Work, state: State, todo: Todo, action: Pick) -> None:
    """A seat takes its riders: they get their draft numbers. Step S1."""
    riders = tuple(sorted(action.riders, key=COLOURS.index))
    if Pick(jersey=action.jersey, riders=riders) not in picks(work):
        raise IllegalAction(
            "S1",
            gettext_noop("%(seat)s takes %(quota)s rider(s) of one jersey that is free: %(jerseys)s."),
            seat=work.seats[todo.seat], quota=work.quota,
            jerseys=", ".join(dict.fromkeys(pick.jersey for pick in picks(work))),
        )  # fmt: skip
    for speciality in riders:
        entry = Entry(id=f"{action.jersey}-{speciality}", seat=todo.seat, jersey=action.jersey, speciality=speciality)
        work.riders.append(Rider(entry=entry))
    names = tuple(rider.entry.id for rider in work.riders[-len(riders) :])
    work.tell(Picked(seat=work.seats[todo.seat], riders=names))


# ---- S2 strengths, S3 cards, S4 token, S5 start ----------------------------------------------------------------------
def prepare(work: Work, todo: Todo) -> bool:
    """Strengths, cards, token and start follow once the riders are known."""
    work.team = tuple(range(len(work.riders)))
    seats = [Todo(Do.STRENGTH, seat=seat) for seat in range(len(work.seats)) if not todo.amount >> seat & 1]
    cards = [] if work.options.cards is CardMethod.NONE else [Todo(Do.CARD, rider=i) for i in work.team]
    token = [] if work.trial else [Todo(Do.FIRST_TOKEN)]
    work.next(*seats, *cards, *token, Todo(Do.START))
    return False


def strengths(state: State | Work, seat: int) -> list[MarkStrengths]:
    """Every way to mark one's riders. Step S2."""
    own = [None, *(rider.entry.id for rider in state.riders if rider.entry.seat == seat)]
    return [
        MarkStrengths(descender=descender, sprinter=sprinter)
        for descender in own
        for sprinter in own
        if descender is None or descender != sprinter
    ]


def marked(work: Work, state: State, todo: Todo, action: MarkStrengths) -> None:
    """At most one descender and one other sprinter of a seat. Step S2."""
    if action not in strengths(work, todo.seat):
        raise IllegalAction(
            "S2",
            gettext_noop("%(seat)s marks at most one own rider as descender and at most one other as sprinter."),
            seat=work.seats[todo.seat],
        )
    for name, strength in ((action.descender, Strength.DESCENDER), (action.sprinter, Strength.SPRINTER)):
        if name is not None:
            number = next(i for i, rider in enumerate(work.riders) if rider.entry.id == name)
            work.change(number, strength=strength)
            work.tell(Marked(rider=name, strength=strength))


def cards_for(state: State | Work, number: int) -> list[Card]:
    """The cards that a rider may be dealt: of his colour if they are matched. Step S3; R-04, R-07."""
    if state.options.cards is CardMethod.MATCHED:
        colour = state.riders[number].entry.speciality
        return [card for card in state.undealt if CARDS[card].colour is colour]
    return list(state.undealt)


def card(work: Work, todo: Todo) -> bool:
    """Chance deals a card; a rider for whose colour none is left goes without. Step S3."""
    return bool(cards_for(work, todo.rider))


def dealt(work: Work, todo: Todo, action: DealtCard) -> None:
    """A card was dealt, or turned up by a rider who wants to play one that was not seen here. Step S3; GI-M-10."""
    rider = work.riders[todo.rider]
    if action.card is None:
        work.change(todo.rider, unseen_card=True)
    else:
        work.undealt = tuple(card for card in work.undealt if card is not action.card)
        work.change(todo.rider, card=action.card, unseen_card=False)
    work.tell(CardDealt(rider=rider.entry.id, card=action.card))


def first_token(work: Work, todo: Todo) -> bool:
    """The organiser or chance names who holds the token first. Step S4; R-10."""
    if work.options.token is None and len(work.seats) > 1:
        return True
    _give_token(work, 0 if work.options.token is None else work.seats.index(work.options.token))
    return False


def first_token_named(work: Work, todo: Todo, action: FirstToken) -> None:
    _give_token(work, work.seats.index(Seat(action.seat)))


def _give_token(work: Work, seat: int) -> None:
    work.token = seat
    work.tell(TokenGiven(seat=work.seats[seat]))


def start(work: Work, todo: Todo) -> bool:
    """Everybody lines up with the energy of the course and what he carried over. Step S5; rules GI-D3-02, GI-D4-02."""
    energy = start_energy(work.course)
    for i, rider in enumerate(work.riders):
        has = energy + rider.entry.carry
        work.change(i, energy=has, crack_tiles=data.CRACK_TILES if work.trial else ())
        work.tell(Started(rider=rider.entry.id, change=has, energy=has))
    if work.course.kind is Kind.ROAD:
        work.next(Todo(Do.TURN))
    else:
        work.runs = [Run(riders=team) for team in runs_of(work.course.kind, work.riders)]
        for run in reversed(range(len(work.runs))):  # every run stands at the start with its first rider to move
            work.open_run(run)
            run_turn(work, Todo(Do.RUN_TURN))
            work.close_run()
    return False
