"""Making a race of Breaking Away: what is offered, what it says in words, and what the rules refuse."""

import re
from typing import Any

import pytest
from django.urls import reverse

from races import play
from races.lobby_forms import RaceForm
from races.models import Race, Status
from races.panels.breaking_away_log import line_words
from races.setups.breaking_away import MOST_SEATS, SETUP, BreakingAwayForm, course_words
from rules.breaking_away.course import BUILT_IN, MADISON, Course, course_of, write_course
from rules.breaking_away.game import BREAKING_AWAY
from tests.races.board.drawings import box, by_class, parsed, texts
from tests.races.breaking_away.rides import signed_on

pytestmark = pytest.mark.django_db

CHOSEN = {
    "variant": "standard", "course": "standard-100", "turn_mode": "sequential", "hands": "secret", "end_mode": "immediate",
    "after_finish": "ride_on", "madison_ratings": "free", "madison_distance": "laps",
}  # fmt: skip


def sent(**changes: Any) -> dict[str, Any]:
    """The fields of the form of a new race, three seats of them."""
    own = {f"breaking_away-{name}": value for name, value in (CHOSEN | changes).items()}
    return own | {"title": "", "way": "online", "is_public": "on", "seatA": "me", "seatB": "open", "seatC": "club"}


def form(**changes: Any) -> BreakingAwayForm:
    made = SETUP.form({f"breaking_away-{name}": value for name, value in (CHOSEN | changes).items()})
    assert made.is_valid(), made.errors
    return made


def make(extra: dict[str, Any] | None = None, **changes: Any) -> Any:
    return signed_on("Anna").post(reverse("races:new") + "?game=breaking_away", sent(**changes) | (extra or {}))


def test_who_is_signed_on_opens_a_race_of_teams_and_bots():
    page = signed_on("Anna").get(reverse("races:new") + "?game=breaking_away")
    answer = make()

    race = Race.objects.get()
    assert page.status_code == 200
    assert answer["Location"] == race.get_absolute_url()
    assert (race.game, race.title) == ("breaking_away", "Standard, 100 squares")
    assert [(seat.name, seat.bot) for seat in race.seats.all()] == [("A", ""), ("B", ""), ("C", "club")]
    assert len(race.commitment) == 64
    lobby = signed_on("Anna").get(race.get_absolute_url()).content.decode()
    assert "laps of 40; Sprint 1 at 33" in lobby
    assert "secret (BA-INFO-01)" in lobby


@pytest.mark.parametrize("course", list(BUILT_IN))
def test_every_course_of_the_list_can_be_ridden(course: str):
    made = form(course=course)

    assert made.refusals(3, online=True) == ()
    assert BREAKING_AWAY.setup(made.options(), [{"seat": name} for name in "ABC"]).field.course.id == course


OWN = {
    "id": '<b onload="x"> & 🚴',
    "circuit": None,
    "lines": [
        {"id": "S1", "kind": "sprint", "at": 25, "points": [3, 1]},
        {"id": "F", "kind": "finish", "at": 55, "points": [6, 4, 2]},
    ],
    "finish_quota": 3,
}
"""An open road, called like an attack."""


@pytest.mark.parametrize("course", [*BUILT_IN.values(), MADISON, course_of(OWN)], ids=range(len(BUILT_IN) + 2))
def test_the_lobby_shows_every_course_with_its_lines_and_points(course: Course):
    drawings = SETUP.drawings({"variant": "madison"} if course == MADISON else {"course": write_course(course)})

    assert drawings is not None
    for drawn in map(parsed, drawings):
        squares = {0} | {course.square(line.at) for line in course.lines}
        assert len(list(by_class(drawn, "bd-pintext"))) == len(squares)
        won = [f"{line_words(course, line)} · {line.at}" for line in course.lines]
        assert [text.text for text in by_class(drawn, "bd-infield")] == won
        assert course_words(course) in drawn.attrib["aria-label"]
        left, top, width, height = box(drawn)
        for plate in by_class(drawn, "bd-pin"):
            at, over = float(plate.attrib["x"]), float(plate.attrib["y"])
            assert left <= at <= at + float(plate.attrib["width"]) <= left + width, plate.attrib
            assert top <= over <= over + float(plate.attrib["height"]) <= top + height, plate.attrib
    assert " ".join(map(str, course.finish.points)) in "; ".join(texts(parsed(drawings[0])))


def test_lines_that_laps_bring_to_one_square_share_a_plate():
    drawings = SETUP.drawings({"course": "criterium-125"}), SETUP.drawings({"course": "kermesse-60"})

    plates = [[plate.text for plate in by_class(parsed(drawn[0]), "bd-pintext")] for drawn in drawings if drawn]

    assert plates == [["Finish and 4 more"], ["Sprint 1, Finish"]]


def test_a_race_in_a_list_has_its_road_also_one_whose_course_is_called_like_an_attack():
    for options in ({}, {"course": OWN}):
        small = parsed(SETUP.mini(options))
        assert len(list(by_class(small, "road-finish"))) == 1
        assert small.attrib["role"] == "img"
        assert "Finish at" in small.attrib["aria-label"]


def test_every_option_that_is_chosen_is_an_option_of_the_race_and_told_in_words():
    flags = ("staggered", "break_over_rival", "overcrowding", "allocation_exact", "auto_single")
    made = form(turn_mode="orders", end_mode="complete_turn", after_finish="leave", **dict.fromkeys(flags, "on"))

    options = made.options()

    assert {name: options[name] for name in flags} == dict.fromkeys(flags, True)
    assert (options["turn_mode"], options["end_mode"], options["after_finish"]) == ("orders", "complete_turn", "leave")
    told = dict(SETUP.facts(options))
    assert "orders of everybody" in told["A turn"]
    for rule in ("BA-OPT-01", "BA-OPT-02", "BA-OPT-03", "AMB-01", "BA-END-03", "BA-END-05"):
        assert rule in told["Options"]


@pytest.mark.rule("BA-REF-01", "BA-OPT-04")
@pytest.mark.parametrize(
    ("hands", "online", "told"),
    [("secret", True, {}), ("secret", False, {"hands": "closed"}), ("open", False, {"open_hands": True})],
)
def test_secret_hands_stay_on_paper_at_a_table_and_with_the_engine_on_the_site(
    hands: str, online: bool, told: dict[str, Any]
):
    options = form(hands=hands).options(online=online)

    assert {name: value for name, value in options.items() if name in ("hands", "open_hands")} == told


def test_at_a_table_the_race_is_made_with_closed_hands():
    make({"way": "refereed", "seatB": "open", "seatC": "open", "nameB": "Bo", "nameC": "Cy"})

    assert Race.objects.get().options["hands"] == "closed"


@pytest.mark.rule("BA-SET-01", "BA-CRS-01", "BA-MAD-01")
@pytest.mark.parametrize(
    ("changes", "seats", "says"),
    [
        ({}, {"seatC": ""}, "BA-SET-01"),
        ({"variant": "madison"}, {}, "BA-MAD-01"),
        ({"course": "own", "course_json": ""}, {}, "Write the course here"),
        ({"course": "own", "course_json": "{"}, {}, "This is no JSON."),
        ({"course": "own", "course_json": '{"lines": []}'}, {}, "a list"),
        (
            {"course": "own", "course_json": '{"lines": [{"id": "S", "kind": "sprint", "at": 30, "points": [1]}]}'},
            {},
            "BA-CRS-01",
        ),
        ({"auto_single": "on"}, {"way": "refereed", "seatC": "open"}, "BA-REF-01"),
        ({"course": "nowhere"}, {}, "nowhere is not one of"),
        ({"turn_mode": "dance"}, {}, "dance is not one of"),
    ],
)
def test_what_cannot_be_ridden_comes_back_with_the_reason(changes: dict[str, Any], seats: dict[str, Any], says: str):
    answer = make(seats, **changes)

    assert answer.status_code == 422
    assert says in answer.content.decode()
    assert not Race.objects.exists()


@pytest.mark.rule("BA-MAD-01")
def test_a_small_madison_begins_with_the_ratings():
    make({"seatD": "club"}, variant="madison", madison_small="on")
    race = Race.objects.get()
    race.seats.filter(name="B").update(bot="easy")

    play.start(race, by=race.owner)

    race.refresh_from_db()
    assert race.status == Status.RUNNING
    assert {decision.kind for decision in play.look(race).decisions} == {"rate"}


def test_a_course_is_chosen_by_its_road_and_what_was_chosen_stays_when_the_form_comes_back():
    client = signed_on("Anna")
    address = reverse("races:new") + "?game=breaking_away"
    first = client.get(address).content.decode()
    again = client.post(address, sent(course="criterium-125") | {"seatB": "", "seatC": ""}).content.decode()

    picked = r'name="breaking_away-course" value="([^"]+)" checked'
    assert re.findall(picked, first) == ["standard-100"]
    assert re.findall(picked, again) == ["criterium-125"]
    assert first.count('class="road-mini"') == len(BUILT_IN)
    assert re.search(r'<option value="own">', first) is None


def test_the_form_of_a_new_race_proposes_a_field_that_may_start():
    proposed = RaceForm(None, game="breaking_away", most=MOST_SEATS, bots=form().PROPOSED_BOTS)

    taken = [row.who.value() for row in proposed.rows if row.who.value()]

    assert taken == ["me", "open", "club", "club"]
    assert list(form().refusals(len(taken), online=True)) == []
