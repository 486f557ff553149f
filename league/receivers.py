"""What the league hears of: a race that is over, a club that opens or closes its pages. They only schedule or pass on."""

from typing import Any

from django.db.models.signals import post_save
from django.dispatch import receiver

from league.models import Club, StageRace
from races.models import Race
from races.signals import race_over


@receiver(race_over, dispatch_uid="league.race_is_over")
def race_is_over(sender: Any, race_id: int, **kwargs: Any) -> None:
    """The race of a stage has ended: its result goes onto the sheet, not in the request of whoever moved last."""
    from league.tasks import settle  # leaf: the task calls the domain

    if StageRace.objects.filter(race=race_id).exists():
        settle.delay(race_id)


@receiver(post_save, sender=Club, dispatch_uid="league.club_was_saved")
def club_was_saved(sender: Any, instance: Club, **kwargs: Any) -> None:
    """Races of the club's stages are watched by whoever may see its pages."""
    Race.objects.filter(stage_race__stage__campaign__season__club=instance).exclude(
        is_public=instance.is_public
    ).update(is_public=instance.is_public)
