"""Samples of the board of Breaking Away, for `tests.races.board.look`."""

from typing import Any

from tests.races.board.look import Sample

TEAMS = {
    "W": ("white-plain", ("Marchetti", "Sarti", "Venn", "Okafor")),
    "Y": ("yellow-hoops", ("Lindqvist", "Duarte", "Bianchi", "Moreau")),
    "B": ("blue-sash", ("Kowalska", "Ferri", "Haas", "Novak")),
    "G": ("green-stripes", ("Ilves", "Quist", "Tamm", "Zeman")),
    "P": ("purple-dots", ("Ubeda", "Ruiz", "Costa", "Melo")),
    "S": ("white-sash", ("Berg", "Dahl", "Holm", "Lund")),
    "D": ("yellow-dots", ("Aalto", "Koski", "Niemi", "Salo")),
    "H": ("blue-hoops", ("Brandt", "Frey", "Kern", "Voss")),
    "N": ("green-plain", ("Amato", "Greco", "Longo", "Neri")),
}


def cyclists(told: str, **more: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """ "Y3 36*": who, where; a star: he has moved in this turn. `more` by who."""
    out: dict[str, dict[str, Any]] = {}
    for one in told.split(", "):
        name, place = one.split()
        out[name] = {"at": int(place.rstrip("*")), "moved": place.endswith("*")} | more.pop(name, {})
    return out | more


STANDARD = cyclists(
    "Y3 36*, W1 33*, G2 33*, B1 32*, Y1 32*, P2 32*, W3 31, G1 30, B3 28, P1 28, Y2 28, W2 28, G3 27, B2 25, P3 25, "
    "W4 22, G4 22, Y4 22, B4 20, P4 17",
    W3={"hand": [3, 5, 8]},
)

SAMPLES = {
    "ba-sprint": Sample(
        game="breaking_away",
        title="The first sprint",
        position={"course": "standard-100", "turn": 5, "lines": {"S1": ["Y3"]}, "leader": "Y3", "cyclists": STANDARD},
        seat="W", to="W3:5",
        since={"Y3": "26", "W1": "27", "G2": "24", "B1": "24", "Y1": "25", "P2": "21"},
    ),
    "ba-laps": Sample(
        game="breaking_away",
        title="Lapped, and level on the board",
        position={
            "course": "standard-100", "turn": 9,
            "lines": {"S1": ["Y3", "W1", "G2", "B1", "Y1", "P2", "W3", "G1", "B3"], "S2": ["Y3", "B1"]},
            "cyclists": cyclists(
                "Y3 79*, B1 75*, W1 73*, G2 72, W3 70, P2 70, G1 69, B3 69, Y1 68, W2 61, P1 61, Y2 60, B2 52, "
                "W4 39, G4 38, P4 33, B4 30", G2={"hand": [2, 9, 15]},
            ),
        },
        seat="G", to="G2:2", since={"Y3": "70", "B1": "66", "W1": "64", "G2": "72"},
    ),
    "ba-start": Sample(
        game="breaking_away",
        title="Kermesse: the first turn of nine teams",
        position={
            "course": "kermesse-60", "turn": 1,
            "cyclists": cyclists(", ".join(
                ["W1 12*", "Y1 12*", "B1 9*"] + [f"{team}{number} 0" for number in (1, 2, 3, 4) for team in TEAMS
                if (team, number) not in (("W", 1), ("Y", 1), ("B", 1))]
            )),
        },
        seat="G",
    ),
    "ba-crowd": Sample(
        game="breaking_away",
        title="Criterium: nine abreast",
        position={
            "course": "criterium-125", "turn": 6, "lines": {"S1": ["W1", "Y1", "B1", "G1"], "S2": ["W1"]},
            "cyclists": cyclists(
                ", ".join([f"{team}1 51*" for team in TEAMS] + ["W2 50*", "Y2 50*", "B2 50*", "G2 50*", "P2 50*", "S2 50*"]
                + ["D2 49*", "H2 47", "N2 46", "W3 46", "Y3 44", "B3 40"]),
                H2={"hand": [3, 4, 7]},
            ),
        },
        seat="H", to="H2:3",
    ),
    "ba-open": Sample(
        game="breaking_away",
        title="Postal race: an open road",
        position={
            "course": "postal-120", "turn": 14, "lines": {"S1": ["W1", "Y1", "B1", "G1"], "S2": ["W1"]},
            "cyclists": cyclists("W1 118*, Y1 112*, B1 111, G1 111, W2 104, Y2 103, B2 99, G2 98", B1={"hand": [9, 10, 14]}),
        },
        seat="B", to="B1:10", since={"W1": "109", "Y1": "104", "B1": "111"},
    ),
    "ba-finish": Sample(
        game="breaking_away",
        title="Over the line and on",
        position={
            "course": "standard-100", "turn": 14,
            "lines": {"S1": ["W1", "Y1", "B1", "G1"], "S2": ["W1", "Y1"], "F": ["W1", "Y1", "B1"]},
            "cyclists": cyclists("W1 117*, Y1 108*, B1 101*, G1 99, W2 97, Y2 96, B2 95, G2 95, P1 88", G1={"hand": [4, 6, 20]}),
        },
        seat="G", to="G1:4",
    ),
    "ba-orders": Sample(
        game="breaking_away",
        title="Orders: all at once and in secret",
        position={
            "course": "standard-100", "turn": 4, "turn_mode": "orders", "leader": "Y3",
            "cyclists": cyclists(
                "Y3 30, W1 28, B1 28, Y1 27, W3 25, B3 24, Y2 24, W2 21, B2 21, W4 16, B4 16, Y4 15",
                W1={"hand": [3, 9, 12]}, W3={"hand": [4, 7, 9]}, W2={"hand": [6, 8, 11]}, W4={"hand": [4, 5, 7]},
            ),
        },
        seat="W", to="W1:9,W2:11", rider="W3", since={"Y3": "21", "W1": "20", "B1": "22"},
    ),
    "ba-madison": Sample(
        game="breaking_away",
        title="Madison: who rests beside the road",
        position={
            "variant": "madison", "madison_small": True, "turn": 8, "lines": {"S1": ["Y", "W", "B"]},
            "cyclists": {
                "Y2": {"at": 57, "moved": True}, "Y1": {"rests": 12},
                "W1": {"at": 55, "moved": True}, "W2": {"rests": 19},
                "B1": {"at": 51, "hand": [3, 5, 8]}, "B2": {"rests": 30},
                "G2": {"at": 50}, "G1": {"rests": 14},
                "P1": {"at": 50}, "P2": {"rests": 15},
                "S1": {"at": 12}, "S2": {"rests": 39},
            },
            "teams": [{"id": "Y"}, {"id": "W"}, {"id": "B", "overdue": True}, {"id": "G"}, {"id": "P"}, {"id": "S"}],
        },
        seat="B", to="B1:5", since={"Y": "48", "W": "47", "B": "51"},
    ),
    "ba-line-up": Sample(
        game="breaking_away",
        title="Madison: where the other one rests",
        position={
            "variant": "madison", "madison_small": True, "phase": "place", "turn": 0, "first": "Y",
            "cyclists": {"Y1": {"at": 0, "moved": True}, "Y2": {"rests": 12}},
            "teams": [{"id": "Y"}, {"id": "W"}, {"id": "B"}, {"id": "G"}],
        },
        seat="W", to="W:2@5",
    ),
    "ba-far": Sample(
        game="breaking_away",
        title="The first sprint from afar",
        position={"course": "standard-100", "turn": 5, "lines": {"S1": ["Y3"]}, "leader": "Y3", "cyclists": STANDARD},
        seat="W", to="W3:8", zoom="far",
    ),
    "ba-spectator": Sample(
        game="breaking_away",
        title="Seen by nobody in the race",
        position={"course": "standard-100", "turn": 5, "lines": {"S1": ["Y3"]}, "leader": "Y3", "cyclists": STANDARD},
    ),
}  # fmt: skip


def strip_of(sample: Sample) -> Any:
    """The strip of a sample, from the view of its seat."""
    from races.board import board_of
    from races.board.breaking_away import display_number
    from rules.breaking_away.game import BREAKING_AWAY
    from rules.game import Seat, Taker, listed

    board = board_of("breaking_away")
    state = BREAKING_AWAY.read_state(sample.position)
    field = state.field
    view = BREAKING_AWAY.view(state, None if sample.seat is None else Seat(sample.seat))
    open_now = BREAKING_AWAY.decisions(state)
    decision = next((d for d in open_now if d.seat == sample.seat), open_now[0])
    legal: Any = ()
    if decision.taker is Taker.SEAT and decision.seat == sample.seat:
        legal = listed(BREAKING_AWAY.legal(view.state, decision))
    names = {}
    for cyclist in field.places:
        jersey, people = TEAMS[cyclist[:-1]]
        names[cyclist] = (display_number(field, cyclist), people[int(cyclist[-1]) - 1], jersey)
    mine = frozenset(name for name in names if sample.seat and name[:-1] == sample.seat)
    facts: dict[str, Any] = {
        "names": names, "decision": decision, "legal": legal, "mine": mine, "since": sample.since, "rider": sample.rider,
    }  # fmt: skip
    return board.strip(view, **facts, chosen=board.find(sample.to or "", legal))
