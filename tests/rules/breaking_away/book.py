"""The numbers of Breaking Away: BA, and the rulings AMB where the rulebook leaves something open."""

from collections.abc import Mapping

from tests.rules.books import Book

SEATS: Mapping[str, str] = {
    "BA-RET-06": "a seat that is left is taken over in the same way in every game, by code that names none of them"
}
"""Rules of the site around the race."""

EXAMPLES: Mapping[str, tuple[str, ...]] = {
    "components and standard course: 39, 39 and 78 points, 156 in all": (
        "The finish pays double: 20, 16, 12, 10, 8, 6, 4, 2, and the eighth ends the race",
        "test_the_built_in_courses",
        "test_a_whole_standard_race_awards_156_points",
    ),
    "the circuit: who stops on a line has not crossed it": (
        "C stops on the line with 28 + 5 and has not crossed it; with one more he has",
    ),
    "set-up: hands that are allowed, and hands that are not": (
        "First hands that are allowed: 10, 10, 10 and 1, 2, 12, 15 for number 1; 2, 10, 13; 3, 8, 9; 1, 1, 14; a point may be left",
        "First hands that are refused: the value 0, a value over 15, half a square, too many or too few values, too many points, half a team",
        "test_so_many_hands_there_are_as_multisets",
    ),
    "turn 1: C, D, A, B through all numbers, all on square 6": (
        "Carla is drawn: C1, D1, A1, B1, then all number 2s, 3s and 4s; all on square 6 in this order, and turn 2 begins with C1",
    ),
    "order of the next turn: Z on 14, then on 12 Y before X": (
        "Z on 14, then on 12 Y who moved second before X who moved fifth",
    ),
    "movement: the hand 4, 9, 7, 10 plays 9 and gets 6": (
        "The hand 4, 7, 9, 10: he plays 9 and holds 4, 7, 10; a new 6 makes 4, 6, 7, 10",
    ),
    "points: first over the line wins, not who goes furthest": (
        "A goes from 30 to 34 and is first; B goes from 29 to 56 and is second, though 22 squares further",
        "Over the line by one square wins over 23 squares beyond it in the same turn",
    ),
    "points: nine crossers in one turn": (
        "Nine cross a sprint in one turn: 10, 8, 6, 5, 4, 3, 2, 1, and the ninth nothing",
    ),
    "points: lines on 33 and 40 crossed in one move": (
        "Lines on 33 and 40: from 32 with 9 he takes a place on both, in the order of the road",
    ),
    "replacement: A and B on 17, C 16, D 15, E 13": (
        "The rulebook's chain: A and B on 17, C 16, D 15, E 13 get 3, 3, 5, 6, 3",
    ),
    "replacement: 23, 22, 22, 21, 20, and 19 instead of 20": (
        "One on 23, two on 22, one on 21, one on 20: 1 for the new leader's lead, then 4, 4, 6, 7",
        "The same on 23, 22, 22, 21, and the last on 19 instead of 20: he gets 3; who led before gets 3 too",
    ),
    "replacement: 24, 24, 23, 23, 22 and 20": (
        "Two on 24, two on 23, one on 22, nobody on 21, one on 20: 3, 3, 5, 5, 7, 3",
    ),
    "replacement: seven ahead are 10": ("Seven in the chain ahead make a 10, his own team-mates among them",),
    "breaking away: Red 2 gets 6, 3, 3 and 1": (
        "The rulebook's breakaway: Red 2 gets 6, then 3, shares the lead for 3, and is alone again by one for 1",
    ),
    "breaking away: turn 1, and leads that change or grow": (
        "The leader of turn 1 has broken away: X on 15, the next on 13, so X gets 2",
        "X leads alone, then Y by 4 gets 4, then X again by 9 gets 9",
        "A lead that is kept pays 3, though it grows from 2 to 20",
    ),
    "end: the eighth over the finish": (
        "The move that brings the eighth over the finish is the last one: who has not moved stays, and there are no new factors",
    ),
    "a tie: Red 41, Blue 41": (
        "Red and Blue have 41 each: Blue's third was second at the finish, Red's first fourth, so Blue is ahead",
    ),
    "a tie: three teams with 30": (
        "Three teams have 30 each, with a third, a first and no finisher: first the one with the first, then the one with the third",
    ),
    "retirement: the chain 20, 19, 18": (
        "One on 20, 19 and 18 each: the one on 19 asks to retire, one player refuses, and nothing changes",
        "All agree: the one on 19 still gets his factor, the one on 18 still 5, and from the next turn on he is gone",
        "Where he stood is empty in the next chain: right behind him there is nobody to follow",
    ),
    "optional rule, breaking away from the pack: Red 2, Red 1, White 1": (
        "Red 2 on 60, Red 1 on 58, White 1 on 54: 2 by the rulebook",
        "The same with the lead measured to a rival: 6",
        "Red 2 and Red 1 share 60: nobody has broken away from the pack, 3 and 3 with the option too",
    ),
    "optional rule, overcrowding: 11, five on 10, two on 9, 8": (
        "Overcrowding: one on 11, five on 10, two on 9, one on 8 get 1, 3 each, 3 each, 5",
        "The same without the option: 1, 4 each, 9 each, 11",
        "With exactly four on 10 nothing is overcrowded: 1, 4 each, 8 each, 10",
        "From turn 2 on no square is overcrowded, however many stand there",
    ),
    "optional rule, staggered start": (
        "Staggered: number 1 on the line, 2, 3 and 4 one, two and three squares behind; a 4 with factor 5 comes to 2, a 3 with 2 to 0, "
        "which is no line",
    ),
    "FAQ: factors are secret, and may be shown": (
        "Hands are handed in once, in any order, and seen by nobody else: not even how many factors number 1 has",
        "A player shows a hand of his to everybody: the whole of it, as it is, and from then on it can be followed",
    ),
    "FAQ: a time out, and the factor of another cyclist": (
        "Anybody may ask for a check of anybody, at any time; the engine finds that all is right, and tells no hand",
        "A factor of number 2 does not move number 3, nor number 1",
    ),
    "FAQ: no 0 and no 16 at the start; more than 15 later": (
        "First hands that are refused: the value 0, a value over 15, half a square, too many or too few values, too many points, half a team",
        "A new factor may be larger than 15: a lead of 16, and a chain of thirteen",
    ),
    "FAQ: three or four values for number 1, for the whole race": (
        "Three or four factors for number 1 stays so: one is spent, one comes back",
        "test_hands_keep_their_size_through_the_race",
    ),
    "FAQ: a lead of one is a 1, bonus or penalty": ("The FAQ's penalty: a new leader by one gets 1, not 3 and 1; by two, 2",),
    "FAQ: no slipstream off lapped riders": (
        "The FAQ's lapped riders: Q on 52, P on 51, three on 12, which is the same printed square: P gets 4, the three get 3",
        "A lapped group on the printed square of the second is in nobody's chain: 4, not 7",
    ),
    "FAQ: retired only with the agreement of all others": (
        "One on 20, 19 and 18 each: the one on 19 asks to retire, one player refuses, and nothing changes",
        "Who has nobody left can refuse it as well",
    ),
    "FAQ: a seventh, eighth and ninth player": (
        "test_three_to_nine_teams_take_part_or_twelve_if_the_organiser_allows",
    ),
    "FAQ: a spent factor is used up": ("What is spent is used up: it is no factor 0, and it does not come back",),
    "on paper: a number 3 who spent 9 and 8; a number 2 who opened with 15": (
        "A number 3 who spent 9 and 8 and got 6 and 3: his third value is 1, 2 or 3, so he may play 1, 2, 3 and 6",
        "A number 2 who opened with 15 cannot play 10 from paper, for 15 and 10 and at least 1 are more than 25",
        "Unless the 10 was his new factor",
    ),
    "Madison: Orange B rests beside 12": (
        "Orange B rests beside 12, and Red A is on 12: Red may not change; alone on 13 it may, and then its A rests beside 13",
        "On 52 a lap later Red may not change either, for the printed square is 12",
        "Red alone on 13 changes, and Red A rests beside 13",
    ),
    "Madison: X, Y, Z on 20": ("X, Y and Z on 20 from inside to outside: only Z may change, and in theory nobody after him",),
    "Madison: K from 37 to 43": (
        "K moves from 37 to 43 without a change in lap 1: it is overdue, lands alone on square 3, and changes without being asked; "
        "that counts for lap 2",
    ),
    "Madison: overdue L on 50 with 3, 5 and 6": (
        "Overdue L on 50 with 3, 5 and 6: rivals rest beside 13 and 15, so 6 is the only factor",
        "With a rival beside 16 too all three are allowed, no change is possible, and the debt stays",
    ),
    "Madison: the finals with 171, 165 and 131": (
        "The finals: L leads on 171 with 14 points, P on 165 has 15, Q on 131 has 15 and is 40 squares behind: P, L, and Q a lap down",
    ),
    "a stage race: the winner in turn 12, who stands on 88 when it stops in turn 13": (
        "A stage race's clock: the race stops in turn 13, and who stands on 88 would have come in turn 15",
    ),
}  # fmt: skip

BOOK = Book(
    game="breaking_away",
    number=r"BA-[A-Z]+-\d\d|AMB-(?:\d\d|M\d)",
    cut=r"BA-[A-Z]+-\d\d(?:,| and| to|/|–|-|\.\.+|…) ?-?\d\d?\b"  # "BA-SET-04/05", "BA-MAD-21..23"
    r"|BA-[A-Z]+-\d\d ?(?:–|-|\.\.+|…|to) ?BA-"
    r"|\bAMB-M?\d+ ?(?:–|-|\.\.+|…|to) ?(?:AMB-|\d)",
    decided="BA",
    unshown={},
    undecided=SEATS,
    by_name={},
    examples=EXAMPLES,
)
