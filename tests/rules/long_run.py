"""Races at random for as long as one likes, for the `fuzz` module of each game, and for `pytest --fuzz`."""

import argparse
import time
import traceback
from collections import Counter
from collections.abc import Callable

OneRace = Callable[[int, int, float], Counter[str]]
"""Rides race k of a seed, with a share of the steps at which dear checks are made; the kinds of its events."""


def long_run(command: str, doc: str, one_race: OneRace) -> int:
    """What the command line asks for; each failure is told with the command that rides its race alone. Exit code 1: one failed."""
    parser = argparse.ArgumentParser(prog=command, description=doc.split("\n")[0])
    parser.add_argument("--races", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="number of the first race")
    parser.add_argument("--often", type=float, default=0.1, help="share of the steps at which dear checks are made")
    said = parser.parse_args()
    events: Counter[str] = Counter()
    failed = 0
    began = time.monotonic()
    for number in range(said.first, said.first + said.races):
        try:
            events += one_race(said.seed, number, said.often)
        except Exception:  # noqa: BLE001 - whatever goes wrong is told, and the next race is ridden
            failed += 1
            traceback.print_exc()
            print(f"again: {command} --races 1 --seed {said.seed} --first {number} --often {said.often}", flush=True)
        done = number - said.first + 1
        if done % 1000 == 0:
            print(f"{done} races, {failed} failed, {time.monotonic() - began:.0f} s", flush=True)
    print(f"{said.races} races, {failed} failed, {time.monotonic() - began:.0f} s")
    print(", ".join(f"{kind} {count}" for kind, count in events.most_common()))
    return 1 if failed else 0


def none_fails(command: str, one_race: OneRace, races: int) -> None:
    """So many races of seed 1, up to the first that fails."""
    for number in range(races):
        try:
            one_race(1, number, 0.1)
        except Exception as fault:
            raise AssertionError(f"ride it alone by: {command} --races 1 --seed 1 --first {number}") from fault
