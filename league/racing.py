"""Stages that are ridden as races: from the start list to the seats, and from the outcome to the result sheet.

A stage that comes next can be opened as a race, on the site or refereed at the table. Its seats are the players who have
a rider left in the Giro; who is linked to a user sits at once. When the race is over its outcome becomes the stage's sheet,
*provisional*: an organiser looks at it and makes it official as ever. `settle` does that, once for every end of the race.
"""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from league import results
from league.campaigns import Fault, Faulty, is_public
from league.classification.status import Kind, Status
from league.courses import course_of
from league.errors import Refused
from league.loading import TeamsOfTheDay, load
from league.models import Campaign, Membership, Player, Rider, Role, SheetVersion, Stage, StageRace, Team
from league.models.campaign import Speciality
from league.roster import kept
from league.sheets import giro as sheets
from races import play
from races.access import Right
from races.lobby import SEAT_NAMES, due
from races.models import Race, Seat
from races.models import Status as RaceStatus
from rules import registry
from rules.errors import RulesError
from rules.giro.notation import plan_from_json
from rules.giro.validity import Level, findings

log = logging.getLogger(__name__)

PLAYER = "player"
"""Who rides a seat: its player himself, now or when he comes by the link; or else the level of a bot."""


LONGEST_TITLE = Race._meta.get_field("title").max_length
LONGEST_LABEL = Seat._meta.get_field("label").max_length


# ---- who may do what ---------------------------------------------------------------------------------------------------
def gatekeeper(user: User, race: Race) -> Right:
    """The club's organisers and commissaires lead the races of its stages; its members watch them, also in a closed club."""
    held = Membership.objects.filter(user=user, club__seasons__campaigns__stages__races__race=race)
    role = held.values_list("role", flat=True).first()
    if role is None:
        return Right.NOTHING
    return Right.LEAD if role in (Role.ORGANISER, Role.COMMISSAIRE) else Right.WATCH


def leading(user: User) -> QuerySet[Race]:
    """The races of stages that somebody leads as organiser or commissaire."""
    leads = Membership.objects.filter(user=user, role__in=[Role.ORGANISER, Role.COMMISSAIRE]).values("club")
    return Race.objects.filter(stage_race__stage__campaign__season__club__in=leads)


def claims(user: User, race: Race) -> set[str]:
    """The seats of the players who are this user: also of one who was linked after the race was opened."""
    found = StageRace.objects.filter(race=race).first()
    if found is None:
        return set()
    mine = Player.objects.filter(user=user, merged_into=None).values_list("pk", flat=True)
    his = set(mine) | set(Player.objects.filter(merged_into__in=list(mine)).values_list("pk", flat=True))
    return {name for name, player in found.players.items() if player in his}


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


def start_of(stage: Stage) -> Start:
    """Who starts in this stage. Refused where it cannot be ridden as a race. Rules: E12, GI-D4-02."""
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
    loaded = load(stage.campaign)
    context = results.context_for(stage, loaded, TeamsOfTheDay(stage.campaign))
    teams = TeamsOfTheDay(stage.campaign)
    tables = loaded.before(stage).classify()
    pink = {row.rider for row in tables[-1].gc if row.in_pink} if tables else set()
    if unknown := [starter for starter in context.starters if starter.carry is None]:
        raise Refused(
            _("The energy that %(riders)s bring along is not known: complete the sheet of the last stage.")
            % {"riders": ", ".join(loaded.riders[starter.rider].short for starter in unknown)}
        )
    sides: dict[int, list[Line]] = {}
    players: dict[int, Player] = {}
    for starter in sorted(context.starters, key=lambda starter: starter.draft):
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
    order = [last.players[name] for name in sorted(last.players)]
    road = next((other for other in earlier if not other.is_time_trial), None)
    if road is None or road.pk not in ridden:
        return order, None
    seats = sorted(ridden[road.pk].players)
    holder = (ridden[road.pk].race.outcome or {}).get("token")
    if holder not in seats:
        return order, None
    at = seats.index(holder)
    clockwise = [ridden[road.pk].players[name] for name in (*seats[at:], *seats[:at])]
    found = (kept(player) for player in Player.objects.filter(pk__in=clockwise).select_related("merged_into"))
    now = {player.pk: player for player in found}
    return order, next((players[pk] for pk in clockwise if pk in players and pk in now), None)


# ---- opening a race ----------------------------------------------------------------------------------------------------
def race_of(stage: Stage) -> StageRace | None:
    """The race of a stage that counts: its newest, unless that was abandoned. With seats, and what is open in it."""
    found = (
        StageRace.objects.filter(stage=stage, is_live=True)
        .select_related("race__position", "version")
        .defer("race__position__state", "race__entrants", "race__options", "race__outcome", "version__content")
        .prefetch_related("race__seats")
        .first()
    )
    if found is None or found.race.status == RaceStatus.ABANDONED:
        return None
    return found


def has_race(stage: Stage) -> bool:
    """Whether the stage has a race that was not abandoned."""
    return StageRace.objects.filter(stage=stage, is_live=True).exclude(race__status=RaceStatus.ABANDONED).exists()


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
    """Open the stage as a race. `riding`: by player, PLAYER or the level of a bot; who is not named rides himself.

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
        start = start_of(stage)
        seats = _seats(start, riding)
        names = {kept(side.player).pk: seat["name"] for side, seat in zip(start.sides, seats, strict=True)}
        options = _options(stage, cards=cards, clock=clock)
        if token is not None and not stage.is_time_trial:
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


def title_of(stage: Stage) -> str:
    """What the race of a stage is called."""
    words = {"giro": stage.campaign.name, "number": stage.number, "name": stage.name}
    return (_("%(giro)s, stage %(number)s: %(name)s") % words)[:LONGEST_TITLE]


def _options(stage: Stage, *, cards: str, clock: str) -> dict[str, Any]:
    """The options of the race. Rules: GI-D2-01, GI-F-05."""
    told: dict[str, Any] = {
        "course": stage.course_json or stage.course,
        "giro": not stage.is_time_trial,
        "cards": cards,
        "time_limit": stage.campaign.time_limit,
    }
    return told | ({"tt_clock": clock} if stage.is_time_trial else {})


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
    entrant = {
        "riders": [
            {"id": line.id, "type": line.rider.speciality, "jersey": line.jersey, "carry": line.carry}
            for line in side.lines
        ]
    }
    shown = {
        line.id: {
            "bib": str(line.rider.bib),
            "name": line.rider.name,
            "jersey": "pink" if line.in_pink else line.jersey if line.team else "bot",
            "kind": str(Speciality(line.rider.speciality).label),
        }
        for line in side.lines
    }
    seat = {"name": name, "label": str(side.player)[:LONGEST_LABEL], "entrant": entrant, "riders": shown}
    if who == PLAYER:
        return seat | {"user": side.player.user}
    return seat | {"bot": who}


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


# ---- from the outcome to the sheet -------------------------------------------------------------------------------------
def unsettled() -> QuerySet[StageRace]:
    """The races that have ended without their result having come onto the sheet."""
    settled = Q(settled_end__isnull=False, settled_end=F("race__ended_at"))
    return StageRace.objects.filter(race__status=RaceStatus.OVER).exclude(settled)


def settle(race_id: int) -> SheetVersion | None:
    """Bring the outcome of a race that is over onto the sheet of its stage, and publish it as provisional.

    Once for every end of the race: run again it does nothing, and what an organiser has mended since stays. A sheet that
    is official is not touched; where the result cannot be published its cells wait on the sheet, and a note says why.
    """
    with transaction.atomic():
        found = StageRace.objects.filter(race=race_id).select_related("stage__campaign__season__club").first()
        if found is None:
            return None
        with translation.override(found.stage.campaign.season.club.language):
            return _settle(found)


def _settle(found: StageRace) -> SheetVersion | None:
    stage = found.stage
    locked = Campaign.objects.select_for_update(of=("self",)).select_related("season__club")
    stage.campaign = locked.get(pk=stage.campaign_id)
    found = StageRace.objects.select_for_update().get(pk=found.pk)
    race = Race.objects.select_for_update().get(pk=found.race_id)
    if race.status != RaceStatus.OVER or race.ended_at == found.settled_end or race.outcome is None:
        return None
    found.note, version = "", None
    sheet = results.locked_sheet(stage)
    if sheet.is_official:
        found.note = _(
            "The sheet is official: what the race says was left off. Correct the sheet if the race is right."
        )
    elif stage.campaign.season.is_archived:
        found.note = _("The season is archived: what the race says was left off.")
    else:
        try:
            cells = cells_of(found, race.outcome)
            _type(stage, cells)
            with transaction.atomic():
                version = results.publish(stage, None)
        except Refused as refusal:
            found.note = _("The result of the race is on the sheet and not public yet. %(why)s") % {"why": refusal}
        else:
            if version.by is None and not version.reason:
                version.reason = _("From the race.")
                version.save(update_fields=["reason"])
            found.version = version
    found.settled_end = race.ended_at
    found.save(update_fields=["note", "settled_end", "version"])
    return version


def cells_of(found: StageRace, outcome: Mapping[str, Any]) -> dict[str, str]:
    """The cells of the sheet that say what the race says. Refused where a rider has left the start list meanwhile.

    Rules: GI-F-02, GI-F-05, GI-D2-01, GI-D3-12.
    """
    stage = found.stage
    kind = Kind(stage.kind)
    context = results.context_for(stage, load(stage.campaign), TeamsOfTheDay(stage.campaign))
    starters = {starter.rider: starter for starter in context.starters}
    if missing := [row["id"] for row in outcome["riders"] if found.riders.get(row["id"]) not in starters]:
        raise Refused(
            _("%(riders)s rode this race and are not at the start of the stage any more.")
            % {"riders": ", ".join(missing)}
        )
    cells: dict[str, str] = {}
    if kind is Kind.ROAD:
        turn = outcome["peloton_turn"]
        cells |= {"never": sheets.ON} if turn is None else {"peloton": str(turn)}
        for won in outcome.get("bonus", ()):
            rider = won["rider"]
            cells[f"bonus-{won['token']}"] = sheets.NOBODY if rider is None else str(found.riders[rider])
    runs = {jersey: place for place, jersey in enumerate(outcome.get("clock", ()), 1)}
    for row in outcome["riders"]:
        rider = found.riders[row["id"]]
        if row["out"]:
            cells[f"status-{rider}"] = Status.OTL.value
            continue
        cells[f"turn-{rider}"] = str(row["turn"])
        cells[f"energy-{rider}"] = str(row["energy"])
        if kind is Kind.ROAD:
            cells[f"place-{rider}"] = str(row["order"])
        elif kind is Kind.ITT:
            cells[f"clock-{rider}"] = str(row["clock"])
        else:
            cells[sheets.run_cell(sheets.run_of(starters[rider]))] = str(runs[row["jersey"]])
    return cells


def _type(stage: Stage, cells: Mapping[str, str]) -> None:
    """Put these cells in place of what the draft says, with a tick at everything that would be asked: it was so."""
    sheet = results.locked_sheet(stage)
    sheet.draft_revision += 1
    sheet.save(update_fields=["draft_revision"])
    sheet.cells.all().delete()
    results.set_cells(sheet, None, cells)
    asked = {finding.sure: sheets.ON for finding in results.entry_of(stage).findings if finding.sure}
    results.set_cells(sheet, None, {**cells, **asked})


# ---- on the page of the stage ------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """The race of a stage for its page."""

    found: StageRace
    due: tuple[Seat, ...]

    @property
    def race(self) -> Race:
        return self.found.race

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
        return self.race.ended_at is not None and self.race.ended_at == self.found.settled_end


def shown(stage: Stage) -> Shown | None:
    """The race of a stage; None if it has none."""
    found = race_of(stage)
    return Shown(found=found, due=due(found.race)) if found else None


__all__ = [
    "PLAYER",
    "Line",
    "Shown",
    "Side",
    "Start",
    "bench",
    "claims",
    "cells_of",
    "gatekeeper",
    "has_race",
    "home",
    "leading",
    "open_race",
    "race_of",
    "settle",
    "shown",
    "start_of",
    "unsettled",
]
