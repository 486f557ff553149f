"""The fifteen special cards: colour, square, joker, and where each half applies.

A half that finds no use is lost; a card is playable while at least one half applies. Rules: GI-S-01, GI-S-02, GI-S-03.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from rules.giro.data import Speciality, Terrain


class Card(StrEnum):
    """A special card by its name."""

    ALFREDO = "alfredo"
    BEPPE = "beppe"
    FIORENZO = "fiorenzo"
    FRANCESCO = "francesco"
    MARIO = "mario"
    BERNARD = "bernard"
    EDDIE = "eddie"
    FELICE = "felice"
    JACQUES = "jacques"
    MIGUEL = "miguel"
    CHARLIE = "charlie"
    FAUSTO = "fausto"
    GASTONE = "gastone"
    GINO = "gino"
    MARCO = "marco"


class CardMethod(StrEnum):
    """How cards are dealt: by colour and face up, or any card and seen by its owner only. R-07."""

    MATCHED = "matched"
    BLIND = "blind"
    NONE = "none"  # a club that leaves the cards in the box


ANYWHERE: Final = tuple(Terrain)


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """What a card does, half by half."""

    colour: Speciality
    square_on: tuple[Terrain, ...] = ()  # one more free square if the move starts on one of these
    square_in_sprint: bool = False  # one more free square if the move starts in the sprint zone
    crack_joker: int | None = None  # the mountain category on which no crack is risked
    fall_joker: Terrain | None = None  # the terrain on whose black squares no fall is risked
    puncture_joker: bool = False
    blocks_on: Terrain | None = None  # whoever is linked gets no slipstream if the move starts here
    draws_tile: bool = False

    @property
    def goes_with_a_move(self) -> bool:
        return not self.draws_tile


CARDS: Final[Mapping[Card, Text]] = MappingProxyType(
    {
        Card.ALFREDO: Text(colour=Speciality.ROULEUR, square_on=(Terrain.PLAIN,), puncture_joker=True),
        Card.BEPPE: Text(colour=Speciality.ROULEUR, square_in_sprint=True, fall_joker=Terrain.PLAIN),
        Card.FIORENZO: Text(colour=Speciality.ROULEUR, square_on=(Terrain.DOWNHILL,)),
        Card.FRANCESCO: Text(colour=Speciality.ROULEUR, square_on=(Terrain.PLAIN,), blocks_on=Terrain.PLAIN),
        Card.MARIO: Text(colour=Speciality.ROULEUR, square_in_sprint=True),
        Card.BERNARD: Text(colour=Speciality.LEADER, square_on=(Terrain.MOUNTAIN,)),
        Card.EDDIE: Text(colour=Speciality.LEADER, draws_tile=True),
        Card.FELICE: Text(colour=Speciality.LEADER, square_on=(Terrain.RISE,)),
        Card.JACQUES: Text(colour=Speciality.LEADER, square_on=(Terrain.PLAIN,)),
        Card.MIGUEL: Text(colour=Speciality.LEADER, square_on=ANYWHERE),
        Card.CHARLIE: Text(colour=Speciality.CLIMBER, square_on=(Terrain.MOUNTAIN,), crack_joker=3),
        Card.FAUSTO: Text(colour=Speciality.CLIMBER, crack_joker=1),
        Card.GASTONE: Text(colour=Speciality.CLIMBER, fall_joker=Terrain.DOWNHILL),
        Card.GINO: Text(colour=Speciality.CLIMBER, crack_joker=2),
        Card.MARCO: Text(colour=Speciality.CLIMBER, square_on=ANYWHERE, blocks_on=Terrain.MOUNTAIN),
    }
)
"""The rulebook's table in its order; colours by R-04, Marco's terrain by R-05."""
