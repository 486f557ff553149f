"""Setting up a stage of *Giro d'Italia: The Game*: course, riders, cards, and what a table may choose."""

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from django import forms
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _

from races.board.profile import Size, profile
from races.errors import said
from races.setups import Offered, Refusal
from rules.errors import RulesError
from rules.giro import data
from rules.giro.cards import CardMethod
from rules.giro.course import BUILT_IN_IDS, Course, LineKind, built_in, start_energy
from rules.giro.data import Kind, Terrain
from rules.giro.game import GIRO
from rules.giro.notation import LONGEST_TEXT, Plan, plan_from_json
from rules.giro.preparing import course_of
from rules.giro.state import Clock
from rules.giro.validity import Level, findings

NOTATION: Final = "notation"
"""Beside the ids of the built-in courses: one that is written out."""
OFFERED: Final = "offered:"
"""Before what tells a course that another app offers."""


def _kinds() -> dict[Kind, str]:
    return {
        Kind.ROAD: _("Road stage"),
        Kind.ITT: _("Individual time trial"),
        Kind.TTT: _("Team time trial"),
    }


def character(course: Course) -> str:
    """What a course is to a rider: against the clock, over mountains and up to which end, or flat."""
    if course.kind.is_time_trial:
        return _kinds()[course.kind]
    if course.terrains[-1] is Terrain.MOUNTAIN:
        return _("Road stage with a mountain arrival")
    if Terrain.MOUNTAIN in course.terrains:
        return _("Road stage over mountains")
    return _("Road stage, flat or rolling")


def course_choices() -> list[tuple[Any, Any]]:
    """The built-in courses by character, then the way to bring another one."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for course in map(built_in, BUILT_IN_IDS):
        groups.setdefault(character(course), []).append((course.plan.id, _choice(course)))
    return [*groups.items(), (_("Another course"), [(NOTATION, _("written in the notation"))])]


def _choice(course: Course) -> str:
    squares = ngettext("%(count)s square", "%(count)s squares", course.columns) % {"count": course.columns}
    words = {"name": course.name, "squares": squares, "energy": start_energy(course)}
    return _("%(name)s: %(squares)s, energy %(energy)s") % words


def card_choices() -> list[tuple[str, str]]:
    return [
        (CardMethod.MATCHED.value, _("face up, fitting the rider")),
        (CardMethod.BLIND.value, _("face down, any card")),
        (CardMethod.NONE.value, _("none")),
    ]


class CourseField(forms.CharField):
    """A course in the public notation, as JSON; its value is the plan."""

    def clean(self, value: Any) -> Plan | None:
        text = super().clean(value)
        if not text:
            return None
        try:
            return plan_from_json(text)
        except RulesError as fault:
            raise forms.ValidationError([said(saying) for saying in fault.sayings[:20]]) from None


class GiroForm(forms.Form):
    """Course, riders and options of a stage that belongs to no campaign."""

    MOST_SEATS = data.MAX_PLAYERS
    PROPOSED_BOTS = 0
    template = "races/setups/_giro.html"
    use_required_attribute = False  # a browser would ask for what belongs to a course that is not chosen

    course = forms.ChoiceField(label=gettext_lazy("Course"), choices=course_choices)
    course_json = CourseField(
        label=gettext_lazy("The course in the notation"),
        required=False,
        max_length=LONGEST_TEXT,
        widget=forms.Textarea(attrs={"rows": 10, "spellcheck": "false", "autocapitalize": "none"}),
    )
    riders = forms.TypedChoiceField(
        label=gettext_lazy("Riders each"),
        coerce=int,
        choices=[(n, str(n)) for n in range(1, max(data.MOST_RIDERS_EACH.values()) + 1)],
        initial=2,
        help_text=gettext_lazy("Up to 3 with 4 players, 2 with 5, then 1; 12 riders in a race at most."),
    )
    cards = forms.ChoiceField(
        label=gettext_lazy("Special cards"), choices=card_choices, initial=CardMethod.MATCHED.value
    )
    giro = forms.BooleanField(
        label=gettext_lazy("As a stage of a Giro: bonus sprints count (GI-D2-01)"), required=False
    )
    time_limit = forms.IntegerField(
        label=gettext_lazy("Time limit"),
        min_value=0,
        max_value=20,
        initial=data.TIME_LIMIT,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
        help_text=gettext_lazy("Who needs more turns than that after the peloton is out (GI-F-05)."),
    )
    clock = forms.ChoiceField(
        label=gettext_lazy("The clock of a time trial"),
        choices=[
            (Clock.DERIVED.value, gettext_lazy("worked out from the last move")),
            (Clock.MEASURED.value, gettext_lazy("a stopwatch at the table")),
        ],
        initial=Clock.DERIVED.value,
    )

    def __init__(self, *args: Any, offered: Sequence[Offered] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.offered: dict[str, tuple[str, Course]] = {
            OFFERED + offer.value: (offer.house, course_of(offer.course)) for offer in offered
        }
        if self.offered:
            houses: dict[str, list[tuple[str, str]]] = {}
            for value, (house, course) in self.offered.items():
                houses.setdefault(house, []).append((value, _choice(course)))
            built = course_choices()
            choice = self.fields["course"]
            assert isinstance(choice, forms.ChoiceField)
            choice.choices = [*built[:-1], *houses.items(), built[-1]]

    def clean(self) -> dict[str, Any]:
        values = self.cleaned_data
        if values.get("course") != NOTATION:
            self.errors.pop("course_json", None)
        elif values.get("course_json") is None and "course_json" not in self.errors:
            self.add_error("course_json", _("Paste the course here, or choose another."))
        return values

    def courses(self) -> list[tuple[str, list[tuple[Course, SafeString]]]]:
        """The built-in courses with their pictures, by character; then those of the houses that offer some."""
        groups: dict[str, list[tuple[Course, SafeString]]] = {}
        for course in map(built_in, BUILT_IN_IDS):
            groups.setdefault(character(course), []).append((course, _mini(course.plan.id, get_language() or "")))
        for house, course in self.offered.values():
            source = json.dumps(course.plan.as_json(), sort_keys=True)
            groups.setdefault(house, []).append((course, _mini(source, get_language() or "")))
        return list(groups.items())

    def plan(self) -> Plan:
        """The course as it is written down."""
        values = self.cleaned_data
        chosen: str = values["course"]
        if chosen in self.offered:
            return self.offered[chosen][1].plan
        plan: Plan = values["course_json"] if chosen == NOTATION else built_in(chosen).plan
        return plan

    def options(self, *, online: bool = True) -> dict[str, Any]:
        values = self.cleaned_data
        plan = self.plan()
        told: dict[str, Any] = {
            "course": values["course"] if values["course"] in BUILT_IN_IDS else plan.as_json(),
            "cards": values["cards"],
            "giro": values["giro"] and not plan.kind.is_time_trial,
            "time_limit": values["time_limit"],
        }
        return told | ({"tt_clock": values["clock"]} if plan.kind.is_time_trial else {})

    def entrant(self) -> dict[str, Any]:
        return {"draft": self.cleaned_data["riders"]}

    def refusals(self, seats: int, *, online: bool) -> Sequence[Refusal]:
        """Rulebook A.2; checks E12 and, on the site, V1 to V9 (at a table V2 to V6 are the table's own business)."""
        riders, plan = self.cleaned_data["riders"], self.plan()
        found = []
        most = data.MOST_RIDERS_EACH[max(1, min(seats, data.MAX_PLAYERS))]
        if riders > most:
            found.append(
                Refusal(
                    "riders",
                    ngettext(
                        "With %(players)s players each has %(most)s rider.",
                        "With %(players)s players each has up to %(most)s riders.",
                        most,
                    )
                    % {"players": seats, "most": most},
                )
            )
        field = "course_json" if self.cleaned_data["course"] == NOTATION else "course"
        for finding in findings(plan, online=online):
            if finding.level is Level.REFUSED:
                found.append(Refusal(field, f"{said(finding.saying)} ({finding.check})"))
        if online and plan.kind.is_time_trial and self.cleaned_data["clock"] == Clock.MEASURED.value:
            found.append(Refusal("clock", _("On the site nobody holds a stopwatch: let it be worked out.")))
        return found

    def title(self) -> str:
        return self.plan().name


class GiroSetup:
    """The game for the pages of making and joining a race."""

    title = GIRO.title

    def form(self, data: Mapping[str, Any] | None = None, *, offered: Sequence[Offered] = ()) -> GiroForm:
        return GiroForm(data, prefix=GIRO.name, offered=offered)

    def facts(self, options: Mapping[str, Any]) -> Sequence[tuple[str, str]]:
        """What is not told is as the rules have it."""
        course = course_of(options["course"])
        cards = dict(card_choices())[options.get("cards") or CardMethod.MATCHED.value]
        facts = [
            (_("Course"), course.name),
            (_("Kind"), _kinds()[course.kind]),
            (_("Squares"), str(course.columns)),
            (_("Energy"), str(start_energy(course))),
            (_("Special cards"), cards),
        ]
        if course.kind.is_time_trial:
            return facts
        limit = options.get("time_limit")
        facts.append((_("Time limit"), str(data.TIME_LIMIT if limit is None else limit)))
        if course.columns_of(LineKind.BONUS):
            facts.append((_("Bonus sprints"), _("count") if options.get("giro") else _("do not count")))
        return facts

    def drawings(self, options: Mapping[str, Any]) -> tuple[SafeString, SafeString] | None:
        course = course_of(options["course"])
        return profile(course, Size.WIDE, name=course.name), profile(course, Size.NARROW, name=course.name)

    def mini(self, options: Mapping[str, Any]) -> SafeString:
        source = options["course"]
        return _mini(source if isinstance(source, str) else json.dumps(source, sort_keys=True), get_language() or "")

    def rides(self, entrant: Mapping[str, Any]) -> str:
        count = int(entrant.get("draft") or 1)
        return ngettext("%(count)s rider, chosen when it starts", "%(count)s riders, chosen when it starts", count) % {
            "count": count
        }


@lru_cache(maxsize=256)
def _mini(source: str, language: str) -> SafeString:
    """The road of a course, by id or as JSON, for a line of a list; drawn once in every language."""
    course = course_of(json.loads(source) if source.startswith("{") else source)
    return profile(course, Size.MINI, name=course.name)


SETUP: Final = GiroSetup()
