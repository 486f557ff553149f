"""A race that travels: its log as JSON for whoever checks it, and practice races that go on from a log.

While a race runs its log leaves the server as its reader may know it, and without the seed. When it is over the log is
whole. A practice race takes over the entries of another, from this site or from a file, and goes on under a seed of its
own; a note after the last entry taken over tells whose they were, so that the whole can still be checked.
"""

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.contrib.auth.models import User
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.debug import sensitive_variables

from races import bots, fairness, play
from races.errors import Refused, said
from races.lobby import called
from races.models import Entry, Race, Secret, Status
from rules import registry
from rules.game import AnyGame, Json, Seat

LONGEST_FILE: Final = 2_000_000  # bytes
MOST_ENTRIES: Final = 10_000
MOST_SEATS: Final = 20
LONGEST_NOTE: Final = 4_000  # characters of its JSON
LARGEST_NUMBER: Final = 9_999
"""No option of a race is larger, and rules that believe a larger one would count for hours."""
MOST_PRACTICE: Final = 20
"""Practice races that somebody may have running at once."""

ORIGIN: Final = "origin"
"""The note that tells from where a practice race has its entries."""


class NotTaken(Refused):
    """A log that no race can go on from. `faults` are sentences, each with the entry that it is about, or None."""

    def __init__(self, *faults: tuple[int | None, str]) -> None:
        super().__init__(" ".join(text if n is None else f"{n}: {text}" for n, text in faults))
        self.faults = faults


# ---- out -------------------------------------------------------------------------------------------------------------
@sensitive_variables()
def log_of(race: Race, seat: str | None = None) -> Json:
    """The log of a race that has started, as `fairness.verify` reads it and `seat` (None: a spectator) may know it.

    An entry of which something is hidden is `masked`: such a log cannot be played again. When the race is over it is
    whole, and shows its seed.
    """
    return _head(race) | {
        "entries": [
            _told(entry, action) | ({} if action == entry.action else {"masked": True})
            for entry, action in _seen(race, seat)
        ]
    }


@sensitive_variables()
def whole_log(race: Race) -> Json:
    """The log with all that is in it, for checks that stay on the server. The seed only when the race is over."""
    entries = race.entries.defer("events")
    return _head(race) | {"entries": [_told(entry, entry.action) for entry in entries]}


@sensitive_variables()
def _head(race: Race) -> Json:
    own = source_of(race)
    head: Json = {
        "title": race.title,
        "game": race.game,
        "version": race.version,
        "race": race.key,
        "way": race.way,
        "status": race.status,
        "commitment": own.get("commitment"),
        "seed": own.get("seed"),
    }
    if origins := origins_of(race):
        head["origins"] = origins
    return head | {
        "options": race.options,
        "entrants": race.entrants,
        "seats": [
            {"name": seat.name, "label": seat.label, "bot": seat.bot, "riders": seat.riders}
            for seat in race.seats.all()
        ],
        "outcome": race.outcome,
    }


def _told(entry: Entry, action: Json | None) -> Json:
    told: Json = {"n": entry.n, "taker": entry.taker}
    if entry.seat:
        told["seat"] = entry.seat
    for name, value in (("action", action), ("rewind_to", entry.rewind_to), ("note", entry.note)):
        if value is not None:
            told[name] = value
    if entry.reason:
        told["reason"] = entry.reason
    return told | {"at": entry.at.isoformat()}


def _seen(race: Race, seat: str | None) -> Iterator[tuple[Entry, Json | None]]:
    """Every entry with its action as `seat` may read it."""
    if race.is_over:
        yield from ((entry, entry.action) for entry in race.entries.defer("events"))
        return
    game, reader = play.game_of(race), None if seat is None else Seat(seat)
    start = game.setup(race.options, race.entrants)
    for entry, before, step in play.played(game, start, race.entries.defer("events")):
        if step is None or entry.action is None:
            yield entry, None
        else:
            seen = game.seen_action(before, game.read_action(entry.action), reader)
            yield entry, game.write_action(seen)


@sensitive_variables()
def source_of(race: Race) -> Json:
    """Who rolled, for a log: the race's name, what it promised, and its seed when the race is over."""
    source: Json = {"race": race.key}
    if race.commitment:
        source["commitment"] = race.commitment
        if race.is_over:
            seed = Secret.objects.filter(race=race).values_list("seed", flat=True).first()
            if seed is not None:  # one that was lost is said to be withheld
                source["seed"] = bytes(seed).hex()
    return source


def origins_of(race: Race) -> list[Json]:
    """Whose rolls a practice race took over, earliest first; empty for any other race."""
    note = race.entries.filter(note__kind=ORIGIN).values_list("note", flat=True).last()
    return list(note["origins"]) if note else []


def _until(origins: Iterable[Mapping[str, Any]], own: Mapping[str, Any], n: int) -> list[Json]:
    """Whose the rolls up to entry `n` are, of a race that has `origins` and rolled the rest itself."""
    found: list[Json] = []
    for origin in origins:
        if origin["to"] >= n:
            return [*found, {**origin, "to": n}]
        found.append(dict(origin))
    return [*found, {**own, "to": n}]


# ---- practice --------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class Sits:
    """Where the owner of a practice race sits (empty: in the first seat), and the level of the bots in the others."""

    seat: str = ""
    level: str = "club"


def fork(race: Race, n: int, *, owner: User, sits: Sits) -> Race:
    """A practice race that goes on after entry `n` of a race that is over. Refused says why it cannot."""
    if not race.is_over:
        raise Refused(
            _("A practice race can be made from a race that is over: this one would give away what is hidden.")
        )
    if not race.has_started or not 0 <= n <= race.n:
        raise Refused(_("This race has no such entry."))
    _room_for(owner)
    state, _opened = play.rebuilt(race, n)
    if not play.game_of(race).decisions(state):
        raise Refused(_("There is nothing left to ride after entry %(n)s. Choose an earlier one.") % {"n": n})
    entries = [
        Entry(
            n=entry.n, taker=entry.taker, seat=entry.seat, after=entry.after, action=entry.action, events=entry.events,
            rewind_to=entry.rewind_to, note=entry.note, reason=entry.reason, at=entry.at,
        )
        for entry in race.entries.filter(n__lte=n)
    ]  # fmt: skip
    seats = [
        {"name": seat.name, "label": seat.label, "entrant": seat.entrant, "riders": seat.riders}
        for seat in race.seats.all()
    ]
    return play.go_on(
        title=_title(_("%(race)s, from entry %(n)s") % {"race": race.title, "n": n}),
        game=race.game,
        version=race.version,
        options=race.options,
        entrants=race.entrants,
        entries=entries,
        origin={"how": "fork", "to": n, "origins": _until(origins_of(race), source_of(race), n)},
        seats=_seated(seats, race.game, owner, sits),
        owner=owner,
    )


def take_in(file: bytes, *, owner: User, sits: Sits) -> Race:
    """A practice race from a log in a file: finished if that race was, else it goes on. NotTaken says what is wrong."""
    log = _read(file)
    _readable(log)
    if any(isinstance(entry, dict) and entry.get("masked") for entry in _listed(log.get("entries"))):
        raise NotTaken(
            (
                None,
                _(
                    "This log was taken while the race was running, and what was hidden is not in it. Take it again when the race is over."
                ),
            )
        )
    found = fairness.verify(log)
    if found.findings:
        raise NotTaken(*((finding.n, said(finding.saying)) for finding in found.findings))
    _room_for(owner)
    game = registry.game(log["game"], log["version"])
    entries = _entries(log, game)
    own = {name: log[name] for name in ("race", "commitment", "seed") if log.get(name) is not None}
    seats = _seats(log)
    return play.go_on(
        title=_title(cleaned_title(log.get("title")) or _("A race from a file")),
        game=log["game"],
        version=log["version"],
        options=log["options"],
        entrants=log["entrants"],
        entries=entries,
        origin={
            "how": "file",
            "to": len(entries),
            "origins": _until(_told_origins(log), own, len(entries)),
        },
        seats=seats if found.over else _seated(seats, log["game"], owner, sits),
        owner=owner,
    )


def _room_for(owner: User) -> None:
    """Refused if he has too many practice races running: bots ride in all of them."""
    running = Race.objects.filter(owner=owner, status=Status.RUNNING, entries__note__kind=ORIGIN).distinct().count()
    if running >= MOST_PRACTICE:
        raise Refused(
            ngettext(
                "You have %(count)s practice race running. End it first.",
                "You have %(count)s practice races running. End one of them first.",
                running,
            )
            % {"count": running}
        )


def _seated(seats: Sequence[Mapping[str, Any]], game: str, owner: User, sits: Sits) -> list[Json]:
    """The owner in his seat, bots in the others. Refused if there is no such seat or bot."""
    if sits.level not in bots.bots(game):
        raise Refused(_("There is no such bot."))
    wanted = sits.seat or seats[0]["name"]
    if all(seat["name"] != wanted for seat in seats):
        raise Refused(_("There is no such seat."))
    found: list[Json] = []
    for seat in seats:
        if seat["name"] == wanted:
            found.append({**seat, "user": owner, "label": called(owner), "bot": ""})
        else:
            label = _("A bot for %(who)s") % {"who": seat["label"] or seat["name"]}
            found.append({**seat, "user": None, "label": label[:60], "bot": sits.level})
    return found


def _title(text: str) -> str:
    most = Race._meta.get_field("title").max_length or 0
    return text if len(text) <= most else text[: most - 1] + "…"


# ---- in: what a file may hold ----------------------------------------------------------------------------------------
def _read(file: bytes) -> Json:
    """The JSON of a file. NotTaken if it is none, or holds what no race can hold."""
    if len(file) > LONGEST_FILE:
        raise NotTaken((None, _("The file is larger than %(most)s MB.") % {"most": LONGEST_FILE // 1_000_000}))
    try:
        log = json.loads(file.decode("utf-8-sig"), parse_constant=_no_number, parse_float=_float)
    except (ValueError, RecursionError) as fault:  # also what is no UTF-8
        raise NotTaken((None, _("This file is no JSON that can be read."))) from fault
    if not isinstance(log, dict):
        raise NotTaken((None, _("A log is an object with entries. Take the file that a race gives for download.")))
    text = json.dumps(log, ensure_ascii=False)
    if "\\u0000" in text or any(0xD800 <= ord(mark) < 0xE000 for mark in text):
        raise NotTaken((None, _("The file holds characters that are no text.")))
    return log


def _listed(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _no_number(word: str) -> None:
    raise ValueError(word)


def _float(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(text)
    return number


def _readable(log: Json) -> None:
    """NotTaken if the log is too large for a race, before the rules are asked what they think of it."""
    entries, entrants = log.get("entries"), log.get("entrants")
    if isinstance(entries, list) and len(entries) > MOST_ENTRIES:
        raise NotTaken((None, _("The log has more than %(most)s entries.") % {"most": MOST_ENTRIES}))
    if isinstance(entrants, list) and len(entrants) > MOST_SEATS:
        raise NotTaken((None, _("The log has more than %(most)s seats.") % {"most": MOST_SEATS}))
    if any(_is_too_large(value) for value in _values([log.get("options"), entrants])):
        raise NotTaken((None, _("A number in the options or among the entrants is too large.")))


_LONG_NUMBER = re.compile(rf"[0-9]{{{len(str(LARGEST_NUMBER)) + 1}}}")


def _values(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield name
            yield from _values(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _values(inner)
    else:
        yield value


def _is_too_large(value: Any) -> bool:
    if isinstance(value, str):
        return _LONG_NUMBER.search(value) is not None
    return isinstance(value, int | float) and abs(value) > LARGEST_NUMBER


def _entries(log: Json, game: AnyGame) -> list[Entry]:
    """The entries of a log that was checked, with the events that the rules say they led to."""
    seats = {entrant["seat"] for entrant in log["entrants"]}
    read: list[Entry] = []
    for told in log["entries"]:
        seat, note, reason = told.get("seat") or "", told.get("note"), told.get("reason")
        if seat and seat not in seats:
            raise NotTaken((told["n"], _("There is no such seat.")))
        if note is not None and len(json.dumps(note)) > LONGEST_NOTE:
            raise NotTaken((told["n"], _("The note is too long.")))
        read.append(
            Entry(
                n=told["n"],
                taker=told["taker"],
                seat=seat,
                action=told.get("action"),
                rewind_to=told.get("rewind_to"),
                note=note,
                reason=cleaned_text(reason, 200),
            )
        )
    start = game.setup(log["options"], log["entrants"])
    for entry, _before, step in play.played(game, start, read):
        if step is not None:
            entry.events = [game.write_event(event) for event in step.events]
    return read


def _told_origins(log: Json) -> list[Json]:
    """The origins of a log that was checked, with what is needed of them and nothing else."""
    told = log.get("origins") or []
    names = ("to", "race", "commitment", "seed")
    return [
        {name: origin[name] for name in names if origin.get(name) is not None}
        for origin in (told if isinstance(told, list) else [told])
    ]


def _seats(log: Json) -> list[Json]:
    """The seats of the race that a log is of: what its entrants ride with, and what the file calls them."""
    shown = log.get("seats")
    told = {
        seat["name"]: seat
        for seat in (shown if isinstance(shown, list) else [])
        if isinstance(seat, dict) and isinstance(seat.get("name"), str)
    }
    seats: list[Json] = []
    for entrant in log["entrants"]:
        name = entrant["seat"]
        if len(name) > 40:
            raise NotTaken((None, _("The name of a seat is too long.")))
        seat = told.get(name, {})
        seats.append(
            {
                "name": name,
                "label": cleaned_text(seat.get("label"), 60) or name,
                "entrant": {part: value for part, value in entrant.items() if part != "seat"},
                "riders": _riders(seat.get("riders")),
            }
        )
    return seats


def _riders(told: object) -> Json:
    """How riders are shown, as far as a file tells it readably."""
    riders = told.items() if isinstance(told, dict) else ()
    return {
        cleaned_text(rider, 40): {name: cleaned_text(shown.get(name), 60) for name in ("bib", "name", "jersey")}
        for rider, shown in list(riders)[:MOST_SEATS]
        if isinstance(shown, dict)
    }


def cleaned_text(text: object, most: int) -> str:
    """Text from a file as it is stored: one line, nothing invisible, not too long; empty if it is no text."""
    if not isinstance(text, str | int) or isinstance(text, bool):
        return ""
    kept = "".join(mark if mark.isprintable() else " " for mark in str(text)[: 4 * most])
    return " ".join(kept.split())[:most].strip()


def cleaned_title(text: object) -> str:
    return cleaned_text(text, 120) if isinstance(text, str) else ""
