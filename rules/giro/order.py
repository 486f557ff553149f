"""Who is before whom: on the road, inside the peloton, around the table."""

from collections.abc import Iterable, Sequence

from rules.giro.course import Course
from rules.giro.data import PELOTON_TICKS
from rules.giro.state import COLOURS, FINISHED, INSIDE, OUT, ROAD, Rider


def on_the_road(course: Course, riders: Sequence[Rider], among: Iterable[int]) -> list[int]:
    """Riders with a square, front first; level ones by later arrival first. Rules: GI-M-05, GI-M-06, GI-B1-12."""
    end = course.end
    return sorted(among, key=lambda i: (end[riders[i].square], riders[i].arrival), reverse=True)


def seats_from(token: int, seats: int) -> list[int]:
    """Seats clockwise from the token holder; from the first seat while nobody holds it."""
    first = max(token, 0)
    return [(first + i) % seats for i in range(seats)]


_RANK = {speciality: i for i, speciality in enumerate(COLOURS)}


def in_the_peloton(riders: Sequence[Rider], token: int, seats: int) -> list[int]:
    """Riders inside: the token holder's in the order rouleur, leader, climber, then clockwise. Rules: GI-C3-03."""
    first = max(token, 0)
    inside = [i for i, rider in enumerate(riders) if rider.where is INSIDE]
    if len(inside) < 2:
        return inside
    return sorted(inside, key=lambda i: ((riders[i].entry.seat - first) % seats, _RANK[riders[i].entry.speciality], i))


def classification(
    course: Course, riders: Sequence[Rider], front: int, gone: bool, token: int, seats: int
) -> list[int]:
    """Race order, front first: not the general classification. Riders out of the race come last, as they stood.

    Rules: GI-M-05, GI-M-08, GI-C2-11.
    """
    finished = sorted(
        (i for i, rider in enumerate(riders) if rider.where is FINISHED), key=lambda i: riders[i].order or 0
    )
    road = on_the_road(course, riders, (i for i, rider in enumerate(riders) if rider.where is ROAD))
    out = [i for i, rider in enumerate(riders) if rider.where is OUT]
    out = on_the_road(course, riders, out)
    if gone:
        return [*finished, *road, *out]
    rear = front - PELOTON_TICKS
    ahead = [i for i in road if course.end[riders[i].square] > front]
    level = [i for i in road if rear < course.end[riders[i].square] <= front]
    behind = [i for i in road if course.end[riders[i].square] <= rear]
    return [*finished, *ahead, *in_the_peloton(riders, token, seats), *level, *behind, *out]
