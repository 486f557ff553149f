"""The sheet of a round: cells as they are typed, the sheet as it is published. One door for form, race and demo.

The cells are a draft that two may fill at once: what only one of them changed is kept, what both changed is a clash that
shows both. Publishing reads and checks the cells and leaves a `RoundVersion`; an official sheet changes only with a reason,
which stands beside the new version, and the old one stays readable.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from league.entrants import AS_SHOWN, riding
from league.errors import Late, Refused
from league.models import Player, Round, RoundRace, RoundVersion, SeriesEntrant
from league.models.results import SheetState
from league.roster import kept
from league.round_sheets import Field, Reading, RoundSheet, Starter, sheet_of
from league.series import locked_round
from league.sheets.findings import Finding, Level, blocks_official, blocks_provisional
from races.models import Race, Status

RIDES, BOT, NO_SHOW, OFF = "", "bot", "away", "off"
SUBSTITUTE = "sub-"
"""Who rode for an entrant, in the cell who-<entrant>: himself, a bot, nobody, nobody asked; or sub-<player>."""

ON = "on"
LONGEST = 2000  # of a cell
WHY_LENGTH = 500


class RoundRefused(Refused):
    """The sheet cannot be published as it stands; the findings say what and where."""

    def __init__(self, message: str, findings: Iterable[Finding] = ()) -> None:
        super().__init__(message)
        self.findings = tuple(findings)


@dataclass(frozen=True)
class Entry:
    """A sheet as it is being filled."""

    round: Round
    sheet: RoundSheet
    entrants: tuple[SeriesEntrant, ...]  # who may stand on it
    cells: Mapping[str, str]

    def who(self, entrant: SeriesEntrant) -> str:
        """Who rode for an entrant. A bot of the series rides itself."""
        who = self.cells.get(f"who-{entrant.pk}", RIDES)
        return RIDES if entrant.is_bot and who == BOT else who

    @cached_property
    def starters(self) -> tuple[Starter, ...]:
        return tuple(
            Starter(entrant=entrant.pk, code=entrant.code, name=entrant.name)
            for entrant in self.entrants
            if self.who(entrant) not in (NO_SHOW, OFF)
        )

    @cached_property
    def reading(self) -> Reading:
        """What is typed where the sheet has a field. What was typed for somebody who did not come waits in the draft."""
        keys = {field.key for field in self.fields}
        cells = {key: text for key, text in self.cells.items() if key in keys or key.startswith("sure-")}
        read = self.sheet.examine(cells, self.round.options, self.starters)
        return replace(read, findings=(*read.findings, *self._several_at_once()))

    def _several_at_once(self) -> Iterator[Finding]:
        """Somebody who rode for more than one entrant, which is asked about."""
        rode: dict[int, list[SeriesEntrant]] = {}
        for entrant in self.entrants:
            who = self.who(entrant)
            if who == RIDES and entrant.player is not None:
                rode.setdefault(kept(entrant.player).pk, []).append(entrant)
            elif who.startswith(SUBSTITUTE) and who.removeprefix(SUBSTITUTE).isdecimal():
                rode.setdefault(int(who.removeprefix(SUBSTITUTE)), []).append(entrant)
        several = {pk: entrants for pk, entrants in rode.items() if len(entrants) > 1}
        names = {player.pk: str(player) for player in self.players} if several else {}
        for pk, entrants in several.items():
            sure = f"sure-several-{pk}"
            words = {"player": names.get(pk, "?"), "entrants": ", ".join(entrant.code for entrant in entrants)}
            yield Finding(
                code="several", rule=None, level=Level.NOTE if self.cells.get(sure) == ON else Level.ASK,
                cell=f"who-{entrants[-1].pk}", sure=sure,
                message=_("%(player)s rode for several at once: %(entrants)s. Was it so?") % words,
            )  # fmt: skip

    @cached_property
    def fields(self) -> list[Field]:
        return self.sheet.fields(self.round.options, self.starters)

    @cached_property
    def players(self) -> list[Player]:
        """Who may ride for an entrant: the club's roster."""
        return list(self.round.series.season.club.players.filter(merged_into=None, left_at=None))

    @property
    def blocks_provisional(self) -> bool:
        return self.reading.rows is None or blocks_provisional(self.reading.findings)

    @property
    def blocks_official(self) -> bool:
        return self.reading.rows is None or blocks_official(self.reading.findings)

    @cached_property
    def content(self) -> dict[str, Any]:
        """What is stored: the game's part, and who rode."""
        who = {str(entrant.pk): self.who(entrant) for entrant in self.entrants if self.who(entrant)}
        codes = {str(entrant.pk): entrant.code for entrant in self.entrants}
        return {"game": self.reading.content, "who": who, "codes": codes}

    def result(self) -> dict[str, Any]:
        """The rows that the series is counted from: who came, and who should have come."""
        by_pk = {entrant.pk: entrant for entrant in self.entrants}
        rows = []
        for row in self.reading.rows or ():
            who = self.who(by_pk[row.entrant])
            substitute = int(who.removeprefix(SUBSTITUTE)) if who.startswith(SUBSTITUTE) else None
            rows.append(
                {
                    "entrant": row.entrant, "rank": row.rank, "points": row.points, "extra": row.extra,
                    "bot": who == BOT or by_pk[row.entrant].is_bot, "substitute": substitute, "no_show": False,
                    "facts": dict(row.facts),
                }
            )  # fmt: skip
        rows += [
            {"entrant": pk, "rank": None, "points": 0, "extra": 0, "bot": False, "substitute": None, "no_show": True, "facts": {}}
            for pk, entrant in by_pk.items()
            if self.who(entrant) == NO_SHOW
        ]  # fmt: skip
        told = {"rows": rows, "abandoned_early": self.reading.abandoned_early}
        return told if self.reading.stage is None else told | {"stage": self.reading.stage}


def entry_of(round_: Round, cells: Mapping[str, str] | None = None) -> Entry:
    """The sheet of a round with its draft (or these cells instead)."""
    sheet = sheet_of(round_.series.game, timed=round_.series.is_timed)
    assert sheet is not None, "a series has a game with a sheet"
    written = newest_version(round_)
    there = {int(pk) for pk in written.content["codes"]} if written else set()
    return Entry(
        round=round_,
        sheet=sheet,
        entrants=tuple(riding(round_, there)),
        cells=dict(round_.cells if cells is None else cells),
    )


def newest_version(round_: Round) -> RoundVersion | None:
    return round_.versions.order_by("-number").select_related("by").first() if round_.version else None


def cells_of(version: RoundVersion) -> dict[str, str]:
    """The cells of a published sheet, so that a correction begins with what stands."""
    round_ = version.round
    sheet = sheet_of(round_.series.game, timed=round_.series.is_timed)
    assert sheet is not None, "a series has a game with a sheet"
    who = {f"who-{pk}": value for pk, value in version.content["who"].items()}
    return sheet.cells_of(version.content["game"], round_.options, starters_of(version)) | who


def starters_of(version: RoundVersion) -> tuple[Starter, ...]:
    """Who stood on a published sheet, as it calls them."""
    who = version.content["who"]
    names = {entrant.pk: entrant.name for entrant in version.round.series.entrants.select_related(*AS_SHOWN)}
    return tuple(
        Starter(entrant=int(pk), code=code, name=names.get(int(pk), code))
        for pk, code in version.content["codes"].items()
        if who.get(pk) not in (NO_SHOW, OFF)
    )


# ---- typing ------------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Typed:
    """What became of typed cells. `clashes`: by cell what was typed now; what stands there is somebody else's."""

    stored: tuple[str, ...]
    clashes: Mapping[str, str]


def keys_of(entry: Entry) -> set[str]:
    """The cells of a sheet that somebody may type into."""
    keys = {field.key for field in entry.fields} | {f"who-{entrant.pk}" for entrant in entry.entrants}
    return keys | {finding.sure for finding in entry.reading.findings if finding.sure}


def tidy(text: str) -> str:
    """Typed text as a cell holds it."""
    kept = " ".join(text.replace("\0", "\ufffd").split())
    return kept if len(kept) <= LONGEST else kept[: LONGEST - 1] + "…"


def type_cells(
    round_: Round, user: User | None, now: Mapping[str, str], was: Mapping[str, str], *, correcting: bool = False
) -> Typed:
    """Store what somebody typed. `was`: what stood in each cell when he began; an untouched cell changes nothing.

    Raises Late where the sheet has been made official meanwhile and something would change (unless `correcting`).
    """
    with transaction.atomic():
        found = locked_round(round_)
        cells, stored, clashes = dict(found.cells), [], {}
        for key in sorted({*now, *was}):
            value, before = tidy(now.get(key, "")), tidy(was.get(key, ""))
            stands = cells.get(key, "")
            if value in (before, stands):
                continue
            if stands == before:
                cells[key] = value
                stored.append(key)
            else:
                clashes[key] = value
        if stored and found.is_official and not correcting:
            raise Late(
                _("%(round)s has been made official meanwhile. Correct it with a reason.") % {"round": found}
            )  # fmt: skip
        if stored:
            _keep(found, user, cells)
        round_.cells, round_.typed_by, round_.typed_at = found.cells, found.typed_by, found.typed_at
        round_.state, round_.version = found.state, found.version
    return Typed(tuple(stored), clashes)


def _keep(found: Round, user: User | None, cells: Mapping[str, str]) -> None:
    found.cells = {key: value for key, value in cells.items() if value}
    found.typed_by, found.typed_at = user, timezone.now()
    found.save(update_fields=["cells", "typed_by", "typed_at"])


def tap(round_: Round, user: User, key: str, what: str, *, correcting: bool = False) -> None:
    """Write what was tapped at the end of a cell; `-` takes the last one off again."""
    entry = entry_of(round_)
    field = next((field for field in entry.fields if field.key == key), None)
    names = {name for _group, taps in field.taps for name in taps} if field else set()
    have = entry.cells.get(key, "").split()
    if what == "-":
        new = have[:-1]
    elif what in names:
        new = [*have, what]
    else:
        return
    type_cells(round_, user, {key: " ".join(new)}, {key: entry.cells.get(key, "")}, correcting=correcting)


def reset_draft(round_: Round, user: User) -> None:
    """Throw the draft away: it says again what is published."""
    with transaction.atomic():
        found = locked_round(round_)
        version = newest_version(found)
        if version is None:
            raise Refused(_("%(round)s has no published result to go back to.") % {"round": found})
        version.round = found
        _keep(found, user, cells_of(version))
        round_.cells = found.cells


# ---- publishing --------------------------------------------------------------------------------------------------------
def publish(round_: Round, user: User | None, *, official: bool = False, reason: str = "") -> RoundVersion:
    """Make the draft public, provisional or official. The same content again in the same state is the same version.

    An official sheet is published again only with a reason. Raises RoundRefused with what stands in the way.
    """
    with transaction.atomic():
        found = locked_round(round_)
        entry, newest = entry_of(found), newest_version(found)
        reason = " ".join(reason.split())[:WHY_LENGTH]
        same = newest is not None and newest.content == entry.content
        if found.is_official:
            if same and newest is not None:
                return newest
            if not reason:
                raise RoundRefused(_("The sheet is official: say why it is corrected. Everybody will read it."))
            official = True
        if official:
            _its_race_has_ended(found)
        if entry.blocks_official if official else entry.blocks_provisional:
            raise RoundRefused(_("The sheet is not ready: see the marked cells."), entry.reading.findings)
        state = SheetState.OFFICIAL if official else SheetState.PROVISIONAL
        if same and newest is not None and newest.state == state:
            return newest
        version = RoundVersion.objects.create(
            round=found, number=found.version + 1, state=state, content=entry.content, result=entry.result(),
            reason=reason, by=user,
        )  # fmt: skip
        found.is_revised = found.is_revised or found.is_official
        found.version, found.state = version.number, state
        found.published_at = found.published_at or version.at
        if official:
            found.official_at, found.signed_by = found.official_at or version.at, user
        found.save(update_fields=["version", "state", "is_revised", "published_at", "official_at", "signed_by"])
        for name in ("version", "state", "is_revised", "published_at", "official_at", "signed_by"):
            setattr(round_, name, getattr(found, name))
        return version


def _its_race_has_ended(round_: Round) -> None:
    """No sheet is signed while its race is on the road. Called under the round's lock."""
    for found in RoundRace.objects.select_related("race").filter(round=round_, is_live=True):
        race = Race.objects.select_for_update().get(pk=found.race_id)
        if race.status == Status.RUNNING:
            raise RoundRefused(_("The race of this round is on the road. Let it end first, or abandon it."))
        if race.status == Status.OVER and race.ended_at != found.settled_end:
            raise RoundRefused(_("The race of this round has just ended: its result comes onto the sheet in a moment."))


def called(sheet: RoundSheet, rows: Sequence[Mapping[str, Any]]) -> list[tuple[str, str]]:
    """The columns of a sheet that some row tells something in."""
    return [(key, label) for key, label in sheet.columns if any(row["facts"].get(key) for row in rows)]
