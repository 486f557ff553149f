"""From the rulebook to the code and back: every numbered rule of a game is decided somewhere, shown somewhere, and known.

`rules/<game>/rules.txt` is the index: a number, a tab, a few words. Numbers stand in docstrings, in refusals, in the `rules` of
scenarios and in `@pytest.mark.rule`. Whoever adds a rule adds its line, and a scenario or a test that shows it. What a game
says of its own numbers, and its worked examples, is in `tests/rules/<game>/book.py`.
"""

import re

import pytest

from rules import registry
from tests.rules.books import REFUSAL, Book, marks, written
from tests.rules.breaking_away.book import BOOK as BREAKING_AWAY
from tests.rules.giro.book import BOOK as GIRO

BOOKS = (GIRO, BREAKING_AWAY)

each_book = pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.game)


def test_every_game_has_a_book():
    assert sorted(book.game for book in BOOKS) == sorted(registry.names())


# ---- the index -------------------------------------------------------------------------------------------------------
@each_book
def test_the_index_has_each_rule_once_with_a_few_words(book: Book):
    lines = book.index.read_text(encoding="utf-8").splitlines()

    assert [line for line in lines if not re.fullmatch(rf"(?:{book.number})\t\S.{{9,}}\S", line)] == []
    assert len(book.numbers()) == len(lines)


@each_book
def test_the_page_on_the_rules_says_what_the_index_says(book: Book):
    assert book.rows() == list(book.numbers().items())


@each_book
def test_every_number_in_the_engine_is_in_the_index(book: Book):
    unknown = {name: sorted(book.numbers_in(text) - book.numbers().keys()) for name, text in book.sources().items()}

    assert {name: ids for name, ids in unknown.items() if ids} == {}


@each_book
def test_every_number_of_a_scenario_is_in_the_index(book: Book):
    unknown = {
        one["title"]: ids
        for one in book.scenarios()
        if (ids := sorted({*one["rules"], *book.numbers_in(written(one))} - book.numbers().keys()))
    }

    assert unknown == {}


@each_book
def test_every_number_that_a_test_is_marked_with_is_in_the_index(book: Book):
    unknown = {
        name: ids
        for name, rules in marks().items()
        if (ids := sorted(rule for rule in rules - book.numbers().keys() if book.numbers_in(rule)))
    }

    assert unknown == {}


@each_book
def test_numbers_are_written_in_full_so_that_a_search_finds_them(book: Book):
    assert book.cut_numbers() == {}


# ---- and back --------------------------------------------------------------------------------------------------------
@each_book
def test_every_rule_is_named_where_it_is_decided(book: Book):
    text = "\n".join([*book.sources().values(), book.outside()])
    decided = {rule for rule in book.numbers() if rule.startswith(book.decided)}

    assert sorted(decided - book.numbers_in(text) - book.undecided.keys()) == []


@each_book
def test_every_rule_is_shown_by_a_scenario_or_a_test(book: Book):
    assert sorted(book.numbers().keys() - book.shown() - book.unshown.keys()) == []


@each_book
def test_no_rule_is_excused_that_is_shown(book: Book):
    excused = book.unshown | book.undecided

    assert sorted(book.unshown.keys() & book.shown()) == []
    assert sorted(excused.keys() - book.numbers().keys()) == []
    assert all(reason.strip() for reason in excused.values())


@each_book
def test_every_refusal_happens_in_a_scenario(book: Book):
    assert sorted(book.refusals() - book.refused()) == []


@each_book
def test_every_refusal_of_the_engine_is_written_so_that_it_is_found(book: Book):
    for name, text in book.sources().items():
        assert len(re.findall(r"\bIllegalAction\(", text)) == len(REFUSAL.findall(text)), name


@each_book
def test_every_worked_example_of_the_rulebook_is_kept(book: Book):
    there = {one["title"] for one in book.scenarios()} | marks().keys()

    missing = {
        example: gone for example, kept in book.examples.items() if (gone := [one for one in kept if one not in there])
    }

    assert missing == {}
