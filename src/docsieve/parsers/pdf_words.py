"""Words and lines of one PDF page, with boxes as the page is displayed.

A foreign call costs more than the work behind it, so the page's text is taken in one call, and boxes are asked for
word by word, never character by character.
"""

import re
import sys
from ctypes import byref, c_double, c_ushort
from dataclasses import dataclass
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from docsieve.domain.pages import Box, Line, Word
from docsieve.domain.text import clean

# PDFium joins a word that was hyphenated at a line end and leaves a mark in place of the hyphen and the line end; the
# two halves lie on different lines, so they are taken apart again. A character without a meaning leaves the same mark.
_HYPHEN = "\x02"
_MEANINGLESS = "\x00"
_MARK = re.compile("[\ufffe\x02]")
_WORD = re.compile(rf"[^\s{_HYPHEN}]+{_HYPHEN}?|[\r\n]+")


@dataclass(frozen=True, slots=True)
class DisplayedPage:
    """The visible box of a page in PDF's own coordinates, and the quarter turns clockwise at which it is shown."""

    left: float
    bottom: float
    right: float
    top: float
    turns: int
    width: float
    height: float

    @classmethod
    def of(cls, page: pdfium.PdfPage) -> "DisplayedPage":
        left, bottom, right, top = page.get_bbox()
        turns = page.get_rotation() // 90 % 4
        size = (right - left, top - bottom) if turns % 2 == 0 else (top - bottom, right - left)
        return cls(left, bottom, right, top, turns, round(size[0], 2), round(size[1], 2))

    def box(self, left: float, bottom: float, right: float, top: float) -> Box | None:
        """The box as shown, its origin at the upper left; None if it lies off the visible page."""
        if self.turns == 0:
            x0, y0, x1, y1 = left - self.left, self.top - top, right - self.left, self.top - bottom
        elif self.turns == 1:
            x0, y0, x1, y1 = bottom - self.bottom, left - self.left, top - self.bottom, right - self.left
        elif self.turns == 2:
            x0, y0, x1, y1 = self.right - right, bottom - self.bottom, self.right - left, top - self.bottom
        else:
            x0, y0, x1, y1 = self.top - top, self.right - right, self.top - bottom, self.right - left
        if x0 > self.width or y0 > self.height or x1 < 0 or y1 < 0:
            return None
        return (
            round(max(x0, 0.0), 2),
            round(max(y0, 0.0), 2),
            round(min(x1, self.width), 2),
            round(min(y1, self.height), 2),
        )


def read_lines(text_page: Any, shown: DisplayedPage) -> list[Line]:
    """Lines in PDFium's order; text that lies off the visible page is left out."""
    lines: list[Line] = []
    words: list[Word] = []
    boxes = _WordBoxes(text_page)
    for match in _WORD.finditer(_hyphens_told_apart(text_page, _characters(text_page))):
        raw = match.group()
        if raw[0] in "\r\n":
            _end_line(lines, words)
            continue
        hyphenated = raw[-1] == _HYPHEN
        text = clean(raw) + ("-" if hyphenated else "")
        box = shown.box(*boxes.of(match.start(), len(raw))) if text else None
        if box is not None:
            if words and _leaves_line(words[-1].box, box):
                _end_line(lines, words)
            words.append(Word(text, box))
        if hyphenated:
            _end_line(lines, words)
    _end_line(lines, words)
    return lines


def _hyphens_told_apart(text_page: Any, characters: str) -> str:
    def tell(mark: re.Match[str]) -> str:
        return _HYPHEN if pdfium_c.FPDFText_IsHyphen(text_page, mark.start()) == 1 else _MEANINGLESS

    return _MARK.sub(tell, characters)


def _characters(text_page: Any) -> str:
    """The page's text, one code unit for each of PDFium's characters, so that an index in one is an index in both.

    Characters outside the basic plane are two units here and two characters in PDFium; `clean` joins them.
    """
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


class _WordBoxes:
    """Boxes of character ranges in PDF's own coordinates: left, bottom, right, top."""

    def __init__(self, text_page: Any) -> None:
        self._text_page = text_page
        self._left, self._top, self._right, self._bottom = c_double(), c_double(), c_double(), c_double()
        self._out = byref(self._left), byref(self._top), byref(self._right), byref(self._bottom)

    def of(self, start: int, count: int) -> Box:
        rectangles = pdfium_c.FPDFText_CountRects(self._text_page, start, count)
        if rectangles < 1:
            return self._loose(start, count)
        box = self._rectangle(0)
        for index in range(1, rectangles):
            box = union(box, self._rectangle(index))
        return box

    def _rectangle(self, index: int) -> Box:
        pdfium_c.FPDFText_GetRect(self._text_page, index, *self._out)
        return self._left.value, self._bottom.value, self._right.value, self._top.value

    def _loose(self, start: int, count: int) -> Box:
        """For glyphs without an outline (invisible OCR text, some Type 3 fonts): the room their font gives them."""
        box = self._loose_character(start)
        return union(box, self._loose_character(start + count - 1)) if count > 1 else box

    def _loose_character(self, index: int) -> Box:
        room = pdfium_c.FS_RECTF()
        pdfium_c.FPDFText_GetLooseCharBox(self._text_page, index, room)
        return room.left, min(room.bottom, room.top), room.right, max(room.bottom, room.top)


def union(one: Box, other: Box) -> Box:
    return min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3])


def _leaves_line(before: Box, after: Box) -> bool:
    """Whether a word stands on another line than the one before it, where PDFium saw no line end.

    Upright text moves along x, text turned on the page along y; only a jump in both is another line.
    """
    gap = max(after[1] - before[3], before[1] - after[3])
    apart = after[0] > before[2] or before[0] > after[2]
    return apart and gap > max(before[3] - before[1], after[3] - after[1])


def _end_line(lines: list[Line], words: list[Word]) -> None:
    if not words:
        return
    box = words[0].box
    for word in words[1:]:
        box = union(box, word.box)
    lines.append(Line(" ".join(word.text for word in words), box, words.copy()))
    words.clear()
