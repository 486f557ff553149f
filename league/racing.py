"""Stages that are ridden as races: from the start list to the seats, and from the outcome to the result sheet.

A stage that comes next can be opened as a race, on the site or refereed at the table. Its seats are the players who have
a rider left in the Giro; who is linked to a user sits at once. When the race is over its outcome becomes the stage's sheet,
*provisional*: an organiser looks at it and makes it official as ever. `settle` does that, once for every end of the race.

What was typed by hand is never overwritten: where the race says something else, both stand in the cell until somebody
chooses. Under an official sheet the race stays as it ended, and no sheet becomes official while its race is on the road.
"""

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league import results
from league.campaigns import Fault, Faulty, is_public
from league.classification.status import Kind, Status
from league.courses import course_of
from league.errors import Refused
from league.loading import TeamsOfTheDay, load
from league.models import (
    Campaign,
    DraftCell,
    Membership,
    Player,
    Rider,
    Role,
    Sheet,
    SheetVersion,
    Stage,
    StageRace,
    Team,
)
from league.models.campaign import Speciality
from league.models.results import SheetState
from league.roster import kept
from league.sheets import giro as sheets
from races import play
from races.access import Right
from races.lobby import SEAT_NAMES, due
from races.models import Entry, Race, Seat
from races.models import Status as RaceStatus
from races.prepared import Prepared
from rules import registry
from rules.errors import RulesError
from rules.giro.notation import plan_from_json
from rules.giro.validity import Level, findings

log = logging.getLogger(__name__)

PLAYER = "player"
"""Who rides a seat: its player himself, now or when he comes by the link; or else the level of a bot."""

ABSENT = "absent"
"""Or nobody: the riders of the player do not start, which the sheet says from then on."""

NOT_STARTING = (Status.DNS.value, Status.WITHDRAWN.value)
"""The statuses that somebody may have on the sheet before the stage is ridden: then he has no place in its race."""


LONGEST_TITLE = Race._meta.get_field("title").max_length
LONGEST_LABEL = Seat._meta.get_field("label").max_length


# ---- who may do what ---------------------------------------------------------------------------------------------------
def gatekeeper(user: User, race: Race) -> Right:
    """The club's organisers and commissaires lead the races of its stages; its members watch them, also in a closed club."""
    return right_of(_in_club(user.pk, race.pk))


_in_club = Prepared(
    lambda user, race: Membership.objects.filter(
        user_id=user, club__seasons__campaigns__stages__races__race_id=race
    ).values_list("role", flat=True)[:1]
)


def right_of(roles: Sequence[str]) -> Right:
    """What a membership of the club is worth in a race of the club; nothing without one."""
    if not roles:
        return Right.NOTHING
    role = roles[0]
    return Right.LEAD if role in (Role.ORGANISER, Role.COMMISSAIRE) else Right.WATCH


def led_clubs(user: User) -> QuerySet[Membership, int]:
    """The clubs that somebody leads as organiser or commissaire."""
    leads = Membership.objects.filter(user=user, role__in=[Role.ORGANISER, Role.COMMISSAIRE])
    return leads.values_list("club", flat=True)


def seats_of(user: User, players: Mapping[str, int]) -> set[str]:
    """Of seats and the players who are to sit there, those of the players who are this user: also of merged ones."""
    mine = Player.objects.filter(user=user, merged_into=None).values_list("pk", flat=True)
    his = set(mine) | set(Player.objects.filter(merged_into__in=list(mine)).values_list("pk", flat=True))
    return {name for name, player in players.items() if player in his}


def leading(user: User) -> QuerySet[Race]:
    """The races of stages that somebody leads as organiser or commissaire."""
    return Race.objects.filter(stage_race__stage__campaign__season__club__in=led_clubs(user))


def claims(user: User, race: Race) -> set[str]:
    """The seats of the players who are this user: also of one who was linked after the race was opened."""
    found = StageRace.objects.filter(race=race).first()
    return seats_of(user, found.players) if found else set()


def home(race: Race) -> tuple[str, str] | None:
    """The stage that a race is ridden for."""
    found = StageRace.objects.filter(race=race).select_related("stage__campaign__season__club").first()
    return (str(found.stage), found.stage.get_absolute_url()) if found else None


def bench(race: Race) -> QuerySet[User]:
    """Who may be sent into a race of a stage: the members of the club."""
    return User.objects.filter(memberships__club__seasons__campaigns__stages__races__race=race)


# ---- what a stage brings to its race -----------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A rider at the start: with what he rides, and for whom."""

    rider: Rider
    team: Team | None
    carry: int
    in_pink: bool

    @property
    def id(self) -> str:
        """What the race calls him."""
        return str(self.rider.bib)

    @property
    def jersey(self) -> str:
        """His team's, as a symbol of the sprite. Who rides for no team has none, and rides a team time trial alone."""
        return f"{self.team.colour}-{self.team.pattern}" if self.team else f"alone-{self.rider.bib}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """A player with the riders that he has left."""

    player: Player
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """The start of a stage: the players clockwise, and who holds the token of the peloton leader (None: not known)."""

    stage: Stage
    sides: tuple[Side, ...]
    token: Player | None
    absent: tuple[tuple[Rider, str], ...] = ()  # who stays away, with the status that the sheet gives him


def start_of(stage: Stage) -> Start:
    """Who starts in this stage: whoever is left, unless the sheet says already that he does not start.

    Refused where the stage cannot be ridden as a race. Rules: E12, GI-D4-02.
    """
    if is_public(stage):
        raise Refused(_("Stage %(number)s has a published result already.") % {"number": stage.number})
    if course_of(stage) is None:
        raise Refused(
            _(
                "Only the numbers of this course are known. Choose a course of the site, or write it in the notation, "
                "and it can be ridden."
            )  # fmt: skip
        )
    results.must_come_after(stage, official=False)
    _earlier_ones_have_ended(stage)
    loaded = load(stage.campaign)
    teams = TeamsOfTheDay(stage.campaign)
    context = results.context_for(stage, loaded, teams)
    tables = loaded.before(stage).classify()
    pink = {row.rider for row in tables[-1].gc if row.in_pink} if tables else set()
    away = _away(stage)
    starters = [starter for starter in context.starters if starter.rider not in away]
    if unknown := [starter for starter in starters if starter.carry is None]:
        raise Refused(
            _("The energy that %(riders)s bring along is not known: complete the sheet of the last stage.")
            % {"riders": ", ".join(loaded.riders[starter.rider].short for starter in unknown)}
        )
    sides: dict[int, list[Line]] = {}
    players: dict[int, Player] = {}
    for starter in sorted(starters, key=lambda starter: starter.draft):
        rider = loaded.riders[starter.rider]
        player = kept(rider.player)
        players[player.pk] = player
        sides.setdefault(player.pk, []).append(
            Line(
                rider=rider,
                team=teams.called(starter.team),
                carry=starter.carry or 0,
                in_pink=starter.rider in pink,
            )
        )
    if not sides:
        raise Refused(_("Nobody is at the start. Enter the start list first."))
    order, token = _last_table(stage, players)
    ordered = sorted(players.values(), key=lambda p: order.index(p.pk) if p.pk in order else len(order))
    return Start(
        stage=stage,
        sides=tuple(Side(player=player, lines=tuple(sides[player.pk])) for player in ordered),
        token=token,
        absent=tuple((loaded.riders[s.rider], away[s.rider]) for s in context.starters if s.rider in away),
    )


def _away(stage: Stage) -> dict[int, str]:
    """The riders of whom the sheet says that they do not start, with the status that it says."""
    typed = dict(
        DraftCell.objects.filter(sheet__stage=stage)
        .filter(Q(key__startswith="status-", value__in=NOT_STARTING) | Q(key__startswith="turn-") & ~Q(value=""))
        .values_list("key", "value")
    )
    status = {key.removeprefix("status-"): value for key, value in typed.items() if key.startswith("status-")}
    return {int(rider): value for rider, value in status.items() if f"turn-{rider}" not in typed}


def _earlier_ones_have_ended(stage: Stage) -> None:
    """What riders bring along is known once the race of the stage before has ended, again if it was taken back."""
    for other in on_the_road().filter(stage__campaign=stage.campaign, stage__order__lt=stage.order):
        raise Refused(
            _("The race of stage %(number)s is on the road. Let it end first: its riders bring along what they save.")
            % {"number": other.stage.number}
        )


def _last_table(stage: Stage, players: Mapping[int, Player]) -> tuple[list[int], Player | None]:
    """How the players sat in the last race of the Giro, and who holds the token.

    The token stays where the last road stage left it, or goes on clockwise to whoever still has a rider; if that stage
    was not ridden as a race, nobody here knows. A time trial has no token. Rules: R-10.
    """
    before = StageRace.objects.filter(
        stage__campaign=stage.campaign, stage__order__lt=stage.order, is_live=True, race__status=RaceStatus.OVER
    ).select_related("race", "stage")
    ridden = {found.stage_id: found for found in before}
    earlier = list(stage.campaign.stages.filter(order__lt=stage.order).order_by("-order"))
    last = next((ridden[other.pk] for other in earlier if other.pk in ridden), None)
    if last is None:
        return [], None
    order = list(_now([last.players[name] for name in sorted(last.players)]))
    road = next((other for other in earlier if not other.is_time_trial), None)
    if road is None or road.pk not in ridden:
        return order, None
    seats = sorted(ridden[road.pk].players)
    holder = (ridden[road.pk].race.outcome or {}).get("token")
    if holder not in seats:
        return order, None
    at = seats.index(holder)
    clockwise = _now([ridden[road.pk].players[name] for name in (*seats[at:], *seats[:at])])
    return order, next((players[pk] for pk in clockwise if pk in players), None)


def _now(ids: Sequence[int]) -> Iterable[int]:
    """Players by what they are today, each once: one who was merged into another is the other."""
    found = {player.pk: kept(player).pk for player in Player.objects.filter(pk__in=ids).select_related("merged_into")}
    return dict.fromkeys(found[pk] for pk in ids if pk in found)


# ---- opening a race ----------------------------------------------------------------------------------------------------
def race_of(stage: Stage) -> StageRace | None:
    """The race of a stage that counts: its newest, unless that was abandoned."""
    found = StageRace.objects.filter(stage=stage, is_live=True).select_related("race").first()
    if found is None or found.race.status == RaceStatus.ABANDONED:
        return None
    return found


def has_race(stage: Stage) -> bool:
    """Whether the stage has a race that was not abandoned."""
    return StageRace.objects.filter(stage=stage, is_live=True).exclude(race__status=RaceStatus.ABANDONED).exists()


def raced_in(campaign: Campaign) -> Stage | None:
    """The first stage of a campaign that has a race which was not abandoned."""
    live = StageRace.objects.filter(is_live=True).exclude(race__status=RaceStatus.ABANDONED)
    return Stage.objects.filter(campaign=campaign, races__in=live).order_by("order").first()


def open_race(
    stage: Stage,
    by: User,
    *,
    way: str,
    riding: Mapping[int, str],
    token: Player | None = None,
    cards: str = "matched",
    clock: str = "derived",
) -> StageRace:
    """Open the stage as a race. `riding`: by player, PLAYER, ABSENT or the level of a bot; who is not named rides himself.

    `token`: who holds the token of the peloton leader first; None: chance decides. Raises Refused where the stage cannot be
    ridden now, Faulty where this race of it cannot.
    """
    with transaction.atomic():
        campaign = results.lock(stage.campaign)
        stage = Stage.objects.select_related("sheet").get(pk=stage.pk)
        stage.campaign = campaign
        for old in StageRace.objects.select_for_update().filter(stage=stage, is_live=True).select_related("race"):
            if old.race.status != RaceStatus.ABANDONED:
                raise Refused(_("Stage %(number)s has its race already.") % {"number": stage.number})
            old.is_live = False
            old.save(update_fields=["is_live"])
        start = _without(start_of(stage), riding, by)
        seats = _seats(start, riding)
        names = {kept(side.player).pk: seat["name"] for side, seat in zip(start.sides, seats, strict=True)}
        options = _options(stage, cards=cards, clock=clock)
        if token is not None and not stage.is_time_trial and token.pk in names:
            options["token"] = names[token.pk]
        _try(stage, way, options, seats)
        race = play.open_race(
            title=title_of(stage),
            game=campaign.game,
            options=options,
            seats=seats,
            owner=None,  # the club's roles lead it, and nobody beyond them
            way=way,
            is_public=campaign.season.club.is_public,
        )
        Stage.objects.filter(pk=stage.pk).update(way=way, changed_at=timezone.now())
        return StageRace.objects.create(
            stage=stage,
            race=race,
            riders={line.id: line.rider.pk for side in start.sides for line in side.lines},
            players={name: pk for pk, name in names.items()},
            opened_by=by,
        )


def _without(start: Start, riding: Mapping[int, str], by: User) -> Start:
    """The start without the players who stay away; the sheet says from now on that their riders did not start."""
    absent = [side for side in start.sides if riding.get(side.player.pk) == ABSENT]
    if not absent:
        return start
    sheet = results.locked_sheet(start.stage)
    cells = [f"status-{line.rider.pk}" for side in absent for line in side.lines]
    was = dict(sheet.cells.filter(key__in=cells).values_list("key", "value"))
    results.type_cells(
        start.stage, by, dict.fromkeys(cells, Status.DNS.value), {key: was.get(key, "") for key in cells}
    )
    return start_of(start.stage)


def title_of(stage: Stage) -> str:
    """What the race of a stage is called."""
    words = {"giro": stage.campaign.name, "number": stage.number, "name": stage.name}
    return (_("%(giro)s, stage %(number)s: %(name)s") % words)[:LONGEST_TITLE]


def _options(stage: Stage, *, cards: str, clock: str) -> dict[str, Any]:
    """The options of the race. Rules: GI-D2-01, GI-F-05."""
    told: dict[str, Any] = {
        "course": _course_in_options(stage),
        "giro": not stage.is_time_trial,
        "cards": cards,
        "time_limit": stage.campaign.time_limit,
    }
    return told | ({"tt_clock": clock} if stage.is_time_trial else {})


def _course_in_options(stage: Stage) -> Any:
    """The road of the stage as a race is told it; the race keeps its own."""
    return stage.course_json or stage.course


def _seats(start: Start, riding: Mapping[int, str]) -> list[dict[str, Any]]:
    """The seats, clockwise. Refused where the game has not so many."""
    if len(start.sides) > len(SEAT_NAMES):
        raise Refused(
            _("%(count)s players are at the start, and a race has %(most)s seats.")
            % {"count": len(start.sides), "most": len(SEAT_NAMES)}
        )
    return [
        _seat(side, name, riding.get(side.player.pk, PLAYER))
        for name, side in zip(SEAT_NAMES, start.sides, strict=False)
    ]


def _seat(side: Side, name: str, who: str) -> dict[str, Any]:
    lines = {line.id: line for line in side.lines}
    seat = {
        "name": name,
        "label": str(side.player)[:LONGEST_LABEL],
        "entrant": _entrant(lines),
        "riders": _shown(lines),
    }
    if who == PLAYER:
        return seat | {"user": side.player.user}
    return seat | {"bot": who}


def _entrant(lines: Mapping[str, Line]) -> dict[str, Any]:
    """What a seat rides with, as the game wants it; `lines` by what the race calls the riders."""
    return {
        "riders": [
            {"id": name, "type": line.rider.speciality, "jersey": line.jersey, "carry": line.carry}
            for name, line in lines.items()
        ]
    }


def _shown(lines: Mapping[str, Line]) -> dict[str, Any]:
    """How people see the riders of a seat."""
    return {
        name: {
            "bib": str(line.rider.bib),
            "name": line.rider.name,
            "jersey": "pink" if line.in_pink else line.jersey if line.team else "bot",
            "kind": str(Speciality(line.rider.speciality).label),
        }
        for name, line in lines.items()
    }


def _try(stage: Stage, way: str, options: Mapping[str, Any], seats: Sequence[Mapping[str, Any]]) -> None:
    """Let the rules look at it before anybody is invited. Raises Faulty. Rules: V1 to V9, E12."""
    faults: list[str] = []
    if stage.course_json:
        plan = plan_from_json(stage.course_json)
        online = way == "online"
        faults += [str(f.saying) for f in findings(plan, online=online) if f.level is Level.REFUSED]
    try:
        entrants = [{"seat": seat["name"], **seat["entrant"]} for seat in seats]
        registry.game(stage.campaign.game).setup(options, entrants)
    except RulesError as fault:
        faults += [_(saying.message) % saying.params for saying in fault.sayings]
    if faults:
        raise Faulty([Fault(message=fault) for fault in faults])


# ---- bots --------------------------------------------------------------------------------------------------------------
def ridden_by_bots(campaign: Campaign) -> dict[int, dict[int, str]]:
    """By stage: the riders whom a bot rode to the end of its race, each with the bot's level. One query."""
    seats = Seat.objects.exclude(bot="").filter(
        race__status=RaceStatus.OVER, race__stage_race__is_live=True, race__stage_race__stage__campaign=campaign
    )
    found: dict[int, dict[int, str]] = {}
    for stage, ids, level, riders in seats.values_list(
        "race__stage_race__stage", "race__stage_race__riders", "bot", "riders"
    ):
        found.setdefault(stage, {}).update((ids[name], level) for name in riders if name in ids)
    return found


# ---- before it starts, and back from its end ---------------------------------------------------------------------------
def on_the_road() -> QuerySet[StageRace]:
    """The races that are being ridden, or whose end has not come onto the sheet yet."""
    settled = Q(settled_end__isnull=False, settled_end=F("race__ended_at"))
    ended = Q(race__status=RaceStatus.OVER) & ~settled
    return StageRace.objects.filter(Q(race__status=RaceStatus.RUNNING) | ended, is_live=True).select_related("stage")


def make_ready(race: Race) -> None:
    """Let a race start with what its stage says now: energy, teams and names as they are on this evening.

    Raises Refused where somebody else is at the start than when the race was opened, or the stage cannot be ridden any more.
    """
    found = _found(race)
    if found is None:
        return
    if found.stage.campaign.season.is_archived:
        raise Refused(_("The season is archived: its races start no more. An organiser can open it again."))
    by_rider = {line.rider.pk: line for side in start_of(found.stage).sides for line in side.lines}
    gone, come = set(found.riders.values()) - by_rider.keys(), by_rider.keys() - set(found.riders.values())
    if gone or come:
        riders = Rider.objects.in_bulk(gone | come)
        words = [
            _("%(rider)s is not at the start any more.") % {"rider": riders[pk].short} for pk in gone if pk in riders
        ]
        words += [_("%(rider)s is at the start now.") % {"rider": riders[pk].short} for pk in come]
        raise Refused(
            _("Since this race was opened the start has changed.")
            + " "
            + " ".join([*sorted(words), _("Call the race off, and open the stage again.")])
        )
    for seat in race.seats.all():
        lines = {rider["id"]: by_rider[found.riders[rider["id"]]] for rider in seat.entrant["riders"]}
        seat.entrant, seat.riders = _entrant(lines), _shown(lines)
        seat.save(update_fields=["entrant", "riders"])


def stand_by(race: Race) -> None:
    """Refused where the end of this race stands: its sheet is official, or other things have been built on it."""
    found = _found(race)
    if found is None:
        return
    stage = found.stage
    if not found.is_live:
        raise Refused(
            _("Another race of stage %(number)s has been opened since, and only that one counts.")
            % {"number": stage.number}
        )
    if Sheet.objects.filter(stage=stage, state=SheetState.OFFICIAL).exists():
        raise Refused(
            _("The result of stage %(number)s is official, so the race stays as it ended. If the sheet is wrong, correct it by a ruling.")
            % {"number": stage.number}
        )  # fmt: skip
    if stage.campaign.season.is_archived:
        raise Refused(_("The season is archived: the race stays as it ended."))
    if race.options.get("course") != _course_in_options(stage):
        raise Refused(
            _("Stage %(number)s has another course by now. Open it again as a new race.") % {"number": stage.number}
        )
    for other in stage.campaign.stages.filter(order__gt=stage.order).select_related("sheet").order_by("order"):
        if is_public(other) or on_the_road().filter(stage=other).exists():
            raise Refused(
                _(
                    "Stage %(later)s has been started with what this race left. Mend the sheet of stage %(number)s by hand."
                )
                % {"later": other.number, "number": stage.number}
            )


def _found(race: Race) -> StageRace | None:
    """The stage's side of a race; None for a friendly."""
    return StageRace.objects.filter(race=race).select_related("stage__campaign__season__club").first()


# ---- from the outcome to the sheet -------------------------------------------------------------------------------------
def unsettled() -> QuerySet[StageRace]:
    """The races that have ended without their result having come onto the sheet."""
    return on_the_road().filter(race__status=RaceStatus.OVER)


def settle(race_id: int, *, again: bool = False) -> SheetVersion | None:
    """Bring the outcome of a race that is over onto the sheet of its stage, and publish it as provisional.

    Once for every end of the race: run again it does nothing, and what an organiser has mended since stays; unless he asks
    for it `again`. Where the race says something else than what was typed by hand, both stand in the cell. A sheet that is
    official is not touched; where the result cannot be published its cells wait on the sheet, and a note says why.
    """
    with transaction.atomic():
        found = StageRace.objects.filter(race=race_id).select_related("stage__campaign__season__club").first()
        if found is None:
            return None
        with translation.override(found.stage.campaign.season.club.language):
            return _settle(found, again=again)


def _settle(found: StageRace, *, again: bool) -> SheetVersion | None:
    stage = found.stage
    locked = Campaign.objects.select_for_update(of=("self",)).select_related("season__club")
    stage.campaign = locked.get(pk=stage.campaign_id)
    found = StageRace.objects.select_for_update(of=("self",)).select_related("version").get(pk=found.pk)
    found.stage = stage
    race = Race.objects.select_for_update().get(pk=found.race_id)
    if not found.is_live or race.status != RaceStatus.OVER or race.outcome is None:
        return None
    if race.ended_at == found.settled_end and not again:
        return None
    found.note, version = "", None
    if results.locked_sheet(stage).is_official:
        found.note = _(
            "The sheet is official: what the race says was left off. Correct the sheet if the race is right."
        )
    elif stage.campaign.season.is_archived:
        found.note = _("The season is archived: what the race says was left off.")
    else:
        told = told_by(found, race)
        waits = [*told.left_off]
        clashes = _type(found, told)
        if not waits and not clashes:
            try:
                with transaction.atomic():
                    version = results.publish(stage, None)
            except Refused as refusal:
                waits.append(str(refusal))
        if version is None:
            waits.insert(0, _("The result of the race is on the sheet and not public yet."))
        else:
            if version.by is None and not version.reason:
                version.reason = _("From the race.")
                version.save(update_fields=["reason"])
            found.version = version
        found.note = " ".join([*waits, *told.odd])
    found.settled_end = race.ended_at
    found.save(update_fields=["note", "settled_end", "version"])
    return version


def said_by_race(stage: Stage) -> Mapping[str, str]:
    """The cells of the sheet as the stage's race says them, once it has come onto the sheet; nothing before."""
    found = race_of(stage)
    if found is None or found.settled_end is None or found.race.outcome is None:
        return {}
    return told_by(found, found.race).cells


def what_waits(found: StageRace, clashes: int) -> str:
    """What somebody has to see to, with what is to be chosen on the sheet as it is now; empty where there is nothing."""
    if not found.note or not clashes:
        return found.note
    choose = ngettext(
        "In %(n)s cell the race says something else than what was typed by hand. Choose on the sheet which is right.",
        "In %(n)s cells the race says something else than what was typed by hand. Choose on the sheet which is right.",
        clashes,
    )
    return f"{found.note} {choose % {'n': clashes}}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What a race says on a sheet: its cells, also those that it leaves empty."""

    cells: Mapping[str, str]
    left_off: Sequence[str] = field(default=())  # what cannot stand there, in sentences: somebody has to look at it
    odd: Sequence[str] = field(default=())  # what can, and is worth knowing


def told_by(found: StageRace, race: Race) -> Told:
    """The outcome of a race as cells of the sheet of its stage. Rules: GI-F-02, GI-F-05, GI-D2-01, GI-D3-12."""
    stage, outcome = found.stage, race.outcome or {}
    kind = Kind(stage.kind)
    context = results.context_for(stage, load(stage.campaign), TeamsOfTheDay(stage.campaign))
    starters = {starter.rider: starter for starter in context.starters}
    brought = {rider["id"]: rider.get("carry") for entrant in race.entrants for rider in entrant["riders"]}
    here = [row for row in outcome["riders"] if found.riders.get(row["id"]) in starters]
    left_off, odd = [], []
    if missing := [row["id"] for row in outcome["riders"] if row not in here]:
        left_off.append(
            _("%(riders)s rode this race and are not at the start of the stage any more.")
            % {"riders": ", ".join(missing)}
        )
    cells: dict[str, str] = {}
    if kind is Kind.ROAD:
        turn = outcome["peloton_turn"]
        cells |= {"never": sheets.ON, "peloton": ""} if turn is None else {"never": "", "peloton": str(turn)}
        for won in outcome.get("bonus", ()):
            rider = won["rider"]
            cells[f"bonus-{won['token']}"] = sheets.NOBODY if rider is None else str(found.riders[rider])
    order = "place" if kind is Kind.ROAD else "clock" if kind is Kind.ITT else ""
    for row in here:
        starter = starters[found.riders[row["id"]]]
        is_in = not row["out"]
        told = {"turn": row["turn"], "energy": row["energy"]} | (
            {order: row.get("order" if order == "place" else "clock")} if order else {}
        )
        cells |= {f"{cell}-{starter.rider}": str(value) if is_in else "" for cell, value in told.items()}
        cells[f"status-{starter.rider}"] = "" if is_in else Status.OTL.value
        if row["id"] in brought and starter.carry is not None and brought[row["id"]] != starter.carry:
            odd.append(
                _("%(rider)s started with %(was)s energy from before; by the sheets of today it is %(now)s.")
                % {"rider": sheets.who(starter), "was": brought[row["id"]], "now": starter.carry}
            )
    if kind is Kind.TTT:
        clock = _clock_of_the_teams(found, outcome, [(row, starters[found.riders[row["id"]]]) for row in here])
        if clock is None:
            left_off.append(
                _("The teams are not those of the race any more: type by hand how they stand on the clock.")
            )
        cells |= clock or {}
    return Told(cells=cells, left_off=left_off, odd=odd)


def _clock_of_the_teams(
    found: StageRace, outcome: Mapping[str, Any], rows: Iterable[tuple[Mapping[str, Any], sheets.Starter]]
) -> dict[str, str] | None:
    """The places of the teams on the clock; None where a team of the sheet is not one of the race."""
    places = {jersey: str(place) for place, jersey in enumerate(outcome.get("clock", ()), 1)}
    cells: dict[str, str] = {}
    jerseys: dict[str, str] = {}
    for row, starter in rows:
        cell, jersey = sheets.run_cell(sheets.run_of(starter)), row["jersey"]
        if jerseys.setdefault(cell, jersey) != jersey:
            return None
        cells[cell] = places[jersey]
    return cells if len(set(cells.values())) == len(cells) else None


def _type(found: StageRace, told: Told) -> int:
    """Put what the race says onto the sheet; in how many cells it says something else than somebody typed by hand.

    Those keep both. What would be asked about is ticked, unless something is to be chosen first: it was so.
    """
    sheet = results.locked_sheet(found.stage)
    last_time = sheets.cells_of(sheets.SheetContent.from_json(found.version.content)) if found.version else {}
    have = {cell.key: cell for cell in sheet.cells.all()}
    clashes, changed = 0, []
    for key, value in told.cells.items():
        cell = have.get(key) or DraftCell(sheet=sheet, key=key)
        by_hand = cell.typed_by_id is not None and not results.same(cell.value, last_time.get(key, ""))
        if cell.is_clash:
            clashes += 1
        elif _says_the_same(key, cell.value, value):
            continue
        elif by_hand and cell.value:
            cell.other, cell.is_clash = value, True
            clashes += 1
        else:
            cell.value, cell.typed_by, cell.typed_at = value, None, timezone.now()
        changed.append(cell)
    sheet.cells.filter(key__startswith="sure-", typed_by=None).delete()
    results.save_cells(sheet, changed)
    if not clashes:
        asked = [finding.sure for finding in results.entry_of(found.stage).findings if finding.sure]
        ticked = set(sheet.cells.filter(key__in=asked, value=sheets.ON).values_list("key", flat=True))
        results.save_cells(
            sheet, [DraftCell(sheet=sheet, key=key, value=sheets.ON) for key in asked if key not in ticked]
        )
    return clashes


def _says_the_same(key: str, typed: str, told: str) -> bool:
    """Whether a typed cell says what the race says: who has a turn has finished, also where nobody wrote it down."""
    if key.startswith("status-") and {typed, told} == {"", Status.FINISHED.value}:
        return True
    return results.same(typed, told)


# ---- on the pages of stage and campaign --------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """The race of something for a page about it."""

    race: Race
    due: tuple[Seat, ...]
    settled_end: datetime | None  # of the race whose result is on the sheet

    @property
    def seats(self) -> tuple[Seat, ...]:
        return tuple(self.race.seats.all())

    @property
    def icon(self) -> str:
        return "online" if self.race.is_online else "phone"

    @property
    def free(self) -> int:
        return sum(seat.is_free for seat in self.seats) if self.race.is_online else 0

    @property
    def is_settled(self) -> bool:
        return self.race.ended_at is not None and self.race.ended_at == self.settled_end

    @property
    def has_told(self) -> bool:
        """Its result is on the sheet."""
        return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown(Beside):
    """The race of a stage for a page."""

    found: StageRace

    @classmethod
    def of(cls, found: StageRace) -> "Shown":
        return cls(found=found, race=found.race, due=due(found.race), settled_end=found.settled_end)

    @property
    def stage(self) -> Stage:
        return self.found.stage

    @property
    def has_told(self) -> bool:
        return self.found.version_id is not None

    @property
    def clashes(self) -> int:
        """In how many cells of the sheet two things are written."""
        return DraftCell.objects.filter(sheet__stage=self.found.stage_id, is_clash=True).count()

    @property
    def waits(self) -> str:
        """What the jury has to see to."""
        return what_waits(self.found, self.clashes) if self.found.note else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Races:
    """The races of a stage: the one that counts, and those that do not, newest first."""

    counts: Shown | None
    earlier: tuple[tuple[Race, str], ...]  # with why they were abandoned


def races_of(stage: Stage) -> Races:
    """All races of a stage, in a fixed number of queries."""
    everything = list(_whole(StageRace.objects.filter(stage=stage)))
    counts = next((one for one in everything if one.is_live and one.race.status != RaceStatus.ABANDONED), None)
    earlier = [one.race for one in everything if one != counts]
    abandoned = Entry.objects.filter(race__in=earlier, note__kind="abandoned").order_by("n") if earlier else ()
    why = {entry.race_id: entry.reason for entry in abandoned}
    return Races(
        counts=Shown.of(counts) if counts else None,
        earlier=tuple((race, why.get(race.pk, "")) for race in earlier),
    )


def ridden_now(campaign: Campaign) -> list[Shown]:
    """The races of a campaign that wait for their riders or are on the road, in the order of the stages."""
    under_way = StageRace.objects.filter(
        stage__campaign=campaign, is_live=True, race__status__in=[RaceStatus.OPEN, RaceStatus.RUNNING]
    )
    found = _whole(under_way).select_related("stage").order_by("stage__order")
    return [Shown.of(one) for one in found]


def _whole(races: QuerySet[StageRace]) -> QuerySet[StageRace]:
    """Races with seats and what is open in them, without the long columns."""
    return (
        races.select_related("race__position", "version")
        .defer("race__position__state", "race__entrants", "race__options", "race__outcome", "version__content")
        .prefetch_related("race__seats")
    )


__all__ = [
    "ABSENT",
    "PLAYER",
    "Line",
    "Races",
    "Shown",
    "Side",
    "Start",
    "Told",
    "bench",
    "claims",
    "gatekeeper",
    "has_race",
    "home",
    "leading",
    "make_ready",
    "on_the_road",
    "open_race",
    "race_of",
    "raced_in",
    "settle",
    "races_of",
    "ridden_by_bots",
    "ridden_now",
    "said_by_race",
    "stand_by",
    "start_of",
    "told_by",
    "unsettled",
]
