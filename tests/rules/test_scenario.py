"""The scenario frame, shown on a toy game: what passes, and that every kind of failure is found and said."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from rules import registry
from rules.errors import IllegalAction, Unreadable
from rules.scenario import (
    EXPECT,
    LEGAL,
    REFUSAL,
    SCENARIO,
    SETUP,
    STEP,
    VIEW,
    WEIGHTS,
    Failure,
    differences,
    fits,
    paired,
    read,
    run,
)
from tests.rules.coin import COIN, Coin

A_HEADS = {"kind": "call", "seat": "A", "side": "heads"}
B_TAILS = {"kind": "call", "seat": "B", "side": "tails"}
HEADS = {"kind": "toss", "side": "heads"}
TAILS = {"kind": "toss", "side": "tails"}
CALLED = {"callers": [{"id": "A", "call": "heads"}, {"id": "B", "call": "tails"}]}
NOTHING = {"expect": {"over": False}}


def scenario(*script, **changed):
    return {"game": "coin", "title": "A toss", "rules": ["COIN-01"], "position": {}, "script": list(script)} | changed


def failures(*script, **changed) -> list[Failure]:
    return run(scenario(*script, **changed), COIN)


def lines(*script, **changed) -> list[str]:
    return [str(failure) for failure in failures(*script, **changed)]


# ---- what passes ----


def test_a_race_with_secret_calls_is_told_from_set_up_to_outcome():
    story = [
        {"expect": {"decisions": [{"seat": "A", "secret": True}, {"seat": "B", "secret": True}], "over": False}},
        {"say": "A calls; B is told that he did, not what.", "do": A_HEADS},
        {
            "expect": {
                "decisions": [{"kind": "call", "taker": "seat", "seat": "B"}],
                "events": [{"kind": "called", "seat": "A"}],
                "view": [
                    {"seat": "A", "has": {"callers": {"A": {"call": "heads"}}}},
                    {"seat": "B", "has": {"callers": {"A": {"called": True, "call": None}}}, "lacks": ["heads"]},
                    {"seat": None, "lacks": ["heads", "tails"]},
                ],
                "outcome": None,
            }
        },
        {"refuse": A_HEADS, "rule": "COIN-01"},
        {"refuse": HEADS, "rule": "COIN-02"},
        {"refuse": {"kind": "call", "seat": "B", "side": "edge"}, "rule": None},
        {"legal": {"count": 2, "only": [{"seat": "B", "side": "tails"}, {"seat": "B", "chance": "2/3"}]}},
        {"do": B_TAILS},
        {
            "expect": {
                "view": {"seat": None, "has": {"callers": [{"call": "heads"}, {"call": "tails"}]}},
                "decisions": [{"kind": "toss", "taker": "chance", "seat": {"absent": True}}],
            }
        },
        {
            "weights": {
                "is": [{"side": "heads", "weight": 2}, {"kind": "toss", "side": "tails", "weight": 1}],
                "total": 3,
            }
        },
        {"chance": HEADS},
        {
            "expect": {
                "events": [{"kind": "shown"}, {"kind": "tossed", "right": ["A"]}, {"none": {"seat": "A"}}],
                "state": {"callers": {"A": {"points": 1, "call": {"absent": True}}, "B": {"points": 0}}},
                "over": True,
                "outcome": {"rows": [{"id": "A", "place": 1}, {"id": "B", "points": {"any": True}, "place": 2}]},
            }
        },
    ]

    start = {"options": {"goal": 1, "heads": 2}, "entrants": [{"seat": "A"}, {"seat": "B"}]}
    told = {"game": "coin", "version": 1, "title": "A race", "rules": [], "setup": start, "script": story}

    assert run(told, COIN) == []


def test_a_chance_outcome_may_be_told_in_part_where_only_one_fits():
    assert (
        failures({"chance": HEADS}, {"expect": {"events": [{"kind": "tossed", "side": "heads"}]}}, position=CALLED)
        == []
    )


def test_events_are_looked_for_since_the_last_expect_that_looked():
    looked = {"expect": {"events": [{"kind": "called", "seat": "A"}]}}

    assert failures({"do": A_HEADS}, looked, {"do": B_TAILS}, {"expect": {"events": [{"none": {"seat": "A"}}]}}) == []
    assert failures({"do": A_HEADS}, NOTHING, {"do": B_TAILS}, looked) == []
    assert len(failures({"do": A_HEADS}, looked, looked)) == 1


def test_what_must_not_be_may_be_told_in_any_word_of_the_game():
    one_left = {"callers": [{"id": "A", "call": "heads"}, {"id": "B"}]}

    assert (
        failures(
            {"legal": {"excludes": [{"seat": "A"}, {"chance": "1/3"}, {"kind": "toss", "right": []}]}},
            position=one_left,
        )
        == []
    )
    assert failures({"expect": {"events": [{"none": {"kind": "tossed", "right": []}}]}}, position=one_left) == []


def test_an_answer_that_is_legal_but_not_listed_is_found_when_it_is_spelt_out():
    class Answers(tuple):
        def __contains__(self, action):
            return action in (COIN.read_action(A_HEADS), *self)

    class Few(Coin):
        def legal(self, state, decision):
            return Answers(super().legal(state, decision)[1:])

    def legal(**told):
        return in_game(Few(), {"legal": {"decision": {"seat": "A"}, **told}})

    assert legal(count=1, only=[{"side": "tails"}]) == []
    assert legal(includes=[A_HEADS, A_HEADS | {"chance": "1/2"}, {"seat": "A", "side": "heads"}]) == []
    assert "legal.includes[0]" in legal(includes=[A_HEADS | {"chance": "1/3"}])[0]
    assert "legal.includes[0]" in legal(includes=[A_HEADS | {"side": "edge"}])[0]
    assert "legal.excludes[0]: expected nothing like" in legal(excludes=[A_HEADS])[0]
    assert legal(excludes=[A_HEADS | {"seat": "B"}, {"kind": "call", "seat": "B"}]) == []


def test_only_gives_each_entry_an_answer_of_its_own():
    assert failures({"legal": {"only": [{}, HEADS]}}, position=CALLED) == []
    assert failures({"legal": {"only": [{}, TAILS]}}, position=CALLED) == []


def test_weight_0_says_that_there_is_no_such_outcome():
    assert failures({"weights": {"is": [{"side": "edge", "weight": 0}, {"weight": 1}]}}, position=CALLED) == []


# ---- what is found while playing ----


def test_a_failure_is_one_line_with_file_title_step_path_and_both_values():
    found = run(
        scenario({"do": A_HEADS}, {"expect": {"state": {"callers": {"A": {"points": 1}}}}}), COIN, file="a.json"
    )

    assert [str(failure) for failure in found] == ["a.json: A toss: step 2: state.callers.A.points: expected 1, got 0"]


@pytest.mark.parametrize(
    ("step", "position", "words"),
    [
        ({"do": HEADS}, {}, ["do: expected", '"toss"', "got a refusal: COIN-02: Not everybody has called yet."]),
        ({"do": {"kind": "bet"}}, {}, ["got a refusal: An action is call or toss, not “bet”."]),
        ({"chance": HEADS}, {}, ["expected an open chance decision, got open:", '"secret": true']),
        ({"chance": {"kind": "toss", "side": "edge"}}, CALLED, ["got a refusal: A side is heads or tails"]),
        ({"chance": A_HEADS}, CALLED, ["expected one of", '"toss"', "which is none of them"]),
        ({"refuse": A_HEADS, "rule": "COIN-01"}, {}, ["expected a refusal by COIN-01", "is legal"]),
        ({"refuse": HEADS, "rule": "COIN-01"}, {}, ["expected a refusal by COIN-01", "COIN-02: Not everybody"]),
        ({"refuse": {"kind": "bet"}, "rule": "COIN-01"}, {}, ["by COIN-01", "it cannot be read: An action is call"]),
        ({"refuse": HEADS, "rule": None}, {}, ["expected that it cannot be read", "COIN-02"]),
        ({"refuse": A_HEADS, "rule": None}, {}, ["expected that it cannot be read", "is legal"]),
        ({"legal": {"count": 2}}, {}, ["expected one open decision", '"seat": "A"', '"seat": "B"']),
        ({"legal": {"decision": {"seat": "C"}, "count": 2}}, {}, ['like {"seat": "C"}, got 0']),
        ({"legal": {"count": 3}}, CALLED, ["legal.count: expected 3, got 2"]),
        (
            {"legal": {"includes": [HEADS, {"side": "edge"}]}},
            CALLED,
            ["legal.includes[1]", 'nearest has side "heads"'],
        ),
        ({"legal": {"includes": [{"side": "heads", "right": ["B"]}]}}, CALLED, ['nearest has right[0] "A": {']),
        ({"legal": {"excludes": [{"side": "tails"}]}}, CALLED, ["legal.excludes[0]: expected nothing like", '["B"]']),
        (
            {"legal": {"excludes": [{"kind": "tos"}]}},
            CALLED,
            ["excludes[0]: there is no kind “tos”; is it “toss”?"],
        ),
        (
            {"legal": {"excludes": [{"kind": "toss", "seat": "A"}]}},
            CALLED,
            ["no key “seat”; there are: kind, right, side"],
        ),
        ({"legal": {"excludes": [{"chnce": "1/2"}]}}, CALLED, ["no key “chnce”; there are: kind, right, seat, side"]),
        (
            {"expect": {"events": [{"none": {"kind": "tosed"}}]}},
            {},
            ["events[0]: there is no kind “tosed”; is it “tossed”?"],
        ),
        (
            {"expect": {"events": [{"none": {"kind": "tossed", "sied": 1}}]}},
            {},
            ["events[0]: there is no key “sied”; is it “side”?"],
        ),
        ({"legal": {"only": [HEADS]}}, CALLED, ["legal.only: expected nothing else", '"tails"']),
        ({"legal": {"only": [HEADS, TAILS, {"side": "edge"}]}}, CALLED, ["legal.only[2]", '"edge"']),
        ({"legal": {"only": [{}, {}, {}]}}, CALLED, ["legal.only: expected these 3, one action each, got 2"]),
        ({"legal": {"only": [{}]}}, CALLED, ["legal.only: expected these 1, one action each, got 2"]),
        ({"weights": {"total": 2}}, {}, ["expected one open decision, got 0; open:"]),
        ({"weights": {"is": [{"side": "heads", "weight": 2}]}}, CALLED, ["weights.is[0]: expected 2 for", "got 1"]),
        ({"weights": {"is": [{"side": "edge", "weight": 2}]}}, CALLED, ["weights.is[0]", "nearest"]),
        (
            {"weights": {"is": [{"sied": "edge", "weight": 0}]}},
            CALLED,
            ["weights.is[0]: there is no key “sied”; is it “side”?"],
        ),
        ({"weights": {"total": 3}}, CALLED, ["weights.total: expected 3, got 2"]),
        ({"expect": {"state": {"goal": 3}}}, {}, ["state.goal: expected 3, got 2"]),
        ({"expect": {"state": {"gaol": 2}}}, {}, ["state.gaol: expected 2, got nothing"]),
        ({"expect": {"state": {"goal": True}}}, {"goal": 1}, ["state.goal: expected true, got 1"]),
        ({"expect": {"state": {"callers": [{}]}}}, {}, ["state.callers: expected 1 entries", "got 2 entries"]),
        (
            {"expect": {"state": {"callers": {"C": {"any": True}}}}},
            {},
            ["state.callers.C: expected anything, got nothing"],
        ),
        ({"expect": {"state": {"goal": {"absent": True}}}}, {}, ["state.goal: expected nothing, got 2"]),
        ({"expect": {"state": {"goal": {"a": 1}}}}, {}, ["state.goal: expected {", "got 2"]),
        ({"expect": {"state": {"goal": [2]}}}, {}, ["state.goal: expected [2], got 2"]),
        ({"expect": {"events": [{"kind": "tossed"}]}}, {}, ["events[0]: expected", "none at all"]),
        ({"expect": {"decisions": [{"seat": "A"}]}}, {}, ["decisions: expected 1 entries", "got 2 entries"]),
        ({"expect": {"decisions": [{"seat": "B"}, {"seat": "B"}]}}, {}, ['decisions[0].seat: expected "B", got "A"']),
        ({"expect": {"view": {"seat": "C", "lacks": ["x"]}}}, {}, ["view of C: expected one of the seats A, B, got C"]),
        ({"expect": {"view": {"seat": "B", "has": {"goal": 3}}}}, {}, ["view of B.goal: expected 3, got 2"]),
        (
            {"expect": {"view": {"seat": None, "lacks": ["heads"]}}},
            CALLED,
            ["view of a spectator: expected no text heads"],
        ),
        ({"expect": {"outcome": {"rows": []}}}, {}, ['outcome: expected {"rows": []}, got null']),
        ({"expect": {"outcome": None}}, {"goal": 0}, ["outcome: expected null, got {"]),
        ({"expect": {"over": True}}, {}, ["over: expected true, got false; open:"]),
        ({"expect": {"over": False}}, {"goal": 0}, ["over: expected false, got true; no open decision: it is over"]),
    ],
)
def test_a_false_claim_is_found_and_said(step, position, words):
    script = [step, NOTHING] if {"do", "chance"} & step.keys() else [step]

    (line,) = lines(*script, position=position)

    assert line.startswith("A toss: step 1: ")
    for word in words:
        assert word in line


def test_an_event_out_of_order_and_one_that_must_not_be_are_found():
    script = [{"do": A_HEADS}, {"do": B_TAILS}, {"chance": HEADS}]

    (order,) = lines(*script, {"expect": {"events": [{"kind": "tossed"}, {"kind": "called"}]}})
    (none,) = lines(*script, {"expect": {"events": [{"kind": "called"}, {"none": {"kind": "tossed"}}]}})

    assert "step 4: events[1]: expected" in order
    assert "events[1]: expected no" in none


def test_what_cannot_be_done_ends_the_script_but_each_false_claim_is_told():
    assert len(lines({"do": HEADS}, {"expect": {"over": True}})) == 1
    assert len(lines({"expect": {"over": True, "state": {"goal": 3}}}, {"legal": {"count": 1}})) == 3


def test_a_position_that_cannot_be_read_is_a_failure():
    assert lines(NOTHING, position={"gaol": 1}) == ["A toss: position: got a refusal: A position has no “gaol”."]


def test_of_many_that_are_wrong_the_first_is_shown_and_the_number():
    assert "nothing like {}, got 2, the first {" in lines({"legal": {"excludes": [{}]}}, position=CALLED)[0]
    assert "nothing else, got 2, the first {" in lines({"legal": {"only": []}}, position=CALLED)[0]


def test_the_nearest_of_what_is_there_is_one_of_the_same_kind():
    script = [{"do": A_HEADS}, {"do": B_TAILS}, {"chance": HEADS}]

    (line,) = lines(*script, {"expect": {"events": [{"kind": "tossed", "side": "tails", "right": ["B"]}]}})

    assert 'got from there on none of 4; the nearest has side "heads", right[0] "A": {"kind": "tossed"' in line


# ---- games that are wrong ----


def in_game(game, *script, **changed) -> list[str]:
    return [str(failure) for failure in run(scenario(*script, **changed), game)]


def test_a_game_that_breaks_fails_the_scenario_with_the_line_where_it_broke():
    class Broken(Coin):
        def outcome(self, state):
            raise KeyError("rows")

    (line,) = in_game(Broken(), {"expect": {"outcome": None}})

    assert "step 1: the game broke: got KeyError: 'rows' (" in line
    assert "test_scenario.py, line " in line


def test_a_game_that_changes_a_refused_or_an_old_state_is_found():
    class Loose(Coin):
        changes = 0

        def apply(self, state, action):
            self.changes += 1
            return super().apply(state, action)

        def write_state(self, state):
            return super().write_state(state) | {"changes": self.changes}

    assert in_game(Loose(), {"refuse": HEADS, "rule": "COIN-02"}) == [
        "A toss: step 1: refuse: expected an untouched state, got a changed one"
    ]
    assert "apply: expected a new state, got the old one, changed" in in_game(Loose(), {"do": A_HEADS}, NOTHING)[0]


def test_a_view_that_shows_the_call_of_another_is_found():
    class Leaky(Coin):
        def view(self, state, seat):
            return state

    (line,) = in_game(Leaky(), {"do": A_HEADS}, {"expect": {"view": {"seat": "B", "lacks": ["heads"]}}})

    assert "step 2: view of B: expected no text heads, got …" in line


def test_an_outcome_that_cannot_fall_is_refused_though_the_game_would_take_it():
    class Loaded(Coin):
        def weighted(self, state, decision):
            return tuple(
                one._replace(weight=int(one.action.side == "heads")) for one in super().weighted(state, decision)
            )

    (line,) = in_game(Loaded(), {"chance": TAILS}, NOTHING, position=CALLED)

    assert "which is none of them" in line


def test_an_outcome_that_may_fall_but_is_refused_is_found():
    class Stubborn(Coin):
        def apply(self, state, action):
            raise IllegalAction("COIN-02", "Never.")

    (line,) = in_game(Stubborn(), {"chance": TAILS}, {"expect": {"over": True}}, position=CALLED)

    assert "to be taken, got a refusal: COIN-02: Never." in line


def test_a_scenario_of_another_game_or_version_is_not_played():
    assert "This is coin, version 1" in lines(NOTHING, game="giro")[0]
    assert "This is coin, version 1" in lines(NOTHING, version=2)[0]


# ---- what is not readable ----


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"tilte": "x"}, "A scenario has no key “tilte”; is it “title”?"),
        ({"zzz": 1}, "A scenario has no key “zzz”; there are: game, position"),
        ({"title": ""}, "“title” of a scenario is a text, not"),
        ({"rules": "COIN-01"}, "“rules” of a scenario is a list of texts"),
        ({"version": True}, "“version” of a scenario is a whole number"),
        ({"setup": {}}, "“position” or from “setup”, one of the two"),
        ({"position": []}, "“position” of a scenario is an object"),
        ({"script": {}}, "“script” of a scenario is a list of objects"),
        ({"script": [7]}, "“script” of a scenario is a list of objects"),
        ({"script": []}, "The script says nothing that must be so"),
        ({"script": [{"expect": {"events": 7}}]}, "“events” of expect is a list of objects, not 7"),
        ({"script": [{"do": A_HEADS, "expect": {}}]}, "step 1: A step is one thing, and this is 2: do, expect"),
        ({"script": [{"do": A_HEADS}, {"chance": HEADS}]}, "The script says nothing that must be so"),
        ({"script": [{"expect": {"events": []}}]}, "The script says nothing that must be so"),
        ({"script": [{"say": "hello"}]}, "step 1: A step is one of: do, chance, refuse, legal, weights, expect"),
        ({"script": [{"d": {}}, NOTHING]}, "step 1: A step has no key “d”"),
        ({"script": [NOTHING, {"expcet": {}}]}, "step 2: A step has no key “expcet”; is it “expect”?"),
        (
            {"script": [{"do": A_HEADS, "expect": {"over": False}}]},
            "step 1: A step is one thing, and this is 2: do, expect",
        ),
        ({"script": [{"do": "heads"}, NOTHING]}, "“do” of a step is an object"),
        ({"script": [{"do": A_HEADS, "rule": "X"}, NOTHING]}, "A step has no key “rule”"),
        ({"script": [{"refuse": A_HEADS}]}, "A step needs the key “rule”: a text or null"),
        ({"script": [{"refuse": A_HEADS, "rule": ""}]}, "“rule” of a step is a text or null"),
        ({"script": [{"legal": {"include": []}}]}, "Legal has no key “include”; is it “includes”?"),
        ({"script": [{"legal": {}}]}, "This legal says nothing"),
        ({"script": [{"legal": {"includes": []}}, {"weights": {"is": []}}]}, "The script says nothing that must be so"),
        ({"script": [{"legal": {"count": -1}}]}, "“count” of legal is a whole number"),
        ({"script": [{"weights": {}}]}, "This weights says nothing"),
        ({"script": [{"weights": {"is": [{"side": "heads"}]}}]}, "An outcome in “is” says its “weight”"),
        ({"script": [{"expect": {}}]}, "This expect says nothing"),
        ({"script": [{"expect": {"event": [{}]}}]}, "Expect has no key “event”; is it “events”?"),
        ({"script": [{"expect": {"over": 1}}]}, "“over” of expect is true or false"),
        ({"script": [{"expect": {"events": [{"none": {}, "kind": "x"}]}}]}, "“none” stands alone"),
        ({"script": [{"expect": {"view": {"lacks": ["x"]}}}]}, "A view needs the key “seat”: a text or null"),
        ({"script": [{"expect": {"view": {"seat": "A", "lack": ["x"]}}}]}, "A view has no key “lack”; is it “lacks”?"),
        ({"script": [{"expect": {"view": {"seat": "A"}}}]}, "This view says nothing"),
        ({"script": [{"expect": {"view": {"seat": "A", "lacks": [""]}}}]}, "“lacks” of a view is a list of texts"),
    ],
)
def test_a_scenario_that_is_written_wrongly_fails_with_a_sentence(changed, words):
    found = [str(failure) for failure in run(scenario(NOTHING) | changed, COIN)]

    assert len(found) == 1
    assert words in found[0]


@pytest.mark.parametrize("key", ["game", "title", "rules", "script"])
def test_a_scenario_needs_its_keys(key):
    told = scenario(NOTHING)
    del told[key]

    assert any(f"A scenario needs the key “{key}”" in str(failure) for failure in run(told, COIN))


def test_a_failure_before_anything_is_played_names_the_title_if_there_is_one():
    assert str(run(scenario(NOTHING, version="1"), COIN)[0]).startswith("A toss: “version”")
    assert str(run(scenario(NOTHING, title=" "), COIN)[0]).startswith("a scenario without a title: “title”")


def test_after_an_event_that_did_not_happen_no_later_one_is_looked_for():
    assert len(lines({"expect": {"events": [{"kind": "tossed"}, {"kind": "shown"}]}})) == 1


def test_a_scenario_is_an_object_that_starts_somewhere():
    told = scenario(NOTHING)
    del told["position"]

    assert "one of the two" in str(run(told, COIN)[0])
    assert "A scenario is an object, not 7" in str(run(7, COIN)[0])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{\n"a": }', "line 2"),
        ('{"do": {}, "do": {}}', "“do” stands twice"),
        ("[NaN]", "NaN is no number"),
        ("[" * 100_000, "JSON"),
    ],
)
def test_what_is_not_json_is_said(text, words):
    with pytest.raises(Unreadable, match=words):
        read(text)


def test_one_scenario_or_a_list_of_them_is_read():
    assert read("{}") == [{}]
    assert read("[{}, 1]") == [{}, 1]


# ---- what fits ----


def test_a_partial_says_only_what_it_names_and_a_list_says_its_length():
    got = {"a": {"b": 1, "c": [1, {"d": None}]}}

    assert fits({"a": {"c": [1, {}]}}, got)
    assert fits({"a": {"c": [{"any": True}, {"d": {"absent": True}, "e": {"absent": True}}]}}, got)
    assert not fits({"a": {"c": [1]}}, got)
    assert [difference.path for difference in differences({"a": {"b": 2, "c": [2, {"d": 1}]}}, got, "x")] == [
        "x.a.b",
        "x.a.c[0]",
        "x.a.c[1].d",
    ]


def test_any_fits_null_but_not_what_is_missing():
    assert fits({"a": {"any": True}}, {"a": None})
    assert not fits({"a": {"any": True}}, {})
    assert not fits({"a": None}, {})


def test_things_are_paired_so_that_each_has_its_own():
    assert paired([{}, {"a": 1}, {"b": 1}], [{"a": 1, "b": 1}, {"a": 2, "b": 1}, {"a": 1, "b": 2}])
    assert not paired([{"a": 1}, {"a": 1}, {}], [{"a": 1}, {"a": 2}, {"a": 3}])


def test_a_list_is_read_by_ids_only_where_every_entry_has_its_own():
    assert fits({"A": {"x": 1}}, [{"id": "B"}, {"id": "A", "x": 1}])
    assert not fits({"A": {"x": 1}}, [{"id": "A", "x": 1}, {"id": "A"}])
    assert not fits({"A": {"x": 1}}, [{"id": "A", "x": 1}, {}])


def test_a_long_value_is_cut_so_that_a_failure_stays_a_line():
    (failure,) = failures({"expect": {"state": {"goal": ["x\n" * 500]}}})

    assert len(str(failure)) < 600
    assert "\n" not in str(replace(failure, title="two\nlines"))


# ---- the toy itself ----


def test_the_log_of_a_seat_lacks_the_secret_call_until_all_have_called():
    before = COIN.setup({}, [{"seat": "A"}, {"seat": "B"}])
    action = COIN.read_action(A_HEADS)
    after, (called,) = COIN.apply(before, action)

    seen = [
        COIN.write_action(COIN.seen_action(before, action, "B")),
        COIN.write_event(COIN.seen_event(after, called, "B")),
    ]

    assert "heads" not in json.dumps(seen)
    assert COIN.seen_event(after, called, "A") == called
    assert COIN.read_event(COIN.write_event(called)) == called


# ---- the documentation ----

DOCS = Path(__file__).parents[2] / "docs" / "scenarios.md"


@pytest.mark.parametrize("fields", [SCENARIO, SETUP, STEP, REFUSAL, LEGAL, WEIGHTS, EXPECT, VIEW])
def test_every_key_is_in_the_documentation(fields):
    text = DOCS.read_text(encoding="utf-8")

    assert [key for key in fields if f"`{key}`" not in text and f'"{key}"' not in text] == []


def test_the_example_of_the_documentation_passes_and_its_mistake_is_found_as_printed():
    text = DOCS.read_text(encoding="utf-8")
    (example,) = re.findall(r"<!-- example: passes -->\n```json\n(.*?)```", text, re.DOTALL)
    (told,) = read(example)
    (mistaken,) = read(example.replace('"energy": 7', '"energy": 8'))

    assert run(told, registry.game("giro")) == []
    (failure,) = run(mistaken, registry.game("giro"), file="my.json")
    where, what = str(failure).split(told["title"])
    assert f"\n{where}" in text
    assert f"{what}\n" in text


@pytest.mark.parametrize(
    "game", [COIN, *(registry.game(name) for name in registry.names())], ids=lambda game: game.name
)
def test_what_describe_shows_can_be_read(game):
    told = game.describe()

    state = game.read_state(told["position"]["example"])
    assert game.decisions(state)
    assert game.decisions(game.setup(told["options"]["example"], told["entrants"]["example"]))
    for kind, entry in (told["actions"] | told["chance"]).items():
        action = game.read_action(entry["example"])
        assert game.write_action(action)["kind"] == kind
        assert entry["example"].keys() <= {"kind", *entry["fields"]}


@pytest.mark.parametrize(
    "game", [COIN, *(registry.game(name) for name in registry.names())], ids=lambda game: game.name
)
def test_every_event_that_describe_shows_can_be_read(game):
    for kind, entry in game.describe()["events"].items():
        event = game.read_event(entry["example"])
        assert game.write_event(event)["kind"] == kind
        assert entry["example"].keys() <= {"kind", *entry["fields"]}


RACE = registry.game("breaking_away")


def race(*script):
    """Two cyclists who have still to move, and steps: many decisions may be answered beside the one that has to."""
    position = {"turn": 2, "cyclists": {"A1": {"at": 9, "hand": [4, 5, 6]}, "B1": {"at": 8, "hand": [3, 3, 3]}}}
    return {"game": "breaking_away", "title": "T", "rules": [], "position": position, "script": list(script)}


def test_decisions_are_those_that_have_to_be_answered_and_may_those_beside():
    told = race(
        {"legal": {"only": [{"factor": 4}, {"factor": 5}, {"factor": 6}]}},
        {"legal": {"decision": {"kind": "stop_race", "seat": "B"}, "count": 1}},
        {
            "expect": {
                "decisions": [{"kind": "move", "about": "A1"}],
                "may": [{"kind": "ask_retire", "seat": "B", "optional": True}, {"none": {"kind": "vote_retire"}}],
            }
        },
    )

    assert run(told, RACE) == []


def test_a_false_claim_about_what_may_be_answered_is_found():
    told = race({"expect": {"may": [{"kind": "move"}, {"none": {"kind": "reveal"}}]}})

    first, second = run(told, RACE)

    assert first.what == "may[0]"
    assert (second.what, second.expected) == ("may[1]", 'no {"kind": "reveal"}')


def test_of_very_many_answers_those_that_are_spelt_out_are_looked_for():
    hands = {"1": [12, 9, 6, 3], "2": [11, 8, 6], "3": [9, 7, 4], "4": [7, 5, 4]}
    step = {"decision": {"about": "A"}, "count": 1877 * 388 * 230 * 123}
    told = {
        "game": "breaking_away",
        "title": "T",
        "rules": [],
        "setup": {"entrants": [{"seat": "A"}, {"seat": "B"}, {"seat": "C"}]},
        "script": [
            {"legal": step | {"includes": [{"kind": "allocate", "team": "A", "hands": hands}]}},
            {"legal": step | {"excludes": [{"kind": "allocate", "team": "A", "hands": hands | {"4": [7, 5, 5]}}]}},
            {"legal": step | {"only": [{}]}},
        ],
    }

    (failure,) = run(told, RACE)

    assert (failure.step, failure.what) == (3, "legal.only")
