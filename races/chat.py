"""What people say beside a race, and what they note down for themselves: outside the log, and never part of the race.

The chat is read by whoever may watch the race, and written by who sits in it, leads it, or is signed on and may watch. A
private note is read by nobody but its author. Both belong to a *person*, a user or a guest by the hash of his key, and
not to a seat: whoever takes a seat over finds nothing of the one before him.
"""

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any, Final

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import OuterRef, QuerySet, Subquery
from django.utils import timezone
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.debug import sensitive_variables

from races.access import Viewer
from races.errors import NotYours, Refused
from races.lobby import called
from races.models import Listener, Message, Part, PrivateNote, Race, Talk

LONGEST_MESSAGE: Final = 500  # characters
LONGEST_NOTE: Final = 4_000
AT_ONCE: Final = 10
"""So many messages somebody may write within `WHILE`, in all races together."""
WHILE: Final = timedelta(minutes=1)
ON_A_PAGE: Final = 50
SPOKEN: Final = 160  # characters of a new message that are read out


# ---- who writes ------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class Writer:
    """Somebody who may write: a user, or a guest by the hash of his key."""

    user: User | None
    guest: str
    seat: str
    name: str
    part: Part

    @classmethod
    def of(cls, viewer: Viewer) -> "Writer | None":
        """Whoever looks at the race; None for somebody who is neither signed on nor a guest with a seat."""
        user = viewer.user if isinstance(viewer.user, User) else None
        seat = viewer.seat() if user else next((seat for seat in viewer.seats if seat.guest), None)
        if user is None and seat is None:
            return None
        if user is None:
            assert seat is not None, "a guest sits"
            return cls(user=None, guest=seat.guest, seat=seat.name, name=str(seat)[:60], part=Part.GUEST)
        name = str(seat) if seat and len(viewer.seats) == 1 else called(user)
        part = Part.LEADS if viewer.leads else Part.RIDES if seat else Part.WATCHES
        return cls(user=user, guest="", seat=seat.name if seat else "", name=name[:60], part=part)

    @property
    def person(self) -> dict[str, Any]:
        """How rows name him."""
        return {"user": self.user, "guest": self.guest}

    def wrote(self, message: Message) -> bool:
        if self.user is not None:
            return message.user_id == self.user.pk
        return message.user_id is None and message.guest == self.guest


def is_known(race: Race, guest: str) -> bool:
    """Whether a guest with that hash has written anything in this race."""
    return (
        Message.objects.filter(race=race, guest=guest).exists()
        or PrivateNote.objects.filter(race=race, guest=guest).exists()
    )


def cleaned(text: str) -> str:
    """A text as it is stored: NFC, lines that end alike, nothing that turns the page around; empty if nothing is seen."""
    text = unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n"))
    kept = "".join(mark for mark in text if mark in "\n\t" or not _is_unseemly(mark)).strip()
    return kept if any(mark.isprintable() and not mark.isspace() for mark in kept) else ""


def _is_unseemly(mark: str) -> bool:
    """Control characters, and those that change the direction of what follows."""
    return unicodedata.category(mark) in ("Cc", "Cs") or unicodedata.bidirectional(mark) in (
        "LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI",
    )  # fmt: skip


# ---- writing ---------------------------------------------------------------------------------------------------------
class TooFast(Refused):
    """Somebody writes faster than others can read."""

    def __init__(self, seconds: int) -> None:
        super().__init__(
            ngettext(
                "You have written %(most)s messages within a minute. Your text is still here: send it in %(count)s second.",
                "You have written %(most)s messages within a minute. Your text is still here: send it in %(count)s seconds.",
                seconds,
            )
            % {"most": AT_ONCE, "count": seconds}
        )


class SentAlready(Refused):
    """Another text has come from this form before, whether its author knows or not."""

    def __init__(self) -> None:
        super().__init__(_("Something else was sent from this form before. Your text is still here: send it again."))


def write(race: Race, writer: Writer, text: str, *, key: str) -> Message:
    """Say something. The same key again: the same message; SentAlready if it came with another text.

    TooFast says how long to wait.
    """
    with transaction.atomic():
        talk = _held(race)
        earlier = Message.objects.filter(race=race, key=key, **writer.person).first()
        if earlier is not None:
            if earlier.text != text:
                raise SentAlready
            return earlier
        now = timezone.now()
        if seconds := _seconds_to_wait(writer, now):
            raise TooFast(seconds)
        _moved(talk)
        return Message.objects.create(
            race=race,
            n=talk.n,
            seat=writer.seat,
            name=writer.name,
            part=writer.part,
            text=text,
            key=key,
            at=now,
            **writer.person,
        )


def _seconds_to_wait(writer: Writer, now: datetime) -> int:
    own = Message.objects.filter(at__gt=now - WHILE, **writer.person).order_by("-at")
    times = list(own.values_list("at", flat=True)[:AT_ONCE])
    return max(1, int((times[-1] + WHILE - now).total_seconds())) if len(times) == AT_ONCE else 0


def hide(race: Race, n: int, *, by: User, hidden: bool) -> None:
    """Who leads the race hides a message, or shows it again. Message.DoesNotExist if there is none."""
    with transaction.atomic():
        talk = _held(race)
        message = Message.objects.get(race=race, n=n)
        if message.deleted_at is not None:
            raise Refused(_("Whoever wrote this message has deleted it."))
        if (message.hidden_at is not None) == hidden:
            return
        message.hidden_at, message.hidden_by = (timezone.now(), by) if hidden else (None, None)
        message.save(update_fields=["hidden_at", "hidden_by"])
        _moved(talk)


def delete(race: Race, n: int, writer: Writer | None) -> None:
    """Somebody takes away what he wrote: its place stays, its text is gone. NotYours: it is somebody else's."""
    with transaction.atomic():
        talk = _held(race)
        message = Message.objects.get(race=race, n=n)
        if writer is None or not writer.wrote(message):
            raise NotYours
        if message.deleted_at is None:
            message.deleted_at, message.text = timezone.now(), ""
            message.save(update_fields=["deleted_at", "text"])
            _moved(talk)


def _held(race: Race) -> Talk:
    """The chat of a race under its lock."""
    Talk.objects.get_or_create(race=race)
    return Talk.objects.select_for_update().get(race=race)


def _moved(talk: Talk) -> None:
    talk.n += 1
    talk.save(update_fields=["n"])


# ---- reading ---------------------------------------------------------------------------------------------------------
def heard(race: Race, user: User, n: int) -> None:
    """The user has seen the chat up to its change `n`."""
    newest = Talk.objects.filter(race=race).values_list("n", flat=True).first() or 0
    if min(n, newest) > 0:
        Listener.objects.get_or_create(race=race, user=user)
        Listener.objects.filter(race=race, user=user, seen__lt=min(n, newest)).update(seen=min(n, newest))


def mute(race: Race, user: User, *, muted: bool) -> None:
    """Whether the user hears of new messages."""
    Listener.objects.update_or_create(race=race, user=user, defaults={"muted": muted})


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A message as one reader may see it. Of what is hidden or deleted the text is not here at all."""

    n: int
    name: str
    part: str
    at: datetime
    text: str
    mine: bool
    deleted: bool
    hidden: bool
    hidden_by: str
    may_hide: bool

    @property
    def may_delete(self) -> bool:
        return self.mine and not self.deleted


class Chat:
    """The chat of a race as one viewer sees it: a page of messages, newest first, back from number `before`."""

    def __init__(self, viewer: Viewer, *, before: int | None = None) -> None:
        self.viewer, self.race, self.before = viewer, viewer.race, before
        self.writer = Writer.of(viewer)
        self.user = viewer.user if isinstance(viewer.user, User) else None
        mine = Listener.objects.filter(race=OuterRef("pk"), user=self.user)
        found = Race.objects.filter(pk=self.race.pk).order_by()
        told = found.values_list("talk__n", Subquery(mine.values("seen")), Subquery(mine.values("muted"))).get()
        # read before the messages: who is told too small a number fetches once more, and misses nothing
        self.n: int = told[0] or 0
        self._seen: int = told[1] or 0
        self.muted = bool(told[2])

    @cached_property
    def _rows(self) -> list[Message]:
        """One more than stand on the page, if there are more."""
        if not self.n:
            return []
        rows: QuerySet[Message] = Message.objects.filter(race=self.race).select_related("hidden_by").order_by("-n")
        if self.before is not None:
            rows = rows.filter(n__lt=self.before)
        return list(rows[: ON_A_PAGE + 1])

    @cached_property
    def said(self) -> Sequence[Said]:
        return [self._said(message) for message in self._rows[:ON_A_PAGE]]

    def _said(self, message: Message) -> Said:
        deleted, hidden = message.deleted_at is not None, message.hidden_at is not None
        return Said(
            n=message.n,
            name=message.name,
            part=str(Part(message.part).label),
            at=message.at,
            text="" if deleted or hidden else message.text,
            mine=self.writer is not None and self.writer.wrote(message),
            deleted=deleted,
            hidden=hidden and not deleted,
            hidden_by=called(message.hidden_by) if message.hidden_by else "",
            may_hide=self.viewer.leads and not deleted,
        )

    @property
    def earlier(self) -> int | None:
        """The number to look before, if there is more."""
        return self.said[-1].n if len(self._rows) > ON_A_PAGE else None

    @property
    def spoken(self) -> str:
        """The newest message as it is read out; empty if it is the reader's own, or there is nothing to hear."""
        newest = self.said[0] if self.said and self.before is None else None
        if newest is None or newest.mine or not newest.text or self.muted:
            return ""
        return _("%(who)s writes: %(text)s") % {"who": newest.name, "text": Truncator(newest.text).chars(SPOKEN)}

    @property
    def newest(self) -> int:
        return self.said[0].n if self.said else 0

    # ---- what the reader has read ----
    @property
    def unread(self) -> int:
        """Messages of others on this page since the reader last looked; none for who is not signed on, or wants no news."""
        if self.user is None or self.muted:
            return 0
        return sum(one.n > self._seen and not one.mine and bool(one.text) for one in self.said)

    @property
    def unread_says(self) -> str:
        if not self.unread:
            return ""
        if self.earlier and self.earlier > self._seen:
            return _("more than %(n)s new") % {"n": self.unread}
        return ngettext("%(n)s new", "%(n)s new", self.unread) % {"n": self.unread}

    def read(self) -> None:
        """Remember that the reader has this page before him."""
        if self.user is not None and self.before is None and self._seen < self.n:
            heard(self.race, self.user, self.n)

    @property
    def who_reads(self) -> str:
        """What somebody should know before he writes: the chat is open while the game still hides something."""
        if self.race.is_public:
            return _("Anybody can read this: the race is public. Write nothing that the others should not know yet.")
        return _("All who may watch this race can read this. Write nothing that the others should not know yet.")


# ---- private notes ---------------------------------------------------------------------------------------------------
class Elsewhere(Refused):
    """The note has been changed since it was shown, on another page of its author's. `stored` is what it says now."""

    def __init__(self, stored: PrivateNote) -> None:
        super().__init__(
            _(
                "You have changed this note on another page since. Both are here: put together what you need, and keep it."
            )
        )
        self.stored = stored


def note_of(race: Race, writer: Writer) -> PrivateNote:
    """The private note of that person; an empty one that is not stored if there is none."""
    found = PrivateNote.objects.filter(race=race, **writer.person).first()
    return found or PrivateNote(race=race, **writer.person)


@sensitive_variables()
def keep_note(race: Race, writer: Writer, text: str, *, after: int) -> PrivateNote:
    """Store what somebody notes down for himself; `after` is the change that his page had. Elsewhere: there is a newer one."""
    person: Mapping[str, Any] = writer.person
    with transaction.atomic():
        PrivateNote.objects.get_or_create(race=race, **person)
        note = PrivateNote.objects.select_for_update().get(race=race, **person)
        if note.text == text:
            return note  # the same button twice
        if note.n != after:
            raise Elsewhere(note)
        note.text, note.n = text, note.n + 1
        note.save(update_fields=["text", "n"])
        return note
