"""Slipstream (chapter C.1): who sits behind whom, and what it is worth at his next move.

`Rider.link` is the rider he sits behind; `Rider.slip` says that this rider has moved since, and so that it gives a free
square. Both last until his own next move.
"""

from rules.giro.events import Linked
from rules.giro.state import NOBODY, ROAD
from rules.giro.work import Work


def carry(work: Work, leader: int, *, carries: bool) -> None:
    """The rider in front has made a move: whoever is linked to him keeps a free square by it, or loses it.

    Rules: GI-C1-02, GI-C1-05, GI-S-05.
    """
    for i in work.team:
        rider = work.riders[i]
        if rider.link == leader and rider.slip is not carries:
            work.change(i, slip=carries)


def link(work: Work, number: int) -> None:
    """He has ended a move upright on the road: he sits behind whoever is exactly ahead, if that rider is riding.

    Only a rider gives one, the peloton never does. Rules: GI-C1-01, GI-C1-06, GI-B5-03.
    """
    rider = work.riders[number]
    ahead = work.course.ahead[rider.square]
    for i in work.team:
        other = work.riders[i]
        if other.square == ahead and other.where is ROAD and not other.fell and not other.waiting:
            work.change(number, link=i, slip=False)
            work.tell(Linked(rider=rider.entry.id, behind=other.entry.id))
            return


def cut(work: Work, number: int) -> None:
    """He no longer sits behind anybody, and nobody behind him: caught by the peloton, or punctured.

    Rules: GI-B4-07, GI-C1-03, GI-C3-04.
    """
    for i in work.team:
        rider = work.riders[i]
        if rider.link == number or (i == number and rider.link != NOBODY):
            work.change(i, link=NOBODY, slip=False)


def drop_out(work: Work, number: int) -> None:
    """He has used or lost his own slipstream; those behind him keep theirs. Rules: GI-C1-06, GI-B1-11."""
    if work.riders[number].link != NOBODY:
        work.change(number, link=NOBODY, slip=False)
