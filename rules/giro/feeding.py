"""Feed tiles (chapter C.4): drawn at a line or by Eddie, taken at once, kept, revealed later."""

from collections.abc import Sequence

from rules.errors import IllegalAction, gettext_noop
from rules.giro.actions import DrawnTile, KeepTile, PlayEddie, Reveal, UseTile
from rules.giro.cards import Card
from rules.giro.events import CardPlayed, DrewTile, KeptTile, NoTileLeft, UsedTile
from rules.giro.state import COLOURS, UNSEEN, Do, Options, Pile, Rider, State, Todo
from rules.giro.work import Work

COLOUR_INDEX = {colour: i for i, colour in enumerate(COLOURS)}


def full_piles(options: Options) -> tuple[Pile, ...]:
    """The piles of a race that begins, in the order of `COLOURS`."""
    counts = tuple(count for _, count in options.feed_tiles)
    return tuple(Pile(left=counts, spent=(0,) * len(counts)) for _ in COLOURS)


def unseen_tiles(riders: Sequence[Rider], colour: int) -> int:
    """Kept tiles of a colour whose value is not known here: still counted in the pile."""
    return sum(
        rider.tiles.count(UNSEEN) for rider in riders if rider.tiles and rider.entry.speciality is COLOURS[colour]
    )


def tiles_left(state: State | Work, colour: int) -> int:
    """Tiles that can still be drawn from pile or discard."""
    pile = state.piles[colour]
    return sum(pile.left) + sum(pile.spent) - unseen_tiles(state.riders, colour)


def feed(work: Work, todo: Todo) -> bool:
    """He crosses a feed line: one tile of his colour, once a line. Rules: GI-C4-02."""
    rider = work.riders[todo.rider]
    if rider.racing and todo.line not in rider.fed:
        work.change(todo.rider, fed=(*rider.fed, todo.line))
        work.next(Todo(Do.DRAW, rider=todo.rider))
    return False


def draw(work: Work, todo: Todo) -> bool:
    """Ask chance for a tile, before anything else goes on; an empty pile takes its discard first. Rules: GI-C4-04; R-03."""
    colour = COLOUR_INDEX[work.riders[todo.rider].entry.speciality]
    if tiles_left(work, colour) <= 0:
        work.tell(NoTileLeft(rider=work.name(todo.rider)))
        return False
    pile = work.piles[colour]
    if sum(pile.left) - unseen_tiles(work.riders, colour) <= 0:
        left = tuple(a + b for a, b in zip(pile.left, pile.spent, strict=True))
        work.piles[colour] = Pile(left=left, spent=(0,) * len(left))
    return True


def drawn(work: Work, todo: Todo, action: DrawnTile) -> None:
    """What the pile gave: at a line it can be kept, by Eddie or as a tile turned up it is taken at once.

    Rules: GI-C4-02, GI-C4-03, GI-M-10; cards (Eddie).
    """
    rider = work.riders[todo.rider]
    colour = COLOUR_INDEX[rider.entry.speciality]
    if action.value != UNSEEN:
        _take(work, colour, action.value)
    if todo.do is Do.DRAW:
        work.change(todo.rider, tiles=(*rider.tiles, action.value))
        work.tell(DrewTile(rider=rider.entry.id, colour=rider.entry.speciality, value=action.value, to_keep=True))
        if action.value == UNSEEN:  # face down at a real table: kept
            work.tell(KeptTile(rider=rider.entry.id))
        else:
            work.next(Todo(Do.TILE, rider=todo.rider))
    elif todo.do is Do.EDDIE:
        work.tell(DrewTile(rider=rider.entry.id, colour=rider.entry.speciality, value=action.value, to_keep=False))
        _drink(work, todo.rider, action.value)
    else:
        tiles = list(rider.tiles)
        tiles.remove(UNSEEN)
        work.change(todo.rider, tiles=tuple(tiles))
        _drink(work, todo.rider, action.value)


def _take(work: Work, colour: int, value: int) -> None:
    """One tile less in the pile."""
    index = [tile for tile, _ in work.options.feed_tiles].index(value)
    pile = work.piles[colour]
    left = list(pile.left)
    left[index] -= 1
    work.piles[colour] = Pile(left=tuple(left), spent=pile.spent)


def _drink(work: Work, number: int, value: int) -> None:
    """Add a tile's energy and discard it. Rules: GI-C4-03."""
    rider = work.riders[number]
    colour = COLOUR_INDEX[rider.entry.speciality]
    index = [tile for tile, _ in work.options.feed_tiles].index(value)
    pile = work.piles[colour]
    spent = list(pile.spent)
    spent[index] += 1
    work.piles[colour] = Pile(left=pile.left, spent=tuple(spent))
    rider = work.change(number, energy=rider.energy + value)
    work.tell(UsedTile(rider=rider.entry.id, value=value, change=value, energy=rider.energy))


def use_tile(work: Work, todo: Todo, action: UseTile) -> None:
    """The tile just drawn is taken at once. Rules: GI-C4-03."""
    rider = work.riders[todo.rider]
    work.change(todo.rider, tiles=rider.tiles[:-1])
    _drink(work, todo.rider, rider.tiles[-1])


def keep_tile(work: Work, todo: Todo, action: KeepTile) -> None:
    """The tile just drawn stays face down. Rules: GI-C4-03."""
    work.tell(KeptTile(rider=work.name(todo.rider)))


def reveal(work: Work, number: int, action: Reveal) -> None:
    """A kept tile is turned up and its energy taken. Rules: GI-C4-03, GI-M-10."""
    rider = work.riders[number]
    if action.tile not in rider.tiles:
        raise IllegalAction("GI-C4-03", gettext_noop("%(rider)s keeps no tile of that value."), rider=rider.entry.id)
    if action.tile == UNSEEN:
        work.next(Todo(Do.SHOW_TILE, rider=number))
        return
    tiles = list(rider.tiles)
    tiles.remove(action.tile)
    work.change(number, tiles=tuple(tiles))
    _drink(work, number, action.tile)


def play_eddie(work: Work, number: int, action: PlayEddie) -> None:
    """Eddie draws a tile that is taken at once. Rules: GI-S-01, GI-S-03; cards (Eddie)."""
    rider = work.riders[number]
    if rider.card is not Card.EDDIE:
        raise IllegalAction("GI-S-01", gettext_noop("%(rider)s does not hold Eddie."), rider=rider.entry.id)
    if tiles_left(work, COLOUR_INDEX[rider.entry.speciality]) <= 0:
        raise IllegalAction("GI-S-03", gettext_noop("No feed tile of this colour is left for Eddie."))
    work.change(number, card=None, played=Card.EDDIE)
    work.tell(CardPlayed(rider=rider.entry.id, card=Card.EDDIE))
    work.next(Todo(Do.EDDIE, rider=number))


def drink_what_is_kept(work: Work, number: int) -> None:
    """At the end of his stage every kept tile is revealed and added. Rules: GI-C4-05; R-34.

    One that was not seen here asks chance for its value.
    """
    rider = work.riders[number]
    known = [tile for tile in rider.tiles if tile != UNSEEN]
    if known:
        work.change(number, tiles=tuple(tile for tile in rider.tiles if tile == UNSEEN))
        for tile in known:
            _drink(work, number, tile)
    work.next(*(Todo(Do.SHOW_TILE, rider=number) for tile in rider.tiles if tile == UNSEEN))
