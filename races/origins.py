"""Where a practice race has its entries from, in words; with a link for who may watch the race that they were ridden in."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import AnonymousUser, User
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from races.access import may_watch
from races.models import Race
from races.transfer import ORIGIN
from races.words import say


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """What a note of origin says. `race` is the race that rolled last, if it is on this site and the reader may watch it."""

    to: int  # the last entry that was taken over
    from_file: bool
    race: Race | None

    @property
    def address(self) -> str:
        """Of the entry after which the practice race goes on, in the race that it was ridden in."""
        return reverse("races:entry", args=[self.race.key, self.to]) if self.race else ""

    @property
    def words(self) -> SafeString:
        if self.race:
            name = format_html('<a href="{}">{}</a>', self.address, self.race.title)
        else:
            name = SafeString(_("another race"))
        if self.from_file:
            return say(
                _("A practice race: its entries up to %(n)s came in a file, from %(race)s."), n=self.to, race=name
            )
        if not self.to:
            return say(_("A practice race from the start of %(race)s."), race=name)
        return say(_("A practice race that goes on after entry %(n)s of %(race)s."), n=self.to, race=name)


class Origins:
    """Where the entries of a race come from, for one reader, all in the same few questions.

    What goes on from another race is its owner's alone: a race that anybody may watch began where it is.
    """

    def __init__(self, race: Race, user: User | AnonymousUser) -> None:
        notes: list[Mapping[str, Any]] = []
        if not race.is_public:
            told = race.entries.filter(note__kind=ORIGIN).values_list("note", flat=True)
            notes = [note for note in told if note]
        keys = {key for note in notes if isinstance(key := _last(note).get("race"), str)}
        self._races: dict[str, Race] = {}
        if keys:
            here = Race.objects.filter(key__in=keys).prefetch_related("seats")
            self._races = {race.key: race for race in here if may_watch(user, race)}
        self.own = self.of(notes[-1]) if notes else None

    def of(self, note: Mapping[str, Any]) -> Origin:
        """What one of the notes says."""
        last = _last(note)
        race = self._races.get(last.get("race", ""))
        # a file can name any race: it is the one here only if both promised the same dice
        if race is not None and race.commitment != (last.get("commitment") or ""):
            race = None
        return Origin(to=int(note.get("to", 0)), from_file=note.get("how") == "file", race=race)


def _last(note: Mapping[str, Any]) -> Mapping[str, Any]:
    """The last of the races that a note names; empty if it names none."""
    told = note.get("origins") or []
    return told[-1] if told else {}
