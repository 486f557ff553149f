"""The arrival line and the time limit (goal of the game, D.1)."""

from rules.giro.events import Finished, OutOfTime, StageOver
from rules.giro.feeding import drink_what_is_kept
from rules.giro.order import classification
from rules.giro.state import FINISHED, NOBODY, OUT, Do
from rules.giro.work import Work


def finish(work: Work, number: int) -> None:
    """A rider is over the line: he leaves the road, and what he kept is added. Rules: GI-F-01, GI-F-02, GI-C2-13, GI-C4-05."""
    work.crossed += 1
    rider = work.change(
        number, where=FINISHED, turn=work.turn, order=work.crossed, fell=0, waiting=False, link=NOBODY, slip=False,
        dropping=False,
    )  # fmt: skip
    work.tell(Finished(rider=rider.entry.id, turn=work.turn, order=work.crossed))
    drink_what_is_kept(work, number)
    end_at_once(work)


def end_at_once(work: Work) -> None:
    """With nobody racing a road stage is over: no further dice. Rules: GI-F-04.

    Tiles that were kept face down at a real table are still turned up.
    """
    if not work.trial and not work.racing():
        work.agenda = [todo for todo in work.agenda if todo.do is Do.SHOW_TILE]


def time_limit(work: Work) -> None:
    """At the end of a turn, whoever is still racing too long after the peloton is out. Rules: GI-F-05, GI-C4-05."""
    if work.peloton_turn is None or work.turn < work.peloton_turn + work.options.time_limit:
        return
    for i in classification(work.course, work.riders, work.front, work.gone, work.token, len(work.seats)):
        if work.riders[i].racing:
            rider = work.change(i, where=OUT, fell=0, waiting=False, link=NOBODY, slip=False)
            work.tell(OutOfTime(rider=rider.entry.id))
            drink_what_is_kept(work, i)


def over(work: Work) -> None:
    if not work.over:
        work.over = True
        work.tell(StageOver())
