"""A race in outline: riders in columns, each riding by his plan, dice thrown; quick enough to be ridden a thousand times.

What `expert` searches with. Left out: lanes and blocked roads, what cards do but for a free square or a drink. Kept: the
order of the turn, slipstream, the pursuit, the price of the peloton and who cannot pay it, bottles, punctures, falls that
have happened, the order at the line.
"""

import random
from collections.abc import Callable, Sequence
from copy import copy
from typing import Final, NamedTuple

from races.bots.giro import features
from races.bots.giro.plan import FROM_THE_PELOTON, FRONT_EDGE, NEVER, WITH_THE_PELOTON, Plan, Step
from rules.giro import data
from rules.giro.cards import CARDS, Card
from rules.giro.course import LineKind
from rules.giro.data import Terrain
from rules.giro.risks import needed
from rules.giro.state import NOBODY, UNSEEN, Do, State, Where

INSIDE: Final = 0
ROAD: Final = 1
DONE: Final = 2

CHANGES: Final = (
    "plans", "bonus", "where", "at", "arrival", "energy", "link", "slip", "fell", "waits", "fresh", "card", "boxes", "fed",
    "time", "agenda",
)  # fmt: skip
"""The lists of an outline that change as it is ridden."""

TURNS: Final = 40
"""Turns that are ridden in outline at most; whoever has not arrived then is held to arrive in the next one."""

WHEEL: Final = 0.13
"""Turns that a free square is worth."""

DEAR: Final = 5
"""Energy of a move from which on a card that gives a free square goes with it."""

KEPT: Final = 20_000
"""Ways that are kept with a plan."""

BEHIND_THE_PELOTON: Final = 0.98
"""When in its turn a rider crosses the line who moves after the peloton."""

EVENT_FACES: Final = 12


class Way(NamedTuple):
    """A move in outline."""

    time: float
    squares: int
    price: int  # negative: what he recovers
    cracks: bool  # at the risk of cracking


class Fate(NamedTuple):
    """The dice of one race in outline, thrown beforehand, so that several answers meet the same ones."""

    rolls: tuple[tuple[int, bool], ...]  # of the peloton, turn after turn
    seed: int


def fate(state: State, rng: random.Random) -> Fate:
    faces = [(face.value, face.red) for face in state.options.peloton_die for _ in range(face.weight)]
    return Fate(rolls=tuple(rng.choices(faces, k=TURNS)), seed=rng.getrandbits(32))


class Outline:
    """A race at one moment, changeable. Riders by their index."""

    def __init__(self, state: State, plans: Sequence[Plan]) -> None:
        """The position as it is. `with_fate` gives copies to ride on from it."""
        course = state.options.course
        riders = state.riders
        self.course = course
        self.columns = course.columns
        self.feeds = plans[0].feeds
        self.bonus_lines = course.columns_of(LineKind.BONUS) if state.options.giro else ()
        self.seat = [rider.entry.seat for rider in riders]
        self.seats = len(state.seats)
        self.teams = [[i for i, seat in enumerate(self.seat) if seat == own] for own in range(self.seats)]
        self.limit = [  # squares from which on a move that starts in a column leaves nobody in its slipstream
            data.DRAFT_LIMIT_DOWNHILL if course.terrain_at(column) is Terrain.DOWNHILL else data.DRAFT_LIMIT
            for column in range(self.columns + 2)
        ]
        self.first_turn = state.turn
        self.rolls: tuple[tuple[int, bool], ...] = ()
        self.rng = random.Random()  # noqa: S311 - a bot's thoughts are no secret

        self.plans = list(plans)
        self.bonus = list(state.bonus)
        self.front = features.front(state)
        self.gone = state.gone
        self.token = state.token
        self.turn = state.turn
        self.where = [
            INSIDE if rider.where is Where.INSIDE else ROAD if rider.where is Where.ROAD else DONE for rider in riders
        ]
        self.at = [course.column[rider.square] if rider.where is Where.ROAD else 0 for rider in riders]
        self.arrival = [rider.arrival for rider in riders]
        self.arrivals = state.arrivals
        self.energy = [rider.energy + sum(rider.tiles) for rider in riders]
        self.hidden = [rider.tiles.count(UNSEEN) + (rider.card is Card.EDDIE) for rider in riders]
        self.link = [rider.link for rider in riders]
        self.slip = [rider.slip for rider in riders]
        self.fell = [rider.fell for rider in riders]
        self.waits = [rider.waiting for rider in riders]
        self.fresh = [rider.fresh for rider in riders]
        self.card = [_square(rider.card) for rider in riders]
        self.boxes = [rider.risks for rider in riders]
        self.fed = [len(rider.fed) for rider in riders]
        self.pursued = state.pursued
        self.red = state.red
        self.time = [
            float(rider.turn or 0) + 0.001 * (rider.order or 0) if rider.where is Where.FINISHED else 0.0
            for rider in riders
        ]
        self.agenda = [(todo.do, todo.rider if todo.rider != NOBODY else todo.seat) for todo in state.runs[0].agenda]

    def with_fate(self, chance: Fate) -> "Outline":
        """A copy to ride on from, with its dice, and a guess at the tiles that are not known."""
        other = copy(self)
        other.rolls = chance.rolls
        other.rng = rng = random.Random(chance.seed)  # noqa: S311 - a bot's thoughts are no secret
        for name in CHANGES:
            setattr(other, name, getattr(self, name).copy())
        for i, tiles in enumerate(self.hidden):
            for _ in range(tiles):
                other.energy[i] += _TILES[int(rng.random() * len(_TILES))]
        return other

    # ---- the rest of the race --------------------------------------------------------------------------------------
    def finish(self) -> list[float]:
        """Ride to the end. For every rider his time: the turn in which he arrived, and within it his place in the order."""
        while self.agenda:
            self._step(*self.agenda.pop())
        while any(where != DONE for where in self.where) and self.turn - self.first_turn < TURNS - 1:
            self._whole_turn()
        for i, where in enumerate(self.where):
            if where != DONE:
                self.time[i] = self.turn + 5.0
        return self.time

    def _step(self, do: Do, who: int) -> None:
        if do is Do.MOVE:
            self.move(who)
        elif do is Do.ATTACKS:
            for seat in self._clockwise():
                self.attack(seat)
        elif do is Do.ATTACK:
            self.attack(who)
        elif do is Do.PURSUE:
            self.pursued = self.pursues()
        elif do is Do.ROLL:
            self.roll()
        elif do is Do.DROPPED:
            self.dropped()
        elif do is Do.PUNCTURES:
            self.punctures()
        elif do is Do.STAND_UP:
            self.stand_up()
        elif do is Do.PASS_TOKEN:
            self.pass_token()
        elif do is Do.TURN:
            self._whole_turn()

    def _whole_turn(self) -> None:
        self.turn += 1
        self.pursued = False
        if not self.gone:
            front = self.front
            ahead = [
                i
                for i, where in enumerate(self.where)
                if where == ROAD and self.at[i] > front and not self.waits[i] and not self.fell[i]
            ]
            for i in self._by_road(ahead):
                self.move(i)
            for seat in self._clockwise():
                self.attack(seat)
            self.pursued = self.pursues()
            self.roll()
        self.dropped()
        self.punctures()
        self.stand_up()
        self.pass_token()

    def _by_road(self, riders: list[int]) -> list[int]:
        at, arrival = self.at, self.arrival
        if len(riders) > 1:
            riders.sort(key=lambda i: (at[i], arrival[i]), reverse=True)
        return riders

    def _clockwise(self) -> list[int]:
        first = max(self.token, 0)
        return [(first + i) % self.seats for i in range(self.seats)]

    # ---- moving ------------------------------------------------------------------------------------------------------
    def move(self, i: int) -> None:
        """The rider's best way by his plan, with a wheel to sit on if that costs little."""
        here, front = self.at[i], self.front
        if self.waits[i]:
            self.waits[i] = False
            if not self.gone and front - 2 < here <= front:
                self._join(i)
                return
        free = self.slip[i] and 1
        card = self.card[i]
        plan = self.plans[i]
        ways = _ways(plan, here, front, self.energy[i], free, self.gone)
        way = ways[0]
        if len(ways) > 1:
            way = self._with_a_wheel(i, here, ways)
        if card is not None and way.price >= DEAR and self._applies(card, here):
            self.card[i] = None
            way = _ways(plan, here, front, self.energy[i], free + 1, self.gone)[0]
        self.go(i, here + way.squares, way, 0.0)

    def _applies(self, card: tuple[tuple[Terrain, ...], bool], column: int) -> bool:
        return self.course.terrain_at(column) in card[0] or (card[1] and self.course.in_sprint_zone(column))

    def _with_a_wheel(self, i: int, here: int, ways: Sequence[Way]) -> Way:
        at, where, best, least = self.at, self.where, ways[0], ways[0].time
        ahead = [
            at[j] - 1 for j in range(len(at)) if where[j] == ROAD and j != i and not self.waits[j] and not self.fell[j]
        ]
        if not ahead:
            return best
        for way in ways:
            time = way.time - WHEEL if here + way.squares in ahead else way.time
            if time < least:
                best, least = way, time
        return best

    def go(self, i: int, to: int, way: Way, later: float) -> None:
        """The rider is at `to` after that way. `later`: how late in a turn he arrives if he does."""
        here = self.at[i] if self.where[i] == ROAD else self.front
        squares, price = way.squares, way.price
        self.energy[i] -= price
        if way.cracks:
            plan = self.plans[i]
            if self.rng.random() >= plan.held:
                self.energy[i] -= price * (data.CRACK_TIMES - 1)
            self.plans[i] = plan.next
        if i in self.link:
            carries = squares < self.limit[max(here, 0)]
            for j, link in enumerate(self.link):
                if link == i:
                    self.slip[j] = carries
        self.link[i], self.slip[i] = NOBODY, False
        if self.feeds or self.bonus_lines:
            self._lines(i, here, to)
        if to > self.columns:
            self._arrive(i, later or (self.columns + 1 - here) * FRONT_EDGE)
            return
        self.where[i] = ROAD
        self.at[i] = to
        self.arrivals += 1
        self.arrival[i] = self.arrivals
        if not self.gone and self.front - 2 < to <= self.front:
            self._join(i)
            return
        if to + 1 in self.at:
            for j, where in enumerate(self.where):
                if where == ROAD and self.at[j] == to + 1 and not self.waits[j] and not self.fell[j]:
                    self.link[i] = j
                    break

    def falls(self, i: int) -> bool:
        """The rider, who has just moved, rolls against a fall: whether he lies beside the road."""
        least = needed(self.boxes[i], trial=False)
        self.boxes[i] += 1
        self.plans[i] = self.plans[i].next
        if self.rng.random() * EVENT_FACES >= least - 1:
            return False
        self.fell[i] = self.turn
        self.link[i] = NOBODY
        return True

    def _lines(self, i: int, since: int, until: int) -> None:
        """The rider has come from one column to another: what lies between is his, if it was nobody's or is for all."""
        for number, line in enumerate(self.bonus_lines):
            if since <= line < until and self.bonus[number] == NOBODY:
                self.bonus[number] = i
        for number, line in enumerate(self.feeds):
            if since <= line < until and self.fed[i] <= number:
                self.fed[i] = number + 1
                self.energy[i] += _TILES[int(self.rng.random() * len(_TILES))]

    def _arrive(self, i: int, later: float) -> None:
        self.where[i] = DONE
        self.arrivals += 1
        self.time[i] = self.turn + later + 1e-6 * self.arrivals

    def _join(self, i: int) -> None:
        self.where[i] = INSIDE
        self.link[i], self.slip[i] = NOBODY, False
        for j, link in enumerate(self.link):
            if link == i and self.where[j] == ROAD and not self.slip[j]:
                self.link[j] = NOBODY

    # ---- the peloton -------------------------------------------------------------------------------------------------
    def attack(self, seat: int) -> None:
        """Whoever of the seat gains by leaving now, leaves."""
        for i in self.teams[seat]:
            if self.where[i] == INSIDE:
                way = _attack(self.plans[i], self.front, self.energy[i], 0)
                if way is None:
                    continue
                card = self.card[i]
                if card is not None and way.price >= DEAR and self._applies(card, self.front):
                    self.card[i] = None
                    way = _attack(self.plans[i], self.front, self.energy[i], 1) or way
                self.go(i, self.front + way.squares, way, FROM_THE_PELOTON)

    def pursues(self) -> bool:
        """The seat at the front chases if it has nobody ahead, somebody inside, and a rival is ahead."""
        own_inside = rival_ahead = False
        for i, where in enumerate(self.where):
            if self.seat[i] == self.token:
                if where == DONE or (where == ROAD and self.at[i] > self.front):
                    return False
                own_inside = own_inside or where == INSIDE
            elif where == DONE or (where == ROAD and self.at[i] > self.front):
                rival_ahead = True
        return own_inside and rival_ahead

    def roll(self) -> None:
        value, self.red = self.rolls[self.turn - self.first_turn]
        inside = [i for i, where in enumerate(self.where) if where == INSIDE]
        squares = value + self.pursued + (not inside)
        before = self.front
        front = self.front = before + squares
        for i, where in enumerate(self.where):
            if where == ROAD and before < self.at[i] <= front and not self.waits[i] and not self.fell[i]:
                self.where[i] = INSIDE
                inside.append(i)
                self.slip[i] = False
                self.link[i] = NOBODY
                for j, link in enumerate(self.link):
                    if link == i:
                        self.link[j], self.slip[j] = NOBODY, False
        price = data.PELOTON_PRICE[squares]
        over = front > self.columns
        if over:
            self.front = self.columns + 1
        for i in inside:
            if self.energy[i] < price:
                self.where[i], self.at[i], self.fresh[i] = ROAD, self.front - 2, True
                self.arrivals += 1
                self.arrival[i] = self.arrivals
            else:
                self.energy[i] -= price
        if over:
            self.gone = True
            order = {seat: place for place, seat in enumerate(self._clockwise())}
            for i in sorted(inside, key=lambda i: order[self.seat[i]]):
                if self.where[i] == INSIDE:
                    self._arrive(i, WITH_THE_PELOTON)
            return
        if self.bonus_lines and len(inside) > 1:
            order = {seat: place for place, seat in enumerate(self._clockwise())}
            inside.sort(key=lambda i: order[self.seat[i]])
        for i in inside:
            if self.where[i] == INSIDE:
                self._lines(i, before, front)

    def dropped(self) -> None:
        late = []
        for i, where in enumerate(self.where):
            if where == ROAD and not self.fell[i]:
                if self.fresh[i]:
                    self.fresh[i] = False
                elif self.gone or self.waits[i] or self.at[i] <= self.front - 2:
                    late.append(i)
        for i in self._by_road(late):
            self.move_late(i)

    def move_late(self, i: int) -> None:
        here, front = self.at[i], self.front
        if self.waits[i]:
            self.waits[i] = False
            if not self.gone and front - 2 < here <= front:
                self._join(i)
                return
        way = _late(self.plans[i], here, front, self.energy[i], self.slip[i] and 1, self.gone)
        self.go(i, here + way.squares, way, BEHIND_THE_PELOTON)

    def punctures(self) -> None:
        if not self.red:
            return
        rng = self.rng
        for i, where in enumerate(self.where):
            if where != DONE and not self.fell[i] and rng.random() * EVENT_FACES < 1:
                self.waits[i] = True
                self.link[i], self.slip[i] = NOBODY, False
                for j, link in enumerate(self.link):
                    if link == i:
                        self.link[j], self.slip[j] = NOBODY, False
                if where == INSIDE:
                    self.where[i], self.at[i] = ROAD, self.front - 2
                    self.arrivals += 1
                    self.arrival[i] = self.arrivals

    def stand_up(self) -> None:
        for i, fell in enumerate(self.fell):
            if fell and fell < self.turn:
                self.fell[i] = 0
                if not self.gone and self.front - 2 < self.at[i] <= self.front:
                    self._join(i)

    def pass_token(self) -> None:
        racing = {self.seat[i] for i, where in enumerate(self.where) if where != DONE}
        for more in range(1, self.seats + 1):
            seat = (self.token + more) % self.seats
            if seat in racing:
                self.token = seat
                return


_TILES: Final = tuple(value for value, count in data.FEED_TILES.items() for _ in range(count))


def _square(card: Card | None) -> tuple[tuple[Terrain, ...], bool] | None:
    """Where a card gives a free square: terrains, and whether in the sprint zone."""
    if card is None:
        return None
    text = CARDS[card]
    return (text.square_on, text.square_in_sprint) if text.square_on or text.square_in_sprint else None


# ---- ways, kept by plan ----------------------------------------------------------------------------------------------
def _steps(plan: Plan, here: int, free: int, energy: int) -> list[Step]:
    """Moves that so much energy pays for."""
    here = max(0, min(here, plan.columns))
    return plan.steps(here, plan.free[here] + free, energy)


Look = Callable[[Plan, int, int, int], float]
"""Reads a time from a plan: column, column of the peloton's front, energy."""


def _time(plan: Plan, step: Step, energy: int, look: Look, to: int, front: int) -> float:
    """The time after a step to column `to`, of who has so much energy before it."""
    if not step.cracks:
        return look(plan, to, front, energy - step.price)
    good = look(plan.next, to, front, energy - step.price)
    bad = look(plan.next, to, front, energy - step.price * data.CRACK_TIMES)
    return plan.held * good + (1 - plan.held) * bad


def _alone(plan: Plan, to: int, front: int, energy: int) -> float:
    return 1 + plan.on_his_own(to, energy)


def _ahead(plan: Plan, to: int, front: int, energy: int) -> float:
    return plan.gone(to, front, energy)


def _after_the_roll(plan: Plan, to: int, front: int, energy: int) -> float:
    if to > front:
        return 1 + plan.outside(to, front, energy)
    if to > front - 2:
        return 1 + plan.in_the_peloton(front, energy)
    return 1 + features.behind(plan, to, front, energy)


def _ways(plan: Plan, here: int, front: int, energy: int, free: int, gone: bool) -> tuple[Way, ...]:
    """The best way of a rider ahead of the peloton, then those that are hardly worse."""
    energy = min(energy, plan.energy)
    key = (here, -1 if gone else front, energy, free)
    known = plan.ways.get(key)
    if known is None:
        rated = []
        for step in _steps(plan, here, free, energy):
            to = here + step.squares
            drunk = plan.bottle * plan.crossed(here, to)
            if to > plan.columns:
                time = step.squares * FRONT_EDGE
            else:
                time = _time(plan, step, energy + drunk, _alone if gone else _ahead, to, front)
            rated.append(Way(time, *step[:3]))
        least = min(way.time for way in rated)
        known = tuple(sorted(way for way in rated if way.time <= least + WHEEL))
        _keep(plan, key, known)
    return known


def _keep(plan: Plan, key: tuple[int, int, int, int], known: tuple[Way, ...]) -> None:
    if len(plan.ways) >= KEPT:
        plan.ways.clear()
    plan.ways[key] = known


def _attack(plan: Plan, front: int, energy: int, free: int) -> Way | None:
    """The best way out of the peloton, if it is better than to wait."""
    energy = min(energy, plan.energy)
    key = (front, -2, energy, free)
    known = plan.ways.get(key)
    if known is None:
        best = Way(plan.waiting(front, energy), 0, 0, False)
        for step in plan.attacks(front, plan.free[max(0, min(front, plan.columns))] + free, energy):
            to = front + step.squares
            if to > plan.columns:
                time = FROM_THE_PELOTON
            else:
                drunk = plan.bottle * plan.crossed(front, to)
                time = _time(plan, step, energy + drunk, _ahead, to, front)
            if time < best.time:
                best = Way(time, *step[:3])
        known = (best,) if best.squares else ()
        _keep(plan, key, known)
    return known[0] if known else None


def _late(plan: Plan, here: int, front: int, energy: int, free: int, gone: bool) -> Way:
    """The best way of a rider who moves after the peloton."""
    energy = min(energy, plan.energy)
    key = (here, -3 - front * (not gone), energy, free)
    known = plan.ways.get(key)
    if known is None:
        best = Way(NEVER * 2, 1, 0, False)
        for step in _steps(plan, here, free, energy):
            to = here + step.squares
            if to > plan.columns:
                time = BEHIND_THE_PELOTON
            elif not gone and here <= front < to:
                break  # not through the peloton
            else:
                time = _time(plan, step, energy, _alone if gone else _after_the_roll, to, front)
            if time < best.time:
                best = Way(time, *step[:3])
        known = (best,)
        _keep(plan, key, known)
    return known[0]
