"""What the forms of the set-up share: numbers, days and times as they are typed, the domain's faults at their fields."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from league.campaigns import Fault


def whole_field(label: Any, low: int, high: int, help_text: Any = "", **more: Any) -> forms.IntegerField:
    """A whole number from `low` to `high`, with the keypad of a phone."""
    widget = forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"})
    return forms.IntegerField(label=label, min_value=low, max_value=high, help_text=help_text, widget=widget, **more)


def day_field() -> forms.DateField:
    """A day, as browsers send it or as people here write it."""
    return forms.DateField(
        label=gettext_lazy("Day"),
        input_formats=["%Y-%m-%d", "%d.%m.%Y", "%d/%m/%Y"],
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
        error_messages={"invalid": gettext_lazy("A day as in 2026-03-19.")},
    )


def time_field() -> forms.TimeField:
    """The time of the club's clock."""
    return forms.TimeField(
        label=gettext_lazy("Time"),
        input_formats=["%H:%M", "%H:%M:%S", "%H.%M"],
        widget=forms.TimeInput(format="%H:%M", attrs={"type": "time"}),
        error_messages={"invalid": gettext_lazy("A time as in 19:30.")},
    )


def show(form: forms.Form, faults: Iterable[Fault]) -> list[Fault]:
    """Put faults at their fields (those without one at the head of the form); the asks come back, they are no errors."""
    asks = []
    for fault in faults:
        if fault.asks:
            asks.append(fault)
        else:
            form.add_error(fault.field if fault.field in form.fields else None, fault.message)
    return asks
