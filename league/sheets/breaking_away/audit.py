"""The audit of a physical race: its log sheets are ridden again by the engine, and compared with what was told.

First hands that nobody may have are refused (BA-VAL-21). Of everything else the first discrepancy is reported (BA-VAL-20): the
turn, the cyclist, the factor, what he held, who was to move, which factor was due; and where the ride comes to another
result than the sheet. It is asked about, not refused: the race was ridden as it was ridden, and a tick says so.

Hands are checked where all are told, else whatever public data forbid (BA-REF-02). The rest of the race is recomputed.
"""

from collections.abc import Iterator, Mapping, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.sheets.breaking_away.checks import asked, line_words, noted, refused
from league.sheets.breaking_away.content import Context, Crosser, Gone, SheetContent, Spent
from league.sheets.breaking_away.reading import distance_cell, line_cell
from league.sheets.breaking_away.result import behind
from league.sheets.findings import WHOLE_SHEET, Finding
from rules.breaking_away import allocation
from rules.breaking_away.actions import (
    Action,
    Allocate,
    AskRetire,
    Change,
    FirstSeat,
    Move,
    OnPaper,
    Place,
    Rate,
    Stay,
    VoteRetire,
)
from rules.breaking_away.data import ALLOTMENTS
from rules.breaking_away.events import Event, Replaced
from rules.breaking_away.game import BREAKING_AWAY as GAME
from rules.breaking_away.options import Hands, MadisonRatings, TurnMode, write_options
from rules.breaking_away.state import Phase, State, Where
from rules.breaking_away.turn import rides
from rules.errors import IllegalAction, RulesError, Saying


def audit(content: SheetContent, context: Context) -> tuple[Finding, ...]:
    """What there is to say about the log sheets; nothing where none is typed. Rules: BA-VAL-20, BA-VAL-21."""
    if not content.log.is_told:
        return ()
    wrong = tuple(_hands(content, context))
    if wrong:
        return wrong
    ride = _Ride(content, context)
    try:
        ride.from_start_to_end()
        ride.compare()
    except _Discrepancy as first:
        turn = ride.state.turn if ride.state else 0
        return (asked("BA-VAL-20", first.cell, first.message, turn, first.index, rule=first.rule),)
    ridden = len(content.log.turns)
    found = [
        noted(
            "BA-VAL-20",
            WHOLE_SHEET,
            ngettext(
                "The log was ridden again: %(count)s turn, and nothing disagrees with the sheet.",
                "The log was ridden again: %(count)s turns, and nothing disagrees with the sheet.",
                ridden,
            )
            % {"count": ridden},
        )
    ]
    if not ride.hands_known:
        found.append(
            noted(
                "BA-VAL-20", WHOLE_SHEET,
                _("First hands are not told of everybody, so factors were checked against what was announced."), "BA-REF-02",
            )
        )  # fmt: skip
    return tuple(found)


def said(saying: Saying) -> str:
    return str(_(saying.message) % saying.params)


def _ratings(content: SheetContent, context: Context) -> dict[str, tuple[int, ...]]:
    """What the cyclists of each team may begin with: their numbers, in a Madison their ratings, as far as they are told."""
    if not context.madison:
        return dict.fromkeys(context.team_ids, context.numbers)
    if context.options.madison_ratings is MadisonRatings.FREE:
        return dict(content.log.ratings)
    state = GAME.setup(_options(context, hands_known=False), _entrants(context))
    return {
        team.id: pair for team, pair in zip(state.field.teams, state.ratings, strict=True) if pair is not None
    }  # fmt: skip


def _hands(content: SheetContent, context: Context) -> Iterator[Finding]:
    """First hands that the rules do not allow. Rules: BA-VAL-21, BA-SET-04, BA-SET-05, BA-MAD-03."""
    hands = dict(content.log.hands)
    for team, ratings in _ratings(content, context).items():
        for number, rating in zip(context.numbers, ratings, strict=False):
            cyclist = f"{team}{number}"
            if cyclist not in hands or rating not in ALLOTMENTS:
                continue
            try:
                allocation.checked(cyclist, hands[cyclist], rating, context.options.allocation_exact)
            except IllegalAction as fault:
                yield refused("BA-VAL-21", f"hand-{cyclist}", said(fault.sayings[0]), fault.rule)


def _options(context: Context, *, hands_known: bool) -> dict[str, object]:
    """The race as it is ridden again: one after the other, whichever way factors were handed in (the moves are the same)."""
    told = write_options(context.options)
    for name in ("auto_single", "open_hands"):
        told.pop(name, None)
    return told | {
        "turn_mode": TurnMode.SEQUENTIAL.value,
        "hands": (Hands.ENGINE if hands_known else Hands.CLOSED).value,
    }


def _entrants(context: Context) -> list[dict[str, object]]:
    """The players clockwise, each with his teams."""
    teams: dict[str, list[str]] = {}
    for team in context.teams:
        teams.setdefault(team.player, []).append(team.id)
    return [{"seat": player, "teams": own} for player, own in teams.items()]


class _Discrepancy(Exception):
    """The first thing that does not fit: at which cell, and of how many that were looked at there."""

    def __init__(self, cell: str, message: str, rule: str | None = None, index: int = 0) -> None:
        super().__init__(message)
        self.cell, self.message, self.rule, self.index = cell, message, rule, index


class _Ride:
    """The race once more, as far as the log goes."""

    state: State

    def __init__(self, content: SheetContent, context: Context) -> None:
        self.content, self.context, self.log = content, context, content.log
        hands = dict(self.log.hands)
        self.hands_known = all(cyclist in hands for cyclist in context.cyclists)
        self.hands = hands

    def do(self, action: Action, cell: str, about: str = "", index: int = 0) -> Sequence[Event]:
        """Take an answer. What the rules forbid is the discrepancy; `about` says of whom and when."""
        try:
            step = GAME.apply(self.state, action)
        except IllegalAction as fault:
            raise _Discrepancy(cell, f"{about} {said(fault.sayings[0])}".strip(), fault.rule, index) from None
        self.state = step.state
        return step.events

    # ---- the ride ----------------------------------------------------------------------------------------------------
    def from_start_to_end(self) -> None:
        self.line_up()
        told = dict(self.log.turns)
        for number in range(1, max(told, default=0) + 1):
            cell = f"turn-{number}"
            if self.state.over is not None:
                last = next(turn for turn in told if turn >= number)
                raise _Discrepancy(
                    f"turn-{last}",
                    _("The race was over in turn %(over)s, and the log goes on to turn %(turn)s.")
                    % {"over": self.state.turn, "turn": last},
                    "BA-END-01",
                )  # fmt: skip
            if number not in told:
                raise _Discrepancy(cell, _("Turn %(turn)s is missing in the log.") % {"turn": number})
            self.turn(number, told[number])
        if self.state.over is None and not self.content.abandoned:
            raise _Discrepancy(
                f"turn-{self.state.turn}",
                _("The log ends before turn %(turn)s, and the race is not over by then.") % {"turn": self.state.turn},
            )  # fmt: skip

    def line_up(self) -> None:
        """Everything before the first turn."""
        context, log = self.context, self.log
        try:
            self.state = GAME.setup(_options(context, hands_known=self.hands_known), _entrants(context))
        except RulesError as fault:
            raise _Discrepancy(WHOLE_SHEET, said(fault.sayings[0]), fault.sayings[0].rule) from None
        ratings, lineups = dict(log.ratings), dict(log.lineups)
        if self.state.phase is Phase.RATE:
            for team in context.team_ids:
                pair = ratings.get(team, ())
                if len(pair) != len(context.numbers):
                    raise _Discrepancy(
                        f"rating-{team}",
                        _("How strong are the two cyclists of %(team)s? Type both ratings, as “1 2”.") % {"team": team},
                        "BA-MAD-02",
                    )  # fmt: skip
                self.do(Rate(team=team, r1=pair[0], r2=pair[1]), f"rating-{team}")
        for team in context.team_ids:
            if self.hands_known:
                hands = tuple((str(number), self.hands[f"{team}{number}"]) for number in context.numbers)
                self.do(Allocate(team=team, hands=hands), f"hand-{team}{context.numbers[0]}")
            else:
                self.do(OnPaper(team=team), WHOLE_SHEET)
        if not log.first:
            raise _Discrepancy(
                "first", _("Who began in turn 1? Without that the log cannot be followed."), "BA-TURN-01"
            )
        self.do(FirstSeat(seat=context.team(log.first).player), "first")
        while self.state.phase is Phase.PLACE:
            team = self.state.field.names[self.state.order[self.state.done]]
            lineup = lineups.get(team, ())
            if len(lineup) != 2:
                raise _Discrepancy(
                    f"lineup-{team}",
                    _(
                        "Which of the two of %(team)s rode first, and beside which square did the other rest? Type both, as "
                        "“1 12”."
                    ) % {"team": team},
                    "BA-MAD-04",
                )  # fmt: skip
            self.do(Place(team=team, active=lineup[0], square=lineup[1]), f"lineup-{team}")

    def turn(self, number: int, entries: Sequence[Spent | Gone]) -> None:
        """A turn of the log: who retires, then every factor in its order, then the new factors and the changes."""
        cell = f"turn-{number}"
        gone = [entry.racer for entry in entries if isinstance(entry, Gone)]
        spent = [entry for entry in entries if isinstance(entry, Spent)]
        for racer in gone:
            self.retire(racer, cell, number)
        rode = {team: self._rides(team) for team in dict(self.log.changes).get(number, ())}
        events: list[Event] = []
        for index, entry in enumerate(spent, start=1):
            if self.state.over is not None or self.state.turn != number or self.state.phase is not Phase.MOVE:
                raise _Discrepancy(
                    cell,
                    _("Turn %(turn)s: the move of %(cyclist)s comes after the last one.")
                    % {"turn": number, "cyclist": entry.cyclist},
                    "BA-END-01" if self.state.over is not None else "BA-TURN-06",
                    index,
                )  # fmt: skip
            about = _("Turn %(turn)s, %(cyclist)s with factor %(factor)s.") % {
                "turn": number, "cyclist": entry.cyclist, "factor": entry.factor,
            }  # fmt: skip
            events += self.do(Move(cyclist=entry.cyclist, factor=entry.factor), cell, about, index)
        if self.state.over is None and self.state.phase is Phase.MOVE and self.state.turn == number:
            due = rides(self.state, self.state.order[self.state.done])
            if not (self.content.abandoned and number == self.log.turns[-1][0]):
                raise _Discrepancy(
                    cell,
                    _("Turn %(turn)s: %(cyclist)s is to move, and the log does not say with what.")
                    % {"turn": number, "cyclist": due},
                    "BA-TURN-06",
                )  # fmt: skip
        self.new_factors(number, spent, events)
        self.changes(number, rode)
        for racer in gone:
            where = self.state.racers[self.state.field.names.index(racer)].where
            if where is not Where.RETIRED and self.state.over is None:
                raise _Discrepancy(
                    cell,
                    _("Turn %(turn)s: %(racer)s cannot retire, for he crossed the finish.")
                    % {"turn": number, "racer": racer},
                    "BA-RET-02",
                )  # fmt: skip

    def retire(self, racer: str, cell: str, number: int) -> None:
        """All agree, and he leaves at the end of the turn. Rules: BA-RET-01, BA-RET-03."""
        about = _("Turn %(turn)s, %(racer)s out.") % {"turn": number, "racer": racer}
        self.do(AskRetire(cyclist=racer), cell, about)
        owner = self.state.field.seats[self.state.field.seat_of[self.state.field.names.index(racer)]]
        for seat in self.state.field.seats:
            if seat != owner:
                self.do(VoteRetire(seat=seat, cyclist=racer, yes=True), cell, about)

    def new_factors(self, number: int, spent: Sequence[Spent], events: Sequence[Event]) -> None:
        """The new factors that the log tells are those that were due. Rules: BA-REPL-02, BA-BRK-02."""
        due = {one.id: one.value for event in events if isinstance(event, Replaced) for one in event.factors}
        for index, entry in enumerate(spent, start=1):
            if entry.gained is None or entry.gained == due.get(entry.cyclist):
                continue
            facts = {"turn": number, "cyclist": entry.cyclist, "gained": entry.gained, "due": due.get(entry.cyclist)}
            raise _Discrepancy(
                f"turn-{number}",
                _("Turn %(turn)s: %(cyclist)s wrote down %(gained)s as his new factor, and %(due)s was due.") % facts
                if due
                else _("Turn %(turn)s: %(cyclist)s wrote down a new factor, and the race was over.") % facts,
                "BA-REPL-02" if due else "BA-END-02",
                index,
            )

    def changes(self, number: int, rode: Mapping[str, int]) -> None:
        """Madison: who changed after this turn; `rode` tells of those who shall have done so which of the two rode it. Forced
        changes happen without being asked for. Rules: BA-MAD-09, BA-MAD-10, BA-MAD-17.
        """
        while self.state.over is None and self.state.phase is Phase.CHANGE:
            team = self.state.field.names[self.state.order[self.state.done]]
            answer: Action = Change(team=team) if team in rode else Stay(team=team)
            self.do(answer, f"change-{number}")
        for team, side in rode.items():
            if self._rides(team) == side:
                raise _Discrepancy(
                    f"change-{number}",
                    _("Turn %(turn)s: %(team)s could not change.") % {"turn": number, "team": team}, "BA-MAD-10",
                )  # fmt: skip

    def _rides(self, team: str) -> int:
        relief = self.state.racers[self.state.field.names.index(team)].relief
        assert relief is not None
        return relief.side

    # ---- what came of it -----------------------------------------------------------------------------------------------
    def compare(self) -> None:
        """The ride came to what the sheet tells: lines, retirements, distances; only so far as the sheet tells of them."""
        names = self.state.field.names
        for number, crossed in enumerate(self.state.lines):
            self._compare_line(number, [names[racer] for racer in crossed])
        retired = tuple(
            sorted(name for name, racer in zip(names, self.state.racers, strict=True) if racer.where is Where.RETIRED)
        )
        if retired != self.content.retired:
            raise _Discrepancy(
                "retired",
                _("By the log %(log)s retired, by the sheet %(sheet)s.")
                % {"log": ", ".join(retired) or _("nobody"), "sheet": ", ".join(self.content.retired) or _("nobody")},
            )  # fmt: skip
        if self.context.madison:
            self._compare_distances()

    def _compare_line(self, number: int, ridden: Sequence[str]) -> None:
        told = self.content.lines[number] if number < len(self.content.lines) else ()
        line = self.context.lines[number]
        for place in range(1, max(len(told), min(len(ridden), len(line.points))) + 1):
            by_log = self.context.racers[ridden[place - 1]] if place <= len(ridden) else None
            by_sheet = told[place - 1] if place <= len(told) else None
            if by_log is None or by_sheet is None or by_sheet not in (by_log, Crosser(by_log.team)):
                raise _Discrepancy(
                    line_cell(number),
                    _("Place %(place)s at %(line)s: by the log %(log)s, by the sheet %(sheet)s.")
                    % {
                        "place": place, "line": line_words(self.context, number),
                        "log": by_log.id if by_log else _("nobody"),
                        "sheet": by_sheet.id if by_sheet else _("nobody"),
                    },
                    index=place,
                )  # fmt: skip

    def _compare_distances(self) -> None:
        rows = {row["id"]: row for row in (GAME.outcome(self.state) or {"teams": []})["teams"]}
        told = dict(self.content.distances) if self.context.by_squares else behind(self.content, self.context)
        for team, value in told.items():
            by_log = rows[team]["pos" if self.context.by_squares else "laps_down"] if team in rows else value
            if by_log != value and team not in self.content.retired:
                raise _Discrepancy(
                    distance_cell(self.context, team),
                    _("%(team)s: by the log %(log)s, by the sheet %(sheet)s.")
                    % {"team": team, "log": by_log, "sheet": value},
                    "BA-MAD-22",
                )  # fmt: skip
