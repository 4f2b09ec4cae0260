"""Words and lines of one PDF page, with boxes as the page is displayed.

A foreign call costs more than the work behind it, so the page's text is taken in one call, and boxes are asked for
word by word, never character by character.
"""

import re
import sys
from collections.abc import Callable
from ctypes import byref, c_double, c_ushort, c_void_p, cast, sizeof
from dataclasses import dataclass, field
from typing import Any

import pypdfium2.raw as pdfium_c

from docsieve.domain.pages import Box, Line, Word
from docsieve.domain.text import clean
from docsieve.parsers.pdf_direct import count_rectangles, get_rectangle
from docsieve.parsers.pdf_view import DisplayedPage, PdfBox

# PDFium joins a word that was hyphenated at a line end and leaves a mark in place of the hyphen and the line end; the
# two halves lie on different lines, so they are taken apart again. A character without a meaning leaves the same mark.
HYPHEN = "\x02"
_MEANINGLESS = "\x00"
_MARK = re.compile("[\ufffe\x02]")
_WORD = re.compile(rf"[^\s{HYPHEN}]+{HYPHEN}?|[\r\n]+")


@dataclass(slots=True)
class TextLayer:
    """Lines in PDFium's order, and for each the index of its first character on PDFium's page."""

    lines: list[Line] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)

    def end_line(self, words: list[Word], start: int) -> None:
        if not words:
            return
        lefts, tops, rights, bottoms = zip(*[word.box for word in words], strict=True)
        box = min(lefts), min(tops), max(rights), max(bottoms)
        self.lines.append(Line(" ".join([word.text for word in words]), box, words.copy()))
        self.starts.append(start)
        words.clear()


def read_lines(text_page: Any, shown: DisplayedPage, characters: str) -> TextLayer:
    """Lines of the page's `characters`; text that lies off the visible page is left out."""
    layer = TextLayer()
    words: list[Word] = []
    start = 0
    last_box: Box = (0.0, 0.0, 0.0, 0.0)
    box_of, seen = _reader_of_boxes(text_page), shown.box
    without_marks = characters.replace(HYPHEN, "")
    is_clean = clean(without_marks) == without_marks
    for match in _WORD.finditer(characters):
        raw = match.group()
        last = raw[-1]
        if last in "\r\n":
            layer.end_line(words, start)
            continue
        text = raw if last != HYPHEN else raw[:-1] + "-"
        if not is_clean:
            text = clean(text)
        box = seen(*box_of(match.start(), len(raw))) if text else None
        if box is not None:
            # most words overlap the one before in height, which is told without a call
            if words and (box[1] > last_box[3] or box[3] < last_box[1]) and _leaves_line(last_box, box):
                layer.end_line(words, start)
            if not words:
                start = match.start()
            words.append(Word(text, box))
            last_box = box
        if last == HYPHEN:
            layer.end_line(words, start)
    layer.end_line(words, start)
    return layer


def page_characters(text_page: Any) -> str:
    """The page's text, one code unit for each of PDFium's characters, so that an index in one is an index in both.

    Characters outside the basic plane are two units here and two characters in PDFium; `clean` joins them.
    """
    return _MARK.sub(
        lambda mark: HYPHEN if pdfium_c.FPDFText_IsHyphen(text_page, mark.start()) == 1 else _MEANINGLESS,
        _all_characters(text_page),
    )


def _all_characters(text_page: Any) -> str:
    count = pdfium_c.FPDFText_CountChars(text_page)
    if count <= 0:
        return ""
    buffer = (c_ushort * (count + 1))()
    written = pdfium_c.FPDFText_GetText(text_page, 0, count, buffer) - 1
    if written == count and pdfium_c.FPDFText_GetTextIndexFromCharIndex(text_page, count - 1) == count - 1:
        text = bytes(memoryview(buffer)[:count]).decode("utf-16-le", "surrogatepass")
        return text if len(text) == count else "".join(map(chr, buffer[:count]))
    # The text leaves out characters that do not print; their places are known only one by one.
    units = (pdfium_c.FPDFText_GetUnicode(text_page, index) for index in range(count))
    return "".join(chr(unit) if unit <= sys.maxunicode else "\ufffd" for unit in units)


def _reader_of_boxes(text_page: Any) -> Callable[[int, int], PdfBox]:
    """A function that gives the box of a range of characters in PDF's own coordinates."""
    handle = cast(text_page, c_void_p)
    # PDFium writes four numbers to four places; read as one array they cost one step instead of four.
    sides = (c_double * 4)()
    out = [byref(sides, place * sizeof(c_double)) for place in range(4)]

    def box_of(start: int, count: int) -> PdfBox:
        rectangles = count_rectangles(handle, start, count)
        if rectangles < 1:
            return _loose(text_page, start, count)
        get_rectangle(handle, 0, *out)
        # without the slice, the end of the array would be found by an exception
        left, top, right, bottom = sides[:]
        for index in range(1, rectangles):
            get_rectangle(handle, index, *out)
            x0, y1, x1, y0 = sides[:]
            left = x0 if x0 < left else left
            top = y1 if y1 > top else top
            right = x1 if x1 > right else right
            bottom = y0 if y0 < bottom else bottom
        return left, bottom, right, top

    return box_of


def _loose(text_page: Any, start: int, count: int) -> PdfBox:
    """For glyphs without an outline (invisible OCR text, some Type 3 fonts): the room their font gives them."""
    box = loose_box(text_page, start)
    return union(box, loose_box(text_page, start + count - 1)) if count > 1 else box


def loose_box(text_page: Any, index: int) -> PdfBox:
    """The room that its font gives to a character, whatever its glyph looks like."""
    room = pdfium_c.FS_RECTF()
    pdfium_c.FPDFText_GetLooseCharBox(text_page, index, room)
    return room.left, min(room.bottom, room.top), room.right, max(room.bottom, room.top)


def union(one: Box, other: Box) -> Box:
    return min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3])


def _leaves_line(before: Box, after: Box) -> bool:
    """Whether a word stands on another line than the one before it, where PDFium saw no line end.

    Upright text moves along x, text turned on the page along y: a jump along y alone is another line only of words that
    are wider than high.
    """
    gap = max(after[1] - before[3], before[1] - after[3])
    if gap <= 0:
        return False
    high, high_before = after[3] - after[1], before[3] - before[1]
    if gap <= max(high, high_before):
        return False
    apart = after[0] > before[2] or before[0] > after[2]
    return apart or (after[2] - after[0] > high and before[2] - before[0] > high_before)
