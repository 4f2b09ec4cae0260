"""Finds text on the pages, letter by letter, across lines and tolerant of OCR confusions."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from docsieve.engines.local.page.columns import below
from docsieve.engines.local.page.view import PageView, Piece, Token
from docsieve.engines.local.vocabulary.canon import folded

Place = list[tuple[list[Token], Piece]]
"""The words of a value, line by line."""

MAX_LINES = 7
_CONFUSED = str.maketrans("01l58|", "oiisbi")


@lru_cache(maxsize=32_768)
def skeleton(text: str) -> str:
    """Letters and digits only, with characters that OCR confuses made equal."""
    return "".join(filter(str.isalnum, folded(text))).translate(_CONFUSED)


def mark(text: str) -> str:
    """A short fingerprint, so that lessons can recognize a text without storing it."""
    return hashlib.blake2b(text.encode(), digest_size=6).hexdigest()


def places_of(text: str, pages: Iterable[PageView], *, limit: int = 5) -> Iterator[Place]:
    """Every location of exactly this text, in one line or in several lines below each other."""
    target = skeleton(text)
    found = 0
    if not target:
        return
    for page in pages:
        for piece in page.pieces:
            for start in range(len(piece.tokens)):
                place = _place(target, piece, start, page)
                if place:
                    yield place
                    found += 1
                    if found == limit:
                        return


def _place(target: str, piece: Piece, start: int, page: PageView) -> Place:
    place: Place = []
    rest = target
    line: Piece | None = piece
    at = start
    while line is not None and len(place) < MAX_LINES:
        taken: list[Token] = []
        for token in line.tokens[at:]:
            letters = skeleton(token.text)
            if not rest.startswith(letters) or (not letters and not taken):
                break
            taken.append(token)
            rest = rest[len(letters) :]
            if not rest:
                return [*place, (taken, line)]
        if len(taken) < len(line.tokens) - at or not taken:
            return []
        place.append((taken, line))
        under = below(line, page, limit=1, gap=1.5)
        line, at = (under[0] if under else None), 0
    return []


def runs_from(piece: Piece, page: PageView, lines: int) -> Iterator[Place]:
    """The piece alone, then with each additional line below it."""
    place: Place = []
    for line in (piece, *below(piece, page, limit=lines - 1, gap=1.5)):
        place = [*place, (line.tokens, line)]
        yield place


def text_of(place: Sequence[tuple[Sequence[Token], Piece]]) -> str:
    return " ".join(token.text for tokens, _ in place for token in tokens)
