"""Chat and private notes folded into other pages of a race."""

import secrets
from typing import Any

from django import template

from races import chat
from races.access import Viewer
from races.clock_words import when

register = template.Library()
register.filter("when", when)


@register.inclusion_tag("races/_beside.html")
def beside_race(viewer: Viewer) -> dict[str, Any]:
    """What is said beside the race, with how much of it is new; and the reader's own note."""
    page = chat.Chat(viewer)
    note = chat.note_of(viewer.race, page.writer) if page.writer else None
    return {
        "chat": page,
        "race": viewer.race,
        "viewer": viewer,
        "key": secrets.token_urlsafe(12),
        "text": note.text if note else "",
        "n": note.n if note else 0,
    }
