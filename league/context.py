"""What every page knows: the club it belongs to, who looks, day or night."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest

from league.access import has
from league.models import Role

THEMES = ("light", "dark")


def site(request: HttpRequest) -> dict[str, Any]:
    role = getattr(request, "role", None)
    theme = request.COOKIES.get("theme", "")
    return {
        "club": getattr(request, "club", None),
        "season": getattr(request, "season", None),
        "campaign": getattr(request, "campaign", None),
        "role": role,
        "is_organiser": has(role, Role.ORGANISER),
        "is_commissaire": has(role, Role.COMMISSAIRE),
        "is_member": role is not None,
        "theme": theme if theme in THEMES else "",
        "demo": settings.DEMO,
    }
