"""The result rows of a stage: what a paper score sheet gives (spec 7.1), and a little more."""

from typing import Any

from rules.giro.data import Kind
from rules.giro.order import classification
from rules.giro.state import NOBODY, Rider, State, Where
from rules.giro.time_trial import derived_clock, run_name


def outcome(state: State) -> dict[str, Any] | None:
    """The rows, placed best first; None until the stage is over.

    Energy counts kept tiles. In a time trial `turn` is the number of own turns, `clock` the place of the run, and there
    is no order. `token` names the seat that holds it: the next stage starts with it (R-10).
    Rules: GI-F-02, GI-F-05, GI-D2-01, GI-D3-06, GI-D3-11, GI-D3-12, GI-D3-15.
    """
    if not state.over:
        return None
    kind = state.options.kind
    told: dict[str, Any] = {
        "kind": kind.value,
        "course": state.options.course.id,
        "riders": [],
        "token": None if state.token == NOBODY else state.seats[state.token],
    }
    if kind is Kind.ROAD:
        told["peloton_turn"] = state.peloton_turn
        if state.options.giro:
            told["bonus"] = [
                {"token": number, "rider": None if rider == NOBODY else state.riders[rider].entry.id}
                for number, rider in enumerate(state.bonus, 1)
            ]
        order = classification(
            state.options.course, state.riders, state.front, state.gone, state.token, len(state.seats)
        )
        told["riders"] = [_row(state, state.riders[i]) for i in order]
        return told
    clock = state.clock or derived_clock(state)
    places = {run: place for place, run in enumerate(clock, 1)}
    if kind is Kind.TTT:
        told["clock"] = [run_name(state, state.runs[run].riders) for run in clock]
    rows = []
    for number, run in enumerate(state.runs):
        for i in run.riders:
            row = _row(state, state.riders[i]) | {"order": None}
            if kind is Kind.ITT:
                row["clock"] = places[number]
            rows.append((places[number], state.riders[i].order or 0, row))
    told["riders"] = [row for _, _, row in sorted(rows, key=lambda row: row[:2])]
    return told


def _row(state: State, rider: Rider) -> dict[str, Any]:
    out = rider.where is Where.OUT
    return {
        "id": rider.entry.id,
        "seat": state.seats[rider.entry.seat],
        "jersey": rider.entry.jersey,
        "type": rider.entry.speciality.value,
        "turn": None if out else rider.turn,
        "order": rider.order,
        "energy": rider.energy,
        "out": out,
    }
