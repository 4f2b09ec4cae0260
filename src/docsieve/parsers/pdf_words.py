"""Words and lines of one PDF page, with boxes as the page is displayed.

A foreign call costs more than the work behind it, so the page's text is taken in one call, and boxes are asked for
word by word, never character by character.
"""

import re
import sys
from ctypes import c_ushort
from dataclasses import dataclass, field
from typing import Any

import numpy
import pypdfium2.raw as pdfium_c

from docsieve.domain.pages import Box, Line, Word
from docsieve.domain.text import clean
from docsieve.parsers.pdf_boxes import Sides, pdf_boxes, seen_boxes
from docsieve.parsers.pdf_view import DisplayedPage

# PDFium joins a word that was hyphenated at a line end and leaves a mark in place of the hyphen and the line end; the
# two halves lie on different lines, so they are taken apart again. A character without a meaning leaves the same mark.
HYPHEN = "\x02"
_MEANINGLESS = "\x00"
_MARK = re.compile("[\ufffe\x02]")
_WORD = re.compile(rf"[^\s{HYPHEN}]+{HYPHEN}?|[\r\n]+")
# what `clean` leaves as it is, so that words need not be looked at one by one
_UNEVEN = re.compile(r"[^!-~ \r\n]")
_RUN = re.compile(r"[^\r\n]+|[\r\n]+")


@dataclass(slots=True)
class TextLayer:
    """Lines in PDFium's order, and for each the index of its first character on PDFium's page."""

    lines: list[Line] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)


@dataclass(slots=True)
class _Tokens:
    """Words as they stand in the text, where they do, and which of them begin a line whatever their places."""

    texts: list[str] = field(default_factory=list)
    spans: list[tuple[int, int]] = field(default_factory=list)
    begins: list[bool] = field(default_factory=list)


def read_lines(text_page: Any, shown: DisplayedPage, characters: str) -> TextLayer:
    """Lines of the page's `characters`; text that lies off the visible page is left out."""
    tokens = _tokens(characters) if _UNEVEN.search(characters) else _even_tokens(characters)
    boxes, sides = seen_boxes(pdf_boxes(text_page, tokens.spans), shown)
    if None in boxes:
        tokens = _seen_tokens(tokens, boxes)
    seen = [box for box in boxes if box is not None]
    return _in_lines(tokens, seen, numpy.array(seen) if sides is None else sides)


def _even_tokens(characters: str) -> _Tokens:
    """As `_tokens`, for a text of visible characters, spaces and line ends alone, as most are."""
    found = _Tokens()
    spans, begins = found.spans, found.begins
    place = 0
    for run in _RUN.findall(characters):
        if run[0] in "\r\n":
            place += len(run)
            continue
        is_first = True
        for word in run.split(" "):
            start = place
            place += len(word) + 1
            if word:
                found.texts.append(word)
                spans.append((start, place - 1))
                begins.append(is_first)
                is_first = False
        place -= 1
    return found


def _tokens(characters: str) -> _Tokens:
    without_marks = characters.replace(HYPHEN, "")
    is_clean = clean(without_marks) == without_marks
    found = _Tokens()
    texts, spans, begins = found.texts, found.spans, found.begins
    is_first = True
    for match in _WORD.finditer(characters):
        raw = match.group()
        last = raw[-1]
        if last in "\r\n":
            is_first = True
            continue
        text = raw if last != HYPHEN else raw[:-1] + "-"
        if not is_clean:
            text = clean(text)
        if text:
            texts.append(text)
            spans.append(match.span())
            begins.append(is_first)
            is_first = False
        if last == HYPHEN:
            is_first = True
    return found


def _seen_tokens(tokens: _Tokens, boxes: list[Box | None]) -> _Tokens:
    """Those that have a box. The word after one that is not seen begins the line in its place."""
    seen = _Tokens()
    owed = False
    for text, span, begun, box in zip(tokens.texts, tokens.spans, tokens.begins, boxes, strict=True):
        owed = owed or begun
        if box is not None:
            seen.texts.append(text)
            seen.spans.append(span)
            seen.begins.append(owed)
            owed = False
    return seen


def _in_lines(tokens: _Tokens, boxes: list[Box], sides: Sides) -> TextLayer:
    layer = TextLayer()
    texts = tokens.texts
    if not texts:
        return layer
    words = list(map(Word, texts, boxes))
    # most words overlap the one before in height, which is told for all of them at once
    apart = (sides[1:, 1] > sides[:-1, 3]) | (sides[1:, 3] < sides[:-1, 1])
    firsts = [place for place, begun in enumerate(tokens.begins) if begun]
    leaving = [at + 1 for at in apart.nonzero()[0].tolist() if _leaves_line(boxes[at], boxes[at + 1])]
    if leaving:
        firsts = sorted({*firsts, *leaving})
    upper, lower = numpy.minimum.reduceat(sides, firsts).tolist(), numpy.maximum.reduceat(sides, firsts).tolist()
    ends = [*firsts[1:], len(words)]
    for first, end, (x0, y0, _, _), (_, _, x1, y1) in zip(firsts, ends, upper, lower, strict=True):
        layer.lines.append(Line(" ".join(texts[first:end]), (x0, y0, x1, y1), words[first:end]))
        layer.starts.append(tokens.spans[first][0])
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
