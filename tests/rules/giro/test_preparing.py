"""Setting up a stage: how many may take part, what a draft offers at every table size, and what is refused in which words.

What is refused before there is a race cannot stand in a scenario; the rest of chapter A is in `a_preparing.json`.
"""

import pytest

from rules.errors import RulesError
from rules.game import Json
from rules.giro.game import GIRO

NAMES = ("Anna", "Bruno", "Carla", "Dino", "Emil", "Fanny", "Gino", "Hanna", "Ivo", "Jana", "Karl")


def drafting(players: int, riders: int) -> list[Json]:
    return [{"seat": name, "draft": riders} for name in NAMES[:players]]


def named(*ids: str, **rider: object) -> list[Json]:
    return [{"seat": name, "riders": [{"id": name, "type": "rouleur", **rider}]} for name in ids]


def refusal(options: Json, entrants: list[Json]) -> str:
    with pytest.raises(RulesError) as refused:
        GIRO.setup(options, entrants)
    return str(refused.value)


# riders that the seats can still choose from when it is their turn, seat after seat
WHOLE_JERSEYS = [5, 4, 3, 2]
TWO_OF_A_JERSEY = [15, 12, 9, 6, 3]
ONE_OF_AN_OWN_JERSEY = [15, 12, 9, 6]
ANY_RIDER = [15, 14, 13, 12, 11, 10, 9, 8, 7, 6]
OFFERS = {(players, riders): offers[:players] for riders, offers, most in (
    (3, WHOLE_JERSEYS, 4), (2, TWO_OF_A_JERSEY, 5), (1, ONE_OF_AN_OWN_JERSEY, 4)
) for players in range(2, most + 1)} | {(players, 1): ANY_RIDER[:players] for players in range(5, 11)}  # fmt: skip


@pytest.mark.rule("S1", "R-08")
@pytest.mark.parametrize(("players", "riders"), OFFERS)
def test_every_table_size_drafts_by_its_rule(players, riders):
    state = GIRO.setup({"course": "pianura", "first_seat": "Anna"}, drafting(players, riders))
    offers = []

    while (decision := GIRO.decisions(state)[0]).kind == "pick":
        choices = GIRO.legal(state, decision)
        offers.append(len(choices))
        assert all(len(set(pick.riders)) == riders for pick in choices)
        state = GIRO.apply(state, choices[0]).state

    assert offers == OFFERS[players, riders]
    owners = [rider.entry.seat for rider in state.riders]
    assert owners == [seat for seat in range(players) for _ in range(riders)]
    assert len({(rider.entry.jersey, rider.entry.speciality) for rider in state.riders}) == players * riders


@pytest.mark.rule("S1")
@pytest.mark.parametrize(
    ("players", "riders", "said"),
    [
        (5, 3, "At most 12 riders take part, not 15.; With 5 players each may have up to 2 of the riders, not 3."),
        (6, 2, "With 6 players each may have up to 1 of the riders, not 2."),
        (7, 2, "At most 12 riders take part, not 14.; With 7 players each may have up to 1 of the riders, not 2."),
        (11, 1, "A race has 1 to 10 players, not 11."),
        (0, 1, "A race has 1 to 10 players, not 0."),
        (2, 4, "Anna drafts 1, 2 or 3 riders.; Bruno drafts 1, 2 or 3 riders.; Every player needs at least one rider."),
    ],
)
def test_too_many_riders_or_players_are_refused_with_the_number_that_may_be(players, riders, said):
    assert refusal({"course": "pianura"}, drafting(players, riders)) == said


@pytest.mark.rule("S1")
def test_everybody_drafts_as_many_riders_as_the_others():
    same = "Every player has the same number of riders, all drafted or all named."

    assert same in refusal({"course": "pianura"}, [{"seat": "Anna", "draft": 1}, {"seat": "Bruno", "draft": 2}])
    assert same in refusal({"course": "pianura"}, [{"seat": "Anna", "draft": 1}, *named("Bruno")])


@pytest.mark.rule("S1")
def test_thirteen_named_riders_are_too_many():
    entrants = named(*NAMES[:10])
    entrants[0]["riders"] += [{"id": f"more{n}", "type": "leader"} for n in range(3)]

    assert refusal({"course": "pianura"}, entrants) == "At most 12 riders take part, not 13."


@pytest.mark.rule("S1")
def test_names_of_seats_and_riders_are_their_own():
    twice = [
        {"seat": "Anna", "riders": [{"id": "A", "type": "rouleur"}]},
        {"seat": "Bruno", "riders": [{"id": "A", "type": "leader"}]},
    ]

    assert refusal({"course": "pianura"}, twice) == '"A" is entered twice.'
    assert refusal({"course": "pianura"}, [*drafting(1, 1), *drafting(1, 1)]) == (
        "Every entrant has a seat of his own; the name of number 2 is not one."
    )


@pytest.mark.rule("S1", "S4")
def test_who_drafts_first_and_who_holds_the_token_must_sit_at_the_table():
    assert refusal({"course": "pianura", "first_seat": "Zoe"}, drafting(2, 1)) == 'There is no seat "Zoe".'
    assert refusal({"course": "pianura", "token": "Zoe"}, drafting(2, 1)) == 'There is no seat "Zoe".'


@pytest.mark.rule("GI-D4-01", "GI-D4-02")
@pytest.mark.parametrize("carry", [16, -1])
def test_nobody_carries_more_than_fifteen_or_less_than_nothing(carry):
    assert "carry up to 15" in refusal({"course": "colli"}, named("Anna", carry=carry))


@pytest.mark.rule("S0")
@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({}, "Which course? Name one that is built in, or write one."),
        ({"course": "pianura", "cards": "open"}, '"open" is no value for cards.'),
        ({"course": "pianura", "max_paid": 7}, '"7" is no value for max_paid.'),
        ({"course": "pianura", "giro": 1}, '"1" is no value for giro.'),
        ({"course": "pianura", "peloton_die": [{"value": 3, "red": True}]}, "A red face of the peloton die counts 4."),
        (
            {"course": "pianura", "feed_tiles": {"2": 2, "3": 2, "4": 2, "5": 0}},
            "A colour has tiles of 2, 3, 4 and 5, and at least two each of 2, 3, 4 and one 5.",
        ),
    ],
)
def test_an_option_that_cannot_be_is_refused_in_words(options, said):
    assert refusal(options, drafting(2, 1)) == said


@pytest.mark.rule("S0")
def test_everything_that_is_wrong_is_said_at_once():
    said = refusal({"course": "nowhere", "cards": "open", "colour": "red"}, drafting(11, 2))

    for part in ('There is no course "nowhere".', '"open" is no value for cards.', 'Options have no "colour"'):
        assert part in said


@pytest.mark.parametrize("strip", ["strip L2 | P1-999999", "strip L2 | P1-401", "strip L2 | P1-99999999999999999999"])
def test_a_strip_longer_than_any_road_is_refused_at_once(strip):
    with pytest.raises(RulesError):
        GIRO.read_state({"course": strip, "riders": [{"id": "A"}]})
