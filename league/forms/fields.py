"""What the forms of the set-up share: whole numbers as they are typed, and the domain's faults at their fields."""

from collections.abc import Iterable
from typing import Any

from django import forms

from league.campaigns import Fault


def whole_field(label: Any, low: int, high: int, help_text: Any = "", **more: Any) -> forms.IntegerField:
    """A whole number from `low` to `high`, with the keypad of a phone."""
    widget = forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"})
    return forms.IntegerField(label=label, min_value=low, max_value=high, help_text=help_text, widget=widget, **more)


def show(form: forms.Form, faults: Iterable[Fault]) -> list[Fault]:
    """Put faults at their fields (those without one at the head of the form); the asks come back, they are no errors."""
    asks = []
    for fault in faults:
        if fault.asks:
            asks.append(fault)
        else:
            form.add_error(fault.field if fault.field in form.fields else None, fault.message)
    return asks
