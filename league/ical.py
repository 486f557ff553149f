"""The calendar of a campaign or a series as iCalendar, for telephones that subscribe to it.

The same calendar is the same bytes: nothing in it comes from the clock of the moment. A stage or a round keeps its UID for ever;
SEQUENCE rises when evening or place move. Instants are UTC, so that no zone of a telephone can shift them.
"""

import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.utils.translation import gettext as _
from icalendar import Calendar, Event, vUri

from league.models import Campaign, Round, Series, Stage

EVENING = timedelta(hours=3)
"""How long a race blocks the evening; our own."""


def text(words: str) -> str:
    """Words on one line, without the control characters that a calendar cannot hold."""
    return " ".join("".join(mark if unicodedata.category(mark) not in {"Cc", "Cs"} else " " for mark in words).split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Evening:
    """What a calendar says of a stage or a round. `uid`: unlike any other's, here or on another site; no name or address is
    in it, as those may change."""

    uid: str
    sequence: int
    changed: datetime
    start: datetime
    summary: str
    description: str
    place: str
    address: str


def stages_as_evenings(campaign: Campaign, stages: Iterable[Stage], address: Callable[[Stage], str]) -> list[Evening]:
    """The stages of a campaign. `address` gives the full address of a stage's page."""
    summary = _("%(campaign)s, stage %(number)s: %(name)s")
    return [
        Evening(
            uid=f"stage-{stage.pk}-{_stamp(stage.campaign.created_at)}@maglia",
            sequence=stage.calendar_sequence,
            changed=stage.changed_at,
            start=stage.starts_at,
            summary=summary % {"campaign": campaign.name, "number": stage.number, "name": stage.name},
            description=f"{stage.get_kind_display()}. {stage.get_way_display()}.",
            place=stage.place,
            address=address(stage),
        )
        for stage in stages
    ]


def rounds_as_evenings(rounds: Iterable[Round], address: Callable[[Round], str]) -> list[Evening]:
    """The rounds of a series."""
    return [
        Evening(
            uid=f"round-{round_.pk}-{_stamp(round_.series.created_at)}@maglia",
            sequence=round_.calendar_sequence,
            changed=round_.changed_at,
            start=round_.starts_at,
            summary=", ".join(map(str, filter(None, (round_.series.name, round_.division, round_)))),
            description=f"{round_.get_way_display()}.",
            place=round_.place,
            address=address(round_),
        )
        for round_ in rounds
    ]


def _stamp(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y%m%d%H%M%S%f}"


def feed(whole: Campaign | Series, evenings: Iterable[Evening]) -> bytes:
    """The evenings of a campaign or a series as a calendar."""
    calendar = Calendar()
    calendar.add("prodid", "-//Maglia//Club calendar//EN")
    calendar.add("version", "2.0")
    calendar.add("calscale", "GREGORIAN")
    calendar.add("method", "PUBLISH")
    calendar.add("x-wr-calname", text(f"{whole.season.club.name}: {whole.name}"))
    calendar.add("x-wr-timezone", whole.season.club.time_zone)
    for evening in evenings:
        calendar.add_component(event(evening))
    return bytes(calendar.to_ical())


def event(evening: Evening) -> Event:
    changed = evening.changed.astimezone(UTC).replace(microsecond=0)
    start = evening.start.astimezone(UTC).replace(microsecond=0)
    out = Event()
    out.add("uid", evening.uid)
    out.add("sequence", evening.sequence)
    out.add("dtstamp", changed)
    out.add("last-modified", changed)
    out.add("dtstart", start)
    out.add("dtend", start + EVENING)
    out.add("summary", text(evening.summary))
    out.add("description", text(evening.description))
    if evening.place:
        out.add("location", text(evening.place))
    out.add("url", vUri(evening.address))
    out.add("status", "CONFIRMED")
    return out
