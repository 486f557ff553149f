"""The demo club: last season's short Giro, and this season in the middle of a five-stage one.

Eight players, three teams, a transfer, a rider who abandons, a time trial, a penalty and a corrected sheet; a points series
with a bot in it, three rounds old, one in two divisions that follows last season's, and a stage race of Breaking Away; a friendly that is on the road, and one that waits for riders. Everything goes through the calls that the pages make, so every figure
on screen was computed. The people are invented.
"""

import hashlib
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from types import MappingProxyType
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from league import campaigns, clubs, divisions, results, roster, rounds, rulings, series, stages, startlist
from league.models import (
    Campaign,
    Club,
    Membership,
    Player,
    Rider,
    Round,
    RoundVersion,
    Ruling,
    Season,
    Series,
    Sheet,
    SheetVersion,
    Stage,
    Team,
)
from league.models.club import Role
from league.models.results import RulingKind
from league.models.series import Counting
from league.recount import count
from races import bots, fairness, lobby, play
from races.models import Race, Secret
from rules.game import Taker

PASSWORD = "maglia-rosa"  # noqa: S105  # of the demo, printed by `make run` and shown on its sign-on page
EVENING = time(19, 30)
THURSDAY = 3
FORTNIGHT = timedelta(days=14)


@dataclass(frozen=True)
class Login:
    email: str
    name: str
    what: str
    role: Role


LOGINS = (
    Login("marta@lanterna.example", "Marta Oyelaran", "organiser: may do everything", Role.ORGANISER),
    Login("ines@lanterna.example", "Ines Okafor", "commissaire: enters results, rules", Role.COMMISSAIRE),
    Login("jonas@lanterna.example", "Jonas Petrik", "member: rides and looks", Role.MEMBER),
)

TEAMS = {"White": ("white", "plain"), "Blue": ("blue", "sash"), "Green": ("green", "stripes")}


@dataclass(frozen=True)
class Entered:
    """A line of the start list: bib, rider, speciality, player, the team he begins the season in."""

    bib: int
    name: str
    speciality: str
    player: str
    team: str


FIELD = (
    Entered(11, "Amedeo Sarti", "rouleur", "Marta Oyelaran", "White"),
    Entered(21, "Chiara Venn", "leader", "Jonas Petrik", "Blue"),
    Entered(31, "Dario Quist", "leader", "Sunniva Rao", "Green"),
    Entered(12, "Bram Kessel", "climber", "Pieter Vos", "White"),
    Entered(22, "Fedor Lund", "rouleur", "Aiko Tanaka", "Blue"),
    Entered(32, "Elin Marchetti", "climber", "Luca Ferri", "Green"),
    Entered(13, "Noor Haddad", "leader", "Zoë Lindqvist", "White"),
    Entered(23, "Tomas Ilves", "climber", "Ines Okafor", "Blue"),
)
TRANSFERRED = ("Zoë Lindqvist", "Green")  # after the first stage


@dataclass(frozen=True)
class Row:
    """A rider's line on a sheet; `order`: crossing order, or place on the clock of a time trial."""

    bib: int
    turn: int | None
    order: int | None
    energy: int | None
    status: str = ""


@dataclass(frozen=True)
class Ridden:
    """A stage and what was written down at the table."""

    course: str
    kind: str
    place: str
    rows: Sequence[Row]
    peloton: int | None = None
    bonuses: Sequence[int | None] = ()  # bibs, by token; None: nobody


GIRO = (
    Ridden("pianura", "road", "Clubroom, table 1", (
        Row(11, 12, 1, 3), Row(21, 12, 2, 9), Row(31, 13, 3, 11), Row(13, 13, 4, 6),
        Row(12, 14, 5, 14), Row(32, 14, 6, 17), Row(23, 15, 7, 5), Row(22, 16, 8, 2),
    ), peloton=14, bonuses=(31,)),
    Ridden("crono", "itt", "Clubroom, both tables", (
        Row(21, 11, 1, 0), Row(12, 11, 2, 2), Row(32, 12, 3, 6), Row(13, 12, 4, 4),
        Row(11, 13, 5, 7), Row(23, 13, 6, 3), Row(31, 14, 7, 5), Row(22, 14, 8, 1),
    )),
    Ridden("colli", "road", "Clubroom, table 1", (
        Row(32, 15, 1, 4), Row(21, 15, 2, 0), Row(11, 16, 3, 6), Row(13, 16, 4, 9),
        Row(23, 17, 5, 2), Row(31, 18, 6, 8), Row(22, 19, 7, 3), Row(12, None, None, None, "dnf"),
    ), peloton=17, bonuses=(21, 13)),
)  # fmt: skip
MISREAD = {12: "3", 32: "2"}  # the clock of stage 2 as first written down, corrected by a ruling
DEMO_ENTRIES = 70  # of the race that is on the road: half a dozen turns
TO_COME = (("vetta", "road", "Clubroom, table 2"), ("laguna", "ttt", "Clubroom, table 2"))

LAST_YEAR = (
    Ridden("pianura", "road", "Clubroom", (
        Row(32, 11, 1, 6), Row(11, 12, 2, 4), Row(31, 12, 3, 10), Row(21, 13, 4, 12), Row(22, 14, 5, 3), Row(12, 14, 6, 0),
    ), peloton=15, bonuses=(11,)),
    Ridden("crono", "itt", "Clubroom", (
        Row(11, 11, 1, 1), Row(31, 11, 2, 4), Row(32, 12, 3, 2), Row(21, 12, 4, 6), Row(12, 13, 5, 3), Row(22, 13, 6, 2),
    )),
    Ridden("vetta", "road", "Clubroom", (
        Row(31, 14, 1, 2), Row(32, 14, 2, 7), Row(12, 15, 3, 1), Row(11, 16, 4, 8), Row(21, 16, 5, 5), Row(22, 19, 6, 0),
    ), peloton=16, bonuses=(32,)),
)  # fmt: skip


@dataclass(frozen=True)
class Crossed:
    """A round of the points series: its course, and line by line who crossed it."""

    name: str
    course: str
    lines: Sequence[str]
    who: Sequence[tuple[str, str]] = ()  # (letters, who rode): see `rounds`


COPPA = "Coppa del Molo"
COPPISTI = ("Marta Oyelaran", "Jonas Petrik", "Sunniva Rao", "Pieter Vos", "Aiko Tanaka")
"""On sheets they are M, J, S, P and A; the bot is B."""

ROUNDS = (
    Crossed("Lap of the harbour", "kermesse-60", (
        "J1 M1 S2 J2 P1 A1 M2 B1", "M1 J1 S1 P1 J2 A1 S2 B2",
    )),
    Crossed("Two and a half laps", "standard-100", (
        "S1 P1 J1 A2 M1 B1 S2 P2", "P1 S1 M1 J1 A1 P2 B1 M2", "S1 M1 P1 J2 A1 J1 S2 M3",
    )),
    Crossed("Under the lantern", "kermesse-60", (
        "A1 M1 P1 B1 A2 S1 M2 P2", "P1 A1 M1 B1 M2 A2 P2 S1",
    ), (("J", rounds.NO_SHOW),)),
)  # fmt: skip
FARI = "Serie dei Fari"
IN_ORDER = (
    "Marta Oyelaran",
    "Jonas Petrik",
    "Sunniva Rao",
    "Pieter Vos",
    "Aiko Tanaka",
    "Luca Ferri",
    "Zoë Lindqvist",
    "Ines Okafor",
)
"""Half of them begin in the first division; on sheets they are M, J, S and P, and A, L, Z and I."""
FARI_LAST_YEAR = ("S1 M1 J1 P1 M2 S2 J2 P2", "A1 Z1 L1 I1 A2 Z2 L2 I2")
"""By division who crossed both lines. P goes down, A comes up."""
FARI_NOW = (
    ("M1 A1 J1 S1 A2 M2 S2 J2", "P1 I1 Z1 L1 I2 P2 L2 Z2"),
    ("A1 S1 M1 J1 S2 A2 J2 M2", "I1 P1 L1 Z1 P2 I2 Z2 L2"),
)

PORTO = "Giro del Porto"
PORTISTI = ("Marta Oyelaran", "Jonas Petrik", "Aiko Tanaka", "Zoë Lindqvist")
STAGES: Sequence[Mapping[str, str]] = (
    {
        "line-1": "J1 M1 Z1 A1 J2 M2 A2 Z2", "line-2": "M1 J1 Z1 J2 A1 M2 Z2 A2", "turns": "7 7 7 8 8 8 8 8",
        "stopped": "8", "road": "J3 58 M3 56 A3 55 Z3 55 M4 51 J4 49 Z4 47 A4 44",
    },
    {
        "line-1": "A1 Z1 J1 M1 A2 J2 Z2 M2", "line-2": "A1 J1 M1 Z1 A2 M2 J2 Z2", "turns": "7 7 8 8 8 8 8 8",
        "stopped": "8", "road": "A3 60 Z3 57 J3 57 M3 54 A4 52 M4 50 J4 46 Z4 45",
    },
)  # fmt: skip
"""A stage race: who was over the lines, in which turns, and where the others stood when it was over."""
MISREAD_ROUND = 2
ROUNDS_TO_COME = (("Five laps of the square", "criterium-125"), ("The long road", "classic-140"))
MISTAPPED = "S1 P1 J1 A2 M1 B1 P2 S2"  # the first sprint of round 2 as first tapped, corrected the day after


def next_thursday(club: Club, today: date) -> datetime:
    """The evening of the next stage: a Thursday, at least two days away."""
    day = today + timedelta(days=2)
    day += timedelta(days=(THURSDAY - day.weekday()) % 7)
    return at(club, day)


def at(club: Club, day: date) -> datetime:
    """The hour of the club night on that day, in the club's zone, whatever the clocks have done in between."""
    return datetime.combine(day, EVENING, tzinfo=club.zone)


def make_demo(today: date | None = None) -> Club:
    """Make the club. It is there whole or not at all."""
    with transaction.atomic():
        return Demo(today or timezone.localdate()).make()


class Demo:
    def __init__(self, today: date) -> None:
        self.users = {login.name: self.user(login) for login in LOGINS}
        self.marta, self.ines = self.users["Marta Oyelaran"], self.users["Ines Okafor"]
        self.club = clubs.found_club(
            self.marta,
            name="V.C. Lanterna",
            motto="a club of riders who never leave the table",
            time_zone="Europe/Rome",
        )
        for login in LOGINS[1:]:
            Membership.objects.create(club=self.club, user=self.users[login.name], role=login.role)
        self.players = {e.player: self.player(e.player) for e in FIELD}
        self.next = next_thursday(self.club, today).date()

    @staticmethod
    def user(login: Login) -> User:
        user = User(username=login.email, email=login.email, first_name=login.name)
        user.set_password(PASSWORD)
        user.save()
        user.emailaddress_set.create(email=login.email, verified=True, primary=True)  # type: ignore[attr-defined]
        return user

    def player(self, name: str) -> Player:
        return roster.add_player(self.club, name, user=self.users.get(name))

    def make(self) -> Club:
        self.last_year()
        self.this_year()
        self.on_the_road()
        self.breaking_away()
        self.to_be_joined()
        return self.club

    def season(self, first: date, last: date) -> tuple[Season, dict[str, Team]]:
        years = f"{first.year}" if first.year == last.year else f"{first.year}-{last.year % 100:02}"
        name = _("Season %(years)s") % {"years": years}
        season = clubs.new_season(self.club, name=name, starts_on=first, ends_on=last)
        teams = {
            name: clubs.new_team(season, name=name, colour=colour, pattern=pattern)
            for name, (colour, pattern) in TEAMS.items()
        }
        for entered in FIELD:
            roster.transfer(season, self.players[entered.player], teams[entered.team], first)
        return season, teams

    def campaign(
        self, season: Season, name: str, field: Sequence[Entered], evenings: Sequence[tuple[date, str, str, str]]
    ) -> Campaign:
        campaign = campaigns.new_campaign(season, campaigns.CampaignPlan(name=name))
        for number, (day, course, kind, place) in enumerate(evenings, 1):
            stages.new_stage(
                campaign,
                stages.StagePlan(
                    number=str(number),
                    name=NAMES[course],
                    starts_at=at(self.club, day),
                    place=place,
                    kind=kind,
                    course=course,
                ),
            )
        startlist.enter_riders(
            campaign,
            [
                startlist.Line(bib=e.bib, name=e.name, speciality=e.speciality, player=self.players[e.player])
                for e in field
            ],
            sure=True,
        )
        return campaign

    def last_year(self) -> None:
        days = [self.next - timedelta(days=364) + n * FORTNIGHT for n in range(len(LAST_YEAR))]
        season, _teams = self.season(days[0] - timedelta(days=30), days[-1] + timedelta(days=30))
        evenings = [(day, r.course, r.kind, r.place) for day, r in zip(days, LAST_YEAR, strict=True)]
        here = {row.bib for row in LAST_YEAR[0].rows}
        campaign = self.campaign(season, "Giro di Prova", [e for e in FIELD if e.bib in here], evenings)
        for number, ridden in enumerate(LAST_YEAR, 1):
            self.ride(campaign, str(number), ridden)
        self.finish(campaign)
        self.fari_last_year(season, days[-1])
        clubs.archive(season, archived=True)

    def this_year(self) -> None:
        days = [self.next + n * FORTNIGHT for n in range(-len(GIRO), len(TO_COME))]
        season, teams = self.season(days[0] - timedelta(days=30), days[-1] + timedelta(days=120))
        evenings = [(day, r.course, r.kind, r.place) for day, r in zip(days, GIRO, strict=False)]
        evenings += [(day, *plan) for day, plan in zip(days[len(GIRO) :], TO_COME, strict=True)]
        campaign = self.campaign(season, "Giro d’Inverno", FIELD, evenings)

        self.ride(campaign, "1", GIRO[0])
        who, where = TRANSFERRED
        roster.transfer(season, self.players[who], teams[where], days[0] + timedelta(days=2))

        trial = self.stage(campaign, "2")
        self.ride(
            campaign, "2", GIRO[1], {f"clock-{self.rider(campaign, bib).pk}": clock for bib, clock in MISREAD.items()}
        )
        self.type(trial, GIRO[1])
        rulings.correct(
            trial, self.ines, "The stopwatch was read in the wrong row: the clock of Kessel and Marchetti is exchanged."
        )

        self.ride(campaign, "3", GIRO[2])
        rulings.rule(
            campaign,
            rulings.Proposal(
                stage=self.stage(campaign, "3"), kind=RulingKind.PENALTY, rider=self.rider(campaign, 31), amount=1,
                reason="Looked at a bottle that lay face down before deciding his move.",
            ),
            self.ines,
        )  # fmt: skip
        self.finish(campaign)
        self.coppa(season)
        self.fari(season)
        self.porto(season)

    def coppa(self, season: Season) -> None:
        """A points series: two rounds are signed, one of them corrected; the third is provisional, two are to come."""
        made = series.new_series(season, series.SeriesPlan(name=COPPA, game="breaking_away"))
        entered = [self.players[name] for name in COPPISTI]
        entrants = series.set_entrants(made, series.EntrantsPlan(players=entered, bots=[("club", "")]))
        letters = {entrant.code: entrant.pk for entrant in entrants}
        first = self.next - timedelta(days=7) - FORTNIGHT * (len(ROUNDS) - 1)
        plans = [(ridden.name, ridden.course) for ridden in ROUNDS] + list(ROUNDS_TO_COME)
        for number, (name, course) in enumerate(plans):
            series.new_round(
                made,
                series.RoundPlan(
                    number=str(number + 1),
                    name=name,
                    starts_at=at(self.club, first + number * FORTNIGHT),
                    place="Clubroom, table 2",
                    setup={"breaking_away-course": course},
                ),
            )
        for number, ridden in enumerate(ROUNDS, 1):
            round_ = made.rounds.get(number=str(number))
            round_.series = made
            told = {f"line-{line}": crossed for line, crossed in enumerate(ridden.lines, 1)}
            told |= {f"who-{letters[code]}": who for code, who in ridden.who}
            if number == MISREAD_ROUND:
                self.publish_round(round_, told | {"line-1": MISTAPPED})
                rounds.type_cells(round_, self.ines, told, round_.cells, correcting=True)
                rounds.publish(round_, self.ines, reason="S2 was over the first sprint before P2: two taps exchanged.")
            else:
                self.publish_round(round_, told, official=number < len(ROUNDS))
            self.dated(round_)

    @staticmethod
    def dated(round_: Round) -> None:
        """The versions of its sheet are of the evening, corrections of the day after."""
        late = round_.starts_at + timedelta(hours=1, minutes=20)
        RoundVersion.objects.filter(round=round_, number=1).update(at=late)
        RoundVersion.objects.filter(round=round_, number__gt=1).update(at=late + timedelta(hours=14))

    def fari_last_year(self, season: Season, day: date) -> None:
        """A series in two divisions that is over: one goes up, one goes down."""
        made = series.new_series(season, series.SeriesPlan(name=FARI, game="breaking_away"))
        series.set_entrants(made, series.EntrantsPlan(players=[self.players[name] for name in IN_ORDER]))
        plan = divisions.DivisionsPlan(come=["Prima", "Seconda"], promoted=1, relegated=1)
        divisions.set_divisions(made, plan)
        self.evening_of_fari(made, "1", day, FARI_LAST_YEAR)
        self.fari_before = made

    def fari(self, season: Season) -> None:
        """The series that follows: one evening is signed, one provisional, one to come."""
        before = self.fari_before
        made = divisions.next_series(before, season, divisions.NextPlan(name=FARI, to={}))
        days = [self.next + timedelta(days=5) + n * FORTNIGHT for n in range(-len(FARI_NOW), 1)]
        for number, (day, crossed) in enumerate(zip(days, FARI_NOW, strict=False), 1):
            self.evening_of_fari(made, str(number), day, crossed, official=number < len(FARI_NOW))
        self.evening_of_fari(made, str(len(days)), days[-1], ())

    def evening_of_fari(
        self, made: Series, number: str, day: date, crossed: Sequence[str], *, official: bool = True
    ) -> None:
        """A round of each division."""
        plan = series.RoundPlan(
            number=number, starts_at=at(self.club, day), place="Clubroom", setup={"breaking_away-course": "kermesse-60"}
        )
        for round_, lines in zip(series.new_rounds(made, plan), crossed, strict=False):
            self.publish_round(round_, {"line-1": lines, "line-2": lines}, official=official)
            self.dated(round_)

    def porto(self, season: Season) -> None:
        """A stage race: the first stage is signed, the second provisional, the third to come."""
        plan = series.SeriesPlan(name=PORTO, game="breaking_away", counting=Counting.TIME)
        made = series.new_series(season, plan)
        series.set_entrants(made, series.EntrantsPlan(players=[self.players[name] for name in PORTISTI]))
        days = [self.next + timedelta(days=2) + n * FORTNIGHT for n in range(-len(STAGES), 1)]
        for number, day in enumerate(days, 1):
            setup = {"breaking_away-course": "kermesse-60", "breaking_away-end_mode": "complete_turn"}
            at_ = at(self.club, day)
            round_ = series.new_round(
                made, series.RoundPlan(number=str(number), starts_at=at_, place="Quay", setup=setup)
            )
            if number <= len(STAGES):
                self.publish_round(round_, dict(STAGES[number - 1]), official=number < len(STAGES))
                self.dated(round_)

    def publish_round(self, round_: Round, told: dict[str, str], *, official: bool = True) -> None:
        """Type the sheet of a round, tick what is asked about, publish."""
        rounds.type_cells(round_, self.ines, told, {})
        asked = {finding.sure: rounds.ON for finding in rounds.entry_of(round_).reading.findings if finding.sure}
        rounds.type_cells(round_, self.ines, asked, {})
        rounds.publish(round_, self.ines, official=official)

    def friendly(
        self,
        owner: str,
        title: str,
        course: str,
        places: Sequence[lobby.Place],
        game: str = "giro",
        options: Mapping[str, Any] = MappingProxyType({"giro": True}),
        entrant: Mapping[str, Any] = MappingProxyType({"draft": 2}),
    ) -> Race:
        """A race with dice that are the same in every demo: anybody can read here how they fall."""
        race = lobby.open_friendly(
            owner=self.users[owner],
            title=title,
            game=game,
            options={"course": course, **options},
            entrant=entrant,
            places=places,
            way="online",
            is_public=True,
        )
        seed = hashlib.sha256(f"demo: {course}".encode()).digest()
        Secret.objects.filter(race=race).update(seed=seed)
        race.key, race.commitment = f"demo-{course}", fairness.commitment(seed)
        race.save(update_fields=["key", "commitment"])
        return race

    def on_the_road(self) -> None:
        """Marta, Jonas and two bots have ridden some turns; Marta has to move."""
        places = [lobby.Place(who=who) for who in (lobby.ME, lobby.OPEN, "club", "easy")]
        race = self.friendly("Marta Oyelaran", "A lap of Colli", "colli", places)
        jonas = lobby.Sitter.of(self.users["Jonas Petrik"])
        assert jonas is not None
        lobby.take(race.pk, seat="B", sitter=jonas)
        play.start(race, by=self.marta)
        self.ride_on(race, until=DEMO_ENTRIES, asked="A")

    def breaking_away(self) -> None:
        """Jonas, Marta and two bots on five laps of a criterium; Marta has to move."""
        places = [lobby.Place(who=who) for who in (lobby.ME, lobby.OPEN, "club", "easy")]
        race = self.friendly(
            "Jonas Petrik",
            "Round the market square",
            "criterium-125",
            places,
            game="breaking_away",
            options={},
            entrant={},
        )
        marta = lobby.Sitter.of(self.marta)
        assert marta is not None
        lobby.take(race.pk, seat="B", sitter=marta)
        play.start(race, by=self.users["Jonas Petrik"])
        self.ride_on(race, until=DEMO_ENTRIES, asked="B")

    @staticmethod
    def ride_on(race: Race, *, until: int, asked: str) -> None:
        """Let everybody ride, the people as a bot would, up to that entry and on until that seat has to move a rider."""
        users = {seat.name: seat.user for seat in race.seats.all()}
        luck = random.Random(race.key)  # noqa: S311 - what two people might have thought, not dice
        while True:
            play.advance(race.pk)
            table = play.look(Race.objects.get(pk=race.pk))
            decision = next(d for d in table.decisions if d.taker is Taker.SEAT)
            if table.race.n >= until and decision.seat == asked and decision.kind == "move":
                return
            action = bots.answer(table.game, "easy", table.state, decision, luck)
            name = play.name_of(decision)
            play.submit(
                race.pk, seat=str(decision.seat), action=action, decision=name, after=table.opened[name],
                key=f"demo-{table.race.n}", by=users[str(decision.seat)],
            )  # fmt: skip

    def to_be_joined(self) -> None:
        """Jonas waits for two more, and has put a bot beside himself."""
        places = [lobby.Place(who=who) for who in (lobby.ME, "club", lobby.OPEN, lobby.OPEN)]
        self.friendly("Jonas Petrik", "Over the Vetta, whoever comes", "vetta", places)

    @staticmethod
    def rider(campaign: Campaign, bib: int) -> Rider:
        return campaign.riders.get(bib=bib)

    @staticmethod
    def stage(campaign: Campaign, number: str) -> Stage:
        stage = campaign.stages.get(number=number)
        stage.campaign = Campaign.objects.select_related("season__club").get(pk=campaign.pk)
        return stage

    def type(self, stage: Stage, ridden: Ridden, instead: dict[str, str] | None = None) -> None:
        """Type the sheet, and tick what is asked about."""
        riders = {rider.bib: rider.pk for rider in stage.campaign.riders.all()}
        order = "place" if ridden.kind == "road" else "clock"
        cells: dict[str, str] = {}
        for row in ridden.rows:
            told = {"turn": row.turn, order: row.order, "energy": row.energy}
            cells |= {f"{cell}-{riders[row.bib]}": str(value) for cell, value in told.items() if value is not None}
            if row.status:
                cells[f"status-{riders[row.bib]}"] = row.status
        if ridden.peloton:
            cells["peloton"] = str(ridden.peloton)
        for token, bib in enumerate(ridden.bonuses, 1):
            cells[f"bonus-{token}"] = str(riders[bib]) if bib else "nobody"
        cells |= instead or {}
        before = results.entry_of(stage).cells
        results.type_cells(stage, self.ines, cells, {key: before.get(key, "") for key in cells})
        asked = {finding.sure: "on" for finding in results.entry_of(stage).findings if finding.sure}
        results.type_cells(stage, self.ines, asked, {})

    def ride(self, campaign: Campaign, number: str, ridden: Ridden, instead: dict[str, str] | None = None) -> None:
        stage = self.stage(campaign, number)
        self.type(stage, ridden, instead)
        results.publish(stage, self.ines, official=True)

    def finish(self, campaign: Campaign) -> None:
        """Count, and date what was written as on the evenings themselves."""
        count(campaign.pk)
        for stage in campaign.stages.all():
            late = stage.starts_at + timedelta(hours=2, minutes=44)
            Sheet.objects.filter(stage=stage).exclude(version=0).update(published_at=late, official_at=late)
            SheetVersion.objects.filter(sheet__stage=stage, number=1).update(at=late)
            SheetVersion.objects.filter(sheet__stage=stage, number__gt=1).update(at=late + timedelta(hours=14))
            Ruling.objects.filter(stage=stage, kind=RulingKind.CORRECTION).update(at=late + timedelta(hours=14))
            Ruling.objects.filter(stage=stage).exclude(kind=RulingKind.CORRECTION).update(
                at=late + timedelta(minutes=20)
            )


NAMES = {"pianura": "Pianura", "crono": "Cronometro", "colli": "Colli", "vetta": "La Vetta", "laguna": "Laguna"}
