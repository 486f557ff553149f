"""What can, and what cannot, stand on the sheet of a Giro stage: the checks E1 to E12, one function each.

Refused is what cannot have happened; asked about is what is unlikely, and a tick confirms it; missing is what is not
told yet. All faults are found in one pass. Statuses are folded in: a rider who did not start, did not finish, was
disqualified or has withdrawn needs no turn, and without one he is no run of a time trial.

Words: who *crossed* has a turn and arrived; too late or not, disqualified or withdrawn afterwards or not: turn, place
and clock stay facts of the stage.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.classification.status import OUT, Kind, Status
from league.sheets.content import Context, LineEntry, SheetContent, Starter, run_cell, run_of, start_energy
from league.sheets.findings import WHOLE_SHEET, Finding, Level
from league.sheets.reading import no_such_token
from league.sheets.words import listed, run_name, status_word, who, who_rides

MOST_RIDERS = 12
FASTEST_MOVE = 13  # squares in one turn: 4 free, strength, slipstream, card, 6 paid
FASTEST_PELOTON, SLOWEST_PELOTON = 7, 3  # squares in one turn
FEED_TILE = 5  # energy of the best tile
MOST_RECOVERED = 5  # energy in one turn

NEVER_CROSSED = frozenset({Status.DNS, Status.DNF})


def check(content: SheetContent, context: Context) -> tuple[Finding, ...]:
    """All findings about a readable sheet, in the order E1 to E12 and, inside a check, of the start list.

    An ask that `content.sure` confirms comes back as a note that keeps its `sure`.
    """
    sheet = _Sheet(content, context)
    found: list[Finding] = []
    for each in (_e1, _e2, _e3, _e4, _e5, _e6, _e7, _e8, _e9, _e10, _e11, _e12):
        found.extend(each(sheet))
    return tuple(
        replace(finding, level=Level.NOTE) if finding.level is Level.ASK and finding.sure in content.sure else finding
        for finding in found
    )


def progress(content: SheetContent, context: Context) -> tuple[int, int]:
    """(riders whose line is complete and nowhere refused, all riders of the stage)."""
    refused = {finding.cell for finding in check(content, context) if finding.level is Level.REFUSE}
    complete = 0
    for starter in context.starters:
        line = content.line(starter.rider)
        cells = {f"{cell}-{starter.rider}" for cell in ("place", "turn", "clock", "energy", "status", "start")}
        is_complete = line is not None and (
            line.status in OUT or (line.turn is not None and line.energy is not None)
        )  # fmt: skip
        complete += is_complete and not cells & refused
    return complete, len(context.starters)


def winner_of(content: SheetContent, context: Context) -> int | None:
    """Who crossed first on a road stage: the one with place 1, or else the only one in the earliest turn.

    None where nobody crossed, in a time trial, and as long as the sheet leaves it open. Rules: GI-F-02.
    """
    return _Sheet(content, context).winner


def riders_fit(riders: int) -> bool:
    """No race has more than 12 riders. Rules: E12."""
    return 0 <= riders <= MOST_RIDERS


def stage_numbers_consecutive(orders: Iterable[int]) -> bool:
    """The stages of a campaign count 1, 2, 3... without gap or double, in whatever order they are given. Rules: E12."""
    counted = sorted(orders)
    return counted == list(range(1, len(counted) + 1))


@dataclass
class _Sheet:
    """A sheet with the sums that more than one check needs."""

    content: SheetContent
    context: Context

    @cached_property
    def starters(self) -> dict[int, Starter]:
        return {starter.rider: starter for starter in self.context.starters}

    @cached_property
    def lines(self) -> dict[int, LineEntry]:
        """One line for each rider at the start, in the order of the start list; strangers and doubles are E1's."""
        return {rider: line for rider in self.starters if (line := self.content.line(rider)) is not None}

    @property
    def is_road(self) -> bool:
        return self.context.kind is Kind.ROAD

    @cached_property
    def crossed(self) -> dict[int, int]:
        """The turns of those who crossed the line."""
        return {
            rider: line.turn
            for rider, line in self.lines.items()
            if line.turn is not None and line.turn >= 1 and line.status not in NEVER_CROSSED
        }

    @cached_property
    def earliest(self) -> list[int]:
        """Those who crossed in the earliest turn."""
        first = min(self.crossed.values(), default=None)
        return [rider for rider, turn in self.crossed.items() if turn == first]

    @cached_property
    def firsts(self) -> list[int]:
        """Those with place 1 who may have crossed, their turn told or not."""
        return [rider for rider, line in self.lines.items() if line.place == 1 and may_have_crossed(line)]

    @cached_property
    def winner(self) -> int | None:
        if not self.is_road:
            return None
        if self.firsts:
            return self.firsts[0] if len(self.firsts) == 1 and self.firsts[0] in self.crossed else None
        if len(self.earliest) == 1 and self.lines[self.earliest[0]].place is None:
            return self.earliest[0]
        return None

    @property
    def peloton(self) -> int | None:
        """The peloton's turn, where it is told and can be one."""
        turn = self.content.peloton_turn
        return turn if self.is_road and turn is not None and turn >= 1 and not self.content.peloton_never else None

    @property
    def never(self) -> bool:
        return self.is_road and self.content.peloton_never and self.content.peloton_turn is None

    @property
    def last_turn_in_time(self) -> int | None:
        return None if self.peloton is None else self.peloton + self.context.time_limit

    @property
    def slowest_peloton(self) -> int:
        """The latest turn in which a peloton can finish on this course."""
        return _upwards(self.context.course.columns + 1, SLOWEST_PELOTON)

    @property
    def is_course_known(self) -> bool:
        return self.context.course.fewest_steps is not None

    def who(self, rider: int) -> str:
        return who_rides(self.context, rider)

    def has_bonus(self, rider: int) -> bool:
        return any(winner == rider for _token, winner in self.content.bonuses)


def may_have_crossed(line: LineEntry) -> bool:
    """Nothing on the line says that the rider did not reach the arrival line."""
    if line.status in (Status.OTL, Status.WITHDRAWN):
        return line.turn is not None
    return line.status not in NEVER_CROSSED


def never_rode(line: LineEntry) -> bool:
    """The line says that the rider was not on the road at all."""
    return line.status is Status.DNS or (line.status is Status.WITHDRAWN and line.turn is None)


def _upwards(number: int, by: int) -> int:
    return -(-number // by)


def _refuse(code: str, cell: str, message: str, rule: str | None = None) -> Finding:
    return Finding(code=code, rule=rule, level=Level.REFUSE, cell=cell, message=message)


def _missing(code: str, cell: str, message: str, rule: str | None = None, *, always: bool = False) -> Finding:
    return Finding(
        code=code, rule=rule, level=Level.MISSING, cell=cell, message=message, stops_provisional=always
    )  # fmt: skip


def _note(code: str, cell: str, message: str, rule: str | None = None) -> Finding:
    return Finding(code=code, rule=rule, level=Level.NOTE, cell=cell, message=message)


def _ask(code: str, cell: str, message: str, *about: int, rule: str | None = None) -> Finding:
    """An ask; `about` are the numbers that were asked about, so that another number is asked about again."""
    sure = "-".join(("sure", code, cell, *map(str, about)))
    return Finding(code=code, rule=rule, level=Level.ASK, cell=cell, message=message, sure=sure)


def _e1(sheet: _Sheet) -> Iterator[Finding]:
    """Exactly the riders still in the GC are listed, each once; and something is told at all."""
    listed_lines: dict[int, list[LineEntry]] = defaultdict(list)
    for line in sheet.content.lines:
        listed_lines[line.rider].append(line)
    for rider, lines in listed_lines.items():
        if rider not in sheet.starters:
            yield _refuse(
                "E1", f"turn-{rider}",
                _("A line of this sheet is of %(rider)s, who is not at the start of this stage. Empty it.")
                % {"rider": sheet.who(rider)},
            )  # fmt: skip
        elif len(lines) > 1:
            turns = [str(line.turn) if line.turn is not None else status_word(line.status) for line in lines]
            yield _refuse(
                "E1", f"turn-{rider}",
                _("%(rider)s is listed %(times)s times: %(turns)s. Keep the right line and take the others out.")
                % {"rider": sheet.who(rider), "times": len(lines), "turns": listed(turns)},
            )  # fmt: skip
    for rider in sheet.starters:
        if rider not in listed_lines:
            yield _refuse(
                "E1", f"turn-{rider}",
                _("%(rider)s is still in the Giro and has no line. Add it; if he did not start, say so.")
                % {"rider": sheet.who(rider)},
            )  # fmt: skip
    if not any(line.is_told for line in sheet.lines.values()):
        yield _missing("E1", WHOLE_SHEET, _("Nothing is told yet. Begin with the turn of the winner."), always=True)


def _e2(sheet: _Sheet) -> Iterator[Finding]:
    """Turns are 1 or more, and nobody rides more than 13 squares in one."""
    course = sheet.context.course
    steps = course.columns if course.fewest_steps is None else course.fewest_steps
    least = _upwards(steps, FASTEST_MOVE)
    for rider, line in sheet.lines.items():
        cell, name = f"turn-{rider}", sheet.who(rider)
        if line.turn is None:
            if line.status is Status.FINISHED:
                yield _missing(
                    "E2", cell, _("%(rider)s arrived, but in which turn? Type it.") % {"rider": name}
                )  # fmt: skip
            elif line.status is Status.UNRESOLVED and not _misses_in_team(sheet, rider):
                yield _missing(
                    "E2", cell,
                    _("%(rider)s has no result yet. Type his turn, or choose why he has none.") % {"rider": name},
                )  # fmt: skip
        elif line.status in NEVER_CROSSED:
            yield _refuse(
                "E2", cell,
                _(
                    "Turn %(turn)s beside “%(status)s”: %(rider)s has one or the other. Clear the turn, or choose "
                    "“arrived”."
                ) % {"turn": line.turn, "status": status_word(line.status), "rider": name},
            )  # fmt: skip
        elif line.turn < 1:
            yield _refuse(
                "E2", cell, _("The first turn of a stage is turn 1. In which turn did %(rider)s cross?") % {"rider": name}
            )  # fmt: skip
        elif line.status is Status.WITHDRAWN:
            yield _ask(
                "E2", cell,
                _(
                    "Turn %(turn)s beside “withdrawn” says that %(rider)s crossed the line and then left the Giro. If he "
                    "left before, clear the turn."
                ) % {"turn": line.turn, "rider": name},
                line.turn,
            )  # fmt: skip
        elif line.turn < least:
            facts = {"turn": line.turn, "rider": name, "least": least, "squares": FASTEST_MOVE, "steps": steps}
            if sheet.is_course_known:
                yield _refuse(
                    "E2", cell,
                    _(
                        "Turn %(turn)s is too early for %(rider)s: nobody rides more than %(squares)s squares in a turn, "
                        "and the line is %(steps)s away. Turn %(least)s is the earliest: was it later?"
                    ) % facts,
                )  # fmt: skip
            else:
                yield _ask(
                    "E2", cell,
                    _(
                        "Turn %(turn)s is early for %(rider)s: %(steps)s columns at %(squares)s squares a turn take "
                        "%(least)s turns. Is it right?"
                    ) % facts,
                    line.turn,
                )  # fmt: skip


def _e3(sheet: _Sheet) -> Iterator[Finding]:
    """The peloton's turn lies between its fastest and its slowest ride; or all crossed before it could be there."""
    if not sheet.is_road:
        return
    turn, columns = sheet.content.peloton_turn, sheet.context.course.columns
    fastest, slowest = _upwards(columns + 1, FASTEST_PELOTON), sheet.slowest_peloton
    facts = {"turn": turn, "fastest": fastest, "slowest": slowest, "columns": columns}
    if turn is not None and sheet.content.peloton_never:
        yield _refuse(
            "E3", "never",
            _("The peloton arrived in turn %(turn)s or it never arrived: clear its turn, or take the tick away.") % facts,
        )  # fmt: skip
    elif turn is not None and turn < 1:
        yield _refuse("E3", "peloton", _("The first turn of a stage is turn 1. In which turn did the peloton arrive?"))
    elif turn is not None and not fastest <= turn <= slowest:
        message = _(
            "Turn %(turn)s cannot be the peloton's: it rides 3 to 7 squares a turn, so over %(columns)s columns it "
            "arrives in turn %(fastest)s to %(slowest)s. Is it one of these, or did it never arrive?"
        ) if sheet.is_course_known else _(
            "Turn %(turn)s is odd for the peloton: over %(columns)s columns it arrives in turn %(fastest)s to "
            "%(slowest)s. Is it right?"
        )  # fmt: skip
        if sheet.is_course_known:
            yield _refuse("E3", "peloton", message % facts, "GI-B4-01")
        else:
            yield _ask("E3", "peloton", message % facts, turn, rule="GI-B4-01")
    elif sheet.never:
        yield from _e3_never(sheet, slowest)
    elif turn is None and not sheet.content.is_blank:
        yield _missing(
            "E3", "peloton",
            _("The peloton's turn is not told. Type it, or tick that it never arrived: nobody is too late then."),
            "GI-F-05",
        )  # fmt: skip


def _e3_never(sheet: _Sheet, slowest: int) -> Iterator[Finding]:
    """A peloton that never arrived was overtaken by the last rider before it could be there. Rules: GI-F-05."""
    last = max(sheet.crossed, key=lambda rider: sheet.crossed[rider], default=None)
    if last is not None and sheet.crossed[last] > slowest:
        facts = {"rider": sheet.who(last), "turn": sheet.crossed[last], "slowest": slowest}
        if sheet.is_course_known:
            yield _refuse(
                "E3", "never",
                _(
                    "%(rider)s crossed in turn %(turn)s, and by turn %(slowest)s the slowest peloton is there. So it "
                    "did arrive: type its turn, or correct his."
                ) % facts,
                "GI-F-05",
            )  # fmt: skip
        else:
            yield _ask(
                "E3", "never",
                _(
                    "%(rider)s crossed in turn %(turn)s, and the slowest peloton would be there by turn %(slowest)s. "
                    "Did it really never arrive?"
                ) % facts,
                sheet.crossed[last], rule="GI-F-05",
            )  # fmt: skip


def _e4(sheet: _Sheet) -> Iterator[Finding]:
    """One winner, in the earliest turn; no place twice; the order of places is that of the turns. Rules: GI-F-02."""
    misplaced = set()
    for rider, line in sheet.lines.items():
        if line.place is None:
            continue
        reason = _why_no_place(sheet, rider, line, line.place)
        if reason is not None:
            misplaced.add(rider)
            yield _refuse("E4", f"place-{rider}", reason, "GI-F-02" if sheet.is_road else "GI-D3-12")
    if not sheet.is_road:
        return
    yield from _e4_winner(sheet)
    yield from _e4_order(sheet, misplaced)
    for rider, line in sheet.lines.items():
        if line.place is not None and line.place > len(sheet.starters) and rider not in misplaced:
            yield _ask(
                "E4", f"place-{rider}",
                _("Place %(place)s of %(riders)s riders: is it right for %(rider)s?")
                % {"place": line.place, "riders": len(sheet.starters), "rider": sheet.who(rider)},
                line.place, rule="GI-F-02",
            )  # fmt: skip


def _why_no_place(sheet: _Sheet, rider: int, line: LineEntry, place: int) -> str | None:
    if not sheet.is_road:
        return _("A time trial has no order over the line. Clear the place; who was faster stands under Clock.")
    if place < 1:
        return _("The first place is place 1. Which place did %(rider)s take?") % {"rider": sheet.who(rider)}
    if not may_have_crossed(line):
        return _(
            "Place %(place)s beside “%(status)s”: %(rider)s has one or the other. Clear the place, or choose “arrived”."
        ) % {"place": place, "status": status_word(line.status), "rider": sheet.who(rider)}
    return None


def _e4_winner(sheet: _Sheet) -> Iterator[Finding]:
    if not sheet.crossed:
        everyone_out = sheet.lines and all(line.status in OUT for line in sheet.lines.values())
        if everyone_out and len(sheet.lines) == len(sheet.starters):
            yield _ask(
                "E4", WHOLE_SHEET,
                _("Nobody has a turn: the whole field is out, and the Giro ends here. Is that so?"), rule="GI-D1-08",
            )  # fmt: skip
        return
    if len(sheet.firsts) > 1:
        return  # a place given twice: said with the order
    if sheet.firsts and sheet.firsts[0] not in sheet.crossed:
        rider = sheet.firsts[0]
        if sheet.lines[rider].turn is None:
            yield _missing(
                "E4", f"turn-{rider}",
                _("%(rider)s has place 1 and no turn. All gaps count from it: type the winner's turn.")
                % {"rider": sheet.who(rider)},
                "GI-D1-01", always=True,
            )  # fmt: skip
        return
    first_turn = sheet.crossed[sheet.earliest[0]]
    if sheet.firsts:
        yield from _e4_before_winner(sheet, sheet.firsts[0])
    elif len(sheet.earliest) > 1:
        names = {"riders": listed(map(sheet.who, sheet.earliest)), "turn": first_turn}
        for rider in sheet.earliest:
            yield _refuse(
                "E4", f"place-{rider}",
                _("%(riders)s all crossed in turn %(turn)s, the earliest. Who crossed first? Give him place 1.") % names
                if len(sheet.earliest) > 2
                else _("%(riders)s both crossed in turn %(turn)s, the earliest. Who crossed first? Give him place 1.")
                % names,
                "GI-F-02",
            )  # fmt: skip
    elif sheet.winner is None:
        rider = sheet.earliest[0]
        yield _refuse(
            "E4", f"place-{rider}",
            _(
                "%(rider)s has place %(place)s, and nobody has place 1. His turn %(turn)s is the earliest: did he win, or "
                "is a turn wrong?"
            ) % {"rider": sheet.who(rider), "place": sheet.lines[rider].place, "turn": first_turn},
            "GI-F-02",
        )  # fmt: skip
    else:
        yield _note(
            "E4", f"place-{sheet.winner}",
            _("%(rider)s wins: nobody else crossed in turn %(turn)s.")
            % {"rider": sheet.who(sheet.winner), "turn": first_turn},
            "GI-F-02",
        )  # fmt: skip


def _earlier_than_winner(sheet: _Sheet, winner: int) -> list[int]:
    return [rider for rider, turn in sheet.crossed.items() if turn < sheet.crossed[winner]]


def _e4_before_winner(sheet: _Sheet, winner: int) -> Iterator[Finding]:
    earlier, winning_turn = _earlier_than_winner(sheet, winner), sheet.crossed[winner]
    if len(earlier) > 1 and len(earlier) == len(sheet.crossed) - 1:
        # Everybody before the winner: it is his turn that is wrong, not all the others.
        yield _refuse(
            "E4", f"turn-{winner}",
            _(
                "The winner's turn %(turn)s is later than everybody else's; the earliest is %(first)s. Nobody can cross "
                "before the winner: is %(turn)s right, or did somebody else win?"
            ) % {"turn": winning_turn, "first": min(sheet.crossed.values())},
            "GI-F-02",
        )  # fmt: skip
        return
    for rider in earlier:
        yield _refuse(
            "E4", f"turn-{rider}",
            _(
                "Turn %(turn)s is earlier than the winner's %(winning)s. Nobody can cross before the winner: is it "
                "%(next)s, or did %(rider)s win?"
            ) % {
                "turn": sheet.crossed[rider], "winning": winning_turn, "next": winning_turn + 1,
                "rider": sheet.who(rider),
            },
            "GI-F-02",
        )  # fmt: skip


def _e4_order(sheet: _Sheet, misplaced: set[int]) -> Iterator[Finding]:
    """No place twice, and whoever has the later place has no earlier turn."""
    holders: dict[int, list[int]] = defaultdict(list)
    for rider, line in sheet.lines.items():
        if line.place is not None and rider not in misplaced:
            holders[line.place].append(rider)
    for place, riders in sorted(holders.items()):
        for rider in riders if len(riders) > 1 else ():
            others = listed(sheet.who(other) for other in riders if other != rider)
            yield _refuse(
                "E4", f"place-{rider}",
                _("Place %(place)s is taken twice: by %(rider)s and by %(others)s. Who crossed before whom?")
                % {"place": place, "rider": sheet.who(rider), "others": others},
                "GI-F-02",
            )  # fmt: skip
    said = set(_earlier_than_winner(sheet, sheet.winner)) if sheet.winner is not None and sheet.firsts else set()
    rows = [
        (place, riders[0])
        for place, riders in sorted(holders.items())
        if len(riders) == 1 and riders[0] in sheet.crossed and riders[0] not in said
    ]
    latest: int | None = None
    for place, rider in rows:
        if latest is None or sheet.crossed[rider] >= sheet.crossed[latest]:
            latest = rider
            continue
        yield _refuse(
            "E4", f"place-{rider}",
            _(
                "Place %(place)s in turn %(turn)s comes after place %(other_place)s, %(other)s, in turn %(other_turn)s. "
                "Change the places, or correct a turn."
            ) % {
                "place": place, "turn": sheet.crossed[rider],
                "other_place": sheet.lines[latest].place, "other": sheet.who(latest),
                "other_turn": sheet.crossed[latest],
            },
            "GI-F-02",
        )  # fmt: skip
    for place, rider in rows:
        unplaced = [
            other
            for other, turn in sheet.crossed.items()
            if turn < sheet.crossed[rider] and sheet.lines[other].place is None and other != sheet.winner
        ]
        ahead = sum(turn < sheet.crossed[rider] for turn in sheet.crossed.values())
        if unplaced and place <= ahead:
            yield _ask(
                "E4", f"place-{rider}",
                _("Place %(place)s for %(rider)s, but %(ahead)s crossed in earlier turns (%(unplaced)s too). Is it right?")
                % {
                    "place": place, "rider": sheet.who(rider), "ahead": ahead,
                    "unplaced": listed(map(sheet.who, unplaced)),
                },
                place, ahead, rule="GI-F-02",
            )  # fmt: skip


def _e5(sheet: _Sheet) -> Iterator[Finding]:
    """Who crossed more than 3 turns after the peloton, or not at all, is out; asked about so that a slip is seen.

    Rules: GI-F-05, GI-D1-05.
    """
    limit, last = sheet.context.time_limit, sheet.last_turn_in_time
    for rider, line in sheet.lines.items():
        if line.status not in (Status.FINISHED, Status.OTL):
            continue
        name = sheet.who(rider)
        out = (
            _("%(rider)s is out of the Giro, and his bonus lapses.")
            if sheet.has_bonus(rider)
            else _("%(rider)s is out of the Giro.")
        ) % {"rider": name}  # fmt: skip
        if line.status is Status.OTL and not sheet.is_road:
            yield _refuse(
                "E5", f"status-{rider}",
                _("A time trial has no time limit. Give the turns of %(rider)s, or say that he did not start or finish.")
                % {"rider": name},
                "GI-D3-01",
            )  # fmt: skip
        elif line.status is Status.OTL and sheet.never:
            yield _refuse(
                "E5", f"status-{rider}",
                _(
                    "The peloton never arrived, so nobody is too late. Give the turn of %(rider)s, or the peloton's; if "
                    "he left the race, choose “did not finish”."
                ) % {"rider": name},
                "GI-F-05",
            )  # fmt: skip
        elif line.turn is None:
            if line.status is Status.OTL:
                message = (
                    _("Not arrived in time. %(out)s") % {"out": out}
                    if last is None
                    else _("Not arrived by turn %(last)s (%(peloton)s + %(limit)s). %(out)s")
                    % {"last": last, "peloton": last - limit, "limit": limit, "out": out}
                )
                about = () if last is None else (last - limit,)
                yield _ask("E5", f"status-{rider}", message, *about, rule="GI-D1-05")
        elif last is not None and line.turn > last:
            message = _("Turn %(turn)s is more than %(limit)s after the peloton's %(peloton)s. %(out)s") % {
                "turn": line.turn, "limit": limit, "peloton": last - limit, "out": out,
            }  # fmt: skip
            yield _ask("E5", f"turn-{rider}", message, line.turn, last - limit, rule="GI-D1-05")
        elif last is not None and line.status is Status.OTL:
            yield _refuse(
                "E5", f"status-{rider}",
                _(
                    "Turn %(turn)s is in time: the limit is turn %(last)s (%(peloton)s + %(limit)s). Is the turn of "
                    "%(rider)s wrong, or did he arrive?"
                ) % {"turn": line.turn, "last": last, "peloton": sheet.peloton, "limit": limit, "rider": name},
                "GI-F-05",
            )  # fmt: skip


def _e6(sheet: _Sheet) -> Iterator[Finding]:
    """A winner after the peloton: only if everybody was behind an empty one. Rules: GI-B4-10."""
    if sheet.winner is None or sheet.peloton is None:
        return
    turn = sheet.crossed[sheet.winner]
    if turn > sheet.peloton:
        yield _ask(
            "E6", f"turn-{sheet.winner}",
            _(
                "The winner's turn %(turn)s is after the peloton's %(peloton)s. That happens only when everybody has been "
                "dropped. Is it right?"
            ) % {"turn": turn, "peloton": sheet.peloton},
            turn, sheet.peloton, rule="GI-B4-10",
        )  # fmt: skip


def _e7(sheet: _Sheet) -> Iterator[Finding]:
    """Nobody has more energy left than he can have had, found in feed zones and recovered. Rules: GI-M-03, GI-D4-02."""
    feed = sheet.context.course.feed if sheet.is_road else 0
    for rider, line in sheet.lines.items():
        cell, name = f"energy-{rider}", sheet.who(rider)
        if line.energy is None:
            if line.status is Status.FINISHED and rider in sheet.crossed:
                yield _missing(
                    "E7", cell,
                    _("How much energy has %(rider)s left? It breaks ties and is carried on; 0 if nothing.")
                    % {"rider": name},
                    "GI-D1-06", always=True,
                )  # fmt: skip
            continue
        if line.energy < 0:
            yield _refuse("E7", cell, _("Energy is never below 0. How much has %(rider)s left?") % {"rider": name})
            continue
        if (carry := sheet.starters[rider].carry) is None:
            continue  # nobody knows yet with how much he started
        start = start_energy(sheet.context.course, carry)
        likely, turns = start + FEED_TILE * feed, _turns_ridden(sheet, line)
        facts = {"energy": line.energy, "rider": name, "start": start, "feed": feed, "likely": likely}
        if turns is not None and line.energy > (most := likely + FEED_TILE + MOST_RECOVERED * turns):
            yield _refuse(
                "E7", cell,
                _(
                    "Energy %(energy)s is more than %(rider)s can have: he started with %(start)s, and all that feed "
                    "zones, a card and %(turns)s turns can give makes %(most)s. Is a digit too many?"
                ) % {**facts, "turns": turns, "most": most},
                "GI-D4-02",
            )  # fmt: skip
        elif line.energy > likely:
            yield _ask(
                "E7", cell,
                (
                    _("Energy %(energy)s is more than %(rider)s started with, %(start)s. Is it right?")
                    if feed == 0
                    else _(
                        "Energy %(energy)s is more than %(rider)s had at the start and could pick up in feed zones "
                        "(%(likely)s). Is it right?"
                    )
                ) % facts,
                line.energy, likely, rule="GI-D4-02",
            )  # fmt: skip


def _turns_ridden(sheet: _Sheet, line: LineEntry) -> int | None:
    """The most turns a rider can have ridden: his own, or those until the time limit, or until the last one crossed."""
    if line.turn is not None and line.turn >= 1:
        return line.turn
    if sheet.last_turn_in_time is not None:
        return sheet.last_turn_in_time
    return max(sheet.crossed.values(), default=None)


def _e8(sheet: _Sheet) -> Iterator[Finding]:
    """Each bonus token of the course: one rider who rode the stage, or nobody. Rules: GI-D2-01."""
    tokens = range(1, len(sheet.context.course.bonus) + 1) if sheet.is_road else range(0)
    told: dict[int, list[int | None]] = defaultdict(list)
    for token, winner in sheet.content.bonuses:
        told[token].append(winner)
    for token, winners in told.items():
        cell = f"bonus-{token}"
        if token not in tokens:
            yield _refuse("E8", cell, no_such_token(sheet.context), "GI-D2-01")
            continue
        if len(winners) > 1:
            names = listed(_("nobody") if winner is None else sheet.who(winner) for winner in winners)
            yield _refuse(
                "E8", cell,
                _("This bonus is given to %(riders)s. One rider at most crosses the line first: keep one.")
                % {"riders": names},
                "GI-D2-01",
            )  # fmt: skip
            continue
        winner = winners[0]
        if winner is None:
            continue
        if winner not in sheet.starters:
            yield _refuse(
                "E8", cell,
                _("%(rider)s is not at the start of this stage. Choose who crossed the bonus line first, or nobody.")
                % {"rider": sheet.who(winner)},
                "GI-D2-01",
            )  # fmt: skip
        elif winner in sheet.lines and never_rode(sheet.lines[winner]):
            yield _refuse(
                "E8", cell,
                _(
                    "%(rider)s wins the bonus and is marked “%(status)s”. Choose another rider or nobody; if he left on "
                    "the road, his status is “did not finish”."
                ) % {"rider": sheet.who(winner), "status": status_word(sheet.lines[winner].status)},
                "GI-D2-01",
            )  # fmt: skip
        elif winner in sheet.lines and sheet.lines[winner].status in (Status.DNF, Status.DSQ, Status.WITHDRAWN):
            yield _note(
                "E8", cell,
                _("%(rider)s is out of the Giro, and his bonus lapses.") % {"rider": sheet.who(winner)}, "GI-D1-05",
            )  # fmt: skip
    for token in tokens:
        if token not in told and not sheet.content.is_blank:
            yield _missing(
                "E8", f"bonus-{token}",
                _("Who crossed the bonus line at column %(column)s first? Choose the rider, or nobody.")
                % {"column": sheet.context.course.bonus[token - 1]},
                "GI-D2-01",
            )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Run:
    """What the clock takes in a time trial: a rider, or all riders of a team. Rules: GI-D3-05, GI-D3-15."""

    cell: str
    name: str
    riders: tuple[int, ...]


def _runs(sheet: _Sheet) -> list[_Run]:
    if sheet.context.kind is Kind.TTT:
        riders_of: dict[tuple[int, int], list[int]] = defaultdict(list)
        for rider in sheet.lines:
            riders_of[run_of(sheet.starters[rider])].append(rider)
        return [
            _Run(run_cell(run), run_name(sheet.context, run), tuple(riders)) for run, riders in riders_of.items()
        ]  # fmt: skip
    return [_Run(f"clock-{rider}", sheet.who(rider), (rider,)) for rider in sheet.lines]


def _has_arrived(sheet: _Sheet, run: _Run) -> bool:
    return any(rider in sheet.crossed for rider in run.riders)


def _is_open(sheet: _Sheet, run: _Run) -> bool:
    """No rider of the run has arrived, and one may still have."""
    return not _has_arrived(sheet, run) and any(
        sheet.lines[rider].status in (Status.UNRESOLVED, Status.FINISHED) for rider in run.riders
    )


def _clock_of(sheet: _Sheet, run: _Run) -> int | None:
    return next((clock for rider in run.riders if (clock := sheet.lines[rider].clock) is not None), None)


def _e9(sheet: _Sheet) -> Iterator[Finding]:
    """Time trial: clock places 1 to n of the n runs that arrived, or none at all; no peloton. Rules: GI-D3-01, GI-D3-12."""
    if sheet.is_road:
        for rider, line in sheet.lines.items():
            if line.clock is not None:
                yield _refuse(
                    "E9", f"clock-{rider}", _("A road stage has no clock. Clear this cell; the order stands under Place.")
                )  # fmt: skip
        return
    if sheet.content.peloton_turn is not None:
        yield _refuse("E9", "peloton", _("A time trial has no peloton. Clear its turn."), "GI-D3-01")
    if sheet.content.peloton_never:
        yield _refuse("E9", "never", _("A time trial has no peloton. Take the tick away."), "GI-D3-01")
    runs = _runs(sheet)
    clocks = {run: clock for run in runs if (clock := _clock_of(sheet, run)) is not None}
    arrived = [run for run in runs if _has_arrived(sheet, run)]
    places = len(arrived) + sum(_is_open(sheet, run) for run in runs)
    for run in runs:
        if len({sheet.lines[rider].clock for rider in run.riders}) > 1:
            yield _refuse(
                "E9", run.cell,
                _("The riders of %(team)s have different clock places. A team has one: which is it?") % {"team": run.name},
                "GI-D3-15",
            )  # fmt: skip
    holders: dict[int, list[_Run]] = defaultdict(list)
    for run, clock in clocks.items():
        if not _has_arrived(sheet, run) and not _is_open(sheet, run):
            yield _refuse(
                "E9", run.cell,
                _("%(run)s has clock place %(clock)s and did not arrive. Clear the clock place, or mend the status.")
                % {"run": run.name, "clock": clock},
                "GI-D3-12",
            )  # fmt: skip
        elif not 1 <= clock <= places:
            yield _refuse(
                "E9", run.cell,
                ngettext(
                    "Clock place %(clock)s cannot be: only %(run)s is on the clock, so it is 1.",
                    "Clock place %(clock)s cannot be %(run)s's: %(places)s are on the clock, so it is 1 to %(places)s.",
                    places,
                ) % {"clock": clock, "run": run.name, "places": places},
                "GI-D3-12",
            )  # fmt: skip
        else:
            holders[clock].append(run)
    for clock, sharing in sorted(holders.items()):
        for run in sharing if len(sharing) > 1 else ():
            others = listed(other.name for other in sharing if other != run)
            yield _refuse(
                "E9", run.cell,
                _("Clock place %(clock)s is taken twice: by %(run)s and by %(others)s. Who was faster?")
                % {"clock": clock, "run": run.name, "others": others},
                "GI-D3-12",
            )  # fmt: skip
    yield from _e9_untimed(arrived, clocks)


def _e9_untimed(arrived: Sequence[_Run], clocks: Mapping[_Run, int]) -> Iterator[Finding]:
    if arrived and not clocks:
        yield _note(
            "E9", arrived[0].cell,
            _("No clock places: fewer turns count as faster, then more energy left, then the draft order."), "GI-D3-12",
        )  # fmt: skip
        return
    for run in arrived:
        if run not in clocks:
            yield _missing(
                "E9", run.cell,
                _("%(run)s has no clock place and others have. Type it, or clear all of them.") % {"run": run.name},
                "GI-D3-12", always=True,
            )  # fmt: skip


def _misses_in_team(sheet: _Sheet, rider: int) -> bool:
    """A team-mate's turn of a team time trial is told, his own is not."""
    starter = sheet.starters[rider]
    return sheet.context.kind is Kind.TTT and starter.team is not None and any(
        sheet.starters[other].team == starter.team for other in sheet.crossed
    )  # fmt: skip


def _e10(sheet: _Sheet) -> Iterator[Finding]:
    """Team time trial: a team's turns are those of its last rider, so every rider of it must be told. Rules: GI-D3-15."""
    for rider, starter in sheet.starters.items():
        line = sheet.lines.get(rider)
        if (line is None or line.status is Status.UNRESOLVED) and _misses_in_team(sheet, rider):
            yield _missing(
                "E10", f"turn-{rider}",
                _(
                    "%(team)s is timed with its last rider, and %(rider)s has no result yet. Type his turns, or choose why "
                    "he has none."
                ) % {"team": run_name(sheet.context, run_of(starter)), "rider": who(starter)},
                "GI-D3-15",
            )  # fmt: skip


def team_turns(content: SheetContent, context: Context) -> dict[tuple[int, int], int]:
    """The turns of each run of a team time trial that has arrived: those of its last rider over the line.

    Rules: E10, GI-D3-15.
    """
    sheet = _Sheet(content, context)
    turns: dict[tuple[int, int], int] = {}
    for rider, turn in sheet.crossed.items():
        run = run_of(sheet.starters[rider])
        turns[run] = max(turn, turns.get(run, 0))
    return turns


def _e11(sheet: _Sheet) -> Iterator[Finding]:
    """Energy typed for the start is the course's and what was carried over. Rules: GI-D4-02."""
    for rider, line in sheet.lines.items():
        if (carry := sheet.starters[rider].carry) is None:
            continue
        right = start_energy(sheet.context.course, carry)
        if line.start is not None and line.start != right:
            yield _refuse(
                "E11", f"start-{rider}",
                _(
                    "%(rider)s starts with %(right)s: %(course)s for the course and %(carry)s carried over. %(typed)s was "
                    "typed: correct it or leave it blank."
                ) % {
                    "rider": sheet.who(rider), "right": right, "course": right - carry, "carry": carry,
                    "typed": line.start,
                },
                "GI-D4-02",
            )  # fmt: skip


def _e12(sheet: _Sheet) -> Iterator[Finding]:
    """A race has 12 riders at most."""
    if not riders_fit(len(sheet.starters)):
        yield _refuse(
            "E12", WHOLE_SHEET,
            _("%(riders)s riders are at the start, and a race has %(most)s at most. Mend the start list.")
            % {"riders": len(sheet.starters), "most": MOST_RIDERS},
        )  # fmt: skip
