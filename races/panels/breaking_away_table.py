"""Breaking Away refereed at a table: the phone is the Race Director. It asks which factor was announced, and says the rest."""

from collections.abc import Sequence
from typing import Any, Final

from django.utils.translation import gettext as _

from races.panels.table import Face, Reminder, code_of
from races.words import Cast
from rules.breaking_away import actions
from rules.breaking_away.options import Hands
from rules.breaking_away.state import Phase
from rules.breaking_away.turn import rides
from rules.breaking_away.view import View
from rules.game import AnyGame, Decision


class BreakingAwayTable:
    """See `races.panels.table.TableWords`. Rules: BA-REF-01."""

    only_public = True

    def own_phones(self, view: View) -> bool:
        return view.state.field.options.hands is Hands.EITHER

    # ---- the question ----
    def sentence(self, view: View, decision: Decision, cast: Cast, rider: str | None) -> str:
        about = decision.about or rider
        facts = {"who": cast.rider(about).short if about else "", "player": cast.player(decision.seat)}
        match decision.kind:
            case "rate":
                return _("How strong are the two of %(who)s?") % facts
            case "allocate" if view.state.field.options.closed:
                return _("Has %(player)s written his first factors on the log sheet?") % facts
            case "allocate" if view.state.field.options.on_paper:
                return _("%(player)s: the first factors") % facts
            case "allocate":
                return _("What are the first factors of %(player)s?") % facts
            case "first_seat":
                return _("Who begins?")
            case "place":
                return _("How does %(who)s line up?") % facts
            case "move":
                return _("%(who)s: which factor?") % facts
            case "orders":
                return _("Which factors does %(player)s play in this turn?") % facts
            case "change":
                return _("Does %(who)s change?") % facts
            case "vote_retire":
                return _("Does %(player)s agree that %(who)s retires?") % facts
        raise KeyError(decision.kind)

    def hint(self, view: View, decision: Decision, cast: Cast) -> str:
        match decision.kind:
            case "first_seat":
                return _("Draw lots.")
            case "allocate" if view.state.field.options.hands is Hands.EITHER:
                return _("Typed on a phone, secretly, or kept on the log sheet (BA-REF-01).")
            case "move" if view.state.field.options.on_paper:
                return _("By all that was announced he may hold these (BA-REF-02).")
            case "orders":
                return _("All announce at once; then they ride, from the front.")
        return ""

    def reminder(self, view: View, cast: Cast) -> Reminder | None:
        """The new factors of the turn before, the largest first. Rules: BA-REPL-07."""
        state = view.state
        seats = state.field.seats
        if state.phase is Phase.ORDERS:
            answered = {seats[seat] for seat, orders in enumerate(state.orders) if orders is not None}
        elif state.phase is Phase.MOVE:
            answered = {seats[state.field.seat_of[racer]] for racer in state.order[: state.done]}
        else:
            return None
        if not answered or not all(cast.is_bot(seat) for seat in answered):
            return None
        new: dict[int, list[str]] = {}
        for racer in state.order:
            if gained := state.racers[racer].gained:
                rider = cast.rider(rides(state, racer))
                new.setdefault(gained[-1], []).append(rider.bib or rider.name)
        rows = [(f"+{value}", " ".join(riders)) for value, riders in sorted(new.items(), reverse=True)]
        return Reminder(title=_("New factors"), rows=tuple(rows)) if rows else None

    # ---- chance ----
    def faces(
        self, game: AnyGame, view: View, decision: Decision, legal: Sequence[Any], cast: Cast
    ) -> tuple[Face, ...]:
        return tuple(Face(code=code_of(game, action), label=cast.player(action.seat)) for action in legal)

    # ---- one tap or two ----
    def is_ordinary(self, game: AnyGame, view: View, action: Any) -> bool:
        return True

    def odds(self, game: AnyGame, view: View, action: Any) -> str:
        return ""

    def lane(self, game: AnyGame, view: View, action: Any) -> tuple[int, int] | None:
        return None

    def card(self, view: View, action: Any) -> str:
        return ""

    # ---- nothing is measured in this game ----
    def runs(self, legal: Sequence[Any]) -> tuple[str, ...]:
        return ()

    def measured(self, order: Sequence[str]) -> Any:
        raise KeyError("nothing is measured in this game")

    # ---- taking back ----
    def thing(self, action: Any, cast: Cast) -> str:
        about = getattr(action, "cyclist", None) or getattr(action, "team", None)
        seat = getattr(action, "seat", None)
        facts = {"who": cast.rider(about).short if about else "", "player": cast.player(seat)}
        match action:
            case actions.Move(factor=factor):
                return _("the %(factor)s of %(who)s") % (facts | {"factor": factor})
            case actions.Allocate() | actions.OnPaper():
                return _("the first factors of %(who)s") % facts
            case actions.Orders():
                return _("the orders of %(player)s") % facts
            case actions.FirstSeat():
                return _("who begins")
            case actions.Rate():
                return _("the ratings of %(who)s") % facts
            case actions.Place():
                return _("how %(who)s lines up") % facts
            case actions.Change() | actions.Stay():
                return _("whether %(who)s changes") % facts
            case actions.AskRetire() | actions.VoteRetire():
                return _("the word on retiring %(who)s") % facts
            case actions.StopRace():
                return _("the word of %(player)s on stopping") % facts
        return _("the answer about %(who)s") % facts


WORDS: Final = BreakingAwayTable()
