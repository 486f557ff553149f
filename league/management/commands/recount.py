"""`manage.py recount [CAMPAIGN]`: count standings again from the facts, and say whether they were right."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db import transaction

from league.models import Campaign, Standing
from league.recount import count

FIELDS = ("stage_id", "classification", "position", "rider_id", "team_id", "rank", "state", "value", "gap", "facts")


class Command(BaseCommand):
    help = "Count the standings of one campaign (by its address) or of all from nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("campaign", nargs="?", help="the campaign's address, e.g. giro-dinverno")

    def handle(self, *, campaign: str | None, **options: Any) -> None:
        chosen = Campaign.objects.filter(slug=campaign) if campaign else Campaign.objects.all()
        if campaign and not chosen.exists():
            self.stderr.write(f"There is no campaign at the address {campaign}.")
            raise SystemExit(1)
        for one in chosen.order_by("pk"):
            before = stored(one)
            with transaction.atomic():
                Campaign.objects.filter(pk=one.pk).update(counted_revision=0)
                Campaign.objects.filter(pk=one.pk, revision=0).update(revision=1)
            count(one.pk)
            self.stdout.write(
                f"{one.slug}: {'unchanged' if stored(one) == before else 'the tables were wrong and are mended'}"
            )


def stored(campaign: Campaign) -> list[tuple[Any, ...]]:
    return list(
        Standing.objects.filter(campaign=campaign).order_by("stage", "classification", "position").values_list(*FIELDS)
    )
