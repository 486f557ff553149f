"""Telling people that it is their move: by mail, by webhook, or not at all.

The sweep finds who has been waited for long enough; a task tells each of them. What it tells is made at that moment: is
the same decision still his, is he at home, do the clocks run, may he still be told? A message says which race waits and
where it is, and nothing of what happened there. Everybody is told of a decision once by each way; whoever could not be
reached is tried again later, and he alone.
"""

import logging
from datetime import datetime, timedelta
from smtplib import SMTPException

from django.conf import settings
from django.contrib.auth.models import User
from django.core.mail import EmailMessage
from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from races import clocks, webhooks
from races.due import asked
from races.models import Notice, Race, Reach, Seat, Vacation, Way
from races.play import look, name_of, waiting_for

log = logging.getLogger(__name__)

TRIES = 5
FIRST_WAIT = timedelta(minutes=2)  # before a second try; then twice as long each time

Line = tuple[int, int, int, str]
"""Whom, of which race, of what was opened after which entry, and how."""


def reach_of(user: User) -> Reach:
    """How he wants to be told; who has not said is told by mail."""
    return Reach.objects.filter(user=user).first() or Reach(user=user)


# ---- who is to be told -----------------------------------------------------------------------------------------------
def sweep(now: datetime | None = None) -> int:
    """Send out a task for everybody who has been waited for long enough and was not told; how many those were."""
    from races.tasks import tell  # leaf: the task calls this module

    now = now or timezone.now()
    waiting = {line for race in _running() for line in _waited_for(race, now)}
    waiting -= _dealt_with({race for _user, race, _after, _channel in waiting}, now)
    due = sorted({(user, race, after) for user, race, after, _channel in waiting})
    for user, race_id, after in due:
        tell.delay(user, race_id, after)
    return len(due)


def _running() -> list[Race]:
    races = Race.objects.running().filter(way=Way.ONLINE, trouble="").select_related("position")
    return list(races.prefetch_related("seats__user__reach"))


def _waited_for(race: Race, now: datetime) -> set[Line]:
    """Who may have been waited for long enough, and how he is told; looked at closely when he is."""
    users = {seat.name: seat.user for seat in race.seats.all() if seat.user is not None}
    asked_of = [(users[seat], after) for seat, after in waiting_for(race.position.opened) if seat in users]
    if not asked_of:
        return set()
    written = dict(race.entries.filter(n__in=[after for _user, after in asked_of]).values_list("n", "at"))
    found: set[Line] = set()
    for user, after in asked_of:
        reach = getattr(user, "reach", None) or Reach(user=user)
        since = written.get(after, race.started_at)
        if since is not None and now - since >= timedelta(minutes=reach.minutes):
            found |= {(user.pk, race.pk, after, channel) for channel in _channels(user, reach)}
    return found


def _dealt_with(races: set[int], now: datetime) -> set[Line]:
    """What is told, given up, or to be tried again later."""
    notices = Notice.objects.filter(race__in=races)
    return {
        (line.user_id, line.race_id, line.after, line.channel) for line in notices if line.sent or _waits(line, now)
    }


def _waits(notice: Notice, now: datetime) -> bool:
    return notice.tries >= TRIES or (notice.tries > 0 and now < notice.at + FIRST_WAIT * 2 ** (notice.tries - 1))


def _channels(user: User, reach: Reach) -> list[str]:
    """By which ways somebody can be told."""
    if not user.is_active:
        return []
    return [name for name, there in (("mail", reach.mail and user.email), ("webhook", reach.webhook)) if there]


# ---- telling ---------------------------------------------------------------------------------------------------------
def tell(user_id: int, race_id: int, after: int, *, now: datetime | None = None) -> list[str]:
    """Tell somebody of the decision that entry `after` opened, if it is still his; by which ways he was told now."""
    now = now or timezone.now()
    user = User.objects.filter(pk=user_id).first()
    race = Race.objects.select_related("position").filter(pk=race_id).first()
    if user is None or race is None or not _is_his(user, race, after, now):
        return []
    reach = reach_of(user)
    return [channel for channel in _channels(user, reach) if _told(user, race, after, channel, reach, now)]


def _is_his(user: User, race: Race, after: int, now: datetime) -> bool:
    """Whether he is asked now what was opened after that entry, and wants to hear of it."""
    if not race.is_running or not race.is_online:
        return False
    seats = list(Seat.objects.filter(race=race, user=user).values_list("name", flat=True))
    opened = race.position.opened
    if not any(opened.get(name_of(decision)) == after for decision in asked(race, seats)):
        return False
    if Vacation.objects.filter(user=user, begins__lte=now, ends__gt=now).exists():
        return False
    return not clocks.is_paused(race)


def _told(user: User, race: Race, after: int, channel: str, reach: Reach, now: datetime) -> bool:
    """Send it by one way, unless somebody else does or did."""
    with transaction.atomic():
        Notice.objects.get_or_create(user=user, race=race, after=after, channel=channel)
        notice = Notice.objects.select_for_update().get(user=user, race=race, after=after, channel=channel)
        if notice.sent or _waits(notice, now):
            return False
        notice.tries, notice.at = notice.tries + 1, now
        notice.save(update_fields=["tries", "at"])
    try:
        if channel == "mail":
            _mail(user, race, reach)
        else:
            webhooks.send(reach.webhook, f"{subject(race)}: {address_of(race)}")
    except (webhooks.NotSent, SMTPException, OSError) as fault:
        log.warning("%s was not told of race %s by %s: %s", user.pk, race.key, channel, fault)
        return False
    Notice.objects.filter(pk=notice.pk).update(sent=True)
    return True


def subject(race: Race) -> str:
    return _("Your move in %(race)s") % {"race": " ".join(race.title.split())}


def address_of(race: Race) -> str:
    return settings.SITE_URL + race.get_absolute_url()


def _mail(user: User, race: Race, reach: Reach) -> None:
    how = settings.SITE_URL + reverse("races:reach")
    lines = [_("The race waits for you:"), address_of(race), ""]
    if until := _until(user, race, reach):
        lines += [_("Your time is up at %(time)s.") % {"time": until}, ""]
    lines += [_("How you are told, and whether:"), how]
    message = EmailMessage(subject(race), "\n".join(lines), to=[user.email], headers={"List-Unsubscribe": f"<{how}>"})
    message.send()


def _until(user: User, race: Race, reach: Reach) -> str:
    """When his time is up, in his own zone; empty where no clock runs."""
    untils = [due.until for due in clocks.dues(race, look(race)) if due.seat.user_id == user.pk and due.until]
    if not untils:
        return ""
    local = min(untils).astimezone(clocks.zone(reach.zone))
    return f"{date_format(local, 'j M Y H:i')} {local.tzname()}"
