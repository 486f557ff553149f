"""The looped track and the chart of gaps: every bib is there, nothing lies on anything else, nothing is by colour alone."""

import re
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.charts import DASHES, MARKS, GapLine, TrackRow, gaps, jersey_href, loop, spread
from tests.races.board.drawings import HOSTILE, box, by_class, parsed, texts

COLOURS = ("white", "yellow", "blue", "green", "purple")
PATTERNS = ("plain", "hoops", "sash", "stripes", "dots")
BIBS = ("11", "12", "13", "21", "22", "23", "31", "32", "33", "41", "42", "43")


def row(bib: str, gap: int | None, state: str = "in", **more) -> TrackRow:
    i = BIBS.index(bib) // 3 if bib in BIBS else 0
    return TrackRow(bib=bib, colour=COLOURS[i], pattern=PATTERNS[i], gap=gap, state=state, **more)


def line(bib: str, *gaps_so_far: int | None, end: str = "", out_after: str = "", name: str = "") -> GapLine:
    i = BIBS.index(bib) // 3 if bib in BIBS else 0
    return GapLine(
        bib=bib, name=name or f"Rider {bib}", colour=COLOURS[i], pattern=PATTERNS[i], gaps=gaps_so_far, end=end,
        out_after=out_after,
    )  # fmt: skip


def bibs(root: ET.Element) -> list[str]:
    return ["".join(plate.itertext()) for plate in by_class(root, "c-bibn")]


def plates(root: ET.Element) -> list[tuple[float, float, float, float]]:
    """Left, top, right and bottom of every bib, in the units of the drawing."""
    out = []
    for group in root.iter("g"):
        rect = group.find("rect[@class='c-bib']")
        if rect is None:
            continue
        x, y = map(float, re.findall(r"translate\(([-0-9.]+) ([-0-9.]+)\)", group.get("transform", ""))[0])
        scale = float((re.findall(r"scale\(([-0-9.]+)\)", group.get("transform", "")) or ["1"])[0])
        width, height = float(rect.get("width", "")) * scale, float(rect.get("height", "")) * scale
        out.append((x - width / 2, y - height / 2, x + width / 2, y + height / 2))
    return out


def none_overlap(boxes: list[tuple[float, float, float, float]]) -> bool:
    return all(
        a[0] >= b[2] - 0.6 or b[0] >= a[2] - 0.6 or a[1] >= b[3] - 0.6 or b[1] >= a[3] - 0.6
        for i, a in enumerate(boxes)
        for b in boxes[:i]
    )


def hrefs(root: ET.Element) -> list[str]:
    return [use.get("href", "") for use in root.iter("use")]


# ---- the track -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("size", [12, 18, 30])
def test_after_stage_one_the_whole_field_can_be_level_and_every_bib_is_read(size):
    root = parsed(loop([row(bib, 0, wearer=bib == "11") for bib in BIBS], size, "Venn leads"))

    assert sorted(bibs(root)) == sorted(BIBS)
    assert none_overlap(plates(root))


fields = st.lists(st.integers(0, 11), min_size=1, max_size=12)


@given(fields, st.integers(12, 30))
@settings(max_examples=40, deadline=None)
def test_however_the_field_lies_no_bib_hides_another_and_none_leaves_the_drawing(gaps_behind, size):
    riders = [row(bib, gap) for bib, gap in zip(BIBS, gaps_behind, strict=False)]

    root = parsed(loop(riders, size, "Venn leads"))

    assert sorted(bibs(root)) == sorted(rider.bib for rider in riders)
    assert none_overlap(plates(root))
    left, top, width, height = box(root)
    for x, y, right, bottom in plates(root):
        assert left <= x < right <= left + width
        assert top <= y < bottom <= top + height


def test_the_wearer_rides_in_the_pink_jersey_and_nobody_else_does():
    root = parsed(loop([row("21", 0, wearer=True), row("11", 0), row("41", 3)]))

    assert hrefs(root).count("#jersey-pink") == 1
    assert {"#jersey-white-plain", "#jersey-green-stripes"} <= set(hrefs(root))


def test_a_bot_has_a_jersey_of_its_own():
    assert jersey_href("bot", "hoops") == "#jersey-bot"
    assert jersey_href("blue", "sash") == "#jersey-blue-sash"


def test_a_lapped_rider_stands_where_he_was_caught_and_is_struck_out():
    root = parsed(loop([row("21", 0, wearer=True), row("22", 18, "lapped")], 18))

    dimmed = [group for group in root.iter("g") if group.get("opacity")]
    assert bibs(root) == ["21", "22"]
    assert len(dimmed) == 1
    assert "22 is lapped, 18 behind" in root.get("aria-label", "")


def test_riders_without_a_square_are_named_under_the_track():
    root = parsed(loop([row("21", 0, wearer=True), row("12", None, "out"), row("13", None, "unresolved")]))

    assert {"Off the track", "No result yet"} <= set(texts(root))
    assert sorted(bibs(root)) == ["12", "13", "21"]


def test_eleven_riders_off_the_track_still_have_their_bibs():
    root = parsed(loop([row("11", 0, wearer=True), *(row(bib, None, "out") for bib in BIBS[1:])]))

    assert sorted(bibs(root)) == sorted(BIBS)
    assert none_overlap(plates(root))
    _left, _top, width, height = box(root)
    assert all(right <= width and bottom <= height for _x, _y, right, bottom in plates(root))


def test_every_square_has_its_number_and_the_first_is_pink():
    told = texts(parsed(loop([row("11", 0)], 30)))

    assert {"pink", *map(str, range(1, 30))} <= set(told)
    assert "30 squares a lap" in told


def test_the_track_is_told_in_words():
    root = parsed(loop([row("21", 0, wearer=True, name="Venn"), row("22", 0), row("11", 4)], 18))

    assert root.get("aria-label") == "Looped track of 18 squares; 21 Venn in pink; 22 level with pink; 11 at 4 behind"


@pytest.mark.parametrize(
    ("riders", "size"),
    [([row("11", -1)], 18), ([row("11", 0)], 11), ([row("11", 0)], 31), ([row("11", 0)] * 13, 18)],
)
def test_what_no_giro_can_show_is_refused(riders, size):
    with pytest.raises(ValueError, match=r"track|gap"):
        loop(riders, size)


def test_hostile_names_and_bibs_are_only_text():
    hostile = TrackRow(bib=HOSTILE[:20], colour='"><x', pattern="'", gap=0, name=HOSTILE)

    root = parsed(
        loop(
            [hostile, TrackRow(bib="1", colour="blue", pattern="sash", gap=None, state="out", name=HOSTILE)],
            18,
            HOSTILE,
        )
    )

    assert "<script>" in root.get("aria-label", "")


def test_the_order_of_riders_on_other_squares_changes_nothing():
    riders = [row("11", 0), row("21", 3), row("31", 7)]

    def drawn(rows):
        return sorted(element.split(">", 1)[0] for element in loop(rows).split("<g ")[1:])

    assert drawn(riders) == drawn(riders[::-1])


def test_a_long_name_in_the_middle_is_wrapped_and_cut():
    root = parsed(loop([row("11", 0)], 18, "Annemarie van der Poel-Vingegaard van het Reusel leads by four squares"))

    middle = ["".join(element.itertext()) for element in by_class(root, "c-b")]
    assert len(middle) == 3
    assert middle[-1].endswith("…")


# ---- the gaps --------------------------------------------------------------------------------------------------------
def proto() -> list[GapLine]:
    return [
        line("21", 2, 0, 0, name="Venn"),
        line("11", 0, 2, 4, name="Sarti"),
        line("32", 4, 5, 4, name="Marchetti"),
        line("31", 2, 5, 9, name="Quist"),
        line("22", 7, 12, 18, end="lapped", out_after="3", name="Lund"),
        line("12", 4, 3, None, end="otl", out_after="3", name="Kessel"),
    ]


@pytest.mark.parametrize("size", ["wide", "narrow"])
def test_every_rider_has_his_bib_at_his_line(size):
    root = parsed(gaps(proto(), ["1", "2", "3"], size))

    # Kessel has one at his cross and one beside the reason.
    assert sorted(bibs(root)) == ["11", "12", "12", "21", "22", "31", "32"]


def test_who_rides_no_more_is_named_with_the_reason():
    told = texts(parsed(gaps(proto(), ["1", "2", "3"], "narrow")))

    assert "Kessel · outside the time limit, stage 3" in told


def test_the_wide_chart_names_everybody():
    told = texts(parsed(gaps(proto(), ["1", "2", "3"])))

    assert {"Venn", "Sarti", "Marchetti", "Quist", "Lund · lapped"} <= set(told)


def test_the_pink_jersey_hangs_over_every_stage_with_the_bib_of_its_wearer():
    root = parsed(gaps(proto(), ["1", "2", "3"], wearers=["11", "21", "21"]))

    assert hrefs(root).count("#jersey-pink") == 3
    assert sorted(bibs(root)) == ["11", "11", "12", "12", "21", "21", "21", "22", "31", "32"]


def test_on_a_phone_twenty_one_stages_show_the_pink_jersey_where_it_changes_hands():
    riders = [line("11", *[0] * 21), line("21", *[1] * 21)]

    root = parsed(gaps(riders, [str(i) for i in range(1, 22)], "narrow", wearers=["11"] * 10 + ["21"] * 11))

    assert hrefs(root).count("#jersey-pink") == 2


def test_twelve_riders_are_told_apart_without_colour():
    marks = {(i % len(MARKS), i // len(MARKS)) for i in range(12)}
    root = parsed(gaps([line(bib, i) for i, bib in enumerate(BIBS)], ["1"]))

    assert len(marks) == 12
    assert len(set(DASHES)) == 6
    drawn = [
        (element.get("class"), element.get("d"))
        for element in root.iter("path")
        if element.get("d") in MARKS and element.get("class") in {"c-pt", "pf-here"}
    ]
    assert len(set(drawn)) == len(drawn) == 12


def test_riders_with_the_same_mark_have_other_dashes():
    root = parsed(gaps([line(bib, 3) for bib in BIBS], ["1"]))

    dashes = [element.get("stroke-dasharray") for element in by_class(root, "c-ln")]
    assert all(dashes[i] != dashes[i + 6] for i in range(6))


def test_level_lines_run_beside_one_another():
    root = parsed(gaps([line(bib, 0, 3, 3) for bib in BIBS], ["1", "2", "3"]))

    ends = [element.get("points", "").split()[-1] for element in by_class(root, "c-ln")]
    assert len(set(ends)) == 12


histories = st.lists(st.integers(0, 25), min_size=21, max_size=21)


@given(st.lists(histories, min_size=1, max_size=12), st.data())
@settings(max_examples=25, deadline=None)
def test_no_label_at_the_right_hides_another_however_the_giro_goes(rows, data):
    ends = [data.draw(st.integers(0, 21)) for _ in rows]
    riders = [
        line(bib, *gaps_so_far[:stop], *[None] * (21 - stop), end="" if stop == 21 else "dnf")
        for bib, gaps_so_far, stop in zip(BIBS, rows, ends, strict=False)
    ]

    for size in ("wide", "narrow"):
        root = parsed(gaps(riders, [str(i) for i in range(1, 22)], size))
        assert set(bibs(root)) == {rider.bib for rider in riders}
        left, top, width, height = box(root)
        inside = plates(root)
        assert all(left <= x and top <= y and r <= width and b <= height for x, y, r, b in inside)
        running = [plate for plate in inside if plate[0] > width - (178 if size == "wide" else 70)]
        assert none_overlap(running)


def test_a_stage_without_a_gap_breaks_the_line():
    root = parsed(gaps([line("11", 0, None, 2, 3), line("21", 1, 0, 0, 0)], ["1", "2", "3", "4"]))

    assert len(list(by_class(root, "c-ln"))) == 3


def test_stages_are_called_by_their_numbers_also_when_they_are_split():
    assert {"Start", "Stage 1", "Stage 2a", "Stage 2b"} <= set(
        texts(parsed(gaps([line("11", 0, 0, 0)], ["1", "2a", "2b"])))
    )


def test_a_giro_that_has_not_begun_is_an_empty_chart():
    root = parsed(gaps([], []))

    assert bibs(root) == []
    parsed(gaps([line("11")], []))


def test_the_chart_is_told_in_words():
    told = parsed(gaps(proto(), ["1", "2", "3"])).get("aria-label", "")

    assert "21 Venn at 0 after stage 3" in told
    assert "12 Kessel at 3 after stage 2, outside the time limit" in told


@pytest.mark.parametrize(
    ("riders", "stages"),
    [([line("11", -1)], ["1"]), ([line("11", 1)], ["1", "2"]), ([line("11", 1)] * 13, ["1"])],
)
def test_gaps_that_cannot_be_are_refused(riders, stages):
    with pytest.raises(ValueError, match="gap|riders"):
        gaps(riders, stages)


@pytest.mark.parametrize("size", ["wide", "narrow"])
def test_hostile_names_in_the_chart_are_only_text(size):
    hostile = GapLine(
        bib=HOSTILE[:12], name=HOSTILE, colour="'", pattern='"', gaps=(0, None), end="dnf", out_after=HOSTILE
    )
    still_in = GapLine(bib="2", name=HOSTILE * 20, colour="blue", pattern="sash", gaps=(0, 1))

    parsed(gaps([hostile, still_in], ["1", HOSTILE], size, wearers=[HOSTILE, None]))


def test_charts_are_the_same_every_time():
    assert gaps(proto(), ["1", "2", "3"]) == gaps(proto(), ["1", "2", "3"])
    assert loop([row("11", 0)]) == loop([row("11", 0)])


# ---- labels that keep apart ------------------------------------------------------------------------------------------
def test_labels_that_do_not_clash_stay_where_they_are():
    assert spread([10, 50, 90], 20, 0, 100) == (10, 50, 90)


def test_labels_that_clash_move_as_one_group():
    assert spread([50, 50, 50], 20, 0, 100) == (30, 50, 70)


@given(st.lists(st.floats(0, 300), max_size=12))
def test_labels_keep_apart_and_inside(wanted):
    places = spread(sorted(wanted), 25, -4, 296)

    assert all(b - a >= 25 - 1e-6 for a, b in zip(places, places[1:], strict=False))
    assert all(-4.001 <= place <= 296.001 for place in places)
