"""What may be answered and never has to be: it is open beside the turn, waits for nobody, and holds nothing up."""

import json
import random

import pytest

from races import bots, clocks, lobby, play
from races.due import asked
from races.errors import NotYours
from races.models import Clock, Race
from rules import registry
from rules.errors import IllegalAction
from rules.game import Decision, Taker
from tests.races.factories import person

pytestmark = pytest.mark.django_db

PEOPLE = ("Anna", "Bruno", "Carla")
HANDS = {"1": [9, 10, 11], "2": [8, 8, 9], "3": [7, 7, 6], "4": [6, 5, 5]}


def racing(hands: dict = HANDS, **options: object) -> Race:
    """A race of Breaking Away whose first cyclist is to move."""
    seats = [
        {"name": name, "label": name, "user": person(name), "bot": "", "entrant": {"team": name[0]}} for name in PEOPLE
    ]
    race = play.open_race(title="Thursday", game="breaking_away", options=options, seats=seats, owner=person("Olga"))
    race = play.start(race, by=person("Olga"))
    for name in PEOPLE:
        hand_in(race, name, {"kind": "allocate", "team": name[0], "hands": hands})
    return Race.objects.get(pk=race.pk)


def find(race: Race, seat: str, kind: str) -> Decision:
    return next(d for d in play.look(race).open if d.seat == seat and d.kind == kind)


def hand_in(race: Race, seat: str, told: dict, *, decision: Decision | None = None, after: int | None = None) -> int:
    now = Race.objects.get(pk=race.pk)
    table = play.look(now)
    decision = decision or find(now, seat, told["kind"])
    name = play.name_of(decision)
    return play.submit(
        race.pk, seat=seat, action=table.game.read_action(told), decision=name,
        after=table.opened[name] if after is None else after, key=f"{seat}{now.n}{json.dumps(told)}"[:60],
    ).n  # fmt: skip


def test_only_what_must_be_answered_is_waited_for():
    race = racing()
    table = play.look(race)
    (due,) = table.decisions

    assert due.kind == "move"
    assert {d.kind for d in table.open if d.optional} == {"ask_retire", "reveal", "time_out", "stop_race"}
    others = [name for name in PEOPLE if name != due.seat]
    assert asked(race, others) == ()
    assert asked(race, PEOPLE) == (due,)
    assert [seat.name for seat in lobby.due(race)] == [due.seat]
    Clock.objects.create(race=race, kind="decision", minutes=10)
    assert [one.seat.name for one in clocks.dues(race)] == [due.seat]


def test_the_name_of_an_optional_decision_is_read_back():
    decision = Decision(kind="vote_retire", taker=Taker.SEAT, seat="An:na", about="W1", optional=True)

    assert play.named(play.name_of(decision)) == ("vote_retire", "An:na", "W1", "", True)
    assert play.named("move:Anna:W1:").optional is False
    assert play.named(":optional") == play.Named()


def test_an_optional_answer_leaves_the_turn_where_it_is_and_its_form_valid():
    race = racing()
    (due,) = play.look(race).decisions
    since = play.look(race).opened[play.name_of(due)]
    other = next(name for name in PEOPLE if name != due.seat)

    hand_in(race, other, {"kind": "stop_race", "seat": other, "yes": True})
    n = hand_in(race, due.seat, {"kind": "move", "cyclist": due.about, "factor": 10}, after=since)

    assert n == Race.objects.get(pk=race.pk).n
    assert play.look(Race.objects.get(pk=race.pk)).decisions[0].about != due.about


def test_the_position_with_optional_answers_follows_from_the_log():
    race = racing()
    (due,) = play.look(race).decisions
    hand_in(race, due.seat, {"kind": "ask_retire", "cyclist": f"{due.seat[0]}4"})
    for name in PEOPLE:
        if name != due.seat:
            hand_in(race, name, {"kind": "vote_retire", "seat": name, "cyclist": f"{due.seat[0]}4", "yes": True})

    assert play.recompute(race.pk)


def test_a_seat_that_takes_single_answers_does_not_stop_the_race_by_it():
    race = racing()
    race.seats.update(takes_single=True)
    (due,) = play.look(race).decisions

    hand_in(race, due.seat, {"kind": "time_out", "seat": due.seat, "cyclist": due.about})

    assert Race.objects.get(pk=race.pk).is_running
    assert not any("stop_voted" in json.dumps(entry.events) for entry in race.entries.all())


@pytest.mark.rule("BA-INFO-08")
@pytest.mark.parametrize(("options", "moves"), [({}, 0), ({"open_hands": True}, 12)])
def test_one_choice_is_made_by_itself_only_where_everybody_knows_the_hand(options, moves):
    race = racing({"1": [10, 10, 10], "2": [8, 8, 8], "3": [6, 6, 6], "4": [5, 5, 5]}, **options)

    told = [event for entry in race.entries.all() for event in entry.events or () if event["kind"] == "moved"]

    assert len(told) == moves


@pytest.mark.rule("BA-INFO-08", "BA-SET-01")
@pytest.mark.parametrize("factor", [8, 10])
def test_who_speaks_for_anothers_cyclist_is_told_nothing_of_his_hand(factor):
    race = racing()
    (due,) = play.look(race).decisions
    other = next(name for name in PEOPLE if name != due.seat)
    told = {"kind": "move", "cyclist": due.about, "factor": factor}

    with pytest.raises(NotYours):  # 10 is in the hand and 8 is not: the answer is the same
        hand_in(race, other, told, decision=find(race, other, "stop_race"))


def test_who_speaks_wrongly_for_his_own_is_told_why():
    race = racing()
    (due,) = play.look(race).decisions

    with pytest.raises(IllegalAction, match="BA-MOVE-01"):
        hand_in(race, due.seat, {"kind": "move", "cyclist": due.about, "factor": 8})


def test_a_bot_gets_very_many_answers_without_their_being_made(monkeypatch):
    rules = registry.game("breaking_away")
    state = rules.setup({}, [{"seat": name} for name in PEOPLE])
    seen = []

    def spy(view, decision, legal, rng, time_is_up):
        seen.append(len(legal))
        return legal[rng.randrange(len(legal))]

    monkeypatch.setattr(bots, "GAMES", {"breaking_away": lambda: {"spy": spy}})

    action = bots.answer(rules, "spy", state, rules.decisions(state)[0], random.Random(1))

    assert seen == [1877 * 388 * 230 * 123]
    assert action.team == "Anna"
