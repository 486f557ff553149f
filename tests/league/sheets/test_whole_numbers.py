"""Numbers as people write them on a sheet."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.sheets.whole_numbers import NotWhole, Why, shown, whole_number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("12", 12),
        (" 12 ", 12),
        ("\u00a012\u3000", 12),
        ("\u200e12\u200f", 12),
        ("\ufeff12", 12),
        ("0012", 12),
        ("0", 0),
        ("000", 0),
        ("12.", 12),
        ("１２", 12),
        ("１２．", 12),
        ("١٢", 12),
        ("9999", 9999),
        ("0" * 5000 + "7", 7),
    ],
)
def test_a_whole_number_is_read_as_people_write_it(text, number):
    assert whole_number(text) == number


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("1e3", Why.NO_NUMBER),
        ("12.5", Why.FRACTION),
        ("12,5", Why.FRACTION),
        ("-3", Why.NEGATIVE),
        ("−3", Why.NEGATIVE),
        ("+3", Why.NO_NUMBER),
        ("--", Why.NO_NUMBER),
        ("-", Why.NO_NUMBER),
        ("n/a", Why.NO_NUMBER),
        (".", Why.NO_NUMBER),
        ("12..", Why.NO_NUMBER),
        ("1 2", Why.NO_NUMBER),
        ("1_2", Why.NO_NUMBER),
        ("0x10", Why.NO_NUMBER),
        ("1²", Why.NO_NUMBER),
        ("①", Why.NO_NUMBER),
        ("½", Why.NO_NUMBER),
        ("Ⅻ", Why.NO_NUMBER),
        ("1２", Why.NO_NUMBER),
        ("١2", Why.NO_NUMBER),
        ("twelve", Why.NO_NUMBER),
        ("\x0012", Why.NO_NUMBER),
        ("10000", Why.TOO_BIG),
        ("9" * 10_000, Why.TOO_BIG),
    ],
)
def test_anything_else_is_refused_with_the_reason(text, why):
    with pytest.raises(NotWhole) as refused:
        whole_number(text)

    assert refused.value.why is why


@given(st.text())
def test_a_number_is_only_read_from_its_own_digits(text):
    try:
        number = whole_number(text)
    except NotWhole:
        return

    digits = "".join(str(int(char)) for char in text if char.isdecimal())
    assert str(number) == (digits.lstrip("0") or "0")


@given(st.text())
def test_text_shown_again_is_one_short_line_without_control_characters(text):
    line = shown(text)

    assert len(line) <= 25
    assert not any(char in line for char in "\n\r\x00\x1b")


def test_text_is_never_cut_inside_a_letter_or_an_emoji():
    assert shown("e\u0301" * 20, 5) == "e\u0301e\u0301…"
    assert shown("abc👩\u200d👩\u200d👧!", 5) == "abc…"
