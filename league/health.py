"""Whether the parts of the site are alive, for health checks and for people."""

import time
from dataclasses import dataclass

from django.conf import settings
from django.core.cache import cache
from django.db import Error, connection

from league.models import Campaign

LAST_SWEEP = "health:last-sweep"
LATE_SWEEPS = 6  # so many periods without a sweep: beat or worker is down


@dataclass(frozen=True)
class Health:
    database: bool
    waiting: int | None  # campaigns whose tables are not counted yet
    sweep_age: float | None  # seconds since the last sweep ran; None: never since the cache was emptied

    @property
    def sweeping(self) -> bool:
        return self.sweep_age is not None and self.sweep_age < LATE_SWEEPS * settings.SWEEP_SECONDS


def note_sweep() -> None:
    cache.set(LAST_SWEEP, time.time(), timeout=None)


def look() -> Health:
    """Ask the database and the cache. Never raises for a database that is down."""
    last = cache.get(LAST_SWEEP)
    age = None if last is None else round(time.time() - last, 1)
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        return Health(database=True, waiting=Campaign.objects.waiting().count(), sweep_age=age)
    except Error:
        return Health(database=False, waiting=None, sweep_age=age)
