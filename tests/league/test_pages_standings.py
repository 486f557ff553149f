"""Campaign, general classification, teams and stages as everybody sees them."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from league import recount
from league.models import Campaign, Club, Standing
from tests import factories as make
from tests.conftest import Cast
from tests.evening import Evening
from tests.league import giri
from tests.league.printed import Printed, printed

pytestmark = pytest.mark.django_db

PINK = {"cloth", "pinkword", "lead"}


def look(client: Client, campaign: Campaign, page: str = "campaign", *args: str, **query: str) -> Printed:
    answer = client.get(campaign.url(page, *args), query)
    assert answer.status_code == 200
    return printed(answer.content)


def headline(page: Printed) -> str:
    return re.sub(r"\s+", " ", page.text[page.text.index("Skip to content") :])


def wears_pink(page: Printed) -> bool:
    jerseys = any("jersey-pink" in (e.attrs.get("href") or "") for e in page.elements if e.tag == "use")
    return jerseys or bool(PINK & page.classes) or "c-pink" in page.classes


def public_addresses(campaign: Campaign) -> list[str]:
    url = campaign.url
    return [
        url("campaign"),
        url("gc"),
        url("gc") + "?after=1",
        url("gc_embed"),
        url("teams"),
        url("teams_embed"),
        url("stage", "1"),
        url("stage", "2"),
        url("stage", "4"),
        url("gc_export", "csv"),
        url("gc_export", "json"),
        url("history", "csv"),
        url("history", "json"),
        url("teams_export", "csv"),
        url("teams_export", "json"),
        url("stage_export", "1", "csv"),
        url("stage_export", "1", "json"),
    ]


# ---- the front page --------------------------------------------------------------------------------------------------
def test_before_the_first_stage_nobody_wears_pink_and_no_pink_is_on_the_page(client: Client, evening: Evening) -> None:
    page = look(client, evening.campaign)

    assert "Nobody in pink yet" in page.text
    assert "It starts with stage 1, Pianura: Thu 5 February, 19:30." in page.text
    assert "Amedeo Sarti" in page.text
    assert not wears_pink(page)
    assert not wears_pink(look(client, evening.campaign, "gc"))
    assert not wears_pink(look(client, evening.campaign, "teams"))
    assert not wears_pink(look(client, evening.campaign, "stage", "1"))


def test_a_giro_without_stages_says_so_and_shows_the_organiser_the_way(client: Client, cast: Cast) -> None:
    campaign = make.CampaignFactory(season=make.SeasonFactory(club=cast.club, slug="2027"))

    assert "No stage yet" in look(client, campaign).text
    assert "Draw the first stage" not in look(client, campaign).text
    client.force_login(cast.anna)
    assert "Draw the first stage" in look(client, campaign).text


def test_the_first_wearer_takes_pink(client: Client, evening: Evening) -> None:
    evening.ride("1")

    page = look(client, evening.campaign)

    assert "Sarti takes pink" in page.text
    assert wears_pink(page)


def test_pink_changes_hands(client: Client, evening: Evening) -> None:
    evening.ride("1", "2")

    assert "Venn takes pink" in look(client, evening.campaign).text


def test_the_front_page_of_the_worked_example(client: Client, evening: Evening) -> None:
    evening.ride("1", "2", "3")

    page = look(client, evening.campaign)
    text = re.sub(r"\s+", " ", page.text)

    assert "Venn keeps pink by four" in text
    assert (
        "Marchetti won stage 3, Colli. Venn crossed in the same turn and took the bonus. "
        "Lund was lapped. Kessel came in too late. Four riders go on." in text
    )
    assert "In pink sinceStage 2" in text
    assert "Evenings in pink2" in text
    assert "Ahead of Sarti4 squares" in text
    assert "Next: stage 4, La Vetta" in text
    assert "Pink · since stage 2" in text
    assert "Last winner · stage 3" in text
    assert "Team lead · since stage 3" in text
    assert "No 3 · Stage 3 is official" in text
    assert "150 of 230 squares ridden." in text
    assert "after stage 3 of 5" in text
    assert "dossard" in page.classes


def test_the_winner_of_the_giro_after_the_last_stage(client: Client, evening: Evening) -> None:
    giri.to_the_end(evening)

    front, gc = look(client, evening.campaign).text, look(client, evening.campaign, "gc").text

    assert "Venn wins the Giro" in front
    assert "Blue won stage 5, Laguna." in front
    assert "The Giro is over" in front
    assert "Next:" not in front
    assert "Level with Sarti" in front
    assert "Venn wins the Giro on equal score" in gc


def test_a_stage_that_leaves_nobody_ends_the_giro_with_the_standing_before_it(client: Client, evening: Evening) -> None:
    evening.ride("1")
    cells = {f"status-{rider.pk}": "dnf" for rider in evening.riders.values()}
    cells |= {f"energy-{rider.pk}": "0" for rider in evening.riders.values()}
    giri.publish(evening, "2", cells)

    front = look(client, evening.campaign).text

    assert "Sarti wins the Giro" in front
    assert "Next:" not in front
    assert "it is not ridden any more" in look(client, evening.campaign, "stage", "3").text


def test_pink_on_equal_score_is_headed_by_the_reason(client: Client, evening: Evening) -> None:
    evening.ride("1", "2")
    giri.rule(evening, "2", giri.RulingKind.PENALTY, "C", 2)

    assert "Pink on equal score: Sarti has more energy left" in look(client, evening.campaign).text
    assert "Sarti in pink on equal score" in look(client, evening.campaign, "gc").text


def test_two_riders_of_one_last_name_are_called_in_full(client: Client, evening: Evening) -> None:
    evening.riders["A"].name = "Elisabetta Venn"
    evening.riders["A"].save()
    evening.ride("1")

    assert "Elisabetta Venn takes pink" in look(client, evening.campaign).text


def test_a_hostile_name_is_shown_as_typed_in_the_headline_and_everywhere(client: Client, evening: Evening) -> None:
    evening.riders["A"].name = "A </script><b>x"
    evening.riders["A"].save()
    evening.campaign.name = "<i>Giro</i> 100%"
    evening.campaign.save()
    evening.ride("1")

    for address in public_addresses(evening.campaign)[:7]:
        html = client.get(address).content.decode()
        assert "</script><b>" not in html
        assert "<i>Giro" not in html
    assert "</script><b>x takes pink" in look(client, evening.campaign).text


def test_buttons_are_for_those_who_may_press_them(client: Client, evening: Evening, cast: Cast) -> None:
    evening.ride("1")
    sheet = evening.campaign.url("sheet", "2")

    def links(page: Printed) -> list[str]:
        return [element.attrs.get("href") or "" for element in page.elements if element.tag == "a"]

    assert sheet not in links(look(client, evening.campaign))
    client.force_login(cast.carla)
    assert sheet not in links(look(client, evening.campaign))
    assert sheet not in links(look(client, evening.campaign, "stage", "2"))
    client.force_login(cast.bruno)
    assert sheet in links(look(client, evening.campaign))
    assert sheet in links(look(client, evening.campaign, "stage", "2"))
    assert evening.campaign.url("sheet", "1") + "?correct=1" in links(look(client, evening.campaign, "stage", "1"))


def test_the_list_of_communiques_tells_what_was_published_and_ruled(client: Client, evening: Evening) -> None:
    giri.with_rulings(evening)

    text = look(client, evening.campaign).text

    assert "Ruling 1, stage 2: Penalty of 1 square for Venn" in text
    assert "Stage 3 is official, and was revised" in text
    assert "Stage 1 is official" in text


# ---- the general classification --------------------------------------------------------------------------------------
def test_the_general_classification_can_be_looked_at_after_every_stage(client: Client, evening: Evening) -> None:
    evening.ride("1", "2", "3")

    heads = [look(client, evening.campaign, "gc", after=number).text for number in "123"]

    assert "Sarti in pink, two clear" in heads[0]
    assert "Venn in pink, two clear" in heads[1]
    assert "Venn in pink, four clear" in heads[2]
    assert headline(look(client, evening.campaign, "gc")) == headline(look(client, evening.campaign, "gc", after="3"))


@pytest.mark.parametrize("page", ["gc", "teams", "gc_embed", "teams_embed"])
@pytest.mark.parametrize("after", ["4", "9", "", "1a", "-1", "\x00", "🚴", "x" * 2000])
def test_a_stage_that_nobody_rode_has_no_standing(client: Client, evening: Evening, page: str, after: str) -> None:
    evening.ride("1")

    assert client.get(evening.campaign.url(page), {"after": after}).status_code == 404


def test_who_is_in_pink_is_marked_and_nobody_else(client: Client, evening: Evening) -> None:
    evening.ride("1", "2", "3")

    page = look(client, evening.campaign, "gc")
    leads = [element for element in page.elements if element.tag == "tbody" and "lead" in element.classes]

    assert len(leads) == 1
    assert page.tables["gc"][0]["rider"].value == "Chiara Venn"
    assert page.tables["gc"][0]["gap"].text == "pink"


def test_who_is_out_keeps_his_line_and_his_reason(client: Client, evening: Evening) -> None:
    evening.ride("1", "2", "3")

    page = look(client, evening.campaign, "gc")
    lund, kessel = page.tables["gc"][-2:]

    assert (lund["state"].value, lund["out"].text, lund["score"].text) == ("out", "lapped", "−17")
    assert (kessel["state"].value, kessel["out"].text) == ("out", "too late")
    assert "place" not in lund
    assert "score" not in kessel
    assert "18 behind on a track of 18: lapped" in page.text
    assert "Turn 21; the peloton came in 17, the limit was 20" in page.text


def test_a_missing_result_is_said_and_stands_below_the_ranked(client: Client, evening: Evening) -> None:
    giri.with_a_missing_result(evening)

    page = look(client, evening.campaign, "gc")
    kessel = page.tables["gc"][-1]

    assert "One result is missing: Kessel." in page.text
    assert kessel["rider"].value == "Bram Kessel"
    assert kessel["state"].text == "no result yet"
    assert not {"place", "score", "gap"} & set(kessel)
    assert "No result of stage 2 yet" in page.text
    for other in ("campaign", "teams", "gc_embed"):
        assert "One result is missing: Kessel." in look(client, evening.campaign, other).text
    assert "One result is missing: Kessel." in look(client, evening.campaign, "stage", "2").text


def test_track_and_chart_are_drawn_with_a_table_beside_them(client: Client, evening: Evening) -> None:
    evening.ride("1", "2", "3")

    page = look(client, evening.campaign, "gc")
    drawings = [e for e in page.elements if e.tag == "svg" and "chart" in e.classes]

    assert len(drawings) == 3  # the track, the gaps for wide pages and for phones
    assert all(e.attrs["role"] == "img" and e.attrs["aria-label"] for e in drawings)
    assert [line["bib"].value for line in page.tables["gaps"]] == ["21", "11", "32", "31", "22", "12"]
    assert page.tables["gaps"][0]["stage_3"].text == "pink"
    assert page.tables["gaps"][1]["stage_1"].text == "pink"


def test_a_field_larger_than_the_box_has_tables_and_no_drawings(client: Client, cast: Cast) -> None:
    campaign = giri.race(cast.club, riders=12, stages=1, slug="large")
    last = Standing.objects.filter(campaign=campaign, classification=Standing.GC).last()
    assert last is not None
    last.pk, last.position, last.rank = None, 12, 13
    last.rider = make.RiderFactory(campaign=campaign, bib=13, player__club=cast.club)
    last.save()

    page = look(client, campaign, "gc")

    assert len(page.tables["gc"]) == 13
    assert not [e for e in page.elements if e.tag == "svg" and "chart" in e.classes]


def test_what_a_standing_is_worth_stands_beside_it(client: Client, evening: Evening) -> None:
    def stamps(*page: str) -> list[str | None]:
        found = look(client, evening.campaign, *page)
        return [e.attrs.get("data-s") for e in found.elements if "stamp" in e.classes]

    evening.ride("1", official=False)
    assert stamps("gc") == ["provisional"]
    giri.results.publish(evening.stages["1"], evening.organiser, official=True)
    recount.count(evening.campaign.pk)
    assert stamps("gc") == ["official"]
    evening.ride("2")
    giri.rule(evening, "1", giri.RulingKind.PENALTY, "F", 1)
    assert stamps("gc") == ["revised"]
    assert stamps("stage", "1")[0] == "revised"
    assert stamps("stage", "2")[0] == "official"


def test_the_snippet_for_other_sites_names_the_embedded_page(client: Client, evening: Evening) -> None:
    evening.ride("1")

    text = look(client, evening.campaign, "gc").text

    assert f'<iframe src="http://testserver{evening.campaign.url("gc_embed")}"' in text


# ---- teams -----------------------------------------------------------------------------------------------------------
def test_the_team_classification_of_the_worked_example(client: Client, evening: Evening) -> None:
    evening.ride("1", "2", "3")

    page = look(client, evening.campaign, "teams")
    lines = page.tables["teams"]

    assert "Green first by three turns" in page.text
    assert [(line["team"].value, line.get("place") and line["place"].value) for line in lines] == [
        ("Green", "1"),
        ("Blue", "2"),
        ("White", None),
    ]
    assert (lines[0]["gap"].text, lines[1]["gap"].text) == ("lead", "+3")
    assert "Not ranked since stage 3: fewer than 2 came in" in page.text
    assert "Marchetti 15 + Quist 18" in page.text


def test_teams_that_share_a_place_both_have_it(client: Client, evening: Evening) -> None:
    evening.ride("1")
    rows = list(Standing.objects.filter(campaign=evening.campaign, classification=Standing.TEAMS))
    rows[1].rank, rows[1].gap, rows[1].value = 1, 0, rows[0].value
    rows[1].facts |= {"rank": 1, "decided_by": None, "decided_against": None, "decided_values": None}
    rows[1].save()

    page = look(client, evening.campaign, "teams")

    assert "White and Green share first place" in page.text
    assert [line["place"].value for line in page.tables["teams"]] == ["1", "1", "3"]
    assert page.text.count("Equal in turns and placings: the place is shared") == 2


def test_a_campaign_without_team_classification_has_no_page_of_it(client: Client, evening: Evening) -> None:
    evening.ride("1")
    evening.campaign.team_classification = False
    evening.campaign.save()

    for name in ("teams", "teams_embed"):
        assert client.get(evening.campaign.url(name)).status_code == 404
    assert client.get(evening.campaign.url("teams_export", "csv")).status_code == 404


# ---- a stage ---------------------------------------------------------------------------------------------------------
def test_a_stage_shows_its_result_peloton_and_bonus_winners(client: Client, evening: Evening) -> None:
    evening.ride("1", "2", "3")

    page = look(client, evening.campaign, "stage", "3")
    text = re.sub(r"\s+", " ", page.text)

    assert "Marchetti wins on Colli" in text
    assert "came in turn 17" in text
    assert "Bonus sprint at 30" in text
    assert re.search(r"Bonus sprint at 50\s*nobody", text)
    assert [line["bib"].value for line in page.tables["stage"]] == ["32", "21", "11", "31", "22", "12"]
    assert page.tables["stage"][1]["behind"].text == "s.t."
    assert page.tables["stage"][-1]["status"].text == "outside the time limit"
    assert page.tables["stage"][-2]["remark"].value == "lapped"
    assert evening.campaign.url("version", "3", 1) in [e.attrs.get("href") for e in page.elements]


def test_a_team_time_trial_is_won_by_a_team(client: Client, evening: Evening) -> None:
    giri.to_the_end(evening)

    page = look(client, evening.campaign, "stage", "5")

    assert "Blue wins on Laguna" in page.text
    assert {line["run"].value for line in page.tables["stage"]} == {"Blue", "White", "Green"}
    assert "bonuses" not in page.tables["stage"][0]


def test_a_stage_to_come_shows_the_road(client: Client, evening: Evening) -> None:
    evening.ride("1")

    page = look(client, evening.campaign, "stage", "2")

    assert "Stage 2, Cronometro" in page.text
    assert "The next stage." in page.text
    assert "stage" not in page.tables
    assert any("pf" in e.classes and e.attrs.get("role") == "img" for e in page.elements)
    assert "To come." in look(client, evening.campaign, "stage", "3").text
    assert client.get(evening.campaign.url("stage", "77")).status_code == 404


def test_rulings_of_a_stage_stand_on_its_page(client: Client, evening: Evening) -> None:
    giri.with_rulings(evening)

    text = look(client, evening.campaign, "stage", "2").text

    assert "Penalty of 1 square for Venn" in text
    assert "What the jury saw." in text
    assert "disqualified" not in text


# ---- drafts ----------------------------------------------------------------------------------------------------------
def test_a_draft_is_on_no_public_page(client: Client, evening: Evening) -> None:
    evening.ride("1")
    addresses = [*public_addresses(evening.campaign), evening.campaign.url("stage", "3")]
    before = {address: client.get(address).content for address in addresses}

    evening.type("2")
    marked = {f"energy-{rider.pk}": "777" for rider in evening.riders.values()}
    giri.results.type_cells(evening.stages["2"], evening.organiser, marked, evening.cells("2"))

    for address in addresses:
        assert client.get(address).content == before[address], address
        assert b"777" not in before[address]
    assert client.get(evening.campaign.url("stage_export", "2", "json")).status_code == 404


def test_the_draft_of_a_published_stage_does_not_leak_either(client: Client, evening: Evening) -> None:
    evening.ride("1", official=False)
    before = {address: client.get(address).content for address in public_addresses(evening.campaign)}
    cells = evening.cells("1")
    pk = evening.riders["A"].pk

    giri.results.type_cells(
        evening.stages["1"], evening.organiser, {f"turn-{pk}": "29"}, {f"turn-{pk}": cells[f"turn-{pk}"]}
    )

    assert {address: client.get(address).content for address in before} == before


# ---- while it is recounted -------------------------------------------------------------------------------------------
@pytest.mark.parametrize("page", [("campaign",), ("gc",), ("teams",), ("stage", "1")])
def test_a_page_says_that_it_is_being_recounted_and_asks_again_by_itself(
    client: Client, evening: Evening, page: tuple[str, ...]
) -> None:
    evening.ride("1")
    giri.touched(evening.campaign)

    waiting = look(client, evening.campaign, *page)
    polls = [e for e in waiting.elements if "hx-get" in e.attrs]
    address = evening.campaign.url(*page)

    assert "the tables are being recounted" in waiting.text
    assert "Look again" in waiting.text
    assert [(e.attrs["hx-get"], e.attrs["hx-trigger"], e.attrs["hx-select"]) for e in polls] == [
        (address, "every 1s", "#main")
    ]
    assert client.get(address, headers={"HX-Request": "true"}).status_code == 204

    recount.count(evening.campaign.pk)
    fresh = client.get(address, headers={"HX-Request": "true"})
    assert fresh.status_code == 200
    assert b"hx-get" not in fresh.content
    assert b'id="main"' in fresh.content


def test_the_table_of_before_is_marked_as_such(client: Client, evening: Evening) -> None:
    evening.ride("1", "2")
    giri.touched(evening.campaign)

    page = look(client, evening.campaign, "gc")

    assert "Before the change" in page.text
    assert page.tables["gc"][0]["rider"].value == "Chiara Venn"
    assert "Before the change" in look(client, evening.campaign, "gc_embed").text


def test_a_first_stage_that_is_still_being_counted_says_so(client: Client, evening: Evening) -> None:
    evening.type("1")
    asked = {f.sure: "on" for f in giri.results.entry_of(evening.stages["1"]).findings if f.sure}
    giri.results.type_cells(evening.stages["1"], evening.organiser, asked, {})
    giri.results.publish(evening.stages["1"], evening.organiser, official=True)

    assert "the tables are being recounted" in look(client, evening.campaign, "gc", after="1").text
    assert "The result is being counted" in look(client, evening.campaign, "stage", "1").text
    assert "the tables are being recounted" in look(client, evening.campaign).text


def test_a_failed_recount_tells_the_organiser_why_and_everybody_that_the_tables_are_old(
    client: Client, evening: Evening, cast: Cast
) -> None:
    evening.ride("1")
    giri.touched(evening.campaign)
    Campaign.objects.filter(pk=evening.campaign.pk).update(count_error="ValueError: a rider twice")

    told = look(client, evening.campaign, "gc")

    assert "The last recount failed; these are the tables of before." in told.text
    assert "a rider twice" not in told.text
    assert not [e for e in told.elements if "hx-get" in e.attrs]
    client.force_login(cast.carla)
    assert "a rider twice" not in look(client, evening.campaign, "gc").text
    client.force_login(cast.anna)
    assert "ValueError: a rider twice" in look(client, evening.campaign, "gc").text


# ---- the same bytes --------------------------------------------------------------------------------------------------
def test_every_public_page_is_the_same_to_the_byte_and_answered_with_304(evening: Evening) -> None:
    evening.ride("1", "2")

    for address in public_addresses(evening.campaign):
        first, second = Client().get(address), Client().get(address)
        assert first.status_code == 200, address
        assert first.content == second.content, address
        assert first["ETag"] == second["ETag"]
        assert not first.cookies, address
        assert "no-cache" in first["Cache-Control"]
        assert "private" not in first["Cache-Control"]
        again = Client().get(address, headers={"If-None-Match": first["ETag"]})
        assert again.status_code == 304, address
        assert again.content == b""


def test_a_new_result_changes_the_etag(client: Client, evening: Evening) -> None:
    evening.ride("1")
    before = {address: client.get(address)["ETag"] for address in public_addresses(evening.campaign)}

    evening.ride("2")

    assert all(
        client.get(evening.campaign.url(p))["ETag"] != before[evening.campaign.url(p)] for p in ("campaign", "gc")
    )


def test_what_a_member_sees_is_for_his_own_browser_alone(client: Client, evening: Evening, cast: Cast) -> None:
    evening.ride("1")
    client.force_login(cast.carla)

    for address in public_addresses(evening.campaign):
        answer = client.get(address)
        assert "private" in answer["Cache-Control"], address
        assert "Cookie" in answer["Vary"], address


# ---- who may look ----------------------------------------------------------------------------------------------------
def test_a_closed_club_is_not_found_by_strangers_and_never_in_a_frame(
    client: Client, evening: Evening, cast: Cast
) -> None:
    evening.ride("1")
    Club.objects.filter(pk=cast.club.pk).update(is_public=False)
    embedded = {evening.campaign.url("gc_embed"), evening.campaign.url("teams_embed")}

    for visitor in (None, cast.dino):
        if visitor:
            client.force_login(visitor)
        assert {client.get(address).status_code for address in public_addresses(evening.campaign)} == {404}
    client.force_login(cast.carla)
    for address in public_addresses(evening.campaign):
        answer = client.get(address)
        assert answer.status_code == (404 if address in embedded else 200), address
    assert "iframe" not in look(client, evening.campaign, "gc").text


def test_only_the_embedded_pages_may_stand_in_a_frame(client: Client, evening: Evening) -> None:
    evening.ride("1")

    for name in ("gc_embed", "teams_embed"):
        answer = client.get(evening.campaign.url(name))
        assert "frame-ancestors *" in answer["Content-Security-Policy"]
        assert "default-src 'self'" in answer["Content-Security-Policy"]
        assert "X-Frame-Options" not in answer
        assert b"<script" not in answer.content
        assert b"<nav" not in answer.content
    for name in ("campaign", "gc", "teams"):
        answer = client.get(evening.campaign.url(name))
        assert "frame-ancestors 'none'" in answer["Content-Security-Policy"]
        assert answer["X-Frame-Options"] == "DENY"


def test_pages_are_only_read(client: Client, evening: Evening) -> None:
    for address in public_addresses(evening.campaign):
        assert client.post(address).status_code == 405
        assert client.head(address).status_code in (200, 404)


def test_no_page_has_an_inline_style_or_script(client: Client, evening: Evening) -> None:
    giri.to_the_end(evening)

    for address in public_addresses(evening.campaign)[:9]:
        page = printed(client.get(address).content)
        for element in page.elements:
            assert "style" not in element.attrs, (address, element)
            assert element.tag != "style"
            assert not [name for name in element.attrs if name.startswith("on")], element
            assert element.tag != "script" or element.attrs.get("src"), element


# ---- costs -----------------------------------------------------------------------------------------------------------
def queries(address: str) -> int:
    client = Client()
    with CaptureQueriesContext(
        connection,
    ) as caught:
        assert client.get(address).status_code == 200
    return len(caught)


def test_a_page_costs_the_same_queries_for_any_field_and_any_number_of_stages(cast: Cast) -> None:
    fields = [
        giri.race(cast.club, riders=6, stages=1, slug="six-one"),
        giri.race(cast.club, riders=12, stages=1, slug="twelve-one"),
        giri.race(cast.club, riders=12, stages=5, slug="twelve-five"),
    ]
    pages = [("campaign",), ("gc",), ("teams",), ("stage", "1"), ("gc_embed",), ("teams_embed",)]
    files = [("gc_export", "csv"), ("history", "json"), ("teams_export", "csv"), ("stage_export", "1", "json")]

    for page in [*pages, *files]:
        costs = {queries(campaign.url(*page)) for campaign in fields}
        assert len(costs) == 1, (page, costs)
        assert costs.pop() <= 11, page


def test_the_start_page_costs_the_same_queries_for_any_start_list(evening: Evening) -> None:
    few = queries(evening.campaign.url())
    for bib in range(41, 47):
        player = make.PlayerFactory(club=evening.club)
        make.TeamSpellFactory(team=evening.teams["white"], player=player)
        make.RiderFactory(campaign=evening.campaign, bib=bib, player=player)

    assert queries(evening.campaign.url()) == few <= 10


def test_a_page_counts_nothing(client: Client, evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    evening.ride("1", "2", "3")

    def refuse(*_args: object, **_kwargs: object) -> None:
        raise AssertionError("a page counted")

    monkeypatch.setattr("league.loading.classify", refuse)

    for address in public_addresses(evening.campaign):
        assert client.get(address).status_code == 200
