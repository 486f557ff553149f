"""`python -m rules`: check scenarios, print a game's vocabulary, tell a scenario as a story. `docs/scenarios.md` explains it.

Exit codes: 0 all is as it should be; 1 a scenario failed; 2 the question makes no sense: usage, a path that is missing,
unreadable or without a scenario, a game that there is not.
"""

import argparse
import io
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from rules import registry
from rules.errors import RulesError
from rules.scenario import Report, run_file

PASSED, FAILED, USELESS = 0, 1, 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m rules", description="The rules of the games, without the site.")
    commands = parser.add_subparsers(dest="command", required=True)
    check = commands.add_parser("check", help="run scenario files and print a line for each failure")
    check.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="a file, or a folder with *.json in it")
    check.add_argument("-v", "--verbose", action="store_true", help="also list what passed")
    describe = commands.add_parser("describe", help="print a game's JSON vocabulary; without a game, list the games")
    describe.add_argument("game", nargs="?", metavar="GAME")
    play = commands.add_parser("play", help="tell what happens in the scenarios of a file, a line for each event")
    play.add_argument("path", type=Path, metavar="FILE")
    return parser


def main(arguments: Sequence[str], games: registry.Games = registry.GAMES) -> int:
    """Do what the command line says; the exit code."""
    said = _parser().parse_args(arguments)
    if said.command == "check":
        return check(said.paths, verbose=said.verbose, games=games)
    if said.command == "describe":
        return describe(said.game, games)
    return play(said.path, games)


def complain(sentence: str) -> None:
    print(sentence, file=sys.stderr)


def files(paths: Iterable[Path]) -> Iterator[Path]:
    """The files meant by `paths`, each once: a file itself, of a folder all *.json in it, however deep.

    A folder without any is given as it is: reading it says what is wrong.
    """
    seen: set[Path] = set()
    for path in paths:
        for found in sorted(path.rglob("*.json")) or [path]:
            if found.resolve() not in seen:
                seen.add(found.resolve())
                yield found


def reports(path: Path, games: registry.Games) -> list[Report]:
    """What became of the scenarios of a file; none, and a sentence, if there are none to be read."""
    found: list[Report] = []
    try:
        found = run_file(path, games)
    except IsADirectoryError:
        complain(f"{path}: no *.json in this folder")
    except OSError as error:
        complain(f"{path}: {error.strerror or error}")
    except RulesError as error:
        complain(f"{path}: {error}")
    else:
        if not found:
            complain(f"{path}: no scenario in this file")
    return found


def check(paths: Sequence[Path], *, verbose: bool, games: registry.Games) -> int:
    """Run all scenarios: a line for each failure, then how many passed and failed."""
    passed = failed = 0
    useless = False
    for path in files(paths):
        found = reports(path, games)
        useless |= not found
        for report in found:
            for failure in report.failures:
                print(failure)
            if report.failures:
                failed += 1
            else:
                passed += 1
                if verbose:
                    print(f"passed: {path}: {report.title}")
    print(f"{passed} passed, {failed} failed")
    if useless:
        return USELESS
    return FAILED if failed else PASSED


def describe(name: str | None, games: registry.Games) -> int:
    """Print what positions, options, actions and events of a game look like; of none, which games there are."""
    if name is None:
        for known in registry.names(games):
            game = registry.game(known, games=games)
            print(f"{game.name}: {game.title}, rules version {game.version}")
        return PASSED
    try:
        game = registry.game(name, games=games)
    except RulesError as unknown:
        complain(str(unknown))
        return USELESS
    print(json.dumps(game.describe(), ensure_ascii=False, indent=2))
    return PASSED


def play(path: Path, games: registry.Games) -> int:
    """Tell each scenario of a file: its title, a line for each event, and what was not as it should be."""
    found = reports(path, games)
    if not found:
        return USELESS
    for report in found:
        print(report.title)
        for line in report.story:
            print(f"  {line}")
        for failure in report.failures:
            print(failure)
    return FAILED if any(report.failures for report in found) else PASSED


if __name__ == "__main__":
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a title may hold what this terminal cannot show
    sys.exit(main(sys.argv[1:]))
