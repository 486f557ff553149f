"""Chat and private notes of a race: who reads, who writes, what is hidden or taken away, and what stays one's own."""

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from html import unescape
from http import HTTPStatus
from typing import Any

import pytest
from django.db import connection, connections
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from races import chat, live, play, transfer
from races.access import Right, Viewer, _gatekeepers, cookie_of, hashed, register
from races.models import Listener, Message, Part, PrivateNote, Race, Talk
from tests.races.rides import answer, fresh, opened, started, user_called

pytestmark = pytest.mark.django_db

GUEST_KEY = "the-key-of-the-guest-0123456789"


def at(race: Race, what: str = "chat", *more: object) -> str:
    return reverse(f"races:{what}", args=[race.key, *more])


def signed_on(name: str) -> Client:
    client = Client()
    client.force_login(user_called(name))
    return client


def guest_of(race: Race, key: str = GUEST_KEY) -> Client:
    client = Client()
    client.cookies[cookie_of(race)] = key
    return client


def with_guest(**more: Any) -> Race:
    """Anna rides, and Bruno's seat is a guest's."""
    race = opened(**more)
    race.seats.filter(name="Bruno").update(user=None, guest=hashed(GUEST_KEY), label="Beppe")
    return play.start(race, by=race.owner)


def say(client: Client, race: Race, text: str, key: str = "", **more: Any) -> Any:
    key = key or f"key-{Message.objects.count()}"
    return client.post(at(race), {"text": text, "key": key}, **more)


def page(client: Client, race: Race, query: str = "") -> str:
    found = client.get(at(race) + query)
    assert found.status_code == HTTPStatus.OK
    return unescape(found.content.decode())


def texts(body: str) -> list[str]:
    return re.findall(r'<p class="talk-text" dir="auto">([^<]*)</p>', body)


def written(race: Race, count: int, name: str = "Anna") -> None:
    """So many messages of long ago."""
    user, long_ago = user_called(name), timezone.now() - timedelta(hours=1)
    talk, _new = Talk.objects.get_or_create(race=race)
    rows = [
        Message(
            race=race, n=talk.n + i, user=user, name=name, part=Part.RIDES, text=f"Line {talk.n + i}.",
            key=f"old-{talk.n + i}", at=long_ago,
        )
        for i in range(1, count + 1)
    ]  # fmt: skip
    Message.objects.bulk_create(rows)
    Talk.objects.filter(race=race).update(n=talk.n + count)


# ---- who reads and who writes ----------------------------------------------------------------------------------------
def test_whoever_may_watch_reads_what_was_said_newest_first() -> None:
    race = started()
    say(signed_on("Anna"), race, "Allez!")
    say(signed_on("Bruno"), race, "My legs.")

    for client in (Client(), signed_on("Anna"), signed_on("Dino")):
        assert texts(page(client, race)) == ["My legs.", "Allez!"]


@pytest.mark.parametrize(
    ("name", "part", "called"),
    [("Anna", "rides", "Anna R."), ("Olga", "leads the race", "Olga"), ("Dino", "watches", "Dino")],
)
def test_who_sits_leads_or_watches_signed_on_writes_as_what_he_is(name: str, part: str, called: str) -> None:
    race = started()

    answered = say(signed_on(name), race, "Allez!")

    assert answered.status_code == HTTPStatus.FOUND
    assert answered["Location"] == at(race)
    found = Message.objects.get()
    assert (found.user, found.get_part_display()) == (user_called(name), part)
    assert found.name.startswith(called)


def test_a_guest_writes_as_who_sits_in_his_seat() -> None:
    race = with_guest()

    assert say(guest_of(race), race, "Hello from the road.").status_code == HTTPStatus.FOUND

    found = Message.objects.get()
    assert (found.user, found.guest, found.seat, found.name) == (None, hashed(GUEST_KEY), "Bruno", "Beppe")
    assert found.part == Part.GUEST
    assert "Beppe" in page(Client(), race)


def test_a_stranger_is_asked_to_sign_on_and_a_wrong_key_is_a_stranger() -> None:
    race = with_guest()

    for client in (Client(), guest_of(race, "another-key-altogether-000000000")):
        answered = say(client, race, "Spam.")
        assert answered.status_code == HTTPStatus.FOUND
        assert answered["Location"].startswith("/accounts/login/?next=")
        assert "Sign on to write" in page(client, race)
        assert "chat-form" not in page(client, race)
    assert not Message.objects.exists()


def test_the_chat_of_a_private_race_is_there_for_who_may_watch_it() -> None:
    race = with_guest(is_public=False)
    assert say(signed_on("Anna"), race, "Only us.").status_code == HTTPStatus.FOUND

    for client in (Client(), signed_on("Dino")):
        assert client.get(at(race)).status_code == HTTPStatus.NOT_FOUND
        assert say(client, race, "Me too.").status_code == HTTPStatus.NOT_FOUND
        for what in ("chat_hide", "chat_delete"):
            assert client.post(at(race, what, 1)).status_code == HTTPStatus.NOT_FOUND
    assert client.post(at(race, "chat_seen"), {"n": 1}).status_code == HTTPStatus.NOT_FOUND
    assert client.get(at(race, "notes")).status_code == HTTPStatus.NOT_FOUND
    assert texts(page(guest_of(race), race)) == ["Only us."]
    assert texts(page(signed_on("Olga"), race)) == ["Only us."]


def test_members_whom_another_app_lets_watch_read_and_write(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("races.access._gatekeepers", dict(_gatekeepers))
    register(lambda user, race: Right.WATCH if user.username == "carla" else Right.NOTHING)
    race = started(is_public=False)

    assert say(signed_on("Carla"), race, "From the club.").status_code == HTTPStatus.FOUND
    assert signed_on("Dino").get(at(race)).status_code == HTTPStatus.NOT_FOUND


def test_who_lost_his_seat_in_a_private_race_keeps_no_chat() -> None:
    race = started(is_public=False)
    bruno = signed_on("Bruno")
    assert say(bruno, race, "Still here.").status_code == HTTPStatus.FOUND

    play.substitute(race.pk, seat="Bruno", user=user_called("Carla"), bot="", label="Carla", by=race.owner)

    assert bruno.get(at(race)).status_code == HTTPStatus.NOT_FOUND
    assert say(bruno, race, "And now?").status_code == HTTPStatus.NOT_FOUND
    assert texts(page(signed_on("Carla"), race)) == ["Still here."]


def test_the_field_says_who_will_read_it() -> None:
    assert "Anybody can read this" in page(signed_on("Anna"), started())
    assert "All who may watch this race" in page(signed_on("Anna"), started(is_public=False))


@pytest.mark.parametrize("how", ["waits", "over", "abandoned", "at a table"])
def test_people_talk_before_a_race_after_it_and_at_a_table(how: str) -> None:
    race = opened(way="refereed" if how == "at a table" else "online")
    if how != "waits":
        play.start(race, by=race.owner)
    if how == "over":
        Race.objects.filter(pk=race.pk).update(status="over", ended_at=timezone.now())
    elif how == "abandoned":
        play.abandon(race.pk, reason="It rains.", by=race.owner)

    assert say(signed_on("Anna"), race, "Well ridden.").status_code == HTTPStatus.FOUND

    assert texts(page(Client(), race)) == ["Well ridden."]
    assert "Well ridden." in Client().get(race.get_absolute_url()).content.decode()


# ---- what is written -------------------------------------------------------------------------------------------------
def test_a_message_is_text_and_nothing_else_and_keeps_its_lines() -> None:
    race = started()
    typed = "  <script>alert(1)</script>\r\n<b>bold</b> & https://example.org\r\rend  "

    say(signed_on("Anna"), race, typed)

    stored = Message.objects.get().text
    assert stored == "<script>alert(1)</script>\n<b>bold</b> & https://example.org\n\nend"
    body = Client().get(at(race)).content.decode()
    assert "&lt;script&gt;alert(1)&lt;/script&gt;\n&lt;b&gt;bold&lt;/b&gt; &amp; https://example.org\n\nend</p>" in body
    assert "<script>alert" not in body
    assert 'href="https://example.org' not in body


def test_what_cannot_be_seen_or_turns_the_page_around_is_left_out() -> None:
    race = started()

    say(signed_on("Anna"), race, "a\x07b\u202ec\u0000 Zoe\u0308 \U0001f469\u200d\U0001f680")

    assert Message.objects.get().text == "abc Zo\u00eb \U0001f469\u200d\U0001f680"


@pytest.mark.parametrize("text", ["", "   \n ", "\u200b\u200b", "\u202e"])
def test_nothing_is_no_message(text: str) -> None:
    race = started()

    answered = say(signed_on("Anna"), race, text)

    assert answered.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "Write something first." in answered.content.decode()
    assert not Message.objects.exists()


def test_a_message_of_the_most_characters_is_taken_and_a_longer_one_comes_back_whole() -> None:
    race, anna = started(), signed_on("Anna")
    longest = "x" * chat.LONGEST_MESSAGE

    assert say(anna, race, longest).status_code == HTTPStatus.FOUND
    answered = say(anna, race, longest + "!", key="long")

    assert answered.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    body = answered.content.decode()
    assert "This has 501 characters, and 500 is the most. Your text is still here: shorten it." in body
    assert f">{longest}!</textarea>" in body
    assert 'name="key" value="long"' in body
    assert Message.objects.count() == 1


@pytest.mark.parametrize("key", ["", "k" * 65, "a\0b"])
def test_a_damaged_form_is_refused_with_the_text_and_gets_a_new_key(key: str) -> None:
    race = started()

    answered = signed_on("Anna").post(at(race), {"text": "Hello.", "key": key})

    assert answered.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    body = answered.content.decode()
    assert ">Hello.</textarea>" in body
    found = re.search(r'name="key" value="([^"]*)"', body)
    assert found is not None
    assert 10 < len(found[1]) < 30
    assert not Message.objects.exists()


def test_the_same_form_sent_twice_is_one_message() -> None:
    race, anna = started(), signed_on("Anna")

    for _ in range(3):
        assert say(anna, race, "Once.", key="one").status_code == HTTPStatus.FOUND

    assert Message.objects.count() == 1
    assert Talk.objects.get(race=race).n == 1
    assert say(signed_on("Bruno"), race, "My own.", key="one").status_code == HTTPStatus.FOUND
    assert Message.objects.count() == 2


def test_another_text_from_a_form_that_went_out_is_not_lost() -> None:
    race, anna = started(), signed_on("Anna")
    say(anna, race, "First.", key="one")

    answered = say(anna, race, "First, and more.", key="one")

    assert answered.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    body = answered.content.decode()
    assert ">First, and more.</textarea>" in body
    found = re.search(r'name="key" value="([^"]*)"', body)
    assert found is not None
    assert found[1] != "one"
    assert say(anna, race, "First, and more.", key=found[1]).status_code == HTTPStatus.FOUND
    assert Message.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_twenty_posts_at_once_with_one_key_are_one_message() -> None:
    race = started()
    anna = chat.Writer.of(viewer_called("Anna", race))
    assert anna is not None

    def post(_n: int) -> int:
        try:
            return chat.write(race, anna, "At once.", key="one").n
        finally:
            connections.close_all()

    with ThreadPoolExecutor(5) as threads:
        numbers = list(threads.map(post, range(20)))

    assert set(numbers) == {1}
    assert Message.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_messages_written_at_once_each_have_their_own_number() -> None:
    race = started()
    writers = [chat.Writer.of(viewer_called(name, race)) for name in ("Anna", "Bruno", "Carla", "Dino")]

    def post(n: int) -> int:
        writer = writers[n % 4]
        assert writer is not None
        try:
            return chat.write(race, writer, f"Message {n}.", key=f"k{n}").n
        finally:
            connections.close_all()

    with ThreadPoolExecutor(4) as threads:
        numbers = list(threads.map(post, range(20)))

    assert sorted(numbers) == list(range(1, 21))
    assert Talk.objects.get(race=race).n == 20


def viewer_called(name: str, race: Race) -> Viewer:
    user = user_called(name)
    seats = tuple(seat for seat in race.seats.all() if seat.user_id == user.pk)
    return Viewer(user=user, race=race, seats=seats)


def test_who_writes_too_fast_waits_and_keeps_his_text() -> None:
    race, other, anna = started(), started(), signed_on("Anna")
    for n in range(chat.AT_ONCE):
        assert say(anna, race if n % 2 else other, f"{n}").status_code == HTTPStatus.FOUND

    answered = say(anna, race, "One too many.", key="more")

    assert answered.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    body = unescape(answered.content.decode())
    assert re.search(
        r"You have written 10 messages within a minute\. Your text is still here: send it in \d+ seconds", body
    )
    assert ">One too many.</textarea>" in body
    assert say(signed_on("Bruno"), race, "I have said nothing yet.").status_code == HTTPStatus.FOUND
    Message.objects.filter(user=user_called("Anna")).update(at=timezone.now() - timedelta(seconds=61))
    assert say(anna, race, "One too many.", key="more").status_code == HTTPStatus.FOUND


def test_guests_have_their_own_measure() -> None:
    race = with_guest()
    for n in range(chat.AT_ONCE):
        say(guest_of(race), race, f"{n}")

    assert say(guest_of(race), race, "More.").status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert say(signed_on("Anna"), race, "Calm.").status_code == HTTPStatus.FOUND


def test_taking_messages_away_does_not_make_room_for_more() -> None:
    race, anna = started(), signed_on("Anna")
    for n in range(chat.AT_ONCE):
        say(anna, race, f"{n}")
        anna.post(at(race, "chat_delete", Message.objects.order_by("-n").values_list("n", flat=True)[0]))

    assert say(anna, race, "More.").status_code == HTTPStatus.UNPROCESSABLE_ENTITY


# ---- hiding and deleting ---------------------------------------------------------------------------------------------
def test_who_leads_hides_a_message_and_its_place_says_so_to_everybody() -> None:
    race, olga = started(), signed_on("Olga")
    say(signed_on("Anna"), race, "Nonsense.")

    olga.post(at(race, "chat_hide", 1), {"hidden": "1"})

    for client in (Client(), signed_on("Anna"), signed_on("Bruno"), olga):
        body = page(client, race)
        assert "Nonsense." not in body
        assert "Hidden by Olga." in body
        assert "Nonsense." not in client.get(race.get_absolute_url()).content.decode()
    olga.post(at(race, "chat_hide", 1))
    assert texts(page(Client(), race)) == ["Nonsense."]


def test_nobody_else_hides_and_the_buttons_are_there_for_who_may() -> None:
    race = started()
    say(signed_on("Anna"), race, "Mine.")

    for client in (Client(), signed_on("Anna"), signed_on("Bruno")):
        assert client.post(at(race, "chat_hide", 1), {"hidden": "1"}).status_code == HTTPStatus.FORBIDDEN
        assert at(race, "chat_hide", 1) not in page(client, race)
    assert at(race, "chat_hide", 1) in page(signed_on("Olga"), race)
    assert at(race, "chat_delete", 1) in page(signed_on("Anna"), race)
    assert at(race, "chat_delete", 1) not in page(signed_on("Olga"), race)
    assert Message.objects.get().hidden_at is None


def test_an_author_deletes_his_own_and_its_text_is_gone_for_good() -> None:
    race, anna = started(), signed_on("Anna")
    say(anna, race, "Oops.", key="one")

    assert anna.post(at(race, "chat_delete", 1)).status_code == HTTPStatus.FOUND

    assert Message.objects.get().text == ""
    assert "Deleted by who wrote it." in page(Client(), race)
    assert say(anna, race, "Oops.", key="one").status_code == HTTPStatus.UNPROCESSABLE_ENTITY  # a late retry
    answered = signed_on("Olga").post(at(race, "chat_hide", 1), {"hidden": "1"}, follow=True)
    assert "Whoever wrote this message has deleted it." in answered.content.decode()


def test_nobody_deletes_what_another_wrote() -> None:
    race = with_guest()
    say(signed_on("Anna"), race, "Mine.")
    say(guest_of(race), race, "The guest's.")

    for client in (Client(), guest_of(race), signed_on("Dino"), signed_on("Olga")):
        assert client.post(at(race, "chat_delete", 1)).status_code == HTTPStatus.FORBIDDEN
    for client in (Client(), signed_on("Anna"), signed_on("Olga")):
        assert client.post(at(race, "chat_delete", 2)).status_code == HTTPStatus.FORBIDDEN
    assert guest_of(race).post(at(race, "chat_delete", 2)).status_code == HTTPStatus.FOUND
    assert texts(page(Client(), race)) == ["Mine."]


def test_whoever_takes_a_seat_over_has_nothing_of_what_was_written_from_it() -> None:
    race = with_guest()
    say(guest_of(race), race, "The first guest's.")
    race.seats.filter(name="Bruno").update(guest=hashed("the-key-of-another-guest-00000000"))
    second = guest_of(race, "the-key-of-another-guest-00000000")

    assert at(race, "chat_delete", 1) not in page(second, race)
    assert second.post(at(race, "chat_delete", 1)).status_code == HTTPStatus.FORBIDDEN


def test_there_is_no_message_of_another_race_here() -> None:
    race, other = started(), started()
    say(signed_on("Anna"), race, "Here.")

    assert signed_on("Olga").post(at(other, "chat_hide", 1), {"hidden": "1"}).status_code == HTTPStatus.NOT_FOUND
    assert signed_on("Anna").post(at(other, "chat_delete", 1)).status_code == HTTPStatus.NOT_FOUND
    assert texts(page(Client(), other)) == []


def test_what_a_user_wrote_stays_when_he_goes() -> None:
    race = started()
    say(signed_on("Dino"), race, "I was here.")
    signed_on("Dino").post(at(race, "notes"), {"text": "Mine.", "n": "0"})
    say(signed_on("Anna"), race, "Rude.")
    signed_on("Olga").post(at(race, "chat_hide", 2), {"hidden": "1"})

    user_called("Dino").delete()
    user_called("Olga").delete()

    body = page(Client(), race)
    assert texts(body) == ["I was here."]
    assert "Dino" in body
    assert "Hidden by who led the race." in body
    assert not PrivateNote.objects.exists()


# ---- pages of it -----------------------------------------------------------------------------------------------------
def test_a_long_chat_has_pages() -> None:
    race = started()
    written(race, 120)

    newest = page(Client(), race)
    link = re.search(r"\?before=(\d+)", newest)
    assert link is not None
    middle = page(Client(), race, link[0])
    oldest = page(Client(), race, "?before=21")

    assert texts(newest) == [f"Line {n}." for n in range(120, 70, -1)]
    assert texts(middle) == [f"Line {n}." for n in range(70, 20, -1)]
    assert texts(oldest) == [f"Line {n}." for n in range(20, 0, -1)]
    assert "Earlier messages" not in oldest
    assert "Newest messages" in oldest
    assert "data-address" not in oldest, "a page of the past is not renewed"
    assert texts(page(Client(), race, "?before=nonsense")) == texts(newest)
    assert "Nothing was said before that." in page(Client(), race, "?before=1")


def test_who_hides_on_an_earlier_page_stays_there() -> None:
    race = started()
    written(race, 60)

    body = page(signed_on("Olga"), race, "?before=11")
    answered = signed_on("Olga").post(at(race, "chat_hide", 10), {"hidden": "1", "before": "11"})

    assert '<input type="hidden" name="before" value="11">' in body
    assert answered["Location"] == at(race) + "?before=11"


def test_the_chat_costs_the_same_for_one_message_and_for_many(django_assert_max_num_queries: Any) -> None:
    race = started()
    written(race, 1, "Bruno")
    pages = [at(race), race.get_absolute_url()]
    clients = [Client(), signed_on("Anna"), signed_on("Olga")]

    def costs() -> list[int]:
        found = []
        for client in clients:
            for url in pages:
                client.get(url)
                with CaptureQueriesContext(connection) as seen:
                    client.get(url)
                found.append(len(seen))
        return found

    few = costs()
    for n in range(2, 80):
        Message.objects.create(
            race=race, n=n, user=user_called(f"User{n}"), name=f"User{n}", part=Part.WATCHES, text="x", key=f"{n}",
            hidden_at=timezone.now() if n % 3 == 0 else None, hidden_by=user_called(f"Jury{n}") if n % 3 == 0 else None,
        )  # fmt: skip
    Talk.objects.filter(race=race).update(n=80)

    assert costs() == few
    assert max(few[::2]) <= 10, few


# ---- what is new -----------------------------------------------------------------------------------------------------
def unread(client: Client, race: Race) -> str:
    found = re.search(
        r'class="chat-new" data-chat-unread>([^<]*)</b>', client.get(race.get_absolute_url()).content.decode()
    )
    assert found is not None
    return found[1]


def test_the_page_of_the_race_counts_what_others_have_written_since_somebody_looked() -> None:
    race, anna, bruno = started(), signed_on("Anna"), signed_on("Bruno")
    assert unread(bruno, race) == ""
    say(anna, race, "One.")
    say(anna, race, "Two.")
    say(bruno, race, "Mine.")
    say(anna, race, "Three.")

    assert unread(bruno, race) == "1 new"  # who writes has seen what stands above
    assert unread(signed_on("Carla"), race) == "4 new"
    assert unread(Client(), race) == ""
    page(bruno, race)
    assert unread(bruno, race) == ""
    signed_on("Olga").post(at(race, "chat_hide", Message.objects.get(text="Three.").n), {"hidden": "1"})
    assert unread(signed_on("Carla"), race) == "3 new"


def test_a_part_that_a_page_fetches_by_itself_counts_as_unread_until_it_says_that_it_was_shown() -> None:
    race, bruno = started(), signed_on("Bruno")
    say(signed_on("Anna"), race, "One.")

    part = bruno.get(at(race), headers={"hx-request": "true"})
    assert unread(bruno, race) == "1 new"
    assert bruno.post(at(race, "chat_seen"), {"n": "999"}).status_code == HTTPStatus.NO_CONTENT

    assert 'data-says="Anna R. writes: One."' in part.content.decode()
    assert unread(bruno, race) == ""
    say(signed_on("Anna"), race, "Two.")
    assert unread(bruno, race) == "1 new", "nobody has read what was not written yet"
    for bad in ({}, {"n": "-1"}, {"n": "many"}):
        assert bruno.post(at(race, "chat_seen"), bad).status_code == HTTPStatus.BAD_REQUEST
    assert Client().post(at(race, "chat_seen"), {"n": "1"})["Location"].startswith("/accounts/login/")


def test_who_has_muted_the_chat_is_told_of_nothing_and_reads_all_the_same() -> None:
    race, bruno = started(), signed_on("Bruno")
    bruno.post(at(race, "chat_mute"), {"muted": "1"})
    say(signed_on("Anna"), race, "Allez!")

    assert unread(bruno, race) == ""
    assert 'data-says=""' in bruno.get(at(race), headers={"hx-request": "true"}).content.decode()
    assert texts(page(bruno, race)) == ["Allez!"]
    assert "Tell me again" in page(bruno, race)
    bruno.post(at(race, "chat_mute"))
    assert not Listener.objects.get(user=user_called("Bruno")).muted
    assert Client().post(at(race, "chat_mute"))["Location"].startswith("/accounts/login/")


def test_htmx_gets_the_messages_alone_with_a_new_key_after_sending() -> None:
    race, anna = started(), signed_on("Anna")
    htmx = {"hx-request": "true"}

    looked = anna.get(at(race), headers=htmx).content.decode()
    sent = say(anna, race, "Allez!", key="one", headers=htmx)
    refused = say(anna, race, "", key="two", headers=htmx)

    for body in (looked, sent.content.decode(), refused.content.decode()):
        assert "<html" not in body
        assert "<textarea" not in body
        assert body.count('id="chat-said"') == 1
    assert "hx-swap-oob" not in looked
    assert sent.status_code == HTTPStatus.OK
    assert texts(sent.content.decode()) == ["Allez!"]
    assert re.search(r'id="chat-key" name="key" value="(?!one")[^"]+" hx-swap-oob', sent.content.decode())
    assert refused.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert 'name="key" value="two" hx-swap-oob' in refused.content.decode()
    assert "Write something first." in refused.content.decode()


# ---- told to open pages ----------------------------------------------------------------------------------------------
def test_every_change_of_the_chat_is_told_and_a_turn_is_no_change_of_it() -> None:
    race, anna = started(), signed_on("Anna")

    def told() -> int:
        mark = live.marks([race.key])[race.key]
        assert mark.chat == Client().get(at(race, "version")).json()["chat"]
        return mark.chat

    assert told() == 0
    say(anna, race, "One.", key="one")
    assert told() == 1
    say(anna, race, "One.", key="one")
    answer(race)
    assert told() == 1
    for _ in range(2):
        signed_on("Olga").post(at(race, "chat_hide", 1), {"hidden": "1"})
    assert told() == 2
    for _ in range(2):
        anna.post(at(race, "chat_delete", 1))
    assert told() == 3


def test_talking_changes_nothing_of_the_race() -> None:
    race = started()
    before = (fresh(race).n, transfer.log_of(fresh(race)), play.look(fresh(race)).state)

    say(signed_on("Anna"), race, "Not in the log.")
    signed_on("Anna").post(at(race, "notes"), {"text": "Not either.", "n": "0"})

    assert (fresh(race).n, transfer.log_of(fresh(race)), play.look(fresh(race)).state) == before
    for what in ("log", "text", "export", "verify", "numbers"):
        body = signed_on("Anna").get(at(race, what)).content.decode()
        assert "Not in the log." not in body
        assert "Not either." not in body


# ---- private notes ---------------------------------------------------------------------------------------------------
def note(client: Client, race: Race) -> str:
    answered = client.get(at(race, "notes"))
    assert answered.status_code == HTTPStatus.OK
    found = re.search(r'<textarea id="note-text"[^>]*>\n?(.*?)</textarea>', answered.content.decode(), re.DOTALL)
    assert found is not None
    return unescape(found[1])


def keep(client: Client, race: Race, text: str, n: int = 0, **more: Any) -> HttpResponse:
    return client.post(at(race, "notes"), {"text": text, "n": str(n)}, **more)  # type: ignore[return-value]


def test_everybody_has_his_own_note_and_reads_no_other() -> None:
    race = with_guest()
    people = {"Anna": signed_on("Anna"), "Olga": signed_on("Olga"), "Dino": signed_on("Dino"), "guest": guest_of(race)}

    for name, client in people.items():
        answered = keep(client, race, f"For {name}\r\n<b>alone</b>", follow=True)
        assert "Kept. Only you can read it." in answered.content.decode()

    for name, client in people.items():
        assert note(client, race) == f"For {name}\n<b>alone</b>"
        for url in (at(race, "notes"), race.get_absolute_url()):
            body = unescape(client.get(url).content.decode())
            assert [other for other in people if f"For {other}" in body] == [name]


def test_who_is_not_signed_on_and_no_guest_has_no_note() -> None:
    race = started()

    for answered in (Client().get(at(race, "notes")), keep(Client(), race, "Mine.")):
        assert answered["Location"].startswith("/accounts/login/?next=")
    assert not PrivateNote.objects.exists()


def test_a_note_stays_with_its_author_when_another_takes_the_seat() -> None:
    race = with_guest()
    bruno, anna = guest_of(race), signed_on("Anna")
    keep(bruno, race, "The guest's secret.")
    keep(anna, race, "Anna's secret.")

    play.substitute(race.pk, seat="Bruno", user=user_called("Carla"), bot="", label="Carla", by=race.owner)
    play.substitute(race.pk, seat="Anna", user=user_called("Dino"), bot="", label="Dino", by=race.owner)

    for name in ("Carla", "Dino", "Olga"):
        assert note(signed_on(name), race) == ""
        assert "secret" not in signed_on(name).get(race.get_absolute_url()).content.decode()
    assert note(anna, race) == "Anna's secret."
    assert PrivateNote.objects.filter(guest=hashed(GUEST_KEY)).get().text == "The guest's secret."


def test_a_guest_who_comes_back_finds_his_note_and_another_guest_does_not() -> None:
    race = with_guest()
    guest, other = guest_of(race), guest_of(race, "a-key-that-nobody-has-given-000000")
    keep(guest, race, "The guest's secret.")
    link = reverse("races:join", args=[race.key, race.invitation])

    def lend() -> None:
        play.substitute(race.pk, seat="Bruno", user=None, bot="easy", label="", by=race.owner)

    lend()
    other.post(link, {"seat": "Bruno", "name": "Other"})
    assert note(other, race) == ""
    lend()
    guest.post(link, {"seat": "Bruno", "name": "Beppe"})

    assert note(guest, race) == "The guest's secret."
    assert guest.cookies[cookie_of(race)].value == GUEST_KEY
    assert other.cookies[cookie_of(race)].value != "a-key-that-nobody-has-given-000000"
    assert other.get(at(race, "notes"))["Location"].startswith("/accounts/login/")


def test_a_note_that_is_too_long_comes_back_whole() -> None:
    race, anna = started(), signed_on("Anna")
    keep(anna, race, "Short.")

    answered = keep(anna, race, "x" * 4001, n=1)

    assert answered.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "This has 4001 characters, and 4000 is the most." in answered.content.decode()
    assert "x" * 4001 in answered.content.decode()
    assert note(anna, race) == "Short."


def test_two_tabs_of_one_author_lose_nothing() -> None:
    race, anna = started(), signed_on("Anna")
    keep(anna, race, "First tab.", n=0)

    late = keep(anna, race, "Second tab.", n=0)

    assert late.status_code == HTTPStatus.CONFLICT
    body = late.content.decode()
    assert "You have changed this note on another page since." in body
    assert ">Second tab.</textarea>" in body
    assert "First tab." in body
    assert 'name="n" value="1"' in body
    assert keep(anna, race, "First and second tab.", n=1).status_code == HTTPStatus.FOUND
    assert note(anna, race) == "First and second tab."
    assert keep(anna, race, "First and second tab.", n=0).status_code == HTTPStatus.FOUND  # the same button twice


def test_a_note_can_be_emptied_and_htmx_hears_what_became_of_it() -> None:
    race, anna = started(), signed_on("Anna")
    kept = keep(anna, race, "Feed early.", headers={"hx-request": "true"})

    assert kept.status_code == HTTPStatus.OK
    assert "Kept. Only you can read it." in kept.content.decode()
    assert "<html" not in kept.content.decode()
    assert 'name="n" value="1"' in kept.content.decode()
    assert keep(anna, race, "", n=1).status_code == HTTPStatus.FOUND
    assert note(anna, race) == ""


def test_a_report_of_an_error_has_no_note_in_it(monkeypatch: pytest.MonkeyPatch, rf: Any) -> None:
    """If somebody sets up reports by mail, Django writes the values of variables and forms into them."""
    import sys

    from django.views.debug import ExceptionReporter

    from races.views import chat as views

    def broken(*args: Any, **more: Any) -> Any:
        raise RuntimeError

    race = started()
    monkeypatch.setattr(PrivateNote.objects, "get_or_create", broken)
    request = rf.post(at(race, "notes"), {"text": "-".join(["my", "own", "secret"]), "n": "0"})
    request.user, request.htmx = user_called("Anna"), False
    report = ""
    try:
        views.notes(request, race.key)
    except RuntimeError:
        report = ExceptionReporter(request, *sys.exc_info()).get_traceback_text()
        report += ExceptionReporter(request, *sys.exc_info()).get_traceback_html()

    assert "keep_note" in report
    assert "-".join(["my", "own", "secret"]) not in report  # put together: reports hold lines of code too
