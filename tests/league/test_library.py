"""A club's courses: laid out hexagon by hexagon, kept as drafts, offered once they can be ridden."""

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from league import library
from league.courses import course_of
from league.forms.library import Typed
from league.models import ClubCourse, Stage
from races.models import Race
from races.setups import courses_for, setup_of
from rules.giro.course import BUILT_IN_IDS, built_in
from rules.giro.notation import plan_from_json
from tests.conftest import Cast
from tests.evening import Evening
from tests.rules.giro.plans import FLAT, changed

LUNGOMARE = plan_from_json(FLAT)


@pytest.fixture
def bruno(client: Client, cast: Cast) -> Client:
    client.force_login(cast.bruno)
    return client


def fields(typed: Typed, **more: str) -> dict[str, Any]:
    """The editor as a browser posts it."""
    out: dict[str, Any] = {
        "name": typed.name, "kind": typed.kind, "lanes": typed.lanes, "feed": typed.feed, "bonus": typed.bonus,
        "sprint": typed.sprint, "hexes": str(len(typed.hexes)), "cats": str(len(typed.cat)), "seen": "", "paste": "",
    }  # fmt: skip
    for n, hexagon in enumerate(typed.hexes):
        out |= {f"h{n}-milestone": hexagon.milestone, f"h{n}-sections": str(len(hexagon.sections))}
        out[f"h{n}-black"] = hexagon.black
        for m, s in enumerate(hexagon.sections):
            out |= {f"h{n}s{m}-terrain": s.terrain, f"h{n}s{m}-squares": s.squares}
            out |= {f"h{n}s{m}-bend": s.bend, f"h{n}s{m}-dotted": s.dotted}
    for n, token in enumerate(typed.cat):
        out |= {f"c{n}-column": token.column, f"c{n}-category": token.category}
    return {**out, **more}


def keep(cast: Cast, by: User | None = None, **entries: Any) -> ClubCourse:
    """A course in the club's library."""
    typed = Typed.of(plan_from_json(changed(**entries)))
    reading = typed.read("any")
    plan = reading.plan.as_json() if reading.plan and reading.is_sound else None
    layout = library.Layout(name=typed.name, draft=typed.as_json(), plan=plan)
    return library.add(cast.club, by or cast.bruno, layout)


def url(name: str, *more: str) -> str:
    return reverse(name, args=["lanterna", *more])


# ---- what is typed ---------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("ident", BUILT_IN_IDS)
def test_every_course_of_the_site_goes_through_the_editor_and_comes_out_equal(ident: str) -> None:
    plan = built_in(ident).plan

    typed = Typed.stored(json.loads(json.dumps(Typed.of(plan).as_json())))

    assert typed.read(ident).plan == plan
    assert typed.read(ident).notes == {}


def test_bruno_lays_out_a_course_and_it_is_in_the_library(bruno: Client, cast: Cast) -> None:
    answer = bruno.post(url("course_new"), fields(Typed.of(LUNGOMARE), do="save"))

    kept = ClubCourse.objects.get(club=cast.club)
    assert (answer.status_code, answer["Location"]) == (302, url("course", "lungomare"))
    assert kept.plan == FLAT
    assert (kept.by, kept.is_draft) == (cast.bruno, False)


def test_what_cannot_be_read_is_kept_as_a_draft_exactly_as_it_was_typed(bruno: Client, cast: Cast) -> None:
    typed = Typed.of(LUNGOMARE)
    typed.hexes[2].sections[0].squares = "five"
    typed.feed, typed.cat[0].category, typed.sprint = "ten?", "hors catégorie", "twenty"

    bruno.post(url("course_new"), fields(typed, do="save"))

    kept = ClubCourse.objects.get(club=cast.club)
    assert kept.is_draft
    assert Typed.stored(kept.draft) == typed
    body = bruno.get(url("course_edit", kept.slug)).content.decode()
    for text in ("five", "ten?", "hors catégorie", "twenty"):
        assert f'value="{text}"' in body


@pytest.mark.parametrize(
    ("entries", "place", "check", "stops"),
    [
        ({"hexes": ["3: P5", "3: P5"], "cat": {}, "feed": [], "bonus": [], "sprint": 3, "black": []}, "hexes", "V1", True),
        ({"hexes": ["3: P5", "3: P5", "3: P5", "5: M5", "2: D5", "3: P5"]}, "hex-3", "V2", False),
        ({"cat": {}}, "cat", "V3", False),
        ({"feed": [10, 15]}, "feed", "V4", False),
        ({"bonus": [5, 15, 20]}, "bonus", "V5", False),
        ({"sprint": None}, "sprint", "V6", False),
        ({"feed": [30]}, "feed", "V7", True),
        ({"bonus": [30]}, "bonus", "V7", True),
        ({"hexes": ["3: P5", "3: P5", "4: R5", "5: M5", "2: D5", "3: P3<7,3,3>@1 P2"]}, "hex-5", "V8", True),
        ({"hexes": ["3: P5", "-3: P5", "4: R5", "5: M5", "2: D5", "3: P5"]}, "hex-1", "V9", True),
        ({"cat": {"16": 4}}, "cat", "V9", True),
        ({"black": ["5:1:9"]}, "hex-4", "V9", True),
    ],
)  # fmt: skip
def test_a_finding_stands_at_the_field_that_it_is_about(
    entries: dict[str, Any], place: str, check: str, stops: bool
) -> None:
    reading = Typed.of(plan_from_json(changed(**entries))).read("lungomare")

    assert [(note.check, note.stops) for note in reading.notes[place]][:1] == [(check, stops)]
    assert reading.is_sound is not stops


@pytest.mark.parametrize(
    ("entry", "value", "place"),
    [("name", "", "name"), ("kind", "relay", "kind"), ("lanes", "9", "lanes"), ("feed", "x", "feed"),
     ("bonus", "1.5", "bonus"), ("sprint", "-3", "sprint"), ("h1-milestone", "three", "hex-1"),
     ("h2s0-squares", "0", "hex-2"), ("h2s0-bend", "2, 3", "hex-2"), ("h2s0-terrain", "X", "hex-2"),
     ("c0-column", "", "cat"), ("h0-sections", "0", "hex-0")],
)  # fmt: skip
def test_what_cannot_be_read_is_said_at_its_field_and_stays_typed(
    bruno: Client, entry: str, value: str, place: str
) -> None:
    answer = bruno.post(url("course_new"), fields(Typed.of(LUNGOMARE), do="check") | {entry: value})

    assert answer.context["reading"].notes[place]
    assert not answer.context["reading"].is_sound
    assert not ClubCourse.objects.exists()


def test_black_squares_move_with_their_hexagon(bruno: Client) -> None:
    answer = bruno.post(url("course_new"), fields(Typed.of(LUNGOMARE), do="hex-up:4"))

    typed = answer.context["typed"]
    assert [hexagon.black for hexagon in typed.hexes] == [[], [], [], ["1:2"], [], []]


@pytest.mark.parametrize(
    ("button", "hexagons"),
    [
        ("hex-add", ["P5", "R5", "P2 P3", "P5"]),
        ("hex-copy:1", ["P5", "R5", "R5", "P2 P3"]),
        ("hex-remove:0", ["R5", "P2 P3"]),
        ("hex-up:2", ["P5", "P2 P3", "R5"]),
        ("hex-down:0", ["R5", "P5", "P2 P3"]),
        ("hex-up:0", ["P5", "R5", "P2 P3"]),
        ("hex-down:2", ["P5", "R5", "P2 P3"]),
        ("section-add:1", ["P5", "R5 P", "P2 P3"]),
        ("section-remove:2.0", ["P5", "R5", "P3"]),
        ("section-down:2.0", ["P5", "R5", "P3 P2"]),
        ("section-up:2.1", ["P5", "R5", "P3 P2"]),
        ("hex-remove:7", ["P5", "R5", "P2 P3"]),
        ("section-remove:2.9", ["P5", "R5", "P2 P3"]),
        ("hex-remove:x", ["P5", "R5", "P2 P3"]),
        ("drop table", ["P5", "R5", "P2 P3"]),
    ],
)
def test_the_buttons_rearrange_what_is_typed(button: str, hexagons: list[str]) -> None:
    typed = Typed.of(plan_from_json(changed(hexes=["3: P5", "4: R5", "4: P2 P3"])))

    typed.press(button)

    assert [" ".join(f"{s.terrain}{s.squares}" for s in h.sections) for h in typed.hexes] == hexagons


def test_the_notation_is_read_into_the_editor_and_a_bad_one_stays_in_its_box(bruno: Client) -> None:
    good = bruno.post(url("course_new"), fields(Typed.blank(), do="read", paste=json.dumps(FLAT)))
    bad = bruno.post(url("course_new"), fields(Typed.of(LUNGOMARE), do="read", paste='{"id": 3'))

    assert good.context["typed"] == Typed.of(LUNGOMARE)
    assert (bad.status_code, bad.context["paste"]) == (422, '{"id": 3')
    assert bad.context["typed"].name == "Lungomare"


@pytest.mark.parametrize(
    "entries",
    [{"hexes": ["3: P5"] * 25}, {"cat": {str(n): 1 for n in range(1, 14)}}, {"feed": list(range(1, 99))}, {"black": ["1:0:60"]}],
)  # fmt: skip
def test_what_does_not_fit_into_the_editor_is_refused_rather_than_cut(bruno: Client, entries: dict[str, Any]) -> None:
    text = json.dumps(changed(**entries))

    answer = bruno.post(url("course_new"), fields(Typed.of(LUNGOMARE), do="read", paste=text))

    assert (answer.status_code, answer.context["paste"]) == (422, text)
    assert answer.context["typed"] == Typed.of(LUNGOMARE)


def test_who_saves_over_a_newer_version_is_asked_first(bruno: Client, cast: Cast) -> None:
    kept = keep(cast)
    typed = Typed.of(LUNGOMARE)
    bruno.post(url("course_edit", kept.slug), fields(typed, do="save", seen="1", name="Lungomare di sera"))

    late = bruno.post(url("course_edit", kept.slug), fields(typed, do="save", seen="1", name="Another"))

    kept.refresh_from_db()
    assert (late.status_code, kept.name, kept.version) == (409, "Lungomare di sera", 2)
    assert late.context["typed"].name == "Another"
    again = bruno.post(
        url("course_edit", kept.slug), fields(typed, do="save", seen=str(late.context["seen"]), name="Another")
    )
    kept.refresh_from_db()
    assert (again.status_code, kept.name, kept.slug) == (302, "Another", "lungomare")


def test_two_courses_of_one_name_have_two_addresses(cast: Cast) -> None:
    assert [keep(cast).slug, keep(cast).slug, keep(cast, name="New").slug] == ["lungomare", "lungomare-2", "new-2"]


def test_htmx_gets_the_form_alone_and_the_preview_alone(bruno: Client) -> None:
    data = fields(Typed.of(LUNGOMARE))
    form = bruno.post(url("course_new"), data | {"do": "hex-add"}, headers={"HX-Request": "true"}).content.decode()
    preview = bruno.post(url("course_new"), data | {"do": "preview", "feed": "30"}, headers={"HX-Request": "true"})

    assert form.lstrip().startswith("<form")
    body = preview.content.decode()
    assert body.lstrip().startswith("<section")
    assert "<form" not in body
    assert 'id="says-feed" hx-swap-oob="true"' in body
    assert "V7" in body


# ---- what is offered -------------------------------------------------------------------------------------------------
def stage_fields(**more: str) -> dict[str, str]:
    return {
        "number": "6", "name": "Lungomare", "day": "2026-04-20", "time": "19:30", "place": "", "kind": "road",
        "way": "paper", "course": "club:lungomare", "course_json": "", "milestones": "", "columns": "",
        "bonus_columns": "", "feed_lines": "", **more,
    }  # fmt: skip


def test_a_stage_keeps_the_plan_as_it_was_when_it_was_chosen(client: Client, evening: Evening, cast: Cast) -> None:
    client.force_login(cast.anna)
    kept = keep(cast)
    answer = client.post(evening.campaign.url("stage_new"), stage_fields())
    assert answer.status_code == 302, answer.context["form"].errors
    client.post(url("course_edit", kept.slug), fields(Typed.blank(), name="Flat", do="save", seen="1"))

    stage = Stage.objects.get(campaign=evening.campaign, number="6")
    road = course_of(stage)
    assert stage.course_json == FLAT
    assert road is not None
    assert road.columns == 30
    kept.refresh_from_db()
    assert kept.plan is not None
    assert len(kept.plan["hexes"]) == 3


def test_a_course_of_another_kind_is_refused_where_it_was_chosen(client: Client, evening: Evening, cast: Cast) -> None:
    client.force_login(cast.anna)
    keep(cast)

    answer = client.post(evening.campaign.url("stage_new"), stage_fields(kind="itt"))

    assert answer.status_code == 422
    assert "course" in answer.context["form"].errors


def test_drafts_and_courses_put_away_are_not_offered(client: Client, evening: Evening, cast: Cast) -> None:
    client.force_login(cast.anna)
    keep(cast, name="Draft", feed=[30])
    away = keep(cast, name="Away")
    client.post(url("course_archive", away.slug), {"away": "yes"})
    keep(cast, name="Unusual", cat={})

    form = client.get(evening.campaign.url("stage_new")).context["form"]

    assert list(form.own) == ["club:unusual"]


def race_fields(course: str) -> dict[str, str]:
    return {
        "title": "", "way": "online", "is_public": "on", "seats-0": "me",
        "giro-course": course, "giro-course_json": "", "giro-riders": "1", "giro-cards": "none",
        "giro-time_limit": "5", "giro-clock": "derived",
    }  # fmt: skip


def test_a_friendly_offers_the_courses_of_ones_clubs_and_of_no_other(client: Client, cast: Cast) -> None:
    keep(cast)
    page = reverse("races:new")
    client.force_login(cast.carla)
    carla = client.get(page)
    client.force_login(cast.dino)
    dino = client.get(page)

    assert list(carla.context["setup"].offered) == ["offered:lanterna.lungomare"]
    assert 'value="offered:lanterna.lungomare"' in carla.content.decode()
    assert not dino.context["setup"].offered


def test_a_friendly_on_a_course_of_the_club_is_made_from_its_page(client: Client, cast: Cast) -> None:
    keep(cast)
    client.force_login(cast.carla)
    page = reverse("races:new")
    form = client.get(page).context["form"]
    seats = {bound.html_name: bound.value() or "" for bound in form}

    answer = client.post(page, {**seats, **race_fields("offered:lanterna.lungomare")})

    assert answer.status_code == 302, (answer.context["form"].errors, answer.context["setup"].errors)
    assert Race.objects.get().options["course"] == FLAT


def test_a_course_of_a_foreign_club_is_no_choice(client: Client, cast: Cast) -> None:
    keep(cast)
    client.force_login(cast.dino)

    answer = client.post(reverse("races:new"), race_fields("offered:lanterna.lungomare"))

    assert answer.status_code == 422
    assert "course" in answer.context["setup"].errors


def test_a_friendly_takes_a_copy_of_the_clubs_course(cast: Cast) -> None:
    keep(cast)
    form = setup_of("giro").form(race_fields("offered:lanterna.lungomare"), offered=courses_for("giro", cast.carla))

    assert form.is_valid(), form.errors
    assert form.options()["course"] == FLAT
    assert form.title() == "Lungomare"


def test_what_is_unusual_at_a_table_is_refused_on_the_site(cast: Cast) -> None:
    keep(cast, cat={})
    form = setup_of("giro").form(race_fields("offered:lanterna.lungomare"), offered=courses_for("giro", cast.carla))

    assert form.is_valid()
    assert form.refusals(2, online=False) == []
    assert [(r.field, "V3" in r.text) for r in form.refusals(2, online=True)] == [("course", True)]


# ---- who -------------------------------------------------------------------------------------------------------------
def test_members_look_and_only_commissaires_change(client: Client, cast: Cast) -> None:
    kept = keep(cast)
    client.force_login(cast.carla)
    body = client.get(url("courses")).content.decode()

    assert "Lungomare" in body
    assert url("course_new") not in body
    assert client.get(url("course", kept.slug)).status_code == 200
    assert client.post(url("course_edit", kept.slug), fields(Typed.blank(), do="save", seen="1")).status_code == 403


def test_a_course_put_away_is_offered_again(bruno: Client, cast: Cast) -> None:
    kept = keep(cast)
    bruno.post(url("course_archive", kept.slug), {"away": "yes"})
    away = ClubCourse.objects.get(pk=kept.pk)
    bruno.post(url("course_archive", kept.slug), {"away": "no"})

    assert away.archived_at is not None
    assert away.archived_at <= timezone.now()
    assert library.usable(cast.club) == [kept]


def test_a_full_library_asks_no_more_than_one_with_one_course(bruno: Client, cast: Cast) -> None:
    def asked() -> list[int]:
        out = []
        for page in (url("courses"), reverse("races:new")):
            with CaptureQueriesContext(connection) as queries:
                assert bruno.get(page).status_code == 200
            out.append(len(queries))
        return out

    keep(cast)
    one = asked()
    for n in range(29):
        keep(cast, name=f"Course {n}")

    assert asked() == one
