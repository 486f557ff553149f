"""Members, invitations, the roster, namesakes and duplicates."""

import re
import threading
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connections
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league import limits, results, roster
from league.errors import Refused
from league.models import Club, Invitation, Membership, Player, Result, SeasonStanding, TeamSpell
from league.models.club import Role
from league.recount import count
from tests import factories as make
from tests.conftest import Cast
from tests.evening import Evening

PEOPLE = ["lanterna"]


def at_once(*jobs: Any) -> list[Any]:
    """Run the jobs in threads of their own, each with a connection of its own, released at one moment."""
    barrier = threading.Barrier(len(jobs))
    outcomes: list[Any] = [None] * len(jobs)

    def run(n: int, job: Any) -> None:
        try:
            barrier.wait(10)
            outcomes[n] = job()
        except Refused as refusal:
            outcomes[n] = refusal
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=(n, job)) for n, job in enumerate(jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    return outcomes


# Members


def test_members_see_each_other_and_strangers_see_nobody(client: Client, cast: Cast) -> None:
    address = reverse("people", args=PEOPLE)

    assert client.get(address).status_code == 302
    client.force_login(cast.dino)
    assert client.get(address).status_code == 404
    client.force_login(cast.carla)
    page = client.get(address).content.decode()

    assert "Bruno" in page
    assert "bruno@example.org" not in page  # addresses are for organisers
    assert "Invite somebody" not in page


def test_an_organiser_raises_a_member(client: Client, cast: Cast) -> None:
    client.force_login(cast.anna)
    carla = Membership.objects.get(user=cast.carla)

    client.post(reverse("member_role", args=["lanterna", carla.pk]), {"role": "commissaire"})

    carla.refresh_from_db()
    assert carla.role == Role.COMMISSAIRE


@pytest.mark.parametrize("role", ["member", "commissaire", ""])
def test_the_last_organiser_can_neither_be_lowered_nor_put_out(client: Client, cast: Cast, role: str) -> None:
    client.force_login(cast.anna)
    anna = Membership.objects.get(user=cast.anna)

    answer = client.post(reverse("member_role", args=["lanterna", anna.pk]), {"role": role})

    assert answer.status_code == 422
    assert "Anna is the only organiser" in answer.content.decode()
    anna.refresh_from_db()
    assert anna.role == Role.ORGANISER


def test_the_last_organiser_cannot_leave_and_anybody_else_can(client: Client, cast: Cast) -> None:
    client.force_login(cast.anna)
    refused = client.post(reverse("leave", args=PEOPLE))
    client.force_login(cast.carla)
    left = client.post(reverse("leave", args=PEOPLE))

    assert (refused.status_code, left.status_code) == (422, 302)
    assert set(cast.club.memberships.values_list("user__username", flat=True)) == {"anna", "bruno"}


def test_an_organiser_with_a_second_one_may_go(client: Client, cast: Cast) -> None:
    client.force_login(cast.anna)
    Membership.objects.filter(user=cast.bruno).update(role=Role.ORGANISER)
    anna = Membership.objects.get(user=cast.anna)

    client.post(reverse("member_role", args=["lanterna", anna.pk]), {"role": "member"})

    assert client.get(reverse("club_edit", args=PEOPLE)).status_code == 403


def test_a_role_that_is_none_and_a_member_of_another_club_are_refused(client: Client, cast: Cast) -> None:
    client.force_login(cast.anna)
    dino = Membership.objects.get(user=cast.dino)
    carla = Membership.objects.get(user=cast.carla)

    assert client.post(reverse("member_role", args=["lanterna", dino.pk]), {"role": "member"}).status_code == 404
    assert client.post(reverse("member_role", args=["lanterna", carla.pk]), {"role": "god"}).status_code == 422
    assert Membership.objects.get(user=cast.dino).role == Role.ORGANISER


@pytest.mark.django_db(transaction=True)
def test_two_organisers_who_lower_each_other_at_once_leave_one(cast: Cast) -> None:
    Membership.objects.filter(user=cast.bruno).update(role=Role.ORGANISER)
    anna, bruno = (Membership.objects.select_related("club", "user").get(user=u) for u in (cast.anna, cast.bruno))

    outcomes = at_once(lambda: roster.set_role(anna, Role.MEMBER), lambda: roster.set_role(bruno, Role.MEMBER))

    assert sum(isinstance(o, Refused) for o in outcomes) == 1
    assert cast.club.memberships.filter(role=Role.ORGANISER).count() == 1


# Invitations


def test_an_invitation_shows_its_link_once_with_a_square_for_phones(client: Client, cast: Cast) -> None:
    client.force_login(cast.anna)

    client.post(reverse("invite", args=PEOPLE), {"role": "member", "note": "for Sunniva"})
    first = client.get(reverse("people", args=PEOPLE))
    second = client.get(reverse("people", args=PEOPLE))

    link = re.search(r'value="(http://testserver/join/[^"]+)"', first.content.decode())
    assert link is not None
    assert "<svg viewBox" in first.content.decode()
    assert 'class="qr"' in first.content.decode()
    assert " style=" not in first.content.decode()
    assert "no-store" in first["Cache-Control"]
    assert "/join/" not in second.content.decode()
    assert "for Sunniva" in second.content.decode()


def test_only_the_hash_of_a_link_is_kept(cast: Cast) -> None:
    invitation, token = roster.invite(cast.club, cast.anna)

    kept = " ".join(str(v) for v in Invitation.objects.values_list().get(pk=invitation.pk))

    assert token not in kept
    assert len(token) >= 40


def test_accepting_makes_a_member_of_that_role_and_that_player(client: Client, cast: Cast) -> None:
    zoe = make.UserFactory(username="zoe")
    player = make.PlayerFactory(club=cast.club, name="Zoë")
    _, token = roster.invite(cast.club, cast.anna, role=Role.COMMISSAIRE, player=player)
    client.force_login(zoe)

    looked = client.get(reverse("join", args=[token]))
    nothing_yet = Membership.objects.filter(user=zoe).exists()
    answer = client.post(reverse("join", args=[token]))

    assert looked.status_code == 200
    assert "you are Zoë on the roster" in looked.content.decode()
    assert not nothing_yet
    assert (answer.status_code, answer["Location"]) == (302, cast.club.get_absolute_url())
    assert Membership.objects.get(user=zoe).role == Role.COMMISSAIRE
    player.refresh_from_db()
    assert player.user == zoe


def test_accepting_needs_sign_on_and_the_way_back_is_kept(client: Client, cast: Cast) -> None:
    _, token = roster.invite(cast.club, cast.anna)
    address = reverse("join", args=[token])

    page = client.get(address)
    pushed = client.post(address)

    assert f'href="{reverse("account_signup")}?next={address}"' in page.content.decode()
    assert f'href="{reverse("account_login")}?next={address}"' in page.content.decode()
    assert pushed["Location"] == f"{reverse('account_login')}?next={address}"
    assert Invitation.objects.get().used_at is None


def test_whoever_signs_up_from_a_link_comes_back_to_it_and_is_in(client: Client, cast: Cast) -> None:
    _, token = roster.invite(cast.club, cast.anna)
    address = reverse("join", args=[token])

    signed_up = client.post(
        f"{reverse('account_signup')}?next={address}",
        {"name": "Sunniva Berg", "email": "sunniva@example.org", "password1": "up-the-mortirolo", "next": address},
    )
    client.post(address)

    assert signed_up["Location"] == address
    sunniva = User.objects.get(email="sunniva@example.org")
    assert sunniva.first_name == "Sunniva Berg"
    assert Membership.objects.filter(user=sunniva, club=cast.club).exists()


@pytest.mark.parametrize(
    ("spoil", "status", "says"),
    [
        ("unknown", 404, "There is no such invitation"),
        ("used", 410, "used already"),
        ("revoked", 410, "taken back"),
        ("expired", 410, "has expired"),
    ],
)
@pytest.mark.parametrize("signed_on", [True, False])
def test_a_dead_link_says_why_and_names_no_club(
    client: Client, cast: Cast, spoil: str, status: int, says: str, *, signed_on: bool
) -> None:
    Club.objects.filter(pk=cast.club.pk).update(is_public=False)
    invitation, token = roster.invite(cast.club, cast.anna, note="secret note")
    now = timezone.now()
    if spoil == "used":
        roster.accept(token, make.UserFactory())
    elif spoil == "revoked":
        roster.revoke(invitation)
    elif spoil == "expired":
        Invitation.objects.update(expires_at=now - timedelta(seconds=1))
    else:
        token = "x" * 43
    if signed_on:
        client.force_login(cast.dino)

    answers = [client.get(reverse("join", args=[token]))]
    if signed_on:
        answers.append(client.post(reverse("join", args=[token])))

    for answer in answers:
        page = answer.content.decode()
        assert answer.status_code == status
        assert says in page
        assert "Lanterna" not in page
        assert "secret note" not in page
    assert not Membership.objects.filter(club=cast.club, user=cast.dino).exists()


def test_an_invitation_lasts_as_long_as_the_settings_say(cast: Cast, settings: Any) -> None:
    settings.INVITATION_DAYS = 3

    invitation, _ = roster.invite(cast.club, cast.anna)

    assert timedelta(days=3) - timedelta(minutes=1) < invitation.expires_at - timezone.now() <= timedelta(days=3)


def test_an_organiser_takes_an_invitation_back(client: Client, cast: Cast) -> None:
    invitation, token = roster.invite(cast.club, cast.anna)
    client.force_login(cast.anna)

    client.post(reverse("invitation_revoke", args=["lanterna", invitation.pk]))

    assert client.get(reverse("join", args=[token])).status_code == 410


def test_another_club_s_invitation_cannot_be_taken_back(client: Client, cast: Cast) -> None:
    invitation, _ = roster.invite(cast.club, cast.anna)
    client.force_login(cast.dino)

    assert client.post(reverse("invitation_revoke", args=["dobbel", invitation.pk])).status_code == 404
    assert client.post(reverse("invitation_revoke", args=["lanterna", invitation.pk])).status_code == 404
    invitation.refresh_from_db()
    assert invitation.is_open


def test_accepting_twice_is_accepting_once(client: Client, cast: Cast) -> None:
    _, token = roster.invite(cast.club, cast.anna)
    client.force_login(cast.dino)
    address = reverse("join", args=[token])

    answers = [client.post(address), client.post(address), client.get(address)]

    assert {a["Location"] for a in answers} == {cast.club.get_absolute_url()}
    assert Membership.objects.filter(club=cast.club, user=cast.dino).count() == 1


def test_a_member_who_accepts_is_never_lowered(cast: Cast) -> None:
    _, low = roster.invite(cast.club, cast.bruno, role=Role.MEMBER)
    _, high = roster.invite(cast.club, cast.anna, role=Role.COMMISSAIRE)

    assert roster.accept(low, cast.anna).membership.role == Role.ORGANISER
    assert roster.accept(high, cast.carla).membership.role == Role.COMMISSAIRE


def test_who_is_somebody_on_the_roster_already_stays_him(cast: Cast) -> None:
    own = make.PlayerFactory(club=cast.club, user=cast.carla)
    other = make.PlayerFactory(club=cast.club)
    _, token = roster.invite(cast.club, cast.anna, player=other)

    joined = roster.accept(token, cast.carla)

    assert (joined.player, joined.already) == (own, own)
    other.refresh_from_db()
    assert other.user is None


def test_a_player_with_a_member_or_of_another_club_is_not_offered(client: Client, cast: Cast) -> None:
    taken = make.PlayerFactory(club=cast.club, user=cast.carla)
    foreign = make.PlayerFactory(club=cast.other_club)
    client.force_login(cast.anna)

    for player in (taken, foreign):
        answer = client.post(reverse("invite", args=PEOPLE), {"role": "member", "player": player.pk})
        assert answer.status_code == 422
        assert "player" in answer.context["form"].errors
    assert not Invitation.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_two_people_who_accept_at_the_same_moment_are_one(cast: Cast) -> None:
    player = make.PlayerFactory(club=cast.club)
    _, token = roster.invite(cast.club, cast.anna, player=player)
    one, two = make.UserFactory(), make.UserFactory()

    outcomes = at_once(lambda: roster.accept(token, one), lambda: roster.accept(token, two))

    assert sorted(type(o).__name__ for o in outcomes) == ["DeadLink", "Joined"]
    assert cast.club.memberships.filter(user__in=[one, two]).count() == 1
    winner = cast.club.memberships.get(user__in=[one, two]).user
    player.refresh_from_db()
    assert player.user == winner == Invitation.objects.get().used_by


@pytest.mark.django_db(transaction=True)
def test_one_person_who_accepts_twice_at_the_same_moment_is_in_once(cast: Cast) -> None:
    _, token = roster.invite(cast.club, cast.anna)
    zoe = make.UserFactory()

    outcomes = at_once(*[lambda: roster.accept(token, zoe)] * 4)

    assert [type(o).__name__ for o in outcomes] == ["Joined"] * 4
    assert cast.club.memberships.filter(user=zoe).count() == 1


def test_guessing_links_ends_with_the_twenty_first_try(client: Client, cast: Cast) -> None:
    client.force_login(cast.dino)

    answers = [client.get(reverse("join", args=[f"guess-{n}"])).status_code for n in range(limits.INVITATION_TRIES + 1)]
    last = client.post(reverse("join", args=["guess"]))

    assert answers == [404] * limits.INVITATION_TRIES + [429]
    assert last.status_code == 429
    assert "Too many tries" in last.content.decode()


def test_looking_at_a_good_link_is_not_counted(client: Client, cast: Cast) -> None:
    _, token = roster.invite(cast.club, cast.anna)

    answers = {client.get(reverse("join", args=[token])).status_code for _ in range(limits.INVITATION_TRIES + 5)}

    assert answers == {200}


# The roster


def test_everybody_sees_the_roster_of_an_open_club_with_teams_and_starts(client: Client, evening: Evening) -> None:
    TeamSpell.objects.update(first_day=timezone.now().date() - timedelta(days=1))
    type(evening.season).objects.update(ends_on=timezone.now().date() + timedelta(days=1))
    evening.ride("1", "2", "3")

    known = {k.player.name: k for k in client.get(reverse("players", args=PEOPLE)).context["known"]}

    assert known["Player A"].starts == 3
    assert known["Player A"].team == evening.teams["white"]
    assert known["Player A"].last == evening.stages["3"]


def test_who_did_not_start_has_no_start_and_a_draft_is_none(evening: Evening) -> None:
    cells = evening.cells("1")
    rider = evening.riders["B"]
    for key in ("turn", "place", "energy"):
        cells.pop(f"{key}-{rider.pk}")
    cells[f"status-{rider.pk}"] = "dns"
    cells[f"place-{evening.riders['E'].pk}"] = "4"
    cells[f"place-{evening.riders['F'].pk}"] = "5"
    evening.type("1", cells)
    drafted = {k.player.pk: k.starts for k in roster.know(evening.players.values(), evening.club)}
    asked = {f.sure: "on" for f in results.entry_of(evening.stages["1"]).findings if f.sure}
    results.type_cells(evening.stages["1"], None, asked, {})
    results.publish(evening.stages["1"], None)
    starts = {k.player.pk: k.starts for k in roster.know(evening.players.values(), evening.club)}

    assert set(drafted.values()) == {0}
    assert starts[evening.players["B"].pk] == 0
    assert starts[evening.players["A"].pk] == 1


def test_a_player_is_put_on_the_roster_under_one_form_of_his_name(client: Client, cast: Cast) -> None:
    client.force_login(cast.anna)

    client.post(reverse("player_new", args=PEOPLE), {"name": "Zoe\u0308  \u202eB."})

    player = Player.objects.get(club=cast.club)
    assert (player.name, player.name_key) == ("Zo\u00eb B.", "zo\u00eb b.")


def test_a_name_that_is_there_is_asked_about_and_nobody_is_added_unasked(client: Client, cast: Cast) -> None:
    season = make.SeasonFactory(club=cast.club, starts_on=timezone.now().date(), ends_on=timezone.now().date())
    for team in ("Rosa", "Groene"):
        jan = make.PlayerFactory(club=cast.club, name="Jan Jansen")
        side = make.TeamFactory(season=season, name=team, colour="blue" if team == "Rosa" else "green")
        make.TeamSpellFactory(team=side, player=jan, first_day=timezone.now().date() - timedelta(days=1))
    client.force_login(cast.anna)
    address = reverse("player_new", args=PEOPLE)

    answer = client.post(address, {"name": "jan  JANSEN"})

    page = answer.content.decode()
    assert answer.status_code == 422
    assert "There are 2 called jan  JANSEN: is it one of these?" in page
    assert "Rosa" in page
    assert "Groene" in page
    assert "no race yet" in page
    assert Player.objects.count() == 2

    client.post(address, {"name": "Piet", "another": answer.context["another"]})  # a yes to Jan is no yes to ...
    make.PlayerFactory(club=cast.club, name="Klaas")
    assert client.post(address, {"name": "Klaas", "another": answer.context["another"]}).status_code == 422
    added = client.post(address, {"name": "Jan Jansen", "note": "of 1987", "another": answer.context["another"]})

    assert added.status_code == 302
    assert Player.objects.filter(name_key="jan jansen").count() == 3
    page = client.get(reverse("players", args=PEOPLE)).content.decode()
    assert "of 1987" in page
    assert len(set(re.findall(r"/players/\d+/\"", page))) == 5  # namesakes have addresses of their own


def test_namesakes_are_told_apart_wherever_one_is_chosen(client: Client, evening: Evening) -> None:
    evening.ride("1")
    jan, other = evening.players["A"], evening.players["C"]
    Player.objects.filter(pk__in=[jan.pk, other.pk]).update(name="Jan Jansen", name_key="jan jansen")
    make.PlayerFactory.create_batch(2, club=evening.club, name="Zo\u00eb")
    client.force_login(evening.organiser)

    labels = [
        label for _, label in client.get(reverse("player_merge", args=PEOPLE)).context["form"].fields["keep"].choices
    ]
    transfers = client.get(reverse("transfer", args=["lanterna", "2026"])).content.decode()

    assert len(set(labels)) == len(labels) == 9
    jans = [label for label in labels if label.startswith("Jan Jansen (")]
    assert [("last race: Stage 1, Pianura" in label) for label in jans] == [True, True]
    assert transfers.count("Jan Jansen (") == 4  # in the list of spells and in the choice


def test_a_namesake_of_another_club_is_no_namesake(cast: Cast) -> None:
    make.PlayerFactory(club=cast.other_club, name="Jan Jansen")

    assert roster.add_player(cast.club, "Jan Jansen").name == "Jan Jansen"


def test_the_name_of_somebody_merged_asks_about_the_one_who_was_kept(cast: Cast) -> None:
    keep = make.PlayerFactory(club=cast.club, name="Jan Jansen")
    roster.merge(keep, make.PlayerFactory(club=cast.club, name="J. Jansen"))

    with pytest.raises(roster.Namesakes) as asked:
        roster.add_player(cast.club, "j. jansen")

    assert asked.value.players == (keep,)


@pytest.mark.django_db(transaction=True)
def test_two_organisers_who_add_one_name_at_once_add_one_and_are_asked_once(cast: Cast) -> None:
    outcomes = at_once(
        lambda: roster.add_player(cast.club, "Jan Jansen"), lambda: roster.add_player(cast.club, "JAN JANSEN")
    )

    assert sorted(type(o).__name__ for o in outcomes) == ["Namesakes", "Player"]
    assert Player.objects.count() == 1


def test_a_player_changes_name_note_and_member_and_leaves_the_roster(client: Client, cast: Cast) -> None:
    player = make.PlayerFactory(club=cast.club, name="Carla")
    client.force_login(cast.anna)

    client.post(
        reverse("player_edit", args=["lanterna", player.pk]),
        {"name": "Carla Venn", "note": "the climber", "user": cast.carla.pk, "has_left": "on"},
    )

    player.refresh_from_db()
    assert (str(player), player.user, player.left_at is not None) == ("Carla Venn (the climber)", cast.carla, True)
    assert player not in roster.on_roster(cast.club)


def test_renaming_into_a_namesake_is_asked_about(client: Client, cast: Cast) -> None:
    make.PlayerFactory(club=cast.club, name="Jan Jansen")
    player = make.PlayerFactory(club=cast.club, name="Jan")
    client.force_login(cast.anna)

    answer = client.post(reverse("player_edit", args=["lanterna", player.pk]), {"name": "Jan Jansen"})

    assert answer.status_code == 422
    player.refresh_from_db()
    assert player.name == "Jan"


def test_one_member_is_one_player_and_a_stranger_is_none(client: Client, cast: Cast) -> None:
    make.PlayerFactory(club=cast.club, user=cast.carla)
    player = make.PlayerFactory(club=cast.club)
    client.force_login(cast.anna)

    for user in (cast.carla, cast.dino):
        answer = client.post(
            reverse("player_edit", args=["lanterna", player.pk]), {"name": player.name, "user": user.pk}
        )
        assert answer.status_code == 422
    with pytest.raises(Refused, match="is Player"):
        roster.change_player(player, name=player.name, note="", user=cast.carla, has_left=False)


@pytest.mark.parametrize("name", ["", " ", "\x00", "\u200b", "ΐ" * 80, "x" * 81, "🚴" * 81])
def test_no_name_at_all_or_one_too_long_is_refused(client: Client, cast: Cast, name: str) -> None:
    client.force_login(cast.anna)

    answer = client.post(reverse("player_new", args=PEOPLE), {"name": name})

    assert answer.status_code == 422
    assert not Player.objects.exists()


@pytest.mark.parametrize("name", ["🚴🏽‍♀️", "محمد", "李明", "Jan-Luc - de Sprinter", "O'Brien", "</script><b>x"])
def test_any_real_name_is_kept_as_typed_and_shown_escaped(client: Client, cast: Cast, name: str) -> None:
    client.force_login(cast.anna)

    client.post(reverse("player_new", args=PEOPLE), {"name": name})

    assert Player.objects.get().name == name
    assert "</script><b>x" not in client.get(reverse("players", args=PEOPLE)).content.decode()


# Duplicates


def twin_of(evening: Evening, letter: str = "A") -> Player:
    """A second entry on the roster for the player who rode as `letter`."""
    return make.PlayerFactory(club=evening.club, name=f"Twin of {letter}")


def snapshot() -> list[tuple[Any, ...]]:
    """Everything that was ridden and everything that says for whom."""
    spells = list(TeamSpell.objects.order_by("pk").values_list())
    return [*Result.objects.order_by("pk").values_list(), *spells]


def test_the_preview_tells_what_both_bring_and_what_changes(client: Client, evening: Evening) -> None:
    evening.ride("1", "2")
    client.force_login(evening.organiser)
    keep, gone = twin_of(evening), evening.players["A"]

    answer = client.get(reverse("player_merge", args=PEOPLE), {"keep": keep.pk, "gone": gone.pk})

    preview = answer.context["preview"]
    assert answer.status_code == 200
    assert (preview.keep.known.starts, preview.gone.known.starts) == (0, 2)
    assert [r.bib for r in preview.gone.lines] == [11]
    assert preview.gone.teams == ["White from 1 January 2026"]
    (change,) = preview.seasons
    rows = {row.player: (row.before and row.before.points, row.after and row.after.points) for row in change.rows}
    assert rows == {gone: (15, None), keep: (None, 15)}
    assert Player.objects.get(pk=gone.pk).merged_into is None


def test_a_merge_rewrites_nothing_and_counts_for_the_one_who_is_kept(client: Client, evening: Evening) -> None:
    evening.ride("1", "2")
    client.force_login(evening.organiser)
    keep, gone = twin_of(evening), evening.players["A"]
    before, revision = snapshot(), evening.campaign.revision

    client.post(reverse("player_merge", args=PEOPLE), {"keep": keep.pk, "gone": gone.pk})
    count(evening.campaign.pk)

    gone.refresh_from_db()
    evening.campaign.refresh_from_db()
    assert gone.merged_into == keep
    assert snapshot() == before
    assert evening.campaign.revision == revision + 1
    table = SeasonStanding.objects.filter(classification=SeasonStanding.PLAYERS)
    assert table.get(player=keep).points == 15
    assert not table.filter(player=gone).exists()
    (known,) = roster.know([keep], evening.club)
    assert (known.starts, known.last) == (2, evening.stages["2"])


def test_an_unmerged_player_is_as_he_was(client: Client, evening: Evening, cast: Cast) -> None:
    evening.ride("1", "2")
    client.force_login(evening.organiser)
    keep, gone = twin_of(evening), evening.players["A"]
    Player.objects.filter(pk=gone.pk).update(user=cast.carla)
    rows = SeasonStanding.objects.order_by("classification", "player", "team")
    before = list(rows.values_list("classification", "player", "team", "rank", "points"))

    roster.merge(keep, gone)
    taken = Player.objects.get(pk=keep.pk).user
    count(evening.campaign.pk)
    client.post(reverse("player_unmerge", args=["lanterna", gone.pk]))
    count(evening.campaign.pk)

    assert taken == cast.carla
    assert Player.objects.get(pk=keep.pk).user is None
    assert Player.objects.get(pk=gone.pk).user == cast.carla
    assert list(rows.values_list("classification", "player", "team", "rank", "points")) == before


def test_the_address_of_a_merged_player_leads_for_good_to_the_one_who_is_kept(client: Client, evening: Evening) -> None:
    keep, gone = twin_of(evening), evening.players["A"]
    roster.merge(keep, gone)

    answer = client.get(gone.get_absolute_url())

    assert (answer.status_code, answer["Location"]) == (301, keep.get_absolute_url())


def test_merges_stay_one_level_deep(cast: Cast) -> None:
    one, two, three = make.PlayerFactory.create_batch(3, club=cast.club)

    roster.merge(two, one)
    roster.merge(three, two)

    assert {p.merged_into for p in Player.objects.filter(pk__in=[one.pk, two.pk])} == {three}
    with pytest.raises(Refused, match="merged already"):
        roster.merge(two, make.PlayerFactory(club=cast.club))


def test_two_members_are_two_people(client: Client, cast: Cast) -> None:
    one = make.PlayerFactory(club=cast.club, user=cast.carla)
    two = make.PlayerFactory(club=cast.club, user=cast.bruno)
    client.force_login(cast.anna)

    preview = client.get(reverse("player_merge", args=PEOPLE), {"keep": one.pk, "gone": two.pk})
    answer = client.post(reverse("player_merge", args=PEOPLE), {"keep": one.pk, "gone": two.pk, "sure": "on"})

    assert "belongs to Carla" in preview.content.decode()
    assert answer.status_code == 422
    assert not Player.objects.exclude(merged_into=None).exists()


def test_who_rode_against_himself_is_asked_about_first(client: Client, evening: Evening) -> None:
    client.force_login(evening.organiser)
    keep, gone = evening.players["A"], evening.players["C"]
    data = {"keep": keep.pk, "gone": gone.pk}
    address = reverse("player_merge", args=PEOPLE)

    preview = client.get(address, data).context["preview"]
    unsure = client.post(address, data)
    sure = client.post(address, data | {"sure": "on"})

    assert "bib 11 and bib 21" in preview.asked[0]
    assert "two teams at once: White from 1 January 2026 and Blue from 1 January 2026" in preview.asked[1]
    assert (unsure.status_code, sure.status_code) == (422, 302)
    assert Player.objects.get(pk=gone.pk).merged_into == keep


def test_a_player_of_another_club_and_the_same_one_twice_cannot_be_merged(client: Client, cast: Cast) -> None:
    mine, theirs = make.PlayerFactory(club=cast.club), make.PlayerFactory(club=cast.other_club)
    client.force_login(cast.anna)

    for gone in (theirs, mine):
        answer = client.post(reverse("player_merge", args=PEOPLE), {"keep": mine.pk, "gone": gone.pk})
        assert answer.status_code == 422
    with pytest.raises(Refused, match="not of one club"):
        roster.merge(mine, theirs)
    assert client.post(reverse("player_unmerge", args=["lanterna", theirs.pk])).status_code == 404


def test_only_organisers_change_the_roster(client: Client, cast: Cast) -> None:
    player = make.PlayerFactory(club=cast.club)
    pages = [
        reverse("player_new", args=PEOPLE),
        reverse("player_merge", args=PEOPLE),
        reverse("player_edit", args=["lanterna", player.pk]),
    ]
    for user, answer in ((cast.dino, 404), (cast.carla, 403), (cast.bruno, 403), (cast.anna, 200)):
        client.force_login(user)
        assert {client.get(page).status_code for page in pages} == {answer}


@pytest.mark.parametrize("page", ["players", "people", "player_merge", "account"])
def test_pages_of_people_cost_the_same_however_many_there_are(
    client: Client, evening: Evening, django_assert_max_num_queries, page: str
) -> None:
    client.force_login(evening.organiser)
    evening.ride("1")
    roster.invite(evening.club, evening.organiser, player=evening.players["A"])
    make.PlayerFactory(club=evening.club, user=evening.organiser)
    make.PlayerFactory.create_batch(2, club=evening.club, name="Jan Jansen")  # namesakes cost a look, once
    address = reverse(page, args=[] if page == "account" else PEOPLE)
    data = {"keep": evening.players["A"].pk, "gone": evening.players["C"].pk} if page == "player_merge" else {}

    def queries() -> int:
        with django_assert_max_num_queries(40) as seen:
            assert client.get(address, data).status_code == 200
        return len(seen)

    queries()
    few = queries()
    for n in range(30):
        player = make.PlayerFactory(club=evening.club, name="Jan Jansen")
        make.TeamSpellFactory(team=evening.teams["blue"], player=player)
        make.RiderFactory(campaign=evening.campaign, player=player, bib=100 + n)
        make.MembershipFactory(club=evening.club)
        roster.invite(evening.club, evening.organiser, player=player)
        made = make.ClubFactory()
        make.MembershipFactory(club=made, user=evening.organiser)
        make.PlayerFactory(club=made, user=evening.organiser)

    assert queries() == few


def test_an_address_stands_in_for_a_name_before_organisers_only(client: Client, evening: Evening, cast: Cast) -> None:
    """Bruno has given no name. He signs stage 1; members and the jury see what he did, Anna his address as well."""
    cast.bruno.first_name = ""
    cast.bruno.save()
    evening.type("1")
    results.publish(evening.stages["1"], cast.bruno, official=True)
    people = reverse("people", args=[cast.club.slug])
    pages = [evening.campaign.url("stage", "1"), evening.campaign.url("version", "1", 1), evening.campaign.url("gc")]

    for user, more in ((cast.carla, [people]), (cast.bruno, [evening.campaign.url("sheet", "1")])):
        client.force_login(user)
        for url in pages + more:
            body = client.get(url).content.decode()
            masthead, _, main = body.partition("<main")
            assert cast.bruno.email not in main, url
            assert user == cast.bruno or cast.bruno.email not in masthead, url

    client.force_login(cast.anna)
    assert cast.bruno.email in client.get(people).content.decode()
