"""From stored reasons to sentences: what a part of a score means, why a rank is a rank, who is out, and headlines.

Everything here prints facts that were counted elsewhere. Facts come as they are stored: the pure rows of
`league.classification` as JSON (`dataclasses.asdict`). Names are plain text; whoever puts a sentence into a page
escapes it. The rider type "leader" never stands in a sentence: a rider is "in pink" or "first".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.classification.standing import Criterion, PartKind, TeamCriterion
from league.classification.status import OutReason, Status
from league.templatetags.look import signed

TIE_RULE = "GI-D1-06"
OUT_PARTS = {
    OutReason.DNS: PartKind.OUT_DNS,
    OutReason.DNF: PartKind.OUT_DNF,
    OutReason.OTL: PartKind.OUT_OTL,
    OutReason.DSQ: PartKind.OUT_DSQ,
    OutReason.WITHDRAWN: PartKind.OUT_WITHDRAWN,
    OutReason.LAPPED: PartKind.LAPPED,
}

Facts = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Names:
    """What the ids in stored rows are called. A rider: his last name, more of it where two riders share it."""

    riders: Mapping[int, str]
    teams: Mapping[int, str] = field(default_factory=dict)
    stages: Mapping[int, str] = field(default_factory=dict)  # their numbers
    bonus: Mapping[tuple[int, int], int] = field(default_factory=dict)  # (stage, token): the column of the line


@dataclass(frozen=True, slots=True)
class Reason:
    """A sentence and the rule that it rests on."""

    text: str
    rule: str = ""


@dataclass(frozen=True, slots=True)
class PartLine:
    """One line of a "why": what happened, squares or turns, the rule, and the number of a ruling to link to."""

    text: str
    amount: int | None = None  # None: it explains and moves nothing
    rule: str = ""
    ruling: int | None = None


# ---- small words -----------------------------------------------------------------------------------------------------
def short_names(riders: Iterable[tuple[int, int, str, str]]) -> dict[int, str]:
    """What headlines call riders, from (id, bib, name, last name): the last name; two of one last name are called in
    full; two of one name also by their bibs."""
    riders = list(riders)
    lasts = [last for _pk, _bib, _name, last in riders]
    fulls = [name for _pk, _bib, name, _last in riders]
    called = {}
    for pk, bib, name, last in riders:
        if lasts.count(last) == 1:
            called[pk] = last
        else:
            called[pk] = name if fulls.count(name) == 1 else f"{name} ({bib})"
    return called


def number_word(n: int) -> str:
    """Up to twelve in words, as a headline says it."""
    words = (
        _("none"), _("one"), _("two"), _("three"), _("four"), _("five"), _("six"),
        _("seven"), _("eight"), _("nine"), _("ten"), _("eleven"), _("twelve"),
    )  # fmt: skip
    return words[n] if 0 <= n < len(words) else str(n)


def listed(names: Sequence[str]) -> str:
    """A, B and C."""
    if len(names) < 2:
        return "".join(names)
    return _("%(most)s and %(last)s") % {"most": ", ".join(names[:-1]), "last": names[-1]}


def capital(text: str) -> str:
    """The sentence with a capital first letter; names keep theirs."""
    return text[:1].upper() + text[1:]


def out_words(reason: str) -> str:
    """Why a rider is out, in the slot under his name."""
    return {
        OutReason.DNS: _("did not start"),
        OutReason.DNF: _("did not finish"),
        OutReason.OTL: _("too late"),
        OutReason.DSQ: _("disqualified"),
        OutReason.WITHDRAWN: _("withdrawn"),
        OutReason.LAPPED: _("lapped"),
    }[OutReason(reason)]


def status_words(status: str) -> str:
    """How a stage ended for a rider."""
    return {
        Status.UNRESOLVED: _("no result yet"),
        Status.FINISHED: _("finished"),
        Status.DNS: _("did not start"),
        Status.DNF: _("did not finish"),
        Status.OTL: _("outside the time limit"),
        Status.DSQ: _("disqualified"),
        Status.WITHDRAWN: _("withdrawn"),
    }[Status(status)]


def squares(n: int) -> str:
    return ngettext("%(n)s square", "%(n)s squares", n) % {"n": n}


def turns(n: int) -> str:
    return ngettext("%(n)s turn", "%(n)s turns", n) % {"n": n}


def evening(when: Any) -> str:
    """Thu 5 March, 19:30, by the club's clock."""
    return _("%(day)s, %(time)s") % {"day": day(when), "time": date_format(localtime(when), "H:i")}


def day(when: Any) -> str:
    """Thu 5 March, by the club's clock."""
    return date_format(localtime(when), "D j F")


# ---- reasons of a rider ----------------------------------------------------------------------------------------------
def part_lines(parts: Sequence[Facts], stage: int, names: Names) -> list[PartLine]:
    """A rider's stage, reason by reason. The amounts add up to his move. Who won the stage is not also told that he
    came in the winner's turn."""
    won = any(part["kind"] == PartKind.STAGE_WIN for part in parts)
    lines, turn = [], None
    for part in parts:
        if won and part["kind"] == PartKind.TURNS_BEHIND and not part["amount"]:
            turn = dict(part["facts"]).get("turn")
            continue
        if turn is not None and part["kind"] == PartKind.STAGE_WIN:
            part = {**part, "facts": [["turn", turn]]}
        lines.append(part_line(part, stage, names))
    return lines


def part_line(part: Facts, stage: int, names: Names) -> PartLine:
    """One reason."""
    kind, facts = PartKind(part["kind"]), dict(part["facts"])
    moves = kind in MOVING
    return PartLine(
        text=_part_text(kind, part["amount"], facts, stage, names),
        amount=part["amount"] if moves else None,
        rule=part["rule"] or "",
        ruling=facts.get("ruling"),
    )


MOVING = frozenset(
    {
        PartKind.TURNS_BEHIND,
        PartKind.STAGE_WIN,
        PartKind.BONUS,
        PartKind.TIME_TRIAL,
        PartKind.PENALTY,
        PartKind.RULING_BONUS,
    }
)
"""The parts that move a rider on the track, also by nothing."""


def _part_text(kind: PartKind, amount: int, facts: Mapping[str, int], stage: int, names: Names) -> str:
    match kind:
        case PartKind.TURNS_BEHIND:
            return _turns_behind(amount, facts)
        case PartKind.STAGE_WIN:
            return _("stage win in turn %(turn)s") % facts if "turn" in facts else _("stage win")
        case PartKind.TIME_TRIAL:
            return _time_trial(amount, facts)
        case PartKind.BONUS:
            return _("bonus sprint %(where)s") % {"where": _where(facts, stage, names)}
        case PartKind.PENALTY:
            return _("penalty, ruling %(ruling)s") % facts
        case PartKind.RULING_BONUS:
            return _("bonus, ruling %(ruling)s") % facts
        case PartKind.REINSTATED:
            return _("stays in, ruling %(ruling)s") % facts
        case PartKind.LAPPED:
            return _("%(gap)s behind on a track of %(loop)s: lapped") % facts
        case PartKind.OUT_DNS:
            return _("did not start: out")
        case PartKind.OUT_DNF:
            return _("did not finish: out")
        case PartKind.OUT_OTL:
            return _too_late(facts)
        case PartKind.OUT_DSQ:
            return _("disqualified, ruling %(ruling)s") % facts if "ruling" in facts else _("disqualified: out")
        case PartKind.OUT_WITHDRAWN:
            return _("withdrawn: out")
        case PartKind.BONUS_LAPSED:
            return _("the bonus sprint %(where)s lapses") % {"where": _where(facts, stage, names)}
        case PartKind.STAGE_WIN_LAPSED:
            return _("the stage win lapses")
        case PartKind.RULING_LAPSED:
            return _("%(squares)s of ruling %(ruling)s lapse") % {
                "squares": signed(facts["squares"]), "ruling": facts["ruling"],
            }  # fmt: skip


def _turns_behind(amount: int, facts: Mapping[str, int]) -> str:
    if not amount:
        return _("turn %(turn)s, the winner's") % facts
    return ngettext(
        "turn %(turn)s, %(n)s after the winner's",
        "turn %(turn)s, %(n)s after the winner's",
        -amount,
    ) % {"turn": facts["turn"], "n": -amount}


def _time_trial(amount: int, facts: Mapping[str, int]) -> str:
    told = dict(facts)
    told.setdefault("addition", 0)
    if not amount:
        return _("best result, %(turns)s + %(addition)s = %(result)s turns") % told
    told["n"] = -amount
    return _("%(turns)s + %(addition)s = %(result)s turns, %(n)s after the best") % told


def _too_late(facts: Mapping[str, int]) -> str:
    if {"turn", "peloton_turn", "last_turn"} <= facts.keys():
        return _("turn %(turn)s; the peloton came in %(peloton_turn)s, the limit was %(last_turn)s") % facts
    if "last_turn" in facts:
        return _("not in by turn %(last_turn)s, the limit") % facts
    return _("outside the time limit")


def _where(facts: Mapping[str, int], stage: int, names: Names) -> str:
    """Which bonus line: at its column, or by its number where the course is not known."""
    column = names.bonus.get((stage, facts["token"]))
    if column is None:
        return _("no. %(token)s") % facts
    return _("at %(column)s") % {"column": column}


def rank_reason(row: Facts, below: Facts | None, names: Names) -> Reason:
    """Why a ranked rider is where he is: what separated him from the one above, or from the one below who is level.

    `row` and `below` are stored rows of the general classification. Rules: GI-D1-06.
    """
    decided = row["decided_by"]
    if decided and decided != Criterion.SCORE:
        return level_reason(row, names, own_side=True)
    if below and below["decided_by"] not in (None, Criterion.SCORE):
        return level_reason(below, names, own_side=False)
    if row["rank"] == 1 or not decided:
        return Reason(_("Highest score: %(score)s") % {"score": signed(row["score"])})
    gap = row["gap_to_next"] or 0
    return Reason(
        ngettext("%(n)s square behind %(rider)s", "%(n)s squares behind %(rider)s", gap)
        % {"n": gap, "rider": names.riders[row["decided_against"]]}
    )


def level_reason(row: Facts, names: Names, *, own_side: bool) -> Reason:
    """Two riders of one score, and what separated them. `row` is the lower one's; `own_side`: told from his side."""
    own, other = row["decided_values"]
    against = names.riders[row["decided_against"] if own_side else row["rider"]]
    mine, theirs = (own, other) if own_side else (other, own)
    facts = {
        "rider": against,
        "own": mine,
        "other": theirs,
        "stage": names.stages.get(row.get("decided_stage") or 0, ""),
    }
    better = not own_side
    match Criterion(row["decided_by"]):
        case Criterion.ENERGY:
            text = (
                _("Level with %(rider)s; more energy left, %(own)s to %(other)s")
                if better
                else _("Level with %(rider)s; less energy left, %(own)s to %(other)s")
            )
        case Criterion.DRAFT:
            text = (
                _("Level with %(rider)s in all; picked earlier, as no. %(own)s before no. %(other)s")
                if better
                else _("Level with %(rider)s in all; picked later, as no. %(own)s after no. %(other)s")
            )
        case _:
            text = (
                _("Level with %(rider)s; placed better in stage %(stage)s, %(own)s to %(other)s")
                if better
                else _("Level with %(rider)s; placed lower in stage %(stage)s, %(own)s to %(other)s")
            )
    return Reason(text % facts, TIE_RULE)


def out_reason(row: Facts, parts_by_stage: Mapping[int, Sequence[Facts]], names: Names) -> Reason:
    """Why a rider is out, with the figures of the stage that put him out."""
    why = OutReason(row["why_out"])
    stage = row["out_after"]
    part = next((p for p in parts_by_stage.get(stage, ()) if p["kind"] == OUT_PARTS[why]), None)
    if part is None:
        text = out_words(why)
    elif why in (OutReason.LAPPED, OutReason.OTL):
        text = _part_text(PartKind(part["kind"]), 0, dict(part["facts"]), stage, names)
    else:
        text = _("%(reason)s in stage %(stage)s") % {"reason": out_words(why), "stage": names.stages[stage]}
        if "ruling" in dict(part["facts"]):
            text = _("%(what)s, ruling %(ruling)s") % {"what": text, "ruling": dict(part["facts"])["ruling"]}
    return Reason(capital(text), part["rule"] or "" if part else "")


def missing_words(riders: Sequence[str]) -> str:
    """How many results are missing, and whose; nothing where none is."""
    if not riders:
        return ""
    return ngettext(
        "One result is missing: %(riders)s.", "%(n)s results are missing: %(riders)s.", len(riders)
    ) % {"n": capital(number_word(len(riders))), "riders": listed(riders)}  # fmt: skip


# ---- reasons of a team -----------------------------------------------------------------------------------------------
def team_reason(row: Facts, below: Facts | None, shares: bool, names: Names) -> Reason:
    """Why a team is where it is. `shares`: others have the same rank."""
    if row["state"] == "unranked":
        told = {"finishers": row["finishers"], "count": row["count"], "stage": names.stages[row["unranked_since"]]}
        return Reason(_("Not ranked since stage %(stage)s: fewer than %(count)s came in") % told)
    if row["state"] == "unresolved":
        return Reason(_("A result is missing, so its total is not known"))
    if shares:
        return Reason(_("Equal in turns and placings: the place is shared"))
    if row["decided_by"] in (TeamCriterion.PLACINGS, TeamCriterion.BEST_PLACING):
        return _level_team(row, names, own_side=True)
    if below and below["decided_by"] in (TeamCriterion.PLACINGS, TeamCriterion.BEST_PLACING):
        return _level_team(below, names, own_side=False)
    if row["rank"] == 1 or not row["decided_by"]:
        return Reason(_("Fewest turns: %(total)s") % {"total": row["total"]})
    own, other = row["decided_values"]
    return Reason(
        ngettext("%(n)s turn behind %(team)s", "%(n)s turns behind %(team)s", own - other)
        % {"n": own - other, "team": names.teams[row["decided_against"]]}
    )


def _level_team(row: Facts, names: Names, *, own_side: bool) -> Reason:
    own, other = row["decided_values"]
    team = names.teams[row["decided_against"] if own_side else row["team"]]
    facts = {"team": team, "own": own if own_side else other, "other": other if own_side else own}
    if row["decided_by"] == TeamCriterion.PLACINGS:
        return Reason(_("Level with %(team)s; placings add up to %(own)s against %(other)s") % facts)
    return Reason(_("Level with %(team)s; best placing %(own)s against %(other)s") % facts)


# ---- headlines -------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class Pink:
    """What a headline is made of: who wears pink after a stage, and how."""

    wearer: str = ""  # nobody: ""
    before: str = ""  # who wore it before the stage
    winners: tuple[str, ...] = ()  # of the stage
    second: str = ""
    lead: int | None = None  # squares to the second; None: nobody is second
    tie: Facts | None = None  # the second's row where the score does not separate the two
    is_final: bool = False  # no stage remains and no result is missing


def front_headline(pink: Pink, names: Names) -> str:
    """The campaign's headline: a result."""
    if not pink.wearer:
        return _("Nobody in pink")
    if pink.is_final:
        return _("%(rider)s wins the Giro") % {"rider": pink.wearer}
    if pink.tie is not None:
        return _("Pink on equal score: %(reason)s") % {"reason": tie_words(pink.wearer, pink.tie, names)}
    if pink.wearer != pink.before:
        return _("%(rider)s takes pink") % {"rider": pink.wearer}
    if len(pink.winners) == 1 and pink.winners[0] == pink.second:
        return _("%(rider)s wins, %(other)s keeps pink") % {"rider": pink.winners[0], "other": pink.wearer}
    if pink.lead:
        return _("%(rider)s keeps pink by %(n)s") % {"rider": pink.wearer, "n": number_word(pink.lead)}
    return _("%(rider)s in pink") % {"rider": pink.wearer}


def start_headline(stages: int) -> str:
    """The headline before anything was ridden: nobody wears pink, and no pink is on the page."""
    return _("Nobody in pink yet") if stages else _("A Giro without stages yet")


def gc_headline(pink: Pink) -> str:
    """The headline above the general classification."""
    facts = {"rider": pink.wearer, "n": number_word(pink.lead or 0)}
    if not pink.wearer:
        return _("Nobody in pink")
    if pink.is_final:
        if pink.tie is not None:
            return _("%(rider)s wins the Giro on equal score") % facts
        return _("%(rider)s wins the Giro, %(n)s clear") % facts if pink.lead else _("%(rider)s wins the Giro") % facts
    if pink.tie is not None:
        return _("%(rider)s in pink on equal score") % facts
    return _("%(rider)s in pink, %(n)s clear") % facts if pink.lead else _("%(rider)s in pink") % facts


def tie_words(rider: str, row: Facts, names: Names) -> str:
    """What put `rider` first on equal score; `row` is the second's. Rules: GI-D1-06."""
    facts = {"rider": rider, "stage": names.stages.get(row.get("decided_stage") or 0, "")}
    match Criterion(row["decided_by"]):
        case Criterion.ENERGY:
            return _("%(rider)s has more energy left") % facts
        case Criterion.DRAFT:
            return _("%(rider)s was picked earlier") % facts
        case _:
            return _("%(rider)s placed better in stage %(stage)s") % facts


def tie_advantage(row: Facts) -> str:
    """What put the first ahead on equal score, in two or three words."""
    match Criterion(row["decided_by"]):
        case Criterion.ENERGY:
            return _("more energy left")
        case Criterion.DRAFT:
            return _("picked earlier")
        case _:
            return _("better placed")


def stage_headline(number: str, name: str, winners: Sequence[str], *, ridden: bool, missing: bool) -> str:
    """The headline of a stage."""
    facts = {"number": number, "name": name, "winners": listed(winners)}
    if not ridden or (missing and not winners):
        return _("Stage %(number)s, %(name)s") % facts
    if not winners:
        return _("Nobody came in on %(name)s") % facts
    if len(winners) > 1:
        return _("%(winners)s share %(name)s") % facts
    return _("%(winners)s wins on %(name)s") % facts


def teams_headline(first: Sequence[str], lead: int | None) -> str:
    """The headline of the team classification."""
    if not first:
        return _("No team is ranked")
    if len(first) > 1:
        return _("%(teams)s share first place") % {"teams": listed(first)}
    facts = {"team": first[0], "n": number_word(lead or 0)}
    if not lead:
        return _("%(team)s first") % facts
    return ngettext("%(team)s first by %(n)s turn", "%(team)s first by %(n)s turns", lead) % facts


@dataclass(frozen=True, slots=True, kw_only=True)
class StoryFacts:
    """What happened in a stage, for the lines under the headline."""

    number: str
    name: str
    winners: tuple[str, ...]
    wearer: str = ""
    wearer_behind: int | None = None  # turns after the best; None: no result of his, or a time trial
    wearer_bonuses: int = 0
    out: tuple[tuple[str, tuple[str, ...]], ...] = ()  # (reason, riders) of this stage
    going_on: int = 0
    is_final: bool = False
    missing: tuple[str, ...] = ()
    is_time_trial: bool = False


def story(facts: StoryFacts) -> str:
    """Two or three sentences: who won, what the wearer of pink did, who is out, who goes on."""
    told = []
    if facts.winners:
        told.append(
            ngettext(
                "%(winners)s won stage %(number)s, %(name)s.",
                "%(winners)s shared stage %(number)s, %(name)s.",
                len(facts.winners),
            )
            % {"winners": listed(facts.winners), "number": facts.number, "name": facts.name}
        )
    if facts.wearer and facts.wearer not in facts.winners:
        told.append(_wearer_words(facts))
    told += [out_sentence(reason, riders) for reason, riders in facts.out]
    if facts.missing:
        told.append(missing_words(facts.missing))
    elif facts.out and not facts.is_final and facts.going_on:
        told.append(
            ngettext("%(n)s rider goes on.", "%(n)s riders go on.", facts.going_on)
            % {"n": capital(number_word(facts.going_on))}
        )
    return " ".join(sentence for sentence in told if sentence)


def _wearer_words(facts: StoryFacts) -> str:
    if facts.wearer_behind is None:
        return ""
    rider = {"rider": facts.wearer, "n": number_word(facts.wearer_behind)}
    if facts.wearer_behind == 0 and facts.wearer_bonuses:
        return _("%(rider)s crossed in the same turn and took the bonus.") % rider
    if facts.wearer_behind == 0:
        return "" if facts.is_time_trial else _("%(rider)s crossed in the same turn.") % rider
    if facts.is_time_trial:
        return (
            ngettext("%(rider)s lost %(n)s turn.", "%(rider)s lost %(n)s turns.", facts.wearer_behind) % rider
        )  # fmt: skip
    return ngettext(
        "%(rider)s came in %(n)s turn later.", "%(rider)s came in %(n)s turns later.", facts.wearer_behind
    ) % rider  # fmt: skip


def out_sentence(reason: str, riders: Sequence[str]) -> str:
    """Who left the Giro, and why."""
    facts, n = {"riders": listed(riders)}, len(riders)
    match OutReason(reason):
        case OutReason.LAPPED:
            return ngettext("%(riders)s was lapped.", "%(riders)s were lapped.", n) % facts
        case OutReason.OTL:
            return ngettext("%(riders)s came in too late.", "%(riders)s came in too late.", n) % facts
        case OutReason.DNS:
            return ngettext("%(riders)s did not start.", "%(riders)s did not start.", n) % facts
        case OutReason.DNF:
            return ngettext("%(riders)s did not finish.", "%(riders)s did not finish.", n) % facts
        case OutReason.DSQ:
            return ngettext("%(riders)s was disqualified.", "%(riders)s were disqualified.", n) % facts
        case OutReason.WITHDRAWN:
            return ngettext("%(riders)s withdrew.", "%(riders)s withdrew.", n) % facts


def kind_words(kind: str) -> str:
    """The kind of a stage within a line."""
    return {"road": _("road"), "itt": _("individual time trial"), "ttt": _("team time trial")}[kind]


def evenings(n: int) -> str:
    """How long somebody wore pink."""
    return ngettext("%(n)s evening in pink", "%(n)s evenings in pink", n) % {"n": n}


def team_day(riders: Sequence[tuple[str, int | None]]) -> str:
    """Who made a team's stage: Sarti 12 + Kessel 14."""
    return " + ".join(f"{name} {result}" for name, result in riders)
