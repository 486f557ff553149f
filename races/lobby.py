"""Before the start and beside the road: making a race, who sits where, and the lists in which races are found.

A seat is *free* until a person takes it or the leader puts a bot there. Anybody who is signed on may take a free seat of a
race that everybody may watch, unless it is *kept*: a seat whose riders are named is the seat of their player, and taken by
him, by whoever has the invitation, or with the leader's consent. A *guest* has no account: his browser holds the key to his seat.
A seat is *lent* while a bot rides it for a person, in a race that runs; whoever has the invitation may take it over.
"""

import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from django.contrib.auth.models import AnonymousUser, User
from django.core.paginator import Page, Paginator
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from races import bots, clocks, play
from races.access import Viewer, cookie_of, hashed
from races.errors import Refused
from races.models import Entry, Race, Seat, Status
from races.prepared import Prepared
from races.setups import setup_of
from rules import registry
from rules.errors import RulesError

SEAT_NAMES: Final = "ABCDEFGHIJ"
"""What logs and rules call the seats, clockwise. Whoever sits there has his own name for people."""

LONGEST_NAME: Final = 30
"""Characters of what somebody is called in a race."""

ME, OPEN = "me", "open"
"""Who may sit in a seat of a new race, beside the levels of the bots."""

LEVELS: Final[Mapping[str, Any]] = {
    "easy": gettext_lazy("easy"),
    "club": gettext_lazy("club level"),
    "expert": gettext_lazy("expert"),
}
"""The levels of the bots in words, weakest first."""


def levels(game: str) -> list[tuple[str, str]]:
    """The levels of the bots that a game has, with their words."""
    have = bots.bots(game)
    return [(level, str(words)) for level, words in LEVELS.items() if level in have]


def called(user: User) -> str:
    """What people call a user in a race. Never his address: races may be watched by anybody."""
    return (user.get_full_name() or _("a rider without a name"))[: Seat._meta.get_field("label").max_length]


def cleaned(name: str) -> str:
    """A name as it is stored: NFC, single spaces, nothing invisible."""
    kept = "".join(mark if mark.isprintable() else " " for mark in unicodedata.normalize("NFC", name))
    return " ".join(kept.split())[:LONGEST_NAME].strip()


def bot_called(seat: str) -> str:
    """What a bot is called that nobody else has sat for."""
    return pgettext("a bot", "Bot %(seat)s") % {"seat": seat}


# ---- whom races belong to ------------------------------------------------------------------------------------------------
class House(Protocol):
    """Another app whose races these are: a club with its stages. It knows people and pages that races know nothing of."""

    def bench(self, race: Race) -> Iterable[User]:
        """Who may be sent into this race while it runs."""
        ...

    def leading(self, user: User) -> QuerySet[Race]:
        """The races that somebody leads by his role."""
        ...

    def claims(self, user: User, race: Race) -> Collection[str]:
        """The names of the seats that are kept for this user."""
        ...

    def home(self, race: Race) -> tuple[str, str] | None:
        """What the race is part of: what it is called, and its address."""
        ...


_houses: list[House] = []


def register_house(house: House) -> None:
    """Let another app speak for its races. Called when it starts."""
    if house not in _houses:
        _houses.append(house)


def home_of(race: Race) -> tuple[str, str] | None:
    """What the race is part of, with its address; None for a friendly."""
    return next((home for house in _houses if (home := house.home(race))), None)


def led_races(user: User) -> QuerySet[Race]:
    """The races that somebody leads or led: his own, and those of his role elsewhere."""
    leads = Q(owner=user)
    for house in _houses:
        leads |= Q(pk__in=house.leading(user).values("pk"))
    return Race.objects.filter(leads)


def claimed(user: User | AnonymousUser, race: Race) -> set[str]:
    """The names of the seats that are kept for him."""
    if not isinstance(user, User):
        return set()
    return {name for house in _houses for name in house.claims(user, race)}


# ---- making a race ---------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Who shall sit in a seat of a new race: `who` is ME, OPEN or the level of a bot; `name` for somebody at a table."""

    who: str
    name: str = ""


def open_friendly(
    *,
    owner: User,
    title: str,
    game: str,
    options: Mapping[str, Any],
    entrant: Mapping[str, Any],
    places: Sequence[Place],
    way: str,
    is_public: bool,
    clock: dict[str, Any] | None = None,
) -> Race:
    """A race that belongs to no campaign; every seat rides with `entrant`, and `clock` (fields of `Clock`) measures their time.

    RulesError says what the rules have against it.
    """
    seats = [_seat_of(place, name, entrant, owner) for name, place in zip(SEAT_NAMES, places, strict=False)]
    registry.game(game).setup(options, [{"seat": seat["name"], **entrant} for seat in seats])
    with transaction.atomic():
        race = play.open_race(
            title=title[: Race._meta.get_field("title").max_length],
            game=game,
            options=options,
            seats=seats,
            owner=owner,
            way=way,
            is_public=is_public,
        )
        if clock is not None:
            clocks.set_clock(race, clock, by=owner)
    return race


def _seat_of(place: Place, name: str, entrant: Mapping[str, Any], owner: User) -> dict[str, Any]:
    seat: dict[str, Any] = {"name": name, "entrant": dict(entrant)}
    if place.who == ME:
        return seat | {"user": owner, "label": place.name or called(owner)}
    if place.who == OPEN:
        return seat | {"label": place.name}
    return seat | {"bot": place.who, "label": place.name or bot_called(name)}


# ---- sitting down, and getting up --------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class Sitter:
    """Somebody who wants to sit: a user, or a guest by the hash of his key."""

    user: User | None = None
    guest: str = ""
    name: str = ""

    @classmethod
    def of(cls, user: User | AnonymousUser) -> "Sitter | None":
        return cls(user=user, name=called(user)) if isinstance(user, User) and user.is_authenticated else None


def is_kept(seat: Seat) -> bool:
    """The seat is somebody's in particular: its riders have names, and so has its player."""
    return bool(seat.riders)


def may_take(viewer: Viewer, seat: Seat) -> bool:
    """Whether he may take this seat without an invitation."""
    race = viewer.race
    if not (race.is_open and seat.is_free and viewer.user.is_authenticated):
        return False
    if viewer.leads:
        return True
    if viewer.seats:
        return False
    return seat.name in claimed(viewer.user, race) if is_kept(seat) else race.is_public


def take(race_id: int, *, seat: str, sitter: Sitter, several: bool = False) -> Seat:
    """Sit down in a free seat of an open race. Refused: somebody was faster, or he sits already (unless `several`)."""
    with transaction.atomic():
        race, seats = _open(race_id)
        wanted = _named(seats, seat)
        if _is_his(wanted, sitter):
            return wanted  # the same button twice
        if not wanted.is_free:
            raise Refused(_("%(who)s sits there already. Take another seat.") % {"who": wanted})
        if not several and any(_is_his(other, sitter) for other in seats):
            raise Refused(_("You have a seat in this race. Leave it first if you want another."))
        wanted.label = _label(wanted, sitter, seats)
        wanted.user, wanted.guest = sitter.user, sitter.guest
        wanted.save(update_fields=["user", "guest", "label"])
        return wanted


def _label(seat: Seat, sitter: Sitter, seats: Iterable[Seat]) -> str:
    """What people call the seat from now on. A kept seat stays that of its player."""
    if is_kept(seat):
        return seat.label
    taken = {str(other).casefold() for other in seats if other.pk != seat.pk and not other.is_free}
    if sitter.user is None and sitter.name.casefold() in taken:
        raise Refused(
            _("Somebody called %(name)s rides in this race already. Take a name that tells you apart.")
            % {"name": sitter.name}
        )
    return sitter.name


def leave(race_id: int, *, seats: Iterable[str]) -> None:
    """Get up from these seats of an open race; they are free again."""
    with transaction.atomic():
        _race, present = _open(race_id)
        for name in seats:
            _clear(_named(present, name))


def free(race_id: int, *, seat: str) -> None:
    """The leader lets nobody sit there: a person or a bot gets up."""
    leave(race_id, seats=[seat])


def put_bot(race_id: int, *, seat: str, level: str) -> None:
    """The leader lets a bot ride a free seat, or a bot of another level one that a bot has."""
    with transaction.atomic():
        race, seats = _open(race_id)
        wanted = _named(seats, seat)
        if level not in dict(levels(race.game)):
            raise Refused(_("There is no such bot."))
        if wanted.is_person:
            raise Refused(_("%(who)s sits there. Free the seat first.") % {"who": wanted})
        wanted.bot = level
        if not is_kept(wanted):
            wanted.label = bot_called(wanted.name)
        wanted.save(update_fields=["bot", "label"])


def _open(race_id: int) -> tuple[Race, list[Seat]]:
    """An open race and its seats, held until the transaction ends."""
    race = Race.objects.select_for_update().get(pk=race_id)
    if not race.is_open:
        raise Refused(_("The race has started: seats change by substitution now.") if race.is_running else _("The race is over."))  # fmt: skip
    return race, list(race.seats.all())


def _named(seats: Iterable[Seat], name: str) -> Seat:
    found = next((seat for seat in seats if seat.name == name), None)
    if found is None:
        raise Refused(_("There is no such seat. Load the page again."))
    return found


def _is_his(seat: Seat, sitter: Sitter) -> bool:
    if sitter.user is not None:
        return seat.user_id == sitter.user.pk
    return bool(sitter.guest) and seat.guest == sitter.guest


def _clear(seat: Seat) -> None:
    seat.user, seat.guest, seat.bot = None, "", ""
    if not is_kept(seat):
        seat.label = ""
    seat.save(update_fields=["user", "guest", "bot", "label"])


# ---- while it runs -----------------------------------------------------------------------------------------------------
def _who_rode(race: int) -> QuerySet[User]:
    """Whoever sits in a race or has answered in it."""
    sit = Seat.objects.filter(race_id=race).exclude(user=None).values("user")
    acted = Entry.objects.filter(race_id=race).exclude(by=None).values("by")
    return User.objects.filter(Q(pk__in=sit) | Q(pk__in=acted))


_ridden = Prepared(_who_rode)


def on_the_bench(race: Race, leader: User) -> list[User]:
    """Whom the leader may give a seat: himself, who has ridden in this race, and whom other apps name; each once."""
    found = {leader.pk: leader} | {user.pk: user for user in _ridden(race.pk)}
    for house in _houses:
        found |= {user.pk: user for user in house.bench(race)}
    return sorted(found.values(), key=lambda user: (user.pk != leader.pk, called(user).casefold(), user.pk))


def lent(race: Race) -> list[Seat]:
    """The seats that a bot rides for a person who got up while the race ran."""
    bots = [seat for seat in race.seats.all() if seat.bot]
    if not race.is_running or not bots:
        return []
    notes = Entry.objects.filter(race=race, note__kind="substitution").values_list("note", flat=True)
    changed = {note["seat"] for note in notes if note and not note.get("was")}  # somebody got up there
    return [seat for seat in bots if seat.name in changed]


def substitute(race: Race, *, seat: str, who: str, by: User) -> Seat:
    """The leader gives a seat of a running race to a bot ("bot:club") or to somebody on the bench ("user:7")."""
    kind, _colon, value = who.partition(":")
    if kind == "bot" and value in dict(levels(race.game)):
        play.substitute(race.pk, seat=seat, user=None, bot=value, label="", by=by)
    else:
        bench = {f"user:{user.pk}": user for user in on_the_bench(race, by)}
        if who not in bench:
            raise Refused(_("Choose a bot, or somebody of the list."))
        user = bench[who]
        current = race.seats.filter(name=seat).first()
        label = "" if current is not None and is_kept(current) else called(user)
        play.substitute(race.pk, seat=seat, user=user, bot="", label=label, by=by)
    return race.seats.get(name=seat)


def take_over(race_id: int, *, seat: str, sitter: Sitter) -> None:
    """Somebody with the invitation takes over a seat that was lent to a bot."""
    with transaction.atomic():
        race = Race.objects.select_for_update().get(pk=race_id)
        seats = list(race.seats.all())
        wanted = _named(seats, seat)
        if _is_his(wanted, sitter):
            return
        if wanted.name not in {other.name for other in lent(race)}:
            raise Refused(_("This seat is not free any more. Ask who leads the race."))
        if any(_is_his(other, sitter) for other in seats):
            raise Refused(_("You have a seat in this race."))
        label = _label(wanted, sitter, seats)
        play.substitute(race.pk, seat=seat, user=sitter.user, guest=sitter.guest, bot="", label=label, by=sitter.user)


# ---- finding a race ----------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A race in a list: who rides, whom it waits for, and whether that is the reader."""

    race: Race
    seats: tuple[Seat, ...]
    due: tuple[Seat, ...]
    is_mine: bool  # he sits in it
    waits_for_me: bool
    stands_still: bool  # and he may mend it

    @property
    def mini(self) -> SafeString | str:
        """Its road; nothing where the game or the course is not known any more."""
        try:
            return setup_of(self.race.game).mini(self.race.options)
        except (KeyError, RulesError):
            return ""

    @property
    def free(self) -> int:
        return sum(seat.is_free for seat in self.seats)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lists:
    """The races as somebody looks for them."""

    waiting: list[Line]  # for him
    riding: list[Line]  # his other races that are not over
    joinable: list[Line]
    running: list[Line]  # to be watched
    finished: list[Line]
    page: Page[Race] = field(repr=False)  # of the finished ones

    @property
    def standing_still(self) -> int:
        """How many races he could mend."""
        return sum(line.stands_still for line in (*self.waiting, *self.riding))


PER_PAGE: Final = 20
MOST: Final = 30
"""Races of others in one list: the newest."""


def due(race: Race) -> tuple[Seat, ...]:
    """The seats that a running race waits for. Uses `race.position` and `race.seats` as they were loaded."""
    position = getattr(race, "position", None)
    if position is None or not race.is_running:
        return ()
    names = {seat for seat, _after in play.waiting_for(position.opened)}
    return tuple(seat for seat in race.seats.all() if seat.name in names)


def line_of(race: Race, mine: Callable[[Seat], bool], *, leads: bool) -> Line:
    seats, asked = tuple(race.seats.all()), due(race)
    refereed = not race.is_online and race.is_running and leads
    return Line(
        race=race,
        seats=seats,
        due=asked,
        is_mine=any(mine(seat) for seat in seats),
        waits_for_me=refereed or (race.is_online and any(mine(seat) for seat in asked)),
        stands_still=leads and race.is_running and bool(race.trouble),
    )


def lists(user: User | AnonymousUser, cookies: Mapping[str, str], page: str | None = None) -> Lists:
    """All lists of somebody, in a number of queries that does not hang on how many races there are."""
    seat_keys = {name: hashed(value) for name, value in cookies.items() if name.startswith("seat-") and value}
    mine_by = Q(pk__in=[])
    if isinstance(user, User):
        mine_by |= Q(pk__in=Seat.objects.filter(user=user).values("race")) | Q(owner=user)
    if seat_keys:
        mine_by |= Q(pk__in=Seat.objects.filter(guest__in=list(seat_keys.values())).values("race"))

    def sits(seat: Seat) -> bool:
        if seat.user_id is not None:
            return seat.user_id == user.pk
        return bool(seat.guest) and seat_keys.get(cookie_of(seat.race)) == seat.guest

    def told(races: Iterable[Race]) -> list[Line]:
        return [
            line_of(race, sits, leads=race.pk in led or (race.owner_id is not None and race.owner_id == user.pk))
            for race in races
        ]

    over = Q(status__in=[Status.OVER, Status.ABANDONED])
    led = {pk for house in _houses for pk in _pks(house, user)}
    mine_by |= Q(pk__in=led)
    own = told(_whole(Race.objects.filter(mine_by).exclude(over)))
    others = Race.objects.filter(is_public=True).exclude(mine_by)
    running = told(_whole(others.filter(status=Status.RUNNING))[:MOST])
    open_ones = told(_whole(others.filter(status=Status.OPEN))[:MOST])
    finished = Paginator(
        _whole(Race.objects.filter(over).filter(mine_by | Q(is_public=True))).order_by("-ended_at", "-pk"), PER_PAGE
    ).get_page(page)
    return Lists(
        waiting=[line for line in own if line.waits_for_me],
        riding=[line for line in own if not line.waits_for_me],
        joinable=[line for line in open_ones if any(seat.is_free and not is_kept(seat) for seat in line.seats)],
        running=running,
        finished=told(finished),
        page=finished,
    )


def _pks(house: House, user: User | AnonymousUser) -> Iterable[int]:
    """The races that are not over and that somebody leads by his role."""
    if not isinstance(user, User):
        return ()
    return house.leading(user).filter(status__in=[Status.OPEN, Status.RUNNING]).values_list("pk", flat=True)


def _whole(races: QuerySet[Race]) -> QuerySet[Race]:
    """Races with their seats and what is open, without the long columns."""
    return races.select_related("position").defer("entrants", "outcome", "position__state").prefetch_related("seats")
