"""What the bots of Breaking Away do where everybody who has ridden a race knows what is right."""

import random

import pytest

from races import bots
from races.bots.breaking_away import asides, belief, madison
from races.bots.breaking_away.outline import Outline
from rules.breaking_away.actions import Change, Move, Place, Rate, StopRace
from rules.breaking_away.game import BREAKING_AWAY
from rules.game import Decision, Seat, Taker
from tests.races.bots.breaking_away import TABLES, positions

THINKING = ("club", "expert")


def position(**told):
    return BREAKING_AWAY.read_state(told)


def asked(level, state, seed=1):
    """What the bot answers to the decision that the race waits for."""
    return bots.answer(BREAKING_AWAY, level, state, BREAKING_AWAY.decisions(state)[0], random.Random(seed))


# ---- factors -----------------------------------------------------------------------------------------------------------
def far_behind(*names):
    return {name: {"at": 0, "hand": [3, 3, 3]} for name in names}


@pytest.mark.parametrize("level", THINKING)
def test_who_can_cross_the_line_first_does(level):
    state = position(
        cyclists={"A1": {"at": 28, "hand": [3, 4, 5, 6]}, **far_behind("B1", "C1")}, order=["A1", "B1", "C1"]
    )

    assert asked(level, state) == Move(cyclist="A1", factor=6)


def test_the_club_settles_in_behind_the_longest_chain_that_it_sees():
    ahead = {name: {"at": 10 + number // 2, "hand": [5, 5]} for number, name in enumerate(("B1", "B2", "C1", "C2"))}
    state = position(
        cyclists=ahead | {"A1": {"at": 0, "hand": [2, 9, 13]}, "A2": {"at": 0, "hand": [4, 6, 7]}},
        order=["C1", "C2", "B1", "B2", "A1", "A2"], index=4,
    )  # fmt: skip

    assert asked("club", state) == Move(cyclist="A1", factor=9)


@pytest.mark.parametrize("level", ["easy", *THINKING])
def test_who_has_finished_keeps_what_he_need_not_spend(level):
    state = position(
        cyclists={"A1": {"at": 105, "hand": [3, 7, 9], "finished": 9}, **far_behind("B1", "C1")},
        lines={"S1": ["A1"], "S2": ["A1"], "F": ["A1"]}, turn=10, order=["A1", "B1", "C1"],
    )  # fmt: skip

    assert asked(level, state) == Move(cyclist="A1", factor=3)


def test_the_expert_stops_where_others_will_soon_stand_before_it():
    """All of B and C can only ride to 12. At 11 a chain of six will be ahead; the club, who sees nobody ahead, rides on."""
    others = [f"{team}{number}" for team in "BC" for number in (1, 2, 3)]
    state = position(
        open_hands=True, order=["A1", *others],
        cyclists={name: {"at": 4, "hand": [8, 8, 8], "open": True} for name in others}
        | {"A1": {"at": 6, "hand": [5, 6, 9], "open": True}},
    )  # fmt: skip

    assert asked("expert", state) == Move(cyclist="A1", factor=5)
    assert asked("club", state) == Move(cyclist="A1", factor=9)


# ---- guesses -----------------------------------------------------------------------------------------------------------
def test_a_guess_holds_what_was_announced_and_what_the_limit_leaves():
    spent = {"at": 20, "hand": [1, 1, 1], "spent": [9, 8], "gained": [6, 3]}
    state = position(
        cyclists={"A1": {"at": 30, "hand": [4, 5, 6]}, "B3": spent, "C1": {"at": 25, "hand": [4, 5, 6]}}, turn=3
    )
    seen = BREAKING_AWAY.view(state, Seat("A")).state
    b3 = seen.field.names.index("B3")

    guesses = {belief.Guesser(seen).draw(random.Random(seed))[b3] for seed in range(40)}

    assert guesses == {(2, 3, 6), (3, 3, 6)}  # 9 + 8 of a number 3, who has 20: 2 or 3 are left, then 6 and 3 came


def test_the_likely_hand_of_somebody_who_has_told_nothing_is_the_usual_one():
    assert belief.likely((), (), 4, False) == (4, 5, 7)
    assert belief.likely((5,), (6,), 4, False) == (4, 6, 7)
    assert sum(belief.likely((14,), (), 4, False)) <= 2


# ---- the outline -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("table", TABLES[:2] + TABLES[3:4], ids=lambda table: table.name)
def test_an_outline_rides_as_the_rules_do(table):
    """Turn by turn: places, hands, order, leader and points after the same factors."""
    for seed in range(4):
        state = next(state for state, decision in positions(table, seed) if decision.kind in ("move", "orders"))
        rng = random.Random(seed)
        outline = Outline(state, [racer.hand for racer in state.racers])
        while state.phase.value in ("move", "orders"):
            factors = {racer: rng.choice(state.racers[racer].hand) for racer in state.order}
            state = ridden(state, factors)
            outline.finish_turn((), factors)

            assert outline.pos == [racer.pos for racer in state.racers]
            assert [sum(row["points"] for row in told) for told in points(state)] == teams(outline, state)
            if state.over is None:
                assert outline.hand == [list(racer.hand) for racer in state.racers]
                assert (tuple(outline.order), outline.leader) == (state.order, state.leader)
        assert outline.over


def ridden(state, factors):
    """The state after everybody has spent his factor, or the race has ended."""
    turn = state.turn
    while state.over is None and state.turn == turn:
        decision = BREAKING_AWAY.decisions(state)[0]
        if decision.kind == "move":
            racer = state.order[state.done]
            action = Move(cyclist=state.field.names[racer], factor=factors[racer])
        else:
            own = [racer for racer in state.order if state.field.seats[state.field.seat_of[racer]] == decision.seat]
            action = next(
                sheet
                for sheet in BREAKING_AWAY.legal(state, decision)
                if dict(sheet.factors) == {state.field.names[racer]: factors[racer] for racer in own}
            )
        state = BREAKING_AWAY.apply(state, action).state
    return state


def points(state):
    """The points of each team, line by line, in the order of the teams."""
    for team in range(len(state.field.teams)):
        yield [
            {"points": line.points[place] if place < len(line.points) else 0}
            for line, crossed in zip(state.field.course.lines, state.lines, strict=True)
            for place, racer in enumerate(crossed)
            if state.field.team_of[racer] == team
        ]


def teams(outline, state):
    return [sum(outline.points[racer] for racer in own) for own in state.field.racers_of_team]


# ---- beside the turn ---------------------------------------------------------------------------------------------------
@pytest.mark.rule("BA-RET-05")
@pytest.mark.parametrize(
    ("at", "own", "agrees"),
    [
        (10, 40, True),  # far behind, and nobody needs him
        (16, 40, False),  # 24 squares behind
        (60, 40, False),  # ahead
    ],
)
def test_a_bot_lets_somebody_go_who_is_of_no_use_any_more(at, own, agrees):
    state = position(
        cyclists={"A1": {"at": at, "hand": [3]}, "B1": {"at": own, "hand": [3]}, "C1": {"at": 70, "hand": [3]}},
        requests=[{"id": "A1"}], asked=["A1"],
    )  # fmt: skip
    vote = next(d for d in BREAKING_AWAY.decisions(state) if d.kind == "vote_retire" and d.seat == "B")

    assert {bots.answer(BREAKING_AWAY, level, state, vote, random.Random(1)).yes for level in THINKING} == {agrees}


@pytest.mark.rule("BA-RET-05")
def test_a_bot_without_cyclists_lets_everybody_go():
    state = position(
        cyclists={"A1": {"at": 60, "hand": [3]}, "B1": {"at": 40, "hand": [3], "where": "retired"}, "C1": {"at": 70, "hand": [3]}},
        requests=[{"id": "A1"}], asked=["A1"],
    )  # fmt: skip
    vote = next(d for d in BREAKING_AWAY.decisions(state) if d.kind == "vote_retire" and d.seat == "B")

    assert asides.agrees(state, vote)


def test_asked_to_stop_the_race_a_bot_rides_on():
    state = position(cyclists=far_behind("A1", "B1", "C1"), stop=["A"])
    decision = Decision(kind="stop_race", taker=Taker.SEAT, seat=Seat("B"), optional=True)

    assert bots.answer(BREAKING_AWAY, "expert", state, decision, random.Random(1)) == StopRace(seat="B", yes=False)


# ---- Madison -----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("BA-MAD-18", "BA-REF-02")
@pytest.mark.parametrize("level", ["easy", *THINKING])
def test_on_paper_a_bot_whose_team_has_to_change_goes_where_its_own_sheet_lets_it(level):
    state = position(
        variant="madison", hands="closed", turn=8, leader="L",
        teams=[{"id": "L", "ratings": [4, 1], "overdue": True}, {"id": "M", "changed": 1}, {"id": "N", "changed": 1}],
        cyclists={
            "L1": {"at": 50, "spent": [5, 7], "gained": [3, 5]}, "L2": {"rests": 30},
            "M1": {"at": 41, "spent": [9], "gained": [3]}, "M2": {"rests": 13},
            "N1": {"at": 40, "spent": [9], "gained": [3]}, "N2": {"rests": 15},
        },
    )  # fmt: skip

    assert {move.factor for move in BREAKING_AWAY.legal(state, BREAKING_AWAY.decisions(state)[0])} == {1, 2, 3, 4, 5}
    assert asked(level, state) == Move(cyclist="L1", factor=4), "3 and 5 lead to rivals who rest, and a 4 is left"


def madison_at(kind):
    return next((state, decision) for state, decision in positions(TABLES[4], seed=3) if decision.kind == kind)


@pytest.mark.parametrize("level", THINKING)
def test_in_a_madison_the_strongest_ride_and_rest_in_the_way(level):
    state, rating = madison_at("rate")
    lined_up, place = madison_at("place")

    assert bots.answer(BREAKING_AWAY, level, state, rating, random.Random(1)) == Rate(team=rating.about, r1=1, r2=2)
    answer = bots.answer(BREAKING_AWAY, level, lined_up, place, random.Random(1))
    assert isinstance(answer, Place)
    assert (answer.active, answer.square) == (1, madison.IN_THE_WAY)


@pytest.mark.parametrize(
    ("at", "riding", "resting", "changed", "changes"),
    [
        (10, [3, 3, 4], [7, 8, 9], 0, True),  # the better hand rests
        (10, [7, 8, 9], [3, 3, 4], 0, False),
        (30, [5, 6, 7], [5, 6, 7], 0, True),  # the lap ends, and they have not changed in it
        (30, [5, 6, 7], [5, 6, 7], 1, False),
        (30, [15, 15, 15], [3, 3, 3], 0, False),  # a debt is cheaper than such a hand
    ],
)
def test_in_a_madison_they_change_for_the_better_hand_and_once_a_lap(at, riding, resting, changed, changes):
    state = position(
        variant="madison", madison_small=True, phase="change",
        teams=[{"id": name, "ratings": [1, 2], "changed": changed} for name in "ABCD"],
        cyclists={
            "A1": {"at": at, "hand": riding}, "A2": {"rests": 39, "hand": resting},
            **{f"{name}1": {"at": place, "hand": [5, 5, 5]} for name, place in (("B", 8), ("C", 6), ("D", 4))},
            **{f"{name}2": {"rests": place, "hand": [5, 5, 5]} for name, place in (("B", 18), ("C", 16), ("D", 14))},
        },
        order=["A", "B", "C", "D"],
    )  # fmt: skip

    answer = asked("club", state)

    assert isinstance(answer, Change) is changes
