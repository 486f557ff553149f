"""A race that travels: its log as text and JSON, its check, its numbers; practice races that go on from a log."""

import copy
import json
import random
import re
from collections.abc import Callable
from http import HTTPStatus
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.html import escape

from races import fairness, play, transfer
from races.errors import Refused
from races.fairness import Verdict
from races.models import Position, Race, Secret, Status
from rules.game import Taker
from rules.giro.actions import End
from rules.giro.game import GIRO
from tests.races.rides import BOTTLES, CRONO, ROAD, answer, due, fresh, log_of, opened, ride, started, user_called

pytestmark = pytest.mark.django_db
SITS = transfer.Sits()


def finished(options: dict[str, Any] = BOTTLES, **more: Any) -> Race:
    return ride(started(options, people=["Anna", "Bruno", "Carla"], **more), rng=random.Random(5))


def half(options: dict[str, Any] = BOTTLES, entries: int = 14, **more: Any) -> Race:
    race = started(options, people=["Anna", "Bruno", "Carla"], **more)
    return ride(race, rng=random.Random(5), until=lambda now: now.n >= entries)


def exported(race: Race, seat: str | None = None) -> dict[str, Any]:
    """As it leaves the server and is read again."""
    return json.loads(json.dumps(transfer.log_of(fresh(race), seat)))


def file_of(log: Any) -> bytes:
    return json.dumps(log).encode()


def get(client: Client, name: str, race: Race) -> Any:
    return client.get(reverse(f"races:{name}", args=[race.key]))


# ---- out -------------------------------------------------------------------------------------------------------------
class TestExport:
    @pytest.mark.parametrize("options", [ROAD, BOTTLES, CRONO], ids=["road", "bottles", "time trial"])
    def test_a_race_that_is_over_is_exported_whole_and_anybody_finds_it_fair(self, options: dict[str, Any]):
        race = finished(options)

        log = exported(race)

        assert log["seed"] == bytes(Secret.objects.get(race=race).seed).hex()
        assert [entry["n"] for entry in log["entries"]] == list(range(1, race.n + 1))
        assert [entry.get("action") for entry in log["entries"]] == list(race.entries.values_list("action", flat=True))
        found = fairness.verify(log)
        assert (found.findings, found.verdict) == ((), Verdict.FAIR)
        assert found.outcome == log["outcome"]

    def test_a_race_with_rewinds_and_substitutes_is_found_fair_from_its_export(self):
        race = half(ROAD)
        play.substitute(race.pk, seat="Carla", user=None, bot="easy", label="", by=None)
        play.rewind(race.pk, to=2, reason="A piece fell.", by=None)
        race = ride(race)

        log = exported(race)

        assert {"substitution"} == {entry["note"]["kind"] for entry in log["entries"] if "note" in entry}
        assert [entry["reason"] for entry in log["entries"] if "rewind_to" in entry] == ["A piece fell."]
        assert fairness.verify(log).verdict is Verdict.FAIR

    def test_while_it_runs_there_is_no_seed_and_nothing_that_the_reader_cannot_know(self):
        race = half()
        dealt = {entry["action"]["rider"]: entry["action"]["card"] for entry in log_of(race)["entries"]
                 if entry.get("action", {}).get("kind") == "card"}  # fmt: skip
        assert set(dealt) == {"anna", "bruno", "carla"}

        for reader in (None, "Anna", "Bruno"):
            log = exported(race, reader)
            seen = {e["action"]["rider"]: e["action"].get("card") for e in log["entries"]
                    if e.get("action", {}).get("kind") == "card"}  # fmt: skip
            assert seen == {name: card if name == (reader or "").lower() else None for name, card in dealt.items()}
            assert log["seed"] is None

    def test_what_is_hidden_is_marked_and_where_nothing_is_the_log_of_a_running_race_can_be_checked(self):
        hidden, plain = half(entries=25), half(ROAD)

        masked = {entry["n"] for entry in exported(hidden, "Anna")["entries"] if entry.get("masked")}
        assert masked == {
            entry.n
            for entry in hidden.entries.filter(taker="chance")
            if entry.action["kind"] in ("card", "tile") and entry.action["rider"] != "anna"
        }
        found = fairness.verify(exported(plain, "Anna"))
        assert (found.findings, found.verdict) == ((), Verdict.OPEN)

    def test_an_abandoned_race_shows_its_seed_and_is_fair_as_far_as_it_went(self):
        race = half()
        play.abandon(race.pk, reason="It is late.", by=None)

        log = exported(race)

        assert log["seed"] is not None
        found = fairness.verify(log)
        assert (found.findings, found.verdict, found.abandoned, found.over) == ((), Verdict.FAIR, True, False)
        assert found.rolls
        assert all(roll.ok for roll in found.rolls)

    def test_the_page_of_the_check_shows_the_seed_of_an_abandoned_race_and_says_that_it_was(self):
        race = half()
        before = Client().get(reverse("races:verify", args=[race.key])).content.decode()
        seed = bytes(Secret.objects.get(race=race).seed).hex()
        play.abandon(race.pk, reason="It is late.", by=None)

        body = Client().get(reverse("races:verify", args=[race.key])).content.decode()

        assert (seed in before, seed in body) == (False, True)
        assert "The dice were fair" in body
        assert "abandoned before its end" in body
        assert body.count("as the seed gives") == race.entries.filter(taker="chance").count() > 0

    def test_what_follows_an_abandonment_in_the_same_race_is_found(self):
        race = half(ROAD)
        last = log_of(race)["entries"].pop()
        play.abandon(race.pk, reason="It is late.", by=None)
        log = exported(race)
        n = len(log["entries"]) + 1
        log["entries"].append({"n": n, "taker": "organiser", "rewind_to": last["n"] - 1, "reason": "Once more."})

        found = fairness.verify(log)

        assert (fairness.Fault.AFTER_THE_END, n) in [(finding.fault, finding.n) for finding in found.findings]
        assert not found.abandoned

    def test_a_note_of_a_seat_ends_no_race(self):
        log = log_of(half())
        log["entries"].append(
            {"n": len(log["entries"]) + 1, "taker": "seat", "seat": "Anna", "note": {"kind": "abandoned"}}
        )

        assert [finding.fault for finding in fairness.verify(log).findings] == [fairness.Fault.NOT_OVER]

    def test_an_abandoned_race_whose_seed_was_lost_still_has_its_page(self):
        race = half()
        Secret.objects.filter(race=race).delete()
        play.abandon(race.pk, reason="Its seed is lost.", by=None)

        answer = Client().get(reverse("races:verify", args=[race.key]))

        assert answer.status_code == 200
        assert "its seed is not shown" in answer.content.decode()

    def test_a_seed_that_is_shown_before_the_end_is_a_finding(self):
        race = half()
        log = log_of(race)

        assert [finding.fault for finding in fairness.verify(log).findings] == [fairness.Fault.NOT_OVER]

    def test_an_abandoned_race_whose_dice_were_changed_is_found_out(self):
        race = half(ROAD)
        play.abandon(race.pk, reason="It is late.", by=None)
        log = exported(race)
        roll = next(entry for entry in log["entries"] if entry.get("action", {}).get("kind") == "peloton_die")
        roll["action"] = {"kind": "peloton_die", "value": 3 if roll["action"]["value"] == 5 else 5}

        assert fairness.verify(log).verdict is Verdict.FAULTY

    def test_a_table_has_nothing_to_promise_and_is_called_a_table(self):
        race = _refereed()

        log = exported(race)

        assert (log["commitment"], log["seed"]) == (None, None)
        assert fairness.verify(log).verdict is Verdict.TABLE


def _refereed() -> Race:
    race = started(ROAD, way="refereed")
    rng = random.Random(4)
    for n in range(1000):
        table = play.look(fresh(race))
        if not table.decisions:
            return fresh(race)
        decision = table.decisions[0]
        name = play.name_of(decision)
        action = rng.choice(list(table.game.legal(table.state, decision)))
        play.referee(race.pk, action=action, decision=name, after=table.opened[name], key=str(n), by=None)
    raise AssertionError("it did not end")


# ---- pages -----------------------------------------------------------------------------------------------------------
class TestPages:
    def test_the_page_of_the_log_says_what_the_text_says(self, client: Client):
        race = half(ROAD)
        Race.objects.filter(pk=race.pk).update(title="</pre><script>alert(1)</script>")

        page = get(client, "log", race)

        assert page["Content-Type"].startswith("text/html")
        assert "<script>alert" not in page.content.decode()
        assert escape(get(client, "text", race).content.decode()) in page.content.decode()

    def test_the_text_tells_every_entry_in_a_sentence_and_what_was_taken_back(self, client: Client):
        race = half(ROAD)
        play.rewind(race.pk, to=2, reason="A piece fell.", by=None)

        page = get(client, "text", race)

        assert page["Content-Type"] == "text/plain; charset=utf-8"
        text = page.content.decode()
        lines = text.splitlines()
        assert lines[0] == "The evening race"
        assert "The race goes back to where it was after entry 2. A piece fell." in text
        numbers = [
            int(line.split()[0]) for line in lines if line[:4].strip().isdigit() and not line.startswith("     ")
        ]
        assert numbers == list(range(1, fresh(race).n + 1))
        third = next(line for line in lines if line.startswith("   3  "))
        assert third.endswith("[taken back]")
        assert race.commitment in text

    def test_names_stand_in_the_text_as_they_were_typed_and_on_one_line(self, client: Client):
        race = half(ROAD)
        race.seats.filter(name="Anna").update(label="</script><b>\nx")

        text = get(client, "text", race).content.decode()

        assert "Anna: </script><b>\nx" not in text
        assert "  </script><b> x" in text

    def test_the_text_of_a_running_race_hides_what_its_reader_cannot_know(self, client: Client):
        race = half()
        client.force_login(user_called("Anna"))

        text = get(client, "text", race).content.decode()

        assert "bruno gets a card: face down." in text
        assert "anna gets a card: face down." not in text
        assert "anna gets a card: " in text

    def test_what_one_reader_got_is_not_given_to_the_next(self, client: Client):
        race = half()
        other = Client()
        client.force_login(user_called("Anna"))
        other.force_login(user_called("Bruno"))

        for name in ("text", "export"):
            first, second, third = get(client, name, race), get(other, name, race), get(Client(), name, race)
            assert len({first.content, second.content, third.content}) == 3
            assert first["Cache-Control"] == "private, no-cache"

    def test_the_same_request_again_costs_nothing_and_is_not_sent_again(self, client: Client):
        race = finished()
        first = get(client, "export", race)

        again = client.get(
            reverse("races:export", args=[race.key]), headers={"if-none-match": first["ETag"]}
        )  # fmt: skip

        assert again.status_code == HTTPStatus.NOT_MODIFIED

    def test_the_file_is_called_like_the_race(self, client: Client):
        race = finished(ROAD)

        assert get(client, "export", race)["Content-Disposition"] == f'attachment; filename="race-{race.key}.json"'

    def test_before_the_start_there_is_no_log_but_a_promise(self, client: Client):
        race = opened()

        assert get(client, "text", race).status_code == HTTPStatus.NOT_FOUND
        assert get(client, "export", race).status_code == HTTPStatus.NOT_FOUND
        page = get(client, "verify", race)
        assert page.status_code == HTTPStatus.OK
        assert race.commitment in page.content.decode()

    def test_while_it_runs_the_check_shows_the_promise_and_no_seed(self, client: Client):
        race = half()

        page = get(client, "verify", race).content.decode()

        assert race.commitment in page
        assert "copy the commitment" in page
        assert bytes(Secret.objects.get(race=race).seed).hex() not in page

    def test_after_the_end_it_shows_the_seed_and_every_roll_with_its_ticket(self, client: Client):
        race = finished()

        response = get(client, "verify", race)

        page = response.content.decode()
        assert "The dice were fair" in page
        assert bytes(Secret.objects.get(race=race).seed).hex() in page
        rolls = fairness.verify(log_of(race)).rolls
        shown = response.context["check"]["rolls"]
        assert [(roll["n"], roll["ticket"], roll["total"]) for roll in shown] == [
            (roll.n, roll.ticket, roll.total) for roll in rolls
        ]
        assert all(roll["ok"] for roll in shown)
        assert len(response.context["check"]["rolls"][0]["hat"]) > 1

    def test_a_roll_that_the_seed_does_not_give_is_shown_with_its_entry(self, client: Client):
        race = finished(ROAD)
        roll = race.entries.filter(action__kind="peloton_die").first()
        found = fairness.verify(log_of(race)).rolls[0]
        other = next(outcome.action for outcome in found.hat if outcome.action != roll.action)
        race.entries.filter(pk=roll.pk).update(action=other)

        page = get(client, "verify", race).content.decode()

        assert "Something is amiss" in page
        assert f"Entry {roll.n}:" in page
        assert "not what the seed gives" in page

    def test_a_private_race_is_not_there_for_strangers(self, client: Client):
        race = finished(ROAD, is_public=False)

        for name in ("log", "text", "export", "verify", "numbers"):
            assert get(client, name, race).status_code == HTTPStatus.NOT_FOUND
        client.force_login(user_called("Bruno"))
        for name in ("log", "text", "export", "verify", "numbers"):
            assert get(client, name, race).status_code == HTTPStatus.OK

    def test_the_numbers_add_up_to_the_log(self, client: Client):
        race = finished()
        table = get(client, "numbers", race).context["table"]
        names = [column.label for column in table.columns]
        energy = {rider["id"]: rider["energy"] for rider in race.outcome["riders"]}
        started_with = 9

        for row in table.rows:
            cells = dict(zip(names, row.cells, strict=True))
            assert started_with - int(cells["Spent"]) + int(cells["Recovered"]) == energy[row.rider]
        assert sum(int(dict(zip(names, row.cells, strict=True))["Attacks"]) for row in table.rows) == _events(
            race, "broke_away"
        )

    def test_what_was_taken_back_is_not_counted(self, client: Client):
        race = half(ROAD, entries=9)
        before = _squares(client, ride(_copy(race), rng=random.Random(3)))
        n = race.n
        kept = [entry.n for entry in play.effective(race.entries.all())]
        play.rewind(race.pk, to=kept[2], reason="Again.", by=None)
        race = ride(race, rng=random.Random(3))

        burnt = race.entries.filter(n__lte=n, n__gt=kept[2])
        rows = get(client, "numbers", race).context["table"].rows
        alive = {entry.n for entry in play.effective(race.entries.all())}
        ridden = sum(
            event["squares"]
            for entry in race.entries.filter(n__in=alive)
            for event in entry.events
            if event["kind"] in ("moved", "broke_away")
        )
        assert any(event["kind"] in ("moved", "broke_away") for entry in burnt for event in entry.events)
        assert sum(int(row.cells[2]) for row in rows) == ridden
        assert before > 0

    def test_the_numbers_of_a_time_trial_speak_of_its_tiles(self, client: Client):
        page = get(client, "numbers", finished(CRONO))

        assert [column.label for column in page.context["table"].columns] == [
            "Spent", "Recovered", "Squares", "Risks held", "Falls", "Tiles", "Bottles",
        ]  # fmt: skip

    def test_while_it_runs_they_are_counted_so_far_and_are_the_same_for_all(self, client: Client):
        race = half()
        client.force_login(user_called("Anna"))

        tables = {get(reader, "numbers", race).context["table"] for reader in (client, Client())}

        assert len(tables) == 1
        assert sum(int(row.cells[2]) for row in tables.pop().rows) > 0

    def test_the_page_about_the_dice_gives_an_example_that_is_true(self, client: Client, capsys):
        page = client.get(reverse("races:dice")).content.decode()
        code = page.split('<pre class="code" tabindex="0">')[1].split("</pre>")[0].replace("&lt;", "<")

        exec(code, {})

        assert capsys.readouterr().out == (
            "commitment 756469d0d7fc823199dabc10694afcf62fdcc231f75c8691bea3fe972c2e32e9\nticket 9\n"
        )
        assert "756469d0 and ticket 9" in page

    def test_a_page_costs_the_same_queries_for_a_short_race_and_a_long_one(
        self, client: Client, django_assert_max_num_queries
    ):
        for race in (finished(ROAD), finished(BOTTLES, luck=3)):
            for name in ("log", "text", "export", "verify", "numbers"):
                with django_assert_max_num_queries(12):
                    assert get(client, name, race).status_code == HTTPStatus.OK


def _copy(race: Race) -> Race:
    """The same entries as a race of their own."""
    log = log_of(race) | {"seed": None}
    return transfer.take_in(file_of(log), owner=user_called("Olga"), sits=SITS)


def _events(race: Race, kind: str) -> int:
    return sum(event["kind"] == kind for entry in race.entries.all() for event in entry.events)


def _squares(client: Client, race: Race) -> int:
    client.force_login(user_called("Olga"))
    return sum(int(row.cells[2]) for row in get(client, "numbers", race).context["table"].rows)


# ---- where it comes from ---------------------------------------------------------------------------------------------
class TestOrigin:
    def pages(self, client: Client, race: Race) -> dict[str, str]:
        found = {name: get(client, name, race).content.decode() for name in ("race", "log", "text")}
        return found | {"entry": client.get(_entry_url(race, _origin_n(race))).content.decode()}

    def test_a_practice_race_says_what_it_goes_on_from_and_leads_there(self, client: Client, settings: Any):
        race, zoe = finished(), user_called("Zoe")
        practice = transfer.fork(race, 12, owner=zoe, sits=SITS)
        client.force_login(zoe)

        pages = self.pages(client, practice)

        link = f'A practice race that goes on after entry 12 of <a href="{_entry_url(race, 12)}">The evening race</a>.'
        assert pages["race"].count(link) == 2  # at its head, and in its log
        assert link in pages["entry"]
        assert link in pages["log"]
        text = f"up to 12 are those of The evening race, {settings.SITE_URL}{_entry_url(race, 12)}"
        assert text in pages["text"]
        assert text in pages["log"]
        assert "A note: origin" not in "".join(pages.values())

    def test_who_may_no_longer_watch_the_original_is_not_told_its_name(self, client: Client):
        race, zoe = finished(is_public=False), user_called("Zoe")
        practice = transfer.fork(race, 12, owner=zoe, sits=SITS)
        assert Race.objects.filter(pk=practice.pk).update(title="My practice")
        client.force_login(zoe)

        pages = self.pages(client, practice)

        for body in pages.values():
            assert race.key not in body
            assert race.title not in body
        assert "A practice race that goes on after entry 12 of another race." in pages["race"]
        assert "up to 12 are those of another race." in pages["text"]
        race.seats.filter(name="Bruno").update(user=zoe)
        assert _entry_url(race, 12) in "".join(self.pages(client, practice).values())
        assert race.title in self.pages(client, practice)["text"]

    def test_a_practice_race_from_the_start_says_so(self, client: Client):
        race, zoe = finished(), user_called("Zoe")
        practice = transfer.fork(race, 0, owner=zoe, sits=SITS)
        client.force_login(zoe)

        assert "A practice race from the start of <a" in get(client, "race", practice).content.decode()

    def test_a_race_from_a_file_leads_to_the_race_here_only_if_it_is_that_one(self, client: Client):
        race, zoe = finished(), user_called("Zoe")
        log = exported(race)
        taken = transfer.take_in(file_of(log), owner=zoe, sits=SITS)
        client.force_login(zoe)
        said = f"its entries up to {race.n} came in a file, from"

        assert f'{said} <a href="{_entry_url(race, race.n)}">' in self.pages(client, taken)["race"]
        Race.objects.filter(pk=race.pk).update(commitment="f" * 64)
        assert f"{said} another race." in self.pages(client, taken)["race"]
        Race.objects.filter(pk=race.pk).delete()
        assert f"{said} another race." in self.pages(client, taken)["race"]

    def test_the_title_of_the_original_is_text(self, client: Client):
        race, zoe = finished(), user_called("Zoe")
        practice = transfer.fork(race, 12, owner=zoe, sits=SITS)
        Race.objects.filter(pk=race.pk).update(title="<i>\nEvening")
        client.force_login(zoe)

        pages = self.pages(client, practice)

        assert "&lt;i&gt;" in pages["race"]
        assert "<i>\nEvening" not in pages["race"] + pages["log"]
        assert "those of <i> Evening, http" in pages["text"]

    def test_the_pages_cost_the_same_for_a_practice_race_of_a_practice_race(self, client: Client):
        race, zoe = finished(), user_called("Zoe")
        first = transfer.fork(race, 8, owner=zoe, sits=SITS)
        play.abandon(first.pk, reason="Again.", by=zoe)
        second = transfer.fork(fresh(first), 9, owner=zoe, sits=SITS)
        client.force_login(zoe)

        def costs(practice: Race) -> list[int]:
            found = []
            for name in ("race", "log", "text"):
                get(client, name, practice)
                with CaptureQueriesContext(connection) as seen:
                    get(client, name, practice)
                found.append(len(seen))
            return found

        assert costs(second) == costs(transfer.fork(race, 9, owner=zoe, sits=SITS))


def _entry_url(race: Race, n: int) -> str:
    return reverse("races:entry", args=[race.key, n])


def _origin_n(race: Race) -> int:
    return race.entries.filter(note__kind=transfer.ORIGIN).last().n


# ---- practice --------------------------------------------------------------------------------------------------------
class TestFork:
    def test_it_goes_on_after_the_entry_against_bots_with_a_seed_of_its_own(self):
        race, zoe = finished(), user_called("Zoe")

        practice = transfer.fork(race, 12, owner=zoe, sits=transfer.Sits(seat="Bruno", level="easy"))

        assert practice.key != race.key
        assert practice.commitment != race.commitment
        assert not practice.is_public
        assert practice.owner == zoe
        assert [(seat.name, seat.user, seat.bot) for seat in practice.seats.all()] == [
            ("Anna", None, "easy"), ("Bruno", zoe, ""), ("Carla", None, "easy"),
        ]  # fmt: skip
        assert list(practice.entries.filter(n__lte=12).values_list("n", "taker", "seat", "action", "events")) == list(
            race.entries.filter(n__lte=12).values_list("n", "taker", "seat", "action", "events")
        )
        assert play.look(practice).state == play.rebuilt(practice)[0]

    @pytest.mark.parametrize("options", [ROAD, BOTTLES, CRONO], ids=["road", "bottles", "time trial"])
    @pytest.mark.parametrize("n", [0, 1, 9])
    def test_a_practice_race_is_found_fair_at_its_end_with_the_rolls_of_both_seeds(self, options, n: int):
        race = finished(options)
        practice = transfer.fork(race, n, owner=user_called("Zoe"), sits=SITS)

        practice = ride(practice, rng=random.Random(2))

        log = exported(practice)
        found = fairness.verify(log)
        assert (found.findings, found.verdict) == ((), Verdict.FAIR)
        assert [origin["to"] for origin in log["origins"]] == [n]
        assert {roll.race for roll in found.rolls if roll.n <= n} <= {race.key}
        assert {roll.race for roll in found.rolls if roll.n > n} <= {practice.key}

    def test_a_practice_race_of_a_practice_race_names_both_and_is_fair(self):
        race = finished()
        first = ride(transfer.fork(race, 8, owner=user_called("Zoe"), sits=SITS), rng=random.Random(2))
        assert first.n > 22

        late = ride(transfer.fork(first, 20, owner=user_called("Zoe"), sits=SITS), rng=random.Random(3))
        early = ride(transfer.fork(first, 5, owner=user_called("Zoe"), sits=SITS), rng=random.Random(3))

        for practice, told in ((late, [(8, race.key), (20, first.key)]), (early, [(5, race.key)])):
            log = exported(practice)
            assert [(origin["to"], origin["race"]) for origin in log["origins"]] == told
            assert fairness.verify(log).verdict is Verdict.FAIR

    def test_it_can_begin_at_an_entry_that_was_taken_back(self):
        race = half(ROAD)
        n = race.n
        play.rewind(race.pk, to=2, reason="Again.", by=None)
        race = ride(race)

        practice = transfer.fork(race, n, owner=user_called("Zoe"), sits=SITS)

        assert play.look(practice).state == play.rebuilt(race, n)[0] or practice.n > n + 1
        assert fairness.verify(exported(ride(practice))).verdict is Verdict.FAIR

    def test_from_a_table_it_goes_on_by_the_dice_of_the_site(self):
        race = _refereed()

        practice = ride(transfer.fork(race, 5, owner=user_called("Zoe"), sits=SITS))

        found = fairness.verify(exported(practice))
        assert (found.findings, found.verdict) == ((), Verdict.OPEN)
        assert all(roll.ok for roll in found.rolls if roll.n > 5)

    def test_the_page_of_an_entry_offers_it_to_who_may_ride_on_and_does_it(self, client: Client):
        race = finished()
        url, fork = reverse("races:entry", args=[race.key, 8]), reverse("races:fork", args=[race.key, 8])
        last = reverse("races:entry", args=[race.key, race.n])
        client.force_login(user_called("Bruno"))

        body = client.get(url).content.decode()

        assert f'action="{fork}"' in body
        assert re.findall(r'<option value="([^"]+)" selected>', body) == ["Bruno", "club"]
        client.post(fork, {"seat": "Bruno", "level": "easy"}, follow=True)
        practice = Race.objects.exclude(pk=race.pk).get()
        assert [(seat.name, seat.bot) for seat in practice.seats.all()] == [
            ("Anna", "easy"), ("Bruno", ""), ("Carla", "easy"),
        ]  # fmt: skip
        assert "Ride on from here" not in client.get(last).content.decode(), "nothing is left to ride there"
        assert "Ride on from here" not in Client().get(url).content.decode()
        running = half()
        assert "Ride on from here" not in client.get(reverse("races:entry", args=[running.key, 8])).content.decode()
        client.force_login(user_called("Zoe"))
        assert re.findall(r'<option value="([^"]+)" selected>', client.get(url).content.decode()) == ["Anna", "club"]

    def test_a_running_race_gives_nothing_away(self):
        race = half()

        with pytest.raises(Refused, match="hidden"):
            transfer.fork(race, 3, owner=user_called("Anna"), sits=SITS)

        assert Race.objects.count() == 1

    def test_an_abandoned_race_can_be_ridden_on(self):
        race = half(ROAD)
        play.abandon(race.pk, reason="It is late.", by=None)

        practice = ride(transfer.fork(fresh(race), race.n, owner=user_called("Zoe"), sits=SITS))

        assert practice.status == Status.OVER
        assert fairness.verify(exported(practice)).verdict is Verdict.FAIR

    @pytest.mark.parametrize("change", [{"seat": "Dino"}, {"level": "champion"}])
    def test_a_seat_or_a_bot_that_there_is_not_is_refused(self, change: dict[str, str]):
        race = finished(ROAD)

        with pytest.raises(Refused, match="no such"):
            transfer.fork(race, 3, owner=user_called("Zoe"), sits=transfer.Sits(**change))

        assert Race.objects.count() == 1

    def test_there_is_nothing_to_ride_after_the_last_entry(self):
        race = finished(ROAD)

        with pytest.raises(Refused, match="nothing left"):
            transfer.fork(race, race.n, owner=user_called("Zoe"), sits=SITS)
        with pytest.raises(Refused, match="no such entry"):
            transfer.fork(race, race.n + 1, owner=user_called("Zoe"), sits=SITS)

    def test_nobody_fills_the_site_with_practice_races(self, monkeypatch: pytest.MonkeyPatch):
        monkeypatch.setattr(transfer, "MOST_PRACTICE", 2)
        race, zoe = finished(ROAD), user_called("Zoe")
        first = transfer.fork(race, 3, owner=zoe, sits=SITS)
        transfer.fork(race, 3, owner=zoe, sits=SITS)

        with pytest.raises(Refused, match="2 practice races"):
            transfer.fork(race, 3, owner=zoe, sits=SITS)

        ride(first)
        transfer.fork(race, 3, owner=zoe, sits=SITS)

    def test_by_its_address_the_reader_sits_in_his_own_seat(self, client: Client):
        race = finished(ROAD)
        client.force_login(user_called("Carla"))

        answered = client.post(reverse("races:fork", args=[race.key, 3]))

        practice = Race.objects.exclude(pk=race.pk).get()
        assert answered["Location"] == practice.get_absolute_url()
        assert practice.seats.get(user__isnull=False).name == "Carla"
        assert client.get(practice.get_absolute_url()).status_code == HTTPStatus.OK
        assert Client().get(practice.get_absolute_url()).status_code == HTTPStatus.NOT_FOUND

    def test_by_its_address_a_refusal_leads_back_with_words(self, client: Client):
        race = half()
        client.force_login(user_called("Anna"))

        answered = client.post(reverse("races:fork", args=[race.key, 3]), follow=True)

        assert "hidden" in answered.content.decode()
        assert Race.objects.count() == 1

    def test_who_is_not_signed_on_is_sent_to_sign_on_and_a_link_makes_no_race(self, client: Client):
        race = finished(ROAD)
        url = reverse("races:fork", args=[race.key, 3])

        assert client.post(url)["Location"].startswith("/accounts/login/")
        client.force_login(user_called("Anna"))
        assert client.get(url).status_code == HTTPStatus.METHOD_NOT_ALLOWED


# ---- in --------------------------------------------------------------------------------------------------------------
class TestImport:
    @pytest.mark.parametrize("options", [ROAD, BOTTLES, CRONO], ids=["road", "bottles", "time trial"])
    def test_a_finished_race_comes_back_finished_with_the_same_end_and_is_fair(self, options: dict[str, Any]):
        race = finished(options)

        back = transfer.take_in(file_of(exported(race)), owner=user_called("Zoe"), sits=SITS)

        assert back.key != race.key
        assert (fresh(back).status, fresh(back).outcome) == (Status.OVER, race.outcome)
        assert list(back.entries.filter(n__lte=race.n).values_list("action", "events", "rewind_to")) == list(
            race.entries.values_list("action", "events", "rewind_to")
        )
        assert fairness.verify(exported(back)).verdict is Verdict.FAIR

    def test_a_race_with_a_rewind_a_substitute_and_a_note_comes_back_in_the_same_position(self):
        race = half()
        play.substitute(race.pk, seat="Carla", user=None, bot="easy", label="", by=None)
        play.rewind(race.pk, to=5, reason="A piece fell.", by=None)
        race = ride(race)

        back = transfer.take_in(file_of(exported(race)), owner=user_called("Zoe"), sits=SITS)

        assert fresh(back).position.state == fresh(race).position.state
        assert back.entries.filter(note__kind="substitution").count() == 1
        assert back.entries.get(rewind_to=5).reason == "A piece fell."

    def test_a_running_race_without_secrets_goes_on_as_practice(self):
        race = half(ROAD)

        practice = transfer.take_in(
            file_of(exported(race)), owner=user_called("Zoe"), sits=transfer.Sits(seat="Bruno", level="easy")
        )
        assert practice.is_running
        assert practice.seats.get(name="Bruno").user == user_called("Zoe")
        practice = ride(practice, rng=random.Random(8))

        found = fairness.verify(exported(practice))
        assert (found.findings, found.verdict) == ((), Verdict.OPEN)
        assert all(roll.ok for roll in found.rolls if roll.n > race.n)

    def test_a_log_in_which_something_is_hidden_waits_for_the_end_of_its_race(self):
        race = half()

        with pytest.raises(transfer.NotTaken, match="Take it again when the race is over"):
            transfer.take_in(file_of(exported(race, "Anna")), owner=user_called("Zoe"), sits=SITS)

        assert transfer.take_in(file_of(exported(ride(race))), owner=user_called("Zoe"), sits=SITS)

    def test_names_come_along_cleaned_and_cut(self):
        race = finished(ROAD)
        log = exported(race)
        log["title"] = "<b>An evening</b>\n" + "x" * 300
        log["seats"][0] |= {
            "label": "  Anna\u202e\n" + "y" * 90,
            "riders": {"anna": {"bib": 7, "name": "V\tenn", "x": 1}},
        }

        back = transfer.take_in(file_of(log), owner=user_called("Zoe"), sits=SITS)

        assert len(back.title) == 120
        assert "\n" not in back.title
        seat = back.seats.get(name="Anna")
        assert seat.label.startswith("Anna y")
        assert len(seat.label) == 60
        assert seat.riders == {"anna": {"bib": "7", "name": "V enn", "jersey": ""}}

    def test_events_and_times_in_the_file_are_not_believed(self):
        race = finished(ROAD)
        log = exported(race)
        for entry in log["entries"]:
            entry["events"] = [{"kind": "finished", "rider": "carla", "turn": 1, "order": 1}]

        back = transfer.take_in(file_of(log), owner=user_called("Zoe"), sits=SITS)

        assert list(back.entries.filter(n__lte=race.n).values_list("events", flat=True)) == list(
            race.entries.values_list("events", flat=True)
        )

    def test_the_whole_way_by_its_page(self, client: Client):
        race = finished()
        client.force_login(user_called("Zoe"))
        file = SimpleUploadedFile("race.json", client.get(reverse("races:export", args=[race.key])).content)

        answered = client.post(reverse("races:import"), {"file": file, "seat": "", "level": "club"})

        back = Race.objects.get(owner=user_called("Zoe"))
        assert answered["Location"] == back.get_absolute_url()
        assert client.get(back.get_absolute_url()).status_code == HTTPStatus.OK

    def test_who_is_not_signed_on_is_sent_to_sign_on(self, client: Client):
        assert client.get(reverse("races:import"))["Location"].startswith("/accounts/login/")


def _without(name: str) -> Callable[[Any], None]:
    return lambda log: log.pop(name)


def _entry(n: int, **change: Any) -> Callable[[Any], None]:
    return lambda log: log["entries"][n - 1].update(change)


POISONS: dict[str, Callable[[Any], Any]] = {
    "an entry is missing": lambda log: log["entries"].pop(4),
    "an entry stands twice": lambda log: log["entries"].insert(4, copy.deepcopy(log["entries"][3])),
    "two entries are swapped": lambda log: log["entries"].reverse(),
    "another action": _entry(4, action={"kind": "pursue", "yes": True}),
    "an action of no game": _entry(4, action={"kind": "teleport"}),
    "an action that is a number": _entry(4, action=7),
    "another die": _entry(2, action={"kind": "peloton_die", "value": 77}),
    "another seat": _entry(4, seat="Carla"),
    "a seat of another race": _entry(4, seat="Z" * 500),
    "no taker": _entry(4, taker="referee"),
    "a rewind to the future": lambda log: log["entries"].append(
        {"n": len(log["entries"]) + 1, "taker": "organiser", "rewind_to": 10**6, "reason": "x"}
    ),
    "a move after the end": lambda log: log["entries"].append(
        {"n": len(log["entries"]) + 1, "taker": "seat", "seat": "Anna", "action": {"kind": "end"}}
    ),
    "a note without end": lambda log: log["entries"].append(
        {"n": len(log["entries"]) + 1, "taker": "organiser", "note": {"kind": "x", "text": "y" * 9000}}
    ),
    "no options": _without("options"),
    "no entrants": _without("entrants"),
    "no entries": _without("entries"),
    "no game": _without("game"),
    "another game": lambda log: log.update(game="chess"),
    "another version": lambda log: log.update(version=99),
    "a version that is no number": lambda log: log.update(version="1"),
    "another seed": lambda log: log.update(seed="f" * 64),
    "a seed that is none": lambda log: log.update(seed=["f"]),
    "another commitment": lambda log: log.update(commitment="0" * 64),
    "no name of the race": _without("race"),
    "a name without text": lambda log: log.update(race="\x00"),
    "half a character": lambda log: log.update(title="\ud800"),
    "an endless road": lambda log: log["options"].update(course="strip L2 | P1-999999999"),
    "a road of other words": lambda log: log["options"].update(course={"id": "x"}),
    "options of no game": lambda log: log["options"].update(speed=3),
    "a hundred seats": lambda log: log.update(entrants=[{"seat": f"s{n}"} for n in range(100)]),
    "entrants without seats": lambda log: log.update(entrants=[{}]),
    "a million entries": lambda log: log.update(entries=[{"n": 1}] * 11_000),
    "origins that are none": lambda log: log.update(origins={"to": -1}),
    "origins of a race without a name": lambda log: log.update(origins=[{"to": 3}]),
}


class TestPoison:
    @pytest.fixture
    def log(self) -> dict[str, Any]:
        return exported(finished())

    @pytest.mark.parametrize("poison", POISONS)
    def test_it_is_refused_in_sentences_and_nothing_is_stored(self, log: dict[str, Any], poison: str):
        POISONS[poison](log)

        with pytest.raises(transfer.NotTaken) as refusal:
            transfer.take_in(file_of(log), owner=user_called("Zoe"), sits=SITS)

        assert refusal.value.faults
        assert all("%(" not in sentence and len(sentence) > 10 for _n, sentence in refusal.value.faults)
        assert Race.objects.count() == 1

    def test_a_log_longer_than_any_race_is_refused_before_an_entry_is_ridden(
        self, log: dict[str, Any], monkeypatch: pytest.MonkeyPatch
    ):
        POISONS["a million entries"](log)
        ridden: list[Any] = []
        monkeypatch.setattr(type(GIRO), "apply", lambda _game, *what: ridden.append(what))

        with pytest.raises(transfer.NotTaken, match="more than 10000 entries"):
            transfer.take_in(file_of(log), owner=user_called("Zoe"), sits=SITS)

        assert ridden == []

    @pytest.mark.parametrize(
        "file",
        [
            b"",
            b"not json",
            b"[]",
            b'"log"',
            b"\xff\xfe\x00",
            b"[" * 100_000,
            b'{"a":' * 5_000 + b"1" + b"}" * 5_000,
            b'{"version": NaN}',
            b'{"version": 1e999}',
            b'{"n": ' + b"9" * 10_000 + b"}",
            b" " * 2_000_001,
        ],
        ids=[
            "empty",
            "text",
            "list",
            "string",
            "bytes",
            "deep list",
            "deep object",
            "NaN",
            "infinite",
            "digits",
            "large",
        ],
    )
    def test_a_file_that_is_no_log_is_refused_in_a_sentence(self, file: bytes):
        with pytest.raises(transfer.NotTaken) as refusal:
            transfer.take_in(file, owner=user_called("Zoe"), sits=SITS)

        assert len(refusal.value.faults) >= 1

    def test_every_single_change_is_refused_or_harmless_and_breaks_nothing(self, log: dict[str, Any]):
        """Each part of the log replaced by things of another kind: a refusal, or a race that stands and is read again."""
        rng = random.Random(1)
        junk: list[Any] = [None, True, -1, 0, 2**70, "", "x", "\u202e<b>", [], {}, [[]], {"kind": "end"}, 1.5]
        taken = 0
        for _n in range(120):
            spoilt = copy.deepcopy(log)
            places = list(_places(spoilt))
            holder, name = rng.choice(places)
            holder[name] = rng.choice(junk)
            try:
                race = transfer.take_in(file_of(spoilt), owner=user_called("Zoe"), sits=SITS)
            except Refused:
                continue
            taken += 1
            assert Client().get(race.get_absolute_url()).status_code == HTTPStatus.NOT_FOUND
            assert fairness.verify(exported(race)).findings == ()
            race.delete()
        assert taken < 60

    def test_the_page_shows_the_sentences_with_their_entries(self, client: Client, log: dict[str, Any]):
        log["entries"].pop(4)
        client.force_login(user_called("Zoe"))

        answered = client.post(reverse("races:import"), {"file": SimpleUploadedFile("race.json", file_of(log))})

        assert answered.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
        page = answered.content.decode()
        assert "Entry 5:" in page
        assert "Missing are the entries from 5 to 5." in page

    def test_the_page_without_a_file_or_with_another_bot_says_so(self, client: Client, log: dict[str, Any]):
        client.force_login(user_called("Zoe"))

        empty = client.post(reverse("races:import"), {})
        bot = client.post(
            reverse("races:import"), {"file": SimpleUploadedFile("race.json", file_of(log)), "level": "champion"}
        )

        assert empty.status_code == bot.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
        assert "Choose the file with the log." in empty.content.decode()
        assert Race.objects.count() == 1


def _places(value: Any) -> Any:
    """Every place in a log that something stands in."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for name, inner in items:
        yield value, name
        if isinstance(inner, dict | list):
            yield from _places(inner)


# ---- commands --------------------------------------------------------------------------------------------------------
def run(*words: str) -> tuple[int, str]:
    """A management command: its exit code, and what it wrote."""
    out = StringIO()
    try:
        call_command(*words, stdout=out, stderr=out)
    except CommandError as fault:
        return fault.returncode, out.getvalue() + str(fault)
    return 0, out.getvalue()


class TestCommands:
    def test_verify_says_fair_and_exits_with_0(self):
        code, text = run("verify", finished().key)

        assert code == 0
        assert text.startswith("fair: every roll is the one that the promised seed gives")

    def test_verify_of_a_running_race_says_open_and_shows_no_seed(self):
        race = half()

        code, text = run("verify", race.key)

        assert (code, text.split(":")[0]) == (0, "open")
        assert bytes(Secret.objects.get(race=race).seed).hex() not in text

    def test_verify_says_what_is_amiss_and_exits_with_1(self):
        race = finished(ROAD)
        race.entries.filter(n=4).delete()

        code, text = run("verify", race.key)

        assert code == 1
        assert "- entry 4: Missing are the entries from 4 to 4." in text

    def test_verify_reads_a_file_too(self, tmp_path: Path):
        file = tmp_path / "race.json"
        file.write_bytes(file_of(exported(finished())))

        assert run("verify", "--file", str(file))[0] == 0
        file.write_text("[" * 100_000)
        assert run("verify", "--file", str(file))[0] == 2

    def test_verify_of_a_race_that_there_is_not_or_that_has_not_started_exits_with_2(self):
        assert run("verify", "nowhere")[0] == 2
        assert run("verify", opened().key)[0] == 2

    def test_recompute_leaves_what_is_right_and_exits_with_0(self):
        race = half()
        before = Position.objects.filter(race=race).values().get()

        assert run("recompute", race.key) == (0, f"{race.key}: as it was\n")
        assert Position.objects.filter(race=race).values().get() == before

    def test_recompute_mends_every_race_and_exits_with_1(self):
        races = [half(), finished(ROAD), half(CRONO)]
        opened()
        before = list(Position.objects.order_by("race").values())
        Position.objects.filter(race=races[2]).update(opened={}, n=1)

        code, text = run("recompute", "--all")

        assert code == 1
        assert [line.split(": ")[1] for line in text.splitlines()[:3]] == ["as it was", "as it was", "mended"]
        assert list(Position.objects.order_by("race").values()) == before

    def test_recompute_of_a_broken_log_says_so_mends_the_others_and_exits_with_2(self):
        broken, healthy = half(), half(CRONO)
        broken.entries.filter(n=2).update(action={"kind": "teleport"})
        Position.objects.filter(race=healthy).update(n=1)

        code, text = run("recompute", "--all")

        assert code == 2
        assert f"{broken.key}: its log cannot be played: Unreadable" in text
        assert fresh(healthy).position.n == healthy.n

    def test_recompute_wants_to_know_which(self):
        assert run("recompute")[0] == 2
        assert run("recompute", "nowhere")[0] == 2


def test_nobody_sits_and_rolls_before_a_practice_race_is_stored():
    """A fork that cannot be made leaves no race, no seed and no seat behind."""
    race = finished(ROAD)
    race.entries.filter(n=2).update(action={"kind": "teleport"})

    with pytest.raises(Exception, match="teleport"):
        transfer.fork(race, 3, owner=user_called("Zoe"), sits=SITS)

    assert Race.objects.count() == Secret.objects.count() == 1


def test_a_practice_race_is_advanced_and_answered_like_any_other():
    practice = transfer.fork(finished(ROAD), 3, owner=user_called("Zoe"), sits=SITS)

    play.advance(practice.pk)

    assert due(practice, "Anna").taker is Taker.SEAT
    answer(practice, End() if due(practice).kind == "attack" else None, seat="Anna")
