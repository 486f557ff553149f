"""Taking risks (chapter C.2): cracking, falling, and getting up again."""

from rules.giro import data
from rules.giro.actions import EventDie, Risk
from rules.giro.course import Square
from rules.giro.events import Cracked, Fell, RiskRolled, StoodUp
from rules.giro.order import on_the_road
from rules.giro.state import ROAD, Do, Rider, Todo
from rules.giro.work import Work


def needed(risks: int, *, trial: bool) -> int:
    """What the event die must reach for the next risk of a rider with so many boxes marked.

    Rules: GI-C2-02, GI-D3-10; R-02.
    """
    if trial:
        return data.TIME_TRIAL_FALL
    return data.RISK_ROW[min(risks, len(data.RISK_ROW) - 1)]


def risk_rolled(work: Work, todo: Todo, action: EventDie) -> None:
    """The event die after a move at risk. `todo.amount` is what the move cost.

    Rules: GI-C2-02, GI-C2-06, GI-C2-08, GI-C2-13, GI-D3-10.
    """
    rider = work.riders[todo.rider]
    least = needed(rider.risks, trial=work.trial)
    held = action.value >= least
    risk = Risk.CRACK if todo.do is Do.CRACK else Risk.FALL
    if not work.trial:
        rider = work.change(todo.rider, risks=min(rider.risks + 1, len(data.RISK_ROW)))
    work.tell(RiskRolled(rider=rider.entry.id, risk=risk, needed=least, rolled=action.value, held=held))
    if held:
        return
    if risk is Risk.CRACK:
        extra = todo.amount * (data.CRACK_TIMES - 1)
        rider = work.change(todo.rider, energy=rider.energy - extra)
        work.tell(Cracked(rider=rider.entry.id, change=-extra, energy=rider.energy))
        return
    extra = 0 if work.trial else todo.amount * (data.FALL_TIMES - 1)
    rider = work.change(todo.rider, energy=rider.energy - extra, fell=work.turn)
    work.tell(Fell(rider=rider.entry.id, change=-extra, energy=rider.energy))


def resting(work: Work) -> list[int]:
    """The riders who miss this turn and stand up at its end, front first. Rules: GI-C2-11, GI-C2-12, GI-D3-10; R-47."""
    fallen = (i for i in work.team if work.riders[i].where is ROAD and 0 < work.riders[i].fell < work.turn)
    return on_the_road(work.course, work.riders, fallen)


def get_up(work: Work, number: int) -> None:
    """He is back on the road, on his square or behind whoever took it. Rules: GI-C2-12, GI-D3-10."""
    square = free_square_back(work, work.riders[number])
    work.change(number, square=square, fell=0)
    work.tell(StoodUp(rider=work.name(number), to=work.course.names[square]))


def free_square_back(work: Work, rider: Rider) -> Square:
    """His square, or the nearest empty one straight back in his lane. Rules: GI-C2-12."""
    taken = work.taken()
    lane = work.course.lane_squares[work.course.lane[rider.square]]
    place = lane.index(rider.square)
    while taken >> lane[place] & 1:
        place -= 1
        assert place >= 0, "the run-in has room for everybody"
    return lane[place]
