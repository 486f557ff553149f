"""Forms of making and joining a race."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from django import forms
from django.forms.boundfield import BoundField
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from races.lobby import LONGEST_NAME, ME, OPEN, SEAT_NAMES, Place, cleaned, levels
from races.models import Seat, Way


class NameField(forms.CharField):
    """What somebody is called in a race."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=LONGEST_NAME, **kwargs)

    def clean(self, value: Any) -> str:
        return cleaned(super().clean(value))


PROPOSED_LEVEL = "club"


class Row(NamedTuple):
    """The fields of one seat."""

    name: str
    who: BoundField
    called: BoundField


class RaceForm(forms.Form):
    """What every race is asked, whatever its game: title, way, who may watch, who sits where."""

    SHOWN = 4  # seats that are not folded away

    title = forms.CharField(
        label=gettext_lazy("Title"),
        max_length=80,
        required=False,
        help_text=gettext_lazy("Empty: the name of the course."),
    )
    way = forms.ChoiceField(
        label=gettext_lazy("Where it is ridden"),
        choices=Way,
        initial=Way.ONLINE,
        widget=forms.RadioSelect,
    )
    is_public = forms.BooleanField(label=gettext_lazy("Anybody may watch, and find it in the list"), required=False)

    def __init__(self, *args: Any, game: str, most: int, bots: int = 0, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.most = min(most, len(SEAT_NAMES))
        choices = [
            ("", _("nobody: no such seat")),
            (ME, _("me")),
            (OPEN, _("free, for somebody else")),
            (_("A bot"), [(level, _("bot, %(level)s") % {"level": words}) for level, words in levels(game)]),
        ]
        first = {0: ME, 1: OPEN} | dict.fromkeys(range(2, 2 + bots), PROPOSED_LEVEL)
        for n, seat in enumerate(SEAT_NAMES[: self.most]):
            self.fields[f"seat{seat}"] = forms.ChoiceField(
                label=_("Seat %(seat)s") % {"seat": seat}, choices=choices, required=False, initial=first.get(n, "")
            )
            self.fields[f"name{seat}"] = NameField(label=_("Name at the table"), required=False)

    @property
    def rows(self) -> Iterator[Row]:
        for seat in SEAT_NAMES[: self.most]:
            yield Row(seat, self[f"seat{seat}"], self[f"name{seat}"])

    @property
    def shown_rows(self) -> list[Row]:
        return list(self.rows)[: self.SHOWN]

    @property
    def folded_rows(self) -> list[Row]:
        return list(self.rows)[self.SHOWN :]

    @property
    def unfolds(self) -> bool:
        """A folded seat is used."""
        return any(row.who.value() for row in self.folded_rows)

    def clean_title(self) -> str:
        return " ".join(self.cleaned_data["title"].split())

    def clean(self) -> dict[str, Any]:
        values = self.cleaned_data
        if not self.places:
            self.add_error(None, _("A race needs somebody who rides: give at least one seat to somebody."))
        names = [place.name.casefold() for place in self.places if place.name]
        if len(set(names)) < len(names):
            self.add_error(None, _("Two seats have one name. Give them names that tell them apart."))
        return values

    @property
    def places(self) -> list[Place]:
        """The seats that are used, clockwise. A name counts where nobody of the site says his own."""
        values = self.cleaned_data
        told = [(values.get(f"seat{seat}") or "", values.get(f"name{seat}") or "") for seat in SEAT_NAMES[: self.most]]
        table = values.get("way") == Way.REFEREED
        return [Place(who=who, name=name if table else "") for who, name in told if who]

    @property
    def online(self) -> bool:
        return self.cleaned_data.get("way") == Way.ONLINE


class JoinForm(forms.Form):
    """Which of the free seats, and what a guest is called."""

    seat = forms.ChoiceField(label=gettext_lazy("Your seat"), widget=forms.RadioSelect)
    name = NameField(
        label=gettext_lazy("Your name"),
        help_text=gettext_lazy("What the others call you in this race."),
        widget=forms.TextInput(attrs={"autocomplete": "nickname"}),
    )

    def __init__(self, *args: Any, seats: Iterable[Seat], is_guest: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        seats = list(seats)
        field = self.fields["seat"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(seat.name, _shown(seat)) for seat in seats]
        field.error_messages["invalid_choice"] = _("This seat is taken by now. Choose another.")
        if len(seats) == 1:
            field.initial = seats[0].name
        if not is_guest:
            del self.fields["name"]

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if not name:
            raise forms.ValidationError(_("The others need a name to call you by."))
        return name


def _shown(seat: Seat) -> str:
    """A seat in a list to choose from."""
    riders = ", ".join(f"{rider.get('bib', '')} {rider.get('name', '')}".strip() for rider in seat.riders.values())
    label = seat.label or _("Seat %(seat)s") % {"seat": seat.name}
    return f"{label} ({riders})" if riders else label


class ReasonForm(forms.Form):
    """Why: everybody will read it."""

    reason = forms.CharField(
        label=gettext_lazy("Why"),
        max_length=200,
        error_messages={"required": gettext_lazy("Say why: everybody will read it.")},
    )
