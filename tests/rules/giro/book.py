"""The numbers of Giro: GI, the steps before the start S, and the rulings R where the rulebook leaves something open."""

from collections.abc import Mapping

from tests.rules.books import Book

RULINGS: Mapping[str, str] = {
    "R-36": "test_laps_are_counted_after_all_moves_of_the_stage",
    "R-37": "test_level_on_score_and_energy_the_latest_placing_decides",
    "R-40": "test_the_first_on_the_clock_adds_nothing_the_second_one_the_last_three_all_others_two",
    "R-46": "test_a_mountain_over_several_hexagons_needs_one_rise",
}
"""Rulings on what lies outside a stage: each is shown by a test that is marked with the rule it belongs to."""

EXAMPLES: Mapping[str, tuple[str, ...]] = {
    "A.3: the milestones add up to the energy at the start": (
        "Milestones that add up to 37 give 37 energy: vetta",
    ),
    "B.1, figure 4: five squares on the plain cost 3, 5 and 8": (
        "A rouleur on the plain pays 3 energy for 5 squares: 3 free, 2 paid",
        "A leader on the plain pays 5 energy for 5 squares: 2 free, 3 paid",
        "A climber on the plain pays 8 energy for 5 squares: 1 free, 4 paid",
    ),
    "B.1, figure 6: straight on and diagonally, neither sideways nor back": (
        "From a square three squares can be reached in one step: straight on and the two diagonals",
        "A diagonal is one square of movement, and nobody rides sideways or back",
    ),
    "B.1: the rouleur before a blocked road pays 5 for five squares": (
        "The rulebook's blocked road: five squares past two full columns cost 3 for the paid squares and 2 for the riders passed",
    ),
    "B.1, figure 7: yellow draws level with green and goes first": (
        "Yellow draws level with green: next turn yellow rides first, then green",
    ),
    "B.1: the yellow rider in the bend is not caught, one square more and he is": (
        "In the bend the peloton has not reached the rider whose front edge is half a column further",
        "One dotted square more and the peloton takes the rider in the bend back",
    ),
    "B.2: the squares of a break-away on a straight": (
        "On a straight a break-away reaches the fourth column at least, whichever lane it starts from",
    ),
    "B.2: the squares of a break-away in a bend": (
        "In a bend the four squares lead farther inside than outside",
        "From the middle launch square four squares go one column past the bend",
    ),
    "B.2: out of the plain with 3, 2 or 1 free square": (
        "Out of a peloton on the plain a rouleur has three free squares: four squares cost him 1",
        "Out of a peloton on the plain a leader has two free squares: four squares cost him 3",
        "Out of a peloton on the plain a climber has one free square: four squares cost him 5",
    ),
    "B.2: a descender breaks away on the downhill and recovers": (
        "A rider who descends well breaks away on a downhill with five free squares: four cost nothing and give one back",
    ),
    "B.4: a 5, nobody inside and the pursuit make 7 squares, 3 energy for the caught": (
        "Roll 5, nobody inside, pursuit: the peloton goes 7 squares, and only the riders whom it catches pay, 3 each",
    ),
    "C.1: slipstream exactly behind; none beside or diagonally": (
        "A rider who ends his move exactly behind another sits in his slipstream, and has one free square more in the next turn",
        "A rider beside another has no slipstream from him",
        "A rider diagonally behind another has no slipstream from him",
    ),
    "C.2, figure 8: the climber who has taken one risk needs 8": (
        "A climber who has taken one risk needs 8 or more for the second: 5 in 12",
    ),
    "C.2: a move of 5 costs 15 with a crack, and 15 must be there": (
        "Who cracks on a move of 5 pays 15 in all, keeps his square, and rides again in the next turn",
        "For a crack risk a rider needs three times the price: 15 for 5",
        "With 14 energy the crack risk of a move of 5 is refused",
    ),
    "C.2: three riders at a mountain of category 2": (
        "The climber rides 7 squares from the rise, 2 free and 5 paid, 2 of them on the mountain of category 2: 11 energy and no risk",
        "The leader rides 4 squares on the mountain of category 2, 2 free and 2 paid: 3 energy and no risk",
        "The rouleur rides 4 squares on the mountain of category 2, 1 free and 3 paid: 5 energy and a crack risk, for which he needs 15",
    ),
    "C.2: a move of 5 costs 10 with a fall, and 10 must be there": (
        "Who falls on a move of 5 pays 10 in all, lies beside his square, and skips his next turn",
        "For a fall risk a rider needs twice the price: 10 for 5",
    ),
    "C.2 (Hungarian text): the leader's 7 squares, two on the mountain and one black": (
        "A leader rides 7 squares from the mountain, 2 free and 5 paid, 2 of them on category 2 and one black beyond the top: "
        "no crack risk, but a fall risk that needs 22",
    ),
    "C.2 (Hungarian text): the climber's 8 squares over black ones, and the rouleur behind him": (
        "A climber rides 8 squares on a descent, 4 free and 4 paid, with black squares among the free ones: 8 energy and no risk",
        "A climber moves 8 squares from a descent, 4 free and 4 paid: the rouleur behind him loses the slipstream",
        "Had the climber moved 7 squares on the descent, the rouleur behind him would have kept the slipstream",
    ),
    "C.4: the rouleur with four free squares rides 3, 2 or 1": (
        "A rouleur with four free squares, one of them slipstream, rides 3 and recovers 1",
        "A rouleur with four free squares, one of them slipstream, rides 2 and recovers 2",
        "A rouleur with four free squares, one of them slipstream, rides 1 and recovers 3",
    ),
    "D.1, figure 9: gaps 0, 2, 3, 3, 6, and the last is three squares from being lapped": (
        "test_gaps_0_2_3_3_6_are_the_ranks_1_2_3_4_5_by_energy",
        "test_three_squares_short_of_being_lapped_is_a_gap_of_the_track_minus_three",
    ),
    "D.3: milestones of 37 are 55 energy in a time trial": (
        "Milestones of 37 give 55 energy in a time trial, half of them more",
    ),
    "D.3: the free squares of a time trial": (
        "Free squares of a time trial on the plain: rouleur 3, leader 3, climber 2",
        "Free squares of a time trial on a mountain: rouleur 2, leader 3, climber 3",
        "Free squares of a time trial on a downhill: rouleur 4, leader 4, climber 4",
        "Free squares of a time trial on a rise: rouleur 2, leader 2, climber 2",
    ),
    "D.3: 20 turns and the fifth of six on the clock are 22": (
        "test_fifth_of_six_with_20_turns_has_a_result_of_22",
    ),
    "D.3: the seven tiles 2, 2, 3, 3, 4, 4, 5": (
        "One or two paid squares are no risk in a time trial, three draw one of the seven tiles",
        "A tile that is drawn stays out until all seven are used, then all seven come back",
    ),
    "D.4: of 6 and 22 points left 6 and 15 are carried over": (
        "Of 6 points left a rider carries over 6, of 22 he carries 15: both come on top of the next course's energy",
    ),
    "our own Giro of three stages, cell by cell": (
        "test_every_cell_of_the_general_classification",
        "test_every_cell_of_the_stage_results",
        "The worked Giro's second stage: on crono 39 and what each rider carried",
    ),
}  # fmt: skip
"""The worked examples of both rulebooks, and the scenarios (by title) and tests (by name) that keep them true."""

BOOK = Book(
    game="giro",
    number=r"GI-[A-Z]\d?-\d\d|R-\d\d|S\d",
    cut=r"GI-[A-Z]\d?-\d\d(?:,| and| to|–|-|\.\.+|…) ?-?\d\d?\b"  # "GI-C2-11, -12", "GI-C2-01..05"
    r"|GI-[A-Z]\d?-\d\d ?(?:–|-|\.\.+|…|to) ?GI-"  # "GI-C2-01 to GI-C2-05"
    r"|\bR-\d\d ?(?:–|-|\.\.+|…|to) ?R-",
    decided="GI",
    unshown={},
    undecided={},
    by_name=RULINGS,
    examples=EXAMPLES,
)
