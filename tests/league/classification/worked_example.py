"""The Giro of three stages that the rules work through: riders A to F, a track of 18 squares."""

from league.classification.giro import Entrant, StageSheet

from .builders import A, B, C, D, E, F, came, road, start_list, time_trial

RIDERS: tuple[Entrant, ...] = start_list(A, B, C, D, E, F)

STAGE_1: StageSheet = road(
    1,
    [
        came(A, 12, 1, energy=3),
        came(C, 12, 2, energy=9),
        came(D, 13, 3, energy=11),
        came(B, 14, 4, energy=18),
        came(E, 14, 5, energy=22),
        came(F, 17, 6, energy=0),
    ],
    peloton=14,
    bonus={1: D},
)
STAGE_2: StageSheet = time_trial(
    2,
    [
        came(C, 11, clock=1, energy=0),
        came(B, 11, clock=2, energy=2),
        came(E, 12, clock=3, energy=6),
        came(A, 13, clock=4, energy=7),
        came(D, 14, clock=5, energy=5),
        came(F, 15, clock=6, energy=1),
    ],
)
STAGE_3: StageSheet = road(
    3,
    [
        came(E, 15, 1, energy=4),
        came(C, 15, energy=0),
        came(A, 16, energy=6),
        came(D, 18, energy=8),
        came(F, 20, energy=3),
        came(B, 21, energy=10),
    ],
    peloton=17,
    bonus={1: C},
)
SHEETS = (STAGE_1, STAGE_2, STAGE_3)
