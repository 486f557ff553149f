"""The sheet of a round: tapped or typed, checked at the cell, published, signed, corrected; two clerks on it at once."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from league import rounds, series
from league.errors import Late, Refused
from league.models import Round, RoundVersion
from league.models.results import SheetState
from league.rounds import BOT, NO_SHOW, OFF, RoundRefused
from tests import factories as make
from tests.conftest import Cast
from tests.factories import FIRST_EVENING
from tests.league.series.club import FINISH, Coppa

SPRINT = "A1 B1 C1 D1 A2 B2 C2 D2"


@pytest.fixture
def round_(coppa: Coppa) -> Round:
    return coppa.round("1")


def signed_on(user: object) -> Client:
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def bruno(cast: Cast) -> Client:
    return signed_on(cast.bruno)


def kept(round_: Round) -> dict[str, str]:
    return dict(Round.objects.get(pk=round_.pk).cells)


def test_a_tap_writes_the_next_one_and_takes_the_last_one_off(coppa: Coppa, round_: Round, bruno: Client) -> None:
    url = coppa.url("round_sheet", "1")

    for tapped in ("line-1:B1", "line-1:A3", "line-1:C2", "line-1:-", "line-1:Z9", "nonsense"):
        answer = bruno.post(url, {"tap": tapped})
        assert answer.status_code == 302

    assert kept(round_) == {"line-1": "B1 A3"}
    page = bruno.get(url).content.decode()
    assert 'value="line-1:D4"' in page
    assert "B1, place 1" in page


def test_a_tap_keeps_what_else_was_typed(coppa: Coppa, round_: Round, bruno: Client) -> None:
    bruno.post(coppa.url("round_sheet", "1"), {"line-2": "A1", "was-line-2": "", "tap": "line-1:B1"})

    assert kept(round_) == {"line-1": "B1", "line-2": "A1"}


def test_what_cannot_have_happened_is_refused_at_its_cell_and_nothing_typed_is_lost(
    coppa: Coppa, round_: Round, bruno: Client
) -> None:
    typed = {"line-1": "A1 A1 B7 ?", "line-2": FINISH, "total-A": "many", "publish": "1"}

    answer = bruno.post(coppa.url("round_sheet", "1"), typed)
    page = answer.content.decode()

    assert answer.status_code == 422
    assert "BA-VAL-02" in page
    assert "B7" in page
    assert ">A1 A1 B7 ?</textarea>" in page
    assert 'value="many"' in page
    assert not RoundVersion.objects.exists()
    assert kept(round_)["line-1"] == "A1 A1 B7 ?"


def test_a_sheet_goes_from_provisional_to_official_and_the_same_again_is_no_version(
    coppa: Coppa, round_: Round, bruno: Client
) -> None:
    url = coppa.url("round_sheet", "1")

    bruno.post(url, {"line-1": SPRINT, "line-2": FINISH, "publish": "1"})
    for button in ("publish", "official", "official"):
        assert bruno.post(url, {button: "1"}).status_code == 302

    states = list(RoundVersion.objects.values_list("number", "state"))
    assert states == [(1, SheetState.PROVISIONAL), (2, SheetState.OFFICIAL)]
    found = Round.objects.get(pk=round_.pk)
    assert (found.is_official, found.is_revised, str(found.signed_by)) == (True, False, "bruno")


def test_an_official_sheet_is_corrected_with_a_reason_and_what_stood_stays_readable(
    coppa: Coppa, bruno: Client
) -> None:
    coppa.ride("1", SPRINT)
    url = coppa.url("round_sheet", "1")
    other = SPRINT.replace("A1 B1", "B1 A1")

    without = bruno.post(url, {"line-1": other, "was-line-1": SPRINT, "correct": "1", "reason": "  "})
    assert without.status_code == 422
    assert "say why it is corrected" in without.content.decode()
    assert f">{other}</textarea>" in without.content.decode()
    bruno.post(url, {"correct": "1", "reason": "Two tiles were exchanged."})

    page = bruno.get(coppa.url("round_version", "1", 2)).content.decode()
    assert "Two tiles were exchanged." in page
    assert SPRINT in page
    assert other in page
    old = bruno.get(coppa.url("round_version", "1", 1)).content.decode()
    assert "what stood before" in old
    assert other not in old
    assert Round.objects.get().stamp == "revised"


def test_a_correction_that_changes_nothing_is_no_version(coppa: Coppa, bruno: Client) -> None:
    coppa.ride("1", SPRINT)

    bruno.post(coppa.url("round_sheet", "1"), {"correct": "1", "reason": "To be sure."})

    assert RoundVersion.objects.count() == 1


def test_what_two_clerks_type_into_different_cells_both_stays(coppa: Coppa, cast: Cast, round_: Round) -> None:
    rounds.type_cells(round_, cast.anna, {"line-1": SPRINT}, {"line-1": ""})
    rounds.type_cells(round_, cast.bruno, {"line-2": FINISH, "line-1": ""}, {"line-2": "", "line-1": ""})

    assert kept(round_) == {"line-1": SPRINT, "line-2": FINISH}


def test_what_two_clerks_type_into_one_cell_is_shown_with_both_and_the_rest_is_kept(
    coppa: Coppa, cast: Cast, round_: Round, bruno: Client
) -> None:
    rounds.type_cells(round_, cast.anna, {"line-1": "A1 B1"}, {"line-1": ""})
    url = coppa.url("round_sheet", "1")

    late = bruno.post(url, {"line-1": "B1 A1", "was-line-1": "", "line-2": FINISH, "was-line-2": "", "publish": "1"})
    page = late.content.decode()

    assert late.status_code == 409
    assert ">B1 A1</textarea>" in page
    assert "Meanwhile somebody else wrote: A1 B1" in page
    assert 'name="was-line-1" value="A1 B1"' in page  # saved again, his stands
    assert kept(round_) == {"line-1": "A1 B1", "line-2": FINISH}
    assert not RoundVersion.objects.exists()
    bruno.post(url, {"line-1": "B1 A1", "was-line-1": "A1 B1", "save": "1"})
    assert kept(round_)["line-1"] == "B1 A1"


def test_who_types_into_a_sheet_that_was_signed_meanwhile_is_told(coppa: Coppa, cast: Cast) -> None:
    coppa.ride("1", SPRINT)
    found = coppa.series.rounds.get()
    found.series = coppa.series

    with pytest.raises(Late, match="made official meanwhile"):
        rounds.type_cells(found, cast.bruno, {"line-1": "A1"}, {"line-1": SPRINT})

    assert kept(found)["line-1"] == SPRINT


def test_who_did_not_come_is_no_starter_and_a_substitute_is_named(coppa: Coppa, cast: Cast) -> None:
    zoe = make.PlayerFactory(club=coppa.season.club, name="Zoë")
    round_ = coppa.round("1")
    who = {code: f"who-{entrant.pk}" for code, entrant in coppa.entrants.items()}
    coppa.type(round_, "A1 B1 C1 A2 B2 C2 A3 B3", "A1 B1 C1 A2 B2 C2 A3 B3", **{who["D"]: NO_SHOW})
    rounds.type_cells(round_, cast.anna, {who["C"]: f"sub-{zoe.pk}", who["B"]: BOT}, {})

    version = rounds.publish(round_, cast.anna)

    told = {row["entrant"]: row for row in version.result["rows"]}
    pks = {code: entrant.pk for code, entrant in coppa.entrants.items()}
    assert [told[pks[code]]["rank"] for code in "ABCD"] == [1, 2, 3, None]
    assert [told[pks[code]]["no_show"] for code in "ABCD"] == [False, False, False, True]
    assert (told[pks["B"]]["bot"], told[pks["C"]]["substitute"]) == (True, zoe.pk)


def test_who_rode_for_himself_and_for_another_is_asked_about(coppa: Coppa, round_: Round, bruno: Client) -> None:
    ada, bice = coppa.players["A"].pk, coppa.entrants["B"].pk
    coppa.type(round_, SPRINT, **{f"who-{bice}": f"sub-{ada}"})
    url, sure = coppa.url("round_sheet", "1"), f"sure-several-{ada}"

    refused = bruno.post(url, {"publish": "1"})
    assert refused.status_code == 422
    assert "Ada rode for several at once: A, B. Was it so?" in refused.content.decode()

    assert bruno.post(url, {sure: "on", f"was-{sure}": "", "publish": "1"}).status_code == 302
    assert Round.objects.get(pk=round_.pk).version == 1
    body = bruno.get(url).content.decode()
    assert f'name="{sure}" value="on" checked' in body


def test_who_is_not_in_the_round_is_on_no_row(coppa: Coppa, cast: Cast) -> None:
    coppa.ride("1", "A1 B1 C1 A2 B2 C2 A3 B3", "A1 B1 C1 A2 B2 C2 A3 B3", **{f"who-{coppa.entrants['D'].pk}": OFF})

    rows = RoundVersion.objects.get().result["rows"]
    assert coppa.entrants["D"].pk not in [row["entrant"] for row in rows]


def test_what_was_typed_for_somebody_who_did_not_come_holds_nothing_up(coppa: Coppa, cast: Cast) -> None:
    round_ = coppa.round("1")
    crossed = "A1 B1 C1 A2 B2 C2 A3 B3"
    coppa.type(round_, crossed, crossed, **{"total-D": "12", f"who-{coppa.entrants['D'].pk}": NO_SHOW})

    rounds.publish(round_, cast.anna)

    assert kept(round_)["total-D"] == "12"
    rounds.type_cells(
        round_, cast.anna, {f"who-{coppa.entrants['D'].pk}": ""}, {f"who-{coppa.entrants['D'].pk}": NO_SHOW}
    )
    with pytest.raises(RoundRefused):
        rounds.publish(round_, cast.anna)


def test_a_madison_asks_for_teams_and_laps(coppa: Coppa, cast: Cast, bruno: Client) -> None:
    setup = {"breaking_away-variant": "madison", "breaking_away-madison_small": "on"}
    round_ = series.new_round(coppa.series, series.RoundPlan(number="1", starts_at=FIRST_EVENING, setup=setup))
    lines = {f"line-{n}": "A B C D" for n in range(1, 5)}
    laps = {f"laps-{code}": str(n) for n, code in enumerate("ABCD")}

    answer = bruno.post(coppa.url("round_sheet", "1"), lines | laps | {"publish": "1"})

    assert answer.status_code == 302, answer.content.decode()
    rows = RoundVersion.objects.get(round=round_).result["rows"]
    assert [(row["rank"], row["facts"]["laps"]) for row in rows] == [(1, 0), (2, 1), (3, 2), (4, 3)]
    assert 'value="line-1:A"' in bruno.get(coppa.url("round_sheet", "1")).content.decode()


def test_nobody_is_ridden_for_by_somebody_of_another_club(
    coppa: Coppa, cast: Cast, bruno: Client, round_: Round
) -> None:
    stranger = make.PlayerFactory(club=cast.other_club)
    cell = f"who-{coppa.entrants['A'].pk}"

    bruno.post(coppa.url("round_sheet", "1"), {cell: f"sub-{stranger.pk}", f"was-{cell}": ""})

    assert cell not in kept(round_)


def test_a_sheet_with_changes_can_be_put_back_to_what_is_published(coppa: Coppa, bruno: Client) -> None:
    coppa.ride("1", SPRINT, official=False)
    url = coppa.url("round_sheet", "1")
    bruno.post(url, {"line-1": "A1", "was-line-1": SPRINT, "save": "1"})
    assert "changes that are not published" in bruno.get(url).content.decode()

    bruno.post(url, {"reset": "1"})

    assert Round.objects.get().cells["line-1"] == SPRINT
    assert "changes that are not published" not in bruno.get(url).content.decode()


def test_a_refusal_says_what_is_not_ready(coppa: Coppa, cast: Cast, round_: Round) -> None:
    with pytest.raises(RoundRefused, match="not ready") as caught:
        rounds.publish(round_, cast.anna)

    assert caught.value.findings
    assert isinstance(caught.value, Refused)


def test_the_sheet_asks_the_database_as_much_for_nine_as_for_four(coppa: Coppa, bruno: Client, round_: Round) -> None:
    url = coppa.url("round_sheet", "1")
    bruno.get(url)
    with CaptureQueriesContext(connection) as few:
        bruno.get(url)
    more = [make.PlayerFactory(club=coppa.season.club) for _ in range(5)]
    series.set_entrants(coppa.series, series.EntrantsPlan(players=more))
    with CaptureQueriesContext(connection) as many:
        bruno.get(url)

    assert len(many) == len(few)
