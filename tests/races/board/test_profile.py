"""The altimetry: what it shows, what it says, and that any road and any name can be drawn."""

import pytest
from django.utils.translation import override
from hypothesis import given, settings

from races.board.profile import Numbers, Size, SkylineStage, State, columns_of, profile, skyline, words
from rules.giro.course import BUILT_IN_IDS, built_in, course_from_json
from rules.giro.courses import GRANDE_GIRO
from tests.races.board.drawings import HOSTILE, box, by_class, parsed, texts
from tests.rules.giro.plans import sound_plans

NUMBERS = Numbers(columns=46, milestones=31, bonus=(20, 33))


def stage(number: int, course: str = "colli", state: State = State.AHEAD, winner: str = "") -> SkylineStage:
    return SkylineStage(number=str(number), name=course.title(), road=built_in(course), state=state, winner=winner)


# ---- words -----------------------------------------------------------------------------------------------------------
def test_the_words_tell_the_terrain_the_categories_and_the_lines():
    assert words(built_in("vetta")) == (
        "La Vetta, 50 squares: plain from 1 to 10, rise from 11 to 15, mountain of category 3 from 16 to 20, "
        "downhill from 21 to 30, plain from 31 to 35, rise from 36 to 40, mountain of category 2 from 41 to 45, "
        "mountain of category 1 from 46 to 50. Bonus sprint after 20; bottle after 35."
    )


def test_the_sprint_zone_begins_on_the_square_after_its_line():
    assert words(built_in("laguna")).endswith("Sprint zone from 28.")


def test_a_stage_may_have_another_name_than_its_course():
    assert words(built_in("laguna"), name="Lido").startswith("Lido, 30 squares")


def test_a_road_known_by_its_numbers_says_its_numbers():
    assert words(NUMBERS, name="Poggio") == (
        "Poggio, known by its numbers: 46 squares, milestones 31, bonus sprint after 20, bonus sprint after 33."
    )
    assert words(Numbers()) == "A course known by its numbers: its length is not told yet."


# ---- a stage ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("size", Size)
@pytest.mark.parametrize("course_id", BUILT_IN_IDS)
def test_every_profile_says_itself_in_words(course_id, size):
    root = parsed(profile(built_in(course_id), size))

    assert root.get("aria-label") == words(built_in(course_id))
    assert f"pf-{size}" in root.get("class", "").split()


@pytest.mark.parametrize("size", [Size.WIDE, Size.NARROW])
def test_every_line_has_its_sign_its_word_and_its_column(size):
    told = texts(parsed(profile(built_in("colli"), size)))

    for label in ("Bonus 30", "Bottle 35", "Bonus 50", "Sprint 57"):
        assert label in told


@pytest.mark.parametrize("size", [Size.WIDE, Size.NARROW])
def test_every_category_has_its_pennant_and_every_terrain_its_letter(size):
    root = parsed(profile(built_in("vetta"), size))

    assert ["".join(flag.itertext()) for flag in by_class(root, "pf-fn")] == ["3", "2", "1"]
    assert ["".join(letter.itertext()) for letter in by_class(root, "pf-bt")] == list("PRMDPRM")


@pytest.mark.parametrize("size", [Size.WIDE, Size.NARROW])
@pytest.mark.parametrize("course_id", BUILT_IN_IDS)
def test_no_words_above_the_land_touch_one_another(course_id, size):
    root = parsed(profile(built_in(course_id), size))

    rows: dict[str, list[float]] = {}
    for label in by_class(root, "pf-tx"):
        rows.setdefault(label.get("y", ""), []).append(float(label.get("x", "")))
    for places in rows.values():
        assert all(b - a > 50 for a, b in zip(sorted(places), sorted(places)[1:], strict=False))


def test_a_flat_stage_is_drawn_to_the_same_scale_with_less_sky():
    flat, high = (parsed(profile(built_in(course))) for course in ("laguna", "vetta"))

    assert box(flat)[3] < box(high)[3]
    assert top_of_land(flat) > top_of_land(high)


def top_of_land(root) -> float:
    """How far under the middle of the ground line the land reaches, as a height: smaller is higher."""
    (land,) = by_class(root, "pf-land")
    ys = [float(corner.split(",")[1]) for corner in land.get("points", "").split()]
    return min(ys) - max(ys)


def test_a_road_known_by_its_numbers_is_flat_and_dotted_and_as_long_as_it_is():
    root = parsed(profile(NUMBERS))

    (road,) = by_class(root, "pf-top")
    heights = {corner.split(",")[1] for corner in road.get("points", "").split()}
    assert len(heights) == 1
    assert road.get("stroke-dasharray")
    assert {"Bonus 20", "Bonus 33", "milestones 31", "46"} <= set(texts(root))


def test_bonus_columns_off_the_road_are_not_drawn():
    root = parsed(profile(Numbers(columns=10, bonus=(0, 5, 10, 99))))

    assert [text for text in texts(root) if text.startswith("Bonus")] == ["Bonus 5"]


@given(sound_plans())
@settings(max_examples=60, deadline=None)
def test_any_course_can_be_drawn(source):
    course = course_from_json(source)

    for size in Size:
        root = parsed(profile(course, size))
        left, _top, width, height = box(root)
        (land,) = by_class(root, "pf-land")
        for corner in land.get("points", "").split():
            x, y = map(float, corner.split(","))
            assert left <= x <= width
            assert 0 <= y <= height


def test_a_hostile_name_is_only_a_name():
    for size in Size:
        root = parsed(profile(built_in("pianura"), size, name=HOSTILE))
        assert "<script>" in root.get("aria-label", "")


def test_a_profile_is_the_same_every_time():
    assert profile(built_in("colli")) == profile(built_in("colli"))
    assert skyline([stage(1)]) == skyline([stage(1)])


def test_figures_stay_figures_in_a_language_with_decimal_commas():
    english = profile(built_in("colli"))

    with override("de"):
        german = profile(built_in("colli"))

    assert [element.attrib.get("d") for element in parsed(german).iter()] == [
        element.attrib.get("d") for element in parsed(english).iter()
    ]


# ---- a Giro ----------------------------------------------------------------------------------------------------------
def giro() -> list[SkylineStage]:
    return [
        stage(1, "pianura", State.PAST, "11"),
        stage(2, "crono", State.PAST, "21"),
        stage(3, "colli", State.PAST, "32"),
        stage(4, "vetta", State.NEXT),
        SkylineStage(number="5", name="Poggio", road=NUMBERS, state=State.AHEAD),
    ]


@pytest.mark.parametrize("size", ["wide", "narrow"])
def test_the_skyline_shows_what_is_ridden_what_is_next_and_what_is_to_come(size):
    root = parsed(skyline(giro(), size))

    assert [len(list(by_class(root, f"pf-{state}"))) for state in State] == [3, 1, 1]
    assert ["".join(bib.itertext()) for bib in by_class(root, "c-bibn")] == ["11", "21", "32"]
    assert "You are here" in texts(root)
    assert root.get("aria-label") == (
        "stage 1 Pianura, won by 11; stage 2 Crono, won by 21; stage 3 Colli, won by 32; "
        "stage 4 Vetta, next; stage 5 Poggio, to come"
    )


def test_only_the_wide_skyline_has_room_for_names():
    assert "4 Vetta" in texts(parsed(skyline(giro(), "wide")))
    assert "4" in texts(parsed(skyline(giro(), "narrow")))


def test_when_all_is_ridden_nobody_is_told_where_he_is():
    ridden = [stage(i, state=State.PAST, winner="11") for i in (1, 2)]

    assert "You are here" not in texts(parsed(skyline(ridden)))


@pytest.mark.parametrize("size", ["wide", "narrow"])
def test_twenty_one_winners_hang_beside_or_over_one_another(size):
    stages = [stage(i, course, State.PAST, str(10 + i)) for i, course in enumerate(GRANDE_GIRO, 1)]

    root = parsed(skyline(stages, size))

    plates = [
        tuple(float(plate.get(side, "")) for side in ("x", "y", "width", "height")) for plate in by_class(root, "c-bib")
    ]
    assert len(plates) == 21
    assert [text for text in texts(root) if text in {str(10 + i) for i in range(1, 22)}]
    left, top, width, _height = box(root)
    for i, (x, y, w, h) in enumerate(plates):
        assert left <= x
        assert x + w <= width
        assert y >= top
        assert all(x >= x2 + w2 or x2 >= x + w or y >= y2 + h2 or y2 >= y + h for x2, y2, w2, h2 in plates[:i])


@pytest.mark.parametrize("size", ["wide", "narrow"])
def test_hostile_stages_are_only_stages(size):
    hostile = SkylineStage(number=HOSTILE, name=HOSTILE, road=built_in("colli"), state=State.PAST, winner=HOSTILE)

    parsed(skyline([hostile, stage(2)], size))


def test_the_last_flag_makes_room_for_the_last_winner():
    ahead = skyline([stage(1, state=State.PAST, winner="11"), stage(2, state=State.NEXT)])
    won = skyline([stage(1, state=State.PAST, winner="11"), stage(2, state=State.PAST, winner="21")])

    assert "pf-chk" in ahead
    assert "pf-chk" not in won
    assert ">21<" in won


def test_a_giro_without_stages_is_an_empty_line():
    parsed_words = skyline([])

    assert parsed_words.startswith("<svg")


def test_a_road_of_unknown_length_takes_its_place_on_the_line():
    assert columns_of(Numbers()) == 40
    parsed(skyline([SkylineStage(number="1", name="?", road=Numbers(), state=State.NEXT), stage(2)]))
