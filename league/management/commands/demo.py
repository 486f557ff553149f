"""`manage.py demo`: the demo club in an empty database."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from league.demo import LOGINS, PASSWORD, make_demo
from league.models import Club


class Command(BaseCommand):
    help = "Make the demo club: a season in the middle of a five-stage Giro."

    def handle(self, *args: Any, **options: Any) -> None:
        if Club.objects.exists():
            raise CommandError(
                "There is a club already. The demo is for an empty database: set DATA_DIR to a new folder."
            )
        club = make_demo()
        self.stdout.write(f"Made {club}. Password of all: {PASSWORD}")
        for login in LOGINS:
            self.stdout.write(f"  {login.email:<26} {login.what}")
