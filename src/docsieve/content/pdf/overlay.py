"""Adds invisible text to pages of an existing PDF. Everything else of the document stays as it is."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, Pdf, Stream

from docsieve.content.pdf.file import CID_FONT, DESCRIPTOR, FONT, font_streams
from docsieve.content.pdf.font import Characters
from docsieve.content.pdf.text_layer import FONT_NAME, Matrix, text_layer
from docsieve.domain.pages.page import Page
from docsieve.errors import CorruptDocument

_MAX_PARENTS = 64
_DAMAGED = "The document is damaged, so that text cannot be added to it."


def add_text(source: Path, target: Path, pages: Iterable[Page], *, password: str | None) -> None:
    """Write a copy of the document with the words of these pages. A protected document loses its password."""
    try:
        with pikepdf.open(source, password=password or "", suppress_warnings=True) as document:
            characters = Characters()
            font = document.make_indirect(Dictionary())
            for page in pages:
                if page.number > len(document.pages):
                    raise CorruptDocument(_DAMAGED)
                _add_to_page(document, document.pages[page.number - 1].obj, page, font, characters)
            _fill_font(document, font, characters)
            document.save(target, encryption=False if document.is_encrypted else None)
    except (pikepdf.PdfError, AttributeError, RuntimeError, TypeError, ValueError, LookupError) as error:
        raise CorruptDocument(_DAMAGED) from error


def _add_to_page(document: Pdf, page: Any, read: Page, font: Any, characters: Characters) -> None:
    layer = text_layer(read, characters, _matrix(page, read))
    resources = _copied(_inherited(page, "/Resources"))
    fonts = _copied(resources.get("/Font"))
    fonts[f"/{FONT_NAME}"] = font
    resources["/Font"] = fonts
    page["/Resources"] = resources
    contents = page.get("/Contents", Array())
    before = list(contents) if isinstance(contents, Array) else [contents]
    # It comes first, because what the page draws may leave a transformation behind; nothing of it is seen anyway.
    page["/Contents"] = Array([Stream(document, layer), *before])


def _copied(given: Any) -> Any:
    """Other pages may share the dictionary."""
    return Dictionary() if given is None else Dictionary(given)


def _matrix(page: Any, read: Page) -> Matrix:
    """From the page as it was read, upright and from its lower left corner, to the coordinates of the PDF."""
    media = _box(_inherited(page, "/MediaBox") or [0, 0, 612, 792])
    crop = _box(_inherited(page, "/CropBox") or media)
    left, bottom = max(media[0], crop[0]), max(media[1], crop[1])
    right, top = min(media[2], crop[2]), min(media[3], crop[3])
    turns = (int(_inherited(page, "/Rotate") or 0) + read.turned) // 90 % 4
    return (
        (1, 0, 0, 1, left, bottom),
        (0, 1, -1, 0, right, bottom),
        (-1, 0, 0, -1, right, top),
        (0, -1, 1, 0, left, top),
    )[turns]


def _box(given: Any) -> tuple[float, float, float, float]:
    x0, y0, x1, y1 = (float(value) for value in given)
    return min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)


def _inherited(page: Any, name: str) -> Any:
    node = page
    for _ in range(_MAX_PARENTS):
        if name in node:
            return node[name]
        if "/Parent" not in node:
            return None
        node = node["/Parent"]
    return None


def _fill_font(document: Pdf, font: Any, characters: Characters) -> None:
    streams = {}
    for name, entries, content in font_streams(characters):
        stream = streams[name] = Stream(document, content)
        for key, entry in entries.items():
            stream[f"/{key}"] = pikepdf.Object.parse(entry.encode())
    descriptor = _parsed(document, DESCRIPTOR)
    descriptor["/FontFile2"] = streams["program"]
    descendant = _parsed(document, CID_FONT)
    descendant["/FontDescriptor"], descendant["/CIDToGIDMap"] = descriptor, streams["glyphs"]
    for key, value in pikepdf.Object.parse(f"<< {FONT} >>".encode()).items():
        font[key] = value
    font[Name.DescendantFonts] = Array([descendant])
    font[Name.ToUnicode] = streams["unicode"]


def _parsed(document: Pdf, entries: str) -> Any:
    return document.make_indirect(pikepdf.Object.parse(f"<< {entries} >>".encode()))
