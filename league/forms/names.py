"""Names as people type them: any script, any length, emoji, pasted with line breaks. Stored in one form or refused."""

import unicodedata
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from league.models.club import clean_name, name_key

KEY_LENGTH = 160  # of Player.name_key: casefolding can make a name longer
# Marks that turn the direction of the text around them: a name must not turn the page it stands on.
TURNS = frozenset("\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def tidy(text: str) -> str:
    """NFC, single spaces, no control characters, no marks of direction. Everything else is as typed."""
    return clean_name("".join(c for c in text if c not in TURNS and (c.isspace() or unicodedata.category(c) != "Cc")))


class TextField(forms.CharField):
    """A line of text, tidied before it is measured."""

    def to_python(self, value: Any) -> str:
        text = super().to_python(value) or ""
        if "\x00" in text:
            return text  # refused by the field's own check
        return tidy(text)


class NameField(TextField):
    """A name: at least one letter or figure, so that somebody can be called by it."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.validators.append(callable_name)


def callable_name(name: str) -> None:
    if not any(unicodedata.category(c)[0] in "LNS" for c in name):
        raise ValidationError(_("A name needs at least one letter or figure."), code="no_letter")
    if len(name_key(name)) > KEY_LENGTH:
        raise ValidationError(_("This name is too long. Shorten it."), code="too_long")
