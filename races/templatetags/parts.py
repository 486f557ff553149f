"""Parts of a page that hang on nothing but what they are given: the same values, the same part, put together once."""

from functools import lru_cache
from typing import Any, Final

from django import template
from django.conf import settings
from django.template.loader import get_template
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

register = template.Library()

KEPT: Final = 8192
"""Parts, each about a kilobyte, that this process keeps."""


@register.simple_tag
def part(name: str, **values: Any) -> SafeString:
    """The template `name` with these values and no others, not even the request.

    A part is found again by all that it was made from, so it is never out of date nor somebody else's. Of a value each
    text is always markup of the house or never: the two are not told apart where they say the same.
    """
    told = tuple(
        (key, type(value), tuple(value) if isinstance(value, list) else value) for key, value in values.items()
    )
    return _made(name, told) if settings.DEBUG else _kept(get_language(), name, told)


def _made(name: str, told: tuple[tuple[str, type, Any], ...]) -> SafeString:
    made = get_template(name).render({key: value for key, _kind, value in told})
    return mark_safe(made.strip())  # noqa: S308 - a template escapes


@lru_cache(maxsize=KEPT)
def _kept(language: str | None, name: str, told: tuple[tuple[str, type, Any], ...]) -> SafeString:
    return _made(name, told)
