"""Reading settings from the environment: typed, and loud on nonsense."""

import os
from collections.abc import Mapping

from django.core.exceptions import ImproperlyConfigured

YES = frozenset({"1", "true", "yes", "on"})
NO = frozenset({"0", "false", "no", "off", ""})


class Env:
    """The environment, read by name and kind. A value that cannot be meant stops the start with its name and the way out."""

    def __init__(self, values: Mapping[str, str] | None = None) -> None:
        self.values = os.environ if values is None else values

    def text(self, name: str, default: str = "") -> str:
        return self.values.get(name, default).strip()

    def flag(self, name: str, default: bool) -> bool:
        """True or False from 1/true/yes/on or 0/false/no/off."""
        raw = self.values.get(name)
        if raw is None:
            return default
        word = raw.strip().lower()
        if word in YES:
            return True
        if word in NO:
            return False
        raise ImproperlyConfigured(f"{name}={raw!r} is neither yes nor no. Use 1 or 0.")

    def whole(self, name: str, default: int, *, low: int = 0, high: int = 2**31) -> int:
        """A whole number between `low` and `high`."""
        raw = self.values.get(name)
        if raw is None or not raw.strip():
            return default
        try:
            number = int(raw)
        except ValueError:
            raise ImproperlyConfigured(f"{name}={raw!r} is not a whole number.") from None
        if not low <= number <= high:
            raise ImproperlyConfigured(f"{name}={number} is not between {low} and {high}.")
        return number

    def words(self, name: str, default: str = "") -> list[str]:
        """A comma-separated list."""
        return [word.strip() for word in self.values.get(name, default).split(",") if word.strip()]

    def url(self, name: str, *schemes: str) -> str:
        """A URL with one of the schemes, or empty where it is not set."""
        raw = self.text(name)
        if raw and raw.split("://")[0] not in schemes:
            raise ImproperlyConfigured(f"{name} must start with {' or '.join(s + '://' for s in schemes)}.")
        return raw
