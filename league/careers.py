"""The history of a rider in his Giro and of a player over all of them, from stored standings: published stages only.

A *ride* is a rider's whole Giro, an *evening* one stage of it. What a merged player rode belongs to the player who was
kept. Nothing is counted here but how often something stands in the tables.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property

from django.db.models import Q, Subquery
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league import words
from league.book import Book, Row, nights_in_pink, open_book
from league.classification.standing import PartKind
from league.classification.status import Status
from league.courses import course_of, facts_of
from league.fronts import SIGNS, Front, books_of
from league.loading import TeamsOfTheDay
from league.models import Campaign, Player, Rider, Ruling, Season, SeasonStanding, Stage, Standing, Team, TeamSpell
from league.roster import kept
from league.sheets.giro import start_energy
from league.stages import road_of
from league.tables import gc_why, stage_lines
from league.templatetags.look import signed
from league.words import PartLine, Reason
from races.board.profile import Road

HOW = frozenset(
    {
        PartKind.TURNS_BEHIND,
        PartKind.TIME_TRIAL,
        PartKind.OUT_DNS,
        PartKind.OUT_DNF,
        PartKind.OUT_OTL,
        PartKind.OUT_DSQ,
        PartKind.OUT_WITHDRAWN,
    }
)
"""The parts that tell how a rider came in, or that he did not."""


@dataclass(frozen=True, slots=True)
class Evening:
    """One stage of a rider's Giro: what he did in it, and where he stood after it."""

    stage: Stage
    result: Row
    standing: Row
    team: Team | None  # that he rode for
    says: str
    why: Sequence[PartLine]

    @property
    def place(self) -> int | None:
        return self.result.rank

    @property
    def in_pink(self) -> bool:
        return self.standing.in_pink

    @property
    def out(self) -> str:
        """Why he stands in no place after it."""
        return words.out_words(self.standing.facts["why_out"]) if self.standing.facts["why_out"] else ""


class Ride:
    """A rider's Giro. `book` holds his lines in the general classification and in the results of the stages."""

    def __init__(self, book: Book, rider: Rider) -> None:
        self.book = book
        self.rider = rider
        self.campaign = book.campaign

    @cached_property
    def standings(self) -> Mapping[int, Row]:
        """His lines in the general classification, by stage."""
        return self.book.rider_rows(Standing.GC, self.rider.pk)

    @cached_property
    def results(self) -> Mapping[int, Row]:
        """His lines in the results, by stage."""
        return self.book.rider_rows(Standing.STAGE, self.rider.pk)

    @property
    def latest(self) -> Row | None:
        """Where he stands after the latest stage."""
        return self.standings.get(self.book.after.pk) if self.book.after else None

    @property
    def is_out(self) -> bool:
        return self.latest is not None and self.latest.state == "out"

    @property
    def is_in_pink(self) -> bool:
        return self.latest is not None and self.latest.in_pink

    @cached_property
    def nights(self) -> list[bool]:
        """For each counted stage: whether it was an evening in pink of his. Rules: GI-D1-08."""
        return nights_in_pink(self.book.counted, self.standings)

    @property
    def evenings_in_pink(self) -> int:
        return sum(self.nights)

    @cached_property
    def wins(self) -> list[Stage]:
        """The stages that he won, alone or with others."""
        return [stage for stage in self.book.counted if (row := self.results.get(stage.pk)) and row.rank == 1]

    @cached_property
    def bonuses(self) -> int:
        """Bonus sprints that he won and kept: of a stage that counts for him."""
        return sum(row.facts["bonuses"] for row in self.results.values() if row.facts["counts"])

    @cached_property
    def starts(self) -> int:
        """Stages that he took up, however they ended."""
        return sum(is_start(row) for row in self.results.values())

    @property
    def won(self) -> bool:
        """He won the Giro."""
        return self.book.is_final and self.is_in_pink

    @cached_property
    def stands(self) -> str:
        """Where he is or ended up, where there is no place to print."""
        latest = self.latest
        if latest is None:
            return _("on the start list")
        if latest.state == "out":
            return words.out_words(latest.facts["why_out"])
        return words.status_words(Status.UNRESOLVED) if latest.rank is None else ""

    @property
    def evenings_words(self) -> str:
        """2 of 3 so far."""
        told = {"n": self.evenings_in_pink, "count": len(self.book.counted)}
        if self.book.is_at_the_end:
            return _("%(n)s of %(count)s") % told
        return _("%(n)s of %(count)s so far") % told

    @cached_property
    def evenings(self) -> list[Evening]:
        """Stage by stage, as long as he was on the road."""
        found = []
        for stage in self.book.counted:
            result, standing = self.results.get(stage.pk), self.standings.get(stage.pk)
            if result is None or standing is None:
                continue
            lines = stage_lines(self.book, stage, standing) if result.facts["counts"] else []
            found.append(
                Evening(
                    stage=stage,
                    result=result,
                    standing=standing,
                    team=self.book.team(result),
                    says=says(self.book, stage, result, standing),
                    why=lines,
                )
            )
        return found

    @cached_property
    def best(self) -> str:
        """His best evening in a few words; nothing before the first placing."""
        if self.wins:
            return _("won stage %(stages)s") % {"stages": words.listed([stage.number for stage in self.wins])}
        placed = [
            (row.rank, n) for n, s in enumerate(self.book.counted) if (row := self.results.get(s.pk)) and row.rank
        ]
        if not placed:
            return ""
        rank, at = min(placed)
        return _("placed %(place)s in stage %(number)s") % {"place": rank, "number": self.book.counted[at].number}

    @property
    def won_words(self) -> str:
        """Won 1 stage of 3."""
        told = {"n": len(self.wins), "count": len(self.book.counted)}
        return ngettext("won %(n)s stage of %(count)s", "won %(n)s stages of %(count)s", len(self.wins)) % told

    @property
    def stage_out(self) -> str:
        """The number of the stage that put him out."""
        return self.book.by_pk[self.latest.facts["out_after"]].number if self.latest and self.is_out else ""

    @property
    def team(self) -> Team | None:
        """The team he rode for last; before the first stage the one of the start list."""
        if self.latest is not None:
            return self.book.team(self.latest)
        return self.book.teams.get(self.rider.team_id) if self.rider.team_id else None

    @property
    def url(self) -> str:
        return self.campaign.url("rider", self.rider.bib)


def is_start(result: Row) -> bool:
    """Whether a line of a result is a start: he took the stage up. Who withdrew without a turn did not."""
    if result.state in (Status.UNRESOLVED, Status.DNS):
        return False
    return result.state != Status.WITHDRAWN or result.facts["turn"] is not None


def says(book: Book, stage: Stage, result: Row, standing: Row) -> str:
    """A rider's stage in one line: turn or time, bonus sprints, energy."""
    facts, parts = result.facts, standing.facts["parts"]
    if not facts["counts"]:
        return _("out before this stage; what he rode does not count")
    told = [words.part_line(part, stage.pk, book.names).text for part in parts if part["kind"] in HOW]
    if not told:
        told = [words.status_words(result.state)]
    won = [part["amount"] for part in parts if part["kind"] == PartKind.BONUS]
    told += [_("bonus %(squares)s") % {"squares": signed(squares)} for squares in won]
    if facts["energy"] is not None:
        told.append(_("energy %(energy)s") % {"energy": facts["energy"]})
    return words.capital(" · ".join(told))


# ---- a rider ---------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class NextStage:
    """The stage that a rider starts in next. `energy` is None while it is not known what he brings along."""

    stage: Stage
    road: Road
    energy: int | None
    carry: int | None

    @property
    def says(self) -> str:
        """With what energy he starts. Rules: GI-D4-02."""
        if self.energy is None:
            return _("start energy not known yet")
        if not self.carry:
            return _("starts with %(energy)s energy, nothing saved") % {"energy": self.energy}
        return _("starts with %(energy)s energy, %(carry)s of it saved") % {"energy": self.energy, "carry": self.carry}


def next_stage(ride: Ride) -> NextStage | None:
    """What is ahead of a rider; nothing for who is out, or when the Giro is over."""
    stage = ride.book.next_stage
    if stage is None or ride.is_out:
        return None
    latest = ride.latest
    carry = latest.facts["carry"] if latest is not None else 0
    course = course_of(stage)
    is_known = course is not None or stage.milestones is not None
    energy = start_energy(facts_of(stage), carry) if carry is not None and is_known else None
    return NextStage(stage, road_of(stage, course), energy, carry)


def why_there(ride: Ride) -> Reason | None:
    """Why he stands where he stands after the latest stage. Needs all lines of that standing."""
    latest = ride.latest
    if latest is None:
        return None
    rows = ride.book.rows(Standing.GC, ride.book.after)
    at = next(n for n, row in enumerate(rows) if row.rider == ride.rider.pk)
    below = rows[at + 1] if at + 1 < len(rows) and rows[at + 1].rank is not None else None
    return gc_why(ride.book, latest, below, ride.standings).reason


def latest_standing(campaign: Campaign) -> Q:
    """All lines of the general classification after the latest stage that was counted."""
    last = Standing.objects.filter(campaign=campaign, classification=Standing.GC).order_by("-stage__order")
    return Q(classification=Standing.GC, stage=Subquery(last.values("stage")[:1]))


def ride_of(campaign: Campaign, rider: Rider) -> Ride:
    """A rider's Giro, with the whole latest standing around him."""
    return Ride(open_book(campaign, wanted=SIGNS | Q(rider=rider) | latest_standing(campaign)), rider)


def rulings_on(rider: Rider) -> list[Ruling]:
    """What the jury decided on a rider, latest first; what was withdrawn is marked."""
    made = Ruling.objects.filter(rider=rider).select_related("stage", "rider", "withdrawn_by", "by").defer("changes")
    found = list(made.order_by("-number"))
    for ruling in found:
        ruling.campaign = ruling.stage.campaign = rider.campaign
    return found


class Jerseys:
    """Which team a rider rides for now: that of the next stage's day while he is in it, else the one he rode for last."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self.stage = book.next_stage
        self.of_the_day = TeamsOfTheDay(book.campaign)

    def team(self, rider: Rider, latest: Row | None) -> Team | None:
        if latest is not None and (latest.state == "out" or self.stage is None):
            return self.book.team(latest)
        stage = self.stage or (self.book.stages[0] if self.book.stages else None)
        return rider.team if stage is None else self.of_the_day.team(rider, stage.day)


@dataclass(frozen=True, slots=True)
class Starter:
    """A line of the start list, and where its rider stands."""

    rider: Rider
    player: Player
    team: Team | None
    latest: Row | None
    stage_out: str  # number of the stage that put him out
    stands: str

    @property
    def is_out(self) -> bool:
        return self.latest is not None and self.latest.state == "out"


def start_list(book: Book) -> list[Starter]:
    """Everybody on the start list by bib. `book` holds the latest standing whole."""
    jerseys = Jerseys(book)
    latest = {row.rider: row for row in book.rows(Standing.GC, book.after)}
    found = []
    for rider in sorted(book.riders.values(), key=lambda rider: rider.bib):
        row = latest.get(rider.pk)
        out_after = row.facts["out_after"] if row else None
        found.append(
            Starter(
                rider=rider,
                player=kept(rider.player),
                team=jerseys.team(rider, row),
                latest=row,
                stage_out=book.by_pk[out_after].number if out_after else "",
                stands=_standing_words(row),
            )
        )
    return found


def _standing_words(row: Row | None) -> str:
    if row is None:
        return ""
    if row.state == "out":
        return words.out_words(row.facts["why_out"])
    return words.status_words(Status.UNRESOLVED) if row.rank is None else ""


# ---- a player --------------------------------------------------------------------------------------------------------
class Career:
    """All that a player rode, latest first."""

    def __init__(self, rides: Sequence[Ride]) -> None:
        self.rides = rides

    @cached_property
    def evenings_in_pink(self) -> int:
        return sum(ride.evenings_in_pink for ride in self.rides)

    @cached_property
    def stage_wins(self) -> int:
        return sum(len(ride.wins) for ride in self.rides)

    @cached_property
    def bonuses(self) -> int:
        return sum(ride.bonuses for ride in self.rides)

    @cached_property
    def starts(self) -> int:
        return sum(ride.starts for ride in self.rides)

    @cached_property
    def giri(self) -> int:
        """Giri in which he started; with two riders in one it is one."""
        return len({ride.campaign.pk for ride in self.rides if ride.starts})

    @cached_property
    def giri_won(self) -> int:
        return sum(ride.won for ride in self.rides)

    @property
    def won(self) -> list[tuple[Stage, Ride]]:
        """The stages won, latest first, each with the ride."""
        won = [(stage, ride) for ride in self.rides for stage in ride.wins]
        return sorted(won, key=lambda one: (one[0].starts_at, one[0].pk), reverse=True)

    @cached_property
    def in_pink(self) -> Ride | None:
        """The ride in which he wears pink tonight: of a Giro under way."""
        worn = (ride for ride in self.rides if ride.is_in_pink and Front(ride.book).is_running)
        return next((ride for ride in worn if not ride.campaign.season.is_archived), None)

    @property
    def in_pink_words(self) -> str:
        """Since when he wears it, and how often he has."""
        ride = self.in_pink
        since = ride.book.pink_since() if ride else None
        if ride is None or since is None:
            return ""
        return _("In pink since stage %(number)s of %(giro)s.") % {"number": since.number, "giro": ride.campaign.name}

    @property
    def says(self) -> str:
        """The career in a sentence."""
        if not self.starts:
            return _("No start yet.") if not self.rides else _("On a start list, no result yet.")
        told = [ngettext("%(n)s start", "%(n)s starts", self.starts) % {"n": self.starts}]
        told.append(ngettext("%(n)s Giro", "%(n)s Giri", self.giri) % {"n": self.giri})
        if self.stage_wins:
            told.append(ngettext("%(n)s stage won", "%(n)s stages won", self.stage_wins) % {"n": self.stage_wins})
        return _("%(what)s.") % {"what": words.listed(told)}


def career_of(player: Player) -> Career:
    """Everything that he, or a player merged into him, rode. Five queries, however long he has been riding."""
    his = Q(player=player) | Q(player__merged_into=player)
    riders = list(Rider.objects.filter(his).select_related("campaign__season__club").order_by("bib"))
    campaigns = {rider.campaign_id: rider.campaign for rider in riders}
    books = books_of(campaigns.values(), wanted=Q(rider__in=[rider.pk for rider in riders]))
    rides = [Ride(books[rider.campaign_id], rider) for rider in riders]
    return Career(sorted(rides, key=_when, reverse=True))


def _when(ride: Ride) -> tuple[object, ...]:
    """Seasons in their order, Giri as they began, bibs backwards: read from the end."""
    book, season = ride.book, ride.campaign.season
    first = book.stages[0].starts_at if book.stages else ride.campaign.created_at
    return (season.starts_on, season.pk, first, ride.campaign.pk, -ride.rider.bib)


def spells_over_time(player: Player) -> list[TeamSpell]:
    """The teams he was in, the present one first."""
    his = Q(player=player) | Q(player__merged_into=player)
    spells = TeamSpell.objects.filter(his).select_related("team__season__club")
    return list(spells.order_by("-team__season__starts_on", "-first_day", "-pk"))


def season_places(player: Player) -> list[SeasonStanding]:
    """His lines in the seasons' tables of players, latest season first."""
    rows = SeasonStanding.objects.filter(classification=SeasonStanding.PLAYERS, player=player)
    return list(rows.select_related("season__club").order_by("-season__starts_on", "-season__pk"))


# ---- teams of a season -----------------------------------------------------------------------------------------------
def spells_in(season: Season) -> list[TeamSpell]:
    """Who was in which team of the season from when to when, in that order."""
    spells = TeamSpell.objects.filter(team__season=season).select_related("team", "player__merged_into")
    return list(spells.order_by("first_day", "pk"))


def day_within(season: Season, day: date) -> date:
    """The day that a season's page speaks of: today, or its first or last day where today is outside it."""
    return min(max(day, season.starts_on), season.ends_on)


@dataclass(frozen=True, slots=True)
class LineUp:
    """A team and who is in it on a day."""

    team: Team
    players: Sequence[Player]


def line_ups(season: Season, spells: Sequence[TeamSpell], day: date) -> list[LineUp]:
    """Every team of the season with its players of that day. Of two spells at once the later one counts."""
    team_of: dict[int, TeamSpell] = {kept(spell.player).pk: spell for spell in spells if spell.covers(day)}
    riding: dict[int, list[Player]] = {}
    for spell in team_of.values():
        riding.setdefault(spell.team_id, []).append(kept(spell.player))
    return [
        LineUp(team, sorted(riding.get(team.pk, []), key=lambda player: (player.name_key, player.pk)))
        for team in Team.objects.filter(season=season)
    ]


@dataclass(frozen=True, slots=True)
class Move:
    """A transfer: from this day on he rides for `new`; None: for nobody."""

    day: date
    player: Player
    old: Team | None
    new: Team | None


def moves(season: Season, spells: Sequence[TeamSpell]) -> list[Move]:
    """The transfers of a season, latest first: who changed teams, came after the start or left before the end."""
    of: dict[int, list[TeamSpell]] = {}
    for spell in spells:
        of.setdefault(kept(spell.player).pk, []).append(spell)
    found = []
    for own in of.values():
        player, before = kept(own[0].player), None
        for spell in own:
            if before is not None or spell.first_day > season.starts_on:
                found.append(Move(spell.first_day, player, before, spell.team))
            before = spell.team
        last = own[-1].last_day
        if last is not None and last < season.ends_on:
            found.append(Move(last + timedelta(days=1), player, before, None))
    return sorted(found, key=lambda move: (move.day, move.player.pk), reverse=True)
