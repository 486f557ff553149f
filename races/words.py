"""Sentences about a race: who somebody is, and lines in which names and dice stand out.

Whatever comes from people (names, labels) is escaped here; the rest is markup of the house.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from races.models import Seat

PATTERNS: Final[Mapping[str, str]] = {
    "white": "white-plain",
    "yellow": "yellow-hoops",
    "blue": "blue-sash",
    "green": "green-stripes",
    "purple": "purple-dots",
    "pink": "pink",
}
"""The jerseys of the box as symbols of the sprite; whatever else somebody rides in is drawn as it is named there."""

COLOURS: Final[Mapping[str, str]] = {
    "white": gettext_noop("white"),
    "yellow": gettext_noop("yellow"),
    "blue": gettext_noop("blue"),
    "green": gettext_noop("green"),
    "purple": gettext_noop("purple"),
}
WEAVES: Final[Mapping[str, str]] = {
    "plain": gettext_noop("plain"),
    "hoops": gettext_noop("with hoops"),
    "sash": gettext_noop("with a sash"),
    "stripes": gettext_noop("striped"),
    "dots": gettext_noop("with dots"),
}
UNKNOWN_JERSEY: Final = "bot"
"""The dashed jersey, for one that the sprite does not have."""


def jersey_symbol(jersey: str) -> str:
    """The symbol for a jersey: "blue" or "blue-hoops"."""
    if jersey in PATTERNS:
        return PATTERNS[jersey]
    colour, _dash, weave = jersey.partition("-")
    return jersey if colour in COLOURS and weave in WEAVES else UNKNOWN_JERSEY


def jersey_words(symbol: str) -> str:
    """A jersey for people who do not see it."""
    colour, _dash, weave = symbol.partition("-")
    if colour == "pink":
        return _("pink jersey")
    if colour in COLOURS and weave in WEAVES:
        return _("%(colour)s jersey, %(weave)s") % {"colour": _(COLOURS[colour]), "weave": _(WEAVES[weave])}
    return _("jersey of his own")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A rider as pages show him."""

    id: str
    bib: str
    name: str
    jersey: str  # a symbol of the sprite, without "jersey-"
    kind: str = ""  # in words: "climber, descends well"
    seat: str = ""  # its name
    player: str = ""  # what people call whoever sits there
    bot: bool = False
    called: str = ""  # in a log line, where it is not the last word of his name

    @property
    def jersey_words(self) -> str:
        return jersey_words(self.jersey)

    @property
    def short(self) -> str:
        """As in a log line: "Quist (31)"."""
        last = self.called or (self.name.split() or [self.id])[-1]
        return f"{last} ({self.bib})" if self.bib else last

    @property
    def full(self) -> str:
        return f"{self.bib} {self.name}".strip()


class Cast:
    """Everybody in a race, by the ids of its rules: riders and seats. Who is not known is called by his id."""

    def __init__(self, riders: Iterable[Shown], seats: Iterable[Seat]) -> None:
        self.riders = {rider.id: rider for rider in riders}
        self.seats = {seat.name: seat for seat in seats}

    def rider(self, id: str) -> Shown:
        return self.riders.get(id) or Shown(id=id, bib="", name=id, jersey=UNKNOWN_JERSEY)

    def player(self, seat: str | None) -> str:
        """Whoever sits there."""
        found = self.seats.get(seat or "")
        return str(found) if found else seat or ""

    def is_bot(self, seat: str | None) -> bool:
        found = self.seats.get(seat or "")
        return bool(found and found.bot)

    @property
    def names(self) -> dict[str, tuple[str, str, str]]:
        """As a board wants them: bib, name, jersey."""
        return {id: (rider.bib, rider.name, rider.jersey) for id, rider in self.riders.items()}

    # ---- in a log line ----
    def b(self, rider: str) -> SafeString:
        """A rider in a line."""
        return format_html("<b>{}</b>", self.rider(rider).short)

    def all(self, riders: Sequence[str]) -> SafeString:
        return listed([self.b(rider) for rider in riders])

    def s(self, seat: str | None) -> SafeString:
        """A player in a line."""
        return format_html("<b>{}</b>", self.player(seat))


def say(sentence: str, **words: Any) -> SafeString:
    """A translated sentence with its words in it; both are escaped unless they are markup of the house."""
    safe = {name: conditional_escape(word) for name, word in words.items()}
    return mark_safe(conditional_escape(sentence) % safe)  # noqa: S308 - every part has just been escaped


def listed(parts: Sequence[Any]) -> SafeString:
    """ "A, B and C"."""
    if not parts:
        return SafeString("")
    safe = [conditional_escape(part) for part in parts]
    if len(safe) == 1:
        return mark_safe(safe[0])  # noqa: S308 - escaped above
    return say(_("%(some)s and %(last)s"), some=mark_safe(", ".join(safe[:-1])), last=safe[-1])  # noqa: S308 - likewise


def die(value: int, *, red: bool = False) -> SafeString:
    """What a die shows. Red is said as well as shown."""
    if red:
        return format_html('<span class="die red">{}</span> ({})', value, _("red"))
    return format_html('<span class="die">{}</span>', value)


def percent(chance: Fraction) -> str:
    """A probability for people, to the nearest percent: never 0 % or 100 % of what is not certain."""
    whole = round(chance * 100)
    if 0 < chance < 1:
        whole = min(max(whole, 1), 99)
    return _("%(percent)s %%") % {"percent": whole}
