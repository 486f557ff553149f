"""The calendar of a campaign, on the page and in the telephones that subscribe to it."""

from datetime import UTC, datetime

import icalendar
import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from league.models import Club, Stage
from league.stages import StagePlan, change_stage
from tests import factories as make
from tests.conftest import Cast
from tests.evening import Evening


def page(evening: Evening, name: str = "calendar") -> str:
    return evening.campaign.url(name)


def feed(client: Client, evening: Evening) -> icalendar.Calendar:
    answer = client.get(page(evening, "calendar_ics"))
    assert answer.status_code == 200
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    return icalendar.Calendar.from_ical(answer.content)


def moved(stage: Stage, **more: object) -> Stage:
    plan = {name: getattr(stage, name) for name in StagePlan.__dataclass_fields__}
    return change_stage(stage, StagePlan(**{**plan, **more}))


# ---- the page --------------------------------------------------------------------------------------------------------
def test_everybody_sees_the_evenings_by_the_clubs_clock(client: Client, evening: Evening) -> None:
    evening.ride("1", "2", "3")

    html = client.get(page(evening)).content.decode()

    assert "La Vetta, Thursday 19 March" in html
    assert "Thu 5 Feb 2026, 19:30" in html  # 18:30 UTC
    assert html.count("<li") >= 5
    assert html.count('class="now"') == 1


def test_the_next_stage_is_the_first_without_a_published_result(client: Client, evening: Evening) -> None:
    evening.ride("1", official=False)

    assert client.get(page(evening)).context["coming"] == evening.stages["2"]


def test_a_calendar_without_stages_says_so(client: Client, evening: Evening) -> None:
    Stage.objects.all().delete()

    assert "No stage yet" in client.get(page(evening)).content.decode()


def test_the_same_calendar_is_the_same_page_for_the_cache(client: Client, evening: Evening) -> None:
    first = client.get(page(evening))

    again = client.get(page(evening), headers={"if-none-match": first["ETag"]})

    assert again.status_code == 304


def test_the_page_costs_the_same_for_five_stages_and_for_twenty_one(client: Client, evening: Evening) -> None:
    def queries(name: str) -> int:
        with CaptureQueriesContext(connection) as seen:
            client.get(page(evening, name))
        return len(seen)

    few = queries("calendar"), queries("calendar_ics")
    for order in range(6, 22):
        make.StageFactory(campaign=evening.campaign, order=order)

    assert (queries("calendar"), queries("calendar_ics")) == few


# ---- the feed --------------------------------------------------------------------------------------------------------
def test_the_feed_holds_every_stage_as_an_instant_with_its_page(client: Client, evening: Evening) -> None:
    Stage.objects.filter(number="4").update(place="Clubroom, table 2")

    events = feed(client, evening).walk("VEVENT")

    assert len(events) == 5
    vetta = events[3]
    assert vetta.decoded("dtstart") == datetime(2026, 3, 19, 18, 30, tzinfo=UTC)
    assert str(vetta["summary"]) == "Giro d'Inverno, stage 4: La Vetta"
    assert str(vetta["location"]) == "Clubroom, table 2"
    assert str(vetta["url"]) == "http://testserver" + evening.stages["4"].get_absolute_url()
    assert len({str(event["uid"]) for event in events}) == 5


def test_a_moved_evening_keeps_its_uid_and_raises_the_sequence(client: Client, evening: Evening) -> None:
    before = feed(client, evening).walk("VEVENT")[3]

    moved(evening.stages["4"], starts_at=datetime(2026, 3, 26, 18, 30, tzinfo=UTC))

    after = feed(client, evening).walk("VEVENT")[3]
    assert after["uid"] == before["uid"]
    assert (before["sequence"], after["sequence"]) == (0, 1)
    assert after.decoded("dtstart") == datetime(2026, 3, 26, 18, 30, tzinfo=UTC)
    assert after.decoded("last-modified") >= before.decoded("last-modified")


def test_the_uid_outlives_every_name_and_address(client: Client, evening: Evening) -> None:
    before = [str(event["uid"]) for event in feed(client, evening).walk("VEVENT")]
    club, campaign = evening.club, evening.campaign
    Club.objects.filter(pk=club.pk).update(slug="another", name="Another")
    campaign.slug, campaign.name = "another", "Another"
    campaign.save()
    evening.campaign = type(campaign).objects.select_related("season__club").get(pk=campaign.pk)
    Stage.objects.filter(number="1").update(number="1a", name="Another")

    assert [str(event["uid"]) for event in feed(client, evening).walk("VEVENT")] == before


def test_the_same_feed_is_the_same_bytes(client: Client, evening: Evening) -> None:
    first = client.get(page(evening, "calendar_ics"))
    again = client.get(page(evening, "calendar_ics"), headers={"if-none-match": first["ETag"]})

    assert client.get(page(evening, "calendar_ics")).content == first.content
    assert again.status_code == 304


@pytest.mark.parametrize(
    "name",
    ["Alpe; di, Siusi\\", "x\r\nBEGIN:VEVENT\r\nUID:evil", "Zoë 🚴 " + "é" * 60, "‮gnitirw", "a\x07b", "</script><b>x"],
)
def test_a_name_cannot_break_out_of_its_line(client: Client, evening: Evening, name: str) -> None:
    Stage.objects.filter(number="4").update(name=name[:80], place=name[:120])

    answer = client.get(page(evening, "calendar_ics"))
    events = icalendar.Calendar.from_ical(answer.content).walk("VEVENT")

    assert len(events) == 5
    shown = " ".join(name[:80].replace("\x07", " ").split())
    assert str(events[3]["summary"]) == f"Giro d'Inverno, stage 4: {shown}"
    assert all(len(line) <= 75 for line in answer.content.split(b"\r\n"))


def test_the_evening_that_crosses_the_change_of_clocks_stays_at_its_hour(client: Client, evening: Evening) -> None:
    Club.objects.update(time_zone="Europe/Amsterdam")
    Stage.objects.filter(number="4").update(starts_at=datetime(2026, 3, 26, 19, tzinfo=UTC))
    Stage.objects.filter(number="5").update(starts_at=datetime(2026, 4, 2, 18, tzinfo=UTC))

    html = client.get(page(evening)).content.decode()
    starts = [event.to_ical().decode() for event in feed(client, evening).walk("VEVENT")[3:]]

    assert "Thu 26 Mar 2026, 20:00" in html
    assert "Thu 2 Apr 2026, 20:00" in html
    assert "DTSTART:20260326T190000Z" in starts[0]
    assert "DTSTART:20260402T180000Z" in starts[1]


def test_a_closed_club_shows_its_calendar_to_members_only(client: Client, evening: Evening, cast: Cast) -> None:
    Club.objects.filter(pk=evening.club.pk).update(is_public=False)
    pages = [page(evening), page(evening, "calendar_ics"), evening.campaign.url("tonight", "4")]

    assert [client.get(where).status_code for where in pages] == [404, 404, 404]
    client.force_login(cast.dino)
    assert [client.get(where).status_code for where in pages] == [404, 404, 404]
    client.force_login(cast.carla)
    assert [client.get(where).status_code for where in pages] == [200, 200, 200]
