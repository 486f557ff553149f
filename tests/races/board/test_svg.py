"""Elements that are escaped by construction, and the measures of texts."""

import xml.etree.ElementTree as ET

import pytest
from django.utils.safestring import SafeString
from hypothesis import given
from hypothesis import strategies as st

from races.board.svg import cut, drawing, fitted, number, path, points, printable, tag, text_width, wrapped


@pytest.mark.parametrize(
    ("value", "text"), [(3, "3"), (3.04, "3"), (2.96, "3"), (-0.01, "0"), (1.25, "1.2"), (-4.5, "-4.5")]
)
def test_a_coordinate_has_one_decimal_and_no_trailing_zero(value, text):
    assert number(value) == text


def test_what_stands_inside_is_escaped_unless_it_is_drawn():
    inner = tag("tspan", "a<b")

    assert tag("text", inner, " & c", x=1.5, class_="c-t", dy=None) == (
        '<text x="1.5" class="c-t"><tspan>a&lt;b</tspan> &amp; c</text>'
    )


def test_a_quote_cannot_leave_its_attribute():
    assert tag("path", d='"><script>') == '<path d="&quot;&gt;&lt;script&gt;"/>'


def test_in_an_attribute_even_a_safe_string_is_escaped():
    assert tag("path", d=SafeString('a "b" & c')) == '<path d="a &quot;b&quot; &amp; c"/>'


def test_paths_and_points_are_written_short():
    assert path("M", 0.04, 12.0, "h15l5 7", 3) == "M 0 12 h15l5 7 3"
    assert points([(0, 1.26), (2, 3)]) == "0,1.3 2,3"


@given(st.text())
def test_any_text_makes_an_element_that_xml_can_read(text):
    root = ET.fromstring(drawing(tag("text", printable(text)), class_="chart", box=(0, 0, 1, 1), words=text).encode())

    assert "".join(root.itertext()) == printable(text).replace("\r\n", "\n").replace("\r", "\n")


@given(st.text(max_size=60), st.floats(20, 300))
def test_a_text_that_is_cut_to_fit_fits(text, room):
    assert text_width(cut(text, 13, room), 13) <= max(room, text_width("…", 13))
    assert text_width(fitted(text, 13, room), 13) <= room


@given(st.text(max_size=120), st.integers(1, 3))
def test_wrapped_lines_fit_and_are_no_more_than_asked_for(text, lines):
    out = wrapped(text, 13, 120, lines)

    assert len(out) <= lines
    assert all(text_width(line, 13) <= 120 for line in out)


def test_a_name_is_shortened_by_whole_words_or_left_out():
    assert fitted("Lido di Jesolo", 16, 200) == "Lido di Jesolo"
    assert fitted("Lido di Jesolo", 16, 70) == "Lido di…"
    assert fitted("Lido di Jesolo", 16, 45) == ""


def test_wide_letters_take_more_room():
    assert text_width("山岳ステージ", 10) > text_width("abcdef", 10)
