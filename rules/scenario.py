"""Scenarios: a position, what is done in it, and what must then be so, as JSON of one frame for all games.

A *scenario* is one such story, a *step* one entry of its script, a *partial* a piece of JSON that names only what it
cares about. What stands inside positions, actions and events is the game's own; `docs/scenarios.md` is the reference.

Three parts: what is readable (`read`, `faults`), what fits (`differences`), what happens (`run`, `run_file`).
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final, NamedTuple

from rules import registry
from rules.chance import total
from rules.errors import IllegalAction, RulesError, Unreadable
from rules.game import MANY, AnyGame, Decision, Json, Taker, due

LONGEST: Final = 400
"""Characters of a value that a failure shows; what is longer is cut, so that a failure stays a line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """One thing that is not as the scenario says: where it stands, what it is, and both values where there are two."""

    file: str | None = None
    title: str
    step: int | None = None  # from 1; None: the scenario itself
    what: str
    expected: str | None = None
    got: str | None = None

    def __str__(self) -> str:
        where = [self.file, self.title, None if self.step is None else f"step {self.step}", self.what]
        values = [f"expected {self.expected}" if self.expected else "", f"got {self.got}" if self.got else ""]
        line = ": ".join([part for part in where if part] + [", ".join(filter(None, values))]).removesuffix(": ")
        return " ".join(line.split())


# ---- what is readable ----


def read(text: str) -> list[Any]:
    """The scenarios of a file: its one object, or the entries of its list. `Unreadable`: it is not JSON."""
    try:
        source = json.loads(text, object_pairs_hook=_once, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        raise Unreadable("This is not JSON: line %(line)s: %(fault)s.", line=error.lineno, fault=error.msg) from None
    except ValueError as error:  # a number too long for Python
        raise Unreadable("This is not JSON that a scenario could be: %(fault)s.", fault=str(error)) from None
    except RecursionError:
        raise Unreadable("This is not JSON that a scenario could be: too many brackets inside each other.") from None
    return source if isinstance(source, list) else [source]


def _once(pairs: list[tuple[str, Any]]) -> Json:
    told = dict(pairs)
    if len(told) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise Unreadable("The key “%(key)s” stands twice in one object.", key=twice)
    return told


def _no_number(name: str) -> None:
    raise Unreadable("%(name)s is no number of JSON.", name=name)


class Shape(NamedTuple):
    """What may stand under a key, and how that is said."""

    said: str
    fits: Callable[[Any], bool]


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _all(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and all(map(fits, value))


def _is_object(value: Any) -> bool:
    return isinstance(value, dict)


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


OBJECT: Final = Shape("an object", _is_object)
OBJECTS: Final = Shape("a list of objects", _all(_is_object))
TEXT: Final = Shape("a text", _is_text)
TEXTS: Final = Shape("a list of texts, none of them empty", _all(_is_text))
NUMBER: Final = Shape("a whole number, 0 or more", _is_number)
TRUTH: Final = Shape("true or false", lambda value: isinstance(value, bool))
TEXT_OR_NULL: Final = Shape("a text or null", lambda value: value is None or _is_text(value))
OBJECT_OR_NULL: Final = Shape("an object or null", lambda value: value is None or _is_object(value))
VIEWS: Final = Shape("an object or a list of objects", lambda value: _is_object(value) or _all(_is_object)(value))

Fields = Mapping[str, Shape]

SCENARIO: Final[Fields] = {
    "game": TEXT,
    "version": NUMBER,
    "title": TEXT,
    "rules": TEXTS,
    "position": OBJECT,
    "setup": OBJECT,
    "script": OBJECTS,
}
SETUP: Final[Fields] = {"options": OBJECT, "entrants": OBJECTS}
STEPS: Final[Fields] = {
    "do": OBJECT,
    "chance": OBJECT,
    "refuse": OBJECT,
    "legal": OBJECT,
    "weights": OBJECT,
    "expect": OBJECT,
}
STEP: Final[Fields] = {**STEPS, "say": TEXT}
REFUSAL: Final[Fields] = {**STEP, "rule": TEXT_OR_NULL}
LEGAL: Final[Fields] = {
    "decision": OBJECT,
    "includes": OBJECTS,
    "excludes": OBJECTS,
    "count": NUMBER,
    "only": OBJECTS,
}
WEIGHTS: Final[Fields] = {"decision": OBJECT, "is": OBJECTS, "total": NUMBER}
EXPECT: Final[Fields] = {
    "state": OBJECT,
    "events": OBJECTS,
    "decisions": OBJECTS,
    "may": OBJECTS,
    "view": VIEWS,
    "outcome": OBJECT_OR_NULL,
    "over": TRUTH,
}
VIEW: Final[Fields] = {"seat": TEXT_OR_NULL, "has": OBJECT, "lacks": TEXTS}


def _form(source: Any, what: str, fields: Fields, required: Sequence[str] = ()) -> Iterator[str]:
    """What is wrong with the keys of one object and the kind of thing under each."""
    if not _is_object(source):
        yield f"{what} is an object, not {shown(source)}"
        return
    for key, value in source.items():
        shape = fields.get(key)
        if shape is None:
            yield f"{what} has no key “{key}”; {_hint(key, fields)}"
        elif not shape.fits(value):
            yield f"“{key}” of {what[0].lower() + what[1:]} is {shape.said}, not {shown(value)}"
    for key in required:
        if key not in source:
            yield f"{what} needs the key “{key}”: {fields[key].said}"


def _hint(word: str, known: Iterable[str]) -> str:
    known = sorted(known)
    near = get_close_matches(word, known, 1)
    return f"is it “{near[0]}”?" if near else f"there are: {', '.join(known)}"


def faults(scenario: Any) -> list[tuple[int | None, str]]:
    """What is wrong with a scenario as it is written, before anything is played: the step (from 1) and a sentence."""
    found: list[tuple[int | None, str]] = [
        (None, fault) for fault in _form(scenario, "A scenario", SCENARIO, ("game", "title", "rules", "script"))
    ]
    if not _is_object(scenario):
        return found
    if ("position" in scenario) == ("setup" in scenario):
        found.append((None, "A scenario starts from “position” or from “setup”, one of the two"))
    if "setup" in scenario:
        found += [(None, fault) for fault in _form(scenario["setup"], "The setup", SETUP)]
    script = scenario.get("script")
    if not OBJECTS.fits(script):
        return found
    for number, step in enumerate(script, 1):
        found += [(number, fault) for fault in _step_faults(step)]
    if not found and not any(_asserts(step) for step in script):
        found.append((None, "The script says nothing that must be so: it needs a refuse, legal, weights or expect"))
    return found


def _step_faults(step: Json) -> Iterator[str]:
    verbs = [key for key in step if key in STEPS]
    if len(verbs) > 1:
        yield f"A step is one thing, and this is {len(verbs)}: {', '.join(verbs)}"
        return
    refuses = "refuse" in step
    form = list(_form(step, "A step", REFUSAL if refuses else STEP, ("rule",) if refuses else ()))
    if not verbs and not form:
        form = [f"A step is one of: {', '.join(STEPS)}"]
    yield from form
    if form:
        return
    if "legal" in step:
        yield from _form(step["legal"], "Legal", LEGAL) if step["legal"] else _says_nothing("legal", LEGAL)
    elif "weights" in step:
        yield from _weights_faults(step["weights"])
    elif "expect" in step:
        yield from _expect_faults(step["expect"])


def _says_nothing(what: str, fields: Fields) -> Iterator[str]:
    yield f"This {what} says nothing; it needs one of: {', '.join(fields)}"


def _weights_faults(weights: Json) -> Iterator[str]:
    form = list(_form(weights, "Weights", WEIGHTS)) if weights else list(_says_nothing("weights", WEIGHTS))
    yield from form
    if not form:
        for outcome in weights.get("is", []):
            if not _is_number(outcome.get("weight")):
                yield f"An outcome in “is” says its “weight”, a whole number, not {shown(outcome)}"


def _expect_faults(expect: Json) -> Iterator[str]:
    form = list(_form(expect, "Expect", EXPECT)) if expect else list(_says_nothing("expect", EXPECT))
    yield from form
    if form:
        return
    for entry in (*expect.get("events", []), *expect.get("may", [])):
        if "none" in entry and (len(entry) > 1 or not _is_object(entry["none"])):
            yield f"“none” stands alone and holds an object, not {shown(entry)}"
    for view in _views(expect):
        form = list(_form(view, "A view", VIEW, ("seat",)))
        yield from form
        if not form and not view.get("has") and not view.get("lacks"):
            yield "This view says nothing; it needs has or lacks"


def _views(expect: Json) -> list[Json]:
    views = expect.get("view", [])
    return views if isinstance(views, list) else [views]


def _asserts(step: Json) -> bool:
    """Whether a step can fail for what it claims, not only for what it does."""
    if "expect" in step:
        told = step["expect"]
        says = {"decisions", "view", "outcome", "over"}
        return bool(told.keys() & says or any(told.get(key) for key in ("state", "events", "may")))
    if "legal" in step:
        told = step["legal"]
        return bool(told.keys() & {"count", "only"} or told.get("includes") or told.get("excludes"))
    if "weights" in step:
        return "total" in step["weights"] or bool(step["weights"].get("is"))
    return "refuse" in step


# ---- what fits ----


class Difference(NamedTuple):
    """One place where a value is not what a partial says: its path, and both as text."""

    path: str
    expected: str
    got: str


MISSING: Final = object()
ANYTHING: Final = {"any": True}
ABSENT: Final = {"absent": True}


def shown(value: Any) -> str:
    """A value as JSON on one line, cut where it gets long."""
    if value is MISSING:
        return "nothing"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def differences(expected: Any, got: Any, path: str) -> Iterator[Difference]:
    """Where `got` is not what the partial `expected` says.

    Objects are compared in the keys that `expected` names, to any depth; lists entry by entry, as long as each other; true
    is not 1. `{"any": true}` fits all that is there, `{"absent": true}` what is missing or null. An object fits a list whose
    entries all have an id of their own by these ids.
    """
    if expected == ABSENT:
        if got is not MISSING and got is not None:
            yield Difference(path, "nothing", shown(got))
    elif got is MISSING:
        yield Difference(path, "anything" if expected == ANYTHING else shown(expected), "nothing")
    elif expected == ANYTHING:
        return
    elif isinstance(expected, dict):
        fields = _by_id(got) if isinstance(got, list) else got
        if not isinstance(fields, dict):
            yield Difference(path, shown(expected), shown(got))
            return
        for key, part in expected.items():
            yield from differences(part, fields.get(key, MISSING), f"{path}.{key}")
    elif isinstance(expected, list):
        if not isinstance(got, list):
            yield Difference(path, shown(expected), shown(got))
        elif len(got) != len(expected):
            yield Difference(path, f"{len(expected)} entries {shown(expected)}", f"{len(got)} entries {shown(got)}")
        else:
            for place, (part, entry) in enumerate(zip(expected, got, strict=True)):
                yield from differences(part, entry, f"{path}[{place}]")
    elif isinstance(expected, bool) is not isinstance(got, bool) or expected != got:
        yield Difference(path, shown(expected), shown(got))


def _by_id(entries: list[Any]) -> Json | None:
    found = {entry["id"]: entry for entry in entries if isinstance(entry, dict) and isinstance(entry.get("id"), str)}
    return found if len(found) == len(entries) else None


def fits(partial: Any, value: Any) -> bool:
    """Whether `value` is all that `partial` says."""
    return next(differences(partial, value, ""), None) is None


def _nearest(partial: Json, values: Sequence[Any]) -> str:
    """Of values that all differ from `partial`, the one that differs least, and where: what to look at first."""
    if not values:
        return "none at all"
    ranked = [(list(differences(partial, value, "")), value) for value in values]
    apart, value = min(ranked, key=lambda pair: (any(d.path == ".kind" for d in pair[0]), len(pair[0])))
    where = ", ".join(f"{d.path.lstrip('.')} {d.got}" for d in apart)
    return f"none of {len(values)}; the nearest has {where}: {shown(value)}"


def _first(values: Sequence[Any]) -> str:
    return shown(values[0]) if len(values) == 1 else f"{len(values)}, the first {shown(values[0])}"


def paired(partials: Sequence[Any], values: Sequence[Any]) -> bool:
    """Whether each partial can be given a value of its own that it fits (by augmenting paths)."""
    taken: dict[int, int] = {}  # value -> partial

    def place(one: int, tried: set[int]) -> bool:
        for other, value in enumerate(values):
            if other in tried or not fits(partials[one], value):
                continue
            tried.add(other)
            if other not in taken or place(taken[other], tried):
                taken[other] = one
                return True
        return False

    return all(place(one, set()) for one in range(len(partials)))


# ---- what happens ----


class _Stop(Exception):
    """The script cannot go on: what it wanted to do was not possible."""


@dataclass(slots=True)
class _Run:
    """A scenario being played: where it stands, what happened, what was not as it should be."""

    game: AnyGame
    title: str
    file: str | None
    state: Any = None
    step: int | None = None
    failures: list[Failure] = field(default_factory=list)
    events: list[Json] = field(default_factory=list)  # since the last expect that looked at them
    story: list[str] = field(default_factory=list)

    def fail(self, what: str, expected: str | None = None, got: str | None = None) -> None:
        self.failures.append(
            Failure(file=self.file, title=self.title, step=self.step, what=what, expected=expected, got=got)
        )

    def compare(self, expected: Any, got: Any, path: str) -> None:
        for found in differences(expected, got, path):
            self.fail(*found)

    # ---- its parts ----

    def begin(self, scenario: Json) -> None:
        if "setup" in scenario:
            setup = scenario["setup"]
            self.state = self.game.setup(setup.get("options", {}), setup.get("entrants", []))
        else:
            self.state = self.game.read_state(scenario["position"])

    def take(self, step: Json) -> None:
        match step:
            case {"do": source}:
                self.do(source)
            case {"chance": source}:
                self.chance(source)
            case {"refuse": source, "rule": rule}:
                self.refuse(source, rule)
            case {"legal": told}:
                self.legal(told)
            case {"weights": told}:
                self.weights(told)
            case {"expect": told}:
                self.expect(told)

    def do(self, source: Json) -> None:
        try:
            action = self.game.read_action(source)
            self.apply(action)
        except RulesError as refusal:
            self.fail("do", f"{shown(source)} to be legal", f"a refusal: {refusal}")
            raise _Stop from refusal

    def apply(self, action: Any) -> None:
        before = self.written()
        after, events = self.game.apply(self.state, action)
        if self.written() != before:
            self.fail("apply", "a new state", "the old one, changed")
        self.state = after
        self.events += [plain(self.game.write_event(event)) for event in events]
        self.story += [self.game.tell(after, event) for event in events]

    def written(self) -> Any:
        return plain(self.game.write_state(self.state))

    def chance(self, source: Json) -> None:
        open_now = [decision for decision in self.game.decisions(self.state) if decision.taker is Taker.CHANCE]
        if not open_now:
            self.fail("chance", "an open chance decision", self.open_decisions())
            raise _Stop
        try:
            action = self.game.read_action(source)
        except RulesError as refusal:
            self.fail("chance", f"{shown(source)} to be readable", f"a refusal: {refusal}")
            raise _Stop from refusal
        outcomes = [
            one.action for decision in open_now for one in self.game.weighted(self.state, decision) if one.weight
        ]
        if action in outcomes:
            hit = [action]
        else:
            hit = [one for one in outcomes if fits(source, plain(self.game.write_action(one)))]
        if len(hit) != 1:
            what = f"one of {shown([plain(self.game.write_action(one)) for one in outcomes])}"
            self.fail("chance", what, f"{shown(source)}, which is {len(hit) or 'none'} of them")
            raise _Stop
        try:
            self.apply(hit[0])
        except RulesError as refusal:
            self.fail("chance", f"{shown(source)} to be taken", f"a refusal: {refusal}")
            raise _Stop from refusal

    def refuse(self, source: Json, rule: str | None) -> None:
        before = self.written()
        expected = f"a refusal by {rule}" if rule else "that it cannot be read"
        try:
            self.game.apply(self.state, self.game.read_action(source))
        except IllegalAction as refusal:
            if refusal.rule != rule:
                self.fail("refuse", expected, f"a refusal: {refusal}")
        except RulesError as unreadable:
            if rule is not None:
                self.fail("refuse", expected, f"it cannot be read: {unreadable}")
        else:
            self.fail("refuse", expected, f"{shown(source)} is legal")
        if self.written() != before:
            self.fail("refuse", "an untouched state", "a changed one")

    def open_decisions(self) -> str:
        told = [plain(decision.as_json()) for decision in self.game.decisions(self.state)]
        return f"open: {shown(told)}" if told else "no open decision: it is over"

    def chosen(self, told: Json, among: Sequence[Decision]) -> Decision | None:
        """The open decision that a step means: the one that fits, or the only one that has to be answered.

        None, and a failure, if it is not one.
        """
        if "decision" in told:
            found = [one for one in among if fits(told["decision"], plain(one.as_json()))]
        else:
            found = list(due(among))
        if len(found) != 1:
            wanted = f"one open decision like {shown(told['decision'])}" if "decision" in told else "one open decision"
            self.fail("decision", wanted, f"{len(found)}; {self.open_decisions()}")
            return None
        return found[0]

    def legal(self, told: Json) -> None:
        decision = self.chosen(told, self.game.decisions(self.state))
        if decision is None:
            return
        answers = self.game.legal(self.state, decision)
        if "count" in told and len(answers) != told["count"]:
            self.fail("legal.count", str(told["count"]), str(len(answers)))
        if not told.keys() & {"includes", "excludes", "only"}:
            return
        if len(answers) > MANY and "only" in told:
            self.fail("legal.only", f"{MANY} answers or fewer, to be listed", str(len(answers)))
            return
        actions = [self.answer(action) for action in answers] if len(answers) <= MANY else []
        for place, partial in enumerate(told.get("includes", [])):
            there = [*actions, *self.spelt_out(partial, answers, actions)]
            if not any(fits(partial, action) for action in there):
                self.fail(f"legal.includes[{place}]", shown(partial), _nearest(partial, there))
        for place, partial in enumerate(told.get("excludes", [])):
            self.heard_of(partial, actions, f"legal.excludes[{place}]", "actions", "chance")
            alike = [action for action in actions if fits(partial, action)]
            alike += [] if alike else [one for one in self.spelt_out(partial, answers, actions) if fits(partial, one)]
            if alike:
                self.fail(f"legal.excludes[{place}]", f"nothing like {shown(partial)}", _first(alike))
        if "only" in told:
            self.only(told["only"], actions)

    def answer(self, action: Any) -> Json:
        """An answer as a scenario sees it: the action, and what it would lead to."""
        seen: Json = plain(self.game.write_action(action)) | plain(self.game.explain(self.state, action))
        return seen

    def spelt_out(self, partial: Json, answers: Sequence[Any], listed: Sequence[Json]) -> Iterator[Json]:
        """The legal answers that a partial is, if it is a whole action.

        Of answers that do not differ in effect `legal` lists one; the others are legal too.
        """
        kinds = self.kinds("actions", "chance")
        for kind in [partial["kind"]] if "kind" in partial else dict.fromkeys(one["kind"] for one in listed):
            fields = kinds[kind]["fields"] if isinstance(kind, str) and kind in kinds else {}
            spelt = {"kind": kind} | {key: partial[key] for key in fields if key in partial}
            try:
                action = self.game.read_action(spelt)
            except RulesError:
                continue  # only a part of an action
            if action in answers:
                yield self.answer(action) | spelt  # as it was spelt: a field that has its default may not be written

    def kinds(self, *chapters: str) -> Json:
        """What `describe` tells of each kind of action or event."""
        told = self.game.describe()
        return {kind: entry for chapter in chapters for kind, entry in told.get(chapter, {}).items()}

    def heard_of(self, partial: Json, there: Sequence[Json], what: str, *chapters: str) -> None:
        """That a partial which must fit nothing is not only misspelt: its kind and keys are in `describe` or `there`."""
        kinds = self.kinds(*chapters)
        kind = partial.get("kind")
        if isinstance(kind, str) and kind not in kinds:
            self.fail(f"{what}: there is no kind “{kind}”; {_hint(kind, kinds)}")
            return
        meant = [kind] if isinstance(kind, str) else list(kinds)
        keys = {"kind"}.union(*(kinds[one]["fields"] for one in meant))
        alike = [one for one in there if one.get("kind") in meant]
        if not alike and "actions" in chapters:
            return  # what `explain` would add to such an answer cannot be seen here
        keys = keys.union(*alike)
        for key in sorted(partial.keys() - keys):
            self.fail(f"{what}: there is no key “{key}”; {_hint(key, keys)}")

    def only(self, partials: Sequence[Json], actions: Sequence[Json]) -> None:
        before = len(self.failures)
        for place, partial in enumerate(partials):
            if not any(fits(partial, action) for action in actions):
                self.fail(f"legal.only[{place}]", shown(partial), _nearest(partial, actions))
        if others := [action for action in actions if not any(fits(partial, action) for partial in partials)]:
            self.fail("legal.only", "nothing else", _first(others))
        alike = len(partials) == len(actions) and paired(partials, actions)
        if len(self.failures) == before and not alike:
            self.fail("legal.only", f"these {len(partials)}, one action each", f"{len(actions)}: {shown(actions)}")

    def weights(self, told: Json) -> None:
        chances = [decision for decision in self.game.decisions(self.state) if decision.taker is Taker.CHANCE]
        decision = self.chosen(told, chances)
        if decision is None:
            return
        outcomes = self.game.weighted(self.state, decision)
        weighed = [(plain(self.game.write_action(one.action)), one.weight) for one in outcomes]
        for place, listed in enumerate(told.get("is", [])):
            partial = {key: value for key, value in listed.items() if key != "weight"}
            if not listed["weight"]:
                self.heard_of(partial, [outcome for outcome, _ in weighed], f"weights.is[{place}]", "chance")
            hits = [(outcome, weight) for outcome, weight in weighed if fits(partial, outcome)]
            for outcome, weight in hits:
                if weight != listed["weight"]:
                    self.fail(f"weights.is[{place}]", f"{listed['weight']} for {shown(outcome)}", str(weight))
            if not hits and listed["weight"]:
                self.fail(f"weights.is[{place}]", shown(partial), _nearest(partial, [one for one, _ in weighed]))
        if "total" in told and total(outcomes) != told["total"]:
            self.fail("weights.total", str(told["total"]), str(total(outcomes)))

    def expect(self, told: Json) -> None:
        if "state" in told:
            self.compare(told["state"], self.written(), "state")
        if "events" in told:
            self.happened(told["events"])
            self.events = []
        open_now = self.game.decisions(self.state)
        if "decisions" in told:
            self.compare(told["decisions"], [plain(one.as_json()) for one in due(open_now)], "decisions")
        if "may" in told:
            self.beside(told["may"], [plain(one.as_json()) for one in open_now if one.optional])
        for view in _views(told):
            self.seen(view)
        if "outcome" in told:
            self.compare(told["outcome"], plain(self.game.outcome(self.state)), "outcome")
        if "over" in told:
            over = not open_now
            if over is not told["over"]:
                self.fail("over", shown(told["over"]), f"{shown(over)}; {self.open_decisions()}")

    def beside(self, listed: Sequence[Json], there: Sequence[Json]) -> None:
        """Each listed decision is open beside what has to be answered, or, with `none`, no such is."""
        for place, partial in enumerate(listed):
            alike = [one for one in there if fits(partial.get("none", partial), one)]
            if "none" in partial and alike:
                self.fail(f"may[{place}]", f"no {shown(partial['none'])}", _first(alike))
            elif "none" not in partial and not alike:
                self.fail(f"may[{place}]", shown(partial), _nearest(partial, there))

    def happened(self, listed: Sequence[Json]) -> None:
        """The listed events, in this order, among those since the last look; others may stand between."""
        left = self.events
        for place, partial in enumerate(listed):
            if "none" in partial:
                self.heard_of(partial["none"], self.events, f"events[{place}]", "events")
                if alike := [event for event in self.events if fits(partial["none"], event)]:
                    self.fail(f"events[{place}]", f"no {shown(partial['none'])}", _first(alike))
                continue
            hit = next((at for at, event in enumerate(left) if fits(partial, event)), None)
            if hit is None:
                self.fail(f"events[{place}]", shown(partial), f"from there on {_nearest(partial, left)}")
                return
            left = left[hit + 1 :]

    def seen(self, told: Json) -> None:
        seat = told["seat"]
        path = f"view of {seat or 'a spectator'}"
        seats = self.game.seats(self.state)
        if seat is not None and seat not in seats:
            self.fail(path, f"one of the seats {', '.join(seats)}", seat)
            return
        view = plain(self.game.write_view(self.game.view(self.state, seat)))
        if "has" in told:
            self.compare(told["has"], view, path)
        text = json.dumps(view, ensure_ascii=False)
        for lacking in told.get("lacks", []):
            if (at := text.find(lacking)) >= 0:
                around = text[max(0, at - 60) : at + len(lacking) + 60]
                self.fail(path, f"no text {lacking}", f"…{around}…")


def plain(value: Any) -> Any:
    """What a game writes, as it is after a journey as JSON text: lists, objects, texts, numbers."""
    return json.loads(json.dumps(value))


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What became of one scenario: what happened, a line for each event, and all that was not as it should be."""

    title: str
    story: Sequence[str] = ()
    failures: Sequence[Failure] = ()


def play(scenario: Any, game: AnyGame, *, file: str | None = None) -> Report:
    """Play a scenario in `game`; `file` is only named in the failures.

    What cannot be done ends the script; of what must be so, each fault is told. An error that is no refusal is a fault of the
    game, told with the line where it came from.
    """
    if found := faults(scenario):
        return _not_played(scenario, file, found)
    if (scenario["game"], scenario.get("version", game.version)) != (game.name, game.version):
        return _not_played(
            scenario, file, [(None, f"This is {game.name}, version {game.version}, not the game it names")]
        )
    running = _Run(game, scenario["title"], file)
    try:
        running.begin(scenario)
        for number, step in enumerate(scenario["script"], 1):
            running.step = number
            running.take(step)
    except _Stop:
        pass
    except RulesError as refusal:
        start = "setup" if "setup" in scenario else "position"
        running.fail(start if running.step is None else "the game broke", None, f"a refusal: {refusal}")
    except Exception as error:  # noqa: BLE001 - a game that breaks fails its scenario; all others are still played
        running.fail("the game broke", None, f"{type(error).__name__}: {error} ({_origin(error)})")
    return Report(title=running.title, story=running.story, failures=running.failures)


def _not_played(scenario: Any, file: str | None, found: Sequence[tuple[int | None, str]]) -> Report:
    title = scenario.get("title") if isinstance(scenario, dict) else None
    title = title if isinstance(title, str) and title.strip() else "a scenario without a title"
    return Report(title=title, failures=[Failure(file=file, title=title, step=step, what=what) for step, what in found])


def _origin(error: Exception) -> str:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return f"{trace.tb_frame.f_code.co_filename}, line {trace.tb_lineno}" if trace else "nowhere"


def run(scenario: Any, game: AnyGame, *, file: str | None = None) -> list[Failure]:
    """All that is not as the scenario says; empty when it passes."""
    return list(play(scenario, game, file=file).failures)


def run_file(path: Path, games: registry.Games = registry.GAMES) -> list[Report]:
    """Play every scenario of a file, in its order. `Unreadable` (no JSON) and OSError (no such file) are the caller's."""
    return [played(scenario, file=str(path), games=games) for scenario in read_file(path)]


def read_file(path: Path) -> list[Any]:
    """The scenarios in a file, read but not looked at. `Unreadable`: it is no text or no JSON; OSError: there is no file."""
    try:
        return read(path.read_text(encoding="utf-8-sig"))
    except UnicodeDecodeError:
        raise Unreadable("This is not text in UTF-8.") from None


def played(scenario: Any, *, file: str | None = None, games: registry.Games = registry.GAMES) -> Report:
    """Play a scenario in the game and version that it names."""
    if found := faults(scenario):
        return _not_played(scenario, file, found)
    try:
        game = registry.game(scenario["game"], scenario.get("version"), games=games)
    except Unreadable as unknown:
        return _not_played(scenario, file, [(None, str(unknown))])
    return play(scenario, game, file=file)
