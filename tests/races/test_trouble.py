"""Races that stand still: what the sweep says of each, who is told, and what mends them."""

import json
import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from races import fairness, play, tasks, transfer, trouble, watch
from races.errors import Refused
from races.models import Entry, Outage, Position, Pulse, Race, Secret, Status
from races.signals import race_over
from races.trouble import Kind, Mend, Trouble
from rules import registry
from rules.game import Taker
from tests.races import factories as make

pytestmark = pytest.mark.django_db
GIRO = registry.game("giro")


@pytest.fixture
def woken(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The races that were called, instead of calling them."""
    found: list[int] = []
    monkeypatch.setattr("races.tasks.advance.delay", found.append)
    return found


def fresh(race: Race) -> Race:
    return Race.objects.get(pk=race.pk)


def noted(race: Race) -> Trouble | None:
    return Trouble.read(fresh(race).trouble)


def swept(race: Race, **more: Any) -> Trouble | None:
    """What the sweep says of a race. The site was up all the time."""
    if "now" in more:
        Pulse.objects.update_or_create(pk=1, defaults={"at": more["now"]})
    watch.sweep(**more)
    return noted(race)


def ridden(entries: int = 12, **more: Any) -> Race:
    """A race of two people that has come so far."""
    return make.default_answers(make.running(("Anna", "Bruno"), (), **more), 60, entries=entries)


def bots_only() -> Race:
    """A race of two bots, of which one is due and not called."""
    options = make.SHORT | {"token": "Robo"}
    return play.start(make.waiting((), ("Robo", "Hal"), options=options), by=make.person("Olga"))


def seated_by_nobody(race: Race, name: str = "Anna") -> Race:
    race.seats.filter(name=name).update(user=None)
    return race


def stands(race: Race) -> tuple[Any, ...]:
    position = Position.objects.get(race=race)
    return position.n, position.state, position.opened


def numbers(race: Race) -> list[int]:
    """The entries with an action that stand."""
    return [entry.n for entry in play.effective(race.entries.all())]


def staff() -> Client:
    user = make.person("Sita")
    User.objects.filter(pk=user.pk).update(is_staff=True)
    return make.signed_on("Sita")


def mend(client: Client, race: Race, do: str, **told: str) -> Any:
    return client.post(reverse("races:mend", args=[race.key]), {"do": do} | told, follow=True)


def page(client: Client) -> str:
    answer = client.get(reverse("races:trouble"))
    assert answer.status_code == 200
    return str(answer.content.decode())


# ---- what the sweep says ---------------------------------------------------------------------------------------------
class TestSweep:
    def test_a_race_in_which_somebody_can_act_is_in_no_trouble(self, woken: list[int]) -> None:
        races = [
            make.running(),
            ridden(),
            make.drafted(),
            make.running(way="refereed", people=("Anna", "Bruno"), bots=()),
        ]

        watch.sweep()

        assert [noted(race) for race in races] == [None] * len(races)
        assert woken == []

    def test_rules_that_nobody_has_any_more(self, woken: list[int]) -> None:
        race = ridden()
        Race.objects.filter(pk=race.pk).update(version=99)

        found = swept(race)

        assert found is not None
        assert (found.kind, found.mends) == (Kind.RULES, (Mend.LOOK, Mend.ABANDON))
        assert "giro, version 99" in trouble.says(fresh(race), found)

    def test_a_game_that_nobody_has_any_more(self, woken: list[int]) -> None:
        race = ridden()
        Race.objects.filter(pk=race.pk).update(game="tour")

        found = swept(race)

        assert found is not None
        assert found.kind is Kind.RULES

    def test_a_position_that_is_gone(self, woken: list[int]) -> None:
        race = ridden()
        Position.objects.filter(race=race).delete()

        found = swept(race)

        assert found is not None
        assert (found.kind, found.mends[0]) == (Kind.NO_POSITION, Mend.COUNT)

    @pytest.mark.parametrize(
        "damage",
        [{"state": {"course": 7}}, {"state": {}}, {"state": []}, {"opened": {}}, {"opened": {"move:Anna::": 3}}],
        ids=["course", "empty", "another release", "nothing open", "something else open"],
    )
    def test_a_position_that_cannot_be_read(self, woken: list[int], damage: dict[str, Any]) -> None:
        race = ridden()
        Position.objects.filter(race=race).update(**damage)

        found = swept(race)

        assert found is not None
        assert (found.kind, found.mends[0]) == (Kind.UNREADABLE, Mend.COUNT)

    def test_a_position_that_is_older_than_the_log(self, woken: list[int]) -> None:
        race = ridden()
        Position.objects.filter(race=race).update(n=race.n - 1)

        found = swept(race)

        assert found is not None
        assert found.kind is Kind.BEHIND

    def test_a_race_that_counts_less_entries_than_its_log_has(self, woken: list[int]) -> None:
        race = ridden()
        Race.objects.filter(pk=race.pk).update(n=race.n - 2)

        found = swept(race)

        assert found is not None
        assert found.kind is Kind.BEHIND

    def test_a_hole_in_the_log_names_its_entry_and_leads_back_before_it(self, woken: list[int]) -> None:
        race = ridden()
        before, gone = numbers(race)[4:6]
        race.entries.filter(n=gone).delete()

        found = swept(race)

        assert found is not None
        assert (found.kind, found.missing, found.back) == (Kind.HOLE, gone, before)
        assert f"Entry {gone} is missing" in trouble.says(fresh(race), found)

    def test_the_newest_entry_may_be_the_one_that_is_missing(self, woken: list[int]) -> None:
        race = ridden()
        race.entries.filter(n=race.n).delete()

        found = swept(race)

        assert found is not None
        assert (found.kind, found.missing) == (Kind.HOLE, race.n)

    def test_a_log_that_the_rules_do_not_take_is_named_as_soon_as_the_position_hangs_on_it(
        self, woken: list[int]
    ) -> None:
        race = ridden()
        good, bad = numbers(race)[4:6]
        race.entries.filter(n=bad).update(action={"kind": "move", "rider": "nobody"})
        assert swept(race) is None, "the position is right, and everybody goes on"
        Position.objects.filter(race=race).delete()

        found = swept(race)

        assert found is not None
        assert (found.kind, found.sign, found.back) == (Kind.LOG, Kind.NO_POSITION, good)
        assert f"beyond entry {good}" in trouble.says(fresh(race), found)

    def test_a_log_whose_start_is_refused_leads_back_nowhere(self, woken: list[int]) -> None:
        race = ridden()
        Race.objects.filter(pk=race.pk).update(options={"course": "nowhere"})
        Position.objects.filter(race=race).delete()

        found = swept(race)

        assert found is not None
        assert (found.kind, found.back, found.mends) == (Kind.LOG, None, (Mend.COUNT, Mend.LOOK, Mend.ABANDON))

    def test_a_race_that_runs_though_nothing_is_left_to_decide(self, woken: list[int]) -> None:
        race = make.default_answers(make.running(("Anna", "Bruno"), ()), 300)
        assert race.status == Status.OVER
        Race.objects.filter(pk=race.pk).update(status=Status.RUNNING, outcome=None, ended_at=None)

        found = swept(race)

        assert found is not None
        assert found.kind is Kind.NOTHING_OPEN

    def test_a_decision_without_an_answer(self, woken: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
        race = ridden()
        monkeypatch.setattr(type(GIRO), "legal", lambda *_told: ())

        found = swept(race)

        assert found is not None
        assert found.kind is Kind.NO_ANSWER
        assert found.seats == (play.look(fresh(race)).decisions[0].seat,)

    def test_a_position_is_asked_for_its_answers_once(self, woken: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
        race, asked = ridden(), []
        legal = type(GIRO).legal
        monkeypatch.setattr(
            type(GIRO), "legal", lambda self, state, decision: asked.append(decision) or legal(self, state, decision)
        )

        for _sweep in range(3):
            watch.sweep()
        first = len(asked)
        make.default_answers(race, 1)
        asked.clear()
        watch.sweep()

        assert (first, len(asked)) == (1, 1)

    @pytest.mark.parametrize("who", ["nobody", "somebody who may not sign on any more"])
    def test_a_seat_in_which_nobody_sits_or_nobody_who_could_answer(self, woken: list[int], who: str) -> None:
        race = ridden()
        due = play.look(race).decisions[0].seat or ""
        if who == "nobody":
            seated_by_nobody(race, due)
        else:
            User.objects.filter(pk=make.person(due).pk).update(is_active=False)

        found = swept(race)

        assert found is not None
        assert (found.kind, found.seats, found.mends[0]) == (Kind.EMPTY_SEAT, (due,), Mend.BOT)
        assert f"{due} R." in trouble.says(fresh(race), found)

    def test_a_seat_that_is_gone(self, woken: list[int]) -> None:
        race = ridden()
        due = play.look(race).decisions[0].seat or ""
        race.seats.filter(name=due).delete()

        found = swept(race)

        assert found is not None
        assert (found.kind, found.seats) == (Kind.NO_SEAT, (due,))

    def test_a_race_at_a_table_needs_somebody_who_may_hold_the_phone(self, woken: list[int]) -> None:
        race = make.running(("Anna",), ("Robo",), way="refereed")
        race.seats.filter(name="Anna").update(user=None)
        assert swept(race) is None, "Olga leads it"
        Race.objects.filter(pk=race.pk).update(owner=None)

        found = swept(race)

        assert found is not None
        assert found.kind is Kind.NO_LEADER

    def test_what_only_the_leader_can_answer_needs_one(self, woken: list[int]) -> None:
        race = make.running(
            ("Anna", "Bruno"), (), options={"course": "strip L3 itt | P1-6", "cards": "none", "tt_clock": "measured"}
        )
        race = make.default_answers(race, 60)
        assert play.look(race).decisions[0].taker is Taker.ORGANISER
        assert swept(race) is None
        Race.objects.filter(pk=race.pk).update(owner=None)

        found = swept(race)

        assert found is not None
        assert found.kind is Kind.NO_LEADER

    def test_a_seed_that_is_lost_while_a_roll_is_due(self, woken: list[int]) -> None:
        race = make.running(way="refereed", people=("Anna", "Bruno"), bots=())
        while play.look(fresh(race)).decisions[0].taker is not Taker.CHANCE:
            answer(race)
        Race.objects.filter(pk=race.pk).update(way="online")

        found = swept(race)

        assert found is not None
        assert (found.kind, found.mends) == (Kind.NO_SEED, (Mend.LOOK, Mend.ABANDON))
        assert woken == []

    def test_a_bot_that_is_due_for_too_long_is_told_and_still_called(self, woken: list[int]) -> None:
        race = bots_only()
        now = timezone.now()
        assert swept(race, now=now + timedelta(minutes=9)) is None

        found = swept(race, now=now + timedelta(minutes=11))

        assert found is not None
        assert found.kind is Kind.STUCK
        assert woken == [race.pk, race.pk]

    def test_nobody_is_late_because_the_site_was_down(self, woken: list[int]) -> None:
        race = bots_only()
        now = timezone.now()
        watch.sweep(now)

        watch.sweep(now + timedelta(hours=3))

        assert Outage.objects.exists()
        assert noted(race) is None
        assert woken == [race.pk, race.pk]

    def test_a_task_that_fails_again_and_again_says_of_what(
        self, woken: list[int], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        race = bots_only()

        def breaks(*_told: Any, **_more: Any) -> None:
            raise ZeroDivisionError("the hidden bottle of Robo holds 5")

        monkeypatch.setattr("races.play._answer", breaks)
        late = timezone.now() + timedelta(minutes=11)
        watch.sweep(late)
        for _time in range(2):
            with pytest.raises(ZeroDivisionError):
                tasks.advance(race.pk)
            watch.sweep(late)

        found = noted(race)

        assert found is not None
        assert found.kind is Kind.STUCK
        assert found.technical.startswith("ZeroDivisionError in ")
        assert "bottle" not in fresh(race).trouble

    def test_what_is_known_already_is_not_played_again_and_keeps_its_hour(
        self, woken: list[int], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        race = ridden()
        Position.objects.filter(race=race).delete()
        first = swept(race)
        played: list[Race] = []
        monkeypatch.setattr(trouble, "playable", lambda race: played.append(race) or (0, None))

        again = swept(race, now=timezone.now() + timedelta(hours=1))

        assert again == first
        assert played == []

    def test_a_race_that_goes_on_by_itself_is_forgotten(
        self, woken: list[int], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        race, other = bots_only(), bots_only()
        late = timezone.now() + timedelta(minutes=11)
        assert swept(race, now=late) is not None
        monkeypatch.setattr(play, "STEPS_AT_ONCE", 2)

        play.advance(race.pk)
        while play.advance(other.pk):
            pass
        watch.sweep()

        assert (fresh(race).status, fresh(race).trouble) == (Status.RUNNING, "")
        assert (fresh(other).status, fresh(other).trouble) == (Status.OVER, "")

    def test_one_race_that_nobody_can_examine_stops_no_other(
        self, woken: list[int], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        broken, healthy = ridden(), seated_by_nobody(ridden(), "Anna")
        seated_by_nobody(healthy, "Bruno")
        stored = watch._stored

        def breaks(race: Race, entries: watch.Log) -> Trouble | None:
            if race.pk == broken.pk:
                raise LookupError("what is hidden")
            return stored(race, entries)

        monkeypatch.setattr(watch, "_stored", breaks)

        watch.sweep()

        unknown, empty = noted(broken), noted(healthy)
        assert unknown is not None
        assert empty is not None
        assert (unknown.kind, empty.kind) == (Kind.UNKNOWN, Kind.EMPTY_SEAT)
        assert "hidden" not in fresh(broken).trouble

    def test_the_sweep_takes_the_same_few_queries_for_one_race_and_for_many(
        self, woken: list[int], django_assert_max_num_queries: Any
    ) -> None:
        for _race in range(2):
            ridden()
        watch.sweep()
        with django_assert_max_num_queries(MOST_OF_A_SWEEP):
            watch.sweep()
        for _race in range(5):
            ridden()
        watch.sweep()

        with django_assert_max_num_queries(MOST_OF_A_SWEEP):
            watch.sweep()


MOST_OF_A_SWEEP = 12  # three of them for the pulse of the clocks, and its transaction


def answer(race: Race) -> None:
    """Whatever is open, as the referee types it."""
    table = play.look(fresh(race))
    decision = table.decisions[0]
    action = (
        next(iter(GIRO.legal(table.state, decision)))
        if decision.taker is Taker.CHANCE
        else GIRO.default(table.state, decision)
    )
    name = play.name_of(decision)
    play.referee(race.pk, action=action, decision=name, after=table.opened[name], key=f"k{table.race.n}", by=None)


def test_a_trouble_that_was_written_is_read_as_it_was_and_anything_else_is_unknown() -> None:
    told = Trouble(kind=Kind.HOLE, n=7, since="2026-05-14T20:00:00+00:00", missing=3, back=0, seats=("A",))

    assert Trouble.read(told.written()) == told
    assert Trouble.read("") is None
    for text in ("KeyError: 'x'", "7", "[]", '{"kind": "flood"}', '{"kind": "hole", "seats": 7}'):
        unknown = Trouble.read(text)
        assert unknown is not None
        assert unknown.kind is Kind.UNKNOWN


# ---- pages of a race that cannot be read -----------------------------------------------------------------------------
@pytest.mark.parametrize("damage", ["gone", "unreadable", "rules"])
def test_every_page_of_a_race_that_cannot_be_read_answers_and_says_where_it_last_was(damage: str) -> None:
    race = ridden()
    if damage == "gone":
        Position.objects.filter(race=race).delete()
    elif damage == "unreadable":
        Position.objects.filter(race=race).update(state={"course": 7})
    else:
        Race.objects.filter(pk=race.pk).update(version=99)
    anna = make.signed_on("Anna")

    body = anna.get(race.get_absolute_url()).content.decode()

    assert "The race stands still" in body
    last = reverse("races:entry", args=[race.key, race.n])
    assert (last in body) == (damage != "rules")
    if damage != "rules":
        assert anna.get(last).status_code == 200
    assert anna.get(reverse("races:version", args=[race.key])).status_code == 200
    assert anna.get(reverse("races:list")).status_code == 200
    assert anna.get(race.get_absolute_url(), headers={"HX-Request": "true"})["HX-Refresh"] == "true"


DAMAGES = ["rules", "course", "hole", "action", "position", "opened"]


def damaged(race: Race, damage: str) -> Race:
    """The race after something has happened to what is stored of it."""
    gone = numbers(race)[5]
    match damage:
        case "rules":
            Race.objects.filter(pk=race.pk).update(version=99)
        case "course":
            Race.objects.filter(pk=race.pk).update(options={"course": "nowhere"})
        case "hole":
            race.entries.filter(n=gone).delete()
        case "action":
            race.entries.filter(n=gone).update(action={"kind": "move", "rider": "nobody"})
        case "position":
            Position.objects.filter(race=race).update(state={"course": 7})
        case "opened":
            Position.objects.filter(race=race).update(opened={})
    return fresh(race)


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("end", [None, "abandoned"])
def test_no_page_of_a_damaged_race_breaks(damage: str, end: str | None) -> None:
    race = damaged(ridden(), damage)
    watch.sweep()
    if end:
        play.abandon(race.pk, reason="It is damaged.", by=race.owner)
    clients = (Client(), make.signed_on("Anna"), make.signed_on("Olga"))
    faults = []
    for name, more in (
        ("race", ()), ("log", ()), ("text", ()), ("export", ()), ("verify", ()), ("numbers", ()), ("version", ()),
        ("referee", ()), ("clock", ()), ("chat", ()), ("notes", ()), ("entry", (0,)), ("entry", (4,)), ("entry", (race.n,)),
    ):  # fmt: skip
        for client in clients:
            client.raise_request_exception = False
            status = client.get(reverse(f"races:{name}", args=[race.key, *more])).status_code
            if status >= 500:
                faults.append((name, *more, status))

    assert faults == []


def test_nothing_is_built_on_a_position_that_is_behind_its_log() -> None:
    race = ridden()
    table = play.look(race)
    (decision, *_more) = table.decisions
    name = play.name_of(decision)
    Position.objects.filter(race=race).update(n=race.n - 1)
    form = {"decision": name, "after": table.opened[name], "key": "one",
            "action": json.dumps(GIRO.write_action(GIRO.default(table.state, decision)))}  # fmt: skip

    answer = make.signed_on(decision.seat or "").post(race.get_absolute_url(), form)

    assert answer.status_code in (409, 422)
    assert fresh(race).n == race.n


def test_a_stranger_finds_no_page_of_a_closed_race_that_stands_still() -> None:
    race = ridden(is_public=False)
    Position.objects.filter(race=race).delete()

    assert Client().get(race.get_absolute_url()).status_code == 404
    assert make.signed_on("Dino").get(race.get_absolute_url()).status_code == 404


# ---- who is told -----------------------------------------------------------------------------------------------------
def test_the_page_is_for_whoever_leads_a_race_and_for_the_staff() -> None:
    race = seated_by_nobody(seated_by_nobody(ridden(is_public=False)), "Bruno")
    watch.sweep()

    assert "Evening race" in page(make.signed_on("Olga"))
    assert "Evening race" in page(staff())
    assert make.signed_on("Anna").get(reverse("races:trouble")).status_code == 403
    assert "/accounts/login/" in Client().get(reverse("races:trouble"))["Location"]
    other = make.waiting(("Carla",), ())
    Race.objects.filter(pk=other.pk).update(owner=make.person("Carla"))
    assert "Evening race" not in page(make.signed_on("Carla"))
    for client in (make.signed_on("Carla"), Client()):
        assert mend(client, race, "look").status_code == 404
    Race.objects.filter(pk=race.pk).update(is_public=True)
    for client in (make.signed_on("Carla"), Client()):
        assert mend(client, race, "look").status_code == 403


def test_who_runs_the_site_leads_a_race_while_it_is_in_trouble_and_no_longer() -> None:
    race = ridden(is_public=False)
    sita = staff()
    assert sita.get(race.get_absolute_url()).status_code == 404
    race.entries.filter(n=numbers(race)[5]).delete()
    watch.sweep()
    before = numbers(race)[4]

    body = page(sita)
    back = reverse("races:entry", args=[race.key, before])
    assert back in body
    assert "Go back to this entry" in sita.get(back).content.decode()
    answer = sita.post(reverse("races:rewind", args=[race.key]), {"to": str(before), "reason": "An entry was lost."})

    assert answer["Location"] == reverse("races:trouble"), "the race itself is closed to him again"
    assert fresh(race).trouble == ""
    watch.sweep()
    assert fresh(race).trouble == ""
    assert sita.get(race.get_absolute_url()).status_code == 404


def test_the_technical_text_is_for_the_staff_only() -> None:
    race = ridden()
    Position.objects.filter(race=race).update(state={"course": 7})
    watch.sweep()
    found = noted(race)
    assert found is not None
    assert found.technical

    assert found.technical in page(staff())
    assert found.technical not in page(make.signed_on("Olga"))


def test_nothing_that_is_hidden_is_on_the_page() -> None:
    race = ridden()
    word = "quetzalcoatl"
    state = Position.objects.get(race=race).state
    Position.objects.filter(race=race).update(state=state | {"riders": [word]})
    watch.sweep()
    seed = bytes(Secret.objects.get(race=race).seed).hex()

    assert fresh(race).trouble != ""
    for client in (staff(), make.signed_on("Olga")):
        for body in (page(client), client.get(race.get_absolute_url()).content.decode()):
            assert word not in body
            assert seed not in body


def test_the_races_own_page_and_the_list_tell_it_to_its_leader_and_to_nobody_else() -> None:
    race = ridden()
    due = play.look(race).decisions[0].seat or ""
    other = "Bruno" if due == "Anna" else "Anna"
    seated_by_nobody(race, due)
    watch.sweep()
    address = reverse("races:trouble")

    for path in (race.get_absolute_url(), reverse("races:list")):
        assert address in make.signed_on("Olga").get(path).content.decode(), path
        assert address not in make.signed_on(other).get(path).content.decode(), path
        assert address not in Client().get(path).content.decode(), path


def test_the_masthead_tells_it_to_the_staff_at_no_cost_for_others(django_assert_num_queries: Any) -> None:
    race = seated_by_nobody(seated_by_nobody(ridden()), "Bruno")
    sita, olga = staff(), make.signed_on("Olga")
    address = reverse("races:trouble")
    dice = reverse("races:dice")
    assert address not in sita.get(dice).content.decode()
    watch.sweep()

    assert address in sita.get(dice).content.decode()
    assert address not in olga.get(dice).content.decode()
    with django_assert_num_queries(1):  # the user; the cache has his session
        olga.get(dice)
    assert fresh(race).trouble


def test_the_page_takes_the_same_few_queries_for_one_race_and_for_many(django_assert_max_num_queries: Any) -> None:
    def stopped() -> None:
        seated_by_nobody(seated_by_nobody(ridden(entries=3)), "Bruno")

    sita = staff()
    stopped()
    watch.sweep()
    page(sita)
    with django_assert_max_num_queries(MOST_QUERIES):
        page(sita)
    for _race in range(6):
        stopped()
    watch.sweep()

    with django_assert_max_num_queries(MOST_QUERIES):
        body = page(sita)
    assert "7 races stand still" in body


MOST_QUERIES = 8


# ---- mending ---------------------------------------------------------------------------------------------------------
class TestMending:
    @pytest.mark.parametrize("damage", [None, {"state": {"course": 7}}, {"opened": {}}, {"n": 3}])
    def test_a_position_is_counted_again_and_the_mark_is_gone_at_once(
        self, woken: list[int], damage: dict[str, Any] | None
    ) -> None:
        race = ridden()
        before = stands(race)
        if damage is None:
            Position.objects.filter(race=race).delete()
        else:
            Position.objects.filter(race=race).update(**damage)
        watch.sweep()
        olga = make.signed_on("Olga")
        assert "Count it again" in page(olga)

        body = mend(olga, race, "count").content.decode()

        assert "its position was wrong, and is right now" in body
        assert "goes on: nothing is wrong with it" in body
        assert "No race stands still" in body
        assert fresh(race).trouble == ""
        assert stands(race) == before

    def test_the_second_click_is_told_that_nothing_is_wrong(self, woken: list[int]) -> None:
        race = ridden()
        Position.objects.filter(race=race).delete()
        watch.sweep()
        olga = make.signed_on("Olga")
        mend(olga, race, "count")
        before = (fresh(race).n, stands(race))

        answer = mend(olga, race, "count")

        assert answer.status_code == 200
        assert "its position was right" in answer.content.decode()
        assert (fresh(race).n, stands(race)) == before

    def test_a_number_that_fell_behind_its_log_is_counted_again(self, woken: list[int]) -> None:
        race = ridden()
        before = stands(race)
        Race.objects.filter(pk=race.pk).update(n=race.n - 2)
        watch.sweep()

        mend(make.signed_on("Olga"), race, "count")

        assert (fresh(race).n, stands(race), fresh(race).trouble) == (race.n, before, "")
        assert make.default_answers(race, 2).n > race.n

    def test_a_race_that_its_log_knows_to_be_over_ends(
        self, woken: list[int], django_capture_on_commit_callbacks: Any
    ) -> None:
        race = make.default_answers(make.running(("Anna", "Bruno"), ()), 300)
        outcome, told = race.outcome, []
        Race.objects.filter(pk=race.pk).update(status=Status.RUNNING, outcome=None, ended_at=None)
        watch.sweep()

        def hear(race_id: int, **_more: Any) -> None:
            told.append(race_id)

        race_over.connect(hear)
        try:
            with django_capture_on_commit_callbacks(execute=True):
                body = mend(make.signed_on("Olga"), race, "count").content.decode()
        finally:
            race_over.disconnect(hear)

        assert "is over: its log says who won" in body
        assert (fresh(race).status, fresh(race).outcome, told) == (Status.OVER, outcome, [race.pk])
        assert "No race stands still" in body

    def test_a_log_that_cannot_be_played_says_so_and_a_rewind_before_it_mends_it(self, woken: list[int]) -> None:
        race = ridden()
        good, bad = numbers(race)[4:6]
        race.entries.filter(n=bad).update(action={"kind": "move", "rider": "nobody"})
        Position.objects.filter(race=race).delete()
        watch.sweep()
        olga = make.signed_on("Olga")

        body = mend(olga, race, "count").content.decode()

        assert "its log cannot be played, and nothing was changed" in body
        assert f"beyond entry {good}" in body
        assert "ValueError" not in body
        assert not Position.objects.filter(race=race).exists()

        answer = olga.post(reverse("races:rewind", args=[race.key]), {"to": str(good), "reason": "The log is damaged."})
        assert answer.status_code == 302
        assert swept(race) is None
        assert make.default_answers(race, 3).n > race.n + 1

    def test_a_bot_that_could_not_ride_before_is_called_and_not_late(self, woken: list[int]) -> None:
        race = bots_only()
        Race.objects.filter(pk=race.pk).update(started_at=timezone.now() - timedelta(hours=1))
        race.entries.update(at=timezone.now() - timedelta(hours=1))
        Position.objects.filter(race=race).delete()
        watch.sweep()

        body = mend(make.signed_on("Olga"), race, "count").content.decode()

        assert "a bot or a roll is due, and was called" in body
        assert fresh(race).trouble == ""

    def test_a_hole_is_leapt_over_by_a_rewind_and_is_no_trouble_any_more(self, woken: list[int]) -> None:
        race = ridden()
        before, gone = numbers(race)[4:6]
        race.entries.filter(n=gone).delete()
        watch.sweep()
        olga = make.signed_on("Olga")
        assert "Count it again" not in page(olga), "a log with a hole tells no position"

        olga.post(reverse("races:rewind", args=[race.key]), {"to": str(before), "reason": "An entry was lost."})
        body = mend(olga, race, "look").content.decode()

        assert "goes on: nothing is wrong with it" in body
        assert fresh(race).trouble == ""

    def test_a_bot_is_put_into_the_empty_seat_once(self, woken: list[int]) -> None:
        race = ridden()
        due = play.look(race).decisions[0].seat or ""
        seated_by_nobody(race, due)
        watch.sweep()
        olga = make.signed_on("Olga")
        assert f"Put a bot in the seat of {due} R." in page(olga)

        first = mend(olga, race, "bot", seat=due, bot="club").content.decode()
        second = mend(olga, race, "bot", seat=due, bot="easy").content.decode()

        assert f"A bot rides for {due} R." in first
        assert "a bot or a roll is due, and was called" in first
        assert "somebody rides there already" in second
        assert race.seats.get(name=due).bot == "club"
        assert race.entries.filter(note__kind="substitution").count() == 1
        assert fresh(race).trouble == ""

    def test_looking_again_calls_the_bot_that_is_late(
        self, woken: list[int], django_capture_on_commit_callbacks: Any
    ) -> None:
        race = bots_only()
        Race.objects.filter(pk=race.pk).update(started_at=timezone.now() - timedelta(hours=1))
        race.entries.update(at=timezone.now() - timedelta(hours=1))
        watch.sweep()
        woken.clear()

        with django_capture_on_commit_callbacks(execute=True):
            body = mend(make.signed_on("Olga"), race, "look").content.decode()

        assert woken == [race.pk]
        assert "still stands. A bot or a roll is due" in body

    def test_an_abandonment_needs_its_reason_and_what_was_typed_stays(self, woken: list[int]) -> None:
        race = seated_by_nobody(seated_by_nobody(ridden()), "Bruno")
        watch.sweep()
        olga = make.signed_on("Olga")

        for reason, says in (("  ", "Say why the race is abandoned"), ("x" * 201, "at most 200 characters")):
            answer = mend(olga, race, "abandon", reason=reason)
            assert answer.status_code == 422
            assert says in answer.content.decode()
            assert f'value="{reason}"' in answer.content.decode()
        assert fresh(race).is_running

        body = mend(olga, race, "abandon", reason="Nobody is left.").content.decode()

        assert "is abandoned. It has no result." in body
        assert "No race stands still" in body
        assert (fresh(race).status, fresh(race).trouble) == (Status.ABANDONED, "")
        again = mend(olga, race, "abandon", reason="Nobody is left.").content.decode()
        assert "does not run: there is nothing to mend" in again
        assert race.entries.filter(note__kind="abandoned").count() == 1

    @pytest.mark.parametrize(
        ("told", "says"),
        [
            ({"do": "pray"}, "pray is not one of"),
            ({"do": "bot", "bot": "club"}, "Say in which seat."),
            ({"do": "bot", "seat": "Anna", "bot": "wizard"}, "wizard is not one of"),
            ({"do": "bot", "seat": "Anna"}, "Choose a bot."),
        ],
    )
    def test_nonsense_is_refused_with_a_sentence(self, woken: list[int], told: dict[str, str], says: str) -> None:
        race = seated_by_nobody(seated_by_nobody(ridden()), "Bruno")
        watch.sweep()

        answer = make.signed_on("Olga").post(reverse("races:mend", args=[race.key]), told)

        assert answer.status_code == 422
        assert says in answer.content.decode()
        assert fresh(race).n == race.n

    def test_a_race_whose_position_cannot_be_read_can_still_be_abandoned_and_checked(self, woken: list[int]) -> None:
        race = ridden()
        Position.objects.filter(race=race).update(state={"course": 7})
        watch.sweep()

        mend(make.signed_on("Olga"), race, "abandon", reason="The disk died.")

        found = fairness.verify(transfer.whole_log(fresh(race)))
        assert (found.verdict, found.abandoned) == (fairness.Verdict.FAIR, True)


def test_a_seat_of_a_race_that_runs_well_gets_no_bot_by_this_way() -> None:
    race = ridden()

    body = mend(make.signed_on("Olga"), race, "bot", seat="Anna", bot="easy").content.decode()

    assert "somebody rides there already" in body
    assert race.seats.get(name="Anna").user == make.person("Anna")


def test_every_kind_of_trouble_has_a_sentence_of_its_own() -> None:
    race = ridden()

    told = {trouble.says(race, Trouble(kind=kind, missing=3, back=2, seats=("Anna",))) for kind in Kind}

    assert len(told) == len(Kind)
    assert not any(re.search(r"%\(|Error|None", sentence) for sentence in told)


def test_a_rewind_beyond_what_can_be_played_is_refused_and_changes_nothing() -> None:
    race = ridden()
    bad, later = numbers(race)[4:6]
    race.entries.filter(n=bad).update(action={"kind": "move", "rider": "nobody"})
    before = (race.n, stands(race))

    answer = make.signed_on("Olga").post(
        reverse("races:rewind", args=[race.key]), {"to": str(later), "reason": "To be tried."}
    )

    assert answer.status_code == 409
    assert (fresh(race).n, stands(race)) == before


def test_who_sits_down_in_the_empty_seat_mends_it_at_once() -> None:
    race = ridden()
    due = play.look(race).decisions[0].seat or ""
    seated_by_nobody(race, due)
    assert swept(race) is not None

    play.substitute(race.pk, seat=due, user=make.person("Carla"), bot="", label="Carla", by=race.owner)

    assert fresh(race).trouble == ""
    assert swept(race) is None


def test_the_phone_of_the_referee_says_it_too() -> None:
    race = make.running(("Anna", "Bruno"), (), way="refereed", options=make.SHORT)
    for _step in range(8):
        answer(race)
    race.entries.filter(n=2).delete()
    watch.sweep()

    body = make.signed_on("Olga").get(reverse("races:referee", args=[race.key])).content.decode()

    assert "This race stands still. Entry 2 is missing" in " ".join(body.split())


def test_a_rewind_of_a_race_whose_position_is_gone_makes_it_anew() -> None:
    race = ridden()
    to = numbers(race)[3]
    Position.objects.filter(race=race).delete()

    play.rewind(race.pk, to=to, reason="It was lost.", by=None)

    state, opened = play.rebuilt(fresh(race))
    assert stands(race) == (fresh(race).n, GIRO.write_state(state), opened)
    with pytest.raises(Refused):
        play.rewind(race.pk, to=10**6, reason="Too far.", by=None)
    assert Entry.objects.filter(race=race, rewind_to=to).count() == 1
