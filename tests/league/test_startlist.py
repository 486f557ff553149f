"""The start list: who rides, with what bib, for whom; and when it is closed."""

from collections.abc import Sequence

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from league import startlist
from league.campaigns import Faulty
from league.errors import Late
from league.models import Campaign, DraftCell, Player, Result, Rider
from league.results import sheet_of
from league.startlist import Line, enter_riders, start_list
from tests import factories as make
from tests.conftest import Cast
from tests.evening import Evening

ZOE = "Zoe\u0308 van der Velde"


@pytest.fixture
def anna(client: Client, cast: Cast) -> Client:
    client.force_login(cast.anna)
    return client


@pytest.fixture
def empty(evening: Evening) -> Campaign:
    """A campaign of the same season without riders."""
    return make.CampaignFactory(season=evening.season, name="Giro d'Estate", slug="estate")


def line(player: Player, bib: int, speciality: str = "rouleur", name: str = "", **more: object) -> Line:
    return Line(bib=bib, name=name or f"Rider {bib}", speciality=speciality, player=player, **more)  # type: ignore[arg-type]


def as_lines(riders: Sequence[Rider]) -> list[Line]:
    return [
        Line(bib=r.bib, name=r.name, speciality=r.speciality, player=r.player, team=r.team, rider=r.pk) for r in riders
    ]


def as_typed(lines: Sequence[Line], **more: str) -> dict[str, str]:
    """A submission of the page."""
    post = {"rows": str(len(lines)), "save": "1"}
    for n, one in enumerate(lines):
        post |= {
            f"row{n}-rider": str(one.rider or ""),
            f"row{n}-bib": str(one.bib),
            f"row{n}-name": one.name,
            f"row{n}-speciality": one.speciality,
            f"row{n}-player": str(one.player.pk),
            f"row{n}-team": str(one.team.pk) if one.team else "",
        }
    return post | more


def faults_of(campaign: Campaign, lines: Sequence[Line], **more: object) -> list[tuple[int | None, str, bool]]:
    with pytest.raises(Faulty) as raised:
        enter_riders(campaign, lines, **more)  # type: ignore[arg-type]
    return [(fault.line, fault.field, fault.asks) for fault in raised.value.faults]


# ---- entering --------------------------------------------------------------------------------------------------------
def test_several_riders_are_entered_at_once_and_the_lines_stand_in_draft_order(
    anna: Client, evening: Evening, empty: Campaign
) -> None:
    a, b, c = (evening.players[letter] for letter in "ACD")
    lines = [line(c, 31, "climber"), line(a, 11), line(b, 21, "leader", ZOE)]

    answer = anna.post(empty.url("startlist"), as_typed(lines))

    assert answer.status_code == 302
    assert [(r.bib, r.name, r.player, r.draft_order) for r in start_list(empty)] == [
        (31, "Rider 31", c, 1), (11, "Rider 11", a, 2), (21, "Zo\u00eb van der Velde", b, 3),
    ]  # fmt: skip


def test_empty_lines_are_left_alone(anna: Client, evening: Evening, empty: Campaign) -> None:
    blank = {"row1-speciality": "climber", "row1-bib": "", "row1-name": "", "row1-player": "", "row1-team": ""}

    anna.post(empty.url("startlist"), as_typed([line(evening.players["A"], 11)], rows="2", **blank))

    assert [r.bib for r in start_list(empty)] == [11]


def test_bibs_are_swapped_and_the_draft_is_turned_round_in_one_go(evening: Evening) -> None:
    riders = start_list(evening.campaign)
    bibs = [r.bib for r in riders]
    turned = [
        Line(bib=bib, name=r.name, speciality=r.speciality, player=r.player, rider=r.pk)
        for r, bib in zip(reversed(riders), bibs, strict=True)
    ]

    enter_riders(evening.campaign, turned)

    assert [r.pk for r in start_list(evening.campaign)] == [r.pk for r in reversed(riders)]
    assert [r.bib for r in start_list(evening.campaign)] == bibs


def test_saving_without_a_change_changes_nothing(evening: Evening) -> None:
    riders = start_list(evening.campaign)
    before = Campaign.objects.get(pk=evening.campaign.pk).revision

    enter_riders(evening.campaign, as_lines(riders))

    assert Campaign.objects.get(pk=evening.campaign.pk).revision == before
    assert startlist.mark_of(start_list(evening.campaign)) == startlist.mark_of(riders)


def test_riders_who_are_not_mentioned_keep_their_line(evening: Evening) -> None:
    first, *others = start_list(evening.campaign)

    enter_riders(evening.campaign, [*as_lines([others[-1]]), *as_lines([first])])

    assert [r.pk for r in start_list(evening.campaign)] == [others[-1].pk, first.pk, *(r.pk for r in others[:-1])]


# ---- what is refused -------------------------------------------------------------------------------------------------
def test_a_bib_is_pinned_on_one_back_only(evening: Evening, empty: Campaign) -> None:
    a, c = evening.players["A"], evening.players["C"]

    assert faults_of(empty, [line(a, 11), line(c, 11)]) == [(1, "bib", False)]


@pytest.mark.rule("E12")
def test_the_thirteenth_rider_is_refused(evening: Evening, empty: Campaign) -> None:
    Campaign.objects.filter(pk=empty.pk).update(riders_per_player=3)
    specialities = ("rouleur", "leader", "climber")
    people = [make.PlayerFactory(club=evening.club) for _n in range(5)]
    lines = [line(p, 10 * n + m, specialities[m - 1]) for n, p in enumerate(people, 1) for m in (1, 2, 3)]

    assert faults_of(empty, lines[:13]) == [(None, "", False)]
    assert len(enter_riders(empty, lines[:12])) == 12


@pytest.mark.rule("E12")
def test_a_player_has_as_many_riders_as_the_campaign_says(evening: Evening, empty: Campaign) -> None:
    a = evening.players["A"]

    assert faults_of(empty, [line(a, 11), line(a, 12, "leader")]) == [(1, "player", False)]
    Campaign.objects.filter(pk=empty.pk).update(riders_per_player=2)
    assert len(enter_riders(empty, [line(a, 11), line(a, 12, "leader")])) == 2


def test_two_of_a_kind_in_one_jersey_are_asked_about_once(anna: Client, evening: Evening, empty: Campaign) -> None:
    lines = [line(evening.players["A"], 11), line(evening.players["B"], 12)]  # both in white

    asked = anna.post(empty.url("startlist"), as_typed(lines))

    assert asked.status_code == 422
    assert "one rouleur, one leader and one climber" in asked.context["form"].rows[1].asks[0]
    assert not empty.riders.exists()

    assert anna.post(empty.url("startlist"), as_typed(lines, sure="on")).status_code == 302
    again = as_lines(start_list(empty))
    assert anna.post(empty.url("startlist"), as_typed(again)).status_code == 302  # it stands so: nobody asks again


def test_a_tick_does_not_excuse_what_is_impossible(evening: Evening, empty: Campaign) -> None:
    lines = [line(evening.players["A"], 11), line(evening.players["B"], 11)]

    assert faults_of(empty, lines, sure=True) == [(1, "bib", False), (1, "speciality", True)]


@pytest.mark.parametrize(
    ("field", "typed"),
    [
        ("bib", "0"), ("bib", "1000"), ("bib", "eleven"), ("bib", ""), ("bib", "-3"), ("bib", "9" * 6000), ("name", ""),
        ("name", "\u200b"), ("name", "x" * 81), ("name", "a\x00b"), ("speciality", ""), ("speciality", "sprinter"),
        ("player", ""), ("player", "999999"), ("player", "x"), ("team", "999999"),
    ],
)  # fmt: skip
def test_a_cell_that_cannot_be_is_marked_and_every_other_cell_is_as_it_was_typed(
    anna: Client, evening: Evening, empty: Campaign, field: str, typed: str
) -> None:
    post = as_typed([line(evening.players["A"], 11, name="Amedeo"), line(evening.players["C"], 21, name="Chiara")])

    answer = anna.post(empty.url("startlist"), post | {f"row0-{field}": typed})

    assert answer.status_code == 422
    rows = answer.context["form"].rows
    assert list(rows[0].errors) == [field]
    assert (rows[1]["name"].value(), rows[1]["bib"].value()) == ("Chiara", "21")
    assert rows[0][field].value() == typed
    assert not empty.riders.exists()


def test_a_player_or_a_team_of_another_club_is_not_in_the_list(
    anna: Client, evening: Evening, empty: Campaign, cast: Cast
) -> None:
    dino = make.PlayerFactory(club=cast.other_club, name="Dino")
    foreign = make.TeamFactory(season=make.SeasonFactory(club=cast.other_club))

    answer = anna.post(empty.url("startlist"), as_typed([line(dino, 11), line(evening.players["A"], 12, team=foreign)]))

    rows = answer.context["form"].rows
    assert (answer.status_code, list(rows[0].errors), list(rows[1].errors)) == (422, ["player"], ["team"])
    assert faults_of(empty, [line(dino, 11), line(evening.players["A"], 12, team=foreign)]) == [
        (0, "player", False), (1, "team", False),
    ]  # fmt: skip


def test_a_rider_of_another_campaign_is_not_moved_into_this_one(evening: Evening, empty: Campaign) -> None:
    sarti = evening.riders["A"]

    assert faults_of(empty, [line(evening.players["A"], 11, rider=sarti.pk)]) == [(0, "rider", False)]
    assert Rider.objects.get(pk=sarti.pk).campaign == evening.campaign


@pytest.mark.parametrize("rows", ["", "x", "-1", "1000000000000", "9" * 5000])
def test_nonsense_in_the_number_of_lines_is_no_error_of_the_site(
    anna: Client, evening: Evening, empty: Campaign, rows: str
) -> None:
    post = as_typed([line(evening.players["A"], 11)]) | {"rows": rows}

    assert anna.post(empty.url("startlist"), post).status_code in (302, 422)


def test_a_name_that_looks_like_markup_is_shown_as_typed(anna: Client, evening: Evening, empty: Campaign) -> None:
    name = '</script><b>x" onload="'
    anna.post(empty.url("startlist"), as_typed([line(evening.players["A"], 11, name=name)]))

    page = anna.get(empty.url("startlist")).content.decode()

    assert empty.riders.get().name == name
    assert "<b>x" not in page
    assert "&lt;/script&gt;&lt;b&gt;x&quot;" in page


# ---- leaving ---------------------------------------------------------------------------------------------------------
def test_a_rider_without_a_result_leaves_and_what_was_typed_about_him_goes_with_him(
    anna: Client, evening: Evening
) -> None:
    lund, venn = evening.riders["F"], evening.riders["C"]
    evening.type("1", {f"turn-{lund.pk}": "12", f"turn-{venn.pk}": "13", "bonus-1": str(lund.pk), "peloton": "14"})
    lines = as_lines(start_list(evening.campaign))
    at = next(n for n, one in enumerate(lines) if one.rider == lund.pk)

    answer = anna.post(evening.campaign.url("startlist"), as_typed(lines, **{f"row{at}-remove": "on"}))

    assert answer.status_code == 302
    assert not Rider.objects.filter(pk=lund.pk).exists()
    assert [r.draft_order for r in start_list(evening.campaign)] == [1, 2, 3, 4, 5]
    cells = DraftCell.objects.filter(sheet=sheet_of(evening.stages["1"])).values_list("key", flat=True)
    assert sorted(cells) == ["peloton", f"turn-{venn.pk}"]


def test_a_rider_with_a_result_stays(anna: Client, evening: Evening) -> None:
    evening.ride("1")
    lines = as_lines(start_list(evening.campaign))

    answer = anna.post(evening.campaign.url("startlist"), as_typed(lines, **{"row0-remove": "on"}))

    assert answer.status_code == 422
    assert "stays on the start list" in answer.content.decode()
    assert evening.campaign.riders.count() == 6


# ---- the closed list -------------------------------------------------------------------------------------------------
def test_nobody_enters_after_the_first_published_stage(anna: Client, evening: Evening) -> None:
    evening.ride("1")
    late = make.PlayerFactory(club=evening.club)
    lines = [*as_lines(start_list(evening.campaign)), line(late, 41)]

    answer = anna.post(evening.campaign.url("startlist"), as_typed(lines, sure="on"))

    assert answer.status_code == 422
    assert "closed with the first published stage" in answer.context["form"].rows[6].errors["name"][0]
    assert evening.campaign.riders.count() == 6


def test_a_closed_list_keeps_players_and_draft_order(evening: Evening) -> None:
    evening.ride("1")
    riders = start_list(evening.campaign)
    other = make.PlayerFactory(club=evening.club)
    first = as_lines(riders)[0]

    assert faults_of(evening.campaign, [line(other, first.bib, first.speciality, rider=first.rider)]) == [
        (0, "player", False)
    ]
    enter_riders(evening.campaign, list(reversed(as_lines(riders))))
    assert [r.pk for r in start_list(evening.campaign)] == [r.pk for r in riders]


def test_bib_name_speciality_and_jersey_are_mended_and_what_was_ridden_keeps_its_team(evening: Evening) -> None:
    evening.ride("1")
    sarti, green = evening.riders["A"], evening.teams["green"]
    mended = line(evening.players["A"], 19, "leader", "Amedeo Sarti-Rossi", rider=sarti.pk, team=green)

    enter_riders(evening.campaign, [mended], sure=True)

    sarti.refresh_from_db()
    assert (sarti.bib, sarti.name, sarti.speciality, sarti.team) == (19, "Amedeo Sarti-Rossi", "leader", green)
    assert Result.objects.get(rider=sarti).team == evening.teams["white"]


# ---- two organisers --------------------------------------------------------------------------------------------------
def test_who_saves_an_old_page_is_told_keeps_his_typing_and_may_save_again(anna: Client, evening: Evening) -> None:
    page = evening.campaign.url("startlist")
    mark = anna.get(page).context["mark"]
    riders = start_list(evening.campaign)
    enter_riders(evening.campaign, [line(riders[0].player, 99, "rouleur", "Renamed Meanwhile", rider=riders[0].pk)])
    mine = as_typed(as_lines(riders), mark=mark) | {"row0-name": "Mine"}

    late = anna.post(page, mine)

    assert late.status_code == 422
    assert "Somebody else has changed the start list" in late.context["late"]
    assert late.context["form"].rows[0]["name"].value() == "Mine"
    assert "Renamed Meanwhile" in late.content.decode()
    assert anna.post(page, mine | {"mark": late.context["mark"]}).status_code == 302
    assert start_list(evening.campaign)[0].name == "Mine"


def test_a_line_of_a_rider_who_has_been_taken_off_meanwhile_says_so(evening: Evening) -> None:
    riders = start_list(evening.campaign)
    lines = as_lines(riders)
    enter_riders(evening.campaign, [], remove=[riders[0].pk])

    assert faults_of(evening.campaign, lines) == [(0, "rider", False)]
    with pytest.raises(Late):
        enter_riders(evening.campaign, lines, seen=startlist.mark_of(riders))


# ---- the small buttons -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("button", "at", "order"),
    [("up", "1", [1, 0, 2]), ("down", "1", [0, 2, 1]), ("up", "0", [0, 1, 2]), ("down", "2", [0, 1, 2]), ("up", "x", [0, 1, 2]),
     ("down", "99999999999999999999", [0, 1, 2])],
)  # fmt: skip
def test_up_and_down_move_a_line_as_typed_and_store_nothing(
    anna: Client, evening: Evening, empty: Campaign, button: str, at: str, order: list[int]
) -> None:
    lines = [line(evening.players[letter], bib) for letter, bib in (("A", 11), ("C", 21), ("D", 31))]
    post = as_typed(lines) | {"row2-bib": "not a bib", button: at}
    del post["save"]

    answer = anna.post(empty.url("startlist"), post)

    assert answer.status_code == 200
    typed = ["11", "21", "not a bib"]
    assert [row["bib"].value() for row in answer.context["form"].rows] == [typed[n] for n in order]
    assert "Not stored yet" in answer.content.decode()
    assert not empty.riders.exists()


def test_lines_are_proposed_by_jersey_for_the_players_chosen(anna: Client, evening: Evening, empty: Campaign) -> None:
    alone = make.PlayerFactory(club=evening.club, name="Sunniva Rao")
    chosen = [evening.players[letter] for letter in "ABCD"] + [alone]
    post = {"rows": "0", "propose": "1", "chosen": [str(p.pk) for p in chosen]}

    answer = anna.post(empty.url("startlist"), post)

    rows = [[row[name].value() for name in ("bib", "name", "speciality")] for row in answer.context["form"].rows]
    assert rows == [
        ["11", "Player A", "rouleur"], ["12", "Player B", "leader"], ["21", "Player C", "rouleur"],
        ["31", "Player D", "rouleur"], ["41", "Sunniva Rao", "rouleur"],
    ]  # fmt: skip
    assert not empty.riders.exists()


def test_a_proposal_stands_after_what_is_typed_already_and_can_be_saved_as_it_is(
    anna: Client, evening: Evening, empty: Campaign
) -> None:
    Campaign.objects.filter(pk=empty.pk).update(riders_per_player=2)
    typed = as_typed([line(evening.players["A"], 11, "leader")])
    del typed["save"]

    answer = anna.post(empty.url("startlist"), typed | {"propose": "1", "chosen": str(evening.players["A"].pk)})

    rows = [
        {name: str(row[name].value() or "") for name in ("rider", "bib", "name", "speciality", "player", "team")}
        for row in answer.context["form"].rows
    ]
    assert [(row["bib"], row["speciality"]) for row in rows] == [("11", "leader"), ("12", "rouleur")]
    rows[1]["name"] = "His Second Rider"
    post = {f"row{n}-{name}": value for n, row in enumerate(rows) for name, value in row.items()}
    assert anna.post(empty.url("startlist"), post | {"rows": "2", "save": "1"}).status_code == 302
    assert [r.bib for r in start_list(empty)] == [11, 12]


def test_more_lines_keep_what_is_typed(anna: Client, evening: Evening, empty: Campaign) -> None:
    post = as_typed([line(evening.players["A"], 11, name="Half typed")]) | {"row0-player": "", "more": "1"}
    del post["save"]

    rows = anna.post(empty.url("startlist"), post).context["form"].rows

    assert (rows[0]["name"].value(), len(rows)) == ("Half typed", 4)


def test_the_page_costs_the_same_for_two_riders_and_for_twelve(anna: Client, evening: Evening, empty: Campaign) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as seen:
            assert anna.get(empty.url("startlist")).status_code == 200
        return len(seen)

    enter_riders(empty, [line(evening.players["A"], 11), line(evening.players["C"], 21)])
    few = queries()
    for bib in range(41, 51):
        make.RiderFactory(campaign=empty, bib=bib, player=make.PlayerFactory(club=evening.club))
    for _n in range(20):
        make.PlayerFactory(club=evening.club)

    assert queries() == few


def test_namesakes_are_told_apart_wherever_a_player_is_chosen(anna: Client, evening: Evening, empty: Campaign) -> None:
    """Two called Jan Jansen, one of them in White: neither the select nor the list of idle players shows a bare name twice."""
    one, other = (make.PlayerFactory(club=evening.club, name="Jan Jansen") for _n in range(2))
    make.TeamSpellFactory(team=evening.teams["white"], player=one)

    page = anna.get(empty.url("startlist")).content.decode()

    for player in (one, other):
        assert f'value="{player.pk}">Jan Jansen</option>' not in page
        assert f'value="{player.pk}"> Jan Jansen</label>' not in page
        assert f'value="{player.pk}">Jan Jansen (' in page
