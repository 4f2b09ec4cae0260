"""Words and lines of one PDF page, with boxes as the page is displayed.

A foreign call costs more than the work behind it, so the page's text is read in one call, and boxes are read
word by word, never character by character.
"""

import re
import sys
from bisect import bisect_left, bisect_right
from ctypes import byref, c_ushort
from dataclasses import dataclass, field
from itertools import accumulate, repeat
from typing import Any

import numpy

from docsieve.domain.pages.page import Box, Line, Word
from docsieve.domain.text import clean
from docsieve.parsers.layout.cuts import MIN_GAP
from docsieve.parsers.pdf.direct import count_characters, get_text, get_text_index, get_unicode, is_hyphen
from docsieve.parsers.pdf.text.boxes import Sides, pdf_boxes, seen_boxes, sides_if_all_seen
from docsieve.parsers.pdf.view import DisplayedPage

# PDFium joins a word that was hyphenated at a line end and leaves a mark in place of the hyphen and the line end; the
# two halves lie on different lines, so they are taken apart again. A character without a meaning leaves the same mark.
HYPHEN = "\x02"
_MEANINGLESS = "\x00"
_MARK = re.compile("[\ufffe\x02]")
_WORD = re.compile(rf"[^\s{HYPHEN}]+{HYPHEN}?|[\r\n]+")
_LINE_END = "\r\n"
_SPACE = ord(" ")

_least_from, _greatest_from = numpy.minimum.reduceat, numpy.maximum.reduceat

# Buffer for a page's text, unless it is longer: an array of another length would be a new type each time.
_units = (c_ushort * 16_384)()


@dataclass(slots=True)
class TextLayer:
    """The lines, the index of the first character of each word, and which word is the first of each line.

    Words are counted in PDFium's order, whatever the order of the lines. `gapped` are the places of the lines in which
    words are far apart.
    """

    lines: list[Line] = field(default_factory=list)
    word_starts: list[int] = field(default_factory=list)
    firsts: list[int] = field(default_factory=list)
    gapped: list[int] = field(default_factory=list)

    @property
    def starts(self) -> list[int]:
        """The index of the first character of each line."""
        return [self.word_starts[first] for first in self.firsts]


@dataclass(slots=True)
class _Tokens:
    """The words of the text, their positions and lengths, and the indices of those that begin a line."""

    texts: list[str] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    lengths: list[int] = field(default_factory=list)
    firsts: list[int] = field(default_factory=list)


def read_lines(text_page: Any, shown: DisplayedPage, characters: str) -> TextLayer:
    """Return the lines of the page's `characters`; text outside the visible page is left out."""
    tokens = _even_tokens(characters) or _tokens(characters)
    boxes = pdf_boxes(text_page, tokens.starts, tokens.lengths)
    sides = sides_if_all_seen(boxes, shown)
    if sides is not None:
        return _in_lines(tokens, list(zip(*sides.tolist(), strict=True)), sides)
    seen = seen_boxes(boxes, shown)
    left = [box for box in seen if box is not None]
    return _in_lines(_seen_tokens(tokens, seen) if None in seen else tokens, left, numpy.array(left).T)


def _even_tokens(characters: str) -> _Tokens | None:
    """Like `_tokens`, for text of only visible characters, spaces and line ends, as most is; None for other text."""
    lines = characters.split(_LINE_END)
    if not "".join(lines).isprintable():
        return None
    # Printable characters take one code unit each.
    visible = numpy.frombuffer(f" {characters}".encode("utf-16-le"), numpy.uint16) > _SPACE
    starts: list[int] = (visible[1:] > visible[:-1]).nonzero()[0].tolist()
    line_starts = accumulate([len(line) + len(_LINE_END) for line in lines[:-1]], initial=0)
    # a line without words begins with the first word of the next
    firsts = dict.fromkeys([bisect_left(starts, start) for start in line_starts])
    firsts.pop(len(starts), None)
    texts = characters.split()
    return _Tokens(texts, starts, list(map(len, texts)), list(firsts))


def _tokens(characters: str) -> _Tokens:
    without_marks = characters.replace(HYPHEN, "")
    is_clean = clean(without_marks) == without_marks
    found = _Tokens()
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
            if is_first:
                found.firsts.append(len(found.texts))
            found.texts.append(text)
            found.starts.append(match.start())
            found.lengths.append(len(raw))
            is_first = False
        if last == HYPHEN:
            is_first = True
    return found


def _seen_tokens(tokens: _Tokens, boxes: list[Box | None]) -> _Tokens:
    """Return the tokens with a box. The word after an invisible one begins the line in its place."""
    seen = _Tokens()
    firsts = set(tokens.firsts)
    owed = False
    for place, box in enumerate(boxes):
        owed = owed or place in firsts
        if box is not None:
            if owed:
                seen.firsts.append(len(seen.texts))
            seen.texts.append(tokens.texts[place])
            seen.starts.append(tokens.starts[place])
            seen.lengths.append(tokens.lengths[place])
            owed = False
    return seen


def _in_lines(tokens: _Tokens, boxes: list[Box], sides: Sides) -> TextLayer:
    texts, firsts = tokens.texts, tokens.firsts
    if not texts:
        return TextLayer()
    words = list(map(Word, texts, boxes))
    x0, y0, x1, y1 = sides
    # Most words overlap the previous one vertically, which is computed for all of them at once.
    apart = (y0[1:] > y1[:-1]) | (y1[1:] < y0[:-1])
    within_lines = set(apart.nonzero()[0].tolist()).difference([first - 1 for first in firsts])
    leaving = [at + 1 for at in within_lines if _leaves_line(boxes[at], boxes[at + 1])]
    if leaving:
        firsts = sorted([*firsts, *leaving])
    places = numpy.array(firsts)
    lefts, tops = _least_from(x0, places).tolist(), _least_from(y0, places).tolist()
    rights, bottoms = _greatest_from(x1, places).tolist(), _greatest_from(y1, places).tolist()
    around = zip(lefts, tops, rights, bottoms, strict=True)
    lines = [
        Line(" ".join(texts[first:end]), box, words[first:end])
        for first, end, box in zip(firsts, [*firsts[1:], len(words)], around, strict=True)
    ]
    far = numpy.maximum(x0[1:] - x1[:-1], x0[:-1] - x1[1:]) > MIN_GAP
    after = set((far.nonzero()[0] + 1).tolist()).difference(firsts)
    gapped = sorted({bisect_right(firsts, word) - 1 for word in after})
    return TextLayer(lines, tokens.starts, firsts, gapped)


def page_characters(text_page: Any) -> str:
    """Return the page's text, one code unit per PDFium character, so that indices are the same in both.

    Characters outside the basic plane are two units here and two characters in PDFium; `clean` joins them.
    """
    characters = _all_characters(text_page)
    if HYPHEN not in characters and "\ufffe" not in characters:
        return characters
    return _MARK.sub(lambda mark: HYPHEN if is_hyphen(text_page, mark.start()) == 1 else _MEANINGLESS, characters)


def _all_characters(text_page: Any) -> str:
    count = count_characters(text_page)
    if count <= 0:
        return ""
    # PDFium ends the text with a zero.
    units = _units if count < len(_units) else (c_ushort * (count + 1))()
    written = get_text(text_page, 0, count, byref(units)) - 1
    if written == count and get_text_index(text_page, count - 1) == count - 1:
        text = str(memoryview(units)[:count], "utf-16-le", "surrogatepass")
        return text if len(text) == count else "".join(map(chr, units[:count]))
    # The text omits characters that do not print; their indices must be read one by one.
    codes = map(get_unicode, repeat(text_page), range(count))
    return "".join([chr(code) if code <= sys.maxunicode else "\ufffd" for code in codes])


def _leaves_line(before: Box, after: Box) -> bool:
    """Whether a word is on a different line than the previous one, where PDFium saw no line end.

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
