"""A state as JSON, and a state from a position that is told only in part.

Written, a state is complete and readable: cyclists, teams, seats and lines by their names. Read, whatever is left out has
its default: an example names some cyclists, where they are and what they hold; the rest follows.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from rules.breaking_away import data, typed
from rules.breaking_away.events import Reason
from rules.breaking_away.field import Field, Team, field_of
from rules.breaking_away.impossible import faults
from rules.breaking_away.movement import rating
from rules.breaking_away.options import OPTIONS, TurnMode, read_options, write_options
from rules.breaking_away.public import known, possible
from rules.breaking_away.setup import MADISON_NUMBERS, fixed_ratings, start_of
from rules.breaking_away.state import (
    NOBODY,
    RACING_PHASES,
    UNRATED,
    UNSEEN_ORDERS,
    Asides,
    Factors,
    Phase,
    Racer,
    Relief,
    Request,
    State,
    Where,
)
from rules.breaking_away.turn import advance, racing, rides
from rules.breaking_away.view import View
from rules.errors import RulesError, Unreadable, gettext_noop
from rules.game import Seat

UNSEEN: Final = "unseen"
"""In place of orders or ratings that are in and not known here."""

POSITION: Final = (
    *OPTIONS, "options", "seats", "teams", "cyclists", "phase", "turn", "first", "order", "index", "leader", "lines", "given",
    "orders", "requests", "asked", "stop", "over",
)  # fmt: skip
TEAM: Final = ("id", "seat", "numbers", "ratings", "where", "finished", "changed", "overdue")
CYCLIST: Final = ("id", "at", "rests", "hand", "spent", "gained", "open", "where", "finished", "moved")


# ---- writing ---------------------------------------------------------------------------------------------------------
def write_state(state: State) -> dict[str, Any]:
    """Everything that a state is, as JSON that `read_state` reads back to an equal one."""
    field = state.field
    names, seats = field.names, field.seats
    return {
        "options": write_options(field.options),
        "seats": list(seats),
        "teams": [_write_team(state, number) for number in range(len(field.teams))],
        "cyclists": dict(pair for racer in range(len(state.racers)) for pair in _write_cyclists(state, racer).items()),
        "phase": state.phase.value,
        "turn": state.turn,
        "first": None if state.first == NOBODY else seats[state.first],
        "order": [names[racer] for racer in state.order],
        "index": state.done,
        "leader": None if state.leader == NOBODY else names[state.leader],
        "lines": {
            line.id: [names[racer] for racer in crossed]
            for line, crossed in zip(field.course.lines, state.lines, strict=True)
        },
        "given": [team.id for team, given in zip(field.teams, state.given, strict=True) if given],
        "orders": {seats[seat]: _write_orders(state, seat) for seat in range(len(state.orders))},
        "requests": [
            {"id": names[request.racer], "yes": [seats[seat] for seat in request.yes]}
            for request in state.asides.requests
        ],
        "asked": [names[racer] for racer in state.asides.asked],
        "stop": [seats[seat] for seat in state.asides.stop],
        "over": None if state.over is None else state.over.value,
    }


def _write_team(state: State, number: int) -> dict[str, Any]:
    field = state.field
    team = field.teams[number]
    told: dict[str, Any] = {"id": team.id, "seat": field.seats[team.seat], "numbers": list(team.numbers)}
    if field.madison:
        (racer,) = field.racers_of_team[number]
        him = state.racers[racer]
        assert him.relief is not None
        pair = state.ratings[number]
        told |= {
            "ratings": UNSEEN if pair == UNRATED else pair and list(pair),
            "where": him.where.value,
            "finished": him.finished,
            "changed": him.relief.changed,
            "overdue": him.relief.overdue,
        }
    return told


def _write_cyclists(state: State, racer: int) -> dict[str, Any]:
    """The cyclist that a racer is; in a Madison both, the one who rides with `at`, the other with `rests`."""
    field, him = state.field, state.racers[racer]
    own = field.cyclists[racer]
    relief = him.relief
    if relief is None:
        return {own[0]: {"at": him.pos} | _write_hand(him) | {"where": him.where.value, "finished": him.finished}}
    riding = {"at": him.pos} | _write_hand(him)
    resting = {"rests": None if relief.square == NOBODY else relief.square} | _write_hand(relief)
    return {name: riding if side == relief.side else resting for side, name in enumerate(own)}


def _write_hand(of: Racer | Relief) -> dict[str, Any]:
    return {
        "hand": None if of.hand is None else list(of.hand),
        "spent": list(of.spent),
        "gained": list(of.gained),
        "open": of.open,
    }


def _write_orders(state: State, seat: int) -> Any:
    factors = state.orders[seat]
    if factors is None:
        return None
    if factors == UNSEEN_ORDERS:
        return UNSEEN
    return {rides(state, racer): factor for racer, factor in zip(racing(state, seat), factors, strict=True)}


def write_view(view: View) -> dict[str, Any]:
    """A view as JSON: a position, and beside each hand that is not known what public data tell of it.

    `held` are the factors that are surely in it, `may` all that he might spend next. Rules: BA-INFO-04.
    """
    state = view.state
    told = {"seat": view.seat} | write_state(state)
    if state.phase in RACING_PHASES:
        for racer, names in enumerate(state.field.cyclists):
            for side, name in enumerate(names):
                cyclist = told["cyclists"][name]
                if cyclist["hand"] is None:
                    spent, gained = tuple(cyclist["spent"]), tuple(cyclist["gained"])
                    cyclist["held"] = list(known(spent, gained).held)
                    exact = state.field.options.allocation_exact
                    cyclist["may"] = list(possible(spent, gained, rating(state, racer, side), exact))
    return told


# ---- reading ---------------------------------------------------------------------------------------------------------
class _Reader:
    """Reads one position. Whatever cannot be read is a sentence in `Unreadable`."""

    def __init__(self, source: Mapping[str, Any]) -> None:
        self.source = source
        _known(source, POSITION, gettext_noop("A position"))
        self.options = read_options(
            dict(source.get("options", {})) | {name: source[name] for name in OPTIONS if name in source}
        )
        self.told: dict[str, Mapping[str, Any]] = _by_id(source.get("cyclists", {}), CYCLIST, gettext_noop("A cyclist"))
        self.told_teams = _by_id(source.get("teams", []), TEAM, gettext_noop("A team"))
        seats = [Seat(typed.text(seat)) for seat in source.get("seats", ())]
        self._find_teams()
        seats = seats or [Seat(seat) for seat in dict.fromkeys(of["seat"] for of in self.told_teams.values())]
        teams = tuple(
            Team(name, _place(seats, of["seat"]), tuple(map(typed.number, of["numbers"])))
            for name, of in self.told_teams.items()
        )
        for team in teams:
            some = set(team.numbers)
            all_of_them = MADISON_NUMBERS if self.options.madison else data.CYCLISTS
            if (
                len(some) < len(team.numbers)
                or not some <= set(all_of_them)
                or (self.options.madison and len(some) < 2)
            ):
                raise Unreadable(
                    gettext_noop("The cyclists of a team are numbers 1 to 4, each once; in a Madison 1 and 2.")
                )
        self.field: Field = field_of(self.options, tuple(seats), teams)
        if unknown := self.told.keys() - self.field.places.keys():
            raise Unreadable(gettext_noop('There is no cyclist "%(cyclist)s" here.'), cyclist=min(unknown)[:40])
        self.phase = Phase(
            source.get("phase", Phase.ORDERS if self.options.turn_mode is TurnMode.ORDERS else Phase.MOVE)
        )
        self.turn = typed.number(source.get("turn", 1 if self.phase in RACING_PHASES else 0))

    def _find_teams(self) -> None:
        """The teams with their seats and numbers, as far as they are not told: from the ids of the cyclists, or all four."""
        seats = [typed.text(seat) for seat in self.source.get("seats", ())]
        teams = {name: dict(of) for name, of in self.told_teams.items()}
        if not teams:
            names = dict.fromkeys(name[:-1] for name in self.told) or dict.fromkeys(seats)
            teams = {name: {} for name in names}
        for name, of in teams.items():
            own = sorted(int(one[-1]) for one in self.told if one[:-1] == name)
            all_of_them = MADISON_NUMBERS if self.options.madison else data.CYCLISTS
            of.setdefault("seat", name)
            of.setdefault("numbers", all_of_them if self.options.madison else own or all_of_them)
        self.told_teams = dict(teams)

    def racer(self, name: object) -> int:
        return _place(self.field.names, name)

    def seat(self, name: object) -> int:
        return _place(self.field.seats, name)

    # ---- hands and places --------------------------------------------------------------------------------------------
    def hand(self, told: Mapping[str, Any], rating: int) -> dict[str, Any]:
        hand: Factors | None = None
        if "hand" in told:
            hand = None if told["hand"] is None else _factors(told["hand"])
        elif self.phase in RACING_PHASES and not self.options.closed and rating:
            hand = data.DEFAULT_HANDS[rating][: -1 if told.get("moved") else None]
        return {
            "hand": None if hand is None else tuple(sorted(hand)),
            "spent": _factors(told.get("spent", ())),
            "gained": _factors(told.get("gained", ())),
            "open": typed.truth(told.get("open", self.options.open_hands and self.phase in RACING_PHASES)),
        }

    def racers(self) -> tuple[Racer, ...]:
        made = []
        for number, names in enumerate(self.field.cyclists):
            told = [self.told.get(name, {}) for name in names]
            if self.field.madison:
                made.append(self.madison_racer(number, told))
                continue
            made.append(
                Racer(
                    pos=typed.number(told[0].get("at", start_of(self.field, self.field.number[number]))),
                    where=Where(told[0].get("where", Where.RACING)),
                    finished=self.finished(number, told[0]),
                    **self.hand(told[0], self.field.number[number]),
                )
            )
        return tuple(made)

    def madison_racer(self, number: int, told: Sequence[Mapping[str, Any]]) -> Racer:
        team = self.told_teams[self.field.names[number]]
        pair = self.ratings()[number] or UNRATED
        side = 1 if "at" in told[1] and "at" not in told[0] else 0
        rests = told[1 - side].get("rests")
        return Racer(
            pos=typed.number(told[side].get("at", 0)),
            where=Where(team.get("where", Where.RACING)),
            finished=self.finished(number, team),
            relief=Relief(
                side=side,
                square=NOBODY if rests is None else typed.number(rests),
                changed=typed.number(team.get("changed", 0)),
                overdue=typed.truth(team.get("overdue", False)),
                **self.hand(told[1 - side], pair[1 - side]),
            ),
            **self.hand(told[side], pair[side]),
        )

    def finished(self, racer: int, told: Mapping[str, Any]) -> int:
        crossed = self.field.names[racer] in self.source.get("lines", {}).get(self.field.course.finish.id, ())
        return typed.number(told.get("finished", max(1, self.turn) if crossed else 0))

    def ratings(self) -> tuple[tuple[int, int] | None, ...]:
        if not self.field.madison:
            return ()
        usual = fixed_ratings(self.field)
        if self.phase is not Phase.RATE:
            usual = tuple(pair or data.STRONG for pair in usual)
        found: list[tuple[int, int] | None] = []
        for team, otherwise in zip(self.told_teams.values(), usual, strict=True):
            told = team.get("ratings", otherwise)
            if told == UNSEEN:
                found.append(UNRATED)
            elif told is None:
                found.append(None)
            else:
                r1, r2 = map(typed.number, told)
                if not {r1, r2} <= data.ALLOTMENTS.keys():
                    raise ValueError(told)
                found.append((r1, r2))
        return tuple(found)

    # ---- the turn ----------------------------------------------------------------------------------------------------
    def order(self, racers: Sequence[Racer]) -> tuple[int, ...]:
        """Who moves when: as told; else who has moved, as told, then the others front first, as told on one square."""
        if "order" in self.source:
            found = tuple(self.racer(name) for name in self.source["order"])
            if len(set(found)) < len(found):
                raise ValueError(self.source["order"])
            return found
        if self.phase not in RACING_PHASES | {Phase.PLACE}:
            return ()
        names = [*self.told, *(name for name in self.field.places if name not in self.told)]
        as_told = list(dict.fromkeys(self.field.places[name][0] for name in names))
        on_course = [racer for racer in as_told if racers[racer].where is Where.RACING]
        moved = [racer for racer in on_course if self.has_moved(racer)]
        waiting = [racer for racer in on_course if not self.has_moved(racer)]
        return (*moved, *sorted(waiting, key=lambda racer: -racers[racer].pos))

    def has_moved(self, racer: int) -> bool:
        return any(typed.truth(self.told.get(name, {}).get("moved", False)) for name in self.field.cyclists[racer])

    def lines(self) -> tuple[tuple[int, ...], ...]:
        told = self.source.get("lines", {})
        ids = [line.id for line in self.field.course.lines]
        _known(told, ids, gettext_noop("The lines"))
        return tuple(tuple(self.racer(name) for name in told.get(line, ())) for line in ids)

    def given(self) -> tuple[bool, ...]:
        ids = [team.id for team in self.field.teams]
        usual = [] if self.phase in (Phase.RATE, Phase.ALLOCATE) else ids
        told = {_place(ids, name) for name in self.source.get("given", usual)}
        return tuple(team in told for team in range(len(ids)))

    def orders(self, state: State) -> tuple[Factors | None, ...]:
        if self.phase is not Phase.ORDERS and "orders" not in self.source:
            return ()
        told = self.source.get("orders", {})
        _known(told, self.field.seats, gettext_noop("The orders"))
        if not told and self.phase is not Phase.ORDERS:
            return ()
        found: list[Factors | None] = []
        for number, seat in enumerate(self.field.seats):
            given = told.get(seat)
            if given is None:
                found.append(None)
            elif given == UNSEEN:
                found.append(UNSEEN_ORDERS)
            else:
                own = [rides(state, racer) for racer in racing(state, number)]
                _known(given, own, gettext_noop("An order sheet"))
                found.append(tuple(typed.number(given[name]) for name in own))
        return tuple(found)

    def asides(self, racers: Sequence[Racer]) -> Asides:
        source = self.source
        return Asides(
            requests=tuple(
                Request(self.racer(request["id"]), tuple(sorted(self.seat(seat) for seat in request.get("yes", ()))))
                for request in source.get("requests", ())
            ),
            asked=tuple(
                sorted(
                    self.racer(name)
                    for name in source.get("asked", [request["id"] for request in source.get("requests", ())])
                )
            ),
            gone=tuple(number for number, racer in enumerate(racers) if racer.finished or racer.where is Where.RETIRED),
            stop=tuple(sorted(self.seat(seat) for seat in source.get("stop", ()))),
        )

    def state(self) -> State:
        source, field = self.source, self.field
        racers = self.racers()
        order = self.order(racers)
        first = source.get("first", field.seats[0] if self.phase in RACING_PHASES and field.seats else None)
        leader = source.get("leader")
        over = source.get("over")
        state = State(
            field=field,
            phase=self.phase,
            racers=racers,
            lines=self.lines(),
            order=order,
            done=typed.number(source.get("index", sum(self.has_moved(racer) for racer in order))),
            turn=self.turn,
            leader=NOBODY if leader is None else self.racer(leader),
            first=NOBODY if first is None else self.seat(first),
            given=self.given(),
            ratings=self.ratings(),
            asides=self.asides(racers),
            over=None if over is None else Reason(over),
        )
        state = state._replace(orders=self.orders(state))
        if fault := next(faults(state), None):
            raise RulesError(fault)
        return advance(state, [])


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
            gettext_noop("This is no position of a race: %(fault)s. See what `describe breaking_away` says."),
            fault=str(fault)[:200],
        ) from fault


def _by_id(source: Any, known: Sequence[str], what: str) -> dict[str, Mapping[str, Any]]:
    """Entries told as a list with ids, or as an object by id."""
    listed = [{"id": name, **of} for name, of in source.items()] if isinstance(source, Mapping) else list(source)
    found: dict[str, Mapping[str, Any]] = {}
    for entry in listed:
        _known(entry, known, what)
        name = typed.text(entry["id"])
        if name in found:
            raise Unreadable(gettext_noop('"%(name)s" is told twice.'), name=name[:40])
        found[name] = entry
    return found


def _known(source: Any, known: Sequence[str], what: str) -> None:
    if not isinstance(source, Mapping):
        raise Unreadable(gettext_noop("%(what)s is an object."), what=what)
    for name in source:
        if name not in known:
            raise Unreadable(
                gettext_noop('%(what)s has no "%(name)s"; it has %(known)s.'),
                what=what,
                name=str(name)[:40],
                known=", ".join(known),
            )


def _place(names: Sequence[str], name: object) -> int:
    if not isinstance(name, str) or name not in names:
        raise Unreadable(
            gettext_noop('There is no "%(name)s" here; there are %(known)s.'),
            name=str(name)[:40],
            known=", ".join(names)[:200],
        )
    return names.index(name)


def _factors(value: Any) -> Factors:
    return tuple(typed.number(factor) for factor in value)
