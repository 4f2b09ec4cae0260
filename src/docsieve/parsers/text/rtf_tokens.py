"""RTF as tokens: the opening and closing of groups, control words with their number, bytes of text."""

import re
from collections.abc import Iterator
from typing import NamedTuple

_TOKEN = re.compile(
    rb"""
    (?P<open>\{) | (?P<close>\})
    | \\(?P<word>[a-zA-Z]{1,32})(?P<number>-?\d{1,10})?[ ]?
    | \\'(?P<hex>[0-9a-fA-F]{2})
    | \\(?P<symbol>[^a-zA-Z])
    | (?P<text>[^\\{}\r\n]+)
    | [\r\n]+ | \\
    """,
    re.VERBOSE | re.DOTALL,
)


class Token(NamedTuple):
    """`kind` is "{", "}", "word", "symbol" or "bytes"; `value` the word, the symbol or the bytes."""

    kind: str
    value: bytes = b""
    number: int | None = None


_OPEN, _CLOSE = Token("{"), Token("}")


def tokens(data: bytes) -> Iterator[Token]:
    at = 0
    while match := _TOKEN.match(data, at):
        at = match.end()
        kind = match.lastgroup
        if kind == "open":
            yield _OPEN
        elif kind == "close":
            yield _CLOSE
        elif kind in ("word", "number"):
            number = match["number"]
            word = match["word"]
            if word == b"bin" and number is not None:
                at += max(int(number), 0)  # raw bytes follow, in which braces mean nothing
                continue
            yield Token("word", word, int(number) if number is not None else None)
        elif kind == "hex":
            yield Token("bytes", bytes([int(match["hex"], 16)]))
        elif kind == "symbol":
            yield Token("symbol", match["symbol"])
        elif kind == "text":
            yield Token("bytes", match["text"])
