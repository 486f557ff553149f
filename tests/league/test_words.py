"""What reasons, statuses and headlines are called. Facts come as they are stored."""

import pytest

from league import words
from league.classification.standing import Criterion, PartKind, TeamCriterion
from league.classification.status import OutReason, Status
from league.words import Names, PartLine, Pink, Reason, StoryFacts

VENN, SARTI, MARCHETTI, KESSEL = 21, 11, 32, 12
NAMES = Names(
    riders={VENN: "Venn", SARTI: "Sarti", MARCHETTI: "Marchetti", KESSEL: "Kessel"},
    teams={1: "Green", 2: "Blue"},
    stages={1: "1", 2: "2a", 3: "3"},
    bonus={(3, 1): 30, (3, 2): 50},
)


def part(kind: PartKind, amount: int = 0, rule: str | None = None, **facts: int) -> dict[str, object]:
    return {"kind": kind.value, "amount": amount, "rule": rule, "facts": [[name, n] for name, n in facts.items()]}


def row(**facts: object) -> dict[str, object]:
    base = {"rank": 2, "rider": SARTI, "score": -3, "gap_to_next": 0, "decided_by": None, "decided_against": None}
    return base | {"decided_values": None, "decided_stage": None} | facts


# ---- parts -----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("stored", "text", "amount"),
    [
        (part(PartKind.TURNS_BEHIND, 0, turn=15, best_turn=15), "turn 15, the winner's", 0),
        (part(PartKind.TURNS_BEHIND, -1, turn=16, best_turn=15), "turn 16, 1 after the winner's", -1),
        (part(PartKind.STAGE_WIN, 2), "stage win", 2),
        (part(PartKind.BONUS, 1, token=2), "bonus sprint at 50", 1),
        (part(PartKind.BONUS, 1, token=3), "bonus sprint no. 3", 1),
        (
            part(PartKind.TIME_TRIAL, -4, turns=13, clock=4, runs=6, addition=2, result=15, best=11),
            "13 + 2 = 15 turns, 4 after the best",
            -4,
        ),
        (
            part(PartKind.TIME_TRIAL, 0, turns=11, clock=1, runs=6, addition=0, result=11, best=11),
            "best result, 11 + 0 = 11 turns",
            0,
        ),
        (part(PartKind.PENALTY, -2, ruling=7), "penalty, ruling 7", -2),
        (part(PartKind.RULING_BONUS, 1, ruling=8), "bonus, ruling 8", 1),
        (part(PartKind.REINSTATED, ruling=9), "stays in, ruling 9", None),
        (part(PartKind.LAPPED, gap=18, loop=18, best=1, score=-17), "18 behind on a track of 18: lapped", None),
        (part(PartKind.OUT_DNS), "did not start: out", None),
        (part(PartKind.OUT_DNF), "did not finish: out", None),
        (
            part(PartKind.OUT_OTL, turn=21, peloton_turn=17, last_turn=20),
            "turn 21; the peloton came in 17, the limit was 20",
            None,
        ),
        (part(PartKind.OUT_OTL, peloton_turn=17, last_turn=20), "not in by turn 20, the limit", None),
        (part(PartKind.OUT_OTL), "outside the time limit", None),
        (part(PartKind.OUT_DSQ), "disqualified: out", None),
        (part(PartKind.OUT_DSQ, ruling=3), "disqualified, ruling 3", None),
        (part(PartKind.OUT_WITHDRAWN), "withdrawn: out", None),
        (part(PartKind.BONUS_LAPSED, token=1), "the bonus sprint at 30 lapses", None),
        (part(PartKind.STAGE_WIN_LAPSED), "the stage win lapses", None),
        (part(PartKind.RULING_LAPSED, ruling=4, squares=-2), "−2 of ruling 4 lapse", None),
    ],
)
def test_every_part_says_what_happened_with_its_figures(
    stored: dict[str, object], text: str, amount: int | None
) -> None:
    line = words.part_line(stored, 3, NAMES)

    assert (line.text, line.amount) == (text, amount)


def test_no_kind_of_part_is_without_words() -> None:
    facts = dict.fromkeys(("turn", "best_turn", "token", "turns", "addition", "result", "ruling", "gap", "loop"), 1)

    for kind in PartKind:
        assert words.part_line(part(kind, -1, None, squares=1, **facts), 3, NAMES).text


def test_a_part_names_its_rule_and_its_ruling() -> None:
    assert words.part_line(part(PartKind.PENALTY, -1, ruling=7), 3, NAMES) == PartLine("penalty, ruling 7", -1, "", 7)
    assert words.part_line(part(PartKind.BONUS, 1, "GI-D2-01", token=1), 3, NAMES).rule == "GI-D2-01"


def test_the_winner_is_not_also_told_that_he_came_in_the_winners_turn() -> None:
    stored = [part(PartKind.TURNS_BEHIND, 0, turn=15, best_turn=15), part(PartKind.STAGE_WIN, 2)]

    assert [(line.text, line.amount) for line in words.part_lines(stored, 3, NAMES)] == [("stage win in turn 15", 2)]


# ---- reasons for a rank ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("own", "below", "reason"),
    [
        (row(rank=1, score=1), None, Reason("Highest score: +1")),
        (row(rank=1, score=1), row(decided_by="score"), Reason("Highest score: +1")),
        (
            row(decided_by="score", decided_against=VENN, decided_values=[-3, 1], gap_to_next=4),
            None,
            Reason("4 squares behind Venn"),
        ),
        (
            row(decided_by="score", decided_against=VENN, decided_values=[0, 1], gap_to_next=1),
            None,
            Reason("1 square behind Venn"),
        ),
    ],
)
def test_a_rank_by_score_says_how_far(own: dict, below: dict | None, reason: Reason) -> None:
    assert words.rank_reason(own, below, NAMES) == reason


@pytest.mark.rule("GI-D1-06")
@pytest.mark.parametrize(
    ("criterion", "values", "stage", "lower", "upper"),
    [
        (Criterion.ENERGY, [4, 6], None, "less energy left, 4 to 6", "more energy left, 6 to 4"),
        (Criterion.LATEST_PLACING, [4, 2], 3, "placed lower in stage 3, 4 to 2", "placed better in stage 3, 2 to 4"),
        (Criterion.EARLIER_PLACING, [2, 1], 2, "placed lower in stage 2a, 2 to 1", "placed better in stage 2a, 1 to 2"),
    ],
)
def test_level_riders_both_say_what_separated_them(
    criterion: Criterion, values: list[int], stage: int | None, lower: str, upper: str
) -> None:
    decided = {"decided_by": criterion, "decided_values": values, "decided_stage": stage}
    second = row(rider=MARCHETTI, rank=3, decided_against=SARTI, **decided)
    first = row(rider=SARTI, rank=2, decided_by="score", decided_against=VENN, decided_values=[-3, 1], gap_to_next=4)

    assert words.rank_reason(second, None, NAMES) == Reason(f"Level with Sarti; {lower}", "GI-D1-06")
    assert words.rank_reason(first, second, NAMES) == Reason(f"Level with Marchetti; {upper}", "GI-D1-06")


@pytest.mark.rule("GI-D1-06")
def test_the_draft_decides_last_of_all() -> None:
    second = row(rider=SARTI, decided_by="draft", decided_against=VENN, decided_values=[5, 3])

    assert words.rank_reason(second, None, NAMES).text == "Level with Venn in all; picked later, as no. 5 after no. 3"
    first = row(rider=VENN, rank=1)
    assert (
        words.rank_reason(first, second, NAMES).text == "Level with Sarti in all; picked earlier, as no. 3 before no. 5"
    )


@pytest.mark.parametrize(
    ("why", "stored", "text", "rule"),
    [
        ("lapped", part(PartKind.LAPPED, 0, "GI-D1-04", gap=19, loop=18, best=0, score=-19),
         "19 behind on a track of 18: lapped", "GI-D1-04"),
        ("otl", part(PartKind.OUT_OTL, 0, "GI-D1-05", turn=21, peloton_turn=17, last_turn=20),
         "Turn 21; the peloton came in 17, the limit was 20", "GI-D1-05"),
        ("dnf", part(PartKind.OUT_DNF), "Did not finish in stage 3", ""),
        ("dns", part(PartKind.OUT_DNS), "Did not start in stage 3", ""),
        ("withdrawn", part(PartKind.OUT_WITHDRAWN), "Withdrawn in stage 3", ""),
        ("dsq", part(PartKind.OUT_DSQ), "Disqualified in stage 3", ""),
        ("dsq", part(PartKind.OUT_DSQ, ruling=2), "Disqualified in stage 3, ruling 2", ""),
    ],
)  # fmt: skip
def test_who_is_out_keeps_his_reason_with_the_figures_of_its_stage(
    why: str, stored: dict[str, object], text: str, rule: str
) -> None:
    facts = row(why_out=why, out_after=3)

    assert words.out_reason(facts, {1: [part(PartKind.STAGE_WIN, 2)], 3: [stored]}, NAMES) == Reason(text, rule)


def test_every_status_and_reason_has_its_word_and_nobody_is_a_loser() -> None:
    said = [words.status_words(status) for status in Status] + [words.out_words(reason) for reason in OutReason]

    assert all(said)
    assert not any(word in text for text in said for word in ("loser", "fail", "leader"))


def test_missing_results_are_counted_and_named() -> None:
    assert words.missing_words([]) == ""
    assert words.missing_words(["Kessel"]) == "One result is missing: Kessel."
    assert words.missing_words(["Kessel", "Venn"]) == "Two results are missing: Kessel and Venn."


# ---- teams -----------------------------------------------------------------------------------------------------------
def team(**facts: object) -> dict[str, object]:
    base = {"team": 1, "rank": 1, "state": "in", "total": 90, "finishers": 2, "count": 2, "unranked_since": None}
    return base | {"decided_by": None, "decided_against": None, "decided_values": None} | facts


def test_a_team_says_why_it_is_where_it_is() -> None:
    first = team()
    second = team(team=2, rank=2, total=93, decided_by="total", decided_against=1, decided_values=[93, 90])

    assert words.team_reason(first, second, False, NAMES).text == "Fewest turns: 90"
    assert words.team_reason(second, None, False, NAMES).text == "3 turns behind Green"


@pytest.mark.parametrize(
    ("criterion", "lower", "upper"),
    [
        (TeamCriterion.PLACINGS, "placings add up to 9 against 7", "placings add up to 7 against 9"),
        (TeamCriterion.BEST_PLACING, "best placing 9 against 7", "best placing 7 against 9"),
    ],
)
def test_level_teams_say_what_separated_them(criterion: TeamCriterion, lower: str, upper: str) -> None:
    second = team(team=2, rank=2, decided_by=criterion, decided_against=1, decided_values=[9, 7])

    assert words.team_reason(second, None, False, NAMES).text == f"Level with Green; {lower}"
    assert words.team_reason(team(), second, False, NAMES).text == f"Level with Blue; {upper}"


def test_a_short_team_an_unknown_total_and_a_shared_place_say_so() -> None:
    assert (
        words.team_reason(team(state="unranked", rank=None, unranked_since=3, count=3), None, False, NAMES).text
        == "Not ranked since stage 3: fewer than 3 came in"
    )
    assert "missing" in words.team_reason(team(state="unresolved", rank=None), None, False, NAMES).text
    assert "shared" in words.team_reason(team(), None, True, NAMES).text


# ---- headlines -------------------------------------------------------------------------------------------------------
TIE = {"decided_by": "energy", "decided_values": [4, 6], "decided_stage": None}


@pytest.mark.parametrize(
    ("pink", "front", "gc"),
    [
        (Pink(), "Nobody in pink", "Nobody in pink"),
        (
            Pink(wearer="Sarti", winners=("Sarti",), second="Quist", lead=2),
            "Sarti takes pink",
            "Sarti in pink, two clear",
        ),
        (
            Pink(wearer="Venn", before="Venn", winners=("Marchetti",), second="Sarti", lead=4),
            "Venn keeps pink by four",
            "Venn in pink, four clear",
        ),
        (
            Pink(wearer="Venn", before="Venn", winners=("Sarti",), second="Sarti", lead=1),
            "Sarti wins, Venn keeps pink",
            "Venn in pink, one clear",
        ),
        (
            Pink(wearer="Venn", before="Venn", second="Sarti", lead=0, tie=TIE),
            "Pink on equal score: Venn has more energy left",
            "Venn in pink on equal score",
        ),
        (Pink(wearer="Venn", before="Venn", winners=("Venn",)), "Venn in pink", "Venn in pink"),
        (
            Pink(wearer="Venn", before="Venn", second="Sarti", lead=13),
            "Venn keeps pink by 13",
            "Venn in pink, 13 clear",
        ),
        (
            Pink(wearer="Venn", before="Sarti", second="Sarti", lead=4, is_final=True),
            "Venn wins the Giro",
            "Venn wins the Giro, four clear",
        ),
        (
            Pink(wearer="Venn", before="Sarti", second="Sarti", lead=0, tie=TIE, is_final=True),
            "Venn wins the Giro",
            "Venn wins the Giro on equal score",
        ),
    ],
)
def test_the_headline_is_a_result(pink: Pink, front: str, gc: str) -> None:
    assert words.front_headline(pink, NAMES) == front
    assert words.gc_headline(pink) == gc


@pytest.mark.parametrize(
    ("decided", "text", "advantage"),
    [
        ({"decided_by": "energy"}, "Venn has more energy left", "more energy left"),
        ({"decided_by": "latest_placing", "decided_stage": 3}, "Venn placed better in stage 3", "better placed"),
        ({"decided_by": "earlier_placing", "decided_stage": 2}, "Venn placed better in stage 2a", "better placed"),
        ({"decided_by": "draft"}, "Venn was picked earlier", "picked earlier"),
    ],
)
def test_pink_on_equal_score_says_what_decided(decided: dict[str, object], text: str, advantage: str) -> None:
    assert words.tie_words("Venn", decided, NAMES) == text
    assert words.tie_advantage(decided) == advantage


def test_a_stage_is_headed_by_its_winner() -> None:
    head = words.stage_headline
    assert head("3", "Colli", ["Marchetti"], ridden=True, missing=False) == "Marchetti wins on Colli"
    assert head("2", "Crono", ["Venn", "Sarti"], ridden=True, missing=False) == "Venn and Sarti share Crono"
    assert head("4", "La Vetta", [], ridden=False, missing=False) == "Stage 4, La Vetta"
    assert head("4", "La Vetta", [], ridden=True, missing=True) == "Stage 4, La Vetta"
    assert head("4", "La Vetta", [], ridden=True, missing=False) == "Nobody came in on La Vetta"


def test_the_teams_are_headed_by_the_first() -> None:
    assert words.teams_headline([], None) == "No team is ranked"
    assert words.teams_headline(["Green"], 3) == "Green first by three turns"
    assert words.teams_headline(["Green"], 1) == "Green first by one turn"
    assert words.teams_headline(["Green"], None) == "Green first"
    assert words.teams_headline(["Green", "Blue"], 2) == "Green and Blue share first place"


# ---- the lines under the headline ------------------------------------------------------------------------------------
def test_the_story_of_the_third_stage_of_the_worked_example() -> None:
    facts = StoryFacts(
        number="3",
        name="Colli",
        winners=("Marchetti",),
        wearer="Venn",
        wearer_behind=0,
        wearer_bonuses=1,
        out=(("lapped", ("Lund",)), ("otl", ("Kessel",))),
        going_on=4,
    )

    assert words.story(facts) == (
        "Marchetti won stage 3, Colli. Venn crossed in the same turn and took the bonus. "
        "Lund was lapped. Kessel came in too late. Four riders go on."
    )


@pytest.mark.parametrize(
    ("facts", "told"),
    [
        ({"wearer": "Venn", "wearer_behind": 1}, "Venn came in one turn later."),
        ({"wearer": "Venn", "wearer_behind": 3}, "Venn came in three turns later."),
        ({"wearer": "Venn", "wearer_behind": 2, "is_time_trial": True}, "Venn lost two turns."),
        ({"wearer": "Venn", "wearer_behind": 0}, "Venn crossed in the same turn."),
        ({"out": (("dnf", ("Lund", "Kessel")),), "going_on": 1}, "Lund and Kessel did not finish. One rider goes on."),
        ({"out": (("dsq", ("Lund", "Kessel")),), "is_final": True}, "Lund and Kessel were disqualified."),
        ({"out": (("dns", ("Lund",)),), "going_on": 4}, "Lund did not start. Four riders go on."),
        ({"out": (("withdrawn", ("Lund",)),), "going_on": 4}, "Lund withdrew. Four riders go on."),
        ({"missing": ("Kessel",)}, "One result is missing: Kessel."),
    ],
)
def test_the_story_says_what_became_of_pink_and_of_those_who_are_out(facts: dict[str, object], told: str) -> None:
    story = words.story(StoryFacts(number="3", name="Colli", winners=("Marchetti",), **facts))  # type: ignore[arg-type]

    assert story == f"Marchetti won stage 3, Colli. {told}"


# ---- names -----------------------------------------------------------------------------------------------------------
def test_riders_are_called_by_their_last_names_unless_two_share_one() -> None:
    riders = [
        (1, 11, "Amedeo Sarti", "Sarti"),
        (2, 12, "Jan Jansen", "Jansen"),
        (3, 21, "Piet Jansen", "Jansen"),
        (4, 22, "Kim Lee", "Lee"),
        (5, 31, "Kim Lee", "Lee"),
    ]

    assert words.short_names(riders) == {
        1: "Sarti", 2: "Jan Jansen", 3: "Piet Jansen", 4: "Kim Lee (22)", 5: "Kim Lee (31)",
    }  # fmt: skip


def test_names_may_hold_anything_that_a_sentence_is_made_of() -> None:
    pink = Pink(wearer="100%(x)s {y} <b>", before="100%(x)s {y} <b>", second="Sarti", lead=4)

    assert words.front_headline(pink, NAMES) == "100%(x)s {y} <b> keeps pink by four"


def test_names_are_listed_with_an_and_before_the_last() -> None:
    assert words.listed([]) == ""
    assert words.listed(["A"]) == "A"
    assert words.listed(["A", "B", "C"]) == "A, B and C"
