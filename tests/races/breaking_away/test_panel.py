"""The words of Breaking Away: what is asked, where each answer leads, and what the rules say to what was typed."""

import json
from typing import Any

import pytest
from django.utils.html import strip_tags

from races.panels import Asked, Question, Rider, panel_of
from races.panels.breaking_away import place_words
from rules.breaking_away import actions, events
from rules.breaking_away.course import STANDARD
from rules.breaking_away.game import BREAKING_AWAY
from rules.breaking_away.state import State
from rules.errors import IllegalAction
from rules.game import Taker

PANEL = panel_of("breaking_away")
SEATS = {"seats": ["Anna", "Bruno", "Carla"]}


def stands(**told: Any) -> State:
    """Turn 4 of three teams, R of Anna, W of Bruno, B of Carla; who is not told stands where he starts."""
    teams = {"R": {"seat": "Anna"}, "W": {"seat": "Bruno"}, "B": {"seat": "Carla"}}
    return BREAKING_AWAY.read_state({"turn": 4, "teams": teams, **SEATS, **told})


def asked(state: State, kind: str, asks: Asked | None = None, seat: str | None = None) -> Question:
    decision = next(
        d for d in BREAKING_AWAY.decisions(state)
        if d.kind == kind and d.taker is Taker.SEAT and seat in (None, d.seat)
    )  # fmt: skip
    view = BREAKING_AWAY.view(state, decision.seat)
    legal = BREAKING_AWAY.legal(view.state, decision)
    return PANEL.question(BREAKING_AWAY, view, decision, legal, PANEL.cast(view, ()), asks or Asked())


def leads_to(question: Question) -> dict[str, list[str]]:
    """Of each factor what it leads to."""
    return {
        choice.to: [words for _icon, words in choice.marks] for group in question.groups for choice in group.choices
    }


AT_THE_SPRINT = {
    "cyclists": {
        "W1": {"at": 37, "moved": True},
        "B2": {"at": 36, "moved": True, "spent": [9, 9, 9], "gained": [3, 4, 3]},
        "R1": {"at": 30, "hand": [3, 5, 8], "spent": [12, 9, 6], "gained": [3, 5, 3]},
        "W2": {"at": 30, "spent": [10, 8, 7], "gained": [4, 5, 8]},
        "B1": {"at": 28},
    },
    "lines": {"S1": ["W1", "B2"]},
}


# ---- a move ----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("BA-SCORE-01", "BA-REPL-02")
def test_a_factor_says_where_it_leads_what_it_crosses_and_what_it_would_give_back():
    question = asked(stands(**AT_THE_SPRINT), "move")

    assert question.rider is not None
    assert question.rider.id == "R1"
    told = leads_to(question)
    assert list(told) == ["3", "5", "8"]
    assert "On the line of Sprint 1: not crossed" in told["3"]
    assert "Crosses Sprint 1, 3rd, 6 points" in told["5"]
    assert any(words.startswith("Slipstream +2 behind") and words.endswith("(3+2)") for words in told["5"])
    assert not any("Slipstream" in words for words in told["8"])
    assert "Leader, alone: break value 1, the lead instead of 3" in told["8"]
    choices = {choice.to: choice for group in question.groups for choice in group.choices}
    assert {to: (choice.cost, choice.cost_words) for to, choice in choices.items()} == {
        "3": ("+3", "new factor"), "5": ("+5", "new factor"), "8": ("+1", "new factor"),
    }  # fmt: skip
    assert {to: choice.brief for to, choice in choices.items()} == {
        "3": "sq 33", "5": "sq 35 · 6 points", "8": "sq 38 · 6 points",
    }  # fmt: skip
    assert choices["5"].says == (
        "5: to 35 / 100, sq 35, lap 1; Sprint 1, 3rd, 6 points; new factor 5, as it stands"
    )  # fmt: skip


@pytest.mark.rule("BA-REPL-03", "BA-REPL-04")
def test_a_factor_says_whom_it_pulls_along_and_with_whom_it_shares_a_square():
    behind = {
        "W1": {"at": 34, "moved": True},
        "R2": {"at": 33, "moved": True},
        "R1": {"at": 30, "hand": [4, 5, 9]},
    }

    told = leads_to(asked(stands(cyclists=behind), "move"))

    assert any(words.startswith("Outside on the square, with") for words in told["4"])
    assert any(words.startswith("Pulls along") and "of your own" in words for words in told["4"])
    assert any(words.startswith("Pulls along") for words in told["5"])
    assert not any(words.startswith("Pulls along") for words in told["9"])


@pytest.mark.rule("BA-INFO-04")
def test_rivals_who_can_still_move_there_are_told_from_what_everybody_knows():
    told = leads_to(asked(stands(**AT_THE_SPRINT), "move"))

    sure = [words for words in told["8"] if words.startswith("Can still move there")]
    assert sure, "W2 has gained an 8 and not spent it: everybody knows that"


@pytest.mark.rule("BA-INFO-04")
def test_that_no_rival_or_any_of_many_may_still_get_there_is_said_in_one_line():
    far = stands(cyclists={"R1": {"at": 70, "hand": [4, 15]}})
    start = {"R1": {"at": 0, "hand": [4, 5, 9]}}
    close = stands(cyclists=start, turn=1)

    assert leads_to(asked(far, "move"))["15"][-1] == "No rival can still move there"
    assert leads_to(asked(close, "move"))["9"][-1] == "Any of 8 rivals may still move there"


def test_a_few_factors_stand_in_the_bar_too_and_many_only_in_the_list():
    few = asked(stands(**AT_THE_SPRINT), "move")
    many = asked(stands(hands="closed", turn=1), "move")

    assert [choice.to for choice in few.quick] == ["3", "5", "8"]
    assert all(choice.href for choice in few.quick)
    assert len(many.groups[0].choices) == 15
    assert many.quick == ()


def test_a_factor_that_is_pointed_at_is_checked_and_said_on_the_button():
    action = actions.Move(cyclist="R1", factor=5)

    question = asked(stands(**AT_THE_SPRINT), "move", Asked(action=action))

    assert question.chosen is not None
    assert (question.chosen.to, question.chosen.confirm) == ("5", "Play 5")


@pytest.mark.rule("BA-LAP-01")
@pytest.mark.parametrize(
    ("pos", "words"), [(0, "0 / 100, sq 0, lap 1"), (73, "73 / 100, sq 33, lap 2"), (-1, "-1 / 100, sq 39, lap 1")]
)
def test_a_place_is_told_as_distance_square_and_lap(pos: int, words: str):
    assert place_words(STANDARD, pos) == words


# ---- hands -----------------------------------------------------------------------------------------------------------
def before_the_start(**options: Any) -> State:
    return BREAKING_AWAY.setup(options, [{"seat": s, "team": t} for s, t in zip(SEATS["seats"], "RWB", strict=True)])


def typed(**hands: str) -> dict[str, str]:
    """A form as it is sent: hand1="9 10 11"."""
    sent = {"decision": "allocate:Anna:R:"}
    for name, text in hands.items():
        number = name.removeprefix("hand")
        values = text.split() + [""] * ((4 if number == "1" else 3) - len(text.split()))
        sent |= {f"hand-{number}-{n}": value for n, value in enumerate(values, 1)}
    return sent


GOOD = {"hand1": "12 9 6 3", "hand2": "11 8 6", "hand3": "9 7 4", "hand4": "7 5 4"}


@pytest.mark.rule("BA-SET-04")
def test_the_form_of_the_first_factors_has_the_usual_ones_filled_in_and_counted():
    question = asked(before_the_start(), "allocate")

    assert [(b.limit, b.used, len(b.boxes)) for b in question.budgets] == [
        (30, 30, 4), (25, 25, 3), (20, 20, 3), (16, 16, 3),
    ]  # fmt: skip
    assert [box.is_optional for box in question.budgets[0].boxes] == [False, False, False, True]
    assert question.doubts == ()
    assert [(one.label, one.current) for one in question.proposals] == [
        ("Balanced", True), ("Attack", False), ("Sit in", False),
    ]  # fmt: skip


STYLES = {
    "Balanced": ["12 9 6 3", "11 8 6", "9 7 4", "7 5 4"],
    "Attack": ["15 10 5", "13 9 3", "12 5 3", "10 4 2"],
    "Sit in": ["8 8 7 7", "9 8 8", "7 7 6", "6 5 5"],
}
"""The table of the rules' proposals for first factors."""


@pytest.mark.parametrize("style", STYLES)
def test_a_proposal_fills_in_first_factors_that_may_be_handed_in(style: str):
    state = before_the_start(allocation_exact=True)
    codes: list[str] = []
    asks = Asked(action_href=lambda code: codes.append(code) or code)  # type: ignore[func-returns-value]
    proposal = next(one for one in asked(state, "allocate", asks).proposals if one.label == style)
    action = BREAKING_AWAY.read_action(json.loads(proposal.href))

    question = asked(state, "allocate", Asked(action=action))

    assert action in BREAKING_AWAY.legal(state, BREAKING_AWAY.decisions(state)[0])
    assert [" ".join(box.value for box in b.boxes if box.value) for b in question.budgets] == STYLES[style]
    assert [one.label for one in question.proposals if one.current] == [style]
    assert question.doubts == ()


@pytest.mark.rule("BA-SET-06")
def test_what_was_typed_is_the_answer_and_an_empty_box_is_no_factor():
    told = PANEL.typed("allocate", typed(**GOOD | {"hand1": "10 10 10"}))

    assert told == {
        "kind": "allocate", "team": "R",
        "hands": {"1": [10, 10, 10], "2": [11, 8, 6], "3": [9, 7, 4], "4": [7, 5, 4]},
    }  # fmt: skip


@pytest.mark.rule("BA-SET-05")
@pytest.mark.parametrize("text", ["x 8 6", "1.5 8 6", "--1 8 6", "9999999 8 6", "² 8 6"])
def test_what_is_no_whole_number_is_refused_with_the_rule(text: str):
    with pytest.raises(IllegalAction) as refused:
        PANEL.typed("allocate", typed(**GOOD | {"hand2": text}))

    assert refused.value.rule == "BA-SET-05"


@pytest.mark.rule("BA-SET-07")
def test_points_left_unspent_are_doubted_but_not_where_something_is_wrong():
    state = before_the_start()

    left = asked(state, "allocate", Asked(typed=typed(**GOOD | {"hand3": "6 7 4"})))
    wrong = asked(state, "allocate", Asked(typed=typed(**GOOD | {"hand3": "6 7 4", "hand4": "9 9 9"})))

    assert left.doubts == ("White 3 has 3 points left.",)
    assert [b.left for b in left.budgets] == [0, 0, 3, 0]
    assert wrong.doubts == ()
    assert [b.over for b in wrong.budgets] == [0, 0, 0, 11]
    assert [box.value for box in wrong.budgets[3].boxes] == ["9", "9", "9"]


@pytest.mark.rule("BA-REF-01")
def test_hands_on_paper_are_one_tap():
    question = asked(before_the_start(hands="closed"), "allocate")

    assert [button.label for button in question.buttons] == ["They are on paper"]
    assert question.budgets == ()


# ---- orders ----------------------------------------------------------------------------------------------------------
def ordering() -> State:
    return stands(
        turn_mode="orders", phase="orders", cyclists={"R1": {"at": 30, "hand": [4, 8]}, "R2": {"at": 20, "hand": [3]}}
    )


@pytest.mark.rule("BA-OPT-05")
def test_orders_ask_for_a_factor_of_every_own_cyclist_in_the_order_in_which_they_move():
    question = asked(ordering(), "orders", seat="Anna")

    first = question.fields[0]
    assert [field.name for field in question.fields] == ["factor-R1", "factor-R2"]
    assert [value for value, _label, _sub in first.options] == ["4", "8"]
    assert first.options[0] == ("4", "→ 34", "Sprint 1: up to 10 points")
    assert first.where == "30 / 100 · moves 1st"
    assert question.hint == "0 of 2 chosen"


def test_orders_that_are_pointed_at_on_the_board_are_checked_in_the_list():
    pointed = actions.Orders(seat="Anna", factors=(("R1", 8),))

    question = asked(ordering(), "orders", Asked(action=pointed), seat="Anna")

    assert [field.value for field in question.fields] == ["8", ""]


def test_orders_as_they_are_sent():
    told = PANEL.typed("orders", {"decision": "orders:Anna::", "factor-R1": "8", "factor-R2": "3", "key": "k"})

    assert told == {"kind": "orders", "seat": "Anna", "factors": {"R1": 8, "R2": 3}}


# ---- the Madison -----------------------------------------------------------------------------------------------------
@pytest.mark.rule("BA-MAD-12", "BA-MAD-15")
@pytest.mark.parametrize(
    ("changed", "says"),
    [
        (1, "No change in lap 2 yet, and there has to be one up to 80 (BA-MAD-15)."),
        (2, "They have changed in lap 2 already (BA-MAD-15)."),
    ],
)
def test_a_change_says_who_takes_over_with_what_and_whether_one_is_due(changed: int, says: str):
    cyclists = {
        "R1": {"at": 52, "hand": [3, 4, 5]}, "R2": {"rests": 30, "hand": [6, 7, 8]},
        "W1": {"at": 50}, "W2": {"rests": 1}, "B1": {"at": 49}, "B2": {"rests": 2}, "G1": {"at": 40}, "G2": {"rests": 3},
    }  # fmt: skip
    seats = {"R": "Anna", "W": "Bruno", "B": "Carla", "G": "Dora"}
    teams = [{"id": team, "seat": seat, "changed": changed if team == "R" else 1} for team, seat in seats.items()]
    state = BREAKING_AWAY.read_state({
        "variant": "madison", "madison_small": True, "turn": 8, "phase": "change", "cyclists": cyclists,
        "teams": teams, "seats": list(seats.values()),
    })  # fmt: skip

    own = asked(state, "change")

    (change,) = [button for button in own.buttons if not button.main]
    assert own.intro == (says,)
    assert change.sub == "White 2 takes over with 8 7 6, White 1 rests at sq 12."


# ---- the field -------------------------------------------------------------------------------------------------------
@pytest.mark.rule("BA-INFO-01", "BA-INFO-02")
def test_the_field_tells_of_others_what_was_announced_and_of_oneself_the_hand():
    state = stands(**AT_THE_SPRINT)
    decisions = BREAKING_AWAY.decisions(state)

    def row(seat: str | None, rider: str = "R1") -> Rider:
        view = BREAKING_AWAY.view(state, seat)  # type: ignore[arg-type]
        rows = PANEL.road(view, decisions, PANEL.cast(view, ()), frozenset())
        return next(row for row in rows if isinstance(row, Rider) and row.shown.id == rider)

    def tiles(row: Rider) -> str:
        return " ".join(f"{tile.known.value}:{tile.text}" for tile in row.tiles)

    assert (tiles(row("Anna")), row("Anna").tiles_words) == ("own:8 own:5 own:3", "factors 8 5 3")
    for other in ("Bruno", None):
        assert tiles(row(other)) == "sure:5 sure:3 sure:3 perhaps:?"
        assert row(other).tiles_words == "surely holds 5 3 3, and 0 or 1 more"
    assert "to move" in row(None).notes
    assert tiles(row(None, "B1")) == "unknown:? unknown:? unknown:? perhaps:?"
    assert row(None, "B1").tiles_words == "3 or 4 factors that nobody else knows"


def test_before_all_first_factors_are_in_nobody_is_said_to_hold_anything():
    for options in ({}, {"variant": "madison", "madison_small": True}):
        seats = [{"seat": f"T{n}"} for n in range(4)]
        state = BREAKING_AWAY.setup(options, seats)
        view = BREAKING_AWAY.view(state, None)

        rows = PANEL.road(view, (), PANEL.cast(view, ()), frozenset())

        assert not any(row.tiles for row in rows if isinstance(row, Rider))


# ---- the teams -------------------------------------------------------------------------------------------------------
@pytest.mark.rule("BA-SCORE-05", "BA-TIE-02")
def test_the_teams_stand_by_points_with_their_lines_and_what_parts_those_that_are_level():
    lines = {"S1": ["W1", "B2", "R1"], "S2": ["B1", "R2", "W3"]}
    state = stands(cyclists={id: {"at": 80} for id in ("R1", "R2", "W1", "W3", "B1", "B2")}, lines=lines)
    view = BREAKING_AWAY.view(state, None)

    sides = PANEL.standing(view, PANEL.cast(view, ()), frozenset({"R1", "R2"}))

    assert [(side.shown.id, side.place, side.total, side.parts) for side in sides] == [
        ("B", "1", "18", (("Sprint 1", "8"), ("Sprint 2", "10"))),
        ("W", "2", "16", (("Sprint 1", "10"), ("Sprint 2", "6"))),
        ("R", "3", "14", (("Sprint 1", "6"), ("Sprint 2", "8"))),
    ]  # fmt: skip
    assert [side.mine for side in sides] == [False, False, True]
    assert [side.why for side in sides] == [None, None, None]
    at = {"R1": {"at": 80}, "R2": {"at": 75}, "W1": {"at": 90}, "W2": {"at": 75}, "B1": {"at": 10}}
    level = stands(cyclists=at, lines={"S1": ["R1", "W1"], "S2": ["W2", "R2"]})
    told = PANEL.standing(BREAKING_AWAY.view(level, None), PANEL.cast(view, ()), frozenset())
    assert [(side.total, side.why and side.why[0]) for side in told] == [("18", None), ("18", "BA-TIE-02"), ("0", None)]


def test_before_anybody_has_crossed_a_line_no_team_has_a_place():
    for options in ({}, {"variant": "madison", "madison_small": True}):
        state = BREAKING_AWAY.setup(options, [{"seat": f"T{n}"} for n in range(4)])
        view = BREAKING_AWAY.view(state, None)

        sides = PANEL.standing(view, PANEL.cast(view, ()), frozenset())

        assert [(side.place, side.total, side.parts, side.why) for side in sides] == [("", "0", (), None)] * 4


def test_the_field_is_in_race_order_with_points_and_gaps():
    state = stands(**AT_THE_SPRINT)
    view = BREAKING_AWAY.view(state, None)

    rows = PANEL.road(view, (), PANEL.cast(view, ()), frozenset())

    told = [(row.shown.id, row.place, row.gap, row.energy) for row in rows[:4]]  # type: ignore[union-attr]
    assert told == [("W1", "37", "", "10"), ("B2", "36", "−1", "8"), ("R1", "30", "−6", "0"), ("W2", "30", "=", "0")]


# ---- the log ---------------------------------------------------------------------------------------------------------
def told(*happened: Any, action: Any = None, seat: str = "Anna", secret: bool = True) -> list[str]:
    view = BREAKING_AWAY.view(before_the_start(), None)
    cast = PANEL.cast(view, ())
    return [strip_tags(line) for line in PANEL.lines(happened, action, seat, cast, view, secret=secret)]


def test_a_move_is_one_sentence_with_the_lines_that_it_crosses():
    lines = told(
        events.Moved(cyclist="W3", from_=29, to=36, factor=7),
        events.Crossed(cyclist="W3", line="S1", place=2, points=8),
    )

    assert lines == ["Yellow 3 (W3) plays 7: 29 → 36. Crosses Sprint 1, 2nd, 8 points."]


@pytest.mark.rule("BA-REPL-07")
def test_new_factors_are_one_line_with_where_they_come_from():
    new = events.Replaced(
        factors=(
            events.Replacement("R1", 6, events.Why.LEAD),
            events.Replacement("W1", 3, events.Why.CHAIN),
            events.Replacement("B1", 5, events.Why.CHAIN),
            events.Replacement("B2", 5, events.Why.CHAIN),
        )
    )

    (line,) = told(new)

    assert line == ("New factors. +6, break value: R1 · +5, slipstream 2 (3+2): B1 B2 · +3: W1")


def test_only_who_may_see_them_reads_hands_and_orders_in_the_log():
    hands = actions.Allocate(team="R", hands=(("1", (9, 10, 11)), ("2", (8, 8, 9))))
    gave = events.Allocated(seat="Anna", team="R")

    assert told(gave, action=hands)[1] == "Only you see it: White 1 (R1) 11 10 9 and White 2 (R2) 9 8 8."
    assert told(gave, action=actions.Allocate(team="R")) == ["Anna has handed in the first factors."]
    assert told(events.Ordered(seat="Anna"), action=actions.Orders(seat="Anna", factors=(("R1", 8),)))[1:] == [
        "Only you see it: White 1 (R1) 8."
    ]


@pytest.mark.rule("BA-INFO-07")
def test_after_the_race_the_log_does_not_say_that_only_one_sees_it():
    hands = actions.Allocate(team="R", hands=(("1", (9, 10, 11)), ("2", (8, 8, 9))))
    gave = events.Allocated(seat="Anna", team="R")
    orders = actions.Orders(seat="Anna", factors=(("R1", 8),))

    assert told(gave, action=hands, secret=False)[1:] == ["With White 1 (R1) 11 10 9 and White 2 (R2) 9 8 8."]
    assert told(events.Ordered(seat="Anna"), action=orders, secret=False) == ["Anna has given orders."]


def test_an_answer_that_nothing_came_of_says_what_it_was():
    assert told(action=actions.Stay(team="R")) == ["White (R) does not change."]
    assert told(action=actions.Rate(team="R", r1=None, r2=None)) == ["Anna has rated the cyclists."]
    assert told(action=actions.Rate(team="R", r1=1, r2=3))[1:] == ["Only you see it: ratings 1 and 3."]
    rates = [([], actions.Rate(team=t, r1=None, r2=None), s) for s, t in (("Anna", "R"), ("Bruno", "W"))]
    assert {PANEL.alike(*one[:2]) for one in rates} == {"rates"}
    view = BREAKING_AWAY.view(before_the_start(), None)
    assert strip_tags(PANEL.together("rates", rates, PANEL.cast(view, ()))) == "Anna and Bruno have rated the cyclists."


def test_hands_of_several_that_follow_one_another_are_one_line():
    entries = [
        ([events.Allocated(seat=s, team=t)], actions.Allocate(team=t), s) for s, t in (("Anna", "R"), ("Bruno", "W"))
    ]
    view = BREAKING_AWAY.view(before_the_start(), None)

    assert PANEL.alike(*entries[0][:2]) == "hands"
    line = strip_tags(PANEL.together("hands", entries, PANEL.cast(view, ())))
    assert line == "Anna and Bruno have handed in the first factors."


EXAMPLES = BREAKING_AWAY.describe()["events"]


@pytest.mark.parametrize("kind", list(EXAMPLES))
def test_every_event_has_a_sentence_or_belongs_to_one(kind: str):
    (event,) = [BREAKING_AWAY.read_event(EXAMPLES[kind]["example"])]
    happened = [events.Moved(cyclist="W3", from_=29, to=36, factor=7), event] if kind == "crossed" else [event]

    lines = told(*happened)

    assert all(line.strip() for line in lines)
    assert kind == "turn_began" or lines[0] not in ("Anna answers.", "So it fell.")


# ---- the end and the rules -------------------------------------------------------------------------------------------
def test_the_end_is_a_headline_and_a_line_of_points_for_each_team():
    row = {"points": 9, "lines": {"S1": 4, "F": 5}, "place": 1, "seat": "Anna"}
    outcome = {
        "teams": [row, row | {"points": 7, "lines": {"S1": 3, "F": 4}, "place": 2, "seat": "Bruno"}],
        "reason": "quota",
        "turns": 5,
    }
    view = BREAKING_AWAY.view(before_the_start(), None)

    title, says = PANEL.result(outcome, PANEL.cast(view, ()))

    assert title == "Anna wins with 9 points"
    assert says == ["1. Anna: 9 points (S1 4, F 5)", "2. Bruno: 7 points (S1 3, F 4)"]


def test_every_rule_stands_on_the_page_of_rules_in_a_chapter():
    from rules.breaking_away.numbers import rules

    chapters = PANEL.chapters()

    assert [number for chapter in chapters for number, _words in chapter.rules] == list(rules())
    assert len({chapter.title for chapter in chapters}) == len(chapters)
