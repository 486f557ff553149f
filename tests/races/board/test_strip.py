"""The road strip, whatever game it shows: where things lie, what is a link, what a window holds."""

import re
import xml.etree.ElementTree as ET
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import parse_qs

import pytest
from django.contrib.staticfiles import finders
from django.utils.safestring import SafeString
from hypothesis import given
from hypothesis import strategies as st

from races.board.strip import (
    RUN_IN,
    SHOWN,
    Choice,
    Drawing,
    Frame,
    Ground,
    Line,
    Pack,
    Road,
    Sign,
    Square,
    Stance,
    Stretch,
    Strip,
    Token,
    Zoom,
    choices,
    draw,
    patterns,
)
from races.board.whole import course_map, groups, in_words, key, overview
from tests.races.board.drawings import ADDRESS, HOSTILE

TICK = 12
BOTH = pytest.mark.parametrize("upright", [True, False], ids=["up", "on"])


def road(columns: int = 40, lanes: int = 3, lines: tuple[Line, ...] = ()) -> Road:
    """A straight road with a rise in the middle, and the columns before the start and beyond the finish."""
    squares = {}
    for column in range(1 - RUN_IN, columns + RUN_IN + 1):
        for lane in range(lanes):
            name = f"{column}.{lane}"
            raced = 1 <= column <= columns
            squares[name] = Square(
                id=name, name=f"{column} lane {lane}", at=lane - (lanes - 1) / 2, start=(column - 1) * TICK,
                end=column * TICK, ground=Ground.RISE if 15 < column <= 25 else Ground.PLAIN,
                black=name in ("12.0", "13.0"), raced=raced,
            )  # fmt: skip
    stretches = (
        Stretch(start=0, end=15 * TICK, ground=Ground.PLAIN, label="Plain"),
        Stretch(start=15 * TICK, end=25 * TICK, ground=Ground.RISE, label="Rise", rise=5.0),
        Stretch(start=25 * TICK, end=columns * TICK, ground=Ground.PLAIN, label="Plain", bend=1, bend_label="bend"),
    )
    ends = Line(tick=0, sign=Sign.START, label="Start"), Line(tick=columns * TICK, sign=Sign.FINISH, label="Finish")
    return Road(
        title="A road", lanes=lanes, tick=TICK, last=columns, squares=MappingProxyType(squares), stretches=stretches,
        lines=(*ends, *lines),
    )  # fmt: skip


def rider(name: str, square: str | None = None, **more: Any) -> Token:
    return Token(
        rider=name, bib=name, name=f"Rider {name}", jersey="blue-sash", square=square, place=square or "", **more
    )


def choice(square: str, label: str = "3", **more: Any) -> Choice:
    facts: dict[str, Any] = {
        "value": f"to-{square}", "action": object(), "rider": "12", "origin": (0, 0.0), "path": (square,), "steps": 1,
        "words": f"to {square}", "priced": label not in ("0", "+1"),
    }  # fmt: skip
    return Choice(square=square, label=label, **(facts | more))


def live(drawing: Drawing) -> ET.Element:
    return ET.fromstring(drawing.live)


def by_class(root: ET.Element, name: str) -> list[ET.Element]:
    return [element for element in root.iter() if name in element.get("class", "").split()]


def words_of(element: ET.Element) -> list[str]:
    return ["".join(text.itertext()) for text in element.iter("text")]


def query(link: ET.Element) -> dict[str, str]:
    href = link.get(ADDRESS, "")
    assert href.startswith("?")
    return {name: value for name, (value,) in parse_qs(href[1:]).items()}


# ---- where things lie ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("lanes", [2, 3, 4])
@BOTH
def test_a_straight_square_is_a_target_of_44_pixels(lanes, upright):
    frame = Frame(road(lanes=lanes), upright, Zoom.NEAR, 1, SHOWN[upright, Zoom.NEAR])

    _x, _y, wide, high = frame.square(frame.road.squares["5.1"])

    assert min(wide, high) >= 44


@BOTH
def test_left_in_riding_direction_is_left_on_a_phone_and_above_on_a_wide_screen(upright):
    frame = Frame(road(), upright, Zoom.NEAR, 1, 14)
    squares = frame.road.squares

    (x, y), (right_x, right_y) = frame.centre(squares["5.0"]), frame.centre(squares["5.2"])
    ahead_x, ahead_y = frame.centre(squares["6.0"])

    assert (x < right_x and y == right_y and ahead_y < y) if upright else (y < right_y and x == right_x and ahead_x > x)


@BOTH
@pytest.mark.parametrize("zoom", Zoom)
def test_the_road_fits_its_paper(upright, zoom):
    drawing = draw(Strip(road=road()), upright=upright, zoom=zoom)

    box = ET.fromstring(drawing.road).get("viewBox", "").split()

    assert list(map(float, box)) == [0, 0, drawing.width, drawing.height]
    assert drawing.width == (360 if upright else pytest.approx(1144, abs=12))


def test_both_layers_have_one_size():
    drawing = draw(Strip(road=road(), tokens=(rider("12", "20.1"), rider("11", "3.0"))), upright=True)

    assert ET.fromstring(drawing.road).get("viewBox") == live(drawing).get("viewBox")


@BOTH
def test_the_road_is_the_same_for_everybody_who_looks_at_it(upright):
    shared = road()

    one = draw(Strip(road=shared, tokens=(rider("12", "10.1", turn=True),)), upright=upright)
    other = draw(Strip(road=shared, tokens=(rider("33", "10.2", turn=True, mine=True),)), upright=upright)

    assert one.road == other.road
    assert one.live != other.live


# ---- the window ------------------------------------------------------------------------------------------------------
@BOTH
@given(at=st.integers(1, 40), reach=st.integers(1, 13), front=st.integers(0, 40), zoom=st.sampled_from(Zoom))
def test_a_window_holds_the_mover_and_all_his_moves_and_never_cuts_the_peloton(upright, at, reach, front, zoom):
    targets = tuple(choice(f"{column}.0") for column in range(at + 1, min(at + reach, 46) + 1))
    pack = Pack(start=(front - 2) * TICK, end=front * TICK, label="Peloton")
    strip = Strip(road=road(), tokens=(rider("12", f"{at}.1", turn=True),), pack=pack, choices=targets)

    drawing = draw(strip, upright=upright, zoom=zoom)

    shown = range(drawing.window, drawing.window + drawing.columns)
    assert at in shown
    assert {query(link)["to"] for link in by_class(live(drawing), "bd-choice")} == {c.value for c in targets}
    assert (front in shown) == (front - 1 in shown)


@given(st.integers(-999, 999), st.booleans())
def test_any_window_that_is_asked_for_shows_some_road(window, upright):
    drawing = draw(Strip(road=road()), upright=upright, window=window)

    assert drawing.window >= 1 - RUN_IN
    assert drawing.window + drawing.columns - 1 <= 40 + RUN_IN
    assert by_class(ET.fromstring(drawing.road), "bd-sq")


@BOTH
@pytest.mark.parametrize("zoom", Zoom)
def test_the_finish_is_looked_at_when_nobody_is_left_on_the_road_and_the_start_when_nobody_came(upright, zoom):
    over, bare = Strip(road=road(60), tokens=(rider("31", None), rider("12", None))), Strip(road=road(60))

    finish, start = (draw(strip, upright=upright, zoom=zoom) for strip in (over, bare))

    assert 60 in range(finish.window, finish.window + finish.columns)
    assert 1 in range(start.window, start.window + start.columns)


@BOTH
def test_the_ends_lead_to_those_who_ride_outside(upright):
    strip = Strip(
        road=road(60),
        tokens=(rider("31", "58.0"), rider("12", "30.1", turn=True), rider("11", "8.1"), rider("44", "6.2")),
    )

    drawing = draw(strip, upright=upright)
    ahead, behind = by_class(live(drawing), "bd-end")

    assert "31 +28" in ahead.get("aria-label", "")
    assert "11 −22, 44 −24" in behind.get("aria-label", "")
    for link, bib in ((ahead, "31"), (behind, "11")):
        there = draw(strip, upright=upright, window=int(query(link)["window"]))
        assert bib in words_of(by_class(live(there), "bd-riders")[-1])


@BOTH
def test_where_nobody_rides_the_ends_lead_along_the_road_as_far_as_it_goes(upright):
    strip = Strip(road=road(80), tokens=(rider("12", "40.1"),))

    labels = [link.get("aria-label") for link in by_class(live(draw(strip, upright=upright)), "bd-end")]
    at_the_start = by_class(live(draw(strip, upright=upright, window=-5)), "bd-end")
    at_the_end = by_class(live(draw(strip, upright=upright, window=99)), "bd-end")

    assert labels == ["Road ahead", "Road behind"]
    assert len(at_the_start) == len(at_the_end) == 1


def test_a_window_keeps_what_is_looked_at_and_what_the_page_keeps():
    target = choice("22.1")
    strip = Strip(road=road(60), tokens=(rider("12", "20.1", turn=True),), choices=(target,), chosen=target)

    drawing = draw(strip, upright=True, zoom="far", keep={"decision": "move-12"})
    root = live(drawing)

    kept = {"zoom": "far", "decision": "move-12"}
    assert query(by_class(root, "bd-choice")[0]) == {"to": "to-22.1", **kept}
    assert all(query(end) | kept | {"to": "to-22.1"} == query(end) for end in by_class(root, "bd-end"))
    pins = by_class(ET.fromstring(overview(strip, drawing)), "bd-pinlink")
    assert [query(pin) for pin in pins] == [{"window": "16", "to": "to-22.1", **kept}]


@pytest.mark.parametrize("htmx", [True, False])
def test_links_are_also_fetched_by_htmx_only_where_the_page_wants_it(htmx):
    strip = Strip(road=road(), tokens=(rider("12", "20.1", turn=True),), choices=(choice("22.1"),))

    drawing = draw(strip, upright=True, htmx=htmx)
    links = [*live(drawing).iter("a"), *ET.fromstring(overview(strip, drawing)).iter("a")]

    assert [link.get("hx-get") for link in links] == [link.get(ADDRESS) if htmx else None for link in links]


# ---- choices ---------------------------------------------------------------------------------------------------------
@BOTH
def test_choices_are_links_that_say_themselves_in_the_order_of_the_walk(upright):
    offered = (
        choice("21.0", "+1"),
        choice("21.1"),
        choice("22.0", risk="5+"),
        choice("22.0", shown=False, value="other"),
    )
    strip = Strip(road=road(), tokens=(rider("12", "20.1", turn=True),), choices=offered, asks="Where 12 may ride")

    root = live(draw(strip, upright=upright))

    (group,) = by_class(root, "bd-choices")
    assert group.get("aria-label") == "Where 12 may ride"
    links = by_class(root, "bd-choice")
    assert [query(link)["to"] for link in links] == ["to-21.0", "to-21.1", "to-22.0"]
    assert [link.get("aria-label") for link in links] == ["to 21.0", "to 21.1", "to 22.0"]
    assert len({link.get("id") for link in links}) == 3
    assert choices(strip) == offered


@BOTH
@pytest.mark.parametrize("zoom", Zoom)
def test_a_risk_is_told_by_dash_triangle_and_figure_not_by_colour_alone(upright, zoom):
    strip = Strip(road=road(), choices=(choice("5.0", risk="8+"), choice("5.1")))

    risky, safe = by_class(live(draw(strip, upright=upright, zoom=zoom)), "bd-choice")

    assert by_class(risky, "bd-warn")
    assert not by_class(safe, "bd-warn")
    assert ("8+" in words_of(risky)) == (zoom is Zoom.NEAR)
    assert re.search(r"\.bd-risky \.bd-hit\{[^}]*stroke-dasharray", CSS)


@BOTH
def test_the_chosen_move_is_a_line_with_its_stops_a_ghost_and_its_price(upright):
    chosen = choice("23.1", "3", path=("21.1", "22.1", "23.1"), origin=(20 * TICK - 6, 0.0))
    strip = Strip(
        road=road(), tokens=(rider("12", "20.1", turn=True),), choices=(choice("21.1", "0"), chosen), chosen=chosen
    )

    root = live(draw(strip, upright=upright))

    assert len(by_class(root, "bd-path")) == 2
    assert len(by_class(root, "bd-stop")) == 1  # 22.1; 21.1 shows its own price
    (ghost,) = by_class(root, "bd-ghost")
    assert words_of(ghost) == ["12"]
    chosen_link, price = by_class(root, "bd-chosen")
    assert chosen_link.tag == "a"
    assert words_of(chosen_link) == []
    assert words_of(price) == ["3"]


@BOTH
def test_a_square_under_the_peloton_is_offered_at_its_rear(upright):
    pack = Pack(start=20 * TICK, end=22 * TICK, label="Peloton")
    strip = Strip(
        road=road(), tokens=(rider("12", "18.1", turn=True), rider("11", inside=True)), pack=pack,
        choices=tuple(choice(f"21.{lane}", "1") for lane in range(3)),
    )  # fmt: skip
    drawing = draw(strip, upright=upright)

    links = by_class(live(drawing), "bd-choice")

    frame = Frame(strip.road, upright, Zoom.NEAR, drawing.window, drawing.columns)
    x, y, wide, high = frame.box(pack.start, pack.end, frame.left, frame.right)
    assert len(links) == 3
    for link in links:
        (target,) = by_class(link, "bd-target")
        left, top, w, h = (float(target.get(name, "")) for name in ("x", "y", "width", "height"))
        assert x <= left
        assert y <= top
        assert left + w <= x + wide + 0.2
        assert top + h <= y + high + 0.2
        assert min(w, h) >= 24


@BOTH
def test_who_may_be_sent_is_a_link_and_whose_choices_are_shown_is_none(upright):
    inside = tuple(rider(name, inside=True, mine=True) for name in ("11", "12", "13"))
    pack = Pack(start=8 * TICK, end=10 * TICK, label="Peloton")
    strip = Strip(road=road(), tokens=inside, pack=pack, senders=("11", "12"), sender="12", choices=(choice("14.0"),))

    links = by_class(live(draw(strip, upright=upright)), "bd-send")

    assert [query(link) for link in links] == [{"rider": "11"}]
    assert links[0].get("aria-label") == "Choose where 11 Rider 11 attacks"


# ---- riders ----------------------------------------------------------------------------------------------------------
@BOTH
@pytest.mark.parametrize("count", range(1, 13))
def test_all_in_the_peloton_are_drawn_inside_it_and_clear_of_one_another(upright, count):
    pack = Pack(start=8 * TICK, end=10 * TICK, label="Peloton")
    strip = Strip(road=road(lanes=2), tokens=tuple(rider(str(i), inside=True) for i in range(count)), pack=pack)

    root = live(draw(strip, upright=upright))

    (plate,) = by_class(root, "bd-pack")
    x, y, wide, high = (float(plate.get(name, "")) for name in ("x", "y", "width", "height"))
    places = []
    for group in root.iter("g"):
        moved = re.fullmatch(r"translate\(([-\d.]+) ([-\d.]+)\)", group.get("transform", ""))
        if moved:
            places.append((float(moved[1]), float(moved[2])))
    assert len(places) == count
    assert all(x + 8 < px < x + wide - 8 and y + 24 < py < y + high - 8 for px, py in places)
    assert all(max(abs(a - c), abs(b - d)) > 20 for i, (a, b) in enumerate(places) for c, d in places[:i])


STANCES = {Stance.RIDING: None, Stance.FALLEN: "bd-alarm", Stance.PUNCTURED: "bd-wheel"}


@BOTH
@pytest.mark.parametrize("stance", Stance)
def test_how_a_rider_is_doing_is_told_by_a_shape(upright, stance):
    root = live(draw(Strip(road=road(), tokens=(rider("12", "10.1", stance=stance),)), upright=upright))

    assert [name for name in ("bd-alarm", "bd-wheel") if by_class(root, name)] == [
        name for name in (STANCES[stance],) if name
    ]
    assert bool(by_class(root, "bd-home")) == (stance is Stance.FALLEN)


@BOTH
def test_who_lies_beside_the_road_is_clear_of_flags_and_of_the_others(upright):
    lines = tuple(Line(tick=column * TICK, sign=Sign.BOTTLE, label="Bottle") for column in (9, 10, 11))
    fallen = tuple(rider(str(i), f"10.{i}", stance=Stance.FALLEN) for i in range(3))
    strip = Strip(road=road(lines=lines), tokens=fallen)

    drawing = draw(strip, upright=upright)

    frame = Frame(strip.road, upright, Zoom.NEAR, drawing.window, drawing.columns)
    along = []
    for token in by_class(live(drawing), "bd-rider"):
        moved = re.fullmatch(r"translate\(([-\d.]+) ([-\d.]+)\)", token.get("transform", ""))
        assert moved
        x, y = float(moved[1]), float(moved[2])
        assert (x if upright else y) > frame.right
        along.append(y if upright else x)
    assert all(abs(a - b) >= 43 for i, a in enumerate(along) for b in along[:i])
    if upright:
        flags = [float(flag.get("y", "")) + 9 for flag in by_class(ET.fromstring(drawing.road), "bd-flag")]
        assert all(abs(a - flag) >= 30 for a in along for flag in flags)


def test_jerseys_are_those_of_the_page_and_riders_have_bib_and_letter():
    root = live(draw(Strip(road=road(), tokens=(rider("101", "10.1", tag="C"),)), upright=True))

    assert {use.get("href") for use in root.iter("use")} == {"#jersey-blue-sash"}
    assert words_of(by_class(root, "bd-rider")[0]) == ["101", "C"]


def test_riders_are_no_stops_for_a_screen_reader_and_neither_is_the_road():
    drawing = draw(Strip(road=road(), tokens=(rider("12", "10.1"),)), upright=True)

    assert ET.fromstring(drawing.road).get("aria-hidden") == "true"
    (group,) = by_class(live(drawing), "bd-riders")
    assert group.get("aria-hidden") == "true"


@BOTH
def test_a_slipstream_ties_two_riders_and_a_move_since_the_last_turn_is_counted(upright):
    tokens = rider("22", "12.1"), rider("12", "11.1", behind="22", since="7.0")

    root = live(draw(Strip(road=road(), tokens=tokens), upright=upright))

    assert len(by_class(root, "bd-wake")) == 2
    assert words_of(root).count("+4") == 1


def test_riders_of_another_race_on_the_same_road_are_small_and_beside_it():
    tokens = rider("12", "10.1", turn=True), rider("22", "10.1", apart=True), rider("31", "10.1", apart=True)

    root = live(draw(Strip(road=road(), tokens=tokens), upright=True))

    assert len(by_class(root, "bd-apart")) == 2
    assert not by_class(root, "bd-home")


# ---- the road --------------------------------------------------------------------------------------------------------
@BOTH
def test_grounds_differ_by_pattern_and_name_and_lines_by_flag(upright):
    lines = (
        Line(tick=12 * TICK, sign=Sign.BONUS, label="Bonus"),
        Line(tick=12 * TICK, sign=Sign.BOTTLE, label="Bottle"),
    )
    drawing = draw(Strip(road=road(lines=lines)), upright=upright, window=8)

    root = ET.fromstring(drawing.road)

    way = "up" if upright else "on"
    fills = {path.get("fill") for path in root.iter("path") if path.get("fill")}
    assert fills == {f"url(#{way}-rise)", f"url(#{way}-black)"}
    told = words_of(root)
    assert {"Bonus", "Bottle", "Plain", "Rise", "10", "15"} <= set(told)
    boxes = [
        tuple(float(flag.get(side, "")) for side in ("x", "y", "width", "height")) for flag in by_class(root, "bd-flag")
    ]
    (x1, y1, w1, h1), (x2, y2, w2, h2) = boxes
    assert x1 + w1 <= x2 or x2 + w2 <= x1 or y1 + h1 <= y2 or y2 + h2 <= y1


def test_the_patterns_are_there_once_for_both_directions():
    ids = {pattern.get("id") for pattern in ET.fromstring(patterns()).iter("pattern")}

    assert ids == {f"{way}-{name}" for way in ("up", "on") for name in ("rise", "mountain", "downhill", "black")}


# ---- the whole course and the words ----------------------------------------------------------------------------------
def field() -> Strip:
    tokens = (
        rider("41", "30.0"), rider("12", "22.1", turn=True, behind="22", since="20.0", notes=("to move",)), rider("22", "21.1"),
        rider("11", inside=True), rider("13", inside=True), rider("33", "9.2", stance=Stance.FALLEN, notes=("fallen",)),
        Token(rider="44", bib="44", name="Out", jersey="pink", place="outside the time limit"),
    )  # fmt: skip
    return Strip(road=road(), tokens=tokens, pack=Pack(start=13 * TICK, end=15 * TICK, label="Peloton"))


def test_riders_close_together_are_one_group_and_the_peloton_is_its_own():
    assert [(group.label, group.turn, group.tick // TICK) for group in groups(field())] == [
        ("41", False, 30),
        ("2 riders", True, 22),
        ("Peloton 2", False, 15),
        ("33", False, 9),
    ]


def test_the_field_in_words_is_that_of_the_picture():
    rows = [(row.bib, row.place, row.gap, row.notes) for row in in_words(field())]

    assert rows == [
        ("41", "30.0", "", ""),
        ("12", "22.1", "8 behind", "to move, on the wheel of 22, moved 2 since your last turn"),
        ("22", "21.1", "1 behind", ""),
        ("11", "", "6 behind", ""),
        ("13", "", "level", ""),
        ("33", "9.2", "6 behind", "fallen"),
        ("44", "outside the time limit", "", ""),
    ]


@BOTH
def test_the_overview_has_a_pin_for_every_group_and_a_frame_for_the_window(upright):
    drawing = draw(field(), upright=upright)

    root = ET.fromstring(overview(field(), drawing))

    pins = by_class(root, "bd-pinlink")
    assert [words_of(pin) for pin in pins] == [["41"], ["2 riders"], ["Peloton 2"], ["33"]]
    assert [query(pin)["window"] for pin in pins] == ["26", "18", "11", "5"]
    assert len(by_class(root, "bd-window")) == 1
    assert root.get("viewBox", "").split()[2] == f"{drawing.width:g}"
    plates = [tuple(float(p.get(side, "")) for side in ("x", "y", "width")) for p in by_class(root, "bd-pin")]
    for i, (x, y, wide) in enumerate(plates):
        assert x >= 0
        assert x + wide <= drawing.width
        assert all(y != oy or x + wide <= ox or ox + ow <= x for ox, oy, ow in plates[:i])


def test_the_map_says_where_everybody_is():
    root = ET.fromstring(course_map(field(), draw(field(), upright=False)))

    assert root.get("role") == "img"
    assert root.get("aria-label") == "A road from above: 41 30, 2 riders 22, Peloton 2 15, 33 9"
    assert len(by_class(root, "bd-pin")) == 4


def test_the_legend_tells_the_signs_that_are_there_and_no_other():
    strip = field()
    legend = [sample.words for sample in key(strip, draw(strip, upright=True, window=16))]
    farther_back = [sample.words for sample in key(strip, draw(strip, upright=True, window=5))]
    offered = Strip(
        road=road(), tokens=(rider("12", "20.1", turn=True),),
        choices=(choice("21.0", "+1"), choice("22.0"), choice("23.0", risk="8+")),
    )  # fmt: skip

    assert legend == ["whose move it is", "slipstream of the rider in front", "columns moved since your turn"]
    assert farther_back == ["fallen, beside his square", "black asphalt"]
    assert [sample.words for sample in key(offered, draw(offered, upright=False))] == [
        "whose move it is",
        "energy that stopping here costs",
        "energy that comes back",
        "a risk, and what it asks for",
    ]
    for sample in key(offered, draw(offered, upright=False)):
        assert ET.fromstring(sample.sign).get("aria-hidden") == "true"


# ---- whatever it shows -----------------------------------------------------------------------------------------------
CSS = Path(finders.find("races/board.css") or "").read_text()
JS = Path(finders.find("races/board.js") or "").read_text()


def all_pictures() -> list[SafeString]:
    chosen = choice("23.1", risk="5+")
    strip = Strip(
        road=road(lines=(Line(tick=20 * TICK, sign=Sign.SPRINT, label=HOSTILE),)),
        tokens=(
            Token(
                rider=HOSTILE, bib=HOSTILE, name=HOSTILE, jersey='x" onload="y', tag="<", place=HOSTILE, square="21.0",
                since="18.0",
            ),
            rider("12", "20.1", turn=True, tag="R"),
            Token(rider="i", bib=HOSTILE, name=HOSTILE, jersey="pink", inside=True),
        ),
        pack=Pack(start=15 * TICK, end=17 * TICK, label=HOSTILE),
        choices=(chosen, choice("22.0", HOSTILE, words=HOSTILE, value=HOSTILE)), chosen=chosen, asks=HOSTILE,
        senders=("i",), sender=None,
    )  # fmt: skip
    out = [patterns()]
    for upright in (True, False):
        for zoom in Zoom:
            for window in (None, 1, 24):
                drawing = draw(strip, upright=upright, zoom=zoom, window=window)
                out += [drawing.road, drawing.live, overview(strip, drawing), course_map(strip, drawing)]
                out += [sample.sign for sample in key(strip, drawing)]
    return out


def test_a_hostile_name_is_only_a_name():
    for picture in all_pictures():
        assert isinstance(picture, SafeString)
        root = ET.fromstring(picture)
        for element in root.iter():
            assert element.tag not in ("script", "style", "foreignObject", "image")
            assert "style" not in element.attrib
            assert not any(name.startswith("on") for name in element.attrib)
            if element.tag == "use":
                assert element.get("href", "").startswith("#jersey-")
            if element.tag == "a":
                assert element.get(ADDRESS, "").startswith("?")


def test_a_picture_is_the_same_every_time():
    assert all_pictures() == all_pictures()


def test_every_class_of_a_picture_is_one_of_the_board_and_every_colour_is_in_the_style_sheet():
    used = {
        name for picture in all_pictures() for e in ET.fromstring(picture).iter() for name in e.get("class", "").split()
    }
    known = set(re.findall(r"\.(bd-[a-z-]+)", CSS))

    hooks = {"vh", "bd-choice", "bd-choices", "bd-live", "bd-road", "bd-rider", "bd-overview", "bd-pt-mountain"}
    assert used - known <= hooks
    for picture in all_pictures():
        assert not re.search(r'(fill|stroke)="(?!url\(#|none)', picture)


def test_style_sheet_and_script_ask_for_nothing_and_the_script_writes_no_style():
    assert "url(" not in CSS.replace("url(#...)", "")
    assert "@import" not in CSS
    for word in ("innerHTML", "eval(", ".style", "fetch(", "http"):
        assert word not in JS
