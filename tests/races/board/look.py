"""Sample pages of the board, to be looked at: `python -m tests.races.board.look FOLDER`.

Every position is told as a scenario tells it, and is played by the rules: what can be chosen is what is legal.
"""

import os
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
os.environ.setdefault("BUILDING", "1")

ROOT = Path(__file__).resolve().parents[3]


@dataclass(frozen=True, kw_only=True)
class Sample:
    """A position, whose eyes it is seen with, and which move is looked at: `to`, or the choice of that number."""

    title: str
    position: dict[str, Any]
    seat: str | None = None
    to: str | None = None
    since: dict[str, str] = field(default_factory=dict)
    zoom: str = "near"
    rider: str | None = None
    moves: str | None = None  # the rider who is asked, whoever else would ride before him
    game: str = "giro"


def riders(*told: str, **more: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """ "12 red/C 31.1": bib, seat, type, place. `more` by the bib, as r12={...}."""
    types = {"R": "rouleur", "L": "leader", "C": "climber"}
    out = {}
    for one in told:
        bib, seat, place = one.split()
        seat, letter = seat.split("/")
        out[bib] = {"seat": seat, "type": types[letter], "at": place, "energy": 9} | more.get(f"r{bib}", {})
    return out


JERSEYS = {
    "red": "yellow-hoops",
    "blue": "blue-sash",
    "green": "green-plain",
    "violet": "purple-dots",
    "grey": "white-stripes",
}
FAMILY = dict(
    zip(
        ("11", "12", "13", "21", "22", "23", "31", "32", "33", "41", "42", "43"),
        ("Marchetti", "Sarti", "Venn", "Okafor", "Lindqvist", "Duarte", "Bianchi", "Moreau", "Kowalska", "Ferri", "Haas", "Novak"),
        strict=True,
    )
)  # fmt: skip

SAMPLES = {
    "road": Sample(
        title="Pianura: near the peloton",
        position={
            "course": "pianura", "giro": True, "turn": 7, "peloton": 28, "phase": "T1",
            "riders": riders(
                "12 red/R 31.1", "22 blue/L 32.1", "31 green/R 35.0", "41 violet/C 38.0b", "33 green/L 30.1",
                "11 red/L 24.1", "43 violet/R 22.2", "21 blue/R inside", "32 green/L inside", "42 violet/R inside",
                "13 red/C inside", "23 blue/C inside",
                r33={"fell": 6}, r43={"waiting": True}, r12={"behind": "22", "slipstream": True, "card": "alfredo"},
                r22={"energy": 0}, r31={"energy": 0}, r41={"energy": 0},
            ),
        },
        seat="red", moves="12", since={"12": "26.1", "22": "28.2", "31": "31.0", "41": "33.1", "11": "21.1"},
    ),
    "breakaway": Sample(
        title="Colli: who attacks?",
        position={
            "course": "colli", "giro": True, "turn": 6, "peloton": 24, "phase": "T2", "token": "red",
            "riders": riders(
                "11 red/L inside", "12 red/C inside", "21 blue/R inside", "22 blue/C 27.0", "31 green/L 30.2", "32 green/R 21.0",
                "13 red/R inside", "41 violet/L inside", r12={"energy": 30}, r11={"energy": 14},
            ),
        },
        seat="red", rider="12", since={"22": "24.1", "31": "26.1"},
    ),
    "mountain": Sample(
        title="La Vetta: the last climb",
        position={
            "course": "vetta", "giro": True, "turn": 11, "peloton": 37, "phase": "T1", "token": "blue",
            "riders": riders(
                "21 blue/C 42.0", "32 green/C 43.0", "41 violet/C 45.1", "12 red/R 40.1", "22 blue/L 34.0", "33 green/R 33.1",
                "11 red/L inside", "23 blue/R inside", "31 green/L inside", "42 violet/L inside", "43 violet/R inside",
                r21={"energy": 20, "behind": "32", "risks": 1}, r12={"waiting": True}, r32={"energy": 0}, r41={"energy": 0},
            ),
        },
        seat="blue", moves="21", since={"21": "38.0", "32": "40.0", "41": "40.1"},
    ),
    "bend": Sample(
        title="Il Fiume Lento: a bend behind",
        position={
            "course": "fiume-lento", "turn": 4, "peloton": 12, "phase": "T1",
            "riders": riders("12 red/R 15.1", "22 blue/L 19.2", "31 green/R 17.0", "11 red/L inside", "21 blue/C 8.3", r12={"energy": 16}, r22={"energy": 0}, r31={"energy": 0}),
        },
        seat="red", moves="12",
    ),
    "fallen": Sample(
        title="Il Selciato: a bad turn",
        position={
            "course": "selciato", "giro": True, "turn": 9, "peloton": 26, "phase": "T5", "token": "red",
            "riders": riders(
                "12 red/R 21.1", "13 red/C 20.1", "22 blue/L 24.0", "31 green/R 25.2", "32 green/L 22.1", "41 violet/C 28.1",
                "42 violet/R 25.1", "21 blue/C 27.2", "11 red/L inside", "43 violet/L inside",
                r22={"fell": 8}, r31={"fell": 9}, r32={"fell": 9}, r41={"fell": 9}, r42={"waiting": True}, r21={"waiting": True},
            ),
        },
        seat="red", moves="12",
    ),
    "twelve": Sample(
        title="La Vetta: all together",
        position={
            "course": "vetta", "turn": 3, "peloton": 9, "phase": "T2", "token": "red",
            "riders": riders(*(f"{bib} {seat}/{letter} inside" for bib, seat, letter in zip(FAMILY, ["red"] * 3 + ["blue"] * 3 + ["green"] * 3 + ["violet"] * 3, "RLC" * 4, strict=True))),
        },
        seat="red",
    ),
    "rejoin": Sample(
        title="Le Risaie: back to the peloton",
        position={
            "course": "risaie", "turn": 5, "peloton": 22, "phase": "T5",
            "riders": riders("12 red/R 17.1", "22 blue/L 16.1", "31 green/R inside", "32 green/L inside", "33 green/C inside", "41 violet/L inside", "42 violet/C inside", "11 red/L inside", r12={"energy": 6}),
        },
        seat="red",
    ),
    "finish": Sample(
        title="Pianura: the sprint",
        position={
            "course": "pianura", "giro": True, "turn": 12, "peloton": 42, "phase": "T1",
            "riders": riders("12 red/R 46.1", "22 blue/L 47.2", "31 green/R 45.0", "11 red/L inside", "21 blue/C inside", "41 violet/C finished", r41={"order": 1, "turn": 11}, r12={"strength": "sprinter", "energy": 4}, r22={"energy": 0}),
        },
        seat="red", moves="12",
    ),
    "trial": Sample(
        title="Cronometro",
        position={
            "course": "crono", "turn": 4,
            "riders": riders("12 red/R 14.1", "22 blue/L 17.0", "31 green/C 17.0", "41 violet/L inside", r12={"energy": 8}),
        },
        seat="red",
    ),
    "team-trial": Sample(
        title="Laguna: the start",
        position={
            "course": "laguna", "turn": 1,
            "riders": riders("11 red/L inside", "12 red/R inside", "13 red/C inside", "21 blue/R 3.1", r11={"jersey": "yellow"}, r12={"jersey": "yellow"}, r13={"jersey": "yellow"}, r21={"jersey": "blue"}),
        },
        seat="red",
    ),
    "far": Sample(
        title="Le Due Valli from afar",
        position={
            "course": "due-valli", "giro": True, "turn": 8, "peloton": 38, "phase": "T1",
            "riders": riders("12 red/R 41.1", "22 blue/L 44.1", "31 green/R 47.0", "41 violet/C 50.0", "11 red/L 33.1", "21 blue/C inside", r12={"energy": 14}, r22={"energy": 0}),
        },
        seat="red", moves="12", zoom="far",
    ),
    "spectator": Sample(
        title="Colli, seen by nobody in the race",
        position={
            "course": "colli", "giro": True, "turn": 6, "peloton": 24, "phase": "T3", "token": "red",
            "riders": riders("11 red/L 44.2", "12 red/C 43.2", "21 blue/R inside", "22 blue/C 27.0", "31 green/L 30.2", "32 green/R 6.0"),
        },
    ),
}  # fmt: skip


def strip_of(sample: Sample) -> Any:
    """The strip of a sample, from the view of its seat."""
    if sample.game != "giro":
        from tests.races.board import look_breaking_away

        return look_breaking_away.strip_of(sample)
    from races.board import board_of
    from rules.game import Taker
    from rules.giro.game import GIRO

    board = board_of("giro")
    position = sample.position
    if sample.moves is not None:
        agenda = [{"do": "move", "rider": sample.moves}, {"do": "attacks"}, {"do": "pursue"}, {"do": "roll"}]
        run = {"riders": list(position["riders"]), "turn": position["turn"], "agenda": agenda}
        position = position | {"runs": [run]}
    state = GIRO.read_state(position)
    view = GIRO.view(state, sample.seat)
    open_now = [d for d in GIRO.decisions(state) if sample.seat is None or d.seat == sample.seat] or list(
        GIRO.decisions(state)
    )
    decision = next(iter(open_now), None)
    legal: list[Any] = []
    if decision is not None and decision.taker is Taker.SEAT and decision.seat == sample.seat:
        legal = list(GIRO.legal(view.state, decision))
    names = {
        rider.id: (rider.id, FAMILY.get(rider.id, rider.id), JERSEYS.get(state.seats[rider.entry.seat], "white-plain"))
        for rider in state.riders
    }
    mine = frozenset(r.id for r in state.riders if sample.seat and state.seats[r.entry.seat] == sample.seat)
    facts: dict[str, Any] = {
        "names": names, "decision": decision, "legal": legal, "mine": mine, "since": sample.since, "rider": sample.rider,
    }  # fmt: skip
    strip = board.strip(view, **facts)
    if strip.choices and sample.to != "":
        to = board.find(sample.to, legal) if sample.to else best(strip)
        strip = board.strip(view, **facts, chosen=to)
    return strip


def best(strip: Any) -> Any:
    """A move worth showing: the farthest of the cheap ones without risk."""
    safe = [
        c for c in strip.choices if not c.risk and c.action.effect.cost <= 3 and not c.action.effect.rejoins
    ] or strip.choices
    return max(safe, key=lambda c: (strip.road.squares[c.square].end, -c.action.effect.cost)).action


def page(sample: Sample, theme: str, strip: Any) -> str:
    """The board as a page would hold it: overview, board in both directions, list of choices, the field in words."""
    from django.template import Context, Engine

    from races.board.strip import draw, patterns
    from races.board.whole import course_map, in_words, key, overview

    engine = Engine()
    up, on = (draw(strip, upright=upright, zoom=sample.zoom) for upright in (True, False))
    sprite = Engine().from_string((ROOT / "templates/_sprite.html").read_text()).render(Context())
    return engine.from_string(PAGE).render(
        Context(
            {
                "theme": theme, "title": sample.title, "strip": strip, "sprite_": sprite, "patterns": patterns(), "up": up, "on": on,
                "over_up": overview(strip, up), "over_on": overview(strip, on), "map": course_map(strip, on),
                "rows": in_words(strip), "key": key(strip, up), "root": ROOT.as_uri(),
            }
        )
    )  # fmt: skip


PAGE = """<!doctype html><html lang="en" data-theme="{{ theme }}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>{{ title }}</title>
<link rel="stylesheet" href="{{ root }}/league/static/league/app.css"><link rel="stylesheet" href="{{ root }}/league/static/league/site.css">
<link rel="stylesheet" href="{{ root }}/races/static/races/board.css"></head><body>{{ sprite_|safe }}{{ patterns }}
<main class="page"><div class="row apart"><h2>{{ title }}</h2><p>{{ strip.asks }}</p>{% if strip.chosen %}<a href="?" data-drop>Drop</a>{% endif %}</div>
<div class="bd-up">{{ over_up }}<div class="bd-stack"><div>{{ up.road }}</div><div>{{ up.live }}</div></div></div>
<div class="bd-on">{{ over_on }}<div class="bd-stack"><div>{{ on.road }}</div><div>{{ on.live }}</div></div></div>
<ul class="bd-key">{% for sign in key %}<li>{{ sign.sign }} {{ sign.words }}</li>{% endfor %}</ul>
{% if strip.choices %}<form class="turn cq"><fieldset class="choices">{% for c in strip.choices %}<label class="choice">
<input type="radio" name="to" value="{{ c.value }}"{% if c.value == strip.chosen.value %} checked{% endif %}><span class="to">{{ c.steps }}</span><span>{{ c.words }}</span>
<span class="cost">{{ c.label }} {{ c.risk }}</span></label>{% endfor %}</fieldset></form>{% endif %}
<section class="sec"><h2>On the road</h2><ol class="list">{% for row in rows %}<li><span class="who">
<svg class="jersey" viewBox="0 0 24 24" aria-hidden="true"><use href="#jersey-{{ row.jersey }}"/></svg><span class="bib">{{ row.bib }}</span><span><b>{{ row.name }}</b>
<span class="sub">{{ row.place }}{% if row.notes %}; {{ row.notes }}{% endif %}</span></span></span><span class="gap">{{ row.gap }}</span></li>{% endfor %}</ol></section>
<section class="sec"><h2>The course</h2>{{ map }}</section></main><script src="{{ root }}/races/static/races/board.js"></script></body></html>"""


def all_samples() -> dict[str, Sample]:
    """Of every game."""
    from tests.races.board.look_breaking_away import SAMPLES as BREAKING_AWAY

    return SAMPLES | BREAKING_AWAY


def write(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, sample in all_samples().items():
        strip = strip_of(sample)
        for theme in ("light", "dark"):
            (folder / f"{name}-{theme}.html").write_text(page(sample, theme, strip))


if __name__ == "__main__":
    import django

    django.setup()
    write(Path(sys.argv[1]))
