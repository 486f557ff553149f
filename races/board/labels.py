"""Where a label finds room beside a road that is drawn from above."""

from collections.abc import Sequence
from math import cos, hypot, radians, sin
from typing import NamedTuple


class Spot(NamedTuple):
    """A point of the road and the direction in which one rides there, in degrees."""

    tick: float
    x: float
    y: float
    heading: float


class Labels:
    """Finds room for labels beside the road: off it, off each other, on the paper."""

    def __init__(
        self,
        width: float,
        height: float,
        spots: Sequence[Spot],
        clear: float = 11,
        reach: Sequence[float] = (24, 36, 50, 66, 84),
    ) -> None:
        self.width, self.height, self.clear, self.reach = width, height, clear, reach
        self.points = [(spot.x, spot.y) for spot in spots]
        self.taken: list[tuple[float, float, float, float]] = []  # middle, width, height

    def take(self, x: float, y: float, wide: float, high: float) -> None:
        """Keep a place free, told by its middle."""
        self.taken.append((x, y, wide, high))

    def place(self, spot: Spot, wide: float, high: float) -> tuple[float, float]:
        """The middle of a label of that size near a spot; the least bad place where there is no good one."""
        tries: list[tuple[int, int, float, float]] = []
        for away in self.reach:
            for angle in (-90, 90, -60, 60, -120, 120, -30, 30, -150, 150):
                turned = radians(spot.heading + angle)
                x = spot.x + cos(turned) * (away + (wide / 2 - 8) * abs(cos(turned)))
                y = spot.y + sin(turned) * away
                x = min(max(x, wide / 2 + 2), self.width - wide / 2 - 2)
                y = min(max(y, high / 2 + 2), self.height - high / 2 - 2)
                tries.append((self._bad(x, y, wide, high), len(tries), x, y))
                if tries[-1][0] == 0:
                    break
            if tries[-1][0] == 0:
                break
        _badness, _try, x, y = min(tries)
        self.take(x, y, wide, high)
        return x, y

    def _bad(self, x: float, y: float, wide: float, high: float) -> int:
        over = sum(
            abs(x - ox) < (wide + ow) / 2 + 3 and abs(y - oy) < (high + oh) / 2 + 2 for ox, oy, ow, oh in self.taken
        )
        half, tall, clear = wide / 2, high / 2, self.clear
        on_road = sum(
            hypot(max(abs(x - px) - half, 0), max(abs(y - py) - tall, 0)) < clear
            for px, py in self.points
            if abs(x - px) < half + clear and abs(y - py) < tall + clear
        )
        return 20 * over + on_road
