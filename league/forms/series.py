"""Forms of a points series: its rules, its entrants, a round. They read; the domain decides."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league import stages
from league.errors import Refused
from league.forms.fields import whole_field
from league.forms.names import TextField
from league.models import Player, Round, Series, SeriesEntrant, Team
from league.models.campaign import Way
from league.models.series import Counting, Entered, usual_points
from league.roster import kept, on_roster, told_apart
from league.round_sheets import games
from league.series import EntrantsPlan, RoundPlan, SeriesPlan
from races.lobby import levels

MOST_BOTS = 9  # that come in by one form


# ---- the series --------------------------------------------------------------------------------------------------------
class PointsField(forms.CharField):
    """Whole numbers from the first place down, as in 10, 7, 5."""

    def clean(self, value: Any) -> list[int]:
        parts = re.split(r"[\s,;-]+", super().clean(value).strip(" ,;-"))
        if len(parts) > 100 or not all(part.isascii() and part.isdigit() and len(part) <= 5 for part in parts):
            raise forms.ValidationError(_("Whole numbers from the first place down, as in 10, 7, 5, 4."))
        return [int(part) for part in parts]


class SeriesForm(forms.Form):
    """Name, game and how it is counted."""

    name = TextField(label=gettext_lazy("Name"), max_length=80)
    slug = forms.CharField(
        label=gettext_lazy("Address"),
        max_length=40,
        required=False,
        help_text=gettext_lazy("The last word of the page's address. Empty: made from the name."),
        widget=forms.TextInput(attrs={"autocapitalize": "none", "spellcheck": "false"}),
    )
    game = forms.ChoiceField(label=gettext_lazy("Game"), choices=games)
    entered = forms.ChoiceField(
        label=gettext_lazy("A line of the table"), choices=Entered.choices, initial=Entered.PLAYERS.value
    )
    counting = forms.ChoiceField(
        label=gettext_lazy("Counted"),
        choices=Counting.choices,
        initial=Counting.POINTS.value,
        help_text=gettext_lazy(
            "By time nothing is dropped, and the points below are not used. It stays from the first result on."
        ),
    )
    points = PointsField(
        label=gettext_lazy("Points by place"),
        max_length=300,
        initial=lambda: ", ".join(map(str, usual_points())),
        help_text=gettext_lazy("For the first, second, third ... of a round. Shared places share their points."),
    )
    bonus = whole_field(
        gettext_lazy("Bonus"),
        0,
        1000,
        gettext_lazy("For whoever has most points on the intermediate sprints, alone. 0: none."),
        initial=1,
    )
    drop_one_in = whole_field(
        gettext_lazy("One result dropped in"),
        2,
        99,
        gettext_lazy("4: of four results the best three count, of eight the best six. Empty: all count."),
        required=False,
        initial=4,
    )

    @classmethod
    def of(cls, series: Series, data: Any = None) -> "SeriesForm":
        told = {
            name: getattr(series, name)
            for name in ("name", "slug", "game", "entered", "counting", "bonus", "drop_one_in")
        }
        return cls(data, initial=told | {"points": ", ".join(map(str, series.points))})

    def plan(self) -> SeriesPlan:
        return SeriesPlan(**self.cleaned_data)


# ---- entrants ----------------------------------------------------------------------------------------------------------
class EntrantsForm(forms.Form):
    """Who is in with which letters, who goes, who comes."""

    bots = whole_field(gettext_lazy("Bots more"), 0, MOST_BOTS, required=False, initial=0)
    level = forms.ChoiceField(label=gettext_lazy("How strong"), required=False)

    def __init__(self, *args: Any, series: Series, entrants: Sequence[SeriesEntrant], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.series, self.entrants = series, entrants
        level = self.fields["level"]
        assert isinstance(level, forms.ChoiceField)
        level.choices = levels(series.game)
        level.initial = level.choices[-1][0] if level.choices else ""
        for entrant in entrants:
            self.fields[f"code-{entrant.pk}"] = forms.CharField(
                label=_("Letters of %(name)s") % {"name": entrant.name}, max_length=3, initial=entrant.code
            )
            self.fields[f"gone-{entrant.pk}"] = forms.BooleanField(
                label=_("rides no more"), required=False, initial=entrant.left_at is not None
            )
        self.candidates = self._candidates()
        for one, called in self.candidates:
            self.fields[f"come-{one.pk}"] = forms.BooleanField(label=called, required=False)

    def _candidates(self) -> list[tuple[Team | Player, str]]:
        season = self.series.season
        if self.series.entered == Entered.TEAMS:
            have = {entrant.team_id for entrant in self.entrants}
            return [(t, f"{t} · {t.jersey}") for t in season.teams.filter(left_at=None) if t.pk not in have]
        taken = {kept(entrant.player).pk for entrant in self.entrants if entrant.player}
        players = [player for player in on_roster(season.club) if player.pk not in taken]
        called = told_apart(players, season.club)
        return [(player, called[player.pk]) for player in players]

    @property
    def rows(self) -> list[tuple[SeriesEntrant, Any, Any]]:
        return [(entrant, self[f"code-{entrant.pk}"], self[f"gone-{entrant.pk}"]) for entrant in self.entrants]

    @property
    def coming(self) -> list[Any]:
        return [self[f"come-{one.pk}"] for one, _called in self.candidates]

    def plan(self) -> EntrantsPlan:
        values = self.cleaned_data
        come = [one for one, _called in self.candidates if values[f"come-{one.pk}"]]
        return EntrantsPlan(
            codes={entrant.pk: values[f"code-{entrant.pk}"] for entrant in self.entrants},
            gone={entrant.pk for entrant in self.entrants if values[f"gone-{entrant.pk}"]},
            teams=[one for one in come if isinstance(one, Team)],
            players=[one for one in come if isinstance(one, Player)],
            bots=[(values["level"], "")] * (values["bots"] or 0) if values["level"] else [],
        )


# ---- a round -----------------------------------------------------------------------------------------------------------
class RoundForm(forms.Form):
    """When, where and in which way; the road is the business of the game's own form."""

    number = forms.CharField(
        label=gettext_lazy("Number"), max_length=8, help_text=gettext_lazy("4, or 2a and 2b on a split evening.")
    )
    name = TextField(label=gettext_lazy("Name"), max_length=80, required=False)
    day = forms.DateField(
        label=gettext_lazy("Day"),
        input_formats=["%Y-%m-%d", "%d.%m.%Y", "%d/%m/%Y"],
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
        error_messages={"invalid": gettext_lazy("A day as in 2026-03-19.")},
    )
    time = forms.TimeField(
        label=gettext_lazy("Time"),
        input_formats=["%H:%M", "%H:%M:%S", "%H.%M"],
        widget=forms.TimeInput(format="%H:%M", attrs={"type": "time"}),
        error_messages={"invalid": gettext_lazy("A time as in 19:30.")},
    )
    place = TextField(label=gettext_lazy("Place"), max_length=120, required=False)
    way = forms.ChoiceField(
        label=gettext_lazy("How it is ridden"),
        choices=Way.choices,
        help_text=gettext_lazy("Told on the calendar. The result goes onto the round's sheet in any case."),
    )

    def __init__(self, *args: Any, series: Series, **kwargs: Any) -> None:
        self.zone = series.season.club.zone
        super().__init__(*args, **kwargs)

    @classmethod
    def of(cls, round_: Round, data: Any = None) -> "RoundForm":
        at: datetime = round_.starts_at.astimezone(round_.series.season.club.zone)
        told = {name: getattr(round_, name) for name in ("number", "name", "place", "way")}
        return cls(data, series=round_.series, initial=told | {"day": at.date(), "time": at.time()})

    def clean(self) -> dict[str, Any]:
        values = self.cleaned_data
        if "day" in values and "time" in values:
            try:
                values["starts_at"] = stages.evening(values["day"], values["time"], self.zone)
            except Refused as refusal:
                self.add_error("time", str(refusal))
        return values

    def plan(self, setup: Mapping[str, str]) -> RoundPlan:
        told = {name: self.cleaned_data[name] for name in ("number", "name", "place", "way", "starts_at")}
        return RoundPlan(setup=setup, **told)


def setup_in(post: QueryDict, game: str) -> dict[str, str]:
    """What was chosen in the game's part of a form, and nothing else of it."""
    return {key: str(post[key]) for key in post if key.startswith(f"{game}-")}
