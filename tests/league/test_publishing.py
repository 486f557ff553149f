"""From draft to provisional to official: once, in order, with what stood before kept."""

import threading

import pytest
from django.db import connection, transaction
from django.test import Client

from league import results
from league.errors import Refused
from league.models import DraftCell, Result, Sheet, SheetVersion, Standing
from league.recount import count
from tests.conftest import Cast
from tests.evening import Evening
from tests.league.paper import Paper


def sheet_url(evening: Evening, number: str) -> str:
    return evening.campaign.url("sheet", number)


def publish_url(evening: Evening, number: str) -> str:
    return evening.campaign.url("sheet_publish", number)


@pytest.fixture
def anna(cast: Cast, client: Client) -> Client:
    client.force_login(cast.anna)
    return client


def test_publishing_leads_to_the_stage_and_says_what_happened(evening: Evening, anna: Client):
    evening.type("1")

    response = anna.post(publish_url(evening, "1"), follow=True)

    assert response.redirect_chain == [(evening.stages["1"].get_absolute_url(), 302)]
    said = [str(message) for message in response.context["messages"]]
    assert said == [
        "Stage 1, Pianura is provisional: public, and still yours to correct. Amedeo Sarti wears pink on it. "
        "The tables are being counted again."
    ]


def test_for_htmx_it_leads_there_by_a_header(evening: Evening, anna: Client):
    evening.type("1")

    response = anna.post(publish_url(evening, "1"), headers={"HX-Request": "true"})

    assert response["HX-Redirect"] == evening.stages["1"].get_absolute_url()


def test_the_same_form_twice_is_one_version(evening: Evening, anna: Client):
    paper = Paper(anna, sheet_url(evening, "1")).open()
    sent = paper.form.fields | {k: v.rjust(3, "0") if v.isdigit() else v for k, v in evening.cells("1").items()}
    sent["bonus-1"] = evening.cells("1")["bonus-1"]

    answers = [anna.post(publish_url(evening, "1"), sent) for _n in range(2)]

    assert [a.status_code for a in answers] == [302, 302]
    assert SheetVersion.objects.count() == 1


def test_signing_twice_is_one_official_version(evening: Evening, anna: Client):
    evening.ride("1", official=False)

    answers = [anna.post(publish_url(evening, "1"), {"official": "on"}) for _n in range(2)]

    assert [a.status_code for a in answers] == [302, 302]
    assert list(SheetVersion.objects.values_list("number", "state")) == [(1, "provisional"), (2, "official")]


def test_publishing_again_without_a_change_makes_no_version(evening: Evening):
    evening.ride("1", official=False)

    results.publish(evening.stages["1"], evening.organiser)

    assert SheetVersion.objects.count() == 1


def test_a_sheet_that_is_not_ready_comes_back_with_all_typing(evening: Evening, anna: Client):
    winner, late = (f"turn-{evening.riders[letter].pk}" for letter in "AC")
    paper = Paper(anna, sheet_url(evening, "1")).open().type(evening.cells("1") | {late: "11"})

    paper.press("publish")

    assert paper.response.status_code == 422
    assert (paper.cell(winner), paper.cell(late)) == ("12", "11")
    assert paper.form.marks[late]["aria-invalid"] == "true"
    assert f'id="{paper.form.marks[late]["aria-describedby"]}"' in paper.text
    assert "earlier than the winner" in paper.text
    assert ">E4<" in paper.text
    assert "The sheet is not ready" in paper.text
    assert "Go to Venn" in paper.text
    assert DraftCell.objects.get(key=late).value == "11"
    assert not Result.objects.exists()


def test_an_odd_cell_is_asked_about_once_and_the_answer_is_remembered(evening: Evening, anna: Client):
    evening.ride("1", "2")
    paper = Paper(anna, sheet_url(evening, "3")).open().type(evening.cells("3")).press("save")
    (tick,) = paper.form.ticks.keys() - {"never"}
    paper.press("publish")
    assert paper.response.status_code == 422
    assert "more than 3 after the peloton" in paper.text

    paper.type({tick: "on"}).press("publish")
    assert paper.response["Location"] == evening.stages["3"].get_absolute_url()

    assert Paper(anna, sheet_url(evening, "3")).open().form.ticks[tick]


def test_a_tick_says_nothing_about_another_turn(evening: Evening, anna: Client):
    evening.ride("1", "2")
    paper = Paper(anna, sheet_url(evening, "3")).open().type(evening.cells("3")).press("save")
    (tick,) = paper.form.ticks.keys() - {"never"}

    paper.type({tick: "on", f"turn-{evening.riders['B'].pk}": "22"}).press("publish")

    assert paper.response.status_code == 422
    assert paper.form.ticks.keys() - {"never", tick}


def test_a_missing_result_is_never_zero(evening: Evening, anna: Client):
    cells = {k: v for k, v in evening.cells("1").items() if not k.endswith(f"-{evening.riders['D'].pk}")}
    Paper(anna, sheet_url(evening, "1")).open().type(cells).press("publish")
    count(evening.campaign.pk)

    quist = Result.objects.get(rider=evening.riders["D"])
    row = Standing.objects.get(classification="gc", rider=evening.riders["D"])
    assert (quist.status, quist.turn, quist.energy) == ("unresolved", None, None)
    assert (row.rank, row.gap, row.state, row.in_pink) == (None, None, "unresolved", False)
    paper = Paper(anna, sheet_url(evening, "1")).open()
    assert 'name="official"' not in paper.text
    assert "Still missing" in paper.text


def test_an_unresolved_rider_stops_the_official_version(evening: Evening, anna: Client):
    evening.type("1", {k: v for k, v in evening.cells("1").items() if not k.endswith(f"-{evening.riders['D'].pk}")})

    response = anna.post(publish_url(evening, "1"), {"official": "on"})

    assert response.status_code == 422
    assert not SheetVersion.objects.exists()


@pytest.mark.parametrize(
    ("ridden", "official", "why"),
    [((), False, "Stage 1 has no published result yet"), (("1",), True, "Stage 1 is still provisional")],
)
def test_stages_are_published_in_their_order(evening: Evening, anna: Client, ridden, official, why):
    evening.ride(*ridden, official=False)
    evening.type("2")

    response = anna.post(publish_url(evening, "2"), {"official": "on"} if official else {})

    assert response.status_code == 422
    assert why in response.content.decode()
    assert not SheetVersion.objects.filter(sheet__stage=evening.stages["2"]).exists()


def test_an_official_sheet_is_read_until_it_is_corrected(evening: Evening, anna: Client):
    evening.ride("1")

    paper = Paper(anna, sheet_url(evening, "1")).open()

    assert paper.form.fields == {}
    assert "signed by Anna" in paper.text
    assert "Correct by a ruling" in paper.text
    with pytest.raises(Refused, match="only by a ruling"):
        results.publish(evening.stages["1"], evening.organiser)


def test_the_draft_of_a_correction_changes_nothing_public_until_it_is_confirmed(evening: Evening, anna: Client):
    evening.ride("1")
    turn = f"turn-{evening.riders['F'].pk}"
    before = list(Result.objects.order_by("pk").values()), list(Standing.objects.order_by("pk").values())
    paper = Paper(anna, sheet_url(evening, "1") + "?correct=1").open()

    paper.type({turn: "16"}).press("save")
    count(evening.campaign.pk)

    assert paper.cell(turn) == "16"
    assert (list(Result.objects.order_by("pk").values()), list(Standing.objects.order_by("pk").values())) == before
    assert "A correction has been begun" in Paper(anna, sheet_url(evening, "1")).open().text
    assert '"turn": 16' not in anna.get(evening.campaign.url("stage_export", "1", "json")).content.decode()


def test_the_last_button_of_a_correction_leads_to_what_it_changes(evening: Evening, anna: Client):
    evening.ride("1")
    paper = Paper(anna, sheet_url(evening, "1") + "?correct=1").open()

    paper.type({f"turn-{evening.riders['F'].pk}": "16"}).press("review")

    assert paper.response["Location"] == evening.campaign.url("correct", "1")


def test_the_changes_of_a_correction_can_be_thrown_away(evening: Evening, anna: Client):
    evening.ride("1")
    turn = f"turn-{evening.riders['F'].pk}"
    paper = Paper(anna, sheet_url(evening, "1") + "?correct=1").open().type({turn: "16"}).press("save")

    paper.press("reset")

    assert paper.cell(turn) == "17"
    assert "Nothing is changed yet" in paper.text


def test_a_late_save_on_a_sheet_that_became_official_shows_what_was_typed(evening: Evening, anna: Client):
    evening.type("1")
    turn = f"turn-{evening.riders['F'].pk}"
    paper = Paper(anna, sheet_url(evening, "1")).open().type({turn: "16"})
    results.publish(evening.stages["1"], evening.organiser, official=True)

    paper.press("save")

    assert paper.response.status_code == 409
    assert "official meanwhile" in paper.text
    assert "The turn of 22 lund: 16" in paper.text or "The turn of 22 Lund: 16" in paper.text
    assert DraftCell.objects.get(key=turn).value == "17"


def test_typing_that_crosses_with_a_publication_is_kept(evening: Evening, cast: Cast):
    turn = f"turn-{evening.riders['F'].pk}"
    evening.type("1")
    entry = results.entry_of(evening.stages["1"])
    results.type_cells(evening.stages["1"], cast.bruno, {turn: "16"}, {turn: "17"})

    with transaction.atomic():
        results.lock(evening.campaign)
        results.write(entry, cast.anna, results.SheetState.PROVISIONAL)

    assert Result.objects.get(rider=evening.riders["F"]).turn == 17  # what Anna published
    assert DraftCell.objects.get(key=turn).value == "16"  # what Bruno typed


@pytest.mark.services
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("official", [False, True])
def test_twenty_posts_at_once_are_one_version(request, official):
    if connection.vendor != "postgresql":
        pytest.skip("needs PostgreSQL: row locks")
    evening: Evening = request.getfixturevalue("evening")
    barrier = threading.Barrier(20)
    answers: list[int] = []
    sent = evening.cells("1") | {f"was-{key}": "" for key in evening.cells("1")}
    sent |= {"official": "on"} if official else {}

    def press() -> None:
        client = Client()
        client.force_login(evening.organiser)
        try:
            barrier.wait(30)
            answers.append(client.post(publish_url(evening, "1"), sent).status_code)
        finally:
            connection.close()

    threads = [threading.Thread(target=press) for _n in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)

    assert answers == [302] * 20
    assert SheetVersion.objects.count() == 1
    assert Sheet.objects.get(stage=evening.stages["1"]).version == 1


class TestAVersion:
    def test_it_keeps_what_stood_and_says_what_changed(self, evening: Evening, client: Client):
        evening.ride("1", official=False)
        turn = f"turn-{evening.riders['F'].pk}"
        results.type_cells(evening.stages["1"], evening.organiser, {turn: "16"}, {turn: "17"})
        results.publish(evening.stages["1"], evening.organiser)

        first = client.get(evening.campaign.url("version", "1", 1))
        second = client.get(evening.campaign.url("version", "1", 2))

        assert [line.entry.turn for line in first.context["table"].lines][-1] == 17
        assert [line.entry.turn for line in second.context["table"].lines][-1] == 16
        assert [(c.what, c.old, c.new) for c in second.context["changes"]] == [("Turn of 22 Lund", "17", "16")]
        assert "what stood before it was changed" in first.content.decode()

    def test_a_draft_has_no_version_to_look_at(self, evening: Evening, client: Client, cast: Cast):
        evening.type("1")
        for user in (None, cast.carla, cast.anna):
            if user:
                client.force_login(user)
            assert client.get(evening.campaign.url("version", "1", 1)).status_code == 404

    def test_changes_that_are_not_published_are_on_no_version(self, evening: Evening, client: Client):
        evening.ride("1", official=False)
        evening.type("1", {f"energy-{evening.riders['A'].pk}": "77"})
        turn = f"turn-{evening.riders['F'].pk}"
        results.type_cells(evening.stages["1"], evening.organiser, {turn: "1977"}, {turn: "17"})

        assert "1977" not in client.get(evening.campaign.url("version", "1", 1)).content.decode()

    def test_every_kind_of_stage_has_its_page(self, evening: Evening, client: Client):
        evening.ride("1", "2")
        response = client.get(evening.campaign.url("version", "2", 1))

        assert [line.order for line in response.context["table"].lines] == [1, 2, 3, 4, 5, 6]

    def test_its_page_costs_the_same_for_two_and_for_six_riders(
        self, evening: Evening, client: Client, django_assert_max_num_queries
    ):
        evening.ride("1")
        address = evening.campaign.url("version", "1", 1)
        with django_assert_max_num_queries(10) as six:
            client.get(address)
        version = SheetVersion.objects.get()
        version.content["lines"] = version.content["lines"][:2]
        version.save()
        with django_assert_max_num_queries(10) as two:
            client.get(address)
        assert len(six) == len(two)
