"""The start list of a campaign: who rides, with what bib, for whom, and who was picked first."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from league import racing
from league.campaigns import Fault, is_public, name_faults, named, public_stages, refuse
from league.errors import Late
from league.loading import TeamsOfTheDay
from league.models import BonusSprint, Campaign, DraftCell, Player, Result, Rider, Ruling, Stage, Team
from league.models.campaign import Speciality
from league.recount import touch
from league.results import lock
from rules.giro import data

MOST_RIDERS = data.MAX_RIDERS
RIDER_CELLS = ("place", "turn", "clock", "energy", "status", "start", "teamclock-0")


@dataclass(frozen=True, kw_only=True)
class Line:
    """A line of the start list. `rider` is the one it changes (None: a new one); without a team of his own a rider
    rides for his player's team of the day."""

    bib: int
    name: str
    speciality: str
    player: Player
    team: Team | None = None
    rider: int | None = None


def start_list(campaign: Campaign) -> list[Rider]:
    """The riders in draft order, with player and team."""
    return list(campaign.riders.select_related("player__merged_into", "team").order_by("draft_order"))


def mark_of(riders: Iterable[Rider]) -> str:
    """What a start list looked like, in a few letters: tells whether somebody else has changed it since."""
    rows = sorted((r.pk, r.bib, r.name, r.speciality, r.player_id, r.team_id, r.draft_order) for r in riders)
    return hashlib.sha256(json.dumps(rows).encode()).hexdigest()[:16]


def enter_riders(
    campaign: Campaign,
    lines: Sequence[Line],
    *,
    remove: Iterable[int] = (),
    sure: bool = False,
    seen: str | None = None,
) -> list[Rider]:
    """Enter and change riders, in the draft order of the lines, and take those in `remove` off the list.

    Riders that are in neither keep their line, after the others. `seen`: the mark of the list that these lines were
    made from; Late if it is no longer that one. Once a stage is public the list is closed: nobody enters, leaves, moves
    in the draft order or changes hands; bib, name, speciality and team may still be mended, and what was ridden keeps
    the team it was ridden for. While a stage has its race, nobody enters, leaves or changes hands either.
    Rules: E12; 2.5 for the pieces of a jersey.
    """
    with transaction.atomic():
        found = lock(campaign)
        present = {rider.pk: rider for rider in start_list(found)}
        if seen is not None and seen != mark_of(present.values()):
            raise Late(
                _("Somebody else has changed the start list since you opened it. What you typed is still here; "
                  "what stands now is below. Save again to put yours in its place.")
            )  # fmt: skip
        leaving = {pk for pk in remove if pk in present}
        closed = public_stages(found) > 0
        faults = [*_line_faults(found, lines, present), *_leaving_faults(leaving, present, closed=closed)]
        wanted = _wanted(found, lines, present, leaving, closed=closed)
        faults += _bib_faults(wanted)
        faults += _closed_faults(lines, present) if closed else _number_faults(found, wanted)
        if not closed and (raced := racing.raced_in(found)) is not None:
            faults += _raced_faults(raced, lines, present, leaving)
        faults += _jersey_faults(found, wanted, present)
        refuse(faults, sure=sure)
        riders = [rider for _line, rider in wanted]
        if leaving or not all(_is_stored(rider, present) for rider in riders):
            _store(found, riders, leaving)
            touch(found)
        return riders


def _line_faults(campaign: Campaign, lines: Sequence[Line], present: Mapping[int, Rider]) -> list[Fault]:
    """What is wrong with a line by itself."""
    faults = []
    for at, line in enumerate(lines):
        faults += [Fault(line=at, field=f.field, message=f.message) for f in name_faults(named(line.name), Rider)]
        now = present.get(line.rider or 0)
        if line.rider is not None and now is None:
            message = _("This rider has been taken off the start list in the meantime. Save again to enter him anew.")
            faults.append(Fault(line=at, field="rider", message=message))
        if not 1 <= line.bib <= 999:
            faults.append(Fault(line=at, field="bib", message=_("A bib is a number from 1 to 999.")))
        if line.speciality not in Speciality.values:
            faults.append(Fault(line=at, field="speciality", message=_("Choose rouleur, leader or climber.")))
        player, team = line.player, line.team
        stays = now is not None and now.player_id == player.pk
        if player.club_id != campaign.season.club_id or (player.merged_into_id and not stays):
            faults.append(Fault(line=at, field="player", message=_("Choose a player of the club's roster.")))
        elif player.left_at and not stays:
            message = _("%(player)s has left the roster. Take him back there first.") % {"player": player}
            faults.append(Fault(line=at, field="player", message=message))
        if team is not None and team.season_id != campaign.season_id:
            faults.append(Fault(line=at, field="team", message=_("Choose a team of this season.")))
    return faults


def _leaving_faults(leaving: set[int], present: Mapping[int, Rider], *, closed: bool) -> list[Fault]:
    """Who cannot be taken off the list any more: riders with a result or a ruling, and anybody once it is closed."""
    bound = {
        pk
        for model in (Result, BonusSprint, Ruling)
        for pk in model._default_manager.filter(rider__in=leaving).values_list("rider", flat=True)
    }
    message = _(
        "%(rider)s stays on the start list: results have been published. If he does not ride on, give him the status "
        "DNS or withdrawn on the next sheet."
    )
    return [
        Fault(rider=pk, field="remove", message=message % {"rider": present[pk]})
        for pk in sorted(leaving)
        if closed or pk in bound
    ]


def _closed_faults(lines: Sequence[Line], present: Mapping[int, Rider]) -> list[Fault]:
    """What a start list whose first stage is public no longer takes."""
    faults = []
    for at, line in enumerate(lines):
        now = present.get(line.rider or 0)
        if line.rider is None:
            message = _(
                "The start list closed with the first published stage: a rider who enters now would have no result there. "
                "Bib, name, speciality and team can still be mended."
            )
            faults.append(Fault(line=at, field="name", message=message))
        elif now is not None and line.player.pk not in (now.player_id, now.player.merged_into_id):
            message = _("%(rider)s has ridden for %(player)s; results stay with the player.") % {
                "rider": now,
                "player": now.player,
            }
            faults.append(Fault(line=at, field="player", message=message))
    return faults


def _raced_faults(stage: Stage, lines: Sequence[Line], present: Mapping[int, Rider], leaving: set[int]) -> list[Fault]:
    """What a start list does not take while a stage has its race: the race has its riders, and seats for their players."""
    message = _(
        "Stage %(number)s has its race, and the race has its riders: nobody enters, leaves or changes hands. Call the race "
        "off first, or abandon it. Who only stays away has the status DNS on the sheet."
    ) % {"number": stage.number}
    faults = [Fault(rider=pk, field="remove", message=message) for pk in sorted(leaving)]
    for at, line in enumerate(lines):
        now = present.get(line.rider or 0)
        if line.rider is None:
            faults.append(Fault(line=at, field="name", message=message))
        elif now is not None and line.player.pk not in (now.player_id, now.player.merged_into_id):
            faults.append(Fault(line=at, field="player", message=message))
    return faults


Wanted = tuple[int | None, Rider]  # the line that a rider comes from (None: he has none), and what he shall be


def _wanted(
    campaign: Campaign, lines: Sequence[Line], present: Mapping[int, Rider], leaving: set[int], *, closed: bool
) -> list[Wanted]:
    """The whole list as it shall be, in draft order."""
    wanted: list[Wanted] = []
    for at, line in enumerate(lines):
        if line.rider in leaving:
            continue
        now = present.get(line.rider or 0)
        wanted.append(
            (
                at,
                Rider(
                    pk=now.pk if now else None,
                    campaign=campaign,
                    bib=line.bib,
                    name=named(line.name),
                    speciality=line.speciality,
                    player=now.player if now and closed else line.player,
                    team=line.team,
                    draft_order=now.draft_order if now else 0,
                ),
            )
        )
    named_here = {rider.pk for _at, rider in wanted}
    wanted += [(None, rider) for pk, rider in present.items() if pk not in named_here and pk not in leaving]
    if closed:
        wanted.sort(key=lambda item: item[1].draft_order)
        return wanted
    for order, (_at, rider) in enumerate(wanted, 1):
        rider.draft_order = order
    return wanted


def _bib_faults(wanted: Sequence[Wanted]) -> list[Fault]:
    faults = []
    by_bib: dict[int, Rider] = {}
    for at, rider in wanted:
        other = by_bib.setdefault(rider.bib, rider)
        if other is not rider:
            message = _("Bib %(bib)s is on the back of %(other)s already. Give one of them another.")
            words = {"bib": rider.bib, "other": other.name or _("another rider")}
            faults.append(Fault(line=at, field="bib", message=message % words))
    return faults


def _number_faults(campaign: Campaign, wanted: Sequence[Wanted]) -> list[Fault]:
    """Too many riders for the box, or for one player. Rules: E12."""
    faults = []
    if len(wanted) > MOST_RIDERS:
        message = _("A race has %(most)s riders at most; this list has %(count)s (E12). Take some off.")
        faults.append(Fault(message=message % {"most": MOST_RIDERS, "count": len(wanted)}))
    per_player: Counter[int] = Counter()
    for at, rider in wanted:
        player = rider.player.merged_into or rider.player
        per_player[player.pk] += 1
        if per_player[player.pk] == campaign.riders_per_player + 1:
            message = _(
                "%(player)s has a rider too many: %(allowed)s each in this campaign. Choose another player, or change "
                "the riders per player in the set-up."
            )
            words = {"player": player, "allowed": campaign.riders_per_player}
            faults.append(Fault(line=at, field="player", message=message % words))
    return faults


def _jersey_faults(campaign: Campaign, wanted: Sequence[Wanted], present: Mapping[int, Rider]) -> list[Fault]:
    """Asks about a jersey with two riders of one kind, unless the list stands so already. Rules: 2.5."""
    faults = []
    teams, day = TeamsOfTheDay(campaign), first_day(campaign)
    pieces: dict[tuple[int, str], Rider] = {}
    message = _(
        "%(team)s has two of a kind (%(speciality)s): %(other)s and %(rider)s. The box has one rouleur, one leader and "
        "one climber in each jersey."
    )
    for at, rider in wanted:
        team = teams.team(rider, day)
        if team is None or rider.speciality not in Speciality.values:
            continue
        other = pieces.setdefault((team.pk, rider.speciality), rider)
        if other is not rider and not (_same_piece(rider, present) and _same_piece(other, present)):
            words = {
                "team": team,
                "speciality": Speciality(rider.speciality).label,
                "other": other.name or other.bib,
                "rider": rider.name or rider.bib,
            }
            faults.append(Fault(line=at, field="speciality", message=message % words, asks=True))
    return faults


def _same_piece(rider: Rider, present: Mapping[int, Rider]) -> bool:
    now = present.get(rider.pk or 0)
    pieces = [(r.speciality, r.team_id, r.player_id) for r in (now, rider) if r is not None]
    return len(pieces) == 2 and pieces[0] == pieces[1]


def first_day(campaign: Campaign) -> date:
    """The day whose teams the start list shows: that of the first stage to come, or of the last one, or today."""
    stages = list(campaign.stages.select_related("sheet").order_by("order"))
    for stage in stages:
        stage.campaign = campaign
    coming = next((stage for stage in stages if not is_public(stage)), stages[-1] if stages else None)
    if coming is not None:
        return coming.day
    today = timezone.now().astimezone(campaign.season.club.zone).date()
    return min(max(today, campaign.season.starts_on), campaign.season.ends_on)


def _is_stored(rider: Rider, present: Mapping[int, Rider]) -> bool:
    now = present.get(rider.pk or 0)
    return now is not None and mark_of([now]) == mark_of([rider])


def _store(campaign: Campaign, riders: Sequence[Rider], leaving: set[int]) -> None:
    """Bibs and places in the draft are unique, and two riders may swap them: so all step aside first. What was typed on
    a sheet about one who leaves goes with him, or nobody could publish it."""
    DraftCell.objects.filter(
        Q(key__in=[f"{cell}-{pk}" for pk in leaving for cell in RIDER_CELLS])
        | Q(key__startswith="bonus-", value__in=[str(pk) for pk in leaving]),
        sheet__stage__campaign=campaign,
    ).delete()
    campaign.riders.filter(pk__in=leaving).delete()
    campaign.riders.update(bib=F("bib") + 10_000, draft_order=F("draft_order") + 10_000)
    for rider in riders:
        rider.save(force_update=rider.pk is not None)


Present = tuple[int, Player, str]  # bib, player and speciality of a line that is there already


def propose(campaign: Campaign, players: Sequence[Player], present: Sequence[Present]) -> list[Line]:
    """Lines for players who have fewer riders than they may: bibs by team (11, 12, 13; 21, 22 ...), the specialities
    that the jersey has free, and the player's own name for his first rider, all to be changed at will. Rules: 2.5.
    """
    teams, day = TeamsOfTheDay(campaign), first_day(campaign)
    order = list(campaign.season.teams.order_by("pk"))

    def team_of(player: Player) -> Team | None:
        return teams.team(Rider(campaign=campaign, player=player), day)

    taken = {bib for bib, _player, _speciality in present}
    has = Counter(player.pk for _bib, player, _speciality in present)
    pieces: dict[Team | None, list[str]] = {}
    for _bib, player, speciality in present:
        pieces.setdefault(team_of(player), []).append(speciality)
    lines: list[Line] = []
    for player in players:
        team = team_of(player)
        base = 10 * (order.index(team) + 1 if team in order else len(order) + 1)
        worn = pieces.setdefault(team, [])
        for n in range(has[player.pk], campaign.riders_per_player):
            bib = next(bib for bib in (*range(base + 1, base + 10), *range(101, 1000)) if bib not in taken)
            taken.add(bib)
            speciality = next((s for s in Speciality.values if s not in worn), Speciality.ROULEUR.value)
            worn.append(speciality)
            lines.append(Line(bib=bib, name=player.name if n == 0 else "", speciality=speciality, player=player))
    return lines
