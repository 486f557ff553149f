"""What is said when something is not as the rules want it.

`rules/` cannot translate. It marks the English text with `gettext_noop` (found when messages are collected) and keeps
the values beside it as `%(name)s` parameters; whoever shows the text translates `message` and fills in `params`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType


def gettext_noop(message: str) -> str:
    """Mark `message` as text that people will read; it comes back as it is."""
    return message


@dataclass(frozen=True, slots=True, kw_only=True)
class Saying:
    """One sentence about one fault: the rule or check that it comes from, English text, and the values in it."""

    rule: str | None = None
    message: str
    params: Mapping[str, str | int] = field(default_factory=lambda: MappingProxyType({}))

    def __str__(self) -> str:
        """The sentence in English; a page says it in the reader's language instead."""
        said = self.message % self.params
        return f"{self.rule}: {said}" if self.rule else said


class RulesError(Exception):
    """Somebody asked for what the rules do not allow, and can mend it. Carries every fault found, not only the first."""

    def __init__(self, *sayings: Saying) -> None:
        super().__init__(*sayings)
        self.sayings = sayings

    def __str__(self) -> str:
        return "; ".join(str(saying) for saying in self.sayings)
