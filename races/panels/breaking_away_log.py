"""The events of Breaking Away as sentences of its log, in the reader's language.

A move is one sentence with the lines that it crosses; the new factors of a turn are one line, the largest first.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from types import MappingProxyType
from typing import Any, Final

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from races.words import Cast, listed, say
from rules.breaking_away import actions, events
from rules.breaking_away.course import Course, Kind, Line
from rules.breaking_away.data import BASE_REPLACEMENT
from rules.breaking_away.events import Reason, Why
from rules.breaking_away.state import State


# ---- words -----------------------------------------------------------------------------------------------------------
def line_words(course: Course, line: Line) -> str:
    """ "Sprint 1", "Finish": what people call a line."""
    if line.kind is Kind.FINISH:
        return _("Finish")
    return _("Sprint %(number)s") % {"number": course.lines.index(line) + 1}


def line_called(course: Course, id: str) -> str:
    return next((line_words(course, line) for line in course.lines if line.id == id), id)


def ordinal(place: int) -> str:
    """ "2nd"."""
    tail = place % 10 if place % 100 not in (11, 12, 13) else 0
    words = {1: pgettext("place", "%(n)sst"), 2: pgettext("place", "%(n)snd"), 3: pgettext("place", "%(n)srd")}
    return words.get(tail, pgettext("place", "%(n)sth")) % {"n": place}


def points_words(points: int) -> str:
    return ngettext("%(n)s point", "%(n)s points", points) % {"n": points} if points else _("no points")


def crossing_words(course: Course, id: str, place: int, points: int) -> str:
    """ "Sprint 1, 2nd, 8 points"."""
    words = {"line": line_called(course, id), "place": ordinal(place), "points": points_words(points)}
    return _("%(line)s, %(place)s, %(points)s") % words


def hand_words(hand: Sequence[int]) -> str:
    """Factors, the largest first."""
    return " ".join(map(str, sorted(hand, reverse=True)))


# ---- the teller ------------------------------------------------------------------------------------------------------
class Teller:
    """Tells events of one race to one reader."""

    def __init__(self, state: State, cast: Cast, *, secret: bool) -> None:
        self.course = state.field.course
        self.cast = cast
        self.secret = secret  # what a player alone may see is his alone still

    def lines(self, happened: Sequence[Any], action: Any, seat: str) -> list[SafeString]:
        """Never empty."""
        told: list[SafeString] = []
        ride: list[Any] = []
        for event in happened:
            if isinstance(event, events.Crossed):
                ride.append(event)
                continue
            told += self.ride(ride)
            ride = [event] if isinstance(event, events.Moved) else []
            if not ride and (line := _EVENTS[type(event)](self, event)):
                told.append(line)
        told += self.ride(ride)
        if not told:
            told = self.answered(action, seat)
        told += self.own_secret(action)
        return told or [say(_("%(player)s answers."), player=self.cast.s(seat)) if seat else say(_("So it fell."))]

    def answered(self, action: Any, seat: str) -> list[SafeString]:
        """An answer that nothing came of, so far."""
        match action:
            case actions.Rate():
                return [say(_("%(player)s has rated the cyclists."), player=self.cast.s(seat))]
            case actions.Stay(team=team):
                return [say(_("%(team)s does not change."), team=self.b(team))]
        return []

    def own_secret(self, action: Any) -> list[SafeString]:
        """What only the reader himself may see of his answer, and everybody after the race: where it is masked, nothing is left."""
        match action:
            case actions.Allocate(team=team, hands=hands) if hands is not None:
                told = [
                    say(
                        _("%(rider)s %(hand)s"),
                        rider=self.b(f"{team}{number}"),
                        hand=hand_words([int(value) for value in hand]),
                    )
                    for number, hand in hands
                ]
                hidden = say(_("Only you see it: %(hands)s."), hands=listed(told))
                return [hidden if self.secret else say(_("With %(hands)s."), hands=listed(told))]
            case actions.Orders(factors=factors) if factors is not None and self.secret:  # else the moves tell it
                told = [say(_("%(rider)s %(factor)s"), rider=self.b(name), factor=factor) for name, factor in factors]
                return [say(_("Only you see it: %(orders)s."), orders=listed(told))]
            case actions.Rate(r1=r1, r2=r2) if r1 is not None and self.secret:
                return [say(_("Only you see it: ratings %(r1)s and %(r2)s."), r1=r1, r2=r2)]
        return []

    def b(self, rider: str) -> SafeString:
        return self.cast.b(rider)

    def ride(self, ride: Sequence[Any]) -> list[SafeString]:
        """A move with all lines that it crosses."""
        if not ride:
            return []
        move, *crossed = ride
        words = {"rider": self.b(move.cyclist), "factor": move.factor, "from": move.from_, "to": move.to}
        if not crossed:
            return [say(_("%(rider)s plays %(factor)s: %(from)s → %(to)s."), **words)]
        lines = listed([crossing_words(self.course, one.line, one.place, one.points) for one in crossed])
        return [say(_("%(rider)s plays %(factor)s: %(from)s → %(to)s. Crosses %(lines)s."), **words, lines=lines)]

    # ---- before the start ----
    def rated(self, event: Any) -> SafeString:
        return say(
            _("%(team)s rides with ratings %(r1)s and %(r2)s."), team=self.b(event.team), r1=event.r1, r2=event.r2
        )

    def allocated(self, event: Any) -> SafeString:
        return say(_("%(player)s has handed in the first factors."), player=self.cast.s(event.seat))

    def first_drawn(self, event: Any) -> SafeString:
        return say(_("%(player)s begins."), player=self.cast.s(event.seat))

    def placed(self, event: Any) -> SafeString:
        return say(
            _("%(team)s starts with number %(number)s; the other rests at square %(square)s."),
            team=self.b(event.team), number=event.active, square=event.square,
        )  # fmt: skip

    # ---- the turn ----
    def turn_began(self, event: Any) -> SafeString:
        return SafeString("")  # the margin of the log says in which turn something happened

    def ordered(self, event: Any) -> SafeString:
        return say(_("%(player)s has given orders."), player=self.cast.s(event.seat))

    def replaced(self, event: Any) -> SafeString:
        """All new factors, the largest first, those of one kind together."""
        ordered = sorted(event.factors, key=lambda new: (new.reason is Why.CHAIN, -new.value))
        parts = []
        for (value, reason), group in groupby(ordered, key=lambda new: (new.value, new.reason)):
            riders = [self.cast.rider(new.id) for new in group]
            bibs = " ".join(rider.bib or rider.name for rider in riders)
            told = say(
                _("%(factor)s: %(riders)s"), factor=_new_words(value, reason), riders=format_html("<b>{}</b>", bibs)
            )
            parts.append(told)
        news = format_html_join(" · ", '<span class="new">{}</span>', ((part,) for part in parts))
        return say(_("New factors. %(told)s"), told=news)

    def changed(self, event: Any) -> SafeString:
        words = {"team": self.b(event.team), "rider": self.b(event.cyclist), "square": event.square}
        if event.forced:
            return say(_("%(team)s is overdue and changes: %(rider)s rides, relief at square %(square)s."), **words)
        return say(_("%(team)s changes: %(rider)s rides, relief at square %(square)s."), **words)

    def left(self, event: Any) -> SafeString:
        return say(_("%(rider)s leaves the course."), rider=self.b(event.cyclist))

    # ---- beside the turn ----
    def retire_asked(self, event: Any) -> SafeString:
        return say(_("%(rider)s asks to retire: everybody else has to agree."), rider=self.b(event.cyclist))

    def retire_voted(self, event: Any) -> SafeString:
        words = {"player": self.cast.s(event.seat), "rider": self.b(event.cyclist)}
        if event.yes:
            return say(_("%(player)s agrees that %(rider)s retires."), **words)
        return say(_("%(player)s does not agree that %(rider)s retires."), **words)

    def retired(self, event: Any) -> SafeString:
        return say(_("%(rider)s retires."), rider=self.b(event.cyclist))

    def revealed(self, event: Any) -> SafeString:
        return say(_("%(rider)s shows %(hand)s."), rider=self.b(event.cyclist), hand=hand_words(event.hand))

    def checked(self, event: Any) -> SafeString:
        return say(_("The factors of %(rider)s were checked: consistent."), rider=self.b(event.cyclist))

    def stop_voted(self, event: Any) -> SafeString:
        if event.yes:
            return say(_("%(player)s wants to stop the race."), player=self.cast.s(event.seat))
        return say(_("%(player)s does not want to stop the race."), player=self.cast.s(event.seat))

    def race_over(self, event: Any) -> SafeString:
        match event.reason:
            case Reason.ABANDONED:
                return say(_("Everybody wanted to stop: the race is over."))
            case Reason.RETIRED:
                return say(_("Nobody is left: the race is over."))
        return say(_("Race over: enough are across the finish."))


def _new_words(value: int, reason: Why) -> str:
    """A new factor, and where it comes from: "+5, slipstream 2 (3+2)"."""
    words = {"value": value, "chain": value - BASE_REPLACEMENT, "base": BASE_REPLACEMENT}
    match reason:
        case Why.LEAD:
            return _("+%(value)s, break value") % words
        case Why.OVERCROWDED:
            return _("+%(value)s, overcrowded square") % words
    return _("+%(value)s, slipstream %(chain)s (%(base)s+%(chain)s)") % words if words["chain"] else f"+{value}"


_EVENTS: Final[Mapping[type[Any], Callable[[Teller, Any], SafeString]]] = MappingProxyType(
    {
        events.Rated: Teller.rated,
        events.Allocated: Teller.allocated,
        events.FirstDrawn: Teller.first_drawn,
        events.Placed: Teller.placed,
        events.TurnBegan: Teller.turn_began,
        events.Ordered: Teller.ordered,
        events.Replaced: Teller.replaced,
        events.Changed: Teller.changed,
        events.Left: Teller.left,
        events.RetireAsked: Teller.retire_asked,
        events.RetireVoted: Teller.retire_voted,
        events.Retired: Teller.retired,
        events.Revealed: Teller.revealed,
        events.Checked: Teller.checked,
        events.StopVoted: Teller.stop_voted,
        events.RaceOver: Teller.race_over,
    }
)
assert set(_EVENTS) | {events.Moved, events.Crossed} == set(events.EVENTS), "every event has its sentence"


# ---- entries that follow one another ---------------------------------------------------------------------------------
def alike(happened: Sequence[Any], action: Any) -> str:
    """What an entry is like: those of one kind that follow one another are told in one line; empty for all others."""
    match action, list(happened):
        case ((actions.Allocate(hands=None) | actions.OnPaper()), [events.Allocated()]):
            return "hands"
        case actions.Orders(factors=None), [events.Ordered()]:
            return "orders"
        case actions.Rate(r1=None), []:
            return "rates"
    return ""


def together(kind: str, entries: Sequence[tuple[Sequence[Any], Any, str]], cast: Cast) -> SafeString:
    """Several entries of that kind in one line, oldest first. An entry: its events, its action, its seat."""
    players = listed([cast.s(seat) for _happened, _action, seat in entries])
    if kind == "hands":
        return say(_("%(players)s have handed in the first factors."), players=players)
    if kind == "rates":
        return say(_("%(players)s have rated the cyclists."), players=players)
    return say(_("%(players)s have given orders."), players=players)
