"""Rulings: what they change is shown before, done once, kept for good, and taken back without a trace in the tables."""

import threading
import uuid
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from league import results, rulings
from league.changes import Changes
from league.errors import Refused
from league.models import Club, Ruling, Season, Stage
from league.models.results import RulingKind
from league.recount import touch_season
from league.ruling_words import in_words, pink_moves, title
from tests import factories as make
from tests.conftest import Cast
from tests.evening import Evening
from tests.league.jury import is_a_fresh_count, proposal, really, said, stored

PENALTY, BONUS = RulingKind.PENALTY, RulingKind.BONUS
DSQ, BACK = RulingKind.DISQUALIFICATION, RulingKind.REINSTATEMENT


@pytest.fixture
def ridden(evening: Evening) -> Evening:
    """The worked example: three stages, all official."""
    return evening.ride("1", "2", "3")


@pytest.fixture
def bruno(cast: Cast, client: Client) -> Client:
    client.force_login(cast.bruno)
    return client


def address(evening: Evening, page: str, *args: Any) -> str:
    return evening.campaign.url(page, *args)


def gc(changes: Changes, number: str) -> dict[str, tuple[Any, Any, Any, Any]]:
    """(place and score before, place and score after) by last name."""
    table = next(t for t in changes.tables if t.table == "gc" and t.stage == number)
    return {
        row.of.name.split()[-1]: (row.before["rank"], row.before["score"], row.after["rank"], row.after["score"])
        for row in table.rows
        if row.before and row.after
    }


# What it changes


def test_a_penalty_of_5_for_venn_after_stage_1_takes_pink_from_her_ever_after(ridden: Evening) -> None:
    changes = rulings.preview(ridden.campaign, proposal(ridden, "1", PENALTY, "C", amount=5))

    # after stage 1 (7.4): A +2, D 0, C 0, E -2, B -2, F -5; C goes to -5, level with F and with more energy
    assert gc(changes, "1") == {
        "Venn": (3, 0, 5, -5),
        "Marchetti": (4, -2, 3, -2),
        "Kessel": (5, -2, 4, -2),
    }
    # after stage 2: A -2, B -3, E, D and C -5 with 6, 5 and 0 energy left, F -12 and nearer to the best by two
    assert gc(changes, "2") == {
        "Sarti": (2, -2, 1, -2),
        "Kessel": (3, -3, 2, -3),
        "Marchetti": (4, -5, 3, -5),
        "Quist": (5, -5, 4, -5),
        "Venn": (1, 0, 5, -5),
        "Lund": (6, -12, 6, -12),
    }
    # after stage 3: A and E -3, C -4, D -8, and F at 14 is no longer lapped
    assert gc(changes, "3")["Lund"] == (None, -17, 5, -17)
    assert pink_moves(changes) == [
        "After stage 2 Sarti wears pink, not Venn",
        "After stage 3 Sarti wears pink, not Venn",
    ]
    # a penalty moves nobody's stage placing: no team and no season table changes
    assert {t.table for t in changes.tables} == {"gc", "stage"}


@pytest.mark.parametrize(
    ("number", "kind", "letter", "more"),
    [
        ("1", PENALTY, "C", {"amount": 5}),
        ("1", BONUS, "F", {"amount": 1}),
        ("3", BONUS, "F", {"amount": 1}),
        ("3", DSQ, "E", {}),
        ("1", DSQ, "A", {}),
        ("3", BACK, "B", {}),
        ("3", BACK, "F", {}),
    ],
)
def test_the_preview_says_exactly_what_the_tables_do(
    ridden: Evening, number: str, kind: RulingKind, letter: str, more: dict[str, Any]
) -> None:
    before = stored(ridden.campaign)
    wanted = proposal(ridden, number, kind, letter, **more)
    changes = rulings.preview(ridden.campaign, wanted)

    ruling = rulings.rule(ridden.campaign, wanted, ridden.organiser)
    after = stored(ridden.campaign)

    assert changes
    assert said(changes) == really(before, after)
    assert Changes.from_json(ruling.changes) == changes
    assert is_a_fresh_count(ridden.campaign)


def test_a_preview_stores_nothing(ridden: Evening) -> None:
    before = stored(ridden.campaign)

    rulings.preview(ridden.campaign, proposal(ridden, "3", DSQ, "E"))

    ridden.campaign.refresh_from_db()
    assert not Ruling.objects.exists()
    assert ridden.campaign.is_counted
    assert stored(ridden.campaign) == before


def test_a_disqualified_winner_loses_his_place_and_nobody_elses_turns_move(ridden: Evening) -> None:
    changes = rulings.preview(ridden.campaign, proposal(ridden, "3", DSQ, "E"))

    stage = next(t for t in changes.tables if t.table == "stage")
    assert {row.of.name: row.after["status"] for row in stage.rows if row.after} == {"Elin Marchetti": "dsq"}
    assert gc(changes, "3")["Marchetti"][2] is None
    assert gc(changes, "3")["Quist"] == (4, -8, 3, -8)
    assert {"teams", "season_teams", "season_players"} <= {t.table for t in changes.tables}


@pytest.mark.rule("GI-D1-05")
def test_kessel_outside_the_limit_is_reinstated_with_the_turn_of_the_sheet(ridden: Evening) -> None:
    changes = rulings.preview(ridden.campaign, proposal(ridden, "3", BACK, "B"))

    # -3 after stage 2, then turn 21 against the winner's 15
    assert gc(changes, "3") == {"Kessel": (None, None, 5, -9)}


def test_a_reinstated_rider_whose_turn_nobody_wrote_down_needs_one(evening: Evening) -> None:
    evening.ride("1", "2")
    kessel = evening.riders["B"].pk
    cells = evening.cells("3") | {f"turn-{kessel}": "", f"place-{kessel}": "", f"status-{kessel}": "otl"}
    evening.type("3", cells)
    asked = {f.sure: "on" for f in results.entry_of(evening.stages["3"]).findings if f.sure}
    results.type_cells(evening.stages["3"], evening.organiser, asked, {})
    results.publish(evening.stages["3"], evening.organiser, official=True)

    with pytest.raises(rulings.RulingRefused, match="no turn for 12 Kessel") as refusal:
        rulings.preview(evening.campaign, proposal(evening, "3", BACK, "B"))
    assert refusal.value.field == "turn"
    with pytest.raises(rulings.RulingRefused, match="earlier than the winner’s 15"):
        rulings.preview(evening.campaign, proposal(evening, "3", BACK, "B", turn=14))

    ruling = rulings.rule(evening.campaign, proposal(evening, "3", BACK, "B", turn=20), evening.organiser)

    row = stored(evening.campaign)["gc", "3", kessel]
    assert (row["state"], row["score"]) == ("in", -8)  # -3, and 5 turns after the best
    assert in_words(ruling) == "Kessel reinstated, taken to have arrived in turn 20"


def test_a_wearer_is_named_first_and_a_season_last(ridden: Evening) -> None:
    changes = rulings.preview(ridden.campaign, proposal(ridden, "3", DSQ, "C"))

    assert pink_moves(changes) == ["After stage 3 Sarti wears pink, not Venn"]
    assert [title(t) for t in changes.tables] == [
        "General classification after stage 3",
        "Result of stage 3",
        "Teams after stage 3",
        "Teams of the season",
        "Players of the season",
    ]


# What cannot be decided


@pytest.mark.parametrize(
    ("number", "kind", "letter", "more", "field", "words"),
    [
        ("3", PENALTY, "C", {}, "amount", "How many squares"),
        ("3", PENALTY, "C", {"amount": 0}, "amount", "How many squares"),
        ("3", BONUS, "C", {"amount": 100}, "amount", "How many squares"),
        ("3", BONUS, "C", {"amount": 19}, "amount", "more than a whole lap"),
        ("3", PENALTY, "B", {"amount": 1}, "rider", "Reinstate him first"),
        ("3", DSQ, "B", {}, "rider", "12 Kessel is out after this stage already"),
        ("3", BACK, "C", {}, "rider", "nothing to reinstate"),
        ("3", BACK, "B", {"turn": 20}, "turn", "The sheet has turn 21"),
        ("4", PENALTY, "C", {"amount": 1}, "stage", "no published result yet"),
    ],
)
def test_the_jury_is_told_what_cannot_be_and_the_way_out(
    ridden: Evening, number: str, kind: RulingKind, letter: str, more: dict[str, Any], field: str, words: str
) -> None:
    with pytest.raises(rulings.RulingRefused, match=words) as refusal:
        rulings.rule(ridden.campaign, proposal(ridden, number, kind, letter, **more), ridden.organiser)

    assert refusal.value.field == field
    assert not Ruling.objects.exists()


def test_a_lapped_rider_can_be_disqualified_and_can_come_back_by_a_bonus(ridden: Evening) -> None:
    back = rulings.preview(ridden.campaign, proposal(ridden, "3", BONUS, "F", amount=1))
    gone = rulings.preview(ridden.campaign, proposal(ridden, "3", DSQ, "F"))

    assert gc(back, "3")["Lund"] == (None, -17, 5, -16)
    assert ("stage", "3", ridden.riders["F"].pk) in said(gone)


def test_who_left_earlier_is_ruled_on_where_he_left(ridden: Evening) -> None:
    rulings.rule(ridden.campaign, proposal(ridden, "1", DSQ, "A"), ridden.organiser)

    with pytest.raises(rulings.RulingRefused, match="11 Sarti left the Giro after stage 1"):
        rulings.rule(ridden.campaign, proposal(ridden, "2", BACK, "A"), ridden.organiser)


def test_a_rider_of_another_campaign_is_nobody_here(ridden: Evening) -> None:
    stranger = make.RiderFactory()
    wanted = rulings.Proposal(stage=ridden.stages["3"], kind=DSQ, rider=stranger, reason="Not one of ours.")

    with pytest.raises(rulings.RulingRefused, match="not on the start list"):
        rulings.rule(ridden.campaign, wanted, ridden.organiser)


@pytest.mark.parametrize("reason", ["", "   ", "no", "\n x \t"])
def test_a_ruling_says_why(ridden: Evening, reason: str) -> None:
    with pytest.raises(rulings.RulingRefused, match="Say why"):
        rulings.rule(ridden.campaign, proposal(ridden, "3", DSQ, "E", reason=reason), ridden.organiser)


def test_many_squares_are_confirmed_once(ridden: Evening) -> None:
    ruling = rulings.rule(ridden.campaign, proposal(ridden, "3", PENALTY, "C", amount=19, sure=True), ridden.organiser)

    assert in_words(ruling) == "Penalty of 19 squares for Venn"


# Once, in order, never on old figures


def test_rulings_are_numbered_in_the_campaign_and_mark_the_official_result_as_revised(ridden: Evening) -> None:
    first = rulings.rule(ridden.campaign, proposal(ridden, "1", PENALTY, "C", amount=1), ridden.organiser)
    second = rulings.rule(ridden.campaign, proposal(ridden, "3", BONUS, "A", amount=1), ridden.organiser)

    assert (first.number, second.number) == (1, 2)
    stamps = {s.number: s.sheet.stamp for s in Stage.objects.filter(number__in="123").select_related("sheet")}
    assert stamps == {"1": "revised", "2": "official", "3": "revised"}


def test_a_ruling_on_a_provisional_result_leaves_it_provisional(evening: Evening) -> None:
    evening.ride("1", official=False)

    rulings.rule(evening.campaign, proposal(evening, "1", PENALTY, "C", amount=1), evening.organiser)

    sheet = Stage.objects.get(pk=evening.stages["1"].pk).sheet
    assert (sheet.stamp, sheet.is_revised) == ("provisional", False)
    assert is_a_fresh_count(evening.campaign)


def test_a_double_click_is_one_ruling(ridden: Evening) -> None:
    key, revision = uuid.uuid4(), ridden.campaign.revision
    wanted = proposal(ridden, "3", PENALTY, "C", amount=2)

    made = [rulings.rule(ridden.campaign, wanted, ridden.organiser, revision=revision, key=key) for _ in range(2)]

    assert made[0] == made[1]
    assert Ruling.objects.count() == 1


def test_a_ruling_against_old_figures_is_not_made(ridden: Evening) -> None:
    revision = ridden.campaign.revision
    rulings.rule(ridden.campaign, proposal(ridden, "3", PENALTY, "C", amount=2), ridden.organiser)

    with pytest.raises(rulings.PreviewStale):
        rulings.rule(
            ridden.campaign, proposal(ridden, "3", PENALTY, "A", amount=2), ridden.organiser, revision=revision
        )
    assert Ruling.objects.count() == 1


@pytest.mark.services
@pytest.mark.django_db(transaction=True)
def test_of_two_commissaires_at_once_the_second_sees_what_the_first_decided(ridden: Evening) -> None:
    revision, start = ridden.campaign.revision, threading.Barrier(8)
    answers: list[str] = []

    def decide(amount: int) -> None:
        try:
            start.wait(10)
            wanted = proposal(ridden, "3", PENALTY, "C", amount=amount)
            rulings.rule(ridden.campaign, wanted, ridden.organiser, revision=revision, key=uuid.uuid4())
            answers.append("made")
        except rulings.PreviewStale:
            answers.append("late")
        finally:
            connection.close()

    threads = [threading.Thread(target=decide, args=[n]) for n in range(1, 9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)

    assert sorted(answers) == ["late"] * 7 + ["made"]
    assert is_a_fresh_count(ridden.campaign)


@pytest.mark.services
@pytest.mark.django_db(transaction=True)
def test_twenty_clicks_at_a_barrier_are_one_ruling(ridden: Evening) -> None:
    key, revision, start = uuid.uuid4(), ridden.campaign.revision, threading.Barrier(20)
    made: list[int] = []

    def click() -> None:
        try:
            start.wait(10)
            wanted = proposal(ridden, "1", DSQ, "C")
            made.append(rulings.rule(ridden.campaign, wanted, ridden.organiser, revision=revision, key=key).number)
        finally:
            connection.close()

    threads = [threading.Thread(target=click) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)

    assert made == [1] * 20
    assert Ruling.objects.count() == 1


# Taking back


@pytest.mark.parametrize(
    ("number", "kind", "letter", "more"),
    [("1", PENALTY, "C", {"amount": 5}), ("1", DSQ, "A", {}), ("3", BACK, "B", {}), ("3", BONUS, "F", {"amount": 1})],
)
def test_a_withdrawn_ruling_leaves_the_tables_as_they_were_and_stays_readable(
    ridden: Evening, number: str, kind: RulingKind, letter: str, more: dict[str, Any]
) -> None:
    before = stored(ridden.campaign)
    ruling = rulings.rule(ridden.campaign, proposal(ridden, number, kind, letter, **more), ridden.organiser)
    between = stored(ridden.campaign)
    changes = rulings.preview_withdrawal(ruling)

    withdrawal = rulings.withdraw(ruling, ridden.organiser, "The film shows otherwise.")

    assert between != before
    assert stored(ridden.campaign) == before
    assert said(changes) == really(between, before)
    assert (withdrawal.kind, withdrawal.withdraws, withdrawal.number) == (RulingKind.WITHDRAWAL, ruling, 2)
    assert Ruling.objects.get(pk=ruling.pk).is_withdrawn
    assert is_a_fresh_count(ridden.campaign)


def test_withdrawing_twice_is_once(ridden: Evening) -> None:
    ruling = rulings.rule(ridden.campaign, proposal(ridden, "1", DSQ, "A"), ridden.organiser)

    made = [rulings.withdraw(ruling, ridden.organiser, "The film shows otherwise.") for _ in range(2)]

    assert made[0] == made[1]
    assert Ruling.objects.count() == 2


def test_a_withdrawal_is_final(ridden: Evening) -> None:
    ruling = rulings.rule(ridden.campaign, proposal(ridden, "1", DSQ, "A"), ridden.organiser)
    withdrawal = rulings.withdraw(ruling, ridden.organiser, "The film shows otherwise.")

    with pytest.raises(Refused, match="A withdrawal is final"):
        rulings.withdraw(withdrawal, ridden.organiser, "And back again.")


def test_an_archived_season_takes_no_ruling(ridden: Evening) -> None:
    Season.objects.update(archived_at=timezone.now())

    with pytest.raises(Refused, match="archived"):
        rulings.rule(ridden.campaign, proposal(ridden, "1", DSQ, "A"), ridden.organiser)


step = st.tuples(
    st.sampled_from("123"),
    st.sampled_from([PENALTY, BONUS, DSQ, BACK, RulingKind.WITHDRAWAL]),
    st.sampled_from("ABCDEF"),
    st.integers(1, 30),
    st.sampled_from([None, 16, 20, 30]),
)


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(step, min_size=1, max_size=6))
def test_after_any_rulings_and_withdrawals_the_tables_are_a_fresh_count_and_each_said_what_it_did(
    ridden: Evening, steps: list[Any]
) -> None:
    with transaction.atomic():
        start = stored(ridden.campaign)
        for number, kind, letter, amount, turn in steps:
            before = stored(ridden.campaign)
            standing = Ruling.objects.filter(withdraws=None, withdrawn_by=None)
            try:
                if kind == RulingKind.WITHDRAWAL:
                    if not standing:
                        continue
                    made = rulings.withdraw(standing[amount % len(standing)], None, "Taken back again.")
                else:
                    made = rulings.rule(
                        ridden.campaign,
                        proposal(ridden, number, kind, letter, amount=amount, turn=turn, sure=True),
                        None,
                    )
            except rulings.RulingRefused:
                assert stored(ridden.campaign) == before
                continue
            assert said(Changes.from_json(made.changes)) == really(before, stored(ridden.campaign))
            assert is_a_fresh_count(ridden.campaign)
        for ruling in Ruling.objects.filter(withdraws=None, withdrawn_by=None):
            rulings.withdraw(ruling, None, "All of it back.")
        assert stored(ridden.campaign) == start
        transaction.set_rollback(True)
    ridden.campaign.refresh_from_db()


# The pages


def fields(evening: Evening, **more: Any) -> dict[str, Any]:
    return {"stage": "1", "rider": "21", "kind": "penalty", "amount": "5", "reason": "Cut the corner twice."} | more


def hidden(response: Any) -> dict[str, str]:
    form = response.context["confirmation"]
    return {name: str(form[name].value()) for name in ("revision", "key")}


def test_a_commissaire_sees_what_a_penalty_changes_confirms_it_and_everybody_can_read_it(
    ridden: Evening, bruno: Client
) -> None:
    new = address(ridden, "ruling_new")
    assert b"See what it changes" in bruno.get(new).content
    shown = bruno.post(new, fields(ridden) | {"step": "preview"})
    assert shown.status_code == 200
    assert "After stage 3 Sarti wears pink, not Venn" in shown.content.decode()
    assert not Ruling.objects.exists()

    done = bruno.post(new, fields(ridden) | hidden(shown) | {"step": "confirm"})

    ruling = Ruling.objects.get()
    assert (done.status_code, done["Location"]) == (302, address(ridden, "ruling", 1))
    assert (ruling.by, ruling.amount, ruling.reason) == (bruno_user(), 5, "Cut the corner twice.")
    page = Client().get(done["Location"]).content.decode()
    for words in ("Penalty of 5 squares for Venn", "Cut the corner twice.", "Bruno", "Revised", "wears pink, not Venn"):
        assert words in page
    listed = Client().get(address(ridden, "rulings")).content.decode()
    assert "Penalty of 5 squares for Venn" in listed
    assert "example.org" not in page + listed


def bruno_user() -> Any:
    from django.contrib.auth.models import User

    return User.objects.get(username="bruno")


def test_the_second_click_lands_on_the_same_ruling(ridden: Evening, bruno: Client) -> None:
    new = address(ridden, "ruling_new")
    form = fields(ridden, kind="disqualification") | hidden(bruno.post(new, fields(ridden))) | {"step": "confirm"}

    answers = [bruno.post(new, form) for _ in range(2)]

    assert [a["Location"] for a in answers] == [address(ridden, "ruling", 1)] * 2
    assert Ruling.objects.count() == 1


def test_a_late_confirmation_gets_todays_preview_and_keeps_the_typing(ridden: Evening, bruno: Client) -> None:
    new = address(ridden, "ruling_new")
    shown = bruno.post(new, fields(ridden))
    rulings.rule(ridden.campaign, proposal(ridden, "1", PENALTY, "A", amount=1), ridden.organiser)

    late = bruno.post(new, fields(ridden) | hidden(shown) | {"step": "confirm"})

    assert late.status_code == 409
    assert "Something else was decided" in late.content.decode()
    assert "Cut the corner twice." in late.content.decode()
    assert Ruling.objects.count() == 1
    again = bruno.post(new, fields(ridden) | hidden(late) | {"step": "confirm"})
    assert again["Location"] == address(ridden, "ruling", 2)


def test_a_confirmation_without_a_preview_is_shown_one(ridden: Evening, bruno: Client) -> None:
    for broken in ({}, {"revision": "x", "key": "1"}, {"revision": "0", "key": str(uuid.uuid4())}):
        answer = bruno.post(address(ridden, "ruling_new"), fields(ridden) | broken | {"step": "confirm"})
        assert answer.status_code == 409
    assert not Ruling.objects.exists()


def test_going_back_keeps_the_typing(ridden: Evening, bruno: Client) -> None:
    page = bruno.post(address(ridden, "ruling_new"), fields(ridden) | {"step": "edit"})

    assert page.status_code == 200
    assert "Cut the corner twice." in page.content.decode()


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"amount": "19"}, "more than a whole lap"),
        ({"amount": ""}, "How many squares"),
        ({"amount": "-3"}, "greater than or equal to 1"),
        ({"amount": "9" * 30}, "less than or equal to"),
        ({"amount": "five"}, "whole number"),
        ({"reason": "no"}, "at least 5 characters"),
        ({"reason": "x" * 10_000}, "at most 1000 characters"),
        ({"reason": "Cut the\0corner"}, "Null characters"),
        ({"stage": "4"}, "No stage with a published result"),
        ({"stage": "\U0001f6b4"}, "No stage with a published result"),
        ({"rider": "99999999999999999999"}, "Nobody of this campaign"),
        ({"rider": "x"}, "Nobody of this campaign"),
        ({"kind": "correction"}, "Choose one of the four"),
        ({"kind": "reinstatement"}, "nothing to reinstate"),
    ],
)
def test_a_refused_proposal_keeps_the_typing_and_says_why(
    ridden: Evening, bruno: Client, more: dict[str, str], words: str
) -> None:
    answer = bruno.post(address(ridden, "ruling_new"), fields(ridden, **more))

    assert answer.status_code == 422
    assert words in answer.content.decode()
    assert not Ruling.objects.exists()


def test_what_a_kind_does_not_need_does_not_stop_it(ridden: Evening, bruno: Client) -> None:
    answer = bruno.post(
        address(ridden, "ruling_new"), fields(ridden, kind="disqualification", amount="five", turn="-1")
    )

    assert answer.status_code == 200


def test_a_tick_confirms_an_unlikely_penalty(ridden: Evening, bruno: Client) -> None:
    asked = bruno.post(address(ridden, "ruling_new"), fields(ridden, amount="19"))
    assert 'name="sure"' in asked.content.decode()

    assert bruno.post(address(ridden, "ruling_new"), fields(ridden, amount="19", sure="on")).status_code == 200


def test_a_withdrawal_is_previewed_confirmed_and_marked_on_what_it_takes_back(ridden: Evening, bruno: Client) -> None:
    rulings.rule(ridden.campaign, proposal(ridden, "1", PENALTY, "C", amount=5), ridden.organiser)
    page = address(ridden, "ruling_withdraw", 1)
    shown = bruno.get(page)
    assert "After stage 3 Venn wears pink, not Sarti" in shown.content.decode()
    assert bruno.post(page, hidden(shown) | {"reason": "no"}).status_code == 422
    stale = bruno.post(page, {"revision": "1", "key": str(uuid.uuid4()), "reason": "The film shows otherwise."})
    assert stale.status_code == 409
    assert "The film shows otherwise." in stale.content.decode()

    done = bruno.post(page, hidden(shown) | {"reason": "The film shows otherwise."})

    assert done["Location"] == address(ridden, "ruling", 2)
    assert "Withdrawn on" in Client().get(address(ridden, "ruling", 1)).content.decode()
    assert "Ruling 1 withdrawn" in Client().get(address(ridden, "rulings")).content.decode()
    assert bruno.get(page)["Location"] == address(ridden, "ruling", 2)
    assert bruno.post(page, {"reason": "Once more, please."})["Location"] == address(ridden, "ruling", 2)
    assert Ruling.objects.count() == 2


def test_the_list_can_be_read_stage_by_stage(ridden: Evening, client: Client) -> None:
    rulings.rule(ridden.campaign, proposal(ridden, "1", PENALTY, "C", amount=5), ridden.organiser)
    rulings.rule(ridden.campaign, proposal(ridden, "3", BONUS, "A", amount=1), ridden.organiser)

    page = client.get(address(ridden, "rulings"), {"stage": "3"}).content.decode()

    assert "Bonus of 1 square for Sarti" in page
    assert "Penalty of 5" not in page
    assert client.get(address(ridden, "rulings"), {"stage": "9"}).status_code == 404
    assert client.get(address(ridden, "ruling", 3)).status_code == 404
    assert client.get(address(ridden, "ruling", 99999999999999999999)).status_code == 404


def test_names_are_shown_as_typed_and_stay_as_they_were(ridden: Evening, client: Client) -> None:
    rider = ridden.riders["C"]
    rider.name = "</script><b>Zoë \u202eVenn"
    rider.save()
    rulings.rule(
        ridden.campaign,
        proposal(ridden, "1", PENALTY, "C", amount=5, reason="<img src=x onerror=alert(1)>"),
        ridden.organiser,
    )
    rider.name = "Somebody Else"
    rider.save()

    page = client.get(address(ridden, "ruling", 1)).content.decode()

    assert "<b>Zoë" not in page
    assert "<img src=x" not in page
    assert "&lt;/script&gt;&lt;b&gt;Zoë" in page


@pytest.mark.parametrize(("page", "of"), [("ruling_new", ()), ("ruling_withdraw", (1,)), ("correct", ("1",))])
def test_only_the_jury_decides(ridden: Evening, cast: Cast, page: str, of: tuple[Any, ...]) -> None:
    rulings.rule(ridden.campaign, proposal(ridden, "1", PENALTY, "C", amount=5), ridden.organiser)
    where = address(ridden, page, *of)
    answers = {}
    for name, user in (
        ("nobody", None), ("dino", cast.dino), ("carla", cast.carla), ("bruno", cast.bruno), ("anna", cast.anna),
    ):  # fmt: skip
        client = Client()
        if user:
            client.force_login(user)
        answers[name] = (client.get(where).status_code, client.post(where, {}).status_code)

    assert answers == {
        "nobody": (302, 302),
        "dino": (404, 404),
        "carla": (403, 403),
        "bruno": (200, 422),
        "anna": (200, 422),
    }
    assert Ruling.objects.count() == 1


def test_a_closed_club_keeps_its_rulings_to_itself(ridden: Evening, cast: Cast) -> None:
    rulings.rule(ridden.campaign, proposal(ridden, "1", PENALTY, "C", amount=5), ridden.organiser)
    Club.objects.filter(pk=cast.club.pk).update(is_public=False)
    carla = Client()
    carla.force_login(cast.carla)

    for where in (address(ridden, "rulings"), address(ridden, "ruling", 1)):
        assert Client().get(where).status_code == 404
        assert carla.get(where).status_code == 200


def test_an_archived_season_shows_its_rulings_and_takes_no_more(ridden: Evening, bruno: Client) -> None:
    rulings.rule(ridden.campaign, proposal(ridden, "1", PENALTY, "C", amount=5), ridden.organiser)
    Season.objects.update(archived_at=timezone.now())

    assert bruno.get(address(ridden, "ruling", 1)).status_code == 200
    assert bruno.get(address(ridden, "ruling_new")).status_code == 409
    assert bruno.get(address(ridden, "ruling_withdraw", 1)).status_code == 409


def test_the_list_and_a_ruling_cost_the_same_queries_however_many_there_are(ridden: Evening, client: Client) -> None:
    def queries(where: str) -> int:
        client.get(where)
        with CaptureQueriesContext(connection) as asked:
            assert client.get(where).status_code == 200
        return len(asked)

    rulings.rule(ridden.campaign, proposal(ridden, "1", PENALTY, "C", amount=1), ridden.organiser)
    few = queries(address(ridden, "rulings")), queries(address(ridden, "ruling", 1))
    for n in range(1, 20):
        rulings.rule(ridden.campaign, proposal(ridden, "123"[n % 3], PENALTY, "CDE"[n % 3], amount=1), ridden.organiser)
    rulings.withdraw(Ruling.objects.get(number=3), ridden.organiser, "The film shows otherwise.")
    rulings.rule(ridden.campaign, proposal(ridden, "1", DSQ, "A"), ridden.organiser)

    assert (queries(address(ridden, "rulings")), queries(address(ridden, "ruling", 22))) == few


def test_a_preview_costs_the_same_queries_with_twelve_riders_and_thirty_players(ridden: Evening, bruno: Client) -> None:
    where = address(ridden, "ruling_new")

    def queries() -> int:
        with CaptureQueriesContext(connection) as asked:
            assert bruno.post(where, fields(ridden)).status_code == 200
        return len(asked)

    few = queries()
    for n in range(6):
        make.RiderFactory(campaign=ridden.campaign, bib=50 + n, draft_order=50 + n)
    for _ in range(24):
        make.PlayerFactory(club=ridden.club)

    assert queries() == few


def test_merged_players_are_one_in_the_season_and_removed_ones_stay(ridden: Evening) -> None:
    player = ridden.players["C"]
    player.merged_into = ridden.players["A"]
    player.save()
    ridden.teams["blue"].spells.all().delete()
    with transaction.atomic():
        touch_season(ridden.season)

    changes = rulings.preview(ridden.campaign, proposal(ridden, "3", DSQ, "C"))

    names = {t.table: {row.of.name for row in t.rows} for t in changes.tables}
    assert "Player A" in names["season_players"]
    assert "Player C" not in names["season_players"]
    assert "Blue" in names["season_teams"]
    before = stored(ridden.campaign)
    rulings.rule(ridden.campaign, proposal(ridden, "3", DSQ, "C"), ridden.organiser)
    assert said(changes) == really(before, stored(ridden.campaign))
