"""The clock of a race on its pages."""

from typing import Any

from django import template
from django.contrib.auth.models import User
from django.utils import timezone

from races import clock_words, clocks
from races.access import Viewer

register = template.Library()


@register.inclusion_tag("races/_clock.html")
def race_clock(viewer: Viewer) -> dict[str, Any]:
    """Whose time runs until when, whether the clocks stand, and what the reader may do about it."""
    race, now = viewer.race, timezone.now()
    clock = clocks.clock_of(race)
    mine = {seat.pk for seat in viewer.seats}
    dues = [
        {
            "who": str(due.seat),
            "mine": due.seat.pk in mine,
            "until": due.until,
            "says": clock_words.when(due.until) if due.until else "",
            "late": due.is_up(now),
        }
        for due in (clocks.dues(race) if clock else [])
    ]
    may_be_kept = race.is_running and any(seat.bot for seat in race.seats.all())
    kept = clocks.kept_for(race, viewer.user) if may_be_kept and isinstance(viewer.user, User) else None
    return {
        "race": race,
        "viewer": viewer,
        "clock": clock,
        "words": clock_words.clock_words(clock) if clock else [],
        "dues": dues,
        "paused": bool(clock) and race.is_running and clocks.is_paused(race),
        "kept": kept,
        "may_set": viewer.leads and race.is_online and not race.is_over,
    }
