"""Play a race again from its log and draw every ticket again."""

import argparse
import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from races import fairness, transfer
from races.errors import said
from races.fairness import Verdict
from races.models import Race

NOT_THERE = 2


class Command(BaseCommand):
    help = (
        "Replays the log of a race and draws every roll again. Exit code 0: nothing is amiss; 1: something is; "
        "2: there is no such race or file."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.formatter_class = argparse.HelpFormatter
        parser.add_argument("race", help="the key of a race, as in its address; with --file, a log in JSON")
        parser.add_argument("--file", action="store_true", help="`race` is a file that a race gave for download")

    def handle(self, *args: Any, **options: Any) -> None:
        log = _from_file(options["race"]) if options["file"] else _from_race(options["race"])
        found = fairness.verify(log)
        rolls = len(found.rolls)
        burnt = sum(roll.burnt for roll in found.rolls)
        checked = sum(roll.ok is not None for roll in found.rolls)
        self.stdout.write(f"{found.verdict.value}: {WORDS[found.verdict]}")
        self.stdout.write(f"rolls: {rolls}, of which {checked} were drawn again and {burnt} were taken back")
        end = "is over" if found.over else "was abandoned" if found.abandoned else "is not over"
        self.stdout.write(f"the race {end} after entry {found.at}")
        if found.unchecked:
            self.stdout.write(
                f"not checked, because nothing before it is certain: {', '.join(map(str, found.unchecked))}"
            )
        for finding in found.findings:
            where = "" if finding.n is None else f"entry {finding.n}: "
            self.stdout.write(f"- {where}{said(finding.saying)}")
        if found.verdict is Verdict.FAULTY:
            raise CommandError(f"{len(found.findings)} findings", returncode=1)


WORDS = {
    Verdict.FAIR: "every roll is the one that the promised seed gives",
    Verdict.OPEN: "nothing is amiss, but there are rolls whose seed is not shown",
    Verdict.TABLE: "nothing is amiss; people rolled at a table",
    Verdict.FAULTY: "something is amiss",
}


def _from_race(key: str) -> Any:
    race = Race.objects.filter(key=key).first()
    if race is None:
        raise CommandError(f"There is no race {key}.", returncode=NOT_THERE)
    if not race.has_started:
        raise CommandError(f"The race {key} has not started: there is nothing to check.", returncode=NOT_THERE)
    return transfer.whole_log(race)


def _from_file(name: str) -> Any:
    try:
        return json.loads(Path(name).read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError) as fault:
        raise CommandError(f"{name} cannot be read: {fault}", returncode=NOT_THERE) from fault
