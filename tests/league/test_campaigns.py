"""A club sets up its Giro: name, address and the rules that it rides by."""

import pytest
from django.test import Client
from django.urls import reverse

from league import campaigns
from league.campaigns import CampaignPlan, Faulty
from league.errors import Refused
from league.models import Campaign, Season, Standing
from league.recount import count
from tests import factories as make
from tests.conftest import Cast
from tests.evening import Evening

OPTIONS = {
    "riders_per_player": "1",
    "gc_loop": "18",
    "stage_win": "2",
    "bonus": "1",
    "time_limit": "3",
    "cap_road": "15",
    "cap_time_trial": "5",
    "team_classification": "on",
    "team_count": "",
}


@pytest.fixture
def season(cast: Cast) -> Season:
    return make.SeasonFactory(club=cast.club, name="2026", slug="2026")


@pytest.fixture
def anna(client: Client, cast: Cast) -> Client:
    client.force_login(cast.anna)
    return client


def new_address(season: Season) -> str:
    return reverse("campaign_new", args=[season.club.slug, season.slug])


def changed(campaign: Campaign, **options: object) -> CampaignPlan:
    """The campaign's plan with other options."""
    return CampaignPlan(**{**{f: getattr(campaign, f) for f in CampaignPlan.__dataclass_fields__}, **options})


def test_anna_names_a_giro_and_its_address_is_made_from_the_name(anna: Client, season: Season) -> None:
    answer = anna.post(new_address(season), {"name": "Giro d'Inverno", "slug": "", **OPTIONS})

    campaign = Campaign.objects.get()
    assert (campaign.name, campaign.slug, campaign.season) == ("Giro d'Inverno", "giro-dinverno", season)
    assert answer.status_code == 302
    assert answer["Location"] == campaign.url("startlist")


def test_the_form_proposes_the_rules_of_the_box(anna: Client, season: Season) -> None:
    form = anna.get(new_address(season)).context["form"]

    said = {name: form[name].value() for name in OPTIONS}
    assert said == {
        "riders_per_player": 1, "gc_loop": 18, "stage_win": 2, "bonus": 1, "time_limit": 3, "cap_road": 15,
        "cap_time_trial": 5, "team_classification": True, "team_count": None,
    }  # fmt: skip


def test_a_second_giro_of_the_same_name_gets_an_address_of_its_own(season: Season) -> None:
    slugs = [campaigns.new_campaign(season, CampaignPlan(name="Giro d'Inverno")).slug for _n in range(3)]

    assert slugs == ["giro-dinverno", "giro-dinverno-2", "giro-dinverno-3"]


@pytest.mark.parametrize("name", ["Ժապավեն", "🚴🚴", "春のジロ"])
def test_a_name_without_latin_letters_still_has_an_address(season: Season, name: str) -> None:
    campaign = campaigns.new_campaign(season, CampaignPlan(name=name))

    assert (campaign.name, campaign.slug) == (name, "giro")


def test_a_name_is_stored_in_one_form_whatever_its_bytes(season: Season) -> None:
    campaign = campaigns.new_campaign(season, CampaignPlan(name="  Giro\n di Zoe\u0308 "))

    assert campaign.name == "Giro di Zo\u00eb"


@pytest.mark.parametrize(
    ("field", "typed"),
    [
        ("gc_loop", "11"), ("gc_loop", "31"), ("gc_loop", "eighteen"), ("gc_loop", "9" * 5000), ("gc_loop", ""),
        ("stage_win", "-1"), ("riders_per_player", "0"), ("riders_per_player", "4"), ("cap_road", "100"),
        ("name", ""), ("name", "x" * 81), ("name", "a\x00b"), ("name", "\u200b"), ("slug", "Giro d'Inverno"),
        ("slug", "../etc"), ("team_count", "4"),
    ],
)  # fmt: skip
def test_what_the_rules_do_not_allow_is_refused_at_its_field_and_nothing_typed_is_lost(
    anna: Client, season: Season, field: str, typed: str
) -> None:
    answer = anna.post(new_address(season), {"name": "Giro", "slug": "il-giro", **OPTIONS, field: typed})

    assert answer.status_code == 422
    assert answer.context["form"].errors[field]
    assert answer.context["form"]["cap_time_trial"].value() == "5"
    assert not Campaign.objects.exists()


def test_an_address_that_is_taken_in_the_season_is_refused(anna: Client, evening: Evening) -> None:
    answer = anna.post(new_address(evening.season), {"name": "Another", "slug": "giro-dinverno", **OPTIONS})

    assert answer.status_code == 422
    assert "giro-dinverno" in answer.context["form"].errors["slug"][0]


def test_an_archived_season_takes_no_campaign(anna: Client, season: Season) -> None:
    season.archived_at = "2026-12-31T00:00Z"
    season.save()

    assert anna.get(new_address(season)).status_code == 409
    with pytest.raises(Refused):
        campaigns.new_campaign(season, CampaignPlan(name="Giro"))


def test_options_change_freely_before_the_first_result(anna: Client, evening: Evening) -> None:
    campaign = evening.campaign
    answer = anna.post(
        campaign.url("campaign_edit"), {"name": "Giro d'Inverno", "slug": "inverno", **OPTIONS, "gc_loop": "24"}
    )

    campaign.refresh_from_db()
    assert answer.status_code == 302
    assert (campaign.gc_loop, campaign.slug) == (24, "inverno")


@pytest.mark.rule("GI-D1-04")
def test_another_gc_track_after_published_stages_asks_and_then_counts_everything_again(
    anna: Client, evening: Evening
) -> None:
    evening.ride("1", "2", "3")
    campaign, lund = evening.campaign, evening.riders["F"]
    typed = {"name": campaign.name, "slug": campaign.slug, **OPTIONS, "gc_loop": "30"}

    asked = anna.post(campaign.url("campaign_edit"), typed)

    assert asked.status_code == 422
    assert "counted again" in asked.context["asks"][0].message
    assert "30" in asked.content.decode()
    campaign.refresh_from_db()
    assert campaign.gc_loop == 18

    anna.post(campaign.url("campaign_edit"), {**typed, "sure": "on"})

    count(campaign.pk)
    campaign.refresh_from_db()
    row = Standing.objects.get(campaign=campaign, stage=evening.stages["3"], classification="gc", rider=lund)
    assert (campaign.gc_loop, row.state) == (30, "in")  # Lund was lapped on the short track


@pytest.mark.parametrize(
    ("option", "value"),
    [("stage_win", 3), ("bonus", 0), ("time_limit", 5), ("cap_road", 9), ("cap_time_trial", 9), ("team_classification", False),
     ("team_count", 1)],
)  # fmt: skip
def test_every_rule_that_published_tables_rest_on_asks_before_it_changes(
    evening: Evening, option: str, value: object
) -> None:
    campaign = evening.ride("1").campaign

    with pytest.raises(Faulty) as asked:
        campaigns.change_campaign(campaign, changed(campaign, **{option: value}))

    assert [fault.asks for fault in asked.value.faults] == [True]
    assert campaigns.change_campaign(campaign, changed(campaign, **{option: value}), sure=True) is True
    campaign.refresh_from_db()
    assert getattr(campaign, option) == value
    assert not campaign.is_counted


def test_a_new_name_asks_nothing_and_keeps_the_tables(evening: Evening) -> None:
    campaign = evening.ride("1").campaign

    assert campaigns.change_campaign(campaign, changed(campaign, name="Giro di Primavera")) is False


def test_the_address_of_published_results_stays(evening: Evening) -> None:
    campaign = evening.ride("1").campaign

    with pytest.raises(Faulty) as refused:
        campaigns.change_campaign(campaign, changed(campaign, slug="elsewhere"), sure=True)

    assert [fault.field for fault in refused.value.faults] == ["slug"]


@pytest.mark.rule("E12")
def test_fewer_riders_per_player_than_the_start_list_has_is_refused_with_the_name(evening: Evening) -> None:
    campaign = evening.campaign
    Campaign.objects.update(riders_per_player=2)
    make.RiderFactory(campaign=campaign, bib=13, player=evening.players["A"])

    with pytest.raises(Faulty, match="Player A has 2 riders"):
        campaigns.change_campaign(campaign, changed(campaign, riders_per_player=1))


def test_only_organisers_set_up_a_campaign(client: Client, evening: Evening, cast: Cast) -> None:
    pages = [new_address(evening.season)]
    pages += [evening.campaign.url(page) for page in ("campaign_edit", "startlist", "stage_new")]
    pages += [evening.campaign.url("stage_edit", "4")]
    expected = {cast.anna: 200, cast.bruno: 403, cast.carla: 403, cast.dino: 404}

    for user, status in expected.items():
        client.force_login(user)
        assert [client.get(page).status_code for page in pages] == [status] * len(pages)
    client.logout()
    assert [client.get(page).status_code for page in pages] == [302] * len(pages)


def test_posts_of_others_change_nothing(client: Client, evening: Evening, cast: Cast) -> None:
    campaign = evening.campaign
    pages = [campaign.url("stage_remove", "5"), campaign.url("stage_move", "5"), campaign.url("startlist")]

    for user, status in ((cast.bruno, 403), (cast.carla, 403), (cast.dino, 404)):
        client.force_login(user)
        assert [client.post(page, {"move": "up", "sure": "on"}).status_code for page in pages] == [status] * 3
    client.logout()
    assert [client.post(page, {"move": "up"}).status_code for page in pages] == [302] * 3
    assert list(campaign.stages.values_list("number", flat=True)) == ["1", "2", "3", "4", "5"]


def test_the_set_up_page_costs_the_same_for_one_stage_and_for_twenty(
    anna: Client, evening: Evening, django_assert_num_queries: object
) -> None:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    page = evening.campaign.url("campaign_edit")
    with CaptureQueriesContext(connection) as few:
        anna.get(page)
    for order in range(6, 22):
        make.StageFactory(campaign=evening.campaign, order=order)
    with CaptureQueriesContext(connection) as many:
        anna.get(page)

    assert len(many) == len(few)
