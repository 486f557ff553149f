"""The recount crosses a queue: after the commit, through both kinds of worker, and a lost task is found again."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.db import connection, transaction

from league import results
from league.celery import app
from league.embedded import EmbeddedWorker
from league.models import Campaign, Standing
from league.recount import touch
from league.tasks import recount, sweep
from tests.conftest import Cast
from tests.evening import Evening, giro
from tests.processes import real_worker, until

ROOT = Path(__file__).resolve().parents[2]


def counted(evening: Evening) -> bool:
    return Campaign.objects.get(pk=evening.campaign.pk).is_counted


def test_publishing_sends_the_recount_after_the_commit_and_never_before(
    evening: Evening, django_capture_on_commit_callbacks, monkeypatch
) -> None:
    sent: list[int] = []
    monkeypatch.setattr(recount, "apply_async", lambda args, kwargs: sent.append(args[0]))
    evening.type("1")

    with django_capture_on_commit_callbacks() as after:
        results.publish(evening.stages["1"], evening.organiser)
        assert sent == []

    assert len(after) == 1
    after[0]()
    assert sent == [evening.campaign.pk]


def test_a_publication_that_is_rolled_back_leaves_nothing(evening: Evening, django_capture_on_commit_callbacks) -> None:
    evening.type("1")

    with django_capture_on_commit_callbacks() as after:
        try:
            with transaction.atomic():
                results.publish(evening.stages["1"], evening.organiser)
                raise InterruptedError
        except InterruptedError:
            evening.campaign.refresh_from_db()

    assert after == []
    assert evening.campaign.is_counted


def test_with_the_queue_out_of_reach_the_result_is_stored_and_waits_for_the_sweep(
    evening: Evening, django_capture_on_commit_callbacks, monkeypatch
) -> None:
    def unreachable(*args: object) -> None:
        raise ConnectionError

    monkeypatch.setattr(recount, "apply_async", unreachable)
    evening.type("1")

    with django_capture_on_commit_callbacks(execute=True):
        results.publish(evening.stages["1"], evening.organiser)

    assert list(Campaign.objects.waiting()) == [evening.campaign]


def test_the_sweep_sends_what_was_lost_and_only_that(evening: Evening, cast: Cast, monkeypatch) -> None:
    other = giro(club=cast.other_club, organiser=cast.dino).ride("1")
    with transaction.atomic():
        touch(evening.campaign)
    sent: list[int] = []
    monkeypatch.setattr(recount, "delay", sent.append)

    sweep()

    assert sent == [evening.campaign.pk]
    assert other.campaign.is_counted


@real_worker
@pytest.mark.services
@pytest.mark.django_db(transaction=True)
def test_a_real_worker_over_real_redis_counts_in_postgresql(cast: Cast, queue: str) -> None:
    evening = giro(club=cast.club, organiser=cast.anna)
    database = connection.settings_dict
    env = dict(
        os.environ,
        CELERY_QUEUE=queue,
        DATABASE_URL=os.environ["DATABASE_URL"].rsplit("/", 1)[0] + "/" + database["NAME"],
        SECRET_KEY="worker-of-the-tests-" + "0" * 40,
    )
    worker = subprocess.Popen(
        [sys.executable, "-m", "celery", "-A", "league", "worker", "--pool", "threads", "-c", "2", "-l", "warning",
         "--without-gossip", "--without-mingle", "-n", f"{queue}@test"],
        cwd=ROOT, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
    )  # fmt: skip
    try:
        evening.type("1")
        results.publish(evening.stages["1"], evening.organiser, official=True)

        assert until(lambda: counted(evening)), "the worker did not count"
        assert Standing.objects.filter(stage=evening.stages["1"], classification=Standing.GC).count() == 6
    finally:
        worker.terminate()
        worker.wait(20)


@pytest.mark.django_db(transaction=True)
def test_the_embedded_worker_counts_in_its_own_threads(cast: Cast, queue: str) -> None:
    evening = giro(club=cast.club, organiser=cast.anna)
    worker = EmbeddedWorker(app, beat=False)
    worker.start()
    try:
        evening.type("1")
        results.publish(evening.stages["1"], evening.organiser, official=True)

        assert until(lambda: counted(evening)), "the embedded worker did not count"
    finally:
        worker.stop()


@pytest.mark.parametrize("services_of_the_club", [{}])
def test_the_embedded_site_starts_counts_and_stops_without_any_server(
    tmp_path: Path, services_of_the_club: dict
) -> None:
    """SQLite, the queue in memory, beat in a thread: a task lost before the start is found by the sweep."""
    env = {k: v for k, v in os.environ.items() if k not in ("DATABASE_URL", "REDIS_URL", "CELERY_QUEUE")}
    env |= {"DATA_DIR": str(tmp_path), "HTTPS": "0", "SWEEP_SECONDS": "1", "SECRET_KEY": "embedded-site-" + "0" * 40}
    script = ROOT / "tests" / "league" / "embedded_site.py"
    done = subprocess.run([sys.executable, str(script)], cwd=ROOT, env=env, capture_output=True, text=True, timeout=90)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.split() == ["sqlite", "waiting", "counted", "swept", "stopped"]
