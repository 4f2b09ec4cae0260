"""Pages made of lines of text, as a parser would give them."""

from collections.abc import Sequence
from typing import Any

from docsieve.domain.extraction import Found, Material
from docsieve.domain.pages.page import Line, Page, Word
from docsieve.domain.schemas.fields import Schema

LINE_HEIGHT = 12
LETTER = 5
WIDTH, HEIGHT = 600.0, 840.0


def words_at(cells: Sequence[tuple[float, str]], row: int, confidence: float | None = None) -> list[Word]:
    """Words of equally wide letters; a cell says where its first one begins."""
    top = 10.0 + row * LINE_HEIGHT
    words = []
    for x, text in cells:
        for word in text.split():
            words.append(Word(word, (x, top, x + LETTER * len(word), top + 10), confidence))
            x += LETTER * (len(word) + 1)
    return words


def page_of(
    rows: Sequence[str | Sequence[tuple[float, str]]], number: int = 1, confidence: float | None = None
) -> Page:
    """A row is a text, or cells with the place where each begins."""
    lines = []
    for place, row in enumerate(rows):
        words = words_at([(20.0, row)] if isinstance(row, str) else row, place, confidence)
        box = (words[0].box[0], words[0].box[1], words[-1].box[2], words[-1].box[3])
        lines.append(Line(" ".join(word.text for word in words), box, words))
    return Page(number, WIDTH, HEIGHT, lines)


def document(*pages: Page, id: str = "d") -> Material:
    return Material(id, list(pages))


def found(**values: Any) -> dict[str, Found]:
    return {name: Found(value) for name, value in values.items()}


def object_of(**properties: Any) -> Schema:
    """`str` fields by default; a property may be given as a schema."""
    return {
        "type": "object",
        "properties": {name: each if isinstance(each, dict) else {"type": each} for name, each in properties.items()},
    }
