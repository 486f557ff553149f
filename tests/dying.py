"""The site with a fault: a worker (`celery -A tests.dying`) or a web server (`uvicorn --factory tests.dying:web`) that ends
itself as `kill -9` does, at the point `DIE_AT` of the answer of that number: `DIE_IN`.

Workers hand in the answers of bots, web servers those of people.
"""

import os
import signal
from collections.abc import Callable
from typing import Any, Final

from asgiref.typing import ASGIApplication
from celery.signals import worker_init

from league.celery import app

__all__ = ["POINTS", "app", "web"]

POINTS: Final = (
    "before the lock", "under the lock", "entry written", "position written", "receipt written",
    "committed", "handing over",
)  # fmt: skip
"""On the way of an answer, in its order. Only the answers of people have receipts; only workers hand over."""


def web() -> ASGIApplication:
    from league.asgi import application

    _arm("submit")
    return application


@worker_init.connect
def _worker(**more: Any) -> None:
    _arm("_hand_in")


def _arm(door: str) -> None:
    """Die in the answer of that number which comes through that door of `play`."""
    from races import play
    from races.models import Entry, Receipt

    point, number, answers = os.environ["DIE_AT"], int(os.environ["DIE_IN"]), 0

    def dies(owner: object, name: str, at: str, *, after: bool = True) -> None:
        true: Callable[..., Any] = getattr(owner, name)

        def step(*args: Any, **more: Any) -> Any:
            nonlocal answers
            if name == door:
                answers += 1
            it_is_now = at == point and answers == number
            if it_is_now and not after:
                os.kill(os.getpid(), signal.SIGKILL)
            done = true(*args, **more)
            if it_is_now:
                os.kill(os.getpid(), signal.SIGKILL)
            return done

        setattr(owner, name, step)

    dies(play, "_take", "before the lock", after=False)
    dies(play, "_take", "under the lock")
    dies(Entry.objects, "bulk_create", "entry written")
    dies(play, "_keep", "position written")
    dies(Receipt.objects, "create", "receipt written")
    dies(play, door, "committed")
    if door == "_hand_in":
        play.STEPS_AT_ONCE = number
        dies(play, "publish", "handing over", after=False)
