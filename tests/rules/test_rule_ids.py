"""From the rulebook to the code and back: every numbered rule of Giro is decided somewhere, shown somewhere, and known.

`rules/giro/rules.txt` is the index: a number, a tab, a few words. Numbers stand in docstrings, in refusals, in the `rules` of
scenarios and in `@pytest.mark.rule`. Whoever adds a rule adds its line, and a scenario or a test that shows it.
"""

import ast
import json
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from rules.giro.cards import Card
from rules.giro.numbers import rules as index

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
INDEX = ROOT / "rules" / "giro" / "rules.txt"
PAGE = ROOT / "docs" / "rules-giro.md"

ID = re.compile(r"\b(?:GI-[A-Z]\d?-\d\d|R-\d\d|S\d)\b")
CUT = re.compile(
    r"GI-[A-Z]\d?-\d\d(?:,| and| to|–|-|\.\.+|…) ?-?\d\d?\b"  # "GI-C2-11, -12", "GI-C2-01..05"
    r"|GI-[A-Z]\d?-\d\d ?(?:–|-|\.\.+|…|to) ?GI-"  # "GI-C2-01 to GI-C2-05"
    r"|\bR-\d\d ?(?:–|-|\.\.+|…|to) ?R-"
)
REFUSAL = re.compile(r'IllegalAction\(\s*"([A-Z0-9-]+)"(?:\s+if\s[^,]*?\selse\s+"([A-Z0-9-]+)")?')

EXCUSED: dict[str, str] = {}
"""Rules that no scenario and no test shows, with the reason why none can."""

RULINGS: dict[str, str] = {
    "R-36": "test_laps_are_counted_after_all_moves_of_the_stage",
    "R-37": "test_level_on_score_and_energy_the_latest_placing_decides",
    "R-40": "test_the_first_on_the_clock_adds_nothing_the_second_one_the_last_three_all_others_two",
    "R-46": "test_a_mountain_over_several_hexagons_needs_one_rise",
}
"""Rulings on what lies outside a stage: each is shown by a test that is marked with the rule it belongs to."""

EXAMPLES: dict[str, tuple[str, ...]] = {
    "A.3: the milestones add up to the energy at the start": (
        "Milestones that add up to 37 give 37 energy: vetta",
    ),
    "B.1, figure 4: five squares on the plain cost 3, 5 and 8": (
        "A rouleur on the plain pays 3 energy for 5 squares: 3 free, 2 paid",
        "A leader on the plain pays 5 energy for 5 squares: 2 free, 3 paid",
        "A climber on the plain pays 8 energy for 5 squares: 1 free, 4 paid",
    ),
    "B.1, figure 6: straight on and diagonally, neither sideways nor back": (
        "From a square three squares can be reached in one step: straight on and the two diagonals",
        "A diagonal is one square of movement, and nobody rides sideways or back",
    ),
    "B.1: the rouleur before a blocked road pays 5 for five squares": (
        "The rulebook's blocked road: five squares past two full columns cost 3 for the paid squares and 2 for the riders passed",
    ),
    "B.1, figure 7: yellow draws level with green and goes first": (
        "Yellow draws level with green: next turn yellow rides first, then green",
    ),
    "B.1: the yellow rider in the bend is not caught, one square more and he is": (
        "In the bend the peloton has not reached the rider whose front edge is half a column further",
        "One dotted square more and the peloton takes the rider in the bend back",
    ),
    "B.2: the squares of a break-away on a straight": (
        "On a straight a break-away reaches the fourth column at least, whichever lane it starts from",
    ),
    "B.2: the squares of a break-away in a bend": (
        "In a bend the four squares lead farther inside than outside",
        "From the middle launch square four squares go one column past the bend",
    ),
    "B.2: out of the plain with 3, 2 or 1 free square": (
        "Out of a peloton on the plain a rouleur has three free squares: four squares cost him 1",
        "Out of a peloton on the plain a leader has two free squares: four squares cost him 3",
        "Out of a peloton on the plain a climber has one free square: four squares cost him 5",
    ),
    "B.2: a descender breaks away on the downhill and recovers": (
        "A rider who descends well breaks away on a downhill with five free squares: four cost nothing and give one back",
    ),
    "B.4: a 5, nobody inside and the pursuit make 7 squares, 3 energy for the caught": (
        "Roll 5, nobody inside, pursuit: the peloton goes 7 squares, and only the riders whom it catches pay, 3 each",
    ),
    "C.1: slipstream exactly behind; none beside or diagonally": (
        "A rider who ends his move exactly behind another sits in his slipstream, and has one free square more in the next turn",
        "A rider beside another has no slipstream from him",
        "A rider diagonally behind another has no slipstream from him",
    ),
    "C.2, figure 8: the climber who has taken one risk needs 8": (
        "A climber who has taken one risk needs 8 or more for the second: 5 in 12",
    ),
    "C.2: a move of 5 costs 15 with a crack, and 15 must be there": (
        "Who cracks on a move of 5 pays 15 in all, keeps his square, and rides again in the next turn",
        "For a crack risk a rider needs three times the price: 15 for 5",
        "With 14 energy the crack risk of a move of 5 is refused",
    ),
    "C.2: three riders at a mountain of category 2": (
        "The climber rides 7 squares from the rise, 2 free and 5 paid, 2 of them on the mountain of category 2: 11 energy and no risk",
        "The leader rides 4 squares on the mountain of category 2, 2 free and 2 paid: 3 energy and no risk",
        "The rouleur rides 4 squares on the mountain of category 2, 1 free and 3 paid: 5 energy and a crack risk, for which he needs 15",
    ),
    "C.2: a move of 5 costs 10 with a fall, and 10 must be there": (
        "Who falls on a move of 5 pays 10 in all, lies beside his square, and skips his next turn",
        "For a fall risk a rider needs twice the price: 10 for 5",
    ),
    "C.2 (Hungarian text): the leader's 7 squares, two on the mountain and one black": (
        "A leader rides 7 squares from the mountain, 2 free and 5 paid, 2 of them on category 2 and one black beyond the top: "
        "no crack risk, but a fall risk that needs 22",
    ),
    "C.2 (Hungarian text): the climber's 8 squares over black ones, and the rouleur behind him": (
        "A climber rides 8 squares on a descent, 4 free and 4 paid, with black squares among the free ones: 8 energy and no risk",
        "A climber moves 8 squares from a descent, 4 free and 4 paid: the rouleur behind him loses the slipstream",
        "Had the climber moved 7 squares on the descent, the rouleur behind him would have kept the slipstream",
    ),
    "C.4: the rouleur with four free squares rides 3, 2 or 1": (
        "A rouleur with four free squares, one of them slipstream, rides 3 and recovers 1",
        "A rouleur with four free squares, one of them slipstream, rides 2 and recovers 2",
        "A rouleur with four free squares, one of them slipstream, rides 1 and recovers 3",
    ),
    "D.1, figure 9: gaps 0, 2, 3, 3, 6, and the last is three squares from being lapped": (
        "test_gaps_0_2_3_3_6_are_the_ranks_1_2_3_4_5_by_energy",
        "test_three_squares_short_of_being_lapped_is_a_gap_of_the_track_minus_three",
    ),
    "D.3: milestones of 37 are 55 energy in a time trial": (
        "Milestones of 37 give 55 energy in a time trial, half of them more",
    ),
    "D.3: the free squares of a time trial": (
        "Free squares of a time trial on the plain: rouleur 3, leader 3, climber 2",
        "Free squares of a time trial on a mountain: rouleur 2, leader 3, climber 3",
        "Free squares of a time trial on a downhill: rouleur 4, leader 4, climber 4",
        "Free squares of a time trial on a rise: rouleur 2, leader 2, climber 2",
    ),
    "D.3: 20 turns and the fifth of six on the clock are 22": (
        "test_fifth_of_six_with_20_turns_has_a_result_of_22",
    ),
    "D.3: the seven tiles 2, 2, 3, 3, 4, 4, 5": (
        "One or two paid squares are no risk in a time trial, three draw one of the seven tiles",
        "A tile that is drawn stays out until all seven are used, then all seven come back",
    ),
    "D.4: of 6 and 22 points left 6 and 15 are carried over": (
        "Of 6 points left a rider carries over 6, of 22 he carries 15: both come on top of the next course's energy",
    ),
    "our own Giro of three stages, cell by cell": (
        "test_every_cell_of_the_general_classification",
        "test_every_cell_of_the_stage_results",
        "The worked Giro's second stage: on crono 39 and what each rider carried",
    ),
}  # fmt: skip
"""The worked examples of both rulebooks, and the scenarios (by title) and tests (by name) that keep them true."""


# ---- where numbers stand ---------------------------------------------------------------------------------------------
@cache
def scenarios() -> list[dict[str, Any]]:
    return [
        scenario
        for path in sorted((HERE / "giro").glob("**/*.json"))
        for scenario in json.loads(path.read_text(encoding="utf-8"))
    ]


@cache
def sources() -> dict[str, str]:
    """The text of the engine, by file."""
    return {path.name: path.read_text(encoding="utf-8") for path in sorted((ROOT / "rules" / "giro").glob("*.py"))}


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


def shown() -> set[str]:
    """Every number that a scenario or a test shows. A ruling may stand in the title of its scenario."""
    by_scenarios = {rule for one in scenarios() for rule in [*one["rules"], *ID.findall(one["title"])]}
    by_name = {ruling for ruling, test in RULINGS.items() if test in marks()}
    return by_scenarios.union(by_name, *marks().values())


def refused() -> set[str]:
    return {step["rule"] for one in scenarios() for step in one["script"] if "refuse" in step}


# ---- the index -------------------------------------------------------------------------------------------------------
def test_the_index_has_each_rule_once_with_a_few_words():
    lines = INDEX.read_text(encoding="utf-8").splitlines()

    assert [line for line in lines if not re.fullmatch(rf"{ID.pattern}\t\S.{{9,}}\S", line)] == []
    assert len(index()) == len(lines)


def test_the_page_on_the_rules_says_what_the_index_says():
    rows = re.findall(rf"^\| ({ID.pattern}) \| (.+) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)

    assert rows == list(index().items())


def test_every_number_in_the_engine_is_in_the_index():
    unknown = {name: sorted(set(ID.findall(text)) - index().keys()) for name, text in sources().items()}

    assert {name: ids for name, ids in unknown.items() if ids} == {}


def test_every_number_of_a_scenario_is_in_the_index():
    unknown = {
        one["title"]: ids
        for one in scenarios()
        if (ids := sorted({*one["rules"], *ID.findall(json.dumps(one))} - index().keys()))
    }

    assert unknown == {}


def test_every_number_that_a_test_is_marked_with_is_in_the_index():
    unknown = {
        name: ids
        for name, rules in marks().items()
        if (ids := sorted(rule for rule in rules - index().keys() if rule.startswith("GI")))
    }

    assert unknown == {}


def test_numbers_are_written_in_full_so_that_a_search_finds_them():
    places = [
        *(ROOT / "rules").glob("giro/*.py"),
        *(ROOT / "league").glob("**/*.py"),
        *(ROOT / "races").glob("**/*.py"),
    ]
    places += [*HERE.glob("giro/**/*.json"), *HERE.glob("giro/**/*.py")]
    cut = {
        path.relative_to(ROOT).as_posix(): found
        for path in places
        if (found := [hit.group() for hit in CUT.finditer(path.read_text(encoding="utf-8"))])
    }

    assert cut == {}


def test_a_range_and_a_cut_number_are_found():
    for wrong in (
        "GI-C2-01..05",
        "GI-C2-11, -12",
        "GI-C2-01 to GI-C2-05",
        "GI-C2-01–05",
        "R-01 to R-04",
    ):
        assert CUT.search(wrong), wrong
    for right in ("Rules: GI-C2-01, GI-C2-02.", "GI-C2-01; R-03.", "GI-C2-11 and GI-C2-12", "GI-B4-01 with 2 squares"):
        assert not CUT.search(right), right


# ---- and back --------------------------------------------------------------------------------------------------------
def test_every_rule_is_named_where_it_is_decided():
    text = "\n".join([*sources().values(), *(path.read_text() for path in (ROOT / "league").glob("**/*.py"))])

    assert sorted(rule for rule in index() if rule.startswith("GI") and rule not in text) == []


def test_every_rule_is_shown_by_a_scenario_or_a_test():
    assert sorted(index().keys() - shown() - EXCUSED.keys()) == []


def test_no_rule_is_excused_that_is_shown():
    assert sorted(EXCUSED.keys() & shown()) == []


def test_every_refusal_happens_in_a_scenario():
    refusals = {rule for text in sources().values() for found in REFUSAL.findall(text) for rule in found if rule}

    assert "GI-B1-05" in refusals
    assert "GI-D3-09" in refusals
    assert sorted(refusals - refused()) == []


def test_every_refusal_of_the_engine_is_written_so_that_it_is_found():
    for name, text in sources().items():
        assert len(re.findall(r"\bIllegalAction\(", text)) == len(REFUSAL.findall(text)), name


def test_every_special_card_is_played_in_a_scenario():
    played = {
        event["card"]
        for one in scenarios()
        for step in one["script"]
        for event in step.get("expect", {}).get("events", [])
        if event.get("kind") in ("moved", "broke_away", "card_played") and isinstance(event.get("card"), str)
    }

    assert sorted(card for card in Card if card.value not in played) == []


def test_every_worked_example_of_the_rulebooks_is_kept():
    there = {one["title"] for one in scenarios()} | marks().keys()

    missing = {
        example: gone for example, kept in EXAMPLES.items() if (gone := [one for one in kept if one not in there])
    }

    assert missing == {}
