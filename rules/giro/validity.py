"""Whether a course is built as the rulebook wants: the checks V1 to V9."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from rules.errors import Saying, gettext_noop
from rules.giro import data
from rules.giro.data import Kind, Terrain
from rules.giro.notation import TICKS, BlackSquare, Plan

LONGEST_SQUARE: Final = 2 * TICKS


class Level(StrEnum):
    REFUSED = "refused"  # no race on this course
    WARNED = "warned"  # unusual; people build what they like


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something about a plan that a check does not like. `saying.rule` is the id of the check."""

    level: Level
    saying: Saying

    @property
    def check(self) -> str:
        return self.saying.rule or ""

    def __str__(self) -> str:
        return str(self.saying)


ALWAYS_REFUSED: Final = frozenset({"V1", "V7", "V8", "V9"})
"""Checks that no course may fail; the others only matter online."""


def findings(plan: Plan, *, online: bool = False, stage_race: bool = True) -> tuple[Finding, ...]:
    """Everything that the checks V1 to V9 say about a plan, in their order; nothing for a sound one.

    `online`: for play on the site every check refuses. At a table V2 to V6 only warn.
    `stage_race`: bonus lines belong to a race over several stages.
    """
    return tuple(
        Finding(level=Level.REFUSED if online or saying.rule in ALWAYS_REFUSED else Level.WARNED, saying=saying)
        for saying in (
            *_check_hexagons(plan),
            *_check_rises(plan),
            *_check_category_tokens(plan),
            *_check_feed_zones(plan),
            *_check_bonus_tokens(plan, stage_race),
            *_check_sprint(plan),
            *_check_lines(plan),
            *_check_bends(plan),
            *_check_numbers(plan),
        )
    )


def _says(check: str, message: str, **params: str | int) -> Saying:
    return Saying(rule=check, message=message, params=params)


def mountains(plan: Plan) -> tuple[tuple[int, int, Terrain | None], ...]:
    """Maximal runs of mountain: first column, last column, terrain of the section before (None: the start)."""
    out: list[tuple[int, int, Terrain | None]] = []
    column, before = 1, None
    for section in plan.sections:
        last = column + section.columns - 1
        if section.terrain is Terrain.MOUNTAIN:
            if before is Terrain.MOUNTAIN:
                first, _, foot = out.pop()
                out.append((first, last, foot))
            else:
                out.append((column, last, before))
        column, before = last + 1, section.terrain
    return tuple(out)


def _check_hexagons(plan: Plan) -> Iterator[Saying]:
    if len(plan.hexagons) not in data.HEXAGONS_ALLOWED:
        yield _says(
            "V1",
            gettext_noop(
                "A course has %(least)s to %(most)s hexagons, the first with the start, the last "
                "with the arrival; this one has %(count)s."
            ),
            least=data.HEXAGONS_ALLOWED.start,
            most=data.HEXAGONS_ALLOWED.stop - 1,
            count=len(plan.hexagons),
        )


def _check_rises(plan: Plan) -> Iterator[Saying]:
    for first, _, foot in mountains(plan):
        if foot is not Terrain.RISE:
            yield _says("V2", gettext_noop("The mountain at %(column)s has no rise before it."), column=first)


def _check_category_tokens(plan: Plan) -> Iterator[Saying]:
    tokens = dict(plan.categories)
    homeless = set(tokens)
    for first, last, _ in mountains(plan):
        inside = [column for column in sorted(tokens) if first <= column <= last]
        homeless.difference_update(inside)
        if first not in tokens:
            yield _says("V3", gettext_noop("The mountain at %(column)s has no category at its foot."), column=first)
        later = [column for column in inside if column != first]
        for column in later[1:]:
            yield _says(
                "V3",
                gettext_noop("A mountain carries two categories at most; the one at %(column)s is too many."),
                column=column,
            )
        for column in later[:1]:
            if tokens[column] == tokens.get(first):
                yield _says(
                    "V3",
                    gettext_noop("The category at %(column)s is the same as at the foot of its mountain."),
                    column=column,
                )
    for column in sorted(homeless):
        yield _says("V3", gettext_noop("The category at %(column)s stands on no mountain."), column=column)
    if len(tokens) > data.CATEGORY_TOKENS:
        yield _says(
            "V3",
            gettext_noop("The box has %(most)s categories; this course uses %(count)s."),
            most=data.CATEGORY_TOKENS,
            count=len(tokens),
        )


def feed_zones_due(kind: Kind, hexagons: int) -> int:
    """Feed zones that belong on a course of so many hexagons (check V4; R-06)."""
    if kind.is_time_trial:
        return 0
    return next((zones for most, zones in data.FEED_ZONES if hexagons <= most), data.FEED_ZONES[-1][1])


def _check_feed_zones(plan: Plan) -> Iterator[Saying]:
    due = feed_zones_due(plan.kind, len(plan.hexagons))
    if len(plan.feed) == due:
        return
    if plan.kind.is_time_trial:
        yield _says(
            "V4", gettext_noop("A time trial has no feed zone; this course has %(count)s."), count=len(plan.feed)
        )
    else:
        yield _says(
            "V4",
            gettext_noop("With %(hexagons)s hexagons there are %(due)s feed zones; this course has %(count)s."),
            hexagons=len(plan.hexagons),
            due=due,
            count=len(plan.feed),
        )


def _check_bonus_tokens(plan: Plan, stage_race: bool) -> Iterator[Saying]:
    if len(plan.bonus) > data.BONUS_TOKENS:
        yield _says(
            "V5",
            gettext_noop("There are %(most)s bonus lines at most; this course has %(count)s."),
            most=data.BONUS_TOKENS,
            count=len(plan.bonus),
        )
    if plan.bonus and plan.kind.is_time_trial:
        yield _says("V5", gettext_noop("A time trial has no bonus line."))
    elif plan.bonus and not stage_race:
        yield _says("V5", gettext_noop("A bonus line counts only in a race over several stages."))


def _check_sprint(plan: Plan) -> Iterator[Saying]:
    arrival = plan.sections[-1].terrain if plan.sections else None
    if arrival is Terrain.MOUNTAIN:
        if plan.sprint is not None:
            yield _says("V6", gettext_noop("An arrival on a mountain has no sprint zone."))
        return
    earliest = 1 + sum(section.columns for hexagon in plan.hexagons[:-2] for section in hexagon.sections)
    if plan.sprint is None:
        yield _says("V6", gettext_noop("The sprint zone is missing: every arrival but a mountain has one."))
    elif not earliest <= plan.sprint < plan.columns:
        yield _says(
            "V6",
            gettext_noop(
                "The sprint zone begins at %(column)s; it must begin within %(first)s to "
                "%(last)s, on the last two hexagons."
            ),
            column=plan.sprint,
            first=earliest,
            last=plan.columns - 1,
        )


def _check_lines(plan: Plan) -> Iterator[Saying]:
    boundaries = _boundaries(plan)
    for columns, outside, split in (
        (
            plan.feed,
            gettext_noop("The feed zone at %(column)s is not on the road between 1 and %(last)s."),
            gettext_noop("The feed zone at %(column)s would cut a square of a bend in two."),
        ),
        (
            plan.bonus,
            gettext_noop("The bonus line at %(column)s is not on the road between 1 and %(last)s."),
            gettext_noop("The bonus line at %(column)s would cut a square of a bend in two."),
        ),
    ):
        for column in columns:
            if not 1 <= column < plan.columns:
                yield _says("V7", outside, column=column, last=plan.columns - 1)
            elif TICKS * column not in boundaries:
                yield _says("V7", split, column=column)
    # Tokens and a sprint zone off the road are the business of V3 and V6.
    if plan.sprint is not None and 1 <= plan.sprint < plan.columns and TICKS * plan.sprint not in boundaries:
        yield _says(
            "V7", gettext_noop("The sprint zone at %(column)s would cut a square of a bend in two."), column=plan.sprint
        )
    for column, _ in plan.categories:
        if 1 <= column <= plan.columns and TICKS * (column - 1) not in boundaries:
            yield _says(
                "V7", gettext_noop("The category at %(column)s would cut a square of a bend in two."), column=column
            )


def _boundaries(plan: Plan) -> frozenset[int]:
    """Ticks at which a square ends in every lane. A bend that V8 refuses counts as having none inside."""
    out = {0}
    tick = 0
    for section in plan.sections:
        length = TICKS * section.columns
        steps = [length // section.in_lane(lane) for lane in range(plan.lanes)]
        even = all(length % section.in_lane(lane) == 0 for lane in range(plan.lanes))
        inside = set.intersection(*(set(range(step, length, step)) for step in steps)) if even else set()
        out.update(tick + at for at in inside)
        tick += length
        out.add(tick)
    return frozenset(out)


def _check_bends(plan: Plan) -> Iterator[Saying]:
    for number, hexagon in enumerate(plan.hexagons, 1):
        for section in hexagon.sections:
            if section.squares is None:
                continue
            length = TICKS * section.columns
            if any(length % squares or length // squares > LONGEST_SQUARE for squares in section.squares):
                yield _says(
                    "V8",
                    gettext_noop(
                        "Hexagon %(hexagon)s: the bend %(section)s has squares that do not share its "
                        "length evenly, or longer than two."
                    ),
                    hexagon=number,
                    section=str(section),
                )
            if section.squares[section.dotted] != section.columns:
                yield _says(
                    "V8",
                    gettext_noop(
                        "Hexagon %(hexagon)s: the dotted lane of the bend %(section)s must have %(columns)s squares."
                    ),
                    hexagon=number,
                    section=str(section),
                    columns=section.columns,
                )


def _check_numbers(plan: Plan) -> Iterator[Saying]:
    for number, hexagon in enumerate(plan.hexagons, 1):
        if hexagon.milestone < 0:
            yield _says(
                "V9",
                gettext_noop("Hexagon %(hexagon)s: its milestone is %(milestone)s; it cannot be below 0."),
                hexagon=number,
                milestone=hexagon.milestone,
            )
    if plan.milestones < 1:
        yield _says("V9", gettext_noop("The milestones add up to %(sum)s; nobody could ride."), sum=plan.milestones)
    for square in plan.black:
        if not _exists(plan, square):
            yield _says(
                "V9",
                gettext_noop("There is no black square %(square)s: hexagons count from 1, lanes and squares from 0."),
                square=str(square),
            )
    for column, category in plan.categories:
        if category not in data.MOUNTAIN_CATEGORIES:
            yield _says(
                "V9",
                gettext_noop("The category at %(column)s is %(category)s; there are 1, 2 and 3."),
                column=column,
                category=category,
            )


def _exists(plan: Plan, square: BlackSquare) -> bool:
    if not (1 <= square.hexagon <= len(plan.hexagons) and 0 <= square.lane < plan.lanes):
        return False
    sections = plan.hexagons[square.hexagon - 1].sections
    return 0 <= square.index < sum(section.in_lane(square.lane) for section in sections)
