"""Giri for the tests of pages: ridden to the end, with a missing result, with rulings, of any size."""

from __future__ import annotations

from django.db import transaction

from league import recount, results, rulings
from league.models import Campaign, Club, Stage
from league.models.club import Role
from league.models.results import RulingKind
from tests import factories as make
from tests.evening import Evening

ROAD_4 = {"A": (14, 1, 2), "C": (16, 2, 4), "E": (16, 3, 1), "D": (17, 4, 0)}
TEAMS_5 = {"A": (11, 2), "C": (11, 4), "E": (12, 1), "D": (12, 0)}


def publish(evening: Evening, number: str, cells: dict[str, str], *, official: bool = True) -> None:
    """Type these cells, confirm what is asked about, publish and count."""
    stage = evening.stages[number]
    evening.type(number, cells)
    asked = {f.sure: "on" for f in results.entry_of(stage).findings if f.sure}
    results.type_cells(stage, evening.organiser, asked, {})
    results.publish(stage, evening.organiser, official=official)
    recount.count(evening.campaign.pk)
    evening.campaign.refresh_from_db()


def to_the_end(evening: Evening) -> Evening:
    """All five stages: Sarti wins on La Vetta, Blue the team time trial; Venn wins the Giro, level with Sarti."""
    evening.ride("1", "2", "3")
    cells = {"peloton": "15", "bonus-1": str(evening.riders["A"].pk)}
    for letter, (turn, place, energy) in ROAD_4.items():
        pk = evening.riders[letter].pk
        cells |= {f"turn-{pk}": str(turn), f"place-{pk}": str(place), f"energy-{pk}": str(energy)}
    publish(evening, "4", cells)
    cells = {}
    for letter, (turn, energy) in TEAMS_5.items():
        pk = evening.riders[letter].pk
        cells |= {f"turn-{pk}": str(turn), f"energy-{pk}": str(energy)}
    publish(evening, "5", cells)
    return evening


def with_a_missing_result(evening: Evening) -> Evening:
    """Stage 1 official; stage 2 provisional, with nothing of Kessel (12) on its sheet."""
    evening.ride("1")
    pk = evening.riders["B"].pk
    cells = {key: value for key, value in evening.cells("2").items() if not key.endswith(f"-{pk}")}
    cells = {key: value for key, value in cells.items() if not key.startswith("clock-")}
    publish(evening, "2", cells, official=False)
    return evening


def with_rulings(evening: Evening) -> Evening:
    """Three stages and rulings: a penalty on Venn, a bonus for Quist, Marchetti disqualified, Kessel reinstated."""
    evening.ride("1", "2", "3")
    for number, kind, letter, amount in (
        ("2", RulingKind.PENALTY, "C", 1),
        ("2", RulingKind.BONUS, "D", 2),
        ("3", RulingKind.DISQUALIFICATION, "E", None),
        ("3", RulingKind.REINSTATEMENT, "B", None),
    ):
        rule(evening, number, kind, letter, amount)
    return evening


def rule(evening: Evening, number: str, kind: RulingKind, letter: str, amount: int | None = None) -> None:
    stage = Stage.objects.select_related("campaign__season__club").get(pk=evening.stages[number].pk)
    proposal = rulings.Proposal(
        stage=stage, kind=kind, rider=evening.riders[letter], amount=amount, reason="What the jury saw.", sure=True
    )
    rulings.rule(evening.campaign, proposal, evening.organiser)
    recount.count(evening.campaign.pk)
    evening.campaign.refresh_from_db()


def touched(campaign: Campaign) -> None:
    """A fact has changed and nobody has counted yet."""
    with transaction.atomic():
        recount.touch(campaign)
    campaign.refresh_from_db()


def race(club: Club, *, riders: int, stages: int, slug: str) -> Campaign:
    """A campaign of so many riders in teams of two, all stages ridden and counted. Each day somebody else wins."""
    organiser = make.UserFactory(first_name="Anna")
    make.MembershipFactory(club=club, user=organiser, role=Role.ORGANISER)
    season = make.SeasonFactory(club=club, slug=slug)
    campaign = make.CampaignFactory(season=season, name=f"Giro {slug}", slug=slug)
    jerseys = [
        (colour, pattern) for pattern in ("plain", "hoops") for colour in ("white", "yellow", "blue", "green", "purple")
    ]
    teams = [
        make.TeamFactory(season=season, name=f"Team {n}", colour=jerseys[n][0], pattern=jerseys[n][1])
        for n in range((riders + 1) // 2)
    ]
    field = []
    for n in range(riders):
        player = make.PlayerFactory(club=club)
        make.TeamSpellFactory(team=teams[n // 2], player=player)
        field.append(make.RiderFactory(campaign=campaign, bib=n + 1, draft_order=n + 1, player=player))
    for order in range(1, stages + 1):
        stage = make.StageFactory(campaign=campaign, order=order)
        cells = {"peloton": "14", "bonus-1": str(field[order % riders].pk)}
        for place in range(riders):
            pk = field[(place + order) % riders].pk
            cells |= {f"turn-{pk}": str(12 + place // 4), f"place-{pk}": str(place + 1), f"energy-{pk}": "4"}
        results.type_cells(stage, organiser, cells, {})
        asked = {f.sure: "on" for f in results.entry_of(stage).findings if f.sure}
        results.type_cells(stage, organiser, asked, {})
        results.publish(stage, organiser, official=True)
    recount.count(campaign.pk)
    campaign.refresh_from_db()
    return campaign
