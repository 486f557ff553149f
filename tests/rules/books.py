"""Where the numbers of a game's rules stand: in its index, its engine, its scenarios, its tests, on its page.

A *book* is what a game says about its own numbers; `test_rule_ids.py` goes from each book to the code and back.
"""

import ast
import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from rules.scenario import read_file

HERE = Path(__file__).parent
ROOT = HERE.parents[1]

REFUSAL = re.compile(r'IllegalAction\(\s*"([A-Za-z0-9-]+)"(?:\s+if\s[^"]*?\selse\s+"([A-Za-z0-9-]+)")?')


@dataclass(frozen=True, kw_only=True)
class Book:
    """The numbers of one game."""

    game: str
    number: str
    """What a number looks like."""
    cut: str
    """What a range or a cut number looks like, which no search would find."""
    decided: str
    """How the numbers begin that code decides; others are rulings, which belong to one of those."""
    unshown: Mapping[str, str]
    """Rules that no scenario and no test shows, each with the reason."""
    undecided: Mapping[str, str]
    """Rules that no code names, each with the reason."""
    by_name: Mapping[str, str]
    """Rulings that a test shows which is marked with the rule that they belong to."""
    examples: Mapping[str, tuple[str, ...]]
    """The worked examples of the rulebook, and the scenarios (by title) and tests (by name) that keep them true."""

    def __hash__(self) -> int:
        return hash(self.game)

    # ---- where numbers stand -----------------------------------------------------------------------------------------
    @property
    def index(self) -> Path:
        return ROOT / "rules" / self.game / "rules.txt"

    @property
    def page(self) -> Path:
        return ROOT / "docs" / f"rules-{self.game.replace('_', '-')}.md"

    @cache  # noqa: B019 - books live as long as the tests
    def numbers(self) -> dict[str, str]:
        """Every number with its words, in the order of the index."""
        return dict(line.split("\t", 1) for line in self.index.read_text(encoding="utf-8").splitlines())

    def numbers_in(self, text: str) -> set[str]:
        return set(re.findall(rf"\b(?:{self.number})\b", text))

    @cache  # noqa: B019
    def scenarios(self) -> list[dict[str, Any]]:
        return [scenario for path in sorted((HERE / self.game).glob("**/*.json")) for scenario in read_file(path)]

    @cache  # noqa: B019
    def sources(self) -> dict[str, str]:
        """The text of the engine, by file."""
        return {
            path.name: path.read_text(encoding="utf-8") for path in sorted((ROOT / "rules" / self.game).glob("*.py"))
        }

    def outside(self) -> str:
        """The text of what decides rules outside the engine: the league's and the races' code."""
        return "\n".join(
            path.read_text(encoding="utf-8") for app in ("league", "races") for path in (ROOT / app).glob("**/*.py")
        )

    # ---- what is shown -----------------------------------------------------------------------------------------------
    def shown(self) -> set[str]:
        """Every number that a scenario or a test shows. A ruling may stand in the title of its scenario."""
        by_scenarios = {rule for one in self.scenarios() for rule in {*one["rules"], *self.numbers_in(one["title"])}}
        by_name = {ruling for ruling, test in self.by_name.items() if test in marks()}
        return by_scenarios.union(by_name, *marks().values())

    def refusals(self) -> set[str]:
        """The numbers that the engine refuses by."""
        return {rule for text in self.sources().values() for found in REFUSAL.findall(text) for rule in found if rule}

    def refused(self) -> set[str]:
        """The numbers by which a scenario is refused."""
        return {step["rule"] for one in self.scenarios() for step in one["script"] if "refuse" in step}

    def cut_numbers(self) -> dict[str, list[str]]:
        """Where a number is not written in full."""
        places = [*(ROOT / "rules").glob(f"{self.game}/*.py"), *HERE.glob(f"{self.game}/**/*.py")]
        places += [
            *(ROOT / "league").glob("**/*.py"),
            *(ROOT / "races").glob("**/*.py"),
            *HERE.glob(f"{self.game}/**/*.json"),
        ]
        found = {
            path.relative_to(ROOT).as_posix(): [hit.group() for hit in re.finditer(self.cut, path.read_text("utf-8"))]
            for path in places
            if path.name not in ("book.py", "test_rule_ids.py")
        }
        return {path: hits for path, hits in found.items() if hits}

    def rows(self) -> list[tuple[str, str]]:
        """The numbers on the page, and what it says of them."""
        text = self.page.read_text(encoding="utf-8")
        return re.findall(rf"^\| ({self.number}) \| (.+) \|$", text, re.MULTILINE)


@cache
def marks() -> dict[str, set[str]]:
    """Test functions and their numbers, out of the whole tests tree; a mark of a class or module goes to its name."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in sorted((ROOT / "tests").glob("**/*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
                found[node.name] |= {rule for mark in node.decorator_list for rule in _of_mark(mark)}
            elif isinstance(node, ast.Assign):
                found[path.name] |= set(_of_mark(node.value))
    return found


def _of_mark(tree: ast.expr) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.rule":
            yield from (arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str))


def written(scenario: dict[str, Any]) -> str:
    return json.dumps(scenario)
