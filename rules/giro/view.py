"""What a seat may know (spec 4.4).

A view is the state with everything taken out that the seat cannot know: it is a state like any other, in which a hidden
tile or card is *unseen*, exactly as at a real table where it lies face down (GI-M-10). What cannot be known is in the
piles again, since nobody can say which tile left them.
"""

from dataclasses import dataclass, replace

from rules.game import Seat
from rules.giro.actions import Action, DealtCard, DrawnTile
from rules.giro.cards import Card, CardMethod
from rules.giro.events import CardDealt, DrewTile, Event
from rules.giro.feeding import COLOUR_INDEX
from rules.giro.state import NOBODY, UNSEEN, Do, Pile, Rider, State


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What `seat` knows of a stage; None is a spectator."""

    seat: Seat | None
    state: State


def view(state: State, seat: Seat | None) -> View:
    """Everything but the kept tiles of others who race, and where cards were dealt blind, those that others have not played."""
    own = state.seats.index(seat) if seat in state.seats else NOBODY
    blind = state.options.cards is CardMethod.BLIND
    riders: list[Rider] = []
    tiles: list[tuple[int, int]] = []  # colour, value
    cards: list[Card] = []
    hidden = False
    for rider in state.riders:
        if rider.entry.seat != own:
            if rider.racing and any(tile != UNSEEN for tile in rider.tiles):
                colour = COLOUR_INDEX[rider.entry.speciality]
                tiles.extend((colour, tile) for tile in rider.tiles if tile != UNSEEN)
                rider = rider._replace(tiles=(UNSEEN,) * len(rider.tiles))
                hidden = True
            if blind and rider.card is not None and not rider.shown:
                cards.append(rider.card)
                rider = rider._replace(card=None, unseen_card=True)
                hidden = True
        riders.append(rider)
    if not hidden:
        return View(seat=seat, state=state)
    return View(
        seat=seat,
        state=state._replace(
            riders=tuple(riders),
            undealt=tuple(card for card in Card if card in state.undealt or card in cards),
            piles=_put_back(state, tiles),
        ),
    )


def _put_back(state: State, tiles: list[tuple[int, int]]) -> tuple[Pile, ...]:
    """The piles with tiles in them that left them unseen."""
    values = [value for value, _ in state.options.feed_tiles]
    piles = [list(pile.left) for pile in state.piles]
    for colour, value in tiles:
        piles[colour][values.index(value)] += 1
    return tuple(Pile(left=tuple(left), spent=pile.spent) for left, pile in zip(piles, state.piles, strict=True))


def seen_action(state: State, action: Action, seat: Seat | None) -> Action:
    """An action of the log as `seat` may read it: drawn tiles and blind cards of others are unseen.

    Eddie's tile and one that is revealed are seen by all.
    """
    if isinstance(action, DrawnTile):
        secret = Do.DRAW
    elif isinstance(action, DealtCard) and state.options.cards is CardMethod.BLIND:
        secret = Do.CARD
    else:
        return action
    rider = _drawing(state, action.rider, secret)
    if rider is None or state.seats[rider.entry.seat] == seat:
        return action
    return replace(action, value=UNSEEN) if isinstance(action, DrawnTile) else replace(action, card=None)


def _drawing(state: State, name: str | None, secret: Do) -> Rider | None:
    """The rider for whom chance draws something that he may keep to himself."""
    for run in state.runs:
        if run.agenda and run.agenda[-1].do is secret:
            rider = state.riders[run.agenda[-1].rider]
            if name is None or rider.entry.id == name:
                return rider
    return None


def seen_event(state: State, event: Event, seat: Seat | None) -> Event:
    """An event of the log as `seat` may read it; what was hidden is unseen."""
    if isinstance(event, DrewTile) and event.to_keep and not _owns(state, event.rider, seat):
        return replace(event, value=UNSEEN)
    if isinstance(event, CardDealt) and state.options.cards is CardMethod.BLIND and not _owns(state, event.rider, seat):
        return replace(event, card=None)
    return event


def _owns(state: State, rider: str, seat: Seat | None) -> bool:
    return any(other.entry.id == rider and state.seats[other.entry.seat] == seat for other in state.riders)
