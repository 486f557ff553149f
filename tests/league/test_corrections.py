"""Correcting an official sheet: a new version with its reason, what stood before readable, every later table recounted."""

import threading
import uuid
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from league import results, rulings
from league.changes import Changes
from league.errors import Refused
from league.models import Result, Ruling, SheetVersion, TeamSpell
from league.models.results import RulingKind, SheetState
from league.ruling_words import pink_moves, without_result
from league.sheets.giro import Change, SheetContent
from tests.conftest import Cast
from tests.evening import Evening
from tests.league.jury import is_a_fresh_count, proposal, really, said, stored

WHY = "The photo of the finish shows it."


@pytest.fixture
def ridden(evening: Evening) -> Evening:
    return evening.ride("1", "2", "3")


@pytest.fixture
def bruno(cast: Cast, client: Client) -> Client:
    client.force_login(cast.bruno)
    return client


def retype(evening: Evening, number: str, letter: str, **cells: object) -> None:
    """Type over cells of one rider on the sheet as it is."""
    sheet = results.sheet_of(evening.stages[number])
    was = {cell.key: cell.value for cell in sheet.cells.all()}
    now = {f"{cell}-{evening.riders[letter].pk}": str(value) for cell, value in cells.items()}
    results.type_cells(evening.stages[number], evening.organiser, was | now, was)


def confirm_asked(evening: Evening, number: str) -> None:
    entry = results.entry_of(evening.stages[number])
    results.type_cells(evening.stages[number], evening.organiser, {f.sure: "on" for f in entry.findings if f.sure}, {})


def venn_won(evening: Evening) -> None:
    """Stage 1: Venn crossed before Sarti, in the same turn."""
    retype(evening, "1", "C", place=1)
    retype(evening, "1", "A", place=2)


def test_a_correction_of_stage_1_shows_and_does_the_same_in_every_later_table(ridden: Evening) -> None:
    before = stored(ridden.campaign)
    venn_won(ridden)

    correction = rulings.correction_of(ridden.stages["1"])
    ruling = rulings.correct(ridden.stages["1"], ridden.organiser, WHY)

    assert correction.differences == (
        Change("Place of 11 Sarti", "1", "2"),
        Change("Place of 21 Venn", "2", "1"),
    )
    assert pink_moves(correction.changes) == ["After stage 1 Venn wears pink, not Sarti"]
    assert {t.stage for t in correction.changes.tables if t.table == "gc"} == {"1", "2", "3"}
    after = stored(ridden.campaign)
    assert said(correction.changes) == really(before, after)
    assert Changes.from_json(ruling.changes) == correction.changes
    assert after["gc", "1", ridden.riders["C"].pk]["score"] == 2
    assert is_a_fresh_count(ridden.campaign)


def test_both_versions_stay_readable_with_who_when_and_why(ridden: Evening, client: Client) -> None:
    stage = ridden.stages["1"]
    first = SheetVersion.objects.get(sheet__stage=stage)
    venn_won(ridden)

    ruling = rulings.correct(stage, ridden.organiser, WHY)

    first_again, second = SheetVersion.objects.filter(sheet__stage=stage)
    assert (first_again.content, first_again.at, first_again.number) == (first.content, first.at, 1)
    assert (second.number, second.state, second.reason, second.by) == (2, SheetState.OFFICIAL, WHY, ridden.organiser)
    assert (ruling.version, ruling.kind, ruling.number, ruling.reason) == (second, RulingKind.CORRECTION, 1, WHY)
    sheet = results.sheet_of(stage)
    assert (sheet.stamp, sheet.version) == ("revised", 2)
    for number in (1, 2):
        assert client.get(ridden.campaign.url("version", "1", number)).status_code == 200
    page = client.get(ridden.campaign.url("ruling", 1)).content.decode()
    for words in ("Sheet of stage 1 corrected", WHY, "Place of 21 Venn", "Revised", "After stage 1 Venn wears pink"):
        assert words in page


def test_nothing_changed_is_no_new_version(ridden: Evening, bruno: Client) -> None:
    retype(ridden, "1", "C", place=" 2 ", energy="09")

    assert rulings.correction_of(ridden.stages["1"]).is_empty
    with pytest.raises(Refused, match="nothing to correct"):
        rulings.correct(ridden.stages["1"], ridden.organiser, WHY)
    page = bruno.get(ridden.campaign.url("correct", "1"))

    assert "The sheet says what is official" in page.content.decode()
    assert SheetVersion.objects.filter(sheet__stage=ridden.stages["1"]).count() == 1
    assert not Ruling.objects.exists()


def test_a_provisional_sheet_needs_no_ruling(evening: Evening) -> None:
    evening.ride("1", official=False)

    with pytest.raises(Refused, match="without a ruling"):
        rulings.correct(evening.stages["1"], evening.organiser, WHY)


def test_what_cannot_have_happened_is_not_corrected_into_the_sheet(ridden: Evening, bruno: Client) -> None:
    before = stored(ridden.campaign)
    retype(ridden, "1", "C", turn=11)  # earlier than the winner

    with pytest.raises(results.SheetRefused) as refusal:
        rulings.correct(ridden.stages["1"], ridden.organiser, WHY)

    assert {f.code for f in refusal.value.findings if f.level == "refuse"} == {"E4"}
    page = bruno.get(ridden.campaign.url("correct", "1")).content.decode()
    assert "The draft is not ready" in page
    assert ridden.campaign.url("sheet", "1") in page
    assert "Confirm the correction" not in page
    assert bruno.post(ridden.campaign.url("correct", "1"), {"reason": WHY}).status_code == 409
    assert stored(ridden.campaign) == before


def test_a_result_cannot_be_taken_off_an_official_sheet(ridden: Evening) -> None:
    retype(ridden, "1", "F", turn="", place="")

    with pytest.raises(results.SheetRefused):
        rulings.correct(ridden.stages["1"], ridden.organiser, WHY)


def test_a_rider_put_out_by_a_correction_keeps_what_he_rode_later_as_facts(ridden: Evening) -> None:
    retype(ridden, "1", "E", turn="", place="", energy="", status="dnf")
    before = stored(ridden.campaign)
    later = list(Result.objects.filter(sheet__stage=ridden.stages["3"]).values())
    correction = rulings.correction_of(ridden.stages["1"])

    rulings.correct(ridden.stages["1"], ridden.organiser, WHY)

    assert said(correction.changes) == really(before, stored(ridden.campaign))
    assert list(Result.objects.filter(sheet__stage=ridden.stages["3"]).values()) == later
    # her sheet of stage 3 can still be corrected, and her line on it stays
    retype(ridden, "3", "D", energy=7)
    rulings.correct(ridden.stages["3"], ridden.organiser, WHY)
    version = SheetVersion.objects.filter(sheet__stage=ridden.stages["3"]).latest("number")
    line = SheetContent.from_json(version.content).line(ridden.riders["E"].pk)
    assert line is not None
    assert (line.turn, line.place) == (15, 1)
    assert is_a_fresh_count(ridden.campaign)


def test_a_rider_who_is_in_again_has_no_result_in_the_stages_he_did_not_ride(evening: Evening) -> None:
    evening.type("1", evening.cells("1") | {f"turn-{evening.riders['F'].pk}": "18"})
    confirm_asked(evening, "1")
    results.publish(evening.stages["1"], evening.organiser, official=True)
    lund = evening.riders["F"].pk
    cells = {key: value for key, value in evening.cells("2").items() if not key.endswith(f"-{lund}")}
    evening.type("2", cells)
    confirm_asked(evening, "2")
    results.publish(evening.stages["2"], evening.organiser, official=True)
    before = stored(evening.campaign)
    assert before["gc", "2", lund]["why_out"] == "otl"
    retype(evening, "1", "F", turn=17)

    correction = rulings.correction_of(evening.stages["1"])
    rulings.correct(evening.stages["1"], evening.organiser, WHY)

    assert without_result(correction.changes) == [
        "Stage 2 has no result of 22 Lund yet: its sheet needs a correction, too."
    ]
    after = stored(evening.campaign)
    assert said(correction.changes) == really(before, after)
    assert (after["gc", "2", lund]["state"], after["gc", "2", lund]["rank"]) == ("unresolved", None)
    retype(evening, "2", "F", turn=15, clock=6, energy=1)
    rulings.correct(evening.stages["2"], evening.organiser, WHY)
    assert stored(evening.campaign)["gc", "2", lund]["score"] == -12
    assert is_a_fresh_count(evening.campaign)


def test_correcting_back_restores_the_tables(ridden: Evening) -> None:
    before = stored(ridden.campaign)
    venn_won(ridden)
    rulings.correct(ridden.stages["1"], ridden.organiser, WHY)

    retype(ridden, "1", "C", place=2)
    retype(ridden, "1", "A", place=1)
    rulings.correct(ridden.stages["1"], ridden.organiser, "The other photo shows the contrary.")

    assert stored(ridden.campaign) == before
    assert [r.number for r in Ruling.objects.all()] == [1, 2]
    assert SheetVersion.objects.filter(sheet__stage=ridden.stages["1"]).count() == 3


def test_a_correction_keeps_the_rulings_of_the_stage(ridden: Evening) -> None:
    rulings.rule(ridden.campaign, proposal(ridden, "1", RulingKind.PENALTY, "C", amount=5), ridden.organiser)
    before = stored(ridden.campaign)
    venn_won(ridden)
    correction = rulings.correction_of(ridden.stages["1"])

    rulings.correct(ridden.stages["1"], ridden.organiser, WHY)

    after = stored(ridden.campaign)
    assert after["gc", "1", ridden.riders["C"].pk]["score"] == 2 - 5
    assert said(correction.changes) == really(before, after)


def test_a_correction_is_not_withdrawn_but_corrected(ridden: Evening) -> None:
    venn_won(ridden)
    ruling = rulings.correct(ridden.stages["1"], ridden.organiser, WHY)

    with pytest.raises(Refused, match="correct the sheet again"):
        rulings.withdraw(ruling, ridden.organiser, WHY)


def test_a_transfer_written_down_later_does_not_change_whom_he_rode_for(ridden: Evening) -> None:
    TeamSpell.objects.filter(player=ridden.players["C"]).update(team=ridden.teams["white"])
    retype(ridden, "1", "C", energy=8)
    before = stored(ridden.campaign)

    correction = rulings.correction_of(ridden.stages["1"])
    rulings.correct(ridden.stages["1"], ridden.organiser, WHY)

    assert correction.differences == (Change("Energy of 21 Venn", "9", "8"),)
    assert said(correction.changes) == really(before, stored(ridden.campaign))
    assert Result.objects.get(sheet__stage=ridden.stages["1"], rider=ridden.riders["C"]).team == ridden.teams["blue"]


def test_a_double_click_is_one_correction(ridden: Evening) -> None:
    venn_won(ridden)
    key, revision = uuid.uuid4(), ridden.campaign.revision

    made = [rulings.correct(ridden.stages["1"], ridden.organiser, WHY, revision, key=key) for _ in range(2)]

    assert made[0] == made[1]
    assert SheetVersion.objects.filter(sheet__stage=ridden.stages["1"]).count() == 2


def test_typing_after_the_preview_is_previewed_first(ridden: Evening) -> None:
    venn_won(ridden)
    draft = results.sheet_of(ridden.stages["1"]).draft_revision
    retype(ridden, "1", "D", energy=1)

    with pytest.raises(rulings.PreviewStale):
        rulings.correct(ridden.stages["1"], ridden.organiser, WHY, draft=draft)
    assert not Ruling.objects.exists()


@pytest.mark.services
@pytest.mark.django_db(transaction=True)
def test_of_two_who_correct_at_once_one_does(ridden: Evening) -> None:
    venn_won(ridden)
    revision, start = ridden.campaign.revision, threading.Barrier(6)
    answers: list[str] = []

    def go() -> None:
        try:
            start.wait(10)
            rulings.correct(ridden.stages["1"], ridden.organiser, WHY, revision, key=uuid.uuid4())
            answers.append("made")
        except rulings.PreviewStale:
            answers.append("late")
        finally:
            connection.close()

    threads = [threading.Thread(target=go) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)

    assert sorted(answers) == ["late"] * 5 + ["made"]
    assert SheetVersion.objects.filter(sheet__stage=ridden.stages["1"]).count() == 2
    assert is_a_fresh_count(ridden.campaign)


cell = st.tuples(
    st.sampled_from("ABCDEF"),
    st.sampled_from(["turn", "energy", "status"]),
    st.integers(0, 22),
    st.sampled_from(["", "dnf", "otl", "dsq"]),
)


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from("123"), st.lists(cell, min_size=1, max_size=4))
def test_whatever_is_corrected_the_preview_said_it_and_the_tables_are_a_fresh_count(
    ridden: Evening, number: str, typed: list[Any]
) -> None:
    with transaction.atomic():
        for letter, name, value, status in typed:
            retype(ridden, number, letter, **{name: status if name == "status" else value})
        confirm_asked(ridden, number)
        before = stored(ridden.campaign)
        correction = rulings.correction_of(ridden.stages[number])
        if correction.is_empty or correction.is_blocked:
            with pytest.raises(Refused):
                rulings.correct(ridden.stages[number], None, WHY)
            assert stored(ridden.campaign) == before
        else:
            rulings.correct(ridden.stages[number], None, WHY)
            assert said(correction.changes) == really(before, stored(ridden.campaign))
            assert is_a_fresh_count(ridden.campaign)
        transaction.set_rollback(True)
    ridden.campaign.refresh_from_db()


def test_a_commissaire_corrects_on_the_page(ridden: Evening, bruno: Client) -> None:
    venn_won(ridden)
    where = ridden.campaign.url("correct", "1")
    shown = bruno.get(where)
    text = shown.content.decode()
    assert "Stage 1: 2 cells change" in text
    assert "After stage 1 Venn wears pink, not Sarti" in text
    hidden = {name: str(shown.context["confirmation"][name].value()) for name in ("revision", "draft", "key")}

    no_reason = bruno.post(where, hidden | {"reason": ""})
    late = bruno.post(where, hidden | {"draft": "0", "reason": WHY})
    done = bruno.post(where, hidden | {"reason": WHY})
    again = bruno.post(where, hidden | {"reason": WHY})

    assert (no_reason.status_code, late.status_code) == (422, 409)
    assert WHY in late.content.decode()
    assert done["Location"] == again["Location"] == ridden.campaign.url("ruling", 1)
    assert Ruling.objects.count() == 1


def test_a_correction_page_costs_the_same_queries_however_much_changes(ridden: Evening, bruno: Client) -> None:
    where = ridden.campaign.url("correct", "1")

    def queries() -> int:
        with CaptureQueriesContext(connection) as asked:
            page = bruno.get(where)
        assert "Confirm the correction" in page.content.decode()
        return len(asked)

    retype(ridden, "1", "C", energy=8)
    few = queries()
    venn_won(ridden)
    for letter in "ABDEF":
        retype(ridden, "1", letter, energy=1)

    assert queries() == few
