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
from league.divisions import MOST_DIVISIONS, MOST_MOVERS, NAME_LENGTH, DivisionsPlan, NextPlan, Place, Proposal
from league.errors import Refused
from league.forms.fields import day_field, time_field, whole_field
from league.forms.names import TextField
from league.models import Division, Player, Round, Series, SeriesEntrant, Team
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

    bots = whole_field(gettext_lazy("More bots"), 0, MOST_BOTS, required=False, initial=0)
    level = forms.ChoiceField(label=gettext_lazy("How strong"), required=False)

    def __init__(
        self,
        *args: Any,
        series: Series,
        entrants: Sequence[SeriesEntrant],
        divisions: Sequence[Division] = (),
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.series, self.entrants, self.divisions = series, entrants, divisions
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
            if divisions:
                self.fields[f"division-{entrant.pk}"] = forms.TypedChoiceField(
                    label=_("Division of %(name)s") % {"name": entrant.name},
                    choices=[(division.pk, division.name) for division in divisions],
                    coerce=int,
                    initial=entrant.division_id,
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
    def rows(self) -> list[tuple[SeriesEntrant, Any, Any, Any]]:
        return [
            (
                entrant,
                self[f"code-{entrant.pk}"],
                self[f"gone-{entrant.pk}"],
                self[f"division-{entrant.pk}"] if self.divisions else None,
            )
            for entrant in self.entrants
        ]

    @property
    def coming(self) -> list[Any]:
        return [self[f"come-{one.pk}"] for one, _called in self.candidates]

    def plan(self) -> EntrantsPlan:
        values = self.cleaned_data
        come = [one for one, _called in self.candidates if values[f"come-{one.pk}"]]
        return EntrantsPlan(
            codes={entrant.pk: values[f"code-{entrant.pk}"] for entrant in self.entrants},
            divisions={entrant.pk: values[f"division-{entrant.pk}"] for entrant in self.entrants if self.divisions},
            gone={entrant.pk for entrant in self.entrants if values[f"gone-{entrant.pk}"]},
            teams=[one for one in come if isinstance(one, Team)],
            players=[one for one in come if isinstance(one, Player)],
            bots=[(values["level"], "")] * (values["bots"] or 0) if values["level"] else [],
        )


# ---- divisions ---------------------------------------------------------------------------------------------------------
class DivisionsForm(forms.Form):
    """What the divisions are called, the highest first, and how many move between them."""

    promoted = whole_field(
        gettext_lazy("Go up"), 0, MOST_MOVERS, gettext_lazy("From each division into the next higher one.")
    )
    relegated = whole_field(gettext_lazy("Go down"), 0, MOST_MOVERS, gettext_lazy("From each into the next lower one."))
    division_size = whole_field(
        gettext_lazy("Most in a division"),
        3,
        60,
        gettext_lazy("As many as sit at one table. More is allowed, and said."),
    )

    def __init__(self, data: Any = None, *, series: Series, divisions: Sequence[Division]) -> None:
        numbers = {name: getattr(series, name) for name in ("promoted", "relegated", "division_size")}
        super().__init__(data, initial=numbers)
        self.divisions = divisions
        for division in divisions:
            self.fields[f"name-{division.pk}"] = TextField(
                label=_("Division %(n)s") % {"n": division.order}, max_length=NAME_LENGTH, required=False,
                initial=division.name,
            )  # fmt: skip
        proposed = [] if divisions else [_("First division"), _("Second division")]
        self.more = min(3, MOST_DIVISIONS - len(divisions))
        for n in range(self.more):
            self.fields[f"come-{n}"] = TextField(
                label=_("Division %(n)s") % {"n": len(divisions) + n + 1}, max_length=NAME_LENGTH, required=False,
                initial=proposed[n] if n < len(proposed) else "",
            )  # fmt: skip

    @property
    def here(self) -> list[Any]:
        return [self[f"name-{division.pk}"] for division in self.divisions]

    @property
    def coming(self) -> list[Any]:
        return [self[f"come-{n}"] for n in range(self.more)]

    def plan(self) -> DivisionsPlan:
        values = self.cleaned_data
        return DivisionsPlan(
            names={division.pk: values[f"name-{division.pk}"] for division in self.divisions},
            come=[values[f"come-{n}"] for n in range(self.more)],
            promoted=values["promoted"],
            relegated=values["relegated"],
            division_size=values["division_size"],
        )


NOT_IN_IT = "out"
"""In the place of a division: somebody is not in the next series."""


class NextForm(forms.Form):
    """The series that follows: its name, everybody's division, and who comes in."""

    name = TextField(label=gettext_lazy("Name"), max_length=80)

    def __init__(self, data: Any = None, *, proposal: Proposal) -> None:
        super().__init__(data, initial={"name": proposal.name})
        self.proposal = proposal
        divisions = [(str(n), name) for n, name in enumerate(proposal.divisions)]
        out = (NOT_IN_IT, _("not in it"))
        for place in proposal.places:
            self.fields[f"to-{place.entrant.pk}"] = forms.ChoiceField(
                label=_("Division of %(name)s") % {"name": place.entrant.name},
                choices=[out] if place.why_not else [*divisions, out],
                initial=NOT_IN_IT if place.to is None else str(place.to),
            )
        players = [one for one in proposal.newcomers if isinstance(one, Player)]
        called = told_apart(players, proposal.season.club) if players else {}
        for one in proposal.newcomers:
            label = called[one.pk] if isinstance(one, Player) else f"{one} · {one.jersey}"
            self.fields[f"come-{one.pk}"] = forms.BooleanField(label=label, required=False)

    @property
    def ladder(self) -> list[tuple[str, list[tuple[Place, Any]]]]:
        """By proposed division its places with their fields; at the end who cannot be in it."""
        found: dict[int | None, list[tuple[Place, Any]]] = {n: [] for n in range(len(self.proposal.divisions))}
        for place in self.proposal.places:
            found.setdefault(place.to, []).append((place, self[f"to-{place.entrant.pk}"]))
        names = dict(enumerate(self.proposal.divisions))
        return [(names[n] if n is not None else "", places) for n, places in found.items()]

    @property
    def coming(self) -> list[Any]:
        return [self[f"come-{one.pk}"] for one in self.proposal.newcomers]

    def plan(self) -> NextPlan:
        values = self.cleaned_data
        chosen = {place.entrant.pk: values[f"to-{place.entrant.pk}"] for place in self.proposal.places}
        return NextPlan(
            name=values["name"],
            to={pk: None if value == NOT_IN_IT else int(value) for pk, value in chosen.items()},
            newcomers=[one for one in self.proposal.newcomers if values[f"come-{one.pk}"]],
        )


# ---- a round -----------------------------------------------------------------------------------------------------------
EACH, TOGETHER = "each", "all"


class RoundForm(forms.Form):
    """When, where and in which way; the road is the business of the game's own form."""

    number = forms.CharField(
        label=gettext_lazy("Number"), max_length=8, help_text=gettext_lazy("4, or 2a and 2b on a split evening.")
    )
    name = TextField(label=gettext_lazy("Name"), max_length=80, required=False)
    day = day_field()
    time = time_field()
    place = TextField(label=gettext_lazy("Place"), max_length=120, required=False)
    way = forms.ChoiceField(
        label=gettext_lazy("How it is ridden"),
        choices=Way.choices,
        help_text=gettext_lazy("Told on the calendar. The result goes onto the round's sheet in any case."),
    )

    def __init__(
        self, *args: Any, series: Series, divisions: Sequence[Division] = (), is_new: bool = False, **kwargs: Any
    ) -> None:
        self.zone = series.season.club.zone
        self.by_pk = {str(division.pk): division for division in divisions}
        super().__init__(*args, **kwargs)
        if divisions:
            each = [(EACH, _("Each division, a race of its own"))] if is_new else []
            self.fields["division"] = forms.ChoiceField(
                label=_("Who rides in it"),
                choices=[*each, *((pk, one.name) for pk, one in self.by_pk.items()), (TOGETHER, _("All of them, in one race"))],
                initial=EACH,
            )  # fmt: skip

    @classmethod
    def of(cls, round_: Round, data: Any = None, divisions: Sequence[Division] = ()) -> "RoundForm":
        at: datetime = round_.starts_at.astimezone(round_.series.season.club.zone)
        told = {name: getattr(round_, name) for name in ("number", "name", "place", "way")}
        told |= {"day": at.date(), "time": at.time(), "division": str(round_.division_id or TOGETHER)}
        return cls(data, series=round_.series, divisions=divisions, initial=told)

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
        return RoundPlan(setup=setup, division=self.by_pk.get(self.cleaned_data.get("division", TOGETHER)), **told)

    @property
    def is_for_each(self) -> bool:
        """Whether every division gets a round of its own."""
        return self.cleaned_data.get("division") == EACH


def setup_in(post: QueryDict, game: str) -> dict[str, str]:
    """What was chosen in the game's part of a form, and nothing else of it."""
    return {key: str(post[key]) for key in post if key.startswith(f"{game}-")}
