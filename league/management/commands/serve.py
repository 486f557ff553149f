"""`manage.py serve`: the embedded site in one process: database, worker, beat, web server."""

import os
import signal
import socket
import sys
import warnings
from typing import Any

import uvicorn
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from league.celery import app
from league.demo import LOGINS, PASSWORD, make_demo
from league.embedded import EmbeddedWorker
from league.models import Club

GRACE_SECONDS = 3  # for open connections when the site stops


class Command(BaseCommand):
    help = "Run the site: migrate, fill an empty database with the demo club (--demo), serve until Ctrl-C."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default=os.environ.get("HOST", "127.0.0.1"))
        parser.add_argument("--port", type=int, default=int(os.environ.get("PORT") or 8000))
        parser.add_argument("--demo", action="store_true", help="make the demo club where there is no club yet")

    def handle(self, *, host: str, port: int, demo: bool, **options: Any) -> None:
        if port_is_taken(host, port):
            raise CommandError(f"Port {port} is in use. Stop what uses it, or choose another: PORT={port + 1} make run")
        call_command("migrate", verbosity=0)
        worker = None
        if settings.EMBEDDED_WORKER:
            worker = EmbeddedWorker(app)
            worker.start()
        if demo and not Club.objects.exists():
            self.stdout.write("Filling the empty database with a demo club ...")
            make_demo()
        self.stdout.write(
            self.style.SUCCESS(
                f"\nThe site is at http://{host}:{port}/   (Ctrl-C stops it, its data stay in {settings.DATA})"
            )
        )
        if settings.DEMO:
            self.stdout.write("Demo logins, password " + PASSWORD + ":")
            for login in LOGINS:
                self.stdout.write(f"  {login.email:<24} {login.what}")
        self.stdout.flush()
        # static files come from whitenoise in a thread: right for one small process, and said once per start otherwise
        warnings.filterwarnings("ignore", message="StreamingHttpResponse must consume synchronous iterators")
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # the server raises again what it caught
        try:
            uvicorn.run(
                "league.asgi:application", host=host, port=port, log_level="warning", lifespan="off",
                timeout_graceful_shutdown=GRACE_SECONDS,
            )  # fmt: skip
        except KeyboardInterrupt:
            self.stdout.write("")
        finally:
            if worker:
                worker.stop()
            self.stdout.write("Stopped.")


def port_is_taken(host: str, port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex((host, port)) == 0
