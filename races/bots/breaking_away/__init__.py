"""Bots for Breaking Away. docs/bots.md tells how they think."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from races.bots import Bot
from races.bots.breaking_away import club, easy, expert

BOTS: Final[Mapping[str, Bot]] = MappingProxyType({"expert": expert.expert, "club": club.club, "easy": easy.easy})
"""By level, strongest first."""
