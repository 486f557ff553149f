"""A round of Breaking Away as a stage of a stage race (spec 8.5): the sheet of a race, and when everybody came home."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final

from django.utils.translation import gettext as _

from league.round_sheets import Field, Reading, Starter
from league.round_sheets.breaking_away import BreakingAwaySheet, context_of
from league.sheets import breaking_away as sheets
from league.sheets.findings import Change, Finding, Level
from rules.breaking_away.game import BREAKING_AWAY
from rules.breaking_away.options import EndMode
from rules.breaking_away.outcome import STEADY

TURNS, ROAD, STOPPED = "turns", "road", "stopped"
CELLS: Final = (TURNS, ROAD, STOPPED)
AHEAD: Final = "leftover"
"""The cell of a race for who was further ahead at the end: a stage tells it by where everybody stood on the road."""
GONE: Final = "-"
"""In the place of a turn: of somebody who crossed the finish and retired afterwards."""
MOST: Final = 999


class BreakingAwayStage(BreakingAwaySheet):
    """Its content is that of the race with the three cells under `stage`, as typed."""

    proposes = MappingProxyType({f"{BREAKING_AWAY.name}-end_mode": EndMode.COMPLETE_TURN.value})

    def faults(self, options: Mapping[str, Any]) -> list[str]:
        found = super().faults(options)
        if not found and sheets.Context.of(options, ()).madison:
            found.append(_("A Madison has no times: it cannot be a stage of a stage race."))
        return found

    def fields(self, options: Mapping[str, Any], starters: Sequence[Starter]) -> list[Field]:
        race = [field for field in super().fields(options, starters) if field.key != AHEAD]
        lines = len(context_of(options, starters).lines)
        stage = [
            Field(
                key=TURNS, label=_("Turns in which they crossed the finish"), rows=2,
                help=_("One number for each at the finish, in the same order: 12 12 13. A hyphen for who retired afterwards."),
            ),
            Field(
                key=ROAD, label=_("Who was still on the road when the race stopped"), rows=2,
                help=_("With the square, the furthest ahead first: B1 88, W4 85."),
            ),
            Field(key=STOPPED, label=_("Turn in which the race stopped")),
        ]  # fmt: skip
        return [*race[:lines], *stage, *race[lines:]]

    def examine(self, cells: Mapping[str, str], options: Mapping[str, Any], starters: Sequence[Starter]) -> Reading:
        typed = {key: " ".join(cells.get(key, "").replace(",", " ").upper().split()) for key in CELLS}
        context = context_of(options, starters)
        crossed = {k: v for k, v in cells.items() if k not in (*CELLS, AHEAD)}
        race = super().examine(crossed | {AHEAD: _ahead(typed[ROAD], crossed, context)}, options, starters)
        reader = _Stage(sheets.SheetContent.from_json(race.content), context, typed)
        # who is not told to be on the road is asked for there
        findings = (*(finding for finding in race.findings if finding.cell != AHEAD), *reader.findings)
        told = (
            None if race.rows is None or reader.findings else reader.told({one.code: one.entrant for one in starters})
        )
        return replace(race, content={**race.content, "stage": typed}, findings=findings, stage=told)

    def cells_of(
        self, content: Mapping[str, Any], options: Mapping[str, Any], starters: Sequence[Starter]
    ) -> dict[str, str]:
        race = super().cells_of(content, options, starters)
        return {k: v for k, v in race.items() if k != AHEAD} | {k: v for k, v in content["stage"].items() if v}

    def told(
        self, content: Mapping[str, Any], options: Mapping[str, Any], starters: Sequence[Starter]
    ) -> list[tuple[str, str]]:
        found = super().told({**content, AHEAD: []}, options, starters)
        return found + [(words, content["stage"][key]) for key, words in _words().items() if content["stage"][key]]

    def changes(
        self,
        older: Mapping[str, Any],
        newer: Mapping[str, Any],
        options: Mapping[str, Any],
        starters: Sequence[Starter],
    ) -> Sequence[Change]:
        before, now = older["stage"], newer["stage"]
        return [
            *super().changes({**older, AHEAD: []}, {**newer, AHEAD: []}, options, starters),
            *(
                Change(words, before[key] or _("not told"), now[key] or _("not told"))
                for key, words in _words().items()
                if before[key] != now[key]
            ),
        ]

    def of_race(
        self, outcome: Mapping[str, Any], options: Mapping[str, Any], starters: Sequence[Starter]
    ) -> dict[str, str]:
        rows = {row["id"]: row for row in outcome["cyclists"]}
        home = outcome["lines"][context_of(options, starters).lines[-1].id]
        road = sorted(
            (row for row in rows.values() if not row["retired"] and row["id"] not in home),
            key=lambda row: row["finish"],
        )
        race = super().of_race(outcome, options, starters)
        return {k: v for k, v in race.items() if k != AHEAD} | {
            TURNS: " ".join(GONE if rows[id]["turn"] is None else str(rows[id]["turn"]) for id in home),
            ROAD: " ".join(f"{row['id']} {row['pos']}" for row in road),
            STOPPED: str(outcome["turns"]),
        }


def _ahead(road: str, crossed: Mapping[str, str], context: sheets.Context) -> str:
    """Of the teams that only where they stood can part, who was further ahead. Rules: BA-TIE-03."""
    content = sheets.read(crossed, context).content
    apart = {team for group in sheets.level_and_open(content, context) for team in group}
    teams = [context.racers[who].team for who in road.split() if who in context.racers]
    return " ".join(team for team in dict.fromkeys(teams) if team in apart)


def _words() -> dict[str, str]:
    return {TURNS: _("Turns at the finish"), ROAD: _("Still on the road"), STOPPED: _("Stopped in turn")}


class _Stage:
    """The three cells, read against who crossed and who retired."""

    def __init__(self, content: sheets.SheetContent, context: sheets.Context, typed: Mapping[str, str]) -> None:
        self.content, self.context, self.typed = content, context, typed
        self.findings: list[Finding] = []
        self.home = [who.id for who in content.lines[-1] if who is not None] if content.lines else []
        self._names()
        self.turns = self._turns()
        self.stopped = self._stopped()
        self.road = self._road()

    def _say(self, cell: str, message: str, level: Level = Level.REFUSE) -> None:
        self.findings.append(
            Finding(
                code="stage", rule=None, level=level, cell=cell, message=message,
                stops_provisional=level is Level.MISSING,
            )
        )  # fmt: skip

    def _names(self) -> None:
        """Seconds are a cyclist's, so each line tells numbers."""
        for number, crossed in enumerate(self.content.lines):
            if any(who is None or who.number is None for who in crossed):
                message = _("In a stage race every cyclist has a time: say the number of each who crossed.")
                self._say(sheets.line_cell(number), message, Level.MISSING)

    def _number(self, cell: str, text: str) -> int | None:
        if re.fullmatch(r"[0-9]{1,3}", text) and int(text) > 0:
            return int(text)
        self._say(cell, _("%(text)s is no whole number from 1 to %(most)s.") % {"text": text, "most": MOST})
        return None

    def _turns(self) -> dict[str, int]:
        tokens = self.typed[TURNS].split()
        found: dict[str, int] = {}
        last = 0
        for who, text in zip(self.home, tokens, strict=False):
            if text == GONE and who in self.content.retired:
                continue
            turn = self._number(TURNS, text)
            if turn is None:
                return {}
            if turn < last:
                words = {"who": who, "turn": turn, "last": last}
                self._say(
                    TURNS,
                    _("%(who)s in turn %(turn)s crossed after somebody in turn %(last)s: that cannot be.") % words,
                )
            found[who] = last = turn
        if len(tokens) > len(self.home):
            words = {"n": len(tokens), "home": len(self.home)}
            self._say(TURNS, _("%(n)s turns for %(home)s at the finish.") % words)
        elif len(tokens) < len(self.home):
            rest = " ".join(self.home[len(tokens) :])
            self._say(TURNS, _("In which turn did they cross the finish: %(who)s?") % {"who": rest}, Level.MISSING)
        return found

    def _stopped(self) -> int:
        if not self.typed[STOPPED]:
            self._say(STOPPED, _("In which turn did the race stop?"), Level.MISSING)
            return 0
        turn = self._number(STOPPED, self.typed[STOPPED]) or 0
        last = max(self.turns.values(), default=0)
        if turn and turn < last:
            self._say(
                STOPPED, _("Somebody crossed the finish in turn %(last)s, so it did not stop before.") % {"last": last}
            )
        return turn

    def _road(self) -> dict[str, int]:
        tokens = self.typed[ROAD].split()
        found: dict[str, int] = {}
        at = self.context.lines[-1].at
        for who, text in zip(tokens[::2], [*tokens[1::2], ""], strict=False):
            words = {"who": who, "square": text, "at": at}
            if who not in self.context.racers:
                self._say(ROAD, _("%(who)s is no cyclist of this round. Write B1 88, W4 85.") % words)
                return {}
            if not re.fullmatch(r"-?[0-9]{1,3}", text):
                self._say(ROAD, _("On which square did %(who)s stand?") % words)
                return {}
            square = int(text)
            if who in found:
                self._say(ROAD, _("%(who)s stands here twice.") % words)
            elif who in self.home or who in self.content.retired:
                self._say(ROAD, _("%(who)s was home or had retired, and is not on the road.") % words)
            elif square > at:
                self._say(ROAD, _("%(who)s on square %(square)s has crossed the finish after %(at)s.") % words)
            elif found and square > min(found.values()):
                self._say(
                    ROAD, _("%(who)s on square %(square)s was further ahead: the order is that of the road.") % words
                )
            found[who] = square
        lost = [who for who in self.context.racers if who not in {*found, *self.home, *self.content.retired}]
        if lost:
            message = _("Neither home nor retired: on which square did they stand when the race stopped? %(who)s")
            self._say(ROAD, message % {"who": " ".join(lost)}, Level.MISSING)
        return found

    def told(self, entrants: Mapping[str, int]) -> dict[str, Any]:
        """Crossings and lines as a stage race counts them: who was not home at a steady pace from where he stood."""
        points = {row["id"]: row["points"] for row in sheets.outcome(self.content, self.context)["cyclists"]}
        behind = self.context.lines[-1].at + 1
        turns = self.turns | {who: self.stopped - (pos - behind) // STEADY for who, pos in self.road.items()}
        order = [who for who in (*self.home, *self.road) if who not in self.content.retired]
        return {
            "riders": [
                {
                    "id": who, "team": racer.team, "entrant": entrants[racer.team],
                    "place": order.index(who) + 1 if who in order else None,
                    "turn": turns[who] if who in order else None, "points": points.get(who, 0),
                }
                for who, racer in self.context.racers.items()
            ],
            "lines": [[who.id for who in crossed if who is not None] for crossed in self.content.lines],
        }  # fmt: skip


STAGE: Final = BreakingAwayStage()
