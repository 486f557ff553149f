"""A round of Breaking Away on the sheet of a series: the fields of `league.sheets.breaking_away`, and the words for them."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.round_sheets import LOG, MORE, Field, FieldKind, Reading, Row, Starter
from league.sheets import breaking_away as sheets
from league.sheets.findings import Change
from league.sheets.reading import ON
from races.errors import said
from races.setups import setup_of
from rules.breaking_away.course import Kind, line_name
from rules.breaking_away.data import BASE_REPLACEMENT
from rules.breaking_away.game import BREAKING_AWAY
from rules.breaking_away.options import read_options
from rules.errors import RulesError


def context_of(options: Mapping[str, Any], starters: Sequence[Starter]) -> sheets.Context:
    return sheets.Context.of(options, [sheets.Team(id=one.code, name=one.name) for one in starters])


class BreakingAwaySheet:
    """The sheet of a physical race (spec 8.1 to 8.3) as the rounds of a series use it."""

    title: Final = BREAKING_AWAY.title
    proposes: Mapping[str, str] = MappingProxyType({})  # as the form of a friendly race
    columns: Final[Sequence[tuple[str, Any]]] = (
        ("sprints", gettext_lazy("Sprints")),
        ("finish", gettext_lazy("Finish")),
        ("wins", gettext_lazy("Lines won")),
        ("best", gettext_lazy("Best at the finish")),
        ("laps", gettext_lazy("Laps down")),
    )

    def faults(self, options: Mapping[str, Any]) -> list[str]:
        try:
            read_options(options)
        except RulesError as fault:
            return [f"{said(saying)} ({saying.rule})" if saying.rule else said(saying) for saying in fault.sayings]
        return []

    def road(self, options: Mapping[str, Any]) -> Sequence[tuple[str, str]]:
        return setup_of(BREAKING_AWAY.name).facts(options)

    def fields(self, options: Mapping[str, Any], starters: Sequence[Starter]) -> list[Field]:
        context = context_of(options, starters)
        names = {one.code: f"{one.code} {one.name}" for one in starters}
        cyclists = [
            (names[team.id], [racer for racer, who in context.racers.items() if who.team == team.id])
            for team in context.teams
        ]
        teams = [(_("Teams"), list(context.team_ids))]
        found = [
            Field(
                key=sheets.line_cell(number),
                label=_("%(line)s, after square %(at)s")
                % {"line": _(line_name(context.options.course, line)), "at": line.at},
                help=_("Points: %(points)s") % {"points": "-".join(map(str, line.points))},
                kind=FieldKind.ORDER,
                taps=teams if context.madison else cyclists,
                rows=2,
            )
            for number, line in enumerate(context.lines)
        ]
        if context.madison:
            label = _("Square that %(team)s came to") if context.by_squares else _("Laps down: %(team)s")
            found += [
                Field(key=sheets.distance_cell(context, team.id), label=label % {"team": names[team.id]})
                for team in context.teams
            ]
        retired = _("Teams that retired") if context.madison else _("Cyclists who retired")
        found += [
            Field(key="retired", label=retired, kind=FieldKind.ORDER, group=MORE),
            Field(
                key="leftover", label=_("Teams by who was further ahead at the end"), kind=FieldKind.ORDER, group=MORE,
                help=_("Only where level teams have nobody at the finish."),
            ),
            Field(
                key="abandoned", label=_("The race"), kind=FieldKind.CHOICE, group=MORE,
                choices=(("", _("was ridden to its end")), (ON, _("was given up"))),
            ),
        ]  # fmt: skip
        found += [
            Field(key=f"total-{team.id}", label=_("Points of %(team)s, as added up at the table") % {"team": names[team.id]}, group=MORE)
            for team in context.teams
        ]  # fmt: skip
        return [*found, *self._log(context)]

    @staticmethod
    def _log(context: sheets.Context) -> list[Field]:
        """What the log sheets tell: it is enough to find where a race went wrong, and never needed. Rules: BA-VAL-20."""
        turns = _("One turn in a line of its own: R1 7, W1 5 +4, G4 out.")
        found = [Field(key="first", label=_("Who began"), group=LOG)]
        if context.madison:
            found += [
                Field(key=f"{kind}-{team}", label=label % {"team": team}, group=LOG)
                for team in context.team_ids
                for kind, label in (("rating", _("Ratings of %(team)s")), ("lineup", _("Who of %(team)s rides first, and the square of the other")))
            ]  # fmt: skip
        found += [
            Field(key=f"hand-{cyclist}", label=_("First factors of %(cyclist)s") % {"cyclist": cyclist}, group=LOG)
            for cyclist in context.cyclists
        ]
        for number in range(1, turns_that_fit(context) + 1):
            label = _("Turn %(number)s") % {"number": number}
            found.append(Field(key=f"turn-{number}", label=label, help=turns if number == 1 else "", group=LOG, rows=2))
            if context.madison:
                label = _("Who changed after turn %(number)s") % {"number": number}
                found.append(Field(key=f"change-{number}", label=label, group=LOG))
        return found

    def examine(self, cells: Mapping[str, str], options: Mapping[str, Any], starters: Sequence[Starter]) -> Reading:
        context = context_of(options, starters)
        read = sheets.examine(cells, context)
        content = read.content.to_json()
        if not starters or sheets.blocks_provisional(read.findings):
            return Reading(content=content, findings=read.findings, rows=None)
        told = sheets.outcome(read.content, context)
        by_code = {one.code: one.entrant for one in starters}
        return Reading(
            content=content,
            findings=read.findings,
            rows=tuple(self._row(row, by_code[row["id"]], context) for row in told["teams"]),
            abandoned_early=sheets.abandoned_early(told, context),
        )

    @staticmethod
    def _row(row: Mapping[str, Any], entrant: int, context: sheets.Context) -> Row:
        sprints = sheets.sprint_points(row, context)
        facts = {
            "sprints": sprints,
            "finish": row["points"] - sprints,
            "wins": row["wins"],
            "best": row["best_finisher"],
        }
        facts |= {"laps": row["laps_down"]} if context.madison else {}
        if not any(line.kind is Kind.SPRINT for line in context.lines):
            del facts["sprints"]
        return Row(
            entrant=entrant,
            rank=row["place"],
            points=row["points"],
            extra=sprints,
            facts={key: value for key, value in facts.items() if value is not None},
        )

    def cells_of(
        self, content: Mapping[str, Any], options: Mapping[str, Any], starters: Sequence[Starter]
    ) -> dict[str, str]:
        return sheets.cells_of(sheets.SheetContent.from_json(content), context_of(options, starters))

    def told(
        self, content: Mapping[str, Any], options: Mapping[str, Any], starters: Sequence[Starter]
    ) -> list[tuple[str, str]]:
        """Line by line who crossed it; and what else is told but the log."""
        context = context_of(options, starters)
        stored = sheets.SheetContent.from_json(content)
        found = [
            (_(line_name(context.options.course, line)), " ".join(sheets.UNKNOWN if who is None else who.id for who in crossed) or "–")
            for line, crossed in zip(context.lines, stored.lines, strict=True)
        ]  # fmt: skip
        if stored.retired:
            found.append((_("Retired"), " ".join(stored.retired)))
        if stored.leftover:
            found.append((_("Ahead at the end"), " ".join(stored.leftover)))
        if stored.abandoned:
            found.append((_("The race"), _("was given up")))
        return found

    def changes(
        self,
        older: Mapping[str, Any],
        newer: Mapping[str, Any],
        options: Mapping[str, Any],
        starters: Sequence[Starter],
    ) -> Sequence[Change]:
        before, now = sheets.SheetContent.from_json(older), sheets.SheetContent.from_json(newer)
        return sheets.diff(before, now, context_of(options, starters))

    def entrant(self, code: str) -> dict[str, Any]:
        return {"team": code}

    def of_race(
        self, outcome: Mapping[str, Any], options: Mapping[str, Any], starters: Sequence[Starter]
    ) -> dict[str, str]:
        return sheets.cells_of_outcome(outcome, context_of(options, starters))


def turns_that_fit(context: sheets.Context) -> int:
    """Turns of the log that the sheet has fields for: nobody is slower than a new factor without any slipstream takes him, but
    for the narrow lead of a break and the small factors of the start.
    """
    return min(-(-context.options.course.finish.at // BASE_REPLACEMENT) + SPARE_TURNS, sheets.MOST_TURNS)


SPARE_TURNS: Final = 5

SHEET: Final = BreakingAwaySheet()
