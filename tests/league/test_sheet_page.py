"""The page of a result sheet: who may open it, what it says at which cell, and a whole Giro typed without JavaScript."""

import json

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from league import results
from league.classification.giro import GcState
from league.loading import load
from league.models import BonusSprint, DraftCell, Result, SheetVersion, Standing
from league.recount import count
from tests import factories as make
from tests.conftest import Cast
from tests.evening import Evening
from tests.league.paper import Paper

HTMX = {"HX-Request": "true"}


def sheet_url(evening: Evening, number: str) -> str:
    return evening.campaign.url("sheet", number)


@pytest.fixture
def anna(cast: Cast, client: Client) -> Client:
    client.force_login(cast.anna)
    return client


@pytest.fixture
def bruno(cast: Cast) -> Client:
    client = Client()
    client.force_login(cast.bruno)
    return client


class TestWhoMayOpenIt:
    @pytest.mark.parametrize(
        ("who", "status"), [(None, 302), ("dino", 404), ("carla", 403), ("bruno", 200), ("anna", 200)]
    )
    @pytest.mark.parametrize("method", ["get", "post"])
    def test_only_those_who_enter_results_open_a_sheet(self, evening, cast, client, who, status, method):
        if who:
            client.force_login(getattr(cast, who))

        response = getattr(client, method)(sheet_url(evening, "1"))

        assert response.status_code == (302 if status == 200 and method == "post" else status)
        if who is None:
            assert "/accounts/login/" in response["Location"]

    @pytest.mark.parametrize(("who", "status"), [(None, 302), ("dino", 404), ("carla", 403)])
    def test_nobody_else_publishes(self, evening, cast, client, who, status):
        evening.type("1")
        if who:
            client.force_login(getattr(cast, who))

        assert client.post(evening.campaign.url("sheet_publish", "1")).status_code == status
        assert not SheetVersion.objects.exists()

    def test_a_member_sees_nothing_of_a_draft_on_the_stage_page(self, evening, cast, client):
        evening.type("1", {f"turn-{evening.riders['A'].pk}": "1977"})
        client.force_login(cast.carla)

        assert "1977" not in client.get(evening.stages["1"].get_absolute_url()).content.decode()

    def test_an_archived_season_keeps_its_sheets_as_they_are(self, evening, anna):
        evening.season.archived_at = timezone.now()
        evening.season.save()

        response = anna.post(sheet_url(evening, "1"), {f"turn-{evening.riders['A'].pk}": "12"})

        assert response.status_code == 409
        assert not DraftCell.objects.exists()

    def test_it_is_never_kept_by_a_browser(self, evening, anna):
        response = anna.get(sheet_url(evening, "1"))

        assert "no-store" in response["Cache-Control"]
        assert "HX-Request" in response["Vary"]


class TestThePage:
    def test_riders_stand_by_place_as_typed_and_the_others_by_bib(self, evening, anna):
        places = {f"place-{evening.riders[letter].pk}": place for letter, place in (("F", "1"), ("E", "2"), ("A", "x"))}
        evening.type("1", places)

        runs = anna.get(sheet_url(evening, "1")).context["panel"].runs

        assert [run.line.rider.bib for run in runs] == [22, 32, 11, 12, 21, 31]

    def test_the_part_for_htmx_is_the_panel_alone(self, evening, anna):
        response = anna.get(sheet_url(evening, "1"), headers=HTMX)

        assert response.content.decode().lstrip().startswith('<div id="sheet"')
        assert [t.name for t in response.templates][0] == "league/_sheet.html"

    def test_every_field_says_what_it_is_based_on(self, evening, anna):
        evening.type("1")
        form = Paper(anna, sheet_url(evening, "1")).open().form

        cells = {k: v for k, v in form.fields.items() if not k.startswith(("was-", "csrf"))}
        assert {f"was-{k}": v for k, v in cells.items()}.items() <= form.fields.items()
        assert evening.cells("1").items() <= cells.items()

    def test_a_wrong_cell_says_why_at_the_cell(self, evening, anna):
        turn = f"turn-{evening.riders['C'].pk}"
        evening.type("1", evening.cells("1") | {turn: "soon"})

        paper = Paper(anna, sheet_url(evening, "1")).open()

        assert paper.cell(turn) == "soon"
        assert paper.form.marks[turn]["aria-invalid"] == "true"
        assert paper.form.marks[turn]["aria-describedby"] == f"n-{turn}"
        assert "“soon” is not a number" in paper.text
        assert "1 refused" in paper.text

    def test_a_blank_sheet_accuses_nobody(self, evening, anna):
        paper = Paper(anna, sheet_url(evening, "1")).open()

        assert "Nothing is told yet" in paper.text
        assert "aria-invalid" not in paper.text
        assert 'class="note err"' not in paper.text
        assert "The table comes with the first turn" in paper.text

    def test_if_it_stands_shows_pink_gaps_and_who_is_out_and_why(self, evening, anna):
        evening.ride("1", "2")
        evening.type("3", evening.cells("3") | {f"turn-{evening.riders['A'].pk}": "14"})

        stands = anna.get(sheet_url(evening, "3")).context["panel"].stands

        assert [(line.rider.last_name, line.row.rank, line.row.gap, line.why) for line in stands] == [
            ("Venn", 1, 0, ""),
            ("Marchetti", 2, 4, ""),
            ("Quist", 3, 9, ""),
            ("Sarti", None, None, "no result yet"),  # his turn is refused: he has none
            ("Lund", None, None, "lapped"),
            ("Kessel", None, None, "too late: to confirm"),
        ]

    def test_a_rider_who_would_be_lapped_is_told_at_his_line(self, evening, anna):
        evening.ride("1", "2")
        evening.type("3")

        assert "he would be lapped: 18 squares behind Venn" in anna.get(sheet_url(evening, "3")).content.decode()

    def test_a_rider_who_is_out_is_not_on_the_next_sheet(self, evening, anna):
        evening.ride("1", "2", "3")

        bibs = [run.line.rider.bib for run in anna.get(sheet_url(evening, "4")).context["panel"].runs]

        assert bibs == [11, 21, 31, 32]

    def test_what_was_typed_for_a_rider_who_does_not_start_can_be_emptied(self, evening, anna):
        turn = f"turn-{evening.riders['B'].pk}"
        evening.ride("1", "2")
        evening.type("4", {turn: "20"})
        evening.ride("3")
        paper = Paper(anna, sheet_url(evening, "4")).open()
        assert "Not at the start" in paper.text
        assert paper.cell(turn) == "20"

        paper.type({turn: ""}).press("save")

        assert "Not at the start" not in paper.text

    def test_names_are_text_and_never_markup(self, evening, anna):
        rider = evening.riders["A"]
        rider.name = "<script>alert(1)</script> Zoë ‮🚴"
        rider.save()
        evening.type("1", {f"turn-{rider.pk}": "<b>x"})

        page = anna.get(sheet_url(evening, "1")).content.decode()

        assert "<script>alert" not in page
        assert "<b>x" not in page

    def test_it_costs_the_same_for_two_and_for_twelve_riders(self, cast, anna, django_assert_max_num_queries):
        def queries(riders: int) -> tuple[int, int, int]:
            campaign = make.CampaignFactory(season=make.SeasonFactory(club=cast.club))
            stage = make.StageFactory(campaign=campaign, number="1", order=1)
            team = make.TeamFactory(season=campaign.season)
            lines = [make.RiderFactory(campaign=campaign, bib=n + 1, team=team) for n in range(riders)]
            cells = {"peloton": "14", "bonus-1": "nobody"}
            for n, rider in enumerate(lines):
                cells |= {
                    f"turn-{rider.pk}": str(12 + n // 5),
                    f"energy-{rider.pk}": "3",
                    f"place-{rider.pk}": str(n + 1),
                }
            page, publish = campaign.url("sheet", "1"), campaign.url("sheet_publish", "1")
            with django_assert_max_num_queries(60) as typing:
                assert anna.post(page, cells, headers=HTMX).status_code == 200
            with django_assert_max_num_queries(60) as reading:
                assert anna.get(page).status_code == 200
            with django_assert_max_num_queries(80) as publishing:
                assert anna.post(publish).status_code == 302
            assert SheetVersion.objects.get(sheet__stage=stage).number == 1
            return len(typing), len(reading), len(publishing)

        queries(3)  # warms what is kept between requests
        assert queries(2) == queries(12)


class TestTwoOnOneSheet:
    def test_they_are_told_of_each_other(self, evening, anna, bruno):
        Paper(bruno, sheet_url(evening, "1")).open()
        turn = f"turn-{evening.riders['A'].pk}"
        bruno.post(sheet_url(evening, "1"), {turn: "12", f"was-{turn}": ""})

        page = anna.get(sheet_url(evening, "1")).content.decode()

        assert "Bruno is on this sheet too." in page
        assert "Bruno typed the turn of 11 Sarti at" in page
        assert "Anna" not in anna.get(sheet_url(evening, "1")).context["panel"].told

    def test_somebody_from_another_club_is_never_named(self, evening, cast, anna):
        sheet = results.sheet_of(evening.stages["1"])
        cache.set(f"sheet-{sheet.pk}-open-by-{cast.dino.pk}", 1, 30)
        cache.set(f"sheet-{sheet.pk}-open-by-{cast.carla.pk}", 1, 30)

        assert anna.get(sheet_url(evening, "1")).context["panel"].told == ""

    def test_different_cells_of_two_stale_forms_are_both_stored(self, evening, anna, bruno):
        a, c = (f"turn-{evening.riders[letter].pk}" for letter in "AC")
        first, second = (Paper(who, sheet_url(evening, "1")).open() for who in (anna, bruno))

        first.type({a: "12"}).press("save")
        second.type({c: "13"}).press("save")

        assert (second.cell(a), second.cell(c)) == ("12", "13")
        assert "Two people typed" not in second.text

    def test_the_same_cell_is_shown_with_both_values_and_one_is_chosen(self, evening, anna, bruno):
        turn = f"turn-{evening.riders['A'].pk}"
        first, second = (Paper(who, sheet_url(evening, "1")).open() for who in (anna, bruno))
        first.type({turn: "12"}).press("save")

        second.type({turn: "13"}).press("save")

        assert "“12” and “13”" in second.text
        assert "1 to choose" in second.text
        second.press("publish")
        assert second.response.status_code == 422
        second.press("settle", f"other:{turn}")
        assert second.cell(turn) == "13"
        assert "1 to choose" not in second.text
        assert first.open().cell(turn) == "13"

    def test_the_autosave_of_a_clash_is_answered_409_with_both_values(self, evening, anna, bruno):
        turn = f"turn-{evening.riders['A'].pk}"
        anna.post(sheet_url(evening, "1"), {turn: "12", f"was-{turn}": ""}, headers=HTMX)

        response = bruno.post(sheet_url(evening, "1"), {turn: "13", f"was-{turn}": ""}, headers=HTMX)

        assert response.status_code == 409
        assert "“12” and “13”" in response.content.decode()
        assert 'data-clash="13"' in response.content.decode()

    def test_a_bonus_that_both_gave_is_told_by_names(self, evening, anna, bruno):
        for who, letter in ((anna, "A"), (bruno, "C")):
            who.post(sheet_url(evening, "1"), {"bonus-1": str(evening.riders[letter].pk), "was-bonus-1": ""})

        assert "“11 Sarti” and “21 Venn”" in anna.get(sheet_url(evening, "1")).content.decode()


class TestWithoutJavaScript:
    """Buttons and redirects: every step is a form post."""

    def test_a_stage_goes_from_an_empty_sheet_to_official(self, evening, anna):
        paper = Paper(anna, sheet_url(evening, "1")).open()
        for letter in "ACDBEF":  # in the order of arrival
            paper.press("next", f"place-{evening.riders[letter].pk}")
        assert [run.line.rider.bib for run in paper.response.context["panel"].runs] == [11, 21, 31, 12, 32, 22]

        paper.type({k: v for k, v in evening.cells("1").items() if not k.startswith("place-")})
        paper.press("save")
        assert "Everything is told" in paper.text
        paper.press("publish")
        assert paper.response["Location"] == evening.stages["1"].get_absolute_url()
        paper.open().press("official")

        assert [v.state for v in SheetVersion.objects.all()] == ["provisional", "official"]
        assert list(Result.objects.order_by("place").values_list("rider__bib", "place", "turn", "energy")) == [
            (11, 1, 12, 3), (21, 2, 12, 9), (31, 3, 13, 11), (12, 4, 14, 18), (32, 5, 14, 22), (22, 6, 17, 0),
        ]  # fmt: skip
        assert BonusSprint.objects.get().rider == evening.riders["D"]

    def test_up_and_down_change_places_with_the_neighbour(self, evening, anna):
        evening.type("1")
        paper = Paper(anna, sheet_url(evening, "1")).open()

        paper.press("up", f"place-{evening.riders['C'].pk}").press("down", f"place-{evening.riders['D'].pk}")

        assert [run.line.rider.bib for run in paper.response.context["panel"].runs] == [21, 11, 12, 31, 32, 22]

    def test_a_button_keeps_what_was_typed_beside_it(self, evening, anna):
        turn = f"turn-{evening.riders['A'].pk}"
        paper = Paper(anna, sheet_url(evening, "1")).open()

        paper.type({turn: "12"}).press("next", f"place-{evening.riders['C'].pk}")

        assert paper.cell(turn) == "12"

    def test_the_same_turn_as_above_is_one_press(self, evening, anna):
        a, c = evening.riders["A"].pk, evening.riders["C"].pk
        evening.type("1", {f"place-{a}": "1", f"place-{c}": "2", f"turn-{a}": "12"})
        paper = Paper(anna, sheet_url(evening, "1")).open()

        paper.press("same", f"turn-{c}")

        assert paper.cell(f"turn-{c}") == "12"

    def test_enter_saves_and_moves_nobody(self, evening, anna):
        form = Paper(anna, sheet_url(evening, "1")).open().form

        assert form.buttons[0].name == "save"  # the button that Enter presses

    def test_a_rider_who_did_not_start_needs_no_turn(self, evening, anna):
        f = evening.riders["F"].pk
        cells = evening.cells("1") | {f"turn-{f}": "", f"energy-{f}": "", f"place-{f}": "", f"status-{f}": "dns"}

        Paper(anna, sheet_url(evening, "1")).open().type(cells).press("publish")

        assert Result.objects.get(rider=f).status == "dns"

    @pytest.mark.parametrize("status", ["dns", "dnf", "otl", "dsq", "withdrawn"])
    def test_a_status_taken_back_brings_the_result_back(self, evening, anna, status):
        f = evening.riders["F"].pk
        evening.ride("1", official=False)
        before = Result.objects.filter(rider=f).values().get()
        gone = {f"status-{f}": status} | ({} if status == "dsq" else {f"turn-{f}": "", f"place-{f}": ""})
        paper = Paper(anna, sheet_url(evening, "1")).open().type(gone).press("save")
        paper.type({key: "on" for key in paper.form.ticks if key.startswith("sure")}).press("publish")
        count(evening.campaign.pk)
        assert Standing.objects.get(classification="gc", rider=f).state == GcState.OUT

        paper.open().type({f"status-{f}": "", f"turn-{f}": "17", f"place-{f}": "6"}).press("save").press("publish")
        count(evening.campaign.pk)

        assert Result.objects.filter(rider=f).values().get() == before
        assert Standing.objects.get(classification="gc", rider=f).state == GcState.IN

    def test_an_individual_time_trial_is_typed_by_the_clock(self, evening, anna):
        evening.ride("1")
        paper = Paper(anna, sheet_url(evening, "2")).open()
        assert "peloton" not in paper.form.fields
        for letter in "CBEADF":
            paper.press("next", f"clock-{evening.riders[letter].pk}")
        cells = {k: v for k, v in evening.cells("2").items() if not k.startswith("clock")}

        paper.type(cells).press("official") if 'name="official"' in paper.text else paper.type(cells).press("publish")

        rows = Result.objects.filter(sheet__stage=evening.stages["2"]).order_by("clock")
        assert list(rows.values_list("rider__bib", "turn", "clock")) == [
            (21, 11, 1), (12, 11, 2), (32, 12, 3), (11, 13, 4), (31, 14, 5), (22, 15, 6),
        ]  # fmt: skip

    def test_a_team_time_trial_is_typed_by_team(self, evening, anna):
        stage = evening.stages["5"]
        stage.order, stage.number = 99, "9"
        evening.stages["1"].delete()
        for other in ("2", "3", "4"):
            evening.stages[other].delete()
        stage.save()
        clock = {name: f"teamclock-{team.pk}" for name, team in evening.teams.items()}
        paper = Paper(anna, sheet_url(evening, "9")).open()
        assert f"place-{evening.riders['A'].pk}" not in paper.form.fields
        paper.press("next", clock["green"]).press("next", clock["white"]).press("next", clock["blue"])
        assert [run.name for run in paper.response.context["panel"].runs] == ["Green", "White", "Blue"]
        turns = {"D": 10, "E": 11, "A": 11, "B": 11, "C": 12, "F": 12}

        for letter, turn in turns.items():
            pk = evening.riders[letter].pk
            paper.type({f"turn-{pk}": str(turn), f"energy-{pk}": "4"})
        paper.press("publish")

        assert paper.response.status_code == 302
        rows = Result.objects.order_by("clock", "rider__bib").values_list("rider__bib", "turn", "clock")
        assert list(rows) == [(31, 10, 1), (32, 11, 1), (11, 11, 2), (12, 11, 2), (21, 12, 3), (22, 12, 3)]
        page = anna.get(evening.campaign.url("version", "9", 1))
        assert [line.run for line in page.context["table"].lines][:2] == ["Green", "Green"]

    def test_the_three_stages_of_the_worked_example_end_with_venn_in_pink(self, evening, anna):
        for number in ("1", "2", "3"):
            paper = Paper(anna, sheet_url(evening, number)).open().type(evening.cells(number)).press("save")
            sure = {key: "on" for key in paper.form.ticks if key.startswith("sure-")}
            paper.type(sure).press("save").press("official")
            assert paper.response["Location"] == evening.stages[number].get_absolute_url()
        count(evening.campaign.pk)

        rows = Standing.objects.filter(classification="gc", stage=evening.stages["3"])
        gc = [(r.rider.last_name, r.rank, r.value, r.in_pink) for r in rows.select_related("rider")]
        assert gc[:4] == [
            ("Venn", 1, 1, True), ("Sarti", 2, -3, False), ("Marchetti", 3, -3, False), ("Quist", 4, -8, False),
        ]  # fmt: skip
        assert {name for name, rank, _v, _p in gc if rank is None} == {"Lund", "Kessel"}
        after = load(evening.campaign).classify()[-1]
        assert after.wearer == evening.riders["C"].pk


class TestTheAutosave:
    def test_it_stores_single_cells_and_answers_with_the_whole_panel(self, evening, anna):
        turn = f"turn-{evening.riders['A'].pk}"

        response = anna.post(sheet_url(evening, "1"), {turn: "12", f"was-{turn}": ""}, headers=HTMX)

        assert response.status_code == 200
        assert f'name="was-{turn}" value="12"' in response.content.decode()
        assert dict(DraftCell.objects.values_list("key", "value")) == {turn: "12"}

    def test_a_tick_that_is_taken_away_is_stored_too(self, evening, anna):
        anna.post(sheet_url(evening, "1"), {"never": "on", "was-never": ""}, headers=HTMX)

        anna.post(sheet_url(evening, "1"), {"never": "", "was-never": "on"}, headers=HTMX)

        assert DraftCell.objects.get(key="never").value == ""

    def test_what_is_no_cell_of_this_sheet_is_left_alone(self, evening, anna):
        other = make.RiderFactory()
        sent = {
            f"turn-{other.pk}": "12", "bonus-9": "1", "clock-1": "1", "teamclock-1": "1", "nonsense": "x",
            "sure-E5-turn-1-2-3-4-5-6-7-8-9": "on", "sure-" + "x" * 100: "on", "turn-": "1", "turn-1e9": "1",
        }  # fmt: skip

        assert anna.post(sheet_url(evening, "1"), sent, headers=HTMX).status_code == 200
        assert not DraftCell.objects.exists()

    def test_buttons_with_nonsense_do_nothing(self, evening, anna):
        for sent in (
            {"next": "place-999999"}, {"up": "' OR 1=1"}, {"same": "turn-x"}, {"settle": "other:"}, {"settle": "\x00"},
            {"next": "turn-1"}, {"down": "\n"}, {"same": "\r\nX: y"},
        ):  # fmt: skip
            assert anna.post(sheet_url(evening, "1"), sent).status_code == 302
        assert not DraftCell.objects.exists()


CELLS = st.sampled_from(["peloton", "never", "bonus-1", "turn", "energy", "place", "status", "clock", "start"])
ODD = st.one_of(
    st.text(max_size=30),
    st.sampled_from(
        ["-1", "0", "00", "١٢", "1e9", "12.5", "９９９９", "99999", "1" * 5000, "\x00", "NaN", "dsq", "DNF", "nobody", "on",
         "‮12", "🚴", "'; DROP TABLE", "{{ 7 }}", "<script>", "１", "9999"]
    ),
    st.integers(-5, 40).map(str),
)  # fmt: skip


@pytest.mark.parametrize("number", ["1", "2", "5"])
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.lists(st.tuples(CELLS, st.integers(0, 5), ODD), max_size=14))
def test_whatever_is_typed_is_answered(evening: Evening, anna: Client, number: str, data):
    """Nonsense in any cell of any kind of stage: shown at its cell or taken, never a fault of ours."""
    pks = [rider.pk for rider in evening.riders.values()]
    cells = {}
    for name, rider, text in data:
        cells[name if name in ("peloton", "never", "bonus-1") else f"{name}-{pks[rider]}"] = text
    cells[f"teamclock-{evening.teams['blue'].pk}"] = data[0][2] if data else ""
    now = dict(DraftCell.objects.filter(sheet__stage=evening.stages[number]).values_list("key", "value"))

    typed = anna.post(sheet_url(evening, number), cells | {f"was-{k}": now.get(k, "") for k in cells}, headers=HTMX)
    page = anna.get(sheet_url(evening, number))
    published = anna.post(evening.campaign.url("sheet_publish", number))

    assert typed.status_code in (200, 409)
    assert page.status_code == 200
    assert published.status_code in (302, 422)
    if published.status_code == 302:
        assert json.dumps(SheetVersion.objects.latest("pk").content)
