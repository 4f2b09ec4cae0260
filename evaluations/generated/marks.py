"""Invisible marks around the facts in a text, so that it is known where on the pages each fact was drawn.

A mark is a character for private use: it opens one fact, or closes the one that is open. It is never drawn and takes no
room.
"""

import re
from collections.abc import Iterator

_CLOSE = "\ue000"
_FIRST, _LAST = 0xE001, 0xF8FF
_MARK = re.compile(f"([{_CLOSE}-{chr(_LAST)}])")


def marked(text: str, number: int) -> str:
    """The text of fact `number`. Beyond some six thousand facts, the others stay unmarked."""
    return f"{chr(_FIRST + number)}{text}{_CLOSE}" if text and number <= _LAST - _FIRST else text


def plain(text: str) -> str:
    return _MARK.sub("", text)


def parts(text: str) -> Iterator[tuple[str, int | None]]:
    """Pieces of text with None, and between them the numbers of the facts that open; -1 where one closes."""
    for piece in _MARK.split(text):
        if _MARK.fullmatch(piece):
            yield "", -1 if piece == _CLOSE else ord(piece) - _FIRST
        elif piece:
            yield piece, None
