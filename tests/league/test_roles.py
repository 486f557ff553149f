"""The table of roles against the table of addresses, walked.

Stranger (not signed on), Dino (organiser of another club), Carla (member), Bruno (commissaire), Anna (organiser).
Every address of the site must be in the table; a new one without a line fails.
"""

import html
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from http import HTTPStatus

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone

from league import results
from league.forms.library import Typed
from league.models import ClubCourse, Invitation, Membership, Ruling
from races import chat, play
from races.chat import Writer
from races.lobby import ME, OPEN, open_friendly
from races.lobby import Place as Seating
from races.models import Part, Race
from rules.giro.course import built_in
from tests.conftest import Cast
from tests.evening import Evening
from tests.league.series.club import Coppa, coppa
from tests.races import rides

EVERYBODY, SIGNED_ON, MEMBER, COMMISSAIRE, ORGANISER = "everybody", "signed on", "member", "commissaire", "organiser"
LEADER = "leader of the race"  # Anna made it, and sits in seat A
A_LEADER = "leader of any race"  # for a page about all of his
RANK = {"stranger": 0, "dino": 0, "carla": 1, "bruno": 2, "anna": 3}
NEEDS = {MEMBER: 1, COMMISSAIRE: 2, ORGANISER: 3}


@dataclass(frozen=True)
class Address:
    who: str
    args: Callable[["Place"], list[object]]
    post: bool = False
    told: dict[str, str] = field(default_factory=dict)  # in the form


@dataclass(frozen=True)
class Place:
    """Something to look at for every address."""

    evening: Evening
    membership: Membership
    invitation: Invitation
    ruling: Ruling
    race: Race
    open_race: Race  # of Anna's, waits for riders
    led: Race  # of Anna's, runs
    coppa: Coppa  # round 1 is published, round 2 is typed

    @property
    def in_club(self) -> list[object]:
        return [self.evening.club.slug]

    @property
    def in_season(self) -> list[object]:
        return [*self.in_club, self.evening.season.slug]

    @property
    def in_campaign(self) -> list[object]:
        return [*self.in_season, self.evening.campaign.slug]

    @property
    def in_series(self) -> list[object]:
        return [*self.in_club, self.coppa.season.slug, self.coppa.series.slug]

    @property
    def player(self) -> int:
        return self.evening.players["A"].pk

    @property
    def team(self) -> int:
        return self.evening.teams["white"].pk


def club(*more: object) -> Callable[[Place], list[object]]:
    return lambda place: [*place.in_club, *more]


def season(*more: object) -> Callable[[Place], list[object]]:
    return lambda place: [*place.in_season, *more]


def campaign(*more: object) -> Callable[[Place], list[object]]:
    return lambda place: [*place.in_campaign, *more]


def series(*more: object) -> Callable[[Place], list[object]]:
    return lambda place: [*place.in_series, *more]


def player(place: Place) -> list[object]:
    return [*place.in_club, place.player]


def team(place: Place) -> list[object]:
    return [*place.in_season, place.team]


def open_race(*more: object) -> Callable[[Place], list[object]]:
    return lambda place: [place.open_race.key, *more]


def led(*more: object) -> Callable[[Place], list[object]]:
    return lambda place: [place.led.key, *more]


def ruling(place: Place) -> list[object]:
    return [*place.in_campaign, place.ruling.number]


TABLE = {
    # the front door
    "home": Address(EVERYBODY, lambda place: []),
    "healthz": Address(EVERYBODY, lambda place: []),
    "theme": Address(EVERYBODY, lambda place: [], post=True),
    "club_new": Address(SIGNED_ON, lambda place: []),
    "account": Address(SIGNED_ON, lambda place: []),
    "join": Address(EVERYBODY, lambda place: ["no-such-invitation"]),
    # the club
    "club": Address(EVERYBODY, club()),
    "club_edit": Address(ORGANISER, club()),
    "people": Address(MEMBER, club()),
    "invite": Address(ORGANISER, club(), post=True),
    "leave": Address(MEMBER, club(), post=True),
    "invitation_revoke": Address(ORGANISER, lambda p: [*p.in_club, p.invitation.pk], post=True),
    "member_role": Address(ORGANISER, lambda p: [*p.in_club, p.membership.pk], post=True),
    "players": Address(EVERYBODY, club()),
    "player": Address(EVERYBODY, player),
    "player_new": Address(ORGANISER, club()),
    "player_edit": Address(ORGANISER, player),
    "player_merge": Address(ORGANISER, club()),
    "player_unmerge": Address(ORGANISER, player, post=True),
    # its courses
    "courses": Address(MEMBER, club()),
    "course": Address(MEMBER, club("lungomare")),
    "course_new": Address(COMMISSAIRE, club()),
    "course_edit": Address(COMMISSAIRE, club("lungomare")),
    "course_archive": Address(COMMISSAIRE, club("lungomare"), post=True),
    # seasons
    "seasons": Address(EVERYBODY, club()),
    "season": Address(EVERYBODY, season()),
    "season_table": Address(EVERYBODY, season("teams", "csv")),
    "season_new": Address(ORGANISER, club()),
    "season_edit": Address(ORGANISER, season()),
    "season_archive": Address(ORGANISER, season(), post=True),
    "team": Address(EVERYBODY, team),
    "team_new": Address(ORGANISER, season()),
    "team_edit": Address(ORGANISER, team),
    "transfer": Address(ORGANISER, season()),
    # the campaign
    "campaign_new": Address(ORGANISER, season()),
    "campaign": Address(EVERYBODY, campaign()),
    "campaign_edit": Address(ORGANISER, campaign()),
    "startlist": Address(ORGANISER, campaign()),
    "stage_new": Address(ORGANISER, campaign()),
    "stage_edit": Address(ORGANISER, campaign("2")),
    "stage_remove": Address(ORGANISER, campaign("5"), post=True),
    "stage_move": Address(ORGANISER, campaign("5"), post=True),
    "calendar": Address(EVERYBODY, campaign()),
    "calendar_ics": Address(EVERYBODY, campaign()),
    "tonight": Address(EVERYBODY, campaign("4")),
    # standings and results
    "gc": Address(EVERYBODY, campaign()),
    "gc_embed": Address(EVERYBODY, campaign()),
    "gc_export": Address(EVERYBODY, campaign("csv")),
    "history": Address(EVERYBODY, campaign("json")),
    "teams": Address(EVERYBODY, campaign()),
    "teams_embed": Address(EVERYBODY, campaign()),
    "teams_export": Address(EVERYBODY, campaign("json")),
    "stage": Address(EVERYBODY, campaign("1")),
    "stage_export": Address(EVERYBODY, campaign("1", "csv")),
    "riders": Address(EVERYBODY, campaign()),
    "rider": Address(EVERYBODY, campaign(11)),
    # the sheet
    "sheet": Address(COMMISSAIRE, campaign("2")),
    "sheet_publish": Address(COMMISSAIRE, campaign("2"), post=True),
    "version": Address(EVERYBODY, campaign("1", 1)),
    # the jury
    "rulings": Address(EVERYBODY, campaign()),
    "ruling": Address(EVERYBODY, ruling),
    "ruling_new": Address(COMMISSAIRE, campaign()),
    "ruling_withdraw": Address(COMMISSAIRE, ruling),
    "correct": Address(COMMISSAIRE, campaign("1")),
    # points series
    "series_new": Address(ORGANISER, season()),
    "series": Address(EVERYBODY, series()),
    "series_file": Address(EVERYBODY, series("csv")),
    "series_ics": Address(EVERYBODY, series()),
    "what_if": Address(EVERYBODY, lambda p: [*p.in_series, p.coppa.entrants["A"].pk]),
    "series_edit": Address(ORGANISER, series()),
    "series_entrants": Address(ORGANISER, series()),
    "series_divisions": Address(ORGANISER, series()),
    "series_next": Address(ORGANISER, series()),
    "round": Address(EVERYBODY, series("1")),
    "round_new": Address(ORGANISER, series()),
    "round_edit": Address(ORGANISER, series("2")),
    "round_remove": Address(ORGANISER, series("2"), post=True),
    "round_move": Address(ORGANISER, series("2"), post=True),
    "round_sheet": Address(COMMISSAIRE, series("2")),
    "round_version": Address(EVERYBODY, series("1", 1)),
    "round_race": Address(ORGANISER, series("2")),
    # races
    "stage_race": Address(ORGANISER, campaign("2")),
    "races:list": Address(EVERYBODY, lambda place: []),
    "races:new": Address(SIGNED_ON, lambda place: []),
    "races:join": Address(EVERYBODY, lambda p: [p.open_race.key, p.open_race.invitation]),
    "races:take": Address(SIGNED_ON, open_race(), post=True),
    "races:leave": Address(EVERYBODY, open_race(), post=True),
    "races:seat": Address(LEADER, open_race(), post=True),
    "races:start": Address(LEADER, open_race(), post=True),
    "races:substitute": Address(LEADER, led(), post=True),
    "races:abandon": Address(LEADER, led(), post=True),
    "races:trouble": Address(A_LEADER, lambda place: []),
    "races:mend": Address(LEADER, led(), post=True, told={"do": "look"}),
    "races:race": Address(EVERYBODY, led()),
    "races:entry": Address(EVERYBODY, led(0)),
    "races:rules": Address(EVERYBODY, lambda place: ["giro"]),
    "races:take_back": Address(LEADER, led(), post=True, told={"seat": "A"}),
    "races:single": Address(LEADER, led(), post=True, told={"seat": "A"}),
    "races:rewind": Address(LEADER, led(), post=True, told={"to": "0", "reason": "The cat was on the board."}),
    "races:referee": Address(LEADER, led()),
    "races:undo": Address(LEADER, led(), post=True),
    "races:events": Address(EVERYBODY, lambda place: [place.race.key]),
    "races:version": Address(EVERYBODY, lambda place: [place.race.key]),
    "races:clock": Address(LEADER, led()),
    "races:pause": Address(LEADER, led(), post=True),
    "races:resume": Address(LEADER, led(), post=True),
    "races:back": Address(SIGNED_ON, led(), post=True),
    "races:reach": Address(SIGNED_ON, lambda place: []),
    "races:away": Address(SIGNED_ON, lambda place: [], post=True),
    "races:home": Address(SIGNED_ON, lambda place: [10**6], post=True),
    "races:dice": Address(EVERYBODY, lambda place: []),
    "races:import": Address(SIGNED_ON, lambda place: []),
    "races:log": Address(EVERYBODY, lambda place: [place.race.key]),
    "races:text": Address(EVERYBODY, lambda place: [place.race.key]),
    "races:export": Address(EVERYBODY, lambda place: [place.race.key]),
    "races:verify": Address(EVERYBODY, lambda place: [place.race.key]),
    "races:numbers": Address(EVERYBODY, lambda place: [place.race.key]),
    "races:chat": Address(EVERYBODY, led()),
    "races:chat_hide": Address(LEADER, led(1), post=True, told={"hidden": "1"}),
    "races:chat_delete": Address(LEADER, led(1), post=True),
    "races:chat_seen": Address(SIGNED_ON, led(), post=True),
    "races:chat_mute": Address(SIGNED_ON, led(), post=True),
    "races:notes": Address(SIGNED_ON, led()),
    "races:fork": Address(SIGNED_ON, lambda place: [place.race.key, 1], post=True),
}  # fmt: skip


def names(resolver: URLResolver) -> set[str]:
    """Names of our own addresses (allauth's are its own business)."""
    found = set()
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLPattern):
            if pattern.name:
                found.add(pattern.name)
        elif not str(pattern.pattern).startswith("accounts/"):
            space = f"{pattern.namespace}:" if pattern.namespace else ""
            found |= {space + name for name in names(pattern)}
    return found


@pytest.fixture
def place(evening: Evening, cast: Cast) -> Place:
    evening.ride("1")
    evening.type("2")
    invitation = Invitation.objects.create(
        club=cast.club, token_hash="0" * 64, expires_at=timezone.now() + timedelta(days=3), created_by=cast.anna
    )
    ruling = Ruling.objects.create(
        campaign=evening.campaign, stage=evening.stages["1"], number=1, kind="penalty",
        rider=evening.riders["F"], amount=1, reason="Rode on the pavement.", by=cast.bruno,
    )  # fmt: skip
    ClubCourse.objects.create(
        club=cast.club, slug="lungomare", name="Lungomare", draft=Typed.of(built_in("pianura").plan).as_json(),
        plan=built_in("pianura").plan.as_json(), by=cast.bruno,
    )  # fmt: skip
    led = play.start(friendly(cast.anna, "easy"), by=cast.anna)
    anna = Writer(user=cast.anna, guest="", seat="A", name="Anna", part=Part.LEADS)
    chat.write(led, anna, "Everybody there?", key="one")
    return Place(
        evening, Membership.objects.get(club=cast.club, user=cast.carla), invitation, ruling, rides.started(),
        open_race=friendly(cast.anna, OPEN), led=led, coppa=ridden_coppa(cast),
    )  # fmt: skip


SECRET_ROUND = "D3 C3 B3 A3"


def ridden_coppa(cast: Cast) -> Coppa:
    """A points series with a published round, and a second one that is typed."""
    made = coppa(cast.club, cast.anna, season="2026-coppa")
    made.ride("1", "A1 B1 C1 D1 A2 B2 C2 D2")
    made.type(made.round("2", day=2), SECRET_ROUND)
    return made


def friendly(owner: User, second: str) -> Race:
    """A race that anybody may watch: its owner, and somebody else or a bot."""
    return open_friendly(
        owner=owner, title="After work", game="giro", options={"course": "pianura"}, entrant={"draft": 1},
        places=[Seating(who=ME), Seating(who=second)], way="online", is_public=True,
    )  # fmt: skip


def clients(cast: Cast) -> dict[str, Client]:
    found = {"stranger": Client()}
    for name in ("dino", "carla", "bruno", "anna"):
        client = Client()
        client.force_login(getattr(cast, name))
        found[name] = client
    return found


def ask(client: Client, address: Address, url: str) -> int | str:
    """The status of the answer; whatever it changed is taken back, so that the next one finds the same place."""
    with transaction.atomic():
        answer = client.post(url, address.told) if address.post else client.get(url)
        transaction.set_rollback(True)
    if answer.status_code == HTTPStatus.FOUND and answer["Location"].startswith("/accounts/login/"):
        return "sign on"
    return answer.status_code


def expected(address: Address, who: str) -> set[int | str]:
    let_in = {200, 204, 301, 302, 400, 409, 410, 422}
    if address.who == EVERYBODY:
        return let_in | {404} if address.args is TABLE["join"].args else let_in
    if address.who == SIGNED_ON:
        return {"sign on"} if who == "stranger" else let_in
    if address.who == LEADER:
        return let_in if who == "anna" else {403}
    if address.who == A_LEADER:
        return {"sign on"} if who == "stranger" else let_in if who == "anna" else {403}
    if who == "stranger":
        return {"sign on"}
    if who == "dino":
        return {404}
    return let_in if RANK[who] >= NEEDS[address.who] else {403}


def test_every_address_of_the_site_is_in_the_table() -> None:
    assert names(get_resolver()) == set(TABLE)


def test_everybody_gets_what_the_table_says_and_nothing_else(place: Place, cast: Cast) -> None:
    faults = []
    for who, client in clients(cast).items():
        for name, address in TABLE.items():
            url = reverse(name, args=address.args(place))
            got = ask(client, address, url)
            if got not in expected(address, who):
                faults.append(f"{who} at {url}: {got}")

    assert faults == []


def pages_of_the_club(place: Place) -> Iterator[tuple[str, Address, list[object]]]:
    for name, address in TABLE.items():
        args = address.args(place)
        if args and args[0] == place.evening.club.slug:
            yield name, address, args


def test_a_closed_club_is_not_there_for_others(place: Place, cast: Cast) -> None:
    cast.club.is_public = False
    cast.club.save()
    found = clients(cast)
    faults = []
    for name, address, args in pages_of_the_club(place):
        url = reverse(name, args=args)
        for who in ("stranger", "dino"):
            if (got := ask(found[who], address, url)) != HTTPStatus.NOT_FOUND:
                faults.append(f"{who} at {url}: {got}")
        # a frame on another site brings no sign-on along: a closed club is in none
        welcome = {HTTPStatus.NOT_FOUND} if name.endswith("_embed") else expected(address, "carla")
        if (got := ask(found["carla"], address, url)) not in welcome:
            faults.append(f"carla at {url}: {got}")

    assert faults == []


def test_what_belongs_to_one_club_is_not_found_under_anothers_address(place: Place, cast: Cast) -> None:
    client = Client()
    client.force_login(cast.dino)
    faults = []
    for name, address, args in pages_of_the_club(place):
        if len(args) > 1:
            url = reverse(name, args=[cast.other_club.slug, *args[1:]])
            if (got := ask(client, address, url)) != HTTPStatus.NOT_FOUND:
                faults.append(f"{url}: {got}")

    assert faults == []


def test_what_changes_something_is_never_done_by_a_link(place: Place, cast: Cast) -> None:
    client = Client()
    client.force_login(cast.anna)
    for name, address in TABLE.items():
        if address.post:
            got = client.get(reverse(name, args=address.args(place))).status_code
            assert got == HTTPStatus.METHOD_NOT_ALLOWED, name


def test_a_form_without_its_token_is_refused(place: Place, cast: Cast) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(cast.anna)
    for name, address in TABLE.items():
        if address.who in NEEDS or address.who == LEADER:
            assert client.post(reverse(name, args=address.args(place))).status_code in (403, 405), name


def test_an_archived_season_is_read_and_not_written(place: Place, cast: Cast) -> None:
    season = place.evening.season
    season.archived_at = timezone.now()
    season.save()
    client = Client()
    client.force_login(cast.anna)

    coppas = place.coppa.season
    coppas.archived_at = timezone.now()
    coppas.save()
    for name in ("season", "campaign", "gc", "stage", "rider", "series", "round", "what_if"):
        assert client.get(reverse(name, args=TABLE[name].args(place))).status_code == HTTPStatus.OK
    for name in ("season_edit", "team_new", "transfer", "campaign_new", "campaign_edit", "startlist", "stage_new",
                 "stage_remove", "sheet", "sheet_publish", "ruling_new", "correct", "series_new", "series_edit",
                 "series_entrants", "series_divisions", "round_new", "round_edit", "round_remove", "round_move", "round_sheet",
                 "round_race"):  # fmt: skip
        answer = client.post(reverse(name, args=TABLE[name].args(place)))
        assert answer.status_code == HTTPStatus.CONFLICT, name
        assert "archived" in answer.content.decode()


def test_a_draft_is_for_the_jury_only(place: Place, cast: Cast) -> None:
    """Stage 2 is typed and not published: no page shows what is on it to members or strangers."""
    secret = 97
    cells = place.evening.cells("2")
    energy = f"energy-{place.evening.riders['E'].pk}"
    results.type_cells(place.evening.stages["2"], cast.anna, cells | {energy: str(secret)}, cells)
    for who, client in clients(cast).items():
        if who in ("anna", "bruno"):
            continue
        for name, address in TABLE.items():
            if address.post:
                continue
            args = ["2" if a == "1" else a for a in address.args(place)]
            body = client.get(reverse(name, args=args)).content.decode()
            assert SECRET_ROUND not in body, name
            assert f">{secret}<" not in body, name
            assert f'value="{secret}"' not in body, name


def test_nobody_gives_himself_a_role(place: Place, cast: Cast) -> None:
    client = Client()
    client.force_login(cast.carla)
    url = reverse("member_role", args=[cast.club.slug, place.membership.pk])

    client.post(url, {"role": "organiser"})

    assert Membership.objects.get(user=cast.carla).role == "member"


def test_the_pages_of_an_archived_season_offer_nothing_that_would_be_refused(place: Place, cast: Cast) -> None:
    """Anna walks every link of every page of the archived campaign: none ends at the closed door."""
    season = place.evening.season
    season.archived_at = timezone.now()
    season.save()
    client = Client()
    client.force_login(cast.anna)
    coppas = place.coppa.season
    coppas.archived_at = season.archived_at
    coppas.save()
    start = place.evening.campaign.get_absolute_url()
    waiting, seen = [start, season.get_absolute_url(), place.coppa.series.get_absolute_url()], set()
    refused = []
    while waiting:
        url = waiting.pop()
        if url in seen:
            continue
        seen.add(url)
        answer = client.get(url)
        if answer.status_code == HTTPStatus.CONFLICT:
            refused.append(url)
        elif "html" in answer.headers["Content-Type"]:
            links = re.findall(r'href="(/c/lanterna/(?:campaign|season|series)/[^"#]*)"', answer.content.decode())
            waiting += [html.unescape(link) for link in links]

    assert refused == []
    assert len(seen) > 20
