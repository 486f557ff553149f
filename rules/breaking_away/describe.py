"""The JSON vocabulary of the game: what `python -m rules describe breaking_away` prints."""

from typing import Any

from rules.breaking_away.actions import CHANCE
from rules.breaking_away.course import BUILT_IN
from rules.breaking_away.options import OPTIONS
from rules.breaking_away.position import CYCLIST, POSITION, TEAM
from rules.breaking_away.setup import ENTRANT
from rules.breaking_away.state import Phase, Where
from rules.wire import Wire

_OPTIONS = {
    "course": f"a built-in course ({', '.join(BUILT_IN)}; default standard-100), or "
    '{"id": "own", "circuit": 40, "lines": [{"id": "S1", "kind": "sprint", "at": 33, "points": [5, 3]}, '
    '{"id": "F", "kind": "finish", "at": 60, "points": [10, 6, 4]}], "finish_quota": 3, "staggered": false}',
    "variant": "standard (default), madison",
    "turn_mode": "sequential (default), orders: everybody hands in the factors of all his cyclists at once",
    "end_mode": "immediate (default), complete_turn",
    "after_finish": "ride_on (default), leave",
    "hands": "engine (default), closed: hands stay on paper, either: as each team likes",
    "break_over_rival": "the lead is measured to the best of another team (default false)",
    "overcrowding": "squares with 5 cyclists or more count as empty in turn 1 (default false)",
    "open_hands": "everybody sees all hands (default false)",
    "auto_single": "who has one value left moves without being asked (default false)",
    "allocation_exact": "all points must be spent at the start (default false)",
    "allow_12": "up to 12 teams (default false)",
    "staggered": "numbers 2, 3, 4 start 1, 2, 3 squares back (default: as the course says)",
    "madison_ratings": "free (default), alternate, all_12",
    "madison_distance": "laps (default), squares",
    "madison_small": "a Madison from 4 teams on (default false)",
}
_ENTRANT = {
    "seat": "the name of the seat",
    "team": "what its team is called; its cyclists are this and their number (default: the seat)",
    "teams": "Madison: the teams of the seat, in their order",
}
_POSITION = {
    "options": "all options as above; single ones may also stand in the position itself",
    "seats": "clockwise (default: as the teams tell)",
    "teams": "a list, or an object by id (default: as the ids of the cyclists tell)",
    "cyclists": "a list, or an object by id; those of a team that tells no numbers are these",
    "phase": f"what is being decided: {', '.join(Phase)} (default move, or orders)",
    "turn": "the turn that is on (default 1)",
    "first": "the seat that began",
    "order": "who moves when in this turn (default: who has moved, then front first, on one square as they are told)",
    "index": "how many of the order have moved (default: those told as moved)",
    "leader": "who was alone in front at the end of the turn before (default null)",
    "lines": 'who has crossed each line, in order: {"S1": ["R1", "W3"]}',
    "given": "the teams whose first factors are in",
    "orders": 'what is ordered for this turn, by seat: {"Anna": {"R1": 7}, "Bruno": null}; "unseen": not known here',
    "requests": 'who asks to retire, and which seats agree: [{"id": "R4", "yes": ["Bruno"]}]',
    "asked": "for whom it was asked in this turn",
    "stop": "the seats that want to stop the race",
    "over": "null, or why the race is over: quota, retired, abandoned",
}
_TEAM = {
    "id": "what it is called",
    "seat": "who controls it (default: its id)",
    "numbers": "the numbers of its cyclists (default: those that are told, or 1 to 4; in a Madison 1 and 2)",
    "ratings": 'Madison: the two ratings (default [1, 2]), null while they are open; "unseen": not known here',
    "where": f"Madison: {', '.join(Where)}",
    "finished": "Madison: the turn in which it crossed the last line; 0: not yet",
    "changed": "Madison: the last lap in which it changed (default 0)",
    "overdue": "Madison: it must change at the earliest opportunity",
}
_CYCLIST = {
    "id": "team and number",
    "at": "distance from the start line (default: where he starts); in a Madison of the one who rides",
    "rests": "Madison: the printed square beside which the other one rests",
    "hand": "factors, null: not known here (default: the usual first hand, without its largest if he has moved)",
    "spent": "factors spent, in the order of the turns",
    "gained": "replacements, in the order of the turns",
    "open": "his hand was shown to everybody",
    "where": f"{', '.join(Where)} (default racing)",
    "finished": "the turn in which he crossed the finish; 0: not yet",
    "moved": "he has moved in this turn; only read, `order` and `index` are written",
}
assert set(_OPTIONS) == set(OPTIONS), "every option is described"
assert set(_ENTRANT) == set(ENTRANT), "every field of an entrant is described"
assert set(_POSITION) | set(OPTIONS) == set(POSITION), "every field of a position is described"
assert set(_TEAM) == set(TEAM), "every field of a team is described"
assert set(_CYCLIST) == set(CYCLIST), "every field of a cyclist is described"


def describe(actions: Wire[Any], events: Wire[Any]) -> dict[str, Any]:
    """Options, entrants, position, actions and events, with an example of each."""
    told = {kind: of | {"example": {"kind": kind} | _ACTIONS[kind]} for kind, of in actions.describe().items()}
    chance = {cls.kind for cls in CHANCE}
    return {
        "game": "breaking_away",
        "version": 1,
        "options": {"fields": _OPTIONS, "example": {"course": "standard-100", "overcrowding": True}},
        "entrants": {
            "fields": _ENTRANT,
            "example": [{"seat": "Anna", "team": "R"}, {"seat": "Bruno", "team": "W"}, {"seat": "Carla", "team": "B"}],
        },
        "position": {
            "fields": _POSITION,
            "team": _TEAM,
            "cyclist": _CYCLIST,
            "example": {
                "turn": 4,
                "leader": "R2",
                "cyclists": {
                    "R2": {"at": 36, "hand": [3, 5, 8], "spent": [12, 9, 15], "gained": [3, 5, 3]},
                    "W1": {"at": 30, "hand": [4, 7, 9]},
                    "B3": {"at": 30},
                },
                "lines": {"S1": ["R2"]},
            },
        },
        "actions": {kind: of for kind, of in told.items() if kind not in chance},
        "chance": {kind: of for kind, of in told.items() if kind in chance},
        "explained": "a move also tells from, to, square, lap, shares, chain, replacement, before, leads, lines, next, in a "
        "Madison rival_rests; orders tell to, by cyclist; an allocation tells unspent, by number; a change tells cyclist",
        "decisions": "kind (rate, allocate, first_seat, place, move, orders, change, vote_retire, ask_retire, reveal, time_out, "
        "stop_race), taker (seat, chance), seat, about (the cyclist or team), secret, optional",
        "view": "a position; of a hand that is not known here, held (factors surely in it) and may (all that might be spent next)",
        "events": {kind: of | {"example": {"kind": kind} | _EVENTS[kind]} for kind, of in events.describe().items()},
    }


_ACTIONS: dict[str, dict[str, Any]] = {
    "rate": {"team": "R", "r1": 1, "r2": 2},
    "allocate": {"team": "R", "hands": {"1": [12, 9, 6, 3], "2": [11, 8, 6], "3": [9, 7, 4], "4": [7, 5, 4]}},
    "on_paper": {"team": "R"},
    "first_seat": {"seat": "Anna"},
    "place": {"team": "R", "active": 1, "square": 12},
    "move": {"cyclist": "R1", "factor": 9},
    "orders": {"seat": "Anna", "factors": {"R1": 9, "R2": 6, "R3": 4, "R4": 5}},
    "change": {"team": "R"},
    "stay": {"team": "R"},
    "ask_retire": {"cyclist": "R4"},
    "vote_retire": {"seat": "Bruno", "cyclist": "R4", "yes": True},
    "reveal": {"cyclist": "R1"},
    "time_out": {"seat": "Bruno", "cyclist": "R1"},
    "stop_race": {"seat": "Anna", "yes": True},
}

_EVENTS: dict[str, dict[str, Any]] = {
    "rated": {"team": "R", "r1": 1, "r2": 2},
    "allocated": {"seat": "Anna", "team": "R"},
    "first_seat": {"seat": "Anna"},
    "placed": {"team": "R", "active": 1, "square": 12},
    "turn_began": {"turn": 4},
    "ordered": {"seat": "Anna"},
    "moved": {"cyclist": "W3", "from": 29, "to": 36, "factor": 7},
    "crossed": {"cyclist": "W3", "line": "S1", "place": 2, "points": 8},
    "replaced": {"factors": [{"id": "R4", "value": 5, "reason": "chain"}]},
    "changed": {"team": "R", "cyclist": "R2", "square": 12, "forced": True},
    "left": {"cyclist": "R1"},
    "retire_asked": {"cyclist": "R4"},
    "retire_voted": {"cyclist": "R4", "seat": "Bruno", "yes": True},
    "retired": {"cyclist": "R4"},
    "revealed": {"cyclist": "R1", "hand": [3, 6, 9]},
    "checked": {"cyclist": "R1"},
    "stop_voted": {"seat": "Anna", "yes": True},
    "race_over": {"reason": "quota"},
}
