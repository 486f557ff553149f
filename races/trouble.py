"""What can make a race stand still, how it is told, and what mends it.

The sweep writes it into `Race.trouble`. What is written holds nothing that is hidden in the race: of a fault it keeps
where it broke and never what it said, since messages quote positions.
"""

import json
import traceback
from dataclasses import asdict, dataclass, fields, replace
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _

from races import lobby, play
from races.access import Right
from races.models import Race, Status

HOUSE: Final = Path(__file__).resolve().parents[1]


class Kind(StrEnum):
    """What is wrong."""

    RULES = "rules"  # nobody has the game, or this version of it
    HOLE = "hole"  # an entry is missing on which the position hangs
    LOG = "log"  # the rules do not take what the log says
    NO_POSITION = "no_position"
    UNREADABLE = "unreadable"
    BEHIND = "behind"  # the position is not that of the newest entry
    NOTHING_OPEN = "nothing_open"
    NO_ANSWER = "no_answer"
    EMPTY_SEAT = "empty_seat"
    NO_SEAT = "no_seat"
    NO_LEADER = "no_leader"
    NO_SEED = "no_seed"
    STUCK = "stuck"  # what needs nobody's hand is due, and is not done
    UNKNOWN = "unknown"  # written by another release


class Mend(StrEnum):
    """What somebody can do about it."""

    COUNT = "count"  # the position again, from the log
    LOOK = "look"  # what the sweep does, now
    BOT = "bot"  # in the empty seat
    REWIND = "rewind"
    ABANDON = "abandon"


MENDS: Final[dict[Kind, tuple[Mend, ...]]] = {
    Kind.HOLE: (Mend.REWIND,),
    Kind.LOG: (Mend.COUNT, Mend.REWIND),
    Kind.NO_POSITION: (Mend.COUNT,),
    Kind.UNREADABLE: (Mend.COUNT,),
    Kind.BEHIND: (Mend.COUNT,),
    Kind.NOTHING_OPEN: (Mend.COUNT, Mend.REWIND),
    Kind.NO_ANSWER: (Mend.COUNT, Mend.REWIND),
    Kind.EMPTY_SEAT: (Mend.BOT,),
    Kind.STUCK: (Mend.COUNT, Mend.REWIND),
    Kind.UNKNOWN: (Mend.COUNT,),
}
"""Beside looking again and abandoning, which every trouble offers."""

OF_THE_POSITION: Final = frozenset({Kind.NO_POSITION, Kind.UNREADABLE, Kind.BEHIND})
"""What the log mends, if it can be played."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """What is wrong with a race, as it was found when the race was at entry `n`."""

    kind: Kind
    n: int = 0
    since: str = ""  # an instant; when it was first found
    sign: Kind | None = None  # what it looked like before the log was played, if that is another kind
    seats: tuple[str, ...] = ()
    missing: int | None = None  # the entry that is not there
    back: int | None = None  # the entry to which the race can be taken back
    technical: str = ""  # for whoever runs the site

    @classmethod
    def read(cls, text: str) -> "Trouble | None":
        """What was written; None if nothing was."""
        if not text:
            return None
        try:
            told: dict[str, Any] = json.loads(text)
            known = {field.name for field in fields(cls)}
            return cls(
                **{name: value for name, value in told.items() if name in known}
                | {
                    "kind": Kind(told["kind"]),
                    "sign": Kind(told["sign"]) if told.get("sign") else None,
                    "seats": tuple(told.get("seats", ())),
                }
            )
        except (ValueError, TypeError, KeyError, AttributeError):
            return cls(kind=Kind.UNKNOWN)

    def written(self) -> str:
        """None and what is empty are left out."""
        return json.dumps({name: value for name, value in asdict(self).items() if value or value == 0}, sort_keys=True)

    def is_still(self, found: "Trouble") -> bool:
        """Whether what the sweep finds now is this one: then it need not be looked into again."""
        return (self.sign or self.kind, self.n, self.seats, self.missing) == (
            found.kind,
            found.n,
            found.seats,
            found.missing,
        )

    @property
    def mends(self) -> tuple[Mend, ...]:
        can = MENDS.get(self.kind, ())
        if self.back is None:
            can = tuple(mend for mend in can if mend is not Mend.REWIND)
        return (*can, Mend.LOOK, Mend.ABANDON)

    @property
    def began(self) -> datetime | None:
        try:
            return parse_datetime(self.since)
        except ValueError:
            return None


def technical(fault: BaseException) -> str:
    """What broke, and where; not what it said."""
    fault = fault.__cause__ or fault
    frames = traceback.extract_tb(fault.__traceback__)
    if not frames:
        return type(fault).__name__
    last = frames[-1]
    file = Path(last.filename)
    where = file.relative_to(HOUSE) if file.is_relative_to(HOUSE) else Path(*file.parts[-3:])
    return f"{type(fault).__name__} in {where.as_posix()}, line {last.lineno}, {last.name}"


def says(race: Race, trouble: Trouble) -> str:
    """What is wrong, in a sentence. Uses the seats of the race as they were loaded."""
    labels = {seat.name: str(seat) for seat in race.seats.all()}
    seats = ", ".join(labels.get(name, name) for name in trouble.seats)
    match trouble.kind:
        case Kind.RULES:
            return _(
                "This site does not have the rules by which the race is ridden (%(game)s, version %(version)s). It goes on when they are there again."
            ) % {"game": race.game, "version": race.version}
        case Kind.HOLE:
            return _("Entry %(n)s is missing from the log, and what came after it cannot be checked.") % {
                "n": trouble.missing
            }
        case Kind.LOG if trouble.back is None:
            return _("The log cannot be played at all: the rules do not take its course or its riders.")
        case Kind.LOG:
            return _("The log cannot be played beyond entry %(n)s: the rules do not take what follows.") % {
                "n": trouble.back
            }
        case Kind.NO_POSITION:
            return _("It is not stored any more where everybody stands. The log still tells.")
        case Kind.UNREADABLE:
            return _(
                "Where everybody stands cannot be read: what is stored is damaged, or another release of the site wrote it. The log still tells."
            )
        case Kind.BEHIND:
            return _(
                "What is stored of where everybody stands is not what the newest entry led to. The log still tells."
            )
        case Kind.NOTHING_OPEN:
            return _("The race runs, and nothing is left to decide.")
        case Kind.NO_ANSWER:
            return _("%(who)s has to decide something to which the rules leave no answer.") % {
                "who": seats or _("Somebody")
            }
        case Kind.EMPTY_SEAT:
            return _("Nobody sits where a decision is due: %(seats)s.") % {"seats": seats}
        case Kind.NO_SEAT:
            return _("A decision is due of a seat that the race does not have any more: %(seats)s.") % {"seats": seats}
        case Kind.NO_LEADER:
            return _("Only whoever leads the race can answer what is asked now, and nobody leads it.")
        case Kind.NO_SEED:
            return _("The seed of its dice is lost: nothing can be rolled any more.")
        case Kind.STUCK:
            return _("A bot or a roll is due, and nothing happens although it is tried again and again.")
        case Kind.UNKNOWN:
            return _("It was found that the race cannot go on.")


# ---- what the log tells --------------------------------------------------------------------------------------------------
def looked_into(race: Race, found: Trouble) -> Trouble:
    """What the sweep found, with what only the log can tell: whether it can be played, and how far back is safe.

    Plays the whole log if the position is in doubt.
    """
    kept = [entry.n for entry in play.effective(race.entries.defer("events"))]
    if found.kind in OF_THE_POSITION:
        good, fault = playable(race)
        if fault is None:
            return found
        return Trouble(
            kind=Kind.LOG, n=found.n, since=found.since, sign=found.kind, back=good, technical=technical(fault)
        )
    if found.kind is Kind.HOLE:
        safe = [n for n in kept if found.missing is not None and n < found.missing]
        return replace(found, back=safe[-1] if safe else 0)
    if Mend.REWIND in MENDS.get(found.kind, ()) and kept:
        return replace(found, back=kept[-2] if len(kept) > 1 else 0)
    return found


def playable(race: Race) -> tuple[int | None, Exception | None]:
    """The last entry up to which the log can be played (0: its start; None: not even that), and what stopped it."""
    good: int | None = None
    try:
        game = play.game_of(race)
        state = game.setup(race.options, race.entrants)
        game.decisions(state)
        good = 0
        for entry in play.effective(race.entries.defer("events")):
            state = game.apply(state, game.read_action(entry.action or {})).state
            good = entry.n
    except Exception as fault:  # noqa: BLE001 - whatever a damaged log breaks is what is asked for here
        return good, fault
    return good, None


# ---- who is told, and who may mend it --------------------------------------------------------------------------------------
def gatekeeper(user: User, race: Race) -> Right:
    """Whoever runs the site leads a race while it is in trouble, so that he can mend it."""
    return Right.LEAD if user.is_staff and race.trouble and race.is_running else Right.NOTHING


def may_look(user: User) -> bool:
    """Whether he has races whose troubles would be his: the site's staff, and whoever leads or has led one."""
    return user.is_staff or lobby.led_races(user).exists()


def in_trouble(user: User) -> QuerySet[Race]:
    """The races in trouble that he may mend, the newest first."""
    races = Race.objects.filter(status=Status.RUNNING).exclude(trouble="")
    return races if user.is_staff else races.filter(pk__in=lobby.led_races(user).values("pk"))
