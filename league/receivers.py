"""What the league hears of: a race that starts, ends or goes back, a club that opens or closes its pages.

They only schedule or pass on, also what the league refuses: to the race it is a refusal of its own.
"""

from typing import Any

from django.db.models.signals import post_save
from django.dispatch import receiver

from league import racing, series_racing
from league.errors import Refused
from league.models import Club, RoundRace, StageRace
from races import errors
from races.models import Race
from races.signals import race_over, reopening, starting


@receiver(race_over, dispatch_uid="league.race_is_over")
def race_is_over(sender: Any, race_id: int, **kwargs: Any) -> None:
    """The race of a stage or a round has ended: its result goes onto the sheet, not in the request of whoever moved last."""
    from league.tasks import settle, settle_round  # leaf: the tasks call the domain

    if StageRace.objects.filter(race=race_id).exists():
        settle.delay(race_id)
    elif RoundRace.objects.filter(race=race_id).exists():
        settle_round.delay(race_id)


@receiver(starting, dispatch_uid="league.race_starts")
def race_starts(sender: Any, race: Race, **kwargs: Any) -> None:
    """The race of a stage or a round starts with what is said there now."""
    try:
        racing.make_ready(race)
        series_racing.make_ready(race)
    except Refused as refusal:
        raise errors.Refused(str(refusal)) from refusal


@receiver(reopening, dispatch_uid="league.race_goes_back")
def race_goes_back(sender: Any, race: Race, **kwargs: Any) -> None:
    """The race of a stage or a round goes back from its end, unless its result stands."""
    try:
        racing.stand_by(race)
        series_racing.stand_by(race)
    except Refused as refusal:
        raise errors.Refused(str(refusal)) from refusal


@receiver(post_save, sender=Club, dispatch_uid="league.club_was_saved")
def club_was_saved(sender: Any, instance: Club, **kwargs: Any) -> None:
    """Races of the club's stages and rounds are watched by whoever may see its pages."""
    for of_club in ("stage_race__stage__campaign__season__club", "round_race__round__series__season__club"):
        Race.objects.filter(**{of_club: instance}).exclude(is_public=instance.is_public).update(
            is_public=instance.is_public
        )
