"""Forms of the set-up: a campaign's options, its start list, a stage."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Any

from django import forms
from django.core.validators import RegexValidator
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from league import stages as stages_of
from league.campaigns import CampaignPlan, Fault, is_public
from league.courses import course_groups, pasted
from league.errors import Refused
from league.forms.fields import day_field, time_field, whole_field
from league.library import usable
from league.models import Campaign, Player, Rider, Stage, Team
from league.models.campaign import Speciality, StageKind, Way
from league.roster import told_apart
from league.stages import LONGEST_COURSE, MOST_FEED_ZONES, MOST_MILESTONES, StagePlan, said
from league.startlist import Line
from rules.errors import RulesError
from rules.giro import data
from rules.giro.course import Course, start_energy
from rules.giro.notation import LONGEST_TEXT, plan_from_json

NOTATION, NUMBERS = "notation", "numbers"  # beside the ids of the built-in courses
OF_CLUB = "club:"  # before the address of a course in the club's library


# ---- the campaign ----------------------------------------------------------------------------------------------------
class CampaignForm(forms.Form):
    """Name, address and the options of the game."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=80)
    slug = forms.CharField(
        label=gettext_lazy("Address"),
        max_length=40,
        required=False,
        help_text=gettext_lazy("The last word of the page's address. Empty: made from the name."),
        validators=[
            RegexValidator(
                r"\A[a-z0-9]+(?:-[a-z0-9]+)*\Z",
                gettext_lazy("Small letters, figures and hyphens between them, as in giro-dinverno."),
            )
        ],
        widget=forms.TextInput(attrs={"autocapitalize": "none", "spellcheck": "false"}),
    )
    riders_per_player = whole_field(
        gettext_lazy("Riders per player"),
        1,
        3,
        gettext_lazy("1 to 3, the same for all; 12 riders in a race at most (E12)."),
    )
    gc_loop = whole_field(
        gettext_lazy("Squares of the GC track"),
        data.GC_LOOP_ALLOWED.start,
        data.GC_LOOP_ALLOWED.stop - 1,
        gettext_lazy("12 to 30, 18 is usual. Who is that many behind the first is lapped and out (GI-D1-04)."),
    )
    stage_win = whole_field(
        gettext_lazy("Stage win"),
        0,
        9,
        gettext_lazy("Squares forward on the GC track for winning a road stage (GI-D1-01)."),
    )
    bonus = whole_field(
        gettext_lazy("Bonus sprint"), 0, 9, gettext_lazy("Squares forward for the first over a bonus line (GI-D2-01).")
    )
    time_limit = whole_field(
        gettext_lazy("Time limit"),
        0,
        20,
        gettext_lazy("Who needs more turns than that after the peloton is out (GI-F-05)."),
    )
    cap_road = whole_field(
        gettext_lazy("Kept after a road stage"),
        0,
        99,
        gettext_lazy("Energy that a rider takes into the next stage, at most (GI-D4-01)."),
    )
    cap_time_trial = whole_field(
        gettext_lazy("Kept after a time trial"),
        0,
        99,
        gettext_lazy("The same out of a time trial, individual or team (GI-D4-01)."),
    )
    team_classification = forms.BooleanField(
        label=gettext_lazy("Team classification"),
        required=False,
        help_text=gettext_lazy("Our own: the turns of each team's best riders, added up."),
    )
    team_count = whole_field(
        gettext_lazy("Riders who count for a team"),
        1,
        3,
        gettext_lazy("Empty: three, or as many as the smallest team has at the start."),
        required=False,
    )

    def plan(self) -> CampaignPlan:
        return CampaignPlan(**self.cleaned_data)


# ---- the start list --------------------------------------------------------------------------------------------------
class RowForm(forms.Form):
    """One line of the start list, or an empty one."""

    rider = forms.IntegerField(required=False, min_value=1, max_value=2**62, widget=forms.HiddenInput)
    bib = whole_field(gettext_lazy("Bib"), 1, 999, required=False)
    name = forms.CharField(label=gettext_lazy("Rider"), max_length=80, required=False)
    speciality = forms.ChoiceField(label=gettext_lazy("Speciality"), required=False)
    player = forms.ChoiceField(label=pgettext_lazy("person at the table", "Player"), required=False)
    team = forms.ChoiceField(label=gettext_lazy("Jersey"), required=False)
    remove = forms.BooleanField(label=gettext_lazy("Take off"), required=False)

    def __init__(self, *args: Any, choices: Mapping[str, Sequence[tuple[Any, Any]]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, of_field in choices.items():
            self.fields[name].choices = of_field  # type: ignore[attr-defined]
        for field in self.fields.values():
            field.error_messages["invalid_choice"] = _("This is not in the list any more. Choose again.")
        self.asks: list[str] = []

    def clean(self) -> dict[str, Any]:
        values = self.cleaned_data
        if not self.is_blank and not values.get("remove"):
            needed = {
                "bib": _("A bib is missing."),
                "name": _("The rider needs a name."),
                "speciality": _("Choose rouleur, leader or climber."),
                "player": _("Choose who plays him."),
            }
            for name, message in needed.items():
                if name not in self.errors and values.get(name) in (None, ""):
                    self.add_error(name, message)
        return values

    @property
    def is_blank(self) -> bool:
        """Nobody wrote anything into it."""
        return not any(self[name].value() for name in ("rider", "bib", "name", "player", "team"))

    @property
    def is_stored(self) -> bool:
        return bool(self["rider"].value())


RowText = dict[str, str]  # a row as typed


class StartListForm:
    """All lines of the start list on one page. It is filled from the stored riders, or from what somebody typed."""

    EMPTY_LINES = 3
    MOST_ROWS = 40

    def __init__(
        self, campaign: Campaign, riders: Sequence[Rider], rows: Sequence[RowText] | None = None, *, check: bool = False
    ) -> None:
        self.campaign = campaign
        self.players = self._players(riders)
        self.called = told_apart(self.players.values(), self.campaign.season.club)  # namesakes with team and last race
        self.teams = self._teams(riders)
        self.errors: list[str] = []
        self.asks: list[str] = []
        typed = [row_of(rider) for rider in riders] if rows is None else list(rows[: self.MOST_ROWS])
        choices = self._choices()
        self.rows = [
            RowForm({f"row{n}-{key}": value for key, value in row.items()}, prefix=f"row{n}", choices=choices)
            if check
            else RowForm(initial=row, prefix=f"row{n}", choices=choices)
            for n, row in enumerate(typed)
        ]

    @staticmethod
    def typed(post: QueryDict) -> list[RowText]:
        """The rows of a submission, as text."""
        try:
            count = min(int(post.get("rows", "0")), StartListForm.MOST_ROWS)
        except ValueError:
            count = 0
        names = list(RowForm.base_fields)
        return [{name: str(post[f"row{n}-{name}"]) for name in names if f"row{n}-{name}" in post} for n in range(count)]

    @staticmethod
    def with_empty_lines(rows: Sequence[RowText], more: int = EMPTY_LINES) -> list[RowText]:
        """The rows that say something, and some to write on."""
        filled = [row for row in rows if any(row.get(name) for name in ("rider", "bib", "name", "player", "team"))]
        return [*filled, *({} for _n in range(more))]

    def _players(self, riders: Sequence[Rider]) -> dict[str, Player]:
        roster = Player.objects.filter(club=self.campaign.season.club, merged_into=None, left_at=None)
        return {str(player.pk): player for player in [*roster, *(rider.player for rider in riders)]}

    def _teams(self, riders: Sequence[Rider]) -> dict[str, Team]:
        of_season = Team.objects.filter(season=self.campaign.season, left_at=None)
        return {str(team.pk): team for team in [*of_season, *(rider.team for rider in riders if rider.team)]}

    def _choices(self) -> dict[str, Sequence[tuple[Any, Any]]]:
        return {
            "speciality": [("", "—"), *Speciality.choices],
            "player": [("", "—"), *((pk, self.called[player.pk]) for pk, player in self.players.items())],
            "team": [("", _("the player's team")), *((pk, f"{t} · {t.jersey}") for pk, t in self.teams.items())],
        }

    def is_valid(self) -> bool:
        """Whether every line can be read; what is allowed is for the domain to say."""
        return not [row for row in self.rows if not row.is_valid()]  # each is asked, so that each says its faults

    @property
    def lines(self) -> list[tuple[int, Line]]:
        """The readable lines, each with the number of its row."""
        out = []
        for n, row in enumerate(self.rows):
            values = row.cleaned_data
            if row.is_blank or values["remove"]:
                continue
            line = Line(
                bib=values["bib"],
                name=values["name"],
                speciality=values["speciality"],
                player=self.players[values["player"]],
                team=self.teams.get(values["team"]),
                rider=values["rider"],
            )
            out.append((n, line))
        return out

    @property
    def removed(self) -> list[int]:
        return [
            row.cleaned_data["rider"] for row in self.rows if row.cleaned_data["remove"] and row.cleaned_data["rider"]
        ]

    def show(self, faults: Iterable[Fault]) -> None:
        """Put what the domain found at the lines that it is about."""
        rows = [n for n, _line in self.lines]
        of_rider = {row.cleaned_data.get("rider"): row for row in self.rows}
        for fault in faults:
            row = (
                self.rows[rows[fault.line]]
                if fault.line is not None
                else of_rider.get(fault.rider)
                if fault.rider
                else None
            )
            if fault.asks:
                (row.asks if row else self.asks).append(fault.message)
            elif row is None:
                self.errors.append(fault.message)
            else:
                row.add_error(
                    fault.field if fault.field in row.fields and fault.field != "rider" else None, fault.message
                )

    @property
    def has_asks(self) -> bool:
        return bool(self.asks) or any(row.asks for row in self.rows)

    @property
    def fault_count(self) -> int:
        return len(self.errors) + sum(
            len(errors) for row in self.rows if row.is_bound for errors in row.errors.values()
        )


def row_of(item: Rider | Line) -> RowText:
    """A line as it stands in the form."""
    rider = item.pk if isinstance(item, Rider) else item.rider
    return {
        "rider": str(rider or ""),
        "bib": str(item.bib),
        "name": item.name,
        "speciality": str(item.speciality),
        "player": str(item.player.pk),
        "team": str(item.team.pk) if item.team else "",
    }


# ---- a stage ---------------------------------------------------------------------------------------------------------
class ColumnsField(forms.CharField):
    """Whole numbers with commas between them, as in "20, 35"."""

    def clean(self, value: Any) -> list[int]:
        text = super().clean(value)
        parts = [part for part in text.replace(";", ",").replace(",", " ").split() if part]
        if len(parts) > 20 or not all(part.isascii() and part.isdigit() and len(part) <= 4 for part in parts):
            raise forms.ValidationError(_("Squares as whole numbers with a comma between them, as in 20, 35."))
        return [int(part) for part in parts]


class CourseField(forms.CharField):
    """A course in the public notation, as JSON; its value is the course as `Plan.as_json` writes it."""

    def clean(self, value: Any) -> dict[str, Any]:
        text = super().clean(value)
        try:
            return plan_from_json(text).as_json()
        except RulesError as fault:
            raise forms.ValidationError([said(saying) for saying in fault.sayings[:20]]) from None


def course_choices(own: Mapping[str, Course] = MappingProxyType({})) -> list[tuple[Any, Any]]:
    """The built-in courses by kind and character, the club's own, then the two ways to tell another one."""
    groups = [(group.label, [(course.id, _choice(course)) for course in group.courses]) for group in course_groups()]
    other = [(NOTATION, _("written in the notation")), (NUMBERS, _("known only by its numbers"))]
    kept = [(_("The club's courses"), [(value, _choice(course)) for value, course in own.items()])] if own else []
    return [*groups, *kept, (_("Another course"), other)]


def _choice(course: Course) -> str:
    squares = ngettext("%(count)s square", "%(count)s squares", course.columns) % {"count": course.columns}
    words = {"name": course.name, "squares": squares, "energy": start_energy(course)}
    return _("%(name)s: %(squares)s, energy %(energy)s") % words


class StageForm(forms.Form):
    """A stage: when, where, and on what road. `FIXED` are the fields that a published result rests on."""

    use_required_attribute = False  # a browser would ask for what belongs to a course that is not chosen
    FIXED = ("number", "kind", "course", "course_json", "milestones", "columns", "bonus_columns", "feed_lines")

    number = forms.CharField(
        label=gettext_lazy("Number"), max_length=8, help_text=gettext_lazy("4, or 2a and 2b on a split day.")
    )
    name = forms.CharField(label=gettext_lazy("Name"), max_length=80)
    day = day_field()
    time = time_field()
    place = forms.CharField(label=gettext_lazy("Place"), max_length=120, required=False)
    kind = forms.ChoiceField(label=gettext_lazy("Kind"), choices=StageKind.choices)
    way = forms.ChoiceField(
        label=gettext_lazy("How it is ridden"),
        choices=Way.choices,
        help_text=gettext_lazy("Told on the calendar. The result goes onto the stage's sheet in any case."),
    )
    course = forms.ChoiceField(label=gettext_lazy("Course"), choices=course_choices)
    course_json = CourseField(
        label=gettext_lazy("The course in the notation"),
        error_messages={"required": gettext_lazy("Paste the course here, or choose another.")},
        max_length=LONGEST_TEXT,
        widget=forms.Textarea(attrs={"rows": 10, "spellcheck": "false", "autocapitalize": "none"}),
    )
    milestones = whole_field(
        gettext_lazy("Sum of the milestones"),
        1,
        MOST_MILESTONES,
        gettext_lazy("Energy at the start of a road stage; half as much again in a time trial (GI-D3-02)."),
    )
    columns = whole_field(
        gettext_lazy("Squares"),
        1,
        LONGEST_COURSE,
        gettext_lazy("Along the dotted lane, from start to arrival."),
    )
    bonus_columns = ColumnsField(
        label=gettext_lazy("Bonus sprints"),
        required=False,
        max_length=100,
        help_text=gettext_lazy("The squares at whose end they stand, as in 20, 35: two at most."),
    )
    feed_lines = whole_field(gettext_lazy("Feed zones"), 0, MOST_FEED_ZONES, required=False)

    def __init__(self, *args: Any, campaign: Campaign, stage: Stage | None = None, **kwargs: Any) -> None:
        self.zone = campaign.season.club.zone
        self.fixed = stage is not None and is_public(stage)
        self.is_read = False  # until then the fields have their say, later the domain
        super().__init__(*args, **kwargs)
        kept = usable(campaign.season.club)
        self.own = {OF_CLUB + course.slug: pasted(json.dumps(course.plan, sort_keys=True)) for course in kept}
        if self.own:
            choice = self.fields["course"]
            assert isinstance(choice, forms.ChoiceField)
            choice.choices = course_choices(self.own)

    def add_error(self, field: str | None, error: Any) -> None:
        """What is wrong with a course of the library is told where it was chosen."""
        if field == "course_json" and self.is_read and self.cleaned_data["course"] in self.own:
            field = "course"
        super().add_error(field, error)

    def clean(self) -> dict[str, Any]:
        values = self.cleaned_data
        if "day" in values and "time" in values:
            try:
                values["starts_at"] = stages_of.evening(values["day"], values["time"], self.zone)
            except Refused as refusal:
                self.add_error("time", str(refusal))
        course = values.get("course")
        # what belongs to another way of telling the course is left as it was typed, and does not count
        unused = {NOTATION: NUMBER_FIELDS, NUMBERS: ("course_json",)}.get(course or "", (*NUMBER_FIELDS, "course_json"))
        for name in unused:
            self.errors.pop(name, None)
        self.is_read = not self.errors
        return values

    def plan(self) -> StagePlan:
        values = self.cleaned_data
        course = values["course"]
        by_numbers = course == NUMBERS
        kept = self.own.get(course)  # the stage keeps the plan as it is now
        course_json = kept.plan.as_json() if kept else values["course_json"] if course == NOTATION else None
        return StagePlan(
            number=values["number"],
            name=values["name"],
            starts_at=values["starts_at"],
            place=values["place"],
            kind=values["kind"],
            way=values["way"],
            course="" if course_json is not None or by_numbers else course,
            course_json=course_json,
            milestones=values["milestones"] if by_numbers else None,
            columns=values["columns"] if by_numbers else None,
            bonus_columns=values["bonus_columns"] if by_numbers else (),
            feed_lines=(values["feed_lines"] or 0) if by_numbers else 0,
        )


NUMBER_FIELDS = ("milestones", "columns", "bonus_columns", "feed_lines")


def initial_of(stage: Stage) -> dict[str, Any]:
    """A stage as it stands in the form, by the club's clock."""
    at: datetime = stage.starts_at.astimezone(stage.campaign.season.club.zone)
    return {
        "number": stage.number,
        "name": stage.name,
        "day": at.date(),
        "time": at.time(),
        "place": stage.place,
        "kind": stage.kind,
        "way": stage.way,
        "course": NOTATION if stage.course_json else stage.course or NUMBERS,
        "course_json": json.dumps(stage.course_json, ensure_ascii=False, indent=1) if stage.course_json else "",
        "milestones": stage.milestones,
        "columns": stage.columns,
        "bonus_columns": ", ".join(map(str, stage.bonus_columns)),
        "feed_lines": stage.feed_lines,
    }
