"""Punctures (chapter C.3): a red face of the peloton die makes everybody roll."""

from rules.errors import IllegalAction, gettext_noop
from rules.giro.actions import EventDie, UseJoker
from rules.giro.cards import CARDS, Card
from rules.giro.events import CardPlayed, Punctured, PunctureRolled, PunctureSaved
from rules.giro.order import classification
from rules.giro.peloton import place_behind
from rules.giro.slipstream import cut
from rules.giro.state import INSIDE, Do, State, Todo
from rules.giro.work import Work

PUNCTURE = 1
"""The face of the event die that punctures. Rules: GI-C3-01."""


def punctures(work: Work, todo: Todo) -> bool:
    """After a red face, who still races and lies not beside the road rolls, in classification order.

    Rules: GI-B4-02, GI-C3-01, GI-C3-02, GI-C3-03, GI-C2-10; R-48.
    """
    if work.red:
        order = classification(work.course, work.riders, work.front, work.gone, work.token, len(work.seats))
        work.next(*(Todo(Do.PUNCTURE, rider=i) for i in order if work.riders[i].racing and not work.riders[i].fell))
    return False


def puncture_rolled(work: Work, todo: Todo, action: EventDie) -> None:
    """One rider's roll. Rules: GI-C3-01, GI-C3-08, GI-C3-09."""
    rider = work.riders[todo.rider]
    work.tell(PunctureRolled(rider=rider.entry.id, rolled=action.value))
    if action.value != PUNCTURE:
        return
    if rider.spare:
        work.tell(PunctureSaved(rider=rider.entry.id))
    elif rider.unseen_card or (rider.card is not None and (work.blind or CARDS[rider.card].puncture_joker)):
        work.next(Todo(Do.JOKER, rider=todo.rider))
    else:
        puncture(work, todo.rider)


def use_joker(work: Work, state: State, todo: Todo, action: UseJoker) -> None:
    """Alfredo against the puncture just rolled. Rules: GI-C3-09, GI-S-01."""
    if not action.yes:
        puncture(work, todo.rider)
        return
    if work.riders[todo.rider].card is not Card.ALFREDO:
        raise IllegalAction("GI-C3-09", gettext_noop("%(rider)s does not hold Alfredo."), rider=work.name(todo.rider))
    rider = work.change(todo.rider, card=None, played=Card.ALFREDO)
    work.tell(CardPlayed(rider=rider.entry.id, card=Card.ALFREDO))
    work.tell(PunctureSaved(rider=rider.entry.id))


def puncture(work: Work, number: int) -> None:
    """He waits until the next T5: on his square, or behind the peloton if he was inside. Rules: GI-C3-04, GI-C3-05, GI-C3-08."""
    cut(work, number)
    work.tell(Punctured(rider=work.name(number)))
    if work.riders[number].where is INSIDE:
        place_behind(work, number, waiting=True)
    else:
        work.change(number, waiting=True)
