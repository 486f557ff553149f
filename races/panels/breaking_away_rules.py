"""The numbered rules of the game by chapters, for the page that refusals lead to."""

from itertools import groupby

from django.utils.translation import gettext as _

from races.panels import Chapter
from rules.breaking_away.numbers import rules


def chapters() -> list[Chapter]:
    """In the order of the rulebook; chapters that belong together are one."""
    titles = {
        "BA-CRS": _("Courses"),
        "BA-SET": _("Setting up"),
        "BA-TURN": _("The turn"),
        "BA-MOVE": _("Movement"),
        "BA-SCORE": _("Lines and points"),
        "BA-REPL": _("New factors"),
        "BA-BRK": _("The break value"),
        "BA-LAP": _("Lapping"),
        "BA-END": _("The end"),
        "BA-TIE": _("Level teams"),
        "BA-RET": _("Retirement"),
        "BA-INFO": _("Who knows what"),
        "BA-OPT": _("Options"),
        "BA-REF": _("At a real table"),
        "AMB": _("Rulings: what the rulebook leaves open"),
        "BA-MAD": _("The Madison"),
        "AMB-M": _("Rulings for the Madison"),
        "BA-VAL": _("Score sheets"),
    }
    return [
        Chapter(title=titles[chapter], rules=tuple(group))
        for chapter, group in groupby(rules().items(), key=lambda rule: _chapter(rule[0]))
    ]


def _chapter(number: str) -> str:
    head, _dash, tail = number.rpartition("-")
    if head == "AMB" and tail.startswith("M"):
        return "AMB-M"
    return {"BA-INV": "BA-TURN"}.get(head, head)
