"""*Giro d'Italia: The Game* refereed at a table: what the phone asks, and what the dice and piles may have given."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Final

from django.utils.translation import gettext as _

from races.panels.giro_log import card_name, speciality_word
from races.panels.table import Face, Reminder, code_of
from races.words import Cast, percent
from rules.game import AnyGame, Decision, Taker
from rules.giro import actions
from rules.giro.actions import Risk
from rules.giro.cards import CARDS, CardMethod
from rules.giro.punctures import PUNCTURE
from rules.giro.risks import needed
from rules.giro.state import UNSEEN, Rider, State
from rules.giro.view import View


class GiroTable:
    """See `races.panels.table.TableWords`. Rules: GI-M-01, GI-M-10."""

    only_public = False  # a bottle that was typed in is drunk by its value

    def own_phones(self, view: View) -> bool:
        return False

    # ---- the question ----
    def sentence(self, view: View, decision: Decision, cast: Cast, rider: str | None) -> str:
        about = decision.about or rider
        facts = {"who": cast.rider(about).short if about else "", "player": cast.player(decision.seat)}
        match decision.kind:
            case "move":
                return _("%(who)s rides. Where does he stop?") % facts
            case "attack" if about:
                return _("%(who)s attacks. Where does he stop?") % facts
            case "attack":
                return _("Does %(player)s attack?") % facts
            case "pursue":
                return _("Does %(player)s chase (+1)?") % facts
            case "pay":
                return _("The peloton is too fast for %(who)s. Does he find energy?") % facts
            case "tile" if decision.taker is Taker.SEAT:
                rider_now = _rider(view.state, decision.about)
                value = rider_now.tiles[-1] if rider_now and rider_now.tiles else UNSEEN
                return _("A bottle of %(n)s for %(who)s: drink or keep?") % (facts | {"n": value})
            case "joker":
                return _("%(who)s has a puncture. Does he play Alfredo?") % facts
            case "pick":
                return _("Which riders does %(player)s take?") % facts
            case "strength":
                return _("Who of %(player)s descends well, who sprints?") % facts
            case "clock":
                return _("Who was quickest on the stopwatch?")
            case "peloton_die":
                return _("Roll the peloton die")
            case "event_die" if decision.why == "puncture":
                return _("Roll the event die for %(who)s: puncture") % facts
            case "event_die" if decision.why == "fall":
                return _("Roll the event die for %(who)s: does he fall?") % facts
            case "event_die":
                return _("Roll the event die for %(who)s: does he crack?") % facts
            case "crack_tile":
                return _("Draw a tile for %(who)s: what does it cost?") % facts
            case "tile" if decision.why == "revealed":
                return _("Turn up the bottle of %(who)s. What is it?") % facts
            case "tile" if decision.why == "eddie":
                return _("Eddie draws a bottle for %(who)s. What is it?") % facts
            case "tile":
                return _("Draw a bottle for %(who)s. What is it?") % facts
            case "card" if decision.why == "shown":
                return _("%(who)s turns up his card. Which is it?") % facts
            case "card":
                return _("Deal a card to %(who)s. Which is it?") % facts
            case "first_seat":
                return _("Who drafts first?")
            case "first_token":
                return _("Who leads the peloton first?")
        raise KeyError(decision.kind)

    def hint(self, view: View, decision: Decision, cast: Cast) -> str:
        state = view.state
        rider = _rider(state, decision.about)
        match decision.kind:
            case "peloton_die":
                words = _("%(player)s has the token: he rolls.") % {"player": cast.player(decision.seat)}
                return _("%(roll)s The pursuit is on: one square more.") % {"roll": words} if state.pursued else words
            case "event_die" if decision.why == "puncture":
                return _("%(face)s is a puncture.") % {"face": PUNCTURE}
            case "event_die" if rider:
                return _("%(needs)s or more holds.") % {"needs": needed(rider.risks, trial=state.time_trial)}
            case "tile" if rider and decision.taker is Taker.CHANCE:
                pile = speciality_word(rider.entry.speciality)
                return _("From the pile of the %(speciality)s.") % {"speciality": pile}
            case "card" if decision.why != "shown" and state.options.cards is CardMethod.BLIND:
                return _("He looks at it alone: the phone need not know it.")
            case "first_seat" | "first_token":
                return _("Draw lots.")
        return ""

    def reminder(self, view: View, cast: Cast) -> Reminder | None:
        return None

    # ---- chance ----
    def faces(
        self, game: AnyGame, view: View, decision: Decision, legal: Sequence[Any], cast: Cast
    ) -> tuple[Face, ...]:
        found = [self._face(game, view.state, decision, action, cast) for action in legal]
        unseen = self._unseen(view.state, decision)
        if unseen is None:
            return tuple(found)
        face = Face(
            code=code_of(game, unseen),
            label=_("Kept face down") if decision.kind == "tile" else _("Dealt face down"),
            sub=_("The phone is told when it is turned up."),
            wide=True,
        )
        # what lies face down is the ordinary case of a blind card, and the first to be reached for
        return (face, *found) if decision.kind == "card" else (*found, face)

    def _face(self, game: AnyGame, state: State, decision: Decision, action: Any, cast: Cast) -> Face:
        code = code_of(game, action)
        match action:
            case actions.PelotonDie(value=value, red=True):
                return Face(code=code, label=str(value), sub=_("red"), tone="red")
            case actions.PelotonDie(value=value):
                return Face(code=code, label=str(value))
            case actions.EventDie(value=value):
                return self._event_face(state, decision, code, value)
            case actions.DrawnTile(value=value):
                return Face(code=code, label=str(value), sub=_("+%(n)s energy") % {"n": value})
            case actions.DrawnCrackTile(value=value):
                words = _("%(n)s energy") % {"n": value}
                return Face(code=code, label=str(value), sub=words)
            case actions.DealtCard(card=card) if card is not None:
                return Face(code=code, label=card_name(card), sub=speciality_word(CARDS[card].colour))
        return Face(code=code, label=cast.player(action.seat))

    def _event_face(self, state: State, decision: Decision, code: str, value: int) -> Face:
        if decision.why == "puncture":
            if value == PUNCTURE:
                return Face(code=code, label=str(value), sub=_("puncture"), tone="bad")
            return Face(code=code, label=str(value))
        rider = _rider(state, decision.about)
        assert rider is not None, "the event die is rolled for somebody"
        if value >= needed(rider.risks, trial=state.time_trial):
            return Face(code=code, label=str(value), sub=_("holds"), tone="good")
        return Face(code=code, label=str(value), sub=_("falls") if decision.why == "fall" else _("cracks"), tone="bad")

    def _unseen(self, state: State, decision: Decision) -> Any:
        """What may lie face down at a table. Rules: GI-M-10."""
        if decision.kind == "tile" and decision.why == "feed":
            return actions.DrawnTile(rider=decision.about, value=UNSEEN)
        if decision.kind == "card" and decision.why != "shown" and state.options.cards is CardMethod.BLIND:
            return actions.DealtCard(rider=decision.about, card=None)
        return None

    # ---- one tap or two ----
    def is_ordinary(self, game: AnyGame, view: View, action: Any) -> bool:
        match action:
            case actions.Move() | actions.BreakAway():
                tell = game.explain(view.state, action)
                return not (tell["cost"] or tell["risk"] or action.card)
            case actions.PlayEddie() | actions.UseJoker(yes=True):
                return False
        return True

    def odds(self, game: AnyGame, view: View, action: Any) -> str:
        if not isinstance(action, actions.Move | actions.BreakAway):
            return ""
        tell = game.explain(view.state, action)
        if tell["risk"] == Risk.TILE:
            return _("a tile")
        return percent(Fraction(tell["chance"])) if tell["risk"] else ""

    def lane(self, game: AnyGame, view: View, action: Any) -> tuple[int, int] | None:
        if not isinstance(action, actions.Move | actions.BreakAway):
            return None
        course = view.state.course
        to = game.explain(view.state, action)["to"]
        return course.lane[course.names.index(to)], course.plan.lanes

    def card(self, view: View, action: Any) -> str:
        if not (isinstance(action, actions.Move | actions.BreakAway) and action.card):
            return ""
        rider = _rider(view.state, action.rider)
        return card_name(rider.card) if rider and rider.card else _("his card")

    # ---- the stopwatch ----
    def runs(self, legal: Sequence[Any]) -> tuple[str, ...]:
        first = next(iter(legal), None)
        return first.order if isinstance(first, actions.ReadClock) else ()

    def measured(self, order: Sequence[str]) -> Any:
        return actions.ReadClock(order=tuple(order))

    # ---- taking back ----
    def thing(self, action: Any, cast: Cast) -> str:
        rider = getattr(action, "rider", None)
        facts = {"who": cast.rider(rider).short if rider else _("the rider")}
        match action:
            case actions.PelotonDie():
                return _("the peloton die")
            case actions.EventDie():
                return _("the event die for %(who)s") % facts
            case actions.DrawnTile():
                return _("the bottle for %(who)s") % facts
            case actions.DrawnCrackTile():
                return _("the tile for %(who)s") % facts
            case actions.DealtCard():
                return _("the card for %(who)s") % facts
            case actions.Move() | actions.Stay():
                return _("the move of %(who)s") % facts
            case actions.BreakAway():
                return _("the attack of %(who)s") % facts
            case actions.Drop():
                return _("%(who)s lets himself drop") % facts
            case actions.End():
                return _("nobody more attacks")
            case actions.Pursue(yes=yes):
                return _("the pursuit") if yes else _("no pursuit")
            case actions.Pick():
                return _("the draft")
            case actions.MarkStrengths():
                return _("the strengths")
            case actions.ReadClock():
                return _("the stopwatch")
            case actions.FirstSeat() | actions.FirstToken():
                return _("who is first")
        return _("the answer for %(who)s") % facts


WORDS: Final = GiroTable()


def _rider(state: State, id: str | None) -> Rider | None:
    return next((rider for rider in state.riders if rider.id == id), None)
