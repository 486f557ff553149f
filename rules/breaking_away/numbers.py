"""The numbers of the rules, each with a few words: what refusals, log lines and scenarios name, and a page explains.

`rules.txt` beside this module is the one list: a number, a tab, the words, in the order of the rulebook's chapters.
"""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType


@cache
def rules() -> Mapping[str, str]:
    """Every rule of the game by its number, in the order of the list."""
    lines = (files("rules.breaking_away") / "rules.txt").read_text(encoding="utf-8").splitlines()
    return MappingProxyType(dict(line.split("\t", 1) for line in lines))
