"""Bots for Giro d'Italia: The Game. docs/bots.md tells how they think."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from races.bots import Bot
from races.bots.giro.club import club
from races.bots.giro.easy import easy

BOTS: Final[Mapping[str, Bot]] = MappingProxyType({"club": club, "easy": easy})
"""By level, strongest first."""
