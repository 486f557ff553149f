"""The words of Breaking Away: what is asked, where each factor leads, what it wins and what it would give back."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from races.board import board_of
from races.bots.breaking_away.allocation import STYLES, Style
from races.models import Seat
from races.panels import (
    Asked,
    Box,
    Budget,
    Bunch,
    Button,
    Chapter,
    Choice,
    Field,
    Group,
    Knowledge,
    Phase,
    Proposal,
    Question,
    Rider,
    Side,
    Tile,
)
from races.panels.breaking_away_log import (
    Teller,
    alike,
    crossing_words,
    hand_words,
    line_words,
    ordinal,
    points_words,
    together,
)
from races.panels.breaking_away_rules import chapters
from races.panels.table import code_of
from races.play import named
from races.words import Cast, Shown, jersey_symbol
from rules.breaking_away import actions, turn
from rules.breaking_away import data as box
from rules.breaking_away.allocation import checked
from rules.breaking_away.course import Course
from rules.breaking_away.events import Replacement, Why
from rules.breaking_away.madison import lap_of
from rules.breaking_away.movement import factors as factors_of
from rules.breaking_away.movement import held, points_of
from rules.breaking_away.outcome import points, standing
from rules.breaking_away.public import known
from rules.breaking_away.replacement import race_order, replace_factors
from rules.breaking_away.state import NOBODY, Racer, State, Where
from rules.breaking_away.state import Phase as At
from rules.breaking_away.view import View
from rules.errors import IllegalAction, RulesError, gettext_noop
from rules.game import AnyGame, Decision

GAME: Final = "breaking_away"
NAMED: Final = 3
"""So many cyclists are called by their names in one sentence; of more, how many."""
BIB: Final = 3
"""Characters that a bib has room for."""


def teams() -> tuple[tuple[str, str], ...]:
    """Jersey and name of the teams, clockwise: as many as a Madison has. Pink is for who leads a Giro, and for nobody else."""
    return (
        ("white-plain", _("White")),
        ("yellow-hoops", _("Yellow")),
        ("blue-sash", _("Blue")),
        ("green-stripes", _("Green")),
        ("purple-dots", _("Purple")),
        ("white-sash", _("White sash")),
        ("yellow-dots", _("Yellow dots")),
        ("blue-hoops", _("Blue hoops")),
        ("green-plain", _("Plain green")),
        ("purple-stripes", _("Purple stripes")),
        ("white-stripes", _("White stripes")),
        ("yellow-plain", _("Plain yellow")),
        ("blue-dots", _("Blue dots")),
        ("white-hoops", _("White hoops")),
    )


class BreakingAway:
    """See `races.panels.Panel`."""

    @property
    def figure(self) -> str:
        return _("Points")

    # ---- who -----------------------------------------------------------------------------------------------------
    def cast(self, view: View, seats: Sequence[Seat]) -> Cast:
        field = view.state.field
        told = {id: own for seat in seats for id, own in (seat.riders or {}).items()}
        by_name = {seat.name: seat for seat in seats}
        colours = teams()
        riders = []
        for index, team in enumerate(field.teams):
            symbol, colour = colours[index % len(colours)]
            seat_name = str(field.seats[team.seat])
            seat = by_name.get(seat_name)
            own = [(f"{team.id}{number}", number) for number in team.numbers]
            for id, number in [*own, (team.id, 0)]:
                given = told.get(id, {})
                bib = id if len(id) <= BIB else str(10 * (index + 1) + number) if number else ""
                unnamed = f"{colour} {number}" if number else colour
                riders.append(
                    Shown(
                        id=id,
                        bib=str(given.get("bib") or bib),
                        name=str(given.get("name") or unnamed),
                        called="" if given.get("name") else unnamed,
                        jersey=jersey_symbol(str(given["jersey"])) if given.get("jersey") else symbol,
                        seat=seat_name,
                        player=str(seat) if seat else seat_name,
                        bot=bool(seat and seat.bot),
                    )
                )
        return Cast(riders, seats)

    # ---- how far -------------------------------------------------------------------------------------------------
    def phase(self, view: View) -> Phase:
        state = view.state
        mark = _("Turn %(turn)s") % {"turn": state.turn} if state.turn else _("Before the start")
        match state.phase:
            case At.FINISHED:
                return Phase(mark=_("Finished"), words=_("The race is over."))
            case At.RATE:
                words = _("Everybody rates the two cyclists of his teams, in secret; then come the first factors.")
            case At.ALLOCATE:
                words = _("Everybody hands in his first factors, in secret; then it is drawn who begins.")
            case At.FIRST_SEAT:
                words = _("The first factors are in: it is drawn who begins.")
            case At.PLACE:
                words = _("The teams are lined up, one after the other.")
            case At.MOVE:
                words = _("From the front: %(done)s of %(all)s have moved; then come the new factors.") % {
                    "done": state.done,
                    "all": len(state.order),
                }
            case At.ORDERS:
                words = _("Everybody gives orders in secret; then all ride, from the front.")
            case At.CHANGE:
                words = _("From the front: whoever may changes; then the next turn.")
            case At.BOUNDARY:
                words = _("The votes on retirements are awaited; then the next turn.")
        return Phase(mark=mark, words=words)

    def headline(self, view: View, decision: Decision, cast: Cast, *, own: bool) -> str:
        rider = _unbroken(cast.rider(decision.about).name) if decision.about else ""
        facts = {"player": cast.player(decision.seat), "rider": rider}
        match decision.kind:
            case "rate":
                return _("how strong are your two?") if own else _("%(player)s rates his cyclists") % facts
            case "allocate":
                return _("hand in your first factors") if own else _("%(player)s hands in his first factors") % facts
            case "first_seat":
                return _("who begins is drawn")
            case "place":
                return _("line up %(rider)s") % facts if own else _("%(rider)s is lined up") % facts
            case "move":
                return _("your move with %(rider)s") % facts if own else _("%(rider)s to move") % facts
            case "orders":
                return _("give your orders") if own else _("%(player)s gives orders") % facts
            case "change":
                return _("does %(rider)s change?") % facts
            case "vote_retire" if own:
                return _("may %(rider)s retire?") % facts
            case "vote_retire":
                return _("%(player)s votes on %(rider)s") % facts
        raise KeyError(decision.kind)

    def several(self, decisions: Sequence[Decision]) -> str:
        count = len({decision.seat for decision in decisions})
        return ngettext("%(n)s player is awaited", "%(n)s players are awaited", count) % {"n": count}

    # ---- what is asked -------------------------------------------------------------------------------------------
    def question(
        self, game: AnyGame, view: View, decision: Decision, legal: Sequence[Any], cast: Cast, asked: Asked
    ) -> Question:
        asking = _Asking(game, view.state, decision, legal, cast, asked)
        match decision.kind:
            case "allocate":
                return asking.allocate()
            case "move":
                return asking.move()
            case "orders":
                return asking.orders()
            case "rate":
                return asking.rate()
            case "place":
                return asking.place()
            case "change":
                return asking.change()
            case "vote_retire":
                return asking.vote_retire()
            case "ask_retire":
                return asking.ask_retire()
            case "reveal":
                return asking.reveal()
            case "time_out":
                return asking.time_out()
            case "stop_race":
                return asking.stop_race()
        raise KeyError(decision.kind)

    def typed(self, kind: str, fields: Mapping[str, str]) -> dict[str, Any] | None:
        asked = named(fields.get("decision", ""))
        match kind:
            case "allocate":
                hands = {number: _factors(number, fields) for number in _numbers(fields)}
                return {"kind": kind, "team": asked.about, "hands": hands} if hands else None
            case "orders":
                told = {
                    name.removeprefix(ORDER): _whole(value)
                    for name, value in fields.items()
                    if name.startswith(ORDER) and value
                }
                return {"kind": kind, "seat": asked.seat, "factors": told} if told else None
            case "rate" if fields.get("r1") and fields.get("r2"):
                return {"kind": kind, "team": asked.about, "r1": _whole(fields["r1"]), "r2": _whole(fields["r2"])}
            case "place" if fields.get("active") and fields.get("square"):
                place = {name: _whole(fields[name]) for name in ("active", "square")}
                return {"kind": kind, "team": asked.about, **place}
            case "ask_retire" | "reveal" | "time_out" if fields.get("cyclist"):
                return {"kind": kind, "seat": asked.seat, "cyclist": fields["cyclist"]}
        return None

    # ---- on the road ---------------------------------------------------------------------------------------------
    def road(self, view: View, decisions: Sequence[Decision], cast: Cast, mine: frozenset[str]) -> list[Rider | Bunch]:
        return list(_road(view.state, decisions, cast, mine))

    # ---- the log -------------------------------------------------------------------------------------------------
    def mark(self, state: State, action: Any) -> str:
        return _("T%(turn)s") % {"turn": state.turn} if state.turn else ""

    def lines(
        self, events: Sequence[Any], action: Any, seat: str, cast: Cast, view: View, *, secret: bool = True
    ) -> list[SafeString]:
        return Teller(view.state, cast, secret=secret).lines(events, action, seat)

    def alike(self, events: Sequence[Any], action: Any) -> str:
        return alike(events, action)

    def together(self, kind: str, entries: Sequence[tuple[Sequence[Any], Any, str]], cast: Cast) -> SafeString:
        return together(kind, entries, cast)

    def standing(self, view: View, cast: Cast, mine: frozenset[str]) -> tuple[Side, ...]:
        return tuple(_standing(view.state, cast, mine))

    def squares(self, view: View) -> dict[str, str]:
        state = view.state
        return {
            name: str(racer.pos)
            for name, racer in zip(state.field.names, state.racers, strict=True)
            if racer.where is Where.RACING
        }

    # ---- the rules -----------------------------------------------------------------------------------------------
    def chapters(self) -> list[Chapter]:
        return chapters()

    # ---- the end -------------------------------------------------------------------------------------------------
    def result(self, outcome: Mapping[str, Any], cast: Cast) -> tuple[str, list[str]]:
        rows = outcome["teams"]
        first = [cast.player(row["seat"]) for row in rows if row["place"] == 1]
        words = {"player": ", ".join(first), "points": points_words(rows[0]["points"]), "turns": outcome["turns"]}
        if outcome["reason"] == "abandoned":
            title = _("Stopped in turn %(turns)s: %(player)s is ahead, %(points)s") % words
        elif len(first) > 1:
            title = _("%(player)s share the first place: %(points)s") % words
        else:
            title = _("%(player)s wins with %(points)s") % words
        return title, [_team_words(row, cast) for row in rows]


PANEL: Final = BreakingAway()


def _team_words(row: Mapping[str, Any], cast: Cast) -> str:
    """A team's line of the result: place, points, and where they come from."""
    words = {
        "place": row["place"],
        "player": cast.player(row["seat"]),
        "points": points_words(row["points"]),
        # by name: a stored outcome has its lines in no order
        "lines": ", ".join(f"{line} {value}" for line, value in row["lines"].items()),
    }
    told = _("%(place)s. %(player)s: %(points)s (%(lines)s)") % words
    if row.get("retired"):
        return _("%(row)s, retired") % {"row": told}
    if row.get("laps_down"):
        count = row["laps_down"]
        return ngettext("%(row)s, %(n)s lap down", "%(row)s, %(n)s laps down", count) % {"row": told, "n": count}
    return told


# ---- what was typed --------------------------------------------------------------------------------------------------
HAND: Final = "hand-"
ORDER: Final = "factor-"
LONGEST_NUMBER: Final = 6
"""Characters of a number that somebody may mean."""


def _numbers(fields: Mapping[str, str]) -> list[str]:
    """The numbers of the cyclists whose hands were sent, in the order of the form."""
    return list(dict.fromkeys(name.split("-")[1] for name in fields if name.startswith(HAND) and name.count("-") == 2))


def _boxes(number: str, fields: Mapping[str, str]) -> list[str]:
    return [value.strip() for name, value in fields.items() if name.startswith(f"{HAND}{number}-") and value.strip()]


def _factors(number: str, fields: Mapping[str, str]) -> list[int]:
    """A hand as it was typed; boxes left empty are none. IllegalAction for what is no whole number."""
    found = []
    for text in _boxes(number, fields):
        value = _whole(text)
        if value is None:
            raise IllegalAction(
                "BA-SET-05",
                gettext_noop('"%(value)s" for number %(number)s: a first factor is a whole number from 1 to 15.'),
                value=text[:20],
                number=number[:4],
            )
        found.append(value)
    return found


def _whole(text: str) -> int | None:
    text = text.strip()
    return int(text) if text.lstrip("-").isdecimal() and len(text) <= LONGEST_NUMBER and text.count("-") <= 1 else None


# ---- places ----------------------------------------------------------------------------------------------------------
def place_words(course: Course, pos: int) -> str:
    """ "73 / 100, sq 33, lap 2": the distance, and where that is printed."""
    told = _("%(pos)s / %(finish)s") % {"pos": pos, "finish": course.finish.at}
    printed = printed_words(course, pos)
    return f"{told}, {printed}" if printed else told


def printed_words(course: Course, pos: int) -> str:
    """ "sq 33, lap 2"; empty on an open road, where the distance is the square."""
    if course.circuit is None:
        return ""
    return _("sq %(square)s, lap %(lap)s") % {"square": course.square(pos), "lap": course.lap(pos) + 1}


def _unbroken(name: str) -> str:
    """A name that stays in one line: "White 1"."""
    return name.replace(" ", "\N{NO-BREAK SPACE}")


def _counted(cast: Cast, ids: Sequence[str]) -> str:
    """ "White 2, Blue 3 and 2 more"."""
    names = ", ".join(cast.rider(id).name for id in ids[:NAMED])
    more = len(ids) - NAMED
    return _("%(names)s and %(n)s more") % {"names": names, "n": more} if more > 0 else names


# ---- questions -------------------------------------------------------------------------------------------------------
class _Asking:
    """One decision, being put into words for the seat that takes it."""

    def __init__(
        self, game: AnyGame, state: State, decision: Decision, legal: Sequence[Any], cast: Cast, asked: Asked
    ) -> None:
        self.game, self.state, self.decision, self.legal = game, state, decision, legal
        self.cast, self.asked = cast, asked
        self.field, self.course = state.field, state.field.course

    # ---- before the start ----
    def allocate(self) -> Question:
        team = self.field.team_named(self.decision.about or "")
        assert team is not None, "hands are allocated for a team"
        if self.field.options.closed:
            return Question(
                title=_("The first factors"),
                intro=(_("They stand on the log sheet of %(player)s and stay there (BA-REF-01).") % self.whose(),),
                buttons=self.paper(),
            )
        ratings = turn.ratings_of(self.state, team)
        pointed = getattr(self.asked.action, "hands", None)
        usual = dict(pointed or self.game.default(self.state, self.decision).hands)
        typed = dict(self.asked.typed)
        given = typed if _numbers(typed) else None
        budgets, doubts = [], []
        for number, rating in ratings.items():
            limit, sizes = box.ALLOTMENTS[rating]
            hand = sorted(usual[str(number)], reverse=True)
            values = [str(value) for value in hand] if given is None else []
            boxes = []
            for n in range(1, max(sizes) + 1):
                name = f"{HAND}{number}-{n}"
                value = values[n - 1] if n <= len(values) else "" if given is None else given.get(name, "")
                boxes.append(
                    Box(
                        name=name,
                        label=_("Number %(number)s, factor %(n)s") % {"number": number, "n": n},
                        value=value[:20],
                        is_optional=n > min(sizes),
                    )
                )
            rider = self.cast.rider(f"{self.field.teams[team].id}{number}")
            spent = [_whole(text.value) or 0 for text in boxes]
            budget = Budget(
                name=str(number),
                rider=rider,
                where=self.hand_rule(rating, limit, sizes),
                limit=limit,
                used=sum(spent),
                boxes=tuple(boxes),
            )
            budgets.append(budget)
            if given is not None and budget.left > 0:
                doubts.append(
                    ngettext("%(rider)s has %(n)s point left.", "%(rider)s has %(n)s points left.", budget.left)
                    % {"rider": rider.name, "n": budget.left}
                )
        if doubts and self.faulty(team, given or {}):
            doubts = []
        return Question(
            title=_("Your first factors"),
            intro=(
                _("Every turn a cyclist spends one factor, 1 to 15, and rides that many squares. Only you see these."),
            ),
            proposals=tuple(self.proposals(ratings)),
            budgets=tuple(budgets),
            doubts=tuple(doubts),
            confirm=_("Hand them in"),
            buttons=self.paper(),
        )

    def proposals(self, ratings: Mapping[int, int]) -> Iterator[Proposal]:
        """The styles in which people begin. The usual one is filled in where nothing is said or typed."""
        names = {Style.DEFAULT: _("Balanced"), Style.ATTACK: _("Attack"), Style.SIT_IN: _("Sit in")}
        typed = bool(_numbers(self.asked.typed))
        for style, hands in STYLES.items():
            dealt = tuple((str(number), tuple(sorted(hands[rating]))) for number, rating in ratings.items())
            action = actions.Allocate(team=self.decision.about or "", hands=dealt)
            is_usual = self.asked.action is None and style is Style.DEFAULT
            yield Proposal(
                label=names[style],
                href=self.asked.action_href(self.code(action)),
                current=not typed and (is_usual or self.asked.action == action),
            )

    def paper(self) -> tuple[Button, ...]:
        """That the first factors are on the log sheet, where that may be."""
        options = self.field.options
        if not options.on_paper or self.decision.about is None:
            return ()
        answer = actions.OnPaper(team=self.decision.about)
        return (Button(code=self.code(answer), label=_("They are on paper"), main=options.closed),)

    def faulty(self, team: int, typed: Mapping[str, str]) -> bool:
        """Whether the rules refuse what was typed: then they say so, and what is left unspent is no question yet."""
        exact = self.field.options.allocation_exact
        try:
            for number, rating in turn.ratings_of(self.state, team).items():
                checked(str(number), _factors(str(number), typed), rating, exact)
        except RulesError:
            return True
        return False

    def hand_rule(self, rating: int, limit: int, sizes: Sequence[int]) -> str:
        words = {"sizes": _(" or ").join(map(str, sizes)), "limit": limit, "rating": rating}
        if self.field.madison:
            return _("rating %(rating)s: %(sizes)s factors, %(limit)s points") % words
        return _("%(sizes)s factors, %(limit)s points") % words

    def whose(self) -> dict[str, str]:
        return {"player": self.cast.player(self.decision.seat)}

    def rate(self) -> Question:
        """Two ratings, each for itself: that they differ is said by the rules. Rules: BA-MAD-02."""
        typed = self.asked.typed
        fields = []
        for number in (1, 2):
            rider = self.cast.rider(f"{self.decision.about}{number}")
            options = tuple(
                (str(rating), "", _("%(n)s points") % {"n": allotment.limit})
                for rating, allotment in box.ALLOTMENTS.items()
            )
            fields.append(
                Field(
                    name=f"r{number}",
                    label=rider.full,
                    rider=rider,
                    options=options,
                    value=typed.get(f"r{number}", str(number)),
                    figures=True,
                )
            )
        return Question(
            title=_("How strong are your two?"),
            intro=(
                _("1 is best: a rating says how many points his first factors have."),
                _("Two different ones; everybody sees them when all have chosen (BA-MAD-02)."),
            ),
            fields=tuple(fields),
            hint=_("Choose two ratings."),
            confirm=_("Rate them"),
        )

    def place(self) -> Question:
        """Who rides first, and where the other one rests. Rules: BA-MAD-04, BA-MAD-06."""
        team = self.decision.about or ""
        pointed = self.asked.action if isinstance(self.asked.action, actions.Place) else None
        typed = self.asked.typed
        free = [str(square) for square in dict.fromkeys(action.square for action in self.legal)]
        active = str(pointed.active) if pointed else typed.get("active", "1")
        square = str(pointed.square) if pointed else typed.get("square", free[0])
        return Question(
            title=_("Line up your team"),
            rider=self.rider(team),
            where=_("the other one rests beside a square, here or on the board"),
            fields=(
                Field(
                    name="active",
                    label=_("Who rides first"),
                    options=tuple(self.lines_up(team, number) for number in (1, 2)),
                    value=active,
                    hrefs={str(number): self.rests(team, number, square) for number in (1, 2)},
                ),
                Field(
                    name="square",
                    label=_("Where the other one rests"),
                    options=tuple((n, "", "") for n in free),
                    value=square,
                    hrefs={n: self.rests(team, int(active), n) for n in free},
                    figures=True,
                ),
            ),
            hint=_("%(rider)s rides, %(other)s rests beside square %(square)s") % {
                "rider": self.cast.rider(f"{team}{active}").name,
                "other": self.cast.rider(f"{team}{'2' if active == '1' else '1'}").name,
                "square": square,
            },
            confirm=_("Line up"),
        )  # fmt: skip

    def lines_up(self, team: str, number: int) -> tuple[str, str, str]:
        """One of the two as an option, with what he holds."""
        racer, side = self.field.places[f"{team}{number}"]
        him = self.state.racers[racer]
        hand = him.hand if him.relief is None or him.relief.side == side else him.relief.hand
        told = _("factors %(hand)s") % {"hand": hand_words(hand)} if hand is not None else ""
        return str(number), self.cast.rider(f"{team}{number}").name, told

    def rests(self, team: str, active: int, square: str) -> str:
        """The address that shows this line-up on the board."""
        answer = actions.Place(team=team, active=active, square=_whole(square) or 0)
        return self.asked.to_href(board_of(GAME).value(answer))

    # ---- the turn ----
    def move(self) -> Question:
        racer, _side = self.field.places[self.decision.about or ""]
        moves = sorted(self.legal, key=lambda action: action.factor)
        choices = tuple(self.factor(racer, action) for action in moves)
        return Question(
            title=_("Your move"),
            rider=self.rider(self.decision.about),
            where=place_words(self.course, self.state.racers[racer].pos),
            facts=tuple(self.facts(racer)),
            groups=(Group(title=_("Which factor?"), sub=_("New factor, as it stands"), choices=choices, plain=True),),
            hint=_("Choose a factor, here or on the board."),
            confirm=_("Play it"),
        )

    def factor(self, racer: int, action: Any) -> Choice:
        tell = self.game.explain(self.state, action)
        place = place_words(self.course, tell["to"])
        new = self.news(racer, tell["to"])
        value = new[self.ride(racer)].value
        crossed = [
            crossing_words(self.course, line["id"], line["place"], line["points"]) for line in tell["lines"]
        ]  # fmt: skip
        says = [_("%(factor)s: to %(place)s") % {"factor": action.factor, "place": place}, *crossed]
        return self.choice(
            action,
            title=place,
            to=str(action.factor),
            marks=tuple(self.leads_to(racer, tell, new)),
            cost=f"+{value}",
            cost_words=_("new factor"),
            brief=self.brief(tell),
            says=_("%(what)s; new factor %(value)s, as it stands") % {"what": "; ".join(says), "value": value},
            confirm=_("Play %(factor)s") % {"factor": action.factor},
        )

    def brief(self, tell: Mapping[str, Any]) -> str:
        """Where the piece goes, and what it wins: enough for somebody who has the board before him."""
        to, won = tell["to"], sum(line["points"] for line in tell["lines"])
        square = _("sq %(square)s") % {"square": self.course.square(to)} if self.course.circuit else f"→ {to}"
        if not tell["lines"]:
            return square
        return _("%(square)s · %(points)s") % {"square": square, "points": points_words(won)}

    def leads_to(
        self, racer: int, tell: Mapping[str, Any], new: Mapping[str, Replacement]
    ) -> Iterator[tuple[str, str]]:
        to = tell["to"]
        for line in tell["lines"]:
            crossing = crossing_words(self.course, line["id"], line["place"], line["points"])
            yield "flag", _("Crosses %(crossing)s") % {"crossing": crossing}
        yield from self.near_lines(to, tell["next"])
        yield from self.company(racer, to, new)
        if tell.get("rival_rests"):
            yield "stop", _("A rival rests there: no change")
        yield from self.rivals(to)

    def near_lines(self, to: int, next_line: Mapping[str, Any] | None) -> Iterator[tuple[str, str]]:
        """Lines that he stops on, or that are then within reach of a factor."""
        for line in self.course.lines:
            if line.at == to:
                yield "stop", _("On the line of %(line)s: not crossed") % {"line": line_words(self.course, line)}
            elif next_line and line.id == next_line["id"] and next_line["away"] <= box.LARGEST_FACTOR:
                words = {"line": line_words(self.course, line), "n": next_line["away"]}
                yield "next", ngettext(
                    "%(line)s then with %(n)s", "%(line)s then with %(n)s or more", next_line["away"]
                ) % words  # fmt: skip

    def company(self, racer: int, to: int, new: Mapping[str, Replacement]) -> Iterator[tuple[str, str]]:
        """Whose chain he would be on and what that gives, and who would gain by him: as if nobody else moved."""
        state, racers = self.state, self.state.racers
        moved = [other for other in state.order[: state.done] if other != racer]
        here = [other for other in moved if racers[other].pos == to]
        if here:
            with_him = _counted(self.cast, [self.ride(other) for other in here])
            yield "same", _("Outside on the square, with %(riders)s") % {"riders": with_him}
        mine = new[self.ride(racer)]
        chain = _chain(to, [(racers[other].pos, self.ride(other)) for other in moved])
        words = {
            "value": mine.value,
            "riders": _counted(self.cast, chain),
            "n": len(chain),
            "base": box.BASE_REPLACEMENT,
        }
        if mine.reason is Why.LEAD:
            yield "bonus", _("Leader, alone: break value %(value)s, the lead instead of 3") % words
        elif mine.reason is Why.OVERCROWDED:
            yield "crash", _("Overcrowded square (turn 1): no slipstream") % words
        elif chain and mine.value > box.BASE_REPLACEMENT:
            yield "wheel", _("Slipstream +%(n)s behind %(riders)s (%(base)s+%(n)s)") % words
        before = {told.id: told.value for told in self.replaced(state)}
        gain = [
            name
            for name in map(self.ride, moved)
            if new[name].value > max(before[name], box.BASE_REPLACEMENT) and new[name].reason is Why.CHAIN
        ]
        own = [name for name in gain if self.cast.rider(name).seat == self.decision.seat]
        rivals = [name for name in gain if name not in own]
        if own:
            yield "up", _("Pulls along %(riders)s, of your own") % {"riders": _counted(self.cast, own)}
        if rivals:
            yield "up", _("Pulls along %(riders)s") % {"riders": _counted(self.cast, rivals)}

    def news(self, racer: int, to: int) -> dict[str, Replacement]:
        """Everybody's new factor, if he went there and nobody else moved."""
        racers = self.state.racers
        there = (*racers[:racer], racers[racer]._replace(pos=to), *racers[racer + 1 :])
        return {new.id: new for new in self.replaced(self.state._replace(racers=there))}

    @staticmethod
    def replaced(state: State) -> tuple[Replacement, ...]:
        return replace_factors(state)[1].factors

    def ride(self, racer: int) -> str:
        """The id of the cyclist who rides."""
        return turn.rides(self.state, racer)

    def rivals(self, to: int) -> Iterator[tuple[str, str]]:
        """Who moves after him and may still land there, as far as everybody can tell."""
        state = self.state
        sure, may, others = [], [], 0
        for other in state.order[state.done + 1 :]:
            if self.cast.rider(self.ride(other)).seat == self.decision.seat:
                continue
            others += 1
            wanted = to - state.racers[other].pos
            if wanted in _surely(state.racers[other]):
                sure.append(self.ride(other))
            elif wanted in held(state, other):
                may.append(self.ride(other))
        if not others:
            return
        if len(may) == others > NAMED:
            yield "ask", _("Any of %(n)s rivals may still move there") % {"n": others}
            return
        if sure:
            yield "ask", _("Can still move there: %(riders)s") % {"riders": _counted(self.cast, sure)}
        if may:
            words = {"riders": _counted(self.cast, may)}
            yield "ask", _("Perhaps: %(riders)s") % words if sure else _("May still move there: %(riders)s") % words
        if not sure and not may:
            yield "ok", _("No rival can still move there")

    def facts(self, racer: int) -> Iterator[tuple[str, str]]:
        him = self.state.racers[racer]
        if him.hand is not None:
            yield "paper", _("factors %(hand)s") % {"hand": hand_words(him.hand)}
        won = sum(points(self.state, racer))
        if won:
            yield "flag", points_words(won)
        if him.relief is not None and him.relief.overdue:
            yield "crash", _("overdue: has to change")

    def orders(self) -> Question:
        assert self.decision.seat is not None
        seat = self.field.seats.index(self.decision.seat)
        own = set(turn.racing(self.state, seat))
        typed = self.asked.typed
        pointed = dict(getattr(self.asked.action, "factors", None) or ())
        fields = []
        for at, racer in enumerate(self.state.order, 1):
            if racer not in own:
                continue
            name, pos, may = self.ride(racer), self.state.racers[racer].pos, factors_of(self.state, racer)
            where = _("%(pos)s / %(finish)s · moves %(nth)s") % {
                "pos": pos, "finish": self.course.finish.at, "nth": ordinal(at),
            }  # fmt: skip
            fields.append(
                Field(
                    name=f"{ORDER}{name}",
                    label=self.cast.rider(name).full,
                    rider=self.cast.rider(name),
                    where=where,
                    options=tuple(self.ordered(racer, factor) for factor in may),
                    value=typed.get(f"{ORDER}{name}", str(pointed.get(name, ""))),
                    figures=True,
                    hrefs={str(factor): self.shows(pointed | {name: factor}) for factor in may},
                )
            )
        return Question(
            title=_("Your orders for turn %(turn)s") % {"turn": self.state.turn},
            intro=(
                _("A factor for each of your cyclists. Nobody sees them before all orders are in; then all ride, from the front."),
            ),
            fields=tuple(fields),
            hint=_("%(n)s of %(all)s chosen") % {"n": sum(bool(field.value) for field in fields), "all": len(fields)},
            confirm=_("Give the orders"),
        )  # fmt: skip

    def shows(self, factors: Mapping[str, int]) -> str:
        """The address that shows orders on the board, be they only some of a turn's."""
        told = actions.Orders(seat=self.decision.seat or "", factors=tuple(sorted(factors.items())))
        return self.asked.to_href(board_of(GAME).value(told))

    def ordered(self, racer: int, factor: int) -> tuple[str, str, str]:
        """A factor as an option: where it leads, and what he can win there at the most, as places are free now."""
        pos = self.state.racers[racer].pos
        to = pos + factor
        subs = []
        for line, crossed in zip(self.course.lines, self.state.lines, strict=True):
            words = {"line": line_words(self.course, line)}
            if pos <= line.at < to:
                won = points_words(points_of(line.points, len(crossed) + 1))
                subs.append(_("%(line)s: up to %(points)s") % (words | {"points": won}))
            elif line.at == to:
                subs.append(_("On the line of %(line)s: not crossed") % words)
        return str(factor), _("→ %(to)s") % {"to": to}, "; ".join(subs)

    def change(self) -> Question:
        racer = self.field.names.index(self.decision.about or "")
        him = self.state.racers[racer]
        buttons = []
        for action in self.legal:
            if isinstance(action, actions.Change):
                buttons.append(Button(code=self.code(action), label=_("Change"), sub=self.takes_over(racer, action)))
            else:
                buttons.append(Button(code=self.code(action), label=_("Stay"), main=True))
        return Question(
            title=_("Change?"),
            rider=self.rider(self.ride(racer)),
            where=place_words(self.course, him.pos),
            facts=tuple(self.facts(racer)),
            intro=(self.duty(him),),
            buttons=tuple(buttons),
        )

    def takes_over(self, racer: int, action: Any) -> str:
        """Who would ride, with what, and where the other one would rest."""
        him = self.state.racers[racer]
        fresh = self.cast.rider(self.game.explain(self.state, action)["cyclist"])
        words = {
            "rider": fresh.name,
            "other": self.cast.rider(self.ride(racer)).name,
            "square": self.course.square(him.pos),
        }
        if him.relief is None or him.relief.hand is None:
            return _("%(rider)s takes over, %(other)s rests at sq %(square)s.") % words
        words["hand"] = hand_words(him.relief.hand)
        return _("%(rider)s takes over with %(hand)s, %(other)s rests at sq %(square)s.") % words

    @staticmethod
    def duty(him: Racer) -> str:
        """Whether the team has changed in this lap, as it has to. Rules: BA-MAD-15."""
        lap = lap_of(him.pos)
        words = {"lap": lap, "line": lap * box.MADISON_LAP}
        if him.relief is not None and him.relief.changed == lap:
            return _("They have changed in lap %(lap)s already (BA-MAD-15).") % words
        return _("No change in lap %(lap)s yet, and there has to be one up to %(line)s (BA-MAD-15).") % words

    # ---- beside the turn ----
    def vote_retire(self) -> Question:
        who = self.cast.rider(self.decision.about or "")
        return Question(
            title=_("May %(rider)s retire?") % {"rider": who.name},
            rider=who,
            intro=(_("He goes only if everybody else agrees; one no is enough to refuse (BA-RET-01)."),),
            buttons=tuple(
                Button(code=self.code(action), label=_("Yes") if action.yes else _("No")) for action in self.legal
            ),
        )

    def ask_retire(self) -> Question:
        return self.about_one(
            _("Retire a cyclist"),
            _("He leaves the race after this turn if everybody else agrees, and keeps his points (BA-RET-02)."),
            _("Ask the others"),
        )

    def reveal(self) -> Question:
        return self.about_one(
            _("Show a hand"),
            _("Everybody sees all factors of this cyclist, from now on (BA-INFO-03)."),
            _("Show it to everybody"),
        )

    def time_out(self) -> Question:
        return self.about_one(
            _("Check factors"),
            _("Were the factors that he spent his own? On the site they always are (BA-INFO-05)."),
            _("Check them"),
        )

    def about_one(self, title: str, words: str, confirm: str) -> Question:
        """Something about one of several cyclists."""
        options = [(action.cyclist, self.cast.rider(action.cyclist).full, "") for action in self.legal]
        value = self.asked.typed.get("cyclist", options[0][0] if options else "")
        return Question(
            title=title,
            intro=(words,),
            fields=(Field(name="cyclist", label=_("Cyclist"), options=tuple(options), value=value, folds=True),),
            confirm=confirm,
        )

    def stop_race(self) -> Question:
        wants = [self.cast.player(self.field.seats[seat]) for seat in self.state.asides.stop]
        intro = [_("It ends as it stands if everybody wants it; a no takes every wish back (BA-END-07).")]
        if wants:
            intro.append(_("Wanted by %(players)s.") % {"players": ", ".join(wants)})
        return Question(
            title=_("Stop the race"),
            intro=tuple(intro),
            buttons=tuple(
                Button(code=self.code(action), label=_("Stop it here") if action.yes else _("No, ride on"))
                for action in self.legal
            ),
        )

    # ---- parts ----
    def rider(self, id: str | None) -> Shown:
        return self.cast.rider(id or "")

    def choice(self, action: Any, **fields: Any) -> Choice:
        code, value = self.code(action), board_of(GAME).value(action)
        href = self.asked.to_href(value) if value else self.asked.action_href(code)
        return Choice(code=code, value=value, href=href, checked=action == self.asked.action, **fields)

    def code(self, action: Any) -> str:
        return code_of(self.game, action)


def _chain(to: int, others: Sequence[tuple[int, str]]) -> list[str]:
    """Who stands in the unbroken chain ahead of a square, the nearest first."""
    found: list[str] = []
    while here := [id for pos, id in others if pos == to + 1]:
        found += here
        to += 1
    return found


def _surely(racer: Racer) -> tuple[int, ...]:
    """Factors that everybody knows to be in a hand."""
    return racer.hand if racer.hand is not None else known(racer.spent, racer.gained).held


# ---- on the road -----------------------------------------------------------------------------------------------------
def _road(state: State, decisions: Sequence[Decision], cast: Cast, mine: frozenset[str]) -> Iterator[Rider]:
    """The field in race order, with points and with what everybody knows of the factors."""
    field, racers = state.field, state.racers
    asked = {decision.about: decision for decision in decisions if decision.about}
    order = race_order(state.order or range(len(racers)), racers)
    gone = [racer for racer in range(len(racers)) if racer not in order]
    ahead: int | None = None
    dealt = bool(state.given) and all(state.given)  # before that nobody holds anything
    for rank, racer in enumerate((*order, *gone), 1):
        him = racers[racer]
        name = turn.rides(state, racer)
        on = him.where is Where.RACING
        decision = asked.get(name) or asked.get(field.names[racer])
        gap, gap_words = _gap(him.pos, ahead) if on else ("", "")
        ahead = him.pos if on else ahead
        tiles = tuple(_tiles(state, racer)) if on and dealt else ()
        yield Rider(
            shown=cast.rider(name),
            rank=str(rank) if on else "",
            place=str(him.pos),
            gap=gap,
            gap_words=gap_words,
            energy=str(sum(points(state, racer))),
            tiles=tiles,
            tiles_words=_tiles_words(tiles),
            notes=tuple(_notes(state, racer, decision, cast)),
            out=not on,
            turn=decision is not None and decision.kind in ("move", "change"),
            mine=name in mine,
        )


def _gap(pos: int, ahead: int | None) -> tuple[str, str]:
    if ahead is None:
        return "", ""
    if pos == ahead:
        return "=", _("on the square of the one before")
    behind = ahead - pos
    words = ngettext("%(n)s square behind the one before", "%(n)s squares behind the one before", behind)
    return f"−{behind}", words % {"n": behind}


def _notes(state: State, racer: int, decision: Decision | None, cast: Cast) -> Iterator[str]:
    him, course = state.racers[racer], state.field.course
    if him.where is Where.RETIRED:
        yield _("retired")
    elif racer in state.lines[-1]:
        yield _("Finish %(place)s") % {"place": ordinal(state.lines[-1].index(racer) + 1)}
    if decision is not None:
        yield _("to move") if decision.kind == "move" else _("to decide")
    if course.circuit is not None and him.pos != course.square(him.pos):  # else both are one number
        yield printed_words(course, him.pos)
    if racer == state.leader and him.where is Where.RACING:
        yield _("Leader, alone")
    if him.relief is not None:
        if him.relief.square != NOBODY:
            partner = cast.rider(state.field.cyclists[racer][1 - him.relief.side])
            words = {"rider": partner.bib or partner.name, "square": him.relief.square}
            yield _("%(rider)s relief at sq %(square)s") % words
            if him.relief.hand is not None:
                yield _("%(rider)s holds %(hand)s") % (words | {"hand": hand_words(him.relief.hand)})
        if him.relief.overdue:
            yield _("overdue")


def _tiles(state: State, racer: int) -> Iterator[Tile]:
    """What he holds, the largest first: his own hand, or what everybody can work out and how many nobody knows."""
    him = state.racers[racer]
    if him.hand is not None:
        yield from (Tile(text=str(factor), known=Knowledge.OWN) for factor in sorted(him.hand, reverse=True))
        return
    told = known(him.spent, him.gained)
    yield from (Tile(text=str(factor), known=Knowledge.SURE) for factor in sorted(told.held, reverse=True))
    sizes = box.ALLOTMENTS[_rating(state, racer)].values
    left = min(sizes) - len(told.originals)
    yield from (Tile(text="?", known=Knowledge.UNKNOWN) for _one in range(left))
    if len(told.originals) < max(sizes) > min(sizes):
        yield Tile(text="?", known=Knowledge.PERHAPS)


def _rating(state: State, racer: int) -> int:
    """Of who rides: his number, or what his team rated him."""
    field, team = state.field, state.field.team_of[racer]
    relief = state.racers[racer].relief
    number = field.number[racer] if relief is None else field.teams[team].numbers[relief.side]
    return turn.ratings_of(state, team)[number]


def _tiles_words(tiles: Sequence[Tile]) -> str:
    """The same to be heard: "factors 9 6 3", "surely holds 5 3, and 1 or 2 more"."""
    sure = " ".join(tile.text for tile in tiles if tile.known in (Knowledge.OWN, Knowledge.SURE))
    if all(tile.known is Knowledge.OWN for tile in tiles):
        return _("factors %(hand)s") % {"hand": sure}
    least = sum(tile.known is Knowledge.UNKNOWN for tile in tiles)
    most = least + sum(tile.known is Knowledge.PERHAPS for tile in tiles)
    if not most:
        return _("surely holds %(hand)s") % {"hand": sure}
    unknown = str(least) if least == most else _("%(least)s or %(most)s") % {"least": least, "most": most}
    if not sure:
        return _("%(unknown)s factors that nobody else knows") % {"unknown": unknown}
    return _("surely holds %(hand)s, and %(unknown)s more") % {"hand": sure, "unknown": unknown}


# ---- the teams -------------------------------------------------------------------------------------------------------
def _standing(state: State, cast: Cast, mine: frozenset[str]) -> Iterator[Side]:
    """The teams, best first, with what each has won at every line that somebody has crossed."""
    rows = standing(state)
    lines = [line for line, crossed in zip(state.field.course.lines, state.lines, strict=True) if crossed]
    own = {cast.rider(id).seat for id in mine}
    for row, above in zip(rows, [None, *rows], strict=False):
        parts = [(line_words(state.field.course, line), str(row["lines"][line.id])) for line in lines]
        if state.field.madison and row["laps_down"]:
            parts.append((_("Laps down"), str(row["laps_down"])))
        yield Side(
            shown=cast.rider(row["id"]),
            place=str(row["place"]) if lines or state.over else "",
            total=str(row["points"]),
            parts=tuple(parts),
            why=_parted(row, above, madison=state.field.madison) if above and (row["points"] or state.over) else None,
            mine=row["seat"] in own,
        )


def _parted(row: Mapping[str, Any], above: Mapping[str, Any], *, madison: bool) -> tuple[str, str] | None:
    """What parts a team from the one above it, where that is not its points."""
    if row["place"] == above["place"]:
        return "BA-MAD-25" if madison else "BA-TIE-04", _("level with the team above")
    if madison and (row["retired"] or row["laps_down"] != above["laps_down"]):
        return "BA-MAD-25" if row["retired"] else "BA-MAD-22", _("distance goes before points")
    if row["points"] == above["points"]:
        return "BA-MAD-23" if madison else "BA-TIE-02", _("level on points: the other is placed ahead")
    return None
