"""Stages: their evening by the club's clock, their road, their order; and what a published result holds fast."""

import json
from datetime import UTC, date, datetime, time
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.utils.html import escape

from league import stages
from league.campaigns import Faulty
from league.courses import BUILT_IN_IDS, course_groups, course_of, facts_of
from league.errors import Late, Refused
from league.forms.campaigns import initial_of
from league.models import Campaign, DraftCell, Ruling, Stage
from league.results import sheet_of
from league.stages import StagePlan, change_stage, evening, move_stage, new_stage, remove_stage
from rules.giro.course import built_in
from tests import factories as make
from tests.conftest import Cast
from tests.evening import Evening
from tests.rules.giro.plans import FLAT, changed

MARCH_19 = datetime(2026, 3, 19, 18, 30, tzinfo=UTC)
ROME = ZoneInfo("Europe/Rome")


@pytest.fixture
def anna(client: Client, cast: Cast) -> Client:
    client.force_login(cast.anna)
    return client


@pytest.fixture
def empty(evening: Evening) -> Campaign:
    return make.CampaignFactory(season=evening.season, name="Giro d'Estate", slug="estate")


def plan(**more: object) -> StagePlan:
    usual: dict[str, object] = {"number": "1", "name": "Pianura", "starts_at": MARCH_19, "kind": "road"}
    if not {"course", "course_json", "columns"} & more.keys():
        usual["course"] = "pianura"
    return StagePlan(**{**usual, **more})  # type: ignore[arg-type]


def plan_of(stage: Stage, **more: object) -> StagePlan:
    """The stage as it is, but for `more`."""
    names = StagePlan.__dataclass_fields__
    return StagePlan(**{**{name: getattr(stage, name) for name in names}, **more})


def typed(**more: str) -> dict[str, str]:
    return {
        "number": "1", "name": "Pianura", "day": "2026-03-19", "time": "19:30", "place": "Clubroom, table 2", "kind": "road",
        "way": "paper", "course": "pianura", "course_json": "", "milestones": "", "columns": "", "bonus_columns": "",
        "feed_lines": "", **more,
    }  # fmt: skip


def faults_of(campaign: Campaign, wanted: StagePlan) -> list[str]:
    with pytest.raises(Faulty) as raised:
        new_stage(campaign, wanted)
    return [fault.field for fault in raised.value.faults]


def order(campaign: Campaign) -> list[tuple[str, int]]:
    return list(campaign.stages.order_by("order").values_list("number", "order"))


# ---- a new stage -----------------------------------------------------------------------------------------------------
def test_anna_adds_a_stage_and_the_evening_is_that_of_the_clubs_clock(anna: Client, empty: Campaign) -> None:
    answer = anna.post(empty.url("stage_new"), typed())

    stage = empty.stages.get()
    assert answer.status_code == 302
    assert (stage.number, stage.order, stage.place, stage.course) == ("1", 1, "Clubroom, table 2", "pianura")
    assert stage.starts_at == MARCH_19


def test_the_next_number_and_evening_are_proposed(anna: Client, evening: Evening) -> None:
    form = anna.get(evening.campaign.url("stage_new")).context["form"]

    assert form["number"].value() == "6"
    assert form["day"].value() == date(2026, 4, 16)  # a fortnight after the last, like that one


@pytest.mark.parametrize("number", ["2a", "1", "999", "10b"])
def test_a_stage_number_is_text(empty: Campaign, number: str) -> None:
    assert new_stage(empty, plan(number=number)).number == number


@pytest.mark.parametrize("number", ["", "a", "2A", "2ab", "1000", "-1", "2 a", "²", "٣", "new"])
def test_what_is_no_stage_number_is_refused(anna: Client, empty: Campaign, number: str) -> None:
    answer = anna.post(empty.url("stage_new"), typed(number=number))

    assert answer.status_code == 422
    assert answer.context["form"].errors["number"]
    assert answer.context["form"]["name"].value() == "Pianura"


def test_split_stages_keep_their_order_whatever_their_numbers_say(empty: Campaign) -> None:
    for number in ("1", "2a", "2b", "10"):
        new_stage(empty, plan(number=number))

    assert order(empty) == [("1", 1), ("2a", 2), ("2b", 3), ("10", 4)]


def test_a_number_is_given_once_in_a_campaign(evening: Evening, empty: Campaign) -> None:
    assert faults_of(evening.campaign, plan(number="3")) == ["number"]
    assert new_stage(empty, plan(number="3")).pk


def test_an_evening_outside_the_season_is_refused(empty: Campaign) -> None:
    assert faults_of(empty, plan(starts_at=datetime(2062, 3, 19, 18, tzinfo=UTC))) == ["day"]


# ---- clocks ----------------------------------------------------------------------------------------------------------
def test_the_club_night_stays_at_its_hour_when_the_clocks_change() -> None:
    amsterdam = ZoneInfo("Europe/Amsterdam")

    assert evening(date(2026, 3, 26), time(20), amsterdam) == datetime(2026, 3, 26, 19, tzinfo=UTC)
    assert evening(date(2026, 4, 2), time(20), amsterdam) == datetime(2026, 4, 2, 18, tzinfo=UTC)


@pytest.mark.parametrize(
    ("zone", "day", "at"),
    [("Europe/Berlin", date(2026, 3, 29), time(2, 30)), ("Australia/Lord_Howe", date(2026, 10, 4), time(2, 15))],
)
def test_an_hour_that_the_clocks_skip_is_refused(zone: str, day: date, at: time) -> None:
    with pytest.raises(Refused, match="go forward"):
        evening(day, at, ZoneInfo(zone))


@pytest.mark.parametrize(
    ("zone", "day", "at", "first"),
    [
        ("Europe/Berlin", date(2026, 10, 25), time(2, 30), datetime(2026, 10, 25, 0, 30, tzinfo=UTC)),
        ("Australia/Lord_Howe", date(2026, 4, 5), time(1, 45), datetime(2026, 4, 4, 14, 45, tzinfo=UTC)),
    ],
)
def test_of_an_hour_that_comes_twice_the_first_is_meant(zone: str, day: date, at: time, first: datetime) -> None:
    assert evening(day, at, ZoneInfo(zone)) == first


def test_the_form_says_that_the_clocks_skip_the_hour(anna: Client, empty: Campaign) -> None:
    answer = anna.post(empty.url("stage_new"), typed(day="2026-03-29", time="02:30"))

    assert answer.status_code == 422
    assert "skip 02:30" in answer.context["form"].errors["time"][0]


@pytest.mark.parametrize(
    ("field", "text"),
    [("day", "0001-01-01"), ("day", "9999-12-31"), ("day", "soon"), ("day", "2026-02-30"), ("time", "25:00"), ("time", "late"),
     ("kind", "cross"), ("way", "by post"), ("course", "alpe"), ("name", ""), ("name", "\u200b"), ("name", "x" * 81),
     ("place", "x" * 121), ("place", "a\x00b")],
)  # fmt: skip
def test_nonsense_in_a_field_is_refused_there(anna: Client, empty: Campaign, field: str, text: str) -> None:
    answer = anna.post(empty.url("stage_new"), typed(**{field: text}))

    assert answer.status_code == 422
    assert field in answer.context["form"].errors or ("day" in answer.context["form"].errors and field == "time")
    assert not empty.stages.exists()


# ---- the road --------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("kind", "course", "fits"),
    [("road", "colli", True), ("itt", "crono", True), ("ttt", "laguna", True), ("road", "crono", False),
     ("itt", "laguna", False), ("ttt", "vetta", False)],
)  # fmt: skip
def test_a_built_in_course_fits_the_kind_of_its_stage(empty: Campaign, kind: str, course: str, fits: bool) -> None:
    wanted = plan(kind=kind, course=course)
    if fits:
        assert new_stage(empty, wanted).course == course
    else:
        assert faults_of(empty, wanted) == ["course"]


def test_every_course_of_the_site_stands_once_in_the_list_and_once_among_the_pictures(
    anna: Client, empty: Campaign
) -> None:
    answer = anna.get(empty.url("stage_new"))

    *groups, (_, others) = answer.context["form"].fields["course"].choices
    assert [course for _, courses in groups for course, _ in courses] == list(BUILT_IN_IDS)
    assert [value for value, _ in others] == ["notation", "numbers"]
    page = answer.content.decode()
    assert [page.count(f"<b>{escape(built_in(course).name)}</b>") for course in BUILT_IN_IDS] == [1] * len(BUILT_IN_IDS)


def test_courses_are_grouped_by_what_a_stage_of_that_kind_may_ride() -> None:
    groups = course_groups()

    assert [group.label for group in groups] == [
        "Road stage, flat or rolling",
        "Road stage over mountains",
        "Road stage with a mountain arrival",
        "Individual time trial",
        "Team time trial",
    ]
    assert all(course.kind == group.kind for group in groups for course in group.courses)
    found = {course.id: group.label for group in groups for course in group.courses}
    assert found["mulini"] == "Road stage, flat or rolling"
    assert found["colli"] == "Road stage over mountains"
    assert found["vetta"] == "Road stage with a mountain arrival"
    assert found["funivia"] == "Individual time trial"  # though it ends on a mountain


def test_a_course_in_the_notation_is_pasted_and_ridden(anna: Client, empty: Campaign) -> None:
    anna.post(empty.url("stage_new"), typed(course="notation", course_json=json.dumps(FLAT)))

    stage = empty.stages.get()
    course = course_of(stage)
    assert course is not None
    assert (course.name, facts_of(stage).columns, facts_of(stage).bonus) == ("Lungomare", 30, (20,))


@pytest.mark.parametrize(
    ("course", "said"),
    [
        (changed(hexes=["3: P5"]), "V1"),
        (changed(feed=[31]), "V7"),
        (changed(hexes=["3: P5", "3: P5", "4: P3<2,3,8>@0", "5: M5", "2: D5", "3: P5"]), "V8"),
        (changed(black=["9:0:0"]), "V9"),
        (changed(kind="itt", feed=[], bonus=[]), "Change the one or the other"),
        (changed(hexes=["3: X5"]), "no section"),
    ],
)
def test_a_course_that_nobody_could_ride_is_refused_with_the_check(
    anna: Client, empty: Campaign, course: dict[str, object], said: str
) -> None:
    text = json.dumps(course)

    answer = anna.post(empty.url("stage_new"), typed(course="notation", course_json=text))

    assert answer.status_code == 422
    assert any(said in error for error in answer.context["form"].errors["course_json"])
    assert answer.context["form"]["course_json"].value() == text


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '"x"', "1" * 30_000, "[" * 9_000, '{"id": "\\ud800"}', "NaN"])
def test_what_is_no_course_is_refused(anna: Client, empty: Campaign, text: str) -> None:
    answer = anna.post(empty.url("stage_new"), typed(course="notation", course_json=text))

    assert answer.status_code == 422
    assert answer.context["form"].errors["course_json"]


def test_an_unusual_course_is_taken_and_told_about(anna: Client, empty: Campaign) -> None:
    steep = changed(hexes=["3: P5", "3: P5", "3: P5", "5: M5", "2: D5", "3: P5"])

    answer = anna.post(empty.url("stage_new"), typed(course="notation", course_json=json.dumps(steep)), follow=True)

    stage = empty.stages.get()
    assert stages.warnings_of(stage) == ["The mountain at 16 has no rise before it. (V2)"]
    assert "no rise before it. (V2)" in answer.content.decode()
    assert "(V2)" in anna.get(empty.url("stage_edit", "1")).content.decode()


def test_online_every_check_refuses(empty: Campaign) -> None:
    steep = changed(hexes=["3: P5", "3: P5", "3: P5", "5: M5", "2: D5", "3: P5"])

    assert faults_of(empty, plan(course_json=steep, way="online")) == ["course_json"]


@pytest.mark.rule("GI-D3-01")
def test_a_time_trial_has_neither_bonus_nor_feed(empty: Campaign) -> None:
    pasted = changed(kind="itt")
    assert faults_of(empty, plan(kind="itt", course_json=pasted)) == ["course_json", "course_json"]

    numbers = plan(kind="ttt", milestones=19, columns=30, bonus_columns=[20], feed_lines=1)
    assert faults_of(empty, numbers) == ["bonus_columns", "feed_lines"]


def test_a_course_that_only_the_table_knows_is_told_by_its_numbers(anna: Client, empty: Campaign) -> None:
    numbers = {"milestones": "37", "columns": "50", "bonus_columns": "35, 20", "feed_lines": "1"}

    anna.post(empty.url("stage_new"), typed(course="numbers", **numbers))

    facts = facts_of(empty.stages.get())
    assert (facts.milestones, facts.columns, facts.bonus, facts.feed) == (37, 50, (20, 35), 1)
    assert facts.fewest_steps is None


@pytest.mark.parametrize(
    ("field", "text"),
    [("milestones", ""), ("milestones", "0"), ("milestones", "many"), ("columns", ""), ("columns", "401"), ("columns", "-5"),
     ("bonus_columns", "20, 30, 40"), ("bonus_columns", "20, 20"), ("bonus_columns", "50"), ("bonus_columns", "0"),
     ("bonus_columns", "x"), ("bonus_columns", "9" * 99), ("feed_lines", "4"), ("feed_lines", "1.5")],
)  # fmt: skip
def test_numbers_that_cannot_be_are_refused(anna: Client, empty: Campaign, field: str, text: str) -> None:
    numbers = {"milestones": "37", "columns": "50", "bonus_columns": "20", "feed_lines": "1", field: text}

    answer = anna.post(empty.url("stage_new"), typed(course="numbers", **numbers))

    assert answer.status_code == 422
    assert list(answer.context["form"].errors) == [field]


def test_what_belongs_to_another_way_of_telling_the_course_does_not_count(anna: Client, empty: Campaign) -> None:
    answer = anna.post(empty.url("stage_new"), typed(course="pianura", course_json="{ half typed", columns="many"))

    stage = empty.stages.get()
    assert answer.status_code == 302
    assert (stage.course, stage.course_json, stage.columns) == ("pianura", None, None)


# ---- changing --------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("more", "sequence"),
    [
        ({"starts_at": datetime(2026, 3, 20, 18, 30, tzinfo=UTC)}, 1),
        ({"place": "Bar Sport"}, 1),
        ({"name": "The Summit"}, 0),
        ({}, 0),
    ],
)
def test_calendars_are_told_when_evening_or_place_move(
    evening: Evening, more: dict[str, object], sequence: int
) -> None:
    stage = evening.stages["4"]

    change_stage(stage, plan_of(stage, **more))

    now = Stage.objects.get(pk=stage.pk)
    assert now.calendar_sequence == sequence
    assert (now.changed_at > stage.changed_at) == bool(more)


def test_a_form_that_is_saved_as_it_opened_changes_nothing(anna: Client, evening: Evening) -> None:
    stage, before = evening.stages["4"], Campaign.objects.get(pk=evening.campaign.pk).revision
    form = anna.get(evening.campaign.url("stage_edit", "4")).context["form"]
    post = {name: form[name].value() for name in form.fields}

    answer = anna.post(
        evening.campaign.url("stage_edit", "4"), {name: "" if value is None else value for name, value in post.items()}
    )

    assert answer.status_code == 302
    assert Stage.objects.get(pk=stage.pk).changed_at == stage.changed_at
    assert Campaign.objects.get(pk=evening.campaign.pk).revision == before


@pytest.mark.rule("E12")
def test_a_published_result_holds_number_kind_and_course_fast(anna: Client, evening: Evening) -> None:
    evening.ride("1")
    stage = evening.stages["1"]
    with pytest.raises(Faulty, match="correct it by a ruling"):
        change_stage(stage, plan_of(stage, course="colli"), sure=True)
    with pytest.raises(Faulty, match="address of a published result"):
        change_stage(stage, plan_of(stage, number="9"), sure=True)

    post = {k: "" if v is None else str(v) for k, v in initial_of(stage).items()} | {"kind": "itt", "course": "crono"}
    answer = anna.post(evening.campaign.url("stage_edit", "1"), post)

    assert answer.status_code == 422
    assert "correct it by a ruling" in answer.content.decode()
    assert Stage.objects.get(pk=stage.pk).course == "pianura"


def test_name_evening_and_place_of_a_published_stage_may_be_mended(anna: Client, evening: Evening) -> None:
    evening.ride("1")
    stage = evening.stages["1"]
    post = {k: "" if v is None else str(v) for k, v in initial_of(stage).items()}
    post |= {"name": "The Long Plain", "place": "Bar Sport", "day": "2026-02-06"}

    assert anna.post(evening.campaign.url("stage_edit", "1"), post).status_code == 302

    now = Stage.objects.get(pk=stage.pk)
    assert (now.name, now.place, now.calendar_sequence) == ("The Long Plain", "Bar Sport", 1)


def test_another_road_under_a_sheet_that_is_being_typed_asks_and_empties_what_was_of_the_old_road(
    anna: Client, evening: Evening
) -> None:
    venn = evening.riders["C"].pk
    evening.type("3", {f"turn-{venn}": "14", f"place-{venn}": "1", "bonus-2": str(venn), "peloton": "16"})
    stage = evening.stages["3"]
    post = {k: "" if v is None else str(v) for k, v in initial_of(stage).items()} | {"course": "pianura"}

    asked = anna.post(evening.campaign.url("stage_edit", "3"), post)

    assert asked.status_code == 422
    assert Stage.objects.get(pk=stage.pk).course == "colli"

    anna.post(evening.campaign.url("stage_edit", "3"), post | {"sure": "on"})

    assert Stage.objects.get(pk=stage.pk).course == "pianura"
    cells = DraftCell.objects.filter(sheet=sheet_of(stage)).values_list("key", flat=True)
    assert list(cells) == [f"turn-{venn}"]


# ---- order and removal -----------------------------------------------------------------------------------------------
def test_a_stage_changes_places_with_its_neighbour(anna: Client, evening: Evening) -> None:
    anna.post(evening.campaign.url("stage_move", "4"), {"move": "up"})
    assert order(evening.campaign) == [("1", 1), ("2", 2), ("4", 3), ("3", 4), ("5", 5)]

    anna.post(evening.campaign.url("stage_move", "4"), {"move": "down"})
    anna.post(evening.campaign.url("stage_move", "5"), {"move": "down"})  # the last one: nowhere to go
    assert order(evening.campaign) == [("1", 1), ("2", 2), ("3", 3), ("4", 4), ("5", 5)]


@pytest.mark.parametrize(("number", "up"), [("1", False), ("2", True), ("1", True)])
def test_a_published_stage_keeps_its_place_in_the_order(evening: Evening, number: str, up: bool) -> None:
    evening.ride("1")

    if (number, up) == ("1", True):
        assert move_stage(evening.stages["1"], up=True) is False
    else:
        with pytest.raises(Refused, match="its place in the order stays"):
            move_stage(evening.stages[number], up=up)
    assert order(evening.campaign)[:2] == [("1", 1), ("2", 2)]


@pytest.mark.parametrize("move", ["", "sideways", "UP"])
def test_any_other_direction_is_refused(anna: Client, evening: Evening, move: str) -> None:
    assert anna.post(evening.campaign.url("stage_move", "4"), {"move": move}).status_code == 409


@pytest.mark.rule("E12")
def test_a_stage_is_removed_and_the_others_close_the_gap(anna: Client, evening: Evening) -> None:
    anna.post(evening.campaign.url("stage_remove", "2"))

    assert order(evening.campaign) == [("1", 1), ("3", 2), ("4", 3), ("5", 4)]


def test_a_stage_with_a_published_result_stays(anna: Client, evening: Evening) -> None:
    evening.ride("1")

    assert anna.post(evening.campaign.url("stage_remove", "1"), {"sure": "on"}).status_code == 409
    assert evening.campaign.stages.count() == 5


def test_a_stage_that_the_jury_has_ruled_on_stays(evening: Evening) -> None:
    stage = evening.stages["2"]
    Ruling.objects.create(
        campaign=evening.campaign,
        stage=stage,
        number=1,
        kind="penalty",
        rider=evening.riders["A"],
        amount=1,
        reason="late",
    )

    with pytest.raises(Refused, match="rulings are never deleted"):
        remove_stage(stage, sure=True)


def test_what_is_typed_on_a_sheet_is_not_lost_without_asking(anna: Client, evening: Evening) -> None:
    evening.type("2", {f"turn-{evening.riders['A'].pk}": "12"})

    asked = anna.post(evening.campaign.url("stage_remove", "2"))

    assert asked.status_code == 422
    assert "would be lost" in asked.content.decode()
    assert evening.campaign.stages.count() == 5
    assert anna.post(evening.campaign.url("stage_remove", "2"), {"sure": "on"}).status_code == 302
    assert evening.campaign.stages.count() == 4


def test_a_stage_that_somebody_else_removed_is_told_about(evening: Evening) -> None:
    stage = evening.stages["5"]
    Stage.objects.filter(pk=stage.pk).delete()

    with pytest.raises(Late):
        change_stage(stage, plan_of(stage, name="Too late"))
