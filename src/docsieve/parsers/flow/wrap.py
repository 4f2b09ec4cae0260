"""Wraps text into rows of at most a number of columns: between words, and inside a word only if it is too long."""

from collections.abc import Iterator

from docsieve.domain.text import clean
from docsieve.parsers.flow.metrics import columns_of_character, is_narrow

_TAB_COLUMNS = 8


def lines_of(text: str) -> list[str]:
    """Return the lines of a cleaned text, tabs expanded, without blank lines at the start and end."""
    if "\n" not in text and text.isascii() and text.isprintable():
        return [text.rstrip()] if not text.isspace() and text else []
    lines = [clean(line).expandtabs(_TAB_COLUMNS).rstrip() for line in text.splitlines()]
    while lines and not lines[-1]:
        lines.pop()
    first = next((place for place, line in enumerate(lines) if line), 0)
    return lines[first:]


def wrap(line: str, columns: int) -> Iterator[str]:
    if len(line) <= columns and is_narrow(line):
        yield line
    elif is_narrow(line):
        yield from _wrap_narrow(line, columns)
    else:
        yield from _wrap_wide(line, columns)


def _wrap_narrow(line: str, columns: int) -> Iterator[str]:
    start = 0
    while len(line) - start > columns:
        end = start + columns
        space = line.rfind(" ", start + 1, end + 1)
        if space > start and not line[start:space].isspace():
            end = space
        yield line[start:end]
        start = _past_space(line, end)
    if start < len(line):
        yield line[start:]


def _wrap_wide(line: str, columns: int) -> Iterator[str]:
    """A row may also end before a wide character: scripts that have them put no spaces between words."""
    start, taken, place = 0, 0, 0
    break_at: int | None = None
    while place < len(line):
        width = columns_of_character(line[place])
        if taken and (line[place] == " " or width == 2) and place > start:
            break_at = place
        if taken + width > columns and place > start:
            end = break_at if break_at is not None else place
            yield line[start:end]
            start = place = _past_space(line, end)
            taken, break_at = 0, None
            continue
        taken += width
        place += 1
    if start < len(line):
        yield line[start:]


def _past_space(line: str, place: int) -> int:
    return place + 1 if line[place : place + 1] == " " else place
