"""A race being run: who takes part, its log, and a copy of where it stands.

The log is the truth: `Entry` rows are only ever added, and `Position` can be thrown away and made again from them. The
seed of a race lies in a table of its own, so that nothing that loads a race has it by accident.
"""

import secrets
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from races.prepared import Prepared

User = settings.AUTH_USER_MODEL


def new_key() -> str:
    """A public identifier that nobody can guess: it stands in addresses and logs, and its dice hang on it."""
    return secrets.token_urlsafe(9)


class Way(models.TextChoices):
    """How the race is run."""

    ONLINE = "online", _("on the site")
    REFEREED = "refereed", _("at a table, refereed by a phone")


class Status(models.TextChoices):
    """How far a race is."""

    OPEN = "open", _("waiting for riders")
    RUNNING = "running", _("running")
    OVER = "over", _("over")
    ABANDONED = "abandoned", _("abandoned")


class RaceQuerySet(models.QuerySet["Race"]):
    def running(self) -> "RaceQuerySet":
        return self.filter(status=Status.RUNNING)


class Race(models.Model):
    """One race. `n` is the number of its newest log entry; every change of the race is an entry and raises it."""

    key = models.CharField(max_length=24, unique=True, default=new_key, editable=False)
    title = models.CharField(_("title"), max_length=120)
    game = models.CharField(max_length=24)
    version = models.PositiveSmallIntegerField()  # of the rules
    way = models.CharField(max_length=8, choices=Way, default=Way.ONLINE)
    status = models.CharField(max_length=10, choices=Status, default=Status.OPEN)
    options = models.JSONField(default=dict)
    entrants = models.JSONField(default=list)  # as they started; empty while the race is open
    n = models.PositiveIntegerField(default=0)
    commitment = models.CharField(max_length=64, blank=True)  # SHA-256 of the seed; empty where a table rolls
    owner = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    is_public = models.BooleanField(_("anybody may watch"), default=True)
    invitation = models.CharField(
        max_length=24, default=new_key, editable=False
    )  # whoever has it may take an open seat
    outcome = models.JSONField(null=True, blank=True)
    opened_at = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    trouble = models.TextField(blank=True)  # what stopped it, for the page of races in trouble; empty: nothing

    objects = RaceQuerySet.as_manager()

    class Meta:
        ordering = ("-opened_at", "-pk")

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        return reverse("races:race", args=[self.key])

    @property
    def is_open(self) -> bool:
        return self.status == Status.OPEN

    @property
    def has_started(self) -> bool:
        """There is a log and a position. One that was called off before never has."""
        return self.started_at is not None

    @property
    def is_running(self) -> bool:
        return self.status == Status.RUNNING

    @property
    def is_over(self) -> bool:
        return self.status in (Status.OVER, Status.ABANDONED)

    @property
    def is_online(self) -> bool:
        return self.way == Way.ONLINE

    def read_seats(self) -> None:
        """Read the seats once for all who ask the race for them, as `prefetch_related_objects` does."""
        known: dict[str, models.QuerySet[Any]] = self.__dict__.setdefault("_prefetched_objects_cache", {})
        if "seats" not in known:
            seats = self.seats.all()
            seats._result_cache = _seats_of(self.pk)
            for seat in seats:
                seat.race = self
            known["seats"] = seats


class Secret(models.Model):
    """The seed of a race. Only `fairness` and `play` read it; it is shown when the race is over."""

    race = models.OneToOneField(Race, models.CASCADE, related_name="+", primary_key=True)
    seed = models.BinaryField(max_length=32)

    def __str__(self) -> str:
        return "the seed of a race"


class Seat(models.Model):
    """A side of a race: a person, a guest without an account, a bot, or nobody yet."""

    race = models.ForeignKey(Race, models.CASCADE, related_name="seats")
    name = models.CharField(max_length=40)  # in logs and rules: never changes, whoever sits there
    order = models.PositiveSmallIntegerField()  # clockwise
    label = models.CharField(_("player"), max_length=60, blank=True)  # what people call whoever sits there
    user = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="seats")
    guest = models.CharField(max_length=64, blank=True)  # SHA-256 of the key in a guest's browser
    bot = models.CharField(_("bot"), max_length=10, blank=True)  # its level
    # What the seat rides with, as an entrant of the game, and how its riders are shown: {id: {"bib", "name", "jersey"}}.
    entrant = models.JSONField(default=dict)
    riders = models.JSONField(default=dict, blank=True)
    takes_single = models.BooleanField(default=True)  # a decision with one answer is answered for him

    class Meta:
        ordering = ("order",)
        constraints = [
            models.UniqueConstraint(fields=["race", "name"], name="one_seat_per_name"),
            models.UniqueConstraint(fields=["race", "order"], name="one_seat_per_place"),
            models.CheckConstraint(
                condition=Q(bot="") | (Q(user=None) & Q(guest="")), name="a_seat_is_a_bots_or_a_persons"
            ),
        ]

    def __str__(self) -> str:
        return self.label or self.name

    @property
    def is_free(self) -> bool:
        return self.user_id is None and not self.guest and not self.bot

    @property
    def is_person(self) -> bool:
        return self.user_id is not None or bool(self.guest)


_seats_of = Prepared(lambda race: Seat.objects.filter(race_id=race))


class Entry(models.Model):
    """One line of the log, never changed. An action that was taken, a rewind, or a note about who sits where.

    Exactly one of `action`, `rewind_to` and `note` is told.
    """

    race = models.ForeignKey(Race, models.CASCADE, related_name="entries")
    n = models.PositiveIntegerField()
    taker = models.CharField(max_length=10)  # seat, chance, organiser
    seat = models.CharField(max_length=40, blank=True)
    after = models.PositiveIntegerField(null=True, blank=True)  # the entry that opened what this one answers
    action = models.JSONField(null=True, blank=True)
    events = models.JSONField(default=list)
    rewind_to = models.PositiveIntegerField(null=True, blank=True)
    note = models.JSONField(null=True, blank=True)
    reason = models.CharField(max_length=200, blank=True)
    by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("n",)
        constraints = [
            models.UniqueConstraint(fields=["race", "n"], name="one_entry_per_number"),
            models.CheckConstraint(
                condition=Q(action__isnull=False, rewind_to=None, note__isnull=True)
                | Q(action__isnull=True, rewind_to__isnull=False, note__isnull=True)
                | Q(action__isnull=True, rewind_to=None, note__isnull=False),
                name="an_entry_is_one_thing",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.n}"


class Position(models.Model):
    """Where a race stands after entry `n`: a copy, made in the transaction of that entry.

    `opened` says of every open decision after which entry it was opened; answers name it.
    """

    race = models.OneToOneField(Race, models.CASCADE, related_name="position", primary_key=True)
    n = models.PositiveIntegerField()
    state = models.JSONField()
    opened = models.JSONField(default=dict)

    def __str__(self) -> str:
        return f"after entry {self.n}"


class Receipt(models.Model):
    """A submission that was accepted: the same key again gets the same answer, and no second entry."""

    race = models.ForeignKey(Race, models.CASCADE, related_name="+")
    seat = models.CharField(max_length=40)
    key = models.CharField(max_length=64)
    n = models.PositiveIntegerField()  # the entry it led to
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["race", "seat", "key"], name="one_entry_per_submission")]

    def __str__(self) -> str:
        return self.key


# ---- clocks and absence ----------------------------------------------------------------------------------------------
class ClockKind(models.TextChoices):
    """What the time of a race is measured by."""

    DECISION = "decision", _("so much for each decision")
    BUDGET = "budget", _("a budget for the whole race")


class Policy(models.TextChoices):
    """What happens when somebody's time is up."""

    DECIDE = "decide", _("a bot decides once for him")
    SEAT = "seat", _("a bot takes his seat until he is back")
    WAIT = "wait", _("the race waits")


class Clock(models.Model):
    """The clock of a race; a race without a row has none."""

    race = models.OneToOneField(Race, models.CASCADE, related_name="clock", primary_key=True)
    kind = models.CharField(max_length=10, choices=ClockKind, default=ClockKind.DECISION)
    minutes = models.PositiveIntegerField()  # for a decision, or for the whole race
    increment = models.PositiveIntegerField(default=0)  # minutes more for each decision of a budget
    policy = models.CharField(max_length=8, choices=Policy, default=Policy.DECIDE)
    bot = models.CharField(max_length=10, blank=True)  # the level that decides; empty: the answer that the rules name
    vacation_days = models.PositiveSmallIntegerField(default=14)  # of each rider's vacations so much stops his clock

    def __str__(self) -> str:
        return f"{self.get_kind_display()}, {self.minutes} min"


class Vacation(models.Model):
    """Somebody is away: his clocks stand. Both are instants; a vacation never begins in the past."""

    user = models.ForeignKey(User, models.CASCADE, related_name="vacations")
    begins = models.DateTimeField()
    ends = models.DateTimeField()

    class Meta:
        ordering = ("begins",)
        constraints = [models.CheckConstraint(condition=Q(ends__gte=models.F("begins")), name="a_vacation_ends_later")]

    def __str__(self) -> str:
        return f"{self.begins:%Y-%m-%d} - {self.ends:%Y-%m-%d}"


class StandIn(models.Model):
    """A bot rides for somebody whose time was up; the seat is his again when he is back.

    `n` is the entry of the substitution: if another came after it, nothing is to be given back.
    """

    race = models.ForeignKey(Race, models.CASCADE, related_name="stand_ins")
    seat = models.CharField(max_length=40)
    user = models.ForeignKey(User, models.CASCADE, related_name="+")
    n = models.PositiveIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["race", "seat"], name="one_stand_in_per_seat")]

    def __str__(self) -> str:
        return f"{self.seat} since entry {self.n}"


class Outage(models.Model):
    """The site was down: every clock stood."""

    began = models.DateTimeField()
    ended = models.DateTimeField()

    class Meta:
        ordering = ("began",)
        constraints = [models.CheckConstraint(condition=Q(ended__gte=models.F("began")), name="an_outage_ends_later")]

    def __str__(self) -> str:
        return f"{self.began:%Y-%m-%d %H:%M} - {self.ended:%H:%M}"


class Pulse(models.Model):
    """The one row that says when the site was last known to run; a long silence before a beat was an outage."""

    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M}"


# ---- notices ---------------------------------------------------------------------------------------------------------
class Reach(models.Model):
    """How somebody wants to be told that it is his move. Who has no row is told by mail."""

    user = models.OneToOneField(User, models.CASCADE, related_name="reach", primary_key=True)
    mail = models.BooleanField(_("by mail"), default=True)
    webhook = models.URLField(_("by webhook"), max_length=500, blank=True)
    minutes = models.PositiveIntegerField(_("minutes to wait before"), default=15)
    zone = models.CharField(_("your time zone"), max_length=64, default="UTC")

    def __str__(self) -> str:
        return f"{self.user_id}"


class Notice(models.Model):
    """That somebody is told of a decision, once. The row is there before the message goes out, so that no other sends it.

    Who could not be reached is tried again later, `tries` times in all.
    """

    user = models.ForeignKey(User, models.CASCADE, related_name="+")
    race = models.ForeignKey(Race, models.CASCADE, related_name="+")
    after = models.PositiveIntegerField()  # the entry that opened what he has to decide
    channel = models.CharField(max_length=8)  # mail, webhook
    at = models.DateTimeField(default=timezone.now)  # of the newest try
    tries = models.PositiveSmallIntegerField(default=0)
    sent = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "race", "after", "channel"], name="told_once_per_decision")
        ]

    def __str__(self) -> str:
        return f"{self.channel} after entry {self.after}"


# ---- beside the log: chat and private notes --------------------------------------------------------------------------
class Talk(models.Model):
    """The chat of a race. `n` rises with whatever changes in it: who has less fetches it.

    A row of its own, so that talking neither waits for a turn nor holds one up.
    """

    race = models.OneToOneField(Race, models.CASCADE, related_name="talk", primary_key=True)
    n = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.n}"


class Part(models.TextChoices):
    """What somebody was in a race when he wrote."""

    LEADS = "leads", _("leads the race")
    RIDES = "rides", _("rides")
    GUEST = "guest", _("rides as a guest")
    WATCHES = "watches", _("watches")


class Message(models.Model):
    """A line of the chat. No part of the log: no replay, export or count has it.

    Whoever wrote it is a user or a guest by the hash of his key; `name` and `seat` are what he was called and where he
    sat then. What its author has taken back has no text any more; what is hidden keeps it, for whoever shows it again.
    """

    race = models.ForeignKey(Race, models.CASCADE, related_name="messages")
    n = models.PositiveIntegerField()  # of the change of the chat that it was
    user = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    guest = models.CharField(max_length=64, blank=True)
    seat = models.CharField(max_length=40, blank=True)
    name = models.CharField(max_length=60)
    part = models.CharField(max_length=8, choices=Part)
    text = models.TextField()
    key = models.CharField(max_length=64)  # of the form that it came with
    at = models.DateTimeField(default=timezone.now)
    hidden_at = models.DateTimeField(null=True, blank=True)
    hidden_by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    deleted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("n",)
        constraints = [
            models.UniqueConstraint(fields=["race", "n"], name="one_message_per_number"),
            models.UniqueConstraint(
                fields=["race", "user", "key"], condition=Q(user__isnull=False), name="one_message_per_form_of_a_user"
            ),
            models.UniqueConstraint(
                fields=["race", "guest", "key"], condition=~Q(guest=""), name="one_message_per_form_of_a_guest"
            ),
            models.CheckConstraint(condition=Q(user=None) | Q(guest=""), name="a_message_is_a_users_or_a_guests"),
        ]

    def __str__(self) -> str:
        return f"{self.n}"


class Listener(models.Model):
    """What a user has read of a race's chat, and whether he wants to hear of it. Who has no row has read nothing."""

    race = models.ForeignKey(Race, models.CASCADE, related_name="+")
    user = models.ForeignKey(User, models.CASCADE, related_name="+")
    seen = models.PositiveIntegerField(default=0)  # the newest change of the chat that he has seen
    muted = models.BooleanField(default=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["race", "user"], name="one_listener_per_user")]

    def __str__(self) -> str:
        return f"{self.seen}"


class PrivateNote(models.Model):
    """What somebody writes for himself about a race. Only he ever reads it: it belongs to him, not to his seat.

    `n` rises with each change, so that a second tab does not write over the first.
    """

    race = models.ForeignKey(Race, models.CASCADE, related_name="+")
    user = models.ForeignKey(User, models.CASCADE, null=True, blank=True, related_name="+")
    guest = models.CharField(max_length=64, blank=True)  # SHA-256 of his key, as in his seat
    text = models.TextField(blank=True)
    n = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["race", "user"], condition=Q(user__isnull=False), name="one_private_note_per_user"
            ),
            models.UniqueConstraint(
                fields=["race", "guest"], condition=~Q(guest=""), name="one_private_note_per_guest"
            ),
            models.CheckConstraint(
                condition=(Q(user=None) & ~Q(guest="")) | (Q(user__isnull=False) & Q(guest="")),
                name="a_private_note_is_a_users_or_a_guests",
            ),
        ]

    def __str__(self) -> str:
        return "a private note"
