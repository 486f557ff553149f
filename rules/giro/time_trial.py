"""Time trials (chapter D.3): every run rides its own race, turn after turn."""

from rules.errors import IllegalAction, gettext_noop
from rules.giro import data
from rules.giro.actions import DrawnCrackTile, ReadClock
from rules.giro.data import Kind
from rules.giro.events import ClockRead, LostTile, TurnBegan
from rules.giro.order import on_the_road
from rules.giro.risks import get_up, resting
from rules.giro.state import COLOURS, INSIDE, Do, Rider, State, Todo
from rules.giro.work import Work


def runs_of(kind: Kind, riders: list[Rider]) -> list[tuple[int, ...]]:
    """Who rides together: everybody alone, or a jersey. In draft order of their first rider. Rules: GI-D3-05, GI-D3-15."""
    if kind is Kind.ITT:
        return [(i,) for i in range(len(riders))]
    jerseys: dict[str, list[int]] = {}
    for i, rider in enumerate(riders):
        jerseys.setdefault(rider.entry.jersey, []).append(i)
    return [tuple(team) for team in jerseys.values()]


def run_turn(work: Work, todo: Todo) -> bool:
    """A turn of one run: who is on the road in classification order, then who still has to start.

    Rules: GI-D3-04, GI-D3-06, GI-D3-16; R-43.
    """
    work.turn += 1
    work.tell(TurnBegan(turn=work.turn, rider=work.name(work.team[0])))
    riders = work.riders
    riding = on_the_road(work.course, riders, (i for i in work.team if riders[i].active))
    starting = sorted(
        (i for i in work.team if riders[i].where is INSIDE),
        key=lambda i: (COLOURS.index(riders[i].entry.speciality), i),
    )
    work.next(*(Todo(Do.MOVE, rider=i) for i in (*riding, *starting)), Todo(Do.RUN_ENDS))
    return False


def run_ends(work: Work, todo: Todo) -> bool:
    """The end of a run's turn: who missed it stands up; the next turn follows while anybody rides. Rules: GI-D3-06, GI-D3-10."""
    for number in resting(work):
        get_up(work, number)
    if any(work.riders[i].racing for i in work.team):
        work.next(Todo(Do.RUN_TURN))
    return False


def crack_tile(work: Work, todo: Todo, action: DrawnCrackTile) -> None:
    """One of his seven takes energy; after the last all seven come back. Rules: GI-D3-07, GI-D3-08; R-39."""
    rider = work.riders[todo.rider]
    left = list(rider.crack_tiles)
    left.remove(action.value)
    rider = work.change(todo.rider, energy=rider.energy - action.value, crack_tiles=tuple(left) or data.CRACK_TILES)
    work.tell(LostTile(rider=rider.entry.id, value=action.value, change=-action.value, energy=rider.energy))


def run_name(state: State | Work, run: tuple[int, ...]) -> str:
    """What a run is called on the stopwatch: a rider, or a jersey. Rules: GI-D3-15."""
    entry = state.riders[run[0]].entry
    return entry.jersey if state.options.course.kind is Kind.TTT else entry.id


def read_clock(work: Work, action: ReadClock) -> None:
    """The order of the runs on the stopwatch. Rules: GI-D3-12, GI-D3-17."""
    runs = {run_name(work, run.riders): i for i, run in enumerate(work.runs)}
    if sorted(action.order) != sorted(runs):
        raise IllegalAction(
            "GI-D3-12",
            gettext_noop("Name every run once, the quickest first: %(runs)s."),
            runs=", ".join(runs),
        )
    work.clock = tuple(runs[name] for name in action.order)
    work.tell(ClockRead(order=action.order))


def derived_clock(state: State) -> tuple[int, ...]:
    """The runs as no stopwatch timed them: fewer turns, then more energy left, then draft order.

    Rules: GI-D3-12, GI-D3-17; R-41.
    """
    runs = state.runs

    def key(i: int) -> tuple[int, int, int]:
        riders = [state.riders[rider] for rider in runs[i].riders]
        return (
            max(rider.turn or 0 for rider in riders),
            -sum(rider.energy for rider in riders),
            min(runs[i].riders),
        )

    return tuple(sorted(range(len(runs)), key=key))
