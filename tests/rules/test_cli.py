"""`python -m rules`: what it prints, and the code it ends with."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from rules import registry
from rules.__main__ import main
from rules.errors import Unreadable
from tests.rules.coin import COIN

GAMES = {"coin": {1: lambda: COIN}}
ROOT = Path(__file__).parents[2]
GOOD = {
    "game": "coin",
    "title": "Heads it is",
    "rules": ["COIN-01"],
    "position": {"callers": [{"id": "A", "call": "heads"}, {"id": "B"}]},
    "script": [
        {"do": {"kind": "call", "seat": "B", "side": "tails"}},
        {"chance": {"kind": "toss", "side": "heads"}},
        {"expect": {"events": [{"kind": "tossed", "right": ["A"]}]}},
    ],
}
BAD = GOOD | {"title": "Tails it is not", "script": [{"expect": {"over": True}}, {"legal": {"count": 7}}]}


def write(path: Path, *scenarios: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(scenarios[0] if len(scenarios) == 1 else scenarios))
    return path


def check(*arguments: object) -> int:
    return main(["check", *map(str, arguments)], GAMES)


def test_when_all_passes_only_the_number_is_printed(tmp_path, capsys):
    write(tmp_path / "one.json", GOOD)
    write(tmp_path / "deep" / "er" / "two.json", GOOD, GOOD | {"title": "Again"})

    assert check(tmp_path) == 0
    assert capsys.readouterr().out == "3 passed, 0 failed\n"


def test_verbose_lists_what_passed(tmp_path, capsys):
    path = write(tmp_path / "one.json", GOOD)

    assert check("-v", path) == 0
    assert capsys.readouterr().out == f"passed: {path}: Heads it is\n1 passed, 0 failed\n"


def test_each_failure_is_a_line_and_the_code_is_1(tmp_path, capsys):
    path = write(tmp_path / "both.json", GOOD, BAD)

    assert check(path) == 1
    over, count, numbers = capsys.readouterr().out.splitlines()
    assert over.startswith(f"{path}: Tails it is not: step 1: over: expected true, got false")
    assert count == f"{path}: Tails it is not: step 2: legal.count: expected 7, got 2"
    assert numbers == "1 passed, 1 failed"


def test_a_scenario_of_an_unknown_game_or_version_fails(tmp_path, capsys):
    write(tmp_path / "a.json", GOOD | {"game": "chess"}, GOOD | {"version": 2}, {"script": 1}, 7)

    assert check(tmp_path) == 1
    printed = capsys.readouterr().out
    assert "There is no game “chess”; the games are: coin." in printed
    assert "There is no version 2 of the game “coin”; the versions are: 1." in printed
    assert printed.endswith("0 passed, 4 failed\n")


def test_a_file_named_twice_is_checked_once(tmp_path, capsys):
    path = write(tmp_path / "one.json", GOOD)

    assert check(path, tmp_path, path) == 0
    assert capsys.readouterr().out == "1 passed, 0 failed\n"


@pytest.mark.parametrize("content", [b"{", b"\xff\xfe", b'{"a": 1, "a": 2}', b"[" + b"9" * 9000 + b"]"])
def test_a_file_that_cannot_be_read_gives_2_and_the_others_are_still_checked(content, tmp_path, capsys):
    write(tmp_path / "one.json", GOOD)
    (tmp_path / "two.json").write_bytes(content)

    assert check(tmp_path) == 2
    printed = capsys.readouterr()
    assert printed.out == "1 passed, 0 failed\n"
    assert printed.err.startswith(f"{tmp_path / 'two.json'}: ")


def test_a_missing_path_and_a_place_without_scenarios_give_2(tmp_path, capsys):
    good = write(tmp_path / "good.json", GOOD)
    empty = write(tmp_path / "empty.json", [])
    (tmp_path / "folder").mkdir()

    assert check(good, tmp_path / "nowhere") == 2
    assert capsys.readouterr() == ("1 passed, 0 failed\n", f"{tmp_path / 'nowhere'}: No such file or directory\n")
    assert check(empty) == 2
    assert capsys.readouterr() == ("0 passed, 0 failed\n", f"{empty}: no scenario in this file\n")
    assert check(good, tmp_path / "folder") == 2
    assert capsys.readouterr().err == f"{tmp_path / 'folder'}: no *.json in this folder\n"


@pytest.mark.parametrize("arguments", [[], ["check"], ["chekc", "x"], ["check", "--loud", "x"]])
def test_wrong_usage_gives_2(arguments, capsys):
    with pytest.raises(SystemExit) as ended:
        main(arguments, GAMES)

    assert ended.value.code == 2
    assert "usage: python -m rules" in capsys.readouterr().err


def test_describe_prints_the_vocabulary_or_the_games(capsys):
    assert main(["describe", "coin"], GAMES) == 0
    assert json.loads(capsys.readouterr().out) == COIN.describe()
    assert main(["describe"], GAMES) == 0
    assert capsys.readouterr().out == "coin: Heads or tails, rules version 1\n"


def test_describe_of_an_unknown_game_names_the_known_and_gives_2(capsys):
    assert main(["describe", "chess"], GAMES) == 2
    assert capsys.readouterr().err == "There is no game “chess”; the games are: coin.\n"


def test_play_tells_a_line_for_each_event(tmp_path, capsys):
    path = write(tmp_path / "one.json", GOOD)

    assert main(["play", str(path)], GAMES) == 0
    assert capsys.readouterr().out.splitlines() == [
        "Heads it is",
        "  B calls tails.",
        "  Called: A heads, B tails.",
        "  The coin shows heads: a point for A.",
    ]


def test_play_tells_failures_too_and_has_the_same_codes(tmp_path, capsys):
    assert main(["play", str(write(tmp_path / "bad.json", BAD))], GAMES) == 1
    assert "step 2: legal.count" in capsys.readouterr().out
    assert main(["play", str(tmp_path / "nowhere.json")], GAMES) == 2


def test_the_newest_version_is_meant_where_none_is_named():
    two = {"coin": {1: lambda: COIN, 2: lambda: "the second"}}

    assert registry.game("coin", games=two) == "the second"
    assert registry.game("coin", 1, games=two) is COIN
    with pytest.raises(Unreadable, match="no version 3 .* are: 1, 2"):
        registry.game("coin", 3, games=two)


def test_every_registered_game_answers_to_its_name_and_version():
    for name in registry.names():
        for version in registry.GAMES[name]:
            game = registry.game(name, version)
            assert (game.name, game.version) == (name, version)


def test_checking_and_describing_load_no_django(tmp_path):
    write(tmp_path / "one.json", GOOD)
    program = (
        "import sys\n"
        "from rules.__main__ import main\n"
        "from tests.rules.coin import COIN\n"
        "code = main(['check', sys.argv[1]], {'coin': {1: lambda: COIN}})\n"
        "print(code, [name for name in sys.modules if name.split('.')[0] in ('django', 'league', 'races')])\n"
    )

    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)], capture_output=True, text=True, cwd=ROOT, check=True
    )

    assert done.stdout == "1 passed, 0 failed\n0 []\n"


def test_it_runs_as_a_module():
    done = subprocess.run(
        [sys.executable, "-m", "rules", "check", "nowhere"], capture_output=True, text=True, cwd=ROOT, check=False
    )

    assert done.returncode == 2
    assert done.stdout == "0 passed, 0 failed\n"
    assert "nowhere" in done.stderr
