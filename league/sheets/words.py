"""How a sheet speaks of riders, runs and statuses in its messages."""

from collections.abc import Iterable

from django.utils.translation import gettext as _

from league.classification.status import Status
from league.sheets.content import Context, Starter, run_of
from league.sheets.whole_numbers import shown


def last_name(name: str) -> str:
    """The last word of a name; the whole name where it has no words."""
    words = name.split()
    return shown(words[-1] if words else name)


def who(starter: Starter) -> str:
    """A rider in a sentence: bib and last name, so that two of one name stay two."""
    return f"{starter.bib} {last_name(starter.name)}".strip()


def who_rides(context: Context, rider: int) -> str:
    """As `who`, also for a rider who is not at the start (by his number in the records)."""
    starter = context.starter(rider)
    return who(starter) if starter else _("rider no. %(rider)s") % {"rider": rider}


def run_name(context: Context, run: tuple[int, int]) -> str:
    """A run of a team time trial: the team, or the rider who rides alone."""
    first = next((starter for starter in context.starters if run_of(starter) == run), None)
    if first is None:
        return _("an unknown team")
    return who(first) if first.team is None else shown(first.team_name, 40)


def listed(names: Iterable[str]) -> str:
    """A, B and C."""
    *others, last = names
    return _("%(others)s and %(last)s") % {"others": ", ".join(others), "last": last} if others else last


def status_word(status: Status) -> str:
    match status:
        case Status.UNRESOLVED:
            return _("no result yet")
        case Status.FINISHED:
            return _("arrived")
        case Status.DNS:
            return _("did not start")
        case Status.DNF:
            return _("did not finish")
        case Status.OTL:
            return _("not arrived in time")
        case Status.DSQ:
            return _("disqualified")
        case Status.WITHDRAWN:
            return _("withdrawn")
