"""What a result sheet of a Giro stage is made of: who starts, on what course, and what was told about the stage.

A *cell* is a field of the sheet with its text as typed. A *line* is what is told about one rider. A value that is None
is *not told yet*: it is never read as zero.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from league.classification.status import OUT, Kind, Status
from league.sheets.findings import Finding

VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class CourseFacts:
    """What scoring needs to know about a course; `columns` from start to arrival line, `bonus` the columns of the
    tokens in their order (token 1 first). `fewest_steps` is None where nobody knows more than the columns."""

    kind: Kind
    columns: int
    milestones: int
    fewest_steps: int | None
    bonus: tuple[int, ...]
    feed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Starter:
    """A rider who is still in the Giro before this stage. `carry` is the energy that he brings from the last one;
    None while that is not known (his result of the last stage is missing)."""

    rider: int
    bib: int
    name: str
    team: int | None
    team_name: str
    carry: int | None
    draft: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What is known before the stage is ridden. `time_limit` in turns after the peloton's."""

    kind: Kind
    course: CourseFacts
    starters: tuple[Starter, ...]
    time_limit: int

    def starter(self, rider: int) -> Starter | None:
        return next((starter for starter in self.starters if starter.rider == rider), None)


def run_of(starter: Starter) -> tuple[int, int]:
    """The run of a team time trial that a rider belongs to: (team, 0), or (0, rider) for one who rides alone.

    Rules: GI-D3-15.
    """
    return (0, starter.rider) if starter.team is None else (starter.team, 0)


def run_cell(run: tuple[int, int]) -> str:
    """The cell of a run's clock place: teamclock-<team>, or teamclock-0-<rider> for one who rides alone."""
    team, rider = run
    return f"teamclock-0-{rider}" if rider else f"teamclock-{team}"


def start_energy(course: CourseFacts, carry: int) -> int:
    """Energy at the start: the milestones, half as many again in a time trial (rounded down), and the energy carried.

    Rules: GI-D3-02, GI-D4-02.
    """
    of_course = course.milestones if course.kind is Kind.ROAD else course.milestones * 3 // 2
    return of_course + carry


@dataclass(frozen=True, slots=True, kw_only=True)
class LineEntry:
    """What is told about one rider.

    `turn`: of his crossing, or his number of turns in a time trial. `place`: crossing order where it was written down.
    `clock`: clock place of his run in a time trial, the same for all riders of a team's run. `energy`: left, kept tiles
    added. `start`: the energy he started with, where somebody typed it. `run`: his run of a team time trial (`run_of`).
    """

    rider: int
    status: Status = Status.UNRESOLVED
    place: int | None = None
    turn: int | None = None
    clock: int | None = None
    energy: int | None = None
    start: int | None = None
    run: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        if self.status is Status.UNRESOLVED and self.turn is not None:
            raise ValueError(f"rider {self.rider} has turn {self.turn} and is called unresolved")

    @property
    def is_told(self) -> bool:
        """Something is known of how his stage ended."""
        return self.turn is not None or self.status in OUT


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetContent:
    """What a sheet tells. Lines stand in order of rider and bonuses in order of token, whatever order they came in, so
    that equal sheets are equal. `bonuses`: (token, its winner or None for nobody); a token that is absent is not told.
    `sure`: the asks that somebody has confirmed."""

    peloton_turn: int | None = None
    peloton_never: bool = False
    lines: tuple[LineEntry, ...] = ()
    bonuses: tuple[tuple[int, int | None], ...] = ()
    sure: frozenset[str] = field(default_factory=frozenset)

    def __post_init__(self) -> None:
        object.__setattr__(self, "lines", tuple(sorted(self.lines, key=lambda line: line.rider)))
        object.__setattr__(self, "bonuses", tuple(sorted(self.bonuses, key=lambda bonus: bonus[0])))

    def line(self, rider: int) -> LineEntry | None:
        return next((line for line in self.lines if line.rider == rider), None)

    @property
    def is_blank(self) -> bool:
        """No rider's stage is told."""
        return not any(line.is_told for line in self.lines)

    def same_facts(self, other: Self) -> bool:
        """Both tell the same stage; which asks were confirmed is no fact of the stage."""
        return (self.peloton_turn, self.peloton_never, self.lines, self.bonuses) == (
            other.peloton_turn, other.peloton_never, other.lines, other.bonuses,
        )  # fmt: skip

    def to_json(self) -> dict[str, Any]:
        """As JSON data, keys sorted, the same for equal sheets."""
        return {
            "bonuses": [{"rider": rider, "token": token} for token, rider in self.bonuses],
            "lines": [
                {
                    "clock": line.clock,
                    "energy": line.energy,
                    "place": line.place,
                    "rider": line.rider,
                    "run": None if line.run is None else list(line.run),
                    "start": line.start,
                    "status": line.status.value,
                    "turn": line.turn,
                }
                for line in self.lines
            ],
            "peloton_never": self.peloton_never,
            "peloton_turn": self.peloton_turn,
            "sure": sorted(self.sure),
            "version": VERSION,
        }

    def to_text(self) -> str:
        """As one line of JSON, the same bytes for equal sheets."""
        return json.dumps(self.to_json(), ensure_ascii=False, sort_keys=True, separators=(",", ":"))

    @classmethod
    def from_json(cls, data: Mapping[str, Any] | str) -> Self:
        """What `to_json` or `to_text` wrote. Raises `ValueError` for anything else: nobody types this form."""
        stored = json.loads(data) if isinstance(data, str) else data
        if not isinstance(stored, Mapping) or stored.get("version") != VERSION:
            raise ValueError(f"not a sheet of version {VERSION}")
        try:
            return cls(
                peloton_turn=_stored_number(stored["peloton_turn"]),
                peloton_never=_stored_truth(stored["peloton_never"]),
                lines=tuple(_stored_line(line) for line in stored["lines"]),
                bonuses=tuple((_stored_id(won["token"]), _stored_number(won["rider"])) for won in stored["bonuses"]),
                sure=frozenset(_stored_word(word) for word in stored["sure"]),
            )
        except (KeyError, TypeError, AttributeError) as fault:
            raise ValueError(f"not a sheet of version {VERSION}: {fault!r}") from fault


def _stored_line(data: Mapping[str, Any]) -> LineEntry:
    return LineEntry(
        rider=_stored_id(data["rider"]),
        status=Status(data["status"]),
        place=_stored_number(data["place"]),
        turn=_stored_number(data["turn"]),
        clock=_stored_number(data["clock"]),
        energy=_stored_number(data["energy"]),
        start=_stored_number(data["start"]),
        run=_stored_run(data["run"]),
    )


def _stored_run(value: object) -> tuple[int, int] | None:
    if value is None:
        return None
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise TypeError(f"{value!r} is no run")
    return _stored_id(value[0]), _stored_id(value[1])


def _stored_id(value: object) -> int:
    if type(value) is not int:
        raise TypeError(f"{value!r} is no whole number")
    return value


def _stored_number(value: object) -> int | None:
    return None if value is None else _stored_id(value)


def _stored_truth(value: object) -> bool:
    if type(value) is not bool:
        raise TypeError(f"{value!r} is neither true nor false")
    return value


def _stored_word(value: object) -> str:
    if type(value) is not str:
        raise TypeError(f"{value!r} is no text")
    return value


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A sheet as far as it could be read, and what could not."""

    content: SheetContent
    findings: tuple[Finding, ...]
