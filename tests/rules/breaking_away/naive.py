"""A second referee: the rulebook and the Madison played with lists of cyclists on squares, without a line of the engine.

He is told what everybody does, and says what happened: crossings, new factors, changes, who is gone, who moves next, and
who has won. Hands are none of his business. He is slow, and written to be read beside the rulebook.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Told = dict[str, Any]

SPRINT = [10, 8, 6, 5, 4, 3, 2, 1]
FINISH = [20, 16, 12, 10, 8, 6, 4, 2]
COURSES: Mapping[str, tuple[int | None, list[tuple[str, int, list[int]]], int]] = {
    "standard-100": (40, [("S1", 33, SPRINT), ("S2", 73, SPRINT), ("F", 100, FINISH)], 8),
    "kermesse-60": (30, [("S1", 30, SPRINT), ("F", 60, FINISH)], 8),
    "postal-120": (None, [("S1", 40, SPRINT), ("S2", 80, SPRINT), ("F", 120, FINISH)], 8),
    "criterium-125": (25, [*((f"S{n}", 25 * n, [5, 3, 2, 1]) for n in (1, 2, 3, 4)), ("F", 125, SPRINT)], 8),
    "madison": (40, [*((f"S{n}", 40 * n, [5, 3, 2, 1]) for n in (1, 2, 3)), ("F", 160, [10, 6, 4, 2])], 4),
}


@dataclass
class Madison:
    """What a team of a Madison has beside the one who rides."""

    rests: int
    changed_in: set[int] = field(default_factory=set)
    overdue: bool = False


class Referee:
    """One race. `order` and `owner` name those who race: cyclists, or in a Madison teams."""

    def __init__(self, options: Told, order: Sequence[str], owner: Mapping[str, str], rests: Mapping[str, int]) -> None:
        self.madison = options.get("variant") == "madison"
        _, self.lines, self.quota = COURSES["madison" if self.madison else options.get("course", "standard-100")]
        self.options = options
        self.owner = owner
        self.team = {name: name if self.madison else name[:-1] for name in order}
        self.order = list(order)
        self.squares: dict[int, list[str]] = defaultdict(list)
        self.at: dict[str, int] = {}
        for name in order:
            self.put(name, 1 - int(name[-1]) if options.get("staggered") and not self.madison else 0)
        self.crossed: dict[str, list[str]] = {name: [] for name, _, _ in self.lines}
        self.resting = {team: Madison(square) for team, square in rests.items()}
        self.turn = 1
        self.leader: str | None = None
        self.retired: set[str] = set()
        self.left: set[str] = set()
        self.asking: dict[str, set[str]] = {}
        self.over: str | None = None
        self.waiting = list(order)  # who has still to move
        self.to_ask: list[str] = []  # Madison: who has still to be asked about a change
        self.wishes: set[str] = set()

    def put(self, name: str, square: int) -> None:
        """Onto a square, outside of all who are there."""
        if name in self.at:
            self.squares[self.at[name]].remove(name)
        self.squares[square].append(name)
        self.at[name] = square

    # ---- what is said to him -----------------------------------------------------------------------------------------
    def hears(self, action: Told) -> Iterator[tuple[Any, ...]]:
        match action["kind"]:
            case "move":
                yield from self.move(action["factor"])
            case "change":
                yield self.change(self.to_ask.pop(0), forced=False)
                yield from self.ask_for_changes()
            case "stay":
                self.to_ask.pop(0)
                yield from self.ask_for_changes()
            case "ask_retire":
                self.asking[action["cyclist"]] = set()
            case "vote_retire" if action["yes"]:
                self.asking[action["cyclist"]].add(action["seat"])
                if not self.waiting and not self.to_ask:
                    yield from self.between_turns()
            case "vote_retire":
                del self.asking[action["cyclist"]]
                if not self.waiting and not self.to_ask:
                    yield from self.between_turns()
            case "stop_race":
                self.wishes = self.wishes | {action["seat"]} if action["yes"] else set()
                if self.wishes == set(self.owner.values()):
                    self.over = "abandoned"
                    yield ("over", "abandoned")

    def move(self, factor: int) -> Iterator[tuple[Any, ...]]:
        name = self.waiting.pop(0)
        start = self.at[name]
        self.put(name, start + factor)
        yield ("moved", name, start, start + factor)
        for line, where, points in self.lines:
            if start <= where and where < start + factor:
                self.crossed[line].append(name)
                place = len(self.crossed[line])
                yield ("crossed", name, line, place, (points + [0] * 99)[place - 1])
        if name in self.crossed["F"]:
            self.asking.pop(name, None)
        if self.madison:
            self.owes(name, start, start + factor)
        whole_turns = self.madison or self.options.get("end_mode") == "complete_turn"
        if len(self.crossed["F"]) >= self.enough() and (not whole_turns or not self.waiting):
            self.over = "quota"
            yield ("over", "quota")
        elif not self.waiting:
            yield from self.end_of_turn()

    def enough(self) -> int:
        return min(self.quota, len(self.at) - len(self.retired))

    # ---- the end of a turn -------------------------------------------------------------------------------------------
    def end_of_turn(self) -> Iterator[tuple[Any, ...]]:
        front = max(square for square, there in self.squares.items() if self.racing(there))
        alone = self.racing(self.squares[front])
        new = alone[0] if len(alone) == 1 and alone[0] != self.leader else None
        self.order = [
            name for square in sorted(self.squares, reverse=True) for name in self.racing(self.squares[square])
        ]
        yield ("replaced", {name: self.lead(name) if name == new else self.slipstream(name) for name in self.order})
        self.leader = alone[0] if len(alone) == 1 else None
        if self.madison:
            self.to_ask = list(self.order)
            yield from self.ask_for_changes()
        else:
            yield from self.between_turns()

    def racing(self, names: Sequence[str]) -> list[str]:
        return [name for name in names if name not in self.retired | self.left]

    def crowded(self, square: int) -> bool:
        return bool(self.options.get("overcrowding")) and self.turn == 1 and len(self.racing(self.squares[square])) >= 5

    def slipstream(self, name: str) -> int:
        if self.crowded(self.at[name]):
            return 3
        ahead, square = 0, self.at[name] + 1
        while self.racing(self.squares[square]) and not self.crowded(square):
            ahead += len(self.racing(self.squares[square]))
            square += 1
        return 3 + ahead

    def lead(self, name: str) -> int:
        others = [other for other in self.order if other != name]
        if self.options.get("break_over_rival"):
            others = [other for other in others if self.team[other] != self.team[name]]
        return min((self.at[name] - self.at[other] for other in others), default=3)

    def between_turns(self) -> Iterator[tuple[Any, ...]]:
        seats = set(self.owner.values())
        if any(yes != seats - {self.owner[name]} for name, yes in self.asking.items()):
            return
        for name in self.asking:
            self.retired.add(name)
            self.resting.pop(name, None)
            yield ("retired", name)
        if self.options.get("after_finish") == "leave":
            for name in self.order:
                if name in self.crossed["F"] and name not in self.left:
                    self.left.add(name)
                    yield ("left", name)
        self.asking = {}
        if len(self.retired) == len(self.at):
            self.over = "retired"
        elif len(self.crossed["F"]) >= self.enough():
            self.over = "quota"
        if self.over:
            yield ("over", self.over)
            return
        self.order = self.racing(self.order)
        self.waiting = list(self.order)
        self.turn += 1
        yield ("turn", self.turn)

    # ---- Madison -----------------------------------------------------------------------------------------------------
    def lap(self, square: int) -> int:
        lap = 1
        while square > 40 * lap:
            lap += 1
        return lap

    def owes(self, team: str, start: int, end: int) -> None:
        ridden = range(self.lap(start), self.lap(end))
        if any(lap not in self.resting[team].changed_in for lap in ridden):
            self.resting[team].overdue = True

    def may_change(self, team: str) -> bool:
        square = self.at[team]
        outermost = self.racing(self.squares[square])[-1] == team
        rival = any(rests.rests == square % 40 for other, rests in self.resting.items() if other != team)
        return outermost and not rival

    def change(self, team: str, *, forced: bool) -> tuple[Any, ...]:
        mine = self.resting[team]
        mine.rests = self.at[team] % 40
        mine.changed_in.add(self.lap(self.at[team]))
        mine.overdue = False
        return ("changed", team, mine.rests, forced)

    def ask_for_changes(self) -> Iterator[tuple[Any, ...]]:
        while self.to_ask:
            team = self.to_ask[0]
            if self.may_change(team):
                if not self.resting[team].overdue:
                    return
                yield self.change(team, forced=True)
            self.to_ask.pop(0)
        yield from self.between_turns()

    # ---- who has won -------------------------------------------------------------------------------------------------
    def points(self, name: str) -> int:
        won = 0
        for line, _, points in self.lines:
            if name in self.crossed[line][: len(points)]:
                won += points[self.crossed[line].index(name)]
        return won

    def placed(self) -> list[str]:
        """As they are placed: over the finish, then by where they stand; not who has retired."""
        standing = [name for square in sorted(self.squares, reverse=True) for name in self.racing(self.squares[square])]
        return self.crossed["F"] + [name for name in standing if name not in self.crossed["F"]]

    def result(self) -> dict[str, int]:
        """The place of each team."""
        teams = dict.fromkeys(self.team.values())
        placed = self.placed()
        keys: dict[str, tuple[Any, ...]] = {}
        for team in teams:
            own = [name for name, of in self.team.items() if of == team]
            won = sum(map(self.points, own))
            best = min([placed.index(name) for name in own if name in placed], default=999)
            if not self.madison:
                keys[team] = (-won, best)
            elif team in self.retired:
                keys[team] = (1, -won)
            else:
                behind = max(self.at[name] for name in placed) - self.at[team]
                keys[team] = (
                    0,
                    behind if self.options.get("madison_distance") == "squares" else behind // 40,
                    -won,
                    best,
                )
        return {team: 1 + sum(other < keys[team] for other in keys.values()) for team in teams}
