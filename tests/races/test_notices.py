"""Whoever is waited for is told: once, if it is still so, and of nothing but which race waits."""

import http.server
import ipaddress
import json
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from smtplib import SMTPException

import pytest
from django.core import mail
from django.core.mail import EmailMessage
from django.test import Client
from django.urls import reverse

from races import clocks, notices, play, tasks, webhooks
from races.models import Clock, Entry, Notice, Race, Reach
from races.webhooks import NotSent, Target
from tests.races.rides import BOTTLES, ROAD, answer, due, fresh, opened, started, user_called

NOW = datetime(2020, 11, 2, 12, tzinfo=UTC)  # long before whatever the machine's clock says


def minutes(n: float) -> timedelta:
    return timedelta(minutes=n)


LATER = NOW + minutes(20)


def begun(race: Race) -> Race:
    """All of it was at NOW."""
    Race.objects.filter(pk=race.pk).update(started_at=NOW)
    Entry.objects.filter(race=race).update(at=NOW)
    return fresh(race)


@pytest.fixture
def sent_out(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int, int]]:
    """The tasks that the sweep sends out, kept instead of run."""
    found: list[tuple[int, int, int]] = []
    monkeypatch.setattr(tasks.tell, "delay", lambda *args: found.append(args))
    return found


@pytest.fixture
def race(db: None, settings: object) -> Race:
    settings.SITE_URL = "https://club.example"  # type: ignore[attr-defined]
    return begun(started())


def whose(race: Race) -> str:
    return str(due(race).seat)


def tell(race: Race, name: str, *, after: int = 0, now: datetime = LATER) -> list[str]:
    return notices.tell(user_called(name).pk, race.pk, after, now=now)


# ---- who is told -----------------------------------------------------------------------------------------------------
def test_who_has_been_waited_for_long_enough_is_told_and_not_before(race: Race, sent_out: list) -> None:
    assert notices.sweep(NOW + minutes(15) - timedelta(seconds=1)) == 0

    assert notices.sweep(NOW + minutes(15)) == 1

    assert sent_out == [(user_called(whose(race)).pk, race.pk, 0)]


def test_everybody_chooses_how_long(race: Race, sent_out: list) -> None:
    Reach.objects.create(user=user_called(whose(race)), minutes=60)

    assert notices.sweep(NOW + minutes(59)) == 0
    assert notices.sweep(NOW + minutes(60)) == 1


@pytest.mark.parametrize("why", ["no way", "no address", "closed account"])
def test_who_does_not_want_to_or_cannot_be_told_is_not(race: Race, sent_out: list, why: str) -> None:
    user = user_called(whose(race))
    match why:
        case "no way":
            Reach.objects.create(user=user, mail=False)
        case "no address":
            user.email = ""
        case _:
            user.is_active = False
    user.save()

    assert notices.sweep(NOW + minutes(60)) == 0
    assert tell(race, whose(race)) == []
    assert mail.outbox == []


def test_bots_guests_and_riders_at_a_table_are_not_told(db: None, sent_out: list) -> None:
    guest = begun(started())
    guest.seats.update(user=None, guest="0" * 64)
    begun(started(way="refereed"))

    assert notices.sweep(NOW + minutes(60)) == 0


def test_the_mail_says_which_race_waits_and_where_and_nothing_else(race: Race) -> None:
    Race.objects.filter(pk=race.pk).update(title="The\r\nBcc: eve@example.org race")

    assert tell(race, whose(race)) == ["mail"]

    message = mail.outbox[0]
    assert message.subject == "Your move in The Bcc: eve@example.org race"
    assert message.to == [user_called(whose(race)).email]
    assert message.body.splitlines() == [
        "The race waits for you:",
        f"https://club.example/races/{race.key}/",
        "",
        "How you are told, and whether:",
        "https://club.example/races/me/settings/",
    ]
    assert message.extra_headers["List-Unsubscribe"] == "<https://club.example/races/me/settings/>"


def test_the_mail_says_until_when_in_the_zone_of_its_reader(race: Race) -> None:
    Clock.objects.create(race=race, minutes=180)
    Reach.objects.create(user=user_called(whose(race)), zone="Europe/Berlin")

    tell(race, whose(race))

    assert "Your time is up at 2 Nov 2020 16:00 CET." in mail.outbox[0].body


def test_the_mail_is_the_same_whatever_others_chose_in_secret(db: None) -> None:
    bodies = []
    for pick in (0, -1):
        race = begun(started(BOTTLES))
        name = whose(race)
        answer(race, choose=lambda legal, pick=pick: legal[pick])
        race = fresh(race)
        other = whose(race)
        after = race.position.opened[play.name_of(due(race))]
        assert tell(race, other, after=after, now=NOW + timedelta(days=9000)) == ["mail"], name
        bodies.append((mail.outbox[-1].subject, mail.outbox[-1].body.replace(race.key, "KEY")))

    assert bodies[0] == bodies[1]


# ---- once, and only if it is still so --------------------------------------------------------------------------------
def test_nobody_is_told_twice_of_one_decision(race: Race, sent_out: list) -> None:
    assert tell(race, whose(race)) == ["mail"]

    assert tell(race, whose(race), now=NOW + timedelta(days=3)) == []
    assert notices.sweep(NOW + timedelta(days=3)) == 0
    assert len(mail.outbox) == 1


def test_the_next_decision_is_told_again(race: Race) -> None:
    name = whose(race)
    tell(race, name)
    while True:
        answer(race)
        if whose(race) == name:
            break
    after = fresh(race).position.opened[play.name_of(due(race))]

    assert tell(race, name, after=after, now=NOW + timedelta(days=9000)) == ["mail"]
    assert len(mail.outbox) == 2


@pytest.mark.parametrize("what", ["answered", "rewound", "substituted", "abandoned", "paused", "on vacation"])
def test_what_has_changed_between_queue_and_sending_is_not_told(race: Race, what: str) -> None:
    name = whose(race)
    match what:
        case "answered":
            answer(race)
        case "rewound":
            answer(race)
            play.rewind(race.pk, to=0, reason="Again.", by=race.owner)
        case "substituted":
            play.substitute(race.pk, seat=name, user=user_called("Carla"), bot="", label="", by=race.owner)
        case "abandoned":
            play.abandon(race.pk, reason="Rain.", by=race.owner)
        case "paused":
            clocks.pause(race.pk, reason="", by=race.owner)
        case _:
            clocks.go_away(user_called(name), NOW, NOW + timedelta(days=9), now=NOW)

    assert tell(race, name) == []
    assert mail.outbox == []
    assert not Notice.objects.exists()


def test_who_could_not_be_reached_is_tried_again_later_and_he_alone(
    race: Race, monkeypatch: pytest.MonkeyPatch, sent_out: list
) -> None:
    other = begun(started(ROAD | {"token": "Carla"}, people=["Carla", "Dino"]))
    lines = [(race, whose(race)), (other, whose(other))]
    send = EmailMessage.send
    down = {user_called(lines[0][1]).email}

    def fails(message: EmailMessage, fail_silently: bool = False) -> int:
        if set(message.to) & down:
            raise SMTPException("451 later")
        return send(message)

    monkeypatch.setattr(EmailMessage, "send", fails)
    assert [tell(r, name) for r, name in lines] == [[], ["mail"]]
    assert notices.sweep(NOW + minutes(21)) == 0  # too soon for the one, done for the other

    assert notices.sweep(NOW + minutes(22)) == 1
    assert sent_out == [(user_called(lines[0][1]).pk, race.pk, 0)]
    down.clear()
    assert tell(*lines[0], now=NOW + minutes(22)) == ["mail"]
    assert [message.to[0] for message in mail.outbox] == [user_called(name).email for _, name in reversed(lines)]


def test_who_can_never_be_reached_is_given_up(race: Race, monkeypatch: pytest.MonkeyPatch, sent_out: list) -> None:
    tries: list[datetime] = []

    def fails(message: EmailMessage, fail_silently: bool = False) -> int:
        tries.append(now)
        raise SMTPException("550 no such user")

    monkeypatch.setattr(EmailMessage, "send", fails)
    for hour in range(1, 200):
        now = NOW + timedelta(hours=hour)
        if notices.sweep(now):
            tell(race, whose(race), now=now)

    assert len(tries) == notices.TRIES


# ---- webhooks --------------------------------------------------------------------------------------------------------
HOOK = "https://hooks.example/T1/B2?x=1"


@pytest.fixture
def posted(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Target, dict]]:
    """What would have gone out; names stand for what `names` says."""
    found: list[tuple[Target, dict]] = []
    monkeypatch.setattr(webhooks, "addresses", lambda host: NAMES[host])
    monkeypatch.setattr(webhooks, "post", lambda target, body: found.append((target, body)) or (204, None))
    return found


NAMES = {
    "hooks.example": ["93.184.215.14"],
    "discord.com": ["162.159.128.233", "2606:4700:7::a29f:8999"],
    "inside.example": ["10.0.0.7"],
    "both.example": ["93.184.215.14", "127.0.0.1"],
    "nobody.example": [],
}


def test_a_webhook_gets_one_line(race: Race, posted: list) -> None:
    Reach.objects.create(user=user_called(whose(race)), mail=False, webhook=HOOK)

    assert tell(race, whose(race)) == ["webhook"]

    target, body = posted[0]
    assert (target.host, target.ip, target.path, target.port, target.tls) == (
        "hooks.example", "93.184.215.14", "/T1/B2?x=1", 443, True,
    )  # fmt: skip
    assert body == {"text": f"Your move in The evening race: https://club.example/races/{race.key}/"}
    assert mail.outbox == []


def test_a_title_calls_nobody_in_the_channel() -> None:
    title = "<!channel> @everyone & <@U1>"

    assert webhooks.payload("https://discord.com/api/webhooks/1/x", title) == {
        "content": title, "allowed_mentions": {"parse": []},
    }  # fmt: skip
    assert webhooks.payload(HOOK, title) == {"text": "&lt;!channel&gt; @everyone &amp; &lt;@U1&gt;"}
    assert "text" in webhooks.payload("https://notdiscord.com/", title)


@pytest.mark.parametrize(
    "address",
    [
        "http://hooks.example/",
        "ftp://hooks.example/",
        "https://hooks.example:8443/",
        "https://hooks.example:99999/",
        "https://user:password@hooks.example/",
        "https://127.0.0.1/",
        "https://[::1]/",
        "https://10.1.2.3/",
        "https://169.254.169.254/latest/meta-data/",
        "https://[::ffff:127.0.0.1]/",
        "https://[64:ff9b::7f00:1]/",
        "https://[2002:7f00:1::]/",
        "https://[fd00::1]/",
        "https://[fec0::1]/",
        "https://[ff02::1]/",
        "https://0.0.0.0/",
        "https://100.64.0.1/",
        "https://224.0.0.1/",
        "https://",
        "javascript:alert(1)",
    ],
)
def test_an_address_of_the_house_is_refused_by_its_looks(db: None, address: str) -> None:
    assert webhooks.fault_of(address)
    with pytest.raises(NotSent):
        webhooks.target_of(address)
    client = Client()
    client.force_login(user_called("Anna"))
    form = {"mail": "on", "webhook": address, "minutes": "15", "zone": "UTC"}
    assert client.post(reverse("races:reach"), form).status_code == 422
    assert not Reach.objects.exists()


def test_an_address_without_its_scheme_is_taken_as_https_by_the_form_alone(db: None) -> None:
    client = Client()
    client.force_login(user_called("Anna"))

    client.post(reverse("races:reach"), {"webhook": "//hooks.example/T1", "minutes": "15", "zone": "UTC"})

    assert Reach.objects.get().webhook == "https://hooks.example/T1"
    assert webhooks.fault_of("//hooks.example/T1")


@pytest.mark.parametrize("host", ["inside.example", "both.example", "nobody.example"])
def test_a_name_that_leads_into_the_house_is_refused_after_it_is_looked_up(race: Race, posted: list, host: str) -> None:
    Reach.objects.create(user=user_called(whose(race)), mail=False, webhook=f"https://{host}/hook")

    assert webhooks.fault_of(f"https://{host}/hook") is None
    assert tell(race, whose(race)) == []
    assert posted == []


@pytest.mark.parametrize("to", ["https://127.0.0.1/", "https://inside.example/", "http://hooks.example/"])
def test_a_redirect_into_the_house_is_refused(posted: list, monkeypatch: pytest.MonkeyPatch, to: str) -> None:
    asked: list[str] = []
    monkeypatch.setattr(webhooks, "post", lambda target, body: asked.append(target.host) or (307, to))

    with pytest.raises(NotSent):
        webhooks.send(HOOK, "Your move")

    assert asked == ["hooks.example"]


def test_a_redirect_on_the_internet_is_followed_and_a_circle_ends(
    monkeypatch: pytest.MonkeyPatch, posted: list
) -> None:
    answers = iter([(308, "/moved"), (204, None)])
    asked: list[str] = []
    monkeypatch.setattr(webhooks, "post", lambda target, body: asked.append(target.path) or next(answers))
    webhooks.send(HOOK, "Your move")
    assert asked == ["/T1/B2?x=1", "/moved"]

    monkeypatch.setattr(webhooks, "post", lambda target, body: asked.append(target.path) or (308, "/round"))
    with pytest.raises(NotSent):
        webhooks.send(HOOK, "Your move")
    assert len(asked) == 2 + webhooks.REDIRECTS + 1


@pytest.mark.parametrize("status", [301, 302, 303, 400, 404, 429, 500])
def test_an_answer_that_is_no_yes_is_tried_again_later(
    race: Race, posted: list, monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    monkeypatch.setattr(webhooks, "post", lambda target, body: (status, "https://hooks.example/other"))
    Reach.objects.create(user=user_called(whose(race)), mail=True, webhook=HOOK)

    assert tell(race, whose(race)) == ["mail"]

    assert dict(Notice.objects.values_list("channel", "sent")) == {"mail": True, "webhook": False}


def test_only_addresses_of_the_internet_are_public() -> None:
    public = ["93.184.215.14", "2606:4700:7::a29f:8999", "::ffff:8.8.8.8", "64:ff9b::808:808"]
    inside = ["192.168.1.1", "172.16.0.1", "198.18.0.1", "192.0.2.1", "240.0.0.1", "255.255.255.255", "fe80::1", "::"]

    assert [webhooks.is_public(ipaddress.ip_address(ip)) for ip in public] == [True] * len(public)
    assert [webhooks.is_public(ipaddress.ip_address(ip)) for ip in inside] == [False] * len(inside)


class Hook(http.server.BaseHTTPRequestHandler):
    got: list[tuple[str, str, dict]] = []

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        Hook.got.append((self.path, self.headers["Host"], body))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *args: object) -> None:
        """Silent."""


@pytest.fixture
def hook() -> Iterator[int]:
    server = http.server.HTTPServer(("127.0.0.1", 0), Hook)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    Hook.got.clear()
    yield server.server_port
    server.shutdown()
    server.server_close()


def test_a_message_goes_to_the_looked_up_address_under_its_name(hook: int) -> None:
    target = Target(host="no-such-name.invalid", ip="127.0.0.1", path="/T1?x=1", port=hook, tls=False)

    assert webhooks.post(target, {"text": "Tü"}) == (204, None)

    assert Hook.got == [("/T1?x=1", f"no-such-name.invalid:{hook}", {"text": "Tü"})]


def test_nobody_at_home_is_said_in_a_way_that_is_tried_again(hook: int) -> None:
    free = Target(host="hooks.example", ip="127.0.0.1", path="/", port=9, tls=False)
    untrusted = Target(host="hooks.example", ip="127.0.0.1", path="/", port=hook, tls=True)

    for target in (free, untrusted):
        with pytest.raises(NotSent):
            webhooks.post(target, {})
    assert Hook.got == []


# ---- the page --------------------------------------------------------------------------------------------------------
def test_everybody_sets_his_own_way_of_being_told(db: None) -> None:
    client = Client()
    client.force_login(user_called("Anna"))

    done = client.post(reverse("races:reach"), {"webhook": HOOK, "minutes": "0", "zone": "Europe/Rome"})

    assert done.status_code == 302
    mine = Reach.objects.get()
    assert (mine.user, mine.mail, mine.webhook, mine.minutes, mine.zone) == (
        user_called("Anna"), False, HOOK, 0, "Europe/Rome",
    )  # fmt: skip
    assert HOOK in client.get(reverse("races:reach")).content.decode()


@pytest.mark.parametrize("form", [{"minutes": "-1"}, {"minutes": "20000"}, {"zone": "Mars/Olympus"}, {"minutes": ""}])
def test_settings_that_cannot_be_are_refused(db: None, form: dict[str, str]) -> None:
    client = Client()
    client.force_login(user_called("Anna"))

    done = client.post(reverse("races:reach"), {"mail": "on", "minutes": "15", "zone": "UTC"} | form)

    assert done.status_code == 422
    assert not Reach.objects.exists()


def test_an_open_race_waits_for_nobody(db: None, sent_out: list) -> None:
    opened()

    assert notices.sweep(NOW + timedelta(days=9000)) == 0
