"""The courses that come with the site, all our own, in the public notation of a course.

Milestones follow one convention: plain 3, rise 4, mountain 5, downhill 2, and one more for a hexagon with a bend. Black
squares are wet asphalt on a descent, cobbles, paving or tram rails on the plain. Every hexagon is five columns long.
"""

from collections.abc import Mapping
from typing import Any, Final

FLAT: Final[tuple[Mapping[str, Any], ...]] = (
    {
        "id": "pianura", "name": "Pianura", "kind": "road", "lanes": 3,
        "hexes": ["3: P5", "4: R5", "4: P2 P3<2,3,4>@1", "2: D5", "4: R5", "2: D5", "3: P5", "4: P3<4,3,2>@1 P2",
                  "3: P5", "3: P5"],
        "cat": {}, "feed": [25], "bonus": [30], "sprint": 42,
        "black": ["6:0:2", "6:0:3", "6:1:3", "8:2:0", "8:2:1"],
    },
    {
        "id": "risaie", "name": "Le Risaie", "kind": "road", "lanes": 4,
        "hexes": ["3: P5", "3: P5", "4: P1 P3<2,3,4,5>@1 P1", "3: P5", "4: R5", "2: D5", "4: P1 P3<5,4,3,2>@2 P1",
                  "3: P5", "3: P5"],
        "cat": {}, "feed": [20], "bonus": [30], "sprint": 39,
        "black": ["6:3:2", "8:1:3", "8:1:4", "8:2:3"],
    },
    {
        "id": "litoranea", "name": "La Litoranea", "kind": "road", "lanes": 4,
        "hexes": ["3: P5", "3: P5", "4: R5", "2: D5", "3: P5", "4: P2 P3<2,3,4,5>@1", "3: P5", "4: R5", "2: D5",
                  "4: P3<5,4,3,2>@2 P2", "3: P5", "3: P5", "3: P5"],
        "cat": {}, "feed": [25, 45], "bonus": [40], "sprint": 58,
        "black": ["4:0:1", "4:1:1", "9:2:3", "9:3:3", "9:3:4", "12:0:2"],
    },
    {
        "id": "fiume-lento", "name": "Il Fiume Lento", "kind": "road", "lanes": 4,
        "hexes": ["3: P5", "3: P5", "4: P1 P3<2,3,4,5>@1 P1", "3: P5", "4: R5", "2: D5", "3: P5", "3: P5",
                  "4: P3<5,4,3,2>@2 P2", "3: P5", "3: P5", "4: R5", "2: D5", "3: P5", "4: P2 P3<2,3,4,5>@1", "3: P5",
                  "3: P5", "3: P5", "3: P5"],
        "cat": {}, "feed": [20, 45, 70], "bonus": [40, 75], "sprint": 87,
        "black": ["6:1:2", "6:2:2", "13:0:3", "13:3:1", "17:1:0", "17:1:1", "17:2:1"],
    },
    {
        "id": "selciato", "name": "Il Selciato", "kind": "road", "lanes": 3,
        "hexes": ["3: P5", "3: P5", "3: P5", "4: R5", "2: D5", "3: P5", "4: P2 P3<2,3,4>@1", "4: P3<4,3,2>@1 P2",
                  "3: P5", "3: P5", "3: P5"],
        "cat": {}, "feed": [20], "bonus": [25], "sprint": 47,
        "black": ["3:1:1", "3:1:2", "3:1:3", "3:1:4", "3:2:1", "3:2:2", "3:2:3", "3:2:4",
                  "6:0:0", "6:0:1", "6:0:2", "6:0:3", "6:1:0", "6:1:1", "6:1:2", "6:1:3",
                  "9:0:1", "9:0:2", "9:1:1", "9:1:2", "9:1:3", "9:2:1", "9:2:2", "9:2:3"],
    },
    {
        "id": "tre-piazze", "name": "Le Tre Piazze", "kind": "road", "lanes": 3,
        "hexes": ["3: P5", "4: P2 P2<1,2,3>@1 P1", "3: P5", "4: R5", "2: D5", "4: P3<4,3,2>@1 P2",
                  "4: P2 P2<3,2,1>@1 P1", "3: P5"],
        "cat": {}, "feed": [15], "bonus": [20, 30], "sprint": 35,
        "black": ["5:0:3", "5:1:3", "6:2:0", "6:2:1", "8:1:1"],
    },
    {
        "id": "mulini", "name": "I Mulini", "kind": "road", "lanes": 3,
        "hexes": ["3: P5", "4: R5", "2: D5", "4: R5", "2: D5", "4: P2 P3<2,3,4>@1", "4: R5", "3: D2 D3<4,3,2>@1",
                  "4: R5", "4: R5", "2: D5", "3: P5"],
        "cat": {}, "feed": [30], "bonus": [20, 50], "sprint": 56,
        "black": ["3:1:3", "8:1:4", "8:2:2", "8:2:3", "11:0:2", "11:0:3", "11:1:2"],
    },
)  # fmt: skip
"""Road stages without a mountain."""

MOUNTAINS: Final[tuple[Mapping[str, Any], ...]] = (
    {
        "id": "borgo-alto", "name": "Borgo Alto", "kind": "road", "lanes": 2,
        "hexes": ["3: P5", "3: P5", "4: R5", "2: D5", "4: P2 P3<2,3>@1", "4: R5", "5: M5", "3: D2 D3<3,2>@0", "3: P5",
                  "4: R5", "2: D5", "3: P5", "4: R5", "5: R2 R3<2,3>@1"],
        "cat": {"31": 3}, "feed": [25, 45], "bonus": [50], "sprint": 65,
        "black": ["8:0:3", "8:0:4", "8:1:2", "11:1:2", "11:1:3", "13:0:4", "14:1:0"],
    },
    {
        "id": "colli", "name": "Colli", "kind": "road", "lanes": 3,
        "hexes": ["3: P5", "4: R5", "2: D5", "3: P5", "4: R5", "5: M5", "2: D5", "4: P2 P3<4,3,2>@1", "4: R5",
                  "5: M5", "2: D5", "3: P5"],
        "cat": {"26": 2, "46": 3}, "feed": [35], "bonus": [30, 50], "sprint": 57,
        "black": ["7:0:1", "7:1:1", "7:2:2", "11:0:3", "11:1:2"],
    },
    {
        "id": "due-valli", "name": "Le Due Valli", "kind": "road", "lanes": 3,
        "hexes": ["3: P5", "3: P5", "4: R5", "5: M5", "2: D5", "3: D2 D3<2,3,4>@1", "3: P5", "4: R5", "5: M5", "5: M5",
                  "2: D5", "3: D3<4,3,2>@1 D2", "3: P5", "3: P5", "3: P5"],
        "cat": {"16": 2, "41": 3, "46": 2}, "feed": [35, 60], "bonus": [50], "sprint": 67,
        "black": ["5:1:2", "5:1:3", "6:0:1", "6:0:2", "11:2:1", "11:2:2", "12:0:4", "12:1:3"],
    },
    {
        "id": "bosco-nero", "name": "Bosco Nero", "kind": "road", "lanes": 2,
        "hexes": ["3: P5", "3: P5", "4: R5", "5: M5", "2: D5", "4: P2 P3<2,3>@1", "4: R5",
                  "6: M1 M2<1,2>@1 M2<2,1>@0", "2: D5", "3: D2 D3<3,2>@0"],
        "cat": {"16": 3, "36": 2}, "feed": [25], "bonus": [40], "sprint": 45,
        "black": ["5:0:3", "9:0:1", "9:1:1", "9:1:2", "10:0:2", "10:0:3", "10:1:3"],
    },
    {
        "id": "ruota-libera", "name": "A Ruota Libera", "kind": "road", "lanes": 3,
        "hexes": ["3: P5", "3: P5", "4: R5", "2: D5", "4: P3<4,3,2>@1 P2", "3: P5", "4: R5", "5: M5", "2: D5", "3: P5",
                  "4: R5", "5: M5", "5: M5", "2: D5", "3: D1 D3<2,3,4>@1 D1", "2: D5"],
        "cat": {"36": 3, "56": 2, "61": 1}, "feed": [30, 50], "bonus": [40, 65], "sprint": 75,
        "black": ["9:1:2", "14:0:1", "14:0:2", "14:2:3", "15:1:2", "15:1:3", "15:2:4", "16:0:1", "16:1:1"],
    },
)  # fmt: skip
"""Road stages over mountains that end on the plain, on a rise or on a descent."""

MOUNTAIN_ARRIVALS: Final[tuple[Mapping[str, Any], ...]] = (
    {
        "id": "vetta", "name": "La Vetta", "kind": "road", "lanes": 2,
        "hexes": ["3: P5", "3: P5", "4: R5", "5: M5", "2: D5", "3: D2 D3<3,2>@0", "3: P5", "4: R5", "5: M5", "5: M5"],
        "cat": {"16": 3, "41": 2, "46": 1}, "feed": [35], "bonus": [20], "sprint": None,
        "black": ["5:0:1", "5:1:3", "6:1:2", "6:1:3"],
    },
    {
        "id": "muro-del-falco", "name": "Il Muro del Falco", "kind": "road", "lanes": 3,
        "hexes": ["3: P5", "4: P2 P3<2,3,4>@1", "3: P5", "4: R5", "2: D5", "3: P5", "3: P5", "4: R5",
                  "6: M2<1,2,3>@1 M1 M2<3,2,1>@1"],
        "cat": {"41": 1}, "feed": [25], "bonus": [20], "sprint": None,
        "black": ["5:0:2", "5:2:2", "7:1:3", "7:1:4"],
    },
    {
        "id": "santuario", "name": "Il Santuario", "kind": "road", "lanes": 3,
        "hexes": ["3: P5", "3: P5", "4: P3<4,3,2>@1 P2", "4: R5", "2: D5", "3: P5", "4: R5", "4: R5", "5: M5",
                  "6: M1 M2<1,2,3>@1 M2<3,2,1>@1", "5: M5"],
        "cat": {"41": 2, "51": 1}, "feed": [30], "bonus": [20], "sprint": None,
        "black": ["5:1:1", "5:1:2", "6:0:2", "6:2:2", "11:0:3"],
    },
    {
        "id": "tappone", "name": "Il Tappone", "kind": "road", "lanes": 3,
        "hexes": ["3: P5", "3: P5", "4: R5", "5: M5", "2: D5", "4: P2 P3<2,3,4>@1", "4: R5", "5: M5",
                  "6: M2 M2<1,2,3>@1 M1", "2: D5", "3: D2 D3<4,3,2>@1", "3: P5", "4: R5", "5: M5", "2: D5", "3: P5",
                  "3: P5", "4: P3<2,3,4>@1 P2", "4: R5", "5: M5", "6: M1 M2<3,2,1>@1 M2"],
        "cat": {"16": 3, "36": 2, "41": 1, "66": 2, "96": 2, "101": 1}, "feed": [30, 60, 85], "bonus": [45, 70],
        "sprint": None,
        "black": ["5:0:2", "5:1:2", "10:1:3", "10:1:4", "11:0:3", "11:2:1", "11:2:2", "15:0:1", "15:2:3", "17:1:2",
                  "17:1:3"],
    },
)  # fmt: skip
"""Road stages that end on a mountain."""

TIME_TRIALS: Final[tuple[Mapping[str, Any], ...]] = (
    {
        "id": "crono", "name": "Cronometro", "kind": "itt", "lanes": 3,
        "hexes": ["3: P5", "4: P2 P3<2,3,4>@1", "4: R5", "2: D5", "4: R5", "4: R5", "2: D5", "3: P5"],
        "cat": {}, "feed": [], "bonus": [], "sprint": 35,
        "black": ["4:0:2", "4:1:2", "4:2:2"],
    },
    {
        "id": "argine", "name": "L’Argine", "kind": "itt", "lanes": 2,
        "hexes": ["3: P5", "3: P5", "4: P2 P3<2,3>@1", "3: P5", "4: P2 P3<3,2>@0", "3: P5", "3: P5"],
        "cat": {}, "feed": [], "bonus": [], "sprint": 30,
        "black": ["4:0:2", "4:0:3", "6:1:1", "6:1:2"],
    },
    {
        "id": "funivia", "name": "La Funivia", "kind": "itt", "lanes": 2,
        "hexes": ["3: P5", "4: P2 P3<2,3>@1", "4: R5", "2: D5", "4: R5", "5: M5", "6: M1 M2<1,2>@1 M2<2,1>@0", "5: M5"],
        "cat": {"26": 2, "36": 1}, "feed": [], "bonus": [], "sprint": None,
        "black": ["4:0:2", "4:1:1", "4:1:2"],
    },
    {
        "id": "laguna", "name": "Laguna", "kind": "ttt", "lanes": 3,
        "hexes": ["3: P5", "4: P2 P3<2,3,4>@1", "3: P5", "4: R5", "2: D5", "3: P5"],
        "cat": {}, "feed": [], "bonus": [], "sprint": 27,
        "black": ["5:1:3"],
    },
    {
        "id": "autodromo", "name": "L’Autodromo", "kind": "ttt", "lanes": 4,
        "hexes": ["3: P5", "4: P1 P3<2,3,4,5>@1 P1", "4: P1 P3<2,3,4,5>@1 P1", "3: P5", "4: R5", "2: D5",
                  "4: P2<1,2,3,4>@1 P3", "3: P5"],
        "cat": {}, "feed": [], "bonus": [], "sprint": 35,
        "black": ["6:2:2", "6:3:2", "6:3:3", "8:0:1"],
    },
)  # fmt: skip
"""Against the clock: alone, then by jersey."""

BUILT_IN: Final = (*FLAT, *MOUNTAINS, *MOUNTAIN_ARRIVALS, *TIME_TRIALS)
"""Every course that comes with the site, in the order of a list to choose from."""

DEMO_GIRO: Final = ("laguna", "pianura", "colli", "crono", "vetta")
"""A short Giro: the ids of its courses in this order."""

GRANDE_GIRO: Final = (
    "laguna", "risaie", "mulini", "bosco-nero", "muro-del-falco", "litoranea", "colli",
    "selciato", "crono", "pianura", "due-valli", "vetta", "autodromo", "fiume-lento",
    "borgo-alto", "ruota-libera", "funivia", "santuario", "tappone", "argine", "tre-piazze",
)  # fmt: skip
"""A Giro of three weeks: every course once, in this order."""
