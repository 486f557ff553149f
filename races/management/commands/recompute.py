"""Make the stored position of races anew from their logs."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from races import play
from races.models import Race

NOT_MADE = 2


class Command(BaseCommand):
    help = (
        "Makes the position of races anew from their logs, which stay as they are. Exit code 0: every position was right; "
        "1: some were not and are now; 2: there is no such race, or a log that cannot be played."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("races", nargs="*", metavar="RACE", help="keys of races, as in their addresses")
        parser.add_argument("--all", action="store_true", help="every race that has started")

    def handle(self, *args: Any, **options: Any) -> None:
        keys: list[str] = options["races"]
        if options["all"] == bool(keys):
            raise CommandError("Name races, or say --all.", returncode=NOT_MADE)
        races = Race.objects.filter(started_at__isnull=False).order_by("pk")
        found = dict(
            races.values_list("key", "pk") if options["all"] else races.filter(key__in=keys).values_list("key", "pk")
        )
        wrong, broken = 0, [key for key in keys if key not in found]
        for key in broken:
            self.stderr.write(f"{key}: there is no race of that key that has started")
        for key, pk in found.items():
            try:
                same = play.recompute(pk)
            except Exception as fault:  # noqa: BLE001 - one broken log must not keep the others from being mended
                self.stderr.write(f"{key}: its log cannot be played: {type(fault).__name__}: {fault}")
                broken.append(key)
                continue
            wrong += not same
            self.stdout.write(f"{key}: {'as it was' if same else 'mended'}")
        if broken:
            raise CommandError(f"{len(broken)} not made", returncode=NOT_MADE)
        if wrong:
            raise CommandError(f"{wrong} mended", returncode=1)
