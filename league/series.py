"""Setting up a points series: its rules, its entrants, its rounds. One call for each form; the demo makes the same calls.

What a round leaves open to the game (course, options) is chosen in the game's own form, the one of a friendly race;
nothing here belongs to a game. Typing and publishing results is the business of `rounds`.
"""

import re
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from string import ascii_lowercase
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.text import slugify
from django.utils.translation import gettext as _

from league.access import open_for_change
from league.campaigns import Fault, Faulty, named, refuse
from league.entrants import AS_SHOWN
from league.errors import Late, Refused
from league.models import Division, Player, Round, RoundRace, Season, Series, SeriesEntrant, Team
from league.models.campaign import Way
from league.models.series import Counting, Entered, usual_points
from league.round_sheets import RoundSheet, sheet_of
from races.models import Status
from races.setups import SetupForm, setup_of

ROUND_NUMBER = re.compile(r"[0-9]{1,3}[a-z]?")
ADDRESS = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
CODE = re.compile(r"[A-Z]{1,3}")
MOST_PLACES = 40
MOST_POINTS = 1000
MOST_ENTRANTS = 60
TEXT_LENGTH = 8000  # of what is chosen in the game's form: a course that is written out is the longest


# ---- the series --------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, kw_only=True)
class SeriesPlan:
    """What a series shall be. An empty address is made from the name. `drop_one_in`: None where all results count."""

    name: str
    game: str
    slug: str = ""
    entered: str = Entered.PLAYERS.value
    counting: str = Counting.POINTS.value
    points: Sequence[int] = field(default_factory=usual_points)
    bonus: int = 1
    drop_one_in: int | None = 4


def lock(series: Series) -> Series:
    """The series under its row lock: whoever changes it stands in line here."""
    found = Series.objects.select_for_update(of=("self",)).select_related("season__club").filter(pk=series.pk).first()
    if found is None:
        raise Late(_("This series has been removed in the meantime."))
    open_for_change(found.season)
    return found


def new_series(season: Season, plan: SeriesPlan) -> Series:
    """A series of the season, still without entrants and rounds."""
    with transaction.atomic():
        season = Season.objects.select_for_update(of=("self",)).select_related("club").get(pk=season.pk)
        open_for_change(season)
        name = named(plan.name)
        slug = plan.slug or _free_address(season, name)
        refuse([*_faults(plan, name), *_address_faults(season, slug, None)], sure=False)
        return Series.objects.create(
            season=season, name=name, slug=slug, game=plan.game, entered=plan.entered, counting=plan.counting,
            points=list(plan.points), bonus=plan.bonus, drop_one_in=plan.drop_one_in,
        )  # fmt: skip


def change_series(series: Series, plan: SeriesPlan, *, sure: bool = False) -> Series:
    """Change a series. Asks where published results would count differently; the game and what a line of the table is
    stay once there are entrants, the address once a result is public."""
    with transaction.atomic():
        found = lock(series)
        public = found.rounds.exclude(version=0).exists()
        name, slug = named(plan.name), plan.slug or found.slug
        faults = [*_faults(plan, name), *_address_faults(found.season, slug, found)]
        if public and slug != found.slug:
            message = _("Results have been published under the address %(slug)s, so it stays: links to it are out.")
            faults.append(Fault(field="slug", message=message % {"slug": found.slug}))
        if plan.game != found.game and found.rounds.exists():
            faults.append(Fault(field="game", message=_("The rounds are planned for this game already, so it stays.")))
        if plan.entered != found.entered and found.entrants.filter(bot="").exists():
            message = _("The entrants are there already. Take them out first, or make another series.")
            faults.append(Fault(field="entered", message=message))
        if plan.counting != found.counting:
            if public:
                message = _("Results have been published, so it stays as it is counted.")
                faults.append(Fault(field="counting", message=message))
            if plan.counting == Counting.TIME and found.divisions.exists():
                message = _("A series by time is one stage race: it has no divisions.")
                faults.append(Fault(field="counting", message=message))
            faults += _stage_faults(found, plan)
        rules = (list(plan.points), plan.bonus, plan.drop_one_in)
        if public and rules != (found.points, found.bonus, found.drop_one_in):
            message = _("Results have been published under the old rules. The whole table will be counted anew.")
            faults.append(Fault(message=message, asks=True))
        refuse(faults, sure=sure)
        found.name, found.slug, found.game, found.entered = name, slug, plan.game, plan.entered
        found.points, found.bonus, found.drop_one_in = rules
        found.counting = plan.counting
        found.changed_at = timezone.now()
        found.save()
        return found


def _stage_faults(series: Series, plan: SeriesPlan) -> list[Fault]:
    """The planned rounds that could not be counted as the plan says."""
    sheet = sheet_of(plan.game, timed=plan.counting == Counting.TIME)
    if sheet is None:
        return []  # said already
    return [
        Fault(field="counting", message=f"{round_}: {message}")
        for round_ in series.rounds.all()
        for message in sheet.faults(round_.options)
    ]


def _free_address(season: Season, name: str) -> str:
    stem = slugify(name)[:36].strip("-_") or "series"
    taken = set(Series.objects.filter(season=season, slug__startswith=stem).values_list("slug", flat=True))
    return next(s for n in range(1, len(taken) + 2) if (s := stem if n == 1 else f"{stem}-{n}") not in taken)


def _address_faults(season: Season, slug: str, own: Series | None) -> list[Fault]:
    if not ADDRESS.fullmatch(slug) or len(slug) > 40:
        message = _("An address is small letters, figures and hyphens between them, 40 at most.")
        return [Fault(field="slug", message=message)]
    others = Series.objects.filter(season=season, slug=slug)
    if (others.exclude(pk=own.pk) if own else others).exists():
        return [Fault(field="slug", message=_("Another series of the season has this address. Take another one."))]
    return []


def _faults(plan: SeriesPlan, name: str) -> list[Fault]:
    faults = []
    if not name:
        faults.append(Fault(field="name", message=_("The series needs a name.")))
    elif len(name) > 80:
        faults.append(Fault(field="name", message=_("This is too long: %(most)s characters fit.") % {"most": 80}))
    if sheet_of(plan.game) is None:
        faults.append(Fault(field="game", message=_("No series can be ridden in this game. Choose one of the list.")))
    elif plan.counting not in Counting.values:
        faults.append(Fault(field="counting", message=_("Choose points or time.")))
    elif sheet_of(plan.game, timed=plan.counting == Counting.TIME) is None:
        faults.append(Fault(field="counting", message=_("Races of this game have no times: count points.")))
    if plan.entered not in Entered.values:
        faults.append(Fault(field="entered", message=_("Choose teams or players.")))
    points = list(plan.points)
    if not points or len(points) > MOST_PLACES:
        message = _("Give points to 1 to %(most)s places.") % {"most": MOST_PLACES}
        faults.append(Fault(field="points", message=message))
    elif min(points) < 0 or max(points) > MOST_POINTS:
        message = _("Points of a place are 0 to %(most)s.") % {"most": MOST_POINTS}
        faults.append(Fault(field="points", message=message))
    elif points != sorted(points, reverse=True):
        message = _("A better place never brings less: write the points from the first place down.")
        faults.append(Fault(field="points", message=message))
    if not 0 <= plan.bonus <= MOST_POINTS:
        message = _("A bonus is 0 to %(most)s points.") % {"most": MOST_POINTS}
        faults.append(Fault(field="bonus", message=message))
    if plan.drop_one_in is not None and not 2 <= plan.drop_one_in <= 99:
        message = _("One result in 2 to 99 can be dropped. Leave it empty, and every result counts.")
        faults.append(Fault(field="drop_one_in", message=message))
    return faults


# ---- entrants ----------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, kw_only=True)
class EntrantsPlan:
    """What shall become of the entrants: other letters, other divisions, who rides no more, who comes in. Bots: (level, name).

    Who comes in enters the lowest division, where the series has any.
    """

    codes: Mapping[int, str] = field(default_factory=dict)  # of entrants
    divisions: Mapping[int, int] = field(default_factory=dict)  # of entrants: the division
    gone: Collection[int] = ()
    teams: Sequence[Team] = ()
    players: Sequence[Player] = ()
    bots: Sequence[tuple[str, str]] = ()


def set_entrants(series: Series, plan: EntrantsPlan) -> list[SeriesEntrant]:
    """Change who is entered. Who has ridden a round stays in the table and only rides no more."""
    with transaction.atomic():
        found = lock(series)
        faults: list[Fault] = []
        here = {entrant.pk: entrant for entrant in found.entrants.select_related(*AS_SHOWN)}
        ridden = ridden_by(found)
        for pk in plan.gone:
            entrant = here.get(pk)
            if entrant is None:
                continue
            if pk in ridden:
                entrant.left_at = entrant.left_at or timezone.now()
            else:
                entrant.delete()
                del here[pk]
        for pk, entrant in here.items():
            if pk not in plan.gone and pk in plan.codes:
                entrant.left_at = None
                code = plan.codes[pk].strip().upper()
                if code != entrant.code and pk in ridden:
                    message = _("%(name)s stands as %(code)s on published sheets, so the letters stay.")
                    faults.append(
                        Fault(field=f"code-{pk}", message=message % {"name": entrant.name, "code": entrant.code})
                    )
                entrant.code = code
        ladder = list(found.divisions.all())
        faults += _moved(here, plan.divisions, ladder, ridden)
        last = found.entrants.aggregate(last=Max("order"))["last"] or 0
        come = [SeriesEntrant(series=found, team=team) for team in plan.teams]
        come += [SeriesEntrant(series=found, player=player) for player in plan.players]
        bots = sum(entrant.is_bot for entrant in here.values())
        for n, (level, label) in enumerate(plan.bots, bots + 1):
            come.append(SeriesEntrant(series=found, bot=level, label=named(label)[:40] or _("Bot %(n)s") % {"n": n}))
        faults += _code_faults(here)
        faults += _entry_faults(found, here, come)
        refuse(faults, sure=False)
        taken = {entrant.code for entrant in here.values()}
        for number, entrant in enumerate(come, last + 1):
            entrant.order = number
            entrant.division = ladder[-1] if ladder else None
            entrant.code = propose_code(entrant.name, taken)
            taken.add(entrant.code)
        for number, entrant in enumerate(here.values()):  # aside first: two may exchange their letters
            SeriesEntrant.objects.filter(pk=entrant.pk).update(code=f"#{number}")
        for entrant in (*here.values(), *come):
            entrant.save()
        return list(found.entrants.select_related(*AS_SHOWN))


def _moved(
    here: Mapping[int, SeriesEntrant], to: Mapping[int, int], ladder: Sequence[Division], ridden: Collection[int]
) -> list[Fault]:
    """Put entrants into other divisions; what they have ridden stands in the table of one."""
    faults = []
    by_pk = {division.pk: division for division in ladder}
    for pk, chosen in to.items():
        entrant, division = here.get(pk), by_pk.get(chosen)
        if entrant is None or (division is not None and division.pk == entrant.division_id):
            continue
        if division is None:
            message = _("Choose a division for %(name)s.") % {"name": entrant.name}
            faults.append(Fault(field=f"division-{pk}", message=message))
        elif pk in ridden:
            message = _("%(name)s has ridden in %(division)s, and stays there until the series is over.")
            old = by_pk[entrant.division_id or 0]
            faults.append(Fault(field=f"division-{pk}", message=message % {"name": entrant.name, "division": old.name}))
        else:
            entrant.division = division
    return faults


def propose_code(name: str, taken: Collection[str]) -> str:
    """Letters that nobody has: the first of the name, or two or three of it, or the first that are free."""
    plain = unicodedata.normalize("NFKD", name).upper()
    letters = [mark for mark in plain if "A" <= mark <= "Z"]
    alphabet = [chr(n) for n in range(ord("A"), ord("Z") + 1)]
    first = letters[:1] or ["X"]
    proposed = [first[0], *(first[0] + mark for mark in letters[1:]), *alphabet]
    proposed += [a + b for a in [first[0], *alphabet] for b in alphabet]
    return next(code for code in proposed if code not in taken)


def _code_faults(here: Mapping[int, SeriesEntrant]) -> list[Fault]:
    codes = [entrant.code for entrant in here.values()]
    faults = []
    for pk, entrant in here.items():
        if not CODE.fullmatch(entrant.code):
            message = _("%(name)s: one to three letters, A to Z, as on the sheet.") % {"name": entrant.name}
            faults.append(Fault(field=f"code-{pk}", message=message))
        elif codes.count(entrant.code) > 1:
            message = _("%(code)s stands for two entrants: give %(name)s other letters.")
            faults.append(Fault(field=f"code-{pk}", message=message % {"code": entrant.code, "name": entrant.name}))
    return faults


def _entry_faults(series: Series, here: Mapping[int, SeriesEntrant], come: Sequence[SeriesEntrant]) -> list[Fault]:
    faults = []
    if len(here) + len(come) > MOST_ENTRANTS:
        faults.append(Fault(message=_("A series has %(most)s entrants at most.") % {"most": MOST_ENTRANTS}))
    teams = {entrant.team_id for entrant in here.values()} - {None}
    players = {entrant.player_id for entrant in here.values()} - {None}
    for entrant in come:
        if entrant.team is not None and (series.entered != Entered.TEAMS or entrant.team.season_id != series.season_id):
            faults.append(Fault(message=_("%(name)s is no team for this series.") % {"name": entrant.name}))
        elif entrant.player is not None and (
            series.entered != Entered.PLAYERS or entrant.player.club_id != series.season.club_id
        ):
            faults.append(Fault(message=_("%(name)s is no player for this series.") % {"name": entrant.name}))
        elif entrant.team_id in teams or entrant.player_id in players:
            faults.append(Fault(message=_("%(name)s is entered already.") % {"name": entrant.name}))
    return faults


def ridden_by(series: Series) -> set[int]:
    """The entrants that stand on a published sheet or sit in a race."""
    found: set[int] = set()
    for result in series.rounds.exclude(versions=None).values_list("versions__result", flat=True):
        found |= {row["entrant"] for row in result["rows"]}
    for seats in RoundRace.objects.filter(round__series=series).values_list("entrants", flat=True):
        found |= set(seats.values())
    return found


# ---- rounds ------------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, kw_only=True)
class RoundPlan:
    """What a round shall be. `setup`: what was chosen in the game's own form, as it was typed there. `division`: none where
    everybody rides in it."""

    number: str
    starts_at: datetime
    name: str = ""
    place: str = ""
    division: Division | None = None
    way: str = Way.PAPER.value
    setup: Mapping[str, str] = field(default_factory=dict)


def game_form(series: Series, setup: Mapping[str, str] | None) -> SetupForm:
    """The game's part of the form of a round: a fresh one, or with what was chosen. Of that a choice that is not told is as
    the game proposes it, and a tick that is not told is none."""
    form = _proposing(series, setup_of(series.game).form())
    if setup is None:
        return form
    return _proposing(series, setup_of(series.game).form({**_proposed(form, ticks=not setup), **setup}))


def _proposing(series: Series, form: Any) -> SetupForm:
    """The game's form with what a series of this kind proposes."""
    otherwise = _sheet(series).proposes
    for bound in form:
        bound.field.initial = otherwise.get(bound.html_name, bound.field.initial)
    found: SetupForm = form
    return found


def _sheet(series: Series) -> RoundSheet:
    sheet = sheet_of(series.game, timed=series.is_timed)
    assert sheet is not None, "a series has a game with a sheet"
    return sheet


def _proposed(form: Any, *, ticks: bool) -> dict[str, str]:
    """What stands in a fresh form of the game, as it would be sent."""
    told = {}
    for bound in form:
        value = bound.value()
        if value is None and hasattr(bound.field, "choices"):
            value = next((key for key, _label in bound.field.choices), None)
        if isinstance(value, bool):
            if value and ticks:
                told[bound.html_name] = "on"
        elif value not in (None, ""):
            told[bound.html_name] = str(value)
    return told


def setup_faults(series: Series, setup: Mapping[str, str]) -> tuple[SetupForm, dict[str, Any], list[Fault]]:
    """The game's form with what was chosen in it, the options that it gives at a table, and what cannot be so."""
    form = game_form(series, setup)
    if not form.is_valid():
        return form, {}, [Fault(message=_("Course and options are not right yet: see below."))]
    options = form.options(online=False)
    return form, options, [Fault(message=message) for message in _sheet(series).faults(options)]


def next_number(rounds: Sequence[Round]) -> str:
    """The number after the last one."""
    return str(max((int(re.sub(r"[^0-9]", "", round_.number) or 0) for round_ in rounds), default=0) + 1)


def new_round(series: Series, plan: RoundPlan) -> Round:
    """A round after the last one."""
    with transaction.atomic():
        found = lock(series)
        last = found.rounds.aggregate(last=Max("order"))["last"] or 0
        round_ = Round(series=found, order=last + 1, starts_at=plan.starts_at)
        faults = _round_faults(round_, plan, is_new=True)
        _form, options, wrong = setup_faults(found, plan.setup)
        refuse([*faults, *wrong], sure=False)
        _fill(round_, plan, options)
        round_.save()
        return round_


def new_rounds(series: Series, plan: RoundPlan) -> list[Round]:
    """A round for each division, all alike and on one evening: 3a, 3b... All of them or none."""
    with transaction.atomic():
        ladder = list(series.divisions.all())
        if not ladder:
            raise Faulty([Fault(field="division", message=_("The series has no divisions."))])
        if not re.fullmatch(r"[0-9]{1,3}", plan.number):
            message = _("1 to 3 figures: each division gets its letter, as in 4a and 4b.")
            raise Faulty([Fault(field="number", message=message)])
        return [
            new_round(series, replace(plan, number=f"{plan.number}{letter}", division=division))
            for letter, division in zip(ascii_lowercase, ladder, strict=False)
        ]


def change_round(round_: Round, plan: RoundPlan) -> Round:
    """Change a round. With a published result it keeps number, course and options: what was ridden was ridden so."""
    with transaction.atomic():
        found = locked_round(round_)
        faults = _round_faults(found, plan, is_new=False)
        _form, options, wrong = setup_faults(found.series, plan.setup)
        faults += wrong
        other = not wrong and options != found.options
        if found.version and other:
            faults.append(
                Fault(message=_("%(round)s has a published result, so course and options stay.") % {"round": found})
            )
        elif other and has_race(found):
            faults.append(
                Fault(message=_("%(round)s has its race, with its course. Abandon the race first.") % {"round": found})
            )
        if (plan.division and plan.division.pk) != found.division_id and (found.version or has_race(found)):
            message = _("%(round)s has its result or its race, so it stays with those who ride in it.")
            faults.append(Fault(field="division", message=message % {"round": found}))
        if found.version and plan.number != found.number:
            message = _("The address of a published result stays: the number is %(number)s.")
            faults.append(Fault(field="number", message=message % {"number": found.number}))
        refuse(faults, sure=False)
        if (plan.starts_at, named(plan.place)) != (found.starts_at, found.place):
            found.calendar_sequence += 1
        _fill(found, plan, options)
        found.changed_at = timezone.now()
        found.save()
        return found


def remove_round(round_: Round) -> None:
    """Take a round out of the calendar; those after it move up in the order."""
    with transaction.atomic():
        found = locked_round(round_)
        if found.version:
            raise Refused(_("%(round)s has a published result and stays in the series.") % {"round": found})
        if has_race(found):
            raise Refused(_("%(round)s is ridden as a race. Abandon the race first.") % {"round": found})
        later = list(found.series.rounds.filter(order__gt=found.order).order_by("order"))
        found.delete()
        for other in later:  # one after the other: the place before is free by then
            other.order -= 1
            other.save(update_fields=["order"])


def move_round(round_: Round, *, up: bool) -> bool:
    """Let a round change places with the one before (`up`) or after it; whether there was one."""
    with transaction.atomic():
        found = locked_round(round_)
        order = found.order - 1 if up else found.order + 1
        other = found.series.rounds.filter(order=order).first()
        if other is None:
            return False
        here = found.order
        for moved, place in ((found, 0), (other, here), (found, order)):  # 0: aside, as an order is unique
            moved.order = place
            moved.save(update_fields=["order"])
        return True


def locked_round(round_: Round) -> Round:
    """The round as it stands now, its series and itself under their locks."""
    series = lock(round_.series)
    found = Round.objects.select_for_update(of=("self",)).filter(series=series, pk=round_.pk).first()
    if found is None:
        raise Late(_("This round has been removed in the meantime."))
    found.series = series
    return found


def has_race(round_: Round) -> bool:
    """Whether the round has a race that was not abandoned."""
    return RoundRace.objects.filter(round=round_, is_live=True).exclude(race__status=Status.ABANDONED).exists()


def _fill(round_: Round, plan: RoundPlan, options: Mapping[str, Any]) -> None:
    round_.number, round_.name, round_.place = plan.number, named(plan.name), named(plan.place)
    round_.starts_at, round_.way, round_.division = plan.starts_at, plan.way, plan.division
    round_.setup, round_.options = dict(plan.setup), dict(options)


def _round_faults(round_: Round, plan: RoundPlan, *, is_new: bool) -> list[Fault]:
    series, season = round_.series, round_.series.season
    faults = []
    if not ROUND_NUMBER.fullmatch(plan.number):
        message = _("A round number is 1 to 3 figures, with a small letter for a split evening: 4, or 2a and 2b.")
        faults.append(Fault(field="number", message=message))
    elif series.rounds.filter(number=plan.number).exclude(pk=round_.pk).exists():
        message = _("There is a round %(number)s already.") % {"number": plan.number}
        faults.append(Fault(field="number", message=message))
    for name, text, most in (("name", plan.name, 80), ("place", plan.place, 120)):
        if len(named(text)) > most:
            message = _("This is too long: %(most)s characters fit.") % {"most": most}
            faults.append(Fault(field=name, message=message))
    if plan.division is not None and plan.division.series_id != series.pk:
        faults.append(Fault(field="division", message=_("Choose one of the divisions of the series.")))
    if plan.way not in Way.values:
        faults.append(Fault(field="way", message=_("Choose how the round is ridden.")))
    if any(len(value) > TEXT_LENGTH for value in plan.setup.values()):
        faults.append(Fault(message=_("What is written for the course is too long.")))
    day = plan.starts_at.astimezone(season.club.zone).date()
    if (is_new or plan.starts_at != round_.starts_at) and not season.starts_on <= day <= season.ends_on:
        message = _(
            "The season %(season)s runs from %(first)s to %(last)s. Choose an evening in it, or change its days."
        )
        told = {"season": season, "first": date_format(season.starts_on), "last": date_format(season.ends_on)}
        faults.append(Fault(field="day", message=message % told))
    return faults
