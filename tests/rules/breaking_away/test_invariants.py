"""What holds in every race, whatever is chosen in it."""

import json
import pickle
import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.breaking_away.actions import Allocate, FirstSeat, Move, Orders, Rate, StopRace, TimeOut, VoteRetire
from rules.breaking_away.events import Crossed, Moved, Replaced, Why
from rules.breaking_away.game import BREAKING_AWAY as GAME
from rules.breaking_away.state import Phase, State, Where
from rules.errors import IllegalAction
from rules.game import due
from tests.rules.breaking_away.races import KINDS, Moment, accepted_if_listed, answer, ride, setup

seeds = st.integers(0, 10**6)
kinds = st.sampled_from(sorted(KINDS))
few = settings(max_examples=12, deadline=None)


def journey(value: Any) -> Any:
    return json.loads(json.dumps(value, sort_keys=True))


def ended(kind: str, seed: int, **how: Any) -> list[Moment]:
    return list(ride(kind, seed, **how))


@pytest.mark.parametrize("kind", sorted(KINDS))
@pytest.mark.rule("BA-END-01", "BA-MAD-21")
def test_every_race_ends_with_an_outcome_and_nothing_more_to_decide(kind):
    last = ended(kind, 1, beside=0).pop()

    assert last.step.state.phase is Phase.FINISHED
    assert GAME.decisions(last.step.state) == ()
    outcome = GAME.outcome(last.step.state)
    assert outcome is not None
    assert journey(outcome) == outcome
    assert GAME.outcome(last.before) is None


@few
@given(kinds, seeds)
def test_states_actions_and_events_come_back_from_json(kind, seed):
    rng = random.Random(seed)
    for moment in ride(kind, seed):
        if rng.random() < 0.1:
            state = moment.step.state
            assert GAME.read_state(journey(GAME.write_state(state))) == state
            assert GAME.read_action(journey(GAME.write_action(moment.action))) == moment.action
            for event in moment.step.events:
                assert GAME.read_event(journey(GAME.write_event(event))) == event
                assert GAME.tell(state, event)


@few
@given(kinds, seeds)
def test_a_log_replays_to_the_same_states(kind, seed):
    race = ended(kind, seed)
    log = [journey(GAME.write_action(moment.action)) for moment in race]

    state = GAME.read_state(journey(GAME.write_state(setup(kind))))
    for told, moment in zip(log, race, strict=True):
        state, events = GAME.apply(state, GAME.read_action(told))
        assert events == moment.step.events
    assert state == race[-1].step.state
    assert pickle.loads(pickle.dumps(state)) == state  # noqa: S301 - our own


@few
@given(kinds, seeds)
@pytest.mark.rule("BA-TURN-06", "BA-MOVE-01", "BA-MOVE-03", "BA-LAP-02", "AMB-23")
def test_everybody_moves_once_a_turn_and_nobody_moves_back(kind, seed):
    moved: set[str] = set()
    order: set[str] = set()
    for moment in ride(kind, seed):
        for event in moment.step.events:
            if isinstance(event, Moved):
                assert event.to == event.from_ + event.factor > event.from_
                assert event.cyclist not in moved
                moved.add(event.cyclist)
            elif isinstance(event, Replaced):
                assert {new.id for new in event.factors} == moved
                assert all(new.value >= (1 if new.reason is Why.LEAD else 3) for new in event.factors)
                moved = set()
        state = moment.step.state
        order = {state.field.names[racer] for racer in state.order}
        assert all(
            racer.where is Where.RACING or state.field.names[n] not in order for n, racer in enumerate(state.racers)
        )


@few
@given(kinds, seeds)
@pytest.mark.rule("BA-INV-01", "BA-TURN-03")
def test_no_square_mixes_cyclists_who_have_moved_and_who_have_not(kind, seed):
    for moment in ride(kind, seed):
        state = moment.step.state
        if state.phase is Phase.MOVE:
            moved = [state.racers[racer].pos for racer in state.order[: state.done]]
            waiting = [state.racers[racer].pos for racer in state.order[state.done :]]
            assert not moved or not waiting or min(moved) > max(waiting)


@few
@given(st.sampled_from(["standard", "nine teams, crowded, staggered"]), seeds)
@pytest.mark.rule("BA-CRS-07", "BA-SCORE-03", "BA-SCORE-05")
def test_a_whole_standard_race_awards_156_points(kind, seed):
    race = ended(kind, seed, beside=0)
    outcome = GAME.outcome(race[-1].step.state)
    scored = sum(event.points for moment in race for event in moment.step.events if isinstance(event, Crossed))

    assert outcome is not None
    assert outcome["points"] == scored == 156 == sum(row["points"] for row in outcome["cyclists"])
    assert len(outcome["lines"]["F"]) == 8


@few
@given(kinds, seeds)
@pytest.mark.rule("BA-SET-06", "BA-REPL-06")
def test_hands_keep_their_size_through_the_race(kind, seed):
    sizes: dict[int, int] = {}
    for moment in ride(kind, seed):
        state = moment.step.state
        if state.phase in (Phase.MOVE, Phase.ORDERS) and state.done == 0 and not state.field.madison:
            for number, racer in enumerate(state.racers):
                if racer.hand is not None and racer.where is Where.RACING:
                    assert sizes.setdefault(number, len(racer.hand)) == len(racer.hand)
    assert sizes or KINDS[kind][0].get("hands") == "closed" or "madison" in kind


@few
@given(kinds, seeds)
def test_legal_is_what_apply_accepts(kind, seed):
    rng = random.Random(seed)
    pool: list[Any] = []
    for moment in ride(kind, seed, beside=0.1):
        pool.append(moment.action)
        if rng.random() > 0.15:
            continue
        state = moment.before
        open_now = GAME.decisions(state)
        for decision in open_now:
            legal = GAME.legal(state, decision)
            assert len(legal) > 0
            assert GAME.default(state, decision) in legal
            some = legal[rng.randrange(len(legal))]
            assert some in legal
            GAME.apply(state, some)
        for action in rng.sample(pool, min(6, len(pool))):
            accepted_if_listed(state, action)


def test_a_decision_that_is_not_open_has_no_answers():
    state = setup("standard")
    decision, *_ = GAME.decisions(state)
    answered = GAME.apply(state, GAME.default(state, decision)).state

    with pytest.raises(ValueError, match="not open"):
        GAME.legal(answered, decision)


@few
@given(kinds, seeds)
@pytest.mark.rule("BA-SET-01")
def test_an_answer_may_name_its_sender_and_nobody_else(kind, seed):
    rng = random.Random(seed)
    for moment in ride(kind, seed, beside=0.1):
        if moment.decision.seat is None or rng.random() > 0.3:
            continue
        legal = GAME.legal(moment.before, moment.decision)
        own = replace(moment.action, seat=moment.decision.seat)
        assert own in legal
        assert GAME.apply(moment.before, own) == moment.step
        other = next(seat for seat in moment.before.field.seats if seat != moment.decision.seat)
        if replace(own, seat=other) not in {own, moment.action} and not isinstance(
            own, TimeOut | StopRace | VoteRetire
        ):
            assert replace(own, seat=other) not in legal
            with pytest.raises(IllegalAction):
                GAME.apply(moment.before, replace(own, seat=other))


@few
@given(kinds, seeds)
@pytest.mark.rule("BA-REF-02", "BA-INFO-04")
def test_what_is_spent_is_always_possible_by_what_is_public(kind, seed):
    for moment in ride(kind, seed):
        if isinstance(moment.action, Move) and moment.before.phase is Phase.MOVE:
            public = GAME.view(moment.before, None).state
            assert moment.action in GAME.legal(public, due(GAME.decisions(public))[0])


def otherwise(state: State, seat: str, rng: random.Random) -> State:
    """The same race for `seat`, with other hands of everybody else that are not shown."""
    own = state.field.seats.index(seat)
    racers = []
    for number, racer in enumerate(state.racers):
        if state.field.seat_of[number] != own and racer.hand is not None and not racer.open:
            hand = tuple(sorted(rng.randint(1, 30) for _ in range(rng.choice((3, 4)))))
            racer = racer._replace(hand=hand)
        if (
            state.field.seat_of[number] != own
            and racer.relief
            and racer.relief.hand is not None
            and not racer.relief.open
        ):
            racer = racer._replace(relief=racer.relief._replace(hand=(1, 2, 3)))
        racers.append(racer)
    return state._replace(racers=tuple(racers))


@few
@given(kinds, seeds)
@pytest.mark.rule("BA-INFO-01", "BA-INFO-02", "BA-INFO-08", "AMB-11", "BA-SET-03")
def test_a_view_and_what_is_open_do_not_depend_on_what_is_hidden(kind, seed):
    rng = random.Random(seed)
    options = KINDS[kind][0]
    for moment in ride(kind, seed):
        state = moment.before
        if rng.random() > 0.1 or options.get("auto_single"):
            continue
        for seat in state.field.seats:
            changed = otherwise(state, seat, rng)
            assert GAME.write_view(GAME.view(changed, seat)) == GAME.write_view(GAME.view(state, seat))
            assert GAME.decisions(changed) == GAME.decisions(state)


@few
@given(kinds, seeds)
@pytest.mark.rule("BA-INFO-01")
def test_in_ones_own_view_the_same_is_open_and_the_same_is_legal(kind, seed):
    rng = random.Random(seed)
    for moment in ride(kind, seed):
        if rng.random() < 0.1:
            state = moment.before
            for decision in due(GAME.decisions(state)):
                if decision.seat is not None:
                    seen = GAME.view(state, decision.seat).state
                    assert decision in GAME.decisions(seen)
                    action = answer(state, decision, rng)
                    assert action in GAME.legal(seen, decision)
                    assert GAME.default(seen, decision) == GAME.default(state, decision)


@few
@given(kinds, seeds)
@pytest.mark.rule("BA-INFO-08", "BA-SET-01")
def test_what_a_seat_is_answered_follows_from_what_it_sees(kind, seed):
    """Taken or refused, and in which words: the same in the race and in the seat's own view of it."""
    rng = random.Random(seed)
    pool: list[Any] = []
    for moment in ride(kind, seed, beside=0.1):
        if not isinstance(moment.action, FirstSeat):
            pool.append(moment.action)
        if not pool or rng.random() > 0.1:
            continue
        for seat in moment.before.field.seats:
            seen = GAME.view(moment.before, seat).state
            for action in rng.sample(pool, min(4, len(pool))):
                sent = replace(action, seat=seat)
                assert said(moment.before, sent) == said(seen, sent)


def said(state: State, action: Any) -> str | None:
    """The words of a refusal; None: it is taken."""
    try:
        GAME.apply(state, action)
    except IllegalAction as refusal:
        return str(refusal)
    return None


@few
@given(kinds, seeds)
@pytest.mark.rule("BA-SET-03", "BA-OPT-05", "BA-MAD-02")
def test_the_log_of_others_holds_no_hand_no_order_and_no_rating(kind, seed):
    hidden: dict[type, dict[str, None]] = {
        Allocate: {"hands": None}, Orders: {"factors": None}, Rate: {"r1": None, "r2": None},
    }  # fmt: skip
    for moment in ride(kind, seed):
        for seat in (*moment.before.field.seats, None):
            seen = GAME.seen_action(moment.before, moment.action, seat)
            secret = {} if seat == moment.decision.seat else hidden.get(type(moment.action), {})
            assert seen == replace(moment.action, **secret)
