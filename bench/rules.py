"""`python -m bench.rules`, and the second table of `make bench`: how fast the rules are, ratios first.

random play    decisions a second of whole random races, with every legal answer listed at each, against a dice race
               of plain Python and, where `chess` is installed, against random plies of python-chess
club stage     a six-rider road stage ridden by `club` bots
replay         a log of 300 entries, from JSON, to its end
legal, view    one list of legal moves (the longest of a race, and the mean), one view

Both sides of a ratio run in turn, several times, and the best of each counts: a busy machine spoils both alike.
"""

import gc
import json
import sys
import time
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

from bench.dice_race import random_race as dice_race
from races import bots
from rules.breaking_away.game import BREAKING_AWAY
from rules.chance import drawn, total
from rules.game import Decision, Seat, Taker
from rules.giro.game import GIRO
from rules.giro.state import State

Row = tuple[str, str, str, str]

COURSES = ("pianura", "vetta", "colli")
FIELD = [
    {
        "seat": f"Seat {n}",
        "riders": [
            {"id": str(n), "type": ("rouleur", "leader", "climber")[n % 3], "jersey": "white", "strength": None}
        ],
    }
    for n in range(1, 7)
]
TEAMS = [{"seat": f"Seat {n}", "team": team} for n, team in enumerate("RWBG", 1)]
WARM_UP = 240
"""Races before anything is measured: a site that runs has its tables of ways made."""


def random_giro(rng: Random, course: str, log: list[Any] | None = None) -> int:
    """One random stage; the number of decisions. Every legal answer is listed at each of them."""
    state = GIRO.setup({"course": course, "giro": True}, FIELD)
    decisions = 0
    while open_now := GIRO.decisions(state):
        decision = open_now[0]
        if decision.taker is Taker.CHANCE:
            outcomes = GIRO.weighted(state, decision)
            action = drawn(outcomes, rng.randrange(total(outcomes)))
        else:
            choices = list(GIRO.legal(state, decision))
            action = choices[rng.randrange(len(choices))]
        if log is not None:
            log.append((state, decision, action))
        state = GIRO.apply(state, action).state
        decisions += 1
    return decisions


def stages(rng: Random, races: int) -> int:
    return sum(random_giro(rng, COURSES[n % len(COURSES)]) for n in range(races))


def random_race(rng: Random) -> int:
    """One random race of Breaking Away between four teams; the number of decisions, each with its answers listed."""
    state = BREAKING_AWAY.setup({}, TEAMS)
    decisions = 0
    while open_now := BREAKING_AWAY.decisions(state):
        decision = open_now[0]
        if decision.taker is Taker.CHANCE:
            outcomes = BREAKING_AWAY.weighted(state, decision)
            action = drawn(outcomes, rng.randrange(total(outcomes)))
        else:
            choices = BREAKING_AWAY.legal(state, decision)
            action = choices[rng.randrange(len(choices))]
        state = BREAKING_AWAY.apply(state, action).state
        decisions += 1
    return decisions


def chess_game(rng: Random) -> int:
    import chess  # not one of the project's packages: measured against only where somebody has it

    board = chess.Board()
    plies = 0
    while not board.is_game_over():
        moves = list(board.legal_moves)
        board.push(moves[rng.randrange(len(moves))])
        plies += 1
    return plies


def has_chess() -> bool:
    try:
        import chess  # noqa: F401 - only whether it is there
    except ImportError:
        return False
    return True


def rates(works: dict[str, Callable[[int], int]], rounds: int = 6) -> dict[str, float]:
    """Units a second of each work, the best of several rounds in turn. A work gets the number of the round."""
    best = dict.fromkeys(works, 0.0)
    gc.collect()
    gc.disable()
    for number in range(rounds):
        for name, work in works.items():
            start = time.process_time()
            units = work(number)
            best[name] = max(best[name], units / (time.process_time() - start))
    gc.enable()
    return best


def milliseconds(work: Callable[[], object], rounds: int = 30) -> float:
    """The quickest of many rounds."""
    work()
    best = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best * 1000


def _listed(state: State, decision: Decision) -> list[Any]:
    return list(GIRO.legal(state, decision))


def each(works: list[Callable[[], object]], rounds: int = 5) -> list[float]:
    """Milliseconds of each work, the best of some rounds over all of them: never the same thing twice in a row."""
    best = [float("inf")] * len(works)
    for _ in range(rounds):
        for number, work in enumerate(works):
            start = time.perf_counter()
            work()
            best[number] = min(best[number], time.perf_counter() - start)
    return [seconds * 1000 for seconds in best]


def replay(actions: list[dict[str, Any]]) -> None:
    state = GIRO.setup({"course": "tappone", "giro": True}, FIELD)
    for action in actions:
        state = GIRO.apply(state, GIRO.read_action(action)).state


def long_log() -> list[Any]:
    """The first 300 entries of a random stage over the longest course, the shortest seed that has so many."""
    for seed in range(1000):
        log: list[Any] = []
        random_giro(Random(seed), "tappone", log)
        if len(log) >= 300:
            return log[:300]
    raise AssertionError("no stage of 300 entries")


def main() -> None:
    stages(Random(1), WARM_UP)
    for number in range(WARM_UP):
        random_race(Random(number))
    works: dict[str, Callable[[int], int]] = {
        "giro": lambda number: stages(Random(1000 + number), 18),
        "breaking away": lambda number: sum(random_race(Random(1000 * number + race)) for race in range(30)),
        "dice": lambda number: sum(dice_race(Random(number)) for _ in range(40)),
    }
    if has_chess():
        works["chess"] = lambda number: sum(chess_game(Random(number)) for _ in range(4))
    found = rates(works)
    decisions = stages(Random(5), 18) / 18
    rows: list[Row] = [
        (
            "random giro : dice race", f"{found['giro'] / found['dice']:.2f}", f"{found['giro']:,.0f}/s",
            f"decisions with their legal answers listed; {found['giro'] / decisions:.0f} six-rider stages/s on one core",
        )
    ]  # fmt: skip
    races = sum(random_race(Random(number)) for number in range(30)) / 30
    rows.append(
        (
            "random Breaking Away : dice race", f"{found['breaking away'] / found['dice']:.2f}",
            f"{found['breaking away']:,.0f}/s", f"the same; {found['breaking away'] / races:.0f} races of four teams/s",
        )
    )  # fmt: skip
    if "chess" in found:
        rows.append(
            (
                "random Breaking Away : chess", f"{found['breaking away'] / found['chess']:.2f}",
                f"{found['chess']:,.0f}/s", "random plies of python-chess",
            )
        )  # fmt: skip
        rows.append(
            (
                "random giro : chess",
                f"{found['giro'] / found['chess']:.2f}",
                f"{found['chess']:,.0f}/s",
                "random plies of python-chess",
            )
        )
    else:
        rows.append(("random giro : chess", "-", "-", "needs the package chess: pip install chess"))
    rows.append(_club_stage())

    log = long_log()
    actions = [json.loads(json.dumps(GIRO.write_action(action))) for _, _, action in log]
    took = milliseconds(lambda: replay(actions))
    rows.append(
        (
            "replay of 300 entries",
            "-",
            f"{took:.1f} ms",
            f"{took / len(actions) * 1000:.0f} microseconds an entry, from JSON",
        )
    )
    asked = [(state, decision) for state, decision, _ in log if decision.taker is Taker.SEAT]
    lists = each([partial(_listed, state, decision) for state, decision in asked])
    rows.append(
        (
            "legal list",
            "-",
            f"{max(lists):.2f} ms",
            f"the longest of a stage; {sum(lists) / len(lists):.3f} ms on average",
        )
    )
    views = each([partial(GIRO.view, state, Seat("Seat 1")) for state, _ in asked])
    rows.append(("view", "-", f"{max(views):.3f} ms", "of one seat, the slowest of a stage"))
    for what, ratio, value, note in rows:
        sys.stdout.write(f"{what:<26}{ratio:>9}{value:>14}   {note}\n")


def club_stage(level: str) -> int:
    """A stage ridden by bots of one level; the number of decisions."""
    rng = Random(1)
    state = GIRO.setup({"course": "colli", "giro": True}, FIELD)
    decisions = 0
    while open_now := GIRO.decisions(state):
        decision = open_now[0]
        if decision.taker is Taker.CHANCE:
            outcomes = GIRO.weighted(state, decision)
            action = drawn(outcomes, rng.randrange(total(outcomes)))
        else:
            action = bots.answer(GIRO, level, state, decision, rng)
        state = GIRO.apply(state, action).state
        decisions += 1
    return decisions


def _club_stage() -> Row:
    took = milliseconds(lambda: club_stage("club"), 3)
    return "club stage, six riders", "-", f"{took:.0f} ms", f"{club_stage('club')} decisions on colli"


if __name__ == "__main__":
    main()
