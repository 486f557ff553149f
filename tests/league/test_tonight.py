"""The sheet that lies on the table: who starts, with what energy, and room to write. One A4 page."""

import re
from datetime import UTC, datetime

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from league import results
from league.models import Campaign, Stage
from league.startlist import Line, enter_riders
from league.tonight import table_for
from tests import factories as make
from tests.conftest import Cast
from tests.evening import Evening


def stage(evening: Evening, number: str) -> Stage:
    found = Stage.objects.get(pk=evening.stages[number].pk)
    found.campaign = evening.campaign
    return found


def html(client: Client, evening: Evening, number: str) -> str:
    answer = client.get(evening.campaign.url("tonight", number))
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.mark.rule("GI-D4-01", "GI-D4-02")
def test_riders_start_with_the_energy_of_the_course_and_what_they_saved(evening: Evening) -> None:
    evening.ride("1", "2", "3")

    rows = table_for(stage(evening, "4")).rows

    assert [(r.rider.bib, r.carry, r.start) for r in rows] == [(21, 0, 37), (11, 6, 43), (32, 4, 41), (31, 8, 45)]


def test_riders_stand_in_the_order_of_the_general_classification_and_those_who_are_out_do_not(evening: Evening) -> None:
    evening.ride("1", "2", "3")

    rows = table_for(stage(evening, "4")).rows

    assert [(r.rider.name, r.in_pink, r.gap) for r in rows] == [
        ("Chiara Venn", True, 0), ("Amedeo Sarti", False, 4), ("Elin Marchetti", False, 4), ("Dario Quist", False, 9),
    ]  # fmt: skip


@pytest.mark.rule("GI-D3-02")
def test_the_energy_of_a_time_trial_is_half_as_much_again(evening: Evening) -> None:
    evening.ride("1")

    table = table_for(stage(evening, "2"))

    assert table.energy == 39  # 26 milestones
    assert {r.rider.bib: r.start for r in table.rows} == {11: 42, 12: 54, 21: 48, 22: 39, 31: 50, 32: 54}


def test_before_the_first_stage_riders_stand_by_bib_and_nobody_wears_pink(client: Client, evening: Evening) -> None:
    table = table_for(stage(evening, "1"))

    assert [r.rider.bib for r in table.rows] == [11, 12, 21, 22, 31, 32]
    assert {r.start for r in table.rows} == {32}
    page = html(client, evening, "1").split("</main>")[0].split("<main")[1]
    assert "jersey-pink" not in page
    assert "GC before the stage" not in page


def test_the_wearer_of_pink_has_the_pink_jersey_before_his_own(client: Client, evening: Evening) -> None:
    evening.ride("1", "2", "3")

    page = html(client, evening, "4").split("<main")[1]

    assert page.count("#jersey-pink") == 1
    assert re.search(r"#jersey-pink.*?#jersey-blue-sash.*?Chiara Venn", page, re.DOTALL)
    assert "Venn +1 · Sarti −3 · Marchetti −3 · Quist −8" in page


def test_energy_is_left_open_while_an_earlier_stage_has_no_published_result(client: Client, evening: Evening) -> None:
    evening.ride("1")

    table = table_for(stage(evening, "4"))

    assert [s.number for s in table.waiting] == ["2", "3"]
    assert {r.start for r in table.rows} == {None}
    page = html(client, evening, "4")
    assert "Not published yet: stage 2, 3." in page
    assert "37 + …" in page


@pytest.mark.rule("GI-D3-15", "GI-D3-16")
def test_a_team_time_trial_is_grouped_by_jersey_in_the_order_of_leaving(client: Client, evening: Evening) -> None:
    alone = make.PlayerFactory(club=evening.club)
    make.RiderFactory(campaign=evening.campaign, bib=41, player=alone, speciality="climber")

    runs = table_for(stage(evening, "5")).runs

    assert [(run.team.name if run.team else None, [r.rider.bib for r in run.rows]) for run in runs] == [
        ("White", [11, 12]), ("Blue", [22, 21]), ("Green", [31, 32]), (None, [41]),
    ]  # fmt: skip
    page = html(client, evening, "5")
    assert "Rides alone" in page
    assert page.count("Clock place") == 4


def test_the_sheet_has_what_each_kind_of_stage_needs(client: Client, evening: Evening) -> None:
    evening.ride("1", "2")
    road, alone, team = (html(client, evening, number) for number in ("3", "2", "5"))

    assert "Bonus sprint at 30, first rider" in road
    assert "Bonus sprint at 50, first rider" in road
    assert "Turn in which the peloton arrives" in road
    assert "Clock place" in alone
    for trial in (alone, team):
        assert "Bonus sprint" not in trial
        assert "peloton arrives" not in trial
        assert "Crack tiles drawn" in trial
    assert '<span class="box">5</span><span class="box">8</span><span class="box">11</span>' in road
    assert "3 · 2 · 1" in road  # free squares on the plain
    assert "3 · 3 · 2" in alone  # and against the clock


def test_every_turn_to_the_last_that_can_count_is_there_to_strike_out(evening: Evening) -> None:
    assert table_for(stage(evening, "4")).turns == range(1, 21)  # 51 squares at 3 a turn, and 3 turns after the peloton


def test_the_club_sees_its_own_rules_on_the_sheet(client: Client, evening: Evening) -> None:
    Campaign.objects.update(stage_win=4, bonus=2, time_limit=5, gc_loop=24, cap_road=9)

    page = html(client, evening, "1")

    assert "Winner +4, bonus +2" in page
    assert "More than 5 turns after the peloton" in page
    assert "24 squares behind the first" in page
    assert "9 at most" in page


def test_a_code_leads_to_the_page_where_the_result_is_typed_in(client: Client, evening: Evening) -> None:
    import segno

    page = html(client, evening, "4")
    address = "http://testserver" + evening.campaign.url("sheet", "4")

    assert address in page
    drawn = segno.make(address, error="m", micro=False).svg_inline(
        omitsize=True, light="#fff", svgclass="qr-s", border=2
    )
    assert drawn in page


def test_the_sheet_holds_no_style_and_no_script_of_its_own(client: Client, evening: Evening) -> None:
    evening.ride("1")
    for number in ("1", "2", "5"):
        page = html(client, evening, number)
        assert " style=" not in page
        assert not re.search(r"<script(?![^>]* src=)", page)
        assert not re.search(r" on[a-z]+=", page)


def test_a_stage_known_only_by_its_numbers_has_its_sheet(client: Client, evening: Evening) -> None:
    Stage.objects.filter(number="1").update(course="", milestones=37, columns=50, bonus_columns=[20, 35], feed_lines=1)

    page = html(client, evening, "1")

    assert "Bonus sprint at 35, first rider" in page
    assert "37 + 0" in page


def test_nobody_at_the_start_is_said_and_the_organiser_is_shown_the_way(
    client: Client, evening: Evening, cast: Cast
) -> None:
    evening.campaign.riders.all().delete()

    assert "Nobody is at the start" in html(client, evening, "1")
    client.force_login(cast.anna)
    assert evening.campaign.url("startlist") in html(client, evening, "1")


def test_a_rider_without_a_result_starts_with_energy_left_open(evening: Evening) -> None:
    cells = evening.cells("1")
    lund = evening.riders["F"].pk
    evening.type("1", {key: value for key, value in cells.items() if not key.endswith(f"-{lund}")})
    asked = {f.sure: "on" for f in results.entry_of(evening.stages["1"]).findings if f.sure}
    results.type_cells(evening.stages["1"], evening.organiser, asked, {})
    results.publish(evening.stages["1"], evening.organiser)

    rows = {r.rider.pk: r for r in table_for(stage(evening, "2")).rows}

    assert (rows[lund].carry, rows[lund].start, rows[lund].gap) == (None, None, None)


def test_a_hostile_name_is_shown_as_typed(client: Client, evening: Evening) -> None:
    evening.campaign.riders.filter(bib=11).update(name='</script><b>x "y')
    Stage.objects.filter(number="1").update(name="<i>Pianura</i>", place="<u>here</u>")

    page = html(client, evening, "1")

    assert "<b>x" not in page
    assert "<i>Pianura" not in page
    assert "<u>here" not in page
    assert "&lt;/script&gt;&lt;b&gt;x" in page


def test_the_sheet_costs_the_same_for_two_riders_and_for_twelve(client: Client, evening: Evening) -> None:
    season = evening.season
    campaign = make.CampaignFactory(season=season, slug="gran")
    make.StageFactory(campaign=campaign, order=1, starts_at=datetime(2026, 5, 1, 18, tzinfo=UTC))

    def queries() -> int:
        with CaptureQueriesContext(connection) as seen:
            assert client.get(campaign.url("tonight", "1")).status_code == 200
        return len(seen)

    players = [make.PlayerFactory(club=evening.club) for _n in range(12)]
    lines = [
        Line(bib=11 + n, name=f"Rider {n}", speciality="rouleur", player=player, team=evening.teams["white"])
        for n, player in enumerate(players)
    ]
    enter_riders(campaign, lines[:2], sure=True)
    few = queries()
    enter_riders(campaign, lines[2:], sure=True)

    assert queries() == few
