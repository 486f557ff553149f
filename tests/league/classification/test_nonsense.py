"""What no score sheet can say is refused, not counted."""

from dataclasses import replace

import pytest

from league.classification.giro import BonusWon, Entrant, Options, classify

from .builders import A, B, C, came, penalty, road, start_list

SHEET = road(1, [came(A, 10, 1), came(B, 11)])


@pytest.mark.parametrize(
    ("entrants", "sheets", "words"),
    [
        ([*start_list(A, B), Entrant(rider=A, draft=3)], [SHEET], "on the start list twice"),
        ([*start_list(A, B), Entrant(rider=C, draft=2)], [SHEET], "the same place in the draft order"),
        (start_list(A, B), [SHEET, SHEET], "two sheets"),
        (start_list(A, B), [replace(SHEET, lines=(*SHEET.lines, came(A, 30)))], "two lines"),
        (start_list(A), [SHEET], r"not on the start list: \[2\]"),
        (start_list(A, B), [replace(SHEET, bonuses=(BonusWon(token=1, rider=C),))], r"not on the start list: \[3\]"),
        (start_list(A, B), [replace(SHEET, rulings=(penalty(C, 1),))], r"not on the start list: \[3\]"),
        (
            start_list(A, B),
            [replace(SHEET, bonuses=(BonusWon(token=1, rider=A), BonusWon(token=1, rider=B)))],
            "a bonus line was won twice",
        ),
        (start_list(A, B), [replace(SHEET, rulings=(penalty(A, 1), penalty(B, 1)))], "the same number"),
        (start_list(A, B), [replace(SHEET, rulings=(penalty(A, -1),))], "counted from 0"),
    ],
)
def test_it_says_what_is_wrong(entrants, sheets, words):
    with pytest.raises(ValueError, match=words):
        classify(entrants, sheets)


@pytest.mark.parametrize("options", [{"gc_loop": 0}, {"team_count": 0}])
def test_a_track_without_squares_and_a_team_of_nobody_are_refused(options):
    with pytest.raises(ValueError, match="at least 1"):
        Options(**options)


def test_a_giro_without_a_stage_has_no_standing():
    assert classify(start_list(A, B), []) == ()
