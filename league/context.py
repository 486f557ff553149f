"""What every page knows: the club it belongs to, who looks, day or night."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest

from league.access import has
from league.models import Role

THEMES = ("light", "dark")


def site(request: HttpRequest) -> dict[str, Any]:
    role = getattr(request, "role", None)
    season = getattr(request, "season", None)
    is_open = season is None or not season.is_archived
    theme = request.COOKIES.get("theme", "")
    return {
        "club": getattr(request, "club", None),
        "season": season,
        "campaign": getattr(request, "campaign", None),
        "role": role,
        "is_organiser": has(role, Role.ORGANISER),
        "is_commissaire": has(role, Role.COMMISSAIRE),
        "is_member": role is not None,
        # what an archived season still offers: to be read
        "may_edit": is_open and has(role, Role.ORGANISER),
        "may_judge": is_open and has(role, Role.COMMISSAIRE),
        "theme": theme if theme in THEMES else "",
        "demo": settings.DEMO,
    }
