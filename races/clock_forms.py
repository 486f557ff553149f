"""Forms of clocks, absence and notices."""

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any
from zoneinfo import available_timezones

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from races import webhooks
from races.lobby import levels
from races.models import Clock, ClockKind, Policy, Reach

UNITS = {"minutes": 1, "hours": 60, "days": 24 * 60}
LONGEST = 366 * UNITS["days"]
NONE = "none"


class ClockForm(forms.Form):
    """The clock of a race, or none."""

    kind = forms.ChoiceField(label=gettext_lazy("Time"), widget=forms.RadioSelect)
    amount = forms.IntegerField(
        label=gettext_lazy("How much"),
        help_text=gettext_lazy("Needed unless there is no clock."),
        min_value=1,
        max_value=10_000,
        required=False,
    )
    unit = forms.ChoiceField(
        label=gettext_lazy("Unit"),
        choices=[
            ("minutes", gettext_lazy("minutes")),
            ("hours", gettext_lazy("hours")),
            ("days", gettext_lazy("days")),
        ],
        initial="hours",
    )
    increment = forms.IntegerField(
        label=gettext_lazy("Minutes more for each decision"),
        help_text=gettext_lazy("Of a budget only: so that whoever has used it up can still ride."),
        min_value=0,
        max_value=LONGEST,
        required=False,
    )
    policy = forms.ChoiceField(
        label=gettext_lazy("When somebody's time is up"),
        choices=Policy,
        widget=forms.RadioSelect,
        initial=Policy.DECIDE,
    )
    bot = forms.ChoiceField(label=gettext_lazy("Which bot"), required=False)
    vacation_days = forms.IntegerField(
        label=gettext_lazy("Days of vacation that stop a rider's clock"), min_value=0, max_value=366, initial=14
    )

    def __init__(self, data: Mapping[str, Any] | None, *, game: str, clock: Clock | None, prefix: str = "") -> None:
        super().__init__(data, initial=initial_of(clock), prefix=prefix or None)
        kind, bot = self.fields["kind"], self.fields["bot"]
        assert isinstance(kind, forms.ChoiceField)
        assert isinstance(bot, forms.ChoiceField)
        kind.choices = [(NONE, _("no clock")), *ClockKind.choices]
        bot.choices = [("", _("the answer that the rules name")), *levels(game)]

    def clean(self) -> dict[str, Any]:
        values = self.cleaned_data
        if values.get("kind") == NONE:
            self.errors.clear()  # what stands beside it does not count
            return values
        if "kind" in self.errors:
            return values
        amount, unit = values.get("amount"), values.get("unit")
        if amount is None and "amount" not in self.errors:
            self.add_error("amount", _("Say how much time there is."))
        elif amount is not None and unit is not None and amount * UNITS[unit] > LONGEST:
            self.add_error("amount", _("A year at most."))
        return values

    @property
    def values(self) -> dict[str, Any] | None:
        """Fields of `Clock`; None for none."""
        values = self.cleaned_data
        if values["kind"] == NONE:
            return None
        is_budget = values["kind"] == ClockKind.BUDGET
        return {
            "kind": values["kind"],
            "minutes": values["amount"] * UNITS[values["unit"]],
            "increment": (values["increment"] or 0) if is_budget else 0,
            "policy": values["policy"],
            "bot": values["bot"],
            "vacation_days": values["vacation_days"],
        }


FIRST = Clock(kind=ClockKind.DECISION, minutes=2 * UNITS["days"], policy=Policy.DECIDE, bot="club")
"""What a new race is offered: nobody is hurried, and nobody who stays away stops the others."""


class FirstClockForm(ClockForm):
    """The clock that a new race begins with. `wanted` is false at a table: there nobody's time is taken."""

    def __init__(self, data: Mapping[str, Any] | None, *, game: str, wanted: bool = True) -> None:
        super().__init__(data, game=game, clock=FIRST, prefix="clock")
        self.wanted = wanted
        self.fields["kind"].required = False  # who says nothing of a clock wants none

    def clean(self) -> dict[str, Any]:
        if not self.wanted or self.cleaned_data.get("kind") == "":
            self.cleaned_data["kind"] = NONE
        return super().clean()


def initial_of(clock: Clock | None) -> dict[str, Any]:
    if clock is None:
        return {"kind": NONE}
    unit = next(unit for unit in reversed(UNITS) if clock.minutes % UNITS[unit] == 0)
    return {
        "kind": clock.kind,
        "amount": clock.minutes // UNITS[unit],
        "unit": unit,
        "increment": clock.increment,
        "policy": clock.policy,
        "bot": clock.bot,
        "vacation_days": clock.vacation_days,
    }


class PauseForm(forms.Form):
    reason = forms.CharField(label=gettext_lazy("Why"), max_length=200, required=False)


class AwayForm(forms.Form):
    """From the morning of one day to the night of another, in his own zone."""

    first = forms.DateField(label=gettext_lazy("First day"), widget=forms.DateInput(attrs={"type": "date"}))
    last = forms.DateField(label=gettext_lazy("Last day"), widget=forms.DateInput(attrs={"type": "date"}))

    def clean(self) -> dict[str, Any]:
        first, last = self.cleaned_data.get("first"), self.cleaned_data.get("last")
        if first and last and last < first:
            self.add_error("last", _("The last day is before the first."))
        if last and last > date.max - timedelta(days=366):
            self.add_error("last", _("That day is too far away."))
        return self.cleaned_data


class ReachForm(forms.ModelForm):
    """How somebody is told that it is his move."""

    webhook = forms.URLField(
        label=gettext_lazy("Webhook (Discord, Slack)"),
        help_text=gettext_lazy("An https address; it gets a line of text: which race waits, and its link."),
        max_length=500,
        required=False,
        assume_scheme="https",
    )
    zone = forms.ChoiceField(label=gettext_lazy("Your time zone"))

    class Meta:
        model = Reach
        fields = ("mail", "webhook", "minutes", "zone")
        labels = {
            "mail": gettext_lazy("Mail me when it is my move"),
            "minutes": gettext_lazy("Minutes to wait before"),
        }
        help_texts = {
            "minutes": gettext_lazy("Whoever rides within that time is not told."),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        zone, minutes = self.fields["zone"], self.fields["minutes"]
        assert isinstance(zone, forms.ChoiceField)
        assert isinstance(minutes, forms.IntegerField)
        zone.choices = [(name, name.replace("_", " ")) for name in sorted(available_timezones())]
        minutes.max_value = 7 * UNITS["days"]

    def clean_webhook(self) -> str:
        address: str = self.cleaned_data["webhook"]
        if address and (fault := webhooks.fault_of(address)):
            raise forms.ValidationError(fault)
        return address

    def clean_minutes(self) -> int:
        minutes: int = self.cleaned_data["minutes"]
        if minutes > 7 * UNITS["days"]:
            raise forms.ValidationError(_("A week at most."))
        return minutes
