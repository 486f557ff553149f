"""The events of a stage as sentences of its log, in the reader's language.

An entry is told in as few sentences as possible: what happens to many riders at once (paying, being caught) is one.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from types import MappingProxyType
from typing import Any, Final

from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from races.board.giro import road_of
from races.words import Cast, die, listed, say
from rules.giro import actions, events
from rules.giro.actions import Risk
from rules.giro.cards import Card
from rules.giro.data import Speciality
from rules.giro.state import UNSEEN, State, Strength


class Teller:
    """Tells events of one race to one reader."""

    def __init__(self, state: State, cast: Cast) -> None:
        self.state = state
        self.cast = cast
        self.squares = road_of(state.course, giro=state.options.giro).squares

    def lines(self, happened: Sequence[Any], action: Any, seat: str) -> list[SafeString]:
        """Never empty: where nothing happened, what was answered."""
        told: list[SafeString] = []
        for (kind, _like), group in groupby(happened, key=_alike):
            together = list(group)
            if kind in _TOGETHER and len(together) > 1:
                told.append(_TOGETHER[kind](self, together))
            else:
                told += [_EVENTS[kind](self, event) for event in together]
        told = [line for line in told if line]
        return told or [self.answered(happened, action, seat)]

    def answered(self, happened: Sequence[Any], action: Any, seat: str) -> SafeString:
        """An entry without visible consequences."""
        who = self.cast.s(seat)
        match action:
            case actions.End():
                return say(_("%(player)s sends nobody more."), player=who)
            case actions.MarkStrengths():
                return say(_("%(player)s marks nobody."), player=who)
            case actions.UseJoker():
                return say(_("%(rider)s has nothing against the puncture."), rider=self.b(action.rider))
            case actions.EventDie():
                return say(_("%(rider)s rolls %(die)s."), rider=self.b(action.rider), die=die(action.value))
            case actions.ShowCard():
                return say(_("%(rider)s turns up his card."), rider=self.b(action.rider))
            case actions.PlayEddie():
                return say(_("%(rider)s plays Eddie."), rider=self.b(action.rider))
            case actions.Reveal():
                return say(_("%(rider)s shows a bottle."), rider=self.b(action.rider))
        for event in happened:
            if isinstance(event, events.TurnBegan):
                return self.turn_began(event)
        return say(_("%(player)s answers."), player=who) if seat else say(_("So it fell."))

    # ---- words ----
    def b(self, rider: str | None) -> SafeString:
        return self.cast.b(rider or "")

    def square(self, name: str) -> str:
        found = self.squares.get(name)
        return found.name if found else name

    def beyond(self, name: str) -> bool:
        found = self.squares.get(name)
        return bool(found and found.end > self.state.course.arrival_tick)

    # ---- A ----
    def draft_opened(self, event: Any) -> SafeString:
        return say(_("%(player)s drafts first."), player=self.cast.s(event.seat))

    def picked(self, event: Any) -> SafeString:
        return say(
            _("%(player)s takes %(riders)s."), player=self.cast.s(event.seat), riders=self.cast.all(event.riders)
        )

    def marked(self, event: Any) -> SafeString:
        if event.strength is Strength.DESCENDER:
            return say(_("%(rider)s descends well."), rider=self.b(event.rider))
        return say(_("%(rider)s is a sprinter."), rider=self.b(event.rider))

    def card_dealt(self, event: Any) -> SafeString:
        if event.card is None:
            return say(_("%(rider)s gets a card, face down."), rider=self.b(event.rider))
        return say(_("%(rider)s gets %(card)s."), rider=self.b(event.rider), card=card_name(event.card))

    def card_shown(self, event: Any) -> SafeString:
        return say(_("%(rider)s turns up %(card)s."), rider=self.b(event.rider), card=card_name(event.card))

    def token_given(self, event: Any) -> SafeString:
        return say(_("%(player)s leads the peloton."), player=self.cast.s(event.seat))

    def started(self, event: Any) -> SafeString:
        return say(
            _("%(rider)s is at the start with %(energy)s energy."), rider=self.b(event.rider), energy=event.energy
        )

    def all_started(self, group: list[Any]) -> SafeString:
        return say(
            _("%(riders)s are at the start with %(energy)s energy each."),
            riders=self.cast.all([event.rider for event in group]), energy=group[0].energy,
        )  # fmt: skip

    # ---- B ----
    def turn_began(self, event: Any) -> SafeString:
        if event.rider is not None:
            return say(_("Turn %(turn)s of %(rider)s."), turn=event.turn, rider=self.b(event.rider))
        return say(_("Turn %(turn)s."), turn=event.turn)

    def _ride(self, event: Any, over: str, to: str) -> SafeString:
        parts = []
        if event.free:
            parts.append(_("%(n)s free") % {"n": event.free})
        if event.paid:
            parts.append(_("%(n)s paid") % {"n": event.paid})
        if event.passed:
            parts.append(ngettext("through %(n)s rider", "through %(n)s riders", event.passed) % {"n": event.passed})
        if event.card is not None:
            parts.append(_("with %(card)s") % {"card": card_name(event.card)})
        return say(
            over if self.beyond(event.to) else to,
            rider=self.b(event.rider), n=event.squares, square=self.square(event.to), how=", ".join(parts),
            energy=event.energy,
        )  # fmt: skip

    def moved(self, event: Any) -> SafeString:
        return self._ride(
            event,
            _("%(rider)s rides %(n)s, over the line: %(how)s. Energy %(energy)s."),
            _("%(rider)s rides %(n)s to %(square)s: %(how)s. Energy %(energy)s."),
        )

    def broke_away(self, event: Any) -> SafeString:
        return self._ride(
            event,
            _("%(rider)s attacks, %(n)s squares, over the line: %(how)s. Energy %(energy)s."),
            _("%(rider)s attacks, %(n)s squares to %(square)s: %(how)s. Energy %(energy)s."),
        )

    def stayed(self, event: Any) -> SafeString:
        return say(_("%(rider)s finds the road closed and stays."), rider=self.b(event.rider))

    def risk_rolled(self, event: Any) -> SafeString:
        words = {"rider": self.b(event.rider), "needed": event.needed, "die": die(event.rolled)}
        if event.risk is Risk.FALL:
            if event.held:
                return say(_("%(rider)s needs %(needed)s to stay upright, rolls %(die)s and does."), **words)
            return say(_("%(rider)s needs %(needed)s to stay upright and rolls %(die)s."), **words)
        if event.held:
            return say(_("%(rider)s needs %(needed)s not to crack, rolls %(die)s and does not."), **words)
        return say(_("%(rider)s needs %(needed)s not to crack and rolls %(die)s."), **words)

    def cracked(self, event: Any) -> SafeString:
        return self._pays(_("%(rider)s cracks: %(n)s more. Energy %(energy)s."), event)

    def fell(self, event: Any) -> SafeString:
        if not event.change:
            return say(_("%(rider)s falls and misses a turn."), rider=self.b(event.rider))
        return self._pays(_("%(rider)s falls: %(n)s more, and a turn missed. Energy %(energy)s."), event)

    def lost_tile(self, event: Any) -> SafeString:
        return self._pays(_("%(rider)s draws a tile and loses %(n)s. Energy %(energy)s."), event)

    def paid_peloton(self, event: Any) -> SafeString:
        return self._pays(_("%(rider)s pays %(n)s to stay in. Energy %(energy)s."), event)

    def all_paid(self, group: list[Any]) -> SafeString:
        return say(
            _("%(riders)s pay %(n)s each to stay in."),
            riders=self.cast.all([event.rider for event in group]), n=-group[0].change,
        )  # fmt: skip

    def _pays(self, sentence: str, event: Any) -> SafeString:
        return say(sentence, rider=self.b(event.rider), n=-event.change, energy=event.energy)

    def recovered(self, event: Any) -> SafeString:
        return say(
            _("%(rider)s recovers %(n)s. Energy %(energy)s."),
            rider=self.b(event.rider), n=event.change, energy=event.energy,
        )  # fmt: skip

    def won_bonus(self, event: Any) -> SafeString:
        return say(_("%(rider)s is first at the bonus sprint."), rider=self.b(event.rider))

    def drew_tile(self, event: Any) -> SafeString:
        if event.value == UNSEEN:
            return say(_("%(rider)s draws a bottle, face down."), rider=self.b(event.rider))
        return say(_("%(rider)s draws a bottle of %(n)s."), rider=self.b(event.rider), n=event.value)

    def no_tile_left(self, event: Any) -> SafeString:
        return say(_("No bottle is left for %(rider)s."), rider=self.b(event.rider))

    def kept_tile(self, event: Any) -> SafeString:
        return say(_("%(rider)s keeps the bottle."), rider=self.b(event.rider))

    def used_tile(self, event: Any) -> SafeString:
        return say(
            _("%(rider)s drinks: %(n)s more. Energy %(energy)s."),
            rider=self.b(event.rider), n=event.value, energy=event.energy,
        )  # fmt: skip

    def linked(self, event: Any) -> SafeString:
        return say(_("%(rider)s is on the wheel of %(front)s."), rider=self.b(event.rider), front=self.b(event.behind))

    def rejoined(self, event: Any) -> SafeString:
        return say(_("%(rider)s is back in the peloton."), rider=self.b(event.rider))

    def card_played(self, event: Any) -> SafeString:
        return say(_("%(rider)s plays %(card)s."), rider=self.b(event.rider), card=card_name(event.card))

    def will_drop(self, event: Any) -> SafeString:
        return say(_("%(rider)s will wait behind the peloton."), rider=self.b(event.rider))

    def pursuit_called(self, event: Any) -> SafeString:
        if event.yes:
            return say(_("%(player)s calls the pursuit: one square more."), player=self.cast.s(event.seat))
        return say(_("%(player)s calls no pursuit."), player=self.cast.s(event.seat))

    def peloton_moved(self, event: Any) -> SafeString:
        why = []
        if event.pursued:
            why.append(_("one more by the pursuit"))
        if event.empty:
            why.append(_("one more because nobody is in it"))
        words = {
            "die": die(event.rolled, red=event.red),
            "n": event.squares,
            "column": event.column,
            "why": ", ".join(why),
        }
        if event.column > self.state.course.columns:
            sentence = (
                _("The peloton rolls %(die)s and rides %(n)s, over the line: %(why)s.")
                if why
                else _("The peloton rolls %(die)s and rides %(n)s, over the line.")
            )
        elif why:
            sentence = _("The peloton rolls %(die)s and rides %(n)s to %(column)s: %(why)s.")
        else:
            sentence = _("The peloton rolls %(die)s and rides to %(column)s.")
        return say(sentence, **words)

    def caught(self, event: Any) -> SafeString:
        return say(_("%(rider)s is caught."), rider=self.b(event.rider))

    def all_caught(self, group: list[Any]) -> SafeString:
        return say(_("%(riders)s are caught."), riders=self.cast.all([event.rider for event in group]))

    def let_gone(self, event: Any) -> SafeString:
        return say(_("%(rider)s does not pay %(n)s."), rider=self.b(event.rider), n=event.price)

    def dropped(self, event: Any) -> SafeString:
        return say(
            _("%(rider)s is behind the peloton, on %(square)s."),
            rider=self.b(event.rider), square=self.square(event.to),
        )  # fmt: skip

    def peloton_finished(self, event: Any) -> SafeString:
        return say(_("The peloton finishes in turn %(turn)s."), turn=event.turn)

    def finished(self, event: Any) -> SafeString:
        return say(
            _("%(rider)s finishes: number %(order)s, in turn %(turn)s."),
            rider=self.b(event.rider), order=event.order, turn=event.turn,
        )  # fmt: skip

    def puncture_rolled(self, event: Any) -> SafeString:
        return say(_("%(rider)s rolls %(die)s for a puncture."), rider=self.b(event.rider), die=die(event.rolled))

    def punctured(self, event: Any) -> SafeString:
        return say(_("%(rider)s punctures and waits for a wheel."), rider=self.b(event.rider))

    def puncture_saved(self, event: Any) -> SafeString:
        return say(_("%(rider)s is spared the puncture."), rider=self.b(event.rider))

    def stood_up(self, event: Any) -> SafeString:
        return say(_("%(rider)s stands again, on %(square)s."), rider=self.b(event.rider), square=self.square(event.to))

    def out_of_time(self, event: Any) -> SafeString:
        return say(_("%(rider)s is outside the time limit."), rider=self.b(event.rider))

    def clock_read(self, event: Any) -> SafeString:
        return say(_("On the stopwatch: %(order)s."), order=listed([self.b(run) for run in event.order]))

    def stage_over(self, event: Any) -> SafeString:
        return say(_("The stage is over."))

    def nothing(self, event: Any) -> SafeString:
        """The margin of the log says in which turn something happened."""
        return SafeString("")


def _alike(event: Any) -> tuple[type[Any], Any]:
    """Events that are told in one sentence: of one kind, with the same price or energy."""
    match event:
        case events.Started():
            return type(event), event.energy
        case events.PaidPeloton():
            return type(event), event.change
    return type(event), None


_TOGETHER: Final[Mapping[type[Any], Callable[[Teller, list[Any]], SafeString]]] = MappingProxyType(
    {
        events.Started: Teller.all_started,
        events.PaidPeloton: Teller.all_paid,
        events.Caught: Teller.all_caught,
    }
)
_EVENTS: Final[Mapping[type[Any], Callable[[Teller, Any], SafeString]]] = MappingProxyType(
    {
        events.DraftOpened: Teller.draft_opened,
        events.Picked: Teller.picked,
        events.Marked: Teller.marked,
        events.CardDealt: Teller.card_dealt,
        events.CardShown: Teller.card_shown,
        events.TokenGiven: Teller.token_given,
        events.Started: Teller.started,
        events.TurnBegan: Teller.nothing,
        events.Moved: Teller.moved,
        events.BrokeAway: Teller.broke_away,
        events.Stayed: Teller.stayed,
        events.RiskRolled: Teller.risk_rolled,
        events.Cracked: Teller.cracked,
        events.Fell: Teller.fell,
        events.LostTile: Teller.lost_tile,
        events.Recovered: Teller.recovered,
        events.WonBonus: Teller.won_bonus,
        events.DrewTile: Teller.drew_tile,
        events.NoTileLeft: Teller.no_tile_left,
        events.KeptTile: Teller.kept_tile,
        events.UsedTile: Teller.used_tile,
        events.Linked: Teller.linked,
        events.Rejoined: Teller.rejoined,
        events.CardPlayed: Teller.card_played,
        events.WillDrop: Teller.will_drop,
        events.PursuitCalled: Teller.pursuit_called,
        events.PelotonMoved: Teller.peloton_moved,
        events.Caught: Teller.caught,
        events.PaidPeloton: Teller.paid_peloton,
        events.LetGone: Teller.let_gone,
        events.Dropped: Teller.dropped,
        events.PelotonFinished: Teller.peloton_finished,
        events.Finished: Teller.finished,
        events.PunctureRolled: Teller.puncture_rolled,
        events.Punctured: Teller.punctured,
        events.PunctureSaved: Teller.puncture_saved,
        events.StoodUp: Teller.stood_up,
        events.OutOfTime: Teller.out_of_time,
        events.ClockRead: Teller.clock_read,
        events.StageOver: Teller.stage_over,
    }
)
assert set(_EVENTS) == set(events.EVENTS), "every event has its sentence"


# ---- entries that follow one another ---------------------------------------------------------------------------------
def alike(events_: Sequence[Any], action: Any) -> str:
    """What an entry is like: those of one kind that follow one another are told in one line; empty for all others."""
    match action, list(events_):
        case actions.End(), []:
            return "end"
        case actions.EventDie(), [events.PunctureRolled()]:
            return "wheels"
        case actions.DealtCard(), [events.CardDealt()]:
            return "cards"
        case _:
            return ""


def together(kind: str, entries: Sequence[tuple[Sequence[Any], Any, str]], cast: Cast) -> SafeString:
    """Several entries of that kind in one line, oldest first. An entry: its events, its action, its seat."""
    if kind == "end":
        return say(_("%(players)s send nobody more."), players=listed([cast.s(seat) for _ev, _act, seat in entries]))
    told = [event for happened, _action, _seat in entries for event in happened]
    if kind == "wheels":
        rolls = [say("%(rider)s %(die)s", rider=cast.b(event.rider), die=die(event.rolled)) for event in told]
        return say(_("Whole wheels: %(rolls)s."), rolls=listed(rolls))
    hands = [
        say(
            "%(rider)s: %(card)s",
            rider=cast.b(event.rider),
            card=card_name(event.card) if event.card else _("face down"),
        )
        for event in told
    ]
    return say(_("Special cards. %(hands)s."), hands=listed(hands))


def card_name(card: Card) -> str:
    return capfirst(card.value)


def speciality_word(speciality: Speciality) -> str:
    return {
        Speciality.ROULEUR: _("rouleur"),
        Speciality.LEADER: _("leader"),
        Speciality.CLIMBER: _("climber"),
    }[speciality]
