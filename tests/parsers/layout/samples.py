"""Lines of pages for tests, placed without a PDF."""

from docsieve.domain.pages.page import Line, Word
from docsieve.parsers.tables.cells import around

HEIGHT = 842.0


def words(text: str, x: float, y: float, *, size: float = 10, width: float = 5) -> list[Word]:
    """Words of letters that are about `width` wide, with spaces of half that."""
    found = []
    for at, word in enumerate(text.split()):
        end = x + width * (0.85, 1.0, 1.15)[at % 3] * len(word)
        found.append(Word(word, (x, y, end, y + size)))
        x = end + width / 2
    return found


def line(text: str, x: float, y: float, *, size: float = 10, width: float = 5) -> Line:
    found = words(text, x, y, size=size, width=width)
    return Line(text, around([word.box for word in found]), found)


def joined(*lines: Line) -> Line:
    """One line of several, as a file may have it."""
    found = [word for each in lines for word in each.words]
    return Line(" ".join(word.text for word in found), around([word.box for word in found]), found)
