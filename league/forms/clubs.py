"""Forms of a club: its set-up, people, roster, seasons, teams, transfers. They read; the domain decides."""

import zoneinfo
from collections.abc import Iterable
from datetime import date
from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from league.clubs import in_words
from league.forms.names import NameField, TextField
from league.models import Club, Player, Role, Season, Team
from league.models.club import JerseyColour, JerseyPattern, name_key
from league.recount import TEAM_POINTS
from league.roster import on_roster, person, today_in, told_apart

FIRST_YEAR, LAST_YEAR = date(1900, 1, 1), date(2199, 12, 31)
MOST_PLACES, MOST_POINTS = 50, 1000


def zones() -> list[tuple[str, list[tuple[str, str]]]]:
    """Every time zone under its region, as a select shows it."""
    regions: dict[str, list[tuple[str, str]]] = {}
    for name in sorted(zoneinfo.available_timezones()):
        region, _slash, city = name.partition("/")
        if city and region not in ("Etc", "SystemV", "posix", "right"):
            regions.setdefault(region, []).append((name, city.replace("_", " ")))
    return [*regions.items(), (str(_("Everywhere")), [("UTC", "UTC")])]


class ClubForm(forms.Form):
    """What a club is called and how it tells the time."""

    name = NameField(label=_("Name"), max_length=80)
    motto = TextField(
        label=_("Motto"), max_length=120, required=False, help_text=_("One line under the name, on every page.")
    )
    time_zone = forms.ChoiceField(
        label=_("Time zone"),
        choices=zones,
        initial="Europe/Rome",
        help_text=_("Evenings keep their hour on this clock, in summer and in winter."),
        error_messages={"invalid_choice": _("%(value)s is no time zone. Choose one like Europe/Rome.")},
    )
    language = forms.ChoiceField(label=_("Language"), choices=settings.LANGUAGES, initial="en")
    is_public = forms.BooleanField(
        label=_("Open to everybody"),
        initial=True,
        required=False,
        help_text=_("Closed: only members see the pages of the club."),
    )

    @classmethod
    def of(cls, club: Club, data: Any = None) -> "ClubForm":
        return cls(data, initial={name: getattr(club, name) for name in cls.base_fields})


class PlayerChoiceField(forms.ModelChoiceField):
    """A player to choose; namesakes are told apart."""

    def offer(self, players: QuerySet[Player], club: Club) -> None:
        self.queryset = players
        self.labels = told_apart(players, club)

    def label_from_instance(self, obj: Any) -> str:
        return self.labels[obj.pk] if obj.pk in self.labels else str(obj)


class TeamOrNoneField(forms.ModelChoiceField):
    """A team to choose; to have none is an answer like any other, not a field left out."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.widget.use_required_attribute = lambda initial: False

    def clean(self, value: Any) -> Team | None:
        return None if value in self.empty_values else super().clean(value)


class InvitationForm(forms.Form):
    """Whom a link lets in, and as what."""

    role = forms.ChoiceField(label=_("As"), choices=Role, initial=Role.MEMBER)
    player = PlayerChoiceField(
        label=_("Who is"),
        queryset=Player.objects.none(),
        required=False,
        empty_label=_("nobody on the roster yet"),
        help_text=_("The player's results are linked to whoever accepts."),
        error_messages={"invalid_choice": _("Choose a player of the roster who belongs to no member yet.")},
    )
    note = TextField(
        label=_("Note"), max_length=80, required=False, help_text=_("For the organisers: who gets this link.")
    )

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["player"]
        assert isinstance(field, PlayerChoiceField)
        field.offer(on_roster(club).filter(user=None), club)


class RoleForm(forms.Form):
    """Another role; empty: out of the club."""

    role = forms.ChoiceField(choices=[("", _("out of the club")), *Role.choices], required=False)

    def role_or_none(self) -> Role | None:
        return Role(self.cleaned_data["role"]) if self.cleaned_data["role"] else None


class MemberChoiceField(forms.ModelChoiceField):
    def label_from_instance(self, obj: Any) -> str:
        return f"{person(obj)} ({obj.email})" if obj.email and person(obj) != obj.email else person(obj)


class PlayerForm(forms.Form):
    """Somebody on the roster. `another` carries the name that was asked about, so that a yes to one name is none to another."""

    name = NameField(label=_("Name"), max_length=80)
    note = TextField(
        label=_("Told apart by"),
        max_length=60,
        required=False,
        help_text=_("For namesakes: a nickname, a town, a year."),
    )
    user = MemberChoiceField(
        label=_("Member"),
        queryset=User.objects.none(),
        required=False,
        empty_label=_("no member of the club"),
        help_text=_("Who this player is when signed on."),
        error_messages={"invalid_choice": _("Choose a member of the club.")},
    )
    has_left = forms.BooleanField(
        label=_("Off the roster"),
        required=False,
        help_text=_("No longer offered for start lists and teams. What was ridden stays."),
    )
    another = forms.CharField(required=False, max_length=400, widget=forms.HiddenInput)

    def __init__(self, *args: Any, club: Club, player: Player | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        members = User.objects.filter(Q(memberships__club=club) | Q(pk=player.user_id if player else None))
        taken = club.players.filter(merged_into=None, user__isnull=False)
        if player is not None:
            taken = taken.exclude(pk=player.pk)
        field = self.fields["user"]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset = members.exclude(pk__in=taken.values("user")).distinct().order_by("first_name", "email")
        if player is None:
            del self.fields["has_left"]

    @property
    def is_another(self) -> bool:
        """Whether "this is another person" was ticked for the name as it stands now."""
        return bool(self.cleaned_data["another"]) and self.cleaned_data["another"] == name_key(
            self.cleaned_data["name"]
        )


class MergeForm(forms.Form):
    """Which two are one."""

    keep = PlayerChoiceField(
        label=_("Keep"),
        queryset=Player.objects.none(),
        empty_label=_("choose a player"),
        help_text=_("This name and address stay."),
    )
    gone = PlayerChoiceField(
        label=_("Merge into that"),
        queryset=Player.objects.none(),
        empty_label=_("choose a player"),
        help_text=_("The duplicate. Its address leads to the player who is kept."),
    )

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("keep", "gone"):
            field = self.fields[name]
            assert isinstance(field, PlayerChoiceField)
            field.offer(club.players.filter(merged_into=None).select_related("club", "user"), club)
            field.error_messages["invalid_choice"] = _("Choose a player of this club who is not merged yet.")


class PointsField(forms.CharField):
    """Points by place as a comma list, the first place first: "10, 8, 6"."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=400, required=False, **kwargs)

    def clean(self, value: Any) -> list[int]:
        text = str(super().clean(value))
        points: list[int] = []
        for place, word in enumerate((w.strip() for w in text.replace(";", ",").split(",")), 1):
            if not text.strip():
                break
            if not (word.isascii() and word.isdigit()):
                raise ValidationError(
                    _("“%(word)s” at place %(place)s is no whole number. Write the points like 10, 8, 6."),
                    code="no_number",
                    params={"word": word[:20], "place": place},
                )
            if len(word) > 6 or int(word) > MOST_POINTS:
                raise ValidationError(
                    _("%(word)s points for place %(place)s are too many: %(most)s at most."),
                    code="too_many",
                    params={"word": word[:20], "place": place, "most": MOST_POINTS},
                )
            if points and int(word) > points[-1]:
                raise ValidationError(
                    _("Place %(place)s would get %(word)s, more than the place before. Write the best place first."),
                    code="rising",
                    params={"word": int(word), "place": place},
                )
            points.append(int(word))
        if len(points) > MOST_PLACES:
            raise ValidationError(
                _("These are points for %(n)s places; %(most)s are enough."),
                code="too_many_places",
                params={"n": len(points), "most": MOST_PLACES},
            )
        return points


def day_field(label: Any, help_text: Any = "") -> forms.DateField:
    """A day, as the browser's calendar gives it."""
    return forms.DateField(
        label=label,
        help_text=help_text,
        input_formats=["%Y-%m-%d"],
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
        validators=[
            MinValueValidator(FIRST_YEAR, _("This day is too long ago.")),
            MaxValueValidator(LAST_YEAR, _("This day is too far away.")),
        ],
        error_messages={"invalid": _("This is no day. Write it like 2026-03-05.")},
    )


class SeasonForm(forms.Form):
    """From when to when, and what a place in a stage is worth."""

    name = NameField(label=_("Name"), max_length=80)
    starts_on = day_field(_("First day"))
    ends_on = day_field(_("Last day"))
    team_points = PointsField(
        label=_("Points by place"),
        initial=", ".join(map(str, TEAM_POINTS)),
        help_text=_(
            "For the season's tables of teams and players: the first, second, third ... of a stage. "
            "Empty: the usual %(points)s."
        ) % {"points": ", ".join(map(str, TEAM_POINTS))},
    )  # fmt: skip

    @classmethod
    def of(cls, season: Season, data: Any = None) -> "SeasonForm":
        initial = {"name": season.name, "starts_on": season.starts_on, "ends_on": season.ends_on}
        return cls(data, initial={**initial, "team_points": ", ".join(map(str, season.team_points or TEAM_POINTS))})

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        first, last = cleaned.get("starts_on"), cleaned.get("ends_on")
        if first and last and last < first:
            self.add_error(
                "ends_on",
                ValidationError(_("The last day is before the first. A season ends after it starts."), "order"),
            )
        return cleaned


class Jersey:
    """One of the 25 jerseys that a team may choose, drawn by the template tag like a team's."""

    def __init__(self, colour: str, pattern: str, taken_by: Team | None) -> None:
        self.colour, self.pattern, self.taken_by = colour, pattern, taken_by

    @property
    def value(self) -> str:
        return f"{self.colour}-{self.pattern}"

    @property
    def words(self) -> str:
        return in_words(self.colour, self.pattern)


class TeamForm(forms.Form):
    """A name and one of 25 jerseys, each drawn beside its radio button: what is chosen is what is seen."""

    name = NameField(label=_("Name"), max_length=60)
    jersey = forms.ChoiceField(
        label=_("Jersey"),
        choices=[(f"{c.value}-{p.value}", in_words(c, p)) for c in JerseyColour for p in JerseyPattern],
        error_messages={"required": _("Choose a jersey."), "invalid_choice": _("There is no such jersey. Choose one of these.")},
    )  # fmt: skip
    has_left = forms.BooleanField(
        label=_("The team has left"),
        required=False,
        help_text=_("It takes no more players, and its players ride without it from tomorrow. What it won stays."),
    )

    def __init__(self, *args: Any, season: Season, team: Team | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.taken = {(t.colour, t.pattern): t for t in season.teams.all() if t != team}
        if team is None:
            del self.fields["has_left"]
            if not self.is_bound:
                self.initial["jersey"] = next(
                    (j.value for _c, row in self.wardrobe() for j in row if not j.taken_by), None
                )

    def wardrobe(self) -> Iterable[tuple[str, list[Jersey]]]:
        """The jerseys by colour."""
        for colour in JerseyColour:
            yield (
                str(colour.label),
                [Jersey(colour, p, self.taken.get((colour.value, p.value))) for p in JerseyPattern],
            )

    def colour_and_pattern(self) -> tuple[str, str]:
        colour, _dash, pattern = self.cleaned_data["jersey"].partition("-")
        return colour, pattern


class TransferForm(forms.Form):
    """Who goes where, and from which day."""

    player = PlayerChoiceField(
        label=_("Player"),
        queryset=Player.objects.none(),
        empty_label=_("choose a player"),
        error_messages={"invalid_choice": _("Choose a player of the roster.")},
    )
    team = TeamOrNoneField(
        label=_("To"),
        queryset=Team.objects.none(),
        empty_label=_("no team: rides alone"),
        error_messages={"invalid_choice": _("Choose a team of this season.")},
    )
    first_day = day_field(_("From"), _("The first day in the new team. The old spell ends the day before."))

    def __init__(self, *args: Any, season: Season, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        players, teams = self.fields["player"], self.fields["team"]
        assert isinstance(players, PlayerChoiceField)
        assert isinstance(teams, TeamOrNoneField)
        players.offer(on_roster(season.club), season.club)
        teams.queryset = season.teams.filter(left_at=None)
        day = today_in(season.club)
        self.initial.setdefault("first_day", min(max(day, season.starts_on), season.ends_on))
