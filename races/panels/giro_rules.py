"""The numbered rules of the game by chapters, for the page that refusals lead to."""

from itertools import groupby

from django.utils.translation import gettext as _

from races.panels import Chapter
from rules.giro.numbers import rules


def chapters() -> list[Chapter]:
    """In the order of the rulebook; chapters that belong together are one."""
    titles = {
        "S": _("Preparing the race"),
        "GI-M": _("The model"),
        "GI-B1": _("Riding"),
        "GI-B2": _("Breaking away"),
        "GI-B3": _("Pursuit and peloton"),
        "GI-B5": _("Dropped riders, token"),
        "GI-C1": _("Slipstream"),
        "GI-C2": _("Risks"),
        "GI-C3": _("Punctures"),
        "GI-C4": _("Recovering energy"),
        "GI-F": _("The goal"),
        "GI-D1": _("General classification"),
        "GI-D2": _("Bonus lines"),
        "GI-D3": _("Time trials"),
        "GI-D4": _("Energy between stages"),
        "GI-S": _("Special cards"),
        "R": _("Rulings: what the rulebook leaves open"),
    }
    return [
        Chapter(title=titles[chapter], rules=tuple(group))
        for chapter, group in groupby(rules().items(), key=lambda rule: _chapter(rule[0]))
    ]


def _chapter(number: str) -> str:
    head, _dash, _rest = number.rpartition("-")
    if not head:
        return "S"  # S0 to S5
    return {"GI-B4": "GI-B3", "GI-B6": "GI-B5"}.get(head, head)
