"""The JSON vocabulary of the game: what `python -m rules describe giro` prints."""

from typing import Any

from rules.giro.actions import CHANCE
from rules.giro.course import BUILT_IN_IDS
from rules.giro.position import PHASES, POSITION, RIDER
from rules.giro.preparing import ENTRANT, OPTIONS
from rules.wire import Wire

_OPTIONS = {
    "course": f"a built-in course ({', '.join(BUILT_IN_IDS)}), a strip, or a course in its notation",
    "giro": "true: a stage of a Giro, bonus lines count (default false)",
    "cards": "how special cards are dealt: matched (default), blind, none",
    "peloton_die": 'faces: [{"value": 3, "red": false, "weight": 3}, ...]; a red face counts 4',
    "feed_tiles": 'tiles of one colour: {"2": 3, "3": 4, "4": 3, "5": 2}',
    "max_paid": "most paid squares in a move, up to 6 (default 6)",
    "time_limit": "turns after the peloton (default 3)",
    "tt_clock": "derived (default) or measured: the organiser tells the order of the stopwatch",
    "token": "the seat that holds the peloton leader token first; left out: chance",
    "first_seat": "the seat that drafts first; left out: chance",
}
_ENTRANT = {
    "seat": "the name of the seat",
    "draft": "riders that it drafts, 1 to 3; or",
    "riders": '[{"id": "A", "type": "rouleur", "jersey": "white", "carry": 6, "strength": "sprinter"}]; the strength is '
    "asked for unless it is told (null: none)",
}
_POSITION = {
    "options": "all options as above; single ones may also stand in the position itself",
    "seats": "clockwise; left out: one for each rider, or as the riders tell",
    "quota": "riders that every seat drafts; 0: they are named",
    "turn": "the turn that is on (default 1)",
    "phase": f"what begins now: {', '.join(PHASES)} (default T1)",
    "token": "the seat that holds the peloton leader token (default: the first)",
    "peloton": 'the column of its front dotted square, or {"column": 5, "gone": false, "finished": null}',
    "pursued": "the +1 was announced this turn",
    "red": "this turn's roll was red",
    "draft": "ids of the riders in draft order; left out: as they are told",
    "riders": "a list, or an object by id",
    "bonus": "for each bonus line who won it, or null",
    "piles": '{"rouleur": {"left": [3, 4, 3, 2], "spent": [0, 0, 0, 0]}, ...}: feed tiles by value',
    "undealt": "special cards that nobody was seen to get",
    "arrivals": "the last arrival number given",
    "crossed": "riders over the arrival line",
    "runs": "who rides together, with what is still to be done; left out: it follows from turn and phase",
    "clock": "the runs in the order of the stopwatch",
    "over": "the stage is over",
}
_RIDER = {
    "id": "his name here",
    "seat": "whose he is (default: his id)",
    "jersey": "white, yellow, blue, green, purple, or your own",
    "type": "rouleur, leader, climber",
    "carry": "energy carried over",
    "strength": "descender, sprinter, or null",
    "at": 'a square, "7.1" (column, lane from the left; "7.1b" the second of that lane in a bend), or inside, finished, out',
    "where": "inside, road, finished, out",
    "arrival": "arrival number; left out: who is told first counts as the later one",
    "energy": "points (default: the energy of the course)",
    "risks": "boxes marked, 0 to 3",
    "tiles": "values of kept feed tiles; 0: not seen",
    "card": "special card in hand",
    "unseen_card": "he holds a card that is not known",
    "shown": "his card was turned up before all",
    "played": "the card he has played",
    "behind": "the rider in whose slipstream he sits",
    "slipstream": "that rider has moved since: a free square",
    "spare": "Alfredo went with his move this turn",
    "fell": "the turn in which he fell; 0: upright",
    "waiting": "punctured, until his turn in the next T5",
    "dropping": "will be put down behind the peloton",
    "fresh": "was put down in this T4",
    "fed": "feed lines that he has crossed",
    "crack_tiles": "left of his seven in a time trial",
    "turn": "the turn in which he finished",
    "order": "his place at the line",
}
assert set(_OPTIONS) == set(OPTIONS), "every option is described"
assert set(_ENTRANT) == set(ENTRANT), "every field of an entrant is described"
assert set(_POSITION) | set(OPTIONS) == set(POSITION), "every field of a position is described"
assert set(_RIDER) == set(RIDER), "every field of a rider is described"


def describe(actions: Wire[Any], events: Wire[Any]) -> dict[str, Any]:
    """Options, entrants, position, actions and events, with an example of each."""
    told = actions.describe()
    chance = {cls.kind for cls in CHANCE}
    return {
        "game": "giro",
        "version": 1,
        "options": {
            "fields": _OPTIONS,
            "example": {"course": "pianura", "giro": True, "cards": "matched", "token": "Anna"},
        },
        "entrants": {
            "fields": _ENTRANT,
            "example": [{"seat": "Anna", "draft": 2}, {"seat": "Bruno", "draft": 2}],
        },
        "position": {
            "fields": _POSITION,
            "rider": _RIDER,
            "strip": "strip L2 | P1-6 R7-9 M10-14/2 D15-18 | x 16.0 | feed 8 | bonus 12 | sprint 15: lanes, terrain of the "
            'columns, /2 a category token, x black squares; "strip L3 itt | ..." is a time trial',
            "example": {
                "course": "strip L2 | P1-20",
                "peloton": 3,
                "turn": 4,
                "token": "A",
                "riders": [
                    {"id": "A", "type": "rouleur", "at": "8.1", "energy": 12, "risks": 1},
                    {"id": "B", "type": "climber", "at": "inside", "energy": 9, "tiles": [3]},
                ],
            },
        },
        "actions": {kind: _with_example(kind, of) for kind, of in told.items() if kind not in chance},
        "chance": {kind: _with_example(kind, of) for kind, of in told.items() if kind in chance},
        "explained": "a legal move also tells to, squares, steps, free, paid, passed, cost, worst, risk, needs, chance, "
        "recovers, leaves, lines, finishes, rejoins, slipstream, gives_slipstream, keeps_followers",
        "decisions": "kind (first_seat, pick, strength, card, first_token, move, attack, pursue, peloton_die, pay, event_die, "
        "joker, crack_tile, tile, clock), taker (seat, chance, organiser), seat, about (the rider), why",
        "events": {
            kind: of | {"example": {"kind": kind} | _values(of["fields"]) | _OF_AN_EVENT.get(kind, {})}
            for kind, of in events.describe().items()
        },
    }


def _values(fields: dict[str, str]) -> dict[str, Any]:
    return {name: _OF_A_FIELD[name] for name in fields}


def _with_example(kind: str, of: dict[str, Any]) -> dict[str, Any]:
    return of | {"example": {"kind": kind} | _EXAMPLES.get(kind, {"rider": "A"})}


_EXAMPLES: dict[str, dict[str, Any]] = {
    "pick": {"jersey": "white", "riders": ["rouleur", "climber"]},
    "strength": {"descender": "white-rouleur", "sprinter": None},
    "move": {"rider": "A", "path": [1, 1, 0], "card": False},
    "break": {"rider": "A", "start": 1, "path": [1, 1, 1, 0]},
    "end": {},
    "pursue": {"yes": True},
    "reveal": {"rider": "A", "tile": 3},
    "joker": {"rider": "A", "yes": True},
    "clock": {"order": ["B", "A"]},
    "first_seat": {"seat": "Anna"},
    "first_token": {"seat": "Anna"},
    "card": {"rider": "A", "card": "alfredo"},
    "peloton_die": {"value": 4, "red": True},
    "event_die": {"rider": "A", "value": 7},
    "tile": {"rider": "A", "value": 3},
    "crack_tile": {"rider": "A", "value": 4},
}
_OF_A_FIELD: dict[str, Any] = {
    "rider": "A", "seat": "Anna", "riders": ["white-rouleur", "white-leader"], "strength": "descender", "card": "miguel",
    "turn": 4, "origin": "8.1", "to": "11.0", "squares": 3, "free": 3, "paid": 0, "passed": 0, "slipstream": False,
    "change": 0, "energy": 12, "risk": "crack", "needed": 5, "rolled": 4, "held": False, "value": 3, "line": 1,
    "colour": "rouleur", "to_keep": True, "behind": "B", "yes": True, "red": False, "pursued": False, "empty": False,
    "column": 9, "price": 1, "order": 1,
}  # fmt: skip
"""What an example of an event has in its fields."""

_OF_AN_EVENT: dict[str, dict[str, Any]] = {
    "cracked": {"change": -10, "energy": 2},
    "fell": {"change": -5, "energy": 2},
    "lost_tile": {"change": -3, "energy": 9},
    "recovered": {"change": 2, "energy": 14},
    "used_tile": {"change": 3, "energy": 15},
    "paid_peloton": {"change": -1, "energy": 11},
    "peloton_moved": {"rolled": 4, "squares": 4, "column": 9},
    "clock_read": {"order": ["B", "A"]},
}
