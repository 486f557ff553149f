"""What is typed into the chat of a race, and into a private note."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from races.chat import LONGEST_MESSAGE, LONGEST_NOTE, cleaned
from races.play import LONGEST_KEY


class TextField(forms.CharField):
    """Plain text of several lines. What is too long is refused and never cut: its author shortens it himself."""

    def __init__(self, *, longest: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.longest = longest

    def to_python(self, value: Any) -> str:
        return cleaned(super().to_python(value) or "")

    def validate(self, value: Any) -> None:
        super().validate(value)
        if len(value) > self.longest:
            raise forms.ValidationError(
                _("This has %(n)s characters, and %(most)s is the most. Your text is still here: shorten it.")
                % {"n": len(value), "most": self.longest},
                code="too_long",
            )


class MessageForm(forms.Form):
    """A message to all who watch a race."""

    text = TextField(
        longest=LONGEST_MESSAGE,
        label=gettext_lazy("Your message"),
        widget=forms.Textarea(attrs={"rows": 2}),
        error_messages={"required": gettext_lazy("Write something first.")},
    )
    key = forms.CharField(
        max_length=LONGEST_KEY,
        error_messages={"required": gettext_lazy("This form is damaged. Load the page again.")},
    )


class NoteForm(forms.Form):
    """A private note, and which change of it the page had."""

    text = TextField(
        longest=LONGEST_NOTE,
        label=gettext_lazy("Your note"),
        widget=forms.Textarea(attrs={"rows": 6}),
        required=False,
    )
    n = forms.IntegerField(min_value=0, required=False)


class HideForm(forms.Form):
    """Whether a message is hidden from now on."""

    hidden = forms.BooleanField(required=False)


class MuteForm(forms.Form):
    muted = forms.BooleanField(required=False)


class SeenForm(forms.Form):
    """How far the chat was on a page that somebody had before him."""

    n = forms.IntegerField(min_value=0)
