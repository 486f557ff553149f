"""Seats on a page: jerseys of their riders, and what the leader may do about them."""

from typing import Any

from django import template
from django.contrib.auth.models import User
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from races import lobby
from races.access import Viewer
from races.models import Race
from races.words import jersey_symbol, jersey_words

register = template.Library()


@register.simple_tag
def shirt(jersey: str, size: str = "") -> SafeString:
    """A jersey by the name that a race has for it ("blue", "blue-sash", "pink"), and in words."""
    symbol = jersey_symbol(jersey)
    return format_html(
        '<svg class="jersey {}" viewBox="0 0 24 24" role="img" aria-label="{}"><use href="#jersey-{}"/></svg>',
        size, jersey_words(symbol), symbol,
    )  # fmt: skip


@register.simple_tag
def home_of(race: Race) -> tuple[str, str] | None:
    """What a race is part of, and its address."""
    return lobby.home_of(race)


@register.simple_tag
def lead_options(viewer: Viewer) -> dict[str, Any] | None:
    """What whoever leads a running race may choose from; None for everybody else."""
    race = viewer.race
    if not (viewer.leads and race.is_running and isinstance(viewer.user, User)):
        return None
    lent = {seat.pk for seat in lobby.lent(race)}
    return {
        "seats": [{"seat": seat, "is_lent": seat.pk in lent, "level": lobby.LEVELS.get(seat.bot, "")} for seat in race.seats.all()],
        "levels": lobby.levels(race.game),
        "bench": [(user.pk, lobby.called(user), user.pk == viewer.user.pk) for user in lobby.on_the_bench(race, viewer.user)],
        "any_lent": bool(lent),
        "link": reverse("races:join", args=[race.key, race.invitation]),
    }  # fmt: skip
