"""A club's Giro, ready to ride: the worked example of the rules (7.4), on the site.

White: A Amedeo Sarti (11), B Bram Kessel (12). Blue: C Chiara Venn (21), F Fedor Lund (22). Green: D Dario Quist (31),
E Elin Marchetti (32). Stage 1 Pianura (road), 2 Cronometro (individual time trial), 3 Colli (road), 4 La Vetta (road,
to come), 5 Laguna (team time trial, to come). After stage 3: Venn in pink, Sarti and Marchetti at 4, Quist at 9, Lund
lapped, Kessel outside the time limit.
"""

from dataclasses import dataclass, field

from django.contrib.auth.models import User

from league import results
from league.models import Campaign, Club, Player, Rider, Season, Stage, Team
from league.models.club import Role
from league.recount import count
from tests import factories as make

RIDERS = (
    ("A", 11, "Amedeo Sarti", "rouleur", "white"),
    ("B", 12, "Bram Kessel", "climber", "white"),
    ("C", 21, "Chiara Venn", "leader", "blue"),
    ("F", 22, "Fedor Lund", "rouleur", "blue"),
    ("D", 31, "Dario Quist", "leader", "green"),
    ("E", 32, "Elin Marchetti", "climber", "green"),
)
JERSEYS = {"white": "plain", "blue": "sash", "green": "stripes"}
STAGES = (
    ("1", "Pianura", "pianura", "road"),
    ("2", "Cronometro", "crono", "itt"),
    ("3", "Colli", "colli", "road"),
    ("4", "La Vetta", "vetta", "road"),
    ("5", "Laguna", "laguna", "ttt"),
)
# rider: (turn, place or clock, energy)
ROAD_1 = {"A": (12, 1, 3), "C": (12, 2, 9), "D": (13, 3, 11), "B": (14, 4, 18), "E": (14, 5, 22), "F": (17, 6, 0)}
TRIAL_2 = {"C": (11, 1, 0), "B": (11, 2, 2), "E": (12, 3, 6), "A": (13, 4, 7), "D": (14, 5, 5), "F": (15, 6, 1)}
ROAD_3 = {"E": (15, 1, 4), "C": (15, 2, 0), "A": (16, 3, 6), "D": (18, 4, 8), "F": (20, 5, 3), "B": (21, 6, 10)}


@dataclass
class Evening:
    club: Club
    season: Season
    campaign: Campaign
    riders: dict[str, Rider]
    teams: dict[str, Team]
    stages: dict[str, Stage]
    players: dict[str, Player]
    organiser: User
    extra: dict[str, object] = field(default_factory=dict)

    def cells(self, number: str) -> dict[str, str]:
        """The cells of the score sheet of stage 1, 2 or 3, as typed."""
        rows = {"1": ROAD_1, "2": TRIAL_2, "3": ROAD_3}[number]
        cells: dict[str, str] = {}
        for letter, (turn, order, energy) in rows.items():
            pk = self.riders[letter].pk
            cells[f"turn-{pk}"] = str(turn)
            cells[f"energy-{pk}"] = str(energy)
            cells[f"{'clock' if number == '2' else 'place'}-{pk}"] = str(order)
        if number == "1":
            cells |= {"peloton": "14", "bonus-1": str(self.riders["D"].pk)}
        if number == "3":
            cells |= {"peloton": "17", "bonus-1": str(self.riders["C"].pk), "bonus-2": "nobody"}
        return cells

    def type(self, number: str, cells: dict[str, str] | None = None) -> None:
        results.type_cells(self.stages[number], self.organiser, self.cells(number) if cells is None else cells, {})

    def ride(self, *numbers: str, official: bool = True) -> "Evening":
        """Enter and publish these stages, confirming what is asked about, and count."""
        for number in numbers:
            stage = self.stages[number]
            self.type(number)
            asked = {f.sure: "on" for f in results.entry_of(stage).findings if f.sure}
            results.type_cells(stage, self.organiser, asked, {})
            results.publish(stage, self.organiser, official=official)
        count(self.campaign.pk)
        self.campaign.refresh_from_db()
        return self


def giro(*, club: Club | None = None, organiser: User | None = None) -> Evening:
    """Nothing ridden yet."""
    club = club or make.ClubFactory(name="V.C. Lanterna", slug="lanterna", motto="riders who never leave the table")
    if organiser is None:
        organiser = make.UserFactory(first_name="Marta")
        make.MembershipFactory(club=club, user=organiser, role=Role.ORGANISER)
    season = make.SeasonFactory(club=club, name="2026", slug="2026")
    campaign = make.CampaignFactory(season=season, name="Giro d'Inverno", slug="giro-dinverno")
    teams = {
        colour: make.TeamFactory(season=season, name=colour.title(), colour=colour, pattern=pattern)
        for colour, pattern in JERSEYS.items()
    }
    riders, players = {}, {}
    # draft order: as the riders were picked, A B C D E F
    for draft, (letter, bib, name, speciality, colour) in enumerate(sorted(RIDERS), 1):
        players[letter] = make.PlayerFactory(club=club, name=f"Player {letter}")
        make.TeamSpellFactory(team=teams[colour], player=players[letter])
        riders[letter] = make.RiderFactory(
            campaign=campaign, bib=bib, name=name, speciality=speciality, player=players[letter], draft_order=draft
        )
    stages = {
        number: make.StageFactory(campaign=campaign, number=number, order=order, name=name, course=course, kind=kind)
        for order, (number, name, course, kind) in enumerate(STAGES, 1)
    }
    return Evening(club, season, campaign, riders, teams, stages, players, organiser)
