"""Who may take part, and which options go together: what is refused before there is a race."""

from typing import Any

import pytest

from rules.breaking_away.game import BREAKING_AWAY as GAME
from rules.breaking_away.state import State
from rules.errors import RulesError


def field_of(teams: int, **options: Any) -> State:
    return GAME.setup(options, [{"seat": f"seat {n}", "team": f"T{n}."} for n in range(teams)])


def rules_of(options: dict[str, Any], entrants: list[Any]) -> list[str | None]:
    """The rules by which a set-up is refused, one for each saying."""
    with pytest.raises(RulesError) as refused:
        GAME.setup(options, entrants)
    return [saying.rule for saying in refused.value.sayings]


THREE = [{"seat": "Anna", "team": "R"}, {"seat": "Bruno", "team": "W"}, {"seat": "Carla", "team": "B"}]
NINE: list[Any] = [{"seat": f"seat {n}", "team": f"T{n}."} for n in range(9)]


@pytest.mark.rule("BA-SET-01")
@pytest.mark.parametrize(
    ("teams", "options", "allowed"),
    [
        (2, {}, False), (3, {}, True), (6, {}, True), (9, {}, True), (10, {}, False),
        (2, {"allow_12": True}, False), (10, {"allow_12": True}, True), (12, {"allow_12": True}, True), (13, {"allow_12": True}, False),
    ],
)  # fmt: skip
def test_three_to_nine_teams_take_part_or_twelve_if_the_organiser_allows(teams, options, allowed):
    if allowed:
        assert len(GAME.seats(field_of(teams, **options))) == teams
        return
    with pytest.raises(RulesError, match="BA-SET-01"):
        field_of(teams, **options)


@pytest.mark.rule("BA-MAD-01")
@pytest.mark.parametrize(
    ("teams", "small", "allowed"),
    [(8, False, False), (9, False, True), (14, False, True), (15, False, False), (3, True, False), (4, True, True), (15, True, False)],
)  # fmt: skip
def test_nine_to_fourteen_teams_ride_a_madison_or_from_four_on_if_the_organiser_allows(teams, small, allowed):
    options = {"variant": "madison", "madison_small": small}
    if allowed:
        assert len(field_of(teams, **options).racers) == teams
        return
    with pytest.raises(RulesError, match="BA-MAD-01"):
        field_of(teams, **options)


@pytest.mark.rule("BA-SET-01")
def test_a_team_has_one_controller_and_a_player_one_team():
    assert rules_of({}, [*THREE, {"seat": "Dino", "team": "R"}])[0] == "BA-SET-01"
    assert rules_of({}, [*THREE, {"seat": "Anna", "team": "G"}]) == ["BA-SET-01"]
    assert rules_of({}, [*THREE, {"seat": "Dino", "teams": ["G", "Y"]}]) == ["BA-SET-01"]


@pytest.mark.rule("BA-SET-01")
def test_nobody_is_called_like_somebody_else():
    assert set(
        rules_of({}, [{"seat": "A", "team": "R"}, {"seat": "B", "team": "R1"}, {"seat": "C", "team": "R12"}])
    ) == {"BA-SET-01"}


@pytest.mark.rule("BA-MAD-01")
def test_in_a_madison_a_player_may_have_several_teams_but_none_is_shared():
    options = {"variant": "madison", "madison_small": True}
    two_each = [{"seat": "Anna", "teams": ["K", "L"]}, {"seat": "Bruno", "teams": ["M", "N"]}]

    state = GAME.setup(options, two_each)

    assert GAME.seats(state) == ("Anna", "Bruno")
    assert [team.seat for team in state.field.teams] == [0, 0, 1, 1]
    assert set(rules_of(options, [*two_each, {"seat": "Carla", "teams": ["N"]}])) == {"BA-SET-01"}


@pytest.mark.rule("BA-SET-01")
@pytest.mark.parametrize(
    "entrant", [{}, {"seat": ""}, {"seat": 7}, {"seat": "Dino", "colour": "red"}, {"seat": "Dino", "teams": []}, {"seat": "D" * 41}, "Dino"]
)  # fmt: skip
def test_an_entrant_that_cannot_be_read_is_refused_in_words(entrant):
    assert rules_of({}, [*THREE, entrant]) == ["BA-SET-01"]


@pytest.mark.rule("BA-SET-02", "AMB-24")
def test_whoever_enters_all_cyclists_start_at_the_line():
    for teams in (3, 9):
        state = field_of(teams)
        assert len(state.racers) == 4 * teams
        assert {racer.pos for racer in state.racers} == {0}


def test_an_option_that_there_is_not_and_a_value_that_it_cannot_have_are_refused_together():
    with pytest.raises(RulesError) as refused:
        GAME.setup({"crowds": True, "turn_mode": "slow", "open_hands": "yes", "course": "velodrome"}, THREE)

    said = str(refused.value)
    assert all(word in said for word in ("crowds", "slow", "yes", "velodrome"))


@pytest.mark.rule("BA-REF-01")
@pytest.mark.parametrize("hands", ["closed", "either"])
@pytest.mark.parametrize("other", ["open_hands", "auto_single"])
def test_hands_on_paper_cannot_lie_open_nor_be_seen_to_leave_one_choice(hands, other):
    assert rules_of({"hands": hands, other: True}, THREE) == ["BA-REF-01"]


@pytest.mark.rule("BA-MAD-24")
@pytest.mark.parametrize(
    "options", [{"staggered": True}, {"staggered": False}, {"after_finish": "leave"}, {"end_mode": "immediate"}]
)
def test_what_does_not_go_with_a_madison(options):
    assert rules_of({"variant": "madison"} | options, NINE) == ["BA-MAD-24"]


@pytest.mark.rule("BA-MAD-24")
@pytest.mark.parametrize(
    "options",
    [
        {}, {"break_over_rival": True}, {"overcrowding": True}, {"turn_mode": "orders"}, {"hands": "closed"}, {"open_hands": True},
        {"end_mode": "complete_turn"}, {"after_finish": "ride_on"}, {"allocation_exact": True}, {"course": "madison"},
    ],
)  # fmt: skip
def test_what_goes_with_a_madison(options):
    state = GAME.setup({"variant": "madison"} | options, NINE)

    assert state.field.course.id == "madison"
    assert state.field.options.end_mode == "complete_turn"


@pytest.mark.rule("BA-MAD-24")
def test_a_madison_brings_its_own_course():
    with pytest.raises(RulesError, match="own course"):
        GAME.setup({"variant": "madison", "course": "kermesse-60"}, NINE)
