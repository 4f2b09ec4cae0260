"""The order in which people expect names: numbers by value, letters without case."""

import re

_DIGITS = re.compile(r"([0-9]+)")

NaturalKey = tuple[tuple[tuple[int, int | str], ...], str]


def natural_key(name: str) -> NaturalKey:
    """Sorts `page 2` before `page 10`. Names that differ only in case or zeros keep a fixed order."""
    parts = ((0, int(part)) if part.isdecimal() else (1, part.casefold()) for part in _DIGITS.split(name) if part)
    return tuple(parts), name
