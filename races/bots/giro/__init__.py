"""Bots for Giro d'Italia: The Game. Start with `easy`; `club` and `expert` are told in docs/bots.md."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from races.bots import Bot
from races.bots.giro.easy import easy

BOTS: Final[Mapping[str, Bot]] = MappingProxyType({"easy": easy})
"""By level."""
