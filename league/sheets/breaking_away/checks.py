"""What can, and what cannot, stand on the sheet of a physical race: one function for each check of the sheet.

Refused is what cannot have happened; asked about is what is unlikely, and a tick confirms it; missing is what is not told
yet. All faults are found in one pass.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.sheets.breaking_away.content import Context, Crosser, SheetContent
from league.sheets.breaking_away.reading import UNKNOWN, distance_cell, line_cell
from league.sheets.breaking_away.result import level_and_open, quota, total
from league.sheets.findings import WHOLE_SHEET, Finding, Level
from league.sheets.words import listed
from rules.breaking_away.course import Kind


def check(content: SheetContent, context: Context) -> tuple[Finding, ...]:
    """All findings about a readable sheet, in the order of their numbers.

    An ask that `content.sure` confirms comes back as a note that keeps its `sure`.
    """
    sheet = Sheet(content, context)
    found: list[Finding] = []
    for each in (_01, _02, _03, _04, _05, _06, _07, _09, _11):
        found.extend(each(sheet))
    if not any(one.level is Level.REFUSE or one.stops_provisional for one in found):  # points are known
        for each in (_08, _10):
            found.extend(each(sheet))
    return tuple(settled(one, content) for one in sorted(found, key=lambda one: one.code))


def settled(finding: Finding, content: SheetContent) -> Finding:
    """An ask that is confirmed is a note."""
    if finding.level is Level.ASK and finding.sure in content.sure:
        return replace(finding, level=Level.NOTE)
    return finding


@dataclass
class Sheet:
    """A sheet with what more than one check needs."""

    content: SheetContent
    context: Context

    @property
    def lines(self) -> Iterator[tuple[int, str, tuple[Crosser | None, ...]]]:
        """Index, cell and rows of each line."""
        return ((number, line_cell(number), crossed) for number, crossed in enumerate(self.content.lines))

    @property
    def finish(self) -> int:
        return len(self.context.lines) - 1

    @cached_property
    def quota(self) -> int:
        return quota(self.content, self.context)

    def name(self, line: int) -> str:
        return line_words(self.context, line)

    def who(self, crosser: Crosser) -> str:
        return self.context.team(crosser.team).called if crosser.number is None else crosser.id

    def is_short(self, line: int) -> bool:
        """Told, and with fewer rows than score there: so it names everybody who crossed."""
        return 0 < len(self.content.lines[line]) < self.context.scoring_places(line)


def line_words(context: Context, line: int) -> str:
    """What people call a line, inside a sentence."""
    if context.lines[line].kind is Kind.FINISH:
        return _("the finish")
    return _("sprint %(number)s") % {"number": line + 1}


def refused(code: str, cell: str, message: str, rule: str | None = None) -> Finding:
    return Finding(code=code, rule=rule, level=Level.REFUSE, cell=cell, message=message)


def asked(code: str, cell: str, message: str, *about: int, rule: str | None = None) -> Finding:
    """An ask; `about` are the numbers that it is about, so that a tick for other numbers confirms nothing."""
    sure = "-".join(["sure", code, *map(str, about)])
    return Finding(code=code, rule=rule, level=Level.ASK, cell=cell, message=message, sure=sure)


def missing(code: str, cell: str, message: str, rule: str | None = None) -> Finding:
    """Missing, and nothing can be published without it."""
    return Finding(code=code, rule=rule, level=Level.MISSING, cell=cell, message=message, stops_provisional=True)


def noted(code: str, cell: str, message: str, rule: str | None = None) -> Finding:
    return Finding(code=code, rule=rule, level=Level.NOTE, cell=cell, message=message)


def _01(sheet: Sheet) -> Iterator[Finding]:
    """Every line is told, and exactly so many are at the finish as end the race. Rules: BA-VAL-01, BA-CRS-03, BA-END-01."""
    if sheet.content.is_blank and not sheet.content.abandoned and sheet.quota:
        yield missing("BA-VAL-01", WHOLE_SHEET, _("Nothing is told yet: who crossed which line, in which order?"))
        return
    cell, crossed = line_cell(sheet.finish), len(sheet.content.lines[sheet.finish])
    if sheet.content.abandoned:
        if sheet.quota and crossed >= sheet.quota and not sheet.context.whole_turns:
            yield refused(
                "BA-VAL-01", "abandoned",
                _("%(count)s crossed the finish, which ends the race: it was not given up. Take the tick away.")
                % {"count": crossed},
                "BA-END-01",
            )  # fmt: skip
        return
    for number, of_line, rows in sheet.lines:
        if not rows and sheet.quota and number != sheet.finish:
            yield missing(
                "BA-VAL-01", of_line, _("Who crossed %(line)s, in which order?") % {"line": sheet.name(number)}
            )  # fmt: skip
    if crossed < sheet.quota and not sheet.context.madison:
        yield missing(
            "BA-VAL-01", cell,
            _("The race ends with %(quota)s at the finish, and %(count)s are told. Who else? Or was the race given up?")
            % {"quota": sheet.quota, "count": crossed},
            "BA-END-01",
        )  # fmt: skip
    elif crossed > sheet.quota and not sheet.context.whole_turns:
        yield refused(
            "BA-VAL-01", cell,
            _("The race ends with %(quota)s at the finish, and %(count)s are told. Take out whoever did not cross it.")
            % {"quota": sheet.quota, "count": crossed},
            "BA-END-02",
        )  # fmt: skip


def _02(sheet: Sheet) -> Iterator[Finding]:
    """Nobody is twice on a line, and everybody on it exists. Rules: BA-VAL-02."""
    known = {*sheet.context.racers.values(), *(Crosser(team) for team in sheet.context.team_ids)}
    for number, cell, rows in sheet.lines:
        places: dict[Crosser, list[int]] = {}
        for place, who in enumerate(rows, start=1):
            if who is None:
                continue
            places.setdefault(who, []).append(place)
            if who not in known:
                yield refused(
                    "BA-VAL-02", cell,
                    _("Place %(place)s at %(line)s: %(who)s is not at the start. Mend it, or the start list.")
                    % {"place": place, "line": sheet.name(number), "who": who.id},
                )  # fmt: skip
        for who, at in places.items():
            if len(at) > 1 and who.number is not None:
                yield refused(
                    "BA-VAL-02", cell,
                    _("%(who)s crosses %(line)s once, and stands there as %(places)s. Keep one.")
                    % {"who": who.id, "line": sheet.name(number), "places": listed(map(str, at))},
                )  # fmt: skip
    for racer in sheet.content.retired:
        if racer not in sheet.context.racers:
            yield refused(
                "BA-VAL-02", "retired", _("%(who)s is not at the start. Take the name out.") % {"who": racer}
            )  # fmt: skip


def _03(sheet: Sheet) -> Iterator[Finding]:
    """No team has more rows on a line than it has cyclists. Rules: BA-VAL-03."""
    if sheet.context.madison:
        return
    most = sheet.context.most_of_a_team
    for number, cell, rows in sheet.lines:
        named = {who for who in rows if who is not None and who.number is not None}
        count = Counter(who.team for who in named)
        count.update(who.team for who in rows if who is not None and who.number is None)
        for team, times in count.items():
            if times > most:
                yield refused(
                    "BA-VAL-03", cell,
                    _("%(team)s has %(most)s cyclists, and %(count)s rows at %(line)s. Which of them is another team's?")
                    % {"team": sheet.context.team(team).called, "most": most, "count": times, "line": sheet.name(number)},
                )  # fmt: skip


def _04(sheet: Sheet) -> Iterator[Finding]:
    """A sprint with fewer rows than score: only if no more crossed it. Rules: BA-VAL-04."""
    if sheet.content.abandoned:
        return
    for number, cell, rows in sheet.lines:
        if number != sheet.finish and sheet.is_short(number):
            yield asked(
                "BA-VAL-04", cell,
                ngettext(
                    "Only %(count)s crossed %(line)s, where %(places)s can score. Is it right?",
                    "Only %(count)s crossed %(line)s, where %(places)s can score. Is it right?",
                    len(rows),
                ) % {
                    "count": len(rows), "line": sheet.name(number), "places": sheet.context.scoring_places(number),
                },
                number + 1, len(rows),
            )  # fmt: skip


def _05(sheet: Sheet) -> Iterator[Finding]:
    """More rows than score are all right. Rules: BA-VAL-05."""
    for number, cell, rows in sheet.lines:
        scoring = len(sheet.context.lines[number].points)
        if len(rows) > scoring and (number != sheet.finish or sheet.context.whole_turns):
            yield noted(
                "BA-VAL-05", cell,
                _("At %(line)s %(scoring)s score: who comes after them gets no points.")
                % {"line": sheet.name(number), "scoring": scoring},
            )  # fmt: skip


def _06(sheet: Sheet) -> Iterator[Finding]:
    """All places up to the last one are told, so that the points of a line add up to its table. Rules: BA-VAL-06."""
    for number, cell, rows in sheet.lines:
        for place, who in enumerate(rows, start=1):
            if who is None:
                yield missing(
                    "BA-VAL-06", cell,
                    _(
                        "Who took place %(place)s at %(line)s? Without him the points of the line do not add up; if only "
                        "the team is known, type the team instead of “%(unknown)s”."
                    ) % {"place": place, "line": sheet.name(number), "unknown": UNKNOWN},
                )  # fmt: skip


def _07(sheet: Sheet) -> Iterator[Finding]:
    """Whoever crossed a line has crossed those before it: a sprint that names all who crossed it names him.

    Rules: BA-VAL-07.
    """
    rows = sheet.content.lines
    for earlier in range(sheet.finish):
        told = rows[earlier]
        if not (sheet.is_short(earlier) or (sheet.content.abandoned and not told)) or None in told:
            continue
        for later in range(earlier + 1, len(rows)):
            cell = line_cell(later)
            facts = {"later": sheet.name(later), "earlier": sheet.name(earlier)}
            lost = [who for who in dict.fromkeys(rows[later]) if who and who.number is not None and who not in told]
            spare = Counter(who.team for who in told if who and who.number is None)
            said: set[str] = set()
            for who in lost:
                if spare[who.team]:  # a row that names only his team may be his
                    spare[who.team] -= 1
                    continue
                said.add(who.team)
                yield refused(
                    "BA-VAL-07", cell,
                    _(
                        "%(who)s is at %(later)s and not at %(earlier)s, which he must have crossed, and which fewer than "
                        "can score there have. Which is wrong?"
                    ) % {**facts, "who": who.id},
                )  # fmt: skip
            before = Counter(who.team for who in told if who)
            after = Counter(who.team for who in rows[later] if who)
            for team, count in after.items():
                if count > before[team] and team not in said:
                    yield refused(
                        "BA-VAL-07", cell,
                        _("%(team)s is %(after)s times at %(later)s and %(before)s times at %(earlier)s. Which is wrong?")
                        % {**facts, "team": team, "after": count, "before": before[team]},
                    )  # fmt: skip


def _08(sheet: Sheet) -> Iterator[Finding]:
    """Totals that somebody added up are those of the rows. Rules: BA-VAL-08."""
    for team, typed in sheet.content.totals:
        right = total(sheet.content, sheet.context, team)
        if typed != right:
            yield refused(
                "BA-VAL-08", f"total-{team}",
                _(
                    "%(team)s has %(right)s points by its places, and %(typed)s were typed: %(difference)s. Is a place "
                    "wrong, or the sum?"
                ) % {
                    "team": sheet.context.team(team).called, "right": right, "typed": typed,
                    "difference": f"{typed - right:+d}".replace("-", "−"),
                },
            )  # fmt: skip


def _09(sheet: Sheet) -> Iterator[Finding]:
    """Nobody who retired is at the finish. Rules: BA-VAL-09, BA-RET-02."""
    cell, rows = line_cell(sheet.finish), sheet.content.lines[sheet.finish]
    for who in dict.fromkeys(rows):
        if who is not None and who.id in sheet.content.retired:
            yield refused(
                "BA-VAL-09", cell,
                _("%(who)s is at the finish and has retired. Which is wrong?") % {"who": sheet.who(who)}, "BA-RET-02",
            )  # fmt: skip
    if sheet.context.madison:
        return
    gone = Counter(sheet.context.racers[racer].team for racer in sheet.content.retired if racer in sheet.context.racers)
    for team, count in Counter(who.team for who in rows if who is not None).items():
        left = sheet.context.most_of_a_team - gone[team]
        if gone[team] and count > left and any(who == Crosser(team) for who in rows):
            yield refused(
                "BA-VAL-09", cell,
                _("%(team)s is %(count)s times at the finish, and %(left)s of its cyclists have not retired. Which is wrong?")
                % {"team": sheet.context.team(team).called, "count": count, "left": left},
                "BA-RET-02",
            )  # fmt: skip


def _10(sheet: Sheet) -> Iterator[Finding]:
    """Level teams without anybody at the finish: who was ahead? Who cannot say it lets them share the place.

    Rules: BA-VAL-10, BA-VAL-11, BA-TIE-03.
    """
    madison = sheet.context.madison
    code = "BA-VAL-11" if madison else "BA-VAL-10"
    for group in level_and_open(sheet.content, sheet.context):
        untold = [team for team in group if team not in sheet.content.leftover]
        if not untold:
            continue
        points = total(sheet.content, sheet.context, group[0])
        teams = listed(sheet.context.team(team).called for team in group)
        yield asked(
            code, "leftover",
            _(
                "%(teams)s are level with %(points)s points, and none of them is at the finish. Who was further ahead at the "
                "end? List them, the first in front; or tick that they share the place."
            ) % {"teams": teams, "points": points},
            points, *(sheet.context.team_ids.index(team) + 1 for team in group),
            rule="BA-MAD-23" if madison else "BA-TIE-03",
        )  # fmt: skip


def _11(sheet: Sheet) -> Iterator[Finding]:
    """Madison: each team once on a line; enough at the last one; how far each team came.

    Rules: BA-VAL-11, BA-MAD-21, BA-MAD-22.
    """
    content, context = sheet.content, sheet.context
    if not context.madison:
        return
    for number, cell, rows in sheet.lines:
        for who, times in Counter(who for who in rows if who is not None).items():
            if times > 1:
                yield refused(
                    "BA-VAL-11", cell,
                    _("%(team)s crosses %(line)s once, and stands there %(count)s times. Keep one.")
                    % {"team": sheet.who(who), "line": sheet.name(number), "count": times},
                )  # fmt: skip
    crossed = len(content.lines[sheet.finish])
    if crossed < sheet.quota and not content.abandoned and not content.is_blank:
        yield missing(
            "BA-VAL-11", line_cell(sheet.finish),
            _("The race ends with %(quota)s teams over the last line, and %(count)s are told. Who else? Or was it given up?")
            % {"quota": sheet.quota, "count": crossed},
            "BA-MAD-21",
        )  # fmt: skip
    told = dict(content.distances)
    racing = [team for team in context.team_ids if team not in content.retired]
    for team in context.team_ids:
        cell = distance_cell(context, team)
        if team in content.retired:
            if team in told and not context.by_squares:
                yield refused(
                    "BA-VAL-11", cell,
                    _("%(team)s has retired and is no laps down. Clear this, or take it off the retired.")
                    % {"team": context.team(team).called},
                    "BA-MAD-25",
                )  # fmt: skip
        elif team not in told and not content.is_blank:
            yield missing(
                "BA-VAL-11", cell,
                (
                    _("Which square did %(team)s come to, counted from the start?")
                    if context.by_squares
                    else _("How many laps is %(team)s behind the team that is furthest? 0 if none.")
                ) % {"team": context.team(team).called},
                "BA-MAD-22",
            )  # fmt: skip
    if not context.by_squares and racing and all(told.get(team, 0) > 0 for team in racing):
        yield refused(
            "BA-VAL-11", distance_cell(context, racing[0]),
            _("Every team is laps down. Laps are counted behind the team that is furthest: at least one has 0."), "BA-MAD-22",
        )  # fmt: skip
    if context.by_squares:
        yield from _11_squares(sheet, told)


def _11_squares(sheet: Sheet, told: dict[str, int]) -> Iterator[Finding]:
    """How far a team came fits the lines that it crossed. Rules: BA-VAL-11, BA-SCORE-01."""
    for team, pos in told.items():
        crossed = [number for number, _, rows in sheet.lines if Crosser(team) in rows]
        last = max(crossed, default=None)
        if last is not None and pos <= sheet.context.lines[last].at:
            yield refused(
                "BA-VAL-11", distance_cell(sheet.context, team),
                _("%(team)s crossed %(line)s, so it came further than square %(at)s, and %(pos)s is typed.")
                % {
                    "team": sheet.context.team(team).called, "line": sheet.name(last),
                    "at": sheet.context.lines[last].at, "pos": pos,
                },
                "BA-SCORE-01",
            )  # fmt: skip
