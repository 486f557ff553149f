"""The events of a stage as lines of a log in English: for transcripts, exports, and whoever reads a race as text."""

from typing import Any, Final

from rules.giro.events import EVENTS, Event

_LINES: Final[dict[str, str]] = {
    "draft_opened": "{seat} drafts first.",
    "picked": "{seat} takes {riders}.",
    "marked": "{rider} is a {strength}.",
    "card_dealt": "{rider} gets a card: {card}.",
    "card_shown": "{rider} turns up {card}.",
    "token_given": "{seat} leads the peloton.",
    "started": "{rider} starts with {energy} energy.",
    "turn_began": "Turn {turn}{whose}.",
    "moved": "{rider} rides {squares} ({free} free, {paid} paid) to {to}{extras}; {energy} left.",
    "broke_away": "{rider} breaks away, {squares} ({free} free, {paid} paid) to {to}{extras}; {energy} left.",
    "stayed": "{rider} finds the road closed and stays.",
    "risk_rolled": "{rider} risks a {risk}: needs {needed}, rolls {rolled}.",
    "cracked": "{rider} cracks and pays {paid_more} more; {energy} left.",
    "fell": "{rider} falls and pays {paid_more} more; {energy} left.",
    "lost_tile": "{rider} draws a tile and loses {value}; {energy} left.",
    "recovered": "{rider} recovers {change}; {energy} left.",
    "won_bonus": "{rider} wins bonus sprint {line}.",
    "drew_tile": "{rider} draws a bottle ({value}).",
    "no_tile_left": "No bottle is left for {rider}.",
    "kept_tile": "{rider} keeps it.",
    "used_tile": "{rider} drinks {value}; {energy} left.",
    "linked": "{rider} sits behind {behind}.",
    "rejoined": "{rider} rejoins the peloton.",
    "card_played": "{rider} plays {card}.",
    "will_drop": "{rider} will wait behind the peloton.",
    "pursuit_called": "{seat} calls the pursuit: {yes}.",
    "peloton_moved": "The peloton rolls {rolled}{extras}: {squares} squares, its front is in column {column}.",
    "caught": "{rider} is caught.",
    "paid_peloton": "{rider} pays {paid_more} to stay in; {energy} left.",
    "let_gone": "{rider} cannot pay {price}.",
    "dropped": "{rider} is behind the peloton, on {to}.",
    "peloton_finished": "The peloton finishes in turn {turn}.",
    "finished": "{rider} crosses the line: number {order}, turn {turn}.",
    "puncture_rolled": "{rider} rolls {rolled} for a puncture.",
    "punctured": "{rider} has a puncture.",
    "puncture_saved": "{rider} is spared.",
    "stood_up": "{rider} stands again, on {to}.",
    "out_of_time": "{rider} is outside the time limit.",
    "clock_read": "On the stopwatch: {order}.",
    "stage_over": "The stage is over.",
}

assert set(_LINES) == {event.kind for event in EVENTS}, "every event has its line"


def tell(event: Event) -> str:
    """One line for one event. A tile or a card that was not seen is told as such."""
    words: dict[str, Any] = {name: _word(getattr(event, name)) for name in event.__slots__}
    words["extras"] = _extras(event)
    words["whose"] = f" of {words['rider']}'s run" if words.get("rider") else ""  # only a time trial has several
    if "change" in words:
        words["paid_more"] = -int(words["change"])
    if event.kind in ("drew_tile", "card_dealt") and not (
        getattr(event, "value", None) or getattr(event, "card", None)
    ):
        words["value"] = words["card"] = "face down"
    return _LINES[event.kind].format(**words)


def _word(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, tuple):
        return ", ".join(_word(item) for item in value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _extras(event: Event) -> str:
    parts = []
    if getattr(event, "passed", 0):
        parts.append(f"through {getattr(event, 'passed', 0)} others")
    if event.kind in ("moved", "broke_away") and getattr(event, "card", None):
        parts.append(f"with {getattr(event, 'card', None)}")
    if getattr(event, "slipstream", False):
        parts.append("in the slipstream")
    for name, word in (("red", "red"), ("pursued", "pursuit"), ("empty", "empty")):
        if getattr(event, name, False):
            parts.append(word)
    return f" ({', '.join(parts)})" if parts else ""
