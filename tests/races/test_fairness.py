"""Verifiable chance: the tickets, the log that proves them, and logs that somebody has been at."""

import hashlib
import hmac
import json
import os
import re
import subprocess
import sys
from collections import Counter
from itertools import count, pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from races.fairness import (
    Fault,
    Verdict,
    Verification,
    answer,
    below,
    commitment,
    commits,
    due,
    new_seed,
    purpose_of,
    stream,
    ticket,
    verify,
)
from rules.game import Decision, Seat, Taker
from tests.races.dice import DICE_GAME, SEED, Die, Go, StartDie, Stop, Table

ROOT = Path(__file__).parents[2]
VECTORS = json.loads((Path(__file__).parent / "fairness_vectors.json").read_text())["vectors"]
Log = dict[str, Any]


# ---- helpers ---------------------------------------------------------------------------------------------------------
def checked(log: object) -> Verification:
    return verify(log, DICE_GAME)


def faults(log: object) -> list[tuple[Fault, int | None]]:
    """What is amiss, and at which entry. Every sentence can be said."""
    findings = checked(log).findings
    assert all("%(" not in str(finding) for finding in findings)
    return [(finding.fault, finding.n) for finding in findings]


def spoilt(log: Log, n: int, /, **change: Any) -> Log:
    """The log with other words in entry `n`."""
    log["entries"][n - 1].update(change)
    return log


def first_rolls(seed: bytes, race: str = "monday") -> tuple[int, ...]:
    return tuple(ticket(seed, race, entry, "peloton_die", 12) for entry in range(1, 11))


# ---- seed and commitment ---------------------------------------------------------------------------------------------
def test_a_seed_is_32_bytes_and_never_the_same():
    seeds = {new_seed() for _ in range(50)}

    assert len(seeds) == 50
    assert {len(seed) for seed in seeds} == {32}


def test_fifty_races_have_fifty_different_first_ten_rolls():
    assert len({first_rolls(new_seed()) for _ in range(50)}) == 50


def test_a_commitment_is_the_sha_256_of_the_seed_and_fits_no_other():
    promised = commitment(SEED)

    assert promised == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"  # sha256sum says so
    assert commits(SEED, promised)
    assert not commits(bytes(32), promised)
    assert not any(commits(SEED, other) for other in ("", promised[:-1], promised.upper(), "é" * 64, "\ud800"))


# ---- tickets ---------------------------------------------------------------------------------------------------------
def by_hand(vector: dict[str, str]) -> tuple[int, str]:
    """Ticket and block 0 from what docs/fairness.md says alone: in digits, where the site works in numbers."""
    hat = int(vector["total"])

    def eight(value: int) -> bytes:
        return bytes.fromhex(f"{value:016x}")

    def text(value: str) -> bytes:
        return eight(len(value.encode("utf-8"))) + value.encode("utf-8")

    def block(number: int) -> bytes:
        mac = hmac.new(bytes.fromhex(vector["seed"]), digestmod=hashlib.sha256)
        for part in (b"chance/1", text(vector["race"]), eight(int(vector["entry"])), text(vector["purpose"])):
            mac.update(part)
        mac.update(eight(number))
        return mac.digest()

    drawn = 0
    if hat > 1:
        bits = len(f"{hat - 1:b}")
        digits = 8 * -(-bits // 8)
        held = ""
        numbers = count()
        drawn = hat
        while drawn >= hat:
            while len(held) < digits:
                held += "".join(f"{byte:08b}" for byte in block(next(numbers)))
            taken, held = held[:digits], held[digits:]
            drawn = int(taken[-bits:], 2)
    return drawn, block(0).hex()


def test_there_are_vectors_for_others_to_check_themselves_by():
    assert len(VECTORS) >= 20
    assert len({json.dumps(vector) for vector in VECTORS}) == len(VECTORS)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: f"{vector['purpose'][:20]}-{vector['total'][:9]}")
def test_the_site_draws_what_the_vectors_say_and_so_does_who_only_read_the_docs(vector):
    seed, race, purpose = bytes.fromhex(vector["seed"]), vector["race"], vector["purpose"]
    entry, hat = int(vector["entry"]), int(vector["total"])
    told = (int(vector["ticket"]), vector["block"])

    drawn = ticket(seed, race, entry, purpose, hat), next(stream(seed, race, entry, purpose)).hex()

    assert drawn == told
    assert by_hand(vector) == told


def test_the_script_in_the_docs_draws_the_first_vector():
    docs = (ROOT / "docs/fairness.md").read_text()
    (script,) = re.findall(r"```python\n(.*?)```", docs, re.DOTALL)
    (vector, *_) = VECTORS

    run = subprocess.run([sys.executable, "-I", "-S", "-c", script], capture_output=True, text=True, check=True)

    assert len(script.splitlines()) == 10
    assert f'"{vector["seed"]}"' in script
    assert run.stdout.splitlines() == [
        f"commitment {commitment(bytes.fromhex(vector['seed']))}",
        f"ticket {vector['ticket']}",
    ]
    assert all(f"`{word}`" in docs for word in (vector["seed"], vector["block"], run.stdout.split()[1]))


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: f"{vector['purpose'][:20]}-{vector['total'][:9]}")
def test_the_script_in_the_docs_draws_every_vector_whose_numbers_are_put_in(vector):
    docs = (ROOT / "docs/fairness.md").read_text()
    (script,) = re.findall(r"```python\n(.*?)```", docs, re.DOTALL)
    example = VECTORS[0]
    for old, new in (
        (f'"{example["seed"]}"', f'"{vector["seed"]}"'),
        (f'"{example["race"]}".encode()', repr(vector["race"].encode())),
        (f", {example['entry']},", f", {vector['entry']},"),
        (f'"{example["purpose"]}".encode()', repr(vector["purpose"].encode())),
        (f", {example['total']}\n", f", {vector['total']}\n"),
    ):
        assert script.count(old) == 1
        script = script.replace(old, new)
    said: list[str] = []

    exec(script, {"print": lambda *words: said.extend(" ".join(map(str, words)).splitlines())})

    assert said[1] == f"ticket {vector['ticket']}"


@pytest.mark.parametrize(
    ("hat", "size"), [(2, 1), (3, 1), (6, 1), (12, 1), (15, 1), (40, 1), (200, 1), (256, 1), (300, 2)]
)
def test_every_ticket_comes_from_equally_many_bytes(hat, size):
    bits = (hat - 1).bit_length()
    drawn: Counter[int | None] = Counter()

    for number in range(256**size):
        try:
            drawn[below(hat, iter([number.to_bytes(size, "big")]))] += 1
        except StopIteration:  # dropped: there are no more bytes to take
            drawn[None] += 1

    each = 256**size >> bits
    assert drawn.pop(None, 0) == each * (2**bits - hat)
    assert drawn == dict.fromkeys(range(hat), each)


def test_sixty_thousand_rolls_of_a_twelve_sided_die_fall_evenly():
    rolls, p = 60_000, 1 / 12

    faces = Counter(ticket(SEED, "monday", entry, "event_die", 12) for entry in range(1, rolls + 1))

    sigma = (rolls * p * (1 - p)) ** 0.5
    assert sorted(faces) == list(range(12))
    assert max(abs(number - rolls * p) for number in faces.values()) < 5 * sigma


def test_a_roll_tells_nothing_of_the_next_one():
    rolls = 60_000
    fell = [ticket(SEED, "monday", entry, "event_die", 6) for entry in range(1, rolls + 2)]

    pairs = Counter(pairwise(fell))

    sigma = (rolls / 36 * 35 / 36) ** 0.5
    assert len(pairs) == 36
    assert max(abs(number - rolls / 36) for number in pairs.values()) < 5 * sigma


def test_another_seed_race_entry_or_purpose_is_another_draw():
    draws = [
        (SEED, "monday", 1, "die"),
        (bytes(32), "monday", 1, "die"),
        (SEED, "tuesday", 1, "die"),
        (SEED, "monday", 2, "die"),
        (SEED, "monday", 1, "die|about=A"),
    ]

    assert len({ticket(*draw, 10**30) for draw in draws}) == len(draws)


def test_letters_that_change_sides_between_race_and_purpose_make_another_draw():
    word = "abcdef"

    blocks = {next(stream(SEED, word[:cut], 1, word[cut:])) for cut in range(1, 7)}

    assert len(blocks) == 6


def test_a_hat_with_one_ticket_takes_no_byte():
    assert below(1, iter([])) == 0
    assert ticket(SEED, "monday", 1, "die", 1) == 0


def test_a_ticket_may_be_longer_than_a_block():
    hat = 2**600 + 1

    tickets = [ticket(SEED, "monday", entry, "die", hat) for entry in range(1, 40)]

    assert all(0 <= drawn < hat for drawn in tickets)
    assert max(tickets).bit_length() > 590


@pytest.mark.parametrize(
    "draw",
    [
        (SEED, "monday", 1, "die", 0),
        (SEED, "monday", 1, "die", -1),
        (SEED[1:], "monday", 1, "die", 6),
        (SEED, "", 1, "die", 6),
        (SEED, "monday", 0, "die", 6),
        (SEED, "monday", 2**63, "die", 6),
        (SEED, "\ud800", 1, "die", 6),
    ],
)
def test_what_cannot_be_drawn_is_refused_and_the_refusal_keeps_the_seed_to_itself(draw):
    with pytest.raises(ValueError) as refused:  # noqa: PT011 - the message is looked at below
        ticket(*draw)

    assert SEED[1:].hex() not in str(refused.value)
    assert repr(SEED[1:])[2:-1] not in str(refused.value)


@given(
    st.lists(st.tuples(st.text(), st.none() | st.text(), st.none() | st.text()), min_size=2, max_size=2, unique=True)
)
def test_two_different_decisions_never_have_the_same_purpose(told):
    one, other = (Decision(kind=kind, taker=Taker.CHANCE, about=about, why=why) for kind, about, why in told)

    assert purpose_of(one) != purpose_of(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("die", "A|why=x", None), ("die", "A", "x")),
        (("die|about=A", None, None), ("die", "A", None)),
        (("die", "", None), ("die", None, None)),
        (("die", "A\\", "x"), ("die", "A\\|why=x", None)),
        (("die\\", "A", None), ("die|about=A", None, None)),
    ],
)
def test_no_name_of_a_rider_can_pass_for_a_reason(one, other):
    purposes = {
        purpose_of(Decision(kind=kind, taker=Taker.CHANCE, about=about, why=why)) for kind, about, why in (one, other)
    }

    assert len(purposes) == 2


def test_a_purpose_reads_as_the_docs_say():
    decision = Decision(kind="event_die", taker=Taker.CHANCE, seat=Seat("A"), about="A1", why="crack")

    assert purpose_of(decision) == "event_die|about=A1|why=crack"
    assert f"`{purpose_of(decision)}`" in (ROOT / "docs/fairness.md").read_text()


def test_only_chance_is_answered_by_the_seed():
    state = Table().state

    with pytest.raises(ValueError, match="chance"):
        answer(DICE_GAME, state, DICE_GAME.decisions(state)[0], seed=SEED, race="monday", entry=1)


# ---- a good log ------------------------------------------------------------------------------------------------------
def test_a_finished_race_is_fair_and_ends_as_it_did():
    table = Table().finish()

    result = checked(table.log())

    assert result.findings == ()
    assert result.verdict is Verdict.FAIR
    assert (result.seed_fits, result.over, result.at, result.unchecked) == (True, True, table.n, ())
    assert result.state == table.state
    assert result.outcome == DICE_GAME.outcome(table.state)
    assert [roll.n for roll in result.rolls] == [e["n"] for e in table.entries if e["taker"] == "chance"]
    assert all(roll.ok and roll.expected == roll.found for roll in result.rolls)


def test_a_checked_roll_tells_all_that_is_needed_to_draw_it_by_hand():
    table = Table().finish()

    for roll in checked(table.log()).rolls:
        vector = {
            "seed": table.seed.hex(),
            "race": roll.race,
            "entry": str(roll.n),
            "purpose": roll.purpose,
            "total": str(roll.total),
        }
        drawn, _ = by_hand(vector)
        hat = [action for action, weight in roll.hat for _ in range(weight)]

        assert drawn == roll.ticket
        assert hat[drawn] == roll.found


def test_a_race_that_runs_is_open_and_its_log_gives_no_roll_away():
    table = Table()
    table.until(lambda: table.n == 9)

    result = checked(table.log(shown=False))

    assert (result.verdict, result.findings, result.seed_fits) == (Verdict.OPEN, (), None)
    assert result.state == table.state
    assert result.rolls
    assert all((roll.ticket, roll.expected, roll.ok) == (None, None, None) for roll in result.rolls)


def test_a_race_at_a_table_is_replayed_and_its_dice_are_believed():
    table = Table()
    for _ in "AB":
        table.step()
    table.act(Taker.CHANCE, None, StartDie(seat="B", value=2))  # people roll in the order they like
    table.act(Taker.CHANCE, None, StartDie(seat="A", value=5))
    table.act(Taker.SEAT, "A", Go())
    table.act(Taker.CHANCE, "A", Die(value=6))
    log = table.log(shown=False) | {"commitment": None}

    result = checked(log)

    assert (result.verdict, result.findings) == (Verdict.TABLE, ())
    assert [roll.found.get("value") for roll in result.rolls] == [2, 5, 6]
    assert result.state == table.state


def test_a_long_log_is_checked_by_riding_it_once(monkeypatch: pytest.MonkeyPatch):
    table = Table(goal=700)
    table.until(lambda: table.n >= 600)
    log = table.log()
    ridden, apply = [], DICE_GAME.apply
    monkeypatch.setattr(type(DICE_GAME), "apply", lambda _game, *what: ridden.append(1) or apply(*what))

    result = checked(log)

    assert len(ridden) == table.n
    assert {finding.fault for finding in result.findings} == {Fault.NOT_OVER}
    assert result.at == table.n >= 600


def test_a_log_without_a_game_at_hand_is_checked_by_the_game_that_it_names():
    log = Table().finish().log()

    (finding,) = verify(log).findings

    assert (finding.fault, finding.n) == (Fault.UNKNOWN_GAME, None)
    assert "dice" in str(finding)


def test_hashing_changes_nothing_and_neither_does_the_site():
    program = (
        "import sys\n"
        "from races.fairness import verify, ticket\n"
        "from tests.races.dice import DICE_GAME, SEED, Table\n"
        "log = Table(goal=60, seats='ABCD').finish().log()\n"
        "print([ticket(SEED, 'monday', n, 'die', 10**20) for n in range(1, 50)], log, verify(log, DICE_GAME))\n"
        "assert 'django' not in sys.modules\n"
    )

    said = [
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": hashing},
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for hashing in ("0", "1")
    ]

    assert said[0] == said[1]
    assert "verdict=<Verdict.FAIR" in said[0]


# ---- taking back -----------------------------------------------------------------------------------------------------
def rewound() -> tuple[Table, int, int]:
    """A race that the organiser took back once, with rolls in between; the entry it went back to, and the rewind."""
    table = Table(goal=40)
    table.until(lambda: table.n == 9)
    to = table.n
    table.note(kind="pause")
    table.until(lambda: table.n == 19)
    table.rewind(to)
    return table, to, table.n


def test_a_rewind_leaves_its_rolls_burnt_and_the_race_fair():
    table, to, at = rewound()
    table.finish()

    result = checked(table.log())

    burnt = [roll.n for roll in result.rolls if roll.burnt]
    assert (result.verdict, result.findings) == (Verdict.FAIR, ())
    assert burnt == [entry["n"] for entry in table.entries[to:at] if entry["taker"] == "chance"] != []
    assert all(roll.ok for roll in result.rolls)
    assert result.outcome == DICE_GAME.outcome(table.state)


def test_after_a_rewind_the_position_is_the_one_before_in_every_field():
    table, to, at = rewound()

    result = checked(table.log(shown=False))

    assert result.state == checked(table.log(shown=False) | {"entries": table.entries[:to]}).state
    assert result.at == at


def test_the_same_roll_after_a_rewind_is_another_draw():
    once = Table(goal=40)
    once.until(lambda: due(DICE_GAME.decisions(once.state)) is not None and once.n > 4)
    to = once.n
    fell = []
    for _ in range(40):
        fell.append(once.roll())
        once.rewind(to)

    rolls = checked(once.log()).rolls[-40:]

    assert len({roll.purpose for roll in rolls}) == 1
    assert len({json.dumps(roll.found) for roll in rolls}) > 1
    assert [roll.found["value"] for roll in rolls] == [action.value for action in fell]
    assert all(roll.ok and roll.burnt for roll in rolls)


def test_entries_that_a_rewind_took_back_may_be_marked_void():
    table, to, at = rewound()
    log = table.finish().log()
    for entry in log["entries"][to : at - 1]:
        entry["void"] = True

    assert checked(log).verdict is Verdict.FAIR


def test_a_rewind_inside_a_rewind_is_followed():
    table, to, first = rewound()
    table.until(lambda: table.n == first + 4)
    table.rewind(first)  # a rewind is an entry like any other to go back to
    table.until(lambda: table.n == first + 9)
    table.rewind(to - 2)
    table.finish()

    result = checked(table.log())

    assert (result.verdict, result.findings, result.state) == (Verdict.FAIR, (), table.state)


def test_a_seat_may_take_back_what_it_alone_did():
    table = Table()
    table.step()
    table.rewind(0, by="A")
    table.finish()

    assert checked(table.log()).verdict is Verdict.FAIR


def test_a_race_may_be_rewound_to_its_start():
    table = Table()
    table.until(lambda: table.n == 6)
    table.rewind(0)

    assert checked(table.log(shown=False)).state == table.states[0]
    assert checked(table.finish().log()).verdict is Verdict.FAIR


def test_a_seat_that_takes_back_a_roll_is_found():
    table = Table()
    table.until(lambda: table.n > 4 and table.entries[-1]["taker"] == "chance")
    table.rewind(table.n - 2, by="A")
    table.finish()

    (finding,) = checked(table.log()).findings

    assert finding.fault is Fault.REWIND
    assert "which was not its own" in str(finding)


def test_a_rewind_to_what_was_itself_taken_back_would_wake_known_rolls_and_is_found():
    table, to, at = rewound()
    table.rewind(at - 3)
    table.finish()

    result = checked(table.log())

    assert [(finding.fault, finding.n) for finding in result.findings] == [(Fault.REWIND, at + 1)]
    assert (result.at, result.state) == (at, table.states[to])
    assert result.unchecked == tuple(e["n"] for e in table.entries[at + 1 :] if "action" in e) != ()


def test_a_rewind_needs_a_reason():
    table = Table()
    table.until(lambda: table.n == 6)
    table.rewind(3, reason="  ")

    assert faults(table.log(shown=False)) == [(Fault.REWIND, 7)]


def test_nothing_is_taken_back_after_the_end_for_the_seed_is_known():
    table = Table().finish()
    end = table.n
    table.rewind(end - 2)
    table.finish()

    assert faults(table.log()) == [(Fault.AFTER_THE_END, end + 1)]


def test_a_race_at_a_table_may_be_taken_back_after_its_end():
    table = Table().finish()
    table.rewind(table.n - 2)
    table.finish()

    assert checked(table.log(shown=False) | {"commitment": None}).verdict is Verdict.TABLE


# ---- forks -----------------------------------------------------------------------------------------------------------
def test_a_fork_is_checked_with_the_seed_of_the_race_it_came_from_and_then_with_its_own():
    race, to, at = rewound()
    race.finish()
    fork = race.forked(at + 3, seed=bytes(32), race="practice").finish()

    result = checked(fork.log())

    assert (result.verdict, result.findings) == (Verdict.FAIR, ())
    assert {roll.race for roll in result.rolls if roll.n <= at + 3} == {"monday"}
    assert {roll.race for roll in result.rolls if roll.n > at + 3} == {"practice"}
    assert result.state == fork.state != race.state


def test_a_fork_of_a_race_that_still_runs_is_open():
    fork = rewound()[0].forked(9, seed=bytes(32), race="practice").finish()
    log = fork.log()
    log["origins"][0]["seed"] = None

    result = checked(log)

    assert (result.verdict, result.findings, result.seed_fits) == (Verdict.OPEN, (), True)
    assert {roll.ok for roll in result.rolls if roll.n <= 9} == {None}
    assert {roll.ok for roll in result.rolls if roll.n > 9} == {True}


def test_a_fork_that_says_too_little_of_where_it_came_from_is_found():
    log = rewound()[0].forked(9, seed=bytes(32), race="practice").finish().log()
    without = {name: value for name, value in log.items() if name != "origins"}
    twice = log | {"origins": log["origins"] * 2}

    assert {fault for fault, _ in faults(without)} == {Fault.CHANCE}
    assert {fault for fault, _ in faults(twice)} == {Fault.NOT_A_LOG}


# ---- logs that somebody has been at ----------------------------------------------------------------------------------
def entries_of(log: Log, taker: str, kind: str) -> list[int]:
    """The numbers of entries by that taker with an action of that kind."""
    return [e["n"] for e in log["entries"] if e["taker"] == taker and e.get("action", {}).get("kind") == kind]


@pytest.fixture
def log() -> Log:
    """A finished race with a pause and a rewind in it."""
    return rewound()[0].finish().log()


def test_the_log_that_is_spoilt_below_is_fair_before(log):
    assert checked(log).verdict is Verdict.FAIR
    assert len(log["entries"]) > 40


@pytest.mark.parametrize("n", [1, 5, 20, 30])
def test_a_missing_entry_is_found_and_what_follows_is_left_unchecked(log, n):
    del log["entries"][n - 1]

    result = checked(log)

    assert [(finding.fault, finding.n) for finding in result.findings] == [(Fault.MISSING, n)]
    assert all(roll.n < n for roll in result.rolls if not roll.burnt)
    assert result.unchecked[-1] == len(log["entries"]) + 1
    assert not result.over


def test_many_missing_entries_are_one_finding(log):
    for entry in log["entries"][20:]:
        entry["n"] += 10**15

    (finding, *_) = checked(log).findings

    assert str(finding) == f"entry 21: Missing are the entries from 21 to {10**15 + 20}."


def test_a_rewind_leads_back_to_a_certain_position(log):
    (rewind,) = [entry["n"] for entry in log["entries"] if "rewind_to" in entry]
    del log["entries"][rewind - 4]

    result = checked(log)

    assert [(finding.fault, finding.n) for finding in result.findings] == [(Fault.MISSING, rewind - 3)]
    assert {n for n in result.unchecked if n > rewind} == set()
    assert result.over


@pytest.mark.parametrize("n", [1, 10, 20, 30])
def test_a_doubled_entry_is_found_and_the_first_counts(log, n):
    end = checked(log).state
    log["entries"].insert(n, dict(log["entries"][n - 1]))

    assert faults(log) == [(Fault.DOUBLED, n)]
    assert checked(log).state == end


@pytest.mark.parametrize("n", [1, 10, 20, 30])
def test_entries_that_changed_places_are_found_and_played_by_their_numbers(log, n):
    entries = log["entries"]
    entries[n - 1], entries[n] = entries[n], entries[n - 1]

    assert faults(log) == [(Fault.OUT_OF_ORDER, n)]
    assert checked(log).over


def test_entries_that_changed_numbers_are_found(log):
    go = entries_of(log, "seat", "go")[0]
    entries = log["entries"]
    entries[go - 1], entries[go] = {**entries[go], "n": go}, {**entries[go - 1], "n": go + 1}

    assert faults(log)[0] == (Fault.NO_CHANCE_OPEN, go)


def test_a_roll_that_the_seed_does_not_give_is_found_and_said(log):
    *_, n = entries_of(log, "chance", "die")
    fell = log["entries"][n - 1]["action"]["value"]
    other = next(value for value in (4, 5) if value != fell)

    result = checked(spoilt(log, n, action={"kind": "die", "value": other}))

    finding = next(finding for finding in result.findings if finding.fault is Fault.CHANCE)
    (roll,) = [roll for roll in result.rolls if roll.ok is False]
    assert str(finding) == (
        f'entry {n}: The seed gives {{"kind": "die", "value": {fell}}}, the log has {{"kind": "die", "value": {other}}}.'
    )
    assert (roll.n, roll.expected, roll.found["value"]) == (n, {"kind": "die", "value": fell}, other)


def test_a_roll_that_no_die_has_is_found_and_refused(log):
    *_, n = entries_of(log, "chance", "die")

    result = checked(spoilt(log, n, action={"kind": "die", "value": 7}))

    assert [(finding.fault, finding.n) for finding in result.findings] == [(Fault.CHANCE, n), (Fault.REFUSED, n)]


def test_another_burnt_roll_is_found_too(log):
    n = next(roll.n for roll in checked(log).rolls if roll.burnt and roll.decision.kind == "die")
    fell = log["entries"][n - 1]["action"]["value"]

    found = faults(spoilt(log, n, action={"kind": "die", "value": next(v for v in (4, 5) if v != fell)}))

    assert found[0] == (Fault.CHANCE, n)


def test_every_roll_of_a_race_under_another_name_is_found(log):
    rolls = [roll.n for roll in checked(log).rolls]

    result = checked(log | {"race": "tuesday"})

    wrong = [roll.n for roll in result.rolls if not roll.ok]
    assert result.verdict is Verdict.FAULTY
    assert set(wrong) <= set(rolls)
    assert len(wrong) > len(rolls) / 2  # a few fall the same by luck


def test_of_several_rolls_the_first_comes_first():
    table = Table()
    for _ in "AB":
        table.step()
    decisions = DICE_GAME.decisions(table.state)
    later = answer(DICE_GAME, table.state, decisions[1], seed=SEED, race="monday", entry=3)
    table.act(Taker.CHANCE, "B", later)
    table.roll()

    result = checked(table.log(shown=False))

    assert [roll.words for roll in result.rolls] == ["start_die of B", "start_die of A"]
    assert [(finding.fault, finding.n) for finding in result.findings] == [(Fault.CHANCE_ORDER, 3)]
    assert "start_die of B" in str(result.findings[0])
    assert "start_die of A" in str(result.findings[0])


def test_an_action_that_the_rules_refuse_is_found_with_the_rule(log):
    n = entries_of(log, "seat", "go")[1]

    result = checked(spoilt(log, n, action={"kind": "pick", "seat": "A", "die": "d6"}))

    (finding,) = result.findings
    assert (finding.fault, finding.n, finding.saying.rule) == (Fault.REFUSED, n, "DI-03")
    assert str(finding) == f"entry {n}: DI-03: “pick” is not possible now."
    assert all(later > n for later in result.unchecked)


def test_a_chance_entry_where_nothing_was_to_be_rolled_is_found(log):
    n = entries_of(log, "seat", "go")[1]

    assert faults(spoilt(log, n, taker="chance")) == [(Fault.NO_CHANCE_OPEN, n)]


@pytest.mark.parametrize(
    ("taker", "kind", "change"),
    [
        ("seat", "go", {"seat": "X"}),
        ("seat", "go", {"taker": "organiser", "seat": None}),
        ("seat", "pick", {"seat": "B"}),  # several choose at once, and one chooses for another
        ("chance", "die", {"taker": "organiser", "seat": None}),
        ("chance", "die", {"seat": "X"}),
        ("chance", "start_die", {"seat": "B"}),
    ],
)
def test_a_decision_by_somebody_else_is_found(log, taker, kind, change):
    n = entries_of(log, taker, kind)[0]

    assert faults(spoilt(log, n, **change)) == [(Fault.WRONG_TAKER, n)]


def test_a_decision_of_the_organiser_by_a_seat_is_found():
    seeds = (bytes([number]) * 32 for number in range(256))
    table = next(t for t in (Table(seed=seed).finish() for seed in seeds) if entries_of(t.log(), "organiser", "first"))
    log = table.log()
    (n,) = entries_of(log, "organiser", "first")

    assert checked(log).verdict is Verdict.FAIR
    assert faults(spoilt(log, n, taker="seat", seat="A")) == [(Fault.WRONG_TAKER, n)]


def test_a_race_that_was_cut_off_is_found(log):
    del log["entries"][-1]

    assert faults(log) == [(Fault.NOT_OVER, None)]


def test_an_action_after_the_end_is_found_and_changes_nothing(log):
    end = checked(log).state
    n = len(log["entries"]) + 1
    log["entries"].append({"n": n, "taker": "seat", "seat": "A", "action": {"kind": "go"}})

    assert faults(log) == [(Fault.AFTER_THE_END, n)]
    assert checked(log).state == end


def test_an_entry_that_nobody_took_back_is_not_void(log):
    assert faults(spoilt(log, 2, void=True)) == [(Fault.FALSE_VOID, 2)]


@pytest.mark.parametrize(
    "change",
    [
        {"taker": "dealer"},
        {"taker": []},
        {"taker": "seat", "seat": None},
        {"seat": 7},
        {"action": None},
        {"action": "go"},
        {"action": {}},
        {"action": {"kind": "sprint"}},
        {"action": {"kind": []}},
        {"action": {"kind": "go", "seat": "A"}},
        {"note": {"kind": "pause"}},
        {"rewind_to": 3},
        {"action": None, "rewind_to": "3"},
        {"action": None, "rewind_to": True},
        {"action": None, "rewind_to": -1},
        {"action": None, "rewind_to": 3, "taker": "chance"},
        {"void": "no"},
    ],
)
def test_an_entry_that_cannot_be_read_is_found(log, change):
    n = entries_of(log, "seat", "go")[1]

    result = checked(spoilt(log, n, **change))

    assert [(finding.fault, finding.n) for finding in result.findings] == [(Fault.UNREADABLE, n)]
    assert all(later > n for later in result.unchecked)


@pytest.mark.parametrize("number", [None, "30", 30.0, True, 0, -1, 10**30, [30]])
def test_an_entry_without_a_number_is_found_and_missing(log, number):
    assert faults(spoilt(log, 30, n=number)) == [(Fault.UNREADABLE, None), (Fault.MISSING, 30)]


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"seed": "00" * 32}, Fault.SEED),
        ({"seed": "zz" * 32}, Fault.SEED),
        ({"seed": SEED.hex().upper()}, Fault.SEED),
        ({"seed": 7}, Fault.SEED),
        ({"commitment": "00" * 32}, Fault.SEED),
        ({"commitment": "monday"}, Fault.SEED),
        ({"commitment": None}, Fault.SEED),
        ({"commitment": "monday", "seed": None}, Fault.SEED),
        ({"seed": None}, Fault.SEED_WITHHELD),
        ({"game": "chess"}, Fault.UNKNOWN_GAME),
        ({"game": None}, Fault.UNKNOWN_GAME),
        ({"version": 2}, Fault.UNKNOWN_GAME),
        ({"version": True}, Fault.UNKNOWN_GAME),
        ({"options": {"goal": 0}}, Fault.SETUP),
        ({"entrants": [{"seat": "A"}]}, Fault.SETUP),
        ({"options": None}, Fault.NOT_A_LOG),
        ({"entrants": "AB"}, Fault.NOT_A_LOG),
        ({"entrants": [1, 2]}, Fault.NOT_A_LOG),
        ({"entries": None}, Fault.NOT_A_LOG),
        ({"race": ""}, Fault.NOT_A_LOG),
        ({"race": "\ud800"}, Fault.NOT_A_LOG),
        ({"race": ["monday"]}, Fault.NOT_A_LOG),
        ({"race": 10**5000}, Fault.NOT_A_LOG),
        ({"version": 10**5000}, Fault.UNKNOWN_GAME),
        ({"origins": 7}, Fault.NOT_A_LOG),
        ({"origins": [{"to": -1}]}, Fault.NOT_A_LOG),
    ],
)
def test_a_head_that_is_wrong_is_found(log, change, fault):
    assert (fault, None) in faults(log | change)


@pytest.mark.parametrize("nothing", [None, 7, "log", [], [[]], True])
def test_what_is_no_log_is_said_to_be_none(nothing):
    assert faults(nothing) == [(Fault.NOT_A_LOG, None)]
    assert checked(nothing).state is None


def test_a_seed_that_does_not_fit_is_told_with_what_it_gives(log):
    result = checked(log | {"seed": "00" * 32})

    assert (result.seed_fits, result.verdict) == (False, Verdict.FAULTY)
    assert commitment(bytes(32)) in str(result.findings[0])


def test_rules_that_break_are_reported_and_not_passed_on(log):
    class Broken(type(DICE_GAME)):
        def apply(self, state, action):
            if isinstance(action, Stop):
                raise KeyError("banked")
            return super().apply(state, action)

    n = entries_of(log, "seat", "stop")[0]

    result = verify(log, Broken())

    assert (result.findings[0].fault, result.findings[0].n) == (Fault.RULES_FAILED, n)
    assert "KeyError" in str(result.findings[0])


# ---- any log at all --------------------------------------------------------------------------------------------------
JUNK = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 50)
    | st.integers()
    | st.floats()
    | st.sampled_from(["seat", "chance", "organiser", "A", "B", "go", "stop", "die", "\ud800", "\0"])
    | st.text(alphabet=st.characters(), max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=4,
)
FINISHED = rewound()[0].finish().log()


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every place in a piece of JSON: what holds it, and under which key."""
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    return [place for key in keys for place in [(value, key), *places(value[key])]]


@settings(max_examples=400, deadline=None)
@given(st.data())
def test_no_change_to_a_log_makes_the_check_fall_over_or_call_another_race_fair(data):
    log = json.loads(json.dumps(FINISHED))
    for _ in range(data.draw(st.integers(1, 3), "changes")):
        holder, key = data.draw(st.sampled_from(places(log)), "place")
        match data.draw(st.sampled_from(["replace", "delete", "double", "swap"]), "change"):
            case "replace":
                holder[key] = data.draw(JUNK, "junk")
            case "delete":
                del holder[key]
            case "double" if isinstance(holder, list):
                holder.insert(data.draw(st.integers(0, len(holder)), "at"), holder[key])
            case _:
                other = data.draw(st.sampled_from(sorted(holder) if isinstance(holder, dict) else range(len(holder))))
                holder[key], holder[other] = holder[other], holder[key]

    result = checked(log)

    assert all(str(finding) for finding in result.findings)
    if result.verdict is Verdict.FAIR:
        good = checked(FINISHED)
        assert result.outcome == good.outcome
        assert [(roll.n, roll.ticket) for roll in result.rolls] == [(roll.n, roll.ticket) for roll in good.rolls]


@settings(max_examples=100, deadline=None)
@given(JUNK | st.dictionaries(st.sampled_from(sorted(FINISHED)), JUNK))
def test_no_junk_at_all_makes_the_check_fall_over(junk):
    assert checked(junk).verdict is Verdict.FAULTY


@settings(max_examples=100, deadline=None)
@given(st.integers(0, len(FINISHED["entries"]) - 1), st.integers(0, len(FINISHED["entries"]) - 1), st.data())
def test_deleting_doubling_or_swapping_entries_is_always_found(one, other, data):
    log = json.loads(json.dumps(FINISHED))
    entries = log["entries"]
    match data.draw(st.sampled_from(["delete", "double", "swap"])):
        case "delete":
            del entries[one]
        case "double":
            entries.insert(other, entries[one])
        case "swap":
            other = other if other != one else (one + 1) % len(entries)
            entries[one], entries[other] = entries[other], entries[one]

    assert faults(log)


@settings(max_examples=50, deadline=None)
@given(
    st.binary(min_size=32, max_size=32),
    st.text(alphabet="ABCD", min_size=2, max_size=4).filter(lambda s: len(set(s)) == len(s)),
)
def test_every_honest_race_is_fair(seed, seats):
    table = Table(seed=seed, race="any", goal=15, seats=seats).finish()

    assert checked(table.log()).verdict is Verdict.FAIR
