"""The table of a points series as pages and files print it: counted from the published sheets, told in words.

`tables_of` takes a fixed number of queries, however many rounds and entrants there are; everything else is `classification`.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from django.db.models import F
from django.http import Http404
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from league.classification import divisions
from league.classification import series as counting
from league.classification.divisions import Mark, Way
from league.classification.series import HALVES, Criterion, Part, PartState, SeriesRow, Standing, Void
from league.entrants import AS_SHOWN, lines_of, names_of
from league.models import Division, Player, Round, RoundVersion, Season, Series, SeriesEntrant, Team, TeamSpell
from league.models.series import Entered
from league.roster import kept

LEAST = counting.Rules(places=()).least_starters
"""With fewer in a division its rounds do not count."""


def rules_of(series: Series) -> counting.Rules:
    """How the series is counted."""
    return counting.Rules(places=tuple(series.points), bonus=series.bonus, drop_one_in=series.drop_one_in)


def division_rules(series: Series) -> divisions.Rules:
    """How many move between the divisions of the series, and how many ride in one."""
    return divisions.Rules(
        up=series.promoted, down=series.relegated, most=max(series.division_size, LEAST), least=LEAST
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
    key: str  # of the column of the file
    value: int | float | str | None  # in it
    struck: bool = False  # one of the results that do not count
    provisional: bool = False
    says: str = ""  # the whole of it, for who does not see the cell


@dataclass(frozen=True, slots=True, kw_only=True)
class Moving:
    """What a place means for the next series, in words."""

    mark: Mark
    words: str

    @property
    def way(self) -> str:
        return self.mark.way.value


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
    rides: bool  # still
    also: tuple[str, ...]  # what sheets call other entries of the same person
    moving: Moving | None  # out of the division
    came: str  # from another division
    values: Mapping[str, Any]  # by column of the file

    @property
    def points(self) -> str:
        return points_text(self.row.halves)

    @property
    def gap(self) -> str:
        return points_text(self.row.gap)

    @property
    def gap_words(self) -> str:
        """Behind the first, or why not."""
        if self.row.gap:
            return f"−{self.gap}"
        return pgettext("gap of the first", "lead") if self.row.rank == 1 else pgettext("no gap to the first", "level")

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


class Facts(AfterRound):
    """What the tables of a series are counted from, looked up once for all of them."""

    def __init__(
        self, series: Series, rounds: Sequence[Round], results: Mapping[int, Any], after: Round | None
    ) -> None:
        self.series = series
        self.rounds = list(rounds)  # all of the calendar
        self.public = [round_ for round_ in self.rounds if round_.pk in results]
        self.after = after
        self.results = results
        self.shown = [r for r in self.public if after is not None and r.order <= after.order]
        self.by_order = {round_.order: round_ for round_ in self.rounds}
        self.everybody = list(series.entrants.select_related(*AS_SHOWN))
        self.by_pk = {entrant.pk: entrant for entrant in self.everybody}
        self.line = lines_of(self.everybody)
        self.divisions = self._divisions()

    def _divisions(self) -> list[Division]:
        """The highest first. They are asked for only where something stands in one."""
        things: list[SeriesEntrant | Round] = [*self.everybody, *self.rounds]
        if all(thing.division_id is None for thing in things):
            return []
        found = list(self.series.divisions.all())
        by_pk = {division.pk: division for division in found}
        for thing in things:
            thing.division = by_pk.get(thing.division_id or 0)
        return found

    @cached_property
    def jerseys(self) -> dict[int, Team]:
        """The teams that players ride for on the day of the latest round shown."""
        if self.series.entered != Entered.PLAYERS or not self.rounds:
            return {}
        day = (self.after or self.rounds[0]).day
        players = [one.player for one in self.everybody if one.player]
        ids = {player.pk for player in players} | {kept(player).pk for player in players}
        spells = TeamSpell.objects.filter(team__season=self.series.season_id, player__in=ids)
        return {spell.player_id: spell.team for spell in spells.select_related("team") if spell.covers(day)}

    def jersey_of(self, entrant: SeriesEntrant) -> Team | None:
        """What a player wears."""
        if entrant.player is None:
            return None
        return self.jerseys.get(kept(entrant.player).pk) or self.jerseys.get(entrant.player.pk)

    @cached_property
    def substitutes(self) -> dict[int, Player]:
        """Those who rode for others."""
        return names_of({row["substitute"] for result in self.results.values() for row in result["rows"]} - {None})

    @cached_property
    def came_from(self) -> dict[int, Division]:
        """By entrant: his division in the series before."""
        befores = [entrant.before_id for entrant in self.everybody if entrant.before_id]
        if not self.divisions or not befores:
            return {}
        divisions = {
            one.pk: one.division for one in SeriesEntrant.objects.filter(pk__in=befores).select_related("division")
        }
        found = {entrant.pk: divisions.get(entrant.before_id or 0) for entrant in self.everybody}
        return {pk: division for pk, division in found.items() if division is not None}

    @property
    def keys(self) -> list[str]:
        """The columns of a file, without those of the rounds."""
        keys = ["place", "entrant", "letters", "points", "gap", "wins", "seconds", "share_per_mille", "ridden"]
        return ["division", *keys, "move"] if self.divisions else keys

    def counted(self, round_: Round, lines: Collection[int]) -> counting.Round:
        """A published round as the classification wants it: what is nobody's of `lines` took its place and is a guest's."""
        return counting.Round(
            number=round_.order,
            rows=tuple(self._row(row, lines) for row in self.results[round_.pk]["rows"]),
            provisional=not round_.is_official,
            abandoned_early=self.results[round_.pk]["abandoned_early"],
        )

    def _row(self, row: Mapping[str, Any], lines: Collection[int]) -> counting.RoundRow:
        line = self.line[row["entrant"]]
        own = line.pk in lines
        substitute = row["substitute"] if own else None
        if substitute is not None and line.player is not None:
            himself = self.substitutes.get(substitute)
            substitute = None if himself is not None and himself.pk == kept(line.player).pk else substitute
        return counting.RoundRow(
            entrant=line.pk if own else None,
            rank=row["rank"],
            points=row["points"],
            extra=row["extra"],
            bot=row["bot"],
            substitute=substitute,
            no_show=row["no_show"],
        )


class SeriesTable(AfterRound):
    """A series, or one of its divisions, after a round, counted."""

    def __init__(self, facts: Facts, division: Division | None = None) -> None:
        self.facts, self.division = facts, division
        self.series, self.rules = facts.series, rules_of(facts.series)
        self.rounds = [r for r in facts.rounds if self._is_ours(r)]
        self.shown = [r for r in facts.shown if self._is_ours(r)]
        self.after = self.shown[-1] if self.shown else None
        self.everybody = [
            one
            for one in facts.everybody
            if facts.line[one.pk] is one and (division is None or one.division == division)
        ]
        self.bots = [entrant for entrant in self.everybody if entrant.is_bot]
        self.entrants = {entrant.pk: entrant for entrant in self.everybody if not entrant.is_bot}
        self.by_order = facts.by_order
        self.standing = self._count(self.shown)

    def _is_ours(self, round_: Round) -> bool:
        return self.division is None or round_.division_id is None or round_.division == self.division

    def _count(self, rounds: Iterable[Round]) -> Standing:
        return counting.count(self.rules, self.entrants, [self.facts.counted(r, self.entrants) for r in rounds])

    @cached_property
    def before(self) -> Standing | None:
        """The standing one round before; None where there was none."""
        return self._count(self.shown[:-1]) if len(self.shown) > 1 else None

    @cached_property
    def lines(self) -> list[Line]:
        before = {row.entrant: row.rank for row in self.before.rows} if self.before else {}
        return [self._line(row, before.get(row.entrant)) for row in self.standing.rows if self._stands(row)]

    @cached_property
    def riding(self) -> set[int]:
        """The lines of which some entry still rides."""
        return {self.facts.line[one.pk].pk for one in self.facts.everybody if one.left_at is None}

    def _stands(self, row: SeriesRow) -> bool:
        """Who has left without having ridden is no line of the table."""
        return row.entrant in self.riding or row.ridden > 0

    def _line(self, row: SeriesRow, before: int | None) -> Line:
        entrant = self.entrants[row.entrant]
        return Line(
            entrant=entrant,
            team=entrant.team or self.facts.jersey_of(entrant),
            row=row,
            change=None if before is None else before - row.rank,
            cells=tuple(self.cell(part) for part in row.parts),
            why=tuple(self.part_words(part) for part in row.parts),
            decided=self.decided_words(row),
            rides=row.entrant in self.riding,
            also=tuple(
                one.code for one in self.facts.everybody if one is not entrant and self.facts.line[one.pk] is entrant
            ),
            moving=self.moving(row),
            came=self.came_words(entrant),
            values=self._values(row),
        )

    # ---- divisions -----------------------------------------------------------------------------------------------------
    @cached_property
    def place(self) -> int:
        """Of the division in their order, 0 the highest."""
        return [one.pk for one in self.facts.divisions].index(self.division.pk) if self.division else 0

    @property
    def has_a_next(self) -> bool:
        """A round is to come."""
        return len(self.rounds) > len([r for r in self.facts.public if self._is_ours(r)])

    @cached_property
    def marks(self) -> dict[int, Mark]:
        """Who would go up or down, if the series ended so."""
        if self.division is None:
            return {}
        return divisions.marks(
            division_rules(self.series), self.lined_up, division=self.place, divisions=len(self.facts.divisions),
            gone=set(self.entrants) - self.riding,
        )  # fmt: skip

    @property
    def lined_up(self) -> Standing:
        """The standing without those who are no line of the table."""
        return replace(self.standing, rows=tuple(row for row in self.standing.rows if self._stands(row)))

    @property
    def is_final(self) -> bool:
        """Who goes up and down is settled: the whole series is over, and this is its end."""
        return self.facts.is_at_the_end and self.facts.after == self.facts.rounds[-1]

    @property
    def ladder_words(self) -> str:
        """How many go up and down out of the division."""
        if self.division is None:
            return ""
        up = self.series.promoted if self.place > 0 else 0
        down = self.series.relegated if self.place < len(self.facts.divisions) - 1 else 0
        words = []
        if up:
            words.append(ngettext("The best one goes up.", "The best %(n)s go up.", up) % {"n": up})
        if down:
            words.append(ngettext("The last one goes down.", "The last %(n)s go down.", down) % {"n": down})
        return " ".join(words)

    def moving(self, row: SeriesRow) -> Moving | None:
        mark = self.marks.get(row.entrant)
        return None if mark is None else Moving(mark=mark, words=self._moving_words(mark))

    def _moving_words(self, mark: Mark) -> str:
        up = mark.way is Way.UP
        if mark.is_open:
            words = {"places": mark.places, "names": ", ".join(self.entrants[pk].name for pk in mark.open_with)}
            if up:
                return (
                    _("Level with %(names)s in everything, places to go up: %(places)s. The organiser decides.") % words
                )
            return (
                _("Level with %(names)s in everything, places to go down: %(places)s. The organiser decides.") % words
            )
        to = {"division": self.facts.divisions[self.place + (-1 if up else 1)].name}
        if self.is_final:
            return (_("Goes up to %(division)s") if up else _("Goes down to %(division)s")) % to
        return (_("Would go up to %(division)s") if up else _("Would go down to %(division)s")) % to

    def came_words(self, entrant: SeriesEntrant) -> str:
        """Where somebody has come from, since the series before."""
        old = self.facts.came_from.get(entrant.pk)
        if old is None or self.division is None or old.order == self.division.order:
            return ""
        words = _("Came up from %(division)s") if old.order > self.division.order else _("Came down from %(division)s")
        return words % {"division": old.name}

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
            key=self._key(part),
            value=self._in_file(part),
            struck=not part.counts,
            provisional=part.provisional and part.state is not PartState.ABSENT,
            says=self.part_words(part),
        )

    def part_words(self, part: Part) -> str:
        """ "Round 2: 1st place, 10 points, bonus 1"."""
        told = [self._what(part)]
        if part.substitute is not None:
            rode = self.facts.substitutes.get(part.substitute)
            told.append(_("ridden by %(player)s") % {"player": rode or "?"})
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
        words = {"name": first[0].entrant.name, "gap": second.gap if second else "", "division": self.division}
        if self.is_at_the_end and self.after == self.rounds[-1]:
            return (_("%(name)s wins %(division)s") if self.division else _("%(name)s wins the series")) % words
        if second is None or not second.row.gap:
            return _("%(name)s leads, level on points") % words if second else _("%(name)s leads") % words
        if self.division:
            return _("%(name)s leads %(division)s by %(gap)s") % words
        return _("%(name)s leads by %(gap)s") % words

    # ---- as a file -----------------------------------------------------------------------------------------------------
    @property
    def keys(self) -> list[str]:
        """The columns of the file."""
        return [*self.facts.keys, *(f"round_{round_.number}" for round_ in self.counted)]

    def rows(self) -> list[dict[str, Any]]:
        """The figures of the page. A result that does not count stands in brackets: it is text."""
        return [dict(line.values) for line in self.lines]

    def _values(self, row: SeriesRow) -> dict[str, Any]:
        entrant = self.entrants[row.entrant]
        told: dict[str, Any] = {
            "place": row.rank,
            "entrant": entrant.name,
            "letters": entrant.code,
            "points": points_number(row.halves),
            "gap": points_number(row.gap),
            "wins": row.wins,
            "seconds": row.seconds,
            "share_per_mille": row.shares,
            "ridden": row.ridden,
        }
        if self.division is not None:
            told |= {"division": self.division.name, "move": self._move(self.marks.get(row.entrant))}
        return told | {self._key(part): self._in_file(part) for part in row.parts}

    def _key(self, part: Part) -> str:
        return f"round_{self.by_order[part.round].number}"

    @staticmethod
    def _move(mark: Mark | None) -> str | None:
        """up or down; with a question mark where the standing does not say who of several."""
        return None if mark is None else mark.way.value + ("?" if mark.is_open else "")

    @staticmethod
    def _in_file(part: Part) -> int | float | str | None:
        if part.state is not PartState.RODE:
            return None if part.state is PartState.ABSENT else part.state.value
        return points_number(part.halves) if part.counts else f"({points_number(part.halves)})"

    def next_places(self, entrant: SeriesEntrant) -> tuple[counting.WhatIf, ...]:
        """What the next round would bring an entrant, place by place."""
        starters = sum(one.pk in self.riding for one in self.everybody)
        places = min(max(starters, 1), len(self.rules.places) + 1)
        return counting.what_if(self.rules, self.lined_up, entrant.pk, places)


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


class Tables(AfterRound):
    """A series by points after a round: its table, or one for each division."""

    def __init__(self, facts: Facts) -> None:
        self.facts, self.series = facts, facts.series
        self.rounds, self.shown = facts.rounds, facts.shown
        self.public, self.after, self.everybody = facts.public, facts.after, facts.everybody
        self.tables = [SeriesTable(facts, division) for division in facts.divisions or (None,)]

    @property
    def headline(self) -> str:
        """Who leads, in the highest division."""
        return self.tables[0].headline

    @property
    def series_before(self) -> Series | None:
        """The one that this one follows."""
        if self.series.follows_id is None:
            return None
        return Series.objects.select_related("season__club").get(pk=self.series.follows_id)

    @property
    def series_after(self) -> list[Series]:
        """Those that follow it: one, as a rule."""
        return list(self.series.followed_by.select_related("season__club"))

    @property
    def is_divided(self) -> bool:
        return bool(self.facts.divisions)

    def table_with(self, entrant: int) -> SeriesTable | None:
        """The one in which somebody has his line; who has left without having ridden has none."""
        line = self.facts.line.get(entrant)
        return next(
            (table for table in self.tables if line and any(row.entrant == line.pk for row in table.lined_up.rows)),
            None,
        )

    @property
    def keys(self) -> list[str]:
        """The columns of the file: those of all tables."""
        return list(dict.fromkeys([*self.facts.keys, *(key for table in self.tables for key in table.keys)]))

    def file_rows(self) -> list[dict[str, Any]]:
        """The lines of all tables, the highest division first."""
        keys = self.keys
        return [{key: row.get(key) for key in keys} for table in self.tables for row in table.rows()]


def tables_of(series: Series, after: str | None = None) -> Tables:
    """The tables after a round, by its number; after the latest published one without. 404 for one that is not there."""
    return Tables(Facts(series, *found_after(series, after)))


def table_of(series: Series, after: str | None = None) -> SeriesTable:
    """The same for a series without divisions: its one table."""
    (table,) = tables_of(series, after).tables
    return table


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
