"""Setting up a race of Breaking Away: course, how turns are taken, who sees the hands, and what a table may choose."""

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from django import forms
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _

from races.board.breaking_away import prizes_of, road_of
from races.board.circuit import mini, plan
from races.board.strip import Strip
from races.errors import said
from races.panels.breaking_away_log import line_words
from races.setups import Offered, Refusal
from rules.breaking_away.course import BUILT_IN, MADISON, STANDARD, Course, course_of, warnings, write_course
from rules.breaking_away.game import BREAKING_AWAY
from rules.breaking_away.options import (
    AfterFinish,
    EndMode,
    Hands,
    MadisonDistance,
    MadisonRatings,
    Options,
    TurnMode,
    Variant,
    read_options,
)
from rules.errors import RulesError

OWN: Final = "own"
"""Beside the ids of the built-in courses: one that is written out."""
LONGEST_COURSE: Final = 8000
MOST_SEATS: Final = 10
"""As many seats as a race on the site has; from the tenth team on the organiser says so (BA-SET-01)."""

WIDE, NARROW = (760.0, 250.0), (344.0, 230.0)
"""Of the drawing of a circuit, on a desk and on a phone."""
WIDE_ROAD, NARROW_ROAD = (760.0, 180.0), (344.0, 190.0)
"""And of an open road."""

SECRET, PHONES, OPEN = "secret", "phones", "open"  # noqa: S105 - who sees the hands


def course_name(course: Course) -> str:
    return {
        "standard-100": _("Standard, 100 squares"),
        "postal-120": _("Postal, 120 squares"),
        "kermesse-60": _("Kermesse, 60 squares"),
        "classic-140": _("Classic, 140 squares"),
        "criterium-125": _("Criterium, 125 squares"),
        "madison": _("Madison, 160 squares"),
    }.get(course.id, course.id)


def course_words(course: Course) -> str:
    """Its lines and laps: "laps of 40; Sprint 1 at 33, Finish at 100"."""
    lines = ", ".join(
        _("%(line)s at %(at)s") % {"line": line_words(course, line), "at": line.at} for line in course.lines
    )
    laps = _("laps of %(circuit)s") % {"circuit": course.circuit} if course.circuit else _("an open road")
    return f"{laps}; {lines}"


def course_choices() -> list[tuple[str, str]]:
    built = [(id, f"{course_name(course)}: {course_words(course)}") for id, course in BUILT_IN.items()]
    return [*built, (OWN, _("Another course, written out"))]


class Offer(NamedTuple):
    """A course that may be chosen."""

    value: str
    name: str
    words: str
    drawing: SafeString
    checked: bool


class CourseField(forms.CharField):
    """A course as JSON; its value is the course."""

    def clean(self, value: Any) -> Course | None:
        text = super().clean(value)
        if not text:
            return None
        try:
            return course_of(json.loads(text))
        except RulesError as fault:
            raise forms.ValidationError([_numbered(saying) for saying in fault.sayings[:20]]) from None
        except (ValueError, RecursionError):
            raise forms.ValidationError(_("This is no JSON.")) from None


def _numbered(saying: Any) -> str:
    return f"{said(saying)} ({saying.rule})" if saying.rule else said(saying)


class BreakingAwayForm(forms.Form):
    """Course and options of a race that belongs to no campaign."""

    MOST_SEATS = MOST_SEATS
    PROPOSED_BOTS = 2  # with oneself and a friend that makes a field of four teams
    template = "races/setups/_breaking_away.html"
    use_required_attribute = False

    variant = forms.ChoiceField(
        label=gettext_lazy("What is ridden"),
        choices=[
            (Variant.STANDARD.value, gettext_lazy("a race: four cyclists each")),
            (Variant.MADISON.value, gettext_lazy("a Madison: two cyclists each, one rides (BA-MAD-01)")),
        ],
        initial=Variant.STANDARD.value,
    )
    course = forms.ChoiceField(label=gettext_lazy("Course"), choices=course_choices)
    course_json = CourseField(
        label=gettext_lazy("The course as JSON"),
        required=False,
        max_length=LONGEST_COURSE,
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false", "autocapitalize": "none"}),
    )
    turn_mode = forms.ChoiceField(
        label=gettext_lazy("A turn"),
        choices=[
            (TurnMode.SEQUENTIAL.value, gettext_lazy("one cyclist after the other, from the front")),
            (TurnMode.ORDERS.value, gettext_lazy("orders: everybody for all of his at once (BA-OPT-05)")),
        ],
        initial=TurnMode.SEQUENTIAL.value,
        help_text=gettext_lazy("With orders a turn is one answer of each player: good for a race over days."),
    )
    hands = forms.ChoiceField(
        label=gettext_lazy("Factors"),
        choices=[
            (SECRET, gettext_lazy("secret; at a table they stay on paper (BA-INFO-01, BA-REF-01)")),
            (PHONES, gettext_lazy("secret; at a table each on his own phone by link, or on paper (BA-REF-01)")),
            (OPEN, gettext_lazy("open to everybody (BA-OPT-04)")),
        ],
        initial=SECRET,
    )
    end_mode = forms.ChoiceField(
        label=gettext_lazy("The end"),
        choices=[
            (EndMode.IMMEDIATE.value, gettext_lazy("with the last place that scores (BA-END-02)")),
            (EndMode.COMPLETE_TURN.value, gettext_lazy("after the whole turn (BA-END-03)")),
        ],
        initial=EndMode.IMMEDIATE.value,
    )
    after_finish = forms.ChoiceField(
        label=gettext_lazy("Past the finish"),
        choices=[
            (AfterFinish.RIDE_ON.value, gettext_lazy("cyclists ride on and count (BA-END-04)")),
            (AfterFinish.LEAVE.value, gettext_lazy("cyclists leave after the turn (BA-END-05)")),
        ],
        initial=AfterFinish.RIDE_ON.value,
    )
    staggered = forms.BooleanField(
        label=gettext_lazy("Staggered start: numbers 2, 3 and 4 one, two, three squares back (BA-OPT-03)"),
        required=False,
    )
    break_over_rival = forms.BooleanField(
        label=gettext_lazy("The break value is the lead over the best of another team (BA-OPT-01)"), required=False
    )
    overcrowding = forms.BooleanField(
        label=gettext_lazy("Overcrowding: in turn 1 a square with five cyclists gives no slipstream (BA-OPT-02)"),
        required=False,
    )
    allocation_exact = forms.BooleanField(
        label=gettext_lazy("All points of the first factors have to be spent (AMB-01)"), required=False
    )
    auto_single = forms.BooleanField(
        label=gettext_lazy("Who has only one value left moves without being asked"),
        required=False,
        help_text=gettext_lazy("It tells everybody that all factors in that hand are equal."),
    )
    allow_12 = forms.BooleanField(label=gettext_lazy("More than nine teams (BA-SET-01)"), required=False)
    madison_ratings = forms.ChoiceField(
        label=gettext_lazy("Ratings in a Madison"),
        choices=[
            (MadisonRatings.FREE.value, gettext_lazy("everybody chooses two (BA-MAD-02)")),
            (MadisonRatings.ALL_12.value, gettext_lazy("1 and 2 for everybody")),
            (MadisonRatings.ALTERNATE.value, gettext_lazy("1 and 2, for second teams 3 and 4")),
        ],
        initial=MadisonRatings.FREE.value,
    )
    madison_distance = forms.ChoiceField(
        label=gettext_lazy("Distance in a Madison"),
        choices=[
            (MadisonDistance.LAPS.value, gettext_lazy("counted in laps (BA-MAD-22)")),
            (MadisonDistance.SQUARES.value, gettext_lazy("counted in squares (AMB-M4)")),
        ],
        initial=MadisonDistance.LAPS.value,
    )
    madison_small = forms.BooleanField(
        label=gettext_lazy("A Madison of fewer than nine teams, from four on (BA-MAD-01)"), required=False
    )

    def __init__(self, *args: Any, offered: Sequence[Offered] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.offered = offered

    @property
    def courses(self) -> list["Offer"]:
        """The built-in courses with their lines and points, and the road; last, one of one's own."""
        spoken, chosen = get_language() or "", self["course"].value() or STANDARD.id
        built = [
            Offer(id, course_name(course), points_words(course), _mini(course, spoken), chosen == id)
            for id, course in BUILT_IN.items()
        ]
        return [*built, Offer(OWN, _("Another course, written out"), "", SafeString(""), chosen == OWN)]

    @property
    def differs_in_options(self) -> bool:
        """Something is chosen there that is not proposed, or cannot be so."""
        return self._differs("end_mode", "after_finish", *FLAGS)

    @property
    def differs_in_madison(self) -> bool:
        """A Madison is chosen, or something of it."""
        return self._differs("variant", "madison_ratings", "madison_distance", "madison_small")

    def _differs(self, *names: str) -> bool:
        fields = [self[name] for name in names] if self.is_bound else []
        return any(one.errors or one.field.has_changed(one.initial, one.data) for one in fields)

    def clean(self) -> dict[str, Any]:
        values = self.cleaned_data
        if values.get("course") != OWN or self.is_madison:
            self.errors.pop("course_json", None)
        elif values.get("course_json") is None and "course_json" not in self.errors:
            self.add_error("course_json", _("Write the course here, or choose another."))
        return values

    @property
    def is_madison(self) -> bool:
        return self.cleaned_data.get("variant") == Variant.MADISON.value

    def chosen(self) -> Course:
        if self.is_madison:
            return MADISON
        values = self.cleaned_data
        course: Course = values["course_json"] if values["course"] == OWN else BUILT_IN[values["course"]]
        return course

    def options(self, *, online: bool = True) -> dict[str, Any]:
        """What is not as the rules have it, with the course. At a table secret hands stay on paper."""
        values = self.cleaned_data
        told: dict[str, Any] = {"course": write_course(self.chosen()), "turn_mode": values["turn_mode"]}
        told |= {name: True for name in FLAGS if values[name]}
        told |= {"open_hands": True} if values["hands"] == OPEN else {}
        told |= {"hands": Hands.CLOSED.value} if values["hands"] == SECRET and not online else {}
        told |= {"hands": Hands.EITHER.value} if values["hands"] == PHONES and not online else {}
        if self.is_madison:
            told |= {name: values[name] for name in ("variant", "madison_ratings", "madison_distance")}
            told |= {"madison_small": True} if values["madison_small"] else {}
        else:
            told |= {"end_mode": values["end_mode"], "after_finish": values["after_finish"]}
        return told

    def entrant(self) -> dict[str, Any]:
        """A team is called like its seat."""
        return {}

    def refusals(self, seats: int, *, online: bool) -> Sequence[Refusal]:
        """What the rules say to these options and to so many teams."""
        try:
            BREAKING_AWAY.setup(self.options(online=online), [{"seat": f"T{n}"} for n in range(seats)])
        except RulesError as fault:
            return [Refusal("", _numbered(saying)) for saying in fault.sayings]
        return ()

    def title(self) -> str:
        return course_name(self.chosen())


FLAGS: Final = ("staggered", "break_over_rival", "overcrowding", "allocation_exact", "auto_single", "allow_12")


def points_words(course: Course) -> str:
    """ "Sprint 1 at 33: 10-8-6-5-4-3-2-1"."""
    return "; ".join(
        _("%(line)s at %(at)s: %(points)s")
        % {"line": line_words(course, line), "at": line.at, "points": "-".join(map(str, line.points))}
        for line in course.lines
    )


class BreakingAwaySetup:
    """The game for the pages of making and joining a race."""

    title = BREAKING_AWAY.title

    def form(self, data: Mapping[str, Any] | None = None, *, offered: Sequence[Offered] = ()) -> BreakingAwayForm:
        return BreakingAwayForm(data, prefix=BREAKING_AWAY.name, offered=offered)

    def facts(self, options: Mapping[str, Any]) -> Sequence[tuple[str, str]]:
        """What is not told is as the rules have it."""
        read = read_options(options)
        course = read.course
        orders = read.turn_mode is TurnMode.ORDERS
        facts = [
            (_("Course"), f"{course_name(course)}; {course_words(course)}"),
            (_("A turn"), _("orders of everybody at once") if orders else _("one cyclist after the other")),
            (_("Factors"), _hands_words(read)),
        ]
        if told := list(_flag_words(read)):
            facts.append((_("Options"), "; ".join(told)))
        facts += [(_("Worth knowing"), said(saying)) for saying in warnings(course)[:1] if course.id not in BUILT_IN]
        return facts

    def drawings(self, options: Mapping[str, Any]) -> tuple[SafeString, SafeString] | None:
        course = read_options(options).course
        strip, words = Strip(road=road_of(course), prizes=prizes_of(course)), from_above(course)
        wide, narrow = (WIDE, NARROW) if course.circuit else (WIDE_ROAD, NARROW_ROAD)
        return (
            plan(strip, width=wide[0], height=wide[1], words=words),
            plan(strip, width=narrow[0], height=narrow[1], words=words),
        )

    def mini(self, options: Mapping[str, Any]) -> SafeString:
        return _mini(read_options(options).course, get_language() or "")

    def rides(self, entrant: Mapping[str, Any]) -> str:
        teams = len(entrant.get("teams") or (1,))
        return ngettext("%(count)s team", "%(count)s teams", teams) % {"count": teams}


def from_above(course: Course) -> str:
    """The drawing in words."""
    return _("%(course)s from above: %(road)s") % {"course": course_name(course), "road": course_words(course)}


@lru_cache(maxsize=64)
def _mini(course: Course, language: str) -> SafeString:
    """The road for a line of a list; drawn once in every language."""
    return mini(road_of(course), words=from_above(course))


def _hands_words(options: Options) -> str:
    if options.open_hands:
        return _("open to everybody (BA-OPT-04)")
    if options.hands is Hands.EITHER:
        return _("each on his own phone by link, or on paper (BA-REF-01)")
    return _("on paper (BA-REF-01)") if options.closed else _("secret (BA-INFO-01)")


def _flag_words(options: Options) -> list[str]:
    told = [
        (options.madison, _("Madison (BA-MAD-01)")),
        (options.starts_staggered, _("staggered start (BA-OPT-03)")),
        (options.break_over_rival, _("break value over a rival (BA-OPT-01)")),
        (options.overcrowding, _("overcrowding (BA-OPT-02)")),
        (options.allocation_exact, _("all first points spent (AMB-01)")),
        (options.auto_single, _("a single value moves by itself")),
        (options.end_mode is EndMode.COMPLETE_TURN, _("ends with a whole turn (BA-END-03)")),
        (options.after_finish is AfterFinish.LEAVE, _("cyclists leave after the finish (BA-END-05)")),
    ]
    return [words for is_so, words in told if is_so]


SETUP: Final = BreakingAwaySetup()
