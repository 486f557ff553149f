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


class Unreadable(RulesError):
    """JSON that is no action, position, option or log of the game: says what is wrong and what would be right."""

    def __init__(self, message: str, **params: str | int) -> None:
        super().__init__(Saying(message=message, params=params))


class IllegalAction(RulesError):
    """An action that a rule forbids. The state it was meant for is untouched; `rule` is the id of that rule."""

    def __init__(self, rule: str, message: str, **params: str | int) -> None:
        super().__init__(Saying(rule=rule, message=message, params=params))

    @property
    def rule(self) -> str:
        rule = self.sayings[0].rule
        assert rule is not None, "every refusal names its rule"
        return rule


class RulesBug(AssertionError):
    """What must never happen has happened: for us, not for players. The log stays as it was."""
