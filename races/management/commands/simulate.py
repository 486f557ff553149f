"""`manage.py simulate GAME`: races between bots, who won how often, and how fast. Needs no database."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from races import bots
from races.bots import simulate
from races.errors import sentences
from rules.errors import RulesError


class Command(BaseCommand):
    help = "Let bots race and print win rates with 95 % intervals, races/s and decisions/s."
    requires_system_checks: list[str] = []
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("game")
        parser.add_argument("--bots", default="", help="levels, comma between; default: all that the game has")
        parser.add_argument("--races", type=int, default=200, help="at least so many (default: %(default)s)")
        parser.add_argument("--seed", default="1", help="the same seed gives the same table (default: %(default)s)")
        parser.add_argument("--courses", default="", help="ids, comma between; default: those of the game's simulation")
        parser.add_argument(
            "--option", action="append", default=[], metavar="NAME=VALUE", help="of the race, such as cards=blind"
        )
        parser.add_argument("--jobs", type=int, default=1, help="processes (default: %(default)s)")

    def handle(self, *, game: str, **given: Any) -> None:
        try:
            arena = simulate.arena(game)
        except KeyError:
            raise CommandError(f"There are no bots for “{game}”.") from None
        courses = [course for course in given["courses"].split(",") if course]
        known = bots.bots(game)
        levels = [level for level in given["bots"].split(",") if level] or list(known)
        if wrong := [level for level in levels if level not in known]:
            raise CommandError(f"--bots: {game} has no bot “{wrong[0]}”; it has {', '.join(known)}.")
        if unknown := [course for course in courses if not arena.knows(course)]:
            raise CommandError(f"--courses: {game} has no course “{unknown[0]}”.")
        if given["races"] < 1 or given["jobs"] < 1:
            raise CommandError("--races and --jobs are 1 or more.")
        options = dict(_option(text) for text in given["option"])

        try:
            blocks = simulate.heats(game, levels, given["races"], given["seed"], courses, options)
            found = simulate.table(levels, simulate.ride_all(blocks, given["jobs"]), arena.figures)
        except RulesError as refusal:
            raise CommandError(f"--option: {' '.join(text for _, text in sentences(refusal))}") from None

        self.stdout.write(
            f"{game}, {found.races} races on {', '.join(courses or arena.courses)}, seed {given['seed']}\n\n"
            f"{simulate.told(found)}\n\n{simulate.speed(found)}"
        )


def _option(text: str) -> tuple[str, Any]:
    name, separator, value = text.partition("=")
    if not separator:
        raise CommandError(f"--option {text}: write NAME=VALUE.")
    return name, {"true": True, "false": False}.get(value, value)
