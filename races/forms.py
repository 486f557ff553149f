"""What is typed into the pages of a race: readable here, allowed or not by the rules."""

import json
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

LONGEST_ACTION = 4000


class TurnForm(forms.Form):
    """The answer to a decision: a big button, or what is chosen in the list, as JSON; or a question's several fields."""

    decision = forms.CharField(max_length=200)
    after = forms.IntegerField(min_value=0)
    key = forms.CharField(max_length=64)
    action = forms.CharField(max_length=LONGEST_ACTION, required=False)
    button = forms.CharField(max_length=LONGEST_ACTION, required=False)

    def clean_action(self) -> dict[str, Any] | None:
        return self._answer("action")

    def clean_button(self) -> dict[str, Any] | None:
        return self._answer("button")

    def _answer(self, name: str) -> dict[str, Any] | None:
        """The answer as JSON; None if nothing was chosen."""
        text = self.cleaned_data[name]
        if not text:
            return None
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, dict):
            raise ValidationError(_("This is no answer that a page gives. Choose again."), code="unreadable")
        return value

    @property
    def told(self) -> dict[str, Any] | None:
        """What was answered; a button goes before what is chosen in the list."""
        return self.cleaned_data["button"] or self.cleaned_data["action"]


class SingleForm(forms.Form):
    """Whether a decision with one answer is answered for the seat."""

    seat = forms.CharField(max_length=40)
    takes_single = forms.BooleanField(required=False)


class TakeBackForm(forms.Form):
    seat = forms.CharField(max_length=40)


class RewindForm(forms.Form):
    """Back to an entry, with a reason that everybody reads."""

    to = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    reason = forms.CharField(
        label=_("Why does the race go back?"),
        max_length=200,
        help_text=_("Everybody reads it in the log."),
        error_messages={"required": _("Say why the race goes back: everybody will read it.")},
    )
