"""The forms that open a stage or a round as a race."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.forms.boundfield import BoundField
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league import series_racing
from league.models import Round
from league.models.campaign import Way as RoundWay
from league.racing import ABSENT, PLAYER, Side, Start
from races.lobby import levels
from races.models import Way
from races.setups.giro import card_choices
from rules.giro.state import Clock


class StageRaceForm(forms.Form):
    """Where it is ridden, what the game leaves open, and who rides for each player."""

    way = forms.ChoiceField(
        label=gettext_lazy("Where it is ridden"), choices=Way, initial=Way.ONLINE, widget=forms.RadioSelect
    )
    cards = forms.ChoiceField(label=gettext_lazy("Special cards"), choices=card_choices)
    clock = forms.ChoiceField(
        label=gettext_lazy("The clock"),
        choices=[
            (Clock.DERIVED.value, gettext_lazy("worked out from the last move")),
            (Clock.MEASURED.value, gettext_lazy("a stopwatch at the table")),
        ],
        required=False,
    )
    token = forms.ChoiceField(
        label=gettext_lazy("Token of the peloton leader"),
        required=False,
        help_text=gettext_lazy("It stays where the last road stage left it (R-10)."),
    )

    def __init__(self, *args: Any, start: Start, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.start = start
        stage = start.stage
        if stage.way in Way.values:
            self.fields["way"].initial = stage.way
        if stage.is_time_trial:
            del self.fields["token"]
        else:
            del self.fields["clock"]
            token = self.fields["token"]
            assert isinstance(token, forms.ChoiceField)
            token.choices = [("", _("chance decides")), *((str(s.player.pk), str(s.player)) for s in start.sides)]
            token.initial = str(start.token.pk) if start.token else ""
        bots = [(level, _("bot, %(level)s") % {"level": words}) for level, words in levels(stage.campaign.game)]
        for side in start.sides:
            user = side.player.user
            himself = _("rides, and sits at once") if user else _("rides, and comes by the link")
            self.fields[f"seat{side.player.pk}"] = forms.ChoiceField(
                label=str(side.player),
                choices=[(PLAYER, himself), (_("A bot"), bots), (ABSENT, _("stays away: DNS"))],
                initial=PLAYER,
            )

    @property
    def rows(self) -> list[tuple[Side, BoundField]]:
        """The players clockwise, each with the field that says who rides for him."""
        return [(side, self[f"seat{side.player.pk}"]) for side in self.start.sides]

    def clean(self) -> dict[str, Any]:
        values = self.cleaned_data
        if values.get("clock") == Clock.MEASURED.value and values.get("way") == Way.ONLINE:
            self.add_error("clock", _("On the site nobody holds a stopwatch: let it be worked out."))
        return values

    def told(self) -> dict[str, Any]:
        """The arguments of `racing.open_race`."""
        values = self.cleaned_data
        holder = next((s.player for s in self.start.sides if str(s.player.pk) == values.get("token")), None)
        return {
            "way": values["way"],
            "cards": values["cards"],
            "clock": values.get("clock") or Clock.DERIVED.value,
            "token": holder,
            "riding": {side.player.pk: values[f"seat{side.player.pk}"] for side in self.start.sides},
        }


class RoundRaceForm(forms.Form):
    """Where a round is ridden, and who rides for each entrant."""

    way = forms.ChoiceField(
        label=gettext_lazy("Where it is ridden"), choices=Way, initial=Way.ONLINE, widget=forms.RadioSelect
    )

    def __init__(self, *args: Any, round_: Round, sides: Sequence[series_racing.Side], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.sides = sides
        if round_.way != RoundWay.PAPER:
            self.fields["way"].initial = round_.way
        bots = [(level, _("bot, %(level)s") % {"level": words}) for level, words in levels(round_.series.game)]
        for side in sides:
            self.fields[f"seat{side.entrant.pk}"] = forms.ChoiceField(
                label=side.entrant.name, choices=[*self._people(side), (_("A bot"), bots), (ABSENT, _("stays away"))],
                initial=side.entrant.bot or (str(side.players[0].pk) if side.entrant.player else PLAYER),
            )  # fmt: skip

    @staticmethod
    def _people(side: series_racing.Side) -> list[tuple[str, str]]:
        """Who may sit there: nobody of flesh for a bot of the series."""
        if side.entrant.is_bot:
            return []
        sits = _("%(player)s rides, and sits at once")
        comes = _("%(player)s rides, and comes by the link")
        named = [(str(p.pk), (sits if p.user else comes) % {"player": p}) for p in side.players]
        return named if side.entrant.player else [(PLAYER, _("whoever comes by the link")), *named]

    @property
    def rows(self) -> list[tuple[series_racing.Side, BoundField]]:
        """The entrants, each with the field that says who rides for it."""
        return [(side, self[f"seat{side.entrant.pk}"]) for side in self.sides]

    def told(self) -> dict[str, Any]:
        """The arguments of `series_racing.open_race`."""
        riding = {side.entrant.pk: self.cleaned_data[f"seat{side.entrant.pk}"] for side in self.sides}
        return {"way": self.cleaned_data["way"], "riding": riding}
