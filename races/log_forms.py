"""What is typed into the pages of a log: where a practice race goes on, and the file that it begins with."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from races.lobby import LEVELS, levels
from races.models import Seat
from races.transfer import LONGEST_FILE, Sits


class SitsForm(forms.Form):
    """Where its owner sits in a practice race, and how well the bots ride."""

    seat = forms.CharField(
        label=_("Your seat"),
        max_length=40,
        required=False,
        help_text=_("The name of the seat in the log. Left empty: the first one."),
    )
    level = forms.ChoiceField(label=_("The bots ride"), choices=list(LEVELS.items()), initial="club", required=False)

    @property
    def sits(self) -> Sits:
        return Sits(seat=self.cleaned_data["seat"], level=self.cleaned_data["level"] or "club")


class RideOnForm(SitsForm):
    """The same where the race is known: its seats and the bots of its game to choose from."""

    def __init__(self, *args: Any, game: str, seats: Iterable[Seat], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["seat"] = forms.ChoiceField(
            label=_("You ride for"), choices=[(seat.name, str(seat)) for seat in seats]
        )
        have = levels(game)
        self.fields["level"] = forms.ChoiceField(
            label=_("The bots ride"), choices=have, initial="club" if "club" in dict(have) else have[0][0]
        )


class FileForm(SitsForm):
    """The log of a race as a file."""

    file = forms.FileField(
        label=_("The file"),
        help_text=_("The log of a race, as a race page gives it for download (JSON)."),
        error_messages={"required": _("Choose the file with the log.")},
    )
    field_order = ("file", "seat", "level")

    def clean_file(self) -> bytes:
        upload: Any = self.cleaned_data["file"]
        if upload.size > LONGEST_FILE:
            raise forms.ValidationError(_("The file is larger than %(most)s MB.") % {"most": LONGEST_FILE // 1_000_000})
        return bytes(upload.read())
