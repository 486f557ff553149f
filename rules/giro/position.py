"""A state as JSON, and a state from a position that is told only in part.

Written, a state is complete and readable: riders by id, squares by name, the peloton by column. Read, whatever is left
out has its default: an example names a strip of road, some riders, and where the turn is; the rest follows.
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from rules.errors import RulesError, Saying, Unreadable, gettext_noop
from rules.game import Seat
from rules.giro import data
from rules.giro.cards import CARDS, Card, CardMethod
from rules.giro.course import Course, LineKind, Square, start_energy
from rules.giro.data import Speciality
from rules.giro.feeding import COLOUR_INDEX, full_piles
from rules.giro.notation import TICKS
from rules.giro.preparing import OPTIONS, read_options, write_options
from rules.giro.state import (
    COLOURS,
    NOBODY,
    NOWHERE,
    UNSEEN,
    Do,
    Entry,
    Options,
    Pile,
    Rider,
    Run,
    State,
    Strength,
    Todo,
    Where,
)
from rules.giro.time_trial import run_name, runs_of
from rules.giro.turn import begin
from rules.giro.work import Work


# ---- writing ---------------------------------------------------------------------------------------------------------
def write_state(state: State) -> dict[str, Any]:
    """Everything that a state is, as JSON that `read_state` reads back to an equal one."""
    return {
        "options": write_options(state.options),
        "seats": list(state.seats),
        "quota": state.quota,
        "turn": state.turn,
        "token": None if state.token == NOBODY else state.seats[state.token],
        "peloton": None
        if state.time_trial
        else {"column": state.front // TICKS, "gone": state.gone, "finished": state.peloton_turn},
        "pursued": state.pursued,
        "red": state.red,
        "draft": [rider.entry.id for rider in state.riders],  # JSON objects have no order: a database may sort them
        "riders": {rider.entry.id: _write_rider(state, rider) for rider in state.riders},
        "bonus": [None if rider == NOBODY else state.riders[rider].entry.id for rider in state.bonus],
        "piles": {
            colour.value: {"left": list(pile.left), "spent": list(pile.spent)}
            for colour, pile in zip(COLOURS, state.piles, strict=True)
        },
        "undealt": [card.value for card in state.undealt],
        "arrivals": state.arrivals,
        "crossed": state.crossed,
        "runs": [
            {
                "riders": [state.riders[i].entry.id for i in run.riders],
                "turn": run.turn,
                "agenda": [_write_todo(state, todo) for todo in reversed(run.agenda)],
            }
            for run in state.runs
        ],
        "clock": None if state.clock is None else [run_name(state, state.runs[run].riders) for run in state.clock],
        "over": state.over,
    }


def _write_rider(state: State, rider: Rider) -> dict[str, Any]:
    course = state.options.course
    return {
        "seat": state.seats[rider.entry.seat],
        "jersey": rider.entry.jersey,
        "type": rider.entry.speciality.value,
        "carry": rider.entry.carry,
        "strength": None if rider.strength is None else rider.strength.value,
        "at": course.names[rider.square] if rider.square != NOWHERE else rider.where.value,
        "where": rider.where.value,
        "arrival": rider.arrival,
        "energy": rider.energy,
        "risks": rider.risks,
        "tiles": list(rider.tiles),
        "card": None if rider.card is None else rider.card.value,
        "unseen_card": rider.unseen_card,
        "shown": rider.shown,
        "played": None if rider.played is None else rider.played.value,
        "behind": None if rider.link == NOBODY else state.riders[rider.link].entry.id,
        "slipstream": rider.slip,
        "spare": rider.spare,
        "fell": rider.fell,
        "waiting": rider.waiting,
        "dropping": rider.dropping,
        "fresh": rider.fresh,
        "fed": list(rider.fed),
        "crack_tiles": list(rider.crack_tiles),
        "turn": rider.turn,
        "order": rider.order,
    }


def _write_todo(state: State, todo: Todo) -> dict[str, Any]:
    out: dict[str, Any] = {"do": todo.do.value}
    if todo.rider != NOBODY:
        out["rider"] = state.riders[todo.rider].entry.id
    if todo.seat != NOBODY:
        out["seat"] = state.seats[todo.seat]
    for name in ("line", "amount", "extra"):
        if getattr(todo, name):
            out[name] = getattr(todo, name)
    return out


# ---- reading ---------------------------------------------------------------------------------------------------------
POSITION: Final = (
    *OPTIONS, "options", "seats", "quota", "turn", "token", "peloton", "pursued", "red", "draft", "riders", "bonus",
    "piles", "undealt", "arrivals", "crossed", "runs", "clock", "over", "phase",
)  # fmt: skip
RIDER: Final = (
    "id", "seat", "jersey", "type", "carry", "strength", "at", "where", "arrival", "energy", "risks", "tiles", "card",
    "unseen_card", "shown", "played", "behind", "slipstream", "spare", "fell", "waiting", "dropping", "fresh", "fed",
    "crack_tiles", "turn", "order",
)  # fmt: skip

PHASES: Final[Mapping[str, tuple[Do, ...]]] = {
    "T1": (Do.BREAKAWAYS, Do.ATTACKS, Do.PURSUE, Do.ROLL, Do.DROPPED, Do.PUNCTURES, Do.STAND_UP, Do.PASS_TOKEN),
    "T2": (Do.ATTACKS, Do.PURSUE, Do.ROLL, Do.DROPPED, Do.PUNCTURES, Do.STAND_UP, Do.PASS_TOKEN),
    "T3": (Do.PURSUE, Do.ROLL, Do.DROPPED, Do.PUNCTURES, Do.STAND_UP, Do.PASS_TOKEN),
    "T4": (Do.ROLL, Do.DROPPED, Do.PUNCTURES, Do.STAND_UP, Do.PASS_TOKEN),
    "T5": (Do.DROPPED, Do.PUNCTURES, Do.STAND_UP, Do.PASS_TOKEN),
    "T5b": (Do.PUNCTURES, Do.STAND_UP, Do.PASS_TOKEN),
    "T5c": (Do.STAND_UP, Do.PASS_TOKEN),
    "T6": (Do.PASS_TOKEN,),
}
"""What is still to be done in a turn, by the phase that is about to begin: spec 4.2."""


MOST: Final = 10**6
"""No number of a stage comes near it."""


def _flag(value: object) -> bool:
    return isinstance(value, bool)


def _count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST


def _count_or_none(value: object) -> bool:
    return value is None or _count(value)


def _counts(value: object) -> bool:
    return isinstance(value, list | tuple) and all(_count(one) for one in value)


def _text(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= LONGEST_NAME


def _texts(value: object) -> bool:
    return isinstance(value, list | tuple) and all(_text(one) for one in value)


LONGEST_NAME: Final = 80

SHAPES: Final[Mapping[str, Callable[[object], bool]]] = MappingProxyType(
    dict.fromkeys(("pursued", "red", "over", "gone"), _flag)
    | dict.fromkeys(("quota", "arrivals", "crossed", "column"), _count)
    | dict.fromkeys(("turn", "finished"), _count_or_none)
    | dict.fromkeys(("seats", "draft", "undealt"), _texts)
)
"""What is told of the stage, and of the peloton, by plain numbers, names, and yes or no."""

RIDER_SHAPES: Final[Mapping[str, Callable[[object], bool]]] = MappingProxyType(
    dict.fromkeys(("unseen_card", "shown", "slipstream", "spare", "waiting", "dropping", "fresh"), _flag)
    | dict.fromkeys(("carry", "arrival", "energy", "risks", "fell"), _count)
    | dict.fromkeys(("turn", "order"), _count_or_none)
    | dict.fromkeys(("tiles", "fed", "crack_tiles"), _counts)
    | dict.fromkeys(("id", "seat", "jersey", "at"), _text)
)


class _Reader:
    """Reads one position. Whatever cannot be read is a sentence in `Unreadable`."""

    def __init__(self, source: Mapping[str, Any]) -> None:
        self.source = source
        _known(source, POSITION, gettext_noop("A position"))
        _shaped(source, SHAPES)
        options = dict(source.get("options", {})) | {
            name: source[name] for name in OPTIONS if name in source and name != "token"
        }
        options.setdefault("cards", CardMethod.NONE.value if "options" not in source else CardMethod.MATCHED.value)
        self.options: Options = read_options(options)
        self.course: Course = self.options.course
        self.trial = self.options.kind.is_time_trial
        riders = source.get("riders", {})
        if isinstance(riders, Mapping):
            riders = [{"id": name, **rider} for name, rider in riders.items()]
        for rider in riders:
            _known(rider, RIDER, gettext_noop("A rider"))
            _shaped(rider, RIDER_SHAPES)
        self.told: Sequence[Mapping[str, Any]] = riders
        self.ids = [str(rider.get("id")) for rider in riders]
        if len(set(self.ids)) != len(self.ids):
            raise Unreadable(gettext_noop("Every rider of a position has an id of his own."))
        if "draft" in source:
            self._in_draft_order(source["draft"])
        self.seats = [Seat(seat) for seat in source.get("seats", ())] or self._seats()
        if not self.seats:
            raise Unreadable(gettext_noop("A position has riders, or seats that have yet to draft."))

    def _in_draft_order(self, draft: Sequence[str]) -> None:
        if sorted(draft) != sorted(self.ids):
            raise Unreadable(gettext_noop('"draft" names every rider of the position once.'))
        told = dict(zip(self.ids, self.told, strict=True))
        self.ids = list(draft)
        self.told = [told[name] for name in draft]

    def _seats(self) -> list[Seat]:
        seats = dict.fromkeys(str(rider.get("seat", rider.get("id"))) for rider in self.told)
        return [Seat(seat) for seat in seats]

    def rider_number(self, name: object) -> int:
        if name is None:
            return NOBODY
        if name not in self.ids:
            raise Unreadable(gettext_noop('There is no rider "%(rider)s" here.'), rider=str(name)[:40])
        return self.ids.index(str(name))

    def seat_number(self, name: object) -> int:
        if name is None:
            return NOBODY
        if name not in self.seats:
            raise Unreadable(gettext_noop('There is no seat "%(seat)s" here.'), seat=str(name)[:40])
        return self.seats.index(Seat(str(name)))

    def square(self, name: str) -> Square:
        try:
            return self.course.named(name)
        except KeyError:
            raise Unreadable(
                gettext_noop('There is no square "%(square)s": column, a point, and the lane from the left, as "7.1".'),
                square=str(name)[:40],
            ) from None

    def riders(self) -> tuple[Rider, ...]:
        return tuple(self.rider(rider, number) for number, rider in enumerate(self.told))

    def rider(self, told: Mapping[str, Any], number: int) -> Rider:
        course, where, square = self.course, Where.INSIDE, NOWHERE
        at = told.get("at", "inside")
        if at in tuple(Where):
            where = Where(at)
        else:
            where, square = Where.ROAD, self.square(at)
        where = Where(told.get("where", where))
        entry = Entry(
            id=self.ids[number],
            seat=self.seat_number(told.get("seat", self.ids[number])),
            jersey=str(told.get("jersey", "white")),
            speciality=Speciality(told.get("type", "rouleur")),
            carry=told.get("carry", 0),
        )
        played = told.get("played")
        return Rider(
            entry=entry,
            strength=None if told.get("strength") is None else Strength(told["strength"]),
            where=where,
            square=square,
            # who is told first is ahead of whoever is level with him: he arrived later
            arrival=told.get("arrival", len(self.told) - number if where is Where.ROAD else 0),
            energy=told.get("energy", start_energy(course) + entry.carry),
            risks=told.get("risks", 0),
            tiles=tuple(told.get("tiles", ())),
            card=None if told.get("card") is None else Card(told["card"]),
            unseen_card=told.get("unseen_card", False),
            shown=told.get("shown", False),
            played=None if played is None else Card(played),
            link=self.rider_number(told.get("behind")),
            slip=told.get("slipstream", False),
            spare=told.get("spare", False),
            fell=told.get("fell", 0),
            waiting=told.get("waiting", False),
            dropping=told.get("dropping", False),
            fresh=told.get("fresh", False),
            fed=tuple(told.get("fed", ())),
            crack_tiles=tuple(told.get("crack_tiles", data.CRACK_TILES if self.trial else ())),
            turn=told.get("turn"),
            order=told.get("order"),
        )

    def piles(self, riders: Sequence[Rider]) -> tuple[Pile, ...]:
        values = [value for value, _ in self.options.feed_tiles]
        if "piles" in self.source:
            told = self.source["piles"]
            full = full_piles(self.options)
            for pile in told.values():
                for name in ("left", "spent"):
                    if not _counts(counts := pile.get(name, (0,) * len(values))) or len(counts) != len(values):
                        raise Unreadable(
                            gettext_noop('"%(name)s" of a position cannot be %(value)s.'),
                            name=name, value=repr(counts)[:40],
                        )  # fmt: skip
            return tuple(
                Pile(
                    left=tuple(told[colour]["left"]) if colour in told else full[i].left,
                    spent=tuple(told[colour].get("spent", full[i].spent)) if colour in told else full[i].spent,
                )
                for i, colour in enumerate(COLOURS)
            )
        left = [list(pile.left) for pile in full_piles(self.options)]
        for rider in riders:
            for tile in rider.tiles:
                if tile != UNSEEN:
                    left[COLOUR_INDEX[rider.entry.speciality]][values.index(tile)] -= 1
        if any(count < 0 for colour in left for count in colour):
            raise Unreadable(gettext_noop("The riders keep more feed tiles of one value than their colour has."))
        return tuple(Pile(left=tuple(colour), spent=(0,) * len(values)) for colour in left)

    def undealt(self, riders: Sequence[Rider]) -> tuple[Card, ...]:
        if "undealt" in self.source:
            return tuple(card for card in Card if card in self.source["undealt"])
        held = {rider.card for rider in riders} | {rider.played for rider in riders}
        return tuple(card for card in CARDS if card not in held)

    def todo(self, told: Mapping[str, Any]) -> Todo:
        return Todo(
            do=Do(told["do"]),
            rider=self.rider_number(told.get("rider")),
            seat=self.seat_number(told.get("seat")),
            line=told.get("line", 0),
            amount=told.get("amount", 0),
            extra=told.get("extra", 0),
        )

    def state(self) -> State:
        source = self.source
        riders = self.riders()
        peloton = source.get("peloton", 0)
        if not isinstance(peloton, Mapping):
            peloton = {"column": 0 if peloton is None else peloton}
        _shaped(peloton, SHAPES)
        column = peloton.get("column", 0)
        if column > self.course.columns + data.FASTEST_PELOTON:
            raise Unreadable(gettext_noop("The peloton is not so far beyond the arrival line."))
        arrived = [rider.order for rider in riders if rider.order]
        bonus = [self.rider_number(rider) for rider in source.get("bonus", ())]
        lines = len(self.course.columns_of(LineKind.BONUS))
        token = source.get("token", self.seats[0] if self.seats and not self.trial else None)
        state = State(
            options=self.options,
            seats=tuple(self.seats),
            quota=source.get("quota", 0),
            riders=riders,
            runs=(),
            undealt=self.undealt(riders),
            piles=self.piles(riders),
            front=TICKS * column,
            gone=peloton.get("gone", False),
            peloton_turn=peloton.get("finished"),
            pursued=source.get("pursued", False),
            red=source.get("red", False),
            token=self.seat_number(token),
            arrivals=source.get("arrivals", max((rider.arrival for rider in riders), default=0)),
            crossed=source.get("crossed", max(arrived, default=0)),
            bonus=(*bonus, *(NOBODY for _ in range(lines - len(bonus)))),
            clock=None,
            over=source.get("over", False),
        )
        state = state._replace(runs=self.runs(state))
        if source.get("clock") is not None:
            names = [run_name(state, run.riders) for run in state.runs]
            state = state._replace(clock=tuple(names.index(name) for name in source["clock"]))
        _possible(state)
        if "runs" in source:
            return state
        return self.begun(state)

    def runs(self, state: State) -> tuple[Run, ...]:
        source = self.source
        if "runs" in source:
            return tuple(
                Run(
                    riders=tuple(self.rider_number(rider) for rider in run["riders"]),
                    turn=run.get("turn", 0),
                    agenda=tuple(self.todo(todo) for todo in reversed(run["agenda"])),
                )
                for run in source["runs"]
            )
        turn = source.get("turn", 1)
        if self.trial:
            return tuple(
                Run(riders=team, turn=turn - 1, agenda=(Todo(Do.RUN_TURN),))
                for team in runs_of(self.options.kind, list(state.riders))
                if any(state.riders[i].racing for i in team)
            )
        phase = source.get("phase", "T1")
        if phase not in PHASES:
            raise Unreadable(
                gettext_noop('There is no phase "%(phase)s"; there are %(phases)s.'),
                phase=str(phase)[:20], phases=", ".join(PHASES),
            )  # fmt: skip
        agenda = [Todo(do) for do in PHASES[phase]]
        if state.gone:
            agenda = [todo for todo in agenda if todo.do not in (Do.BREAKAWAYS, Do.ATTACKS, Do.PURSUE, Do.ROLL)]
        return (Run(riders=tuple(range(len(state.riders))), turn=turn, agenda=tuple(reversed(agenda))),)

    def begun(self, state: State) -> State:
        """The state in which somebody is asked: what follows by itself from the phase has been done."""
        if not self.trial:
            return begin(Work(state))
        for run in range(len(state.runs)):
            state = begin(Work(state, run))
        return state


def read_state(source: Mapping[str, Any]) -> State:
    """A state from `write_state`, or from a position told in part. `Unreadable` says what is wrong."""
    if not isinstance(source, Mapping):
        raise Unreadable(gettext_noop("A position is an object."))
    try:
        return _Reader(source).state()
    except RulesError:
        raise
    except (KeyError, ValueError, TypeError, AttributeError, IndexError) as fault:
        raise Unreadable(
            gettext_noop("This is no position of a stage: %(fault)s. See what `describe giro` says."),
            fault=str(fault)[:200],
        ) from fault


def _known(source: Mapping[str, Any], known: Sequence[str], what: str) -> None:
    if not isinstance(source, Mapping):
        raise Unreadable(gettext_noop("%(what)s is an object."), what=what)
    for name in source:
        if name not in known:
            raise Unreadable(
                gettext_noop('%(what)s has no "%(name)s"; it has %(known)s.'),
                what=what, name=str(name)[:40], known=", ".join(known),
            )  # fmt: skip


def _shaped(source: Mapping[str, Any], shapes: Mapping[str, Callable[[object], bool]]) -> None:
    for name, value in source.items():
        if name in shapes and not shapes[name](value):
            raise Unreadable(
                gettext_noop('"%(name)s" of a position cannot be %(value)s.'), name=name, value=repr(value)[:40]
            )


def _possible(state: State) -> None:
    """What no stage can be: two riders on one square, or one on none, energy below nothing, a tile of a value that none has."""
    faults: list[Saying] = []
    for run in state.runs:
        seen: dict[int, str] = {}
        for i in run.riders:
            rider = state.riders[i]
            if rider.active and rider.square in seen:
                faults.append(
                    Saying(
                        message=gettext_noop("%(one)s and %(other)s stand on one square."),
                        params={"one": seen[rider.square], "other": rider.entry.id},
                    )
                )
            if rider.active:
                seen[rider.square] = rider.entry.id
            if rider.fell > run.turn + 1:  # nobody would be asked for as long as he lies there
                faults.append(
                    Saying(
                        message=gettext_noop("%(rider)s cannot have fallen in a turn that is yet to come."),
                        params={"rider": rider.entry.id},
                    )
                )
    values = [value for value, _ in state.options.feed_tiles]
    for rider in state.riders:
        seven = list(rider.crack_tiles)
        if (
            rider.energy < 0
            or any(tile != UNSEEN and tile not in values for tile in rider.tiles)
            or any(seven.count(tile) > data.CRACK_TILES.count(tile) for tile in seven)
            or (state.time_trial and rider.where is Where.ROAD and not seven)
        ):
            faults.append(
                Saying(
                    message=gettext_noop("%(rider)s cannot have that energy or those tiles."),
                    params={"rider": rider.entry.id},
                )
            )
        if (rider.where is Where.INSIDE and state.gone and not state.time_trial) or (
            rider.where is Where.ROAD and rider.square == NOWHERE
        ):
            faults.append(
                Saying(
                    message=gettext_noop("%(rider)s is nowhere: the peloton has left, or no square is told."),
                    params={"rider": rider.entry.id},
                )
            )
    if state.over and any(rider.racing for rider in state.riders):
        faults.append(Saying(message=gettext_noop("A stage is over when nobody is racing.")))
    if faults:
        raise RulesError(*faults)


__all__ = ["PHASES", "POSITION", "RIDER", "read_state", "write_state"]
