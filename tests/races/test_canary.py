"""Nothing that is hidden gets out: every page of a running race, as everybody who may ask for it.

Two ways of looking. What is secret by itself (the seed, the keys of guests, the invitation) is a word that must not be
found. What is hidden of the game (bottles that were kept, cards that were dealt blind) is changed behind everybody's
back: who cannot know it must get the same page to the byte.
"""

import logging
import random
import re
import uuid
from collections.abc import Callable, Iterator
from http import HTTPStatus
from typing import Any

import pytest
from django.core.cache import caches
from django.test import Client
from django.urls import URLPattern, get_resolver, reverse

from races import fairness, play, transfer, watch
from races.access import cookie_of, hashed
from races.models import Entry, Message, PrivateNote, Race, Secret
from rules.giro.actions import KeepTile
from tests.races.rides import BOTTLES, answer, fresh, opened, ride, started, user_called

pytestmark = pytest.mark.django_db

GUEST_KEY = "the-key-of-the-guest-0123456789"
STREAMS = {"events"}  # says numbers only; tests/races/test_live.py listens to it


# ---- the race, and who asks ------------------------------------------------------------------------------------------
@pytest.fixture
def race() -> Race:
    """Anna, Bruno, a guest, and a bot ride with blind cards. Bruno keeps a bottle; before him Zoe sat in his seat."""
    for luck in range(60):
        race = opened(BOTTLES, people=["Anna", "Bruno", "Carla"], robots={"Dina": "easy"}, luck=luck)
        race.seats.filter(name="Carla").update(user=None, guest=hashed(GUEST_KEY))
        race.seats.filter(name="Bruno").update(user=user_called("Zoe"))
        play.start(race, by=race.owner)
        play.substitute(race.pk, seat="Bruno", user=user_called("Bruno"), bot="", label="Bruno R.", by=race.owner)
        if _ridden_until_bruno_keeps(race):
            return fresh(race)
        race.delete()
    raise AssertionError("Bruno kept no bottle")


def _ridden_until_bruno_keeps(race: Race) -> bool:
    rng = random.Random(1)
    for _n in range(90):
        now = fresh(race)
        if not now.is_running:
            return False
        table = play.look(now)
        if hidden_of(now) and rng.random() < 0.5:
            return True
        decision = table.decisions[0]
        if now.seats.get(name=decision.seat).bot:
            play.advance(now.pk)
            continue
        legal = list(table.game.legal(table.state, decision))
        keeps = decision.kind == "tile" and decision.seat == "Bruno"
        answer(now, KeepTile() if keeps else rng.choice(legal), decision=decision)
    return False


def hidden_of(race: Race) -> list[Entry]:
    """The draw of a bottle that Bruno has kept and still holds, and the deal of his card, which he has not played.

    In Breaking Away: the first factors that he handed in, and his orders.
    """
    if race.game == "breaking_away":
        return list(race.entries.filter(seat="Bruno", action__kind__in=("allocate", "orders")))
    state = play.look(race).state
    rider = next(rider for rider in state.riders if rider.id == "bruno")
    if not (rider.tiles and rider.card is not None and rider.racing and len(rider.fed) == len(rider.tiles) == 1):
        return []
    entries = list(race.entries.filter(taker="chance"))
    card = next(e for e in entries if e.action["kind"] == "card" and e.action["rider"] == "bruno")
    tile = next(e for e in entries if e.action["kind"] == "tile" and e.action["rider"] == "bruno")
    return [card, tile]


def swap(race: Race) -> None:
    """Bruno has another card and another bottle, and always had: nobody else can tell."""
    card, tile = hidden_of(race)
    state = play.look(race).state
    other_card = next(
        outcome.action.card
        for outcome in play.game_of(race).weighted(*_before(race, card))
        if outcome.action.card.value != card.action["card"] and outcome.action.card in state.undealt
    )
    _change(card, "card", other_card.value)
    _change(tile, "value", 2 if tile.action["value"] != 2 else 3)
    play.recompute(race.pk)


def _before(race: Race, entry: Entry) -> tuple[Any, Any]:
    """The position that a chance entry met, and the decision that it answered."""
    state, _opened = play.rebuilt(race, entry.n - 1)
    return state, play.game_of(race).decisions(state)[0]


def _change(entry: Entry, field: str, value: Any) -> None:
    for event in entry.events:
        if event["kind"] in ("card_dealt", "drew_tile"):
            event[field] = value
    entry.action[field] = value
    entry.save()


def viewers(race: Race) -> dict[str, Client]:
    """Everybody who may ask, by who he is to the race."""
    found = {"outsider": Client(), "guest": Client()}
    found["guest"].cookies[cookie_of(race)] = GUEST_KEY
    people = {
        "spectator": "Dino",
        "seat": "Anna",
        "owner of the secrets": "Bruno",
        "ex-seat": "Zoe",
        "organiser": "Olga",
    }
    for who, name in people.items():
        found[who] = Client()
        found[who].force_login(user_called(name))
    return found


def addresses(race: Race) -> Iterator[str]:
    """Every address of the races, but the stream, with what can stand in it; some with what a reader may point at."""
    patterns = next(r for r in get_resolver().url_patterns if getattr(r, "namespace", None) == "races").url_patterns
    for pattern in patterns:
        assert isinstance(pattern, URLPattern)
        if pattern.name in STREAMS:
            continue
        names = list(pattern.pattern.converters)
        telling = {n for entry in hidden_of(race) for n in (entry.n, entry.n + 1)} if race.has_started else set()
        for n in sorted({0, race.n, *telling}) if pattern.name == "entry" else [1]:
            values = {"key": race.key, "n": n, "game": race.game, "invitation": "no-such-invitation", "pk": 1}
            yield reverse(f"races:{pattern.name}", args=[values[name] for name in names])
    page = race.get_absolute_url()
    for query in (*POINTED[race.game], "action={}", "before=12", "zoom=far"):
        yield f"{page}?{query}"


POINTED = {
    "giro": ("rider=bruno", "to=bruno:9.0", "decision=tile:Bruno:bruno:"),
    "breaking_away": (
        "rider=W1",
        "to=W1:10",
        "to=W1:8,W2:8",
        "decision=orders:Bruno::",
        "decision=reveal:Bruno:::optional",
    ),
}
"""What somebody may point at that is Bruno's."""

WRONG = {
    "giro": [("tile:Bruno:bruno:", '{"kind": "keep"}')],
    "breaking_away": [
        ("orders:Bruno::", '{"kind": "orders", "seat": "Bruno", "factors": {"W1": 10, "W2": 8, "W3": 7, "W4": 5}}'),
        ("move:Bruno:W1:", '{"kind": "move", "cyclist": "W1", "factor": 10}'),
        ("allocate:Bruno:W:", '{"kind": "allocate", "team": "W", "hands": {"1": [1, 1, 1]}}'),
        ("reveal:Bruno:::optional", '{"kind": "reveal", "cyclist": "W1"}'),
        ("reveal:Anna:::optional", '{"kind": "reveal", "cyclist": "W1", "seat": "Anna"}'),
        ("orders:Anna::", '{"kind": "orders", "seat": "Anna", "factors": {"W1": 10}}'),
    ],
}
"""Answers to what is Bruno's to decide, or about his cyclists."""


def bodies(client: Client, race: Race) -> dict[str, bytes]:
    """All that somebody gets: pages, the parts that renew themselves, what is said to a wrong answer."""
    found = {}
    for url in addresses(race):
        found[url] = client.get(url).content
    page = race.get_absolute_url()
    found["part"] = client.get(page, headers={"hx-request": "true"}).content
    for decision, action in WRONG[race.game]:
        wrong = {
            "decision": decision,
            "after": str(play.look(race).opened.get(decision, 0)),
            "key": "k",
            "action": action,
        }
        if "Bruno" in decision:  # he himself must not answer, or the race would go on
            wrong["after"] = "999"
        found[f"wrong answer {decision} {action}"] = client.post(page, wrong).content
    for decision in play.look(race).decisions:
        late = {"decision": play.name_of(decision), "after": "0", "key": "k", "action": '{"kind": "reveal", "tile": 4}'}
        found["late answer"] = client.post(page, late).content
    found["list"] = client.get(reverse("races:list")).content
    return {url: _plain(body) for url, body in found.items()}


def _plain(body: bytes) -> bytes:
    """Without what is another one for each request by itself."""
    body = re.sub(rb'name="(csrfmiddlewaretoken|key)" value="[^"]*"', b'name="\\1"', body)
    return re.sub(rb'"X-CSRFToken": ?"[^"]*"|data-token="[^"]*"', b"", body)


# ---- what is secret by itself ----------------------------------------------------------------------------------------
def words_of(race: Race) -> dict[str, bytes]:
    seed = bytes(Secret.objects.get(race=race).seed)
    return {
        "the seed": seed.hex().encode(),
        "the seed in capitals": seed.hex().upper().encode(),
        "the seed as bytes": seed,
        "the seed as Python has it": repr(seed).encode(),
        "the key of a guest": GUEST_KEY.encode(),
        "the hash of the key of a guest": hashed(GUEST_KEY).encode(),
    }


def test_no_page_holds_the_seed_the_key_of_a_guest_or_the_invitation(race: Race):
    faults = []
    invitation = {"the invitation": race.invitation.encode()}
    for who, client in viewers(race).items():
        words = words_of(race) | ({} if who == "organiser" else invitation)
        for url, body in bodies(client, race).items():
            faults += [f"{who} at {url}: {what}" for what, word in words.items() if word in body]

    assert faults == []


def test_the_invitation_to_a_race_that_waits_is_for_who_leads_or_sits_there():
    waiting = opened(BOTTLES, people=["Anna", "Bruno"])
    waiting.seats.filter(name="Bruno").update(user=None)

    shown = {who for who, client in viewers(waiting).items()
             for url in (*addresses(waiting), reverse("races:list"))
             if waiting.invitation.encode() in client.get(url).content}  # fmt: skip

    assert shown == {"organiser", "seat"}


def test_after_the_end_the_seed_is_shown_to_everybody_who_may_watch(race: Race):
    over = ride(started({**BOTTLES, "cards": "none"}))
    word = words_of(over)["the seed"]

    for name in ("verify", "export", "log"):
        assert word in Client().get(reverse(f"races:{name}", args=[over.key])).content


def test_an_error_shows_nothing_to_nobody_and_tells_the_log_nothing_secret(
    race: Race, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, settings: Any
):
    settings.DEBUG = False
    caplog.set_level(logging.DEBUG)
    seed = bytes(Secret.objects.get(race=race).seed)

    def broken(*args: Any, **more: Any) -> Any:
        raise RuntimeError("something that must never happen")

    faults, broke = [], 0
    for where in ("races.play.look", "races.play.game_of", "races.fairness.answer"):
        monkeypatch.setattr(where, broken)
        for who, client in viewers(race).items():
            client.raise_request_exception = False
            for url in [race.get_absolute_url(), *(reverse(f"races:{name}", args=[race.key]) for name in PAGES)]:
                answered = client.get(url)
                broke += answered.status_code == HTTPStatus.INTERNAL_SERVER_ERROR or b"stands still" in answered.content
                faults += [
                    f"{who} at {url}: {what}" for what, word in words_of(race).items() if word in answered.content
                ]
                if b"must never happen" in answered.content:
                    faults.append(f"{who} at {url}: the error itself")
        monkeypatch.undo()

    assert faults == []
    assert broke > 10
    assert "must never happen" in caplog.text
    assert seed.hex() not in caplog.text
    assert repr(seed) not in caplog.text
    assert GUEST_KEY not in caplog.text


PAGES = ("log", "export", "verify", "numbers")


def test_a_report_of_an_error_among_the_dice_has_no_seed_in_it(race: Race, monkeypatch: pytest.MonkeyPatch, rf: Any):
    """If somebody sets up reports by mail, Django writes the values of variables into them."""
    import sys

    from django.views.debug import ExceptionReporter

    def broken(*args: Any, **more: Any) -> Any:
        raise RuntimeError

    monkeypatch.setattr(fairness, "answer", broken)
    table = play.look(race)
    report = ""
    try:
        with play.transaction.atomic():
            locked = play._take(race.pk)
            locked.state = _with_a_roll_due(table)
            play._what_needs_nobody(locked)
    except RuntimeError:
        report = ExceptionReporter(rf.get("/"), *sys.exc_info()).get_traceback_text()
        report += ExceptionReporter(rf.get("/"), *sys.exc_info()).get_traceback_html()

    seed = bytes(Secret.objects.get(race=race).seed)
    assert "_what_needs_nobody" in report
    assert seed.hex() not in report
    assert repr(seed)[2:12] not in report
    assert "&lt;a seed&gt;" in report


def _with_a_roll_due(table: play.Table) -> Any:
    """A position of the same race in which something is to be rolled."""
    from rules.game import Taker

    state, game = table.state, table.game
    rng = random.Random(2)
    for _n in range(200):
        decision = game.decisions(state)[0]
        if decision.taker is Taker.CHANCE:
            return state
        state = game.apply(state, rng.choice(list(game.legal(state, decision)))).state
    raise AssertionError("nothing was to be rolled")


def test_tasks_are_told_numbers_only_and_the_log_of_the_server_nothing_secret(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, django_capture_on_commit_callbacks: Any
):
    caplog.set_level(logging.DEBUG)
    sent: list[tuple[Any, Any]] = []
    monkeypatch.setattr(
        "celery.app.task.Task.apply_async", lambda self, args=None, kwargs=None, **more: sent.append((args, kwargs))
    )
    with django_capture_on_commit_callbacks(execute=True):
        race = started(BOTTLES, people=["Anna"], robots={"Bruno": "easy"})
        ride(race, until=lambda now: now.n > 12)
        play.rewind(race.pk, to=3, reason="Again.", by=None)
        watch.sweep()

    seed = bytes(Secret.objects.get(race=race).seed)
    assert sent
    assert {(tuple(args or ()), tuple((kwargs or {}).items())) for args, kwargs in sent} == {((race.pk,), ())}
    assert seed.hex() not in caplog.text
    assert repr(seed) not in caplog.text


# ---- what people write -----------------------------------------------------------------------------------------------
def test_a_private_note_is_read_by_its_author_alone_and_a_hidden_message_by_nobody(
    race: Race, caplog: pytest.LogCaptureFixture
):
    """Also when the seat of an author is another's, and when the race has ended and all else is shown."""
    caplog.set_level(logging.DEBUG)
    everybody = viewers(race)
    writes = [who for who in everybody if who != "outsider"]
    notes = {who: f"canary-{number}-note".encode() for number, who in enumerate(writes)}
    for who, word in notes.items():
        everybody[who].post(reverse("races:notes", args=[race.key]), {"text": word.decode(), "n": "0"})
        said = {"text": f"canary-{who}-message", "key": "one"}
        assert everybody[who].post(reverse("races:chat", args=[race.key]), said).status_code == HTTPStatus.FOUND
    for message in Message.objects.filter(race=race):
        url = reverse("races:chat_hide", args=[race.key, message.n])
        assert everybody["organiser"].post(url, {"hidden": "1"}).status_code == HTTPStatus.FOUND
    assert PrivateNote.objects.filter(race=race).count() == len(writes)
    play.substitute(race.pk, seat="Anna", user=user_called("Dino"), bot="", label="Dino", by=race.owner)
    play.substitute(race.pk, seat="Carla", user=user_called("Zoe"), bot="", label="Zoe", by=race.owner)

    faults, own = [], set()
    for ended in (False, True):
        if ended:
            play.abandon(race.pk, reason="It rains.", by=race.owner)
        for who, client in everybody.items():
            for url, body in bodies(client, fresh(race)).items():
                found = {author for author, word in notes.items() if word in body}
                own |= found & {who}
                faults += [f"{who} at {url}: the note of {author}" for author in found - {who}]
                faults += [f"{who} at {url}: a hidden message"] if re.search(rb"canary-[a-z -]+-message", body) else []
    assert faults == []
    assert own == set(writes) - {"guest"}, "who has lost the key to a seat is a stranger; everybody else reads his own"
    assert "canary-" not in caplog.text
    assert "canary-" not in repr(transfer.whole_log(fresh(race)))


# ---- what is hidden of the game --------------------------------------------------------------------------------------
def test_who_cannot_know_it_gets_the_same_page_whatever_bruno_holds(race: Race, monkeypatch: pytest.MonkeyPatch):
    everybody = viewers(race)
    before = {who: bodies(client, race) for who, client in everybody.items()}
    assert bodies(everybody["seat"], race) == before["seat"], "pages differ from one request to the next by themselves"

    swap(race)
    monkeypatch.setattr(caches["default"], "key_prefix", uuid.uuid4().hex)
    race = fresh(race)
    after = {who: bodies(client, race) for who, client in everybody.items()}

    faults = [
        f"{who} at {url}"
        for who in everybody
        for url in before[who]
        if who != "owner of the secrets" and before[who][url] != after[who][url]
    ]
    assert faults == []
    his = {
        url
        for url in before["owner of the secrets"]
        if before["owner of the secrets"][url] != after["owner of the secrets"][url]
    }
    own = {race.get_absolute_url(), *(reverse(f"races:{name}", args=[race.key]) for name in ("log", "export"))}
    assert own <= his, "Bruno himself saw no difference: the test changes nothing"


def test_what_a_bot_answers_does_not_hang_on_what_it_cannot_know(race: Race):
    """The same question, with another bottle and another card in Bruno's hand."""
    asked = ride(race, until=lambda now: play.look(now).decisions[0].seat == "Dina", rng=random.Random(4))
    assert hidden_of(asked), "Bruno has shown what he held before the bot was asked"
    first = _thought(asked)

    swap(asked)

    assert _thought(fresh(asked)) == first


def _thought(race: Race) -> Any:
    thought: Callable[..., Any] = play._think
    with play.transaction.atomic():
        due = play._bot_due(play.look(fresh(race)))
    assert due is not None
    return thought(due)
