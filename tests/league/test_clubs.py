"""Clubs, seasons, teams and transfers."""

from datetime import date, timedelta

import pytest
from django.test import Client
from django.urls import reverse

from league import clubs, results, roster
from league.errors import Refused
from league.models import Campaign, Club, Membership, Result, Season, SeasonStanding, Team, TeamSpell
from league.models.club import Role
from league.recount import count
from tests import factories as make
from tests.conftest import Cast
from tests.evening import Evening


def season_data(**changes: str) -> dict[str, str]:
    return {"name": "Winter", "starts_on": "2026-11-01", "ends_on": "2027-03-31", "team_points": "5, 3, 1"} | changes


def club_data(**changes: str) -> dict[str, str]:
    return {"name": "Wielerclub Ventoux", "motto": "", "time_zone": "Europe/Amsterdam", "language": "en"} | changes


def test_whoever_founds_a_club_organises_it(client: Client, cast: Cast) -> None:
    client.force_login(cast.dino)

    answer = client.post(reverse("club_new"), club_data(is_public="on"))

    club = Club.objects.get(name="Wielerclub Ventoux")
    assert answer.status_code == 302
    assert club.slug == "wielerclub-ventoux"
    assert Membership.objects.get(club=club).role == Role.ORGANISER
    assert Membership.objects.get(club=club).user == cast.dino


def test_founding_a_club_needs_somebody_who_is_signed_on(client: Client, db: None) -> None:
    answer = client.get(reverse("club_new"))

    assert answer.status_code == 302
    assert answer["Location"] == reverse("account_login") + "?next=" + reverse("club_new")


def test_two_clubs_of_one_name_have_two_addresses_and_a_name_without_latin_letters_has_one(cast: Cast) -> None:
    first = clubs.found_club(cast.dino, name="Wielerclub")
    second = clubs.found_club(cast.dino, name="Wielerclub")
    third = clubs.found_club(cast.dino, name="自行车")

    assert [first.slug, second.slug, third.slug] == ["wielerclub", "wielerclub-2", "club"]


def test_a_renamed_club_keeps_its_address(client: Client, cast: Cast) -> None:
    client.force_login(cast.anna)

    client.post(reverse("club_edit", args=["lanterna"]), club_data(name="  Lanterna  \n Rossa "))

    cast.club.refresh_from_db()
    assert (cast.club.name, cast.club.slug) == ("Lanterna Rossa", "lanterna")
    assert (cast.club.time_zone, cast.club.is_public) == ("Europe/Amsterdam", False)


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("time_zone", "Mars/Olympus", "is no time zone"),
        ("name", "   ", "required"),
        ("name", "\u200b\u202e", "at least one letter"),
        ("name", "x" * 10_000, "at most 80"),
        ("name", "a\x00b", "Null characters"),
        ("language", "tlh", "Select a valid choice"),
    ],
)
def test_what_a_club_cannot_be_is_said_at_the_field(
    client: Client, cast: Cast, field: str, value: str, says: str
) -> None:
    client.force_login(cast.anna)

    answer = client.post(reverse("club_edit", args=["lanterna"]), club_data(**{field: value}))

    assert answer.status_code == 422
    assert says in str(answer.context["form"].errors[field])
    assert Club.objects.get(pk=cast.club.pk).name == "V.C. Lanterna"


def test_a_name_that_would_break_out_is_shown_as_typed(client: Client, cast: Cast) -> None:
    client.force_login(cast.anna)

    client.post(reverse("club_edit", args=["lanterna"]), club_data(name="</script><b>x", is_public="on"))

    page = client.get(reverse("players", args=["lanterna"])).content.decode()
    assert "&lt;/script&gt;&lt;b&gt;x" in page
    assert "</script><b>x" not in page


def test_a_season_opens_with_its_points_and_keeps_its_address_when_renamed(client: Client, cast: Cast) -> None:
    client.force_login(cast.anna)

    client.post(reverse("season_new", args=["lanterna"]), season_data())
    client.post(reverse("season_edit", args=["lanterna", "winter"]), season_data(name="Winter 26/27"))

    season = Season.objects.get(club=cast.club)
    assert (season.name, season.slug, season.team_points) == ("Winter 26/27", "winter", [5, 3, 1])


def test_an_empty_points_field_means_the_usual_points(client: Client, cast: Cast) -> None:
    client.force_login(cast.anna)

    client.post(reverse("season_new", args=["lanterna"]), season_data(team_points=" "))

    assert Season.objects.get(club=cast.club).team_points == []


@pytest.mark.parametrize(
    ("changes", "field", "says"),
    [
        ({"ends_on": "2026-10-31"}, "ends_on", "before the first"),
        ({"starts_on": "soon"}, "starts_on", "This is no day"),
        ({"starts_on": "0001-01-01"}, "starts_on", "too long ago"),
        ({"ends_on": "9999-12-31"}, "ends_on", "too far away"),
        ({"team_points": "10, eight"}, "team_points", "“eight” at place 2 is no whole number"),
        ({"team_points": "10, -8"}, "team_points", "“-8” at place 2"),
        ({"team_points": "10, ٣"}, "team_points", "no whole number"),
        ({"team_points": "5, 8"}, "team_points", "Place 2 would get 8"),
        ({"team_points": "99999999999"}, "team_points", "too many"),
        ({"team_points": ",".join("1" * 51)}, "team_points", "51 places"),
    ],
)
def test_what_a_season_cannot_be_is_said_at_the_field(
    client: Client, cast: Cast, changes: dict[str, str], field: str, says: str
) -> None:
    client.force_login(cast.anna)

    answer = client.post(reverse("season_new", args=["lanterna"]), season_data(**changes))

    assert answer.status_code == 422
    assert says in str(answer.context["form"].errors[field])
    assert not Season.objects.exists()


def test_other_points_count_the_season_again(client: Client, evening: Evening) -> None:
    evening.ride("1")
    client.force_login(evening.organiser)
    before = evening.campaign.revision

    client.post(
        reverse("season_edit", args=["lanterna", "2026"]),
        season_data(name="2026", starts_on="2026-01-01", ends_on="2026-12-31", team_points="100"),
    )
    count(evening.campaign.pk)

    evening.campaign.refresh_from_db()
    assert evening.campaign.revision == before + 1
    table = SeasonStanding.objects.filter(season=evening.season, classification=SeasonStanding.TEAMS)
    assert table.order_by("position").values_list("points", flat=True)[0] == 100


def test_an_archived_season_is_read_and_not_changed_until_it_is_opened_again(client: Client, evening: Evening) -> None:
    client.force_login(evening.organiser)
    archive = reverse("season_archive", args=["lanterna", "2026"])

    client.post(archive)
    refused = client.post(reverse("transfer", args=["lanterna", "2026"]), {})
    client.post(archive, {"open": "1"})
    opened = client.get(reverse("transfer", args=["lanterna", "2026"]))

    assert refused.status_code == 409
    assert "archived" in refused.content.decode()
    assert opened.status_code == 200


def test_a_team_gets_its_name_and_its_jersey(client: Client, evening: Evening) -> None:
    client.force_login(evening.organiser)

    answer = client.post(
        reverse("team_new", args=["lanterna", "2026"]), {"name": "Purple Haze", "jersey": "purple-dots"}
    )

    assert answer.status_code == 302
    team = Team.objects.get(name="Purple Haze")
    assert (team.colour, team.pattern, team.jersey) == ("purple", "dots", "Purple dotted")


@pytest.mark.parametrize(
    ("name", "jersey", "field", "says"),
    [
        ("Other", "blue-sash", "jersey", "Blue wears Blue with a sash already"),
        ("bLUE ", "purple-dots", "name", "A team called Blue rides this season already"),
        ("Other", "pink-plain", "jersey", "There is no such jersey"),
        ("Other", "", "jersey", "Choose a jersey"),
    ],
)
def test_no_two_teams_of_a_season_are_alike(
    client: Client, evening: Evening, name: str, jersey: str, field: str, says: str
) -> None:
    client.force_login(evening.organiser)

    answer = client.post(reverse("team_new", args=["lanterna", "2026"]), {"name": name, "jersey": jersey})

    assert answer.status_code == 422
    assert says in str(answer.context["form"].errors[field])
    assert evening.season.teams.count() == 3


def test_a_team_of_another_season_is_not_found(client: Client, evening: Evening) -> None:
    client.force_login(evening.organiser)
    foreign = make.TeamFactory()

    assert client.get(reverse("team_edit", args=["lanterna", "2026", foreign.pk])).status_code == 404


def test_a_team_that_leaves_keeps_what_it_won_and_has_no_riders_from_tomorrow(evening: Evening) -> None:
    evening.ride("1")
    blue = evening.teams["blue"]

    clubs.change_team(blue, name="Blue", colour="blue", pattern="sash", has_left=True)

    today = roster.today_in(evening.club)
    assert set(blue.spells.values_list("last_day", flat=True)) == {today}
    assert Result.objects.filter(team=blue).count() == 2
    with pytest.raises(Refused, match="takes no more players"):
        roster.transfer(evening.season, evening.players["A"], blue, date(2026, 3, 1))


# Transfers


def test_a_transfer_ends_one_spell_and_begins_another(client: Client, evening: Evening) -> None:
    client.force_login(evening.organiser)
    sarti = evening.players["A"]

    answer = client.post(
        reverse("transfer", args=["lanterna", "2026"]),
        {"player": sarti.pk, "team": evening.teams["green"].pk, "first_day": "2026-03-01"},
        follow=True,
    )

    assert "Player A rides for Green from 1 March 2026, and for White until the day before." in answer.content.decode()
    assert list(sarti.spells.values_list("team__name", "first_day", "last_day")) == [
        ("White", date(2026, 1, 1), date(2026, 2, 28)),
        ("Green", date(2026, 3, 1), None),
    ]


def test_the_first_team_is_a_transfer_from_none_and_a_player_may_leave_to_none(evening: Evening) -> None:
    fresh = make.PlayerFactory(club=evening.club)

    first = roster.transfer(evening.season, fresh, evening.teams["blue"], date(2026, 2, 1))
    gone = roster.transfer(evening.season, fresh, None, date(2026, 2, 10))
    back = roster.transfer(evening.season, fresh, evening.teams["blue"], date(2026, 3, 1))

    assert (first.old, gone.old, back.old) == (None, evening.teams["blue"], None)
    assert list(fresh.spells.values_list("first_day", "last_day")) == [
        (date(2026, 2, 1), date(2026, 2, 9)),
        (date(2026, 3, 1), None),
    ]


def test_a_transfer_on_the_first_day_of_a_spell_replaces_it_and_says_so(client: Client, evening: Evening) -> None:
    client.force_login(evening.organiser)
    sarti = evening.players["A"]

    answer = client.post(
        reverse("transfer", args=["lanterna", "2026"]),
        {"player": sarti.pk, "team": evening.teams["green"].pk, "first_day": "2026-01-01"},
        follow=True,
    )

    assert "That replaces White, which began on the same day." in answer.content.decode()
    assert list(sarti.spells.values_list("team__name", "last_day")) == [("Green", None)]


@pytest.mark.parametrize(
    ("team", "day", "says"),
    [
        ("green", date(2025, 12, 31), "outside the season"),
        ("green", date(2027, 1, 1), "outside the season"),
        ("blue", date(2026, 2, 15), "has been in Green since 1 March 2026"),
        ("green", date(2026, 3, 5), "rides for Green on 5 March 2026 already"),
    ],
)
def test_a_transfer_that_cannot_be_is_refused_with_a_sentence(
    evening: Evening, team: str, day: date, says: str
) -> None:
    sarti = evening.players["A"]
    roster.transfer(evening.season, sarti, evening.teams["green"], date(2026, 3, 1))
    before = list(TeamSpell.objects.values_list())

    with pytest.raises(Refused, match=says):
        roster.transfer(evening.season, sarti, evening.teams[team], day)

    assert list(TeamSpell.objects.values_list()) == before


def test_who_has_no_team_cannot_leave_one(evening: Evening) -> None:
    fresh = make.PlayerFactory(club=evening.club)

    with pytest.raises(Refused, match="has no team on 1 February 2026"):
        roster.transfer(evening.season, fresh, None, date(2026, 2, 1))


def test_a_refused_transfer_shows_the_form_again_with_the_reason(client: Client, evening: Evening) -> None:
    client.force_login(evening.organiser)

    answer = client.post(
        reverse("transfer", args=["lanterna", "2026"]),
        {"player": evening.players["A"].pk, "team": evening.teams["white"].pk, "first_day": "2026-03-01"},
    )

    assert answer.status_code == 422
    assert "rides for White on 1 March 2026 already" in answer.content.decode()


def test_players_and_teams_of_another_club_cannot_be_transferred(client: Client, evening: Evening, cast: Cast) -> None:
    client.force_login(evening.organiser)
    foreign = make.PlayerFactory(club=cast.other_club)
    side = make.TeamFactory(season=make.SeasonFactory(club=cast.other_club))

    answer = client.post(
        reverse("transfer", args=["lanterna", "2026"]),
        {"player": foreign.pk, "team": side.pk, "first_day": "2026-03-01"},
    )

    assert answer.status_code == 422
    assert set(answer.context["form"].errors) == {"player", "team"}


def test_a_transfer_never_changes_what_was_ridden_nor_does_a_correction_after_it(evening: Evening) -> None:
    """Marchetti wins 4 + 6 points for Green in stages 1 and 2, then rides stage 3 for Blue and wins it: 10. Correcting stage 1
    afterwards moves nothing of the first two to Blue."""
    marchetti, rider = evening.players["E"], evening.riders["E"]
    evening.ride("1", "2", official=False)
    stages = evening.stages

    made = roster.transfer(evening.season, marchetti, evening.teams["blue"], stages["3"].day)
    evening.ride("3", official=False)
    cells = evening.cells("1") | {f"energy-{rider.pk}": "20"}
    results.type_cells(stages["1"], evening.organiser, cells, evening.cells("1"))
    results.publish(stages["1"], evening.organiser)
    count(evening.campaign.pk)

    assert made.published == ()
    teams = Result.objects.filter(rider=rider).order_by("sheet__stage__order").values_list("team__name", "energy")
    assert list(teams) == [("Green", 20), ("Green", 6), ("Blue", 4)]
    parts = {
        row.team.name: {p["stage"]: p["points"] for p in row.facts["parts"] if p["rider"] == rider.pk}
        for row in SeasonStanding.objects.filter(season=evening.season, classification=SeasonStanding.TEAMS)
        if row.team
    }
    assert parts["Green"] == {stages["1"].pk: 4, stages["2"].pk: 6}
    assert parts["Blue"] == {stages["3"].pk: 10}
    player = SeasonStanding.objects.get(classification=SeasonStanding.PLAYERS, player=marchetti)
    assert player.points == 20


def test_a_transfer_in_the_past_says_that_published_stages_stay(client: Client, evening: Evening) -> None:
    evening.ride("1", "2")
    client.force_login(evening.organiser)
    before = list(Result.objects.order_by("pk").values_list("pk", "team"))

    answer = client.post(
        reverse("transfer", args=["lanterna", "2026"]),
        {
            "player": evening.players["A"].pk,
            "team": evening.teams["green"].pk,
            "first_day": str(evening.stages["2"].day),
        },
        follow=True,
    )

    assert "What is published stays as it was ridden: Stage 2, Cronometro." in answer.content.decode()
    assert list(Result.objects.order_by("pk").values_list("pk", "team")) == before


def test_a_transfer_says_where_a_start_list_goes_before_it(evening: Evening) -> None:
    rider = evening.riders["A"]
    rider.team = evening.teams["white"]
    rider.save()

    made = roster.transfer(evening.season, evening.players["A"], evening.teams["green"], date(2026, 3, 1))

    assert made.fixed == (rider,)


def test_spells_of_a_merged_player_are_his_who_was_kept(evening: Evening) -> None:
    twin = make.PlayerFactory(club=evening.club)
    roster.merge(twin, evening.players["A"])

    with pytest.raises(Refused, match="rides for White on 1 March 2026 already"):
        roster.transfer(evening.season, twin, evening.teams["white"], date(2026, 3, 1))


# Who may, and how much it costs


def test_strangers_members_and_commissaires_do_not_set_up_clubs(client: Client, evening: Evening, cast: Cast) -> None:
    pages = [
        reverse("club_edit", args=["lanterna"]),
        reverse("season_new", args=["lanterna"]),
        reverse("season_edit", args=["lanterna", "2026"]),
        reverse("team_new", args=["lanterna", "2026"]),
        reverse("transfer", args=["lanterna", "2026"]),
    ]
    for user, answer in ((cast.dino, 404), (cast.carla, 403), (cast.bruno, 403), (cast.anna, 200)):
        client.force_login(user)
        assert {client.get(page).status_code for page in pages} == {answer}


@pytest.mark.parametrize("page", ["seasons", "transfer", "season_edit"])
def test_pages_of_a_season_cost_the_same_however_much_is_on_them(
    client: Client, evening: Evening, django_assert_max_num_queries, page: str
) -> None:
    client.force_login(evening.organiser)
    address = reverse(page, args=["lanterna"] if page == "seasons" else ["lanterna", "2026"])

    def queries() -> int:
        with django_assert_max_num_queries(40) as seen:
            assert client.get(address).status_code == 200
        return len(seen)

    queries()
    few = queries()
    for n in range(25):
        player = make.PlayerFactory(club=evening.club)
        make.TeamSpellFactory(team=evening.teams["blue"], player=player, last_day=date(2026, 2, 1) + timedelta(days=n))
        make.SeasonFactory(club=evening.club)
        Campaign.objects.create(season=evening.season, name=f"Giro {n}", slug=f"giro-{n}-x")

    assert queries() == few
