"""Run by test_worker.py in a process of its own: the embedded site from an empty folder."""

import os
import sys
import time
from pathlib import Path

os.environ["DJANGO_SETTINGS_MODULE"] = "league.settings"
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import django  # noqa: E402  # the settings come first

django.setup()

from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402
from django.db.models import F  # noqa: E402

from league import results  # noqa: E402
from league.celery import app  # noqa: E402
from league.embedded import EmbeddedWorker  # noqa: E402
from league.models import Campaign  # noqa: E402
from tests.evening import giro  # noqa: E402


def wait_for_count() -> None:
    end = time.monotonic() + 30
    while Campaign.objects.waiting().exists():
        if time.monotonic() > end:
            raise SystemExit("nobody counted")
        time.sleep(0.05)


call_command("migrate", verbosity=0)
print(connection.vendor)
evening = giro()
evening.type("1")
results.publish(evening.stages["1"], evening.organiser, official=True)
print("waiting" if Campaign.objects.waiting().exists() else "counted too early")
worker = EmbeddedWorker(app)
worker.start()
wait_for_count()
print("counted")
Campaign.objects.update(revision=F("revision") + 1)  # a change whose task was lost
wait_for_count()
print("swept")
worker.stop()
print("stopped")
