"""Celery worker and beat as threads of the web process, for the site that has no Redis.

The queue is this process's memory: what it loses in a crash, the sweep finds again, since a task holds no truth.
"""

import logging
import threading
from typing import Any

from celery import Celery
from celery.beat import Scheduler, Service
from celery.worker import WorkController

log = logging.getLogger(__name__)
START_SECONDS = 15


class EmbeddedWorker:
    """A worker (threads) and, if asked, a beat. `start` returns when the worker consumes; `stop` ends both."""

    def __init__(self, app: Celery, *, concurrency: int = 2, beat: bool = True) -> None:
        self.ready = threading.Event()
        ready = self.ready

        class Worker(WorkController):
            def on_consumer_ready(self, consumer: Any) -> None:
                ready.set()

        self.worker = Worker(
            app=app, pool_cls="threads", concurrency=concurrency, hostname="embedded@web", loglevel="WARNING",
            without_gossip=True, without_mingle=True, without_heartbeat=True, quiet=True,
        )  # fmt: skip
        self.beat = Service(app, scheduler_cls=Scheduler) if beat else None

    def start(self) -> None:
        threading.Thread(target=self._work, name="celery-worker", daemon=True).start()
        if not self.ready.wait(START_SECONDS):
            raise RuntimeError(f"The embedded worker did not start within {START_SECONDS} s.")
        if self.beat:
            threading.Thread(target=self.beat.start, name="celery-beat", daemon=True).start()

    def _work(self) -> None:
        try:
            self.worker.start()
        except Exception:  # whatever it was: said in the log, and raised again
            log.exception("The embedded worker has stopped; restart the site.")
            raise

    def stop(self) -> None:
        if self.beat:
            self.beat.stop()
        self.worker.stop(in_sighandler=False)
