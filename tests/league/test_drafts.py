"""What happens to typed cells: two people on one sheet, the same thing sent twice, nonsense, going back."""

import threading

import pytest
from django.db import connection

from league import results
from league.errors import Late, Refused
from league.models import DraftCell, Sheet
from tests.conftest import Cast
from tests.evening import Evening


def held(evening: Evening, number: str = "1") -> dict[str, str]:
    return dict(DraftCell.objects.filter(sheet__stage=evening.stages[number]).values_list("key", "value"))


@pytest.fixture
def turn(evening: Evening) -> str:
    return f"turn-{evening.riders['A'].pk}"


@pytest.fixture
def energy(evening: Evening) -> str:
    return f"energy-{evening.riders['C'].pk}"


def test_two_clerks_who_type_into_different_cells_both_keep_their_typing(evening: Evening, cast: Cast, turn, energy):
    stage = evening.stages["1"]
    opened = {turn: "", energy: ""}

    results.type_cells(stage, cast.anna, {turn: "12", energy: ""}, opened)
    typed = results.type_cells(stage, cast.bruno, {turn: "", energy: "9"}, opened)

    assert typed.clashes == ()
    assert held(evening) == {turn: "12", energy: "9"}


def test_a_cell_that_both_changed_keeps_both_values_until_one_is_chosen(evening: Evening, cast: Cast, turn):
    stage = evening.stages["1"]
    results.type_cells(stage, cast.anna, {turn: "12"}, {turn: ""})

    typed = results.type_cells(stage, cast.bruno, {turn: "13"}, {turn: ""})

    cell = DraftCell.objects.get(key=turn)
    assert typed.clashes == (turn,)
    assert (cell.value, cell.other, cell.is_clash, cell.typed_by) == ("12", "13", True, cast.anna)
    with pytest.raises(results.SheetRefused, match="Two people"):
        results.publish(stage, cast.anna)


@pytest.mark.parametrize(("take_other", "chosen"), [(False, "12"), (True, "13")])
def test_a_clash_ends_with_the_value_that_was_chosen(evening: Evening, cast: Cast, turn, take_other, chosen):
    stage = evening.stages["1"]
    results.type_cells(stage, cast.anna, {turn: "12"}, {turn: ""})
    results.type_cells(stage, cast.bruno, {turn: "13"}, {turn: ""})

    results.settle(stage, cast.bruno, turn, take_other=take_other)
    results.settle(stage, cast.anna, turn, take_other=not take_other)  # too late: it has been chosen

    cell = DraftCell.objects.get(key=turn)
    assert (cell.value, cell.other, cell.is_clash) == (chosen, "", False)


def test_in_a_clash_everybody_goes_on_typing_on_his_own_side(evening: Evening, cast: Cast, turn):
    stage = evening.stages["1"]
    results.type_cells(stage, cast.anna, {turn: "1"}, {turn: ""})
    results.type_cells(stage, cast.bruno, {turn: "2"}, {turn: ""})

    results.type_cells(stage, cast.anna, {turn: "14"}, {turn: "1"})
    results.type_cells(stage, cast.bruno, {turn: "15"}, {turn: "2"})

    cell = DraftCell.objects.get(key=turn)
    assert (cell.value, cell.other, cell.is_clash) == ("14", "15", True)


def test_a_clash_ends_by_itself_when_both_say_the_same(evening: Evening, cast: Cast, turn):
    stage = evening.stages["1"]
    results.type_cells(stage, cast.anna, {turn: "14"}, {turn: ""})
    results.type_cells(stage, cast.bruno, {turn: "1"}, {turn: ""})

    results.type_cells(stage, cast.bruno, {turn: "14"}, {turn: "1"})

    cell = DraftCell.objects.get(key=turn)
    assert (cell.value, cell.other, cell.is_clash) == ("14", "", False)


def test_what_is_sent_a_second_time_because_the_answer_was_lost_changes_nothing(evening: Evening, cast: Cast, turn):
    stage = evening.stages["1"]
    first = results.type_cells(stage, cast.anna, {turn: "12"}, {turn: ""})

    second = results.type_cells(stage, cast.anna, {turn: "012 "}, {turn: ""})

    assert (second.stored, second.clashes, second.revision) == ((turn,), (), first.revision)
    assert held(evening) == {turn: "12"}


def test_a_text_too_long_for_a_cell_never_becomes_a_number(evening: Evening, turn):
    evening.type("1", {turn: "1" + " " * 400 + "2"})

    assert len(held(evening)[turn]) == results.LONGEST
    refused = [f for f in results.entry_of(evening.stages["1"]).findings if f.cell == turn and f.level == "refuse"]
    assert refused


def test_a_character_that_no_database_keeps_is_replaced(evening: Evening, turn):
    evening.type("1", {turn: "1\x002"})

    assert held(evening)[turn] == "1\ufffd2"


def test_throwing_the_draft_away_brings_back_what_is_published(evening: Evening, cast: Cast, turn):
    evening.ride("1", official=False)
    published = held(evening)
    results.type_cells(evening.stages["1"], cast.bruno, {turn: "99", "never": "on"}, {turn: published[turn]})

    results.reset_draft(evening.stages["1"], cast.anna)

    assert held(evening) == published


def test_a_draft_that_was_never_published_has_nothing_to_go_back_to(evening: Evening, turn):
    evening.type("1", {turn: "12"})

    with pytest.raises(Refused, match="no published result"):
        results.reset_draft(evening.stages["1"], evening.organiser)
    assert held(evening) == {turn: "12"}


def test_somebody_late_on_a_sheet_that_became_official_is_told_and_nothing_changes(evening: Evening, cast: Cast, turn):
    evening.ride("1")
    before = held(evening)

    with pytest.raises(Late, match="official meanwhile"):
        results.type_cells(evening.stages["1"], cast.bruno, {turn: "13"}, {turn: "12"}, unless_official=True)
    assert held(evening) == before
    same = results.type_cells(evening.stages["1"], cast.bruno, {turn: "12"}, {turn: ""}, unless_official=True)
    assert same.stored == (turn,)  # a late copy of what is stored anyway is no change


class TestTheOrderOfArrival:
    KEYS = ("place-1", "place-2", "place-3", "place-4")

    @pytest.mark.parametrize(
        ("cells", "key", "way", "changes"),
        [
            ({}, "place-3", "next", {"place-3": "1"}),
            ({"place-3": "1"}, "place-1", "next", {"place-1": "2"}),
            ({"place-1": "1", "place-2": "3"}, "place-4", "next", {"place-4": "2"}),  # the first free place
            ({"place-1": "1"}, "place-1", "next", {}),  # he has one
            ({"place-1": "1", "place-2": "2"}, "place-2", "up", {"place-2": "1", "place-1": "2"}),
            ({"place-1": "1", "place-2": "2"}, "place-1", "up", {}),
            ({"place-1": "1", "place-2": "4"}, "place-1", "down", {"place-1": "4", "place-2": "1"}),
            ({"place-1": "2", "place-2": "2"}, "place-2", "up", {"place-2": "1"}),  # given twice: counted anew
            ({"place-1": "abc"}, "place-1", "up", {}),  # what is no place does not move
            ({"place-1": "0", "place-2": "1"}, "place-2", "down", {}),
        ],
    )
    def test_a_move_changes_only_the_places_that_it_must(self, cells, key, way, changes):
        assert results.moved(self.KEYS, cells, key, way) == changes

    def test_riders_without_a_readable_place_stand_at_the_end_by_bib(self):
        cells = {"place-1": "x", "place-2": "", "place-4": "1"}

        assert results.in_order(self.KEYS, cells) == ["place-4", "place-1", "place-2", "place-3"]

    def test_two_clerks_who_tap_on_two_phones_give_two_places(self, evening: Evening, cast: Cast):
        keys = [f"place-{evening.riders[letter].pk}" for letter in "ABCDEF"]

        results.move(evening.stages["1"], cast.anna, keys, keys[2], "next")
        results.move(evening.stages["1"], cast.bruno, keys, keys[4], "next")

        assert held(evening) == {keys[2]: "1", keys[4]: "2"}


@pytest.mark.services
@pytest.mark.django_db(transaction=True)
def test_twelve_clerks_at_once_lose_nothing(request):
    if connection.vendor != "postgresql":
        pytest.skip("needs PostgreSQL: row locks")
    evening: Evening = request.getfixturevalue("evening")
    stage, barrier = evening.stages["1"], threading.Barrier(12)
    cells = [f"{cell}-{rider.pk}" for rider in evening.riders.values() for cell in ("turn", "energy")]
    faults: list[BaseException] = []

    def clerk(key: str, value: str) -> None:
        try:
            barrier.wait(20)
            results.type_cells(stage, None, {key: value}, {key: ""})
        except BaseException as fault:  # noqa: BLE001  # shown by the assertion below
            faults.append(fault)
        finally:
            connection.close()

    threads = [threading.Thread(target=clerk, args=(key, str(n + 10))) for n, key in enumerate(cells)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)

    assert faults == []
    assert held(evening) == {key: str(n + 10) for n, key in enumerate(cells)}
    assert Sheet.objects.get(stage=stage).draft_revision == 12
