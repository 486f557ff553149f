"""The table of a points series as pages and files print it: counted from the published sheets, told in words.

`table_of` takes a fixed number of queries, however many rounds and entrants there are; everything else is `classification`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db.models import F
from django.http import Http404
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.classification import series as counting
from league.classification.series import HALVES, Criterion, Part, PartState, SeriesRow, Standing, Void
from league.models import Player, Round, RoundVersion, Season, Series, SeriesEntrant, Team, TeamSpell
from league.models.series import Entered


def rules_of(series: Series) -> counting.Rules:
    """How the series is counted."""
    return counting.Rules(places=tuple(series.points), bonus=series.bonus, drop_one_in=series.drop_one_in)


def counted_round(round_: Round, result: Mapping[str, Any], bots: Iterable[int]) -> counting.Round:
    """A published round as the classification wants it. A bot of the series is nobody's result."""
    none = set(bots)
    return counting.Round(
        number=round_.order,
        rows=tuple(
            counting.RoundRow(
                entrant=None if row["entrant"] in none else row["entrant"],
                rank=row["rank"],
                points=row["points"],
                extra=row["extra"],
                bot=row["bot"],
                substitute=row["substitute"],
                no_show=row["no_show"],
            )
            for row in result["rows"]
        ),
        provisional=not round_.is_official,
        abandoned_early=result["abandoned_early"],
    )


def points_text(halves: int) -> str:
    """12, or 12½."""
    whole, half = divmod(halves, HALVES)
    if not half:
        return str(whole)
    return f"{whole}½" if whole else "½"


def points_number(halves: int) -> int | float:
    """The same for programs."""
    return halves / HALVES if halves % HALVES else halves // HALVES


def per_mille(share: int) -> str:
    """A race share as people read it: 38.4 %."""
    return f"{share // 10}.{share % 10} %"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """What a round brought an entrant, in a cell of the table."""

    round: Round
    text: str
    struck: bool = False  # one of the results that do not count
    provisional: bool = False
    says: str = ""  # the whole of it, for who does not see the cell


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line of the table."""

    entrant: SeriesEntrant
    team: Team | None  # whose jersey it wears
    row: SeriesRow
    change: int | None  # places won since the round before
    cells: tuple[Cell, ...]
    why: tuple[str, ...]  # every part in a sentence
    decided: str  # what separates it from the line above, where the points do not

    @property
    def points(self) -> str:
        return points_text(self.row.halves)

    @property
    def gap(self) -> str:
        return points_text(self.row.gap)

    @property
    def share(self) -> str:
        return per_mille(self.row.shares)


class AfterRound:
    """A standing after a round, however it is counted: what it is worth."""

    rounds: Sequence[Round]  # of the calendar
    shown: Sequence[Round]  # those that are published, up to the one after which it stands

    @property
    def is_at_the_end(self) -> bool:
        """Every round of the calendar is official."""
        return bool(self.rounds) and all(round_.is_official for round_ in self.rounds)

    @property
    def stamp(self) -> str:
        """What the standing is worth: "" before anything was published."""
        if not self.shown:
            return ""
        return "provisional" if any(not round_.is_official for round_ in self.shown) else "official"


class SeriesTable(AfterRound):
    """A series after a round, counted."""

    def __init__(
        self, series: Series, rounds: Sequence[Round], results: Mapping[int, Any], after: Round | None
    ) -> None:
        self.series = series
        self.rules = rules_of(series)
        self.rounds = list(rounds)  # all of the calendar
        self.public = [round_ for round_ in self.rounds if round_.pk in results]
        self.after = after
        self.results = results
        self.everybody = list(series.entrants.select_related("team", "player__merged_into"))
        self.bots = [entrant for entrant in self.everybody if entrant.is_bot]
        self.entrants = {entrant.pk: entrant for entrant in self.everybody if not entrant.is_bot}
        self.shown = [r for r in self.public if after is not None and r.order <= after.order]
        self.by_order = {round_.order: round_ for round_ in self.rounds}
        self.standing = self._count(self.shown)

    def _count(self, rounds: Iterable[Round]) -> Standing:
        bots = [bot.pk for bot in self.bots]
        return counting.count(self.rules, self.entrants, [counted_round(r, self.results[r.pk], bots) for r in rounds])

    @cached_property
    def before(self) -> Standing | None:
        """The standing one round before; None where there was none."""
        return self._count(self.shown[:-1]) if len(self.shown) > 1 else None

    @cached_property
    def lines(self) -> list[Line]:
        before = {row.entrant: row.rank for row in self.before.rows} if self.before else {}
        return [self._line(row, before.get(row.entrant)) for row in self.standing.rows if self._stands(row)]

    def _stands(self, row: SeriesRow) -> bool:
        """Who has left without having ridden is no line of the table."""
        return self.entrants[row.entrant].left_at is None or row.ridden > 0

    def _line(self, row: SeriesRow, before: int | None) -> Line:
        entrant = self.entrants[row.entrant]
        return Line(
            entrant=entrant,
            team=entrant.team or self.jerseys.get(entrant.player_id or 0),
            row=row,
            change=None if before is None else before - row.rank,
            cells=tuple(self.cell(part) for part in row.parts),
            why=tuple(self.part_words(part) for part in row.parts),
            decided=self.decided_words(row),
        )

    @cached_property
    def jerseys(self) -> dict[int, Team]:
        """The teams that players ride for on the day of the latest round shown."""
        if self.series.entered != Entered.PLAYERS or not self.rounds:
            return {}
        day = (self.after or self.rounds[0]).day
        spells = TeamSpell.objects.filter(
            team__season=self.series.season_id, player__in=[entrant.player_id for entrant in self.entrants.values()]
        )
        return {spell.player_id: spell.team for spell in spells.select_related("team") if spell.covers(day)}

    @cached_property
    def substitutes(self) -> dict[int, str]:
        """The names of those who rode for others."""
        pks = {row["substitute"] for result in self.results.values() for row in result["rows"]} - {None}
        return {player.pk: str(player) for player in Player.objects.filter(pk__in=pks)} if pks else {}

    # ---- words ---------------------------------------------------------------------------------------------------------
    def cell(self, part: Part) -> Cell:
        round_ = self.by_order[part.round]
        match part.state:
            case PartState.RODE:
                text = points_text(part.halves)
            case PartState.BOT:
                text = _("bot")
            case PartState.NO_SHOW | PartState.ABSENT:
                text = "–"
        return Cell(
            round=round_,
            text=text,
            struck=not part.counts,
            provisional=part.provisional and part.state is not PartState.ABSENT,
            says=self.part_words(part),
        )

    def part_words(self, part: Part) -> str:
        """ "Round 2: 1st place, 10 points, bonus 1"."""
        told = [self._what(part)]
        if part.substitute is not None:
            told.append(_("ridden by %(player)s") % {"player": self.substitutes.get(part.substitute, "?")})
        if part.share:
            told.append(_("%(share)s of the race") % {"share": per_mille(part.share)})
        if not part.counts:
            told.append(_("dropped: the best %(kept)s count") % {"kept": self.standing.kept})
        if part.provisional and part.state is not PartState.ABSENT:
            told.append(_("provisional"))
        return _("%(round)s: %(what)s") % {"round": self.by_order[part.round], "what": "; ".join(told)}

    def _what(self, part: Part) -> str:
        match part.state:
            case PartState.BOT:
                return _("a bot rode instead, no points")
            case PartState.NO_SHOW:
                return _("did not come, no points")
            case PartState.ABSENT:
                return _("not at the start")
            case PartState.RODE:
                pass
        if part.rank is None:
            return _("rode and was not placed")
        words = {"place": part.rank, "points": points_text(part.place_halves), "others": part.sharing - 1}
        if part.sharing > 1:
            told = ngettext(
                "place %(place)s, shared with %(others)s other: %(points)s",
                "place %(place)s, shared with %(others)s others: %(points)s",
                part.sharing - 1,
            )
        else:
            told = _("place %(place)s: %(points)s")
        if part.bonus_halves:
            return _("%(place)s, bonus %(bonus)s") % {"place": told % words, "bonus": points_text(part.bonus_halves)}
        return told % words

    def decided_words(self, row: SeriesRow) -> str:
        """Why an entrant stands below the one above, where the points are level."""
        if row.decided_by in (None, Criterion.POINTS) or row.decided_against is None or row.decided_values is None:
            return ""
        own, other = row.decided_values
        words = {
            "name": self.entrants[row.decided_against].name,
            "own": "–" if own is None else own,
            "other": "–" if other is None else other,
        }
        match row.decided_by:
            case Criterion.WINS:
                return _("Level with %(name)s; fewer wins, %(own)s to %(other)s") % words
            case Criterion.SECONDS:
                return _("Level with %(name)s; fewer second places, %(own)s to %(other)s") % words
            case Criterion.SHARES:
                words |= {"own": per_mille(own or 0), "other": per_mille(other or 0)}
                return _("Level with %(name)s; smaller shares of the races, %(own)s to %(other)s") % words
            case _:
                words["round"] = str(self.by_order[row.decided_round or 0])
                return _("Level with %(name)s; behind in %(round)s, place %(own)s to %(other)s") % words

    @property
    def void(self) -> list[tuple[Round, str]]:
        """The rounds that do not count, and why."""
        words = {
            Void.TOO_FEW: _("fewer than %(n)s started") % {"n": self.rules.least_starters},
            Void.ABANDONED: _("abandoned before the first line was complete"),
        }
        return [(self.by_order[number], words[why]) for number, why in self.standing.void]

    @property
    def counted(self) -> list[Round]:
        """The rounds that are columns of the table."""
        return [self.by_order[number] for number in self.standing.rounds]

    @property
    def columns_after_place(self) -> int:
        """Of the table, for the row of reasons."""
        return len(self.counted) + 5

    @property
    def headline(self) -> str:
        """Who leads, in a sentence."""
        first = [line for line in self.lines if line.row.rank == 1]
        if not self.shown or not first:
            return self.series.name
        if len(first) > 1:
            names = {"names": ", ".join(line.entrant.name for line in first), "series": self.series.name}
            return _("%(names)s share the lead") % names
        second = next((line for line in self.lines if line.row.rank > 1), None)
        words = {"name": first[0].entrant.name, "gap": second.gap if second else ""}
        if self.is_at_the_end and self.after == self.rounds[-1]:
            return _("%(name)s wins the series") % words
        if second is None or not second.row.gap:
            return _("%(name)s leads, level on points") % words if second else _("%(name)s leads") % words
        return _("%(name)s leads by %(gap)s") % words

    # ---- as a file -----------------------------------------------------------------------------------------------------
    @property
    def keys(self) -> list[str]:
        """The columns of the file."""
        rounds = [f"round_{round_.number}" for round_ in self.counted]
        return ["place", "entrant", "letters", "points", "gap", "wins", "seconds", "share_per_mille", "ridden", *rounds]

    def rows(self) -> list[dict[str, Any]]:
        """The figures of the page. A result that does not count stands in brackets: it is text."""
        return [
            {
                "place": line.row.rank,
                "entrant": line.entrant.name,
                "letters": line.entrant.code,
                "points": points_number(line.row.halves),
                "gap": points_number(line.row.gap),
                "wins": line.row.wins,
                "seconds": line.row.seconds,
                "share_per_mille": line.row.shares,
                "ridden": line.row.ridden,
            }
            | {
                f"round_{self.by_order[part.round].number}": self._in_file(part) for part in line.row.parts
            }
            for line in self.lines
        ]  # fmt: skip

    @staticmethod
    def _in_file(part: Part) -> int | float | str | None:
        if part.state is not PartState.RODE:
            return None if part.state is PartState.ABSENT else part.state.value
        return points_number(part.halves) if part.counts else f"({points_number(part.halves)})"

    def next_places(self, entrant: SeriesEntrant) -> list[tuple[counting.WhatIf, int]]:
        """What the next round would bring an entrant, place by place; and which place in the table that is while all
        others stay as they are."""
        starters = sum(one.left_at is None for one in self.everybody)
        places = min(max(starters, 1), len(self.rules.places) + 1)
        others = [row.halves for row in self.standing.rows if row.entrant != entrant.pk]
        found = counting.what_if(self.rules, self.standing, entrant.pk, places)
        return [(what, 1 + sum(halves > what.total for halves in others)) for what in found]


def published_results(series: Series) -> dict[int, Any]:
    """By round: what stands on its newest published sheet."""
    newest = RoundVersion.objects.filter(round__series=series, number=F("round__version"))
    return dict(newest.values_list("round", "result"))


def found_after(series: Series, after: str | None) -> tuple[list[Round], dict[int, Any], Round | None]:
    """All rounds, the published results, and the round after which the series is looked at: by its number, or the latest
    published one. 404 for one that is not there."""
    rounds = list(series.rounds.select_related("signed_by"))
    for round_ in rounds:
        round_.series = series
    results = published_results(series)
    public = [round_ for round_ in rounds if round_.pk in results]
    if after is None:
        chosen = public[-1] if public else None
    else:
        chosen = next((round_ for round_ in public if round_.number == after), None)
        if chosen is None:
            raise Http404
    return rounds, results, chosen


def table_of(series: Series, after: str | None = None) -> SeriesTable:
    """The table after a round, by its number; after the latest published one without. 404 for one that is not there."""
    return SeriesTable(series, *found_after(series, after))


@dataclass(frozen=True, slots=True, kw_only=True)
class Front:
    """A series in a list: how far it is, and its next evening."""

    series: Series
    rounds: int
    ridden: int
    next: Round | None
    stamp: str


def fronts_of(season: Season) -> list[Front]:
    """The series of a season, newest first, in two queries."""
    found = []
    for series in Series.objects.filter(season=season).prefetch_related("rounds"):
        series.season = season
        rounds = list(series.rounds.all())
        for round_ in rounds:
            round_.series = series
        public = [round_ for round_ in rounds if round_.is_public]
        found.append(
            Front(
                series=series,
                rounds=len(rounds),
                ridden=len(public),
                next=next((round_ for round_ in rounds if not round_.is_public), None),
                stamp=public[-1].stamp if public else "",
            )
        )
    return found
