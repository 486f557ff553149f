"""How a race is run: the options, in one place (spec 5.11)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any, Final

from rules.breaking_away import typed
from rules.breaking_away.course import MADISON, STANDARD, Course, course_of, write_course
from rules.errors import RulesError, Saying, Unreadable, gettext_noop


class Variant(StrEnum):
    STANDARD = "standard"
    MADISON = "madison"


class TurnMode(StrEnum):
    """Whether cyclists are asked one after the other, or everybody for all of his at once. Rules: BA-OPT-05."""

    SEQUENTIAL = "sequential"
    ORDERS = "orders"


class EndMode(StrEnum):
    """Whether the move that fills the quota is the last one, or its turn is ridden to the end. Rules: BA-END-02, BA-END-03; AMB-07."""

    IMMEDIATE = "immediate"
    COMPLETE_TURN = "complete_turn"


class AfterFinish(StrEnum):
    """What becomes of a cyclist past the finish. Rules: BA-END-04, BA-END-05; AMB-06."""

    RIDE_ON = "ride_on"
    LEAVE = "leave"


class Hands(StrEnum):
    """Who knows the hands: the engine, only the log sheets on the table, or of each team one of them. Rules: BA-REF-01."""

    ENGINE = "engine"
    CLOSED = "closed"
    EITHER = "either"


class MadisonRatings(StrEnum):
    """Who says how strong the cyclists of a Madison are. Rules: BA-MAD-02."""

    FREE = "free"
    ALTERNATE = "alternate"
    ALL_12 = "all_12"


class MadisonDistance(StrEnum):
    """What counts as distance in a Madison. Rules: BA-MAD-22."""

    LAPS = "laps"
    SQUARES = "squares"


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Whatever the rulebook leaves to the table."""

    course: Course = STANDARD
    variant: Variant = Variant.STANDARD
    turn_mode: TurnMode = TurnMode.SEQUENTIAL
    end_mode: EndMode = EndMode.IMMEDIATE
    after_finish: AfterFinish = AfterFinish.RIDE_ON
    hands: Hands = Hands.ENGINE
    break_over_rival: bool = False
    overcrowding: bool = False
    open_hands: bool = False
    auto_single: bool = False
    allocation_exact: bool = False
    allow_12: bool = False
    staggered: bool | None = None  # None: as the course says
    madison_ratings: MadisonRatings = MadisonRatings.FREE
    madison_distance: MadisonDistance = MadisonDistance.LAPS
    madison_small: bool = False

    @property
    def madison(self) -> bool:
        return self.variant is Variant.MADISON

    @property
    def closed(self) -> bool:
        return self.hands is Hands.CLOSED

    @property
    def on_paper(self) -> bool:
        """Whether a hand may be on a log sheet, where the engine does not see it. Rules: BA-REF-01."""
        return self.hands is not Hands.ENGINE

    @property
    def starts_staggered(self) -> bool:
        """Rules: BA-OPT-03."""
        return self.course.staggered if self.staggered is None else self.staggered


_READERS: Final[Mapping[str, tuple[Callable[[Any], Any], str]]] = {
    "variant": (Variant, ", ".join(Variant)),
    "turn_mode": (TurnMode, ", ".join(TurnMode)),
    "end_mode": (EndMode, ", ".join(EndMode)),
    "after_finish": (AfterFinish, ", ".join(AfterFinish)),
    "hands": (Hands, ", ".join(Hands)),
    "break_over_rival": (typed.truth, "true, false"),
    "overcrowding": (typed.truth, "true, false"),
    "open_hands": (typed.truth, "true, false"),
    "auto_single": (typed.truth, "true, false"),
    "allocation_exact": (typed.truth, "true, false"),
    "allow_12": (typed.truth, "true, false"),
    "staggered": (typed.truth, "true, false"),
    "madison_ratings": (MadisonRatings, ", ".join(MadisonRatings)),
    "madison_distance": (MadisonDistance, ", ".join(MadisonDistance)),
    "madison_small": (typed.truth, "true, false"),
}

OPTIONS: Final = ("course", *_READERS)
assert set(OPTIONS) == {field.name for field in fields(Options)}, "every option is read"


def read_options(source: Mapping[str, Any]) -> Options:
    """Options from JSON; what is not told, or null, has its default. RulesError says everything that is wrong."""
    if not isinstance(source, Mapping):
        raise Unreadable(gettext_noop("Options are an object."))
    faults = [
        Saying(
            message=gettext_noop('Options have no "%(name)s"; they have %(known)s.'),
            params={"name": str(name)[:40], "known": ", ".join(OPTIONS)},
        )
        for name in source
        if name not in OPTIONS
    ]
    given: dict[str, Any] = {}
    for name, (reader, known) in _READERS.items():
        if source.get(name) is None:
            continue
        try:
            given[name] = reader(source[name])
        except (ValueError, TypeError):
            faults.append(
                Saying(
                    message=gettext_noop('"%(value)s" is no value for the option "%(name)s"; it may be %(known)s.'),
                    params={"value": str(source[name])[:40], "name": name, "known": known},
                )
            )
    madison = given.get("variant") is Variant.MADISON
    course = source.get("course")
    if madison:
        given["course"] = MADISON
        given.setdefault("end_mode", EndMode.COMPLETE_TURN)
        if course not in (None, MADISON.id):
            faults.append(Saying(message=gettext_noop("A Madison brings its own course.")))
    elif course is not None:
        try:
            given["course"] = course_of(course)
        except RulesError as wrong:
            faults += wrong.sayings
    if faults:
        raise RulesError(*faults)
    options = Options(**given)
    if faults := _together(options):
        raise RulesError(*faults)
    return options


def _together(options: Options) -> list[Saying]:
    """Options that do not go together. Rules: BA-REF-01, BA-MAD-24."""
    faults = []
    if options.on_paper and (options.open_hands or options.auto_single):
        faults.append(
            Saying(
                rule="BA-REF-01",
                message=gettext_noop(
                    "Hands that stay on paper cannot be open, and nobody knows when they leave one choice."
                ),
            )
        )
    if options.madison:
        if options.end_mode is not EndMode.COMPLETE_TURN:
            faults.append(Saying(rule="BA-MAD-24", message=gettext_noop("A Madison ends with a complete turn.")))
        if options.after_finish is not AfterFinish.RIDE_ON:
            faults.append(
                Saying(rule="BA-MAD-24", message=gettext_noop("In a Madison nobody leaves: the distance counts."))
            )
        if options.staggered is not None:
            faults.append(Saying(rule="BA-MAD-24", message=gettext_noop("There is no staggered start in a Madison.")))
    return faults


def write_options(options: Options) -> dict[str, Any]:
    """The options as JSON, those that are not as usual."""
    told: dict[str, Any] = {"course": write_course(options.course)}
    for field in fields(Options):
        value = getattr(options, field.name)
        if field.name != "course" and value != field.default:
            told[field.name] = value.value if isinstance(value, StrEnum) else value
    return told
