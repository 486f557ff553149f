"""The words of *Giro d'Italia: The Game*: what is asked, what each answer costs, risks and leads to."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import groupby
from typing import Any, Final

from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from races.board import board_of
from races.board.giro import road_of
from races.board.profile import terrain_word
from races.models import Seat
from races.panels import Asked, Bunch, Button, Chapter, Choice, Field, Group, Phase, Pick, Question, Rider, Side
from races.panels.giro_log import Teller, alike, card_name, speciality_word, together
from races.panels.giro_rules import chapters
from races.panels.table import code_of
from races.words import Cast, Shown, jersey_symbol, percent
from rules.game import AnyGame, Decision, Taker
from rules.giro import actions, data
from rules.giro.actions import Risk
from rules.giro.cards import CARDS, Card
from rules.giro.course import LineKind
from rules.giro.data import Speciality, Terrain
from rules.giro.movement import free_squares, starts_on
from rules.giro.notation import TICKS
from rules.giro.order import classification
from rules.giro.risks import needed
from rules.giro.state import NOBODY, UNSEEN, Do, State, Strength, Where
from rules.giro.state import Rider as Racer
from rules.giro.view import View

GAME: Final = "giro"
JERSEYS: Final = ("white", "yellow", "blue", "green", "purple")
KINDS: Final = tuple(Speciality)


class Giro:
    """See `races.panels.Panel`."""

    @property
    def figure(self) -> str:
        return _("Energy")

    # ---- who -----------------------------------------------------------------------------------------------------
    def cast(self, view: View, seats: Sequence[Seat]) -> Cast:
        named = {id: told for seat in seats for id, told in (seat.riders or {}).items()}
        by_name = {seat.name: seat for seat in seats}
        riders = []
        for rider in view.state.riders:
            entry = rider.entry
            told = named.get(entry.id, {})
            unnamed = rider_name(entry.id, entry.jersey, entry.speciality)
            seat_name = str(view.state.seats[entry.seat])
            seat = by_name.get(seat_name)
            riders.append(
                Shown(
                    id=entry.id,
                    bib=str(told.get("bib") or bib_of(entry.jersey, entry.speciality)),
                    name=str(told.get("name") or unnamed),
                    called="" if told.get("name") else unnamed,
                    jersey=jersey_symbol(str(told.get("jersey") or entry.jersey)),
                    kind=_kind(rider),
                    seat=seat_name,
                    player=str(seat) if seat else seat_name,
                    bot=bool(seat and seat.bot),
                )
            )
        return Cast(riders, seats)

    # ---- how far -------------------------------------------------------------------------------------------------
    def phase(self, view: View) -> Phase:
        state = view.state
        if state.over:
            return Phase(mark=_("Finished"), words=_("The stage is over."))
        waiting = {todo.do for todo in state.runs[0].agenda} if state.runs else set()
        if not any(run.turn for run in state.runs):
            words = _("The riders are chosen, then the strengths, then the cards.")
            return Phase(mark=_("Before the start"), words=words)
        if state.time_trial:
            return Phase(
                mark=_("Against the clock"), words=_("Everybody rides his own race: nobody waits for anybody.")
            )
        mark = _("Turn %(turn)s") % {"turn": state.turn}
        return Phase(mark=mark, words=_phase_words(waiting))

    def headline(self, view: View, decision: Decision, cast: Cast, *, own: bool) -> str:
        who = _short(cast, decision.about) if decision.about else cast.player(decision.seat)
        if own and decision.taker is Taker.SEAT and (asked := _asked_oneself(decision.kind)):
            return asked
        match decision.kind:
            case "move":
                return _("%(who)s to move") % {"who": who}
            case "attack":
                return _("who attacks for %(who)s?") % {"who": who}
            case "pursue":
                return _("does %(who)s call the pursuit?") % {"who": who}
            case "pay":
                return _("can %(who)s stay in the peloton?") % {"who": who}
            case "tile" if decision.taker is Taker.SEAT:
                return _("does %(who)s drink or keep?") % {"who": who}
            case "joker":
                return _("has %(who)s a wheel?") % {"who": who}
            case "pick":
                return _("%(who)s drafts") % {"who": who}
            case "strength":
                return _("%(who)s marks strengths") % {"who": who}
            case "clock":
                return _("the stopwatch is read")
            case "peloton_die":
                return _("the peloton rolls")
            case "event_die" if decision.why == "puncture":
                return _("%(who)s rolls for a puncture") % {"who": who}
            case "event_die" if decision.why == "fall":
                return _("%(who)s rolls to stay upright") % {"who": who}
            case "event_die":
                return _("%(who)s rolls not to crack") % {"who": who}
            case "crack_tile":
                return _("%(who)s draws a tile that takes energy") % {"who": who}
            case "tile":
                return _("%(who)s draws a bottle") % {"who": who}
            case "card" if decision.why == "shown":
                return _("%(who)s turns up his card") % {"who": who}
            case "card":
                return _("%(who)s gets his card") % {"who": who}
            case "first_seat":
                return _("who drafts first is drawn")
            case "first_token":
                return _("who leads the peloton first is drawn")
        raise KeyError(decision.kind)

    def several(self, decisions: Sequence[Decision]) -> str:
        count = len(decisions)
        return ngettext("%(n)s rider is on his way", "%(n)s riders are on their way", count) % {"n": count}

    # ---- what is asked -------------------------------------------------------------------------------------------
    def question(
        self, game: AnyGame, view: View, decision: Decision, legal: Sequence[Any], cast: Cast, asked: Asked
    ) -> Question:
        asking = _Asking(game, view.state, decision, legal, cast, asked)
        match decision.kind:
            case "move":
                return asking.move()
            case "attack":
                return asking.attack()
            case "pursue":
                return asking.pursue()
            case "pay":
                return asking.pay()
            case "tile":
                return asking.tile()
            case "joker":
                return asking.joker()
            case "pick":
                return asking.pick()
            case "strength":
                return asking.strength()
        raise KeyError(decision.kind)

    def typed(self, kind: str, fields: Mapping[str, str]) -> dict[str, Any] | None:
        if kind != "strength":
            return None
        return {"kind": "strength", **{name: fields.get(name) or None for name in ("descender", "sprinter")}}

    # ---- on the road ---------------------------------------------------------------------------------------------
    def road(self, view: View, decisions: Sequence[Decision], cast: Cast, mine: frozenset[str]) -> list[Rider | Bunch]:
        return list(_road(view.state, decisions, cast, mine))

    # ---- the log -------------------------------------------------------------------------------------------------
    def standing(self, view: View, cast: Cast, mine: frozenset[str]) -> tuple[Side, ...]:
        return ()  # every rider races for himself

    def mark(self, state: State, action: Any) -> str:
        runs = [run for run in state.runs if run.agenda]
        rider = getattr(action, "rider", None)
        for run in runs if len(runs) > 1 else []:
            if any(state.riders[i].id == rider for i in run.riders):
                return _mark(run.turn)
        return _mark(runs[0].turn if runs else state.turn)

    def lines(
        self, events: Sequence[Any], action: Any, seat: str, cast: Cast, view: View, *, secret: bool = True
    ) -> list[SafeString]:
        return Teller(view.state, cast).lines(events, action, seat)

    def alike(self, events: Sequence[Any], action: Any) -> str:
        return alike(events, action)

    def together(self, kind: str, entries: Sequence[tuple[Sequence[Any], Any, str]], cast: Cast) -> SafeString:
        return together(kind, entries, cast)

    def squares(self, view: View) -> dict[str, str]:
        names = view.state.course.names
        return {rider.id: names[rider.square] for rider in view.state.riders if rider.where is Where.ROAD}

    # ---- the rules -----------------------------------------------------------------------------------------------
    def chapters(self) -> list[Chapter]:
        return chapters()

    # ---- the end -------------------------------------------------------------------------------------------------
    def result(self, outcome: Mapping[str, Any], cast: Cast) -> tuple[str, list[str]]:
        riders = [row for row in outcome["riders"] if not row["out"]]
        if not riders:
            return _("Nobody arrives in time"), []
        first = cast.rider(riders[0]["id"])
        if outcome["kind"] == "road":
            title = _("%(rider)s wins in turn %(turn)s") % {"rider": first.name, "turn": riders[0]["turn"]}
        else:
            title = _("%(rider)s is quickest: %(turn)s turns") % {"rider": first.name, "turn": riders[0]["turn"]}
        says = []
        if outcome.get("peloton_turn"):
            says.append(_("The peloton came in in turn %(turn)s.") % {"turn": outcome["peloton_turn"]})
        for token in outcome.get("bonus", ()):
            if token["rider"]:
                says.append(_("Bonus sprint: %(rider)s.") % {"rider": cast.rider(token["rider"]).name})
        return title, says


PANEL: Final = Giro()


# ---- names -----------------------------------------------------------------------------------------------------------
def bib_of(jersey: str, speciality: Speciality) -> str:
    """The bib of a rider whom nobody gave one: 11 to 13 white, 21 to 23 yellow...; none for a jersey of one's own."""
    if jersey not in JERSEYS:
        return ""
    return str(10 * (JERSEYS.index(jersey) + 1) + KINDS.index(speciality) + 1)


def rider_name(id: str, jersey: str, speciality: Speciality) -> str:
    """The name of a rider whom nobody named: "White rouleur"; riders who came with a name have it as their id."""
    if id != f"{jersey}-{speciality.value}":
        return id
    names = {
        ("white", Speciality.ROULEUR): _("White rouleur"),
        ("white", Speciality.LEADER): _("White leader"),
        ("white", Speciality.CLIMBER): _("White climber"),
        ("yellow", Speciality.ROULEUR): _("Yellow rouleur"),
        ("yellow", Speciality.LEADER): _("Yellow leader"),
        ("yellow", Speciality.CLIMBER): _("Yellow climber"),
        ("blue", Speciality.ROULEUR): _("Blue rouleur"),
        ("blue", Speciality.LEADER): _("Blue leader"),
        ("blue", Speciality.CLIMBER): _("Blue climber"),
        ("green", Speciality.ROULEUR): _("Green rouleur"),
        ("green", Speciality.LEADER): _("Green leader"),
        ("green", Speciality.CLIMBER): _("Green climber"),
        ("purple", Speciality.ROULEUR): _("Purple rouleur"),
        ("purple", Speciality.LEADER): _("Purple leader"),
        ("purple", Speciality.CLIMBER): _("Purple climber"),
    }
    return names.get((jersey, speciality), id)


def jersey_name(jersey: str) -> str:
    return {
        "white": _("White"),
        "yellow": _("Yellow"),
        "blue": _("Blue"),
        "green": _("Green"),
        "purple": _("Purple"),
    }.get(jersey, jersey)


def _kind(rider: Racer) -> str:
    word = speciality_word(rider.entry.speciality)
    if rider.strength is Strength.DESCENDER:
        return _("%(kind)s, descends well") % {"kind": word}
    if rider.strength is Strength.SPRINTER:
        return _("%(kind)s, sprints") % {"kind": word}
    return word


def _short(cast: Cast, rider: str) -> str:
    return cast.rider(rider).name or rider


def _mark(turn: int) -> str:
    return _("T%(turn)s") % {"turn": turn} if turn else ""


def _asked_oneself(kind: str) -> str:
    """A headline for whoever decides; empty where it is better told about his rider."""
    return {
        "attack": _("do you attack?"),
        "pursue": _("do you call the pursuit?"),
        "pick": _("draft your riders"),
        "strength": _("mark your strengths"),
    }.get(kind, "")


def _phase_words(waiting: set[Do]) -> str:
    if Do.ATTACKS in waiting:
        return _("The breakaways ride; then the attacks, then the peloton.")
    if Do.ATTACK in waiting:
        return _("Attacks out of the peloton; then the peloton rides.")
    if Do.PURSUE in waiting:
        return _("The pursuit is called, or not; then the peloton rides.")
    if waiting & {Do.ROLL, Do.PRICE, Do.PAY, Do.PUT_DOWN, Do.PELOTON_LINES, Do.ARRIVES}:
        return _("The peloton rides; then those behind it.")
    return _("The riders behind the peloton ride; then the next turn.")


def card_words(card: Card) -> str:
    """What a special card does, half by half."""
    text = CARDS[card]
    parts = []
    if len(text.square_on) == len(tuple(Terrain)):
        parts.append(_("one free square more"))
    elif text.square_on:
        parts.append(
            _("one free square more on a %(terrain)s")
            % {"terrain": ", ".join(terrain_word(terrain) for terrain in text.square_on)}
        )
    if text.square_in_sprint:
        parts.append(_("one free square more in the sprint zone"))
    if text.crack_joker is not None:
        parts.append(_("no crack on a mountain of category %(category)s") % {"category": text.crack_joker})
    if text.fall_joker is not None:
        parts.append(_("no fall on black squares of a %(terrain)s") % {"terrain": terrain_word(text.fall_joker)})
    if text.puncture_joker:
        parts.append(_("no puncture"))
    if text.blocks_on is not None:
        parts.append(
            _("whoever is on his wheel gets nothing, from a %(terrain)s") % {"terrain": terrain_word(text.blocks_on)}
        )
    if text.draws_tile:
        parts.append(_("draws a bottle and drinks it"))
    return ", ".join(parts)


# ---- questions -------------------------------------------------------------------------------------------------------
class _Asking:
    """One decision, being put into words for the seat that takes it."""

    def __init__(
        self, game: AnyGame, state: State, decision: Decision, legal: Sequence[Any], cast: Cast, asked: Asked
    ) -> None:
        self.game, self.state, self.decision, self.legal = game, state, decision, legal
        self.cast, self.asked = cast, asked
        self.road = road_of(state.course, giro=state.options.giro)
        self.board = board_of(GAME)

    # ---- riding ----
    def move(self) -> Question:
        rider = self.racer(self.decision.about)
        rides = [action for action in self.legal if isinstance(action, actions.Move)]
        groups = [*self.asides(self.legal), *self.rides(rides)]
        stays = [action for action in self.legal if isinstance(action, actions.Stay)]
        buttons = tuple(
            Button(code=self.code(action), label=_("Stay"), sub=_("The road is closed."), main=True) for action in stays
        )
        return Question(
            title=_("Your move"),
            rider=self.cast.rider(rider.id),
            where=self.where(rider),
            facts=self.facts(rider),
            intro=(self.free_words(rider),) if rides else (),
            groups=tuple(groups),
            buttons=buttons,
            hint=_("Choose a square, here or on the board.") if rides else "",
            confirm=_("Ride") if groups else "",
        )

    def attack(self) -> Question:
        able = list(dict.fromkeys(action.rider for action in self.legal if hasattr(action, "rider")))
        chosen = getattr(self.asked.action, "rider", None) or self.asked.rider
        current = chosen if chosen in able else able[0] if len(able) == 1 else None
        picks = tuple(
            Pick(rider=self.cast.rider(id), value=id, sub=self.pick_sub(self.racer(id)), current=id == current)
            for id in able
        )
        groups: list[Group] = []
        if current is not None:
            own = [action for action in self.legal if getattr(action, "rider", None) == current]
            groups += self.asides(own)
            groups += self.rides([action for action in own if isinstance(action, actions.BreakAway)])
            drops = [action for action in own if isinstance(action, actions.Drop)]
            groups += [
                Group(title=_("Or let himself drop"), plain=True, choices=tuple(self.drop(action) for action in drops))
            ]
        buttons = tuple(
            Button(code=self.code(action), label=_("Send nobody more"), main=current is None)
            for action in self.legal
            if isinstance(action, actions.End)
        )
        rider = self.racer(current) if current is not None else None
        return Question(
            title=_("Attack?"),
            rider=self.cast.rider(current) if current is not None else None,
            where=self.where(rider) if rider else "",
            facts=self.facts(rider) if rider else (),
            intro=(self.free_words(rider),) if rider else (
                _("A break-away is four squares or more. Whoever stays inside rides with the peloton."),
            ),
            picks=picks,
            picks_title=_("Who attacks?"),
            groups=tuple(group for group in groups if group.choices),
            buttons=buttons,
            hint=_("Choose a square, here or on the board.") if current is not None else "",
            confirm=_("Attack") if current is not None else "",
        )  # fmt: skip

    def drop(self, action: Any) -> Choice:
        return self.choice(
            action,
            title=_("Wait behind the peloton"),
            subs=(_("Rides this turn with the peloton and pays its price; then he is put down behind it."),),
            says=_("He will be put down behind the peloton."),
            confirm=_("Let him drop"),
        )

    def rides(self, rides: Sequence[Any]) -> list[Group]:
        """Moves by how far they go: nearest first, each distance from the left."""
        told = [(action, self.game.explain(self.state, action)) for action in rides]
        squares = self.road.squares
        told.sort(key=lambda one: (one[1]["steps"], one[0].card, squares[one[1]["to"]].at, one[1]["cost"]))
        free = max((tell["free"] for action, tell in told if not action.card), default=0)
        groups = []
        for steps, group in groupby(told, key=lambda one: one[1]["steps"]):
            rows = list(group)
            tells = [tell for _action, tell in rows]
            choices = tuple(self.ride(action, tell) for action, tell in rows)
            groups.append(
                Group(
                    title=ngettext("%(n)s square", "%(n)s squares", steps) % {"n": steps},
                    steps=str(steps),
                    sub=_columns(tells, self.road),
                    cost=_costs(tells),
                    marks=tuple(self.marks(tells)),
                    choices=choices,
                    open=steps == free or any(choice.checked for choice in choices),
                )
            )
        if groups and not any(group.open for group in groups):
            groups[0] = _opened(groups[0])
        return groups

    def ride(self, action: Any, tell: Mapping[str, Any]) -> Choice:
        """A move in words: where to, what it leads to, what it risks, what it costs."""
        place = self.place(tell)
        breaks = isinstance(action, actions.BreakAway)
        n = tell["steps"]
        label = ngettext("Ride %(n)s", "Ride %(n)s", n) if not breaks else ngettext("Attack: %(n)s", "Attack: %(n)s", n)
        risk = self.risk(action, tell)
        costs = _("%(n)s energy") % {"n": tell["cost"]} if tell["cost"] else _("free")
        return self.choice(
            action,
            title=place,
            to=str(n),
            subs=tuple(self.leads_to(action, tell)),
            risk=risk,
            cost=costs,
            says=_("%(place)s: %(cost)s, %(risk)s") % {"place": place, "cost": costs, "risk": self.short_risk(tell)},
            confirm=label % {"n": n},
        )

    def choice(self, action: Any, **fields: Any) -> Choice:
        code, value = self.code(action), self.board.value(action)
        href = self.asked.to_href(value) if value else self.asked.action_href(code)
        return Choice(code=code, value=value, href=href, checked=action == self.asked.action, **fields)

    def code(self, action: Any) -> str:
        return code_of(self.game, action)

    def place(self, tell: Mapping[str, Any]) -> str:
        if tell["finishes"]:
            return _("Over the finish line")
        if tell["rejoins"]:
            return _("Back into the peloton, %(square)s") % {"square": self.road.squares[tell["to"]].name}
        return capfirst(self.road.squares[tell["to"]].name)

    def leads_to(self, action: Any, tell: Mapping[str, Any]) -> Iterator[str]:
        rider = self.racer(action.rider or self.decision.about)
        if tell["recovers"]:
            yield _("Recovers %(n)s: %(left)s energy after it") % {"n": tell["recovers"], "left": tell["leaves"]}
        elif tell["cost"]:
            yield _("Leaves %(left)s energy") % {"left": tell["leaves"]}
        if action.card:
            yield (
                _("Plays %(card)s: %(words)s") % {"card": card_name(rider.card), "words": card_words(rider.card)}
                if rider.card
                else _("Plays his card")
            )
        if tell["slipstream"]:
            yield _("On the wheel of %(rider)s") % {"rider": _short(self.cast, tell["slipstream"])}
        if tell["gives_slipstream"]:
            yield _("Just ahead of %(rider)s") % {"rider": _short(self.cast, tell["gives_slipstream"])}
        if tell["passed"]:
            yield ngettext(
                "Through %(n)s rider, 1 energy each", "Through %(n)s riders, 1 energy each", tell["passed"]
            ) % {"n": tell["passed"]}  # fmt: skip
        yield from self.lines(tell)
        if not tell["keeps_followers"]:
            for other in self.followers(rider):
                yield _("%(rider)s gets no slipstream from it") % {"rider": _short(self.cast, other)}
        black = sum(self.road.squares[name].black for name in tell["squares"])
        if black and not tell["risk"]:
            yield ngettext("Over %(n)s black square", "Over %(n)s black squares", black) % {"n": black}

    def lines(self, tell: Mapping[str, Any]) -> Iterator[str]:
        for line in tell["lines"]:
            kind, _space, number = line.partition(" ")
            if kind == LineKind.FEED and not self.state.time_trial:
                yield _("Draws a bottle")
            elif kind == LineKind.BONUS and self.state.options.giro and not self.state.time_trial:
                if self.state.bonus[int(number) - 1] == NOBODY:
                    yield _("First at the bonus sprint")
            elif kind == LineKind.SPRINT:
                yield _("Into the sprint zone")

    def followers(self, rider: Racer) -> list[str]:
        number = self.state.riders.index(rider)
        return [other.id for other in self.state.riders if other.link == number]

    def risk(self, action: Any, tell: Mapping[str, Any]) -> str:
        if not tell["risk"]:
            return ""
        if tell["risk"] == Risk.TILE:
            tiles = self.racer(action.rider or self.decision.about).crack_tiles
            return _("Draws a tile: %(least)s to %(most)s energy more") % {"least": min(tiles), "most": max(tiles)}
        facts = {
            "needs": tell["needs"],
            "percent": percent(Fraction(tell["chance"])),
            "worst": tell["worst"],
            "extra": tell["worst"] - tell["cost"],
        }
        if tell["risk"] == Risk.CRACK:
            return (
                _("May crack: %(needs)s or more holds, %(percent)s. If not: %(extra)s energy more, %(worst)s in all")
                % facts
            )
        if facts["extra"] <= 0:
            return _("May fall: %(needs)s or more holds, %(percent)s. If not: no move next turn") % facts
        return (
            _(
                "May fall: %(needs)s or more holds, %(percent)s. If not: %(extra)s energy more, %(worst)s in all, "
                "and no move next turn"
            )
            % facts
        )

    def short_risk(self, tell: Mapping[str, Any]) -> str:
        if tell["risk"] == Risk.TILE:
            return _("draws a tile")
        if tell["risk"]:
            return _("holds with %(percent)s") % {"percent": percent(Fraction(tell["chance"]))}
        return _("no risk")

    def marks(self, tells: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
        """What waits at a distance, in a word each: seen before the group is opened."""
        if any(tell["finishes"] for tell in tells):
            yield "flag", _("finish")
        if any(tell["slipstream"] for tell in tells):
            yield "wheel", _("slipstream")
        words = {word for tell in tells for word in self.lines(tell)}
        if _("Draws a bottle") in words:
            yield "bottle", _("bottle")
        if _("First at the bonus sprint") in words:
            yield "bonus", _("bonus")
        if any(tell["risk"] for tell in tells):
            everywhere = all(tell["risk"] for tell in tells)
            yield "crash", _("risk") if everywhere else _("risk on some")

    # ---- aside ----
    def asides(self, legal: Iterable[Any]) -> list[Group]:
        """What may come first: a bottle, Eddie, a card turned up."""
        choices = []
        for action in legal:
            match action:
                case actions.Reveal(tile=tile) if tile == UNSEEN:
                    choices.append(
                        self.choice(
                            action, title=_("Turn up a bottle"), says=_("Turns up a bottle."), confirm=_("Turn up")
                        )
                    )
                case actions.Reveal(tile=tile):
                    choices.append(
                        self.choice(
                            action,
                            title=_("Drink the bottle of %(n)s") % {"n": tile},
                            subs=(_("Everybody sees it."),),
                            cost=_("+%(n)s energy") % {"n": tile},
                            says=_("Drinks the bottle of %(n)s.") % {"n": tile},
                            confirm=_("Drink"),
                        )
                    )
                case actions.PlayEddie():
                    choices.append(
                        self.choice(
                            action,
                            title=_("Play Eddie"),
                            subs=(capfirst(card_words(Card.EDDIE)),),
                            says=_("Plays Eddie."),
                            confirm=_("Play Eddie"),
                        )
                    )
                case actions.ShowCard():
                    choices.append(
                        self.choice(
                            action, title=_("Turn up his card"), says=_("Turns up his card."), confirm=_("Turn up")
                        )
                    )
        if not choices:
            return []
        return [Group(title=_("First, if you like"), choices=tuple(choices), plain=True)]

    # ---- yes or no ----
    def pursue(self) -> Question:
        return Question(
            title=_("Call the pursuit?"),
            intro=(_("The peloton rides one square more than it rolls. From five squares on everybody inside pays."),),
            buttons=tuple(
                Button(
                    code=self.code(action),
                    label=_("Call the pursuit") if action.yes else _("No pursuit"),
                    main=action.yes,
                )
                for action in sorted(self.legal, key=lambda action: not action.yes)
            ),
        )

    def tile(self) -> Question:
        rider = self.racer(self.decision.about)
        tile = rider.tiles[-1] if rider.tiles else UNSEEN
        buttons = []
        for action in self.legal:
            if isinstance(action, actions.UseTile):
                buttons.append(
                    Button(
                        code=self.code(action),
                        label=_("Drink it now"),
                        sub=_("%(n)s energy: %(all)s in all. Everybody sees it.")
                        % {"n": tile, "all": rider.energy + tile},
                        main=True,
                    )
                )
            else:
                buttons.append(
                    Button(
                        code=self.code(action),
                        label=_("Keep it"),
                        sub=_("Face down, for later or for the end of the stage."),
                    )
                )
        return Question(
            title=_("A bottle of %(n)s") % {"n": tile},
            rider=self.cast.rider(rider.id),
            where=self.where(rider),
            facts=self.facts(rider),
            buttons=tuple(buttons),
        )

    def joker(self) -> Question:
        rider = self.racer(self.decision.about)
        buttons = []
        for action in self.legal:
            match action:
                case actions.UseJoker(yes=True):
                    buttons.append(
                        Button(code=self.code(action), label=_("Play Alfredo"), sub=_("No puncture."), main=True)
                    )
                case actions.UseJoker():
                    buttons.append(Button(code=self.code(action), label=_("Wait for a wheel")))
                case actions.ShowCard():
                    buttons.append(Button(code=self.code(action), label=_("Turn up his card")))
        return Question(
            title=_("A puncture"),
            rider=self.cast.rider(rider.id),
            where=self.where(rider),
            facts=self.facts(rider),
            intro=(_("He waits until his turn behind the peloton, unless he has Alfredo."),),
            buttons=tuple(buttons),
        )

    def pay(self) -> Question:
        rider = self.racer(self.decision.about)
        price = next(
            (todo.amount for run in self.state.runs if run.agenda for todo in (run.agenda[-1],) if todo.do is Do.PAY), 0
        )
        buttons = tuple(
            Button(code=self.code(action), label=_("Let him go"), sub=_("He is put down behind the peloton."))
            for action in self.legal
            if isinstance(action, actions.LetGo)
        )
        return Question(
            title=_("The peloton is too fast"),
            rider=self.cast.rider(rider.id),
            where=self.where(rider),
            facts=self.facts(rider),
            intro=(
                _("To stay in costs %(price)s energy; he has %(energy)s.") % {"price": price, "energy": rider.energy},
            ),
            groups=tuple(self.asides(self.legal)),
            buttons=buttons,
            hint=_("Choose what he finds his energy in."),
            confirm=_("Find energy"),
        )

    # ---- before the start ----
    def pick(self) -> Question:
        groups = []
        for jersey, group in groupby(self.legal, key=lambda action: action.jersey):
            taken = list(group)
            groups.append(
                Group(
                    title=jersey_name(jersey),
                    plain=True,
                    choices=tuple(
                        self.choice(
                            action,
                            title=", ".join(speciality_word(kind) for kind in action.riders).capitalize(),
                            says=_("%(jersey)s: %(riders)s")
                            % {
                                "jersey": jersey_name(jersey),
                                "riders": ", ".join(speciality_word(kind) for kind in action.riders),
                            },
                            confirm=_("Take them") if len(action.riders) > 1 else _("Take him"),
                        )
                        for action in taken
                    ),
                )
            )
        return Question(
            title=_("Draft your riders"),
            intro=(_("Whoever is taken is nobody else's in this race."),),
            groups=tuple(groups),
            hint=_("Choose your riders."),
            confirm=_("Take"),
        )

    def strength(self) -> Question:
        riders = [rider for rider in self.state.riders if self.state.seats[rider.entry.seat] == self.decision.seat]
        nobody = ("", _("nobody"), "")
        options = (
            nobody,
            *((rider.id, self.cast.rider(rider.id).full, speciality_word(rider.entry.speciality)) for rider in riders),
        )
        typed = self.asked.typed
        return Question(
            title=_("Who is good at what?"),
            intro=(_("One of your riders may descend well, another one may sprint."),),
            fields=(
                Field(
                    name="descender",
                    label=_("Descends well: one free square more on a downhill"),
                    options=options,
                    value=typed.get("descender", ""),
                ),
                Field(
                    name="sprinter",
                    label=_("Sprints: one free square more in the sprint zone"),
                    options=options,
                    value=typed.get("sprinter", ""),
                ),
            ),
            confirm=_("Mark them"),
        )

    # ---- a rider ----
    def racer(self, id: str | None) -> Racer:
        return next(rider for rider in self.state.riders if rider.id == id)

    def where(self, rider: Racer) -> str:
        kind = _kind(rider)
        if rider.where is Where.INSIDE:
            place = _("at the start") if self.state.time_trial else _("in the peloton")
        else:
            place = self.road.squares[self.state.course.names[rider.square]].name
        return f"{kind} · {place}"

    def facts(self, rider: Racer) -> tuple[tuple[str, str], ...]:
        out = [("energy", _("%(n)s energy") % {"n": rider.energy})]
        if not self.state.time_trial:
            least = needed(rider.risks, trial=False)
            out.append(("crash", _("the next risk needs %(least)s or more") % {"least": least}))
        if rider.slip and rider.where is Where.ROAD:
            out.append(("wheel", _("slipstream +1")))
        if rider.tiles:
            known = [str(tile) for tile in rider.tiles if tile != UNSEEN]
            words = _("bottles: %(tiles)s") % {"tiles": ", ".join(known)} if known else ""
            out.append(
                (
                    "bottle",
                    words or ngettext("%(n)s bottle", "%(n)s bottles", len(rider.tiles)) % {"n": len(rider.tiles)},
                )
            )
        if rider.card is not None:
            out.append(
                ("paper", _("%(card)s: %(words)s") % {"card": card_name(rider.card), "words": card_words(rider.card)})
            )
        elif rider.unseen_card:
            out.append(("paper", _("a card face down")))
        return tuple(out)

    def free_words(self, rider: Racer) -> str:
        """ "5 free squares: 4 on a downhill, 1 from the slipstream"."""
        terrain, sprint = starts_on(self.state, rider)
        table = data.FREE_SQUARES_TIME_TRIAL if self.state.time_trial else data.FREE_SQUARES
        base = table[rider.entry.speciality][terrain]
        parts = [_("%(n)s on a %(terrain)s") % {"n": base, "terrain": terrain_word(terrain)}]
        if rider.strength is Strength.DESCENDER and terrain is Terrain.DOWNHILL:
            parts.append(_("1 because he descends well"))
        if rider.strength is Strength.SPRINTER and sprint:
            parts.append(_("1 because he sprints"))
        if rider.slip and rider.where is Where.ROAD:
            front = self.state.riders[rider.link] if rider.link != NOBODY else None
            parts.append(
                _("1 from the wheel of %(rider)s") % {"rider": _short(self.cast, front.id)}
                if front
                else _("1 from the slipstream")
            )
        free = free_squares(self.state, rider)
        if len(parts) == 1:
            return ngettext(
                "%(n)s free square, on a %(terrain)s.", "%(n)s free squares, on a %(terrain)s.", free
            ) % {"n": free, "terrain": terrain_word(terrain)}  # fmt: skip
        return ngettext("%(n)s free square: %(why)s.", "%(n)s free squares: %(why)s.", free) % {
            "n": free,
            "why": ", ".join(parts),
        }

    def pick_sub(self, rider: Racer) -> str:
        return _("%(kind)s · %(n)s energy") % {"kind": _kind(rider), "n": rider.energy}


def _opened(group: Group) -> Group:
    return replace(group, open=True)


def _columns(tells: Sequence[Mapping[str, Any]], road: Any) -> str:
    """Where a distance leads: one column, or in bends several."""
    columns = sorted({road.column(road.squares[tell["to"]].end) for tell in tells})
    if columns[0] > road.last:
        return _("over the line")
    first, last = columns[0], min(columns[-1], road.last)
    if first == last:
        return _("to square %(column)s") % {"column": first}
    return _("to square %(first)s to %(last)s") % {"first": first, "last": last}


def _costs(tells: Sequence[Mapping[str, Any]]) -> str:
    """What a distance costs, whichever way one goes."""
    least, most = min(tell["cost"] for tell in tells), max(tell["cost"] for tell in tells)
    back = min(tell["recovers"] for tell in tells)
    if not most and back:
        return _("free, +%(n)s") % {"n": back}
    if least == most:
        return _("%(n)s energy") % {"n": least} if least else _("free")
    if not least:
        return _("free to %(n)s energy") % {"n": most}
    return _("%(least)s to %(most)s energy") % {"least": least, "most": most}


def _risk_words(risks: int) -> str:
    if not risks:
        return _("no risk taken yet")
    return ngettext("%(n)s risk taken", "%(n)s risks taken", risks) % {"n": risks}


# ---- on the road -----------------------------------------------------------------------------------------------------
def _road(state: State, decisions: Sequence[Decision], cast: Cast, mine: frozenset[str]) -> Iterator[Rider | Bunch]:
    """The field in race order, the peloton as a line of its own before those who are in it."""
    order = classification(state.course, state.riders, state.front, state.gone, state.token, len(state.seats))
    squares = road_of(state.course, giro=state.options.giro).squares
    asked = {decision.about: decision for decision in decisions if decision.about}
    begun = any(run.turn for run in state.runs)
    told = state.time_trial or state.gone
    ahead: int | None = None  # ticks of whoever rides before
    rank = 0
    for i in order:
        rider = state.riders[i]
        front = _front(state, rider)
        if not told and (rider.where is Where.INSIDE or (rider.where is Where.ROAD and front <= state.front)):
            yield _peloton(state)
            told, ahead = True, state.front
        if rider.where is not Where.OUT:
            rank += 1
        gap, gap_words = _gap(state, rider, front, ahead)
        if rider.where is Where.ROAD:
            ahead = front
        yield Rider(
            shown=cast.rider(rider.id),
            rank=str(rank) if rider.where is not Where.OUT else "",
            place=_place(state, rider, squares),
            gap=gap,
            gap_words=gap_words,
            energy=str(rider.energy) if begun else "",
            boxes=() if state.time_trial or not begun else tuple(n < rider.risks for n in range(len(data.RISK_ROW))),
            boxes_words="" if state.time_trial else _risk_words(rider.risks),
            notes=tuple(_notes(state, i, asked.get(rider.id), cast)),
            inside=rider.where is Where.INSIDE and not state.time_trial,
            out=rider.where is Where.OUT,
            turn=rider.id in asked,
            mine=rider.id in mine,
        )
    if not told:
        yield _peloton(state)


def _front(state: State, rider: Racer) -> int:
    """Ticks of his front edge, or of the peloton's if he is in it."""
    return state.course.end[rider.square] if rider.where is Where.ROAD else state.front


def _peloton(state: State) -> Bunch:
    inside = sum(rider.where is Where.INSIDE for rider in state.riders)
    sub = ngettext("%(n)s rider", "%(n)s riders", inside) % {"n": inside} if inside else _("nobody in it")
    return Bunch(title=_("Peloton"), sub=sub, place=str(max(state.front // TICKS, 0)))


def _place(state: State, rider: Racer, squares: Mapping[str, Any]) -> str:
    match rider.where:
        case Where.FINISHED:
            return _("T%(turn)s") % {"turn": rider.turn}
        case Where.OUT:
            return _("out")
        case Where.INSIDE:
            return _("start") if state.time_trial else _("in")
    return str(squares[state.course.names[rider.square]].name)


def _gap(state: State, rider: Racer, front: int, ahead: int | None) -> tuple[str, str]:
    """Columns behind whoever rides before."""
    if rider.where is not Where.ROAD or state.time_trial or ahead is None:
        return "", ""
    behind = Fraction(ahead - front, TICKS)
    if behind <= 0:
        return "=", _("level with the rider before")
    shown = f"{float(behind):.1f}".removesuffix(".0")
    return f"−{shown}", _("%(n)s columns behind the rider before") % {"n": shown}


def _notes(state: State, number: int, asked: Decision | None, cast: Cast) -> Iterator[str]:
    rider = state.riders[number]
    if asked is not None:
        if asked.taker is Taker.CHANCE:
            yield _("waits for chance")
        else:
            yield _("to move") if asked.kind == "move" else _("to decide")
    if rider.where is Where.FINISHED:
        yield _("finished, number %(order)s") % {"order": rider.order}
    if rider.where is Where.OUT:
        yield _("outside the time limit")
    if rider.fell:
        yield _("fallen")
    if rider.waiting:
        yield _("punctured")
    if rider.dropping:
        yield _("waits behind the peloton")
    if rider.link != NOBODY and rider.where is Where.ROAD:
        yield _("on the wheel of %(rider)s") % {
            "rider": cast.rider(state.riders[rider.link].id).bib or _short(cast, state.riders[rider.link].id)
        }
    if rider.tiles and rider.racing:
        known = [str(tile) for tile in rider.tiles if tile != UNSEEN]
        if known:
            yield _("bottles: %(tiles)s") % {"tiles": ", ".join(known)}
        else:
            yield ngettext("%(n)s bottle", "%(n)s bottles", len(rider.tiles)) % {"n": len(rider.tiles)}
    if rider.card is not None:
        yield card_name(rider.card)
    elif rider.unseen_card:
        yield _("a card face down")
