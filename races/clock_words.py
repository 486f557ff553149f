"""What clocks and absence have to say: the clock of a race in a sentence, and their entries in its log."""

from datetime import datetime

from django.utils.formats import date_format
from django.utils.safestring import SafeString
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from races.models import Clock, ClockKind, Entry, Policy
from races.words import Cast, say

HOUR, DAY = 60, 24 * 60


def span_words(minutes: int) -> str:
    """So many minutes in the largest unit that tells them exactly."""
    if minutes and minutes % DAY == 0:
        return ngettext("%(n)s day", "%(n)s days", minutes // DAY) % {"n": minutes // DAY}
    if minutes and minutes % HOUR == 0:
        return ngettext("%(n)s hour", "%(n)s hours", minutes // HOUR) % {"n": minutes // HOUR}
    return ngettext("%(n)s minute", "%(n)s minutes", minutes) % {"n": minutes}


def clock_words(clock: Clock) -> list[str]:
    """The clock in sentences: how much time there is, and what happens when it is up."""
    much = span_words(clock.minutes)
    if clock.kind == ClockKind.DECISION:
        told = [_("%(much)s for each decision.") % {"much": much}]
    elif clock.increment:
        more = span_words(clock.increment)
        told = [_("%(much)s for the whole race, and %(more)s more for each decision.") % {"much": much, "more": more}]
    else:
        told = [_("%(much)s for the whole race.") % {"much": much}]
    told.append(
        {
            Policy.DECIDE.value: _("When somebody's time is up, a bot decides once for him."),
            Policy.SEAT.value: _("When somebody's time is up, a bot takes his seat until he is back."),
        }.get(clock.policy, _("When somebody's time is up, the race waits."))
    )
    return told


def when(instant: datetime) -> str:
    """A day and a time in the zone of the page, with the zone's name."""
    local = localtime(instant)
    return f"{date_format(local, 'j M Y H:i')} {local.tzname()}"


def note_of_clock(entry: Entry, cast: Cast) -> SafeString | None:
    """An entry that a clock, a pause or an absence made; None if it was nothing of that."""
    note = entry.note or {}
    player = cast.s(note.get("seat"))
    match note.get("kind"):
        case "time" if note.get("policy") == Policy.SEAT:
            return say(_("Time is up for %(player)s: a bot takes the seat until he is back."), player=player)
        case "time":
            return say(_("Time is up for %(player)s: a bot decides once."), player=player)
        case "pause" if entry.reason:
            return say(_("The clocks stand: %(reason)s"), reason=entry.reason)
        case "pause":
            return say(_("The clocks stand."))
        case "resume":
            return say(_("The clocks go on."))
        case "vacation" if "from" in note:
            begins, ends = (datetime.fromisoformat(note[word]) for word in ("from", "until"))
            return say(
                _("%(player)s is away from %(begins)s to %(ends)s: his clock stands."),
                player=player, begins=when(begins), ends=when(ends),
            )  # fmt: skip
        case "vacation":
            return say(_("%(player)s is back."), player=player)
        case "clock" if note.get("clock"):
            clock = Clock(**note["clock"])
            return say(_("A new clock, from now on: %(clock)s"), clock=" ".join(clock_words(clock)))
        case "clock":
            return say(_("The race goes on without a clock."))
    return None
