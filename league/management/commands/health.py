"""`manage.py health [sweep]`: exit status for a container's health check."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from league.health import look


class Command(BaseCommand):
    help = "Say whether the database answers and, with `sweep`, whether worker and beat are at work."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("what", nargs="?", choices=["database", "sweep"], default="database")

    def handle(self, *, what: str, **options: Any) -> None:
        health = look()
        if not health.database:
            raise CommandError("The database does not answer.")
        if what == "sweep" and not health.sweeping:
            raise CommandError(f"The last sweep was {health.sweep_age} seconds ago: look at worker and beat.")
        self.stdout.write(f"ok: {health.waiting} campaigns wait, last sweep {health.sweep_age} s ago")
