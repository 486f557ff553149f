"""Rounds that are ridden as races: from the entrants to the seats, and from the outcome to the sheet of the round.

The same way as `racing` goes with stages: who is linked to a user sits at once, a bot rides as a bot, and when the race is
over its outcome becomes the round's sheet, *provisional*, once for every end of the race. What was typed by hand since is
not overwritten: then a note says that somebody has to look at it.
"""

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from league import rounds
from league.campaigns import Fault, Faulty
from league.entrants import riding
from league.errors import Refused
from league.models import Membership, Player, Round, RoundRace, RoundVersion, Series, SeriesEntrant, TeamSpell
from league.racing import ABSENT, LONGEST_LABEL, LONGEST_TITLE, PLAYER, Beside, led_clubs, right_of, seats_of
from league.roster import kept
from league.round_sheets import sheet_of
from league.series import game_form, locked_round
from league.sheets.findings import Level
from races import play
from races.access import Right
from races.lobby import SEAT_NAMES, due
from races.models import Entry, Race
from races.models import Status as RaceStatus
from races.prepared import Prepared
from rules import registry
from rules.errors import RulesError

log = logging.getLogger(__name__)


# ---- who may do what ---------------------------------------------------------------------------------------------------
IN_CLUB = "club__seasons__series__rounds__races__race"
"""From a membership to the races of the club's rounds."""


def gatekeeper(user: User, race: Race) -> Right:
    """The club's organisers and commissaires lead the races of its rounds; its members watch them."""
    return right_of(_in_club(user.pk, race.pk))


_in_club = Prepared(
    lambda user, race: Membership.objects.filter(user_id=user, **{IN_CLUB: race}).values_list("role", flat=True)[:1]
)


def leading(user: User) -> QuerySet[Race]:
    """The races of rounds that somebody leads as organiser or commissaire."""
    return Race.objects.filter(round_race__round__series__season__club__in=led_clubs(user))


def claims(user: User, race: Race) -> set[str]:
    """The seats of the players who are this user."""
    found = RoundRace.objects.filter(race=race).first()
    return seats_of(user, found.players) if found else set()


def home(race: Race) -> tuple[str, str] | None:
    """The round that a race is ridden for."""
    found = RoundRace.objects.filter(race=race).select_related("round__series__season__club").first()
    if found is None:
        return None
    return f"{found.round.series}, {found.round}", found.round.get_absolute_url()


def bench(race: Race) -> QuerySet[User]:
    """Who may be sent into a race of a round: the members of the club."""
    return User.objects.filter(**{f"memberships__{IN_CLUB}": race})


# ---- opening a race ----------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """An entrant at the start, and who may ride for it: its player, or those who are in its team that day."""

    entrant: SeriesEntrant
    players: tuple[Player, ...]


def start_of(round_: Round) -> list[Side]:
    """Who starts in the round. Refused where it cannot be ridden as a race."""
    if round_.is_public:
        raise Refused(_("%(round)s has a published result already.") % {"round": round_})
    everybody = round_.series.entrants.select_related("team", "player__user", "player__merged_into__user")
    rides = {entrant.pk for entrant in riding(round_)}
    entrants = [entrant for entrant in everybody if entrant.pk in rides]
    if not entrants:
        raise Refused(_("Nobody is entered yet. Enter teams or players first."))
    in_team: dict[int, list[Player]] = {}
    spells = TeamSpell.objects.filter(team__in=[entrant.team_id for entrant in entrants if entrant.team_id])
    for spell in spells.select_related("player__user", "player__merged_into__user"):
        if spell.covers(round_.day):
            in_team.setdefault(spell.team_id, []).append(kept(spell.player))
    return [
        Side(
            entrant=entrant,
            players=(kept(entrant.player),) if entrant.player else tuple(in_team.get(entrant.team_id or 0, ())),
        )
        for entrant in entrants
    ]


def race_of(round_: Round) -> RoundRace | None:
    """The race of a round that counts: its newest, unless that was abandoned."""
    found = RoundRace.objects.filter(round=round_, is_live=True).select_related("race").first()
    return None if found is None or found.race.status == RaceStatus.ABANDONED else found


def open_race(round_: Round, by: User, *, way: str, riding: Mapping[int, str]) -> RoundRace:
    """Open the round as a race. `riding`, by entrant: PLAYER (who comes by the link), ABSENT, the level of a bot, or the
    pk of the player who rides; who is not named rides himself, a bot of the series as the bot that it is.

    Raises Refused where the round cannot be ridden now, Faulty where this race of it cannot.
    """
    with transaction.atomic():
        found = locked_round(round_)
        for old in RoundRace.objects.select_for_update().filter(round=found, is_live=True).select_related("race"):
            if old.race.status != RaceStatus.ABANDONED:
                raise Refused(_("%(round)s has its race already.") % {"round": found})
            old.is_live = False
            old.save(update_fields=["is_live"])
        sides = [side for side in start_of(found) if riding.get(side.entrant.pk) != ABSENT]
        _off_the_sheet(found, by, [pk for pk, who in riding.items() if who == ABSENT])
        seats = [_seat(found.series, side, riding) for side in sides]
        if len(seats) > len(SEAT_NAMES):
            told = {"count": len(seats), "most": len(SEAT_NAMES)}
            raise Refused(_("%(count)s are at the start, and a race has %(most)s seats.") % told)
        players = {}
        for name, seat in zip(SEAT_NAMES, seats, strict=False):
            seat["name"] = name
            player = seat.pop("player")
            if player is not None:
                players[name] = player
        options = _options(found, online=way == "online")
        _try(found.series.game, options, seats)
        race = play.open_race(
            title=title_of(found),
            game=found.series.game,
            options=options,
            seats=seats,
            owner=None,  # the club's roles lead it, and nobody beyond them
            way=way,
            is_public=found.series.season.club.is_public,
        )
        Round.objects.filter(pk=found.pk).update(way=way, changed_at=timezone.now())
        return RoundRace.objects.create(
            round=found,
            race=race,
            entrants={name: side.entrant.pk for name, side in zip(SEAT_NAMES, sides, strict=False)},
            players=players,
            opened_by=by,
        )


def _off_the_sheet(round_: Round, by: User, absent: Sequence[int]) -> None:
    """Who stays away did not come, which the sheet says from then on; who rides this time did."""
    now = {f"who-{entrant.pk}": rounds.NO_SHOW if entrant.pk in absent else "" for entrant in riding(round_)}
    rounds.type_cells(round_, by, now, {key: round_.cells.get(key, "") for key in now})


def title_of(round_: Round) -> str:
    """What the race of a round is called."""
    return (_("%(series)s, %(round)s") % {"series": round_.series.name, "round": round_})[:LONGEST_TITLE]


def _options(round_: Round, *, online: bool) -> dict[str, Any]:
    """The options of the round as this way of riding has them."""
    form = game_form(round_.series, round_.setup)
    if not form.is_valid():
        raise Refused(_("Course and options of this round cannot be ridden any more. Write them down again."))
    return form.options(online=online)


def _seat(series: Series, side: Side, riding: Mapping[int, str]) -> dict[str, Any]:
    entrant = side.entrant
    sheet = sheet_of(series.game, timed=series.is_timed)
    assert sheet is not None, "a series has a game with a sheet"
    seat: dict[str, Any] = {
        "label": f"{entrant.name}"[:LONGEST_LABEL],
        "entrant": sheet.entrant(entrant.code),
        "player": None,
    }
    who = riding.get(entrant.pk, entrant.bot or PLAYER)
    if who == PLAYER and len(side.players) == 1:
        who = str(side.players[0].pk)
    rider = next((player for player in side.players if str(player.pk) == who), None)
    if rider is not None:
        return seat | {"player": rider.pk, "user": rider.user}
    return seat if who == PLAYER else seat | {"bot": who}


def _try(game: str, options: Mapping[str, Any], seats: Sequence[Mapping[str, Any]]) -> None:
    """Let the rules look at it before anybody is invited. Raises Faulty."""
    try:
        registry.game(game).setup(options, [{"seat": seat["name"], **seat["entrant"]} for seat in seats])
    except RulesError as fault:
        raise Faulty([Fault(message=_(saying.message) % saying.params) for saying in fault.sayings]) from fault


# ---- before it starts, and back from its end ---------------------------------------------------------------------------
def make_ready(race: Race) -> None:
    """Refused where a race is to start whose round cannot be ridden any more."""
    found = _found(race)
    if found is None:
        return
    if found.round.series.season.is_archived:
        raise Refused(_("The season is archived: its races start no more. An organiser can open it again."))
    if found.round.is_public:
        raise Refused(_("%(round)s has a published result already.") % {"round": found.round})


def stand_by(race: Race) -> None:
    """Refused where the end of this race stands."""
    found = _found(race)
    if found is None:
        return
    if not found.is_live:
        raise Refused(
            _("Another race of %(round)s has been opened since, and only that one counts.") % {"round": found.round}
        )
    if Round.objects.select_for_update().get(pk=found.round_id).is_official:
        raise Refused(
            _("The result of %(round)s is official, so the race stays as it ended. Correct the sheet with a reason.")
            % {"round": found.round}
        )
    if found.round.series.season.is_archived:
        raise Refused(_("The season is archived: the race stays as it ended."))


def _found(race: Race) -> RoundRace | None:
    """The round's side of a race; None for any other."""
    return RoundRace.objects.filter(race=race).select_related("round__series__season__club").first()


# ---- from the outcome to the sheet -------------------------------------------------------------------------------------
def unsettled() -> QuerySet[RoundRace]:
    """The races that have ended without their result having come onto the sheet."""
    settled = Q(settled_end__isnull=False, settled_end=F("race__ended_at"))
    return RoundRace.objects.filter(is_live=True, race__status=RaceStatus.OVER).exclude(settled)


def settle(race_id: int, *, again: bool = False) -> RoundVersion | None:
    """Bring the outcome of a race that is over onto the sheet of its round, and publish it as provisional.

    Once for every end of the race: run again it does nothing, unless an organiser asks for it `again`. What somebody typed
    by hand stays, and a note says so; an official sheet is not touched.
    """
    with transaction.atomic():
        found = RoundRace.objects.filter(race=race_id).select_related("round__series__season__club").first()
        if found is None:
            return None
        with translation.override(found.round.series.season.club.language):
            return _settle(found, again=again)


def _settle(found: RoundRace, *, again: bool) -> RoundVersion | None:
    series = Series.objects.select_for_update(of=("self",)).select_related("season__club").get(pk=found.round.series_id)
    round_ = Round.objects.select_for_update().get(pk=found.round_id)
    round_.series = series
    found = RoundRace.objects.select_for_update().get(pk=found.pk)
    found.round = round_
    race = Race.objects.select_for_update().get(pk=found.race_id)
    if not found.is_live or race.status != RaceStatus.OVER or race.outcome is None:
        return None
    if race.ended_at == found.settled_end and not again:
        return None
    version, found.note = None, ""
    if series.season.is_archived:
        found.note = _("The season is archived: what the race says was left off.")
    elif round_.is_official:
        found.note = _("The sheet is official: what the race says was left off. Correct it if the race is right.")
    elif not again and _typed_by_hand(round_):
        found.note = _("Something was typed on the sheet by hand: what the race says was left off.")
    else:
        version, found.note = _publish(found, round_, race)
    found.settled_end = race.ended_at
    found.save(update_fields=["note", "settled_end"])
    return version


def _typed_by_hand(round_: Round) -> bool:
    """Whether somebody has typed more than who stays away."""
    if round_.typed_by_id is None:
        return False
    return any(value for key, value in round_.cells.items() if not key.startswith("who-"))


def _publish(found: RoundRace, round_: Round, race: Race) -> tuple[RoundVersion | None, str]:
    """The sheet as the race tells it, published; or why it is not."""
    sheet = sheet_of(round_.series.game, timed=round_.series.is_timed)
    assert sheet is not None
    assert race.outcome is not None
    told = {key: value for key, value in round_.cells.items() if key.startswith("who-")}
    told |= who_rode(found, race)
    starters = rounds.entry_of(round_, told).starters
    told |= sheet.of_race(race.outcome, round_.options, starters)
    rounds.type_cells(round_, None, told, {key: round_.cells.get(key, "") for key in {*told, *round_.cells}})
    odd = [f.sure for f in rounds.entry_of(round_).reading.findings if f.level is Level.ASK]
    if odd:  # it was so: the rules have ridden it
        rounds.type_cells(round_, None, dict.fromkeys(odd, rounds.ON), {})
    try:
        with transaction.atomic():
            return rounds.publish(round_, None, reason=_("From the race.")), ""
    except Refused as refusal:
        return None, _("The result of the race is on the sheet and not public yet.") + f" {refusal}"


def who_rode(found: RoundRace, race: Race) -> dict[str, str]:
    """The cells that say who rode for whom: a seat that a bot rode to the end was a bot's, and another player of the club
    who sat for an entrant's was his substitute."""
    entrants = SeriesEntrant.objects.filter(pk__in=found.entrants.values()).select_related("player__merged_into")
    own = {entrant.pk: entrant for entrant in entrants}
    seats = list(race.seats.all())
    club = found.round.series.season.club
    players = dict(
        club.players.filter(merged_into=None, user__in=[seat.user_id for seat in seats if seat.user_id]).values_list(
            "user", "pk"
        )
    )
    cells = {}
    for seat in seats:
        entrant = own.get(found.entrants.get(seat.name, 0))
        if entrant is None:
            continue
        rider = players.get(seat.user_id) if seat.user_id else None
        who = rounds.RIDES
        if seat.bot and not entrant.is_bot:
            who = rounds.BOT
        elif rider is not None and entrant.player is not None and rider != kept(entrant.player).pk:
            who = f"{rounds.SUBSTITUTE}{rider}"
        cells[f"who-{entrant.pk}"] = who
    return cells


# ---- on the pages ------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class Shown(Beside):
    """The race of a round for a page."""

    found: RoundRace

    @classmethod
    def of(cls, found: RoundRace) -> "Shown":
        return cls(found=found, race=found.race, due=due(found.race), settled_end=found.settled_end)

    @property
    def has_told(self) -> bool:
        return self.is_settled and not self.found.note


@dataclass(frozen=True, slots=True, kw_only=True)
class Races:
    """The races of a round: the one that counts, and those that do not, newest first."""

    counts: Shown | None
    earlier: tuple[tuple[Race, str], ...]  # with why they were abandoned


def races_of(round_: Round) -> Races:
    """All races of a round, in a fixed number of queries."""
    everything = list(_whole(RoundRace.objects.filter(round=round_)))
    counts = next((one for one in everything if one.is_live and one.race.status != RaceStatus.ABANDONED), None)
    earlier = [one.race for one in everything if one != counts]
    abandoned: Iterable[Entry] = Entry.objects.filter(race__in=earlier, note__kind="abandoned") if earlier else ()
    why = {entry.race_id: entry.reason for entry in abandoned}
    return Races(
        counts=Shown.of(counts) if counts else None,
        earlier=tuple((race, why.get(race.pk, "")) for race in earlier),
    )


def ridden_now(series: Series) -> dict[int, Shown]:
    """By round: the races that wait for their riders or are on the road."""
    under_way = RoundRace.objects.filter(
        round__series=series, is_live=True, race__status__in=[RaceStatus.OPEN, RaceStatus.RUNNING]
    )
    return {one.round_id: Shown.of(one) for one in _whole(under_way)}


def _whole(found: QuerySet[RoundRace]) -> QuerySet[RoundRace]:
    """Races with seats and what is open in them, without the long columns."""
    return (
        found.select_related("race__position")
        .defer("race__position__state", "race__entrants", "race__options", "race__outcome")
        .prefetch_related("race__seats")
    )
