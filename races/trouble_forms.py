"""The form that mends a race in trouble."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from races.lobby import levels
from races.trouble import Mend


class MendForm(forms.Form):
    """What is to be done, and what that needs."""

    do = forms.ChoiceField(choices=[(mend.value, mend.value) for mend in Mend if mend is not Mend.REWIND])
    seat = forms.CharField(max_length=40, required=False)
    bot = forms.ChoiceField(label=gettext_lazy("Which bot"), required=False)
    reason = forms.CharField(label=gettext_lazy("Why"), max_length=200, required=False)

    def __init__(self, *args: Any, game: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        bot = self.fields["bot"]
        assert isinstance(bot, forms.ChoiceField)
        bot.choices = levels(game)

    @property
    def mend(self) -> Mend:
        return Mend(self.cleaned_data["do"])

    def clean(self) -> dict[str, Any]:
        values = self.cleaned_data
        match values.get("do"):
            case Mend.ABANDON if not values.get("reason") and "reason" not in self.errors:
                self.add_error("reason", _("Say why the race is abandoned: everybody will read it."))
            case Mend.BOT if not values.get("seat"):
                self.add_error(None, _("Say in which seat."))
            case Mend.BOT if not values.get("bot") and "bot" not in self.errors:
                self.add_error("bot", _("Choose a bot."))
        return values
