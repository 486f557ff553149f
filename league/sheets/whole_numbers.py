"""Whole numbers as people write them on a sheet, and typed text as it may be shown again."""

import unicodedata
from enum import StrEnum

MOST_DIGITS = 4

# What a keyboard, a paste or a spreadsheet leaves around a number without anybody seeing it.
_WHITESPACE = "".join(
    chr(code)
    for code in (*range(0x09, 0x0E), *range(0x1C, 0x21), 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029)
) + "\u202f\u205f\u3000"  # fmt: skip
_INVISIBLE = "\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
_AROUND = _WHITESPACE + _INVISIBLE
_FULL_STOPS = ".\uff0e\u3002"


class Why(StrEnum):
    """Why a text is no whole number."""

    NO_NUMBER = "no number"
    NEGATIVE = "negative"
    FRACTION = "fraction"
    TOO_BIG = "too big"


class NotWhole(ValueError):
    """A text that is no whole number of at most `MOST_DIGITS` digits."""

    def __init__(self, why: Why) -> None:
        super().__init__(why.value)
        self.why = why


def bare(text: str) -> str:
    """The text without what cannot be seen around it."""
    return text.strip(_AROUND)


def whole_number(text: str) -> int:
    """The number 0, 1, 2... that the text writes: leading zeros, one closing full stop and the digits of one script
    (12, 0012, `12.`, full-width digits) are all right. Blank text must be kept away by the caller.

    Raises `NotWhole` for everything else: signs, fractions, exponents, two numbers, digits of mixed scripts, footnote
    digits, more than `MOST_DIGITS` digits.
    """
    written = bare(text)
    digits = written[:-1] if written[-1:] and written[-1] in _FULL_STOPS else written
    values = [unicodedata.decimal(char, -1) for char in digits]
    if not digits or -1 in values:
        raise NotWhole(_why_not(written))
    if len({ord(char) - value for char, value in zip(digits, values, strict=True)}) > 1:
        raise NotWhole(Why.NO_NUMBER)
    significant = "".join(map(str, values)).lstrip("0")
    if len(significant) > MOST_DIGITS:
        raise NotWhole(Why.TOO_BIG)
    return int(significant or "0")


def _why_not(written: str) -> Why:
    sign, rest = written[:1], written[1:]
    if sign and sign in "-\u2212\u2012\u2013\ufe63\uff0d" and rest and all(_is_digit(char) for char in rest):
        return Why.NEGATIVE
    for mark in (".", ",", "\uff0e", "\uff0c"):
        whole, found, part = written.partition(mark)
        if found and whole and part and all(_is_digit(char) for char in whole + part):
            return Why.FRACTION
    return Why.NO_NUMBER


def _is_digit(char: str) -> bool:
    return unicodedata.decimal(char, -1) >= 0


def shown(text: str, most: int = 24) -> str:
    """Typed text, fit to be quoted in a message: one line, no control characters, at most `most` characters and never
    cut inside a letter with its accents or an emoji with its parts."""
    line = "".join("\ufffd" if unicodedata.category(char) in ("Cc", "Cs") else char for char in bare(text[: most * 8]))
    if len(line) <= most:
        return line
    end = most
    while end > 1 and (_belongs_to_the_one_before(line[end]) or line[end - 1] == "\u200d"):
        end -= 1
    return line[:end] + "…"


def _belongs_to_the_one_before(char: str) -> bool:
    return unicodedata.category(char) in ("Mn", "Mc", "Me", "Sk") or char in "\u200d\ufe0e\ufe0f"
