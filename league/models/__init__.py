"""What the league remembers. Facts (results, rulings, spells) and what is computed from them (standings) stand apart."""

from league.models.campaign import Campaign, Rider, Stage
from league.models.club import Club, Invitation, Membership, Player, Role, Season, Team, TeamSpell
from league.models.course import ClubCourse
from league.models.racing import StageRace
from league.models.results import BonusSprint, DraftCell, Result, Ruling, Sheet, SheetVersion
from league.models.series import Division, Round, RoundRace, RoundVersion, Series, SeriesEntrant
from league.models.standings import SeasonStanding, Standing

__all__ = [
    "BonusSprint",
    "Campaign",
    "Club",
    "ClubCourse",
    "Division",
    "DraftCell",
    "Invitation",
    "Membership",
    "Player",
    "Result",
    "Rider",
    "Role",
    "Round",
    "RoundRace",
    "RoundVersion",
    "Ruling",
    "Season",
    "SeasonStanding",
    "Series",
    "SeriesEntrant",
    "Sheet",
    "SheetVersion",
    "Stage",
    "StageRace",
    "Standing",
    "Team",
    "TeamSpell",
]
