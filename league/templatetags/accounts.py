"""The sign-on page of the demo: who may be tried, and where the mails go."""

from pathlib import Path
from typing import Any

from django import template
from django.conf import settings

register = template.Library()


@register.simple_tag
def demo_logins() -> dict[str, Any] | None:
    """The demo's logins with their one password; None where the site is not the demo."""
    if not settings.DEMO:
        return None
    from league import demo  # only a demo site needs it

    return {"logins": demo.LOGINS, "password": demo.PASSWORD}


@register.simple_tag
def mail_folder() -> Path | None:
    """Where mails are written as files; None where a mail server sends them, and outside the demo."""
    return settings.EMAIL_FILE_PATH if settings.DEMO and not settings.EMAIL_HOST else None
