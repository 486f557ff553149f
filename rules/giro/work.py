"""A state being worked on: what `apply` changes before it hands out the next one.

Only inside one call of `apply` or `setup`. The steps and answers of all chapters take a `Work`, change it, say what
happened, and put on the agenda what is still to be done.
"""

from typing import Any, Final

from rules.game import Seat
from rules.giro.cards import CardMethod
from rules.giro.course import Course
from rules.giro.data import PELOTON_TICKS
from rules.giro.events import Event
from rules.giro.state import INSIDE, ROAD, Options, Pile, Rider, Run, State, Todo

_new = tuple.__new__  # a named tuple with all its fields given, in a third of the time
_PLACE: Final = {name: place for place, name in enumerate(Rider._fields)}


class Work:
    """One state, changeable, and the events so far. `agenda` and `turn` are those of the run that is worked on."""

    __slots__ = (
        "agenda", "arrivals", "bonus", "clock", "course", "crossed", "events", "front", "gone", "options", "over",
        "peloton_turn", "piles", "pursued", "quota", "red", "riders", "run", "runs", "seats", "team", "token", "trial",
        "turn", "undealt",
    )  # fmt: skip

    def __init__(self, state: State, run: int = 0) -> None:
        self.options: Options
        self.seats: tuple[Seat, ...]
        (
            self.options, self.seats, self.quota, riders, runs, self.undealt, piles, self.front, self.gone,
            self.peloton_turn, self.pursued, self.red, self.token, self.arrivals, self.crossed, self.bonus, self.clock,
            self.over,
        ) = state  # fmt: skip
        self.course: Course = self.options.course
        self.trial: bool = self.course.trial
        self.riders: list[Rider] = list(riders)
        self.runs: list[Run] = list(runs)
        self.piles: list[Pile] = list(piles)
        self.events: list[Event] = []
        self.open_run(run)

    def open_run(self, run: int) -> None:
        """Work on the agenda of that run from here on."""
        self.run = run
        self.team: tuple[int, ...]
        self.turn: int
        self.team, self.turn, agenda = self.runs[run]
        self.agenda: list[Todo] = list(agenda)

    def close_run(self) -> None:
        self.runs[self.run] = _new(Run, (self.team, self.turn, tuple(self.agenda)))

    def state(self) -> State:
        """The immutable value."""
        self.close_run()
        return _new(
            State,
            (
                self.options, self.seats, self.quota, tuple(self.riders), tuple(self.runs), self.undealt,
                tuple(self.piles), self.front, self.gone, self.peloton_turn, self.pursued, self.red, self.token,
                self.arrivals, self.crossed, self.bonus, self.clock, self.over,
            ),
        )  # fmt: skip

    def change(self, rider: int, **fields: Any) -> Rider:
        """Put a rider with other fields in the place of the one there."""
        values: list[Any] = list(self.riders[rider])
        for name, value in fields.items():
            values[_PLACE[name]] = value
        changed = self.riders[rider] = _new(Rider, values)
        return changed

    def tell(self, event: Event) -> None:
        self.events.append(event)

    def next(self, *todos: Todo) -> None:
        """Put steps before everything that is on the agenda; the first one given is done first."""
        self.agenda += todos[::-1]

    def arrival(self) -> int:
        """The next arrival number. Rules: GI-M-06."""
        self.arrivals += 1
        return self.arrivals

    @property
    def rear(self) -> int:
        """Ticks of the peloton's rear."""
        return self.front - PELOTON_TICKS

    @property
    def blind(self) -> bool:
        """Cards are hidden, so that the mere question must not tell (spec 4.2)."""
        return self.options.cards is CardMethod.BLIND

    def name(self, rider: int) -> str:
        return self.riders[rider].entry.id

    def inside(self) -> list[int]:
        """Riders in the peloton, by number."""
        return [i for i, rider in enumerate(self.riders) if rider.where is INSIDE]

    def racing(self) -> bool:
        """Whether anybody is still racing."""
        return any(rider.where is INSIDE or rider.where is ROAD for rider in self.riders)

    def taken(self) -> int:
        """Set of the squares with an active rider of this run, waiting ones included. Rules: GI-M-02."""
        squares = 0
        for i in self.team:
            rider = self.riders[i]
            if rider.where is ROAD and not rider.fell:
                squares |= 1 << rider.square
        return squares
