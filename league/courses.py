"""The course of a stage: built in, pasted in the notation, or known only by the numbers that scoring needs."""

import json
from dataclasses import dataclass
from functools import lru_cache

from django.utils.translation import gettext as _

from league.classification.status import Kind
from league.models import Stage
from league.models.campaign import StageKind
from league.sheets.giro import CourseFacts
from rules.giro.course import BUILT_IN_IDS, Course, LineKind, built_in, course_from_json, fewest_steps
from rules.giro.data import Terrain


@lru_cache(maxsize=256)
def pasted(text: str) -> Course:
    """A course from its JSON, compiled once. Raises RulesError; what is stored was read before."""
    return course_from_json(text)


def course_of(stage: Stage) -> Course | None:
    """The compiled course, or None where the club gave only its numbers."""
    if stage.course_json:
        return pasted(json.dumps(stage.course_json, sort_keys=True))
    return built_in(stage.course) if stage.course in BUILT_IN_IDS else None


@dataclass(frozen=True, slots=True, kw_only=True)
class CourseGroup:
    """Built-in courses of one kind and character, to choose from."""

    kind: StageKind
    label: str
    courses: tuple[Course, ...]


def course_groups() -> tuple[CourseGroup, ...]:
    """The built-in courses as one looks for them: road stages by what they climb and where they end, then time trials."""
    groups: dict[tuple[StageKind, str], list[Course]] = {}
    for course in map(built_in, BUILT_IN_IDS):
        kind = StageKind(course.kind)
        groups.setdefault((kind, _character(course)), []).append(course)
    return tuple(
        CourseGroup(kind=kind, label=label, courses=tuple(courses)) for (kind, label), courses in groups.items()
    )


def _character(course: Course) -> str:
    """What a course is to a rider, in words."""
    if course.kind.is_time_trial:
        return str(StageKind(course.kind).label)
    if course.terrains[-1] is Terrain.MOUNTAIN:
        return _("Road stage with a mountain arrival")
    if Terrain.MOUNTAIN in course.terrains:
        return _("Road stage over mountains")
    return _("Road stage, flat or rolling")


def facts_of(stage: Stage) -> CourseFacts:
    """What the score sheet's checks need. A time trial has neither bonus nor feed lines. Rules: GI-D3-01."""
    kind = Kind(stage.kind)
    course = course_of(stage)
    if course is None:
        return CourseFacts(
            kind=kind,
            columns=stage.columns or 0,
            milestones=stage.milestones or 0,
            fewest_steps=None,
            bonus=() if kind.is_time_trial else tuple(stage.bonus_columns),
            feed=0 if kind.is_time_trial else stage.feed_lines,
        )
    return CourseFacts(
        kind=kind,
        columns=course.columns,
        milestones=course.milestones,
        fewest_steps=fewest_steps(course),
        bonus=() if kind.is_time_trial else course.columns_of(LineKind.BONUS),
        feed=0 if kind.is_time_trial else len(course.columns_of(LineKind.FEED)),
    )


__all__ = ["BUILT_IN_IDS", "CourseGroup", "course_groups", "course_of", "facts_of", "pasted"]
