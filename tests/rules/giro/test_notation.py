"""Reading a course that somebody pasted: what is wrong, said once and whole; never a crash."""

import json

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rules.errors import RulesError
from rules.giro.course import course_from_json
from rules.giro.notation import plan_from_json
from tests.rules.giro.plans import FLAT, changed


def faults(source) -> list[str]:
    with pytest.raises(RulesError) as refused:
        plan_from_json(source)
    return [str(saying) for saying in refused.value.sayings]


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("{", "not JSON: look at line 1"),
        ('{\n"id": }', "look at line 2"),
        (b"\xff\xfe", "not JSON"),
        ("[" * 15_000, "not JSON"),
        ("9" * 15_000, "not JSON"),
        ("x" * 30_000, "30000 characters"),
        ("[]", "A course is an object"),
        ("null", "A course is an object"),
        (changed(catt={}), "no entry “catt”"),
        (changed(id="../etc"), "not “../etc”"),
        (changed(name=" "), "name of the course"),
        (changed(name="x" * 81), "up to 80 characters"),
        (changed(name="Passo\0Pordoi"), "Passo\ufffdPordoi"),
        (changed(name="\ud800"), "name of the course"),
        (changed(kind="mtb"), "road, itt or ttt, not “mtb”"),
        (changed(kind=[]), "not “[…]”"),
        (changed(lanes=5), "2 to 4, not “5”"),
        (changed(lanes=True), "not “true”"),
        (changed(hexes="P5"), "“hexes” is a list"),
        (changed(hexes=[]), "needs its hexagons"),
        (changed(hexes=["P5"]), "Hexagon 1 is a milestone, a colon"),
        (changed(hexes=["3: P5", "4:"]), "Hexagon 2 is a milestone"),
        (changed(hexes=["3: P5", 4]), "“4” is not"),
        (changed(hexes=["3: X5"]), "“X5” is no section"),
        (changed(hexes=["3: P٥"]), "no section"),
        (changed(hexes=["3: P0"]), "1 to 20 squares long"),
        (changed(hexes=["3: P21"]), "1 to 20 squares long"),
        (changed(hexes=["3: P3<2,3>@1"]), "each of the 3 lanes"),
        (changed(hexes=["3: P3<2,3,4>@3"]), "one of these lanes"),
        (changed(hexes=["3: P3<0,3,4>@1"]), "each of the 3 lanes"),
        (changed(hexes=["3: " + "P1 " * 9]), "up to 8 sections"),
        (changed(cat=[1]), "category before a column"),
        (changed(cat={"x": 1}), "“x: 1” is not one column"),
        (changed(cat={"16": "2"}), "“16: 2” is not one column"),
        (changed(feed=[2.5]), "“feed” lists columns"),
        (changed(feed=[5, 5]), "names column 5 twice"),
        (changed(bonus=None), "“bonus” is a list, not “null”"),
        (changed(bonus=list(range(201))), "201 entries"),
        (changed(sprint="42"), "“sprint” is a column or null, not “42”"),
        (changed(sprint=10**30), "“sprint” is a column"),
        (changed(black=["6-0-2"]), "not “6-0-2”"),
    ],
)
def test_what_cannot_be_read_is_named(source, words):
    (sentence,) = faults(source)

    assert words in sentence


def test_everything_unreadable_is_told_at_once():
    assert len(faults({"id": 1, "name": 2, "kind": 3, "lanes": 4.5, "hexes": ["?"], "black": [0], "odd": 1})) == 7


def test_what_was_typed_is_shown_shortened():
    (sentence,) = faults(changed(kind="<script>" * 100))

    assert len(sentence) < 100
    assert "…" in sentence


def test_tokens_and_lines_may_be_left_out():
    plan = plan_from_json({key: FLAT[key] for key in ("id", "name", "kind", "lanes", "hexes")})

    assert (plan.categories, plan.feed, plan.bonus, plan.sprint, plan.black) == ((), (), (), None, ())


def test_the_order_of_lines_does_not_matter():
    assert plan_from_json(changed(bonus=[25, 5])) == plan_from_json(changed(bonus=[5, 25]))


def test_one_name_in_two_encodings_is_one_name():
    assert plan_from_json(changed(name="Zoe\u0308")) == plan_from_json(changed(name="Zo\u00eb"))


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from(["3: P5", "6:0:2", "road"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4) | st.sampled_from(list(FLAT)), inner, max_size=6),
    max_leaves=12,
)  # fmt: skip


@given(st.one_of(st.text(), st.binary(), anything.map(json.dumps)))
@example("[" * 19_000)
@example('{"a":' * 3_000)
@settings(max_examples=200, deadline=None)
def test_garbage_is_refused_in_words(source):
    with pytest.raises(RulesError) as refused:
        course_from_json(source)
    assert str(refused.value)


def read(source) -> tuple[str, ...]:
    """What is said against a course; nothing for one that can be raced."""
    try:
        course_from_json(source)
    except RulesError as refused:
        return tuple(map(str, refused.sayings)) or ("refused without a word",)
    return ()


@given(st.fixed_dictionaries({}, optional=dict.fromkeys(FLAT, anything)))
@settings(max_examples=300, deadline=None)
def test_a_course_with_garbage_in_its_entries_is_raced_or_refused_in_words(entries):
    for sentence in read({**FLAT, **entries}):
        assert sentence.endswith(".")
        assert "%(" not in sentence


spelt = st.from_regex(r"-?[0-9]{1,3}: ([PRMD][0-9]{1,2}(<[0-9],[0-9],[0-9]>@[0-2])? ?){1,3}", fullmatch=True)


@given(st.lists(spelt, max_size=24))
@settings(max_examples=200, deadline=None)
def test_any_well_spelt_road_is_raced_or_refused_in_words(hexes):
    assert "refused without a word" not in read({**FLAT, "hexes": hexes})
