"""Simulated races: fair seats, the same table for the same seed, honest intervals."""

import os
import subprocess
import sys
from collections import Counter
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from races.bots import simulate
from races.bots.simulate import Share, heats, ride, rotations, table, told

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("levels", [["a"], ["a", "b"], ["a", "b", "c"], ["a", "b", "c", "d"]])
def test_in_a_block_every_level_has_every_seat_equally_often(levels):
    seatings = rotations(levels, 6)

    for seat in range(6):
        count = Counter(seating[seat] for seating in seatings)
        assert set(count) == set(levels)
        assert len(set(count.values())) == 1


def test_a_block_is_whole_even_if_that_makes_more_races():
    blocks = heats("giro", ["expert", "club", "easy"], 8, seed=1)

    assert [len(block) for block in blocks] == [6, 6]
    assert len({heat.dice for heat in blocks[0]}) == 1
    assert blocks[0][0].dice != blocks[1][0].dice
    assert blocks[0][0].course != blocks[1][0].course


def test_the_same_seed_gives_the_same_table():
    figures = simulate.arena("giro").figures
    first, again, other = (
        table(["easy"], map(ride, heats("giro", ["easy"], 4, seed)[0]), figures) for seed in (7, 7, 8)
    )

    assert told(first) == told(again)
    assert told(first) != told(other)


@pytest.mark.parametrize("hash_seed", ["0", "1"])
def test_the_table_hangs_on_no_hash_seed_and_on_no_number_of_processes(hash_seed):
    script = (
        "from races.bots.simulate import *\n"
        "if __name__ == '__main__':\n"
        "    blocks = heats('giro', ['easy'], 2, 5)\n"
        "    one, two = table(['easy'], ride_all(blocks)), table(['easy'], ride_all(blocks, jobs=2))\n"
        "    assert told(one) == told(two)\n"
        "    print(told(one))\n"
    )

    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, env=os.environ | {"PYTHONHASHSEED": hash_seed},
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip

    here = heats("giro", ["easy"], 2, 5)
    assert done.stderr == ""
    assert done.stdout.strip() == told(table(["easy"], simulate.ride_all(here)))


def test_dice_of_a_block_fall_alike_whoever_rides():
    rolls = []
    for levels in (("easy",) * 6, ("easy",) * 6):
        heat = heats("giro", ["easy"], 1, seed=3)[0][0]
        game = simulate.registry.game("giro")
        options, entrants = simulate.arena("giro").setup(heat.course, {}, simulate.source(f"{heat.dice}/table"))
        state = game.setup(options, entrants)
        dice = simulate.Dice(heat.dice)
        fell = []
        while open_now := game.decisions(state):
            decision = open_now[0]
            if decision.taker is simulate.Taker.CHANCE:
                action = dice(game, state, decision)
                if decision.kind == "peloton_die":
                    fell.append(action)
            else:
                action = simulate.bots.answer(game, levels[0], state, decision, simulate.source("bot"))
            state = game.apply(state, action).state
        rolls.append(fell)

    both = min(map(len, rolls))
    assert both >= 5
    assert rolls[0][:both] == rolls[1][:both]


@pytest.mark.parametrize(
    ("won", "of", "low", "high"),  # from the closed form, as Newcombe (1998) prints it in his table
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_a_share_has_wilsons_interval(won, of, low, high):
    assert Share(of=of, won=won).interval == pytest.approx((low, high), abs=5e-5)


def test_equal_places_decide_no_pair():
    heat = heats("giro", ["a", "b"], 1, seed=1)[0][0]
    came = [
        simulate.Came(seat=str(seat), group="g", place=place, figures=())
        for seat, place in enumerate([1, 2, 2, 4, 5, 6])
    ]
    ridden = simulate.Ridden(heat=heat, came=tuple(came), decisions=0, thought=(), seconds=1.0)

    pair = table(["a", "b"], [ridden]).pairs[0]

    # seats a b a b a b: 9 pairs of unlike levels, of which seats 1 and 2 (b and a) share a place
    assert (pair.all.won, pair.all.of) == (6, 8)


def test_the_command_prints_rates_and_speed_without_a_database():
    out = StringIO()

    call_command("simulate", "giro", "--bots", "easy", "--races", "2", "--seed", "1", "--courses", "crono", stdout=out)

    assert "easy | 100.0 %" in out.getvalue()
    assert "races/s" in out.getvalue()
    assert "decisions/s" in out.getvalue()


@pytest.mark.parametrize(
    "wrong",
    [
        ["chess"],
        ["giro", "--bots", "grandmaster"],
        ["giro", "--courses", "moon"],
        ["giro", "--option", "giro"],
        ["breaking_away", "--bots", "easy", "--option", "teams=many"],
        ["breaking_away", "--bots", "easy", "--option", "teams=2"],
        ["breaking_away", "--bots", "easy", "--option", "turn_mode=slow"],
    ],
)
def test_the_command_says_what_it_does_not_know(wrong):
    with pytest.raises(CommandError, match=wrong[-1].rpartition("=")[2]):
        call_command("simulate", *wrong)


def strength(first: str, second: str, races: int, courses: list[str]) -> Share:
    """How often a rider of the first level is before a rider of his own kind of the second."""
    blocks = heats("giro", [first, second], races, "strength", courses)
    return table([first, second], simulate.ride_all(blocks)).pairs[0].equals


def test_the_club_beats_easy():
    assert strength("club", "easy", 6, ["pianura", "colli", "vetta"]).share > 0.9  # 18 pairs; 99 % over many races


def test_the_expert_beats_the_club():
    assert strength("expert", "club", 12, ["vetta"]).share > 0.5  # 36 pairs; see docs/bots.md for 400 races


def test_the_club_beats_easy_against_the_clock_by_more_than_a_turn():
    blocks = heats("giro", ["club", "easy"], 6, "clock", ["crono", "argine", "laguna"])

    figures = simulate.arena("giro").figures
    found = table(["club", "easy"], simulate.ride_all(blocks), figures)

    club, easy = (dict(zip([figure.name for figure in figures], level.figures, strict=True)) for level in found.levels)
    assert found.pairs[0].equals.share > 0.9
    assert club["mean turns"] < easy["mean turns"] - 1.5


@pytest.mark.parametrize("options", [{}, {"turn_mode": "orders"}], ids=["one after the other", "orders"])
@pytest.mark.parametrize(
    ("first", "second", "least"),  # see docs/bots.md for 400 races
    [("club", "easy", 0.6), ("expert", "club", 0.6)],
)
def test_in_breaking_away_each_level_beats_the_one_below_it(first, second, least, options):
    blocks = heats("breaking_away", [first, second], 8, "strength", ["kermesse-60"], {"teams": "4"} | options)

    found = table([first, second], simulate.ride_all(blocks), simulate.arena("breaking_away").figures)

    assert found.races == 8
    assert found.pairs[0].all.share > least  # 32 pairs
    better, worse = found.levels
    assert better.figures[0] > worse.figures[0]  # points


@pytest.mark.parametrize(
    ("course", "options", "seats"),
    [("standard-100", {}, 6), ("standard-100", {"teams": "3"}, 3), ("madison", {}, 12), ("madison", {"teams": "9"}, 9)],
)
def test_a_simulation_of_breaking_away_has_as_many_teams_as_it_is_told(course, options, seats):
    heat = heats("breaking_away", ["easy"], 1, 1, [course], options)[0][0]

    ridden = ride(heat)

    assert len(heat.levels) == seats
    assert sorted(came.place for came in ridden.came) == list(range(1, seats + 1))


def test_the_command_runs_from_a_fresh_clone_without_a_key(tmp_path):
    bare = {
        name: value for name, value in os.environ.items() if name not in ("SECRET_KEY", "DATABASE_URL", "REDIS_URL")
    }

    done = subprocess.run(
        [sys.executable, "manage.py", "simulate", "giro", "--bots", "easy,club", "--races", "2", "--seed", "1"],
        env=bare | {"DATA_DIR": str(tmp_path), "DEBUG": "0"}, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip

    assert done.returncode == 0, done.stderr
    assert "club" in done.stdout
