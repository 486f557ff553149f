"""Clocks: the arithmetic of stops, whose time is up in a race, what happens then, and who comes back."""

import json
from datetime import UTC, date, datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from hypothesis import given, settings
from hypothesis import strategies as st

from races import clocks, play
from races.access import Right
from races.clocks import clipped, deadline, dues, midnight, union, used
from races.errors import NotYours, Refused
from races.models import Clock, ClockKind, Entry, Outage, Policy, Pulse, Race, Reach, StandIn, Vacation
from tests.races.rides import CRONO, answer, due, fresh, opened, seat, started, user_called


def at(hour: int, minute: int = 0, day: int = 2) -> datetime:
    return datetime(2026, 11, day, hour, minute, tzinfo=UTC)


def minutes(n: float) -> timedelta:
    return timedelta(minutes=n)


# ---- arithmetic ------------------------------------------------------------------------------------------------------
def test_a_moment_stands_once_however_many_stops_cover_it() -> None:
    pause, vacation = (at(12), at(14)), (at(13), at(16))

    assert used([(at(11, 40), at(16, 10))], [pause, vacation]) == minutes(30)
    assert used([(at(11, 40), at(16, 10))], [vacation, pause, pause]) == minutes(30)


def test_a_deadline_moves_by_what_stood_before_it() -> None:
    assert deadline(at(10), minutes(120), [(at(11, 50), at(12, 30))]) == at(12, 40)
    assert deadline(at(10), minutes(120), [(at(11, 50), at(12, 10)), (at(12), at(12, 30))]) == at(12, 40)


def test_a_stop_after_the_deadline_or_at_it_changes_nothing() -> None:
    assert deadline(at(10), minutes(120), [(at(12), at(14)), (at(15), None)]) == at(12)
    assert deadline(at(10), minutes(120), [(at(8), at(9, 30))]) == at(12)


def test_a_deadline_that_hangs_on_an_open_stop_is_not_known() -> None:
    assert deadline(at(10), minutes(120), [(at(11), None)]) is None
    assert deadline(at(10), minutes(0), [(at(9), None)]) is None


def test_nothing_left_is_up_at_once_but_not_while_the_clock_stands() -> None:
    assert deadline(at(10), minutes(-5), []) == at(10)
    assert deadline(at(10), minutes(0), [(at(9), at(11))]) == at(11)


def test_simultaneous_decisions_use_the_same_time_once() -> None:
    assert used([(at(10), at(11)), (at(10), at(10, 30)), (at(10, 45), at(11, 15))], []) == minutes(75)


def test_only_so_much_of_the_vacations_counts() -> None:
    spans = [(at(0, day=2), at(0, day=5)), (at(0, day=4), at(0, day=6)), (at(0, day=10), at(0, day=20))]

    assert clipped(spans, timedelta(days=6)) == [(at(0, day=2), at(0, day=6)), (at(0, day=10), at(0, day=12))]
    assert clipped(spans, timedelta()) == []


instants = st.integers(0, 200).map(lambda n: at(0) + minutes(n))
spans = st.lists(st.tuples(instants, instants).filter(lambda s: s[0] < s[1]), max_size=6)


@settings(deadline=None)  # a busy machine is no fault
@given(stops=spans, opened=instants, left=st.integers(0, 150))
def test_by_the_deadline_exactly_what_was_left_has_run(stops, opened, left) -> None:
    until = deadline(opened, minutes(left), stops)

    assert until is not None
    assert used([(opened, until)], stops) == minutes(left)


@settings(deadline=None)  # a busy machine is no fault
@given(stops=spans, opened=instants, closed=instants)
def test_time_used_is_what_a_minute_by_minute_count_finds(stops, opened, closed) -> None:
    begin, end = min(opened, closed), max(opened, closed)
    span = [(begin, end)] if begin < end else []
    moments = [begin + minutes(n) for n in range(int((end - begin).total_seconds() // 60))]

    counted = sum(not any(stop <= moment < going for stop, going in stops) for moment in moments)

    assert used(span, stops) == minutes(counted)


@settings(deadline=None)  # a busy machine is no fault
@given(stops=spans)
def test_a_union_covers_the_same_moments_and_its_spans_do_not_touch(stops) -> None:
    merged = union(stops)

    assert all(left[1] < right[0] for left, right in zip(merged, merged[1:], strict=False))
    for n in range(200):
        moment = at(0) + minutes(n)
        assert any(b <= moment < e for b, e in merged) == any(b <= moment < e for b, e in stops)


@pytest.mark.parametrize(
    ("day", "zone", "instant"),
    [
        (date(2026, 3, 29), "Europe/Berlin", datetime(2026, 3, 28, 23, tzinfo=UTC)),
        (date(2026, 10, 26), "Europe/Berlin", datetime(2026, 10, 25, 23, tzinfo=UTC)),
        (date(2026, 9, 6), "America/Santiago", datetime(2026, 9, 6, 4, tzinfo=UTC)),  # 0:00 is leapt over
        (date(2026, 11, 1), "America/Havana", datetime(2026, 11, 1, 4, tzinfo=UTC)),  # 0:00 comes twice
        (date(2026, 4, 5), "Australia/Lord_Howe", datetime(2026, 4, 4, 13, tzinfo=UTC)),
    ],
)
def test_a_day_begins_at_one_instant_whatever_the_clocks_do(day, zone, instant) -> None:
    assert midnight(day, zone) == instant


# ---- whose time is up ------------------------------------------------------------------------------------------------
NOW = datetime(2020, 11, 2, 12, tzinfo=UTC)  # long before whatever the machine's clock says


def timed(race: Race, *, begun: datetime = NOW, **clock: object) -> Race:
    """The race with a clock; it started at `begun`, and what has been written so far was written then."""
    values = {"kind": ClockKind.DECISION, "minutes": 60} | clock
    Clock.objects.create(race=race, **values)
    Race.objects.filter(pk=race.pk).update(started_at=begun)
    Entry.objects.filter(race=race).update(at=begun)
    return fresh(race)


def written(race: Race, instant: datetime) -> None:
    """The newest entries, written just now, were written then."""
    Entry.objects.filter(race=race, at__gt=NOW + timedelta(days=10)).update(at=instant)


def untils(race: Race) -> dict[str, datetime | None]:
    return {line.seat.name: line.until for line in dues(fresh(race))}


@pytest.fixture
def race(db: None) -> Race:
    return timed(started())


def test_each_decision_has_its_time_from_when_it_was_opened(race: Race) -> None:
    whose = str(due(race).seat)
    assert untils(race) == {whose: NOW + minutes(60)}

    answer(race)
    written(race, NOW + minutes(20))

    assert untils(race) == {str(due(race).seat): NOW + minutes(80)}


def test_without_a_clock_and_at_a_table_nobodys_time_runs(db: None) -> None:
    assert dues(started()) == []
    assert dues(timed(started(way="refereed"))) == []


def test_a_bots_time_is_not_taken(db: None) -> None:
    race = timed(started(robots={"Cleo": "easy"}))

    assert "Cleo" not in untils(race)


def test_a_pause_stops_all_clocks_until_the_race_goes_on(race: Race) -> None:
    whose = str(due(race).seat)
    clocks.pause(race.pk, reason="The server moves house.", by=race.owner)
    written(race, NOW + minutes(30))
    assert untils(race) == {whose: None}
    assert clocks.sweep(NOW + timedelta(days=9)) == 0

    clocks.resume(race.pk, by=race.owner)
    written(race, NOW + minutes(100))

    assert untils(race) == {whose: NOW + minutes(130)}
    kinds = [(entry.note["kind"], entry.reason) for entry in race.entries.filter(note__isnull=False)]
    assert kinds == [("pause", "The server moves house."), ("resume", "")]


def test_a_race_pauses_once_and_goes_on_once(race: Race) -> None:
    with pytest.raises(Refused):
        clocks.resume(race.pk, by=race.owner)
    clocks.pause(race.pk, reason="", by=race.owner)
    with pytest.raises(Refused):
        clocks.pause(race.pk, reason="", by=race.owner)


def test_pause_and_vacation_together_stand_once(race: Race) -> None:
    whose = str(due(race).seat)
    clocks.pause(race.pk, reason="", by=race.owner)
    written(race, NOW + minutes(20))
    clocks.resume(race.pk, by=race.owner)
    written(race, NOW + minutes(140))
    clocks.go_away(user_called(whose), NOW + minutes(80), NOW + minutes(260), now=NOW)

    assert untils(race) == {whose: NOW + minutes(60 + 240)}


def test_a_vacation_stops_the_clocks_of_one_rider_and_is_told_in_his_races(race: Race) -> None:
    whose = str(due(race).seat)
    other = next(s.name for s in race.seats.all() if s.name != whose)
    clocks.go_away(user_called(other), NOW, NOW + timedelta(days=2), now=NOW)
    assert untils(race) == {whose: NOW + minutes(60)}

    clocks.go_away(user_called(whose), NOW, NOW + timedelta(days=2), now=NOW)

    assert untils(race) == {whose: NOW + timedelta(days=2) + minutes(60)}
    assert [e.note["seat"] for e in race.entries.filter(note__kind="vacation")] == [other, whose]


def test_a_vacation_counts_for_as_many_days_as_the_race_allows(race: Race) -> None:
    Clock.objects.filter(race=race).update(vacation_days=3)
    whose = str(due(race).seat)

    clocks.go_away(user_called(whose), NOW, NOW + timedelta(days=90), now=NOW)

    assert untils(race) == {whose: NOW + timedelta(days=3) + minutes(60)}


def test_a_vacation_brings_no_time_back(race: Race) -> None:
    whose = str(due(race).seat)

    clocks.go_away(user_called(whose), NOW - timedelta(days=5), NOW + timedelta(days=1), now=NOW + minutes(61))

    assert untils(race) == {whose: NOW + minutes(60)}
    with pytest.raises(Refused):
        clocks.go_away(user_called(whose), NOW - timedelta(days=5), NOW, now=NOW + minutes(61))


def test_who_comes_home_early_has_his_clock_from_then(race: Race) -> None:
    whose = str(due(race).seat)
    away = clocks.go_away(user_called(whose), NOW, NOW + timedelta(days=30), now=NOW)

    clocks.come_home(away, now=NOW + timedelta(days=1))

    assert untils(race) == {whose: NOW + timedelta(days=1) + minutes(60)}


def test_who_stays_at_home_after_all_was_never_away(race: Race) -> None:
    whose = str(due(race).seat)
    away = clocks.go_away(user_called(whose), NOW + minutes(30), NOW + timedelta(days=30), now=NOW)

    clocks.come_home(away, now=NOW + minutes(10))

    assert not Vacation.objects.exists()
    assert untils(race) == {whose: NOW + minutes(60)}


def test_a_new_clock_begins_for_everybody_when_it_is_set(race: Race) -> None:
    whose = str(due(race).seat)

    clocks.set_clock(race, {"kind": "decision", "minutes": 30}, by=race.owner)
    written(race, NOW + minutes(59))

    assert untils(race) == {whose: NOW + minutes(89)}
    assert race.entries.get(note__kind="clock").by == race.owner
    clocks.set_clock(race, None, by=race.owner)
    assert dues(fresh(race)) == []


def test_whoever_takes_a_seat_over_has_his_time_from_then(race: Race) -> None:
    whose = str(due(race).seat)

    play.substitute(race.pk, seat=whose, user=user_called("Carla"), bot="", label="Carla", by=race.owner)
    written(race, NOW + minutes(50))

    assert untils(race) == {whose: NOW + minutes(110)}


# ---- a budget --------------------------------------------------------------------------------------------------------
def after_each(race: Race, moments: list[int]) -> None:
    """One answer after the other, at so many minutes after the start."""
    for minute in moments:
        answer(race)
        written(race, NOW + minutes(minute))


def test_a_budget_is_used_by_all_decisions_of_a_seat_together(db: None) -> None:
    race = timed(started(), kind=ClockKind.BUDGET, minutes=100)
    first = str(due(race).seat)
    spent = {seat.name: 0 for seat in race.seats.all()}
    opened, clock = 0, 0

    for _ in range(4):
        whose = str(due(race).seat)
        clock = opened + 7 + len(whose)
        answer(race)
        written(race, NOW + minutes(clock))
        spent[whose] += clock - opened
        opened = clock

    now = str(due(race).seat)
    assert spent[first] > 0
    assert untils(race) == {now: NOW + minutes(opened + 100 - spent[now])}


def test_an_increment_is_given_for_each_decision(db: None) -> None:
    race = timed(started(), kind=ClockKind.BUDGET, minutes=100, increment=5)
    whose = str(due(race).seat)
    assert untils(race) == {whose: NOW + minutes(105)}

    answered = 0
    opened = 0
    while True:
        answer(race)
        opened += 10
        written(race, NOW + minutes(opened))
        answered += 1
        if str(due(race).seat) == whose:
            break
    own = race.entries.filter(taker="seat", seat=whose).count()

    assert untils(race) == {whose: NOW + minutes(opened + 100 + 5 * (own + 1) - 10 * own)}


def test_taking_back_gives_no_time_back_and_an_organisers_rewind_does(db: None) -> None:
    race = timed(started(), kind=ClockKind.BUDGET, minutes=100)
    whose = str(due(race).seat)
    n = answer(race)
    written(race, NOW + minutes(40))
    assert play.can_take_back(fresh(race), whose) is None

    play.take_back(race.pk, seat=whose, by=None)
    written(race, NOW + minutes(50))
    assert untils(race) == {whose: NOW + minutes(50 + 60)}

    answer(race)
    written(race, NOW + minutes(60))
    play.rewind(race.pk, to=0, reason="We begin again.", by=race.owner)
    written(race, NOW + minutes(70))
    assert n == 1
    assert untils(race) == {whose: NOW + minutes(70 + 100)}


def test_several_runs_of_one_seat_use_their_time_together(db: None) -> None:
    race = opened(CRONO, people=["Anna"])
    two = (("ada", "sprinter"), ("bea", "descender"))
    riders = [{"id": name, "type": "rouleur", "jersey": "team0", "strength": how} for name, how in two]
    race.seats.update(entrant={"riders": riders})
    race = timed(play.start(race, by=race.owner), kind=ClockKind.BUDGET, minutes=100)
    first, second = play.look(race).decisions

    answer(race, decision=first)
    written(race, NOW + minutes(10))
    assert [line.until for line in dues(fresh(race))] == [NOW + minutes(100)] * 2
    answer(race, decision=second)
    written(race, NOW + minutes(30))

    assert [line.until for line in dues(fresh(race))] == [NOW + minutes(100)] * 2
    assert {line.since for line in dues(fresh(race))} == {NOW + minutes(10), NOW + minutes(30)}


# ---- what happens then -----------------------------------------------------------------------------------------------
def test_before_his_time_is_up_nothing_happens_and_after_it_a_bot_decides_once(race: Race) -> None:
    decision = due(race)
    n = fresh(race).n
    assert clocks.sweep(NOW + minutes(60) - timedelta(seconds=1)) == 0
    assert fresh(race).n == n

    assert clocks.sweep(NOW + minutes(60)) == 1

    note, entry = race.entries.filter(n__gt=n)[:2]
    assert note.note == {"kind": "time", "seat": decision.seat, "policy": "decide", "bot": ""}
    assert (entry.seat, entry.by, entry.taker) == (decision.seat, None, "seat")
    assert seat(race, str(decision.seat)).user == user_called(str(decision.seat))
    assert play.recompute(race.pk) is True


def test_the_sweep_that_runs_twice_decides_once(race: Race) -> None:
    clocks.sweep(NOW + minutes(60))
    n = fresh(race).n

    assert clocks.sweep(NOW + minutes(60)) == 0
    assert fresh(race).n == n


def test_a_bot_of_the_chosen_level_decides(race: Race) -> None:
    Clock.objects.filter(race=race).update(bot="easy")
    legal = play.look(fresh(race))
    decision = due(race)

    clocks.sweep(NOW + minutes(60))

    entry = race.entries.filter(taker="seat").first()
    assert race.entries.get(note__kind="time").note["bot"] == "easy"
    assert legal.game.read_action(entry.action) in legal.game.legal(legal.state, decision)


def test_who_answers_in_the_last_moment_has_answered(race: Race) -> None:
    late = dues(fresh(race))[0]
    answer(race)
    n = fresh(race).n

    assert clocks._time_is_up(race.pk, late, NOW + minutes(60)) is False
    assert fresh(race).n == n


def test_where_the_race_waits_nothing_happens(race: Race) -> None:
    Clock.objects.filter(race=race).update(policy=Policy.WAIT)

    assert clocks.sweep(NOW + timedelta(days=30)) == 0
    assert dues(fresh(race))[0].is_up(NOW + timedelta(days=30))


def test_those_who_are_late_are_dealt_with_in_the_order_in_which_they_were(db: None, monkeypatch) -> None:
    second = timed(started(), begun=NOW + minutes(5))
    first = timed(started(), begun=NOW)
    third = timed(started(), begun=NOW + minutes(9))
    seen: list[int] = []
    monkeypatch.setattr(clocks, "_time_is_up", lambda race_id, due, now: seen.append(race_id) or True)

    clocks.sweep(NOW + timedelta(hours=5))

    assert seen == [first.pk, second.pk, third.pk]


def test_a_race_that_cannot_be_read_does_not_stop_the_others(race: Race) -> None:
    broken = timed(started())
    position = broken.position
    position.state = {"nonsense": True}
    position.save()
    n = fresh(race).n

    assert clocks.sweep(NOW + minutes(60)) == 1
    assert fresh(race).n > n


# ---- the seat is kept ------------------------------------------------------------------------------------------------
def kept(race: Race) -> str:
    """His time is up, and a bot takes his seat."""
    Clock.objects.filter(race=race).update(policy=Policy.SEAT)
    whose = str(due(race).seat)
    assert clocks.sweep(NOW + minutes(60)) == 1
    return whose


def test_a_bot_takes_the_seat_and_the_log_says_why(race: Race) -> None:
    n = fresh(race).n
    whose = kept(race)

    now = seat(race, whose)
    assert (now.user, now.bot) == (None, "club")
    assert [e.note["kind"] for e in race.entries.filter(n__gt=n, n__lte=n + 2)] == ["time", "substitution"]
    assert StandIn.objects.get(race=race).user == user_called(whose)


def test_whose_seat_is_kept_watches_a_private_race_and_takes_no_turn(race: Race) -> None:
    Race.objects.filter(pk=race.pk).update(is_public=False)
    whose = kept(race)

    assert clocks.gatekeeper(user_called(whose), race) == Right.WATCH
    assert clocks.gatekeeper(user_called("Dino"), race) == Right.NOTHING
    decision = due(race)
    if decision.seat == whose:
        with pytest.raises(NotYours):
            answer(race)


def test_who_is_back_has_his_seat_and_his_time_again(race: Race) -> None:
    whose = kept(race)
    user = user_called(whose)

    n = clocks.come_back(race.pk, user)
    written(race, NOW + minutes(90))

    now = seat(race, whose)
    assert (now.user, now.bot) == (user, "")
    assert race.entries.get(n=n).note["kind"] == "substitution"
    assert not StandIn.objects.exists()
    assert untils(race).get(whose, NOW + minutes(150)) == NOW + minutes(150)
    with pytest.raises(Refused):
        clocks.come_back(race.pk, user)


def test_a_seat_that_was_given_to_somebody_else_stays_his(race: Race) -> None:
    whose = kept(race)
    carla = user_called("Carla")
    play.substitute(race.pk, seat=whose, user=carla, bot="", label="Carla", by=race.owner)

    with pytest.raises(Refused):
        clocks.come_back(race.pk, user_called(whose))

    assert seat(race, whose).user == carla
    assert not StandIn.objects.exists()


def test_a_guests_seat_is_not_taken_a_bot_decides_for_him_each_time(race: Race) -> None:
    whose = str(due(race).seat)
    race.seats.filter(name=whose).update(user=None, guest="0" * 64)

    kept(race)

    assert seat(race, whose).guest == "0" * 64
    assert race.entries.get(note__kind="time").note["policy"] == "decide"


# ---- outages ---------------------------------------------------------------------------------------------------------
def test_a_site_that_was_down_lengthens_the_deadlines_it_covered(race: Race) -> None:
    whose = str(due(race).seat)
    clocks.sweep(NOW + minutes(50))
    assert not Outage.objects.exists()

    late = clocks.sweep(NOW + minutes(90))

    assert late == 0
    assert untils(race) == {whose: NOW + minutes(100)}
    assert Outage.objects.get().ended == NOW + minutes(90)
    assert clocks.sweep(NOW + minutes(90) + timedelta(seconds=10)) == 0
    for minute in range(91, 100):
        clocks.sweep(NOW + minutes(minute))
    assert clocks.sweep(NOW + minutes(100)) == 1
    assert Outage.objects.count() == 1


def test_sweeps_that_come_as_ever_are_no_outage(db: None) -> None:
    for second in range(0, 600, 10):
        clocks.beat(NOW + timedelta(seconds=second))

    assert not Outage.objects.exists()
    assert Pulse.objects.get().at == NOW + timedelta(seconds=590)


def test_an_outage_is_over_for_a_race_that_began_later(race: Race) -> None:
    Outage.objects.create(began=NOW - timedelta(days=2), ended=NOW - timedelta(days=1))

    assert set(untils(race).values()) == {NOW + minutes(60)}


# ---- the log ---------------------------------------------------------------------------------------------------------
def test_a_race_with_all_of_it_replays_to_where_it_stands(race: Race) -> None:
    user = user_called(str(due(race).seat))
    clocks.go_away(user, NOW, NOW + minutes(5), now=NOW)
    clocks.pause(race.pk, reason="Tea.", by=race.owner)
    written(race, NOW + minutes(10))
    clocks.resume(race.pk, by=race.owner)
    written(race, NOW + minutes(20))
    answer(race)
    written(race, NOW + minutes(30))
    for hour in range(2, 6):
        clocks.sweep(NOW + timedelta(hours=hour))
        Outage.objects.all().delete()
        written(race, NOW + timedelta(hours=hour))
    clocks.set_clock(race, {"kind": "budget", "minutes": 500}, by=race.owner)

    assert {e.note["kind"] for e in race.entries.filter(note__isnull=False)} == {
        "vacation", "pause", "resume", "time", "clock",
    }  # fmt: skip
    assert play.recompute(race.pk) is True
    assert isinstance(user, User)


# ---- pages -----------------------------------------------------------------------------------------------------------
FORM = {"kind": "decision", "amount": "2", "unit": "days", "policy": "seat", "bot": "easy", "vacation_days": "7"}


def client(name: str) -> Client:
    found = Client()
    found.force_login(user_called(name))
    return found


def page_of(race: Race, name: str) -> str:
    return client(name).get(race.get_absolute_url()).content.decode()


def test_who_leads_sets_a_clock_before_the_start_and_while_it_runs(db: None) -> None:
    waiting, running = opened(), started()

    for race in (waiting, running):
        done = client("Olga").post(reverse("races:clock", args=[race.key]), FORM)
        assert done.status_code == 302
        clock = Clock.objects.get(race=race)
        assert (clock.minutes, clock.policy, clock.bot, clock.vacation_days) == (2 * 24 * 60, "seat", "easy", 7)
        assert "2 days for each decision." in page_of(race, "Olga")

    assert not waiting.entries.exists()
    assert "A new clock, from now on" in page_of(running, "Anna")
    again = client("Olga").get(reverse("races:clock", args=[running.key])).content.decode()
    assert 'value="2"' in again
    client("Olga").post(reverse("races:clock", args=[running.key]), {**FORM, "kind": "none"})
    assert not Clock.objects.filter(race=running).exists()
    assert "goes on without a clock" in page_of(running, "Anna")


@pytest.mark.parametrize(
    ("field", "value"),
    [("amount", ""), ("amount", "0"), ("amount", "9999"), ("kind", "hourglass"), ("policy", "shout"), ("bot", "tea")],
)
def test_a_clock_that_cannot_be_is_refused_and_nothing_is_lost(race: Race, field: str, value: str) -> None:
    said = client("Olga").post(reverse("races:clock", args=[race.key]), {**FORM, field: value})

    assert said.status_code == 422
    assert Clock.objects.get(race=race).minutes == 60
    assert 'value="7"' in said.content.decode()


@pytest.mark.parametrize("name", ["clock", "pause", "resume"])
def test_a_rider_does_not_touch_the_clock(race: Race, name: str) -> None:
    said = client("Anna").post(reverse(f"races:{name}", args=[race.key]), FORM)

    assert said.status_code == 403
    assert Clock.objects.get(race=race).minutes == 60
    assert not race.entries.filter(note__isnull=False).exists()


def test_the_page_says_until_when_in_a_way_the_browser_can_put_into_its_own_zone(race: Race) -> None:
    whose = str(due(race).seat)

    page = page_of(race, whose)

    assert '<time datetime="2020-11-02T13:00:00+00:00" data-clock>2 Nov 2020 13:00 UTC</time>' in page
    assert "time was up" in page


def test_the_clocks_are_stopped_and_let_go_on_from_the_page(race: Race) -> None:
    leader = client("Olga")

    leader.post(reverse("races:pause", args=[race.key]), {"reason": "<b>Tea</b>"})
    page = page_of(race, "Anna")
    assert "<p><b>The clocks stand.</b></p>" in page
    assert reverse("races:resume", args=[race.key]) in page_of(race, "Olga")
    assert "&lt;b&gt;Tea&lt;/b&gt;" in page
    assert "<b>Tea" not in page
    leader.post(reverse("races:resume", args=[race.key]))

    assert "The clocks go on." in page_of(race, "Anna")
    again = leader.post(reverse("races:resume", args=[race.key]), follow=True).content.decode()
    assert "The clocks run already." in again


def test_whose_seat_was_kept_finds_the_button_and_nobody_else_does(race: Race) -> None:
    whose = kept(race)
    back = reverse("races:back", args=[race.key])
    assert back in page_of(race, whose)
    assert back not in page_of(race, "Dino")
    assert back not in Client().get(race.get_absolute_url()).content.decode()

    client("Dino").post(back)
    assert seat(race, whose).bot == "club"
    assert "/accounts/login/" in Client().post(back)["Location"]
    client(whose).post(back)

    assert seat(race, whose).user == user_called(whose)
    assert "a bot takes the seat until he is back" in page_of(race, whose)


def test_who_answers_after_a_bot_took_his_seat_is_told_so_and_finds_the_button(race: Race) -> None:
    table, decision = play.look(race), due(race)
    name = play.name_of(decision)
    action = json.dumps(table.game.write_action(table.game.default(table.state, decision)))
    form = {"decision": name, "after": table.opened[name], "key": "k", "action": action}
    whose = kept(race)
    n = fresh(race).n

    answered = client(whose).post(race.get_absolute_url(), form)

    assert answered.status_code == 409
    assert "Your time was up, and a bot rides for you now." in answered.content.decode()
    assert reverse("races:back", args=[race.key]) in answered.content.decode()
    assert client("Dino").post(race.get_absolute_url(), form).status_code == 403
    assert fresh(race).n == n


def test_days_of_vacation_begin_and_end_at_midnight_where_somebody_lives(db: None) -> None:
    anna = user_called("Anna")
    Reach.objects.create(user=anna, zone="Europe/Berlin")

    done = client("Anna").post(reverse("races:away"), {"first": "2199-10-26", "last": "2199-10-27"})

    assert done.status_code == 302
    away = Vacation.objects.get(user=anna)
    assert (away.begins, away.ends) == (midnight(date(2199, 10, 26), "Europe/Berlin"), midnight(date(2199, 10, 28), "Europe/Berlin"))  # fmt: skip
    assert away.begins.hour in (22, 23)
    client("Bruno").post(reverse("races:home", args=[away.pk]))
    assert Vacation.objects.exists()
    client("Anna").post(reverse("races:home", args=[away.pk]))
    assert not Vacation.objects.exists()


@pytest.mark.parametrize(
    "days", [{"first": "2199-01-02", "last": "2199-01-01"}, {"first": "2001-01-01", "last": "2001-01-02"}, {}]
)
def test_a_vacation_that_cannot_be_is_refused(db: None, days: dict[str, str]) -> None:
    assert client("Anna").post(reverse("races:away"), days).status_code == 422
    assert not Vacation.objects.exists()


def test_the_settings_are_for_who_is_signed_on(db: None) -> None:
    assert Client().get(reverse("races:reach")).status_code == 302
    page = client("Anna").get(reverse("races:reach"))

    assert page.status_code == 200
    assert "no-store" in page["Cache-Control"]
    assert "anna@example.org" in page.content.decode()
