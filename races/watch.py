"""Races that nobody looks after: the ones that wait for a lost task, and the ones in which nobody is due."""

import logging

from races.models import Race, Seat
from races.play import look
from rules.game import Taker

log = logging.getLogger(__name__)


def sweep() -> None:
    """Wake every running race in which chance or a bot is due; note the trouble of those that cannot go on."""
    from races.tasks import advance  # leaf: the task calls this module

    for race in Race.objects.running().select_related("position").prefetch_related("seats"):
        try:
            due, trouble = _due(race)
        except Exception as fault:  # noqa: BLE001 - one unreadable race must not stop the others; it is reported on its own page
            log.exception("Race %s cannot be read.", race.key)
            due, trouble = False, f"{type(fault).__name__}: {fault}"
        if trouble != race.trouble:
            Race.objects.filter(pk=race.pk).update(trouble=trouble)
        if due:
            advance.delay(race.pk)


def _due(race: Race) -> tuple[bool, str]:
    """Whether somebody who is not a person is due, and what is wrong if nobody is."""
    table = look(race)
    if not table.decisions:
        return False, "the race runs, and nothing is to be decided"
    seats: dict[str, Seat] = {seat.name: seat for seat in race.seats.all()}
    for decision in table.decisions:
        if decision.taker is Taker.CHANCE and race.is_online:
            return True, ""
        if decision.taker is Taker.SEAT and decision.seat in seats and seats[decision.seat].bot:
            return True, ""
    lost = [
        decision.seat or decision.kind
        for decision in table.decisions
        if decision.taker is Taker.SEAT and (decision.seat not in seats or seats[decision.seat].is_free)
    ]
    if lost and race.is_online:
        return False, f"nobody sits where a decision is due: {', '.join(lost)}"
    return False, ""
