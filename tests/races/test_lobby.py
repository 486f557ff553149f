"""Making, finding and joining a race: seats, invitations, guests, and what its leader may do."""

import re
import threading
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connections
from django.test import Client
from django.urls import reverse

from races import bots, lobby, play
from races.access import cookie_of, hashed
from races.errors import Refused
from races.lobby import ME, OPEN, Place, Sitter
from races.models import Clock, Entry, Race, Seat, Status
from races.play import name_of
from tests.conftest import Cast

OPTIONS = {"course": "pianura", "cards": "none"}


def opened(owner: User, *who: str, **more: Any) -> Race:
    """A race of Pianura with one rider each: its owner first, then whoever is named."""
    settled: dict[str, Any] = {"title": "After work", "game": "giro", "options": OPTIONS, "entrant": {"draft": 1},
                               "way": "online", "is_public": True}  # fmt: skip
    return lobby.open_friendly(owner=owner, places=[Place(who=one) for one in (ME, *who)], **settled | more)


def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def url(name: str, race: Race, *more: object) -> str:
    return reverse(f"races:{name}", args=[race.key, *more])


def join_url(race: Race) -> str:
    return url("join", race, race.invitation)


def seat(race: Race, name: str) -> Seat:
    return Seat.objects.get(race=race, name=name)


# ---- making a race -----------------------------------------------------------------------------------------------------
FORM = {
    "title": "", "way": "online", "is_public": "on", "seatA": "me", "seatB": "open", "seatC": "club",
    "giro-course": "colli", "giro-riders": "2", "giro-cards": "matched", "giro-time_limit": "3", "giro-clock": "derived",
    "giro-giro": "on",
}  # fmt: skip


def test_who_is_signed_on_opens_a_race_with_free_seats_and_bots(cast: Cast) -> None:
    anna = client_of(cast.anna)
    assert anna.get(reverse("races:new")).status_code == 200

    answer = anna.post(reverse("races:new"), FORM)

    race = Race.objects.get()
    assert answer["Location"] == race.get_absolute_url()
    assert (race.title, race.status, race.owner, race.is_public) == ("Colli", "open", cast.anna, True)
    assert race.options == {"course": "colli", "cards": "matched", "giro": True, "time_limit": 3}
    assert len(race.commitment) == 64
    assert [(s.name, s.user, s.bot, s.entrant) for s in race.seats.all()] == [
        ("A", cast.anna, "", {"draft": 2}), ("B", None, "", {"draft": 2}), ("C", None, "club", {"draft": 2}),
    ]  # fmt: skip


def test_every_course_of_the_list_can_be_opened_on_the_site(cast: Cast) -> None:
    from races.setups.giro import SETUP, course_choices

    ids = [value for _group, choices in course_choices() for value, _label in choices if value != "notation"]
    assert len(ids) == 21
    for course in ids:
        form = SETUP.form(FORM | {"giro-course": course})
        assert form.is_valid()
        assert form.refusals(4, online=True) == []
        assert opened(cast.anna, "easy", options=form.options(), entrant=form.entrant()).is_open


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"seatA": "", "seatB": "", "seatC": ""}, "somebody who rides"),
        ({"giro-riders": "3", "seatD": "easy", "seatE": "easy"}, "With 5 players each has up to 2 riders."),
        ({"giro-course": "notation", "giro-course_json": ""}, "Paste the course here"),
        ({"giro-course": "notation", "giro-course_json": "{"}, "JSON"),
        ({"giro-course": "crono", "giro-clock": "measured"}, "nobody holds a stopwatch"),
        ({"giro-course": "nowhere"}, "nowhere is not one of"),
        ({"seatC": "wizard"}, "wizard is not one of"),
        ({"giro-time_limit": "many"}, "whole number"),
    ],
)
def test_what_cannot_be_ridden_comes_back_with_the_reason(cast: Cast, change: dict[str, str], says: str) -> None:
    answer = client_of(cast.anna).post(reverse("races:new"), FORM | change)

    assert answer.status_code == 422
    assert says in answer.content.decode()
    assert not Race.objects.exists()


def test_at_a_table_seats_have_the_names_of_whoever_sits_there_and_the_race_starts(cast: Cast) -> None:
    anna = client_of(cast.anna)
    told = FORM | {"way": "refereed", "seatA": "open", "nameA": " Zoe\u0308  L. ", "nameB": "Pieter", "seatC": ""}

    anna.post(reverse("races:new"), told)
    race = Race.objects.get()
    anna.post(url("start", race))

    race.refresh_from_db()
    assert (race.status, race.commitment) == (Status.RUNNING, "")
    assert [s.label for s in race.seats.all()] == ["Zo\u00eb L.", "Pieter"]


CLOCK = {
    "clock-kind": "budget", "clock-amount": "3", "clock-unit": "hours", "clock-increment": "5", "clock-policy": "seat",
    "clock-bot": "easy", "clock-vacation_days": "7",
}  # fmt: skip


def checked_in(page: str, name: str) -> list[str]:
    """The values of a group of radio buttons that are chosen."""
    found = re.findall(rf'<input type="radio" name="{name}" value="([^"]*)"([^>]*)>', page)
    return [value for value, more in found if "checked" in more]


def test_a_new_race_is_offered_two_days_for_each_decision(cast: Cast) -> None:
    page = client_of(cast.anna).get(reverse("races:new")).content.decode()

    assert checked_in(page, "clock-kind") == ["decision"]
    assert checked_in(page, "clock-policy") == ["decide"]
    assert re.search(r'name="clock-amount" value="2"', page)
    assert re.search(r'<option value="days" selected>', page)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({}, ("budget", 180, 5, "seat", "easy", 7)),
        ({"clock-kind": "decision", "clock-policy": "wait"}, ("decision", 180, 0, "wait", "easy", 7)),
        ({"clock-kind": "none", "clock-amount": "soon", "clock-policy": ""}, None),
        ({"way": "refereed"}, None),
        ({"way": "refereed", "clock-amount": "soon", "clock-kind": "sundial"}, None),
        (dict.fromkeys(CLOCK), None),
    ],
    ids=["budget", "decision", "none", "table", "nonsense at a table", "nothing said"],
)
def test_the_clock_is_chosen_when_the_race_is_made(
    cast: Cast, change: dict[str, str | None], told: tuple[object, ...] | None
) -> None:
    form = {name: value for name, value in (FORM | CLOCK | change).items() if value is not None}

    assert client_of(cast.anna).post(reverse("races:new"), form).status_code == 302

    clock = Clock.objects.filter(race=Race.objects.get()).first()
    fields = ("kind", "minutes", "increment", "policy", "bot", "vacation_days")
    assert (clock and tuple(getattr(clock, name) for name in fields)) == told


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"clock-amount": ""}, "Say how much time there is."),
        ({"clock-amount": "400", "clock-unit": "days"}, "A year at most."),
        ({"clock-amount": "soon"}, "whole number"),
        ({"clock-kind": "sundial"}, "sundial is not one of"),
        ({"clock-policy": "shoot"}, "shoot is not one of"),
        ({"clock-bot": "wizard"}, "wizard is not one of"),
        ({"clock-vacation_days": "-1"}, "greater than or equal to 0"),
    ],
)
def test_a_clock_that_cannot_be_is_told_and_nothing_typed_is_lost(
    cast: Cast, change: dict[str, str], says: str
) -> None:
    told = FORM | CLOCK | {"title": "To the lighthouse", "seatC": "club"} | change

    answer = client_of(cast.anna).post(reverse("races:new"), told)

    page = answer.content.decode()
    assert answer.status_code == 422
    assert not Race.objects.exists()
    assert says in page
    assert 'value="To the lighthouse"' in page
    assert '<option value="club" selected>bot, club level</option>' in page
    assert 'name="clock-increment" value="5"' in page
    assert f'name="clock-amount" value="{told["clock-amount"]}"' in page or told["clock-amount"] == ""


def test_a_course_of_ones_own_is_ridden_as_it_is_written(cast: Cast) -> None:
    from rules.giro.course import built_in

    plan = built_in("vetta").plan
    import json

    told = FORM | {
        "giro-course": "notation",
        "giro-course_json": json.dumps(plan.as_json() | {"id": "ours", "name": "Ours"}),
    }

    client_of(cast.anna).post(reverse("races:new"), told)

    race = Race.objects.get()
    assert race.title == "Ours"
    assert race.options["course"]["name"] == "Ours"


# ---- the lobby ---------------------------------------------------------------------------------------------------------
def test_the_lobby_shows_seats_road_and_the_fingerprint_of_the_dice(cast: Cast) -> None:
    race = opened(cast.anna, OPEN, "club")

    page = Client().get(race.get_absolute_url()).content.decode()

    assert race.commitment in page
    assert "one seat is free" in page
    assert "Pianura" in page
    assert "Bot C" in page
    assert race.invitation not in page  # a stranger may look, and not come in


def test_link_and_square_are_for_who_sits_or_leads(cast: Cast) -> None:
    race = opened(cast.anna, OPEN)

    page = client_of(cast.anna).get(race.get_absolute_url()).content.decode()

    assert f"http://testserver{join_url(race)}" in page
    assert 'class="qr"' in page
    assert race.invitation not in client_of(cast.carla).get(race.get_absolute_url()).content.decode()


def test_somebody_signed_on_takes_a_free_seat_and_leaves_it(cast: Cast) -> None:
    race = opened(cast.anna, OPEN)
    carla = client_of(cast.carla)
    assert "Sit here" in carla.get(race.get_absolute_url()).content.decode()

    carla.post(url("take", race), {"seat": "B"})
    taken = seat(race, "B")
    carla.post(url("leave", race), {"seat": "B"})

    assert (taken.user, taken.label) == (cast.carla, "Carla")
    assert (seat(race, "B").user, seat(race, "B").label) == (None, "")


def test_a_taken_seat_is_not_taken_again(cast: Cast) -> None:
    race = opened(cast.anna, OPEN)
    client_of(cast.carla).post(url("take", race), {"seat": "B"})

    answer = client_of(cast.bruno).post(url("take", race), {"seat": "B"})

    assert answer.status_code == 409
    assert "Carla sits there already" in answer.content.decode()
    assert seat(race, "B").user == cast.carla


def test_one_takes_one_seat_and_the_same_button_twice_is_one_seat(cast: Cast) -> None:
    race = opened(cast.anna, OPEN, OPEN)
    carla = client_of(cast.carla)
    carla.post(url("take", race), {"seat": "B"})

    again = carla.post(url("take", race), {"seat": "B"})
    other = carla.post(url("take", race), {"seat": "C"})

    assert (again.status_code, other.status_code) == (302, 409)
    assert seat(race, "C").is_free


@pytest.mark.django_db(transaction=True)
def test_of_two_who_sit_down_at_one_moment_one_sits(cast: Cast) -> None:
    race = opened(cast.anna, OPEN)
    barrier, outcomes = threading.Barrier(4), []

    def sit(user: User) -> None:
        barrier.wait()
        try:
            lobby.take(race.pk, seat="B", sitter=Sitter(user=user, name=user.username))
            outcomes.append(user)
        except Refused:
            pass
        finally:
            connections.close_all()

    threads = [threading.Thread(target=sit, args=[user]) for user in (cast.bruno, cast.carla, cast.dino)]
    for thread in threads:
        thread.start()
    barrier.wait()
    for thread in threads:
        thread.join()

    assert len(outcomes) == 1
    assert seat(race, "B").user == outcomes[0]


def test_who_has_no_name_is_not_called_by_his_address(cast: Cast) -> None:
    race = opened(cast.anna, OPEN)
    User.objects.filter(pk=cast.carla.pk).update(first_name="", username="carla@example.org")

    client_of(cast.carla).post(url("take", race), {"seat": "B"})

    page = Client().get(race.get_absolute_url()).content.decode()
    assert "a rider without a name" in page
    assert "carla@" not in page


# ---- guests ------------------------------------------------------------------------------------------------------------
def test_a_guest_comes_in_by_the_link_with_a_name_and_his_browser_holds_the_key(cast: Cast) -> None:
    race = opened(cast.anna, OPEN, OPEN, is_public=False)
    guest = Client()
    assert guest.get(race.get_absolute_url()).status_code == 404
    assert guest.get(join_url(race)).status_code == 200

    answer = guest.post(join_url(race), {"seat": "B", "name": "Zoë"})

    sat = seat(race, "B")
    assert answer["Location"] == race.get_absolute_url()
    assert (sat.label, sat.guest) == ("Zoë", hashed(guest.cookies[cookie_of(race)].value))
    assert guest.cookies[cookie_of(race)]["httponly"]
    assert guest.get(race.get_absolute_url()).status_code == 200
    assert Client().get(race.get_absolute_url()).status_code == 404
    guest.post(url("leave", race))
    assert seat(race, "B").is_free


@pytest.mark.parametrize(
    ("told", "says"),
    [
        ({"seat": "B", "name": ""}, "This field is required"),
        ({"seat": "B", "name": " \u200b "}, "need a name"),
        ({"seat": "B", "name": "anna"}, "tells you apart"),
        ({"seat": "A", "name": "Zoë"}, "taken by now"),
        ({"name": "Zoë"}, "This field is required"),
    ],
)
def test_a_guest_without_a_name_of_his_own_or_a_free_seat_does_not_sit(
    cast: Cast, told: dict[str, str], says: str
) -> None:
    race = opened(cast.anna, OPEN)

    answer = Client().post(join_url(race), told)

    assert answer.status_code == 422
    assert says in answer.content.decode()
    assert seat(race, "B").is_free


def test_a_name_is_shown_as_it_was_typed_and_does_nothing(cast: Cast) -> None:
    race = opened(cast.anna, OPEN)

    Client().post(join_url(race), {"seat": "B", "name": "</b><script>x"})

    page = Client().get(race.get_absolute_url()).content.decode()
    assert "&lt;/b&gt;&lt;script&gt;x" in page
    assert "<script>x" not in page


def test_another_invitation_is_no_invitation(cast: Cast) -> None:
    race, other = opened(cast.anna, OPEN), opened(cast.anna, OPEN)

    assert Client().get(url("join", race, other.invitation)).status_code == 404
    assert Client().post(url("join", race, "x"), {"seat": "B", "name": "Zoë"}).status_code == 404


def test_who_sits_already_is_led_to_the_race(cast: Cast) -> None:
    race = opened(cast.anna, OPEN)

    assert client_of(cast.anna).get(join_url(race))["Location"] == race.get_absolute_url()


def test_a_guest_of_one_race_is_nobody_in_another(cast: Cast) -> None:
    race, other = opened(cast.anna, OPEN), opened(cast.anna, OPEN)
    guest = Client()
    guest.post(join_url(race), {"seat": "B", "name": "Zoë"})
    guest.cookies[cookie_of(other)] = guest.cookies[cookie_of(race)].value

    guest.post(url("leave", other))
    assert seat(race, "B").guest
    assert "Leave the seat" not in guest.get(other.get_absolute_url()).content.decode()


# ---- kept seats --------------------------------------------------------------------------------------------------------
RIDERS = {"riders": [{"id": "21", "type": "leader", "jersey": "blue-sash"}]}
SHOWN = {"21": {"bib": "21", "name": "Chiara Venn", "jersey": "blue-sash"}}


def kept(owner: User) -> Race:
    seats = [
        {"name": "A", "user": owner, "label": "Anna", "entrant": {"riders": [{"id": "11", "type": "rouleur"}]}},
        {"name": "B", "label": "Carla P.", "entrant": RIDERS, "riders": SHOWN},
    ]
    return play.open_race(title="Stage 4", game="giro", options=OPTIONS, seats=seats, owner=owner)


def test_a_seat_with_named_riders_is_kept_for_its_player(cast: Cast) -> None:
    race = kept(cast.anna)
    dino = client_of(cast.dino)
    page = dino.get(race.get_absolute_url()).content.decode()
    assert "Chiara Venn" in page
    assert "blue jersey, with a sash" in page
    assert "Sit here" not in page

    assert dino.post(url("take", race), {"seat": "B"}).status_code == 409
    assert seat(race, "B").is_free
    assert dino.get(reverse("races:list")).content.decode().count(race.key) == 0

    client_of(cast.carla).post(join_url(race), {"seat": "B"})
    assert (seat(race, "B").user, seat(race, "B").label) == (cast.carla, "Carla P.")


def test_a_bot_in_a_kept_seat_and_nobody_after_it_leave_the_players_name(cast: Cast) -> None:
    race = kept(cast.anna)

    lobby.put_bot(race.pk, seat="B", level="easy")
    assert (seat(race, "B").bot, seat(race, "B").label) == ("easy", "Carla P.")
    lobby.free(race.pk, seat="B")
    assert (seat(race, "B").is_free, seat(race, "B").label) == (True, "Carla P.")


# ---- what the leader may do --------------------------------------------------------------------------------------------
def test_the_leader_puts_bots_frees_seats_and_starts(cast: Cast) -> None:
    race = opened(cast.anna, OPEN, OPEN)
    client_of(cast.carla).post(url("take", race), {"seat": "C"})
    anna = client_of(cast.anna)

    early = anna.post(url("start", race))
    anna.post(url("seat", race), {"seat": "B", "who": "expert"})
    anna.post(url("seat", race), {"seat": "B", "who": "easy"})
    anna.post(url("seat", race), {"seat": "C", "who": ""})
    anna.post(url("seat", race), {"seat": "C", "who": "club"})
    started = anna.post(url("start", race))

    assert early.status_code == 409
    assert "seats are still free" in early.content.decode()
    assert [s.bot for s in race.seats.all()] == ["", "easy", "club"]
    assert started.status_code == 302
    race.refresh_from_db()
    assert race.is_running


def test_a_bot_is_not_put_on_somebody(cast: Cast) -> None:
    race = opened(cast.anna, OPEN)
    client_of(cast.carla).post(url("take", race), {"seat": "B"})

    answer = client_of(cast.anna).post(url("seat", race), {"seat": "B", "who": "club"})

    assert answer.status_code == 409
    assert seat(race, "B").user == cast.carla


@pytest.mark.parametrize("who", ["wizard", "bot"])
def test_there_are_no_bots_but_those_of_the_game(cast: Cast, who: str) -> None:
    race = opened(cast.anna, OPEN)

    assert client_of(cast.anna).post(url("seat", race), {"seat": "B", "who": who}).status_code == 409


def test_what_the_rules_have_against_the_start_is_said_on_the_lobby(cast: Cast) -> None:
    race = opened(cast.anna, "easy")
    Race.objects.filter(pk=race.pk).update(options={"course": "pianura", "token": "Z"})

    answer = client_of(cast.anna).post(url("start", race))

    assert answer.status_code == 422
    assert "There is no seat" in answer.content.decode()
    race.refresh_from_db()
    assert race.is_open


@pytest.mark.parametrize("name", ["seat", "start", "substitute", "abandon"])
def test_nobody_else_leads(cast: Cast, name: str) -> None:
    race = opened(cast.anna, OPEN)
    client_of(cast.carla).post(url("take", race), {"seat": "B"})

    for client in (client_of(cast.carla), client_of(cast.dino), Client()):
        assert client.post(url(name, race), {"seat": "B", "who": "easy", "reason": "x"}).status_code == 403
    assert seat(race, "B").user == cast.carla
    race.refresh_from_db()
    assert race.is_open


def test_seats_do_not_change_in_the_lobby_once_it_runs(cast: Cast) -> None:
    race = opened(cast.anna, OPEN)
    client_of(cast.carla).post(url("take", race), {"seat": "B"})
    play.start(race, by=cast.anna)

    for client, name, told in (
        (client_of(cast.carla), "leave", {}),
        (client_of(cast.dino), "take", {"seat": "B"}),
        (client_of(cast.anna), "seat", {"seat": "B", "who": ""}),
        (client_of(cast.anna), "start", {}),
    ):
        assert client.post(url(name, race), told)["Location"] == race.get_absolute_url()
    assert seat(race, "B").user == cast.carla


def test_a_race_that_is_called_off_before_the_start_says_why(cast: Cast) -> None:
    race = opened(cast.anna, OPEN)

    client_of(cast.anna).post(url("abandon", race), {"reason": "Nobody came."})

    race.refresh_from_db()
    assert race.status == Status.ABANDONED
    page = Client().get(race.get_absolute_url())
    assert page.status_code == 200
    assert "Nobody came." in page.content.decode()
    assert "Start the race" not in client_of(cast.anna).get(race.get_absolute_url()).content.decode()


# ---- while it runs -----------------------------------------------------------------------------------------------------
def running(cast: Cast) -> Race:
    """Anna, Carla and a bot ride; Anna leads."""
    race = opened(cast.anna, OPEN, "easy")
    lobby.take(race.pk, seat="B", sitter=Sitter(user=cast.carla, name="Carla"))
    return play.start(race, by=cast.anna)


def test_a_bot_rides_for_somebody_and_the_seat_is_handed_back(cast: Cast) -> None:
    race = running(cast)
    anna = client_of(cast.anna)
    answer(race, "B", cast.carla)

    anna.post(url("substitute", race), {"seat": "B", "who": "bot:club"})
    lent = seat(race, "B")
    anna.post(url("substitute", race), {"seat": "B", "who": f"user:{cast.carla.pk}"})

    assert (lent.bot, lent.user, lent.label) == ("club", None, "Carla")
    assert (seat(race, "B").user, seat(race, "B").bot) == (cast.carla, "")
    notes = [entry.note for entry in Entry.objects.filter(race=race, note__isnull=False)]
    assert [(note["seat"], note["bot"]) for note in notes if note] == [("B", "club"), ("B", "")]


def answer(race: Race, name: str, user: User) -> None:
    """Somebody answers the next decision of his seat, whoever else has to go before."""
    for _turn in range(40):
        play.advance(race.pk)
        table = play.look(Race.objects.get(pk=race.pk))
        for decision in table.decisions:
            act = table.game.default(table.state, decision)
            by = seat(race, decision.seat or "").user
            play.submit(
                race.pk, seat=str(decision.seat), action=act, decision=name_of(decision),
                after=table.opened[name_of(decision)], key=f"{table.race.n}", by=by,
            )  # fmt: skip
            if decision.seat == name:
                return
            break
    raise AssertionError("never asked")


def test_only_who_is_known_to_the_race_is_sent_in(cast: Cast) -> None:
    race = running(cast)
    anna = client_of(cast.anna)

    for who in (f"user:{cast.dino.pk}", "bot:wizard", "", "user:", "user:x"):
        page = anna.post(url("substitute", race), {"seat": "B", "who": who}, follow=True)
        assert "Choose a bot" in page.content.decode()

    assert seat(race, "B").user == cast.carla
    assert not Entry.objects.filter(race=race, note__isnull=False).exists()


def test_a_guest_takes_over_by_the_link_what_a_bot_rides_for_somebody(cast: Cast) -> None:
    race = running(cast)
    guest = Client()
    assert "no seat of it is free" in guest.get(join_url(race)).content.decode()
    lobby.substitute(race, seat="B", who="bot:easy", by=cast.anna)
    lobby.substitute(race, seat="B", who="bot:club", by=cast.anna)
    lobby.substitute(race, seat="C", who="bot:club", by=cast.anna)

    page = guest.get(join_url(race)).content.decode()
    assert 'value="B"' in page
    assert 'value="C"' not in page  # a bot from the start: nobody's seat
    guest.post(join_url(race), {"seat": "B", "name": "Zoë"})

    sat = seat(race, "B")
    assert (sat.guest, sat.bot, sat.label) == (hashed(guest.cookies[cookie_of(race)].value), "", "Zoë")
    with pytest.raises(Refused):
        lobby.take_over(race.pk, seat="B", sitter=Sitter(user=cast.bruno, name="Bruno"))


def test_a_race_is_abandoned_for_a_reason_only(cast: Cast) -> None:
    race = running(cast)
    anna = client_of(cast.anna)

    anna.post(url("abandon", race), {"reason": "  "})
    race.refresh_from_db()
    assert race.is_running
    anna.post(url("abandon", race), {"reason": "The cat is on the board."})

    race.refresh_from_db()
    assert race.status == Status.ABANDONED
    assert Entry.objects.get(race=race, n=race.n).reason == "The cat is on the board."


def test_the_part_for_the_leader_is_on_his_page_alone(cast: Cast) -> None:
    race = running(cast)

    assert 'id="lead-race"' in client_of(cast.anna).get(race.get_absolute_url()).content.decode()
    assert 'id="lead-race"' not in client_of(cast.carla).get(race.get_absolute_url()).content.decode()


# ---- finding a race ----------------------------------------------------------------------------------------------------
def titles(lines: list[lobby.Line]) -> list[str]:
    return [line.race.title for line in lines]


def test_the_lists_say_what_waits_for_whom(cast: Cast) -> None:
    opened(cast.dino, OPEN, title="Free seat")
    opened(cast.dino, "easy", title="Full")
    opened(cast.dino, OPEN, title="Hidden", is_public=False)
    mine = opened(cast.anna, OPEN, title="Mine, open")
    for title, owner in (("Carla is due", cast.carla), ("To watch", cast.dino)):
        race = play.start(opened(owner, "easy", title=title), by=owner)
        play.advance(race.pk)
    done = play.start(opened(cast.dino, "easy", title="Done"), by=cast.dino)
    play.abandon(done.pk, reason="x", by=cast.dino)
    lobby.take(mine.pk, seat="B", sitter=Sitter(user=cast.carla, name="Carla"))

    found = lobby.lists(cast.carla, {})

    assert titles(found.waiting) == ["Carla is due"]
    assert titles(found.riding) == ["Mine, open"]
    assert titles(found.joinable) == ["Free seat"]
    assert titles(found.running) == ["To watch"]
    assert titles(found.finished) == ["Done"]
    assert [str(seat) for seat in found.running[0].due] == ["Dino"]
    page = client_of(cast.carla).get(reverse("races:list")).content.decode()
    assert "One race waits for you" in page
    assert "Hidden" not in page


def test_a_guest_finds_his_races_by_the_keys_in_his_browser(cast: Cast) -> None:
    race = opened(cast.anna, OPEN, title="Behind the door", is_public=False)
    guest = Client()
    guest.post(join_url(race), {"seat": "B", "name": "Zoë"})

    assert "Behind the door" in guest.get(reverse("races:list")).content.decode()
    assert "Behind the door" not in Client().get(reverse("races:list")).content.decode()


def test_at_a_table_the_race_waits_for_who_leads_it(cast: Cast) -> None:
    play.start(opened(cast.anna, OPEN, way="refereed", title="At the table"), by=cast.anna)

    assert titles(lobby.lists(cast.anna, {}).waiting) == ["At the table"]
    assert titles(lobby.lists(cast.carla, {}).running) == ["At the table"]


def test_the_lists_cost_the_same_for_one_race_and_for_thirty(cast: Cast, django_assert_max_num_queries: Any) -> None:
    carla = client_of(cast.carla)

    def races(how_many: int) -> None:
        for _n in range(how_many):
            opened(cast.carla, OPEN)
            opened(cast.dino, OPEN)
            play.start(opened(cast.dino, "easy"), by=cast.dino)
            play.start(opened(cast.carla, "easy"), by=cast.carla)
            play.abandon(play.start(opened(cast.dino, "easy"), by=cast.dino).pk, reason="x", by=cast.dino)

    races(1)
    with django_assert_max_num_queries(14) as one:
        assert carla.get(reverse("races:list")).status_code == 200
    races(29)
    with django_assert_max_num_queries(14) as thirty:
        page = carla.get(reverse("races:list")).content.decode()

    assert len(one) == len(thirty)
    assert "?page=2" in page


def test_the_levels_are_those_of_the_bots() -> None:
    assert [level for level, _words in lobby.levels("giro")] == [
        level for level in bots.LEVELS if level in bots.bots("giro")
    ]
