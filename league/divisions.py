"""Divisions of a points series: setting them up, and the series that follows when it is over, with the movers moved.

Who goes up and who goes down is counted by `classification.divisions`. Here an organiser decides: the proposal is his to
change, and nothing of the old series changes with the new one.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.access import open_for_change
from league.campaigns import Fault, named, refuse
from league.classification.divisions import Crowd, Rules, crowd, following
from league.entrants import AS_SHOWN, lines_of
from league.errors import Refused
from league.models import Club, Division, Player, Season, Series, SeriesEntrant, Team
from league.models.club import name_key
from league.models.series import Entered
from league.roster import kept
from league.series import SeriesPlan, lock, new_series, propose_code
from league.series_table import Moving, Tables, division_rules, tables_of

MOST_DIVISIONS = 9
MOST_MOVERS = 20
NAME_LENGTH = 40


# ---- setting them up ---------------------------------------------------------------------------------------------------
@dataclass(frozen=True, kw_only=True)
class DivisionsPlan:
    """What the divisions shall be: other names (an empty one goes), more of them below, and how many move."""

    names: Mapping[int, str] = field(default_factory=dict)  # of divisions
    come: Sequence[str] = ()
    promoted: int = 2
    relegated: int = 2
    division_size: int = 6


def set_divisions(series: Series, plan: DivisionsPlan) -> list[Division]:
    """Change the divisions. How many there are stays once a result is published; who rode in one that goes is in the next
    lower one then. The first ones share those who are entered, in the order of entry."""
    with transaction.atomic():
        found = lock(series)
        here = list(found.divisions.all())
        names = {one.pk: named(plan.names.get(one.pk, one.name)) for one in here}
        come = [name for name in map(named, plan.come) if name]
        stay, gone = [one for one in here if names[one.pk]], [one for one in here if not names[one.pk]]
        refuse(
            _plan_faults(found, plan, [*(names[one.pk] for one in stay), *come], bool(gone or come), gone), sure=False
        )
        found.promoted, found.relegated, found.division_size = plan.promoted, plan.relegated, plan.division_size
        found.changed_at = timezone.now()
        found.save(update_fields=["promoted", "relegated", "division_size", "changed_at"])
        lowest = max((one.order for one in here), default=0)
        new = [Division(series=found, name=f"#{n}", order=lowest + n) for n, _name in enumerate(come, 1)]
        Division.objects.bulk_create(new)
        ladder = [*stay, *new]
        for one in gone:
            below = next((other for other in stay if other.order > one.order), ladder[-1] if ladder else None)
            found.entrants.filter(division=one).update(division=below)
            one.delete()
        if ladder and not here:
            _spread(found, ladder)
        _write(ladder, [*(names[one.pk] for one in stay), *come])
        return list(found.divisions.all())


def _plan_faults(
    series: Series, plan: DivisionsPlan, names: Sequence[str], is_other: bool, gone: Sequence[Division]
) -> list[Fault]:
    faults = []
    if series.is_timed and names:
        faults.append(Fault(message=_("A series by time is one stage race: it has no divisions.")))
    if is_other and series.rounds.exclude(version=0).exists():
        faults.append(
            Fault(message=_("Results have been published, so the divisions stay. They can be called otherwise."))
        )
    elif gone and series.rounds.filter(division__in=gone).exists():
        faults.append(Fault(message=_("Rounds are planned for a division that goes. Take them out first.")))
    if len(names) > MOST_DIVISIONS:
        faults.append(Fault(message=_("A series has %(most)s divisions at most.") % {"most": MOST_DIVISIONS}))
    if len({name.casefold() for name in names}) < len(names):
        faults.append(Fault(message=_("Two divisions have one name.")))
    if any(len(name) > NAME_LENGTH for name in names):
        faults.append(Fault(message=_("A name of a division has %(most)s characters at most.") % {"most": NAME_LENGTH}))
    for key, number in (("promoted", plan.promoted), ("relegated", plan.relegated)):
        if not 0 <= number <= MOST_MOVERS:
            message = _("Between two divisions 0 to %(most)s move.") % {"most": MOST_MOVERS}
            faults.append(Fault(field=key, message=message))
    if plan.division_size < Rules().least:
        message = _("With fewer than %(least)s a round does not count.") % {"least": Rules().least}
        faults.append(Fault(field="division_size", message=message))
    return faults


def _spread(series: Series, ladder: Sequence[Division]) -> None:
    """Those who are entered, as evenly as can be, the first of them highest."""
    entrants = list(series.entrants.all())
    for n, entrant in enumerate(entrants):
        entrant.division = ladder[n * len(ladder) // len(entrants)]
    SeriesEntrant.objects.bulk_update(entrants, ["division"])


def _write(ladder: Sequence[Division], names: Sequence[str]) -> None:
    """Names and places in the order; aside first, since two may exchange a name."""
    for n, division in enumerate(ladder):
        Division.objects.filter(pk=division.pk).update(name=f"#{division.pk}", order=1000 + n)
    for n, (division, name) in enumerate(zip(ladder, names, strict=True), 1):
        division.name, division.order = name, n
        division.save(update_fields=["name", "order"])


def crowds(series: Series) -> list[str]:
    """Which divisions are too full or too empty, in sentences."""
    riders: dict[int | None, int] = {}
    everybody = list(series.entrants.select_related(*AS_SHOWN))
    line = lines_of(everybody)
    for pk in {line[one.pk].pk for one in everybody if one.left_at is None}:
        division = next(one.division_id for one in everybody if one.pk == pk)
        riders[division] = riders.get(division, 0) + 1
    rules = division_rules(series)
    return [
        words
        for division in series.divisions.all()
        if (words := crowd_words(rules, division.name, riders.get(division.pk, 0)))
    ]


def crowd_words(rules: Rules, name: str, riders: int) -> str:
    """What is wrong with how many ride in a division; "" where nothing is."""
    words = {"division": name, "n": riders, "most": rules.most, "least": rules.least}
    match crowd(rules, riders):
        case Crowd.FULL:
            return _("%(division)s is too full: %(n)s ride in it, and a table has room for %(most)s.") % words
        case Crowd.EMPTY:
            said = ngettext(
                "%(division)s is too empty: %(n)s rides in it, and a round of fewer than %(least)s does not count.",
                "%(division)s is too empty: %(n)s ride in it, and a round of fewer than %(least)s does not count.",
                riders,
            )
            return said % words
        case _:
            return ""


# ---- the series that follows -------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where an entrant of the old series is proposed in the next one."""

    entrant: SeriesEntrant
    was: int  # his division by its place in the order
    division: str  # what that was called
    rank: int | None  # in the table of that; a bot has none
    to: int | None  # None: not in the next one
    moving: Moving | None  # what the table says
    why_not: str = ""  # he cannot be entered there

    @property
    def moved(self) -> str:
        """Whether it is up or down that he would go."""
        if self.to is None or self.to == self.was:
            return ""
        return "up" if self.to < self.was else "down"


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """The next series as the tables propose it."""

    season: Season
    name: str
    divisions: tuple[str, ...]
    places: tuple[Place, ...]  # by the new divisions
    newcomers: tuple[Team | Player, ...]  # who may come in, at the bottom

    def crowds(self, rules: Rules, to: Mapping[int, int | None], come: int = 0) -> list[str]:
        """Which divisions would be too full or too empty, with these choices."""
        count = [sum(there == n for there in to.values()) for n in range(len(self.divisions))]
        count[-1] += come
        return [words for name, n in zip(self.divisions, count, strict=True) if (words := crowd_words(rules, name, n))]


def open_seasons(club: Club) -> list[Season]:
    """In which a series may be made, the newest first."""
    return list(club.seasons.filter(archived_at=None))


def proposal(tables: Tables, season: Season) -> Proposal:
    """Where everybody would ride next, in a series of that season. Refused while the series is not over."""
    series = tables.series
    if not tables.is_divided:
        raise Refused(_("%(series)s has no divisions.") % {"series": series})
    if not tables.is_at_the_end:
        raise Refused(
            _("%(series)s is not over: every round has to be signed before the next one is made.") % {"series": series}
        )
    facts = tables.facts
    line_rows = [[line for line in table.lines if line.rides] for table in tables.tables]
    bots = [[bot for bot in table.bots if bot.left_at is None] for table in tables.tables]
    to = following(
        [table.marks for table in tables.tables],
        [
            [*(line.entrant.pk for line in lines), *(bot.pk for bot in rides)]
            for lines, rides in zip(line_rows, bots, strict=True)
        ],
    )
    rows = {line.entrant.pk: line for lines in line_rows for line in lines}
    was = {one.pk: n for n, table in enumerate(tables.tables) for one in table.everybody}
    teams = _teams_by_name(series, season)
    places = []
    for pk, there in to.items():
        entrant, line = facts.by_pk[pk], rows.get(pk)
        why_not = _why_not(entrant, series, season, teams)
        places.append(
            Place(
                entrant=entrant, was=was[pk], division=facts.divisions[was[pk]].name, rank=line.row.rank if line else None, to=None if why_not else there,
                moving=line.moving if line else None, why_not=why_not,
            )
        )  # fmt: skip
    name = series.name if season.pk != series.season_id else f"{series.name} 2"
    return Proposal(
        season=season,
        name=name[:80],
        divisions=tuple(division.name for division in facts.divisions),
        places=tuple(places),
        newcomers=tuple(_newcomers(series, season, [place.entrant for place in places])),
    )


def _teams_by_name(series: Series, season: Season) -> dict[str, Team]:
    """The teams of the season that are there to be entered, by what two are told apart by."""
    if series.entered != Entered.TEAMS:
        return {}
    return {name_key(team.name): team for team in season.teams.filter(left_at=None)}


def _why_not(entrant: SeriesEntrant, series: Series, season: Season, teams: Mapping[str, Team]) -> str:
    if entrant.team is not None and name_key(entrant.team.name) not in teams:
        words = {"name": entrant.team.name, "season": season}
        return _("%(season)s has no team %(name)s. Make it first, if it rides on.") % words
    if entrant.player is not None and kept(entrant.player).left_at is not None:
        return _("%(name)s is no more on the roster.") % {"name": entrant.name}
    return ""


def _newcomers(series: Series, season: Season, here: Sequence[SeriesEntrant]) -> Iterator[Team | Player]:
    if series.entered == Entered.TEAMS:
        names = {name_key(one.team.name) for one in here if one.team}
        yield from (team for team in season.teams.filter(left_at=None) if name_key(team.name) not in names)
    else:
        players = {kept(one.player).pk for one in here if one.player}
        yield from (p for p in season.club.players.filter(merged_into=None, left_at=None) if p.pk not in players)


@dataclass(frozen=True, kw_only=True)
class NextPlan:
    """The next series as the organiser wants it. `to`: by entrant of the old one the place of his division; None: not in it."""

    name: str
    to: Mapping[int, int | None]
    newcomers: Sequence[Team | Player] = ()


def next_series(series: Series, season: Season, plan: NextPlan, *, sure: bool = False) -> Series:
    """Make the series that follows: the same rules and divisions, everybody where the plan puts him, newcomers at the bottom.

    Asks where a division would be too full or too empty, and where there is such a series already.
    """
    with transaction.atomic():
        old = Series.objects.select_for_update(of=("self",)).select_related("season__club").get(pk=series.pk)
        open_for_change(season)
        proposed = proposal(tables_of(old), season)
        to = {place.entrant.pk: plan.to.get(place.entrant.pk, place.to) for place in proposed.places}
        faults = [
            Fault(field=f"to-{place.entrant.pk}", message=place.why_not)
            for place in proposed.places
            if place.why_not and to[place.entrant.pk] is not None
        ]
        faults += [
            Fault(field=f"to-{pk}", message=_("Choose one of the divisions."))
            for pk, there in to.items()
            if there is not None and not 0 <= there < len(proposed.divisions)
        ]
        if not any(there is not None for there in to.values()) and not plan.newcomers:
            faults.append(Fault(message=_("Nobody would ride in it.")))
        if any(one not in proposed.newcomers for one in plan.newcomers):
            faults.append(Fault(message=_("Somebody of those who come in cannot be entered any more.")))
        asks = [
            Fault(message=words, asks=True) for words in proposed.crowds(division_rules(old), to, len(plan.newcomers))
        ]
        asks += [
            Fault(message=_("%(series)s follows it already.") % {"series": other}, asks=True)
            for other in old.followed_by.all()
        ]
        refuse([*faults, *asks], sure=sure)
        made = new_series(
            season,
            SeriesPlan(
                name=plan.name, game=old.game, entered=old.entered, counting=old.counting, points=old.points,
                bonus=old.bonus, drop_one_in=old.drop_one_in,
            ),
        )  # fmt: skip
        made.follows = old
        made.promoted, made.relegated, made.division_size = old.promoted, old.relegated, old.division_size
        made.save(update_fields=["follows", "promoted", "relegated", "division_size"])
        ladder = [Division(series=made, name=name, order=n) for n, name in enumerate(proposed.divisions, 1)]
        Division.objects.bulk_create(ladder)
        _enter(
            made, season, ladder, [(place.entrant, to[place.entrant.pk]) for place in proposed.places], plan.newcomers
        )
        return made


def _enter(
    made: Series,
    season: Season,
    ladder: Sequence[Division],
    places: Sequence[tuple[SeriesEntrant, int | None]],
    newcomers: Sequence[Team | Player],
) -> None:
    """Everybody into his division, with the letters he had."""
    teams = _teams_by_name(made, season)
    stay = sorted(((one, there) for one, there in places if there is not None), key=lambda pair: pair[1])
    come = [
        SeriesEntrant(
            series=made, code=one.code, bot=one.bot, label=one.label, division=ladder[there], before=one,
            team=teams[name_key(one.team.name)] if one.team else None, player=kept(one.player) if one.player else None,
        )
        for one, there in stay
    ]  # fmt: skip
    taken = {one.code for one in come}
    for new in newcomers:
        entrant = SeriesEntrant(series=made, division=ladder[-1])
        if isinstance(new, Team):
            entrant.team = new
        else:
            entrant.player = new
        entrant.code = propose_code(entrant.name, taken)
        taken.add(entrant.code)
        come.append(entrant)
    for order, entrant in enumerate(come, 1):
        entrant.order = order
    SeriesEntrant.objects.bulk_create(come)
