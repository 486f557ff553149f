"""What a person can mend, and what came too late."""

from django.utils.translation import gettext as _

from rules.errors import RulesError, Saying


class Refused(Exception):
    """The race says no, outside the rules of its game. The text is translated and says the way out."""


class StaleTurn(Refused):
    """The race has moved on since this was chosen. `n` is its newest entry."""

    def __init__(self, n: int) -> None:
        super().__init__(_("The race moved on: it is at entry %(n)s. Here is how it stands now.") % {"n": n})
        self.n = n


class NotYours(Refused):
    """Somebody else decides this."""

    def __init__(self) -> None:
        super().__init__(_("This is for somebody else to decide."))


class Damaged(Refused):
    """What is stored of where the race stands is missing, unreadable, or not what its newest entry led to.

    The log may still know: `trouble` says what is wrong, and what mends it.
    """

    def __init__(self) -> None:
        super().__init__(_("It cannot be read where this race stands. Whoever leads it sees that, and can mend it."))


def said(saying: Saying) -> str:
    """A sentence of the rules in the reader's language, without the number of its rule."""
    return _(saying.message) % saying.params if saying.message else ""


def sentences(error: RulesError) -> list[tuple[str | None, str]]:
    """Each fault as the id of its rule and a translated sentence."""
    return [(saying.rule, said(saying)) for saying in error.sayings]
