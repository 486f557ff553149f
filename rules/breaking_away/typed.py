"""One value of JSON, as what it has to be; TypeError if it is not."""


def truth(value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError(value)
    return value


def number(value: object) -> int:
    """A whole number; true is none."""
    if type(value) is not int:
        raise TypeError(value)
    return value


def text(value: object, longest: int | None = None) -> str:
    """Text that is not empty, of `longest` characters at the most."""
    if not isinstance(value, str) or not value.strip() or (longest is not None and len(value) > longest):
        raise TypeError(value)
    return value
