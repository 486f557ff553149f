"""Who takes part and how: the first state of a race (spec 5.1, 7)."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from rules.breaking_away import data, typed
from rules.breaking_away.field import Field, Team, field_of
from rules.breaking_away.options import MadisonRatings, Options, read_options
from rules.breaking_away.state import NOBODY, Phase, Racer, Relief, State
from rules.errors import RulesError, Saying, Unreadable, gettext_noop
from rules.game import Seat

ENTRANT: Final = ("seat", "team", "teams")
MADISON_NUMBERS: Final = (1, 2)
LONGEST_NAME: Final = 40


def setup(options: Mapping[str, Any], entrants: Sequence[Mapping[str, Any]]) -> State:
    """A race before its allocation. RulesError says everything that is wrong. Rules: BA-SET-01, BA-SET-02, BA-MAD-01; AMB-24."""
    if not isinstance(entrants, Sequence) or isinstance(entrants, str):
        raise Unreadable(gettext_noop("The entrants are a list, clockwise."))
    faults: list[Saying] = []
    read = Options()
    try:
        read = read_options(options)
    except RulesError as wrong:
        faults += wrong.sayings
    seats: list[Seat] = []
    teams: list[Team] = []
    for entrant in entrants:
        try:
            seat, names = _entrant(entrant)
        except TypeError:
            faults.append(
                _said(
                    gettext_noop(
                        'An entrant reads {"seat": "Anna", "team": "R"}, in a Madison {"seat": "Anna", "teams": ["R", "W"]}; '
                        'this is "%(entrant)s".'
                    ),
                    entrant=str(entrant)[:120],
                )
            )
            continue
        numbers = MADISON_NUMBERS if read.madison else data.CYCLISTS
        teams += [Team(name, len(seats), numbers) for name in names]
        if len(names) > 1 and not read.madison:
            faults.append(_said(gettext_noop("%(seat)s has one team, not %(count)s."), seat=seat, count=len(names)))
        seats.append(seat)
    faults += names_given_twice(seats, teams)
    if not faults:
        faults += _numbers(read, len(teams))
    if faults:
        raise RulesError(*faults)
    return begin(field_of(read, tuple(seats), tuple(teams)))


def _said(message: str, **params: str | int) -> Saying:
    return Saying(rule="BA-SET-01", message=message, params=params)


def _entrant(source: Mapping[str, Any]) -> tuple[Seat, list[str]]:
    """The seat and its teams; a team that is not told is called like its seat."""
    if not isinstance(source, Mapping) or any(name not in ENTRANT for name in source):
        raise TypeError
    seat = source.get("seat")
    if ("team" in source) and ("teams" in source):
        raise TypeError
    names = source.get("teams", [source.get("team", seat)])
    if not isinstance(names, Sequence) or isinstance(names, str) or not names:
        raise TypeError
    return Seat(typed.text(seat, LONGEST_NAME)), [typed.text(name, LONGEST_NAME) for name in names]


def names_given_twice(seats: Sequence[Seat], teams: Sequence[Team]) -> list[Saying]:
    """Nobody is called like somebody else. Rules: BA-SET-01."""
    faults = [
        _said(gettext_noop('"%(seat)s" is entered twice.'), seat=seat)
        for seat in sorted({seat for seat in seats if seats.count(seat) > 1})
    ]
    called = [team.id for team in teams]
    called += [f"{team.id}{number}" for team in teams for number in team.numbers]
    faults += [
        _said(gettext_noop('Two would be called "%(name)s": give the teams other names.'), name=name)
        for name in sorted({name for name in called if called.count(name) > 1})
    ]
    return faults


def _numbers(options: Options, teams: int) -> list[Saying]:
    """How many teams may take part. Rules: BA-SET-01, BA-MAD-01."""
    if options.madison:
        least = data.MADISON_SMALL if options.madison_small else data.MADISON_MIN_TEAMS
        most, rule = data.MADISON_MAX_TEAMS, "BA-MAD-01"
    else:
        least = data.MIN_TEAMS
        most, rule = data.MAX_TEAMS_ALLOWED if options.allow_12 else data.MAX_TEAMS, "BA-SET-01"
    if least <= teams <= most:
        return []
    return [
        Saying(
            rule=rule,
            message=gettext_noop("%(least)s to %(most)s teams take part, not %(count)s."),
            params={"least": least, "most": most, "count": teams},
        )
    ]


def start_of(field: Field, number: int) -> int:
    """Where a cyclist starts. Rules: BA-SET-02, BA-OPT-03; AMB-09, AMB-24."""
    return data.STAGGER[number] if field.options.starts_staggered and not field.madison else 0


def fixed_ratings(field: Field) -> tuple[tuple[int, int] | None, ...]:
    """The ratings that nobody chooses; None for those to be chosen. Rules: BA-MAD-02."""
    if not field.madison:
        return ()
    match field.options.madison_ratings:
        case MadisonRatings.FREE:
            return (None,) * len(field.teams)
        case MadisonRatings.ALL_12:
            return (data.STRONG,) * len(field.teams)
        case MadisonRatings.ALTERNATE:
            nth = [field.of_seat[team.seat].index(number) for number, team in enumerate(field.teams)]
            return tuple(data.WEAK if number % 2 else data.STRONG for number in nth)


def begin(field: Field) -> State:
    """The first state."""
    racers = tuple(
        Racer(
            pos=start_of(field, number),
            relief=Relief(side=0, square=NOBODY) if field.madison else None,
        )
        for number in field.number
    )
    ratings = fixed_ratings(field)
    return State(
        field=field,
        phase=Phase.RATE if None in ratings else Phase.ALLOCATE,
        racers=racers,
        lines=((),) * len(field.course.lines),
        given=(False,) * len(field.teams),
        ratings=ratings,
    )
