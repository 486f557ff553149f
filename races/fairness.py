"""Chance that nobody can steer, and the check that anybody can make.

A race made online gets a secret *seed* and shows its *commitment* (SHA-256) at once. Each chance entry of the log is
drawn from a *stream* of bytes that hangs on the seed, the race, the number of the entry and the *purpose* of the draw
alone: what is added or taken back elsewhere shifts nothing. A *ticket* is a number below the tickets in the hat, without
modulo bias. When the race is over the seed is shown, and `verify` replays the log and draws every ticket again.

The bytes, exactly (docs/fairness.md tells the same to players; tests/races/fairness_vectors.json has examples):

    message  "chance/1" | len(race) race | entry | len(purpose) purpose | block     no separators
    block b  HMAC-SHA256(key = seed, message with block = b), 32 bytes; the stream is block 0, 1, 2...
    numbers  `entry`, `block` and both lengths are 8 bytes, the most significant first; texts are UTF-8, lengths in bytes

Every part has a fixed size or its length before it, so no two different inputs give the same message.

    ticket   of `total`: bits = bits of (total - 1), so that 2^bits >= total; size = bits / 8, rounded up.
             Take the next `size` bytes of the stream as a number, the most significant byte first; keep its lowest
             `bits` bits. Below `total`: the ticket. Otherwise drop it and take the next `size` bytes.
             A total of 1 takes no byte. Bytes are taken across the border of two blocks.

Nothing here reads a clock, a database or Django. `races` keeps the seed; nothing that leaves the server may hold it
before the race is over.
"""

import hashlib
import hmac
import json
import re
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import count, takewhile
from types import MappingProxyType
from typing import Any, Final, TypeGuard

from rules import chance
from rules.chance import Weighted
from rules.errors import RulesError, Saying, Unreadable, gettext_noop
from rules.game import AnyGame, Decision, Json, Taker

SEED_BYTES: Final = 32
SCHEME: Final = b"chance/1"  # another way to draw would be another word here
LARGEST_ENTRY: Final = 2**63 - 1
LONGEST_RACE: Final = 200  # characters in the public name of a race
ABANDONED: Final = "abandoned"  # the kind of the note that ends a race without a result


# ---- seed and commitment ---------------------------------------------------------------------------------------------
def new_seed() -> bytes:
    """The secret of one race: 32 bytes from the system's entropy. Never the same for two races."""
    return secrets.token_bytes(SEED_BYTES)


def commitment(seed: bytes) -> str:
    """What is shown of the seed while the race runs: its SHA-256, as 64 hexadecimal digits in lower case."""
    return hashlib.sha256(seed).hexdigest()


def commits(seed: bytes, promised: str) -> bool:
    """Whether `promised` was the commitment to this seed. Takes the same time for every answer."""
    return hmac.compare_digest(commitment(seed).encode(), promised.encode("utf-8", "replace"))


# ---- drawing ---------------------------------------------------------------------------------------------------------
def purpose_of(decision: Decision) -> str:
    """What a chance decision is drawn for, as one text that no other kind, subject and reason have.

    `kind`, then `|about=...` and `|why=...` where they are told; a backslash or bar inside them has a backslash before it.
    """

    def plain(text: str) -> str:
        return text.replace("\\", "\\\\").replace("|", "\\|")

    told = [("about", decision.about), ("why", decision.why)]
    return "|".join([plain(decision.kind), *(f"{name}={plain(text)}" for name, text in told if text is not None)])


def stream(seed: bytes, race: str, entry: int, purpose: str) -> Iterator[bytes]:
    """The bytes that entry `entry` (from 1) of `race` draws from for `purpose`, in blocks of 32, without end.

    ValueError for a seed that is not 32 bytes, a race without a name, a number out of range, text that is no UTF-8.
    """
    if len(seed) != SEED_BYTES:
        raise ValueError(f"a seed is {SEED_BYTES} bytes")
    if not race:
        raise ValueError("a race is drawn for by its public name")
    if not 1 <= entry <= LARGEST_ENTRY:
        raise ValueError("entries count from 1")
    message = SCHEME + _measured(race) + entry.to_bytes(8, "big") + _measured(purpose)
    return (hmac.digest(seed, message + block.to_bytes(8, "big"), "sha256") for block in count())


def _measured(text: str) -> bytes:
    """The text in UTF-8 with its length in bytes before it."""
    told = text.encode()
    return len(told).to_bytes(8, "big") + told


def below(total: int, blocks: Iterator[bytes]) -> int:
    """A number from 0 to `total` - 1, each as likely as any other if the bytes are. ValueError for a total below 1."""
    if total < 1:
        raise ValueError("an empty hat holds no ticket")
    bits = (total - 1).bit_length()
    size = (bits + 7) // 8
    kept = (1 << bits) - 1
    held = b""
    while True:
        while len(held) < size:
            held += next(blocks)
        number = int.from_bytes(held[:size], "big") & kept
        if number < total:
            return number
        held = held[size:]


def ticket(seed: bytes, race: str, entry: int, purpose: str, total: int) -> int:
    """The ticket that entry `entry` of `race` draws out of `total`, from 0. ValueError as `stream` and `below`."""
    return below(total, stream(seed, race, entry, purpose))


def due(decisions: Sequence[Decision]) -> Decision | None:
    """The chance decision that is answered next: the first one open, so that nobody can choose among several."""
    return next((decision for decision in decisions if decision.taker is Taker.CHANCE), None)


def answer(game: AnyGame, state: Any, decision: Decision, *, seed: bytes, race: str, entry: int) -> Any:
    """What falls for an open chance decision, as the action that log entry `entry` will hold.

    ValueError if the decision is not one of chance.
    """
    return _fallen(game.weighted(state, decision), decision, seed=seed, race=race, entry=entry)[1]


def _fallen(
    outcomes: Sequence[Weighted[Any]], decision: Decision, *, seed: bytes, race: str, entry: int
) -> tuple[int, Any]:
    """The ticket and the outcome that holds it."""
    number = ticket(seed, race, entry, purpose_of(decision), chance.total(outcomes))
    return number, chance.drawn(outcomes, number)


# ---- what a check says -----------------------------------------------------------------------------------------------
class Verdict(StrEnum):
    """The answer in one word."""

    FAIR = "fair"  # nothing is amiss, and every roll is the one that the seed gives
    OPEN = "open"  # nothing is amiss, but there are rolls whose seed is not shown (yet)
    TABLE = "table"  # nothing is amiss; people rolled at a table, and no seed can speak for their dice
    FAULTY = "faulty"  # the findings say what is amiss


class Fault(StrEnum):
    """What can be amiss with a log."""

    NOT_A_LOG = "not_a_log"  # no object, or its head cannot be read
    UNKNOWN_GAME = "unknown_game"  # nobody knows the game, or this version of its rules
    SETUP = "setup"  # the rules refuse its options or entrants
    SEED = "seed"  # seed or commitment cannot be read, or do not fit each other
    SEED_WITHHELD = "seed_withheld"  # the race is over and its seed is not shown
    MISSING = "missing"  # numbers without an entry
    DOUBLED = "doubled"  # a second entry of the same number
    OUT_OF_ORDER = "out_of_order"  # an entry stands after a later one
    UNREADABLE = "unreadable"  # an entry, or the action in it, cannot be read
    REFUSED = "refused"  # the rules refuse the action
    RULES_FAILED = "rules_failed"  # the rules broke over it
    AFTER_THE_END = "after_the_end"  # the race was already over
    NO_CHANCE_OPEN = "no_chance_open"  # nothing was to be rolled
    CHANCE_ORDER = "chance_order"  # something else was to be rolled first
    CHANCE = "chance"  # the seed gives another outcome
    WRONG_TAKER = "wrong_taker"  # not for this seat, or not for a seat, to decide
    REWIND = "rewind"  # goes back to where it may not
    FALSE_VOID = "false_void"  # marked as taken back, but no rewind did
    NOT_OVER = "not_over"  # the seed is shown, but the race is neither over nor abandoned


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that is amiss, at entry `n` (None: with the log as a whole). The saying is translated where it is shown."""

    fault: Fault
    n: int | None
    saying: Saying

    def __str__(self) -> str:
        return str(self.saying) if self.n is None else f"entry {self.n}: {self.saying}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Roll:
    """One chance entry, checked. All that is needed to draw its ticket again by hand, but for the seed."""

    n: int
    race: str | None  # of the race that rolled it: in a fork the one that it came from; None: cannot be read
    decision: Decision
    hat: tuple[Weighted[Json], ...]  # what could fall, in the order in which the outcomes hold their tickets
    ticket: int | None  # from 0; None, with `expected` and `ok`: there is no seed to draw it from
    expected: Json | None
    found: Json
    ok: bool | None
    burnt: bool = False  # a later rewind took it back; it was rolled all the same

    @property
    def total(self) -> int:
        """Tickets in the hat."""
        return chance.total(self.hat)

    @property
    def purpose(self) -> str:
        return purpose_of(self.decision)

    @property
    def words(self) -> str:
        """What was rolled, in the words of the game: `event_die of A1: crack`."""
        about = f" of {self.decision.about}" if self.decision.about is not None else ""
        why = f": {self.decision.why}" if self.decision.why is not None else ""
        return f"{self.decision.kind}{about}{why}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """What a log is worth. `state` is the last position that is certain, after entry `at` (0: the start)."""

    verdict: Verdict
    seed_fits: bool | None  # None: no seed is shown
    rolls: tuple[Roll, ...]  # in the order of the log, burnt ones among them
    findings: tuple[Finding, ...]
    unchecked: tuple[int, ...]  # entries with an action that met no certain position
    at: int
    state: Any | None  # None: not even a start
    over: bool
    abandoned: bool  # the organiser ended it: nothing follows, and what was rolled is checked as ever
    outcome: Json | None


# ---- checking --------------------------------------------------------------------------------------------------------
def verify(log: object, game: AnyGame | None = None) -> Verification:
    """Replay a log, draw all its tickets again, and say what is amiss. Never raises, whatever the log holds.

    The log is JSON, read: `game`, `version`, `race`, `commitment` and `seed` (64 hexadecimal digits; no seed while the
    race runs, neither of them for a race at a table), `options`, `entrants`, `entries`. An entry has a number `n` (from
    1, without a gap), a `taker` (seat, chance, organiser), the `seat` of a seat, and one of

    - `action`: answers a decision. A chance entry may name the seat that it is for.
    - `rewind_to`: the position is again the one after that entry (0: the start). Later entries go on with new numbers, so
      that the rolls between stay burnt. An organiser gives a `reason`; a seat takes back only what it alone did.
    - `note`: something that does not touch the position, such as a pause or a substitution. One of the organiser's whose
      `kind` is "abandoned" ends the race: its seed is shown, and nothing follows.

    `void` may mark an entry that a later rewind took back; anything else in an entry is not looked at. The log of a fork
    lists under `origins` whose rolls it took over: `to` (last entry), `race`, `commitment`, `seed`, earliest first.

    `game` is that of the log unless the caller has it at hand. After an entry that is missing or that the rules refuse
    the position is not known: what follows is `unchecked` until a rewind leads back to a known one.
    """
    check = _Check()
    if not isinstance(log, Mapping):
        check.find(
            Fault.NOT_A_LOG, None, gettext_noop("A log is an object with entries, not “%(text)s”."), text=_shown(log)
        )
        return check.result(_Sealed())
    own = check.sealed(log)
    check.sources = (*check.origins(log.get("origins")), (LARGEST_ENTRY, own))
    check.game = check.known(log, game)
    if check.game is not None:
        check.alive[0] = check.start(check.game, log)
    check.read(log.get("entries"))
    check.replay()
    return check.result(own)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sealed:
    """A race that rolled: its name, whether it promised a seed, the seed if it is shown and whether it kept the promise."""

    race: str | None = None
    promised: bool = False
    seed: bytes | None = None
    fits: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    n: int
    taker: Taker
    seat: str | None
    action: Mapping[str, Any] | None
    rewind_to: int | None
    reason: bool
    void: bool
    abandons: bool


@dataclass(frozen=True, slots=True)
class _Position:
    """A state that is certain; where a position may be unknown, None stands instead."""

    state: Any


_HEX = re.compile(r"[0-9a-f]{64}")


class _Check:
    """Goes through one log and gathers what it finds."""

    def __init__(self) -> None:
        self.findings: list[Finding] = []
        self.rolls: list[Roll] = []
        self.unchecked: list[int] = []
        self.game: AnyGame | None = None
        self.sources: tuple[tuple[int, _Sealed], ...] = ()  # (last entry, whose rolls up to there), in order
        self.entries: dict[int, _Entry | None] = {}  # None: there is one, but it cannot be read
        self.alive: dict[int, _Position | None] = {0: None}  # after each entry that was not taken back, in order
        self.burnt: set[int] = set()
        self.abandoned: int | None = None  # the entry that ended the race, if one did

    def find(self, fault: Fault, n: int | None, message: str, **params: str | int) -> None:
        self.findings.append(Finding(fault=fault, n=n, saying=Saying(message=message, params=MappingProxyType(params))))

    def refused(self, fault: Fault, n: int | None, refusal: RulesError) -> None:
        """The sentences of the rules themselves."""
        sayings = refusal.sayings or (Saying(message=gettext_noop("The rules refuse this.")),)
        self.findings.extend(Finding(fault=fault, n=n, saying=saying) for saying in sayings)

    def failed(self, n: int | None, failure: Exception) -> None:
        message = gettext_noop("The rules of the game cannot go on from here (%(error)s).")
        self.find(Fault.RULES_FAILED, n, message, error=type(failure).__name__)

    # ---- the head ----
    def sealed(self, source: Mapping[str, Any]) -> _Sealed:
        """Race, commitment and seed, of the log or of one it was forked from."""
        race, promised, shown = source.get("race"), source.get("commitment"), source.get("seed")
        if not _is_race(race):
            message = gettext_noop("“race” is a text of up to %(most)s characters, not “%(text)s”.")
            self.find(Fault.NOT_A_LOG, None, message, most=LONGEST_RACE, text=_shown(race))
            race = None
        if promised is not None and not _is_hex(promised):
            message = gettext_noop("A commitment is 64 hexadecimal digits, not “%(text)s”.")
            self.find(Fault.SEED, None, message, text=_shown(promised))
        if shown is None:
            return _Sealed(race=race, promised=promised is not None)
        if not _is_hex(shown):
            message = gettext_noop("A seed is 64 hexadecimal digits, not “%(text)s”.")
            self.find(Fault.SEED, None, message, text=_shown(shown))
            return _Sealed(race=race, promised=promised is not None, fits=False)
        seed = bytes.fromhex(shown)
        fits = isinstance(promised, str) and commits(seed, promised)
        if promised is None:
            self.find(Fault.SEED, None, gettext_noop("A seed is shown, but nothing was promised before the race."))
        elif not fits:
            message = gettext_noop("The seed is not the one that was promised: its SHA-256 is %(found)s.")
            self.find(Fault.SEED, None, message, found=commitment(seed))
        return _Sealed(race=race, promised=promised is not None, seed=seed, fits=fits)

    def origins(self, source: object) -> tuple[tuple[int, _Sealed], ...]:
        """Whose rolls a fork took over, each with the last entry that was theirs."""
        found: list[tuple[int, _Sealed]] = []
        after = -1
        told = () if source is None else source if isinstance(source, list | tuple) else (source,)
        for origin in told:
            to = origin.get("to") if isinstance(origin, Mapping) else None
            if not isinstance(origin, Mapping) or not _is_number(to) or to <= after:
                message = gettext_noop("“origins” lists races with the last entry that each of them rolled, in order.")
                self.find(Fault.NOT_A_LOG, None, message)
                break
            found.append((to, self.sealed(origin)))
            after = to
        return tuple(found)

    def known(self, log: Mapping[str, Any], given: AnyGame | None) -> AnyGame | None:
        """The rules that the log was written under; None if nobody has them."""
        name, version = log.get("game"), log.get("version")
        if isinstance(name, str) and _is_number(version):
            if given is None:
                from rules import registry  # late: who checks with a game at hand needs no other

                try:
                    return registry.game(name, version)
                except RulesError as refusal:
                    self.refused(Fault.UNKNOWN_GAME, None, refusal)
                    return None
            elif (given.name, given.version) == (name, version):
                return given
        message = gettext_noop("The rules at hand are not those of the game “%(game)s” in version “%(version)s”.")
        self.find(Fault.UNKNOWN_GAME, None, message, game=_shown(name), version=_shown(version))
        return None

    def start(self, game: AnyGame, log: Mapping[str, Any]) -> _Position | None:
        """The position before the first entry."""
        options, entrants = log.get("options"), log.get("entrants")
        if not (
            isinstance(options, Mapping)
            and isinstance(entrants, list | tuple)
            and all(isinstance(entrant, Mapping) for entrant in entrants)
        ):
            message = gettext_noop("“options” is an object and “entrants” a list of objects.")
            self.find(Fault.NOT_A_LOG, None, message)
            return None
        try:
            return _Position(game.setup(options, entrants))
        except RulesError as refusal:
            self.refused(Fault.SETUP, None, refusal)
        except Exception as failure:  # noqa: BLE001 - whatever a poisoned log breaks is told, and the page stands
            self.failed(None, failure)
        return None

    # ---- the entries ----
    def read(self, source: object) -> None:
        """All entries by their number, and what is wrong with the list."""
        if not isinstance(source, list | tuple):
            message = gettext_noop("“entries” is a list, not “%(text)s”.")
            self.find(Fault.NOT_A_LOG, None, message, text=_shown(source))
            return
        latest = 0
        for place, told in enumerate(source, start=1):
            n = told.get("n") if isinstance(told, Mapping) else None
            if not _is_number(n) or n < 1:
                message = gettext_noop("What stands at place %(place)s of the list has no number that counts from 1.")
                self.find(Fault.UNREADABLE, None, message, place=place)
            elif n in self.entries:
                self.find(
                    Fault.DOUBLED, n, gettext_noop("There is a second entry of this number; only the first counts.")
                )
            else:
                if n < latest:
                    message = gettext_noop("It stands after entry %(latest)s.")
                    self.find(Fault.OUT_OF_ORDER, n, message, latest=latest)
                self.entries[n] = self.entry(n, told)
                latest = max(latest, n)

    def entry(self, n: int, told: Mapping[str, Any]) -> _Entry | None:
        """One entry; None if it cannot be read."""
        taker = next((taker for taker in Taker if told.get("taker") == taker.value), None)
        if taker is None:
            message = gettext_noop("It is by a seat, chance or the organiser, not by “%(text)s”.")
            self.find(Fault.UNREADABLE, n, message, text=_shown(told.get("taker")))
            return None
        seat, void = told.get("seat"), told.get("void", False)
        if not (isinstance(seat, str) or (seat is None and taker is not Taker.SEAT)):
            self.find(Fault.UNREADABLE, n, gettext_noop("It names no seat, but “%(text)s”."), text=_shown(seat))
            return None
        does = [word for word in ("action", "rewind_to", "note") if told.get(word) is not None]
        if len(does) != 1 or (taker is Taker.CHANCE and does != ["action"]):
            message = gettext_noop("An entry is one action, one rewind or one note; chance only acts.")
            self.find(Fault.UNREADABLE, n, message)
            return None
        action, back = told.get("action"), told.get("rewind_to")
        readable = isinstance(told[does[0]], Mapping) if back is None else _is_number(back)
        if not readable or not isinstance(void, bool):
            message = gettext_noop("“%(word)s” cannot be read: “%(text)s”.")
            word = does[0] if not readable else "void"
            self.find(Fault.UNREADABLE, n, message, word=word, text=_shown(told[word]))
            return None
        reason, note = told.get("reason"), told.get("note")
        reasoned = isinstance(reason, str) and reason.strip() != ""
        abandons = taker is Taker.ORGANISER and isinstance(note, Mapping) and note.get("kind") == ABANDONED
        return _Entry(
            n=n, taker=taker, seat=seat, action=action, rewind_to=back, reason=reasoned, void=void, abandons=abandons
        )

    def replay(self) -> None:
        """Play all entries in the order of their numbers."""
        position = self.alive[0]
        follows = 1
        for n, entry in sorted(self.entries.items(), key=lambda item: item[0]):
            if n > follows:
                message = gettext_noop("Missing are the entries from %(first)s to %(last)s.")
                self.find(Fault.MISSING, follows, message, first=follows, last=n - 1)
                position = None
            position = self.alive[n] = self.after(entry, position)
            follows = n + 1
        for n, entry in self.entries.items():
            if entry is not None and entry.void and n not in self.burnt:
                self.find(Fault.FALSE_VOID, n, gettext_noop("It is marked as taken back, but no rewind took it back."))

    def after(self, entry: _Entry | None, position: _Position | None) -> _Position | None:
        """The position after an entry that meets `position`; None where it is not known."""
        if entry is None:
            return None
        if self.is_abandoned(entry.n) and (entry.action is not None or entry.rewind_to is not None):
            if self.source(entry.n).promised:
                message = gettext_noop("The race had been abandoned, and its seed may be known: nothing can follow.")
                self.find(Fault.AFTER_THE_END, entry.n, message)
            self.abandoned = None
        if entry.abandons:
            self.abandoned = entry.n
        if entry.rewind_to is not None:
            return self.rewound(entry, entry.rewind_to, position)
        if entry.action is None:
            return position
        if position is None or self.game is None:
            self.unchecked.append(entry.n)
            return None
        try:
            return self.played(self.game, entry, entry.action, position)
        except Unreadable as refusal:
            self.refused(Fault.UNREADABLE, entry.n, refusal)
        except RulesError as refusal:
            self.refused(Fault.REFUSED, entry.n, refusal)
        except Exception as failure:  # noqa: BLE001 - whatever a poisoned log breaks is told, and the page stands
            self.failed(entry.n, failure)
        return None

    def is_abandoned(self, n: int) -> bool:
        """Whether the race that rolled entry `n` had been abandoned before it. A fork goes on under a seed of its own."""
        return self.abandoned is not None and self.source(self.abandoned) is self.source(n)

    def rewound(self, entry: _Entry, back: int, position: _Position | None) -> _Position | None:
        """The position that a rewind leads back to, all later entries taken back."""
        if back not in self.alive:
            message = gettext_noop("It goes back to entry %(back)s, which is not before it or was itself taken back.")
            self.find(Fault.REWIND, entry.n, message, back=back)
            return None
        if self.over(position) and self.source(entry.n).promised:
            message = gettext_noop("The race was over, and its seed may be known: nothing can be taken back any more.")
            self.find(Fault.AFTER_THE_END, entry.n, message)
        taken = list(takewhile(lambda n: n > back, reversed(self.alive)))
        if entry.taker is Taker.ORGANISER:
            if not entry.reason:
                self.find(Fault.REWIND, entry.n, gettext_noop("The organiser goes back without giving a reason."))
        elif other := next((n for n in taken if not self.is_own(entry, n)), None):
            message = gettext_noop("Seat %(seat)s takes back entry %(other)s, which was not its own.")
            self.find(Fault.REWIND, entry.n, message, seat=_shown(entry.seat), other=other)
        for n in taken:
            del self.alive[n]
        self.burnt.update(taken)
        return self.alive[back]

    def is_own(self, rewind: _Entry, n: int) -> bool:
        """Whether entry `n` was done by the seat that takes it back, or did nothing to the position."""
        entry = self.entries[n]
        return entry is None or entry.action is None or (entry.taker, entry.seat) == (rewind.taker, rewind.seat)

    def played(self, game: AnyGame, entry: _Entry, told: Mapping[str, Any], position: _Position) -> _Position:
        """The position after an action, everything about it checked. Raises what the rules raise."""
        action = game.read_action(told)
        decisions = game.decisions(position.state)
        if not decisions:
            self.find(Fault.AFTER_THE_END, entry.n, gettext_noop("The race was already over."))
            return position
        if entry.taker is Taker.CHANCE:
            self.rolled(game, entry, action, position.state, decisions)
            asked = True
        else:
            asked = self.was_asked(game, entry, action, position.state, decisions)
        state = game.apply(position.state, action).state
        if not asked:
            self.not_asked(entry, decisions)
        return _Position(state)

    def was_asked(self, game: AnyGame, entry: _Entry, action: Any, state: Any, decisions: Sequence[Decision]) -> bool:
        """Whether it was for the taker of this entry to decide. Where nobody else can, the rules judge the action alone."""
        own = [decision for decision in decisions if _is_for(entry, decision)]
        return len(own) == len(decisions) or any(action in game.legal(state, decision) for decision in own)

    def not_asked(self, entry: _Entry, decisions: Sequence[Decision]) -> None:
        message = gettext_noop("It is told as decided by %(taker)s; it was for %(open)s to decide.")
        by = dict.fromkeys(_by(decision.taker, decision.seat) for decision in decisions)
        self.find(Fault.WRONG_TAKER, entry.n, message, taker=_by(entry.taker, entry.seat), open=", ".join(by))

    def rolled(self, game: AnyGame, entry: _Entry, action: Any, state: Any, decisions: Sequence[Decision]) -> None:
        """A chance entry: which decision it answers, and what the seed says to it."""
        first = due(decisions)
        if first is None:
            self.find(Fault.NO_CHANCE_OPEN, entry.n, gettext_noop("There was nothing to roll or draw."))
            return
        source = self.source(entry.n)
        decision, outcomes = first, game.weighted(state, first)
        if all(outcome.action != action for outcome in outcomes):
            for other in decisions:
                if other.taker is Taker.CHANCE and other != first:
                    others = game.weighted(state, other)
                    if any(outcome.action == action for outcome in others):
                        decision, outcomes = other, others
                        break
        if not _is_for(entry, decision):
            self.not_asked(entry, [decision])
        roll = Roll(
            n=entry.n,
            race=source.race,
            decision=decision,
            hat=tuple(Weighted(game.write_action(outcome), weight) for outcome, weight in outcomes),
            ticket=None,
            expected=None,
            found=game.write_action(action),
            ok=None,
        )
        if decision != first and source.promised:
            message = gettext_noop("This was rolled: %(found)s. First to be rolled was: %(first)s.")
            before = replace(roll, decision=first).words
            self.find(Fault.CHANCE_ORDER, entry.n, message, found=_shown(roll.words), first=_shown(before))
        if source.seed is not None and source.race is not None:
            number, expected = _fallen(outcomes, decision, seed=source.seed, race=source.race, entry=entry.n)
            told = game.write_action(expected)
            roll = replace(roll, ticket=number, expected=told, ok=expected == action)
            if not roll.ok:
                message = gettext_noop("The seed gives %(expected)s, the log has %(found)s.")
                params = {"expected": json.dumps(told), "found": json.dumps(roll.found)}
                self.find(Fault.CHANCE, entry.n, message, **params)
        self.rolls.append(roll)

    def source(self, n: int) -> _Sealed:
        """The race that rolled entry `n`."""
        return next(sealed for to, sealed in self.sources if n <= to)

    def over(self, position: _Position | None) -> bool:
        """Whether the race is over for certain."""
        if position is None or self.game is None:
            return False
        try:
            return not self.game.decisions(position.state)
        except Exception:  # noqa: BLE001 - it is not over for certain; whoever plays on from here is told why
            return False

    # ---- the end ----
    def result(self, own: _Sealed) -> Verification:
        at, last = next(((n, p) for n, p in reversed(self.alive.items()) if p is not None), (0, None))
        whole = next(reversed(self.alive.values())) is not None
        over = whole and self.over(last)
        outcome = None
        if over and self.game is not None and last is not None:
            try:
                outcome = self.game.outcome(last.state)
            except Exception as failure:  # noqa: BLE001 - whatever a poisoned log breaks is told, and the page stands
                self.failed(None, failure)
        abandoned = self.is_abandoned(LARGEST_ENTRY)
        if whole and not (over or abandoned) and own.seed is not None:
            self.find(Fault.NOT_OVER, None, gettext_noop("The seed is shown, but the race is not over."))
        if (over or abandoned) and own.promised and own.seed is None and own.fits is None:
            self.find(Fault.SEED_WITHHELD, None, gettext_noop("The race is over, but its seed is not shown."))
        return Verification(
            verdict=self.verdict(own),
            seed_fits=own.fits,
            rolls=tuple(replace(roll, burnt=roll.n in self.burnt) for roll in self.rolls),
            findings=tuple(self.findings),
            unchecked=tuple(self.unchecked),
            at=at,
            state=None if last is None else last.state,
            over=over,
            abandoned=abandoned,
            outcome=outcome,
        )

    def verdict(self, own: _Sealed) -> Verdict:
        if self.findings:
            return Verdict.FAULTY
        if not any(sealed.promised for _, sealed in self.sources):
            return Verdict.TABLE
        return Verdict.FAIR if own.fits and all(roll.ok for roll in self.rolls) else Verdict.OPEN


def _is_for(entry: _Entry, decision: Decision) -> bool:
    """Whether the decision was for the taker of the entry; chance and the organiser need not name a seat."""
    unnamed = entry.seat is None and entry.taker is not Taker.SEAT
    return decision.taker is entry.taker and (unnamed or decision.seat == entry.seat)


def _by(taker: Taker, seat: str | None) -> str:
    return taker.value if seat is None else f"{taker.value} {_shown(seat)}"


def _is_number(value: object) -> TypeGuard[int]:
    """A whole number that an entry can have. JSON's true is none."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= LARGEST_ENTRY


def _is_hex(value: object) -> TypeGuard[str]:
    return isinstance(value, str) and _HEX.fullmatch(value) is not None


def _is_race(value: object) -> TypeGuard[str]:
    """A name that a race can be drawn for: lone surrogates have no UTF-8."""
    if not isinstance(value, str) or not 1 <= len(value) <= LONGEST_RACE:
        return False
    return not any(0xD800 <= ord(mark) < 0xE000 for mark in value)


def _shown(value: object) -> str:
    """What stands in the log, short enough and safe enough for a sentence."""
    if isinstance(value, str):
        text = "".join(mark if mark.isprintable() else "\N{REPLACEMENT CHARACTER}" for mark in value[:60])
        return f"{text}…" if len(value) > 60 else text
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, int) and abs(value) < 10**20:
        return str(value)
    return "{…}" if isinstance(value, Mapping) else "[…]" if isinstance(value, list | tuple) else "…"
