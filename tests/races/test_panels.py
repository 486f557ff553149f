"""The words of a game: what a decision offers and what each answer is said to cost, risk and lead to."""

import json
from fractions import Fraction
from typing import Any

import pytest
from django.utils.html import strip_tags

from races.models import Seat
from races.panels import Asked, Bunch, Question, panel_of
from races.panels.giro_log import alike
from races.words import Cast, Shown, jersey_symbol, listed, percent, say
from rules.game import Decision, Taker
from rules.giro import actions, events
from rules.giro.game import GIRO

PANEL = panel_of("giro")


def asked(position: dict[str, Any], seat: str = "A", asks: Asked | None = None) -> Question:
    """The question that is open at a position, as its seat is asked it."""
    state = GIRO.read_state({"course": "strip L2 | P1-20", "peloton": 3, "turn": 4} | position)
    decision = next(d for d in GIRO.decisions(state) if d.taker is Taker.SEAT and d.seat == seat)
    view = GIRO.view(state, decision.seat)
    legal = tuple(GIRO.legal(view.state, decision))
    return PANEL.question(GIRO, view, decision, legal, PANEL.cast(view, ()), asks or Asked())


def rider(**told: Any) -> dict[str, Any]:
    return {"id": "A", "type": "rouleur", "at": "8.1", "energy": 12} | told


BEHIND = {"id": "B", "type": "climber", "at": "inside"}


def rows(question: Question) -> dict[str, Any]:
    return {choice.code: choice for group in question.groups for choice in group.choices}


def row_to(question: Question, title: str) -> Any:
    return next(choice for choice in rows(question).values() if choice.title == title)


# ---- riding ----------------------------------------------------------------------------------------------------------
def test_moves_stand_by_distance_nearest_first_and_the_free_distance_is_open():
    question = asked({"riders": [rider(), BEHIND]})

    distances = [group.steps for group in question.groups]

    assert distances == [str(n) for n in range(1, len(distances) + 1)]
    assert [group.steps for group in question.groups if group.open] == ["3"]
    assert question.intro == ("3 free squares, on a plain.",)


@pytest.mark.rule("GI-B1-04", "GI-C4-01")
def test_a_distance_says_what_it_costs_or_gives_back():
    question = asked({"riders": [rider(), BEHIND]})

    costs = {group.steps: group.cost for group in question.groups}

    # a rouleur on the plain rides 3 free; 4 and 5 are 1 and 2 paid
    assert costs["3"] == "free"
    assert costs["4"] == "1 energy"
    assert costs["5"] == "3 energy"
    assert row_to(question, "13 left").cost == "3 energy"
    assert "Leaves 9 energy" in row_to(question, "13 left").subs


@pytest.mark.rule("GI-C2-02")
@pytest.mark.parametrize(("risks", "needs", "odds"), [(0, 5, "67 %"), (1, 8, "42 %"), (2, 11, "17 %")])
def test_a_risk_says_what_the_die_must_show_and_how_likely_that_is(risks: int, needs: int, odds: str):
    black = {"course": "strip L2 | P1-20 | x 12.0 12.1 13.0 13.1"}
    question = asked(black | {"riders": [rider(energy=30, risks=risks), BEHIND]})

    risky = [choice.risk for choice in rows(question).values() if choice.risk]

    assert risky
    assert all(f"{needs} or more holds, {odds}." in risk for risk in risky)


@pytest.mark.rule("GI-C1-01")
def test_the_square_behind_a_rider_says_whose_wheel_it_is():
    ahead = {"id": "C", "type": "leader", "at": "10.1", "energy": 5}
    state = GIRO.read_state({"course": "strip L2 | P1-20", "peloton": 3, "turn": 4, "riders": [rider(), ahead, BEHIND]})
    state = GIRO.apply(state, GIRO.read_action({"kind": "move", "rider": "C", "path": [1, 1]})).state  # to 12.1
    decision = GIRO.decisions(state)[0]
    view = GIRO.view(state, decision.seat)
    legal = tuple(GIRO.legal(view.state, decision))
    question = PANEL.question(GIRO, view, decision, legal, PANEL.cast(view, ()), Asked())

    wheel = [choice.title for choice in rows(question).values() if "On the wheel of C" in choice.subs]

    assert decision.about == "A"
    assert wheel == ["11 right"]
    assert ("wheel", "slipstream") in question.groups[2].marks


def test_a_choice_that_is_looked_at_is_checked_and_its_distance_open():
    plain = asked({"riders": [rider(), BEHIND]})
    far = rows(plain)[plain.groups[-1].choices[0].code]
    action = GIRO.read_action(json.loads(far.code))

    looked = asked({"riders": [rider(), BEHIND]}, asks=Asked(action=action))

    assert looked.chosen is not None
    assert looked.chosen.code == far.code
    assert looked.groups[-1].open
    assert sum(choice.checked for choice in rows(looked).values()) == 1


def test_a_kept_bottle_may_come_first_and_is_no_square():
    question = asked({"riders": [rider(tiles=[3]), BEHIND]})

    first = question.groups[0]

    assert (first.title, first.plain) == ("First, if you like", True)
    assert [(choice.title, choice.cost, choice.value) for choice in first.choices] == [
        ("Drink the bottle of 3", "+3 energy", "")
    ]


def test_a_card_is_told_with_what_it_does_and_rides_without_it_come_first():
    question = asked({"riders": [rider(card="alfredo"), BEHIND]})

    with_card = [
        i for i, choice in enumerate(question.groups[3].choices) if any("Alfredo" in sub for sub in choice.subs)
    ]

    assert ("paper", "Alfredo: one free square more on a plain, no puncture") in question.facts
    assert with_card
    assert with_card == list(range(with_card[0], len(question.groups[3].choices)))


# ---- other decisions -------------------------------------------------------------------------------------------------
def test_the_attack_asks_who_before_where_and_always_offers_nobody_more():
    inside = [{"id": id, "seat": "A", "type": "rouleur", "at": "inside", "energy": 20} for id in ("A1", "A2")]
    position = {"phase": "T2", "riders": inside}

    who, where = asked(position), asked(position, asks=Asked(rider="A2"))

    assert [pick.value for pick in who.picks] == ["A1", "A2"]
    assert who.groups == ()
    assert [button.label for button in who.buttons] == ["Send nobody more"]
    assert [pick.value for pick in where.picks if pick.current] == ["A2"]
    assert {json.loads(code)["rider"] for code in rows(where)} == {"A2"}
    assert [button.label for button in where.buttons] == ["Send nobody more"]


def test_the_pursuit_is_two_buttons():
    question = asked({"phase": "T3", "token": "A", "riders": [rider(), BEHIND]})

    assert [button.label for button in question.buttons] == ["Call the pursuit", "No pursuit"]
    assert not question.is_list
    assert not question.is_on_board


# ---- the field -------------------------------------------------------------------------------------------------------
def field(position: dict[str, Any], seat: str | None = None) -> list[Any]:
    state = GIRO.read_state({"course": "strip L2 | P1-20", "peloton": 3, "turn": 4} | position)
    view = GIRO.view(state, seat)  # type: ignore[arg-type]
    return PANEL.road(view, GIRO.decisions(state), PANEL.cast(view, ()), frozenset())


def test_the_peloton_stands_in_the_table_where_it_is_on_the_road():
    table = field(
        {"peloton": 8, "riders": [rider(at="12.1"), {"id": "C", "type": "leader", "at": "4.1"}, BEHIND]},
    )

    assert [row.title if isinstance(row, Bunch) else row.shown.id for row in table] == ["A", "Peloton", "B", "C"]
    assert [row.rank for row in table if not isinstance(row, Bunch)] == ["1", "2", "3"]


def test_a_kept_bottle_is_a_number_for_its_owner_and_a_bottle_for_everybody_else():
    position = {"riders": [rider(tiles=[4]), BEHIND]}

    own = next(row for row in field(position, "A") if not isinstance(row, Bunch) and row.shown.id == "A")
    other = next(row for row in field(position, "B") if not isinstance(row, Bunch) and row.shown.id == "A")

    assert "bottles: 4" in own.notes
    assert "1 bottle" in other.notes


# ---- the log ---------------------------------------------------------------------------------------------------------
def told(happened: list[Any], action: Any = None, seat: str = "A") -> list[str]:
    state = GIRO.read_state({"course": "strip L2 | P1-20", "peloton": 3, "turn": 4, "riders": [rider(), BEHIND]})
    view = GIRO.view(state, None)
    return [strip_tags(line) for line in PANEL.lines(happened, action, seat, PANEL.cast(view, ()), view)]


def test_every_event_has_a_sentence_that_can_be_read():
    described = GIRO.describe()["events"]
    for kind, of in described.items():
        event = GIRO.read_event(of["example"])
        lines = told([event], actions.End())
        assert lines, kind
        assert all(line and "%(" not in line for line in lines), kind


def test_who_pays_the_same_is_told_in_one_sentence():
    lines = told(
        [
            events.PaidPeloton(rider="A", change=-1, energy=11),
            events.PaidPeloton(rider="B", change=-1, energy=8),
            events.PaidPeloton(rider="C", change=-2, energy=8),
        ]
    )

    assert lines == ["A (11) and B (13) pay 1 each to stay in.", "C pays 2 to stay in. Energy 8."]


def test_an_answer_without_consequences_is_told_too():
    assert told([], actions.End(), "Anna") == ["Anna sends nobody more."]


def test_only_entries_of_one_kind_are_alike():
    puncture = events.PunctureRolled(rider="A", rolled=7)

    assert alike([], actions.End()) == "end"
    assert alike([puncture], actions.EventDie(value=7)) == "wheels"
    assert alike([puncture, events.Punctured(rider="A")], actions.EventDie(value=7)) == ""
    assert alike([events.TurnBegan(turn=2)], actions.End()) == ""


# ---- words -----------------------------------------------------------------------------------------------------------
def test_a_percentage_is_whole_and_never_certain_where_it_is_not():
    assert [percent(Fraction(n, 12)) for n in (0, 2, 5, 8, 12)] == ["0 %", "17 %", "42 %", "67 %", "100 %"]
    assert [percent(Fraction(1, 1000)), percent(Fraction(999, 1000))] == ["1 %", "99 %"]


def test_whatever_people_type_is_escaped_and_shown_as_typed():
    name = "</b><script>x</script>"
    cast = Cast([Shown(id="A", bib="7", name=name, jersey="bot")], [Seat(name="s", label=name)])

    for line in (cast.b("A"), cast.s("s"), cast.b(name), say("%(who)s", who=name), listed([name, name])):
        assert "<script" not in line
        assert "&lt;" in line


def test_parts_are_listed_as_one_says_them():
    assert [listed([]), listed(["A"]), listed(["A", "B"]), listed(["A", "B", "C"])] == [
        "",
        "A",
        "A and B",
        "A, B and C",
    ]


def test_a_jersey_that_the_sprite_does_not_have_is_the_dashed_one():
    assert [jersey_symbol(j) for j in ("blue", "blue-hoops", "team7", "blue-team")] == [
        "blue-sash",
        "blue-hoops",
        "bot",
        "bot",
    ]


def test_every_kind_of_decision_has_a_headline():
    state = GIRO.read_state({"course": "strip L2 | P1-20", "peloton": 3, "turn": 4, "riders": [rider(), BEHIND]})
    view = GIRO.view(state, None)
    cast = PANEL.cast(view, ())
    seats = ["move", "attack", "pursue", "pay", "tile", "joker", "pick", "strength"]
    rolls = [("first_seat", None), ("card", None), ("card", "shown"), ("first_token", None), ("peloton_die", None),
             ("event_die", "puncture"), ("event_die", "fall"), ("event_die", "crack"), ("crack_tile", None), ("tile", "feed")]  # fmt: skip
    decisions = [Decision(kind=kind, taker=Taker.SEAT, seat="A", about="A") for kind in seats]  # type: ignore[arg-type]
    decisions += [Decision(kind=kind, taker=Taker.CHANCE, about="A", why=why) for kind, why in rolls]
    decisions.append(Decision(kind="clock", taker=Taker.ORGANISER))

    for decision in decisions:
        for own in (True, False):
            assert PANEL.headline(view, decision, cast, own=own), decision


def test_every_numbered_rule_is_in_a_chapter_with_a_title():
    chapters = PANEL.chapters()

    assert all(chapter.title and chapter.rules for chapter in chapters)
    assert len({chapter.title for chapter in chapters}) == len(chapters)
