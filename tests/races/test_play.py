"""The one door of a race: what it lets in, what it writes, and what can be taken back."""

import random
from typing import Any

import pytest
from django.core.exceptions import ObjectDoesNotExist

from races import bots, fairness, play, signals, watch
from races.errors import NotYours, Refused, StaleTurn
from races.fairness import Verdict, verify
from races.models import Entry, Position, Race, Receipt, Secret, Status
from rules.errors import IllegalAction, RulesError
from rules.game import Decision, Seat, Taker
from rules.giro.actions import End, KeepTile, Move, Pursue, Reveal, UseTile
from tests.races.rides import (
    BOTTLES,
    CRONO,
    ROAD,
    answer,
    due,
    fresh,
    log_of,
    opened,
    ride,
    seat,
    started,
    user_called,
)

pytestmark = pytest.mark.django_db


def entries(race: Race) -> list[tuple[int, str, str]]:
    return list(race.entries.values_list("n", "taker", "seat"))


def stands(race: Race) -> tuple[Any, ...]:
    """All that a race is: its log, and where it stands."""
    now = fresh(race)
    return (
        now.n,
        now.status,
        list(now.entries.values("n", "taker", "seat", "action", "events", "rewind_to", "note")),
        Position.objects.filter(race=now).values("n", "state", "opened").first(),
    )


def made() -> Race:
    """A race with the seed that the site gave it."""
    return play.open_race(title="Made", game="giro", options=ROAD, seats=[{"name": "Anna"}], owner=None)


def until_due(race: Race, kind: str, name: str | None = None, *, seed: int = 7) -> Race:
    """Ride until somebody (that seat) is asked that kind of question."""

    def asked(now: Race) -> bool:
        return any(d.kind == kind and (name is None or d.seat == name) for d in play.look(now).decisions)

    found = ride(race, rng=random.Random(seed), until=asked)
    assert found.is_running, f"nobody was asked {kind}"
    return found


def agrees_with_its_log(race: Race) -> bool:
    """The stored position, the decisions that are open and since when: all of it follows from the log."""
    now = fresh(race)
    state, since = play.rebuilt(now)
    position = now.position
    return (position.n, position.state, position.opened) == (now.n, play.game_of(now).write_state(state), since)


# ---- opening and starting --------------------------------------------------------------------------------------------
class TestStart:
    def test_a_race_shows_its_commitment_from_the_first_moment_and_keeps_the_seed(self):
        race = made()

        seed = bytes(Secret.objects.get(race=race).seed)
        assert race.commitment == fairness.commitment(seed)
        assert len(seed) == 32

    def test_every_race_has_a_seed_a_key_and_an_invitation_of_its_own(self):
        races = [made() for _n in range(5)]

        assert len({bytes(Secret.objects.get(race=race).seed) for race in races}) == 5
        assert len({race.key for race in races} | {race.invitation for race in races}) == 10

    def test_a_race_at_a_table_has_neither_seed_nor_commitment(self):
        race = opened(way="refereed")

        assert race.commitment == ""
        assert not Secret.objects.filter(race=race).exists()

    def test_a_free_seat_keeps_it_from_starting_and_is_named(self):
        race = opened()
        race.seats.filter(name="Bruno").update(user=None, label="the seat by the door")

        with pytest.raises(Refused, match="the seat by the door"):
            play.start(race, by=race.owner)

        assert fresh(race).is_open
        with pytest.raises(ObjectDoesNotExist):
            _ = fresh(race).position

    def test_what_the_rules_have_against_it_leaves_it_open(self):
        race = opened({"course": "a road that nobody knows"})

        with pytest.raises(RulesError, match="no course"):
            play.start(race, by=race.owner)

        assert (fresh(race).status, fresh(race).n, fresh(race).entrants) == (Status.OPEN, 0, [])

    def test_it_starts_once(self):
        race = started()

        with pytest.raises(Refused, match="started already"):
            play.start(race, by=race.owner)

    def test_the_entrants_are_written_down_as_they_started(self):
        race = started()

        assert [entrant["seat"] for entrant in race.entrants] == ["Anna", "Bruno"]

    def test_nothing_can_be_done_before_the_start(self):
        race = opened()

        with pytest.raises(Refused, match="not started"):
            play.submit(race.pk, seat="Anna", action=End(), decision="attack:Anna::", after=0, key="k")
        with pytest.raises(Refused, match="not started"):
            play.rewind(race.pk, to=0, reason="because", by=None)
        with pytest.raises(Refused, match="not started"):
            play.recompute(race.pk)


# ---- submitting ------------------------------------------------------------------------------------------------------
class TestSubmit:
    def test_an_answer_is_an_entry_with_its_seat_its_action_and_what_happened(self):
        race = started()

        n = answer(race, End(), seat="Anna")

        entry = race.entries.get(n=n)
        assert (entry.taker, entry.seat, entry.action) == ("seat", "Anna", {"kind": "end"})
        assert fresh(race).n >= n
        assert agrees_with_its_log(race)

    def test_who_is_not_asked_may_not_answer(self):
        race = started()
        before = stands(race)

        with pytest.raises(NotYours):
            answer(race, End(), seat="Bruno", decision=due(race, "Anna"))

        assert stands(race) == before

    def test_who_names_no_seat_of_the_race_may_not_answer(self):
        race = started()

        with pytest.raises(NotYours):
            answer(race, End(), seat="Carla", decision=due(race, "Anna"))

    def test_nobody_answers_for_a_bot(self):
        race = started(people=["Bruno"], robots={"Anna": "easy"})

        with pytest.raises(NotYours):
            answer(race, End(), seat="Anna")

        assert entries(race) == []

    def test_who_lost_the_seat_since_his_page_was_made_may_not_answer(self):
        race = started()
        name = play.name_of(due(race, "Anna"))
        play.substitute(race.pk, seat="Anna", user=user_called("Zoe"), bot="", label="Zoe", by=race.owner)

        with pytest.raises(NotYours):
            play.submit(
                race.pk, seat="Anna", action=End(), decision=name, after=0, key="k", by=user_called("Anna")
            )  # fmt: skip
        assert play.submit(
            race.pk, seat="Anna", action=End(), decision=name, after=0, key="k", by=user_called("Zoe")
        )  # fmt: skip

    def test_a_decision_that_is_no_longer_open_is_stale(self):
        race = started()
        old = due(race, "Anna")
        answer(race, End(), decision=old)
        before = stands(race)

        with pytest.raises(StaleTurn, match=f"entry {fresh(race).n}"):
            answer(race, End(), decision=old, after=0)

        assert stands(race) == before

    def test_the_same_question_asked_again_is_not_answered_by_a_page_of_the_first_time(self):
        """Anna is asked to attack in every turn; the form of turn 1 is no move in turn 2."""
        race = started()
        first = due(race, "Anna")
        answer(race, End(), decision=first)
        until_due(race, "attack", "Anna")
        before = stands(race)
        assert due(race, "Anna") == first

        with pytest.raises(StaleTurn):
            answer(race, End(), decision=first, after=0)

        assert stands(race) == before

    def test_the_same_submission_again_is_the_same_entry_and_does_nothing(self):
        race = started()
        decision = due(race, "Anna")

        first = answer(race, End(), decision=decision, after=0, key="once")
        before = stands(race)
        again = answer(race, End(), decision=decision, after=0, key="once")

        assert again == first
        assert stands(race) == before
        assert Receipt.objects.filter(race=race).count() == 1

    def test_the_same_key_of_another_seat_or_race_is_another_submission(self):
        race, other = started(), started()

        answer(race, End(), seat="Anna", key="k")
        answer(other, End(), seat="Anna", key="k")
        until_due(race, "attack", "Bruno")
        answer(race, seat="Bruno", key="k")

        assert list(Receipt.objects.filter(key="k").order_by("pk").values_list("race", "seat")) == [
            (race.pk, "Anna"), (other.pk, "Anna"), (race.pk, "Bruno"),
        ]  # fmt: skip

    def test_the_same_submission_again_is_answered_after_the_end_too(self):
        race = started()
        first = answer(race, End(), seat="Anna", key="k")
        race = ride(race)

        assert answer(race, End(), seat="Anna", decision=_any(), after=0, key="k") == first

    @pytest.mark.parametrize("key", ["", "k" * 65, "a\0b"])
    def test_a_key_that_cannot_be_kept_is_refused_in_words(self, key: str):
        race = started()
        before = stands(race)

        with pytest.raises(Refused, match="Load the page again"):
            play.submit(race.pk, seat="Anna", action=End(), decision="attack:Anna::", after=0, key=key)

        assert stands(race) == before

    def test_what_the_rules_forbid_names_its_rule_and_stores_nothing(self):
        race = started()
        before = stands(race)

        with pytest.raises(IllegalAction) as refusal:
            answer(race, Pursue(yes=True), seat="Anna")

        assert refusal.value.rule == "GI-M-09"
        assert stands(race) == before
        assert not Receipt.objects.filter(race=race).exists()

    def test_an_answer_to_one_open_decision_is_not_taken_as_the_answer_to_another(self):
        """In a time trial all are asked at once: Anna's form may not ride for Bruno."""
        race = started(CRONO)
        bruno = due(race, "Bruno")
        table = play.look(fresh(race))
        his = table.game.legal(table.state, bruno)[0]
        before = stands(race)

        with pytest.raises(NotYours):
            answer(race, his, seat="Anna")

        assert stands(race) == before

    def test_several_open_decisions_are_answered_in_any_order_and_none_refuses_another(self):
        race = started(CRONO, people=["Anna", "Bruno", "Carla"])
        pages = {d.seat: (d, fresh(race).position.opened[play.name_of(d)]) for d in play.look(fresh(race)).decisions}

        for name in ("Carla", "Anna", "Bruno"):
            decision, after = pages[name]
            answer(race, decision=decision, after=after)

        assert [s for _n, taker, s in entries(race) if taker == "seat"] == ["Carla", "Anna", "Bruno"]
        assert agrees_with_its_log(race)


def _any() -> Any:
    """A decision that is open in no race."""
    return Decision(kind="attack", taker=Taker.SEAT, seat=Seat("Anna"))


# ---- chance ----------------------------------------------------------------------------------------------------------
class TestChance:
    def test_what_is_to_be_rolled_is_rolled_in_the_transaction_that_led_to_it(self):
        race = started()
        until_due(race, "pursue")
        before = fresh(race).n

        answer(race)

        taken = [(n, taker) for n, taker, _seat in entries(race) if n > before]
        assert taken[:2] == [(before + 1, "seat"), (before + 2, "chance")]
        assert all(decision.taker is not Taker.CHANCE for decision in play.look(fresh(race)).decisions)

    @pytest.mark.parametrize("options", [ROAD, BOTTLES, CRONO], ids=["road", "bottles", "time trial"])
    @pytest.mark.parametrize("seed", [1, 2, 3])
    def test_a_race_that_was_ridden_is_found_fair(self, options: dict[str, Any], seed: int):
        race = ride(started(options, people=["Anna", "Bruno", "Carla"]), rng=random.Random(seed))

        found = verify(log_of(race))

        assert found.findings == ()
        assert found.verdict is Verdict.FAIR
        assert found.outcome == race.outcome
        assert options is CRONO or found.rolls

    def test_a_race_with_drafted_riders_is_found_fair(self):
        race = opened({"course": "colli", "cards": "matched"})
        race.seats.update(entrant={"draft": 2})
        race = ride(play.start(race, by=None))

        found = verify(log_of(race))

        assert (found.findings, found.verdict) == ((), Verdict.FAIR)

    def test_a_seat_does_not_roll_the_die(self):
        """At a table somebody types what fell; on the site no submission does."""
        race = started(way="refereed")
        until = _refereed_until(race, Taker.CHANCE)
        race.way = "online"

        with pytest.raises(NotYours):
            play.submit(race.pk, seat="Anna", action=until[1], decision=until[0], after=until[2], key="k")

    def test_what_falls_hangs_on_seed_key_and_answers_alone(self):
        race = ride(started(BOTTLES))
        told = stands(race)[2]
        Race.objects.filter(pk=race.pk).update(key="elsewhere")
        again = opened(BOTTLES)
        Race.objects.filter(pk=again.pk).update(key=race.key)

        play.start(fresh(again), by=None)
        ride(again)

        assert stands(again)[2] == told
        assert any(entry["taker"] == "chance" for entry in told)


def _refereed_until(race: Race, taker: Taker) -> tuple[str, Any, int]:
    """At a table: type the first answer to everything until somebody of that kind is asked: name, an answer, opened."""
    for n in range(1000):
        table = play.look(fresh(race))
        decision = table.decisions[0]
        action = table.game.legal(table.state, decision)[0]
        name = play.name_of(decision)
        if decision.taker is taker:
            return name, action, table.opened[name]
        play.referee(race.pk, action=action, decision=name, after=table.opened[name], key=f"auto-{n}", by=None)
    raise AssertionError("it was never asked")


# ---- at a table ------------------------------------------------------------------------------------------------------
class TestReferee:
    def test_the_referee_types_decisions_and_dice_and_the_check_says_that_a_table_rolled(self):
        race = started(way="refereed")
        for n in range(1000):
            now = fresh(race)
            if not now.is_running:
                break
            table = play.look(now)
            decision = table.decisions[0]
            name = play.name_of(decision)
            action = table.game.legal(table.state, decision)[0]
            play.referee(race.pk, action=action, decision=name, after=table.opened[name], key=str(n), by=race.owner)

        found = verify(log_of(race))
        assert fresh(race).status == Status.OVER
        assert (found.findings, found.verdict) == ((), Verdict.TABLE)
        assert {by for (by,) in race.entries.values_list("by__username")} == {"olga"}

    def test_nobody_rolls_for_a_race_on_the_site(self):
        race = started()
        before = stands(race)

        with pytest.raises(Refused, match="ridden on the site"):
            play.referee(race.pk, action=End(), decision="attack:Anna::", after=0, key="k", by=race.owner)

        assert stands(race) == before

    def test_the_organiser_of_a_race_on_the_site_tells_what_the_rules_leave_to_him(self):
        """The order on the stopwatch of a time trial: nobody else can, and without it the race would never end."""
        race = ride(
            started(CRONO | {"tt_clock": "measured"}, people=["Anna", "Bruno"]),
            until=lambda now: play.look(now).decisions[0].taker is Taker.ORGANISER,
        )
        table = play.look(race)
        name = play.name_of(table.decisions[0])
        order = table.game.legal(table.state, table.decisions[0])[0]

        play.referee(race.pk, action=order, decision=name, after=table.opened[name], key="k", by=race.owner)

        found = verify(log_of(race))
        assert fresh(race).status == Status.OVER
        assert (found.findings, found.verdict) == ((), Verdict.FAIR)

    def test_a_roll_is_not_taken_for_a_decision_of_somebody_else(self):
        """In a time trial at a table: the form of a roll cannot ride for another seat."""
        race = started(CRONO, way="refereed")
        name, after, action = _crack_pending(race)
        before = stands(race)

        with pytest.raises(NotYours):
            play.referee(race.pk, action=action, decision=name, after=after, key="k", by=None)

        assert stands(race) == before


def _crack_pending(race: Race) -> tuple[str, int, Any]:
    """A time trial at a table with a tile to be drawn for one, while another is to ride: the draw's name, and the ride."""
    rng = random.Random(3)
    for n in range(1000):
        table = play.look(fresh(race))
        chance = next((d for d in table.decisions if d.taker is Taker.CHANCE), None)
        rider = next((d for d in table.decisions if d.taker is Taker.SEAT), None)
        if chance and rider:
            name = play.name_of(chance)
            return name, table.opened[name], table.game.legal(table.state, rider)[0]
        decision = table.decisions[0]
        name = play.name_of(decision)
        action = rng.choice(list(table.game.legal(table.state, decision)))
        play.referee(race.pk, action=action, decision=name, after=table.opened[name], key=f"a{n}", by=None)
    raise AssertionError("no tile was drawn")


# ---- bots and single answers -----------------------------------------------------------------------------------------
class TestWithoutPeople:
    @pytest.mark.parametrize("options", [ROAD, CRONO], ids=["road", "time trial"])
    def test_bots_ride_to_the_end_and_the_race_is_found_fair(self, options: dict[str, Any]):
        race = started(options, people=(), robots={"Anna": "easy", "Bruno": "club", "Carla": "easy"})

        assert play.advance(race.pk) is True
        assert play.advance(race.pk) is False

        assert fresh(race).status == Status.OVER
        assert verify(log_of(race)).verdict is Verdict.FAIR
        assert agrees_with_its_log(race)

    def test_bots_answer_until_a_person_is_due_and_not_for_him(self):
        race = started(people=["Bruno"], robots={"Anna": "easy"})

        play.advance(race.pk)

        assert due(race).seat == "Bruno"
        assert {s for _n, taker, s in entries(race) if taker == "seat"} == {"Anna"}

    def test_what_one_task_adds_is_bounded_and_the_next_goes_on(self, monkeypatch: pytest.MonkeyPatch):
        monkeypatch.setattr(play, "STEPS_AT_ONCE", 2)
        race = started(people=(), robots={"Anna": "easy", "Bruno": "easy"})

        play.advance(race.pk)

        assert len([1 for _n, taker, _s in entries(race) if taker == "seat"]) == 2
        assert fresh(race).is_running

    def test_a_bot_that_fails_does_not_stop_the_race(self, monkeypatch: pytest.MonkeyPatch, caplog):
        def broken(*args: object, **more: object) -> Any:
            raise ZeroDivisionError

        monkeypatch.setattr(bots, "answer", broken)
        race = started(people=(), robots={"Anna": "easy", "Bruno": "easy"})

        play.advance(race.pk)

        assert fresh(race).status == Status.OVER
        assert verify(log_of(race)).verdict is Verdict.FAIR
        assert "The bot easy of giro has no answer to attack." in caplog.text

    def test_a_bot_that_thought_about_a_board_that_was_rewound_is_not_heard(self, monkeypatch: pytest.MonkeyPatch):
        race = started(people=["Bruno"], robots={"Anna": "easy"})
        play.advance(race.pk)
        start = fresh(race).n
        ride(race, until=lambda now: now.n > start and due(now).seat == "Anna")
        think, boards = play._think, []

        def rewound_meanwhile(thought: play.Thought) -> Any:
            boards.append(thought.after)
            answer = think(thought)
            if len(boards) == 1:
                play.rewind(race.pk, to=0, reason="A piece was knocked over.", by=None)
            return answer

        monkeypatch.setattr(play, "_think", rewound_meanwhile)
        play.advance(race.pk)

        rewind = race.entries.get(rewind_to=0).n
        after = [(n, s) for n, taker, s in entries(race) if n > rewind and taker == "seat"]
        assert boards[1] >= rewind > boards[0]
        assert after[0] == (rewind + 1, "Anna")
        assert agrees_with_its_log(race)

    @pytest.mark.parametrize("bot", ["", "club"])
    def test_a_bot_whose_seat_was_taken_while_it_thought_is_not_heard(self, monkeypatch, bot: str):
        race = started(people=["Bruno"], robots={"Anna": "easy"})
        think, levels = play._think, []

        def replaced_meanwhile(thought: play.Thought) -> Any:
            levels.append(thought.level)
            answer = think(thought)
            if len(levels) == 1:
                play.substitute(race.pk, seat="Anna", user=user_called("Zoe"), bot=bot, label="Zoe", by=None)
            return answer

        monkeypatch.setattr(play, "_think", replaced_meanwhile)
        play.advance(race.pk)

        if bot:
            assert levels[:2] == ["easy", "club"]
            assert due(race).seat == "Bruno"
        else:
            assert levels == ["easy"]
            assert [taker for _n, taker, _s in entries(race)] == ["organiser"]
            assert due(race).seat == "Anna"

    def test_a_decision_with_one_answer_is_answered_for_who_wishes_it(self):
        race, decision, action = one_way_only(wishes=True)
        before = fresh(race).n

        answer(race, action, decision=decision)

        taken = list(race.entries.filter(n__gt=before, taker="seat").values_list("seat", "by"))
        assert taken[:2] == [("Anna", None), ("Anna", None)]
        assert agrees_with_its_log(race)

    def test_who_wishes_to_be_asked_is_asked_though_there_is_one_answer(self):
        race, decision, action = one_way_only(wishes=False)

        n = answer(race, action, decision=decision)

        table = play.look(fresh(race))
        assert fresh(race).n == n
        assert len(table.game.legal(table.state, due(race, "Anna"))) == 1


def one_way_only(*, wishes: bool) -> tuple[Race, Decision, Any]:
    """A narrow climb on which nobody can pay: Anna has a choice with one rider after which her other has one way only."""
    for seed in range(100):
        race = opened(ROAD | {"course": "strip L2 | M1-12", "max_paid": 0}, takes_single=False)
        riders = [
            {"id": "a1", "type": "rouleur", "jersey": "white", "strength": "sprinter"},
            {"id": "a2", "type": "climber", "jersey": "white", "strength": "descender"},
        ]
        race.seats.filter(name="Anna").update(entrant={"riders": riders})
        race = play.start(race, by=None)
        rng = random.Random(seed)
        while (now := fresh(race)).is_running:
            table = play.look(now)
            decision = table.decisions[0]
            legal = list(table.game.legal(table.state, decision))
            for action in legal if len(legal) > 1 and decision.seat == "Anna" else []:
                state = table.game.apply(table.state, action).state
                then = table.game.decisions(state)
                if then and then[0].seat == "Anna" and len(table.game.legal(state, then[0])) == 1 and (
                    then[0].taker is Taker.SEAT
                ):  # fmt: skip
                    race.seats.filter(name="Anna").update(takes_single=wishes)
                    return race, decision, action
            answer(race, rng.choice(legal), decision=decision)
    raise AssertionError("it did not come to that")


# ---- taking back -----------------------------------------------------------------------------------------------------
class TestTakeBack:
    def test_a_choice_that_nobody_has_answered_can_be_taken_back(self):
        race = started()
        before = stands(race)[3]["state"]
        answer(race, End(), seat="Anna")
        assert due(race).seat == "Bruno"
        assert play.can_take_back(fresh(race), "Anna") is None

        n = play.take_back(race.pk, seat="Anna", by=None)

        assert due(race).seat == "Anna"
        assert stands(race)[3]["state"] == before
        assert race.entries.get(n=n).rewind_to == 0
        assert agrees_with_its_log(race)

    def test_what_was_taken_back_is_chosen_again_and_the_race_is_fair(self):
        race = started()
        answer(race, End(), seat="Anna")
        play.take_back(race.pk, seat="Anna", by=None)

        race = ride(race)

        found = verify(log_of(race))
        assert (found.findings, found.verdict) == ((), Verdict.FAIR)

    def test_a_page_from_before_the_taking_back_is_stale_after_it(self):
        race = started()
        page = due(race, "Anna")
        answer(race, End(), decision=page, after=0)
        play.take_back(race.pk, seat="Anna", by=None)

        with pytest.raises(StaleTurn):
            answer(race, End(), decision=page, after=0)

    def test_after_a_roll_nothing_can_be_taken_back_alone(self):
        race = started()
        until_due(race, "pursue", "Anna")
        answer(race, seat="Anna")
        before = stands(race)

        assert "rolled or drawn" in str(play.can_take_back(fresh(race), "Anna"))
        with pytest.raises(Refused, match="rolled or drawn"):
            play.take_back(race.pk, seat="Anna", by=None)

        assert stands(race) == before

    def test_what_somebody_else_did_cannot_be_taken_back(self):
        race = started()
        answer(race, End(), seat="Anna")

        assert "Somebody else has acted" in str(play.can_take_back(fresh(race), "Bruno"))
        with pytest.raises(Refused, match="Somebody else has acted"):
            play.take_back(race.pk, seat="Bruno", by=None)

    def test_once_somebody_has_answered_it_stands(self):
        race = started(people=["Anna", "Bruno"], robots={"Carla": "easy"})
        answer(race, End(), seat="Anna")
        answer(race, End(), seat="Bruno")
        assert play.can_take_back(fresh(race), "Bruno") is None

        play.advance(race.pk)

        assert "Somebody else has acted" in str(play.can_take_back(fresh(race), "Bruno"))

    def test_before_anything_was_done_there_is_nothing_to_take_back(self):
        assert "Nothing" in str(play.can_take_back(started(), "Anna"))
        assert "not started" in str(play.can_take_back(opened(), "Anna"))

    def test_after_the_end_nothing_can_be_taken_back(self):
        race = ride(started())

        assert "over" in str(play.can_take_back(race, "Anna"))
        with pytest.raises(Refused, match="over"):
            play.take_back(race.pk, seat="Anna", by=None)

    def test_two_choices_in_a_row_are_taken_back_one_after_the_other(self):
        race = started(CRONO, people=["Anna"])
        answer(race)
        first = fresh(race).n
        if play.can_take_back(fresh(race), "Anna"):
            pytest.fail("her first move drew a tile")
        answer(race)

        play.take_back(race.pk, seat="Anna", by=None)
        assert race.entries.last().rewind_to == first
        play.take_back(race.pk, seat="Anna", by=None)

        assert race.entries.last().rewind_to == 0
        assert agrees_with_its_log(race)
        assert verify(log_of(race) | {"seed": None}).findings == ()

    def test_what_was_answered_for_her_goes_back_with_the_choice_before_it(self):
        """Else it would be answered for her again at once, and she could never take anything back."""
        race, decision, action = one_way_only(wishes=True)
        before = stands(race)
        answer(race, action, decision=decision)
        assert race.entries.filter(n__gt=before[0], seat="Anna").count() > 1
        assert play.can_take_back(fresh(race), "Anna") is None

        play.take_back(race.pk, seat="Anna", by=None)

        assert due(race, "Anna") == decision
        assert stands(race)[3]["state"] == before[3]["state"]

    def test_who_took_the_seat_later_cannot_take_back_what_was_done_before_him(self):
        race = started()
        answer(race, End(), seat="Anna")
        play.substitute(race.pk, seat="Anna", user=user_called("Zoe"), bot="", label="Zoe", by=race.owner)

        with pytest.raises(Refused, match="Somebody else sat here"):
            play.take_back(race.pk, seat="Anna", by=user_called("Zoe"))

    def test_what_was_decided_for_her_when_her_time_was_up_cannot_be_taken_back(self):
        """Else every clock could be wound up again."""
        race = started()
        with play.in_hand(race.pk) as table:
            decision = table.decisions[0]
            play.answer_for(table, decision, play.think_for(table, decision, ""))
        assert race.entries.last().seat == "Anna"

        with pytest.raises(Refused, match="clock or a bot"):
            play.take_back(race.pk, seat="Anna", by=user_called("Anna"))

    def test_a_note_between_does_not_hinder_it(self):
        race = started()
        answer(race, End(), seat="Anna")
        play.substitute(race.pk, seat="Bruno", user=user_called("Zoe"), bot="", label="Zoe", by=race.owner)

        play.take_back(race.pk, seat="Anna", by=None)

        assert verify(log_of(race) | {"seed": None}).findings == ()

    def test_keeping_a_bottle_can_be_taken_back_since_nobody_saw_it(self):
        race = asked_after_a_bottle()
        name = str(due(race).seat)
        answer(race, KeepTile())

        play.take_back(race.pk, seat=name, by=None)

        assert due(race).kind == "tile"
        assert due(race).seat == name

    def test_drinking_a_bottle_cannot_be_taken_back_since_all_saw_its_value(self):
        race = asked_after_a_bottle()
        name = str(due(race).seat)
        answer(race, UseTile())

        with pytest.raises(Refused, match="something that was hidden"):
            play.take_back(race.pk, seat=name, by=None)

    def test_showing_a_kept_bottle_cannot_be_taken_back(self):
        race = started(BOTTLES, people=["Anna", "Bruno", "Carla"])
        rng = random.Random(5)
        for _n in range(400):
            table = play.look(fresh(race))
            assert table.race.is_running, "nobody could show a bottle"
            decision = next(d for d in table.decisions if d.taker is Taker.SEAT)
            legal = list(table.game.legal(table.state, decision))
            shown = [action for action in legal if isinstance(action, Reveal)]
            kept = [action for action in legal if isinstance(action, KeepTile)]
            answer(race, (shown or kept or [rng.choice(legal)])[0], decision=decision)
            if shown:
                break

        assert "hidden" in str(play.can_take_back(fresh(race), str(decision.seat)))


def asked_after_a_bottle() -> Race:
    """Somebody drew a bottle and may keep it; whatever he says, nothing is rolled next."""
    for luck in range(40):
        race = ride(
            started(BOTTLES, luck=luck), until=lambda now: any(d.kind == "tile" for d in play.look(now).decisions)
        )
        if race.is_running:
            table = play.look(race)
            after = [table.game.apply(table.state, action).state for action in (KeepTile(), UseTile())]
            if all(d.taker is Taker.SEAT for state in after for d in table.game.decisions(state)):
                return race
    raise AssertionError("nobody drew a bottle in peace")


# ---- rewinding -------------------------------------------------------------------------------------------------------
class TestRewind:
    def test_the_organiser_goes_back_for_a_reason_that_is_written_down(self):
        race = until_due(started(), "move")

        n = play.rewind(race.pk, to=1, reason=" A piece was knocked over. ", by=race.owner)

        entry = race.entries.get(n=n)
        assert (entry.taker, entry.rewind_to, entry.reason, entry.by) == (
            "organiser", 1, "A piece was knocked over.", race.owner,
        )  # fmt: skip
        assert agrees_with_its_log(race)

    def test_rolls_that_are_taken_back_stay_burnt_and_the_race_is_fair(self):
        race = started(people=["Anna", "Bruno", "Carla"])
        until_due(race, "move")
        rolled = [entry.n for entry in race.entries.filter(taker="chance")]
        play.rewind(race.pk, to=0, reason="Everybody wants it.", by=race.owner)

        race = ride(race, rng=random.Random(11))

        found = verify(log_of(race))
        assert (found.findings, found.verdict) == ((), Verdict.FAIR)
        assert [roll.n for roll in found.rolls if roll.burnt] == rolled
        assert agrees_with_its_log(race)

    def test_a_roll_after_a_rewind_is_another_roll(self):
        """The number of the entry is in it: going back and acting the same does not bring the same die."""
        rolled = set()
        race = started()
        for _n in range(12):
            until_due(race, "pursue")
            answer(race, Pursue(yes=False))
            rolled.add(str(race.entries.filter(taker="chance").last().action))
            play.rewind(race.pk, to=0, reason="Once more.", by=race.owner)

        assert len(rolled) > 1

    def test_what_the_rewind_leaves_to_be_rolled_is_rolled_with_it(self):
        race = started()
        until_due(race, "pursue")
        n = answer(race)

        back = play.rewind(race.pk, to=n, reason="The die fell off the table.", by=race.owner)

        assert race.entries.get(n=back + 1).taker == "chance"
        assert agrees_with_its_log(race)

    @pytest.mark.parametrize("reason", ["", "  "])
    def test_a_rewind_without_a_reason_is_refused(self, reason: str):
        race = until_due(started(), "move")
        before = stands(race)

        with pytest.raises(Refused, match="Say why"):
            play.rewind(race.pk, to=1, reason=reason, by=race.owner)

        assert stands(race) == before

    def test_one_goes_back_only_to_what_is_part_of_the_race(self):
        race = until_due(started(), "move")
        play.rewind(race.pk, to=0, reason="Again.", by=race.owner)
        answer(race, seat="Anna")
        newest = fresh(race).n
        before = stands(race)

        for to in (1, newest - 1, newest + 1, -1):
            with pytest.raises(Refused, match="not part of the race"):
                play.rewind(race.pk, to=to, reason="Again.", by=race.owner)
        with pytest.raises(Refused, match="stands there already"):
            play.rewind(race.pk, to=newest, reason="Again.", by=race.owner)

        assert stands(race) == before

    def test_a_race_on_the_site_that_is_over_stays_over(self):
        race = ride(started())
        before = stands(race)

        with pytest.raises(Refused, match="seed is shown"):
            play.rewind(race.pk, to=1, reason="One more lap.", by=race.owner)

        assert stands(race) == before

    def test_a_race_at_a_table_that_is_over_can_be_mended(self):
        race = started(way="refereed")
        for n in range(1000):
            table = play.look(fresh(race))
            if not table.decisions:
                break
            name = play.name_of(table.decisions[0])
            action = table.game.legal(table.state, table.decisions[0])[0]
            play.referee(race.pk, action=action, decision=name, after=table.opened[name], key=str(n), by=None)
        assert fresh(race).status == Status.OVER

        play.rewind(race.pk, to=1, reason="The last die was read wrongly.", by=race.owner)

        now = fresh(race)
        assert (now.status, now.outcome, now.ended_at) == (Status.RUNNING, None, None)
        assert play.look(now).decisions
        assert agrees_with_its_log(race)


# ---- who sits where --------------------------------------------------------------------------------------------------
class TestSubstitute:
    def test_a_bot_takes_a_seat_rides_and_an_entry_says_so(self):
        race = started()

        n = play.substitute(race.pk, seat="Anna", user=None, bot="easy", label="A bot for Anna", by=race.owner)
        play.advance(race.pk)

        assert race.entries.get(n=n).note == {
            "kind": "substitution", "seat": "Anna", "label": "A bot for Anna", "bot": "easy", "was": "",
        }  # fmt: skip
        assert (seat(race, "Anna").user, seat(race, "Anna").bot) == (None, "easy")
        assert due(race).seat == "Bruno"
        assert agrees_with_its_log(race)

    def test_a_race_with_substitutes_and_rewinds_is_fair_and_follows_from_its_log(self):
        race = started(BOTTLES, people=["Anna", "Bruno", "Carla"])
        until_due(race, "move")
        play.substitute(race.pk, seat="Carla", user=None, bot="easy", label="", by=race.owner)
        substituted = fresh(race).n
        ride(race, until=lambda now: now.n > substituted + 9)
        assert fresh(race).is_running
        play.rewind(race.pk, to=3, reason="Carla is back.", by=race.owner)
        play.substitute(race.pk, seat="Carla", user=user_called("Carla"), bot="", label="Carla", by=race.owner)

        race = ride(race, rng=random.Random(5))

        found = verify(log_of(race))
        assert (found.findings, found.verdict) == ((), Verdict.FAIR)
        assert agrees_with_its_log(race)

    def test_a_seat_or_a_bot_that_there_is_not_is_refused(self):
        race = started()

        with pytest.raises(Refused, match="no such seat"):
            play.substitute(race.pk, seat="Dino", user=None, bot="easy", label="", by=None)
        with pytest.raises(Refused, match="no such bot"):
            play.substitute(race.pk, seat="Anna", user=None, bot="champion", label="", by=None)

        assert entries(race) == []

    def test_nobody_is_replaced_after_the_end(self):
        race = ride(started())

        with pytest.raises(Refused, match="over"):
            play.substitute(race.pk, seat="Anna", user=None, bot="easy", label="", by=None)

    def test_a_guest_who_is_replaced_loses_his_key(self):
        race = started()
        race.seats.filter(name="Anna").update(user=None, guest="0" * 64)

        play.substitute(race.pk, seat="Anna", user=user_called("Zoe"), bot="", label="Zoe", by=None)

        assert seat(race, "Anna").guest == ""


# ---- the end ---------------------------------------------------------------------------------------------------------
class TestTheEnd:
    @pytest.fixture
    def ends(self, django_capture_on_commit_callbacks):
        """Ride with what is done after the commit, and gather the ends that are told."""
        told: list[int] = []

        def hear(sender: object, race_id: int, **more: object) -> None:
            told.append(race_id)

        signals.race_over.connect(hear)
        yield told
        signals.race_over.disconnect(hear)

    def test_the_outcome_is_stored_and_told_once_after_the_commit(
        self, ends: list[int], django_capture_on_commit_callbacks, monkeypatch
    ):
        monkeypatch.setattr("races.tasks.advance.delay", lambda race_id: None)
        race = started()
        with django_capture_on_commit_callbacks(execute=False) as after:
            race = ride(race)
            assert ends == []
        for callback in after:
            callback()
        play.advance(race.pk)
        play.advance(race.pk)

        assert ends == [race.pk]
        assert race.status == Status.OVER
        assert race.ended_at is not None
        assert [row["id"] for row in race.outcome["riders"]] != []
        assert race.outcome == play.game_of(race).outcome(play.rebuilt(race)[0])

    def test_a_listener_that_fails_does_not_take_the_end_away(self, django_capture_on_commit_callbacks, monkeypatch):
        monkeypatch.setattr("races.tasks.advance.delay", lambda race_id: None)

        def broken(sender: object, **more: object) -> None:
            raise ZeroDivisionError

        signals.race_over.connect(broken)
        try:
            with django_capture_on_commit_callbacks(execute=False) as after:
                race = ride(started())
            for callback in after:
                _robust(callback)
        finally:
            signals.race_over.disconnect(broken)

        assert fresh(race).status == Status.OVER

    def test_after_the_end_no_decision_is_open_and_every_late_answer_is_stale(self):
        race = ride(started())

        assert play.look(race).decisions == ()
        with pytest.raises(StaleTurn):
            play.submit(race.pk, seat="Anna", action=End(), decision="attack:Anna::", after=0, key="late")

    def test_an_abandoned_race_has_an_entry_a_reason_no_outcome_and_no_open_decision(self, ends: list[int]):
        race = until_due(started(), "move")

        play.abandon(race.pk, reason="It is late.", by=race.owner)

        now = fresh(race)
        assert (now.status, now.outcome, now.ended_at is None) == (Status.ABANDONED, None, False)
        assert (race.entries.last().note, race.entries.last().reason) == ({"kind": "abandoned"}, "It is late.")
        assert play.look(now).decisions == ()
        assert play.advance(race.pk) is False
        assert agrees_with_its_log(race)
        assert ends == []
        with pytest.raises(StaleTurn):
            play.submit(race.pk, seat="Anna", action=End(), decision="attack:Anna::", after=0, key="late")
        with pytest.raises(Refused, match="over"):
            play.abandon(race.pk, reason="Twice.", by=race.owner)

    def test_a_race_that_never_started_can_be_called_off(self):
        race = opened()

        play.abandon(race.pk, reason="Nobody came.", by=race.owner)

        assert fresh(race).status == Status.ABANDONED
        with pytest.raises(Refused):
            play.start(fresh(race), by=race.owner)

    def test_an_abandonment_needs_a_reason(self):
        race = started()

        with pytest.raises(Refused, match="Say why"):
            play.abandon(race.pk, reason=" ", by=race.owner)

        assert fresh(race).is_running


def _robust(callback: Any) -> None:
    """As Django runs what was registered with `robust=True`."""
    try:
        callback()
    except ZeroDivisionError:
        return


# ---- the log is the truth --------------------------------------------------------------------------------------------
class TestRecompute:
    @pytest.mark.parametrize("options", [ROAD, BOTTLES, CRONO], ids=["road", "bottles", "time trial"])
    def test_after_every_entry_the_position_is_the_one_that_the_log_gives(self, options: dict[str, Any]):
        """Random riders, a rewind now and then, and in the time trial several decisions open since different entries."""
        race = started(options, people=["Anna", "Bruno", "Carla"])
        rng = random.Random(13)
        since: set[tuple[int, ...]] = set()
        for step in range(70):
            now = fresh(race)
            if not now.is_running:
                break
            ride(race, rng=rng, until=lambda other, n=now.n: other.n > n)
            kept = [entry.n for entry in play.effective(race.entries.all())]
            if step % 9 == 8 and fresh(race).is_running:
                play.rewind(race.pk, to=rng.choice(kept[:-1]), reason="Again.", by=None)
            since.add(tuple(sorted(set(fresh(race).position.opened.values()))))
            assert agrees_with_its_log(race)

        assert race.entries.filter(rewind_to__isnull=False).exists()
        assert options is not CRONO or any(len(numbers) > 2 for numbers in since)

    def test_a_lost_position_is_made_again(self):
        race = until_due(started(CRONO, people=["Anna", "Bruno", "Carla"]), "move")
        ride(race, until=lambda now: now.n > 8)
        before = stands(race)
        Position.objects.filter(race=race).delete()

        assert play.recompute(race.pk) is False

        assert stands(race) == before
        assert play.recompute(race.pk) is True

    @pytest.mark.parametrize(
        "damage",
        [
            {"n": 3},
            {"opened": {}},
            {"state": {"course": "strip L2 | P1-12"}},
        ],
        ids=["number", "opened", "state"],
    )
    def test_a_damaged_position_is_found_and_mended(self, damage: dict[str, Any]):
        race = until_due(started(), "move")
        before = stands(race)
        Position.objects.filter(race=race).update(**damage)

        assert play.recompute(race.pk) is False

        assert stands(race) == before


# ---- races in trouble ------------------------------------------------------------------------------------------------
class TestSweep:
    @pytest.fixture
    def woken(self, monkeypatch: pytest.MonkeyPatch) -> list[int]:
        found: list[int] = []
        monkeypatch.setattr("races.tasks.advance.delay", found.append)
        return found

    def test_it_wakes_the_races_in_which_a_bot_is_due_and_no_other(self, woken: list[int]):
        bots_only = started(people=(), robots={"Anna": "easy", "Bruno": "easy"})
        started()
        ride(started())
        opened()

        watch.sweep()

        assert woken == [bots_only.pk]

    def test_a_lost_roll_is_found(self, woken: list[int]):
        """A worker of yesterday left a race with its die in the air."""
        race = started(way="refereed")
        _refereed_until(race, Taker.CHANCE)
        Race.objects.filter(pk=race.pk).update(way="online")
        Secret.objects.create(race=race, seed=bytes(32))

        watch.sweep()
        assert woken == [race.pk]
        play.advance(race.pk)

        assert Entry.objects.filter(race=race, taker="chance").exists()

    def test_a_seat_without_anybody_is_told_and_forgotten_when_somebody_sits_there(self, woken: list[int]):
        race = started()
        race.seats.filter(name="Anna").update(user=None)

        watch.sweep()
        assert "Anna" in fresh(race).trouble
        race.seats.filter(name="Anna").update(user=user_called("Anna"))
        watch.sweep()

        assert fresh(race).trouble == ""

    def test_a_race_that_cannot_be_read_stops_no_other(self, woken: list[int], caplog):
        broken = started(people=(), robots={"Anna": "easy", "Bruno": "easy"})
        healthy = started(people=(), robots={"Anna": "easy", "Bruno": "easy"})
        Position.objects.filter(race=broken).update(state={"course": 7})

        watch.sweep()

        assert woken == [healthy.pk]
        assert fresh(broken).trouble != ""


def test_a_move_says_which_rule_forbids_it():
    race = started(CRONO, people=["Anna"])

    with pytest.raises(IllegalAction) as refusal:
        answer(race, Move(rider="anna", path=(0,) * 40, start=1), seat="Anna")

    assert refusal.value.rule.startswith("GI-")


@pytest.mark.parametrize("seat", ["Anna", "a:b", "Zoë, 2:1", "%3A", ""])
def test_the_name_of_a_decision_says_its_parts_again_whatever_a_seat_is_called(seat):
    decision = Decision(kind="move", taker=Taker.SEAT, seat=Seat(seat), about="white:rouleur", why=None)

    assert play.named(play.name_of(decision)) == play.Named("move", seat, "white:rouleur", "")


def test_what_is_no_name_of_a_decision_says_nothing():
    assert play.named("move:Anna") == play.Named() == play.named("a:b:c:d:e")
