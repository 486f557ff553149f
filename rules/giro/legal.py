"""What may be answered to a decision, what may fall and how likely it is, and the answer for somebody who is absent."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import permutations
from math import factorial
from types import MappingProxyType
from typing import Any, Final, overload

from rules.chance import Weighted
from rules.errors import IllegalAction, gettext_noop
from rules.game import Decision, Taker
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
from rules.giro.cards import Card, CardMethod
from rules.giro.feeding import COLOUR_INDEX, tiles_left
from rules.giro.movement import judged, open_to
from rules.giro.peloton import can_be_sent
from rules.giro.preparing import cards_for, picks, strengths
from rules.giro.state import COLOURS, NOBODY, UNSEEN, Do, Face, State, Todo
from rules.giro.time_trial import derived_clock, run_name

EDDIE: Final = Card.EDDIE
EVENT_DIE = tuple(range(1, 13))
"""Faces of the event die, once each."""


class Choices(Sequence[Action]):
    """The answers to a decision, one for each effect. `in` also knows other paths of the same effect, actions that leave
    out the only rider who can be meant, and what stays unseen at a table (GI-M-10)."""

    __slots__ = ("_items", "_state", "_todo")

    def __init__(self, state: State, todo: Todo, items: tuple[Action, ...]) -> None:
        self._state, self._todo, self._items = state, todo, items

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[Action]:
        return iter(self._items)

    @overload
    def __getitem__(self, index: int) -> Action: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Action]: ...
    def __getitem__(self, index: int | slice) -> Action | Sequence[Action]:
        return self._items[index]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Choices) and self._items == other._items

    def __hash__(self) -> int:
        return hash(self._items)

    def __contains__(self, action: object) -> bool:
        if action in self._items:
            return True
        state, todo = self._state, self._todo
        about = None if todo.rider == NOBODY else state.riders[todo.rider].entry.id
        alone = sum(bool(run.agenda) for run in state.runs) == 1  # else a rider who is left out could be any of them
        named: Any = action
        if alone and about is not None and getattr(named, "rider", about) is None:
            named = replace(named, rider=about)
            if named in self._items:
                return True
        if isinstance(named, Pick):
            return replace(named, riders=tuple(sorted(named.riders, key=COLOURS.index))) in self._items
        if isinstance(named, DrawnTile | DealtCard) and named.rider == about:
            return _can_fall(state, todo, named)
        if todo.do is Do.MOVE and isinstance(named, Move) and named.rider == about:
            return _rideable(state, todo.rider, named)
        if todo.do is Do.ATTACK and isinstance(named, BreakAway):
            for i, rider in enumerate(state.riders):
                if rider.entry.id == named.rider and can_be_sent(rider, todo.seat):
                    return _rideable(state, i, named)
        return False


class Clocks(Sequence[Action]):
    """Every order that a stopwatch can have shown, made only when it is asked for: twelve runs have 479,001,600."""

    def __init__(self, state: State) -> None:
        self._names = tuple(run_name(state, run.riders) for run in state.runs)

    def __len__(self) -> int:
        return factorial(len(self._names))

    def __iter__(self) -> Iterator[Action]:
        return (ReadClock(order=order) for order in permutations(self._names))

    @overload
    def __getitem__(self, index: int) -> Action: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Action]: ...
    def __getitem__(self, index: int | slice) -> Action | Sequence[Action]:
        if isinstance(index, slice):
            return [self[i] for i in range(len(self))[index]]
        index = range(len(self))[index]
        left, order = list(self._names), []
        while left:
            place, index = divmod(index, factorial(len(left) - 1))
            order.append(left.pop(place))
        return ReadClock(order=tuple(order))

    def __contains__(self, action: object) -> bool:
        return isinstance(action, ReadClock) and sorted(action.order) == sorted(self._names)


def _can_fall(state: State, todo: Todo, action: Action) -> bool:
    if not outcomes(state, todo) or type(outcomes(state, todo)[0].action) is not type(action):
        return False
    try:
        must_be_able_to_fall(state, todo, action)
    except IllegalAction:
        return False
    return True


def _rideable(state: State, number: int, action: Move | BreakAway) -> bool:
    try:
        judged(state, number, action)
    except IllegalAction:
        return False
    return True


# ---- legal -----------------------------------------------------------------------------------------------------------
def choices(state: State, todo: Todo) -> Choices:
    """Every answer to the step that waits."""
    return Choices(state, todo, _answers(state, todo))


def _answers(state: State, todo: Todo) -> tuple[Action, ...]:
    answers = _ANSWERS.get(todo.do)
    if answers is not None:
        return answers(state, todo)
    return tuple([outcome.action for outcome in outcomes(state, todo)])


def moves(state: State, number: int) -> tuple[Action, ...]:
    """Tiles and cards that may come first, then every way to ride, those with a risk too; to stay only where none is.

    Rules: GI-B1-11, GI-C2-01, GI-C4-03.
    """
    rider = state.riders[number]
    ways: tuple[Action, ...] = open_to(state, number)
    if rider.card is not None:
        ways = (*ways, *open_to(state, number, rider.card))
    if not ways:
        ways = (Stay(rider=rider.entry.id),)
    aside = _asides(state, number)
    return (*aside, *ways) if aside else ways


def _asides(state: State, number: int) -> tuple[Action, ...]:
    """What a rider may do before he is asked again: reveal a tile, play Eddie, turn up a card. Rules: GI-C4-03, GI-S-03, GI-M-10."""
    rider = state.riders[number]
    if not rider.tiles and rider.card is not EDDIE and not rider.unseen_card:
        return ()
    name = rider.entry.id
    out: list[Action] = [Reveal(rider=name, tile=tile) for tile in sorted(set(rider.tiles))]
    if rider.card is Card.EDDIE and tiles_left(state, COLOUR_INDEX[rider.entry.speciality]) > 0:
        out.append(PlayEddie(rider=name))
    if rider.unseen_card:
        out.append(ShowCard(rider=name))
    return tuple(out)


def _attacks(state: State, seat: int) -> tuple[Action, ...]:
    """T2: send somebody, let somebody drop, or nobody more. Rules: GI-B2-01, GI-B2-07."""
    out: list[Action] = [End()]
    for i, rider in enumerate(state.riders):
        if can_be_sent(rider, seat):
            out.append(Drop(rider=rider.entry.id))
            out.extend(_asides(state, i))
            out.extend(open_to(state, i))
            if rider.card is not None:
                out.extend(open_to(state, i, rider.card))
    return tuple(out)


def _jokers(state: State, number: int) -> tuple[Action, ...]:
    """Alfredo or not. With hidden cards everybody is asked, and only one who has him can say yes. Rules: GI-C3-09; spec 4.2."""
    rider = state.riders[number]
    name = rider.entry.id
    if rider.unseen_card:
        return UseJoker(rider=name, yes=False), ShowCard(rider=name)
    if rider.card is Card.ALFREDO:
        return UseJoker(rider=name, yes=True), UseJoker(rider=name, yes=False)
    return (UseJoker(rider=name, yes=False),)


def _pays_or_not(state: State, todo: Todo) -> tuple[Action, ...]:
    """Energy for the peloton's price, or let go. Rules: GI-B4-05."""
    return (*_asides(state, todo.rider), LetGo(rider=state.riders[todo.rider].entry.id))


def _tile_just_drawn(state: State, todo: Todo) -> tuple[Action, ...]:
    """Rules: GI-C4-03."""
    name = state.riders[todo.rider].entry.id
    return UseTile(rider=name), KeepTile(rider=name)


_PURSUE: Final = (Pursue(yes=False), Pursue(yes=True))

_ANSWERS: Final[Mapping[Do, Callable[[State, Todo], tuple[Action, ...]]]] = MappingProxyType(
    {
        Do.MOVE: lambda state, todo: moves(state, todo.rider),
        Do.ATTACK: lambda state, todo: _attacks(state, todo.seat),
        Do.PURSUE: lambda state, todo: _PURSUE,
        Do.PAY: _pays_or_not,
        Do.TILE: _tile_just_drawn,
        Do.JOKER: lambda state, todo: _jokers(state, todo.rider),
        Do.PICK: lambda state, todo: tuple(picks(state)),
        Do.STRENGTH: lambda state, todo: tuple(strengths(state, todo.seat)),
    }
)
"""What a seat may answer to each step that asks one."""


# ---- chance ----------------------------------------------------------------------------------------------------------
def outcomes(state: State, todo: Todo) -> tuple[Weighted[Action], ...]:
    """What may fall, with its weight; nothing if the step is no chance. Rules: GI-M-01, GI-M-10; spec 4.0."""
    falls = _FALLS.get(todo.do)
    return () if falls is None else falls(state, todo)


def _name(state: State, todo: Todo) -> str:
    return state.riders[todo.rider].entry.id


def _tiles(state: State, todo: Todo) -> tuple[Weighted[Action], ...]:
    entry = state.riders[todo.rider].entry
    return _pile(entry.id, state.options.feed_tiles, state.piles[COLOUR_INDEX[entry.speciality]].left)


def _crack_tiles(state: State, todo: Todo) -> tuple[Weighted[Action], ...]:
    name, left = _name(state, todo), state.riders[todo.rider].crack_tiles
    return tuple(Weighted(DrawnCrackTile(rider=name, value=value), left.count(value)) for value in sorted(set(left)))


def _cards(name: str, cards: Iterable[Card]) -> tuple[Weighted[Action], ...]:
    return tuple([Weighted(DealtCard(rider=name, card=card), 1) for card in cards])


@lru_cache(maxsize=64)
def _peloton_die(faces: tuple[Face, ...]) -> tuple[Weighted[Action], ...]:
    return tuple(Weighted(PelotonDie(value=face.value, red=face.red), face.weight) for face in faces)


@lru_cache(maxsize=1024)
def _event_die(rider: str) -> tuple[Weighted[Action], ...]:
    return tuple(Weighted(EventDie(rider=rider, value=value), 1) for value in EVENT_DIE)


@lru_cache(maxsize=1024)
def _pile(rider: str, values: tuple[tuple[int, int], ...], left: tuple[int, ...]) -> tuple[Weighted[Action], ...]:
    tiles = zip(values, left, strict=True)
    return tuple(Weighted(DrawnTile(rider=rider, value=value), count) for (value, _), count in tiles if count)


_FALLS: Final[Mapping[Do, Callable[[State, Todo], tuple[Weighted[Action], ...]]]] = MappingProxyType(
    {
        Do.ROLL: lambda state, todo: _peloton_die(state.options.peloton_die),
        Do.PUNCTURE: lambda state, todo: _event_die(_name(state, todo)),
        Do.CRACK: lambda state, todo: _event_die(_name(state, todo)),
        Do.FALL: lambda state, todo: _event_die(_name(state, todo)),
        Do.DRAW: _tiles,
        Do.EDDIE: _tiles,
        Do.SHOW_TILE: _tiles,
        Do.CRACK_TILE: _crack_tiles,
        Do.CARD: lambda state, todo: _cards(_name(state, todo), cards_for(state, todo.rider)),
        Do.SHOW_CARD: lambda state, todo: _cards(_name(state, todo), state.undealt),
        Do.FIRST_SEAT: lambda state, todo: tuple(Weighted(FirstSeat(seat=seat), 1) for seat in state.seats),
        Do.FIRST_TOKEN: lambda state, todo: tuple(Weighted(FirstToken(seat=seat), 1) for seat in state.seats),
    }
)
"""What may fall at each step that chance answers."""


def must_be_able_to_fall(state: State, todo: Todo, action: Any) -> None:
    """IllegalAction if chance cannot have given that. At a table it may be *unseen*: GI-M-10. Rules: GI-M-01."""
    if isinstance(action, EventDie):
        if 1 <= action.value <= EVENT_DIE[-1]:
            return
    elif isinstance(action, DrawnTile) and action.value == UNSEEN:
        if todo.do is Do.DRAW:
            return
    elif isinstance(action, DealtCard) and action.card is None:
        if todo.do is Do.CARD and state.options.cards is CardMethod.BLIND:
            return
    else:
        possible = outcomes(state, todo)
        if not possible:
            return
        named = action
        if todo.rider != NOBODY and action.rider is None:
            named = replace(action, rider=state.riders[todo.rider].entry.id)
        if any(outcome.action == named for outcome in possible):
            return
    raise IllegalAction(
        "GI-M-01",
        gettext_noop("That cannot have fallen: a %(kind)s has none of these."),
        kind=action.kind,
    )


# ---- the answer of somebody who is absent ----------------------------------------------------------------------------
def default(state: State, decision: Decision, todo: Todo | None) -> Action:
    """The answer when time is up, and a bot's when it has none better (table of spec 4.2); of chance, the likeliest."""
    if todo is None:
        assert decision.taker is Taker.ORGANISER, "only the clock is on no agenda"
        return ReadClock(order=tuple(run_name(state, state.runs[run].riders) for run in derived_clock(state)))
    match todo.do:
        case Do.MOVE:
            ways = [action for action in moves(state, todo.rider) if isinstance(action, Move)]
            if not ways:
                return Stay(rider=state.riders[todo.rider].entry.id)
            return min(ways, key=lambda way: _modest(state, way))
        case Do.ATTACK:
            return End()
        case Do.PURSUE:
            return Pursue(yes=False)
        case Do.PAY:
            return _pays(state, todo)
        case Do.TILE:
            return KeepTile(rider=state.riders[todo.rider].entry.id)
        case Do.JOKER:
            return _jokers(state, todo.rider)[0]
        case Do.PICK:
            return picks(state)[0]
        case Do.STRENGTH:
            return strengths(state, todo.seat)[0]
        case _:
            return max(outcomes(state, todo), key=lambda outcome: outcome.weight).action


def _modest(state: State, way: Move) -> tuple[bool, bool, int, int, int, tuple[int, ...]]:
    """No risk, no card, the cheapest, the farthest, the leftmost lane: the smaller the better."""
    effect = way.effect
    assert effect is not None, "a listed move has its effect"
    return effect.risk is not None, way.card, effect.cost, -effect.steps, state.options.course.lane[effect.to], way.path


def _pays(state: State, todo: Todo) -> Action:
    """The lowest single tile that suffices, else of the fewest tiles that do the highest first, else let go."""
    rider = state.riders[todo.rider]
    short = todo.amount - rider.energy
    tiles = sorted(tile for tile in rider.tiles if tile != UNSEEN)
    enough = [tile for tile in tiles if tile >= short]
    if enough:
        return Reveal(rider=rider.entry.id, tile=enough[0])
    if sum(tiles) >= short:
        return Reveal(rider=rider.entry.id, tile=tiles[-1])
    return LetGo(rider=rider.entry.id)
