"""The engine and a referee who knows only the rulebook tell the same race, event by event, to the same result."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from rules.breaking_away.events import Event
from rules.breaking_away.game import BREAKING_AWAY as GAME
from rules.breaking_away.state import Phase, State
from tests.rules.breaking_away.naive import Referee
from tests.rules.breaking_away.races import KINDS, Made, Moment, ride, told_of

BEFORE = (Phase.RATE, Phase.ALLOCATE, Phase.FIRST_SEAT, Phase.PLACE)
START = ("turn", 1)
"""With it the referee comes; with `auto_single` somebody may have moved by then."""
UNTOLD = (
    "rated", "allocated", "first_seat", "placed", "ordered", "retire_asked", "retire_voted", "revealed", "checked", "stop_voted",
)  # fmt: skip


def as_told(events: Sequence[Event]) -> Iterator[tuple[Any, ...]]:
    """The engine's events in the words of the referee."""
    for event in events:
        told = GAME.write_event(event)
        match told["kind"]:
            case "moved":
                yield ("moved", told["cyclist"], told["from"], told["to"])
            case "crossed":
                yield ("crossed", told["cyclist"], told["line"], told["place"], told["points"])
            case "replaced":
                yield ("replaced", {one["id"]: one["value"] for one in told["factors"]})
            case "changed":
                yield ("changed", told["team"], told["square"], told.get("forced", False))
            case "retired" | "left":
                yield (told["kind"], told["cyclist"])
            case "race_over":
                yield ("over", told["reason"])
            case "turn_began":
                yield ("turn", told["turn"])
            case kind:
                assert kind in UNTOLD


def referee_of(state: State, options: dict[str, Any]) -> Referee:
    """Somebody who comes to the race when all stand at the start, and looks who is to move first."""
    told = GAME.write_state(state)
    seat_of = {team["id"]: team["seat"] for team in told["teams"]}
    madison = options.get("variant") == "madison"
    owner = {name: seat_of[name if madison else name[:-1]] for name in told["order"]}
    rests = {name[:-1]: of["rests"] for name, of in told["cyclists"].items() if "rests" in of}
    return Referee(options, told["order"], owner, rests)


def answers(moment: Moment) -> Iterator[dict[str, Any]]:
    """What is said in a moment; orders are the moves that follow from them."""
    told = GAME.write_action(moment.action)
    if told["kind"] == "orders" or (
        moment.before.field.options.auto_single and told["kind"] in ("first_seat", "move", "vote_retire")
    ):
        if told["kind"] == "vote_retire":
            yield told
        for event in moment.step.events:
            if event.kind == "moved":
                yield {"kind": "move", "factor": event.factor}
    else:
        yield told


def compared(
    kind: str | Made, seed: int | str, beside: float, watch: Callable[[Moment], None] = lambda moment: None
) -> Referee:
    """A race that the engine and the referee tell alike; `watch` sees every moment of it."""
    referee = None
    for moment in ride(kind, seed, beside=beside):
        watch(moment)
        if moment.step.state.phase in BEFORE:
            continue
        if referee is None:
            referee = referee_of(moment.step.state, told_of(kind)[0])
        heard = [said for action in answers(moment) for said in referee.hears(action)]
        told = [by_rider(one, moment.before) for one in as_told(moment.step.events) if one != START]
        assert told == heard
        after = moment.step.state
        if after.phase in (Phase.MOVE, Phase.ORDERS):
            assert [after.field.names[racer] for racer in after.order[after.done :]] == referee.waiting
        last = after
    assert referee is not None
    outcome = GAME.outcome(last)
    assert outcome is not None
    assert {row["id"]: row["place"] for row in outcome["teams"]} == referee.result()
    return referee


def by_rider(told: tuple[Any, ...], state: State) -> tuple[Any, ...]:
    """Moves and new factors of a Madison by team: who of the two rides is no matter of the referee."""
    if told[0] == "replaced" and state.field.madison:
        return ("replaced", {name[:-1]: value for name, value in told[1].items()})
    if told[0] == "moved" and state.field.madison:
        return ("moved", told[1][:-1], *told[2:])
    return told


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_referee_with_the_rulebook_tells_the_same_race(kind: str, seed: int) -> None:
    referee = compared(kind, seed, beside=0.03)

    assert referee.over is not None


def test_whoever_has_one_factor_left_at_the_very_start_has_moved_when_the_first_is_asked() -> None:
    kind: Made = ({"course": "kermesse-60", "after_finish": "leave", "auto_single": True}, 5)
    moved = []

    compared(kind, "race 301128 292", 0, lambda moment: moved.append([event.kind for event in moment.step.events]))

    assert ["first_seat", "turn_began", "moved"] in moved


def test_on_the_way_every_thing_that_can_happen_has_happened() -> None:
    happened: set[str] = set()
    overs: set[str | None] = set()
    for seed in range(4):
        for kind in ("they leave, kermesse", "madison, two teams each", "madison", "standard"):
            for moment in ride(kind, seed, beside=0.3):
                happened |= {told[0] for told in as_told(moment.step.events)}
            overs.add(compared(kind, seed, beside=0.3).over)

    assert happened == {"moved", "crossed", "replaced", "changed", "retired", "left", "over", "turn"}
    assert "quota" in overs
