"""Who rides in a series: whose line an entry belongs to, and who is asked for in a round.

Two entries are one *person's* where their players have been merged. Then they have one line: that of the player who is kept,
or the first of them where that one is not entered himself. It follows from the merge alone, so an unmerge takes it back.
"""

from collections.abc import Collection, Iterable, Sequence

from league.models import Player, Round, SeriesEntrant
from league.roster import kept

AS_SHOWN = ("team", "player__merged_into")
"""What an entrant is looked up with to be called by his name."""


def lines_of(entrants: Iterable[SeriesEntrant]) -> dict[int, SeriesEntrant]:
    """By entrant, in the order of entry: the one whose line of the table it is."""
    found: dict[int, SeriesEntrant] = {}
    first: dict[int, SeriesEntrant] = {}
    entered = list(entrants)
    for entrant in sorted(entered, key=lambda one: bool(one.player and one.player.merged_into_id)):
        if entrant.player is None:
            found[entrant.pk] = entrant
        else:
            found[entrant.pk] = first.setdefault(kept(entrant.player).pk, entrant)
    return {entrant.pk: found[entrant.pk] for entrant in entered}


def riding(round_: Round, written: Collection[int] = ()) -> list[SeriesEntrant]:
    """Who may stand on the sheet of a round: everybody of its division (of the series, if it has none) who still rides, each
    person once; and who stands on it already (`written`)."""
    everybody = list(round_.series.entrants.select_related(*AS_SHOWN))
    line = lines_of(everybody)
    rides: dict[int, SeriesEntrant] = {}
    for entrant in everybody:
        if entrant.left_at is None and line[entrant.pk] is entrant:
            rides[entrant.pk] = entrant
    for entrant in everybody:  # the line has been taken out, and the other entry of the same person has not
        if entrant.left_at is None:
            rides.setdefault(line[entrant.pk].pk, entrant)
    now = {
        entrant.pk
        for entrant in rides.values()
        if round_.division_id is None or entrant.division_id == round_.division_id
    }
    return [entrant for entrant in everybody if entrant.pk in now or entrant.pk in written]


def doubles(everybody: Sequence[SeriesEntrant]) -> list[tuple[SeriesEntrant, SeriesEntrant]]:
    """Entries that are somebody's second one, with the one whose line they are."""
    line = lines_of(everybody)
    return [(entrant, line[entrant.pk]) for entrant in everybody if line[entrant.pk] is not entrant]


def names_of(pks: Iterable[int]) -> dict[int, Player]:
    """Players by their number, whoever was merged as the one who is kept."""
    wanted = set(pks)
    found = Player.objects.filter(pk__in=wanted).select_related("merged_into") if wanted else ()
    return {player.pk: kept(player) for player in found}
