"""The calendar of a campaign as iCalendar, for telephones that subscribe to it.

The same calendar is the same bytes: nothing in it comes from the clock of the moment. A stage keeps its UID for ever;
SEQUENCE rises when evening or place move. Instants are UTC, so that no zone of a telephone can shift them.
"""

import unicodedata
from collections.abc import Callable, Iterable
from datetime import UTC, timedelta

from django.utils.translation import gettext as _
from icalendar import Calendar, Event, vUri

from league.models import Campaign, Stage

EVENING = timedelta(hours=3)
"""How long a stage blocks the evening; our own."""


def text(words: str) -> str:
    """Words on one line, without the control characters that a calendar cannot hold."""
    return " ".join("".join(mark if unicodedata.category(mark) not in {"Cc", "Cs"} else " " for mark in words).split())


def uid(stage: Stage) -> str:
    """Unlike any other stage's, here or on another site; no name or address is in it, as those may change."""
    return f"stage-{stage.pk}-{stage.campaign.created_at.astimezone(UTC):%Y%m%d%H%M%S%f}@maglia"


def feed(campaign: Campaign, stages: Iterable[Stage], address: Callable[[Stage], str]) -> bytes:
    """The stages as a calendar. `address` gives the full address of a stage's page."""
    calendar = Calendar()
    calendar.add("prodid", "-//Maglia//Club calendar//EN")
    calendar.add("version", "2.0")
    calendar.add("calscale", "GREGORIAN")
    calendar.add("method", "PUBLISH")
    calendar.add("x-wr-calname", text(f"{campaign.season.club.name}: {campaign.name}"))
    calendar.add("x-wr-timezone", campaign.season.club.time_zone)
    for stage in stages:
        calendar.add_component(event(campaign, stage, address(stage)))
    return bytes(calendar.to_ical())


def event(campaign: Campaign, stage: Stage, address: str) -> Event:
    changed = stage.changed_at.astimezone(UTC).replace(microsecond=0)
    start = stage.starts_at.astimezone(UTC).replace(microsecond=0)
    summary = _("%(campaign)s, stage %(number)s: %(name)s")
    words = {"campaign": campaign.name, "number": stage.number, "name": stage.name}
    out = Event()
    out.add("uid", uid(stage))
    out.add("sequence", stage.calendar_sequence)
    out.add("dtstamp", changed)
    out.add("last-modified", changed)
    out.add("dtstart", start)
    out.add("dtend", start + EVENING)
    out.add("summary", text(summary % words))
    out.add("description", text(f"{stage.get_kind_display()}. {stage.get_way_display()}."))
    if stage.place:
        out.add("location", text(stage.place))
    out.add("url", vUri(address))
    out.add("status", "CONFIRMED")
    return out
