"""The stages of a campaign: evening, place, kind, course, and their order."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from league.campaigns import Fault, is_public, name_faults, named, refuse
from league.courses import BUILT_IN_IDS
from league.errors import Late, Refused
from league.models import Campaign, Sheet, Stage
from league.models.campaign import StageKind, Way
from league.racing import has_race
from league.recount import touch
from league.results import lock
from races.board.profile import Numbers, Road
from rules.errors import RulesError, Saying
from rules.giro import data
from rules.giro.course import Course, built_in
from rules.giro.notation import plan_from_json
from rules.giro.validity import Level, findings

LONGEST_COURSE = 400  # columns, where a club tells only the numbers; the box reaches to about 105
MOST_MILESTONES = 999
MOST_FEED_ZONES = data.FEED_ZONES[-1][1]
STAGE_NUMBER = re.compile(r"[0-9]{1,3}[a-z]?", re.ASCII)


@dataclass(frozen=True, kw_only=True)
class StagePlan:
    """What a stage shall be. Its course is a built-in one (`course`), or one in the notation (`course_json`, as parsed
    JSON), or else the numbers that scoring needs; the others are then left alone."""

    number: str
    name: str
    starts_at: datetime
    place: str = ""
    kind: str = StageKind.ROAD
    way: str = Way.PAPER
    course: str = ""
    course_json: Mapping[str, Any] | None = None
    milestones: int | None = None
    columns: int | None = None
    bonus_columns: Sequence[int] = field(default=())
    feed_lines: int = 0


COURSE = ("kind", "course", "course_json", "milestones", "columns", "bonus_columns", "feed_lines")
"""What a published result rests on."""


def evening(day: date, at: time, zone: ZoneInfo) -> datetime:
    """The instant that the club's clocks call so. Of an hour that comes twice, the first; Refused for one that the
    clocks skip."""
    local = datetime.combine(day, at, tzinfo=zone)
    try:
        instant = local.astimezone(UTC)
        back = instant.astimezone(zone)
    except OverflowError:
        raise Refused(_("No club rides in the year %(year)s.") % {"year": day.year}) from None
    if back.replace(tzinfo=None) != local.replace(tzinfo=None):
        raise Refused(
            _("The clocks of %(zone)s go forward that night and skip %(time)s. Take an hour before or after.")
            % {"zone": zone.key, "time": at.strftime("%H:%M")}
        )
    return instant


def next_number(stages: Sequence[Stage]) -> str:
    """The number after the last one."""
    numbers = [int(re.sub(r"[^0-9]", "", stage.number) or 0) for stage in stages]
    return str(max(numbers, default=0) + 1)


def next_evening(so_far: Sequence[datetime], zone: ZoneInfo) -> tuple[date, time] | None:
    """As long after the last evening as that one came after the one before (a week, if there is but one), same hour."""
    if not so_far:
        return None
    last = so_far[-1].astimezone(zone)
    days = 7
    if len(so_far) > 1:
        days = max((last.date() - so_far[-2].astimezone(zone).date()).days, 1)
    return last.date() + timedelta(days=days), last.time().replace(tzinfo=None)


def new_stage(campaign: Campaign, plan: StagePlan) -> Stage:
    """A stage after the last one."""
    with transaction.atomic():
        found = lock(campaign)
        last = found.stages.order_by("-order").first()
        stage = Stage(campaign=found, order=last.order + 1 if last else 1)
        refuse(_stage_faults(stage, plan), sure=False)
        _fill(stage, plan)
        stage.save()
        touch(found)
        return stage


def change_stage(stage: Stage, plan: StagePlan, *, sure: bool = False) -> Stage:
    """Change a stage. One with a published result keeps number, kind and course: what was ridden was ridden there, and
    a wrong result is corrected by a ruling. Moving the evening or the place tells the calendars that subscribe.
    """
    with transaction.atomic():
        found = _locked(stage)
        faults = _stage_faults(found, plan)
        wanted = _values(plan)
        other_road = any(wanted[name] != getattr(found, name) for name in COURSE)
        typed = hasattr(found, "sheet") and found.sheet.cells.exclude(value="").exists()
        if is_public(found):
            if other_road:
                message = _("Stage %(number)s has a published result, so its kind and its course stay. If the result is "
                            "wrong, correct it by a ruling.") % {"number": found.number}  # fmt: skip
                faults = [fault for fault in faults if fault.field not in (*COURSE, "numbers")]
                faults.append(Fault(field="course", message=message))
            if plan.number != found.number:
                message = _("The address of a published result stays: the number is %(number)s.") % {
                    "number": found.number
                }
                faults.append(Fault(field="number", message=message))
        elif other_road and has_race(found):
            message = _("This stage has its race, and the race has its course. Abandon the race first.")
            faults.append(Fault(field="course", message=message))
        elif other_road and typed:
            message = _("Something is typed on the sheet of this stage already. On another course its bonus sprints, "
                        "places and clocks are emptied; turns and energy stay.")  # fmt: skip
            faults.append(Fault(field="course", message=message, asks=True))
        refuse(faults, sure=sure)
        if all(value == getattr(found, name) for name, value in wanted.items()):
            return found
        if (wanted["starts_at"], wanted["place"]) != (found.starts_at, found.place):
            found.calendar_sequence += 1
        if other_road and typed:
            _empty_cells_of_the_road(found.sheet)
        _fill(found, plan)
        found.changed_at = timezone.now()
        found.save()
        touch(found.campaign)
        return found


def remove_stage(stage: Stage, *, sure: bool = False) -> None:
    """Take a stage out of the campaign; those after it move up in the order. Rules: E12."""
    with transaction.atomic():
        found = _locked(stage)
        if is_public(found):
            raise Refused(
                _("Stage %(number)s has a published result and stays in the campaign.") % {"number": found.number}
            )
        if found.rulings.exists():
            raise Refused(
                _("The jury has ruled on stage %(number)s; rulings are never deleted, so the stage stays.")
                % {"number": found.number}
            )
        if has_race(found):
            raise Refused(_("Stage %(number)s is ridden as a race. Abandon the race first.") % {"number": found.number})
        if hasattr(found, "sheet") and found.sheet.cells.exclude(value="").exists():
            message = _("Something is typed on the sheet of stage %(number)s already. It would be lost.")
            refuse([Fault(asks=True, message=message % {"number": found.number})], sure=sure)
        later = list(found.campaign.stages.filter(order__gt=found.order).order_by("order"))
        campaign = found.campaign
        found.delete()
        for other in later:  # one after the other: the place before is free by then
            other.order -= 1
            other.save(update_fields=["order"])
        touch(campaign)


def move_stage(stage: Stage, *, up: bool) -> bool:
    """Let a stage change places with the one before (`up`) or after it; whether there was one. Only among stages
    without a published result."""
    with transaction.atomic():
        found = _locked(stage)
        order = found.order - 1 if up else found.order + 1
        other = found.campaign.stages.select_related("sheet").filter(order=order).first()
        if other is None:
            return False
        for one in (found, other):
            if is_public(one):
                raise Refused(
                    _("Stage %(number)s has a published result: its place in the order stays.") % {"number": one.number}
                )
        here = found.order
        for moved, place in ((found, 0), (other, here), (found, order)):  # 0: aside, as an order is unique
            moved.order = place
            moved.save(update_fields=["order"])
        touch(found.campaign)
        return True


def _locked(stage: Stage) -> Stage:
    """The stage as it stands now, its campaign under the lock."""
    campaign = lock(stage.campaign)
    found = Stage.objects.select_related("sheet").filter(campaign=campaign, pk=stage.pk).first()
    if found is None:
        raise Late(_("This stage has been removed in the meantime."))
    found.campaign = campaign
    return found


def _values(plan: StagePlan) -> dict[str, Any]:
    """The fields of a stage; of the three ways to tell a course only the one that is used."""
    by_numbers = not plan.course and plan.course_json is None
    return {
        "number": plan.number,
        "name": named(plan.name),
        "starts_at": plan.starts_at,
        "place": named(plan.place),
        "kind": str(plan.kind),
        "way": str(plan.way),
        "course": "" if plan.course_json is not None else plan.course,
        "course_json": None if plan.course_json is None else dict(plan.course_json),
        "milestones": plan.milestones if by_numbers else None,
        "columns": plan.columns if by_numbers else None,
        "bonus_columns": sorted(plan.bonus_columns) if by_numbers else [],
        "feed_lines": plan.feed_lines if by_numbers else 0,
    }


def _fill(stage: Stage, plan: StagePlan) -> None:
    for name, value in _values(plan).items():
        setattr(stage, name, value)


def _stage_faults(stage: Stage, plan: StagePlan) -> list[Fault]:
    campaign = stage.campaign
    faults = name_faults(named(plan.name), Stage)
    if not STAGE_NUMBER.fullmatch(plan.number):
        message = _("A stage number is 1 to 3 figures, with a small letter for a split day: 4, or 2a and 2b.")
        faults.append(Fault(field="number", message=message))
    elif campaign.stages.filter(number=plan.number).exclude(pk=stage.pk).exists():
        message = _("There is a stage %(number)s already.") % {"number": plan.number}
        faults.append(Fault(field="number", message=message))
    if len(named(plan.place)) > 120:
        faults.append(Fault(field="place", message=_("This is too long: %(most)s characters fit.") % {"most": 120}))
    if plan.kind not in StageKind.values:
        faults.append(Fault(field="kind", message=_("Choose a road stage or a time trial.")))
        return faults
    if plan.way not in Way.values:
        faults.append(Fault(field="way", message=_("Choose how the stage is ridden.")))
    faults += _evening_faults(stage, plan)
    if plan.course_json is not None:
        faults += [Fault(field="course_json", message=message) for message in _refusals(plan.course_json, plan)]
    elif plan.course:
        faults += _built_in_faults(plan)
    else:
        faults += _number_faults(plan)
    return faults


def _evening_faults(stage: Stage, plan: StagePlan) -> list[Fault]:
    """A new evening lies in the season."""
    season = stage.campaign.season
    if stage.starts_at == plan.starts_at:
        return []
    day = plan.starts_at.astimezone(season.club.zone).date()
    if season.starts_on <= day <= season.ends_on:
        return []
    message = _(
        "The season %(season)s runs from %(first)s to %(last)s. Choose an evening in it, or change its days."
    ) % {
        "season": season,
        "first": date_format(season.starts_on),
        "last": date_format(season.ends_on),
    }
    return [Fault(field="day", message=message)]


def _built_in_faults(plan: StagePlan) -> list[Fault]:
    if plan.course not in BUILT_IN_IDS:
        return [Fault(field="course", message=_("There is no such course. Choose one of the list."))]
    course = built_in(plan.course)
    if course.kind == plan.kind:
        return []
    return [Fault(field="course", message=_other_kind(course.name, course.kind, plan.kind))]


def _other_kind(name: str, its: str, wanted: str) -> str:
    words = {"course": name, "its": StageKind(its).label, "wanted": StageKind(wanted).label}
    return _("%(course)s is a course for “%(its)s”, this stage is “%(wanted)s”. Change the one or the other.") % words


def _number_faults(plan: StagePlan) -> list[Fault]:
    """The numbers of a course that only the table knows. Rules: GI-D2-01, GI-D3-01; V4, V5, V7."""
    faults = []
    if plan.milestones is None or not 1 <= plan.milestones <= MOST_MILESTONES:
        message = _("Add up the milestones of the course: 1 to %(most)s.") % {"most": MOST_MILESTONES}
        faults.append(Fault(field="milestones", message=message))
    if plan.columns is None or not 1 <= plan.columns <= LONGEST_COURSE:
        message = _("Count the squares along the dotted lane from start to arrival: 1 to %(most)s.") % {
            "most": LONGEST_COURSE
        }
        faults.append(Fault(field="columns", message=message))
    if plan.kind != StageKind.ROAD:
        if plan.bonus_columns:
            faults.append(Fault(field="bonus_columns", message=_("A time trial has no bonus sprints (GI-D3-01).")))
        if plan.feed_lines:
            faults.append(Fault(field="feed_lines", message=_("A time trial has no feed zones (GI-D3-01).")))
        return faults
    if len(plan.bonus_columns) > data.BONUS_TOKENS:
        message = _("The box has %(most)s bonus tokens (V5).") % {"most": data.BONUS_TOKENS}
        faults.append(Fault(field="bonus_columns", message=message))
    elif len(set(plan.bonus_columns)) < len(plan.bonus_columns):
        faults.append(Fault(field="bonus_columns", message=_("Two bonus sprints cannot stand on one square.")))
    elif plan.columns and any(not 1 <= column < plan.columns for column in plan.bonus_columns):
        message = _("A bonus sprint stands between square 1 and %(last)s (V7).") % {"last": plan.columns - 1}
        faults.append(Fault(field="bonus_columns", message=message))
    if not 0 <= plan.feed_lines <= MOST_FEED_ZONES:
        message = _("The box has %(most)s feed zones (V4).") % {"most": MOST_FEED_ZONES}
        faults.append(Fault(field="feed_lines", message=message))
    return faults


def said(saying: Saying) -> str:
    """A sentence of the rules in the reader's language, with its check."""
    text = _(saying.message) % saying.params
    return f"{text} ({saying.rule})" if saying.rule else text


def _refusals(course_json: Mapping[str, Any], plan: StagePlan) -> list[str]:
    """Why a course in the notation cannot be ridden. At a table V2 to V6 only warn, but for what the stage's kind
    forbids; online every check refuses. Rules: V1 to V9, GI-D3-01."""
    try:
        road = plan_from_json(course_json)
    except RulesError as fault:
        return [said(saying) for saying in fault.sayings]
    found = findings(road, online=plan.way == Way.ONLINE)
    against_the_clock = ("V4", "V5") if road.kind.is_time_trial else ()
    refused = [said(f.saying) for f in found if f.level is Level.REFUSED or f.check in against_the_clock]
    return refused if road.kind == plan.kind else [_other_kind(road.name, road.kind, plan.kind), *refused]


def warnings_of(stage: Stage) -> list[str]:
    """What is unusual about the stage's own course. People build what they like. Rules: V2 to V6."""
    if not stage.course_json:
        return []
    return [said(f.saying) for f in findings(plan_from_json(stage.course_json)) if f.level is Level.WARNED]


def road_of(stage: Stage, course: Course | None) -> Road:
    """What is drawn for a stage: its course, or what is known of it."""
    if course is not None:
        return course
    bonus = () if stage.is_time_trial else tuple(stage.bonus_columns)
    return Numbers(columns=stage.columns, milestones=stage.milestones, bonus=bonus)


def _empty_cells_of_the_road(sheet: Sheet) -> None:
    """What was typed for another road: it would be refused on this one, where nobody sees it any more."""
    sheet.cells.filter(
        Q(key__startswith="bonus-")
        | Q(key__startswith="place-")
        | Q(key__startswith="clock-")
        | Q(key__startswith="teamclock-")
        | Q(key__startswith="sure-")
        | Q(key__in=["peloton", "never"])
    ).delete()
    Sheet.objects.filter(pk=sheet.pk).update(draft_revision=F("draft_revision") + 1)
