"""Plain text, laid out as a typewriter would: it has no pages and no places of its own.

Evidence needs a box for every word, so the text is set on A4 in a fixed-width face, 60 lines of 100 characters a page.
The boxes are plausible rather than real: they are exact for anyone who lays the text out by these same numbers.
"""

import codecs
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from docsieve.domain.pages import Box, Line, Page, Word
from docsieve.domain.text import clean
from docsieve.errors import CorruptDocument, TooManyPages
from docsieve.parsers.port import Reading, ReadOptions

WIDTH, HEIGHT = 595.0, 842.0
LINES_A_PAGE = 60
CHARACTERS_A_LINE = 100

_MARGIN = 36.0
_CHARACTER_WIDTH = (WIDTH - 2 * _MARGIN) / CHARACTERS_A_LINE
_LINE_HEIGHT = (HEIGHT - 2 * _MARGIN) / LINES_A_PAGE
_CHUNK = 1024 * 1024
_WORD = re.compile(r"\S+")

# UTF-32 first: the little-endian mark of UTF-16 is the beginning of that of UTF-32.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CONTROLS = bytes({*range(0x09), 0x0B, *range(0x0E, 0x1B), *range(0x1C, 0x20), 0x7F})


class TextParser:
    name = "text"
    version = "1"
    uses_ocr = False
    media_types = frozenset({"text/plain"})

    def sniff(self, head: bytes) -> str | None:
        return "text/plain" if _looks_like_text(head) else None

    def read(self, source: Path, options: ReadOptions) -> Reading:
        encoding = _encoding_of(source)
        count = sum(1 for _ in islice(_pages_of_rows(source, encoding), options.max_pages + 1))
        if count > options.max_pages:
            raise TooManyPages(f"The document has more than {options.max_pages} pages.")
        pages = (_set_page(number, rows) for number, rows in enumerate(_pages_of_rows(source, encoding), start=1))
        return Reading(page_count=count, pages=pages)


def _looks_like_text(head: bytes) -> bool:
    marked = _marked_encoding(head)
    if marked is None and (not head or b"\x00" in head):
        return False
    try:
        # Not final: the head may end inside a character.
        text = codecs.getincrementaldecoder(marked or "utf-8")().decode(head)
    except UnicodeDecodeError:
        # A one-byte encoding would take any bytes, so demand that most are ASCII and none is a control.
        high = sum(byte >= 0x80 for byte in head)
        return marked is None and high * 2 < len(head) and not _count_controls(head)
    return _count_controls(text.encode()) * 100 <= len(text)


def _count_controls(text: bytes) -> int:
    """In UTF-8 and in one-byte encodings alike, a control is one byte that is no part of another character."""
    return len(text) - len(text.translate(None, _CONTROLS))


def _marked_encoding(head: bytes) -> str | None:
    return next((encoding for mark, encoding in _MARKS if head.startswith(mark)), None)


def _encoding_of(source: Path) -> str:
    with source.open("rb") as file:
        marked = _marked_encoding(file.read(4))
    candidates = (marked,) if marked else ("utf-8", "cp1252", "latin-1")
    return next((encoding for encoding in candidates if _decodes(source, encoding)), None) or _undecodable(marked)


def _decodes(source: Path, encoding: str) -> bool:
    with source.open(encoding=encoding, newline="") as file:
        try:
            while file.read(_CHUNK):
                pass
        except UnicodeError:
            return False
    return True


def _undecodable(encoding: str | None) -> str:
    raise CorruptDocument(f"The text is marked as {encoding} but is not.")


def _pages_of_rows(source: Path, encoding: str) -> Iterator[list[str]]:
    """Rows of each page; there is always a first page, a form feed begins the next one."""
    page: list[str] = []
    with source.open(encoding=encoding) as file:
        # The bound keeps memory flat on a file without line ends; a longer line is cut there.
        while line := file.readline(_CHUNK):
            for part, text in enumerate(line.rstrip("\n").split("\f")):
                if part:
                    yield page
                    page = []
                for row in _wrap(text.expandtabs(8)):
                    if len(page) == LINES_A_PAGE:
                        yield page
                        page = []
                    page.append(row)
    yield page


def _wrap(line: str) -> Iterator[str]:
    start = 0
    while len(line) - start > CHARACTERS_A_LINE:
        end = start + CHARACTERS_A_LINE
        space = line.rfind(" ", start + 1, end + 1)
        end = space if space > start else end
        yield line[start:end]
        start = end
    yield line[start:]


def _set_page(number: int, rows: list[str]) -> Page:
    lines = (_set_line(row, place) for place, row in enumerate(rows))
    return Page(number, WIDTH, HEIGHT, [line for line in lines if line is not None])


def _set_line(row: str, place: int) -> Line | None:
    top = round(_MARGIN + place * _LINE_HEIGHT, 2)
    bottom = round(_MARGIN + (place + 1) * _LINE_HEIGHT, 2)
    words = []
    for match in _WORD.finditer(row):
        if text := clean(match.group()):
            words.append(Word(text, (_column(match.start()), top, _column(match.end()), bottom)))
    if not words:
        return None
    box: Box = (words[0].box[0], top, words[-1].box[2], bottom)
    return Line(" ".join(word.text for word in words), box, words)


def _column(index: int) -> float:
    return round(_MARGIN + index * _CHARACTER_WIDTH, 2)
