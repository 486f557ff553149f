"""The people of a club and its roster of players: invitations, roles, namesakes, duplicates, transfers.

A *member* is a user with a role in the club. A *player* stands on the roster and rides; he need not have a user, and two
players may have one name. Two players who turn out to be one person are *merged*: the duplicate points at the player who
is kept, one level deep, and nothing that was ridden is rewritten. A *spell* is a player's time in a team; a *transfer* ends
one and begins another, and results keep the team that they were ridden for.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from http import HTTPStatus

from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.db import transaction
from django.db.models import Count, Max, Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from league.access import RANK
from league.classification.season import SeasonPlayerRow, season_players
from league.classification.status import Status
from league.errors import Refused
from league.models import (
    Campaign,
    Club,
    Invitation,
    Membership,
    Player,
    Result,
    Rider,
    Role,
    Season,
    Series,
    SeriesEntrant,
    Stage,
    Team,
    TeamSpell,
)
from league.models.club import clean_name, name_key
from league.models.results import SheetState
from league.recount import TEAM_POINTS, stored_scores, touch

TOKEN_BYTES = 32


def person(user: User) -> str:
    """What the club calls a user."""
    return user.get_full_name() or user.email or user.get_username()


def today_in(club: Club) -> date:
    """The day that the club's clock says."""
    return timezone.now().astimezone(club.zone).date()


# Invitations


class DeadLink(Refused):
    """An invitation that lets nobody in. It says why, and nothing about the club. `status` is what the page answers."""

    def __init__(self, message: str, status: HTTPStatus) -> None:
        super().__init__(message)
        self.status = status


def token_hash(token: str) -> str:
    """What is kept of a link. Its 256 bits are chance, so a plain hash cannot be guessed back."""
    return hashlib.sha256(token.encode()).hexdigest()


def invite(
    club: Club, by: User, *, role: Role = Role.MEMBER, player: Player | None = None, note: str = ""
) -> tuple[Invitation, str]:
    """A link for one person, and the token that is shown once. `player`: who on the roster that person is."""
    if player is not None:
        player = kept(player)
        if player.club_id != club.pk:
            raise Refused(_("This player is not on the club's roster."))
        if player.user_id is not None:
            raise Refused(
                _("%(player)s belongs to a member already. Invite without a player, or choose another.")
                % {"player": player}
            )
    token = secrets.token_urlsafe(TOKEN_BYTES)
    invitation = Invitation.objects.create(
        club=club,
        role=role,
        player=player,
        note=clean_name(note),
        token_hash=token_hash(token),
        created_by=by,
        expires_at=timezone.now() + timedelta(days=settings.INVITATION_DAYS),
    )
    return invitation, token


def revoke(invitation: Invitation) -> None:
    """Close a link. One that was used or closed before stays what it was."""
    Invitation.objects.filter(pk=invitation.pk, used_at=None, revoked_at=None).update(revoked_at=timezone.now())


def invitation_for(token: str) -> Invitation:
    """The open invitation behind a link. Raises DeadLink."""
    found = Invitation.objects.filter(token_hash=token_hash(token)).select_related("club", "player").first()
    return _open(found)


def used_by(token: str, user: User | AnonymousUser) -> Membership | None:
    """The membership that this link gave to this very user: he follows his old link and is simply in."""
    if not user.is_authenticated:
        return None
    found = Invitation.objects.filter(token_hash=token_hash(token), used_by=user.pk).first()
    if found is None:
        return None
    return Membership.objects.filter(club=found.club_id, user=user.pk).select_related("club").first()


def _open(invitation: Invitation | None) -> Invitation:
    if invitation is None:
        raise DeadLink(
            _("There is no such invitation. Check that the whole link was copied, or ask for a new one."),
            HTTPStatus.NOT_FOUND,
        )
    if invitation.used_at is not None:
        raise DeadLink(
            _("This invitation was used already: each link lets one person in, once. Ask for a new one."),
            HTTPStatus.GONE,
        )
    if invitation.revoked_at is not None:
        raise DeadLink(_("This invitation was taken back. Ask the organiser who sent it."), HTTPStatus.GONE)
    if not invitation.is_open:
        raise DeadLink(_("This invitation has expired. Ask the organiser for a new link."), HTTPStatus.GONE)
    return invitation


@dataclass(frozen=True)
class Joined:
    """What came of accepting. `player`: who he is on the roster; `already`: he was somebody else on it, and stays that."""

    membership: Membership
    player: Player | None
    already: Player | None = None


def accept(token: str, user: User) -> Joined:
    """Let the user in. Two people at one moment are one and a DeadLink; the same person twice is in once."""
    with transaction.atomic():
        invitation = (
            Invitation.objects.select_for_update(of=("self",))
            .select_related("club", "player__merged_into")
            .filter(token_hash=token_hash(token))
            .first()
        )
        if invitation and invitation.used_by_id == user.pk:
            present = Membership.objects.filter(club=invitation.club_id, user=user).first()
            if present:
                return Joined(present, Player.objects.filter(club=present.club, user=user, merged_into=None).first())
        invitation = _open(invitation)
        club = lock(invitation.club)
        membership, is_new = Membership.objects.get_or_create(club=club, user=user, defaults={"role": invitation.role})
        if not is_new and RANK[Role(membership.role)] < RANK[Role(invitation.role)]:
            membership.role = invitation.role
            membership.save(update_fields=["role"])
        own = Player.objects.filter(club=club, user=user, merged_into=None).first()
        offered = kept(invitation.player) if invitation.player else None
        if offered and own is None and offered.user_id is None:
            offered.user = user
            offered.save(update_fields=["user"])
            own = offered
        invitation.used_at, invitation.used_by = timezone.now(), user
        invitation.save(update_fields=["used_at", "used_by"])
    return Joined(membership, own, already=own if offered and own != offered else None)


def lock(club: Club) -> Club:
    """Hold the club's people and roster until the transaction ends: they change one hand at a time."""
    return Club.objects.select_for_update().get(pk=club.pk)


def set_role(membership: Membership, role: Role | None) -> None:
    """Another role for a member; None: he leaves the club. Refused for its last organiser. His results and players stay."""
    with transaction.atomic():
        club = lock(membership.club)
        held = Membership.objects.filter(pk=membership.pk).first()
        if held is None:
            return  # has left in the meantime
        others = club.memberships.filter(role=Role.ORGANISER).exclude(pk=held.pk)
        if held.role == Role.ORGANISER and role != Role.ORGANISER and not others.exists():
            raise Refused(
                _("%(who)s is the only organiser, and a club needs one. Make somebody else organiser first.")
                % {"who": person(membership.user)}
            )
        if role is None:
            held.delete()
        else:
            held.role = role
            held.save(update_fields=["role"])


# Players and namesakes


def kept(player: Player) -> Player:
    """The player that a merged one is now; himself if he was never merged."""
    return player.merged_into or player


def on_roster(club: Club) -> QuerySet[Player]:
    """Those who may be chosen: not merged into another, not off the roster."""
    return club.players.filter(merged_into=None, left_at=None)


NO_START = Q(status__in=[Status.UNRESOLVED, Status.DNS]) | Q(status=Status.WITHDRAWN, turn__isnull=True)


@dataclass(frozen=True)
class Known:
    """A player and what tells him from his namesakes: team of the day, starts, last race."""

    player: Player
    team: Team | None = None
    starts: int = 0
    last: Stage | None = None
    has_namesake: bool = False


def know(players: Iterable[Player], club: Club) -> list[Known]:
    """What is known of players of a club, the merged ones' past with theirs. Three queries, however many they are."""
    players = list(players)
    ids = {p.pk for p in players}
    who = Coalesce("rider__player__merged_into", "rider__player")
    ridden = (
        Result.objects.filter(sheet__stage__campaign__season__club=club)
        .exclude(NO_START)
        .exclude(sheet__state=SheetState.DRAFT)
        .annotate(who=who)
        .filter(who__in=ids)
    )
    starts: dict[int, int] = {}
    latest: dict[int, datetime] = {}
    for row in ridden.order_by().values("who").annotate(n=Count("pk"), at=Max("sheet__stage__starts_at")):
        starts[row["who"]], latest[row["who"]] = row["n"], row["at"]
    last: dict[int, Stage] = {}
    stages = ridden.filter(sheet__stage__starts_at__in=set(latest.values()))
    for result in stages.select_related("sheet__stage__campaign__season__club").order_by("pk"):
        if result.sheet.stage.starts_at == latest[result.who]:
            last[result.who] = result.sheet.stage
    teams = teams_today(club, ids)
    names: dict[str, int] = {}
    for p in players:
        names[p.name_key] = names.get(p.name_key, 0) + 1
    return [
        Known(p, teams.get(p.pk), starts.get(p.pk, 0), last.get(p.pk), has_namesake=names[p.name_key] > 1)
        for p in players
    ]


def told_apart(players: Iterable[Player], club: Club) -> dict[int, str]:
    """How a list to choose from calls each player: namesakes with team and last race, and where that is the same, a number.
    Costs queries only where there are namesakes."""
    players = list(players)
    by_name: dict[str, list[Player]] = {}
    for player in players:
        by_name.setdefault(name_key(str(player)), []).append(player)
    labels = {p.pk: str(p) for p in players}
    same = [p for alike in by_name.values() if len(alike) > 1 for p in alike]
    for known in know(same, club) if same else ():
        facts = [str(known.team)] if known.team else []
        facts.append(_("last race: %(stage)s") % {"stage": known.last} if known.last else _("no race yet"))
        labels[known.player.pk] = f"{known.player} ({', '.join(facts)})"
    alike = {label for label in labels.values() if list(labels.values()).count(label) > 1}
    return {
        pk: _("%(player)s, no. %(number)s") % {"player": label, "number": pk} if label in alike else label
        for pk, label in labels.items()
    }


def teams_today(club: Club, ids: Iterable[int]) -> dict[int, Team]:
    """By player: the team he is in today, in a season that is not archived. The spell that began last counts."""
    day = today_in(club)
    spells = (
        TeamSpell.objects.annotate(who=Coalesce("player__merged_into", "player"))
        .filter(who__in=list(ids), team__season__club=club, team__season__archived_at=None, first_day__lte=day)
        .filter(Q(last_day=None) | Q(last_day__gte=day))
        .filter(team__season__ends_on__gte=day)
        .select_related("team")
    )
    return {spell.who: spell.team for spell in spells.order_by("first_day", "pk")}


class Namesakes(Refused):
    """The name is on the roster already: is it one of these? Nothing was added."""

    def __init__(self, name: str, players: Sequence[Player]) -> None:
        super().__init__(
            _("%(name)s is on the roster already. Is it the same person, or another of that name?") % {"name": name}
        )
        self.players = tuple(players)


def namesakes(club: Club, name: str, *, but: Player | None = None) -> list[Player]:
    """Everybody of the club who has, or before a merge had, this name."""
    same = club.players.filter(name_key=name_key(name)).select_related("merged_into")
    found = {p.pk: p for p in map(kept, same) if but is None or p.pk != but.pk}
    return sorted(found.values(), key=lambda p: p.pk)


def add_player(
    club: Club, name: str, *, note: str = "", user: User | None = None, is_another: bool = False
) -> Player:  # fmt: skip
    """Put somebody on the roster. A name that is there already is asked about; `is_another` says that it was answered."""
    with transaction.atomic():
        lock(club)
        same = [] if is_another else namesakes(club, name)
        if same:
            raise Namesakes(clean_name(name), same)
        _nobody_else_is(club, user, None)
        return Player.objects.create(club=club, name=name, note=clean_name(note), user=user)


def change_player(
    player: Player, *, name: str, note: str, user: User | None, has_left: bool, is_another: bool = False
) -> Player:
    """Another name, note or user, off the roster or back. A new name that others have is asked about."""
    with transaction.atomic():
        lock(player.club)
        renamed = name_key(name) != player.name_key
        same = namesakes(player.club, name, but=player) if renamed and not is_another else []
        if same:
            raise Namesakes(clean_name(name), same)
        _nobody_else_is(player.club, user, player)
        player.name, player.note, player.user = name, clean_name(note), user
        player.left_at = (player.left_at or timezone.now()) if has_left else None
        player.save()
    return player


def _nobody_else_is(club: Club, user: User | None, player: Player | None) -> None:
    if user is None:
        return
    other = club.players.filter(user=user, merged_into=None).first()
    if other and other != player:
        raise Refused(
            _("%(user)s is %(player)s on the roster already. Unlink the one first, or merge the two.")
            % {"user": person(user), "player": other}
        )


# Duplicates


@dataclass(frozen=True)
class Side:
    """One of two players about to become one, and what he brings."""

    known: Known
    lines: tuple[Rider, ...]  # start lists he stands on
    spells: tuple[TeamSpell, ...]
    merged: tuple[Player, ...]  # merged into him before

    @property
    def player(self) -> Player:
        return self.known.player

    @property
    def teams(self) -> list[str]:
        return [spell_words(spell) for spell in self.spells]


@dataclass(frozen=True)
class RowMove:
    """A line of a season's table of players before and after. None: no line."""

    player: Player
    name: str  # told apart from his namesakes
    before: SeasonPlayerRow | None
    after: SeasonPlayerRow | None


@dataclass(frozen=True)
class SeasonChange:
    season: Season
    rows: tuple[RowMove, ...]  # those that change, in their order before


@dataclass(frozen=True)
class MergePreview:
    """What becomes of merging `gone` into `keep`. `refused` stop it; `asked` want a yes."""

    keep: Side
    gone: Side
    seasons: tuple[SeasonChange, ...]
    user: User | None  # whom the kept player has afterwards
    refused: tuple[str, ...]
    asked: tuple[str, ...]


def merge_preview(keep: Player, gone: Player) -> MergePreview:
    """What a merge would do; it changes nothing. Raises Refused where the two cannot be chosen at all."""
    if keep.club_id != gone.club_id:
        raise Refused(_("These two are not of one club."))
    if keep.pk == gone.pk:
        raise Refused(_("Choose two different players: a player cannot be merged into himself."))
    for player in (keep, gone):
        if player.merged_into_id is not None:
            raise Refused(_("%(player)s is merged already. Choose the player who was kept.") % {"player": player})
    one, two = _sides(keep, gone)
    refused, asked = [], []
    if keep.user_id and gone.user_id:
        assert keep.user is not None
        assert gone.user is not None
        refused.append(
            _(
                "%(keep)s belongs to %(one)s and %(gone)s to %(two)s: that is two people. If not, unlink one of them first."
            )
            % {"keep": keep, "one": person(keep.user), "gone": gone, "two": person(gone.user)}
        )
    asked += _both_on_one_start_list(one, two)
    asked += _both_in_one_series(keep, gone)
    asked += _two_teams_at_once(one, two)
    return MergePreview(
        keep=one,
        gone=two,
        seasons=tuple(_season_changes(keep, gone)),
        user=keep.user or gone.user,
        refused=tuple(refused),
        asked=tuple(asked),
    )


def _sides(*players: Player) -> tuple[Side, ...]:
    known = know(players, players[0].club)
    lines: dict[int, list[Rider]] = {p.pk: [] for p in players}
    spells: dict[int, list[TeamSpell]] = {p.pk: [] for p in players}
    merged: dict[int, list[Player]] = {p.pk: [] for p in players}
    of = Q(player__in=players) | Q(player__merged_into__in=players)
    for rider in (
        Rider.objects.filter(of).select_related("player", "campaign__season__club").order_by("campaign", "bib")
    ):
        lines[rider.player.merged_into_id or rider.player_id].append(rider)
    for spell in TeamSpell.objects.filter(of).select_related("player", "team__season").order_by("first_day", "pk"):
        spells[spell.player.merged_into_id or spell.player_id].append(spell)
    for other in Player.objects.filter(merged_into__in=players):
        assert other.merged_into_id is not None
        merged[other.merged_into_id].append(other)
    return tuple(
        Side(k, tuple(lines[k.player.pk]), tuple(spells[k.player.pk]), tuple(merged[k.player.pk])) for k in known
    )


def _both_on_one_start_list(one: Side, two: Side) -> list[str]:
    asked = []
    for campaign in {r.campaign_id: r.campaign for r in one.lines}.values():
        ours = [r.bib for r in one.lines if r.campaign_id == campaign.pk]
        theirs = [r.bib for r in two.lines if r.campaign_id == campaign.pk]
        if theirs:
            asked.append(
                _(
                    "Both are on the start list of %(campaign)s: bib %(ours)s and bib %(theirs)s. One person would ride them all."
                )
                % {"campaign": campaign, "ours": ", ".join(map(str, ours)), "theirs": ", ".join(map(str, theirs))}
            )
    return asked


def _both_in_one_series(keep: Player, gone: Player) -> list[str]:
    codes: dict[Series, dict[bool, str]] = {}
    of = Q(player__in=(keep, gone)) | Q(player__merged_into__in=(keep, gone))
    for entrant in (
        SeriesEntrant.objects.filter(of).select_related("series", "player__merged_into").order_by("order", "pk")
    ):
        assert entrant.player is not None
        codes.setdefault(entrant.series, {})[kept(entrant.player) == keep] = entrant.code
    return [
        _("Both are entered in %(series)s, as %(ours)s and as %(theirs)s. They would have one line of its table.")
        % {"series": found, "ours": code[True], "theirs": code[False]}
        for found, code in codes.items()
        if len(code) > 1
    ]


def _two_teams_at_once(one: Side, two: Side) -> list[str]:
    asked = []
    for a in one.spells:
        for b in two.spells:
            same_season = a.team.season_id == b.team.season_id
            if same_season and a.team_id != b.team_id and _overlap(a, b):
                later = max(a, b, key=lambda s: (s.first_day, s.pk))
                asked.append(
                    _(
                        "They are in two teams at once: %(one)s and %(two)s. For stages to come %(later)s counts, which began later."
                    )
                    % {"one": spell_words(a), "two": spell_words(b), "later": later.team}
                )
    return asked


def _overlap(a: TeamSpell, b: TeamSpell) -> bool:
    return (b.last_day is None or a.first_day <= b.last_day) and (a.last_day is None or b.first_day <= a.last_day)


def spell_words(spell: TeamSpell) -> str:
    """ "Blue from 1 January 2026 to 4 March 2026"."""
    words = {"team": spell.team, "first": date_format(spell.first_day, "j F Y")}
    if spell.last_day is None:
        return _("%(team)s from %(first)s") % words
    return _("%(team)s from %(first)s to %(last)s") % {**words, "last": date_format(spell.last_day, "j F Y")}


def _season_changes(keep: Player, gone: Player) -> list[SeasonChange]:
    """The tables of players that a merge changes, counted from the stored placings as the recount does."""
    changes = []
    touched = (
        Season.objects.filter(club=keep.club_id, campaigns__in=campaigns_of(gone)).distinct().select_related("club")
    )
    for season in touched:
        scores = stored_scores(season)
        points = season.team_points or TEAM_POINTS
        before = {r.player: r for r in season_players(scores, points)}
        one = [replace(s, player=keep.pk) if s.player == gone.pk else s for s in scores]
        after = {r.player: r for r in season_players(one, points)}
        moved = [pk for pk in {**before, **after} if _figures(before.get(pk)) != _figures(after.get(pk))]
        players = Player.objects.in_bulk(moved)
        names = told_apart(players.values(), keep.club)
        rows = tuple(RowMove(players[pk], names[pk], before.get(pk), after.get(pk)) for pk in moved)
        if rows:
            changes.append(SeasonChange(season, rows))
    return changes


def _figures(row: SeasonPlayerRow | None) -> tuple[int, int, int] | None:
    return (row.rank, row.points, row.wins) if row else None


def campaigns_of(*players: Player) -> QuerySet[Campaign]:
    """Every campaign that one of them, or somebody merged into one of them, rode."""
    of = Q(riders__player__in=players) | Q(riders__player__merged_into__in=players)
    return Campaign.objects.filter(of).distinct()


def merge(keep: Player, gone: Player, *, is_sure: bool = False) -> MergePreview:
    """Make two players one. What `gone` rode counts for `keep` from now on, everywhere; nothing of it is rewritten.

    Raises Refused for what cannot be, and for what is odd unless `is_sure`.
    """
    with transaction.atomic():
        lock(keep.club)
        pair = Player.objects.select_related("club", "user").in_bulk([keep.pk, gone.pk])
        keep, gone = pair[keep.pk], pair[gone.pk]
        preview = merge_preview(keep, gone)
        if preview.refused:
            raise Refused(" ".join(preview.refused))
        if preview.asked and not is_sure:
            raise Refused(" ".join(preview.asked) + " " + _("Tick the box if it is one person all the same."))
        now = timezone.now()
        Player.objects.filter(merged_into=gone).update(merged_into=keep)
        gone.merged_into, gone.merged_at = keep, now
        gone.save(update_fields=["merged_into", "merged_at"])
        if keep.user_id is None and gone.user_id is not None:
            keep.user = gone.user
            keep.save(update_fields=["user"])
        for campaign in campaigns_of(keep):
            touch(campaign)
    return preview


def unmerge(player: Player) -> Player:
    """Make a merged player somebody of his own again, with all that was his. His user goes back to him. Players who were
    merged into him before stay with the one who was kept, and are unmerged one by one."""
    with transaction.atomic():
        lock(player.club)
        player = Player.objects.select_related("club", "merged_into").get(pk=player.pk)
        keep = player.merged_into
        if keep is None:
            return player
        touched = list(campaigns_of(keep))
        if player.user_id is not None:
            if keep.user_id == player.user_id:
                keep.user = None
                keep.save(update_fields=["user"])
            elif player.club.players.filter(user=player.user_id, merged_into=None).exists():
                player.user = None  # somebody else on the roster is this user by now
        player.merged_into = player.merged_at = None
        player.save(update_fields=["merged_into", "merged_at", "user"])
        for campaign in touched:
            touch(campaign)
    return player


# Transfers


@dataclass(frozen=True)
class Transfer:
    """A transfer that was made."""

    player: Player
    old: Team | None
    team: Team | None
    first_day: date
    replaced: bool  # the old spell began on the same day, and the new one stands in its place
    published: tuple[Stage, ...]  # ridden from that day on and published for the old team: they keep it
    fixed: tuple[Rider, ...]  # start lists that name a team for him: it goes before the transfer


def spells_of(season: Season, player: Player) -> QuerySet[TeamSpell]:
    """His spells in a season, first to last, those of players merged into him with them."""
    of = Q(player=player) | Q(player__merged_into=player)
    return TeamSpell.objects.filter(of, team__season=season).select_related("team").order_by("first_day", "pk")


def transfer(season: Season, player: Player, team: Team | None, first_day: date) -> Transfer:
    """From this day on he rides for `team` (None: for nobody). His old spell ends the day before; one that began on the very
    day is replaced. The first team of a season is a transfer from none. What is published keeps the team it was ridden for.
    """
    day = date_format(first_day, "j F Y")
    if not season.starts_on <= first_day <= season.ends_on:
        raise Refused(
            _("%(day)s is outside the season, which runs from %(first)s to %(last)s.")
            % {
                "day": day,
                "first": date_format(season.starts_on, "j F Y"),
                "last": date_format(season.ends_on, "j F Y"),
            }
        )
    if team is not None and team.season_id != season.pk:
        raise Refused(_("This team does not ride in this season."))
    if team is not None and team.left_at is not None:
        raise Refused(_("%(team)s has left the season and takes no more players.") % {"team": team})
    if player.club_id != season.club_id or player.merged_into_id is not None:
        raise Refused(_("This player is not on the club's roster."))
    with transaction.atomic():
        Season.objects.select_for_update().get(pk=season.pk)
        spells = list(spells_of(season, player))
        newest = spells[-1] if spells else None
        if newest and newest.first_day > first_day:
            raise Refused(
                _(
                    "%(player)s has been in %(team)s since %(since)s. A transfer comes after that: choose %(since)s or later."
                )
                % {"player": player, "team": newest.team, "since": date_format(newest.first_day, "j F Y")}
            )
        old = newest.team if newest and newest.covers(first_day) else None
        if old == team:
            if team is None:
                raise Refused(
                    _("%(player)s has no team on %(day)s that he could leave.") % {"player": player, "day": day}
                )
            raise Refused(_("%(player)s rides for %(team)s on %(day)s already.") % {"player": player, "team": team, "day": day})  # fmt: skip
        replaced = newest is not None and newest.first_day == first_day
        for spell in spells:
            if spell.first_day == first_day:
                spell.delete()
            elif spell.covers(first_day):
                spell.last_day = first_day - timedelta(days=1)
                spell.save(update_fields=["last_day"])
        if team is not None:
            TeamSpell.objects.create(team=team, player=player, first_day=first_day)
        return Transfer(
            player=player,
            old=old,
            team=team,
            first_day=first_day,
            replaced=replaced and old is not None,
            published=tuple(_published_from(season, player, first_day, team)),
            fixed=tuple(
                Rider.objects.filter(Q(player=player) | Q(player__merged_into=player), campaign__season=season)
                .exclude(team=None)
                .exclude(team=team)
                .select_related("campaign", "team")
            ),
        )


def _published_from(season: Season, player: Player, first_day: date, team: Team | None) -> list[Stage]:
    results = (
        Result.objects.filter(Q(rider__player=player) | Q(rider__player__merged_into=player))
        .filter(sheet__stage__campaign__season=season)
        .exclude(sheet__state=SheetState.DRAFT)
        .select_related("sheet__stage__campaign__season__club")
    )
    stages = {r.sheet.stage_id: r.sheet.stage for r in results if r.team_id != (team.pk if team else None)}
    late = [s for s in stages.values() if s.day >= first_day]
    return sorted(late, key=lambda s: s.starts_at)
